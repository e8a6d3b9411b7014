//! The data-path axes of `DPAS` and the cells that they span, for labels and for the generator.
//!
//! An axis that cannot matter to a case has the one level `any` there: whatever its fields hold is read back as `any`, and a
//! case that is given `any` draws them. Models and the platform are no part of a cell: they are orthogonal axes.

use super::*;

/// Depths that no platform has, first those that can be encoded all the same.
const OTHER_DEPTHS: [u32; 18] = [1, 2, 4, 0, 3, 5, 6, 7, 9, 12, 15, 16, 24, 32, 64, 128, 136, 255];
const WRONG_DST: usize = 13;
const WRONG_SRC0: usize = 14;

/// Which axes matter to a case, given the levels of those before them. An axis that does not is at level 0.
#[derive(Clone, Copy, Debug)]
struct Told {
    channels: bool,
    depth: bool,
    types: bool,
}

impl Told {
    /// Of a pair and the levels that the case has, or would have if they mattered.
    fn of(pair: Pair, channels: usize, depth: usize) -> Self {
        let has_channels = !matches!(pair, Pair::None | Pair::Fp8);
        let has_depth = has_channels && matches!(channels, 1 | 2);
        Told { channels: has_channels, depth: has_depth, types: has_depth && depth == 1 && pair != Pair::OneBit }
    }
}

fn told(parts: &Parts<'_>) -> Told {
    Told::of(pair(parts), raw_channels(parts), raw_depth(parts))
}

/// Whether a case has a sum of floats, if nothing else is wrong with it: what models of floats matter to.
pub(super) fn is_summed_in_float(parts: &Parts<'_>) -> bool {
    let pair = pair(parts);
    pair.is_summed_in_float() && told(parts).types && raw_types(parts, pair) < WRONG_DST
}

/// Bytes of a register are coded 0 for 32 and 1 for 64.
fn raw_channels(parts: &Parts<'_>) -> usize {
    match (EXEC_SIZE.get(parts.code), peek(parts).grf_size) {
        (3, 0) => 1,
        (4, 1) => 2,
        _ => 3,
    }
}

fn raw_depth(parts: &Parts<'_>) -> usize {
    if SD.get(parts.code) == 8 { 1 } else { 2 }
}

fn raw_types(parts: &Parts<'_>, pair: Pair) -> usize {
    let legal = pair.types();
    let place = |data_type: DataType| legal.iter().position(|&known| known == data_type);
    let Some(dst) = place(DST.data_type(parts)) else { return WRONG_DST };
    let Some(src0) = src0_type(parts).map_or(Some(2), place) else { return WRONG_SRC0 };
    let first = if pair.is_summed_in_float() { 7 } else { 1 };
    first + 3 * dst + src0
}

/// The place of the variable of each operand in the table, if the four have one each; a null accumulator has what is
/// left over.
pub(super) fn variables(parts: &Parts<'_>) -> Option<[usize; 4]> {
    let mut places = [0; 4];
    let mut taken = [false; NUM_GENERAL];
    for (number, operand) in OPERANDS.iter().enumerate() {
        if number == at::SRC0 && operand.is_null(parts) {
            continue;
        }
        places[number] = operand.id.get(parts.code).checked_sub(FIRST_GENERAL)? as usize;
        if places[number] >= NUM_GENERAL || std::mem::replace(&mut taken[places[number]], true) {
            return None;
        }
    }
    if SRC0.is_null(parts) {
        places[at::SRC0] = taken.iter().position(|taken| !taken)?;
    }
    Some(places)
}

/// Gives each operand a variable of its own, that of the destination first, the others going up or down from there.
pub(super) fn assign_variables(parts: &mut Parts<'_>, first: usize, is_down: bool) {
    let step = if is_down { NUM_GENERAL - 1 } else { 1 };
    for (number, operand) in OPERANDS.iter().enumerate() {
        operand.set_entry(parts, (first + number * step) % NUM_GENERAL);
    }
}

/// A type that is none of `legal`.
fn illegal_type(legal: &[DataType], noise: &mut Noise) -> DataType {
    const LIKELY: [DataType; 5] = [DataType::F, DataType::D, DataType::Hf, DataType::Bf, DataType::Df];
    loop {
        let drawn = if noise.bits(1) == 0 { LIKELY[noise.below(5)] } else { DataType::ALL[noise.below(16)] };
        if !legal.contains(&drawn) {
            break drawn;
        }
    }
}

fn set_types(parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let legal = pair(parts).types();
    let any = |noise: &mut Noise| legal[noise.below(legal.len())];
    let (dst, src0) = match level {
        0 => (any(noise), (noise.below(4) != 0).then(|| any(noise))),
        WRONG_DST => (illegal_type(legal, noise), (noise.below(4) != 0).then(|| any(noise))),
        WRONG_SRC0 => (any(noise), Some(illegal_type(legal, noise))),
        level => {
            let place = (level - 1) % 6;
            // Precisions with one legal type may have been set since the level was drawn.
            (legal[(place / 3).min(legal.len() - 1)], legal.get(place % 3).copied().filter(|_| place % 3 < 2))
        }
    };
    if variables(parts).is_none() {
        assign_variables(parts, noise.below(4), noise.bits(1) != 0);
    }
    let Some(places) = variables(parts) else { return };
    small(parts).variables[places[at::DST]].data_type = dst.code() as u16;
    match src0 {
        Some(src0) => {
            small(parts).variables[places[at::SRC0]].data_type = src0.code() as u16;
            SRC0.set_entry(parts, places[at::SRC0]);
        }
        None => SRC0.id.set(parts.code, NULL_VARIABLE),
    }
}

const OWN: [Axis; 3] = axes! {
    axis "channels", &["any", "8", "16", "other"], &[], |parts, level, noise| {
        let level = if level == 0 { 1 + noise.below(2) } else { level };
        let (code, registers) = match level {
            1 => (3, 0),
            2 => (4, 1),
            // The other size of register, or a size that has nothing to do with either.
            _ => match noise.below(4) {
                0 => (3, 1),
                1 => (4, 0),
                _ => ([0, 1, 2, 5, 6, 7][noise.below(6)], noise.bits(1)),
            },
        };
        EXEC_SIZE.set(parts.code, code);
        small(parts).grf_size = registers;
    }, |parts| if told(parts).channels { raw_channels(parts) } else { 0 };
    axis "depth", &["any", "8", "other"], &[], |parts, level, noise| {
        let level = if level == 0 { 1 + noise.below(2) } else { level };
        let others = if noise.bits(1) == 0 { 3 } else { OTHER_DEPTHS.len() };
        SD.set(parts.code, if level == 1 { 8 } else { OTHER_DEPTHS[noise.below(others)] });
    }, |parts| if told(parts).depth { raw_depth(parts) } else { 0 };
    axis "types", &["any", "D.D", "D.UD", "D.null", "UD.D", "UD.UD", "UD.null", "F.F", "F.16", "F.null", "16.F",
        "16.16", "16.null", "wrong Dst", "wrong Src0"], &[], set_types,
        |parts| if told(parts).types { raw_types(parts, pair(parts)) } else { 0 };
};

/// The data-path axes. Precisions come first: the others look at them.
const AXES: &[Axis] = &join::<_, 4>(ROW_SHAPE, &[&PRECISIONS, &OWN]);

/// The cells.
pub(super) static CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(AXES, keep));

/// The pair of a cell, its levels behind that, and what matters to it.
fn told_of(levels: &Levels) -> (Pair, [usize; 3], Told) {
    let [pair, channels, depth, types, ..] = levels.map(usize::from);
    let pair = pair_of_level(pair);
    (pair, [channels, depth, types], Told::of(pair, channels, depth))
}

fn keep(levels: &Levels) -> bool {
    let (pair, [channels, depth, types], told) = told_of(levels);
    let has_types = match pair {
        _ if !told.types => types == 0,
        _ if types >= WRONG_DST => true,
        Pair::Tf32 => matches!(types, 7 | 9),
        Pair::Bf | Pair::Hf => (7..=12).contains(&types),
        _ => (1..=6).contains(&types),
    };
    has_types && told.channels == (channels != 0) && told.depth == (depth != 0)
}

/// The precisions of a cell, if it names both.
pub(super) fn precisions_of(levels: &Levels) -> Option<(Precision, Precision)> {
    PAIRS.get(usize::from(levels[0])).copied()
}

/// Whether the pages promise a result in a cell, on a platform that has the instruction, to nearest even, and, of one bit,
/// by the code.
pub(super) fn is_promised(levels: &Levels) -> bool {
    let (_, [_, depth, types], told) = told_of(levels);
    told.depth && depth == 1 && types < WRONG_DST
}

macro_rules! classes {
    ($($first:literal)+; $($w:literal $a:literal)+; $($last:literal)+) => {
        &[$($first,)+ $(concat!("integers, ", $w, " x ", $a, " bits"),)+ $($last),+]
    };
}

/// The cell classes: integers by the widths of their elements, floats by precision and destination.
pub(super) const CELL_CLASSES: &[&str] = classes! {
    "no such precisions" "8-bit floats" "no such channels" "no such depth" "no such types";
    2 2 2 4 2 8 4 2 4 4 4 8 8 2 8 4 8 8;
    "one bit" "bf, to F" "bf, to BF" "hf, to F" "hf, to HF" "tf32"
};

/// The class of a cell.
pub(super) fn cell_class(levels: &Levels) -> &'static str {
    let (pair, [channels, depth, types], _) = told_of(levels);
    let to_half = usize::from((10..=12).contains(&types));
    let place = match pair {
        Pair::None => 0,
        Pair::Fp8 => 1,
        _ if channels == 3 => 2,
        _ if depth != 1 => 3,
        _ if types >= WRONG_DST => 4,
        Pair::Integer => {
            let width = |precision: Precision| precision.bits().trailing_zeros() as usize - 1;
            precisions_of(levels).map_or(0, |(w, a)| 5 + 3 * width(w) + width(a))
        }
        Pair::OneBit => 14,
        Pair::Bf => 15 + to_half,
        Pair::Hf => 17 + to_half,
        Pair::Tf32 => 19,
    };
    CELL_CLASSES[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_fit_in_a_case_id() {
        let promised = (0..CELLS.len()).filter(|&cell| is_promised(CELLS.levels(cell))).count();
        assert_eq!((CELLS.len(), promised), (885, 516));
    }
}
