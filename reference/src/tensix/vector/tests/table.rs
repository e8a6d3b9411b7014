//! `SFPLUT`, `SFPLUTFP32` and `SFPARECIP`: values computed by hand from the pages.

use tandem_isa::tensix::inst::immediate::sfploadi;

use super::super::table::{approx_exp, approx_recip, lut8_to_fp32, lut16_to_fp32};
use super::*;

const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 0x8000_0000;

fn lut(vd: u32, mod0: u32) -> [u32; 1] {
    let mut code = [0x7300_0000];
    sfploadi::VD.set(&mut code, vd);
    sfploadi::MOD0.set(&mut code, mod0);
    code
}

/// Registers 0 to 7, alike in all lanes.
fn fill(tensix: &mut Tensix<'_>, registers: [u32; 8]) {
    for (register, value) in registers.into_iter().enumerate() {
        tensix.lreg_row_mut(register).fill(value);
    }
}

#[test]
fn eight_bits_are_what_the_page_lists() {
    // 1.9375, 1.0, -1.0, 0.96875, 0.484375, 0.03125, 0.0151367, -0.0146484, 0.0078125, and zero.
    let rows = [
        (0x0f, 0x3ff8_0000),
        (0x00, ONE),
        (0x80, 0xbf80_0000),
        (0x1f, 0x3f78_0000),
        (0x2f, 0x3ef8_0000),
        (0x50, 0x3d00_0000),
        (0x7f, 0x3c78_0000),
        (0xfe, 0xbc70_0000),
        (0x70, 0x3c00_0000),
        (0xff, 0),
    ];
    for (code, expected) in rows {
        assert_eq!(lut8_to_fp32(U::new(code)), expected, "{code:#x}");
    }
}

#[test]
fn sixteen_bits_are_what_the_page_lists() {
    // 1.0, the largest, the smallest with an exponent; then by the page's table, from the top.
    let rows = [
        (0x3c00, ONE),
        (0x7bff, 0x477f_e000),
        (0x0400, 0x3880_0000),
        (0x7c01, 0x0000_2000),
        (0x7c00, 0),
        (0x0001, 0x3800_2000),
        (0x0000, 0x3800_0000),
        (0x8000, 0xb800_0000),
        (0x83ff, 0xb87f_e000),
        (0xbc00, 0xbf80_0000),
        (0xfc00, SIGN),
        (0xffff, 0x807f_e000),
    ];
    for (code, expected) in rows {
        assert_eq!(lut16_to_fp32(U::new(code)), expected, "{code:#x}");
    }
}

/// The first and the last datum with the same upper half, of some upper halves.
fn ends(upper: std::ops::Range<u32>) -> impl Iterator<Item = u32> {
    upper.flat_map(|upper| [upper << 16, upper << 16 | 0xffff])
}

/// A normal number as an integer, by `2^-60`.
fn fixed(x: u32) -> u128 {
    let man = u128::from(x & 0x007f_ffff | 0x0080_0000) << 37;
    let exp = x >> 23 & 0xff;
    if exp < 127 { man >> (127 - exp) } else { man << (exp - 127) }
}

#[test]
fn a_reciprocal_is_as_near_as_the_page_says() {
    for x in ends(0x3f80..0x4000) {
        let product = (fixed(approx_recip(x)) * fixed(x)) >> 60;
        assert!((9_944 << 60..10_054 << 60).contains(&(product * 10_000)), "{x:#x}");
        // Other exponents are the opposite of each other.
        for exp in 1..253 {
            let other = x & 0x007f_ffff | exp << 23;
            assert_eq!(approx_recip(other), approx_recip(x) & 0x007f_ffff | (253 - exp) << 23);
        }
    }
    assert_eq!([0, 0x007f_ffff, 0x7e80_0000, 0x7fff_ffff].map(approx_recip), [0x7f80_0000, 0x7f80_0000, 0, 0]);
    // 0.99609375.
    assert_eq!(approx_recip(ONE), 0x3f7f_0000);
}

#[test]
fn an_exponential_is_as_near_as_the_page_says() {
    for x in ends(0x0080..0x4000) {
        let (mut term, mut sum) = (1_u128 << 60, 1_u128 << 60);
        for n in 1..40 {
            term = ((term * fixed(x)) >> 60) / n;
            sum += term;
        }
        let found = fixed(approx_exp(x)) * 10_000;
        assert!((9_922 * sum..10_160 * sum).contains(&found), "{x:#x}");
    }
    // 1.0 of zero; 2.703125.
    assert_eq!([0, 0x007f_ffff, ONE].map(approx_exp), [ONE, ONE, 0x402d_0000]);
}

#[test]
fn sfparecip_is_what_the_page_says() {
    for &(chips, instruction, fields, [vd, vc], expected) in TABLE_VALUES {
        for &chip in chips {
            let after = run(chip, instruction, &word(fields), |tensix| {
                tensix.lreg_row_mut(1).fill(vd);
                tensix.lreg_row_mut(2).fill(vc);
                tensix.lreg_row_mut(3).fill(0xffff);
            });
            assert_eq!((after.promise, after.lreg[1]), (Expectation::Done, [expected; 32]), "{fields:?} {vc:#x}");
        }
    }
}

#[test]
fn sfplut_takes_the_line_of_the_magnitude() {
    // Register 3, Mod0, and the result. Register 0 is b + 0.5, 1 is b / 2 - 1, 2 is -0.5; other bits of them count nothing.
    let registers = |l3| [0xdead_0010, 0xbeef_1080, 0x1234_ff90, l3, 0, 0, 0, 0];
    let rows = [
        (0, 0, HALF),
        (HALF, 0, ONE),
        (HALF | SIGN, 0, ONE),
        (HALF | SIGN, 4, ONE | SIGN),
        (ONE, 0, HALF | SIGN),
        (ONE, 3, HALF | SIGN),
        (ONE, 4, HALF),
        (0x3fff_ffff, 0, 0xb380_0000),
        (0x4000_0000, 0, HALF | SIGN),
        (0xc040_0000, 0, HALF | SIGN),
        (0x4040_0000, 7, HALF),
    ];
    for &chip in BOTH {
        for (l3, mod0, expected) in rows {
            let after = run(chip, sfplut, &lut(6, mod0), |tensix| fill(tensix, registers(l3)));
            assert_eq!((after.promise, after.lreg[6]), (Expectation::Done, [expected; 32]), "{chip:?} {l3:#x} {mod0}");
        }
    }
}

#[test]
fn sfplutfp32_takes_the_line_of_the_magnitude() {
    // All factors are zero (0x7c00 is), and the summands of the lines are 1.0 to 6.0. Register 3, and the line by each table.
    const SUMMANDS: [u32; 6] = [ONE, 0x4000_0000, 0x4040_0000, 0x4080_0000, 0x40a0_0000, 0x40c0_0000];
    let rows = [
        (0, 0, 0),
        (0x3eff_ffff, 0, 0),
        (HALF, 1, 1),
        (0x3f7f_ffff, 1, 1),
        (ONE, 2, 2),
        (0x3fbf_ffff, 2, 2),
        (0x3fc0_0000, 3, 3),
        (0x3fff_ffff, 3, 3),
        (0x4000_0000, 4, 4),
        (0x403f_ffff, 4, 4),
        (0x4040_0000, 5, 4),
        (0x407f_ffff, 5, 4),
        (0x4080_0000, 5, 5),
        (0x7f7f_ffff, 5, 5),
    ];
    for (&chip, (b, table1, table2)) in BOTH.iter().flat_map(|chip| rows.map(|row| (chip, row))) {
        for (mod1, line) in [(2, table1), (3, table2), (6, table1), (7, table2)] {
            for sign in [0, SIGN] {
                let after = run(chip, sfplutfp32, &word(&[(VC, 0), (VD, 7), (MOD1, mod1)]), |tensix| {
                    let zeros = 0x7c00_7c00;
                    fill(tensix, [zeros, zeros, zeros, b | sign, 0x4000_3c00, 0x4400_4200, 0x4600_4500, 0]);
                });
                let expected = SUMMANDS[line] | if mod1 & 4 == 0 { 0 } else { sign };
                assert_eq!((after.promise, after.lreg[7]), (Expectation::Done, [expected; 32]), "{b:#x} Mod1 {mod1}");
            }
        }
        let line = [0, 0, 1, 1, 2, 2][table1];
        // Three lines in 16 bits, to register 5, and in 32.
        for (mod1, register) in [(10, 5), (11, 5), (0, 6), (1, 6), (8, 5), (9, 5)] {
            let after = run(chip, sfplutfp32, &word(&[(VC, 0), (VD, 6), (MOD1, mod1)]), |tensix| {
                let is_short = mod1 & 2 != 0;
                let summands = if is_short { [0x7c00_3c00, 0x7c00_4000, 0x7c00_4200] } else { [0; 3] };
                let [l0, l1, l2] = summands;
                fill(tensix, [l0, l1, l2, b, ONE, 0x4000_0000, 0x4040_0000, 0xffff_fff5]);
            });
            let lreg = after.lreg[register];
            assert_eq!((after.promise, lreg), (Expectation::Done, [SUMMANDS[line]; 32]), "{b:#x} Mod1 {mod1}");
        }
    }
}

#[test]
fn register_7_says_what_is_written() {
    for &chip in BOTH {
        for (l7, written) in [(0, Some(0)), (0x16, Some(6)), (8, None), (15, None), (0xf3, Some(3))] {
            for (instruction, code) in
                [(sfplut as Instruction, lut(1, 8)), (sfplutfp32, word(&[(VC, 0), (VD, 1), (MOD1, 8)]))]
            {
                let registers = [0x3f80_ff00, 0, 0, 0, ONE, 0, 0, l7];
                let after = run(chip, instruction, &code, |tensix| fill(tensix, registers));
                for (register, before) in registers.into_iter().enumerate() {
                    let expected = if written == Some(register) { ONE } else { before };
                    assert_eq!(after.lreg[register], [expected; 32], "{chip:?} {l7:#x}: LReg[{register}]");
                }
            }
        }
    }
}

#[test]
fn what_is_written_is_promised_and_a_nan_of_wormhole_in_part() {
    for (&chip, vd) in BOTH.iter().flat_map(|chip| [1, 8].map(|vd| (chip, vd))) {
        for (instruction, code) in
            [(sfplut as Instruction, lut(vd, 4)), (sfplutfp32, word(&[(VC, 0), (VD, vd), (MOD1, 4)]))]
        {
            for (l3, on) in [(0xffc0_0001, true), (0xffc0_0001, false), (0x7f80_0000, true)] {
                let after = run(chip, instruction, &code, |tensix| {
                    fill(tensix, [0, 0, ONE, l3, 0, 0, 0, 0]);
                    let lanes = if on { u32::MAX } else { 0 };
                    (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, lanes);
                });
                let is_nan = l3 & 0x007f_ffff != 0;
                let open = if chip == Chip::Wormhole && is_nan && on && vd == 1 { 32 } else { 0 };
                assert_eq!((after.promise, after.open), (Expectation::Done, open));
                let found = after.lreg[1][31];
                assert_eq!(found & 0x7fff_ffff > 0x7f80_0000, is_nan && on && vd == 1);
                assert!(!is_nan || !on || vd == 8 || found & SIGN != 0, "the sign is that of register 3");
            }
        }
    }
}

#[test]
fn an_open_back_door_keeps_sfplut_and_sfplutfp32_out() {
    for (vd, l7) in [(12, 1), (15, 1)] {
        for (instruction, code) in
            [(sfplut as Instruction, lut(vd, 8)), (sfplutfp32, word(&[(VC, 0), (VD, vd), (MOD1, 8)]))]
        {
            let after = run(Chip::Blackhole, instruction, &code, |tensix| {
                fill(tensix, [0x3f80_ff00, 0, 0, 0, ONE, 0, 0, l7]);
                tensix.small.lane_config[2] = 1 << bit::DISABLE_BACKDOOR_LOAD;
            });
            assert_eq!(after.promise, Expectation::Done);
            for (found, lane) in after.lreg[1].iter().zip(0..) {
                assert_eq!(*found, if lane % 8 == 2 { ONE } else { 0 });
            }
        }
    }
}

#[test]
fn tx_34_bits_of_sfplut_and_sfplutfp32_without_a_name() {
    for &chip in BOTH {
        for index in 0..24 {
            let of_lut = refused_by(run(chip, sfplut, &[1 << index], |_| {}).promise, "TX-34");
            assert_eq!(of_lut, index < 16, "bit {index}");
            let of_lutfp32 = refused_by(run(chip, sfplutfp32, &[1 << index], |_| {}).promise, "TX-34");
            let mirror = 16..chip.pick(16, 20);
            assert_eq!(of_lutfp32, index >= 8 && !mirror.contains(&index), "{chip:?} bit {index}");
        }
    }
}
