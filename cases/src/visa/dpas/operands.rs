//! The operands of `DPAS`, for labels, for placing them, and for what they are salted with.
//!
//! A mistake costs a worse case or label, and no verdict.

use super::quantities::put_registers;
use super::*;

/// The numbers of the operands in lists of four.
pub(super) mod at {
    pub(in crate::visa) const DST: usize = 0;
    pub(in crate::visa) const SRC0: usize = 1;
    pub(in crate::visa) const SRC1: usize = 2;
    pub(in crate::visa) const SRC2: usize = 3;
}

pub(super) const DST: Raw = Raw::new(&fields::DST, |parts| Shape::of(parts).bytes[at::DST]);
pub(super) const SRC0: Raw = Raw::new(&fields::SRC0, |parts| Shape::of(parts).bytes[at::SRC0]);
pub(super) const SRC1: Raw = Raw::new(&fields::SRC1, |parts| Shape::of(parts).bytes[at::SRC1]);
pub(super) const SRC2: Raw = Raw::general(&SRC2_FIELDS, |parts| Shape::of(parts).bytes[at::SRC2]);
pub(super) const OPERANDS: &[Raw; 4] = &[DST, SRC0, SRC1, SRC2];

/// The table of operands.
pub(super) struct Dpas;

impl Slots for Dpas {
    type Operand = Raw;
    const OPERANDS: &'static [Raw] = OPERANDS;
    const NAMES: &'static [Names] =
        &[names!("dst", "Dst"), names!("src0", "Src0"), names!("src1", "Src1"), names!("src2", "Src2")];

    fn put_touched(parts: &mut Parts<'_>, operand: &Raw, value: u32) {
        put_registers(parts, operand, value);
    }
}

/// The type of the accumulator; none if it is null.
pub(super) fn src0_type(parts: &Parts<'_>) -> Option<DataType> {
    SRC0.variable(parts).map(|_| SRC0.data_type(parts))
}

/// The bits of an element of a precision.
pub(super) fn element_bits(precision: Option<Precision>) -> usize {
    precision.map_or(8, Precision::bits) as usize
}

/// How much room the operands of a case need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How often it repeats; channels and depths of a row; products of a depth.
    pub rows: usize,
    pub channels: usize,
    pub depth: usize,
    pub ops: usize,
    /// Depths that a register of `Src1` holds.
    pub per_register: usize,
    /// Bits of a row of `Src2`; the next one follows.
    pub pitch: usize,
    /// Bytes of a register, and of each operand; 0 for a null accumulator.
    pub register: usize,
    pub bytes: [usize; 4],
    /// What the beginning of `Src2` is a multiple of, in bytes.
    pub unit: usize,
}

impl Shape {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let register = register(parts);
        let channels = EXEC_SIZES[EXEC_SIZE.get(parts.code) as usize].unwrap_or(8) as usize;
        let rows = (RC.get(parts.code) as usize).clamp(1, 8);
        let depth = match SD.get(parts.code) {
            depth @ (1 | 2 | 4) => depth as usize,
            _ => 8,
        };
        let [w, a] = [weights(parts), activations(parts)].map(element_bits);
        // Of 32 bits one, and twice as many of half as many, down to eight.
        let ops = (32 / w.max(a).next_power_of_two()).clamp(1, 8);
        let per_register = (32 / (ops * w)).max(1);
        let pitch = depth * ops * a;
        let bytes = [
            rows * channels * DST.data_type(parts).bytes(),
            rows * channels * src0_type(parts).map_or(0, DataType::bytes),
            depth.div_ceil(per_register) * register,
            (rows * pitch).div_ceil(32) * 4,
        ];
        Shape { rows, channels, depth, ops, per_register, pitch, register, bytes, unit: (pitch / 8).max(4) }
    }
}

/// The first byte of each operand; none for a null accumulator.
pub(super) fn starts(parts: &Parts<'_>) -> [Option<usize>; 4] {
    OPERANDS.map(|operand| operand.start(parts))
}

/// The first register of each operand, and that behind its last one.
pub(super) fn registers(parts: &Parts<'_>) -> [Option<(usize, usize)>; 4] {
    let register = register(parts);
    OPERANDS.map(|operand| {
        operand.bytes(parts).map(|bytes| {
            let first = bytes.start / register;
            (first, first + (bytes.start % register + bytes.len()).div_ceil(register))
        })
    })
}

/// How to read a word of the register file: as the destination has it, or else as a source does; without a place, what the
/// instruction writes.
pub(super) fn format_of(parts: &Parts<'_>, which: usize, place: Option<(usize, usize)>) -> Option<&'static Format> {
    let holds = |operand: &Raw| {
        place.is_none_or(|(row, column)| {
            operand.bytes(parts).is_some_and(|bytes| bytes.contains(&(row * ROW_BYTES + column * WORD_BYTES)))
        })
    };
    match OPERANDS.iter().position(holds).filter(|_| which == bank::GRF)? {
        at::DST => DST.data_type(parts).format(),
        at::SRC0 => src0_type(parts)?.format(),
        at::SRC1 => Some(weights(parts)?.format()),
        _ => Some(activations(parts)?.format()),
    }
}

/// The levels of the axis `operands`.
pub(super) const VALUES: &[&str] = &["mixed", "exact-domain", "extreme", "cancelling", "tiny", "NaN", "zeros"];
/// Products of zeros, most of them negative, as all that is added to them.
const ZEROS: usize = 6;

/// The value class of elements of a precision; of zeros, those with the sign bit or those without it.
fn element_class(precision: Option<Precision>, level: usize, is_negative: bool) -> u8 {
    let Some(precision) = precision else { return value_class::of(DataType::Ub) };
    let is_extreme = level == 2;
    match precision {
        Precision::Hf | Precision::Bf if level == ZEROS => salted::ZEROS_16[usize::from(is_negative)],
        Precision::Tf32 if level == ZEROS => salted::ZEROS_32[usize::from(is_negative)],
        Precision::Hf => salted::OF_HF[level],
        Precision::Bf => salted::OF_BF[level],
        Precision::Tf32 => salted::OF_F[level],
        _ if precision.bits() <= 2 => salted::BITS,
        _ if precision.bits() == 4 => [salted::NIBBLES, salted::EXTREMES[1]][usize::from(is_extreme)],
        _ if is_extreme => salted::EXTREMES[0],
        _ if precision.kind() == PrecisionKind::Signed => value_class::of(DataType::B),
        _ => value_class::of(DataType::Ub),
    }
}

/// The value class of accumulators of a type.
fn accumulator_class(data_type: DataType, level: usize) -> u8 {
    let plain = value_class::of(data_type);
    match data_type {
        DataType::D | DataType::Ud => {
            [plain, salted::EXACT_D, salted::EXTREMES[2]].get(level).copied().unwrap_or(plain)
        }
        DataType::F if level == ZEROS => salted::ZEROS_32[1],
        DataType::Hf | DataType::Bf if level == ZEROS => salted::ZEROS_16[1],
        DataType::F if level > 0 => salted::OF_F[level],
        DataType::Hf if level > 0 => salted::OF_HF[level],
        DataType::Bf if level > 0 => salted::OF_BF[level],
        _ => plain,
    }
}

/// The ranges of the salt plan that the weights and the activations have.
pub(super) const WEIGHTS_RANGE: usize = 0;
/// See [`WEIGHTS_RANGE`].
pub(super) const ACTIVATIONS_RANGE: usize = 1;
const ACCUMULATORS_RANGE: usize = 2;

/// Plans what the rows of the sources are salted with. Where sources overlap, weights count most.
pub(super) fn plan_salt(parts: &mut Parts<'_>, level: u8) {
    let level = usize::from(level).min(VALUES.len() - 1);
    for (range, operand, class) in [
        (WEIGHTS_RANGE, SRC1, element_class(weights(parts), level, false)),
        (ACTIVATIONS_RANGE, SRC2, element_class(activations(parts), level, true)),
        (ACCUMULATORS_RANGE, SRC0, src0_type(parts).map_or(0, |data_type| accumulator_class(data_type, level))),
    ] {
        let bytes = operand.bytes(parts).unwrap_or(0..0);
        let (first, end) = ((bytes.start / ROW_BYTES) as u16, bytes.end.div_ceil(ROW_BYTES) as u16);
        parts.salt.ranges[range] = SaltRange { first, end, class };
    }
}

/// Whether two readings of the page differ on a case, and why.
pub(super) fn contested(parts: &Parts<'_>) -> Option<&'static str> {
    let pair = pair(parts);
    if pair == Pair::OneBit {
        return Some(
            "u1 and s1 stand in the table of precisions (lines 181-185), and no rule for the number of operations in a \
             channel speaks of them (lines 37-42 and 85-95)",
        );
    }
    if SRC0.is_null(parts) && SRC0.lead(parts) != 0 {
        return Some(
            "a null operand is zero (line 279), and an offset is counted from the beginning of a variable (page Operands, \
             line 499), which it has not",
        );
    }
    let dst = DST.data_type(parts);
    let has_half = [Some(dst), src0_type(parts)].into_iter().flatten().any(|data_type| data_type.bytes() == 2);
    if register(parts) == 32 && pair.is_summed_in_float() && (pair == Pair::Tf32 || has_half) {
        return Some(
            "the table has tf32, and Dst and Src0 of 16 bits, for all platforms (lines 237-241), and says that a platform may \
             have fewer combinations (lines 225-226); which has, no page says",
        );
    }
    let is_signed = [weights(parts), activations(parts)].into_iter().flatten().any(is_signed);
    let is_unsigned = dst == DataType::Ud || src0_type(parts) == Some(DataType::Ud);
    (pair == Pair::Integer && is_signed && is_unsigned).then_some(
        "the table has UD with all integers (line 235), and no line says what a product below zero adds to it (lines 127, \
         129 and 218)",
    )
}
