//! Gates on `tandem::check`: a right implementation passes, a wrong one fails with its finding, and one that answers nothing
//! shows nothing.

use std::process::Command;

use tandem::wiring;
use tandem_isa::tensix::inst::mova2d::SRC_ROW;
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

/// The best level of ours as somebody's emulator, which does as it is told.
struct Emulator {
    inner: Box<dyn Target>,
    wrong: bool,
    silent: bool,
    ends: bool,
}

fn emulator(wrong: bool, silent: bool) -> Emulator {
    let suite = wiring::suite();
    let inner = suite.isas[0].targets.last().expect("there is a portable level").make();
    Emulator { inner, wrong, silent, ends: false }
}

impl Target for Emulator {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "emulator".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        instruction.path() == "tensix-wh/mova2d"
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let row = SRC_ROW.get(step.code);
        if self.ends {
            std::process::exit(0);
        }
        if self.silent || !row.is_multiple_of(8) {
            return Answer::Unsupported;
        }
        let answer = self.inner.execute(step, state);
        if self.wrong && answer == Answer::Done && row == 56 {
            let tensix = tandem_isa::tensix::Tensix::new(state);
            tensix.small.rwcs[0].dst ^= 1;
        }
        answer
    }
}

#[test]
fn a_right_implementation_passes_although_it_refuses_some() {
    tandem::check(|| emulator(false, false)).cases(30_000).assert();
}

#[test]
fn a_wrong_implementation_fails_with_its_finding() {
    let report = tandem::check(|| emulator(true, false)).only("tensix-wh/mova2d").cases(30_000).run();
    let places: Vec<&str> = report.result.findings.iter().map(|finding| &*finding.signature.place).collect();
    assert_eq!(places, ["RWCs.Dst"]);
    let unit = &report.result.units[0];
    assert!(unit.refusals > 0 && unit.observed.as_ref().is_some_and(|observed| !observed.rules.is_empty()));
}

#[test]
#[should_panic(expected = "nothing is answered")]
fn an_implementation_that_answers_nothing_does_not_pass() {
    tandem::check(|| emulator(false, true)).cases(20_000).assert();
}

/// A test of a target that ends the process with success. It is run in a process of its own, by the next one.
#[test]
#[ignore = "it ends the process"]
fn a_target_calls_exit_with_code_0() {
    tandem::check(|| Emulator { ends: true, ..emulator(false, false) }).cases(1_000).assert();
}

#[test]
fn a_test_whose_target_calls_exit_is_no_success() {
    let mut gates = Command::new(std::env::current_exe().expect("a program has a path"));
    gates.args(["--exact", "check::a_target_calls_exit_with_code_0", "--ignored", "--test-threads=2"]);
    let output = gates.output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{stderr}");
    assert!(stderr.contains("a target ended this process"), "{stderr}");
}
