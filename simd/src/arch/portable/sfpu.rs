//! `LaneConfig` without intrinsics.
//!
//! The eight low bits of the eight configurations are a square of bits in a 64-bit number, which three exchanges of
//! blocks transpose; then each byte is the pattern of a bit. The four bits of `ROW_MASK` are spread to four bytes by a
//! multiplication.
//!
//! What differs from the page, and why it is equal: see `tensix/sfpu.rs`.

use super::Portable;
use crate::tensix::sfpu::{Lanes, bit};

/// `LaneConfig`, transposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transposed {
    /// Byte *n* has bit *n* of all lanes.
    low: u64,
    /// Byte *n* has bit *n* of `ROW_MASK` of all lanes.
    row_mask: u32,
}

impl Lanes for Portable {
    type Config = Transposed;

    #[inline]
    fn lane_config(self, lane_config: &[u32; 8]) -> Transposed {
        let (mut square, mut row_mask) = (0, 0);
        for (lane, word) in lane_config.iter().enumerate() {
            square |= u64::from(word & 0xff) << (8 * lane);
            // Four copies, seven bits apart, bring bit n to bit 8n.
            let nibble = (word >> bit::ROW_MASK) & 0xf;
            row_mask |= ((nibble * 0x0020_4081) & 0x0101_0101) << lane;
        }
        Transposed { low: transpose(square), row_mask }
    }

    #[inline]
    fn pattern<const BIT: u32>(self, config: Transposed) -> u32 {
        (config.low >> (8 * BIT)) as u32 & 0xff
    }

    #[inline]
    fn row_mask(self, config: Transposed) -> u32 {
        config.row_mask
    }
}

/// Exchanges bit 8i + j and bit 8j + i, for all i and j.
#[inline]
const fn transpose(square: u64) -> u64 {
    let square = exchange(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = exchange(square, 14, 0x0000_cccc_0000_cccc);
    exchange(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// Exchanges the bits `which` and those `distance` above them.
#[inline]
const fn exchange(square: u64, distance: u32, which: u64) -> u64 {
    let differing = (square ^ (square >> distance)) & which;
    square ^ differing ^ (differing << distance)
}

/// A word for each lane of a row: all bits if its bit is set in `lanes`, else none.
#[inline]
pub(crate) fn words(lanes: u32) -> [u32; 8] {
    std::array::from_fn(|lane| ((lanes >> lane) & 1).wrapping_neg())
}

/// `yes` where `which` has ones, else `no`.
#[inline]
pub(crate) const fn select(which: u32, yes: u32, no: u32) -> u32 {
    no ^ ((yes ^ no) & which)
}

/// The pairs of columns of a row, the even column in the low half.
#[inline]
pub(crate) fn pairs(row: &[u16; 16]) -> [u32; 8] {
    std::array::from_fn(|lane| u32::from(row[2 * lane]) | u32::from(row[2 * lane + 1]) << 16)
}

#[cfg(test)]
mod tests {
    #[test]
    fn patterns_are_the_bits_of_lanes() {
        crate::tensix::sfpu_kit::check_lanes(super::Portable);
    }
}
