//! `SFPLOAD` for AVX-512 F, BW, DQ and VL.
//!
//! Two rows of `Dst` are one vector of 16 pairs of columns, one for each lane. A masked shift brings the column that is
//! chosen to the upper half; ternary operations collect the datum from it and its shifted copies; FP16's bias, infinity
//! and two's complement are operations under masks; the lanes that move are stored under a mask.
//!
//! What bounds 32 lanes on a CPU with two ports for vectors of 512 bits, counted by hand; the rest of an instruction is
//! decoding, addresses, counters and marks:
//!
//! | mode | bounding uops | cycles |
//! |---|---|---|
//! | `BF16`, `INT8` | 12 for data, 4 broadcasts, 3 moves to masks | 10 |
//! | `FP16` | 28 for data, 5 broadcasts, 5 moves to masks | 19 |
//! | `FP32` | 16 for data, 4 broadcasts, 3 moves to masks | 12 |
//!
//! What differs from the portable level, and why it is equal:
//! 1. An odd column is not shifted: it is in the upper half already.
//! 2. A lane that does not move is not stored, instead of being stored with the old word. The bits of a word that are
//!    kept are one of its halves, so the mask is one of halves.
//! 3. Two's complement of a negative datum is 2^31 less the datum: its sign is 2^31 itself.

use std::arch::x86_64::*;

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::tensix::sfpload::{self, EXPONENT, Kernels, LARGEST, LARGEST_TO_INFINITY, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPLOAD` at this level.
pub(crate) fn execute(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, chip, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpload::execute(proof, chip, step, state)
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; so in every method.
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

/// The recipe in vectors.
struct Broadcast {
    in_place: __m512i,
    left: __m512i,
    right: __m512i,
    shift: __m512i,
    rebias: __m512i,
    complement: __mmask16,
    /// The halves of 16 words that are stored if the lane moves.
    halves: __mmask32,
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe) -> Broadcast {
    Broadcast {
        in_place: _mm512_set1_epi32(recipe.in_place as i32),
        left: _mm512_set1_epi32(recipe.left as i32),
        right: _mm512_set1_epi32(recipe.right as i32),
        shift: _mm512_set1_epi32(recipe.shift as i32),
        rebias: _mm512_set1_epi32(recipe.rebias as i32),
        complement: recipe.complement as u16,
        // Bit 0 for the low half and bit 16 for the high one become bits 0 and 1, for every word.
        halves: ((!recipe.keep & 1) | (!recipe.keep >> 15 & 2)) * 0x5555_5555,
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn narrow<const PLAIN: bool>(recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
    let recipe = broadcast(recipe);
    let (odd, infinite) = (twice(moves.odd), twice(moves.infinite));
    for (index, (from, to)) in from.as_chunks::<2>().0.iter().zip(to.as_chunks_mut::<16>().0).enumerate() {
        put::<PLAIN>(&recipe, upper(load_rows(from), odd), infinite, (moves.moving >> (16 * index)) as u16, to);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn wide<const PLAIN: bool>(recipe: &Recipe, moves: Moves, [high, low]: [&Run; 2], to: &mut [u32; 32]) {
    let recipe = broadcast(recipe);
    let (odd, infinite) = (twice(moves.odd), twice(moves.infinite));
    let rows = high.as_chunks::<2>().0.iter().zip(low.as_chunks::<2>().0);
    for (index, ((high, low), to)) in rows.zip(to.as_chunks_mut::<16>().0).enumerate() {
        let low = load_rows(low);
        let low = _mm512_mask_srli_epi32::<16>(low, odd, low);
        // 0xca: the second operand where the first one is set, else the third.
        let halves = _mm512_set1_epi32(0xffff_0000_u32 as i32);
        let bits = _mm512_ternarylogic_epi32::<0xca>(halves, upper(load_rows(high), odd), low);
        put::<PLAIN>(&recipe, bits, infinite, (moves.moving >> (16 * index)) as u16, to);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn capture(moves: Moves, first: u32, to: &mut [u32; 32]) {
    let columns = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_maskz_set1_epi32(twice(moves.odd), 1);
    let columns = _mm512_or_si512(columns, odd);
    for (index, to) in to.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let indices = _mm512_add_epi32(columns, _mm512_set1_epi32(first as i32 + 32 * index as i32));
        store(to, halves((moves.moving >> (16 * index)) as u16), indices);
    }
}

/// The lanes of a row, for two rows.
#[inline]
const fn twice(lanes: u32) -> __mmask16 {
    (lanes | lanes << 8) as u16
}

/// The column that is chosen, in the upper half; the lower half is of no meaning.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn upper(pairs: __m512i, odd: __mmask16) -> __m512i {
    _mm512_mask_slli_epi32::<16>(pairs, !odd, pairs)
}

/// Makes the data of 16 lanes and stores those that move.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn put<const PLAIN: bool>(
    recipe: &Broadcast,
    bits: __m512i,
    infinite: __mmask16,
    moving: __mmask16,
    to: &mut [u32; 16],
) {
    // 0xf8: the first operand, or both of the others.
    let datum = _mm512_and_si512(bits, recipe.in_place);
    let datum = _mm512_ternarylogic_epi32::<0xf8>(datum, _mm512_slli_epi32::<7>(bits), recipe.left);
    let datum = _mm512_ternarylogic_epi32::<0xf8>(datum, _mm512_srlv_epi32(bits, recipe.shift), recipe.right);
    let datum = if PLAIN { datum } else { finish(recipe, datum, infinite) };
    store(to, halves(moving) & recipe.halves, datum);
}

/// Rebiases FP16, puts infinity in, and makes two's complement.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn finish(recipe: &Broadcast, datum: __m512i, infinite: __mmask16) -> __m512i {
    let rebiased = _mm512_test_epi32_mask(datum, _mm512_set1_epi32(EXPONENT as i32));
    let datum = _mm512_mask_add_epi32(datum, rebiased, datum, recipe.rebias);
    let magnitude = _mm512_and_si512(datum, _mm512_set1_epi32(0x7fff_ffff));
    let is_largest = _mm512_mask_cmpeq_epi32_mask(infinite, magnitude, _mm512_set1_epi32(LARGEST as i32));
    let datum = _mm512_mask_xor_epi32(datum, is_largest, datum, _mm512_set1_epi32(LARGEST_TO_INFINITY as i32));
    let negative = _mm512_movepi32_mask(datum) & recipe.complement;
    _mm512_mask_sub_epi32(datum, negative, _mm512_set1_epi32(i32::MIN), datum)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_rows(from: &[[u16; 16]; 2]) -> __m512i {
    // SAFETY: the two rows are 64 readable bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Both halves of the words of 16 lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn halves(lanes: __mmask16) -> __mmask32 {
    3 * _pdep_u32(u32::from(lanes), 0x5555_5555)
}

/// Stores the halves of words that `which` selects.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store(to: &mut [u32; 16], which: __mmask32, words: __m512i) {
    // SAFETY: the words are 64 writable bytes; no alignment is asked for.
    unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), which, words) }
}

#[cfg(test)]
mod tests {
    use crate::tensix::sfpu_kit;
    use crate::{Avx512, Level};

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        match Avx512::detect() {
            Some(level) => sfpu_kit::check_load(level),
            None => sfpu_kit::not_run("avx512"),
        }
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        match Avx512::detect() {
            Some(level) => sfpu_kit::check_instructions(Level::Avx512(level), sfpu_kit::Which::Load),
            None => sfpu_kit::not_run("avx512"),
        }
    }
}
