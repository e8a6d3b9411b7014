//! Which channels a case has, and what enables them: execution size, execution mask, predication. Axes, how their wishes are
//! granted, rules that are broken, and quantities.

use super::*;

pub(super) const OFF_ON: &[&str] = &["0", "1"];

/// The number of the mask control: the first channel, in steps of four.
const MASK: CodeField = CodeField { width: 3, ..EXEC_MASK };
/// Its bit that means `NM`.
const IS_NO_MASK: CodeField = CodeField { shift: EXEC_MASK.shift + 3, width: 1, ..EXEC_MASK };

/// The first channel that the mask control selects.
pub(super) fn mask_offset(parts: &Parts<'_>) -> u32 {
    MASK_OFFSETS[MASK.get(parts.code) as usize]
}

/// All bits of the channels that the instruction selects, from bit 0 on.
fn slice_mask(exec_size: u32) -> u32 {
    u32::MAX >> (32 - exec_size)
}

/// The bits of masks and predicates that the instruction selects.
pub(super) fn slice(parts: &Parts<'_>) -> u32 {
    slice_mask(exec_size(parts)) << mask_offset(parts)
}

/// The predicate that the predication control names; 0 to 3.
pub(super) fn predicate_entry(parts: &Parts<'_>) -> usize {
    (PRED.id.get(parts.code).wrapping_sub(1)) as usize % NUM_PREDICATES
}

/// Takes predication away.
pub(super) fn no_predication(code: &mut [u32]) {
    put(code, [PRED.id, PRED.combine, PRED.inverse].map(|field| (field, 0)));
}

// ------------------------------------------------------------------------------------------------ axes

/// The patterns that a slice of a mask can have.
const PATTERNS: &[&str] = &["all", "none", "one", "all but one", "alternating", "any"];

fn pattern_level(parts: &Parts<'_>, value: u32) -> usize {
    let mask = slice_mask(exec_size(parts));
    match (value >> mask_offset(parts)) & mask {
        bits if bits == mask => 0,
        0 => 1,
        bits if bits.is_power_of_two() => 2,
        bits if (mask ^ bits).is_power_of_two() => 3,
        bits if bits == 0x5555_5555 & mask || bits == 0xaaaa_aaaa & mask => 4,
        _ => 5,
    }
}

/// The orthogonal axes of channels, in the order in which they are set.
pub(super) const AXES: [Axis; 11] = axes! {
    lens "exec_size", &["1", "2", "4", "8", "16", "32"], &[1, 1, 1, 2, 3, 2], Code(EXEC_SIZE),
        Known(&[0, 1, 2, 3, 4, 5]);
    lens "mask", &["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8"], &[3, 1, 1, 1, 1, 1, 1, 1], Code(MASK), Each;
    lens "no_mask", OFF_ON, &[3, 1], Code(IS_NO_MASK), Each;
    lens "dispatch_size", &["32", "16", "8"], &[3, 2, 1],
        Lens::State(offset_of!(Small, dispatch_size), 0, 2), Known(&[2, 1, 0]);
    wish "em", PATTERNS, &[6, 1, 2, 2, 2, 4], |parts| pattern_level(parts, peek(parts).em);
    axis "predication", &["none", "sequential", "any", "all"], &[4, 4, 2, 2], |parts, level, _| {
        let (id, code) = [(0, 0), (1, combine::SEQUENTIAL), (1, combine::ANY), (1, combine::ALL)][level];
        put(parts.code, [(PRED.id, id), (PRED.combine, code)]);
    }, |parts| predication(parts).min(3) as usize;
    axis "predicate_inverse", OFF_ON, &[2, 1], |parts, level, _| {
        let on = PRED.id.get(parts.code) != 0 && level != 0;
        PRED.inverse.set(parts.code, u32::from(on));
    }, |parts| PRED.inverse.get(parts.code) as usize;
    axis "predicate", &["P1", "P2", "P3", "P4"], &[], |parts, level, _| if PRED.id.get(parts.code) != 0 {
        PRED.id.set(parts.code, 1 + narrow(level));
    }, predicate_entry;
    wish "predicate_elements", &["32", "as needed", "too few"], &[60, 60, 2], |parts| {
        let count = 1 << peek(parts).predicates[predicate_entry(parts)].log2_num_elements.min(5);
        if count < mask_offset(parts) + exec_size(parts) { 2 } else { usize::from(count != 32) }
    };
    wish "predicate_value", PATTERNS, &[2, 1, 2, 2, 2, 5], |parts| {
        pattern_level(parts, peek(parts).predicates[predicate_entry(parts)].value)
    };
    lens "grf_size", &["32", "64"], &[], Lens::State(offset_of!(Small, grf_size), 0, 1), Each;
};

// ------------------------------------------------------------------------------------------------ granting wishes

/// A pattern for the selected channels.
fn pattern(level: u8, size: u32, noise: &mut Noise) -> u32 {
    let one = 1 << noise.below(size as usize);
    let alternating = [0x5555_5555, 0xaaaa_aaaa][noise.below(2)];
    let all = slice_mask(size);
    all & [u32::MAX, 0, one, !one, alternating, noise.bits(32)][usize::from(level)]
}

impl<F: Form> Placing<'_, '_, F> {
    /// Aligns the mask to the execution size, and keeps it within the dispatch size. Where a predicate is a source, the first
    /// channel is mostly the first of all.
    pub(super) fn fit_mask(&mut self, has_predicate: bool) {
        let (size, noise) = (exec_size(self.parts), &mut *self.noise);
        let mut offset = mask_offset(self.parts) & !(size - 1);
        let dispatch = DISPATCH_SIZES[(peek(self.parts).dispatch_size as usize).min(2)];
        if size > dispatch {
            offset = 0;
            small(self.parts).dispatch_size = size.trailing_zeros() - 3;
        } else if offset + size > dispatch {
            offset = (narrow(noise.below((dispatch / size) as usize)) * size) & !3;
        }
        if has_predicate && noise.below(32) != 0 {
            offset = 0;
        }
        MASK.set(self.parts.code, offset / 4);
        self.levels[F::AT.mask] = (offset / 4) as u8;
        self.levels[F::AT.dispatch_size] = 2 - (peek(self.parts).dispatch_size as u8).min(2);
    }

    /// Gives execution mask and predicate their patterns in the slice that the instruction selects. A predicate that is a
    /// source as well keeps what it was given.
    pub(super) fn fill_masks(&mut self) {
        let (at, levels, noise) = (&F::AT, &mut *self.levels, &mut *self.noise);
        let (size, offset, slice) = (exec_size(self.parts), mask_offset(self.parts), slice(self.parts));
        let outside = noise.word();
        let fresh = levels[at.bystanders] != 0;
        let enabled = pattern(levels[at.em], size, noise) << offset;
        let state = small(self.parts);
        let rest = if fresh { outside as u32 } else { state.em };
        state.em = (rest & !slice) | enabled;
        let id = PRED.id.get(self.parts.code);
        if id == 0 {
            levels[at.predication] = 0;
            return;
        }
        let chosen = pattern(levels[at.predicate_value], size, noise) << offset;
        let needed = (offset + size).next_power_of_two().trailing_zeros();
        let count = match levels[at.predicate_elements] {
            0 => 5,
            1 => needed,
            _ => noise.below(needed as usize + 1).saturating_sub(1) as u32,
        };
        if levels[at.predicate_elements] == 2 && (1 << count) >= offset + size {
            // One element is always there.
            levels[at.predicate_elements] = 1;
        }
        if F::OPERANDS.iter().any(|operand| operand.predicate(self.parts) == Some(id)) {
            return;
        }
        let index = predicate_entry(self.parts);
        let predicate = &mut small(self.parts).predicates[index];
        let rest = if fresh { (outside >> 32) as u32 } else { predicate.value };
        predicate.value = (rest & !slice) | chosen;
        predicate.log2_num_elements = count;
    }
}

// ------------------------------------------------------------------------------------------------ breaking rules

/// Breaks the rule of a level of `encoding_rule` from 1 to 4: an execution size without a meaning, a mask that is not aligned to
/// it or reaches beyond the dispatch size, a predication control that is reserved, or control bits without a predicate.
pub(super) fn break_channels(parts: &mut Parts<'_>, level: u8, channels: usize, noise: &mut Noise) {
    match level {
        1 if noise.bits(1) == 0 => EXEC_SIZE_BIT3.set(parts.code, 1),
        1 => EXEC_SIZE.set(parts.code, 6 + noise.bits(1)),
        2 => {
            let steps = narrow(channels / 4);
            if steps > 1 && noise.bits(1) == 0 {
                let mask = MASK.get(parts.code) | (1 + narrow(noise.below(steps as usize - 1)));
                return MASK.set(parts.code, mask);
            }
            let (dispatch, first) = if channels == 32 { (noise.bits(1), 0) } else { (0, narrow(noise.below(6)) + 2) };
            // Two steps of four channels are all that a dispatch of eight has.
            let mask = if steps > 1 { (first / steps * steps).max(if steps == 2 { 2 } else { 0 }) } else { first };
            small(parts).dispatch_size = dispatch;
            MASK.set(parts.code, mask);
        }
        3 => {
            let id = PRED.id.get(parts.code).max(1);
            PRED.id.set(parts.code, id);
            let (field, value) =
                if noise.bits(1) == 0 { (PRED.combine, combine::RESERVED) } else { (PRED.reserved, 1) };
            field.set(parts.code, value);
        }
        _ => {
            let control = 1 + noise.below(5);
            put(parts.code, [(PRED.id, 0), (PRED.inverse, narrow(control & 1)), (PRED.combine, narrow(control >> 1))]);
        }
    }
}

// ------------------------------------------------------------------------------------------------ quantities

/// Changes the number of channels, and with it what must not be larger: the width of a row, and what the first channel is
/// a multiple of.
pub(super) fn put_channels(parts: &mut Parts<'_>, operands: &[Vector], value: u32) {
    fn reshape(parts: &mut Parts<'_>, outer: &[Vector], operands: &[Vector], value: u32) {
        if let [first, rest @ ..] = outer {
            return first.reshape(parts, |parts| reshape(parts, rest, operands, value));
        }
        if let Some(code) = EXEC_SIZES.iter().position(|&known| known == Some(value)) {
            EXEC_SIZE.set(parts.code, narrow(code));
        }
        for operand in operands.iter().filter(|operand| operand.source.is_some()) {
            let is_wide = operand.has_region(parts) && elements(operand.fields.width.get(parts.code)) > value;
            if let (true, Some(code)) = (is_wide, region_code(value)) {
                operand.fields.width.set(parts.code, code);
            }
        }
    }
    reshape(parts, operands, operands, value);
    let first = mask_offset(parts) & !(value.max(1) - 1);
    put_first_channel(parts, first);
}

/// Lets an operand touch as many registers as asked for, with fewer channels if it is too long.
pub(super) fn put_touched(parts: &mut Parts<'_>, operands: &[Vector], operand: &Vector, value: u32) {
    while value > 0 && operand.span(parts) > value as usize * register(parts) && exec_size(parts) > 1 {
        let channels = exec_size(parts) / 2;
        put_channels(parts, operands, channels);
    }
    operand.put_registers_touched(parts, value);
}

/// Makes the dispatch as wide as so many channels at least, if one is.
pub(super) fn widen_dispatch(parts: &mut Parts<'_>, channels: u32) {
    let size = &mut small(parts).dispatch_size;
    while *size < 2 && DISPATCH_SIZES[*size as usize] < channels {
        *size += 1;
    }
}

/// Selects other channels, of a dispatch that has them.
fn put_first_channel(parts: &mut Parts<'_>, value: u32) {
    if value.is_multiple_of(4) && value < 32 {
        MASK.set(parts.code, value / 4);
        widen_dispatch(parts, value + exec_size(parts));
    }
}

fn masked(parts: &Parts<'_>) -> u32 {
    if IS_NO_MASK.get(parts.code) == 0 { (slice(parts) & !peek(parts).em).count_ones() } else { 0 }
}

fn put_masked(parts: &mut Parts<'_>, value: u32) {
    let slice = slice(parts);
    if let Some(em) = slice.count_ones().checked_sub(value).and_then(|ones| with_ones(peek(parts).em, slice, ones)) {
        small(parts).em = em;
        IS_NO_MASK.set(parts.code, 0);
    }
}

fn predication(parts: &Parts<'_>) -> u32 {
    if PRED.id.get(parts.code) == 0 { 0 } else { 1 + PRED.combine.get(parts.code) }
}

fn put_predication(parts: &mut Parts<'_>, value: u32) {
    match value {
        0 => no_predication(parts.code),
        1..=4 => {
            let id = PRED.id.get(parts.code).max(1);
            put(parts.code, [(PRED.id, id), (PRED.combine, value - 1)]);
        }
        _ => {}
    }
}

fn unpredicated(parts: &Parts<'_>) -> u32 {
    if PRED.id.get(parts.code) == 0 {
        return 0;
    }
    let slice = slice(parts);
    let bits = peek(parts).predicates[predicate_entry(parts)].value & slice;
    let bits = match PRED.combine.get(parts.code) {
        combine::ANY if bits != 0 => slice,
        combine::ALL if bits != slice => 0,
        _ => bits,
    };
    let is_inverse = PRED.inverse.get(parts.code) != 0;
    (if is_inverse { bits } else { slice & !bits }).count_ones()
}

fn put_unpredicated(parts: &mut Parts<'_>, value: u32) {
    let slice = slice(parts);
    let is_inverse = PRED.inverse.get(parts.code) != 0;
    let enabled = slice.count_ones().checked_sub(value);
    let ones = enabled.map(|enabled| if is_inverse { value } else { enabled });
    let variable = predicate_entry(parts);
    let predicate = &mut small(parts).predicates[variable];
    if let Some(bits) = ones.and_then(|ones| with_ones(predicate.value, slice, ones)) {
        predicate.value = bits;
    }
}

/// Which channels there are beside their number, and what disables some.
pub(super) const QUANTITIES: [Quantity; 4] = quantities! {
    "first channel", 5, mask_offset, put_first_channel;
    "channels that the execution mask disables", 6, masked, put_masked;
    "predication in use", 3, predication, put_predication, &["none", "sequential", "any", "all", "reserved"];
    "channels that the predicate disables", 6, unpredicated, put_unpredicated;
};
