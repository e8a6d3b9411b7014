//! Breaking one rule of the pages on purpose, in a case whose vector operands are placed.
//!
//! Each function says whether the rule could be broken in the case at hand.

use tandem_isa::visa::operand::{PRED, class};
use tandem_isa::visa::{FIRST_GENERAL, GRF_BYTES};
use tandem_isa::{Noise, Parts};

use super::case::{narrow, small, variable_type};
use super::channels::{break_exec_size, break_mask, break_no_predication, break_predication};
use super::vector::{Vector, code_of};
use super::vector_place::{Form, Kind, Placed, Region, Shape};

/// The levels of the axis `region_rule`.
pub(super) const REGION_RULES: &[&str] = &[
    "kept",
    "width above execution size",
    "more than two registers",
    "source out of bounds",
    "destination out of bounds",
    "destination stride 0",
    "column offset beyond a register",
    "misaligned address",
    "address outside every variable",
    "indirect offset out of range",
    "stride or width without a meaning",
];

/// The levels of the axis `encoding_rule`.
pub(super) const ENCODING_RULES: &[&str] = &[
    "kept",
    "execution size",
    "mask",
    "predication control",
    "P0 with control bits",
    "modifier",
    "operand class",
    "undeclared variable",
    "unnamed bits",
];

/// The source whose rule is broken: if there are several, any of them.
fn any_source<const N: usize>(noise: &mut Noise) -> usize {
    if N > 2 { 1 + noise.below(N - 1) } else { 1 }
}

/// Breaks the rule of a level of `region_rule`; false if the case has nothing to break it with.
pub(super) fn break_region_rule<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    placed: &[Option<Placed>; N],
    level: u8,
    noise: &mut Noise,
) -> bool {
    let from = any_source::<N>(noise);
    let (dst, src, channels) = (&form.operands[0], &form.operands[from], shape.channels);
    let is_region = shape.regions[from].lies_in_file();
    match level {
        1 if is_region && channels < 16 => {
            let least = channels.trailing_zeros() as usize + 1;
            src.fields.width.set(parts.code, code_of(1 << (least + noise.below(5 - least))));
            true
        }
        2 => too_far(form, from, parts, shape, placed),
        3 if is_region && shape.regions[from].kind != Kind::AddressPerRow => {
            shorten(src, parts, placed[from], shape.span(from), shape.regions[from].size)
        }
        4 => shorten(dst, parts, placed[0], shape.span(0), shape.regions[0].size),
        5 => {
            dst.fields.horz_stride.set(parts.code, code_of(0));
            true
        }
        6 => {
            let general = |index: usize| (shape.regions[index].kind == Kind::General).then_some(index);
            let (first, second) = if noise.bits(1) == 0 { (from, 0) } else { (0, from) };
            let Some(index) = general(first).or(general(second)) else { return false };
            let Some(placed) = placed[index] else { return false };
            beyond_column(&form.operands[index], parts, &placed, shape.regions[index].size, shape.register);
            true
        }
        7..=9 => break_address(form, from, parts, shape, level, noise),
        10 => {
            let unlisted = 8 + noise.bits(3);
            match (is_region, noise.below(4)) {
                (true, 0) => src.fields.vert_stride.set(parts.code, unlisted),
                (true, 1) => src.fields.width.set(parts.code, [0, 1, 7, unlisted][noise.below(4)]),
                (true, 2) => src.fields.horz_stride.set(parts.code, [0, 5, 6, 7, unlisted][noise.below(5)]),
                _ => dst.fields.horz_stride.set(parts.code, [0, 5, 6, 7, unlisted][noise.below(5)]),
            }
            true
        }
        _ => false,
    }
}

/// Makes a region reach over more than two registers, within its variable: that of a source that shares none with the
/// destination, or of the destination.
fn too_far<const N: usize>(
    form: &Form<N>,
    from: usize,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    placed: &[Option<Placed>; N],
) -> bool {
    let shared = placed[0].map(|dst| dst.variable);
    for (index, stride) in [(from, 32), (0, 4)] {
        let (operand, region) = (&form.operands[index], &shape.regions[index]);
        let span = ((shape.channels - 1) * stride + 1) * region.size;
        let Some(Placed { variable, .. }) = placed[index] else { continue };
        let is_free = index == 0 || (Some(variable) != shared && span <= 4000);
        if region.kind != Kind::General || !is_free || span <= 2 * shape.register {
            continue;
        }
        if index == 0 {
            operand.fields.horz_stride.set(parts.code, code_of(stride));
        } else {
            operand.fields.vert_stride.set(parts.code, code_of(stride));
            operand.fields.width.set(parts.code, code_of(1));
        }
        operand.fields.row_offset.set(parts.code, 0);
        operand.fields.col_offset.set(parts.code, 0);
        let declared = &mut small(parts).variables[variable];
        (declared.offset, declared.num_elements) = (0, (4095 / region.size) as u16);
        return true;
    }
    false
}

/// Takes the last element of the region out of its variable.
fn shorten(operand: &Vector, parts: &mut Parts<'_>, placed: Option<Placed>, span: usize, size: usize) -> bool {
    let Some(placed) = placed else { return false };
    let element = variable_type(parts, placed.variable).bytes();
    let elements = (placed.start + span - placed.offset - size.min(element)) / element;
    if elements > 0 {
        small(parts).variables[placed.variable].num_elements = elements as u16;
        return true;
    }
    // The region is the first element alone: it is moved out instead.
    let is_general = operand.is_general(parts);
    if is_general {
        operand.fields.row_offset.set(parts.code, 255);
    }
    is_general
}

/// Gives a general operand a column offset beyond its register, which names an element of the variable all the same.
fn beyond_column(operand: &Vector, parts: &mut Parts<'_>, placed: &Placed, size: usize, register: usize) {
    let fields = &operand.fields;
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

fn break_address<const N: usize>(
    form: &Form<N>,
    from: usize,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    level: u8,
    noise: &mut Noise,
) -> bool {
    let index = match [from, 0].map(|index| shape.regions[index].is_indirect()) {
        [true, false] => from,
        [true, true] if noise.bits(1) == 0 => from,
        [_, true] => 0,
        [false, false] => return false,
    };
    let (fields, region) = (&form.operands[index].fields, &shape.regions[index]);
    let (size, rows) = (region.size, if region.kind == Kind::AddressPerRow { region.rows(shape.channels) } else { 1 });
    let first = fields.addr_offset.get(parts.code) as usize;
    let which = if index > 0 { first + noise.below(rows) } else { first };
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
pub(super) fn break_encoding_rule<const N: usize>(
    form: &Form<N>,
    parts: &mut Parts<'_>,
    shape: &Shape<N>,
    level: u8,
    noise: &mut Noise,
) -> bool {
    let from = any_source::<N>(noise);
    let (dst, src) = (&form.operands[0], &form.operands[from]);
    match level {
        1 => break_exec_size(parts, noise),
        2 => break_mask(parts, shape.channels, noise),
        3 => break_predication(parts, noise),
        4 => break_no_predication(parts, noise),
        5 => {
            // The bits that a legal modifier uses stay, so that the case stays in its cell.
            if noise.bits(1) == 0 {
                let modifiers = src.fields.modifiers.get(parts.code) | 4;
                src.fields.modifiers.set(parts.code, modifiers);
            } else {
                let modifiers = (dst.fields.modifiers.get(parts.code) & 4) | (1 + narrow(noise.below(3)));
                dst.fields.modifiers.set(parts.code, modifiers);
            }
        }
        6 => {
            let (operand, others) = if noise.bits(1) == 0 {
                (dst, &[class::ADDRESS, 4, class::IMMEDIATE, class::STATE, 7][..])
            } else {
                (src, &[class::ADDRESS, 4, class::STATE, 7][..])
            };
            if !operand.is_general(parts) {
                return false;
            }
            operand.fields.class.set(parts.code, others[noise.below(others.len())]);
        }
        7 => return undeclared(parts, (dst, &shape.regions[0]), (src, &shape.regions[from]), noise),
        8 => unnamed(parts, (dst, &shape.regions[0]), (src, &shape.regions[from]), noise),
        _ => return false,
    }
    true
}

/// A number that no variable has. The low two bits stay, so that a label still finds the type.
pub(super) fn undeclared_number(id: u32, least: u32, noise: &mut Noise) -> u32 {
    match noise.below(3) {
        0 => (id & 3) + 4 * (9 + narrow(noise.below(100))),
        1 => (id & 3) + 4 * (least + narrow(noise.below((FIRST_GENERAL / 4 - least) as usize))),
        _ => id | 1 << (6 + noise.below(26)),
    }
}

fn undeclared(
    parts: &mut Parts<'_>,
    (dst, to): (&Vector, &Region),
    (src, from): (&Vector, &Region),
    noise: &mut Noise,
) -> bool {
    let (operand, region) = match noise.below(3) {
        0 => (dst, to),
        1 if PRED.id.get(parts.code) != 0 => {
            PRED.id.set(parts.code, 5 + narrow(noise.below(4000)));
            return true;
        }
        _ => (src, from),
    };
    let id = operand.fields.id.get(parts.code);
    match (region.kind, operand.source) {
        (Kind::General, _) => operand.fields.id.set(parts.code, undeclared_number(id, 0, noise)),
        (Kind::OneAddress | Kind::AddressPerRow, _) => operand.fields.id.set(parts.code, 2 + id),
        (Kind::Predicate, Some((_, predicate))) => predicate.id.set(parts.code, [0, 5, 4095][noise.below(3)]),
        (Kind::Immediate | Kind::Predicate, _) => return false,
    }
    true
}

/// Sets bits that no page names.
fn unnamed(parts: &mut Parts<'_>, (dst, to): (&Vector, &Region), (src, from): (&Vector, &Region), noise: &mut Noise) {
    let bits = 1 << noise.bits(1);
    let four = 1 << noise.bits(2);
    match noise.below(4) {
        0 => dst.fields.tag_rest.set(parts.code, bits),
        1 => src.fields.tag_rest.set(parts.code, bits),
        2 if to.is_indirect() && noise.bits(1) == 0 => dst.fields.properties_rest.set(parts.code, four),
        2 => dst.fields.region_rest.set(parts.code, four),
        _ => match (from.kind, src.source) {
            (Kind::OneAddress | Kind::AddressPerRow, _) => src.fields.properties_rest.set(parts.code, four),
            (Kind::Immediate, Some((constant, _))) => constant.type_rest.set(parts.code, four),
            (Kind::Predicate, Some((_, predicate))) => predicate.reserved.set(parts.code, 1),
            _ => src.fields.region_rest.set(parts.code, four),
        },
    }
}
