//! Type conversion, what page MOV calls "Section X": source modifiers, conversion, saturation, and denormals.
//!
//! *Source*: page Data Types (commit 98fff716), lines 74-81 (denormals), 107-227 (conversion), 229-261 (saturation);
//! page MOV, lines 53-63 and 71; page Header, lines 422-440 (`%cr0`); page vISA Assembly Syntax, line 50 (modifiers).
//!
//! *Errata*: VX-02, VX-07 to VX-18.
//!
//! A [`Conversion`] is settled once an instruction, and then applied to one datum after the other. What is done to a
//! datum is inlined into the loop over the data, where the float formats are constants; between floats, and from floats
//! to integers, it has no branch that depends on the datum (see [`softfloat`]).

use tandem_isa::visa::operand::modifier;
use tandem_isa::visa::{DataType, TypeKind, cr0};

use super::softfloat::{self, Format, Rounding, RoundingMasks, Value, Word};

/// The rounding mode that the control register has. *Source*: page Header, lines 426-430.
#[must_use]
pub fn rounding_mode(control: u32) -> Rounding {
    // HEADER 426-430.
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
        // SYNTAX 50.
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
    #[inline]
    fn of_integer(self, value: i128) -> i128 {
        // SYNTAX 50.
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
        // DATA_TYPES 25-38.
        if self.is_signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// How far it goes above zero.
    fn above(self) -> u64 {
        // DATA_TYPES 25-38.
        self.mask() >> u32::from(self.is_signed)
    }

    /// All of its bits.
    fn mask(self) -> u64 {
        // DATA_TYPES 179-181.
        u64::MAX >> (u64::BITS - self.bits)
    }

    /// The same in words, for data that are converted side by side.
    fn range<W: Word>(self) -> Range<W> {
        Range { below: W::of(self.below()), above: W::of(self.above()), mask: W::of(self.mask()) }
    }

    /// The value that the low bits of `datum` have: with zero or sign extension (page Data Types, lines 170-172).
    #[inline]
    fn value(self, datum: u64) -> i128 {
        let above = u64::BITS - self.bits;
        if self.is_signed {
            // DATA_TYPES 171-172.
            i128::from((datum << above).cast_signed() >> above)
        } else {
            // DATA_TYPES 170-171.
            i128::from(datum << above >> above)
        }
    }

    /// The low bits of a value (page Data Types, lines 179-181).
    #[inline]
    fn truncate(self, value: u64) -> u64 {
        // DATA_TYPES 179-181.
        value & self.mask()
    }
}

/// What an integer type has: see the functions of [`Integer`].
#[derive(Clone, Copy, Debug)]
struct Range<W> {
    below: W,
    above: W,
    mask: W,
}

/// A type that numbers are converted from or to.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(Integer),
    Float(Float),
}

/// A float type.
#[derive(Clone, Copy, Debug)]
enum Float {
    Df,
    F,
    Hf,
    Bf,
}

impl Number {
    /// *Source*: page Data Types, lines 23-40 and 58-61.
    fn of(data_type: DataType) -> Self {
        // DATA_TYPES 25-40.
        match data_type {
            DataType::Df => Number::Float(Float::Df),
            DataType::F => Number::Float(Float::F),
            DataType::Hf => Number::Float(Float::Hf),
            DataType::Bf => Number::Float(Float::Bf),
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

impl Float {
    #[inline(always)]
    fn format(self) -> Format {
        // DATA_TYPES 58-61.
        match self {
            Float::Df => softfloat::DF,
            Float::F => softfloat::F,
            Float::Hf => softfloat::HF,
            Float::Bf => softfloat::BF,
        }
    }

    /// What a denormal keeps, as a mask: all bits, or else the sign. *Source*: page Data Types, lines 77-81; page
    /// Header, lines 431-439.
    fn denormal_keeps(self, control: u32) -> u64 {
        // DATA_TYPES 77-81.
        // HEADER 431-439.
        let is_kept = match self {
            // DATA_TYPES 79-81.
            // HEADER 431-433.
            Float::Df => control & cr0::DF_DENORM != 0,
            // DATA_TYPES 79-81.
            // HEADER 434-436.
            Float::F => control & cr0::F_DENORM != 0,
            // VX-09: line 77 of page Data Types flushes HF denormals always, page Header has a bit for them.
            // DATA_TYPES 77-78.
            // HEADER 437-439.
            Float::Hf => reads!(control & cr0::HF_DENORM != 0, "hf-always-flushed", false),
            // VX-13: the control register has no bit for BF.
            // DATA_TYPES 77-81.
            Float::Bf => true,
        };
        // DATA_TYPES 77-81.
        // HEADER 432-433, 435-436, 438-439.
        u64::mask(is_kept) | self.format().sign_bit
    }
}

/// A float type of which the format is known when a loop over data is compiled, so that no width of it has to be looked up
/// for each datum.
trait Known {
    const FORMAT: Format;
}

struct Df;
struct F;
struct Hf;
struct Bf;

impl Known for Df {
    const FORMAT: Format = softfloat::DF;
}

impl Known for F {
    const FORMAT: Format = softfloat::F;
}

impl Known for Hf {
    const FORMAT: Format = softfloat::HF;
}

impl Known for Bf {
    const FORMAT: Format = softfloat::BF;
}

/// The rule by which a pair of types is converted.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The types are the same and nothing else is asked for: the bits are copied.
    Raw,
    /// Page Data Types, lines 130-165.
    FloatToInteger(Float, Integer),
    /// Page Data Types, lines 167-181.
    IntegerToInteger(Integer, Integer),
    /// Page Data Types, lines 183-188.
    IntegerToFloat(Integer, Float),
    /// Page Data Types, lines 190-227.
    FloatToFloat(Float, Float),
}

/// What an instruction asks for besides the types, where a float is on either side, as masks that are the same for all
/// data.
#[derive(Clone, Copy, Debug)]
struct Masks<W> {
    /// `(abs)`: the sign bit of the source is cleared, that of zeros and NaNs included (VX-17).
    cleared: W,
    /// `(-)`: after that, it is flipped.
    flipped: W,
    /// What a denormal of the source keeps.
    src_denormal_keeps: W,
    /// Whether the result is saturated.
    saturated: W,
    /// What a denormal result keeps.
    dst_denormal_keeps: W,
    rounding: RoundingMasks<W>,
}

impl Masks<u64> {
    /// The same in a word.
    #[inline(always)]
    fn words<W: Word>(self) -> Masks<W> {
        Masks {
            cleared: W::of(self.cleared),
            flipped: W::of(self.flipped),
            src_denormal_keeps: W::of(self.src_denormal_keeps),
            saturated: W::of(self.saturated),
            dst_denormal_keeps: W::of(self.dst_denormal_keeps),
            rounding: self.rounding.words(),
        }
    }
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
    masks: Masks<u64>,
}

impl Conversion {
    /// The conversion from `src` to `dst` under the control register `control`. The types are in a type map of page
    /// MOV.
    #[must_use]
    pub fn new(dst: DataType, src: DataType, modifier: Modifier, is_saturated: bool, control: u32) -> Self {
        // VX-13: BF is not rounded by the control register, which page Data Types names for DF, F and HF only (lines
        // 193-196), and F denormals are kept on the way from and to BF.
        // DATA_TYPES 193-196.
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
        // MOV 71.
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
        let sign_bit = |number| if let Number::Float(float) = number { float.format().sign_bit } else { 0 };
        let denormal_keeps = |number| if let Number::Float(float) = number { float.denormal_keeps(control) } else { 0 };
        // DATA_TYPES 77-81.
        let masks = Masks {
            // SYNTAX 50.
            cleared: u64::mask(modifier.is_absolute) & sign_bit(numbers.0),
            flipped: u64::mask(modifier.is_negated) & sign_bit(numbers.0),
            // DATA_TYPES 77-81.
            src_denormal_keeps: reads!(
                denormal_keeps(numbers.0),
                "hf-input-kept",
                if src == DataType::Hf { u64::MAX } else { denormal_keeps(numbers.0) },
                "f-input-kept",
                if src == DataType::F { u64::MAX } else { denormal_keeps(numbers.0) },
                "f-input-flushed",
                if src == DataType::F { sign_bit(numbers.0) } else { denormal_keeps(numbers.0) },
                "df-input-kept",
                if src == DataType::Df { u64::MAX } else { denormal_keeps(numbers.0) }
            ),
            // DATA_TYPES 232-240.
            saturated: u64::mask(is_saturated),
            // DATA_TYPES 77-81.
            dst_denormal_keeps: reads!(
                denormal_keeps(numbers.1),
                "hf-result-kept",
                if dst == DataType::Hf { u64::MAX } else { denormal_keeps(numbers.1) },
                "f-result-kept",
                if dst == DataType::F { u64::MAX } else { denormal_keeps(numbers.1) }
            ),
            // DATA_TYPES 193-196.
            rounding: RoundingMasks::of(rounding),
        };
        Conversion { rule, modifier, is_saturated, masks }
    }

    /// Whether it converts integers to floats.
    #[must_use]
    pub fn is_integer_to_float(&self) -> bool {
        // DATA_TYPES 186-188.
        matches!(self.rule, Rule::IntegerToFloat(..))
    }

    /// Whether this converts an integer to a float, and `datum` to none that it equals.
    #[must_use]
    pub fn rounds_integer(&self, datum: u64) -> bool {
        // DATA_TYPES 186-188.
        let Rule::IntegerToFloat(src, dst) = self.rule else { return false };
        let value = softfloat::integer(self.modified(src, datum));
        // What is no float lies between two of them.
        dst.format().encode(value, Rounding::Up) != dst.format().encode(value, Rounding::Down)
    }

    /// Converts a datum. *Layout*: both data lie in the low bits; those above the result are zero.
    #[must_use]
    pub fn convert(&self, mut datum: u64) -> u64 {
        self.convert_each(std::slice::from_mut(&mut datum));
        datum
    }

    /// Converts data in place. *Layout*: as for [`Conversion::convert`].
    pub fn convert_each(&self, data: &mut [u64]) {
        // MOV 71.
        match self.rule {
            Rule::Raw => {}
            Rule::FloatToInteger(src, dst) => match src {
                Float::Df => self.floats_to_integers::<Df>(dst, data),
                Float::F => self.floats_to_integers::<F>(dst, data),
                Float::Hf => self.floats_to_integers::<Hf>(dst, data),
                Float::Bf => self.floats_to_integers::<Bf>(dst, data),
            },
            Rule::IntegerToInteger(src, dst) => each(data, |datum| self.integer_to_integer(src, dst, datum)),
            Rule::IntegerToFloat(src, dst) => match dst {
                Float::Df => each(data, |datum| self.integer_to_float(src, softfloat::DF, datum)),
                Float::F => each(data, |datum| self.integer_to_float(src, softfloat::F, datum)),
                Float::Hf => each(data, |datum| self.integer_to_float(src, softfloat::HF, datum)),
                Float::Bf => each(data, |datum| self.integer_to_float(src, softfloat::BF, datum)),
            },
            Rule::FloatToFloat(src, dst) => match src {
                Float::Df => self.floats_to::<Df>(dst, data),
                Float::F => self.floats_to::<F>(dst, data),
                Float::Hf => self.floats_to::<Hf>(dst, data),
                Float::Bf => self.floats_to::<Bf>(dst, data),
            },
        }
    }

    /// Floats of a type to integers.
    #[inline(always)]
    fn floats_to_integers<Src: Known>(&self, dst: Integer, data: &mut [u64]) {
        // DATA_TYPES 133-165.
        if Src::FORMAT.bits() <= u32::BITS && dst.bits <= u32::BITS {
            let (masks, dst) = (self.masks.words(), dst.range());
            each_of_32_bits(data, |datum| float_to_integer(Src::FORMAT, &dst, &masks, datum));
        } else {
            let dst = dst.range();
            each(data, |datum| float_to_integer(Src::FORMAT, &dst, &self.masks, datum));
        }
    }

    /// Floats of a type to others.
    #[inline(always)]
    fn floats_to<Src: Known>(&self, dst: Float, data: &mut [u64]) {
        // MOV 71.
        match dst {
            Float::Df => self.floats_to_floats::<Src, Df>(data),
            Float::F => self.floats_to_floats::<Src, F>(data),
            Float::Hf => self.floats_to_floats::<Src, Hf>(data),
            Float::Bf => self.floats_to_floats::<Src, Bf>(data),
        }
    }

    /// Floats of a type to those of another.
    #[inline(always)]
    fn floats_to_floats<Src: Known, Dst: Known>(&self, data: &mut [u64]) {
        // DATA_TYPES 190-227.
        if Src::FORMAT.bits() <= u32::BITS && Dst::FORMAT.bits() <= u32::BITS {
            let masks = self.masks.words();
            each_of_32_bits(data, |datum| float_to_float(Src::FORMAT, Dst::FORMAT, &masks, datum));
        } else {
            each(data, |datum| float_to_float(Src::FORMAT, Dst::FORMAT, &self.masks, datum));
        }
    }

    /// Integer to integer with the same or higher precision (lines 167-174), or with lower precision (176-181).
    #[inline]
    fn integer_to_integer(&self, src: Integer, dst: Integer, datum: u64) -> u64 {
        // MOV 56.
        // SYNTAX 50.
        let value = self.modified(src, datum);
        // VX-16: saturation (lines 242-247) goes by the value, so it also counts where only the signedness differs.
        // DATA_TYPES 242-247.
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
        // DATA_TYPES 179-181.
        dst.truncate(value as u64)
    }

    /// The value of an integer after its modifiers.
    #[inline]
    fn modified(&self, src: Integer, datum: u64) -> i128 {
        // MOV 56.
        // SYNTAX 50.
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
    #[inline(always)]
    fn integer_to_float(&self, src: Integer, dst: Format, datum: u64) -> u64 {
        // MOV 56.
        // SYNTAX 50.
        let value = softfloat::integer(self.modified(src, datum));
        // VX-08: the page has it round to nearest even "by default"; another mode is refused before.
        // DATA_TYPES 186-188.
        let bits = dst.encode(value, Rounding::NearestEven);
        let bits = reads!(bits, "int-hf-overflow-to-max", if dst == softfloat::HF { finite(dst, bits) } else { bits });
        finish_float(dst, &self.masks, bits)
    }
}

/// Float to integer (page Data Types, lines 130-165).
#[inline(always)]
fn float_to_integer<W: Word>(src: Format, dst: &Range<W>, masks: &Masks<W>, datum: W) -> W {
    // VX-07: below zero an unsigned type takes its smallest value, by the rule of lines 134-137; lines 164 and 165 name
    // a "qNaN Indefinite", which no integer type has. Saturation changes nothing more.
    // DATA_TYPES 133-137, 141-165.
    let value = float(src, masks, datum);
    let integer = softfloat::to_integer(value, dst.below, dst.above) & dst.mask;
    reads!(
        integer,
        "float-int-negative-indefinite",
        if dst.below == W::of(0) && value.is_negative != W::of(0) && is_beyond(dst, &value) {
            dst.mask ^ (dst.mask >> 1)
        } else {
            integer
        },
        "float-int-nan-max",
        integer | dst.above & value.is_nan,
        "float-int-nan-min",
        integer | dst.below & value.is_nan,
        "float-int-indefinite",
        if is_beyond(dst, &value) { dst.mask ^ (dst.mask >> 1) } else { integer }
    )
}

/// Float to float with lower precision (lines 190-208), or with higher precision, which is precise (210-227).
///
/// VX-10: the bit of the source's type decides on its denormals. VX-11: what a NaN keeps. VX-12: what overflows.
#[inline(always)]
fn float_to_float<W: Word>(src: Format, dst: Format, masks: &Masks<W>, datum: W) -> W {
    let value = float(src, masks, datum);
    let bits = if dst.has_all_of(src) {
        // DATA_TYPES 213-227.
        dst.encode_exact(value)
    } else {
        // DATA_TYPES 193-208.
        let bits = dst.encode_by(value, masks.rounding);
        reads!(
            bits,
            "narrowed-denormals-zero",
            dst.encode_by(
                src.decode(src.flush_denormal(modified(src, masks, datum), W::of(src.sign_bit))),
                masks.rounding
            ),
            "overflow-to-max",
            if value.is_infinite == W::of(0) { finite(dst, bits) } else { bits },
            "bf-truncated",
            if dst == softfloat::BF { modified(src, masks, datum) >> 16 } else { bits },
            "bf-ties-away",
            if dst == softfloat::BF && value.is_nan == W::of(0) {
                (modified(src, masks, datum) + W::of(0x8000)) >> 16
            } else {
                bits
            }
        )
    };
    finish_float(dst, masks, bits)
}

/// The largest finite number in place of an infinity of its sign, which is one above it in bits.
fn finite<W: Word>(format: Format, bits: W) -> W {
    let is_infinite = bits & !W::of(format.sign_bit) == W::of(format.infinity);
    if is_infinite { bits - W::of(1) } else { bits }
}

/// Whether no integer of the type is near `value`, or it is no number.
fn is_beyond<W: Word>(dst: &Range<W>, value: &Value<W>) -> bool {
    let integer = softfloat::to_integer(*value, !W::of(0) >> 1, !W::of(0) >> 1);
    let magnitude = if value.is_negative == W::of(0) { integer } else { W::of(0).less(integer) };
    let bound = if value.is_negative == W::of(0) { dst.above } else { dst.below };
    value.is_nan != W::of(0) || magnitude > bound
}

/// What a datum of a float type means, after its modifiers and the flush of denormals (lines 77-81).
#[inline(always)]
fn float<W: Word>(src: Format, masks: &Masks<W>, datum: W) -> Value<W> {
    // DATA_TYPES 77-81.
    src.decode(src.flush_denormal(modified(src, masks, datum), masks.src_denormal_keeps))
}

/// The bits of a datum after its modifiers.
#[inline(always)]
fn modified<W: Word>(src: Format, masks: &Masks<W>, datum: W) -> W {
    // MOV 56.
    // SYNTAX 50.
    let bits = datum & !masks.cleared ^ masks.flipped;
    reads!(
        bits,
        "abs-keeps-nan-sign",
        bits | datum & W::of(src.sign_bit) & src.decode(datum).is_nan,
        "neg-skips-nan",
        bits ^ masks.flipped & src.decode(datum).is_nan,
        "neg-by-zero-minus",
        if bits == W::of(src.sign_bit) && masks.flipped == bits { W::of(0) } else { bits }
    )
}

/// Saturation of a float (lines 235-240), then its denormals (77-81). VX-15: in this order, after the conversion.
#[inline(always)]
fn finish_float<W: Word>(dst: Format, masks: &Masks<W>, bits: W) -> W {
    // DATA_TYPES 232-240.
    let bits = saturate(dst, bits) & masks.saturated | bits & !masks.saturated;
    // DATA_TYPES 77-81.
    dst.flush_denormal(bits, masks.dst_denormal_keeps)
}

/// The closest number in 0.0 to 1.0; 0.0 for a NaN. *Source*: page Data Types, lines 235-240.
#[inline(always)]
fn saturate<W: Word>(format: Format, bits: W) -> W {
    // DATA_TYPES 239.
    let is_nan = W::mask(bits & !W::of(format.sign_bit) > W::of(format.infinity));
    // VX-14: -0 becomes +0.
    // DATA_TYPES 238-239.
    let is_negative = W::mask(bits & W::of(format.sign_bit) != W::of(0));
    // Floats of one sign are in the order of their bits.
    // DATA_TYPES 236-240.
    let closest = bits.min(W::of(format.one)) & !(is_nan | is_negative);
    reads!(
        closest,
        "sat-minus-zero-kept",
        if bits == W::of(format.sign_bit) { bits } else { closest },
        "sat-nan-one",
        closest | W::of(format.one) & is_nan,
        "sat-nan-kept",
        closest | bits & is_nan
    )
}

/// Puts what `convert` makes of each datum in its place.
#[inline(always)]
fn each(data: &mut [u64], convert: impl Fn(u64) -> u64) {
    for datum in data {
        *datum = convert(*datum);
    }
}

/// How many data of at most 32 bits are converted side by side.
const BLOCK: usize = 8;

/// The same for data of at most 32 bits before and after, in blocks, so that the compiler can use vectors. The last
/// block is filled up.
#[inline(always)]
fn each_of_32_bits(data: &mut [u64], convert: impl Fn(u32) -> u32) {
    let (blocks, rest) = data.as_chunks_mut();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for block in blocks.iter_mut().chain((!rest.is_empty()).then_some(&mut last)) {
        let mut words = block.map(u32::of);
        for word in &mut words {
            *word = convert(*word);
        }
        *block = words.map(u32::datum);
    }
    rest.copy_from_slice(&last[..rest.len()]);
}
