//! `SFPLOAD`: move up to 32 data from `Dst` to an `LReg`, on both chips.
//!
//! *Source*: page SFPLOAD, commits 39304719 (Wormhole, `spec`), 545c98a3 (Wormhole, `newest`) and 0f3f6b70 (Blackhole);
//! pages RWCs (what the AddrMod bits select), SFPCONFIG (`LaneConfig`), VectorUnit (lanes), Dst (views).

use super::{Form, field};
use crate::lists::{join, total};
use crate::tensix::{Chip, Mnemonic};
use crate::{CodeField, Facts, Unwitnessed};

/// `VD`, bits 20 to 23.
pub const VD: CodeField = field("VD", 20, 4);
/// `Mod0`, bits 16 to 19.
pub const MOD0: CodeField = field("Mod0", 16, 4);
/// `AddrMod` on Wormhole, bits 14 and 15.
pub const ADDR_MOD: CodeField = field("AddrMod", 14, 2);
/// `AddrMod` on Blackhole, bits 13 to 15.
pub const ADDR_MOD_BH: CodeField = field("AddrMod", 13, 3);
/// `Imm10`, bits 0 to 9.
pub const IMM10: CodeField = field("Imm10", 0, 10);

/// The bits that no field names on Wormhole: 10 to 13.
pub const UNNAMED_BITS: u32 = 0x3c00;
/// The bits that no field names on Blackhole: 10 to 12.
pub const UNNAMED_BITS_BH: u32 = 0x1c00;

/// The code points of `Mod0`, with the page's names behind `MOD0_FMT_`.
pub mod mod0 {
    #![expect(missing_docs, reason = "the names are the page's")]
    pub const SRCB: u32 = 0;
    pub const FP16: u32 = 1;
    pub const BF16: u32 = 2;
    pub const FP32: u32 = 3;
    pub const INT32: u32 = 4;
    pub const INT8: u32 = 5;
    pub const UINT16: u32 = 6;
    pub const HI16: u32 = 7;
    pub const INT16: u32 = 8;
    pub const LO16: u32 = 9;
    pub const INT32_ALL: u32 = 10;
    pub const ZERO: u32 = 11;
    pub const INT32_SM: u32 = 12;
    pub const INT8_COMP: u32 = 13;
    pub const LO16_ONLY: u32 = 14;
    pub const HI16_ONLY: u32 = 15;
}

/// The instruction of Wormhole.
pub static SFPLOAD: &Facts = Mnemonic::Sfpload.on(Chip::Wormhole);
/// The instruction of Blackhole.
pub static SFPLOAD_BH: &Facts = Mnemonic::Sfpload.on(Chip::Blackhole);

const fn fields(chip: Chip) -> [CodeField; 4] {
    [VD, MOD0, chip.pick(ADDR_MOD, ADDR_MOD_BH), IMM10]
}

form!(form, fields(CHIP), fields(CHIP));

/// Fields of `SFPLOADMACRO`, which has `Mod0` and `AddrMod` too.
///
/// *Source*: pages SFPLOADMACRO (commit f7fda211).
pub mod load_macro {
    use super::*;

    /// `MacroIndex`, bits 22 and 23.
    pub const MACRO_INDEX: CodeField = field("MacroIndex", 22, 2);
    /// `VDLo`, bits 20 and 21.
    pub const VD_LO: CodeField = field("VDLo", 20, 2);
    /// `Imm9`, bits 1 to 9.
    pub const IMM9: CodeField = field("Imm9", 1, 9);
    /// `VDHi`, bit 0.
    pub const VD_HI: CodeField = field("VDHi", 0, 1);

    // `MacroIndex` and `VDLo` are one argument, as `VD` of `SFPLOAD`, and `Imm9` and `VDHi` are one, as `Imm10`.
    form!(form, [MACRO_INDEX, VD_LO, MOD0, CHIP.pick(ADDR_MOD, ADDR_MOD_BH), IMM9, VD_HI], fields(CHIP));
}

/// What the recordings of ttsim 1.10.0 do not show, of `SFPSTORE` too, before what each has of its own.
pub(super) const UNWITNESSED_MODES: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "Mod0=FP16",
        reason: "the recorded simulator (ttsim 1.10.0) implements it as what SRCB stands for only",
    },
    Unwitnessed { axis: "Mod0", reason: "not implemented by the recorded simulator (ttsim 1.10.0)" },
    Unwitnessed { axis: "SrcBFmt_from=SrcB_val", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "dest_regw_base", reason: "said not to be instantiated in silicon" },
    Unwitnessed { axis: "VD", reason: "the recorded simulator refuses every VD from 12 on" },
    Unwitnessed { axis: "backdoor_load", reason: "the recorded simulator refuses every VD from 12 on" },
];
/// The same, behind it.
pub(super) const UNWITNESSED_CONTROLS: &[Unwitnessed] = &[
    Unwitnessed { axis: "bias_control", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "dst_control", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "unnamed_bits", reason: "not recorded, and nothing is promised" },
];
const OWN: &[Unwitnessed] = &[
    Unwitnessed { axis: "ENABLE_FP16A_INF", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "block_sfpu_rd_from_dest", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "row_mask", reason: "the recorded simulator does not implement it" },
    Unwitnessed { axis: "columns", reason: "the recorded simulator does not implement it" },
    Unwitnessed {
        axis: "row_validity",
        reason: "the recorded simulator reads invalid rows as 0, which the page calls undefined; such executions are left out",
    },
];
const OF_BLACKHOLE: &[Unwitnessed] = &[
    Unwitnessed { axis: "extra_addr_mod_bit", reason: "the recorded simulator refuses it" },
    Unwitnessed { axis: "sp", reason: "not part of what was recorded" },
    Unwitnessed { axis: "sfpu_stack_incr", reason: "not part of what was recorded" },
    Unwitnessed { axis: "dest_sp_base", reason: "not part of what was recorded" },
    Unwitnessed {
        axis: "dest_access_cfg",
        reason: "the recorded simulator does not implement remap_addrs and swizzle_32b",
    },
];

const LISTS: &[&[Unwitnessed]] = &[UNWITNESSED_MODES, OWN, UNWITNESSED_CONTROLS];
const LISTS_BH: &[&[Unwitnessed]] = &[UNWITNESSED_MODES, OWN, OF_BLACKHOLE, UNWITNESSED_CONTROLS];
pub(in crate::tensix) const UNWITNESSED: &[Unwitnessed] = &join::<_, { total(LISTS) }>(OWN[0], LISTS);
pub(in crate::tensix) const UNWITNESSED_BH: &[Unwitnessed] = &join::<_, { total(LISTS_BH) }>(OWN[0], LISTS_BH);
