//! Conversion between types, with source modifiers and saturation.
//!
//! *Source*: page Data Types (type conversion, saturation).

use tandem_isa::visa::{DataType, PRE_XEHP, TypeKind};

use super::float::{FloatFormat, Rounding};
use super::{Flaw, Run};

/// What happens to every element.
#[derive(Clone, Copy)]
pub(super) struct Conversion {
    pub(super) from: DataType,
    pub(super) to: DataType,
    /// Take the absolute value …
    pub(super) abs: bool,
    /// … and then negate.
    pub(super) negate: bool,
    pub(super) saturate: bool,
}

impl Conversion {
    fn is_raw(&self) -> bool {
        self.from == self.to && !self.abs && !self.negate && !self.saturate
    }

    /// Whether one of the types is BF, for which there is no denormal bit.
    fn has_bf(&self) -> bool {
        self.from == DataType::Bf || self.to == DataType::Bf
    }
}

impl Run<'_> {
    /// Converts the bits of an element.
    pub(super) fn convert(&self, conversion: &Conversion, bits: u64) -> u64 {
        if conversion.is_raw() {
            return self.raw_copy(conversion.from, bits);
        }
        let mut wrong = *conversion;
        if self.has(Flaw::UqSourceAsQ) && wrong.from == DataType::Uq {
            wrong.from = DataType::Q;
        }
        if self.has(Flaw::HfSourceAsBf) && wrong.from == DataType::Hf {
            wrong.from = DataType::Bf;
        }
        if self.has(Flaw::BfDestinationAsHf) && wrong.to == DataType::Bf {
            wrong.to = DataType::Hf;
        }
        if self.has(Flaw::UdDestinationAsD) && wrong.to == DataType::Ud {
            wrong.to = DataType::D;
        }
        if self.has(Flaw::ModifierAfterConversion) {
            let bits = self.convert_value(&Conversion { abs: false, negate: false, ..wrong }, bits);
            return self.modify_converted(&wrong, bits);
        }
        self.convert_value(&wrong, bits)
    }

    fn convert_value(&self, conversion: &Conversion, bits: u64) -> u64 {
        match (FloatFormat::of(conversion.from), FloatFormat::of(conversion.to)) {
            (Some(from), Some(to)) => self.float_to_float(conversion, (from, to), bits),
            (Some(from), None) => self.float_to_integer(conversion, from, bits),
            (None, Some(to)) => self.integer_to_float(conversion, to, bits),
            (None, None) => self.integer_to_integer(conversion, bits),
        }
    }

    /// Every bit is kept.
    fn raw_copy(&self, data_type: DataType, bits: u64) -> u64 {
        let Some(format) = FloatFormat::of(data_type) else { return bits };
        if self.has(Flaw::RawNanQuieted) && format.is_nan(bits) {
            return bits | format.quiet_bit();
        }
        let flushes = self.has(Flaw::RawDenormalFlushed) && format.has_denormal_bit() && !self.keeps(format);
        if flushes || (self.has(Flaw::RawBfFlushed) && data_type == DataType::Bf) {
            return self.flush(format, bits);
        }
        if self.has(Flaw::RawMinusZeroLost) && bits == format.sign_bit() {
            return 0;
        }
        bits
    }

    /// What a converted value becomes by modifiers that come too late.
    fn modify_converted(&self, conversion: &Conversion, bits: u64) -> u64 {
        if let Some(format) = FloatFormat::of(conversion.to) {
            return self.modify_float(conversion, format, bits);
        }
        let value = integer(bits, conversion.to.bits(), conversion.to.kind() == TypeKind::Signed);
        low_bits(self.modify_integer(conversion, value), conversion.to)
    }

    // ---------------------------------------------------------------------------------------- from integers

    fn source_integer(&self, conversion: &Conversion, bits: u64) -> i128 {
        let from = conversion.from;
        let mut signed = from.kind() == TypeKind::Signed;
        if FloatFormat::of(conversion.to).is_some() {
            signed |= self.has(Flaw::IntFloatUnsignedAsSigned);
        } else if conversion.to.bits() > from.bits() {
            if self.has(Flaw::ExtendByDestination) {
                signed = conversion.to.kind() == TypeKind::Signed;
            }
            signed = (signed || self.has(Flaw::SignExtendAlways)) && !self.has(Flaw::ZeroExtendAlways);
        }
        self.modify_integer(conversion, integer(bits, from.bits(), signed))
    }

    /// Absolute value, then negation, on the infinitely wide value.
    fn modify_integer(&self, conversion: &Conversion, source: i128) -> i128 {
        let from = conversion.from;
        if self.has(Flaw::ModifierOn32Bits) && from.bits() <= 32 && (conversion.abs || conversion.negate) {
            let narrow = source as i32;
            let positive = if conversion.abs { narrow.wrapping_abs() } else { narrow };
            return i128::from(if conversion.negate { positive.wrapping_neg() } else { positive });
        }
        let unsigned = from.kind() == TypeKind::Unsigned;
        let positive = self.has(Flaw::NegIgnored)
            || (self.has(Flaw::NegUnsignedIgnored) && unsigned)
            || (self.has(Flaw::NegBeforeAbs) && conversion.abs);
        let spared = self.has(Flaw::NeedleMostNegative) && from == DataType::D && source == i128::from(i32::MIN);
        let mut value = source;
        if conversion.abs && !self.has(Flaw::AbsIgnored) && !spared {
            value = if self.has(Flaw::AbsByNeg) { -value } else { value.abs() };
        }
        if conversion.negate && !positive {
            value = if self.has(Flaw::NegByComplement) { !value } else { -value };
        }
        if self.has(Flaw::ModifierOnTruncatedWidth) {
            value = integer(low_bits(value, from), from.bits(), !unsigned);
        }
        value
    }

    fn integer_to_integer(&self, conversion: &Conversion, bits: u64) -> u64 {
        let (from, to) = (conversion.from, conversion.to);
        let value = self.source_integer(conversion, bits);
        let equal_width = from.bits() == to.bits();
        let narrower = to.bits() < from.bits();
        let saturate = (conversion.saturate
            && !self.has(Flaw::SatIntegerIgnored)
            && !(self.has(Flaw::SatEqualWidthIgnored) && equal_width))
            || (self.has(Flaw::NarrowingClamps) && narrower);
        let value = if saturate {
            self.saturate_integer(value, to)
        } else if self.has(Flaw::NarrowingKeepsHigh) && narrower {
            value >> (from.bits() - to.bits())
        } else {
            value
        };
        low_bits(value, to)
    }

    fn saturate_integer(&self, value: i128, to: DataType) -> i128 {
        let (mut min, mut max) = bounds(to);
        let (off_max, off_min) = match to.bits() {
            8 => (Flaw::SatMax8, Flaw::SatMin8),
            16 => (Flaw::SatMax16, Flaw::SatMin16),
            32 => (Flaw::SatMax32, Flaw::SatMin32),
            _ => (Flaw::SatMax64, Flaw::SatMin64),
        };
        max -= i128::from(self.has(off_max));
        min += i128::from(self.has(off_min));
        if self.has(Flaw::SatSymmetric) && min < 0 {
            min = -max;
        }
        if self.has(Flaw::SatNegativeKept) && min == 0 { value.min(max) } else { value.clamp(min, max) }
    }

    fn integer_to_float(&self, conversion: &Conversion, to: FloatFormat, bits: u64) -> u64 {
        let value = self.source_integer(conversion, bits);
        if self.has(Flaw::IntFloatNegativeZero) && value == 0 && conversion.negate && !conversion.saturate {
            return to.sign_bit();
        }
        let rounding = if self.has(Flaw::IntFloatTruncates) {
            Rounding::TowardZero
        } else if self.has(Flaw::IntFloatTiesAway) {
            Rounding::TiesAway
        } else if self.has(Flaw::ControlIntFloatByMode) {
            self.rounding_mode()
        } else {
            Rounding::NearestEven
        };
        let mut result = if self.has(Flaw::IntFloatThroughDf) && conversion.to == DataType::F {
            to.round(FloatFormat::DF.round_integer(value, rounding), rounding)
        } else {
            to.round_integer(value, rounding)
        };
        if self.has(Flaw::IntHfOverflowToMax) && conversion.to == DataType::Hf {
            result = result.clamp(-to.max_finite(), to.max_finite());
        }
        if self.overflows_late(conversion, rounding, value as f64) {
            result = to.max_finite().copysign(result);
        }
        if conversion.saturate && !self.has(Flaw::SatIntegerFloatIgnored) {
            return self.saturate_float(to, result);
        }
        to.encode(result)
    }

    // ---------------------------------------------------------------------------------------- from floats

    /// Absolute value, then negation, on the sign bit.
    fn modify_float(&self, conversion: &Conversion, format: FloatFormat, bits: u64) -> u64 {
        let nan = format.is_nan(bits);
        let sign = format.sign_bit();
        let mut bits = bits;
        let positive = self.has(Flaw::NegIgnored)
            || (self.has(Flaw::NegBeforeAbs) && conversion.abs)
            || (self.has(Flaw::NegSkipsNan) && nan)
            || (self.has(Flaw::NegByZeroMinus) && bits == 0);
        if conversion.abs && !self.has(Flaw::AbsIgnored) && !(self.has(Flaw::AbsKeepsNanSign) && nan) {
            if self.has(Flaw::AbsByNeg) {
                bits ^= sign;
            } else {
                bits &= !sign;
            }
        }
        if conversion.negate && !positive {
            bits ^= sign;
        }
        bits
    }

    /// Whether the control register keeps the denormals of a format.
    fn keeps(&self, format: FloatFormat) -> bool {
        self.visa.small.cr0 & format.denormal_bit != 0
    }

    /// Zero of the same sign in place of a denormal.
    fn flush(&self, format: FloatFormat, bits: u64) -> u64 {
        if !format.is_denormal(bits) {
            bits
        } else if self.has(Flaw::FlushSignLost) {
            0
        } else {
            bits & format.sign_bit()
        }
    }

    /// The source after its modifiers and, if the control register wants it, without denormals.
    fn float_source(&self, conversion: &Conversion, format: FloatFormat, bits: u64) -> u64 {
        let bits = self.modify_float(conversion, format, bits);
        if self.keeps_input(conversion, format) { bits } else { self.flush(format, bits) }
    }

    fn keeps_input(&self, conversion: &Conversion, format: FloatFormat) -> bool {
        let (from, to) = (conversion.from, conversion.to);
        let old_platform = self.visa.small.platform == PRE_XEHP;
        let f_keeps = self.keeps(FloatFormat::F);
        if conversion.has_bf() {
            let flushed = (self.has(Flaw::BfInputFlushed) && to == DataType::Bf)
                || (self.has(Flaw::BfSourceFlushed) && from == DataType::Bf);
            return f_keeps || !flushed;
        }
        match from {
            DataType::Hf if self.has(Flaw::HfInputKept) => return true,
            DataType::F if self.has(Flaw::FInputKept) => return true,
            DataType::Df if self.has(Flaw::DfInputKept) => return true,
            DataType::Hf if self.has(Flaw::HfInputFlushed) || self.has(Flaw::HfAlwaysFlushed) => return false,
            DataType::Hf if self.has(Flaw::PlatformFlushesHf) && old_platform => return false,
            DataType::F if self.has(Flaw::FInputFlushed) => return false,
            DataType::Df if self.has(Flaw::DfInputFlushed) => return false,
            _ => {}
        }
        if self.has(Flaw::InputByDestinationBit)
            && let Some(format) = FloatFormat::of(to)
        {
            return self.keeps(format);
        }
        if self.has(Flaw::NarrowedDenormalsZero)
            && FloatFormat::of(to).is_some_and(|to| to.mantissa_bits < format.mantissa_bits)
        {
            return false;
        }
        self.keeps(format)
    }

    fn keeps_result(&self, conversion: &Conversion, to: FloatFormat) -> bool {
        let old_platform = self.visa.small.platform == PRE_XEHP;
        if conversion.has_bf() {
            let flushed = self.has(Flaw::BfResultFlushed) && conversion.to == DataType::Bf;
            return self.keeps(FloatFormat::F) || !flushed;
        }
        match conversion.to {
            DataType::Hf if self.has(Flaw::HfResultKept) => true,
            DataType::F if self.has(Flaw::FResultKept) => true,
            DataType::Hf if self.has(Flaw::HfResultFlushed) || self.has(Flaw::HfAlwaysFlushed) => false,
            DataType::Hf if self.has(Flaw::PlatformFlushesHf) && old_platform => false,
            DataType::F if self.has(Flaw::FResultFlushed) => false,
            DataType::Df if self.has(Flaw::DfResultFlushed) => false,
            _ => match FloatFormat::of(conversion.from) {
                Some(from) if self.has(Flaw::ResultBySourceBit) => self.keeps(from),
                _ => self.keeps(to),
            },
        }
    }

    fn float_to_float(&self, conversion: &Conversion, (from, to): (FloatFormat, FloatFormat), bits: u64) -> u64 {
        let saturate = conversion.saturate && !self.has(Flaw::SatFloatIgnored);
        let bits = self.float_source(conversion, from, bits);
        if from.is_nan(bits) {
            return match saturate {
                true if self.has(Flaw::SatNanOne) => to.encode(1.0),
                true if !self.has(Flaw::SatNanKept) => 0,
                _ => self.convert_nan(conversion, (from, to), bits),
            };
        }
        let exact = from.decode(bits);
        let mut value = self.narrow(conversion, to, exact);
        if self.has(Flaw::InfinityToMax) && exact.is_infinite() && conversion.from != conversion.to {
            value = to.max_finite().copysign(exact);
        }
        if (self.has(Flaw::MinusZeroLost) && exact == 0.0)
            || (self.has(Flaw::UnderflowSignLost) && exact != 0.0 && value == 0.0)
        {
            value = value.abs();
        }
        let result = if saturate { self.saturate_float(to, value) } else { to.encode(value) };
        if self.keeps_result(conversion, to) {
            return result;
        }
        if self.has(Flaw::TinyBeforeRounding) && exact.abs() < to.min_normal() && !to.is_denormal(result) {
            return result & to.sign_bit();
        }
        self.flush(to, result)
    }

    fn convert_nan(&self, conversion: &Conversion, (from, to): (FloatFormat, FloatFormat), bits: u64) -> u64 {
        if self.has(Flaw::NanModifiedUnquieted) && conversion.from == conversion.to && !conversion.saturate {
            return bits;
        }
        let sign = if bits & from.sign_bit() != 0 && !self.has(Flaw::NanSignDropped) { to.sign_bit() } else { 0 };
        let payload = bits & from.mantissa();
        let widening = to.mantissa_bits >= from.mantissa_bits;
        let payload = if self.has(Flaw::NanPayloadDropped) {
            0
        } else if (self.has(Flaw::NanPayloadLow) && !widening) || (self.has(Flaw::NanPayloadUnshifted) && widening) {
            payload & to.mantissa()
        } else if widening {
            payload << (to.mantissa_bits - from.mantissa_bits)
        } else {
            payload >> (from.mantissa_bits - to.mantissa_bits)
        };
        let unquieted =
            self.has(Flaw::NanNotQuieted) || (self.has(Flaw::BfNanByTruncation) && conversion.to == DataType::Bf);
        let quiet = if unquieted { 0 } else { to.quiet_bit() };
        sign | to.infinity() | quiet | payload
    }

    /// The value as the destination's format can hold it.
    fn narrow(&self, conversion: &Conversion, to: FloatFormat, exact: f64) -> f64 {
        let to_bf = conversion.to == DataType::Bf;
        let is_exact = FloatFormat::of(conversion.from).is_none_or(|from| to.contains(from));
        if is_exact || exact == 0.0 || exact.is_infinite() {
            return exact;
        }
        let rounding = if to_bf { self.bf_rounding() } else { self.narrowing_rounding() };
        if self.has(Flaw::RoundingBeforeSign) && conversion.negate {
            return -to.round(-exact, rounding);
        }
        let mut value = exact;
        if self.has(Flaw::DoubleRounding) && (conversion.from, conversion.to) == (DataType::Df, DataType::Hf) {
            value = FloatFormat::F.round(value, rounding);
        }
        if self.has(Flaw::DenormalRoundedTwice) && value.abs() < to.min_normal() {
            value = to.round_unbounded(value, rounding);
        }
        if self.has(Flaw::StickyBitsLost) {
            value = to.keep_extra_bits(value, 4);
        }
        if self.overflows_late(conversion, rounding, value) {
            return to.max_finite().copysign(value);
        }
        let rounded = to.round(value, rounding);
        let overflows = value.abs() > to.max_finite() && !to_bf;
        if self.has(Flaw::OverflowToMax) && rounding == Rounding::NearestEven && !to_bf {
            return rounded.clamp(-to.max_finite(), to.max_finite());
        }
        if self.has(Flaw::OverflowToInfinity) && overflows && to.next_power(value) {
            return f64::INFINITY.copysign(value);
        }
        if self.has(Flaw::OverflowBeforeRounding) && overflows {
            return to.overflow(value, rounding);
        }
        rounded
    }

    fn overflows_late(&self, conversion: &Conversion, rounding: Rounding, value: f64) -> bool {
        self.has(Flaw::NeedleOverflowLate)
            && conversion.to == DataType::Hf
            && rounding == Rounding::NearestEven
            && (65520.0..65536.0).contains(&value.abs())
    }

    fn bf_rounding(&self) -> Rounding {
        if self.has(Flaw::BfTruncated) {
            Rounding::TowardZero
        } else if self.has(Flaw::BfTiesAway) {
            Rounding::TiesAway
        } else if self.has(Flaw::ControlBfByMode) {
            self.rounding_mode()
        } else {
            Rounding::NearestEven
        }
    }

    fn rounding_mode(&self) -> Rounding {
        Rounding::of_control_register(self.visa.small.cr0)
    }

    fn narrowing_rounding(&self) -> Rounding {
        let rounding = self.rounding_mode();
        match rounding {
            _ if self.has(Flaw::RoundingModeIgnored) => Rounding::NearestEven,
            Rounding::NearestEven if self.has(Flaw::RoundTowardZero) => Rounding::TowardZero,
            Rounding::NearestEven if self.has(Flaw::RoundTiesAway) => Rounding::TiesAway,
            Rounding::Up if self.has(Flaw::RoundUpDownSwapped) => Rounding::Down,
            Rounding::Down if self.has(Flaw::RoundUpDownSwapped) => Rounding::Up,
            Rounding::Up if self.has(Flaw::RoundUpByMagnitude) => Rounding::AwayFromZero,
            Rounding::Down if self.has(Flaw::RoundDownByMagnitude) => Rounding::TowardZero,
            Rounding::TowardZero if self.has(Flaw::RoundZeroAsNearest) => Rounding::NearestEven,
            _ => rounding,
        }
    }

    /// Clamps to 0.0 … 1.0; what is not above zero becomes +0.
    fn saturate_float(&self, to: FloatFormat, value: f64) -> u64 {
        let one = to.encode(1.0);
        if value == 0.0 && self.has(Flaw::SatMinusZeroKept) {
            to.encode(value)
        } else if self.has(Flaw::SatMinusOne) {
            to.encode(value.clamp(-1.0, 1.0))
        } else if value < 0.0 && self.has(Flaw::SatNegativeFloatKept) {
            to.encode(value)
        } else if value <= 0.0 {
            0
        } else if value >= 1.0 && self.has(Flaw::SatBelowOne) {
            one - 1
        } else if self.has(Flaw::SatAboveOneKept) || (self.has(Flaw::SatInfinityKept) && value.is_infinite()) {
            to.encode(value)
        } else {
            to.encode(value.min(1.0))
        }
    }

    fn float_to_integer(&self, conversion: &Conversion, from: FloatFormat, bits: u64) -> u64 {
        let to = conversion.to;
        let (min, max) = bounds(to);
        let indefinite = 1 << (to.bits() - 1);
        let bits = self.float_source(conversion, from, bits);
        if from.is_nan(bits) {
            let result = if self.has(Flaw::FloatIntIndefinite) {
                indefinite
            } else if self.has(Flaw::FloatIntNanMax) {
                max
            } else if self.has(Flaw::FloatIntNanMin) {
                min
            } else {
                0
            };
            return low_bits(result, to);
        }
        let value = from.decode(bits);
        if self.has(Flaw::FloatIntInfinityZero) && value.is_infinite() {
            return 0;
        }
        let rounding = if self.has(Flaw::FloatIntNearest) {
            Rounding::NearestEven
        } else if self.has(Flaw::FloatIntFloor) {
            Rounding::Down
        } else if self.has(Flaw::FloatIntByMode) {
            self.rounding_mode()
        } else {
            Rounding::TowardZero
        };
        // Far beyond the range of every integer type, the host's conversion stops at its own bounds.
        let whole = rounding.integral(value) as i128;

        let (out_of_range, unsigned) = (!(min..=max).contains(&whole), min == 0);
        if self.has(Flaw::FloatIntThroughD) && to.bits() < 32 {
            return low_bits(whole.clamp(i128::from(i32::MIN), i128::from(i32::MAX)), to);
        }
        if self.has(Flaw::FloatIntUnsignedAsSigned) && unsigned {
            return low_bits(whole.clamp(-indefinite, indefinite - 1), to);
        }
        let wraps = self.has(Flaw::FloatIntWraps)
            || (self.has(Flaw::FloatIntClampsBySat) && !conversion.saturate)
            || (self.has(Flaw::FloatIntNegativeWraps) && unsigned && whole < 0);
        let result = if !out_of_range || wraps {
            whole
        } else if self.has(Flaw::FloatIntIndefinite)
            || (self.has(Flaw::FloatIntNegativeIndefinite) && unsigned && whole < 0)
        {
            indefinite
        } else if self.has(Flaw::FloatIntMaxLow) && whole > max {
            max - 1
        } else if self.has(Flaw::FloatIntMinHigh) && whole < min && !unsigned {
            min + 1
        } else if self.has(Flaw::FloatIntMaxAsFloat) && whole > max && to.bits() == 32 {
            FloatFormat::F.round(max as f64, Rounding::TowardZero) as i128
        } else {
            whole.clamp(min, max)
        };
        low_bits(result, to)
    }
}

/// The number that the low `width` bits stand for.
fn integer(bits: u64, width: u32, signed: bool) -> i128 {
    let unused = 128 - width;
    let raised = u128::from(bits) << unused;
    if signed { raised.cast_signed() >> unused } else { (raised >> unused).cast_signed() }
}

/// The smallest and the largest number of an integer type.
fn bounds(data_type: DataType) -> (i128, i128) {
    let half = 1i128 << (data_type.bits() - 1);
    if data_type.kind() == TypeKind::Signed { (-half, half - 1) } else { (0, 2 * half - 1) }
}

/// The low bits of a number, as many as a type has.
fn low_bits(value: i128, data_type: DataType) -> u64 {
    value as u64 & (u64::MAX >> (64 - data_type.bits()))
}
