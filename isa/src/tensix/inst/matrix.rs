//! Instructions that compute on `SrcA` and `SrcB` and write `Dst`, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! 39304719) of the same repository; of Blackhole, the vendor's tables, where `AddrMod` is wider. Arguments that the pages
//! give a constant and the diagrams no field lie where the vendor's tables have them.

use super::control::{FLIP_SRCA, FLIP_SRCB, FLIPS};
use super::mova2d::{ADDR_MOD, ADDR_MOD_BH, DST_ROW};
use super::{Form, field};
use crate::CodeField;
use crate::tensix::Chip;

/// `BroadcastSrcBRow` of `MVMUL`, bit 19.
pub const MVMUL_BROADCAST_ROW: CodeField = field("BroadcastSrcBRow", 19, 1);
/// `BroadcastSrcBCol0`, bit 19.
pub const BROADCAST_COL0: CodeField = field("BroadcastSrcBCol0", 19, 1);
/// `BroadcastSrcBRow`, bit 20.
pub const BROADCAST_ROW: CodeField = field("BroadcastSrcBRow", 20, 1);
/// `AddDst`, bit 21.
pub const ADD_DST: CodeField = field("AddDst", 21, 1);
/// `ArgMax`, bit 14.
pub const ARG_MAX: CodeField = field("ArgMax", 14, 1);
/// The second argument of `GMPOOL`, bit 19, which the page always writes as true; the name is the vendor's.
pub const INSTR_MOD19: CodeField = field("instr_mod19", 19, 1);

/// What a page writes as one argument: fields side by side.
const BROADCASTS: CodeField = field("BroadcastSrcBRow << 1 + BroadcastSrcBCol0", 19, 2);
/// What a page writes as a constant 0: bits that belong to no field.
const ELWMUL_FALSE: CodeField = field("false", 21, 1);
const GAPOOL_ZERO: CodeField = field("0", 19, 3);
const GAPOOL_FALSE: CodeField = field("false", 14, 1);

/// `AddrMod` of these instructions, but for `GMPOOL` and `GAPOOL`.
#[must_use]
pub const fn addr_mod(chip: Chip) -> CodeField {
    chip.pick(ADDR_MOD, ADDR_MOD_BH)
}

/// `AddrMod` of `GMPOOL` and `GAPOOL`: on Blackhole bits 15 to 17.
#[must_use]
pub const fn pool_addr_mod(chip: Chip) -> CodeField {
    chip.pick(ADDR_MOD, field("AddrMod", 15, 3))
}

form!(
    mvmul,
    [FLIP_SRCB, FLIP_SRCA, MVMUL_BROADCAST_ROW, addr_mod(CHIP), DST_ROW],
    [FLIPS, MVMUL_BROADCAST_ROW, addr_mod(CHIP), DST_ROW]
);
form!(
    gapool,
    [FLIP_SRCB, FLIP_SRCA, pool_addr_mod(CHIP), DST_ROW],
    [FLIPS, GAPOOL_ZERO, pool_addr_mod(CHIP), GAPOOL_FALSE, DST_ROW]
);
// Of `ELWADD` and `ELWSUB`.
form!(
    elwadd,
    [FLIP_SRCB, FLIP_SRCA, ADD_DST, BROADCAST_ROW, BROADCAST_COL0, addr_mod(CHIP), DST_ROW],
    [FLIPS, ADD_DST, BROADCASTS, addr_mod(CHIP), DST_ROW]
);
form!(
    elwmul,
    [FLIP_SRCB, FLIP_SRCA, BROADCAST_ROW, BROADCAST_COL0, addr_mod(CHIP), DST_ROW],
    [FLIPS, ELWMUL_FALSE, BROADCASTS, addr_mod(CHIP), DST_ROW]
);
form!(
    gmpool,
    [FLIP_SRCB, FLIP_SRCA, INSTR_MOD19, pool_addr_mod(CHIP), ARG_MAX, DST_ROW],
    [FLIPS, INSTR_MOD19, pool_addr_mod(CHIP), ARG_MAX, DST_ROW]
);
