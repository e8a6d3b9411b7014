//! Floating point on integers: what the bits of `DF`, `F`, `HF` and `BF` mean, and the bits that come nearest to a
//! value.
//!
//! *Source*: page Data Types (commit 98fff716), lines 43-62 (the formats), 130-165 (to integers), 183-227 (from
//! integers and between floats), 229-240 (saturation). What the page leaves to IEEE 754 is done here as that standard
//! says: gradual underflow, overflow by rounding mode, and the position of the quiet bit.
//!
//! A [`Value`] stands between two formats. [`Format::decode`] and [`integer`] make one without loss, [`Format::encode`]
//! and [`to_integer`] round it, once.

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
    /// An infinity.
    Infinity {
        /// Whether it is the negative one.
        is_negative: bool,
    },
    /// A zero.
    Zero {
        /// Whether the sign bit is set.
        is_negative: bool,
    },
    /// `significand × 2^exponent`, or that negated.
    Finite {
        /// Whether it is below zero.
        is_negative: bool,
        /// Not zero; its leading one may be anywhere.
        significand: u64,
        /// The weight of bit 0 of the significand, as a power of two.
        exponent: i32,
    },
}

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
    #[inline]
    pub const fn flush_denormal(self, bits: u64) -> u64 {
        if self.is_denormal(bits) { bits & self.sign_bit } else { bits }
    }

    /// What `bits` mean.
    #[must_use]
    #[inline]
    pub const fn decode(self, bits: u64) -> Value {
        let is_negative = bits & self.sign_bit != 0;
        let mantissa = self.mantissa(bits);
        let stored_exponent = self.stored_exponent(bits);
        // Stored exponents have at most 11 bits.
        let unit = stored_exponent as i32 - self.bias - self.mantissa_bits.cast_signed();
        if bits & self.infinity == self.infinity {
            if mantissa == 0 {
                Value::Infinity { is_negative }
            } else {
                Value::Nan { is_negative, payload: mantissa << (u64::BITS - self.mantissa_bits) }
            }
        } else if stored_exponent != 0 {
            Value::Finite { is_negative, significand: 1 << self.mantissa_bits | mantissa, exponent: unit }
        } else if mantissa != 0 {
            // A denormal has the exponent of the smallest normal number, but no leading one.
            Value::Finite { is_negative, significand: mantissa, exponent: unit + 1 }
        } else {
            Value::Zero { is_negative }
        }
    }

    /// The bits of this format for `value`, rounded once. A NaN keeps its sign and what fits of its payload from the
    /// top, and is quiet.
    #[must_use]
    #[inline]
    pub const fn encode(self, value: Value, rounding: Rounding) -> u64 {
        match value {
            Value::Nan { is_negative, payload } => {
                let mantissa = payload >> (u64::BITS - self.mantissa_bits);
                self.signed(is_negative, self.infinity | self.quiet_bit() | mantissa)
            }
            Value::Infinity { is_negative } => self.signed(is_negative, self.infinity),
            Value::Zero { is_negative } => self.signed(is_negative, 0),
            Value::Finite { is_negative, significand, exponent } => {
                self.signed(is_negative, self.round(is_negative, significand, exponent, rounding))
            }
        }
    }

    const fn signed(self, is_negative: bool, magnitude: u64) -> u64 {
        if is_negative { magnitude | self.sign_bit } else { magnitude }
    }

    /// The magnitude of a finite value that is not zero, rounded.
    #[inline]
    const fn round(self, is_negative: bool, significand: u64, exponent: i32, rounding: Rounding) -> u64 {
        // The exponent of the value's leading one, and that of the smallest normal number if that is larger.
        let leading = exponent + 63 - significand.leading_zeros().cast_signed();
        let smallest = 1 - self.bias;
        let normalized = if leading > smallest { leading } else { smallest };
        // The value in units of the lowest mantissa bit.
        let dropped = normalized - self.mantissa_bits.cast_signed() - exponent;
        let units = if dropped <= 0 {
            significand << -dropped
        } else {
            round_off(significand, dropped.cast_unsigned(), is_negative, rounding)
        };
        // The units of a normal number have a leading one, which adds the last 1 to the stored exponent; so does a
        // carry out of the mantissa, and a denormal that was rounded up to the smallest normal number.
        let stored_exponent = (normalized + self.bias - 1).cast_unsigned() as u64;
        let magnitude = (stored_exponent << self.mantissa_bits) + units;
        if magnitude < self.infinity {
            magnitude
        } else if rounds_away(is_negative, rounding) || matches!(rounding, Rounding::NearestEven) {
            self.infinity
        } else {
            self.infinity - 1
        }
    }
}

/// `significand / 2^dropped`, rounded to an integer. Neither is zero.
#[inline]
const fn round_off(significand: u64, dropped: u32, is_negative: bool, rounding: Rounding) -> u64 {
    // What is kept, and what is dropped, as a fraction of 2^64.
    let (kept, rest) = match dropped {
        1..64 => (significand >> dropped, significand << (u64::BITS - dropped)),
        64 => (0, significand),
        // Whatever it is, it is between zero and the middle.
        _ => (0, 1),
    };
    let middle = 1 << 63;
    let is_away = match rounding {
        Rounding::NearestEven => rest > middle || rest == middle && kept & 1 != 0,
        Rounding::Up | Rounding::Down | Rounding::TowardZero => rest != 0 && rounds_away(is_negative, rounding),
    };
    if is_away { kept + 1 } else { kept }
}

/// Whether a directed mode rounds what is between two numbers to the one that is farther from zero.
const fn rounds_away(is_negative: bool, rounding: Rounding) -> bool {
    match rounding {
        Rounding::Up => !is_negative,
        Rounding::Down => is_negative,
        Rounding::NearestEven | Rounding::TowardZero => false,
    }
}

/// The value of an integer, which must fit in 65 bits, sign included. Zero is positive.
#[must_use]
pub const fn integer(value: i128) -> Value {
    // At most 64 bits.
    let significand = value.unsigned_abs() as u64;
    if significand == 0 {
        Value::Zero { is_negative: false }
    } else {
        Value::Finite { is_negative: value < 0, significand, exponent: 0 }
    }
}

/// The integer that `value` is without its fraction, or `minimum` or `maximum` if that is nearer; 0 for a NaN.
///
/// Both bounds are those of a type of at most 64 bits.
#[must_use]
pub const fn to_integer(value: Value, minimum: i128, maximum: i128) -> i128 {
    let (is_negative, magnitude) = match value {
        Value::Nan { .. } | Value::Zero { .. } => return 0,
        Value::Infinity { is_negative } => (is_negative, BEYOND),
        Value::Finite { is_negative, significand, exponent } => {
            let magnitude = if exponent >= 64 {
                BEYOND
            } else if exponent >= 0 {
                // A significand has at most 53 bits here.
                (significand as i128) << exponent
            } else if exponent > -64 {
                (significand >> -exponent) as i128
            } else {
                0
            };
            (is_negative, magnitude)
        }
    };
    let whole = if is_negative { -magnitude } else { magnitude };
    if whole < minimum {
        minimum
    } else if whole > maximum {
        maximum
    } else {
        whole
    }
}

/// A magnitude beyond every integer type.
const BEYOND: i128 = 1 << 64;

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
                let value = Value::Finite { is_negative, significand: 1, exponent: 16 };
                assert_eq!(HF.encode(value, rounding), expected, "{is_negative} {rounding:?}");
            }
        }
    }

    #[test]
    fn what_is_far_below_the_smallest_denormal_is_zero_or_that_denormal() {
        for exponent in [-26, -100, -1074] {
            for (rounding, expected) in ALL_ROUNDINGS.into_iter().zip([0, 1, 0, 0]) {
                let value = Value::Finite { is_negative: false, significand: 1, exponent };
                assert_eq!(HF.encode(value, rounding), expected, "{exponent} {rounding:?}");
            }
        }
    }

    #[test]
    fn integers_are_cut_and_clamped() {
        let byte = |bits| to_integer(F.decode(bits), -128, 127);
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
