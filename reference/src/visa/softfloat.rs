//! Floating point on integers: what the bits of `DF`, `F`, `HF` and `BF` mean, and the bits that come nearest to a
//! value.
//!
//! *Source*: page Data Types (commit 98fff716), lines 43-62 (the formats), 130-165 (to integers), 183-227 (from
//! integers and between floats), 229-240 (saturation). What the page leaves to IEEE 754 is done here as that standard
//! says: gradual underflow, overflow by rounding mode, and the position of the quiet bit.
//!
//! A [`Value`] stands between two formats. [`Format::decode`] and [`integer`] make one without loss, [`Format::encode`]
//! and [`to_integer`] round it, once.
//! Most cases are computed side by side and one is selected, which leaves the compiler free not to branch on data; all
//! is inlined, so that the widths of a known format are constants.

/// A binary floating point format: `Sign,Exp,Man`, most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Width of the exponent, in bits.
    pub exponent_bits: u32,
    /// Width of the mantissa, in bits, without the leading one that is not stored.
    pub mantissa_bits: u32,
    /// What is subtracted from the stored exponent.
    pub bias: i32,
    /// The bit that holds the sign, in place.
    pub sign_bit: u64,
    /// Positive infinity: every exponent bit set, and no other. One below are the bits of the largest finite number.
    pub infinity: u64,
    /// The number one.
    pub one: u64,
}

impl Format {
    /// The format with these widths, in bits.
    const fn new(exponent_bits: u32, mantissa_bits: u32) -> Self {
        let bias: u32 = (1 << (exponent_bits - 1)) - 1;
        Format {
            exponent_bits,
            mantissa_bits,
            bias: bias.cast_signed(),
            sign_bit: 1 << (exponent_bits + mantissa_bits),
            infinity: ((1 << exponent_bits) - 1) << mantissa_bits,
            one: (bias as u64) << mantissa_bits,
        }
    }
}

/// `DF`: 1-11-52 (line 58).
pub const DF: Format = Format::new(11, 52);
/// `F`: 1-8-23 (line 59).
pub const F: Format = Format::new(8, 23);
/// `HF`: 1-5-10 (line 60).
pub const HF: Format = Format::new(5, 10);
/// `BF`: 1-8-7 (line 61).
pub const BF: Format = Format::new(8, 7);

/// A rounding mode. *Source*: page Header, lines 426-430; page Data Types, lines 193-196.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `RTNE`: to the nearest, and if two are as near, to the one with an even mantissa.
    NearestEven,
    /// `RU`: toward positive infinity.
    Up,
    /// `RD`: toward negative infinity.
    Down,
    /// `RTZ`: toward zero.
    TowardZero,
}

/// What the bits of a float mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Not a number.
    Nan {
        /// Whether the sign bit is set.
        is_negative: bool,
        /// The mantissa, moved up until its top bit is bit 63.
        payload: u64,
    },
    /// `significand × 2^exponent`, or that negated.
    Number {
        /// Whether the sign bit is set.
        is_negative: bool,
        /// Its leading one may be anywhere; a zero has none.
        significand: u64,
        /// The weight of bit 0 of the significand, as a power of two; [`INFINITE`] for an infinity.
        exponent: i32,
    },
}

/// The exponent of an infinity, beyond that of every number.
pub const INFINITE: i32 = 2048;

impl Format {
    /// The top bit of the mantissa, which tells quiet NaNs from signaling ones.
    #[must_use]
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.mantissa_bits - 1)
    }

    /// The mantissa of `bits`.
    #[must_use]
    pub const fn mantissa(self, bits: u64) -> u64 {
        bits & ((1 << self.mantissa_bits) - 1)
    }

    /// The stored exponent of `bits`.
    #[must_use]
    pub const fn stored_exponent(self, bits: u64) -> u64 {
        (bits & self.infinity) >> self.mantissa_bits
    }

    /// Whether `bits` is a denormal: not zero, and without the leading one.
    #[must_use]
    pub const fn is_denormal(self, bits: u64) -> bool {
        bits & self.infinity == 0 && self.mantissa(bits) != 0
    }

    /// Zero of the same sign in place of a denormal; anything else stays.
    #[must_use]
    #[inline(always)]
    pub const fn flush_denormal(self, bits: u64) -> u64 {
        // What has no exponent bit is a denormal, or a zero of that sign already.
        if bits & self.infinity == 0 { bits & self.sign_bit } else { bits }
    }

    /// What `bits` mean.
    #[must_use]
    #[inline(always)]
    pub const fn decode(self, bits: u64) -> Value {
        let is_negative = bits & self.sign_bit != 0;
        let mantissa = self.mantissa(bits);
        let stored_exponent = self.stored_exponent(bits);
        // A denormal has the exponent of the smallest normal number, but no leading one.
        let leading_one = (stored_exponent != 0) as u64;
        let significand = leading_one << self.mantissa_bits | mantissa;
        // Stored exponents have at most 11 bits.
        let unit = (stored_exponent | (leading_one ^ 1)) as i32 - self.bias - self.mantissa_bits.cast_signed();
        let exponent = if bits & self.infinity == self.infinity { INFINITE } else { unit };
        if bits & !self.sign_bit > self.infinity {
            Value::Nan { is_negative, payload: mantissa << (u64::BITS - self.mantissa_bits) }
        } else {
            Value::Number { is_negative, significand, exponent }
        }
    }

    /// The bits of this format for `value`, rounded once. A NaN keeps its sign and what fits of its payload from the
    /// top, and is quiet.
    #[must_use]
    #[inline(always)]
    pub const fn encode(self, value: Value, rounding: Rounding) -> u64 {
        let (is_nan, is_negative, payload, significand, exponent) = match value {
            Value::Nan { is_negative, payload } => (true, is_negative, payload, 0, 0),
            Value::Number { is_negative, significand, exponent } => (false, is_negative, 0, significand, exponent),
        };
        let nan = self.infinity | self.quiet_bit() | payload >> (u64::BITS - self.mantissa_bits);
        let number = self.round(is_negative, significand, exponent, rounding);
        let magnitude = if is_nan { nan } else { number };
        magnitude | if is_negative { self.sign_bit } else { 0 }
    }

    /// The magnitude of a number, rounded.
    #[inline(always)]
    const fn round(self, is_negative: bool, significand: u64, exponent: i32, rounding: Rounding) -> u64 {
        // The significand with its leading one at bit 63, and the exponent of that one.
        let zeros = (significand | 1).leading_zeros();
        let aligned = significand << zeros;
        let leading = exponent + 63 - zeros.cast_signed();
        // The exponent of the smallest normal number if that is larger; zero is with the denormals.
        let smallest = 1 - self.bias;
        let normalized = if leading > smallest && significand != 0 { leading } else { smallest };
        // The value in units of the lowest mantissa bit. A denormal has fewer bits than the mantissa.
        let dropped = 63 - self.mantissa_bits + normalized.abs_diff(leading);
        let units = round_off(aligned, dropped, is_negative, rounding);
        // The units of a normal number have a leading one, which adds the last 1 to the stored exponent; so does a
        // carry out of the mantissa, and a denormal that was rounded up to the smallest normal number.
        let stored_exponent = (normalized + self.bias - 1).cast_unsigned() as u64;
        let magnitude = (stored_exponent << self.mantissa_bits) + units;
        // What is too large becomes an infinity, unless the mode rounds it to the largest number.
        let is_infinite = exponent == INFINITE || threshold(is_negative, rounding) != u64::MAX;
        let too_large = if is_infinite { self.infinity } else { self.infinity - 1 };
        if magnitude < self.infinity { magnitude } else { too_large }
    }
}

/// `significand / 2^dropped`, rounded to an integer; `dropped` is not zero.
#[inline(always)]
const fn round_off(significand: u64, dropped: u32, is_negative: bool, rounding: Rounding) -> u64 {
    // What is kept, and what is dropped, as a fraction of 2^64; of less than a half only whether it is zero counts.
    let is_below_half = dropped > u64::BITS;
    let kept = if is_below_half { 0 } else { significand >> 1 >> ((dropped - 1) % u64::BITS) };
    let rest =
        if is_below_half { significand >> 1 } else { significand << (u64::BITS.wrapping_sub(dropped) % u64::BITS) };
    // In the middle an odd number is rounded away, and an even one is not.
    let odd = if matches!(rounding, Rounding::NearestEven) { kept & 1 } else { 0 };
    kept + ((rest | odd) > threshold(is_negative, rounding)) as u64
}

/// Up to which fraction of 2^64 what is dropped is rounded toward zero; beyond it, away from zero.
#[inline(always)]
const fn threshold(is_negative: bool, rounding: Rounding) -> u64 {
    let (of_positive, of_negative) = match rounding {
        Rounding::NearestEven => (1 << 63, 1 << 63),
        Rounding::Up => (0, u64::MAX),
        Rounding::Down => (u64::MAX, 0),
        Rounding::TowardZero => (u64::MAX, u64::MAX),
    };
    if is_negative { of_negative } else { of_positive }
}

/// The value of an integer, which must fit in 65 bits, sign included. Zero is positive.
#[must_use]
#[inline(always)]
pub const fn integer(value: i128) -> Value {
    // At most 64 bits.
    Value::Number { is_negative: value < 0, significand: value.unsigned_abs() as u64, exponent: 0 }
}

/// The integer that `value` is without its fraction, or the nearer one of the bounds `-below` and `above`; 0 for a NaN.
/// In two's complement of 64 bits.
///
/// The significand has at most 53 bits.
#[must_use]
#[inline(always)]
pub const fn to_integer(value: Value, below: u64, above: u64) -> u64 {
    let (is_negative, significand, exponent) = match value {
        Value::Nan { .. } => (false, 0, 0),
        Value::Number { is_negative, significand, exponent } => (is_negative, significand, exponent),
    };
    let distance = exponent.unsigned_abs();
    // A fraction that is moved by 63 is below one, as it is if moved further.
    let fraction_cut = significand >> if distance < 63 { distance } else { 63 };
    let moved_up =
        if distance <= significand.leading_zeros() { significand << (distance % u64::BITS) } else { u64::MAX };
    let magnitude = if exponent < 0 { fraction_cut } else { moved_up };
    let bound = if is_negative { below } else { above };
    let clamped = if magnitude < bound { magnitude } else { bound };
    if is_negative { clamped.wrapping_neg() } else { clamped }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_ROUNDINGS: [Rounding; 4] = [Rounding::NearestEven, Rounding::Up, Rounding::Down, Rounding::TowardZero];

    #[test]
    fn the_constants_are_those_of_the_formats() {
        let rows = [
            (DF, 1023, 0x7ff0_0000_0000_0000, 0x3ff0_0000_0000_0000),
            (F, 127, 0x7f80_0000, 0x3f80_0000),
            (HF, 15, 0x7c00, 0x3c00),
            (BF, 127, 0x7f80, 0x3f80),
        ];
        for (format, bias, infinity, one) in rows {
            assert_eq!((format.bias, format.infinity, format.one), (bias, infinity, one));
        }
    }

    #[test]
    fn every_number_of_16_bits_survives_its_own_format() {
        for format in [HF, BF] {
            for bits in 0..1 << 16 {
                for rounding in ALL_ROUNDINGS {
                    let value = format.decode(bits);
                    let quiet = if matches!(value, Value::Nan { .. }) { format.quiet_bit() } else { 0 };
                    assert_eq!(format.encode(value, rounding), bits | quiet, "{format:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn overflow_goes_where_the_mode_says() {
        // Twice the largest power of two of HF, and its negative.
        for (is_negative, expected) in
            [(false, [0x7c00, 0x7c00, 0x7bff, 0x7bff]), (true, [0xfc00, 0xfbff, 0xfc00, 0xfbff])]
        {
            for (rounding, expected) in ALL_ROUNDINGS.into_iter().zip(expected) {
                let value = Value::Number { is_negative, significand: 1, exponent: 16 };
                assert_eq!(HF.encode(value, rounding), expected, "{is_negative} {rounding:?}");
            }
        }
    }

    #[test]
    fn what_is_far_below_the_smallest_denormal_is_zero_or_that_denormal() {
        for exponent in [-26, -100, -1074] {
            for (rounding, expected) in ALL_ROUNDINGS.into_iter().zip([0, 1, 0, 0]) {
                let value = Value::Number { is_negative: false, significand: 1, exponent };
                assert_eq!(HF.encode(value, rounding), expected, "{exponent} {rounding:?}");
            }
        }
    }

    #[test]
    fn integers_are_cut_and_clamped() {
        let byte = |bits| to_integer(F.decode(bits), 128, 127).cast_signed();
        // 1.5, -1.5, -0.99, 127.5, 128, -128.9, -129, infinities, NaN, the smallest denormal.
        let rows = [
            (0x3fc0_0000, 1),
            (0xbfc0_0000, -1),
            (0xbf7d_70a4, 0),
            (0x42ff_0000, 127),
            (0x4300_0000, 127),
            (0xc300_e666, -128),
            (0xc301_0000, -128),
            (0x7f80_0000, 127),
            (0xff80_0000, -128),
            (0x7fc0_0000, 0),
            (1, 0),
        ];
        for (bits, expected) in rows {
            assert_eq!(byte(bits), expected, "{bits:#x}");
        }
    }
}
