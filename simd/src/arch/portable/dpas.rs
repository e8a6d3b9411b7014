//! `DPAS` without intrinsics, for all precisions and models; other levels use it for what has no kernel there.
//!
//! Elements of both matrices are widened once, to 32-bit integers or to the bits of `F`s. Then each row is summed, product
//! after product, for all channels at once. Floats use the host's arithmetic where a probe finds that it rounds to nearest
//! and keeps denormals, and else a fused step in integers; the exact sum of a row is kept as a fixed-point number.
//!
//! What differs from the page and the models, and why it is equal:
//! 1. The loop over channels is the innermost one: channels do not depend on each other.
//! 2. The sum of two `F`s is a fused step whose product is the first of them times one; a rounded product is a fused step
//!    whose addend is a zero of the product's sign.
//! 3. Where a fused step's terms are further apart than 64 bits, what is shifted out of the lower one is remembered in the
//!    lowest bit. That is at least 39 bits below the last place of the result, so it rounds like the exact sum.
//! 4. The fixed-point number has 640 bits, the lowest of which is 2^-298, that of the smallest product. Seventeen terms
//!    below 2^256 stay below 2^261, so it does not wrap.
//! 5. A NaN may be any on its way, and becomes the canonical one at the end: no operation makes a number of a NaN.
//! 6. Elements beyond those of the instruction are widened with the others and not multiplied.

use std::hint::black_box;

use tandem_isa::visa::model::Sum;
use tandem_isa::{Answer, State, Step};

use super::Portable;
use crate::visa::dpas::{
    self, ACTIVATIONS, Datum, Float, Integer, Kernels, MOST_CHANNELS, MOST_ROWS, Operands, Places, Recipe, Rows, Work,
};

/// Executes one `DPAS` at this level.
#[inline(never)]
pub(crate) fn execute(step: &Step<'_>, state: &mut State) -> Answer {
    dpas::execute(Portable, step, state)
}

impl Kernels for Portable {
    #[inline]
    fn rows(self, recipe: &Recipe, places: &Places, file: &mut [u8]) {
        dpas::by_block(recipe, places, file, |operands, to| match recipe.work {
            Work::Integers { weights, activations } => integers(recipe, (weights, activations), operands, to),
            Work::Floats { float, sum } => floats(recipe, float, sum, operands, to),
        });
    }
}

/// A number for each channel.
type Channels = [u32; MOST_CHANNELS];

const F_INFINITY: u32 = 0x7f80_0000;
const F_NAN: u32 = 0x7fc0_0000;
const F_SIGN: u32 = 1 << 31;

// ------------------------------------------------------------------------------------------------ integers

/// Rows of integers.
#[inline(always)]
pub(crate) fn integers(
    recipe: &Recipe,
    (weights, activations): (Integer, Integer),
    operands: Operands<'_>,
    to: &mut Rows,
) {
    let mut columns = [[0; MOST_CHANNELS]; 64];
    for (product, column) in columns.iter_mut().enumerate().take(recipe.num_products) {
        let bit = product * usize::from(weights.bits);
        let words = double_words(operands.weights, bit / 32 * recipe.channels);
        *column = words.map(|word| extended(word >> (bit % 32), weights));
    }
    for row in 0..recipe.num_rows {
        let mut sums = accumulators(recipe, operands, row);
        for (product, column) in columns.iter().enumerate().take(recipe.num_products) {
            let bit = row * recipe.pitch + product * usize::from(activations.bits);
            let factor = extended(u32::from(operands.activations[bit / 8] >> (bit % 8)), activations);
            for (sum, weight) in sums.iter_mut().zip(column) {
                *sum = sum.wrapping_add(weight.wrapping_mul(factor));
            }
        }
        put_row(recipe, row, sums, to);
    }
}

/// The element in the low bits, extended to 32.
#[inline(always)]
fn extended(bits: u32, integer: Integer) -> u32 {
    ((bits & integer.mask()) ^ integer.sign()).wrapping_sub(integer.sign())
}

// ------------------------------------------------------------------------------------------------ floats

/// Rows of floats, by any model.
#[inline(always)]
pub(crate) fn floats(recipe: &Recipe, float: Float, sum: Sum, operands: Operands<'_>, to: &mut Rows) {
    if sum == Sum::SingleRounding {
        float_rows(recipe, float, operands, to, |weights, factors, sums| {
            exact_sums(weights, factors, sums);
        });
    } else if host_is_as_it_should_be() {
        float_rows(recipe, float, operands, to, |weights, factors, sums| {
            steps::<Host>(float, sum, weights, factors, sums);
        });
    } else {
        float_rows(recipe, float, operands, to, |weights, factors, sums| {
            steps::<Soft>(float, sum, weights, factors, sums);
        });
    }
}

/// Widens elements, has `sum_row` sum each row, and puts the results where they belong.
#[inline(always)]
fn float_rows(
    recipe: &Recipe,
    float: Float,
    operands: Operands<'_>,
    to: &mut Rows,
    sum_row: impl Fn(&[Channels], &[u32], &mut Channels),
) {
    let mut columns = [[0; MOST_CHANNELS]; 16];
    for (product, column) in columns.iter_mut().enumerate().take(recipe.num_products) {
        let bit = product * float.bits();
        let words = double_words(operands.weights, bit / 32 * recipe.channels);
        *column = words.map(|word| widened(word >> (bit % 32), float));
    }
    for row in 0..recipe.num_rows {
        let mut factors = [0; 16];
        for (product, factor) in factors.iter_mut().enumerate().take(recipe.num_products) {
            *factor = activation(operands.activations, row * recipe.pitch + product * float.bits(), float);
        }
        let mut sums = accumulators(recipe, operands, row);
        sum_row(&columns[..recipe.num_products], &factors[..recipe.num_products], &mut sums);
        put_row(recipe, row, sums.map(canonical), to);
    }
}

/// An element of `Src2`, as the bits of an `F`.
#[inline(always)]
fn activation(from: &[u8; ACTIVATIONS], bit: usize, float: Float) -> u32 {
    let half = |byte: usize| u32::from(u16::from_le_bytes([from[byte], from[byte + 1]]));
    let byte = bit / 8;
    match float {
        Float::Bf | Float::Hf => widened(half(byte), float),
        Float::Tf32(_) => widened(half(byte) | half(byte + 2) << 16, float),
    }
}

/// The element in the low bits, as the bits of an `F`.
#[inline(always)]
fn widened(bits: u32, float: Float) -> u32 {
    match float {
        Float::Bf => bits << 16,
        Float::Hf => half_to_single(bits & 0xffff),
        Float::Tf32(mask) => bits & mask,
    }
}

/// The bits of the `F` of the same value as an `HF`.
#[inline(always)]
fn half_to_single(bits: u32) -> u32 {
    let sign = (bits & 0x8000) << 16;
    let magnitude = bits & 0x7fff;
    let normal = (magnitude << 13) + ((127 - 15) << 23);
    // A denormal's leading bit becomes the implicit one.
    let zeros = magnitude.leading_zeros().wrapping_sub(21) & 31;
    let denormal = ((magnitude << zeros << 13) & 0x007f_ffff) + ((127 - 14 - zeros.min(100)) << 23);
    sign | match magnitude {
        0 => 0,
        1..0x400 => denormal,
        0x400..0x7c00 => normal,
        _ => F_INFINITY | magnitude << 13,
    }
}

#[inline(always)]
fn canonical(bits: u32) -> u32 {
    if bits & !F_SIGN > F_INFINITY { F_NAN } else { bits }
}

/// Arithmetic on the bits of `F`s: to nearest even, denormals kept; any NaN for a NaN.
trait Arithmetic {
    fn product(a: u32, b: u32) -> u32;
    fn sum(a: u32, b: u32) -> u32;
    fn fused(a: u32, b: u32, c: u32) -> u32;
}

/// The host's arithmetic.
struct Host;

impl Arithmetic for Host {
    #[inline(always)]
    fn product(a: u32, b: u32) -> u32 {
        (f32::from_bits(a) * f32::from_bits(b)).to_bits()
    }

    #[inline(always)]
    fn sum(a: u32, b: u32) -> u32 {
        (f32::from_bits(a) + f32::from_bits(b)).to_bits()
    }

    #[inline(always)]
    fn fused(a: u32, b: u32, c: u32) -> u32 {
        f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)).to_bits()
    }
}

/// Arithmetic in integers.
struct Soft;

impl Arithmetic for Soft {
    #[inline(always)]
    fn product(a: u32, b: u32) -> u32 {
        fused(a, b, (a ^ b) & F_SIGN)
    }

    #[inline(always)]
    fn sum(a: u32, b: u32) -> u32 {
        fused(a, 1f32.to_bits(), b)
    }

    #[inline(always)]
    fn fused(a: u32, b: u32, c: u32) -> u32 {
        fused(a, b, c)
    }
}

/// Whether the host rounds to nearest and keeps denormals, as far as results show it.
#[inline(always)]
fn host_is_as_it_should_be() -> bool {
    let one = black_box(1f32);
    let place = f32::EPSILON;
    let is_nearest =
        (one + place * 0.75).to_bits() == one.to_bits() + 1 && (one + place * 0.25).to_bits() == one.to_bits();
    let smallest = black_box(f32::from_bits(1));
    let is_kept = (smallest + smallest).to_bits() == 2
        && (black_box(f32::from_bits(0x0080_0001)) * 0.5).to_bits() == 0x0040_0000
        && (smallest * 8_388_608.0).to_bits() == 0x0080_0000;
    is_nearest && is_kept
}

/// One row by a model that rounds step by step.
#[inline(always)]
fn steps<M: Arithmetic>(float: Float, model: Sum, weights: &[Channels], factors: &[u32], sums: &mut Channels) {
    if model == Sum::Pairwise && float.bits() == 16 {
        for (weights, factors) in weights.as_chunks::<2>().0.iter().zip(factors.as_chunks::<2>().0) {
            for (channel, sum) in sums.iter_mut().enumerate() {
                let [first, second] = [0, 1].map(|index| M::product(weights[index][channel], factors[index]));
                *sum = M::sum(*sum, M::sum(first, second));
            }
        }
        return;
    }
    for (weights, &factor) in weights.iter().zip(factors) {
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum = if model == Sum::Fused {
                M::fused(weight, factor, *sum)
            } else {
                M::sum(*sum, M::product(weight, factor))
            };
        }
    }
}

// ------------------------------------------------------------------------------------------------ floats in integers

/// A finite number: the significand, of at most 48 bits, times 2 to the power of the exponent.
#[derive(Clone, Copy)]
struct Term {
    is_negative: bool,
    significand: u64,
    exponent: i32,
}

impl Term {
    /// A finite `F`.
    #[inline(always)]
    fn of(bits: u32) -> Self {
        let exponent = (bits >> 23 & 0xff) as i32;
        let mantissa = u64::from(bits & 0x007f_ffff);
        let implicit = u64::from(exponent != 0) << 23;
        Term { is_negative: bits & F_SIGN != 0, significand: mantissa | implicit, exponent: exponent.max(1) - 150 }
    }

    /// The exact product of two `F`s that are finite.
    #[inline(always)]
    fn product(a: u32, b: u32) -> Self {
        let (a, b) = (Term::of(a), Term::of(b));
        Term {
            is_negative: a.is_negative != b.is_negative,
            significand: a.significand * b.significand,
            exponent: a.exponent + b.exponent,
        }
    }
}

/// What a product or an addend is.
enum Value {
    Nan,
    Infinity { is_negative: bool },
    Finite(Term),
}

impl Value {
    #[inline(always)]
    fn of(bits: u32) -> Self {
        match bits & !F_SIGN {
            ..F_INFINITY => Value::Finite(Term::of(bits)),
            F_INFINITY => Value::Infinity { is_negative: bits & F_SIGN != 0 },
            _ => Value::Nan,
        }
    }

    #[inline(always)]
    fn product(a: u32, b: u32) -> Self {
        let magnitudes = [a & !F_SIGN, b & !F_SIGN];
        if magnitudes.iter().all(|&magnitude| magnitude < F_INFINITY) {
            Value::Finite(Term::product(a, b))
        } else if magnitudes.iter().any(|&magnitude| magnitude == 0 || magnitude > F_INFINITY) {
            Value::Nan
        } else {
            Value::Infinity { is_negative: (a ^ b) & F_SIGN != 0 }
        }
    }
}

/// `a * b + c`, rounded once.
#[inline(never)]
fn fused(a: u32, b: u32, c: u32) -> u32 {
    match (Value::product(a, b), Value::of(c)) {
        (Value::Finite(product), Value::Finite(addend)) => rounded_sum(product, addend),
        (Value::Nan, _) | (_, Value::Nan) => F_NAN,
        (Value::Infinity { is_negative }, Value::Infinity { is_negative: other }) if is_negative != other => F_NAN,
        (Value::Infinity { is_negative }, _) | (_, Value::Infinity { is_negative }) => {
            F_INFINITY | u32::from(is_negative) << 31
        }
    }
}

/// The exact sum of two terms, rounded.
#[inline(always)]
fn rounded_sum(a: Term, b: Term) -> u32 {
    let (high, low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    if low.significand == 0 && high.significand == 0 {
        return u32::from(a.is_negative && b.is_negative) << 31;
    }
    if high.significand == 0 {
        return rounded(low.is_negative, u128::from(low.significand), low.exponent);
    }
    let distance = (high.exponent - low.exponent) as u32;
    let shift = distance.min(64);
    let lost = distance - shift;
    let kept = low.significand.checked_shr(lost).unwrap_or(0);
    let is_cut = kept.checked_shl(lost).unwrap_or(0) != low.significand;
    let (left, right) = (u128::from(high.significand) << shift, u128::from(kept | u64::from(is_cut)));
    let exponent = high.exponent - shift as i32;
    if high.is_negative == low.is_negative {
        rounded(high.is_negative, left + right, exponent)
    } else if left >= right {
        // An exact zero is positive.
        rounded(high.is_negative && left != right, left - right, exponent)
    } else {
        rounded(low.is_negative, right - left, exponent)
    }
}

/// A significand times 2 to the power of an exponent, rounded to nearest even.
#[inline(always)]
fn rounded(is_negative: bool, significand: u128, exponent: i32) -> u32 {
    let sign = u32::from(is_negative) << 31;
    if significand == 0 {
        return sign;
    }
    let length = 128 - significand.leading_zeros() as i32;
    let last_place = (exponent + length - 24).max(-149);
    let shift = last_place - exponent;
    let quotient = if shift <= 0 {
        (significand << -shift) as u64
    } else if shift > length {
        // Less than half of the last place.
        0
    } else {
        let quotient = (significand.checked_shr(shift as u32).unwrap_or(0)) as u64;
        let rest = significand & (u128::MAX >> (128 - shift));
        let half = 1 << (shift - 1);
        quotient + u64::from(rest > half || (rest == half && quotient & 1 == 1))
    };
    // A significand of 24 bits increments the exponent's field, which is one too low.
    let bits = (u64::from((last_place + 149).min(255) as u32) << 23) + quotient;
    sign | bits.min(u64::from(F_INFINITY)) as u32
}

// ------------------------------------------------------------------------------------------------ exact sums

/// Double words of a fixed-point number.
const WIDE: usize = 10;
/// The exponent of its lowest bit.
const LOWEST: i32 = -298;

/// A fixed-point number in two's complement.
struct Wide([u64; WIDE]);

impl Wide {
    fn add(&mut self, term: Term) {
        let bit = (term.exponent - LOWEST) as usize;
        let parts = u128::from(term.significand) << (bit % 64);
        let parts = [parts as u64, (parts >> 64) as u64];
        let mut carry = false;
        for (index, digit) in self.0.iter_mut().skip(bit / 64).enumerate() {
            let part = parts.get(index).copied().unwrap_or(0);
            if index >= 2 && !carry {
                break;
            }
            let (once, twice);
            if term.is_negative {
                (*digit, once) = digit.overflowing_sub(part);
                (*digit, twice) = digit.overflowing_sub(u64::from(carry));
            } else {
                (*digit, once) = digit.overflowing_add(part);
                (*digit, twice) = digit.overflowing_add(u64::from(carry));
            }
            carry = once || twice;
        }
    }

    /// The number, rounded.
    fn rounded(mut self) -> u32 {
        let is_negative = self.0[WIDE - 1] >> 63 == 1;
        if is_negative {
            let mut carry = true;
            for digit in &mut self.0 {
                (*digit, carry) = (!*digit).overflowing_add(u64::from(carry));
            }
        }
        let Some(top) = self.0.iter().rposition(|&digit| digit != 0) else { return 0 };
        let at = |index: usize| u128::from(self.0[index]);
        // The top digits, of which the lowest bit stands for what is below them.
        let lowest = top.saturating_sub(1);
        let (high, low) = if top == lowest { (0, at(lowest)) } else { (at(top), at(lowest)) };
        // The second digit alone has more bits than a result.
        let is_cut = self.0[..lowest].iter().any(|&digit| digit != 0);
        rounded(is_negative, high << 64 | low | u128::from(is_cut), LOWEST + 64 * lowest as i32)
    }
}

/// One row, each channel summed exactly and rounded once.
fn exact_sums(weights: &[Channels], factors: &[u32], sums: &mut Channels) {
    for (channel, sum) in sums.iter_mut().enumerate() {
        *sum = exact_sum(weights.iter().zip(factors).map(|(weights, &factor)| (weights[channel], factor)), *sum);
    }
}

fn exact_sum(pairs: impl Iterator<Item = (u32, u32)>, accumulator: u32) -> u32 {
    let mut wide = Wide([0; WIDE]);
    let mut infinities = [false; 2];
    let mut all_negative_zeros = true;
    let products = pairs.map(|(a, b)| Value::product(a, b));
    for value in std::iter::once(Value::of(accumulator)).chain(products) {
        match value {
            Value::Nan => return F_NAN,
            Value::Infinity { is_negative } => infinities[usize::from(is_negative)] = true,
            Value::Finite(term) => {
                all_negative_zeros &= term.is_negative && term.significand == 0;
                wide.add(term);
            }
        }
    }
    match infinities {
        [true, true] => F_NAN,
        [true, false] => F_INFINITY,
        [false, true] => F_INFINITY | F_SIGN,
        [false, false] if all_negative_zeros => F_SIGN,
        [false, false] => wide.rounded(),
    }
}

// ------------------------------------------------------------------------------------------------ rows

/// Sixteen double words from a double word on; beyond the block they are 0.
#[inline(always)]
fn double_words(from: &[u8], first: usize) -> Channels {
    let mut words = [0; MOST_CHANNELS];
    for (word, bytes) in words.iter_mut().zip(from[4 * first..].as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The accumulators of a row, as integers or the bits of `F`s.
#[inline(always)]
fn accumulators(recipe: &Recipe, operands: Operands<'_>, row: usize) -> Channels {
    debug_assert!(row < MOST_ROWS);
    let first = row * recipe.channels;
    if recipe.source == Datum::Word {
        return double_words(operands.accumulators, first);
    }
    let float = if recipe.source == Datum::Hf { Float::Hf } else { Float::Bf };
    let mut words = [0; MOST_CHANNELS];
    for (word, bytes) in words.iter_mut().zip(operands.accumulators[2 * first..].as_chunks::<2>().0) {
        *word = widened(u32::from(u16::from_le_bytes(*bytes)), float);
    }
    words
}

/// Puts the results of a row, integers or the bits of `F`s without NaNs but the canonical one.
#[inline(always)]
fn put_row(recipe: &Recipe, row: usize, results: Channels, to: &mut Rows) {
    let size = recipe.destination.bytes();
    let results = &results[..recipe.channels];
    let to = &mut to.0[row * recipe.channels * size..][..recipe.channels * size];
    match recipe.destination {
        Datum::Word => {
            for (bytes, result) in to.as_chunks_mut::<4>().0.iter_mut().zip(results) {
                *bytes = result.to_le_bytes();
            }
        }
        Datum::Hf => {
            for (bytes, &result) in to.as_chunks_mut::<2>().0.iter_mut().zip(results) {
                *bytes = single_to_half(result).to_le_bytes();
            }
        }
        Datum::Bf => {
            for (bytes, &result) in to.as_chunks_mut::<2>().0.iter_mut().zip(results) {
                // The lowest bit that stays, and one less than half of it, carry into what stays; the NaN is in range.
                *bytes = (((result + 0x7fff + (result >> 16 & 1)) >> 16) as u16).to_le_bytes();
            }
        }
    }
}

/// The bits of an `F`, rounded to `HF`. The NaN is the canonical one.
#[inline(always)]
fn single_to_half(bits: u32) -> u16 {
    let magnitude = bits & !F_SIGN;
    let exponent = magnitude >> 23;
    let significand = u64::from(magnitude & 0x007f_ffff) | u64::from(exponent != 0) << 23;
    // How much lower than that of the smallest normal HF the exponent is.
    let too_low = 113_u32.saturating_sub(exponent).min(30);
    let shift = 13 + too_low;
    let odd = significand >> shift & 1;
    let rounded = (significand + (1 << (shift - 1)) - 1 + odd) >> shift;
    let half = (u64::from(exponent.saturating_sub(113)) << 10) + rounded;
    let half = if magnitude > F_INFINITY { 0x7e00 } else { half.min(0x7c00) };
    (half as u16) | (bits >> 16 & 0x8000) as u16
}

#[cfg(test)]
mod tests {
    use tandem_isa::Noise;

    use super::*;

    #[test]
    fn single_to_half_and_back_is_as_the_crate_half_has_it() {
        for bits in 0..=u16::MAX {
            let known = half::f16::from_bits(bits);
            if !known.is_nan() {
                assert_eq!(half_to_single(bits.into()), known.to_f32().to_bits(), "{bits:#x}");
            }
            // Around every HF and every midpoint.
            for step in [0u32, 1, 0xfff, 0x1000, 0x1001] {
                let single = half_to_single(bits.into()).wrapping_add(step);
                if single & !F_SIGN <= F_INFINITY {
                    let expected = half::f16::from_f32(f32::from_bits(single)).to_bits();
                    assert_eq!(single_to_half(single), expected, "{single:#x}");
                }
            }
        }
        assert_eq!(single_to_half(F_NAN), 0x7e00);
    }

    /// The bits of an `F`, of all kinds, often near others.
    fn draw_single(noise: &mut Noise) -> u32 {
        let near = |from: u32, count: usize, noise: &mut Noise| from + noise.below(count) as u32;
        let exponent = match noise.below(6) {
            0 => [0, 1, 127, 254, 255][noise.below(5)],
            1 => near(252, 3, noise),
            2 => near(50, 30, noise),
            3 => near(120, 16, noise),
            _ => noise.bits(8),
        };
        let random = noise.bits(32);
        let mantissa =
            [0, 0x7f_ffff << noise.below(24), 0x7f_0000 & random, random, random][noise.below(5)] & 0x7f_ffff;
        (random & F_SIGN) | exponent << 23 | mantissa
    }

    #[test]
    fn arithmetic_in_integers_is_that_of_the_host() {
        let mut noise = Noise::new(0xf3);
        assert!(host_is_as_it_should_be());
        for _ in 0..2_000_000 {
            let [a, b, c] = [0; 3].map(|_| draw_single(&mut noise));
            assert_eq!(canonical(Soft::product(a, b)), canonical(Host::product(a, b)), "{a:#x} * {b:#x}");
            assert_eq!(canonical(Soft::sum(a, b)), canonical(Host::sum(a, b)), "{a:#x} + {b:#x}");
            let fused = [Soft::fused(a, b, c), Host::fused(a, b, c)].map(canonical);
            assert_eq!(fused[0], fused[1], "{a:#x} * {b:#x} + {c:#x}");
            // An exact sum of one product is a fused step, too.
            let exact = canonical(exact_sum(std::iter::once((a, b)), c));
            assert_eq!(exact, fused[1], "{a:#x} * {b:#x} + {c:#x}");
        }
    }
}
