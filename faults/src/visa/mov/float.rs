//! Formats of floats, and rounding to them. Values are exact in the host's `f64`, which holds every format.
//!
//! *Source*: page Data Types (binary formats, conversions), page Header (`%cr0`).

use tandem_isa::visa::{DataType, cr0};

/// Where what lies between two floats goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    NearestEven,
    Up,
    Down,
    TowardZero,
    /// Only flaws round so.
    TiesAway,
    /// Only flaws round so.
    AwayFromZero,
}

impl Rounding {
    /// The mode in the control register.
    pub(super) fn of_control_register(control: u32) -> Self {
        match control >> cr0::ROUNDING_SHIFT & 3 {
            cr0::RTNE => Rounding::NearestEven,
            cr0::RU => Rounding::Up,
            cr0::RD => Rounding::Down,
            _ => Rounding::TowardZero,
        }
    }

    /// Rounds to an integer; a zero keeps the sign.
    pub(super) fn integral(self, value: f64) -> f64 {
        match self {
            Rounding::NearestEven => value.round_ties_even(),
            Rounding::Up => value.ceil(),
            Rounding::Down => value.floor(),
            Rounding::TowardZero => value.trunc(),
            Rounding::TiesAway => value.round(),
            Rounding::AwayFromZero => value.abs().ceil().copysign(value),
        }
    }
}

/// A float format.
#[derive(Clone, Copy)]
pub(super) struct FloatFormat {
    exponent_bits: u32,
    pub(super) mantissa_bits: u32,
    /// The bit of the control register that keeps its denormals; BF has none.
    pub(super) denormal_bit: u32,
}

impl FloatFormat {
    pub(super) const HF: Self = FloatFormat { exponent_bits: 5, mantissa_bits: 10, denormal_bit: cr0::HF_DENORM };
    pub(super) const BF: Self = FloatFormat { exponent_bits: 8, mantissa_bits: 7, denormal_bit: 0 };
    pub(super) const F: Self = FloatFormat { exponent_bits: 8, mantissa_bits: 23, denormal_bit: cr0::F_DENORM };
    pub(super) const DF: Self = FloatFormat { exponent_bits: 11, mantissa_bits: 52, denormal_bit: cr0::DF_DENORM };

    /// The format of a type, if it is one of floats.
    pub(super) fn of(data_type: DataType) -> Option<Self> {
        match data_type {
            DataType::Hf => Some(Self::HF),
            DataType::Bf => Some(Self::BF),
            DataType::F => Some(Self::F),
            DataType::Df => Some(Self::DF),
            _ => None,
        }
    }

    /// Whether every value of another format is one of this.
    pub(super) fn contains(self, other: Self) -> bool {
        self.exponent_bits >= other.exponent_bits && self.mantissa_bits >= other.mantissa_bits
    }

    // ---------------------------------------------------------------------------------------- bits

    pub(super) fn has_denormal_bit(self) -> bool {
        self.denormal_bit != 0
    }

    pub(super) fn sign_bit(self) -> u64 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// All bits of the mantissa.
    pub(super) fn mantissa(self) -> u64 {
        (1 << self.mantissa_bits) - 1
    }

    pub(super) fn quiet_bit(self) -> u64 {
        1 << (self.mantissa_bits - 1)
    }

    /// Positive infinity, which is all bits of the exponent.
    pub(super) fn infinity(self) -> u64 {
        self.sign_bit() - (1 << self.mantissa_bits)
    }

    pub(super) fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit() > self.infinity()
    }

    pub(super) fn is_denormal(self, bits: u64) -> bool {
        bits & self.infinity() == 0 && bits & self.mantissa() != 0
    }

    // ---------------------------------------------------------------------------------------- values

    /// The exponent of the smallest normal value.
    fn min_exponent(self) -> i32 {
        2 - (1 << (self.exponent_bits - 1))
    }

    pub(super) fn min_normal(self) -> f64 {
        power_of_two(self.min_exponent())
    }

    pub(super) fn max_finite(self) -> f64 {
        self.decode(self.infinity() - 1)
    }

    /// The value of what is no NaN.
    pub(super) fn decode(self, bits: u64) -> f64 {
        if self.exponent_bits == Self::DF.exponent_bits {
            return f64::from_bits(bits);
        }
        let sign = if bits & self.sign_bit() != 0 { -1.0 } else { 1.0 };
        let mantissa = (bits & self.mantissa()) as f64;
        let field = ((bits & self.infinity()) >> self.mantissa_bits) as i32;
        let unit = power_of_two(field.max(1) - 1 + self.min_exponent() - self.mantissa_bits as i32);
        let hidden = (1u64 << self.mantissa_bits) as f64;
        sign * if bits & self.infinity() == self.infinity() {
            f64::INFINITY
        } else if field == 0 {
            mantissa * unit
        } else {
            (hidden + mantissa) * unit
        }
    }

    /// The bits of a value that the format has, or of an infinity.
    pub(super) fn encode(self, value: f64) -> u64 {
        if self.exponent_bits == Self::DF.exponent_bits {
            return value.to_bits();
        }
        let sign = if value.is_sign_negative() { self.sign_bit() } else { 0 };
        let magnitude = value.abs();
        sign | if magnitude.is_infinite() {
            self.infinity()
        } else if magnitude < self.min_normal() {
            (magnitude / self.unit_of(magnitude)) as u64
        } else {
            // The exponent field counts from one at the smallest normal value, whose hidden bit is that one.
            let field = (exponent(magnitude) - self.min_exponent()) as u64;
            (field << self.mantissa_bits) + (magnitude / self.unit_of(magnitude)) as u64
        }
    }

    /// The distance between neighbours around a value, as if there were no largest one.
    fn unit_of(self, value: f64) -> f64 {
        power_of_two(exponent(value).max(self.min_exponent()) - self.mantissa_bits as i32)
    }

    /// Rounds a finite value to this narrower format, once.
    pub(super) fn round(self, value: f64, rounding: Rounding) -> f64 {
        let unit = self.unit_of(value);
        let rounded = rounding.integral(value / unit) * unit;
        if rounded.abs() > self.max_finite() { self.overflow(value, rounding) } else { rounded }
    }

    /// What a value beyond the largest finite one becomes.
    pub(super) fn overflow(self, value: f64, rounding: Rounding) -> f64 {
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::TiesAway | Rounding::AwayFromZero => true,
            Rounding::Up => value > 0.0,
            Rounding::Down => value < 0.0,
            Rounding::TowardZero => false,
        };
        if to_infinity { f64::INFINITY } else { self.max_finite() }.copysign(value)
    }

    /// Rounds an integer.
    pub(super) fn round_integer(self, value: i128, rounding: Rounding) -> f64 {
        let magnitude = value.unsigned_abs();
        let dropped = (128 - magnitude.leading_zeros()).saturating_sub(self.mantissa_bits + 1);
        // A whole number of units that an f64 holds, and which part of a unit is left.
        let unit = 1i128 << dropped;
        let whole = value.div_euclid(unit);
        let rest = value.rem_euclid(unit);
        let up = match rounding {
            Rounding::Down => false,
            Rounding::Up => rest != 0,
            Rounding::TowardZero => rest != 0 && value < 0,
            Rounding::AwayFromZero => rest != 0 && value > 0,
            Rounding::NearestEven => 2 * rest > unit || (2 * rest == unit && whole % 2 != 0),
            Rounding::TiesAway => 2 * rest > unit || (2 * rest == unit && value > 0),
        };
        let rounded = ((whole + i128::from(up)) * unit) as f64;
        if rounded.abs() > self.max_finite() { self.overflow(rounded, rounding) } else { rounded }
    }

    // ---------------------------------------------------------------------------------------- what flaws need

    /// Rounds as if there were neither denormals nor a smallest value, as far as that can be seen in the format.
    pub(super) fn round_unbounded(self, value: f64, rounding: Rounding) -> f64 {
        let exponent = exponent(value);
        if exponent < self.min_exponent() - self.mantissa_bits as i32 - 2 {
            return value;
        }
        let unit = power_of_two(exponent - self.mantissa_bits as i32);
        rounding.integral(value / unit) * unit
    }

    /// Cuts a value off `count` bits below its last one in this format.
    pub(super) fn keep_extra_bits(self, value: f64, count: i32) -> f64 {
        let unit = self.unit_of(value) * power_of_two(-count);
        (value / unit).trunc() * unit
    }

    /// Whether a value has reached the power of two that follows the largest finite value.
    pub(super) fn next_power(self, value: f64) -> bool {
        exponent(value) > exponent(self.max_finite())
    }
}

/// The exponent of a finite value; that of the smallest normal one for `f64`'s denormals and zero.
fn exponent(value: f64) -> i32 {
    let field = (value.to_bits() >> 52) as i32 & 0x7ff;
    field.max(1) - 1023
}

/// A power of two among the normal values of `f64`.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52)
}
