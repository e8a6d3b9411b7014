//! What `MOV` has of its own at AVX-512 F, BW, DQ and VL.
//!
//! What differs from the portable level and `mov_lanes.rs`, and why it is equal:
//! 1. `DF` to `F` would flush denormal results if the host says so. What is smaller than the smallest normal `F` is
//!    added to 2^-97, whose last place is that of an `F` denormal: the sum's low bits are the rounded denormal.
//! 2. Clamping to 0 to 1 is an unsigned comparison with infinity, which negative values and NaNs exceed, and an unsigned
//!    minimum with one. If nothing is clamped, both limits are the largest number.

use std::arch::x86_64::*;

use super::vector::Sixteen;
use crate::level::Avx512;
use crate::visa::mov::{Kernels, Recipe, Rounding};
use crate::visa::mov_lanes::{self, Convert};
use crate::visa::mov_wide;
use crate::visa::region::{BLOCK, Elements};

impl Kernels for Sixteen {
    #[inline(always)]
    fn convert(level: Avx512, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: the level proves that the CPU has it; so in every method.
        unsafe { convert(level, recipe, from, to) }
    }

    #[inline(always)]
    fn store_channels(_: Avx512, log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
        // SAFETY: as above.
        unsafe { store(log2_size, channels, from, to) }
    }
}

/// A function of its own: in a large one closures stay such, and are not compiled for the level.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn convert(level: Avx512, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    mov_lanes::convert::<Sixteen>(level, recipe, from, to);
}

/// Evaluates an expression in which a name is the rounding mode, without exceptions, as an instruction has it.
macro_rules! with_rounding {
    ($rounding:expr, $name:ident => $body:expr) => {
        match $rounding {
            Rounding::Nearest => {
                const $name: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
                $body
            }
            Rounding::Up => {
                const $name: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
                $body
            }
            Rounding::Down => {
                const $name: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
                $body
            }
            Rounding::TowardZero => {
                const $name: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
                $body
            }
        }
    };
}

impl Convert for Sixteen {
    const HAS_UNSIGNED: bool = true;

    #[inline(always)]
    fn load_quarters(level: Avx512, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 16];
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX-512 F and BW. There are 16 readable
        // bytes; no alignment is asked for.
        Sixteen(unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(from.as_ptr().cast())) }, level)
    }

    #[inline(always)]
    fn store_quarters(self, to: &mut [u8]) {
        let to = &mut to[..16];
        // SAFETY: as above. There are 16 writable bytes; no alignment is asked for.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(self.0)) }
    }

    #[inline(always)]
    fn rounded(self, rounding: Rounding) -> Self {
        // SAFETY: as above.
        let half = unsafe {
            let source = _mm512_castsi512_ps(self.0);
            _mm512_cvtepu16_epi32(with_rounding!(rounding, ROUNDING => _mm512_cvt_roundps_ph::<ROUNDING>(source)))
        };
        Sixteen(half, self.1)
    }

    #[inline(always)]
    fn truncated(self) -> Self {
        // SAFETY: as above.
        let value = unsafe { _mm512_cvtt_roundps_epi32::<_MM_FROUND_NO_EXC>(_mm512_castsi512_ps(self.0)) };
        Sixteen(value, self.1)
    }

    #[inline(always)]
    fn truncated_unsigned(self) -> Self {
        // SAFETY: as above.
        let value = unsafe { _mm512_cvtt_roundps_epu32::<_MM_FROUND_NO_EXC>(_mm512_castsi512_ps(self.0)) };
        Sixteen(value, self.1)
    }

    #[inline(always)]
    fn converted(self) -> Self {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_castps_si512(_mm512_cvt_roundepu32_ps::<NEAREST>(self.0)) }, self.1)
    }

    #[inline(always)]
    fn df_to_f(_: Avx512, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: as above.
        unsafe { df_to_f(recipe, from, to) }
    }

    #[inline(always)]
    fn convert_other(_: Avx512, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: as above.
        unsafe { convert_other(recipe, from, to) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn convert_other(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    mov_wide::convert(recipe, from, to);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn df_to_f(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    for first in (0..recipe.count).step_by(16) {
        let low = small_df_as_normal(recipe, load(from, 8 * first));
        let high = small_df_as_normal(recipe, load(from, 8 * first + 64));
        let (low, high) = with_rounding!(recipe.rounding, ROUNDING => {
            (rounded_df::<ROUNDING>(low), rounded_df::<ROUNDING>(high))
        });
        let single = joined(low, high);
        // Only the sign is left where the exponent is 0 and denormals are flushed.
        let exponent = _mm512_and_si512(single, _mm512_set1_epi32(0x7f80_0000));
        let flushed = _mm512_set1_epi32(if recipe.flushes_result.is_set() { 0 } else { -1 });
        let is_flushed = _mm512_cmpeq_epi32_mask(exponent, flushed);
        let single = _mm512_mask_and_epi32(single, is_flushed, single, _mm512_set1_epi32(i32::MIN));
        store_512(to, 4 * first, saturated(recipe, single));
    }
}

/// `DF`s with the source's modifiers, without denormals: these are zeros if they are flushed, else normal numbers that
/// become the same `F`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn small_df_as_normal(recipe: &Recipe, source: __m512i) -> __m512i {
    let keep = _mm512_set1_epi64(if recipe.is_absolute.is_set() { i64::MAX } else { -1 });
    let flip = _mm512_set1_epi64(if recipe.is_negated.is_set() { i64::MIN } else { 0 });
    // 0x6a: the first operand and the second one, exclusive or the third.
    let source = _mm512_ternarylogic_epi64::<0x6a>(source, keep, flip);
    let [keep, set] = if recipe.flushes_source.is_set() { [i64::MIN, 0] } else { [-1, 1 << 52] };
    let (keep, set) = (_mm512_set1_epi64(keep), _mm512_set1_epi64(set));
    let is_denormal = _mm512_testn_epi64_mask(source, _mm512_set1_epi64(0x7ff << 52))
        & _mm512_test_epi64_mask(source, _mm512_set1_epi64(i64::MAX));
    // 0xea: the first operand and the second one, or the third.
    _mm512_mask_ternarylogic_epi64::<0xea>(source, is_denormal, keep, set)
}

/// Eight `DF`s rounded to `F`, denormal results included.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn rounded_df<const ROUNDING: i32>(source: __m512i) -> __m256i {
    const SMALLEST_NORMAL_F: i64 = (1023 - 126) << 52;
    const LAST_PLACE_OF_F: i64 = (1023 - 97) << 52;
    let double = _mm512_castsi512_pd(source);
    let single = _mm256_castps_si256(_mm512_cvt_roundpd_ps::<ROUNDING>(double));
    let magnitude = _mm512_and_si512(source, _mm512_set1_epi64(i64::MAX));
    let is_small = _mm512_cmplt_epi64_mask(magnitude, _mm512_set1_epi64(SMALLEST_NORMAL_F));
    let signs = _mm512_and_si512(source, _mm512_set1_epi64(i64::MIN));
    let last_place = _mm512_castsi512_pd(_mm512_or_si512(signs, _mm512_set1_epi64(LAST_PLACE_OF_F)));
    let sum = _mm512_castpd_si512(_mm512_add_round_pd::<ROUNDING>(double, last_place));
    // The sign goes to the top of the low half, of which the sum takes 24 bits.
    let denormal = _mm512_or_si512(sum, _mm512_srli_epi64::<32>(signs));
    _mm256_mask_mov_epi32(single, is_small, _mm512_cvtepi64_epi32(denormal))
}

/// `F`s, clamped if the destination is saturated.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn saturated(recipe: &Recipe, single: __m512i) -> __m512i {
    let [limit, one] = if recipe.is_saturated.is_set() { [0x7f80_0000, 0x3f80_0000] } else { [-1, -1] };
    let is_kept = _mm512_cmple_epu32_mask(single, _mm512_set1_epi32(limit));
    _mm512_maskz_min_epu32(is_kept, single, _mm512_set1_epi32(one))
}

/// Two halves of a vector: stored at once, they can be loaded at once without waiting for memory.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn joined(low: __m256i, high: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

// ------------------------------------------------------------------------------------------------ memory

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load(from: &[u8; BLOCK], byte: usize) -> __m512i {
    let bytes: &[u8; 64] = from[byte..byte + 64].first_chunk().expect("64 bytes");
    // SAFETY: there are 64 readable bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_256(from: &[u8; BLOCK], byte: usize) -> __m256i {
    let bytes: &[u8; 32] = from[byte..byte + 32].first_chunk().expect("32 bytes");
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_512(to: &mut Elements, byte: usize, value: __m512i) {
    let bytes: &mut [u8; 64] = to.0[byte..byte + 64].first_chunk_mut().expect("64 bytes");
    // SAFETY: there are 64 writable bytes; no alignment is asked for.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), value) }
}

/// Stores the elements of `channels` from vectors under masks; what lies beyond the channels is not touched.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store(log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
    let room = (to.len() >> log2_size).min(32);
    let channels = channels & ((1_u64 << room) - 1) as u32;
    let at = to.as_mut_ptr();
    // SAFETY: `to` has room for every channel that is left in the mask, and nothing else is stored; addresses beyond it
    // are only formed, without a claim that they are in an allocation. No alignment is asked for.
    unsafe {
        match log2_size {
            0 => _mm256_mask_storeu_epi8(at.cast(), channels, load_256(&from.0, 0)),
            1 => _mm512_mask_storeu_epi16(at.cast(), channels, load(&from.0, 0)),
            2 => {
                _mm512_mask_storeu_epi32(at.cast(), channels as u16, load(&from.0, 0));
                _mm512_mask_storeu_epi32(at.wrapping_add(64).cast(), (channels >> 16) as u16, load(&from.0, 64));
            }
            _ => {
                for quarter in 0..4 {
                    let channels = (channels >> (8 * quarter)) as u8;
                    _mm512_mask_storeu_epi64(
                        at.wrapping_add(64 * quarter).cast(),
                        channels,
                        load(&from.0, 64 * quarter),
                    );
                }
            }
        }
    }
}
