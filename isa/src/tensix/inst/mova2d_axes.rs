//! The axes of `MOVA2D`: what modes a case can have, and how it is given them.
//!
//! The functions here name, impose and read modes for the harness: labels of paths, and which AddrMod section a case
//! selects. No implementation calls them, and whoever writes one need not read this file.

use std::sync::LazyLock;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, SET_BASE};
use super::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, UNNAMED_BITS, USE_DST32B_LO};
use super::parts::{
    MATH_OFFSET, OFF_ON, REGW_BASE, ROW_LEVELS, RWC_DST, STATE_ID, THREAD, VALIDITY, axis, fresh_counters, get_config,
    get_thread_config, narrow, peek, row_level, row_value, rwc, rwc_mut, set_config, set_thread_config, small,
};
use crate::tensix::{Chip, MATRIX_UNIT, UNPACKERS, bank, config, format, value_class};
use crate::{Axis, BenchClass, CellSpace, CodeField, Edition, Format, Levels, Noise, Parts};

const fn config_axis(
    name: &'static str,
    set: fn(&mut Parts<'_>, usize, &mut Noise),
    get: fn(&Parts<'_>) -> usize,
) -> Axis {
    Axis { name, levels: OFF_ON, weights: &[], set, get }
}

const OVERRIDE: Axis = config_axis(
    "ALU_FORMAT_SPEC_REG_SrcA_override",
    |parts, level, _| set_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override, level),
    |parts| get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override),
);

const SRC_A_FMT: Axis = Axis {
    name: "SrcAFmt",
    levels: &format::CODE_NAMES,
    weights: &[],
    set: |parts, level, noise| {
        // The register that the override does not select holds another code, or now and then the same one.
        let other = if noise.below(4) == 0 { level } else { noise.below(16) };
        let overridden = get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0;
        let (val, reg0) = if overridden { (level, other) } else { (other, level) };
        set_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_val, val);
        set_config(parts, config::ALU_FORMAT_SPEC_REG0_SrcA, reg0);
        // Mostly data of the format's own kind, and now and then of another.
        use value_class::{SRC_EXP5, SRC_EXP8, SRC_OPAQUE};
        let own = [
            SRC_EXP8, SRC_EXP5, SRC_EXP5, SRC_EXP5, SRC_EXP8, SRC_EXP8, SRC_EXP8, SRC_EXP8, SRC_OPAQUE, SRC_OPAQUE,
            SRC_EXP5, SRC_EXP5, SRC_EXP5, SRC_EXP5, SRC_EXP5, SRC_EXP8,
        ][level];
        parts.salt.class[bank::SRCA] = [SRC_OPAQUE, SRC_EXP5, SRC_EXP8, own, own, own, own, own][noise.below(8)];
    },
    get: |parts| {
        if get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0 {
            get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_val)
        } else {
            get_config(parts, config::ALU_FORMAT_SPEC_REG0_SrcA)
        }
    },
};

const FORCE: Axis = config_axis(
    "FP16A_FORCE_Enable",
    |parts, level, _| set_thread_config(parts, config::FP16A_FORCE_Enable, level),
    |parts| get_thread_config(parts, config::FP16A_FORCE_Enable),
);

const ZERO_FLAG_DISABLED: Axis = config_axis(
    "ALU_ACC_CTRL_Zero_Flag_disabled_src",
    |parts, level, _| set_config(parts, config::ALU_ACC_CTRL_Zero_Flag_disabled_src, level),
    |parts| get_config(parts, config::ALU_ACC_CTRL_Zero_Flag_disabled_src),
);

const FP32_ENABLED: Axis = config_axis(
    "ALU_ACC_CTRL_Fp32_enabled",
    |parts, level, _| set_config(parts, config::ALU_ACC_CTRL_Fp32_enabled, level),
    |parts| get_config(parts, config::ALU_ACC_CTRL_Fp32_enabled),
);

const INT8_MATH_ENABLED: Axis = config_axis(
    "ALU_ACC_CTRL_INT8_math_enabled",
    |parts, level, _| set_config(parts, config::ALU_ACC_CTRL_INT8_math_enabled, level),
    |parts| get_config(parts, config::ALU_ACC_CTRL_INT8_math_enabled),
);

const LO: Axis = config_axis(
    "UseDst32bLo",
    |parts, level, _| USE_DST32B_LO.set(parts.code, narrow(level)),
    |parts| USE_DST32B_LO.get(parts.code) as usize,
);

const ROWS: Axis = config_axis(
    "Move8Rows",
    |parts, level, _| MOVE8_ROWS.set(parts.code, narrow(level)),
    |parts| MOVE8_ROWS.get(parts.code) as usize,
);

const SPEC_AXES: &[Axis] = &[OVERRIDE, SRC_A_FMT, FORCE, ZERO_FLAG_DISABLED, LO, ROWS];
const NEWEST_AXES: &[Axis] =
    &[OVERRIDE, SRC_A_FMT, FORCE, ZERO_FLAG_DISABLED, LO, ROWS, FP32_ENABLED, INT8_MATH_ENABLED];

static SPEC_CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(SPEC_AXES, |_| true));
static NEWEST_CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(NEWEST_AXES, |_| true));

pub(super) fn cells(edition: Edition) -> &'static CellSpace {
    match edition {
        Edition::Spec => &SPEC_CELLS,
        Edition::Newest => &NEWEST_CELLS,
    }
}

/// Whether data of a format have an exponent of eight bits.
pub(super) const fn is_eight_bit_format(fmt: u32) -> bool {
    use format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
    matches!(fmt, FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16)
}

/// What a case's modes select, for labels.
struct Modes {
    fmt: u32,
    force: bool,
    lo: bool,
    rows8: bool,
    fp32_or_int8: bool,
}

impl Modes {
    fn of_levels(levels: &Levels) -> Self {
        let on = |axis: usize| levels[axis] != 0;
        // Levels 6 and 7 stay 0 in the edition that lacks these axes.
        Modes { fmt: u32::from(levels[1]), force: on(2), lo: on(4), rows8: on(5), fp32_or_int8: on(6) || on(7) }
    }

    fn of_parts(edition: Edition, parts: &Parts<'_>) -> Self {
        Self::of_levels(&cells(edition).classify_levels(parts))
    }

    fn five_bit(&self) -> bool {
        self.force || !(is_eight_bit_format(self.fmt) || self.fp32_or_int8)
    }

    fn writes_32_bits(&self, edition: Edition) -> bool {
        self.fmt == format::TF32 && !(edition == Edition::Newest && self.force)
    }
}

pub(super) const CELL_CLASSES: &[&str] = &[
    "8-bit exponent, 16-bit write, 1 row",
    "8-bit exponent, 16-bit write, 8 rows",
    "8-bit exponent, Lo write, 1 row",
    "8-bit exponent, Lo write, 8 rows",
    "8-bit exponent, TF32 write, 1 row",
    "8-bit exponent, TF32 write, 8 rows",
    "5-bit exponent, 16-bit write, 1 row",
    "5-bit exponent, 16-bit write, 8 rows",
    "5-bit exponent, Lo write, 1 row",
    "5-bit exponent, Lo write, 8 rows",
    "5-bit exponent, TF32 write, 1 row",
    "5-bit exponent, TF32 write, 8 rows",
];

pub(super) fn cell_class(edition: Edition, levels: &Levels) -> &'static str {
    let modes = Modes::of_levels(levels);
    let write = if modes.writes_32_bits(edition) { 2 } else { usize::from(modes.lo) };
    CELL_CLASSES[usize::from(modes.five_bit()) * 6 + write * 2 + usize::from(modes.rows8)]
}

/// All words of a bank are read alike.
pub(super) fn format_of(
    edition: Edition,
    parts: &Parts<'_>,
    which: usize,
    _: Option<(usize, usize)>,
) -> Option<&'static Format> {
    let modes = Modes::of_parts(edition, parts);
    match which {
        bank::SRCA => Some(match modes.fmt {
            format::INT16 if !modes.five_bit() => &format::SRC_INT16,
            format::INT8 if modes.five_bit() => &format::SRC_INT8,
            format::TF32 if !modes.five_bit() => &format::SRC_TF32,
            _ if modes.five_bit() => &format::SRC_FP16,
            _ => &format::SRC_BF16,
        }),
        bank::DST if modes.writes_32_bits(edition) || modes.lo => Some(&format::DST_BITS),
        bank::DST => Some(if modes.five_bit() { &format::DST_FP16 } else { &format::DST_BF16 }),
        _ => None,
    }
}

pub(super) fn contested(parts: &Parts<'_>) -> Option<&'static str> {
    let modes = Modes::of_parts(Edition::Newest, parts);
    let wide = modes.writes_32_bits(Edition::Newest) || modes.lo;
    (wide != modes.fp32_or_int8).then_some(
        "the newest MOVB2D page (commit 1ae1f852) calls a move undefined when (32-bit write or UseDst32bLo) differs \
         from (Fp32_enabled or INT8_math_enabled), because row validity is then updated at the wrong address; the \
         MOVA2D page does not say so",
    )
}

// ------------------------------------------------------------------------------------------------ orthogonal axes

/// The columns that `BLOCK_DEST_MOV` leaves out, bit = column.
pub(super) fn block_dest_mov(parts: &Parts<'_>) -> u32 {
    let lanes = &peek(parts).lane_config;
    lanes.iter().enumerate().fold(0, |mask, (lane, word)| mask | ((word >> 9) & 3) << (2 * lane))
}

pub(super) fn set_block_dest_mov(parts: &mut Parts<'_>, mask: u32) {
    for (lane, word) in small(parts).lane_config.iter_mut().enumerate() {
        *word = (*word & !(3 << 9)) | ((mask >> (2 * lane)) & 3) << 9;
    }
}

const SRCA_BANK: Axis = axis!(
    "srca_bank",
    OFF_ON,
    &[],
    |parts, level, _| small(parts).matrix_unit_srca_bank = narrow(level),
    |parts| peek(parts).matrix_unit_srca_bank as usize
);
const OWNER: Axis = axis!(
    "owner",
    &["MatrixUnit", "Unpackers"],
    &[15, 1],
    |parts, level, _| {
        let small = small(parts);
        let bank = small.matrix_unit_srca_bank as usize;
        small.srca_allowed_client[bank] = [MATRIX_UNIT, UNPACKERS][level];
    },
    |parts| {
        let small = peek(parts);
        usize::from(small.srca_allowed_client[small.matrix_unit_srca_bank as usize] != MATRIX_UNIT)
    }
);
const OTHER_OWNER: Axis = axis!(
    "other_bank_owner",
    &["MatrixUnit", "Unpackers"],
    &[],
    |parts, level, _| {
        let small = small(parts);
        let bank = 1 - small.matrix_unit_srca_bank as usize;
        small.srca_allowed_client[bank] = [MATRIX_UNIT, UNPACKERS][level];
    },
    |parts| {
        let small = peek(parts);
        usize::from(small.srca_allowed_client[1 - small.matrix_unit_srca_bank as usize] != MATRIX_UNIT)
    }
);
const DST_ROW_AXIS: Axis = axis!(
    "dst_row",
    ROW_LEVELS,
    &[],
    |parts, level, noise| DST_ROW.set(parts.code, row_value(level, 10, noise)),
    |parts| row_level(DST_ROW.get(parts.code), 10)
);
const SRC_ROW_AXIS: Axis = axis!(
    "src_row",
    ROW_LEVELS,
    &[],
    |parts, level, noise| SRC_ROW.set(parts.code, row_value(level, 6, noise)),
    |parts| row_level(SRC_ROW.get(parts.code), 6)
);
const RWC_SRCA: Axis = axis!(
    "rwc_srca",
    ROW_LEVELS,
    &[],
    |parts, level, noise| rwc_mut(parts).srca = row_value(level, 6, noise),
    |parts| row_level(rwc(parts).srca, 6)
);
const BLOCK_DEST_MOV: Axis = axis!(
    "block_dest_mov",
    &["none", "all", "one", "all but one", "even", "odd", "any"],
    &[8, 1, 1, 1, 1, 1, 3],
    |parts, level, noise| {
        let one = 1 << noise.below(16);
        let any = noise.bits(16);
        let mask = [0, 0xffff, one, 0xffff ^ one, 0x5555, 0xaaaa, any][level];
        set_block_dest_mov(parts, mask);
    },
    |parts| match block_dest_mov(parts) {
        0 => 0,
        0xffff => 1,
        0x5555 => 4,
        0xaaaa => 5,
        mask if mask.count_ones() == 1 => 2,
        mask if mask.count_ones() == 15 => 3,
        _ => 6,
    }
);
const UNNAMED: Axis = axis!(
    "unnamed_bits",
    &["zero", "non-zero"],
    &[63, 1],
    |parts, level, noise| {
        let bits = UNNAMED_BITS & (noise.bits(16) | 1 << (10 + noise.below(3)));
        parts.code[0] = (parts.code[0] & !UNNAMED_BITS) | if level == 1 { bits } else { 0 };
    },
    |parts| usize::from(parts.code[0] & UNNAMED_BITS != 0)
);

/// Where `MOVA2D` has its AddrMod.
pub(super) struct Form;

impl AddrModField for Form {
    const FIELD: CodeField = ADDR_MOD;
    const CHIP: Chip = Chip::Wormhole;
}

pub(super) type AddrMod = AddrModAxes<Form>;

const ORTHOGONAL: [Axis; 23] = [
    THREAD,
    STATE_ID,
    SRCA_BANK,
    OWNER,
    OTHER_OWNER,
    DST_ROW_AXIS,
    MATH_OFFSET,
    RWC_DST,
    REGW_BASE,
    SRC_ROW_AXIS,
    RWC_SRCA,
    BLOCK_DEST_MOV,
    VALIDITY,
    AddrMod::SECTION,
    EXTRA,
    SET_BASE,
    AddrMod::SRCA_CONTROL,
    AddrMod::SRCB_CONTROL,
    AddrMod::DST_CONTROL,
    AddrMod::FIDELITY,
    AddrMod::BIAS,
    AddrMod::INCREMENTS,
    UNNAMED,
];

/// In `spec` these two fields are read by nothing: non-interference axes.
static SPEC_ORTHOGONAL: [Axis; 25] = {
    let mut axes = [THREAD; 25];
    let mut index = 0;
    while index < ORTHOGONAL.len() {
        axes[index] = ORTHOGONAL[index];
        index += 1;
    }
    axes[23] = FP32_ENABLED;
    axes[24] = INT8_MATH_ENABLED;
    axes
};
static NEWEST_ORTHOGONAL: [Axis; 23] = ORTHOGONAL;

pub(super) fn orthogonal(edition: Edition) -> &'static [Axis] {
    match edition {
        Edition::Spec => &SPEC_ORTHOGONAL,
        Edition::Newest => &NEWEST_ORTHOGONAL,
    }
}

pub(super) fn prepare(parts: &mut Parts<'_>, noise: &mut Noise) {
    parts.salt.class[bank::DST] = value_class::DST;
    parts.salt.class[bank::SRCB] = value_class::SRC_EXP8;
    parts.salt.class[bank::LREG] = value_class::BITS32;
    fresh_counters(parts, noise);
}

/// Gate open, no column blocked, no unnamed bit.
pub(super) fn open_gate(parts: &mut Parts<'_>, noise: &mut Noise) {
    for axis in [OWNER, BLOCK_DEST_MOV, UNNAMED] {
        (axis.set)(parts, 0, noise);
    }
}

/// Eight or one row of one format: gate open, no column blocked, no unnamed bit; flushing as drawn.
fn bench_case(parts: &mut Parts<'_>, fmt: u32, rows: usize, noise: &mut Noise) {
    open_gate(parts, noise);
    for axis in [OVERRIDE, FORCE, LO, FP32_ENABLED, INT8_MATH_ENABLED] {
        (axis.set)(parts, 0, noise);
    }
    (SRC_A_FMT.set)(parts, fmt as usize, noise);
    (ROWS.set)(parts, rows, noise);
}

pub(super) const BENCH_CLASSES: &[BenchClass] = &[
    BenchClass {
        name: "8rows-bf16",
        edition: Edition::Newest,
        set: |parts, noise| bench_case(parts, format::BF16, 1, noise),
        is_whole: false,
    },
    BenchClass {
        name: "8rows-fp16",
        edition: Edition::Newest,
        set: |parts, noise| bench_case(parts, format::FP16, 1, noise),
        is_whole: false,
    },
    BenchClass {
        name: "8rows-tf32",
        edition: Edition::Newest,
        set: |parts, noise| bench_case(parts, format::TF32, 1, noise),
        is_whole: false,
    },
    BenchClass {
        name: "1row-bf16",
        edition: Edition::Newest,
        set: |parts, noise| bench_case(parts, format::BF16, 0, noise),
        is_whole: false,
    },
];
