//! Mutexes, and what `STREAMWAIT` latches and holds, worked out by hand from the pages, at every level.

use tandem_isa::tensix::config::blackhole::{
    STREAMWAIT_NUM_MSGS_HI_Val, STREAMWAIT_PHASE_HI_Val, stream_id_sync_bank_sel,
};
use tandem_isa::tensix::inst::control::{INDEX, SEMAPHORE_MASK};
use tandem_isa::tensix::inst::wait::{BLOCK_MASK, CONDITION_INDEX, STREAM_SELECT, TARGET_VALUE_LO};
use tandem_isa::tensix::{Chip, Latched, Mnemonic, Tensix, bank};
use tandem_isa::{Answer, CodeField, Edition, State};

mod parts;

/// What an instruction of a chip answers and leaves, on a state.
fn on(
    chip: Chip,
    mnemonic: Mnemonic,
    fields: &[(CodeField, u32)],
    set: impl FnOnce(&mut Tensix<'_>),
) -> (Answer, State) {
    parts::run(mnemonic, (chip, Edition::Newest), fields, set)
}

// -------------------------------------------------------------------------------------------------- mutexes

/// What an instruction answers for a mutex, and who holds it then; thread 1 is the one that asks.
fn ask(chip: Chip, mnemonic: Mnemonic, index: u32, held_by: u8) -> (Answer, u8) {
    let (answer, mut state) = on(chip, mnemonic, &[(INDEX, index)], |tensix| {
        tensix.small.current_thread = 1;
        tensix.small.mutex_held_by[(index & 7) as usize] = held_by;
    });
    (answer, Tensix::new(&mut state).small.mutex_held_by[(index & 7) as usize])
}

#[test]
fn a_mutex_is_had_if_nobody_else_has_it_and_given_back_by_who_has_it() {
    for (chip, mutexes) in [(Chip::Wormhole, &[0, 2, 3, 4, 5, 6, 7][..]), (Chip::Blackhole, &[0, 2, 3, 4])] {
        for index in (0..9).chain([0x10, 0x100, 0x8000, 0xffff]) {
            let is_there = mutexes.contains(&index);
            // Nobody, thread 0, thread 1, thread 2.
            let got = [0, 1, 2, 3].map(|held_by| ask(chip, Mnemonic::Atgetm, index, held_by));
            let gone = [0, 1, 2, 3].map(|held_by| ask(chip, Mnemonic::Atrelm, index, held_by));
            let [done, waits] = [Answer::Done, Answer::Blocked];
            if is_there {
                assert_eq!(got, [(done, 2), (waits, 1), (done, 2), (waits, 3)], "{chip:?}, {index}");
                assert_eq!(gone, [(done, 0), (done, 1), (done, 0), (done, 3)], "{chip:?}, {index}");
            } else {
                assert_eq!(got, [0, 1, 2, 3].map(|held_by| (waits, held_by)), "{chip:?}, {index}");
                assert_eq!(gone, got, "{chip:?}, {index}");
            }
        }
    }
}

#[test]
fn other_mutexes_stay_and_a_wait_that_is_over_stays_latched_if_the_mutex_is_not_had() {
    // Full is so of no semaphore, as each has room.
    let latched =
        Latched { opcode: Latched::SEMWAIT, condition_mask: 2, block_mask: 2, semaphore_mask: 1, ..Latched::default() };
    for (held_by, answer, left) in [(0, Answer::Done, Latched::default()), (2, Answer::Blocked, latched)] {
        let (got, mut state) = on(Chip::Wormhole, Mnemonic::Atgetm, &[(INDEX, 5)], |tensix| {
            tensix.small.current_thread = 2;
            tensix.small.semaphores[0].max = 1;
            tensix.small.latched[2] = latched;
            tensix.small.mutex_held_by = [1, 0, 2, 3, 1, held_by, 2, 3];
        });
        let small = Tensix::new(&mut state).small;
        assert_eq!((got, small.latched[2]), (answer, left));
        let holder = if held_by == 0 { 3 } else { held_by };
        assert_eq!(small.mutex_held_by, [1, 0, 2, 3, 1, holder, 2, 3]);
    }
}

// -------------------------------------------------------------------------------------------------- STREAMWAIT

/// Thread 2 with words for targets, and streams for each section; stream 9 is at phase 70,000 and has had 5 messages.
fn with_streams(tensix: &mut Tensix<'_>) {
    tensix.small.current_thread = 2;
    let words = &mut tensix.small.thread_config[2];
    STREAMWAIT_PHASE_HI_Val.set(words, 0x3a5);
    STREAMWAIT_NUM_MSGS_HI_Val.set(words, 0x41);
    for (section, stream) in [63, 0, 9, 10].into_iter().enumerate() {
        stream_id_sync_bank_sel(section).set(words, stream);
    }
    tensix.banks_unmarked().noc_streams[9] = [70_000, 5];
}

#[test]
fn streamwait_latches_a_target_of_two_halves_for_its_condition() {
    let latched = |block, condition| {
        let fields = [(BLOCK_MASK, block), (TARGET_VALUE_LO, 0x2aa), (CONDITION_INDEX, condition), (STREAM_SELECT, 3)];
        let (answer, mut state) = on(Chip::Blackhole, Mnemonic::Streamwait, &fields, with_streams);
        let small = Tensix::new(&mut state).small;
        assert_eq!(answer, Answer::Done);
        assert_eq!([small.latched[0], small.latched[1]], [Latched::default(); 2]);
        small.latched[2]
    };
    let of = |block_mask, condition_mask, target_value| Latched {
        opcode: Latched::STREAMWAIT,
        condition_mask,
        block_mask,
        semaphore_mask: 0,
        target_value,
        stream_select: 3,
    };
    assert_eq!(latched(0x181, 0), of(0x181, 1, 0xe_96aa));
    assert_eq!(latched(0x181, 1), of(0x181, 2, 0x1_06aa));
    // No block mask is that of the Matrix Unit.
    assert_eq!(latched(0, 0), of(0x40, 1, 0xe_96aa));
}

/// What comes of an instruction behind a latched `STREAMWAIT` of stream 9, and whether that stays latched.
fn behind(mnemonic: Mnemonic, block_mask: u32, condition_mask: u32, target_value: u32) -> (Answer, bool) {
    let latched = Latched {
        opcode: Latched::STREAMWAIT,
        condition_mask,
        block_mask,
        semaphore_mask: 0,
        target_value,
        stream_select: 2,
    };
    let (answer, mut state) = on(Chip::Blackhole, mnemonic, &[(SEMAPHORE_MASK, 1)], |tensix| {
        with_streams(tensix);
        tensix.small.latched[2] = latched;
    });
    assert_eq!(state.word(bank::NOC_STREAMS, 9, 0), 70_000);
    let left = Tensix::new(&mut state).small.latched[2];
    assert!(left == latched || left == Latched::default() || mnemonic != Mnemonic::Sempost);
    (answer, left == latched)
}

#[test]
fn a_latched_streamwait_holds_what_it_blocks_until_the_register_has_reached_the_target() {
    let [sync, matrix] = [1 << 1, 1 << 6];
    let sempost = |block_mask, condition_mask, target| behind(Mnemonic::Sempost, block_mask, condition_mask, target);
    // The phase: 70,000 is less than 70,001, and not than 70,000.
    assert_eq!(sempost(sync, 1, 70_001), (Answer::Blocked, true));
    assert_eq!(sempost(matrix, 1, 70_001), (Answer::Done, true));
    assert_eq!(sempost(sync, 1, 70_000), (Answer::Done, false));
    assert_eq!(sempost(matrix, 1, 70_000), (Answer::Done, false));
    // The messages: 5.
    assert_eq!(sempost(sync, 2, 6), (Answer::Blocked, true));
    assert_eq!(sempost(sync, 2, 5), (Answer::Done, false));
    assert_eq!(sempost(sync, 2, 0), (Answer::Done, false));
    assert_eq!(sempost(sync, 1, 0xf_ffff), (Answer::Blocked, true));
}

#[test]
fn a_wait_instruction_waits_for_a_latched_streamwait_whatever_that_blocks() {
    for mnemonic in [Mnemonic::Streamwait, Mnemonic::Stallwait, Mnemonic::Semwait] {
        assert_eq!(behind(mnemonic, 1 << 6, 1, 70_001), (Answer::Blocked, true));
        assert_eq!(behind(mnemonic, 1 << 6, 1, 70_000), (Answer::Done, false));
    }
}

#[test]
fn a_latched_streamwait_reads_the_stream_of_its_section_and_no_other() {
    for (select, reads) in [63, 0, 9, 10].into_iter().enumerate() {
        let (answer, _) = on(Chip::Blackhole, Mnemonic::Sempost, &[(SEMAPHORE_MASK, 1)], |tensix| {
            with_streams(tensix);
            tensix.banks_unmarked().noc_streams = [[0, 0]; 64];
            tensix.banks_unmarked().noc_streams[reads] = [3, 4];
            tensix.small.latched[2] = Latched {
                opcode: Latched::STREAMWAIT,
                condition_mask: 1,
                block_mask: 2,
                semaphore_mask: 0,
                target_value: 3,
                stream_select: select as u32,
            };
        });
        assert_eq!(answer, Answer::Done, "section {select}");
    }
}
