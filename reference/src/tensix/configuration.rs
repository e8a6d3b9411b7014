//! Instructions of the Configuration Unit: `SETC16` writes `ThreadConfig`, `WRCFG` and `RMWCIB` write `Config`, `RDCFG` reads it,
//! and `CFGSHIFTMASK` of Blackhole does both.
//!
//! A number in brackets is a line of the page that the function names, counted from 1; where the chips have a page each, `wh` or
//! `bh` stands before it. Each page serves both editions. What a write does beside writing stands in page BackendConfiguration
//! (commits 492ccd05 and 16705cfa). After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, STATE_RESET_EN};
use tandem_isa::tensix::inst::configuration::{
    ALU_MODE, CFG_INDEX, CFG_INDEX8, INDEX4, INPUT_REG, IS_128_BIT, MASK, MASK_MODE, MASK_WIDTH, NEW_VALUE8,
    NEW_VALUE16, RESULT_REG, ROTATE_AMT, SCRATCH_INDEX, THREAD_CFG_INDEX,
};
use tandem_isa::tensix::{
    BACKEND_CONFIGURATION_BH, BACKEND_CONFIGURATION_WH, CFGSHIFTMASK, Chip, RDCFG_BH, RDCFG_WH, RMWCIB_BH, RMWCIB_WH,
    SETC16_BH, SETC16_WH, Small, Tensix, WRCFG,
};
use tandem_isa::{Citation, Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const BEYOND_REASON: &str = "the index is beyond the last word of the configuration";
const OUTSIDE_REASON: &str = "the word that is read is outside of the state that is modelled";
const ORDER_REASON: &str =
    "TX-53: one of the four words resets the bank, and nothing says which of them are written after that";
const SEED_REASON: &str = "TX-137: a write seeds the PRNGs, and nothing says which states they have then";

/// `SETC16`: write a word of the thread's `ThreadConfig`.
///
/// *Source*: pages SETC16 of both chips, commit f7fda211.
// Of pages `SETC16_WH` (wh) and `SETC16_BH` (bh).
// [wh 3] [bh 3] What it writes is 16 bits of the configuration of the thread that issues it.
// [wh 5] [bh 5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [wh 25] [bh 25] The vendor's table of registers numbers the words so, in its section of threads, and those of Config are for
// WRCFG. (`named_fields_lie_where_an_index_says`)
// [bh 29-30] After a reset some SETC16 of StateID has to come first, for the sake of Auto TTSync. Not modelled: no reset and no
// core is in the state.
// [bh 31] Of up to four instructions that a core fuses, none behind a SETC16 of StateID may depend on it. Not modelled: a step
// is one instruction.
pub fn setc16(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [wh 10] [bh 10] CfgIndex, of eight bits, and NewValue, of 16. (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let cfg_index = U::<8>::new(THREAD_CFG_INDEX.get(code)).index();
    // [wh 20] [bh 20] A word that does not exist makes it undefined.
    if cfg_index >= chip.thread_config_size() {
        return ControlFlow::Break(Expectation::Undefined(match chip {
            Chip::Wormhole => cite!(SETC16_WH, "line 20", BEYOND_REASON),
            Chip::Blackhole => cite!(SETC16_BH, "line 20", BEYOND_REASON),
        }));
    }
    // [wh 22] [bh 22] The thread's word becomes NewValue, all of it. What page BackendConfiguration tells of clock gaters beside
    // that is outside of the state.
    let thread = U::<2>::new(small.current_thread).index();
    small.thread_config[thread][cfg_index] = low_16_bits(NEW_VALUE16.get(code));
    // [wh 22] [bh 22] Lines 64 and 43 of page BackendConfiguration: a write to the word of the Unpackers' contexts resets the
    // thread's counters of them, whatever is written (TX-138).
    if cfg_index == chip.context_reset() {
        let bits = [1 << 4, 1 << 12].map(|bit| NEW_VALUE16.get(code) & bit != 0);
        for (counters, is_set) in small.unpackers_context_counter.iter_mut().zip(bits) {
            if reads!(true, "tx138-the-bits-say-which-counter", is_set) {
                counters[thread] = 0;
            }
        }
    }
    ControlFlow::Continue(())
}

/// A `uint16_t`.
fn low_16_bits(value: u32) -> u16 {
    // [SETC16_WH 22] [SETC16_BH 22] A ThreadConfig word takes 16 bits.
    u16::try_from(U::<16>::new(value).get()).expect("16 bits fit")
}

/// `WRCFG`: move one GPR of the thread, or four, to `Config`.
///
/// *Source*: page WRCFG, commit f7fda211, which serves both chips.
// Of page `WRCFG`.
// [3] What it writes is 32 or 128 bits of the bank of Config that the thread's StateID selects, and nothing of ThreadConfig.
// [5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [31] The vendor's table of registers numbers the words so, but for its section of threads.
// (`named_fields_lie_where_an_index_says`)
// [35] It takes two cycles, and the next instruction may start in the second. Not modelled: cycle timing is out of scope by
// decision.
// [39] The instruction directly behind it is not to use what it writes. Not modelled: each instruction ends before the next, and
// a rule of scheduling says so.
pub fn wrcfg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] InputReg, of six bits, Is128Bit, and CfgIndex, of eleven. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(WRCFG, "lines 10 and 15", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let cfg_index = U::<11>::new(CFG_INDEX.get(code));
    // [20] A word that does not exist makes it undefined.
    if cfg_index.index() >= chip.config_size() {
        return ControlFlow::Break(Expectation::Undefined(cite!(WRCFG, "line 20", BEYOND_REASON)));
    }
    let state_id = state_id(tensix.small); // [22] The bank is that of the thread's StateID.
    let thread = U::<2>::new(tensix.small.current_thread).index();
    let input_reg = U::<6>::new(INPUT_REG.get(code));
    // [24] Is128Bit selects how much is moved.
    if IS_128_BIT.get(code) != 0 {
        // [25] Four GPRs go to four words; of both numbers the lowest two bits count as 0.
        let first = (cfg_index & !3).index();
        if first == STATE_RESET_EN {
            return ControlFlow::Break(Expectation::Unspecified(order(chip)));
        }
        let values = *tensix.gprs_row(thread, (input_reg >> 2).index());
        for (offset, value) in (0..).zip(values) {
            write(chip, tensix, state_id, first + offset, value);
        }
    } else {
        // [26-27] One GPR goes to one word.
        let value = tensix.gprs_row(thread, (input_reg >> 2).index())[(input_reg & 3).index()];
        write(chip, tensix, state_id, cfg_index.index(), value);
    }
    ControlFlow::Continue(())
}

/// `CFG_STATE_ID_StateID` of the thread.
pub(super) fn state_id(small: &Small) -> usize {
    // [WRCFG 22] [RDCFG_WH 22] [RDCFG_BH 22] [RMWCIB_WH 27] [RMWCIB_BH 27] [CFGSHIFTMASK 31] [REG2FLOP_CONFIGURATION 29]
    // [STREAMWRCFG 23] [XMOV 20] The bank of Config is the one that the thread's StateID names.
    let thread = U::<2>::new(small.current_thread).index();
    U::<1>::new(config::CFG_STATE_ID_StateID.get(&small.thread_config[thread])).index()
}

/// Where it is said that a write resets, and not in which order.
fn order(chip: Chip) -> &'static Citation {
    match chip {
        Chip::Wormhole => cite!(BACKEND_CONFIGURATION_WH, "line 60", ORDER_REASON),
        Chip::Blackhole => cite!(BACKEND_CONFIGURATION_BH, "line 40", ORDER_REASON),
    }
}

/// Writes a word of a bank of `Config`, with what page BackendConfiguration tells of such writes: lines 57 to 64, and 37 to 43 of
/// that of Blackhole. What it tells of caches is outside of the state.
pub(super) fn write(chip: Chip, tensix: &mut Tensix<'_>, state_id: usize, index: usize, value: u32) {
    // Whatever is written to STATE_RESET_EN, the bank becomes 0 up to the words that both banks share.
    // [WRCFG 25, 27] [CFGSHIFTMASK 44] [STREAMWRCFG 24] [MOVER 36, 39] A word is written in that bank, and two words do more.
    if index == STATE_RESET_EN {
        reset(chip, tensix.small, state_id);
        // TX-58: the word is one of those that become 0.
        if reads!(true, "tx58-the-value-stays-in-the-word", false) {
            return;
        }
    }
    if index == chip.prng_seed() {
        seed(chip, tensix);
    }
    // A word that both banks share is one word of the state.
    if let Some(word) = tensix.small.config_word_mut(chip, state_id, index) {
        *word = value;
    }
}

/// What is written to PRNG_SEED seeds the PRNGs of all lanes.
fn seed(chip: Chip, tensix: &mut Tensix<'_>) {
    // TX-137: by which states, and after how long, is not said.
    // [WRCFG 25, 27] [RMWCIB_WH 31] [RMWCIB_BH 31] [CFGSHIFTMASK 44] [STREAMWRCFG 24] [MOVER 36, 39] Nothing is promised of them.
    tensix.leave_prng_open(match chip {
        Chip::Wormhole => cite!(BACKEND_CONFIGURATION_WH, "line 61", SEED_REASON),
        Chip::Blackhole => cite!(BACKEND_CONFIGURATION_BH, "line 41", SEED_REASON),
    });
}

/// A bank of `Config` becomes 0, but for the words that both banks share.
fn reset(chip: Chip, small: &mut Small, state_id: usize) {
    // [WRCFG 25, 27] [CFGSHIFTMASK 44] [STREAMWRCFG 24] [MOVER 39] All words below those that both banks share become 0.
    for index in 0..chip.global_cfgreg_base() {
        if let Some(word) = small.config_word_mut(chip, state_id, index) {
            *word = 0;
        }
    }
}

/// `RDCFG`: move a word of `Config` to a GPR of the thread.
///
/// *Source*: pages RDCFG of both chips, commit f7fda211.
// Of pages `RDCFG_WH` (wh) and `RDCFG_BH` (bh).
// [wh 3] [bh 3] What it reads is 32 bits of the bank of Config that the thread's StateID selects, and nothing of ThreadConfig.
// [wh 5] [bh 5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [wh 26] [bh 26] The vendor's table of registers numbers the words so, but for its section of threads.
// (`named_fields_lie_where_an_index_says`)
// [wh 30] [bh 30] It takes two cycles or more, and blocks its thread on Wormhole alone. Not modelled: cycle timing is out of
// scope by decision.
// [wh 34] Of several threads that issue it in one cycle one does, and the others' are dropped. Not modelled: one instruction
// executes at a time.
// [bh 34] Instructions behind it are not to use the GPR too soon. Not modelled: each instruction ends before the next, and a rule
// of scheduling says so.
pub fn rdcfg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [wh 10] [bh 10] ResultReg, of six bits, and CfgIndex, of eleven. (`encodings_and_texts_round_trip`)
    // [wh 15] [bh 15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let unnamed = match chip {
        Chip::Wormhole => cite!(RDCFG_WH, "lines 10 and 15", UNNAMED_REASON),
        Chip::Blackhole => cite!(RDCFG_BH, "lines 10 and 15", UNNAMED_REASON),
    };
    check(step, unnamed)?;
    let cfg_index = U::<11>::new(CFG_INDEX.get(code)).index();
    // [wh 20] [bh 20] A word that does not exist makes it undefined.
    if cfg_index >= chip.config_size() {
        return ControlFlow::Break(Expectation::Undefined(match chip {
            Chip::Wormhole => cite!(RDCFG_WH, "line 20", BEYOND_REASON),
            Chip::Blackhole => cite!(RDCFG_BH, "line 20", BEYOND_REASON),
        }));
    }
    let state_id = state_id(tensix.small); // [wh 22] [bh 22] The bank is that of the thread's StateID.
    // [wh 23] [bh 23] The GPR becomes the word, if that is in the state.
    let Some(&value) = tensix.small.config_word(chip, state_id, cfg_index) else {
        return ControlFlow::Break(Expectation::Unspecified(match chip {
            Chip::Wormhole => cite!(RDCFG_WH, "line 23", OUTSIDE_REASON),
            Chip::Blackhole => cite!(RDCFG_BH, "line 23", OUTSIDE_REASON),
        }));
    };
    let thread = U::<2>::new(tensix.small.current_thread).index();
    let result_reg = U::<6>::new(RESULT_REG.get(code));
    tensix.gprs_row_mut(thread, (result_reg >> 2).index())[(result_reg & 3).index()] = value;
    ControlFlow::Continue(())
}

/// `RMWCIB`: write bits of byte `index1` of a word of `Config`.
///
/// *Source*: pages RMWCIB of both chips, commit f7fda211.
// Of pages `RMWCIB_WH` (wh) and `RMWCIB_BH` (bh).
// [wh 3] [bh 3] What it writes is up to eight bits of the bank of Config that the thread's StateID selects, and nothing of
// ThreadConfig.
// [wh 5] [bh 5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [wh 35] [bh 35] The vendor's table of registers numbers the words so, but for its section of threads.
// (`named_fields_lie_where_an_index_says`)
// [wh 39] [bh 39] It takes one cycle, and may wait at the gate for the Configuration Unit. Not modelled: cycle timing is out of
// scope by decision.
pub fn rmwcib(step: &Step<'_>, tensix: &mut Tensix<'_>, index1: u32) -> ControlFlow<Expectation> {
    // [wh 10-13] [bh 10-13] Mask, NewValue and Index4, of eight bits each. (`encodings_and_texts_round_trip`)
    // [wh 16] [bh 16] Index1 is the digit of the name. (`each_byte_of_a_word_has_an_instruction_of_its_own`)
    // [wh 20] [bh 20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let index4 = U::<8>::new(INDEX4.get(code)).index();
    // [wh 25] [bh 25] A word that does not exist makes it undefined.
    if index4 >= chip.config_size() {
        return ControlFlow::Break(Expectation::Undefined(match chip {
            Chip::Wormhole => cite!(RMWCIB_WH, "line 25", BEYOND_REASON),
            Chip::Blackhole => cite!(RMWCIB_BH, "line 25", BEYOND_REASON),
        }));
    }
    let state_id = state_id(tensix.small); // [wh 27] [bh 27] The bank is that of the thread's StateID.
    // TX-54: the word of which other writes reset the bank is one like any other.
    if reads!(false, "tx54-rmwcib-resets-the-bank", index4 == STATE_RESET_EN) {
        reset(chip, tensix.small, state_id);
        return ControlFlow::Continue(());
    }
    // A word of which a write seeds the PRNGs does so whatever writes it.
    if index4 == chip.prng_seed() {
        seed(chip, tensix);
    }
    // [wh 28] [bh 28] The byte is that with the number Index1, the lowest first. A word outside of the state stays there.
    // [wh 29] [bh 29] Nobody else gets at the byte between. Not modelled: one instruction executes at a time.
    if let Some(word) = tensix.small.config_word_mut(chip, state_id, index4) {
        let shift = 8 * index1;
        let old_value = U::<8>::new(*word >> shift); // [wh 30] [bh 30] What the byte held.
        // [wh 31] [bh 31] Bits of the mask become those of NewValue, and the others stay.
        let mask = MASK.get(code);
        let new_value = U::<8>::new(NEW_VALUE8.get(code) & mask) | (old_value & !mask);
        *word = *word & !(0xff << shift) | new_value.get() << shift;
    }
    ControlFlow::Continue(())
}

/// `CFGSHIFTMASK`: change a word of `Config` by what a scratch word has.
///
/// *Source*: page CFGSHIFTMASK of Blackhole, commit f7fda211.
// Of page `CFGSHIFTMASK`.
// [3] One of the words SCRATCH_SEC changes 32 bits of the bank of Config that the thread's StateID selects, and nothing of
// ThreadConfig.
// [5] The Configuration Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [47] The vendor's table of registers numbers the words so, but for its section of threads.
// (`named_fields_lie_where_an_index_says`)
// [51] It takes two cycles, and the next instruction may start in the second. Not modelled: cycle timing is out of scope by
// decision.
// [55] The instruction directly behind it is not to use what it writes, unless the Configuration Unit executes that one too. Not
// modelled: each instruction ends before the next.
pub fn cfgshiftmask(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-15] MaskMode, of one bit, AluMode, of three, MaskWidth and RotateAmt, of five, ScratchIndex, of two, and CfgIndex, of
    // eight. (`encodings_and_texts_round_trip`)
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let (code, chip) = (step.code, Chip::of(step.instruction));
    let cfg_index = U::<8>::new(CFG_INDEX8.get(code)).index();
    // [25] A word that does not exist makes it undefined.
    if cfg_index >= chip.config_size() {
        return ControlFlow::Break(Expectation::Undefined(cite!(CFGSHIFTMASK, "line 25", BEYOND_REASON)));
    }
    // [27] ScratchIndex selects one of three words, and of 3 the one of the thread's number.
    let scratch_index = match SCRATCH_INDEX.get(code) {
        index @ 0..3 => index,
        _ => tensix.small.current_thread,
    };
    let scratch_value = tensix.small.scratch_sec[U::<2>::new(scratch_index).index()];
    let rotate_amt = ROTATE_AMT.get(code);
    // [28] The mask is the lowest bits, one more than MaskWidth says: up to all 32.
    let mask_value = (2_u32 << MASK_WIDTH.get(code)).wrapping_sub(1);
    // [29] What it leaves of the scratch word is rotated to the right.
    let scratch_value = (scratch_value & mask_value).rotate_right(rotate_amt);
    let state_id = state_id(tensix.small); // [31] The bank is that of the thread's StateID.
    // [32] What the word held. Of one outside of the state nothing is known, and what becomes of it goes back there.
    let mut cfg_value = tensix.small.config_word(chip, state_id, cfg_index).copied().unwrap_or_default();
    // [33] With MaskMode of 0 the bits below the rotated mask become 0 first.
    let rotated_mask = mask_value.rotate_right(rotate_amt);
    if MASK_MODE.get(code) == 0 {
        cfg_value &= !rotated_mask;
    }
    // [34] AluMode says what the scratch word does to all 32 bits.
    cfg_value = match ALU_MODE.get(code) {
        0 => cfg_value | scratch_value,             // [35] 0: or.
        1 => cfg_value & scratch_value,             // [36] 1: and.
        2 => cfg_value ^ scratch_value,             // [37] 2: exclusive or.
        3 => cfg_value.wrapping_add(scratch_value), // [38] 3: it is added.
        4 => cfg_value | !scratch_value,            // [39] 4: or with its opposite.
        5 => cfg_value & !scratch_value,            // [40] 5: and with its opposite.
        6 => cfg_value ^ !scratch_value,            // [41] 6: exclusive or with its opposite.
        _ => cfg_value.wrapping_sub(scratch_value), // [42] 7: it is subtracted.
    };
    // [44] The word becomes that. Page BackendConfiguration has it among what writes Config, and excepts RMWCIB alone from what
    // a write does beside that.
    write(chip, tensix, state_id, cfg_index, cfg_value);
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
