//! The quantities of `MOV`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::visa::operand::{
    DST, EXEC_MASK, NO_MASK, NULL, OperandFields, PRED, REGION_CODES, RegionCode, SRC0, SRC0_CONST, class, combine,
};
use tandem_isa::visa::{DISPATCH_SIZES, DataType, cr0};
use tandem_isa::{CodeField, Parts, Quantity};

use super::case::{entry, narrow, peek, small};
use super::mov_addressing::{
    ADDRESSINGS, Dst, MovOperand, Src, addressing, has_region, put_addressing, reshape, set_stride,
};
use super::mov_axes::{RoundingLevels, assign_dst_type, denorm_bit, dst_type, matters_to, src_type};
use super::mov_orthogonal::{elements, exec_size, mask_offset, predicate_entry, slice_mask};
use super::operand_quantities::{
    KIND_NAMES, TYPE_NAMES, another, byte_in_register, extent_of, first_register, kind_code, of_bytes, of_kind,
    overlaps, place_quantities, put_byte_in_register, put_exec_size, put_first_register, put_overlaps,
    put_registers_touched, put_variable_byte, register, registers_touched, settable, type_quantities, variable_byte,
};
use crate::quantity::{join, total, with_ones};

const LISTS: &[&[Quantity]] = &[
    &type_quantities!("Dst", dst_type, put_dst_type),
    &type_quantities!("Src0", src_type, put_src_type),
    OPERANDS,
    CHANNELS_OF_MOV,
    &place_quantities!("Dst", Dst, put_touched::<Dst>),
    &place_quantities!("Src0", Src, put_touched::<Src>),
    MODES,
];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<{ total(LISTS) }>(LISTS);

fn put_dst_type(parts: &mut Parts<'_>, data_type: DataType) {
    reshape::<Dst>(parts, |parts| assign_dst_type(parts, data_type));
}

fn put_src_type(parts: &mut Parts<'_>, data_type: DataType) {
    reshape::<Src>(parts, |parts| match SRC0.class.get(parts.code) {
        class::INDIRECT => SRC0.data_type.set(parts.code, data_type.code()),
        class::IMMEDIATE => SRC0_CONST.data_type.set(parts.code, data_type.code()),
        class::PREDICATE => {}
        _ => {
            let variable = entry(SRC0.id.get(parts.code));
            small(parts).variables[variable].data_type = data_type.code() as u16;
        }
    });
}

/// Quantities of both operands together, and of their regions.
const OPERANDS: &[Quantity] = &[
    settable!("addressing of Dst", 3, ADDRESSINGS, addressing::<Dst>, put_addressing::<Dst>),
    settable!("addressing of Src0", 3, ADDRESSINGS, addressing::<Src>, put_addressing::<Src>),
    settable!(
        "elements of Dst next to those of Src0",
        2,
        &["narrower", "as wide", "wider"],
        relation,
        |parts, value| {
            let bytes = narrow(src_type(parts).bytes());
            let wanted = [bytes / 2, bytes, bytes * 2].get(value as usize).copied();
            if let Some(data_type) = wanted.and_then(|bytes| of_bytes(dst_type(parts), bytes)) {
                put_dst_type(parts, data_type);
            }
        }
    ),
    settable!(
        "types of Dst and Src0",
        1,
        &["different", "the same"],
        |parts| u32::from(dst_type(parts) == src_type(parts)),
        |parts, value| {
            let src = src_type(parts);
            put_dst_type(parts, if value == 1 { src } else { another(src) });
        }
    ),
    settable!("Dst overlaps Src0", 1, overlaps::<Dst, Src>, |parts, value| {
        let src = extent_of::<Src>(parts);
        put_overlaps::<Dst, Src>(parts, value, &[src]);
    }),
    settable!("region of Src0", 3, REGIONS, region, put_region),
    settable!("horizontal stride of Dst", 6, |parts| stride(parts, &DST, DST.horz_stride), |parts, value| {
        put_stride::<Dst>(parts, DST.horz_stride, value);
    }),
    settable!("vertical stride of Src0", 6, |parts| stride(parts, &SRC0, SRC0.vert_stride), |parts, value| {
        put_stride::<Src>(parts, SRC0.vert_stride, value);
    }),
    settable!("width of a row of Src0", 6, |parts| stride(parts, &SRC0, SRC0.width), |parts, value| {
        put_stride::<Src>(parts, SRC0.width, value);
    }),
    settable!("horizontal stride of Src0", 6, |parts| stride(parts, &SRC0, SRC0.horz_stride), |parts, value| {
        put_stride::<Src>(parts, SRC0.horz_stride, value);
    }),
];

fn relation(parts: &Parts<'_>) -> u32 {
    match dst_type(parts).bytes().cmp(&src_type(parts).bytes()) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}

// ------------------------------------------------------------------------------------------------ regions

/// The value of a stride or width that is no number of elements, or of an operand without a region.
const NO_STRIDE: u32 = 63;

fn stride(parts: &Parts<'_>, fields: &OperandFields, field: CodeField) -> u32 {
    match REGION_CODES[field.get(parts.code) as usize] {
        RegionCode::Elements(elements) if has_region(parts, fields) => elements,
        _ => NO_STRIDE,
    }
}

fn put_stride<O: MovOperand>(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if has_region(parts, O::FIELDS) {
        reshape::<O>(parts, |parts| set_stride(parts, field, value));
    }
}

const REGIONS: &[&str] = &["one element", "contiguous", "evenly spaced", "rows", "none"];

/// By the elements that channels read, whatever the region is written like.
fn region(parts: &Parts<'_>) -> u32 {
    if !has_region(parts, &SRC0) {
        return 4;
    }
    let [vert, width, horz] =
        [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].map(|field| elements(field.get(parts.code)));
    let columns = width.clamp(1, exec_size(parts));
    let rows = exec_size(parts) / columns;
    let has_addresses = SRC0.vert_stride.get(parts.code) == NULL;
    let step = match (rows, columns) {
        (1, 1) => Some(0),
        (1, _) => Some(horz),
        _ if has_addresses => None,
        (_, 1) => Some(vert),
        _ => (vert == columns * horz).then_some(horz),
    };
    step.map_or(3, |step| step.min(2))
}

fn put_region(parts: &mut Parts<'_>, value: u32) {
    if !has_region(parts, &SRC0) {
        return;
    }
    let width = exec_size(parts).min(16);
    let strides = match value {
        0 => [0, 1, 0],
        1 => [width, width, 1],
        2 => [(2 * width).min(32), width, 2],
        3 => [1, (width / 2).max(1), 1],
        _ => return,
    };
    reshape::<Src>(parts, |parts| {
        for (field, count) in [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].into_iter().zip(strides) {
            set_stride(parts, field, count);
        }
    });
}

// ------------------------------------------------------------------------------------------------ channels

const PREDICATIONS: &[&str] = &["none", "sequential", "any", "all", "reserved"];

/// Which channels there are, and which of them are disabled.
const CHANNELS_OF_MOV: &[Quantity] = &[
    settable!("channels", 6, exec_size, put_channels),
    settable!("first channel", 5, mask_offset, put_first_channel),
    settable!("channels that the execution mask disables", 6, masked, |parts, value| {
        let slice = slice(parts);
        if let Some(em) = slice.count_ones().checked_sub(value).and_then(|ones| with_ones(peek(parts).em, slice, ones))
        {
            small(parts).em = em;
            let control = EXEC_MASK.get(parts.code);
            EXEC_MASK.set(parts.code, control & !NO_MASK);
        }
    }),
    settable!("predication in use", 3, PREDICATIONS, predication, |parts, value| match value {
        0 => {
            for field in [PRED.id, PRED.combine, PRED.inverse] {
                field.set(parts.code, 0);
            }
        }
        1..=4 => {
            if PRED.id.get(parts.code) == 0 {
                PRED.id.set(parts.code, 1);
            }
            PRED.combine.set(parts.code, value - 1);
        }
        _ => {}
    }),
    settable!("channels that the predicate disables", 6, unpredicated, |parts, value| {
        let slice = slice(parts);
        let is_inverse = PRED.inverse.get(parts.code) != 0;
        let enabled = slice.count_ones().checked_sub(value);
        let ones = enabled.map(|enabled| if is_inverse { value } else { enabled });
        let variable = predicate_entry(parts);
        let predicate = &mut small(parts).predicates[variable];
        if let Some(bits) = ones.and_then(|ones| with_ones(predicate.value, slice, ones)) {
            predicate.value = bits;
        }
    }),
];

/// Changes the number of channels, and with it what must not be larger: the width of a row, and what the first channel is
/// a multiple of.
fn put_channels(parts: &mut Parts<'_>, value: u32) {
    reshape::<Dst>(parts, |parts| {
        reshape::<Src>(parts, |parts| {
            put_exec_size(parts, value);
            if has_region(parts, &SRC0) && elements(SRC0.width.get(parts.code)) > value {
                set_stride(parts, SRC0.width, value);
            }
        });
    });
    let first = mask_offset(parts) & !(value.max(1) - 1);
    put_first_channel(parts, first);
}

/// Lets an operand touch as many registers as asked for, with fewer channels if it is too long.
fn put_touched<O: MovOperand>(parts: &mut Parts<'_>, value: u32) {
    while value > 0 && O::span(parts) > value as usize * register(parts) && exec_size(parts) > 1 {
        let channels = exec_size(parts) / 2;
        put_channels(parts, channels);
    }
    put_registers_touched::<O>(parts, value);
}

/// Selects other channels, of a dispatch that has them.
fn put_first_channel(parts: &mut Parts<'_>, value: u32) {
    if value.is_multiple_of(4) && value < 32 {
        let no_mask = EXEC_MASK.get(parts.code) & NO_MASK;
        EXEC_MASK.set(parts.code, no_mask | (value / 4));
        let end = value + exec_size(parts);
        let small = small(parts);
        while small.dispatch_size < 2 && DISPATCH_SIZES[small.dispatch_size as usize] < end {
            small.dispatch_size += 1;
        }
    }
}

/// The bits of masks and predicates that the instruction selects.
fn slice(parts: &Parts<'_>) -> u32 {
    slice_mask(exec_size(parts)) << mask_offset(parts)
}

fn masked(parts: &Parts<'_>) -> u32 {
    if EXEC_MASK.get(parts.code) & NO_MASK == 0 { (slice(parts) & !peek(parts).em).count_ones() } else { 0 }
}

fn predication(parts: &Parts<'_>) -> u32 {
    if PRED.id.get(parts.code) == 0 { 0 } else { 1 + PRED.combine.get(parts.code) }
}

fn unpredicated(parts: &Parts<'_>) -> u32 {
    if PRED.id.get(parts.code) == 0 {
        return 0;
    }
    let slice = slice(parts);
    let bits = peek(parts).predicates[predicate_entry(parts)].value & slice;
    let bits = match PRED.combine.get(parts.code) {
        combine::ANY if bits != 0 => slice,
        combine::ALL if bits != slice => 0,
        _ => bits,
    };
    let is_inverse = PRED.inverse.get(parts.code) != 0;
    (if is_inverse { bits } else { slice & !bits }).count_ones()
}

// ------------------------------------------------------------------------------------------------ modes

const ROUNDINGS: &[&str] = &["does not matter", "RTNE", "RU", "RD", "RTZ"];
const DENORMALS: &[&str] = &["do not matter", "flushed", "kept"];

/// What the control register says, where that can matter to the types.
const MODES: &[Quantity] = &[
    settable!("rounding mode as used", 3, ROUNDINGS, rounding, |parts, value| {
        if let Some(mode @ 0..4) = value.checked_sub(1) {
            let small = small(parts);
            small.cr0 = (small.cr0 & !(3 << cr0::ROUNDING_SHIFT)) | mode << cr0::ROUNDING_SHIFT;
        }
    }),
    settable!(
        "denormals of Src0 as used",
        2,
        DENORMALS,
        |parts| denormals(parts, matters_to(parts).denorm_src, src_type(parts)),
        |parts, value| put_denormals(parts, value, src_type(parts))
    ),
    settable!(
        "denormals of Dst as used",
        2,
        DENORMALS,
        |parts| denormals(parts, matters_to(parts).denorm_dst, dst_type(parts)),
        |parts, value| put_denormals(parts, value, dst_type(parts))
    ),
];

fn rounding(parts: &Parts<'_>) -> u32 {
    match matters_to(parts).rounding {
        RoundingLevels::Any => 0,
        RoundingLevels::Four | RoundingLevels::NearestOrNot => 1 + (peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3),
    }
}

fn denormals(parts: &Parts<'_>, matters: bool, data_type: DataType) -> u32 {
    if matters { 1 + u32::from(peek(parts).cr0 & denorm_bit(data_type) != 0) } else { 0 }
}

fn put_denormals(parts: &mut Parts<'_>, value: u32, data_type: DataType) {
    let bit = denorm_bit(data_type);
    let small = small(parts);
    small.cr0 = (small.cr0 & !bit) | if value == 2 { bit } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::super::mov::MOV;
    use super::super::operand_quantities::{Operand, is_inside};
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};
    use tandem_isa::visa::VISA;

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
            let places = |parts: &Parts<'_>| (Src::start(parts), Src::span(parts), src_type(parts), region(parts));
            let before = places(parts);
            for addressing in [1, 2, 0] {
                assert!((quantity(&MOV, "addressing of Src0").set)(parts, addressing));
                let after = places(parts);
                assert_eq!((after.0, after.2), (before.0, before.2), "{addressing}");
            }
            assert!(is_inside::<Src>(parts));
        });
    }
}
