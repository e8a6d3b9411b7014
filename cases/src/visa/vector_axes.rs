//! The axes of vector operands, for any instruction that has them: their types, which are of its data path, and where they lie,
//! which is orthogonal to it.
//!
//! An axis that is a field sets it. The others say what is wished for; where the operands come to lie depends on their types,
//! which the cell decides, so the wishes are granted afterwards, in `vector_place`, which also writes the level back where a
//! wish could not be granted. A level that has no place in a case (a stride of an immediate) counts as it was drawn.

use tandem_isa::visa::operand::{class, indirect_offset};
use tandem_isa::visa::{ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, NUM_ADDRESSES, NUM_GENERAL, bank};
use tandem_isa::{Axis, Noise, Parts};

use super::case::{Lens, Partition, axis, narrow, split, wish};
use super::form::Form;
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

/// The type of an operand, which it has beside those before it. The register file is salted with values of a source's type.
pub(super) const fn type_axis<F: Form, const N: usize>() -> [Axis; 1] {
    [axis(
        F::NAMES[N].own[0],
        TYPE_LEVELS,
        &[],
        |parts, level, noise| draw_type(&F::OPERANDS[N], parts, &F::OPERANDS[..N], level, noise),
        |parts| type_level(F::OPERANDS[N].data_type(parts)),
    )]
}

// ------------------------------------------------------------------------------------------------ places

fn row_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    match F::OPERANDS[N].fields.row_offset.get(parts.code) {
        row @ 0..2 => row as usize,
        row => 2 + usize::from(row >= 8),
    }
}

fn column_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    let operand = &F::OPERANDS[N];
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

fn extent_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    let operand = &F::OPERANDS[N];
    let Some(Lying { start, variable }) = Lying::of(operand, parts) else { return 0 };
    match variable.len() {
        bytes if bytes == start - variable.start + operand.span(parts) => 0,
        bytes if bytes % register(parts) == 0 => 1,
        _ => 2,
    }
}

fn place_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    let operand = &F::OPERANDS[N];
    let Some(Lying { variable, .. }) = Lying::of(operand, parts) else { return 0 };
    match variable.start {
        0 => 0,
        _ if variable.end.next_multiple_of(register(parts)) == GRF_BYTES => 1,
        _ => 2,
    }
}

/// How the bytes of the destination lie to those of the first source.
fn overlap_level<F: Form>(parts: &Parts<'_>) -> usize {
    let [dst, src] = [&F::OPERANDS[0], &F::OPERANDS[1]];
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
pub(super) const fn place_axes<F: Form, const N: usize>() -> [Axis; 4] {
    let [row, column, extent, place] = F::NAMES[N].place;
    [
        wish(row, &["0", "1", "few", "many"], &[3, 2, 2, 1], row_level::<F, N>),
        wish(column, &["0", "last", "ends with a register", "any"], &[2, 2, 1, 3], column_level::<F, N>),
        wish(extent, &["as needed", "whole registers", "roomy"], &[], extent_level::<F, N>),
        wish(place, &["first", "last", "any"], &[1, 1, 4], place_level::<F, N>),
    ]
}

/// The axis of that.
pub(super) const fn overlap_axis<F: Form>() -> Axis {
    wish(
        "overlap",
        &["none", "same start", "destination above", "destination below", "same variable"],
        &[6, 1, 1, 1, 1],
        overlap_level::<F>,
    )
}

// ------------------------------------------------------------------------------------------------ classes and regions

/// The class of the destination.
pub(super) const fn dst_class<F: Form>() -> Axis {
    axis(
        F::NAMES[0].own[1],
        &["general", "indirect"],
        &[3, 1],
        |parts, level, _| F::OPERANDS[0].fields.class.set(parts.code, [class::GENERAL, class::INDIRECT][level]),
        |parts| usize::from(F::OPERANDS[0].is_indirect(parts)),
    )
}

/// The class of a source.
pub(super) const fn src_class<F: Form, const N: usize>() -> [Axis; 1] {
    [axis(
        F::NAMES[N].own[1],
        &["general", "indirect, one address", "indirect, an address a row", "immediate"],
        &[8, 3, 2, 5],
        |parts, level, _| {
            let code = [class::GENERAL, class::INDIRECT, class::INDIRECT, class::IMMEDIATE][level];
            F::OPERANDS[N].fields.class.set(parts.code, code);
        },
        |parts| match F::OPERANDS[N].class(parts) {
            class::INDIRECT => 1 + usize::from(F::OPERANDS[N].has_addresses(parts)),
            class::IMMEDIATE => 3,
            _ => 0,
        },
    )]
}

/// The region of the destination.
pub(super) const fn dst_stride<F: Form>() -> Axis {
    split!(
        F::NAMES[0].stride,
        &["1", "2", "4"],
        &[3, 1, 1],
        Lens::Code(F::OPERANDS[0].fields.horz_stride),
        Partition::Known(&[2, 3, 4])
    )
}

/// The region of a source: its shape, its strides and its width.
pub(super) const fn region_axes<F: Form, const N: usize>() -> [Axis; 4] {
    let [region, vert, width, horz] = F::NAMES[N].region;
    [
        wish(region, &["free", "contiguous", "one element"], &[6, 4, 1], |parts| match F::OPERANDS[N].region(parts) {
            [0, 1, 0] => 2,
            [vert, width, horz] if vert == width && (horz == 1 || width == 1) => 1,
            _ => 0,
        }),
        split!(
            vert,
            &["0", "1", "2", "4", "8", "16", "32"],
            &[],
            Lens::Code(F::OPERANDS[N].fields.vert_stride),
            Partition::Known(&[1, 2, 3, 4, 5, 6, 7])
        ),
        split!(
            width,
            &["1", "2", "4", "8", "16"],
            &[],
            Lens::Code(F::OPERANDS[N].fields.width),
            Partition::Known(&[2, 3, 4, 5, 6])
        ),
        split!(
            horz,
            &["1", "0", "2", "4"],
            &[],
            Lens::Code(F::OPERANDS[N].fields.horz_stride),
            Partition::Known(&[2, 1, 3, 4])
        ),
    ]
}

/// The variable of the destination; those of the sources are others.
pub(super) const fn variables_axis<F: Form>() -> Axis {
    axis(
        "dst_variable",
        &["V32", "V33", "V34", "V35"],
        &[],
        |parts, first, noise| {
            let mut taken = [false; NUM_GENERAL];
            let mut variable = first;
            for operand in F::OPERANDS {
                while std::mem::replace(&mut taken[variable], true) {
                    variable = (first + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
                }
                operand.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
            }
        },
        |parts| F::OPERANDS[0].entry(parts),
    )
}

// ------------------------------------------------------------------------------------------------ addresses and constants

/// A level of the operand by whose address the axes of addresses go: a source before the destination.
fn of_indirect<F: Form>(parts: &Parts<'_>, level: impl FnOnce(&Vector) -> usize) -> usize {
    F::OPERANDS.iter().rev().find(|operand| operand.is_indirect(parts)).map_or(0, level)
}

/// How indirect operands are addressed.
pub(super) const fn address_axes<F: Form>() -> [Axis; 3] {
    [
        wish("address_variable", &["A0", "A1"], &[], |parts| {
            of_indirect::<F>(parts, |operand| operand.fields.id.get(parts.code) as usize % NUM_ADDRESSES)
        }),
        wish("address_element", &["0", "last", "any"], &[2, 1, 2], |parts| {
            let has_addresses = F::OPERANDS.iter().find(|operand| operand.has_addresses(parts));
            let rows = has_addresses.map_or(1, |operand| operand.rows(parts).0);
            of_indirect::<F>(parts, |operand| match operand.fields.addr_offset.get(parts.code) {
                0 => 0,
                first if first + rows == narrow(ADDRESS_ELEMENTS) => 1,
                _ => 2,
            })
        }),
        wish("indirect_offset", &["0", "positive", "negative", "least", "greatest"], &[2, 2, 2, 1, 1], |parts| {
            of_indirect::<F>(parts, |operand| match indirect_offset(&operand.fields, parts.code) {
                0 => 0,
                ..=-512 => 3,
                504.. => 4,
                1.. => 1,
                _ => 2,
            })
        }),
    ]
}

/// The value of an immediate source, the first that there may be, and the bits above it.
pub(super) const fn constant_axes<F: Form>() -> [Axis; 2] {
    [
        wish("immediate", &["zero", "one", "corner", "any"], &[1, 1, 4, 3], |parts| {
            match F::OPERANDS[1].constant(parts) {
                value @ 0..2 => value as usize,
                _ => 3,
            }
        }),
        wish("immediate_upper_bits", &["zero", "sign", "any"], &[], |parts| {
            let bits = F::OPERANDS[1].data_type(parts).bits().min(32);
            match (F::OPERANDS[1].constant(parts) as u32).checked_shr(bits).unwrap_or(0) {
                0 => 0,
                upper if upper == u32::MAX >> bits => 1,
                _ => 2,
            }
        }),
    ]
}

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
