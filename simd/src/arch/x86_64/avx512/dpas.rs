//! `DPAS` for AVX-512 F, BW, DQ and VL, with VNNI where the CPU has it.
//!
//! A vector has sixteen channels, or eight and zeros. Integers are unpacked to bytes, four in a double word, weights made
//! unsigned and activations signed; then one instruction multiplies and adds four products of each channel. Floats are
//! widened to `F`; each product is one or two instructions. All eight rows of a block are made side by side, each in a
//! vector of its own, so that they do not wait for each other; their activations are broadcast from memory.
//!
//! What differs from the portable level, and why it is equal:
//! 1. With weights `w = w' - p` and activations `a = a' + q`, the sum of `w * a` is that of `w' * a'`, less `p` times that
//!    of `a`, plus `q` times that of `w'`: `p` is the weight of a sign, `q` is 128 for `u8` and else 0. The instruction
//!    for dot products does not saturate; all is modulo 2^32.
//! 2. Weights of 4 and 2 bits are unpacked by shifts and masks, which takes every second or fourth one of 8 or 16.
//!    Activations are put into the same order. The order of an exact sum does not matter.
//! 3. Vectors may hold elements beyond the last product: there, activations are 0.
//! 4. Without VNNI, products of words are added in pairs to double words, which is exact for words from bytes.
//! 5. The product of two `HF`s has 22 bits and an exponent within that of an `F`, so it is exact, and a fused step rounds
//!    like a product and a sum.
//! 6. What the host is set to is put aside for the time of a float kernel, if it is not rounding to nearest with denormals
//!    and without traps.
//! 7. The exact sum of a row is the portable kernel's, compiled for this level.

use std::arch::x86_64::*;

use tandem_isa::visa::model::Sum;
use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::arch::portable;
use crate::visa::dpas::{self, BLOCK, Datum, Float, Integer, Kernels, MOST_ROWS, Operands, Recipe, Rows, Work};

/// Executes one `DPAS` at this level.
pub(crate) fn execute(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    dpas::execute(proof, step, state)
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn rows(self, recipe: &Recipe, operands: Operands<'_>, to: &mut Rows) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; VNNI is asked for.
        unsafe {
            match recipe.work {
                Work::Integers { weights, activations } if is_x86_feature_detected!("avx512vnni") => {
                    integers_vnni(recipe, (weights, activations), operands, to);
                }
                Work::Integers { weights, activations } => integers(recipe, (weights, activations), operands, to),
                Work::Floats { float, sum } => floats(recipe, float, sum, operands, to),
            }
        }
    }
}

/// The mask of the channels.
#[inline(always)]
fn channels(recipe: &Recipe) -> __mmask16 {
    (u32::MAX >> (32 - recipe.channels)) as u16
}

// ------------------------------------------------------------------------------------------------ integers

/// Activations: a row of bytes each, in the order that the weights are unpacked to.
#[repr(C, align(64))]
struct Bytes([[i32; 16]; MOST_ROWS]);

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi1,bmi2")]
fn integers_vnni(recipe: &Recipe, pair: (Integer, Integer), operands: Operands<'_>, to: &mut Rows) {
    match pair.0.bits {
        8 => integer_rows::<8>(recipe, pair, operands, to, dot4_vnni),
        4 => integer_rows::<4>(recipe, pair, operands, to, dot4_vnni),
        2 => integer_rows::<2>(recipe, pair, operands, to, dot4_vnni),
        _ => integer_rows::<1>(recipe, pair, operands, to, dot4_vnni),
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn integers(recipe: &Recipe, pair: (Integer, Integer), operands: Operands<'_>, to: &mut Rows) {
    match pair.0.bits {
        8 => integer_rows::<8>(recipe, pair, operands, to, dot4),
        4 => integer_rows::<4>(recipe, pair, operands, to, dot4),
        2 => integer_rows::<2>(recipe, pair, operands, to, dot4),
        _ => integer_rows::<1>(recipe, pair, operands, to, dot4),
    }
}

#[inline(always)]
fn dot4_vnni(sum: __m512i, weights: __m512i, activations: __m512i) -> __m512i {
    // SAFETY: only a function that is compiled for VNNI is given this one.
    unsafe { _mm512_dpbusd_epi32(sum, weights, activations) }
}

#[inline(always)]
fn dot4(sum: __m512i, weights: __m512i, activations: __m512i) -> __m512i {
    // SAFETY: only functions that are compiled for AVX-512 BW are given this one.
    unsafe {
        let low = _mm512_set1_epi16(0xff);
        let even = _mm512_madd_epi16(
            _mm512_and_si512(weights, low),
            _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(activations)),
        );
        let odd = _mm512_madd_epi16(_mm512_srli_epi16::<8>(weights), _mm512_srai_epi16::<8>(activations));
        _mm512_add_epi32(sum, _mm512_add_epi32(even, odd))
    }
}

/// Rows of integers, with weights of `BITS` bits.
#[inline(always)]
fn integer_rows<const BITS: u32>(
    recipe: &Recipe,
    (weights, activations): (Integer, Integer),
    operands: Operands<'_>,
    to: &mut Rows,
    dot4: impl Fn(__m512i, __m512i, __m512i) -> __m512i + Copy,
) {
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let mask = channels(recipe);
        let is_offset = activations == Integer { bits: 8, is_signed: false };
        let (bytes, totals) = unpacked_activations::<BITS>(recipe, (activations, weights.is_signed), operands);
        let element = _mm512_set1_epi8(weights.mask() as i8);
        let sign = _mm512_set1_epi8(weights.sign() as i8);
        let ones = _mm512_set1_epi8(1);
        let mut sums = [_mm512_setzero_si512(); MOST_ROWS];
        let mut of_weights = _mm512_setzero_si512();
        let registers = (recipe.num_products * BITS as usize).div_ceil(32);
        for register in 0..registers {
            let words = load(mask, operands.weights, register * recipe.channels * 4);
            for part in 0..8 / BITS as usize {
                let quad = register * (8 / BITS as usize) + part;
                let unpacked = match BITS {
                    8 => words,
                    4 => _mm512_and_si512(if part == 0 { words } else { _mm512_srli_epi32::<4>(words) }, element),
                    2 => _mm512_and_si512(_mm512_srl_epi32(words, _mm_cvtsi32_si128(2 * part as i32)), element),
                    _ => {
                        // Four bits go to a byte each: no two copies meet where something is kept.
                        let four = _mm512_srl_epi32(words, _mm_cvtsi32_si128(4 * part as i32));
                        let copies = _mm512_mullo_epi32(
                            _mm512_and_si512(four, _mm512_set1_epi32(15)),
                            _mm512_set1_epi32(0x0020_4081),
                        );
                        _mm512_and_si512(copies, element)
                    }
                };
                let unpacked = _mm512_xor_si512(unpacked, sign);
                if is_offset {
                    of_weights = dot4(of_weights, unpacked, ones);
                }
                for (sum, row) in sums.iter_mut().zip(&bytes.0) {
                    *sum = dot4(*sum, unpacked, _mm512_set1_epi32(row[quad & 15]));
                }
            }
        }
        of_weights = _mm512_slli_epi32::<7>(of_weights);
        let row_bytes = recipe.channels * 4;
        for (row, sum) in sums.into_iter().enumerate() {
            let correction =
                _mm512_sub_epi32(of_weights, _mm512_set1_epi32(totals[row].wrapping_mul(weights.sign() as i32)));
            let accumulator = load(mask, operands.accumulators, row * row_bytes);
            let result = _mm512_add_epi32(_mm512_add_epi32(sum, correction), accumulator);
            store(mask, to, row * row_bytes, result);
        }
    }
}

/// The activations as bytes, less 128 if they would not be signed ones, and the sum of each row if it
/// is asked for.
#[inline(always)]
fn unpacked_activations<const WEIGHTS: u32>(
    recipe: &Recipe,
    (activations, is_weighed): (Integer, bool),
    operands: Operands<'_>,
) -> (Bytes, [i32; MOST_ROWS]) {
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let mut bytes = Bytes([[0; 16]; MOST_ROWS]);
        let mut totals = [0; MOST_ROWS];
        let is_kept = u64::MAX >> (64 - recipe.num_products);
        let element = _mm512_set1_epi8(activations.mask() as i8);
        let sign = _mm512_set1_epi8(activations.sign() as i8);
        let is_offset = activations == Integer { bits: 8, is_signed: false };
        let offset = _mm512_set1_epi8(if is_offset { i8::MIN } else { 0 });
        let order = match WEIGHTS {
            4 => _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15),
            _ => _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
        };
        let order = _mm512_broadcast_i32x4(order);
        for row in 0..MOST_ROWS {
            let bit = row * recipe.pitch;
            let from = &operands.activations[bit / 8..];
            let spread = match activations.bits {
                8 => _mm512_castsi256_si512(load_256(from)),
                4 => {
                    let halves = _mm512_cvtepu8_epi16(load_256(from));
                    _mm512_or_si512(halves, _mm512_slli_epi16::<4>(halves))
                }
                2 => {
                    let words = _mm512_cvtepu8_epi32(load_128(from));
                    let words = _mm512_or_si512(words, _mm512_slli_epi32::<12>(words));
                    _mm512_or_si512(words, _mm512_slli_epi32::<6>(words))
                }
                _ => {
                    let eight = from.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                    _mm512_maskz_mov_epi8(eight >> (bit % 8), _mm512_set1_epi8(1))
                }
            };
            let natural = _mm512_xor_si512(_mm512_maskz_mov_epi8(is_kept, _mm512_and_si512(spread, element)), sign);
            let natural = _mm512_maskz_sub_epi8(is_kept, natural, sign);
            if is_weighed {
                // Bytes from 0 to 255 are summed, and 64 times 128 is taken off.
                let biased = _mm512_xor_si512(natural, _mm512_set1_epi8(if is_offset { 0 } else { i8::MIN }));
                let eights = _mm512_sad_epu8(biased, _mm512_setzero_si512());
                let total = _mm512_reduce_add_epi64(eights) as i32;
                totals[row] = if is_offset { total } else { total - 64 * 128 };
            }
            let ordered = match WEIGHTS {
                4 | 2 => _mm512_shuffle_epi8(natural, order),
                _ => natural,
            };
            let words: &mut [i32; 16] = &mut bytes.0[row];
            _mm512_storeu_si512(words.as_mut_ptr().cast(), _mm512_xor_si512(ordered, offset));
        }
        (bytes, totals)
    }
}

// ------------------------------------------------------------------------------------------------ floats

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn floats(recipe: &Recipe, float: Float, sum: Sum, operands: Operands<'_>, to: &mut Rows) {
    if sum == Sum::SingleRounding {
        portable::dpas::floats(recipe, float, sum, operands, to);
        return;
    }
    with_default_settings(|| by_steps(recipe, float, sum, operands, to));
}

/// The settings that the language takes for granted: to nearest, denormals kept, no traps.
static DEFAULT: u32 = 0x1f80;
/// The bits that say what has happened.
const HAPPENED: u32 = 0x3f;

/// Runs `work` under the default settings of the SSE unit.
#[inline(always)]
pub(crate) fn with_default_settings(work: impl FnOnce()) {
    let mut before = 0u32;
    // SAFETY: the register is read to a variable.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack, preserves_flags)) };
    let is_default = before & !HAPPENED == DEFAULT;
    if !is_default {
        // SAFETY: the settings are those that code is compiled for.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const DEFAULT, options(nostack, preserves_flags)) };
    }
    work();
    if !is_default {
        // SAFETY: the settings are those that the caller had.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const before, options(nostack, preserves_flags)) };
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn by_steps(recipe: &Recipe, float: Float, sum: Sum, operands: Operands<'_>, to: &mut Rows) {
    match (float, sum) {
        (Float::Hf, Sum::Sequential | Sum::Fused) => float_rows(recipe, float, operands, to, fused_pair),
        (Float::Hf, _) => float_rows(recipe, float, operands, to, pairwise),
        (Float::Bf, Sum::Sequential) => float_rows(recipe, float, operands, to, sequential_pair),
        (Float::Bf, Sum::Fused) => float_rows(recipe, float, operands, to, fused_pair),
        (Float::Bf, _) => float_rows(recipe, float, operands, to, pairwise),
        (Float::Tf32(_), Sum::Fused) => float_rows(recipe, float, operands, to, fused_single),
        (Float::Tf32(_), _) => float_rows(recipe, float, operands, to, sequential_single),
    }
}

macro_rules! depths {
    ($($(#[$doc:meta])* $name:ident: |$sum:ident, $weights:ident, $factors:ident| $body:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            fn $name($sum: __m512, $weights: [__m512; 2], $factors: [f32; 2]) -> __m512 {
                // SAFETY: only a function that is compiled for AVX-512 is given this one.
                unsafe {
                    let $factors = [_mm512_set1_ps($factors[0]), _mm512_set1_ps($factors[1])];
                    $body
                }
            }
        )*
    };
}

depths! {
    /// A product and a sum, twice.
    sequential_pair: |sum, weights, factors| {
        let sum = _mm512_add_ps(sum, _mm512_mul_ps(weights[0], factors[0]));
        _mm512_add_ps(sum, _mm512_mul_ps(weights[1], factors[1]))
    };
    /// A fused step, twice.
    fused_pair: |sum, weights, factors| {
        _mm512_fmadd_ps(weights[1], factors[1], _mm512_fmadd_ps(weights[0], factors[0], sum))
    };
    /// The sum of two products, then the sum with that.
    pairwise: |sum, weights, factors| {
        let products = [_mm512_mul_ps(weights[0], factors[0]), _mm512_mul_ps(weights[1], factors[1])];
        _mm512_add_ps(sum, _mm512_add_ps(products[0], products[1]))
    };
    /// A product and a sum.
    sequential_single: |sum, weights, factors| _mm512_add_ps(sum, _mm512_mul_ps(weights[0], factors[0]));
    /// A fused step.
    fused_single: |sum, weights, factors| _mm512_fmadd_ps(weights[0], factors[0], sum);
}

/// Activations, a row of `F`s each. Of a pair in a double word, the lower ones are in the first half of a row.
#[repr(C, align(64))]
struct Singles([[f32; 16]; MOST_ROWS]);

/// Rows of floats.
#[inline(always)]
fn float_rows(
    recipe: &Recipe,
    float: Float,
    operands: Operands<'_>,
    to: &mut Rows,
    depth: impl Fn(__m512, [__m512; 2], [f32; 2]) -> __m512 + Copy,
) {
    // SAFETY: the function that inlines this is compiled for all that is called here.
    unsafe {
        let mask = channels(recipe);
        let depths = recipe.num_products * float.bits() / 32;
        let mut factors = Singles([[0.0; 16]; MOST_ROWS]);
        for (row, factors) in factors.0.iter_mut().enumerate() {
            let words = load_256(&operands.activations[row * recipe.pitch / 8..]);
            let pair = widened(float, _mm512_castsi256_si512(words));
            _mm256_storeu_ps(factors.as_mut_ptr(), _mm512_castps512_ps256(pair[0]));
            _mm256_storeu_ps(factors[8..].as_mut_ptr(), _mm512_castps512_ps256(pair[1]));
        }
        let row_bytes = recipe.channels * recipe.source.bytes();
        let mut sums = [_mm512_setzero_ps(); MOST_ROWS];
        for (row, sum) in sums.iter_mut().enumerate() {
            *sum = match recipe.source {
                Datum::Word => _mm512_castsi512_ps(load(mask, operands.accumulators, row * row_bytes)),
                Datum::Hf => _mm512_cvtph_ps(load_256(&operands.accumulators[row * row_bytes..])),
                Datum::Bf => {
                    let halves = _mm512_cvtepu16_epi32(load_256(&operands.accumulators[row * row_bytes..]));
                    _mm512_castsi512_ps(_mm512_slli_epi32::<16>(halves))
                }
            };
        }
        for step in 0..depths.min(8) {
            let weights = widened(float, load(mask, operands.weights, step * recipe.channels * 4));
            for (sum, factors) in sums.iter_mut().zip(&factors.0) {
                *sum = depth(*sum, weights, [factors[step], factors[8 + step]]);
            }
        }
        let row_bytes = recipe.channels * recipe.destination.bytes();
        for (row, sum) in sums.into_iter().enumerate() {
            let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(sum, sum);
            let sum = _mm512_mask_mov_epi32(_mm512_castps_si512(sum), is_nan, _mm512_set1_epi32(0x7fc0_0000));
            match recipe.destination {
                Datum::Word => store(mask, to, row * row_bytes, sum),
                Datum::Hf => {
                    let halves = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(sum));
                    store_256(mask, to, row * row_bytes, halves);
                }
                Datum::Bf => {
                    // The lowest bit that stays, and one less than half of it, carry into what stays.
                    let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(sum), _mm512_set1_epi32(1));
                    let carried = _mm512_add_epi32(_mm512_add_epi32(sum, _mm512_set1_epi32(0x7fff)), odd);
                    store_256(mask, to, row * row_bytes, _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(carried)));
                }
            }
        }
    }
}

/// The `F`s of the double words' low halves and of their high ones; those of `tf32` are all in the first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn widened(float: Float, words: __m512i) -> [__m512; 2] {
    match float {
        Float::Bf => {
            let high = _mm512_and_si512(words, _mm512_set1_epi32(!0xffff));
            [_mm512_castsi512_ps(_mm512_slli_epi32::<16>(words)), _mm512_castsi512_ps(high)]
        }
        Float::Hf => [
            _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)),
            _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(words))),
        ],
        Float::Tf32(mask) => {
            let used = _mm512_and_si512(words, _mm512_set1_epi32(mask.cast_signed()));
            [_mm512_castsi512_ps(used), _mm512_setzero_ps()]
        }
    }
}

// ------------------------------------------------------------------------------------------------ memory

/// The double words of the channels, zeros beyond them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load(mask: __mmask16, from: &[u8; BLOCK], byte: usize) -> __m512i {
    assert!(byte + 4 * (16 - mask.leading_zeros() as usize) <= BLOCK, "the row lies in the block");
    // SAFETY: every double word of the mask is readable, and nothing else is loaded; no alignment is asked for.
    unsafe { _mm512_maskz_loadu_epi32(mask, from.as_ptr().add(byte).cast()) }
}

/// The first 32 bytes; what is missing is 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_256(from: &[u8]) -> __m256i {
    match from.first_chunk::<32>() {
        // SAFETY: there are 32 readable bytes; no alignment is asked for.
        Some(bytes) => unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) },
        None => {
            let mut room = [0u8; 32];
            room[..from.len()].copy_from_slice(from);
            // SAFETY: as above.
            unsafe { _mm256_loadu_si256(room.as_ptr().cast()) }
        }
    }
}

/// The first 16 bytes; what is missing is 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_128(from: &[u8]) -> __m128i {
    match from.first_chunk::<16>() {
        // SAFETY: there are 16 readable bytes; no alignment is asked for.
        Some(bytes) => unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) },
        None => _mm256_castsi256_si128(load_256(from)),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store(mask: __mmask16, to: &mut Rows, byte: usize, value: __m512i) {
    assert!(byte + 4 * (16 - mask.leading_zeros() as usize) <= BLOCK, "the row lies in the block");
    // SAFETY: every double word of the mask is writable, and nothing else is stored; no alignment is asked for.
    unsafe { _mm512_mask_storeu_epi32(to.0.as_mut_ptr().add(byte).cast(), mask, value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn store_256(mask: __mmask16, to: &mut Rows, byte: usize, value: __m256i) {
    assert!(byte + 2 * (16 - mask.leading_zeros() as usize) <= BLOCK, "the row lies in the block");
    // SAFETY: every word of the mask is writable, and nothing else is stored; no alignment is asked for.
    unsafe { _mm256_mask_storeu_epi16(to.0.as_mut_ptr().add(byte).cast(), mask, value) }
}

#[cfg(test)]
mod tests {
    use crate::visa::dpas_kit;
    use crate::{Avx512, Level};

    #[test]
    fn rows_are_those_of_the_pseudo_code() {
        match Avx512::detect() {
            Some(level) => dpas_kit::check(Level::Avx512(level)),
            None => dpas_kit::not_run("avx512"),
        }
    }
}
