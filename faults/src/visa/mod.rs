//! vISA: the plain implementation, and its faults.

mod dpas;
mod flaw;
mod mov;

use tandem_isa::visa::{Mnemonic, VISA};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

pub use flaw::{Flaw, Flaws};

/// A plain implementation of vISA's instructions, one lane after the other, with flaws that are asked for.
///
/// It computes with the host's floats and needs the default floating-point environment.
#[derive(Clone, Debug)]
pub struct VisaPlain {
    flaws: Flaws,
    /// The instructions that the flaws are of; it implements no others, unless it has no flaws.
    instructions: Vec<&'static str>,
}

impl VisaPlain {
    /// The implementation with these flaws; none for the right one.
    #[must_use]
    pub fn new(flaws: impl IntoIterator<Item = Flaw>) -> Self {
        let flaws: Vec<Flaw> = flaws.into_iter().collect();
        let instructions = flaws.iter().map(|flaw| flaw.fault().instruction).collect();
        VisaPlain { flaws: Flaws::of(flaws), instructions }
    }
}

impl Target for VisaPlain {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: self.flaws.name(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        instruction.isa == VISA.name
            && (self.instructions.is_empty() || self.instructions.contains(&instruction.file))
            && match Mnemonic::of(instruction) {
                Mnemonic::Mov => true,
                Mnemonic::Dpas => dpas::IS_IMPLEMENTED,
            }
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mov => mov::execute(self.flaws, step.code, state),
            Mnemonic::Dpas => dpas::execute(self.flaws, step.code, state),
        }
    }
}
