//! `SFPCAST`, `SFPSTOCHRND` and `SFPMOV`: random bits, and what `SFPMOV` takes of each lane.

use tandem_isa::tensix::inst::vector::{IMM5, MOD1_OF_3, ROUNDING_MODE, STOCHASTIC_ROUNDING, USE_IMM5};

use super::super::convert::short_integer;
use super::*;

/// What is promised, and LReg[1] and the states of the PRNG after an instruction.
fn run_on(
    chip: Chip,
    instruction: Instruction,
    fields: Fields<'_>,
    prepare: impl FnOnce(&mut Tensix<'_>),
) -> (Expectation, [u32; 32], [u32; 32]) {
    let (promise, mut state) = state_after(Edition::Newest, chip, instruction, &word(fields), prepare);
    let mut tensix = Tensix::new(&mut state);
    (promise, *tensix.lreg_row_mut(1), *tensix.prng())
}

#[test]
fn sfpmov_takes_the_configuration_of_each_lane() {
    // Bits above the 18 of LaneConfig and the 12 of Misc are none of them.
    let prepare = |tensix: &mut Tensix<'_>| {
        tensix.small.lane_config = [0x6_0fc0, 0x6_0fc1, 0x6_0fc2, 0x6_0fc3, 0x6_0fc4, 0x6_0fc5, 0x6_0fc6, 0x6_0fc7];
        tensix.small.load_macro_misc = [0x1800, 0x1801, 0x1802, 0x1803, 0x1804, 0x1805, 0x1806, 0x1807];
        for (row, number) in (0..8).zip(0..) {
            for (word, column) in tensix.load_macro_row_mut(row).iter_mut().zip(0..) {
                *word = number << 28 | column;
            }
        }
    };
    for &chip in BOTH {
        for (vc, first) in (0..8).map(|row| (row, row << 28)).chain([(8, 0x800), (15, 0x2_0fc0)]) {
            let (promise, given, _) = run_on(chip, sfpmov, &[(MOD1, 8), (VC, vc)], prepare);
            assert_eq!(promise, Expectation::Done);
            assert!(given.iter().zip(0..).all(|(x, lane)| *x == first + lane % 8), "VC {vc}: {given:x?}");
        }
    }
}

#[test]
fn random_bits_come_as_the_page_says() {
    // What comes out, and the state after it.
    let rows = [
        (0, 0x8000_0000),
        (1, 0),
        (3, 0x8000_0001),
        (0x8000_0000, 0x4000_0000),
        (0x8020_0003, 0xc010_0001),
        (0x7fdf_fffc, 0xbfef_fffe),
        (0x0020_0004, 0x0010_0002),
    ];
    for (chip, vd) in [(Chip::Wormhole, 1), (Chip::Blackhole, 1), (Chip::Blackhole, 8), (Chip::Blackhole, 11)] {
        let (how, num_modes) = chip.pick((STOCHASTIC_ROUNDING, 2), (ROUNDING_MODE, 4));
        let mut all = vec![(sfpmov as Instruction, vec![(MOD1, 8), (VC, 9)]), (sfpcast, vec![(MOD1, 1)])];
        for (mod1, mode) in (0..8).flat_map(|mod1| (0..num_modes).map(move |mode| (mod1, mode))) {
            all.push((sfpstochrnd, vec![(MOD1_OF_3, mod1), (how, mode)]));
        }
        for (number, (instruction, mut fields)) in all.into_iter().enumerate() {
            fields.push((VD, vd));
            let (_, given, after) = run_on(chip, instruction, &fields, |tensix| {
                // Lane 9 is off.
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (1 << 9, 0);
                for (state, lane) in tensix.prng_mut().iter_mut().zip(0..) {
                    *state = rows[lane % rows.len()].0;
                }
            });
            for lane in 0..32 {
                let (out, next) = rows[lane % rows.len()];
                assert_eq!(after[lane], if lane == 9 { out } else { next }, "{fields:?}, lane {lane}");
                // SFPMOV comes first, and gives what comes out.
                assert!(number > 0 || vd != 1 || lane == 9 || given[lane] == out, "lane {lane}");
            }
        }
    }
    // To the nearest SFPCAST takes none.
    for mod1 in [0, 2, 3] {
        assert_eq!(run_on(Chip::Blackhole, sfpcast, &[(MOD1, mod1)], |_| {}).2, [0; 32]);
    }
}

/// An instruction and its fields, the datum, the least random bits that leave it and what they are more than the next, and the
/// results of both.
type Compared<'a> = (Instruction, Fields<'a>, u32, [u32; 2], [u32; 2]);

#[test]
fn random_bits_are_compared_with_what_is_discarded() {
    let rows: &[Compared<'_>] = &[
        (sfpcast, &[(MOD1, 1)], 0x0100_0001, [0x80 << 9, 0x200], [0x4b80_0000, 0x4b80_0001]),
        (sfpstochrnd, &[], 0x3f80_0abc, [0xabd << 10, 0x400], [0x3f80_0000, 0x3f80_2000]),
        (sfpstochrnd, &[(MOD1_OF_3, 1)], 0xbf80_0abc, [0xabd << 7, 0x80], [0xbf80_0000, 0xbf81_0000]),
        (sfpstochrnd, &[(MOD1_OF_3, 3)], 0xbfa0_0000, [0x20_0001, 1], [0x8000_0001, 0x8000_0002]),
        (sfpstochrnd, &[(MOD1_OF_3, 4), (USE_IMM5, 1), (IMM5, 4)], 0x17, [0x38_0001, 1], [1, 2]),
    ];
    for &(instruction, fields, vc, [least, step], expected) in rows {
        for &chip in BOTH {
            let how = chip.pick((STOCHASTIC_ROUNDING, 1), (ROUNDING_MODE, 1));
            let mut fields = fields.to_vec();
            fields.extend((!std::ptr::fn_addr_eq(instruction, sfpcast as Instruction)).then_some(how));
            let run = |state: u32| {
                run_on(chip, instruction, &fields, |tensix| {
                    tensix.lreg_row_mut(2).fill(vc);
                    tensix.prng_mut().fill(state);
                })
            };
            // Other random bits are set.
            for (state, expected) in [(least | 0xff80_0000, expected[0]), (least - step, expected[1])] {
                let (promise, given, _) = run(state);
                assert_eq!((promise, given), (Expectation::Done, [expected; 32]), "{fields:?} {state:#x}");
            }
        }
    }
}

#[test]
fn a_rounding_mode_of_3_is_as_random_bits_and_not_promised_where_a_lane_takes_part() {
    for mod1 in 0..8 {
        let run = |how, flags| {
            run_on(Chip::Blackhole, sfpstochrnd, &[(MOD1_OF_3, mod1), (ROUNDING_MODE, how)], |tensix| {
                distinct(tensix);
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, flags);
                tensix.prng_mut().fill(0x1234_5678);
            })
        };
        let (promise, given, after) = run(3, 1 << 31);
        assert!(matches!(promise, Expectation::NonContractual(_)), "{mod1}");
        assert_eq!((Expectation::Done, given, after), run(1, 1 << 31), "{mod1}");
        assert_eq!(run(3, 0).0, Expectation::Done, "{mod1}");
    }
}

#[test]
fn three_magnitudes_do_not_round_to_zero() {
    let mut away = Vec::new();
    for exp in 126..143 {
        // All but the highest mantissas have a zero in the fraction.
        for x in (exp << 23) + 0x7f_ff00..(exp + 1) << 23 {
            let whole = (0x80_0000 | x & 0x7f_ffff) >> (150 - exp);
            if short_integer(x, false, 65535, 0x7f_ffff) != whole {
                away.push(x);
            }
        }
    }
    assert_eq!(away, [0x3f7f_fffe, 0x3f7f_ffff, 0x3fff_ffff]);
}
