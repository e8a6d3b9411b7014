//! Instructions that change counters, owners of banks, semaphores and mutexes, and no data, on both chips.
//!
//! `INCRWC` is a section of an AddrMod that the word spells out, so `rwcs.rs` carries it out. `SETRWC` is two: one that clears
//! the counters that do not start from what they are, and one that adds the values. A bank is given back, and
//! another one is turned to, by bits that are or-ed and xor-ed. The eight semaphores are sixteen lanes, `Value` and `Max` in
//! turn; all are computed, and those that the mask names are taken.
//!
//! What differs from the pages, and why it is equal:
//! 1. The pages' chains of `if` are selects: the flags of a word are data to whoever fuzzes.
//! 2. `INCRWC`: in both cases the sum goes to the counter; its left operand is the carriage return, and it goes there
//!    too, if the flag is set. That is what an AddrMod with `CR` does. Its other bits are zero: nothing is cleared, and
//!    nothing is added to `FidelityPhase` and `ExtraAddrModBit`.
//! 3. `SETRWC`: a counter that is set is set together with its carriage return, which is what `CR` and `CToCR` of an AddrMod
//!    do with the sum; and zero is what both are after `Clear`. A counter that is not set has 0 added, without `CR`.
//! 4. Counters wrap by a mask after the addition. The values of `SETRWC` and `INCRWC` are four bits wide where the word
//!    holds them; sums are as wide as the counter that they go to.
//! 5. `AllowedClient` is one bit, and the Unpackers are 1: giving a bank to them is setting the bit.
//! 6. `CLEARDVALID` with `Reset` is unsupported functionality, so the bit is not looked at.
//! 7. `SEMPOST`: at most 14, and one more, is `Value + 1`, or 15 if it was 15. `SEMGET`: at least 1, and one less. The words
//!    have four bits, so it does not matter that lanes are compared as numbers with sign.
//! 8. `ATGETM` and `ATRELM`: a wait is a refusal, which leaves all as it was, for as long as the instruction is presented in such
//!    a state. The waits of a cycle or two come from what other threads do meanwhile, and who of several threads gets a mutex
//!    is decided by the order of steps: here is one thread.

use std::cell::Cell;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::control::{
    DST, DST_CR, DST_CTO_CR, DST_INC, DST_VAL, FIDELITY, FLIP_SRCA, FLIP_SRCB, INDEX, KEEP_READING_SAME_SRC, NEW_MAX,
    NEW_VALUE, SEMAPHORE_MASK, SRCA, SRCA_CR, SRCA_INC, SRCA_VAL, SRCB, SRCB_CR, SRCB_INC, SRCB_VAL,
};
use tandem_isa::tensix::{Chip, MATRIX_UNIT, Small, Tensix, UNPACKERS};
use tandem_isa::{Answer, CodeField};

use super::instruction::{Code, Decoded, Instruction, thread_of};
use super::rwcs::{Counters, Section};
use crate::vector::Vector;

// What an or does to the owner of a bank.
const _: () = assert!(MATRIX_UNIT == 0 && UNPACKERS == 1);

/// `SETRWC`.
pub(crate) struct Setrwc;

impl<V: Counters> Instruction<V> for Setrwc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let thread = thread_of(small);
        let get = |field: CodeField| field.get(&code);
        let [srca, srcb, c_to_cr, cr] = [SRCA, SRCB, DST_CTO_CR, DST_CR].map(get);
        let any_dst = get(DST) | c_to_cr;
        let cleared = Section {
            ab: ((srca & !get(SRCA_CR)) << 7 | (srcb & !get(SRCB_CR)) << 15) as u16,
            dst: ((any_dst & !c_to_cr & !cr) << 11) as u16,
            bias: 0,
        };
        let [value_a, value_b] = [srca * (get(SRCA_VAL) | 1 << 6), srcb * (get(SRCB_VAL) | 1 << 6)];
        let value_dst = any_dst * (get(DST_VAL) | 1 << 10);
        let set = Section {
            ab: (value_a | value_b << 8) as u16,
            dst: (value_dst | c_to_cr << 12 | get(FIDELITY) << 15) as u16,
            bias: 0,
        };
        let rwc = &mut small.rwcs[thread];
        V::advance(level, rwc, cleared);
        V::advance(level, rwc, set);
        flip(chip, small, thread, &code);
        Answer::Done
    }
}

/// `INCRWC`.
pub(crate) struct Incrwc;

impl<V: Counters> Instruction<V> for Incrwc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let srca = SRCA_INC.get(&code) | SRCA_CR.get(&code) << 6;
        let srcb = SRCB_INC.get(&code) | SRCB_CR.get(&code) << 6;
        let dst = DST_INC.get(&code) | DST_CR.get(&code) << 10;
        let section = Section { ab: (srca | srcb << 8) as u16, dst: dst as u16, bias: 0 };
        let thread = thread_of(tensix.small);
        V::advance(level, &mut tensix.small.rwcs[thread], section);
        Answer::Done
    }
}

/// `CLEARDVALID`.
pub(crate) struct Cleardvalid;

impl<V: Vector> Instruction<V> for Cleardvalid {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let given = [FLIP_SRCA, FLIP_SRCB].map(|flip| flip.get(&code));
        give_back(tensix.small, given, given.map(|flip| flip & !KEEP_READING_SAME_SRC.get(&code)));
        Answer::Done
    }
}

/// Flips the banks that the word names, and gives those up that `CLR_DVALID_…_Disable` does not keep.
#[inline(always)]
pub(super) fn flip(chip: Chip, small: &mut Small, thread: usize, code: &Code) {
    // Not by a map over arrays, which is a call where so much is inlined.
    let (flip_a, flip_b) = (FLIP_SRCA.get(code), FLIP_SRCB.get(code));
    let words = &small.thread_config[thread];
    let kept_a = chip.pick(config::CLR_DVALID_SrcA_Disable, blackhole::CLR_DVALID_SrcA_Disable).get(words);
    let kept_b = chip.pick(config::CLR_DVALID_SrcB_Disable, blackhole::CLR_DVALID_SrcB_Disable).get(words);
    give_back(small, [flip_a & !kept_a, flip_b & !kept_b], [flip_a, flip_b]);
}

/// Gives the banks that the Matrix Unit uses to the Unpackers, and has it use the other ones: where a bit is set, of
/// `SrcA` and of `SrcB`.
#[inline(always)]
fn give_back(small: &mut Small, given: [u32; 2], flipped: [u32; 2]) {
    small.srca_allowed_client[(small.matrix_unit_srca_bank & 1) as usize] |= given[0];
    small.matrix_unit_srca_bank ^= flipped[0];
    small.srcb_allowed_client[(small.matrix_unit_srcb_bank & 1) as usize] |= given[1];
    small.matrix_unit_srcb_bank ^= flipped[1];
}

/// `SEMINIT`.
pub(crate) struct Seminit;

impl<V: Vector> Instruction<V> for Seminit {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let [value, max] = [NEW_VALUE, NEW_MAX].map(|field| V::splat(level, field.get(&code)));
        let new = V::select(V::mask(level, 0x5555), value, max);
        change_semaphores::<V>(level, tensix.small, &code, !0, |_| new)
    }
}

/// `SEMPOST`.
pub(crate) struct Sempost;

impl<V: Vector> Instruction<V> for Sempost {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        change_semaphores::<V>(level, tensix.small, &code, 0, |old| old.min(old.like(14)) + old.like(1))
    }
}

/// `SEMGET`.
pub(crate) struct Semget;

impl<V: Vector> Instruction<V> for Semget {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        change_semaphores::<V>(level, tensix.small, &code, 0, |old| old.max(old.like(1)) - old.like(1))
    }
}

/// Changes the semaphores that `SemaphoreMask` names: each `Value`, and each `Max` too if `max_too` has all bits.
#[inline(always)]
fn change_semaphores<V: Vector>(
    level: V::Level,
    small: &mut Small,
    code: &Code,
    max_too: u32,
    to: impl Fn(V) -> V,
) -> Answer {
    // The bit of the mask that names a word.
    let mut bits: [u32; 16] = std::array::from_fn(|word| if word % 2 == 0 { !0 } else { max_too } & 1 << (word / 2));
    let words: &mut [u32; 16] = bytemuck::cast_mut(&mut small.semaphores);
    let [bits, words] = [&mut bits, words].map(|words| Cell::from_mut(&mut words[..]).as_slice_of_cells());
    let mask = V::splat(level, SEMAPHORE_MASK.get(code));
    for chunk in 0..16 / V::LANES {
        let old = V::load(level, words, chunk);
        to(old).store(words, chunk, (mask & V::load(level, bits, chunk)).is_above(old.like(0)));
    }
    Answer::Done
}

/// Who holds the mutex that the word names, if the chip has it, and what the current thread is called there.
#[inline(always)]
fn mutex<'a>(chip: Chip, code: &Code, small: &'a mut Small) -> (Option<&'a mut u8>, u8) {
    let itself = 1 + thread_of(small) as u8;
    let index = INDEX.get(code) as usize;
    let is_there = index != 1 && index <= chip.pick(7, 4);
    (is_there.then(|| &mut small.mutex_held_by[index]), itself)
}

/// `ATGETM`.
pub(crate) struct Atgetm;

impl<V: Vector> Instruction<V> for Atgetm {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        match mutex(chip, &code, tensix.small) {
            (Some(held_by), itself) if [0, itself].contains(held_by) => {
                *held_by = itself;
                Answer::Done
            }
            _ => Answer::Blocked,
        }
    }
}

/// `ATRELM`.
pub(crate) struct Atrelm;

impl<V: Vector> Instruction<V> for Atrelm {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let (Some(held_by), itself) = mutex(chip, &code, tensix.small) else { return Answer::Blocked };
        if *held_by == itself {
            *held_by = 0;
        }
        Answer::Done
    }
}
