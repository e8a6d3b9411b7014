//! What every level makes of lanes that are multiplied and added, worked out by hand from the pages; and which
//! registers are marked where lanes choose them.

use tandem_isa::tensix::inst::immediate::sfpconfig::IMM16;
use tandem_isa::tensix::inst::vector::{MOD1, VA, VB, VC, VD};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, RowSet, State, Step, Target};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// What every level leaves of the base state with these words of registers, lanes and values.
fn after(chip: Chip, mnemonic: Mnemonic, fields: &[(CodeField, u32)], words: &[(usize, usize, u32)]) -> State {
    let instruction = mnemonic.on(chip);
    let mut code = [instruction.base_code[0]];
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    let run = |level| {
        let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
        words.iter().for_each(|&(register, lane, word)| Tensix::new(&mut state).set_lreg(register, lane, word));
        state.tracker.clear();
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        assert_eq!(TensixSimd::new(level).execute(&step, &mut state), Answer::Done);
        state
    };
    let state = run(Level::Portable);
    assert!(Level::detect_all().into_iter().all(|level| run(level).arena[..] == state.arena[..]));
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
