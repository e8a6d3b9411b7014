//! Moves between `Dst`, `SrcA` and `SrcB`. `MOVA2D` on Wormhole is in `mova2d.rs`; `MOVD2A`, `MOVD2B` and `ZEROACC` have
//! files of their own here.
//!
//! Each page serves both chips and both editions. After an outcome that promises nothing the state is of no meaning.
//!
//! *Source*: pages MOVD2A and MOVD2B (commit ff52140f), MOVB2D, MOVB2A and MatrixUnit (1ae1f852), MOVDBGA2D and MOVA2D
//! (88d4bf9c), ZEROACC (98f32c22), Dst (093af914, one for each chip), SrcASrcB (545c98a3).

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.
//
// Of `isa/src/tensix/inst/moved_rows_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [MOVDBGA2D 10-14] The operands are UseDst32bLo, SrcRow, AddrMod, Move8Rows, shifted left by one, and DstRow.
// [MOVB2A 10-13] The operands are SrcARow, AddrMod, Move4Rows, shifted left by one, and SrcBRow.
//
// Of `isa/src/tensix/inst/call_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [MOVB2D 10-16] The operands are UseDst32bLo, SrcRow, AddrMod, three flags added up (Move4Rows, Broadcast1RowTo8 and
// BroadcastCol0, from the top), and DstRow.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [MOVDBGA2D 19, TX-40] [MOVB2D 21, TX-40] [MOVB2A 18, TX-40] A picture shows where the opcode and the fields lie in
// the word.
//
// [MOVDBGA2D 5] [MOVB2D 5] [MOVB2A 5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on
// one instruction's result.
// [MOVB2D 141] For three cycles, software should not read the part of Dst that was written; some instructions are
// stalled meanwhile. Not modelled: cycle timing is out of scope by decision.
// [MOVB2A 73] On the cycle after it the Matrix Unit takes only MOVD2A and MOVB2A; another instruction is stalled for a
// cycle. Not modelled: cycle timing is out of scope by decision.

pub mod movd2a;
pub mod movd2b;
pub mod zeroacc;

pub use self::movd2a::movd2a;
pub use self::movd2b::movd2b;
pub use self::zeroacc::zeroacc;

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, ConfigField, blackhole};
use tandem_isa::tensix::format::{BFP2A, BFP4A, BFP8A, FP8, FP16, INT8, TF32};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::{Broadcast, MOVE4_ROWS, SRCA_ROW, SRCB_ROW, addr_mod};
use tandem_isa::tensix::{Chip, MATRIX_UNIT, MOVA2D_NEWEST, MOVB2A, MOVB2D, MOVDBGA2D, Small, Tensix};
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

    #[inline]
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
    // [MOVA2D_NEWEST 36-37] [MOVB2D 38, 40] [MVMUL 57] [ELWADD 53] [ELWMUL 57] [GMPOOL 67] The format of SrcA is the
    // override's if the override is on, and the configured one if not.
    if config::ALU_FORMAT_SPEC_REG_SrcA_override.get(config) != 0 {
        config::ALU_FORMAT_SPEC_REG_SrcA_val.get(config)
    } else {
        config::ALU_FORMAT_SPEC_REG0_SrcA.get(config)
    }
}

/// `SrcAFmt`, and whether it is the implied format of a bank of `source`.
pub(super) fn srca_fmt(chip: Chip, small: &Small, source: Source) -> (u32, bool) {
    let (config, thread_config) = config_state(small);
    // [MOVA2D_NEWEST 38-39] [MOVB2D 42-43] [MVMUL 59-60] [ELWADD 55-56] [ELWMUL 59-60] [GMPOOL 69-70] On Blackhole it
    // is the implied one of the Matrix Unit's bank, unless DISABLE_IMPLIED_SRCA_FMT is set.
    if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCA_FMT_Base.get(thread_config) == 0 {
        (source.implied(small), true)
    } else {
        (configured_srca_fmt(config), false)
    }
}

/// `SrcBFmt`.
pub(super) fn srcb_fmt(chip: Chip, small: &Small) -> u32 {
    let (config, thread_config) = config_state(small);
    // [MOVB2D 45-46] [MOVB2A 35-36] [MVMUL 62-63] [ELWADD 58-59] [ELWMUL 62-63] [GMPOOL 72-73] On Blackhole the format
    // of SrcB is the implied one of the Matrix Unit's bank, unless DISABLE_IMPLIED_SRCB_FMT is set.
    if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCB_FMT_Base.get(thread_config) == 0 {
        Source::B.implied(small)
    } else if config::ALU_FORMAT_SPEC_REG_SrcB_override.get(config) != 0 {
        // [MOVB2D 41] [MOVB2A 34, TX-99] [MVMUL 58] [ELWADD 54] [ELWMUL 58] [GMPOOL 68] It is the override's if the
        // override is on, and the configured one if not.
        config::ALU_FORMAT_SPEC_REG_SrcB_val.get(config)
    } else {
        config::ALU_FORMAT_SPEC_REG1_SrcB.get(config)
    }
}

/// Whether `FP16A_FORCE_Enable` of the thread is set.
pub(super) fn is_forced(chip: Chip, small: &Small) -> bool {
    let (_, thread_config) = config_state(small);
    // [MOVA2D_NEWEST 43] [MOVB2D 50] [MVMUL 65] [ELWADD 61] [ELWMUL 65] [GMPOOL 75] FP16A_FORCE_Enable of the thread is
    // asked before the format.
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
    // [MOVB2D 78-79] [ZEROACC_NEWEST 40] It counts whether Fp32_enabled or INT8_math_enabled is set.
    is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) || is_on(config, config::ALU_ACC_CTRL_INT8_math_enabled)
}

/// `TruncateSrc`. *Source*: page MatrixUnit, section Pseudocode helpers.
pub(super) fn truncate_src(chip: Chip, x: U<19>, fmt: u32) -> U<19> {
    // [MOVB2D 108, TX-45] [MOVB2A 60, TX-99] [MATRIX_UNIT_NEWEST 84-98] [MVMUL 102, 114] [ELWADD 95-96] [ELWMUL 99-100]
    // [GMPOOL 138-139] On Wormhole a datum is cut on its way out of a source by that source's own format, in moves too;
    // on Blackhole it is not.
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
    // [MOVA2D_NEWEST 65, 87] [MOVB2D 76, 107] [MOVB2A 38, 59] Unless Zero_Flag_disabled_src is set, a datum whose low
    // eight bits are 0 becomes 0.
    let flush_denormals = !is_on(config, config::ALU_ACC_CTRL_Zero_Flag_disabled_src);
    if flush_denormals && (x & 0xff).get() == 0 { U::new(0) } else { x }
}

/// The first row of `Dst`, before its low bits are cleared.
pub(super) fn first_dst_row(small: &Small, code_row: u32) -> U<10> {
    let (config, thread_config) = config_state(small);
    // [MOVA2D_NEWEST 67-70] [MOVB2D 83-86] [ZEROACC_NEWEST 37-39] [MVMUL 88-89] [ELWADD 83-84] [ELWMUL 87-88]
    // [GMPOOL 119-120] To the row are added MATH_Offset, the thread's counter of Dst, and DEST_REGW_BASE.
    let mut row = U::<10>::new(code_row);
    row += U::new(config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread_config));
    row += U::new(small.rwcs[current_thread(small)].dst) + U::new(config::DEST_REGW_BASE_Base.get(config));
    row
}

/// Breaks off if the Matrix Unit may not use its bank of a source.
fn wait_gate(source: Source, small: &Small, citation: &'static Citation) -> ControlFlow<Expectation> {
    // [MOVA2D_NEWEST 23, 26-28] [MOVB2D 25, 28-30] [MOVB2A 22, 25-27] The instruction waits as long as the Matrix
    // Unit's bank of the source is not the Matrix Unit's to use.
    if source.is_owned(small) { ControlFlow::Continue(()) } else { ControlFlow::Break(Expectation::Blocked(citation)) }
}

/// The counters advance as the AddrMod bits select.
fn finish(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [MOVA2D_NEWEST 114-115] [MOVB2D 135-136] [MOVB2A 65-66] [ZEROACC_NEWEST 83] The counters advance as the AddrMod
    // bits select.
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
        // [MOVA2D_NEWEST 41-45] [MOVB2D 48-50, 55-56] With FP16A_FORCE_Enable the exponent has five bits, and 16 bits
        // are written.
        if is_forced(chip, small) {
            return ToDst { chip, use_8b_exponent: false, use_dst32b: false, use_dst32b_lo };
        }
        let fp32_enabled = is_on(config, config::ALU_ACC_CTRL_Fp32_enabled);
        // [MOVA2D_NEWEST 46-53] [MOVB2D 57-63] On Blackhole Fp32_enabled has the format count as TF32, so that 32 bits
        // are written where the rest of Dst has 32; on Wormhole it does not.
        let srca_fmt = if chip == Chip::Blackhole && fp32_enabled { TF32 } else { srca_fmt };
        // [MOVA2D_NEWEST 54-61] [MOVB2D 65-72] Fp32_enabled, INT8_math_enabled and eight formats give an exponent of
        // eight bits. INT8_math_enabled does not have 32 bits written.
        let use_8b_exponent = accumulates_32_bits(config) || is_8b_exponent_format(srca_fmt);
        // [MOVA2D_NEWEST 63] [MOVB2D 74] Of TF32 32 bits are written.
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
        // [MOVA2D_NEWEST 84] [MOVB2D 104] All sixteen columns of a row.
        for column in 0..COLUMNS {
            // [MOVA2D_NEWEST 85] [MOVB2D 105] A column is skipped if its bit of BLOCK_DEST_MOV is set.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            num_columns += 1;
            let val = datum(tensix, column);
            // [MOVA2D_NEWEST 88] [MOVB2D 109] Of 19 bits 16 are kept: without low mantissa, or without high exponent.
            let val16b = if self.use_8b_exponent { remove_low_mantissa(val) } else { remove_high_exponent(val) };
            let val16b = dst::narrow(val16b);
            if self.use_dst32b {
                // [MOVA2D_NEWEST 89-91] [MOVB2D 110-112] With UseDst32bLo that is undefined behaviour: on Blackhole
                // what is written is corrupted, and on Wormhole it is hardly useful.
                if self.use_dst32b_lo {
                    return ControlFlow::Break(Expectation::Undefined(LO_OF_32_BIT_DATUM));
                }
                // [MOVA2D_NEWEST 93-96] [MOVB2D 3, 114-117] The low three bits of the mantissa are the top of the low
                // half, which is TF32 and a valid FP32.
                let low_mantissa = dst::narrow(U::<16>::new(((val >> 8) & 7).get() << 13));
                tensix.set_dst_bits(row, column, val16b);
                tensix.set_dst_bits(row + LOW_HALF, column, low_mantissa);
            } else if self.use_dst32b_lo {
                // The high half stays, and that of a row which is not valid counts as 0 (TX-08).
                // [MOVA2D_NEWEST 97-105] [MOVB2D 3, 118-126] The low half of Dst32b is replaced. That is of use for
                // packing two values of 16 bits: TF32 first, then another format.
                let high = if tensix.dst_row_valid(row) { tensix.dst_bits(row, column) } else { 0 };
                tensix.set_dst_bits(row, column, high);
                tensix.set_dst_bits(row + LOW_HALF, column, val16b);
            } else {
                // [MOVA2D_NEWEST 106-109] [MOVB2D 3, 127-130] BF16 or FP16 is written to Dst16b as it is.
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
// [MOVDBGA2D 3] It is MOVA2D, but for the bank of SrcA, which it does not wait for.
pub fn movdbga2d(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(MOVDBGA2D, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    let (config, _) = config_state(small);
    // [MOVDBGA2D 23] DISABLE_IMPLIED_SRCA_FMT should be set on Blackhole: of a bank that is not the Matrix Unit's the
    // implied format is ill-specified. In practice it is SFPU_DEST_FMT, which is not to be relied on.
    // [MOVDBGA2D 23] Only where the format is TF32 whatever else says so does it not matter that a bank which is not
    // the Matrix Unit's has no implied format.
    let is_tf32_anyway = is_on(config, config::ALU_ACC_CTRL_Fp32_enabled) && !is_forced(chip, small);
    if srca_fmt(chip, small, Source::A).1 && !is_tf32_anyway && !Source::A.is_owned(small) {
        return ControlFlow::Break(Expectation::Unspecified(cite!(MOVDBGA2D, "line 23", IMPLIED_REASON)));
    }
    move_a_to_dst(step, tensix)
}

/// What both do once dispatched.
fn move_a_to_dst(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [MOVA2D_NEWEST 31, 33-34] Configuration comes from the bank that the thread's StateID names.
    let small = &*tensix.small;
    let (fmt, _) = srca_fmt(Chip::of(step.instruction), small, Source::A);
    let to_dst = ToDst::of(step, small, fmt);
    let mut dst_row = first_dst_row(small, DST_ROW.get(step.code));
    // [MOVA2D_NEWEST 71] To the row is added the thread's counter of SrcA.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::A.counter(small));
    // [MOVA2D_NEWEST 72-79] With Move8Rows there are eight rows from a multiple of eight on, and without it there is
    // one.
    let num_rows = if MOVE8_ROWS.get(step.code) != 0 {
        (dst_row, src_row) = (dst_row & 0x3f8, src_row & 0x38);
        8
    } else {
        1
    };
    // [MOVA2D_NEWEST 82-83] Then the rows are copied; both sides go up by one.
    for _ in 0..num_rows {
        to_dst.write_row(tensix, dst_row, |tensix, column| {
            // [MOVA2D_NEWEST 86-87] A datum is read from the Matrix Unit's bank, and a denormal flushed.
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
    // [MOVB2D 33, 35-36] Configuration comes from the bank that the thread's StateID names.
    let (config, _) = config_state(small);
    // [MOVB2D 51-53] That is unsupported: nobody is known to use it, and what the page has is not certain.
    if is_forced(chip, small) {
        return ControlFlow::Break(Expectation::Unsupported(cite!(
            MOVB2D,
            "lines 50-51",
            "FP16A_FORCE_Enable is unsupported functionality here"
        )));
    }
    // [MOVB2D 39] That is not a misprint: SrcA's format decides how data of SrcB are written.
    let (fmt, _) = srca_fmt(chip, small, Source::B);
    let to_dst = ToDst::of(step, small, fmt);
    let srcb_fmt = srcb_fmt(chip, small);
    // [MOVB2D 78-80] If what is written has another width than Dst has, the wrong mark of a row would be set: undefined
    // behaviour.
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
    // [MOVB2D 87] To the row is added the thread's counter of SrcB.
    let mut src_row = U::<6>::new(SRC_ROW.get(step.code)) + U::new(Source::B.counter(small));
    let num_rows = if row_to_8 {
        // [MOVB2D 3, 88-91] With Broadcast1RowTo8 one row goes to eight, from a multiple of eight on.
        dst_row = dst_row & 0x3f8;
        8
    } else if how.move4_rows.get(step.code) != 0 {
        // [MOVB2D 3, 92-95] With Move4Rows four rows go, from a multiple of four on.
        (dst_row, src_row) = (dst_row & 0x3fc, src_row & 0x3c);
        4
    } else {
        // [MOVB2D 3, 96-99] Otherwise one row goes.
        1
    };
    // [MOVB2D 102-103] Then the rows are copied; the source stays where it is if one row goes to eight.
    for _ in 0..num_rows {
        to_dst.write_row(tensix, dst_row, |tensix, column| {
            // [MOVB2D 3, 106-108] A datum, or that of column 0 for all columns, is flushed, and cut by the format of
            // SrcB.
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

/// `Dst16b[row][column]` for the Matrix Unit: of a row that is not valid 0, which stays so.
pub(super) fn read_dst16b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> U<16> {
    let row = adj16(chip, tensix.small, row).index();
    // [ZEROACC_NEWEST 5] The Matrix Unit reads a row that is not valid as 0.
    let is_valid = tensix.dst_row_valid(row);
    let value = u32::from(tensix.dst_bits(row, column));
    if is_valid { U::new(value) } else { U::new(0) }
}

/// `Dst32b[row][column]` for the Matrix Unit: of a row that is not valid 0, which stays so.
pub(super) fn read_dst32b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> u32 {
    let row = adj32_of(chip, tensix.small, row).index();
    // [ZEROACC_NEWEST 5] The Matrix Unit reads a row that is not valid as 0.
    let is_valid = tensix.dst_row_valid(row);
    let [high, low] = [row, row + LOW_HALF].map(|row| u32::from(tensix.dst_bits(row, column)));
    if is_valid { high << 16 | low } else { 0 }
}

// ------------------------------------------------------------------------------------------------ MOVB2A

/// `MOVB2A`: move one row or four rows from `SrcB` to `SrcA`. *Source*: page MOVB2A.
// [MOVB2A 71] Nothing waits for the bank of SrcA to be the Matrix Unit's; STALLWAIT can.
pub fn movb2a(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    wait_gate(Source::B, tensix.small, cite!(MOVB2A, "lines 22-28", WAIT_GATE_REASON))?;
    check(step, cite!(MOVB2A, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (chip, small) = (Chip::of(step.instruction), &*tensix.small);
    // [MOVB2A 30, 32-33] Configuration comes from the bank that the thread's StateID names.
    let srcb_fmt = srcb_fmt(chip, small);
    // [MOVB2A 40-43] To each row is added the thread's counter of its source.
    let mut srca_row = U::<6>::new(SRCA_ROW.get(step.code)) + U::new(Source::A.counter(small));
    let mut srcb_row = U::<6>::new(SRCB_ROW.get(step.code)) + U::new(Source::B.counter(small));
    // [MOVB2A 3, 44-51] With Move4Rows there are four rows, from a multiple of four on, and without it there is one.
    let num_rows = if MOVE4_ROWS.get(step.code) != 0 {
        (srca_row, srcb_row) = (srca_row & 0x3c, srcb_row & 0x3c);
        4
    } else {
        1
    };
    // [MOVB2A 54-55] Then the rows are copied; both sides go up by one.
    for _ in 0..num_rows {
        for column in 0..COLUMNS {
            // [MOVB2A 56-57] Of all sixteen columns one is skipped if its bit of BLOCK_DEST_MOV is set.
            if block_dest_mov(tensix.small, column) {
                continue;
            }
            // [MOVB2A 58-61] A datum is flushed and cut by the format of SrcB, and goes to the Matrix Unit's bank of
            // SrcA.
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

#[cfg(test)]
mod tests;
