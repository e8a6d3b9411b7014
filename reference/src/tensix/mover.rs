//! The instruction of the mover: `XMOV`, which copies or clears parts of L1, or of `Config`.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both editions,
//! and both chips. After an outcome that promises nothing the state is of no meaning. What the mover does in the
//! background happens at once here.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{self, STATE_RESET_EN, blackhole};
use tandem_isa::tensix::{Chip, MOVER, Small, Tensix, XMOV};
use tandem_isa::{Citation, Expectation, Step};

use super::configuration::{state_id, write};
use super::l1::{l1_row, l1_row_mut, row_of};
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const BEYOND_REASON: &str = "the address is beyond L1";
const END_REASON: &str = "the first byte is in L1 and the last one is not, and nothing says what is beyond";
const REGIONS_REASON: &str = "the range is of more than one region";
const NOWHERE_REASON: &str = "nothing says what the low bits of NOWHERE are, which decide whether it is undefined";
const OVERLAP_REASON: &str =
    "both ranges have bytes in common, and nothing says which are read before they are written";
const BEHIND_REASON: &str = "the range has more than both banks of Config, which the state does not have";
const RESET_REASON: &str = "one of the words resets its bank, and nothing says which of them are written after that";
const SHARED_REASON: &str = "the range has words of both banks that are one for both";

// [MOVER 46, 51] Each mode has a number. (`each_direction_copies_or_clears`)
const L0_TO_L1: u32 = 0; // [MOVER 47] 0: a memset of L1.
const L1_TO_L0: u32 = 1; // [MOVER 48] 1: a memcpy from L1 to elsewhere.
// [MOVER 49] 2, which is what is left: a memset elsewhere. (`each_direction_copies_or_clears`)
const L1_TO_L1: u32 = 3; // [MOVER 50] 3: a memcpy in L1.

/// Both banks of `Config` lie at the front of 64 KiB.
const REGION: u32 = 0x1_0000;

/// `XMOV`: have the mover copy or clear what the thread's configuration says.
///
/// *Source*: page XMOV, commit 39304719.
// Of page `XMOV`.
// [3] L1 or zeros go to L1, Config, or the Instruction RAM of RISCV NC, in aligned units of 16 bytes.
// (`each_direction_copies_or_clears`)
// [3] It goes on in the background. Not modelled: each instruction ends before the next.
// [5] The mover executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [29] Page Mover has what the mover does. (`each_direction_copies_or_clears`)
// [29] RISCV cores can have the mover do it as well. Not modelled: no such core is in the state.
// [33] The thread waits until the mover can begin, and what then is one cycle is the instruction's. Not modelled: each
// instruction ends before the next.
// [33] A STALLWAIT of C12 waits for the mover to end. (`a_stallwait_waits_for_the_units_that_it_names`)
pub fn xmov(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] It is written with two zeros, and has no fields. (`encodings_and_texts_round_trip`)
    // [15, TX-40] A picture shows the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(XMOV, "lines 10 and 15", UNNAMED_REASON))?;
    let chip = Chip::of(step.instruction);
    // [20-21] The bank of Config is that of the thread's StateID.
    // (`what_is_moved_stands_in_the_bank_of_its_thread_s_state_id`)
    let bank = &tensix.small.config[state_id(tensix.small)];
    let fields = match chip {
        Chip::Wormhole => [
            config::THCON_SEC0_REG6_Destination_address,
            config::THCON_SEC0_REG6_Source_address,
            config::THCON_SEC0_REG6_Buffer_size,
            config::THCON_SEC0_REG6_Transfer_direction,
        ],
        Chip::Blackhole => [
            blackhole::THCON_SEC0_REG6_Destination_address,
            blackhole::THCON_SEC0_REG6_Source_address,
            blackhole::THCON_SEC0_REG6_Buffer_size,
            blackhole::THCON_SEC0_REG6_Transfer_direction,
        ],
    };
    let [destination_address, source_address, buffer_size, transfer_direction] = fields.map(|field| field.get(bank));
    // [23-24] Both addresses are in units of 16 bytes, and of the products 32 bits count.
    // (`addresses_are_32_bits_of_units_of_16_bytes`)
    let (dst, src) = (destination_address << 4, source_address << 4);
    // [25] So is the size, of which 16 bits count. (`sizes_are_16_bits_of_units_of_16_bytes`)
    let count = U::<16>::new(buffer_size).get() << 4;
    mover(chip, tensix, [dst, src], count, transfer_direction) // [26] The direction is the mode.
}

/// What a range begins with that is written.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// The number of a row of 16 bytes.
    L1(usize),
    /// The number of a word, counted from the first one of the first bank on.
    Config(usize),
    InstructionRam,
    Nowhere,
}

/// `Mover`: copy or clear `count` bytes.
///
/// *Source*: page Mover, commit 29e53cf9.
// Of page `MOVER`.
// [3] It does what memcpy and memset do. (`each_direction_copies_or_clears`)
// [4] A memcpy is from L1 to L1, Config, or the Instruction RAM of RISCV NC, in aligned units of 16 bytes.
// (`each_direction_copies_or_clears`)
// [5] A memset is to the same, of zeros. (`each_direction_copies_or_clears`)
// [7] The coprocessor gets at it by XMOV. (`each_direction_copies_or_clears`)
// [7] RISCV cores get at it otherwise. Not modelled: no such core is in the state.
// [9] Nobody else writes that Instruction RAM, which must not be read meanwhile. Not modelled: it is in no state.
// [11] Others can copy in L1 as well. Not modelled: this is advice.
// [44] What the modes are stands below. (`each_direction_copies_or_clears`)
// [54] "L0" in their names means nothing. (`each_direction_copies_or_clears`)
// [58] It has a connection to L1 for reads and one for writes, with ports that others use as well. Not modelled: cycle
// timing is out of scope by decision.
// [60-64] How fast it is, by modes. Not modelled: cycle timing is out of scope by decision.
fn mover(chip: Chip, tensix: &mut Tensix<'_>, [dst, src]: [u32; 2], count: u32, mode: u32) -> ControlFlow<Expectation> {
    // [16] Addresses, bytes and mode are 32 bits each. (`addresses_are_32_bits_of_units_of_16_bytes`)
    // [17] First, what is written.
    // [18] In two of the modes that is L1. (`each_direction_copies_or_clears`)
    let target = if mode == L1_TO_L1 || mode == L0_TO_L1 {
        // [19-20] Then the first byte has to lie there. (`a_first_byte_beyond_l1_is_undefined`)
        Target::L1(row_of(chip, dst, cite!(MOVER, "line 20", BEYOND_REASON))?)
    } else {
        // [21-22] In the others it is Config or Instruction RAM, by the address.
        // (`an_address_selects_config_or_instruction_ram`)
        let target = match dst {
            // [23] Up to 0xffff it is where both banks of Config are. (`config_is_two_banks_of_words`)
            ..=0xffff => Target::Config(U::<16>::new(dst >> 2).index()),
            // [24] From 0x40000 to 0x4ffff it is Instruction RAM. (`an_address_selects_config_or_instruction_ram`)
            0x4_0000..=0x4_ffff => Target::InstructionRam,
            // [25] Else what is written is discarded. (`what_goes_nowhere_promises_nothing`)
            _ => Target::Nowhere,
        };
        // The page does not say where that is.
        if matches!(target, Target::Nowhere) && count != 0 {
            return unspecified(cite!(MOVER, "lines 25 and 27", NOWHERE_REASON));
        }
        // [27-28] A range beyond the 64 KiB of its region is undefined; both regions begin at a multiple of that.
        // (`more_than_one_region_is_undefined`)
        if (dst & (REGION - 1)) + count > REGION {
            return ControlFlow::Break(Expectation::Undefined(cite!(MOVER, "lines 27-29", REGIONS_REASON)));
        }
        target
    };

    // [32] Then it is written.
    // [33] In two of the modes what is read is L1. (`each_direction_copies_or_clears`)
    let source = if mode == L1_TO_L1 || mode == L1_TO_L0 {
        // [34-35] Then the first byte has to lie there. (`a_first_byte_beyond_l1_is_undefined`)
        Some(row_of(chip, src, cite!(MOVER, "line 35", BEYOND_REASON))?)
    } else {
        None // [37-38] In the others zeros are written. (`each_direction_copies_or_clears`)
    };
    let rows = U::<16>::new(count >> 4).index();
    match source {
        // [36] Bytes go from one range to the other. (`each_direction_copies_or_clears`)
        // [36] It takes several cycles. Not modelled: cycle timing is out of scope by decision.
        Some(from) => memcpy(chip, tensix, target, from, rows),
        // [39] Bytes become zeros. (`each_direction_copies_or_clears`)
        // [39] It takes several cycles. Not modelled: cycle timing is out of scope by decision.
        None => memset(chip, tensix, target, rows),
    }
}

/// `memcpy` of rows of 16 bytes.
// Shown by `each_direction_copies_or_clears`.
fn memcpy(chip: Chip, tensix: &mut Tensix<'_>, to: Target, from: usize, rows: usize) -> ControlFlow<Expectation> {
    match to {
        Target::L1(to) => {
            ends_in_l1(chip, to, rows, cite!(MOVER, "line 36", END_REASON))?;
            ends_in_l1(chip, from, rows, cite!(MOVER, "line 36", END_REASON))?;
            // [MOVER 36] Of a row that is written and read nothing is promised. (`ranges_that_overlap_promise_nothing`)
            if to < from + rows && from < to + rows {
                return unspecified(cite!(MOVER, "line 36", OVERLAP_REASON));
            }
            for row in 0..rows {
                *l1_row_mut(tensix, to + row)? = l1_row(tensix, from + row)?;
            }
        }
        Target::Config(to) => {
            ends_in_l1(chip, from, rows, cite!(MOVER, "line 36", END_REASON))?;
            is_of_config(chip, tensix.small, to, rows)?;
            // [MOVER 36] Of a range with a word that resets a bank nothing is promised.
            // (`a_memset_of_state_reset_en_clears_its_bank`)
            if (to..to + 4 * rows).any(|word| word % chip.config_size() == STATE_RESET_EN) {
                return unspecified(cite!(MOVER, "line 36", RESET_REASON));
            }
            for row in 0..rows {
                let words = l1_row(tensix, from + row)?;
                write_row(chip, tensix, to + 4 * row, words);
            }
        }
        // [MOVER 24-25] Nothing of the state is written, and nothing is said of what is read.
        // (`an_address_selects_config_or_instruction_ram`)
        Target::InstructionRam | Target::Nowhere => {}
    }
    ControlFlow::Continue(())
}

/// `memset` of rows of 16 bytes, with 0.
// Shown by `each_direction_copies_or_clears`.
fn memset(chip: Chip, tensix: &mut Tensix<'_>, to: Target, rows: usize) -> ControlFlow<Expectation> {
    match to {
        Target::L1(to) => {
            ends_in_l1(chip, to, rows, cite!(MOVER, "line 39", END_REASON))?;
            for row in to..to + rows {
                *l1_row_mut(tensix, row)? = [0; 4];
            }
        }
        Target::Config(to) => {
            is_of_config(chip, tensix.small, to, rows)?;
            // [MOVER 39] A word that resets its bank is one like any other here: all becomes 0.
            // (`a_memset_of_state_reset_en_clears_its_bank`)
            (0..rows).for_each(|row| write_row(chip, tensix, to + 4 * row, [0; 4]));
        }
        // [MOVER 24-25] Nothing of the state is written. (`an_address_selects_config_or_instruction_ram`)
        Target::InstructionRam | Target::Nowhere => {}
    }
    ControlFlow::Continue(())
}

/// Nothing is promised of rows of which some are beyond L1.
fn ends_in_l1(chip: Chip, first: usize, rows: usize, beyond: &'static Citation) -> ControlFlow<Expectation> {
    // [MOVER 20, 35] First bytes alone are said to lie in L1. (`a_last_byte_beyond_l1_promises_nothing`)
    if first + rows > chip.l1_bytes() / 16 { unspecified(beyond) } else { ControlFlow::Continue(()) }
}

/// Nothing is promised of rows behind both banks of `Config`, nor of a word that is one for both and comes twice.
fn is_of_config(chip: Chip, small: &Small, first: usize, rows: usize) -> ControlFlow<Expectation> {
    let (words, size) = (first..first + 4 * rows, chip.config_size());
    // [MOVER 23] What lies behind them is outside of the state. (`what_lies_behind_config_promises_nothing`)
    if rows != 0 && words.end > 2 * size {
        return unspecified(cite!(MOVER, "line 23", BEHIND_REASON));
    }
    // [MOVER 36, 39] Which of two words is the later one is not said. (`words_that_both_banks_share_are_one`)
    let is_twice = |word: usize| {
        words.contains(&word) && words.contains(&(size + word)) && small.config_word(chip, 0, word).is_some()
    };
    if (chip.global_cfgreg_base()..size).any(is_twice) {
        return unspecified(cite!(MOVER, "lines 36 and 39", SHARED_REASON));
    }
    ControlFlow::Continue(())
}

/// Writes four words of `Config`, with all that such writes do.
fn write_row(chip: Chip, tensix: &mut Tensix<'_>, first: usize, values: [u32; 4]) {
    // [MOVER 23] Page BackendConfiguration has the words of one bank behind those of the other.
    // (`config_is_two_banks_of_words`)
    for (word, value) in (first..).zip(values) {
        write(chip, tensix, word / chip.config_size(), word % chip.config_size(), value);
    }
}

/// Nothing is promised.
fn unspecified(citation: &'static Citation) -> ControlFlow<Expectation> {
    ControlFlow::Break(Expectation::Unspecified(citation))
}

#[cfg(test)]
mod tests;
