//! Value classes of vISA: which values the register file is salted with.
//!
//! First those of the data types, by the numbers of [`value_class`], then those of the operands of `DPAS`, by the numbers of
//! [`salted`].

use tandem_isa::visa::{B, BF, D, DF, F, HF, Q, UB, UD, UQ, UW, W};

use super::points::{INTEGERS16, INTEGERS32, INTEGERS64, POINTS_BF, POINTS_DF, POINTS_F, POINTS_HF};
use super::*;

/// The numbers of the value classes, one for each type that a source can have.
pub mod value_class {
    use tandem_isa::visa::DataType;

    /// The class of a type; `BOOL` and packed vectors share that of `UD`.
    #[must_use]
    pub const fn of(data_type: DataType) -> u8 {
        [4, 5, 2, 3, 0, 1, 11, 10, 4, 4, 4, 6, 4, 7, 8, 9][data_type as usize]
    }
}

/// Values of a format, and what is drawn beside its corners; if it has another name, that.
macro_rules! class {
    ($format:ident, $bits:literal, $extra:expr) => {
        class!($format, $bits, $extra, stringify!($format))
    };
    ($format:ident, $bits:literal, $extra:expr, $name:expr) => {
        ValueClass { formats: &[&$format], extra: $extra, ..only($name, $bits, &[]) }
    };
}

/// No other values than these.
const fn only(name: &'static str, bits: u32, only: &'static [u64]) -> ValueClass {
    ValueClass { name, datum_bytes: bits as usize / 8, bits, formats: &[], extra: &[], only }
}

/// The number of the class whose name is made of two pieces.
const fn number(first: &str, rest: &str) -> u8 {
    let mut number = 0;
    while !crate::is_made_of(VALUE_CLASSES[number].name.as_bytes(), first.as_bytes(), rest.as_bytes()) {
        number += 1;
    }
    number as u8
}

/// The numbers of the classes for operands of `DPAS`.
pub(super) mod salted {
    use super::number;

    /// Bytes of packed data of at most two bits; every byte is a corner.
    pub const BITS: u8 = number("packed", ", at most 2 bits");
    /// Bytes of two packed data of four bits.
    pub const NIBBLES: u8 = number("packed", ", 4 bits");
    /// The ends of the range of packed data of eight and of four bits, and of accumulators of integers that are about to wrap.
    pub const EXTREMES: [u8; 3] =
        [number("extremes", ", 8 bits"), number("extremes", ", 4 bits"), number("extremes", ", 32 bits")];
    /// Small signed integers in 32 bits.
    pub const EXACT_D: u8 = number("exact ", "D");
    /// Zeros of 16 bits with the sign bit and without it, hardly anything else, whatever float they are.
    pub const ZEROS_16: [u8; 2] = [number("zeros", ", 16 bits"), number("minus zeros", ", 16 bits")];
    /// The same of 32 bits.
    pub const ZEROS_32: [u8; 2] = [number("zeros", ", 32 bits"), number("minus zeros", ", 32 bits")];

    /// The classes of a float by the levels of the axis `operands`: finite values around one; small integers and quarters,
    /// whose sums of products are exact; infinities, NaN, denormals and ends; magnitudes whose products cancel, or tie with
    /// each other's last bits; denormals and the smallest normal numbers; NaNs with several payloads.
    const fn of(format: &str) -> [u8; 6] {
        let [ordinary, exact, special] =
            [number("ordinary ", format), number("exact ", format), number("special ", format)];
        [ordinary, exact, special, number("cancelling ", format), number("tiny ", format), number("NaN ", format)]
    }
    pub const OF_HF: [u8; 6] = of("HF");
    pub const OF_BF: [u8; 6] = of("BF");
    pub const OF_F: [u8; 6] = of("F");
}

/// The classes of integers that every float equals, by the bits of their type.
pub(super) const WHOLE: [(u32, u8); 3] =
    [(16, number("whole", ", 16 bits")), (32, number("whole", ", 32 bits")), (64, number("whole", ", 64 bits"))];

/// The value class of the background: double words.
pub(super) const BACKGROUND: &[u8] = &[value_class::of(DataType::Ud)];

/// The value classes, by their numbers.
pub(super) const VALUE_CLASSES: &[ValueClass] = &[
    class!(UB, 8, &[]),
    class!(B, 8, &[]),
    class!(UW, 16, INTEGERS16.items()),
    class!(W, 16, INTEGERS16.items()),
    class!(UD, 32, INTEGERS32.items()),
    class!(D, 32, INTEGERS32.items()),
    class!(UQ, 64, INTEGERS64.items()),
    class!(Q, 64, INTEGERS64.items()),
    class!(HF, 16, &POINTS_HF),
    class!(BF, 16, &POINTS_BF),
    class!(F, 32, &POINTS_F),
    class!(DF, 64, &POINTS_DF),
    class!(UB, 8, &[0x00, 0x55, 0xaa, 0xff, 0x1b, 0xe4], "packed, at most 2 bits"),
    class!(UB, 8, &[0x88, 0x77, 0x78, 0x87, 0xf8, 0x8f, 0x10, 0x01, 0xff, 0x00], "packed, 4 bits"),
    only("ordinary F", 32, &ORDINARY_F),
    only("extremes, 8 bits", 8, &[0x80, 0x80, 0x7f, 0x7f, 0xff, 0x00, 0x01, 0x81]),
    only("extremes, 4 bits", 8, &[0x88, 0x77, 0x78, 0x87, 0xff, 0xf8, 0x8f, 0x00, 0x11]),
    only("extremes, 32 bits", 32, &EXTREMES),
    only("exact HF", 16, &EXACT_HF),
    only("exact BF", 16, &EXACT_BF),
    only("exact F", 32, &EXACT_F),
    only("exact D", 32, &[0, 1, 0xffff_ffff, 2, 0xffff_fffe, 1000, 0xffff_fc18, 0x7fff, 0xffff_8000]),
    only("special HF", 16, &SPECIAL_HF),
    only("special BF", 16, &SPECIAL_BF),
    only("special F", 32, &SPECIAL_F),
    only("cancelling HF", 16, &CANCEL_HF),
    only("cancelling BF", 16, &CANCEL_BF),
    only("cancelling F", 32, &CANCEL_F),
    only("ordinary HF", 16, &ORDINARY_HF),
    only("ordinary BF", 16, &ORDINARY_BF),
    only("tiny HF", 16, &TINY_HF),
    only("tiny BF", 16, &TINY_BF),
    only("tiny F", 32, &TINY_F),
    only("NaN HF", 16, &NAN_HF),
    only("NaN BF", 16, &NAN_BF),
    only("NaN F", 32, &NAN_F),
    only("whole, 16 bits", 16, &WHOLE_16),
    only("whole, 32 bits", 32, &WHOLE_OF_MORE),
    only("whole, 64 bits", 64, &WHOLE_OF_MORE),
    only("zeros, 16 bits", 16, &zeros(0, 0x8000, 0x3c00)),
    only("minus zeros, 16 bits", 16, &zeros(0x8000, 0, 0x3c00)),
    only("zeros, 32 bits", 32, &zeros(0, 0x8000_0000, 0x3f80_0000)),
    only("minus zeros, 32 bits", 32, &zeros(0x8000_0000, 0, 0x3f80_0000)),
];

/// A zero, and one time in 32 each the other one and a number.
const fn zeros(most: u64, other: u64, number: u64) -> [u64; 32] {
    let mut values = [most; 32];
    (values[0], values[1]) = (other, number);
    values
}

/// Zero, and `±n` and `±n/4` for `n` of 1 to 8, in a float of a bias, of so many mantissa bits and all the bits above. At most
/// 64 products of them, and an accumulator of them, have a sum that is a multiple of 1/16 below 2^13, which has 17 bits at most.
const fn exact(bias: u64, mantissa: u32, sign: u32) -> [u64; 34] {
    let mut values = [0; 34];
    values[1] = 1 << sign;
    let mut index = 0;
    while index < 8 {
        let power = (index as u64 + 1).ilog2();
        let fraction = (index as u64 + 1) << (mantissa - power) & ((1 << mantissa) - 1);
        // A quarter: the exponent field less two.
        let [one, quarter] =
            [(bias + power as u64) << mantissa | fraction, (bias + power as u64 - 2) << mantissa | fraction];
        let at = 2 + 4 * index;
        (values[at], values[at + 1]) = (one, one | 1 << sign);
        (values[at + 2], values[at + 3]) = (quarter, quarter | 1 << sign);
        index += 1;
    }
    values
}

const EXACT_F: [u64; 34] = exact(127, 23, 31);
const EXACT_BF: [u64; 34] = exact(127, 7, 15);
const EXACT_HF: [u64; 34] = exact(15, 10, 15);

/// How often a finite value stands in a list for each infinity and NaN: with more of these, nearly every sum is NaN.
const FINITE: usize = 7;

/// `finite` values, [`FINITE`] times each, and then the others.
const fn few<const N: usize>(finite: &[u64], others: &[u64]) -> [u64; N] {
    assert!(N == FINITE * finite.len() + others.len(), "the list has another length");
    let mut values = [0; N];
    let mut index = 0;
    while index < N {
        let repeated = FINITE * finite.len();
        values[index] = if index < repeated { finite[index % finite.len()] } else { others[index - repeated] };
        index += 1;
    }
    values
}

/// The ends of the range of accumulators of integers, and what is about to wrap.
const EXTREMES: [u64; 9] = [0x7fffffff, 0x80000000, 0xffffffff, 0, 1, 0x7fff0000, 0x8000ffff, 0xffff0000, 0x0000ffff];

const SPECIAL_F: [u64; 110] = few(
    &[
        0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000,
        0x7f7fffff, 0xff7fffff, 0x00002000, 0x00400000, 0x7f000000,
    ],
    &[0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001],
);
const SPECIAL_BF: [u64; 88] = few(
    &[0, 0x8000, 1, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x7f7f, 0xff7f],
    &[0x7f80, 0xff80, 0x7fc0, 0x7f81],
);
const SPECIAL_HF: [u64; 88] = few(
    &[0, 0x8000, 1, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x7bff, 0xfbff],
    &[0x7c00, 0xfc00, 0x7e00, 0x7c01],
);

/// Values from 2^-6 up to 2^6 with any mantissa of `mantissa` bits, and at the end `special` ones, which are few enough for
/// most sums of 32 products to have none. Of every other one the lowest `clear` bits are zero.
const fn ordinary<const N: usize>(bias: u64, mantissa: u32, sign: u32, clear: u32, special: &[u64]) -> [u64; N] {
    let mut values = [0; N];
    let mut index = 0;
    while index < N - special.len() {
        let noise = tandem_isa::mix64(index as u64);
        let exponent = bias - 6 + noise % 12;
        let mut low = noise >> 8 & ((1 << mantissa) - 1);
        if index % 2 == 0 {
            low = low >> clear << clear;
        }
        values[index] = (noise >> 63) << sign | exponent << mantissa | low;
        index += 1;
    }
    while index < N {
        values[index] = special[index + special.len() - N];
        index += 1;
    }
    values
}

const ORDINARY_HF: [u64; 1000] =
    ordinary(15, 10, 15, 0, &[0, 0x8000, 1, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00]);
const ORDINARY_BF: [u64; 1000] =
    ordinary(127, 7, 15, 0, &[0, 0x8000, 1, 0x807f, 0x0080, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0]);
const ORDINARY_F: [u64; 1000] = ordinary(
    127,
    23,
    31,
    13,
    &[0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001],
);

/// One, its neighbours, powers of two at which the last bits of sums are lost, and their negatives.
const CANCEL_F: [u64; 18] = [
    0x3f800000, 0xbf800000, 0x3f802000, 0xbf802000, 0x3f800001, 0xbf800001, 0x4b800000, 0xcb800000, 0x4b000000,
    0xcb000000, 0x33800000, 0xb3800000, 0x34000000, 0xb3ffe000, 0x45800000, 0xc5800000, 0x39800000, 0x3fffe000,
];
const CANCEL_BF: [u64; 16] = [
    0x3f80, 0xbf80, 0x3f81, 0xbf81, 0x4b80, 0xcb80, 0x4b00, 0xcb00, 0x3380, 0xb380, 0x3400, 0xb3ff, 0x4580, 0xc580,
    0x3980, 0x3fff,
];
const CANCEL_HF: [u64; 16] = [
    0x3c00, 0xbc00, 0x3c01, 0xbc01, 0x6c00, 0xec00, 0x6800, 0xe800, 0x0c00, 0x8c00, 0x1000, 0x8fff, 0x5400, 0xd400,
    0x2400, 0x3fff,
];

/// Denormals and smallest normal numbers, seven of eight times. Two of the larger ones are rarely multiplied, so a sum of
/// products has often nothing that what comes of the small ones is lost against.
const TINY_HF: [u64; 64] = few(
    &[0x0001, 0x83ff, 0x0200, 0x8155, 0x03aa, 0x0400, 0x8401, 0x8000],
    &[0x3c00, 0xbc00, 0x4000, 0x3800, 0xb800, 0x5400, 0xd401, 0x3bff],
);
const TINY_BF: [u64; 64] = few(
    &[0x0001, 0x807f, 0x0040, 0x802a, 0x0055, 0x0080, 0x8081, 0x8000],
    &[0x3f80, 0xbf80, 0x4000, 0x3f00, 0xbf00, 0x4480, 0xc481, 0x3f7f],
);
const TINY_F: [u64; 64] = few(
    &[0x00002000, 0x807fe000, 0x00400000, 0x802aa555, 0x00555aaa, 0x00800000, 0x80802001, 0x80000000],
    &[0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0xbf000000, 0x44800000, 0xc4802000, 0x3f7fe000],
);

/// Integers of at most eleven bits that count, with a sign and without one: `HF` has them all.
const WHOLE_16: [u64; 20] = [
    0, 1, 2, 3, 5, 0x64, 0xff, 0x100, 0x3e8, 0x7ff, 0x800, 0xffe, 0x7fe0, 0x4000, 0x8000, 0xff00, 0xf800, 0xffe0,
    0xc000, 0x9000,
];
/// The same of more bits, where a sign would be far away.
const WHOLE_OF_MORE: [u64; 16] =
    [0, 1, 2, 3, 7, 0x64, 0xff, 0x100, 0x3e8, 0x7ff, 0x800, 0xffe, 0x7fe0, 0x4000, 0x8000, 0xffe0];

/// One datum of twelve is a NaN: in most rows of 32 elements there are several, of which one is the first.
const NAN_HF: [u64; 60] =
    few(&[0x0000, 0x8000, 0x3c00, 0xbc00, 0x4200, 0xb555, 0x3801, 0x4880], &[0x7e01, 0xfe02, 0x7c03, 0xfd54]);
const NAN_BF: [u64; 60] =
    few(&[0x0000, 0x8000, 0x3f80, 0xbf80, 0x4040, 0xbeab, 0x3f01, 0x4110], &[0x7fc1, 0xffc2, 0x7f83, 0xffaa]);
const NAN_F: [u64; 60] = few(
    &[0, 0x80000000, 0x3f800000, 0xbf800000, 0x40400000, 0xbeaaa000, 0x3f002000, 0x41100001],
    &[0x7fc02000, 0xffc12345, 0x7f806000, 0xff800001],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_type_is_that_of_its_data() {
        for known in DataType::ALL.into_iter().filter(|known| known.format().is_some()) {
            let class = &VALUE_CLASSES[usize::from(value_class::of(known))];
            assert_eq!((class.name, class.datum_bytes), (known.name(), known.bytes()));
        }
    }

    #[test]
    fn exact_operands_are_the_numbers_that_they_are_meant_to_be() {
        for (bits, class) in WHOLE {
            let class = &VALUE_CLASSES[usize::from(class)];
            assert_eq!((class.bits, &class.name[..5]), (bits, "whole"));
            // Without its trailing zeros each has eleven bits at most, and so has the magnitude of what is negative with a sign.
            let counts = |value: u64| value == 0 || 64 - value.leading_zeros() - value.trailing_zeros() <= 11;
            let negative = |value: u64| value.wrapping_neg() & (u64::MAX >> (64 - bits));
            let is_whole = |&value: &u64| counts(value) && (value >> (bits - 1) == 0 || counts(negative(value)));
            assert!(class.only.iter().all(is_whole));
        }
        for (index, &bits) in EXACT_F.iter().enumerate().skip(2) {
            let value = f32::from_bits(bits as u32);
            let n = (index - 2) / 4 + 1;
            let whole = [1.0, -1.0, 0.25, -0.25][(index - 2) % 4] * n as f32;
            assert_eq!(value, whole);
            assert_eq!((EXACT_BF[index] << 16, bits & 0x1fff), (bits, 0));
            let half = EXACT_HF[index];
            let magnitude = (1.0 + (half & 0x3ff) as f32 / 1024.0) * 2f32.powi((half >> 10 & 31) as i32 - 15);
            assert_eq!(if half >> 15 != 0 { -magnitude } else { magnitude }, whole);
        }
    }
}
