//! Gates on `tandem::check`: a right implementation passes, a wrong one fails with its finding, and one that answers nothing
//! shows nothing.

use tandem::wiring;
use tandem_isa::tensix::inst::mova2d::SRC_ROW;
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

/// The best level of ours as somebody's emulator, which does as it is told.
struct Emulator {
    inner: Box<dyn Target>,
    wrong: bool,
    silent: bool,
}

fn emulator(wrong: bool, silent: bool) -> Emulator {
    let suite = wiring::suite();
    let inner = suite.isas[0].targets.last().expect("there is a portable level").make();
    Emulator { inner, wrong, silent }
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
