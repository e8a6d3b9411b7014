//! Vectors without intrinsics: arrays of a few words.
//!
//! Each operation goes through the words of the array without a branch, so the compiler makes vectors of them where the
//! target has any. A mask is a word for each lane, of which all bits are set or none.
//!
//! What differs from a word at a time, and why it is equal:
//! 1. Lanes do not depend on each other, so the width is free. Four words are a vector of SSE2. Eight measured no better;
//!    one measured better for shifts, and worse where two registers are read.
//! 2. A choice is by the bits of a mask, and all bits of its words are alike.
//! 3. The sixteen low bits of eight words are two squares of bits in numbers of 64, which three exchanges of blocks
//!    transpose; then each byte has one bit of all words.

use std::cell::Cell;
use std::hint::black_box;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Sub};

use crate::vector::{Row, Task, Vector};

/// The level that needs no proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

const LANES: usize = 4;

/// The masks of all bits: of a load the compiler makes one vector, where it would test the highest bit by itself.
const MASKS: [[u32; LANES]; 1 << LANES] = {
    let mut masks = [[0; LANES]; 1 << LANES];
    let mut place = 0;
    while place < LANES << LANES {
        let (bits, lane) = (place / LANES, place % LANES);
        masks[bits][lane] = ((bits as u32 >> lane) & 1).wrapping_neg();
        place += 1;
    }
    masks
};

/// A few words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(pub(super) [u32; LANES]);

impl Words {
    /// A word for each lane, from those of `self` and `other`.
    #[inline(always)]
    pub(super) fn zip(self, other: Self, word: impl Fn(u32, u32) -> u32) -> Self {
        Words(std::array::from_fn(|lane| word(self.0[lane], other.0[lane])))
    }

    /// Eight halves of words: the first of every two words in the low half.
    #[inline(always)]
    fn paired(Words([a0, b0, a1, b1]): Self, Words([a2, b2, a3, b3]): Self) -> Self {
        Words([a0, a1, a2, a3]) | Words([b0, b1, b2, b3]).shift_left_all(16)
    }

    /// All bits where `condition` holds, else none.
    #[inline(always)]
    fn where_(self, condition: impl Fn(u32) -> bool) -> Self {
        Words(self.0.map(|word| u32::from(condition(word)).wrapping_neg()))
    }
}

macro_rules! operators {
    ($($trait:ident :: $method:ident is $word:expr;)*) => {$(
        impl $trait for Words {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $word)
            }
        }
    )*};
}

operators! {
    BitAnd::bitand is |a, b| a & b;
    BitOr::bitor is |a, b| a | b;
    BitXor::bitxor is |a, b| a ^ b;
    Add::add is u32::wrapping_add;
    Sub::sub is u32::wrapping_sub;
}

impl Not for Words {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Words(self.0.map(|word| !word))
    }
}

impl Vector for Words {
    type Level = Portable;
    type Portable = Words;
    const PORTABLE: Portable = Portable;
    type Mask = Self;
    type Eight = Transposed;
    const LANES: usize = LANES;

    /// Inlined, an instruction would cost the others a stack frame.
    #[inline(never)]
    fn run<T: Task<Self>>(level: Portable, task: T, on: &mut T::On) -> T::Output {
        task.run::<false>(level, on)
    }

    #[inline(always)]
    fn level(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn splat(_: Portable, value: u32) -> Self {
        Words([value; LANES])
    }

    #[inline(always)]
    fn load(_: Portable, from: &[Cell<u32>], chunk: usize) -> Self {
        let from = &from[chunk * LANES..][..LANES];
        Words(std::array::from_fn(|lane| from[lane].get()))
    }

    #[inline(always)]
    fn store(self, to: &[Cell<u32>], chunk: usize, which: Self) {
        Self::select(which, self, Self::load(Portable, to, chunk)).store_all(to, chunk);
    }

    #[inline(always)]
    fn store_all(self, to: &[Cell<u32>], chunk: usize) {
        for (to, word) in to[chunk * LANES..][..LANES].iter().zip(self.0) {
            to.set(word);
        }
    }

    #[inline(always)]
    fn shift_left(self, by: Self) -> Self {
        self.zip(by, |word, by| word << (by & 31))
    }

    #[inline(always)]
    fn shift_right(self, by: Self) -> Self {
        self.zip(by, |word, by| word >> (by & 31))
    }

    #[inline(always)]
    fn shift_right_arithmetic(self, by: Self) -> Self {
        self.zip(by, |word, by| (word.cast_signed() >> (by & 31)).cast_unsigned())
    }

    #[inline(always)]
    fn shift_left_all(self, by: u32) -> Self {
        Words(self.0.map(|word| word << (by & 31)))
    }

    #[inline(always)]
    fn shift_right_all(self, by: u32) -> Self {
        Words(self.0.map(|word| word >> (by & 31)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |word, other| word.cast_signed().min(other.cast_signed()).cast_unsigned())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |word, other| word.cast_signed().max(other.cast_signed()).cast_unsigned())
    }

    #[inline(always)]
    fn multiply_pairs(self, other: Self) -> Self {
        let halves = |word: u32| (i32::from(word as i16), i32::from((word >> 16) as i16));
        self.zip(other, |word, other| {
            let ((low, high), (other_low, other_high)) = (halves(word), halves(other));
            (low * other_low).wrapping_add(high * other_high).cast_unsigned()
        })
    }

    #[inline(always)]
    fn multiply_wide(self, other: Self) -> [Self; 2] {
        let product = |word, other| u64::from(word) * u64::from(other);
        [self.zip(other, u32::wrapping_mul), self.zip(other, |word, other| (product(word, other) >> 32) as u32)]
    }

    #[inline(always)]
    fn look_up<const N: usize>(self, table: &[u32; N]) -> Self {
        const { assert!(N.is_power_of_two()) };
        Words(self.0.map(|place| table[place as usize % N]))
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        Words(self.0.map(u32::leading_zeros))
    }

    #[inline(always)]
    fn is_negative(self) -> Self {
        Words(self.0.map(|word| (word.cast_signed() >> 31).cast_unsigned()))
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        self.where_(|word| word == 0)
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self {
        self.zip(other, |word, other| u32::from(word > other).wrapping_neg())
    }

    #[inline(always)]
    fn select(which: Self, yes: Self, no: Self) -> Self {
        no ^ ((yes ^ no) & which)
    }

    #[inline(always)]
    fn mask(_: Portable, bits: u32) -> Self {
        Words(MASKS[bits as usize % MASKS.len()])
    }

    #[inline(always)]
    fn bits(mask: Self) -> u32 {
        mask.0.into_iter().enumerate().fold(0, |bits, (lane, word)| bits | (word & 1 << lane))
    }

    /// A compiler that sees through the numbers makes its vectors across rows, and gathers words for them: that costs
    /// `MOVA2D` of eight rows a quarter.
    #[inline(always)]
    fn one_by_one(numbers: Range<usize>) -> impl Iterator<Item = usize> {
        numbers.map(black_box)
    }

    /// Two words are taken as one number of 64 bits, four such numbers are brought together four bits apart, and at last
    /// their upper halves are brought down between the lower ones.
    #[inline(always)]
    fn pairs_of_bits(_: Portable, words: &[u32; 8], bit: u32) -> u32 {
        let pair = |index: usize| {
            let both = u64::from(words[2 * index]) | u64::from(words[2 * index + 1]) << 32;
            ((both >> bit) & 0x3_0000_0003) << (4 * index)
        };
        let all = pair(0) | pair(1) | pair(2) | pair(3);
        (all | all >> 30) as u32 & 0xffff
    }

    #[inline(always)]
    fn eight(_: Portable, words: &[u32; 8]) -> Transposed {
        let square = |shift: u32| {
            let bytes = words.iter().enumerate();
            transpose(bytes.fold(0, |square, (lane, word)| square | u64::from((word >> shift) & 0xff) << (8 * lane)))
        };
        Transposed([square(0), square(8)])
    }

    #[inline(always)]
    fn having(eight: Transposed, bit: u32) -> u32 {
        (eight.0[bit as usize / 8] >> (8 * (bit % 8))) as u32 & 0xff
    }

    #[inline(always)]
    fn store_row(level: Portable, row: Row<Self>, open: u32, to: &[Cell<u32>]) {
        for half in 0..2 {
            let lanes = Self::paired(row[2 * half], row[2 * half + 1]);
            let [first, second] = [8 * half, 8 * half + 4].map(|lane| Self::mask(level, open >> lane));
            let low = Words([0xffff; LANES]);
            let open = Self::paired(first & low, second & low);
            Self::select(open, lanes, Self::load(level, to, half)).store_all(to, half);
        }
    }

    #[inline(always)]
    fn load_row(level: Portable, from: &[Cell<u32>]) -> Row<Self> {
        let [left, right] = [0, 1].map(|half| Self::load(level, from, half));
        let pairs = |Words(words): Self, pair: usize| {
            let [first, second] = [words[pair], words[pair + 1]];
            Words([first & 0xffff, first >> 16, second & 0xffff, second >> 16])
        };
        [pairs(left, 0), pairs(left, 2), pairs(right, 0), pairs(right, 2)]
    }
}

/// Sixteen bits of eight words, transposed: byte *n* of the first or the second number has bit *n*, or 8 + *n*, of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transposed([u64; 2]);

/// Exchanges bit 8i + j and bit 8j + i, for all i and j.
#[inline]
const fn transpose(square: u64) -> u64 {
    let square = exchange(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = exchange(square, 14, 0x0000_cccc_0000_cccc);
    exchange(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// Exchanges the bits `which` and those `distance` above them.
#[inline]
const fn exchange(square: u64, distance: u32, which: u64) -> u64 {
    let differing = (square ^ (square >> distance)) & which;
    square ^ differing ^ (differing << distance)
}
