//! Tenstorrent Tensix: the coprocessor state of Wormhole, its configuration fields, and its instructions.

pub mod config;
mod errata;
pub mod format;
pub mod inst;
mod pages;
mod state;

pub use pages::{DST_NEWEST, MATRIX_UNIT_NEWEST, MOVA2D_NEWEST, MOVA2D_SPEC, RWCS};
pub use state::{Banks, MATRIX_UNIT, Rwc, Semaphore, Small, Tensix, UNPACKERS, bank, value_class};

use crate::{Instruction, Isa};

/// The mnemonics of Tensix instructions, in the order of [`Isa::instructions`].
///
/// Each implementation matches on this without a wildcard, so that one which lacks an instruction does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mnemonic {
    /// Move one row or eight rows from `SrcA` to `Dst`.
    Mova2d,
}

impl Mnemonic {
    /// All mnemonics; [`Instruction::index`] is the place in this list.
    pub const ALL: [Mnemonic; 1] = [Mnemonic::Mova2d];

    /// The mnemonic of an instruction of this family.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Instruction) -> Self {
        Self::ALL[instruction.index]
    }
}

/// Wormhole (`tensix-wh`).
pub static WORMHOLE: Isa = Isa {
    name: "tensix-wh",
    short: "wh",
    layout: &state::LAYOUT,
    instructions: &[&inst::mova2d::MOVA2D],
    value_classes: state::VALUE_CLASSES,
    background: state::BACKGROUND,
    pages: pages::ALL,
    errata: errata::ERRATA,
    base_note: "every word and field 0, except: every Dst row valid. Zero means: thread 0, StateID 0, MatrixUnit.SrcABank 0, both SrcA banks owned by the Matrix Unit.",
};
