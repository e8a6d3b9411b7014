//! Breaking one rule of the pages on purpose, in a `MOV` case whose operands are placed.
//!
//! Each function says whether the rule could be broken in the case at hand.

use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, NO_MASK, OperandFields, PRED, SRC0, SRC0_CONST, SRC0_PREDICATE, class,
    combine, region_code,
};
use tandem_isa::visa::{DataType, GRF_BYTES};
use tandem_isa::{Noise, Parts};

use super::mov_axes::{narrow, small};
use super::mov_operands::Placed;
use super::mov_place::{Operands, Shape, Source};

fn code_of(count: usize) -> u32 {
    region_code(narrow(count)).expect("a stride or width has a code")
}

/// Breaks the rule of a level of `region_rule`; false if the case has nothing to break it with.
pub(super) fn break_region_rule(
    parts: &mut Parts<'_>,
    shape: &mut Shape,
    operands: &Operands,
    level: u8,
    noise: &mut Noise,
) -> bool {
    let src = operands.src;
    match (level, src) {
        (1, Some(_)) if shape.exec_size < 16 => {
            let least = shape.exec_size.trailing_zeros() as usize + 1;
            shape.width = 1 << (least + noise.below(5 - least));
            SRC0.width.set(parts.code, code_of(shape.width));
            true
        }
        (2, _) => too_far(parts, shape, operands),
        (3, Some(src)) if shape.source != Source::AddressPerRow => {
            shorten(parts, &SRC0, &src, shape.src_span(), shape.src_size)
        }
        (4, _) => shorten(parts, &DST, &operands.dst, shape.dst_span(), shape.dst_size),
        (5, _) => {
            DST.horz_stride.set(parts.code, code_of(0));
            true
        }
        (6, src) => {
            let source = (shape.source == Source::General).then_some((&SRC0, src, shape.src_size));
            let dst = (!shape.dst_is_indirect).then_some((&DST, Some(operands.dst), shape.dst_size));
            let either = if noise.bits(1) == 0 { source.or(dst) } else { dst.or(source) };
            let Some((fields, Some(placed), size)) = either else { return false };
            beyond_column(parts, fields, &placed, size, shape.register);
            true
        }
        (7..=9, _) => break_address(parts, shape, level, noise),
        (10, src) => {
            let unlisted = 8 + noise.bits(3);
            match (src, noise.below(4)) {
                (Some(_), 0) => SRC0.vert_stride.set(parts.code, unlisted),
                (Some(_), 1) => {
                    let code = [0, 1, 7, unlisted][noise.below(4)];
                    SRC0.width.set(parts.code, code);
                }
                (Some(_), 2) => {
                    let code = [0, 5, 6, 7, unlisted][noise.below(5)];
                    SRC0.horz_stride.set(parts.code, code);
                }
                _ => {
                    let code = [0, 5, 6, 7, unlisted][noise.below(5)];
                    DST.horz_stride.set(parts.code, code);
                }
            }
            true
        }
        _ => false,
    }
}

/// Makes a region reach over more than two registers, within its variable.
fn too_far(parts: &mut Parts<'_>, shape: &mut Shape, operands: &Operands) -> bool {
    let room = 2 * shape.register;
    if let (Source::General, Some(src)) = (shape.source, operands.src)
        && src.variable != operands.dst.variable
        && ((shape.exec_size - 1) * 32 + 1) * shape.src_size > room
        && ((shape.exec_size - 1) * 32 + 1) * shape.src_size <= 4000
    {
        (shape.vert, shape.width) = (32, 1);
        SRC0.vert_stride.set(parts.code, code_of(32));
        SRC0.width.set(parts.code, code_of(1));
        SRC0.row_offset.set(parts.code, 0);
        SRC0.col_offset.set(parts.code, 0);
        let declared = &mut small(parts).variables[src.variable];
        (declared.offset, declared.num_elements) = (0, (4095 / shape.src_size) as u16);
        return true;
    }
    if !shape.dst_is_indirect && ((shape.exec_size - 1) * 4 + 1) * shape.dst_size > room {
        shape.dst_stride = 4;
        DST.horz_stride.set(parts.code, code_of(4));
        DST.row_offset.set(parts.code, 0);
        DST.col_offset.set(parts.code, 0);
        let declared = &mut small(parts).variables[operands.dst.variable];
        (declared.offset, declared.num_elements) = (0, (4095 / shape.dst_size) as u16);
        return true;
    }
    false
}

/// Takes the last element of the region out of its variable.
fn shorten(parts: &mut Parts<'_>, fields: &OperandFields, placed: &Placed, span: usize, size: usize) -> bool {
    let variable = &mut small(parts).variables[placed.variable];
    let element = DataType::of_code(variable.data_type.into()).bytes();
    let elements = (placed.start + span - placed.offset - size.min(element)) / element;
    if elements > 0 {
        variable.num_elements = elements as u16;
        return true;
    }
    // The region is the first element alone: it is moved out instead.
    let is_general = fields.class.get(parts.code) == class::GENERAL;
    if is_general {
        fields.row_offset.set(parts.code, 255);
    }
    is_general
}

/// Gives a general operand a column offset beyond its register, which names an element of the variable all the same.
fn beyond_column(parts: &mut Parts<'_>, fields: &OperandFields, placed: &Placed, size: usize, register: usize) {
    let (row, column) = (fields.row_offset.get(parts.code), fields.col_offset.get(parts.code));
    fields.col_offset.set(parts.code, column + narrow(register / size));
    if row > 0 {
        fields.row_offset.set(parts.code, row - 1);
    } else {
        let variable = &mut small(parts).variables[placed.variable];
        variable.offset = (usize::from(variable.offset) % register) as u16;
        variable.num_elements = (variable.num_elements + (register / size) as u16).min((4095 / size) as u16);
    }
}

fn break_address(parts: &mut Parts<'_>, shape: &Shape, level: u8, noise: &mut Noise) -> bool {
    let is_indirect = matches!(shape.source, Source::OneAddress | Source::AddressPerRow);
    let (fields, size, rows) = match (is_indirect, shape.dst_is_indirect) {
        (true, false) => (&SRC0, shape.src_size, shape.rows()),
        (true, true) if noise.bits(1) == 0 => (&SRC0, shape.src_size, shape.rows()),
        (_, true) => (&DST, shape.dst_size, 1),
        (false, false) => return false,
    };
    let rows = if shape.source == Source::AddressPerRow { rows } else { 1 };
    let first = fields.addr_offset.get(parts.code) as usize;
    let which = if std::ptr::eq(fields, &SRC0) { first + noise.below(rows) } else { first };
    let (variable, displacement) = (fields.id.get(parts.code) as usize, fields.indirect_offset.get(parts.code));
    match level {
        7 if size > 1 => {
            let by = 1 + noise.below(size - 1) as u16;
            match noise.below(3) {
                // The address, the offset, or both so that their sum is aligned again.
                0 => small(parts).addresses[variable][which] ^= by,
                1 => fields.indirect_offset.set(parts.code, displacement ^ u32::from(by)),
                _ if which == first && rows == 1 && (displacement >> 8 == 0) => {
                    let address = &mut small(parts).addresses[variable][which];
                    *address = address.wrapping_sub(by);
                    fields.indirect_offset.set(parts.code, displacement + u32::from(by));
                }
                _ => small(parts).addresses[variable][which] ^= by,
            }
            true
        }
        8 => {
            let beyond = GRF_BYTES + 1024 + noise.below(1024) * size;
            small(parts).addresses[variable][which] = beyond as u16;
            true
        }
        9 => {
            // Multiples of the element's size, the nearest ones that the range leaves out among them.
            let steps = noise.below(3);
            let offset = if noise.bits(1) == 0 { 512 + steps * size } else { 0x1_0000 - 512 - (1 + steps) * size };
            fields.indirect_offset.set(parts.code, narrow(offset));
            true
        }
        _ => false,
    }
}

/// Breaks the rule of a level of `encoding_rule`; false if the case has nothing to break it with.
pub(super) fn break_encoding_rule(parts: &mut Parts<'_>, shape: &Shape, level: u8, noise: &mut Noise) -> bool {
    match level {
        1 => {
            if noise.bits(1) == 0 {
                EXEC_SIZE_BIT3.set(parts.code, 1);
            } else {
                let code = 6 + noise.bits(1);
                EXEC_SIZE.set(parts.code, code);
            }
            true
        }
        2 => break_mask(parts, shape, noise),
        3 => {
            let id = PRED.id.get(parts.code).max(1);
            PRED.id.set(parts.code, id);
            if noise.bits(1) == 0 {
                PRED.combine.set(parts.code, combine::RESERVED);
            } else {
                PRED.reserved.set(parts.code, 1);
            }
            true
        }
        4 => {
            let control = 1 + noise.below(5);
            PRED.id.set(parts.code, 0);
            PRED.inverse.set(parts.code, narrow(control & 1));
            PRED.combine.set(parts.code, narrow(control >> 1));
            true
        }
        5 => {
            // The bits that a legal modifier uses stay, so that the case stays in its cell.
            if noise.bits(1) == 0 {
                let modifiers = SRC0.modifiers.get(parts.code) | 4;
                SRC0.modifiers.set(parts.code, modifiers);
            } else {
                let modifiers = (DST.modifiers.get(parts.code) & 4) | (1 + narrow(noise.below(3)));
                DST.modifiers.set(parts.code, modifiers);
            }
            true
        }
        6 => {
            let is_dst = noise.bits(1) == 0;
            let (fields, others) = if is_dst {
                (&DST, &[class::ADDRESS, 4, class::IMMEDIATE, class::STATE, 7][..])
            } else {
                (&SRC0, &[class::ADDRESS, 4, class::STATE, 7][..])
            };
            let is_general = fields.class.get(parts.code) == class::GENERAL;
            if is_general {
                let code = others[noise.below(others.len())];
                fields.class.set(parts.code, code);
            }
            is_general
        }
        7 => undeclared(parts, shape, noise),
        8 => unnamed(parts, shape, noise),
        _ => false,
    }
}

/// A mask that is not aligned to the execution size, or that reaches beyond the dispatch size.
fn break_mask(parts: &mut Parts<'_>, shape: &Shape, noise: &mut Noise) -> bool {
    let steps = narrow(shape.exec_size / 4);
    if steps > 1 && noise.bits(1) == 0 {
        let mask = EXEC_MASK.get(parts.code) | (1 + narrow(noise.below(steps as usize - 1)));
        EXEC_MASK.set(parts.code, mask);
        return true;
    }
    let (dispatch, first) = if shape.exec_size == 32 { (noise.bits(1), 0) } else { (0, narrow(noise.below(6)) + 2) };
    // Two steps of four channels are all that a dispatch of eight has.
    let mask = if steps > 1 { (first / steps * steps).max(if steps == 2 { 2 } else { 0 }) } else { first };
    small(parts).dispatch_size = dispatch;
    let no_mask = EXEC_MASK.get(parts.code) & NO_MASK;
    EXEC_MASK.set(parts.code, no_mask | mask);
    true
}

fn undeclared(parts: &mut Parts<'_>, shape: &Shape, noise: &mut Noise) -> bool {
    // The low two bits stay, so that a label still finds the type.
    let number = |id: u32, noise: &mut Noise| match noise.below(3) {
        0 => (id & 3) + 4 * (9 + narrow(noise.below(100))),
        1 => (id & 3) + 4 * narrow(noise.below(8)),
        _ => id | 1 << (6 + noise.below(26)),
    };
    match noise.below(3) {
        0 => {
            let id = DST.id.get(parts.code);
            let id = if shape.dst_is_indirect { 2 + id } else { number(id, noise) };
            DST.id.set(parts.code, id);
        }
        1 if PRED.id.get(parts.code) != 0 => {
            let id = 5 + narrow(noise.below(4000));
            PRED.id.set(parts.code, id);
        }
        _ => match shape.source {
            Source::General => {
                let id = SRC0.id.get(parts.code);
                let id = number(id, noise);
                SRC0.id.set(parts.code, id);
            }
            Source::OneAddress | Source::AddressPerRow => {
                let id = SRC0.id.get(parts.code);
                SRC0.id.set(parts.code, 2 + id);
            }
            Source::Predicate => {
                let id = [0, 5, 4095][noise.below(3)];
                SRC0_PREDICATE.id.set(parts.code, id);
            }
            Source::Immediate => return false,
        },
    }
    true
}

/// Sets bits that no page names.
fn unnamed(parts: &mut Parts<'_>, shape: &Shape, noise: &mut Noise) -> bool {
    let bits = 1 << noise.bits(1);
    let four = 1 << noise.bits(2);
    match noise.below(4) {
        0 => DST.tag_rest.set(parts.code, bits),
        1 => SRC0.tag_rest.set(parts.code, bits),
        2 if shape.dst_is_indirect && noise.bits(1) == 0 => DST.properties_rest.set(parts.code, four),
        2 => DST.region_rest.set(parts.code, four),
        _ => match shape.source {
            Source::General => SRC0.region_rest.set(parts.code, four),
            Source::OneAddress | Source::AddressPerRow => SRC0.properties_rest.set(parts.code, four),
            Source::Immediate => SRC0_CONST.type_rest.set(parts.code, four),
            Source::Predicate => SRC0_PREDICATE.reserved.set(parts.code, 1),
        },
    }
    true
}
