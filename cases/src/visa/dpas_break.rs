//! Breaking one rule of the pages on purpose, in a `DPAS` case whose operands are placed.
//!
//! Each function says whether the rule could be broken in the case at hand.

use tandem_isa::visa::operand::dpas::{DST, NULL_VARIABLE, RawFields, SRC0, SRC1};
use tandem_isa::visa::operand::{EXEC_SIZE_BIT3, SRC2, class};
use tandem_isa::visa::{DataType, GRF_BYTES};
use tandem_isa::{CodeField, Noise, Parts};

use super::case::{entry, narrow, small};
use super::dpas_axes::type_of;
use super::dpas_operands::{Shape, at, starts};

fn id_of(operand: usize) -> CodeField {
    [DST.id, SRC0.id, SRC1.id, SRC2.id][operand]
}

fn raw(operand: usize) -> RawFields {
    [DST, SRC0, SRC1][operand]
}

/// Breaks the rule of a level of `place_rule`.
pub(super) fn break_place_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
    let shape = Shape::of(parts);
    let operand = usize::from(level.wrapping_sub(1)) % 4;
    if level == 0 || (id_of(operand).get(parts.code) == NULL_VARIABLE) {
        return false;
    }
    match level {
        1..=3 => {
            let fields = raw(operand);
            // Half a register is aligned to a smaller one, and to a packed row of 16 bits.
            let half = shape.register / 2;
            let is_packed = type_of(parts, fields.id.get(parts.code)).bytes() == 2;
            let by = match noise.below(if is_packed { 8 } else { 5 }) {
                1 => 4,
                2 => 2,
                3 => 1,
                4 => 4 * (1 + noise.below(7)),
                _ => half,
            };
            let offset = fields.offset.get(parts.code) + narrow(by);
            fields.offset.set(parts.code, offset);
            grow(parts, operand, by)
        }
        4 if shape.unit > 4 => {
            let by = 1 + noise.below(shape.unit / 4 - 1);
            let column = SRC2.col_offset.get(parts.code) + narrow(by);
            SRC2.col_offset.set(parts.code, column);
            grow(parts, operand, 4 * by)
        }
        5..=8 => {
            // Its variable ends one element, or one datum, before the operand does.
            let start = starts(parts)[operand].unwrap_or(0);
            let number = entry_of(operand, parts.code);
            let variable = &mut small(parts).variables[number];
            let size = DataType::of_code(variable.data_type.into()).bytes();
            let need = (start + shape.bytes[operand] - usize::from(variable.offset)).div_ceil(size);
            variable.num_elements = (need - 1).max(1) as u16;
            need > 1
        }
        9 => {
            let operand = at::SRC2;
            let column = SRC2.col_offset.get(parts.code) + narrow(shape.register / 4);
            SRC2.col_offset.set(parts.code, column);
            grow(parts, operand, shape.register)
        }
        _ => false,
    }
}

fn entry_of(operand: usize, code: &[u32]) -> usize {
    entry(id_of(operand).get(code))
}

/// Makes the variable of an operand that was moved up hold it again; it moves down if the file ends.
fn grow(parts: &mut Parts<'_>, operand: usize, by: usize) -> bool {
    let shape = Shape::of(parts);
    let start = starts(parts)[operand].unwrap_or(0);
    let number = entry_of(operand, parts.code);
    let variable = &mut small(parts).variables[number];
    let size = DataType::of_code(variable.data_type.into()).bytes();
    let excess = (start + shape.bytes[operand]).saturating_sub(GRF_BYTES).next_multiple_of(shape.register);
    variable.offset = variable.offset.saturating_sub(excess as u16);
    variable.num_elements += by.div_ceil(size) as u16;
    true
}

/// Breaks the rule of a level of `encoding_rule`.
pub(super) fn break_encoding_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
    match level {
        1 => EXEC_SIZE_BIT3.set(parts.code, 1),
        2 => {
            let field = id_of(noise.below(4));
            let id = field.get(parts.code);
            if id == NULL_VARIABLE {
                return false;
            }
            // The low two bits stay, so that a label still finds the type.
            let id = match noise.below(3) {
                0 => (id & 3) + 4 * (9 + narrow(noise.below(100))),
                1 => (id & 3) + 4 * (1 + narrow(noise.below(7))),
                _ => id | 1 << (6 + noise.below(26)),
            };
            field.set(parts.code, id);
        }
        3 => {
            let code = [1, class::PREDICATE, class::INDIRECT, 4, class::IMMEDIATE, class::STATE, 7][noise.below(7)];
            SRC2.class.set(parts.code, code);
        }
        4 => SRC2.modifiers.set(parts.code, 1 + narrow(noise.below(7))),
        5 => {
            let four = 1 << noise.bits(2);
            match noise.below(4) {
                0 => SRC2.tag_rest.set(parts.code, 1 + narrow(noise.below(3))),
                1 => SRC2.region_rest.set(parts.code, four),
                // Codes that the page of operands does not list.
                2 => SRC2.vert_stride.set(parts.code, 8 + noise.bits(3)),
                _ => SRC2.horz_stride.set(parts.code, 8 + noise.bits(3)),
            }
        }
        6 => {
            // The null destination keeps its type, as a label sees it, only if it was the first variable's.
            let operand = [at::DST, at::SRC1, at::SRC2][noise.below(3)];
            let operand = if operand == at::DST && entry_of(at::DST, parts.code) != 0 { at::SRC1 } else { operand };
            id_of(operand).set(parts.code, NULL_VARIABLE);
        }
        _ => return false,
    }
    true
}
