//! Operand precisions of `DPAS`: code points, names, widths, and the layouts of their elements.
//!
//! *Source*: page DPAS (table of precisions, lines 176-203; `bf8` and `hf8` stand in the table of legal combinations,
//! line 243, and have no code there: theirs are those of the vISA writer).

use super::types::{self, B, BF, HF, UB};
use crate::{Format, FormatKind, Piece, worded};

worded! {
    /// An operand precision; the discriminant is its code.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Precision {
        /// Unsigned, 1 bit.
        U1 = 1 "u1",
        /// Signed, 1 bit.
        S1 = 2 "s1",
        /// Unsigned, 2 bits.
        U2 = 3 "u2",
        /// Signed, 2 bits.
        S2 = 4 "s2",
        /// Unsigned, 4 bits.
        U4 = 5 "u4",
        /// Signed, 4 bits.
        S4 = 6 "s4",
        /// Unsigned, 8 bits.
        U8 = 7 "u8",
        /// Signed, 8 bits.
        S8 = 8 "s8",
        /// bfloat16.
        Bf = 9 "bf",
        /// Half precision.
        Hf = 10 "hf",
        /// Float of 8 bits, five of them exponent.
        Bf8 = 11 "bf8",
        /// Float of 19 bits in 32.
        Tf32 = 12 "tf32",
        /// Float of 8 bits, four of them exponent.
        Hf8 = 14 "hf8",
    }
    /// The name in text, for example `u4`.
    fn text;
}

/// What kind of number a precision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionKind {
    /// Unsigned integer.
    Unsigned,
    /// Signed integer, two's complement.
    Signed,
    /// Floating point.
    Float,
}

impl Precision {
    /// The precision that a code means: none for 0, 13, and 15 and above.
    #[must_use]
    #[inline]
    pub const fn of_code(code: u32) -> Option<Self> {
        Some(match code {
            1..=12 => Self::ALL[code as usize - 1],
            14 => Precision::Hf8,
            _ => return None,
        })
    }

    /// The code.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The precision called `name`, whatever the case of its letters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.text().eq_ignore_ascii_case(name))
    }

    /// Bits that an element takes in its operand; 32 for `tf32`.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Precision::U1 | Precision::S1 => 1,
            Precision::U2 | Precision::S2 => 2,
            Precision::U4 | Precision::S4 => 4,
            Precision::U8 | Precision::S8 | Precision::Bf8 | Precision::Hf8 => 8,
            Precision::Bf | Precision::Hf => 16,
            Precision::Tf32 => 32,
        }
    }

    /// What kind of number it is.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> PrecisionKind {
        match self {
            Precision::U1 | Precision::U2 | Precision::U4 | Precision::U8 => PrecisionKind::Unsigned,
            Precision::S1 | Precision::S2 | Precision::S4 | Precision::S8 => PrecisionKind::Signed,
            Precision::Bf | Precision::Hf | Precision::Bf8 | Precision::Tf32 | Precision::Hf8 => PrecisionKind::Float,
        }
    }

    /// The layout of an element.
    #[must_use]
    pub const fn format(self) -> &'static Format {
        match self {
            Precision::U1 => &U1,
            Precision::S1 => &S1,
            Precision::U2 => &U2,
            Precision::S2 => &S2,
            Precision::U4 => &U4,
            Precision::S4 => &S4,
            Precision::U8 => &UB,
            Precision::S8 => &B,
            Precision::Bf => &BF,
            Precision::Hf => &HF,
            Precision::Bf8 => &BF8,
            Precision::Tf32 => &TF32,
            Precision::Hf8 => &HF8,
        }
    }
}

/// `u1`: 1 bit.
pub static U1: Format = types::integer("U1", false, &[types::low(1)]);
/// `s1`: 1 bit, two's complement.
pub static S1: Format = types::integer("S1", true, &[types::low(1)]);
/// `u2`: 2 bits.
pub static U2: Format = types::integer("U2", false, &[types::low(2)]);
/// `s2`: 2 bits, two's complement.
pub static S2: Format = types::integer("S2", true, &[types::low(2)]);
/// `u4`: 4 bits.
pub static U4: Format = types::integer("U4", false, &[types::low(4)]);
/// `s4`: 4 bits, two's complement.
pub static S4: Format = types::integer("S4", true, &[types::low(4)]);
/// `bf8`: `Sign,Exp(5b),Man(2b)`.
pub static BF8: Format = types::float("BF8", &[types::low(2)], 5, &[]);
/// `hf8`: `Sign,Exp(4b),Man(3b)`.
pub static HF8: Format = types::float("HF8", &[types::low(3)], 4, &[]);
/// `tf32`: `Sign,Exp(8b),Man(10b)` in the high bits of 32.
pub static TF32: Format = Format {
    name: "TF32",
    kind: FormatKind::Float { bias: 127 },
    sign: Some(31),
    exponent: Some(Piece { shift: 23, width: 8 }),
    mantissa: &[Piece { shift: 13, width: 10 }],
    narrowings: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_names_and_widths_go_together() {
        let known: Vec<u32> = (0..256).filter(|&code| Precision::of_code(code).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
        for precision in Precision::ALL {
            assert_eq!(Precision::of_code(precision.code()), Some(precision));
            assert_eq!(Precision::named(precision.text()), Some(precision));
            assert_eq!(precision.format().width(), precision.bits());
        }
    }
}
