//! The front end of a thread, from its RISC-V core to its Wait Gate: the MOP Expander, then the Replay Expander.
//!
//! Nothing here has cycles: what is pushed comes one after the other. A `MopCfg` is written when the expansions before it are
//! over, as software should see to. Both pages serve both chips; that of REPLAY says at Blackhole's place that it is not the same
//! there, and not how, so that it counts for both.
//!
//! *Source*: page MOPExpander (commit 9ba1ce0a), page REPLAY (commit 065d59fb); pages MOP and MOP_CFG say no more. Fields from
//! `Diagrams/Src/Bits32.lua` (commit c2e709d3).

// Of pages `MOP_EXPANDER` (mop) and `REPLAY` (replay).
// Shown by `a_mop_expands_by_its_template`, where nothing else is said.

use std::fmt;

use tandem_isa::Citation;
use tandem_isa::Pushed;
use tandem_isa::tensix::{Chip, MOP_EXPANDER, REPLAY};

use crate::bits::U;

/// Why it is open what comes to the Wait Gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontEndError {
    /// The place of the word among what was pushed.
    pub place: usize,
    /// What is left open.
    pub open: LeftOpen,
    /// Where the page leaves it open.
    pub citation: &'static Citation,
}

/// What the pages leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOpen {
    /// A bit of a MOP_CFG or REPLAY is set that belongs to no field.
    UnnamedBits,
    /// A MOP, and no `MopCfg` was written before it.
    NoMopCfg,
    /// A MOP of template 1 whose word overrides a count, on Blackhole.
    CountsOverridden,
    /// A MOP of template 1 with nothing in its loop but what ends it.
    NothingButEnds,
    /// An expansion has a MOP or MOP_CFG in it.
    MopExpanded,
    /// A REPLAY of more than 32 instructions.
    CountAbove32,
    /// A REPLAY of what was not recorded.
    NeverRecorded,
    /// A REPLAY was recorded, and comes to the Wait Gate.
    ReplayRecorded,
}

impl fmt::Display for FrontEndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Citation { page, place, reason } = self.citation;
        write!(f, "{reason} (page {}, {place})", page.title)
    }
}

impl std::error::Error for FrontEndError {}

/// A word, with the place that it came of.
type Placed = (usize, u32);

const OPCODE_MOP: u32 = 0x01;
const OPCODE_NOP: u32 = 0x02;
const OPCODE_MOP_CFG: u32 = 0x03;
const OPCODE_REPLAY: u32 = 0x04;

const fn opcode(word: u32) -> u32 {
    word >> 24
}

/// What comes to the Wait Gate, each word with the place in `pushed` that it came of.
///
/// # Errors
/// What a page leaves open, at the first word of which it is asked.
pub fn expand(chip: Chip, pushed: &[Pushed]) -> Result<Vec<Placed>, FrontEndError> {
    // [mop 5] [replay 19] The Replay Expander comes behind the MOP Expander, so that a MOP can expand to REPLAYs, and no REPLAY
    // to a MOP; the Wait Gate comes behind both. (`a_replay_that_comes_of_a_mop_is_expanded`)
    // [mop 3] Each thread has a MOP Expander, of which one instruction becomes up to 32639, or more on Blackhole.
    // (`counts_are_of_seven_bits_or_of_ten`)
    let (mut mop, mut replay) = (MopExpander::default(), ReplayExpander::default());
    let mut at_the_gate = Vec::new();
    for (place, &pushed) in pushed.iter().enumerate() {
        let words = match pushed {
            Pushed::MopCfg(mop_cfg) => {
                mop.mop_cfg = Some(mop_cfg);
                continue;
            }
            Pushed::Word(word) => mop.ingest(chip, word),
        };
        let words = words.and_then(|words| {
            words.into_iter().try_for_each(|word| replay.ingest(word, |word| at_the_gate.push((place, word))))
        });
        words.map_err(|(open, citation)| FrontEndError { place, open, citation })?;
    }
    Ok(at_the_gate)
}

/// What is left open, and where.
type Open = (LeftOpen, &'static Citation);

// -------------------------------------------------------------------------------------------------- MOP Expander

/// The MOP Expander of a thread.
// [mop 9] It executes MOP and MOP_CFG.
// [mop 114] A core writes the nine words of its own thread, and no core can read them. Not modelled: what is pushed says whose
// they are, and nothing reads them.
// [mop 129] Words are taken when they are needed, so software should not change them while an expansion is in progress, and had
// better wait. Not modelled: they are written when the expansions before are over.
// [mop 133] It takes and gives one instruction in a cycle. Not modelled: cycle timing is out of scope by decision.
// [mop 135] It gives one instruction of an expansion in a cycle. Not modelled: cycle timing is out of scope by decision.
// [mop 137] Between a MOP and another instruction there is a cycle. Not modelled: cycle timing is out of scope by decision.
#[derive(Default)]
struct MopExpander {
    /// [mop 16] Of each thread; nothing says what it holds at first.
    mop_cfg: Option<[u32; 9]>,
    /// [mop 17] Of each thread, and 0 at first. (`a_mask_has_its_upper_half_of_the_last_mop_cfg`)
    mask_hi: u32,
}

impl MopExpander {
    fn ingest(&mut self, chip: Chip, instruction: u32) -> Result<Vec<u32>, Open> {
        // [mop 13] It comes first, and handles MOP and MOP_CFG and nothing else.
        // [mop 18-19] It takes one instruction after the other.
        match opcode(instruction) {
            OPCODE_MOP_CFG => {
                // [mop 20-21] A MOP_CFG says what the upper half of the mask is from now on.
                // (`a_mask_has_its_upper_half_of_the_last_mop_cfg`)
                if U::<8>::new(instruction >> 16).get() != 0 {
                    return Err((LeftOpen::UnnamedBits, cite!(MOP_EXPANDER, "line 21", UNNAMED_REASON)));
                }
                self.mask_hi = U::<16>::new(instruction).get();
                Ok(Vec::new())
            }
            OPCODE_MOP => {
                let Some(mop_cfg) = self.mop_cfg else {
                    return Err((LeftOpen::NoMopCfg, cite!(MOP_EXPANDER, "line 16", NO_MOP_CFG_REASON)));
                };
                let words = if U::<1>::new(instruction >> 23).get() == 0 {
                    // [mop 22-25] A MOP of template 0 is expanded by the mask, whose lower half it has, and by Count1.
                    let mask = (self.mask_hi << 16) + U::<16>::new(instruction).get();
                    expand_template_0(mask, U::<7>::new(instruction >> 16).get(), &mop_cfg)
                } else {
                    expand_template_1(chip, instruction, &mop_cfg)? // [mop 26-28] One of template 1 by MopCfg alone.
                };
                if words.iter().any(|&word| matches!(opcode(word), OPCODE_MOP | OPCODE_MOP_CFG)) {
                    return Err((LeftOpen::MopExpanded, cite!(MOP_EXPANDER, "line 13", MOP_EXPANDED_REASON)));
                }
                Ok(words)
            }
            // [mop 29-30] Everything else passes.
            _ => Ok(vec![instruction]),
        }
    }
}

const UNNAMED_REASON: &str = "these bits of the code belong to no field";
const NO_MOP_CFG_REASON: &str = "a MOP, and no MopCfg was written before it";
const MOP_EXPANDED_REASON: &str =
    "a MOP expands to a MOP or MOP_CFG, which comes behind the one place that handles them";
const OVERRIDDEN_REASON: &str = "the word overrides a count of MopCfg: unsupported functionality";
const NOTHING_BUT_ENDS_REASON: &str =
    "a MOP of template 1 with EndOp0, and with nothing else: unsupported functionality";

fn expand_template_0(mut mask: u32, count1: u32, mop_cfg: &[u32; 9]) -> Vec<u32> {
    // [mop 32] What template 0 is given.
    // [mop 33-40, 118-125] Word 1 is Flags, word 2 InsnB, words 3 to 6 InsnA0 to InsnA3, words 7 and 8 SkipA0 and SkipB.
    let &[_, flags, insn_b, insn_a0, insn_a1, insn_a2, insn_a3, skip_a0, skip_b] = mop_cfg;
    let has_b = U::<2>::new(flags).bit(0); // [mop 41, 118-119, 125] Bit 0 of Flags: with InsnB and SkipB.
    let has_a123 = U::<2>::new(flags).bit(1); // [mop 42, 118, 121-123] Bit 1: with InsnA1 to InsnA3.
    let mut words = Vec::new();
    // [mop 43] One iteration more than Count1 says.
    for _ in 0..=count1 {
        // [mop 44] By the lowest bit of the mask.
        if mask & 1 == 0 {
            words.push(insn_a0); // [mop 45] It is clear: InsnA0.
            // [mop 46] Perhaps three more.
            if has_a123 {
                words.extend([insn_a1, insn_a2, insn_a3]); // [mop 47-49] InsnA1, InsnA2 and InsnA3.
            }
            // [mop 50] Perhaps one more.
            if has_b {
                words.push(insn_b); // [mop 51] InsnB.
            }
        } else {
            // [mop 52-53] It is set: SkipA0.
            words.push(skip_a0);
            // [mop 54] Perhaps one more.
            if has_b {
                words.push(skip_b); // [mop 55] SkipB.
            }
        }
        mask >>= 1; // [mop 56] The next bit is looked at; above bit 31 there are none.
    }
    words
}

fn expand_template_1(chip: Chip, instruction: u32, mop_cfg: &[u32; 9]) -> Result<Vec<u32>, Open> {
    // [mop 58] What template 1 is given.
    // [mop 71-77, 119-125] Words 2 to 8 are StartOp, EndOp0, EndOp1, LoopOp, LoopOp1, and what stands at the last iteration of the
    // inner loop instead of LoopOp or LoopOp1: Loop0Last in the last iteration of the outer loop, and else Loop1Last.
    // [mop 117] Word 0 is OuterCount, and template 0 has no use for it.
    let &[outer_count, inner_count, start_op, end_op0, end_op1, mut loop_op, loop_op1, loop0_last, loop1_last] =
        mop_cfg;
    let (outer_count, mut inner_count) = match chip {
        Chip::Blackhole => {
            // [mop 62-67, 127] Bits of the word, if not 0, override the counts. That is unsupported.
            // (`what_the_pages_leave_open_is_an_error_by_name`)
            if U::<20>::new(instruction).get() != 0 {
                return Err((LeftOpen::CountsOverridden, cite!(MOP_EXPANDER, "lines 62-67", OVERRIDDEN_REASON)));
            }
            // [mop 59-61] On Blackhole counts have ten bits. (`counts_are_of_seven_bits_or_of_ten`)
            (U::<10>::new(outer_count).get(), U::<10>::new(inner_count).get())
        }
        // [mop 68-70] On Wormhole they have seven. (`counts_are_of_seven_bits_or_of_ten`)
        Chip::Wormhole => (U::<7>::new(outer_count).get(), U::<7>::new(inner_count).get()),
    };
    // [mop 78-79] Without LoopOp1 the inner loop has LoopOp alone.
    let loop_op_flip = if is_nop(loop_op1) {
        0
    } else {
        // [mop 80-83] With it they take turns, in twice as many iterations.
        inner_count *= 2;
        loop_op ^ loop_op1
    };
    // [mop 84] There may be nothing but EndOp0 in the loop.
    if is_nop(start_op) && inner_count == 0 && !is_nop(end_op0) {
        // [mop 85] That is unsupported. (`what_the_pages_leave_open_is_an_error_by_name`)
        // [mop 86-90] Hardware then has other counts. Not modelled: nothing is promised after line 85.
        return Err((LeftOpen::NothingButEnds, cite!(MOP_EXPANDER, "lines 84-90", NOTHING_BUT_ENDS_REASON)));
    }
    let mut words = Vec::new();
    // [mop 91] The outer loop.
    for j in 0..outer_count {
        // [mop 92] StartOp may be none.
        if !is_nop(start_op) {
            words.push(start_op); // [mop 93] StartOp.
        }
        // [mop 94] The inner loop.
        for i in 0..inner_count {
            words.push(if i != inner_count - 1 {
                loop_op // [mop 95-96] Not its last iteration: LoopOp, or LoopOp1 in its turn.
            } else if j != outer_count - 1 {
                loop1_last // [mop 97-98] Its last iteration: Loop1Last.
            } else {
                loop0_last // [mop 99-100] That of the last iteration of the outer loop: Loop0Last.
            });
            loop_op ^= loop_op_flip; // [mop 101] LoopOp and LoopOp1 take turns.
        }
        // [mop 102] EndOp0 may be none.
        if !is_nop(end_op0) {
            words.push(end_op0); // [mop 103] EndOp0.
            // [mop 104] EndOp1 may be none, and is none without EndOp0.
            if !is_nop(end_op1) {
                words.push(end_op1); // [mop 105] EndOp1.
            }
        }
    }
    Ok(words)
}

fn is_nop(instruction: u32) -> bool {
    // [mop 107-109] NOP alone is none, not DMANOP or SFPNOP.
    opcode(instruction) == OPCODE_NOP
}

// -------------------------------------------------------------------------------------------------- Replay Expander

/// The Replay Expander of a thread.
// [replay 3] What comes next is recorded instead of being executed or as well, or what was recorded comes again.
// (`a_replay_records_and_replays`)
// [replay 5] It executes REPLAY. (`a_replay_records_and_replays`)
// [replay 46] It takes and gives one instruction in a cycle. Not modelled: cycle timing is out of scope by decision.
// [replay 48] While it replays it takes nothing. Not modelled: cycle timing is out of scope by decision.
// [replay 50] While it records alone it gives nothing. Not modelled: cycle timing is out of scope by decision.
// [replay 52] Between them no cycle passes. Not modelled: cycle timing is out of scope by decision.
// [replay 22] Each thread has one.
#[derive(Default)]
struct ReplayExpander {
    /// [replay 23] Of each thread, and of zeros at first. Not modelled: what an earlier program recorded stays, so a place that
    /// was not recorded holds nothing that is known.
    replay_buffer: [Option<u32>; 32],
    /// What is recorded now.
    recording: Option<Recording>,
}

struct Recording {
    index: u32,
    left: u32,
    exec: bool,
}

const COUNT_REASON: &str = "a REPLAY of more than 32 instructions is not supported, and hardware has other counts";
const NEVER_RECORDED_REASON: &str = "a REPLAY of what this program did not record";
const REPLAY_RECORDED_REASON: &str =
    "a recorded REPLAY goes on as it is, and comes behind the one place that handles them";

impl ReplayExpander {
    fn ingest(&mut self, instruction: u32, mut give: impl FnMut(u32)) -> Result<(), Open> {
        let mut give = |word: u32| {
            if opcode(word) == OPCODE_REPLAY {
                return Err((LeftOpen::ReplayRecorded, cite!(REPLAY, "line 19", REPLAY_RECORDED_REASON)));
            }
            give(word);
            Ok(())
        };
        // [replay 32] Each of the next instructions, whichever it is. (`a_replay_records_and_replays`)
        if let Some(Recording { index, left, exec }) = &mut self.recording {
            // [replay 33] It is recorded, at a place modulo 32. (`a_replay_records_and_replays`)
            self.replay_buffer[U::<5>::new(*index).index()] = Some(instruction);
            // [replay 34] Whether it is executed as well. (`a_replay_records_and_replays`)
            let goes_on = *exec;
            (*index, *left) = (*index + 1, *left - 1);
            if *left == 0 {
                self.recording = None;
            }
            if goes_on {
                give(instruction)?; // [replay 35] It is. (`a_replay_records_and_replays`)
            }
            return Ok(());
        }
        // [replay 24-25] It takes one instruction after the other. (`a_replay_records_and_replays`)
        if opcode(instruction) != OPCODE_REPLAY {
            // [replay 26-27] Everything but REPLAY passes. (`a_replay_records_and_replays`)
            return give(instruction);
        }
        // [replay 10] Index, of five bits, Count, of six, Exec and Load. (`a_replay_records_and_replays`)
        // [replay 15] A picture shows where they lie in the word. (`what_the_pages_leave_open_is_an_error_by_name`)
        if instruction & 0xf8_3c0c != 0 {
            return Err((LeftOpen::UnnamedBits, cite!(REPLAY, "lines 10 and 15", UNNAMED_REASON)));
        }
        let index = U::<5>::new(instruction >> 14).get();
        // [replay 31, 38, 42] A Count of 0 is 32, and one above 32 is not supported.
        // (`what_the_pages_leave_open_is_an_error_by_name`)
        let count = match U::<6>::new(instruction >> 4).get() {
            0 => 32,
            count @ 1..=32 => count,
            _ => return Err((LeftOpen::CountAbove32, cite!(REPLAY, "line 42", COUNT_REASON))),
        };
        // [replay 28-30] With Load, the next ones are recorded from Index on, and with Exec executed.
        // (`a_replay_records_and_replays`)
        if U::<1>::new(instruction).bit(0) {
            self.recording = Some(Recording { index, left: count, exec: U::<2>::new(instruction).bit(1) });
            return Ok(());
        }
        // [replay 36-37] Without, what was recorded from Index on is replayed. (`a_replay_records_and_replays`)
        for i in 0..count {
            // [replay 39] From a place modulo 32. (`a_replay_records_and_replays`)
            let Some(word) = self.replay_buffer[U::<5>::new(index + i).index()] else {
                return Err((LeftOpen::NeverRecorded, cite!(REPLAY, "line 23", NEVER_RECORDED_REASON)));
            };
            give(word)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
