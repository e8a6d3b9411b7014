//! The axes of the data path that instructions of vector operands share: modifiers, rounding, denormals; and the
//! quantities that tell of the control register.
//!
//! Whether one counts, an instruction says: where it cannot matter, its level is `any`, which draws the field.

use tandem_isa::Parts;
use tandem_isa::visa::{DataType, cr0};

use super::case::{peek, small};
use super::vector::Vector;
use super::vector_place::denorm_bit;

/// Levels of the rounding mode that a case may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundingLevels {
    /// It cannot matter.
    Any,
    /// Each mode counts.
    Four,
    /// Only to-nearest has a result; the others are one level.
    NearestOrNot,
}

impl RoundingLevels {
    pub(super) const NAMES: &[&str] = &["any", "RTNE", "RU", "RD", "RTZ", "not RTNE"];
    pub(super) const NOT_NEAREST: usize = 5;

    /// The level of a mode.
    pub(super) fn level(self, mode: u32) -> usize {
        match (self, mode as usize) {
            (RoundingLevels::Any, _) => 0,
            (RoundingLevels::NearestOrNot, 1..) => Self::NOT_NEAREST,
            (_, mode) => 1 + mode,
        }
    }

    /// Whether a cell may have a level.
    pub(super) fn has(self, level: usize) -> bool {
        (0..4).any(|mode| self.level(mode) == level)
    }
}

pub(super) fn saturation(dst: &Vector, parts: &Parts<'_>) -> u32 {
    dst.fields.modifiers.get(parts.code) >> 2
}

/// Codes above 3 are no source modifiers; their low bits are read, so that such a case stays in its cell.
pub(super) fn modifier(src: &Vector, parts: &Parts<'_>) -> u32 {
    src.fields.modifiers.get(parts.code) & 3
}

pub(super) fn rounding_mode(parts: &Parts<'_>) -> u32 {
    peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3
}

pub(super) fn set_rounding_mode(parts: &mut Parts<'_>, mode: u32) {
    let small = small(parts);
    small.cr0 = (small.cr0 & !(3 << cr0::ROUNDING_SHIFT)) | mode << cr0::ROUNDING_SHIFT;
}

/// Whether denormals of a type are kept; those of types without a bit are not.
pub(super) fn keeps_denormals(parts: &Parts<'_>, data_type: DataType) -> bool {
    peek(parts).cr0 & denorm_bit(data_type) != 0
}

pub(super) fn keep_denormals(parts: &mut Parts<'_>, data_type: DataType, on: u32) {
    let (bit, small) = (denorm_bit(data_type), small(parts));
    small.cr0 = (small.cr0 & !bit) | (bit * on);
}

/// Whether the destination saturates.
macro_rules! saturation_axis {
    ($dst:expr, $counts:expr) => {
        $crate::visa::case::counted!(
            "saturation",
            &["any", "no", "sat"],
            1,
            $counts,
            |parts| $crate::visa::vector_path::saturation(&$dst, parts),
            |parts, on| $dst.fields.modifiers.set(parts.code, on << 2)
        )
    };
}
pub(super) use saturation_axis;

/// The modifier of a source.
macro_rules! modifier_axis {
    ($name:literal, $src:expr, $counts:expr) => {
        $crate::visa::case::counted!(
            $name,
            &["any", "none", "abs", "neg", "neg-abs"],
            2,
            $counts,
            |parts| $crate::visa::vector_path::modifier(&$src, parts),
            |parts, code| $src.fields.modifiers.set(parts.code, code)
        )
    };
}
pub(super) use modifier_axis;

/// The rounding mode; the function says which levels a case may have.
macro_rules! rounding_axis {
    ($levels:expr) => {{
        use $crate::visa::vector_path::{RoundingLevels, rounding_mode, set_rounding_mode};
        $crate::visa::case::axis(
            "rounding_mode",
            RoundingLevels::NAMES,
            &[],
            |parts, level, noise| {
                let mode = match level {
                    0 => noise.bits(2),
                    RoundingLevels::NOT_NEAREST => 1 + noise.below(3) as u32,
                    level => level as u32 - 1,
                };
                set_rounding_mode(parts, mode);
            },
            |parts| {
                let levels: fn(&tandem_isa::Parts<'_>) -> RoundingLevels = $levels;
                levels(parts).level(rounding_mode(parts))
            },
        )
    }};
}
pub(super) use rounding_axis;

/// Whether denormals of an operand's type are kept. A bit that the type of one of `others` shares has its level already.
macro_rules! denorm_axis {
    ($name:literal, $operand:expr, $others:expr, $counts:expr) => {{
        use $crate::visa::vector_path::{keep_denormals, keeps_denormals};
        const OTHERS: &[$crate::visa::vector::Vector] = $others;
        $crate::visa::case::axis(
            $name,
            &["any", "flush", "keep"],
            &[],
            |parts, level, noise| {
                let data_type = $operand.data_type(parts);
                if OTHERS.iter().all(|other| other.data_type(parts) != data_type) {
                    let on = if level == 0 { noise.bits(1) } else { level as u32 - 1 };
                    keep_denormals(parts, data_type, on);
                }
            },
            |parts| {
                let counts: fn(&tandem_isa::Parts<'_>) -> bool = $counts;
                if counts(parts) { 1 + usize::from(keeps_denormals(parts, $operand.data_type(parts))) } else { 0 }
            },
        )
    }};
}
pub(super) use denorm_axis;

/// The rounding mode, where it can matter.
macro_rules! rounding_quantity {
    ($levels:expr) => {
        $crate::visa::operand::settable!(
            "rounding mode as used",
            3,
            &["does not matter", "RTNE", "RU", "RD", "RTZ"],
            |parts| match ($levels)(parts) {
                $crate::visa::vector_path::RoundingLevels::Any => 0,
                _ => 1 + $crate::visa::vector_path::rounding_mode(parts),
            },
            |parts, value| {
                if let Some(mode @ 0..4) = value.checked_sub(1) {
                    $crate::visa::vector_path::set_rounding_mode(parts, mode);
                }
            }
        )
    };
}
pub(super) use rounding_quantity;

/// Whether denormals of an operand's type are kept, where that can matter.
macro_rules! denorm_quantity {
    ($name:literal, $operand:expr, $counts:expr) => {{
        use $crate::visa::vector_path::{keep_denormals, keeps_denormals};
        $crate::visa::operand::settable!(
            concat!("denormals of ", $name, " as used"),
            2,
            &["do not matter", "flushed", "kept"],
            |parts| {
                let keeps = keeps_denormals(parts, $operand.data_type(parts));
                if ($counts)(parts) { 1 + u32::from(keeps) } else { 0 }
            },
            |parts, value| keep_denormals(parts, $operand.data_type(parts), u32::from(value == 2))
        )
    }};
}
pub(super) use denorm_quantity;
