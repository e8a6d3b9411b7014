//! Moves between `Dst`, `SrcA` and `SrcB`, and `ZEROACC`. `MOVA2D` on Wormhole is in `mova2d.rs`.
//!
//! A comment that only names lines of a page says which of them the code below carries out. Each page serves both chips and
//! both editions. After an outcome that promises nothing the state is of no meaning.
//!
//! *Source*: pages MOVD2A and MOVD2B (commit ff52140f), MOVB2D, MOVB2A and MatrixUnit (1ae1f852), MOVDBGA2D and MOVA2D
//! (88d4bf9c), ZEROACC (98f32c22), Dst (093af914, one for each chip), SrcASrcB (545c98a3).

// Shown by `every_instruction_agrees_in_every_mode`.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, ConfigField, blackhole};
use tandem_isa::tensix::format::{
    BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32, TF32,
};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::{
    Broadcast, IMM10, MOVE4_ROWS, SRCA_ROW, SRCB_ROW, ZEROACC_MODE, addr_mod, revert, use_dst32b,
};
use tandem_isa::tensix::{
    Chip, MATRIX_UNIT, MOVA2D_NEWEST, MOVB2A, MOVB2D, MOVD2A, MOVD2B, MOVDBGA2D, Small, Tensix, ZEROACC_NEWEST,
};
use tandem_isa::{Citation, Expectation, Step};

use super::dst::{self, COLUMNS, LOW_HALF, adj16, adj32_of};
use super::mova2d::{
    block_dest_mov, config_state, current_thread, is_8b_exponent_format, remove_high_exponent, remove_low_mantissa,
};
use super::rwcs::apply_full_addr_mod;
use super::{UNNAMED_REASON, check};
use crate::bits::U;

type Config = [u32; CONFIG_WORDS];

const WAIT_GATE_REASON: &str = "the instruction is held for as long as the Matrix Unit's current bank of that source is not the Matrix Unit's to use";
const IMPLIED_REASON: &str = "the implied format of a bank that is not the Matrix Unit's is ill-specified";

/// One of the two sources.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    A,
    B,
}

impl Source {
    /// The bank that the Matrix Unit uses.
    pub(super) fn bank(self, small: &Small) -> usize {
        U::<1>::new(match self {
            Source::A => small.matrix_unit_srca_bank,
            Source::B => small.matrix_unit_srcb_bank,
        })
        .index()
    }

    /// Whether that bank is the Matrix Unit's to use.
    pub(super) fn is_owned(self, small: &Small) -> bool {
        let clients = match self {
            Source::A => small.srca_allowed_client,
            Source::B => small.srcb_allowed_client,
        };
        clients[self.bank(small)] == MATRIX_UNIT
    }

    /// Its implied format.
    fn implied(self, small: &Small) -> u32 {
        match self {
            Source::A => small.implied_srca_fmt[self.bank(small)],
            Source::B => small.implied_srcb_fmt[self.bank(small)],
        }
    }

    pub(super) fn read(self, tensix: &mut Tensix<'_>, row: U<6>, column: usize) -> U<19> {
        let bank = self.bank(tensix.small);
        U::new(match self {
            Source::A => tensix.srca_row(bank, row.index())[column],
            Source::B => tensix.srcb_row(bank, row.index())[column],
        })
    }

    fn write(self, tensix: &mut Tensix<'_>, row: U<6>, column: usize, value: U<19>) {
        let bank = self.bank(tensix.small);
        match self {
            Source::A => tensix.srca_row_mut(bank, row.index())[column] = value.get(),
            Source::B => tensix.srcb_row_mut(bank, row.index())[column] = value.get(),
        }
    }

    /// The thread's counter of its rows.
    pub(super) fn counter(self, small: &Small) -> u32 {
        let rwc = &small.rwcs[current_thread(small)];
        match self {
            Source::A => rwc.srca,
            Source::B => rwc.srcb,
        }
    }
}

// ------------------------------------------------------------------------------------------------ formats

/// `SrcAFmt` as it is configured.
fn configured_srca_fmt(config: &Config) -> u32 {
    // MOVA2D_NEWEST 37.
    // MOVB2D 40.
    // MOVD2A 34.
    // MOVD2B 35.
    // MVMUL 57.
    // ELWADD 53.
    // ELWMUL 57.
    // GMPOOL 67.
    if config::ALU_FORMAT_SPEC_REG_SrcA_override.get(config) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcA_val.get(config)
    } else {
        config::ALU_FORMAT_SPEC_REG0_SrcA.get(config)
    }
}

/// `SrcAFmt`, and whether it is the implied format of a bank of `source`.
pub(super) fn srca_fmt(chip: Chip, small: &Small, source: Source) -> (u32, bool) {
    let (config, thread_config) = config_state(small);
    // MOVA2D_NEWEST 38-39.
    // MOVB2D 42-43.
    // MOVD2A 35-36.
    // MOVD2B 36-37.
    // MVMUL 59-61.
    // ELWADD 55-57.
    // ELWMUL 59-61.
    // GMPOOL 69-71.
    if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCA_FMT_Base.get(thread_config) == 0 {
        (source.implied(small), true)
    } else {
        (configured_srca_fmt(config), false)
    }
}

/// `SrcBFmt`.
pub(super) fn srcb_fmt(chip: Chip, small: &Small) -> u32 {
    let (config, thread_config) = config_state(small);
    // MOVB2D 45-46.
    // MOVB2A 35-36.
    // MVMUL 62-64.
    // ELWADD 58-60.
    // ELWMUL 62-64.
    // GMPOOL 72-74.
    if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCB_FMT_Base.get(thread_config) == 0 {
        Source::B.implied(small)
    } else if config::ALU_FORMAT_SPEC_REG_SrcB_override.get(config) != 0 {
        // MOVB2D 41.
        // MOVB2A 34.
        // MVMUL 58.
        // ELWADD 54.
        // ELWMUL 58.
        // GMPOOL 68.
        config::ALU_FORMAT_SPEC_REG_SrcB_val.get(config)
    } else {
        config::ALU_FORMAT_SPEC_REG1_SrcB.get(config)
    }
}

/// Whether `FP16A_FORCE_Enable` of the thread is set.
pub(super) fn is_forced(chip: Chip, small: &Small) -> bool {
    let (_, thread_config) = config_state(small);
    // MOVA2D_NEWEST 43.
    // MOVB2D 50.
    // MOVD2A 30.
    // MOVD2B 30.
    // MVMUL 65.
    // ELWADD 61.
    // ELWMUL 65.
    // GMPOOL 75.
    match chip {
        Chip::Wormhole => config::FP16A_FORCE_Enable.get(thread_config) != 0,
        Chip::Blackhole => blackhole::FP16A_FORCE_Enable.get(thread_config) != 0,
    }
}

pub(super) fn is_on(config: &Config, field: ConfigField) -> bool {
    field.get(config) != 0
}

/// Whether `Fp32_enabled` or `INT8_math_enabled` is set.
fn accumulates_32_bits(config: &Config) -> bool {
    // MOVB2D 78-79.
    // MOVD2A 38.
    // MOVD2B 39.
    // ZEROACC_NEWEST 40.
    is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) || is_on(config, config::ALU_ACC_CTRL_INT8_math_enabled)
}

/// `TruncateSrc`. *Source*: page MatrixUnit, section Pseudocode helpers.
pub(super) fn truncate_src(chip: Chip, x: U<19>, fmt: u32) -> U<19> {
    // MOVB2D 108.
    // MOVB2A 60.
    // MATRIX_UNIT_NEWEST 84-98.
    // MVMUL 102, 114.
    // ELWADD 95-96.
    // ELWMUL 99-100.
    // GMPOOL 138-139.
    let kept = match (chip, fmt) {
        (Chip::Blackhole, _) | (Chip::Wormhole, TF32) => 0x7_ffff,
        // Without the high three bits of the exponent.
        (Chip::Wormhole, FP16 | FP8 | BFP8A | INT8) => 0x7_ff1f,
        // Without these, and without the low three bits of the mantissa.
        (Chip::Wormhole, BFP4A | BFP2A) => 0x7_f81f,
        // Without the low three bits of the mantissa.
        (Chip::Wormhole, _) => 0x7_f8ff,
    };
    // TX-45: a simulator cuts otherwise.
    x & reads!(kept, "tx45-truncates-as-recorded", kept_as_recorded(fmt))
}

/// What ttsim keeps, on both chips (TX-45).
fn kept_as_recorded(fmt: u32) -> u32 {
    match fmt {
        TF32 => 0x7_ffff,
        FP16 => 0x7_ff1f,
        _ => 0x7_f8ff,
    }
}

/// A datum with its low eight bits clear becomes 0, if denormals are flushed.
fn flush(small: &Small, x: U<19>) -> U<19> {
    let (config, _) = config_state(small);
    // MOVA2D_NEWEST 65, 87.
    // MOVB2D 76, 107.
    // MOVB2A 38, 59.
    let flush_denormals = !is_on(config, config::ALU_ACC_CTRL_Zero_Flag_disabled_src);
    if flush_denormals && (x & 0xff).get() == 0 { U::new(0) } else { x }
}

/// The first row of `Dst`, before its low bits are cleared.
pub(super) fn first_dst_row(small: &Small, code_row: u32) -> U<10> {
    let (config, thread_config) = config_state(small);
    // MOVA2D_NEWEST 69-70.
    // MOVB2D 85-86.
    // MOVD2A 50-51.
    // MOVD2B 51-52.
    // ZEROACC_NEWEST 37-39.
    // MVMUL 88-89.
    // ELWADD 83-84.
    // ELWMUL 87-88.
    // GMPOOL 119-120.
    let mut row = U::<10>::new(code_row);
    row += U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
    row += U::new(small.rwcs[current_thread(small)].dst) + U::new(config::DEST_REGW_BASE_Base.get(config));
    row
}

/// Breaks off if the Matrix Unit may not use its bank of a source.
fn wait_gate(source: Source, small: &Small, citation: &'static Citation) -> ControlFlow<Expectation> {
    // MOVA2D_NEWEST 26.
    // MOVB2D 28.
    // MOVB2A 25.
    if source.is_owned(small) { ControlFlow::Continue(()) } else { ControlFlow::Break(Expectation::Blocked(citation)) }
}

/// The counters advance as the AddrMod bits select.
fn finish(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // MOVA2D_NEWEST 115.
    // MOVB2D 136.
    // MOVB2A 66.
    // MOVD2A 116.
    // MOVD2B 117.
    // ZEROACC_NEWEST 83.
    let chip = Chip::of(step.instruction);
    apply_full_addr_mod(chip, tensix.small, U::new(addr_mod(chip).get(step.code)))
}

// ------------------------------------------------------------------------------------------------ to Dst

/// How a datum is written to `Dst`.
struct ToDst {
    chip: Chip,
    use_8b_exponent: bool,
    use_dst32b: bool,
    use_dst32b_lo: bool,
}

static LO_OF_32_BIT_DATUM: &Citation = cite!(
    MOVA2D_NEWEST,
    "lines 89-92",
    "UseDst32bLo together with a move that writes 32-bit data is undefined behaviour; page MOVB2D says the same in lines 110-113"
);

impl ToDst {
    /// The widths, from `SrcAFmt`.
    fn of(step: &Step<'_>, small: &Small, srca_fmt: u32) -> Self {
        let (config, _) = config_state(small);
        let chip = Chip::of(step.instruction);
        let use_dst32b_lo = USE_DST32B_LO.get(step.code) != 0;
        // MOVA2D_NEWEST 43-45.
        // MOVB2D 50-56.
        if is_forced(chip, small) {
            return ToDst { chip, use_8b_exponent: false, use_dst32b: false, use_dst32b_lo };
        }
        let fp32_enabled = is_on(config, config::ALU_ACC_CTRL_Fp32_enabled);
        // MOVA2D_NEWEST 47-53.
        // MOVB2D 58-64.
        let srca_fmt = if chip == Chip::Blackhole && fp32_enabled { TF32 } else { srca_fmt };
        // MOVA2D_NEWEST 54-62.
        // MOVB2D 65-73.
        let use_8b_exponent = accumulates_32_bits(config) || is_8b_exponent_format(srca_fmt);
        // MOVA2D_NEWEST 63.
        // MOVB2D 74.
        ToDst { chip, use_8b_exponent, use_dst32b: srca_fmt == TF32, use_dst32b_lo }
    }

    /// Writes a row whose data `datum` gives by column.
    fn write_row(
        &self,
        tensix: &mut Tensix<'_>,
        dst_row: U<10>,
        datum: impl Fn(&mut Tensix<'_>, usize) -> U<19>,
    ) -> ControlFlow<Expectation> {
        let is_wide = self.use_dst32b || self.use_dst32b_lo;
        let row =
            if is_wide { adj32_of(self.chip, tensix.small, dst_row) } else { adj16(self.chip, tensix.small, dst_row) };
        let row = row.index();
        let mut num_columns = 0;
        // MOVA2D_NEWEST 84.
        // MOVB2D 104.
        for column in 0..COLUMNS {
            // MOVA2D_NEWEST 85.
            // MOVB2D 105.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            num_columns += 1;
            let val = datum(tensix, column);
            // MOVA2D_NEWEST 88.
            // MOVB2D 109.
            let val16b = if self.use_8b_exponent { remove_low_mantissa(val) } else { remove_high_exponent(val) };
            let val16b = dst::narrow(val16b);
            if self.use_dst32b {
                // MOVA2D_NEWEST 90-92.
                // MOVB2D 111-113.
                if self.use_dst32b_lo {
                    return ControlFlow::Break(Expectation::Undefined(LO_OF_32_BIT_DATUM));
                }
                // MOVA2D_NEWEST 93-96.
                // MOVB2D 114-117.
                let low_mantissa = dst::narrow(U::<16>::new(((val >> 8) & 7).get() << 13));
                tensix.set_dst_bits(row, column, val16b);
                tensix.set_dst_bits(row + LOW_HALF, column, low_mantissa);
            } else if self.use_dst32b_lo {
                // The high half stays, and that of a row which is not valid counts as 0 (TX-08).
                // MOVA2D_NEWEST 105.
                // MOVB2D 126.
                let high = if tensix.dst_row_valid(row) { tensix.dst_bits(row, column) } else { 0 };
                tensix.set_dst_bits(row, column, high);
                tensix.set_dst_bits(row + LOW_HALF, column, val16b);
            } else {
                // MOVA2D_NEWEST 109.
                // MOVB2D 130.
                tensix.set_dst_bits(row, column, val16b);
            }
        }
        // TX-08: a row of which nothing was written keeps its mark.
        if num_columns == 0 { ControlFlow::Continue(()) } else { dst::finish_row(tensix, row, num_columns) }
    }
}

/// `MOVA2D` on Blackhole: move one row or eight rows from `SrcA` to `Dst`. *Source*: page MOVA2D.
pub fn mova2d(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(Source::A, tensix.small, cite!(MOVA2D_NEWEST, "lines 23-29", WAIT_GATE_REASON))?;
    check(step, cite!(MOVA2D_NEWEST, "sections Syntax and Encoding", UNNAMED_REASON))?;
    move_a_to_dst(step, tensix)
}

/// `MOVDBGA2D`: the same, whoever owns the bank. *Source*: page MOVDBGA2D.
pub fn movdbga2d(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVDBGA2D, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    let (config, _) = config_state(small);
    // MOVDBGA2D 23.
    let is_tf32_anyway = is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) && !is_forced(chip, small);
    if srca_fmt(chip, small, Source::A).1 && !is_tf32_anyway && !Source::A.is_owned(small) {
        return ControlFlow::Break(Expectation::Unspecified(cite!(MOVDBGA2D, "line 23", IMPLIED_REASON)));
    }
    move_a_to_dst(step, tensix)
}

/// What both do once dispatched.
fn move_a_to_dst(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let small = &*tensix.small;
    let (fmt, _) = srca_fmt(Chip::of(step.instruction), small, Source::A);
    let to_dst = ToDst::of(step, small, fmt);
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // MOVA2D_NEWEST 71.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::A.counter(small));
    // MOVA2D_NEWEST 72-80.
    let num_rows = if MOVE8_ROWS.get(step.code) != 0 {
        (dst_row, src_row) = (dst_row & 0x3f8, src_row & 0x38);
        8
    } else {
        1
    };
    // MOVA2D_NEWEST 83.
    for _ in 0..num_rows {
        to_dst.write_row(tensix, dst_row, |tensix, column| {
            // MOVA2D_NEWEST 86-87.
            let datum = Source::A.read(tensix, src_row, column);
            flush(tensix.small, datum)
        })?;
        dst_row += U::new(1);
        src_row += U::new(1);
    }
    finish(step, tensix)
}

/// `MOVB2D`: move rows from `SrcB` to `Dst`, with optional broadcasting. *Source*: page MOVB2D.
pub fn movb2d(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(Source::B, tensix.small, cite!(MOVB2D, "lines 25-31", WAIT_GATE_REASON))?;
    check(step, cite!(MOVB2D, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    let (config, _) = config_state(small);
    // MOVB2D 51.
    if is_forced(chip, small) {
        return ControlFlow::Break(Expectation::Unsupported(cite!(
            MOVB2D,
            "lines 50-51",
            "FP16A_FORCE_Enable is unsupported functionality here"
        )));
    }
    let (fmt, _) = srca_fmt(chip, small, Source::B);
    let to_dst = ToDst::of(step, small, fmt);
    let srcb_fmt = srcb_fmt(chip, small);
    // MOVB2D 78-81.
    if (to_dst.use_dst32b || to_dst.use_dst32b_lo) != accumulates_32_bits(config) {
        return ControlFlow::Break(Expectation::Undefined(cite!(
            MOVB2D,
            "lines 78-81",
            "what is written has another width than Dst has by Fp32_enabled and INT8_math_enabled, so the wrong mark of a row would be set"
        )));
    }
    let how = Broadcast::of(chip);
    let (row_to_8, col0) = (how.row_to_8.get(step.code) != 0, how.col0.get(step.code) != 0);
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // MOVB2D 87.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::B.counter(small));
    let num_rows = if row_to_8 {
        // MOVB2D 88-91.
        dst_row = dst_row & 0x3f8;
        8
    } else if how.move4_rows.get(step.code) != 0 {
        // MOVB2D 92-95.
        (dst_row, src_row) = (dst_row & 0x3fc, src_row & 0x3c);
        4
    } else {
        // MOVB2D 96-99.
        1
    };
    // MOVB2D 103.
    for _ in 0..num_rows {
        to_dst.write_row(tensix, dst_row, |tensix, column| {
            // MOVB2D 106-108.
            let datum = Source::B.read(tensix, src_row, if col0 { 0 } else { column });
            truncate_src(chip, flush(tensix.small, datum), srcb_fmt)
        })?;
        dst_row += U::new(1);
        if !row_to_8 {
            src_row += U::new(1);
        }
    }
    finish(step, tensix)
}

// ------------------------------------------------------------------------------------------------ from Dst

/// What a datum of `Dst` is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Bf16,
    Fp16,
    Tf32,
}

/// `MOVD2A`: move one row or four rows from `Dst` to `SrcA`. *Source*: page MOVD2A.
pub fn movd2a(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVD2A, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let citations = [
        cite!(MOVD2A, "lines 35-36 and 149", IMPLIED_REASON),
        cite!(MOVD2A, "lines 95-98", LO_OF_16_REASON),
        cite!(MOVD2A, "lines 106-109", TF32_OF_16_REASON),
    ];
    move_from_dst(step, tensix, Source::A, citations)
}

/// `MOVD2B`: move one row or four rows from `Dst` to `SrcB`. *Source*: page MOVD2B.
pub fn movd2b(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVD2B, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let citations = [
        cite!(MOVD2B, "lines 36-37 and 150", IMPLIED_REASON),
        cite!(MOVD2B, "lines 96-99", LO_OF_16_REASON),
        cite!(MOVD2B, "lines 107-110", TF32_OF_16_REASON),
    ];
    move_from_dst(step, tensix, Source::B, citations)
}

const LO_OF_16_REASON: &str = "UseDst32bLo where Dst has 16 bits is undefined behaviour";
const TF32_OF_16_REASON: &str = "TF32 where Dst has 16 bits is undefined behaviour";

/// What both do. The citations are of an implied format, and of what 16 bits are too few for.
fn move_from_dst(
    step: &Step<'_>,
    tensix: &mut Tensix<'_>,
    source: Source,
    [implied, lo_of_16, tf32_of_16]: [&'static Citation; 3],
) -> ControlFlow<Expectation> {
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    let (config, _) = config_state(small);
    let use_dst32b_lo = USE_DST32B_LO.get(step.code) != 0;
    let (style, is_wide) = if is_forced(chip, small) {
        // MOVD2A 31-32.
        // MOVD2B 31-32.
        (Style::Fp16, false)
    } else {
        let (fmt, is_implied) = srca_fmt(chip, small, source);
        if is_implied && !source.is_owned(small) {
            return ControlFlow::Break(Expectation::Unspecified(implied));
        }
        // MOVD2A 39-45.
        // MOVD2B 40-46.
        let style = match fmt {
            FP32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16 => Style::Bf16,
            FP16 | FP8 | BFP8A | BFP4A | BFP2A | INT8 => Style::Fp16,
            // TX-10: the codes 12 and 13, which have no name, come here too.
            _ => Style::Tf32,
        };
        (style, accumulates_32_bits(config))
    };
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // MOVD2A 52.
    // MOVD2B 53.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(source.counter(small));
    // MOVD2A 53-61.
    // MOVD2B 54-62.
    let num_rows = if MOVE4_ROWS.get(step.code) != 0 {
        (dst_row, src_row) = (dst_row & 0x3fc, src_row & 0x3c);
        4
    } else {
        1
    };
    // MOVD2A 64.
    // MOVD2B 65.
    for _ in 0..num_rows {
        let row = if is_wide { adj32_of(chip, tensix.small, dst_row) } else { adj16(chip, tensix.small, dst_row) };
        let row = row.index();
        for column in 0..COLUMNS {
            // MOVD2A 66.
            // MOVD2B 67.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            // A row that is not valid reads as 0, and stays so.
            // ZEROACC_NEWEST 5.
            let is_valid = tensix.dst_row_valid(row);
            let value = if is_wide {
                // MOVD2A 70.
                // MOVD2B 71.
                let halves = [tensix.dst_bits(row, column), tensix.dst_bits(row + LOW_HALF, column)];
                let mut value = if is_valid { u32::from(halves[0]) << 16 | u32::from(halves[1]) } else { 0 };
                // MOVD2A 71-75.
                // MOVD2B 72-76.
                if use_dst32b_lo {
                    value = value << 16 | (value & 0xffff);
                }
                // MOVD2A 76-91.
                // MOVD2B 77-92.
                match style {
                    Style::Bf16 => shuffle_bf16(U::new(value >> 16)),
                    Style::Fp16 => shuffle_fp16(U::new(value >> 16)),
                    Style::Tf32 if !use_dst32b_lo => shuffle_tf32(U::new(value >> 13)),
                    Style::Tf32 => U::new(value & 0x1fff),
                }
            } else {
                // MOVD2A 94.
                // MOVD2B 95.
                let value = u32::from(tensix.dst_bits(row, column));
                let value = U::<16>::new(if is_valid { value } else { 0 });
                // MOVD2A 95-98.
                // MOVD2B 96-99.
                if use_dst32b_lo {
                    return ControlFlow::Break(Expectation::Undefined(lo_of_16));
                }
                // MOVD2A 99-109.
                // MOVD2B 100-110.
                match style {
                    Style::Bf16 => shuffle_bf16(value),
                    Style::Fp16 => shuffle_fp16(value),
                    Style::Tf32 => return ControlFlow::Break(Expectation::Undefined(tf32_of_16)),
                }
            };
            // MOVD2A 111.
            // MOVD2B 112.
            source.write(tensix, src_row, column, value);
        }
        dst_row += U::new(1);
        src_row += U::new(1);
    }
    finish(step, tensix)
}

/// `ShuffleBF16`: from `Sign,Man(7b),Exp(8b)` to `Sign,Man(10b),Exp(8b)`.
fn shuffle_bf16(x: U<16>) -> U<19> {
    // MOVD2A 124.
    // MOVD2B 125.
    U::new((x & 0xff00).get() << 3 | (x & 0xff).get())
}

/// `ShuffleFP16`: from `Sign,Man(10b),Exp(5b)` to `Sign,Man(10b),Zero(3b),Exp(5b)`.
fn shuffle_fp16(x: U<16>) -> U<19> {
    // MOVD2A 130.
    // MOVD2B 131.
    U::new((x & 0xffe0).get() << 3 | (x & 0x1f).get())
}

/// `ShuffleTF32`: from `Sign,HiMan(7b),Exp(8b),LoMan(3b)` to `Sign,Man(10b),Exp(8b)`.
fn shuffle_tf32(x: U<19>) -> U<19> {
    // MOVD2A 136-139.
    // MOVD2B 137-140.
    let (sign_hi_man, exp, lo_man) = (x & 0x7_f800, x & 0x7f8, x & 7);
    sign_hi_man | U::new(lo_man.get() << 8) | (exp >> 3)
}

// ------------------------------------------------------------------------------------------------ MOVB2A

/// `MOVB2A`: move one row or four rows from `SrcB` to `SrcA`. *Source*: page MOVB2A.
pub fn movb2a(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(Source::B, tensix.small, cite!(MOVB2A, "lines 22-28", WAIT_GATE_REASON))?;
    check(step, cite!(MOVB2A, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    let srcb_fmt = srcb_fmt(chip, small);
    // MOVB2A 42-43.
    let mut srca_row = U::<6>::new(SRCA_ROW.get(step.code)) + U::new(Source::A.counter(small));
    let mut srcb_row = U::<6>::new(SRCB_ROW.get(step.code)) + U::new(Source::B.counter(small));
    // MOVB2A 44-52.
    let num_rows = if MOVE4_ROWS.get(step.code) != 0 {
        (srca_row, srcb_row) = (srca_row & 0x3c, srcb_row & 0x3c);
        4
    } else {
        1
    };
    // MOVB2A 55.
    for _ in 0..num_rows {
        for column in 0..COLUMNS {
            // MOVB2A 57.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            // MOVB2A 58-61.
            let datum = Source::B.read(tensix, srcb_row, column);
            let datum = flush(tensix.small, datum);
            // TX-99: a simulator copies whole.
            let datum = reads!(truncate_src(chip, datum, srcb_fmt), "tx99-copies-whole", datum);
            Source::A.write(tensix, srca_row, column, datum);
        }
        srca_row += U::new(1);
        srcb_row += U::new(1);
    }
    finish(step, tensix)
}

// ------------------------------------------------------------------------------------------------ ZEROACC

/// `ZEROACC`: mark rows of `Dst` as invalid. The marks go by the rows of `DstBits`. *Source*: page ZEROACC.
pub fn zeroacc(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(ZEROACC_NEWEST, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // ZEROACC_NEWEST 29-33.
    if revert(chip).get(code) != 0 {
        return ControlFlow::Break(Expectation::Undefined(cite!(
            ZEROACC_NEWEST,
            "lines 29-33",
            "Revert is undefined behaviour"
        )));
    }
    let mut promise = ControlFlow::Continue(());
    let imm10 = IMM10.get(code);
    match ZEROACC_MODE.get(code) {
        0 => {
            let row = first_dst_row(tensix.small, imm10);
            let (config, _) = config_state(tensix.small);
            // ZEROACC_NEWEST 40-44.
            let row = if accumulates_32_bits(config) { adj32_of(chip, tensix.small, row) } else { row };
            tensix.set_dst_row_valid(row.index(), false);
        }
        1 => {
            // ZEROACC_NEWEST 47-51.
            let block = imm10 as usize & 0xff;
            let is_wide = use_dst32b(chip).get(code) != 0;
            // ZEROACC_NEWEST 53, 61.
            let is_within = block < if is_wide { 32 } else { 64 };
            if imm10 > 0xff || !is_within {
                promise = ControlFlow::Break(Expectation::NonContractual(cite!(
                    ZEROACC_NEWEST,
                    "lines 47-51, 55-59 and 63-67",
                    "what becomes of a number of 16 rows beyond 255, or beyond the last of Dst, is not promised"
                )));
            }
            for i in (0..16).filter(|_| is_within) {
                // ZEROACC_NEWEST 54, 62.
                let row = if is_wide { block * 32 + (i & 8) * 2 + (i & 7) } else { block * 16 + i };
                tensix.set_dst_row_valid(row, false);
            }
        }
        2 => {
            // ZEROACC_NEWEST 70-76.
            let first = if imm10 & 1 != 0 { 512 } else { 0 };
            (first..first + 512).for_each(|row| tensix.set_dst_row_valid(row, false));
        }
        // ZEROACC_NEWEST 77-79.
        _ => (0..1024).for_each(|row| tensix.set_dst_row_valid(row, false)),
    }
    // ZEROACC_NEWEST 82-84.
    if ZEROACC_MODE.get(code) < 2 {
        finish(step, tensix)?;
    }
    promise
}

#[cfg(test)]
mod tests;
