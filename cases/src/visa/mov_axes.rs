//! The data-path axes of `MOV` and the cells that they span, for labels and for the generator.
//!
//! Which modes can matter to which pair of types is decided here for counting
//! cells; what they do is written in the reference and in the SIMD side, from the pages.
//!
//! An axis that cannot matter to a pair has the one level `any` there: whatever its field holds is read back as `any`,
//! and a case that is given `any` draws the field.

use std::sync::LazyLock;

use super::value_class;

pub(super) use super::case::{entry, narrow, peek, small};
use tandem_isa::visa::operand::{DST, SRC0, SRC0_CONST, class};
use tandem_isa::visa::{DataType, FIRST_GENERAL, NUM_GENERAL, PRE_XEHP, TypeKind, XEHP, bank, cr0};
use tandem_isa::{Axis, CellSpace, Levels, Noise, Parts};

// ------------------------------------------------------------------------------------------------ types of operands

/// The type of the destination: of its variable, or as the operand says. A predicate variable is `BOOL`.
#[inline(always)]
pub(super) fn dst_type(parts: &Parts<'_>) -> DataType {
    match DST.class.get(parts.code) {
        class::PREDICATE => DataType::Bool,
        class::INDIRECT => DataType::of_code(DST.data_type.get(parts.code)),
        _ => DataType::of_code(peek(parts).variables[entry(DST.id.get(parts.code))].data_type.into()),
    }
}

/// The type of the source: of its variable, or as the operand says. A predicate variable is `BOOL`.
#[inline(always)]
pub(super) fn src_type(parts: &Parts<'_>) -> DataType {
    match SRC0.class.get(parts.code) {
        class::PREDICATE => DataType::Bool,
        class::INDIRECT => DataType::of_code(SRC0.data_type.get(parts.code)),
        class::IMMEDIATE => DataType::of_code(SRC0_CONST.data_type.get(parts.code)),
        _ => DataType::of_code(peek(parts).variables[entry(SRC0.id.get(parts.code))].data_type.into()),
    }
}

pub(super) fn assign_dst_type(parts: &mut Parts<'_>, data_type: DataType) {
    match DST.class.get(parts.code) {
        class::INDIRECT => DST.data_type.set(parts.code, data_type.code()),
        class::PREDICATE => {
            DST.class.set(parts.code, class::GENERAL);
            assign_dst_type(parts, data_type);
        }
        _ => {
            let index = entry(DST.id.get(parts.code));
            small(parts).variables[index].data_type = data_type.code() as u16;
        }
    }
}

/// Gives the source a type where its class keeps it; two operands that name variables name different ones.
pub(super) fn assign_src_type(parts: &mut Parts<'_>, data_type: DataType, noise: &mut Noise) {
    match SRC0.class.get(parts.code) {
        class::INDIRECT => SRC0.data_type.set(parts.code, data_type.code()),
        class::IMMEDIATE => SRC0_CONST.data_type.set(parts.code, data_type.code()),
        class::PREDICATE => {
            SRC0.class.set(parts.code, class::GENERAL);
            assign_src_type(parts, data_type, noise);
        }
        _ => {
            let mut index = entry(SRC0.id.get(parts.code));
            let has_own_type = matches!(DST.class.get(parts.code), class::PREDICATE | class::INDIRECT);
            if !has_own_type && entry(DST.id.get(parts.code)) == index {
                index = (index + 1 + noise.below(NUM_GENERAL - 1)) % NUM_GENERAL;
                SRC0.id.set(parts.code, FIRST_GENERAL + narrow(index));
            }
            small(parts).variables[index].data_type = data_type.code() as u16;
        }
    }
}

/// The types of the page, in the order of the levels of the type axes.
const TYPES: [DataType; 12] = [
    DataType::Ub,
    DataType::B,
    DataType::Uw,
    DataType::W,
    DataType::Ud,
    DataType::D,
    DataType::Uq,
    DataType::Q,
    DataType::Hf,
    DataType::F,
    DataType::Df,
    DataType::Bf,
];
const TYPE_LEVELS: &[&str] = &["UB", "B", "UW", "W", "UD", "D", "UQ", "Q", "HF", "F", "DF", "BF", "BOOL", "packed"];
const BOOL_LEVEL: usize = 12;
const PACKED_LEVEL: usize = 13;
const PACKED: [DataType; 3] = [DataType::V, DataType::Vf, DataType::Uv];

pub(super) const fn type_level(data_type: DataType) -> usize {
    [4, 5, 2, 3, 0, 1, 10, 9, 13, 13, 12, 6, 13, 7, 8, 11][data_type as usize]
}

/// A type that has a level; for `packed`, one of the three.
const fn level_type(level: usize) -> DataType {
    match level {
        BOOL_LEVEL => DataType::Bool,
        PACKED_LEVEL => DataType::V,
        level => TYPES[level],
    }
}

/// The types of destination and source of a cell; for `packed`, one of the three.
pub(super) fn types_of(levels: &Levels) -> (DataType, DataType) {
    (level_type(levels[0].into()), level_type(levels[1].into()))
}

/// A type that general variables may have.
#[inline(always)]
pub(super) fn any_type(noise: &mut Noise) -> DataType {
    TYPES[noise.below(TYPES.len())]
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

/// Levels of the rounding mode that a case may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundingLevels {
    /// It cannot matter.
    Any,
    /// Each mode counts.
    Four,
    /// Only to-nearest has a result; the others are one level.
    NearestOrNot,
}

/// Which axes can matter to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matters {
    operand: bool,
    pub(super) rounding: RoundingLevels,
    pub(super) denorm_src: bool,
    pub(super) denorm_dst: bool,
    platform: bool,
}

fn matters(dst: DataType, src: DataType, plain: bool, xehp: bool) -> Matters {
    let path = path(dst, src);
    let platform = matches!(path, Path::FToBf | Path::BfToF | Path::BfSame);
    if path == Path::NoSuchPair || (platform && !xehp) {
        let rounding = RoundingLevels::Any;
        return Matters { operand: false, rounding, denorm_src: false, denorm_dst: false, platform };
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
    Matters { operand: true, rounding, denorm_src, denorm_dst: path == Path::FloatNarrower, platform }
}

/// Whether neither saturation nor a source modifier is asked for.
fn is_plain(parts: &Parts<'_>) -> bool {
    !saturates(parts) && SRC0.modifiers.get(parts.code) & 3 == 0
}

fn saturates(parts: &Parts<'_>) -> bool {
    DST.modifiers.get(parts.code) & 4 != 0
}

pub(super) fn matters_to(parts: &Parts<'_>) -> Matters {
    matters(dst_type(parts), src_type(parts), is_plain(parts), peek(parts).platform == XEHP)
}

// ------------------------------------------------------------------------------------------------ the axes

const DST_TYPE: Axis = Axis {
    name: "dst_type",
    levels: TYPE_LEVELS,
    weights: &[],
    set: |parts, level, noise| {
        if level == BOOL_LEVEL && noise.below(4) == 0 {
            DST.class.set(parts.code, class::PREDICATE);
            DST.id.set(parts.code, 1 + noise.bits(2));
        } else {
            let data_type = if level == PACKED_LEVEL { PACKED[noise.below(3)] } else { level_type(level) };
            assign_dst_type(parts, data_type);
        }
    },
    get: |parts| type_level(dst_type(parts)),
};

const SRC_TYPE: Axis = Axis {
    name: "src_type",
    levels: TYPE_LEVELS,
    weights: &[],
    set: |parts, level, noise| {
        let was = SRC0.class.get(parts.code);
        match level {
            // Only a predicate operand can be of type BOOL; now and then another operand says it is.
            BOOL_LEVEL if noise.below(16) < 13 || was == class::PREDICATE => {
                SRC0.class.set(parts.code, class::PREDICATE);
            }
            PACKED_LEVEL => {
                if noise.below(4) != 0 || was == class::PREDICATE {
                    SRC0.class.set(parts.code, class::IMMEDIATE);
                }
                let data_type = PACKED[noise.below(3)];
                assign_src_type(parts, data_type, noise);
            }
            level => assign_src_type(parts, level_type(level), noise),
        }
        parts.salt.class[bank::GRF] = value_class::of(level_type(level));
    },
    get: |parts| type_level(src_type(parts)),
};

const SATURATION: Axis = Axis {
    name: "saturation",
    levels: &["any", "no", "sat"],
    weights: &[],
    set: |parts, level, noise| {
        let on = if level == 0 { noise.bits(1) } else { narrow(level - 1) };
        DST.modifiers.set(parts.code, on << 2);
    },
    get: |parts| if matters_to(parts).operand { 1 + usize::from(saturates(parts)) } else { 0 },
};

const MODIFIER: Axis = Axis {
    name: "source_modifier",
    levels: &["any", "none", "abs", "neg", "neg-abs"],
    weights: &[],
    set: |parts, level, noise| {
        let code = if level == 0 { noise.bits(2) } else { narrow(level - 1) };
        SRC0.modifiers.set(parts.code, code);
    },
    // Codes above 3 are no source modifiers; their low bits are read, so that such a case stays in its cell.
    get: |parts| {
        if matters_to(parts).operand { 1 + (SRC0.modifiers.get(parts.code) & 3) as usize } else { 0 }
    },
};

const ROUNDING_LEVELS: &[&str] = &["any", "RTNE", "RU", "RD", "RTZ", "not RTNE"];
const NOT_NEAREST: usize = 5;

const ROUNDING: Axis = Axis {
    name: "rounding_mode",
    levels: ROUNDING_LEVELS,
    weights: &[],
    set: |parts, level, noise| {
        let mode = match level {
            0 => noise.bits(2),
            NOT_NEAREST => 1 + narrow(noise.below(3)),
            level => narrow(level - 1),
        };
        let small = small(parts);
        small.cr0 = (small.cr0 & !(3 << cr0::ROUNDING_SHIFT)) | mode << cr0::ROUNDING_SHIFT;
    },
    get: |parts| {
        let mode = (peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3) as usize;
        match matters_to(parts).rounding {
            RoundingLevels::Any => 0,
            RoundingLevels::Four => 1 + mode,
            RoundingLevels::NearestOrNot => [1, NOT_NEAREST, NOT_NEAREST, NOT_NEAREST][mode],
        }
    },
};

const DENORM_LEVELS: &[&str] = &["any", "flush", "keep"];

/// The denormal bit of a type; none for types without one.
pub(super) const fn denorm_bit(data_type: DataType) -> u32 {
    match data_type {
        DataType::Hf => cr0::HF_DENORM,
        DataType::F => cr0::F_DENORM,
        DataType::Df => cr0::DF_DENORM,
        _ => 0,
    }
}

fn set_denorm(parts: &mut Parts<'_>, bit: u32, level: usize, noise: &mut Noise) {
    let on = if level == 0 { noise.bits(1) } else { narrow(level - 1) };
    let small = small(parts);
    small.cr0 = (small.cr0 & !bit) | (bit * on);
}

const DENORM_SRC: Axis = Axis {
    name: "denorm_of_src_type",
    levels: DENORM_LEVELS,
    weights: &[],
    set: |parts, level, noise| {
        let bit = denorm_bit(src_type(parts));
        set_denorm(parts, bit, level, noise);
    },
    get: |parts| {
        let on = peek(parts).cr0 & denorm_bit(src_type(parts)) != 0;
        if matters_to(parts).denorm_src { 1 + usize::from(on) } else { 0 }
    },
};

const DENORM_DST: Axis = Axis {
    name: "denorm_of_dst_type",
    levels: DENORM_LEVELS,
    weights: &[],
    set: |parts, level, noise| {
        // A bit that the source's type shares has its level already.
        if dst_type(parts) != src_type(parts) {
            let bit = denorm_bit(dst_type(parts));
            set_denorm(parts, bit, level, noise);
        }
    },
    get: |parts| {
        let on = peek(parts).cr0 & denorm_bit(dst_type(parts)) != 0;
        if matters_to(parts).denorm_dst { 1 + usize::from(on) } else { 0 }
    },
};

const PLATFORM: Axis = Axis {
    name: "platform",
    levels: &["any", "pre-XeHP", "XeHP+"],
    weights: &[],
    set: |parts, level, noise| {
        small(parts).platform = match level {
            0 => [PRE_XEHP, XEHP][noise.below(2)],
            1 => PRE_XEHP,
            _ => XEHP,
        };
    },
    get: |parts| {
        if matters_to(parts).platform { 1 + usize::from(peek(parts).platform == XEHP) } else { 0 }
    },
};

/// The data-path axes. Types come first: the others look at them.
const AXES: &[Axis] = &[DST_TYPE, SRC_TYPE, SATURATION, MODIFIER, ROUNDING, DENORM_SRC, DENORM_DST, PLATFORM];

/// The cells.
pub(super) static CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(AXES, keep));

fn keep(levels: &Levels) -> bool {
    let level = |axis: usize| usize::from(levels[axis]);
    let plain = level(2) < 2 && level(3) < 2;
    let matters = matters(level_type(level(0)), level_type(level(1)), plain, level(7) == 2);
    let rounding = match matters.rounding {
        RoundingLevels::Any => level(4) == 0,
        RoundingLevels::Four => (1..NOT_NEAREST).contains(&level(4)),
        RoundingLevels::NearestOrNot => matches!(level(4), 1 | NOT_NEAREST),
    };
    let told = |axis: usize, matters: bool| (level(axis) != 0) == matters;
    rounding
        && told(2, matters.operand)
        && told(3, matters.operand)
        && told(5, matters.denorm_src)
        && told(6, matters.denorm_dst)
        && told(7, matters.platform)
}

// ------------------------------------------------------------------------------------------------ labels of cells

/// The cell classes: paths, without and with saturation.
pub(super) const CELL_CLASSES: &[&str] = &[
    "no such pair of types",
    "predicate to integer",
    "raw copy",
    "integer, same width",
    "integer, same width, saturated",
    "integer to wider",
    "integer to wider, saturated",
    "integer to narrower",
    "integer to narrower, saturated",
    "integer to float",
    "integer to float, saturated",
    "float to integer",
    "float to integer, saturated",
    "float to narrower",
    "float to narrower, saturated",
    "float to wider",
    "float to wider, saturated",
    "float, same type",
    "float, same type, saturated",
    "F to BF",
    "F to BF, saturated",
    "BF to F",
    "BF to F, saturated",
    "BF to BF",
    "BF to BF, saturated",
];

/// The class of a cell.
pub(super) fn cell_class(levels: &Levels) -> &'static str {
    let level = |axis: usize| usize::from(levels[axis]);
    let (dst, src) = types_of(levels);
    let base = match path(dst, src) {
        Path::NoSuchPair => return CELL_CLASSES[0],
        Path::FToBf | Path::BfToF | Path::BfSame if level(7) == 1 => return CELL_CLASSES[0],
        Path::Predicate => return CELL_CLASSES[1],
        _ if dst == src && level(2) == 1 && level(3) == 1 => return CELL_CLASSES[2],
        Path::IntegerSame => 3,
        Path::IntegerWider => 5,
        Path::IntegerNarrower => 7,
        Path::IntegerToFloat => 9,
        Path::FloatToInteger => 11,
        Path::FloatNarrower => 13,
        Path::FloatWider => 15,
        Path::FloatSame => 17,
        Path::FToBf => 19,
        Path::BfToF => 21,
        Path::BfSame => 23,
    };
    CELL_CLASSES[base + usize::from(level(2) == 2)]
}

/// Whether two readings of the pages differ on a case, and why.
pub(super) fn contested(parts: &Parts<'_>) -> Option<&'static str> {
    let (dst, src) = (dst_type(parts), src_type(parts));
    let keeps = |data_type| peek(parts).cr0 & denorm_bit(data_type) != 0;
    let path = path(dst, src);
    let half = (dst == DataType::Hf || src == DataType::Hf) && keeps(DataType::Hf);
    if half && matches!(path, Path::FloatNarrower | Path::FloatWider) || half && dst == src && !is_plain(parts) {
        return Some(
            "page Data Types (lines 77-78) flushes HF denormals in every mathematical operation; the control register \
             has a bit that keeps them (page Header, lines 437-439)",
        );
    }
    (path == Path::FloatNarrower && keeps(src)).then_some(
        "the table of conversions to narrower floats (page Data Types, lines 202 and 205) makes a zero of every source \
         denormal; the control register has a bit that keeps them, and with it a directed rounding mode may not give \
         zero",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visa::mov::MOV;
    use tandem_isa::visa::Small;
    use tandem_isa::{AlignedBytes, Code, SaltPlan};

    #[test]
    fn some_three_thousand_cells_fit_in_a_case_id() {
        assert!((2500..=4096).contains(&CELLS.len()), "{}", CELLS.len());
        assert_eq!(CELLS.len(), 3037);
        let mut classes: Vec<_> = (0..CELLS.len()).map(|cell| cell_class(CELLS.levels(cell))).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut all = CELL_CLASSES.to_vec();
        all.sort_unstable();
        assert_eq!(classes, all);
    }

    #[test]
    fn each_level_of_a_type_axis_is_its_type() {
        for level in 0..TYPE_LEVELS.len() {
            assert_eq!(type_level(level_type(level)), level);
        }
        for data_type in DataType::ALL {
            let level = type_level(data_type);
            assert!(level == PACKED_LEVEL || level_type(level) == data_type);
        }
    }

    #[test]
    fn imposing_and_classifying_are_inverse_from_any_state() {
        let mut noise = Noise::new(3);
        for round in 0..6 {
            for cell in 0..CELLS.len() {
                let mut state = AlignedBytes::zeroed(size_of::<Small>());
                let words: Vec<u32> = (0..13).map(|_| if round == 0 { 0 } else { noise.bits(32) }).collect();
                for byte in state.iter_mut().take(if round < 2 { 0 } else { 192 }) {
                    *byte = noise.bits(8) as u8;
                }
                let mut code = if round == 1 { Code::new(MOV.base_code) } else { Code::new(&words) };
                let mut salt = SaltPlan::default();
                let mut parts = Parts { code: &mut code, small: &mut state, salt: &mut salt };
                CELLS.impose(cell, &mut parts, &mut noise);
                assert_eq!(CELLS.classify(&parts), Some(cell), "{}", CELLS.describe(cell));
            }
        }
    }
}
