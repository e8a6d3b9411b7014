//! The plain implementation of every instruction set.

use tandem_isa::visa::VISA;
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

use crate::tensix::TensixPlain;
use crate::visa::VisaPlain;

/// The plain implementations of all instruction sets as one target, without a fault.
#[derive(Clone, Debug)]
pub struct Plain {
    tensix: TensixPlain,
    visa: VisaPlain,
}

impl Plain {
    /// The plain implementations.
    #[must_use]
    pub fn new() -> Self {
        Plain { tensix: TensixPlain::new(None), visa: VisaPlain::new(None) }
    }

    /// The one whose instruction set an instruction belongs to.
    fn of(&mut self, instruction: &Facts) -> &mut dyn Target {
        if instruction.isa == VISA.name { &mut self.visa } else { &mut self.tensix }
    }
}

impl Default for Plain {
    fn default() -> Self {
        Plain::new()
    }
}

impl Target for Plain {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "plain".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.tensix.implements(instruction) || self.visa.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.of(step.instruction).execute(step, state)
    }

    fn reset(&mut self) {
        self.tensix.reset();
        self.visa.reset();
    }
}
