//! Formats of floats: elements in `F`, and results of 16 bits.
//!
//! *Source*: page DPAS (precisions, lines 207-213), page Data Types (binary formats); the models for what is kept and
//! what is rounded.

use tandem_isa::visa::cr0;
use tandem_isa::visa::model::Tf32;
use tandem_isa::visa::precision::Precision;

use super::{Flaw, Run};

/// Where what lies between two floats goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    NearestEven,
    /// Only flaws round otherwise.
    Up,
    Down,
    TowardZero,
    TiesAway,
}

impl Rounding {
    pub(super) fn of_control_register(control: u32) -> Self {
        match control >> cr0::ROUNDING_SHIFT & 3 {
            cr0::RTNE => Rounding::NearestEven,
            cr0::RU => Rounding::Up,
            cr0::RD => Rounding::Down,
            _ => Rounding::TowardZero,
        }
    }
}

/// A float of 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Half {
    mantissa_bits: u32,
    /// The exponent of the smallest normal value.
    min_exponent: i32,
    /// Positive infinity.
    infinity: u32,
}

impl Half {
    pub(super) const HF: Self = Half { mantissa_bits: 10, min_exponent: -14, infinity: 0x7c00 };
    pub(super) const BF: Self = Half { mantissa_bits: 7, min_exponent: -126, infinity: 0x7f80 };

    fn is_hf(self) -> bool {
        self.mantissa_bits == Self::HF.mantissa_bits
    }
}

/// A float with a sign and no magnitude, if it is a denormal one.
pub(super) fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

impl Run<'_> {
    /// The value of an element, exactly.
    pub(super) fn float(&self, bits: u32, precision: Precision) -> f32 {
        match precision {
            Precision::Hf if self.has(Flaw::DpasHfAsBf) => f32::from_bits(bits << 16),
            Precision::Bf if self.has(Flaw::DpasBfAsHf) => self.half(bits, false),
            Precision::Hf => self.half(bits, true),
            Precision::Bf => {
                let value = f32::from_bits(bits << 16);
                if self.has(Flaw::DpasBfFlushed) { flushed(value) } else { value }
            }
            _ => {
                let value = f32::from_bits(self.tf32(bits));
                if self.has(Flaw::DpasTf32Flushed) { flushed(value) } else { value }
            }
        }
    }

    /// The bits of an element of tf32 that are used.
    pub(super) fn tf32(&self, bits: u32) -> u32 {
        let model = match self.visa.small.model_tf32() {
            Tf32::Full if self.has(Flaw::DpasTf32Truncated) => Tf32::Truncated,
            Tf32::Truncated if self.has(Flaw::DpasTf32Full) => Tf32::Full,
            model => model,
        };
        if self.has(Flaw::DpasTf32AsBf) {
            return bits & !0xffff;
        }
        match model {
            Tf32::Full => bits,
            Tf32::Truncated if self.has(Flaw::DpasTf32Rounded) && bits & 0x7f80_0000 != 0x7f80_0000 => {
                (bits + 0xfff + (bits >> 13 & 1)) & !0x1fff
            }
            Tf32::Truncated => bits & !0x1fff,
        }
    }

    /// The value of an HF, which may be an element or an accumulator.
    pub(super) fn half(&self, bits: u32, is_element: bool) -> f32 {
        let sign = if bits & 0x8000 != 0 { -1f32 } else { 1f32 };
        let field = bits >> 10 & 31;
        let mantissa = (bits & 0x3ff) as f32;
        let unit = f32::from_bits((127 - 24) << 23);
        if field == 0 {
            let by_mode = self.has(Flaw::DpasElementsByMode) && self.visa.small.cr0 & cr0::HF_DENORM == 0;
            let is_flushed = is_element && (self.has(Flaw::DpasHfFlushed) || by_mode);
            return sign * if is_flushed { 0.0 } else { mantissa * unit };
        }
        if field == 31 && !(is_element && self.has(Flaw::DpasHfWithoutInfinity)) {
            let payload = (bits & 0x3ff) << 13;
            return f32::from_bits((bits & 0x8000) << 16 | 0x7f80_0000 | payload);
        }
        sign * (1024.0 + mantissa) * f32::from_bits((field + 127 - 25) << 23)
    }

    /// Rounds the result of a row to 16 bits, once.
    pub(super) fn narrow(&self, value: f32, half: Half) -> u32 {
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        if value.is_nan() {
            let quiet = half.infinity | 1 << (half.mantissa_bits - 1);
            return if self.has(Flaw::DpasHalvesNan) {
                0x7fff
            } else if self.has(Flaw::DpasNanNegative) {
                quiet | 0x8000
            } else if self.has(Flaw::DpasNanPayload) {
                quiet | sign | (value.to_bits() & 0x7f_ffff) >> (23 - half.mantissa_bits)
            } else {
                quiet
            };
        }
        let rounding = if self.has(Flaw::DpasHalvesTruncated) {
            Rounding::TowardZero
        } else if self.has(Flaw::DpasHalvesTiesAway) {
            Rounding::TiesAway
        } else if self.has(Flaw::DpasRoundingMode) {
            Rounding::of_control_register(self.visa.small.cr0)
        } else {
            Rounding::NearestEven
        };
        let bits = magnitude_bits(value, half, rounding);
        if self.has(Flaw::DpasHfOverflowToMax) && half.is_hf() && bits == half.infinity && value.is_finite() {
            return sign | (half.infinity - 1);
        }
        if self.has(Flaw::DpasHalvesFlushed) && bits >> half.mantissa_bits == 0 {
            return sign;
        }
        sign | bits
    }

    /// A result that is an F: what a NaN becomes, and what flaws do to the others.
    pub(super) fn result_bits(&self, value: f32, accumulator: f32) -> u32 {
        if value.is_nan() {
            return if self.has(Flaw::DpasNanPayload) && accumulator.is_nan() {
                accumulator.to_bits() | 0x0040_0000
            } else if self.has(Flaw::DpasNanNegative) {
                0xffc0_0000
            } else if self.has(Flaw::DpasNanOnes) {
                0x7fff_ffff
            } else if self.has(Flaw::DpasNanDropped) {
                0
            } else {
                0x7fc0_0000
            };
        }
        let mut value = value;
        if self.has(Flaw::DpasInfinityLost) && value.is_infinite() {
            value = f32::MAX.copysign(value);
        }
        let by_mode = self.has(Flaw::DpasResultByMode) && self.visa.small.cr0 & cr0::F_DENORM == 0;
        if self.has(Flaw::DpasResultFlushed) || by_mode {
            value = flushed(value);
        }
        if self.has(Flaw::DpasMinusZeroLost) && value == 0.0 {
            value = 0.0;
        }
        value.to_bits()
    }
}

/// The magnitude of what is no NaN, in 16 bits. Powers of two of an `f64` scale it without rounding.
fn magnitude_bits(value: f32, half: Half, rounding: Rounding) -> u32 {
    if value.is_infinite() {
        return half.infinity;
    }
    let magnitude = f64::from(value.abs());
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    // Which step of exponents the value is on; the lowest one has both denormals and the smallest normal values.
    let step = (exponent - half.min_exponent).max(0);
    let unit = power_of_two(step + half.min_exponent - half.mantissa_bits as i32);
    let exact = magnitude / unit;
    let rounded = match rounding {
        Rounding::NearestEven => exact.round_ties_even(),
        Rounding::TiesAway => exact.round(),
        Rounding::TowardZero => exact.floor(),
        Rounding::Up if value > 0.0 => exact.ceil(),
        Rounding::Down if value < 0.0 => exact.ceil(),
        Rounding::Up | Rounding::Down => exact.floor(),
    };
    let bits = (step.cast_unsigned() << half.mantissa_bits) + rounded as u32;
    if bits < half.infinity {
        return bits;
    }
    let overflows = match rounding {
        Rounding::NearestEven | Rounding::TiesAway => true,
        Rounding::Up => value > 0.0,
        Rounding::Down => value < 0.0,
        Rounding::TowardZero => false,
    };
    half.infinity - u32::from(!overflows)
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52)
}
