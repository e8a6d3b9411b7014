//! `MOVA2D` for AVX-512 F, BW, DQ and VL.
//!
//! A row of 16 data is one vector. One ternary operation selects sign, mantissa and exponent, and its mask flushes.
//! Two adjacent rows are packed to one vector of 32 words, which is two adjacent rows of `DstBits`, and stored under
//! the mask of the open columns.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The select takes sign and mantissa from the datum shifted right by three, and the rest from the datum, in one
//!    operation; the bits above 15 come from the shifted datum, where a 19-bit datum has none.
//! 2. Packing saturates, but the values fit in 16 bits; it works within 128-bit quarters, and one permutation of 64-bit
//!    parts puts the first row before the second.
//! 3. A blocked column is not stored, instead of being stored with the old word.
//! 4. The high halves of invalid rows are stored as zeros under a mask; those of valid rows are not loaded at all, as
//!    they would be stored unchanged.

use std::arch::x86_64::*;

use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::tensix::mova2d::{self, Kernels, Recipe};

/// Executes one `MOVA2D` at this level.
pub(crate) fn execute(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    mova2d::execute(proof, step, state)
}

impl Kernels for Avx512 {
    /// Bit = column.
    type Columns = u16;

    #[inline(always)]
    fn open_columns(self, lane_config: &[u32; 8]) -> u16 {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; so in every method.
        unsafe { open_columns(lane_config) }
    }

    #[inline(always)]
    fn any(self, columns: u16) -> bool {
        columns != 0
    }

    #[inline(always)]
    fn narrow<const N: usize>(self, recipe: &Recipe, columns: u16, from: &[[u32; 16]; N], to: &mut [[u16; 16]; N]) {
        // SAFETY: as above.
        unsafe { narrow(recipe, columns, from, to) }
    }

    #[inline(always)]
    fn wide<const N: usize>(self, recipe: &Recipe, columns: u16, from: &[[u32; 16]; N], to: [&mut [[u16; 16]; N]; 2]) {
        // SAFETY: as above.
        unsafe { wide(recipe, columns, from, to) }
    }

    #[inline(always)]
    fn clear_invalid<const N: usize>(self, columns: u16, valid: &[u8; N], rows: &mut [[u16; 16]; N]) {
        // SAFETY: as above.
        unsafe { clear_invalid(columns, valid, rows) }
    }
}

/// The recipe in vectors.
struct Broadcast {
    shifted: __m512i,
    flushed_exponent: __m512i,
    low_from_value: __m512i,
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe) -> Broadcast {
    Broadcast {
        shifted: _mm512_set1_epi32(recipe.shifted as i32),
        flushed_exponent: _mm512_set1_epi32(recipe.flushed_exponent as i32),
        low_from_value: _mm512_set1_epi32(recipe.low_from_value as i32),
    }
}

/// Each lane's word is there twice, beside itself; its copies test the bits 9 and 10.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn open_columns(lane_config: &[u32; 8]) -> u16 {
    // SAFETY: the configuration is 32 readable bytes; no alignment is asked for.
    let lanes = unsafe { _mm256_loadu_si256(lane_config.as_ptr().cast()) };
    let twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    let lanes = _mm512_permutexvar_epi32(twice, _mm512_castsi256_si512(lanes));
    _mm512_testn_epi32_mask(lanes, _mm512_set1_epi64(1 << 9 | 1 << (10 + 32)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn narrow<const N: usize>(recipe: &Recipe, columns: u16, from: &[[u32; 16]; N], to: &mut [[u16; 16]; N]) {
    let recipe = broadcast(recipe);
    let (from_pairs, from_last) = from.as_chunks::<2>();
    let (to_pairs, to_last) = to.as_chunks_mut::<2>();
    for ([from0, from1], to) in from_pairs.iter().zip(to_pairs) {
        let (value0, value1) = (value(&recipe, load(from0)), value(&recipe, load(from1)));
        store_pair(to, both(columns), pack(value0, value1));
    }
    for (from, to) in from_last.iter().zip(to_last) {
        store_row(to, columns, value(&recipe, load(from)));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn wide<const N: usize>(recipe: &Recipe, columns: u16, from: &[[u32; 16]; N], [high, low]: [&mut [[u16; 16]; N]; 2]) {
    let recipe = broadcast(recipe);
    let (from_pairs, from_last) = from.as_chunks::<2>();
    let (high_pairs, high_last) = high.as_chunks_mut::<2>();
    let (low_pairs, low_last) = low.as_chunks_mut::<2>();
    for (([from0, from1], high), low) in from_pairs.iter().zip(high_pairs).zip(low_pairs) {
        let ((high0, low0), (high1, low1)) = (halves(&recipe, load(from0)), halves(&recipe, load(from1)));
        store_pair(high, both(columns), pack(high0, high1));
        store_pair(low, both(columns), pack(low0, low1));
    }
    for ((from, high), low) in from_last.iter().zip(high_last).zip(low_last) {
        let (high_half, low_half) = halves(&recipe, load(from));
        store_row(high, columns, high_half);
        store_row(low, columns, low_half);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn clear_invalid<const N: usize>(columns: u16, valid: &[u8; N], rows: &mut [[u16; 16]; N]) {
    let (valid_pairs, valid_last) = valid.as_chunks::<2>();
    let (pairs, last) = rows.as_chunks_mut::<2>();
    let invalid = |valid: u8| u32::from(valid == 0);
    for (&[valid0, valid1], pair) in valid_pairs.iter().zip(pairs) {
        // Each of the two bits becomes a copy of the columns.
        let mask = u32::from(columns) * (invalid(valid0) | invalid(valid1) << 16);
        store_pair(pair, mask, _mm512_setzero_si512());
    }
    for (&valid, row) in valid_last.iter().zip(last) {
        store_row(row, columns * invalid(valid) as u16, _mm512_setzero_si512());
    }
}

/// The data that are not flushed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn kept(recipe: &Broadcast, data: __m512i) -> __mmask16 {
    _mm512_cmpneq_epi32_mask(_mm512_and_si512(data, _mm512_set1_epi32(0xff)), recipe.flushed_exponent)
}

/// The 16-bit values of a row, one in each 32-bit lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn value(recipe: &Broadcast, data: __m512i) -> __m512i {
    let kept = kept(recipe, data);
    // 0xca: the second operand where the first one is set, else the third.
    _mm512_maskz_ternarylogic_epi32::<0xca>(kept, recipe.shifted, _mm512_srli_epi32::<3>(data), data)
}

/// The high and the low half of the 32-bit values of a row, one in each 32-bit lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn halves(recipe: &Broadcast, data: __m512i) -> (__m512i, __m512i) {
    let kept = kept(recipe, data);
    let high = _mm512_maskz_ternarylogic_epi32::<0xca>(kept, recipe.shifted, _mm512_srli_epi32::<3>(data), data);
    let low_mantissa = _mm512_and_si512(_mm512_maskz_slli_epi32::<5>(kept, data), _mm512_set1_epi32(0xe000));
    // 0xf8: the first operand, or both of the others.
    let low = _mm512_ternarylogic_epi32::<0xf8>(low_mantissa, high, recipe.low_from_value);
    (high, low)
}

/// The columns of two adjacent rows.
#[inline]
const fn both(columns: u16) -> __mmask32 {
    (columns as u32) << 16 | columns as u32
}

/// Two rows of 16-bit values, from one in each 32-bit lane to one after the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn pack(first: __m512i, second: __m512i) -> __m512i {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi32(first, second))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load(from: &[u32; 16]) -> __m512i {
    // SAFETY: the row is 64 readable bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_pair(to: &mut [[u16; 16]; 2], columns: __mmask32, words: __m512i) {
    // SAFETY: the two rows are 64 writable bytes; no alignment is asked for.
    unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), columns, words) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_row(to: &mut [u16; 16], columns: __mmask16, values: __m512i) {
    // SAFETY: the row is 32 writable bytes; no alignment is asked for.
    unsafe { _mm256_mask_storeu_epi16(to.as_mut_ptr().cast(), columns, _mm512_cvtepi32_epi16(values)) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_give_every_datum_as_a_naive_loop_does() {
        match crate::Avx512::detect() {
            Some(level) => crate::tensix::mova2d_kit::check_kernels(level),
            None => crate::tensix::mova2d_kit::not_run("avx512"),
        }
    }
}
