//! Products and sums of `F`, as IEEE 754 has them: rounded to nearest even, with denormals.
//!
//! [`product`] is exact. [`sum`] is exact or, where it cannot be, has a lowest bit that says so; so whatever format it is
//! encoded in, it is rounded once. [`ExactSum`] adds any number of products without rounding, and is rounded once at the
//! end. [`AlignedSum`] cuts the terms of a row to the place of the largest one before it adds them.
//!
//! *Source*: page DPAS has no word on any of this (lines 124-133 and 218-222; VX-50 to VX-53); what is done here is what the models of
//! [`Sum`](tandem_isa::visa::model::Sum) ask for. A NaN that comes of a product or a sum is the positive quiet NaN
//! without a payload.

use super::{F, OF_ZERO, Rounding, Value, Word};

/// The positive quiet NaN without a payload.
const NAN: Value<u64> =
    Value { is_negative: 0, is_nan: u64::MAX, is_infinite: 0, significand: 0, exponent: 0, smallest_exponent: OF_ZERO };

/// The bits of a significand of `F` that has its leading one at [`Word::LEADING`] begin there.
const F_SHIFT: u32 = u64::LEADING - F.mantissa_bits;

/// `a * b`, rounded.
#[must_use]
#[inline]
pub fn mul(a: u32, b: u32) -> u32 {
    // DPAS 130-131.
    encode(product(decode(a), decode(b)))
}

/// `a + b`, rounded.
#[must_use]
#[inline]
pub fn add(a: u32, b: u32) -> u32 {
    // DPAS 130-131.
    encode(sum(decode(a), decode(b)))
}

/// `a * b + c`, rounded once.
#[must_use]
#[inline]
pub fn fma(a: u32, b: u32, c: u32) -> u32 {
    // DPAS 130-131.
    encode(sum(product(decode(a), decode(b)), decode(c)))
}

/// What the bits of an `F` mean, with the leading one of a denormal in its place.
#[must_use]
#[inline]
pub fn decode(bits: u32) -> Value<u64> {
    // DPAS 130-131.
    F.decode(u64::from(bits)).normalized()
}

/// The bits of the `F` that is nearest to `value`; of two that are as near, of the even one.
#[must_use]
#[inline]
pub fn encode(value: Value<u64>) -> u32 {
    // DPAS 130-131.
    u32::try_from(F.encode(value, Rounding::NearestEven)).expect("an F has 32 bits")
}

/// `magnitude * 2^exponent`. What would lie below the place of the lowest bit is or-ed into that bit.
#[inline]
fn finite(is_negative: u64, magnitude: u64, exponent: i32) -> Value<u64> {
    // DPAS 130-131.
    let zeros = magnitude.leading_zeros();
    let room = u64::BITS - 1 - u64::LEADING;
    let significand = if zeros < room { jam(magnitude, room - zeros) } else { magnitude.wrapping_shl(zeros - room) };
    Value {
        is_negative,
        is_nan: 0,
        is_infinite: 0,
        significand,
        exponent: if magnitude == 0 { OF_ZERO } else { exponent + 63 - zeros.cast_signed() },
        smallest_exponent: OF_ZERO,
    }
}

fn infinite(is_negative: u64) -> Value<u64> {
    // DPAS 130-131.
    Value { is_negative, is_infinite: u64::MAX, is_nan: 0, ..NAN }
}

/// `magnitude / 2^distance` without its fraction; the lowest bit is set if there was one.
#[inline]
fn jam(magnitude: u64, distance: u32) -> u64 {
    // DPAS 130-131.
    // All of it is fraction from the width on.
    let kept = magnitude.checked_shr(distance).unwrap_or(0);
    let is_inexact = distance >= u64::BITS && magnitude != 0 || distance < u64::BITS && kept << distance != magnitude;
    kept | u64::from(is_inexact)
}

/// The exact product of two values of `F`, with its leading one in place.
#[must_use]
#[inline]
pub fn product(x: Value<u64>, y: Value<u64>) -> Value<u64> {
    // DPAS 130-131.
    let is_negative = x.is_negative ^ y.is_negative;
    if (x.is_nan | y.is_nan | x.is_infinite | y.is_infinite) != 0 {
        return special_product(x, y, is_negative);
    }
    // Integers of 24 bits, in units of 2^(exponent - 23).
    let magnitude = (x.significand >> F_SHIFT) * (y.significand >> F_SHIFT);
    finite(is_negative, magnitude, x.exponent + y.exponent - 46)
}

#[cold]
fn special_product(x: Value<u64>, y: Value<u64>, is_negative: u64) -> Value<u64> {
    // DPAS 130-131.
    let is_zero = |value: &Value<u64>| value.is_infinite == 0 && value.significand == 0;
    if (x.is_nan | y.is_nan) != 0 || is_zero(&x) || is_zero(&y) { NAN } else { infinite(is_negative) }
}

/// The sum of two values, each of which is one of `F` or a [`product`] of two such.
///
/// It is exact if the exponents are at most 14 apart, and whenever bits cancel each other. Else its lowest bit is set if
/// anything lies below that.
#[must_use]
#[inline]
pub fn sum(x: Value<u64>, y: Value<u64>) -> Value<u64> {
    // DPAS 130-131.
    if (x.is_nan | y.is_nan | x.is_infinite | y.is_infinite) != 0 {
        return special_sum(x, y);
    }
    // Significands have at most 48 bits from the place of the leading one down, so 14 below them are zero. All leading
    // ones are in place, so the larger exponent is that of the larger number.
    let (high, low) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
    let aligned = jam(low.significand, (high.exponent - low.exponent).cast_unsigned());
    let exponent = high.exponent - 61;
    if high.is_negative == low.is_negative {
        return finite(high.is_negative, high.significand + aligned, exponent);
    }
    // Nothing is positive.
    let difference = high.significand.abs_diff(aligned);
    let is_low_sign = u64::mask(high.significand < aligned);
    let is_negative = (high.is_negative ^ is_low_sign) & u64::mask(difference != 0);
    finite(is_negative, difference, exponent)
}

#[cold]
fn special_sum(x: Value<u64>, y: Value<u64>) -> Value<u64> {
    // DPAS 130-131.
    let are_opposite = (x.is_infinite & y.is_infinite & (x.is_negative ^ y.is_negative)) != 0;
    if (x.is_nan | y.is_nan) != 0 || are_opposite {
        return NAN;
    }
    infinite(if x.is_infinite != 0 { x.is_negative } else { y.is_negative })
}

// ------------------------------------------------------------------------------------------------ exact sums

/// Words of a wide integer.
const WORDS: usize = 9;
/// The weight of its lowest bit, as a power of two: that of the square of the smallest denormal.
const LOWEST: i32 = -298;

/// What the terms of a sum say of it beside their finite parts.
#[derive(Clone, Copy, Debug)]
struct Specials {
    /// Whether every term so far is a zero with the sign bit set.
    is_negative_zero: bool,
    /// Whether a term is an infinity, of either sign.
    is_infinite: [bool; 2],
    is_nan: bool,
}

impl Specials {
    /// Of no terms.
    const NONE: Specials = Specials { is_negative_zero: true, is_infinite: [false; 2], is_nan: false };

    /// Looks at a term. Whether it is a number other than zero.
    #[inline]
    fn look_at(&mut self, term: &Value<u64>) -> bool {
        // DPAS 130-131.
        let sign = usize::from(term.is_negative != 0);
        self.is_nan |= term.is_nan != 0;
        self.is_infinite[sign] |= term.is_infinite != 0;
        self.is_negative_zero &= sign == 1 && term.significand == 0 && term.is_infinite == 0;
        (term.is_nan | term.is_infinite) == 0 && term.significand != 0
    }

    /// The sum, if it is a NaN or an infinity.
    fn sum(&self) -> Option<Value<u64>> {
        // DPAS 130-131.
        match (self.is_nan, self.is_infinite) {
            (true, _) | (_, [true, true]) => Some(NAN),
            (_, [false, false]) => None,
            (_, [_, is_negative]) => Some(infinite(u64::mask(is_negative))),
        }
    }

    /// A sum that is zero: negative if every term is.
    fn zero(&self) -> Value<u64> {
        // DPAS 130-131.
        finite(u64::mask(self.is_negative_zero), 0, 0)
    }
}

/// A sum of `F` and of products of two `F`, without any rounding.
///
/// *Width and units*: two integers of 576 bits, in units of 2^-298. A term is less than 2^256, which is bit 554, so
/// there is room for four million of them.
#[derive(Clone, Copy, Debug)]
pub struct ExactSum {
    /// The magnitudes of the terms that are not negative, and of those that are, lowest word first.
    magnitudes: [[u64; WORDS]; 2],
    specials: Specials,
}

impl ExactSum {
    /// The sum whose only term is `first`.
    #[must_use]
    pub fn of(first: u32) -> Self {
        // DPAS 130-131.
        let mut sum = ExactSum { magnitudes: [[0; WORDS]; 2], specials: Specials::NONE };
        sum.add(decode(first));
        sum
    }

    /// Adds `a * b`.
    #[inline]
    pub fn add_product(&mut self, a: u32, b: u32) {
        // DPAS 130-131.
        self.add(product(decode(a), decode(b)));
    }

    /// Adds a term of at most 48 bits with its leading one in place.
    #[inline]
    fn add(&mut self, term: Value<u64>) {
        // DPAS 130-131.
        let sign = usize::from(term.is_negative != 0);
        if !self.specials.look_at(&term) {
            return;
        }
        // In units of 2^(exponent - 47); the lowest bits of a term near the bottom are zero.
        let (magnitude, place) = (term.significand >> 14, term.exponent - 47 - LOWEST);
        let magnitude = magnitude >> (-place).max(0);
        let place = usize::try_from(place.max(0)).expect("not negative");
        let mut placed = u128::from(magnitude) << (place % 64);
        for word in &mut self.magnitudes[sign][place / 64..] {
            if placed == 0 {
                break;
            }
            let total = u128::from(*word) + u128::from(placed as u64);
            *word = total as u64;
            placed = (placed >> 64) + (total >> 64);
        }
    }

    /// The sum, rounded once.
    #[must_use]
    pub fn rounded(&self) -> u32 {
        // DPAS 130-131.
        if let Some(special) = self.specials.sum() {
            return encode(special);
        }
        let [positive, negative] = &self.magnitudes;
        let is_negative = positive.iter().rev().lt(negative.iter().rev());
        let (large, small) = if is_negative { (negative, positive) } else { (positive, negative) };
        let mut difference = [0; WORDS];
        let mut borrow = false;
        for ((word, &large), &small) in difference.iter_mut().zip(large).zip(small) {
            let (total, first) = large.overflowing_sub(small);
            let (total, second) = total.overflowing_sub(u64::from(borrow));
            *word = total;
            borrow = first | second;
        }
        let Some(top) = difference.iter().rposition(|&word| word != 0) else {
            return encode(self.specials.zero());
        };
        // The top word and the one below have at least 65 bits of the sum; of what is below only whether it is zero
        // counts.
        let below = top.checked_sub(1).map_or(0, |place| difference[place]);
        let zeros = difference[top].leading_zeros();
        let pair = (u128::from(difference[top]) << 64 | u128::from(below)) << zeros;
        let is_inexact = pair as u64 != 0 || difference[..top.saturating_sub(1)].iter().any(|&word| word != 0);
        let magnitude = (pair >> 64) as u64 | u64::from(is_inexact);
        let exponent = i32::try_from(64 * top).expect("a few words") - zeros.cast_signed() + LOWEST;
        encode(finite(u64::mask(is_negative), magnitude, exponent))
    }
}

// ------------------------------------------------------------------------------------------------ aligned sums

/// The most terms of an aligned sum: the accumulator, and two products at each of eight depths.
const MOST_TERMS: usize = 17;

/// A term that is a number other than zero: `significand * 2^(exponent - LEADING)`, its leading one at [`Word::LEADING`].
#[derive(Clone, Copy, Debug, Default)]
struct Term {
    is_negative: bool,
    significand: u64,
    exponent: i32,
}

/// A sum of at most 17 terms, `F` or products of two `F`, each of which is cut to the place of the largest one.
#[derive(Clone, Copy, Debug)]
pub struct AlignedSum {
    /// Bits below those of an `F` that a term keeps.
    guard: u32,
    terms: [Term; MOST_TERMS],
    num_terms: usize,
    specials: Specials,
}

impl AlignedSum {
    /// The sum whose only term is `first`; of terms, `guard` bits more than an `F` has are kept.
    #[must_use]
    pub fn of(first: u32, guard: u32) -> Self {
        // DPAS 130-131.
        let mut sum =
            AlignedSum { guard, terms: [Term::default(); MOST_TERMS], num_terms: 0, specials: Specials::NONE };
        sum.add(decode(first));
        sum
    }

    /// Adds `a * b`.
    #[inline]
    pub fn add_product(&mut self, a: u32, b: u32) {
        // DPAS 130-131.
        self.add(product(decode(a), decode(b)));
    }

    #[inline]
    fn add(&mut self, term: Value<u64>) {
        // DPAS 130-131.
        if self.specials.look_at(&term) {
            let Value { significand, exponent, .. } = term;
            self.terms[self.num_terms] = Term { is_negative: term.is_negative != 0, significand, exponent };
            self.num_terms += 1;
        }
    }

    /// The sum of the terms as they are cut, rounded once.
    #[must_use]
    pub fn rounded(&self) -> u32 {
        // DPAS 130-131.
        if let Some(special) = self.specials.sum() {
            return encode(special);
        }
        let terms = &self.terms[..self.num_terms];
        let Some(largest) = terms.iter().map(|term| term.exponent).max() else {
            return encode(self.specials.zero());
        };
        // Units of 2^(largest - 23 - guard). The largest term has 24 bits and the guard of them.
        let mut units: i64 = 0;
        for term in terms {
            let dropped = (u64::LEADING - F.mantissa_bits - self.guard) + (largest - term.exponent).cast_unsigned();
            let kept = term.significand.checked_shr(dropped).unwrap_or(0);
            let is_exact = dropped < u64::BITS && kept << dropped == term.significand;
            // Toward minus infinity: what is negative grows in magnitude.
            let magnitude = i64::try_from(kept).expect("it has at most 34 bits");
            units += if term.is_negative { -magnitude - i64::from(!is_exact) } else { magnitude };
        }
        if units == 0 {
            return encode(self.specials.zero());
        }
        let unit = largest - (F.mantissa_bits + self.guard).cast_signed();
        encode(finite(u64::mask(units < 0), units.unsigned_abs(), unit))
    }
}
