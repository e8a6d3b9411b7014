//! Instructions that change counters, owners of banks and semaphores, and no data: `SETRWC`, `INCRWC` and `CLEARDVALID` of
//! the Matrix Unit, `SEMINIT`, `SEMPOST` and `SEMGET` of the Sync Unit.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::inst::control::{
    DST, DST_CR, DST_CTO_CR, DST_INC, DST_VAL, FIDELITY, FLIP_SRCA, FLIP_SRCB, INDEX, KEEP_READING_SAME_SRC, NEW_MAX,
    NEW_VALUE, RESET, SEMAPHORE_MASK, SRCA, SRCA_CR, SRCA_INC, SRCA_VAL, SRCB, SRCB_CR, SRCB_INC, SRCB_VAL,
};
use tandem_isa::tensix::{
    ATGETM_BH, ATGETM_WH, ATRELM_BH, ATRELM_WH, CLEARDVALID, Chip, INCRWC, SEMGET, SEMINIT, SEMPOST, SETRWC, Small,
    UNPACKERS,
};
use tandem_isa::{Citation, Expectation, Step};

use super::rwcs::advance;
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const RESET_REASON: &str = "Reset takes banks of SrcA and SrcB away from whoever holds them: unsupported functionality";

/// `SETRWC`: set counters of the thread, and perhaps flip the banks of the Matrix Unit.
///
/// *Source*: page SETRWC, commit 39304719.
// Of page `SETRWC`.
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn setrwc(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10-22, 27] Flags, three values of four bits, and a picture of where they lie. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETRWC, "lines 10-22 and 27", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let thread = U::<2>::new(small.current_thread).index(); // [32] The counters are those of the thread.
    let rwc = &mut small.rwcs[thread];
    // [33] With SrcA its counters are set.
    if SRCA.get(code) != 0 {
        let mut value = U::<6>::new(SRCA_VAL.get(code));
        // [34, TX-42] With SrcACr the value grows by SrcA_Cr.
        if SRCA_CR.get(code) != 0 {
            value = sum(value, rwc.srca_cr);
        }
        (rwc.srca, rwc.srca_cr) = (value.get(), value.get()); // [35-36] The counter is set, and its Cr.
    }
    // [38] With SrcB its counters are set.
    if SRCB.get(code) != 0 {
        let mut value = U::<6>::new(SRCB_VAL.get(code));
        // [39, TX-42] With SrcBCr the value grows by SrcB_Cr.
        if SRCB_CR.get(code) != 0 {
            value = sum(value, rwc.srcb_cr);
        }
        (rwc.srcb, rwc.srcb_cr) = (value.get(), value.get()); // [40-41] The counter is set, and its Cr.
    }
    // [43] With Dst its counters are set, and with DstCtoCr alone too.
    if DST.get(code) != 0 || DST_CTO_CR.get(code) != 0 {
        let mut value = U::<10>::new(DST_VAL.get(code));
        // [44-45, TX-42] With DstCtoCr the value grows by the counter, and else with DstCr by Dst_Cr.
        if DST_CTO_CR.get(code) != 0 {
            value = sum(value, rwc.dst);
        } else if DST_CR.get(code) != 0 {
            value = sum(value, rwc.dst_cr);
        }
        (rwc.dst, rwc.dst_cr) = (value.get(), value.get()); // [46-47] The counter is set, and its Cr.
    }
    // [49] With Fidelity the phase is set.
    if FIDELITY.get(code) != 0 {
        rwc.fidelity_phase = 0; // [50] It becomes 0.
    }
    // [53-55] With FlipSrcA the Matrix Unit's bank of SrcA goes to the Unpackers unless CLR_DVALID_SrcA_Disable is set.
    if FLIP_SRCA.get(code) != 0 {
        if !clr_dvalid_disable(chip, &small.thread_config[thread])[0] {
            small.srca_allowed_client[U::<1>::new(small.matrix_unit_srca_bank).index()] = UNPACKERS;
        }
        small.matrix_unit_srca_bank ^= 1; // [57] The Matrix Unit goes over to the other one.
    }
    // [59-61] With FlipSrcB the Matrix Unit's bank of SrcB goes to the Unpackers unless CLR_DVALID_SrcB_Disable is set.
    if FLIP_SRCB.get(code) != 0 {
        if !clr_dvalid_disable(chip, &small.thread_config[thread])[1] {
            small.srcb_allowed_client[U::<1>::new(small.matrix_unit_srcb_bank).index()] = UNPACKERS;
        }
        small.matrix_unit_srcb_bank ^= 1; // [63] The Matrix Unit goes over to the other one.
    }
    ControlFlow::Continue(())
}

/// A value of `SETRWC` with a counter of `N` bits added.
///
/// The page adds to the operand itself, which has four bits in the word: a sum of four bits would be none of the counter's.
fn sum<const N: u32>(value: U<N>, counter: u32) -> U<N> {
    // [SETRWC 34, 39, 44-45] What is added to the counter wraps at its width.
    let sum = value + U::new(counter);
    reads!(sum, "tx42-setrwc-adds-in-four-bits", sum & 15)
}

/// `CLR_DVALID_SrcA_Disable` and `CLR_DVALID_SrcB_Disable`, which do not lie at one place on both chips.
fn clr_dvalid_disable(chip: Chip, thread_config: &[u16; THREAD_CONFIG_WORDS]) -> [bool; 2] {
    // [SETRWC 54, 60] A thread can be kept from giving banks back, for each source by a bit.
    let [srca, srcb] = match chip {
        Chip::Wormhole => {
            [config::CLR_DVALID_SrcA_Disable.get(thread_config), config::CLR_DVALID_SrcB_Disable.get(thread_config)]
        }
        Chip::Blackhole => [
            blackhole::CLR_DVALID_SrcA_Disable.get(thread_config),
            blackhole::CLR_DVALID_SrcB_Disable.get(thread_config),
        ],
    };
    [srca != 0, srcb != 0]
}

/// `INCRWC`: add to counters of the thread.
///
/// *Source*: page INCRWC, commit 39304719.
// Of page `INCRWC`.
// [5] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn incrwc(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10-15] Three bits for what is added to, and three increments of four bits. (`encodings_and_texts_round_trip`)
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(INCRWC, "lines 10-15 and 20", UNNAMED_REASON))?;
    let code = step.code;
    // [25] The counters are those of the thread.
    let rwc = &mut small.rwcs[U::<2>::new(small.current_thread).index()];
    // [26] With SrcACr it is added to SrcA_Cr.
    if SRCA_CR.get(code) != 0 {
        advance::<6>(&mut rwc.srca_cr, SRCA_INC.get(code)); // [27] SrcA_Cr grows.
        rwc.srca = rwc.srca_cr; // [28] The counter becomes it.
    } else {
        // [29-30] Without SrcACr the counter alone grows.
        advance::<6>(&mut rwc.srca, SRCA_INC.get(code));
    }
    // [32] With SrcBCr it is added to SrcB_Cr.
    if SRCB_CR.get(code) != 0 {
        advance::<6>(&mut rwc.srcb_cr, SRCB_INC.get(code)); // [33] SrcB_Cr grows.
        rwc.srcb = rwc.srcb_cr; // [34] The counter becomes it.
    } else {
        // [35-36] Without SrcBCr the counter alone grows.
        advance::<6>(&mut rwc.srcb, SRCB_INC.get(code));
    }
    // [38] With DstCr it is added to Dst_Cr.
    if DST_CR.get(code) != 0 {
        advance::<10>(&mut rwc.dst_cr, DST_INC.get(code)); // [39] Dst_Cr grows.
        rwc.dst = rwc.dst_cr; // [40] The counter becomes it.
    } else {
        // [41-42] Without DstCr the counter alone grows.
        advance::<10>(&mut rwc.dst, DST_INC.get(code));
    }
    ControlFlow::Continue(())
}

/// `CLEARDVALID`: give banks of the Matrix Unit to the Unpackers, and perhaps flip them.
///
/// *Source*: page CLEARDVALID, commit 061b62d1.
// Of page `CLEARDVALID`.
// [3] The Matrix Unit's banks of SrcA and SrcB are given to the Unpackers, and it may go over to the other ones.
// [7] SETDVALID is related, and SETRWC flips a little differently. Not modelled: other pages say how.
// [9] The Matrix Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
pub fn cleardvalid(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [14-17] Two bits for what is flipped, KeepReadingSameSrc and Reset. (`encodings_and_texts_round_trip`)
    // [22] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(CLEARDVALID, "lines 14-17 and 22", UNNAMED_REASON))?;
    let code = step.code;
    // [27] Reset goes before all else.
    if RESET.get(code) != 0 {
        // [5] The synchronization of SrcA and SrcB would begin anew. That is not supported, and tends to end in hangs.
        // [28] The functionality is unsupported: banks are lost.
        // [29-32] Matrix Unit and Unpackers go to bank 0. Not modelled: nothing is promised after line 28.
        // [33-34] All banks become the Unpackers'. Not modelled: nothing is promised after line 28.
        // [35-37] Blackhole's implied formats become 0. Not modelled: nothing is promised after line 28.
        return ControlFlow::Break(Expectation::Unsupported(cite!(CLEARDVALID, "lines 5 and 27-38", RESET_REASON)));
    }
    // [39] Without Reset, what follows.
    // [40] With FlipSrcA the Matrix Unit's bank of SrcA is given away.
    if FLIP_SRCA.get(code) != 0 {
        // [41, TX-44] It becomes the Unpackers'.
        small.srca_allowed_client[U::<1>::new(small.matrix_unit_srca_bank).index()] = UNPACKERS;
        // [42] It is flipped unless KeepReadingSameSrc is set.
        if KEEP_READING_SAME_SRC.get(code) == 0 {
            small.matrix_unit_srca_bank ^= 1; // [43] The Matrix Unit goes over to the other one.
        }
    }
    // [46] With FlipSrcB the Matrix Unit's bank of SrcB is given away.
    if FLIP_SRCB.get(code) != 0 {
        // [47, TX-44] It becomes the Unpackers'.
        small.srcb_allowed_client[U::<1>::new(small.matrix_unit_srcb_bank).index()] = UNPACKERS;
        // [48] It is flipped unless KeepReadingSameSrc is set.
        if KEEP_READING_SAME_SRC.get(code) == 0 {
            small.matrix_unit_srcb_bank ^= 1; // [49] The Matrix Unit goes over to the other one.
        }
    }
    ControlFlow::Continue(())
}

/// `SEMINIT`: set value and maximum of semaphores.
///
/// *Source*: page SEMINIT, commit 39304719.
// Of page `SEMINIT`.
// [3] A mask selects semaphores, whose Value and Max are set. SEMWAIT alone heeds Max; SEMPOST does not.
// [5] The Sync Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [32] What should happen after an earlier instruction has ended may want a STALLWAIT with block bit B1 between. Not
// modelled: cycle timing is out of scope by decision.
pub fn seminit(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10] NewMax and NewValue, of four bits, and SemaphoreMask, of eight. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SEMINIT, "lines 10 and 15", UNNAMED_REASON))?;
    let code = step.code;
    // [20] Nobody else gets at the semaphores between. Not modelled: one instruction executes at a time.
    // [21] Each of eight semaphores is looked at.
    for i in 0..8 {
        let semaphore = &mut small.semaphores[U::<3>::new(i).index()];
        // [22] Its bit says whether it is set.
        if U::<8>::new(SEMAPHORE_MASK.get(code)).bit(i) {
            semaphore.value = NEW_VALUE.get(code); // [23] Its Value is set.
            semaphore.max = NEW_MAX.get(code); // [24] Its Max is set.
        }
    }
    ControlFlow::Continue(())
}

/// `SEMPOST`: increment semaphores.
///
/// *Source*: page SEMPOST, commit 39304719.
// Of page `SEMPOST`.
// [3] A mask selects semaphores, whose Value is incremented, but stays at 15.
// [5] The Sync Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [31] What should happen after an earlier instruction has ended may want a STALLWAIT with block bit B1 between. Not
// modelled: cycle timing is out of scope by decision.
pub fn sempost(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10] SemaphoreMask, of eight bits. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SEMPOST, "lines 10 and 15", UNNAMED_REASON))?;
    let code = step.code;
    // [20] Nobody else gets at the semaphores between. Not modelled: one instruction executes at a time.
    // [21] Each of eight semaphores is looked at.
    for i in 0..8 {
        let semaphore = &mut small.semaphores[U::<3>::new(i).index()];
        // [22] It changes if its bit is set and its Value is below 15.
        if U::<8>::new(SEMAPHORE_MASK.get(code)).bit(i) && semaphore.value < 15 {
            semaphore.value = (U::<4>::new(semaphore.value) + U::new(1)).get(); // [23] Its Value is one more.
        }
    }
    ControlFlow::Continue(())
}

/// `SEMGET`: decrement semaphores.
///
/// *Source*: page SEMGET, commit 39304719.
// Of page `SEMGET`.
// [3] A mask selects semaphores, whose Value is decremented, but stays at 0.
// [5] The Sync Unit executes it. Not modelled: which unit executes has no effect on one instruction's result.
// [31] What should happen after an earlier instruction has ended may want a STALLWAIT with block bit B1 between. Not
// modelled: cycle timing is out of scope by decision.
pub fn semget(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10] SemaphoreMask, of eight bits. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SEMGET, "lines 10 and 15", UNNAMED_REASON))?;
    let code = step.code;
    // [20] Nobody else gets at the semaphores between. Not modelled: one instruction executes at a time.
    // [21] Each of eight semaphores is looked at.
    for i in 0..8 {
        let semaphore = &mut small.semaphores[U::<3>::new(i).index()];
        // [22] It changes if its bit is set and its Value is above 0.
        if U::<8>::new(SEMAPHORE_MASK.get(code)).bit(i) && semaphore.value > 0 {
            semaphore.value = (U::<4>::new(semaphore.value) - U::new(1)).get(); // [23] Its Value is one less.
        }
    }
    ControlFlow::Continue(())
}

/// Why a thread waits for ever.
const NO_MUTEX_REASON: &str = "the index is that of no mutex, for which a thread waits for ever";
const HELD_MUTEX_REASON: &str = "another thread holds the mutex";

/// Breaks off if an index is that of no mutex; `citation` is the place that says so.
fn check_mutex(chip: Chip, index: u32, citation: &'static Citation) -> ControlFlow<Expectation> {
    // [ATGETM_WH 22] [ATGETM_BH 25] [ATRELM_WH 22] [ATRELM_BH 25] There is none of index 1, and none above 7, on Blackhole
    // above 4.
    let last = match chip {
        Chip::Wormhole => 7,
        Chip::Blackhole => 4,
    };
    if index == 1 || index > last {
        // [ATGETM_WH 23-25] [ATGETM_BH 26-28] [ATRELM_WH 23-25] [ATRELM_BH 26-28] Without one, the thread waits for ever.
        return ControlFlow::Break(Expectation::Blocked(citation));
    }
    ControlFlow::Continue(())
}

/// `HeldBy` of a mutex that the thread holds.
fn held_by_itself(small: &Small) -> u8 {
    match U::<2>::new(small.current_thread).get() {
        0 => 1,
        1 => 2,
        _ => 3,
    }
}

/// `ATGETM`: acquire a mutex.
///
/// *Source*: page ATGETM of Wormhole and that of Blackhole, commit f7fda211.
// Of pages `ATGETM_WH` (wh) and `ATGETM_BH` (bh).
// [wh 3] [bh 3] The thread acquires a mutex, and issues nothing more before it has; ATRELM gives it back, so that others can
// acquire it.
// [wh 5] [bh 5] The Sync Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [bh 7-8] Blackhole has four mutexes, where Wormhole has seven. (`mutexes_are_there_or_waited_for_for_ever`)
// [wh 51] [bh 54] Of several threads that want a free mutex, one is chosen, and the others wait. Not modelled: one instruction
// executes at a time, and who presents it is chosen by whoever runs the threads.
pub fn atgetm(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    // [wh 10] [bh 13] Index, of 16 bits. (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 18] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(
        step,
        match chip {
            Chip::Wormhole => cite!(ATGETM_WH, "lines 10 and 15", UNNAMED_REASON),
            Chip::Blackhole => cite!(ATGETM_BH, "lines 13 and 18", UNNAMED_REASON),
        },
    )?;
    let index = INDEX.get(step.code);
    // [wh 19] [bh 22] It waits at the Wait Gate until the mutex can be had. (`mutexes_are_there_or_waited_for_for_ever`)
    check_mutex(
        chip,
        index,
        match chip {
            Chip::Wormhole => cite!(ATGETM_WH, "lines 22-25", NO_MUTEX_REASON),
            Chip::Blackhole => cite!(ATGETM_BH, "lines 25-28", NO_MUTEX_REASON),
        },
    )?;
    let itself = held_by_itself(small);
    let held_by = &mut small.mutex_held_by[U::<3>::new(index).index()];
    // [wh 29] [bh 32] The thread may hold it already.
    // [wh 30-35] [bh 33-38] Then it waits for two cycles at most, while others acquire or release it. Not modelled: cycle timing
    // is out of scope by decision.
    if *held_by != itself {
        // [wh 36-40] [bh 39-43] If not, it waits as long as another thread holds it.
        if *held_by != 0 {
            return ControlFlow::Break(Expectation::Blocked(match chip {
                Chip::Wormhole => cite!(ATGETM_WH, "lines 36-41", HELD_MUTEX_REASON),
                Chip::Blackhole => cite!(ATGETM_BH, "lines 39-44", HELD_MUTEX_REASON),
            }));
        }
    }
    // [wh 45] [bh 48] After waiting, it acquires the mutex if it holds it already, or is the only thread that wants it.
    // [wh 48] [bh 51] The thread holds it.
    *held_by = itself;
    ControlFlow::Continue(())
}

/// `ATRELM`: release a mutex.
///
/// *Source*: page ATRELM of Wormhole, commit 39304719, and that of Blackhole, commit dbbde1a8 of the copy that has it.
// Of pages `ATRELM_WH` (wh) and `ATRELM_BH` (bh).
// [wh 3] [bh 3] The thread releases a mutex that it holds, which it acquired by ATGETM.
// [wh 5] [bh 5] The Sync Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [bh 7-8] Blackhole has four mutexes, where Wormhole has seven. (`mutexes_are_there_or_waited_for_for_ever`)
// [wh 45] [bh 48] If both other threads want the mutex, the next thread modulo 3 acquires it. Not modelled: one instruction
// executes at a time, and who presents it is chosen by whoever runs the threads.
pub fn atrelm(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    // [wh 10] [bh 13] Index, of 16 bits. (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 18] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(
        step,
        match chip {
            Chip::Wormhole => cite!(ATRELM_WH, "lines 10 and 15", UNNAMED_REASON),
            Chip::Blackhole => cite!(ATRELM_BH, "lines 13 and 18", UNNAMED_REASON),
        },
    )?;
    let index = INDEX.get(step.code);
    // [wh 19] [bh 22] It waits at the Wait Gate until it can release the mutex. (`mutexes_are_there_or_waited_for_for_ever`)
    check_mutex(
        chip,
        index,
        match chip {
            Chip::Wormhole => cite!(ATRELM_WH, "lines 22-25", NO_MUTEX_REASON),
            Chip::Blackhole => cite!(ATRELM_BH, "lines 25-28", NO_MUTEX_REASON),
        },
    )?;
    // [wh 29-32] [bh 32-35] It waits for two cycles at most, while others acquire or release it. Not modelled: cycle timing is
    // out of scope by decision.
    let itself = held_by_itself(small);
    let held_by = &mut small.mutex_held_by[U::<3>::new(index).index()];
    // [wh 35] [bh 38] After waiting, it releases the mutex if the thread holds it.
    // [wh 38] [bh 41] The thread may hold it.
    if *held_by == itself {
        *held_by = 0; // [wh 39] [bh 42] Nobody holds it any more.
    }
    // [wh 40-41] [bh 43-44] If not, the instruction completes and changes nothing.
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
