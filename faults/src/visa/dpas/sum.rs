//! Sums of floats, as the case's model has them.
//!
//! *Source*: page DPAS (pseudo-code, line 131; lines 226-230), and [`Sum`].

use tandem_isa::visa::DataType;
use tandem_isa::visa::model::Sum;
use tandem_isa::visa::operand::dpas::W;
use tandem_isa::visa::precision::Precision;

use super::exact::ExactSum;
use super::float::{Half, Rounding, flushed};
use super::place::Places;
use super::{Flaw, Run, Shape};

impl Run<'_> {
    /// An accumulator and all products of a row, as bits of an `F`.
    pub(super) fn float_sum(&self, shape: &Shape, places: &Places, acc: u32, a: &[u32], w: &[u32]) -> u32 {
        let accumulator = self.accumulator(shape, f32::from_bits(acc));
        let terms = self.terms(shape, a, w);
        let sum = if self.has(Flaw::DpasAccumulatorLast) {
            self.add(self.sum(places, 0.0, &terms, shape.ops), accumulator)
        } else {
            self.sum(places, accumulator, &terms, shape.ops)
        };
        self.result_bits(sum, accumulator)
    }

    fn accumulator(&self, shape: &Shape, value: f32) -> f32 {
        if self.has(Flaw::DpasAccumulatorDropped) {
            0.0
        } else if self.has(Flaw::DpasAccumulatorTwice) {
            value + value
        } else if self.has(Flaw::DpasAccumulatorFlushed) {
            flushed(value)
        } else if self.has(Flaw::DpasTf32Accumulator) && shape.w == Precision::Tf32 {
            f32::from_bits(self.tf32(value.to_bits()))
        } else {
            value
        }
    }

    /// The pairs that are multiplied, in the order of their sum.
    fn terms(&self, shape: &Shape, a: &[u32], w: &[u32]) -> Vec<(f32, f32)> {
        let pairs = a.iter().zip(w).map(|(&a, &w)| (f32::from_bits(a), f32::from_bits(w)));
        let mut terms: Vec<(f32, f32)> = pairs.collect();
        if self.has(Flaw::DpasOrderReversed) {
            terms.reverse();
        }
        if self.has(Flaw::DpasPairsReversed) {
            terms.chunks_mut(shape.ops).for_each(<[_]>::reverse);
        }
        if self.has(Flaw::DpasEvenFirst) {
            let (even, odd): (Vec<_>, Vec<_>) = terms.iter().copied().enumerate().partition(|(k, _)| k % 2 == 0);
            terms = even.into_iter().chain(odd).map(|(_, term)| term).collect();
        }
        terms
    }

    /// The model that is followed.
    fn model(&self) -> Sum {
        match self.visa.small.model_sum() {
            Sum::Sequential if self.has(Flaw::DpasFusedForSequential) => Sum::Fused,
            Sum::Sequential if self.has(Flaw::DpasPairwiseForSequential) => Sum::Pairwise,
            Sum::Sequential if self.has(Flaw::DpasSingleForSequential) => Sum::SingleRounding,
            Sum::Fused if self.has(Flaw::DpasSequentialForFused) => Sum::Sequential,
            Sum::Pairwise if self.has(Flaw::DpasSequentialForPairwise) => Sum::Sequential,
            Sum::SingleRounding if self.has(Flaw::DpasSequentialForSingle) => Sum::Sequential,
            Sum::SingleRounding if self.has(Flaw::DpasPairwiseForSingle) => Sum::Pairwise,
            model => model,
        }
    }

    fn sum(&self, places: &Places, accumulator: f32, terms: &[(f32, f32)], ops: usize) -> f32 {
        let model = self.model();
        if self.has(Flaw::DpasPairwiseTree) && model == Sum::Pairwise {
            return self.add(accumulator, self.tree(terms));
        }
        if model == Sum::SingleRounding {
            return self.single(accumulator, terms);
        }
        let mut acc = accumulator;
        for depth in terms.chunks(ops) {
            acc = match model {
                Sum::Pairwise => self.add(acc, self.balanced(depth)),
                Sum::Fused => depth.iter().fold(acc, |acc, &term| self.fused(acc, term)),
                Sum::Sequential | Sum::SingleRounding => {
                    depth.iter().fold(acc, |acc, &term| self.add(acc, self.product(term)))
                }
            };
            if self.has(Flaw::DpasHalvesEachDepth) {
                acc = self.through_half(places, acc);
            }
        }
        acc
    }

    /// Whether a product is left out.
    fn is_skipped(&self, (a, _): (f32, f32)) -> bool {
        self.has(Flaw::DpasZeroSkips) && a == 0.0
    }

    fn product(&self, (a, w): (f32, f32)) -> f32 {
        if self.is_skipped((a, w)) {
            return -0.0;
        }
        let product = a * w;
        if self.has(Flaw::DpasInfinityTimesZero) && product.is_nan() && !a.is_nan() && !w.is_nan() {
            0.0
        } else if self.has(Flaw::DpasProductsFlushed) {
            flushed(product)
        } else if self.has(Flaw::DpasProductsInHalf) {
            match Precision::of_code(W.get(self.code)) {
                Some(Precision::Hf) => self.half(self.narrow(product, Half::HF), false),
                Some(Precision::Bf) => f32::from_bits(self.narrow(product, Half::BF) << 16),
                _ => product,
            }
        } else {
            product
        }
    }

    fn add(&self, left: f32, right: f32) -> f32 {
        let sum = left + right;
        if self.has(Flaw::DpasSumsFlushed) { flushed(sum) } else { sum }
    }

    fn fused(&self, acc: f32, (a, w): (f32, f32)) -> f32 {
        if self.is_skipped((a, w)) {
            return acc;
        }
        let is_no_number = (a * w).is_nan() && !a.is_nan() && !w.is_nan();
        if self.has(Flaw::DpasInfinityTimesZero) && is_no_number {
            return acc;
        }
        let sum = a.mul_add(w, acc);
        if self.has(Flaw::DpasSumsFlushed) { flushed(sum) } else { sum }
    }

    /// The products of a depth: one, or two that are added.
    fn balanced(&self, depth: &[(f32, f32)]) -> f32 {
        match depth {
            [first, second] if self.has(Flaw::DpasPairFused) => self.fused(self.product(*first), *second),
            [first, second] => self.add(self.product(*first), self.product(*second)),
            // Whatever is added to -0 stays as it is.
            _ => depth.iter().fold(-0.0, |sum, &term| self.add(sum, self.product(term))),
        }
    }

    /// All products as one balanced tree.
    fn tree(&self, terms: &[(f32, f32)]) -> f32 {
        match terms {
            [] => -0.0,
            [term] => self.product(*term),
            _ => {
                let (low, high) = terms.split_at(terms.len() / 2);
                self.add(self.tree(low), self.tree(high))
            }
        }
    }

    /// The exact sum, rounded once.
    fn single(&self, accumulator: f32, terms: &[(f32, f32)]) -> f32 {
        if self.has(Flaw::DpasDoubleForSingle) {
            let products = terms.iter().map(|&(a, w)| f64::from(a) * f64::from(w));
            return products.fold(f64::from(accumulator), |sum, product| sum + product) as f32;
        }
        let mut exact = ExactSum::new();
        let mut first_infinity = accumulator.is_infinite().then_some(accumulator);
        exact.add(accumulator, 1.0);
        for &(a, w) in terms {
            let product = a * w;
            let is_infinite = !product.is_nan() && (a.is_infinite() || w.is_infinite());
            if is_infinite && first_infinity.is_none() {
                first_infinity = Some(product);
            }
            let is_no_number = product.is_nan() && !a.is_nan() && !w.is_nan();
            if self.is_skipped((a, w)) || (self.has(Flaw::DpasInfinityTimesZero) && is_no_number) {
                continue;
            }
            if self.has(Flaw::DpasProductsRoundedForSingle) {
                exact.add(product, 1.0);
            } else {
                exact.add(a, w);
            }
        }
        if let Some(infinity) = first_infinity.filter(|_| self.has(Flaw::DpasInfinitiesCancel) && !exact.is_nan) {
            return infinity;
        }
        let rounding = if self.has(Flaw::DpasRoundingMode) {
            Rounding::of_control_register(self.visa.small.cr0)
        } else {
            Rounding::NearestEven
        };
        let kept = if self.has(Flaw::DpasStickyLost) { 3 } else { usize::MAX };
        let sum = exact.rounded(rounding, kept);
        if self.has(Flaw::DpasZeroBySrc0) && sum == 0.0 { 0f32.copysign(accumulator) } else { sum }
    }

    /// An F that goes through the destination's 16 bits, if it has no more.
    fn through_half(&self, places: &Places, value: f32) -> f32 {
        match places.dst_type {
            DataType::Hf => self.half(self.narrow(value, Half::HF), false),
            DataType::Bf => f32::from_bits(self.narrow(value, Half::BF) << 16),
            _ => value,
        }
    }
}
