//! How the operands of a `MOV` case name their elements, and how another way to name them is given to a case: for its
//! quantities.

use tandem_isa::visa::operand::{
    DST, INDIRECT_OFFSETS, NULL, OperandFields, SRC0, SRC0_CONST, class, indirect_offset, region_code,
};
use tandem_isa::visa::{
    ADDRESS_ELEMENTS, DataType, FIRST_GENERAL, GRF_BYTES, GeneralVariable, NUM_ADDRESSES, NUM_GENERAL,
};
use tandem_isa::{CodeField, Parts};

use super::case::{entry, narrow, peek, small};
use super::mov_axes::{dst_type, src_type};
use super::mov_orthogonal::{elements, exec_size, span};
use super::operand_quantities::{Operand, hold, is_inside, put_byte_in_register, register, registers_touched};

/// The destination, and the source.
pub(super) struct Dst;
pub(super) struct Src;

/// What the operands of this instruction have beside.
pub(super) trait MovOperand: Operand {
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

pub(super) fn has_region(parts: &Parts<'_>, fields: &OperandFields) -> bool {
    matches!(fields.class.get(parts.code), class::GENERAL | class::INDIRECT)
}

pub(super) fn set_stride(parts: &mut Parts<'_>, field: CodeField, value: u32) {
    if let Some(code) = region_code(value) {
        field.set(parts.code, code);
    }
}

/// Changes how much room an operand takes. If it lay in its variable, and in two registers, it does so afterwards, where
/// that can be had.
pub(super) fn reshape<O: MovOperand>(parts: &mut Parts<'_>, change: impl FnOnce(&mut Parts<'_>)) {
    let (was_inside, was_near) = (is_inside::<O>(parts), registers_touched::<O>(parts) <= 2);
    change(parts);
    if was_near && registers_touched::<O>(parts) > 2 {
        put_byte_in_register::<O>(parts, 0);
    }
    if was_inside && !is_inside::<O>(parts) {
        hold::<O>(parts);
    }
}

// ------------------------------------------------------------------------------------------------ addressing

/// The names of the ways.
pub(super) const ADDRESSINGS: &[&str] =
    &["direct", "indirect, one address", "indirect, an address a row", "immediate", "predicate", "another class"];

pub(super) fn addressing<O: MovOperand>(parts: &Parts<'_>) -> u32 {
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
pub(super) fn put_addressing<O: MovOperand>(parts: &mut Parts<'_>, value: u32) {
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
