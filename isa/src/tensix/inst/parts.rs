//! How axes of Tensix set and read a case: the small state, typed, as the current thread sees it, and the axes of the
//! fields that all instructions on `Dst` have.
//!
//! No implementation calls anything here.

use crate::tensix::config::{self, ThreadConfigField};
use crate::tensix::{Rwc, Small, bank, value_class};
use crate::{Axis, Noise, Parts};

/// The small state of a case, typed.
#[inline(always)]
pub(super) fn small<'a>(parts: &'a mut Parts<'_>) -> &'a mut Small {
    bytemuck::from_bytes_mut(parts.small)
}

#[inline(always)]
pub(super) fn peek<'a>(parts: &'a Parts<'_>) -> &'a Small {
    bytemuck::from_bytes(parts.small)
}

#[inline(always)]
pub(super) fn thread_of(small: &Small) -> usize {
    (small.current_thread as usize).min(2)
}

#[inline(always)]
pub(super) fn state_id_of(small: &Small) -> usize {
    config::CFG_STATE_ID_StateID.get(&small.thread_config[thread_of(small)]) as usize
}

#[inline(always)]
pub(super) fn set_config(parts: &mut Parts<'_>, field: config::ConfigField, value: usize) {
    let small = small(parts);
    let state_id = state_id_of(small);
    field.set(&mut small.config[state_id], narrow(value));
}

#[inline(always)]
pub(super) fn get_config(parts: &Parts<'_>, field: config::ConfigField) -> usize {
    let small = peek(parts);
    field.get(&small.config[state_id_of(small)]) as usize
}

#[inline(always)]
pub(super) fn set_thread_config(parts: &mut Parts<'_>, field: ThreadConfigField, value: usize) {
    let small = small(parts);
    let thread = thread_of(small);
    field.set(&mut small.thread_config[thread], narrow(value));
}

#[inline(always)]
pub(super) fn get_thread_config(parts: &Parts<'_>, field: ThreadConfigField) -> usize {
    let small = peek(parts);
    field.get(&small.thread_config[thread_of(small)]) as usize
}

#[inline(always)]
pub(super) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a level or a field value fits in 32 bits")
}

pub(super) const OFF_ON: &[&str] = &["0", "1"];

/// A row number: at the ends, aligned, misaligned, or anything.
pub(super) const ROW_LEVELS: &[&str] = &["0", "last", "aligned", "misaligned", "small", "any"];

#[inline(always)]
pub(super) fn row_value(level: usize, width: u32, noise: &mut Noise) -> u32 {
    // Drawn without branches: a run of the harness draws millions of them.
    let last = (1 << width) - 1;
    let keep = [0, 0, last & !7, last, 7, last][level];
    let set = [0, last, 0, 1 << noise.below(3), 1, 0][level];
    (noise.bits(width) & keep) | set
}

pub(super) fn row_level(value: u32, width: u32) -> usize {
    let last = (1 << width) - 1;
    match value {
        0 => 0,
        value if value == last => 1,
        value if value % 8 == 0 => 2,
        value if value < 8 => 4,
        _ => 3,
    }
}

#[inline(always)]
pub(super) fn rwc(parts: &Parts<'_>) -> Rwc {
    let small = peek(parts);
    small.rwcs[thread_of(small)]
}

#[inline(always)]
pub(super) fn rwc_mut<'a>(parts: &'a mut Parts<'_>) -> &'a mut Rwc {
    let small = small(parts);
    let thread = thread_of(small);
    &mut small.rwcs[thread]
}

macro_rules! axis {
    ($name:literal, $levels:expr, $weights:expr, $set:expr, $get:expr) => {
        Axis { name: $name, levels: $levels, weights: $weights, set: $set, get: $get }
    };
}
pub(super) use axis;

pub(super) const THREAD: Axis =
    axis!("thread", &["0", "1", "2"], &[], |parts, level, _| small(parts).current_thread = narrow(level), |parts| {
        thread_of(peek(parts))
    });
pub(super) const STATE_ID: Axis = axis!(
    "state_id",
    OFF_ON,
    &[],
    |parts, level, _| set_thread_config(parts, config::CFG_STATE_ID_StateID, level),
    |parts| get_thread_config(parts, config::CFG_STATE_ID_StateID)
);

pub(super) const MATH_OFFSET: Axis = axis!(
    "math_offset",
    &["0", "last", "aligned", "misaligned", "small", "any", "512"],
    &[4, 1, 2, 1, 1, 2, 2],
    |parts, level, noise| {
        let value = if level == 6 { 512 } else { row_value(level, 12, noise) };
        set_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset, value as usize);
    },
    |parts| {
        let value = narrow(get_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset));
        if value == 512 { 6 } else { row_level(value, 12) }
    }
);
pub(super) const RWC_DST: Axis = axis!(
    "rwc_dst",
    ROW_LEVELS,
    &[],
    |parts, level, noise| rwc_mut(parts).dst = row_value(level, 10, noise),
    |parts| row_level(rwc(parts).dst, 10)
);
pub(super) const REGW_BASE: Axis = axis!(
    "dest_regw_base",
    ROW_LEVELS,
    &[5, 1, 1, 1, 1, 1],
    |parts, level, noise| {
        set_config(parts, config::DEST_REGW_BASE_Base, row_value(level, 16, noise) as usize);
    },
    |parts| row_level(narrow(get_config(parts, config::DEST_REGW_BASE_Base)), 16)
);

pub(super) const VALIDITY: Axis = axis!(
    "row_validity",
    &["all valid", "all invalid", "mixed"],
    &[],
    |parts, level, _| {
        parts.salt.class[bank::DST_ROW_VALID] =
            [value_class::ALL_VALID, value_class::ALL_INVALID, value_class::MIXED_VALIDITY][level];
    },
    |parts| usize::from(parts.salt.class[bank::DST_ROW_VALID] - value_class::ALL_VALID)
);

/// Counters that AddrMod reads but that decide no path, fresh in every case and different in every thread.
pub(super) fn fresh_counters(parts: &mut Parts<'_>, noise: &mut Noise) {
    for rwc in &mut small(parts).rwcs {
        let fresh = noise.word();
        let take = |shift: u32, width: u32| ((fresh >> shift) & ((1 << width) - 1)) as u32;
        rwc.dst_cr = take(0, 10);
        rwc.srca_cr = take(10, 6);
        rwc.srcb = take(16, 6);
        rwc.srcb_cr = take(22, 6);
        rwc.fidelity_phase = take(28, 2);
    }
}
