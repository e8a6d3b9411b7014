//! Tensix: the plain implementation, and its faults.

mod flaw;
mod mova2d;
mod sfpload;
mod sfpstore;
mod sfpu;

use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};

pub use flaw::{Flaw, Flaws};

/// What a faulty machine wrongly remembers from one instruction to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// Whether the previous instruction was blocked.
    blocked: bool,
    /// The blocked columns of the last instruction that was not, bit = column.
    mask: u16,
}

/// A plain implementation of the instructions of both chips, one datum after the other, with flaws that are asked for.
#[derive(Clone, Debug)]
pub struct TensixPlain {
    flaws: Flaws,
    memory: Memory,
}

impl TensixPlain {
    /// The implementation with these flaws; none for the right one.
    #[must_use]
    pub fn new(flaws: impl IntoIterator<Item = Flaw>) -> Self {
        TensixPlain { flaws: Flaws::of(flaws), memory: Memory::default() }
    }

    /// Whether it is a target of `instruction`: without a flaw of every one, else of those that a flaw is of.
    fn is_of(&self, instruction: &Facts) -> bool {
        let mut faults = self.flaws.each().map(Flaw::fault).peekable();
        faults.peek().is_none() || faults.any(|fault| fault.concerns(instruction))
    }
}

impl Target for TensixPlain {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: self.flaws.name(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        Chip::named(instruction.isa).is_some_and(|_| match Mnemonic::of(instruction) {
            Mnemonic::Mova2d | Mnemonic::Sfpload | Mnemonic::Sfpstore => self.is_of(instruction),
            _ => false,
        })
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let chip = Chip::of(step.instruction);
        match Mnemonic::of(step.instruction) {
            Mnemonic::Mova2d => mova2d::execute(self.flaws, &mut self.memory, step, state),
            Mnemonic::Sfpload => sfpload::execute(self.flaws, chip, step, state),
            Mnemonic::Sfpstore => sfpstore::execute(self.flaws, chip, step, state),
            _ => Answer::Unsupported,
        }
    }

    fn reset(&mut self) {
        self.memory = Memory::default();
    }
}
