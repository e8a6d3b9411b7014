//! What every level makes of single data in registers of the Vector Unit, worked out by hand from the pages.

use tandem_isa::tensix::inst::vector::{IMM8, IMM12, MOD1, VC, VD};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, State, Step, Target};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// What every level answers to an instruction on the base state with what `set` makes of it, and leaves.
fn run(
    mnemonic: Mnemonic,
    (chip, edition): (Chip, Edition),
    fields: &[(CodeField, u32)],
    set: impl FnOnce(&mut Tensix<'_>),
) -> (Answer, State) {
    let instruction = mnemonic.on(chip);
    let mut code = [instruction.base_code[0]];
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let mut before = isa.base_state();
    set(&mut Tensix::new(&mut before));
    let at = |level| {
        let mut state = isa.base_state();
        state.copy_from(&before);
        state.tracker.clear();
        (TensixSimd::new(level).execute(&Step { instruction, edition, code: &code }, &mut state), state)
    };
    let (answer, state) = at(Level::Portable);
    for level in Level::detect_all() {
        let (other_answer, other) = at(level);
        assert_eq!(other_answer, answer, "{level:?}");
        assert!(other.arena[..] == state.arena[..] && other.small[..] == state.small[..], "{level:?}");
    }
    (answer, state)
}

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
