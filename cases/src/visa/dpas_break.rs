//! Breaking one rule of the pages on purpose, in a `DPAS` case whose operands are placed.
//!
//! Each function says whether the rule could be broken in the case at hand.

use tandem_isa::visa::GRF_BYTES;
use tandem_isa::visa::operand::dpas::NULL_VARIABLE;
use tandem_isa::visa::operand::{EXEC_SIZE_BIT3, SRC2, class};
use tandem_isa::{Noise, Parts};

use super::case::{narrow, small, variable_type};
use super::dpas_operands::{DST, OPERANDS, SRC0, Shape, at};
use super::operand::{Operand, register};
use super::vector_break::undeclared_number;

/// Breaks the rule of a level of `place_rule`.
pub(super) fn break_place_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
    let shape = Shape::of(parts);
    let number = usize::from(level.wrapping_sub(1)) % 4;
    let operand = &OPERANDS[number];
    if level == 0 || operand.is_null(parts) {
        return false;
    }
    let size = operand.data_type(parts).bytes();
    match level {
        1..=3 => {
            // Half a register is aligned to a smaller one, and to a packed row of 16 bits.
            let half = shape.register / 2;
            let by = match noise.below(if size == 2 { 8 } else { 5 }) {
                1 => 4,
                2 => 2,
                3 => 1,
                4 => 4 * (1 + noise.below(7)),
                _ => half,
            };
            let lead = operand.lead(parts) + by;
            operand.set_lead(parts, lead);
            grow(parts, number, by);
        }
        4 if shape.unit > 4 => {
            let by = 1 + noise.below(shape.unit / 4 - 1);
            move_column(parts, by);
        }
        5..=8 => {
            // Its variable ends one element, or one datum, before the operand does.
            let (end, variable) = (operand.start(parts).unwrap_or(0) + shape.bytes[number], operand.entry(parts));
            let variable = &mut small(parts).variables[variable];
            let need = (end - usize::from(variable.offset)).div_ceil(size);
            variable.num_elements = (need - 1).max(1) as u16;
            return need > 1;
        }
        9 => move_column(parts, shape.register / 4),
        _ => return false,
    }
    true
}

/// Moves `Src2` by so many columns, beyond its register too.
fn move_column(parts: &mut Parts<'_>, by: usize) {
    let column = SRC2.col_offset.get(parts.code) + narrow(by);
    SRC2.col_offset.set(parts.code, column);
    grow(parts, at::SRC2, 4 * by);
}

/// Makes the variable of an operand that was moved up hold it again; it moves down if the file ends.
fn grow(parts: &mut Parts<'_>, number: usize, by: usize) {
    let (shape, operand) = (Shape::of(parts), &OPERANDS[number]);
    let (start, variable) = (operand.start(parts).unwrap_or(0), operand.entry(parts));
    let size = variable_type(parts, variable).bytes();
    let excess = (start + shape.bytes[number]).saturating_sub(GRF_BYTES).next_multiple_of(shape.register);
    let variable = &mut small(parts).variables[variable];
    variable.offset = variable.offset.saturating_sub(excess as u16);
    variable.num_elements += by.div_ceil(size) as u16;
}

/// Breaks the rule of a level of `encoding_rule`.
pub(super) fn break_encoding_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
    match level {
        1 => EXEC_SIZE_BIT3.set(parts.code, 1),
        2 => {
            let operand = &OPERANDS[noise.below(4)];
            if operand.is_null(parts) {
                return false;
            }
            let id = operand.id.get(parts.code);
            operand.id.set(parts.code, undeclared_number(id, 1, noise));
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
            let number = [at::DST, at::SRC1, at::SRC2][noise.below(3)];
            let number = if number == at::DST && DST.entry(parts) != 0 { at::SRC1 } else { number };
            OPERANDS[number].id.set(parts.code, NULL_VARIABLE);
        }
        7 => {
            // Of a register, which the rule of raw operands allows, or less.
            let register = register(parts);
            let lead =
                if noise.below(4) == 0 { 1 + noise.below(register - 1) } else { register * (1 + noise.below(4)) };
            if !SRC0.is_null(parts) {
                return false;
            }
            SRC0.set_lead(parts, lead);
        }
        _ => return false,
    }
    true
}
