//! Larger steps for making a `MOV` case smaller: several parts change together, and data move with their operands.
//!
//! Where elements lie is worked out for moving their data; whether a reduced case
//! still shows what the larger one did is found by running it, so a mistake here costs size and nothing else.

use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, NO_MASK, NULL, OperandFields, PRED, SRC0, class, combine, indirect_offset, region_code,
};
use tandem_isa::visa::{ADDRESS_ELEMENTS, FIRST_GENERAL, GeneralVariable};
use tandem_isa::visa::{BASE_ELEMENTS, BASE_SPACING};
use tandem_isa::{Parts, SaltPlan, State};

use super::mov_axes::{dst_type, narrow, small, src_type};
use super::mov_elements::{address_element, dst_places, is_in_file, operand_variable, src_places};
use super::mov_orthogonal::{elements, exec_size, mask_offset, predicate_entry, slice_mask};

/// Steps for one channel: it becomes the only one.
const CHANNELS: usize = 32;

/// The steps after those for single channels, boldest first.
const STEPS: &[fn(&mut Case<'_>) -> bool] = &[
    |case| case.move_dst() && case.move_src(Region::Scalar(0)),
    |case| case.move_dst() && case.move_src(Region::Contiguous),
    |case| case.move_dst() && case.move_src(Region::Kept),
    |case| case.move_src(Region::Scalar(0)),
    |case| case.move_src(Region::Contiguous),
    |case| case.move_src(Region::Kept),
    |case| case.move_dst(),
    |case| case.fold_predicate() && case.first_mask(),
    |case| case.fold_predicate(),
    |case| case.first_mask(),
    |case| case.first_predicate(),
    |case| case.fold_address(&SRC0),
    |case| case.fold_address(&DST),
    |case| case.one_channel(),
    |case| case.halve(),
];

/// How many steps there are.
pub(super) const REDUCTIONS: usize = CHANNELS + STEPS.len();

/// Takes step `number`; false if it does not apply, and the case is then of no use.
pub(super) fn reduce(number: usize, code: &mut [u32], state: &mut State) -> bool {
    let mut case = Case { code, state };
    match number.checked_sub(CHANNELS) {
        Some(step) => STEPS[step](&mut case),
        None => case.only_channel(number),
    }
}

/// What becomes of a source region that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    /// It stays, with everything between its elements.
    Kept,
    /// `<1;1,0>`: the elements of the channels, one after the other.
    Contiguous,
    /// `<0;1,0>`: the element of one channel for all.
    Scalar(usize),
}

/// A case that is made smaller.
struct Case<'a> {
    code: &'a mut [u32],
    state: &'a mut State,
}

impl Case<'_> {
    fn with<T>(&mut self, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        let mut salt = SaltPlan::default();
        look(&mut Parts { code: self.code, small: &mut self.state.small, salt: &mut salt })
    }

    fn channels(&mut self) -> usize {
        self.with(|parts| exec_size(parts)) as usize
    }

    /// Makes `channel` the only one: one element, moved to the beginnings of the first variables.
    fn only_channel(&mut self, channel: usize) -> bool {
        if channel >= self.channels() {
            return false;
        }
        let Some(dst) = self.with(|parts| dst_places(parts)) else { return false };
        let has_region = self.with(|parts| is_in_file(&SRC0, parts));
        if has_region && !self.move_src(Region::Scalar(channel)) {
            return false;
        }
        let size = self.with(|parts| dst_type(parts).bytes());
        let old = self.bytes(dst[channel], size);
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
        self.no_predication();
        self.with(|parts| {
            let small = small(parts);
            (small.em, small.dispatch_size) = (u32::MAX, 2);
        });
        self.narrow_region();
        true
    }

    /// Half as many channels.
    fn halve(&mut self) -> bool {
        let Some(code) = EXEC_SIZE.get(self.code).checked_sub(1) else { return false };
        EXEC_SIZE.set(self.code, code);
        self.narrow_region();
        true
    }

    /// Makes the width of the source region fit in the channels.
    fn narrow_region(&mut self) {
        let channels = self.channels();
        let width = elements(SRC0.width.get(self.code)) as usize;
        let has_region = self.with(|parts| is_in_file(&SRC0, parts));
        if has_region && width > channels {
            SRC0.width.set(self.code, region_code(narrow(channels)).expect("a power of two"));
            if channels == 1 {
                SRC0.horz_stride.set(self.code, region_code(0).expect("zero has a code"));
            }
        }
    }

    fn no_predication(&mut self) {
        for field in [PRED.id, PRED.combine, PRED.inverse] {
            field.set(self.code, 0);
        }
    }

    /// Puts what the predicate disables into the execution mask.
    fn fold_predicate(&mut self) -> bool {
        let is_plain = PRED.combine.get(self.code) == combine::SEQUENTIAL;
        let has_mask = EXEC_MASK.get(self.code) & NO_MASK == 0;
        if PRED.id.get(self.code) == 0 || !is_plain || !has_mask {
            return false;
        }
        let inverse = if PRED.inverse.get(self.code) != 0 { u32::MAX } else { 0 };
        self.with(|parts| {
            let entry = predicate_entry(parts);
            let slice = slice_mask(exec_size(parts)) << mask_offset(parts);
            let small = small(parts);
            small.em &= (small.predicates[entry].value ^ inverse) | !slice;
        });
        self.no_predication();
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
    fn fold_address(&mut self, operand: &OperandFields) -> bool {
        if operand.class.get(self.code) != class::INDIRECT {
            return false;
        }
        let Some((variable, element)) = address_element(operand, self.code) else { return false };
        let offset = indirect_offset(operand, self.code);
        let count = if operand.vert_stride.get(self.code) == NULL { ADDRESS_ELEMENTS - element } else { 1 };
        self.with(|parts| {
            let addresses = &mut small(parts).addresses;
            for index in 0..count {
                addresses[0][index] = addresses[variable][element + index].wrapping_add_signed(offset as i16);
            }
        });
        for field in [operand.id, operand.addr_offset, operand.indirect_offset] {
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

    /// Makes an operand a general one at the beginning of variable `entry`, which is as in the base state but for its type.
    fn name(&mut self, operand: &'static OperandFields, other: &'static OperandFields, entry: usize) -> Option<usize> {
        let is_dst = std::ptr::eq(operand, &DST);
        let data_type = self.with(|parts| if is_dst { dst_type(parts) } else { src_type(parts) });
        // Whoever has this variable gets another one.
        if other.class.get(self.code) == class::GENERAL && operand_variable(other, self.code)? == entry {
            let free = if is_dst { 1 } else { 0 };
            self.with(|parts| small(parts).variables.swap(entry, free));
            other.id.set(self.code, FIRST_GENERAL + narrow(free));
        }
        for field in [
            operand.class,
            operand.row_offset,
            operand.col_offset,
            operand.addr_offset,
            operand.data_type,
            operand.indirect_offset,
        ] {
            field.set(self.code, 0);
        }
        operand.id.set(self.code, FIRST_GENERAL + narrow(entry));
        let start = entry * BASE_SPACING;
        self.with(|parts| {
            small(parts).variables[entry] = GeneralVariable {
                data_type: data_type.code() as u16,
                num_elements: BASE_ELEMENTS as u16,
                offset: start as u16,
                unused: 0,
            };
        });
        Some(start)
    }

    /// Moves the destination to the first variable, its elements one after the other.
    fn move_dst(&mut self) -> bool {
        let Some(places) = self.with(|parts| dst_places(parts)) else { return false };
        let size = self.with(|parts| dst_type(parts).bytes());
        let old: Vec<Vec<u8>> = places.iter().map(|&place| self.bytes(place, size)).collect();
        let Some(start) = self.name(&DST, &SRC0, 0) else { return false };
        DST.horz_stride.set(self.code, region_code(1).expect("one has a code"));
        for (channel, bytes) in old.iter().enumerate() {
            self.put(start + channel * size, bytes);
        }
        true
    }

    /// Moves the source to the second variable.
    fn move_src(&mut self, region: Region) -> bool {
        if !self.with(|parts| is_in_file(&SRC0, parts)) {
            return false;
        }
        let Some(places) = self.with(|parts| src_places(parts)) else { return false };
        let size = self.with(|parts| src_type(parts).bytes());
        let (first, last) = (places[0], *places.iter().max().expect("there is a channel"));
        if region == Region::Kept && (SRC0.vert_stride.get(self.code) == NULL || last < first) {
            return false;
        }
        let pieces: Vec<Vec<u8>> = match region {
            Region::Kept => vec![self.bytes(first, last + size - first)],
            Region::Contiguous => places.iter().map(|&place| self.bytes(place, size)).collect(),
            Region::Scalar(channel) => vec![self.bytes(places[channel], size)],
        };
        let Some(start) = self.name(&SRC0, &DST, 1) else { return false };
        let strides = match region {
            Region::Kept => None,
            Region::Contiguous => Some([1, 1, 0]),
            Region::Scalar(_) => Some([0, 1, 0]),
        };
        if let Some(strides) = strides {
            for (field, count) in [SRC0.vert_stride, SRC0.width, SRC0.horz_stride].into_iter().zip(strides) {
                field.set(self.code, region_code(count).expect("it has a code"));
            }
        }
        let mut at = start;
        for bytes in &pieces {
            self.put(at, bytes);
            at += bytes.len();
        }
        true
    }
}
