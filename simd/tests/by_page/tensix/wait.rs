//! What the pages of `SETDVALID`, `UNPACR_NOP`, `SHIFTXA`, `SEMWAIT` and `STALLWAIT` say, and what the Wait Gate does with
//! these and others.

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::{control, source, unpack, wait};
use tandem_isa::tensix::{Chip, Latched, MATRIX_UNIT, Mnemonic, Semaphore, Small, Tensix, UNPACKERS, WORMHOLE};
use tandem_isa::{Answer, Edition, Noise, State, Step, Target};

use super::{Word, each_semaphore, every_level_is_when};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// In half of the cases all threads have latched something.
fn latch(_: &mut Word, small: &mut Small, noise: &mut Noise) {
    let is_latched = noise.below(2) == 0;
    for latched in &mut small.latched {
        let mut any = |bits: u32| [noise.bits(bits), 1 << noise.below(bits as usize)][noise.below(2)];
        *latched = match (is_latched, any(1)) {
            (false, _) => Latched::default(),
            (true, 0) => Latched {
                opcode: Latched::STALLWAIT,
                condition_mask: any(13),
                block_mask: any(9).max(1),
                semaphore_mask: 0,
            },
            (true, _) => Latched {
                opcode: Latched::SEMWAIT,
                condition_mask: any(2).max(1),
                block_mask: any(9).max(1),
                semaphore_mask: any(8),
            },
        };
    }
    for semaphore in &mut small.semaphores {
        if noise.below(8) != 0 {
            *semaphore = Semaphore { value: 1, max: 2 };
        }
    }
}

/// What the pages say before the instruction: whether it is held by what is latched, of which these bits are its own; what is
/// over is forgotten.
fn is_held(word: &Word, small: &mut Small, bits: &[u32]) -> bool {
    let latched = small.latched[small.current_thread as usize];
    let has = |condition: u32| latched.condition_mask & 1 << condition != 0;
    let first = match word.chip {
        Chip::Wormhole => 8,
        Chip::Blackhole => 5,
    };
    let keeps_waiting = match latched.opcode {
        Latched::NONE => return false,
        Latched::STALLWAIT => {
            let [unpacker0, unpacker1] = small.unpackers_src_bank.map(|bank| bank as usize);
            (has(first) && small.srca_allowed_client[unpacker0] != UNPACKERS)
                || (has(first + 1) && small.srcb_allowed_client[unpacker1] != UNPACKERS)
                || (has(first + 2) && small.srca_allowed_client[small.matrix_unit_srca_bank as usize] != MATRIX_UNIT)
                || (has(first + 3) && small.srcb_allowed_client[small.matrix_unit_srcb_bank as usize] != MATRIX_UNIT)
        }
        _ => small.semaphores.iter().enumerate().any(|(number, semaphore)| {
            let is_empty = has(0) && semaphore.value == 0;
            let is_full = has(1) && semaphore.value >= semaphore.max;
            latched.semaphore_mask & 1 << number != 0 && (is_empty || is_full)
        }),
    };
    if !keeps_waiting {
        small.latched[small.current_thread as usize] = Latched::default();
    }
    keeps_waiting && bits.iter().any(|bit| latched.block_mask & 1 << bit != 0)
}

/// The instruction is held, and so nothing has changed.
fn held(small: &mut Small, before: Small) -> Option<Answer> {
    *small = before;
    Some(Answer::Blocked)
}

const ALL_BITS: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7, 8];

#[test]
fn stallwait_is_latched_unless_something_is() {
    every_level_is_when(Mnemonic::Stallwait, 4096, latch, |word, tensix| {
        if is_held(word, tensix.small, ALL_BITS) {
            return Some(Answer::Blocked);
        }
        let conditions = match word.chip {
            Chip::Wormhole => word.get(wait::CONDITION_MASK),
            Chip::Blackhole => word.get(wait::CONDITION_MASK_BH),
        };
        let blocks = word.get(wait::BLOCK_MASK);
        tensix.small.latched[tensix.small.current_thread as usize] = Latched {
            opcode: Latched::STALLWAIT,
            condition_mask: if conditions == 0 { word.chip.pick(0x7f, 0x0f) } else { conditions },
            block_mask: if blocks == 0 { 0x40 } else { blocks },
            semaphore_mask: 0,
        };
        Some(Answer::Done)
    });
}

#[test]
fn semwait_takes_the_place_of_another_wait_on_wormhole() {
    every_level_is_when(Mnemonic::Semwait, 4096, latch, |word, tensix| {
        if is_held(word, tensix.small, word.chip.pick(&[1], ALL_BITS)) {
            return Some(Answer::Blocked);
        }
        let (conditions, blocks) = (word.get(wait::SEMAPHORE_CONDITION_MASK), word.get(wait::BLOCK_MASK));
        tensix.small.latched[tensix.small.current_thread as usize] = Latched {
            opcode: Latched::SEMWAIT,
            condition_mask: conditions,
            block_mask: if blocks == 0 { 0x40 } else { blocks },
            semaphore_mask: word.get(control::SEMAPHORE_MASK),
        };
        (conditions != 0).then_some(Answer::Done)
    });
}

#[test]
fn the_gate_holds_instructions_of_other_units_by_their_bits() {
    every_level_is_when(Mnemonic::Sempost, 2048, latch, |word, tensix| {
        if is_held(word, tensix.small, &[1]) {
            return Some(Answer::Blocked);
        }
        each_semaphore(word, tensix, |value, _| *value += u32::from(*value < 15))
    });
    let enables_all_lanes = |word: &mut Word, small: &mut Small, noise: &mut Noise| {
        latch(word, small, noise);
        word.code[0] &= 0xff << 24;
    };
    every_level_is_when(Mnemonic::Sfpencc, 2048, enables_all_lanes, |word, tensix| {
        if is_held(word, tensix.small, &[8]) {
            return Some(Answer::Blocked);
        }
        tensix.small.lane_flags = !0;
        Some(Answer::Done)
    });
    for mnemonic in [Mnemonic::UnpacrNopSetreg, Mnemonic::UnpacrNopOverlayClear] {
        every_level_is_when(mnemonic, 2048, latch, |word, tensix| {
            let before = *tensix.small;
            let is_held = is_held(word, tensix.small, &[0, 3]);
            *tensix.small = before;
            Some(if is_held { Answer::Blocked } else { Answer::Unsupported })
        });
    }
}

/// An Unpacker gives its bank away.
fn give(word: &Word, small: &mut Small, unpacker: usize) {
    let thread = small.current_thread as usize;
    let base = match (word.chip, unpacker) {
        (Chip::Wormhole, 0) => config::SRCA_SET_Base,
        (Chip::Wormhole, _) => config::SRCB_SET_Base,
        (Chip::Blackhole, 0) => blackhole::SRCA_SET_Base,
        (Chip::Blackhole, _) => blackhole::SRCB_SET_Base,
    };
    let bank = small.unpackers_src_bank[unpacker] as usize;
    [&mut small.srca_allowed_client, &mut small.srcb_allowed_client][unpacker][bank] = MATRIX_UNIT;
    small.unpackers_src_bank[unpacker] = 1 - bank as u32;
    small.unpackers_src_row[unpacker][thread] = 16 * base.get(&small.thread_config[thread]);
}

#[test]
fn setdvalid_gives_banks_to_the_matrix_unit() {
    every_level_is_when(Mnemonic::Setdvalid, 2048, latch, |word, tensix| {
        if is_held(word, tensix.small, &[0]) {
            return Some(Answer::Blocked);
        }
        for (unpacker, flip) in [unpack::SET_SRCA, unpack::SET_SRCB].into_iter().enumerate() {
            if word.has(flip) {
                give(word, tensix.small, unpacker);
            }
        }
        // Of Blackhole nothing else is promised; here it does as Wormhole does.
        Some(Answer::Done)
    });
}

#[test]
fn unpacr_nop_setdvalid_gives_one_bank_and_says_its_format() {
    every_level_is_when(Mnemonic::UnpacrNopSetdvalid, 4096, latch, |word, tensix| {
        let small = &mut *tensix.small;
        if is_held(word, small, &[0, 3]) {
            return Some(Answer::Blocked);
        }
        let unpacker = word.get(unpack::WHICH_UNPACKER) as usize;
        let bank = small.unpackers_src_bank[unpacker] as usize;
        if word.chip == Chip::Blackhole {
            let state_id = small.thread_config[small.current_thread as usize][0] as usize & 1;
            let format = small.thcon_out_data_format[state_id][unpacker];
            [&mut small.implied_srca_fmt, &mut small.implied_srcb_fmt][unpacker][bank] = format;
        }
        give(word, small, unpacker);
        Some(Answer::Done)
    });
}

#[test]
fn unpacr_nop_zerosrc_waits_for_one_bank_and_clears_that_of_the_unpacker() {
    every_level_is_when(Mnemonic::UnpacrNopZerosrc, 4096, latch, |word, tensix| {
        let before = *tensix.small;
        if is_held(word, tensix.small, &[0, 3]) {
            return Some(Answer::Blocked);
        }
        let (both, like_unpacr) = match word.chip {
            Chip::Wormhole => (unpack::NOP_BOTH_BANKS, unpack::WAIT_LIKE_UNPACR),
            Chip::Blackhole => (unpack::NOP_BOTH_BANKS_BH, unpack::WAIT_LIKE_UNPACR_BH),
        };
        let unpacker = word.get(unpack::WHICH_UNPACKER) as usize;
        let unpack_bank = before.unpackers_src_bank[unpacker] as usize;
        let matrix_bank = [before.matrix_unit_srca_bank, before.matrix_unit_srcb_bank][unpacker] as usize;
        let waited = if word.has(like_unpacr) { unpack_bank } else { matrix_bank };
        if [before.srca_allowed_client, before.srcb_allowed_client][unpacker][waited] != UNPACKERS {
            return held(tensix.small, before);
        }
        for (bank, row) in (0..2).flat_map(|bank| (0..64).map(move |row| (bank, row))) {
            let ones = if word.has(unpack::NOP_NEGATIVE_INF_SRCA) { 0x7_ffff } else { 0 };
            match unpacker {
                _ if bank != unpack_bank && !word.has(both) => {}
                0 => *tensix.srca_row_mut(bank, row) = [ones; 16],
                _ => *tensix.srcb_row_mut(bank, row) = [if word.chip == Chip::Wormhole { 0 } else { ones }; 16],
            }
        }
        Some(Answer::Done)
    });
}

#[test]
fn shiftxa_shifts_the_rows_of_the_bug_to_the_first_ones() {
    every_level_is_when(Mnemonic::Shiftxa, 4096, latch, |word, tensix| {
        let before = *tensix.small;
        if is_held(word, tensix.small, &[6]) {
            return Some(Answer::Blocked);
        }
        let bank = before.matrix_unit_srca_bank as usize;
        if before.srca_allowed_client[bank] != MATRIX_UNIT {
            return held(tensix.small, before);
        }
        let first = before.hardware_bug as usize / 16 * 16;
        for row in 0..16 {
            match word.get(source::DIRECTION) {
                2 => {
                    let old = *tensix.srca_row(bank, first + row);
                    let new = tensix.srca_row_mut(bank, row);
                    (1..16).for_each(|column| new[column] = old[column - 1]);
                    new[0] = 0;
                }
                3 => {
                    let old = *tensix.srca_row(bank, first + row);
                    let new = tensix.srca_row_mut(bank, row);
                    (0..15).for_each(|column| new[column] = old[column + 1]);
                    new[15] = 0;
                }
                _ => {}
            }
        }
        Some(Answer::Done)
    });
}

/// Executes the text of an instruction of Wormhole.
fn run(level: Level, mnemonic: Mnemonic, text: &str, state: &mut State) -> Answer {
    let instruction = mnemonic.on(Chip::Wormhole);
    let code = instruction.parse(text).expect("the text is one of ours");
    let step = Step { instruction, edition: Edition::Newest, code: &code };
    TensixSimd::new(level).execute(&step, state)
}

#[test]
fn a_semwait_holds_the_matrix_unit_until_a_semaphore_is_posted() {
    for level in Level::detect_all() {
        let mut state = WORMHOLE.base_state();
        let mut step = |mnemonic, text| run(level, mnemonic, text, &mut state);
        assert_eq!(step(Mnemonic::Seminit, "TT_SEMINIT(2, 0, 4)"), Answer::Done);
        // As long as semaphore 2 is zero; no block bit means that of the Matrix Unit.
        assert_eq!(step(Mnemonic::Semwait, "TT_SEMWAIT(0, 4, 1)"), Answer::Done);
        assert_eq!(step(Mnemonic::Incrwc, "TT_INCRWC(0, 1, 0, 0)"), Answer::Blocked);
        assert_eq!(step(Mnemonic::Stallwait, "TT_STALLWAIT(0, 0)"), Answer::Blocked);
        assert_eq!(step(Mnemonic::Setdvalid, "TT_SETDVALID(0)"), Answer::Done);
        assert_eq!(step(Mnemonic::Sempost, "TT_SEMPOST(4)"), Answer::Done);
        assert_eq!(step(Mnemonic::Incrwc, "TT_INCRWC(0, 1, 0, 0)"), Answer::Done);
        let small = Tensix::new(&mut state).small;
        assert_eq!((small.latched[0], small.rwcs[0].dst), (Latched::default(), 1));
    }
}

#[test]
fn what_is_over_stays_latched_if_the_instruction_is_held_by_itself() {
    for level in Level::detect_all() {
        let mut state = WORMHOLE.base_state();
        assert_eq!(run(level, Mnemonic::Stallwait, "TT_STALLWAIT(0x40, 0x80)", &mut state), Answer::Done);
        let latched = Latched { opcode: 1, condition_mask: 0x80, block_mask: 0x40, semaphore_mask: 0 };
        assert_eq!(Tensix::new(&mut state).small.latched, [latched, Latched::default(), Latched::default()]);
        Tensix::new(&mut state).small.srca_allowed_client[0] = UNPACKERS;
        assert_eq!(run(level, Mnemonic::Shiftxa, "TT_SHIFTXA(0, 2)", &mut state), Answer::Blocked);
        assert_eq!(Tensix::new(&mut state).small.latched[0], latched);
        Tensix::new(&mut state).small.srca_allowed_client[0] = MATRIX_UNIT;
        assert_eq!(run(level, Mnemonic::Shiftxa, "TT_SHIFTXA(0, 2)", &mut state), Answer::Done);
        assert_eq!(Tensix::new(&mut state).small.latched[0], Latched::default());
    }
}
