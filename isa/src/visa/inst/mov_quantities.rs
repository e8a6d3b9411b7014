//! The quantities of `MOV`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes: no implementation calls them, and whoever writes one need not read this file.

use super::case::{entry, narrow, peek, small};
use super::mov_axes::{RoundingLevels, assign_dst_type, denorm_bit, dst_type, matters_to, src_type};
use super::mov_orthogonal::{elements, exec_size, mask_offset, predicate_entry, slice_mask, span};
use super::operand_quantities::{
    KIND_NAMES, Operand, TYPE_NAMES, another, byte_in_register, extent_of, first_register, hold, is_inside, kind_code,
    of_bytes, of_kind, overlaps, place_quantities, put_byte_in_register, put_exec_size, put_first_register,
    put_overlaps, put_registers_touched, put_variable_byte, register, registers_touched, settable, type_quantities,
    variable_byte,
};
use crate::quantity::{join, total, with_ones};
use crate::visa::operand::{
    DST, EXEC_MASK, INDIRECT_OFFSETS, NO_MASK, NULL, OperandFields, PRED, REGION_CODES, RegionCode, SRC0, SRC0_CONST,
    class, combine, indirect_offset, region_code,
};
use crate::visa::{
    ADDRESS_ELEMENTS, DISPATCH_SIZES, DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable, NUM_ADDRESSES, NUM_GENERAL,
    cr0,
};
use crate::{CodeField, Parts, Quantity};

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

// ------------------------------------------------------------------------------------------------ the operands

/// The destination, and the source.
struct Dst;
struct Src;

/// What the operands of this instruction have beside.
trait MovOperand: Operand {
    const FIELDS: &'static OperandFields;
    fn data_type(parts: &Parts<'_>) -> DataType;
    /// The fields of the other operand.
    const OTHER: &'static OperandFields;
}

impl MovOperand for Dst {
    const FIELDS: &'static OperandFields = &DST;
    const OTHER: &'static OperandFields = &SRC0;

    fn data_type(parts: &Parts<'_>) -> DataType {
        dst_type(parts)
    }
}

impl MovOperand for Src {
    const FIELDS: &'static OperandFields = &SRC0;
    const OTHER: &'static OperandFields = &DST;

    fn data_type(parts: &Parts<'_>) -> DataType {
        src_type(parts)
    }
}

macro_rules! operand {
    ($operand:ty, $is_dst:literal) => {
        impl Operand for $operand {
            fn start(parts: &Parts<'_>) -> Option<usize> {
                start::<Self>(parts)
            }

            fn span(parts: &Parts<'_>) -> usize {
                span(parts, $is_dst)
            }

            fn variable(parts: &Parts<'_>) -> Option<usize> {
                variable(parts, Self::FIELDS)
            }

            fn shift(parts: &mut Parts<'_>, by: i32) {
                shift::<Self>(parts, by);
            }

            fn shift_address(parts: &mut Parts<'_>, by: i32) {
                shift_address(parts, Self::FIELDS, by);
            }
        }
    };
}
operand!(Dst, true);
operand!(Src, false);

fn variable(parts: &Parts<'_>, fields: &OperandFields) -> Option<usize> {
    (fields.class.get(parts.code) == class::GENERAL).then(|| entry(fields.id.get(parts.code)))
}

fn is_indirect(parts: &Parts<'_>, fields: &OperandFields) -> bool {
    fields.class.get(parts.code) == class::INDIRECT
}

/// The address variable and the element of it that an indirect operand names first; numbers beyond are folded.
fn address(parts: &Parts<'_>, fields: &OperandFields) -> (usize, usize) {
    let (variable, element) = (fields.id.get(parts.code), fields.addr_offset.get(parts.code));
    (variable as usize % NUM_ADDRESSES, element as usize % ADDRESS_ELEMENTS)
}

fn start<O: MovOperand>(parts: &Parts<'_>) -> Option<usize> {
    let fields = O::FIELDS;
    match fields.class.get(parts.code) {
        class::GENERAL => {
            let offset = usize::from(peek(parts).variables[entry(fields.id.get(parts.code))].offset);
            let column = fields.col_offset.get(parts.code) as usize * O::data_type(parts).bytes();
            Some(offset + fields.row_offset.get(parts.code) as usize * register(parts) + column)
        }
        class::INDIRECT => {
            let (variable, element) = address(parts, fields);
            let start = i32::from(peek(parts).addresses[variable][element]) + indirect_offset(fields, parts.code);
            usize::try_from(start).ok()
        }
        _ => None,
    }
}

fn shift<O: MovOperand>(parts: &mut Parts<'_>, by: i32) {
    let fields = O::FIELDS;
    if is_indirect(parts, fields) {
        let offset = indirect_offset(fields, parts.code) + by;
        if INDIRECT_OFFSETS.contains(&offset) {
            fields.indirect_offset.set(parts.code, offset.cast_unsigned());
        }
        return;
    }
    let (Some(start), Some(variable)) = (O::start(parts), O::variable(parts)) else { return };
    let offset = i32::from(peek(parts).variables[variable].offset);
    let Ok(lead) = usize::try_from(narrow(start).cast_signed() + by - offset) else { return };
    let (register, size) = (register(parts), O::data_type(parts).bytes());
    let (row, byte) = (lead / register, lead % register);
    if row < 256 && byte % size == 0 {
        fields.row_offset.set(parts.code, narrow(row));
        fields.col_offset.set(parts.code, narrow(byte / size));
    }
}

fn shift_address(parts: &mut Parts<'_>, fields: &OperandFields, by: i32) {
    if is_indirect(parts, fields) {
        let (variable, element) = address(parts, fields);
        let address = &mut small(parts).addresses[variable][element];
        *address = u16::try_from(i32::from(*address) + by).unwrap_or(*address);
    }
}

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

const ADDRESSINGS: &[&str] =
    &["direct", "indirect, one address", "indirect, an address a row", "immediate", "predicate", "another class"];

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

fn has_region(parts: &Parts<'_>, fields: &OperandFields) -> bool {
    matches!(fields.class.get(parts.code), class::GENERAL | class::INDIRECT)
}

fn stride(parts: &Parts<'_>, fields: &OperandFields, field: CodeField) -> u32 {
    match REGION_CODES[field.get(parts.code) as usize] {
        RegionCode::Elements(elements) if has_region(parts, fields) => elements,
        _ => NO_STRIDE,
    }
}

fn set_stride(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if let Some(code) = region_code(value) {
        field.set(parts.code, code);
    }
}

fn put_stride<O: MovOperand>(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if has_region(parts, O::FIELDS) {
        reshape::<O>(parts, |parts| set_stride(parts, field, value));
    }
}

/// Changes how much room an operand takes. If it lay in its variable, and in two registers, it does so afterwards, where
/// that can be had.
fn reshape<O: MovOperand>(parts: &mut Parts<'_>, change: impl FnOnce(&mut Parts<'_>)) {
    let (was_inside, was_near) = (is_inside::<O>(parts), registers_touched::<O>(parts) <= 2);
    change(parts);
    if was_near && registers_touched::<O>(parts) > 2 {
        put_byte_in_register::<O>(parts, 0);
    }
    if was_inside && !is_inside::<O>(parts) {
        hold::<O>(parts);
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

// ------------------------------------------------------------------------------------------------ addressing

fn addressing<O: MovOperand>(parts: &Parts<'_>) -> u32 {
    match O::FIELDS.class.get(parts.code) {
        class::GENERAL => 0,
        class::INDIRECT => 1 + u32::from(has_addresses::<O>(parts)),
        class::IMMEDIATE => 3,
        class::PREDICATE => 4,
        _ => 5,
    }
}

/// Whether each row of the operand's region has an address.
fn has_addresses<O: MovOperand>(parts: &Parts<'_>) -> bool {
    // Only sources may.
    std::ptr::eq(O::FIELDS, &SRC0) && O::FIELDS.vert_stride.get(parts.code) == NULL
}

/// Lets an operand name its elements in another way; where it can, these stay.
fn put_addressing<O: MovOperand>(parts: &mut Parts<'_>, value: u32) {
    let is_src = std::ptr::eq(O::FIELDS, &SRC0);
    match (O::FIELDS.class.get(parts.code), value) {
        (class::IMMEDIATE, 0..=2) => {
            direct::<O>(parts);
            if value != 0 {
                indirect::<O>(parts, value == 2);
            }
        }
        (class::INDIRECT, 0) => direct::<O>(parts),
        (class::GENERAL | class::INDIRECT, 1) => indirect::<O>(parts, false),
        (class::GENERAL | class::INDIRECT, 2) if is_src => indirect::<O>(parts, true),
        // No constant has a source modifier.
        (class::GENERAL | class::INDIRECT, 3) if is_src && SRC0.modifiers.get(parts.code) == 0 => immediate(parts),
        _ => {}
    }
}

/// Makes an operand a general one, in a variable that the other one does not name.
fn direct<O: MovOperand>(parts: &mut Parts<'_>) {
    let data_type = O::data_type(parts);
    let (fields, register) = (O::FIELDS, register(parts));
    let start = O::start(parts).unwrap_or(0).min(GRF_BYTES - register);
    if has_region(parts, fields) {
        if fields.vert_stride.get(parts.code) == NULL {
            let width = fields.width.get(parts.code);
            fields.vert_stride.set(parts.code, width);
        }
    } else {
        for (field, count) in [fields.vert_stride, fields.width, fields.horz_stride].into_iter().zip([0, 1, 0]) {
            set_stride(parts, field, count);
        }
    }
    let variable = variable(parts, O::OTHER).map_or(0, |other| (other + 1) % NUM_GENERAL);
    for field in [fields.addr_offset, fields.data_type, fields.indirect_offset, fields.row_offset] {
        field.set(parts.code, 0);
    }
    fields.class.set(parts.code, class::GENERAL);
    fields.id.set(parts.code, FIRST_GENERAL + narrow(variable));
    fields.col_offset.set(parts.code, narrow(start % register / data_type.bytes()));
    small(parts).variables[variable] = GeneralVariable {
        data_type: data_type.code() as u16,
        num_elements: 1,
        offset: (start / register * register) as u16,
        unused: 0,
    };
    hold::<O>(parts);
}

/// Makes an operand one through an address, or through one for each row of its region.
fn indirect<O: MovOperand>(parts: &mut Parts<'_>, is_each_row: bool) {
    let data_type = O::data_type(parts);
    let (fields, start) = (O::FIELDS, O::start(parts).unwrap_or(0));
    let vert = elements(fields.vert_stride.get(parts.code)) as usize * data_type.bytes();
    let rows = exec_size(parts) / elements(fields.width.get(parts.code)).clamp(1, exec_size(parts));
    // The other operand may have an address variable too.
    let variable = if is_indirect(parts, O::OTHER) { 1 - address(parts, O::OTHER).0 } else { 0 };
    for field in [fields.addr_offset, fields.indirect_offset, fields.row_offset, fields.col_offset] {
        field.set(parts.code, 0);
    }
    fields.class.set(parts.code, class::INDIRECT);
    fields.id.set(parts.code, narrow(variable));
    fields.data_type.set(parts.code, data_type.code());
    if is_each_row {
        fields.vert_stride.set(parts.code, NULL);
    } else if fields.vert_stride.get(parts.code) == NULL && std::ptr::eq(fields, &SRC0) {
        let width = fields.width.get(parts.code);
        fields.vert_stride.set(parts.code, width);
    }
    let addresses = if is_each_row { rows as usize } else { 1 };
    for (row, address) in small(parts).addresses[variable].iter_mut().enumerate().take(addresses) {
        *address = (start + row * vert) as u16;
    }
}

/// Makes the source a constant.
fn immediate(parts: &mut Parts<'_>) {
    let data_type = src_type(parts);
    SRC0.class.set(parts.code, class::IMMEDIATE);
    SRC0_CONST.data_type.set(parts.code, data_type.code());
    for field in [
        SRC0.id,
        SRC0.row_offset,
        SRC0.col_offset,
        SRC0.addr_offset,
        SRC0.data_type,
        SRC0.indirect_offset,
        SRC0.vert_stride,
        SRC0.width,
        SRC0.horz_stride,
    ] {
        field.set(parts.code, 0);
    }
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
