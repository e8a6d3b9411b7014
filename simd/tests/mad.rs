//! What every level makes of lanes that are multiplied and added, or looked up, worked out by hand from the pages; and which
//! registers are marked where lanes choose them.

use tandem_isa::tensix::inst::immediate::sfpconfig::IMM16;
use tandem_isa::tensix::inst::sfpload::{MOD0, VD as SFPLUT_VD};
use tandem_isa::tensix::inst::vector::{MOD1, VA, VB, VC, VD};
use tandem_isa::tensix::{Chip, Mnemonic, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, RowSet, State};

mod parts;

use parts::run;

/// What every level leaves of the base state with these words of registers, lanes and values.
fn after(chip: Chip, mnemonic: Mnemonic, fields: &[(CodeField, u32)], words: &[(usize, usize, u32)]) -> State {
    let (answer, state) = run(mnemonic, (chip, Edition::Newest), fields, |tensix| {
        words.iter().for_each(|&(register, lane, word)| tensix.set_lreg(register, lane, word));
    });
    assert_eq!(answer, Answer::Done);
    state
}

/// What `LReg[5]` becomes in a lane.
fn of(chip: Chip, mnemonic: Mnemonic, fields: &[(CodeField, u32)], words: &[(usize, u32)]) -> u32 {
    let words: Vec<_> = words.iter().map(|&(register, word)| (register, 21, word)).collect();
    after(chip, mnemonic, fields, &words).word(bank::LREG, 5, 21)
}

/// The registers of a log.
fn registers(rows: &RowSet) -> Vec<usize> {
    let first = WORMHOLE.layout.banks[bank::LREG].first_row;
    (0..17).filter(|register| rows.contains(first + register)).collect()
}

const SIGN: u32 = 1 << 31;
const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const SIX: u32 = 0x40c0_0000;

#[test]
fn lanes_choose_where_from_and_where_to() {
    let words = [(7, 3, !0xb), (4, 3, THREE), (7, 4, 9), (7, 5, 0x17), (0, 6, ONE)];
    let words = [&words[..], &(0..32).map(|lane| (1, lane, TWO)).collect::<Vec<_>>()].concat();
    let fields = [(VA, 1), (VB, 1), (VC, 2), (VD, 3), (MOD1, 12)];
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        let state = after(chip, Mnemonic::Sfpmad, &fields, &words);
        assert_eq!([4, 7, 3].map(|register| state.word(bank::LREG, register, 3)), [SIX, !0xb, 0]);
        assert_eq!((state.word(bank::LREG, 7, 5), state.word(bank::LREG, 0, 6)), (0, TWO));
        let log = &state.tracker.log;
        assert_eq!((registers(&log.read), registers(&log.written)), (vec![0, 1, 2, 4, 7], vec![0, 4, 7]));
    }
    // Nothing is computed for a register from 8 on.
    let state = after(Chip::Wormhole, Mnemonic::Sfpadd, &[(VD, 8)], &[]);
    assert!(state.tracker.log.read.is_empty() && state.tracker.log.written.is_empty());
}

#[test]
fn only_blackhole_negates() {
    let each = |mnemonic, fields: &[(CodeField, u32)], words: &[(usize, u32)], expected: [u32; 2]| {
        let chips = [Chip::Wormhole, Chip::Blackhole];
        assert_eq!(chips.map(|chip| of(chip, mnemonic, fields, words)), expected);
    };
    let registers = [(VA, 0), (VB, 1), (VC, 2), (VD, 5)];
    let words = [(0, TWO), (1, THREE), (2, 0x4110_0000)];
    // 6 + 9, -6 + 9, 6 - 9, -6 - 9.
    for (mod1, blackhole) in [(0, 0x4170_0000), (1, THREE), (2, SIGN | THREE), (3, 0xc170_0000)] {
        each(Mnemonic::Sfpmad, &[&registers[..], &[(MOD1, mod1)]].concat(), &words, [0x4170_0000, blackhole]);
    }
    // 2 + 1 and 2 - 1, 2 * 1 and 2 * -1, and 2 * -0.
    each(Mnemonic::Sfpaddi, &[(VD, 5), (MOD1, 2), (IMM16, TWO >> 16)], &[(5, ONE)], [THREE, ONE]);
    each(Mnemonic::Sfpmuli, &[(VD, 5), (MOD1, 2), (IMM16, TWO >> 16)], &[(5, ONE)], [TWO, SIGN | TWO]);
    each(Mnemonic::Sfpmuli, &[(VD, 5), (IMM16, TWO >> 16)], &[(5, SIGN)], [0, 0]);
}

#[test]
fn integers_of_23_bits_and_what_is_added_to_them() {
    // (2^23 - 1)^2 is 2^46 - 2^24 + 1.
    let product = |mod1, c| {
        let fields = [(VA, 0), (VB, 1), (VC, 2), (VD, 5), (MOD1, mod1)];
        of(Chip::Blackhole, Mnemonic::Sfpmul24, &fields, &[(0, 0x007f_ffff), (1, 0xffff_ffff), (2, c)])
    };
    assert_eq!([product(0, 0), product(1, 0), product(1, 0x807f_ffff)], [1, 0x7f_fffe, 0x7f_fffe]);
    // Exponents of 107, 107, 97 and 131: shifts by 22, 22, 0 and, of the product, 2.
    assert_eq!([product(0, 107 << 23), product(0, 107 << 23 | 0x7f_ffff)], [17, 0x1_0020]);
    assert_eq!([product(0, 97 << 23 | 1), product(1, 131 << 23)], [9, 0x1f_ffff]);
}

#[test]
fn factors_of_eight_bits() {
    // Half of the magnitude, and one less.
    let lut = |mod0, l3, coeffs| {
        let fields = [(SFPLUT_VD, 5), (MOD0, mod0)];
        of(Chip::Wormhole, Mnemonic::Sfplut, &fields, &[(3, l3), (0, 0xffff), (1, coeffs), (2, 0x0020)])
    };
    assert_eq!([lut(0, 0xbfc0_0000, 0x1080), lut(4, 0x3fc0_0000, 0x1080)], [0xbe80_0000, 0x3e80_0000]);
    // Nothing, 1.0625 * 1 and 2 * 1 + 0.25.
    assert_eq!([lut(4, 0xbf7f_ffff, 0), lut(0, ONE, 0x01ff), lut(0, SIGN | TWO, 0)], [SIGN, 0x3f88_0000, 0x4010_0000]);
}

#[test]
fn factors_of_sixteen_and_32_bits() {
    let lut = |mod1, l3| {
        let words = [(3, l3), (2, 0x4000_3c00), (6, 0x3c00_7c00), (0, 0x0000_3c00), (4, 0x3c00_7fff), (7, 0x55)];
        let vd = if mod1 & 8 != 0 { 1 } else { 5 };
        of(Chip::Blackhole, Mnemonic::Sfplutfp32, &[(VD, vd), (MOD1, mod1)], &words)
    };
    // 1 * 2.5, 2 * 3.5 + 1, 1 * 3.5.
    assert_eq!(
        [lut(2, 0x4020_0000), lut(2, 0x4060_0000), lut(3, 0x4060_0000)],
        [0x4020_0000, 0x4100_0000, 0x4060_0000]
    );
    // 1 * 0.25, and 2^-15 * 0.5 + 1.
    assert_eq!([lut(2, 0x3e80_0000), lut(2, HALF)], [0x3e80_0000, 0x3f80_0080]);
    // As FP32: 0x40003c00 * 2 + 0x3c007c00. And 2 * 2.5 + 1, to what LReg[7] says, also of bits 0b1011, with the sign.
    assert_eq!([lut(0, TWO), lut(10, 0x4020_0000), lut(15, 0xc020_0000)], [0x4080_7c3e, SIX, SIGN | SIX]);
}

#[test]
fn reciprocals_and_exponentials() {
    let of = |mod1, c, b| {
        let fields = [(VC, 0), (VB, 1), (VD, 5), (MOD1, mod1)];
        of(Chip::Blackhole, Mnemonic::Sfparecip, &fields, &[(0, c), (1, b)])
    };
    for (mod1, c, b, expected) in [
        (0, ONE, 0, 0x3f7f_0000),
        (0, 0xc000_ffff, 0, 0xbeff_0000),
        (0, 0x3f81_0000, 0, 0x3f7d_0000),
        (0, 0x3fff_0000, 0, HALF),
        (0, 0x807f_ffff, 0, 0xff80_0000),
        (0, 0x7e80_0000, 0, 0),
        (0, 0x7e7f_0000, 0, 0x0080_0000),
        (1, 0xbf80_0000, SIGN, 0x3f7f_0000),
        (1, 0xbf80_0000, !SIGN, 0xbf80_0000),
        (2, ONE, 0, 0x402d_0000),
        (15, 0xbf80_1234, 0, 0xc02d_1234),
        (2, 0x007f_ffff, 0, ONE),
        (2, 0x0080_0001, 0, 0x3f81_0001),
        (2, 0x3c7f_ffff, 0, 0x3f81_ffff),
        (2, 0x3c80_0000, 0, 0x3f82_0000),
        // The last and the first of their exponents, and the last of all.
        (2, 0x3f31_8000, 0, 0x3fff_8000),
        (2, 0x3f32_8000, 0, 0x4000_8000),
        (2, 0x3fff_0000, 0, 0x40ea_0000),
        (2, 0x7fff_0001, 0, 0x4080_0001),
    ] {
        assert_eq!(of(mod1, c, b), expected, "{mod1} {c:08x} {b:08x}");
    }
}
