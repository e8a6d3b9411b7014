//! vISA: the plain implementation, and its faults.

mod flaw;
mod mov;

use tandem_isa::visa::{Mnemonic, VISA};
use tandem_isa::{Answer, Instruction, State, Step, Target, TargetInfo};

pub use flaw::Flaw;

/// A plain implementation of vISA's instructions, one lane after the other, with at most one flaw.
///
/// It computes with the host's floats and needs the default floating-point environment.
#[derive(Clone, Debug)]
pub struct VisaPlain {
    flaw: Option<Flaw>,
}

impl VisaPlain {
    /// The implementation with `fault`, or without one.
    #[must_use]
    pub fn new(fault: Option<Flaw>) -> Self {
        VisaPlain { flaw: fault }
    }
}

impl Target for VisaPlain {
    fn info(&self) -> TargetInfo {
        let name = self.flaw.map_or_else(|| "plain".to_string(), |flaw| format!("fault:{}", flaw.id()));
        TargetInfo { name, level: None }
    }

    fn implements(&self, instruction: &'static Instruction) -> bool {
        instruction.isa == VISA.name
            && match Mnemonic::of(instruction) {
                Mnemonic::Mov => true,
            }
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mov => mov::execute(self.flaw, step.code, state),
        }
    }
}
