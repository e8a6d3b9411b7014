//! `SFPLOADI` and `SFPCONFIG`: values computed by hand from the pages.

use tandem_isa::tensix::inst::immediate::{sfpconfig, sfploadi};

use super::super::config::sfpconfig as execute_sfpconfig;
use super::super::loadi::sfploadi as execute_sfploadi;
use super::*;

// -------------------------------------------------------------------------------------------------- SFPLOADI

const FLOATB: u32 = 0;
const FLOATA: u32 = 1;
const USHORT: u32 = 2;
const SHORT: u32 = 4;
const UPPER: u32 = 8;
const LOWER: u32 = 10;

fn loadi(vd: u32, mod0: u32, imm16: u32) -> [u32; 1] {
    word_of(0x7100_0000, &[(sfploadi::VD, vd), (sfploadi::MOD0, mod0), (sfploadi::IMM16, imm16)])
}

fn word_of(opcode: u32, fields: Fields<'_>) -> [u32; 1] {
    let mut code = [opcode];
    for (field, value) in fields {
        field.set(&mut code, *value);
    }
    code
}

#[test]
fn an_immediate_becomes_what_the_page_says() {
    // The mode, the immediate, and the register, which held 0x1234_5678.
    let rows = [
        (FLOATB, 0x3f80, 0x3f80_0000),
        (FLOATB, 0, 0),
        (FLOATB, 0xffff, 0xffff_0000),
        // 1.0, the largest, the smallest that is no denormal, and what IEEE 754 calls infinity.
        (FLOATA, 0x3c00, 0x3f80_0000),
        (FLOATA, 0x7bff, 0x477f_e000),
        (FLOATA, 0x0400, 0x3880_0000),
        (FLOATA, 0x7c00, 0x4780_0000),
        (FLOATA, 0xffff, 0xc7ff_e000),
        // Zero has the exponent that any other has: 2 to the -15.
        (FLOATA, 0, 0x3800_0000),
        (FLOATA, 0x8000, 0xb800_0000),
        (FLOATA, 0x0001, 0x3800_2000),
        (FLOATA, 0x83ff, 0xb87f_e000),
        (USHORT, 0xffff, 0xffff),
        (USHORT, 0x8001, 0x8001),
        (SHORT, 0x7fff, 0x7fff),
        (SHORT, 0x8000, 0xffff_8000),
        (SHORT, 0xffff, 0xffff_ffff),
        (UPPER, 0xabcd, 0xabcd_5678),
        (UPPER, 0, 0x5678),
        (LOWER, 0xabcd, 0x1234_abcd),
        (LOWER, 0, 0x1234_0000),
    ];
    for (mod0, imm16, expected) in rows {
        for (&chip, vd) in BOTH.iter().flat_map(|chip| [0, 7].map(|vd| (chip, vd))) {
            let after = run(chip, execute_sfploadi, &loadi(vd, mod0, imm16), |tensix| {
                tensix.lreg_row_mut(U::<4>::new(vd).index()).fill(0x1234_5678);
            });
            let loaded = after.lreg[U::<4>::new(vd).index()];
            assert_eq!((after.promise, loaded), (Expectation::Done, [expected; 32]), "{mod0} {imm16:#x} VD {vd}");
        }
    }
}

#[test]
fn two_immediates_give_a_register_any_bits() {
    for (first, second) in [((UPPER, 0xdead), (LOWER, 0xbeef)), ((LOWER, 0xbeef), (UPPER, 0xdead))] {
        let mut state = base_state(Chip::Wormhole);
        let tensix = &mut Tensix::new(&mut state);
        tensix.lreg_row_mut(3).fill(0x5555_5555);
        for (mod0, imm16) in [first, second] {
            let instruction = WORMHOLE.instruction("SFPLOADI").expect("it is there");
            let step = Step { instruction, edition: Edition::Newest, code: &loadi(3, mod0, imm16) };
            assert_eq!(execute(&step, tensix, execute_sfploadi), Expectation::Done);
        }
        assert_eq!(tensix.lreg_row(3), &[0xdead_beef; 32]);
    }
}

#[test]
fn an_immediate_goes_to_lanes_that_are_on() {
    // Lane 18 is in row 2; lane 9 heeds its flag, which is clear, and lane 10 heeds one that is set.
    for mod0 in [FLOATB, FLOATA, USHORT, SHORT, UPPER, LOWER] {
        let after = run(Chip::Blackhole, execute_sfploadi, &loadi(1, mod0, 0x1234), |tensix| {
            tensix.lreg_row_mut(1).fill(0xaaaa_aaaa);
            tensix.small.lane_config[2] = 4 << bit::ROW_MASK;
            (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (3 << 9, 1 << 10);
        });
        let kept: Vec<usize> = (0..32).filter(|&lane| after.lreg[1][lane] == 0xaaaa_aaaa).collect();
        assert_eq!((after.promise, kept), (Expectation::Done, vec![9, 18]), "Mod0 {mod0}");
    }
}

#[test]
fn an_immediate_goes_to_registers_below_8() {
    for (&chip, vd) in BOTH.iter().flat_map(|chip| (8..16).map(move |vd| (chip, vd))) {
        for (mod0, config) in (0..16).flat_map(|mod0| [0, 1 << bit::DISABLE_BACKDOOR_LOAD].map(|it| (mod0, it))) {
            // Bits 4 to 7, which are VD of others, are of the immediate here.
            let mut before = None;
            let after = run(chip, execute_sfploadi, &loadi(vd, mod0, 0xffff), |tensix| {
                distinct(tensix);
                tensix.small.lane_config.fill(config);
                before = Some((tensix.banks_unmarked().lreg, *tensix.small));
            });
            let (lreg, small) = before.expect("the state was prepared");
            // TX-17: an open back door may take the word for a template, in each of eight columns.
            let open = if vd >= 12 && config == 0 { 8 } else { 0 };
            assert_eq!(after, After { promise: Expectation::Done, open, lreg, small }, "{chip:?} VD {vd} Mod0 {mod0}");
        }
    }
}

#[test]
fn modes_without_a_name_are_undefined_where_a_lane_is_on() {
    let named = [FLOATB, FLOATA, USHORT, SHORT, UPPER, LOWER];
    for mod0 in 0..16 {
        for (vd, lanes) in [(0, 0), (0, 1), (7, 1 << 31), (8, 1)] {
            // The back door is open, and the immediate has ones where others have VD.
            let after = run(Chip::Wormhole, execute_sfploadi, &loadi(vd, mod0, 0xf0), |tensix| {
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, lanes);
            });
            let undefined = !named.contains(&mod0) && vd < 8 && lanes != 0;
            let is_undefined = matches!(after.promise, Expectation::Undefined(_));
            assert_eq!(is_undefined, undefined, "Mod0 {mod0} VD {vd} {lanes:#x}");
            assert!(undefined || after.promise == Expectation::Done);
        }
    }
}

// -------------------------------------------------------------------------------------------------- SFPCONFIG

const VALUE: u32 = 1;
const OR: u32 = 2;
const AND: u32 = 4;
const XOR: u32 = 6;
const MASK: u32 = 8;

fn config(vd: u32, mod1: u32, imm16: u32) -> [u32; 1] {
    word_of(0x9100_0000, &[(VD, vd), (MOD1, mod1), (sfpconfig::IMM16, imm16)])
}

/// All lanes of a register, where lanes 0 to 7 decide for those below them.
fn broadcast(first_row: [u32; 8]) -> [u32; 32] {
    let mut lanes = [0; 32];
    for row in lanes.chunks_mut(8) {
        row.copy_from_slice(&first_row);
    }
    lanes
}

#[test]
fn what_is_configured_is_what_the_page_says() {
    // VD, Mod1, the immediate, a configuration and LReg[0] before, and the configuration after.
    let rows = [
        (15, 0, 0xffff, 0x2_1234, 0xfffd_0f0f, 0x1_0f0f),
        (15, OR, 0, 0x2_1230, 0x0001_000f, 0x3_123f),
        (15, AND, 0, 0x3_ffff, 0xfffe_0ff0, 0x2_0ff0),
        (15, XOR, 0, 0x3_00ff, 0x0001_0f0f, 0x2_0ff0),
        // The two highest bits stay.
        (15, VALUE, 0x8002, 0x2_1234, 0xffff_ffff, 0x2_8002),
        (15, VALUE | OR, 0x0101, 0x1_8080, 0, 0x1_8181),
        (15, VALUE | AND, 0x0f0f, 0x3_1234, 0, 0x3_0204),
        (15, VALUE | XOR, 0xffff, 0x3_1234, 0, 0x3_edcb),
        (15, VALUE, 0, 0xffff, 7, 0),
        // The mask has a bit of its own for each column of lanes, all of which are set.
        (15, MASK, 0x5555, 0x2_1234, 0x0001_0f0f, 0x1_0f0f),
        (15, MASK, 0xaaaa, 0x2_1234, 0x0001_0f0f, 0x2_1234),
        // Others leave it as it is.
        (0, 0, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
        (3, OR | VALUE, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
        (7, VALUE, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
        (8, XOR, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
        (11, VALUE, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
        (14, 0, 0xffff, 0x1234, 0xffff_ffff, 0x1234),
    ];
    for (row, (vd, mod1, imm16, before, lreg0, expected)) in rows.into_iter().enumerate() {
        for &chip in BOTH {
            let after = run(chip, execute_sfpconfig, &config(vd, mod1, imm16), |tensix| {
                tensix.lreg_row_mut(0).fill(lreg0);
                tensix.small.lane_config.fill(before);
            });
            let found = (after.promise, after.small.lane_config);
            assert_eq!(found, (Expectation::Done, [expected; 8]), "row {row} {chip:?}");
        }
    }
    // The registers, from LReg[0] and by default. Bits 1 and 2 of Mod1 are of no account.
    for (vd, default) in [(11, 0xbf80_0000), (12, 0x3b00_0000), (13, 0xbf2c_c4c7), (14, 0xbeb0_8ff9)] {
        for (&chip, mod1) in BOTH.iter().flat_map(|chip| (0..8).map(move |mod1| (chip, mod1))) {
            let after = run(chip, execute_sfpconfig, &config(vd, mod1, 0x1234), |tensix| {
                tensix.lreg_row_mut(0).fill(0xdead_beef);
            });
            let expected = if mod1 & VALUE == 0 { 0xdead_beef } else { default };
            for register in 11..15 {
                let is_written = register == U::<4>::new(vd).index();
                let lanes = if is_written { [expected; 32] } else { [0; 32] };
                assert_eq!(after.lreg[register], lanes, "{chip:?} VD {vd} Mod1 {mod1} LReg[{register}]");
            }
            assert_eq!(after.promise, Expectation::Done);
        }
    }
}

#[test]
fn templates_and_sequences_and_the_rest_are_configured() {
    // Lane n of LReg[0] is n; lanes 0, 1 and 7 take part, by bits 0, 2 and 14 of the immediate, where there is a mask.
    let imm16 = 0x4a05;
    let masked = |mod1: u32, values: [u32; 8], old: u32| {
        let takes_part = |lane| mod1 & MASK == 0 || [0, 1, 7].contains(&lane);
        [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| if takes_part(lane) { values[lane] } else { old })
    };
    let lanes = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| 0xffff_f000 + lane);
    for (&chip, mod1) in BOTH.iter().flat_map(|chip| (0..16).map(move |mod1| (chip, mod1))) {
        for vd in 0..9 {
            let code = config(vd, mod1, imm16);
            let (promise, mut state) = state_after(Edition::Newest, chip, execute_sfpconfig, &code, |tensix| {
                // Lanes below the first row hold something else, which goes nowhere.
                tensix.lreg_row_mut(0)[..8].copy_from_slice(&lanes);
                (0..8).for_each(|row| tensix.load_macro_row_mut(row).fill(0x99));
                tensix.small.load_macro_misc.fill(0xa33);
            });
            assert_eq!(promise, Expectation::Done);
            let mut tensix = Tensix::new(&mut state);
            let values = if mod1 & VALUE == 0 || vd < 4 { lanes } else { [imm16; 8] };
            for row in 0..8_u8 {
                let is_written = u32::from(row) == vd;
                let expected = if is_written { masked(mod1, values, 0x99) } else { [0x99; 8] };
                assert_eq!(tensix.load_macro_row(row.into()), &expected, "{chip:?} VD {vd} Mod1 {mod1} row {row}");
            }
            // 12 bits: of 0xffff_f00n n, and of 0x4a05 0xa05.
            let misc = values.map(|value| match (mod1 & 6, value & 0xfff) {
                (0, value) => value,
                (OR, 0xa05) => 0xa37,
                (AND, 0xa05) => 0xa01,
                (XOR, 0xa05) => 0x036,
                (OR, lane) => [0xa33, 0xa33, 0xa33, 0xa33, 0xa37, 0xa37, 0xa37, 0xa37][U::<3>::new(lane).index()],
                (AND, lane) => [0, 1, 2, 3, 0, 1, 2, 3][U::<3>::new(lane).index()],
                (_, lane) => [0xa33, 0xa32, 0xa31, 0xa30, 0xa37, 0xa36, 0xa35, 0xa34][U::<3>::new(lane).index()],
            });
            let expected = if vd == 8 { masked(mod1, misc, 0xa33) } else { [0xa33; 8] };
            assert_eq!(tensix.small.load_macro_misc, expected, "{chip:?} VD {vd} Mod1 {mod1}");
        }
    }
}

#[test]
fn the_first_row_of_lanes_decides_for_all() {
    let first_row = [1, 2, 3, 4, 5, 6, 7, 8];
    for &chip in BOTH {
        let prepare = |tensix: &mut Tensix<'_>| {
            tensix.lreg_row_mut(0).fill(0x99);
            tensix.lreg_row_mut(0)[..8].copy_from_slice(&first_row);
            *tensix.lreg_row_mut(12) = broadcast([0x50; 8]);
            tensix.small.lane_config.fill(0x3_0000);
            // Lanes 1 and 2 heed a flag, and that of lane 2 is set. Below them all is the other way round.
            tensix.small.use_lane_flags_for_lane_enable = 0xffff_f906;
            tensix.small.lane_flags = 0x0000_0204;
            // ROW_MASK has no part in it.
            tensix.small.lane_config[4] |= 0xf << bit::ROW_MASK;
        };
        let after = run(chip, execute_sfpconfig, &config(12, 0, 0), prepare);
        assert_eq!(after.lreg[12], broadcast([1, 0x50, 3, 4, 5, 6, 7, 8]), "{chip:?}");
        // Lanes 0, 1, 2 and 7 by the mask, of which lane 1 is off; odd bits say nothing.
        let after = run(chip, execute_sfpconfig, &config(12, MASK, 0xaaaa | 0x4015), prepare);
        assert_eq!(after.lreg[12], broadcast([1, 0x50, 3, 0x50, 0x50, 0x50, 0x50, 8]), "{chip:?}");
        // Bits flip once, and not once in each row.
        let after = run(chip, execute_sfpconfig, &config(15, XOR, 0), prepare);
        let expected = [0x3_0001, 0x3_0000, 0x3_0003, 0x3_0004, 0x3_f005, 0x3_0006, 0x3_0007, 0x3_0008];
        assert_eq!((after.promise, after.small.lane_config), (Expectation::Done, expected), "{chip:?}");
    }
}

#[test]
fn an_immediate_that_is_mask_and_value_is_both() {
    // Bits 0, 2 and 14: lanes 0, 1 and 7 of each row, which get all of the immediate.
    let imm16 = 0x4a05;
    for (op, hit) in [(0, 0x4a05), (OR, 0x4b7d), (AND, 0x4800), (XOR, 0x037d)] {
        for &chip in BOTH {
            let after = run(chip, execute_sfpconfig, &config(15, VALUE | MASK | op, imm16), |tensix| {
                tensix.small.lane_config.fill(0x2_4978);
            });
            let expected = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| match lane {
                0 | 1 | 7 => 0x2_0000 | hit,
                _ => 0x2_4978,
            });
            assert_eq!((after.promise, after.small.lane_config), (Expectation::Done, expected), "{chip:?} {op}");
        }
    }
    // The default goes to the lanes of the mask.
    let after = run(Chip::Wormhole, execute_sfpconfig, &config(11, VALUE | MASK, imm16), |_| ());
    let default = 0xbf80_0000;
    assert_eq!(after.lreg[11], broadcast([default, default, 0, 0, 0, 0, 0, default]));
}

#[test]
fn what_goes_to_9_and_10_changes_nothing_and_is_not_promised() {
    for (&chip, vd) in BOTH.iter().flat_map(|chip| (0..16).map(move |vd| (chip, vd))) {
        // Lanes from 8 on decide nothing.
        for (flags, takes_part) in [(1, true), (0x80, true), (0x100, false), (0, false)] {
            let mut before = None;
            let after = run(chip, execute_sfpconfig, &config(vd, VALUE, 0xffff), |tensix| {
                distinct(tensix);
                (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, flags);
                before = Some((tensix.banks_unmarked().lreg, *tensix.small));
            });
            let promised = !(takes_part && [9, 10].contains(&vd));
            let is_contract = matches!(after.promise, Expectation::NonContractual(_));
            assert_eq!((is_contract, after.promise == Expectation::Done), (!promised, promised), "{chip:?} VD {vd}");
            let same = before.expect("the state was prepared") == (after.lreg, after.small);
            assert_eq!(same, !(takes_part && (vd == 8 || vd >= 11)), "{chip:?} VD {vd}");
        }
    }
}

#[test]
fn tx_55_the_back_door_takes_no_sfpconfig() {
    for &chip in BOTH {
        let after = run(chip, execute_sfpconfig, &config(15, VALUE | OR, 1 << bit::DISABLE_BACKDOOR_LOAD), |tensix| {
            tensix.small.lane_config[3] = 1 << bit::DISABLE_BACKDOOR_LOAD;
        });
        let found = (after.promise, after.small.lane_config);
        assert_eq!(found, (Expectation::Done, [1 << bit::DISABLE_BACKDOOR_LOAD; 8]), "{chip:?}");
        for vd in 11..15 {
            let after = run(chip, execute_sfpconfig, &config(vd, 0, 0), |tensix| {
                tensix.lreg_row_mut(0).fill(5);
                tensix.small.lane_config[3] = 1 << bit::DISABLE_BACKDOOR_LOAD;
            });
            let found = (after.promise, after.lreg[U::<4>::new(vd).index()]);
            assert_eq!(found, (Expectation::Done, [5; 32]), "{chip:?} VD {vd}");
        }
    }
}

#[test]
fn each_mnemonic_with_an_immediate_runs_its_own_instruction() {
    for isa in [&WORMHOLE, &BLACKHOLE] {
        for (name, code) in [("SFPLOADI", loadi(1, USHORT, 0x1234)), ("SFPCONFIG", config(15, VALUE, 0x1234))] {
            let instruction = isa.instructions.iter().find(|one| one.name == name).expect("it is there");
            let mut state = isa.base_state();
            let step = Step { instruction, edition: Edition::Spec, code: &code };
            assert_eq!(TensixReference.execute(&step, &mut state), Expectation::Done);
            let tensix = &mut Tensix::new(&mut state);
            let found = [tensix.lreg(1, 31), tensix.small.lane_config[7]];
            assert_eq!(found, if name == "SFPLOADI" { [0x1234, 0] } else { [0, 0x1234] });
        }
    }
}
