//! `SFPSTORE` for AVX-512 F, BW, DQ and VL.
//!
//! Sixteen lanes are one vector, and their pairs of columns are two rows of `Dst`. Two's complement, rebias, clamp and
//! flush are operations under masks; ternary operations collect the bits for `Dst`, put the half that is stored into both
//! columns of the pair, and let one of them through.
//!
//! What bounds 32 lanes on a CPU with two ports for vectors of 512 bits, counted by hand; the rest of an instruction is
//! decoding, addresses, counters and marks:
//!
//! | mode | bounding uops | cycles |
//! |---|---|---|
//! | `BF16` | 42 for data, 10 broadcasts, 4 moves to masks | 28 |
//! | `FP32` | 48 for data, 10 broadcasts, 4 moves to masks | 31 |
//!
//! What differs from the portable level, and why it is equal:
//! 1. A negative two's complement is negated and its sign set again, which -2^31 does not change.
//! 2. The subtraction that stops at zero is a maximum and a subtraction. All magnitudes are below 2^31, so comparisons
//!    are unsigned or signed alike.

use std::arch::x86_64::*;

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::tensix::sfpstore::{self, Kernels, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPSTORE` at this level.
pub(crate) fn execute(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, chip, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpstore::execute(proof, chip, step, state)
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; so in every method.
        unsafe { narrow(recipe, moves, from, to) }
    }

    #[inline(always)]
    fn wide(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: [&mut Run; 2]) {
        // SAFETY: as above.
        unsafe { wide(recipe, moves, from, to) }
    }
}

/// The recipe in vectors.
struct Broadcast {
    complement: __mmask16,
    rebias: __m512i,
    largest: __m512i,
    smallest: __m512i,
    in_place: __m512i,
    left: __m512i,
    up: __m512i,
    right: __m512i,
    down: __m512i,
    ones: __m512i,
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn broadcast(recipe: &Recipe) -> Broadcast {
    Broadcast {
        complement: recipe.complement as u16,
        rebias: _mm512_set1_epi32(recipe.rebias as i32),
        largest: _mm512_set1_epi32(recipe.largest as i32),
        smallest: _mm512_set1_epi32(recipe.smallest as i32),
        in_place: _mm512_set1_epi32(recipe.in_place as i32),
        left: _mm512_set1_epi32(recipe.left as i32),
        up: _mm512_set1_epi32(recipe.up as i32),
        right: _mm512_set1_epi32(recipe.right as i32),
        down: _mm512_set1_epi32(recipe.down as i32),
        ones: _mm512_set1_epi32(recipe.ones as i32),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn narrow(recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run) {
    let recipe = broadcast(recipe);
    for (index, (from, to)) in from.as_chunks::<16>().0.iter().zip(to.as_chunks_mut::<2>().0).enumerate() {
        let bits = bits(&recipe, load(from));
        put(to, open(moves, index), bits, _mm512_srli_epi32::<16>(bits));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn wide(recipe: &Recipe, moves: Moves, from: &[u32; 32], [high, low]: [&mut Run; 2]) {
    let recipe = broadcast(recipe);
    let rows = high.as_chunks_mut::<2>().0.iter_mut().zip(low.as_chunks_mut::<2>().0);
    for (index, (from, (high, low))) in from.as_chunks::<16>().0.iter().zip(rows).enumerate() {
        let (bits, open) = (bits(&recipe, load(from)), open(moves, index));
        put(high, open, bits, _mm512_srli_epi32::<16>(bits));
        put(low, open, _mm512_slli_epi32::<16>(bits), bits);
    }
}

/// The bits for `Dst`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn bits(recipe: &Broadcast, data: __m512i) -> __m512i {
    let (sign, zero) = (_mm512_set1_epi32(i32::MIN), _mm512_setzero_si512());
    let negative = _mm512_movepi32_mask(data) & recipe.complement;
    let data = _mm512_mask_sub_epi32(data, negative, zero, data);
    let data = _mm512_mask_or_epi32(data, negative, data, sign);

    let magnitude = _mm512_andnot_si512(sign, data);
    let magnitude = _mm512_sub_epi32(_mm512_max_epu32(magnitude, recipe.rebias), recipe.rebias);
    let magnitude = _mm512_min_epu32(magnitude, recipe.largest);
    let kept = _mm512_cmpge_epu32_mask(magnitude, recipe.smallest);
    let sign = _mm512_and_si512(data, sign);
    let data = _mm512_mask_or_epi32(sign, kept, sign, magnitude);

    // 0xf8: the first operand, or both of the others.
    let bits = _mm512_ternarylogic_epi32::<0xf8>(recipe.ones, data, recipe.in_place);
    let bits = _mm512_ternarylogic_epi32::<0xf8>(bits, _mm512_sllv_epi32(data, recipe.up), recipe.left);
    _mm512_ternarylogic_epi32::<0xf8>(bits, _mm512_srlv_epi32(data, recipe.down), recipe.right)
}

/// For each pair of columns of 16 lanes, the half that is written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn open(moves: Moves, index: usize) -> __m512i {
    let odd = (moves.odd | moves.odd << 8) as u16;
    let moving = (moves.moving >> (16 * index)) as u16;
    let even = _mm512_maskz_set1_epi32(moving, 0xffff);
    _mm512_mask_slli_epi32::<16>(even, odd, even)
}

/// Puts the upper half of `upper`, or the lower half of `lower`, where it is `open`, into two rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn put(to: &mut [[u16; 16]; 2], open: __m512i, upper: __m512i, lower: __m512i) {
    let at = to.as_mut_ptr().cast();
    // 0xca: the second operand where the first one is set, else the third.
    let both = _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(0xffff_0000_u32 as i32), upper, lower);
    // SAFETY: the two rows are 64 readable and writable bytes; no alignment is asked for.
    unsafe {
        let old = _mm512_loadu_si512(at);
        _mm512_storeu_si512(at.cast(), _mm512_ternarylogic_epi32::<0xca>(open, both, old));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load(from: &[u32; 16]) -> __m512i {
    // SAFETY: the words are 64 readable bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use crate::tensix::sfpu_kit;
    use crate::{Avx512, Level};

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        match Avx512::detect() {
            Some(level) => sfpu_kit::check_store(level),
            None => sfpu_kit::not_run("avx512"),
        }
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        match Avx512::detect() {
            Some(level) => sfpu_kit::check_instructions(Level::Avx512(level), sfpu_kit::Which::Store),
            None => sfpu_kit::not_run("avx512"),
        }
    }
}
