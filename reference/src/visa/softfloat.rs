//! Floating point on integers: what the bits of `DF`, `F`, `HF` and `BF` mean, and the bits that come nearest to a
//! value.
//!
//! *Source*: page Data Types (commit 98fff716), lines 43-62 (the formats), 130-165 (to integers), 183-227 (from
//! integers and between floats), 229-240 (saturation). What the page leaves to IEEE 754 is done here as that standard
//! says: gradual underflow, overflow by rounding mode, and the position of the quiet bit.
//!
//! A [`Value`] stands between two formats. [`Format::decode`] and [`integer`] make one without loss, [`Format::encode`]
//! and [`to_integer`] round it, once. Products and sums of values are in [`arithmetic`].
//!
//! Data are random, so a branch on one is mispredicted. Here none is written: a condition is a mask, all ones or zero,
//! and what it rules out is masked away. All is inlined, so that the widths of a known format are constants and the
//! compiler can take several data at a time; that is also why data of at most 32 bits are computed in [`Word`]s of 32.

pub mod arithmetic;

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

/// The unsigned integer that data and their significands are computed in.
pub trait Word:
    Copy
    + Ord
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Its width, in bits.
    const BITS: u32;
    /// Where the leading one of a significand is. The two bits above take the carries of rounding.
    const LEADING: u32 = Self::BITS - 3;

    /// The low bits of `datum`.
    fn of(datum: u64) -> Self;

    /// All of its bits, with zeros above.
    fn datum(self) -> u64;

    /// The low 32 bits, for a stored exponent.
    fn low(self) -> i32;

    /// How many zeros are above the highest one.
    fn zeros(self) -> u32;

    /// The difference, modulo the width.
    fn less(self, other: Self) -> Self;

    /// All ones if `condition` holds, or else zero.
    fn mask(condition: bool) -> Self;
}

macro_rules! impl_word {
    ($word:ident) => {
        impl Word for $word {
            const BITS: u32 = $word::BITS;

            #[inline(always)]
            fn of(datum: u64) -> Self {
                datum as $word
            }

            #[inline(always)]
            fn datum(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn low(self) -> i32 {
                self as i32
            }

            #[inline(always)]
            fn zeros(self) -> u32 {
                self.leading_zeros()
            }

            #[inline(always)]
            fn less(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn mask(condition: bool) -> Self {
                $word::from(condition).wrapping_neg()
            }
        }
    };
}

impl_word!(u32);
impl_word!(u64);

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

/// A rounding mode as masks. A number that lies between two others goes to the nearest if that is asked for, away from
/// zero if the mode goes to its side, and else toward zero.
#[derive(Clone, Copy, Debug)]
pub struct RoundingMasks<W> {
    /// Whether it goes to the nearest.
    nearest: W,
    /// Whether it goes up.
    up: W,
    /// Whether it goes down.
    down: W,
}

impl RoundingMasks<u64> {
    /// The masks of a mode.
    #[must_use]
    #[inline]
    pub fn of(rounding: Rounding) -> Self {
        RoundingMasks {
            // DATA_TYPES 195.
            // HEADER 427.
            nearest: u64::mask(rounding == Rounding::NearestEven),
            // DATA_TYPES 195-196.
            // HEADER 428.
            up: u64::mask(rounding == Rounding::Up),
            // DATA_TYPES 196.
            // HEADER 429.
            down: u64::mask(rounding == Rounding::Down),
        }
    }

    /// The same in a word.
    #[inline(always)]
    pub(super) fn words<W: Word>(self) -> RoundingMasks<W> {
        RoundingMasks { nearest: W::of(self.nearest), up: W::of(self.up), down: W::of(self.down) }
    }
}

impl<W: Word> RoundingMasks<W> {
    /// Whether a number of this sign goes away from zero, wherever it lies.
    #[inline(always)]
    fn away(self, is_negative: W) -> W {
        // DATA_TYPES 195-196.
        // HEADER 428-430.
        self.up & !is_negative | self.down & is_negative
    }
}

/// What the bits of a float mean. Conditions are masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<W> {
    /// Whether the sign bit is set.
    pub is_negative: W,
    /// Not a number.
    pub is_nan: W,
    /// An infinity.
    pub is_infinite: W,
    /// Of a number, its bits from [`Word::LEADING`] down; those of a denormal, or of zero, begin with zeros. Of a NaN,
    /// the mantissa, with its top bit below that place.
    pub significand: W,
    /// The weight of the bit [`Word::LEADING`] of a number, as a power of two.
    pub exponent: i32,
    /// The exponent of denormals and zero; no number has a lower one.
    pub smallest_exponent: i32,
}

/// The exponent of a zero without a format, below that of every number.
const OF_ZERO: i32 = -4096;

impl<W: Word> Value<W> {
    /// The same with the leading one of a denormal in its place.
    #[inline(always)]
    fn normalized(self) -> Self {
        // DATA_TYPES 58-61.
        let zeros = self.significand.zeros();
        // The word of a zero has three bits more than its exponent can be lowered by.
        let distance = zeros - (W::BITS - 1 - W::LEADING);
        let exponent = self.exponent - distance.cast_signed();
        Value {
            significand: self.significand << distance,
            exponent: if zeros == W::BITS { OF_ZERO } else { exponent },
            smallest_exponent: OF_ZERO,
            ..self
        }
    }
}

impl Format {
    /// The top bit of the mantissa, which tells quiet NaNs from signaling ones.
    #[must_use]
    pub fn quiet_bit(self) -> u64 {
        // DATA_TYPES 58-61.
        1 << (self.mantissa_bits - 1)
    }

    /// The mantissa of `bits`.
    #[must_use]
    pub fn mantissa(self, bits: u64) -> u64 {
        // DATA_TYPES 58-61.
        bits & ((1 << self.mantissa_bits) - 1)
    }

    /// Width of the format, in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        // DATA_TYPES 58-61.
        1 + self.exponent_bits + self.mantissa_bits
    }

    /// The exponent of the smallest normal number, and of denormals.
    fn smallest_exponent(self) -> i32 {
        // DATA_TYPES 31-32, 39-40.
        1 - self.bias
    }

    /// Of a denormal only the bits that it `keeps`, of which its sign is one; anything else stays.
    #[must_use]
    #[inline(always)]
    pub fn flush_denormal<W: Word>(self, bits: W, keeps: W) -> W {
        // What has no exponent bit is a denormal, or a zero of that sign already.
        // DATA_TYPES 77-81.
        bits & (keeps | W::mask(bits & W::of(self.infinity) != W::of(0)))
    }

    /// What `bits` mean.
    #[must_use]
    #[inline(always)]
    pub fn decode<W: Word>(self, bits: W) -> Value<W> {
        // DATA_TYPES 58-61.
        let magnitude = bits & !W::of(self.sign_bit);
        let mantissa = bits & W::of(self.mantissa(u64::MAX));
        let stored_exponent = (magnitude >> self.mantissa_bits).low();
        // A denormal has the exponent of the smallest normal number, but no leading one.
        let has_leading_one = W::mask(stored_exponent != 0);
        let significand = mantissa | has_leading_one & W::of(1 << self.mantissa_bits);
        Value {
            is_negative: W::mask(bits & W::of(self.sign_bit) != W::of(0)),
            is_nan: W::mask(magnitude > W::of(self.infinity)),
            is_infinite: W::mask(magnitude == W::of(self.infinity)),
            significand: significand << (W::LEADING - self.mantissa_bits),
            exponent: stored_exponent.max(1) - self.bias,
            smallest_exponent: self.smallest_exponent(),
        }
    }

    /// The bits of this format for `value`, rounded once. A NaN keeps its sign and what fits of its payload from the
    /// top, and is quiet.
    #[must_use]
    #[inline(always)]
    pub fn encode<W: Word>(self, value: Value<W>, rounding: Rounding) -> W {
        self.encode_by(value, RoundingMasks::of(rounding).words())
    }

    /// [`Format::encode`] by the masks of a rounding mode.
    #[inline(always)]
    pub(super) fn encode_by<W: Word>(self, value: Value<W>, rounding: RoundingMasks<W>) -> W {
        // DATA_TYPES 193-196.
        let number = self.normalized(value);
        let away = rounding.away(value.is_negative);
        // The value in units of the lowest mantissa bit. A denormal has fewer bits than the mantissa.
        let below_smallest = (self.smallest_exponent() - number.exponent).max(0).cast_unsigned();
        let dropped = W::LEADING - self.mantissa_bits + below_smallest;
        let magnitude = self.magnitude(number.exponent, round_off(number.significand, dropped, rounding.nearest, away));
        // DATA_TYPES 193-196, 200, 207.
        // What is too large becomes an infinity, unless the mode rounds it to the largest number, one below in bits.
        let is_toward_zero = !(rounding.nearest | away | value.is_infinite);
        let too_large = W::of(self.infinity) - (is_toward_zero & W::of(1));
        self.with_sign_or_nan(value, (magnitude | value.is_infinite).min(too_large))
    }

    /// [`Format::encode`] for a value that the format has, so that there is nothing to round.
    #[inline(always)]
    pub(super) fn encode_exact<W: Word>(self, value: Value<W>) -> W {
        // DATA_TYPES 213-227.
        let number = self.normalized(value);
        let magnitude = self.magnitude(number.exponent, number.significand >> (W::LEADING - self.mantissa_bits));
        self.with_sign_or_nan(value, (magnitude | value.is_infinite).min(W::of(self.infinity)))
    }

    /// Whether every number of the format `other` is one of this format.
    pub(super) fn has_all_of(self, other: Format) -> bool {
        // DATA_TYPES 193-194, 213-214.
        self.mantissa_bits >= other.mantissa_bits && self.exponent_bits >= other.exponent_bits
    }

    /// The number with its leading one in place. If this format has no smaller numbers, a denormal stays one.
    #[inline(always)]
    fn normalized<W: Word>(self, value: Value<W>) -> Value<W> {
        // DATA_TYPES 221, 224.
        if self.smallest_exponent() < value.smallest_exponent { value.normalized() } else { value }
    }

    /// The bits of `units` of the lowest mantissa bit, or of larger ones if the exponent says so.
    #[inline(always)]
    fn magnitude<W: Word>(self, exponent: i32, units: W) -> W {
        // DATA_TYPES 58-61.
        // The units of a normal number have a leading one, which adds the last 1 to the stored exponent; so does a
        // carry out of the mantissa, and a denormal that was rounded up to the smallest normal number.
        let stored_exponent = (exponent - self.smallest_exponent()).max(0).cast_unsigned();
        (W::of(stored_exponent.into()) << self.mantissa_bits) + units
    }

    /// The bits of a value that is a NaN, or else has this magnitude.
    #[inline(always)]
    fn with_sign_or_nan<W: Word>(self, value: Value<W>, magnitude: W) -> W {
        // DATA_TYPES 208, 227.
        let payload = value.significand >> (W::LEADING - self.mantissa_bits) & W::of(self.mantissa(u64::MAX));
        let nan = reads!(
            W::of(self.infinity | self.quiet_bit()) | payload,
            "nan-payload-dropped",
            W::of(self.infinity | self.quiet_bit()),
            "nan-not-quieted",
            W::of(self.infinity) | payload
        );
        let is_negative = reads!(value.is_negative, "nan-sign-dropped", value.is_negative & !value.is_nan);
        (nan & value.is_nan) | (magnitude & !value.is_nan) | (W::of(self.sign_bit) & is_negative)
    }
}

/// `significand / 2^dropped`, rounded to an integer: to the `nearest`, `away` from zero, or else toward zero.
///
/// The significand is less than a quarter of what a word holds.
#[inline(always)]
fn round_off<W: Word>(significand: W, dropped: u32, nearest: W, away: W) -> W {
    // DATA_TYPES 193-196.
    // HEADER 426-430.
    // The significand is then below a half of the unit, as it is if more is dropped.
    let dropped = dropped.min(W::BITS - 1);
    let one = W::of(1);
    let fraction = (one << dropped) - one;
    // A half is rounded up if what is kept is odd, and else what is just above.
    let odd = significand >> dropped & one;
    (significand + (away & fraction | nearest & ((fraction >> 1) + odd))) >> dropped
}

/// The value of an integer, which must fit in 65 bits, sign included. Zero is positive.
#[must_use]
#[inline(always)]
pub fn integer(value: i128) -> Value<u64> {
    // DATA_TYPES 186-188.
    // At most 64 bits.
    let magnitude = value.unsigned_abs() as u64;
    let zeros = magnitude.zeros();
    // The leading one at bit 63, and then at its place; of what is dropped only whether it is zero counts, because no
    // mantissa reaches that far.
    let aligned = magnitude.wrapping_shl(zeros);
    let room = u64::BITS - 1 - u64::LEADING;
    let rest = u64::from(aligned & ((1 << room) - 1) != 0);
    let exponent = 63 - zeros.cast_signed();
    Value {
        is_negative: u64::mask(value < 0),
        is_nan: 0,
        is_infinite: 0,
        significand: aligned >> room | rest,
        exponent: if magnitude == 0 { OF_ZERO } else { exponent },
        smallest_exponent: OF_ZERO,
    }
}

/// The integer that `value` is without its fraction, or the nearer one of the bounds `-below` and `above`; 0 for a NaN.
/// In two's complement.
///
/// The significand has at most 53 bits.
#[must_use]
#[inline(always)]
pub fn to_integer<W: Word>(value: Value<W>, below: W, above: W) -> W {
    // DATA_TYPES 133-134.
    // The bits below one are dropped; all of them are, if the leading one has moved as far as it can.
    let leading = W::LEADING.cast_signed();
    let dropped = (leading - value.exponent).clamp(0, leading + 1).cast_unsigned();
    let added = (value.exponent - leading).clamp(0, 2).cast_unsigned();
    // DATA_TYPES 134-137, 147-151, 159-162.
    let is_too_large = W::mask(value.exponent >= W::BITS.cast_signed());
    let magnitude = (value.significand >> dropped << added) | is_too_large | value.is_infinite;
    let bound = (below & value.is_negative) | (above & !value.is_negative);
    // DATA_TYPES 145-146, 157-158.
    let clamped = magnitude.min(bound) & !value.is_nan;
    // DATA_TYPES 149, 161.
    // Negated: all bits are flipped, and the mask, which is -1, is subtracted.
    (clamped ^ value.is_negative).less(value.is_negative)
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
                    let quiet = value.is_nan & format.quiet_bit();
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
        let byte = |bits: u32| to_integer(F.decode(bits), 128, 127).cast_signed();
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
