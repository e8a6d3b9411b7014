//! What the pages of `SFPLOADI` and `SFPCONFIG` say, and values worked out by hand.

use tandem_isa::tensix::inst::immediate::{sfpconfig, sfploadi};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Small, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, Edition, Noise, State, Step, Target};

use super::{Word, every_level_is_when};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// `IsLaneEnabled`.
fn is_lane_enabled(small: &Small, lane: usize) -> bool {
    let bit = |word: u32| word >> lane & 1 != 0;
    if small.lane_config[lane & 7] >> (12 + lane / 8) & 1 != 0 {
        false
    } else if bit(small.use_lane_flags_for_lane_enable) {
        bit(small.lane_flags)
    } else {
        true
    }
}

#[test]
fn sfploadi_writes_the_immediate_or_one_half_lane_by_lane() {
    let often_named = |word: &mut Word, small: &mut Small, noise: &mut Noise| {
        if noise.below(2) == 0 {
            small.lane_config = [0; 8];
            sfploadi::VD.set(&mut word.code, noise.bits(3));
        }
        if noise.below(4) != 0 {
            sfploadi::MOD0.set(&mut word.code, [0, 1, 2, 4, 8, 10][noise.below(6)]);
        }
    };
    every_level_is_when(Mnemonic::Sfploadi, 4096, often_named, |word, tensix| {
        let vd = word.get(sfploadi::VD) as usize;
        let imm16 = word.get(sfploadi::IMM16) as u16;
        for lane in (0..32).filter(|_| vd < 8) {
            if !is_lane_enabled(tensix.small, lane) {
                continue;
            }
            let imm32 = u32::from(imm16);
            let value = match word.get(sfploadi::MOD0) {
                0 => imm32 << 16,
                1 => {
                    let (sign, exp, man) = (imm32 >> 15, imm32 >> 10 & 0x1f, imm32 & 0x3ff);
                    sign << 31 | (exp + 112) << 23 | man << 13
                }
                2 => imm32,
                4 => i32::from(imm16.cast_signed()).cast_unsigned(),
                8 => imm32 << 16 | tensix.lreg(vd, lane) & 0xffff,
                10 => tensix.lreg(vd, lane) & 0xffff_0000 | imm32,
                _ => return None,
            };
            tensix.set_lreg(vd, lane, value);
        }
        Some(Answer::Done)
    });
}

#[test]
fn sfpconfig_gives_eight_lanes_to_registers_and_to_the_configuration_of_lanes() {
    let often_known = |word: &mut Word, small: &mut Small, noise: &mut Noise| {
        small.lane_config.iter_mut().for_each(|word| *word = noise.bits(18));
        if noise.below(4) != 0 {
            sfpconfig::VD.set(&mut word.code, [11, 12, 13, 14, 15, 15][noise.below(6)]);
        }
    };
    every_level_is_when(Mnemonic::Sfpconfig, 8192, often_known, |word, tensix| {
        let (mod1, vd, imm16) =
            (word.get(sfpconfig::MOD1), word.get(sfpconfig::VD) as usize, word.get(sfpconfig::IMM16));
        // Lanes 8 to 31 do the same to LaneConfig again, each to its own.
        for lane in 0..32 {
            let column = lane & 7;
            if mod1 & 8 != 0 && imm16 >> (2 * column) & 1 == 0 {
                continue;
            }
            let bit = |word: u32| word >> column & 1 != 0;
            if bit(tensix.small.use_lane_flags_for_lane_enable) && !bit(tensix.small.lane_flags) {
                continue;
            }
            match vd {
                // LoadMacroConfig is no part of the state.
                0..=8 => {}
                11..=14 if mod1 & 1 != 0 => {
                    let value = [-1.0_f32, 1.0 / 512.0, -0.674_877_6, -0.344_848_43][vd - 11];
                    tensix.set_lreg(vd, lane, value.to_bits());
                }
                11..=14 => {
                    let value = tensix.lreg(0, column);
                    tensix.set_lreg(vd, lane, value);
                }
                15 if lane < 8 => {
                    let value = if mod1 & 1 != 0 { imm16 } else { tensix.lreg(0, column) & 0x3_ffff };
                    let original = tensix.small.lane_config[lane];
                    let config = &mut tensix.small.lane_config[lane];
                    match mod1 & 6 {
                        0 => *config = value,
                        2 => *config |= value,
                        4 => *config &= value,
                        _ => *config ^= value,
                    }
                    if mod1 & 1 != 0 {
                        *config |= original & !0xffff;
                    }
                }
                _ => {}
            }
        }
        Some(Answer::Done)
    });
}

// -------------------------------------------------------------------------------------------------- by hand

/// What a text leaves at each level of both chips.
fn after(text: &str, mnemonic: Mnemonic, set: impl Fn(&mut Tensix<'_>)) -> Vec<State> {
    let run = |chip: Chip, level| {
        let instruction = mnemonic.on(chip);
        let code = instruction.parse(text).expect("the text is one of ours");
        let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
        set(&mut Tensix::new(&mut state));
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(level).execute(&step, &mut state), Answer::Done, "{text}");
        state
    };
    Chip::ALL.into_iter().flat_map(|chip| Level::detect_all().into_iter().map(move |level| run(chip, level))).collect()
}

#[test]
fn immediates_worked_out_by_hand() {
    for (text, expected) in [
        ("TT_SFPLOADI(3, 0, 0xbf80)", 0xbf80_0000),
        // 1.0 and -2.0; zero is no zero, and the largest exponent no infinity.
        ("TT_SFPLOADI(3, 1, 0x3c00)", 0x3f80_0000),
        ("TT_SFPLOADI(3, 1, 0xc000)", 0xc000_0000),
        ("TT_SFPLOADI(3, 1, 0x0000)", 0x3800_0000),
        ("TT_SFPLOADI(3, 1, 0xffff)", 0xc7ff_e000),
        ("TT_SFPLOADI(3, 2, 0x8001)", 0x0000_8001),
        ("TT_SFPLOADI(3, 4, 0x8001)", 0xffff_8001),
        ("TT_SFPLOADI(3, 4, 0x7fff)", 0x0000_7fff),
        ("TT_SFPLOADI(3, 8, 0xabcd)", 0xabcd_5678),
        ("TT_SFPLOADI(3, 10, 0xabcd)", 0x1234_abcd),
        // Not to registers from 8 on, whatever the mode.
        ("TT_SFPLOADI(11, 3, 0xabcd)", 0x1234_5678),
    ] {
        for state in after(text, Mnemonic::Sfploadi, |tensix| *tensix.lreg_row_mut(3) = [0x1234_5678; 32]) {
            assert!((0..32).all(|lane| state.word(bank::LREG, 3, lane) == expected), "{text}");
            assert_eq!(state.word(bank::LREG, 11, 0), 0);
        }
    }
}

#[test]
fn eight_lanes_are_repeated_whatever_the_flags_and_masks_of_later_rows() {
    let set = |tensix: &mut Tensix<'_>| {
        *tensix.lreg_row_mut(0) = std::array::from_fn(|lane| 100 + lane as u32);
        tensix.small.use_lane_flags_for_lane_enable = 0xffff_ff02;
        tensix.small.lane_config = [0xf000; 8];
    };
    for state in after("TT_SFPCONFIG(0, 12, 0)", Mnemonic::Sfpconfig, set) {
        for lane in 0..32 {
            let expected = if lane % 8 == 1 { 0 } else { 100 + lane as u32 % 8 };
            assert_eq!(state.word(bank::LREG, 12, lane), expected, "lane {lane}");
        }
    }
    // Bits 0 and 14 name lanes 0 and 7, bit 1 none.
    for state in after("TT_SFPCONFIG(0x4003, 14, 9)", Mnemonic::Sfpconfig, |_| {}) {
        for lane in 0..32 {
            let expected = if [0, 7].contains(&(lane % 8)) { 0xbeb0_8ff9 } else { 0 };
            assert_eq!(state.word(bank::LREG, 14, lane), expected, "lane {lane}");
        }
    }
}

#[test]
fn an_immediate_leaves_the_high_bits_of_the_configuration_of_lanes() {
    for (text, expected) in [
        ("TT_SFPCONFIG(0x0ff0, 15, 1)", 0x3_0ff0),
        ("TT_SFPCONFIG(0x0ff0, 15, 3)", 0x3_affa),
        ("TT_SFPCONFIG(0x0ff0, 15, 5)", 0x3_0aa0),
        ("TT_SFPCONFIG(0x0ff0, 15, 7)", 0x3_a55a),
        ("TT_SFPCONFIG(0x0ff0, 15, 0)", 0x1_0ff0),
        ("TT_SFPCONFIG(0x0ff0, 15, 2)", 0x3_affa),
        ("TT_SFPCONFIG(0x0ff0, 15, 4)", 0x1_0aa0),
        ("TT_SFPCONFIG(0x0ff0, 15, 6)", 0x2_a55a),
    ] {
        for mut state in after(text, Mnemonic::Sfpconfig, |tensix| {
            tensix.small.lane_config = [0x3_aaaa; 8];
            *tensix.lreg_row_mut(0) = [0xfffd_0ff0; 32];
        }) {
            let got = Tensix::new(&mut state).small.lane_config;
            assert_eq!(got, [expected; 8], "{text}: {got:x?}");
        }
    }
}
