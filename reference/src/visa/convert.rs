//! Type conversion, what page MOV calls "Section X": source modifiers, conversion, saturation, and denormals.
//!
//! *Source*: page Data Types (commit 98fff716), lines 74-81 (denormals), 107-227 (conversion), 229-261 (saturation);
//! page MOV, lines 53-63 and 71; page Header, lines 422-440 (`%cr0`); page vISA Assembly Syntax, line 50 (modifiers).
//!
//! *Errata*: VX-02, VX-07 to VX-18.
//!
//! A [`Conversion`] is settled once an instruction, and then applied to one datum after the other.

// Shown by `conversions_part_from_ieee_754_exactly_where_the_list_says`, where nothing else is said.

use tandem_isa::visa::operand::modifier;
use tandem_isa::visa::{DataType, TypeKind, cr0};

use super::softfloat::{self, Format, Rounding, Value};

/// The rounding mode that the control register has. *Source*: page Header, lines 426-430.
#[must_use]
pub fn rounding_mode(control: u32) -> Rounding {
    // [HEADER 426-430] Bits 4 and 5 of the control register are the rounding mode.
    match control >> cr0::ROUNDING_SHIFT & 3 {
        cr0::RTNE => Rounding::NearestEven,
        cr0::RU => Rounding::Up,
        cr0::RD => Rounding::Down,
        _ => Rounding::TowardZero,
    }
}

/// A source modifier: absolute value, then negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifier {
    /// `(abs)`.
    pub is_absolute: bool,
    /// `(-)`.
    pub is_negated: bool,
}

impl Modifier {
    /// The arithmetic modifier that a code means, if it means one. *Source*: page vISA Assembly Syntax, line 50.
    #[must_use]
    pub fn of_code(code: u32) -> Option<Self> {
        // [SYNTAX 50] A source can be negated, taken without its sign, or both.
        let (is_absolute, is_negated) = match code {
            modifier::NONE => (false, false),
            modifier::ABS => (true, false),
            modifier::NEG => (false, true),
            modifier::NEG_ABS => (true, true),
            _ => return None,
        };
        Some(Modifier { is_absolute, is_negated })
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Modifier::default()
    }

    /// On an integer, as wide as it takes (VX-17).
    fn of_integer(self, value: i128) -> i128 {
        // [SYNTAX 50] First the sign is taken away, then the value is negated.
        let value = if self.is_absolute { value.abs() } else { value };
        if self.is_negated { -value } else { value }
    }
}

/// An integer type.
#[derive(Clone, Copy, Debug)]
struct Integer {
    is_signed: bool,
    /// Width, in bits.
    bits: u32,
}

impl Integer {
    /// How far it goes below zero.
    fn below(self) -> u64 {
        // [DATA_TYPES 25-38] A table has the range of each type: this is how far it goes below zero, …
        if self.is_signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// How far it goes above zero.
    fn above(self) -> u64 {
        // [DATA_TYPES 25-38] … and this how far above.
        self.mask() >> u32::from(self.is_signed)
    }

    /// All of its bits.
    fn mask(self) -> u64 {
        // [DATA_TYPES 179-181] Only the low bits are kept, whatever the sign.
        u64::MAX >> (u64::BITS - self.bits)
    }

    /// The value that the low bits of `datum` have: with zero or sign extension (page Data Types, lines 170-172).
    fn value(self, datum: u64) -> i128 {
        let above = u64::BITS - self.bits;
        if self.is_signed {
            // [DATA_TYPES 171-172] A signed integer is extended by its sign, …
            i128::from((datum << above).cast_signed() >> above)
        } else {
            // [DATA_TYPES 170-171] … and an unsigned one by zeros.
            i128::from(datum << above >> above)
        }
    }

    /// The low bits of a value (page Data Types, lines 179-181).
    fn truncate(self, value: u64) -> u64 {
        // [DATA_TYPES 179-181] Only the low bits are kept, whatever the sign.
        value & self.mask()
    }
}

/// A type that numbers are converted from or to.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(Integer),
    Float(Format),
}

impl Number {
    /// *Source*: page Data Types, lines 23-40 and 58-61.
    fn of(data_type: DataType) -> Self {
        // [DATA_TYPES 25-40, 58-61] A table has the types, their ranges and widths; floats are IEEE's, with so many
        // bits of exponent and mantissa.
        match data_type {
            DataType::Df => Number::Float(softfloat::DF),
            DataType::F => Number::Float(softfloat::F),
            DataType::Hf => Number::Float(softfloat::HF),
            DataType::Bf => Number::Float(softfloat::BF),
            DataType::Ud
            | DataType::D
            | DataType::Uw
            | DataType::W
            | DataType::Ub
            | DataType::B
            | DataType::Uq
            | DataType::Q => {
                Number::Integer(Integer { is_signed: data_type.kind() == TypeKind::Signed, bits: data_type.bits() })
            }
            DataType::V | DataType::Vf | DataType::Bool | DataType::Uv => {
                unreachable!("{data_type:?} is in no type map, so nothing is converted from or to it")
            }
        }
    }
}

/// Whether denormals of a type are kept. *Source*: page Data Types, lines 77-81; page Header, lines 431-439.
fn keeps_denormals(data_type: DataType, control: u32) -> bool {
    match data_type {
        // [DATA_TYPES 79-81] [HEADER 431-433] DF denormals are kept or flushed as bit 6 of the control register says.
        DataType::Df => control & cr0::DF_DENORM != 0,
        // [DATA_TYPES 79-81] [HEADER 434-436] F denormals are kept or flushed as bit 7 says.
        DataType::F => control & cr0::F_DENORM != 0,
        // VX-09: line 77 of page Data Types flushes HF denormals always, page Header has a bit for them.
        // [DATA_TYPES 77-78] [HEADER 437-439] HF denormals are flushed on input and output; bit 10 can keep them.
        DataType::Hf => reads!(control & cr0::HF_DENORM != 0, "hf-always-flushed", false),
        // VX-13: the control register has no bit for BF. Integers have no denormals.
        // [DATA_TYPES 77-81] F and DF denormals go by the control register, and no line speaks of others.
        _ => true,
    }
}

/// The rule by which a pair of types is converted.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The types are the same and nothing else is asked for: the bits are copied.
    Raw,
    /// Page Data Types, lines 130-165.
    FloatToInteger(Format, Integer),
    /// Page Data Types, lines 167-181.
    IntegerToInteger(Integer, Integer),
    /// Page Data Types, lines 183-188.
    IntegerToFloat(Integer, Format),
    /// Page Data Types, lines 190-227.
    FloatToFloat(Format, Format),
}

/// How a datum of the source becomes one of the destination.
// [MOV 55, VX-04] The destination can be saturated. (`saturation_of_up_to_16_bits_is_idempotent`)
// [MOV 55, VX-15] Saturation has its place among the steps of a move.
// (`conversions_part_from_ieee_754_exactly_where_the_list_says`)
// [MOV 56, VX-15] The source can have an arithmetic modifier. (`modifiers_of_up_to_16_bits_come_before_conversion`)
// [MOV 71, VX-02] If the types differ, the value is converted by the rules of Section X.
// (`mov_converts_every_value_of_up_to_16_bits`)
// [MOV 71, VX-18] If they are the same, it is not converted. (`a_raw_copy_of_up_to_16_bits_keeps_every_bit`)
// [MOV 71, VX-15] What is converted may have a modifier or be saturated.
// (`modifiers_of_up_to_16_bits_come_before_conversion`)
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    rule: Rule,
    modifier: Modifier,
    is_saturated: bool,
    keeps_src_denormals: bool,
    keeps_dst_denormals: bool,
    rounding: Rounding,
}

impl Conversion {
    /// The conversion from `src` to `dst` under the control register `control`. The types are in a type map of page
    /// MOV.
    #[must_use]
    pub fn new(dst: DataType, src: DataType, modifier: Modifier, is_saturated: bool, control: u32) -> Self {
        // VX-13: BF is not rounded by the control register, which page Data Types names for DF, F and HF only (lines
        // 193-196), and F denormals are kept on the way from and to BF.
        // [DATA_TYPES 193-196] The rounding mode is that of the control register, for DF to F or HF and for F to HF.
        let (control, rounding) = match (src, dst) {
            (DataType::F, DataType::Bf) | (DataType::Bf, DataType::F) => {
                let kept = control | cr0::F_DENORM;
                let control = reads!(
                    kept,
                    "bf-input-flushed",
                    if src == DataType::F { control } else { kept },
                    "bf-source-flushed",
                    if src == DataType::Bf { control } else { kept }
                );
                (control, Rounding::NearestEven)
            }
            _ => {
                let rounding = reads!(
                    rounding_mode(control),
                    "rounding-mode-ignored",
                    Rounding::NearestEven,
                    "round-toward-zero",
                    Rounding::TowardZero
                );
                (control, rounding)
            }
        };
        let numbers = (Number::of(src), Number::of(dst));
        // Page MOV, line 71: a format conversion is performed if the types differ. VX-18: a modifier and saturation are
        // operations on the value, so they make a conversion of a move within one type.
        // [MOV 71] The value is converted if the types differ.
        let is_raw = src == dst && modifier.is_none() && !is_saturated;
        let rule = if reads!(is_raw, "raw-copy-converted", is_raw && dst.kind() != TypeKind::Float) {
            Rule::Raw
        } else {
            match numbers {
                (Number::Float(src), Number::Integer(dst)) => Rule::FloatToInteger(src, dst),
                (Number::Integer(src), Number::Integer(dst)) => Rule::IntegerToInteger(src, dst),
                (Number::Integer(src), Number::Float(dst)) => Rule::IntegerToFloat(src, dst),
                (Number::Float(src), Number::Float(dst)) => Rule::FloatToFloat(src, dst),
            }
        };
        let [of_src, of_dst] = [src, dst].map(|data_type| keeps_denormals(data_type, control));
        // [DATA_TYPES 77-81] Denormals are flushed on input, …
        let keeps_src_denormals = reads!(
            of_src,
            "hf-input-kept",
            of_src || src == DataType::Hf,
            "f-input-kept",
            of_src || src == DataType::F,
            "f-input-flushed",
            of_src && src != DataType::F,
            "df-input-kept",
            of_src || src == DataType::Df
        );
        // [DATA_TYPES 77-81] … and on output.
        let keeps_dst_denormals = reads!(
            of_dst,
            "hf-result-kept",
            of_dst || dst == DataType::Hf,
            "f-result-kept",
            of_dst || dst == DataType::F
        );
        Conversion { rule, modifier, is_saturated, keeps_src_denormals, keeps_dst_denormals, rounding }
    }

    /// Whether it converts integers to floats.
    #[must_use]
    pub fn is_integer_to_float(&self) -> bool {
        // [DATA_TYPES 186-188] Integers become floats by a rule of their own.
        matches!(self.rule, Rule::IntegerToFloat(..))
    }

    /// Whether this converts an integer to a float, and `datum` to none that it equals.
    #[must_use]
    pub fn rounds_integer(&self, datum: u64) -> bool {
        // [DATA_TYPES 186-188] An integer becomes the float that is closest.
        let Rule::IntegerToFloat(src, dst) = self.rule else { return false };
        let value = softfloat::integer(self.modified(src, datum));
        // What is no float lies between two of them.
        dst.encode(value, Rounding::Up) != dst.encode(value, Rounding::Down)
    }

    /// Converts a datum. *Layout*: both data lie in the low bits; those above the result are zero.
    #[must_use]
    pub fn convert(&self, datum: u64) -> u64 {
        // [MOV 71] The types say by which rule.
        match self.rule {
            Rule::Raw => datum,
            Rule::FloatToInteger(src, dst) => self.float_to_integer(src, dst, datum),
            Rule::IntegerToInteger(src, dst) => self.integer_to_integer(src, dst, datum),
            Rule::IntegerToFloat(src, dst) => self.integer_to_float(src, dst, datum),
            Rule::FloatToFloat(src, dst) => self.float_to_float(src, dst, datum),
        }
    }

    /// Integer to integer with the same or higher precision (lines 167-174), or with lower precision (176-181).
    fn integer_to_integer(&self, src: Integer, dst: Integer, datum: u64) -> u64 {
        // [MOV 56] [SYNTAX 50] First come the modifiers.
        let value = self.modified(src, datum);
        // VX-16: saturation (lines 242-247) goes by the value, so it also counts where only the signedness differs.
        // [DATA_TYPES 242-247] Saturated, the integer is the closest one in the range of the destination's type.
        let (minimum, maximum) = (-i128::from(dst.below()), i128::from(dst.above()));
        let value = if reads!(
            self.is_saturated,
            "sat-integer-ignored",
            false,
            "sat-equal-width-ignored",
            self.is_saturated && src.bits != dst.bits
        ) {
            value.clamp(minimum, maximum)
        } else {
            value
        };
        // At most 64 bits of it count.
        // [DATA_TYPES 179-181] Otherwise the low bits are kept.
        dst.truncate(value as u64)
    }

    /// The value of an integer after its modifiers.
    fn modified(&self, src: Integer, datum: u64) -> i128 {
        // [MOV 56] [SYNTAX 50] First come the modifiers of the source.
        let value = self.modifier.of_integer(src.value(datum));
        reads!(
            value,
            "modifier-on-truncated-width",
            src.value(src.truncate(value as u64)),
            "neg-unsigned-ignored",
            if src.is_signed { value } else { src.value(datum) }
        )
    }

    /// Integer to float (lines 183-188).
    fn integer_to_float(&self, src: Integer, dst: Format, datum: u64) -> u64 {
        // [MOV 56] [SYNTAX 50] First come the modifiers.
        let value = softfloat::integer(self.modified(src, datum));
        // VX-08: the page has it round to nearest even "by default"; another mode is refused before.
        // [DATA_TYPES 186-188] The closest float is taken, by default with ties to even.
        let bits = dst.encode(value, Rounding::NearestEven);
        let bits = reads!(bits, "int-hf-overflow-to-max", if dst == softfloat::HF { finite(dst, bits) } else { bits });
        self.finish_float(dst, bits)
    }

    /// Float to integer (page Data Types, lines 130-165).
    fn float_to_integer(&self, src: Format, dst: Integer, datum: u64) -> u64 {
        // VX-07: below zero an unsigned type takes its smallest value, by the rule of lines 134-137; lines 164 and 165 name
        // a "qNaN Indefinite", which no integer type has. Saturation changes nothing more.
        // [DATA_TYPES 133-137, 141-165] The fraction is dropped, and what is too large or too small takes the largest
        // or smallest integer. NaN gives 0.
        let value = self.float(src, datum);
        let integer = dst.truncate(softfloat::to_integer(value, dst.below(), dst.above()));
        let indefinite = 1 << (dst.bits - 1);
        reads!(
            integer,
            "float-int-negative-indefinite",
            if !dst.is_signed && value.is_negative && is_beyond(dst, value) { indefinite } else { integer },
            "float-int-nan-max",
            if value.is_nan { dst.above() } else { integer },
            "float-int-nan-min",
            if value.is_nan { dst.below() } else { integer },
            "float-int-indefinite",
            if is_beyond(dst, value) { indefinite } else { integer }
        )
    }

    /// Float to float with lower precision (lines 190-208), or with higher precision, which is precise (210-227).
    ///
    /// VX-10: the bit of the source's type decides on its denormals. VX-11: what a NaN keeps. VX-12: what overflows.
    fn float_to_float(&self, src: Format, dst: Format, datum: u64) -> u64 {
        let value = self.float(src, datum);
        // [DATA_TYPES 193-208, 213-227] To lower precision the rounding mode of the control register counts; to higher
        // precision the result is precise.
        let bits = dst.encode(value, self.rounding);
        let is_exact = dst.has_all_of(src);
        let modified = self.modified_float(src, datum);
        let bits = reads!(
            bits,
            "narrowed-denormals-zero",
            if is_exact { bits } else { dst.encode(src.decode(src.flush_denormal(modified)), self.rounding) },
            "overflow-to-max",
            if is_exact || value.is_infinite { bits } else { finite(dst, bits) },
            "bf-truncated",
            if is_exact || dst != softfloat::BF { bits } else { modified >> 16 },
            "bf-ties-away",
            if is_exact || dst != softfloat::BF || value.is_nan { bits } else { (modified + 0x8000) >> 16 }
        );
        self.finish_float(dst, bits)
    }

    /// What a datum of a float type means, after its modifiers and the flush of denormals (lines 77-81).
    fn float(&self, src: Format, datum: u64) -> Value {
        // [DATA_TYPES 77-81] Denormals are flushed on input.
        let bits = self.modified_float(src, datum);
        src.decode(if self.keeps_src_denormals { bits } else { src.flush_denormal(bits) })
    }

    /// The bits of a float after its modifiers, which change the sign bit, of zeros and NaNs too (VX-17).
    fn modified_float(&self, src: Format, datum: u64) -> u64 {
        let Modifier { is_absolute, is_negated } = self.modifier;
        // [MOV 56] [SYNTAX 50] A modifier changes the sign.
        let bits = if is_absolute { datum & !src.sign_bit } else { datum };
        let bits = if is_negated { bits ^ src.sign_bit } else { bits };
        reads!(
            bits,
            "abs-keeps-nan-sign",
            if src.is_nan(datum) { bits | datum & src.sign_bit } else { bits },
            "neg-skips-nan",
            if is_negated && src.is_nan(datum) { bits ^ src.sign_bit } else { bits },
            "neg-by-zero-minus",
            if is_negated && bits == src.sign_bit { 0 } else { bits }
        )
    }

    /// Saturation of a float (lines 235-240), then its denormals (77-81). VX-15: in this order, after the conversion.
    fn finish_float(&self, dst: Format, bits: u64) -> u64 {
        // [DATA_TYPES 232-240] With saturation the result lies from 0.0 to 1.0.
        let bits = if self.is_saturated { saturate(dst, bits) } else { bits };
        // [DATA_TYPES 77-81] Denormals are flushed on output.
        if self.keeps_dst_denormals { bits } else { dst.flush_denormal(bits) }
    }
}

/// The largest finite number in place of an infinity of its sign, which is one above it in bits.
fn finite(format: Format, bits: u64) -> u64 {
    if bits & !format.sign_bit == format.infinity { bits - 1 } else { bits }
}

/// Whether no integer of the type is near `value`, or it is no number.
fn is_beyond(dst: Integer, value: Value) -> bool {
    let bound = if value.is_negative { dst.below() } else { dst.above() };
    let magnitude = softfloat::to_integer(Value { is_negative: false, ..value }, 0, u64::MAX);
    value.is_nan || magnitude > bound
}

/// The closest number in 0.0 to 1.0; 0.0 for a NaN. *Source*: page Data Types, lines 235-240.
fn saturate(format: Format, bits: u64) -> u64 {
    // [DATA_TYPES 239] NaN saturates to 0.0.
    if format.is_nan(bits) {
        return reads!(0, "sat-nan-one", format.one, "sat-nan-kept", bits);
    }
    // VX-14: -0 becomes +0.
    // [DATA_TYPES 238-239] So does what is negative, negative infinity too.
    if bits & format.sign_bit != 0 {
        return reads!(0, "sat-minus-zero-kept", if bits == format.sign_bit { bits } else { 0 });
    }
    // Floats of one sign are in the order of their bits.
    // [DATA_TYPES 236-240] What is greater than 1.0 saturates to 1.0, infinity too; what lies between stays.
    bits.min(format.one)
}
