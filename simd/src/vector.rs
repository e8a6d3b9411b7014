//! Vectors of 32-bit lanes: what an instruction is written over, once for all levels.
//!
//! A [`Vector`] is as wide as its level has registers. It can only be made with the level's proof, and carries that proof
//! along; so whoever holds one may compute with it, and what is written over `V: Vector` is safe. Conditions are masks
//! of a type of their own, which bits of a word become, and which become bits of a word: bit = lane, the lowest bit for
//! the first lane.
//!
//! Nothing here knows an instruction. What a level does in a way of its own of one is a method of a trait that stands with
//! the instruction, with a default over vectors.
//!
//! Every method is to be inlined into a function that is compiled for the level, of which each level has one.

use std::cell::Cell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Sub};

/// Sixteen lanes, for any number of them in a vector. What is beyond them does not matter.
pub(crate) type Row<V> = [V; 4];

/// A few lanes of 32 bits, at one level. Sums and differences wrap.
pub(crate) trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// The value that proves that the CPU has the level.
    type Level: Copy;

    /// The vectors that every CPU has, for what is not worth a version for each level.
    type Portable: Vector;
    /// The proof that this one has them.
    const PORTABLE: <Self::Portable as Vector>::Level;

    /// A condition for each lane.
    type Mask: Copy;

    /// Eight words, of which bits are asked for.
    type Eight: Copy;

    /// How many lanes there are: a power of two, at most 32.
    const LANES: usize;

    /// Has `task` run, compiled for the level; with what it asks for beyond it if the CPU has that.
    fn run<T: Task<Self>>(level: Self::Level, task: T, on: &mut T::On) -> T::Output;

    /// The proof that this vector was made with.
    fn level(self) -> Self::Level;

    /// The same value in each lane.
    fn splat(level: Self::Level, value: u32) -> Self;

    /// The lanes of chunk `chunk` of `from`: those from `chunk * LANES` on.
    fn load(level: Self::Level, from: &[Cell<u32>], chunk: usize) -> Self;

    /// Puts all lanes into chunk `chunk` of `to`.
    fn store_all(self, to: &[Cell<u32>], chunk: usize);

    /// Puts the lanes of `which` into chunk `chunk` of `to`; the others of `to` keep their values.
    fn store(self, to: &[Cell<u32>], chunk: usize, which: Self::Mask);

    /// Shifts each lane left by that lane of `by`, which is below 32.
    fn shift_left(self, by: Self) -> Self;

    /// Shifts each lane right by that lane of `by`, which is below 32; zeros come in.
    fn shift_right(self, by: Self) -> Self;

    /// Shifts each lane right by that lane of `by`, which is below 32; signs come in.
    fn shift_right_arithmetic(self, by: Self) -> Self;

    /// Shifts each lane left by `by`, which is below 32.
    fn shift_left_all(self, by: u32) -> Self;

    /// Shifts each lane right by `by`, which is below 32; zeros come in.
    fn shift_right_all(self, by: u32) -> Self;

    /// The lesser one of two lanes, as numbers with sign.
    fn min(self, other: Self) -> Self;

    /// The greater one of two lanes, as numbers with sign.
    fn max(self, other: Self) -> Self;

    /// The sum of the products of the low and of the high halves of two lanes, as numbers with sign.
    fn multiply_pairs(self, other: Self) -> Self;

    /// The low and the high half of the product of two lanes, as numbers without sign.
    fn multiply_wide(self, other: Self) -> [Self; 2];

    /// The word of `table` at the place that each lane is; of a place only the lowest bits count. `N` is a power of two.
    fn look_up<const N: usize>(self, table: &[u32; N]) -> Self;

    /// How many zeros are above the highest one; 32 for zero.
    fn leading_zeros(self) -> Self;

    /// Where the highest bit is set.
    fn is_negative(self) -> Self::Mask;

    /// Where the lane is zero.
    fn is_zero(self) -> Self::Mask;

    /// Where the lane is greater than that of `other`, as numbers without sign.
    fn is_above(self, other: Self) -> Self::Mask;

    /// `yes` where `which` holds, else `no`.
    fn select(which: Self::Mask, yes: Self, no: Self) -> Self;

    /// The mask of the `LANES` low bits.
    fn mask(level: Self::Level, bits: u32) -> Self::Mask;

    /// The bits of a mask; those from `LANES` on are zero.
    fn bits(mask: Self::Mask) -> u32;

    /// The bits `bit` and `bit + 1` of each of eight words, those of the first word lowest.
    fn pairs_of_bits(level: Self::Level, words: &[u32; 8], bit: u32) -> u32;

    /// Takes eight words.
    fn eight(level: Self::Level, words: &[u32; 8]) -> Self::Eight;

    /// The mask of a chunk of lanes of which every eighth is alike: `pattern` has the bits of eight.
    #[inline(always)]
    fn mask_by_eight(level: Self::Level, pattern: u32, chunk: usize) -> Self::Mask {
        Self::mask(level, (pattern * 0x0101) >> (chunk * Self::LANES % 8))
    }

    /// The mask of a chunk of 32 lanes, of which `bits` are set.
    #[inline(always)]
    fn mask_of(level: Self::Level, bits: u32, chunk: usize) -> Self::Mask {
        Self::mask(level, bits >> (chunk * Self::LANES))
    }

    /// Those of the eight words that have bit `bit` (`0..16`), as bits.
    fn having(eight: Self::Eight, bit: u32) -> u32;

    /// Puts the low halves of 16 lanes, each of which is below 2^16, into a row of eight words, two in each, where `open` has
    /// the bit of the lane. The lanes are the first `16 / LANES` vectors.
    fn store_row(level: Self::Level, row: Row<Self>, open: u32, to: &[Cell<u32>]);

    /// The same for two rows, each with 16 bits of `open`.
    #[inline(always)]
    fn store_two_rows(level: Self::Level, [first, second]: [Row<Self>; 2], open: u32, to: &[Cell<u32>]) {
        Self::store_row(level, first, open & 0xffff, &to[..8]);
        Self::store_row(level, second, open >> 16, &to[8..]);
    }

    /// Takes a row of eight words apart: 16 lanes, each half of a word in one, the low half first.
    fn load_row(level: Self::Level, from: &[Cell<u32>]) -> Row<Self>;

    /// The numbers of rows or chunks, each of which is to be done by itself.
    #[inline(always)]
    fn one_by_one(numbers: Range<usize>) -> impl Iterator<Item = usize> {
        numbers
    }

    /// The same value in each lane of another vector of this level.
    #[inline(always)]
    fn like(self, value: u32) -> Self {
        Self::splat(self.level(), value)
    }
}

/// What is compiled for a level.
pub(crate) trait Task<V: Vector> {
    /// Whether it computes on floats, so that what the host is set to is put aside.
    const IS_FLOAT: bool = false;

    /// Whether it has fused steps of floats. Where a level is without them, a CPU may have them beyond it.
    const USES_FUSED: bool = false;

    /// Whether it adds products of integers to sums. A CPU may do both at once beyond the level.
    const USES_DOT: bool = false;

    /// What it works on. It is told beside the task, of which two words go in registers.
    type On: ?Sized;

    /// What it gives.
    type Output;

    /// Does it, with what the CPU has beyond the level if `EXTRA`.
    fn run<const EXTRA: bool>(self, level: V::Level, on: &mut Self::On) -> Self::Output;
}

/// A row of which each vector is `lanes`.
#[inline(always)]
pub(crate) fn row_of<V: Vector>(lanes: V) -> Row<V> {
    [lanes; 4]
}
