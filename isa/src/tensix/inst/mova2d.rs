//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! The syntax is in `moved_rows_syntax.rs`. *Source*: page MOVA2D, commits 22812eeb (`spec`) and 88d4bf9c (`newest`); page
//! RWCs (what the AddrMod bits select); page SFPCONFIG (`BLOCK_DEST_MOV`).

use super::field;
use crate::tensix::{Chip, Mnemonic};
use crate::{CodeField, Facts, Unwitnessed};

/// `UseDst32bLo`, bit 23.
pub const USE_DST32B_LO: CodeField = field("UseDst32bLo", 23, 1);
/// `SrcRow`, bits 17 to 22.
pub const SRC_ROW: CodeField = field("SrcRow", 17, 6);
/// `AddrMod` on Wormhole, bits 15 and 16.
pub const ADDR_MOD: CodeField = field("AddrMod", 15, 2);
/// `AddrMod` on Blackhole, bits 14 to 16.
pub const ADDR_MOD_BH: CodeField = field("AddrMod", 14, 3);
/// `Move8Rows`, bit 13.
pub const MOVE8_ROWS: CodeField = field("Move8Rows", 13, 1);
/// `DstRow`, bits 0 to 9.
pub const DST_ROW: CodeField = field("DstRow", 0, 10);

/// The bits that no field names on Wormhole: 10, 11, 12 and 14.
pub const UNNAMED_BITS: u32 = 0x5c00;

/// The instruction of Wormhole.
pub static MOVA2D: &Facts = Mnemonic::Mova2d.on(Chip::Wormhole);

const SINGLE_ROW: Unwitnessed =
    Unwitnessed { axis: "Move8Rows=0", reason: "the recorded simulator (ttsim 1.10.0) refuses single-row moves" };
const BASE: Unwitnessed = Unwitnessed { axis: "dest_regw_base", reason: "said not to be instantiated in silicon" };
const BLOCKED: Unwitnessed =
    Unwitnessed { axis: "block_dest_mov", reason: "the recorded simulator ignores BLOCK_DEST_MOV" };

pub(in crate::tensix) const UNWITNESSED_BH: &[Unwitnessed] = &[SINGLE_ROW, BASE, BLOCKED];

pub(in crate::tensix) const UNWITNESSED: &[Unwitnessed] = &[
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
