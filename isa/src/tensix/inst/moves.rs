//! Moves between `Dst`, `SrcA` and `SrcB`, and `ZEROACC`, on both chips. `MOVA2D` has a file of its own.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! 39304719) of the same repository; of Blackhole, the vendor's tables, where `AddrMod` is wider and other fields lie lower.

use super::mova2d::{ADDR_MOD, ADDR_MOD_BH, DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use super::moved_rows_syntax::MOVED_ROWS;
use super::{Form, field};
use crate::CodeField;
use crate::tensix::Chip;

/// `Move4Rows`, bit 13, of `MOVD2A`, `MOVD2B` and `MOVB2A`.
pub const MOVE4_ROWS: CodeField = field("Move4Rows", 13, 1);
/// `SrcARow` of `MOVB2A`, bits 17 to 22.
pub const SRCA_ROW: CodeField = field("SrcARow", 17, 6);
/// `SrcBRow` of `MOVB2A`, bits 0 to 5.
pub const SRCB_ROW: CodeField = field("SrcBRow", 0, 6);

/// What `MOVB2D` moves: three flags, which the page writes as one argument.
#[derive(Clone, Copy)]
pub struct Broadcast {
    /// `BroadcastCol0`.
    pub col0: CodeField,
    /// `Broadcast1RowTo8`.
    pub row_to_8: CodeField,
    /// `Move4Rows`.
    pub move4_rows: CodeField,
    argument: CodeField,
}

impl Broadcast {
    const fn at(shift: u32) -> Self {
        Broadcast {
            col0: field("BroadcastCol0", shift, 1),
            row_to_8: field("Broadcast1RowTo8", shift + 1, 1),
            move4_rows: field("Move4Rows", shift + 2, 1),
            argument: field("Move4Rows << 2 + Broadcast1RowTo8 << 1 + BroadcastCol0", shift, 3),
        }
    }

    /// Where a chip has them.
    #[must_use]
    pub const fn of(chip: Chip) -> Self {
        chip.pick(Self::at(12), Self::at(11))
    }
}

/// `Imm10` of `ZEROACC`, bits 0 to 9.
pub const IMM10: CodeField = field("Imm10", 0, 10);
/// `Mode` of `ZEROACC`, bits 19 and 20: 1 row, 16 rows, half of `Dst`, all of `Dst`.
pub const ZEROACC_MODE: CodeField = field("Mode", 19, 2);

/// `UseDst32b` of `ZEROACC`.
#[must_use]
pub const fn use_dst32b(chip: Chip) -> CodeField {
    field("UseDst32b", chip.pick(21, 18), 1)
}

/// `Revert` of `ZEROACC`; the vendor's tables of Blackhole call it `clear_zero_flags`.
#[must_use]
pub const fn revert(chip: Chip) -> CodeField {
    field("Revert", chip.pick(18, 17), 1)
}

/// `AddrMod` of these instructions.
#[must_use]
pub const fn addr_mod(chip: Chip) -> CodeField {
    chip.pick(ADDR_MOD, ADDR_MOD_BH)
}

const fn rows(chip: Chip, moved: CodeField) -> [CodeField; 5] {
    [USE_DST32B_LO, SRC_ROW, addr_mod(chip), moved, DST_ROW]
}

// Of `MOVA2D` and `MOVDBGA2D`.
form!(from_srca, rows(CHIP, MOVE8_ROWS), rows(CHIP, MOVE8_ROWS), syntax: MOVED_ROWS);
// Of `MOVD2A` and `MOVD2B`.
form!(from_dst, rows(CHIP, MOVE4_ROWS), rows(CHIP, MOVE4_ROWS), syntax: MOVED_ROWS);
const fn broadcasting(chip: Chip) -> [CodeField; 7] {
    let Broadcast { col0, row_to_8, move4_rows, .. } = Broadcast::of(chip);
    [USE_DST32B_LO, SRC_ROW, addr_mod(chip), move4_rows, row_to_8, col0, DST_ROW]
}
form!(movb2d, broadcasting(CHIP), rows(CHIP, Broadcast::of(CHIP).argument));
form!(
    movb2a,
    [SRCA_ROW, addr_mod(CHIP), MOVE4_ROWS, SRCB_ROW],
    [SRCA_ROW, addr_mod(CHIP), MOVE4_ROWS, SRCB_ROW],
    syntax: MOVED_ROWS
);

pub(in crate::tensix) const fn zeroacc(chip: Chip) -> Form {
    form!(of, [use_dst32b(CHIP), ZEROACC_MODE, revert(CHIP), addr_mod(CHIP), IMM10], []);
    // The page writes both as one argument and has none for `Revert`: on Wormhole they lie side by side. The vendor's
    // tables of Blackhole have all five.
    const ARGUMENTS: &[CodeField] = &[field("UseDst32b << 2 + Mode", 19, 3), ADDR_MOD, IMM10];
    const ARGUMENTS_BH: &[CodeField] =
        &[ZEROACC_MODE, use_dst32b(Chip::Blackhole), revert(Chip::Blackhole), ADDR_MOD_BH, IMM10];
    Form { arguments: chip.pick(ARGUMENTS, ARGUMENTS_BH), ..of(chip) }
}
