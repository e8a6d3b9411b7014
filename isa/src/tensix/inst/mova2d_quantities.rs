//! The quantities of `MOVA2D`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes: no implementation calls them, and whoever writes one need not read this file.

use super::mova2d::{DST_ROW, SRC_ROW};
use super::mova2d_axes::{AddrMod, block_dest_mov, is_eight_bit_format, set_block_dest_mov};
use super::parts::{peek, rwc, rwc_mut, small};
use super::state_quantities::{
    CLIENTS, CONFIG, CONFIG_ANYWHERE, COUNTERS, LANES, WORMHOLE_THREAD, WORMHOLE_THREAD_ANYWHERE, dst_sum, in_force,
    of_thread, put_dst_sum, put_in_force, put_of_thread, put_wrapped_dst_sum, shifted, spread,
};
use crate::quantity::{fits, join, quantity, total, with_ones};
use crate::tensix::config::{self, ConfigField};
use crate::tensix::format;
use crate::{Parts, Quantity};

const LISTS: &[&[Quantity]] =
    &[OWN, LANES, AddrMod::QUANTITIES, COUNTERS, CONFIG, WORMHOLE_THREAD, CONFIG_ANYWHERE, WORMHOLE_THREAD_ANYWHERE];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<{ total(LISTS) }>(LISTS);

/// Rows are those before the page clears the low bits of the first of eight rows.
const OWN: &[Quantity] = &[
    quantity!("resolved SrcAFmt", 4, &format::CODE_NAMES, src_a_fmt, put_src_a_fmt),
    quantity!("row of Dst", 10, |parts| dst_sum(parts, DST_ROW) & 0x3ff, |parts, value| {
        put_wrapped_dst_sum(parts, DST_ROW, value)
    }),
    quantity!("row of SrcA before it wraps", 7, src_row_sum, |parts, value| {
        let terms = [(SRC_ROW.get(parts.code), 0x3f), (rwc(parts).srca, 0x3f)];
        let Some([row, counter]) = spread(terms, value) else { return false };
        SRC_ROW.set(parts.code, row);
        rwc_mut(parts).srca = counter;
        true
    }),
    quantity!("row of SrcA", 6, |parts| src_row_sum(parts) & 0x3f, |parts, value| {
        let row = shifted(SRC_ROW.get(parts.code), src_row_sum(parts), value, 6);
        SRC_ROW.set(parts.code, row);
        fits(value, 6)
    }),
    quantity!("row of Dst before it wraps", 17, |parts| dst_sum(parts, DST_ROW), |parts, value| {
        put_dst_sum(parts, DST_ROW, value)
    }),
    // What decides the exponent: the format alone, then what the page of `spec` asks, then what the newest page asks.
    quantity!("5-bit exponent by SrcAFmt", 1, five_bit::<false, false>, put_five_bit::<false, false>),
    quantity!("5-bit exponent by SrcAFmt and FP16A_FORCE", 1, five_bit::<true, false>, put_five_bit::<true, false>),
    quantity!("5-bit exponent", 1, five_bit::<true, true>, put_five_bit::<true, true>),
    quantity!("owner of the bank of SrcA in use", 1, CLIENTS, owner, |parts, value| {
        let small = small(parts);
        small.srca_allowed_client[small.matrix_unit_srca_bank as usize & 1] = value;
        fits(value, 1)
    }),
    quantity!(
        "number of columns that BLOCK_DEST_MOV blocks",
        5,
        |parts| block_dest_mov(parts).count_ones(),
        |parts, value| {
            let Some(blocked) = with_ones(block_dest_mov(parts), 0xffff, value) else { return false };
            set_block_dest_mov(parts, blocked);
            true
        }
    ),
];

/// The register that `SrcA_override` selects.
fn src_a_fmt_register(parts: &Parts<'_>) -> ConfigField {
    if in_force(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcA_val
    } else {
        config::ALU_FORMAT_SPEC_REG0_SrcA
    }
}

fn src_a_fmt(parts: &Parts<'_>) -> u32 {
    in_force(parts, src_a_fmt_register(parts))
}

fn put_src_a_fmt(parts: &mut Parts<'_>, value: u32) -> bool {
    let register = src_a_fmt_register(parts);
    put_in_force(parts, register, value)
}

fn src_row_sum(parts: &Parts<'_>) -> u32 {
    SRC_ROW.get(parts.code) + rwc(parts).srca
}

fn owner(parts: &Parts<'_>) -> u32 {
    let small = peek(parts);
    small.srca_allowed_client[small.matrix_unit_srca_bank as usize & 1]
}

/// What makes the exponent one of eight bits whatever the format is.
const WIDE: [ConfigField; 2] = [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled];

/// Whether the exponent has five bits, if `FP16A_FORCE_Enable` is heeded or not, and Fp32 and INT8 are or not.
fn five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &Parts<'_>) -> u32 {
    let is_forced = HEEDS_FORCE && of_thread(parts, config::FP16A_FORCE_Enable) != 0;
    let is_wide = HEEDS_WIDE && WIDE.iter().any(|&field| in_force(parts, field) != 0);
    u32::from(is_forced || !(is_wide || is_eight_bit_format(src_a_fmt(parts))))
}

fn put_five_bit<const HEEDS_FORCE: bool, const HEEDS_WIDE: bool>(parts: &mut Parts<'_>, value: u32) -> bool {
    let differs = |parts: &Parts<'_>| five_bit::<HEEDS_FORCE, HEEDS_WIDE>(parts) != value;
    if HEEDS_FORCE && value == 0 {
        put_of_thread(parts, config::FP16A_FORCE_Enable, 0);
    }
    if HEEDS_WIDE && value == 1 && differs(parts) {
        for field in WIDE {
            put_in_force(parts, field, 0);
        }
    }
    if differs(parts) {
        put_src_a_fmt(parts, if value == 0 { format::BF16 } else { format::FP16 });
    }
    fits(value, 1)
}
