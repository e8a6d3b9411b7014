//! The quantities of vector operands: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::visa::operand::{REGION_CODES, RegionCode, class, region_code};
use tandem_isa::{CodeField, Parts, Quantity};

use super::case::narrow;
use super::channels::put_channels;
use super::form::Form;
use super::operand::{Operand, another, of_bytes, overlap_quantity};
use super::vector::{Vector, exec_size};

// ------------------------------------------------------------------------------------------------ addressing

fn addressing(operand: &Vector, parts: &Parts<'_>) -> u32 {
    match operand.class(parts) {
        class::GENERAL => 0,
        class::INDIRECT => 1 + u32::from(operand.has_addresses(parts)),
        class::IMMEDIATE => 3,
        class::PREDICATE => 4,
        _ => 5,
    }
}

/// Lets an operand name its elements in another way; where it can, these stay.
fn put_addressing<F: Form, const N: usize>(parts: &mut Parts<'_>, value: u32) {
    let operand = &F::OPERANDS[N];
    let others = F::OPERANDS.iter().enumerate().filter_map(|(number, other)| (number != N).then_some(other));
    match (operand.class(parts), value) {
        (class::IMMEDIATE, 0..=2) => {
            operand.make_direct(parts, others.clone());
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
pub(super) const fn addressing_quantity<F: Form, const N: usize>() -> [Quantity; 1] {
    const NAMES: &[&str] =
        &["direct", "indirect, one address", "indirect, an address a row", "immediate", "predicate", "another class"];
    let get = |parts: &Parts<'_>| addressing(&F::OPERANDS[N], parts);
    [Quantity::new(F::NAMES[N].addressing, 3, get, put_addressing::<F, N>).named(NAMES)]
}

/// The number of channels.
pub(super) const fn channels_quantity<F: Form>() -> Quantity {
    Quantity::new("channels", 6, exec_size, |parts, value| put_channels(parts, F::OPERANDS, value))
}

// ------------------------------------------------------------------------------------------------ two operands

/// How the types of the destination go with those of a source, and whether the two share bytes.
pub(super) const fn pair_quantities<F: Form, const N: usize>() -> [Quantity; 3] {
    let [widths, types, _] = F::NAMES[N].pair;
    [
        Quantity::new(
            widths,
            2,
            |parts| {
                let [dst, src] = [0, N].map(|operand| F::OPERANDS[operand].data_type(parts).bytes());
                (1 + dst.cmp(&src) as i32).cast_unsigned()
            },
            |parts, value| {
                let [dst, src] = [0, N].map(|operand| F::OPERANDS[operand].data_type(parts));
                let bytes = narrow(src.bytes());
                let wanted = [bytes / 2, bytes, bytes * 2].get(value as usize).copied();
                if let Some(data_type) = wanted.and_then(|bytes| of_bytes(dst, bytes)) {
                    F::OPERANDS[0].put_type(parts, data_type);
                }
            },
        )
        .named(&["narrower", "as wide", "wider"]),
        Quantity::new(
            types,
            1,
            |parts| u32::from(F::OPERANDS[0].data_type(parts) == F::OPERANDS[N].data_type(parts)),
            |parts, value| {
                let data_type = F::OPERANDS[N].data_type(parts);
                F::OPERANDS[0].put_type(parts, if value == 1 { data_type } else { another(data_type) });
            },
        )
        .named(&["different", "the same"]),
        overlap_quantity::<F, N>(),
    ]
}

// ------------------------------------------------------------------------------------------------ regions

/// The value of a stride or width that is no number of elements, or of an operand without a region.
const NO_STRIDE: u32 = 63;

fn stride(operand: &Vector, parts: &Parts<'_>, field: CodeField) -> u32 {
    match REGION_CODES[field.get(parts.code) as usize] {
        RegionCode::Elements(elements) if operand.has_region(parts) => elements,
        _ => NO_STRIDE,
    }
}

fn put_stride(operand: &Vector, parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if let (true, Some(code)) = (operand.has_region(parts), region_code(value)) {
        operand.reshape(parts, |parts| field.set(parts.code, code));
    }
}

/// A quantity of a stride or a width, which is a field of the operand.
macro_rules! stride {
    ($form:ident, $n:ident, $name:expr, $field:ident) => {
        Quantity::new(
            $name,
            6,
            |parts| stride(&$form::OPERANDS[$n], parts, $form::OPERANDS[$n].fields.$field),
            |parts, value| put_stride(&$form::OPERANDS[$n], parts, $form::OPERANDS[$n].fields.$field, value),
        )
    };
}

/// The horizontal stride of an operand.
pub(super) const fn horz_stride_quantity<F: Form, const N: usize>() -> Quantity {
    stride!(F, N, F::NAMES[N].shape[1], horz_stride)
}

/// The strides and the width of a source.
pub(super) const fn stride_quantities<F: Form, const N: usize>() -> [Quantity; 3] {
    let [_, _, vert, width] = F::NAMES[N].shape;
    [stride!(F, N, vert, vert_stride), stride!(F, N, width, width), horz_stride_quantity::<F, N>()]
}

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

fn put_region(operand: &Vector, parts: &mut Parts<'_>, value: u32) {
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

/// The region of a source.
pub(super) const fn region_quantity<F: Form, const N: usize>() -> [Quantity; 1] {
    [Quantity::new(
        F::NAMES[N].shape[0],
        3,
        |parts| region(&F::OPERANDS[N], parts),
        |parts, value| put_region(&F::OPERANDS[N], parts, value),
    )
    .named(&["one element", "contiguous", "evenly spaced", "rows", "none"])]
}

#[cfg(test)]
mod tests {
    use super::super::mov::{MOV, SRC0};
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};
    use tandem_isa::Edition;
    use tandem_isa::visa::VISA;
    use tandem_isa::visa::operand::combine;

    /// Eight channels, `V32(1,2)<2>:F` of `V33(0,4)<8;4,2>:W`.
    const CASE: &[(&str, u32)] = &[
        ("Exec_size", 3),
        ("Dst.row_offset", 1),
        ("Dst.col_offset", 2),
        ("Dst.horizontal_stride", 3),
        ("Src0.col_offset", 4),
        ("Src0.vertical_stride", 5),
        ("Src0.width", 4),
        ("Src0.horizontal_stride", 3),
        ("V32.type", 7),
        ("V33.type", 3),
        ("V33.offset", 1036),
    ];

    #[test]
    fn types_regions_and_places_are_those_of_the_elements() {
        assert_values(
            &VISA,
            &MOV,
            CASE,
            &[
                ("type of Dst", 7),
                ("bytes of an element of Src0", 2),
                ("kind of numbers of Dst", 2),
                ("kind of numbers of Src0", 1),
                ("elements of Dst next to those of Src0", 2),
                ("types of Dst and Src0", 0),
                ("horizontal stride of Dst", 2),
                ("vertical stride of Src0", 8),
                ("width of a row of Src0", 4),
                ("horizontal stride of Src0", 2),
                ("region of Src0", 2),
                ("byte of a register at which Dst begins", 8),
                // 8 and fourteen elements further.
                ("registers that Dst touches", 3),
                ("register at which Dst begins", 1),
                ("register at which Src0 begins", 32),
                ("byte of a register at which Src0 begins", 20),
                ("byte of a register at which the variable of Src0 begins", 12),
                ("Dst overlaps Src0", 0),
                ("addressing of Src0", 0),
            ],
        );
        for (strides, shape) in [([1, 2, 1], 0), ([5, 5, 2], 1), ([1, 4, 2], 3), ([2, 2, 1], 1), ([0, 4, 2], 3)] {
            let [vert, width, horz] = strides;
            let region = [("Src0.vertical_stride", vert), ("Src0.width", width), ("Src0.horizontal_stride", horz)];
            assert_values(&VISA, &MOV, &[CASE, &region].concat(), &[("region of Src0", shape)]);
        }
    }

    #[test]
    fn channels_are_disabled_by_what_is_in_use() {
        let masks = [("EM", 0xffff_0f1f), ("Exec_mask", 2), ("P2", 0x0700), ("Pred.id", 2)];
        let values = |mask, predicate, predication| {
            [
                ("channels that the execution mask disables", mask),
                ("channels that the predicate disables", predicate),
                ("predication in use", predication),
            ]
        };
        assert_values(&VISA, &MOV, &[CASE, &masks].concat(), &values(4, 5, 1));
        let no_mask = [&masks[..], &[("Exec_mask", 10), ("Pred.inverse", 1)]].concat();
        assert_values(&VISA, &MOV, &[CASE, &no_mask].concat(), &values(0, 3, 1));
        let any = [&masks[..], &[("Pred.combine", combine::ANY)]].concat();
        assert_values(&VISA, &MOV, &[CASE, &any].concat(), &values(4, 0, 2));
        assert_values(&VISA, &MOV, &[CASE, &[("EM", 0)]].concat(), &values(8, 0, 0));
    }

    #[test]
    fn an_operand_keeps_its_elements_when_it_is_addressed_in_another_way() {
        with_case(&VISA, &MOV, CASE, |parts| {
            let places =
                |parts: &Parts<'_>| (SRC0.start(parts), SRC0.span(parts), SRC0.data_type(parts), region(&SRC0, parts));
            let before = places(parts);
            for addressing in [1, 2, 0] {
                assert!(quantity(&MOV, "addressing of Src0").set(parts, addressing));
                let after = places(parts);
                assert_eq!((after.0, after.2), (before.0, before.2), "{addressing}");
            }
            assert!(SRC0.is_inside(parts));
        });
    }

    #[test]
    fn a_word_is_read_as_the_destination_has_it_or_else_as_the_source_does() {
        let words = |offset: u32, format: &str| {
            let (case, mut words) = ([CASE, &[("V33.offset", offset)]].concat(), Vec::new());
            with_case(&VISA, &MOV, &case, |parts| {
                let format_of = |place| (MOV.format)(Edition::Newest, parts, 0, place).map(|format| format.name);
                assert_eq!(format_of(None), Some("F"));
                words = (0..2048).filter(|word| format_of(Some((word / 8, word % 8))) == Some(format)).collect();
            });
            words
        };
        let dst = [10, 12, 14, 16, 18, 20, 22, 24];
        assert_eq!((words(1036, "F"), words(1036, "W")), (dst.to_vec(), (261..=268).collect()));
        // Both in one register.
        assert_eq!((words(36, "F"), words(36, "W")), (dst.to_vec(), vec![11, 13, 15, 17]));
    }
}
