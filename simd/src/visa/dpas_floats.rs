//! Rows of `DPAS` of floats, for all levels.
//!
//! Weights are loaded as double words and taken apart; the activations of all eight rows of a block were made ready before,
//! and are broadcast. The rows are summed side by side, so that they do not wait for each other, and none is stored before all
//! is read.
//!
//! What differs from the page and the models, and why it is equal:
//! 1. The product of two `HF`s has 22 bits and an exponent within that of an `F`, so it is exact, and a fused step rounds
//!    like a product and a sum.
//! 2. A NaN may be any on its way, and becomes the canonical one at the end, or the first one among the operands of its
//!    row, which is looked for again: no operation makes a number of a NaN.
//! 3. Arithmetic of the CPU is used where it rounds to nearest and keeps denormals, else that of `soft.rs`. Sums of rows
//!    that are exact or truncate are always made there, channel by channel.
//! 4. Accumulators are flushed after they were widened. Where nothing can be flushed and a NaN is the canonical one, the rows
//!    are compiled without any of it.
//! 5. A sum to which the accumulator comes last begins with -0: that and the first product are this product, whatever its
//!    sign.

use std::cell::Cell;

use tandem_isa::visa::model::{Nan, Sum};

use super::dpas_recipe::{Datum, Finish, Float, Flushed, MOST_ROWS, Operands, Places, Recipe};
use super::dpas_rows::{Products, write};
use super::floats::{flushed_below, flushed_pairs, flushed_short, is_nan, rounded_to_bf};
use super::soft::{self, F_NAN, F_SIGN};
use crate::vector::{Task, Vector};

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
const LAST: u32 = Sum::AccumulatorLast as u32;
/// Rows are summed as a whole: exactly, or cut at guard bits.
const WHOLE: u32 = Sum::SingleRounding as u32;

/// Rows of floats of a kind, by a model.
struct FloatRows<const KIND: u32, const SUM: u32> {
    recipe: Recipe,
    places: Places,
    /// The bits of `tf32` that are used.
    mask: u32,
    /// Where a sum of a whole row is cut, if it is.
    guard: Option<u32>,
    finish: Finish,
}

/// Makes rows of floats.
#[inline(always)]
pub(super) fn floats<V: Products>(
    level: V::Level,
    recipe: Recipe,
    (float, sum, finish): (Float, Sum, Finish),
    places: Places,
    file: &mut [u8],
) {
    let mask = if let Float::Tf32(mask) = float { mask } else { 0 };
    let guard = (sum == Sum::Truncating).then_some(finish.guard);
    macro_rules! run {
        ($kind:ident, $sum:ident) => {
            V::run(level, FloatRows::<$kind, $sum> { recipe, places, mask, guard, finish }, file)
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
        (Float::Bf, Sum::AccumulatorLast) => run!(BF, LAST),
        (Float::Hf, Sum::AccumulatorLast) => run!(HF, LAST),
        (Float::Tf32(_), Sum::AccumulatorLast) => run!(TF32, LAST),
        (Float::Bf, Sum::SingleRounding | Sum::Truncating) => run!(BF, WHOLE),
        (Float::Hf, Sum::SingleRounding | Sum::Truncating) => run!(HF, WHOLE),
        (Float::Tf32(_), Sum::SingleRounding | Sum::Truncating) => run!(TF32, WHOLE),
    }
}

impl<V: Products, const KIND: u32, const SUM: u32> Task<V> for FloatRows<KIND, SUM> {
    const IS_FLOAT: bool = true;
    const USES_FUSED: bool = SUM == FUSED;
    type On = [u8];
    type Output = ();

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level, file: &mut [u8]) {
        if SUM != WHOLE && !V::is_native::<EXTRA>(level, SUM == FUSED) {
            self.rows::<V, true, true>(level, file);
        } else if SUM == WHOLE || !self.finish.is_nothing() {
            self.rows::<V, false, true>(level, file);
        } else {
            self.rows::<V, false, false>(level, file);
        }
    }
}

/// Sixteen words, of which a level has one vector or several.
type Words = [Cell<u32>; 16];

impl<const KIND: u32, const SUM: u32> FloatRows<KIND, SUM> {
    /// Makes the rows: by `soft.rs` if `SOFT`, and with nothing flushed and canonical NaNs unless `FINISHED`.
    #[inline(always)]
    fn rows<V: Products, const SOFT: bool, const FINISHED: bool>(self, level: V::Level, file: &mut [u8]) {
        let Self { recipe, places, mask, guard, finish } = self;
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
            if SUM == WHOLE {
                let weights: [[Words; 2]; 8] = Default::default();
                for (step, [low, high]) in weights.iter().enumerate().take(steps) {
                    let words = V::load_bytes(level, operands.weights, step * row_bytes + first);
                    let singles = elements::<V, KIND>(words, mask, flushed.elements);
                    singles[0].store_all(low, 0);
                    singles[1].store_all(high, 0);
                }
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
