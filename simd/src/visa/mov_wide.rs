//! `MOV` of all pairs of types, element by element: the portable level's, and the others' where these have no kernel.
//!
//! In a first pass, elements become a sign and a 64-bit magnitude ([`Wide`]): that of an integer as it is, that of a float
//! as the bits of the `DF` of the same value, which every float type has exactly. Modifiers act on the sign alone. In a
//! second pass, the magnitude becomes one of the destination: clamped, cut off at the binary point, or rounded once.
//!
//! What differs from the page, and why it is equal:
//! 1. Two's complement of any width is the magnitude, negated modulo 2^64 if the sign is set, and cut off: so the
//!    infinitely wide result of a modifier needs no 65th bit.
//! 2. Rounding adds what carries into the lowest bit that stays, and shifts; a carry beyond the mantissa increments the
//!    exponent, which is what it means, up to infinity.
//! 3. Overflow is a minimum with infinity, or with the largest finite value if the element is rounded toward zero.
//! 4. The only arithmetic on host floats is the difference of two normal values that is exact, and whose sign is
//!    dropped: rounding, flushing and what else the host is set to do not bear on it.

use super::channels::first_channels;
use super::mov::{Number, Recipe, Rounding};
use super::region::{BLOCK, Elements, each_channel};

/// The most elements of an instruction.
const MOST: usize = 32;

/// Numbers of any type.
struct Wide {
    /// All bits where the number has a negative sign, else none.
    negative: [u64; MOST],
    /// An integer, or the bits of a `DF` without its sign.
    magnitude: [u64; MOST],
}

/// A floating point format.
#[derive(Clone, Copy)]
struct Float {
    /// Bits of the mantissa.
    mantissa: u32,
    /// Bias of the exponent.
    bias: u64,
}

const HF: Float = Float { mantissa: 10, bias: 15 };
const BF: Float = Float { mantissa: 7, bias: 127 };
const F: Float = Float { mantissa: 23, bias: 127 };
const DF: Float = Float { mantissa: 52, bias: 1023 };

impl Float {
    /// The bits of positive infinity.
    const fn infinity(self) -> u64 {
        (2 * self.bias + 1) << self.mantissa
    }

    /// The bits of one.
    const fn one(self) -> u64 {
        self.bias << self.mantissa
    }

    /// The sign bit's place.
    const fn sign(self) -> u32 {
        self.mantissa + (2 * self.bias + 1).trailing_ones()
    }
}

/// Converts a block of elements of any types.
#[inline(always)]
pub(crate) fn convert(recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    let mut wide = Wide { negative: [0; MOST], magnitude: [0; MOST] };
    let count = recipe.count.min(MOST);
    let flush = recipe.flushes_source.is_set();
    match recipe.source {
        Number::Ub => widen(&mut wide, count, from, |bytes| unsigned(u8::from_le_bytes(bytes))),
        Number::Uw => widen(&mut wide, count, from, |bytes| unsigned(u16::from_le_bytes(bytes))),
        Number::Ud => widen(&mut wide, count, from, |bytes| unsigned(u32::from_le_bytes(bytes))),
        Number::Uq => widen(&mut wide, count, from, |bytes| unsigned(u64::from_le_bytes(bytes))),
        Number::B => widen(&mut wide, count, from, |bytes| signed(i8::from_le_bytes(bytes))),
        Number::W => widen(&mut wide, count, from, |bytes| signed(i16::from_le_bytes(bytes))),
        Number::D => widen(&mut wide, count, from, |bytes| signed(i32::from_le_bytes(bytes))),
        Number::Q => widen(&mut wide, count, from, |bytes| signed(i64::from_le_bytes(bytes))),
        Number::Hf => widen(&mut wide, count, from, |bytes| widened(u16::from_le_bytes(bytes), HF, flush)),
        Number::Bf => widen(&mut wide, count, from, |bytes| widened(u16::from_le_bytes(bytes), BF, flush)),
        Number::F => widen(&mut wide, count, from, |bytes| widened(u32::from_le_bytes(bytes), F, flush)),
        Number::Df => widen(&mut wide, count, from, |bytes| widened(u64::from_le_bytes(bytes), DF, flush)),
    }
    match recipe.destination {
        Number::Ub => integer(recipe, &wide, (8, false), to, |bits| (bits as u8).to_le_bytes()),
        Number::B => integer(recipe, &wide, (8, true), to, |bits| (bits as u8).to_le_bytes()),
        Number::Uw => integer(recipe, &wide, (16, false), to, |bits| (bits as u16).to_le_bytes()),
        Number::W => integer(recipe, &wide, (16, true), to, |bits| (bits as u16).to_le_bytes()),
        Number::Ud => integer(recipe, &wide, (32, false), to, |bits| (bits as u32).to_le_bytes()),
        Number::D => integer(recipe, &wide, (32, true), to, |bits| (bits as u32).to_le_bytes()),
        Number::Uq => integer(recipe, &wide, (64, false), to, u64::to_le_bytes),
        Number::Q => integer(recipe, &wide, (64, true), to, u64::to_le_bytes),
        Number::Hf => float(recipe, &wide, HF, to, |bits| (bits as u16).to_le_bytes()),
        Number::Bf => float(recipe, &wide, BF, to, |bits| (bits as u16).to_le_bytes()),
        Number::F => float(recipe, &wide, F, to, |bits| (bits as u32).to_le_bytes()),
        Number::Df => float(recipe, &wide, DF, to, u64::to_le_bytes),
    }
}

/// Stores the elements of `channels`: all at once if there is no gap, else each.
#[inline(always)]
pub(crate) fn store(log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
    if is_full(log2_size, channels, to) {
        copy(from, to);
        return;
    }
    match log2_size {
        0 => store_each::<1>(channels, from, to),
        1 => store_each::<2>(channels, from, to),
        2 => store_each::<4>(channels, from, to),
        _ => store_each::<8>(channels, from, to),
    }
}

/// Whether every element of `to` is that of an enabled channel.
#[inline(always)]
pub(crate) fn is_full(log2_size: u32, channels: u32, to: &[u8]) -> bool {
    channels == first_channels((to.len() >> log2_size) as u32)
}

#[inline(always)]
fn store_each<const N: usize>(channels: u32, from: &Elements, to: &mut [u8]) {
    let (from, to) = (from.0.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    each_channel(channels, |channel| to[channel] = from[channel]);
}

/// Copies the beginning of a block, with a few moves for each length that occurs.
#[inline(always)]
pub(crate) fn copy(from: &Elements, to: &mut [u8]) {
    macro_rules! lengths {
        ($($length:literal)*) => {
            match to.len() {
                $($length => to.copy_from_slice(&from.0[..$length]),)*
                length => to.copy_from_slice(&from.0[..length]),
            }
        };
    }
    lengths!(32 64 128 256 16 8 4 2 1);
}

// ------------------------------------------------------------------------------------------------ from the source

/// The first pass: `number` gives what is negative, and the magnitude, of an element.
#[inline(always)]
fn widen<const SIZE: usize>(
    wide: &mut Wide,
    count: usize,
    from: &[u8; BLOCK],
    number: impl Fn([u8; SIZE]) -> (u64, u64),
) {
    let numbers = wide.negative[..count].iter_mut().zip(&mut wide.magnitude[..count]);
    for ((negative, magnitude), &bytes) in numbers.zip(from.as_chunks::<SIZE>().0) {
        (*negative, *magnitude) = number(bytes);
    }
}

#[inline(always)]
fn unsigned(value: impl Into<u64>) -> (u64, u64) {
    (0, value.into())
}

#[inline(always)]
fn signed(value: impl Into<i64>) -> (u64, u64) {
    let value = value.into();
    ((value >> 63).cast_unsigned(), value.unsigned_abs())
}

#[inline(always)]
fn widened(bits: impl Into<u64>, format: Float, flush: bool) -> (u64, u64) {
    let bits = bits.into();
    let sign = bits >> format.sign();
    (sign.wrapping_neg(), widened_magnitude(bits & !(1 << format.sign()), format, flush))
}

/// The bits of the `DF` of the same value; NaNs become quiet and keep their payload in the highest bits.
#[inline(always)]
fn widened_magnitude(bits: u64, format: Float, flush: bool) -> u64 {
    let shift = DF.mantissa - format.mantissa;
    let normal = (bits << shift) + ((DF.bias - format.bias) << DF.mantissa);
    // What is left of the mantissa's unit above the lowest bit of this number is its value as a denormal.
    let unit = (DF.bias + u64::from(shift) + 1 - format.bias) << DF.mantissa;
    let denormal = if format.mantissa == DF.mantissa {
        bits
    } else {
        (f64::from_bits(unit | bits) - f64::from_bits(unit)).to_bits() & (u64::MAX >> 1)
    };
    let infinity = format.infinity();
    let quiet = if bits > infinity { 1 << (DF.mantissa - 1) } else { 0 };
    let special = (bits << shift) | DF.infinity() | quiet;
    if bits >= infinity {
        special
    } else if bits >> format.mantissa != 0 {
        normal
    } else if flush {
        0
    } else {
        denormal
    }
}

// ------------------------------------------------------------------------------------------------ to integers

/// The second pass to an integer type of so many bits. Floats are always clamped.
#[inline(always)]
fn integer<const SIZE: usize>(
    recipe: &Recipe,
    wide: &Wide,
    (bits, is_signed): (u32, bool),
    to: &mut Elements,
    bytes: impl Fn(u64) -> [u8; SIZE],
) {
    let largest = u64::MAX >> (64 - bits + u32::from(is_signed));
    let limits = if recipe.source.is_float() || recipe.is_saturated.is_set() {
        [largest, if is_signed { largest + 1 } else { 0 }]
    } else {
        [u64::MAX; 2]
    };
    let clamped = |magnitude: u64, negative: u64| {
        let limit = (limits[0] & !negative) | (limits[1] & negative);
        bytes((magnitude.min(limit) ^ negative).wrapping_sub(negative))
    };
    if recipe.source.is_float() {
        each(recipe, wide, to, |magnitude, negative| clamped(integral(magnitude), negative));
    } else {
        each(recipe, wide, to, clamped);
    }
}

/// The integral part of a `DF` without sign, at most 2^64 - 1; 0 for NaNs.
#[inline(always)]
fn integral(bits: u64) -> u64 {
    let exponent = bits >> DF.mantissa;
    // The leading bit at the top: the value is this divided by 2^(63 - the unbiased exponent).
    let significand = (bits << 11) | (1 << 63);
    let shift = (DF.bias + 63).wrapping_sub(exponent);
    let cut = significand >> (shift & 63);
    let magnitude = if exponent < DF.bias { 0 } else { cut };
    let magnitude = if exponent > DF.bias + 63 { u64::MAX } else { magnitude };
    if bits > DF.infinity() { 0 } else { magnitude }
}

// ------------------------------------------------------------------------------------------------ to floats

/// The second pass to a float type.
#[inline(always)]
fn float<const SIZE: usize>(
    recipe: &Recipe,
    wide: &Wide,
    format: Float,
    to: &mut Elements,
    bytes: impl Fn(u64) -> [u8; SIZE],
) {
    let smallest = if recipe.flushes_result.is_set() { 1 << format.mantissa } else { 0 };
    // Above it are NaNs, and nothing else if nothing is clamped.
    let limits = if recipe.is_saturated.is_set() { [format.infinity(), format.one()] } else { [u64::MAX; 2] };
    let saturation = !all_unless(recipe.is_saturated.is_set());
    let finish = |magnitude: u64, negative: u64| {
        let magnitude = if magnitude < smallest || magnitude > limits[0] { 0 } else { magnitude };
        let magnitude = magnitude.min(limits[1]) & !(negative & saturation);
        bytes(magnitude | (negative & !saturation & 1) << format.sign())
    };
    if !recipe.source.is_float() {
        each(recipe, wide, to, |magnitude, negative| {
            // A zero has no sign.
            let negative = if magnitude == 0 { 0 } else { negative };
            finish(of_integer(magnitude, format), negative)
        });
    } else if format.mantissa == DF.mantissa {
        each(recipe, wide, to, finish);
    } else if recipe.rounding == Rounding::Nearest {
        each(recipe, wide, to, |magnitude, negative| finish(narrowed(magnitude, format, true, 0), negative));
    } else {
        let (flip, directed) = match recipe.rounding {
            Rounding::Up => (u64::MAX, u64::MAX),
            Rounding::Down => (0, u64::MAX),
            Rounding::Nearest | Rounding::TowardZero => (0, 0),
        };
        each(recipe, wide, to, |magnitude, negative| {
            finish(narrowed(magnitude, format, false, (negative ^ flip) & directed), negative)
        });
    }
}

/// An integer rounded to the nearest value of a format.
#[inline(always)]
fn of_integer(magnitude: u64, format: Float) -> u64 {
    let zeros = u64::from(magnitude.leading_zeros());
    let normalized = magnitude << (zeros & 63);
    // One bit of room for the carry; what is lost is remembered in the lowest bit.
    let significand = (normalized >> 1) | (normalized & 1);
    let shift = 62 - format.mantissa;
    let addend = (1 << (shift - 1)) - 1 + (significand >> shift & 1);
    let exponent = (format.bias + 62).wrapping_sub(zeros);
    let bits = (exponent << format.mantissa).wrapping_add((significand + addend) >> shift);
    if magnitude == 0 { 0 } else { bits.min(format.infinity()) }
}

/// A `DF` without sign rounded to a narrower format: to nearest, or away from zero where `away` has all bits, or toward
/// zero where it has none.
#[inline(always)]
fn narrowed(bits: u64, format: Float, to_nearest: bool, away: u64) -> u64 {
    let exponent = bits >> DF.mantissa;
    let mantissa = bits & ((1 << DF.mantissa) - 1);
    let significand = mantissa | u64::from(exponent != 0) << DF.mantissa;
    // The exponent of the result, and how much lower than the lowest one it would have to be.
    let lowest = DF.bias - format.bias + 1;
    let too_low = lowest.saturating_sub(exponent);
    let above_lowest = exponent.saturating_sub(lowest);
    let shift = (u64::from(DF.mantissa - format.mantissa) + too_low).min(63);
    let below = (1 << shift) - 1;
    let addend = if to_nearest { (below >> 1) + (significand >> shift & 1) } else { below & away };
    let rounded = (above_lowest << format.mantissa) + ((significand + addend) >> shift);
    // Toward zero, the largest finite value is just below infinity.
    let largest = format.infinity() - u64::from(!to_nearest && away == 0);
    let special = format.infinity() | mantissa >> (DF.mantissa - format.mantissa);
    if bits >= DF.infinity() { special } else { rounded.min(largest) }
}

// ------------------------------------------------------------------------------------------------ to the destination

/// The second pass: `element` makes an element of a magnitude and what is negative after modifiers.
#[inline(always)]
fn each<const SIZE: usize>(recipe: &Recipe, wide: &Wide, to: &mut Elements, element: impl Fn(u64, u64) -> [u8; SIZE]) {
    let (keep, flip) = (all_unless(recipe.is_absolute.is_set()), !all_unless(recipe.is_negated.is_set()));
    let count = recipe.count.min(MOST);
    let numbers = wide.negative[..count].iter().zip(&wide.magnitude[..count]);
    for ((&negative, &magnitude), bytes) in numbers.zip(to.0.as_chunks_mut::<SIZE>().0) {
        *bytes = element(magnitude, (negative & keep) ^ flip);
    }
}

/// All bits, or none if the condition holds.
#[inline(always)]
const fn all_unless(condition: bool) -> u64 {
    (condition as u64).wrapping_sub(1)
}
