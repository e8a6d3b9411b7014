//! `DPAS` for AVX2 and F16C, with FMA where the CPU has it.
//!
//! A vector has eight channels; sixteen are made in two passes. Integers are unpacked to words, two in a double word, and
//! one instruction multiplies and adds two products of each channel. Floats are widened to `F`; each product is a product
//! and a sum, or a fused step. All eight rows of a block are made side by side.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Every integer element fits a signed word, and so the products of words and their sums in pairs are exact.
//! 2. Two elements next to each other are in one double word, as its width is a multiple of theirs.
//! 3. What the host is set to is put aside for the time of a float kernel, if it is not rounding to nearest with denormals
//!    and without traps.
//! 4. Products of `HF`s are exact; so their fused steps are products and sums, for which nothing is asked of the CPU.
//! 5. Exact sums of rows, other fused steps on a CPU without FMA, and accumulators and results of 16 bits are the portable
//!    kernels', compiled for this level.

use std::arch::x86_64::*;

use tandem_isa::visa::model::Sum;
use tandem_isa::{Answer, State, Step};

use crate::Avx2;
use crate::arch::portable;
use crate::arch::x86_64::settings::with_default_settings;
use crate::visa::dpas::{
    self, ACTIVATIONS, BLOCK, Datum, Float, Integer, Kernels, MOST_ROWS, Operands, Places, Recipe, Rows, Work,
};

/// Executes one `DPAS` at this level.
pub(crate) fn execute(proof: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX2, F16C, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn compiled_for_level(proof: Avx2, step: &Step<'_>, state: &mut State) -> Answer {
    dpas::execute(proof, step, state)
}

impl Kernels for Avx2 {
    #[inline(always)]
    fn rows(self, recipe: &Recipe, places: &Places, file: &mut [u8]) {
        dpas::by_block(recipe, places, file, |operands, to| self.block(recipe, operands, to));
    }
}

impl Avx2 {
    /// Makes rows.
    #[inline(always)]
    fn block(self, recipe: &Recipe, operands: Operands<'_>, to: &mut Rows) {
        let is_wide = recipe.source == Datum::Word && recipe.destination == Datum::Word;
        // SAFETY: `self` proves that the CPU has AVX2, F16C, BMI1 and BMI2; FMA is asked for.
        unsafe {
            match recipe.work {
                Work::Integers { weights, activations } => integers(recipe, (weights, activations), operands, to),
                Work::Floats { sum: Sum::SingleRounding, .. } => floats_of_any_kind(recipe, operands, to),
                Work::Floats { float, sum } if is_wide && (float == Float::Hf || sum != Sum::Fused) => {
                    with_default_settings(|| floats(recipe, float, sum, operands, to));
                }
                Work::Floats { float, .. } if is_wide && is_x86_feature_detected!("fma") => {
                    with_default_settings(|| floats_fused(recipe, float, operands, to));
                }
                Work::Floats { .. } => floats_of_any_kind(recipe, operands, to),
            }
        }
    }
}

/// What has no kernel here.
#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn floats_of_any_kind(recipe: &Recipe, operands: Operands<'_>, to: &mut Rows) {
    if let Work::Floats { float, sum } = recipe.work {
        portable::dpas::floats(recipe, float, sum, operands, to);
    }
}

// ------------------------------------------------------------------------------------------------ integers

#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn integers(recipe: &Recipe, (weights, activations): (Integer, Integer), operands: Operands<'_>, to: &mut Rows) {
    let pairs = (recipe.num_products / 2).min(32);
    let mut factors = [[0i32; 32]; MOST_ROWS];
    for (row, factors) in factors.iter_mut().enumerate() {
        for (pair, factor) in factors.iter_mut().enumerate().take(pairs) {
            let bit = row * recipe.pitch + 2 * pair * usize::from(activations.bits);
            *factor = words_of(activations, operands.activations, bit);
        }
    }
    let (row_bytes, bits) = (4 * recipe.channels, usize::from(weights.bits));
    for first in (0..row_bytes).step_by(32) {
        let zero = _mm256_setzero_si256();
        let mut sums = [zero, zero, zero, zero, zero, zero, zero, zero];
        for pair in 0..pairs {
            let bit = 2 * pair * bits;
            let words = load(operands.weights, bit / 32 * row_bytes + first);
            // Each element goes to the top of a double word, and down again with its sign or with zeros.
            let down = _mm_cvtsi32_si128(32 - bits as i32);
            let [low, high] = [bit % 32, bit % 32 + bits].map(|bit| {
                let top = _mm256_sll_epi32(words, _mm_cvtsi32_si128((32 - bits - bit) as i32));
                if weights.is_signed { _mm256_sra_epi32(top, down) } else { _mm256_srl_epi32(top, down) }
            });
            let both = _mm256_blend_epi16::<0xaa>(low, _mm256_slli_epi32::<16>(high));
            for (sum, factors) in sums.iter_mut().zip(&factors) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(both, _mm256_set1_epi32(factors[pair])));
            }
        }
        for (row, sum) in sums.into_iter().enumerate() {
            let at = row * row_bytes + first;
            store(to, at, _mm256_add_epi32(sum, load(operands.accumulators, at)));
        }
    }
}

/// Two elements from a bit on, as words.
#[inline(always)]
fn words_of(integer: Integer, from: &[u8; ACTIVATIONS], bit: usize) -> i32 {
    // Only elements of 8 bits are in two bytes; where there is no second one, none is asked for.
    let [first, second] = [bit / 8, bit / 8 + 1].map(|byte| from[byte.min(ACTIVATIONS - 1)]);
    let both = u32::from(u16::from_le_bytes([first, second])) >> (bit % 8);
    let word = |bits: u32| ((bits & integer.mask()) ^ integer.sign()).wrapping_sub(integer.sign());
    ((word(both) & 0xffff) | word(both >> integer.bits) << 16).cast_signed()
}

// ------------------------------------------------------------------------------------------------ floats

#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn floats(recipe: &Recipe, float: Float, sum: Sum, operands: Operands<'_>, to: &mut Rows) {
    let product = |weights, factor| _mm256_mul_ps(weights, _mm256_set1_ps(factor));
    if sum == Sum::Pairwise && float.bits() == 16 {
        float_rows(recipe, float, operands, to, |sum, weights, factors| {
            let both = _mm256_add_ps(product(weights[0], factors[0]), product(weights[1], factors[1]));
            _mm256_add_ps(sum, both)
        });
    } else if float.bits() == 16 {
        float_rows(recipe, float, operands, to, |sum, weights, factors| {
            let sum = _mm256_add_ps(sum, product(weights[0], factors[0]));
            _mm256_add_ps(sum, product(weights[1], factors[1]))
        });
    } else {
        float_rows(recipe, float, operands, to, |sum, weights, factors| {
            _mm256_add_ps(sum, product(weights[0], factors[0]))
        });
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,f16c,fma,bmi1,bmi2")]
fn floats_fused(recipe: &Recipe, float: Float, operands: Operands<'_>, to: &mut Rows) {
    if float.bits() == 16 {
        float_rows(recipe, float, operands, to, |sum, weights, factors| {
            let sum = _mm256_fmadd_ps(weights[0], _mm256_set1_ps(factors[0]), sum);
            _mm256_fmadd_ps(weights[1], _mm256_set1_ps(factors[1]), sum)
        });
    } else {
        float_rows(recipe, float, operands, to, |sum, weights, factors| {
            _mm256_fmadd_ps(weights[0], _mm256_set1_ps(factors[0]), sum)
        });
    }
}

/// Rows of floats, `depth` doing the steps of one depth.
#[inline(always)]
fn float_rows(
    recipe: &Recipe,
    float: Float,
    operands: Operands<'_>,
    to: &mut Rows,
    depth: impl Fn(__m256, [__m256; 2], [f32; 2]) -> __m256 + Copy,
) {
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let (row_bytes, ops) = (4 * recipe.channels, 32 / float.bits());
        // Of a pair in a double word, the lower ones are in the first half of a row.
        let mut factors = [[0f32; 16]; MOST_ROWS];
        for (row, factors) in factors.iter_mut().enumerate() {
            let start = (row * recipe.pitch / 8).min(ACTIVATIONS - 32);
            let from: &[u8; 32] = operands.activations[start..].first_chunk().expect("32 bytes");
            let [low, high] = widened(float, _mm256_loadu_si256(from.as_ptr().cast()));
            _mm256_storeu_ps(factors[..8].as_mut_ptr(), low);
            _mm256_storeu_ps(factors[8..].as_mut_ptr(), high);
        }
        for first in (0..row_bytes).step_by(32) {
            let zero = _mm256_setzero_ps();
            let mut sums = [zero, zero, zero, zero, zero, zero, zero, zero];
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_castsi256_ps(load(operands.accumulators, row * row_bytes + first));
            }
            for step in 0..(recipe.num_products / ops).min(8) {
                let weights = widened(float, load(operands.weights, step * row_bytes + first));
                for (sum, factors) in sums.iter_mut().zip(&factors) {
                    *sum = depth(*sum, weights, [factors[step], factors[8 + step]]);
                }
            }
            for (row, sum) in sums.into_iter().enumerate() {
                let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(sum, sum);
                let nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc0_0000));
                let canonical = _mm256_castps_si256(_mm256_blendv_ps(sum, nan, is_nan));
                store(to, row * row_bytes + first, canonical);
            }
        }
    }
}

/// The `F`s of the double words' low halves and of their high ones; those of `tf32` are all in the first.
#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn widened(float: Float, words: __m256i) -> [__m256; 2] {
    match float {
        Float::Bf => {
            let high = _mm256_and_si256(words, _mm256_set1_epi32(!0xffff));
            [_mm256_castsi256_ps(_mm256_slli_epi32::<16>(words)), _mm256_castsi256_ps(high)]
        }
        Float::Hf => {
            let low = _mm256_and_si256(words, _mm256_set1_epi32(0xffff));
            // Words of the quarters go side by side, low ones of all and then high ones.
            let packed = _mm256_packus_epi32(low, _mm256_srli_epi32::<16>(words));
            let ordered = _mm256_permute4x64_epi64::<0xd8>(packed);
            [_mm256_cvtph_ps(_mm256_castsi256_si128(ordered)), _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(ordered))]
        }
        Float::Tf32(mask) => {
            let used = _mm256_and_si256(words, _mm256_set1_epi32(mask.cast_signed()));
            [_mm256_castsi256_ps(used), _mm256_setzero_ps()]
        }
    }
}

// ------------------------------------------------------------------------------------------------ memory

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn load(from: &[u8; BLOCK], byte: usize) -> __m256i {
    let bytes: &[u8; 32] = from[byte..].first_chunk().expect("32 bytes");
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn store(to: &mut Rows, byte: usize, value: __m256i) {
    let bytes: &mut [u8; 32] = to.0[byte..].first_chunk_mut().expect("32 bytes");
    // SAFETY: there are 32 writable bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}
