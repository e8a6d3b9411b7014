//! What the pages of the Configuration Unit and of `SETDMAREG` say, and values worked out by hand.

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::{configuration, scalar};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Small, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, Code, Edition, Noise, State, Step, Target};

use super::{Word, every_level_is_when};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

const RMWCIB: [Mnemonic; 4] = [Mnemonic::Rmwcib0, Mnemonic::Rmwcib1, Mnemonic::Rmwcib2, Mnemonic::Rmwcib3];

/// The words of `Config` that are in the state: the first eight, and three more on Blackhole.
fn modelled(chip: Chip) -> Vec<usize> {
    (0..8).chain([72, 120, 220].into_iter().filter(|_| chip == Chip::Blackhole)).collect()
}

/// The word, of those that are in the state.
fn word_of(chip: Chip, small: &mut Small, state_id: usize, index: usize) -> Option<&mut u32> {
    match index {
        0..8 => Some(&mut small.config[state_id][index]),
        72 if chip == Chip::Blackhole => Some(&mut small.thcon_out_data_format[state_id][0]),
        120 if chip == Chip::Blackhole => Some(&mut small.thcon_out_data_format[state_id][1]),
        220 if chip == Chip::Blackhole => Some(&mut small.dest_access_cfg),
        _ => None,
    }
}

/// `CFG_STATE_ID_StateID` of the current thread.
fn state_id(small: &Small) -> usize {
    usize::from(small.thread_config[small.current_thread as usize][0] & 1)
}

/// Every bit of configuration has any value, and three indices of four are of words that are in the state.
fn known_words(word: &mut Word, small: &mut Small, noise: &mut Noise) {
    small.config.iter_mut().flatten().for_each(|word| *word = noise.bits(32));
    if word.chip == Chip::Blackhole {
        small.thcon_out_data_format.iter_mut().flatten().for_each(|word| *word = noise.bits(32));
        small.dest_access_cfg = noise.bits(32);
    }
    let known = modelled(word.chip);
    let index = if noise.below(4) == 0 { noise.below(256) } else { known[noise.below(known.len())] };
    // RMWCIB has the index in the same place.
    configuration::CFG_INDEX.set(&mut word.code, index as u32);
}

/// The same, where the bits above the index are others.
fn known_bytes(word: &mut Word, small: &mut Small, noise: &mut Noise) {
    let code = word.code[0];
    known_words(word, small, noise);
    word.code[0] = code & !0xff | word.code[0] & 0xff;
}

#[test]
fn setc16_writes_sixteen_bits_of_the_thread() {
    let few = |word: &mut Word, _: &mut Small, noise: &mut Noise| {
        configuration::THREAD_CFG_INDEX.set(&mut word.code, noise.below(72) as u32);
    };
    every_level_is_when(Mnemonic::Setc16, 1024, few, |word, tensix| {
        let index = word.get(configuration::THREAD_CFG_INDEX) as usize;
        if index >= word.chip.pick(57, 68) {
            return None;
        }
        let thread = tensix.small.current_thread as usize;
        tensix.small.thread_config[thread][index] = word.get(configuration::NEW_VALUE16) as u16;
        Some(Answer::Done)
    });
}

#[test]
fn wrcfg_moves_a_gpr_or_four_and_a_write_to_word_4_zeroes_the_bank() {
    every_level_is_when(Mnemonic::Wrcfg, 4096, known_words, |word, tensix| {
        let index = word.get(configuration::CFG_INDEX) as usize;
        if index >= word.chip.pick(188, 224) {
            return None;
        }
        let (thread, state_id) = (tensix.small.current_thread as usize, state_id(tensix.small));
        let input = word.get(configuration::INPUT_REG) as usize;
        let row = *tensix.gprs_row(thread, input / 4);
        let all = word.has(configuration::IS_128_BIT);
        let pairs: Vec<_> =
            if all { (0..4).map(|i| ((index & !3) + i, row[i])).collect() } else { vec![(index, row[input & 3])] };
        for (index, value) in &pairs {
            if let Some(to) = word_of(word.chip, tensix.small, state_id, *index) {
                *to = *value;
            }
        }
        if pairs.iter().any(|(index, _)| *index == 4) {
            let below = modelled(word.chip).into_iter().filter(|index| *index < word.chip.pick(152, 180));
            below.for_each(|index| *word_of(word.chip, tensix.small, state_id, index).expect("it is modelled") = 0);
        }
        Some(Answer::Done)
    });
}

#[test]
fn rdcfg_moves_a_word_to_a_gpr() {
    every_level_is_when(Mnemonic::Rdcfg, 2048, known_words, |word, tensix| {
        let (thread, state_id) = (tensix.small.current_thread as usize, state_id(tensix.small));
        let index = word.get(configuration::CFG_INDEX) as usize;
        let value = *word_of(word.chip, tensix.small, state_id, index)?;
        let result = word.get(configuration::RESULT_REG) as usize;
        tensix.gprs_row_mut(thread, result / 4)[result % 4] = value;
        Some(Answer::Done)
    });
}

#[test]
fn rmwcib_writes_bits_of_a_byte() {
    for mnemonic in RMWCIB {
        every_level_is_when(mnemonic, 2048, known_bytes, |word, tensix| {
            let index = word.get(configuration::INDEX4) as usize;
            if index >= word.chip.pick(188, 224) {
                return None;
            }
            let state_id = state_id(tensix.small);
            let (mask, new) = (word.get(configuration::MASK) as u8, word.get(configuration::NEW_VALUE8) as u8);
            if let Some(to) = word_of(word.chip, tensix.small, state_id, index) {
                let mut bytes = to.to_le_bytes();
                let byte = &mut bytes[(word.code[0] >> 24) as usize - 0xb3];
                *byte = new & mask | *byte & !mask;
                *to = u32::from_le_bytes(bytes);
            }
            Some(Answer::Done)
        });
    }
}

/// A row of GPRs as eight halves, the low one of each first.
fn halves(row: [u32; 4]) -> [u16; 8] {
    std::array::from_fn(|half| (row[half / 2] >> (16 * (half % 2))) as u16)
}

#[test]
fn setdmareg_immediate_writes_a_half() {
    every_level_is_when(
        Mnemonic::SetdmaregImmediate,
        1024,
        |_, _, _| {},
        |word, tensix| {
            let half = word.get(scalar::RESULT_HALF_REG) as usize;
            let row = tensix.gprs_row_mut(tensix.small.current_thread as usize, half / 8);
            let mut all = halves(*row);
            all[half % 8] = word.get(scalar::NEW_VALUE_OF_HALF) as u16;
            *row = std::array::from_fn(|i| u32::from(all[2 * i]) | u32::from(all[2 * i + 1]) << 16);
            Some(Answer::Done)
        },
    );
}

#[test]
fn setdmareg_special_writes_the_zeros_that_packers_do_not_change() {
    let often_zeros = |word: &mut Word, _: &mut Small, noise: &mut Noise| {
        if noise.below(2) == 0 {
            scalar::INPUT_SOURCE.set(&mut word.code, 10 + noise.below(6) as u32);
        }
    };
    every_level_is_when(Mnemonic::SetdmaregSpecial, 4096, often_zeros, |word, tensix| {
        // What is not known of the four values, as halves.
        let unknown: &[usize] = match word.get(scalar::INPUT_SOURCE) {
            0 | 1 | 6 | 7 => &[0, 1, 2, 3, 4, 5, 6, 7],
            2..=5 => &[0, 3, 4, 5],
            8 => &[0],
            9 => &[0, 1],
            _ => &[],
        };
        let (half, input) = (word.get(scalar::RESULT_HALF_REG) as usize, word.get(scalar::INPUT_HALF_REG) as usize);
        let thread = tensix.small.current_thread as usize;
        let [from, to]: [Vec<usize>; 2] = match word.get(scalar::RESULT_SIZE) {
            0 => [vec![input], vec![half % 8]],
            1 => [vec![input & 6, input | 1], vec![(half % 8) & 6, (half % 8) | 1]],
            2 => [(0..8).collect(), (0..8).collect()],
            _ => [vec![0, 3, 4, 5], vec![0, 4, 5]],
        };
        if from.iter().any(|half| unknown.contains(half)) {
            return None;
        }
        let row = tensix.gprs_row_mut(thread, half / 8);
        let mut all = halves(*row);
        to.iter().for_each(|half| all[*half] = 0);
        if word.get(scalar::RESULT_SIZE) == 3 {
            // DataFormat, DisableZeroCompression and SpareBits are the low byte of the half.
            all[3] &= 0xff00;
        }
        *row = std::array::from_fn(|i| u32::from(all[2 * i]) | u32::from(all[2 * i + 1]) << 16);
        Some(Answer::Done)
    });
}

// -------------------------------------------------------------------------------------------------- by hand

/// What a text leaves at each level.
fn after(chip: Chip, text: &str, mnemonic: Mnemonic, set: impl Fn(&mut Tensix<'_>)) -> Vec<(Answer, State)> {
    let instruction = mnemonic.on(chip);
    let code: Code = instruction.parse(text).expect("the text is one of ours");
    let run = |level| {
        let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
        set(&mut Tensix::new(&mut state));
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        (TensixSimd::new(level).execute(&step, &mut state), state)
    };
    Level::detect_all().into_iter().map(run).collect()
}

#[test]
fn four_gprs_at_the_reset_word_leave_zeros_but_global_words() {
    let text = "TT_WRCFG(9, 1, 6)";
    for (answer, mut state) in after(Chip::Blackhole, text, Mnemonic::Wrcfg, |tensix| {
        tensix.small.config = [[0x11; 8], [0x22; 8]];
        tensix.small.thcon_out_data_format = [[0x33; 2], [0x44; 2]];
        tensix.small.dest_access_cfg = 0x55;
        tensix.small.thread_config[0][0] = 1;
        *tensix.gprs_row_mut(0, 2) = [1, 2, 3, 4];
    }) {
        assert_eq!(answer, Answer::Done);
        let small = Tensix::new(&mut state).small;
        assert_eq!(small.config, [[0x11; 8], [0; 8]]);
        assert_eq!((small.thcon_out_data_format, small.dest_access_cfg), ([[0x33; 2], [0; 2]], 0x55));
    }
}

#[test]
fn a_byte_of_the_reset_word_is_a_byte() {
    for (answer, mut state) in after(Chip::Wormhole, "TT_RMWCIB2(0xf0, 0xa5, 4)", Mnemonic::Rmwcib2, |tensix| {
        tensix.small.config[0] = [0x1234_5678; 8];
    }) {
        assert_eq!(answer, Answer::Done);
        let word = 0x1234_5678;
        let expected = [word, word, word, word, 0x12a4_5678, word, word, word];
        assert_eq!(Tensix::new(&mut state).small.config, [expected, [0; 8]]);
    }
}

#[test]
fn four_gprs_go_to_four_words_from_a_multiple_of_four_on() {
    let fill = |tensix: &mut Tensix<'_>| {
        tensix.small.current_thread = 2;
        *tensix.gprs_row_mut(2, 15) = [1, 2, 3, 4];
    };
    for (answer, mut state) in after(Chip::Wormhole, "TT_WRCFG(62, 1, 3)", Mnemonic::Wrcfg, fill) {
        assert_eq!(answer, Answer::Done);
        assert_eq!(Tensix::new(&mut state).small.config[0], [1, 2, 3, 4, 0, 0, 0, 0]);
    }
    for (answer, mut state) in after(Chip::Wormhole, "TT_WRCFG(62, 0, 7)", Mnemonic::Wrcfg, fill) {
        assert_eq!(answer, Answer::Done);
        assert_eq!(Tensix::new(&mut state).small.config[0], [0, 0, 0, 0, 0, 0, 0, 3]);
    }
    for (answer, mut state) in after(Chip::Blackhole, "TT_WRCFG(62, 1, 222)", Mnemonic::Wrcfg, fill) {
        assert_eq!(answer, Answer::Done);
        let small = Tensix::new(&mut state).small;
        assert_eq!((small.config, small.dest_access_cfg), ([[0; 8]; 2], 1));
    }
}

#[test]
fn a_word_for_both_banks_is_read_in_either() {
    for thread_word in [0, 1] {
        let set = |tensix: &mut Tensix<'_>| {
            tensix.small.thread_config[0][0] = thread_word;
            tensix.small.dest_access_cfg = 0x8000_000f;
        };
        assert_eq!(blackhole::DEST_ACCESS_CFG, 220);
        for (answer, state) in after(Chip::Blackhole, "TT_RDCFG(7, 220)", Mnemonic::Rdcfg, set) {
            assert_eq!(answer, Answer::Done);
            assert_eq!(state.word(bank::GPRS, 1, 3), 0x8000_000f);
        }
    }
    let of_wormhole = after(Chip::Wormhole, "TT_RDCFG(7, 150)", Mnemonic::Rdcfg, |_| {});
    of_wormhole.iter().for_each(|(answer, _)| assert_eq!(*answer, Answer::Unsupported));
}

#[test]
fn setdmareg_writes_halves_of_gprs() {
    let set = |tensix: &mut Tensix<'_>| *tensix.gprs_row_mut(0, 1) = [0x1234_5678, 0x9abc_def0, !0, 0x1357_9bdf];
    let row = |state: &State| [0, 1, 2, 3].map(|register| state.word(bank::GPRS, 1, register));
    for (text, mnemonic, expected) in [
        // Half 11 is the high one of GPR 5.
        ("TT_SETDMAREG(0, 0xabcd, 0, 11)", Mnemonic::SetdmaregImmediate, [0x1234_5678, 0xabcd_def0, !0, 0x1357_9bdf]),
        // Four zeros, to GPRs 4 to 7.
        ("TT_SETDMAREG(2, 0x50, 1, 13)", Mnemonic::SetdmaregSpecial, [0; 4]),
        // A header of zeros, without its reserved fields.
        ("TT_SETDMAREG(3, 0x78, 1, 8)", Mnemonic::SetdmaregSpecial, [0x1234_0000, 0x9a00_def0, 0, 0x1357_9bdf]),
        // The last word of the header of Packer 0, to GPR 6.
        ("TT_SETDMAREG(1, 0x16, 1, 13)", Mnemonic::SetdmaregSpecial, [0x1234_5678, 0x9abc_def0, 0, 0x1357_9bdf]),
        // The half above the size of a tile, to the low half of GPR 7.
        ("TT_SETDMAREG(0, 0x11, 1, 14)", Mnemonic::SetdmaregSpecial, [0x1234_5678, 0x9abc_def0, !0, 0x1357_0000]),
    ] {
        for (answer, state) in after(Chip::Wormhole, text, mnemonic, set) {
            assert_eq!((answer, row(&state)), (Answer::Done, expected), "{text}");
        }
    }
    for (answer, _) in after(Chip::Wormhole, "TT_SETDMAREG(2, 0x10, 1, 8)", Mnemonic::SetdmaregSpecial, set) {
        assert_eq!(answer, Answer::Unsupported);
    }
}
