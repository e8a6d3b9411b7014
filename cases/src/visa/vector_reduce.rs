//! Larger steps for making a case of vector operands smaller: several parts change together, and data move with their
//! operands.
//!
//! Where elements lie is worked out for moving their data; whether a reduced case still shows what the larger one did is found
//! by running it, so a mistake here costs size and nothing else.

use super::*;

/// Steps for one channel: it becomes the only one.
const CHANNELS: usize = 32;

/// What becomes of a source region that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    /// It stays, with everything between its elements.
    Kept,
    /// `<1;1,0>`: the elements of the channels, one after the other.
    Contiguous,
    /// `<0;1,0>`: the element of one channel for all.
    Scalar(usize),
}

/// A step, of those that do not name a channel.
type Step = fn(&mut Case<'_, '_>) -> bool;

/// These steps, boldest first.
const STEPS: &[Step] = &[
    |case| case.move_dst() && case.move_sources(Moved::Scalar(0)),
    |case| case.move_dst() && case.move_sources(Moved::Contiguous),
    |case| case.move_dst() && case.move_sources(Moved::Kept),
    |case| case.move_sources(Moved::Scalar(0)),
    |case| case.move_sources(Moved::Contiguous),
    |case| case.move_sources(Moved::Kept),
    |case| case.move_dst(),
    |case| case.fold_predicate() && case.first_mask(),
    |case| case.fold_predicate(),
    |case| case.first_mask(),
    |case| case.first_predicate(),
    |case| (1..case.operands.len()).any(|source| case.fold_address(source)),
    |case| case.fold_address(0),
    |case| case.one_channel(),
    |case| case.halve(),
];

/// How many steps there are.
pub(super) const REDUCTIONS: usize = CHANNELS + STEPS.len();

/// Takes step `number` of a case of these operands, the destination first; false if it does not apply, and the case is then of
/// no use.
pub(super) fn reduce(operands: &[Vector], number: usize, code: &mut [u32], state: &mut State) -> bool {
    with_arena(code, state, |parts, file| {
        let mut case = Case { operands, parts, file };
        match number.checked_sub(CHANNELS) {
            Some(step) => STEPS[step](&mut case),
            None => case.only_channel(number).is_some(),
        }
    })
}

/// A case that is made smaller.
struct Case<'a, 'p> {
    operands: &'a [Vector],
    parts: &'a mut Parts<'p>,
    file: &'a mut [u8],
}

impl Case<'_, '_> {
    /// Makes `channel` the only one: one element, moved to the beginnings of the first variables.
    fn only_channel(&mut self, channel: usize) -> Option<()> {
        let dst = self.operands[0];
        let place = *dst.places(self.parts)?.get(channel)?;
        let has_regions = self.operands[1..].iter().any(|source| source.has_region(self.parts));
        let is_moved = !has_regions || self.move_sources(Moved::Scalar(channel));
        let old = self.file[place..place + dst.data_type(self.parts).bytes()].to_vec();
        let is_moved = is_moved && self.move_dst();
        self.file[..old.len()].copy_from_slice(&old);
        (is_moved && self.one_channel()).then_some(())
    }

    /// One channel, enabled, without predication.
    fn one_channel(&mut self) -> bool {
        let code = &mut *self.parts.code;
        if [EXEC_SIZE, EXEC_MASK, PRED.id].iter().all(|field| field.get(code) == 0) {
            return false;
        }
        put(code, [(EXEC_SIZE, 0), (EXEC_MASK, 0)]);
        no_predication(code);
        let small = small(self.parts);
        (small.em, small.dispatch_size) = (u32::MAX, 2);
        self.narrow_regions();
        true
    }

    /// Half as many channels.
    fn halve(&mut self) -> bool {
        let Some(code) = EXEC_SIZE.get(self.parts.code).checked_sub(1) else { return false };
        EXEC_SIZE.set(self.parts.code, code);
        self.narrow_regions();
        true
    }

    /// Makes the width of each source region fit in the channels.
    fn narrow_regions(&mut self) {
        let channels = exec_size(self.parts);
        for source in &self.operands[1..] {
            if source.region(self.parts)[1] > channels && source.has_region(self.parts) {
                source.fields.width.set(self.parts.code, code_of(channels as usize));
                if channels == 1 {
                    source.fields.horz_stride.set(self.parts.code, code_of(0));
                }
            }
        }
    }

    /// Puts what the predicate disables into the execution mask.
    fn fold_predicate(&mut self) -> bool {
        let code = &*self.parts.code;
        let is_plain = PRED.combine.get(code) == combine::SEQUENTIAL && EXEC_MASK.get(code) & NO_MASK == 0;
        if PRED.id.get(code) == 0 || !is_plain {
            return false;
        }
        let inverse = if PRED.inverse.get(code) != 0 { u32::MAX } else { 0 };
        let (entry, slice) = (predicate_entry(self.parts), slice(self.parts));
        let small = small(self.parts);
        small.em &= (small.predicates[entry].value ^ inverse) | !slice;
        no_predication(self.parts.code);
        true
    }

    /// Selects the first channels instead of others, with what they are enabled by.
    fn first_mask(&mut self) -> bool {
        let offset = mask_offset(self.parts);
        if offset == 0 {
            return false;
        }
        let control = EXEC_MASK.get(self.parts.code);
        EXEC_MASK.set(self.parts.code, control & NO_MASK);
        let (entry, slice) = (predicate_entry(self.parts), slice(self.parts));
        let small = small(self.parts);
        small.em = small.em >> offset | !slice;
        small.predicates[entry].value = small.predicates[entry].value >> offset & slice;
        true
    }

    /// Names the first predicate variable instead of another.
    fn first_predicate(&mut self) -> bool {
        if PRED.id.get(self.parts.code) <= 1 {
            return false;
        }
        let entry = predicate_entry(self.parts);
        small(self.parts).predicates.swap(0, entry);
        PRED.id.set(self.parts.code, 1);
        true
    }

    /// Puts the offset of an indirect operand into its address, and that into the first element of the first variable.
    fn fold_address(&mut self, operand: usize) -> bool {
        let operand = self.operands[operand];
        let address = operand.address_element(self.parts.code).filter(|_| operand.is_indirect(self.parts));
        let Some((variable, element)) = address else { return false };
        let offset = indirect_offset(&operand.fields, self.parts.code);
        let has_addresses = operand.fields.vert_stride.get(self.parts.code) == NULL;
        let addresses = &mut small(self.parts).addresses;
        for index in 0..(if has_addresses { ADDRESS_ELEMENTS - element } else { 1 }) {
            addresses[0][index] = addresses[variable][element + index].wrapping_add_signed(offset as i16);
        }
        let fields = [operand.fields.id, operand.fields.addr_offset, operand.fields.indirect_offset];
        put(self.parts.code, fields.map(|field| (field, 0)));
        true
    }

    /// Makes an operand a general one at the beginning of the variable of its number, which is as in the base state but for
    /// its type, and puts its data there.
    fn name(&mut self, number: usize, data: &[u8]) -> Option<()> {
        let operand = self.operands[number];
        let data_type = operand.data_type(self.parts);
        // Whoever has this variable gets another one: that of its own number.
        for (free, other) in self.operands.iter().enumerate().filter(|(other, _)| *other != number) {
            if other.is_general(self.parts) && other.declared(self.parts.code)? == number {
                small(self.parts).variables.swap(number, free);
                other.fields.id.set(self.parts.code, FIRST_GENERAL + narrow(free));
            }
        }
        operand.set_general(self.parts.code, number);
        let start = number * BASE_SPACING;
        small(self.parts).variables[number] = declared(data_type, BASE_ELEMENTS as usize, start);
        self.file[start..start + data.len()].copy_from_slice(data);
        Some(())
    }

    /// The data of an operand's elements, one after the other.
    fn data(&self, operand: &Vector, places: &[usize]) -> Vec<u8> {
        let size = operand.data_type(self.parts).bytes();
        places.iter().flat_map(|&place| &self.file[place..place + size]).copied().collect()
    }

    /// Moves the destination to the first variable, its elements one after the other.
    fn move_dst(&mut self) -> bool {
        let dst = self.operands[0];
        let Some(places) = dst.places(self.parts) else { return false };
        let data = self.data(&dst, &places);
        let is_moved = self.name(0, &data).is_some();
        dst.fields.horz_stride.set(self.parts.code, code_of(1));
        is_moved
    }

    /// Moves each source that lies in the file to the variable of its number; false if there is none, or one cannot be moved.
    fn move_sources(&mut self, region: Moved) -> bool {
        let in_file = |&source: &usize| self.operands[source].has_region(self.parts);
        let sources: Vec<usize> = (1..self.operands.len()).filter(in_file).collect();
        !sources.is_empty() && sources.into_iter().all(|source| self.move_source(source, region).is_some())
    }

    fn move_source(&mut self, number: usize, region: Moved) -> Option<()> {
        let source = self.operands[number];
        let places = source.places(self.parts)?;
        let (first, last) = (places[0], *places.iter().max().expect("there is a channel"));
        let (data, strides) = match region {
            Moved::Kept if source.fields.vert_stride.get(self.parts.code) == NULL => return None,
            Moved::Kept => (self.file[first..last + source.data_type(self.parts).bytes()].to_vec(), None),
            Moved::Contiguous => (self.data(&source, &places), Some([1, 1, 0])),
            Moved::Scalar(channel) => (self.data(&source, &places[channel..=channel]), Some([0, 1, 0])),
        };
        self.name(number, &data)?;
        if let Some(strides) = strides {
            source.set_region(self.parts.code, strides);
        }
        Some(())
    }
}
