//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! Facts only; the syntax is in `moved_rows_syntax.rs`. *Source*: page MOVA2D, commits 22812eeb (`spec`) and 88d4bf9c (`newest`); page
//! RWCs (what the AddrMod bits select); page SFPCONFIG (`BLOCK_DEST_MOV`).

use super::called;
use super::moved_rows_syntax::MOVED_ROWS;
use crate::tensix::{Chip, Mnemonic, pages};
use crate::{CodeField, Facts, Unwitnessed};

/// `UseDst32bLo`, bit 23.
pub const USE_DST32B_LO: CodeField = CodeField { name: "UseDst32bLo", word: 0, shift: 23, width: 1 };
/// `SrcRow`, bits 17 to 22.
pub const SRC_ROW: CodeField = CodeField { name: "SrcRow", word: 0, shift: 17, width: 6 };
/// `AddrMod` on Wormhole, bits 15 and 16.
pub const ADDR_MOD: CodeField = CodeField { name: "AddrMod", word: 0, shift: 15, width: 2 };
/// `AddrMod` on Blackhole, bits 14 to 16.
pub const ADDR_MOD_BH: CodeField = CodeField { name: "AddrMod", word: 0, shift: 14, width: 3 };
/// `Move8Rows`, bit 13.
pub const MOVE8_ROWS: CodeField = CodeField { name: "Move8Rows", word: 0, shift: 13, width: 1 };
/// `DstRow`, bits 0 to 9.
pub const DST_ROW: CodeField = CodeField { name: "DstRow", word: 0, shift: 0, width: 10 };

/// The bits that no field names on Wormhole: 10, 11, 12 and 14.
pub const UNNAMED_BITS: u32 = 0x5c00;

/// The instruction of Wormhole.
pub static MOVA2D: &Facts = Mnemonic::Mova2d.on(Chip::Wormhole);

pub(in crate::tensix) const fn mova2d(chip: Chip) -> Facts {
    const FIELDS: &[CodeField] = &[USE_DST32B_LO, SRC_ROW, ADDR_MOD, MOVE8_ROWS, DST_ROW];
    const FIELDS_BH: &[CodeField] = &[USE_DST32B_LO, SRC_ROW, ADDR_MOD_BH, MOVE8_ROWS, DST_ROW];
    let errata: [&[&str]; 2] = [
        &[
            "TX-01", "TX-02", "TX-03", "TX-04", "TX-05", "TX-06", "TX-07", "TX-08", "TX-09", "TX-10", "TX-11", "TX-12",
            "TX-13",
        ],
        &["TX-08", "TX-10", "TX-12", "TX-32", "TX-40"],
    ];
    // The page as the project has it is of Wormhole alone.
    let pages = chip.pick([&pages::MOVA2D_SPEC, &pages::MOVA2D_NEWEST], [&pages::MOVA2D_NEWEST; 2]);
    Facts {
        syntax: MOVED_ROWS,
        errata: chip.pick(errata[0], errata[1]),
        unwitnessed: chip.pick(UNWITNESSED, UNWITNESSED_BH),
        ..called(&[0x1200_0000], pages, chip.pick(FIELDS, FIELDS_BH))
    }
}

const SINGLE_ROW: Unwitnessed =
    Unwitnessed { axis: "Move8Rows=0", reason: "the recorded simulator (ttsim 1.10.0) refuses single-row moves" };
const BASE: Unwitnessed = Unwitnessed { axis: "dest_regw_base", reason: "said not to be instantiated in silicon" };
const BLOCKED: Unwitnessed =
    Unwitnessed { axis: "block_dest_mov", reason: "the recorded simulator ignores BLOCK_DEST_MOV" };

const UNWITNESSED_BH: &[Unwitnessed] = &[SINGLE_ROW, BASE, BLOCKED];

const UNWITNESSED: &[Unwitnessed] = &[
    SINGLE_ROW,
    Unwitnessed {
        axis: "FP16A_FORCE_Enable=1",
        reason: "the recorded simulator does not implement the field, and its authors say that silicon lacks it",
    },
    BASE,
    BLOCKED,
    Unwitnessed {
        axis: "ALU_ACC_CTRL_Fp32_enabled=1",
        reason: "the newest page was confirmed on RTL by its authors (tenstorrent/ttsim#14)",
    },
    Unwitnessed { axis: "ALU_ACC_CTRL_INT8_math_enabled=1", reason: "as for Fp32_enabled" },
    Unwitnessed {
        axis: "UseDst32bLo=1 with a 5-bit exponent",
        reason: "the recorded simulator refuses the combination",
    },
    Unwitnessed { axis: "bias_control", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "dst_control=CToCR+CR", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "dst_control=Clear+CToCR+CR", reason: "the recorded simulator refuses it" },
];
