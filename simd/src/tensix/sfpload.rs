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
//! 5. Levels leave out the steps of 2 to 4 where a recipe has none of them.
//! 6. `MOD0_FMT_ZERO` reads the rows and keeps no bit of them.
//! 7. If no lane moves, no row is touched or marked. If some do, all four rows of `Dst` are read.
//! 8. The lanes that do not move keep their value by a blend or a mask, and so do the bits that a mode preserves; the
//!    `LReg` is marked as read then, so that there is a value to keep.

use tandem_isa::tensix::config::CFG_STATE_ID_StateID;
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH, IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, Tensix};
use tandem_isa::{Answer, State, Step};

use super::rwcs::apply_partial_addr_mod;
use super::sfpu::{self, DstRows, Lanes, Run, Stack, all_if, bit, every_row};

/// What happens to every datum of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Whether the datum has 32 bits in `Dst`.
    wide: bool,
    /// Bits that come from the datum in place.
    pub(crate) in_place: u32,
    /// Bits that come from the datum shifted left by seven.
    pub(crate) left: u32,
    /// Bits that come from the datum shifted right by `shift`.
    pub(crate) right: u32,
    /// How far to the right.
    pub(crate) shift: u32,
    /// What is added where the bits [`EXPONENT`] are not zero: 112 in the place of the exponent for FP16, else zero.
    pub(crate) rebias: u32,
    /// All bits if negative data become two's complement, else none.
    pub(crate) complement: u32,
    /// Bits of the `LReg` that keep their value.
    pub(crate) keep: u32,
}

impl Recipe {
    /// Whether the bits are the datum: no bias, no infinity, and no two's complement.
    #[inline(always)]
    pub(crate) const fn is_plain(&self) -> bool {
        self.rebias | self.complement == 0
    }
}

/// The five exponent bits of FP16 in the place of FP32's exponent.
pub(crate) const EXPONENT: u32 = 0x1f << 23;
/// The magnitude of FP16 with all bits set, rebiased.
pub(crate) const LARGEST: u32 = (0x1f + 112) << 23 | 0x3ff << 13;
/// What makes it infinity, by exclusive or.
pub(crate) const LARGEST_TO_INFINITY: u32 = LARGEST ^ 0xff << 23;

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
    /// The lanes of a row, of eight, in which the largest FP16 is infinity: none in other modes.
    pub(crate) infinite: u32,
}

/// What a level has to offer to `SFPLOAD`.
///
/// An implementation is also the proof that its methods may run. They are inlined into [`execute`], which the level
/// compiles for itself.
pub(crate) trait Kernels: Lanes {
    /// Loads 16-bit data.
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]);

    /// Loads 32-bit data from their high and low halves.
    fn wide(self, recipe: &Recipe, moves: Moves, from: [&Run; 2], to: &mut [u32; 32]);

    /// Puts the index of a lane's datum, `first` being that of row 0 and column 0 of the four rows, into the lanes that
    /// move.
    fn capture(self, moves: Moves, first: u32, to: &mut [u32; 32]);
}

/// Executes one `SFPLOAD`. Each level inlines this into a function that is compiled for the level.
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
    let address = sfpu::address(chip, small, thread, mode, IMM10.get(&code), Stack::Pop);
    let recipe = &recipes(chip)[mode as usize];

    let lane_config = kernels.lane_config(&small.lane_config);
    let vd = VD.get(&code) as usize;
    let moving = sfpu::enabled(kernels, small, lane_config, mode)
        & !every_row(kernels.pattern::<{ bit::BLOCK_SFPU_RD_FROM_DEST }>(lane_config))
        & all_if(vd < 8);
    let moves = Moves {
        moving,
        odd: address.odd | kernels.pattern::<{ bit::DEST_RD_COL_EXCHANGE }>(lane_config),
        infinite: kernels.pattern::<{ bit::ENABLE_FP16A_INF }>(lane_config) & all_if(mode == mod0::FP16),
    };
    let captured = moving
        & every_row(
            kernels.pattern::<{ bit::ENABLE_DEST_INDEX }>(lane_config)
                & kernels.pattern::<{ bit::CAPTURE_DEFAULT_DEST_INDEX }>(lane_config),
        )
        & all_if(vd < 4);
    let rows = DstRows::new(chip, small);

    if moving != 0 {
        if !moving | recipe.keep != 0 {
            let _ = tensix.lreg_row(vd);
        }
        if recipe.wide {
            let high = rows.adj32(address.row);
            let (from, to) = tensix.dst_runs_to_lreg([high, high + 8], vd);
            kernels.wide(recipe, moves, from, to);
        } else {
            let ([from], to) = tensix.dst_runs_to_lreg([rows.adj16(address.row)], vd);
            kernels.narrow(recipe, moves, from, to);
        }
        if captured != 0 {
            if captured != !0 {
                let _ = tensix.lreg_row(vd + 4);
            }
            kernels.capture(Moves { moving: captured, ..moves }, address.row << 4, tensix.lreg_row_mut(vd + 4));
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
