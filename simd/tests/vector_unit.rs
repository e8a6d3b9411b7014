//! What every level makes of single data in registers of the Vector Unit, worked out by hand from the pages.

use tandem_isa::tensix::inst::vector::{IMM8, IMM12, MOD1, VB, VC, VD};
use tandem_isa::tensix::{Chip, Mnemonic, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, State};

mod parts;

use parts::run;

// ------------------------------------------------------------------------------------------------ mantissas and exponents

/// What `LReg[3]` becomes in lane 9 of two words, `c` of `LReg[2]` and `b` of `LReg[3]`.
fn of(mnemonic: Mnemonic, [c, b]: [u32; 2], fields: &[(CodeField, u32)]) -> u32 {
    let fields = [&[(VC, 2), (VD, 3)], fields].concat();
    let [wormhole, blackhole] = [Chip::Wormhole, Chip::Blackhole].map(|chip| {
        let (answer, state) = run(mnemonic, (chip, Edition::Newest), &fields, |tensix| {
            tensix.set_lreg(2, 9, c);
            tensix.set_lreg(3, 9, b);
        });
        assert_eq!(answer, Answer::Done);
        state.word(bank::LREG, 3, 9)
    });
    assert_eq!(wormhole, blackhole);
    wormhole
}

/// -3.14159274: the exponent is 0x80, the mantissa 0x490fdb.
const C: u32 = 0xc049_0fdb;

#[test]
fn a_mantissa_has_a_hidden_bit_unless_it_is_padded() {
    assert_eq!(of(Mnemonic::Sfpexman, [C, !0], &[]), 0x00c9_0fdb);
    assert_eq!(of(Mnemonic::Sfpexman, [C, !0], &[(MOD1, 1)]), 0x0049_0fdb);
    assert_eq!(of(Mnemonic::Sfpexman, [0, !0], &[(MOD1, 0xe)]), 0x0080_0000);
}

#[test]
fn an_exponent_comes_from_an_immediate_an_exponent_or_an_integer() {
    let fields = |mod1| [(MOD1, mod1), (IMM8, 0x81)];
    let b = 0x7f80_1202;
    for (mod1, expected) in [(0, 0x8149_0fdb), (2, 0xffc9_0fdb), (1, 0xc0c9_0fdb), (3, 0xc0c9_0fdb)] {
        assert_eq!(of(Mnemonic::Sfpsetexp, [C, b], &fields(mod1)), expected, "{mod1}");
    }
}

#[test]
fn a_mantissa_comes_from_the_low_bits_of_a_register_or_is_the_upper_half_of_an_immediate() {
    let fields = |mod1| [(MOD1, mod1), (IMM12, 0x801)];
    for (mod1, expected) in [(0, 0xc076_5432), (1, 0xc040_0800), (2, 0xc076_5432)] {
        assert_eq!(of(Mnemonic::Sfpsetman, [C, 0x7ff6_5432], &fields(mod1)), expected, "{mod1}");
    }
}

#[test]
fn exponents_are_set_or_wrap_unless_they_are_255() {
    for (mod1, imm8, c, expected) in [
        (0, 1, C, 0x80c9_0fdb),
        (0, 0, 0x7fc0_0001, 0x0040_0001),
        // 0x80 + 0xff is 0x7f.
        (1, 0xff, C, 0xbfc9_0fdb),
        (1, 0xff, 0x0080_0001, 1),
        (1, 1, 0xff00_0000, 0xff80_0000),
        (1, 1, 0xff80_0000, 0xff80_0000),
        (1, 0x80, 0x7fc0_0001, 0x7fc0_0001),
    ] {
        let fields = [(MOD1, mod1), (IMM8, imm8)];
        assert_eq!(of(Mnemonic::Sfpdivp2, [c, 0], &fields), expected, "{mod1} {imm8:#x} {c:#x}");
    }
}

#[test]
fn nothing_is_done_and_no_row_is_touched() {
    let (answer, state) = run(Mnemonic::Sfpnop, (Chip::Wormhole, Edition::Newest), &[], |_| {});
    assert_eq!(answer, Answer::Done);
    assert!(state.tracker.log.read.is_empty() && state.tracker.log.written.is_empty());
}

// ------------------------------------------------------------------------------------------------ lanes that move

const DISABLE_BACKDOOR_LOAD: u32 = 1 << 1;
const ENABLE_DEST_INDEX: u32 = 1 << 2;
const EXCHANGE_SRCB_SRCC: u32 = 1 << 8;

/// Puts 100 times its number and the number of the lane into each register that can be written.
fn number(tensix: &mut Tensix<'_>) {
    for register in 0..8 {
        for lane in 0..32 {
            tensix.set_lreg(register, lane, 100 * register as u32 + lane as u32);
        }
    }
}

/// Enables these lanes only.
fn enable(tensix: &mut Tensix<'_>, lanes: u32) {
    (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (!0, lanes);
}

/// A word of a register.
fn lreg(state: &State, register: usize, lane: usize) -> u32 {
    state.word(bank::LREG, register, lane)
}

/// The registers that were read, and those that were written.
fn marks(state: &State) -> [Vec<usize>; 2] {
    let first = WORMHOLE.layout.banks[bank::LREG].first_row;
    let log = &state.tracker.log;
    [&log.read, &log.written].map(|rows| (0..17).filter(|register| rows.contains(first + register)).collect())
}

const WORMHOLE_NEWEST: (Chip, Edition) = (Chip::Wormhole, Edition::Newest);
const BLACKHOLE_NEWEST: (Chip, Edition) = (Chip::Blackhole, Edition::Newest);

#[test]
fn rows_are_transposed_under_the_lanes_that_get_them() {
    let transposed = |lanes| {
        let (answer, state) = run(Mnemonic::Sfptransp, WORMHOLE_NEWEST, &[(VD, 11)], |tensix| {
            number(tensix);
            enable(tensix, lanes);
        });
        assert_eq!(answer, Answer::Done);
        state
    };
    // Row 0 of register 1 was row 1 of register 0, and so on; row 2 of register 2 stays.
    let state = transposed(!0);
    let words = [(1, 2), (0, 10), (3, 20), (6, 25), (2, 18)].map(|(register, lane)| lreg(&state, register, lane));
    assert_eq!(words, [10, 102, 228, 717, 218]);
    // Row 0 is enabled: register 1 gets a row, and register 0 gives one and gets none.
    let state = transposed(0xff);
    let words = [(1, 2), (0, 10), (7, 0), (4, 24)].map(|(register, lane)| lreg(&state, register, lane));
    assert_eq!(words, [10, 10, 424, 424]);
    assert_eq!(marks(&state), [vec![0, 1, 2, 3, 4, 5, 6, 7], vec![1, 2, 3, 5, 6, 7]]);
    assert_eq!(marks(&transposed(0)), [vec![], vec![]]);
}

#[test]
fn a_door_that_is_open_for_some_lanes_is_not_supported_outside_of_a_loop() {
    let run = |mnemonic, fields: &[(CodeField, u32)], config: [u32; 8], lanes| {
        let (answer, state) = run(mnemonic, BLACKHOLE_NEWEST, &[&[(VD, 12)], fields].concat(), |tensix| {
            number(tensix);
            enable(tensix, lanes);
            tensix.small.lane_config = config;
        });
        (answer, [0, 1].map(|lane| lreg(&state, 0, 8 + lane)))
    };
    let mut some = [DISABLE_BACKDOOR_LOAD; 8];
    some[0] = 0;
    for (fields, expected) in [(&[][..], [100, 101]), (&[(MOD1, 2)], [108, 109])] {
        let mnemonic = if fields.is_empty() { Mnemonic::Sfptransp } else { Mnemonic::Sfpshft2 };
        assert_eq!(run(mnemonic, fields, [0; 8], !0), (Answer::Done, [8, 9]));
        assert_eq!(run(mnemonic, fields, [DISABLE_BACKDOOR_LOAD; 8], !0), (Answer::Done, expected));
        assert_eq!(run(mnemonic, fields, some, !0).0, Answer::Unsupported);
        assert_eq!(run(mnemonic, fields, some, 0), (Answer::Done, [8, 9]));
    }
    // Others ask in the loop, and the one that rotates into VD has nothing to write.
    assert_eq!(run(Mnemonic::Sfpshft2, &[(MOD1, 0)], some, !0), (Answer::Done, [8, 109]));
    assert_eq!(run(Mnemonic::Sfpshft2, &[(MOD1, 3)], some, !0), (Answer::Done, [8, 9]));
    assert_eq!(run(Mnemonic::Sfpswap, &[(VC, 0)], some, !0), (Answer::Done, [8, 0]));
}

/// Whether lanes 0 and 9 swap, of which only the second one has the configuration beside that of indices.
fn swaps(edition: Edition, mod1: u32, [c, d]: [u32; 2], config: u32) -> [bool; 2] {
    let fields = [(MOD1, mod1), (VC, 1), (VD, 2)];
    let states = [Chip::Wormhole, Chip::Blackhole].map(|chip| {
        let (answer, state) = run(Mnemonic::Sfpswap, (chip, edition), &fields, |tensix| {
            for lane in [0, 9] {
                for (register, word) in [(1, c), (2, d), (5, 50), (6, 60)] {
                    tensix.set_lreg(register, lane, word);
                }
            }
            tensix.small.lane_config = [ENABLE_DEST_INDEX; 8];
            tensix.small.lane_config[1] |= config;
        });
        assert_eq!(answer, Answer::Done);
        state
    });
    let [wormhole, blackhole] = states.map(|state| {
        [0, 9].map(|lane| {
            let words = [1, 2, 5, 6].map(|register| lreg(&state, register, lane));
            assert!(words == [c, d, 50, 60] || words == [d, c, 60, 50], "{words:x?}");
            words[2] == 60
        })
    });
    assert_eq!(wormhole, blackhole);
    wormhole
}

#[test]
fn words_are_sorted_as_signs_and_magnitudes() {
    for edition in Edition::ALL {
        // Each is less than the next one.
        let words = [0xffff_ffff, 0xff80_0000, 0x8000_0001, 0x8000_0000, 0, 1, 0x7f80_0000, 0x7fff_ffff];
        for (place, &less) in words.iter().enumerate() {
            for &more in &words[place + 1..] {
                for (mod1, less_first, more_first) in [(1, true, false), (9, false, true), (0, true, true)] {
                    assert_eq!(swaps(edition, mod1, [less, more], 0), [less_first; 2], "{mod1} {less:x} {more:x}");
                    assert_eq!(swaps(edition, mod1, [more, less], 0), [more_first; 2], "{mod1} {less:x} {more:x}");
                }
            }
        }
        // Lane 0 is of row 0, and lane 9 of row 1.
        for (mod1, expected) in [
            (2, [true, true]),
            (3, [true, false]),
            (4, [true, false]),
            (5, [true, false]),
            (6, [false, true]),
            (7, [false, false]),
            (8, [false, false]),
            (10, [false, false]),
            (15, [false, false]),
        ] {
            assert_eq!(swaps(edition, mod1, [1, 2], 0), expected, "{mod1}");
        }
        assert_eq!(swaps(edition, 1, [1, 2], EXCHANGE_SRCB_SRCC), [true, false]);
        assert_eq!(swaps(edition, 9, [1, 2], EXCHANGE_SRCB_SRCC), [false, true]);
        assert_eq!(swaps(edition, 0, [1, 2], EXCHANGE_SRCB_SRCC), [true, true]);
    }
}

#[test]
fn equal_words_swap_by_their_sign_in_the_newest_edition() {
    let (positive, negative) = ([0x4120_0000; 2], [0xc120_0000; 2]);
    for (edition, mod1, of_positive, of_negative) in [
        (Edition::Spec, 1, false, false),
        (Edition::Newest, 1, false, true),
        (Edition::Spec, 9, true, true),
        (Edition::Newest, 9, true, false),
    ] {
        assert_eq!(swaps(edition, mod1, positive, EXCHANGE_SRCB_SRCC), [of_positive, !of_positive]);
        assert_eq!(swaps(edition, mod1, negative, EXCHANGE_SRCB_SRCC), [of_negative, !of_negative]);
    }
}

#[test]
fn registers_that_swap_are_those_that_can_be_written() {
    let swapped = |fields: &[(CodeField, u32)], config, lane: usize| {
        let (answer, state) = run(Mnemonic::Sfpswap, WORMHOLE_NEWEST, fields, |tensix| {
            number(tensix);
            tensix.small.lane_config = [config; 8];
        });
        assert_eq!(answer, Answer::Done);
        (std::array::from_fn(|register| lreg(&state, register, lane)), marks(&state))
    };
    let check = |fields: [(CodeField, u32); 3], config, expected: [u32; 8], read: &[usize], written: &[usize]| {
        assert_eq!(swapped(&fields, config, 0), (expected, [read.to_vec(), written.to_vec()]));
    };
    let all = [0, 100, 200, 300, 400, 500, 600, 700];
    // A constant stays.
    check([(MOD1, 0), (VC, 9), (VD, 2)], 0, [0, 100, 0, 300, 400, 500, 600, 700], &[2, 9], &[2]);
    check([(MOD1, 0), (VC, 6), (VD, 2)], 0, [0, 100, 600, 300, 400, 500, 200, 700], &[2, 6], &[2, 6]);
    check([(MOD1, 0), (VC, 2), (VD, 2)], 0, all, &[2], &[2]);
    // Nothing swaps: all of VC are more.
    check([(MOD1, 1), (VC, 3), (VD, 2)], 0, all, &[2, 3], &[]);
    // Only 1 and 6 are compared, and 5 and 6 go along.
    let along = [0, 600, 200, 300, 400, 600, 500, 700];
    check([(MOD1, 0), (VC, 1), (VD, 6)], ENABLE_DEST_INDEX, along, &[1, 5, 6], &[1, 5, 6]);
    // What goes along is one register.
    let one = [0, 500, 200, 300, 400, 500, 600, 700];
    check([(MOD1, 0), (VC, 5), (VD, 1)], ENABLE_DEST_INDEX, one, &[1, 5], &[1, 5]);
    // 4 and 7, which are not written by themselves, and constants that have 4 and 7 go along.
    let ends = [0, 100, 200, 300, 700, 500, 600, 400];
    check([(MOD1, 0), (VC, 7), (VD, 4)], ENABLE_DEST_INDEX, ends, &[4, 7], &[4, 7]);
    check([(MOD1, 0), (VC, 8), (VD, 11)], ENABLE_DEST_INDEX, ends, &[4, 7, 8, 11], &[4, 7]);
}

/// What `SFPSHFT2` answers and leaves of numbered registers, where these lanes are enabled.
fn shifted(chip: Chip, fields: &[(CodeField, u32)], lanes: u32) -> (Answer, State) {
    run(Mnemonic::Sfpshft2, (chip, Edition::Newest), fields, |tensix| {
        number(tensix);
        enable(tensix, lanes);
    })
}

#[test]
fn registers_move_down_and_the_last_one_gets_zeros_rows_or_a_rotation() {
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        let of = |mod1, vc, lane| {
            let (answer, state) = shifted(chip, &[(MOD1, mod1), (VC, vc), (VD, 11)], !0);
            assert_eq!(answer, Answer::Done);
            [0, 1, 2, 3].map(|register| lreg(&state, register, lane))
        };
        assert_eq!(of(0, 5, 9), [109, 209, 309, 0]);
        assert_eq!(of(1, 5, 9), [109, 209, 309, 17]);
        assert_eq!(of(1, 5, 23), [123, 223, 323, 31]);
        assert_eq!(of(1, 5, 24), [124, 224, 324, 0]);
        assert_eq!(of(2, 1, 8), [108, 208, 308, 115]);
        assert_eq!(of(2, 0, 9), [109, 209, 309, 8]);
        assert_eq!(of(2, 6, 31), [131, 231, 331, 630]);
    }
    let (_, state) = shifted(Chip::Wormhole, &[(MOD1, 2), (VC, 6)], 2);
    assert_eq!([1, 2].map(|lane| lreg(&state, 3, lane)), [600, 302]);
    assert_eq!(marks(&state), [vec![1, 2, 3, 6], vec![0, 1, 2, 3]]);
    assert_eq!(marks(&shifted(Chip::Wormhole, &[], !0).1), [vec![1, 2, 3], vec![0, 1, 2, 3]]);
}

#[test]
fn lanes_rotate_or_shift_within_a_row() {
    let of = |chip, mod1, vd, lanes| {
        let (answer, state) = shifted(chip, &[(MOD1, mod1), (VC, 2), (VD, vd)], lanes);
        (answer, [0, 1, 8, 31].map(|lane| lreg(&state, 2, lane)))
    };
    let old = [200, 201, 208, 231];
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        assert_eq!(of(chip, 3, 2, !0), (Answer::Done, [207, 200, 215, 230]));
        assert_eq!(of(chip, 3, 2, 0xff00), (Answer::Done, [200, 201, 215, 231]));
        assert_eq!(of(chip, 3, 9, !0), (Answer::Done, old));
        assert_eq!(of(chip, 4, 9, !0), (Answer::Done, old));
        // Column 0 does not take part.
        assert_eq!(of(chip, 4, 2, 0xfefe_fefe), (Answer::Done, [200, 200, 208, 230]));
    }
    assert_eq!(of(Chip::Blackhole, 4, 2, !0), (Answer::Done, [0, 200, 0, 230]));
    for lanes in [1, 1 << 24, !0] {
        assert_eq!(of(Chip::Wormhole, 4, 2, lanes), (Answer::Unsupported, old));
    }
}

#[test]
fn bits_shift_by_a_register_or_by_an_immediate_that_names_a_register_too() {
    let of = |mod1, imm12, amount, word| {
        let fields = [(MOD1, mod1), (VC, 5), (IMM12, imm12), (VD, 7)];
        let [wormhole, blackhole] = [Chip::Wormhole, Chip::Blackhole].map(|chip| {
            let (answer, state) = run(Mnemonic::Sfpshft2, (chip, Edition::Newest), &fields, |tensix| {
                tensix.set_lreg(5, 3, amount);
                tensix.set_lreg(VB.get(&[imm12 << 12]) as usize, 3, word);
            });
            assert_eq!(answer, Answer::Done);
            lreg(&state, 7, 3)
        });
        assert_eq!(wormhole, blackhole);
        wormhole
    };
    let word = 0x8000_0001;
    for (amount, expected) in
        [(4, 0x10), (36, 0x10), (4_u32.wrapping_neg(), 0x0800_0000), (1 << 31, word), (32_u32.wrapping_neg(), word)]
    {
        assert_eq!(of(5, 0xff2, amount, word), expected, "{amount:#x}");
    }
    // 0x014 is 20, 0xffc is -4, 0x802 is -2046, of which 30 counts.
    for (imm12, expected) in [(0x014, 0x0010_0000), (0xffc, 0x0800_0000), (0x802, 2), (0x000, word)] {
        assert_eq!(of(6, imm12, 7, word), expected, "{imm12:#x}");
    }
}

#[test]
fn modes_of_shifts_without_a_name_are_not_supported() {
    for mod1 in 7..16 {
        for lanes in [0, !0] {
            assert_eq!(shifted(Chip::Blackhole, &[(MOD1, mod1)], lanes).0, Answer::Unsupported);
        }
    }
}
