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
pub const fn rounding_mode(control: u32) -> Rounding {
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
    pub const fn of_code(code: u32) -> Option<Self> {
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
        if self.is_signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// How far it goes above zero.
    fn above(self) -> u64 {
        self.mask() >> u32::from(self.is_signed)
    }

    /// All of its bits.
    fn mask(self) -> u64 {
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
            i128::from((datum << above).cast_signed() >> above)
        } else {
            i128::from(datum << above >> above)
        }
    }

    /// The low bits of a value (page Data Types, lines 179-181).
    #[inline]
    fn truncate(self, value: u64) -> u64 {
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
    const fn format(self) -> Format {
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
        let is_kept = match self {
            Float::Df => control & cr0::DF_DENORM != 0,
            Float::F => control & cr0::F_DENORM != 0,
            // VX-09: line 77 of page Data Types flushes HF denormals always, page Header has a bit for them.
            Float::Hf => control & cr0::HF_DENORM != 0,
            // VX-13: the control register has no bit for BF.
            Float::Bf => true,
        };
        u64::mask(is_kept) | self.format().sign_bit
    }
}

/// Does `$run` with `$format`, the format of the float type `$float`, as a constant, so that no width of it has to be
/// looked up for each datum.
macro_rules! with_known_format {
    ($format:ident of $float:ident => $run:expr) => {
        match $float {
            Float::Df => with_known_format!($format, Float::Df, $run),
            Float::F => with_known_format!($format, Float::F, $run),
            Float::Hf => with_known_format!($format, Float::Hf, $run),
            Float::Bf => with_known_format!($format, Float::Bf, $run),
        }
    };
    ($format:ident, $float:expr, $run:expr) => {{
        const $format: Format = $float.format();
        $run
    }};
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
        let (control, rounding) = match (src, dst) {
            (DataType::F, DataType::Bf) | (DataType::Bf, DataType::F) => {
                (control | cr0::F_DENORM, Rounding::NearestEven)
            }
            _ => (control, rounding_mode(control)),
        };
        let numbers = (Number::of(src), Number::of(dst));
        // Page MOV, line 71: a format conversion is performed if the types differ. VX-18: a modifier and saturation are
        // operations on the value, so they make a conversion of a move within one type.
        let rule = if src == dst && modifier.is_none() && !is_saturated {
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
        let masks = Masks {
            cleared: u64::mask(modifier.is_absolute) & sign_bit(numbers.0),
            flipped: u64::mask(modifier.is_negated) & sign_bit(numbers.0),
            src_denormal_keeps: denormal_keeps(numbers.0),
            saturated: u64::mask(is_saturated),
            dst_denormal_keeps: denormal_keeps(numbers.1),
            rounding: RoundingMasks::of(rounding),
        };
        Conversion { rule, modifier, is_saturated, masks }
    }

    /// Converts a datum. *Layout*: both data lie in the low bits; those above the result are zero.
    #[must_use]
    pub fn convert(&self, mut datum: u64) -> u64 {
        self.convert_each(std::slice::from_mut(&mut datum));
        datum
    }

    /// Converts data in place. *Layout*: as for [`Conversion::convert`].
    pub fn convert_each(&self, data: &mut [u64]) {
        match self.rule {
            Rule::Raw => {}
            Rule::FloatToInteger(src, dst) => with_known_format!(SRC of src => {
                if SRC.bits() <= u32::BITS && dst.bits <= u32::BITS {
                    let (masks, dst) = (self.masks.words(), dst.range());
                    each_of_32_bits(data, |datum| float_to_integer(SRC, &dst, &masks, datum));
                } else {
                    let dst = dst.range();
                    each(data, |datum| float_to_integer(SRC, &dst, &self.masks, datum));
                }
            }),
            Rule::IntegerToInteger(src, dst) => each(data, |datum| self.integer_to_integer(src, dst, datum)),
            Rule::IntegerToFloat(src, dst) => {
                with_known_format!(DST of dst => each(data, |datum| self.integer_to_float(src, DST, datum)));
            }
            Rule::FloatToFloat(src, dst) => with_known_format!(SRC of src => with_known_format!(DST of dst => {
                if SRC.bits() <= u32::BITS && DST.bits() <= u32::BITS {
                    let masks = self.masks.words();
                    each_of_32_bits(data, |datum| float_to_float(SRC, DST, &masks, datum));
                } else {
                    each(data, |datum| float_to_float(SRC, DST, &self.masks, datum));
                }
            })),
        }
    }

    /// Integer to integer with the same or higher precision (lines 167-174), or with lower precision (176-181).
    #[inline]
    fn integer_to_integer(&self, src: Integer, dst: Integer, datum: u64) -> u64 {
        let value = self.modifier.of_integer(src.value(datum));
        // VX-16: saturation (lines 242-247) goes by the value, so it also counts where only the signedness differs.
        let (minimum, maximum) = (-i128::from(dst.below()), i128::from(dst.above()));
        let value = if self.is_saturated { value.clamp(minimum, maximum) } else { value };
        // At most 64 bits of it count.
        dst.truncate(value as u64)
    }

    /// Integer to float (lines 183-188).
    #[inline(always)]
    fn integer_to_float(&self, src: Integer, dst: Format, datum: u64) -> u64 {
        let value = softfloat::integer(self.modifier.of_integer(src.value(datum)));
        // VX-08: the page has it round to nearest even "by default"; another mode is refused before.
        finish_float(dst, &self.masks, dst.encode(value, Rounding::NearestEven))
    }
}

/// Float to integer (page Data Types, lines 130-165).
#[inline(always)]
fn float_to_integer<W: Word>(src: Format, dst: &Range<W>, masks: &Masks<W>, datum: W) -> W {
    // VX-07: below zero an unsigned type takes its smallest value, by the rule of lines 134-137; lines 164 and 165 name
    // a "qNaN Indefinite", which no integer type has. Saturation changes nothing more.
    softfloat::to_integer(float(src, masks, datum), dst.below, dst.above) & dst.mask
}

/// Float to float with lower precision (lines 190-208), or with higher precision, which is precise (210-227).
///
/// VX-10: the bit of the source's type decides on its denormals. VX-11: what a NaN keeps. VX-12: what overflows.
#[inline(always)]
fn float_to_float<W: Word>(src: Format, dst: Format, masks: &Masks<W>, datum: W) -> W {
    let value = float(src, masks, datum);
    let bits = if dst.has_all_of(src) { dst.encode_exact(value) } else { dst.encode_by(value, masks.rounding) };
    finish_float(dst, masks, bits)
}

/// What a datum of a float type means, after its modifiers and the flush of denormals (lines 77-81).
#[inline(always)]
fn float<W: Word>(src: Format, masks: &Masks<W>, datum: W) -> Value<W> {
    let bits = datum & !masks.cleared ^ masks.flipped;
    src.decode(src.flush_denormal(bits, masks.src_denormal_keeps))
}

/// Saturation of a float (lines 235-240), then its denormals (77-81). VX-15: in this order, after the conversion.
#[inline(always)]
fn finish_float<W: Word>(dst: Format, masks: &Masks<W>, bits: W) -> W {
    let bits = saturate(dst, bits) & masks.saturated | bits & !masks.saturated;
    dst.flush_denormal(bits, masks.dst_denormal_keeps)
}

/// The closest number in 0.0 to 1.0; 0.0 for a NaN. *Source*: page Data Types, lines 235-240.
#[inline(always)]
fn saturate<W: Word>(format: Format, bits: W) -> W {
    let is_nan = W::mask(bits & !W::of(format.sign_bit) > W::of(format.infinity));
    // VX-14: -0 becomes +0.
    let is_negative = W::mask(bits & W::of(format.sign_bit) != W::of(0));
    // Floats of one sign are in the order of their bits.
    bits.min(W::of(format.one)) & !(is_nan | is_negative)
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
