//! Gates on runs that are stopped, timed, or held up: Ctrl-C ends them with 130 and loses nothing, and `--seconds` holds. Panics
//! of targets become findings, and what is left undone is said.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;
use tandem_harness::{Budget, Campaign, Generator, Kind, Plan, Pools, Progress, Suite, TargetFactory, Workbench};
use tandem_isa::{Edition, Expectation};

use crate::parts::{acting, instruction};
use crate::program::{self, Told, ended};

/// `--target` for a target that is right, and takes 50 ms for each reply.
fn slow() -> String {
    format!("cmd:{} slow", program::example("unruly").display())
}

/// A folder of vectors with one small file.
fn vectors() -> &'static str {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for vectors");
        let file = "tensix-wh/mova2d.ttsim-1.10.0.json";
        std::fs::create_dir(folder.path().join("tensix-wh")).expect("it can be made");
        let from = Path::new(program::ROOT).join("vectors").join(file);
        std::fs::copy(from, folder.path().join(file)).expect("the file is there");
        folder
    });
    folder.path().to_str().expect("the folder has a plain name")
}

fn start(arguments: &[&str], out: &Path) -> Child {
    let out = out.to_str().expect("the folder has a plain name");
    let usual = [("timeout", "60"), ("vectors", vectors()), ("out", out)];
    let usual = usual.into_iter().filter(|(name, _)| program::takes(arguments, name));
    program::tandem()
        .args(arguments)
        .args(usual.flat_map(|(name, value)| [format!("--{name}"), value.to_string()]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Waits for the end, which must come in time.
fn end(mut child: Child, limit: Duration) -> Told {
    let begin = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begin.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it has not ended after {limit:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    program::told(&child.wait_with_output().expect("it ended"))
}

fn report(out: &Path) -> Value {
    program::read_json(&out.join("report.json"))
}

/// Long enough for a loaded machine, and far less than what was asked for.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn ctrl_c_while_vectors_are_replayed_keeps_the_report_and_the_checkpoint() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let slow = slow();
    let arguments = ["fuzz", "tensix-wh/mova2d", "--target", &slow, "--cases", "1000000", "--threads", "1"];
    let child = start(&[&arguments[..], &["--seed", "7"]].concat(), out.path());
    std::thread::sleep(Duration::from_secs(3));
    interrupt(&child);
    let (_, stderr) = ended(end(child, SOON), 130);
    assert!(stderr.contains("stopped; the same command goes on"), "{stderr}");
    assert_eq!(report(out.path())["run"]["stopped"], true);
    assert!(report(out.path())["run"]["notes"].to_string().contains("vectors were not replayed"));
    assert!(out.path().join("campaign.json").exists());
    // The same command, without a seed, goes on.
    let child = start(&arguments, out.path());
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    let (stdout, _) = ended(end(child, SOON), 130);
    assert!(stdout.contains("seed 7, going on after 0 cases"), "{stdout}");
}

#[test]
fn ctrl_c_in_a_campaign_ends_with_130_and_keeps_what_was_done() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = ["fuzz", "tensix-bh/sfpstore", "--targets", "simd:portable", "--cases", "1000000000"];
    let child = start(&arguments, out.path());
    let begin = Instant::now();
    while !out.path().join("campaign.json").exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing is kept");
        std::thread::sleep(Duration::from_millis(50));
    }
    interrupt(&child);
    let (stdout, stderr) = ended(end(child, SOON), 130);
    assert!(stdout.contains("stopped early") && stderr.contains("goes on"), "{stdout}{stderr}");
    assert!(out.path().join("campaign.json").exists(), "the same command cannot go on");
    assert_eq!(report(out.path())["run"]["stopped"], true);
    let kept = std::fs::read_to_string(out.path().join("campaign.json")).expect("it can be read");
    assert!(kept.contains("\"cases\":"), "{kept}");
}

#[test]
fn seconds_hold_for_a_slow_target_and_there_is_a_line_after_5_seconds() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let begin = Instant::now();
    let slow = slow();
    let child = start(
        &["fuzz", "tensix-wh/mova2d", "--target", &slow, "--seconds", "8", "--threads", "1", "--seed", "3"],
        out.path(),
    );
    let (code, stdout, stderr) = end(child, Duration::from_secs(8) + 2 * SOON);
    assert!(matches!(code, 0 | 12), "{code} {stdout}{stderr}");
    assert!(begin.elapsed() >= Duration::from_secs(7), "{stdout}{stderr}");
    assert!(stderr.lines().any(|line| line.contains(" cases, ") && line.ends_with(" s left")), "{stderr}");
    let report = report(out.path());
    assert!(report["run"]["notes"].to_string().contains("vectors were not replayed"), "{}", report["run"]);
    assert!(report["result"]["cases"].as_u64().expect("a number") > 0);
    assert!(!out.path().join("campaign.json").exists(), "it came to its end");
}

#[test]
fn seconds_hold_when_vectors_are_checked_values_enumerated_and_faults_hunted() {
    let slow = slow();
    let commands: [&[&str]; 3] = [
        &["vectors", "check", "vectors/tensix-wh/mova2d.ttsim-1.10.0.json", "--target", &slow],
        &["exhaust", "tensix-wh/mova2d", "--target", &slow],
        &["faults", "--twists"],
    ];
    for command in commands {
        let out = tempfile::tempdir().expect("a folder for the report");
        let child = start(&[command, &["--seconds", "1"]].concat(), out.path());
        let (_, stdout, stderr) = end(child, Duration::from_secs(1) + SOON);
        assert!(stdout.contains("stopped") || stderr.contains("stopped"), "{command:?}: {stdout}{stderr}");
    }
}

#[test]
fn a_campaign_that_is_stopped_says_what_it_did_not_run_again() {
    let (isa, instruction) = instruction("tensix-wh/mova2d");
    let progress = Arc::new(Progress::default());
    let of = Arc::clone(&progress);
    let ending = TargetFactory::new(move || {
        // Wrong in every case, and it ends the campaign while that is under way.
        let mut wrong = tandem_faults::target(Some("bias-always")).expect("it is in the catalogue");
        let (progress, mut cases) = (Arc::clone(&of), 0);
        acting(move |step, state| {
            cases += 1;
            progress.stop.store(cases >= 300, Ordering::Relaxed);
            wrong.execute(step, state)
        })
    });
    let suite = Suite { isas: vec![isa.with_targets(vec![ending])] };
    let plan = Plan::new(1, Budget::Cases(100_000), vec![(instruction, Edition::Newest)]);
    let result = Campaign::new(&suite, &plan, &progress).run();
    assert!(result.stopped && !result.findings.is_empty() && result.cases < 100_000, "{} cases", result.cases);
    let found = &result.findings[0];
    assert_eq!(found.cases_to_find, found.first.id.index + 1, "{}", found.first.id);
    let says = |note: &String| note.ends_with(" divergences were not run again, because the time was over");
    assert!(result.notes.iter().any(says), "{:?}", result.notes);
}

#[test]
fn a_panic_of_a_target_becomes_a_finding_and_one_of_the_suite_is_printed() {
    // The test runs again in a process whose standard error can be read.
    if std::env::var_os("TANDEM_PANICS").is_none() {
        let name = std::thread::current().name().expect("a test has a name").to_string();
        let mut again = Command::new(std::env::current_exe().expect("a test knows where it is"));
        let again = again.args(["--exact", "--nocapture", &name]).env("TANDEM_PANICS", "1").output();
        let (stdout, stderr) = ended(program::told(&again.expect("it runs")), 0);
        assert!(stdout.contains("1 passed") && stderr.contains("said by the suite"), "{stdout}{stderr}");
        assert!(!stderr.contains("said by the target"), "{stderr}");
        return;
    }
    let (isa, instruction) = instruction("tensix-wh/sfpand");
    let panicking = TargetFactory::new(|| acting(|_, _| panic!("said by the target")));
    let suite = Suite { isas: vec![isa.with_targets(vec![panicking])] };
    let plan = Plan::new(1, Budget::Cases(2_048), vec![(instruction, Edition::Newest)]);
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let kinds: Vec<Kind> = result.findings.iter().map(|finding| finding.signature.kind).collect();
    assert_eq!(kinds, [Kind::Panic]);
    std::panic::catch_unwind(|| panic!("said by the suite")).expect_err("it panics");
}

#[test]
fn what_is_held_has_no_words_to_compare() {
    let (isa, instruction) = instruction("tensix-wh/mova2d");
    let generator = Generator::new(isa.isa, instruction, Edition::Newest, 1, Pools::new(isa.isa, 1));
    let mut bench = Workbench::new(generator, &isa);
    let mut held = 0;
    for number in 0..4_000 {
        let id = bench.generator.id(number);
        bench.enter_epoch(id.index);
        let ran = bench.run(&id);
        if matches!(ran.expectation, Expectation::Blocked(_)) {
            assert_eq!(ran.datums, 0, "case {number}");
            held += 1;
        }
    }
    assert!(held > 100, "{held} cases are held");
}
