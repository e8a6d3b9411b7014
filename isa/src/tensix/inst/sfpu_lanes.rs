//! The axes of lanes: which are enabled, which are blocked, and their configuration that an instruction does not read.
//!
//! Lane *n* has the configuration *n* & 7, so a bit of it has a pattern of eight. No implementation calls anything here.

use super::parts::{axis, peek, small};
use crate::{Axis, Noise, Parts};

/// The bits of one lane's configuration.
pub(super) mod bit {
    pub(in crate::tensix::inst) const ENABLE_FP16A_INF: u32 = 0;
    pub(in crate::tensix::inst) const DISABLE_BACKDOOR_LOAD: u32 = 1;
    pub(in crate::tensix::inst) const ENABLE_DEST_INDEX: u32 = 2;
    pub(in crate::tensix::inst) const CAPTURE_DEFAULT_DEST_INDEX: u32 = 3;
    pub(in crate::tensix::inst) const BLOCK_DEST_WR_FROM_SFPU: u32 = 4;
    pub(in crate::tensix::inst) const BLOCK_SFPU_RD_FROM_DEST: u32 = 5;
    pub(in crate::tensix::inst) const DEST_RD_COL_EXCHANGE: u32 = 6;
    pub(in crate::tensix::inst) const DEST_WR_COL_EXCHANGE: u32 = 7;
    pub(in crate::tensix::inst) const ROW_MASK: u32 = 12;
}

/// The pattern that a bit has in the eight configurations, bit = configuration.
#[inline(always)]
pub(super) fn pattern(parts: &Parts<'_>, bit: u32) -> u32 {
    peek(parts).lane_config.iter().enumerate().fold(0, |pattern, (lane, word)| pattern | ((word >> bit) & 1) << lane)
}

/// Gives a bit a pattern in the eight configurations.
#[inline(always)]
pub(super) fn set_pattern(parts: &mut Parts<'_>, bit: u32, pattern: u32) {
    for (lane, word) in small(parts).lane_config.iter_mut().enumerate() {
        *word = (*word & !(1 << bit)) | ((pattern >> lane) & 1) << bit;
    }
}

/// A pattern that is neither empty nor full.
#[inline(always)]
pub(super) fn some(noise: &mut Noise) -> u32 {
    1 + noise.below(254) as u32
}

/// Any pattern, the empty and the full one often.
#[inline(always)]
pub(super) fn any(noise: &mut Noise) -> u32 {
    let any = noise.bits(8);
    [0, 0xff, any, any][noise.below(4)]
}

/// Whether a pattern is 0 empty, 1 full or 2 neither.
pub(super) const fn extent(pattern: u32) -> usize {
    match pattern {
        0 => 0,
        0xff => 1,
        _ => 2,
    }
}

const LANES: &[&str] = &["none", "all", "one", "all but one", "any"];

/// A mask of 32 lanes.
#[inline(always)]
fn lanes(level: usize, noise: &mut Noise) -> u32 {
    let (one, any) = (1 << noise.below(32), noise.bits(32));
    [0, u32::MAX, one, !one, any][level]
}

const fn lanes_level(mask: u32) -> usize {
    match mask.count_ones() {
        0 => 0,
        32 => 1,
        1 => 2,
        31 => 3,
        _ => 4,
    }
}

pub(super) const LANE_FLAGS: Axis = axis!(
    "lane_flags",
    LANES,
    &[1, 1, 1, 1, 3],
    |parts, level, noise| small(parts).lane_flags = lanes(level, noise),
    |parts| lanes_level(peek(parts).lane_flags)
);

pub(super) const USE_LANE_FLAGS: Axis = axis!(
    "use_lane_flags",
    LANES,
    &[6, 3, 1, 1, 2],
    |parts, level, noise| small(parts).use_lane_flags_for_lane_enable = lanes(level, noise),
    |parts| lanes_level(peek(parts).use_lane_flags_for_lane_enable)
);

/// `ROW_MASK` of the eight configurations, as a mask of lanes: a row of lanes is one bit of each.
pub(super) fn row_mask(parts: &Parts<'_>) -> u32 {
    (0..4).fold(0, |mask, row| mask | pattern(parts, bit::ROW_MASK + row) << (8 * row))
}

#[inline(always)]
pub(super) fn set_row_mask(parts: &mut Parts<'_>, mask: u32) {
    for row in 0..4 {
        set_pattern(parts, bit::ROW_MASK + row, (mask >> (8 * row)) & 0xff);
    }
}

pub(super) const ROW_MASK: Axis = axis!(
    "row_mask",
    &["none", "all", "one", "all but one", "one row", "any"],
    &[8, 1, 1, 1, 2, 2],
    |parts, level, noise| {
        let row = 0xff << (8 * noise.below(4));
        let mask = match level {
            0..4 => lanes(level, noise),
            4 => row,
            _ => noise.bits(32),
        };
        set_row_mask(parts, mask);
    },
    |parts| match row_mask(parts) {
        0xff | 0xff00 | 0xff_0000 | 0xff00_0000 => 4,
        mask => match lanes_level(mask) {
            4 => 5,
            level => level,
        },
    }
);

const COLUMNS: &[&str] = &["none", "all", "one", "all but one", "any"];

#[inline(always)]
fn columns(level: usize, noise: &mut Noise) -> u32 {
    let (one, any) = (1 << noise.below(8), noise.bits(8));
    [0, 0xff, one, 0xff ^ one, any][level]
}

const fn columns_level(pattern: u32) -> usize {
    match pattern.count_ones() {
        0 => 0,
        8 => 1,
        1 => 2,
        7 => 3,
        _ => 4,
    }
}

pub(super) const BLOCK_READ: Axis = axis!(
    "block_sfpu_rd_from_dest",
    COLUMNS,
    &[10, 1, 1, 1, 3],
    |parts, level, noise| {
        let blocked = columns(level, noise);
        set_pattern(parts, bit::BLOCK_SFPU_RD_FROM_DEST, blocked);
    },
    |parts| columns_level(pattern(parts, bit::BLOCK_SFPU_RD_FROM_DEST))
);

pub(super) const BLOCK_WRITE: Axis = axis!(
    "block_dest_wr_from_sfpu",
    COLUMNS,
    &[10, 1, 1, 1, 3],
    |parts, level, noise| {
        let blocked = columns(level, noise);
        set_pattern(parts, bit::BLOCK_DEST_WR_FROM_SFPU, blocked);
    },
    |parts| columns_level(pattern(parts, bit::BLOCK_DEST_WR_FROM_SFPU))
);

/// Bits that `SFPLOAD` does not read: `BLOCK_DEST_WR_FROM_SFPU`, `DEST_WR_COL_EXCHANGE`, `EXCHANGE_SRCB_SRCC`,
/// `BLOCK_DEST_MOV`.
const UNREAD_BY_LOAD: u32 = 0x790;
/// Bits that `SFPSTORE` does not read: `ENABLE_FP16A_INF`, `ENABLE_DEST_INDEX`, `CAPTURE_DEFAULT_DEST_INDEX`,
/// `BLOCK_SFPU_RD_FROM_DEST`, `DEST_RD_COL_EXCHANGE`, `EXCHANGE_SRCB_SRCC`, `BLOCK_DEST_MOV`.
const UNREAD_BY_STORE: u32 = 0x76d;

#[inline(always)]
fn set_unread(parts: &mut Parts<'_>, bits: u32, level: usize, noise: &mut Noise) {
    for word in &mut small(parts).lane_config {
        *word = (*word & !bits) | [0, bits, noise.bits(18) & bits][level];
    }
}

fn unread_level(parts: &Parts<'_>, bits: u32) -> usize {
    let lanes = &peek(parts).lane_config;
    if lanes.iter().all(|word| word & bits == 0) {
        0
    } else if lanes.iter().all(|word| word & bits == bits) {
        1
    } else {
        2
    }
}

pub(super) const UNREAD_OF_LOAD: Axis = axis!(
    "unread_lane_config",
    &["zero", "ones", "any"],
    &[],
    |parts, level, noise| set_unread(parts, UNREAD_BY_LOAD, level, noise),
    |parts| unread_level(parts, UNREAD_BY_LOAD)
);

pub(super) const UNREAD_OF_STORE: Axis = axis!(
    "unread_lane_config",
    &["zero", "ones", "any"],
    &[],
    |parts, level, noise| set_unread(parts, UNREAD_BY_STORE, level, noise),
    |parts| unread_level(parts, UNREAD_BY_STORE)
);
