//! Laws between SFPLOAD and SFPSTORE, held by the reference and by every level on both chips: for each pair of modes of one
//! name, which data come back changed, by enumeration, against what the pages imply.

use tandem_cases::tensix::{BLACKHOLE, WORMHOLE};
use tandem_isa::tensix::bank::{DST, LREG};
use tandem_isa::tensix::inst::sfpload::{IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Code, Edition, Facts, Isa, State, Step};

use crate::parts::{Run, everybody};

/// One implementation of the two instructions on one chip.
struct Machine {
    chip: Chip,
    name: String,
    run: Run,
    state: State,
}

/// The reference and every level, on both chips.
fn machines() -> Vec<Machine> {
    let of = |(chip, isa): (Chip, &'static Isa)| {
        let machine =
            move |(name, run)| Machine { chip, name: format!("{name} of {}", isa.name), run, state: isa.base_state() };
        everybody(isa.name).into_iter().map(machine)
    };
    [(Chip::Wormhole, &WORMHOLE), (Chip::Blackhole, &BLACKHOLE)].into_iter().flat_map(of).collect()
}

impl Machine {
    fn execute(&mut self, instruction: &'static Facts, mode: u32, register: u32, address: u32) {
        let mut code = Code::new(instruction.base_code);
        MOD0.set(&mut code, mode);
        VD.set(&mut code, register);
        IMM10.set(&mut code, address);
        (self.run)(&Step { instruction, edition: Edition::Newest, code: &code }, &mut self.state);
    }

    fn load(&mut self, mode: u32, register: u32, address: u32) {
        let instruction = Mnemonic::Sfpload.on(self.chip);
        self.execute(instruction, mode, register, address);
    }

    fn store(&mut self, mode: u32, register: u32, address: u32) {
        let instruction = Mnemonic::Sfpstore.on(self.chip);
        self.execute(instruction, mode, register, address);
    }

    /// Where the datum of a lane lies in the even columns of the first four rows.
    const fn place(lane: usize) -> (usize, usize) {
        (lane / 8, lane % 8 * 2)
    }

    fn set_words(&mut self, words: &[u32; 32]) {
        for (lane, &word) in words.iter().enumerate() {
            let (row, column) = Machine::place(lane);
            self.state.set_word(DST, row, column, word);
        }
    }

    fn words(&self) -> [u32; 32] {
        std::array::from_fn(|lane| {
            let (row, column) = Machine::place(lane);
            self.state.word(DST, row, column)
        })
    }

    fn set_register(&mut self, register: usize, values: &[u32; 32]) {
        for (lane, &value) in values.iter().enumerate() {
            self.state.set_word(LREG, register, lane, value);
        }
    }

    fn register(&self, register: usize) -> [u32; 32] {
        std::array::from_fn(|lane| self.state.word(LREG, register, lane))
    }
}

/// Modes that move 16 bits of `Dst` in both directions.
const HALF_MODES: [u32; 8] =
    [mod0::FP16, mod0::BF16, mod0::INT8, mod0::INT8_COMP, mod0::INT16, mod0::UINT16, mod0::LO16_ONLY, mod0::HI16_ONLY];

/// What the pages imply for a word of `Dst` that is loaded and stored again in one mode.
fn there_and_back(chip: Chip, mode: u32, word: u32) -> u32 {
    let sign = word & 0x8000;
    let (exp5, man10) = (word & 0x1f, word >> 5 & 0x3ff);
    let (exp8, man7) = (word & 0xff, word >> 8 & 0x7f);
    match (mode, chip) {
        // A denormal is a denormal of 32 bits on its way, and is flushed.
        (mod0::FP16, _) => {
            if exp5 == 0 && man10 != 0 {
                sign
            } else {
                word
            }
        }
        (mod0::BF16, _) => {
            if exp8 == 0 && man7 != 0 {
                sign
            } else {
                word
            }
        }
        // The exponent becomes 16, and high bits of the magnitude are lost.
        (mod0::INT8, Chip::Wormhole) => sign | (man10 & 0x7f) << 5 | 16,
        (mod0::INT8, Chip::Blackhole) => sign | (man10 & 0xff) << 5 | 16,
        // Two's complement has one zero.
        (mod0::INT8_COMP, Chip::Wormhole) if man10 == 0 => 16,
        (mod0::INT8_COMP, _) => sign | man10 << 5 | 16,
        _ => word,
    }
}

#[test]
fn a_word_that_is_loaded_and_stored_comes_back_as_the_pages_imply() {
    for mut machine in machines() {
        for mode in HALF_MODES {
            let mut changed = 0;
            for first in (0..0x1_0000).step_by(32) {
                let words: [u32; 32] = std::array::from_fn(|lane| first + lane as u32);
                machine.set_words(&words);
                machine.load(mode, 1, 0);
                machine.store(mode, 1, 0);
                let expected = words.map(|word| there_and_back(machine.chip, mode, word));
                assert_eq!(machine.words(), expected, "{}, mode {mode}, words from {first:#x}", machine.name);
                changed += words.iter().zip(expected).filter(|(before, after)| **before != *after).count();
            }
            let exactly = match (mode, machine.chip) {
                (mod0::FP16, _) => 2 * 1023,
                (mod0::BF16, _) => 2 * 127,
                (mod0::INT8, Chip::Wormhole) => 65_536 - 256,
                (mod0::INT8, Chip::Blackhole) => 65_536 - 512,
                (mod0::INT8_COMP, Chip::Wormhole) => 65_536 - 2047,
                (mod0::INT8_COMP, Chip::Blackhole) => 65_536 - 2048,
                _ => 0,
            };
            assert_eq!(changed, exactly, "{}, mode {mode}", machine.name);
        }
    }
}

/// What the pages imply for a value of an `LReg` that is stored and loaded again in one mode.
fn back_and_there(chip: Chip, mode: u32, value: u32) -> u32 {
    let (sign, exp8) = (value & 0x8000_0000, value >> 23 & 0xff);
    let magnitude = (value as i32).unsigned_abs() & 0x3ff;
    match (mode, chip) {
        (mod0::FP16, _) if exp8 <= 112 => sign,
        (mod0::FP16, _) if exp8 > 143 => sign | 143 << 23 | 0x3ff << 13,
        (mod0::FP16, _) => value & !0x1fff,
        (mod0::BF16 | mod0::FP32, _) if exp8 == 0 => sign,
        (mod0::BF16 | mod0::HI16, _) => value & 0xffff_0000,
        // The magnitude of -2^31 has no room: it becomes the other zero, which is no number of two's complement.
        (mod0::INT32_SM, Chip::Wormhole) if value == 0x8000_0000 => 0,
        (mod0::INT8, Chip::Wormhole) => sign | value & 0x7f,
        (mod0::INT8, Chip::Blackhole) => sign | value & 0xff,
        (mod0::INT8_COMP, Chip::Wormhole) => {
            if sign != 0 {
                magnitude.wrapping_neg()
            } else {
                magnitude
            }
        }
        (mod0::INT8_COMP, Chip::Blackhole) => sign | value & 0x3ff,
        (mod0::INT16, _) => sign | value & 0x7fff,
        (mod0::UINT16 | mod0::LO16, _) => value & 0xffff,
        (mod0::ZERO, _) => 0,
        _ => value,
    }
}

/// Every high half with some low ones, and every low half with some high ones.
fn values() -> impl Iterator<Item = u32> {
    const SOME: [u32; 8] = [0, 1, 0x1fff, 0x2000, 0x7fff, 0x8000, 0xfe01, 0xffff];
    let high = (0..0x1_0000).flat_map(|half: u32| SOME.map(|other| half << 16 | other));
    high.chain((0..0x1_0000).flat_map(|half: u32| SOME.map(|other| other << 16 | half)))
}

#[test]
fn a_value_that_is_stored_and_loaded_comes_back_as_the_pages_imply() {
    let values: Vec<u32> = values().collect();
    for mut machine in machines() {
        for mode in 1..16 {
            for chunk in values.chunks_exact(32) {
                let before: [u32; 32] = chunk.try_into().expect("32 of them");
                machine.set_register(2, &before);
                machine.store(mode, 2, 0);
                machine.load(mode, 2, 0);
                let expected = before.map(|value| back_and_there(machine.chip, mode, value));
                assert_eq!(machine.register(2), expected, "{}, mode {mode}: {before:x?}", machine.name);
            }
        }
    }
}

#[test]
fn the_two_halves_of_a_word_are_put_together_again() {
    for mut machine in machines() {
        for chunk in values().collect::<Vec<_>>().chunks_exact(32).step_by(7) {
            let before: [u32; 32] = chunk.try_into().expect("32 of them");
            machine.set_register(3, &before);
            machine.store(mod0::LO16_ONLY, 3, 0);
            machine.store(mod0::HI16_ONLY, 3, 4);
            machine.set_register(4, &[0x5555_aaaa; 32]);
            machine.load(mod0::LO16_ONLY, 4, 0);
            machine.load(mod0::HI16_ONLY, 4, 4);
            assert_eq!(machine.register(4), before, "{}", machine.name);
        }
    }
}

#[test]
fn what_the_page_calls_functionally_identical_is() {
    for mut machine in machines() {
        for chunk in values().collect::<Vec<_>>().chunks_exact(32).step_by(3) {
            let before: [u32; 32] = chunk.try_into().expect("32 of them");
            machine.set_register(5, &before);
            machine.store(mod0::INT32, 5, 0);
            machine.load(mod0::FP32, 6, 0);
            machine.load(mod0::INT32, 7, 0);
            assert_eq!(machine.register(6), machine.register(7), "{}", machine.name);
            assert_eq!(machine.register(7), before, "{}", machine.name);
        }
    }
}
