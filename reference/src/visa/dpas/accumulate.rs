//! The accumulators of `DPAS`: what one channel of a row adds up, in integers and by each model of
//! [`Sum`](tandem_isa::visa::model::Sum).
//!
//! *Source*: page DPAS, lines 67-73, 126-131 and 218-222.

use std::marker::PhantomData;

use crate::visa::softfloat::arithmetic::{AlignedSum, ExactSum, add, fma, mul};

/// `temp.DW[i]` or `temp.F[i]` of the page.
pub(super) trait Accumulator: Copy {
    /// Adds the dot product of `OPS` elements, by ascending places: those of `Src1` and those of `Src2`.
    // [DPAS 69-72, VX-61] dot2, dot4 and dot8 are dot products of as many elements, which begin at an offset of each
    // operand. (`integers_are_the_matrix_product_for_every_pair`)
    // [DPAS 131, VX-52] Of NaN nothing is said. (`vx_52_any_of_16777214_nans_of_f_would_do`)
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]);

    /// The datum of the destination, as 32 bits.
    fn result(self) -> u32;
}

/// Integers, modulo 2^32.
#[derive(Clone, Copy)]
pub(super) struct Integer(pub u32);

impl Accumulator for Integer {
    #[inline(always)]
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // VX-49: no line says what a sum does that is too large; it wraps, and so types do not matter to the bits.
        // [DPAS 126-129, VX-49] Dot products of 4 or 8 integers are added to a double word.
        // (`vx_49_a_row_adds_up_to_2080800_at_most`)
        // DPAS 126-129.
        for j in 0..OPS {
            let product = src1[j].wrapping_mul(src2[j]);
            self.0 = reads!(
                self.0.wrapping_add(product),
                "dpas-sum-saturates",
                self.0.cast_signed().saturating_add(product.cast_signed()).cast_unsigned()
            );
        }
    }

    #[inline(always)]
    fn result(self) -> u32 {
        self.0
    }
}

/// VX-50: the page gives no order and no roundings of a sum, so each model has its own.
pub(super) trait Order: Copy {
    /// `temp` and the dot product, by ascending places.
    fn add_dot<const OPS: usize>(temp: u32, src1: [u32; OPS], src2: [u32; OPS]) -> u32;
}

/// An `F`, added to in an order.
#[derive(Clone, Copy)]
pub(super) struct Float<O>(u32, PhantomData<O>);

impl<O: Order> Float<O> {
    /// The accumulator that begins with a datum of `Src0`.
    #[inline]
    pub(super) fn of(src0: u32) -> Self {
        Float(src0, PhantomData)
    }
}

impl<O: Order> Accumulator for Float<O> {
    #[inline]
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // DPAS 130-131.
        self.0 = O::add_dot(self.0, src1, src2);
    }

    #[inline]
    fn result(self) -> u32 {
        self.0
    }
}

/// Each product is rounded, and each sum.
#[derive(Clone, Copy)]
pub(super) struct Sequential;

impl Order for Sequential {
    #[inline]
    fn add_dot<const OPS: usize>(mut temp: u32, src1: [u32; OPS], src2: [u32; OPS]) -> u32 {
        // DPAS 130-131.
        for j in 0..OPS {
            temp = add(temp, mul(src2[j], src1[j]));
        }
        temp
    }
}

/// Each product is fused with its sum.
#[derive(Clone, Copy)]
pub(super) struct Fused;

impl Order for Fused {
    #[inline]
    fn add_dot<const OPS: usize>(mut temp: u32, src1: [u32; OPS], src2: [u32; OPS]) -> u32 {
        // DPAS 130-131.
        for j in 0..OPS {
            temp = fma(src2[j], src1[j], temp);
        }
        temp
    }
}

/// The products of a depth, one or two, are added first.
#[derive(Clone, Copy)]
pub(super) struct Pairwise;

impl Order for Pairwise {
    #[inline]
    fn add_dot<const OPS: usize>(temp: u32, src1: [u32; OPS], src2: [u32; OPS]) -> u32 {
        // DPAS 130-131.
        let mut dot = mul(src2[0], src1[0]);
        for j in 1..OPS {
            dot = add(dot, mul(src2[j], src1[j]));
        }
        add(temp, dot)
    }
}

/// The exact sum of the row is rounded once.
#[derive(Clone, Copy)]
pub(super) struct SingleRounding(ExactSum);

impl SingleRounding {
    /// The accumulator that begins with a datum of `Src0`.
    pub(super) fn of(src0: u32) -> Self {
        SingleRounding(ExactSum::of(src0))
    }
}

impl Accumulator for SingleRounding {
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // DPAS 130-131.
        for j in 0..OPS {
            self.0.add_product(src2[j], src1[j]);
        }
    }

    fn result(self) -> u32 {
        // DPAS 137.
        self.0.rounded()
    }
}

/// The products are summed first, then the accumulator is added.
#[derive(Clone, Copy)]
pub(super) struct AccumulatorLast {
    src0: u32,
    /// None before the first product.
    products: Option<u32>,
}

impl AccumulatorLast {
    /// The accumulator that ends with a datum of `Src0`.
    pub(super) fn of(src0: u32) -> Self {
        AccumulatorLast { src0, products: None }
    }
}

impl Accumulator for AccumulatorLast {
    #[inline]
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // DPAS 130-131.
        for j in 0..OPS {
            let product = mul(src2[j], src1[j]);
            self.products = Some(self.products.map_or(product, |products| add(products, product)));
        }
    }

    #[inline]
    fn result(self) -> u32 {
        // DPAS 137.
        add(self.src0, self.products.expect("a row has a product"))
    }
}

/// The terms are aligned and cut, and their sum is rounded once.
#[derive(Clone, Copy)]
pub(super) struct Truncating(AlignedSum);

impl Truncating {
    /// The accumulator that begins with a datum of `Src0`, with so many bits of guard.
    pub(super) fn of(src0: u32, guard: u32) -> Self {
        Truncating(AlignedSum::of(src0, guard))
    }
}

impl Accumulator for Truncating {
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // DPAS 130-131.
        for j in 0..OPS {
            self.0.add_product(src2[j], src1[j]);
        }
    }

    fn result(self) -> u32 {
        // DPAS 137.
        self.0.rounded()
    }
}
