//! Instructions that change counters, owners of banks, semaphores and mutexes, and no data, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! 39304719) of the same repository. The vendor's tables give both chips the same fields.

use super::{Form, field};
use crate::CodeField;

/// `SrcA`, bit 0: `SETRWC` sets the counter of `SrcA`.
pub const SRCA: CodeField = field("SrcA", 0, 1);
/// `SrcB`, bit 1: `SETRWC` sets the counter of `SrcB`.
pub const SRCB: CodeField = field("SrcB", 1, 1);
/// `Dst`, bit 2: `SETRWC` sets the counter of `Dst`.
pub const DST: CodeField = field("Dst", 2, 1);
/// `Fidelity`, bit 3: `SETRWC` sets the fidelity phase to 0.
pub const FIDELITY: CodeField = field("Fidelity", 3, 1);
/// `SrcAVal`, bits 6 to 9.
pub const SRCA_VAL: CodeField = field("SrcAVal", 6, 4);
/// `SrcBVal`, bits 10 to 13.
pub const SRCB_VAL: CodeField = field("SrcBVal", 10, 4);
/// `DstVal`, bits 14 to 17.
pub const DST_VAL: CodeField = field("DstVal", 14, 4);
/// `SrcAInc`, bits 6 to 9.
pub const SRCA_INC: CodeField = field("SrcAInc", 6, 4);
/// `SrcBInc`, bits 10 to 13.
pub const SRCB_INC: CodeField = field("SrcBInc", 10, 4);
/// `DstInc`, bits 14 to 17.
pub const DST_INC: CodeField = field("DstInc", 14, 4);
/// `SrcACr`, bit 18.
pub const SRCA_CR: CodeField = field("SrcACr", 18, 1);
/// `SrcBCr`, bit 19.
pub const SRCB_CR: CodeField = field("SrcBCr", 19, 1);
/// `DstCr`, bit 20.
pub const DST_CR: CodeField = field("DstCr", 20, 1);
/// `DstCtoCr`, bit 21.
pub const DST_CTO_CR: CodeField = field("DstCtoCr", 21, 1);
/// `FlipSrcA`, bit 22.
pub const FLIP_SRCA: CodeField = field("FlipSrcA", 22, 1);
/// `FlipSrcB`, bit 23.
pub const FLIP_SRCB: CodeField = field("FlipSrcB", 23, 1);
/// `Reset`, bit 0.
pub const RESET: CodeField = field("Reset", 0, 1);
/// `KeepReadingSameSrc`, bit 1.
pub const KEEP_READING_SAME_SRC: CodeField = field("KeepReadingSameSrc", 1, 1);
/// `SemaphoreMask`, bits 2 to 9: bit *n* selects semaphore *n*.
pub const SEMAPHORE_MASK: CodeField = field("SemaphoreMask", 2, 8);
/// `NewValue`, bits 16 to 19.
pub const NEW_VALUE: CodeField = field("NewValue", 16, 4);
/// `NewMax`, bits 20 to 23.
pub const NEW_MAX: CodeField = field("NewMax", 20, 4);

/// `Index` of a mutex, bits 0 to 15.
pub const INDEX: CodeField = field("Index", 0, 16);

/// What a page writes as one argument: fields side by side.
pub(super) const FLIPS: CodeField = field("FlipSrcB << 1 + FlipSrcA", 22, 2);
const SET_CRS: CodeField = field("DstCtoCr << 3 + DstCr << 2 + SrcBCr << 1 + SrcACr", 18, 4);
const SET_WHICH: CodeField = field("Fidelity << 3 + Dst << 2 + SrcB << 1 + SrcA", 0, 4);
const INCREMENT_CRS: CodeField = field("DstCr << 2 + SrcBCr << 1 + SrcACr", 18, 3);
const CLEAR_HOW: CodeField = field("KeepReadingSameSrc << 1 + Reset", 0, 2);

pub(in crate::tensix) const SETRWC: Form = Form::new(
    &[
        SRCA, SRCB, DST, FIDELITY, SRCA_VAL, SRCB_VAL, DST_VAL, SRCA_CR, SRCB_CR, DST_CR, DST_CTO_CR, FLIP_SRCA,
        FLIP_SRCB,
    ],
    &[FLIPS, SET_CRS, DST_VAL, SRCB_VAL, SRCA_VAL, SET_WHICH],
);
pub(in crate::tensix) const INCRWC: Form =
    Form::new(&[SRCA_INC, SRCB_INC, DST_INC, SRCA_CR, SRCB_CR, DST_CR], &[INCREMENT_CRS, DST_INC, SRCB_INC, SRCA_INC]);
pub(in crate::tensix) const CLEARDVALID: Form =
    Form::new(&[RESET, KEEP_READING_SAME_SRC, FLIP_SRCA, FLIP_SRCB], &[FLIPS, CLEAR_HOW]);
pub(in crate::tensix) const SEMINIT: Form = Form::of(&[NEW_MAX, NEW_VALUE, SEMAPHORE_MASK]);
/// `SEMPOST` and `SEMGET`.
pub(in crate::tensix) const OF_SEMAPHORES: Form = Form::of(&[SEMAPHORE_MASK]);
/// `ATGETM` and `ATRELM`.
pub(in crate::tensix) const OF_MUTEX: Form = Form::of(&[INDEX]);
