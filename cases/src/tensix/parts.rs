//! How axes of Tensix set and read a case: the small state, typed, as the current thread sees it, and the axes of the
//! fields that all instructions on `Dst` have.

use std::mem::offset_of;

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::{Rwc, Small, bank};
use tandem_isa::{Axis, ContestedDatum, Noise, Parts};

use super::lens::{Lens, Partition, flag, rows, split};
use super::value_class;

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

/// Gives the field a value in the bank of `Config` in force.
#[inline(always)]
pub(super) fn set_config(parts: &mut Parts<'_>, field: ConfigField, value: u32) {
    let small = small(parts);
    let state_id = state_id_of(small);
    field.set(&mut small.config[state_id], value);
}

/// The field in the bank of `Config` in force.
#[inline(always)]
pub(super) fn get_config(parts: &Parts<'_>, field: ConfigField) -> u32 {
    let small = peek(parts);
    field.get(&small.config[state_id_of(small)])
}

/// Gives the field a value in the current thread's `ThreadConfig`.
#[inline(always)]
pub(super) fn set_thread_config(parts: &mut Parts<'_>, field: ThreadConfigField, value: u32) {
    let small = small(parts);
    let thread = thread_of(small);
    field.set(&mut small.thread_config[thread], value);
}

/// The field in the current thread's `ThreadConfig`.
#[inline(always)]
pub(super) fn get_thread_config(parts: &Parts<'_>, field: ThreadConfigField) -> u32 {
    let small = peek(parts);
    field.get(&small.thread_config[thread_of(small)])
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
        tandem_isa::Axis { name: $name, levels: $levels, weights: $weights, set: $set, get: $get }
    };
}
pub(super) use axis;

pub(super) const THREAD: Axis =
    split!("thread", &["0", "1", "2"], &[], Lens::word(offset_of!(Small, current_thread), 2), Partition::Each);
pub(super) const STATE_ID: Axis = flag!("state_id", Lens::Thread(config::CFG_STATE_ID_StateID));

pub(super) const MATH_OFFSET: Axis = split!(
    "math_offset",
    &["0", "last", "aligned", "misaligned", "small", "any", "512"],
    &[4, 1, 2, 1, 1, 2, 2],
    Lens::Thread(config::DEST_TARGET_REG_CFG_MATH_Offset),
    Partition::Rows(&[512])
);
pub(super) const RWC_DST: Axis = rows!("rwc_dst", &[], Lens::rwc(offset_of!(Rwc, dst), 10));
pub(super) const RWC_SRCA: Axis = rows!("rwc_srca", &[], Lens::rwc(offset_of!(Rwc, srca), 6));
pub(super) const RWC_SRCB: Axis = rows!("rwc_srcb", &[], Lens::rwc(offset_of!(Rwc, srcb), 6));
pub(super) const REGW_BASE: Axis =
    rows!("dest_regw_base", &[5, 1, 1, 1, 1, 1], Lens::Config(config::DEST_REGW_BASE_Base));

/// Rows that are counted from a base that no machine is known to have.
pub(super) fn row_base_beyond_hardware(parts: &Parts<'_>) -> Option<&'static str> {
    (get_config(parts, config::DEST_REGW_BASE_Base) != 0).then_some(
        "the vendor's simulator remarks that DEST_REGW_BASE is not instantiated and always 0; the pages add it to rows",
    )
}

/// Why a word is no integer "8".
const NO_INT8: &str = "page SrcASrcB (commit 545c98a3) and page Dst (commit 093af914) give integer \"8\" a raw exponent of 16, or of 0 for a \
     magnitude of 0; no unpacker makes another word";

/// The first word that is no integer "8", its magnitude and its raw exponent being taken out of a word.
pub(super) fn no_int8(words: &[u32], parts: impl Fn(u32) -> (u32, u32)) -> Option<ContestedDatum> {
    let is_int8 = |(magnitude, exponent)| exponent == 16 || (exponent, magnitude) == (0, 0);
    ContestedDatum::first_word(words, |word| (!is_int8(parts(word))).then_some(NO_INT8))
}

/// The first word of a row of `SrcA` or `SrcB` that is no integer "8".
pub(super) fn no_int8_of_source(words: &[u32]) -> Option<ContestedDatum> {
    no_int8(words, |word| (word >> 8 & 0x3ff, word & 0xff))
}

pub(super) const VALIDITY: Axis = axis!(
    "row_validity",
    &["all valid", "all invalid", "mixed"],
    &[],
    |parts, level, _| parts.salt.class[bank::DST_ROW_VALID] = value_class::ALL_VALID + level as u8,
    // Where nothing is planned, all are.
    |parts| usize::from(parts.salt.class[bank::DST_ROW_VALID].saturating_sub(value_class::ALL_VALID))
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
