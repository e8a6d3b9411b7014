//! Instructions of vector operands, each a table of these: what axes, cells and quantities they have follows from it. Also the
//! axes of the data path that all share beside types: modifiers, rounding, denormals.
//!
//! An instruction adds its map of types: which axes can matter to which types. An axis that cannot matter to a case has the one
//! level `any` there: whatever its field holds is read back as `any`, and a case that is given `any` draws the field.

use super::vector_axes::{TYPE_LEVELS, draw_type, orthogonal, type_level};
use super::*;

/// The most operands that an instruction has. With the first one that has more, a larger number compiles.
pub(super) const MOST_OPERANDS: usize = 2;

/// An instruction of vector operands.
pub(super) trait Form: Slots<Operand = Vector> {
    /// What the axes of source modifiers are called.
    const MODIFIERS: &'static [&'static str];

    /// Which axes can matter to the types of destination and sources; whether neither saturation nor a source modifier is
    /// asked for.
    fn matters(dst: DataType, sources: &[DataType], is_plain: bool) -> Matters;

    /// All cell classes, and that of a cell.
    const CLASSES: &'static [&'static str];
    fn class(levels: &Levels) -> &'static str;

    /// The data-path axes. Types come first: the others look at them.
    const PATH: &'static [Axis] = const { &path::<Self>() }.items();
    /// The orthogonal axes, in the order in which they are set.
    const ORTHOGONAL: &'static [Axis] = const { &orthogonal::<Self>() }.items();
    const QUANTITIES: &'static [Quantity] = const { &vector_quantities::quantities::<Self>() }.items();
    /// Where orthogonal axes lie.
    const AT: At = At::among(Self::ORTHOGONAL);
    const OF: [OperandAt; MOST_OPERANDS] = OperandAt::among::<Self>();
}

/// Which axes can matter to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matters {
    /// Saturation and source modifiers.
    pub operands: bool,
    pub rounding: RoundingLevels,
    /// The denormals of each operand's type.
    pub denormals: [bool; MOST_OPERANDS],
}

impl Matters {
    pub(super) const NOTHING: Self =
        Matters { operands: false, rounding: RoundingLevels::Any, denormals: [false; MOST_OPERANDS] };
}

/// Which levels of the rounding mode a case may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundingLevels {
    /// It cannot matter.
    Any,
    /// Each mode counts.
    Four,
    /// Only to-nearest has a result; the others are one level.
    NearestOrNot,
}

impl RoundingLevels {
    const NAMES: &[&str] = &["any", "RTNE", "RU", "RD", "RTZ", "not RTNE"];
    const NOT_NEAREST: usize = 5;

    /// The level of a mode.
    fn level(self, mode: u32) -> usize {
        match (self, mode as usize) {
            (RoundingLevels::Any, _) => 0,
            (RoundingLevels::NearestOrNot, 1..) => Self::NOT_NEAREST,
            (_, mode) => 1 + mode,
        }
    }
}

pub(super) fn saturation<F: Form>(parts: &Parts<'_>) -> u32 {
    F::OPERANDS[0].fields.modifiers.get(parts.code) >> 2
}

/// Codes above 3 are no source modifiers; their low bits are read, so that such a case stays in its cell.
fn modifier<F: Form>(parts: &Parts<'_>, source: usize) -> u32 {
    F::OPERANDS[source].fields.modifiers.get(parts.code) & 3
}

/// Whether neither saturation nor a source modifier is asked for.
pub(super) fn is_plain<F: Form>(parts: &Parts<'_>) -> bool {
    saturation::<F>(parts) == 0 && (1..F::OPERANDS.len()).all(|source| modifier::<F>(parts, source) == 0)
}

pub(super) fn matters_to<F: Form>(parts: &Parts<'_>) -> Matters {
    let types = types_of::<F>(|operand| F::OPERANDS[operand].data_type(parts));
    F::matters(types[0], &types[1..], is_plain::<F>(parts))
}

/// The type of each operand.
fn types_of<F: Form>(of: impl Fn(usize) -> DataType) -> [DataType; MOST_OPERANDS] {
    std::array::from_fn(|operand| if operand < F::OPERANDS.len() { of(operand) } else { DataType::Ud })
}

pub(super) fn rounding_mode(parts: &Parts<'_>) -> u32 {
    peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3
}

pub(super) fn set_rounding_mode(parts: &mut Parts<'_>, mode: u32) {
    let small = small(parts);
    small.cr0 = (small.cr0 & !(3 << cr0::ROUNDING_SHIFT)) | mode << cr0::ROUNDING_SHIFT;
}

/// Whether denormals of a type are kept; those of types without a bit are not.
pub(super) fn keeps_denormals(parts: &Parts<'_>, data_type: DataType) -> bool {
    peek(parts).cr0 & denorm_bit(data_type) != 0
}

pub(super) fn keep_denormals(parts: &mut Parts<'_>, data_type: DataType, on: u32) {
    let (bit, small) = (denorm_bit(data_type), small(parts));
    small.cr0 = (small.cr0 & !bit) | (bit * on);
}

/// The value that a level behind `any` means, or for `any` one of some bits that is drawn.
fn value_of(level: usize, width: u32, noise: &mut Noise) -> u32 {
    if level == 0 { noise.bits(width) } else { narrow(level - 1) }
}

/// The level of a value, which is `any` where it does not matter.
pub(super) fn level_of(matters: bool, value: u32) -> u32 {
    if matters { 1 + value } else { 0 }
}

pub(super) fn denormals_level<F: Form, const N: usize>(parts: &Parts<'_>) -> u32 {
    let keeps = keeps_denormals(parts, F::OPERANDS[N].data_type(parts));
    level_of(matters_to::<F>(parts).denormals[N], u32::from(keeps))
}

const fn path<F: Form>() -> List<Axis, MAX_AXES> {
    table! { axes, List<Axis, MAX_AXES>, ROW_SHAPE, F, N;
        // The type of an operand, which it has beside those before it. The register file is salted with values of a source's.
        all {
            axis F::NAMES[N].own[0], TYPE_LEVELS, &[],
                |parts, level, noise| draw_type(&F::OPERANDS[N], parts, &F::OPERANDS[..N], level, noise),
                |parts| type_level(F::OPERANDS[N].data_type(parts));
        }
        one {
            axis "saturation", &["any", "no", "sat"], &[],
                |parts, level, noise| F::OPERANDS[N].fields.modifiers.set(parts.code, value_of(level, 1, noise) << 2),
                |parts| level_of(matters_to::<F>(parts).operands, saturation::<F>(parts)) as usize;
        }
        each {
            axis F::MODIFIERS[N - 1], &["any", "none", "abs", "neg", "neg-abs"], &[],
                |parts, level, noise| F::OPERANDS[N].fields.modifiers.set(parts.code, value_of(level, 2, noise)),
                |parts| level_of(matters_to::<F>(parts).operands, modifier::<F>(parts, N)) as usize;
        }
        one {
            axis "rounding_mode", RoundingLevels::NAMES, &[], |parts, level, noise| {
                let is_directed = level == RoundingLevels::NOT_NEAREST;
                let mode = if is_directed { 1 + noise.below(3) as u32 } else { value_of(level, 2, noise) };
                set_rounding_mode(parts, mode);
            }, |parts| matters_to::<F>(parts).rounding.level(rounding_mode(parts));
        }
        // Whether denormals of an operand's type are kept. A bit that the type of a source shares has its level already.
        sources_first {
            axis F::NAMES[N].denormals[0], &["any", "flush", "keep"], &[], |parts, level, noise| {
                let data_type = F::OPERANDS[N].data_type(parts);
                let is_shared = N == 0 && F::OPERANDS[1..].iter().any(|source| source.data_type(parts) == data_type);
                if !is_shared {
                    keep_denormals(parts, data_type, value_of(level, 1, noise));
                }
            }, |parts| denormals_level::<F, N>(parts) as usize;
        }
    }
}

/// Whether there are cells of some levels of the data path: an axis that cannot matter has the one level `any`.
pub(super) fn has_cell<F: Form>(levels: &Levels) -> bool {
    let count = F::OPERANDS.len();
    let types = types_of::<F>(|operand| level_type(levels[operand].into()));
    let (modes, rest) = levels[count..].split_at(count);
    let matters = F::matters(types[0], &types[1..], modes.iter().all(|&level| level < 2));
    let denormals = matters.denormals[1..count].iter().chain(&matters.denormals[..1]);
    modes.iter().all(|&level| (level != 0) == matters.operands)
        && (0..4).any(|mode| matters.rounding.level(mode) == usize::from(rest[0]))
        && denormals.zip(&rest[1..]).all(|(&matters, &level)| (level != 0) == matters)
}

/// What an instruction of vector operands usually has.
pub(super) const fn instruction<F: Form>(
    facts: &'static Facts,
    cells: fn(Edition) -> &'static CellSpace,
) -> Instruction {
    Instruction {
        facts,
        cells,
        orthogonal: |_| F::ORTHOGONAL,
        prepare: |parts, _| parts.salt.class[bank::GRF] = value_class::of(DataType::Ud),
        finish: vector_place::finish::<F>,
        cell_class: |_, levels| F::class(levels),
        cell_classes: F::CLASSES,
        format: format_of::<F>,
        contested: |_| None,
        contested_data: ContestedData::NOTHING,
        reductions: Reductions {
            count: vector_reduce::REDUCTIONS,
            take: |number, code, state| vector_reduce::reduce(F::OPERANDS, number, code, state),
        },
        quantities: F::QUANTITIES,
        plain: &[],
        sweep: &["exec_size=16", "em", "predication", "region_rule", "encoding_rule", "platform"],
        pairs: &[],
        recording: Recording { unpromised: &[], always: &[], others: 8, source_rows: 4 },
        bench_classes: &[],
        background: None,
        exhaust: |_, _| None,
    }
}

/// Data of the first operand that has an element in the word; without a place, of the destination's type.
fn format_of<F: Form>(
    _: Edition,
    parts: &Parts<'_>,
    which: usize,
    place: Option<(usize, usize)>,
) -> Option<&'static Format> {
    let holds = |operand: &&Vector| {
        place.is_none_or(|(row, column)| {
            let (start, size) = (row * ROW_BYTES + column * WORD_BYTES, operand.data_type(parts).bytes());
            let in_word = |&place: &usize| place < start + WORD_BYTES && start < place + size;
            operand.has_region(parts) && operand.places(parts).is_some_and(|places| places.iter().any(in_word))
        })
    };
    F::OPERANDS.iter().find(holds).filter(|_| which == bank::GRF)?.data_type(parts).format()
}

places! {
    /// Where the axes of an instruction of vector operands lie among its orthogonal ones.
    At: exec_size mask dispatch_size em predication predicate_elements predicate_value dst_variable overlap
        address_variable address_element indirect_offset immediate immediate_upper_bits bystanders region_rule
        encoding_rule
}

/// Where those of an operand lie.
#[derive(Clone, Copy)]
pub(super) struct OperandAt {
    pub class: usize,
    /// The stride of a destination; the shape of a source's region, vertical stride, width and horizontal stride.
    pub region: usize,
    /// Row, column, extent and place.
    pub row: usize,
}

impl OperandAt {
    const fn among<F: Form>() -> [Self; MOST_OPERANDS] {
        let mut all = [OperandAt { class: 0, region: 0, row: 0 }; MOST_OPERANDS];
        let mut index = 0;
        while index < F::NAMES.len() {
            let Names { own: [_, class], stride, region: [region, ..], place: [row, ..], .. } = &F::NAMES[index];
            let [class, row] = [crate::place(F::ORTHOGONAL, class), crate::place(F::ORTHOGONAL, row)];
            all[index] =
                OperandAt { class, region: crate::place(F::ORTHOGONAL, [region, stride][(index == 0) as usize]), row };
            index += 1;
        }
        all
    }
}
