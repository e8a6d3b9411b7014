//! Placing the operands of a `DPAS` case, once its precisions and types are known.
//!
//! The operands get registers, then variables around them, so that the rules of the pages are kept, and then, rarely, one is
//! broken on purpose.

use super::*;

/// Grants the wishes of the orthogonal axes, and writes back the levels that a case has instead.
pub(super) fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    place(parts, levels, noise);
    set_models(parts, levels);
    // The dispatch is as wide as the instruction at least, unless it is to be too narrow.
    if usize::from(levels[AT.dispatch_size]) != BELOW {
        widen_dispatch(parts, exec_size(parts));
    }
    if levels[AT.bystanders] != 0 {
        bystanders(parts, noise);
    }
    plan_salt(parts, levels[AT.operands]);
    let has_src0 = src0_type(parts).is_some();
    for axis in AT.first_operand..=AT.extent {
        let is_kept = axis == AT.operands || (axis == AT.dst_lead + at::SRC0 && !has_src0);
        if !is_kept {
            levels[axis] = (ORTHOGONAL[axis].get)(parts) as u8;
        }
    }
    if !break_place_rule(parts, levels[AT.place_rule], noise) {
        levels[AT.place_rule] = 0;
    }
    if !break_encoding_rule(parts, levels[AT.encoding_rule], noise) {
        levels[AT.encoding_rule] = 0;
    }
    levels[AT.dispatch_size] = (ORTHOGONAL[AT.dispatch_size].get)(parts) as u8;
}

/// Gives every operand registers and a variable.
fn place(parts: &mut Parts<'_>, levels: &Levels, noise: &mut Noise) {
    let shape = Shape::of(parts);
    let within = [0, 0, 0, column(levels[AT.src2_column], &shape, noise)];
    let spans: [usize; 4] =
        std::array::from_fn(|operand| (within[operand] + shape.bytes[operand]).div_ceil(shape.register));
    let wishes: [usize; 4] = std::array::from_fn(|operand| match levels[AT.dst_lead + operand] {
        level @ 0..2 => usize::from(level),
        _ => 2 + noise.below(6),
    });
    let mut first = lay_out(&spans, &wishes, levels, GRF_BYTES / shape.register, noise);
    overlap(&mut first, &spans, levels, GRF_BYTES / shape.register);
    let Some(places) = variables(parts) else { return };
    let mut leads = [0; 4];
    for operand in (0..4).filter(|&operand| spans[operand] != 0) {
        leads[operand] = wishes[operand].min(first[operand]);
        let need = leads[operand] * shape.register + within[operand] + shape.bytes[operand];
        let start = (first[operand] - leads[operand]) * shape.register;
        let more = if levels[AT.extent] == 0 { 0 } else { 8 * (1 + noise.below(64)) };
        let bytes = (need + more).min(MOST_BYTES).min(GRF_BYTES - start);
        // About so many bytes, and enough of them; its type stays.
        let size = variable_type(parts, places[operand]).bytes();
        let declared = &mut small(parts).variables[places[operand]];
        declared.num_elements = (bytes / size).max(need.div_ceil(size)) as u16;
        declared.offset = start as u16;
    }
    for (number, operand) in OPERANDS.iter().enumerate() {
        operand.set_lead(parts, leads[number] * shape.register + within[number]);
    }
    if levels[AT.overlap] == 6 && src0_type(parts) == Some(DST.data_type(parts)) {
        let (variable, lead) = (DST.entry(parts), DST.lead(parts));
        SRC0.set_entry(parts, variable);
        SRC0.set_lead(parts, lead);
    }
}

/// Where `Src2` begins within a register, in bytes.
fn column(level: u8, shape: &Shape, noise: &mut Noise) -> usize {
    let steps = (shape.register / shape.unit).max(1);
    let step = match level {
        0 => 0,
        1 => 1,
        2 => steps - 1,
        _ => noise.below(steps),
    };
    step.min(steps - 1) * shape.unit
}

/// The operand that an axis wishes first or last, if it has registers.
fn wished(axis: usize, spans: &[usize; 4], levels: &Levels) -> Option<usize> {
    usize::from(levels[axis]).checked_sub(1).filter(|&operand| spans[operand] > 0)
}

/// The first register of each operand, so that none share any.
fn lay_out(spans: &[usize; 4], leads: &[usize; 4], levels: &Levels, registers: usize, noise: &mut Noise) -> [usize; 4] {
    let mut order = [0, 1, 2, 3];
    for end in (1..4).rev() {
        order.swap(end, noise.below(end + 1));
    }
    let [lowest, highest] = [AT.first_operand, AT.last_operand].map(|axis| wished(axis, spans, levels));
    let highest = highest.filter(|_| highest != lowest);
    order.sort_by_key(|&operand| match Some(operand) {
        this if this == lowest => 0,
        this if this == highest => 2,
        _ => 1,
    });
    let mut free = registers - spans.iter().sum::<usize>();
    let mut first = [0; 4];
    let mut next = 0;
    for (place, &operand) in order.iter().enumerate() {
        let is_last = Some(operand) == highest;
        let gap = match (place, levels[AT.layout]) {
            // Its variable begins the file.
            (0, _) if lowest.is_some() => leads[operand],
            // All that is left over, unless the others are to follow without a gap.
            (_, 0) | (0, _) if is_last => free,
            (0, 1) if highest.is_some() => free,
            (0, 1) => 1 + noise.below(free - 1),
            (_, 1) => free * usize::from(is_last),
            _ => 1 + noise.below((free / 3).max(1)),
        };
        let gap = if spans[operand] == 0 { 0 } else { gap.min(free) };
        free -= gap;
        first[operand] = next + gap;
        next = first[operand] + spans[operand];
    }
    first
}

/// Moves operands onto others; those that are to be first or last stay, if one of two can.
fn overlap(first: &mut [usize; 4], spans: &[usize; 4], levels: &Levels, registers: usize) {
    use at::{DST, SRC0, SRC1, SRC2};
    let is_fixed = |which: usize| {
        [AT.first_operand, AT.last_operand].iter().any(|&axis| wished(axis, spans, levels) == Some(which))
    };
    // The register of `operand` that `by` more than that of `other` is.
    let mut bring = |operand: usize, other: usize, by: isize| {
        let (moved, stays, by) = if is_fixed(operand) { (other, operand, -by) } else { (operand, other, by) };
        first[moved] = first[stays].saturating_add_signed(by).min(registers - spans[moved]);
    };
    match levels[AT.overlap] {
        1 | 6 if spans[SRC0] > 0 => {
            bring(DST, SRC0, 0);
            // Both begin where the longer one has room.
            let register = first[DST].min(first[SRC0]);
            (first[DST], first[SRC0]) = (register, register);
        }
        2 => bring(DST, SRC1, 0),
        3 => bring(DST, SRC2, 0),
        4 if spans[SRC0] > 0 => bring(DST, SRC0, 1),
        5 if spans[SRC0] > 0 => bring(DST, SRC0, -1),
        7 => bring(SRC2, SRC1, 0),
        8 => {
            let longest = spans[SRC0].max(spans[SRC1]).max(spans[SRC2]);
            let stays = [SRC0, SRC2].into_iter().find(|&which| is_fixed(which)).unwrap_or(SRC1);
            let register = first[stays].min(registers - longest);
            (first[SRC0], first[SRC1], first[SRC2]) = (register, register, register);
        }
        _ => {}
    }
}

/// Makes fresh what the instruction does not read: predicates, addresses, the variable of no operand.
fn bystanders(parts: &mut Parts<'_>, noise: &mut Noise) {
    let named = OPERANDS.map(|operand| operand.variable(parts));
    let state = small(parts);
    refresh(state, |index| named.contains(&Some(index)), |_| false, noise);
    for address in state.addresses.as_flattened_mut() {
        *address = noise.half() as u16;
    }
}

/// Breaks the rule of a level of `place_rule`.
fn break_place_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
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
    let column = SRC2_FIELDS.col_offset.get(parts.code) + narrow(by);
    SRC2_FIELDS.col_offset.set(parts.code, column);
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
fn break_encoding_rule(parts: &mut Parts<'_>, level: u8, noise: &mut Noise) -> bool {
    let (field, value) = match level {
        1 => (EXEC_SIZE_BIT3, 1),
        2 => {
            let operand = &OPERANDS[noise.below(4)];
            if operand.is_null(parts) {
                return false;
            }
            (operand.id, undeclared_number(operand.id.get(parts.code), 1, noise))
        }
        3 => {
            let others = [1, class::PREDICATE, class::INDIRECT, 4, class::IMMEDIATE, class::STATE, 7];
            (SRC2_FIELDS.class, others[noise.below(7)])
        }
        4 => (SRC2_FIELDS.modifiers, 1 + narrow(noise.below(7))),
        5 => {
            let four = 1 << noise.bits(2);
            match noise.below(4) {
                0 => (SRC2_FIELDS.tag_rest, 1 + narrow(noise.below(3))),
                1 => (SRC2_FIELDS.region_rest, four),
                // Codes that the page of operands does not list.
                2 => (SRC2_FIELDS.vert_stride, 8 + noise.bits(3)),
                _ => (SRC2_FIELDS.horz_stride, 8 + noise.bits(3)),
            }
        }
        6 => {
            // The null destination keeps its type, as a label sees it, only if it was the first variable's.
            let operand = [DST, SRC1, SRC2][noise.below(3)];
            let is_lost = operand.id.word == DST.id.word && DST.entry(parts) != 0;
            (if is_lost { SRC1.id } else { operand.id }, NULL_VARIABLE)
        }
        7 => {
            // Of a register, which the rule of raw operands allows, or less.
            let register = register(parts);
            let lead =
                if noise.below(4) == 0 { 1 + noise.below(register - 1) } else { register * (1 + noise.below(4)) };
            if SRC0.is_null(parts) {
                SRC0.set_lead(parts, lead);
            }
            return SRC0.is_null(parts);
        }
        _ => return false,
    };
    field.set(parts.code, value);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_isa::Code;

    /// What the pages ask of places: `None` if they have it, or else what is wrong.
    fn wrong_place(parts: &Parts<'_>) -> Option<String> {
        let shape = Shape::of(parts);
        OPERANDS.iter().enumerate().find_map(|(number, operand)| {
            let (bytes, variable) = (operand.bytes(parts)?, extent(parts, operand.entry(parts)));
            let unit = if number == at::SRC2 { shape.unit } else { shape.register };
            let is_right = bytes.start % unit == 0
                && variable.start % shape.register == 0
                && variable.start <= bytes.start
                && bytes.end <= variable.end
                && variable.end <= GRF_BYTES;
            (!is_right).then(|| format!("operand {number}: {bytes:?} in {variable:?}"))
        })
    }

    fn with_case(look: impl FnOnce(&mut Parts<'_>)) {
        with_arena(&mut Code::new(DPAS.base_code), &mut VISA.machine.base_state(), |parts, _| look(parts));
    }

    /// So many times all cells that are promised.
    fn promised(times: usize) -> impl Iterator<Item = usize> {
        (0..times).flat_map(|_| (0..CELLS.len()).filter(|&cell| is_promised(CELLS.levels(cell))))
    }

    #[test]
    fn promised_cells_keep_the_rules_and_have_the_levels_that_they_say() {
        let mut noise = Noise::new(6);
        let mut seen: Vec<Vec<usize>> = ORTHOGONAL.iter().map(|axis| vec![0; axis.levels.len()]).collect();
        let mut check = |cell: usize, parts: &mut Parts<'_>| {
            let (mut levels, what): (Levels, _) = ([0; MAX_AXES], CELLS.describe(cell));
            (DPAS.prepare)(parts, &mut noise);
            for (number, (level, axis)) in levels.iter_mut().zip(&ORTHOGONAL).enumerate() {
                let drawn = noise.below(axis.levels.len());
                *level = drawn as u8;
                (axis.set)(parts, drawn, &mut noise);
                // The cell decides the channels, and so which dispatch is too narrow.
                let is_wish = number == AT.dispatch_size || number >= AT.first_operand && axis.name != "src2_region";
                assert!(is_wish || (axis.get)(parts) == drawn, "{} {}", axis.name, axis.levels[drawn]);
            }
            // Repeat counts, types and codes that are not promised have tests of their own.
            levels[0] = [levels[0], 0][usize::from(levels[0] >= 8)];
            (ORTHOGONAL[0].set)(parts, usize::from(levels[0]), &mut noise);
            CELLS.impose(cell, parts, &mut noise);
            let is_kept = noise.bits(1) == 0;
            if is_kept {
                (levels[AT.place_rule], levels[AT.encoding_rule]) = (0, 0);
            }
            (DPAS.finish)(parts, &mut levels, &mut noise);
            assert_eq!(CELLS.classify(parts), Some(cell), "{what}");
            seen.iter_mut().zip(levels).for_each(|(counts, level)| counts[usize::from(level)] += 1);
            let wrong = wrong_place(parts);
            if is_kept {
                assert_eq!(wrong, None, "{what} {levels:?}");
                for (axis, &level) in ORTHOGONAL.iter().zip(&levels) {
                    let is_told =
                        ["operands", "bystanders", "src1_type", "src2_type", "variables"].contains(&axis.name);
                    let is_null = axis.name == "src0_lead" && src0_type(parts).is_none();
                    let (read, level) = ((axis.get)(parts), usize::from(level));
                    assert!(
                        is_told || is_null || axis.name.starts_with("model_") || read == level,
                        "{}: {} is {}, in {what}",
                        axis.name,
                        axis.levels[level],
                        axis.levels[read]
                    );
                }
            } else if (1..=8).contains(&levels[AT.place_rule]) && levels[AT.encoding_rule] == 0 {
                assert!(wrong.is_some(), "place_rule {} in {what}", levels[AT.place_rule]);
            }
        };
        promised(4).for_each(|cell| with_case(|parts| check(cell, parts)));
        for (axis, counts) in ORTHOGONAL.iter().zip(seen) {
            let mut levels = counts.iter().zip(axis.levels);
            let is_seen = levels.all(|(&count, level)| count > 20 || ["0", "above 8"].contains(level));
            assert!(is_seen, "{} {:?}: {counts:?}", axis.name, axis.levels);
        }
    }

    #[test]
    fn a_row_of_16_bits_may_not_begin_at_half_a_register() {
        let mut noise = Noise::new(8);
        let mut halves = [0; 2];
        let mut check = |cell: usize, number: usize, parts: &mut Parts<'_>| {
            let mut levels: Levels = [0; MAX_AXES];
            ORTHOGONAL.iter().for_each(|axis| (axis.set)(parts, 0, &mut noise));
            CELLS.impose(cell, parts, &mut noise);
            let operand = OPERANDS[number];
            let is_packed = operand.variable(parts).is_some() && operand.data_type(parts).bytes() == 2;
            levels[AT.place_rule] = number as u8 + 1;
            (DPAS.finish)(parts, &mut levels, &mut noise);
            let register = register(parts);
            if is_packed && operand.start(parts).is_some_and(|start| start % register == register / 2) {
                assert!(levels[AT.place_rule] > 0 && wrong_place(parts).is_some(), "{}", CELLS.describe(cell));
                halves[number] += 1;
            }
        };
        for (cell, number) in promised(8).flat_map(|cell| [(cell, at::DST), (cell, at::SRC0)]) {
            with_case(|parts| check(cell, number, parts));
        }
        assert!(halves.iter().all(|&count| count > 10), "{halves:?}");
    }

    #[test]
    fn speed_classes_and_exhaustive_cases_are_promised() {
        let mut noise = Noise::new(7);
        let mut check = |set: fn(&mut Parts<'_>, &mut Noise), cell: Option<usize>, what: &str| {
            with_case(|parts| {
                // Whatever a background holds, but for models.
                parts.small[..size_of::<Small>()].fill(0xff);
                for field in (VISA.machine.layout.fields)() {
                    let value = noise.bits(field.width).min(field.max);
                    let is_model = field.role == tandem_isa::FieldRole::Model;
                    field.set(parts.small, if is_model { field.base } else { value });
                }
                if let Some(cell) = cell {
                    ORTHOGONAL.iter().for_each(|axis| (axis.set)(parts, noise.below(axis.levels.len()), &mut noise));
                    CELLS.impose(cell, parts, &mut noise);
                }
                set(parts, &mut noise);
                let found = CELLS.classify(parts).expect("a cell");
                assert!(is_promised(CELLS.levels(found)) && cell.is_none_or(|cell| cell == found), "{what}");
                assert_eq!(wrong_place(parts), None, "{what}");
                let code = &*parts.code;
                assert_eq!((RC.get(code), EXEC_MASK.get(code), EXEC_SIZE_BIT3.get(code)), (8, M1_NM, 0), "{what}");
                let region = SRC2_REGION.map(|field| field.get(code));
                let rest = (SRC2_FIELDS.class.get(code), SRC2_FIELDS.modifiers.get(code));
                assert_eq!((region, rest), ([0; 3], (0, 0)), "{what}");
                assert!(DISPATCH_SIZES[peek(parts).dispatch_size as usize] >= exec_size(parts), "{what}");
                assert!(parts.salt.ranges[0].first < parts.salt.ranges[0].end, "{what}");
            });
        };
        DPAS.bench_classes.iter().for_each(|class| check(class.set, None, class.name));
        let mut exhausted = 0;
        for cell in 0..CELLS.len() {
            if let Some(exhaust) = (DPAS.exhaust)(Edition::Newest, CELLS.levels(cell)) {
                check(exhaust.set, Some(cell), &CELLS.describe(cell));
                exhausted += 1;
            }
        }
        assert_eq!(exhausted, 432 + 56);
    }
}
