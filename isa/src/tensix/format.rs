//! Data formats of Tensix: their four-bit codes, and the layouts of data in `SrcA`, `SrcB` and `Dst`.
//!
//! *Source*: pages SrcASrcB and Dst (layouts), Packers/FormatConversion (codes).

use crate::{Format, FormatKind, Piece};

/// The names of the sixteen format codes; 12 and 13 have none.
pub const CODE_NAMES: [&str; 16] = [
    "FP32",
    "FP16",
    "BFP8a",
    "BFP4a",
    "TF32",
    "BF16",
    "BFP8",
    "BFP4",
    "INT32",
    "INT16",
    "FP8",
    "BFP2a",
    "reserved12",
    "reserved13",
    "INT8",
    "BFP2",
];

/// Code point of FP32.
pub const FP32: u32 = 0;
/// Code point of BFP8a.
pub const BFP8A: u32 = 2;
/// Code point of BFP4a.
pub const BFP4A: u32 = 3;
/// Code point of FP8.
pub const FP8: u32 = 10;
/// Code point of BFP2a.
pub const BFP2A: u32 = 11;
/// Code point of FP16.
pub const FP16: u32 = 1;
/// Code point of TF32.
pub const TF32: u32 = 4;
/// Code point of BF16.
pub const BF16: u32 = 5;
/// Code point of BFP8.
pub const BFP8: u32 = 6;
/// Code point of BFP4.
pub const BFP4: u32 = 7;
/// Code point of INT32.
pub const INT32: u32 = 8;
/// Code point of INT16.
pub const INT16: u32 = 9;
/// Code point of INT8.
pub const INT8: u32 = 14;
/// Code point of BFP2.
pub const BFP2: u32 = 15;

const fn piece(shift: u32, width: u32) -> Piece {
    Piece { shift, width }
}

const fn float(
    name: &'static str,
    sign: u32,
    mantissa: &'static [Piece],
    exponent: Piece,
    bias: i32,
    narrowings: &'static [u32],
) -> Format {
    Format { name, kind: FormatKind::Float { bias }, sign: Some(sign), exponent: Some(exponent), mantissa, narrowings }
}

/// BF16 as it lies in L1: `Sign,Exp(8b),Man(7b)`.
pub static L1_BF16: Format = float("BF16", 15, &[piece(0, 7)], piece(7, 8), 127, &[]);
/// FP16 as it lies in L1: `Sign,Exp(5b),Man(10b)`.
pub static L1_FP16: Format = float("FP16", 15, &[piece(0, 10)], piece(10, 5), 15, &[]);
/// A byte of L1: sign and magnitude, of integers and of BFP.
pub static L1_BYTE: Format = Format {
    name: "byte",
    kind: FormatKind::SignMagnitude,
    sign: Some(7),
    exponent: None,
    mantissa: &[piece(0, 7)],
    narrowings: &[],
};
/// `SrcA`/`SrcB` TF32: `Sign,Man(10b),Exp(8b)`.
pub static SRC_TF32: Format = float("Src TF32", 18, &[piece(8, 10)], piece(0, 8), 127, &[3]);
/// `SrcA`/`SrcB` BF16: TF32 whose three low mantissa bits are zero.
pub static SRC_BF16: Format = float("Src BF16", 18, &[piece(11, 7)], piece(0, 8), 127, &[]);
/// `SrcA`/`SrcB` FP16: `Sign,Man(10b),Zero(3b),Exp(5b)`.
pub static SRC_FP16: Format = float("Src FP16", 18, &[piece(8, 10)], piece(0, 5), 15, &[]);
/// `SrcA`/`SrcB` integer "8": sign, ten bits of magnitude, over the exponent of FP16.
pub static SRC_INT8: Format = Format {
    name: "Src INT8",
    kind: FormatKind::SignMagnitude,
    sign: Some(18),
    exponent: Some(piece(0, 5)),
    mantissa: &[piece(8, 10)],
    narrowings: &[],
};
/// `SrcA`/`SrcB` integer "16": sign, seven high and eight low bits of magnitude around three zeros.
pub static SRC_INT16: Format = Format {
    name: "Src INT16",
    kind: FormatKind::SignMagnitude,
    sign: Some(18),
    exponent: None,
    mantissa: &[piece(11, 7), piece(0, 8)],
    narrowings: &[],
};

/// `Dst` BF16: `Sign,Man(7b),Exp(8b)`.
pub static DST_BF16: Format = float("Dst BF16", 15, &[piece(8, 7)], piece(0, 8), 127, &[]);
/// `Dst` FP16: `Sign,Man(10b),Exp(5b)`.
pub static DST_FP16: Format = float("Dst FP16", 15, &[piece(5, 10)], piece(0, 5), 15, &[]);
/// A 16-bit word of `Dst` that is half of a 32-bit datum, or opaque.
pub static DST_BITS: Format = Format {
    name: "Dst 16 bits",
    kind: FormatKind::Bits,
    sign: None,
    exponent: None,
    mantissa: &[piece(0, 16)],
    narrowings: &[],
};
/// 20 bits without a meaning of their own.
pub static BITS20: Format = Format { name: "20 bits", mantissa: &[piece(0, 20)], ..BITS32_LAYOUT };
/// 32 bits without a meaning of their own.
pub static BITS32: Format = BITS32_LAYOUT;
const BITS32_LAYOUT: Format = Format {
    name: "32 bits",
    kind: FormatKind::Bits,
    sign: None,
    exponent: None,
    mantissa: &[piece(0, 32)],
    narrowings: &[],
};

/// `Dst` integer "8": sign, ten bits of magnitude, over the exponent of FP16.
pub static DST_INT8: Format = Format {
    name: "Dst INT8",
    kind: FormatKind::SignMagnitude,
    sign: Some(15),
    exponent: Some(piece(0, 5)),
    mantissa: &[piece(5, 10)],
    narrowings: &[],
};
/// `Dst` integer "16": sign, fifteen bits of magnitude.
pub static DST_INT16: Format = Format {
    name: "Dst INT16",
    kind: FormatKind::SignMagnitude,
    sign: Some(15),
    exponent: None,
    mantissa: &[piece(0, 15)],
    narrowings: &[],
};
/// `LReg` FP32: `Sign,Exp(8b),Man(23b)`; FP16 keeps ten bits of the mantissa, BF16 seven.
pub static FP32_DATUM: Format = float("FP32", 31, &[piece(0, 23)], piece(23, 8), 127, &[13, 16]);
/// `LReg` sign-magnitude integer: `Sign,Mag(31b)`.
pub static SIGN_MAGNITUDE_DATUM: Format = Format {
    name: "sign-magnitude 32",
    kind: FormatKind::SignMagnitude,
    sign: Some(31),
    exponent: None,
    mantissa: &[piece(0, 31)],
    narrowings: &[],
};
/// `LReg` two's complement integer.
pub static TWOS_COMPLEMENT_DATUM: Format = Format {
    name: "two's complement 32",
    kind: FormatKind::TwosComplement,
    sign: None,
    exponent: None,
    mantissa: &[piece(0, 32)],
    narrowings: &[],
};
