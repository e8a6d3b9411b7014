//! `SFPPUSHC`, `SFPPOPC` and `SFPCOMPC`: the stack of flags. `SFPLE` and `SFPGT`, which can change its top.

// Shown by `stacks_and_flags_become_what_the_page_says`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::vector::{MOD1, VC, VD};
use tandem_isa::tensix::{
    Chip, FlagStack, SFPCOMPC, SFPGT, SFPLE, SFPPOPC_BH, SFPPOPC_WH, SFPPUSHC_BH, SFPPUSHC_WH, VECTOR_UNIT,
};
use tandem_isa::{Citation, Expectation};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::lane_moves::sign_mag_is_smaller;
use super::{VectorUnit, has, set_bit};
use crate::bits::U;

/// Entries that a stack has room for.
const CAPACITY: usize = 8;
const FULL_REASON: &str = "the stack of a lane is full";
const EMPTY_REASON: &str = "the stack of a lane is empty";

/// `FlagStackEntry`, which the flags of a lane make one of: a bit for each.
// [VECTOR_UNIT 121-124] Two flags.
type FlagStackEntry = U<2>;
const LANE_FLAGS: u32 = 0;
const USE_LANE_FLAGS: u32 = 1;

fn entry(lane_flags: bool, use_lane_flags: bool) -> FlagStackEntry {
    U::new(u32::from(lane_flags) << LANE_FLAGS | u32::from(use_lane_flags) << USE_LANE_FLAGS)
}

impl VectorUnit<'_, '_> {
    /// Looks at the `FlagStack` of a lane, of an instruction that is about to change it or the flags. Breaks off if the entries of
    /// the lane are none of a stack: if one above it, where there is none, has a bit.
    // [VECTOR_UNIT 111, 125] Each lane has a stack of entries. (`what_is_no_stack_is_not_promised_in_lanes_that_look_at_it`)
    fn look_at_stack(&mut self, lane: u32) -> ControlFlow<Expectation> {
        self.note_write(lane);
        let FlagStack { occupied, lane_flags, use_lane_flags_for_lane_enable } = self.tensix.small.flag_stack;
        let size = self.stack_size(lane);
        let above = |masks: [u32; 8]| masks[size..].iter().any(|mask| U::<32>::new(*mask).bit(lane));
        if above(occupied) || above(lane_flags) || above(use_lane_flags_for_lane_enable) {
            return ControlFlow::Break(Expectation::Unspecified(cite!(
                VECTOR_UNIT,
                "section Lane Predication Masks",
                "the entries of a lane are not those of a stack: some lie above one that is free"
            )));
        }
        ControlFlow::Continue(())
    }

    /// `FlagStack.Size()`.
    fn stack_size(&self, lane: u32) -> usize {
        self.tensix.small.flag_stack.occupied.iter().take_while(|mask| U::<32>::new(**mask).bit(lane)).count()
    }

    /// `FlagStack.IsEmpty()`.
    fn stack_is_empty(&self, lane: u32) -> bool {
        self.stack_size(lane) == 0
    }

    /// `FlagStack.Top()`, of a stack that is not empty.
    fn stack_top(&self, lane: u32) -> FlagStackEntry {
        let FlagStack { lane_flags, use_lane_flags_for_lane_enable, .. } = self.tensix.small.flag_stack;
        let last = self.stack_size(lane) - 1;
        let of_top = |masks: [u32; 8]| U::<32>::new(masks[last]).bit(lane);
        entry(of_top(lane_flags), of_top(use_lane_flags_for_lane_enable))
    }

    /// Assigns to `FlagStack.Top()`.
    fn set_stack_top(&mut self, lane: u32, entry: FlagStackEntry) {
        self.set_entry(self.stack_size(lane) - 1, lane, true, entry);
    }

    /// Assigns to `FlagStack.Bottom()`.
    fn set_stack_bottom(&mut self, lane: u32, entry: FlagStackEntry) {
        self.set_entry(0, lane, true, entry);
    }

    /// `FlagStack.Push()`, to a stack that is not full.
    fn push(&mut self, lane: u32, entry: FlagStackEntry) {
        self.set_entry(self.stack_size(lane), lane, true, entry);
    }

    /// `FlagStack.Pop()`, from a stack that is not empty.
    fn pop(&mut self, lane: u32) {
        self.set_entry(self.stack_size(lane) - 1, lane, false, U::new(0));
    }

    fn set_entry(&mut self, index: usize, lane: u32, is_occupied: bool, entry: FlagStackEntry) {
        let masks = &mut self.tensix.small.flag_stack;
        set_bit(&mut masks.occupied[index], lane, is_occupied);
        set_bit(&mut masks.lane_flags[index], lane, entry.bit(LANE_FLAGS));
        set_bit(&mut masks.use_lane_flags_for_lane_enable[index], lane, entry.bit(USE_LANE_FLAGS));
    }

    /// `{LaneFlags, UseLaneFlagsForLaneEnable}`.
    fn flags(&self, lane: u32) -> FlagStackEntry {
        entry(self.lane_flags(lane), self.use_lane_flags(lane))
    }

    /// Assigns to `LaneFlags` and `UseLaneFlagsForLaneEnable`.
    fn set_flags(&mut self, lane: u32, flags: FlagStackEntry) {
        self.set_use_lane_flags(lane, flags.bit(USE_LANE_FLAGS));
        self.set_lane_flags(lane, flags.bit(LANE_FLAGS));
    }
}

/// `UndefinedBehavior()`.
fn undefined(citation: &'static Citation) -> ControlFlow<Expectation> {
    ControlFlow::Break(Expectation::Undefined(citation))
}

/// `SFPPUSHC`: the flags of a lane to its stack, or to the entry on its top.
///
/// *Source*: page SFPPUSHC, commit f7fda211, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPPUSHC_WH` (wh) and `SFPPUSHC_BH` (bh).
// [wh 3] [bh 3] A copy of the flags of each lane goes to the stack of the lane, which has room for eight and must not be full.
// [wh 5] [bh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole are the modifiers, of which 0 does what Wormhole does, and all others change the top.
pub fn sfppushc(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 13, 18] VD, and Blackhole's Mod1. (`encodings_and_texts_round_trip`)
    let chip = unit.chip;
    let syntax =
        chip.pick(cite!(SFPPUSHC_WH, "line 10", UNNAMED_REASON), cite!(SFPPUSHC_BH, "line 13", UNNAMED_REASON));
    unit.check(chip.pick(&[VD], &[VD, MOD1]), syntax)?;
    let mod1 = unit.mod1();
    // [wh 20] [bh 23] Lane by lane, whether a lane is on or off.
    for lane in 0..LANES {
        // [wh 21] [bh 24] VD says no more than this.
        if unit.below_12_or_backdoor_disabled(lane) {
            let mut flags = unit.flags(lane);
            unit.look_at_stack(lane)?;
            // [bh 25-26] No modifier: as Wormhole does.
            if mod1.get() == 0 {
                // [wh 22-24] [bh 27-29] There must be room.
                // (`what_a_stack_has_no_room_or_no_entry_for_is_not_promised`)
                if unit.stack_size(lane) >= CAPACITY {
                    return undefined(chip.pick(
                        cite!(SFPPUSHC_WH, "lines 22 to 25", FULL_REASON),
                        cite!(SFPPUSHC_BH, "lines 27 to 30", FULL_REASON),
                    ));
                }
                // [wh 26] [bh 31] The flags go on top.
                unit.push(lane, flags);
            } else {
                // [bh 32-36] The top changes, and there must be one.
                // (`what_a_stack_has_no_room_or_no_entry_for_is_not_promised`)
                if unit.stack_is_empty(lane) {
                    return undefined(cite!(SFPPUSHC_BH, "lines 34 to 37", EMPTY_REASON));
                }
                // [bh 38] What it is.
                let mut top = unit.stack_top(lane);
                match mod1.get() {
                    // [bh 39-43] One flag becomes that of the lane, and the other is combined with it.
                    1..=12 => {
                        let lane_flags = boolean_op(mod1, top.bit(LANE_FLAGS), flags.bit(LANE_FLAGS));
                        top = entry(lane_flags, flags.bit(USE_LANE_FLAGS));
                    }
                    // [bh 44-48] The lane inverts its flag, and both go to the top.
                    13 => {
                        flags = entry(!flags.bit(LANE_FLAGS), flags.bit(USE_LANE_FLAGS));
                        unit.set_lane_flags(lane, flags.bit(LANE_FLAGS));
                        top = flags;
                    }
                    14 => top = entry(true, true), // [bh 49-52] Both are set.
                    _ => top = entry(false, true), // [bh 53-56] The flag is clear, and heeded.
                }
                // [bh 58] The top becomes that.
                unit.set_stack_top(lane, top);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `SFPPOPC`: the entry on top of its stack to the flags of a lane, or combined with them.
///
/// *Source*: page SFPPOPC, commit f7fda211, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPPOPC_WH` (wh) and `SFPPOPC_BH` (bh).
// [wh 3] [bh 3] The flags of each lane become the entry on top, which is taken off and must be there; or they are combined
// with it, and it stays. Software should not do that to a full stack, which has a bug: of Blackhole line 8 says otherwise.
// [wh 5] [bh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] In Blackhole a full stack stays as it is.
pub fn sfppopc(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 13, 18] VD and Mod1. (`encodings_and_texts_round_trip`)
    let chip = unit.chip;
    let syntax = chip.pick(cite!(SFPPOPC_WH, "line 10", UNNAMED_REASON), cite!(SFPPOPC_BH, "line 13", UNNAMED_REASON));
    unit.check(&[VD, MOD1], syntax)?;
    let mod1 = unit.mod1();
    // [wh 20] [bh 23] Lane by lane, whether a lane is on or off.
    for lane in 0..LANES {
        // [wh 21] [bh 24] VD says no more than this.
        if unit.below_12_or_backdoor_disabled(lane) {
            unit.look_at_stack(lane)?;
            // [wh 22-24] [bh 25-27] The top.
            let top = if unit.stack_is_empty(lane) {
                // [wh 25-26] [bh 28-29] Without one, both flags are clear.
                entry(false, false)
            } else {
                // [wh 27-28] [bh 30-31] What it is.
                unit.stack_top(lane)
            };
            // [wh 31-32] [bh 34-35] No modifier:
            if mod1.get() == 0 {
                // [wh 33-35] [bh 36-38] there must be one,
                // (`what_a_stack_has_no_room_or_no_entry_for_is_not_promised`)
                if unit.stack_is_empty(lane) {
                    return undefined(chip.pick(
                        cite!(SFPPOPC_WH, "lines 33 to 36", EMPTY_REASON),
                        cite!(SFPPOPC_BH, "lines 36 to 39", EMPTY_REASON),
                    ));
                }
                // [wh 37] [bh 40] which is taken off.
                unit.pop(lane);
            } else if chip == Chip::Wormhole && unit.stack_size(lane) == CAPACITY {
                // [wh 38-41] Of a full stack the bottom becomes the top as well, which is a bug.
                unit.set_stack_bottom(lane, top);
            }
            match mod1.get() {
                // [wh 44-47] [bh 43-46] The flags become the top.
                0 => unit.set_flags(lane, top),
                // [wh 48-51] [bh 47-50] One does, and the other is combined with it.
                1..=12 => {
                    let lane_flags = boolean_op(mod1, unit.lane_flags(lane), top.bit(LANE_FLAGS));
                    unit.set_flags(lane, entry(lane_flags, top.bit(USE_LANE_FLAGS)));
                }
                // [wh 52-54] [bh 51-53] The flag is inverted.
                13 => unit.set_lane_flags(lane, !unit.lane_flags(lane)),
                14 => unit.set_flags(lane, entry(true, true)), // [wh 55-58] [bh 54-57] Both are set.
                // [wh 59-62] [bh 58-61] The flag is clear, and heeded.
                _ => unit.set_flags(lane, entry(false, true)),
            }
        }
    }
    ControlFlow::Continue(())
}

/// `BooleanOp`.
// Of pages `SFPPUSHC_BH` (push), `SFPPOPC_WH` (wh) and `SFPPOPC_BH` (bh).
// [push 66] [wh 70] [bh 69] Of two flags.
fn boolean_op(mod1: U<4>, a: bool, b: bool) -> bool {
    // [push 67] [wh 71] [bh 70] By the modifier.
    match mod1.get() {
        1 => b,         // [push 68] [wh 72] [bh 71] The second,
        2 => !b,        // [push 69] [wh 73] [bh 72] or its opposite;
        3 => a && b,    // [push 70] [wh 74] [bh 73] both,
        4 => a || b,    // [push 71] [wh 75] [bh 74] or one of them;
        5 => a && !b,   // [push 72] [wh 76] [bh 75] with the opposite of the second,
        6 => a || !b,   // [push 73] [wh 77] [bh 76] either way;
        7 => !a && b,   // [push 74] [wh 78] [bh 77] with that of the first,
        8 => !a || b,   // [push 75] [wh 79] [bh 78] either way;
        9 => !a && !b,  // [push 76] [wh 80] [bh 79] none,
        10 => !a || !b, // [push 77] [wh 81] [bh 80] or not both;
        11 => a != b,   // [push 78] [wh 82] [bh 81] one of them alone,
        12 => a == b,   // [push 79] [wh 83] [bh 82] or the same.
        other => unreachable!("the modifiers 0 and from 13 on are not combinations: {other}"),
    }
}

/// `SFPCOMPC`: the opposite of the flag, among the lanes that are on in the entry on top.
///
/// *Source*: page SFPCOMPC, commit 39304719, one text for both chips.
// Of page `SFPCOMPC`.
// [3] It is the `else` of lanes that take different branches.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpcompc(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VD. (`encodings_and_texts_round_trip`)
    unit.check(&[VD], cite!(SFPCOMPC, "line 10", UNNAMED_REASON))?;
    // [20] Lane by lane, whether a lane is on or off.
    for lane in 0..LANES {
        // [21] VD says no more than this.
        if unit.below_12_or_backdoor_disabled(lane) {
            unit.look_at_stack(lane)?;
            // [22-24] The top.
            let top = if unit.stack_is_empty(lane) {
                // [25-26] Without one, both flags are set.
                entry(true, true)
            } else {
                // [27-28] What it is.
                unit.stack_top(lane)
            };
            // [31-32] If flags are heeded now and there,
            let flag = if top.bit(USE_LANE_FLAGS) && unit.use_lane_flags(lane) {
                // [33] the flag is inverted where it was set there,
                top.bit(LANE_FLAGS) && !unit.lane_flags(lane)
            } else {
                // [34-35] and else it is clear.
                false
            };
            unit.set_lane_flags(lane, flag);
        }
    }
    ControlFlow::Continue(())
}

// Of pages `SFPLE` and `SFPGT`.
mod compare {
    pub(super) const SET_CC: u32 = 1; // [50] The flag of the lane.
    pub(super) const MUTATE_STACK: u32 = 2; // [51] That on top of the stack,
    pub(super) const MUTATE_OR: u32 = 4; // [52] which is set if either is.
    pub(super) const SET_VD: u32 = 8; // [53] The register.
}

/// `SFPLE`: whether `VD` is no larger than `VC`.
///
/// *Source*: page SFPLE, commit 585749d1, of Blackhole.
// Of page `SFPLE`.
// [3] The comparison of two registers, as signs and magnitudes or as FP32, goes to a register, a flag, or the top of the stack.
// [8] It is new in Blackhole, and SFPGT is its opposite.
pub fn sfple(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [26] VC is not below VD.
    compare(unit, cite!(SFPLE, "line 13", UNNAMED_REASON), |vc, vb| !sign_mag_is_smaller(vc, vb))
}

/// `SFPGT`: whether `VD` is larger than `VC`.
///
/// *Source*: page SFPGT, commit 585749d1, of Blackhole.
// Of page `SFPGT`.
// [3] The comparison of two registers, as signs and magnitudes or as FP32, goes to a register, a flag, or the top of the stack.
// [8] It is new in Blackhole, and SFPLE is its opposite.
pub fn sfpgt(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [26] VC is below VD.
    compare(unit, cite!(SFPGT, "line 13", UNNAMED_REASON), sign_mag_is_smaller)
}

/// What `SFPLE` and `SFPGT` do with a comparison of `VC` and `VD`.
// Of pages `SFPLE` and `SFPGT`.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
fn compare(
    unit: &mut VectorUnit<'_, '_>,
    syntax: &'static Citation,
    compare: impl Fn(u32, u32) -> bool,
) -> ControlFlow<Expectation> {
    // [13, 18] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], syntax)?;
    let mod1 = unit.mod1();
    // [23] The destination is compared.
    let vb = unit.vb_that_is_vd();
    // [24] Lane by lane.
    for lane in 0..LANES {
        // [25] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            let is_so = compare(unit.lreg(unit.vc(), lane), unit.lreg(vb, lane));
            // [27] A lane that is off keeps its register and its flag,
            if unit.lane_enabled(lane) {
                // [28-29] of which a register from 8 on is not written; all bits are set, or clear.
                if has(mod1, compare::SET_VD) && unit.writes_vd() {
                    unit.set_lreg(unit.vd(), lane, if is_so { u32::MAX } else { 0 });
                }
                // [31-32] The flag.
                if has(mod1, compare::SET_CC) {
                    unit.set_lane_flags(lane, is_so);
                }
            }
            // [35] Its stack changes, whether it is on or off,
            if has(mod1, compare::MUTATE_STACK) {
                unit.look_at_stack(lane)?;
                // [36] unless that is empty:
                if !unit.stack_is_empty(lane) {
                    let mut top = unit.stack_top(lane);
                    if has(mod1, compare::MUTATE_OR) {
                        // [37-38] the flag on top is set,
                        top = entry(top.bit(LANE_FLAGS) || is_so, top.bit(USE_LANE_FLAGS));
                    } else {
                        // [39-40] or cleared.
                        top = entry(top.bit(LANE_FLAGS) && is_so, top.bit(USE_LANE_FLAGS));
                    }
                    unit.set_stack_top(lane, top);
                }
            }
        }
    }
    ControlFlow::Continue(())
}
