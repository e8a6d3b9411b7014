//! A small target for tandem in Rust, written from the pages alone: a template to copy.
//!
//! ```sh
//! cargo run --release --example target -- 1000000
//! ```
//!
//! It does the common case of two instructions: `MOVA2D` of Tensix Wormhole into 16-bit `Dst`, and `MOV` of vISA from
//! `F` to `HF`. Whatever it does not do it answers with `Unsupported` and a reason, before it has changed anything.
//!
//! One file an instruction; in this one is what makes a target of them, and a program that tests it.
//!
//! The deliberate defect: `MOVA2D` takes all eight exponent bits of a datum with a 5-bit exponent, and makes 31 of what
//! is larger. `docs/targets.md` says what comes of it.

mod mov;
mod mova2d;

use tandem_harness::report::{Colour, Inputs, Report, terminal};
use tandem_harness::{Budget, Campaign, Plan, Progress, TargetFactory};
use tandem_isa::tensix::Tensix;
use tandem_isa::visa::Visa;
use tandem_isa::{Answer, Edition, Facts, State, Step, Target, TargetInfo};

/// The implementation; it keeps nothing between cases but the reason of the last refusal.
#[derive(Default)]
pub struct Example {
    why: Option<&'static str>,
}

impl Target for Example {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "example-rust".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        matches!((instruction.isa, instruction.name), ("tensix-wh", "MOVA2D") | ("visa", "MOV"))
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let done = match step.instruction.isa {
            "tensix-wh" => mova2d::mova2d(step.code, Tensix::new(state)),
            _ => mov::mov(step.code, &mut Visa::new(state)),
        };
        self.why = done.err();
        done.unwrap_or(Answer::Unsupported)
    }

    fn refusal(&mut self) -> Option<String> {
        self.why.map(str::to_string)
    }
}

fn main() -> std::io::Result<()> {
    let mut suite = tandem::wiring::suite();
    for isa in &mut suite.isas {
        isa.targets = vec![TargetFactory::new(|| Box::new(Example::default()))];
    }
    let units = suite.instructions().map(|(_, instruction)| (instruction, Edition::Newest)).collect();
    let cases = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let plan = Plan::new(1, Budget::Cases(cases), units);
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let report = Report::build(&Inputs::new(&suite, &result));
    terminal::render(&mut std::io::stdout(), &report, Colour::Never, None)
}
