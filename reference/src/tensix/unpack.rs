//! `SETDVALID` of the Miscellaneous Unit, and the four forms of `UNPACR_NOP`, which the Unpackers execute.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::unpack::REG2_Out_data_format;
use tandem_isa::tensix::config::{self, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::inst::unpack::{
    NOP_BOTH_BANKS, NOP_BOTH_BANKS_BH, NOP_NEGATIVE_INF_SRCA, SET_SRCA, SET_SRCB, WAIT_LIKE_UNPACR,
    WAIT_LIKE_UNPACR_BH, WHICH_UNPACKER,
};
use tandem_isa::tensix::{
    Chip, MATRIX_UNIT, SETDVALID, Small, Tensix, UNPACKERS, UNPACR_NOP_OVERLAY_CLEAR, UNPACR_NOP_SETDVALID,
    UNPACR_NOP_SETREG, UNPACR_NOP_ZEROSRC,
};
use tandem_isa::{Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const BLACKHOLE_REASON: &str =
    "on Blackhole the implied format of a bank that SETDVALID gives away is ill-specified: unsupported functionality";
const BOTH_REASON: &str = "it waits for one bank, so that with BothBanks the other one may be in use: unsupported";
const WAIT_REASON: &str = "the instruction is held for as long as the bank that it waits for is not the Unpackers'";
const SRCB_REASON: &str = "NegativeInfSrcA has no effect on SrcB on Wormhole, which is not contractual";
const MMIO_REASON: &str = "what would write a memory-mapped register has no known usage: unsupported functionality";

/// `SETDVALID`: give banks of the Unpackers to the Matrix Unit, and go on to the others.
///
/// *Source*: page SETDVALID, commit 061b62d1.
// Of page `SETDVALID`.
// [3] The Unpackers' banks of SrcA and SrcB are given to the Matrix Unit, and they get ready to write to the other ones.
// [7] CLEARDVALID is related. Not modelled: its own page says how.
// [9] The Miscellaneous Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn setdvalid(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [14-15] Two bits for what is flipped. (`encodings_and_texts_round_trip`)
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETDVALID, "lines 14-15 and 20", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [5] On Blackhole it is not supported; what it records as a format is a stale one, and nobody should count on it.
    // [25] Blackhole goes before all else.
    if chip == Chip::Blackhole {
        // [26] The functionality is unsupported.
        // [30-31] The implied format of the bank of SrcA is then unpredictable. Not modelled: nothing is promised after
        // line 26.
        // [38-39] The implied format of the bank of SrcB is then unpredictable. Not modelled: nothing is promised after
        // line 26.
        return ControlFlow::Break(Expectation::Unsupported(cite!(
            SETDVALID,
            "lines 5, 25-27, 30-32 and 38-40",
            BLACKHOLE_REASON
        )));
    }
    // [28] With FlipSrcA the first Unpacker's bank of SrcA is given away.
    if SET_SRCA.get(code) != 0 {
        // [29, TX-52] It becomes the Matrix Unit's.
        small.srca_allowed_client[U::<1>::new(small.unpackers_src_bank[0]).index()] = MATRIX_UNIT;
        small.unpackers_src_bank[0] ^= 1; // [33] The Unpacker goes over to the other one.
        begin_bank(chip, small, 0); // [34] It begins at the thread's SRCA_SET_Base, in units of sixteen rows.
    }
    // [36] With FlipSrcB the second Unpacker's bank of SrcB is given away.
    if SET_SRCB.get(code) != 0 {
        // [37, TX-52] It becomes the Matrix Unit's.
        small.srcb_allowed_client[U::<1>::new(small.unpackers_src_bank[1]).index()] = MATRIX_UNIT;
        small.unpackers_src_bank[1] ^= 1; // [41] The Unpacker goes over to the other one.
        begin_bank(chip, small, 1); // [42] It begins at the thread's SRCB_SET_Base, in units of sixteen rows.
    }
    ControlFlow::Continue(())
}

/// An Unpacker begins with a bank: `Unpackers[unpacker].SrcRow[CurrentThread] = SRCA_SET_Base << 4`, or `SRCB_SET_Base`.
fn begin_bank(chip: Chip, small: &mut Small, unpacker: usize) {
    // [SETDVALID 34, 42] [UNPACR_NOP_SETDVALID 28, 35] The Unpacker begins its next bank at the row that the thread
    // configures for it.
    let thread = U::<2>::new(small.current_thread).index();
    let base = set_base(chip, &small.thread_config[thread])[unpacker];
    small.unpackers_src_row[unpacker][thread] = U::<6>::new(base << 4).get();
}

/// `SRCA_SET_Base` and `SRCB_SET_Base`, which do not lie at one place on both chips.
fn set_base(chip: Chip, thread_config: &[u16; THREAD_CONFIG_WORDS]) -> [u32; 2] {
    // [SETDVALID 34, 42] [UNPACR_NOP_SETDVALID 28, 35] Each Unpacker has a row of its own.
    match chip {
        Chip::Wormhole => [config::SRCA_SET_Base.get(thread_config), config::SRCB_SET_Base.get(thread_config)],
        Chip::Blackhole => [blackhole::SRCA_SET_Base.get(thread_config), blackhole::SRCB_SET_Base.get(thread_config)],
    }
}

/// `UNPACR_NOP_ZEROSRC`: set a bank of `SrcA` or of `SrcB` to zero, or to negative infinity.
///
/// *Source*: page UNPACR_NOP_ZEROSRC, commit 512b6bf1.
// Of page `UNPACR_NOP_ZEROSRC`.
// [3] It is like ZEROSRC, but comes after earlier instructions to the same Unpacker. Not modelled: each instruction ends
// before the next.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [69] In the same cycle as some ZEROSRC of the Matrix Unit it clears the banks that that one chooses. Not modelled: cycle
// timing is out of scope by decision.
// [71] Without WaitLikeUnpacr it overlaps no ZEROSRC of the Matrix Unit's current bank; with it, software has to see that it
// does not race with that of another thread. Not modelled: cycle timing is out of scope by decision.
pub fn unpacr_nop_zerosrc(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-14, TX-46] The Unpacker, and a sum of three bits and of those that select the form.
    // (`encodings_and_texts_round_trip`)
    // [19, TX-46] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_NOP_ZEROSRC, "lines 10-14 and 19", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let [both_banks, wait_like_unpacr] = match chip {
        Chip::Wormhole => [NOP_BOTH_BANKS.get(code), WAIT_LIKE_UNPACR.get(code)],
        Chip::Blackhole => {
            // [UNPACR_NOP_ZEROSRC 11, 32, 36] Two bits say what is waited for.
            let wait = WAIT_LIKE_UNPACR_BH.get(code);
            [
                NOP_BOTH_BANKS_BH.get(code),
                reads!(wait, "tx46-blackhole-waits-by-the-bit-of-wormhole", WAIT_LIKE_UNPACR.get(code)),
            ]
        }
    };
    // [24] BothBanks goes before all else.
    if both_banks != 0 {
        // [25] The functionality is unsupported: the wait is for one bank, and the other may be in use.
        return ControlFlow::Break(Expectation::Unsupported(cite!(UNPACR_NOP_ZEROSRC, "lines 24-26", BOTH_REASON)));
    }
    let small = &*tensix.small;
    let which_unpacker = U::<1>::new(WHICH_UNPACKER.get(code));
    // [28] What is cleared is the bank that the Unpacker uses.
    let unpack_bank = U::<1>::new(small.unpackers_src_bank[which_unpacker.index()]);
    // [30-31] First it waits for a bank, which may be another. The first Unpacker has SrcA.
    let owner = if which_unpacker == U::new(0) {
        // [32] It waits for its own bank with WaitLikeUnpacr, and else for that of the Matrix Unit.
        let bank = if wait_like_unpacr != 0 { unpack_bank } else { U::new(small.matrix_unit_srca_bank) };
        small.srca_allowed_client[bank.index()]
    } else {
        // [35-36] The second has SrcB. It waits for its own bank with WaitLikeUnpacr, and else for that of the Matrix Unit.
        let bank = if wait_like_unpacr != 0 { unpack_bank } else { U::new(small.matrix_unit_srcb_bank) };
        small.srcb_allowed_client[bank.index()]
    };
    if owner != UNPACKERS {
        // [33, 37] It is held as long as that bank of SrcA, or of SrcB, is not the Unpackers'.
        return ControlFlow::Break(Expectation::Blocked(cite!(UNPACR_NOP_ZEROSRC, "lines 30-39", WAIT_REASON)));
    }

    let negative_inf = NOP_NEGATIVE_INF_SRCA.get(code) != 0;
    // [44, TX-43] The value is all ones with NegativeInfSrcA, and else 0.
    let ones = U::<19>::new(reads!(!0, "tx43-nop-negative-infinity-without-mantissa", 1 << 18 | 0xff));
    let mut clear_val = if negative_inf { ones } else { U::new(0) };
    // [41-42] Then it clears. Each bank is looked at.
    for bank in 0..2 {
        // [43] Without BothBanks it is the Unpacker's own that is cleared, whichever it waited for.
        if U::new(bank) != unpack_bank {
            continue;
        }
        let bank = U::<1>::new(bank).index();
        // [45] The first Unpacker clears SrcA.
        if which_unpacker == U::new(0) {
            // [46-47] Each row of it, and each column of that.
            for i in 0..64 {
                for j in 0..16 {
                    tensix.srca_row_mut(bank, i)[j] = clear_val.get(); // [48] It gets the value.
                }
            }
        } else {
            // [51] The second clears SrcB.
            // [52] On Wormhole NegativeInfSrcA is not for SrcB.
            if chip == Chip::Wormhole && negative_inf {
                // [53] That is not contractual.
                // [54] The value is 0 all the same; on Blackhole the bit is part of a field that is for SrcB as well.
                clear_val = U::new(0);
            }
            // [57-58] Each row of it, and each column of that.
            for i in 0..64 {
                for j in 0..16 {
                    tensix.srcb_row_mut(bank, i)[j] = clear_val.get(); // [59] It gets the value.
                }
            }
        }
    }
    if which_unpacker != U::new(0) && chip == Chip::Wormhole && negative_inf {
        // [UNPACR_NOP_ZEROSRC 52-53] What becomes of the other values of SrcB is not promised.
        return ControlFlow::Break(Expectation::NonContractual(cite!(UNPACR_NOP_ZEROSRC, "lines 52-56", SRCB_REASON)));
    }
    ControlFlow::Continue(())
}

/// `UNPACR_NOP_SETDVALID`: give an Unpacker's bank to the Matrix Unit, and go on to the other.
///
/// *Source*: page UNPACR_NOP_SETDVALID, commit 061b62d1.
// Of page `UNPACR_NOP_SETDVALID`.
// [3] It is like SETDVALID, but comes after earlier instructions to the same Unpacker. Not modelled: each instruction ends
// before the next.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [41] It does not wait until the bank is the Unpackers'; software that wants this may put a STALLWAIT before it. Not
// modelled: nothing is waited for; of which condition does so TX-47 speaks.
pub fn unpacr_nop_setdvalid(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10, TX-46] The Unpacker, and bits that select the form. (`encodings_and_texts_round_trip`)
    // [15, TX-46] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_NOP_SETDVALID, "lines 10 and 15", UNNAMED_REASON))?;
    let chip = Chip::of(step.instruction);
    let thread = U::<2>::new(small.current_thread).index();
    // [20] The thread selects a bank of the configuration.
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(&small.thread_config[thread]));
    let config_state = small.config[state_id.index()]; // [21] What is read is that bank's.
    // [22] The first Unpacker has SrcA.
    if WHICH_UNPACKER.get(step.code) == 0 {
        let bank = U::<1>::new(small.unpackers_src_bank[0]).index();
        small.srca_allowed_client[bank] = MATRIX_UNIT; // [23, TX-52] Its bank becomes the Matrix Unit's.
        // [24] On Blackhole the bank has a format.
        if chip == Chip::Blackhole {
            small.implied_srca_fmt[bank] = REG2_Out_data_format.get(chip, 0, &config_state); // [25] It is the output format of the first section.
        }
        small.unpackers_src_bank[0] ^= 1; // [27] The Unpacker goes over to the other one.
        begin_bank(chip, small, 0); // [28] It begins at the thread's SRCA_SET_Base, in units of sixteen rows.
    } else {
        // [29] The second has SrcB.
        let bank = U::<1>::new(small.unpackers_src_bank[1]).index();
        small.srcb_allowed_client[bank] = MATRIX_UNIT; // [30, TX-52] Its bank becomes the Matrix Unit's.
        // [31] On Blackhole the bank has a format.
        if chip == Chip::Blackhole {
            small.implied_srcb_fmt[bank] = REG2_Out_data_format.get(chip, 1, &config_state); // [32] It is the output format of the second section.
        }
        small.unpackers_src_bank[1] ^= 1; // [34] The Unpacker goes over to the other one.
        begin_bank(chip, small, 1); // [35] It begins at the thread's SRCB_SET_Base, in units of sixteen rows.
    }
    ControlFlow::Continue(())
}

/// `UNPACR_NOP_SETREG`: write a memory-mapped register, which is not supported.
///
/// *Source*: page UNPACR_NOP_SETREG, commit 6675d105.
// Of page `UNPACR_NOP_SETREG`.
// [3] After earlier reads of the Unpacker from L1 a word of a small window of the address space is written, which is not
// supported: nobody is known to use it, and little orders it.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [24] It comes after the L1 reads of earlier instructions to the same Unpacker. Not modelled: each instruction ends before
// the next.
// [45] SetRegBase is set by TDMA-RISC, which can read SetRegAcc as well. Not modelled: neither is in the state.
// [47] Where the bits of the address come from. Not modelled: no address space is in the state.
pub fn unpacr_nop_setreg(step: &Step<'_>, _: &mut Small) -> ControlFlow<Expectation> {
    // [10-15, TX-46] The Unpacker, and a sum of four fields and of bits that select the form.
    // (`encodings_and_texts_round_trip`)
    // [20, TX-46] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_NOP_SETREG, "lines 10-15 and 20", UNNAMED_REASON))?;
    // [27] The functionality is unsupported.
    // [29] The address is put together. Not modelled: nothing is promised after line 27.
    // [31-37, 39] With Accumulate the value is added to the Unpacker's accumulator, whose 17 bits are written, or which a value of
    // 0 clears. Not modelled: nothing is promised after line 27.
    // [40-41] Without it the value is written. Not modelled: nothing is promised after line 27.
    ControlFlow::Break(Expectation::Unsupported(cite!(UNPACR_NOP_SETREG, "lines 3 and 27-42", MMIO_REASON)))
}

/// `UNPACR_NOP_OVERLAY_CLEAR`: clear a message of a stream, which is not supported.
///
/// *Source*: page UNPACR_NOP_OverlayClear, commit 6675d105.
// Of page `UNPACR_NOP_OVERLAY_CLEAR`.
// [3] It is like UNPACR_NOP_SETREG for a register of the NoC Overlay, and not supported: nobody is known to use it, and little
// orders it.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [36] What the register does. Not modelled: other pages say so, and it is not in the state.
pub fn unpacr_nop_overlay_clear(step: &Step<'_>, _: &mut Small) -> ControlFlow<Expectation> {
    // [10-14, TX-46] The Unpacker alone, or a sum of two fields and of bits that select the form.
    // (`encodings_and_texts_round_trip`)
    // [19-20, TX-46] Two pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_NOP_OVERLAY_CLEAR, "lines 10-14 and 19-20", UNNAMED_REASON))?;
    // [25] The functionality is unsupported.
    // [27-31] The stream is that of the word if there is a ClearCount, and else one that the thread's configuration has for
    // the Unpacker. Not modelled: nothing is promised after line 25.
    // [33] Its register is written. Not modelled: nothing is promised after line 25.
    ControlFlow::Break(Expectation::Unsupported(cite!(UNPACR_NOP_OVERLAY_CLEAR, "lines 3 and 25-33", MMIO_REASON)))
}

#[cfg(test)]
mod tests;
