//! The axes of vector operands, for any instruction that has them: their types, which are of its data path, and where they lie,
//! which is orthogonal to it.
//!
//! An axis that is a field sets it. The others say what is wished for; where the operands come to lie depends on their types,
//! which the cell decides, so the wishes are granted afterwards, in `vector_place`, which also writes the level back where a
//! wish could not be granted. A level that has no place in a case (a stride of an immediate) counts as it was drawn.

use super::*;

/// The types of the pages, in the order of the levels of type axes, and one of the packed ones.
const TYPES: [DataType; 14] = {
    use DataType::{B, Bf, Bool, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, V, W};
    [Ub, B, Uw, W, Ud, D, Uq, Q, Hf, F, Df, Bf, Bool, V]
};
pub(super) const TYPE_LEVELS: &[&str] =
    &["UB", "B", "UW", "W", "UD", "D", "UQ", "Q", "HF", "F", "DF", "BF", "BOOL", "packed"];
const BOOL_LEVEL: usize = 12;
const PACKED_LEVEL: usize = 13;
/// Of `VF` nothing is promised.
const PACKED: [DataType; 7] = {
    let (v, uv) = (DataType::V, DataType::Uv);
    [v, uv, v, uv, v, uv, DataType::Vf]
};

pub(super) fn type_level(data_type: DataType) -> usize {
    TYPES.iter().position(|&known| known == data_type).unwrap_or(PACKED_LEVEL)
}

/// A type that has a level; for `packed`, one of the three.
pub(super) const fn level_type(level: usize) -> DataType {
    TYPES[level]
}

/// A type that general variables may have.
pub(super) fn any_type(noise: &mut Noise) -> DataType {
    TYPES[noise.below(BOOL_LEVEL)]
}

/// Gives an operand a type of a level, which it has beside `others`.
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

fn column_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    let operand = &F::OPERANDS[N];
    let (register, span, size) = (register(parts), operand.span(parts), operand.data_type(parts).bytes());
    let Some(lying) = Lying::of(operand, parts) else { return 0 };
    let last = (register / size - 1).min((2 * register).saturating_sub(span) / size);
    match lying.start % register / size {
        0 => 0,
        column if column == last => 1,
        column => 2 + usize::from(column * size + span != register),
    }
}

fn extent_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    let Some(Lying { start, variable }) = Lying::of(&F::OPERANDS[N], parts) else { return 0 };
    match variable.len() {
        bytes if bytes == start - variable.start + F::OPERANDS[N].span(parts) => 0,
        bytes => 1 + usize::from(bytes % register(parts) != 0),
    }
}

fn place_level<F: Form, const N: usize>(parts: &Parts<'_>) -> usize {
    match Lying::of(&F::OPERANDS[N], parts) {
        None => 0,
        Some(Lying { variable, .. }) if variable.start == 0 => 0,
        Some(Lying { variable, .. }) => 1 + usize::from(variable.end.next_multiple_of(register(parts)) != GRF_BYTES),
    }
}

/// How the bytes of the destination lie to those of the first source.
fn overlap_level<F: Form>(parts: &Parts<'_>) -> usize {
    let [dst, src] = [&F::OPERANDS[0], &F::OPERANDS[1]];
    let id = |operand: &Vector| operand.is_general(parts).then(|| operand.fields.id.get(parts.code));
    match (Lying::of(dst, parts), Lying::of(src, parts)) {
        _ if id(dst).is_some() && id(dst) == id(src) => 4,
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

/// A level of the operand by whose address the axes of addresses go: a source before the destination.
fn of_indirect<F: Form>(parts: &Parts<'_>, level: impl FnOnce(&Vector) -> usize) -> usize {
    F::OPERANDS.iter().rev().find(|operand| operand.is_indirect(parts)).map_or(0, level)
}

/// The orthogonal axes, in the order in which they are set.
pub(super) const fn orthogonal<F: Form>() -> List<Axis, MAX_AXES> {
    table! { axes, List<Axis, MAX_AXES>, ROW_SHAPE, F, N;
        one (channels::AXES)
        one {
            axis F::NAMES[N].own[1], &["general", "indirect"], &[3, 1],
                |parts, level, _| F::OPERANDS[N].fields.class.set(parts.code, [class::GENERAL, class::INDIRECT][level]),
                |parts| usize::from(F::OPERANDS[N].is_indirect(parts));
        }
        each {
            axis F::NAMES[N].own[1], &["general", "indirect, one address", "indirect, an address a row", "immediate"],
                &[8, 3, 2, 5], |parts, level, _| {
                let code = [class::GENERAL, class::INDIRECT, class::INDIRECT, class::IMMEDIATE][level];
                F::OPERANDS[N].fields.class.set(parts.code, code);
            }, |parts| match F::OPERANDS[N].class(parts) {
                class::INDIRECT => 1 + usize::from(F::OPERANDS[N].has_addresses(parts)),
                class::IMMEDIATE => 3,
                _ => 0,
            };
        }
        one {
            lens F::NAMES[N].stride, &["1", "2", "4"], &[3, 1, 1],
                Code(F::OPERANDS[N].fields.horz_stride), Known(&[2, 3, 4]);
        }
        each {
            wish F::NAMES[N].region[0], &["free", "contiguous", "one element"], &[6, 4, 1],
                |parts| match F::OPERANDS[N].region(parts) {
                [0, 1, 0] => 2,
                [vert, width, horz] => usize::from(vert == width && (horz == 1 || width == 1)),
            };
            lens F::NAMES[N].region[1], &["0", "1", "2", "4", "8", "16", "32"], &[],
                Code(F::OPERANDS[N].fields.vert_stride), Known(&[1, 2, 3, 4, 5, 6, 7]);
            lens F::NAMES[N].region[2], &["1", "2", "4", "8", "16"], &[],
                Code(F::OPERANDS[N].fields.width), Known(&[2, 3, 4, 5, 6]);
            lens F::NAMES[N].region[3], &["1", "0", "2", "4"], &[],
                Code(F::OPERANDS[N].fields.horz_stride), Known(&[2, 1, 3, 4]);
        }
        // The variable of the destination; those of the sources are others.
        one {
            axis "dst_variable", &["V32", "V33", "V34", "V35"], &[], |parts, first, noise| {
                let mut taken = [false; NUM_GENERAL];
                let mut variable = first;
                for operand in F::OPERANDS {
                    while std::mem::replace(&mut taken[variable], true) {
                        variable = (first + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
                    }
                    operand.fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
                }
            }, |parts| F::OPERANDS[N].entry(parts);
        }
        all {
            wish F::NAMES[N].place[0], &["0", "1", "few", "many"], &[3, 2, 2, 1],
                |parts| match F::OPERANDS[N].fields.row_offset.get(parts.code) {
                row @ 0..2 => row as usize,
                row => 2 + usize::from(row >= 8),
            };
            wish F::NAMES[N].place[1], &["0", "last", "ends with a register", "any"], &[2, 2, 1, 3],
                column_level::<F, N>;
            wish F::NAMES[N].place[2], &["as needed", "whole registers", "roomy"], &[], extent_level::<F, N>;
            wish F::NAMES[N].place[3], &["first", "last", "any"], &[1, 1, 4], place_level::<F, N>;
        }
        // How the destination lies to the first source; how indirect operands are addressed; the value of an immediate source,
        // the first that there may be, and the bits above it; whether what is not read is fresh; which rule is broken.
        one {
            wish "overlap", &["none", "same start", "destination above", "destination below", "same variable"],
                &[6, 1, 1, 1, 1], overlap_level::<F>;
            wish "address_variable", &["A0", "A1"], &[],
                |parts| of_indirect::<F>(parts, |operand| operand.address(parts).0);
            wish "address_element", &["0", "last", "any"], &[2, 1, 2], |parts| {
                let has_addresses = F::OPERANDS.iter().find(|operand| operand.has_addresses(parts));
                let rows = has_addresses.map_or(1, |operand| operand.rows(parts).0);
                of_indirect::<F>(parts, |operand| match operand.fields.addr_offset.get(parts.code) {
                    0 => 0,
                    first => 1 + usize::from(first + rows != narrow(ADDRESS_ELEMENTS)),
                })
            };
            wish "indirect_offset", &["0", "positive", "negative", "least", "greatest"], &[2, 2, 2, 1, 1], |parts| {
                of_indirect::<F>(parts, |operand| match indirect_offset(&operand.fields, parts.code) {
                    0 => 0,
                    ..=-512 => 3,
                    504.. => 4,
                    1.. => 1,
                    _ => 2,
                })
            };
            wish "immediate", &["zero", "one", "corner", "any"], &[1, 1, 4, 3], |parts| {
                Some(F::OPERANDS[1].constant(parts) as usize).filter(|&value| value < 2).unwrap_or(3)
            };
            wish "immediate_upper_bits", &["zero", "sign", "any"], &[], |parts| {
                let bits = F::OPERANDS[1].data_type(parts).bits().min(32);
                match (F::OPERANDS[1].constant(parts) as u32).checked_shr(bits).unwrap_or(0) {
                    0 => 0,
                    upper => 1 + usize::from(upper != u32::MAX >> bits),
                }
            };
            wish "bystanders", &["background", "fresh"], &[], |_| 0;
            wish "region_rule", &["kept", "width above execution size", "more than two registers",
                "source out of bounds", "destination out of bounds", "destination stride 0",
                "column offset beyond a register", "misaligned address", "address outside every variable",
                "indirect offset out of range", "stride or width without a meaning"],
                &[118, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], |_| 0;
            wish "encoding_rule", &["kept", "execution size", "mask", "predication control", "P0 with control bits",
                "modifier", "operand class", "undeclared variable", "unnamed bits"],
                &[120, 1, 1, 1, 1, 1, 1, 1, 1], |_| 0;
        }
        one (PLATFORM)
        one ([ROW_SHAPE])
    }
}
