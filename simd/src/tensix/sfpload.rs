//! `SFPLOAD`: move up to 32 data from `Dst` to an `LReg`, on both chips.
//!
//! The mode selects a [`Recipe`]; `sfpu.rs` gives rows, columns and lanes. The datum of a lane is brought to the upper
//! bits of 32 (its lower bits, in the 32-bit view, below), and becomes
//! `t & in_place | (t << 7) & left | (t >> shift) & right`: exponent bits go left, mantissa bits right. The exponent of
//! FP16 is then rebiased, infinity put in, and a sign and magnitude made two's complement, where the recipe says so.
//! At last the lanes that move are stored, and their index is captured. AddrMod advances the counters.
//!
//! What differs from the pages (SFPLOAD, commits 39304719 and 545c98a3 for Wormhole, 0f3f6b70 for Blackhole), and why it
//! is equal:
//! 1. The `switch` for each lane is a table for each chip, and one formula that every entry of it fits. No entry for a
//!    16-bit mode takes one of the lower 16 bits of `t`, so they may hold anything.
//! 2. Zero exponents of FP16 are not rebiased. Other modes add nothing, so it does not matter what their bits are.
//! 3. Infinity is asked for after rebiasing, in the lanes that have `ENABLE_FP16A_INF`; in other modes there are none.
//! 4. Two's complement of a negative datum is `(t ^ 0x7fffffff) + 1`; minus zero becomes zero.
//! 5. The steps of 2 to 4 are left out where a recipe has none of them.
//! 6. `MOD0_FMT_ZERO` reads the rows and keeps no bit of them.
//! 7. If no lane moves, no row is touched or marked. If some do, all four rows of `Dst` are read.
//! 8. The lanes that do not move keep their value by a blend or a mask, and so do the bits that a mode preserves; the
//!    `LReg` is marked as read then, so that there is a value to keep.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, VD, mod0};
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
    /// Bits that come from the datum in place.
    in_place: u32,
    /// Bits that come from the datum shifted left by seven.
    left: u32,
    /// Bits that come from the datum shifted right by `shift`.
    right: u32,
    /// How far to the right.
    shift: u32,
    /// What is added where the bits [`EXPONENT`] are not zero: 112 in the place of the exponent for FP16, else zero.
    rebias: u32,
    /// All bits if negative data become two's complement, else none.
    complement: u32,
    /// Bits of the `LReg` that keep their value.
    keep: u32,
}

impl Recipe {
    /// Whether the bits are the datum: no bias, no infinity, and no two's complement.
    #[inline(always)]
    const fn is_plain(&self) -> bool {
        self.rebias | self.complement == 0
    }
}

/// The five exponent bits of FP16 in the place of FP32's exponent.
const EXPONENT: u32 = 0x1f << 23;
/// The magnitude of FP16 with all bits set, rebiased.
const LARGEST: u32 = (0x1f + 112) << 23 | 0x3ff << 13;
/// What makes it infinity, by exclusive or.
const LARGEST_TO_INFINITY: u32 = LARGEST ^ 0xff << 23;

const SIGN: u32 = 1 << 31;

const NOTHING: Recipe =
    Recipe { wide: false, in_place: 0, left: 0, right: 0, shift: 16, rebias: 0, complement: 0, keep: 0 };

/// Sign and magnitude, the magnitude shifted down.
const fn integer(shift: u32, magnitude: u32) -> Recipe {
    Recipe { in_place: SIGN, right: magnitude, shift, ..NOTHING }
}

const fn recipe(chip: Chip, mode: u32) -> Recipe {
    let complement = match chip {
        Chip::Wormhole => !0,
        Chip::Blackhole => 0,
    };
    let bf16 = Recipe { in_place: SIGN, left: 0x7f80_0000, right: 0x007f_0000, shift: 8, ..NOTHING };
    let fp32 = Recipe { wide: true, in_place: SIGN | 0xffff, ..bf16 };
    match mode {
        mod0::FP16 => Recipe { left: EXPONENT, right: 0x3ff << 13, rebias: 112 << 23, ..bf16 },
        mod0::BF16 => bf16,
        mod0::FP32 | mod0::INT32 | mod0::INT32_ALL => fp32,
        mod0::INT32_SM => Recipe { complement, ..fp32 },
        mod0::INT8 => match chip {
            Chip::Wormhole => integer(21, 0x7f),
            Chip::Blackhole => integer(21, 0xff),
        },
        mod0::INT8_COMP => Recipe { complement, ..integer(21, 0x3ff) },
        mod0::INT16 => integer(16, 0x7fff),
        mod0::UINT16 | mod0::LO16 => Recipe { right: 0xffff, ..NOTHING },
        mod0::LO16_ONLY => Recipe { right: 0xffff, keep: 0xffff_0000, ..NOTHING },
        mod0::HI16 => Recipe { in_place: 0xffff_0000, ..NOTHING },
        mod0::HI16_ONLY => Recipe { in_place: 0xffff_0000, keep: 0xffff, ..NOTHING },
        // ZERO, and SRCB, which is always resolved.
        _ => NOTHING,
    }
}

sfpu::recipes!(Recipe, NOTHING);

/// `SFPLOAD`.
pub(crate) struct Sfpload;

impl<V: Counters> Instruction<V> for Sfpload {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        load::<V>(level, step.chip, &step.code, VD.get(&step.code) as usize, tensix);
        Answer::Done
    }
}

/// Loads a register, and returns from where.
#[inline(always)]
pub(super) fn load<V: Counters>(
    level: V::Level,
    chip: Chip,
    code: &Code,
    vd: usize,
    tensix: &mut Tensix<'_>,
) -> Address {
    let small = &mut *tensix.small;
    let thread = thread_of(small);
    let words = &small.thread_config[thread];
    let config = Config::of(small, thread);
    let mode = sfpu::resolve(chip, MOD0.get(code), config, words);
    let address = sfpu::address(chip, small, thread, mode, IMM10.get(code), Stack::Pop);
    let recipe = &recipes(chip)[mode as usize];

    let lane_config = V::eight(level, &small.lane_config);
    let moves = Moves {
        moving: sfpu::enabled::<V>(small, lane_config, mode)
            & !every_row(V::having(lane_config, bit::BLOCK_SFPU_RD_FROM_DEST))
            & all_if(vd < 8),
        odd: address.odd | V::having(lane_config, bit::DEST_RD_COL_EXCHANGE),
        infinite: V::having(lane_config, bit::ENABLE_FP16A_INF) & all_if(mode == mod0::FP16),
    };
    let capturing =
        V::having(lane_config, bit::ENABLE_DEST_INDEX) & V::having(lane_config, bit::CAPTURE_DEFAULT_DEST_INDEX);
    let captured = moves.moving & every_row(capturing) & all_if(vd < 4);
    let rows = DstRows::new(chip, small);

    if moves.moving != 0 {
        let mut views = tensix.views();
        if !moves.moving | recipe.keep != 0 {
            views.lreg(Access::Read, vd);
        }
        let to = views.lreg(Access::Write, vd);
        let row = if recipe.wide { rows.adj32(address.row) } else { rows.adj16(address.row) };
        let from = views.dst(Access::Read, row, 4);
        let low = recipe.wide.then(|| views.dst(Access::Read, row + 8, 4));
        // Four copies, in which nothing is asked for each lane.
        match (low, recipe.is_plain()) {
            (None, true) => put::<V>(level, recipe, true, moves, from, None, to),
            (None, false) => put::<V>(level, recipe, false, moves, from, None, to),
            (Some(low), true) => put::<V>(level, recipe, true, moves, from, Some(low), to),
            (Some(low), false) => put::<V>(level, recipe, false, moves, from, Some(low), to),
        }
        if captured != 0 {
            if captured != !0 {
                views.lreg(Access::Read, vd + 4);
            }
            capture::<V>(level, captured, moves.odd, address.row << 4, views.lreg(Access::Write, vd + 4));
        }
    }

    let addr_mod = match chip {
        Chip::Wormhole => ADDR_MOD.get(code),
        Chip::Blackhole => ADDR_MOD_BH.get(code),
    };
    apply_partial_addr_mod::<V>(level, chip, tensix.small, thread, addr_mod);
    address
}

/// What the lanes do; bit = lane.
#[derive(Clone, Copy, Debug)]
struct Moves {
    /// The lanes that move, of 32.
    moving: u32,
    /// The lanes of a row, of eight, whose column is odd.
    odd: u32,
    /// The lanes of a row, of eight, in which the largest FP16 is infinity: none in other modes.
    infinite: u32,
}

/// Puts data into a register, from pairs of columns; if there are low halves, these are the high ones.
#[inline(always)]
fn put<V: Vector>(
    level: V::Level,
    recipe: &Recipe,
    is_plain: bool,
    moves: Moves,
    from: &[Cell<u32>],
    low: Option<&[Cell<u32>]>,
    to: &[Cell<u32>],
) {
    for chunk in 0..32 / V::LANES {
        let odd = V::mask_by_eight(level, moves.odd, chunk);
        let pairs = V::load(level, from, chunk);
        // The column that is chosen, in the upper half.
        let upper = V::select(odd, pairs, pairs.shift_left_all(16));
        let bits = match low {
            None => upper,
            Some(low) => {
                let pairs = V::load(level, low, chunk);
                let lower = V::select(odd, pairs.shift_right_all(16), pairs);
                (upper & upper.like(0xffff_0000)) | (lower & lower.like(0xffff))
            }
        };
        let data = recipe.datum(bits);
        let data = if is_plain { data } else { recipe.finish(data, V::mask_by_eight(level, moves.infinite, chunk)) };
        let kept = V::load(level, to, chunk) & V::splat(level, recipe.keep);
        (data | kept).store(to, chunk, V::mask_of(level, moves.moving, chunk));
    }
}

impl Recipe {
    /// The bits of data that come from bits of `Dst`.
    #[inline(always)]
    fn datum<V: Vector>(&self, bits: V) -> V {
        (bits & bits.like(self.in_place))
            | (bits.shift_left_all(7) & bits.like(self.left))
            | (bits.shift_right_all(self.shift) & bits.like(self.right))
    }

    /// Rebiases FP16, puts infinity in, and makes two's complement.
    #[inline(always)]
    fn finish<V: Vector>(&self, data: V, infinite: V::Mask) -> V {
        let is_small = (data & data.like(EXPONENT)).is_zero();
        let data = V::select(is_small, data, data + data.like(self.rebias));
        let is_largest = ((data & data.like(!SIGN)) ^ data.like(LARGEST)).is_zero();
        let to_infinity = V::select(infinite, data.like(LARGEST_TO_INFINITY), data.like(0));
        let data = V::select(is_largest, data ^ to_infinity, data);
        let negative = data.shift_right_arithmetic(data.like(31)) & data.like(self.complement);
        (data ^ negative.shift_right_all(1)) - negative
    }
}

/// Puts the index of a lane's datum, `first` being that of row 0 and column 0 of the four rows, into the lanes that are
/// captured.
#[inline(always)]
fn capture<V: Vector>(level: V::Level, captured: u32, odd: u32, first: u32, to: &[Cell<u32>]) {
    let mut places: [u32; 32] = std::array::from_fn(|lane| 16 * (lane as u32 / 8) + 2 * (lane as u32 % 8));
    let places = Cell::from_mut(&mut places[..]).as_slice_of_cells();
    for chunk in 0..32 / V::LANES {
        let column = V::select(V::mask_by_eight(level, odd, chunk), V::splat(level, 1), V::splat(level, 0));
        let indices = V::load(level, places, chunk) + V::splat(level, first) + column;
        indices.store(to, chunk, V::mask_of(level, captured, chunk));
    }
}
