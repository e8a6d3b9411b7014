//! Values computed by hand from the page. The macro loads to register 1, from row 0 of `Dst`, where nothing else is said.

use tandem_isa::tensix::inst::vector::{IMM12, MOD1};
use tandem_isa::tensix::{BLACKHOLE, Small, WORMHOLE};
use tandem_isa::{Edition, State};

use super::super::lanes::lane_config_bit as bit;
use super::*;

const BOTH: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];
/// `VDLo` of 1 and `MOD0_FMT_ZERO`, and macro 1.
const ZERO: u32 = 0x935b_0000;
/// The same with `MOD0_FMT_INT32`, and an address of 4.
const INT32: u32 = 0x9354_0004;

/// What one step does with template 2 and the sequence, in all lanes; register `n` holds `100 + n` before.
fn run(
    chip: Chip,
    code: u32,
    template: u32,
    sequence: u32,
    prepare: impl FnOnce(&mut Tensix<'_>),
) -> (Expectation, [[u32; 32]; 17], State) {
    let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
    let mut tensix = Tensix::new(&mut state);
    for register in 0..17_u8 {
        tensix.lreg_row_mut(register.into()).fill(100 + u32::from(register));
    }
    tensix.load_macro_row_mut(2).fill(template);
    tensix.load_macro_row_mut(5).fill(sequence);
    prepare(&mut tensix);
    let code = [code];
    let step = Step { instruction: Mnemonic::Sfploadmacro.on(chip), edition: Edition::Newest, code: &code };
    let end = sfploadmacro(&step, &mut tensix);
    let lreg = tensix.banks_unmarked().lreg;
    (super::super::promised(end), lreg, state)
}

/// What two registers hold afterwards in lane 0, if all is promised.
fn after(chip: Chip, template: u32, sequence: u32, registers: [usize; 2]) -> [u32; 2] {
    let (promise, lreg, _) = run(chip, ZERO, template, sequence, |_| {});
    assert_eq!(promise, Expectation::Done, "{chip:?} {template:#x} {sequence:#x}");
    registers.map(|register| lreg[register][0])
}

#[test]
fn what_is_scheduled_takes_its_registers_from_the_macro() {
    for chip in BOTH {
        // SFPIADD of VC = 3 and VD = 2: minus VB, which is VD. The macro gives VC or VB, and the other stays, or is VD.
        let minus = 0x7900_0326;
        assert_eq!(after(chip, minus, 0x06, [1, 16]), [0_u32.wrapping_sub(102), 116]);
        assert_eq!(after(chip, minus, 0x86, [1, 16]), [103, 116]);
        assert_eq!(after(chip, minus, 0x46, [1, 16]), [0, 0_u32.wrapping_sub(102)]);
        assert_eq!(after(chip, minus, 0xc6, [1, 2]), [0, 102]);
        assert_eq!(after(chip, minus, 0xc6, [1, 16]), [0, 103]);
        // SFPMAD of 10, 0 and 9 is VA times VB plus VC; registers hold denormals, which count as zero.
        let (promise, lreg, _) = run(chip, ZERO, 0x840a_b090, 0x4600, |tensix| {
            tensix.lreg_row_mut(10).fill(0x3f80_0000);
            tensix.lreg_row_mut(11).fill(0x4000_0000);
        });
        assert_eq!((promise, lreg[1][0], lreg[16][0]), (Expectation::Done, 0, 0x4000_0000));
        // SFPADDI of 1.0 adds VC, which is the register that was loaded, or VD.
        for (sequence, sum) in [(0x4600, 0x3f80_0000), (0xc600, 0x4040_0000), (0x8600, 0x4040_0000)] {
            let (promise, lreg, _) = run(chip, ZERO, 0x753f_8020, sequence, |tensix| {
                tensix.lreg_row_mut(2).fill(0x4000_0000);
            });
            let register = if sequence & 0x4000 != 0 { 16 } else { 1 };
            assert_eq!((promise, lreg[register][31]), (Expectation::Done, sum), "{sequence:#x}");
        }
        // SFPMAD with an indirect VD, which one of 16 is not.
        let (_, lreg, _) = run(chip, ZERO, 0x840a_b098, 0x4600, |tensix| {
            tensix.lreg_row_mut(7).fill(2);
        });
        assert_eq!((lreg[2][0], lreg[16][0]), (102, 0));
        // SFPCONFIG to 16 is nothing, and to 1 a template.
        let (_, _, mut state) = run(chip, ZERO, 0x9100_0020, 0x06, |_| {});
        assert_eq!(Tensix::new(&mut state).load_macro_row(1), &[100; 8]);
        let (promise, _, mut state) = run(chip, ZERO, 0x9100_0020, 0x46, |_| {});
        assert_eq!((promise, Tensix::new(&mut state).small.lane_config), (Expectation::Done, [0; 8]));
    }
    // SFPOR of Blackhole reads VB, 4, and what was loaded; or that, and VC, 3.
    assert_eq!(after(Chip::Blackhole, 0x7f00_4321, 0x46, [16, 1]), [104, 0]);
    assert_eq!(after(Chip::Blackhole, 0x7f00_4321, 0xc6, [16, 1]), [103, 0]);
}

#[test]
fn sfpshft2_shifts_what_the_macro_says() {
    let mut code = [0x9400_0000];
    IMM12.set(&mut code, 0x002);
    MOD1.set(&mut code, 6);
    for chip in BOTH {
        // Register 2, by 2; or the one that was loaded.
        assert_eq!(after(chip, code[0], 0x46_0000, [16, 1]), [408, 0]);
        assert_eq!(after(chip, code[0], 0xc6_0000, [16, 1]), [0, 0]);
    }
}

#[test]
fn what_a_sub_unit_lacks_becomes_a_nop() {
    let unchanged: [u32; 2] = [0, 116];
    for chip in BOTH {
        // SFPNOT where MAD and Round are, SFPLOADI, a kind of 2, and one of 3 that stores nothing.
        for (template, sequence) in
            [(0x8000_0310, 0x4600), (0x8000_0310, 0x46_0000), (0x7100_1234, 0x46), (0, 0x42), (0, 0x4300), (0, 0)]
        {
            assert_eq!(after(chip, template, sequence, [1, 16]), unchanged, "{template:#x} {sequence:#x}");
        }
        assert_eq!(after(chip, 0x8000_0310, 0x46, [1, 16]), [0, !0]);
        // A delay that counts cycles.
        assert_eq!(after(chip, 0x8000_0310, 0x7e, [1, 16]), [0, !0]);
    }
}

#[test]
fn the_back_door_is_shut_to_what_is_scheduled() {
    // SFPSETCC and SFPMOV with a VD of 16, and lanes whose bit is clear; lane 3 is off.
    for chip in BOTH {
        let (promise, lreg, state) = run(chip, ZERO, 0x7c00_0300, 0xc6, |tensix| {
            tensix.small.lane_config[3] = 0xf << bit::ROW_MASK;
        });
        let open = state.tracker.open.len();
        assert_eq!((promise, lreg[16][0], lreg[16][3], open), (Expectation::Done, 103, 116, 0));
        let (_, _, mut state) = run(chip, ZERO, 0x7b00_0006, 0x46, |tensix| {
            tensix.small.use_lane_flags_for_lane_enable = 0xf0;
            tensix.small.lane_flags = 0x3f;
        });
        let small: Small = *Tensix::new(&mut state).small;
        assert_eq!(small.lane_flags, 0x30);
    }
}

#[test]
fn what_is_stored_lies_where_the_macro_loaded() {
    for chip in BOTH {
        // Dst has 7 in rows 4 to 7; AddrMod 0 moves no counter. By the template, or without.
        for (template, sequence, uses_load, expected) in [
            (0, 0x4300_0000, true, 116),
            (0x7200_0000, 0x4600_0000, true, 116),
            (0x7250_0000, 0x8600_0000, true, 105),
            (0x7250_0000, 0x0600_0000, true, 7),
            (0, 0x8300_0000, true, 100),
            (0, 0x4300_0000, false, 0),
        ] {
            let (promise, _, mut state) = run(chip, INT32, template, sequence, |tensix| {
                for row in 4..8 {
                    for column in 0..16 {
                        let row = U::new(row);
                        super::super::dst::store_dst32b(chip, tensix, row, column, 7)
                            .is_continue()
                            .then_some(())
                            .expect("valid");
                    }
                }
                tensix.small.load_macro_misc.fill(if uses_load { 0x2b } else { 4 });
                if !uses_load {
                    tensix.lreg_row_mut(16).fill(0);
                }
            });
            assert_eq!(promise, Expectation::Done, "{chip:?} {sequence:#x}");
            let mut tensix = Tensix::new(&mut state);
            let stored = super::super::dst::load_dst32b(chip, &mut tensix, U::new(5), 6);
            let ControlFlow::Continue(stored) = stored else { panic!("{stored:?}") };
            assert_eq!(super::super::dst::dst_decode_fp32(stored), expected, "{chip:?} {template:#x} {sequence:#x}");
        }
    }
}

#[test]
fn what_is_not_promised_says_why() {
    type Prepare = fn(&mut Tensix<'_>);
    let none: Prepare = |_| {};
    let not = 0x8000_0310;
    let rows: &[(u32, u32, Prepare, bool, &str)] = &[
        (not, 0x01, none, true, "is 1"),
        (not, 0x0100_0006, none, true, "is 1"),
        (not, 0x06, |tensix| tensix.load_macro_row_mut(5)[3] = 0, false, "differs"),
        (not, 0x06, |tensix| tensix.load_macro_row_mut(2)[3] = 0, false, "differs"),
        (not, 0x0606, none, false, "two sub-units"),
        (not, 0x0e, |tensix| tensix.small.load_macro_misc[5] = 0x100, false, "waits"),
        (0x0200_0000, 0x06, none, false, "TX-134"),
        (0x9300_0001, 0x0600_0000, none, true, "SFPNOP"),
        (not, 0x0600_0000, none, true, "SFPNOP"),
        (0, 0x0200_0000, none, true, "SFPNOP"),
        (0x9200_0120, 0x06, none, false, "SFPSWAP"),
        (not | 0x0080_0000, 0x06, none, false, "TX-34"),
        (0x7200_0400, 0x0600_0000, none, false, "TX-34"),
        (0, 0x0300_0000, |tensix| tensix.small.load_macro_misc[5] = 0x20, false, "differs"),
        (0, 0x0300_0000, |tensix| tensix.small.load_macro_misc[5] = 1, false, "differs"),
    ];
    for chip in BOTH {
        for (row, &(template, sequence, prepare, undefined, reason)) in rows.iter().enumerate() {
            match run(chip, ZERO, template, sequence, prepare).0 {
                Expectation::Undefined(why) if undefined => assert!(why.reason.contains(reason), "row {row}: {why:?}"),
                Expectation::Unspecified(why) if !undefined => assert!(why.reason.contains(reason), "{row}: {why:?}"),
                other => panic!("row {row}, {chip:?}: {other:?}"),
            }
        }
    }
    let all: Prepare = |tensix| tensix.small.load_macro_misc.fill(10);
    assert_eq!(run(Chip::Wormhole, ZERO, 0, 0x4300_0000, all).0, Expectation::Done);
    assert!(matches!(run(Chip::Blackhole, ZERO, 0, 0x4300_0000, all).0, Expectation::Unspecified(_)));
    // SFPAND reads VB if Mod1 is 1, or else VD or what the macro gives it.
    let of_and = |mod1: u32| run(Chip::Blackhole, ZERO, 0x7e00_5310 | mod1, 0x06, none).0;
    assert_eq!(of_and(1), Expectation::Done);
    assert!(matches!(of_and(0), Expectation::Unspecified(why) if why.reason.contains("TX-136")));
}
