//! `LaneConfig` for AVX-512: a vector of eight lanes, whose bits are tested into masks.
//!
//! `ROW_MASK` is tested for two rows of lanes at once, on a vector that has all lanes twice.
//!
//! What differs from the page, and why it is equal: see `tensix/sfpu.rs`.

use std::arch::x86_64::*;

use crate::Avx512;
use crate::tensix::sfpu::{Lanes, bit};

impl Lanes for Avx512 {
    type Config = __m256i;

    #[inline(always)]
    fn lane_config(self, lane_config: &[u32; 8]) -> __m256i {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; so in every method. The
        // configuration is 32 readable bytes; no alignment is asked for.
        unsafe { _mm256_loadu_si256(lane_config.as_ptr().cast()) }
    }

    #[inline(always)]
    fn pattern<const BIT: u32>(self, config: __m256i) -> u32 {
        // SAFETY: as above.
        unsafe { u32::from(_mm256_test_epi32_mask(config, _mm256_set1_epi32(1 << BIT))) }
    }

    #[inline(always)]
    fn row_mask(self, config: __m256i) -> u32 {
        // SAFETY: as above.
        unsafe { row_mask(config) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn row_mask(config: __m256i) -> u32 {
    const BITS: [i32; 4] =
        [1 << bit::ROW_MASK, 1 << (bit::ROW_MASK + 1), 1 << (bit::ROW_MASK + 2), 1 << (bit::ROW_MASK + 3)];
    let twice = _mm512_broadcast_i64x4(config);
    let first = _mm512_inserti64x4::<1>(_mm512_set1_epi32(BITS[0]), _mm256_set1_epi32(BITS[1]));
    let last = _mm512_inserti64x4::<1>(_mm512_set1_epi32(BITS[2]), _mm256_set1_epi32(BITS[3]));
    u32::from(_mm512_test_epi32_mask(twice, first)) | u32::from(_mm512_test_epi32_mask(twice, last)) << 16
}

#[cfg(test)]
mod tests {
    #[test]
    fn patterns_are_the_bits_of_lanes() {
        match crate::Avx512::detect() {
            Some(level) => crate::tensix::sfpu_kit::check_lanes(level),
            None => crate::tensix::sfpu_kit::not_run("avx512"),
        }
    }
}
