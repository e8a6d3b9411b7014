//! Instructions that move data to other lanes or other registers: `SFPTRANSP`, `SFPSWAP` and `SFPSHFT2`, on both chips.
//!
//! Which lanes take part is a word, computed once; if none does, no register is touched. What comes from other lanes is put
//! together in a row of 32 words before anything is written, and stored under the lanes that take part. `SFPSWAP` first compares
//! all lanes, which gives a word of those that swap; then pairs of registers change places in these. Of `SFPSHFT2`, the shifts of
//! bits are formulas of two registers; see `lanewise.rs`.
//!
//! What differs from the pages (SFPTRANSP, commit 39304719; SFPSWAP, commits 39304719 and c07a6715; SFPSHFT2, commits a052bcc9 for
//! Wormhole and 41d2c717 for Blackhole), and why it is equal:
//! 1. Where a page asks for `LaneConfig.DISABLE_BACKDOOR_LOAD` outside of any loop, it does not say of which lane. If all lanes
//!    answer alike, that is the answer. If they do not, the instruction is unsupported, unless nothing depends on it.
//! 2. `SFPTRANSP`: the page exchanges two words at a time, and each word takes part in one exchange at most. It is written if
//!    its own lane is enabled, with what the other one had; so a lane of row `j` of register `i` gets, in its column, row `i` of
//!    register `j`. Row `i` of register `i` is not written.
//! 3. `SFPSWAP`: the order of signs and magnitudes is that of words without sign once the sign of a word is flipped, and of a
//!    negative one all other bits too. Inverting by the mode and by `EXCHANGE_SRCB_SRCC` are exclusive ors.
//! 4. `SFPSWAP`: words that are equal compare as the edition says. June's page has no mode from 9 on. The later one has, and says
//!    what silicon does of those from 10 on; both editions do that.
//! 5. `SFPSWAP`: lanes with `ENABLE_DEST_INDEX` and those without write by turns. Registers 0 to 3 and 4 to 7 do not overlap, so
//!    a pair that goes along is not changed before it is read. If a pair is one register, or if only one of the two can be written,
//!    each gets what the other had. A register is marked as written if a lane that swaps writes to it.
//! 6. `SFPSHFT2`: registers 1 to 3 move down in turn, and what becomes of register 3 was put together before, also if that is from
//!    register 0 or from a `VC` below 4.
//! 7. `SFPSHFT2`: nothing that is no register remembers a `VC`. Of the mode that rotates, nothing is left to do if `VD` cannot
//!    be written. On Wormhole a shift of lanes puts what was remembered into column 0: it is unsupported if one of these
//!    lanes takes part.
//! 8. `SFPSHFT2`: the amount is the register `VC` or the immediate. The lowest negative one is, negated, a multiple of 32. Modes
//!    without a name are unsupported.

use std::cell::Cell;

use tandem_isa::tensix::inst::vector::MOD1;
use tandem_isa::tensix::{Access, Chip, Small, Tensix, Views};
use tandem_isa::{Answer, Edition};

use super::instruction::{Decoded, Instruction, vb, vc, vd};
use super::lanewise;
use super::sfpu::{bit, every_row};
use super::simple::{Sfpshft, imm12};
use crate::bits::all_if;
use crate::vector::Vector;

/// The lanes of row 0, bit = lane.
const ROW_0: u32 = 0xff;
/// The lanes of column 0.
const COLUMN_0: u32 = every_row(1);

/// Whether `VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD` holds, where that is not asked lane by lane; nothing if lanes differ.
#[inline(always)]
fn front_door(small: &Small, vd: usize) -> Option<bool> {
    match lanewise::front_door(small, vd) {
        0 => Some(false),
        u32::MAX => Some(true),
        _ => None,
    }
}

/// The words of a register.
#[inline(always)]
fn words(register: &[Cell<u32>]) -> [u32; 32] {
    std::array::from_fn(|lane| register[lane].get())
}

/// Stores words into a register, in the lanes of `which`.
#[inline(always)]
fn store<V: Vector>(level: V::Level, words: &mut [u32; 32], to: &[Cell<u32>], which: u32) {
    let words = Cell::from_mut(&mut words[..]).as_slice_of_cells();
    for chunk in 0..32 / V::LANES {
        V::load(level, words, chunk).store(to, chunk, V::mask_of(level, which, chunk));
    }
}

// ------------------------------------------------------------------------------------------------ SFPTRANSP

/// `SFPTRANSP`.
pub(crate) struct Sfptransp;

impl<V: Vector> Instruction<V> for Sfptransp {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let taking_part = lanewise::enabled(tensix.small);
        if taking_part == 0 {
            return Answer::Done;
        }
        match front_door(tensix.small, vd(&code)) {
            Some(true) => {
                transpose::<V>(level, 0, taking_part, tensix);
                transpose::<V>(level, 4, taking_part, tensix);
                Answer::Done
            }
            Some(false) => Answer::Done,
            None => Answer::Unsupported,
        }
    }
}

/// Transposes four rows of four registers.
#[inline(always)]
fn transpose<V: Vector>(level: V::Level, base: usize, taking_part: u32, tensix: &mut Tensix<'_>) {
    let mut views = tensix.views();
    let before: [[u32; 32]; 4] = std::array::from_fn(|register| words(views.lreg(Access::Read, base + register)));
    for register in 0..4 {
        let written = taking_part & !(ROW_0 << (8 * register));
        if written != 0 {
            let mut after: [u32; 32] = std::array::from_fn(|lane| before[lane / 8][8 * register + lane % 8]);
            store::<V>(level, &mut after, views.lreg(Access::Write, base + register), written);
        }
    }
}

// ------------------------------------------------------------------------------------------------ SFPSWAP

/// `SFPSWAP`.
pub(crate) struct Sfpswap;

impl Sfpswap {
    const SWAP: u32 = 0;

    /// The lanes in which `VD` gets the lesser one; in mode 0 that does not matter.
    #[inline(always)]
    const fn vd_gets_min(mod1: u32) -> u32 {
        match mod1 {
            1 => 0xffff_ffff,
            2 => 0x0000_ffff,
            3 => 0x00ff_00ff,
            4 => 0xff00_00ff,
            5 => 0x0000_00ff,
            6 => 0x0000_ff00,
            7 => 0x00ff_0000,
            8 => 0xff00_0000,
            _ => 0,
        }
    }
}

impl<V: Vector> Instruction<V> for Sfpswap {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { edition, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let taking_part = lanewise::enabled(small) & lanewise::front_door(small, vd(&code));
        if taking_part == 0 {
            return Answer::Done;
        }
        let lane_config = V::eight(level, &small.lane_config);
        let having = |bit| every_row(V::having(lane_config, bit));
        let (exchanging, indexed) = (having(bit::EXCHANGE_SRCB_SRCC), having(bit::ENABLE_DEST_INDEX));

        let mut views = tensix.views();
        let (vc, vd) = (vc(&code), vd(&code));
        let [c, d] = [vc, vd].map(|register| views.lreg(Access::Read, register));
        let mod1 = MOD1.get(&code);
        let swapping = taking_part
            & if mod1 == Self::SWAP {
                !0
            } else {
                smaller::<V>(level, edition, c, d) ^ !Self::vd_gets_min(mod1) ^ exchanging
            };

        // What goes along comes last: one of it may be a register that was compared.
        let along = [4 + (vc & 3), 4 + (vd & 3)];
        for (pair, writable, which) in
            [([vc, vd], 8, swapping & !indexed), ([vc, vd], 4, swapping & indexed), (along, 8, swapping & indexed)]
        {
            if which != 0 {
                swap::<V>(level, pair, writable, which, &mut views);
            }
        }
        Answer::Done
    }
}

/// Gives each of two registers the lanes of `which` of the other one, if it is below `writable`.
#[inline(always)]
fn swap<V: Vector>(level: V::Level, pair: [usize; 2], writable: usize, which: u32, views: &mut Views<'_>) {
    let [one, other] = pair.map(|register| views.lreg(Access::Read, register));
    let [to_one, to_other] = pair.map(|register| (register < writable).then(|| views.lreg(Access::Write, register)));
    for chunk in 0..32 / V::LANES {
        let mask = V::mask_of(level, which, chunk);
        let [of_one, of_other] = [one, other].map(|from| V::load(level, from, chunk));
        if let Some(to) = to_one {
            of_other.store(to, chunk, mask);
        }
        if let Some(to) = to_other {
            of_one.store(to, chunk, mask);
        }
    }
}

/// The lanes of `c` that are smaller than those of `d`, as signs and magnitudes, or that count as such where both are equal.
#[inline(always)]
fn smaller<V: Vector>(level: V::Level, edition: Edition, c: &[Cell<u32>], d: &[Cell<u32>]) -> u32 {
    let negative_counts = all_if(edition == Edition::Newest);
    (0..32 / V::LANES).fold(0, |all, chunk| {
        let [c, d] = [c, d].map(|from| V::load(level, from, chunk));
        let is_smaller = V::bits(lanewise::in_order(d).is_above(lanewise::in_order(c)));
        let is_equal_and_negative = V::bits((c ^ d).is_zero()) & V::bits(c.is_negative());
        all | (is_smaller | (is_equal_and_negative & negative_counts)) << (chunk * V::LANES)
    })
}

// ------------------------------------------------------------------------------------------------ SFPSHFT2

/// `SFPSHFT2`.
pub(crate) struct Sfpshft2;

impl Sfpshft2 {
    const COPY4: u32 = 0;
    const SUBVEC_CHAINED_COPY4: u32 = 1;
    const SUBVEC_SHFLROR1_AND_COPY4: u32 = 2;
    const SUBVEC_SHFLROR1: u32 = 3;
    const SUBVEC_SHFLSHR1: u32 = 4;
    const SHFT_LREG: u32 = 5;
    pub(super) const SHFT_IMM: u32 = 6;
}

impl<V: Vector> Instruction<V> for Sfpshft2 {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let enabled = lanewise::enabled(small);
        let (vc, vb, vd) = (vc(&code), vb(&code), vd(&code));
        match MOD1.get(&code) {
            Self::COPY4 => {
                let taking_part = enabled & lanewise::front_door(small, vd);
                copy4::<V>(level, taking_part, tensix, None, |_| [0; 32]);
            }
            Self::SUBVEC_CHAINED_COPY4 => {
                let taking_part = enabled & lanewise::front_door(small, vd);
                copy4::<V>(level, taking_part, tensix, Some(0), moved_up);
            }
            Self::SUBVEC_SHFLROR1_AND_COPY4 => match front_door(small, vd) {
                Some(door) => copy4::<V>(level, enabled & all_if(door), tensix, Some(vc), rotated),
                None if enabled == 0 => {}
                None => return Answer::Unsupported,
            },
            Self::SUBVEC_SHFLROR1 => put::<V>(level, enabled, tensix, [vc, vd], rotated),
            Self::SUBVEC_SHFLSHR1 => {
                if chip == Chip::Wormhole && lanewise::is_written(vd) && enabled & COLUMN_0 != 0 {
                    return Answer::Unsupported;
                }
                put::<V>(level, enabled, tensix, [vc, vd], shifted);
            }
            Self::SHFT_LREG => {
                let shift = ([vc, vb], Sfpshft::logical(None));
                lanewise::compute::<V, _>(level, shift, vd, enabled, tensix);
            }
            Self::SHFT_IMM => {
                let shift = ([vb; 2], Sfpshft::logical(Some(imm12(&code))));
                lanewise::compute::<V, _>(level, shift, vd, enabled, tensix);
            }
            _ => return Answer::Unsupported,
        }
        Answer::Done
    }
}

/// Each row of lanes, rotated right by one.
#[inline(always)]
fn rotated(from: &[u32; 32]) -> [u32; 32] {
    std::array::from_fn(|lane| from[(lane & !7) | ((lane + 7) & 7)])
}

/// Each row of lanes, shifted right by one; a zero comes in.
#[inline(always)]
fn shifted(from: &[u32; 32]) -> [u32; 32] {
    std::array::from_fn(|lane| if lane % 8 == 0 { 0 } else { from[lane - 1] })
}

/// Each row of lanes in the place of the one before it; zeros are last.
#[inline(always)]
fn moved_up(from: &[u32; 32]) -> [u32; 32] {
    std::array::from_fn(|lane| if lane < 24 { from[lane + 8] } else { 0 })
}

/// Puts what is made of one register into another, unless that cannot be written.
#[inline(always)]
fn put<V: Vector>(
    level: V::Level,
    taking_part: u32,
    tensix: &mut Tensix<'_>,
    [from, to]: [usize; 2],
    made_of: impl Fn(&[u32; 32]) -> [u32; 32],
) {
    if !lanewise::is_written(to) || taking_part == 0 {
        return;
    }
    let mut views = tensix.views();
    let mut made = made_of(&words(views.lreg(Access::Read, from)));
    store::<V>(level, &mut made, views.lreg(Access::Write, to), taking_part);
}

/// Moves registers 1 to 3 down by one, and puts what is made of a register, if there is one, into register 3.
#[inline(always)]
fn copy4<V: Vector>(
    level: V::Level,
    taking_part: u32,
    tensix: &mut Tensix<'_>,
    from: Option<usize>,
    made_of: impl Fn(&[u32; 32]) -> [u32; 32],
) {
    if taking_part == 0 {
        return;
    }
    let mut views = tensix.views();
    let mut last = made_of(&from.map_or([0; 32], |from| words(views.lreg(Access::Read, from))));
    for register in 0..3 {
        let from = views.lreg(Access::Read, register + 1);
        let to = views.lreg(Access::Write, register);
        for chunk in 0..32 / V::LANES {
            V::load(level, from, chunk).store(to, chunk, V::mask_of(level, taking_part, chunk));
        }
    }
    store::<V>(level, &mut last, views.lreg(Access::Write, 3), taking_part);
}
