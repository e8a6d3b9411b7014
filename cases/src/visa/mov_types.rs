//! The map of types of `MOV`, for labels and for the generator, and what its pages leave open.
//!
//! Which modes can matter to which pair of types is decided here for counting cells; what they do is written in the reference
//! and in the SIMD side, from the pages.

use tandem_isa::visa::operand::class;
use tandem_isa::visa::{DataType, ROW_BYTES, TypeKind, bank};
use tandem_isa::{ContestedDatum, Levels, Parts};

use super::case::WORD_BYTES;
use super::form::{Matters, RoundingLevels, is_plain, keeps_denormals, saturation};
use super::mov::{DST, Mov, SRC0};
use super::operand::Operand;
use super::vector_axes::level_type;

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

pub(super) fn matters(dst: DataType, src: DataType, is_plain: bool) -> Matters {
    let path = path(dst, src);
    let rounding = match path {
        Path::NoSuchPair => return Matters::NOTHING,
        Path::FloatNarrower | Path::FloatToInteger => RoundingLevels::Four,
        Path::IntegerToFloat | Path::FToBf => RoundingLevels::NearestOrNot,
        _ => RoundingLevels::Any,
    };
    let of_src = match path {
        Path::FloatNarrower | Path::FloatWider | Path::FloatToInteger => true,
        Path::FloatSame => !is_plain,
        _ => false,
    };
    Matters { operands: true, rounding, denormals: [path == Path::FloatNarrower, of_src] }
}

/// The types of destination and source of a cell; for `packed`, one of the three.
pub(super) fn types_of(levels: &Levels) -> (DataType, DataType) {
    (level_type(levels[0].into()), level_type(levels[1].into()))
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
    let is_raw = dst == src && is_plain::<Mov>(parts);
    if src.kind() != TypeKind::Float || dst.kind() != TypeKind::Float || is_raw {
        return None;
    }
    let exponent = src.format()?.exponent?;
    let sign = 1 << (src.bits() - 1);
    let magnitude = value & (sign - 1);
    let infinity = ((1 << exponent.width) - 1) << exponent.shift;
    let is_saturated = saturation::<Mov>(parts) != 0;
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
    if SRC0.class(parts) == class::IMMEDIATE
        && let Some(why) = contested_value(parts, SRC0.constant(parts))
    {
        return Some(why);
    }
    let path = path(dst, src);
    let half = (dst == DataType::Hf || src == DataType::Hf) && keeps_denormals(parts, DataType::Hf);
    if half && matches!(path, Path::FloatNarrower | Path::FloatWider) || half && dst == src && !is_plain::<Mov>(parts) {
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
    use super::super::mov::{CELLS, MOV};
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
    fn some_three_thousand_cells_fit_in_a_case_id() {
        assert_eq!(CELLS.len(), 3034);
    }
}
