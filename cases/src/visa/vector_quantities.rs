//! The quantities of vector operands: numbers by which an implementation may refuse a case. An instruction names its operands
//! in the macros of this file.
//!
//! Labels, like the axes.

use tandem_isa::visa::operand::{REGION_CODES, RegionCode, class, region_code};
use tandem_isa::{CodeField, Parts};

use super::case::narrow;
use super::operand::{Operand, another, of_bytes};
use super::vector::{Vector, exec_size};

// ------------------------------------------------------------------------------------------------ addressing

/// The names of the ways to name elements.
pub(super) const ADDRESSINGS: &[&str] =
    &["direct", "indirect, one address", "indirect, an address a row", "immediate", "predicate", "another class"];

pub(super) fn addressing(operand: &Vector, parts: &Parts<'_>) -> u32 {
    match operand.class(parts) {
        class::GENERAL => 0,
        class::INDIRECT => 1 + u32::from(operand.has_addresses(parts)),
        class::IMMEDIATE => 3,
        class::PREDICATE => 4,
        _ => 5,
    }
}

/// Lets an operand name its elements in another way; where it can, these stay.
pub(super) fn put_addressing(operand: &Vector, others: &[Vector], parts: &mut Parts<'_>, value: u32) {
    match (operand.class(parts), value) {
        (class::IMMEDIATE, 0..=2) => {
            operand.make_direct(parts, others);
            if value != 0 {
                operand.make_indirect(parts, others, value == 2);
            }
        }
        (class::INDIRECT, 0) => operand.make_direct(parts, others),
        (class::GENERAL | class::INDIRECT, 1) => operand.make_indirect(parts, others, false),
        (class::GENERAL | class::INDIRECT, 2) if operand.source.is_some() => {
            operand.make_indirect(parts, others, true);
        }
        // No constant has a source modifier.
        (class::GENERAL | class::INDIRECT, 3) if operand.fields.modifiers.get(parts.code) == 0 => {
            operand.make_constant(parts);
        }
        _ => {}
    }
}

/// How an operand names its elements, beside others.
macro_rules! addressing_quantity {
    ($name:literal, $operand:expr, $others:expr) => {
        $crate::visa::operand::settable!(
            concat!("addressing of ", $name),
            3,
            $crate::visa::vector_quantities::ADDRESSINGS,
            |parts| $crate::visa::vector_quantities::addressing(&$operand, parts),
            |parts, value| $crate::visa::vector_quantities::put_addressing(&$operand, $others, parts, value)
        )
    };
}
pub(super) use addressing_quantity;

// ------------------------------------------------------------------------------------------------ two operands

/// Which elements are larger, those of one operand or of another.
pub(super) fn relation(one: &Vector, other: &Vector, parts: &Parts<'_>) -> u32 {
    let order = one.data_type(parts).bytes().cmp(&other.data_type(parts).bytes());
    (1 + order as i32).cast_unsigned()
}

pub(super) fn put_relation(one: &Vector, other: &Vector, parts: &mut Parts<'_>, value: u32) {
    let bytes = narrow(other.data_type(parts).bytes());
    let wanted = [bytes / 2, bytes, bytes * 2].get(value as usize).copied();
    if let Some(data_type) = wanted.and_then(|bytes| of_bytes(one.data_type(parts), bytes)) {
        one.put_type(parts, data_type);
    }
}

pub(super) fn is_same_type(one: &Vector, other: &Vector, parts: &Parts<'_>) -> u32 {
    u32::from(one.data_type(parts) == other.data_type(parts))
}

pub(super) fn put_same_type(one: &Vector, other: &Vector, parts: &mut Parts<'_>, value: u32) {
    let data_type = other.data_type(parts);
    one.put_type(parts, if value == 1 { data_type } else { another(data_type) });
}

/// How the types of the destination go with those of a source, and whether the two share bytes.
macro_rules! pair_quantities {
    ($dst_name:literal, $dst:expr, $src_name:literal, $src:expr) => {{
        use $crate::visa::{
            operand::{overlap_quantity, settable},
            vector_quantities as quantities,
        };
        [
            settable!(
                concat!("elements of ", $dst_name, " next to those of ", $src_name),
                2,
                &["narrower", "as wide", "wider"],
                |parts| quantities::relation(&$dst, &$src, parts),
                |parts, value| quantities::put_relation(&$dst, &$src, parts, value)
            ),
            settable!(
                concat!("types of ", $dst_name, " and ", $src_name),
                1,
                &["different", "the same"],
                |parts| quantities::is_same_type(&$dst, &$src, parts),
                |parts, value| quantities::put_same_type(&$dst, &$src, parts, value)
            ),
            overlap_quantity!(concat!($dst_name, " overlaps ", $src_name), $dst, $src, &[$src]),
        ]
    }};
}
pub(super) use pair_quantities;

// ------------------------------------------------------------------------------------------------ regions

/// The value of a stride or width that is no number of elements, or of an operand without a region.
const NO_STRIDE: u32 = 63;

pub(super) fn stride(operand: &Vector, parts: &Parts<'_>, field: CodeField) -> u32 {
    match REGION_CODES[field.get(parts.code) as usize] {
        RegionCode::Elements(elements) if operand.has_region(parts) => elements,
        _ => NO_STRIDE,
    }
}

pub(super) fn put_stride(operand: &Vector, parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if let (true, Some(code)) = (operand.has_region(parts), region_code(value)) {
        operand.reshape(parts, |parts| field.set(parts.code, code));
    }
}

/// A stride or the width of an operand.
macro_rules! stride_quantity {
    ($name:expr, $operand:expr, $field:ident) => {
        $crate::visa::operand::settable!(
            $name,
            6,
            |parts| $crate::visa::vector_quantities::stride(&$operand, parts, $operand.fields.$field),
            |parts, value| {
                $crate::visa::vector_quantities::put_stride(&$operand, parts, $operand.fields.$field, value);
            }
        )
    };
}
pub(super) use stride_quantity;

pub(super) const REGIONS: &[&str] = &["one element", "contiguous", "evenly spaced", "rows", "none"];

/// By the elements that channels read, whatever the region is written like.
pub(super) fn region(operand: &Vector, parts: &Parts<'_>) -> u32 {
    if !operand.has_region(parts) {
        return 4;
    }
    let ((rows, columns), [vert, _, horz]) = (operand.rows(parts), operand.region(parts));
    let step = match (rows, columns) {
        (1, 1) => Some(0),
        (1, _) => Some(horz),
        _ if operand.has_addresses(parts) => None,
        (_, 1) => Some(vert),
        _ => (vert == columns * horz).then_some(horz),
    };
    step.map_or(3, |step| step.min(2))
}

pub(super) fn put_region(operand: &Vector, parts: &mut Parts<'_>, value: u32) {
    let width = exec_size(parts).min(16) as usize;
    let strides = match value {
        _ if !operand.has_region(parts) => return,
        0 => [0, 1, 0],
        1 => [width, width, 1],
        2 => [(2 * width).min(32), width, 2],
        3 => [1, (width / 2).max(1), 1],
        _ => return,
    };
    operand.reshape(parts, |parts| operand.set_region(parts.code, strides));
}

/// The region of a source, with its strides and its width.
macro_rules! region_quantity {
    ($name:literal, $operand:expr) => {
        $crate::visa::operand::settable!(
            concat!("region of ", $name),
            3,
            $crate::visa::vector_quantities::REGIONS,
            |parts| $crate::visa::vector_quantities::region(&$operand, parts),
            |parts, value| $crate::visa::vector_quantities::put_region(&$operand, parts, value)
        )
    };
}
pub(super) use region_quantity;

// ------------------------------------------------------------------------------------------------ places

/// Where an operand lies, beside the other operands, and its variable.
macro_rules! place_quantities {
    ($name:literal, $operand:expr, $operands:expr) => {{
        use $crate::visa::{channels::put_touched, operand};
        [
            operand::byte_quantity!($name, $operand),
            operand::touched_quantity!($name, $operand, |parts, operand, value| put_touched(
                parts, $operands, operand, value
            )),
            operand::register_quantity!($name, $operand),
            operand::settable!(
                concat!("byte of a register at which the variable of ", $name, " begins"),
                6,
                |parts| $operand.variable_byte(parts),
                |parts, value| $operand.put_variable_byte(parts, value)
            ),
        ]
    }};
}
pub(super) use place_quantities;
