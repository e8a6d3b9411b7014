//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::{BLACKHOLE, MATRIX_UNIT, Rwc, Semaphore, Tensix, WORMHOLE};
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

type Fields<'a> = &'a [(CodeField, u32)];

/// What is promised of an instruction, and what it makes of the small state that `prepare` makes.
fn run(chip: Chip, name: &str, fields: Fields<'_>, prepare: impl Fn(&mut Small)) -> (Expectation, Small) {
    let (isa, instruction, code) = word(chip, name, fields);
    let mut state = isa.base_state();
    prepare(Tensix::new(&mut state).small);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    (promise, *Tensix::new(&mut state).small)
}

const START: Rwc = Rwc {
    dst: 1020,
    dst_cr: 1016,
    srca: 60,
    srca_cr: 62,
    srcb: 50,
    srcb_cr: 20,
    fidelity_phase: 3,
    extra_addr_mod_bit: 1,
};

/// Whether the thread's counters, and nothing else, become what is expected, on both chips and for each thread.
fn check_counters(name: &str, fields: Fields<'_>, expected: Rwc) {
    for (chip, thread) in [(Chip::Wormhole, 0), (Chip::Blackhole, 1), (Chip::Wormhole, 2)] {
        let prepare = |small: &mut Small| {
            small.rwcs = [START; 3];
            small.current_thread = thread;
        };
        let (promise, small) = run(chip, name, fields, prepare);
        let mut after = *Tensix::new(&mut chip.pick(&WORMHOLE, &BLACKHOLE).base_state()).small;
        prepare(&mut after);
        after.rwcs[U::<2>::new(thread).index()] = expected;
        assert_eq!((promise, small), (Expectation::Done, after), "{name} {chip:?} {fields:?}");
    }
}

#[rstest]
#[case(&[(SRCA_VAL, 9), (SRCB_VAL, 9), (DST_VAL, 9)], START)]
#[case(&[(SRCA_CR, 1), (SRCB_CR, 1), (DST_CR, 1), (SRCA_VAL, 9), (SRCB_VAL, 9), (DST_VAL, 9)], START)]
#[case(&[(SRCA, 1), (SRCA_VAL, 9), (SRCB_VAL, 7)], Rwc { srca: 9, srca_cr: 9, ..START })]
// 62 + 9 = 71, which is 7 in six bits.
#[case(&[(SRCA, 1), (SRCA_CR, 1), (SRCA_VAL, 9)], Rwc { srca: 7, srca_cr: 7, ..START })]
#[case(&[(SRCB, 1), (SRCB_VAL, 13), (SRCA_VAL, 7)], Rwc { srcb: 13, srcb_cr: 13, ..START })]
// 20 + 15 = 35, and not the 3 that four bits would hold.
#[case(&[(SRCB, 1), (SRCB_CR, 1), (SRCB_VAL, 15)], Rwc { srcb: 35, srcb_cr: 35, ..START })]
#[case(&[(DST, 1), (DST_VAL, 12)], Rwc { dst: 12, dst_cr: 12, ..START })]
// 1016 + 12 = 1028, which is 4 in ten bits; 1020 + 12 = 1032, which is 8.
#[case(&[(DST, 1), (DST_CR, 1), (DST_VAL, 12)], Rwc { dst: 4, dst_cr: 4, ..START })]
#[case(&[(DST, 1), (DST_CTO_CR, 1), (DST_VAL, 12)], Rwc { dst: 8, dst_cr: 8, ..START })]
#[case(&[(DST_CTO_CR, 1), (DST_VAL, 12)], Rwc { dst: 8, dst_cr: 8, ..START })]
#[case(&[(DST_CTO_CR, 1), (DST_CR, 1), (DST_VAL, 12)], Rwc { dst: 8, dst_cr: 8, ..START })]
// 1016 + 1 = 1017.
#[case(&[(DST, 1), (DST_CR, 1), (DST_VAL, 1)], Rwc { dst: 1017, dst_cr: 1017, ..START })]
#[case(&[(FIDELITY, 1)], Rwc { fidelity_phase: 0, ..START })]
fn setrwc_sets_a_counter_and_its_cr_to_a_value_that_may_grow_by_one_of_them(
    #[case] fields: Fields<'_>,
    #[case] expected: Rwc,
) {
    check_counters("SETRWC", fields, expected);
}

#[rstest]
#[case(&[], START)]
// 60 + 9 = 69, which is 5 in six bits; 62 + 9 = 71, which is 7.
#[case(&[(SRCA_INC, 9)], Rwc { srca: 5, ..START })]
#[case(&[(SRCA_INC, 9), (SRCA_CR, 1)], Rwc { srca: 7, srca_cr: 7, ..START })]
// 50 + 15 = 65, which is 1 in six bits; 20 + 15 = 35.
#[case(&[(SRCB_INC, 15)], Rwc { srcb: 1, ..START })]
#[case(&[(SRCB_INC, 15), (SRCB_CR, 1)], Rwc { srcb: 35, srcb_cr: 35, ..START })]
// 1020 + 8 = 1028, which is 4 in ten bits; 1016 + 11 = 1027, which is 3.
#[case(&[(DST_INC, 8)], Rwc { dst: 4, ..START })]
#[case(&[(DST_INC, 11), (DST_CR, 1)], Rwc { dst: 3, dst_cr: 3, ..START })]
// An increment of 0 does not leave the counter alone if Cr says where it comes from.
#[case(&[(SRCA_CR, 1), (SRCB_CR, 1), (DST_CR, 1)], Rwc { srca: 62, srcb: 20, dst: 1016, ..START })]
fn incrwc_adds_to_a_counter_or_to_its_cr_which_the_counter_then_becomes(
    #[case] fields: Fields<'_>,
    #[case] expected: Rwc,
) {
    check_counters("INCRWC", fields, expected);
}

/// Which banks are flipped, which of them keep what a test says, and which the Matrix Unit has: of `SrcA`, then of `SrcB`.
fn each_flip() -> impl Iterator<Item = [[bool; 2]; 3]> {
    (0..64).map(|bits| [0, 2, 4].map(|at| [bits >> at & 1 != 0, bits >> (at + 1) & 1 != 0]))
}

/// The Matrix Unit has these banks, and all banks.
fn prepare_banks(small: &mut Small, [srca, srcb]: [bool; 2]) {
    (small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank) = (srca.into(), srcb.into());
    (small.srca_allowed_client, small.srcb_allowed_client) = ([MATRIX_UNIT; 2], [MATRIX_UNIT; 2]);
}

/// Who has each bank if only `bank` may have gone to the Unpackers.
fn owners(bank: bool, given: bool) -> [u32; 2] {
    [false, true].map(|other| if given && other == bank { UNPACKERS } else { MATRIX_UNIT })
}

#[test]
fn setrwc_flips_a_bank_and_gives_it_away_unless_the_thread_has_that_disabled() {
    for (chip, addr) in [(Chip::Wormhole, 5), (Chip::Blackhole, 7)] {
        for [flips, keeps, banks] in each_flip() {
            let prepare = |small: &mut Small| {
                prepare_banks(small, banks);
                small.current_thread = 1;
                // Other threads, and other words, say the opposite.
                let word = u16::from(keeps[0]) | u16::from(keeps[1]) << 1;
                small.thread_config = [[!word; THREAD_CONFIG_WORDS]; 3];
                small.thread_config[1][addr] = word;
            };
            let fields = [(FLIP_SRCA, flips[0].into()), (FLIP_SRCB, flips[1].into())];
            let (promise, small) = run(chip, "SETRWC", &fields, prepare);
            let mut after = small;
            prepare(&mut after);
            after.matrix_unit_srca_bank = u32::from(banks[0] != flips[0]);
            after.matrix_unit_srcb_bank = u32::from(banks[1] != flips[1]);
            after.srca_allowed_client = owners(banks[0], flips[0] && !keeps[0]);
            after.srcb_allowed_client = owners(banks[1], flips[1] && !keeps[1]);
            assert_eq!((promise, small), (Expectation::Done, after), "{chip:?} {flips:?} {keeps:?} {banks:?}");
        }
    }
}

#[test]
fn cleardvalid_gives_banks_away_and_flips_them_unless_it_keeps_reading() {
    for (chip, keeps) in [(Chip::Wormhole, false), (Chip::Wormhole, true), (Chip::Blackhole, false)] {
        for [flips, _, banks] in each_flip() {
            let prepare = |small: &mut Small| {
                prepare_banks(small, banks);
                // It is asked by no thread whether owners change.
                small.thread_config = [[u16::MAX; THREAD_CONFIG_WORDS]; 3];
            };
            let fields =
                [(FLIP_SRCA, flips[0].into()), (FLIP_SRCB, flips[1].into()), (KEEP_READING_SAME_SRC, keeps.into())];
            let (promise, small) = run(chip, "CLEARDVALID", &fields, prepare);
            let mut after = small;
            prepare(&mut after);
            after.matrix_unit_srca_bank = u32::from(banks[0] != (flips[0] && !keeps));
            after.matrix_unit_srcb_bank = u32::from(banks[1] != (flips[1] && !keeps));
            after.srca_allowed_client = owners(banks[0], flips[0]);
            after.srcb_allowed_client = owners(banks[1], flips[1]);
            assert_eq!((promise, small), (Expectation::Done, after), "{chip:?} {flips:?} {keeps} {banks:?}");
        }
    }
}

#[test]
fn a_reset_is_unsupported_whatever_comes_with_it() {
    for chip in Chip::ALL {
        for bits in 0..8 {
            let fields =
                [(RESET, 1), (KEEP_READING_SAME_SRC, bits & 1), (FLIP_SRCA, bits >> 1 & 1), (FLIP_SRCB, bits >> 2)];
            let (promise, _) = run(chip, "CLEARDVALID", &fields, |_| ());
            assert!(matches!(promise, Expectation::Unsupported(_)), "{chip:?} {bits}");
        }
    }
}

#[test]
fn semaphores_that_the_mask_selects_are_set_incremented_up_to_15_or_decremented_down_to_0() {
    const START: [u32; 8] = [3, 0, 1, 7, 8, 15, 14, 13];
    const OPERANDS: Fields<'_> = &[(NEW_VALUE, 13), (NEW_MAX, 10)];
    for (name, fields, max, expected) in [
        ("SEMINIT", OPERANDS, Some(10), [13; 8]),
        // The maximum, which is 3, stops neither of the two.
        ("SEMPOST", &[], None, [4, 1, 2, 8, 9, 15, 15, 14]),
        ("SEMGET", &[], None, [2, 0, 0, 6, 7, 14, 13, 12]),
    ] {
        for (chip, mask) in Chip::ALL.into_iter().flat_map(|chip| (0..256).map(move |mask| (chip, mask))) {
            let fields = [fields, &[(SEMAPHORE_MASK, mask)]].concat();
            let prepare = |small: &mut Small| small.semaphores = START.map(|value| Semaphore { value, max: 3 });
            let (promise, small) = run(chip, name, &fields, prepare);
            let mut after = small;
            prepare(&mut after);
            let selected = (0..8).filter(|i| mask >> i & 1 != 0);
            selected.for_each(|i| after.semaphores[i] = Semaphore { value: expected[i], max: max.unwrap_or(3) });
            assert_eq!((promise, small), (Expectation::Done, after), "{name} {chip:?} {mask:#x}");
        }
    }
}

#[test]
fn nothing_is_promised_of_a_word_with_a_bit_that_belongs_to_no_field() {
    for (name, unnamed) in [
        ("SETRWC", 0x00_0030),
        ("INCRWC", 0xe0_003f),
        ("CLEARDVALID", 0x3f_fffc),
        ("SEMINIT", 0x00_fc03),
        ("SEMPOST", 0xff_fc03),
        ("SEMGET", 0xff_fc03),
    ] {
        for (chip, bit) in Chip::ALL.into_iter().flat_map(|chip| (0..24).map(move |bit| (chip, bit))) {
            let (promise, _) = run(chip, name, &[(CodeField { name: "", word: 0, shift: bit, width: 1 }, 1)], |_| ());
            let refused = matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
            assert_eq!(refused, unnamed >> bit & 1 != 0, "{name} {chip:?} bit {bit}");
        }
    }
}

/// Runs an instruction on a mutex, which each of the others is held with.
fn on_mutex(chip: Chip, name: &str, (thread, index): (u32, u32), held_by: u8) -> (Expectation, Small) {
    run(chip, name, &[(INDEX, index)], |small| {
        small.current_thread = thread;
        small.mutex_held_by = [2, 0, 2, 2, 2, 2, 2, 2];
        if let Some(mutex) = small.mutex_held_by.get_mut(index as usize) {
            *mutex = held_by;
        }
    })
}

#[test]
fn a_mutex_is_acquired_by_whoever_finds_it_free_or_holds_it_and_released_by_its_holder_alone() {
    for chip in Chip::ALL {
        for (thread, mutex) in [(0, 0), (1, 2), (2, 4)] {
            let itself = 1 + thread as u8;
            for held_by in 0..4 {
                let (promise, small) = on_mutex(chip, "ATGETM", (thread, mutex), held_by);
                if held_by == 0 || held_by == itself {
                    assert_eq!((promise, small.mutex_held_by[mutex as usize]), (Expectation::Done, itself));
                } else {
                    assert!(matches!(promise, Expectation::Blocked(citation) if citation.reason == HELD_MUTEX_REASON));
                    assert_eq!(small.mutex_held_by[mutex as usize], held_by);
                }
                let (promise, small) = on_mutex(chip, "ATRELM", (thread, mutex), held_by);
                let then = if held_by == itself { 0 } else { held_by };
                assert_eq!((promise, small.mutex_held_by[mutex as usize]), (Expectation::Done, then));
                let others = (0..8).filter(|&other| other != 1 && other != mutex as usize);
                assert!(others.into_iter().all(|other| small.mutex_held_by[other] == 2));
            }
        }
    }
}

#[test]
fn mutexes_are_there_or_waited_for_for_ever() {
    for (chip, there) in [(Chip::Wormhole, &[0, 2, 3, 4, 5, 6, 7][..]), (Chip::Blackhole, &[0, 2, 3, 4])] {
        for name in ["ATGETM", "ATRELM"] {
            for index in (0..=0xffff_u32).filter(|index| *index < 20 || index.count_ones() < 3) {
                let (promise, small) = on_mutex(chip, name, (1, index), 0);
                if there.contains(&index) {
                    assert_eq!(promise, Expectation::Done, "{name} {index}");
                } else {
                    assert!(matches!(promise, Expectation::Blocked(citation) if citation.reason == NO_MUTEX_REASON));
                    let before = [2, 0, 2, 2, 2, 2, 2, 2];
                    let of_none = |other: &usize| *other != index as usize;
                    assert!((0..8).filter(of_none).all(|other| small.mutex_held_by[other] == before[other]));
                }
            }
        }
    }
}
