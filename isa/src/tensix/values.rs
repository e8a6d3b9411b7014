//! What the banks of Tensix can be salted with.

use super::format;
use crate::ValueClass;

/// The numbers of the value classes that banks of this family are salted with.
pub mod value_class {
    /// `SrcA`/`SrcB` data with eight exponent bits.
    pub const SRC_EXP8: u8 = 0;
    /// `SrcA`/`SrcB` data with five exponent bits, and integer "8".
    pub const SRC_EXP5: u8 = 1;
    /// `SrcA`/`SrcB` opaque data.
    pub const SRC_OPAQUE: u8 = 2;
    /// `DstBits` data.
    pub const DST: u8 = 3;
    /// 32-bit data.
    pub const BITS32: u8 = 4;
    /// Rows all valid.
    pub const ALL_VALID: u8 = 5;
    /// Rows all invalid.
    pub const ALL_INVALID: u8 = 6;
    /// Rows valid or not.
    pub const MIXED_VALIDITY: u8 = 7;
    /// `DstBits` data in BF16, and the high halves of 32-bit data, which have the same layout.
    pub const DST_BF16: u8 = 8;
    /// `DstBits` data in FP16.
    pub const DST_FP16: u8 = 9;
    /// `DstBits` data in integer "8".
    pub const DST_INT8: u8 = 10;
    /// `DstBits` data in integer "16".
    pub const DST_INT16: u8 = 11;
    /// `LReg` data in FP32.
    pub const LREG_FP32: u8 = 12;
    /// `LReg` data in sign-magnitude integers.
    pub const LREG_SIGN_MAGNITUDE: u8 = 13;
    /// `LReg` data in two's complement.
    pub const LREG_TWOS_COMPLEMENT: u8 = 14;
    /// `LReg` data of any kind.
    pub const LREG_ANY: u8 = 15;
    /// The constant in all lanes of `LReg[8]`.
    pub const LREG_8: u8 = 16;
    /// The constant in all lanes of `LReg[9]`.
    pub const LREG_9: u8 = 17;
    /// The constant in all lanes of `LReg[10]`.
    pub const LREG_10: u8 = 18;
}

macro_rules! dst {
    ($name:literal, $formats:expr) => {
        ValueClass { name: $name, datum_bytes: 2, bits: 16, formats: $formats, extra: &[], only: &[] }
    };
}

macro_rules! lreg {
    ($name:literal, $formats:expr, $extra:expr, $only:expr) => {
        ValueClass { name: $name, datum_bytes: 4, bits: 32, formats: $formats, extra: $extra, only: $only }
    };
}

/// The value classes, in the order of their numbers.
pub(super) const VALUE_CLASSES: &[ValueClass] = &[
    ValueClass {
        name: "Src, 8-bit exponent",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_TF32, &format::SRC_BF16],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Src, 5-bit exponent",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_FP16, &format::SRC_INT8, &format::SRC_TF32],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Src, opaque",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_INT16, &format::SRC_TF32, &format::SRC_FP16],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Dst",
        datum_bytes: 2,
        bits: 16,
        formats: &[&format::DST_BF16, &format::DST_FP16, &format::DST_BITS],
        extra: &[],
        only: &[],
    },
    ValueClass { name: "32 bits", datum_bytes: 4, bits: 32, formats: &[&format::BITS32], extra: &[], only: &[] },
    ValueClass { name: "all valid", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[1] },
    ValueClass { name: "all invalid", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[0] },
    ValueClass { name: "valid or not", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[0, 1] },
    dst!("Dst, BF16 or high half", &[&format::DST_BF16, &format::DST_BITS]),
    dst!("Dst, FP16", &[&format::DST_FP16, &format::DST_BITS]),
    dst!("Dst, INT8", &[&format::DST_INT8, &format::DST_BITS]),
    dst!("Dst, INT16", &[&format::DST_INT16, &format::DST_BITS]),
    lreg!("LReg, FP32", &[&format::FP32_DATUM], FP32_EXTRA, &[]),
    lreg!("LReg, sign-magnitude", &[&format::SIGN_MAGNITUDE_DATUM, &format::BITS32], SIGN_MAGNITUDE_EXTRA, &[]),
    lreg!("LReg, two's complement", &[&format::TWOS_COMPLEMENT_DATUM, &format::BITS32], TWOS_COMPLEMENT_EXTRA, &[]),
    lreg!("LReg, any", &[&format::FP32_DATUM, &format::SIGN_MAGNITUDE_DATUM, &format::BITS32], &[], &[]),
    lreg!("LReg[8]", &[], &[], &[0x3f56_594b]),
    lreg!("LReg[9]", &[], &[], &[0]),
    lreg!("LReg[10]", &[], &[], &[0x3f80_0000]),
];

/// FP32 data at the ends of the ranges of FP16 (with and without its infinity) and BF16, of both signs.
const FP32_EXTRA: &[u64] = &[
    0x3780_0000,
    0x37ff_ffff,
    0x3800_0000,
    0x387f_ffff,
    0x3880_0000,
    0x3880_1fff,
    0x3880_2000,
    0x477f_e000,
    0x477f_ffff,
    0x4780_0000,
    0x47ff_dfff,
    0x47ff_e000,
    0x47ff_ffff,
    0x4800_0000,
    0x7f7f_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7f80_ffff,
    0x7f81_0000,
    0x7fc0_0000,
    0x007f_ffff,
    0x0000_0001,
    0x0000_ffff,
    0x0001_0000,
    0x0080_0000,
    0xb7ff_ffff,
    0xb800_0000,
    0xb87f_ffff,
    0xb880_0000,
    0xc77f_ffff,
    0xc780_0000,
    0xc7ff_e000,
    0xc7ff_ffff,
    0xc800_0000,
    0xff7f_ffff,
    0xff80_0000,
    0xff80_0001,
    0xffff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x807f_ffff,
    0x8080_0000,
];
/// Sign-magnitude integers at the ends of 7, 8, 10, 11, 15 and 16 bits.
const SIGN_MAGNITUDE_EXTRA: &[u64] = &[
    127,
    128,
    255,
    256,
    1023,
    1024,
    2047,
    2048,
    32_767,
    32_768,
    65_535,
    65_536,
    0x8000_0000,
    0x8000_007f,
    0x8000_0080,
    0x8000_00ff,
    0x8000_0100,
    0x8000_03ff,
    0x8000_0400,
    0x8000_7fff,
    0x8000_8000,
    0x8000_ffff,
    0x8001_0000,
    0xffff_ffff,
];
/// Two's complement integers at the ends of 8, 9, 11, 16 and 32 bits.
const TWOS_COMPLEMENT_EXTRA: &[u64] = &[
    127,
    128,
    255,
    256,
    1023,
    1024,
    32_767,
    32_768,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0xffff_ff81,
    0xffff_ff80,
    0xffff_ff01,
    0xffff_ff00,
    0xffff_fc01,
    0xffff_fc00,
    0xffff_fbff,
    0xffff_8001,
    0xffff_8000,
    0xffff_7fff,
];

/// The value class of each bank's background.
pub(super) const BACKGROUND: &[u8] =
    &[value_class::DST, value_class::SRC_EXP8, value_class::SRC_EXP8, value_class::BITS32, value_class::MIXED_VALIDITY];
