//! The axes of `MOV`, and the cells that those of its data path span, for labels and for the generator.
//!
//! Which modes can matter to which pair of types is decided here for counting cells; what they do is written in the reference
//! and in the SIMD side, from the pages.
//!
//! An axis that cannot matter to a pair has the one level `any` there: whatever its field holds is read back as `any`,
//! and a case that is given `any` draws the field.

use std::sync::LazyLock;

use tandem_isa::lists::{join, total};
use tandem_isa::visa::operand::{self, SRC0_CONST, SRC0_PREDICATE, class};
use tandem_isa::visa::{DataType, ROW_BYTES, TypeKind, bank};
use tandem_isa::{Axis, CellSpace, ContestedDatum, Levels, Parts};

use crate::salt::ROW_SHAPE;

use super::case::{PLATFORM, WORD_BYTES};
use super::channels;
use super::operand::Operand;
use super::vector::Vector;
use super::vector_axes::{
    RULES, address_axes, constant_axes, dst_class, dst_stride, level_type, overlap_axis, place_axes, region_axes,
    src_class, type_axis, variables_axis,
};
use super::vector_path::{
    RoundingLevels, denorm_axis, keeps_denormals, modifier, modifier_axis, rounding_axis, saturation, saturation_axis,
};
use super::vector_place::Form;

// ------------------------------------------------------------------------------------------------ the operands

pub(super) const DST: Vector = Vector::destination(operand::DST);
pub(super) const SRC0: Vector = Vector::source(operand::SRC0, SRC0_CONST, SRC0_PREDICATE);
pub(super) const OPERANDS: &[Vector] = &[DST, SRC0];

const AXES: &[&[Axis]] = &[
    &channels::AXES,
    &[dst_class!(DST), src_class!("src", SRC0), dst_stride!(DST)],
    &region_axes!("src", SRC0),
    &[variables_axis!(OPERANDS)],
    &place_axes!("dst", DST),
    &place_axes!("src", SRC0),
    &[overlap_axis!(DST, SRC0)],
    &address_axes!(OPERANDS),
    &constant_axes!(SRC0, SRC0_CONST),
    &RULES,
    &[PLATFORM, ROW_SHAPE],
];

/// The orthogonal axes, in the order in which they are set.
pub(super) static ORTHOGONAL: [Axis; total(AXES)] = join(AXES[0][0], AXES);

/// How cases are placed.
pub(super) struct Mov;

impl Form for Mov {
    const OPERANDS: &'static [Vector] = OPERANDS;
    const NAMES: &'static [&'static str] = &["dst", "src"];
    const AXES: &'static [Axis] = &ORTHOGONAL;
}

// ------------------------------------------------------------------------------------------------ what can matter

/// The way from source to destination that a pair of types takes, for labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    NoSuchPair,
    Predicate,
    IntegerSame,
    IntegerWider,
    IntegerNarrower,
    IntegerToFloat,
    FloatToInteger,
    FloatNarrower,
    FloatWider,
    FloatSame,
    FToBf,
    BfToF,
    BfSame,
}

fn path(dst: DataType, src: DataType) -> Path {
    use TypeKind::{Bool, Float, Packed, Unsigned};
    match (dst.kind(), src.kind()) {
        (Unsigned, Bool) if matches!(dst, DataType::Ub | DataType::Uw | DataType::Ud) => Path::Predicate,
        (Bool | Packed, _) | (_, Bool | Packed) => Path::NoSuchPair,
        (Float, Float) => match (dst, src) {
            (DataType::Bf, DataType::Bf) => Path::BfSame,
            (DataType::Bf, DataType::F) => Path::FToBf,
            (DataType::F, DataType::Bf) => Path::BfToF,
            (DataType::Bf, _) | (_, DataType::Bf) => Path::NoSuchPair,
            _ if dst.bits() < src.bits() => Path::FloatNarrower,
            _ if dst.bits() > src.bits() => Path::FloatWider,
            _ => Path::FloatSame,
        },
        (Float, _) if dst == DataType::Bf => Path::NoSuchPair,
        (_, Float) if src == DataType::Bf => Path::NoSuchPair,
        (Float, _) => Path::IntegerToFloat,
        (_, Float) => Path::FloatToInteger,
        _ if dst.bits() < src.bits() => Path::IntegerNarrower,
        _ if dst.bits() > src.bits() => Path::IntegerWider,
        _ => Path::IntegerSame,
    }
}

/// Which axes can matter to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matters {
    operand: bool,
    pub(super) rounding: RoundingLevels,
    pub(super) denorm_src: bool,
    pub(super) denorm_dst: bool,
}

fn matters(dst: DataType, src: DataType, plain: bool) -> Matters {
    let path = path(dst, src);
    if path == Path::NoSuchPair {
        let rounding = RoundingLevels::Any;
        return Matters { operand: false, rounding, denorm_src: false, denorm_dst: false };
    }
    let rounding = match path {
        Path::FloatNarrower | Path::FloatToInteger => RoundingLevels::Four,
        Path::IntegerToFloat | Path::FToBf => RoundingLevels::NearestOrNot,
        _ => RoundingLevels::Any,
    };
    let denorm_src = match path {
        Path::FloatNarrower | Path::FloatWider | Path::FloatToInteger => true,
        Path::FloatSame => !plain,
        _ => false,
    };
    Matters { operand: true, rounding, denorm_src, denorm_dst: path == Path::FloatNarrower }
}

/// Whether neither saturation nor a source modifier is asked for.
fn is_plain(parts: &Parts<'_>) -> bool {
    saturation(&DST, parts) == 0 && modifier(&SRC0, parts) == 0
}

pub(super) fn matters_to(parts: &Parts<'_>) -> Matters {
    matters(DST.data_type(parts), SRC0.data_type(parts), is_plain(parts))
}

// ------------------------------------------------------------------------------------------------ the data path

/// The data-path axes. Types come first: the others look at them.
const PATH: &[Axis] = &[
    type_axis!("dst_type", DST, &[]),
    type_axis!("src_type", SRC0, &[DST]),
    saturation_axis!(DST, |parts| matters_to(parts).operand),
    modifier_axis!("source_modifier", SRC0, |parts| matters_to(parts).operand),
    rounding_axis!(|parts| matters_to(parts).rounding),
    denorm_axis!("denorm_of_src_type", SRC0, &[], |parts| matters_to(parts).denorm_src),
    denorm_axis!("denorm_of_dst_type", DST, &[SRC0], |parts| matters_to(parts).denorm_dst),
];

/// The cells.
pub(super) static CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(PATH, keep));

/// The types of destination and source of a cell; for `packed`, one of the three.
pub(super) fn types_of(levels: &Levels) -> (DataType, DataType) {
    (level_type(levels[0].into()), level_type(levels[1].into()))
}

fn keep(levels: &Levels) -> bool {
    let level = |axis: usize| usize::from(levels[axis]);
    let plain = level(2) < 2 && level(3) < 2;
    let (dst, src) = types_of(levels);
    let matters = matters(dst, src, plain);
    let told = |axis: usize, matters: bool| (level(axis) != 0) == matters;
    matters.rounding.has(level(4))
        && told(2, matters.operand)
        && told(3, matters.operand)
        && told(5, matters.denorm_src)
        && told(6, matters.denorm_dst)
}

// ------------------------------------------------------------------------------------------------ labels of cells

macro_rules! classes {
    ($($plain:literal)*; $($path:literal)*) => {
        &[$($plain,)* $($path, concat!($path, ", saturated"),)*]
    };
}

/// The cell classes: what has no path, and the paths in the order of [`Path`], each without and with saturation.
pub(super) const CELL_CLASSES: &[&str] = classes!(
    "no such pair of types" "predicate to integer" "raw copy" "packed vector";
    "integer, same width"
    "integer to wider"
    "integer to narrower"
    "integer to float"
    "float to integer"
    "float to narrower"
    "float to wider"
    "float, same type"
    "F to BF"
    "BF to F"
    "BF to BF"
);

fn is_packed_pair(dst: DataType, src: DataType) -> bool {
    src.kind() == TypeKind::Packed && !matches!(dst.kind(), TypeKind::Bool | TypeKind::Packed)
}

/// The class of a cell.
pub(super) fn cell_class(levels: &Levels) -> &'static str {
    let (dst, src) = types_of(levels);
    let (saturation, modifier) = (levels[2], levels[3]);
    let place = match path(dst, src) {
        // An immediate may be one, for a destination that a word, or an F, can be moved to.
        Path::NoSuchPair if is_packed_pair(dst, src) => 3,
        Path::NoSuchPair => 0,
        Path::Predicate => 1,
        _ if dst == src && saturation == 1 && modifier == 1 => 2,
        path => 4 + 2 * (path as usize - Path::IntegerSame as usize) + usize::from(saturation == 2),
    };
    CELL_CLASSES[place]
}

/// Why the pages leave open what becomes of a float, if they do.
fn contested_value(parts: &Parts<'_>, value: u64) -> Option<&'static str> {
    let (dst, src) = (DST.data_type(parts), SRC0.data_type(parts));
    let is_raw = dst == src && is_plain(parts);
    if src.kind() != TypeKind::Float || dst.kind() != TypeKind::Float || is_raw {
        return None;
    }
    let exponent = src.format()?.exponent?;
    let sign = 1 << (src.bits() - 1);
    let magnitude = value & (sign - 1);
    let infinity = ((1 << exponent.width) - 1) << exponent.shift;
    let is_saturated = saturation(&DST, parts) != 0;
    match (is_saturated, magnitude) {
        (false, magnitude) if magnitude > infinity => Some(
            "the tables of conversions have NaN for a NaN (page Data Types, lines 208 and 227), and no line says what \
             becomes of its sign, its payload and its signalling",
        ),
        (true, 0) if value & sign != 0 => Some(
            "-0 is negative, so it saturates to 0.0, and it lies between 0.0 and 1.0, so it stays (page Data Types, lines \
             237-240)",
        ),
        _ => None,
    }
}

/// Whether two readings of the pages differ on a case, and why.
pub(super) fn contested(parts: &Parts<'_>) -> Option<&'static str> {
    let (dst, src) = (DST.data_type(parts), SRC0.data_type(parts));
    let constant = u64::from(SRC0_CONST.high.get(parts.code)) << 32 | u64::from(SRC0_CONST.low.get(parts.code));
    if SRC0.class(parts) == class::IMMEDIATE
        && let Some(why) = contested_value(parts, constant)
    {
        return Some(why);
    }
    let path = path(dst, src);
    let half = (dst == DataType::Hf || src == DataType::Hf) && keeps_denormals(parts, DataType::Hf);
    if half && matches!(path, Path::FloatNarrower | Path::FloatWider) || half && dst == src && !is_plain(parts) {
        return Some(
            "page Data Types (lines 77-78) flushes HF denormals in every mathematical operation; the control register \
             has a bit that keeps them (page Header, lines 437-439)",
        );
    }
    (path == Path::FloatNarrower && keeps_denormals(parts, src)).then_some(
        "the table of conversions to narrower floats (page Data Types, lines 202 and 205) makes a zero of every source \
         denormal; the control register has a bit that keeps them, and with it a directed rounding mode may not give \
         zero",
    )
}

/// The first element of the source in a row that the pages leave open. One of a disabled channel counts as well.
pub(super) fn contested_row(parts: &Parts<'_>, which: usize, row: usize, words: &[u32]) -> Option<ContestedDatum> {
    if which != bank::GRF || !SRC0.has_region(parts) {
        return None;
    }
    let size = SRC0.data_type(parts).bytes();
    let start = row * ROW_BYTES;
    let in_row = |place: usize| (start..start + ROW_BYTES).contains(&place).then(|| place - start);
    SRC0.places(parts)?.into_iter().filter_map(in_row).find_map(|place| {
        let columns = place / WORD_BYTES..(place + size).div_ceil(WORD_BYTES);
        let high = columns.clone().nth(1).map_or(0, |column| words[column]);
        let word = u64::from(high) << 32 | u64::from(words[columns.start]);
        let value = word >> (8 * (place % WORD_BYTES)) & (u64::MAX >> (64 - 8 * size));
        contested_value(parts, value).map(|why| ContestedDatum { columns, why })
    })
}

#[cfg(test)]
mod tests {
    use super::super::mov::MOV;
    use super::*;
    use crate::quantity::example::with_case;
    use std::ops::Range;
    use tandem_isa::visa::VISA;

    /// The columns of a row of words that make a move of four elements contested that lie next to each other from its
    /// ninth byte on, in types and with a code of modifiers of the destination.
    fn contested_columns(dst: DataType, src: DataType, modifiers: u32, words: &[u32; 8]) -> Option<Range<usize>> {
        let fields = [
            ("Exec_size", 2),
            ("Dst.modifiers", modifiers),
            ("Dst.horizontal_stride", 2),
            ("Src0.vertical_stride", 2),
            ("Src0.width", 2),
            ("Src0.horizontal_stride", 1),
            ("V32.type", dst.code()),
            ("V33.type", src.code()),
            ("V33.offset", 2 * ROW_BYTES as u32 + 8),
        ];
        let mut columns = None;
        with_case(&VISA, &MOV, &fields, |parts| {
            assert_eq!(contested_row(parts, bank::GRF, 1, words), None, "another row");
            columns = contested_row(parts, bank::GRF, 2, words).map(|datum| datum.columns);
        });
        columns
    }

    #[test]
    fn a_nan_that_is_read_and_converted_makes_a_move_contested() {
        use DataType::{Bf, D, Df, F, Hf};
        let with = |column: usize, word: u32| {
            let mut words = [0; 8];
            words[column] = word;
            words
        };
        let nan = with(5, 0xff80_0001);
        assert_eq!(contested_columns(Hf, F, 0, &nan), Some(5..6));
        assert_eq!(contested_columns(Bf, F, 0, &nan), Some(5..6));
        assert_eq!(contested_columns(F, F, 0, &nan), None, "bits are copied");
        assert_eq!(contested_columns(D, F, 0, &nan), None, "it becomes 0");
        assert_eq!(contested_columns(Hf, F, 0, &with(5, 0xff80_0000)), None, "an infinity");
        assert_eq!(contested_columns(Hf, F, 0, &with(1, 0x7fc0_0000)), None, "before the first element");
        assert_eq!(contested_columns(Hf, F, 0, &with(6, 0x7fc0_0000)), None, "after the last element");
        // Two elements lie in a word, and one in two.
        assert_eq!(contested_columns(F, Hf, 0, &with(3, 0x7e01_0000)), Some(3..4));
        assert_eq!(contested_columns(F, Hf, 0, &with(4, 0x0000_7e01)), None, "after the last element");
        let mut wide = with(5, 0x7ff0_0000);
        assert_eq!(contested_columns(F, Df, 0, &wide), None, "an infinity");
        wide[4] = 1;
        assert_eq!(contested_columns(F, Df, 0, &wide), Some(4..6));
    }

    #[test]
    fn a_negative_zero_that_saturates_makes_a_move_contested() {
        let zero = [0x8000_0000; 8];
        assert_eq!(contested_columns(DataType::F, DataType::F, 4, &zero), Some(2..3));
        assert_eq!(contested_columns(DataType::Hf, DataType::F, 0, &zero), None);
        assert_eq!(contested_columns(DataType::Ub, DataType::F, 4, &zero), None);
    }

    #[test]
    fn some_three_thousand_cells_fit_in_a_case_id_and_show_every_class() {
        assert_eq!(CELLS.len(), 3034);
        let mut classes: Vec<_> = (0..CELLS.len()).map(|cell| cell_class(CELLS.levels(cell))).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut all = CELL_CLASSES.to_vec();
        all.sort_unstable();
        assert_eq!(classes, all);
    }
}
