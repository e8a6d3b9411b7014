//! What the instructions of the Vector Unit that work on registers have in common.
//!
//! Which lanes take part is a word, computed once. If none does, no register is touched. A [`Lanewise`] instruction says
//! which two registers it reads and what becomes of a vector of lanes; here the vectors of both are loaded, and the
//! result is stored to `VD` under the lanes that take part. The tests that set flags are gathered to a word, and all
//! flags change at once. An instruction that is not of this kind is an [`Instruction`] by itself.
//!
//! What differs from the pages (VectorUnit and those of the instructions), and why it is equal:
//! 1. `lanewise` goes vector by vector: a lane reads and writes only what is its own, and each vector of lanes is read
//!    before it is written, so registers may be the same.
//! 2. `IsLaneEnabled` for all lanes is `LaneFlags | ~UseLaneFlagsForLaneEnable` without the lanes that `ROW_MASK` names.
//!    Nothing that an instruction writes changes that for a later lane.
//! 3. `VD == 16` has no code, so `VD < 8 || VD == 16` is `VD < 8` of a word. With 16, which `SFPLOADMACRO` schedules,
//!    flags stay. Otherwise nothing is done, and nothing is read.
//! 4. A lane that does not take part has its old word written back, and the row of `VD` is marked as written as a whole.
//! 5. If both operands are one register, it is loaded twice, and marked once.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::{Access, Chip, Small, Tensix};

use super::instruction::{Code, Decoded, Instruction, vd};
use super::sfpu::{bit, every_row};
use crate::vector::Vector;

/// An instruction whose result is a function of two registers, lane by lane.
pub(crate) trait Lanewise: Sized {
    /// What the word says, beside `VD`: the registers `c` and `b`, the same one twice if the instruction needs one only, and
    /// what is done.
    fn decode(chip: Chip, code: &Code) -> ([usize; 2], Self);

    /// The result.
    fn lanes<V: Vector>(&self, c: V, b: V) -> V;

    /// What flags are tested for, if they are, by the operand `c` or the result.
    #[inline(always)]
    fn test<V: Vector>(&self, _c: V, _result: V) -> Option<V::Mask> {
        None
    }

    /// What becomes of the flags.
    #[inline(always)]
    fn flags(&self) -> Flags {
        Flags { tested: 0, inverted: 0 }
    }
}

/// What becomes of the flags of the lanes that take part: each word has all bits set or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    /// Whether the test takes the place of the flag.
    pub(crate) tested: u32,
    /// Whether the flag is inverted thereafter.
    pub(crate) inverted: u32,
}

impl<V: Vector, L: Lanewise> Instruction<V> for L {
    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let taking_part = enabled(tensix.small);
        let Decoded { chip, code, .. } = step;
        compute::<V, L>(level, L::decode(chip, &code), vd(&code), taking_part, tensix);
        Answer::Done
    }
}

/// Computes the lanes of `taking_part`, to the register `vd` and to flags.
#[inline(always)]
pub(crate) fn compute<V: Vector, L: Lanewise>(
    level: V::Level,
    (registers, instruction): ([usize; 2], L),
    vd: usize,
    taking_part: u32,
    tensix: &mut Tensix<'_>,
) {
    if !is_written(vd) || taking_part == 0 {
        return;
    }
    let mut views = tensix.views();
    let [c, b] = registers;
    let (c, b) = (views.lreg(Access::Read, c), views.lreg(Access::Read, b));
    let to = views.lreg(Access::Write, vd);
    let mut tests = 0;
    for chunk in 0..32 / V::LANES {
        let first = chunk * V::LANES;
        let c = V::load(level, c, chunk);
        let result = instruction.lanes(c, V::load(level, b, chunk));
        result.store(to, chunk, V::mask(level, taking_part >> first));
        if let Some(test) = instruction.test(c, result) {
            tests |= V::bits(test) << first;
        }
    }
    let Flags { tested, inverted } = if vd < 8 { instruction.flags() } else { Flags { tested: 0, inverted: 0 } };
    let old = tensix.small.lane_flags;
    tensix.small.lane_flags = old ^ ((((old ^ tests) & tested) ^ inverted) & taking_part);
}

/// The tests of all lanes of a register, bit = lane.
#[inline(always)]
pub(crate) fn tests<V: Vector>(level: V::Level, of: &[Cell<u32>], test: impl Fn(V) -> V::Mask) -> u32 {
    (0..32 / V::LANES).fold(0, |tests, chunk| tests | V::bits(test(V::load(level, of, chunk))) << (chunk * V::LANES))
}

/// Words without sign, in the order of the signs and magnitudes that the lanes are.
#[inline(always)]
pub(crate) fn in_order<V: Vector>(lanes: V) -> V {
    lanes ^ (lanes.shift_right_arithmetic(lanes.like(31)) | lanes.like(1 << 31))
}

/// The lanes for which `LaneEnabled` holds.
#[inline(always)]
pub(crate) fn enabled(small: &Small) -> u32 {
    let masked = if small.lane_config.iter().fold(0, |any, word| any | word) & (0xf << bit::ROW_MASK) == 0 {
        0
    } else {
        row_mask(&small.lane_config)
    };
    (small.lane_flags | !small.use_lane_flags_for_lane_enable) & !masked
}

/// The lanes that `ROW_MASK` disables.
#[cold]
fn row_mask(lane_config: &[u32; 8]) -> u32 {
    lane_config.iter().enumerate().fold(0, |masked, (lane, word)| {
        // Four copies of four bits, seven bits apart, bring bit n to bit 8n.
        let rows = ((word >> bit::ROW_MASK) & 0xf) * 0x0020_4081;
        masked | (rows & 0x0101_0101) << lane
    })
}

/// Whether an instruction can write a register.
#[inline(always)]
pub(crate) const fn is_written(vd: usize) -> bool {
    vd < 8 || vd == 16
}

/// The lanes for which `VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD` holds. For what was scheduled that counts as set, and its
/// `VD` is 0 to 7 or 16, which no word has.
#[inline(always)]
pub(crate) fn front_door(small: &Small, vd: usize) -> u32 {
    if vd < 12 || vd == 16 {
        return !0;
    }
    let lanes = small.lane_config.iter().enumerate();
    every_row(lanes.fold(0, |lanes, (lane, word)| lanes | ((word >> bit::DISABLE_BACKDOOR_LOAD) & 1) << lane))
}
