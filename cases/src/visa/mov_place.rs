//! Placing the operands of a `MOV` case, once its types are known.
//!
//! The axes before say what is wished for; here the operands get their
//! variables, addresses and offsets so that the rules of the pages are kept, and then, rarely, one is broken on
//! purpose. Where the types leave no room for a wish (32 channels of 8 bytes do not fit in two registers), it is made
//! smaller, and the level that the case really has is written back.

use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, LEGAL_VERT_STRIDES, NO_MASK, NULL, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class,
    region_code,
};
use tandem_isa::visa::{ADDRESS_ELEMENTS, DISPATCH_SIZES, DataType, TypeKind, cr0};
use tandem_isa::{Levels, Noise, Parts};

use super::mov_axes::{assign_src_type, denorm_bit, dst_type, entry, narrow, peek, small, src_type};
use super::mov_break::{break_encoding_rule, break_region_rule};
use super::mov_operands::{Placed, place_dst, place_source};
use super::mov_orthogonal::{ORTHOGONAL, at, elements, exec_size, grf_size, mask_offset, predicate_entry, slice_mask};
use super::value_class;

/// What the source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    General,
    OneAddress,
    AddressPerRow,
    Immediate,
    Predicate,
}

/// The shape of a case: all that decides how much room its operands need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Channels.
    pub exec_size: usize,
    /// Bytes of a register.
    pub register: usize,
    /// Bytes of an element of the destination.
    pub dst_size: usize,
    /// Bytes of an element of the source.
    pub src_size: usize,
    pub source: Source,
    pub dst_is_indirect: bool,
    pub dst_stride: usize,
    pub vert: usize,
    pub width: usize,
    pub horz: usize,
}

impl Shape {
    pub(super) fn dst_span(&self) -> usize {
        ((self.exec_size - 1) * self.dst_stride + 1) * self.dst_size
    }

    /// Rows of the source region.
    pub(super) fn rows(&self) -> usize {
        self.exec_size / self.width
    }

    /// Bytes from the first to the last element; of one row, if each row has an address.
    pub(super) fn src_span(&self) -> usize {
        let rows = if self.source == Source::AddressPerRow { 1 } else { self.rows() };
        ((rows - 1) * self.vert + (self.width - 1) * self.horz + 1) * self.src_size
    }

    fn source_has_region(&self) -> bool {
        matches!(self.source, Source::General | Source::OneAddress | Source::AddressPerRow)
    }
}

/// Where the operands came to lie; nothing for operands that have no place in the GRF file.
pub(super) struct Operands {
    pub dst: Placed,
    pub src: Option<Placed>,
}

/// Grants the wishes of the orthogonal axes, and writes back the levels that a case has instead.
pub(super) fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let mut shape = fit(parts, levels, noise);
    let src = place_source(parts, &shape, levels, noise);
    let dst = place_dst(parts, &shape, src, levels, noise);
    // The destination may have moved a variable that both share.
    let is_shared = |src: &Placed| src.variable == dst.variable;
    let src = src.map(|src| if is_shared(&src) { Placed { offset: dst.offset, bytes: dst.bytes, ..src } } else { src });
    let operands = Operands { dst, src };
    predicate_operand(parts, &shape, noise);
    immediate(parts, &shape, levels, noise);
    masks(parts, levels, noise);
    bystanders(parts, &operands, &shape, levels, noise);
    let (region_rule, encoding_rule) = (levels[at::REGION_RULE], levels[at::ENCODING_RULE]);
    if region_rule != 0 && !break_region_rule(parts, &mut shape, &operands, region_rule, noise) {
        levels[at::REGION_RULE] = 0;
    }
    if encoding_rule != 0 && !break_encoding_rule(parts, &shape, encoding_rule, noise) {
        levels[at::ENCODING_RULE] = 0;
    }
    if matches!((region_rule, encoding_rule), (1 | 2, _) | (_, 2)) {
        for axis in [at::MASK, at::DISPATCH_SIZE, at::DST_STRIDE, at::SRC_VERT, at::SRC_WIDTH] {
            levels[axis] = (ORTHOGONAL[axis].get)(parts) as u8;
        }
    }
}

// ------------------------------------------------------------------------------------------------ shapes that fit

/// Makes execution size, mask and regions such that they can be had together.
fn fit(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) -> Shape {
    let source = source_of(parts, levels, noise);
    let mut shape = Shape {
        exec_size: exec_size(parts) as usize,
        register: grf_size(parts),
        dst_size: dst_type(parts).bytes(),
        src_size: src_type(parts).bytes(),
        source,
        dst_is_indirect: DST.class.get(parts.code) == class::INDIRECT,
        dst_stride: elements(DST.horz_stride.get(parts.code)).max(1) as usize,
        vert: elements(SRC0.vert_stride.get(parts.code)) as usize,
        width: elements(SRC0.width.get(parts.code)).max(1) as usize,
        horz: elements(SRC0.horz_stride.get(parts.code)) as usize,
    };
    let room = 2 * shape.register;
    // A predicate is moved as one element; rarely it is asked for more.
    if source == Source::Predicate && noise.below(16) != 0 {
        shape.exec_size = 1;
    }
    while shape.exec_size * shape.dst_size > room {
        shape.exec_size /= 2;
    }
    let contiguous = shape.source_has_region() && levels[at::SRC_REGION] == 1;
    if contiguous {
        while shape.exec_size * shape.src_size > room {
            shape.exec_size /= 2;
        }
    }
    while shape.dst_span() > room {
        shape.dst_stride /= 2;
    }
    if shape.source_has_region() {
        fit_region(&mut shape, levels, noise);
    }
    store(parts, &shape, levels);
    fit_mask(parts, &shape, levels, noise);
    shape
}

/// What the source is. An immediate with a modifier is illegal, and rarely stays so.
fn source_of(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) -> Source {
    match SRC0.class.get(parts.code) {
        class::PREDICATE => Source::Predicate,
        class::IMMEDIATE => {
            let data_type = src_type(parts);
            let stays = SRC0.modifiers.get(parts.code) == 0
                || matches!(data_type.kind(), TypeKind::Bool | TypeKind::Packed)
                || noise.below(16) == 0;
            if stays {
                levels[at::SRC_CLASS] = 3;
                return Source::Immediate;
            }
            SRC0_CONST.data_type.set(parts.code, 0);
            SRC0.class.set(parts.code, class::GENERAL);
            assign_src_type(parts, data_type, noise);
            levels[at::SRC_CLASS] = 0;
            Source::General
        }
        class::INDIRECT if levels[at::SRC_CLASS] == 2 => Source::AddressPerRow,
        class::INDIRECT => {
            levels[at::SRC_CLASS] = 1;
            Source::OneAddress
        }
        _ => {
            levels[at::SRC_CLASS] = 0;
            Source::General
        }
    }
}

/// Makes the source region fit in two registers, and its width in the execution size.
fn fit_region(shape: &mut Shape, levels: &Levels, noise: &mut Noise) {
    let room = 2 * shape.register;
    match levels[at::SRC_REGION] {
        1 => {
            shape.width = shape.exec_size.min(16);
            (shape.vert, shape.horz) = (shape.width, 1);
        }
        2 => (shape.vert, shape.width, shape.horz) = (0, 1, 0),
        _ => shape.width = shape.width.min(shape.exec_size),
    }
    if shape.source == Source::AddressPerRow {
        while shape.rows() > ADDRESS_ELEMENTS {
            shape.width *= 2;
        }
    }
    while shape.src_span() > room {
        let has_vert = shape.source != Source::AddressPerRow && shape.rows() > 1 && shape.vert > 0;
        let has_horz = shape.width > 1 && shape.horz > 0;
        // Either stride, one step down; 1 goes to 0.
        if has_vert && (!has_horz || noise.bits(1) == 0) {
            shape.vert /= 2;
        } else {
            shape.horz /= 2;
        }
    }
}

/// Writes the shape into the code words, and the levels that it has.
fn store(parts: &mut Parts<'_>, shape: &Shape, levels: &mut Levels) {
    let code_of = |count: usize| region_code(narrow(count)).expect("a stride or width has a code");
    EXEC_SIZE.set(parts.code, shape.exec_size.trailing_zeros());
    levels[at::EXEC_SIZE] = shape.exec_size.trailing_zeros() as u8;
    DST.horz_stride.set(parts.code, code_of(shape.dst_stride));
    levels[at::DST_STRIDE] = shape.dst_stride.trailing_zeros() as u8;
    if shape.source_has_region() {
        let is_multiple = shape.source == Source::AddressPerRow;
        SRC0.vert_stride.set(parts.code, if is_multiple { NULL } else { code_of(shape.vert) });
        SRC0.width.set(parts.code, code_of(shape.width));
        SRC0.horz_stride.set(parts.code, code_of(shape.horz));
        let vert = narrow(shape.vert);
        levels[at::SRC_VERT] = LEGAL_VERT_STRIDES.iter().position(|&known| known == vert).unwrap_or(0) as u8;
        levels[at::SRC_WIDTH] = shape.width.trailing_zeros() as u8;
        // 1, 0, 2, 4: the usual stride is the first level.
        levels[at::SRC_HORZ] = [1, 0, 2, 0, 3][shape.horz];
    } else {
        for field in [SRC0.vert_stride, SRC0.width, SRC0.horz_stride, SRC0.id] {
            field.set(parts.code, 0);
        }
    }
}

/// Aligns the mask to the execution size, and keeps it within the dispatch size.
fn fit_mask(parts: &mut Parts<'_>, shape: &Shape, levels: &mut Levels, noise: &mut Noise) {
    let size = narrow(shape.exec_size);
    let no_mask = EXEC_MASK.get(parts.code) & NO_MASK;
    let mut offset = mask_offset(parts) & !(size - 1);
    let dispatch = DISPATCH_SIZES[(peek(parts).dispatch_size as usize).min(2)];
    if size > dispatch {
        offset = 0;
        small(parts).dispatch_size = size.trailing_zeros() - 3;
    } else if offset + size > dispatch {
        offset = (narrow(noise.below((dispatch / size) as usize)) * size) & !3;
    }
    if shape.source == Source::Predicate && noise.below(32) != 0 {
        offset = 0;
    }
    EXEC_MASK.set(parts.code, no_mask | (offset / 4));
    levels[at::MASK] = (offset / 4) as u8;
    levels[at::DISPATCH_SIZE] = 2 - (peek(parts).dispatch_size as u8).min(2);
}

// ------------------------------------------------------------------------------------------------ other operands

/// Gives a predicate operand a variable that fits in the destination's type, and rarely one that does not.
fn predicate_operand(parts: &mut Parts<'_>, shape: &Shape, noise: &mut Noise) {
    if shape.source != Source::Predicate {
        for field in [SRC0_PREDICATE.id, SRC0_PREDICATE.reserved, SRC0_PREDICATE.combine, SRC0_PREDICATE.inverse] {
            field.set(parts.code, 0);
        }
        return;
    }
    let index = noise.below(4);
    SRC0_PREDICATE.id.set(parts.code, 1 + narrow(index));
    // Control bits of a predicate operand have no meaning on any page.
    let control = if noise.below(32) == 0 { 1 + noise.below(3) } else { 0 };
    SRC0_PREDICATE.inverse.set(parts.code, narrow(control & 1));
    SRC0_PREDICATE.combine.set(parts.code, narrow(control >> 1));
    let most = dst_type(parts).bits().max(8).trailing_zeros().min(5);
    let count = if noise.below(16) == 0 { noise.below(6) } else { noise.below(most as usize + 1) };
    let value = noise.bits(32);
    let predicate = &mut small(parts).predicates[index];
    predicate.log2_num_elements = narrow(count);
    predicate.value = value;
    if noise.below(16) != 0 {
        for field in [PRED.id, PRED.combine, PRED.inverse] {
            field.set(parts.code, 0);
        }
    }
}

/// Draws the value of an immediate operand.
fn immediate(parts: &mut Parts<'_>, shape: &Shape, levels: &Levels, noise: &mut Noise) {
    if shape.source != Source::Immediate {
        for field in [SRC0_CONST.data_type, SRC0_CONST.low, SRC0_CONST.high] {
            field.set(parts.code, 0);
        }
        return;
    }
    let data_type = src_type(parts);
    let bits = data_type.bits();
    let mask = u64::MAX >> (64 - bits);
    let value = match levels[at::IMMEDIATE] {
        0 => 0,
        1 => 1,
        2 => corner(data_type, noise),
        _ => noise.word(),
    } & mask;
    let upper = match levels[at::IMMEDIATE_UPPER] {
        0 => 0,
        1 if value >> (bits - 1) & 1 != 0 => !mask,
        1 => 0,
        _ => noise.word() & !mask,
    };
    let low = (value | if bits < 32 { upper } else { 0 }) as u32;
    SRC0_CONST.low.set(parts.code, low);
    SRC0_CONST.high.set(parts.code, if bits == 64 { (value >> 32) as u32 } else { 0 });
}

/// A value at which conversions change their path; a NaN, an infinity, a denormal; or one bit.
fn corner(data_type: DataType, noise: &mut Noise) -> u64 {
    let list = super::VISA.value_classes[usize::from(value_class::of(data_type))].extra;
    let exponent = data_type.format().and_then(|format| format.exponent);
    match (exponent, noise.below(4)) {
        (Some(exponent), 0) => {
            let ones = u64::MAX >> (64 - exponent.width) << exponent.shift;
            (noise.word() & !ones) | if noise.bits(1) == 0 { ones } else { 0 }
        }
        (_, 1..) if !list.is_empty() => list[noise.below(list.len())],
        _ => (1u64 << noise.below(data_type.bits() as usize)).wrapping_sub(u64::from(noise.bits(1))),
    }
}

// ------------------------------------------------------------------------------------------------ masks, bystanders

/// A pattern for the selected channels.
fn pattern(level: u8, size: u32, noise: &mut Noise) -> u32 {
    let one = 1 << noise.below(size as usize);
    let alternating = [0x5555_5555, 0xaaaa_aaaa][noise.below(2)];
    let all = slice_mask(size);
    all & [u32::MAX, 0, one, !one, alternating, noise.bits(32)][usize::from(level)]
}

/// Gives execution mask and predicate their patterns in the slice that the instruction selects.
fn masks(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let (size, offset) = (exec_size(parts), mask_offset(parts));
    let slice = slice_mask(size) << offset;
    let outside = noise.word();
    let fresh = levels[at::BYSTANDERS] != 0;
    let enabled = pattern(levels[at::EM], size, noise) << offset;
    let small_state = small(parts);
    let rest = if fresh { outside as u32 } else { small_state.em };
    small_state.em = (rest & !slice) | enabled;
    if PRED.id.get(parts.code) == 0 {
        levels[at::PREDICATION] = 0;
        return;
    }
    let index = predicate_entry(parts);
    let chosen = pattern(levels[at::PREDICATE_VALUE], size, noise) << offset;
    let needed = (offset + size).next_power_of_two().trailing_zeros();
    let count = match levels[at::PREDICATE_ELEMENTS] {
        0 => 5,
        1 => needed,
        _ => noise.below(needed as usize + 1).saturating_sub(1) as u32,
    };
    if levels[at::PREDICATE_ELEMENTS] == 2 && (1 << count) >= offset + size {
        // One element is always there.
        levels[at::PREDICATE_ELEMENTS] = 1;
    }
    // A predicate that is the source as well keeps what it was given.
    if SRC0.class.get(parts.code) == class::PREDICATE && SRC0_PREDICATE.id.get(parts.code) == PRED.id.get(parts.code) {
        return;
    }
    let predicate = &mut small(parts).predicates[index];
    let rest = if fresh { (outside >> 32) as u32 } else { predicate.value };
    predicate.value = (rest & !slice) | chosen;
    predicate.log2_num_elements = count;
}

/// Makes fresh what the instruction does not read: other variables, predicates, addresses, denormal bits.
fn bystanders(parts: &mut Parts<'_>, operands: &Operands, shape: &Shape, levels: &Levels, noise: &mut Noise) {
    if levels[at::BYSTANDERS] == 0 {
        return;
    }
    let used = denorm_bit(dst_type(parts)) | denorm_bit(src_type(parts));
    let idle = (cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM) & !used;
    let is_used =
        |index: usize| index == operands.dst.variable || operands.src.is_some_and(|src| src.variable == index);
    let typed = [&DST, &SRC0]
        .map(|fields| (fields.class.get(parts.code) == class::GENERAL).then(|| entry(fields.id.get(parts.code))));
    let predicates = [PRED.id.get(parts.code), SRC0_PREDICATE.id.get(parts.code)];
    let is_indirect = shape.dst_is_indirect || matches!(shape.source, Source::OneAddress | Source::AddressPerRow);
    let state = small(parts);
    let bits = noise.word();
    state.cr0 = (state.cr0 & !idle) | (bits as u32 & idle);
    for (index, variable) in state.variables.iter_mut().enumerate() {
        if !is_used(index) && !typed.contains(&Some(index)) {
            let word = noise.word();
            variable.data_type = (word & 15) as u16;
            variable.num_elements = (word >> 16 & 0xfff) as u16;
            variable.offset = (word >> 32 & 0x1fff) as u16;
        }
    }
    for (number, predicate) in (1..).zip(&mut state.predicates) {
        if !predicates.contains(&number) {
            let word = noise.word();
            predicate.value = word as u32;
            predicate.log2_num_elements = (word >> 32) as u32 % 6;
        }
    }
    if !is_indirect {
        let word = noise.word();
        state.addresses[(word & 1) as usize][(word >> 8) as usize % ADDRESS_ELEMENTS] = (word >> 16) as u16;
    }
}
