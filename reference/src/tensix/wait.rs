//! `SEMWAIT`, `STALLWAIT` and `STREAMWAIT` of the Sync Unit, which the Wait Gate latches. What they do to later instructions, and the
//! lines of their pages that say so, is in [`wait_gate`](super::wait_gate).
//!
//! A number in brackets is a line of the page that the function names, counted from 1; `wh` is the page of Wormhole and `bh`
//! that of Blackhole. Each page serves both editions.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::control::SEMAPHORE_MASK;
use tandem_isa::tensix::inst::wait::{
    BLOCK_MASK, CONDITION_INDEX, CONDITION_MASK, CONDITION_MASK_BH, SEMAPHORE_CONDITION_MASK, STREAM_SELECT,
    TARGET_VALUE_LO,
};
use tandem_isa::tensix::{Chip, Latched, SEMWAIT_BH, SEMWAIT_WH, STALLWAIT_BH, STALLWAIT_WH, STREAMWAIT, Small};
use tandem_isa::{Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const CONDITION_REASON: &str = "SEMWAIT without a condition is undefined behaviour";

/// `SEMWAIT`: hold some later instructions until semaphores are as they should be.
///
/// *Source*: page SEMWAIT of Wormhole and that of Blackhole, commit 25376754.
// Of pages `SEMWAIT_WH` (wh) and `SEMWAIT_BH` (bh).
// [wh 3] [bh 3] Masks select conditions of semaphores, and instructions. The thread goes on until one of these comes, which
// then waits for all of the conditions at a time.
// [wh 5] [bh 5] The Sync Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn semwait(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [wh 10] [bh 10] BlockMask, of nine bits, SemaphoreMask, of eight, ConditionMask, of two.
    // (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(
        step,
        match Chip::of(step.instruction) {
            Chip::Wormhole => cite!(SEMWAIT_WH, "lines 10 and 15", UNNAMED_REASON),
            Chip::Blackhole => cite!(SEMWAIT_BH, "lines 10 and 15", UNNAMED_REASON),
        },
    )?;
    let code = step.code;
    let latched = &mut small.latched[U::<2>::new(small.current_thread).index()];
    // [wh 19] [bh 19] Once the following has happened it is complete.
    // [wh 21] [bh 21] There is a condition.
    if SEMAPHORE_CONDITION_MASK.get(code) != 0 {
        latched.opcode = Latched::SEMWAIT; // [wh 22] [bh 22] The thread's Wait Gate keeps the instruction.
        latched.condition_mask = SEMAPHORE_CONDITION_MASK.get(code); // [wh 23] [bh 23] It keeps the conditions.
        latched.semaphore_mask = SEMAPHORE_MASK.get(code); // [wh 24] [bh 24] It keeps which semaphores are looked at.
    } else {
        // [wh 25] [bh 25] There is none.
        // [wh 26] [bh 26] The behaviour is undefined.
        return ControlFlow::Break(Expectation::Undefined(match Chip::of(step.instruction) {
            Chip::Wormhole => cite!(SEMWAIT_WH, "lines 25-27", CONDITION_REASON),
            Chip::Blackhole => cite!(SEMWAIT_BH, "lines 25-27", CONDITION_REASON),
        }));
    }
    latched.block_mask = block_mask(code); // [wh 28] [bh 28] It keeps the block mask, or B6 alone if that is 0.
    ControlFlow::Continue(())
}

/// `STALLWAIT`: hold some later instructions until assorted conditions are met.
///
/// *Source*: page STALLWAIT of Wormhole and that of Blackhole, commit 0553cc73.
// Of pages `STALLWAIT_WH` (wh) and `STALLWAIT_BH` (bh).
// [wh 3] [bh 3] Masks select conditions, and instructions. The thread goes on until one of these comes, which then waits for
// all of the conditions at a time.
// [wh 5] [bh 5] The Sync Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [bh 7-8] The numbers of conditions are not Wormhole's, so software had better name them.
pub fn stallwait(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    // [wh 10] [bh 13] BlockMask, of nine bits, and ConditionMask, of 15, on Blackhole of 13.
    // (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 18] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(
        step,
        match chip {
            Chip::Wormhole => cite!(STALLWAIT_WH, "lines 10 and 15", UNNAMED_REASON),
            Chip::Blackhole => cite!(STALLWAIT_BH, "lines 13 and 18", UNNAMED_REASON),
        },
    )?;
    let code = step.code;
    let latched = &mut small.latched[U::<2>::new(small.current_thread).index()];
    // [wh 19] [bh 22] Once the following has happened it is complete.
    latched.opcode = Latched::STALLWAIT; // [wh 21] [bh 24] The thread's Wait Gate keeps the instruction.
    latched.condition_mask = match chip {
        // [wh 22, TX-50] It keeps the conditions, or the lowest seven if none is selected.
        Chip::Wormhole => match CONDITION_MASK.get(code) {
            0 => 0x7f,
            mask => mask,
        },
        // [bh 25, TX-50] It keeps the conditions, or the lowest four if none is selected.
        Chip::Blackhole => match CONDITION_MASK_BH.get(code) {
            0 => 0x0f,
            mask => mask,
        },
    };
    latched.block_mask = block_mask(code); // [wh 23] [bh 26] It keeps the block mask, or B6 alone if that is 0.
    latched.semaphore_mask = 0; // [wh 24] [bh 27] It looks at no semaphore.
    ControlFlow::Continue(())
}

/// `STREAMWAIT`: hold some later instructions until a stream of the NoC Overlay is where it should be.
///
/// *Source*: page STREAMWAIT, commit cfb6a561.
// Of page `STREAMWAIT`.
// [3] One condition of a stream of the NoC Overlay is selected, and instructions by a mask. The thread goes on until one of
// these comes, which then waits for the condition.
// [5] The Sync Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [7-8] Wormhole has no such instruction.
pub fn streamwait(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [13] BlockMask, of nine bits, TargetValueLo, of ten, ConditionIndex, of one, StreamSelect, of two.
    // (`encodings_and_texts_round_trip`)
    // [18] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(STREAMWAIT, "lines 13 and 18", UNNAMED_REASON))?;
    let code = step.code;
    let thread = U::<2>::new(small.current_thread).index();
    let thread_config = &small.thread_config[thread];
    // [22] Once the following has happened it is complete.
    // [24] The target value is of 32 bits.
    // [25] ConditionIndex says where its upper bits come from. (`streamwait_latches_its_target_value`)
    let target_value_hi = match CONDITION_INDEX.get(code) {
        // [26] Condition 0: from STREAMWAIT_PHASE_HI_Val, above the ten bits of TargetValueLo.
        // (`streamwait_latches_its_target_value`)
        0 => blackhole::STREAMWAIT_PHASE_HI_Val.get(thread_config),
        // [27] Condition 1: from STREAMWAIT_NUM_MSGS_HI_Val. (`streamwait_latches_its_target_value`)
        _ => blackhole::STREAMWAIT_NUM_MSGS_HI_Val.get(thread_config),
    };
    let latched = &mut small.latched[thread];
    latched.opcode = Latched::STREAMWAIT; // [30] The thread's Wait Gate keeps the instruction.
    latched.condition_mask = 1 << CONDITION_INDEX.get(code); // [31] It keeps the condition as a mask.
    latched.target_value = target_value_hi << 10 | TARGET_VALUE_LO.get(code); // [32] It keeps the target value.
    latched.stream_select = STREAM_SELECT.get(code); // [33] It keeps which field names the stream.
    latched.semaphore_mask = 0; // [34] It looks at no semaphore.
    latched.block_mask = block_mask(code); // [35] It keeps the block mask, or B6 alone if that is 0.
    ControlFlow::Continue(())
}

/// `BlockMask ? BlockMask : (1u << 6)`.
fn block_mask(code: &[u32]) -> u32 {
    // [SEMWAIT_WH 28] [SEMWAIT_BH 28] [STALLWAIT_WH 23] [STALLWAIT_BH 26] No bit of the mask counts as bit 6.
    match BLOCK_MASK.get(code) {
        0 => 1 << 6,
        mask => mask,
    }
}

#[cfg(test)]
mod tests;
