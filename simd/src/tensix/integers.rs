//! Integer "8" of sources and integer "32" of `Dst`: how `matrix.rs` reads data, and how it adds numbers to `Dst`.
//!
//! A datum is masked, its sign applied to its magnitude, and zero taken instead where its exponent is zero. Numbers are added to
//! `Dst` two rows at a time; there data have sign and magnitude, in halves of 16 bits.
//!
//! What differs from the pages (MVMUL, ELWADD, ELWMUL, MatrixUnit, Dst), and why it is equal:
//! 1. `TruncateSrc` and the mask of a fidelity phase are one mask: both only take bits away before anything is looked at.
//! 2. `SaturateAddInt32` needs no 64 bits: where both operands have a sign that the sum does not have, the largest magnitude of
//!    that sign is taken; -2^31 becomes -(2^31 - 1) by a maximum.
//! 3. `DstEncodeInt32` and `DstDecodeInt32` are shifts and masks of halves: the high half has sign, the middle seven bits of the
//!    magnitude, and its eight high ones.
//! 4. Without `AddDst`, `Dst` counts as zero: a sum of two data is far from saturating.
//! 5. `Adj32` leaves the two low bits of a row in place, so four rows are one run, and eight are unless Blackhole swizzles.

use std::cell::Cell;

use tandem_isa::tensix::{Access, Views};

use super::dst::Place;
use crate::bits::all_if;
use crate::vector::{Row, Vector, row_of};

/// How the data of a source are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// The bits that are looked at.
    pub(crate) kept: u32,
    /// All bits if a datum counts although its exponent is zero, else none.
    pub(crate) not_flushed: u32,
}

impl Operand {
    /// `ReadSrcInt8`.
    #[inline(always)]
    fn read<V: Vector>(self, data: V) -> V {
        let data = data & data.like(self.kept);
        let is_flushed = ((data | data.like(self.not_flushed)) & data.like(0xff)).is_zero();
        let magnitude = data.shift_right_all(8) & data.like(0x3ff);
        let value = negated(data.shift_left_all(13).is_negative(), magnitude);
        V::select(is_flushed, data.like(0), value)
    }
}

/// How integers are read, and added to `Dst`, in pairs.
pub(crate) trait Integers: Vector {
    /// Reads data as two operands, in the low and the high halves of lanes.
    #[inline(always)]
    fn read_pairs([operand_low, operand_high]: [Operand; 2], low: Self, high: Self) -> Self {
        (operand_low.read(low) & low.like(0xffff)) | operand_high.read(high).shift_left_all(16)
    }

    /// Reads two rows of data as an operand, to two rows of eight words.
    #[inline(always)]
    fn read_two_rows(level: Self::Level, operand: Operand, from: [&[Cell<u32>]; 2], to: &[Cell<u32>]) {
        let mut rows = [row_of(Self::splat(level, 0)); 2];
        for half in 0..2 {
            for (chunk, lanes) in rows[half].iter_mut().enumerate().take(16 / Self::LANES) {
                *lanes = operand.read(Self::load(level, from[half], chunk)) & Self::splat(level, 0xffff);
            }
        }
        Self::store_two_rows(level, rows, !0, to);
    }

    /// Adds numbers to two rows of `Dst`, of which the high halves are in `high` and the low ones in `low`, or puts them
    /// there.
    #[inline(always)]
    fn add_two_rows(
        level: Self::Level,
        [first, second]: [Row<Self>; 2],
        adds: [bool; 2],
        high: &[Cell<u32>],
        low: &[Cell<u32>],
    ) {
        let (high0, low0) = sums(level, first, adds[0], &high[..8], &low[..8]);
        let (high1, low1) = sums(level, second, adds[1], &high[8..], &low[8..]);
        Self::store_two_rows(level, [high0, high1], !0, high);
        Self::store_two_rows(level, [low0, low1], !0, low);
    }
}

/// The negative of each lane of `which`, and the others as they are.
#[inline(always)]
pub(super) fn negated<V: Vector>(which: V::Mask, lanes: V) -> V {
    V::select(which, lanes.like(0) - lanes, lanes)
}

/// `DstDecodeInt32` of high and low halves.
#[inline(always)]
fn decoded<V: Vector>(high: V, low: V) -> V {
    let high_bits = (high & high.like(0xff)).shift_left_all(23);
    let magnitude = high_bits | (high & high.like(0x7f00)).shift_left_all(8) | low;
    negated(high.shift_left_all(16).is_negative(), magnitude)
}

/// `DstEncodeInt32`, as high and low halves.
#[inline(always)]
fn encoded<V: Vector>(value: V) -> (V, V) {
    let magnitude = negated(value.is_negative(), value);
    let sign = value.shift_right_all(16) & value.like(0x8000);
    let middle = magnitude.shift_right_all(8) & value.like(0x7f00);
    (sign | middle | magnitude.shift_right_all(23), magnitude & value.like(0xffff))
}

/// `SaturateAddInt32`.
#[inline(always)]
fn saturating_sum<V: Vector>(x: V, y: V) -> V {
    let sum = x + y;
    let has_overflowed = ((sum ^ x) & (sum ^ y)).is_negative();
    let largest = V::select(y.is_negative(), y.like(1 << 31), y.like(!0 >> 1));
    V::select(has_overflowed, largest, sum).max(y.like(1 << 31 | 1))
}

// ------------------------------------------------------------------------------------------------ to Dst

/// Rows of numbers, a chunk at a time.
pub(super) trait Numbers<V>: Copy {
    /// Chunk `chunk` of row `row`.
    fn numbers(&self, row: usize, chunk: usize) -> V;
}

/// Adds `N` rows of numbers to rows of `Dst`, or puts them there.
#[inline(always)]
pub(super) fn put<V: Integers, const N: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    to: Place,
    adds: bool,
    from: impl Numbers<V>,
) {
    let row = to.dst_row & (0x400 - N as u32);
    if N == 8 && to.rows.is_swizzled() {
        put_run::<V, 4>(level, views, to.rows.adj32(row), adds, from, 0);
        put_run::<V, 4>(level, views, to.rows.adj32(row + 4), adds, from, 4);
    } else {
        put_run::<V, N>(level, views, to.rows.adj32(row), adds, from, 0);
    }
}

/// The same from row `number` of the numbers on, for adjacent rows of `DstBits` from `first` on, which become valid.
#[inline(always)]
pub(super) fn put_run<V: Integers, const N: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    first: usize,
    adds: bool,
    from: impl Numbers<V>,
    number: usize,
) {
    if adds {
        views.dst_row_valid(Access::Read, first, N);
        views.dst(Access::Read, first, N);
        views.dst(Access::Read, first + 8, N);
    }
    let valid = views.dst_row_valid(Access::Write, first, N);
    let high = views.dst(Access::Write, first, N);
    let low = views.dst(Access::Write, first + 8, N);
    let added = |row: usize| adds & (valid[row].get() != 0);
    for pair in V::one_by_one(0..N.div_ceil(2)) {
        let mut numbers = [row_of(V::splat(level, 0)); 2];
        for (half, row) in numbers.iter_mut().enumerate().take(N) {
            for (chunk, lanes) in row.iter_mut().enumerate().take(16 / V::LANES) {
                *lanes = from.numbers(number + 2 * pair + half, chunk);
            }
        }
        if N == 1 {
            add_row(level, numbers[0], added(0), high, low);
        } else {
            let (high, low) = (&high[16 * pair..][..16], &low[16 * pair..][..16]);
            V::add_two_rows(level, numbers, [added(2 * pair), added(2 * pair + 1)], high, low);
        }
    }
    valid.iter().for_each(|valid| valid.set(1));
}

/// Adds numbers to those that a row of `Dst` holds, or to none, as high and low halves.
#[inline(always)]
fn sums<V: Vector>(
    level: V::Level,
    numbers: Row<V>,
    adds: bool,
    high: &[Cell<u32>],
    low: &[Cell<u32>],
) -> (Row<V>, Row<V>) {
    let added = V::splat(level, all_if(adds));
    let (old_high, old_low) = (V::load_row(level, high), V::load_row(level, low));
    let mut halves = (row_of(added), row_of(added));
    for chunk in 0..16 / V::LANES {
        let old = decoded(old_high[chunk], old_low[chunk]) & added;
        (halves.0[chunk], halves.1[chunk]) = encoded(saturating_sum(numbers[chunk], old));
    }
    halves
}

/// Adds numbers to a row of `Dst`, or puts them there.
#[inline(always)]
fn add_row<V: Vector>(level: V::Level, numbers: Row<V>, adds: bool, high: &[Cell<u32>], low: &[Cell<u32>]) {
    let (new_high, new_low) = sums(level, numbers, adds, high, low);
    V::store_row(level, new_high, !0, high);
    V::store_row(level, new_low, !0, low);
}
