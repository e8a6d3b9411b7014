//! `LaneConfig` for AVX2: a vector of eight lanes, whose bits are shifted to the signs and taken from there.
//!
//! What differs from the page, and why it is equal: see `tensix/sfpu.rs`.

use std::arch::x86_64::*;

use crate::Avx2;
use crate::tensix::sfpu::{Lanes, bit};

impl Lanes for Avx2 {
    type Config = __m256i;

    #[inline(always)]
    fn lane_config(self, lane_config: &[u32; 8]) -> __m256i {
        // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2; so in every method. The configuration is 32
        // readable bytes; no alignment is asked for.
        unsafe { _mm256_loadu_si256(lane_config.as_ptr().cast()) }
    }

    #[inline(always)]
    fn pattern<const BIT: u32>(self, config: __m256i) -> u32 {
        // SAFETY: as above.
        unsafe { bit_of(config, BIT) }
    }

    #[inline(always)]
    fn row_mask(self, config: __m256i) -> u32 {
        // SAFETY: as above.
        let row = |row: u32| unsafe { bit_of(config, bit::ROW_MASK + row) << (8 * row) };
        row(0) | row(1) | row(2) | row(3)
    }
}

/// The lanes that have a bit, bit = lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn bit_of(lanes: __m256i, bit: u32) -> u32 {
    let signs = _mm256_sll_epi32(lanes, _mm_cvtsi32_si128(31 - bit as i32));
    _mm256_movemask_ps(_mm256_castsi256_ps(signs)) as u32
}

/// All bits of the lanes that are set in the eight low bits of `lanes`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn words(lanes: u32) -> __m256i {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(lanes as i32), bits), bits)
}

#[cfg(test)]
mod tests {
    #[test]
    fn patterns_are_the_bits_of_lanes() {
        match crate::Avx2::detect() {
            Some(level) => crate::tensix::sfpu_kit::check_lanes(level),
            None => crate::tensix::sfpu_kit::not_run("avx2"),
        }
    }
}
