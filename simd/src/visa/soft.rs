//! Arithmetic on the bits of `F`s, in integers: fused steps and sums of rows, exact or cut, rounded once to nearest even.
//!
//! A finite number is a significand and an exponent. The exact sum of a row is kept as a fixed-point number. A fused step is
//! such a sum, a product is a fused step whose addend is a zero of its sign, and a sum one whose product is the first of two
//! times one. A sum that truncates has all terms cut at the same place below the largest one. Nothing here is fast: it is for
//! sums of whole rows, and for hosts that are set to something else.
//!
//! What differs from arithmetic without limits, and why it is equal:
//! 1. The fixed-point number has 640 bits, the lowest of which is 2^-298, that of the smallest product. Seventeen terms
//!    below 2^256 stay below 2^261, so it does not wrap.
//! 2. A NaN may be any on its way, and becomes the canonical one at the end: no operation makes a number of a NaN.
//! 3. A term that is cut is below 2^34 units, so seventeen of them fit in 64 bits; cutting is a shift to the right of two's
//!    complement, which is towards minus infinity.

/// The bits of positive infinity.
pub(super) const F_INFINITY: u32 = 0x7f80_0000;
/// The canonical NaN.
pub(super) const F_NAN: u32 = 0x7fc0_0000;
/// The sign bit.
pub(super) const F_SIGN: u32 = 1 << 31;

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

/// `a * b`, rounded.
pub(super) fn product(a: u32, b: u32) -> u32 {
    fused(a, b, (a ^ b) & F_SIGN)
}

/// `a + b`, rounded.
pub(super) fn sum(a: u32, b: u32) -> u32 {
    fused(a, 1f32.to_bits(), b)
}

/// `a * b + c`, rounded once.
#[inline(never)]
pub(super) fn fused(a: u32, b: u32, c: u32) -> u32 {
    exact_sum(std::iter::once((a, b)), c)
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

/// What the terms of a sum are together.
enum Terms {
    /// The sum is decided: a NaN, an infinity, or -0 if all terms are.
    Special(u32),
    /// All are finite.
    Finite,
}

/// Calls `visit` with the terms that are finite, the accumulator first.
#[inline(always)]
fn each_term(pairs: impl Iterator<Item = (u32, u32)>, accumulator: u32, mut visit: impl FnMut(Term)) -> Terms {
    let mut infinities = [false; 2];
    let mut all_negative_zeros = true;
    let products = pairs.map(|(a, b)| Value::product(a, b));
    for value in std::iter::once(Value::of(accumulator)).chain(products) {
        match value {
            Value::Nan => return Terms::Special(F_NAN),
            Value::Infinity { is_negative } => infinities[usize::from(is_negative)] = true,
            Value::Finite(term) => {
                all_negative_zeros &= term.is_negative && term.significand == 0;
                visit(term);
            }
        }
    }
    match infinities {
        [true, true] => Terms::Special(F_NAN),
        [true, false] => Terms::Special(F_INFINITY),
        [false, true] => Terms::Special(F_INFINITY | F_SIGN),
        [false, false] if all_negative_zeros => Terms::Special(F_SIGN),
        [false, false] => Terms::Finite,
    }
}

/// The sum of an addend and of products, rounded once.
pub(super) fn exact_sum(pairs: impl Iterator<Item = (u32, u32)>, accumulator: u32) -> u32 {
    let mut wide = Wide([0; WIDE]);
    match each_term(pairs, accumulator, |term| wide.add(term)) {
        Terms::Special(bits) => bits,
        Terms::Finite => wide.rounded(),
    }
}

/// The sum of an addend and of at most sixteen products, each cut so many bits below the 24 that an `F` of the exponent of the
/// largest term has; rounded once.
pub(super) fn truncated_sum(pairs: impl Iterator<Item = (u32, u32)>, accumulator: u32, guard: u32) -> u32 {
    let mut terms = [Term { is_negative: false, significand: 0, exponent: 0 }; 17];
    let mut places = terms.iter_mut();
    let mut largest = i32::MIN;
    let kind = each_term(pairs, accumulator, |term| {
        if term.significand != 0 {
            largest = largest.max(term.exponent + 63 - term.significand.leading_zeros() as i32);
        }
        *places.next().expect("a row has at most sixteen products") = term;
    });
    if let Terms::Special(bits) = kind {
        return bits;
    }
    if largest == i32::MIN {
        return 0;
    }
    let unit = largest - 23 - guard as i32;
    let sum: i64 = terms.iter().map(|term| term.cut(unit)).sum();
    rounded(sum < 0, sum.unsigned_abs().into(), unit)
}

impl Term {
    /// The most units of 2 to the power of `unit` that are not above it.
    #[inline(always)]
    fn cut(self, unit: i32) -> i64 {
        let significand = self.significand.cast_signed();
        let signed = if self.is_negative { -significand } else { significand };
        let shift = unit - self.exponent;
        if shift >= 0 {
            signed >> shift.min(63)
        } else if signed == 0 {
            0
        } else {
            // It is at most the largest term.
            signed << -shift
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Noise;

    use super::*;

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

    fn canonical(bits: u32) -> u32 {
        if bits & !F_SIGN > F_INFINITY { F_NAN } else { bits }
    }

    #[test]
    fn arithmetic_in_integers_is_that_of_the_host() {
        let mut noise = Noise::new(0xf3);
        for _ in 0..2_000_000 {
            let [a, b, c] = [0; 3].map(|_| draw_single(&mut noise));
            let [x, y, z] = [a, b, c].map(f32::from_bits);
            assert_eq!(canonical(product(a, b)), canonical((x * y).to_bits()), "{a:#x} * {b:#x}");
            assert_eq!(canonical(sum(a, b)), canonical((x + y).to_bits()), "{a:#x} + {b:#x}");
            let host = x.mul_add(y, z).to_bits();
            assert_eq!(canonical(fused(a, b, c)), canonical(host), "{a:#x} * {b:#x} + {c:#x}");
        }
    }

    #[test]
    fn a_sum_that_truncates_is_that_of_integers_divided_towards_minus_infinity() {
        let mut noise = Noise::new(0xc07);
        let bits = |value: i64| (value as f32).to_bits();
        for _ in 0..20_000 {
            let guard = [3, 0, 1, 2, 4, 6, 8, 10][noise.below(8)];
            // The largest of all, and products that are less.
            let place = 24 + noise.below(30) as u32;
            let sign = [1, -1][noise.below(2)];
            let largest = sign * (i64::from(noise.bits(24) | 1 << 23) << (place - 23));
            let pairs: [(i64, i64); 16] =
                std::array::from_fn(|_| [(); 2].map(|()| i64::from(noise.bits(12)) - (1 << 11)).into());
            let unit = 1 << (place.saturating_sub(23 + guard));
            let sum: i64 = pairs.iter().map(|(a, b)| a * b).chain([largest]).map(|term| term.div_euclid(unit)).sum();
            let floats = pairs.iter().map(|&(a, b)| (bits(a), bits(b)));
            assert_eq!(truncated_sum(floats, bits(largest), guard), bits(sum * unit), "{largest} {pairs:?} {guard}");
        }
    }
}
