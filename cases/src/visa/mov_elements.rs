//! Where the elements of a `MOV` case lie in the register file: for making cases smaller, and for saying what a word holds.
//!
//! A mistake costs a larger case or a worse label, and no verdict.

use tandem_isa::visa::operand::{DST, NULL, OperandFields, SRC0, class, indirect_offset};
use tandem_isa::visa::{ADDRESS_ELEMENTS, FIRST_GENERAL, GRF_BYTES, NUM_ADDRESSES, NUM_GENERAL};
use tandem_isa::{Format, Parts};

use super::mov_axes::{dst_type, peek, src_type};
use super::mov_orthogonal::{elements, exec_size, grf_size};

/// The place in the table of the variable that a general operand names.
pub(super) fn operand_variable(operand: &OperandFields, code: &[u32]) -> Option<usize> {
    let entry = operand.id.get(code).checked_sub(FIRST_GENERAL)? as usize;
    (entry < NUM_GENERAL).then_some(entry)
}

/// The address variable and its first element that an indirect operand names.
pub(super) fn address_element(operand: &OperandFields, code: &[u32]) -> Option<(usize, usize)> {
    let (variable, element) = (operand.id.get(code) as usize, operand.addr_offset.get(code) as usize);
    (variable < NUM_ADDRESSES && element < ADDRESS_ELEMENTS).then_some((variable, element))
}

/// Where the destination's element of each channel lies, in bytes; none unless all lie in the file.
pub(super) fn dst_places(parts: &Parts<'_>) -> Option<Vec<usize>> {
    let size = dst_type(parts).bytes();
    let start = *starts(parts, &DST, size)?.first()?;
    let stride = elements(DST.horz_stride.get(parts.code)) as usize;
    in_file((0..exec_size(parts) as usize).map(|channel| start + channel * stride * size).collect(), size)
}

/// Where the source's element of each channel lies, in bytes; none unless all lie in the file.
pub(super) fn src_places(parts: &Parts<'_>) -> Option<Vec<usize>> {
    let size = src_type(parts).bytes();
    let starts = starts(parts, &SRC0, size)?;
    let [vert, width, horz] =
        [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].map(|field| elements(field.get(parts.code)) as usize);
    let width = width.max(1);
    let place = |channel: usize| {
        let (row, column) = (channel / width, channel % width);
        let start = if starts.len() > 1 { *starts.get(row)? } else { starts[0] + row * vert * size };
        Some(start + column * horz * size)
    };
    in_file((0..exec_size(parts) as usize).map(place).collect::<Option<_>>()?, size)
}

/// How to read the bytes of a word: as data of the destination if it has an element there, or else of the source.
pub(super) fn format_at(parts: &Parts<'_>, word: std::ops::Range<usize>) -> Option<&'static Format> {
    let holds = |places: Option<Vec<usize>>, size: usize| {
        places.is_some_and(|places| places.iter().any(|&place| place < word.end && word.start < place + size))
    };
    let (dst, src) = (dst_type(parts), src_type(parts));
    if is_in_file(&DST, parts) && holds(dst_places(parts), dst.bytes()) {
        dst.format()
    } else if is_in_file(&SRC0, parts) && holds(src_places(parts), src.bytes()) {
        src.format()
    } else {
        None
    }
}

/// Whether an operand is a region of the register file.
pub(super) fn is_in_file(operand: &OperandFields, parts: &Parts<'_>) -> bool {
    matches!(operand.class.get(parts.code), class::GENERAL | class::INDIRECT)
}

/// Where the rows of an operand's region begin: one place, or one for each row if each has an address.
fn starts(parts: &Parts<'_>, operand: &OperandFields, size: usize) -> Option<Vec<usize>> {
    let code = &*parts.code;
    if operand.class.get(code) == class::INDIRECT {
        let (variable, element) = address_element(operand, code)?;
        let offset = indirect_offset(operand, code) as i16;
        let addresses = peek(parts).addresses[variable];
        let last = if operand.vert_stride.get(code) == NULL { ADDRESS_ELEMENTS } else { element + 1 };
        let begin = |address: &u16| usize::from(address.wrapping_add_signed(offset));
        return Some(addresses[element..last].iter().map(begin).collect());
    }
    let (row, column) = (operand.row_offset.get(code) as usize, operand.col_offset.get(code) as usize);
    let offset = usize::from(peek(parts).variables[operand_variable(operand, code)?].offset);
    Some(vec![offset + row * grf_size(parts) + column * size])
}

/// The places, if all elements lie in the file.
fn in_file(places: Vec<usize>, size: usize) -> Option<Vec<usize>> {
    places.iter().all(|&place| place + size <= GRF_BYTES).then_some(places)
}
