//! Instructions of the stacks of flags, on both chips: `SFPPUSHC`, `SFPPOPC` and `SFPCOMPC`; and Blackhole's comparisons that may
//! change what is on top, `SFPLE` and `SFPGT`.
//!
//! Of each of the eight entries a word says which of 32 lanes have it on top. What is on top of all stacks is brought together
//! under these, computed with as words, and put back under them: whatever the depths, all lanes change at once. The sixteen modes
//! are one formula of two words, of which a table has the terms. Registers are compared vector by vector, which gives a word.
//!
//! What differs from the pages (SFPPUSHC and SFPPOPC, commit f7fda211, one for each chip; SFPCOMPC, commit 39304719; SFPLE and
//! SFPGT, commit 585749d1), and why it is equal:
//! 1. Where a lane is occupied, all that is below is occupied too. So its top is the entry which it has and has not above, and
//!    a push fills the one which it has not and has below.
//! 2. An entry that is pushed was clear and is put in; one that is popped is clear thereafter. An empty stack has no top, so what
//!    is brought together of it is no flag, as `SFPPOPC` says; `SFPCOMPC` has flags instead.
//! 3. Each function of two bits is an exclusive or of some of 1, `A`, `B` and `A && B`. What modes 0, 13, 14 and 15 do to
//!    `LaneFlags` is such a function too. `SFPPUSHC` inverts `LaneFlags` in mode 13, and what it puts on top is `!B`.
//! 4. Wormhole's `SFPPUSHC` has no `Mod1`: it pushes. Its `SFPPOPC` overwrites the bottom of a full stack, which nothing reads
//!    after that.
//! 5. Of full stacks that are pushed to, and empty ones that are popped or changed, nothing is promised: what would be put in
//!    is dropped, and what comes out is no flag.
//! 6. A lane's order of signs and magnitudes is that of words without sign; see `lane_moves.rs`. `VC >= VD` is the inverse of
//!    `VC < VD`, in the word and in what is put into `VD`. Registers are read only if a lane gets something of the result.
//! 7. Comparisons ask for `LaneEnabled` before they change flags, lane by lane; stacks do not ask.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::vector::MOD1;
use tandem_isa::tensix::{Access, Chip, FlagStack, Tensix};

use super::instruction::{Code, Decoded, Instruction, vb_or_vd, vc, vd};
use super::lanewise;
use crate::bits::{all_if, all_if_any, choose};
use crate::vector::Vector;

// ------------------------------------------------------------------------------------------------ tops and functions

/// `LaneFlags` and `UseLaneFlagsForLaneEnable` of all lanes, or what all lanes have of them on top.
type Flags = [u32; 2];

/// Of each entry the lanes of `which` that have it on top.
#[inline(always)]
fn tops(stack: &FlagStack, which: u32) -> [u32; 8] {
    let [_, above @ ..] = stack.occupied;
    std::array::from_fn(|entry| which & stack.occupied[entry] & !above.get(entry).copied().unwrap_or(0))
}

/// Of each entry the lanes of `which` that a push fills.
#[inline(always)]
fn free(stack: &FlagStack, which: u32) -> [u32; 8] {
    std::array::from_fn(|entry| {
        which & !stack.occupied[entry] & if entry == 0 { !0 } else { stack.occupied[entry - 1] }
    })
}

/// What is on top.
#[inline(always)]
fn peek(stack: &FlagStack, tops: &[u32; 8]) -> Flags {
    [&stack.lane_flags, &stack.use_lane_flags_for_lane_enable]
        .map(|words| words.iter().zip(tops).fold(0, |all, (word, top)| all | (word & top)))
}

/// Puts flags into the entries, for the lanes that each has.
#[inline(always)]
fn put(stack: &mut FlagStack, entries: &[u32; 8], flags: Flags) {
    for (words, flags) in [&mut stack.lane_flags, &mut stack.use_lane_flags_for_lane_enable].into_iter().zip(flags) {
        words.iter_mut().zip(entries).for_each(|(word, &lanes)| *word = choose(lanes, flags, *word));
    }
}

/// What becomes of two bits `A` and `B` by `Mod1`: the masks of the terms 1, `A`, `B` and `A && B`.
static FUNCTIONS: [[u32; 4]; 16] = {
    // Bit n is what becomes of bit n of both.
    const A: u32 = 0b1100;
    const B: u32 = 0b1010;
    const TRUTHS: [u32; 16] =
        [B, B, !B, A & B, A | B, A & !B, A | !B, !A & B, !A | B, !A & !B, !A | !B, A ^ B, !(A ^ B), !A, !0, 0];
    let mut functions = [[0; 4]; 16];
    let mut mod1 = 0;
    while mod1 < 16 {
        let truth = TRUTHS[mod1];
        let (of_none, of_b) = (all_if_any(truth, 1), all_if_any(truth, 2));
        let (of_a, of_both) = (all_if_any(truth, 4), all_if_any(truth, 8));
        functions[mod1] = [of_none, of_none ^ of_a, of_none ^ of_b, of_none ^ of_a ^ of_b ^ of_both];
        mod1 += 1;
    }
    functions
};

/// The function that `Mod1` names, of all lanes.
#[inline(always)]
fn function(mod1: u32, a: u32, b: u32) -> u32 {
    let [one, of_a, of_b, of_both] = FUNCTIONS[mod1 as usize & 15];
    one ^ (a & of_a) ^ (b & of_b) ^ (a & b & of_both)
}

const PUSH_OR_POP: u32 = 0;
const INVERT: u32 = 13;
const SET: u32 = 14;

// ------------------------------------------------------------------------------------------------ SFPPUSHC, SFPPOPC, SFPCOMPC

/// `SFPPUSHC`.
pub(crate) struct Sfppushc;

impl<V: Vector> Instruction<V> for Sfppushc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const NOT_B: u32 = 2;
        let small = &mut *tensix.small;
        let which = lanewise::front_door(small, vd(&code));
        let [flags, heeds] = [small.lane_flags, small.use_lane_flags_for_lane_enable];
        let mod1 = if chip == Chip::Wormhole { PUSH_OR_POP } else { MOD1.get(&code) };
        let stack = &mut small.flag_stack;
        if mod1 == PUSH_OR_POP {
            let free = free(stack, which);
            stack.occupied.iter_mut().zip(free).for_each(|(word, free)| *word |= free);
            put(stack, &free, [flags, heeds]);
            return Answer::Done;
        }
        let tops = tops(stack, which);
        let of = if mod1 == INVERT { NOT_B } else { mod1 };
        let [of_top, _] = peek(stack, &tops);
        put(stack, &tops, [function(of, of_top, flags), heeds | all_if(mod1 >= SET)]);
        small.lane_flags ^= which & all_if(mod1 == INVERT);
        Answer::Done
    }
}

/// `SFPPOPC`.
pub(crate) struct Sfppopc;

impl<V: Vector> Instruction<V> for Sfppopc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let which = lanewise::front_door(small, vd(&code));
        let mod1 = MOD1.get(&code);
        let stack = &mut small.flag_stack;
        let tops = tops(stack, which);
        let top @ [flags, heeds] = peek(stack, &tops);
        if mod1 == PUSH_OR_POP {
            stack.occupied.iter_mut().zip(tops).for_each(|(word, top)| *word &= !top);
            put(stack, &tops, [0; 2]);
        } else if chip == Chip::Wormhole {
            put(stack, &[tops[7], 0, 0, 0, 0, 0, 0, 0], top);
        }
        let old = small.use_lane_flags_for_lane_enable;
        let heeds = if mod1 == INVERT { old } else { heeds | all_if(mod1 >= SET) };
        small.use_lane_flags_for_lane_enable = choose(which, heeds, old);
        small.lane_flags = choose(which, function(mod1, small.lane_flags, flags), small.lane_flags);
        Answer::Done
    }
}

/// `SFPCOMPC`.
pub(crate) struct Sfpcompc;

impl<V: Vector> Instruction<V> for Sfpcompc {
    #[inline(always)]
    fn execute(_: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &mut *tensix.small;
        let which = lanewise::front_door(small, vd(&code));
        let [flags, heeds] = peek(&small.flag_stack, &tops(&small.flag_stack, which));
        // Of an empty stack both flags count as set.
        let within = (flags & heeds) | !small.flag_stack.occupied[0];
        let inverted = within & small.use_lane_flags_for_lane_enable & !small.lane_flags;
        small.lane_flags = choose(which, inverted, small.lane_flags);
        Answer::Done
    }
}

// ------------------------------------------------------------------------------------------------ SFPLE, SFPGT

/// `SFPLE`: the inverse.
pub(crate) type Sfple = Comparison<{ !0 }>;

/// `SFPGT`.
pub(crate) type Sfpgt = Comparison<0>;

/// A comparison, of which all bits are inverted or none.
pub(crate) struct Comparison<const INVERTED: u32>;

impl<V: Vector, const INVERTED: u32> Instruction<V> for Comparison<INVERTED> {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        compare::<V>(level, &code, INVERTED, tensix);
        Answer::Done
    }
}

/// Asks for `VC < VD`, or for the inverse, and puts that into `VD`, into flags and on top of stacks.
#[inline(always)]
fn compare<V: Vector>(level: V::Level, code: &Code, inverted: u32, tensix: &mut Tensix<'_>) {
    const SET_CC: u32 = 1;
    const MUTATE_STACK: u32 = 2;
    const MUTATE_OR: u32 = 4;
    const SET_VD: u32 = 8;
    let mod1 = MOD1.get(code);
    let small = &*tensix.small;
    let which = lanewise::front_door(small, vd(code));
    let enabled = which & lanewise::enabled(small);
    let written = enabled & all_if(mod1 & SET_VD != 0 && lanewise::is_written(vd(code)));
    let flagged = enabled & all_if_any(mod1, SET_CC);
    let stacked = which & small.flag_stack.occupied[0] & all_if_any(mod1, MUTATE_STACK);
    if written | flagged | stacked == 0 {
        return;
    }

    let mut views = tensix.views();
    let [c, d] = [vc(code), vb_or_vd(code)].map(|register| views.lreg(Access::Read, register));
    let results = if written == 0 {
        results::<V>(level, [c, d], inverted, None)
    } else {
        results::<V>(level, [c, d], inverted, Some((views.lreg(Access::Write, vd(code)), written)))
    };

    let small = &mut *tensix.small;
    small.lane_flags = choose(flagged, results, small.lane_flags);
    let (set, kept) = if mod1 & MUTATE_OR != 0 { (results, !0) } else { (0, results) };
    if stacked != 0 {
        let tops = tops(&small.flag_stack, stacked);
        for (word, top) in small.flag_stack.lane_flags.iter_mut().zip(tops) {
            *word = (*word & (kept | !top)) | (set & top);
        }
    }
}

/// The lanes in which `c` is less than `d`, or those in which it is not. What they are is put into a register, if there is one, in
/// the lanes that are named beside it.
#[inline(always)]
fn results<V: Vector>(
    level: V::Level,
    [c, d]: [&[Cell<u32>]; 2],
    inverted: u32,
    to: Option<(&[Cell<u32>], u32)>,
) -> u32 {
    // Plain loops: what closures hold may be compiled without the level.
    let mut smaller = 0;
    for chunk in 0..32 / V::LANES {
        let c = lanewise::in_order(V::load(level, c, chunk));
        let d = lanewise::in_order(V::load(level, d, chunk));
        let is_smaller = d.is_above(c);
        if let Some((to, which)) = to {
            let result = V::select(is_smaller, V::splat(level, !inverted), V::splat(level, inverted));
            result.store(to, chunk, V::mask_of(level, which, chunk));
        }
        smaller |= V::bits(is_smaller) << (chunk * V::LANES);
    }
    smaller ^ inverted
}
