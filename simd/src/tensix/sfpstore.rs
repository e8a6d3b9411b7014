//! `SFPSTORE`: move up to 32 data from an `LReg` to `Dst`, on both chips.
//!
//! The mode selects a [`Recipe`]; `sfpu.rs` gives rows, columns and lanes. A two's complement becomes sign and magnitude
//! where the recipe says so; the magnitude is rebiased, clamped and flushed; with its sign it is `t`, and the bits for
//! `Dst` are `t & in_place | (t << up) & left | (t >> down) & right | ones`: mantissa bits go left, exponent bits right.
//! Their upper half is the 16-bit datum, or the high half of a 32-bit one. Each lane then writes one word of its pair of
//! columns. AddrMod advances the counters.
//!
//! What differs from the page (SFPSTORE, commit c63d6d0b, of each chip), and why it is equal:
//! 1. The `switch` for each lane is a table for each chip, and one formula that every entry of it fits: `ToFP16`, `ToBF16`
//!    and the encodings of `Dst` move the same fields by the same distances.
//! 2. `ToFP16` on the magnitude: taking 112 from the exponent is a subtraction that stops at zero; overflow, and NaN, is a
//!    minimum with the largest magnitude; underflow, and a denormal, is a magnitude whose exponent is zero then.
//! 3. `ToBF16` and `ToFP32` flush in the same way, with nothing to subtract and no maximum. Modes that do not flush have
//!    a threshold of zero, which no magnitude is below.
//! 4. Sign and magnitude of a negative two's complement is its negative with the sign set, that of -2^31 minus zero.
//! 5. If no lane moves, no row is touched or marked. If some do, all four rows are marked as written, and words that
//!    nobody writes are written back unchanged.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::sfpstore::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Access, Chip, Tensix};

use super::dst::DstRows;
use super::instruction::{Code, Config, Decoded, Instruction, thread_of};
use super::rwcs::{Counters, apply_partial_addr_mod};
use super::sfpu::{self, Address, Stack, bit, every_row};
use crate::bits::all_if;
use crate::vector::Vector;

/// What happens to every datum of one instruction.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    /// Whether the datum has 32 bits in `Dst`.
    wide: bool,
    /// All bits if negative data are two's complement, else none.
    complement: u32,
    /// What is taken from the magnitude: 112 in the place of the exponent for FP16, else zero.
    rebias: u32,
    /// The largest magnitude.
    largest: u32,
    /// Magnitudes below this one become zero.
    smallest: u32,
    /// Bits that come from the datum in place.
    in_place: u32,
    /// Bits that come from the datum shifted left by `up`.
    left: u32,
    /// How far to the left.
    up: u8,
    /// Bits that come from the datum shifted right by `down`.
    right: u32,
    /// How far to the right.
    down: u8,
    /// Bits that are always set.
    ones: u32,
}

const SIGN: u32 = 1 << 31;
/// The smallest magnitude of FP32 that is no denormal.
const NORMAL: u32 = 1 << 23;

const NOTHING: Recipe = Recipe {
    wide: false,
    complement: 0,
    rebias: 0,
    largest: !SIGN,
    smallest: 0,
    in_place: 0,
    left: 0,
    up: 16,
    right: 0,
    down: 16,
    ones: 0,
};

const fn recipe(chip: Chip, mode: u32) -> Recipe {
    let complement = match chip {
        Chip::Wormhole => !0,
        Chip::Blackhole => 0,
    };
    let bf16 =
        Recipe { smallest: NORMAL, in_place: SIGN, left: 0x7f00_0000, up: 8, right: 0x00ff_0000, down: 7, ..NOTHING };
    let fp32 = Recipe { wide: true, in_place: SIGN | 0xffff, ..bf16 };
    let int32 = Recipe { smallest: 0, ..fp32 };
    // The exponent of FP16 that an integer has is 16.
    let int8 = Recipe { in_place: SIGN, left: 0x3ff << 21, up: 21, ones: 16 << 16, ..NOTHING };
    match mode {
        mod0::FP16 => {
            Recipe { rebias: 112 << 23, largest: (32 << 23) - 1, left: 0x3ff << 21, right: 0x1f << 16, ..bf16 }
        }
        mod0::BF16 => bf16,
        mod0::FP32 => fp32,
        mod0::INT32 | mod0::INT32_ALL => int32,
        mod0::INT32_SM => Recipe { complement, ..int32 },
        mod0::INT8 => int8,
        mod0::INT8_COMP => Recipe { complement, ..int8 },
        mod0::INT16 => Recipe { in_place: SIGN, left: 0x7fff_0000, ..NOTHING },
        mod0::UINT16 | mod0::LO16_ONLY => Recipe { left: 0xffff_0000, ..NOTHING },
        mod0::HI16_ONLY => Recipe { in_place: 0xffff_0000, ..NOTHING },
        mod0::LO16 => Recipe { wide: true, left: 0xffff_0000, right: 0xffff, ..NOTHING },
        mod0::HI16 => Recipe { wide: true, in_place: !0, ..NOTHING },
        // ZERO, and SRCB, which is always resolved.
        _ => NOTHING,
    }
}

sfpu::recipes!(Recipe, NOTHING);

/// `SFPSTORE`.
pub(crate) struct Sfpstore;

impl<V: Counters> Instruction<V> for Sfpstore {
    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        execute::<V>(level, step.chip, &step.code, tensix);
        Answer::Done
    }
}

#[inline(always)]
fn execute<V: Counters>(level: V::Level, chip: Chip, code: &Code, tensix: &mut Tensix<'_>) {
    let small = &mut *tensix.small;
    let thread = thread_of(small);
    let words = &small.thread_config[thread];
    let config = Config::of(small, thread);
    let mode = sfpu::resolve(chip, MOD0.get(code), config, words);
    let address = sfpu::address(chip, small, thread, mode, IMM10.get(code), Stack::Push);
    let vd = VD.get(code) as usize;
    store::<V>(level, chip, (mode, address), (vd, vd < 12), tensix);
    let addr_mod = match chip {
        Chip::Wormhole => ADDR_MOD.get(code),
        Chip::Blackhole => ADDR_MOD_BH.get(code),
    };
    apply_partial_addr_mod::<V>(level, chip, tensix.small, thread, addr_mod);
}

/// Stores a register in a mode, at an address. A register is stored by all lanes, or by those that have the back door shut.
#[inline(always)]
pub(super) fn store<V: Vector>(
    level: V::Level,
    chip: Chip,
    (mode, address): (u32, Address),
    (vd, is_of_all): (usize, bool),
    tensix: &mut Tensix<'_>,
) {
    let recipe = &recipes(chip)[mode as usize];
    let small = &*tensix.small;
    let lane_config = V::eight(level, &small.lane_config);
    let registers = V::having(lane_config, bit::DISABLE_BACKDOOR_LOAD) | (all_if(is_of_all) & 0xff);
    let open = registers & !V::having(lane_config, bit::BLOCK_DEST_WR_FROM_SFPU);
    let moving = sfpu::enabled::<V>(small, lane_config, mode) & every_row(open);
    let odd = address.odd | V::having(lane_config, bit::DEST_WR_COL_EXCHANGE);
    let rows = DstRows::new(chip, small);

    if moving != 0 {
        let mut views = tensix.views();
        let from = views.lreg(Access::Read, vd);
        let row = if recipe.wide { rows.adj32(address.row) } else { rows.adj16(address.row) };
        let to = views.dst(Access::Write, row, 4);
        // Two copies, in which nothing is asked for each lane.
        if recipe.wide {
            let low = views.dst(Access::Write, row + 8, 4);
            put_all::<V>(level, recipe, moving, odd, from, to, Some(low));
        } else {
            put_all::<V>(level, recipe, moving, odd, from, to, None);
        }
    }
}

/// Puts data into pairs of columns; if there are low halves, these are the high ones.
#[inline(always)]
fn put_all<V: Vector>(
    level: V::Level,
    recipe: &Recipe,
    moving: u32,
    odd: u32,
    from: &[Cell<u32>],
    to: &[Cell<u32>],
    low: Option<&[Cell<u32>]>,
) {
    // In two passes: a compiler makes better vectors of each than of both, a quarter at the portable level.
    let all = [const { Cell::new(0) }; 32];
    for chunk in 0..32 / V::LANES {
        recipe.bits(V::load(level, from, chunk)).store_all(&all, chunk);
    }
    for chunk in V::one_by_one(0..32 / V::LANES) {
        let bits = V::load(level, &all, chunk);
        let half = V::select(V::mask_by_eight(level, odd, chunk), bits.like(0xffff_0000), bits.like(0xffff));
        let open = V::select(V::mask_of(level, moving, chunk), half, bits.like(0));
        let (upper, lower) = (bits & bits.like(0xffff_0000), bits & bits.like(0xffff));
        put(level, to, chunk, open, upper | bits.shift_right_all(16));
        if let Some(low) = low {
            put(level, low, chunk, open, bits.shift_left_all(16) | lower);
        }
    }
}

/// Puts the bits of `from` that are `open` into a chunk of pairs of columns.
#[inline(always)]
fn put<V: Vector>(level: V::Level, to: &[Cell<u32>], chunk: usize, open: V, from: V) {
    let old = V::load(level, to, chunk);
    ((from & open) | (old & !open)).store_all(to, chunk);
}

impl Recipe {
    /// The bits for `Dst`.
    #[inline(always)]
    fn bits<V: Vector>(&self, data: V) -> V {
        let negative = data.shift_right_arithmetic(data.like(31)) & data.like(self.complement);
        // Of -2^31, the magnitude is zero: the sign is masked off.
        let magnitude = ((data ^ negative) - negative) & data.like(!SIGN);
        let magnitude = magnitude.max(data.like(self.rebias)) - data.like(self.rebias);
        let magnitude = magnitude.min(data.like(self.largest));
        // Differences of numbers below 2^31 are negative where the first number is less.
        let is_flushed = (magnitude - data.like(self.smallest)).is_negative();
        let data = (data & data.like(SIGN)) | V::select(is_flushed, data.like(0), magnitude);
        (data & data.like(self.in_place))
            | (data.shift_left_all(u32::from(self.up)) & data.like(self.left))
            | (data.shift_right_all(u32::from(self.down)) & data.like(self.right))
            | data.like(self.ones)
    }
}
