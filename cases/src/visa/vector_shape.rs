//! The shapes of vector operands: execution size and regions of a case that can be had together.

use super::*;

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    General,
    OneAddress,
    AddressPerRow,
    Immediate,
    Predicate,
}

/// All that decides how much room an operand needs: what it is, the bytes of an element, and its region. That of a
/// destination is one row of all channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub kind: Kind,
    pub size: usize,
    pub vert: usize,
    pub width: usize,
    pub horz: usize,
    /// Bytes from the first to the last element, once the region fits; of one row, if each row has an address.
    pub span: usize,
}

impl Region {
    pub(super) const NONE: Region = Region { kind: Kind::Immediate, size: 0, vert: 0, width: 1, horz: 0, span: 0 };

    /// Rows of so many channels.
    pub(super) fn rows(&self, channels: usize) -> usize {
        channels / self.width.min(channels)
    }

    /// What the span is for so many channels.
    fn span_of(&self, channels: usize) -> usize {
        let rows = if self.kind == Kind::AddressPerRow { 1 } else { self.rows(channels) };
        ((rows - 1) * self.vert + (self.width.min(channels) - 1) * self.horz + 1) * self.size
    }

    /// Whether it lies in the register file.
    pub(super) fn lies_in_file(&self) -> bool {
        self.kind == Kind::General || self.is_indirect()
    }

    pub(super) fn is_indirect(&self) -> bool {
        matches!(self.kind, Kind::OneAddress | Kind::AddressPerRow)
    }

    /// Makes it fit in two registers, and its width in the channels: contiguous, one element, or as it is.
    fn fit(&mut self, level: u8, channels: usize, room: usize, noise: &mut Noise) {
        match level {
            1 => (self.vert, self.width, self.horz) = (channels.min(16), channels.min(16), 1),
            2 => (self.vert, self.width, self.horz) = (0, 1, 0),
            _ => self.width = self.width.min(channels),
        }
        while self.kind == Kind::AddressPerRow && self.rows(channels) > ADDRESS_ELEMENTS {
            self.width *= 2;
        }
        while self.span_of(channels) > room {
            let has_vert = self.kind != Kind::AddressPerRow && self.rows(channels) > 1 && self.vert > 0;
            let has_horz = self.width > 1 && self.horz > 0;
            // Either stride, one step down; 1 goes to 0.
            if has_vert && (!has_horz || noise.bits(1) == 0) {
                self.vert /= 2;
            } else {
                self.horz /= 2;
            }
        }
    }
}

impl<F: Form> Placing<'_, '_, F> {
    /// Makes execution size, mask and regions such that they can be had together.
    pub(super) fn fit(&mut self) {
        for index in self.sources() {
            self.regions[index].kind = self.kind_of_source(index);
        }
        let is_indirect = F::OPERANDS[0].is_indirect(self.parts);
        self.regions[0].kind = if is_indirect { Kind::OneAddress } else { Kind::General };
        for (index, (operand, region)) in F::OPERANDS.iter().zip(&mut self.regions).enumerate() {
            region.size = operand.data_type(self.parts).bytes();
            let [vert, width, horz] = operand.region(self.parts).map(|count| count as usize);
            // Where a field is held, it may be longer than any rule allows.
            let horz = horz.min(4);
            (region.vert, region.width, region.horz) =
                if index == 0 { (0, usize::MAX, horz.max(1)) } else { (vert, width.max(1), horz) };
        }
        let is_packed = |operand: &Vector| {
            operand.class(self.parts) == class::IMMEDIATE && operand.data_type(self.parts).kind() == TypeKind::Packed
        };
        // A constant vector has eight elements; rarely it is asked for more.
        if F::OPERANDS[self.sources()].iter().any(is_packed) && self.noise.below(16) != 0 {
            self.channels = self.channels.min(8);
        }
        let has_predicate = self.regions[self.sources()].iter().any(|region| region.kind == Kind::Predicate);
        // A predicate is moved as one element; rarely it is asked for more.
        if has_predicate && self.noise.below(16) != 0 {
            self.channels = 1;
        }
        let room = 2 * self.register;
        for (index, region) in self.regions.iter().enumerate().take(F::OPERANDS.len()) {
            let is_contiguous = region.lies_in_file() && self.levels[F::OF[index].region] == 1;
            while (index == 0 || is_contiguous) && self.channels * region.size > room {
                self.channels /= 2;
            }
        }
        while self.regions[0].span_of(self.channels) > room {
            self.regions[0].horz /= 2;
        }
        for index in self.sources() {
            let level = self.levels[F::OF[index].region];
            if self.regions[index].lies_in_file() {
                self.regions[index].fit(level, self.channels, room, self.noise);
            }
        }
        for region in self.regions.iter_mut().take(F::OPERANDS.len()) {
            region.span = region.span_of(self.channels);
        }
        self.store();
        self.fit_mask(has_predicate);
    }

    /// What a source is. An immediate with a modifier is illegal, and rarely stays so.
    fn kind_of_source(&mut self, index: usize) -> Kind {
        let operand = &F::OPERANDS[index];
        let level = &mut self.levels[F::OF[index].class];
        match operand.class(self.parts) {
            class::PREDICATE => return Kind::Predicate,
            class::IMMEDIATE => {
                let data_type = operand.data_type(self.parts);
                if data_type.kind() == TypeKind::Packed && self.noise.below(16) != 0 {
                    operand.fields.modifiers.set(self.parts.code, 0);
                }
                let stays = operand.fields.modifiers.get(self.parts.code) == 0
                    || matches!(data_type.kind(), TypeKind::Bool | TypeKind::Packed)
                    || self.noise.below(16) == 0;
                if stays {
                    *level = 3;
                    return Kind::Immediate;
                }
                operand.fields.class.set(self.parts.code, class::GENERAL);
                operand.assign_type(self.parts, &F::OPERANDS[..index], data_type, self.noise);
                *level = 0;
            }
            class::INDIRECT => *level = 1 + u8::from(*level == 2),
            _ => *level = 0,
        }
        [Kind::General, Kind::OneAddress, Kind::AddressPerRow][usize::from(*level)]
    }

    /// Writes the shape into the code words, and the levels that it has.
    fn store(&mut self) {
        let (code, levels, channels) = (&mut *self.parts.code, &mut *self.levels, self.channels.trailing_zeros());
        EXEC_SIZE.set(code, channels);
        levels[F::AT.exec_size] = channels as u8;
        for (index, operand) in F::OPERANDS.iter().enumerate() {
            let (region, level) = (&self.regions[index], F::OF[index].region);
            if index == 0 {
                operand.fields.horz_stride.set(code, code_of(region.horz));
                levels[level] = region.horz.trailing_zeros() as u8;
            } else if region.lies_in_file() {
                operand.set_region(code, [region.vert, region.width, region.horz]);
                if region.kind == Kind::AddressPerRow {
                    operand.fields.vert_stride.set(code, NULL);
                }
                let vert = narrow(region.vert);
                levels[level + 1] = LEGAL_VERT_STRIDES.iter().position(|&known| known == vert).unwrap_or(0) as u8;
                levels[level + 2] = region.width.trailing_zeros() as u8;
                // 1, 0, 2, 4: the usual stride is the first level.
                levels[level + 3] = [1, 0, 2, 0, 3][region.horz];
            } else {
                operand.strides().into_iter().chain([&operand.fields.id]).for_each(|field| field.set(code, 0));
            }
        }
    }
}
