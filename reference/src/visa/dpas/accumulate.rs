//! The accumulators of `DPAS`: what one channel of a row adds up, in integers and by each model of
//! [`Sum`](tandem_isa::visa::model::Sum).
//!
//! *Source*: page DPAS, lines 67-73, 126-131 and 218-222.

use crate::visa::softfloat::arithmetic::{ExactSum, add, fma, mul};

/// `temp.DW[i]` or `temp.F[i]` of the page.
pub(super) trait Accumulator: Copy {
    /// The accumulator that begins with a datum of `Src0`.
    fn of(src0: u32) -> Self;

    /// Adds the dot product of `OPS` elements, by ascending places: those of `Src1` and those of `Src2`.
    // [DPAS 69-72, VX-61] dot2, dot4 and dot8 are dot products of as many elements, which begin at an offset of each
    // operand. (`integers_are_the_matrix_product_for_every_pair_depth_and_pitch`)
    // [DPAS 131, VX-52] Of NaN nothing is said. (`vx_52_any_of_16777214_nans_of_f_would_do`)
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]);

    /// The datum of the destination, as 32 bits.
    fn result(self) -> u32;
}

/// Integers, modulo 2^32.
#[derive(Clone, Copy)]
pub(super) struct Integer(u32);

impl Accumulator for Integer {
    #[inline(always)]
    fn of(src0: u32) -> Self {
        Integer(src0)
    }

    #[inline(always)]
    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        // VX-49: no line says what a sum does that is too large; it wraps, and so types do not matter to the bits.
        // [DPAS 126-129, VX-49] Dot products of 4 or 8 integers are added to a double word.
        // (`vx_49_a_row_adds_up_to_2080800_at_most`)
        for j in 0..OPS {
            self.0 = self.0.wrapping_add(src1[j].wrapping_mul(src2[j]));
        }
    }

    #[inline(always)]
    fn result(self) -> u32 {
        self.0
    }
}

macro_rules! float_accumulator {
    ($(#[$doc:meta])* $name:ident, $add_dot:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(u32);

        impl Accumulator for $name {
            #[inline]
            fn of(src0: u32) -> Self {
                $name(src0)
            }

            #[inline]
            fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
                let pairs = std::iter::zip(src2, src1);
                self.0 = $add_dot(self.0, pairs);
            }

            #[inline]
            fn result(self) -> u32 {
                // VX-52: of a NaN no line tells the bits, and a row may add up to that of Src0 alone.
                if self.0 & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { self.0 }
            }
        }
    };
}

float_accumulator!(
    /// VX-50: the page gives no order and no roundings of a sum. Each product is rounded, and each sum.
    Sequential,
    |temp, pairs: std::iter::Zip<_, _>| pairs.fold(temp, |temp, (a, b)| add(temp, mul(a, b)))
);

float_accumulator!(
    /// VX-50: the page gives no order and no roundings of a sum. Each product is fused with its sum.
    Fused,
    |temp, pairs: std::iter::Zip<_, _>| pairs.fold(temp, |temp, (a, b)| fma(a, b, temp))
);

float_accumulator!(
    /// VX-50: the page gives no order and no roundings of a sum. The products of a depth, one or two, are added first.
    Pairwise,
    |temp, pairs: std::iter::Zip<_, _>| {
        let dot = pairs.map(|(a, b)| mul(a, b)).reduce(add);
        dot.map_or(temp, |dot| add(temp, dot))
    }
);

/// VX-50: the page gives no order and no roundings of a sum. The exact sum of the row is rounded once.
#[derive(Clone, Copy)]
pub(super) struct SingleRounding(ExactSum);

impl Accumulator for SingleRounding {
    fn of(src0: u32) -> Self {
        SingleRounding(ExactSum::of(src0))
    }

    fn add_dot<const OPS: usize>(&mut self, src1: [u32; OPS], src2: [u32; OPS]) {
        for j in 0..OPS {
            self.0.add_product(src2[j], src1[j]);
        }
    }

    fn result(self) -> u32 {
        self.0.rounded()
    }
}
