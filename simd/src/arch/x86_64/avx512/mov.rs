//! `MOV` for AVX-512 F, BW, DQ and VL.
//!
//! `F` to `HF`, `BF` and integers of up to 32 bits, `HF` and such integers to `F`, and `DF` to `F` have kernels here, with
//! sixteen or eight elements in a vector. Where the result is one vector, the whole block is converted. The other pairs
//! use the portable kernels, compiled for this level.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The hardware converts, with the rounding mode in the instruction. It would still flush denormal sources if the
//!    host says so, thus it gets none: they are zeros of their sign, or, if they are to be kept, normal numbers that are
//!    rounded in the same way ([`without_denormals`]).
//! 2. `DF` to `F` would flush denormal results if the host says so. What is smaller than the smallest normal `F` is
//!    added to 2^-97, whose last place is that of an `F` denormal: the sum's low bits are the rounded denormal.
//! 3. `HF` to `F` is exact, and no setting of the host bears on it.
//! 4. A NaN is quieted and keeps its highest bits in hardware, too. It becomes the integer 0 under a mask.
//! 5. Floats beyond an unsigned or small integer type are clamped by saturating moves after the conversion to 32 bits,
//!    which gives the smallest number below the range, and all ones above the unsigned one.
//! 6. An integer is rounded to nearest, so its sign may be changed afterwards; a zero has none.
//! 7. Clamping to 0 to 1 is an unsigned comparison with infinity, which negative values and NaNs exceed, and an unsigned
//!    minimum with one. If nothing is clamped, both limits are the largest number.

use std::arch::x86_64::*;

use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::arch::portable;
use crate::visa::mov::{self, Kernels, Number, Recipe, Rounding};
use crate::visa::region::{BLOCK, Elements};

/// Executes one `MOV` at this level.
pub(crate) fn execute(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    mov::execute(proof, step, state)
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn convert(self, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; so in every method.
        unsafe { convert(recipe, from, to) }
    }

    #[inline(always)]
    fn store(self, log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
        // SAFETY: as above.
        unsafe { store(log2_size, channels, from, to) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn convert(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    use Number::{B, Bf, D, Df, F, Hf, Ub, Ud, Uw, W};
    match (recipe.source, recipe.destination) {
        (F, Hf) => f_to_hf(recipe, from, to),
        (Df, F) => df_to_f(recipe, from, to),
        (Hf, F) => hf_to_f(recipe, from, to),
        (F, Bf) => f_to_bf(recipe, from, to),
        (F, Ud | Uw | Ub) => f_to_unsigned(recipe, from, to),
        (F, D | W | B) => f_to_signed(recipe, from, to),
        (Ud | D | Uw | W | Ub | B, F) => integer_to_f(recipe, from, to),
        _ => convert_other(recipe, from, to),
    }
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

/// The pairs that have no kernel here.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn convert_other(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    portable::mov::convert(recipe, from, to);
}

// ------------------------------------------------------------------------------------------------ floats to floats

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn f_to_hf(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let source = |byte| _mm512_castsi512_ps(without_denormals(recipe, modified(recipe, load(from, byte))));
    let (low, high) = (source(0), source(64));
    let (low, high) = with_rounding!(recipe.rounding, ROUNDING => {
        (_mm512_cvt_roundps_ph::<ROUNDING>(low), _mm512_cvt_roundps_ph::<ROUNDING>(high))
    });
    let [limit, one] = if recipe.is_saturated.is_set() { [0x7c00, 0x3c00] } else { [-1, -1] };
    let half = flush_halves(recipe.flushes_result.is_set(), joined(low, high));
    let is_kept = _mm512_cmple_epu16_mask(half, _mm512_set1_epi16(limit));
    store_512(to, 0, _mm512_maskz_min_epu16(is_kept, half, _mm512_set1_epi16(one)));
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn hf_to_f(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let keep = _mm512_set1_epi16(if recipe.is_absolute.is_set() { i16::MAX } else { -1 });
    let flip = _mm512_set1_epi16(if recipe.is_negated.is_set() { i16::MIN } else { 0 });
    // 0x6a: the first operand and the second one, exclusive or the third.
    let half = _mm512_ternarylogic_epi32::<0x6a>(load(from, 0), keep, flip);
    let half = flush_halves(recipe.flushes_source.is_set(), half);
    let single = |half| _mm512_castps_si512(_mm512_cvt_roundph_ps::<_MM_FROUND_NO_EXC>(half));
    store_512(to, 0, saturated(recipe, single(_mm512_castsi512_si256(half))));
    store_512(to, 64, saturated(recipe, single(_mm512_extracti64x4_epi64::<1>(half))));
}

/// The lowest bit that stays, and one less than half of it, carry into what stays; of a NaN they do not.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn f_to_bf(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let rounded = |byte| {
        let source = modified(recipe, load(from, byte));
        let high = _mm512_srli_epi32::<16>(source);
        let odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
        let sum = _mm512_add_epi32(_mm512_add_epi32(source, _mm512_set1_epi32(0x7fff)), odd);
        let quiet = _mm512_or_si512(high, _mm512_set1_epi32(0x40));
        _mm512_cvtepi32_epi16(_mm512_mask_mov_epi32(_mm512_srli_epi32::<16>(sum), is_nan(source), quiet))
    };
    // A destination of this type cannot be saturated.
    store_512(to, 0, joined(rounded(0), rounded(64)));
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

// ------------------------------------------------------------------------------------------------ floats to integers

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn f_to_signed(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let truncated = |byte| {
        let source = modified(recipe, load(from, byte));
        let value = _mm512_cvtt_roundps_epi32::<_MM_FROUND_NO_EXC>(_mm512_castsi512_ps(source));
        // As integers, positive floats from 2^31 on are these; those above infinity are NaNs.
        let is_large = _mm512_cmpge_epi32_mask(source, _mm512_set1_epi32(0x4f00_0000));
        let value = _mm512_mask_mov_epi32(value, is_large, _mm512_set1_epi32(i32::MAX));
        _mm512_maskz_mov_epi32(!is_nan(source), value)
    };
    let (low, high) = (truncated(0), truncated(64));
    match recipe.destination.log2_size() {
        0 => store_256(to, 0, joined_128(_mm512_cvtsepi32_epi8(low), _mm512_cvtsepi32_epi8(high))),
        1 => store_512(to, 0, joined(_mm512_cvtsepi32_epi16(low), _mm512_cvtsepi32_epi16(high))),
        _ => {
            store_512(to, 0, low);
            store_512(to, 64, high);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn f_to_unsigned(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let truncated = |byte| {
        let source = modified(recipe, load(from, byte));
        let value = _mm512_cvtt_roundps_epu32::<_MM_FROUND_NO_EXC>(_mm512_castsi512_ps(source));
        // Negative values and NaNs exceed infinity.
        let is_kept = _mm512_cmple_epu32_mask(source, _mm512_set1_epi32(0x7f80_0000));
        _mm512_maskz_mov_epi32(is_kept, value)
    };
    let (low, high) = (truncated(0), truncated(64));
    match recipe.destination.log2_size() {
        0 => store_256(to, 0, joined_128(_mm512_cvtusepi32_epi8(low), _mm512_cvtusepi32_epi8(high))),
        1 => store_512(to, 0, joined(_mm512_cvtusepi32_epi16(low), _mm512_cvtusepi32_epi16(high))),
        _ => {
            store_512(to, 0, low);
            store_512(to, 64, high);
        }
    }
}

// ------------------------------------------------------------------------------------------------ integers to floats

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn integer_to_f(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    let keep = _mm512_set1_epi32(if recipe.is_absolute.is_set() { i32::MAX } else { -1 });
    let flip = _mm512_set1_epi32(if recipe.is_negated.is_set() { i32::MIN } else { 0 });
    for first in (0..recipe.count).step_by(16) {
        let value = match recipe.source {
            Number::Ub => _mm512_cvtepu8_epi32(load_128(from, first)),
            Number::B => _mm512_cvtepi8_epi32(load_128(from, first)),
            Number::Uw => _mm512_cvtepu16_epi32(load_256(from, 2 * first)),
            Number::W => _mm512_cvtepi16_epi32(load_256(from, 2 * first)),
            _ => load(from, 4 * first),
        };
        let single = if recipe.source == Number::Ud {
            _mm512_cvt_roundepu32_ps::<NEAREST>(value)
        } else {
            _mm512_cvt_roundepi32_ps::<NEAREST>(value)
        };
        let single = _mm512_castps_si512(single);
        // 0x6a: the first operand and the second one, exclusive or the third. A zero has no sign.
        let is_not_zero = _mm512_test_epi32_mask(value, value);
        let single = _mm512_maskz_ternarylogic_epi32::<0x6a>(is_not_zero, single, keep, flip);
        store_512(to, 4 * first, saturated(recipe, single));
    }
}

// ------------------------------------------------------------------------------------------------ what they share

/// `F`s with the source's modifiers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn modified(recipe: &Recipe, source: __m512i) -> __m512i {
    let keep = _mm512_set1_epi32(if recipe.is_absolute.is_set() { i32::MAX } else { -1 });
    let flip = _mm512_set1_epi32(if recipe.is_negated.is_set() { i32::MIN } else { 0 });
    // 0x6a: the first operand and the second one, exclusive or the third.
    _mm512_ternarylogic_epi32::<0x6a>(source, keep, flip)
}

/// `F`s with zeros instead of denormals if these are flushed, else with normal values that become the same `HF`: both are
/// smaller than half of its smallest value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn without_denormals(recipe: &Recipe, source: __m512i) -> __m512i {
    let [keep, set] = if recipe.flushes_source.is_set() { [i32::MIN, 0] } else { [-1, 0x0080_0000] };
    let is_denormal = _mm512_testn_epi32_mask(source, _mm512_set1_epi32(0x7f80_0000))
        & _mm512_test_epi32_mask(source, _mm512_set1_epi32(i32::MAX));
    // 0xea: the first operand and the second one, or the third.
    _mm512_mask_ternarylogic_epi32::<0xea>(source, is_denormal, _mm512_set1_epi32(keep), _mm512_set1_epi32(set))
}

/// `HF`s with only their signs where they are denormals or zeros, if these are flushed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn flush_halves(flushes: bool, half: __m512i) -> __m512i {
    // No exponent is the one with which nothing is flushed.
    let exponent = _mm512_and_si512(half, _mm512_set1_epi16(0x7c00));
    let is_flushed = _mm512_cmpeq_epi16_mask(exponent, _mm512_set1_epi16(if flushes { 0 } else { -1 }));
    _mm512_mask_mov_epi16(half, is_flushed, _mm512_and_si512(half, _mm512_set1_epi16(i16::MIN)))
}

/// Which `F`s are NaNs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn is_nan(source: __m512i) -> __mmask16 {
    let magnitude = _mm512_and_si512(source, _mm512_set1_epi32(i32::MAX));
    _mm512_cmpgt_epi32_mask(magnitude, _mm512_set1_epi32(0x7f80_0000))
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

/// Two quarters of a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn joined_128(low: __m128i, high: __m128i) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
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
fn load_128(from: &[u8; BLOCK], byte: usize) -> __m128i {
    let bytes: &[u8; 16] = from[byte..byte + 16].first_chunk().expect("16 bytes");
    // SAFETY: there are 16 readable bytes; no alignment is asked for.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_512(to: &mut Elements, byte: usize, value: __m512i) {
    let bytes: &mut [u8; 64] = to.0[byte..byte + 64].first_chunk_mut().expect("64 bytes");
    // SAFETY: there are 64 writable bytes; no alignment is asked for.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_256(to: &mut Elements, byte: usize, value: __m256i) {
    let bytes: &mut [u8; 32] = to.0[byte..byte + 32].first_chunk_mut().expect("32 bytes");
    // SAFETY: there are 32 writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
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
