//! `SFPCONFIG`: give eight lanes of `LReg[0]`, or an immediate, to `LReg[11]` to `LReg[14]`, to `LaneConfig` or to
//! `LoadMacroConfig`, on both chips.
//!
//! Which of eight lanes take part is eight bits, computed once; every fourth part of the 32 lanes does the same. A
//! register gets eight words, repeated, and a template or a sequence eight words. Of a lane's configuration and of its `Misc`, four
//! results are one formula: the old word is masked, and the value is put in by exclusive or.
//!
//! What differs from the pages (SFPCONFIG, commits 376743cf for Wormhole and f916ebc3 for Blackhole), and why it is equal:
//! 1. The loop over 32 lanes is one over eight: mask, flags, and value are those of `Lane & 7`, and lanes of one column have one
//!    configuration. So an exclusive or is made once, where the page makes it once in each of four lanes' own words.
//! 2. `LaneEnabled` is not asked: neither `ROW_MASK` nor the flags of lanes 8 to 31 matter. `DISABLE_BACKDOOR_LOAD` is not looked
//!    at: the page has no such test, and without this the bit could not be set.
//! 3. `old | value` is `(old & !value) ^ value`, and `old & value` is `(old & value) ^ 0`. Without a function the old word
//!    counts for nothing.
//! 4. An immediate has no bits above 15. What a page puts back there is what is kept of the old word. `Misc` is twelve bits of
//!    either: what a value has above is dropped where it is put in.
//! 5. The floats that Blackhole's page writes are the words of Wormhole's.
//! 6. `VD` of 9 and 10 change nothing, as the pages say of today's silicon; 16, which is scheduled, has no case. `LReg[0]` is
//!    read only if a word of it goes to the state; a template never comes from an immediate.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::immediate::sfpconfig::{IMM16, MOD1};
use tandem_isa::tensix::{Access, Small, Tensix};

use super::instruction::{Code, Decoded, Instruction, vd};
use crate::bits::{all_if_any, choose};
use crate::vector::Vector;

const IMM16_IS_VALUE: u32 = 1;
const IMM16_IS_LANE_MASK: u32 = 8;

/// What `LReg[11]` to `LReg[14]` get of an immediate: -1, 1/512, -0.67487759 and -0.34484843.
const DEFAULTS: [u32; 4] = [0xbf80_0000, 0x3b00_0000, 0xbf2c_c4c7, 0xbeb0_8ff9];

/// The bits of a lane's configuration.
const LANE_CONFIG: u32 = (1 << 18) - 1;

/// The bits of `Misc`.
const MISC: u32 = (1 << 12) - 1;

/// A `Mod1` without a function.
const WRITE: u32 = 0;

/// `SFPCONFIG`.
pub(crate) struct Sfpconfig;

impl<V: Vector> Instruction<V> for Sfpconfig {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let taking_part = taking_part(&code, tensix.small);
        let register = vd(&code);
        if taking_part == 0 || matches!(register, 9 | 10 | 16) {
            return Answer::Done;
        }
        let mod1 = MOD1.get(&code);
        let of_lanes = |tensix: &mut Tensix<'_>| {
            let lanes = tensix.lreg_row(0);
            std::array::from_fn::<_, 8, _>(|lane| lanes[lane])
        };
        // A template has more bits than an immediate.
        let is_immediate = mod1 & IMM16_IS_VALUE != 0 && register >= 4;
        if !matches!(register, 11..=14) {
            let values = if is_immediate { [IMM16.get(&code); 8] } else { of_lanes(tensix) };
            match register {
                15 => {
                    let bits = if is_immediate { 0xffff } else { LANE_CONFIG };
                    configure(mod1, taking_part, values, bits, &mut tensix.small.lane_config);
                }
                8 => configure(mod1, taking_part, values, MISC, &mut tensix.small.load_macro_misc),
                _ => configure(WRITE, taking_part, values, !0, tensix.load_macro_row_mut(register)),
            }
            return Answer::Done;
        }
        let words = if is_immediate { [DEFAULTS[register - 11]; 8] } else { of_lanes(tensix) };
        let mut all: [u32; 32] = std::array::from_fn(|lane| words[lane & 7]);
        let from = Cell::from_mut(&mut all[..]).as_slice_of_cells();
        let to = tensix.views().lreg(Access::Write, register);
        for chunk in 0..32 / V::LANES {
            V::load(level, from, chunk).store(to, chunk, V::mask_by_eight(level, taking_part, chunk));
        }
        Answer::Done
    }
}

/// The lanes that take part, of eight.
#[inline(always)]
fn taking_part(code: &Code, small: &Small) -> u32 {
    // Every second bit of the immediate, brought together by halves.
    let every_second = IMM16.get(code) & 0x5555;
    let in_pairs = (every_second | every_second >> 1) & 0x3333;
    let in_fours = (in_pairs | in_pairs >> 2) & 0x0f0f;
    let named = (in_fours | in_fours >> 4) & 0xff;
    let by_mask = named | !all_if_any(MOD1.get(code), IMM16_IS_LANE_MASK);
    by_mask & (small.lane_flags | !small.use_lane_flags_for_lane_enable) & 0xff
}

/// Writes or changes these bits of the configuration of lanes.
#[inline(always)]
fn configure(mod1: u32, taking_part: u32, values: [u32; 8], bits: u32, words: &mut [u32; 8]) {
    const BITWISE_OR: u32 = 2;
    const BITWISE_AND: u32 = 4;
    const BITWISE_XOR: u32 = 6;
    for (lane, (word, value)) in words.iter_mut().zip(values).enumerate() {
        let (kept, put_in) = match mod1 & 6 {
            BITWISE_OR => (!value, value),
            BITWISE_AND => (value, 0),
            BITWISE_XOR => (!0, value),
            _ => (0, value),
        };
        let result = (*word & kept) ^ put_in;
        let taking_part = (taking_part >> lane & 1).wrapping_neg();
        *word = choose(taking_part & bits, result, *word);
    }
}
