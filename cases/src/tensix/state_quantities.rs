//! Quantities of the small state that all instructions of the family have: configuration in force and anywhere, the
//! current thread's counters, and the lanes' configuration. Also how fields and sums are given a value.

use std::mem::offset_of;

use tandem_isa::lists::{join, total};
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::{Rwc, Small};
use tandem_isa::{CodeField, Parts, Quantity};

use super::lens::{Lens, number};
use super::parts::{get_config, get_thread_config, peek, rwc, rwc_mut, set_config, set_thread_config, small};
use crate::quantity::NONE;

/// The bits that the field has in either bank of `Config`.
pub(super) fn in_any_bank(parts: &Parts<'_>, field: ConfigField) -> u32 {
    peek(parts).config.iter().fold(0, |any, bank| any | field.get(bank))
}

/// Takes bits away from the field in both banks of `Config`; what is missing then goes to the bank in force.
pub(super) fn put_in_any_bank(parts: &mut Parts<'_>, field: ConfigField, value: u32) {
    for bank in &mut small(parts).config {
        field.set(bank, field.get(bank) & value);
    }
    let missing = value & !in_any_bank(parts, field);
    set_config(parts, field, get_config(parts, field) | missing);
}

/// The bits that the field has in any thread's `ThreadConfig`.
pub(super) fn of_any_thread(parts: &Parts<'_>, field: ThreadConfigField) -> u32 {
    peek(parts).thread_config.iter().fold(0, |any, thread| any | field.get(thread))
}

/// Takes bits away from the field in all threads; what is missing then goes to the current one.
pub(super) fn put_of_any_thread(parts: &mut Parts<'_>, field: ThreadConfigField, value: u32) {
    for thread in &mut small(parts).thread_config {
        field.set(thread, field.get(thread) & value);
    }
    let missing = value & !of_any_thread(parts, field);
    set_thread_config(parts, field, get_thread_config(parts, field) | missing);
}

/// Changes one of some terms so that their sum, of which only `width` bits count, becomes `value`: the first that is no
/// less round for it, so that who asks for round terms and for a round sum gets both, or else the first. Bits of a term
/// beyond the width stay.
pub(super) fn shifted<const N: usize>(mut terms: [u32; N], value: u32, width: u32) -> [u32; N] {
    let mask = (1 << width) - 1;
    let by = value.wrapping_sub(terms.iter().sum()) & mask;
    let moved = |term: u32| (term & !mask) | (term.wrapping_add(by) & mask);
    let is_round = |&term: &u32| is_as_round(moved(term) & mask, term & mask);
    let place = terms.iter().position(is_round).unwrap_or(0);
    terms[place] = moved(terms[place]);
    terms
}

/// Whether a number is a multiple of as high a power of two as another.
fn is_as_round(number: u32, other: u32) -> bool {
    number.trailing_zeros() >= other.trailing_zeros()
}

/// Gives a sum a value by changing one term, the first that can take it and is no less round for it, or else the first
/// that can take it, or else the first few that it takes. A term is its value and the largest value that it can have.
/// None if the sum cannot be had.
pub(super) fn spread<const N: usize>(terms: [(u32, u32); N], sum: u32) -> Option<[u32; N]> {
    let mut values = terms.map(|(value, _)| value);
    let now: u32 = values.iter().sum();
    let (mut more, mut less) = (sum.saturating_sub(now), now.saturating_sub(sum));
    let takes_all = |&(value, max): &(u32, u32)| less <= value && more <= max - value;
    let is_round = |term: &(u32, u32)| takes_all(term) && is_as_round(term.0 + more - less, term.0);
    let first = terms.iter().position(is_round).or_else(|| terms.iter().position(takes_all)).unwrap_or(0);
    for (value, (_, max)) in values.iter_mut().zip(terms).skip(first) {
        let (up, down) = (more.min(max - *value), less.min(*value));
        *value = *value + up - down;
        more -= up;
        less -= down;
    }
    (more == 0 && less == 0).then_some(values)
}

/// A row field of the code word, and what is added to it for a row of `Dst`.
fn dst_terms(parts: &Parts<'_>, row: CodeField) -> [u32; 4] {
    [
        row.get(parts.code),
        rwc(parts).dst,
        get_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset),
        get_config(parts, config::DEST_REGW_BASE_Base),
    ]
}

fn set_dst_terms(parts: &mut Parts<'_>, row: CodeField, terms: [u32; 4]) {
    let [term, counter, offset, base] = terms;
    row.set(parts.code, term);
    rwc_mut(parts).dst = counter;
    set_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset, offset);
    set_config(parts, config::DEST_REGW_BASE_Base, base);
}

/// A row field of the code word with all that is added to it, before it wraps. It has 17 bits.
pub(super) fn dst_sum(parts: &Parts<'_>, row: CodeField) -> u32 {
    dst_terms(parts, row).iter().sum()
}

/// Gives [`dst_sum`] a value.
pub(super) fn put_dst_sum(parts: &mut Parts<'_>, row: CodeField, value: u32) {
    let [term, counter, offset, base] = dst_terms(parts, row);
    if let Some(terms) = spread([(term, 0x3ff), (counter, 0x3ff), (offset, 0xfff), (base, 0xffff)], value) {
        set_dst_terms(parts, row, terms);
    }
}

/// Gives the low ten bits of [`dst_sum`] a value.
pub(super) fn put_wrapped_dst_sum(parts: &mut Parts<'_>, row: CodeField, value: u32) {
    let terms = shifted(dst_terms(parts, row), value, 10);
    set_dst_terms(parts, row, terms);
}

/// Quantities of the fields of one list: in force, and where they are set at all.
macro_rules! fields {
    ($name:ident: $where:literal $get:ident $set:ident, $($module:ident: $($field:ident)*;)*) => {
        pub(super) const $name: &[Quantity] = &[$($(Quantity::new(
            concat!($where, ".", stringify!($field)),
            $module::$field.width,
            |parts| $get(parts, $module::$field),
            |parts, value| $set(parts, $module::$field, value),
        ),)*)*];
    };
}

macro_rules! config_fields {
    ($in_force:ident $anywhere:ident: $($list:tt)*) => {
        fields! { $in_force: "Config[StateID]" get_config set_config, $($list)* }
        fields! { $anywhere: "Config[any]" in_any_bank put_in_any_bank, $($list)* }
    };
}

macro_rules! thread_config_fields {
    ($of_thread:ident $anywhere:ident: $($list:tt)*) => {
        fields! { $of_thread: "ThreadConfig[CurrentThread]" get_thread_config set_thread_config, $($list)* }
        fields! { $anywhere: "ThreadConfig[any]" of_any_thread put_of_any_thread, $($list)* }
    };
}

config_fields! { CONFIG CONFIG_ANYWHERE: config:
    DEST_REGW_BASE_Base ALU_ACC_CTRL_Fp32_enabled ALU_ACC_CTRL_INT8_math_enabled ALU_ACC_CTRL_SFPU_Fp32_enabled
    ALU_ACC_CTRL_Zero_Flag_disabled_src ALU_ACC_CTRL_Zero_Flag_disabled_dst ALU_FORMAT_SPEC_REG_SrcA_override
    ALU_FORMAT_SPEC_REG_SrcA_val ALU_FORMAT_SPEC_REG0_SrcA ALU_FORMAT_SPEC_REG_SrcB_override
    ALU_FORMAT_SPEC_REG_SrcB_val ALU_FORMAT_SPEC_REG1_SrcB ALU_FORMAT_SPEC_REG_Dstacc_override
    ALU_FORMAT_SPEC_REG_Dstacc_val ALU_FORMAT_SPEC_REG2_Dstacc ALU_FORMAT_SPEC_REG0_SrcAUnsigned
    ALU_FORMAT_SPEC_REG0_SrcBUnsigned;
}

thread_config_fields! { WORMHOLE_THREAD WORMHOLE_THREAD_ANYWHERE: config:
    FP16A_FORCE_Enable DEST_TARGET_REG_CFG_MATH_Offset CFG_STATE_ID_StateID ADDR_MOD_SET_Base SRCA_SET_Base
    SRCA_SET_SetOvrdWithAddr SRCB_SET_Base CLR_DVALID_SrcA_Disable CLR_DVALID_SrcB_Disable FIDELITY_BASE_Phase;
}

config_fields! { BLACKHOLE_CONFIG BLACKHOLE_CONFIG_ANYWHERE: blackhole:
    DEST_SP_BASE_Base RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int
    RISC_DEST_ACCESS_CTRL_SEC0_fmt RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int
    RISC_DEST_ACCESS_CTRL_SEC1_fmt RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int
    RISC_DEST_ACCESS_CTRL_SEC2_fmt;
}

thread_config_fields! { BLACKHOLE_THREAD BLACKHOLE_THREAD_ANYWHERE:
    blackhole: FP16A_FORCE_Enable;
    config: DEST_TARGET_REG_CFG_MATH_Offset CFG_STATE_ID_StateID;
    blackhole: SFPU_STACK_Incr SFPU_DEST_FMT_Enable SFPU_DEST_FMT_Base DISABLE_IMPLIED_SRCA_FMT_Base
    DISABLE_IMPLIED_SRCB_FMT_Base SRCA_SET_Base SRCA_SET_SetOvrdWithAddr SRCB_SET_Base CLR_DVALID_SrcA_Disable
    CLR_DVALID_SrcB_Disable FIDELITY_BASE_Phase;
}

/// What most instructions can be refused by, on each chip. What is set anywhere comes before what is in force: where only the
/// latter counts, cases that are answered soon show it.
pub(super) const STATE: [&[Quantity]; 2] =
    [&join::<_, { total(ON_WORMHOLE) }>(NONE, ON_WORMHOLE), &join::<_, { total(ON_BLACKHOLE) }>(NONE, ON_BLACKHOLE)];

const ON_WORMHOLE: &[&[Quantity]] = &[CONFIG_ANYWHERE, WORMHOLE_THREAD_ANYWHERE, COUNTERS, CONFIG, WORMHOLE_THREAD];
const ON_BLACKHOLE: &[&[Quantity]] = &[
    CONFIG_ANYWHERE,
    BLACKHOLE_CONFIG_ANYWHERE,
    BLACKHOLE_THREAD_ANYWHERE,
    COUNTERS,
    CONFIG,
    BLACKHOLE_CONFIG,
    BLACKHOLE_THREAD,
];

/// The current thread's counters.
macro_rules! counters {
    ($name:ident: $($label:literal $member:ident $width:literal;)*) => {
        pub(super) const $name: &[Quantity] =
            &[$(number!(concat!("RWCs[CurrentThread].", $label), Lens::rwc(offset_of!(Rwc, $member), $width))),*];
    };
}

counters! { COUNTERS:
    "Dst" dst 10;
    "Dst_Cr" dst_cr 10;
    "SrcA" srca 6;
    "SrcA_Cr" srca_cr 6;
    "SrcB" srcb 6;
    "SrcB_Cr" srcb_cr 6;
    "FidelityPhase" fidelity_phase 2;
    "ExtraAddrModBit" extra_addr_mod_bit 1;
}

/// The counter that Blackhole has besides.
pub(super) const STACK_POINTER: &[Quantity] = &[number!("RWCs[CurrentThread].Sp", Lens::SP)];

/// The bits of a word of `LaneConfig`.
const LANE_CONFIG_BITS: u32 = 0x3_ffff;

fn lane_config_of_any(parts: &Parts<'_>) -> u32 {
    peek(parts).lane_config.iter().fold(0, |any, word| any | word) & LANE_CONFIG_BITS
}

/// The bits that some lanes have set and others have clear.
fn lane_config_differs(parts: &Parts<'_>) -> u32 {
    lane_config_of_any(parts) & !peek(parts).lane_config.iter().fold(u32::MAX, |all, word| all & word)
}

/// How lanes are configured: what any of them has set, and in what they differ. Bits as in a word of `LaneConfig`.
pub(super) const LANES: &[Quantity] = &[
    Quantity::new("LaneConfig[any]", 18, lane_config_of_any, |parts, value| {
        let missing = value & !lane_config_of_any(parts);
        for word in &mut small(parts).lane_config {
            *word = (*word & value) | missing;
        }
    }),
    Quantity::new("bits of LaneConfig that differ between lanes", 18, lane_config_differs, |parts, value| {
        let alike = !lane_config_differs(parts);
        let Small { lane_config: [first, .., last], .. } = small(parts);
        // One more lane differs in what was alike; the others follow the first in what is to be alike.
        *last = *last & !value | (*last ^ alike) & value;
        let first = *first;
        for word in &mut small(parts).lane_config {
            *word = (*word & value) | (first & !value);
        }
    }),
];

/// Whose a bank is.
pub(super) const CLIENTS: &[&str] = &["MatrixUnit", "Unpackers"];
