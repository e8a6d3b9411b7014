//! The accumulators of `DPAS`: what one channel of a row adds up, in integers and by each model of a sum.
//!
//! *Source*: page DPAS, lines 67-73, 126-131 and 218-222.

// Shown by `the_models_of_a_sum_differ_as_they_are_defined`, where nothing else is said.

use tandem_isa::visa::model::Sum;

use crate::visa::softfloat::arithmetic::{AlignedSum, ExactSum, add, fma, mul};

/// `temp.DW[i]` or `temp.F[i]` of the page. VX-50: the page gives no order and no roundings of a sum of floats, so each
/// [`Sum`] has its own.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "there are sixteen at a time, and none is kept")]
pub(super) enum Temp {
    /// Integers, modulo 2^32.
    Integer(u32),
    /// Each product is rounded, and each sum.
    Sequential(u32),
    /// Each product is fused with its sum.
    Fused(u32),
    /// The products of a depth, one or two, are added first.
    Pairwise(u32),
    /// The exact sum of the row is rounded once.
    SingleRounding(ExactSum),
    /// The products are summed first, of which there are none at the beginning; then the accumulator is added.
    AccumulatorLast(u32, Option<u32>),
    /// The terms are aligned and cut, and their sum is rounded once.
    Truncating(AlignedSum),
}

impl Temp {
    /// The accumulator of floats that begins with a datum of `Src0`; where terms are cut, with so many bits of guard.
    pub(super) fn of(sum: Sum, guard: u32, src0: u32) -> Self {
        // [DPAS 131] Floats are summed as F.
        match sum {
            Sum::Sequential => Temp::Sequential(src0),
            Sum::Fused => Temp::Fused(src0),
            Sum::Pairwise => Temp::Pairwise(src0),
            Sum::SingleRounding => Temp::SingleRounding(ExactSum::of(src0)),
            Sum::AccumulatorLast => Temp::AccumulatorLast(src0, None),
            Sum::Truncating => Temp::Truncating(AlignedSum::of(src0, guard)),
        }
    }

    /// Adds the dot product of pairs of elements, of `Src1` and `Src2`, by ascending places.
    // [DPAS 69-72, VX-61] dot2, dot4 and dot8 are dot products of as many elements, which begin at an offset of each
    // operand. (`integers_are_the_matrix_product_for_every_pair`)
    // [DPAS 131, VX-52] Of NaN nothing is said. (`vx_52_any_of_16777214_nans_of_f_would_do`)
    pub(super) fn add_dot(&mut self, pairs: &[[u32; 2]]) {
        // [DPAS 130-131] A dot product is added, of 1 or 2 floats, or of 4 or 8 integers.
        match self {
            // VX-49: no line says what a sum does that is too large; it wraps, and so types do not matter to the bits.
            // [DPAS 126-129, VX-49] Dot products of 4 or 8 integers are added to a double word.
            // (`vx_49_a_row_adds_up_to_2080800_at_most`)
            Temp::Integer(temp) => {
                for &[src1, src2] in pairs {
                    let (sum, product) = (*temp, src1.wrapping_mul(src2));
                    *temp = reads!(
                        sum.wrapping_add(product),
                        "dpas-sum-saturates",
                        sum.cast_signed().saturating_add(product.cast_signed()).cast_unsigned()
                    );
                }
            }
            Temp::Sequential(temp) => {
                for &[src1, src2] in pairs {
                    *temp = add(*temp, mul(src2, src1));
                }
            }
            Temp::Fused(temp) => {
                for &[src1, src2] in pairs {
                    *temp = fma(src2, src1, *temp);
                }
            }
            Temp::Pairwise(temp) => *temp = add(*temp, sum_of_products(None, pairs)),
            Temp::SingleRounding(sum) => {
                for &[src1, src2] in pairs {
                    sum.add_product(src2, src1);
                }
            }
            Temp::AccumulatorLast(_, products) => *products = Some(sum_of_products(*products, pairs)),
            Temp::Truncating(sum) => {
                for &[src1, src2] in pairs {
                    sum.add_product(src2, src1);
                }
            }
        }
    }

    /// The datum of the destination, as 32 bits.
    pub(super) fn result(self) -> u32 {
        // [DPAS 137] The sum is the row's datum.
        match self {
            Temp::Integer(temp) | Temp::Sequential(temp) | Temp::Fused(temp) | Temp::Pairwise(temp) => temp,
            Temp::SingleRounding(sum) => sum.rounded(),
            Temp::AccumulatorLast(src0, products) => add(src0, products.expect("a row has a product")),
            Temp::Truncating(sum) => sum.rounded(),
        }
    }
}

/// Products of pairs, each rounded, added to those before, if there are any, one after the other.
fn sum_of_products(before: Option<u32>, pairs: &[[u32; 2]]) -> u32 {
    let mut sum = before;
    for &[src1, src2] in pairs {
        let product = mul(src2, src1);
        sum = Some(sum.map_or(product, |sum| add(sum, product)));
    }
    sum.expect("a depth has a product")
}
