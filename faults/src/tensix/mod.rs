//! Tensix: the plain implementation, and its faults.

mod flaw;
mod mova2d;

use tandem_isa::tensix::{Mnemonic, WORMHOLE};
use tandem_isa::{Answer, Instruction, State, Step, Target, TargetInfo};

pub use flaw::Flaw;

/// What a faulty machine wrongly remembers from one instruction to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// Whether the previous instruction was blocked.
    blocked: bool,
    /// The blocked columns of the last instruction that was not, bit = column.
    mask: u16,
}

/// A plain implementation of Wormhole's instructions, one datum after the other, with at most one flaw.
#[derive(Clone, Debug)]
pub struct TensixPlain {
    flaw: Option<Flaw>,
    memory: Memory,
}

impl TensixPlain {
    /// The implementation with `fault`, or without one.
    #[must_use]
    pub fn new(fault: Option<Flaw>) -> Self {
        TensixPlain { flaw: fault, memory: Memory::default() }
    }
}

impl Target for TensixPlain {
    fn info(&self) -> TargetInfo {
        let name = self.flaw.map_or_else(|| "plain".to_string(), |flaw| format!("fault:{}", flaw.id()));
        TargetInfo { name, level: None }
    }

    fn implements(&self, instruction: &'static Instruction) -> bool {
        instruction.isa == WORMHOLE.name
            && match Mnemonic::of(instruction) {
                Mnemonic::Mova2d => true,
            }
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => mova2d::execute(self.flaw, &mut self.memory, step, state),
        }
    }

    fn reset(&mut self) {
        self.memory = Memory::default();
    }
}
