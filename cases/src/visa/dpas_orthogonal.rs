//! The orthogonal axes of `DPAS`: how often it repeats, where the operands lie, and all that it does not read.
//!
//! An axis that is a field sets it. The others say what is wished for, and
//! `dpas_place` grants it once the cell is known, and writes back what the case has instead. The lead of a null accumulator
//! counts as it was drawn.

use std::mem::offset_of;

use tandem_isa::visa::model::{GUARDS, MODELS, PARTS, Sum};
use tandem_isa::visa::operand::dpas::{M1_NM, RC};
use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE, EXEC_SIZES, NO_MASK, SRC2 as SRC2_FIELDS};
use tandem_isa::visa::{DISPATCH_SIZES, DataType, GRF_BYTES, Small, cr0};
use tandem_isa::{Axis, CodeField, Levels, Noise, Parts};

use crate::salt::ROW_SHAPE;

use super::case::{Lens, PLATFORM, Partition, axis, narrow, peek, places, small, split, variable_type, wish};
use super::dpas_axes::{assign_variables, is_summed_in_float};
use super::dpas_operands::{DST, OPERANDS, SRC0, SRC1, SRC2, Shape, VALUES, at as operand, registers};
use super::dpas_pairs::{Pair, pair};
use super::operand::Operand;
use super::raw::Raw;

places! {
    /// Where axes lie in [`ORTHOGONAL`].
    At: dispatch_size first_operand last_operand layout dst_lead src2_column overlap operands extent bystanders
        place_rule encoding_rule model_sum model_denormals model_nan model_tf32 model_one_bit
}

pub(super) const AT: At = At::among(&ORTHOGONAL);

fn set_integer_type(operand: &Raw, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    const OTHERS: [DataType; 8] =
        [DataType::F, DataType::Df, DataType::Ub, DataType::B, DataType::Uw, DataType::W, DataType::Hf, DataType::Bf];
    let data_type = [DataType::Ud, DataType::D, OTHERS[noise.below(OTHERS.len())]][level];
    let variable = operand.entry(parts);
    small(parts).variables[variable].data_type = data_type.code() as u16;
}

/// The type of weights or activations.
macro_rules! integer_type {
    ($name:literal, $operand:expr) => {
        axis(
            $name,
            &["UD", "D", "other"],
            &[63, 63, 2],
            |parts, level, noise| set_integer_type(&$operand, parts, level, noise),
            |parts| ($operand.data_type(parts).code() as usize).min(2),
        )
    };
}

/// How many registers an operand begins behind the beginning of its variable.
macro_rules! lead {
    ($name:literal, $operand:expr) => {
        wish($name, &["0", "1 register", "more"], &[], |parts| $operand.lead_registers(parts).min(2))
    };
}

/// The fields of the region that `Src2` has not.
pub(super) const SRC2_REGION: [CodeField; 3] = [SRC2_FIELDS.vert_stride, SRC2_FIELDS.width, SRC2_FIELDS.horz_stride];

/// The level of a dispatch size that the instruction does not fit in: a wish, since the cell decides the channels.
pub(super) const BELOW: usize = 3;

const DENORMS: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;

const NAMES: &[&str] = &["any", "Dst", "Src0", "Src1", "Src2"];

/// The operand whose variable begins where the file does. It may lead into its variable like any other.
fn first_operand(parts: &Parts<'_>) -> usize {
    let is_first = |variable: usize| peek(parts).variables[variable].offset == 0;
    let place = OPERANDS.iter().position(|operand| operand.variable(parts).is_some_and(is_first));
    place.map_or(0, |place| place + 1)
}

/// The operand whose last register is that of the file.
fn last_operand(parts: &Parts<'_>) -> usize {
    let end = GRF_BYTES / Shape::of(parts).register;
    registers(parts).iter().position(|span| span.is_some_and(|(_, last)| last == end)).map_or(0, |place| place + 1)
}

fn layout(parts: &Parts<'_>) -> usize {
    let mut spans: Vec<(usize, usize)> = registers(parts).into_iter().flatten().collect();
    spans.sort_unstable();
    usize::from(spans.windows(2).all(|pair| pair[1].0 <= pair[0].1))
}

fn column(parts: &Parts<'_>) -> usize {
    let shape = Shape::of(parts);
    match SRC2_FIELDS.col_offset.get(parts.code) as usize * 4 % shape.register {
        0 => 0,
        start if start == shape.unit => 1,
        start if start + shape.unit == shape.register => 2,
        _ => 3,
    }
}

/// How operands share registers.
fn overlap(parts: &Parts<'_>) -> usize {
    let spans = registers(parts);
    let (src1, src2) = (spans[operand::SRC1], spans[operand::SRC2]);
    let (Some(dst), Some(src1), Some(src2)) = (spans[operand::DST], src1, src2) else { return 0 };
    if let Some(src0) = spans[operand::SRC0] {
        if SRC0.id.get(parts.code) == DST.id.get(parts.code) {
            return 6;
        }
        if src0.0 == src1.0 && src0.0 == src2.0 {
            return 8;
        }
        if src0.0 == dst.0 {
            return 1;
        }
        if dst.0 == src0.0 + 1 && dst.0 < src0.1 {
            return 4;
        }
        if dst.0 + 1 == src0.0 && src0.0 < dst.1 {
            return 5;
        }
    }
    match () {
        () if dst.0 == src1.0 => 2,
        () if dst.0 == src2.0 => 3,
        () if src1.0 == src2.0 => 7,
        () => 0,
    }
}

fn extent(parts: &Parts<'_>) -> usize {
    let variable = DST.entry(parts);
    let need = (DST.lead(parts) + DST.span(parts)).div_ceil(variable_type(parts, variable).bytes());
    usize::from(usize::from(peek(parts).variables[variable].num_elements) != need)
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

/// A choice: a code without a meaning counts as the first.
macro_rules! model {
    ($name:literal, $weights:expr, $place:expr) => {
        split!($name, MODELS[$place].values, $weights, model_lens($place), Partition::Known(&[0, 1, 2]))
    };
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
pub(super) static ORTHOGONAL: [Axis; 31] = [
    split!(
        "repeat_count",
        &["8", "1", "2", "3", "4", "5", "6", "7", "0", "above 8"],
        &[16, 16, 16, 15, 15, 15, 15, 15, 1, 1],
        Lens::Code(RC),
        Partition::Sets(&[&[8], &[1], &[2], &[3], &[4], &[5], &[6], &[7], &[0], &[9, 10, 15, 16, 128, 255]])
    ),
    axis(
        "variables",
        &["V32, up", "V33, up", "V34, up", "V35, up", "V32, down", "V33, down", "V34, down", "V35, down"],
        &[],
        |parts, level, _| assign_variables(parts, level % 4, level >= 4),
        |parts| {
            let first = DST.entry(parts);
            let is_down = SRC1.entry(parts) != (first + 2) % 4 || SRC2.entry(parts) == (first + 1) % 4;
            first + 4 * usize::from(is_down)
        },
    ),
    integer_type!("src1_type", SRC1),
    integer_type!("src2_type", SRC2),
    axis(
        "mask",
        &["M1_NM", "M2_NM to M8_NM", "M1 to M8"],
        &[124, 2, 2],
        |parts, level, noise| {
            let code = match level {
                0 => M1_NM,
                1 => NO_MASK + 1 + narrow(noise.below(7)),
                _ => noise.bits(3),
            };
            EXEC_MASK.set(parts.code, code);
        },
        |parts| match EXEC_MASK.get(parts.code) {
            M1_NM => 0,
            code if code > NO_MASK => 1,
            _ => 2,
        },
    ),
    axis(
        "em",
        &["all", "none", "one", "all but one", "any"],
        &[],
        |parts, level, noise| {
            let one = 1 << noise.bits(5);
            // Neither none nor all nor one.
            let any = (noise.bits(32) | 3) & !12;
            small(parts).em = [u32::MAX, 0, one, !one, any][level];
        },
        |parts| match peek(parts).em {
            u32::MAX => 0,
            0 => 1,
            em if em.is_power_of_two() => 2,
            em if (!em).is_power_of_two() => 3,
            _ => 4,
        },
    ),
    axis(
        "dispatch_size",
        &["32", "16", "8", "below the execution size"],
        &[42, 41, 41, 4],
        |parts, level, _| small(parts).dispatch_size = narrow((DISPATCH_SIZES.len() - 1).saturating_sub(level)),
        |parts| {
            let dispatch = (peek(parts).dispatch_size as usize).min(2);
            let channels = EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(1);
            if DISPATCH_SIZES[dispatch] < channels { BELOW } else { 2 - dispatch }
        },
    ),
    Axis { weights: &[126, 2], ..PLATFORM },
    split!(
        "rounding_mode",
        &["RTNE", "RU", "RD", "RTZ"],
        &[119, 3, 3, 3],
        Lens::State(offset_of!(Small, cr0), cr0::ROUNDING_SHIFT, 2),
        Partition::Each
    ),
    axis(
        "denorm",
        &["keep", "flush", "HF alone", "F alone"],
        &[],
        |parts, level, _| {
            let small = small(parts);
            small.cr0 = (small.cr0 & !DENORMS) | [DENORMS, 0, cr0::HF_DENORM, cr0::F_DENORM][level];
        },
        |parts| match peek(parts).cr0 & DENORMS {
            DENORMS => 0,
            0 => 1,
            bits if bits & cr0::HF_DENORM != 0 => 2,
            _ => 3,
        },
    ),
    wish("first_operand", NAMES, &[3, 1, 1, 1, 1], first_operand),
    wish("last_operand", NAMES, &[3, 1, 1, 1, 1], last_operand),
    wish("layout", &["spread", "adjacent"], &[], layout),
    lead!("dst_lead", DST),
    lead!("src0_lead", SRC0),
    lead!("src1_lead", SRC1),
    lead!("src2_lead", SRC2),
    wish("src2_column", &["0", "one step", "last", "any"], &[2, 1, 1, 2], column),
    axis(
        "src2_region",
        &["none", "<1;1,0>", "other"],
        &[],
        |parts, level, noise| {
            let codes = match level {
                0 => [0; 3],
                1 => [2, 2, 1],
                _ => [narrow(3 + noise.below(5)), narrow(2 + noise.below(5)), narrow(1 + noise.below(4))],
            };
            for (field, code) in SRC2_REGION.into_iter().zip(codes) {
                field.set(parts.code, code);
            }
        },
        |parts| match SRC2_REGION.map(|field| field.get(parts.code)) {
            [0, 0, 0] => 0,
            [2, 2, 1] => 1,
            _ => 2,
        },
    ),
    wish(
        "overlap",
        &[
            "none",
            "Dst on Src0",
            "Dst on Src1",
            "Dst on Src2",
            "Dst a register above Src0",
            "Dst a register below Src0",
            "Dst and Src0 one variable",
            "Src2 on Src1",
            "Src0, Src1 and Src2 on each other",
        ],
        &[8, 1, 1, 1, 1, 1, 1, 1, 1],
        overlap,
    ),
    wish("operands", VALUES, &[3, 1, 1, 1, 1, 1, 1], |_| 0),
    wish("extent", &["as needed", "roomy"], &[], extent),
    wish("bystanders", &["background", "fresh"], &[], |_| 0),
    wish(
        "place_rule",
        &[
            "kept",
            "Dst misaligned",
            "Src0 misaligned",
            "Src1 misaligned",
            "Src2 misaligned",
            "Dst out of bounds",
            "Src0 out of bounds",
            "Src1 out of bounds",
            "Src2 out of bounds",
            "Src2 column beyond a register",
        ],
        &[119, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        |_| 0,
    ),
    wish(
        "encoding_rule",
        &[
            "kept",
            "execution size bit 3",
            "undeclared variable",
            "class of Src2",
            "modifier of Src2",
            "unnamed bits",
            "null operand",
            "offset of a null Src0",
        ],
        &[121, 1, 1, 1, 1, 1, 1, 1],
        |_| 0,
    ),
    // Models come last: where one cannot matter, a case goes by its first value, and its level counts as it was drawn.
    axis(
        "model_sum",
        MODELS[model::SUM].values,
        &[],
        |parts, level, noise| {
            let (sum, guard) = (Sum::ALL[level], narrow(noise.below(GUARDS.len())));
            small(parts).set_model_sum(sum);
            // A sum that does not truncate has no guard.
            small(parts).set_model_guard(if sum == Sum::Truncating { guard } else { 0 });
        },
        |parts| peek(parts).model_sum() as usize,
    ),
    model!("model_denormals", &[2, 1, 1], model::DENORMALS),
    model!("model_nan", &[2, 1], model::NAN),
    model!("model_tf32", &[], model::TF32),
    model!("model_one_bit", &[1, 3], model::ONE_BIT),
    ROW_SHAPE,
];
