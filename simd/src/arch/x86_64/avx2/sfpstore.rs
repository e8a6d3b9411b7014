//! `SFPSTORE` for AVX2.
//!
//! Eight lanes are one vector, and their pairs of columns are a row of `Dst`. The recipe's formula makes the bits for
//! `Dst`; the half that is stored is put into both columns of the pair by a shift and a blend of words, and a blend by
//! bytes lets one of them through.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The subtraction that stops at zero is a maximum and a subtraction.
//! 2. All magnitudes are below 2^31, so signed comparisons are unsigned ones; a magnitude is not below the smallest one if
//!    the latter is not greater.

use std::arch::x86_64::*;

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use super::sfpu::words;
use crate::Avx2;
use crate::tensix::sfpstore::{self, Kernels, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPSTORE` at this level.
pub(crate) fn execute(proof: Avx2, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX2, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, chip, step, state) }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx2, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpstore::execute(proof, chip, step, state)
}

impl Kernels for Avx2 {
    #[inline(always)]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run) {
        // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2; so in every method.
        unsafe { narrow(recipe, moves, from, to) }
    }

    #[inline(always)]
    fn wide(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: [&mut Run; 2]) {
        // SAFETY: as above.
        unsafe { wide(recipe, moves, from, to) }
    }
}

/// The recipe in vectors, with the column of each lane: all bits of its word.
struct Broadcast {
    complement: __m256i,
    rebias: __m256i,
    largest: __m256i,
    smallest: __m256i,
    in_place: __m256i,
    left: __m256i,
    up: __m128i,
    right: __m256i,
    down: __m128i,
    ones: __m256i,
    column: __m256i,
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe, odd: u32) -> Broadcast {
    let even = _mm256_set1_epi32(0xffff);
    Broadcast {
        complement: _mm256_set1_epi32(recipe.complement as i32),
        rebias: _mm256_set1_epi32(recipe.rebias as i32),
        largest: _mm256_set1_epi32(recipe.largest as i32),
        smallest: _mm256_set1_epi32(recipe.smallest as i32),
        in_place: _mm256_set1_epi32(recipe.in_place as i32),
        left: _mm256_set1_epi32(recipe.left as i32),
        up: _mm_cvtsi32_si128(recipe.up as i32),
        right: _mm256_set1_epi32(recipe.right as i32),
        down: _mm_cvtsi32_si128(recipe.down as i32),
        ones: _mm256_set1_epi32(recipe.ones as i32),
        column: _mm256_xor_si256(even, words(odd)),
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn narrow(recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run) {
    let recipe = broadcast(recipe, moves.odd);
    for (row, (from, to)) in from.as_chunks::<8>().0.iter().zip(to).enumerate() {
        let open = _mm256_and_si256(recipe.column, words(moves.moving >> (8 * row)));
        let bits = bits(&recipe, load(from));
        put(to, open, bits, _mm256_srli_epi32::<16>(bits));
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn wide(recipe: &Recipe, moves: Moves, from: &[u32; 32], [high, low]: [&mut Run; 2]) {
    let recipe = broadcast(recipe, moves.odd);
    for (row, ((from, high), low)) in from.as_chunks::<8>().0.iter().zip(high).zip(low).enumerate() {
        let open = _mm256_and_si256(recipe.column, words(moves.moving >> (8 * row)));
        let bits = bits(&recipe, load(from));
        put(high, open, bits, _mm256_srli_epi32::<16>(bits));
        put(low, open, _mm256_slli_epi32::<16>(bits), bits);
    }
}

/// The bits for `Dst`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn bits(recipe: &Broadcast, data: __m256i) -> __m256i {
    let sign = _mm256_set1_epi32(i32::MIN);
    let complement = _mm256_and_si256(_mm256_srai_epi32::<31>(data), recipe.complement);
    let absolute = _mm256_sub_epi32(_mm256_xor_si256(data, complement), complement);
    let magnitude = _mm256_andnot_si256(sign, absolute);
    let magnitude = _mm256_sub_epi32(_mm256_max_epi32(magnitude, recipe.rebias), recipe.rebias);
    let magnitude = _mm256_min_epi32(magnitude, recipe.largest);
    let flushed = _mm256_cmpgt_epi32(recipe.smallest, magnitude);
    let data = _mm256_or_si256(_mm256_and_si256(data, sign), _mm256_andnot_si256(flushed, magnitude));

    let in_place = _mm256_or_si256(_mm256_and_si256(data, recipe.in_place), recipe.ones);
    let left = _mm256_and_si256(_mm256_sll_epi32(data, recipe.up), recipe.left);
    let right = _mm256_and_si256(_mm256_srl_epi32(data, recipe.down), recipe.right);
    _mm256_or_si256(_mm256_or_si256(in_place, left), right)
}

/// Puts the upper half of `upper`, or the lower half of `lower`, where it is `open`, into a row.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn put(to: &mut [u16; 16], open: __m256i, upper: __m256i, lower: __m256i) {
    let at = to.as_mut_ptr().cast::<__m256i>();
    let both = _mm256_blend_epi16::<0b1010_1010>(lower, upper);
    // SAFETY: the row is 32 readable and writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(at, _mm256_blendv_epi8(_mm256_loadu_si256(at), both, open)) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn load(from: &[u32; 8]) -> __m256i {
    // SAFETY: the words are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use crate::tensix::sfpu_kit;
    use crate::{Avx2, Level};

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        match Avx2::detect() {
            Some(level) => sfpu_kit::check_store(level),
            None => sfpu_kit::not_run("avx2"),
        }
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        match Avx2::detect() {
            Some(level) => sfpu_kit::check_instructions(Level::Avx2(level), sfpu_kit::Which::Store),
            None => sfpu_kit::not_run("avx2"),
        }
    }
}
