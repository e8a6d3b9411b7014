//! What the MAD sub-unit computes: the registers, the modifiers and the promises. `fma.rs` has values of the models.

use tandem_isa::tensix::inst::immediate::sfpconfig::IMM16;
use tandem_isa::tensix::inst::vector::{VA, VB};

use super::*;

const OF_THREE: [Instruction; 3] = [sfpmad, sfpadd, sfpmul];

/// 3, 5 and 2 in registers 4, 3 and 2, which are VA, VB and VC; 7 in register 5.
fn small_numbers(tensix: &mut Tensix<'_>) {
    for (register, value) in [(4, 0x4040_0000), (3, 0x40a0_0000), (2, 0x4000_0000), (5, 0x40e0_0000)] {
        tensix.lreg_row_mut(register).fill(value);
    }
}

#[test]
fn each_mad_multiplies_va_and_vb_and_adds_vc() {
    // Mod1, and 3 * 5 + 2 with the signs of each chip.
    let rows = [
        (0, [0x4188_0000; 2]),
        (1, [0x4188_0000, 0xc150_0000]),
        (2, [0x4188_0000, 0x4150_0000]),
        (3, [0x4188_0000, 0xc188_0000]),
    ];
    for (mod1, expected) in rows {
        for (instruction, (&chip, expected)) in
            OF_THREE.into_iter().flat_map(|instruction| BOTH.iter().zip(expected).map(move |row| (instruction, row)))
        {
            let code = word(&[(VA, 4), (VB, 3), (MOD1, mod1)]);
            let after = run(chip, instruction, &code, small_numbers);
            assert_eq!(after.lreg[1], [expected; 32], "{chip:?} {mod1}");
            let is_promised = std::ptr::fn_addr_eq(instruction, sfpmad as Instruction);
            assert!(is_promised == (after.promise == Expectation::Done));
            assert!(is_promised != matches!(after.promise, Expectation::NonContractual(_)));
        }
    }
    // Times 1, and plus 0: registers 10 and 9.
    for &chip in BOTH {
        let sum = run(chip, sfpadd, &word(&[(VA, 10), (VB, 3)]), small_numbers);
        let product = run(chip, sfpmul, &word(&[(VA, 4), (VB, 3), (VC, 9)]), small_numbers);
        assert_eq!((sum.promise, product.promise), (Expectation::Done, Expectation::Done));
        assert_eq!((sum.lreg[1], product.lreg[1]), ([0x40e0_0000; 32], [0x4170_0000; 32]));
    }
}

#[test]
fn a_product_of_zero_has_a_sign_on_blackhole_if_zero_is_subtracted() {
    // -0 * 5: plus zero, and minus zero.
    for (chip, mod1, expected) in
        [(Chip::Wormhole, 0, 0), (Chip::Wormhole, 2, 0), (Chip::Blackhole, 0, 0), (Chip::Blackhole, 2, 0x8000_0000)]
    {
        let after = run(chip, sfpmul, &word(&[(VA, 4), (VB, 3), (VC, 9), (MOD1, mod1)]), |tensix| {
            small_numbers(tensix);
            tensix.lreg_row_mut(4).fill(0x8000_0000);
        });
        assert_eq!(after.lreg[1], [expected; 32], "{chip:?} {mod1}");
    }
}

#[test]
fn register_7_names_what_is_multiplied_and_what_is_written() {
    // Lane by lane the registers 0 to 15, and bits above that are of no account.
    let prepare = |tensix: &mut Tensix<'_>| {
        small_numbers(tensix);
        for register in 8..16 {
            assert_ne!(tensix.lreg_row(register), &[0x40a0_0000; 32]);
        }
        for lane in 0..32 {
            tensix.set_lreg(7, lane, 0xabcd_ef50 + u32::try_from(lane).expect("it is small"));
        }
    };
    for &chip in BOTH {
        let before = run(chip, |_| ControlFlow::Continue(()), &word(&[]), prepare).lreg;
        // Register 4 or the one that is named, times 1, plus 0. Those that are named with zeros or denormals give zero.
        let factors = run(chip, sfpmad, &word(&[(VA, 4), (VB, 10), (VC, 9), (MOD1, 4)]), prepare);
        for lane in 0..32 {
            let factor = before[lane % 16][lane];
            let expected = if factor & 0x7f80_0000 == 0 { 0 } else { factor };
            assert_eq!(factors.lreg[1][lane], expected, "{chip:?}, lane {lane}");
        }
        assert_eq!(factors.promise, Expectation::Done);
        // VD counts where it is checked, and nowhere else.
        for vd in [1, 8, 11] {
            let code = word(&[(VA, 4), (VB, 3), (VC, 2), (VD, vd), (MOD1, 8)]);
            let after = run(chip, sfpmad, &code, prepare);
            for (register, lane) in (0..17).flat_map(|register| (0..32).map(move |lane| (register, lane))) {
                let written = register < 8 && lane % 16 == register;
                let expected = if written { 0x4188_0000 } else { before[register][lane] };
                assert_eq!(after.lreg[register][lane], expected, "{chip:?}, VD {vd}, register {register}, lane {lane}");
            }
        }
    }
}

#[test]
fn where_register_7_names_the_register_a_lane_writes_only_if_it_shuts_its_back_door() {
    for &chip in BOTH {
        for (vd, shut) in [(11, false), (12, false), (12, true), (15, true)] {
            for (instruction, fields) in [
                (sfpmad as Instruction, &[(VA, 4), (VB, 3), (VD, vd), (MOD1, 8)][..]),
                (sfpaddi, &[(VC, 0), (IMM16, 0x4188), (VD, vd), (MOD1, 8)]),
            ] {
                let after = run(chip, instruction, &word(fields), |tensix| {
                    small_numbers(tensix);
                    tensix.lreg_row_mut(7).fill(1);
                    tensix.small.lane_config.fill(u32::from(shut) << bit::DISABLE_BACKDOOR_LOAD);
                });
                let writes = vd < 12 || shut;
                assert_eq!((after.promise, after.lreg[1] != [0; 32]), (Expectation::Done, writes), "{chip:?} VD {vd}");
            }
        }
    }
}

#[test]
fn an_immediate_is_added_or_multiplied_as_bf16() {
    // 3 and the immediate -2, plus 1 in the lowest bit of BF16 in the last rows: -2.015625.
    let rows: &[(&[Chip], Instruction, u32, u32, u32)] = &[
        (BOTH, sfpaddi, 0, 0xc000, 0x3f80_0000),
        (BOTH, sfpaddi, 4, 0xc000, 0x3f80_0000),
        (BOTH, sfpmuli, 0, 0xc000, 0xc0c0_0000),
        (BOTH, sfpmuli, 5, 0xc000, 0xc0c0_0000),
        (BH, sfpaddi, 2, 0xc000, 0xc0a0_0000),
        (BH, sfpmuli, 2, 0xc000, 0x40c0_0000),
        (&[Chip::Wormhole], sfpaddi, 2, 0xc000, 0x3f80_0000),
        (&[Chip::Wormhole], sfpmuli, 2, 0xc000, 0xc0c0_0000),
        (BOTH, sfpaddi, 0, 0xc001, 0x3f7c_0000),
        (BOTH, sfpmuli, 0, 0xc001, 0xc0c1_8000),
        // A zero with a sign does not come out, and a denormal is none.
        (BOTH, sfpmuli, 0, 0x8000, 0),
        (BOTH, sfpmuli, 0, 0x007f, 0),
        (BOTH, sfpaddi, 0, 0x807f, 0x4040_0000),
    ];
    for (row, &(chips, instruction, mod1, imm16, expected)) in rows.iter().enumerate() {
        for &chip in chips {
            let code = word(&[(VC, 0), (MOD1, mod1), (VD, 4), (IMM16, imm16)]);
            let after = run(chip, instruction, &code, small_numbers);
            assert_eq!((after.promise, after.lreg[4]), (Expectation::Done, [expected; 32]), "row {row}, {chip:?}");
        }
    }
    // The operand is VD, and the result goes where register 7 says.
    let after = run(Chip::Wormhole, sfpaddi, &word(&[(VC, 0), (MOD1, 8), (VD, 4), (IMM16, 0xc000)]), |tensix| {
        small_numbers(tensix);
        tensix.lreg_row_mut(7).fill(6);
    });
    assert_eq!((after.lreg[4], after.lreg[6]), ([0x4040_0000; 32], [0x3f80_0000; 32]));
}

#[test]
fn a_nan_of_wormhole_is_promised_in_part_where_it_is_written() {
    for (instruction, fields) in [
        (sfpmad as Instruction, &[(VA, 4), (VB, 3)][..]),
        (sfpaddi, &[(VC, 0), (IMM16, 0x7fc0)]),
        (sfpmuli, &[(VC, 0), (IMM16, 0x7fc0)]),
    ] {
        for (vd, lanes) in [(1, 1_u32 << 9), (1, 0), (8, 1 << 9)] {
            for &chip in BOTH {
                let fields = [fields, &[(VD, vd)]].concat();
                let after = run(chip, instruction, &word(&fields), |tensix| {
                    small_numbers(tensix);
                    tensix.set_lreg(4, 9, 0x7fff_ffff);
                    (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (u32::MAX, lanes);
                });
                let open = usize::from(chip == Chip::Wormhole && vd < 8 && lanes != 0);
                assert_eq!((after.promise, after.open), (Expectation::Done, open), "{chip:?} VD {vd} {lanes:#x}");
            }
        }
    }
    // An infinity is promised.
    let after = run(Chip::Wormhole, sfpmuli, &word(&[(VC, 0), (VD, 4), (IMM16, 0xff80)]), small_numbers);
    assert_eq!((after.promise, after.open, after.lreg[4]), (Expectation::Done, 0, [0xff80_0000; 32]));
}

#[test]
fn sfpmul24_gives_either_half_of_46_bits() {
    // Mod1, VA, VB, VC, and the result with whether it is promised.
    let rows = [
        (0, 3, 5, 0, 15, true),
        // 0x7fffff squared is 0x3fffff000001.
        (0, 0x7f_ffff, 0x7f_ffff, 0, 1, true),
        (1, 0x7f_ffff, 0x7f_ffff, 0, 0x7f_fffe, true),
        // Higher bits of the factors are of no account, and neither is bit 1 of Mod1.
        (2, 0xff80_0003, 0x1280_0005, 0, 15, true),
        (3, 0xffff_ffff, 0xff80_0000 | 1 << 22, 0, 0x3f_ffff, true),
        // A denormal changes nothing, and yet is not zero.
        (0, 3, 5, 0x8000_0001, 15, false),
        // With an exponent of 129 the mantissa and three bits are added: of 4, of 4.5 and of 4 and a last bit.
        (0, 3, 5, 0x4080_0000, 15, false),
        (0, 3, 5, 0x4090_0000, 15, false),
        (0, 3, 5, 0x4080_0001, 23, false),
        // Of 2^-24: 2^26 to the right by 26, nothing of which is lost; and with bits that are.
        (0, 3, 5, 0x3380_0000, 16, false),
        (0, 3, 5, 0x3380_1fff, 16, false),
        (0, 3, 5, 0x3380_2000, 0x1_0010, false),
        // 2^-25 and 1.0 * 2^-30: nothing is left, and what is lost is not added either.
        (0, 3, 5, 0x3300_0000, 15, false),
        // An exponent of 130 shifts the product by one, and of 161 by 32, which is none.
        (0, 3, 5, 0x4100_0000, 7, false),
        (0, 3, 5, 0x5080_0000, 15, false),
    ];
    for (row, &(mod1, a, b, c, expected, promised)) in rows.iter().enumerate() {
        for vd in [1, 8] {
            let code = word(&[(VA, 4), (VB, 3), (VD, vd), (MOD1, mod1)]);
            let after = run(Chip::Blackhole, sfpmul24, &code, |tensix| {
                for (register, value) in [(4, a), (3, b), (2, c)] {
                    tensix.lreg_row_mut(register).fill(value);
                }
            });
            let open = matches!(after.promise, Expectation::NonContractual(_));
            assert_eq!(open, !promised && vd < 8, "row {row} VD {vd}");
            assert_eq!(after.lreg[1], [if vd < 8 { expected } else { 0 }; 32], "row {row} VD {vd}");
        }
    }
    // Register 7 names a factor, and what is written.
    let after = run(Chip::Blackhole, sfpmul24, &word(&[(VA, 4), (VB, 3), (VC, 9), (MOD1, 12)]), |tensix| {
        tensix.lreg_row_mut(3).fill(5);
        tensix.lreg_row_mut(7).fill(0x25);
        tensix.lreg_row_mut(5).fill(3);
    });
    assert_eq!((after.lreg[5], after.lreg[1]), ([15; 32], [0; 32]));
}

#[test]
fn lanes_that_are_off_keep_what_they_have_of_floats() {
    for (instruction, fields) in [
        (sfpmad as Instruction, &[(VA, 4), (VB, 3)][..]),
        (sfpadd, &[(VA, 4), (VB, 3)]),
        (sfpmul, &[(VA, 4), (VB, 3)]),
        (sfpaddi, &[(VC, 0), (IMM16, 0x4040)]),
        (sfpmuli, &[(VC, 0), (IMM16, 0x4040)]),
        (sfpmul24, &[(VA, 4), (VB, 3)]),
    ] {
        let after = run(Chip::Blackhole, instruction, &word(fields), |tensix| {
            small_numbers(tensix);
            tensix.lreg_row_mut(1).fill(0x3f80_0000);
            tensix.small.lane_config[2] = 4 << bit::ROW_MASK;
            (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (1 << 9, !(1 << 9));
        });
        for lane in 0..32 {
            assert_eq!(after.lreg[1][lane] == 0x3f80_0000, [9, 18].contains(&lane), "lane {lane}");
        }
    }
}
