//! What the banks of Tensix can be salted with.

use tandem_isa::ValueClass;
use tandem_isa::tensix::{MMIO_BASES, format};

macro_rules! list {
    () => {
        &[]
    };
    ($list:expr) => {
        $list
    };
}

/// The value classes, by the order of their numbers: name, bytes and significant bits of a datum, formats, and further
/// values, or the only ones.
macro_rules! value_classes {
    ($($(#[$doc:meta])* $number:ident $name:literal: $bytes:literal $bits:literal [$($format:ident),*]
        $(and $extra:ident)? $(only $only:expr)?;)*) => {
        /// The numbers of the value classes that banks of this family are salted with.
        pub mod value_class {
            #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "they are the names of constants")]
            enum Number { $($number),* }
            $($(#[$doc])* pub const $number: u8 = Number::$number as u8;)*
        }

        /// The value classes, in the order of their numbers.
        pub(super) const VALUE_CLASSES: &[ValueClass] = &[$(ValueClass {
            name: $name,
            datum_bytes: $bytes,
            bits: $bits,
            formats: &[$(&format::$format),*],
            extra: list!($($extra)?),
            only: list!($($only)?),
        }),*];
    };
}

value_classes! {
    /// `SrcA`/`SrcB` data with eight exponent bits.
    SRC_EXP8 "Src, 8-bit exponent": 4 19 [SRC_TF32, SRC_BF16];
    /// `SrcA`/`SrcB` data with five exponent bits, and integer "8".
    SRC_EXP5 "Src, 5-bit exponent": 4 19 [SRC_FP16, SRC_INT8, SRC_TF32];
    /// `SrcA`/`SrcB` opaque data.
    SRC_OPAQUE "Src, opaque": 4 19 [SRC_INT16, SRC_TF32, SRC_FP16];
    /// `DstBits` data.
    DST "Dst": 2 16 [DST_BF16, DST_FP16, DST_BITS];
    /// 32-bit data.
    BITS32 "32 bits": 4 32 [BITS32];
    /// Rows all valid.
    ALL_VALID "all valid": 1 1 [] only &[1];
    /// Rows all invalid.
    ALL_INVALID "all invalid": 1 1 [] only &[0];
    /// Rows valid or not.
    MIXED_VALIDITY "valid or not": 1 1 [] only &[0, 1];
    /// `DstBits` data in BF16, and the high halves of 32-bit data, which have the same layout.
    DST_BF16 "Dst, BF16 or high half": 2 16 [DST_BF16, DST_BITS];
    /// `DstBits` data in FP16.
    DST_FP16 "Dst, FP16": 2 16 [DST_FP16, DST_BITS];
    /// `DstBits` data in integer "8".
    DST_INT8 "Dst, INT8": 2 16 [DST_INT8, DST_BITS];
    /// `DstBits` data in integer "16".
    DST_INT16 "Dst, INT16": 2 16 [DST_INT16, DST_BITS];
    /// `LReg` data in FP32.
    LREG_FP32 "LReg, FP32": 4 32 [FP32_DATUM] and FP32_EXTRA;
    /// `LReg` data in sign-magnitude integers.
    LREG_SIGN_MAGNITUDE "LReg, sign-magnitude": 4 32 [SIGN_MAGNITUDE_DATUM, BITS32] and SIGN_MAGNITUDE_EXTRA;
    /// `LReg` data in two's complement.
    LREG_TWOS_COMPLEMENT "LReg, two's complement": 4 32 [TWOS_COMPLEMENT_DATUM, BITS32] and TWOS_COMPLEMENT_EXTRA;
    /// `LReg` data of any kind.
    LREG_ANY "LReg, any": 4 32 [FP32_DATUM, SIGN_MAGNITUDE_DATUM, BITS32];
    /// `SrcA`/`SrcB` integer "8" as Unpackers make it.
    SRC_INT8 "Src, INT8": 4 19 [SRC_INT8] and SRC_INT8_EXTRA only SRC_INT8_ALL;
    /// Few `SrcA` data, all negative or zero, so that several rows have the same.
    SRC_NEGATIVE "Src, few negative": 4 19 [SRC_TF32, SRC_FP16] and SRC_NEGATIVE_FEW only SRC_NEGATIVE_FEW;
    /// `SrcB` data with the exponent of 1.0 in TF32 and BF16.
    SRC_ONE "Src, 1.0": 4 19 [] only &[0x7f];
    /// `SrcB` data with the exponent of 1.0 in FP16.
    SRC_ONE_EXP5 "Src, 1.0 of FP16": 4 19 [] only &[0xf];
    /// `SrcB` data with few exponents, 0 among them.
    SRC_SCALES "Src, few exponents": 4 19 [SRC_TF32] and SRC_SCALES_FEW only SRC_SCALES_FEW;
    /// `DstBits` data that are halves of integer "32".
    DST_INT32 "Dst, halves of INT32": 2 16 [DST_BITS] and DST_INT32_EXTRA;
    /// `DstBits` data that are halves of the least and greatest integers of 32 bits, and of zeros.
    DST_ENDS "Dst, halves of the least and greatest": 2 16 [] only &[0, 0x7fff, 0x8000, 0xffff];
    /// `LReg` data in FP32 of few exponents, so that products and sums of them meet; none is infinite or NaN.
    LREG_FINITE "LReg, FP32 that meet": 4 32 [] only FINITE;
    /// `LReg` data in FP32 whose integer part has up to 17 bits, and whose fraction is at an end or at one half.
    LREG_NEAR_INTEGERS "LReg, FP32 near integers": 4 32 [FP32_DATUM] and NEAR_INTEGERS;
    /// States of the PRNG whose low 23 bits are few: those that rounding compares.
    PRNG_FEW "PRNG, few low bits": 4 32 [] only PRNG_VALUES;
    /// Registers of streams of the NoC Overlay, near what `STREAMWAIT` compares them with.
    STREAM "NoC stream": 4 20 [BITS20] and STREAM_TARGETS;
    /// GPRs that hold few numbers, so that two of them are often the same, and one that a field of six bits can hold.
    GPR_FEW "GPR, few": 4 32 [] only &[0, 1, 5, 9, 31, 32, 63, 64, 0xffff, 0x1_0000, 0x1_0005, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    /// GPRs that hold the number of a row among the first 1024 of L1, or seldom another.
    GPR_ADDRESS "GPR, address in L1": 4 32 [] only ADDRESSES;
    /// GPRs that hold a place in a source.
    GPR_SRC_ADDRESS "GPR, place in a source": 4 32 [] only SRC_ADDRESSES;
    /// GPRs that hold the address of a memory-mapped register, or seldom another.
    GPR_MMIO_ADDRESS "GPR, address of a register": 4 32 [] only MMIO_ADDRESSES;
    /// L1 where few words stand, so that a comparison with one of four bits holds.
    L1_FEW "L1, few": 4 32 [] only &[3, 3, 3, 3, 3, 3, 0, 15, 1, 0x13, 0x8000_0003, 0x103];
    /// L1 where the pointers of a FIFO stand.
    L1_FIFO "L1, pointers of a FIFO": 4 32 [] only &[0, 0, 1, 1, 2, 3, 4, 7, 8, 16, 0x3fff, 0x4000, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1_0000, 0xffff_ffff];
    /// L1 data in FP32.
    L1_FP32 "L1, FP32": 4 32 [FP32_DATUM, BITS32] and FP32_EXTRA;
    /// L1 data in BF16.
    L1_BF16 "L1, BF16": 2 16 [L1_BF16];
    /// L1 data in FP16.
    L1_FP16 "L1, FP16": 2 16 [L1_FP16];
    /// L1 data of a byte each.
    L1_BYTES "L1, bytes": 1 8 [L1_BYTE] and BYTES_EXTRA;
    /// Shared exponents of L1 that make FP16.
    L1_EXPONENTS5 "L1, exponents of five bits": 1 8 [] only &[7, 8, 9, 12, 15, 16, 20, 24, 30, 31, 14, 10, 7, 31, 11, 13];
    /// Places of L1 where rows of compressed data begin, in data.
    L1_ROW_STARTS "L1, starts of rows": 2 16 [] only &[0, 16, 32, 16, 32, 48, 64, 5, 31, 33, 40, 96, 128, 80, 100, 7];
    /// `DstBits` data in BF16, and high halves, of few exponents, most of them positive; few are special.
    DST_BF16_NEAR "Dst, BF16 of near exponents": 2 16 [] only BF16_NEAR;
    /// `DstBits` data in FP16, likewise.
    DST_FP16_NEAR "Dst, FP16 of near exponents": 2 16 [] only FP16_NEAR;
    /// `DstBits` data that are halves of integers of 32 bits without a sign.
    DST_NATURALS "Dst, halves of natural numbers": 2 16 [] only
        &[0, 0, 0, 1, 0x7f, 0x80, 0xff, 0x100, 0x3ff, 0x400, 0x700, 0x7ff, 0x1fff, 0x2000, 0x7eff, 0x7fff];
    /// L1 data in FP32 of few exponents, most of them positive; few are special.
    L1_FP32_NEAR "L1, FP32 of near exponents": 4 32 [] only L1_FP32_NEAR_WORDS;
    /// L1 data in BF16, likewise.
    L1_BF16_NEAR "L1, BF16 of near exponents": 2 16 [] only L1_BF16_NEAR_WORDS;
    /// L1 data in FP16, likewise.
    L1_FP16_NEAR "L1, FP16 of near exponents": 2 16 [] only L1_FP16_NEAR_WORDS;
    /// L1 data in FP8, likewise.
    L1_FP8_NEAR "L1, FP8 of near exponents": 1 8 [] only L1_FP8_NEAR_BYTES;
}

/// Data of few exponents, of so many bits of mantissa and of exponent, of which one in 32 is negative; the mantissa lies below the
/// exponent, or above it as in `Dst`.
const fn near(mantissa: u32, exponent: u32, center: u64, is_dst: bool) -> [u64; 512] {
    let mut words = [0; 512];
    let mut place = 0;
    while place < words.len() {
        let mix = tandem_isa::mix64(place as u64 ^ 0x6e65_6172);
        let any = mix >> 32 & ((1 << mantissa) - 1);
        let (below, all) = (mix >> 8 & 3, (1 << mantissa) - 1);
        // What rounds up to the next exponent is seldom the largest.
        let man = [any, any, any, any, 0, if below == 0 { 1 } else { all }, 1, 1 << (mantissa - 1)][mix as usize & 7];
        let sign = if mix >> 3 & 31 == 0 { 1 } else { 0 };
        let exp = center - below;
        let magnitude = if is_dst { man << exponent | exp } else { exp << mantissa | man };
        words[place] = sign << (mantissa + exponent) | magnitude;
        place += 1;
    }
    // Zeros, and the ends of the exponents.
    (words[5], words[77], words[131], words[200]) = (0, 0, 0, 0);
    let shift = if is_dst { 0 } else { mantissa };
    (words[300], words[400]) = (1 << shift, ((1 << exponent) - 2) << shift);
    words
}
const BF16_NEAR: &[u64] = &near(7, 8, 129, true);
const FP16_NEAR: &[u64] = &near(10, 5, 17, true);
const L1_FP32_NEAR_WORDS: &[u64] = &near(23, 8, 129, false);
const L1_BF16_NEAR_WORDS: &[u64] = &near(7, 8, 129, false);
const L1_FP16_NEAR_WORDS: &[u64] = &near(10, 5, 17, false);
const L1_FP8_NEAR_BYTES: &[u64] = &near(2, 5, 17, false);

/// Rows of the first 16 KiB of L1, and now and then one beyond L1, or not shown.
const ADDRESSES: &[u64] = &{
    let mut words = [0; 512];
    let mut place = 0;
    while place < words.len() {
        words[place] = tandem_isa::mix64(place as u64) % 1000;
        place += 1;
    }
    (words[7], words[19], words[37]) = (0x1_6e00, 0x1_8000, 0xffff_ffff);
    (words[99], words[151]) = (0x1_6dff, 0x0fff_ffff);
    words
};
/// Addresses of the registers that a state has from the beginning, or as far before them as an offset leads, with any bits above;
/// and now and then one before the first.
const MMIO_ADDRESSES: &[u64] = &{
    let mut words = [0; 512];
    let mut place = 0;
    while place < words.len() {
        let any = tandem_isa::mix64(place as u64);
        // The lowest two bits do not count, and of others of half a GPR 0x8000 and 0xffff are added without their lowest four.
        let before = [0, 0, 0, 0, 0x800, 0xfff][(any >> 8) as usize % 6];
        let first = 4 * MMIO_BASES[place % MMIO_BASES.len()] as u64;
        words[place] = (first | any & 0xfff0_0003) - before;
        place += 1;
    }
    (words[7], words[19], words[37]) = (0x1_0ffc, 0, 0xffff_ffff);
    (words[99], words[151]) = (0xffb1_0ff0, 0xfff0_0fff);
    words
};
/// Columns in steps of four, and rows, some of which are beyond the first sixteen.
const SRC_ADDRESSES: &[u64] = &{
    let mut words = [0; 256];
    let mut place = 0;
    while place < words.len() {
        words[place] = tandem_isa::mix64(place as u64) % if place % 8 == 7 { 400 } else { 64 };
        place += 1;
    }
    (words[9], words[77]) = (0x1_0000, 0x10_0010);
    words
};
const BYTES_EXTRA: &[u64] = &[0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7e, 0x40, 0xc0, 0x3f, 0x10, 0x0f, 0xf0, 0x77, 0x88];

/// Integer "8" at the ends of what the fidelity phases take of a magnitude.
const SRC_INT8_EXTRA: &[u64] = SRC_INT8_ALL.split_at(SRC_INT8_CORNERS.len() * 2).0;
const SRC_INT8_CORNERS: [u64; 22] =
    [0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 127, 128, 223, 224, 255, 256, 511, 512, 767, 768, 1023];

/// Integer "8": corner values as often as all others together, and zero without its exponent.
const SRC_INT8_ALL: &[u64] = &{
    const REPEATED: usize = 2048;
    let mut words = [0; REPEATED + 2048 + 64];
    let mut place = 0;
    while place < words.len() {
        let (magnitude, sign) = match place {
            0..REPEATED => (SRC_INT8_CORNERS[place / 2 % SRC_INT8_CORNERS.len()], place as u64 % 2),
            _ => (place as u64 / 2 % 1024, place as u64 % 2),
        };
        // The last ones are zero.
        words[place] = if place < REPEATED + 2048 { sign << 18 | magnitude << 8 | 16 } else { 0 };
        place += 1;
    }
    words
};

const SRC_NEGATIVE_FEW: &[u64] = &[
    0x4_007f, 0x4_037f, 0x4_0080, 0x4_00ff, 0x7_ffff, 0x7_fcff, 0x4_0001, 0x4_0000, 0x4_000f, 0x4_0010, 0x4_1f10,
    0x7_ff1f, 0x4_011f, 0, 0x7_ff00,
];
const SRC_SCALES_FEW: &[u64] = &[0x7f, 0x7f, 0xf, 0xf, 0, 0x7_ff00, 1, 0x10, 0x1f, 0x80, 0xff, 0x4_007f];
/// Halves of integers of 32 bits at the ends of their range and of 7, 8, 10, 13, 16 and 19 bits.
const DST_INT32_EXTRA: &[u64] = &[
    0, 1, 0x7fff, 0x7fff, 0x7fff, 0xffff, 0xffff, 0xffff, 0x8000, 0x8001, 0xfffe, 0xff00, 0xf800, 0xfc00, 0x3ff, 0x400,
    0x1fff, 0x2000, 0xf801, 0x07ff, 0x7eff, 0xfeff, 0x0700, 0x8700, 0x00ff, 0x80ff,
];

/// FP32 data at the ends of the ranges of FP16 (with and without its infinity) and BF16, of both signs.
const FP32_EXTRA: &[u64] = &[
    0x37800000, 0x37ffffff, 0x38000000, 0x387fffff, 0x38800000, 0x38801fff, 0x38802000, 0x477fe000, 0x477fffff,
    0x47800000, 0x47ffdfff, 0x47ffe000, 0x47ffffff, 0x48000000, 0x7f7f0000, 0x7f7fffff, 0x7f800000, 0x7f800001,
    0x7f80ffff, 0x7f810000, 0x7fc00000, 0x007fffff, 0x00000001, 0x0000ffff, 0x00010000, 0x00800000, 0xb7ffffff,
    0xb8000000, 0xb87fffff, 0xb8800000, 0xc77fffff, 0xc7800000, 0xc7ffe000, 0xc7ffffff, 0xc8000000, 0xff7fffff,
    0xff800000, 0xff800001, 0xffffffff, 0x80000000, 0x80000001, 0x807fffff, 0x80800000,
];
/// FP32 around 1.0, around both ends of the exponents, and around half the way to them, where products are at the ends; with
/// mantissas of few bits, of which products are exact and sums tie or cancel, and with any.
const FINITE: &[u64] = &{
    const EXPONENTS: [u64; 64] = [
        127, 127, 127, 127, 126, 126, 128, 128, 125, 129, 124, 130, 123, 131, 120, 134, 115, 139, 112, 116, 103, 104,
        102, 150, 151, 152, 149, 101, 105, 100, 153, 154, 63, 64, 65, 62, 66, 63, 64, 61, 60, 70, 190, 191, 189, 188,
        192, 186, 0, 0, 1, 1, 2, 3, 12, 24, 25, 26, 27, 28, 252, 253, 254, 254,
    ];
    let mut words = [0; 4096];
    let mut place = 0;
    while place < words.len() {
        let mix = tandem_isa::mix64(place as u64);
        let any = mix >> 40 & 0x7f_ffff;
        let mantissa = match mix & 7 {
            0..4 => any,
            4 => 0,
            // One bit, all from one on, and all but one.
            5 => 1 << (any % 23),
            6 => 0x7f_ffff & !((1 << (any % 24)) - 1),
            _ => 0x7f_ffff ^ ((any >> 8 & 1) << (any % 23)),
        };
        words[place] = (mix >> 3 & 1) << 31 | EXPONENTS[place % EXPONENTS.len()] << 23 | mantissa;
        place += 1;
    }
    words
};

/// FP32 from a quarter on: below the point all bits, none, one half, or one beside that; above it any.
const NEAR_INTEGERS: &[u64] = &{
    let mut words = [0; 1024];
    let mut place = 0;
    while place < words.len() {
        let mix = tandem_isa::mix64(place as u64 ^ 0x696e_7465);
        let exponent = place as u64 % 20;
        // The exponent is -2 to 17, so that so many bits of the mantissa are behind the point.
        let behind = if exponent < 2 { 23 } else { 25 - exponent };
        let (half, fraction) = (1 << (behind - 1), (1 << behind) - 1);
        let end = [0, fraction, half, half - 1, half + 1, 1, fraction - 1, mix >> 20 & fraction][mix as usize & 7];
        words[place] =
            (mix >> 3 & 1) << 31 | (exponent + 125) << 23 | (mix >> 40 & 0x7f_ffff & !fraction) | end & fraction;
        place += 1;
    }
    words
};
/// What is compared are the low 23 bits or the upper ones of them: none, all, one half and its neighbours, multiples of one
/// sixteenth; the upper bits, of which one is drawn by each step, are any.
const PRNG_VALUES: &[u64] = &{
    let mut words = [0; 512];
    let mut place = 0;
    while place < words.len() {
        let mix = tandem_isa::mix64(place as u64 ^ 0x7072_6e67);
        let low = match mix & 3 {
            0 => (mix >> 8 & 15) << 19,
            1 => [0, 1, 0x7f_ffff, 0x7f_fffe][mix as usize >> 8 & 3],
            2 => [0x40_0000, 0x3f_ffff, 0x40_0001, 0x3f_fc00][mix as usize >> 8 & 3],
            _ => (1 << (mix >> 8 & 15)) << (mix >> 16 & 7),
        };
        words[place] = (mix >> 55) << 23 | low;
        place += 1;
    }
    words
};

/// Where the halves of a target value end, and the whole of each of both; beside them their neighbours.
pub(super) const STREAM_TARGETS: &[u64] =
    &[0, 1, 2, 0x3fe, 0x3ff, 0x400, 0x401, 0x1_fffe, 0x1_ffff, 0x2_0000, 0x8_0000, 0xf_fc00, 0xf_fffe, 0xf_ffff];

/// Sign-magnitude integers at the ends of 7, 8, 10, 11, 15 and 16 bits.
const SIGN_MAGNITUDE_EXTRA: &[u64] = &[
    127, 128, 255, 256, 1023, 1024, 2047, 2048, 32767, 32768, 65535, 65536, 0x80000000, 0x8000007f, 0x80000080,
    0x800000ff, 0x80000100, 0x800003ff, 0x80000400, 0x80007fff, 0x80008000, 0x8000ffff, 0x80010000, 0xffffffff,
];
/// Two's complement integers at the ends of 8, 9, 11, 16 and 32 bits.
const TWOS_COMPLEMENT_EXTRA: &[u64] = &[
    127, 128, 255, 256, 1023, 1024, 32767, 32768, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xffffff81,
    0xffffff80, 0xffffff01, 0xffffff00, 0xfffffc01, 0xfffffc00, 0xfffffbff, 0xffff8001, 0xffff8000, 0xffff7fff,
];

/// The value class of each bank's background.
pub(super) const BACKGROUND: &[u8] = &[
    value_class::DST,
    value_class::SRC_EXP8,
    value_class::SRC_EXP8,
    value_class::BITS32,
    value_class::MIXED_VALIDITY,
    value_class::BITS32,
    value_class::BITS32,
    value_class::BITS32,
    value_class::STREAM,
    value_class::BITS32,
    value_class::L1_BYTES,
];
