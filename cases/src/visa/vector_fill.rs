//! What a case of vector operands has beside their places: predicates, constants, masks, and what is not read.

use super::*;

impl<F: Form> Placing<'_, '_, F> {
    /// Gives values to what else the case has: predicates, constants, masks, and what is not read.
    pub(super) fn fill(&mut self) {
        let sources = || F::OPERANDS.iter().enumerate().filter_map(|(index, operand)| Some((index, operand.source?)));
        sources().for_each(|(index, (_, predicate))| self.fill_predicate(index, &predicate));
        sources().for_each(|(index, (constant, _))| self.fill_constant(index, &constant));
        self.fill_masks();
        if self.levels[F::AT.bystanders] != 0 {
            self.bystanders();
        }
    }

    /// Gives a predicate that is a source a variable that fits in the destination's type, and rarely one that does not; what is
    /// no predicate loses the fields of one.
    fn fill_predicate(&mut self, index: usize, fields: &PredicateFields) {
        let (parts, noise) = (&mut *self.parts, &mut *self.noise);
        if self.regions[index].kind != Kind::Predicate {
            let PredicateFields { id, reserved, combine, inverse } = fields;
            return [id, reserved, combine, inverse].into_iter().for_each(|field| field.set(parts.code, 0));
        }
        let index = noise.below(4);
        fields.id.set(parts.code, 1 + narrow(index));
        // Control bits of a predicate operand have no meaning on any page.
        let control = if noise.below(32) == 0 { 1 + noise.below(3) } else { 0 };
        put(parts.code, [(fields.inverse, narrow(control & 1)), (fields.combine, narrow(control >> 1))]);
        let most = F::OPERANDS[0].data_type(parts).bits().max(8).trailing_zeros().min(5);
        // With fewer elements than bits something is promised from 16 elements on.
        let promised = if most == 5 { 4 + noise.below(2) } else { most as usize };
        let count = match noise.below(32) {
            0 => noise.below(6),
            1..4 => noise.below(most as usize + 1),
            _ => promised,
        };
        let value = noise.bits(32);
        small(parts).predicates[index] = PredicateVariable { value, log2_num_elements: narrow(count) };
        if noise.below(16) != 0 {
            no_predication(parts.code);
        }
    }

    /// Draws the value of an immediate source; what is none loses the fields of one.
    fn fill_constant(&mut self, index: usize, fields: &ConstFields) {
        let (code, at, noise) = (&mut *self.parts.code, &F::AT, &mut *self.noise);
        if self.regions[index].kind != Kind::Immediate {
            return [fields.data_type, fields.low, fields.high].iter().for_each(|field| field.set(code, 0));
        }
        let data_type = DataType::of_code(fields.data_type.get(code));
        let bits = data_type.bits();
        let mask = u64::MAX >> (64 - bits);
        let value = match self.levels[at.immediate] {
            0 => 0,
            1 => 1,
            2 => corner(data_type, noise),
            _ => noise.word(),
        } & mask;
        let upper = match self.levels[at.immediate_upper_bits] {
            0 => 0,
            1 if value >> (bits - 1) & 1 != 0 => !mask,
            1 => 0,
            _ => noise.word() & !mask,
        };
        let low = (value | if bits < 32 { upper } else { 0 }) as u32;
        put(code, [(fields.low, low), (fields.high, if bits == 64 { (value >> 32) as u32 } else { 0 })]);
    }

    /// Makes fresh what the instruction does not read: other variables, predicates, addresses, denormal bits.
    fn bystanders(&mut self) {
        let (operands, parts) = (F::OPERANDS, &mut *self.parts);
        let used = operands.iter().fold(0, |bits, operand| bits | denorm_bit(operand.data_type(parts)));
        let idle = (cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM) & !used;
        let named = operands.iter().filter_map(|operand| operand.variable(parts));
        let named: Vec<_> = named.chain(self.placed.iter().flatten().map(|placed| placed.variable)).collect();
        let predicates = operands.iter().filter_map(|operand| Some(&operand.source.as_ref()?.1.id));
        let read: Vec<_> = predicates.chain([&PRED.id]).map(|id| id.get(parts.code)).collect();
        let state = small(parts);
        state.cr0 = (state.cr0 & !idle) | (self.noise.word() as u32 & idle);
        refresh(state, |variable| named.contains(&variable), |predicate| read.contains(&narrow(predicate)), self.noise);
        if !self.regions.iter().any(Region::is_indirect) {
            let word = self.noise.word();
            state.addresses[(word & 1) as usize][(word >> 8) as usize % ADDRESS_ELEMENTS] = (word >> 16) as u16;
        }
    }
}

/// A value at which conversions change their path; a NaN, an infinity, a denormal; or one bit.
fn corner(data_type: DataType, noise: &mut Noise) -> u64 {
    let list = VISA.value_classes[usize::from(value_class::of(data_type))].extra;
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

/// The denormal bit of a type; none for types without one.
pub(super) const fn denorm_bit(data_type: DataType) -> u32 {
    match data_type {
        DataType::Hf => cr0::HF_DENORM,
        DataType::F => cr0::F_DENORM,
        DataType::Df => cr0::DF_DENORM,
        _ => 0,
    }
}

/// Makes fresh the variables, by their places, and the predicates, by their numbers, that an instruction does not use.
pub(super) fn refresh(
    state: &mut Small,
    is_used: impl Fn(usize) -> bool,
    is_read: impl Fn(usize) -> bool,
    noise: &mut Noise,
) {
    for (index, variable) in state.variables.iter_mut().enumerate() {
        if !is_used(index) {
            let word = noise.word();
            let (data_type, num_elements) = ((word & 15) as u16, (word >> 16 & 0xfff) as u16);
            let offset = (word >> 32 & 0x1fff) as u16;
            *variable = GeneralVariable { data_type, num_elements, offset, unused: variable.unused };
        }
    }
    for (number, predicate) in (1..).zip(&mut state.predicates) {
        if !is_read(number) {
            let word = noise.word();
            *predicate = PredicateVariable { value: word as u32, log2_num_elements: (word >> 32) as u32 % 6 };
        }
    }
}
