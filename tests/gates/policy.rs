//! The policies of `tandem-faults`, in front of the SIMD side: what they leave to be asked, and what they hide.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::parts::{instruction as instruction_of, policy};
use crate::program;
use crate::truth::{Trier, shares};
use rstest::rstest;
use tandem::wiring;
use tandem_harness::foreign::TargetSpec;
use tandem_harness::{Budget, Campaign, CampaignResult, IsaSuite, Plan, Progress, Suite, TargetFactory};
use tandem_isa::{Edition, Target};
use tandem_policy::{EMBEDDED, Policy, Refusing};

/// The best SIMD level behind a policy.
fn behind(policy: &Arc<Policy>, suite: &IsaSuite, lies: bool) -> TargetFactory {
    let (policy, simd) = (Arc::clone(policy), suite.targets.last().expect("there is a level").clone());
    TargetFactory::new(move || {
        let target = Refusing::new(simd.make(), Arc::clone(&policy));
        Box::new(if lies { target } else { target.without_lies() }) as Box<dyn Target>
    })
}

/// A campaign of all instructions of a policy, in the newest edition.
fn campaign(policy: &Arc<Policy>, lies: bool, cases: u64) -> CampaignResult {
    let with = |isa: &IsaSuite| isa.with_targets(vec![behind(policy, isa, lies)]);
    let suite = Suite { isas: wiring::suite().isas.iter().map(with).collect() };
    let units = policy.instructions().map(|facts| (tandem_cases::of(facts), Edition::Newest)).collect();
    let plan = Plan { threads: 1, minimize: None, ..Plan::new(5, Budget::Cases(cases), units) };
    Campaign::new(&suite, &plan, &Progress::default()).run()
}

/// What of some cells a policy leaves, and how much of what is drawn it refuses, in percent.
#[rstest]
#[case::simulator_wormhole("simulator-wormhole", 13, &[("tensix-wh/mova2d", (15, 30), 99), ("tensix-wh/sfpload", (3, 8), 99), ("tensix-wh/sfpstore", (4, 10), 99)])]
#[case::simulator_blackhole("simulator-blackhole", 13, &[("tensix-bh/sfpload", (4, 12), 99), ("tensix-bh/sfpstore", (4, 14), 99)])]
#[case::partial_library("partial-library", 1, &[("tensix-wh/mova2d", (72, 72), 96)])]
#[case::emulator("emulator", 13, &[("visa/mov", (80, 110), 95), ("visa/dpas", (15, 30), 50)])]
#[case::hard("hard", 13, &[("tensix-wh/mova2d", (125, 142), 92), ("tensix-wh/sfpload", (100, 106), 48), ("tensix-wh/sfpstore", (30, 40), 48), ("tensix-bh/sfpload", (138, 146), 48), ("visa/mov", (210, 225), 6), ("visa/dpas", (25, 35), 0)])]
fn a_policy_leaves_some_cells_and_refuses_much_of_what_is_drawn(
    #[case] name: &str,
    #[case] every: usize,
    #[case] expected: &[(&str, (usize, usize), u32)],
) {
    let policy = policy(name);
    let units: Vec<_> = policy.instructions().map(tandem_cases::of).collect();
    assert_eq!(units.len(), expected.len());
    for (instruction, &(path, (least, most), percent)) in units.into_iter().zip(expected) {
        assert_eq!(instruction.path(), path);
        let (suite, unit) = (instruction_of(path).0, (instruction, Edition::Newest));
        let mut trier = Trier::new(&policy, &suite, unit);
        let cells: Vec<_> = (0..trier.cells()).step_by(every).map(|cell| trier.cell(cell, 12)).collect();
        let promised = cells.iter().filter(|cell| cell.promised).count();
        let answerable = cells.iter().filter(|cell| cell.answerable).count();
        let shares = shares(&policy, &suite, unit, 8_000);
        println!(
            "{name} {path}: of {} cells {promised} promised, {answerable} answerable; of {} cases {:.2} % refused",
            cells.len(),
            shares.promised,
            shares.percent(),
        );
        for (reason, count) in &shares.refused {
            println!("    {count:>6} {reason}");
        }
        assert!((least..=most).contains(&answerable), "{name} {path}: {answerable}");
        assert!(shares.percent() >= f64::from(percent), "{name} {path}: {}", shares.percent());
        // A cell that is not answered has a reason.
        assert!(cells.iter().all(|cell| cell.answerable || !cell.promised || !cell.reasons.is_empty()));
    }
}

/// Over the border, as somebody else's implementation.
#[test]
fn a_policy_is_served_and_its_mistakes_are_named() {
    let policy = program::example("policy");
    let run = |arguments: &[&str]| {
        let output = Command::new(&policy).args(arguments).stdin(Stdio::null()).output().expect("it starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("errors are text"))
    };
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("broken.toml");
    std::fs::write(&file, "name = \"x\"\nabout = \"y\"\nimplements = [\"tensix-wh/mova\"]\n").expect("it is written");
    let name = file.to_str().expect("a path is text");
    let (code, error) = run(&[name]);
    assert_eq!(code, Some(2));
    assert!(error.starts_with(&format!("policy: {name}:3: there is no instruction 'tensix-wh/mova'")), "{error}");
    let (code, error) = run(&["nowhere"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no such policy comes with the suite; name one of"), "{error}");
    assert_eq!(run(&["hard"]), (Some(0), String::new()));

    let spec = TargetSpec::Command(format!("{} hard", policy.display()));
    let launcher = program::launcher(spec, Duration::from_secs(20));
    for (isa, expected) in [("tensix-wh", &["mova2d", "sfpload", "sfpstore"][..]), ("tensix-bh", &["sfpload"])] {
        let suite = wiring::suite();
        let suite = suite.isa(isa).expect("it is in the suite");
        let connected = launcher.connect(suite.isa).expect("it starts").expect("it knows the instruction set");
        let implemented = suite.isa.instructions.iter().zip(&connected.implemented).filter(|(_, has)| **has);
        let files: Vec<&str> = implemented.map(|(instruction, _)| instruction.file).collect();
        assert_eq!((connected.name.as_str(), &files[..]), ("hard", expected));
    }
}

#[test]
fn the_policies_of_the_suite_are_those_that_are_tested() {
    let names: Vec<_> = EMBEDDED.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["simulator-wormhole", "simulator-blackhole", "partial-library", "emulator", "hard"]);
}

#[test]
fn a_correct_target_is_correct_behind_every_policy() {
    for (name, _) in EMBEDDED {
        let result = campaign(&policy(name), true, 40_000);
        let signatures: Vec<_> = result.findings.iter().map(|finding| finding.signature.to_string()).collect();
        assert!(signatures.is_empty(), "{name}: {signatures:?}");
        let refused: u64 = result.units.iter().flat_map(|unit| &unit.cells).map(|cell| cell.unsupported).sum();
        assert!(refused > 0, "{name} refuses nothing");
        println!("{name}: {refused} refused, {} completed", result.completed);
    }
}

#[test]
fn what_a_lie_hides_is_a_wrong_bit() {
    let result = campaign(&policy("hard"), false, 120_000);
    let mut found: Vec<_> = result.findings.iter().map(|finding| finding.signature.instruction.as_str()).collect();
    found.dedup();
    assert_eq!(found, ["tensix-wh/mova2d", "tensix-wh/sfpload", "visa/mov"]);
}
