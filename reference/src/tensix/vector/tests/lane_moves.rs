//! `SFPTRANSP`, `SFPSWAP`, `SFPSHFT2` and `SFPNOP`: values computed by hand from the pages.

use tandem_isa::tensix::inst::vector::VB;

use super::*;

const EDITIONS: [Edition; 2] = Edition::ALL;

/// All configurations the same.
fn configure(tensix: &mut Tensix<'_>, bits: &[u32]) {
    tensix.small.lane_config.fill(bits.iter().fold(0, |config, bit| config | 1 << bit));
}

/// What [`distinct`] gives a register in a lane.
fn datum(register: u32, lane: u32) -> u32 {
    0x8100_0000 + register * 0x1_0001 + lane * 32
}

/// The low five bits tell the register, and the lane follows from the rest, of each datum of a register.
fn origins(row: &[u32; 32]) -> Vec<(u32, u32)> {
    row.iter().map(|x| (x & 0x1f, (x - datum(x & 0x1f, 0)) / 32)).collect()
}

fn transp(vd: u32) -> [u32; 1] {
    let mut code = [0x8c00_0000];
    VD.set(&mut code, vd);
    code
}

// -------------------------------------------------------------------------------------------------- SFPTRANSP, SFPNOP

#[test]
fn a_transposition_swaps_rows_and_registers() {
    for &chip in BOTH {
        for (vd, shut) in [(0, false), (11, false), (12, true), (15, true)] {
            let after = run(chip, sfptransp, &transp(vd), |tensix| {
                distinct(tensix);
                configure(tensix, if shut { &[bit::DISABLE_BACKDOOR_LOAD] } else { &[] });
            });
            assert_eq!(after.promise, Expectation::Done);
            for register in 0..17 {
                let from = |lane: u32| match register {
                    0..4 => (lane / 8, register * 8 + lane % 8),
                    4..8 => (4 + lane / 8, (register - 4) * 8 + lane % 8),
                    _ => (register, lane),
                };
                let expected: Vec<(u32, u32)> = (0..32).map(from).collect();
                assert_eq!(origins(&after.lreg[U::<5>::new(register).index()]), expected, "LReg[{register}], VD {vd}");
            }
        }
    }
}

#[test]
fn a_lane_that_is_off_keeps_what_it_has_and_gives_it() {
    // Lane 10 is in row 1 and column 2. It gives LReg[0] to row 0 of LReg[1], and takes nothing.
    let after = run(Chip::Wormhole, sfptransp, &transp(0), |tensix| {
        distinct(tensix);
        tensix.small.use_lane_flags_for_lane_enable = 1 << 10;
        tensix.small.lane_flags = 0;
    });
    for register in 0..8 {
        assert_eq!(after.lreg[register][10], datum(u32::try_from(register).expect("it is small"), 10));
    }
    assert_eq!([after.lreg[1][2], after.lreg[5][2]], [datum(0, 10), datum(4, 10)]);
    assert_eq!([after.lreg[0][2], after.lreg[0][18]], [datum(0, 2), datum(2, 2)]);
}

#[test]
fn nothing_is_done_if_every_back_door_is_open_or_by_sfpnop() {
    for &chip in BOTH {
        let words: [(Instruction, [u32; 1]); 4] = [
            (sfptransp, transp(12)),
            (sfpshft2, word(&[(VD, 15), (MOD1, 2)])),
            (sfpshft2, word(&[(VD, 12), (MOD1, 3)])),
            (sfpnop, [0x8f00_0000]),
        ];
        for (instruction, code) in words {
            let mut before = None;
            let after = run(chip, instruction, &code, |tensix| {
                distinct(tensix);
                before = Some((tensix.banks_unmarked().lreg, *tensix.small));
            });
            let (lreg, small) = before.expect("the state was prepared");
            // TX-17: an open back door may take the word for a template, in each of eight columns.
            let open = if code[0] >> 24 == 0x8f { 0 } else { 8 };
            assert_eq!(after, After { promise: Expectation::Done, open, lreg, small });
        }
    }
}

#[test]
fn tx_120_lanes_that_differ_are_not_promised_where_one_bit_is_asked_for_all() {
    for &chip in BOTH {
        for num_shut in 0..=8 {
            for (vd, on) in [(11, true), (12, true), (15, true), (12, false)] {
                let words = [(sfptransp as Instruction, transp(vd)), (sfpshft2, word(&[(VD, vd), (MOD1, 2)]))];
                for (instruction, code) in words {
                    let after = run(chip, instruction, &code, |tensix| {
                        distinct(tensix);
                        tensix.small.lane_config[..num_shut].fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                        tensix.small.use_lane_flags_for_lane_enable = if on { 0 } else { u32::MAX };
                        tensix.small.lane_flags = 0;
                    });
                    let differ = vd >= 12 && (1..8).contains(&num_shut) && on;
                    assert_eq!(refused_by(after.promise, "TX-120"), differ, "{num_shut}, VD {vd}");
                    assert!(differ || after.promise == Expectation::Done);
                }
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------- SFPSWAP

const NAN: u32 = 0x7fc0_0000;

/// VC and VD, and both afterwards if the smaller goes to VD.
const SORTED: &[([u32; 2], [u32; 2])] = &[
    ([2, 1], [2, 1]),
    ([1, 2], [2, 1]),
    // A sign and a magnitude: -1 and -2.
    ([0x8000_0001, 0x8000_0002], [0x8000_0001, 0x8000_0002]),
    ([0x8000_0002, 0x8000_0001], [0x8000_0001, 0x8000_0002]),
    ([0x8000_0002, 1], [1, 0x8000_0002]),
    ([1, 0x8000_0002], [1, 0x8000_0002]),
    // Zeros are apart.
    ([0x8000_0000, 0], [0, 0x8000_0000]),
    ([0, 0x8000_0000], [0, 0x8000_0000]),
    // NaNs are outside of the infinities.
    ([0x7f80_0000, NAN], [NAN, 0x7f80_0000]),
    ([0xffff_ffff, 0xff80_0000], [0xff80_0000, 0xffff_ffff]),
    ([0x4000_0000, 0x3fff_ffff], [0x4000_0000, 0x3fff_ffff]),
    ([0xc000_0000, 0xbfff_ffff], [0xbfff_ffff, 0xc000_0000]),
];

/// `VC` and `VD` (registers 2 and 1) after, of a lane.
fn swapped(after: &After, lane: usize) -> [u32; 2] {
    [after.lreg[2][lane], after.lreg[1][lane]]
}

#[test]
fn registers_are_swapped_or_sorted_row_by_row() {
    // Which rows give VD the smaller, a bit for each.
    let rows = [(1, 0b1111), (2, 0b0011), (3, 0b0101), (4, 0b1001), (5, 0b0001), (6, 0b0010), (7, 0b0100), (8, 0b1000)];
    for (edition, &chip) in EDITIONS.into_iter().flat_map(|edition| BOTH.iter().map(move |chip| (edition, chip))) {
        for &([vc, vd], [larger, smaller]) in SORTED {
            for (mod1, min) in rows.into_iter().chain((edition == Edition::Newest).then_some((9, 0))) {
                for exchange in [false, true] {
                    let after = run_in(edition, chip, sfpswap, &word(&[(MOD1, mod1)]), |tensix| {
                        tensix.lreg_row_mut(2).fill(vc);
                        tensix.lreg_row_mut(1).fill(vd);
                        configure(tensix, if exchange { &[bit::EXCHANGE_SRCB_SRCC] } else { &[] });
                    });
                    assert_eq!(after.promise, Expectation::Done);
                    for lane in 0..32 {
                        let vd_gets_min = (min >> (lane / 8) & 1 == 1) != exchange;
                        let expected = if vd_gets_min { [larger, smaller] } else { [smaller, larger] };
                        assert_eq!(swapped(&after, lane), expected, "Mod1 {mod1}, lane {lane}: {vc:#x} {vd:#x}");
                    }
                }
            }
            let after = run_in(edition, chip, sfpswap, &word(&[(MOD1, 0)]), |tensix| {
                tensix.lreg_row_mut(2).fill(vc);
                tensix.lreg_row_mut(1).fill(vd);
                configure(tensix, &[bit::EXCHANGE_SRCB_SRCC]);
            });
            assert_eq!((after.promise, swapped(&after, 31)), (Expectation::Done, [vd, vc]));
        }
    }
}

#[test]
fn smaller_is_the_order_of_signs_and_magnitudes() {
    let value = |x: u32| {
        let magnitude = i64::from(x & 0x7fff_ffff);
        if x >> 31 == 0 { magnitude } else { -magnitude - 1 }
    };
    let corners = [0, 1, 2, 0x3fff_ffff, 0x4000_0000, 0x7f80_0000, 0x7fff_fffe, 0x7fff_ffff];
    let all: Vec<u32> = corners.into_iter().flat_map(|x| [x, x | 0x8000_0000]).collect();
    for &c in &all {
        for &d in &all {
            // Mod1 of 1: VC and VD are swapped if VC is smaller; so VC is the larger one afterwards.
            let after = run(Chip::Blackhole, sfpswap, &word(&[(MOD1, 1)]), |tensix| {
                tensix.lreg_row_mut(2).fill(c);
                tensix.lreg_row_mut(1).fill(d);
            });
            let expected = if value(c) < value(d) { [d, c] } else { [c, d] };
            assert_eq!(swapped(&after, 0), expected, "{c:#x} {d:#x}");
        }
    }
}

#[test]
fn an_index_goes_along_and_equal_data_tell_the_editions_apart() {
    // VC and VD, the mode, and whether they change places in each edition.
    let rows = [
        ([1, 2], 1, [true, true]),
        ([2, 1], 1, [false, false]),
        ([5, 5], 1, [false, false]),
        ([0x8000_0005, 0x8000_0005], 1, [false, true]),
        ([0x8000_0000, 0x8000_0000], 1, [false, true]),
        // Lanes of the first row give VD the larger.
        ([5, 5], 8, [true, true]),
        ([0x8000_0005, 0x8000_0005], 8, [true, false]),
        ([0, 0], 0, [true, true]),
    ];
    for ([vc, vd], mod1, expected) in rows {
        for (edition, expected) in EDITIONS.into_iter().zip(expected) {
            for (vc_register, vd_register) in [(2, 1), (3, 0)] {
                let code = word(&[(MOD1, mod1), (VC, vc_register), (VD, vd_register)]);
                let index = |register: u32| U::<5>::new(register).index();
                let after = run_in(edition, Chip::Wormhole, sfpswap, &code, |tensix| {
                    distinct(tensix);
                    tensix.lreg_row_mut(index(vc_register)).fill(vc);
                    tensix.lreg_row_mut(index(vd_register)).fill(vd);
                    configure(tensix, &[bit::ENABLE_DEST_INDEX]);
                });
                let [a, b] = [4 + vc_register, 4 + vd_register];
                let indices = [after.lreg[index(a)][7], after.lreg[index(b)][7]];
                let swapped = indices == [datum(b, 7), datum(a, 7)];
                assert!(swapped || indices == [datum(a, 7), datum(b, 7)]);
                assert_eq!(swapped, expected, "{edition:?}: {vc:#x} {vd:#x}, Mod1 {mod1}");
                let data = [after.lreg[index(vc_register)][7], after.lreg[index(vd_register)][7]];
                assert_eq!(data, if swapped { [vd, vc] } else { [vc, vd] });
            }
        }
    }
}

#[test]
fn what_is_no_register_of_the_first_is_compared_and_not_written() {
    // VC, VD, the configuration, and what changes by Mod1 of 0: a register, and which one its datum is from.
    type Row<'a> = (u32, u32, &'a [u32], &'a [(usize, u32)]);
    let rows: &[Row<'_>] = &[
        (2, 1, &[], &[(2, 1), (1, 2)]),
        (5, 1, &[], &[(5, 1), (1, 5)]),
        (10, 1, &[], &[(1, 10)]),
        (1, 11, &[], &[(1, 11)]),
        (12, 8, &[], &[]),
        (3, 3, &[], &[]),
        (3, 12, &[], &[]),
        (3, 12, &[bit::DISABLE_BACKDOOR_LOAD], &[(3, 12)]),
        (2, 1, &[bit::ENABLE_DEST_INDEX], &[(2, 1), (1, 2), (6, 5), (5, 6)]),
        (10, 1, &[bit::ENABLE_DEST_INDEX], &[(1, 10), (6, 5), (5, 6)]),
        (1, 5, &[bit::ENABLE_DEST_INDEX], &[(1, 5)]),
        (6, 4, &[bit::ENABLE_DEST_INDEX], &[(6, 4), (4, 6)]),
        (9, 8, &[bit::ENABLE_DEST_INDEX], &[(5, 4), (4, 5)]),
        (2, 15, &[bit::ENABLE_DEST_INDEX, bit::DISABLE_BACKDOOR_LOAD], &[(2, 15), (6, 7), (7, 6)]),
    ];
    for &(vc, vd, config, changes) in rows {
        for edition in EDITIONS {
            let after = run_in(edition, Chip::Blackhole, sfpswap, &word(&[(VC, vc), (VD, vd), (MOD1, 0)]), |tensix| {
                distinct(tensix);
                configure(tensix, config);
            });
            assert_eq!(after.promise, Expectation::Done);
            for register in 0..16_u32 {
                let index = U::<5>::new(register).index();
                let from = changes.iter().find(|(to, _)| *to == index).map_or(register, |(_, from)| *from);
                assert_eq!(after.lreg[index][9], datum(from, 9), "VC {vc} VD {vd} {config:?}: LReg[{register}]");
            }
        }
    }
}

#[test]
fn modes_of_sfpswap_without_a_name_count_where_a_lane_takes_part() {
    for mod1 in 0..16 {
        for (edition, on) in EDITIONS.into_iter().flat_map(|edition| [(edition, true), (edition, false)]) {
            let after = run_in(edition, Chip::Wormhole, sfpswap, &word(&[(MOD1, mod1)]), |tensix| {
                tensix.lreg_row_mut(2).fill(1);
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) =
                    (u32::MAX, u32::from(on) << 31);
            });
            match edition {
                Edition::Spec => assert_eq!(refused_by(after.promise, "TX-122"), mod1 > 8 && on),
                Edition::Newest => {
                    let reserved = matches!(after.promise, Expectation::NonContractual(_));
                    assert_eq!(reserved, mod1 > 9 && on);
                    // VD gets the larger from 9 on.
                    assert!(mod1 < 9 || swapped(&after, 31) == if on { [0, 1] } else { [1, 0] });
                }
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------- SFPSHFT2

#[test]
fn registers_and_lanes_move_as_the_page_says() {
    // Which register and lane a datum of LReg[0] to LReg[3] is from; none if it is zero. VD is 1, VC is 2.
    type From = fn(u32, u32) -> Option<(u32, u32)>;
    let modes: [(u32, u32, From); 4] = [
        (0, 2, |register, lane| (register < 3).then_some((register + 1, lane))),
        (1, 2, |register, lane| match register {
            3 => (lane < 24).then_some((0, lane + 8)),
            _ => Some((register + 1, lane)),
        }),
        (2, 2, |register, lane| match register {
            3 => Some((2, lane / 8 * 8 + (lane + 7) % 8)),
            _ => Some((register + 1, lane)),
        }),
        (3, 2, |register, lane| match register {
            1 => Some((2, lane / 8 * 8 + (lane + 7) % 8)),
            _ => Some((register, lane)),
        }),
    ];
    for &chip in BOTH {
        for (mod1, vc, from) in modes {
            // Lane 18 is off: it takes nothing, and gives.
            let after = run(chip, sfpshft2, &word(&[(MOD1, mod1), (VC, vc), (VB, 9)]), |tensix| {
                distinct(tensix);
                tensix.small.use_lane_flags_for_lane_enable = 1 << 18;
                tensix.small.lane_flags = 0;
            });
            assert_eq!(after.promise, Expectation::Done);
            for (register, lane) in (0..16).flat_map(|register| (0..32).map(move |lane| (register, lane))) {
                let same = Some((register, lane));
                let origin = if lane == 18 || register > 3 { same } else { from(register, lane) };
                let expected = origin.map_or(0, |(register, lane)| datum(register, lane));
                let found = after.lreg[U::<5>::new(register).index()][U::<5>::new(lane).index()];
                assert_eq!(found, expected, "{chip:?} Mod1 {mod1}: LReg[{register}][{lane}]");
            }
        }
    }
}

#[test]
fn registers_move_in_lanes_that_shut_the_back_door() {
    for mod1 in [0, 1] {
        let after = run(Chip::Wormhole, sfpshft2, &word(&[(MOD1, mod1), (VD, 12)]), |tensix| {
            distinct(tensix);
            tensix.small.lane_config[3] = 1 << bit::DISABLE_BACKDOOR_LOAD;
        });
        assert_eq!(after.promise, Expectation::Done);
        for (found, lane) in after.lreg[0].iter().zip(0..) {
            assert_eq!(*found, datum(u32::from(lane % 8 == 3), lane));
        }
    }
}

#[test]
fn the_first_lane_of_a_row_is_not_promised_on_wormhole() {
    for (flags, depends) in [(u32::MAX, true), (0x0001_0000, true), (0xfefe_fefe, false), (0, false)] {
        for (&chip, vd) in BOTH.iter().flat_map(|chip| [(chip, 1), (chip, 8)]) {
            let after = run(chip, sfpshft2, &word(&[(MOD1, 4), (VD, vd)]), |tensix| {
                distinct(tensix);
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, flags);
            });
            if chip == Chip::Wormhole && depends && vd == 1 {
                assert!(matches!(after.promise, Expectation::Unspecified(_)));
                continue;
            }
            assert_eq!(after.promise, Expectation::Done);
            for (found, lane) in after.lreg[1].iter().zip(0..) {
                let expected = match (flags >> lane & 1 == 1 && vd == 1, lane % 8) {
                    (false, _) => datum(1, lane),
                    (true, 0) => 0,
                    (true, _) => datum(2, lane - 1),
                };
                assert_eq!(*found, expected, "{chip:?}, lane {lane}");
            }
        }
    }
}

#[test]
fn bits_are_shifted_by_a_register_or_by_the_immediate() {
    const X: u32 = 0x8765_4321;
    let by_register = [
        (0, X),
        (1, 0x0eca_8642),
        (31, 0x8000_0000),
        (32, X),
        (33, 0x0eca_8642),
        (0xffff_ffff, 0x43b2_a190),
        (0xffff_ffe1, 1),
        (0xffff_ffe0, X),
        (0x8000_0000, X),
        (0x8000_0001, 1),
    ];
    for &chip in BOTH {
        for (amount, expected) in by_register {
            let after = run(chip, sfpshft2, &word(&[(MOD1, 5), (VB, 3)]), |tensix| {
                tensix.lreg_row_mut(2).fill(amount);
                tensix.lreg_row_mut(3).fill(X);
            });
            assert_eq!((after.promise, after.lreg[1]), (Expectation::Done, [expected; 32]), "{amount:#x}");
        }
        // The register is the low four bits: 3, 3, 15 (whose lanes hold twice their number), 1 (what is written) and 0.
        let by_immediate = [(0x003, 0x3b2a_1908), (0xff3, 0x8765_4321 >> 13), (0x011, 0x0002_0000), (0x800, X)];
        for (imm12, expected) in by_immediate {
            let after = run(chip, sfpshft2, &word(&[(MOD1, 6), (IMM12, imm12), (VC, 0)]), |tensix| {
                tensix.lreg_row_mut(0).fill(X);
                tensix.lreg_row_mut(1).fill(1);
                tensix.lreg_row_mut(3).fill(X);
            });
            assert_eq!((after.promise, after.lreg[1]), (Expectation::Done, [expected; 32]), "{imm12:#x}");
        }
    }
}

#[test]
fn modes_of_sfpshft2_without_a_name_are_undefined() {
    for (&chip, mod1) in BOTH.iter().flat_map(|chip| (7..16).map(move |mod1| (chip, mod1))) {
        let after = run(chip, sfpshft2, &word(&[(MOD1, mod1), (VD, 8)]), |_| {});
        assert!(matches!(after.promise, Expectation::Undefined(_)), "{mod1}");
    }
}

#[test]
fn tx_34_the_form_of_sfpshft2_follows_the_mode() {
    for (&chip, mod1) in BOTH.iter().flat_map(|chip| (0..16).map(move |mod1| (chip, mod1))) {
        for index in 4..24 {
            let after = run(chip, sfpshft2, &[mod1 | 1 << index], |_| {});
            let named = if mod1 == 6 { !(8..12).contains(&index) } else { index < 16 };
            assert_eq!(refused_by(after.promise, "TX-34"), !named, "{chip:?} Mod1 {mod1}, bit {index}");
        }
    }
}
