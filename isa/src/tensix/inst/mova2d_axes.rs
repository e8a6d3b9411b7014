//! The axes of `MOVA2D`: what modes a case can have, and how it is given them.
//!
//! The functions here name, impose and read modes for the harness: labels of paths, and which AddrMod section a case
//! selects. No implementation calls them, and whoever writes one need not read this file.

use std::sync::LazyLock;

use super::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, UNNAMED_BITS, USE_DST32B_LO};
use crate::tensix::config::{self, ThreadConfigField};
use crate::tensix::{MATRIX_UNIT, Small, UNPACKERS, bank, format, value_class};
use crate::{Axis, BenchClass, CellSpace, Edition, Format, Levels, Noise, Parts};

/// The small state of a case, typed.
#[inline(always)]
fn small<'a>(parts: &'a mut Parts<'_>) -> &'a mut Small {
    bytemuck::from_bytes_mut(parts.small)
}

#[inline(always)]
fn peek<'a>(parts: &'a Parts<'_>) -> &'a Small {
    bytemuck::from_bytes(parts.small)
}

#[inline(always)]
fn thread_of(small: &Small) -> usize {
    (small.current_thread as usize).min(2)
}

#[inline(always)]
fn state_id_of(small: &Small) -> usize {
    config::CFG_STATE_ID_StateID.get(&small.thread_config[thread_of(small)]) as usize
}

#[inline(always)]
fn set_config(parts: &mut Parts<'_>, field: config::ConfigField, value: usize) {
    let small = small(parts);
    let state_id = state_id_of(small);
    field.set(&mut small.config[state_id], narrow(value));
}

#[inline(always)]
fn get_config(parts: &Parts<'_>, field: config::ConfigField) -> usize {
    let small = peek(parts);
    field.get(&small.config[state_id_of(small)]) as usize
}

#[inline(always)]
fn set_thread_config(parts: &mut Parts<'_>, field: ThreadConfigField, value: usize) {
    let small = small(parts);
    let thread = thread_of(small);
    field.set(&mut small.thread_config[thread], narrow(value));
}

#[inline(always)]
fn get_thread_config(parts: &Parts<'_>, field: ThreadConfigField) -> usize {
    let small = peek(parts);
    field.get(&small.thread_config[thread_of(small)]) as usize
}

#[inline(always)]
fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a level or a field value fits in 32 bits")
}

const OFF_ON: &[&str] = &["0", "1"];

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
        use format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
        let eight_bit_format = matches!(self.fmt, FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16);
        self.force || !(eight_bit_format || self.fp32_or_int8)
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

/// A row number: at the ends, aligned, misaligned, or anything.
const ROW_LEVELS: &[&str] = &["0", "last", "aligned", "misaligned", "small", "any"];

#[inline(always)]
fn row_value(level: usize, width: u32, noise: &mut Noise) -> u32 {
    // Drawn without branches: a run of the harness draws millions of them.
    let last = (1 << width) - 1;
    let keep = [0, 0, last & !7, last, 7, last][level];
    let set = [0, last, 0, 1 << noise.below(3), 1, 0][level];
    (noise.bits(width) & keep) | set
}

fn row_level(value: u32, width: u32) -> usize {
    let last = (1 << width) - 1;
    match value {
        0 => 0,
        value if value == last => 1,
        value if value % 8 == 0 => 2,
        value if value < 8 => 4,
        _ => 3,
    }
}

#[inline(always)]
fn rwc(parts: &Parts<'_>) -> crate::tensix::Rwc {
    let small = peek(parts);
    small.rwcs[thread_of(small)]
}

#[inline(always)]
fn rwc_mut<'a>(parts: &'a mut Parts<'_>) -> &'a mut crate::tensix::Rwc {
    let small = small(parts);
    let thread = thread_of(small);
    &mut small.rwcs[thread]
}

/// The section that the case's AddrMod bits select, so that the axes below can say what is in it.
#[inline(always)]
fn section_in_force(parts: &Parts<'_>) -> usize {
    let extra = rwc(parts).extra_addr_mod_bit != 0;
    let base = get_thread_config(parts, config::ADDR_MOD_SET_Base) != 0;
    ADDR_MOD.get(parts.code) as usize + if extra || base { 4 } else { 0 }
}

#[inline(always)]
fn ab(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
    field.section(section_in_force(parts), config::ADDR_MOD_AB_STRIDE)
}

#[inline(always)]
fn dst(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
    field.section(section_in_force(parts), config::ADDR_MOD_DST_STRIDE)
}

#[inline(always)]
fn bias(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
    field.section(section_in_force(parts), config::ADDR_MOD_BIAS_STRIDE)
}

const SOURCE_CONTROL: &[&str] = &["none", "CR", "Clear", "Clear+CR"];

/// How the increments of the section in force are chosen.
#[inline(always)]
fn increment(level: usize, width: u32, noise: &mut Noise) -> usize {
    let last = (1 << width) - 1;
    ((noise.bits(width) & [0, 0, 0, last][level]) | [0, 1, last, 0][level]) as usize
}

fn block_dest_mov(parts: &Parts<'_>) -> u32 {
    let lanes = peek(parts).lane_config;
    lanes.iter().enumerate().fold(0, |mask, (lane, word)| mask | ((word >> 9) & 3) << (2 * lane))
}

macro_rules! axis {
    ($name:literal, $levels:expr, $weights:expr, $set:expr, $get:expr) => {
        Axis { name: $name, levels: $levels, weights: $weights, set: $set, get: $get }
    };
}

const THREAD: Axis =
    axis!("thread", &["0", "1", "2"], &[], |parts, level, _| small(parts).current_thread = narrow(level), |parts| {
        thread_of(peek(parts))
    });
const STATE_ID: Axis = axis!(
    "state_id",
    OFF_ON,
    &[],
    |parts, level, _| set_thread_config(parts, config::CFG_STATE_ID_StateID, level),
    |parts| get_thread_config(parts, config::CFG_STATE_ID_StateID)
);
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
const MATH_OFFSET: Axis = axis!(
    "math_offset",
    &["0", "last", "aligned", "misaligned", "small", "any", "512"],
    &[4, 1, 2, 1, 1, 2, 2],
    |parts, level, noise| {
        let value = if level == 6 { 512 } else { row_value(level, 12, noise) };
        set_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset, value as usize);
    },
    |parts| {
        let value = narrow(get_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset));
        if value == 512 { 6 } else { row_level(value, 12) }
    }
);
const RWC_DST: Axis = axis!(
    "rwc_dst",
    ROW_LEVELS,
    &[],
    |parts, level, noise| rwc_mut(parts).dst = row_value(level, 10, noise),
    |parts| row_level(rwc(parts).dst, 10)
);
const REGW_BASE: Axis = axis!(
    "dest_regw_base",
    ROW_LEVELS,
    &[5, 1, 1, 1, 1, 1],
    |parts, level, noise| {
        set_config(parts, config::DEST_REGW_BASE_Base, row_value(level, 16, noise) as usize);
    },
    |parts| row_level(narrow(get_config(parts, config::DEST_REGW_BASE_Base)), 16)
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
        for (lane, word) in small(parts).lane_config.iter_mut().enumerate() {
            *word = (*word & !(3 << 9)) | ((mask >> (2 * lane)) & 3) << 9;
        }
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
const VALIDITY: Axis = axis!(
    "row_validity",
    &["all valid", "all invalid", "mixed"],
    &[],
    |parts, level, _| {
        parts.salt.class[bank::DST_ROW_VALID] =
            [value_class::ALL_VALID, value_class::ALL_INVALID, value_class::MIXED_VALIDITY][level];
    },
    |parts| usize::from(parts.salt.class[bank::DST_ROW_VALID] - value_class::ALL_VALID)
);
const ADDR_MOD_AXIS: Axis =
    axis!("addr_mod", &["0", "1", "2", "3"], &[], |parts, level, _| ADDR_MOD.set(parts.code, narrow(level)), |parts| {
        ADDR_MOD.get(parts.code) as usize
    });
const EXTRA: Axis = axis!(
    "extra_addr_mod_bit",
    OFF_ON,
    &[],
    |parts, level, _| rwc_mut(parts).extra_addr_mod_bit = narrow(level),
    |parts| rwc(parts).extra_addr_mod_bit as usize
);
const SET_BASE: Axis = axis!(
    "addr_mod_set_base",
    OFF_ON,
    &[],
    |parts, level, _| set_thread_config(parts, config::ADDR_MOD_SET_Base, level),
    |parts| get_thread_config(parts, config::ADDR_MOD_SET_Base)
);
const SRCA_CONTROL: Axis = axis!(
    "srca_control",
    SOURCE_CONTROL,
    &[],
    |parts, level, _| {
        set_thread_config(parts, ab(parts, config::SrcACR), level & 1);
        set_thread_config(parts, ab(parts, config::SrcAClear), level >> 1);
    },
    |parts| {
        get_thread_config(parts, ab(parts, config::SrcACR)) + 2 * get_thread_config(parts, ab(parts, config::SrcAClear))
    }
);
const SRCB_CONTROL: Axis = axis!(
    "srcb_control",
    SOURCE_CONTROL,
    &[],
    |parts, level, _| {
        set_thread_config(parts, ab(parts, config::SrcBCR), level & 1);
        set_thread_config(parts, ab(parts, config::SrcBClear), level >> 1);
    },
    |parts| {
        get_thread_config(parts, ab(parts, config::SrcBCR)) + 2 * get_thread_config(parts, ab(parts, config::SrcBClear))
    }
);
const DST_CONTROL: Axis = axis!(
    "dst_control",
    &["none", "CR", "CToCR", "CToCR+CR", "Clear", "Clear+CR", "Clear+CToCR", "Clear+CToCR+CR"],
    &[],
    |parts, level, _| {
        set_thread_config(parts, dst(parts, config::DestCR), level & 1);
        set_thread_config(parts, dst(parts, config::DestCToCR), (level >> 1) & 1);
        set_thread_config(parts, dst(parts, config::DestClear), level >> 2);
    },
    |parts| {
        get_thread_config(parts, dst(parts, config::DestCR))
            + 2 * get_thread_config(parts, dst(parts, config::DestCToCR))
            + 4 * get_thread_config(parts, dst(parts, config::DestClear))
    }
);
const FIDELITY: Axis = axis!(
    "fidelity_control",
    &["0", "1", "2", "3", "Clear"],
    &[],
    |parts, level, noise| {
        let incr = if level == 4 { noise.below(4) } else { level };
        set_thread_config(parts, dst(parts, config::FidelityIncr), incr);
        set_thread_config(parts, dst(parts, config::FidelityClear), level / 4);
    },
    |parts| {
        if get_thread_config(parts, dst(parts, config::FidelityClear)) != 0 {
            4
        } else {
            get_thread_config(parts, dst(parts, config::FidelityIncr))
        }
    }
);
const BIAS: Axis = axis!(
    "bias_control",
    &["0", "low bits set", "only high bits set", "Clear", "Clear with increment"],
    &[],
    |parts, level, noise| {
        let (high, low) = (noise.below(4), noise.below(3));
        let incr = [0, (high << 2) + 1 + low, (1 + low) << 2, 0, 1 + ((high << 2) | low)][level];
        set_thread_config(parts, bias(parts, config::BiasIncr), incr);
        set_thread_config(parts, bias(parts, config::BiasClear), usize::from(level >= 3));
    },
    |parts| {
        let incr = get_thread_config(parts, bias(parts, config::BiasIncr));
        if get_thread_config(parts, bias(parts, config::BiasClear)) != 0 {
            3 + usize::from(incr != 0)
        } else if incr & 3 != 0 {
            1
        } else {
            2 * usize::from(incr != 0)
        }
    }
);
const INCREMENTS: Axis = axis!(
    "increments",
    &["0", "1", "last", "any"],
    &[1, 1, 1, 3],
    |parts, level, noise| {
        for (field, width) in [(config::SrcAIncr, 6), (config::SrcBIncr, 6)] {
            let value = increment(level, width, noise);
            set_thread_config(parts, ab(parts, field), value);
        }
        let value = increment(level, 10, noise);
        set_thread_config(parts, dst(parts, config::DestIncr), value);
    },
    |parts| {
        let values = [
            (get_thread_config(parts, ab(parts, config::SrcAIncr)), 63),
            (get_thread_config(parts, ab(parts, config::SrcBIncr)), 63),
            (get_thread_config(parts, dst(parts, config::DestIncr)), 1023),
        ];
        let all = |wanted: fn(usize) -> usize| values.iter().all(|&(value, last)| value == wanted(last));
        if all(|_| 0) {
            0
        } else if all(|_| 1) {
            1
        } else if all(|last| last) {
            2
        } else {
            3
        }
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
    ADDR_MOD_AXIS,
    EXTRA,
    SET_BASE,
    SRCA_CONTROL,
    SRCB_CONTROL,
    DST_CONTROL,
    FIDELITY,
    BIAS,
    INCREMENTS,
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
    // Counters that AddrMod reads but that decide no path, fresh in every case and different in every thread.
    for rwc in &mut small(parts).rwcs {
        let fresh = noise.word();
        let take = |shift: u32, width: u32| ((fresh >> shift) & ((1 << width) - 1)) as u32;
        rwc.dst_cr = take(0, 10);
        rwc.srca_cr = take(10, 6);
        rwc.srcb = take(16, 6);
        rwc.srcb_cr = take(22, 6);
        rwc.fidelity_phase = take(28, 2);
    }
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
