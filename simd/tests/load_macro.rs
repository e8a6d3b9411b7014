//! What every level makes of `SFPLOADMACRO`: worked out by hand from the pages, and as two instructions.

use tandem_isa::tensix::inst::immediate::sfpconfig::IMM16;
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, MOD0, VD as VD_OF_LOAD, load_macro, mod0};
use tandem_isa::tensix::inst::vector::{IMM5, IMM12, MOD1, MOD1_OF_3, USE_IMM5, VA, VB, VC, VD};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE, bank, config};
use tandem_isa::{Answer, CodeField, Edition, Noise, State, Step, Target};
use tandem_simd::{Level, tensix::TensixSimd};

mod parts;

const CHIPS: [Chip; 2] = [Chip::Wormhole, Chip::Blackhole];

// The sub-units, and bits of a sequence beside a kind.
const SIMPLE: u32 = 0;
const MAD: u32 = 8;
const ROUND: u32 = 16;
const STORE: u32 = 24;
const TO_16: u32 = 0x40;
const OTHER: u32 = 0x80;

const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;

/// A mode, and what is loaded: an integer, and 3.0 as the upper half.
type Load = (u32, u16);
const SHORT: Load = (mod0::UINT16, 0x1234);
const THREE: Load = (mod0::HI16, 0x4040);

/// A template, whose word is that of both chips.
fn word(mnemonic: Mnemonic, fields: &[(CodeField, u32)]) -> u32 {
    let mut code = [mnemonic.on(Chip::Blackhole).base_code[0]];
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    code[0]
}

/// Runs macro 2 with `VD` 5, and with template 3. Registers have 256 times their number in all lanes, but for some from 10 on.
/// Lane 9 loads its datum from row 1, column 2 of `Dst`.
fn run(
    chip: Chip,
    (mode, datum): Load,
    [sequence, template, misc]: [u32; 3],
    set: impl FnOnce(&mut Tensix<'_>),
) -> (Answer, State) {
    let fields =
        [(load_macro::MACRO_INDEX, 2), (load_macro::VD_LO, 1), (load_macro::VD_HI, 1), (ADDR_MOD, 3), (MOD0, mode)];
    parts::run(Mnemonic::Sfploadmacro, (chip, Edition::Newest), &fields, |tensix| {
        (0..17).for_each(|register| tensix.lreg_row_mut(register).fill(256 * register as u32));
        [(10, ONE), (11, TWO), (12, HALF), (13, 4)]
            .iter()
            .for_each(|&(register, word)| tensix.set_lreg(register, 9, word));
        tensix.banks_unmarked().dst[1][2] = datum;
        tensix.load_macro_row_mut(6).fill(sequence);
        tensix.load_macro_row_mut(3).fill(template);
        tensix.small.load_macro_misc = [misc; 8];
        set(tensix);
    })
}

/// Lane 9 of a register.
fn lreg(state: &State, register: usize) -> u32 {
    state.word(bank::LREG, register, 9)
}

/// Holds what becomes of `LReg[5]`, or of `LReg[16]` where the sequence says so, without the bit for other registers and with it.
fn check(chips: &[Chip], unit: u32, load: Load, mnemonic: Mnemonic, fields: &[(CodeField, u32)], expected: [u32; 2]) {
    for (&chip, other, to) in chips.iter().flat_map(|chip| [(chip, 0, 0), (chip, 1, 0), (chip, 0, 1), (chip, 1, 1)]) {
        let sequence = (7 + OTHER * other + TO_16 * to) << unit;
        let (answer, state) = run(chip, load, [sequence, word(mnemonic, fields), 0], |_| {});
        let got = (answer, lreg(&state, if to == 0 { 5 } else { 16 }));
        assert_eq!(got, (Answer::Done, expected[other as usize]), "{mnemonic:?} {chip:?} {sequence:#x}");
    }
}

#[test]
fn one_register_is_the_loaded_one_and_another_of_the_template() {
    use Mnemonic::*;
    let simple = |mnemonic, fields: &[_], expected| check(&CHIPS, SIMPLE, SHORT, mnemonic, fields, expected);
    // VB without a field is VD of the template, or VC is the template's.
    simple(Sfpiadd, &[(VC, 2), (VD, 7), (MOD1, 4)], [0x1934, 0x1434]);
    simple(Sfpiadd, &[(VC, 2), (VD, 7), (MOD1, 6)], [0x0b34, 0x0200_u32.wrapping_sub(0x1234)]);
    simple(Sfpxor, &[(VC, 2), (VD, 15)], [0x1234 ^ 0xf00, 0x1234 ^ 0x200]);
    simple(Sfpmov, &[(VC, 2), (VD, 15)], [0x1234, 0x200]);
    simple(Sfpsetexp, &[(VC, 2), (VD, 7)], [0x1234, 0x1a00_0200]);
    // On Blackhole VB has a field, or 0x1234 is compared, which is more than 0x700 and 0x200.
    let blackhole = |mnemonic, fields: &[_], expected| check(&CHIPS[1..], SIMPLE, SHORT, mnemonic, fields, expected);
    blackhole(Sfpor, &[(VB, 8), (VC, 2), (VD, 7), (MOD1, 1)], [0x1a34, 0x1234 | 0x200]);
    blackhole(Sfpgt, &[(VC, 2), (VD, 7), (MOD1, 8)], [0, !0]);
    // 2 * 1 + 3 and 2 * 3 + 0.5; the immediate 1.0, with 3.0 and with 0.5. `SFPLUT` has its VD elsewhere, and 1.0 of zeros.
    let mad = |mnemonic, fields: &[_], expected| check(&CHIPS, MAD, THREE, mnemonic, fields, expected);
    mad(Sfpmad, &[(VA, 11), (VB, 10), (VC, 12), (VD, 14)], [0x40a0_0000, 0x40d0_0000]);
    mad(Sfpaddi, &[(IMM16, 0x3f80), (VD, 12)], [0x4080_0000, 0x3fc0_0000]);
    mad(Sfpmuli, &[(IMM16, 0x3f80), (VD, 12)], [0x4040_0000, HALF]);
    mad(Sfplut, &[(VD_OF_LOAD, 15)], [ONE; 2]);
    // By a register. By 20: the immediate names LReg[4], unless the macro has named VB.
    let round = |datum, mnemonic, fields: &[_], expected| {
        check(&CHIPS, ROUND, (mod0::UINT16, datum), mnemonic, fields, expected);
    };
    round(3, Sfpshft2, &[(VB, 6), (VC, 13), (VD, 7), (MOD1, 5)], [0x3000, 0x30]);
    round(3, Sfpshft2, &[(IMM12, 0x014), (VD, 6), (MOD1, 6)], [0x4000_0000, 0x30_0000]);
    round(0x50, Sfpstochrnd, &[(MOD1_OF_3, 4), (USE_IMM5, 1), (IMM5, 4), (VC, 7), (VD, 12)], [5, 0x70]);
}

#[test]
fn the_macro_says_what_is_written() {
    // LReg[7] chooses LReg[0], but if 16 is written.
    for (to, expected) in [(0, [0x40a0_0000, 0x1000]), (TO_16, [0, 0x40a0_0000])] {
        let template = word(Mnemonic::Sfpmad, &[(VA, 11), (VB, 10), (MOD1, 8)]);
        let (_, state) = run(Chip::Wormhole, THREE, [(7 | to) << MAD, template, 0], |_| {});
        assert_eq!([0, 16].map(|register| lreg(&state, register)), expected);
    }
    // `SFPCONFIG` writes what VD of the macro names: a sequence.
    let template = word(Mnemonic::Sfpconfig, &[(IMM16, 9), (MOD1, 1), (VD, 15)]);
    let (_, state) = run(Chip::Wormhole, SHORT, [7, template, 0], |_| {});
    assert_eq!(state.word(bank::LOAD_MACRO_CONFIG, 5, 7), 9);
    // No result is below zero, which a flag says, but for LReg[16]; lane 8 is off.
    for (to, flags) in [(0, 0), (TO_16, 1 << 9)] {
        let template = word(Mnemonic::Sfpiadd, &[(VD, 7)]);
        let (_, mut state) = run(Chip::Blackhole, SHORT, [7 | to, template, 0], |tensix| {
            (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (!0, 1 << 9);
        });
        assert_eq!([5, 16].map(|register| state.word(bank::LREG, register, 8)), [0x500, 0x1000]);
        assert_eq!(Tensix::new(&mut state).small.lane_flags, flags);
    }
    // The back door is open, and shut for what is scheduled.
    let (_, mut state) = run(Chip::Wormhole, SHORT, [7 | TO_16, word(Mnemonic::Sfppushc, &[(VD, 13)]), 0], |_| {});
    assert_eq!(Tensix::new(&mut state).small.flag_stack.occupied[0], !0);
}

#[test]
fn a_register_is_stored_where_the_macro_has_loaded_from() {
    let template = word(Mnemonic::Sfpstore, &[(VD_OF_LOAD, 14)]);
    // The upper half by StoreMod0, or the lower one as it is loaded.
    for (bits, upper, lower) in
        [(3, 0, 0x1234), (3 | OTHER, 0xabcd, 0x8765), (7 | OTHER, 0xabcd, 0x8773), (7 | TO_16, 0xabcd, 0x8775)]
    {
        for (chip, (misc, expected)) in CHIPS.iter().flat_map(|chip| [(chip, (0, upper)), (chip, (1 << 6, lower))]) {
            let case = [bits << STORE, template, mod0::HI16_ONLY | misc];
            let (answer, mut state) = run(*chip, SHORT, case, |tensix| {
                [0, 14, 16].iter().for_each(|&register| tensix.set_lreg(register, 9, 0xabcd_8765 + register as u32));
                // AddrMod moves the counter by eight, whichever section is read.
                let sections = (0..8).map(|n| config::DestIncr.of_section(chip.addr_mod_sections().dst, n));
                sections.for_each(|field| field.set(&mut tensix.small.thread_config[0], 8));
            });
            assert_eq!((answer, state.word(bank::DST, 1, 2)), (Answer::Done, expected), "{bits:#x} {misc:#x}");
            assert_eq!(Tensix::new(&mut state).small.rwcs[0].dst, 8);
        }
    }
}

#[test]
fn what_a_column_lacks_is_nothing_and_what_is_not_promised_is_not_done() {
    let [mul, push, swap] = [Mnemonic::Sfpmul, Mnemonic::Sfppushc, Mnemonic::Sfpswap].map(|of| word(of, &[(VD, 7)]));
    for sequence in [0, 2, 3 << ROUND, 7, 7 << ROUND, (2 | TO_16) << MAD] {
        let (answer, state) = run(Chip::Wormhole, SHORT, [sequence, mul, 0], |_| {});
        assert_eq!((answer, [5, 16].map(|register| lreg(&state, register))), (Answer::Done, [0x1234, 0x1000]));
    }
    let cases = [(1, 0), (7 | 7 << MAD, push), (7, swap), (7, 0), (7 << STORE, push), (2 << STORE, 0), (0x0f, push)];
    for (sequence, template) in cases {
        let (answer, state) = run(Chip::Blackhole, SHORT, [sequence, template, 1 << 8], |_| {});
        assert_eq!((answer, lreg(&state, 5)), (Answer::Unsupported, 0x500), "{sequence:#x} {template:#x}");
    }
    let (answer, _) = run(Chip::Blackhole, SHORT, [7, push, 0], |tensix| tensix.load_macro_row_mut(3)[4] ^= 1);
    assert_eq!(answer, Answer::Unsupported);
}

#[test]
fn a_schedule_is_a_load_and_then_an_instruction_whose_registers_the_macro_names() {
    const MULTIPLIERS: [u32; 8] = [0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95, 0x98];
    let mut noise = Noise::new(0x93);
    let mut compared = 0;
    for case in 0..8192 {
        let chip = CHIPS[case % 2];
        let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
        // All but loads and stores, and `SFPSWAP`.
        let is_scheduled = |opcode| (0x73..0x9a).contains(&opcode) && !matches!(opcode, 0x92 | 0x93);
        let all: Vec<_> = isa.instructions.iter().filter(|of| is_scheduled(of.base_code[0] >> 24)).collect();
        let instruction = all[noise.below(all.len())];
        let (opcode, other) = (instruction.base_code[0] >> 24, noise.bits(1));
        let unit = match opcode {
            0x8e | 0x94 => ROUND,
            _ if MULTIPLIERS.contains(&opcode) => MAD,
            _ => SIMPLE,
        };
        let mut template = [instruction.base_code[0]];
        for field in instruction.code_fields {
            let is_named = matches!(field.name, "VD" | "VB") || (field.name == "VC" && other == 0);
            field.set(&mut template, if is_named { 5 } else { noise.bits(field.width) });
        }
        let mut before = isa.base_state();
        let mut tensix = Tensix::new(&mut before);
        for register in 0..8 {
            tensix.lreg_row_mut(register).fill_with(|| noise.bits(32) >> noise.below(32));
        }
        tensix.banks_unmarked().prng[0].fill_with(|| noise.bits(32));
        tensix.banks_unmarked().dst[..4].as_flattened_mut().fill_with(|| noise.bits(16) as u16);
        (tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable) = (noise.bits(32), noise.bits(32));
        tensix.load_macro_row_mut(4).fill((7 + OTHER * other) << unit);
        tensix.load_macro_row_mut(3).fill(template[0]);

        let (mut macros, mut load) = ([0x9310_0001], [0x7050_0001]);
        let mode = noise.bits(4);
        [&mut macros, &mut load].into_iter().for_each(|code| MOD0.set(code, mode));
        let after = |steps: &[(Mnemonic, [u32; 1])]| {
            let mut state = isa.base_state();
            state.copy_from(&before);
            let edition = Edition::Newest;
            let done = steps.iter().all(|(of, code)| {
                let step = Step { instruction: of.on(chip), edition, code };
                TensixSimd::new(Level::Portable).execute(&step, &mut state) == Answer::Done
            });
            (done, state)
        };
        let (is_done, scheduled) = after(&[(Mnemonic::Sfploadmacro, macros)]);
        let (are_done, expected) = after(&[(Mnemonic::Sfpload, load), (Mnemonic::of(instruction), template)]);
        assert!(is_done);
        if are_done {
            compared += 1;
            let what = (instruction.path(), template, other);
            assert!(
                scheduled.arena[..] == expected.arena[..] && scheduled.small[..] == expected.small[..],
                "{what:x?}"
            );
        }
    }
    assert!(compared > 7000);
}
