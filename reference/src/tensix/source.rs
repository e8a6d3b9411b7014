//! Instructions of the Matrix Unit that change `SrcA` or `SrcB` in place: `ZEROSRC`, `TRNSPSRCB`, `SHIFTXB` and `SHIFTXA`.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::source::{
    ADDR_MOD, ADDR_MOD_BH, BOTH_BANKS, CLEAR_SRCA, CLEAR_SRCB, DIRECTION, NEGATIVE_INF_SRCA, SHIFT_IN_ZERO, SHIFT_ROW,
    SINGLE_BANK_MATRIX_UNIT,
};
use tandem_isa::tensix::{Chip, MATRIX_UNIT, SHIFTXA, SHIFTXB, Small, TRNSPSRCB, Tensix, ZEROSRC};
use tandem_isa::{Citation, Expectation, Step};

use super::rwcs::apply_full_addr_mod;
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const WAIT_GATE_REASON: &str =
    "the instruction is held for as long as the Matrix Unit's current bank of SrcB is not the Matrix Unit's to use";

const SRCA_WAIT_GATE_REASON: &str =
    "the instruction is held for as long as the Matrix Unit's current bank of SrcA is not the Matrix Unit's to use";
const DIRECTION_REASON: &str = "TX-48: no page says what becomes of SrcA in directions 0 and 1";
const BUG_REASON: &str = "which 16 rows are shifted, an earlier instruction decides by a bug of the hardware";

/// `ZEROSRC`: set banks of `SrcA` and `SrcB` to zero, or `SrcA` to negative infinity.
///
/// *Source*: page ZEROSRC, commit 512b6bf1.
// Of page `ZEROSRC`.
// [3] One bank or both of SrcA, of SrcB or of both become 0; SrcA can become negative infinity instead.
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [58] What becomes of Blackhole's implied formats is not known. Not modelled: they are not in the state.
// [63] For a single bank a STALLWAIT with block bit B6 and some of conditions C8 to C11 may come before. Not modelled: cycle
// timing is out of scope by decision.
// [65] In the same cycle it changes which bank an Unpacker's UNPACR_NOP clears. Not modelled: cycle timing is out of scope by
// decision.
pub fn zerosrc(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-14] Five bits. (`encodings_and_texts_round_trip`)
    // [19] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ZEROSRC, "lines 10-14 and 19", UNNAMED_REASON))?;
    let (code, small) = (step.code, &*tensix.small);
    // [24] First it is found out which banks are cleared.
    let mut clear_srca_bank = [false, false]; // [25] No bank of SrcA.
    let mut clear_srcb_bank = [false, false]; // [26] No bank of SrcB.
    // [27] With ClearSrcA some of SrcA are.
    if CLEAR_SRCA.get(code) != 0 {
        // [28] With BothBanks these are all.
        if BOTH_BANKS.get(code) != 0 {
            clear_srca_bank[0] = true; // [29] The first.
            clear_srca_bank[1] = true; // [30] The second.
        } else if SINGLE_BANK_MATRIX_UNIT.get(code) != 0 {
            // [31-32] Without BothBanks, but with SingleBankMatrixUnit, that of the Matrix Unit.
            clear_srca_bank[U::<1>::new(small.matrix_unit_srca_bank).index()] = true;
        } else {
            // [33-34] With neither, that of the first Unpacker.
            clear_srca_bank[U::<1>::new(small.unpackers_src_bank[0]).index()] = true;
        }
    }
    // [37] With ClearSrcB some of SrcB are.
    if CLEAR_SRCB.get(code) != 0 {
        // [38] With BothBanks these are all.
        if BOTH_BANKS.get(code) != 0 {
            clear_srcb_bank[0] = true; // [39] The first.
            clear_srcb_bank[1] = true; // [40] The second.
        } else if SINGLE_BANK_MATRIX_UNIT.get(code) != 0 {
            // [41-42] Without BothBanks, but with SingleBankMatrixUnit, that of the Matrix Unit.
            clear_srcb_bank[U::<1>::new(small.matrix_unit_srcb_bank).index()] = true;
        } else {
            // [43-44] With neither, that of the second Unpacker.
            clear_srcb_bank[U::<1>::new(small.unpackers_src_bank[1]).index()] = true;
        }
    }

    // The page's negative infinity has all bits set, and not only those of sign and exponent.
    // [52, TX-43] With NegativeInfSrcA the value for SrcA is all ones, and without it 0.
    let ones = U::<19>::new(reads!(!0, "tx43-negative-infinity-without-mantissa", 1 << 18 | 0xff));
    let value = if NEGATIVE_INF_SRCA.get(code) != 0 { ones } else { U::new(0) };
    // [48] Then they are cleared.
    // [49] Each bank is looked at.
    for bank in 0..2 {
        // [50] Each row of it.
        for i in 0..64 {
            // [51] Each column of that.
            for j in 0..16 {
                // [52] SrcA gets its value.
                if clear_srca_bank[bank] {
                    tensix.srca_row_mut(bank, i)[j] = value.get();
                }
                // [53] SrcB gets 0.
                if clear_srcb_bank[bank] {
                    tensix.srcb_row_mut(bank, i)[j] = 0;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// `TRNSPSRCB`: transpose rows 16 to 31 of `SrcB`.
///
/// *Source*: page TRNSPSRCB, commit 39304719.
// Of page `TRNSPSRCB`.
// [3] The 16 by 16 matrix in rows 16 to 31 is transposed.
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [19] A picture shows where the data go.
pub fn trnspsrcb(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [23] It may have to wait at the Wait Gate before it reaches the Matrix Unit.
    // [26-27] It waits as long as the Matrix Unit's bank of SrcB is not the Matrix Unit's to use.
    wait_gate(tensix.small, cite!(TRNSPSRCB, "lines 23-29", WAIT_GATE_REASON))?;
    // [10, TX-40] There are no operands. (`encodings_and_texts_round_trip`)
    // [15, TX-40] A picture shows where the opcode lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(TRNSPSRCB, "lines 10 and 15", UNNAMED_REASON))?;
    // [33] The matrix begins at row 16.
    let row_base = U::<6>::new(16);
    // [34] Each row of it is looked at.
    for i in 0..16 {
        // [35] In each the columns left of the diagonal.
        for j in 0..i {
            let ij = srcb(tensix, row_base + U::new(i), U::new(j)); // [36] The datum is read.
            let ji = srcb(tensix, row_base + U::new(j), U::new(i)); // [37] Its mirror image is read.
            set_srcb(tensix, row_base + U::new(i), U::new(j), ji); // [38] It becomes its mirror image.
            set_srcb(tensix, row_base + U::new(j), U::new(i), ij); // [39] Its mirror image becomes it.
        }
    }
    ControlFlow::Continue(())
}

/// `SHIFTXB`: shift or rotate one row of `SrcB` by one column.
///
/// *Source*: page SHIFTXB, commit 39304719.
// Of page `SHIFTXB`.
// [3] One row of SrcB goes to the left by one lane, and the rightmost lane becomes 0 or what came out.
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [23] A picture shows where the data go without ShiftInZero.
// [27] A picture shows where they go with it.
// [54] In the next cycle the Matrix Unit takes no instruction, and hardware holds who has one. Not modelled: cycle timing is
// out of scope by decision.
pub fn shiftxb(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [31] It may have to wait at the Wait Gate before it reaches the Matrix Unit.
    // [34-35] It waits as long as the Matrix Unit's bank of SrcB is not the Matrix Unit's to use.
    wait_gate(tensix.small, cite!(SHIFTXB, "lines 31-37", WAIT_GATE_REASON))?;
    // [10-12] AddrMod, of two bits, and on Blackhole of three; ShiftInZero; SrcRow, of six. (`encodings_and_texts_round_trip`)
    // [17] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SHIFTXB, "lines 10-12 and 17", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [41] The thread's SrcB counter is added to SrcRow, in six bits.
    let thread = U::<2>::new(tensix.small.current_thread).index();
    let src_row = U::<6>::new(SHIFT_ROW.get(code)) + U::new(tensix.small.rwcs[thread].srcb);

    let column0 = srcb(tensix, src_row, U::new(0)); // [43] What comes out is kept.
    // The page prints 14 columns, by which column 14 would keep its datum, and that of column 15 would be lost: neither is a
    // shift or a rotation of the row, which title and summary promise.
    // [44, TX-41] Each column but the last is looked at.
    let shifted = reads!(15, "tx41-shiftxb-leaves-column-14", 14);
    for column in 0..shifted {
        // [45] It gets the datum of the next one.
        let next = srcb(tensix, src_row, U::new(column) + U::new(1));
        set_srcb(tensix, src_row, U::new(column), next);
    }
    // [47] The last one gets 0 with ShiftInZero, and else what came out.
    let last = if SHIFT_IN_ZERO.get(code) != 0 { U::new(0) } else { column0 };
    set_srcb(tensix, src_row, U::new(15), last);

    // [49] At the end the counters advance as the AddrMod bits select, the fidelity phase with them.
    let addr_mod = U::new(match chip {
        Chip::Wormhole => ADDR_MOD.get(code),
        Chip::Blackhole => ADDR_MOD_BH.get(code),
    });
    apply_full_addr_mod(chip, tensix.small, addr_mod)
}

/// `SHIFTXA`: shift 16 rows of `SrcA` by one column into its first 16 rows.
///
/// *Source*: page SHIFTXA, commit 3f3e6e6a.
// Of page `SHIFTXA`.
// [3] Sixteen rows of SrcA go by one lane to the left or to the right, zero comes in, and they become the first 16 rows. A bug
// of the hardware decides which they are.
// [5] The Matrix Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [21] A picture shows where the data go to the right.
// [25] A picture shows where they go to the left.
pub fn shiftxa(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [29] It may have to wait at the Wait Gate before it reaches the Matrix Unit.
    let bank = U::<1>::new(tensix.small.matrix_unit_srca_bank).index();
    // [32-33] It waits as long as the Matrix Unit's bank of SrcA is not the Matrix Unit's to use.
    if tensix.small.srca_allowed_client[bank] != MATRIX_UNIT {
        return ControlFlow::Break(Expectation::Blocked(cite!(SHIFTXA, "lines 29-35", SRCA_WAIT_GATE_REASON)));
    }
    // [10] A 0, and a direction of two bits. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SHIFTXA, "lines 10 and 15", UNNAMED_REASON))?;
    let direction = DIRECTION.get(step.code);
    // [37] Then it reaches the Matrix Unit.
    // [59, TX-49] The rows are those at which one of many earlier instructions began in SrcA, which is not contractual.
    // [39] They begin at a multiple of 16.
    let in_row = U::<6>::new(tensix.small.hardware_bug) & 0x30;

    // [41] Each of sixteen rows is looked at.
    for i in 0..16 {
        let from = (in_row + U::new(i)).index();
        let i = U::<6>::new(i).index();
        // [42, TX-48] The direction decides.
        match direction {
            // [43] To the right.
            DIRECTION_RIGHT => {
                // [44] Each column but the first is looked at, from the last one on.
                for column in (1..16).rev() {
                    // [45] It gets the datum of the one before it.
                    let datum = tensix.srca(bank, from, column - 1);
                    tensix.srca_row_mut(bank, i)[column] = datum;
                }
                tensix.srca_row_mut(bank, i)[0] = 0; // [47] The first one gets 0.
                // [48] That is all.
            }
            // [49] To the left.
            DIRECTION_LEFT => {
                // [50] Each column but the last is looked at.
                for column in 0..15 {
                    // [51] It gets the datum of the next one.
                    let datum = tensix.srca(bank, from, column + 1);
                    tensix.srca_row_mut(bank, i)[column] = datum;
                }
                tensix.srca_row_mut(bank, i)[15] = 0; // [53] The last one gets 0.
                // [54] That is all.
            }
            _ => {
                return ControlFlow::Break(Expectation::Unspecified(cite!(
                    SHIFTXA,
                    "lines 42-55 and 61-64",
                    DIRECTION_REASON
                )));
            }
        }
    }
    // [SHIFTXA 59] Hardware does not do it as it was meant, and what it does is not to be relied on.
    ControlFlow::Break(Expectation::NonContractual(cite!(SHIFTXA, "line 59", BUG_REASON)))
}

// Of page `SHIFTXA`.
const DIRECTION_RIGHT: u32 = 2; // [63] The number of the right.
// Of page `SHIFTXA`.
const DIRECTION_LEFT: u32 = 3; // [64] The number of the left.

/// Breaks off if the Matrix Unit may not use its bank of `SrcB`.
fn wait_gate(small: &Small, citation: &'static Citation) -> ControlFlow<Expectation> {
    // [TRNSPSRCB 26] [SHIFTXB 34] The instruction waits as long as the Matrix Unit's bank of SrcB is not the Matrix
    // Unit's to use.
    if small.srcb_allowed_client[srcb_bank(small)] != MATRIX_UNIT {
        return ControlFlow::Break(Expectation::Blocked(citation));
    }
    ControlFlow::Continue(())
}

/// `MatrixUnit.SrcBBank`.
fn srcb_bank(small: &Small) -> usize {
    // [TRNSPSRCB 26, 36-39] [SHIFTXB 34, 43-45, 47] The bank is the one that the Matrix Unit uses.
    U::<1>::new(small.matrix_unit_srcb_bank).index()
}

/// `SrcB[MatrixUnit.SrcBBank][row][column]`.
fn srcb(tensix: &mut Tensix<'_>, row: U<6>, column: U<4>) -> U<19> {
    // [TRNSPSRCB 36-37] [SHIFTXB 43-45] A datum of that bank is read.
    let bank = srcb_bank(tensix.small);
    U::new(tensix.srcb_row(bank, row.index())[column.index()])
}

/// Assigns to `SrcB[MatrixUnit.SrcBBank][row][column]`.
fn set_srcb(tensix: &mut Tensix<'_>, row: U<6>, column: U<4>, value: U<19>) {
    // [TRNSPSRCB 38-39] [SHIFTXB 45, 47] A datum of that bank is written.
    let bank = srcb_bank(tensix.small);
    tensix.srcb_row_mut(bank, row.index())[column.index()] = value.get();
}

#[cfg(test)]
mod tests;
