//! `DPAS` for AVX-512 F, BW, DQ and VL, with VNNI where the CPU has it.
//!
//! A vector has sixteen channels, or eight and zeros. Integers are unpacked to bytes, four in a double word, of the one
//! operand signed and of the other unsigned; then one instruction multiplies and adds four products of each channel. Floats are
//! widened to `F`; each product is one or two instructions. All eight rows of a block are made side by side, each in a
//! vector of its own, so that they do not wait for each other; their activations are broadcast from memory.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Of the bytes that are multiplied, some are unsigned and the others signed. If weights are signed, signed activations
//!    become unsigned by adding the weight of their sign; else `u8` activations become signed by taking off 128. What that
//!    makes too much is the same multiple of the sum of a channel's weights in every row. The instruction for dot products
//!    does not saturate; all is modulo 2^32.
//! 2. Weights of 4 and 2 bits are unpacked by shifts and masks, which takes every second or fourth one of 8 or 16.
//!    Activations are put into the same order. The order of an exact sum does not matter.
//! 3. Vectors may hold elements beyond the last product: there, activations stand for 0.
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
use crate::arch::x86_64::settings::with_default_settings;
use crate::visa::dpas::{
    self, ACTIVATIONS, BLOCK, Datum, Float, Integer, Kernels, MOST_ROWS, Operands, Recipe, Rows, Work,
};

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
    if recipe.channels == 8 { 0xff } else { 0xffff }
}

/// Bytes of a register, which are those of a row of double words.
#[inline(always)]
fn row_bytes(recipe: &Recipe) -> usize {
    if recipe.channels == 8 { 32 } else { 64 }
}

// ------------------------------------------------------------------------------------------------ integers

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

/// Adds four products of unsigned and signed bytes to each double word.
#[inline(always)]
fn dot4_vnni(sum: __m512i, unsigned: __m512i, signed: __m512i) -> __m512i {
    // SAFETY: only a function that is compiled for VNNI is given this one.
    unsafe { _mm512_dpbusd_epi32(sum, unsigned, signed) }
}

/// The same in four products of words.
#[inline(always)]
fn dot4(sum: __m512i, unsigned: __m512i, signed: __m512i) -> __m512i {
    // SAFETY: only functions that are compiled for AVX-512 BW are given this one.
    unsafe {
        let even = _mm512_madd_epi16(
            _mm512_and_si512(unsigned, _mm512_set1_epi16(0xff)),
            _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(signed)),
        );
        let odd = _mm512_madd_epi16(_mm512_srli_epi16::<8>(unsigned), _mm512_srai_epi16::<8>(signed));
        _mm512_add_epi32(sum, _mm512_add_epi32(even, odd))
    }
}

/// Rows of integers, with weights of `BITS` bits.
#[inline(always)]
fn integer_rows<const BITS: u32>(
    recipe: &Recipe,
    pair: (Integer, Integer),
    operands: Operands<'_>,
    to: &mut Rows,
    dot4: impl Fn(__m512i, __m512i, __m512i) -> __m512i + Copy,
) {
    let activations = match pair.1.bits {
        8 => ordered_rows::<BITS, 8>(recipe, pair, operands),
        4 => ordered_rows::<BITS, 4>(recipe, pair, operands),
        2 => ordered_rows::<BITS, 2>(recipe, pair, operands),
        _ => ordered_rows::<BITS, 1>(recipe, pair, operands),
    };
    if pair.0.is_signed {
        let dot4 = |sum, weights, activations| dot4(sum, activations, weights);
        integer_sums::<BITS, true>(recipe, pair, &activations, operands, to, dot4);
    } else {
        integer_sums::<BITS, false>(recipe, pair, &activations, operands, to, dot4);
    }
}

/// Sums rows; `dot4` is given a sum, weights, and activations.
#[inline(always)]
fn integer_sums<const BITS: u32, const IS_SIGNED: bool>(
    recipe: &Recipe,
    (weights, activations): (Integer, Integer),
    rows: &[[i32; 16]; MOST_ROWS],
    operands: Operands<'_>,
    to: &mut Rows,
    dot4: impl Fn(__m512i, __m512i, __m512i) -> __m512i + Copy,
) {
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let (mask, row_bytes) = (channels(recipe), row_bytes(recipe));
        let element = _mm512_set1_epi8(weights.mask() as i8);
        let sign = _mm512_set1_epi8(weights.sign() as i8);
        let ones = _mm512_set1_epi8(1);
        let zero = _mm512_setzero_si512();
        let mut sums = [zero, zero, zero, zero, zero, zero, zero, zero];
        let mut of_weights = zero;
        let registers = (recipe.num_products * BITS as usize).div_ceil(32).min(8);
        for register in 0..registers {
            let words = load(mask, operands.weights, register * row_bytes);
            for part in 0..8 / BITS as usize {
                let quad = register * (8 / BITS as usize) + part;
                let bits = match BITS {
                    8 => words,
                    4 => _mm512_and_si512(if part == 0 { words } else { _mm512_srli_epi32::<4>(words) }, element),
                    2 => _mm512_and_si512(_mm512_srl_epi32(words, _mm_cvtsi32_si128(2 * part as i32)), element),
                    _ => {
                        // Four bits go to a byte each: no two copies meet where something is kept.
                        let four = _mm512_srl_epi32(words, _mm_cvtsi32_si128(4 * part as i32));
                        let four = _mm512_and_si512(four, _mm512_set1_epi32(15));
                        _mm512_and_si512(_mm512_mullo_epi32(four, _mm512_set1_epi32(0x0020_4081)), element)
                    }
                };
                let bytes =
                    if IS_SIGNED && BITS < 8 { _mm512_sub_epi8(_mm512_xor_si512(bits, sign), sign) } else { bits };
                of_weights = dot4(of_weights, bytes, ones);
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = dot4(*sum, bytes, _mm512_set1_epi32(row[quad & 15]));
                }
            }
        }
        let (_, _, excess) = adjustments((weights, activations));
        let correction = _mm512_mullo_epi32(of_weights, _mm512_set1_epi32(-excess));
        for (row, sum) in sums.into_iter().enumerate() {
            let accumulator = load(mask, operands.accumulators, row * row_bytes);
            let result = _mm512_add_epi32(_mm512_add_epi32(sum, correction), accumulator);
            store(mask, to, row * row_bytes, result);
        }
    }
}

/// What activations are changed by to become bytes of the other kind than the weights: bits that are flipped, what is then
/// taken off, and what is too much in the end.
#[inline(always)]
const fn adjustments((weights, activations): (Integer, Integer)) -> (i8, i8, i32) {
    let sign = activations.sign() as u8 as i8;
    if weights.is_signed {
        (sign, 0, activations.sign() as i32)
    } else if activations.is_signed {
        (sign, sign, 0)
    } else if activations.bits == 8 {
        (i8::MIN, 0, -128)
    } else {
        (0, 0, 0)
    }
}

/// The activations of each row as bytes, in the order in which weights of `WEIGHTS` bits are unpacked.
#[inline(always)]
fn ordered_rows<const WEIGHTS: u32, const BITS: u32>(
    recipe: &Recipe,
    pair: (Integer, Integer),
    operands: Operands<'_>,
) -> [[i32; 16]; MOST_ROWS] {
    let row = |row| ordered_row::<WEIGHTS, BITS>(recipe, pair, operands, row);
    [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn ordered_row_in_level<const WEIGHTS: u32, const BITS: u32>(
    recipe: &Recipe,
    pair: (Integer, Integer),
    operands: Operands<'_>,
    row: usize,
) -> [i32; 16] {
    let bit = row * recipe.pitch;
    let from = row_of(operands.activations, bit);
    let spread = match BITS {
        8 => _mm512_castsi256_si512(load_256(from)),
        4 => {
            let halves = _mm512_cvtepu8_epi16(load_256(from));
            _mm512_or_si512(halves, _mm512_slli_epi16::<4>(halves))
        }
        2 => {
            let words = _mm512_cvtepu8_epi32(_mm256_castsi256_si128(load_256(from)));
            let words = _mm512_or_si512(words, _mm512_slli_epi32::<12>(words));
            _mm512_or_si512(words, _mm512_slli_epi32::<6>(words))
        }
        _ => {
            let eight = from.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            _mm512_maskz_mov_epi8(eight >> (bit % 8), _mm512_set1_epi8(1))
        }
    };
    let element = _mm512_set1_epi8(pair.1.mask() as i8);
    let is_kept = u64::MAX >> ((64 - recipe.num_products) & 63);
    let (flip, off, _) = adjustments(pair);
    let natural = _mm512_maskz_mov_epi8(is_kept, _mm512_and_si512(spread, element));
    let natural = _mm512_sub_epi8(_mm512_xor_si512(natural, _mm512_set1_epi8(flip)), _mm512_set1_epi8(off));
    let order = match WEIGHTS {
        4 => _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15),
        _ => _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
    };
    let ordered = match WEIGHTS {
        4 | 2 => _mm512_shuffle_epi8(natural, _mm512_broadcast_i32x4(order)),
        _ => natural,
    };
    let mut words = [0; 16];
    // SAFETY: there are 64 writable bytes; no alignment is asked for.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), ordered) };
    words
}

#[inline(always)]
fn ordered_row<const WEIGHTS: u32, const BITS: u32>(
    recipe: &Recipe,
    pair: (Integer, Integer),
    operands: Operands<'_>,
    row: usize,
) -> [i32; 16] {
    // SAFETY: the functions that inline this are compiled for the level.
    unsafe { ordered_row_in_level::<WEIGHTS, BITS>(recipe, pair, operands, row) }
}

/// The 32 bytes from a bit on that begins a row: none is beyond the eighth of the longest rows.
#[inline(always)]
fn row_of(activations: &[u8; ACTIVATIONS], bit: usize) -> &[u8; 32] {
    activations[(bit / 8).min(ACTIVATIONS - 32)..].first_chunk().expect("32 bytes")
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

/// Activations, a row of `F`s each.
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
        let ops = 32 / float.bits();
        let depths = recipe.num_products / ops;
        let mut factors = Singles([[0.0; 16]; MOST_ROWS]);
        for (row, factors) in factors.0.iter_mut().enumerate() {
            let words = load_256(row_of(operands.activations, row * recipe.pitch));
            let singles = match float {
                Float::Bf => _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(words))),
                Float::Hf => _mm512_cvtph_ps(words),
                Float::Tf32(_) => widened(float, _mm512_zextsi256_si512(words))[0],
            };
            _mm512_storeu_ps(factors.as_mut_ptr(), singles);
        }
        let row_bytes = row_bytes(recipe) / 4 * recipe.source.bytes();
        let mut sums = [_mm512_setzero_ps(); MOST_ROWS];
        for (row, sum) in sums.iter_mut().enumerate() {
            *sum = match recipe.source {
                Datum::Word => _mm512_castsi512_ps(load(mask, operands.accumulators, row * row_bytes)),
                Datum::Hf => _mm512_cvtph_ps(load_256(half_row(operands.accumulators, row * row_bytes))),
                Datum::Bf => {
                    let halves = _mm512_cvtepu16_epi32(load_256(half_row(operands.accumulators, row * row_bytes)));
                    _mm512_castsi512_ps(_mm512_slli_epi32::<16>(halves))
                }
            };
        }
        for step in 0..depths.min(8) {
            let weights = widened(float, load(mask, operands.weights, step * self::row_bytes(recipe)));
            for (sum, factors) in sums.iter_mut().zip(&factors.0) {
                *sum = depth(*sum, weights, [factors[ops * step], factors[(ops * step + 1) & 15]]);
            }
        }
        let row_bytes = self::row_bytes(recipe) / 4 * recipe.destination.bytes();
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

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_256(from: &[u8; 32]) -> __m256i {
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// A row of words in a block.
#[inline(always)]
fn half_row(from: &[u8; BLOCK], byte: usize) -> &[u8; 32] {
    from[byte..].first_chunk().expect("eight rows of words are half of a block")
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
    use super::*;
    use crate::Level;
    use crate::visa::dpas_kit;

    #[test]
    fn rows_are_those_of_the_pseudo_code() {
        match Avx512::detect() {
            Some(level) => dpas_kit::check(Level::Avx512(level)),
            None => dpas_kit::not_run("avx512"),
        }
    }

    #[test]
    fn dot_products_without_vnni_are_those_of_the_portable_kernel() {
        if Avx512::detect().is_none() {
            return dpas_kit::not_run("avx512");
        }
        let mut noise = tandem_isa::Noise::new(0x0d07);
        let (mut weights, mut accumulators, mut activations) = ([0; BLOCK], [0; BLOCK], [0; ACTIVATIONS]);
        for round in 0..20_000 {
            let mut draw = |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = noise.bits(8) as u8);
            draw(&mut weights);
            draw(&mut accumulators);
            draw(&mut activations);
            let integer = |code: usize| Integer { bits: 1 << (code % 4), is_signed: code / 4 % 2 == 1 };
            let pair = (integer(round), integer(round / 8));
            let num_products = if pair.0.bits == 8 || pair.1.bits == 8 { 4 } else { 8 } << noise.below(4);
            let recipe = Recipe {
                work: Work::Integers { weights: pair.0, activations: pair.1 },
                num_products,
                channels: [8, 16][noise.below(2)],
                pitch: num_products * pair.1.bits as usize,
                num_rows: MOST_ROWS,
                source: Datum::Word,
                destination: Datum::Word,
            };
            let operands = Operands { weights: &weights, activations: &activations, accumulators: &accumulators };
            let (mut got, mut expected) = (Rows([0; BLOCK]), Rows([0; BLOCK]));
            // SAFETY: the CPU has the level, as was found above.
            unsafe { integers(&recipe, pair, operands, &mut got) };
            portable::dpas::integers(&recipe, pair, operands, &mut expected);
            assert!(got.0 == expected.0, "{recipe:?}");
        }
    }
}
