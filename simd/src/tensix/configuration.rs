//! `SETC16`, `WRCFG`, `RDCFG`, `RMWCIB0` to `RMWCIB3`, both forms of `SETDMAREG`, and `CFGSHIFTMASK` of Blackhole: words of
//! configuration and GPRs, on both chips.
//!
//! A write is bits that are chosen by a mask: of a word of `Config`, or of a row of four GPRs. A row of GPRs is marked as a
//! whole, and what the mask leaves out keeps its value. `SETDMAREG_SPECIAL` asks which halves of its source are zero
//! whatever Packers have; those are moved, and all others are unsupported.
//!
//! What differs from the pages, and why it is equal:
//! 1. `memcpy` of 16 bytes between places that are rounded down to four words is a loop over one row of GPRs.
//! 2. A word of `Config` that both banks share is one word of the state, so it is written once.
//! 3. A word of `Config` that is not in the state is not written. `RDCFG` of it is unsupported.
//! 4. `RMWCIB`: the byte is a mask and a value, both shifted to their place in the word.
//! 5. `WRCFG` that writes `STATE_RESET_EN`, alone or among four words, leaves zero in all words of the bank below
//!    `GLOBAL_CFGREG_BASE`: the write and what comes of it are one moment. Of 128 bits, the three other words are zero too.
//!    `RMWCIB` is excepted, and writes bits of that word as of any other.
//! 6. The pointer to a half of a GPR is a GPR and a shift: the low half comes first.
//! 7. `SETDMAREG_SPECIAL`: the switch over sources is a set of the halves that are known; what is known is zero. Each size
//!    is the halves that it takes and the bits that it writes, and as all that is moved is zero, writing clears bits.
//! 8. `CFGSHIFTMASK`: all that `AluMode` can mean is computed, and one is taken. Of a word that is not in the state nothing is
//!    read either, as only that word depends on it. `STATE_RESET_EN` is as with `WRCFG`.
//!
//! 8. `SETC16`: page BackendConfiguration resets the thread's counters of contexts with a write to one word, whatever is written.
//!
//! Where the page promises nothing, at an index out of bounds, nothing is done: the instruction is unsupported.

use tandem_isa::Answer;
use tandem_isa::tensix::config::{CFG_STATE_ID_StateID, CONFIG_WORDS, STATE_RESET_EN, blackhole};
use tandem_isa::tensix::inst::configuration::{
    ALU_MODE, CFG_INDEX, CFG_INDEX8, INDEX4, INPUT_REG, IS_128_BIT, MASK, MASK_MODE, MASK_WIDTH, NEW_VALUE8,
    NEW_VALUE16, RESULT_REG, ROTATE_AMT, SCRATCH_INDEX, THREAD_CFG_INDEX,
};
use tandem_isa::tensix::inst::scalar::{INPUT_HALF_REG, INPUT_SOURCE, NEW_VALUE_OF_HALF, RESULT_HALF_REG, RESULT_SIZE};
use tandem_isa::tensix::{Chip, Small, Tensix};

use super::instruction::{Decoded, Instruction, thread_of};
use crate::bits::{all_if, choose};
use crate::vector::Vector;

// What is zeroed by a write to `STATE_RESET_EN` and what is not: `zero_bank` names the words.
const _: () = {
    assert!(CONFIG_WORDS == blackhole::GLOBAL_CFGREG_BASE);
    assert!(blackhole::DEST_ACCESS_CFG >= blackhole::GLOBAL_CFGREG_BASE);
};

#[inline(always)]
pub(super) fn state_id_of(small: &Small) -> usize {
    CFG_STATE_ID_StateID.get(&small.thread_config[thread_of(small)]) as usize
}

/// All words below `GLOBAL_CFGREG_BASE` of one bank become zero.
#[inline(always)]
fn zero_bank(small: &mut Small, state_id: usize) {
    small.config[state_id] = [0; CONFIG_WORDS];
}

/// Writes words of the current thread's bank, from the one of number `first` on, and does what comes of `STATE_RESET_EN`.
#[inline(always)]
pub(super) fn write_config(chip: Chip, small: &mut Small, first: usize, words: &[u32]) {
    write_bank(chip, small, state_id_of(small), first, words);
}

/// The same, of the bank `state_id`.
#[inline(always)]
pub(super) fn write_bank(chip: Chip, small: &mut Small, state_id: usize, first: usize, words: &[u32]) {
    for (index, word) in (first..).zip(words) {
        if let Some(to) = small.config_word_mut(chip, state_id, index) {
            *to = *word;
        }
    }
    if (first..first + words.len()).contains(&STATE_RESET_EN) {
        zero_bank(small, state_id);
    }
}

/// `SETC16`.
pub(crate) struct Setc16;

impl<V: Vector> Instruction<V> for Setc16 {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let index = THREAD_CFG_INDEX.get(&code) as usize;
        if index >= chip.thread_config_size() {
            return Answer::Unsupported;
        }
        let thread = thread_of(small);
        small.thread_config[thread][index] = NEW_VALUE16.get(&code) as u16;
        // 8. A write of the word of contexts is the end of both counters of the thread.
        let keeps = u32::from(index != chip.context_reset()).wrapping_neg();
        small.unpackers_context_counter.iter_mut().for_each(|counters| counters[thread] &= keeps);
        Answer::Done
    }
}

/// `WRCFG`.
pub(crate) struct Wrcfg;

impl<V: Vector> Instruction<V> for Wrcfg {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (index, input_reg) = (CFG_INDEX.get(&code) as usize, INPUT_REG.get(&code) as usize);
        if index >= chip.config_size() {
            return Answer::Unsupported;
        }
        let row = *tensix.gprs_row(thread_of(tensix.small), input_reg / 4);
        let (first, words) = if IS_128_BIT.get(&code) != 0 {
            (index & !3, &row[..])
        } else {
            (index, std::slice::from_ref(&row[input_reg % 4]))
        };
        write_config(chip, tensix.small, first, words);
        Answer::Done
    }
}

/// `RDCFG`.
pub(crate) struct Rdcfg;

impl<V: Vector> Instruction<V> for Rdcfg {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        // An index out of bounds is in no state either.
        let Some(&word) = small.config_word(chip, state_id_of(small), CFG_INDEX.get(&code) as usize) else {
            return Answer::Unsupported;
        };
        write_gpr(tensix, RESULT_REG.get(&code), !0, word);
        Answer::Done
    }
}

/// `RMWCIB0` to `RMWCIB3`, by `Index1`.
pub(crate) struct Rmwcib<const INDEX1: u32>;
pub(crate) type Rmwcib0 = Rmwcib<0>;
pub(crate) type Rmwcib1 = Rmwcib<1>;
pub(crate) type Rmwcib2 = Rmwcib<2>;
pub(crate) type Rmwcib3 = Rmwcib<3>;

impl<V: Vector, const INDEX1: u32> Instruction<V> for Rmwcib<INDEX1> {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let index = INDEX4.get(&code) as usize;
        if index >= chip.config_size() {
            return Answer::Unsupported;
        }
        let state_id = state_id_of(small);
        if let Some(word) = small.config_word_mut(chip, state_id, index) {
            *word = choose(MASK.get(&code) << (8 * INDEX1), NEW_VALUE8.get(&code) << (8 * INDEX1), *word);
        }
        Answer::Done
    }
}

/// `CFGSHIFTMASK`.
pub(crate) struct Cfgshiftmask;

impl<V: Vector> Instruction<V> for Cfgshiftmask {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let index = CFG_INDEX8.get(&code) as usize;
        if index >= chip.config_size() {
            return Answer::Unsupported;
        }
        let scratch_sec = small.scratch_sec;
        let scratch = scratch_sec.get(SCRATCH_INDEX.get(&code) as usize).unwrap_or(&scratch_sec[thread_of(small)]);
        let mask = !0 >> (31 - MASK_WIDTH.get(&code));
        let [scratch, mask] = [scratch & mask, mask].map(|word| word.rotate_right(ROTATE_AMT.get(&code)));
        let state_id = state_id_of(small);
        if let Some(word) = small.config_word_mut(chip, state_id, index) {
            let old = *word & !(mask & all_if(MASK_MODE.get(&code) == 0));
            *word = [
                old | scratch,
                old & scratch,
                old ^ scratch,
                old.wrapping_add(scratch),
                old | !scratch,
                old & !scratch,
                old ^ !scratch,
                old.wrapping_sub(scratch),
            ][ALU_MODE.get(&code) as usize];
        }
        if index == STATE_RESET_EN {
            zero_bank(small, state_id);
        }
        Answer::Done
    }
}

/// Writes bits of a GPR of the current thread.
#[inline(always)]
pub(super) fn write_gpr(tensix: &mut Tensix<'_>, register: u32, bits: u32, value: u32) {
    let thread = thread_of(tensix.small);
    let word = &mut tensix.gprs_row_mut(thread, register as usize / 4)[register as usize % 4];
    *word = choose(bits, value, *word);
}

/// The bits of a GPR that a half is, and the half's shift.
#[inline(always)]
pub(super) const fn half_of(half_reg: u32) -> (u32, u32) {
    let shift = half_reg % 2 * 16;
    (0xffff << shift, shift)
}

/// `SETDMAREG_IMMEDIATE`.
pub(crate) struct SetdmaregImmediate;

impl<V: Vector> Instruction<V> for SetdmaregImmediate {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let half_reg = RESULT_HALF_REG.get(&code);
        let (bits, shift) = half_of(half_reg);
        write_gpr(tensix, half_reg / 2, bits, NEW_VALUE_OF_HALF.get(&code) << shift);
        Answer::Done
    }
}

/// Which of the eight halves of its four values a source of `SETDMAREG_SPECIAL` leaves zero, whatever Packers have.
const fn halves_that_are_zero(input_source: u32) -> u32 {
    match input_source {
        // What has a word of each Packer, and histograms, which are all of 128 bits.
        0 | 1 | 6 | 7 => 0,
        // A header: the reserved halves of the first two words, and the last word.
        2..=5 => 1 << 1 | 1 << 2 | 0b11 << 6,
        // Four bits in the first word; flags do not reach its high half.
        8 => !1 & 0xff,
        // A word.
        9 => !0b11 & 0xff,
        _ => 0xff,
    }
}

/// What a size of a header takes, and clears of the four GPRs if it is zero: all but the reserved fields.
const HALVES_OF_HEADER: u32 = 1 << 0 | 1 << 3 | 0b11 << 4;
const BITS_OF_HEADER: [u32; 4] = [0xffff, 0x00ff_0000, !0, 0];

/// `SETDMAREG_SPECIAL`.
pub(crate) struct SetdmaregSpecial;

impl<V: Vector> Instruction<V> for SetdmaregSpecial {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (half_reg, input_half_reg) = (RESULT_HALF_REG.get(&code), INPUT_HALF_REG.get(&code));
        let mut one = [0; 4];
        let cleared = &mut one[half_reg as usize / 2 % 4];
        let (taken, cleared) = match RESULT_SIZE.get(&code) {
            0 => {
                *cleared = half_of(half_reg).0;
                (1 << input_half_reg, one)
            }
            1 => {
                *cleared = !0;
                (0b11 << (input_half_reg & !1), one)
            }
            2 => (0xff, [!0; 4]),
            _ => (HALVES_OF_HEADER, BITS_OF_HEADER),
        };
        if taken & !halves_that_are_zero(INPUT_SOURCE.get(&code)) != 0 {
            return Answer::Unsupported;
        }
        let thread = thread_of(tensix.small);
        let row = tensix.gprs_row_mut(thread, half_reg as usize / 8);
        row.iter_mut().zip(cleared).for_each(|(word, cleared)| *word &= !cleared);
        Answer::Done
    }
}
