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

use tandem_isa::tensix::config::CFG_STATE_ID_StateID;
use tandem_isa::tensix::inst::sfpstore::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, Tensix};
use tandem_isa::{Answer, State, Step};

use super::rwcs::apply_partial_addr_mod;
use super::sfpu::{self, DstRows, Lanes, Run, Stack, all_if, bit, every_row};

/// What happens to every datum of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Whether the datum has 32 bits in `Dst`.
    wide: bool,
    /// All bits if negative data are two's complement, else none.
    pub(crate) complement: u32,
    /// What is taken from the magnitude: 112 in the place of the exponent for FP16, else zero.
    pub(crate) rebias: u32,
    /// The largest magnitude.
    pub(crate) largest: u32,
    /// Magnitudes below this one become zero.
    pub(crate) smallest: u32,
    /// Bits that come from the datum in place.
    pub(crate) in_place: u32,
    /// Bits that come from the datum shifted left by `up`.
    pub(crate) left: u32,
    /// How far to the left.
    pub(crate) up: u32,
    /// Bits that come from the datum shifted right by `down`.
    pub(crate) right: u32,
    /// How far to the right.
    pub(crate) down: u32,
    /// Bits that are always set.
    pub(crate) ones: u32,
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

/// The recipes of the chip, by resolved mode.
pub(crate) const fn recipes(chip: Chip) -> &'static [Recipe; 16] {
    const fn table(chip: Chip) -> [Recipe; 16] {
        let mut recipes = [NOTHING; 16];
        let mut mode = 0;
        while mode < 16 {
            recipes[mode as usize] = recipe(chip, mode);
            mode += 1;
        }
        recipes
    }
    static WORMHOLE: [Recipe; 16] = table(Chip::Wormhole);
    static BLACKHOLE: [Recipe; 16] = table(Chip::Blackhole);
    match chip {
        Chip::Wormhole => &WORMHOLE,
        Chip::Blackhole => &BLACKHOLE,
    }
}

/// What the lanes do; bit = lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    /// The lanes that move, of 32.
    pub(crate) moving: u32,
    /// The lanes of a row, of eight, whose column is odd.
    pub(crate) odd: u32,
}

/// What a level has to offer to `SFPSTORE`.
///
/// An implementation is also the proof that its methods may run. They are inlined into [`execute`], which the level
/// compiles for itself.
pub(crate) trait Kernels: Lanes {
    /// Stores 16-bit data.
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run);

    /// Stores 32-bit data to their high and low halves.
    fn wide(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: [&mut Run; 2]);
}

/// Executes one `SFPSTORE`. Each level inlines this into a function that is compiled for the level.
#[inline(always)]
pub(crate) fn execute<K: Kernels>(kernels: K, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let [code] = *step.code else { return Answer::Unsupported };
    let code = [code];
    let mut tensix = Tensix::new(state);
    let small = &mut *tensix.small;
    let thread = (small.current_thread as usize).min(2);
    let words = &small.thread_config[thread];
    let config = &small.config[CFG_STATE_ID_StateID.get(words) as usize];
    let mode = sfpu::resolve(chip, MOD0.get(&code), config, words);
    let address = sfpu::address(chip, small, thread, mode, IMM10.get(&code), Stack::Push);
    let recipe = &recipes(chip)[mode as usize];

    let lane_config = kernels.lane_config(&small.lane_config);
    let vd = VD.get(&code) as usize;
    let registers = kernels.pattern::<{ bit::DISABLE_BACKDOOR_LOAD }>(lane_config) | (all_if(vd < 12) & 0xff);
    let open = registers & !kernels.pattern::<{ bit::BLOCK_DEST_WR_FROM_SFPU }>(lane_config);
    let moves = Moves {
        moving: sfpu::enabled(kernels, small, lane_config, mode) & every_row(open),
        odd: address.odd | kernels.pattern::<{ bit::DEST_WR_COL_EXCHANGE }>(lane_config),
    };
    let rows = DstRows::new(chip, small);

    if moves.moving != 0 {
        if recipe.wide {
            let high = rows.adj32(address.row);
            let (from, to) = tensix.lreg_to_dst_runs(vd, [high, high + 8]);
            kernels.wide(recipe, moves, from, to);
        } else {
            let (from, to) = tensix.lreg_to_dst_run(vd, rows.adj16(address.row));
            kernels.narrow(recipe, moves, from, to);
        }
    }

    let addr_mod = match chip {
        Chip::Wormhole => ADDR_MOD.get(&code),
        Chip::Blackhole => ADDR_MOD_BH.get(&code),
    };
    let small = &mut *tensix.small;
    apply_partial_addr_mod(kernels, chip, &mut small.rwcs[thread], &small.thread_config[thread], addr_mod);
    Answer::Done
}
