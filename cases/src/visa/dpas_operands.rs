//! Where the operands of a `DPAS` case lie in the register file, for labels, for placing them, and for what they are
//! salted with.
//!
//! A mistake costs a worse case or label, and no verdict.

use tandem_isa::visa::model::Src2Pitch;
use tandem_isa::visa::operand::dpas::{DST, RC, RawFields, SD, SRC0, SRC1};
use tandem_isa::visa::operand::{EXEC_SIZE, EXEC_SIZES, SRC2};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, GRF_SIZES, ROW_BYTES, bank};
use tandem_isa::{Format, Parts};

use super::case::{entry, peek};
use super::dpas_axes::{dst_type, src0_type};
use super::dpas_pairs::{Pair, activations, pair, weights};
use super::value_class;
use super::values::dpas as class;

/// The numbers of the operands in lists of four.
pub(super) mod at {
    pub(in crate::visa) const DST: usize = 0;
    pub(in crate::visa) const SRC0: usize = 1;
    pub(in crate::visa) const SRC1: usize = 2;
    pub(in crate::visa) const SRC2: usize = 3;
}

/// How much room the operands of a case need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How often it repeats.
    pub rows: usize,
    /// Channels of a row.
    pub channels: usize,
    /// Depths of a row.
    pub depth: usize,
    /// Products of a depth.
    pub ops: usize,
    /// Depths that a register of `Src1` holds.
    pub per_register: usize,
    /// Bits from a row of `Src2` to the next.
    pub pitch: usize,
    /// Bytes of a register.
    pub register: usize,
    /// Bytes of each operand; 0 for a null accumulator.
    pub bytes: [usize; 4],
    /// What the beginning of `Src2` is a multiple of, in bytes.
    pub unit: usize,
}

impl Shape {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let small = peek(parts);
        let register = GRF_SIZES[(small.grf_size & 1) as usize];
        let channels = EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(8) as usize;
        let rows = (RC.get(parts.code) as usize).clamp(1, 8);
        let depth = match SD.get(parts.code) {
            depth @ (1 | 2 | 4) => depth as usize,
            _ => 8,
        };
        let bits = |precision: Option<Precision>| precision.map_or(8, Precision::bits) as usize;
        let (w, a) = (bits(weights(parts)), bits(activations(parts)));
        let ops = match w.max(a) {
            32 => 1,
            16 => 2,
            8 => 4,
            _ => 8,
        };
        let per_register = (32 / (ops * w)).max(1);
        let row = depth * ops * a;
        let pitch = if small.model_src2_pitch() == Src2Pitch::Prose { 8 * ops * a } else { row };
        let datums = rows * channels;
        Shape {
            rows,
            channels,
            depth,
            ops,
            per_register,
            pitch,
            register,
            bytes: [
                datums * dst_type(parts).bytes(),
                src0_type(parts).map_or(0, |data_type| datums * data_type.bytes()),
                depth.div_ceil(per_register) * register,
                ((rows - 1) * pitch + row).div_ceil(32) * 4,
            ],
            unit: (row / 8).max(4),
        }
    }

    /// Registers that an operand touches if it begins `lead` bytes within one.
    pub(super) fn registers(&self, operand: usize, lead: usize) -> usize {
        (lead + self.bytes[operand]).div_ceil(self.register)
    }
}

/// The first byte of each operand; none for a null accumulator.
pub(super) fn starts(parts: &Parts<'_>) -> [Option<usize>; 4] {
    let register = GRF_SIZES[(peek(parts).grf_size & 1) as usize];
    let variable = |id: u32| usize::from(peek(parts).variables[entry(id)].offset);
    let raw = |operand: &RawFields| {
        let id = operand.id.get(parts.code);
        (id != 0).then(|| variable(id) + operand.offset.get(parts.code) as usize)
    };
    let offset = SRC2.row_offset.get(parts.code) as usize * register + SRC2.col_offset.get(parts.code) as usize * 4;
    [raw(&DST), raw(&SRC0), raw(&SRC1), Some(variable(SRC2.id.get(parts.code)) + offset)]
}

/// How to read a word of the register file: as the destination has it, or else as a source does.
pub(super) fn format_at(parts: &Parts<'_>, row: usize, column: usize) -> Option<&'static Format> {
    let byte = row * ROW_BYTES + column * 4;
    let shape = Shape::of(parts);
    let starts = starts(parts);
    let holds =
        |operand: usize| starts[operand].is_some_and(|start| (start..start + shape.bytes[operand]).contains(&byte));
    match (0..4).find(|&operand| holds(operand))? {
        at::DST => dst_type(parts).format(),
        at::SRC0 => src0_type(parts)?.format(),
        at::SRC1 => Some(weights(parts)?.format()),
        _ => Some(activations(parts)?.format()),
    }
}

/// What the instruction writes.
pub(super) fn format_of(parts: &Parts<'_>, which: usize, place: Option<(usize, usize)>) -> Option<&'static Format> {
    match (which, place) {
        (bank::GRF, Some((row, column))) => format_at(parts, row, column),
        (bank::GRF, None) => dst_type(parts).format(),
        _ => None,
    }
}

/// Levels of the axis `operands`.
pub(super) const VALUES: &[&str] = &["mixed", "exact-domain", "extreme", "cancelling"];

/// The value class of elements of a precision.
fn element_class(precision: Option<Precision>, level: u8) -> u8 {
    let Some(precision) = precision else { return value_class::of(DataType::Ub) };
    let is_extreme = level == 2;
    match precision {
        Precision::Hf => [class::ORDINARY_HF, class::EXACT_HF, class::SPECIAL_HF, class::CANCEL_HF][index(level)],
        Precision::Bf => [class::ORDINARY_BF, class::EXACT_BF, class::SPECIAL_BF, class::CANCEL_BF][index(level)],
        Precision::Tf32 => [class::ORDINARY_F, class::EXACT_F, class::SPECIAL_F, class::CANCEL_F][index(level)],
        _ if precision.bits() <= 2 => class::BITS,
        _ if precision.bits() == 4 => {
            if is_extreme {
                class::EXTREMES4
            } else {
                class::NIBBLES
            }
        }
        _ if is_extreme => class::EXTREMES8,
        _ if precision.kind() == PrecisionKind::Signed => value_class::of(DataType::B),
        _ => value_class::of(DataType::Ub),
    }
}

/// The value class of accumulators of a type.
fn accumulator_class(data_type: DataType, level: u8) -> u8 {
    let plain = value_class::of(data_type);
    match data_type {
        DataType::D | DataType::Ud => [plain, class::EXACT_D, class::EXTREMES32, plain][index(level)],
        DataType::F => [plain, class::EXACT_F, class::SPECIAL_F, class::CANCEL_F][index(level)],
        DataType::Hf => [plain, class::EXACT_HF, class::SPECIAL_HF, class::CANCEL_HF][index(level)],
        DataType::Bf => [plain, class::EXACT_BF, class::SPECIAL_BF, class::CANCEL_BF][index(level)],
        _ => plain,
    }
}

fn index(level: u8) -> usize {
    usize::from(level).min(3)
}

/// The ranges of the salt plan that the weights and the activations have.
pub(super) const WEIGHTS_RANGE: usize = 0;
/// See [`WEIGHTS_RANGE`].
pub(super) const ACTIVATIONS_RANGE: usize = 1;
const ACCUMULATORS_RANGE: usize = 2;

/// Plans what the rows of the sources are salted with. Where sources overlap, weights count most.
pub(super) fn plan_salt(parts: &mut Parts<'_>, level: u8) {
    let shape = Shape::of(parts);
    let starts = starts(parts);
    let classes = [
        (WEIGHTS_RANGE, at::SRC1, element_class(weights(parts), level)),
        (ACTIVATIONS_RANGE, at::SRC2, element_class(activations(parts), level)),
        (ACCUMULATORS_RANGE, at::SRC0, src0_type(parts).map_or(0, |data_type| accumulator_class(data_type, level))),
    ];
    for (range, operand, class) in classes {
        let (first, end) = match starts[operand] {
            Some(start) => (start / ROW_BYTES, (start + shape.bytes[operand]).div_ceil(ROW_BYTES)),
            None => (0, 0),
        };
        parts.salt.ranges[range] = tandem_isa::SaltRange { first: first as u16, end: end as u16, class };
    }
}

/// Whether two named readings of the page differ on a case, and why.
pub(super) fn contested(parts: &Parts<'_>) -> Option<&'static str> {
    let pair = pair(parts);
    if pair == Pair::OneBit {
        return Some(
            "u1 and s1 stand in the table of precisions (lines 181-185), and no rule for the number of operations in a \
             channel speaks of them (lines 37-42 and 85-95)",
        );
    }
    let is_short = matches!(SD.get(parts.code), 1 | 2 | 4);
    (is_short && RC.get(parts.code) > 1 && pair != Pair::None).then_some(
        "below a systolic depth of 8, the pseudo-code advances Src2 by what a repeat consumes (line 133), and the prose by \
         eight depths (lines 140-141)",
    )
}
