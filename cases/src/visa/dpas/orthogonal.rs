//! The orthogonal axes of `DPAS`: how often it repeats, where the operands lie, and all that it does not read.
//!
//! An axis that is a field sets it. The others say what is wished for, and `place` grants it once the cell is known, and writes
//! back what the case has instead. The lead of a null accumulator counts as it was drawn.

use super::*;

places! {
    /// Where axes lie in [`ORTHOGONAL`].
    At: dispatch_size first_operand last_operand layout dst_lead src2_column overlap operands extent bystanders
        place_rule encoding_rule model_sum model_denormals model_nan model_tf32 model_one_bit
}

pub(super) const AT: At = At::among(&ORTHOGONAL);

fn set_integer_type(operand: &Raw, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    use DataType::{B, Bf, D, Df, F, Hf, Ub, Ud, Uw, W};
    let data_type = [Ud, D, [F, Df, Ub, B, Uw, W, Hf, Bf][noise.below(8)]][level];
    let variable = operand.entry(parts);
    small(parts).variables[variable].data_type = data_type.code() as u16;
}

fn integer_type(operand: &Raw, parts: &Parts<'_>) -> usize {
    (operand.data_type(parts).code() as usize).min(2)
}

/// The fields of the region that `Src2` has not.
pub(super) const SRC2_REGION: [CodeField; 3] = [SRC2_FIELDS.vert_stride, SRC2_FIELDS.width, SRC2_FIELDS.horz_stride];

/// The level of a dispatch size that the instruction does not fit in: a wish, since the cell decides the channels.
pub(super) const BELOW: usize = 3;

const DENORMS: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;

const NAMES: &[&str] = &["any", "Dst", "Src0", "Src1", "Src2"];
const LEADS: &[&str] = &["0", "1 register", "more"];

/// The level of [`NAMES`] of the first operand that has its place for one.
fn name_of(is_named: impl FnMut(&Raw) -> bool) -> usize {
    OPERANDS.iter().position(is_named).map_or(0, |place| place + 1)
}

/// How operands share registers.
fn overlap(parts: &Parts<'_>) -> usize {
    let [Some(dst), src0, Some(src1), Some(src2)] = registers(parts) else { return 0 };
    if let Some(src0) = src0 {
        let is_level = [
            (6, SRC0.id.get(parts.code) == DST.id.get(parts.code)),
            (8, src0.0 == src1.0 && src0.0 == src2.0),
            (1, src0.0 == dst.0),
            (4, dst.0 == src0.0 + 1 && dst.0 < src0.1),
            (5, dst.0 + 1 == src0.0 && src0.0 < dst.1),
        ];
        if let Some((level, _)) = is_level.into_iter().find(|(_, is_level)| *is_level) {
            return level;
        }
    }
    let is_level = [(2, dst.0 == src1.0), (3, dst.0 == src2.0), (7, src1.0 == src2.0)];
    is_level.into_iter().find(|(_, is_level)| *is_level).map_or(0, |(level, _)| level)
}

/// The places of choices among [`MODELS`] and [`PARTS`].
mod model {
    pub(super) const SUM: usize = 0;
    pub(super) const TF32: usize = 1;
    pub(super) const ONE_BIT: usize = 3;
    pub(super) const DENORMALS: usize = 4;
    pub(super) const NAN: usize = 5;
    pub(super) const GUARD: usize = 6;
}

const fn model_lens(place: usize) -> Lens {
    Lens::State(offset_of!(Small, model), PARTS[place].shift, PARTS[place].width)
}

/// Chooses the models that matter to the case; all others are at their first value.
pub(super) fn set_models(parts: &mut Parts<'_>, levels: &Levels) {
    let is_float = is_summed_in_float(parts);
    let truncates = usize::from(levels[AT.model_sum]) == Sum::Truncating as usize;
    for place in 0..PARTS.len() {
        let (matters, code) = match place {
            model::SUM => (is_float, levels[AT.model_sum]),
            model::GUARD => (is_float && truncates, model_lens(place).get(parts) as u8),
            model::DENORMALS => (is_float, levels[AT.model_denormals]),
            model::NAN => (is_float, levels[AT.model_nan]),
            model::TF32 => (is_float && pair(parts) == Pair::Tf32, levels[AT.model_tf32]),
            model::ONE_BIT => (pair(parts) == Pair::OneBit, levels[AT.model_one_bit]),
            _ => (false, 0),
        };
        model_lens(place).set(parts, if matters { code.into() } else { 0 });
    }
}

/// The orthogonal axes, in the order in which they are set.
pub(super) static ORTHOGONAL: [Axis; 31] = axes! {
    lens "repeat_count", &["8", "1", "2", "3", "4", "5", "6", "7", "0", "above 8"],
        &[16, 16, 16, 15, 15, 15, 15, 15, 1, 1], Code(RC),
        Sets(&[&[8], &[1], &[2], &[3], &[4], &[5], &[6], &[7], &[0], &[9, 10, 15, 16, 128, 255]]);
    axis "variables",
        &["V32, up", "V33, up", "V34, up", "V35, up", "V32, down", "V33, down", "V34, down", "V35, down"], &[],
        |parts, level, _| assign_variables(parts, level % 4, level >= 4), |parts| {
            let first = DST.entry(parts);
            let is_down = SRC1.entry(parts) != (first + 2) % 4 || SRC2.entry(parts) == (first + 1) % 4;
            first + 4 * usize::from(is_down)
        };
    axis "src1_type", &["UD", "D", "other"], &[63, 63, 2],
        |parts, level, noise| set_integer_type(&SRC1, parts, level, noise), |parts| integer_type(&SRC1, parts);
    axis "src2_type", &["UD", "D", "other"], &[63, 63, 2],
        |parts, level, noise| set_integer_type(&SRC2, parts, level, noise), |parts| integer_type(&SRC2, parts);
    axis "mask", &["M1_NM", "M2_NM to M8_NM", "M1 to M8"], &[124, 2, 2], |parts, level, noise| {
        let code = match level {
            0 => M1_NM,
            1 => NO_MASK + 1 + narrow(noise.below(7)),
            _ => noise.bits(3),
        };
        EXEC_MASK.set(parts.code, code);
    }, |parts| match EXEC_MASK.get(parts.code) {
        M1_NM => 0,
        code => 1 + usize::from(code <= NO_MASK),
    };
    axis "em", &["all", "none", "one", "all but one", "any"], &[], |parts, level, noise| {
        let one = 1 << noise.bits(5);
        // Neither none nor all nor one.
        let any = (noise.bits(32) | 3) & !12;
        small(parts).em = [u32::MAX, 0, one, !one, any][level];
    }, |parts| match peek(parts).em {
        u32::MAX => 0,
        0 => 1,
        em if em.is_power_of_two() => 2,
        em => 3 + usize::from(!(!em).is_power_of_two()),
    };
    axis "dispatch_size", &["32", "16", "8", "below the execution size"], &[42, 41, 41, 4],
        |parts, level, _| small(parts).dispatch_size = narrow(2usize.saturating_sub(level)), |parts| {
            let dispatch = (peek(parts).dispatch_size as usize).min(2);
            if DISPATCH_SIZES[dispatch] < exec_size(parts) { BELOW } else { 2 - dispatch }
        };
    // The instruction itself is not there before XeHP.
    axis PLATFORM[0].name, PLATFORM[0].levels, &[126, 2], PLATFORM[0].set, PLATFORM[0].get;
    lens "rounding_mode", &["RTNE", "RU", "RD", "RTZ"], &[119, 3, 3, 3],
        Lens::State(offset_of!(Small, cr0), cr0::ROUNDING_SHIFT, 2), Each;
    axis "denorm", &["keep", "flush", "HF alone", "F alone"], &[], |parts, level, _| {
        let small = small(parts);
        small.cr0 = (small.cr0 & !DENORMS) | [DENORMS, 0, cr0::HF_DENORM, cr0::F_DENORM][level];
    }, |parts| match peek(parts).cr0 & DENORMS {
        DENORMS => 0,
        0 => 1,
        bits => 2 + usize::from(bits & cr0::HF_DENORM == 0),
    };
    // The operand whose variable begins where the file does. It may lead into its variable like any other.
    wish "first_operand", NAMES, &[3, 1, 1, 1, 1], |parts| {
        let is_first = |variable: usize| peek(parts).variables[variable].offset == 0;
        name_of(|operand| operand.variable(parts).is_some_and(is_first))
    };
    // The operand whose last register is that of the file.
    wish "last_operand", NAMES, &[3, 1, 1, 1, 1], |parts| {
        let end = GRF_BYTES / register(parts);
        registers(parts).iter().position(|span| span.is_some_and(|(_, last)| last == end)).map_or(0, |place| place + 1)
    };
    wish "layout", &["spread", "adjacent"], &[], |parts| {
        let mut spans: Vec<(usize, usize)> = registers(parts).into_iter().flatten().collect();
        spans.sort_unstable();
        usize::from(spans.windows(2).all(|pair| pair[1].0 <= pair[0].1))
    };
    wish "dst_lead", LEADS, &[], |parts| DST.lead_registers(parts).min(2);
    wish "src0_lead", LEADS, &[], |parts| SRC0.lead_registers(parts).min(2);
    wish "src1_lead", LEADS, &[], |parts| SRC1.lead_registers(parts).min(2);
    wish "src2_lead", LEADS, &[], |parts| SRC2.lead_registers(parts).min(2);
    wish "src2_column", &["0", "one step", "last", "any"], &[2, 1, 1, 2], |parts| {
        let shape = Shape::of(parts);
        match SRC2_FIELDS.col_offset.get(parts.code) as usize * 4 % shape.register {
            0 => 0,
            start if start == shape.unit => 1,
            start => 2 + usize::from(start + shape.unit != shape.register),
        }
    };
    axis "src2_region", &["none", "<1;1,0>", "other"], &[], |parts, level, noise| {
        let codes = match level {
            0 => [0; 3],
            1 => [2, 2, 1],
            _ => [narrow(3 + noise.below(5)), narrow(2 + noise.below(5)), narrow(1 + noise.below(4))],
        };
        for (field, code) in SRC2_REGION.into_iter().zip(codes) {
            field.set(parts.code, code);
        }
    }, |parts| match SRC2_REGION.map(|field| field.get(parts.code)) {
        [0, 0, 0] => 0,
        codes => 1 + usize::from(codes != [2, 2, 1]),
    };
    wish "overlap", &["none", "Dst on Src0", "Dst on Src1", "Dst on Src2", "Dst a register above Src0",
        "Dst a register below Src0", "Dst and Src0 one variable", "Src2 on Src1", "Src0, Src1 and Src2 on each other"],
        &[8, 1, 1, 1, 1, 1, 1, 1, 1], overlap;
    wish "operands", VALUES, &[3, 1, 1, 1, 1, 1, 1], |_| 0;
    wish "extent", &["as needed", "roomy"], &[], |parts| {
        let variable = DST.entry(parts);
        let need = (DST.lead(parts) + DST.span(parts)).div_ceil(variable_type(parts, variable).bytes());
        usize::from(usize::from(peek(parts).variables[variable].num_elements) != need)
    };
    wish "bystanders", &["background", "fresh"], &[], |_| 0;
    wish "place_rule", &["kept", "Dst misaligned", "Src0 misaligned", "Src1 misaligned", "Src2 misaligned",
        "Dst out of bounds", "Src0 out of bounds", "Src1 out of bounds", "Src2 out of bounds",
        "Src2 column beyond a register"], &[119, 1, 1, 1, 1, 1, 1, 1, 1, 1], |_| 0;
    wish "encoding_rule", &["kept", "execution size bit 3", "undeclared variable", "class of Src2", "modifier of Src2",
        "unnamed bits", "null operand", "offset of a null Src0"], &[121, 1, 1, 1, 1, 1, 1, 1], |_| 0;
    // Models come last: where one cannot matter, a case goes by its first value, and its level counts as it was drawn.
    axis "model_sum", MODELS[model::SUM].values, &[], |parts, level, noise| {
        let (sum, guard) = (Sum::ALL[level], narrow(noise.below(GUARDS.len())));
        small(parts).set_model_sum(sum);
        // A sum that does not truncate has no guard.
        small(parts).set_model_guard(if sum == Sum::Truncating { guard } else { 0 });
    }, |parts| peek(parts).model_sum() as usize;
    // A code without a meaning counts as the first.
    lens "model_denormals", MODELS[model::DENORMALS].values, &[2, 1, 1], model_lens(model::DENORMALS),
        Known(&[0, 1, 2]);
    lens "model_nan", MODELS[model::NAN].values, &[2, 1], model_lens(model::NAN), Known(&[0, 1, 2]);
    lens "model_tf32", MODELS[model::TF32].values, &[], model_lens(model::TF32), Known(&[0, 1, 2]);
    lens "model_one_bit", MODELS[model::ONE_BIT].values, &[1, 3], model_lens(model::ONE_BIT), Known(&[0, 1, 2]);
    axis ROW_SHAPE.name, ROW_SHAPE.levels, ROW_SHAPE.weights, ROW_SHAPE.set, ROW_SHAPE.get;
};
