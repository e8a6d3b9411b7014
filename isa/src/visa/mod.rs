//! Intel vISA: the virtual instruction set of Intel's GPU compiler, its operands, and its instructions.
//!
//! One instruction set for registers of 32 and of 64 bytes; which of them a case has stands in its small state.

mod disputes;
mod errata;
pub mod inst;
mod meanings;
pub mod model;
pub mod operand;
mod pages;
pub mod precision;
mod state;
mod types;

pub use meanings::TYPES as TYPE_NAMES;
pub use pages::*;
pub use state::{
    ADDRESS_ELEMENTS, BASE_ELEMENTS, BASE_SPACING, Banks, DISPATCH_SIZES, FIRST_GENERAL, GRF_BYTES, GRF_SIZES,
    GeneralVariable, NUM_ADDRESSES, NUM_GENERAL, NUM_PREDICATES, PRE_XEHP, PredicateVariable, ROW_BYTES, ROWS, Small,
    Visa, XEHP, bank, cr0,
};
pub use types::{B, BF, D, DF, DataType, F, HF, Q, TypeKind, UB, UD, UQ, UW, W};

use crate::{Facts, Machine};

/// The mnemonics of vISA instructions, in the order of [`Machine::instructions`].
///
/// Each implementation matches on this without a wildcard, so that one which lacks an instruction does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mnemonic {
    /// Component-wise move with type conversion.
    Mov,
    /// Systolic dot products, accumulated.
    Dpas,
}

impl Mnemonic {
    /// All mnemonics; [`Facts::index`] is the place in this list.
    pub const ALL: [Mnemonic; 2] = [Mnemonic::Mov, Mnemonic::Dpas];

    /// The mnemonic of an instruction of this instruction set.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Facts) -> Self {
        Self::ALL[instruction.index]
    }
}

/// Intel vISA (`visa`).
pub static VISA: Machine = Machine {
    name: "visa",
    short: "visa",
    layout: &state::LAYOUT,
    instructions: &[&inst::mov::MOV, &inst::dpas::DPAS],
    pages: PAGES_OF_VISA,
    errata: errata::OF_VISA,
    disputes: disputes::OF_VISA,
    models: model::MODELS,
    base_note: "every byte and field 0, except: every channel of EM enabled, dispatch size 2 (32 channels), platform 1 \
                (XeHP or later), predicates P1 to P4 of 32 elements, and general variables V32 to V35 of 128 elements \
                of type 0 (UD) at bytes 0, 1024, 2048 and 3072 of the GRF file. GRF size 0 means registers of 32 \
                bytes.",
    meanings: &meanings::MEANINGS,
    unmodelled: &[],
    rules: &crate::Rules::NONE,
};
