//! Tenstorrent Tensix: the coprocessor state of Wormhole and Blackhole, its configuration fields, and its instructions.

mod chip;
pub mod config;
mod errata;
mod fields;
pub mod format;
pub mod inst;
mod meanings;
mod pages;
mod state;
mod values;

pub use chip::Chip;
pub use pages::{
    DST_BH, DST_NEWEST, LREG, MATRIX_UNIT_NEWEST, MOVA2D_NEWEST, MOVA2D_SPEC, RWCS, SFPCONFIG, SFPCONFIG_BH,
    SFPCONFIG_NEWEST, SFPLOAD_BH, SFPLOAD_NEWEST, SFPLOAD_SPEC, SFPSTORE_BH, SFPSTORE_NEWEST, VECTOR_UNIT, ZEROACC,
};
pub use state::{Banks, MATRIX_UNIT, Rwc, Semaphore, Small, Tensix, UNPACKERS, bank};
pub use values::value_class;

use crate::{Instruction, Isa};

/// The mnemonics of Tensix instructions.
///
/// Each implementation matches on this without a wildcard, so that one which lacks an instruction does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mnemonic {
    /// Move one row or eight rows from `SrcA` to `Dst`.
    Mova2d,
    /// Move up to 32 data from `Dst` to an `LReg`.
    Sfpload,
    /// Move up to 32 data from an `LReg` to `Dst`.
    Sfpstore,
}

impl Mnemonic {
    /// All mnemonics.
    pub const ALL: [Mnemonic; 3] = [Mnemonic::Mova2d, Mnemonic::Sfpload, Mnemonic::Sfpstore];
    /// Those of Wormhole; [`Instruction::index`] is the place in this list.
    pub const WORMHOLE: [Mnemonic; 3] = Self::ALL;
    /// Those of Blackhole; [`Instruction::index`] is the place in this list.
    pub const BLACKHOLE: [Mnemonic; 2] = [Mnemonic::Sfpload, Mnemonic::Sfpstore];

    /// The mnemonic of an instruction of this family.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Instruction) -> Self {
        match Chip::of(instruction) {
            Chip::Wormhole => Self::WORMHOLE[instruction.index],
            Chip::Blackhole => Self::BLACKHOLE[instruction.index],
        }
    }
}

/// Wormhole (`tensix-wh`).
pub static WORMHOLE: Isa = Isa {
    name: "tensix-wh",
    short: "wh",
    layout: &state::WORMHOLE_LAYOUT,
    instructions: &[&inst::mova2d::MOVA2D, &inst::sfpload::SFPLOAD, &inst::sfpstore::SFPSTORE],
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
    pages: pages::WORMHOLE,
    errata: errata::WORMHOLE,
    models: &[],
    base_note: "every word and field 0, except: every Dst row valid. Zero means: thread 0, StateID 0, MatrixUnit.SrcABank 0, both SrcA banks owned by the Matrix Unit.",
    meanings: &meanings::WORMHOLE,
};

/// Blackhole (`tensix-bh`).
pub static BLACKHOLE: Isa = Isa {
    name: "tensix-bh",
    short: "bh",
    layout: &state::BLACKHOLE_LAYOUT,
    instructions: &[&inst::sfpload::SFPLOAD_BH, &inst::sfpstore::SFPSTORE_BH],
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
    pages: pages::BLACKHOLE,
    errata: errata::BLACKHOLE,
    models: &[],
    base_note: "every word and field 0, except: every Dst row valid. Zero means: thread 0, StateID 0, MatrixUnit.SrcABank 0, both SrcA banks owned by the Matrix Unit, no remapping of Dst rows, an empty SFPU stack.",
    meanings: &meanings::BLACKHOLE,
};
