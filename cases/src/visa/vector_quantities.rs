//! The quantities of vector operands: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use super::form::{denormals_level, keep_denormals, level_of, matters_to, rounding_mode, set_rounding_mode};
use super::*;

fn addressing<F: Form, const N: usize>(parts: &Parts<'_>) -> u32 {
    match F::OPERANDS[N].class(parts) {
        class::GENERAL => 0,
        class::INDIRECT => 1 + u32::from(F::OPERANDS[N].has_addresses(parts)),
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

/// The value of a stride or width that is no number of elements, or of an operand without a region.
const NO_STRIDE: u32 = 63;

/// The stride or width that is field `FIELD` of an operand: see [`Vector::strides`].
fn stride<F: Form, const N: usize, const FIELD: usize>(parts: &Parts<'_>) -> u32 {
    match REGION_CODES[F::OPERANDS[N].strides()[FIELD].get(parts.code) as usize] {
        RegionCode::Elements(elements) if F::OPERANDS[N].has_region(parts) => elements,
        _ => NO_STRIDE,
    }
}

fn put_stride<F: Form, const N: usize, const FIELD: usize>(parts: &mut Parts<'_>, value: u32) {
    let operand = &F::OPERANDS[N];
    if let (true, Some(code)) = (operand.has_region(parts), region_code(value)) {
        operand.reshape(parts, |parts| operand.strides()[FIELD].set(parts.code, code));
    }
}

/// By the elements that channels read, whatever the region is written like.
fn region<F: Form, const N: usize>(parts: &Parts<'_>) -> u32 {
    let operand = &F::OPERANDS[N];
    let ((rows, columns), [vert, _, horz]) = (operand.rows(parts), operand.region(parts));
    let step = match (rows, columns) {
        _ if !operand.has_region(parts) => return 4,
        (1, 1) => Some(0),
        (1, _) => Some(horz),
        _ if operand.has_addresses(parts) => None,
        (_, 1) => Some(vert),
        _ => (vert == columns * horz).then_some(horz),
    };
    step.map_or(3, |step| step.min(2))
}

fn put_region<F: Form, const N: usize>(parts: &mut Parts<'_>, value: u32) {
    let (operand, width) = (&F::OPERANDS[N], exec_size(parts).min(16) as usize);
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

/// The types of the destination and of a source.
fn types<F: Form, const N: usize>(parts: &Parts<'_>) -> [DataType; 2] {
    [0, N].map(|operand| F::OPERANDS[operand].data_type(parts))
}

/// All of them.
pub(super) const fn quantities<F: Form>() -> List<Quantity, 64> {
    table! { quantities, List<Quantity, 64>, NONE, F, N;
        all (type_quantities::<F, N>())
        all {
            F::NAMES[N].addressing, 3, addressing::<F, N>, put_addressing::<F, N>,
                &["direct", "indirect, one address", "indirect, an address a row", "immediate", "predicate",
                    "another class"];
        }
        // How the types of the destination go with those of a source, and whether they share bytes.
        each {
            F::NAMES[N].pair[0], 2, |parts| {
                let [dst, src] = types::<F, N>(parts).map(DataType::bytes);
                (1 + dst.cmp(&src) as i32).cast_unsigned()
            }, |parts, value| {
                let [dst, src] = types::<F, N>(parts);
                let wanted = [src.bytes() / 2, src.bytes(), src.bytes() * 2].get(value as usize).copied();
                if let Some(data_type) = wanted.and_then(|bytes| of_bytes(dst, narrow(bytes))) {
                    F::OPERANDS[0].put_type(parts, data_type);
                }
            }, &["narrower", "as wide", "wider"];
            F::NAMES[N].pair[1], 1, |parts| {
                let [dst, src] = types::<F, N>(parts);
                u32::from(dst == src)
            }, |parts, value| {
                let [_, src] = types::<F, N>(parts);
                F::OPERANDS[0].put_type(parts, if value == 1 { src } else { another(src) });
            }, &["different", "the same"];
        }
        each (overlap_quantity::<F, N>())
        each {
            F::NAMES[N].shape[0], 3, region::<F, N>, put_region::<F, N>,
                &["one element", "contiguous", "evenly spaced", "rows", "none"];
        }
        one { F::NAMES[N].shape[1], 6, stride::<F, N, 2>, put_stride::<F, N, 2>; }
        each {
            F::NAMES[N].shape[2], 6, stride::<F, N, 0>, put_stride::<F, N, 0>;
            F::NAMES[N].shape[3], 6, stride::<F, N, 1>, put_stride::<F, N, 1>;
            F::NAMES[N].shape[1], 6, stride::<F, N, 2>, put_stride::<F, N, 2>;
        }
        one { "channels", 6, exec_size, |parts, value| put_channels(parts, F::OPERANDS, value); }
        one (channels::QUANTITIES)
        all (place_quantities::<F, N>())
        // The modes that can matter.
        one {
            "rounding mode as used", 3,
                |parts| level_of(matters_to::<F>(parts).rounding != RoundingLevels::Any, rounding_mode(parts)),
                |parts, value| if let Some(mode @ 0..4) = value.checked_sub(1) {
                    set_rounding_mode(parts, mode);
                }, &["does not matter", "RTNE", "RU", "RD", "RTZ"];
        }
        sources_first {
            F::NAMES[N].denormals[1], 2, denormals_level::<F, N>,
                |parts, value| keep_denormals(parts, F::OPERANDS[N].data_type(parts), u32::from(value == 2)),
                &["do not matter", "flushed", "kept"];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mov::SRC0;
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};

    /// Eight channels, `V32(1,2)<2>:F` of `V33(0,4)<8;4,2>:W`, with other values of some fields.
    fn case(others: &[(&'static str, u32)]) -> Vec<(&'static str, u32)> {
        let dst = [("Dst.row_offset", 1), ("Dst.col_offset", 2), ("Dst.horizontal_stride", 3), ("V32.type", 7)];
        let src = [("Src0.col_offset", 4), ("V33.type", 3), ("V33.offset", 1036), ("Exec_size", 3)];
        [&dst[..], &src, &strides([5, 4, 3]), others].concat()
    }

    fn strides([vert, width, horz]: [u32; 3]) -> [(&'static str, u32); 3] {
        [("Src0.vertical_stride", vert), ("Src0.width", width), ("Src0.horizontal_stride", horz)]
    }

    #[test]
    fn types_regions_and_places_are_those_of_the_elements() {
        let values = [
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
        ];
        assert_values(VISA.machine, &MOV, &case(&[]), &values);
        for (region, shape) in [([1, 2, 1], 0), ([5, 5, 2], 1), ([1, 4, 2], 3), ([2, 2, 1], 1), ([0, 4, 2], 3)] {
            assert_values(VISA.machine, &MOV, &case(&strides(region)), &[("region of Src0", shape)]);
        }
    }

    #[test]
    fn channels_are_disabled_by_what_is_in_use() {
        let masks = [("EM", 0xffff_0f1f), ("Exec_mask", 2), ("P2", 0x0700), ("Pred.id", 2)];
        let assert = |fields: &[_], mask, predicate, predication| {
            let disabled = ["channels that the execution mask disables", "channels that the predicate disables"];
            let values = [(disabled[0], mask), (disabled[1], predicate), ("predication in use", predication)];
            assert_values(VISA.machine, &MOV, &case(fields), &values);
        };
        assert(&masks, 4, 5, 1);
        assert(&[&masks[..], &[("Exec_mask", 10), ("Pred.inverse", 1)]].concat(), 0, 3, 1);
        assert(&[&masks[..], &[("Pred.combine", combine::ANY)]].concat(), 4, 0, 2);
        assert(&[("EM", 0)], 8, 0, 0);
    }

    #[test]
    fn an_operand_keeps_its_elements_when_it_is_addressed_in_another_way() {
        with_case(VISA.machine, &MOV, &case(&[]), |parts| {
            let before = (SRC0.start(parts), SRC0.data_type(parts));
            for addressing in [1, 2, 0] {
                assert!(quantity(&MOV, "addressing of Src0").set(parts, addressing));
                assert_eq!((SRC0.start(parts), SRC0.data_type(parts)), before, "{addressing}");
            }
            assert!(SRC0.is_inside(parts));
        });
    }
}
