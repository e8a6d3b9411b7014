//! Floating point on integers: what the bits of `DF`, `F`, `HF` and `BF` mean, and the bits that come nearest to a
//! value.
//!
//! *Source*: page Data Types (commit 98fff716), lines 43-62 (the formats), 130-165 (to integers), 183-227 (from
//! integers and between floats), 229-240 (saturation). What the page leaves to IEEE 754 is done here as that standard
//! says: gradual underflow, overflow by rounding mode, and the position of the quiet bit.
//!
//! A [`Value`] stands between two formats. [`Format::decode`] and [`integer`] make one without loss, [`Format::encode`]
//! and [`to_integer`] round it, once. Products and sums of values are in [`arithmetic`].

// Shown by `narrowing_rounds_like_apfloat`, where nothing else is said.

pub mod arithmetic;

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

/// Where the leading one of a significand is. The two bits above take the carries of a sum.
pub const LEADING: u32 = 61;

/// What the bits of a float mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Whether the sign bit is set.
    pub is_negative: bool,
    /// Not a number.
    pub is_nan: bool,
    /// An infinity.
    pub is_infinite: bool,
    /// Of a number other than zero, its bits, with the leading one at [`LEADING`]. Of a NaN, the mantissa, with its top bit
    /// below that place.
    pub significand: u64,
    /// The weight of the bit [`LEADING`] of a number, as a power of two. That of a zero is below all others.
    pub exponent: i32,
}

impl Value {
    /// `magnitude * 2^exponent`. What would lie below the place of the lowest bit is or-ed into that bit.
    fn number(is_negative: bool, magnitude: u64, exponent: i32) -> Self {
        // [DATA_TYPES 58-61] A number is its significand at a power of two.
        let (is_nan, is_infinite) = (false, false);
        if magnitude == 0 {
            return Value { is_negative, is_nan, is_infinite, significand: 0, exponent: -4096 };
        }
        let leading = magnitude.ilog2();
        let significand =
            if leading > LEADING { jam(magnitude, leading - LEADING) } else { magnitude << (LEADING - leading) };
        Value { is_negative, is_nan, is_infinite, significand, exponent: exponent + leading.cast_signed() }
    }

    /// Whether it is a number, and neither a NaN nor an infinity.
    fn is_number(&self) -> bool {
        !self.is_nan && !self.is_infinite
    }

    /// Whether it is a number, and zero.
    fn is_zero(&self) -> bool {
        self.is_number() && self.significand == 0
    }
}

/// `magnitude / 2^distance` without its fraction; the lowest bit is set if there was one.
fn jam(magnitude: u64, distance: u32) -> u64 {
    // All of it is fraction from the width on.
    // [DPAS 130-131] A sum of products has more bits than an F; no line says what becomes of them.
    let kept = magnitude.checked_shr(distance).unwrap_or(0);
    let is_exact = distance < u64::BITS && kept << distance == magnitude;
    if is_exact || magnitude == 0 { kept } else { kept | 1 }
}

impl Format {
    /// The top bit of the mantissa, which tells quiet NaNs from signaling ones.
    #[must_use]
    pub fn quiet_bit(self) -> u64 {
        // [DATA_TYPES 58-61] The mantissa's top bit is bit 51, 22, 9 or 6.
        1 << (self.mantissa_bits - 1)
    }

    /// The mantissa of `bits`.
    #[must_use]
    pub fn mantissa(self, bits: u64) -> u64 {
        // [DATA_TYPES 58-61] The mantissa is the low 52, 23, 10 or 7 bits.
        bits & ((1 << self.mantissa_bits) - 1)
    }

    /// The exponent of the smallest normal number, and of denormals.
    fn smallest_exponent(self) -> i32 {
        // [DATA_TYPES 31-32, 39-40] The table has the smallest numbers of each format.
        1 - self.bias
    }

    /// Whether `bits` are those of a NaN.
    pub(super) fn is_nan(self, bits: u64) -> bool {
        // [DATA_TYPES 58-61] Of a NaN the exponent is all ones and the mantissa is not 0.
        bits & !self.sign_bit > self.infinity
    }

    /// A denormal becomes the zero of its sign; anything else stays.
    #[must_use]
    pub fn flush_denormal(self, bits: u64) -> u64 {
        // What has no exponent bit is a denormal, or a zero of that sign already.
        // [DATA_TYPES 77-81] A denormal that is flushed becomes a zero of its sign.
        if bits & self.infinity == 0 { bits & self.sign_bit } else { bits }
    }

    /// What `bits` mean.
    #[must_use]
    pub fn decode(self, bits: u64) -> Value {
        // [DATA_TYPES 58-61] A float is a sign, an exponent and a mantissa, from the top down.
        let is_negative = bits & self.sign_bit != 0;
        let mantissa = self.mantissa(bits);
        let unit = -self.mantissa_bits.cast_signed();
        if self.is_nan(bits) {
            let significand = mantissa << (LEADING - self.mantissa_bits);
            return Value { is_negative, is_nan: true, is_infinite: false, significand, exponent: 0 };
        }
        match (bits & self.infinity) >> self.mantissa_bits {
            // A denormal has the exponent of the smallest normal number, but no leading one.
            0 => Value::number(is_negative, mantissa, self.smallest_exponent() + unit),
            _ if bits & self.infinity == self.infinity => {
                Value { is_negative, is_nan: false, is_infinite: true, significand: 0, exponent: 0 }
            }
            stored_exponent => {
                let exponent = i32::try_from(stored_exponent).expect("it has at most 11 bits") - self.bias;
                Value::number(is_negative, mantissa | 1 << self.mantissa_bits, exponent + unit)
            }
        }
    }

    /// The bits of this format for `value`, rounded once. A NaN keeps its sign and what fits of its payload from the
    /// top, and is quiet.
    #[must_use]
    pub fn encode(self, value: Value, rounding: Rounding) -> u64 {
        let sign = if value.is_negative { self.sign_bit } else { 0 };
        if value.is_nan {
            // [DATA_TYPES 208, 227] NaN gives NaN.
            let payload = self.mantissa(value.significand >> (LEADING - self.mantissa_bits));
            return reads!(
                sign | self.infinity | self.quiet_bit() | payload,
                "nan-payload-dropped",
                sign | self.infinity | self.quiet_bit(),
                "nan-not-quieted",
                sign | self.infinity | payload,
                "nan-sign-dropped",
                self.infinity | self.quiet_bit() | payload
            );
        }
        // [DATA_TYPES 207] Infinity gives infinity.
        if value.is_infinite {
            return sign | self.infinity;
        }
        // The value in units of the lowest mantissa bit. A denormal has fewer bits than the mantissa.
        // [DATA_TYPES 193-196] What lies between two numbers is rounded as the mode says.
        let below_smallest = (self.smallest_exponent() - value.exponent).max(0).cast_unsigned();
        let dropped = LEADING - self.mantissa_bits + below_smallest;
        let units = round_off(value.significand, dropped, value.is_negative, rounding);
        // The units of a normal number have a leading one, which adds the last 1 to the stored exponent; so does a
        // carry out of the mantissa, and a denormal that was rounded up to the smallest normal number.
        // [DATA_TYPES 58-61] Exponent and mantissa join below the sign.
        let stored_exponent = (value.exponent - self.smallest_exponent()).max(0).cast_unsigned();
        let magnitude = (u64::from(stored_exponent) << self.mantissa_bits) + units;
        // What is too large becomes an infinity, unless the mode rounds it to the largest number, one below in bits.
        // [DATA_TYPES 193-196, 200] A finite number stays finite, or is rounded; which the mode says where it is too
        // large.
        let largest = if rounding.goes_toward_zero(value.is_negative) { self.infinity - 1 } else { self.infinity };
        sign | magnitude.min(largest)
    }

    /// Whether every number of the format `other` is one of this format.
    pub(super) fn has_all_of(self, other: Format) -> bool {
        // [DATA_TYPES 193-194, 213-214] DF, F and HF, in this order, have each lower precision than the one before.
        self.mantissa_bits >= other.mantissa_bits && self.exponent_bits >= other.exponent_bits
    }
}

impl Rounding {
    /// Whether a number of this sign goes toward zero, wherever it lies between two others.
    fn goes_toward_zero(self, is_negative: bool) -> bool {
        match self {
            // [DATA_TYPES 195] [HEADER 427] RTNE goes to the nearest, or to the even one; what is too large becomes an
            // infinity.
            Rounding::NearestEven => false,
            // [DATA_TYPES 195-196] [HEADER 428] RU goes toward positive infinity.
            Rounding::Up => is_negative,
            // [DATA_TYPES 196] [HEADER 429] RD goes toward negative infinity.
            Rounding::Down => !is_negative,
            // [DATA_TYPES 196] [HEADER 430] RTZ goes toward zero.
            Rounding::TowardZero => true,
        }
    }
}

/// `significand / 2^dropped`, rounded to an integer. The significand is less than 2^62.
fn round_off(significand: u64, dropped: u32, is_negative: bool, rounding: Rounding) -> u64 {
    // It is then below a half of the unit, as it is if more is dropped.
    let dropped = dropped.min(u64::BITS - 1);
    let kept = significand >> dropped;
    let fraction = significand - (kept << dropped);
    // [DATA_TYPES 193-196] [HEADER 426-430] To nearest even, up, down, or toward zero.
    let is_raised = if rounding == Rounding::NearestEven {
        let middle = 1 << (dropped - 1);
        fraction > middle || fraction == middle && kept & 1 == 1
    } else {
        fraction != 0 && !rounding.goes_toward_zero(is_negative)
    };
    if is_raised { kept + 1 } else { kept }
}

/// The value of an integer, which must fit in 65 bits, sign included. Zero is positive.
#[must_use]
pub fn integer(value: i128) -> Value {
    // [DATA_TYPES 186-188] An integer is a float of its own, before it is rounded.
    let magnitude = u64::try_from(value.unsigned_abs()).expect("it has at most 64 bits");
    Value::number(value < 0, magnitude, 0)
}

/// The integer that `value` is without its fraction, or the nearer one of the bounds `-below` and `above`; 0 for a NaN.
/// In two's complement.
#[must_use]
pub fn to_integer(value: Value, below: u64, above: u64) -> u64 {
    // [DATA_TYPES 145-146, 157-158] NaN, quiet or signaling, gives 0.
    if value.is_nan {
        return 0;
    }
    // [DATA_TYPES 134-137, 147-151, 159-162] What is too large gives the largest integer, and what is too small the
    // smallest.
    let bound = if value.is_negative { below } else { above };
    let whole = match value.exponent {
        _ if value.is_infinite => bound,
        64.. => bound,
        // [DATA_TYPES 133-134] The fraction is dropped.
        exponent @ 0.. => {
            let whole = u128::from(value.significand) << exponent >> LEADING;
            bound.min(u64::try_from(whole).expect("it is less than 2^64"))
        }
        _ => 0,
    };
    // [DATA_TYPES 149, 161] What lies within the range keeps its value, and its sign.
    if value.is_negative { whole.wrapping_neg() } else { whole }
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
                    let quiet = if value.is_nan { format.quiet_bit() } else { 0 };
                    assert_eq!(format.encode(value, rounding), bits | quiet, "{format:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn overflow_goes_where_the_mode_says() {
        // Twice the largest power of two of HF, and its negative.
        for (sign, expected) in [(1, [0x7c00, 0x7c00, 0x7bff, 0x7bff]), (-1, [0xfc00, 0xfbff, 0xfc00, 0xfbff])] {
            for (rounding, expected) in ALL_ROUNDINGS.into_iter().zip(expected) {
                assert_eq!(HF.encode(integer(sign << 16), rounding), expected, "{sign} {rounding:?}");
            }
        }
    }

    #[test]
    fn what_is_far_below_the_smallest_denormal_is_zero_or_that_denormal() {
        for exponent in [-26, -100, -1074] {
            for (rounding, expected) in ALL_ROUNDINGS.into_iter().zip([0, 1, 0, 0]) {
                let value = Value { exponent, ..integer(1) };
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
