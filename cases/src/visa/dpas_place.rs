//! Placing the operands of a `DPAS` case, once its precisions and types are known.
//!
//! The operands get registers, then variables around them, so that the rules of
//! the pages are kept, and then, rarely, one is broken on purpose.

use tandem_isa::visa::operand::{EXEC_SIZE, EXEC_SIZES};
use tandem_isa::visa::{DISPATCH_SIZES, GRF_BYTES};
use tandem_isa::{Levels, Noise, Parts};

use super::case::{small, variable_type};
use super::dpas_axes::variables;
use super::dpas_break::{break_encoding_rule, break_place_rule};
use super::dpas_operands::{DST, OPERANDS, SRC0, Shape, at as operand, plan_salt, src0_type};
use super::dpas_orthogonal::{AT, BELOW, ORTHOGONAL, set_models};
use super::operand::Operand;
use super::vector_fill::refresh;
use super::vector_place::MOST_BYTES;

/// Grants the wishes of the orthogonal axes, and writes back the levels that a case has instead.
pub(super) fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    place(parts, levels, noise);
    set_models(parts, levels);
    fit_dispatch(parts, levels);
    if levels[AT.bystanders] != 0 {
        bystanders(parts, noise);
    }
    plan_salt(parts, levels[AT.operands]);
    let has_src0 = src0_type(parts).is_some();
    for axis in AT.first_operand..=AT.extent {
        let is_kept = axis == AT.operands || (axis == AT.dst_lead + operand::SRC0 && !has_src0);
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

/// Makes the dispatch as wide as the instruction at least, unless it is to be too narrow.
fn fit_dispatch(parts: &mut Parts<'_>, levels: &Levels) {
    let channels = EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(1);
    let small = small(parts);
    let is_kept = usize::from(levels[AT.dispatch_size]) != BELOW;
    while is_kept && DISPATCH_SIZES[(small.dispatch_size as usize).min(2)] < channels {
        small.dispatch_size += 1;
    }
}

/// Gives every operand registers and a variable.
fn place(parts: &mut Parts<'_>, levels: &Levels, noise: &mut Noise) {
    let shape = Shape::of(parts);
    let column = column(levels[AT.src2_column], &shape, noise);
    let within = [0, 0, 0, column];
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
    for operand in 0..4 {
        if spans[operand] == 0 {
            continue;
        }
        leads[operand] = wishes[operand].min(first[operand]);
        let need = leads[operand] * shape.register + within[operand] + shape.bytes[operand];
        let start = (first[operand] - leads[operand]) * shape.register;
        let more = if levels[AT.extent] == 0 { 0 } else { 8 * (1 + noise.below(64)) };
        declare(parts, places[operand], start, need, (need + more).min(MOST_BYTES).min(GRF_BYTES - start));
    }
    for (number, operand) in OPERANDS.iter().enumerate() {
        operand.set_lead(parts, leads[number] * shape.register + within[number]);
    }
    let is_shared = levels[AT.overlap] == 6 && src0_type(parts) == Some(DST.data_type(parts));
    if is_shared {
        let (variable, lead) = (DST.entry(parts), DST.lead(parts));
        SRC0.set_entry(parts, variable);
        SRC0.set_lead(parts, lead);
    }
}

/// Declares a variable of `need` bytes at least and about `bytes`; its type stays.
fn declare(parts: &mut Parts<'_>, variable: usize, offset: usize, need: usize, bytes: usize) {
    let size = variable_type(parts, variable).bytes();
    let declared = &mut small(parts).variables[variable];
    declared.num_elements = (bytes / size).max(need.div_ceil(size)) as u16;
    declared.offset = offset as u16;
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
            (_, 1) => {
                if is_last {
                    free
                } else {
                    0
                }
            }
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
    use operand::{DST, SRC0, SRC1, SRC2};
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
    let named: [_; 4] = std::array::from_fn(|operand| OPERANDS[operand].variable(parts));
    let state = small(parts);
    refresh(state, |index| named.contains(&Some(index)), |_| false, noise);
    for address in state.addresses.as_flattened_mut() {
        *address = noise.half() as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{narrow, peek};
    use super::super::dpas_axes::{CELLS, is_promised};
    use super::super::dpas_operands::starts;
    use super::super::dpas_orthogonal::SRC2_REGION;
    use super::super::operand::extent;
    use super::*;
    use crate::visa::dpas::DPAS;
    use tandem_isa::visa::operand::dpas::{M1_NM, RC};
    use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE_BIT3, SRC2};
    use tandem_isa::visa::{Small, VISA};
    use tandem_isa::{Code, MAX_AXES, SaltPlan};

    /// What the pages ask of places: `None` if they have it, or else what is wrong.
    fn wrong_place(parts: &Parts<'_>) -> Option<String> {
        let shape = Shape::of(parts);
        for (number, operand) in OPERANDS.iter().enumerate() {
            let (Some(bytes), variable) = (operand.bytes(parts), extent(parts, operand.entry(parts))) else { continue };
            let unit = if number == operand::SRC2 { shape.unit } else { shape.register };
            let is_right = bytes.start % unit == 0
                && variable.start % shape.register == 0
                && variable.start <= bytes.start
                && bytes.end <= variable.end
                && variable.end <= GRF_BYTES;
            if !is_right {
                return Some(format!("operand {number}: {bytes:?} in {variable:?}"));
            }
        }
        None
    }

    #[test]
    fn promised_cells_keep_the_rules_and_have_the_levels_that_they_say() {
        let mut noise = Noise::new(6);
        let mut seen: Vec<Vec<usize>> = ORTHOGONAL.iter().map(|axis| vec![0; axis.levels.len()]).collect();
        let promised = || (0..CELLS.len()).filter(|&cell| is_promised(CELLS.levels(cell)));
        for cell in promised().chain(promised()).chain(promised()).chain(promised()) {
            let mut state = VISA.base_state();
            let mut code = Code::new(DPAS.base_code);
            let mut salt = SaltPlan::default();
            let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
            let mut levels: Levels = [0; MAX_AXES];
            (DPAS.prepare)(&mut parts, &mut noise);
            for (number, (level, axis)) in levels.iter_mut().zip(&ORTHOGONAL).enumerate() {
                *level = narrow(noise.below(axis.levels.len())) as u8;
                (axis.set)(&mut parts, usize::from(*level), &mut noise);
                // The cell decides the channels, and so which dispatch is too narrow.
                let is_wish = number == AT.dispatch_size || number >= AT.first_operand && axis.name != "src2_region";
                assert!(
                    is_wish || (axis.get)(&parts) == usize::from(*level),
                    "{} {}",
                    axis.name,
                    axis.levels[usize::from(*level)]
                );
            }
            // Repeat counts, types and codes that are not promised have tests of their own.
            levels[0] = [levels[0], 0][usize::from(levels[0] >= 8)];
            (ORTHOGONAL[0].set)(&mut parts, usize::from(levels[0]), &mut noise);
            CELLS.impose(cell, &mut parts, &mut noise);
            let is_kept = noise.bits(1) == 0;
            if is_kept {
                (levels[AT.place_rule], levels[AT.encoding_rule]) = (0, 0);
            }
            (DPAS.finish)(&mut parts, &mut levels, &mut noise);
            assert_eq!(CELLS.classify(&parts), Some(cell), "{}", CELLS.describe(cell));
            for (counts, &level) in seen.iter_mut().zip(&levels) {
                counts[usize::from(level)] += 1;
            }
            let wrong = wrong_place(&parts);
            if is_kept {
                assert_eq!(wrong, None, "{} {levels:?}", CELLS.describe(cell));
                for (axis, &level) in ORTHOGONAL.iter().zip(&levels) {
                    let is_told = ["operands", "bystanders", "src1_type", "src2_type", "variables"];
                    let null = axis.name == "src0_lead" && src0_type(&parts).is_none();
                    let is_model = axis.name.starts_with("model_");
                    let read = (axis.get)(&parts);
                    assert!(
                        null || is_model || is_told.contains(&axis.name) || read == usize::from(level),
                        "{}: {} is {}, in {}",
                        axis.name,
                        axis.levels[usize::from(level)],
                        axis.levels[read],
                        CELLS.describe(cell)
                    );
                }
            } else if (1..=8).contains(&levels[AT.place_rule]) && levels[AT.encoding_rule] == 0 {
                let rule = ORTHOGONAL[AT.place_rule].levels[usize::from(levels[AT.place_rule])];
                assert!(wrong.is_some(), "{rule} in {}", CELLS.describe(cell));
            }
        }
        for (axis, counts) in ORTHOGONAL.iter().zip(seen) {
            assert!(
                counts.iter().zip(axis.levels).all(|(&count, level)| count > 20 || ["0", "above 8"].contains(level)),
                "{} {:?}: {counts:?}",
                axis.name,
                axis.levels
            );
        }
    }

    #[test]
    fn a_row_of_16_bits_may_not_begin_at_half_a_register() {
        let mut noise = Noise::new(8);
        let mut halves = [0; 2];
        let promised = || (0..CELLS.len()).filter(|&cell| is_promised(CELLS.levels(cell)));
        for cell in (0..8).flat_map(|_| promised()) {
            for operand in [operand::DST, operand::SRC0] {
                let mut state = VISA.base_state();
                let mut code = Code::new(DPAS.base_code);
                let mut salt = SaltPlan::default();
                let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
                let mut levels: Levels = [0; MAX_AXES];
                for axis in &ORTHOGONAL {
                    (axis.set)(&mut parts, 0, &mut noise);
                }
                CELLS.impose(cell, &mut parts, &mut noise);
                let packed =
                    [Some(DST.data_type(&parts)), src0_type(&parts)][operand].is_some_and(|sum| sum.bytes() == 2);
                levels[AT.place_rule] = operand as u8 + 1;
                (DPAS.finish)(&mut parts, &mut levels, &mut noise);
                let register = Shape::of(&parts).register;
                if packed && starts(&parts)[operand].is_some_and(|start| start % register == register / 2) {
                    assert!(levels[AT.place_rule] > 0 && wrong_place(&parts).is_some(), "{}", CELLS.describe(cell));
                    halves[operand] += 1;
                }
            }
        }
        assert!(halves.iter().all(|&count| count > 10), "{halves:?}");
    }

    #[test]
    fn speed_classes_and_exhaustive_cases_are_promised() {
        let mut noise = Noise::new(7);
        let mut check = |set: fn(&mut Parts<'_>, &mut Noise), cell: Option<usize>, what: &str| {
            let mut state = VISA.base_state();
            // Whatever a background holds, but for models.
            state.small[..size_of::<Small>()].fill(0xff);
            for field in (VISA.layout.fields)() {
                let value = noise.bits(field.width).min(field.max);
                let is_model = field.role == tandem_isa::FieldRole::Model;
                field.set(&mut state.small, if is_model { field.base } else { value });
            }
            let mut code = Code::new(DPAS.base_code);
            let mut salt = SaltPlan::default();
            let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
            if let Some(cell) = cell {
                for axis in &ORTHOGONAL {
                    (axis.set)(&mut parts, noise.below(axis.levels.len()), &mut noise);
                }
                CELLS.impose(cell, &mut parts, &mut noise);
            }
            set(&mut parts, &mut noise);
            let found = CELLS.classify(&parts).expect("a cell");
            assert!(is_promised(CELLS.levels(found)) && cell.is_none_or(|cell| cell == found), "{what}");
            assert_eq!(wrong_place(&parts), None, "{what}");
            let code = &*parts.code;
            assert_eq!((RC.get(code), EXEC_MASK.get(code), EXEC_SIZE_BIT3.get(code)), (8, M1_NM, 0), "{what}");
            let region = SRC2_REGION.map(|field| field.get(code));
            assert_eq!((region, SRC2.class.get(code), SRC2.modifiers.get(code)), ([0; 3], 0, 0), "{what}");
            let channels = EXEC_SIZES[EXEC_SIZE.get(code) as usize].expect("a promised size");
            assert!(DISPATCH_SIZES[peek(&parts).dispatch_size as usize] >= channels, "{what}");
            assert!(parts.salt.ranges[0].first < parts.salt.ranges[0].end, "{what}");
        };
        for class in DPAS.bench_classes {
            check(class.set, None, class.name);
        }
        let mut exhausted = 0;
        for cell in 0..CELLS.len() {
            if let Some(exhaust) = (DPAS.exhaust)(tandem_isa::Edition::Newest, CELLS.levels(cell)) {
                check(exhaust.set, Some(cell), &CELLS.describe(cell));
                exhausted += 1;
            }
        }
        assert_eq!(exhausted, 432 + 56);
    }
}
