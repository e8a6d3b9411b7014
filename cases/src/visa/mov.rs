//! Cases of `MOV`: its operands and its map of types, what its pages leave open, and plain cases.
//!
//! Which modes can matter to which pair of types is decided here for counting cells; what they do is written in the reference
//! and in the SIMD side, from the pages.

use super::form::saturation;
use super::values::WHOLE;
use super::*;

/// Its table of operands.
pub(super) struct Mov;

const DST: Vector = Vector::destination(operands::DST);
pub(super) const SRC0: Vector = Vector::source(operands::SRC0, SRC0_CONST, SRC0_PREDICATE);

impl Slots for Mov {
    type Operand = Vector;
    const OPERANDS: &'static [Vector] = &[DST, SRC0];
    const NAMES: &'static [Names] = &[names!("dst", "Dst"), names!("src", "Src0")];

    fn put_touched(parts: &mut Parts<'_>, operand: &Vector, value: u32) {
        put_touched(parts, Self::OPERANDS, operand, value);
    }
}

impl Form for Mov {
    const MODIFIERS: &'static [&'static str] = &["source_modifier"];
    const CLASSES: &'static [&'static str] = CELL_CLASSES;

    fn class(levels: &Levels) -> &'static str {
        cell_class(levels)
    }

    fn matters(dst: DataType, sources: &[DataType], is_plain: bool) -> Matters {
        let path = path(dst, sources[0]);
        let rounding = match path {
            Path::NoSuchPair => return Matters::NOTHING,
            Path::FloatNarrower | Path::FloatToInteger => RoundingLevels::Four,
            Path::IntegerToFloat | Path::FToBf => RoundingLevels::NearestOrNot,
            _ => RoundingLevels::Any,
        };
        let of_src = matches!(path, Path::FloatNarrower | Path::FloatWider | Path::FloatToInteger)
            || path == Path::FloatSame && !is_plain;
        Matters { operands: true, rounding, denormals: [path == Path::FloatNarrower, of_src] }
    }
}

/// The cells.
static CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(Mov::PATH, has_cell::<Mov>));

/// The axes of which recorded cases have every level.
const ALWAYS: &[&str] =
    &["exec_size", "predicate_value", "grf_size", "src_region", "src_vert_stride", "src_width", "src_horz_stride"];

const FORM: Instruction = instruction::<Mov>(&inst::mov::MOV, |_| &CELLS);

/// The instruction.
pub static MOV: Instruction = Instruction {
    finish,
    contested,
    contested_data: ContestedData { row: contested_row, ..ContestedData::NOTHING },
    // Eight elements, one after the other, apart from the destination; the strides come of that.
    plain: &["exec_size=8", "src_region=contiguous", "src_place=last"],
    recording: Recording { always: ALWAYS, ..FORM.recording },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, levels| exhaust(levels),
    ..FORM
};

// ------------------------------------------------------------------------------------------------ types

macro_rules! paths {
    ($($plain:literal)*; $($path:ident $name:literal)*) => {
        /// The way from source to destination that a pair of types takes, for labels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Path { $($path,)* Predicate, NoSuchPair }

        /// The cell classes: what has no path, and the paths, each without and with saturation.
        const CELL_CLASSES: &[&str] = &[$($plain,)* $($name, concat!($name, ", saturated"),)*];
    };
}

paths! {
    "no such pair of types" "predicate to integer" "raw copy" "packed vector";
    IntegerSame "integer, same width"
    IntegerWider "integer to wider"
    IntegerNarrower "integer to narrower"
    IntegerToFloat "integer to float"
    FloatToInteger "float to integer"
    FloatNarrower "float to narrower"
    FloatWider "float to wider"
    FloatSame "float, same type"
    FToBf "F to BF"
    BfToF "BF to F"
    BfSame "BF to BF"
}

fn path(dst: DataType, src: DataType) -> Path {
    use DataType::{Bf, F, Ub, Ud, Uw};
    use TypeKind::{Bool, Float, Packed};
    // Wider, as wide, narrower.
    let by_width = |paths: [Path; 3]| paths[(1 + src.bits().cmp(&dst.bits()) as i32) as usize];
    match (dst.kind(), src.kind()) {
        (_, Bool) if matches!(dst, Ub | Uw | Ud) => Path::Predicate,
        (Bool | Packed, _) | (_, Bool | Packed) => Path::NoSuchPair,
        _ if dst == Bf && src == Bf => Path::BfSame,
        _ if dst == Bf && src == F => Path::FToBf,
        _ if dst == F && src == Bf => Path::BfToF,
        _ if dst == Bf || src == Bf => Path::NoSuchPair,
        (Float, Float) => by_width([Path::FloatWider, Path::FloatSame, Path::FloatNarrower]),
        (Float, _) => Path::IntegerToFloat,
        (_, Float) => Path::FloatToInteger,
        _ => by_width([Path::IntegerWider, Path::IntegerSame, Path::IntegerNarrower]),
    }
}

/// The types of destination and source of a cell; for `packed`, one of the three.
fn types_of(levels: &Levels) -> [DataType; 2] {
    [levels[0], levels[1]].map(|level| level_type(level.into()))
}

/// The class of a cell.
fn cell_class(levels: &Levels) -> &'static str {
    let ([dst, src], saturation, modifier) = (types_of(levels), levels[2], levels[3]);
    let is_packed = |data_type: DataType| data_type.kind() == TypeKind::Packed;
    let place = match path(dst, src) {
        // An immediate may be one, for a destination that a word, or an F, can be moved to.
        Path::NoSuchPair if is_packed(src) && !is_packed(dst) && dst != DataType::Bool => 3,
        Path::NoSuchPair => 0,
        Path::Predicate => 1,
        _ if dst == src && saturation == 1 && modifier == 1 => 2,
        path => 4 + 2 * path as usize + usize::from(saturation == 2),
    };
    CELL_CLASSES[place]
}

// ------------------------------------------------------------------------------------------------ what is contested

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
fn contested(parts: &Parts<'_>) -> Option<&'static str> {
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
fn contested_row(parts: &Parts<'_>, which: usize, row: usize, words: &[u32]) -> Option<ContestedDatum> {
    if which != bank::GRF || !SRC0.has_region(parts) {
        return None;
    }
    let size = SRC0.data_type(parts).bytes();
    let start = row * ROW_BYTES;
    let in_row = |place: usize| (start..start + ROW_BYTES).contains(&place).then(|| place - start);
    SRC0.places(parts)?.into_iter().filter_map(in_row).find_map(|place| {
        // Of an element that is not aligned, as no promised case has it, what lies beyond two words or the row is left out.
        let columns = place / WORD_BYTES..(place + size).div_ceil(WORD_BYTES).min(words.len());
        let bits = columns.clone().take(2).rev().fold(0, |bits, column| bits << 32 | u64::from(words[column]));
        let value = bits >> (8 * (place % WORD_BYTES)) & (u64::MAX >> (64 - 8 * size));
        contested_value(parts, value).map(|why| ContestedDatum { columns, why })
    })
}

// ------------------------------------------------------------------------------------------------ speed

/// Channels of a plain case: as many as fit, of the larger of both types, in two registers of 64 bytes.
fn most_channels(dst: DataType, src: DataType) -> usize {
    (2 * GRF_SIZES[1] / dst.bytes().max(src.bytes())).min(32)
}

/// Ends a case as a plain one: contiguous general operands that share no byte, at the beginning of registers of 64
/// bytes, all channels enabled, no predication. Types, saturation, source modifier, control register and platform stay,
/// and so does a predicate operand.
pub fn plain_case(parts: &mut Parts<'_>, noise: &mut Noise) {
    let [dst, src] = [DST, SRC0].map(|operand| operand.data_type(parts));
    let is_predicate = SRC0.fields.class.get(parts.code) == class::PREDICATE;
    let channels = if is_predicate { 1 } else { most_channels(dst, src) };
    let width = channels.min(16);
    let modifiers = [DST, SRC0].map(|operand| (operand.fields.modifiers, operand.fields.modifiers.get(parts.code)));
    parts.code.copy_from_slice(MOV.base_code);
    EXEC_SIZE.set(parts.code, channels.trailing_zeros());
    modifiers.into_iter().for_each(|(field, value)| field.set(parts.code, value));
    if is_predicate {
        SRC0.fields.class.set(parts.code, class::PREDICATE);
        SRC0.strides().into_iter().chain([&SRC0.fields.id]).for_each(|field| field.set(parts.code, 0));
        SRC0_PREDICATE.id.set(parts.code, 1);
    } else {
        SRC0.set_region(parts.code, [width, width, 1]);
    }
    let state = small(parts);
    (state.em, state.dispatch_size, state.grf_size) = (u32::MAX, 2, 1);
    state.predicates[0].log2_num_elements = dst.bits().max(8).trailing_zeros().min(5);
    // Each operand has a half of the file.
    let half = noise.below(2);
    for (index, (data_type, half)) in [(dst, half), (src, 1 - half)].into_iter().enumerate() {
        let register = half * 64 + noise.below(63);
        state.variables[index] = declared(data_type, channels, register * GRF_SIZES[1]);
    }
}

/// Sources of at most 32 bits, in as many channels as a plain case has.
fn exhaust(levels: &Levels) -> Option<Exhaust> {
    let [dst, src] = types_of(levels);
    let datum_bytes = src.bytes();
    let is_domain = datum_bytes <= 4 && !matches!(src.kind(), TypeKind::Bool | TypeKind::Packed);
    let data_per_row = most_channels(dst, src).min(ROW_BYTES / datum_bytes);
    let feed = Feed::Rows { bank: bank::GRF, datum_bytes, data_per_row, place: Placement::LOW_BITS };
    is_domain.then_some(Exhaust { bits: src.bits(), feed, set: plain_case })
}

/// Places operands. An integer becomes a float under another rounding mode than to nearest only if the float equals it, so such
/// cases have nothing but such integers, those that sweep too; with one or two elements, one in eight has any.
fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let (dst, src) = (DST.data_type(parts), SRC0.data_type(parts));
    let is_directed = peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3 != 0;
    if is_directed
        && dst.kind() == TypeKind::Float
        && matches!(src.kind(), TypeKind::Unsigned | TypeKind::Signed)
        && (EXEC_SIZE.get(parts.code) > 1 || noise.below(8) != 0)
    {
        let whole = WHOLE.iter().find(|(bits, _)| *bits == src.bits());
        parts.salt.class[bank::GRF] = whole.map_or(parts.salt.class[bank::GRF], |&(_, class)| class);
    }
    vector_place::finish::<Mov>(parts, levels, noise);
}

/// A plain case of two types, without a source modifier, rounded to nearest.
fn bench_case(parts: &mut Parts<'_>, [src, dst]: [DataType; 2], is_saturated: bool, noise: &mut Noise) {
    parts.code.copy_from_slice(MOV.base_code);
    DST.fields.modifiers.set(parts.code, u32::from(is_saturated) << 2);
    let state = small(parts);
    state.platform = XEHP;
    state.cr0 &= !(3 << cr0::ROUNDING_SHIFT);
    (state.variables[0].data_type, state.variables[1].data_type) = (dst.code() as u16, src.code() as u16);
    parts.salt.class[bank::GRF] = value_class::of(src);
    plain_case(parts, noise);
}

macro_rules! bench {
    ($($name:literal $src:ident $dst:ident $sat:literal;)+) => {
        &[$(BenchClass::whole($name, |parts, noise| {
            bench_case(parts, [DataType::$src, DataType::$dst], $sat, noise);
        })),+]
    };
}

/// Named by channels, source and destination.
const BENCH_CLASSES: &[BenchClass] = bench! {
    "x32-f-hf" F Hf false;
    "x32-hf-f" Hf F false;
    "x32-f-bf" F Bf false;
    "x32-f-b-sat" F B true;
    "x32-d-f" D F false;
    "x16-df-f" Df F false;
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::example::with_case;
    use DataType::{Bf, D, Df, F, Hf, Ub};

    /// Asserts which columns of a row, in which some words are not zero, make a move of four elements contested that lie next
    /// to each other from its ninth byte on, in types and with a code of modifiers of the destination.
    fn check(
        what: &str,
        [dst, src]: [DataType; 2],
        modifiers: u32,
        set: &[(usize, u32)],
        columns: Option<Range<usize>>,
    ) {
        let regions = [("Src0.vertical_stride", 2), ("Src0.width", 2), ("Src0.horizontal_stride", 1)];
        let types = [("V32.type", dst.code()), ("V33.type", src.code()), ("V33.offset", 2 * ROW_BYTES as u32 + 8)];
        let others = [("Exec_size", 2), ("Dst.modifiers", modifiers), ("Dst.horizontal_stride", 2)];
        let mut words = [0; 8];
        set.iter().for_each(|&(column, word)| words[column] = word);
        with_case(VISA.machine, &MOV, &[regions, types, others].concat(), |parts| {
            assert_eq!(contested_row(parts, bank::GRF, 1, &words), None, "another row");
            let found = contested_row(parts, bank::GRF, 2, &words).map(|datum| datum.columns);
            assert_eq!(found, columns, "{what}");
        });
    }

    #[test]
    fn a_nan_that_is_read_and_converted_makes_a_move_contested() {
        let nan = [(5, 0xff80_0001)];
        check("a NaN", [Hf, F], 0, &nan, Some(5..6));
        check("a NaN", [Bf, F], 0, &nan, Some(5..6));
        check("bits are copied", [F, F], 0, &nan, None);
        check("it becomes 0", [D, F], 0, &nan, None);
        check("an infinity", [Hf, F], 0, &[(5, 0xff80_0000)], None);
        check("before the first element", [Hf, F], 0, &[(1, 0x7fc0_0000)], None);
        check("after the last element", [Hf, F], 0, &[(6, 0x7fc0_0000)], None);
        check("two elements lie in a word", [F, Hf], 0, &[(3, 0x7e01_0000)], Some(3..4));
        check("after the last element", [F, Hf], 0, &[(4, 0x0000_7e01)], None);
        check("an infinity", [F, Df], 0, &[(5, 0x7ff0_0000)], None);
        check("one element lies in two words", [F, Df], 0, &[(4, 1), (5, 0x7ff0_0000)], Some(4..6));
    }

    #[test]
    fn a_negative_zero_that_saturates_makes_a_move_contested() {
        let zeros: Vec<_> = (0..8).map(|column| (column, 0x8000_0000)).collect();
        check("it saturates", [F, F], 4, &zeros, Some(2..3));
        check("it does not", [Hf, F], 0, &zeros, None);
        check("it becomes an integer", [Ub, F], 4, &zeros, None);
    }

    #[test]
    fn some_three_thousand_cells_fit_in_a_case_id() {
        assert_eq!(CELLS.len(), 3034);
    }
}
