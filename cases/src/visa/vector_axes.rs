//! The axes of vector operands, for any instruction that has them: types and modifiers, which are of its data path, and where
//! the operands lie, which is orthogonal to it.
//!
//! An axis that is a field sets it. The others say what is wished for; where the operands come to lie depends on their types,
//! which the cell decides, so the wishes are granted afterwards, in `vector_place`, which also writes the level back where a
//! wish could not be granted. A level that has no place in a case (a stride of an immediate) counts as it was drawn.

use tandem_isa::visa::operand::{ConstFields, class, indirect_offset};
use tandem_isa::visa::{ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, NUM_ADDRESSES, NUM_GENERAL, bank};
use tandem_isa::{Axis, Noise, Parts};

use super::case::{narrow, wish};
use super::operand::{Operand, register};
use super::value_class;
use super::vector::{Lying, Vector};
use super::vector_break::{ENCODING_RULES, REGION_RULES};

// ------------------------------------------------------------------------------------------------ types

/// The types of the pages, in the order of the levels of type axes.
const TYPES: [DataType; 12] = [
    DataType::Ub,
    DataType::B,
    DataType::Uw,
    DataType::W,
    DataType::Ud,
    DataType::D,
    DataType::Uq,
    DataType::Q,
    DataType::Hf,
    DataType::F,
    DataType::Df,
    DataType::Bf,
];
pub(super) const TYPE_LEVELS: &[&str] =
    &["UB", "B", "UW", "W", "UD", "D", "UQ", "Q", "HF", "F", "DF", "BF", "BOOL", "packed"];
const BOOL_LEVEL: usize = 12;
const PACKED_LEVEL: usize = 13;
/// Of `VF` nothing is promised.
const PACKED: [DataType; 7] = {
    let (v, uv) = (DataType::V, DataType::Uv);
    [v, uv, v, uv, v, uv, DataType::Vf]
};

pub(super) const fn type_level(data_type: DataType) -> usize {
    [4, 5, 2, 3, 0, 1, 10, 9, 13, 13, 12, 6, 13, 7, 8, 11][data_type as usize]
}

/// A type that has a level; for `packed`, one of the three.
pub(super) const fn level_type(level: usize) -> DataType {
    match level {
        BOOL_LEVEL => DataType::Bool,
        PACKED_LEVEL => DataType::V,
        level => TYPES[level],
    }
}

/// A type that general variables may have.
#[inline(always)]
pub(super) fn any_type(noise: &mut Noise) -> DataType {
    TYPES[noise.below(TYPES.len())]
}

/// Gives an operand a type of a level, which it has beside `others`.
#[inline(always)]
pub(super) fn draw_type(operand: &Vector, parts: &mut Parts<'_>, others: &[Vector], level: usize, noise: &mut Noise) {
    let was = operand.class(parts);
    if operand.source.is_some() {
        parts.salt.class[bank::GRF] = value_class::of(level_type(level));
    }
    let data_type = match (level, operand.source) {
        // Only a predicate operand can be of type BOOL; now and then another operand says it is.
        (BOOL_LEVEL, Some(_)) if noise.below(16) < 13 || was == class::PREDICATE => {
            return operand.fields.class.set(parts.code, class::PREDICATE);
        }
        (BOOL_LEVEL, None) if noise.below(4) == 0 => {
            operand.fields.class.set(parts.code, class::PREDICATE);
            return operand.fields.id.set(parts.code, 1 + noise.bits(2));
        }
        (PACKED_LEVEL, source) => {
            // A variable of such a type is Illegal, and so rare.
            if source.is_some() && (noise.below(16) != 0 || was == class::PREDICATE) {
                operand.fields.class.set(parts.code, class::IMMEDIATE);
            }
            PACKED[noise.below(PACKED.len())]
        }
        (level, _) => level_type(level),
    };
    operand.assign_type(parts, others, data_type, noise);
}

/// The type of an operand, beside others that have theirs. The register file is salted with values of a source's type.
macro_rules! type_axis {
    ($name:literal, $operand:expr, $others:expr) => {
        $crate::visa::case::axis(
            $name,
            $crate::visa::vector_axes::TYPE_LEVELS,
            &[],
            |parts, level, noise| $crate::visa::vector_axes::draw_type(&$operand, parts, $others, level, noise),
            |parts| $crate::visa::vector_axes::type_level($operand.data_type(parts)),
        )
    };
}
pub(super) use type_axis;

// ------------------------------------------------------------------------------------------------ places

pub(super) const ROWS: &[&str] = &["0", "1", "few", "many"];
pub(super) const COLUMNS: &[&str] = &["0", "last", "ends with a register", "any"];
pub(super) const EXTENTS: &[&str] = &["as needed", "whole registers", "roomy"];
pub(super) const PLACES: &[&str] = &["first", "last", "any"];
pub(super) fn row_level(operand: &Vector, parts: &Parts<'_>) -> usize {
    match operand.fields.row_offset.get(parts.code) {
        row @ 0..2 => row as usize,
        row => 2 + usize::from(row >= 8),
    }
}

pub(super) fn column_level(operand: &Vector, parts: &Parts<'_>) -> usize {
    let (register, span, size) = (register(parts), operand.span(parts), operand.data_type(parts).bytes());
    let Some(lying) = Lying::of(operand, parts) else { return 0 };
    let last = (register / size - 1).min((2 * register).saturating_sub(span) / size);
    match lying.start % register / size {
        0 => 0,
        column if column == last => 1,
        column if column * size + span == register => 2,
        _ => 3,
    }
}

pub(super) fn extent_level(operand: &Vector, parts: &Parts<'_>) -> usize {
    let Some(Lying { start, variable }) = Lying::of(operand, parts) else { return 0 };
    match variable.len() {
        bytes if bytes == start - variable.start + operand.span(parts) => 0,
        bytes if bytes % register(parts) == 0 => 1,
        _ => 2,
    }
}

pub(super) fn place_level(operand: &Vector, parts: &Parts<'_>) -> usize {
    let Some(Lying { variable, .. }) = Lying::of(operand, parts) else { return 0 };
    match variable.start {
        0 => 0,
        _ if variable.end.next_multiple_of(register(parts)) == GRF_BYTES => 1,
        _ => 2,
    }
}

/// How the bytes of the destination lie to those of a source.
pub(super) fn overlap_level(dst: &Vector, src: &Vector, parts: &Parts<'_>) -> usize {
    let is_shared = dst.is_general(parts)
        && src.is_general(parts)
        && dst.fields.id.get(parts.code) == src.fields.id.get(parts.code);
    match (Lying::of(dst, parts), Lying::of(src, parts)) {
        _ if is_shared => 4,
        (Some(to), Some(from)) => overlap_of((to.start, dst.span(parts)), (from.start, src.span(parts))),
        _ => 0,
    }
}

/// The same of two regions, by their first bytes and their lengths.
pub(super) fn overlap_of((to, to_span): (usize, usize), (from, from_span): (usize, usize)) -> usize {
    match to.cmp(&from) {
        _ if to + to_span <= from || from + from_span <= to => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Less => 3,
    }
}

/// Where an operand lies.
macro_rules! place_axes {
    ($name:literal, $operand:expr) => {{
        use $crate::visa::{case::wish, vector_axes as axes};
        [
            wish(concat!($name, "_row"), axes::ROWS, &[3, 2, 2, 1], |parts| axes::row_level(&$operand, parts)),
            wish(concat!($name, "_column"), axes::COLUMNS, &[2, 2, 1, 3], |parts| axes::column_level(&$operand, parts)),
            wish(concat!($name, "_extent"), axes::EXTENTS, &[], |parts| axes::extent_level(&$operand, parts)),
            wish(concat!($name, "_place"), axes::PLACES, &[1, 1, 4], |parts| axes::place_level(&$operand, parts)),
        ]
    }};
}
pub(super) use place_axes;

/// How the bytes of the destination lie to those of a source.
macro_rules! overlap_axis {
    ($dst:expr, $src:expr) => {
        $crate::visa::case::wish(
            "overlap",
            &["none", "same start", "destination above", "destination below", "same variable"],
            &[6, 1, 1, 1, 1],
            |parts| $crate::visa::vector_axes::overlap_level(&$dst, &$src, parts),
        )
    };
}
pub(super) use overlap_axis;

// ------------------------------------------------------------------------------------------------ classes and regions

/// The class of a destination.
macro_rules! dst_class {
    ($operand:expr) => {
        $crate::visa::case::split!(
            "dst_class",
            &["general", "indirect"],
            &[3, 1],
            $crate::visa::case::Lens::Code($operand.fields.class),
            $crate::visa::case::Partition::Known(&[class::GENERAL, class::INDIRECT])
        )
    };
}
pub(super) use dst_class;

/// The class of a source.
macro_rules! src_class {
    ($name:literal, $operand:expr) => {
        $crate::visa::case::axis(
            concat!($name, "_class"),
            &["general", "indirect, one address", "indirect, an address a row", "immediate"],
            &[8, 3, 2, 5],
            |parts, level, _| {
                let code = [class::GENERAL, class::INDIRECT, class::INDIRECT, class::IMMEDIATE][level];
                $operand.fields.class.set(parts.code, code);
            },
            |parts| match $operand.class(parts) {
                class::INDIRECT => 1 + usize::from($operand.has_addresses(parts)),
                class::IMMEDIATE => 3,
                _ => 0,
            },
        )
    };
}
pub(super) use src_class;

/// A stride or a width: levels, weights, and the numbers of elements by their codes.
macro_rules! stride_axis {
    ($name:expr, $field:expr, $levels:expr, $weights:expr, $codes:expr) => {
        $crate::visa::case::split!(
            $name,
            $levels,
            $weights,
            $crate::visa::case::Lens::Code($field),
            $crate::visa::case::Partition::Known($codes)
        )
    };
}
pub(super) use stride_axis;

/// The region of a destination.
macro_rules! dst_stride {
    ($operand:expr) => {
        $crate::visa::vector_axes::stride_axis!(
            "dst_stride",
            $operand.fields.horz_stride,
            &["1", "2", "4"],
            &[3, 1, 1],
            &[2, 3, 4]
        )
    };
}
pub(super) use dst_stride;

pub(super) fn region_level(operand: &Vector, parts: &Parts<'_>) -> usize {
    match operand.region(parts) {
        [0, 1, 0] => 2,
        [vert, width, horz] if vert == width && (horz == 1 || width == 1) => 1,
        _ => 0,
    }
}

/// The region of a source: its shape, its strides and its width.
macro_rules! region_axes {
    ($name:literal, $operand:expr) => {{
        use $crate::visa::vector_axes::{region_level, stride_axis};
        const FIELDS: tandem_isa::visa::operand::OperandFields = $operand.fields;
        [
            $crate::visa::case::wish(
                concat!($name, "_region"),
                &["free", "contiguous", "one element"],
                &[6, 4, 1],
                |parts| region_level(&$operand, parts),
            ),
            stride_axis!(
                concat!($name, "_vert_stride"),
                FIELDS.vert_stride,
                &["0", "1", "2", "4", "8", "16", "32"],
                &[],
                &[1, 2, 3, 4, 5, 6, 7]
            ),
            stride_axis!(concat!($name, "_width"), FIELDS.width, &["1", "2", "4", "8", "16"], &[], &[2, 3, 4, 5, 6]),
            stride_axis!(concat!($name, "_horz_stride"), FIELDS.horz_stride, &["1", "0", "2", "4"], &[], &[2, 1, 3, 4]),
        ]
    }};
}
pub(super) use region_axes;

/// Gives each operand the number of a variable of its own, that of the destination first.
#[inline(always)]
pub(super) fn set_variables(operands: &[Vector], parts: &mut Parts<'_>, first: usize, noise: &mut Noise) {
    let mut taken = [false; NUM_GENERAL];
    let mut variable = first;
    for operand in operands {
        while std::mem::replace(&mut taken[variable], true) {
            variable = (first + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
        }
        operand.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    }
}

/// The variable of the destination; those of the sources are others.
macro_rules! variables_axis {
    ($operands:expr) => {
        $crate::visa::case::axis(
            "dst_variable",
            &["V32", "V33", "V34", "V35"],
            &[],
            |parts, level, noise| $crate::visa::vector_axes::set_variables($operands, parts, level, noise),
            |parts| $operands[0].entry(parts),
        )
    };
}
pub(super) use variables_axis;

// ------------------------------------------------------------------------------------------------ addresses and constants

/// The operand by whose address the axes of addresses go: a source before the destination.
fn indirect_operand<'o>(operands: &'o [Vector], parts: &Parts<'_>) -> Option<&'o Vector> {
    operands.iter().rev().find(|operand| operand.is_indirect(parts))
}

pub(super) fn address_variable(operands: &[Vector], parts: &Parts<'_>) -> usize {
    indirect_operand(operands, parts).map_or(0, |operand| operand.fields.id.get(parts.code) as usize % NUM_ADDRESSES)
}

pub(super) fn address_element(operands: &[Vector], parts: &Parts<'_>) -> usize {
    let has_addresses = operands.iter().find(|operand| operand.has_addresses(parts));
    let rows = has_addresses.map_or(1, |operand| operand.rows(parts).0);
    indirect_operand(operands, parts).map_or(0, |operand| match operand.fields.addr_offset.get(parts.code) {
        0 => 0,
        first if first + rows == narrow(ADDRESS_ELEMENTS) => 1,
        _ => 2,
    })
}

pub(super) fn indirect_offset_level(operands: &[Vector], parts: &Parts<'_>) -> usize {
    indirect_operand(operands, parts).map_or(0, |operand| match indirect_offset(&operand.fields, parts.code) {
        0 => 0,
        ..=-512 => 3,
        504.. => 4,
        1.. => 1,
        _ => 2,
    })
}

/// How indirect operands are addressed.
macro_rules! address_axes {
    ($operands:expr) => {{
        use $crate::visa::{case::wish, vector_axes as axes};
        [
            wish("address_variable", &["A0", "A1"], &[], |parts| axes::address_variable($operands, parts)),
            wish("address_element", &["0", "last", "any"], &[2, 1, 2], |parts| axes::address_element($operands, parts)),
            wish("indirect_offset", &["0", "positive", "negative", "least", "greatest"], &[2, 2, 2, 1, 1], |parts| {
                axes::indirect_offset_level($operands, parts)
            }),
        ]
    }};
}
pub(super) use address_axes;

pub(super) fn constant_level(fields: &ConstFields, parts: &Parts<'_>) -> usize {
    match (fields.low.get(parts.code), fields.high.get(parts.code)) {
        (0, 0) => 0,
        (1, 0) => 1,
        _ => 3,
    }
}

pub(super) fn constant_rest_level(fields: &ConstFields, bits: u32, parts: &Parts<'_>) -> usize {
    match fields.low.get(parts.code).checked_shr(bits).unwrap_or(0) {
        0 => 0,
        upper if upper == u32::MAX >> bits => 1,
        _ => 2,
    }
}

/// The value of an immediate source, and the bits above it.
macro_rules! constant_axes {
    ($operand:expr, $fields:expr) => {{
        use $crate::visa::{case::wish, vector_axes as axes};
        [
            wish("immediate", &["zero", "one", "corner", "any"], &[1, 1, 4, 3], |parts| {
                axes::constant_level(&$fields, parts)
            }),
            wish("immediate_upper_bits", &["zero", "sign", "any"], &[], |parts| {
                axes::constant_rest_level(&$fields, $operand.data_type(parts).bits().min(32), parts)
            }),
        ]
    }};
}
pub(super) use constant_axes;

/// Whether what is not read is fresh, and which rule is broken.
pub(super) const RULES: [Axis; 3] = [
    wish("bystanders", &["background", "fresh"], &[], |_| 0),
    wish("region_rule", REGION_RULES, &[118, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], |_| 0),
    wish("encoding_rule", ENCODING_RULES, &[120, 1, 1, 1, 1, 1, 1, 1, 1], |_| 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_of_a_type_axis_is_its_type() {
        for level in 0..TYPE_LEVELS.len() {
            assert_eq!(type_level(level_type(level)), level);
        }
        for data_type in DataType::ALL {
            let level = type_level(data_type);
            assert!(level == PACKED_LEVEL || level_type(level) == data_type);
        }
    }
}
