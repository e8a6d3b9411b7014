//! The axes of `MOVA2D`: what modes a case can have, and how it is given them.
//!
//! The functions here name, impose and read modes for the harness: labels of paths, and which AddrMod section a case
//! selects.

use tandem_isa::tensix::config::{self, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::{ADDR_MOD, MOVE8_ROWS, UNNAMED_BITS, USE_DST32B_LO};
use tandem_isa::tensix::{Chip, bank, format};
use tandem_isa::{Axis, BenchClass, CodeField, Edition, Format, Levels, MAX_AXES, Noise, Parts};

use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, SET_BASE};
use super::banks::{OTHER_OWNER, OWNER, SRCA_BANK};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, split};
use super::moves::{A2D_WH, DST_ROW_AXIS, SRC_ROW_AXIS};
use super::parts::{
    MATH_OFFSET, REGW_BASE, RWC_DST, RWC_SRCA, STATE_ID, THREAD, VALIDITY, fresh_counters, get_config,
    get_thread_config, set_config,
};
use super::sfpu_lanes::bit;
use super::{axes, value_class};

pub(super) const OVERRIDE: Axis =
    flag!("ALU_FORMAT_SPEC_REG_SrcA_override", Lens::Config(config::ALU_FORMAT_SPEC_REG_SrcA_override));

const SRC_A_FMT: Axis = Axis {
    name: "SrcAFmt",
    levels: &format::CODE_NAMES,
    weights: &[],
    set: |parts, level, noise| {
        // The register that the override does not select holds another code, or now and then the same one.
        let code = level as u32;
        let other = if noise.below(4) == 0 { code } else { noise.bits(4) };
        let overridden = get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0;
        let (val, reg0) = if overridden { (code, other) } else { (other, code) };
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
    get: |parts| A2D_WH.get(parts) as usize,
};

const FORCE: Axis = flag!("FP16A_FORCE_Enable", Lens::Thread(config::FP16A_FORCE_Enable));
pub(super) const ZERO_FLAG_DISABLED: Axis =
    flag!("ALU_ACC_CTRL_Zero_Flag_disabled_src", Lens::Config(config::ALU_ACC_CTRL_Zero_Flag_disabled_src));
pub(super) const FP32_ENABLED: Axis =
    flag!("ALU_ACC_CTRL_Fp32_enabled", Lens::Config(config::ALU_ACC_CTRL_Fp32_enabled));
pub(super) const INT8_MATH_ENABLED: Axis =
    flag!("ALU_ACC_CTRL_INT8_math_enabled", Lens::Config(config::ALU_ACC_CTRL_INT8_math_enabled));
pub(super) const LO: Axis = flag!("UseDst32bLo", Lens::Code(USE_DST32B_LO));
const ROWS: Axis = flag!("Move8Rows", Lens::Code(MOVE8_ROWS));

pub(super) const SPEC_AXES: &[Axis] = NEWEST_AXES.split_at(6).0;
pub(super) const NEWEST_AXES: &[Axis] =
    &[OVERRIDE, SRC_A_FMT, FORCE, ZERO_FLAG_DISABLED, LO, ROWS, FP32_ENABLED, INT8_MATH_ENABLED];

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
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip([SPEC_AXES, NEWEST_AXES][edition as usize]) {
            *level = (axis.get)(parts) as u8;
        }
        Self::of_levels(&levels)
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
    contested_move(parts, config::FP16A_FORCE_Enable, modes.writes_32_bits(Edition::Newest) || modes.lo)
}

/// Why a move that heeds `FP16A_FORCE` is contested.
pub(super) fn contested_force(parts: &Parts<'_>, force: ThreadConfigField) -> Option<&'static str> {
    (get_thread_config(parts, force) != 0).then_some(
        "the newest MOVB2D page (commit 1ae1f852) calls FP16A_FORCE unsupported functionality, and the vendor's \
         simulator remarks that the field is not instantiated; the pages of other moves give it an outcome",
    )
}

/// Why a move from `SrcA` to `Dst` that writes 32 bits, or a half of them, is contested.
pub(super) fn contested_move(parts: &Parts<'_>, force: ThreadConfigField, is_wide: bool) -> Option<&'static str> {
    if let Some(reason) = contested_force(parts, force) {
        return Some(reason);
    }
    let accumulates_wide = [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled]
        .iter()
        .any(|&field| get_config(parts, field) != 0);
    (is_wide != accumulates_wide).then_some(
        "the newest MOVB2D page (commit 1ae1f852) calls a move undefined when (32-bit write or UseDst32bLo) differs \
         from (Fp32_enabled or INT8_math_enabled), because row validity is then updated at the wrong address; the \
         MOVA2D page does not say so",
    )
}

// ------------------------------------------------------------------------------------------------ orthogonal axes

/// The columns that `BLOCK_DEST_MOV` leaves out, bit = column.
pub(super) const BLOCKED: Lens = Lens::LanePairs(bit::BLOCK_DEST_MOV);

pub(super) const BLOCK_DEST_MOV: Axis = split!(
    "block_dest_mov",
    &["none", "all", "one", "all but one", "even", "odd", "any"],
    &[8, 1, 1, 1, 1, 1, 3],
    BLOCKED,
    Partition::Mask(&[&[0x5555], &[0xaaaa]])
);
const UNNAMED: Axis = split!("unnamed_bits", NONE_OR_SOME, &[63, 1], Lens::CodeBits(UNNAMED_BITS), Partition::Some);

/// Where `MOVA2D` has its AddrMod.
pub(super) struct Form;

impl AddrModField for Form {
    const FIELD: CodeField = ADDR_MOD;
    const CHIP: Chip = Chip::Wormhole;
}

pub(super) type AddrMod = AddrModAxes<Form>;

/// The last two fields are read by nothing in `spec`, where they are non-interference axes.
pub(super) const ORTHOGONAL: &[Axis] = SPEC_ORTHOGONAL.split_at(24).0;
pub(super) const SPEC_ORTHOGONAL: &[Axis] = axes!(
    &[THREAD, STATE_ID, SRCA_BANK, OWNER, OTHER_OWNER, DST_ROW_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE, SRC_ROW_AXIS],
    &[RWC_SRCA, BLOCK_DEST_MOV, VALIDITY, AddrMod::SECTION, EXTRA, SET_BASE],
    &AddrMod::MEMBERS,
    &[UNNAMED, ROW_SHAPE, FP32_ENABLED, INT8_MATH_ENABLED],
)[0];

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
macro_rules! bench {
    ($name:literal, $format:ident, $rows:literal) => {
        BenchClass::new($name, |parts, noise| {
            open_gate(parts, noise);
            for axis in [OVERRIDE, FORCE, LO, FP32_ENABLED, INT8_MATH_ENABLED] {
                (axis.set)(parts, 0, noise);
            }
            (SRC_A_FMT.set)(parts, format::$format as usize, noise);
            (ROWS.set)(parts, $rows, noise);
        })
    };
}

pub(super) const BENCH_CLASSES: &[BenchClass] = &[
    bench!("8rows-bf16", BF16, 1),
    bench!("8rows-fp16", FP16, 1),
    bench!("8rows-tf32", TF32, 1),
    bench!("1row-bf16", BF16, 0),
];
