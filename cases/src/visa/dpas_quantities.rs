//! The quantities of `DPAS`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use std::ops::Range;

use tandem_isa::visa::operand::SRC2;
use tandem_isa::visa::operand::dpas::{A, DST, NULL_VARIABLE, RC, SRC0, SRC1, W};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, FIRST_GENERAL};
use tandem_isa::{CodeField, Parts, Quantity};

use super::case::{entry, narrow, small};
use super::dpas_axes::{dst_type, src0_type, type_of, variables};
use super::dpas_operands::{Shape, at, starts};
use super::dpas_pairs::{Pair, activations, pair, weights};
use super::operand_quantities::{
    KIND_NAMES, Operand, TYPE_NAMES, another, byte_in_register, extent_of, first_register, free_place, hold, is_inside,
    kind_code, of_bytes, of_kind, overlaps, put_byte_in_register, put_first_register, put_overlaps, register,
    registers_touched, settable, type_quantities,
};
use crate::quantity::{NONE, join, total};

const LISTS: &[&[Quantity]] = &[
    PRECISIONS,
    &type_quantities!("Dst", dst_type, put_type::<Dst>),
    SUMS,
    &type_quantities!("Src1", src1_type, put_type::<Src1>),
    &type_quantities!("Src2", src2_type, put_type::<Src2>),
    OVERLAPS,
    PLACES,
];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<_, { total(LISTS) }>(NONE, LISTS);

// ------------------------------------------------------------------------------------------------ the operands

struct Dst;
struct Src0;
struct Src1;
struct Src2;

macro_rules! operand {
    ($operand:ty, $at:expr, $id:expr, $shift:expr) => {
        impl Operand for $operand {
            fn start(parts: &Parts<'_>) -> Option<usize> {
                starts(parts)[$at]
            }

            fn span(parts: &Parts<'_>) -> usize {
                Shape::of(parts).bytes[$at]
            }

            fn variable(parts: &Parts<'_>) -> Option<usize> {
                let id = $id.get(parts.code);
                (id != NULL_VARIABLE).then(|| entry(id))
            }

            fn shift(parts: &mut Parts<'_>, by: i32) {
                let shift: fn(&mut Parts<'_>, i32) = $shift;
                shift(parts, by);
            }
        }
    };
}
operand!(Dst, at::DST, DST.id, |parts, by| shift_offset(parts, DST.offset, by));
operand!(Src0, at::SRC0, SRC0.id, |parts, by| shift_offset(parts, SRC0.offset, by));
operand!(Src1, at::SRC1, SRC1.id, |parts, by| shift_offset(parts, SRC1.offset, by));
operand!(Src2, at::SRC2, SRC2.id, |parts, by| {
    let register = register(parts);
    let lead = SRC2.row_offset.get(parts.code) as usize * register + SRC2.col_offset.get(parts.code) as usize * 4;
    let Ok(lead) = usize::try_from(narrow(lead).cast_signed() + by) else { return };
    let (row, byte) = (lead / register, lead % register);
    if row < 256 && byte.is_multiple_of(4) {
        SRC2.row_offset.set(parts.code, narrow(row));
        SRC2.col_offset.set(parts.code, narrow(byte / 4));
    }
});

fn shift_offset(parts: &mut Parts<'_>, offset: CodeField, by: i32) {
    if let Some(moved @ 0..0x1_0000) = offset.get(parts.code).checked_add_signed(by) {
        offset.set(parts.code, moved);
    }
}

/// Gives the variable of an operand a type, and room for it.
fn put_type<O: Operand>(parts: &mut Parts<'_>, data_type: DataType) {
    let Some(variable) = O::variable(parts) else { return };
    let was_inside = is_inside::<O>(parts);
    small(parts).variables[variable].data_type = data_type.code() as u16;
    if was_inside && !is_inside::<O>(parts) {
        hold::<O>(parts);
    }
}

fn src1_type(parts: &Parts<'_>) -> DataType {
    type_of(parts, SRC1.id.get(parts.code))
}

fn src2_type(parts: &Parts<'_>) -> DataType {
    type_of(parts, SRC2.id.get(parts.code))
}

// ------------------------------------------------------------------------------------------------ precisions

const PAIRS: &[&str] = &["no such pair", "integers", "integers, one bit", "bf", "hf", "tf32", "8-bit floats"];
const PRECISION_KINDS: &[&str] = &["unsigned", "signed", "float", "no precision"];

/// What the precisions of weights and activations are.
const PRECISIONS: &[Quantity] = &[
    settable!("pair of precisions", 3, PAIRS, pair_code, put_pair),
    settable!(
        "precisions of Src1 and Src2",
        1,
        &["different", "the same"],
        |parts| { u32::from(W.get(parts.code) == A.get(parts.code)) },
        |parts, value| {
            let activations = A.get(parts.code);
            let other = other_sign(Precision::of_code(activations)).code();
            W.set(parts.code, if value == 1 { activations } else { other });
        }
    ),
    settable!("bits of an element of Src1", 6, |parts| bits(weights(parts)), |parts, value| put_bits(parts, W, value)),
    settable!("bits of an element of Src2", 6, |parts| bits(activations(parts)), |parts, value| put_bits(
        parts, A, value
    )),
    settable!("kind of elements of Src1", 2, PRECISION_KINDS, |parts| kind(weights(parts)), |parts, value| put_kind(
        parts, W, value
    )),
    settable!("kind of elements of Src2", 2, PRECISION_KINDS, |parts| kind(activations(parts)), |parts, value| {
        put_kind(parts, A, value)
    }),
];

/// The integer of the other sign; of what is none, one.
fn other_sign(precision: Option<Precision>) -> Precision {
    let is_other =
        |known: &Precision| bits(Some(*known)) == bits(precision) && kind(Some(*known)) + kind(precision) == 1;
    Precision::ALL.into_iter().find(is_other).unwrap_or(Precision::S8)
}

fn pair_code(parts: &Parts<'_>) -> u32 {
    match pair(parts) {
        Pair::None => 0,
        Pair::Integer => 1,
        Pair::OneBit => 2,
        Pair::Bf => 3,
        Pair::Hf => 4,
        Pair::Tf32 => 5,
        Pair::Fp8 => 6,
    }
}

/// Both precisions, and where the types were right for the pair before, types that are right for the new one.
fn put_pair(parts: &mut Parts<'_>, value: u32) {
    let legal = pair(parts).types();
    let (w, a) = match value {
        0 => (Precision::S8, Precision::Bf),
        1 => (Precision::S8, Precision::S8),
        2 => (Precision::S1, Precision::S1),
        3 => (Precision::Bf, Precision::Bf),
        4 => (Precision::Hf, Precision::Hf),
        5 => (Precision::Tf32, Precision::Tf32),
        6 => (Precision::Bf8, Precision::Bf8),
        _ => return,
    };
    W.set(parts.code, w.code());
    A.set(parts.code, a.code());
    let now_legal = pair(parts).types();
    let replaced = |data_type: DataType| legal.contains(&data_type) && !now_legal.contains(&data_type);
    if replaced(dst_type(parts)) {
        put_type::<Dst>(parts, now_legal[0]);
    }
    if src0_type(parts).is_some_and(replaced) {
        put_type::<Src0>(parts, now_legal[0]);
    }
    hold_inside::<Src1>(parts);
    hold_inside::<Src2>(parts);
}

/// Gives an operand that has become larger the room that it needs.
fn hold_inside<O: Operand>(parts: &mut Parts<'_>) {
    if !is_inside::<O>(parts) {
        hold::<O>(parts);
    }
}

/// The bits of an element; 0 of no precision.
fn bits(precision: Option<Precision>) -> u32 {
    precision.map_or(0, Precision::bits)
}

fn kind(precision: Option<Precision>) -> u32 {
    match precision.map(Precision::kind) {
        Some(PrecisionKind::Unsigned) => 0,
        Some(PrecisionKind::Signed) => 1,
        Some(PrecisionKind::Float) => 2,
        None => 3,
    }
}

/// Gives an operand the first precision that is wanted, of those of its own kind before others.
fn put_precision(
    parts: &mut Parts<'_>,
    field: CodeField,
    is_wanted: impl Fn(Precision) -> bool,
    is_like: impl Fn(Precision) -> bool,
) {
    let wanted = || Precision::ALL.into_iter().filter(|&known| is_wanted(known));
    if let Some(precision) = wanted().find(|&known| is_like(known)).or_else(|| wanted().next()) {
        field.set(parts.code, precision.code());
    }
}

fn put_bits(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    let now = Precision::of_code(field.get(parts.code));
    put_precision(parts, field, |known| known.bits() == value, |known| kind(Some(known)) == kind(now));
    hold_inside::<Src1>(parts);
    hold_inside::<Src2>(parts);
}

fn put_kind(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    let now = Precision::of_code(field.get(parts.code));
    put_precision(parts, field, |known| kind(Some(known)) == value, |known| known.bits() == bits(now));
    hold_inside::<Src1>(parts);
    hold_inside::<Src2>(parts);
}

// ------------------------------------------------------------------------------------------------ sums

/// The code of a null accumulator among those of types.
const NULL_TYPE: u32 = 16;

const SRC0_NAMES: [&str; 17] = {
    let mut names = ["null"; 17];
    names.first_chunk_mut::<16>().expect("there are seventeen").copy_from_slice(&TYPE_NAMES);
    names
};

/// The accumulator.
const SUMS: &[Quantity] = &[
    settable!("type of Src0", 5, &SRC0_NAMES, src0_code, put_src0),
    settable!(
        "types of Dst and Src0",
        2,
        &["different", "the same", "no Src0"],
        |parts| match src0_type(parts) {
            Some(data_type) => u32::from(data_type == dst_type(parts)),
            None => 2,
        },
        |parts, value| {
            let dst = dst_type(parts);
            let code = [another(dst).code(), dst.code(), NULL_TYPE].get(value as usize).copied();
            code.into_iter().for_each(|code| put_src0(parts, code));
        }
    ),
];

fn src0_code(parts: &Parts<'_>) -> u32 {
    src0_type(parts).map_or(NULL_TYPE, DataType::code)
}

fn put_src0(parts: &mut Parts<'_>, value: u32) {
    let is_null = src0_type(parts).is_none();
    match (value, variables(parts)) {
        (NULL_TYPE, _) => SRC0.id.set(parts.code, NULL_VARIABLE),
        (0..NULL_TYPE, _) if !is_null => put_type::<Src0>(parts, DataType::of_code(value)),
        (0..NULL_TYPE, Some(places)) => {
            let others = [extent_of::<Dst>(parts), extent_of::<Src1>(parts), extent_of::<Src2>(parts)];
            SRC0.id.set(parts.code, FIRST_GENERAL + narrow(places[at::SRC0]));
            SRC0.offset.set(parts.code, 0);
            let declared = &mut small(parts).variables[places[at::SRC0]];
            (declared.data_type, declared.num_elements, declared.offset) = (value as u16, 1, 0);
            let start = free_place(parts, Src0::span(parts), &others).unwrap_or(0);
            small(parts).variables[places[at::SRC0]].offset = start as u16;
            hold::<Src0>(parts);
        }
        _ => {}
    }
}

// ------------------------------------------------------------------------------------------------ overlap

/// What other operands the destination shares bytes with.
const OVERLAPS: &[Quantity] = &[
    settable!("Dst overlaps Src0", 1, overlaps::<Dst, Src0>, |parts, value| {
        let sources = sources(parts);
        put_overlaps::<Dst, Src0>(parts, value, &sources);
    }),
    settable!("Dst overlaps Src1", 1, overlaps::<Dst, Src1>, |parts, value| {
        let sources = sources(parts);
        put_overlaps::<Dst, Src1>(parts, value, &sources);
    }),
    settable!("Dst overlaps Src2", 1, overlaps::<Dst, Src2>, |parts, value| {
        let sources = sources(parts);
        put_overlaps::<Dst, Src2>(parts, value, &sources);
    }),
];

fn sources(parts: &Parts<'_>) -> [Option<Range<usize>>; 3] {
    [extent_of::<Src0>(parts), extent_of::<Src1>(parts), extent_of::<Src2>(parts)]
}

// ------------------------------------------------------------------------------------------------ places

/// Where operands lie. All but `Src2` begin where a register does.
const PLACES: &[Quantity] = &[
    settable!("byte of a register at which Src2 begins", 6, byte_in_register::<Src2>, put_byte_in_register::<Src2>),
    settable!("registers that Dst touches", 9, registers_touched::<Dst>, put_registers::<Dst>),
    settable!("registers that Src0 touches", 9, registers_touched::<Src0>, put_registers::<Src0>),
    settable!("registers that Src1 touches", 9, registers_touched::<Src1>, put_registers::<Src1>),
    settable!("registers that Src2 touches", 9, registers_touched::<Src2>, put_registers::<Src2>),
    settable!("register at which Dst begins", 12, first_register::<Dst>, put_first_register::<Dst>),
    settable!("register at which Src0 begins", 12, first_register::<Src0>, put_first_register::<Src0>),
    settable!("register at which Src1 begins", 12, first_register::<Src1>, put_first_register::<Src1>),
    settable!("register at which Src2 begins", 12, first_register::<Src2>, put_first_register::<Src2>),
];

/// Lets an operand touch as many registers as asked for by how often the instruction repeats.
fn put_registers<O: Operand>(parts: &mut Parts<'_>, value: u32) {
    let was_inside = is_inside::<O>(parts);
    for repeats in (1..=8).rev() {
        RC.set(parts.code, repeats);
        if registers_touched::<O>(parts) == value {
            break;
        }
    }
    if was_inside {
        hold_inside::<Dst>(parts);
        hold_inside::<Src0>(parts);
        hold_inside::<Src2>(parts);
    }
}

#[cfg(test)]
mod tests {
    use super::super::dpas::DPAS;
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};
    use tandem_isa::visa::VISA;

    /// `bf` times `bf`, four times, in eight channels: `F` of `V32` from the third register of `V32` on.
    const CASE: &[(&str, u32)] = &[
        ("W", 9),
        ("A", 9),
        ("RC", 4),
        ("Dst.offset", 64),
        ("Src0.id", 0),
        ("Src2.col_offset", 5),
        ("V32.type", 7),
        ("V35.type", 1),
    ];

    #[test]
    fn precisions_types_and_places_are_those_of_the_operands() {
        assert_values(
            &VISA,
            &DPAS,
            CASE,
            &[
                ("pair of precisions", 3),
                ("precisions of Src1 and Src2", 1),
                ("bits of an element of Src1", 16),
                ("kind of elements of Src2", 2),
                ("type of Dst", 7),
                ("type of Src0", NULL_TYPE),
                ("types of Dst and Src0", 2),
                ("type of Src2", 1),
                ("registers that Dst touches", 4),
                ("registers that Src0 touches", 0),
                ("registers that Src1 touches", 8),
                // Four rows of 32 bytes from byte 20 on.
                ("registers that Src2 touches", 5),
                ("byte of a register at which Src2 begins", 20),
                ("register at which Dst begins", 2),
                ("register at which Src2 begins", 96),
                ("Dst overlaps Src1", 0),
            ],
        );
    }

    #[test]
    fn a_null_accumulator_gets_a_place_that_nobody_has() {
        with_case(&VISA, &DPAS, CASE, |parts| {
            assert!((quantity(&DPAS, "type of Src0").set)(parts, DataType::F.code()));
            assert!(is_inside::<Src0>(parts));
            assert_eq!((Src0::span(parts), overlaps::<Dst, Src0>(parts)), (128, 0));
            assert!((quantity(&DPAS, "Dst overlaps Src0").set)(parts, 1));
            assert!((quantity(&DPAS, "Dst overlaps Src0").set)(parts, 0));
            assert!((quantity(&DPAS, "type of Src0").set)(parts, NULL_TYPE));
            assert_eq!(SRC0.id.get(parts.code), NULL_VARIABLE);
        });
    }
}
