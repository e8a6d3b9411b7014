//! `SFPPUSHC`, `SFPPOPC`, `SFPCOMPC`, `SFPLE` and `SFPGT`: values computed by hand from the pages.

use tandem_isa::tensix::FlagStack;

use super::*;

/// Flags of a lane, or an entry of a stack: `LaneFlags`, then `UseLaneFlagsForLaneEnable`.
type Flags = (bool, bool);

const NO: Flags = (false, false);
const USED: Flags = (false, true);
const SET: Flags = (true, false);
const ON: Flags = (true, true);

/// Gives `lanes` a stack, from the bottom.
fn stack(small: &mut Small, lanes: u32, entries: &[Flags]) {
    let stack = &mut small.flag_stack;
    let mut entries = entries.iter();
    for index in 0..8 {
        let entry = entries.next();
        let (flag, used) = *entry.unwrap_or(&NO);
        for (mask, value) in [
            (&mut stack.occupied[index], entry.is_some()),
            (&mut stack.lane_flags[index], flag),
            (&mut stack.use_lane_flags_for_lane_enable[index], used),
        ] {
            *mask = *mask & !lanes | if value { lanes } else { 0 };
        }
    }
}

fn flags(small: &mut Small, lanes: u32, (flag, used): Flags) {
    small.lane_flags = small.lane_flags & !lanes | if flag { lanes } else { 0 };
    let use_lane_flags = &mut small.use_lane_flags_for_lane_enable;
    *use_lane_flags = *use_lane_flags & !lanes | if used { lanes } else { 0 };
}

/// `VC` is a field of some alone.
fn code(instruction: Instruction, vd: u32, mod1: u32) -> [u32; 1] {
    let compares = [sfple as Instruction, sfpgt].iter().any(|one| std::ptr::fn_addr_eq(*one, instruction));
    word(&[(VD, vd), (MOD1, mod1), (VC, if compares { 2 } else { 0 })])
}

#[test]
fn stacks_and_flags_become_what_the_page_says() {
    const FULL: &[Flags] = &[NO, SET, USED, NO, NO, NO, NO, ON];
    /// Chips, an instruction and its modifier, a stack and flags before, and both after.
    type Row<'a> = (&'a [Chip], Instruction, u32, &'a [Flags], Flags, &'a [Flags], Flags);
    let rows: &[Row<'_>] = &[
        (BOTH, sfppushc, 0, &[], ON, &[ON], ON),
        (BOTH, sfppushc, 0, &[ON], SET, &[ON, SET], SET),
        (BOTH, sfppushc, 0, &[ON, SET], USED, &[ON, SET, USED], USED),
        (BOTH, sfppushc, 0, &FULL[..7], ON, FULL, ON),
        // The entry heeds what the lane does, and the lane keeps what it has.
        (BH, sfppushc, 1, &[ON, SET], USED, &[ON, USED], USED),
        (BH, sfppushc, 2, &[ON], NO, &[SET], NO),
        (BH, sfppushc, 13, &[NO, USED], USED, &[NO, ON], ON),
        (BH, sfppushc, 13, &[ON], SET, &[NO], NO),
        (BH, sfppushc, 14, &[ON, NO], NO, &[ON, ON], NO),
        (BH, sfppushc, 15, &[SET], SET, &[USED], SET),
        (BH, sfppushc, 15, FULL, NO, &[NO, SET, USED, NO, NO, NO, NO, USED], NO),
        (BOTH, sfppopc, 0, &[ON], NO, &[], ON),
        (BOTH, sfppopc, 0, &[ON, SET], USED, &[ON], SET),
        (BOTH, sfppopc, 0, FULL, NO, &FULL[..7], ON),
        // Without an entry both of its flags are clear.
        (BOTH, sfppopc, 1, &[], ON, &[], NO),
        (BOTH, sfppopc, 2, &[], USED, &[], SET),
        (BOTH, sfppopc, 3, &[NO, ON], SET, &[NO, ON], ON),
        (BOTH, sfppopc, 13, &[USED], SET, &[USED], NO),
        (BOTH, sfppopc, 13, &[], USED, &[], ON),
        (BOTH, sfppopc, 14, &[], NO, &[], ON),
        (BOTH, sfppopc, 15, &[ON], SET, &[ON], USED),
        // On Wormhole the bottom of a full stack becomes the top.
        (WH, sfppopc, 1, FULL, NO, &[ON, SET, USED, NO, NO, NO, NO, ON], ON),
        (WH, sfppopc, 13, FULL, NO, &[ON, SET, USED, NO, NO, NO, NO, ON], SET),
        (WH, sfppopc, 14, &FULL[..7], NO, &FULL[..7], ON),
        (BH, sfppopc, 1, FULL, NO, FULL, ON),
        (BOTH, sfpcompc, 0, &[], USED, &[], ON),
        (BOTH, sfpcompc, 0, &[], ON, &[], USED),
        (BOTH, sfpcompc, 0, &[], SET, &[], NO),
        (BOTH, sfpcompc, 0, &[NO, ON], USED, &[NO, ON], ON),
        (BOTH, sfpcompc, 0, &[ON, USED], USED, &[ON, USED], USED),
        (BOTH, sfpcompc, 0, &[SET], ON, &[SET], USED),
        (BOTH, sfpcompc, 0, &[ON], NO, &[ON], NO),
        // LReg[VD] and LReg[VC] are both zero: one is not larger than the other.
        (BH, sfple, 1, &[ON], USED, &[ON], USED),
        (BH, sfple, 1, &[], NO, &[], SET),
        (BH, sfpgt, 1, &[ON], ON, &[ON], USED),
        (BH, sfple, 6, &[NO, USED], USED, &[NO, ON], USED),
        (BH, sfpgt, 6, &[NO, ON], SET, &[NO, ON], SET),
        (BH, sfpgt, 2, &[ON, SET], ON, &[ON, NO], ON),
        (BH, sfple, 2, &[SET], NO, &[SET], NO),
        (BH, sfple, 2, &[NO], NO, &[NO], NO),
        (BH, sfple, 6, &[], NO, &[], NO),
        (BH, sfple, 4, &[USED], NO, &[USED], NO),
    ];
    for (row, &(chips, instruction, mod1, before, flags_before, entries, flags_after)) in rows.iter().enumerate() {
        for &chip in chips {
            let mut expected = None;
            let after = run(chip, instruction, &code(instruction, 11, mod1), |tensix| {
                stack(tensix.small, u32::MAX, before);
                flags(tensix.small, u32::MAX, flags_before);
                let mut small = *tensix.small;
                stack(&mut small, u32::MAX, entries);
                flags(&mut small, u32::MAX, flags_after);
                expected = Some(small);
            });
            assert_eq!(after.promise, Expectation::Done, "row {row} {chip:?}");
            assert_eq!(Some(after.small), expected, "row {row} {chip:?}");
        }
    }
}

#[test]
fn each_lane_has_a_stack_of_its_own() {
    // Lane n has n % 8 entries, of which the last is set.
    let entries = |num: u32| (0..num).map(move |index| (index + 1 == num, true)).collect::<Vec<_>>();
    for &chip in BOTH {
        for (instruction, change) in [(sfppushc as Instruction, 1), (sfppopc, -1)] {
            let mut expected = None;
            let after = run(chip, instruction, &code(instruction, 0, 0), |tensix| {
                let mut small = *tensix.small;
                for lane in 0..32 {
                    // Nothing is taken from an empty stack.
                    let num = if change < 0 { lane % 8 + 1 } else { lane % 8 };
                    stack(tensix.small, 1 << lane, &entries(num));
                    let mut after = entries(num);
                    if change > 0 {
                        after.push((lane % 3 == 0, false));
                    } else {
                        after.pop();
                    }
                    stack(&mut small, 1 << lane, &after);
                    let mine = (lane % 3 == 0, false);
                    flags(tensix.small, 1 << lane, mine);
                    flags(&mut small, 1 << lane, if change > 0 { mine } else { ON });
                }
                expected = Some(small);
            });
            assert_eq!((after.promise, Some(after.small)), (Expectation::Done, expected), "{chip:?} {change}");
        }
    }
}

#[test]
fn flags_are_combined_in_twelve_ways() {
    // Of none, of the second alone, of the first alone, and of both.
    let ways = [
        [false, true, false, true],
        [true, false, true, false],
        [false, false, false, true],
        [false, true, true, true],
        [false, false, true, false],
        [true, false, true, true],
        [false, true, false, false],
        [true, true, false, true],
        [true, false, false, false],
        [true, true, true, false],
        [false, true, true, false],
        [true, false, false, true],
    ];
    for (way, mod1) in ways.into_iter().zip(1..) {
        for (index, [a, b]) in [[false, false], [false, true], [true, false], [true, true]].into_iter().enumerate() {
            let run = |chip, instruction, entry, mine| {
                run(chip, instruction, &code(instruction, 0, mod1), |tensix| {
                    stack(tensix.small, u32::MAX, &[entry]);
                    flags(tensix.small, u32::MAX, mine);
                })
            };
            let all = if way[index] { u32::MAX } else { 0 };
            let after = run(Chip::Blackhole, sfppushc, (a, false), (b, true)).small;
            let pushed = (after.flag_stack.lane_flags[0], after.flag_stack.use_lane_flags_for_lane_enable[0]);
            assert_eq!((pushed, after.lane_flags), ((all, u32::MAX), if b { u32::MAX } else { 0 }), "{mod1} {a} {b}");
            for &chip in BOTH {
                let after = run(chip, sfppopc, (b, true), (a, false)).small;
                assert_eq!((after.lane_flags, after.use_lane_flags_for_lane_enable), (all, u32::MAX), "{mod1} {a} {b}");
            }
        }
    }
}

#[test]
fn what_a_stack_has_no_room_or_no_entry_for_is_not_promised() {
    for (&chip, mod1) in BOTH.iter().flat_map(|chip| (0..16).map(move |mod1| (chip, mod1))) {
        for (instruction, num) in (0..=8).flat_map(|num| [(sfppushc as Instruction, num), (sfppopc, num)]) {
            let is_push = std::ptr::fn_addr_eq(instruction, sfppushc as Instruction);
            if is_push && mod1 != 0 && chip == Chip::Wormhole {
                continue;
            }
            // One lane has such a stack, and the others one of two.
            for (vd, reaches) in [(11, true), (12, false)] {
                let after = run(chip, instruction, &code(instruction, vd, mod1), |tensix| {
                    stack(tensix.small, u32::MAX, &[ON, ON]);
                    stack(tensix.small, 1 << 9, &[ON; 8][..num]);
                    // By VD of 12 the back door of that lane alone is open.
                    tensix.small.lane_config.fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                    tensix.small.lane_config[1] = 0;
                });
                let refuses = if is_push && mod1 == 0 { num == 8 } else { num == 0 && (is_push || mod1 == 0) };
                let refused = matches!(after.promise, Expectation::Undefined(_));
                assert_eq!(refused, refuses && reaches, "{chip:?} Mod1 {mod1}, {num} entries, VD {vd}");
                assert!(refused || after.promise == Expectation::Done);
            }
        }
    }
}

#[test]
fn what_is_no_stack_is_not_promised_in_lanes_that_look_at_it() {
    let torn: [fn(&mut FlagStack); 4] = [
        |stack| stack.occupied[1] = 1 << 9,
        |stack| (stack.occupied[0], stack.occupied[2]) = (1 << 9, 1 << 9),
        |stack| stack.lane_flags[0] = 1 << 9,
        |stack| (stack.occupied[0], stack.use_lane_flags_for_lane_enable[7]) = (1 << 9, 1 << 9),
    ];
    for tear in torn {
        // Whether they look at it.
        for (instruction, mod1, looks) in [
            (sfppushc as Instruction, 0, true),
            (sfppopc, 14, true),
            (sfpcompc, 0, true),
            (sfple, 2, true),
            (sfpgt, 6, true),
            (sfpgt, 13, false),
        ] {
            for (vd, reaches) in [(0, true), (12, false)] {
                let after = run(Chip::Blackhole, instruction, &code(instruction, vd, mod1), |tensix| {
                    tear(&mut tensix.small.flag_stack);
                    tensix.small.lane_config.fill(1 << bit::DISABLE_BACKDOOR_LOAD);
                    tensix.small.lane_config[1] = 0;
                });
                let refused = matches!(after.promise, Expectation::Unspecified(_));
                assert_eq!(refused, looks && reaches, "Mod1 {mod1} VD {vd}");
            }
        }
    }
}

#[test]
fn a_comparison_goes_to_a_register_a_flag_and_a_stack() {
    // VD, VC, and whether VD is no larger.
    let rows = [
        (5, 5, true),
        (5, 6, true),
        (6, 5, false),
        (0x8000_0005, 0x8000_0003, true),
        (0x8000_0003, 0x8000_0005, false),
        (0x8000_0000, 0, true),
        (0, 0x8000_0000, false),
        (0x8000_0000, 0x8000_0001, false),
        // -NaN, -infinity, infinity and NaN.
        (0xff80_0001, 0xff80_0000, true),
        (0xff80_0000, 0xff80_0001, false),
        (0x7f80_0000, 0x7fff_ffff, true),
        (0x7fff_ffff, 0xffff_ffff, false),
    ];
    for (vd, vc, is_le) in rows {
        for (instruction, holds) in [(sfple as Instruction, is_le), (sfpgt, !is_le)] {
            for (register, written) in [(1, true), (8, false)] {
                // Lane 9 is off: it keeps its register and its flag, and its stack changes.
                let after = run(Chip::Blackhole, instruction, &code(instruction, register, 15), |tensix| {
                    tensix.lreg_row_mut(U::<4>::new(register).index()).fill(vd);
                    tensix.lreg_row_mut(2).fill(vc);
                    stack(tensix.small, u32::MAX, &[NO]);
                    tensix.small.lane_config[1] = 2 << bit::ROW_MASK;
                });
                let row = after.lreg[U::<4>::new(register).index()];
                let all = if holds { u32::MAX } else { 0 };
                let expected = [8, 9].map(|lane| if written && lane == 8 { all } else { vd });
                assert_eq!([row[8], row[9]], expected, "{vd:#x} {vc:#x} LReg[{register}]");
                let found = (after.small.lane_flags, after.small.flag_stack.lane_flags[0]);
                assert_eq!((after.promise, found), (Expectation::Done, (all & !(1 << 9), all)), "{vd:#x} {vc:#x}");
            }
        }
    }
}

#[test]
fn stacks_of_lanes_whose_back_door_is_open_stay() {
    for (instruction, mod1) in (0..16).flat_map(|mod1| [sfppushc as Instruction, sfppopc, sfple].map(|it| (it, mod1))) {
        for vd in 12..16 {
            let mut before = None;
            let after = run(Chip::Blackhole, instruction, &code(instruction, vd, mod1), |tensix| {
                stack(tensix.small, u32::MAX, &[ON, NO]);
                flags(tensix.small, u32::MAX, ON);
                before = Some(*tensix.small);
            });
            assert_eq!((after.promise, Some(after.small)), (Expectation::Done, before), "Mod1 {mod1} VD {vd}");
        }
    }
}
