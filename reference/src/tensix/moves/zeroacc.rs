//! `ZEROACC`: mark rows of `Dst` as invalid.
//!
//! *Source*: page ZEROACC (commit 98f32c22). *Errata*: TX-32, TX-40.

// Of page `ZEROACC_NEWEST`.
// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.
//
// Of `isa/src/tensix/inst/call_syntax.rs, print`, shown by `encodings_and_texts_round_trip`:
// [14-15] The first operand is UseDst32b, shifted left by two, with Mode added.
// [16] The second is AddrMod, two bits.
// [17] The third is Imm10, ten bits.
// [20] None is Revert; who wants it writes the code itself.
//
// Of `isa/src/tensix/inst/mod.rs, OPCODE`, shown by `encodings_and_texts_round_trip`:
// [24, TX-40] A picture shows where the opcode and the fields lie in the word.
//
// [4] Packers read a row that is not valid as zero. Not modelled: no Packer is in the state.
// [7] An unpack that writes some columns of such a row is undefined behaviour. Not modelled: it is not this instruction, and UNPACR
// says so.
// [9] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::moves::{IMM10, ZEROACC_MODE, revert, use_dst32b};
use tandem_isa::tensix::{Chip, Tensix, ZEROACC_NEWEST};
use tandem_isa::{Expectation, Step};

use super::{accumulates_32_bits, adj32_of, config_state, finish, first_dst_row};
use crate::tensix::{UNNAMED_REASON, check};

/// Executes a `ZEROACC`. The marks go by the rows of `DstBits`. *Source*: the functional model, lines 29-84.
// [3] One row, 16, 512 or all 1024 are marked.
// [5-6] How units read such rows is a matter of their instructions.
pub fn zeroacc(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    check(step, cite!(ZEROACC_NEWEST, "sections Syntax and Encoding", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [29-32] With Revert rows would become valid instead, which is only for who knows; it is undefined behaviour.
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
        // [34, 89] Mode 0 is one row, …
        0 => {
            // [35-39] … to whose number MATH_Offset, the thread's counter and DEST_REGW_BASE are added.
            let row = first_dst_row(tensix.small, imm10);
            // [35-36] Configuration comes from the bank that the thread's StateID names.
            let (config, _) = config_state(tensix.small);
            // [40-43] Where Dst has 32 bits the row is one of Dst32b.
            let row = if accumulates_32_bits(config) { adj32_of(chip, tensix.small, row) } else { row };
            tensix.set_dst_row_valid(row.index(), false);
        }
        // [45-46, 90] Mode 1 is sixteen rows.
        1 => {
            // [47-49] Beyond 255 nothing is promised; in practice the low eight bits count.
            let block = imm10 as usize & 0xff;
            let is_wide = use_dst32b(chip).get(code) != 0;
            // [52-53, 60-61] There are 32 blocks of 32 bits, and 64 of 16 bits.
            // [55-57, 63-65] Beyond the last one nothing is promised; in practice nothing happens.
            let is_within = block < if is_wide { 32 } else { 64 };
            if imm10 > 0xff || !is_within {
                promise = ControlFlow::Break(Expectation::NonContractual(cite!(
                    ZEROACC_NEWEST,
                    "lines 47-51, 55-59 and 63-67",
                    "what becomes of a number of 16 rows beyond 255, or beyond the last of Dst, is not promised"
                )));
            }
            for i in (0..16).filter(|_| is_within) {
                // [54, 62] A block of 32 bits is two runs of eight rows, with eight rows between them.
                let row = if is_wide { block * 32 + (i & 8) * 2 + (i & 7) } else { block * 16 + i };
                tensix.set_dst_row_valid(row, false);
            }
        }
        // [69, 91] Mode 2 is a half of Dst.
        2 => {
            // [70-75] The lowest bit chooses the high or the low half.
            let first = if imm10 & 1 != 0 { 512 } else { 0 };
            (first..first + 512).for_each(|row| tensix.set_dst_row_valid(row, false));
        }
        // [77-78, 92] Mode 3 is all of Dst.
        _ => (0..1024).for_each(|row| tensix.set_dst_row_valid(row, false)),
    }
    // [82-83] The counters advance in the first two modes only.
    if ZEROACC_MODE.get(code) < 2 {
        finish(step, tensix)?;
    }
    promise
}
