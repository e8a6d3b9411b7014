//! What `SFPLOAD` and `SFPSTORE` have in common: which mode, which four rows and which columns of `Dst`, which lanes.
//!
//! `MOD0_FMT_SRCB` is resolved; the terms of the address are added and masked once, and Blackhole's `Sp` moves where the
//! mode says so; `LaneConfig` becomes masks of 32 lanes, bit = lane. A lane's datum lies in one of two adjacent columns,
//! so a row of `Dst` is eight pairs, and four rows are 32 pairs in the order of lanes.
//!
//! What differs from the pages (SFPLOAD, SFPSTORE, Dst, VectorUnit), and why it is equal:
//! 1. The formats are a 16-bit set, and the selects of a format are shifts and masks.
//! 2. Terms are 32 bits wide and masked to 10 bits at the end; that is their sum modulo 1,024. The two terms of which
//!    `MOD0_FMT_INT32_ALL` and the other modes use only two bits change places by a select.
//! 3. Lane *n* has the configuration *n* & 7, so a bit of it is a pattern of eight lanes, repeated four times.
//! 4. The formats of `SrcB` for which `MOD0_FMT_SRCB` is `MOD0_FMT_BF16` are those with eight bits of exponent.

use tandem_isa::tensix::config::{self, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::tensix::{Chip, Small};

use super::instruction::Config;
use super::modes::EIGHT_BIT_EXPONENT;
use crate::bits::all_if;
use crate::vector::Vector;

/// The bits of a lane's configuration that instructions read.
pub(crate) mod bit {
    pub(crate) const ENABLE_FP16A_INF: u32 = 0;
    pub(crate) const DISABLE_BACKDOOR_LOAD: u32 = 1;
    pub(crate) const ENABLE_DEST_INDEX: u32 = 2;
    pub(crate) const CAPTURE_DEFAULT_DEST_INDEX: u32 = 3;
    pub(crate) const BLOCK_DEST_WR_FROM_SFPU: u32 = 4;
    pub(crate) const BLOCK_SFPU_RD_FROM_DEST: u32 = 5;
    pub(crate) const DEST_RD_COL_EXCHANGE: u32 = 6;
    pub(crate) const DEST_WR_COL_EXCHANGE: u32 = 7;
    pub(crate) const EXCHANGE_SRCB_SRCC: u32 = 8;
    /// The first of four bits, one for each row of lanes.
    pub(crate) const ROW_MASK: u32 = 12;
}

/// A pattern of eight lanes, for all 32.
#[inline(always)]
pub(crate) const fn every_row(pattern: u32) -> u32 {
    pattern * 0x0101_0101
}

/// The lanes for which `LaneEnabled` holds, or all of them in the mode that does not ask.
#[inline(always)]
pub(crate) fn enabled<V: Vector>(small: &Small, lane_config: V::Eight, mode: u32) -> u32 {
    let by_flags = small.lane_flags | !small.use_lane_flags_for_lane_enable;
    let mut masked = 0;
    for row in 0..4 {
        masked |= V::having(lane_config, bit::ROW_MASK + row) << (8 * row);
    }
    (by_flags & !masked) | all_if(mode == mod0::INT32_ALL)
}

/// The mode, which is never `MOD0_FMT_SRCB`.
#[inline(always)]
pub(crate) fn resolve(chip: Chip, mod0: u32, words: Config<'_>, thread: &[u16; THREAD_CONFIG_WORDS]) -> u32 {
    // The format that is selected is shifted to the low bits.
    let fmts = words.get(config::ALU_FORMAT_SPEC_REG1_SrcB) | words.get(config::ALU_FORMAT_SPEC_REG_SrcB_val) << 4;
    let selected = words.get(config::ALU_FORMAT_SPEC_REG_SrcB_override);
    let (fmts, selected) = match chip {
        Chip::Wormhole => (fmts, selected),
        Chip::Blackhole => {
            let enabled = blackhole::SFPU_DEST_FMT_Enable.get(thread);
            (fmts | blackhole::SFPU_DEST_FMT_Base.get(thread) << 8, (selected & !enabled) | enabled << 1)
        }
    };
    let fmt = (fmts >> (4 * selected)) & 0xf;
    let by_format = mod0::FP16 + ((EIGHT_BIT_EXPONENT >> fmt) & 1);
    let by_config = if words.get(config::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 { mod0::FP32 } else { by_format };
    if mod0 == mod0::SRCB { by_config } else { mod0 }
}
const _: () = assert!(mod0::BF16 == mod0::FP16 + 1);

/// `recipes(chip)`: what `recipe(chip, mode)` says, by resolved mode.
macro_rules! recipes {
    ($recipe:ty, $nothing:expr) => {
        /// The recipes of the chip, by resolved mode.
        const fn recipes(chip: Chip) -> &'static [$recipe; 16] {
            const fn table(chip: Chip) -> [$recipe; 16] {
                let mut recipes = [$nothing; 16];
                let mut mode = 0;
                while mode < 16 {
                    recipes[mode as usize] = recipe(chip, mode);
                    mode += 1;
                }
                recipes
            }
            static WORMHOLE: [$recipe; 16] = table(Chip::Wormhole);
            static BLACKHOLE: [$recipe; 16] = table(Chip::Blackhole);
            match chip {
                Chip::Wormhole => &WORMHOLE,
                Chip::Blackhole => &BLACKHOLE,
            }
        }
    };
}
pub(crate) use recipes;

/// The four rows of `Dst` and the columns, as the address says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// The first of four rows, a multiple of 4 below 1,024, as the pages number them.
    pub(crate) row: u32,
    /// Lanes `0..8`: all if the address says odd columns, else none.
    pub(crate) odd: u32,
}

/// When the stack pointer moves, in the mode that moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stack {
    /// Before it is used, and if it is not zero: `SFPLOAD`.
    Pop,
    /// After it was used: `SFPSTORE`.
    Push,
}

/// Forms the address, and moves Blackhole's `Sp`.
#[inline(always)]
pub(crate) fn address(chip: Chip, small: &mut Small, thread: usize, mode: u32, imm10: u32, stack: Stack) -> Address {
    let words = &small.thread_config[thread];
    let config = Config::of(small, thread);
    let offset = small.rwcs[thread].dst.wrapping_add(config.get(config::DEST_REGW_BASE_Base));
    let imm = imm10 + config::DEST_TARGET_REG_CFG_MATH_Offset.get(words);
    let all = all_if(mode == mod0::INT32_ALL);
    let address = match chip {
        Chip::Wormhole => imm.wrapping_add(offset & (!all | 3)),
        Chip::Blackhole => {
            let before = small.sp[thread] & 0x3ff;
            let incr = blackhole::SFPU_STACK_Incr.get(words) & all;
            let (used, after) = match stack {
                Stack::Pop => {
                    let popped = before.wrapping_sub(incr & all_if(before != 0)) & 0x3ff;
                    (popped, popped)
                }
                Stack::Push => (before, (before + incr) & 0x3ff),
            };
            let sp_offset = used + config.get(blackhole::DEST_SP_BASE_Base);
            small.sp[thread] = after;
            imm.wrapping_add(offset & (!all | 3)).wrapping_add(sp_offset & (all | 3))
        }
    };
    Address { row: address & 0x3fc, odd: all_if(address & 2 != 0) & 0xff }
}
