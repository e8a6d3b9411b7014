//! Type conversion, what page MOV calls "Section X": source modifiers, conversion, saturation, and denormals.
//!
//! *Source*: page Data Types (commit 98fff716), lines 74-81 (denormals), 107-227 (conversion), 229-261 (saturation);
//! page MOV, lines 53-63 and 71; page Header, lines 422-440 (`%cr0`); page vISA Assembly Syntax, line 50 (modifiers).
//!
//! *Errata*: VX-02, VX-07 to VX-18.
//!
//! A [`Conversion`] is settled once an instruction, and then applied to one datum after the other. What is done to a
//! datum is inlined into the loop over the data, where the float formats are constants.

use tandem_isa::visa::operand::modifier;
use tandem_isa::visa::{DataType, TypeKind, cr0};

use super::softfloat::{self, Format, Rounding};

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

    /// On a float: the sign bit is cleared, then flipped, zeros and NaNs included (VX-17).
    #[inline(always)]
    fn of_float(self, format: Format, bits: u64) -> u64 {
        let cleared = if self.is_absolute { format.sign_bit } else { 0 };
        let flipped = if self.is_negated { format.sign_bit } else { 0 };
        bits & !cleared ^ flipped
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

/// A float type, and what happens to its denormals.
#[derive(Clone, Copy, Debug)]
struct Float {
    format: Format,
    keeps_denormals: bool,
}

impl Float {
    #[inline(always)]
    fn flush_denormal(self, bits: u64) -> u64 {
        let flushed = self.format.flush_denormal(bits);
        if self.keeps_denormals { bits } else { flushed }
    }
}

/// A type that numbers are converted from or to.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(Integer),
    Float(Float),
}

impl Number {
    /// *Source*: page Data Types, lines 23-40 and 58-61; for denormals lines 77-81, and page Header, lines 431-439.
    fn of(data_type: DataType, control: u32) -> Self {
        let float = |format, keep| Number::Float(Float { format, keeps_denormals: control & keep != 0 });
        match data_type {
            DataType::Df => float(softfloat::DF, cr0::DF_DENORM),
            DataType::F => float(softfloat::F, cr0::F_DENORM),
            // VX-09: line 77 of page Data Types flushes HF denormals always, page Header has a bit for them.
            DataType::Hf => float(softfloat::HF, cr0::HF_DENORM),
            // VX-13: the control register has no bit for BF.
            DataType::Bf => Number::Float(Float { format: softfloat::BF, keeps_denormals: true }),
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

/// Does `$run` with the float type `$float`, whose format is then a constant, so that no width of it has to be looked up
/// for each datum.
macro_rules! with_known_format {
    ($float:ident => $run:expr) => {
        match $float.format {
            softfloat::DF => with_known_format!($float, softfloat::DF, $run),
            softfloat::F => with_known_format!($float, softfloat::F, $run),
            softfloat::HF => with_known_format!($float, softfloat::HF, $run),
            _ => with_known_format!($float, softfloat::BF, $run),
        }
    };
    ($float:ident, $format:expr, $run:expr) => {{
        let $float = Float { format: $format, ..$float };
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
    FloatToFloat(Float, Float, Rounding),
}

/// How a datum of the source becomes one of the destination.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    rule: Rule,
    modifier: Modifier,
    is_saturated: bool,
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
        // Page MOV, line 71: a format conversion is performed if the types differ. VX-18: a modifier and saturation are
        // operations on the value, so they make a conversion of a move within one type.
        let rule = if src == dst && modifier.is_none() && !is_saturated {
            Rule::Raw
        } else {
            match (Number::of(src, control), Number::of(dst, control)) {
                (Number::Float(src), Number::Integer(dst)) => Rule::FloatToInteger(src, dst),
                (Number::Integer(src), Number::Integer(dst)) => Rule::IntegerToInteger(src, dst),
                (Number::Integer(src), Number::Float(dst)) => Rule::IntegerToFloat(src, dst),
                (Number::Float(src), Number::Float(dst)) => Rule::FloatToFloat(src, dst, rounding),
            }
        };
        Conversion { rule, modifier, is_saturated }
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
            Rule::FloatToInteger(src, dst) => {
                with_known_format!(src => each(data, |datum| self.float_to_integer(src, dst, datum)));
            }
            Rule::IntegerToInteger(src, dst) => each(data, |datum| self.integer_to_integer(src, dst, datum)),
            Rule::IntegerToFloat(src, dst) => {
                with_known_format!(dst => each(data, |datum| self.integer_to_float(src, dst, datum)));
            }
            Rule::FloatToFloat(src, dst, rounding) => with_known_format!(src => with_known_format!(dst => {
                each(data, |datum| self.float_to_float(src, dst, rounding, datum));
            })),
        }
    }

    /// Float to integer (page Data Types, lines 130-165).
    #[inline(always)]
    fn float_to_integer(&self, src: Float, dst: Integer, datum: u64) -> u64 {
        let value = src.format.decode(src.flush_denormal(self.modifier.of_float(src.format, datum)));
        // VX-07: below zero an unsigned type takes its smallest value, by the rule of lines 134-137; lines 164 and 165
        // name a "qNaN Indefinite", which no integer type has. Saturation changes nothing more.
        dst.truncate(softfloat::to_integer(value, dst.below(), dst.above()))
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
    fn integer_to_float(&self, src: Integer, dst: Float, datum: u64) -> u64 {
        let value = softfloat::integer(self.modifier.of_integer(src.value(datum)));
        // VX-08: the page has it round to nearest even "by default"; another mode is refused before.
        self.finish_float(dst, dst.format.encode(value, Rounding::NearestEven))
    }

    /// Float to float with lower precision (lines 190-208), or with higher precision, where rounding finds nothing to
    /// round (210-227).
    ///
    /// VX-10: the bit of the source's type decides on its denormals. VX-11: what a NaN keeps. VX-12: what overflows.
    #[inline(always)]
    fn float_to_float(&self, src: Float, dst: Float, rounding: Rounding, datum: u64) -> u64 {
        let value = src.format.decode(src.flush_denormal(self.modifier.of_float(src.format, datum)));
        self.finish_float(dst, dst.format.encode(value, rounding))
    }

    /// Saturation of a float (lines 235-240), then its denormals (77-81). VX-15: in this order, after the conversion.
    #[inline(always)]
    fn finish_float(&self, dst: Float, bits: u64) -> u64 {
        dst.flush_denormal(if self.is_saturated { saturate(dst.format, bits) } else { bits })
    }
}

/// Puts what `convert` makes of each datum in its place.
#[inline(always)]
fn each(data: &mut [u64], convert: impl Fn(u64) -> u64) {
    for datum in data {
        *datum = convert(*datum);
    }
}

/// The closest number in 0.0 to 1.0; 0.0 for a NaN. *Source*: page Data Types, lines 235-240.
#[inline(always)]
fn saturate(format: Format, bits: u64) -> u64 {
    let is_nan = bits & !format.sign_bit > format.infinity;
    let is_negative = bits & format.sign_bit != 0;
    if is_nan || is_negative {
        // VX-14: -0 becomes +0.
        0
    } else {
        // Floats of one sign are in the order of their bits.
        bits.min(format.one)
    }
}
