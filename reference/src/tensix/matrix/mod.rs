//! Instructions that compute on `SrcA` and `SrcB` and write `Dst`.
//!
//! [`integer`] has those that multiply and add, in their integer style; [`pool`] has `GMPOOL`. This file has what their pages
//! share, and what page MatrixUnit (commit 1ae1f852) defines for them.
//!
//! A number in brackets is a line of a page, counted from 1, behind the name of the page. Each page serves both chips and both
//! editions. After an outcome that promises nothing the state is of no meaning. A comment that only names lines of a page says
//! which of them the code below carries out.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

pub mod integer;
pub mod pool;

pub use {integer::*, pool::*};

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, CONFIG_WORDS, blackhole};
use tandem_isa::tensix::format::{BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32};
use tandem_isa::tensix::inst::control::{FLIP_SRCA, FLIP_SRCB};
use tandem_isa::tensix::inst::mova2d::DST_ROW;
use tandem_isa::tensix::{Chip, Small, Tensix, UNPACKERS};
use tandem_isa::{Citation, CodeField, Expectation, Step};

use super::dst::{COLUMNS, LOW_HALF, adj32_of, finish_row, narrow};
use super::mova2d::{config_state, current_thread};
use super::moves::{Source, first_dst_row, is_forced, is_on, srca_fmt, srcb_fmt};
use super::rwcs::apply_full_addr_mod;
use crate::bits::U;

const WAIT_GATE_REASON: &str =
    "the instruction is held for as long as a current bank of SrcA or SrcB is not the Matrix Unit's to use";
const FORCED_REASON: &str = "FP16A_FORCE_Enable is unsupported functionality";

/// Breaks off if the Matrix Unit may not use its bank of either source.
// [MVMUL 39] [ELWADD 35] [ELWMUL 39] [GMPOOL 49] It may have to wait at the Wait Gate before it reaches the Matrix Unit.
fn wait_gate(small: &Small, citation: &'static Citation) -> ControlFlow<Expectation> {
    // [MVMUL 42-44] [ELWADD 38-40] [ELWMUL 42-44] [GMPOOL 52-54] It waits as long as the Matrix Unit's bank of SrcA, or that of
    // SrcB, is not the Matrix Unit's to use.
    if Source::A.is_owned(small) && Source::B.is_owned(small) {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(Expectation::Blocked(citation))
    }
}

// ------------------------------------------------------------------------------------------------ formats

/// What data of the sources are taken for: `SrcAStyle`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Int8,
    Bf16,
    Fp16,
    Tf32,
}

/// The formats that an instruction goes by.
struct Formats {
    chip: Chip,
    srca_fmt: u32,
    srcb_fmt: u32,
    style: Style,
}

impl Formats {
    /// *Outcomes*: breaks with [`Expectation::Unsupported`] if the thread has `FP16A_FORCE_Enable`.
    // [MVMUL 53] [ELWADD 49] [ELWMUL 53] [GMPOOL 63] First formats are determined.
    // [MVMUL 54] [ELWADD 50] [ELWMUL 54] [GMPOOL 64] How Blackhole's implied format of SrcB behaves is not known in full. Not
    // modelled: the model below is what there is, and on Blackhole the format of SrcB has no effect in it.
    fn of(step: &Step<'_>, small: &Small, forced: &'static Citation) -> ControlFlow<Expectation, Self> {
        let chip = Chip::of(step.instruction);
        // [MVMUL 50-51] [ELWADD 46-47] [ELWMUL 50-51] [GMPOOL 60-61] Configuration comes from the bank that the thread's
        // StateID names.
        let (config, _) = config_state(small);
        // [MVMUL 57] [ELWADD 53] [ELWMUL 57] [GMPOOL 67] The format of SrcA is configured, in one of two registers.
        // [MVMUL 59-60] [ELWADD 55-56] [ELWMUL 59-60] [GMPOOL 69-70] On Blackhole it is the implied one of the Matrix Unit's
        // bank, unless that is disabled.
        let (srca_fmt, _) = srca_fmt(chip, small, Source::A);
        // [MVMUL 58] [ELWADD 54] [ELWMUL 58] [GMPOOL 68] The format of SrcB is configured, in one of two registers.
        // [MVMUL 62-63] [ELWADD 58-59] [ELWMUL 62-63] [GMPOOL 72-73] On Blackhole it is the implied one of the Matrix Unit's
        // bank, unless that is disabled.
        let srcb_fmt = srcb_fmt(chip, small);
        // [MVMUL 65-66] [ELWADD 61-62] [ELWMUL 65-66] [GMPOOL 75-76] With FP16A_FORCE_Enable the functionality is unsupported.
        // [MVMUL 67-68] [ELWADD 63-64] [ELWMUL 67-68] [GMPOOL 77-79] It may be that the style is FP16 and Dst has 16 bits. Not
        // modelled: nothing is promised after the line before.
        if is_forced(chip, small) {
            return ControlFlow::Break(Expectation::Unsupported(forced));
        }
        // [MVMUL 55] [ELWADD 51] [ELWMUL 55] Then follows the style.
        let style = style(config, srca_fmt);
        ControlFlow::Continue(Formats { chip, srca_fmt, srcb_fmt, style })
    }
}

/// `SrcAStyle` without `FP16A_FORCE_Enable`.
fn style(config: &[u32; CONFIG_WORDS], srca_fmt: u32) -> Style {
    // [MVMUL 69-70] [ELWADD 65-66] [ELWMUL 69-70] [GMPOOL 80-81] With INT8_math_enabled the style is INT8.
    if is_on(config, config::ALU_ACC_CTRL_INT8_math_enabled) {
        return Style::Int8;
    }
    // [MVMUL 72] [ELWADD 68] [ELWMUL 72] [GMPOOL 84] Else it goes by the format of SrcA.
    match srca_fmt {
        // [MVMUL 73-74] [ELWADD 69-70] [ELWMUL 73-74] [GMPOOL 86-87] Seven formats make it BF16.
        FP32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16 => Style::Bf16,
        // [MVMUL 75-76] [ELWADD 71-72] [ELWMUL 75-76] [GMPOOL 93-94] Six others make it FP16.
        FP16 | FP8 | BFP8A | BFP4A | BFP2A | INT8 => Style::Fp16,
        // [MVMUL 77-78] [ELWADD 73-74] [ELWMUL 77-78] [GMPOOL 100-101] TF32 is left, and with it codes 12 and 13, which are no
        // format (TX-10).
        _ => Style::Tf32,
    }
}

// ------------------------------------------------------------------------------------------------ rows and phase

/// The rows that an instruction begins with, before their low bits are cleared.
struct Rows {
    srca: U<6>,
    srcb: U<6>,
    dst: U<10>,
}

impl Rows {
    fn of(step: &Step<'_>, small: &Small) -> Self {
        // [MVMUL 88-89] [ELWADD 83-84] [ELWMUL 87-88] [GMPOOL 119-120] To the row of Dst are added MATH_Offset, the thread's
        // counter and DEST_REGW_BASE.
        let dst = first_dst_row(small, DST_ROW.get(step.code));
        Rows { srca: U::new(Source::A.counter(small)), srcb: U::new(Source::B.counter(small)), dst }
    }
}

/// The fidelity phase.
fn fidelity_phase(chip: Chip, small: &Small) -> U<2> {
    let (_, thread_config) = config_state(small);
    // [MVMUL 92] [ELWMUL 91] Then the fidelity phase is determined.
    // [MVMUL 93] [ELWMUL 92] It begins with the thread's counter.
    let mut phase = U::<2>::new(small.rwcs[current_thread(small)].fidelity_phase);
    // [MVMUL 94] [ELWMUL 93] FIDELITY_BASE_Phase of the thread is added.
    phase += U::new(match chip {
        Chip::Wormhole => config::FIDELITY_BASE_Phase.get(thread_config),
        Chip::Blackhole => blackhole::FIDELITY_BASE_Phase.get(thread_config),
    });
    phase & 3 // [MVMUL 95] [ELWMUL 94] Two bits of it count.
}

// ------------------------------------------------------------------------------------------------ Dst

/// Reads `Dst32b[row][column]`; nothing if the row is not valid.
fn dst32b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> Option<u32> {
    let adj_row = adj32_of(chip, tensix.small, row).index();
    let high = u32::from(tensix.dst_bits(adj_row, column));
    let low = u32::from(tensix.dst_bits(adj_row + LOW_HALF, column));
    // TX-08: one mark counts, and it is that of the row with the high half.
    if tensix.dst_row_valid(adj_row) { Some(high << 16 | low) } else { None }
}

/// Writes `Dst32b[row][column]`.
fn set_dst32b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize, value: u32) {
    let adj_row = adj32_of(chip, tensix.small, row).index();
    tensix.set_dst_bits(adj_row, column, narrow(U::new(value >> 16)));
    tensix.set_dst_bits(adj_row + LOW_HALF, column, narrow(U::new(value)));
}

/// Makes `Dst32b[row]` valid, of which all columns were written.
fn finish_dst32b_row(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>) -> ControlFlow<Expectation> {
    let adj_row = adj32_of(chip, tensix.small, row).index();
    finish_row(tensix, adj_row, COLUMNS)
}

// ------------------------------------------------------------------------------------------------ the end

/// Flips the banks that the word says, and advances the counters as the AddrMod bits select.
fn finish(step: &Step<'_>, tensix: &mut Tensix<'_>, addr_mod: CodeField) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    let small = &mut *tensix.small;
    let (_, thread_config) = config_state(small);
    let keeps_owner = match chip {
        Chip::Wormhole => [config::CLR_DVALID_SrcA_Disable, config::CLR_DVALID_SrcB_Disable],
        Chip::Blackhole => [blackhole::CLR_DVALID_SrcA_Disable, blackhole::CLR_DVALID_SrcB_Disable],
    };
    let [keeps_srca, keeps_srcb] = keeps_owner.map(|field| field.get(thread_config) != 0);
    // [MVMUL 168] [ELWADD 131] [ELWMUL 133] [GMPOOL 173] Then banks may be flipped.
    // [MVMUL 169] [ELWADD 132] [ELWMUL 134] [GMPOOL 174] With FlipSrcA the Matrix Unit's bank of SrcA is.
    if FLIP_SRCA.get(step.code) != 0 {
        // [MVMUL 170] [ELWADD 133] [ELWMUL 135] [GMPOOL 175] Its owner changes unless the thread has CLR_DVALID_SrcA_Disable.
        if !keeps_srca {
            // [MVMUL 171] [ELWADD 134] [ELWMUL 136] [GMPOOL 176] It becomes the Unpackers'.
            small.srca_allowed_client[Source::A.bank(small)] = UNPACKERS;
        }
        // [MVMUL 173] [ELWADD 136] [ELWMUL 138] [GMPOOL 178] The Matrix Unit goes over to the other one.
        small.matrix_unit_srca_bank ^= 1;
    }
    // [MVMUL 175] [ELWADD 138] [ELWMUL 140] [GMPOOL 180] With FlipSrcB the Matrix Unit's bank of SrcB is flipped.
    if FLIP_SRCB.get(step.code) != 0 {
        // [MVMUL 176] [ELWADD 139] [ELWMUL 141] [GMPOOL 181] Its owner changes unless the thread has CLR_DVALID_SrcB_Disable.
        if !keeps_srcb {
            // [MVMUL 177] [ELWADD 140] [ELWMUL 142] [GMPOOL 182] It becomes the Unpackers'.
            small.srcb_allowed_client[Source::B.bank(small)] = UNPACKERS;
        }
        // [MVMUL 179] [ELWADD 142] [ELWMUL 144] [GMPOOL 184] The Matrix Unit goes over to the other one.
        small.matrix_unit_srcb_bank ^= 1;
    }
    // [MVMUL 182-183] [ELWADD 145-146] [ELWMUL 147-148] [GMPOOL 187-188] The counters advance as the AddrMod bits select.
    apply_full_addr_mod(chip, small, U::new(addr_mod.get(step.code)))
}

#[cfg(test)]
mod tests;
