//! Breaking one rule of the pages on purpose, in a case whose vector operands are placed.
//!
//! Each function says whether the rule could be broken in the case at hand.

use super::*;

impl<F: Form> Placing<'_, '_, F> {
    /// The source whose rule is broken: if there are several, any of them.
    fn any_source(&mut self) -> usize {
        let sources = F::OPERANDS.len() - 1;
        if sources > 1 { 1 + self.noise.below(sources) } else { 1 }
    }

    /// Breaks the rule of a level of `region_rule`; false if the case has nothing to break it with.
    pub(super) fn break_region_rule(&mut self, level: u8) -> bool {
        let from = self.any_source();
        let (dst, src) = (&F::OPERANDS[0].fields, &F::OPERANDS[from].fields);
        let is_region = self.regions[from].lies_in_file();
        match level {
            1 if is_region && self.channels < 16 => {
                let least = self.channels.trailing_zeros() as usize + 1;
                src.width.set(self.parts.code, code_of(1 << (least + self.noise.below(5 - least))));
            }
            2 => return self.too_far(from),
            3 if is_region && self.regions[from].kind != Kind::AddressPerRow => return self.shorten(from),
            4 => return self.shorten(0),
            5 => dst.horz_stride.set(self.parts.code, code_of(0)),
            6 => {
                let order = if self.noise.bits(1) == 0 { [from, 0] } else { [0, from] };
                let general = order.into_iter().find(|&index| self.regions[index].kind == Kind::General);
                return general.is_some_and(|index| self.beyond_column(index));
            }
            7..=9 => return self.break_address(from, level),
            10 => {
                let (code, noise) = (&mut *self.parts.code, &mut *self.noise);
                let unlisted = 8 + noise.bits(3);
                match (is_region, noise.below(4)) {
                    (true, 0) => src.vert_stride.set(code, unlisted),
                    (true, 1) => src.width.set(code, [0, 1, 7, unlisted][noise.below(4)]),
                    (is_region, which) => {
                        let stride = if is_region && which == 2 { src } else { dst }.horz_stride;
                        stride.set(code, [0, 5, 6, 7, unlisted][noise.below(5)]);
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// Makes a region reach over more than two registers, within its variable: that of a source that shares none with the
    /// destination, or of the destination.
    fn too_far(&mut self, from: usize) -> bool {
        let shared = self.placed[0].map(|dst| dst.variable);
        for (index, stride) in [(from, 32), (0, 4)] {
            let (fields, region) = (&F::OPERANDS[index].fields, &self.regions[index]);
            let span = ((self.channels - 1) * stride + 1) * region.size;
            let Some(Placed { variable, .. }) = self.placed[index] else { continue };
            let is_free = index == 0 || (Some(variable) != shared && span <= 4000);
            if region.kind != Kind::General || !is_free || span <= 2 * self.register {
                continue;
            }
            let code = &mut *self.parts.code;
            if index == 0 {
                fields.horz_stride.set(code, code_of(stride));
            } else {
                put(code, [(fields.vert_stride, code_of(stride)), (fields.width, code_of(1))]);
            }
            put(code, [(fields.row_offset, 0), (fields.col_offset, 0)]);
            let declared = &mut small(self.parts).variables[variable];
            (declared.offset, declared.num_elements) = (0, (4095 / region.size) as u16);
            return true;
        }
        false
    }

    /// Takes the last element of a region out of its variable.
    fn shorten(&mut self, index: usize) -> bool {
        let (Some(placed), size) = (self.placed[index], self.regions[index].size) else { return false };
        let element = variable_type(self.parts, placed.variable).bytes();
        let elements = (placed.start + self.regions[index].span - placed.offset - size.min(element)) / element;
        if elements > 0 {
            small(self.parts).variables[placed.variable].num_elements = elements as u16;
            return true;
        }
        // The region is the first element alone: it is moved out instead.
        let operand = &F::OPERANDS[index];
        let is_general = operand.is_general(self.parts);
        if is_general {
            operand.fields.row_offset.set(self.parts.code, 255);
        }
        is_general
    }

    /// Gives a general operand a column offset beyond its register, which names an element of the variable all the same.
    fn beyond_column(&mut self, index: usize) -> bool {
        let (Some(placed), register) = (self.placed[index], self.register) else { return false };
        let (fields, size) = (&F::OPERANDS[index].fields, self.regions[index].size);
        let (row, column) = (fields.row_offset.get(self.parts.code), fields.col_offset.get(self.parts.code));
        fields.col_offset.set(self.parts.code, column + narrow(register / size));
        if row > 0 {
            fields.row_offset.set(self.parts.code, row - 1);
        } else {
            let variable = &mut small(self.parts).variables[placed.variable];
            variable.offset = (usize::from(variable.offset) % register) as u16;
            variable.num_elements = (variable.num_elements + (register / size) as u16).min((4095 / size) as u16);
        }
        true
    }

    /// Breaks a rule of the address of a source or of the destination.
    fn break_address(&mut self, from: usize, level: u8) -> bool {
        let index = match [from, 0].map(|index| self.regions[index].is_indirect()) {
            [true, false] => from,
            [true, true] if self.noise.bits(1) == 0 => from,
            [_, true] => 0,
            [false, false] => return false,
        };
        let (fields, region, noise) = (&F::OPERANDS[index].fields, &self.regions[index], &mut *self.noise);
        let (size, rows) =
            (region.size, if region.kind == Kind::AddressPerRow { region.rows(self.channels) } else { 1 });
        let code = &mut *self.parts.code;
        let first = fields.addr_offset.get(code) as usize;
        let which = if index > 0 { first + noise.below(rows) } else { first };
        let (variable, displacement) = (fields.id.get(code) as usize, fields.indirect_offset.get(code));
        let state: &mut Small = bytemuck::from_bytes_mut(self.parts.small);
        let address = &mut state.addresses[variable][which];
        match level {
            7 if size > 1 => {
                let by = 1 + noise.below(size - 1) as u16;
                match noise.below(3) {
                    // The address, the offset, or both so that their sum is aligned again.
                    0 => *address ^= by,
                    1 => fields.indirect_offset.set(code, displacement ^ u32::from(by)),
                    _ if which == first && rows == 1 && (displacement >> 8 == 0) => {
                        *address = address.wrapping_sub(by);
                        fields.indirect_offset.set(code, displacement + u32::from(by));
                    }
                    _ => *address ^= by,
                }
            }
            8 => *address = (GRF_BYTES + 1024 + noise.below(1024) * size) as u16,
            9 => {
                // Multiples of the element's size, the nearest ones that the range leaves out among them.
                let steps = noise.below(3);
                let offset = if noise.bits(1) == 0 { 512 + steps * size } else { 0x1_0000 - 512 - (1 + steps) * size };
                fields.indirect_offset.set(code, narrow(offset));
            }
            _ => return false,
        }
        true
    }

    /// Breaks the rule of a level of `encoding_rule`; false if the case has nothing to break it with.
    pub(super) fn break_encoding_rule(&mut self, level: u8) -> bool {
        let from = self.any_source();
        let (dst, src) = (&F::OPERANDS[0], &F::OPERANDS[from]);
        let (parts, noise) = (&mut *self.parts, &mut *self.noise);
        match level {
            1..=4 => break_channels(parts, level, self.channels, noise),
            5 => {
                // The bits that a legal modifier uses stay, so that the case stays in its cell.
                let [to, from] = [dst, src].map(|operand| operand.fields.modifiers.get(parts.code));
                if noise.bits(1) == 0 {
                    src.fields.modifiers.set(parts.code, from | 4);
                } else {
                    dst.fields.modifiers.set(parts.code, (to & 4) | (1 + narrow(noise.below(3))));
                }
            }
            6 => {
                const OTHERS: &[u32] = &[class::ADDRESS, 4, class::STATE, 7];
                const OF_DST: &[u32] = &[class::ADDRESS, 4, class::IMMEDIATE, class::STATE, 7];
                let (operand, others) = if noise.bits(1) == 0 { (dst, OF_DST) } else { (src, OTHERS) };
                if !operand.is_general(parts) {
                    return false;
                }
                operand.fields.class.set(parts.code, others[noise.below(others.len())]);
            }
            7 => return self.undeclared(from),
            8 => self.unnamed(from),
            _ => return false,
        }
        true
    }

    /// Names a variable that is not declared.
    fn undeclared(&mut self, from: usize) -> bool {
        let (code, noise) = (&mut *self.parts.code, &mut *self.noise);
        let index = match noise.below(3) {
            0 => 0,
            1 if PRED.id.get(code) != 0 => {
                PRED.id.set(code, 5 + narrow(noise.below(4000)));
                return true;
            }
            _ => from,
        };
        let operand = &F::OPERANDS[index];
        let id = operand.fields.id.get(code);
        match (self.regions[index].kind, operand.source) {
            (Kind::General, _) => operand.fields.id.set(code, undeclared_number(id, 0, noise)),
            (Kind::OneAddress | Kind::AddressPerRow, _) => operand.fields.id.set(code, 2 + id),
            (Kind::Predicate, Some((_, predicate))) => predicate.id.set(code, [0, 5, 4095][noise.below(3)]),
            (Kind::Immediate | Kind::Predicate, _) => return false,
        }
        true
    }

    /// Sets bits that no page names.
    fn unnamed(&mut self, from: usize) {
        let (dst, src) = (&F::OPERANDS[0].fields, &F::OPERANDS[from]);
        let (code, noise) = (&mut *self.parts.code, &mut *self.noise);
        let bits = 1 << noise.bits(1);
        let four = 1 << noise.bits(2);
        match noise.below(4) {
            0 => dst.tag_rest.set(code, bits),
            1 => src.fields.tag_rest.set(code, bits),
            2 if self.regions[0].is_indirect() && noise.bits(1) == 0 => dst.properties_rest.set(code, four),
            2 => dst.region_rest.set(code, four),
            _ => match (self.regions[from].kind, src.source) {
                (Kind::OneAddress | Kind::AddressPerRow, _) => src.fields.properties_rest.set(code, four),
                (Kind::Immediate, Some((constant, _))) => constant.type_rest.set(code, four),
                (Kind::Predicate, Some((_, predicate))) => predicate.reserved.set(code, 1),
                _ => src.fields.region_rest.set(code, four),
            },
        }
    }
}

/// A number that no variable has. The low two bits stay, so that a label still finds the type.
pub(super) fn undeclared_number(id: u32, least: u32, noise: &mut Noise) -> u32 {
    match noise.below(3) {
        0 => (id & 3) + 4 * (9 + narrow(noise.below(100))),
        1 => (id & 3) + 4 * (least + narrow(noise.below((FIRST_GENERAL / 4 - least) as usize))),
        _ => id | 1 << (6 + noise.below(26)),
    }
}
