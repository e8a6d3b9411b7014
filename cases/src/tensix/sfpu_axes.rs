//! The orthogonal axes of `SFPLOAD` and `SFPSTORE`, their plain cases, and what both have in common.

use std::marker::PhantomData;
use std::mem::offset_of;

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::sfpload::{IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, Small, bank};
use tandem_isa::{Axis, Edition, Exhaust, Feed, Levels, Noise, Parts, Placement};

use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, EXTRA, RARE_EXTRA, SET_BASE};
use super::lens::{Lens, NONE_OR_SOME, Partition, ROWS, flag, rows, split};
use super::parts::{
    MATH_OFFSET, REGW_BASE, RWC_DST, STATE_ID, THREAD, VALIDITY, axis, fresh_counters, get_config, get_thread_config,
    rwc_mut, set_config, set_thread_config, small,
};
use super::sfpu_data::choose_data;
use super::sfpu_lanes::{
    BLOCK_READ, BLOCK_WRITE, LANE_FLAGS, ROW_MASK, UNREAD_OF_LOAD, UNREAD_OF_STORE, USE_LANE_FLAGS,
};
use super::sfpu_modes::{Path, SfpuForm};
use super::{axes, value_class};

/// The place of `imm10` among the orthogonal axes.
const AT_IMM10: usize = 2;

/// Bits that a word may have although no field names them.
pub(super) trait Unnamed: SfpuForm {
    const BITS: u32;
}

/// `Imm10`; the cell may change its bit 1 afterwards.
const IMM10_AXIS: Axis = rows!("imm10", &[], Lens::Code(IMM10));

const VALID: Axis = Axis { weights: &[14, 1, 1], ..VALIDITY };

const SP: Axis = rows!("sp", &[4, 1, 1, 1, 2, 2], Lens::SP);
const STACK_INCR: Axis = rows!("sfpu_stack_incr", &[], Lens::Thread(blackhole::SFPU_STACK_Incr));
const SP_BASE: Axis = rows!("dest_sp_base", &[4, 1, 1, 1, 1, 1], Lens::Config(blackhole::DEST_SP_BASE_Base));
pub(super) const DEST_ACCESS: Axis = split!(
    "dest_access_cfg",
    &["none", "swizzle_32b", "remap_addrs", "remap_addrs and swizzle_32b"],
    &[4, 1, 1, 1],
    Lens::word(offset_of!(Small, dest_access_cfg), 2),
    Partition::Each
);
/// Read by neither page, although other pages know it.
const DISABLE_IMPLIED: Axis = flag!("disable_implied_srcb_fmt", Lens::Thread(blackhole::DISABLE_IMPLIED_SRCB_FMT_Base));

/// Fields of one bit that neither instruction reads.
const UNREAD: [ConfigField; 5] = [
    config::ALU_ACC_CTRL_Fp32_enabled,
    config::ALU_ACC_CTRL_INT8_math_enabled,
    config::ALU_ACC_CTRL_Zero_Flag_disabled_src,
    config::ALU_ACC_CTRL_Zero_Flag_disabled_dst,
    config::ALU_FORMAT_SPEC_REG_SrcA_override,
];

/// What all sweep with, and what else one does.
macro_rules! sweep {
    ($($entry:literal),*) => {
        ["use_lane_flags", "row_mask", "row_validity", "unnamed_bits", "rwc_dst=any", "increments=any", $($entry),*]
    };
}

/// The axes of `F`.
pub(super) struct Orthogonal<F>(PhantomData<F>);

impl<F: Unnamed> Orthogonal<F> {
    const FORCE: ThreadConfigField = F::CHIP.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);

    const UNREAD_CONFIG: Axis = axis!(
        "unread_config",
        &["zero", "ones", "any"],
        &[],
        |parts, level, noise| {
            let bits = [0, !0, noise.bits(16)][level];
            for (index, field) in UNREAD.into_iter().enumerate() {
                set_config(parts, field, (bits >> index) & 1);
            }
            set_thread_config(parts, Self::FORCE, (bits >> 8) & 1);
        },
        |parts| {
            let force = get_thread_config(parts, Self::FORCE);
            let ones = UNREAD.iter().map(|&field| get_config(parts, field)).sum::<u32>() + force;
            match ones {
                0 => 0,
                6 => 1,
                _ => 2,
            }
        }
    );

    const UNNAMED: Axis = split!("unnamed_bits", NONE_OR_SOME, &[63, 1], Lens::CodeBits(F::BITS), Partition::Some);

    /// The axes; on Blackhole no `ADDR_MOD_SET_Base`, and a stack. The section that an AddrMod selects comes before what is
    /// in it.
    pub(super) const ALL: &'static [Axis] = axes!(
        &[THREAD, STATE_ID, IMM10_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE, LANE_FLAGS, USE_LANE_FLAGS, ROW_MASK],
        if F::LOADS { &[BLOCK_READ, UNREAD_OF_LOAD] } else { &[BLOCK_WRITE, UNREAD_OF_STORE] },
        &[Self::UNREAD_CONFIG, VALID, AddrModAxes::<F>::SECTION],
        F::CHIP.pick(&[EXTRA, SET_BASE], &[RARE_EXTRA]),
        &AddrModAxes::<F>::MEMBERS,
        &[Self::UNNAMED, ROW_SHAPE],
        F::CHIP.pick(&[], &[SP, STACK_INCR, SP_BASE, DEST_ACCESS, DISABLE_IMPLIED]),
    )[0];

    /// The levels of a case that sweeps.
    pub(super) const SWEEP: &'static [&'static str] = match (F::LOADS, F::CHIP) {
        (true, Chip::Wormhole) => &sweep!("block_sfpu_rd_from_dest"),
        (true, Chip::Blackhole) => &sweep!("block_sfpu_rd_from_dest", "extra_addr_mod_bit", "sfpu_stack_incr=any"),
        (false, Chip::Wormhole) => &sweep!("block_dest_wr_from_sfpu"),
        (false, Chip::Blackhole) => &sweep!("block_dest_wr_from_sfpu", "extra_addr_mod_bit", "sfpu_stack_incr=any"),
    };

    /// Everything moves, and is promised: all lanes enabled and none blocked, all rows valid, no unnamed bit.
    pub(super) fn plain(parts: &mut Parts<'_>, noise: &mut Noise) {
        for axis in [USE_LANE_FLAGS, ROW_MASK, BLOCK_READ, BLOCK_WRITE, VALID, Self::UNNAMED] {
            (axis.set)(parts, 0, noise);
        }
        if F::CHIP == Chip::Blackhole {
            (EXTRA.set)(parts, 0, noise);
        }
    }

    /// One mode at a usual address: everything moves, nothing that is not asked for is configured, and the counter of
    /// rows goes on by two, to the odd columns.
    pub(super) fn bench(parts: &mut Parts<'_>, mode: u32, noise: &mut Noise) {
        for axis in Self::ALL {
            (axis.set)(parts, 0, noise);
        }
        for word in &mut small(parts).lane_config {
            *word = 0;
        }
        rwc_mut(parts).dst = 64;
        let dst = config::DestIncr.of_section(F::CHIP.addr_mod_sections().dst, 0);
        set_thread_config(parts, dst, 2);
        MOD0.set(parts.code, mode);
        VD.set(parts.code, 1);
        choose_data::<F>(parts, noise);
    }
}

pub(super) fn prepare(parts: &mut Parts<'_>, noise: &mut Noise) {
    parts.salt.class[bank::SRCA] = value_class::SRC_EXP8;
    parts.salt.class[bank::SRCB] = value_class::SRC_EXP8;
    parts.salt.class[bank::DST_ROW_VALID] = value_class::ALL_VALID;
    fresh_counters(parts, noise);
}

pub(super) fn prepare_blackhole(parts: &mut Parts<'_>, noise: &mut Noise) {
    prepare(parts, noise);
    for sp in &mut small(parts).sp {
        *sp = noise.bits(10);
    }
}

/// The columns of a cell may have changed a bit of `Imm10`.
pub(super) fn finish(parts: &mut Parts<'_>, levels: &mut Levels, _: &mut Noise) {
    let any = ROWS.len() - 1;
    if usize::from(levels[AT_IMM10]) != any {
        levels[AT_IMM10] = (IMM10_AXIS.get)(parts) as u8;
    }
}

/// The data of a cell: words of `Dst`, each in an even and an odd column, or lanes of an `LReg`.
pub(super) fn exhaust<F: Unnamed>(_: Edition, levels: &Levels) -> Option<Exhaust> {
    let path = Path::of_levels::<F>(levels);
    let class = path.class::<F>();
    if class > 15 || class == 0 || path.resolved() == mod0::ZERO {
        return None;
    }
    let set = Orthogonal::<F>::plain;
    if F::LOADS {
        let place = if path.is_wide::<F>() {
            Placement { copies: 2, split: Some(8), ..Placement::LOW_BITS }
        } else {
            Placement { copies: 2, ..Placement::LOW_BITS }
        };
        let (bits, datum_bytes) = if path.is_wide::<F>() { (32, 4) } else { (16, 2) };
        let feed = Feed::Rows { bank: bank::DST, datum_bytes, data_per_row: 8, place };
        return Some(Exhaust { bits, feed, set });
    }
    // Constants are not enumerated.
    if levels[1] != 0 {
        return None;
    }
    let mask = match path.resolved() {
        mod0::LO16_ONLY | mod0::UINT16 => 0xffff,
        mod0::HI16_ONLY => 0xffff_0000,
        mod0::INT16 => 0x8000_7fff,
        mod0::INT8 => 0x8000_03ff,
        mod0::INT8_COMP if F::CHIP == Chip::Blackhole => 0x8000_03ff,
        _ => 0xffff_ffff,
    };
    let place = Placement { bits: Some(mask), ..Placement::LOW_BITS };
    let feed = Feed::Rows { bank: bank::LREG, datum_bytes: 4, data_per_row: 32, place };
    Some(Exhaust { bits: mask.count_ones(), feed, set })
}
