//! The rows of `DPAS`, for all levels: what a kernel makes of weights, activations and accumulators.
//!
//! A vector has a channel in each lane. Weights are loaded as double words and taken apart; the activations of all eight rows
//! of a block were made ready before, and are broadcast. The rows are summed side by side, so that they do not wait for
//! each other, and none is stored before all is read. Each level has the products of floats ([`Products`]) and, but for the
//! portable one, those of integers and the order in which these are multiplied ([`Dot`]), with what its CPU has beyond it.
//!
//! What differs from the page and the models, and why it is equal:
//! 1. Integers are multiplied two or four to a lane. Of a double word of weights, every eighth bit or every sixteenth one
//!    begins an element of the same vector, so that taking apart is a shift and a mask; activations are put into the same
//!    order. All is modulo 2^32, and the order of such a sum does not matter.
//! 2. An element becomes signed in its part of a lane by taking its sign off twice, which never borrows of the next part:
//!    a bit above it is set before and cleared thereafter.
//! 3. Vectors may hold elements beyond the last product: there, activations stand for 0.
//! 4. Where a level multiplies unsigned by signed numbers only, it changes activations by a constant; what that makes too
//!    much is the same multiple of the sum of a channel's weights in every row ([`Dot::arrange`]).
//! 5. The product of two `HF`s has 22 bits and an exponent within that of an `F`, so it is exact, and a fused step rounds
//!    like a product and a sum.
//! 6. A NaN may be any on its way, and becomes the canonical one at the end, or the first one among the operands of its
//!    row, which is looked for again: no operation makes a number of a NaN.
//! 7. Arithmetic of the CPU is used where it rounds to nearest and keeps denormals, else that of `soft.rs`. Sums of rows
//!    that are exact or truncate are always made there, channel by channel.
//! 8. Elements of 16 bits are flushed two at a time; accumulators after they were widened: a denormal of a type is less than
//!    its smallest normal number as an `F`, too. Where nothing can be flushed and a NaN is the canonical one, the rows are compiled without any of it.
//! 9. A sum to which the accumulator comes last begins with -0: that and the first product are this product, whatever its
//!    sign.

use std::cell::Cell;

use tandem_isa::visa::model::{Nan, Sum};

use super::dpas::{ACTIVATIONS, Datum, Finish, Float, Flushed, Integer, MOST_ROWS, Operands, Places, Recipe, Work};
use super::soft::{self, F_INFINITY, F_NAN, F_SIGN};
use crate::vector::Vector;

/// What a level has to offer to `DPAS`, beside vectors.
pub(crate) trait Products: Vector {
    /// Whether a fused step is as fast as a product.
    const HAS_FUSED: bool;

    /// Sixteen lanes.
    type Row: Copy + AsRef<[Self]> + AsMut<[Self]>;

    /// Sixteen lanes, vectors of which are all this one.
    fn row(self) -> Self::Row;

    /// Has `task` run, compiled for the level; with what it uses beyond it if the CPU has that.
    fn run<T: Task<Self>>(level: Self::Level, task: T) -> T::Output;

    /// The double words from a byte on.
    fn load_bytes(level: Self::Level, from: &[u8], byte: usize) -> Self;

    /// The words from a byte on, one in each lane.
    fn load_halves(level: Self::Level, from: &[u8], byte: usize) -> Self;

    /// Stores as many lanes as there is room for: all of them, or half of sixteen.
    fn store_bytes(self, to: &mut [u8]);

    /// Stores the low halves of lanes, likewise; what is above them is zero.
    fn store_halves(self, to: &mut [u8]);

    /// Makes rows of integers.
    fn integers(level: Self::Level, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]);

    /// Whether the CPU's arithmetic is that of the model, compiled with `EXTRA`; asked within [`Products::run`].
    fn is_native<const EXTRA: bool>(level: Self::Level, sum: Sum) -> bool;

    /// The product of `F`s, as the CPU has it.
    fn product(self, other: Self) -> Self;

    /// The sum of `F`s, as the CPU has it.
    fn sum(self, other: Self) -> Self;

    /// `self * other + addend` of `F`s, rounded once, as the CPU has it.
    fn fused(self, other: Self, addend: Self) -> Self;

    /// The `F`s of the `HF`s in the low halves of lanes and in the high ones.
    #[inline(always)]
    fn singles(self) -> [Self; 2] {
        [single_of_half(self & self.like(0xffff)), single_of_half(self.shift_right_all(16))]
    }

    /// The `HF`s of `F`s, rounded to nearest even.
    #[inline(always)]
    fn halves(self) -> Self {
        half_of_single(self)
    }
}

/// A level that multiplies several integers in each lane.
pub(crate) trait Dot: Products {
    /// How many: 2 or 4.
    const PER_LANE: usize;

    /// Activations, ready to be broadcast.
    type Arranged: Default;

    /// Puts the activations of all rows in the order of the weights, and gives what is too much in the end, in each part of a
    /// lane: activations whose products are to be taken off.
    fn arrange(
        recipe: &Recipe,
        pair: (Integer, Integer),
        from: &[u8; ACTIVATIONS],
        to: &mut Self::Arranged,
        level: Self::Level,
    ) -> u32;

    /// One of the activations, in each lane.
    fn activation(level: Self::Level, from: &Self::Arranged, place: usize) -> Self;

    /// Adds the products of all parts of each lane.
    fn dot<const EXTRA: bool, const IS_SIGNED: bool>(sum: Self, weights: Self, activations: Self) -> Self;
}

/// What is compiled for a level.
pub(crate) trait Task<V: Products> {
    /// Whether it computes on floats, not on integers.
    const IS_FLOAT: bool;

    /// What it gives.
    type Output;

    /// Does it, with what the CPU has beyond the level if `EXTRA`.
    fn run<const EXTRA: bool>(self, level: V::Level) -> Self::Output;
}

/// Makes rows in the file. Everything is read before anything is written. What a kernel is given is given by value down to
/// its call, so that it is put into memory there, and for no other kernel.
#[inline(always)]
pub(crate) fn rows<V: Products>(level: V::Level, work: Work, recipe: Recipe, places: Places, file: &mut [u8]) {
    match work {
        Work::Integers { weights, activations } => V::integers(level, recipe, (weights, activations), places, file),
        Work::Floats { float, sum, finish } => floats::<V>(level, recipe, (float, sum, finish), places, file),
    }
}

/// Puts results where they belong, each vector by `store`.
#[inline(always)]
fn write<V: Products>(
    recipe: &Recipe,
    places: &Places,
    file: &mut [u8],
    results: &[V::Row; MOST_ROWS],
    store: impl Fn(V, &mut [u8]),
) {
    let mut to = recipe.destination_of(places, file);
    // A vector may be longer than a row.
    let lanes = if recipe.channels == 16 { V::LANES } else { V::LANES.min(8) };
    let (vectors, bytes) = (recipe.channels / lanes, lanes * recipe.destination.bytes());
    for results in results {
        for &result in results.as_ref().iter().take(vectors) {
            let Some((first, rest)) = to.split_at_mut_checked(bytes) else { return };
            store(result, first);
            to = rest;
        }
    }
}

// ------------------------------------------------------------------------------------------------ integers

/// Rows of integers, with weights of `BITS` bits and rows of `STRIDE` activations.
struct IntegerRows<'a, V: Dot, const BITS: usize, const IS_SIGNED: bool, const STRIDE: usize> {
    recipe: Recipe,
    places: Places,
    file: &'a mut [u8],
    activations: &'a V::Arranged,
    too_much: u32,
}

macro_rules! by_shape {
    (($bits:expr, $is_signed:expr, $is_long:expr), $level:ident, $fields:tt, $($known:literal)*) => {
        match ($bits, $is_signed, $is_long) {
            $(
                ($known, false, false) => V::run($level, IntegerRows::<V, $known, false, 32> $fields),
                ($known, true, false) => V::run($level, IntegerRows::<V, $known, true, 32> $fields),
                ($known, false, true) => V::run($level, IntegerRows::<V, $known, false, 64> $fields),
                ($known, true, true) => V::run($level, IntegerRows::<V, $known, true, 64> $fields),
            )*
            _ => unreachable!("precisions have 1, 2, 4 or 8 bits"),
        }
    };
}

/// Rows of integers, at a level that multiplies several in each lane.
#[inline(always)]
pub(crate) fn integers<V: Dot>(
    level: V::Level,
    recipe: Recipe,
    pair: (Integer, Integer),
    places: Places,
    file: &mut [u8],
) {
    let mut arranged = V::Arranged::default();
    let too_much = V::arrange(&recipe, pair, places.operands(file).activations, &mut arranged, level);
    let activations = &arranged;
    let shape = (pair.0.bits, pair.0.is_signed, recipe.num_products > 32);
    by_shape!((shape.0, shape.1, shape.2), level, { recipe, places, file, activations, too_much }, 1 2 4 8);
}

impl<V: Dot, const BITS: usize, const IS_SIGNED: bool, const STRIDE: usize> Task<V>
    for IntegerRows<'_, V, BITS, IS_SIGNED, STRIDE>
{
    const IS_FLOAT: bool = false;
    type Output = ();

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level) {
        let Self { recipe, places, file, activations, too_much } = self;
        let operands = places.operands(file);
        let parts = 32 / V::PER_LANE / BITS;
        let row_bytes = if recipe.channels == 16 { 64 } else { 32 };
        let registers = (recipe.num_products * BITS).div_ceil(32).clamp(1, STRIDE / V::PER_LANE / parts);
        let nothing = V::splat(level, 0);
        let mut results = [nothing.row(); MOST_ROWS];
        for chunk in 0..16 / V::LANES {
            let first = chunk * 4 * V::LANES;
            if first >= row_bytes {
                break;
            }
            let mut sums = [nothing; MOST_ROWS];
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = V::load_bytes(level, operands.accumulators, row * row_bytes + first);
            }
            // With many registers, each row has two sums, which do not wait for each other.
            let mut others = [nothing; MOST_ROWS];
            let mut excess = [nothing; 2];
            for register in 0..registers {
                let words = V::load_bytes(level, operands.weights, register * row_bytes + first);
                for part in 0..parts {
                    let weights = unpacked::<V, BITS, IS_SIGNED>(words, part);
                    if too_much != 0 {
                        let products = V::splat(level, too_much);
                        excess[part % 2] = V::dot::<EXTRA, IS_SIGNED>(excess[part % 2], weights, products);
                    }
                    let sums = if V::LANES == 16 && part % 2 == 1 { &mut others } else { &mut sums };
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let place = row * (STRIDE / V::PER_LANE) + register * parts + part;
                        *sum = V::dot::<EXTRA, IS_SIGNED>(*sum, weights, V::activation(level, activations, place));
                    }
                }
            }
            let excess = excess[0] + excess[1];
            for (row, sum) in sums.into_iter().enumerate() {
                results[row].as_mut()[chunk] = sum + (others[row] - excess);
            }
        }
        write::<V>(&recipe, &places, file, &results, V::store_bytes);
    }
}

/// Every `parts`th weight of double words, in the parts of lanes.
#[inline(always)]
fn unpacked<V: Dot, const BITS: usize, const IS_SIGNED: bool>(words: V, part: usize) -> V {
    if BITS * V::PER_LANE == 32 {
        return words;
    }
    // A bit of each part of a lane.
    let ones = u32::MAX / ((1 << (32 / V::PER_LANE)) - 1);
    let bits = words.shift_right_all((BITS * part) as u32) & words.like(ones * ((1 << BITS) - 1));
    if !IS_SIGNED {
        return bits;
    }
    let (sign, above) = (words.like(ones << (BITS - 1)), words.like(ones << (32 / V::PER_LANE - 1)));
    (((bits ^ sign) | above) - sign) ^ above
}

// ------------------------------------------------------------------------------------------------ floats

/// `bf`.
const BF: u32 = 0;
/// `hf`.
const HF: u32 = 1;
/// `tf32`.
const TF32: u32 = 2;

/// The models, as they are compiled.
const SEQUENTIAL: u32 = Sum::Sequential as u32;
const FUSED: u32 = Sum::Fused as u32;
const PAIRWISE: u32 = Sum::Pairwise as u32;
const EXACT: u32 = Sum::SingleRounding as u32;
const LAST: u32 = Sum::AccumulatorLast as u32;
const CUT: u32 = Sum::Truncating as u32;

/// Rows of floats of a kind, by a model.
struct FloatRows<'a, const KIND: u32, const SUM: u32> {
    recipe: Recipe,
    places: Places,
    file: &'a mut [u8],
    /// The bits of `tf32` that are used.
    mask: u32,
    sum: Sum,
    finish: Finish,
}

#[inline(always)]
fn floats<V: Products>(
    level: V::Level,
    recipe: Recipe,
    (float, sum, finish): (Float, Sum, Finish),
    places: Places,
    file: &mut [u8],
) {
    let mask = if let Float::Tf32(mask) = float { mask } else { 0 };
    macro_rules! run {
        ($kind:ident, $sum:ident) => {
            V::run(level, FloatRows::<$kind, $sum> { recipe, places, file, mask, sum, finish })
        };
    }
    match (float, sum) {
        (Float::Hf, Sum::Sequential) if V::HAS_FUSED => run!(HF, FUSED),
        (Float::Bf, Sum::Sequential) => run!(BF, SEQUENTIAL),
        (Float::Hf, Sum::Sequential) => run!(HF, SEQUENTIAL),
        (Float::Tf32(_), Sum::Sequential | Sum::Pairwise) => run!(TF32, SEQUENTIAL),
        (Float::Bf, Sum::Fused) => run!(BF, FUSED),
        (Float::Hf, Sum::Fused) => run!(HF, FUSED),
        (Float::Tf32(_), Sum::Fused) => run!(TF32, FUSED),
        (Float::Bf, Sum::Pairwise) => run!(BF, PAIRWISE),
        (Float::Hf, Sum::Pairwise) => run!(HF, PAIRWISE),
        (Float::Bf, Sum::SingleRounding) => run!(BF, EXACT),
        (Float::Hf, Sum::SingleRounding) => run!(HF, EXACT),
        (Float::Tf32(_), Sum::SingleRounding) => run!(TF32, EXACT),
        (Float::Bf, Sum::AccumulatorLast) => run!(BF, LAST),
        (Float::Hf, Sum::AccumulatorLast) => run!(HF, LAST),
        (Float::Tf32(_), Sum::AccumulatorLast) => run!(TF32, LAST),
        (Float::Bf, Sum::Truncating) => run!(BF, CUT),
        (Float::Hf, Sum::Truncating) => run!(HF, CUT),
        (Float::Tf32(_), Sum::Truncating) => run!(TF32, CUT),
    }
}

impl<V: Products, const KIND: u32, const SUM: u32> Task<V> for FloatRows<'_, KIND, SUM> {
    const IS_FLOAT: bool = true;
    type Output = ();

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level) {
        if SUM != EXACT && SUM != CUT && !V::is_native::<EXTRA>(level, self.sum) {
            self.rows::<V, true, true>(level);
        } else if SUM == EXACT || SUM == CUT || !self.finish.is_nothing() {
            self.rows::<V, false, true>(level);
        } else {
            self.rows::<V, false, false>(level);
        }
    }
}

/// Sixteen words, of which a level has one vector or several.
type Words = [Cell<u32>; 16];

impl<const KIND: u32, const SUM: u32> FloatRows<'_, KIND, SUM> {
    /// Makes the rows: by `soft.rs` if `SOFT`, and with nothing flushed and canonical NaNs unless `FINISHED`.
    #[inline(always)]
    fn rows<V: Products, const SOFT: bool, const FINISHED: bool>(self, level: V::Level) {
        let Self { recipe, places, file, mask, finish, .. } = self;
        let operands = places.operands(file);
        let flushed = if FINISHED { finish.flushed } else { Flushed::default() };
        // Of a row, the lower ones of pairs in double words, then the higher ones, eight each. What a longer vector puts
        // behind them is overwritten by those that belong there.
        let factors = [const { Cell::new(0_u32) }; 16 * MOST_ROWS + 8];
        for row in 0..MOST_ROWS {
            let (low, high) = (&factors[16 * row..][..16], &factors[16 * row + 8..][..16]);
            for chunk in 0..8_usize.div_ceil(V::LANES) {
                let words = V::load_bytes(level, operands.activations, row * recipe.pitch / 8 + chunk * 4 * V::LANES);
                let singles = elements::<V, KIND>(words, mask, flushed.elements);
                singles[0].store_all(low, chunk);
                singles[1].store_all(high, chunk);
            }
        }
        let steps = (recipe.num_products / if KIND == TF32 { 1 } else { 2 }).clamp(1, 8);
        let row_bytes = if recipe.channels == 16 { 64 } else { 32 };
        let nothing = V::splat(level, 0);
        let mut results = [nothing.row(); MOST_ROWS];
        for chunk in 0..16 / V::LANES {
            let first = chunk * 4 * V::LANES;
            if first >= row_bytes {
                break;
            }
            let mut begun = accumulators(level, &recipe, operands, first);
            if flushed.accumulators {
                let below = if recipe.source == Datum::Hf { HF_NORMAL } else { F_NORMAL };
                for sum in &mut begun {
                    *sum = flushed_below(*sum, below);
                }
            }
            let mut sums = if SUM == LAST { [V::splat(level, F_SIGN); MOST_ROWS] } else { begun };
            if SUM == EXACT || SUM == CUT {
                let weights: [[Words; 2]; 8] = Default::default();
                for (step, [low, high]) in weights.iter().enumerate().take(steps) {
                    let words = V::load_bytes(level, operands.weights, step * row_bytes + first);
                    let singles = elements::<V, KIND>(words, mask, flushed.elements);
                    singles[0].store_all(low, 0);
                    singles[1].store_all(high, 0);
                }
                let guard = if SUM == CUT { Some(finish.guard) } else { None };
                for (row, sum) in sums.iter_mut().enumerate().take(recipe.num_rows) {
                    *sum = whole_sums::<V, KIND>(*sum, &weights[..steps], &factors[16 * row..][..16], guard);
                }
            } else {
                for step in 0..steps {
                    let words = V::load_bytes(level, operands.weights, step * row_bytes + first);
                    let weights = elements::<V, KIND>(words, mask, flushed.elements);
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let place = 16 * row + step;
                        let factors = [place, place + 8].map(|place| V::splat(level, factors[place].get()));
                        *sum = one_step::<V, SOFT, KIND, SUM>(*sum, weights, factors);
                    }
                }
            }
            for (row, sum) in sums.iter_mut().enumerate() {
                if SUM == LAST {
                    *sum = self::sum::<V, SOFT>(begun[row], *sum);
                }
                if flushed.sums {
                    *sum = flushed_below(*sum, F_NORMAL);
                }
            }
            if FINISHED && finish.nan == Nan::First {
                // A copy, so that the sums are not kept in memory where no NaN is looked for.
                let (sums, begun) = (sums, accumulators::<V>(level, &recipe, operands, first));
                let weights = (&operands.weights[first..], row_bytes);
                for (row, &sum) in sums.iter().enumerate() {
                    results[row].as_mut()[chunk] = sum;
                    if V::bits(is_nan(sum)) != 0 {
                        let nan = first_nan::<V, KIND>(begun[row], steps, weights, &factors[16 * row..][..16], mask);
                        results[row].as_mut()[chunk] = V::select(is_nan(sum), nan, sum);
                    }
                }
                continue;
            }
            for (row, sum) in sums.into_iter().enumerate() {
                results[row].as_mut()[chunk] = V::select(is_nan(sum), sum.like(F_NAN), sum);
            }
        }
        if recipe.destination == Datum::Word {
            write::<V>(&recipe, &places, file, &results, V::store_bytes);
            return;
        }
        for row in &mut results {
            for result in row.as_mut() {
                *result = if recipe.destination == Datum::Hf {
                    let half = result.halves();
                    if flushed.results { flushed_short(half, 1 << 10) } else { half }
                } else {
                    let short = rounded_to_bf(*result);
                    // The lowest bits of a NaN carry nothing into it.
                    let short =
                        if FINISHED { V::select(is_nan(*result), result.shift_right_all(16), short) } else { short };
                    if flushed.results { flushed_short(short, 1 << 7) } else { short }
                };
            }
        }
        write::<V>(&recipe, &places, file, &results, V::store_halves);
    }
}

/// The smallest `F` that is no denormal.
const F_NORMAL: u32 = 1 << 23;
/// The smallest `HF` that is no denormal, as an `F`.
const HF_NORMAL: u32 = (127 - 14) << 23;

/// Which `F`s are NaNs.
#[inline(always)]
fn is_nan<V: Vector>(single: V) -> V::Mask {
    (single & single.like(!F_SIGN)).is_above(single.like(F_INFINITY))
}

/// `F`s of which those below a magnitude are zeros of their sign.
#[inline(always)]
fn flushed_below<V: Vector>(single: V, below: u32) -> V {
    let distance = (single & single.like(!F_SIGN)) - single.like(below);
    V::select(distance.is_negative(), single & single.like(F_SIGN), single)
}

/// The same for floats of 16 bits.
#[inline(always)]
fn flushed_short<V: Vector>(short: V, below: u32) -> V {
    let distance = (short & short.like(0x7fff)) - short.like(below);
    V::select(distance.is_negative(), short & short.like(0x8000), short)
}

/// Pairs of floats of 16 bits, of which denormals are zeros of their sign; the mantissa has so many bits.
#[inline(always)]
fn flushed_pairs<V: Vector>(words: V, mantissa: u32) -> V {
    let exponents = words.like(0x0001_0001 * (0x8000 - (1 << mantissa)));
    // An exponent that is not 0 carries into the sign's place, and no further.
    let is_normal = ((words & exponents) + exponents) & words.like(0x8000_8000);
    let kept = is_normal.shift_right_all(15 - mantissa) - is_normal.shift_right_all(15);
    words & (kept | exponents | words.like(0x8000_8000))
}

/// In each lane the first NaN of an accumulator and, step by step, of weights, which have so many bytes a step, and factors,
/// made quiet; the canonical one if there is none.
#[inline(always)]
fn first_nan<V: Products, const KIND: u32>(
    accumulator: V,
    steps: usize,
    (weights, pitch): (&[u8], usize),
    factors: &[Cell<u32>],
    mask: u32,
) -> V {
    let nothing = accumulator.like(0);
    let mut found = V::select(is_nan(accumulator), accumulator, nothing);
    for step in 0..steps {
        let words = V::load_bytes(accumulator.level(), weights, step * pitch);
        for (half, weight) in widened::<V, KIND>(words, mask).into_iter().enumerate() {
            if KIND == TF32 && half == 1 {
                break;
            }
            for element in [weight, accumulator.like(factors[step + 8 * half].get())] {
                let nan = V::select(is_nan(element), element, nothing);
                found = V::select(found.is_zero(), nan, found);
            }
        }
    }
    V::select(found.is_zero(), found.like(F_NAN), found | found.like(QUIET))
}

/// The bit of an `F` that makes a NaN quiet.
const QUIET: u32 = 1 << 22;

/// The accumulators of eight rows, from a place in each on, as `F`s.
#[inline(always)]
fn accumulators<V: Products>(level: V::Level, recipe: &Recipe, operands: Operands<'_>, first: usize) -> [V; MOST_ROWS] {
    let row_bytes = if recipe.channels == 16 { 64 } else { 32 };
    let mut sums = [V::splat(level, 0); MOST_ROWS];
    match recipe.source {
        Datum::Word => {
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = V::load_bytes(level, operands.accumulators, row * row_bytes + first);
            }
        }
        Datum::Hf => {
            for (row, sum) in sums.iter_mut().enumerate() {
                let words = V::load_halves(level, operands.accumulators, (row * row_bytes + first) / 2);
                *sum = words.singles()[0];
            }
        }
        Datum::Bf => {
            for (row, sum) in sums.iter_mut().enumerate() {
                let words = V::load_halves(level, operands.accumulators, (row * row_bytes + first) / 2);
                *sum = words.shift_left_all(16);
            }
        }
    }
    sums
}

/// The `F`s of the double words' low halves and of their high ones; those of `tf32`, of which bits of a mask are used, are
/// all in the first.
#[inline(always)]
fn widened<V: Products, const KIND: u32>(words: V, mask: u32) -> [V; 2] {
    match KIND {
        BF => [words.shift_left_all(16), words & words.like(!0xffff)],
        HF => words.singles(),
        _ => [words & words.like(mask), words.like(0)],
    }
}

/// The same, of which denormals of the type are zeros if they are flushed.
#[inline(always)]
fn elements<V: Products, const KIND: u32>(words: V, mask: u32, are_flushed: bool) -> [V; 2] {
    let words = match KIND {
        _ if !are_flushed => words,
        BF => flushed_pairs(words, 7),
        HF => flushed_pairs(words, 10),
        _ => flushed_below(words & words.like(mask), F_NORMAL),
    };
    widened::<V, KIND>(words, mask)
}

/// The products of a double word of weights, and their sums.
#[inline(always)]
fn one_step<V: Products, const SOFT: bool, const KIND: u32, const SUM: u32>(
    before: V,
    weights: [V; 2],
    factors: [V; 2],
) -> V {
    let [first, second] = [0, 1].map(|place| [weights[place], factors[place]]);
    let add = sum::<V, SOFT>;
    match (SUM, KIND) {
        (FUSED, TF32) => fused::<V, SOFT>(first, before),
        (FUSED, _) => fused::<V, SOFT>(second, fused::<V, SOFT>(first, before)),
        (_, TF32) => add(before, product::<V, SOFT>(first)),
        (PAIRWISE, _) => add(before, add(product::<V, SOFT>(first), product::<V, SOFT>(second))),
        _ => add(add(before, product::<V, SOFT>(first)), product::<V, SOFT>(second)),
    }
}

/// Each lane summed as a whole and rounded once: exactly, or cut at so many guard bits.
#[inline(always)]
fn whole_sums<V: Products, const KIND: u32>(
    sums: V,
    weights: &[[Words; 2]],
    factors: &[Cell<u32>],
    guard: Option<u32>,
) -> V {
    let lanes = Words::default();
    sums.store_all(&lanes, 0);
    for (lane, sum) in lanes.iter().enumerate().take(V::LANES) {
        let pairs = weights.iter().enumerate().flat_map(|(step, weights)| {
            let pair = |which: usize| (weights[which][lane].get(), factors[8 * which + step].get());
            std::iter::once(pair(0)).chain((KIND != TF32).then(|| pair(1)))
        });
        sum.set(match guard {
            None => soft::exact_sum(pairs, sum.get()),
            Some(guard) => soft::truncated_sum(pairs, sum.get(), guard),
        });
    }
    V::load(sums.level(), &lanes, 0)
}

/// A product of `F`s: to nearest even, denormals kept, any NaN for a NaN; in integers if `SOFT`, as the sum and the fused step.
#[inline(always)]
fn product<V: Products, const SOFT: bool>([a, b]: [V; 2]) -> V {
    if SOFT { each_lane([a, b, b], |[a, b, _]| soft::product(a, b)) } else { a.product(b) }
}

#[inline(always)]
fn sum<V: Products, const SOFT: bool>(a: V, b: V) -> V {
    if SOFT { each_lane([a, b, b], |[a, b, _]| soft::sum(a, b)) } else { a.sum(b) }
}

#[inline(always)]
fn fused<V: Products, const SOFT: bool>([a, b]: [V; 2], c: V) -> V {
    if SOFT { each_lane([a, b, c], |[a, b, c]| soft::fused(a, b, c)) } else { a.fused(b, c) }
}

/// What `result` makes of the lanes of three vectors.
#[inline(always)]
fn each_lane<V: Vector>(operands: [V; 3], result: impl Fn([u32; 3]) -> u32) -> V {
    let words: [Words; 3] = Default::default();
    for (operand, words) in operands.into_iter().zip(&words) {
        operand.store_all(words, 0);
    }
    let [a, b, c] = &words;
    for ((a, b), c) in a.iter().zip(b).zip(c).take(V::LANES) {
        a.set(result([a.get(), b.get(), c.get()]));
    }
    V::load(operands[0].level(), &words[0], 0)
}

// ------------------------------------------------------------------------------------------------ short floats

/// The `F`s of the same value as `HF`s.
#[inline(always)]
fn single_of_half<V: Vector>(bits: V) -> V {
    let sign = (bits & bits.like(0x8000)).shift_left_all(16);
    let magnitude = bits & bits.like(0x7fff);
    let wide = magnitude.shift_left_all(13);
    let normal = wide + bits.like((127 - 15) << 23);
    // A denormal's leading bit becomes the implicit one.
    let zeros = (magnitude.leading_zeros() - bits.like(21)) & bits.like(31);
    let denormal = (wide.shift_left(zeros) & bits.like(0x007f_ffff)) + (bits.like(127 - 14) - zeros).shift_left_all(23);
    let denormal = V::select(magnitude.is_zero(), magnitude, denormal);
    let single = V::select(bits.like(0x400).is_above(magnitude), denormal, normal);
    sign | V::select(magnitude.is_above(bits.like(0x7bff)), wide | bits.like(F_INFINITY), single)
}

/// `F`s rounded to `HF`s. A NaN becomes quiet and keeps its sign and its highest bits.
#[inline(always)]
fn half_of_single<V: Vector>(bits: V) -> V {
    let magnitude = bits & bits.like(!F_SIGN);
    let exponent = magnitude.shift_right_all(23);
    let implicit = V::select(exponent.is_zero(), bits.like(0), bits.like(1 << 23));
    let significand = (magnitude & bits.like(0x007f_ffff)) | implicit;
    // How much lower than that of the smallest normal HF the exponent is; from twelve on, nothing is left.
    let lowest = bits.like(113);
    let shift = (lowest - exponent.min(lowest)).min(bits.like(12)) + bits.like(13);
    let one = bits.like(1);
    let odd = significand.shift_right(shift) & one;
    let rounded = (significand + one.shift_left(shift - one) - one + odd).shift_right(shift);
    let half = (exponent.max(lowest) - lowest).shift_left_all(10) + rounded;
    let nan = bits.like(0x7e00) | (magnitude.shift_right_all(13) & bits.like(0x3ff));
    let half = V::select(magnitude.is_above(bits.like(F_INFINITY)), nan, half.min(bits.like(0x7c00)));
    half | (bits.shift_right_all(16) & bits.like(0x8000))
}

/// `F`s rounded to `BF`s: the lowest bit that stays, and one less than half of it, carry into what stays. Of NaNs the
/// canonical one is in range.
#[inline(always)]
fn rounded_to_bf<V: Vector>(bits: V) -> V {
    let odd = bits.shift_right_all(16) & bits.like(1);
    (bits + bits.like(0x7fff) + odd).shift_right_all(16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::arch::portable::Portable;
    use crate::arch::portable::vector::Words as Few;
    #[cfg(target_arch = "x86_64")]
    use crate::arch::x86_64::{avx2::vector::Eight, avx512::vector::Sixteen};

    /// A word in each lane, there and back.
    fn lanes<V: Products>(level: V::Level, word: u32, change: impl Fn(V) -> V) -> u32 {
        let words = Words::default();
        change(V::splat(level, word)).store_all(&words, 0);
        words[V::LANES - 1].get()
    }

    fn check_short_floats<V: Products>(level: V::Level) {
        for bits in 0..=u16::MAX {
            let known = half::f16::from_bits(bits);
            let both = u32::from(bits) | u32::from(bits) << 16;
            let singles = [0, 1].map(|which| lanes::<V>(level, both, |words| words.singles()[which]));
            assert_eq!(singles[0], singles[1], "{bits:#x}");
            if !known.is_nan() {
                assert_eq!(singles[0], known.to_f32().to_bits(), "{bits:#x}");
            }
            // Around every HF and every midpoint.
            for step in [0u32, 1, 0xfff, 0x1000, 0x1001] {
                let single = singles[0].wrapping_add(step);
                if single & !F_SIGN <= F_INFINITY {
                    let expected = half::f16::from_f32(f32::from_bits(single)).to_bits();
                    assert_eq!(lanes::<V>(level, single, V::halves), expected.into(), "{single:#x}");
                }
            }
        }
        assert_eq!(lanes::<V>(level, F_NAN, V::halves), 0x7e00);
        assert_eq!(lanes::<V>(level, 0xff80_4001, V::halves), 0xfe02, "sign and highest bits stay");
    }

    #[test]
    fn pairs_of_short_floats_are_flushed_side_by_side() {
        for bits in 0..=u16::MAX {
            for (mantissa, exponent) in [(10, 0x7c00), (7, 0x7f80)] {
                let flushed = u32::from(if bits & exponent == 0 { bits & 0x8000 } else { bits });
                for other in [0, 0xffff] {
                    let (low, high) = (u32::from(bits) | other << 16, u32::from(bits) << 16 | other);
                    let flush = |word| lanes::<Few>(Portable, word, |words| flushed_pairs(words, mantissa));
                    assert_eq!([flush(low), flush(high)], [flushed | other << 16, flushed << 16 | other], "{bits:#x}");
                }
            }
        }
    }

    #[test]
    fn single_to_half_and_back_is_as_the_crate_half_has_it() {
        for level in Level::detect_all() {
            match level {
                Level::Portable => check_short_floats::<Few>(Portable),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(level) => check_short_floats::<Eight>(level),
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(level) => check_short_floats::<Sixteen>(level),
            }
        }
    }
}
