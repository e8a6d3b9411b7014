//! Where IEEE 754 and the pages of vISA part: every conversion against APFloat, the host and the crate `half`, and a
//! list of all differences, which the report `reports/ieee.md` is made of.
//!
//! IEEE 754 here means: gradual underflow, one rounding by the control register's mode, `abs` and `negate` of the sign
//! bit alone, `maximum` and `minimum` for saturation, and `convertToIntegerTowardZero`. What the pages have of their
//! own is in [`pages`], a few lines on top of that, each with its entry in [`DIFFERENCES`]; the conversions must give
//! exactly this, and each entry must be met exactly as often as it says.
//!
//! `TANDEM_IEEE_SAMPLES` sets how many values of more than 16 bits are drawn; `TANDEM_BLESS=1` writes the report.

use std::fmt::Write;

use half::{bf16, f16};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use tandem_isa::visa::operand::{DST, modifier};
use tandem_isa::visa::{DataType, TypeKind, VISA, Visa, cr0};
use tandem_isa::{Code, Edition, Expectation, Reference, Step, mix64};
use tandem_reference::visa::VisaReference;
use tandem_reference::visa::convert::{Conversion, Modifier};

use DataType::{B, Bf, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, W};

/// The types of the first type map but BOOL.
const NUMBERS: [DataType; 11] = [Ub, B, Uw, W, Ud, D, Uq, Q, Hf, F, Df];
const MODES: [Round; 4] = [Round::NearestTiesToEven, Round::TowardPositive, Round::TowardNegative, Round::TowardZero];
const MODIFIERS: [u32; 4] = [modifier::NONE, modifier::ABS, modifier::NEG, modifier::NEG_ABS];

// ------------------------------------------------------------------------------------------------ the differences

/// How the pages stand to IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// IEEE 754 has another result.
    Differ,
    /// IEEE 754 has none: it calls the operation invalid.
    Decide,
    /// IEEE 754 is followed where the pages, or another reading of them, would have it otherwise.
    Follow,
    /// The pages promise nothing; what is counted are kinds of move (types, rounding mode, saturation).
    Silent,
}

/// An entry of the list. The order is that of [`Name`].
struct Difference {
    name: Name,
    stand: Stand,
    /// What the pages give.
    gives: &'static str,
    /// What IEEE 754 has.
    instead_of: &'static str,
    /// Pages, lines and errata.
    cited: &'static str,
    /// How often it is met in the enumerated domain.
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    SourceDenormalFlushed,
    ResultDenormalFlushed,
    ModifiedNanQuieted,
    NanSaturatesToZero,
    IntegerOfNan,
    IntegerAboveRange,
    IntegerBelowRange,
    UnsignedOfNegative,
    NanPayloadKept,
    BfDenormalsKept,
    MinusZeroSaturated,
    IntegerOfMinusZero,
    IntegerTowardZero,
    OverflowByMode,
    IntegerToFloatDirected,
    FToBfDirected,
    SaturatedBf,
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        name: Name::SourceDenormalFlushed,
        stand: Stand::Differ,
        gives: "a denormal source is a zero of its sign if the control register does not keep denormals of its type",
        instead_of: "its value",
        cited: "Header 431-439, Data Types 77-81; VX-09, VX-10",
        count: 135_936,
    },
    Difference {
        name: Name::ResultDenormalFlushed,
        stand: Stand::Differ,
        gives: "a denormal result, after rounding and saturation, is a zero of its sign if the control register does \
                not keep denormals of its type",
        instead_of: "gradual underflow",
        cited: "Header 431-439, Data Types 77-81; VX-15",
        count: 265_796,
    },
    Difference {
        name: Name::ModifiedNanQuieted,
        stand: Stand::Differ,
        gives: "a signalling NaN that is negated or made absolute within its type becomes quiet",
        instead_of: "abs and negate change the sign bit alone",
        cited: "MOV 71; VX-11, VX-17, VX-18",
        count: 13_164,
    },
    Difference {
        name: Name::NanSaturatesToZero,
        stand: Stand::Differ,
        gives: "a NaN saturates to +0.0",
        instead_of: "maximum and minimum give a NaN",
        cited: "Data Types 239",
        count: 169_664,
    },
    Difference {
        name: Name::IntegerOfNan,
        stand: Stand::Decide,
        gives: "a NaN becomes the integer 0",
        instead_of: "invalid operation",
        cited: "Data Types 145-146, 157-158",
        count: 596_160,
    },
    Difference {
        name: Name::IntegerAboveRange,
        stand: Stand::Decide,
        gives: "a float above the range, infinity included, becomes the largest integer",
        instead_of: "invalid operation",
        cited: "Data Types 134-137, 147-148, 159-160",
        count: 2_867_904,
    },
    Difference {
        name: Name::IntegerBelowRange,
        stand: Stand::Decide,
        gives: "a float below a signed range, infinity included, becomes the smallest integer",
        instead_of: "invalid operation",
        cited: "Data Types 134-137, 150-151",
        count: 1_470_852,
    },
    Difference {
        name: Name::UnsignedOfNegative,
        stand: Stand::Decide,
        gives: "a float of -1.0 or below becomes the unsigned integer 0",
        instead_of: "invalid operation",
        cited: "Data Types 134-137, 164-165; VX-07",
        count: 3_520_944,
    },
    Difference {
        name: Name::NanPayloadKept,
        stand: Stand::Follow,
        gives: "a NaN of another float type keeps its sign and the high bits of its payload, and becomes quiet",
        instead_of: "the same as a recommendation; the pages have any NaN",
        cited: "Data Types 208, 227; VX-11",
        count: 170_776,
    },
    Difference {
        name: Name::BfDenormalsKept,
        stand: Stand::Follow,
        gives: "a move between F and BF, or within BF, keeps denormals although F's denormal bit is 0",
        instead_of: "gradual underflow; the control register would flush F",
        cited: "Header 431-439; VX-13",
        count: 4_112,
    },
    Difference {
        name: Name::MinusZeroSaturated,
        stand: Stand::Follow,
        gives: "-0.0 saturates to +0.0",
        instead_of: "maximum has +0.0 above -0.0; what compares values keeps -0.0",
        cited: "Data Types 237-240; VX-14",
        count: 256,
    },
    Difference {
        name: Name::IntegerOfMinusZero,
        stand: Stand::Follow,
        gives: "-0.0 becomes the integer 0",
        instead_of: "the same",
        cited: "Data Types 162",
        count: 864,
    },
    Difference {
        name: Name::IntegerTowardZero,
        stand: Stand::Follow,
        gives: "a float becomes an integer toward zero under every rounding mode",
        instead_of: "convertToIntegerTowardZero; there are operations for other directions",
        cited: "Data Types 133-134",
        count: 16_392_318,
    },
    Difference {
        name: Name::OverflowByMode,
        stand: Stand::Follow,
        gives: "a finite number or an integer beyond a float type gives infinity or the largest finite number, by rounding \
                mode",
        instead_of: "the same; the pages have finite numbers become finite ones, and integers the closest one",
        cited: "Data Types 186-188, 193-196, 201, 206; VX-12",
        count: 1_192_168,
    },
    Difference {
        name: Name::IntegerToFloatDirected,
        stand: Stand::Silent,
        gives: "an integer that must be rounded to a float under a rounding mode other than RTNE",
        instead_of: "rounding by that mode",
        cited: "Data Types 186-188; VX-08",
        count: 72,
    },
    Difference {
        name: Name::FToBfDirected,
        stand: Stand::Silent,
        gives: "F to BF under a rounding mode other than RTNE",
        instead_of: "rounding by that mode",
        cited: "Data Types 193-196; VX-13",
        count: 3,
    },
    Difference {
        name: Name::SaturatedBf,
        stand: Stand::Silent,
        gives: "a saturated destination of type BF",
        instead_of: "maximum and minimum",
        cited: "Data Types 249-261; VX-04",
        count: 8,
    },
];

// ------------------------------------------------------------------------------------------------ moves

/// What is done to a datum.
#[derive(Clone, Copy, Debug)]
struct Kind {
    src: DataType,
    dst: DataType,
    /// Place in [`MODES`], which is the code in the control register.
    mode: usize,
    /// The denormal bits of the control register.
    denormals: u32,
    modifier: u32,
    is_saturated: bool,
}

/// The pairs of both type maps, source first.
fn pairs() -> impl Iterator<Item = (DataType, DataType)> {
    let first = NUMBERS.into_iter().flat_map(|src| NUMBERS.into_iter().map(move |dst| (src, dst)));
    first.chain([(F, Bf), (Bf, F), (Bf, Bf)])
}

fn is_float(data_type: DataType) -> bool {
    data_type.kind() == TypeKind::Float
}

/// The bit of the control register that keeps the denormals of a type; BF has none.
fn denormal_bit(data_type: DataType) -> u32 {
    match data_type {
        Df => cr0::DF_DENORM,
        F => cr0::F_DENORM,
        Hf => cr0::HF_DENORM,
        _ => 0,
    }
}

impl Kind {
    fn control(&self) -> u32 {
        self.denormals | u32::try_from(self.mode).unwrap() << cr0::ROUNDING_SHIFT
    }

    fn conversion(&self) -> Conversion {
        let modifier = Modifier::of_code(self.modifier).unwrap();
        Conversion::new(self.dst, self.src, modifier, self.is_saturated, self.control())
    }

    fn is_raw(&self) -> bool {
        self.src == self.dst && self.modifier == modifier::NONE && !self.is_saturated
    }

    fn is_bf(&self) -> bool {
        self.src == Bf || self.dst == Bf
    }

    /// Whether the host or `half` has such a conversion.
    fn is_of_host(&self) -> bool {
        let is_plain = self.mode == 0 && self.modifier == modifier::NONE && !self.is_saturated;
        let is_between = is_float(self.src) || is_float(self.dst);
        is_plain && is_between && self.src != self.dst && (self.dst != Hf || self.src == F)
    }

    /// Why the pages promise nothing, if they do not.
    fn silence(&self) -> Option<Name> {
        let is_directed = self.mode != 0;
        if self.dst == Bf && self.is_saturated {
            Some(Name::SaturatedBf)
        } else if is_directed && self.may_round_an_integer() {
            Some(Name::IntegerToFloatDirected)
        } else if is_directed && self.src == F && self.dst == Bf {
            Some(Name::FToBfDirected)
        } else {
            None
        }
    }

    /// Whether a float type lacks integers of the source's type. Those that it has are promised in each mode.
    fn may_round_an_integer(&self) -> bool {
        let is_signed = self.src.kind() == TypeKind::Signed;
        let magnitude = self.src.bits() - u32::from(is_signed);
        !is_float(self.src)
            && is_float(self.dst)
            && self.dst.format().is_some_and(|format| magnitude > format.mantissa_bits() + 1)
    }

    /// Whether denormals of a type are flushed.
    fn flushes(&self, data_type: DataType) -> bool {
        !self.is_raw() && !self.is_bf() && is_float(data_type) && self.denormals & denormal_bit(data_type) == 0
    }
}

/// The kinds of move between two types: every rounding mode and every setting of the denormal bits of the two, plain;
/// and every modifier, saturated and not, under RTNE and RU.
fn kinds((src, dst): (DataType, DataType)) -> Vec<Kind> {
    let bits = [Df, F, Hf].map(|known| if known == src || known == dst { denormal_bit(known) } else { 0 });
    let mut settings: Vec<u32> = (0..8).map(|set| (0..3).map(|at| bits[at] * (set >> at & 1)).sum()).collect();
    settings.sort_unstable();
    settings.dedup();
    let mut list = Vec::new();
    for denormals in settings {
        for mode in 0..4 {
            for (modifier, is_saturated) in MODIFIERS.into_iter().flat_map(|code| [(code, false), (code, true)]) {
                let is_plain = modifier == modifier::NONE && !is_saturated;
                if mode < 2 || is_plain {
                    list.push(Kind { src, dst, mode, denormals, modifier, is_saturated });
                }
            }
        }
    }
    list
}

// ------------------------------------------------------------------------------------------------ bits

/// Widths of a float type's exponent and mantissa.
fn widths(data_type: DataType) -> (u32, u32) {
    match data_type {
        Df => (11, 52),
        F => (8, 23),
        Hf => (5, 10),
        _ => (8, 7),
    }
}

/// Sign bit, exponent bits, and mantissa bits.
fn masks(data_type: DataType) -> (u64, u64, u64) {
    let (exponent, mantissa) = widths(data_type);
    (1 << (exponent + mantissa), ((1 << exponent) - 1) << mantissa, (1 << mantissa) - 1)
}

fn is_denormal(data_type: DataType, bits: u64) -> bool {
    let (_, exponent, mantissa) = masks(data_type);
    bits & exponent == 0 && bits & mantissa != 0
}

fn is_nan(data_type: DataType, bits: u64) -> bool {
    let (_, exponent, mantissa) = masks(data_type);
    bits & exponent == exponent && bits & mantissa != 0
}

fn is_infinite(data_type: DataType, bits: u64) -> bool {
    let (_, exponent, mantissa) = masks(data_type);
    bits & exponent == exponent && bits & mantissa == 0
}

fn sign(data_type: DataType, bits: u64) -> u64 {
    bits & masks(data_type).0
}

/// The value of the low bits of an integer datum.
fn value_of(data_type: DataType, datum: u64) -> i128 {
    match data_type {
        Ub => (datum as u8).into(),
        B => (datum as i8).into(),
        Uw => (datum as u16).into(),
        W => (datum as i16).into(),
        Ud => (datum as u32).into(),
        D => (datum as i32).into(),
        Uq => datum.into(),
        _ => (datum as i64).into(),
    }
}

/// A value, cut off to an integer type.
fn cut(data_type: DataType, value: i128) -> u64 {
    value as u64 & (u64::MAX >> (64 - data_type.bits()))
}

fn is_signed(data_type: DataType) -> bool {
    data_type.kind() == TypeKind::Signed
}

fn range(data_type: DataType) -> (i128, i128) {
    let bits = data_type.bits();
    if is_signed(data_type) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

// ------------------------------------------------------------------------------------------------ IEEE 754

/// The bits of a number, saturated if the move is.
fn float_bits<T: Float>(number: T, kind: &Kind) -> u64 {
    let number = if kind.is_saturated { number.maximum(T::ZERO).minimum(T::from_u128(1).value) } else { number };
    number.to_bits() as u64
}

fn float_to_float<S: FloatConvert<T>, T: Float>(bits: u64, kind: &Kind) -> u64 {
    float_bits(S::from_bits(bits.into()).convert_r(MODES[kind.mode], &mut false).value, kind)
}

/// Within a type: no conversion.
fn float_to_itself<T: Float>(bits: u64, kind: &Kind) -> u64 {
    if kind.is_saturated { float_bits(T::from_bits(bits.into()), kind) } else { bits }
}

fn float_to_integer<S: Float>(bits: u64, dst: DataType) -> Option<u64> {
    let (number, width) = (S::from_bits(bits.into()), dst.bits() as usize);
    if is_signed(dst) {
        let found = number.to_i128_r(width, Round::TowardZero, &mut false);
        (!found.status.contains(Status::INVALID_OP)).then(|| cut(dst, found.value))
    } else {
        let found = number.to_u128_r(width, Round::TowardZero, &mut false);
        (!found.status.contains(Status::INVALID_OP)).then_some(found.value as u64)
    }
}

fn integer_to_float<T: Float>(value: i128, kind: &Kind) -> u64 {
    float_bits(T::from_i128_r(value, MODES[kind.mode]).value, kind)
}

/// What IEEE 754 gives for a float source, or nothing if the operation is invalid.
fn ieee_of_float(kind: &Kind, bits: u64) -> Option<u64> {
    let sign_bit = masks(kind.src).0;
    let bits = if kind.modifier & modifier::ABS != 0 { bits & !sign_bit } else { bits };
    let bits = if kind.modifier & modifier::NEG != 0 { bits ^ sign_bit } else { bits };
    Some(match (kind.src, kind.dst) {
        (Df, Df) => float_to_itself::<Double>(bits, kind),
        (F, F) => float_to_itself::<Single>(bits, kind),
        (Hf, Hf) => float_to_itself::<Half>(bits, kind),
        (Bf, Bf) => float_to_itself::<BFloat>(bits, kind),
        (Df, F) => float_to_float::<Double, Single>(bits, kind),
        (Df, Hf) => float_to_float::<Double, Half>(bits, kind),
        (F, Df) => float_to_float::<Single, Double>(bits, kind),
        (F, Hf) => float_to_float::<Single, Half>(bits, kind),
        (F, Bf) => float_to_float::<Single, BFloat>(bits, kind),
        (Hf, Df) => float_to_float::<Half, Double>(bits, kind),
        (Hf, F) => float_to_float::<Half, Single>(bits, kind),
        (Bf, F) => float_to_float::<BFloat, Single>(bits, kind),
        (Df, dst) => return float_to_integer::<Double>(bits, dst),
        (F, dst) => return float_to_integer::<Single>(bits, dst),
        (_, dst) => return float_to_integer::<Half>(bits, dst),
    })
}

/// What IEEE 754 gives for an integer source; of integers alone, what the pages and the host do.
fn ieee_of_integer(kind: &Kind, datum: u64) -> u64 {
    let value = value_of(kind.src, datum);
    let value = if kind.modifier & modifier::ABS != 0 { value.abs() } else { value };
    let value = if kind.modifier & modifier::NEG != 0 { -value } else { value };
    match kind.dst {
        Df => integer_to_float::<Double>(value, kind),
        F => integer_to_float::<Single>(value, kind),
        Hf => integer_to_float::<Half>(value, kind),
        dst => {
            let (minimum, maximum) = range(dst);
            cut(dst, if kind.is_saturated { value.clamp(minimum, maximum) } else { value })
        }
    }
}

fn ieee(kind: &Kind, datum: u64) -> Option<u64> {
    if is_float(kind.src) { ieee_of_float(kind, datum) } else { Some(ieee_of_integer(kind, datum)) }
}

/// What the host and `half` give, where they can: plain moves to nearest even that give no NaN. A host's cast to an
/// integer clamps as the pages do. (`half` is not asked for DF to HF: on most hosts it rounds to F first.)
fn host(kind: &Kind, datum: u64) -> Option<u64> {
    if !kind.is_of_host() {
        return None;
    }
    let wide = match kind.src {
        Df => f64::from_bits(datum),
        F => f32::from_bits(datum as u32).into(),
        Hf => f16::from_bits(datum as u16).to_f64(),
        Bf => bf16::from_bits(datum as u16).to_f32().into(),
        _ if kind.dst == F => return Some((value_of(kind.src, datum) as f32).to_bits().into()),
        _ => return Some((value_of(kind.src, datum) as f64).to_bits()),
    };
    if is_float(kind.dst) && wide.is_nan() {
        return None;
    }
    Some(match kind.dst {
        Df => wide.to_bits(),
        F => (wide as f32).to_bits().into(),
        Hf => f16::from_f32(wide as f32).to_bits().into(),
        Bf => bf16::from_f32(wide as f32).to_bits().into(),
        Ub => (wide as u8).into(),
        B => (wide as i8 as u8).into(),
        Uw => (wide as u16).into(),
        W => (wide as i16 as u16).into(),
        Ud => (wide as u32).into(),
        D => (wide as i32 as u32).into(),
        Uq => wide as u64,
        _ => wide as i64 as u64,
    })
}

// ------------------------------------------------------------------------------------------------ the pages

/// What the pages give, and what they have of their own in it.
fn pages(kind: &Kind, datum: u64) -> (u64, Option<Name>) {
    let mut own = None;
    let mut source = datum;
    if kind.flushes(kind.src) && is_denormal(kind.src, datum) {
        source = sign(kind.src, datum);
        own = Some(Name::SourceDenormalFlushed);
    }
    let Some(mut result) = ieee(kind, source) else {
        let (minimum, maximum) = range(kind.dst);
        let is_negative = sign(kind.src, source) != 0 && kind.modifier & modifier::ABS == 0;
        let is_negative = is_negative != (kind.modifier & modifier::NEG != 0);
        let (integer, name) = if is_nan(kind.src, source) {
            (0, Name::IntegerOfNan)
        } else if !is_negative {
            (maximum, Name::IntegerAboveRange)
        } else if is_signed(kind.dst) {
            (minimum, Name::IntegerBelowRange)
        } else {
            (0, Name::UnsignedOfNegative)
        };
        return (cut(kind.dst, integer), Some(name));
    };
    if !is_float(kind.dst) {
        return (result, own);
    }
    if kind.is_saturated && is_nan(kind.dst, result) {
        result = 0;
        own = Some(Name::NanSaturatesToZero);
    } else if is_nan(kind.dst, result) && kind.src == kind.dst && !kind.is_raw() {
        // The top bit of the mantissa.
        result |= 1 << (widths(kind.dst).1 - 1);
        own = Some(Name::ModifiedNanQuieted);
    }
    if kind.flushes(kind.dst) && is_denormal(kind.dst, result) {
        result = sign(kind.dst, result);
        own = Some(Name::ResultDenormalFlushed);
    }
    (result, own)
}

/// Which entry that follows IEEE 754 a conversion meets.
fn followed(kind: &Kind, datum: u64, result: u64) -> Option<Name> {
    if !is_float(kind.src) {
        let is_beyond = is_float(kind.dst) && !kind.is_saturated && is_infinite(kind.dst, result);
        return is_beyond.then_some(Name::OverflowByMode);
    }
    let magnitude = datum & !masks(kind.src).0;
    if !is_float(kind.dst) {
        return if magnitude == 0 && magnitude != datum {
            Some(Name::IntegerOfMinusZero)
        } else {
            let (_, mantissa) = widths(kind.src);
            let bias = (1 << (widths(kind.src).0 - 1)) - 1;
            let exponent = i64::try_from(magnitude >> mantissa).unwrap() - bias;
            let fraction = i64::from(mantissa) - exponent;
            let is_whole =
                magnitude == 0 || exponent >= 0 && (fraction <= 0 || magnitude.is_multiple_of(1 << fraction));
            (kind.mode != 3 && !is_whole).then_some(Name::IntegerTowardZero)
        };
    }
    if kind.is_raw() {
        None
    } else if kind.is_saturated {
        (magnitude == 0 && ieee(&Kind { is_saturated: false, ..*kind }, datum) == Some(masks(kind.dst).0))
            .then_some(Name::MinusZeroSaturated)
    } else if is_nan(kind.src, datum) {
        (kind.src != kind.dst).then_some(Name::NanPayloadKept)
    } else if kind.is_bf() {
        let is_asked = kind.denormals & cr0::F_DENORM == 0;
        (is_asked && (is_denormal(kind.src, datum) || is_denormal(kind.dst, result))).then_some(Name::BfDenormalsKept)
    } else {
        let largest = masks(kind.dst).1 - 1;
        let result = result & !masks(kind.dst).0;
        let is_beyond = kind.src.bits() > kind.dst.bits() && !is_infinite(kind.src, datum) && result >= largest;
        // The largest finite number itself, and what rounds down to it from within its last place, does not overflow.
        let is_beyond = is_beyond && (result > largest || rounds_from_beyond(kind, magnitude));
        is_beyond.then_some(Name::OverflowByMode)
    }
}

/// Whether a magnitude is at least the power of two above a narrower type's largest finite number.
fn rounds_from_beyond(kind: &Kind, magnitude: u64) -> bool {
    let bias = |data_type| (1u64 << (widths(data_type).0 - 1)) - 1;
    let power = bias(kind.src) + bias(kind.dst) + 1;
    magnitude >= power << widths(kind.src).1
}

/// How often each entry was met, and how many values were compared.
#[derive(Default)]
struct Tally {
    met: [u64; DIFFERENCES.len()],
    values: u64,
    by_host: u64,
}

impl Tally {
    /// Compares a conversion with what the pages and IEEE 754 give.
    fn check(&mut self, kind: &Kind, conversion: &Conversion, datum: u64) {
        let found = conversion.convert(datum);
        let (expected, own) = pages(kind, datum);
        assert_eq!(found, expected, "{kind:x?} of {datum:#x}, {own:?}");
        let by_ieee = ieee(kind, datum);
        if by_ieee != Some(found) {
            let name = own.unwrap_or_else(|| panic!("{kind:x?} of {datum:#x} differs from IEEE 754 without an entry"));
            self.met[name as usize] += 1;
        } else if let Some(name) = followed(kind, datum, found) {
            self.met[name as usize] += 1;
        }
        if let Some(by_host) = host(kind, datum) {
            // A host's cast to an integer is asked for every value, one between floats without a flush.
            let is_asked = !is_float(kind.dst) || by_ieee == Some(found);
            assert!(!is_asked || by_host == found, "{kind:x?} of {datum:#x}: the host has {by_host:#x}");
            self.by_host += u64::from(is_asked);
        }
        self.values += 1;
    }
}

// ------------------------------------------------------------------------------------------------ data

/// All data of at most 16 bits; of a wider type those at which a conversion changes its path: of a float each stored
/// exponent with seven mantissas and both signs, of an integer the neighbours of powers of two and of ties.
fn data(data_type: DataType) -> Vec<u64> {
    if data_type.bits() <= 16 {
        return (0..1 << data_type.bits()).collect();
    }
    let mut list = Vec::new();
    if is_float(data_type) {
        let (sign_bit, exponents, last) = masks(data_type);
        for exponent in 0..=exponents / (last + 1) {
            for mantissa in [0, 1, 2, last / 2, last / 2 + 1, last - 1, last] {
                let magnitude = exponent * (last + 1) + mantissa;
                list.extend([magnitude, magnitude | sign_bit]);
            }
        }
        return list;
    }
    for bit in 0..64 {
        list.extend([(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    }
    for precision in [8, 11, 24, 53] {
        for dropped in 1..=64_u32 - precision {
            for kept in [1 << (precision - 1), 1 << (precision - 1) | 1, (1 << precision) - 1] {
                let tie = kept << dropped | 1 << (dropped - 1);
                list.extend([tie - 1, tie, tie + 1]);
            }
        }
    }
    let negated: Vec<u64> = list.iter().map(|datum: &u64| datum.wrapping_neg()).collect();
    list.extend(negated);
    let mut list: Vec<u64> = list.iter().map(|datum| datum & (u64::MAX >> (64 - data_type.bits()))).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Numbers that are drawn anew, but the same in every run.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix64(self.0)
    }

    /// A datum of a type of more than 16 bits.
    fn datum(&mut self, kind: &Kind) -> u64 {
        let mask = u64::MAX >> (64 - kind.src.bits());
        let shape = self.bits();
        if !is_float(kind.src) {
            // Lengths are drawn, so that small integers are as frequent as large ones.
            let value = self.bits() >> (shape % 64);
            return if shape >> 63 == 0 { value & mask } else { value.wrapping_neg() & mask };
        }
        let (sign_bit, exponents, mantissas) = masks(kind.src);
        let (_, mantissa_bits) = widths(kind.src);
        let bits = self.bits() & mask;
        match shape >> 58 {
            // Zeros and infinities; denormals and NaNs; anything.
            0 => return bits & sign_bit | if shape & 1 == 0 { 0 } else { exponents },
            1 => return bits & !exponents | if shape & 1 == 0 { 0 } else { exponents },
            2..8 => return bits,
            _ => {}
        }
        // An exponent that the destination has, or one beside its range; and a mantissa with a run of equal low bits.
        let bias = |data_type| (1i64 << (widths(data_type).0 - 1)) - 1;
        let (low, high) = match kind.dst {
            dst if is_float(dst) => (-bias(dst) - i64::from(widths(dst).1) - 3, bias(dst) + 4),
            dst => (-3, i64::from(dst.bits()) + 3),
        };
        let span = u64::try_from(high - low).unwrap();
        let exponent = low + i64::try_from((shape >> 8) % span).unwrap() + bias(kind.src);
        let exponent = u64::try_from(exponent.clamp(0, 2 * bias(kind.src) + 1)).unwrap();
        let run = (shape & 0xff) % u64::from(mantissa_bits);
        let kept = (bits & mantissas) >> run << run;
        let mantissa = match shape >> 32 & 7 {
            0..3 => bits & mantissas,
            3 => kept,
            4 => kept | ((1 << run) - 1),
            5 => kept | 1 << run >> 1,
            6 => kept | ((1 << run >> 1).max(1) - 1),
            _ => (kept + (1 << run >> 1) + 1) & mantissas,
        };
        bits & sign_bit | exponent << mantissa_bits | mantissa
    }
}

// ------------------------------------------------------------------------------------------------ the tests

/// The reference, asked whether a move is promised; of an integer whether the largest one is, which is the last that a float
/// type has.
fn answers(kind: &Kind) -> Expectation {
    let mut state = VISA.base_state();
    let mut code = Code::new(VISA.instructions[0].base_code);
    let small = Visa::new(&mut state).small;
    small.cr0 = kind.control();
    small.variables[0].data_type = u16::try_from(kind.dst.code()).unwrap();
    small.variables[1].data_type = u16::try_from(kind.src.code()).unwrap();
    DST.modifiers.set(&mut code, if kind.is_saturated { modifier::SAT } else { modifier::NONE });
    let unused = u64::BITS - kind.src.bits();
    let datum = match kind.src.kind() {
        TypeKind::Unsigned => u64::MAX >> unused,
        TypeKind::Signed => u64::MAX >> unused >> 1,
        _ => 0,
    };
    Visa::new(&mut state).write_bytes(1024, &datum.to_le_bytes());
    let step = Step { instruction: VISA.instructions[0], edition: Edition::Newest, code: &code };
    VisaReference.execute(&step, &mut state)
}

/// Enumerates; what is met of each entry, with kinds of move for those that are silent.
fn enumerate() -> Tally {
    let mut tally = Tally::default();
    for pair in pairs() {
        let data = data(pair.0);
        for kind in kinds(pair) {
            if kind.silence().is_some() {
                continue;
            }
            let conversion = kind.conversion();
            for &datum in &data {
                tally.check(&kind, &conversion, datum);
            }
        }
        for (mode, is_saturated) in (0..4).flat_map(|mode| [(mode, false), (mode, true)]) {
            let (src, dst) = pair;
            let kind = Kind { src, dst, mode, denormals: 0, modifier: modifier::NONE, is_saturated };
            let expectation = answers(&kind);
            match kind.silence() {
                Some(name) => {
                    assert!(matches!(expectation, Expectation::Unspecified(_)), "{kind:x?}: {expectation:?}");
                    tally.met[name as usize] += 1;
                }
                None => assert_eq!(expectation, Expectation::Done, "{kind:x?}"),
            }
        }
    }
    tally
}

#[test]
fn conversions_part_from_ieee_754_exactly_where_the_list_says() {
    let tally = enumerate();
    for (index, (entry, met)) in DIFFERENCES.iter().zip(tally.met).enumerate() {
        println!("{:?} {met}", entry.name);
        assert_eq!(entry.name as usize, index, "the list is in the order of the names");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/ieee.md");
    let text = report(&tally);
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    for (entry, met) in DIFFERENCES.iter().zip(tally.met) {
        assert_eq!(met, entry.count, "{:?}", entry.name);
        assert!(met > 0, "{:?} is met nowhere", entry.name);
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == text, "reports/ieee.md is not what the list says; TANDEM_BLESS=1 writes it");
}

/// Values drawn in a run of the tests.
const SAMPLES: u64 = 6_000_000;

#[test]
fn drawn_values_of_more_than_16_bits_part_from_ieee_754_as_listed() {
    let samples = std::env::var("TANDEM_IEEE_SAMPLES").map_or(SAMPLES, |text| text.parse().expect("a number"));
    let kinds: Vec<(Kind, Conversion)> = pairs()
        .filter(|(src, dst)| src.bits() > 16 && (is_float(*src) || is_float(*dst)))
        .flat_map(|pair| {
            kinds(pair).into_iter().flat_map(|kind| (0..4).map(move |mode| Kind { mode, ..kind })).collect::<Vec<_>>()
        })
        .filter(|kind| kind.silence().is_none())
        .map(|kind| (kind, kind.conversion()))
        .collect();
    // Half of the values are for the kinds of which the host can be asked.
    let (of_host, others): (Vec<_>, Vec<_>) = kinds.iter().copied().partition(|(kind, _)| kind.is_of_host());
    let mut tally = Tally::default();
    let mut draw = Draw(0x1eee << 40);
    for _ in 0..samples {
        let choice = draw.bits();
        let kinds = if choice & 1 == 0 { &of_host } else { &others };
        let (kind, conversion) = &kinds[usize::try_from(choice >> 32).unwrap() % kinds.len()];
        let datum = draw.datum(kind);
        tally.check(kind, conversion, datum);
    }
    for (entry, met) in DIFFERENCES.iter().zip(tally.met) {
        println!("{:?} {met}", entry.name);
        assert_eq!(met > 0, entry.stand != Stand::Silent, "{:?}", entry.name);
    }
    println!(
        "{} values of {} kinds of move drawn, {} of them asked of the host",
        tally.values,
        kinds.len(),
        tally.by_host
    );
    assert_eq!(tally.values, samples);
}

// ------------------------------------------------------------------------------------------------ the report

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The long run on record; what it draws is the same wherever it is repeated.
const LONG_RUN: &str = "\
Drawn: 300,000,000 values of F, DF, UD, D, UQ and Q, to every type where one of the two is a float, in 4,196 kinds of move \
(types, rounding mode, denormal bits, modifier, `.sat`); 142,772,388 of them were compared with the host or `half` too. \
No conversion differed but as listed. `TANDEM_IEEE_SAMPLES=300000000 cargo test -p tandem-reference --test ieee drawn` \
repeats it; every run of the tests draws the first 6,000,000.";

fn report(tally: &Tally) -> String {
    let mut text = String::from(
        "<!-- Generated by reference/tests/ieee.rs with TANDEM_BLESS=1: change what it is made from, not this file. -->\n\n\
         # vISA conversions and IEEE 754\n\n",
    );
    let _ = writeln!(
        text,
        "Enumerated: {} conversions. These are all values of the sources of at most 16 bits (UB, B, UW, W, HF, BF), and \
         of the wider ones (UD, D, UQ, Q, F, DF) those at which a conversion changes its path; to every destination \
         type of the page's maps, in every rounding mode and every setting of the denormal bits of both types, and \
         with every source modifier and `.sat` under RTNE and RU. Each was compared with LLVM's APFloat (moves between \
         integers with integers of 128 bits), and {} of them with the host's floats or the crate `half` too.\n",
        grouped(tally.values),
        grouped(tally.by_host)
    );
    let _ = writeln!(text, "{LONG_RUN}\n");
    text.push_str(
        "`half` is not asked for DF to HF: on hosts with F16C its `from_f64` rounds to F first, and elsewhere it drops \
         the low 32 bits.\n\n## Where IEEE 754 and the pages part\n\n\
         IEEE 754 here means gradual underflow, one rounding by the control register's mode, `abs` and `negate` of the \
         sign bit alone, `maximum` and `minimum` of the 2019 revision for `.sat`, and `convertToIntegerTowardZero`. \
         Everywhere else the conversions have its results bit by bit.\n",
    );
    let parts = [
        (Stand::Differ, "### Other results"),
        (Stand::Decide, "### Results where IEEE 754 calls the operation invalid"),
        (Stand::Follow, "### IEEE 754 followed where one might not expect it"),
        (Stand::Silent, "### No result promised (counted in pairs of types, rounding modes and saturation)"),
    ];
    for (stand, heading) in parts {
        let _ = writeln!(text, "\n{heading}\n\n| count | the pages | IEEE 754 | where |\n|---:|---|---|---|");
        for entry in DIFFERENCES.iter().filter(|entry| entry.stand == stand) {
            let count = grouped(entry.count);
            let _ = writeln!(text, "| {count} | {} | {} | {} |", entry.gives, entry.instead_of, entry.cited);
        }
    }
    text
}
