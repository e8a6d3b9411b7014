//! The axes of lanes: which are enabled, which are blocked, and their configuration that an instruction does not read.
//!
//! Lane *n* has the configuration *n* & 7, so a bit of it has a pattern of eight.

use std::mem::offset_of;

use tandem_isa::tensix::Small;
use tandem_isa::{Axis, Noise, Parts};

use super::lens::{Lens, MASKS, Partition, split};

/// The bits of one lane's configuration.
pub(super) mod bit {
    pub(in crate::tensix) const ENABLE_FP16A_INF: u32 = 0;
    pub(in crate::tensix) const DISABLE_BACKDOOR_LOAD: u32 = 1;
    pub(in crate::tensix) const ENABLE_DEST_INDEX: u32 = 2;
    pub(in crate::tensix) const CAPTURE_DEFAULT_DEST_INDEX: u32 = 3;
    pub(in crate::tensix) const BLOCK_DEST_WR_FROM_SFPU: u32 = 4;
    pub(in crate::tensix) const BLOCK_SFPU_RD_FROM_DEST: u32 = 5;
    pub(in crate::tensix) const DEST_RD_COL_EXCHANGE: u32 = 6;
    pub(in crate::tensix) const DEST_WR_COL_EXCHANGE: u32 = 7;
    pub(in crate::tensix) const EXCHANGE_SRCB_SRCC: u32 = 8;
    pub(in crate::tensix) const BLOCK_DEST_MOV: u32 = 9;
    pub(in crate::tensix) const ROW_MASK: u32 = 12;
}

/// The pattern that a bit has in the eight configurations, bit = configuration.
#[inline(always)]
pub(super) fn pattern(parts: &Parts<'_>, bit: u32) -> u32 {
    Lens::LaneConfig(bit, 1).get(parts)
}

/// Gives a bit a pattern in the eight configurations.
#[inline(always)]
pub(super) fn set_pattern(parts: &mut Parts<'_>, bit: u32, pattern: u32) {
    Lens::LaneConfig(bit, 1).set(parts, pattern);
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
pub(super) fn extent(pattern: u32) -> usize {
    Partition::Extent.level(pattern, 8)
}

/// The mask of `LaneFlags` or of `UseLaneFlagsForLaneEnable`.
macro_rules! lane_mask {
    ($name:literal, $weights:expr, $member:ident) => {
        split!($name, MASKS, $weights, Lens::word(offset_of!(Small, $member), 32), Partition::Mask(&[]))
    };
}
pub(super) const LANE_FLAGS: Axis = lane_mask!("lane_flags", &[1, 1, 1, 1, 3], lane_flags);
pub(super) const USE_LANE_FLAGS: Axis = lane_mask!("use_lane_flags", &[6, 3, 1, 1, 2], use_lane_flags_for_lane_enable);

/// `ROW_MASK` of the eight configurations, as a mask of lanes: a row of lanes is one bit of each.
pub(super) const ROW_MASKS: Lens = Lens::LaneConfig(bit::ROW_MASK, 4);
pub(super) const ROW_MASK: Axis = split!(
    "row_mask",
    &["none", "all", "one", "all but one", "one row", "any"],
    &[8, 1, 1, 1, 2, 2],
    ROW_MASKS,
    Partition::Mask(&[&[0xff, 0xff00, 0xff_0000, 0xff00_0000]])
);

macro_rules! columns {
    ($name:literal, $bit:ident) => {
        split!($name, MASKS, &[10, 1, 1, 1, 3], Lens::LaneConfig(bit::$bit, 1), Partition::Mask(&[]))
    };
}
pub(super) const BLOCK_READ: Axis = columns!("block_sfpu_rd_from_dest", BLOCK_SFPU_RD_FROM_DEST);
pub(super) const BLOCK_WRITE: Axis = columns!("block_dest_wr_from_sfpu", BLOCK_DEST_WR_FROM_SFPU);

/// Bits of a word of each lane: none, all, or any.
macro_rules! lane_words {
    ($name:literal, $weights:expr, $member:ident, $width:literal, $bits:expr) => {
        super::parts::axis!(
            $name,
            &["zero", "ones", "any"],
            $weights,
            |parts, level, noise| {
                for word in &mut super::parts::small(parts).$member {
                    *word = (*word & !$bits) | [0, $bits, noise.bits($width) & $bits][level];
                }
            },
            |parts| {
                let all = |bits: u32| super::parts::peek(parts).$member.iter().all(|word| word & $bits == bits);
                if all(0) { 0 } else { 2 - usize::from(all($bits)) }
            }
        )
    };
}
pub(super) use lane_words;

/// Bits that are not read, of all lanes.
macro_rules! unread {
    ($bits:literal) => {
        lane_words!("unread_lane_config", &[], lane_config, 18, $bits)
    };
}
/// `BLOCK_DEST_WR_FROM_SFPU`, `DEST_WR_COL_EXCHANGE`, `EXCHANGE_SRCB_SRCC`, `BLOCK_DEST_MOV`.
pub(super) const UNREAD_OF_LOAD: Axis = unread!(0x790);
/// `ENABLE_FP16A_INF`, `ENABLE_DEST_INDEX`, `CAPTURE_DEFAULT_DEST_INDEX`, `BLOCK_SFPU_RD_FROM_DEST`,
/// `DEST_RD_COL_EXCHANGE`, `EXCHANGE_SRCB_SRCC`, `BLOCK_DEST_MOV`.
pub(super) const UNREAD_OF_STORE: Axis = unread!(0x76d);
