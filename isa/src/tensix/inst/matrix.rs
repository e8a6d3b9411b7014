//! Instructions that compute on `SrcA` and `SrcB` and write `Dst`, on both chips.
//!
//! Facts only: fields and opcodes. *Source*: the pages named in `pages.rs`; fields from `Diagrams/Src/Bits32.lua` (commit
//! 39304719) of the same repository; of Blackhole, the vendor's tables, where `AddrMod` is wider. Arguments that the pages
//! give a constant and the diagrams no field lie where the vendor's tables have them.

use super::called;
use super::control::{FLIP_SRCA, FLIP_SRCB, FLIPS, field};
use super::mova2d::{ADDR_MOD, ADDR_MOD_BH, DST_ROW};
use crate::tensix::{Chip, pages};
use crate::{CodeField, Facts, Page};

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

/// Fields and arguments, with the AddrMod of a chip among them.
macro_rules! fields {
    ($chip:expr, $addr_mod:ident, [$($before:expr),*] [$($after:expr),*]) => {{
        const FIELDS: [&[CodeField]; 2] = [
            &[$($before,)* $addr_mod(Chip::Wormhole) $(, $after)*],
            &[$($before,)* $addr_mod(Chip::Blackhole) $(, $after)*],
        ];
        $chip.pick(FIELDS[0], FIELDS[1])
    }};
}

const fn computes(
    base_code: &'static [u32],
    page: &'static Page,
    code_fields: &'static [CodeField],
    arguments: &'static [CodeField],
) -> Facts {
    Facts { arguments, ..called(base_code, [page; 2], code_fields) }
}

/// The errata of both chips, with that of AddrMod on Blackhole.
macro_rules! errata {
    ($chip:expr, [$($before:literal),*] [$($after:literal),*]) => {
        $chip.pick(&[$($before,)* $($after),*], &[$($before,)* "TX-32", $($after),*])
    };
}

pub(in crate::tensix) const fn mvmul(chip: Chip) -> Facts {
    let fields = fields!(chip, addr_mod, [FLIP_SRCB, FLIP_SRCA, MVMUL_BROADCAST_ROW][DST_ROW]);
    let arguments = fields!(chip, addr_mod, [FLIPS, MVMUL_BROADCAST_ROW][DST_ROW]);
    Facts {
        errata: errata!(chip, ["TX-08"] ["TX-40", "TX-45", "TX-60", "TX-61", "TX-62", "TX-63"]),
        ..computes(&[0x2600_0000], &pages::MVMUL, fields, arguments)
    }
}

pub(in crate::tensix) const fn gapool(chip: Chip) -> Facts {
    let fields = fields!(chip, pool_addr_mod, [FLIP_SRCB, FLIP_SRCA][DST_ROW]);
    let arguments = fields!(chip, pool_addr_mod, [FLIPS, GAPOOL_ZERO] [GAPOOL_FALSE, DST_ROW]);
    Facts {
        errata: errata!(chip, ["TX-08"] ["TX-40", "TX-45", "TX-60", "TX-63", "TX-64"]),
        ..computes(&[0x3400_0000], &pages::GAPOOL, fields, arguments)
    }
}

pub(in crate::tensix) const fn elwadd(chip: Chip) -> Facts {
    let fields = fields!(chip, addr_mod, [FLIP_SRCB, FLIP_SRCA, ADD_DST, BROADCAST_ROW, BROADCAST_COL0][DST_ROW]);
    let arguments = fields!(chip, addr_mod, [FLIPS, ADD_DST, BROADCASTS][DST_ROW]);
    Facts {
        errata: errata!(chip, ["TX-08"] ["TX-40", "TX-45", "TX-63"]),
        ..computes(&[0x2800_0000], &pages::ELWADD, fields, arguments)
    }
}

pub(in crate::tensix) const fn elwsub(chip: Chip) -> Facts {
    let Facts { code_fields, arguments, .. } = elwadd(chip);
    Facts {
        errata: errata!(chip, ["TX-08"] ["TX-40", "TX-45", "TX-63"]),
        ..computes(&[0x3000_0000], &pages::ELWSUB, code_fields, arguments)
    }
}

pub(in crate::tensix) const fn elwmul(chip: Chip) -> Facts {
    let fields = fields!(chip, addr_mod, [FLIP_SRCB, FLIP_SRCA, BROADCAST_ROW, BROADCAST_COL0][DST_ROW]);
    let arguments = fields!(chip, addr_mod, [FLIPS, ELWMUL_FALSE, BROADCASTS][DST_ROW]);
    Facts {
        errata: errata!(chip, ["TX-08"] ["TX-40", "TX-45", "TX-63", "TX-64"]),
        ..computes(&[0x2700_0000], &pages::ELWMUL, fields, arguments)
    }
}

pub(in crate::tensix) const fn gmpool(chip: Chip) -> Facts {
    let fields = fields!(chip, pool_addr_mod, [FLIP_SRCB, FLIP_SRCA, INSTR_MOD19] [ARG_MAX, DST_ROW]);
    let arguments = fields!(chip, pool_addr_mod, [FLIPS, INSTR_MOD19] [ARG_MAX, DST_ROW]);
    // With what the page writes as a constant true.
    Facts {
        errata: errata!(chip, ["TX-08", "TX-10"] ["TX-40", "TX-45", "TX-64", "TX-65", "TX-66", "TX-67"]),
        ..computes(&[0x3308_0000], &pages::GMPOOL, fields, arguments)
    }
}
