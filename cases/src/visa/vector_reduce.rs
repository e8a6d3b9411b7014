//! Larger steps for making a case of vector operands smaller: several parts change together, and data move with their
//! operands.
//!
//! Where elements lie is worked out for moving their data; whether a reduced case still shows what the larger one did is found
//! by running it, so a mistake here costs size and nothing else.

use tandem_isa::visa::operand::{
    EXEC_MASK, EXEC_SIZE, NO_MASK, NULL, PRED, PredicateFields, class, combine, indirect_offset,
};
use tandem_isa::visa::{ADDRESS_ELEMENTS, BASE_ELEMENTS, BASE_SPACING, FIRST_GENERAL, GeneralVariable, Small};
use tandem_isa::{Parts, SaltPlan, State};

use super::case::{narrow, small};
use super::channels::{mask_offset, no_predication, predicate_entry, slice_mask};
use super::operand::Operand;
use super::vector::{Vector, code_of, elements, exec_size};

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
type Step = fn(&mut Case<'_>) -> bool;

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
    let mut case = Case { operands, code, state };
    match number.checked_sub(CHANNELS) {
        Some(step) => STEPS[step](&mut case),
        None => case.only_channel(number),
    }
}

/// Looks at a case whose code words and state are at hand.
pub(super) fn with_parts<T>(code: &mut [u32], state: &mut State, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
    look(&mut Parts { code, small: &mut state.small, salt: &mut SaltPlan::default() })
}

/// A case that is made smaller.
struct Case<'a> {
    operands: &'a [Vector],
    code: &'a mut [u32],
    state: &'a mut State,
}

impl Case<'_> {
    fn with<T>(&mut self, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        with_parts(self.code, self.state, look)
    }

    fn small(&mut self) -> &mut Small {
        bytemuck::from_bytes_mut(&mut self.state.small)
    }

    /// Makes `channel` the only one: one element, moved to the beginnings of the first variables.
    fn only_channel(&mut self, channel: usize) -> bool {
        let dst = self.operands[0];
        if channel >= self.with(|parts| exec_size(parts)) as usize {
            return false;
        }
        let Some(places) = self.with(|parts| dst.places(parts)) else { return false };
        let has_regions = self.operands[1..].iter().any(|source| self.with(|parts| source.has_region(parts)));
        if has_regions && !self.move_sources(Moved::Scalar(channel)) {
            return false;
        }
        let size = self.with(|parts| dst.data_type(parts).bytes());
        let old = self.bytes(places[channel], size);
        if !self.move_dst() {
            return false;
        }
        self.put(0, &old);
        self.one_channel()
    }

    /// One channel, enabled, without predication.
    fn one_channel(&mut self) -> bool {
        if EXEC_SIZE.get(self.code) == 0 && EXEC_MASK.get(self.code) == 0 && PRED.id.get(self.code) == 0 {
            return false;
        }
        EXEC_SIZE.set(self.code, 0);
        EXEC_MASK.set(self.code, 0);
        no_predication(self.code);
        let small = self.small();
        (small.em, small.dispatch_size) = (u32::MAX, 2);
        self.narrow_regions();
        true
    }

    /// Half as many channels.
    fn halve(&mut self) -> bool {
        let Some(code) = EXEC_SIZE.get(self.code).checked_sub(1) else { return false };
        EXEC_SIZE.set(self.code, code);
        self.narrow_regions();
        true
    }

    /// Makes the width of each source region fit in the channels.
    fn narrow_regions(&mut self) {
        let channels = self.with(|parts| exec_size(parts)) as usize;
        for source in &self.operands[1..] {
            let fields = &source.fields;
            let is_wide = elements(fields.width.get(self.code)) as usize > channels;
            if is_wide && self.with(|parts| source.has_region(parts)) {
                fields.width.set(self.code, code_of(channels));
                if channels == 1 {
                    fields.horz_stride.set(self.code, code_of(0));
                }
            }
        }
    }

    /// Puts what the predicate disables into the execution mask.
    fn fold_predicate(&mut self) -> bool {
        let PredicateFields { id, combine, inverse, .. } = PRED;
        let is_plain = combine.get(self.code) == combine::SEQUENTIAL;
        let has_mask = EXEC_MASK.get(self.code) & NO_MASK == 0;
        if id.get(self.code) == 0 || !is_plain || !has_mask {
            return false;
        }
        let inverse = if inverse.get(self.code) != 0 { u32::MAX } else { 0 };
        self.with(|parts| {
            let entry = predicate_entry(parts);
            let slice = slice_mask(exec_size(parts)) << mask_offset(parts);
            let small = small(parts);
            small.em &= (small.predicates[entry].value ^ inverse) | !slice;
        });
        no_predication(self.code);
        true
    }

    /// Selects the first channels instead of others, with what they are enabled by.
    fn first_mask(&mut self) -> bool {
        let offset = self.with(|parts| mask_offset(parts));
        if offset == 0 {
            return false;
        }
        let control = EXEC_MASK.get(self.code);
        EXEC_MASK.set(self.code, control & NO_MASK);
        self.with(|parts| {
            let slice = slice_mask(exec_size(parts));
            let entry = predicate_entry(parts);
            let small = small(parts);
            small.em = small.em >> offset | !slice;
            small.predicates[entry].value = small.predicates[entry].value >> offset & slice;
        });
        true
    }

    /// Names the first predicate variable instead of another.
    fn first_predicate(&mut self) -> bool {
        if PRED.id.get(self.code) <= 1 {
            return false;
        }
        self.with(|parts| {
            let entry = predicate_entry(parts);
            small(parts).predicates.swap(0, entry);
        });
        PRED.id.set(self.code, 1);
        true
    }

    /// Puts the offset of an indirect operand into its address, and that into the first element of the first variable.
    fn fold_address(&mut self, operand: usize) -> bool {
        let operand = self.operands[operand];
        if !self.with(|parts| operand.is_indirect(parts)) {
            return false;
        }
        let Some((variable, element)) = operand.address_element(self.code) else { return false };
        let offset = indirect_offset(&operand.fields, self.code);
        let has_addresses = operand.fields.vert_stride.get(self.code) == NULL;
        let count = if has_addresses { ADDRESS_ELEMENTS - element } else { 1 };
        let addresses = &mut self.small().addresses;
        for index in 0..count {
            addresses[0][index] = addresses[variable][element + index].wrapping_add_signed(offset as i16);
        }
        for field in [operand.fields.id, operand.fields.addr_offset, operand.fields.indirect_offset] {
            field.set(self.code, 0);
        }
        true
    }

    // -------------------------------------------------------------------------------------------- moving operands

    fn bytes(&self, start: usize, count: usize) -> Vec<u8> {
        self.state.arena[start..start + count].to_vec()
    }

    fn put(&mut self, start: usize, bytes: &[u8]) {
        self.state.arena[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Makes an operand a general one at the beginning of the variable of its number, which is as in the base state but for
    /// its type.
    fn name(&mut self, number: usize) -> Option<usize> {
        let operand = self.operands[number];
        let data_type = self.with(|parts| operand.data_type(parts));
        // Whoever has this variable gets another one: that of its own number.
        for (free, other) in self.operands.iter().enumerate().filter(|(other, _)| *other != number) {
            if other.fields.class.get(self.code) == class::GENERAL && other.declared(self.code)? == number {
                self.small().variables.swap(number, free);
                other.fields.id.set(self.code, FIRST_GENERAL + narrow(free));
            }
        }
        operand.fields.class.set(self.code, class::GENERAL);
        for field in operand.origin() {
            field.set(self.code, 0);
        }
        operand.fields.id.set(self.code, FIRST_GENERAL + narrow(number));
        let start = number * BASE_SPACING;
        self.small().variables[number] = GeneralVariable {
            data_type: data_type.code() as u16,
            num_elements: BASE_ELEMENTS as u16,
            offset: start as u16,
            unused: 0,
        };
        Some(start)
    }

    /// Moves the destination to the first variable, its elements one after the other.
    fn move_dst(&mut self) -> bool {
        let dst = self.operands[0];
        let Some(places) = self.with(|parts| dst.places(parts)) else { return false };
        let size = self.with(|parts| dst.data_type(parts).bytes());
        let old: Vec<Vec<u8>> = places.iter().map(|&place| self.bytes(place, size)).collect();
        let Some(start) = self.name(0) else { return false };
        dst.fields.horz_stride.set(self.code, code_of(1));
        self.put(start, &old.concat());
        true
    }

    /// Moves each source that lies in the file to the variable of its number; false if there is none, or one cannot be moved.
    fn move_sources(&mut self, region: Moved) -> bool {
        let in_file = |case: &mut Self, source: usize| {
            let operand = case.operands[source];
            case.with(|parts| operand.has_region(parts))
        };
        let sources: Vec<usize> = (1..self.operands.len()).filter(|&source| in_file(self, source)).collect();
        !sources.is_empty() && sources.into_iter().all(|source| self.move_source(source, region))
    }

    fn move_source(&mut self, number: usize, region: Moved) -> bool {
        let source = self.operands[number];
        let Some(places) = self.with(|parts| source.places(parts)) else { return false };
        let size = self.with(|parts| source.data_type(parts).bytes());
        let (first, last) = (places[0], *places.iter().max().expect("there is a channel"));
        if region == Moved::Kept && (source.fields.vert_stride.get(self.code) == NULL || last < first) {
            return false;
        }
        let (data, strides) = match region {
            Moved::Kept => (self.bytes(first, last + size - first), None),
            Moved::Contiguous => {
                let pieces: Vec<Vec<u8>> = places.iter().map(|&place| self.bytes(place, size)).collect();
                (pieces.concat(), Some([1, 1, 0]))
            }
            Moved::Scalar(channel) => (self.bytes(places[channel], size), Some([0, 1, 0])),
        };
        let Some(start) = self.name(number) else { return false };
        if let Some(strides) = strides {
            source.set_region(self.code, strides);
        }
        self.put(start, &data);
        true
    }
}
