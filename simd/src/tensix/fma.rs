//! `fma_model_bh` and `fma_model_wh`: `x * y + z` of FP32 as the Vector Units of the two chips compute it.
//!
//! All of it is done with integers, for all lanes alike: the product gets 28 bits of mantissa, of the product and the addend the
//! one with the lower exponent is shifted right, the other one is added or subtracted, and the sum is normalised and
//! rounded. What takes another way on the page (NaN, infinity, no product) is computed beside that, and chosen at the end.
//!
//! Conditions are words whose highest bit says it: differences of numbers below 2^31, and what `&`, `|` and `!` make of
//! them. [`Operands`] has those that both models ask.
//!
//! What differs from the page (FMA/fma.c), and why it is equal:
//! 1. One mantissa is eight bits and the other one four bits higher, so that the upper half of the product of 64 bits is
//!    `p_m`, and the lower half has the bits that become sticky.
//! 2. Exponents that are zero clear the mantissa of the addend alone. Those of the factors make the product zero, which
//!    is chosen beside.
//! 3. Only one of product and addend has the lower exponent. A shift by 31 leaves nothing of 28 bits, like any more.
//! 4. The lower one is negated where signs differ, so the sum is negative where the page would take the other sign: that
//!    inverts the sign of the higher one. If both are alike the sum is zero, the sign of which is positive on both chips.
//! 5. The sum has at most 29 bits. It is shifted to the highest bit, and from there right by five: `n` of these bits were its
//!    own if `n` is positive, else they are zeros. Blackhole shifts by one more where the exponent is not positive, which is so
//!    only with `n` of zero or less; then `n + 1` of them were its own. So all that is lost is sticky there. Wormhole has
//!    the lowest bit of the sum alone sticky, if that is lost.
//! 6. The bit above the fraction is added to the exponent below it, and 3 or 4 before the shift by three: it carries where
//!    what is shifted out is more than half, or half of an odd number. Where Blackhole has shifted by one more, that bit is
//!    zero, and so is the exponent below.
//! 7. What is below the least normal number is flushed. On Wormhole that is so for all negative exponents, too: with them,
//!    the sum is not above zero.
//! 8. On Wormhole NaNs are computed with, with a product that is zero if the page says so; what is no NaN and takes another
//!    way does not come out of that, so whatever it has there is free.

use tandem_isa::tensix::Chip;

use crate::vector::Vector;

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0xff << 23;
const CANONICAL_NAN: u32 = 0x7fc0_0000;
/// The least normal number, and the bit that normal numbers have above the mantissa.
const LEAST: u32 = 1 << 23;
const MANTISSA: u32 = LEAST - 1;

/// `x * y + z`.
#[inline(always)]
pub(super) fn multiply_add<V: Vector>(chip: Chip, x: V, y: V, z: V) -> V {
    match chip {
        Chip::Wormhole => wormhole(x, y, z),
        Chip::Blackhole => blackhole(x, y, z),
    }
}

/// `fma_model_bh`.
#[inline(always)]
fn blackhole<V: Vector>(x: V, y: V, z: V) -> V {
    let operands = Operands::new(x, y, z);
    let (p_e, p_m) = operands.product();
    let sum = operands.sum(p_e, p_m);

    // Normalised, one bit lower if it is below the least normal number.
    let below = sum.exponent - x.like(1);
    let by = V::select(below.is_negative(), x.like(6), x.like(5));
    let shifted = sum.normalised.shift_right(by);
    let is_sticky = (shifted.shift_left(by) ^ sum.normalised).min(x.like(1));
    let rounded = rounded(below.max(x.like(0)), shifted | is_sticky);

    let flushed = V::select((rounded - x.like(LEAST)).is_negative(), x.like(0), rounded);
    let bounded = V::select(sum.overflows().is_negative(), x.like(INFINITY), flushed);
    let result = V::select(sum.value.is_zero(), x.like(0), bounded | sum.sign);

    let Operands { z_abs, p_sign, .. } = operands;
    let without_product = V::select((z_abs - x.like(LEAST)).is_negative(), z & p_sign & x.like(SIGN), z);
    let result = V::select(operands.has_no_product(p_e).is_negative(), without_product, result);
    let result = V::select(operands.is_infinite(p_e).is_negative(), operands.infinity(), result);
    let opposite = operands.z_is_special() & operands.factor_is_special() & (p_sign ^ z);
    let is_nan = operands.product_is_nan() | operands.z_is_nan() | opposite;
    V::select(is_nan.is_negative(), x.like(CANONICAL_NAN), result)
}

/// `fma_model_wh`.
#[inline(always)]
fn wormhole<V: Vector>(x: V, y: V, z: V) -> V {
    let operands = Operands::new(x, y, z);
    let (p_e, p_m) = operands.product();
    let has_no_product = operands.has_no_product(p_e);
    let sum = {
        let none = has_no_product.is_negative();
        let (p_e, p_m) = (V::select(none, x.like(0), p_e), V::select(none, x.like(0), p_m));
        operands.sum(p_e.min(x.like(255)), p_m)
    };

    let lost = (sum.magnitude & x.like(1)).shift_left(sum.zeros) & x.like(31);
    let shifted = sum.normalised.shift_right_all(5) | lost.min(x.like(1));
    let rounded = rounded(sum.exponent - x.like(1), shifted);

    let flushed = V::select((rounded - x.like(LEAST)).is_negative(), x.like(0), rounded | sum.sign);
    let bounded = V::select(sum.overflows().is_negative(), sum.sign | x.like(INFINITY), flushed);
    let result = V::select(sum.value.is_zero(), x.like(0), bounded);

    let Operands { z_abs, p_sign, .. } = operands;
    let opposite = operands.z_is_special() & operands.product_is_infinite(p_e) & (p_sign ^ z);
    let product_is_nan = operands.product_is_nan() | (opposite & !operands.z_is_nan());
    let nan_sign = V::select(product_is_nan.is_negative(), p_sign, z) & x.like(SIGN);
    let nan = nan_sign | x.like(INFINITY | 1) | (result & x.like(!SIGN));

    let without_product = V::select((z_abs - x.like(LEAST)).is_negative(), x.like(0), z);
    let result = V::select(has_no_product.is_negative(), without_product, result);
    let result = V::select(operands.is_infinite(p_e).is_negative(), operands.infinity(), result);
    V::select((product_is_nan | operands.z_is_nan()).is_negative(), nan, result)
}

/// Exponent and mantissa, put together and rounded to nearest, ties to even. The mantissa has three bits more, and of the exponent
/// its highest bit is taken away.
#[inline(always)]
fn rounded<V: Vector>(exponent: V, mantissa: V) -> V {
    let is_odd = mantissa.shift_right_all(3) & mantissa.like(1);
    exponent.shift_left_all(23) + (mantissa + mantissa.like(3) + is_odd).shift_right_all(3)
}

/// The operands, and what is asked of them. The answers stand in the highest bit.
#[derive(Clone, Copy)]
struct Operands<V> {
    x: V,
    y: V,
    z: V,
    /// The factor whose magnitude is greater, without its sign.
    large: V,
    /// The factor whose magnitude is less, without its sign.
    small: V,
    /// The addend without its sign.
    z_abs: V,
    /// The sign of the product, in the highest bit.
    p_sign: V,
}

impl<V: Vector> Operands<V> {
    #[inline(always)]
    fn new(x: V, y: V, z: V) -> Self {
        let magnitude = x.like(!SIGN);
        let (x_abs, y_abs) = (x & magnitude, y & magnitude);
        let (large, small) = (x_abs.max(y_abs), x_abs.min(y_abs));
        Operands { x, y, z, large, small, z_abs: z & magnitude, p_sign: x ^ y }
    }

    /// `p_e` and `p_m`, aligned with `z_m`, unless a factor is zero.
    #[inline(always)]
    fn product(&self) -> (V, V) {
        let Operands { x, y, .. } = *self;
        let exponent = self.large.shift_right_all(23) + self.small.shift_right_all(23) - x.like(127);
        let x_m = x.shift_left_all(8) | x.like(LEAST << 8);
        let y_m = (y.shift_left_all(4) & x.like(MANTISSA << 4)) | x.like(LEAST << 4);
        let [low, high] = x_m.multiply_wide(y_m);
        (exponent, V::select(low.is_zero(), high, high | x.like(1)))
    }

    /// The sum of a product and the addend.
    #[inline(always)]
    fn sum(&self, p_e: V, p_m: V) -> Sum<V> {
        let Operands { z, z_abs, p_sign, .. } = *self;
        let z_e = z_abs.shift_right_all(23);
        let z_m = ((z & z.like(MANTISSA)) | z.like(LEAST)).shift_left_all(3);
        let z_m = V::select((z_abs - z.like(LEAST)).is_negative(), z.like(0), z_m);

        let distance = p_e - z_e;
        let p_is_lower = distance.is_negative();
        let higher = V::select(p_is_lower, z_m, p_m);
        let lower = V::select(p_is_lower, p_m, z_m);
        let by = distance.max(z_e - p_e).min(z.like(31));
        // Nothing of it is sticky if all of it is lost.
        let shifted = lower.shift_right(by);
        let lost = shifted.shift_left(by) ^ lower;
        let lower = shifted | (lost.min(z.like(1)) & shifted.min(z.like(1)));

        let lower = V::select((p_sign ^ z).is_negative(), z.like(0) - lower, lower);
        let value = higher + lower;
        let magnitude = value.max(z.like(0) - value);
        let zeros = (magnitude | z.like(1)).leading_zeros();
        Sum {
            value,
            magnitude,
            zeros,
            normalised: magnitude.shift_left(zeros),
            exponent: p_e.max(z_e) + z.like(5) - zeros,
            sign: (V::select(p_is_lower, z, p_sign) ^ value) & z.like(SIGN),
        }
    }

    /// A factor is NaN or infinity.
    #[inline(always)]
    fn factor_is_special(&self) -> V {
        !(self.large - self.x.like(INFINITY))
    }

    /// The addend is NaN or infinity.
    #[inline(always)]
    fn z_is_special(&self) -> V {
        !(self.z_abs - self.x.like(INFINITY))
    }

    #[inline(always)]
    fn z_is_nan(&self) -> V {
        self.x.like(INFINITY) - self.z_abs
    }

    /// A factor is NaN, or one is infinity and the other one zero.
    #[inline(always)]
    fn product_is_nan(&self) -> V {
        let is_zero = self.small - self.x.like(LEAST);
        (self.x.like(INFINITY) - self.large) | (self.factor_is_special() & is_zero)
    }

    /// A factor is NaN or infinity, or the product is too large by itself.
    #[inline(always)]
    fn product_is_infinite(&self, p_e: V) -> V {
        self.factor_is_special() | (self.x.like(254) - p_e)
    }

    /// The result is infinity, if it is no NaN, before anything is added.
    #[inline(always)]
    fn is_infinite(&self, p_e: V) -> V {
        self.product_is_infinite(p_e) | self.z_is_special()
    }

    /// That infinity: the addend, or what has the sign of the product.
    #[inline(always)]
    fn infinity(&self) -> V {
        let of_product = (self.p_sign & self.x.like(SIGN)) | self.x.like(INFINITY);
        V::select(self.z_is_special().is_negative(), self.z, of_product)
    }

    /// A factor is zero, or the product is too small by itself.
    #[inline(always)]
    fn has_no_product(&self, p_e: V) -> V {
        (self.small - self.x.like(LEAST)) | p_e
    }
}

/// The sum of product and addend.
#[derive(Clone, Copy)]
struct Sum<V> {
    /// Negative if what had the lower exponent was the larger one.
    value: V,
    /// `r_m`, before it is normalised.
    magnitude: V,
    /// The zeros above the highest one, up to 31.
    zeros: V,
    /// The magnitude with its highest one in the highest bit.
    normalised: V,
    /// `r_e`, once it is normalised.
    exponent: V,
    /// `r_sign`.
    sign: V,
}

impl<V: Vector> Sum<V> {
    /// In the highest bit.
    #[inline(always)]
    fn overflows(&self) -> V {
        self.exponent.like(254) - self.exponent
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tandem_isa::tensix::Chip;

    use super::multiply_add;
    #[cfg(target_arch = "x86_64")]
    use crate::arch::{Eight, Sixteen};
    use crate::arch::{Portable, Words};
    use crate::level::Level;
    use crate::vector::{Task, Vector};

    /// The same operands in all lanes.
    struct OfOne(Chip, [u32; 3]);

    impl<V: Vector> Task<V> for OfOne {
        type On = [Cell<u32>];
        type Output = ();

        #[inline(always)]
        fn run<const EXTRA: bool>(self, level: V::Level, on: &mut [Cell<u32>]) {
            let OfOne(chip, operands) = self;
            let [x, y, z] = operands.map(|operand| V::splat(level, operand));
            multiply_add(chip, x, y, z).store_all(on, 0);
        }
    }

    /// What every level makes of it.
    fn result(chip: Chip, operands: [u32; 3]) -> u32 {
        let results: Vec<u32> = Level::detect_all()
            .into_iter()
            .flat_map(|level| {
                let mut lanes = [0; 32];
                let on = Cell::from_mut(&mut lanes[..]);
                let (on, task) = (&mut on.as_slice_of_cells().to_vec(), OfOne(chip, operands));
                let count = match level {
                    Level::Portable => {
                        Words::run(Portable, task, on);
                        Words::LANES
                    }
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2(proof) => {
                        Eight::run(proof, task, on);
                        Eight::LANES
                    }
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512(proof) => {
                        Sixteen::run(proof, task, on);
                        Sixteen::LANES
                    }
                };
                on[..count].iter().map(Cell::get).collect::<Vec<_>>()
            })
            .collect();
        assert!(results.iter().all(|&lane| lane == results[0]), "{chip:?} {operands:08x?}: {results:08x?}");
        results[0]
    }

    #[track_caller]
    fn gives(operands: [u32; 3], wormhole: u32, blackhole: u32) {
        let [x, y, z] = operands;
        for factors in [[x, y], [y, x]] {
            let operands = [factors[0], factors[1], z];
            let results = [Chip::Wormhole, Chip::Blackhole].map(|chip| result(chip, operands));
            assert_eq!(results, [wormhole, blackhole], "{operands:08x?} gives {results:08x?}");
        }
    }

    const ONE: u32 = 0x3f80_0000;
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = 0x7fc0_0000;
    const SIGN: u32 = 1 << 31;

    #[test]
    fn zeros_have_a_sign_on_blackhole_alone() {
        gives([0x3fc0_0000, 0x4000_0000, 0x3e80_0000], 0x4050_0000, 0x4050_0000);
        gives([SIGN, ONE, SIGN], 0, SIGN);
        gives([SIGN, ONE, 0], 0, 0);
        gives([ONE, ONE, SIGN | ONE], 0, 0);
        gives([SIGN | ONE, ONE, ONE], 0, 0);
        // The product, of 2^-200, counts as none.
        gives([0x8d80_0000, 0x0d80_0000, SIGN], 0, SIGN);
        gives([0x8d80_0000, 0x0d80_0000, ONE], ONE, ONE);
        // Denormals are zeros, the largest one too.
        gives([ONE, 0x007f_ffff, SIGN | 0x007f_ffff], 0, 0);
        gives([ONE, ONE, 0x007f_ffff], ONE, ONE);
    }

    #[test]
    fn what_is_lost_counts_unless_all_of_it_is() {
        // 1 + 2^-11 + 2^-24 is half way, and rounds to even. The third operand is 1.5 times 2^-26, the fourth half of that.
        let near = |z| [0x3f80_0800, 0x3f80_0800, z];
        gives(near(0), 0x3f80_1000, 0x3f80_1000);
        gives(near(0x32c0_0000), 0x3f80_1001, 0x3f80_1001);
        gives(near(0x3240_0000), 0x3f80_1000, 0x3f80_1000);
        gives(near(0x2b80_0000), 0x3f80_1000, 0x3f80_1000);
        // The sum of 0x0a80_002a and 0x0600_0028 is shifted right by two, and what is lost is 0b10.
        gives([0x3fe0_0000, 0x3fc0_0003, 0x3fc0_0005], 0x4084_0002, 0x4084_0003);
    }

    #[test]
    fn the_least_normal_number_is_rounded_to_on_blackhole_alone() {
        // 2^-126 without half of its last place.
        gives([0x1fff_ffff, 0x2000_0000, 0], 0, 0x0080_0000);
        gives([0x9fff_ffff, 0x2000_0000, 0], 0, 0x8080_0000);
        // Twice that is not below it.
        gives([0x1fff_ffff, 0x2080_0000, 0], 0x00ff_ffff, 0x00ff_ffff);
    }

    #[test]
    fn a_product_is_infinite_by_itself() {
        // 2^128 - 2^127, and the same without infinity between them.
        gives([0x7f00_0000, 0x4000_0000, 0xff00_0000], INFINITY, INFINITY);
        gives([0x7f00_0000, 0x3fc0_0000, 0xff00_0000], 0x7e80_0000, 0x7e80_0000);
        gives([0x7f00_0000, 0x3f80_0000, 0x7f00_0000], INFINITY, INFINITY);
        gives([0xff00_0000, 0x4000_0000, ONE], SIGN | INFINITY, SIGN | INFINITY);
        // With the other infinity it is NaN on Wormhole.
        gives([0x7f00_0000, 0x4000_0000, SIGN | INFINITY], 0x7f80_0001, SIGN | INFINITY);
        gives([0x7f00_0000, 0x3f80_0000, SIGN | INFINITY], SIGN | INFINITY, SIGN | INFINITY);
        gives([INFINITY, ONE, SIGN | INFINITY], 0x7f80_0001, NAN);
        gives([INFINITY, ONE, INFINITY], INFINITY, INFINITY);
        gives([INFINITY, 0x807f_ffff, ONE], SIGN | 0x7f80_0001 | ONE, NAN);
    }

    #[test]
    fn mantissas_leak_into_nans_of_wormhole() {
        gives([ONE, ONE, NAN], 0x7f80_0001, NAN);
        gives([SIGN | ONE, ONE, SIGN | NAN], SIGN | 0x7f80_0001, NAN);
        // 1.5 times 2^64 stands in it.
        gives([NAN, 0x1f80_0000, 0], 0x7fc0_0001, NAN);
        gives([SIGN | NAN, 0x1f80_0000, NAN], SIGN | 0x7f80_0001, NAN);
        gives([NAN, 0, 0x3fa0_0000], 0x7fa0_0001, NAN);
    }
}
