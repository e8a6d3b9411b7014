//! Instructions of the Matrix Unit that change `SrcA` or `SrcB` in place, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! 39304719, of `SHIFTXA` c2e709d3) of the same repository; of Blackhole, the vendor's tables, where `AddrMod` is wider.

use super::{Form, field};
use crate::CodeField;
use crate::tensix::Chip;

/// `ClearSrcA`, bit 0.
pub const CLEAR_SRCA: CodeField = field("ClearSrcA", 0, 1);
/// `ClearSrcB`, bit 1.
pub const CLEAR_SRCB: CodeField = field("ClearSrcB", 1, 1);
/// `BothBanks`, bit 2.
pub const BOTH_BANKS: CodeField = field("BothBanks", 2, 1);
/// `SingleBankMatrixUnit`, bit 3.
pub const SINGLE_BANK_MATRIX_UNIT: CodeField = field("SingleBankMatrixUnit", 3, 1);
/// `NegativeInfSrcA`, bit 4.
pub const NEGATIVE_INF_SRCA: CodeField = field("NegativeInfSrcA", 4, 1);
/// `SrcRow`, bits 0 to 5, of `SHIFTXB`.
pub const SHIFT_ROW: CodeField = field("SrcRow", 0, 6);
/// `ShiftInZero`, bit 10.
pub const SHIFT_IN_ZERO: CodeField = field("ShiftInZero", 10, 1);
/// `Direction`, bits 0 and 1, of `SHIFTXA`.
pub const DIRECTION: CodeField = field("Direction", 0, 2);
/// `AddrMod` of `SHIFTXB` on Wormhole, bits 15 and 16.
pub const ADDR_MOD: CodeField = field("AddrMod", 15, 2);
/// `AddrMod` of `SHIFTXB` on Blackhole, bits 14 to 16.
pub const ADDR_MOD_BH: CodeField = field("AddrMod", 14, 3);

/// What the page writes as one argument.
const CLEAR_WHICH: CodeField = field("ClearSrcB << 1 + ClearSrcA", 0, 2);

pub(in crate::tensix) const ZEROSRC: Form = Form::new(
    &[CLEAR_SRCA, CLEAR_SRCB, BOTH_BANKS, SINGLE_BANK_MATRIX_UNIT, NEGATIVE_INF_SRCA],
    &[NEGATIVE_INF_SRCA, SINGLE_BANK_MATRIX_UNIT, BOTH_BANKS, CLEAR_WHICH],
);
pub(in crate::tensix) const TRNSPSRCB: Form = Form::of(&[]);
pub(in crate::tensix) const fn shiftxb(chip: Chip) -> Form {
    Form::of(chip.pick(&[ADDR_MOD, SHIFT_IN_ZERO, SHIFT_ROW], &[ADDR_MOD_BH, SHIFT_IN_ZERO, SHIFT_ROW]))
}
/// The page writes a 0 before the direction; the vendor's tables place it above.
pub(in crate::tensix) const SHIFTXA: Form = Form::new(&[DIRECTION], &[field("0", 2, 22), DIRECTION]);
