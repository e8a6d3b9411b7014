//! How packers convert data: early, behind `Dst`, and late, in front of L1.
//!
//! Between both a datum of eight bits of exponent is as FP32 here, one of five bits as FP16, and an integer as it will be in
//! L1. What is left of a narrower mantissa is zero.
//!
//! *Source*: page Packers/FormatConversion (commit f7fda211); `FloatBitPatterns` (f7fda211) for FP16 and BFP.

// Of page `PACKERS_FORMAT_CONVERSION`.
// Shown by `an_early_conversion_is_what_the_fields_say`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::config::pack::{
    INT_DESCALE_Enable, INT_DESCALE_Mode, In_data_format, Out_data_format, PCK_DEST_RD_CTRL_Read_32b_data,
    PCK_DEST_RD_CTRL_Read_int8, PCK_DEST_RD_CTRL_Read_unsigned, PCK_DEST_RD_CTRL_Round_10b_mant,
};
use tandem_isa::tensix::format::{
    BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32, TF32,
};
use tandem_isa::tensix::{PACKERS_FORMAT_CONVERSION, Small, config};

use super::{Issue, unspecified};
use crate::bits::U;
use crate::tensix::dst::{dst_decode_bf16, dst_decode_fp32};

const CARRY_REASON: &str = "the rounding carries beyond the largest exponent, and what becomes of that is not said";
const CELL_REASON: &str = "there is no such conversion";
const BELOW_ZERO_REASON: &str = "a negative number saturates at 0 by one line, and keeps its sign by another";
const CODE_REASON: &str = "the fields are none of the combinations that have an early conversion";
const DENORMAL_REASON: &str = "a denormal is mishandled where the exponent widens";
const LARGEST_REASON: &str = "how the largest datum of a format with five bits of exponent is widened is not said";
const LATE_REASON: &str = "the late conversion is from another format than the early one is to";
const MAGNITUDE_REASON: &str = "the magnitude rounds to more than BFP has, and what becomes of that is not said";
const MINUS_REASON: &str = "whether the zero that it becomes has a sign is not said";
const MINUS_ZERO_REASON: &str = "a sign and no magnitude mean infinity in BFP, and what zeros become is not said";
const MODE_REASON: &str = "the shift is of some z, and which is not said";
const ROUND_REASON: &str = "the field makes it TF32 or BF16 by the late conversion, which is neither of these";
const SATURATION_REASON: &str = "to what a datum that is too large saturates is not said";
const SHARED_REASON: &str = "no shared exponent of BFP stands for this datum";
const SMALL_REASON: &str = "data below the smallest normal one are mishandled";

// ------------------------------------------------------------------------------------------------ types

/// What a datum is between both conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Fp32,
    Tf32,
    Bf16,
    E8m6,
    Fp16,
    E5m7,
    E5m6,
    Fp8,
    Int32,
    Int16,
    Int8,
    Uint8,
}

impl Type {
    /// The bits of exponent, 0 of an integer.
    // Shown by `a_late_conversion_is_what_the_table_says`.
    pub(super) fn exponent_bits(self) -> u32 {
        match self {
            Type::Fp32 | Type::Tf32 | Type::Bf16 | Type::E8m6 => 8, // [11-14] E8 stands for so many.
            Type::Fp16 | Type::E5m7 | Type::E5m6 | Type::Fp8 => 5,  // [15-18] So does E5.
            Type::Int32 | Type::Int16 | Type::Int8 | Type::Uint8 => 0, // [19-22] Integers have none.
        }
    }

    /// The bits of mantissa.
    // Shown by `a_late_conversion_is_what_the_table_says`.
    pub(super) fn mantissa_bits(self) -> u32 {
        match self {
            Type::Fp32 => 23,              // [11] E8M23 has so many.
            Type::Tf32 | Type::Fp16 => 10, // [12, 15] M10 as well.
            Type::Bf16 | Type::E5m7 => 7,  // [13, 16] M7 as well.
            Type::E8m6 | Type::E5m6 => 6,  // [14, 17] M6 as well.
            Type::Fp8 => 2,                // [18] E5M2 as well.
            _ => 0,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        self.exponent_bits() == 0
    }

    /// The bits that the sign and all others have which a float of the type has.
    pub(super) fn mask(self) -> u32 {
        if self.exponent_bits() == 8 {
            !0 << (23 - self.mantissa_bits())
        } else {
            0xffff & !0 << (10 - self.mantissa_bits())
        }
    }

    /// The sign of a datum.
    pub(super) fn sign(self, datum: u32) -> bool {
        match self {
            Type::Fp16 | Type::E5m7 | Type::E5m6 | Type::Fp8 | Type::Int16 => datum & 0x8000 != 0,
            Type::Int8 => datum & 0x80 != 0,
            Type::Uint8 => false,
            _ => datum & 0x8000_0000 != 0,
        }
    }

    /// A datum of a float without its sign.
    pub(super) fn magnitude(self, datum: u32) -> u32 {
        datum & if self.exponent_bits() == 8 { 0x7fff_ffff } else { 0x7fff }
    }

    /// The raw exponent of a float.
    pub(super) fn exponent(self, datum: u32) -> u32 {
        if self.exponent_bits() == 8 { datum >> 23 & 0xff } else { datum >> 10 & 0x1f }
    }
}

/// What `In_data_format` says a datum is that has had no early conversion: from L1, or zero.
// Shown by `packer_0_can_read_l1`.
pub(super) fn of_format(in_data_format: u32) -> ControlFlow<Expectation, Type> {
    // [188] The fields have four bits.
    // [190, 192-195] Most codes have a name.
    ControlFlow::Continue(match in_data_format {
        FP32 => Type::Fp32,
        TF32 => Type::Tf32,
        BF16 | BFP8 => Type::Bf16, // [197] BFP8 is a type with that exponent, but one to a datum.
        FP16 => Type::Fp16,
        BFP8A => Type::E5m7, // [197] So is BFP8a.
        FP8 => Type::Fp8,
        INT32 => Type::Int32,
        INT16 => Type::Int16,
        INT8 => Type::Int8,
        // [199] The other formats of BFP are of the output alone.
        _ => return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 192-199", CODE_REASON)),
    })
}

// ------------------------------------------------------------------------------------------------ early

/// How data become what they are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Bits that the type does not have are dropped.
    Truncated,
    Rounded,
    /// The low bits of the magnitude.
    LowBits,
    /// Shifted right, rounded and saturated.
    Shifted(u32),
}

/// `IntermediateFormat`.
// Shown by `the_intermediate_format_can_be_overridden`.
pub(super) fn intermediate_format(issue: &Issue<'_>) -> u32 {
    let config_state = &issue.config_state;
    // [163-164] [PACKERS_RELU 12-14] With an override it is a field of its own, …
    if config::ALU_FORMAT_SPEC_REG_Dstacc_override.get(config_state) != 0 {
        config::ALU_FORMAT_SPEC_REG_Dstacc_val.get(config_state)
    } else {
        config::ALU_FORMAT_SPEC_REG2_Dstacc.get(config_state) // [165-166] [PACKERS_RELU 15-16] … and else another.
    }
}

/// The early conversion of a packer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Early {
    /// What it gives.
    pub(super) to: Type,
    how: How,
    /// Whether the bits of a datum of `Dst` are 32.
    pub(super) read_32b_data: bool,
}

impl Early {
    /// The conversion that the fields configure.
    // [7, 9] Data of five formats become one of several.
    // [106] Several fields select the conversion.
    // [31, 33] From L1 there is no early conversion. (`packer_0_can_read_l1`)
    // [152] What the page calls its variables are fields.
    pub(super) fn of(issue: &Issue<'_>, small: &Small, packer: usize) -> ControlFlow<Expectation, Self> {
        // [158] Read_32b_data is a field of that name.
        let read_32b_data = issue.get(PCK_DEST_RD_CTRL_Read_32b_data) != 0;
        let (to, how) = if read_32b_data {
            from_32_bits(issue, small, packer)? // [108] With it data are FP32 or INT32, …
        } else {
            from_16_bits(issue, packer)? // [129, 141, 149] … and without it BF16, FP16 or INT16.
        };
        // The late conversion begins with what the early one gives.
        let in_data_format = issue.of(packer, In_data_format);
        let is_named = match to {
            Type::Fp32 => in_data_format == FP32,
            Type::Tf32 => in_data_format == TF32,
            Type::Bf16 => in_data_format == BF16 || in_data_format == BFP8,
            Type::E8m6 => in_data_format == BFP8,
            Type::Fp16 => in_data_format == FP16,
            Type::E5m7 | Type::E5m6 => in_data_format == BFP8A,
            Type::Fp8 => in_data_format == FP8,
            Type::Int32 => in_data_format == INT32,
            Type::Int16 => in_data_format == INT16,
            Type::Int8 | Type::Uint8 => in_data_format == INT8,
        };
        // [184] LateFromFormat is In_data_format.
        // [188] It is usually the same as IntermediateFormat.
        if is_named {
            ControlFlow::Continue(Early { to, how, read_32b_data })
        } else {
            unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 184 and 188", LATE_REASON))
        }
    }

    /// Converts a datum, which is in the layout of `Dst`.
    pub(super) fn convert(self, datum: u32) -> ControlFlow<Expectation, u32> {
        ControlFlow::Continue(match (self.to.exponent_bits(), self.how) {
            // [13] BF16 can be the top 16 bits, …
            // [11, 13, 26-27, 137-138] … and FP32 and BF16 what they were, with denormals and NaN.
            // [29] What is dropped of a mantissa can leave zero or infinity.
            (8, How::Truncated) => self.of_e8(datum) & self.to.mask(),
            (8, _) => rounded_e8(self.to, self.of_e8(datum))?,
            // [15-16, 18] FP16 can stay, and have its mantissa cut off.
            (5, How::Truncated) => dst_decode_fp16(datum) & self.to.mask(),
            (5, _) => rounded_e5(self.to, dst_decode_fp16(datum))?,
            // [19-20] Integers of 32 and 16 bits stay; 32 bits can have been FP32.
            (_, How::Truncated) if self.to == Type::Int32 => dst_decode_fp32(datum),
            (_, How::Truncated) => datum,
            _ => {
                self.narrow_integer(if self.read_32b_data { dst_decode_fp32(datum) } else { (datum & 0x8000) << 16 })?
            }
        })
    }

    /// FP32 or BF16, as FP32.
    fn of_e8(self, datum: u32) -> u32 {
        if self.read_32b_data { dst_decode_fp32(datum) } else { dst_decode_bf16(U::new(datum)).get() << 16 }
    }

    /// An integer of eight bits. Of 16 bits the sign alone counts.
    // Shown by `integers_of_32_bits_become_integers_of_eight`.
    fn narrow_integer(self, datum: u32) -> ControlFlow<Expectation, u32> {
        let (sign, magnitude) = (datum >> 31, datum & 0x7fff_ffff);
        // [22, 128, TX-146] Below 0 it saturates at that, or keeps its sign.
        if self.to == Type::Uint8 && matches!(self.how, How::Shifted(_)) && sign != 0 {
            return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 22 and 128", BELOW_ZERO_REASON));
        }
        let magnitude_then = match self.how {
            // [125, 128] Magnitudes are shifted right, and what is shifted out rounds them, a tie away from zero.
            // [21-22] Then they saturate, at 127 and at 255.
            How::Shifted(amount) => {
                let carried = if amount == 0 { 0 } else { magnitude >> (amount - 1) & 1 };
                ((magnitude >> amount) + carried).min(if self.to == Type::Uint8 { 255 } else { 127 })
            }
            // [21, 124] Or it is the low seven bits, …
            _ if self.to == Type::Int8 => magnitude & 0x7f,
            _ => magnitude & 0xff, // [22, 127] … and without a sign the low eight.
        };
        // [125] The sign stays, where there is one.
        ControlFlow::Continue(if self.to == Type::Uint8 { magnitude_then } else { sign << 7 | magnitude_then })
    }
}

/// What becomes of `FP32` and `INT32`.
fn from_32_bits(issue: &Issue<'_>, small: &Small, packer: usize) -> ControlFlow<Expectation, (Type, How)> {
    // [159-161] The others are fields too, of which one is called otherwise.
    let round_10b_mant = issue.get(PCK_DEST_RD_CTRL_Round_10b_mant) != 0;
    let read_raw = issue.get(PCK_DEST_RD_CTRL_Read_int8) != 0;
    let read_unsigned = issue.get(PCK_DEST_RD_CTRL_Read_unsigned) != 0;
    // [109] Both are the same bits, and the late conversion says which they are.
    let of_32_bits = if issue.of(packer, In_data_format) == INT32 { Type::Int32 } else { Type::Fp32 };
    ControlFlow::Continue(match intermediate_format(issue) {
        INT32 => (of_32_bits, How::Truncated), // [110] INT32 keeps them, …
        // [111] … as does FP32 without Round_10b_mant, or with Read_raw, …
        FP32 if !round_10b_mant || read_raw => (of_32_bits, How::Truncated),
        TF32 if read_raw => (of_32_bits, How::Truncated), // [112] … and TF32 with Read_raw.
        // [113-115] Without Read_raw TF32 gives TF32, as FP32 does with Round_10b_mant.
        TF32 | FP32 => (Type::Tf32, How::Rounded),
        BF16 if read_raw => bf16(issue, packer, How::Truncated)?,
        BF16 => bf16(issue, packer, How::Rounded)?,
        BFP8 if read_raw => (Type::Bf16, How::Truncated), // [119-120] BFP8 with Read_raw gives BF16, truncated, …
        BFP8 => (Type::E8m6, How::Rounded),               // [122] … and without it E8M6.
        INT8 => {
            // [123, 126] INT8 gives an integer of eight bits, with a sign or without one.
            let to = if read_unsigned { Type::Uint8 } else { Type::Int8 };
            // [124, 127] With Read_raw it is the low bits, …
            // [125, 128] … and without it what is left of a shift, of which five bits count.
            (to, if read_raw { How::LowBits } else { How::Shifted(shift_amount(issue, small)? & 31) })
        }
        _ => return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 108-128", CODE_REASON)),
    })
}

/// What becomes of `BF16`, `FP16` and `INT16`.
fn from_16_bits(issue: &Issue<'_>, packer: usize) -> ControlFlow<Expectation, (Type, How)> {
    let round_10b_mant = issue.get(PCK_DEST_RD_CTRL_Round_10b_mant) != 0;
    let read_raw = issue.get(PCK_DEST_RD_CTRL_Read_int8) != 0;
    let read_unsigned = issue.get(PCK_DEST_RD_CTRL_Read_unsigned) != 0;
    ControlFlow::Continue(match intermediate_format(issue) {
        TF32 if !read_raw => (Type::Tf32, How::Rounded), // [130-131] Without Read_raw TF32 gives TF32, …
        // [132] … as does FP32 with Round_10b_mant.
        FP32 if !read_raw && round_10b_mant => (Type::Tf32, How::Rounded),
        BF16 if read_raw => bf16(issue, packer, How::Truncated)?,
        BF16 => bf16(issue, packer, How::Rounded)?,
        BFP8 if read_raw => (Type::Bf16, How::Truncated), // [136-137] BFP8 with Read_raw leaves BF16, …
        BFP8 => (Type::E8m6, How::Rounded),               // [139] … and without it gives E8M6.
        // [140, 147] INT8 with Read_raw and a sign gives the sign.
        INT8 if read_raw && !read_unsigned => (Type::Int8, How::LowBits),
        // [142, 144] FP16 with Read_raw stays, …
        FP16 if read_raw => (Type::Fp16, How::Truncated),
        FP16 => (Type::Fp16, How::Rounded), // [143] … and without it loses its denormals.
        BFP8A if read_raw => (Type::E5m7, How::Truncated), // [145] BFP8a with Read_raw gives E5M7, …
        BFP8A => (Type::E5m6, How::Rounded), // [146] … and without it E5M6.
        FP8 if read_raw => (Type::Fp8, How::Truncated), // [148] FP8 with Read_raw gives FP8.
        INT16 => (Type::Int16, How::Truncated), // [150] INT16 stays.
        _ => return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 129-150", CODE_REASON)),
    })
}

/// What an `IntermediateFormat` of BF16 gives.
// Shown by `bf16_with_round_10b_mant_is_what_the_late_conversion_makes_it`.
fn bf16(issue: &Issue<'_>, packer: usize, how: How) -> ControlFlow<Expectation, (Type, How)> {
    let is_to_fp16 = issue.of(packer, Out_data_format) == FP16;
    let from = issue.of(packer, In_data_format);
    // [117-118, 134-135] BF16, rounded without Read_raw, …
    // [119, 121, 138] … or else truncated or as it is.
    if issue.get(PCK_DEST_RD_CTRL_Round_10b_mant) == 0 {
        return ControlFlow::Continue((Type::Bf16, how));
    }
    match how {
        // [116, 133] With Round_10b_mant it can be TF32, if that becomes FP16.
        How::Rounded if from == TF32 && is_to_fp16 => ControlFlow::Continue((Type::Tf32, how)),
        // [118, 121, 135, 138] It still is BF16 if that does not become FP16.
        How::Rounded if from == BF16 && !is_to_fp16 => ControlFlow::Continue((Type::Bf16, how)),
        How::Truncated if !(from == BF16 && is_to_fp16) => ControlFlow::Continue((Type::Bf16, how)),
        _ => unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 116, 118, 121, 133, 135 and 138", ROUND_REASON)),
    }
}

/// `ShiftAmount`.
// Shown by `integers_of_32_bits_become_integers_of_eight`.
fn shift_amount(issue: &Issue<'_>, small: &Small) -> ControlFlow<Expectation, u32> {
    // [169] With INT_DESCALE_Enable there is a shift.
    if issue.get(INT_DESCALE_Enable) == 0 {
        return ControlFlow::Continue(0); // [175-176] Without it there is none.
    }
    // [170-171] With INT_DESCALE_Mode it is that of some z.
    if issue.get(INT_DESCALE_Mode) != 0 {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 170-171", MODE_REASON));
    }
    ControlFlow::Continue(small.int_descale_values_sec[0]) // [172-173] Otherwise it is the first word.
}

/// From `Sign,Man(10b),Exp(5b)` to `Sign,Exp(5b),Man(10b)`.
fn dst_decode_fp16(x: u32) -> u32 {
    (x & 0x8000) | (x & 31) << 10 | (x >> 5 & 1023)
}

/// Rounds FP32 to a type with a mantissa that is not as wide.
// Shown by `a_rounding_flushes_denormals_and_makes_nan_infinity`.
// [11-14] Rounding can make TF32, BF16 and E8M6. (`an_early_conversion_is_what_the_fields_say`)
fn rounded_e8(to: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    match to.exponent(datum) {
        0 => return ControlFlow::Continue(0), // [28, 135] Denormals and minus zero become plus zero.
        255 => return ControlFlow::Continue(datum & 0xff80_0000), // [28, 135] NaN becomes infinity.
        _ => {}
    }
    // [24] It is to the nearest, and ties go away from zero.
    let rounded = (datum + (1 << (22 - to.mantissa_bits()))) & to.mask();
    if to.exponent(rounded) == 255 {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 24", CARRY_REASON));
    }
    ControlFlow::Continue(rounded)
}

/// Rounds FP16 to a type with a mantissa that is as wide or not.
// Shown by `a_rounding_flushes_denormals_and_makes_nan_infinity`.
// [15, 17] Rounding can make FP16 and E5M6. (`an_early_conversion_is_what_the_fields_say`)
fn rounded_e5(to: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    // [28, 143] Denormals and minus zero become plus zero.
    if to.exponent(datum) == 0 {
        return ControlFlow::Continue(0);
    }
    if to.mantissa_bits() == 10 {
        return ControlFlow::Continue(datum);
    }
    // [24] It is to the nearest, and ties go away from zero.
    let magnitude = (to.magnitude(datum) + (1 << (9 - to.mantissa_bits()))) & !0 << (10 - to.mantissa_bits());
    if magnitude > 0x7fff {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 24", CARRY_REASON));
    }
    ControlFlow::Continue((datum & 0x8000) | magnitude)
}

// ------------------------------------------------------------------------------------------------ late

/// What goes to the streams of a packer.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    pub(super) exponents: Vec<u8>,
    pub(super) data: Vec<u8>,
}

/// The late conversion. Without data there is nothing to refuse.
// Shown by `a_late_conversion_is_what_the_table_says`.
// [3] A datum is converted early, behind Dst, and late, in front of L1.
// [3] Which of both software should use for what. Not modelled: this is advice.
// [50] From that type data become one of L1.
// [75] Denormals can have been dropped before. Not modelled: this is advice.
// [87] These are the formats of L1.
// [180, 185] LateToFormat is Out_data_format, as LateFromFormat is a field.
pub(super) fn late_conversion(from: Type, to: u32, data: &[u32]) -> ControlFlow<Expectation, Output> {
    if data.is_empty() {
        return ControlFlow::Continue(Output::default());
    }
    let is_float = !from.is_integer();
    let mut output = Output::default();
    // [52] The types to begin with are floats, and integers of three widths.
    match to {
        // [53] Floats become FP32 and BF16, …
        // [88, 90] … of which these are 32 and 16 bits in L1.
        FP32 if is_float => bytes_of(data, 4, |datum| converted(from, Type::Fp32, datum), &mut output.data)?,
        BF16 if is_float => {
            bytes_of(
                data,
                2,
                |datum| converted(from, Type::Bf16, datum).map_continue(|it| it >> 16),
                &mut output.data,
            )?;
        }
        // [54] … but FP32 does not become TF32, …
        // [89] … which has 32 bits of which the low 13 are zero.
        TF32 if is_float && from != Type::Fp32 => {
            bytes_of(data, 4, |datum| converted(from, Type::Tf32, datum), &mut output.data)?;
        }
        // [55] They become FP16 and FP8, …
        // [91-92] … of 16 and 8 bits.
        FP16 if is_float => bytes_of(data, 2, |datum| converted(from, Type::Fp16, datum), &mut output.data)?,
        FP8 if is_float => {
            bytes_of(data, 1, |datum| converted(from, Type::Fp8, datum).map_continue(|it| it >> 8), &mut output.data)?;
        }
        // [56-57] They become BFP by way of BF16, …
        BFP8 | BFP4 | BFP2 if is_float => bfp(from, Type::Bf16, to, data, &mut output)?,
        // [58-59] … and BFP of five bits of exponent by way of E5M7.
        BFP8A | BFP4A | BFP2A if is_float => bfp(from, Type::E5m7, to, data, &mut output)?,
        // [60-62] Integers stay, and whether one of eight bits has a sign does not matter.
        // [95-98] They have 32, 16 and 8 bits, of sign and magnitude or of magnitude alone.
        INT32 if from == Type::Int32 => bytes_of(data, 4, ControlFlow::Continue, &mut output.data)?,
        INT16 if from == Type::Int16 => bytes_of(data, 2, ControlFlow::Continue, &mut output.data)?,
        INT8 if from == Type::Int8 || from == Type::Uint8 => {
            bytes_of(data, 1, ControlFlow::Continue, &mut output.data)?;
        }
        // [63] That is all. (`a_conversion_that_the_table_does_not_have_promises_nothing`)
        _ => return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 52-63", CELL_REASON)),
    }
    ControlFlow::Continue(output)
}

/// The bytes of data, so many for each, the lowest first.
fn bytes_of(
    data: &[u32],
    width: usize,
    convert: impl Fn(u32) -> ControlFlow<Expectation, u32>,
    bytes: &mut Vec<u8>,
) -> ControlFlow<Expectation> {
    for &datum in data {
        bytes.extend(&convert(datum)?.to_le_bytes()[..width]);
    }
    ControlFlow::Continue(())
}

/// A float of another type.
// Shown by `a_late_conversion_is_what_the_table_says`.
// [67, 69] Whether denormals stay hangs on how both widths change.
// [77, 79] So does whether NaN stays.
fn converted(from: Type, to: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    if datum == 0 {
        return ControlFlow::Continue(0);
    }
    let is_negative = from.sign(datum);
    let narrows = to.mantissa_bits() < from.mantissa_bits();
    let is_denormal = from.exponent(datum) == 0 && from.magnitude(datum) != 0;
    match (from.exponent_bits(), to.exponent_bits()) {
        // [71] With as many bits of exponent denormals stay if no bit of the mantissa is lost, …
        // [81] … and NaN as well, which can become infinity otherwise.
        // [53, 55] Bits of the mantissa that the type does not have are dropped.
        // [80] With five bits there is no NaN.
        (8, 8) | (5, 5) if is_denormal && narrows => flushed(is_negative),
        (8, 8) | (5, 5) => ControlFlow::Continue(datum & to.mask()),
        (5, _) => widened(from, to, datum),
        _ => narrowed(to, datum),
    }
}

/// A float of five bits of exponent, with eight.
// Shown by `a_late_conversion_is_what_the_table_says`.
fn widened(from: Type, to: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    let magnitude = from.magnitude(datum);
    if from.exponent(datum) == 0 {
        // [70] Denormals are mishandled, or flushed if the mantissa narrows.
        // (`data_that_are_mishandled_promise_nothing`)
        return if magnitude == 0 || to.mantissa_bits() < from.mantissa_bits() {
            flushed(from.sign(datum))
        } else {
            unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 70", DENORMAL_REASON))
        };
    }
    if magnitude == from.mask() & 0x7fff {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 80", LARGEST_REASON));
    }
    // [80] All others are numbers, also those of the largest exponent.
    ControlFlow::Continue((((datum & 0x8000) << 16) | ((magnitude << 13) + (112 << 23))) & to.mask())
}

/// A float of eight bits of exponent, as FP32, with five.
// Shown by `a_late_conversion_is_what_the_table_says`.
// [73] This is the last row. (`a_late_conversion_is_what_the_table_says`)
fn narrowed(to: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    let (is_negative, exponent, magnitude) =
        (datum >> 31 != 0, Type::Fp32.exponent(datum), Type::Fp32.magnitude(datum));
    // [72] Up to 2 to the -15 data become zero, …
    if magnitude <= 112 << 23 {
        return flushed(is_negative);
    }
    // [72] … and above that up to 2 to the -14 they are mishandled. (`data_that_are_mishandled_promise_nothing`)
    if exponent == 112 {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 72", SMALL_REASON));
    }
    let sign = datum >> 16 & 0x8000;
    // [82-83, 91-92] NaN becomes infinity, as infinity stays, which has all bits of a magnitude.
    if exponent == 255 {
        return ControlFlow::Continue((sign | 0x7fff) & to.mask());
    }
    // [55, 58] Larger exponents saturate, and to what is not said. (`data_that_are_mishandled_promise_nothing`)
    if exponent > 112 + 31 {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 55 and 58", SATURATION_REASON));
    }
    // [55, 58] Then bits of the mantissa are dropped.
    ControlFlow::Continue((sign | (magnitude - (112 << 23)) >> 13) & to.mask())
}

/// What a datum becomes that is flushed to zero.
// Shown by `data_that_are_mishandled_promise_nothing`.
fn flushed(is_negative: bool) -> ControlFlow<Expectation, u32> {
    // [70-72] Which sign it has then is not said.
    if is_negative {
        unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 70-72", MINUS_REASON))
    } else {
        ControlFlow::Continue(0)
    }
}

/// Groups of 16 data of BFP. There are whole groups.
// Shown by `sixteen_data_of_bfp_share_an_exponent`.
// [93-94] A datum has a sign and a magnitude; 16 of them share an exponent, of eight bits or of five in a byte.
// [100] Exponents are a stream of their own. (`exponents_of_bfp_are_a_stream_of_their_own`)
fn bfp(from: Type, by: Type, to: u32, data: &[u32], output: &mut Output) -> ControlFlow<Expectation> {
    // [93-94] The width is of all of a datum.
    let width = match to {
        BFP8 | BFP8A => 8,
        BFP4 | BFP4A => 4,
        _ => 2,
    };
    let (groups, _) = data.as_chunks::<16>();
    for group in groups {
        let mut floats = [0; 16];
        for (float, &datum) in floats.iter_mut().zip(group) {
            *float = of_bfp(by, converted(from, by, datum)?)?;
        }
        // [56, 58] The exponent is that of the largest.
        let exponent = floats.iter().map(|&float| by.exponent(float)).max().unwrap_or_default();
        output.exponents.push(exponent.to_le_bytes()[0]);
        let mut bits = U::<32>::default();
        for (n, &float) in (0_u32..).zip(&floats) {
            let datum = shared(by, float, exponent, width)?;
            // [102] Two data of four bits are a byte, or four of two; which comes first is in the low bits.
            let place = n * width % 8;
            bits = bits | U::new(datum << place);
            if place + width == 8 {
                output.data.push(bits.get().to_le_bytes()[0]);
                bits = U::default();
            }
        }
    }
    ControlFlow::Continue(())
}

/// A datum for BFP, as BF16 or E5M7 has it: zero where it has no normal value.
// Shown by `sixteen_data_of_bfp_share_an_exponent`.
fn of_bfp(by: Type, datum: u32) -> ControlFlow<Expectation, u32> {
    let magnitude = by.magnitude(datum);
    let is_largest = if by == Type::Bf16 { by.exponent(datum) == 255 } else { magnitude == by.mask() & 0x7fff };
    // [56, 58] Infinity has no such exponent, …
    if is_largest {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 56 and 58", SHARED_REASON));
    }
    if by.exponent(datum) == 0 && magnitude != 0 {
        // [56] … and denormals do not have the bit in front of their mantissa, so that they count as zeros.
        if by == Type::Bf16 {
            return flushed(by.sign(datum));
        }
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "line 58", SHARED_REASON));
    }
    ControlFlow::Continue(datum)
}

/// A datum with the exponent of its group.
// Shown by `sixteen_data_of_bfp_share_an_exponent`.
fn shared(by: Type, float: u32, exponent: u32, width: u32) -> ControlFlow<Expectation, u32> {
    let mut magnitude = 0;
    if by.magnitude(float) != 0 {
        let dropped = if by == Type::Bf16 { 16 } else { 3 };
        let mantissa = by.magnitude(float) >> dropped & 0x7f;
        // [93-94] The magnitude has the bit in front of the mantissa, and moves down to the exponent.
        let distance = 1 + exponent - by.exponent(float);
        // [56, 58, 65] It is rounded to the nearest, and ties go away from zero.
        let doubled = (0x80 | mantissa) >> (distance - 1).min(31);
        magnitude = (doubled + 1) >> 1;
        if magnitude > 127 {
            return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 56 and 58", MAGNITUDE_REASON));
        }
    }
    magnitude >>= 8 - width; // [57, 59] Of that the upper bits are left in narrower ones.
    if by.sign(float) && magnitude == 0 {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 56-59", MINUS_ZERO_REASON));
    }
    ControlFlow::Continue(u32::from(by.sign(float)) << (width - 1) | magnitude)
}
