//! The quantities of `DPAS`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::lists::{join, total};
use tandem_isa::visa::operand::dpas::{A, NULL_VARIABLE, RC, W};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, TYPE_NAMES};
use tandem_isa::{Parts, Quantity};

use super::case::small;
use super::dpas_axes::variables;
use super::dpas_operands::{DST, Dpas, SRC0, SRC1, SRC2, at, src0_type};
use super::dpas_pairs::{Pair, pair};
use super::operand::{Operand, another, free_place, overlap_quantity, place_quantities, type_quantities};
use super::raw::Raw;
use crate::quantity::NONE;

const LISTS: &[&[Quantity]] = &[
    PRECISIONS,
    &type_quantities::<Dpas, { at::DST }>(),
    SUMS,
    &type_quantities::<Dpas, { at::SRC1 }>(),
    &type_quantities::<Dpas, { at::SRC2 }>(),
    OVERLAPS,
    PLACES,
];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<_, { total(LISTS) }>(NONE, LISTS);

// ------------------------------------------------------------------------------------------------ precisions

/// What the precisions of weights and activations are.
const PRECISIONS: &[Quantity] = &[
    Quantity::new("pair of precisions", 3, pair_code, put_pair).named(&[
        "no such pair",
        "integers",
        "integers, one bit",
        "bf",
        "hf",
        "tf32",
        "8-bit floats",
    ]),
    Quantity::new(
        "precisions of Src1 and Src2",
        1,
        |parts| u32::from(W.get(parts.code) == A.get(parts.code)),
        |parts, value| {
            let activations = A.get(parts.code);
            let other = other_sign(Precision::of_code(activations)).code();
            W.set(parts.code, if value == 1 { activations } else { other });
        },
    )
    .named(&["different", "the same"]),
    bits_quantity::<0>("bits of an element of Src1"),
    bits_quantity::<1>("bits of an element of Src2"),
    kind_quantity::<0>("kind of elements of Src1"),
    kind_quantity::<1>("kind of elements of Src2"),
];

/// The bits of an element of weights or of activations.
const fn bits_quantity<const FACTOR: usize>(name: &'static str) -> Quantity {
    Quantity::new(
        name,
        6,
        |parts| bits(factor(parts, FACTOR)),
        |parts, value| {
            let now = kind(factor(parts, FACTOR));
            put_precision(parts, FACTOR, |known| bits(known) == value, |known| kind(known) == now);
        },
    )
}

/// What kind of number it is.
const fn kind_quantity<const FACTOR: usize>(name: &'static str) -> Quantity {
    Quantity::new(
        name,
        2,
        |parts| kind(factor(parts, FACTOR)),
        |parts, value| {
            let now = bits(factor(parts, FACTOR));
            put_precision(parts, FACTOR, |known| kind(known) == value, |known| bits(known) == now);
        },
    )
    .named(&["unsigned", "signed", "float", "no precision"])
}

/// The precision of weights or of activations.
fn factor(parts: &Parts<'_>, factor: usize) -> Option<Precision> {
    Precision::of_code([W, A][factor].get(parts.code))
}

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
    if replaced(DST.data_type(parts)) {
        DST.put_type(parts, now_legal[0]);
    }
    if src0_type(parts).is_some_and(replaced) {
        SRC0.put_type(parts, now_legal[0]);
    }
    SRC1.hold_inside(parts);
    SRC2.hold_inside(parts);
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

/// Gives weights or activations the first precision that is wanted, of those that are like their own before others.
fn put_precision(
    parts: &mut Parts<'_>,
    factor: usize,
    is_wanted: impl Fn(Option<Precision>) -> bool,
    is_like: impl Fn(Option<Precision>) -> bool,
) {
    let wanted = || Precision::ALL.into_iter().filter(|&known| is_wanted(Some(known)));
    if let Some(precision) = wanted().find(|&known| is_like(Some(known))).or_else(|| wanted().next()) {
        [W, A][factor].set(parts.code, precision.code());
    }
    SRC1.hold_inside(parts);
    SRC2.hold_inside(parts);
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
    Quantity::new("type of Src0", 5, src0_code, put_src0).named(&SRC0_NAMES),
    Quantity::new(
        "types of Dst and Src0",
        2,
        |parts| match src0_type(parts) {
            Some(data_type) => u32::from(data_type == DST.data_type(parts)),
            None => 2,
        },
        |parts, value| {
            let dst = DST.data_type(parts);
            let code = [another(dst).code(), dst.code(), NULL_TYPE].get(value as usize).copied();
            code.into_iter().for_each(|code| put_src0(parts, code));
        },
    )
    .named(&["different", "the same", "no Src0"]),
];

fn src0_code(parts: &Parts<'_>) -> u32 {
    src0_type(parts).map_or(NULL_TYPE, DataType::code)
}

fn put_src0(parts: &mut Parts<'_>, value: u32) {
    match (value, variables(parts)) {
        (NULL_TYPE, _) => SRC0.id.set(parts.code, NULL_VARIABLE),
        (0..NULL_TYPE, _) if !SRC0.is_null(parts) => SRC0.put_type(parts, DataType::of_code(value)),
        (0..NULL_TYPE, Some(places)) => {
            let variable = places[at::SRC0];
            SRC0.set_entry(parts, variable);
            SRC0.set_lead(parts, 0);
            let declared = &mut small(parts).variables[variable];
            (declared.data_type, declared.num_elements, declared.offset) = (value as u16, 1, 0);
            let start = free_place(parts, SRC0.span(parts), &[DST, SRC1, SRC2]).unwrap_or(0);
            small(parts).variables[variable].offset = start as u16;
            SRC0.hold(parts);
        }
        _ => {}
    }
}

// ------------------------------------------------------------------------------------------------ places

/// What other operands the destination shares bytes with.
const OVERLAPS: &[Quantity] = &[
    overlap_quantity::<Dpas, { at::SRC0 }>(),
    overlap_quantity::<Dpas, { at::SRC1 }>(),
    overlap_quantity::<Dpas, { at::SRC2 }>(),
];

/// Where operands lie. All but `Src2` begin where a register does.
const PLACES: &[Quantity] = {
    let [_, dst, dst_register, _] = place_quantities::<Dpas, { at::DST }>();
    let [_, src0, src0_register, _] = place_quantities::<Dpas, { at::SRC0 }>();
    let [_, src1, src1_register, _] = place_quantities::<Dpas, { at::SRC1 }>();
    let [byte, src2, src2_register, _] = place_quantities::<Dpas, { at::SRC2 }>();
    &[byte, dst, src0, src1, src2, dst_register, src0_register, src1_register, src2_register]
};

/// Lets an operand touch as many registers as asked for by how often the instruction repeats.
pub(super) fn put_registers(parts: &mut Parts<'_>, operand: &Raw, value: u32) {
    let was_inside = operand.is_inside(parts);
    for repeats in (1..=8).rev() {
        RC.set(parts.code, repeats);
        if operand.registers_touched(parts) == value {
            break;
        }
    }
    if was_inside {
        for operand in [DST, SRC0, SRC2] {
            operand.hold_inside(parts);
        }
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
            assert!(quantity(&DPAS, "type of Src0").set(parts, DataType::F.code()));
            assert!(SRC0.is_inside(parts));
            assert_eq!((SRC0.span(parts), DST.overlaps(&SRC0, parts)), (128, 0));
            assert!(quantity(&DPAS, "Dst overlaps Src0").set(parts, 1));
            assert!(quantity(&DPAS, "Dst overlaps Src0").set(parts, 0));
            assert!(quantity(&DPAS, "type of Src0").set(parts, NULL_TYPE));
            assert_eq!(SRC0.id.get(parts.code), NULL_VARIABLE);
        });
    }
}
