//! What `MOV` has of its own at AVX2 and F16C.
//!
//! What differs from the portable level and `mov_lanes.rs`, and why it is equal:
//! 1. The host would round integers as it is set to. They are rounded to 24 significant bits before, in integers, so
//!    that the conversion is exact; the place of the last bit comes from the conversion of the highest eight bits.
//! 2. `DF` to `F` is the portable kernel in vectors of four: hardware has no rounding mode in that instruction.
//! 3. Packs work within 128-bit halves; a permutation restores the order.
//! 4. A blocked channel is stored with what was there, or not at all.

use std::arch::x86_64::*;

use super::vector::{Eight, halves};
use crate::level::Avx2;
use crate::visa::mov::{Kernels, Recipe, Rounding};
use crate::visa::mov_lanes::{self, Convert};
use crate::visa::mov_wide;
use crate::visa::region::{BLOCK, Elements};

impl Kernels for Eight {
    #[inline(always)]
    fn convert(level: Avx2, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: the level proves that the CPU has it; so in every method.
        unsafe { convert(level, recipe, from, to) }
    }

    #[inline(always)]
    fn store_channels(_: Avx2, log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
        // SAFETY: as above.
        unsafe { store(log2_size, channels, from, to) }
    }
}

/// A function of its own: in a large one closures stay such, and are not compiled for the level.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn convert(level: Avx2, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    mov_lanes::convert::<Eight>(level, recipe, from, to);
}

impl Convert for Eight {
    const HAS_UNSIGNED: bool = false;

    #[inline(always)]
    fn load_quarters(level: Avx2, from: &[u8], byte: usize) -> Self {
        let bytes: &[u8; 8] = from[byte..].first_chunk().expect("eight bytes");
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX2 and F16C.
        Eight(unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(*bytes))) }, level)
    }

    #[inline(always)]
    fn store_quarters(self, to: &mut [u8]) {
        let to: &mut [u8; 8] = to.first_chunk_mut().expect("eight bytes");
        // SAFETY: as above.
        *to = unsafe {
            let words = _mm256_packus_epi32(self.0, self.0);
            let words = _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b11_01_10_00>(words));
            _mm_cvtsi128_si64(_mm_packus_epi16(words, words)).to_le_bytes()
        };
    }

    #[inline(always)]
    fn rounded(self, rounding: Rounding) -> Self {
        // SAFETY: as above.
        let half = unsafe {
            let source = _mm256_castsi256_ps(self.0);
            _mm256_cvtepu16_epi32(match rounding {
                Rounding::Nearest => _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(source),
                Rounding::Up => _mm256_cvtps_ph::<_MM_FROUND_TO_POS_INF>(source),
                Rounding::Down => _mm256_cvtps_ph::<_MM_FROUND_TO_NEG_INF>(source),
                Rounding::TowardZero => _mm256_cvtps_ph::<_MM_FROUND_TO_ZERO>(source),
            })
        };
        Eight(half, self.1)
    }

    #[inline(always)]
    fn truncated(self) -> Self {
        // SAFETY: as above.
        Eight(unsafe { _mm256_cvttps_epi32(_mm256_castsi256_ps(self.0)) }, self.1)
    }

    fn truncated_unsigned(self) -> Self {
        unreachable!("the level converts to numbers with sign only")
    }

    #[inline(always)]
    fn converted(self) -> Self {
        // SAFETY: as above.
        let single = unsafe {
            let single = _mm256_castps_si256(_mm256_cvtepi32_ps(with_24_bits(self.0)));
            // The magnitude 2^31 is converted as its negative.
            _mm256_and_si256(single, _mm256_set1_epi32(i32::MAX))
        };
        Eight(single, self.1)
    }

    #[inline(always)]
    fn df_to_f(_: Avx2, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: as above.
        unsafe { df_to_f(recipe, from, to) }
    }

    #[inline(always)]
    fn convert_other(_: Avx2, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: as above.
        unsafe { convert_other(recipe, from, to) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn convert_other(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    mov_wide::convert(recipe, from, to);
}

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn df_to_f(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let all = |bits| _mm256_set1_epi64x(bits);
    let flag = |condition: bool| all(-i64::from(condition));
    let magnitude_bits = all(i64::MAX);
    let implicit = all(1 << 52);
    let infinity = all(0x7ff << 52);
    // The exponent of the smallest normal F.
    let lowest = all(1023 - 126);
    let zero = _mm256_setzero_si256();
    let one = all(1);
    let keep = all(if recipe.is_absolute.is_set() { i64::MAX } else { -1 });
    let flip = all(if recipe.is_negated.is_set() { i64::MIN } else { 0 });
    let to_nearest = flag(recipe.rounding == Rounding::Nearest);
    // What is rounded away from zero: the negative values, exclusive or all, if there are such at all.
    let rounds_up = flag(recipe.rounding == Rounding::Up);
    let is_directed = flag(matches!(recipe.rounding, Rounding::Up | Rounding::Down));
    let flushed_below = all(if recipe.flushes_result.is_set() { 1 << 23 } else { 0 });
    let flushed_source_below = all(if recipe.flushes_source.is_set() { 1 << 52 } else { 0 });
    for first in (0..recipe.count).step_by(4) {
        let source = _mm256_xor_si256(_mm256_and_si256(load(from, 8 * first), keep), flip);
        let negative = _mm256_cmpgt_epi64(zero, source);
        let bits = _mm256_and_si256(source, magnitude_bits);
        let bits = _mm256_andnot_si256(_mm256_cmpgt_epi64(flushed_source_below, bits), bits);

        let exponent = _mm256_srli_epi64::<52>(bits);
        let mantissa = _mm256_andnot_si256(infinity, bits);
        // A denormal is too small for its leading bit to matter, but zero must have none.
        let is_zero = _mm256_cmpeq_epi64(bits, zero);
        let significand = _mm256_or_si256(mantissa, _mm256_andnot_si256(is_zero, implicit));
        // All these numbers are small, so that the low halves decide.
        let above_lowest = _mm256_max_epi32(_mm256_sub_epi64(exponent, lowest), zero);
        let too_low = _mm256_max_epi32(_mm256_sub_epi64(lowest, exponent), zero);
        let shift = _mm256_min_epi32(_mm256_add_epi64(too_low, all(29)), all(63));
        let below = _mm256_sub_epi64(_mm256_sllv_epi64(one, shift), one);
        let odd = _mm256_and_si256(_mm256_srlv_epi64(significand, shift), one);
        let nearest = _mm256_add_epi64(_mm256_srli_epi64::<1>(below), odd);
        let away = _mm256_and_si256(_mm256_xor_si256(negative, rounds_up), is_directed);
        let addend = _mm256_blendv_epi8(_mm256_and_si256(below, away), nearest, to_nearest);
        let kept = _mm256_srlv_epi64(_mm256_add_epi64(significand, addend), shift);
        let rounded = _mm256_add_epi64(_mm256_slli_epi64::<23>(above_lowest), kept);

        // Infinity, or the largest finite value where it is rounded toward zero; both fit in the low half.
        let grows = _mm256_or_si256(away, to_nearest);
        let largest = _mm256_sub_epi64(all(0x7f80_0000), _mm256_andnot_si256(grows, one));
        let is_over = _mm256_cmpgt_epi64(rounded, largest);
        let finite = _mm256_blendv_epi8(rounded, largest, is_over);
        let is_nan = _mm256_cmpgt_epi64(bits, infinity);
        let quiet = _mm256_or_si256(_mm256_srli_epi64::<29>(mantissa), all(0x7fc0_0000));
        let special = _mm256_blendv_epi8(all(0x7f80_0000), quiet, is_nan);
        let is_finite = _mm256_cmpgt_epi64(infinity, bits);
        let single = _mm256_blendv_epi8(special, finite, is_finite);
        let single = _mm256_andnot_si256(_mm256_cmpgt_epi64(flushed_below, single), single);
        let sign = _mm256_and_si256(negative, all(0x8000_0000));
        let single = saturated(recipe, _mm256_or_si256(single, sign));
        let low_halves = _mm256_permutevar8x32_epi32(single, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
        store_128(to, 4 * first, _mm256_castsi256_si128(low_halves));
    }
}

/// Unsigned numbers up to 2^31, rounded to nearest with 24 significant bits.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn with_24_bits(magnitude: __m256i) -> __m256i {
    let one = _mm256_set1_epi32(1);
    // Nothing is above bit 23 unless some of these bits are set, and these are few enough to be converted exactly.
    let high = _mm256_and_si256(magnitude, _mm256_set1_epi32(0xff00_0000_u32.cast_signed()));
    let exponent = _mm256_srli_epi32::<23>(_mm256_castps_si256(_mm256_cvtepi32_ps(high)));
    let exponent = _mm256_and_si256(exponent, _mm256_set1_epi32(0xff));
    let shift = _mm256_max_epi32(_mm256_sub_epi32(exponent, _mm256_set1_epi32(127 + 23)), _mm256_setzero_si256());
    let below = _mm256_sub_epi32(_mm256_sllv_epi32(one, shift), one);
    // Without anything to cut off, the last bit is not asked for.
    let odd = _mm256_and_si256(_mm256_srlv_epi32(magnitude, shift), _mm256_and_si256(below, one));
    let sum = _mm256_add_epi32(_mm256_add_epi32(magnitude, _mm256_srli_epi32::<1>(below)), odd);
    _mm256_andnot_si256(below, sum)
}

/// `F`s, clamped if the destination is saturated.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn saturated(recipe: &Recipe, single: __m256i) -> __m256i {
    if recipe.is_saturated.is_set() {
        // As integers, negative values and NaNs lie outside 0 to infinity.
        let is_nan = _mm256_cmpgt_epi32(single, _mm256_set1_epi32(0x7f80_0000));
        let least = _mm256_min_epi32(_mm256_andnot_si256(is_nan, single), _mm256_set1_epi32(0x3f80_0000));
        _mm256_max_epi32(least, _mm256_setzero_si256())
    } else {
        single
    }
}

// ------------------------------------------------------------------------------------------------ memory

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn load(from: &[u8], byte: usize) -> __m256i {
    let bytes: &[u8; 32] = from[byte..byte + 32].first_chunk().expect("32 bytes");
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn store_128(to: &mut Elements, byte: usize, value: __m128i) {
    let bytes: &mut [u8; 16] = to.0[byte..byte + 16].first_chunk_mut().expect("16 bytes");
    // SAFETY: there are 16 writable bytes; no alignment is asked for.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn store_bytes(to: &mut [u8], byte: usize, value: __m256i) {
    let bytes: &mut [u8; 32] = to[byte..byte + 32].first_chunk_mut().expect("32 bytes");
    // SAFETY: there are 32 writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

/// Stores the elements of `channels`: all at once if there is no gap; else a vector at a time, blended with what is there;
/// what is shorter than a vector, one by one.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn store(log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
    if to.len() < 32 || mov_wide::is_full(log2_size, channels, to) {
        mov_wide::store(log2_size, channels, from, to);
        return;
    }
    for (index, byte) in (0..to.len().min(BLOCK)).step_by(32).enumerate() {
        let channels = channels >> ((index << 5) >> log2_size);
        let open = match log2_size {
            0 => open_bytes(channels),
            1 => halves(channels),
            2 => {
                let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(channels as i32), bits), bits)
            }
            _ => {
                let bits = _mm256_setr_epi64x(1, 2, 4, 8);
                _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(channels)), bits), bits)
            }
        };
        let blended = _mm256_blendv_epi8(load(to, byte), load(&from.0, byte), open);
        store_bytes(to, byte, blended);
    }
}

/// All bits of the bytes of open channels.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn open_bytes(channels: u32) -> __m256i {
    // Each byte of the mask eight times, then one bit of each.
    let order = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let mask = _mm256_shuffle_epi8(_mm256_set1_epi32(channels as i32), order);
    _mm256_cmpeq_epi8(_mm256_and_si256(mask, bits), bits)
}
