//! Products and sums of `F`, as IEEE 754 has them: rounded to nearest even, with denormals.
//!
//! [`product`] is exact. [`sum`] is exact or, where it cannot be, has a lowest bit that says so; so whatever format it is
//! encoded in, it is rounded once. [`ExactSum`] adds any number of products without rounding, and is rounded once at the
//! end. [`AlignedSum`] cuts the terms of a row to the place of the largest one before it adds them.
//!
//! *Source*: page DPAS has no word on any of this (lines 124-133 and 218-222; VX-50 to VX-53); what is done here is what the models of
//! [`Sum`](tandem_isa::visa::model::Sum) ask for. A NaN that comes of a product or a sum is the positive quiet NaN
//! without a payload.

// Shown by `products_sums_and_fused_ones_are_those_of_apfloat_and_of_the_host`, where nothing else is said.

use std::cmp::Ordering;

use super::{F, LEADING, Rounding, Value, jam};

/// The positive quiet NaN without a payload.
const NAN: Value = Value { is_negative: false, is_nan: true, is_infinite: false, significand: 0, exponent: 0 };

/// `a * b`, rounded.
#[must_use]
pub fn mul(a: u32, b: u32) -> u32 {
    // [DPAS 130-131] A product of a dot product, where it is rounded by itself.
    encode(product(decode(a), decode(b)))
}

/// `a + b`, rounded.
#[must_use]
pub fn add(a: u32, b: u32) -> u32 {
    // [DPAS 130-131] A sum of a dot product, where it is rounded by itself.
    encode(sum(decode(a), decode(b)))
}

/// `a * b + c`, rounded once.
#[must_use]
pub fn fma(a: u32, b: u32, c: u32) -> u32 {
    // [DPAS 130-131] A product and its sum, where they are rounded together.
    encode(sum(product(decode(a), decode(b)), decode(c)))
}

/// What the bits of an `F` mean.
#[must_use]
pub fn decode(bits: u32) -> Value {
    // [DPAS 130-131] The elements of a dot product are floats.
    F.decode(u64::from(bits))
}

/// The bits of the `F` that is nearest to `value`; of two that are as near, of the even one.
#[must_use]
pub fn encode(value: Value) -> u32 {
    // [DPAS 130-131] The sum is an F.
    u32::try_from(F.encode(value, Rounding::NearestEven)).expect("an F has 32 bits")
}

fn infinite(is_negative: bool) -> Value {
    // [DPAS 130-131] A sum can be infinite, of which no line speaks.
    Value { is_negative, is_nan: false, is_infinite: true, ..NAN }
}

/// The exact product of two values of `F`.
#[must_use]
pub fn product(x: Value, y: Value) -> Value {
    // [DPAS 130-131] Elements are multiplied, …
    let is_negative = x.is_negative != y.is_negative;
    if x.is_nan || y.is_nan || x.is_infinite && y.is_zero() || x.is_zero() && y.is_infinite {
        return NAN;
    }
    if x.is_infinite || y.is_infinite {
        return infinite(is_negative);
    }
    // Integers of 24 bits, in units of 2^(exponent - 23).
    let magnitude = |value: Value| value.significand >> (LEADING - F.mantissa_bits);
    Value::number(is_negative, magnitude(x) * magnitude(y), x.exponent + y.exponent - 46)
}

/// The sum of two values, each of which is one of `F` or a [`product`] of two such.
///
/// It is exact if the exponents are at most 14 apart, and whenever bits cancel each other. Else its lowest bit is set if
/// anything lies below that.
#[must_use]
pub fn sum(x: Value, y: Value) -> Value {
    // [DPAS 130-131] … and the products added.
    if x.is_nan || y.is_nan || x.is_infinite && y.is_infinite && x.is_negative != y.is_negative {
        return NAN;
    }
    if x.is_infinite || y.is_infinite {
        return infinite(if x.is_infinite { x.is_negative } else { y.is_negative });
    }
    // Significands have at most 48 bits from the place of the leading one down, so 14 below them are zero. All leading
    // ones are in place, so the larger exponent is that of the larger number.
    let (high, low) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
    let aligned = jam(low.significand, (high.exponent - low.exponent).cast_unsigned());
    let exponent = high.exponent - LEADING.cast_signed();
    if high.is_negative == low.is_negative {
        return Value::number(high.is_negative, high.significand + aligned, exponent);
    }
    match high.significand.cmp(&aligned) {
        Ordering::Greater => Value::number(high.is_negative, high.significand - aligned, exponent),
        Ordering::Less => Value::number(low.is_negative, aligned - high.significand, exponent),
        // Nothing is positive.
        Ordering::Equal => Value::number(false, 0, 0),
    }
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
    fn look_at(&mut self, term: &Value) -> bool {
        // [DPAS 130-131] A term may be no number, of which no line speaks.
        self.is_nan |= term.is_nan;
        self.is_infinite[usize::from(term.is_negative)] |= term.is_infinite;
        self.is_negative_zero &= term.is_zero() && term.is_negative;
        term.is_number() && !term.is_zero()
    }

    /// The sum, if it is a NaN or an infinity.
    fn sum(&self) -> Option<Value> {
        // [DPAS 130-131] One such term decides on the sum.
        match (self.is_nan, self.is_infinite) {
            (true, _) | (_, [true, true]) => Some(NAN),
            (_, [false, false]) => None,
            (_, [_, is_negative]) => Some(infinite(is_negative)),
        }
    }

    /// A sum that is zero: negative if every term is.
    fn zero(&self) -> Value {
        // [DPAS 130-131] A sum can be zero, of whose sign no line speaks.
        Value::number(self.is_negative_zero, 0, 0)
    }
}

/// A sum of `F` and of products of two `F`, without any rounding.
///
/// *Width and units*: an integer of 576 bits in two's complement, lowest word first, in units of 2^-298. A term is less
/// than 2^256, which is bit 554, so there is room for two million of them.
#[derive(Clone, Copy, Debug)]
pub struct ExactSum {
    words: [u64; WORDS],
    specials: Specials,
}

impl ExactSum {
    /// The sum whose only term is `first`.
    #[must_use]
    pub fn of(first: u32) -> Self {
        // [DPAS 130-131] The sum begins with the accumulator.
        let mut sum = ExactSum { words: [0; WORDS], specials: Specials::NONE };
        sum.add(decode(first));
        sum
    }

    /// Adds `a * b`.
    pub fn add_product(&mut self, a: u32, b: u32) {
        // [DPAS 130-131] A product of two elements is added.
        self.add(product(decode(a), decode(b)));
    }

    /// Adds a term of at most 48 bits.
    fn add(&mut self, term: Value) {
        // [DPAS 130-131] A term is added exactly.
        if !self.specials.look_at(&term) {
            return;
        }
        // In units of 2^(exponent - 47); the lowest bits of a term near the bottom are zero.
        let (magnitude, place) = (term.significand >> 14, term.exponent - 47 - LOWEST);
        let magnitude = magnitude >> (-place).max(0);
        let place = usize::try_from(place.max(0)).expect("not negative");
        let placed = u128::from(magnitude) << (place % 64);
        let mut words = [0; WORDS];
        words[place / 64] = placed as u64;
        words[place / 64 + 1] = (placed >> 64) as u64;
        self.words = plus(self.words, if term.is_negative { negated(words) } else { words });
    }

    /// The sum, rounded once.
    #[must_use]
    pub fn rounded(&self) -> u32 {
        // [DPAS 130-131] The sum is an F.
        if let Some(special) = self.specials.sum() {
            return encode(special);
        }
        let is_negative = self.words[WORDS - 1] >> 63 != 0;
        let words = if is_negative { negated(self.words) } else { self.words };
        let Some(top) = words.iter().rposition(|&word| word != 0) else {
            return encode(self.specials.zero());
        };
        // The top word and the one below have at least 65 bits of the sum; of what is below only whether it is zero
        // counts.
        let below = if top == 0 { 0 } else { words[top - 1] };
        let zeros = words[top].leading_zeros();
        let pair = (u128::from(words[top]) << 64 | u128::from(below)) << zeros;
        let is_exact = words[..top.saturating_sub(1)].iter().all(|&word| word == 0);
        let magnitude = (pair >> 64) as u64 | u64::from(pair as u64 != 0 || !is_exact);
        let exponent = i32::try_from(64 * top).expect("a few words") - zeros.cast_signed() + LOWEST;
        encode(Value::number(is_negative, magnitude, exponent))
    }
}

/// The sum of two wide integers.
fn plus(mut a: [u64; WORDS], b: [u64; WORDS]) -> [u64; WORDS] {
    let mut carry = 0;
    for i in 0..WORDS {
        let total = u128::from(a[i]) + u128::from(b[i]) + carry;
        a[i] = total as u64;
        carry = total >> 64;
    }
    a
}

/// A wide integer with the other sign.
fn negated(words: [u64; WORDS]) -> [u64; WORDS] {
    let mut one = [0; WORDS];
    one[0] = 1;
    plus(words.map(|word| !word), one)
}

// ------------------------------------------------------------------------------------------------ aligned sums

/// The most terms of an aligned sum: the accumulator, and two products at each of eight depths.
const MOST_TERMS: usize = 17;

/// A sum of at most 17 terms, `F` or products of two `F`, each of which is cut to the place of the largest one.
#[derive(Clone, Copy, Debug)]
pub struct AlignedSum {
    /// Bits below those of an `F` that a term keeps.
    guard: u32,
    /// Numbers other than zero.
    terms: [Value; MOST_TERMS],
    num_terms: usize,
    specials: Specials,
}

impl AlignedSum {
    /// The sum whose only term is `first`; of terms, `guard` bits more than an `F` has are kept.
    #[must_use]
    pub fn of(first: u32, guard: u32) -> Self {
        // [DPAS 130-131] The sum begins with the accumulator.
        let mut sum = AlignedSum { guard, terms: [NAN; MOST_TERMS], num_terms: 0, specials: Specials::NONE };
        sum.add(decode(first));
        sum
    }

    /// Adds `a * b`.
    pub fn add_product(&mut self, a: u32, b: u32) {
        // [DPAS 130-131] A product of two elements is added.
        self.add(product(decode(a), decode(b)));
    }

    fn add(&mut self, term: Value) {
        // [DPAS 130-131] A term is kept until all are known.
        if self.specials.look_at(&term) {
            self.terms[self.num_terms] = term;
            self.num_terms += 1;
        }
    }

    /// The sum of the terms as they are cut, rounded once.
    #[must_use]
    pub fn rounded(&self) -> u32 {
        // [DPAS 130-131] The sum is an F.
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
            let dropped = (LEADING - F.mantissa_bits - self.guard) + (largest - term.exponent).cast_unsigned();
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
        encode(Value::number(units < 0, units.unsigned_abs(), unit))
    }
}
