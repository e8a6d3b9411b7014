//! Data types of vISA: code points, names, sizes, and the layouts of data.
//!
//! *Source*: page Data Types (table of types, lines 23-40; binary formats, lines 55-62).

use crate::{Format, FormatKind, Piece, worded};

worded! {
    /// A data type; the discriminant is its four-bit code.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum DataType {
        /// Unsigned double word.
        Ud = 0 "UD" "ud",
        /// Signed double word.
        D = 1 "D" "d",
        /// Unsigned word.
        Uw = 2 "UW" "uw",
        /// Signed word.
        W = 3 "W" "w",
        /// Unsigned byte.
        Ub = 4 "UB" "ub",
        /// Signed byte.
        B = 5 "B" "b",
        /// Double precision floating point.
        Df = 6 "DF" "df",
        /// Single precision floating point.
        F = 7 "F" "f",
        /// Packed integer vector.
        V = 8 "V" "v",
        /// Packed floating vector.
        Vf = 9 "VF" "vf",
        /// Boolean; only predicate variables have it.
        Bool = 10 "BOOL" "bool",
        /// Unsigned quad word.
        Uq = 11 "UQ" "uq",
        /// Packed unsigned integer vector.
        Uv = 12 "UV" "uv",
        /// Signed quad word.
        Q = 13 "Q" "q",
        /// Half precision floating point.
        Hf = 14 "HF" "hf",
        /// bfloat16.
        Bf = 15 "BF" "bf",
    }
    /// The name of the table of types, for example `UD`.
    fn name;
    /// The name in assembly text, for example `ud`.
    fn text;
}

/// What kind of number a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// Unsigned integer.
    Unsigned,
    /// Signed integer, two's complement.
    Signed,
    /// Floating point.
    Float,
    /// Boolean.
    Bool,
    /// A vector packed into 32 bits; only immediates have such a type.
    Packed,
}

impl DataType {
    /// The type that the low four bits of `code` mean: its place in the list of all.
    #[must_use]
    #[inline]
    pub const fn of_code(code: u32) -> Self {
        Self::ALL[(code & 15) as usize]
    }

    /// The four-bit code.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The type called `name`, whatever the case of its letters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name))
    }

    /// Size, in bits; that of `BOOL` is 1.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u32 {
        [32, 32, 16, 16, 8, 8, 64, 32, 32, 32, 1, 64, 32, 64, 16, 16][self as usize]
    }

    /// Size of an element in a general variable, in bytes. `BOOL` has none there; one byte is assumed.
    #[must_use]
    #[inline]
    pub const fn bytes(self) -> usize {
        [4, 4, 2, 2, 1, 1, 8, 4, 4, 4, 1, 8, 4, 8, 2, 2][self as usize]
    }

    /// What kind of number it is.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> TypeKind {
        match self {
            DataType::Ud | DataType::Uw | DataType::Ub | DataType::Uq => TypeKind::Unsigned,
            DataType::D | DataType::W | DataType::B | DataType::Q => TypeKind::Signed,
            DataType::Df | DataType::F | DataType::Hf | DataType::Bf => TypeKind::Float,
            DataType::Bool => TypeKind::Bool,
            DataType::V | DataType::Vf | DataType::Uv => TypeKind::Packed,
        }
    }

    /// The layout of its data; none for `BOOL` and packed vectors.
    #[must_use]
    pub const fn format(self) -> Option<&'static Format> {
        Some(match self {
            DataType::Ud => &UD,
            DataType::D => &D,
            DataType::Uw => &UW,
            DataType::W => &W,
            DataType::Ub => &UB,
            DataType::B => &B,
            DataType::Df => &DF,
            DataType::F => &F,
            DataType::Uq => &UQ,
            DataType::Q => &Q,
            DataType::Hf => &HF,
            DataType::Bf => &BF,
            DataType::V | DataType::Vf | DataType::Bool | DataType::Uv => return None,
        })
    }
}

pub(super) const fn integer(name: &'static str, signed: bool, mantissa: &'static [Piece]) -> Format {
    let kind = if signed { FormatKind::TwosComplement } else { FormatKind::Bits };
    Format { name, kind, sign: None, exponent: None, mantissa, narrowings: &[] }
}

pub(super) const fn float(
    name: &'static str,
    mantissa: &'static [Piece],
    exponent_bits: u32,
    narrowings: &'static [u32],
) -> Format {
    let shift = mantissa[0].width;
    Format {
        name,
        kind: FormatKind::Float { bias: (1 << (exponent_bits - 1)) - 1 },
        sign: Some(shift + exponent_bits),
        exponent: Some(Piece { shift, width: exponent_bits }),
        mantissa,
        narrowings,
    }
}

pub(super) const fn low(width: u32) -> Piece {
    Piece { shift: 0, width }
}

/// `UB`: 8 bits.
pub static UB: Format = integer("UB", false, &[low(8)]);
/// `B`: 8 bits, two's complement.
pub static B: Format = integer("B", true, &[low(8)]);
/// `UW`: 16 bits.
pub static UW: Format = integer("UW", false, &[low(16)]);
/// `W`: 16 bits, two's complement.
pub static W: Format = integer("W", true, &[low(16)]);
/// `UD`: 32 bits.
pub static UD: Format = integer("UD", false, &[low(32)]);
/// `D`: 32 bits, two's complement.
pub static D: Format = integer("D", true, &[low(32)]);
/// `UQ`: 64 bits.
pub static UQ: Format = integer("UQ", false, &[low(64)]);
/// `Q`: 64 bits, two's complement.
pub static Q: Format = integer("Q", true, &[low(64)]);
/// `HF`: `Sign,Exp(5b),Man(10b)`.
pub static HF: Format = float("HF", &[low(10)], 5, &[]);
/// `BF`: `Sign,Exp(8b),Man(7b)`.
pub static BF: Format = float("BF", &[low(7)], 8, &[]);
/// `F`: `Sign,Exp(8b),Man(23b)`. Narrowing to `HF` drops 13 bits, to `BF` 16.
pub static F: Format = float("F", &[low(23)], 8, &[13, 16]);
/// `DF`: `Sign,Exp(11b),Man(52b)`. Narrowing to `F` drops 29 bits, to `HF` 42.
pub static DF: Format = float("DF", &[low(52)], 11, &[29, 42]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_go_both_ways() {
        for (code, known) in (0..).zip(DataType::ALL) {
            assert_eq!(DataType::of_code(code), known);
            assert_eq!(known.code(), code);
            assert_eq!(DataType::named(known.text()), Some(known));
            if let Some(format) = known.format() {
                assert_eq!(format.name, known.name());
                let exponent = format.exponent.map_or(0, |piece| piece.width);
                let width = format.mantissa_bits() + exponent + u32::from(format.sign.is_some());
                assert_eq!((width, known.bytes() * 8), (known.bits(), width as usize));
            }
        }
    }
}
