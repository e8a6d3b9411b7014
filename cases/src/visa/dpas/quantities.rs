//! The quantities of `DPAS`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use super::*;

const LISTS: &[&[Quantity]] = &[
    PAIR,
    &type_quantities::<Dpas, { at::DST }>(),
    SUMS,
    &type_quantities::<Dpas, { at::SRC1 }>(),
    &type_quantities::<Dpas, { at::SRC2 }>(),
    &overlap_quantity::<Dpas, { at::SRC0 }>(),
    &overlap_quantity::<Dpas, { at::SRC1 }>(),
    &overlap_quantity::<Dpas, { at::SRC2 }>(),
    PLACES,
];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<_, { total(LISTS) }>(NONE, LISTS);

/// What pairs of precisions there are, and one of each.
const EXAMPLES: [(Pair, Precision, Precision); 7] = [
    (Pair::None, Precision::S8, Precision::Bf),
    (Pair::Integer, Precision::S8, Precision::S8),
    (Pair::OneBit, Precision::S1, Precision::S1),
    (Pair::Bf, Precision::Bf, Precision::Bf),
    (Pair::Hf, Precision::Hf, Precision::Hf),
    (Pair::Tf32, Precision::Tf32, Precision::Tf32),
    (Pair::Fp8, Precision::Bf8, Precision::Bf8),
];

const KINDS: &[&str] = &["unsigned", "signed", "float", "no precision"];

/// What the precisions of weights and activations are.
const PAIR: &[Quantity] = &quantities! {
    "pair of precisions", 3, |parts| {
        let pair = pair(parts);
        narrow(EXAMPLES.iter().position(|&(known, ..)| known == pair).expect("these are all pairs"))
    }, put_pair, &["no such pair", "integers", "integers, one bit", "bf", "hf", "tf32", "8-bit floats"];
    "precisions of Src1 and Src2", 1, |parts| u32::from(W.get(parts.code) == A.get(parts.code)), |parts, value| {
        let activations = A.get(parts.code);
        let other = other_sign(Precision::of_code(activations)).code();
        W.set(parts.code, if value == 1 { activations } else { other });
    }, &["different", "the same"];
    "bits of an element of Src1", 6, |parts| bits(weights(parts)),
        |parts, value| put_precision(parts, W, bits, value, kind);
    "bits of an element of Src2", 6, |parts| bits(activations(parts)),
        |parts, value| put_precision(parts, A, bits, value, kind);
    "kind of elements of Src1", 2, |parts| kind(weights(parts)),
        |parts, value| put_precision(parts, W, kind, value, bits), KINDS;
    "kind of elements of Src2", 2, |parts| kind(activations(parts)),
        |parts, value| put_precision(parts, A, kind, value, bits), KINDS;
};

/// The integer of the other sign; of what is none, one.
fn other_sign(precision: Option<Precision>) -> Precision {
    let is_other =
        |known: &Precision| bits(Some(*known)) == bits(precision) && kind(Some(*known)) + kind(precision) == 1;
    Precision::ALL.into_iter().find(is_other).unwrap_or(Precision::S8)
}

/// Both precisions, and where the types were right for the pair before, types that are right for the new one.
fn put_pair(parts: &mut Parts<'_>, value: u32) {
    let Some(&(now, w, a)) = EXAMPLES.get(value as usize) else { return };
    let (legal, now_legal) = (pair(parts).types(), now.types());
    put(parts.code, [(W, w.code()), (A, a.code())]);
    for operand in [DST, SRC0] {
        let data_type = operand.data_type(parts);
        if !operand.is_null(parts) && legal.contains(&data_type) && !now_legal.contains(&data_type) {
            operand.put_type(parts, now_legal[0]);
        }
    }
    SRC1.hold_inside(parts);
    SRC2.hold_inside(parts);
}

/// The bits of an element; 0 of no precision.
fn bits(precision: Option<Precision>) -> u32 {
    precision.map_or(0, Precision::bits)
}

/// The place of its kind among [`KINDS`].
fn kind(precision: Option<Precision>) -> u32 {
    match precision.map(Precision::kind) {
        Some(PrecisionKind::Unsigned) => 0,
        Some(PrecisionKind::Signed) => 1,
        Some(PrecisionKind::Float) => 2,
        None => 3,
    }
}

type Number = fn(Option<Precision>) -> u32;

/// Gives weights or activations the first precision of which a number is wanted, of those that are like their own in another
/// before others.
fn put_precision(parts: &mut Parts<'_>, field: CodeField, of: Number, value: u32, like: Number) {
    let now = like(Precision::of_code(field.get(parts.code)));
    let wanted = || Precision::ALL.into_iter().filter(|&known| of(Some(known)) == value);
    if let Some(precision) = wanted().find(|&known| like(Some(known)) == now).or_else(|| wanted().next()) {
        field.set(parts.code, precision.code());
    }
    SRC1.hold_inside(parts);
    SRC2.hold_inside(parts);
}

/// The code of a null accumulator among those of types.
const NULL_TYPE: u32 = 16;

const SRC0_NAMES: [&str; 17] = {
    let mut names = ["null"; 17];
    names.first_chunk_mut::<16>().expect("there are seventeen").copy_from_slice(&TYPE_NAMES);
    names
};

/// The accumulator.
const SUMS: &[Quantity] = &quantities! {
    "type of Src0", 5, |parts| src0_type(parts).map_or(NULL_TYPE, DataType::code), put_src0, &SRC0_NAMES;
    "types of Dst and Src0", 2,
        |parts| src0_type(parts).map_or(2, |data_type| u32::from(data_type == DST.data_type(parts))), |parts, value| {
            let dst = DST.data_type(parts);
            let code = [another(dst).code(), dst.code(), NULL_TYPE].get(value as usize).copied();
            code.into_iter().for_each(|code| put_src0(parts, code));
        }, &["different", "the same", "no Src0"];
};

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
        [DST, SRC0, SRC2].iter().for_each(|operand| operand.hold_inside(parts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};

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
        let values = [
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
        ];
        assert_values(VISA.machine, &DPAS, CASE, &values);
    }

    #[test]
    fn a_null_accumulator_gets_a_place_that_nobody_has() {
        with_case(VISA.machine, &DPAS, CASE, |parts| {
            assert!(quantity(&DPAS, "type of Src0").set(parts, DataType::F.code()));
            assert!(SRC0.is_inside(parts));
            assert_eq!((SRC0.span(parts), DST.overlaps(&SRC0, parts)), (128, 0));
            for (name, value) in [("Dst overlaps Src0", 1), ("Dst overlaps Src0", 0), ("type of Src0", NULL_TYPE)] {
                assert!(quantity(&DPAS, name).set(parts, value));
            }
            assert_eq!(SRC0.id.get(parts.code), NULL_VARIABLE);
        });
    }
}
