//! `MOVA2D` for AVX2.
//!
//! A row of 16 data is two vectors of eight. What comes from the shifted datum (sign and mantissa) and what comes from
//! the datum in place (exponent) are packed to 16 bits first; selection and flushing are then done once for the row,
//! on 16 words. Blocked columns keep the old word by a blend.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Packing saturates, but a 19-bit datum shifted right by three and eight exponent bits both fit in 16 bits.
//! 2. Packing works within 128-bit halves, so the quarters of the row come out as 0, 2, 1, 3; all that is done to words
//!    in this order treats them alike, and one permutation of quarters before the blend restores the order.
//! 3. The three low mantissa bits of a 32-bit write are taken from the shifted word: they are its bits 5 to 7, and a
//!    shift by eight moves them to bits 13 to 15 and everything above them out of the word.

use std::arch::x86_64::*;

use tandem_isa::{Answer, State, Step};

use crate::Avx2;
use crate::tensix::mova2d::{self, Kernels, Recipe};

/// Executes one `MOVA2D` at this level.
pub(crate) fn execute(proof: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX2, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    mova2d::execute(proof, step, state)
}

impl Kernels for Avx2 {
    /// All bits of the words of open columns.
    type Columns = __m256i;

    #[inline(always)]
    fn open_columns(self, lane_config: &[u32; 8]) -> __m256i {
        // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2; so in every method.
        unsafe { open_columns(lane_config) }
    }

    #[inline(always)]
    fn any(self, columns: __m256i) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(columns, columns) == 0 }
    }

    #[inline(always)]
    fn narrow<const N: usize>(self, recipe: &Recipe, columns: __m256i, from: &[[u32; 16]; N], to: &mut [[u16; 16]; N]) {
        // SAFETY: as above.
        unsafe { narrow(recipe, columns, from, to) }
    }

    #[inline(always)]
    fn wide<const N: usize>(
        self,
        recipe: &Recipe,
        columns: __m256i,
        from: &[[u32; 16]; N],
        to: [&mut [[u16; 16]; N]; 2],
    ) {
        // SAFETY: as above.
        unsafe { wide(recipe, columns, from, to) }
    }

    #[inline(always)]
    fn clear_invalid<const N: usize>(self, columns: __m256i, valid: &[u8; N], rows: &mut [[u16; 16]; N]) {
        // SAFETY: as above.
        unsafe { clear_invalid(columns, valid, rows) }
    }
}

/// A row after packing, its quarters in the order 0, 2, 1, 3: the 16-bit values, and what is shifted, both flushed.
struct Packed {
    value: __m256i,
    shifted: __m256i,
}

/// The recipe in vectors.
struct Broadcast {
    shifted: __m256i,
    flushed_exponent: __m256i,
    low_from_value: __m256i,
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe) -> Broadcast {
    Broadcast {
        shifted: _mm256_set1_epi16(recipe.shifted as i16),
        flushed_exponent: _mm256_set1_epi16(recipe.flushed_exponent as i16),
        low_from_value: _mm256_set1_epi16(recipe.low_from_value as i16),
    }
}

/// The lane's bits 9 and 10 go to the signs of the two words that its columns have in a row of `Dst`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn open_columns(lane_config: &[u32; 8]) -> __m256i {
    // SAFETY: the configuration is 32 readable bytes; no alignment is asked for.
    let lanes = unsafe { _mm256_loadu_si256(lane_config.as_ptr().cast()) };
    let signs = _mm256_blend_epi16::<0b1010_1010>(_mm256_slli_epi32::<6>(lanes), _mm256_slli_epi32::<21>(lanes));
    _mm256_cmpgt_epi16(signs, _mm256_set1_epi16(-1))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn narrow<const N: usize>(recipe: &Recipe, columns: __m256i, from: &[[u32; 16]; N], to: &mut [[u16; 16]; N]) {
    let recipe = broadcast(recipe);
    for (from, to) in from.iter().zip(to) {
        store_open(to, columns, in_order(pack(&recipe, from).value));
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn wide<const N: usize>(
    recipe: &Recipe,
    columns: __m256i,
    from: &[[u32; 16]; N],
    [high, low]: [&mut [[u16; 16]; N]; 2],
) {
    let recipe = broadcast(recipe);
    for ((from, high), low) in from.iter().zip(high).zip(low) {
        let Packed { value, shifted } = pack(&recipe, from);
        let low_mantissa = _mm256_and_si256(_mm256_slli_epi16::<8>(shifted), _mm256_set1_epi16(0xe000_u16 as i16));
        let low_half = _mm256_or_si256(low_mantissa, _mm256_and_si256(value, recipe.low_from_value));
        store_open(high, columns, in_order(value));
        store_open(low, columns, in_order(low_half));
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn clear_invalid<const N: usize>(columns: __m256i, valid: &[u8; N], rows: &mut [[u16; 16]; N]) {
    for (valid, row) in valid.iter().zip(rows) {
        let invalid = _mm256_cmpeq_epi16(_mm256_set1_epi16(i16::from(*valid)), _mm256_setzero_si256());
        let old = load(row);
        store(row, _mm256_andnot_si256(_mm256_and_si256(invalid, columns), old));
    }
}

/// Packs, flushes and selects.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn pack(recipe: &Broadcast, from: &[u32; 16]) -> Packed {
    let [left, right] = load_data(from);
    let exponent = _mm256_set1_epi32(0xff);
    let in_place = _mm256_packus_epi32(_mm256_and_si256(left, exponent), _mm256_and_si256(right, exponent));
    let flushed = _mm256_cmpeq_epi16(in_place, recipe.flushed_exponent);
    let shifted = _mm256_packus_epi32(_mm256_srli_epi32::<3>(left), _mm256_srli_epi32::<3>(right));
    let value =
        _mm256_or_si256(_mm256_and_si256(shifted, recipe.shifted), _mm256_andnot_si256(recipe.shifted, in_place));
    Packed { value: _mm256_andnot_si256(flushed, value), shifted: _mm256_andnot_si256(flushed, shifted) }
}

/// Restores the order of the quarters that packing has exchanged.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn in_order(words: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(words)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn store_open(to: &mut [u16; 16], open: __m256i, words: __m256i) {
    store(to, _mm256_blendv_epi8(load(to), words, open));
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn load_data(from: &[u32; 16]) -> [__m256i; 2] {
    let at = from.as_ptr().cast::<__m256i>();
    // SAFETY: the row is 64 bytes, so both halves of 32 bytes are readable; no alignment is asked for.
    unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn load(from: &[u16; 16]) -> __m256i {
    // SAFETY: the row is 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn store(to: &mut [u16; 16], words: __m256i) {
    // SAFETY: the row is 32 writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_give_every_datum_as_a_naive_loop_does() {
        match crate::Avx2::detect() {
            Some(level) => crate::tensix::mova2d_kit::check_kernels(level),
            None => crate::tensix::mova2d_kit::not_run("avx2"),
        }
    }
}
