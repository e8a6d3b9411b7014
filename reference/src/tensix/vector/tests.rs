//! Values computed by hand from the pages. VD is 1, VC is 2 and VB is 3 where a test says nothing else.

mod convert;
mod flag_stack;
mod float;
mod immediate;
mod lane_moves;
mod table;

use tandem_isa::tensix::inst::vector::{IMM1, IMM2, IMM12, MOD1, OPCODE, VC, VD};
use tandem_isa::tensix::{BLACKHOLE, Mnemonic, Small, WORMHOLE};
use tandem_isa::{CodeField, Edition, Reference, State, Step, tensix_instructions};

use super::super::TensixReference;
use super::*;

/// What writes no register, and flags whatever `VD` is.
const OF_FLAGS: [&str; 2] = ["SFPSETCC", "SFPENCC"];
/// What does more, or less, than to give one register a value in its own lane; `lane_moves` and `flag_stack` test it.
const OF_LANES: [&str; 9] =
    ["SFPTRANSP", "SFPSWAP", "SFPSHFT2", "SFPNOP", "SFPPUSHC", "SFPPOPC", "SFPCOMPC", "SFPLE", "SFPGT"];
pub(super) const WH: &[Chip] = &[Chip::Wormhole];
pub(super) const BH: &[Chip] = &[Chip::Blackhole];
pub(super) const BOTH: &[Chip] = &[Chip::Wormhole, Chip::Blackhole];

/// `vector` alone: those of the list whose functions are called so.
macro_rules! named {
    (vector $name:literal $function:ident) => {
        Some(($name, $function as Instruction))
    };
    ($file:ident $name:literal $function:ident) => {
        None
    };
}

macro_rules! all {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        fn all() -> impl Iterator<Item = (&'static str, Instruction)> {
            [$(named!($module $name $file)),*].into_iter().flatten()
        }
    };
}
tensix_instructions!(all);

/// The instructions that stay in their lane.
fn lanewise() -> impl Iterator<Item = (&'static str, Instruction)> {
    all().filter(|(name, _)| !OF_LANES.contains(name))
}

/// What an instruction left behind.
#[derive(Debug, PartialEq)]
struct After {
    promise: Expectation,
    /// How many words are promised in part.
    open: usize,
    lreg: [[u32; 32]; 17],
    small: Small,
}

type Fields<'a> = &'a [(CodeField, u32)];

/// Chips, an instruction and its fields, VD and VC before, and VD after; VB holds 0x0000_ffff.
pub(super) type Datum<'a> = (&'a [Chip], Instruction, Fields<'a>, [u32; 2], u32);

/// What the silicon makes of `Mod1`.
type Silicon = fn(u32) -> u32;

fn word(fields: Fields<'_>) -> [u32; 1] {
    let mut code = [0];
    for (field, value) in [(OPCODE, 0xff), (VD, 1), (VC, 2)].iter().chain(fields) {
        field.set(&mut code, *value);
    }
    code
}

fn base_state(chip: Chip) -> State {
    match chip {
        Chip::Wormhole => WORMHOLE.base_state(),
        Chip::Blackhole => BLACKHOLE.base_state(),
    }
}

fn run(chip: Chip, instruction: Instruction, code: &[u32], prepare: impl FnOnce(&mut Tensix<'_>)) -> After {
    run_in(Edition::Newest, chip, instruction, code, prepare)
}

fn run_in(
    edition: Edition,
    chip: Chip,
    instruction: Instruction,
    code: &[u32],
    prepare: impl FnOnce(&mut Tensix<'_>),
) -> After {
    let (promise, mut state) = state_after(edition, chip, instruction, code, prepare);
    let mut tensix = Tensix::new(&mut state);
    let (lreg, small) = (tensix.banks_unmarked().lreg, *tensix.small);
    After { promise, open: state.tracker.open.len(), lreg, small }
}

/// What is promised, and the whole state.
fn state_after(
    edition: Edition,
    chip: Chip,
    instruction: Instruction,
    code: &[u32],
    prepare: impl FnOnce(&mut Tensix<'_>),
) -> (Expectation, State) {
    let mut state = base_state(chip);
    let tensix = &mut Tensix::new(&mut state);
    prepare(tensix);
    // What is executed is given; the opcode tells where `VD` lies.
    let instructions = chip.pick(&WORMHOLE, &BLACKHOLE).instructions;
    let of_word = instructions.iter().copied().find(|one| one.matches(code)).unwrap_or(instructions[0]);
    let promise = execute(&Step { instruction: of_word, edition, code }, tensix, instruction);
    (promise, state)
}

/// A different datum in each register and lane, whose low five bits are the register.
fn distinct(tensix: &mut Tensix<'_>) {
    for register in 0..17_u8 {
        for lane in 0..32_u8 {
            tensix.set_lreg(
                register.into(),
                lane.into(),
                0x8100_0000 + u32::from(register) * 0x1_0001 + u32::from(lane) * 32,
            );
        }
    }
}

#[test]
fn a_register_becomes_what_the_page_says() {
    let rows = [BITWISE_VALUES, MOV_VALUES, INTEGER_VALUES, EXPONENT_VALUES, CONVERT_VALUES].concat();
    for (name, instruction) in lanewise().filter(|(name, _)| !OF_FLAGS.contains(name)) {
        let has = rows.iter().any(|&(_, of, ..)| std::ptr::fn_addr_eq(of, instruction));
        assert!(has, "{name}: no row of the values at the end of its file says what comes out");
    }
    for (row, (chips, instruction, fields, [vd, vc], expected)) in rows.into_iter().enumerate() {
        for &chip in chips {
            let after = run(chip, instruction, &word(fields), |tensix| {
                tensix.lreg_row_mut(1).fill(vd);
                tensix.lreg_row_mut(2).fill(vc);
                tensix.lreg_row_mut(3).fill(0xffff);
            });
            let expected = [[0; 32], [expected; 32], [vc; 32], [0xffff; 32]];
            assert_eq!((after.promise, &after.lreg[..4]), (Expectation::Done, &expected[..]), "row {row}, {chip:?}");
        }
    }
}

#[test]
fn flags_change_in_the_order_of_the_page() {
    // Lanes whose bits are 0xff00ffff are on: they heed no flag, or theirs is set.
    const USE: u32 = 0x00ff_00ff;
    const FLAGS: u32 = 0x0000_ffff;
    // LReg[VC] is -5, 0 and 5 in turn: lanes that hold a negative number, and lanes that hold none but zero.
    const NEGATIVE: u32 = 0x4924_9249;
    const ZERO: u32 = 0x9249_2492;
    const ON: u32 = 0xff00_ffff;
    let only = |lanes: u32, flags: u32| FLAGS & !lanes | flags & lanes;
    let rows: &[(Instruction, Fields<'_>, u32, u32)] = &[
        // Flags after, and UseLaneFlagsForLaneEnable after. LReg[VD] is 0, so the sum and the difference are VC.
        (sfpiadd, &[(MOD1, 0)], only(ON, NEGATIVE), USE),
        (sfpiadd, &[(MOD1, 2)], only(ON, NEGATIVE), USE),
        (sfpiadd, &[(MOD1, 3), (IMM12, 1)], only(ON, NEGATIVE), USE),
        (sfpiadd, &[(MOD1, 3), (IMM12, 0xfff)], only(ON, NEGATIVE | ZERO), USE),
        (sfpiadd, &[(MOD1, 4)], FLAGS, USE),
        (sfpiadd, &[(MOD1, 8)], only(ON, !NEGATIVE), USE),
        (sfpiadd, &[(MOD1, 12)], only(ON, !FLAGS), USE),
        (sfplz, &[(MOD1, 0)], FLAGS, USE),
        (sfplz, &[(MOD1, 2)], only(ON, !ZERO), USE),
        (sfplz, &[(MOD1, 8)], only(ON, !FLAGS), USE),
        (sfplz, &[(MOD1, 10)], only(ON, ZERO), USE),
        // As FP32 -5 has the largest exponent, and 0 and 5 have the smallest.
        (sfpexexp, &[(MOD1, 0)], FLAGS, USE),
        (sfpexexp, &[(MOD1, 2)], only(ON, !NEGATIVE), USE),
        (sfpexexp, &[(MOD1, 3)], only(ON, 0), USE),
        (sfpexexp, &[(MOD1, 4)], FLAGS, USE),
        (sfpexexp, &[(MOD1, 6)], only(ON, !NEGATIVE), USE),
        (sfpexexp, &[(MOD1, 8)], only(ON, !FLAGS), USE),
        (sfpexexp, &[(MOD1, 10)], only(ON, NEGATIVE), USE),
        (sfpexexp, &[(MOD1, 11)], only(ON, u32::MAX), USE),
        // Lanes 8 to 15 and 24 to 31 are on and heed no flag, and lanes 0 to 7 are on and heed theirs.
        (sfpsetcc, &[(MOD1, 0)], NEGATIVE & 0xff, USE),
        (sfpsetcc, &[(MOD1, 2)], !ZERO & 0xff, USE),
        (sfpsetcc, &[(MOD1, 4)], !NEGATIVE & 0xff, USE),
        (sfpsetcc, &[(MOD1, 6)], ZERO & 0xff, USE),
        (sfpsetcc, &[(MOD1, 1), (IMM1, 0)], 0, USE),
        (sfpsetcc, &[(MOD1, 1), (IMM1, 1)], 0xff, USE),
        (sfpsetcc, &[(MOD1, 7), (IMM1, 1)], 0xff, USE),
        (sfpsetcc, &[(MOD1, 8), (IMM1, 1)], 0, USE),
        (sfpsetcc, &[(MOD1, 15), (IMM1, 1)], 0, USE),
        // Lanes that are off too.
        (sfpencc, &[(VC, 0), (MOD1, 0)], u32::MAX, USE),
        (sfpencc, &[(VC, 0), (MOD1, 4), (IMM2, 1)], u32::MAX, USE),
        (sfpencc, &[(VC, 0), (MOD1, 1), (IMM2, 3)], u32::MAX, !USE),
        (sfpencc, &[(VC, 0), (MOD1, 2), (IMM2, 2)], u32::MAX, 0),
        (sfpencc, &[(VC, 0), (MOD1, 3), (IMM2, 1)], u32::MAX, u32::MAX),
        (sfpencc, &[(VC, 0), (MOD1, 8), (IMM2, 1)], 0, USE),
        (sfpencc, &[(VC, 0), (MOD1, 10), (IMM2, 1)], 0, u32::MAX),
        (sfpencc, &[(VC, 0), (MOD1, 11), (IMM2, 2)], u32::MAX, 0),
        // VD of 8 and more stops neither of the two.
        (sfpsetcc, &[(MOD1, 6), (VD, 11)], ZERO & 0xff, USE),
        (sfpsetcc, &[(MOD1, 6), (VD, 12)], ZERO & 0xff, USE),
        (sfpencc, &[(VC, 0), (MOD1, 10), (IMM2, 1), (VD, 8)], 0, u32::MAX),
        (sfpencc, &[(VC, 0), (MOD1, 10), (IMM2, 1), (VD, 15)], 0, u32::MAX),
    ];
    for (row, &(instruction, fields, flags, used)) in rows.iter().enumerate() {
        for &chip in BOTH {
            let after = run(chip, instruction, &word(fields), |tensix| {
                (tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable) = (FLAGS, USE);
                tensix.small.lane_config.fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                for (x, lane) in tensix.lreg_row_mut(2).iter_mut().zip(0..) {
                    *x = [0xffff_fffb, 0, 5][lane % 3];
                }
            });
            let (small, done) = (after.small, Expectation::Done);
            let found = (after.promise, small.lane_flags, small.use_lane_flags_for_lane_enable);
            assert_eq!(found, (done, flags, used), "row {row}, {chip:?}: {flags:#x}, {:#x}", small.lane_flags);
        }
    }
}

#[test]
fn lanes_that_are_off_keep_what_they_have() {
    // Lane 18 is in row 2; lane 9 heeds its flag, which is clear.
    for (name, instruction) in lanewise().filter(|(name, _)| *name != "SFPENCC") {
        for &chip in BOTH {
            let mut before = None;
            // The mantissa of VD would be what it is.
            let mod1 = u32::from(name == "SFPSETMAN");
            let after = run(chip, instruction, &word(&[(MOD1, mod1)]), |tensix| {
                distinct(tensix);
                tensix.small.lane_config[2] = 4 << bit::ROW_MASK;
                tensix.small.use_lane_flags_for_lane_enable = 1 << 9;
                tensix.small.lane_flags = !(1 << 9);
                before = Some((tensix.banks_unmarked().lreg, tensix.small.lane_flags));
            });
            let (lreg, flags) = before.expect("the state was prepared");
            assert_eq!(after.promise, Expectation::Done);
            for lane in 0..32_u8 {
                let index = usize::from(lane);
                let off = [9, 18].contains(&lane);
                let same = after.lreg[1][index] == lreg[1][index];
                assert_eq!(same, off || name == "SFPSETCC", "{name} {chip:?}, lane {lane}");
                let flag = |flags: u32| flags >> lane & 1;
                assert!(!off || flag(after.small.lane_flags) == flag(flags), "{name} {chip:?}, lane {lane}");
            }
            for register in (0..17).filter(|&register| register != 1) {
                assert_eq!(after.lreg[register], lreg[register], "{name} {chip:?}");
            }
        }
    }
    // SFPMOV with Mod1 of 2, and no other, moves them.
    for (mod1, moves) in [(2, true), (3, false), (6, true), (10, false)] {
        let after = run(Chip::Wormhole, sfpmov, &word(&[(MOD1, mod1), (VC, 13)]), |tensix| {
            tensix.lreg_row_mut(1).fill(7);
            tensix.small.use_lane_flags_for_lane_enable = u32::MAX;
        });
        assert_eq!(after.lreg[1] == [0; 32], moves, "Mod1 {mod1}");
    }
}

#[test]
fn registers_from_8_on_and_their_flags_are_not_written() {
    for (name, instruction) in lanewise().filter(|(name, _)| !OF_FLAGS.contains(name)) {
        for &chip in BOTH {
            for vd in 8..16 {
                let mut before = None;
                let after = run(chip, instruction, &word(&[(VD, vd)]), |tensix| {
                    distinct(tensix);
                    tensix.small.lane_config.fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                    before = Some((tensix.banks_unmarked().lreg, *tensix.small));
                });
                let (lreg, small) = before.expect("the state was prepared");
                assert_eq!(
                    after,
                    After { promise: Expectation::Done, open: 0, lreg, small },
                    "{name} {chip:?} VD {vd}"
                );
            }
        }
    }
}

#[test]
fn reserved_modifiers_are_computed_and_not_promised() {
    let silicon: &[(Chip, Instruction, Silicon)] = &[
        (Chip::Wormhole, sfpmov, |mod1| mod1 & 0b1011),
        (Chip::Blackhole, sfpmov, |mod1| mod1 & 0b1011),
        (Chip::Blackhole, sfpcast, |mod1| mod1 & 0b0011),
        (Chip::Wormhole, sfplz, |mod1| mod1 & 0b1110),
        (Chip::Blackhole, sfplz, |mod1| mod1 & 0b1110),
        (Chip::Wormhole, sfpshft, |mod1| mod1 & 1),
        (Chip::Blackhole, sfpshft, |mod1| [0, 1, 2, 3, 0, 5, 2, 7, 0, 1, 2, 3, 0, 5, 2, 7][U::<4>::new(mod1).index()]),
    ];
    for &(chip, instruction, effective) in silicon {
        for mod1 in 0..16 {
            // Register 10 exists for SFPMOV, whatever the modifier.
            let run = |mod1, vd| {
                run(chip, instruction, &word(&[(MOD1, mod1), (VD, vd), (VC, 10), (IMM12, 0)]), |tensix| {
                    distinct(tensix);
                    tensix.lreg_row_mut(10).fill(0xffff_fffd);
                })
            };
            let (after, plain) = (run(mod1, 1), run(effective(mod1), 1));
            assert_eq!(plain.promise, Expectation::Done, "{chip:?} {mod1}");
            assert_eq!((after.lreg, after.small), (plain.lreg, plain.small), "{chip:?} {mod1}");
            for vd in [1, 8] {
                let reserved = matches!(run(mod1, vd).promise, Expectation::NonContractual(_));
                assert_eq!(reserved, mod1 != effective(mod1), "{chip:?} {mod1} VD {vd}");
            }
        }
    }
}

/// Whether nothing is promised because of the erratum `id`.
fn refused_by(promise: Expectation, id: &str) -> bool {
    matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with(id))
}

#[test]
fn tx_17_no_instruction_changes_a_lane_whose_back_door_is_open_so_all_are_promised() {
    for (name, instruction) in lanewise() {
        for &chip in BOTH {
            for (vd, num_shut) in (12..16).flat_map(|vd| [(vd, 0), (vd, 3), (vd, 8)]) {
                let vc = if name == "SFPENCC" { 0 } else { 2 };
                for mod1 in 0..16 {
                    let fields = [(VD, vd), (VC, vc), (MOD1, mod1)];
                    let facts = WORMHOLE.instruction(name).expect("both chips have it");
                    let fields = &fields[..if facts.code_field("Mod1").is_some() { 3 } else { 2 }];
                    let set = |tensix: &mut Tensix<'_>| {
                        tensix.small.lane_config[..num_shut].fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                        (tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable) =
                            (0x5a5a_1234, 0xf0f0_5678);
                    };
                    let after = run(chip, instruction, &word(fields), set);
                    assert!(!refused_by(after.promise, "TX-17"), "{name} {chip:?} VD {vd}");
                    assert!(matches!(after.promise, Expectation::Done | Expectation::NonContractual(_)), "{name}");
                    let open = (0..32).filter(|lane| lane % 8 >= num_shut).fold(0, |lanes, lane| lanes | 1_u32 << lane);
                    let (flags, heeded) = (after.small.lane_flags, after.small.use_lane_flags_for_lane_enable);
                    let changed = (flags ^ 0x5a5a_1234) & open | (heeded ^ 0xf0f0_5678) & open;
                    let before = Tensix::new(&mut base_state(chip)).banks_unmarked().lreg;
                    assert_eq!((changed, after.lreg), (0, before), "{name} {chip:?} VD {vd} Mod1 {mod1}");
                }
            }
        }
    }
}

#[test]
fn tx_17_what_would_change_a_lane_whose_back_door_is_open_is_not_promised() {
    /// No page has it: it assigns to the last lane whatever the back door is.
    fn heedless(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
        unit.set_lane_flags(31, true);
        ControlFlow::Continue(())
    }
    for &chip in BOTH {
        for (vd, shut) in [(11, false), (12, false), (12, true), (15, false), (15, true)] {
            let after = run(chip, heedless, &word(&[(VD, vd)]), |tensix| {
                tensix.small.lane_config[7] = u32::from(shut) << bit::DISABLE_BACKDOOR_LOAD;
            });
            assert_eq!(refused_by(after.promise, "TX-17"), vd >= 12 && !shut, "{chip:?} VD {vd}");
        }
        // VD of SFPLUT and SFPLOADI lies at bits 20 to 23: 12, 12, and 11 above an immediate that has 15 in bits 4 to 7.
        for (code, refused) in [(0x73c0_0000, true), (0x71c0_0000, true), (0x71b0_00f0, false)] {
            let after = run(chip, heedless, &[code], |_| {});
            assert_eq!(refused_by(after.promise, "TX-17"), refused, "{chip:?} {code:#x}");
        }
    }
}

#[test]
fn tx_34_bits_that_belong_to_no_field_leave_nothing_promised() {
    // SFPSHFT2 has a form by the mode.
    for (name, instruction) in all().filter(|(name, _)| *name != "SFPSHFT2") {
        for (chip, isa) in [(Chip::Wormhole, &WORMHOLE), (Chip::Blackhole, &BLACKHOLE)] {
            let Some(facts) = isa.instruction(name) else { continue };
            let unnamed = facts.unnamed_bits(0);
            for index in 0..32 {
                let after = run(chip, instruction, &[1 << index], |_| {});
                let refused = refused_by(after.promise, "TX-34");
                assert_eq!(refused, unnamed >> index & 1 != 0, "{name} {chip:?}, bit {index}");
            }
        }
    }
}

#[test]
fn each_mnemonic_runs_its_own_instruction() {
    for (chip, isa) in [(Chip::Wormhole, &WORMHOLE), (Chip::Blackhole, &BLACKHOLE)] {
        for &instruction in isa.instructions {
            let expected = match Mnemonic::of(instruction) {
                Mnemonic::Sfpand => [1, 0],
                Mnemonic::Sfpor => [0x8000_0007, 0],
                Mnemonic::Sfpxor => [0x8000_0006, 0],
                Mnemonic::Sfpnot => [0xffff_fffa, 0],
                Mnemonic::Sfpmov | Mnemonic::Sfpabs => [5, 0],
                Mnemonic::Sfpsetsgn => [0x8000_0005, 0],
                Mnemonic::Sfplz => [29, 0],
                Mnemonic::Sfpiadd => [0x8000_0008, u32::MAX],
                Mnemonic::Sfpshft => [0x60, 0],
                Mnemonic::Sfpsetcc => [0x8000_0003, 0],
                Mnemonic::Sfpencc => [0x8000_0003, u32::MAX],
                Mnemonic::Sfpexexp => [0xffff_ff81, 0],
                Mnemonic::Sfpexman => [0x0080_0005, 0],
                Mnemonic::Sfpsetexp => [0x0180_0005, 0],
                Mnemonic::Sfpsetman => [3, 0],
                Mnemonic::Sfpdivp2 | Mnemonic::Sfpswap => [5, 0],
                Mnemonic::Sfpcast => [0x40a0_0000, 0],
                Mnemonic::Sfpstochrnd => [0, 0],
                // The rest compute on no register.
                _ => continue,
            };
            let mut state = base_state(chip);
            let mut tensix = Tensix::new(&mut state);
            // VD is 1 and VC is 0.
            tensix.lreg_row_mut(1).fill(0x8000_0003);
            tensix.lreg_row_mut(0).fill(5);
            let code = word(&[(VC, 0)]);
            let step = Step { instruction, edition: Edition::Newest, code: &code };
            assert_eq!(TensixReference.execute(&step, &mut state), Expectation::Done);
            let mut tensix = Tensix::new(&mut state);
            assert_eq!([tensix.lreg(1, 31), tensix.small.lane_flags], expected, "{} {chip:?}", instruction.name);
        }
    }
}
