//! `SFPLOAD` for AVX2.
//!
//! A row of `Dst` is one vector of eight pairs of columns, one for each lane. A shift by 16 or by none in each lane brings
//! the column that is chosen to the upper half; the recipe's formula makes the datum; a blend by bytes puts it into the
//! `LReg`.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The bits of a word that are kept are two of its bytes, so one blend does both those and the lanes that do not move.
//! 2. An odd column is not shifted: it is in the upper half already. In the low row of a 32-bit datum it is the even one.

use std::arch::x86_64::*;

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use super::sfpu::words;
use crate::Avx2;
use crate::tensix::sfpload::{self, EXPONENT, Kernels, LARGEST, LARGEST_TO_INFINITY, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPLOAD` at this level.
pub(crate) fn execute(proof: Avx2, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX2, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, chip, step, state) }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx2, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpload::execute(proof, chip, step, state)
}

impl Kernels for Avx2 {
    #[inline(always)]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
        // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2; so in every method.
        unsafe {
            if recipe.is_plain() {
                narrow::<true>(recipe, moves, from, to);
            } else {
                narrow::<false>(recipe, moves, from, to);
            }
        }
    }

    #[inline(always)]
    fn wide(self, recipe: &Recipe, moves: Moves, from: [&Run; 2], to: &mut [u32; 32]) {
        // SAFETY: as above.
        unsafe {
            if recipe.is_plain() {
                wide::<true>(recipe, moves, from, to);
            } else {
                wide::<false>(recipe, moves, from, to);
            }
        }
    }

    #[inline(always)]
    fn capture(self, moves: Moves, first: u32, to: &mut [u32; 32]) {
        // SAFETY: as above.
        unsafe { capture(moves, first, to) }
    }
}

/// The recipe in vectors, with the lanes in which the largest FP16 is infinity.
struct Broadcast {
    in_place: __m256i,
    left: __m256i,
    right: __m256i,
    shift: __m128i,
    rebias: __m256i,
    complement: __m256i,
    keep: __m256i,
    infinite: __m256i,
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe, infinite: u32) -> Broadcast {
    Broadcast {
        in_place: _mm256_set1_epi32(recipe.in_place as i32),
        left: _mm256_set1_epi32(recipe.left as i32),
        right: _mm256_set1_epi32(recipe.right as i32),
        shift: _mm_cvtsi32_si128(recipe.shift as i32),
        rebias: _mm256_set1_epi32(recipe.rebias as i32),
        complement: _mm256_set1_epi32(recipe.complement as i32),
        keep: _mm256_set1_epi32(recipe.keep as i32),
        infinite: words(infinite),
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn narrow<const PLAIN: bool>(recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
    let recipe = broadcast(recipe, moves.infinite);
    let even_up = _mm256_andnot_si256(words(moves.odd), _mm256_set1_epi32(16));
    for (row, (from, to)) in from.iter().zip(to.as_chunks_mut::<8>().0).enumerate() {
        put::<PLAIN>(&recipe, _mm256_sllv_epi32(load_row(from), even_up), words(moves.moving >> (8 * row)), to);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn wide<const PLAIN: bool>(recipe: &Recipe, moves: Moves, [high, low]: [&Run; 2], to: &mut [u32; 32]) {
    let recipe = broadcast(recipe, moves.infinite);
    let odd = words(moves.odd);
    let even_up = _mm256_andnot_si256(odd, _mm256_set1_epi32(16));
    let odd_down = _mm256_and_si256(odd, _mm256_set1_epi32(16));
    for (row, ((high, low), to)) in high.iter().zip(low).zip(to.as_chunks_mut::<8>().0).enumerate() {
        let high = _mm256_sllv_epi32(load_row(high), even_up);
        let low = _mm256_srlv_epi32(load_row(low), odd_down);
        put::<PLAIN>(&recipe, _mm256_blend_epi16::<0b1010_1010>(low, high), words(moves.moving >> (8 * row)), to);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn capture(moves: Moves, first: u32, to: &mut [u32; 32]) {
    let odd = _mm256_and_si256(words(moves.odd), _mm256_set1_epi32(1));
    let columns = _mm256_or_si256(_mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14), odd);
    for (row, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let indices = _mm256_add_epi32(columns, _mm256_set1_epi32(first as i32 + 16 * row as i32));
        store(to, words(moves.moving >> (8 * row)), indices);
    }
}

/// Makes the data of eight lanes and stores those that move.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn put<const PLAIN: bool>(recipe: &Broadcast, bits: __m256i, moving: __m256i, to: &mut [u32; 8]) {
    let in_place = _mm256_and_si256(bits, recipe.in_place);
    let left = _mm256_and_si256(_mm256_slli_epi32::<7>(bits), recipe.left);
    let right = _mm256_and_si256(_mm256_srl_epi32(bits, recipe.shift), recipe.right);
    let datum = _mm256_or_si256(_mm256_or_si256(in_place, left), right);
    let datum = if PLAIN { datum } else { finish(recipe, datum) };
    store(to, _mm256_andnot_si256(recipe.keep, moving), datum);
}

/// Rebiases FP16, puts infinity in, and makes two's complement.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn finish(recipe: &Broadcast, datum: __m256i) -> __m256i {
    let exponent = _mm256_and_si256(datum, _mm256_set1_epi32(EXPONENT as i32));
    let denormal = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
    let datum = _mm256_add_epi32(datum, _mm256_andnot_si256(denormal, recipe.rebias));
    let magnitude = _mm256_and_si256(datum, _mm256_set1_epi32(0x7fff_ffff));
    let is_largest = _mm256_cmpeq_epi32(magnitude, _mm256_set1_epi32(LARGEST as i32));
    let to_infinity = _mm256_and_si256(recipe.infinite, _mm256_set1_epi32(LARGEST_TO_INFINITY as i32));
    let datum = _mm256_xor_si256(datum, _mm256_and_si256(is_largest, to_infinity));
    let negative = _mm256_and_si256(_mm256_srai_epi32::<31>(datum), recipe.complement);
    _mm256_sub_epi32(_mm256_xor_si256(datum, _mm256_srli_epi32::<1>(negative)), negative)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn load_row(from: &[u16; 16]) -> __m256i {
    // SAFETY: the row is 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Stores the bytes that `which` selects.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn store(to: &mut [u32; 8], which: __m256i, words: __m256i) {
    let at = to.as_mut_ptr().cast::<__m256i>();
    // SAFETY: the words are 32 readable and writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(at, _mm256_blendv_epi8(_mm256_loadu_si256(at), words, which)) }
}

#[cfg(test)]
mod tests {
    use crate::tensix::sfpu_kit;
    use crate::{Avx2, Level};

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        match Avx2::detect() {
            Some(level) => sfpu_kit::check_load(level),
            None => sfpu_kit::not_run("avx2"),
        }
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        match Avx2::detect() {
            Some(level) => sfpu_kit::check_instructions(Level::Avx2(level), sfpu_kit::Which::Load),
            None => sfpu_kit::not_run("avx2"),
        }
    }
}
