//! Vectors of floats, and of elements that lie in bytes; `F`s, `HF`s and `BF`s are the bits of lanes.
//!
//! What differs from arithmetic, and why it is equal: elements of 16 bits are flushed two at a time; a denormal of a type is
//! less than its smallest normal number.

use super::soft::{F_INFINITY, F_SIGN};
use crate::vector::Vector;

/// Vectors of floats, and of elements in bytes.
pub(crate) trait Floats: Vector {
    /// The double words from a byte on.
    fn load_bytes(level: Self::Level, from: &[u8], byte: usize) -> Self;

    /// The words from a byte on, one in each lane.
    fn load_halves(level: Self::Level, from: &[u8], byte: usize) -> Self;

    /// Stores as many lanes as there is room for: all of them, or half of sixteen.
    fn store_bytes(self, to: &mut [u8]);

    /// Stores the low halves of lanes, likewise; what is above them is zero.
    fn store_halves(self, to: &mut [u8]);

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
pub(super) fn rounded_to_bf<V: Vector>(bits: V) -> V {
    let odd = bits.shift_right_all(16) & bits.like(1);
    (bits + bits.like(0x7fff) + odd).shift_right_all(16)
}

/// Which `F`s are NaNs.
#[inline(always)]
pub(super) fn is_nan<V: Vector>(single: V) -> V::Mask {
    (single & single.like(!F_SIGN)).is_above(single.like(F_INFINITY))
}

/// `F`s of which those below a magnitude are zeros of their sign.
#[inline(always)]
pub(super) fn flushed_below<V: Vector>(single: V, below: u32) -> V {
    let distance = (single & single.like(!F_SIGN)) - single.like(below);
    V::select(distance.is_negative(), single & single.like(F_SIGN), single)
}

/// The same for floats of 16 bits.
#[inline(always)]
pub(super) fn flushed_short<V: Vector>(short: V, below: u32) -> V {
    let distance = (short & short.like(0x7fff)) - short.like(below);
    V::select(distance.is_negative(), short & short.like(0x8000), short)
}

/// Pairs of floats of 16 bits, of which denormals are zeros of their sign; the mantissa has so many bits.
#[inline(always)]
pub(super) fn flushed_pairs<V: Vector>(words: V, mantissa: u32) -> V {
    let exponents = words.like(0x0001_0001 * (0x8000 - (1 << mantissa)));
    // An exponent that is not 0 carries into the sign's place, and no further.
    let is_normal = ((words & exponents) + exponents) & words.like(0x8000_8000);
    let kept = is_normal.shift_right_all(15 - mantissa) - is_normal.shift_right_all(15);
    words & (kept | exponents | words.like(0x8000_8000))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::arch::{Eight, Sixteen};
    use crate::arch::{Portable, Words};
    use crate::level::Level;
    use crate::visa::soft::F_NAN;

    /// A word in each lane, there and back.
    fn lanes<V: Floats>(level: V::Level, word: u32, change: impl Fn(V) -> V) -> u32 {
        let words = [const { Cell::new(0) }; 16];
        change(V::splat(level, word)).store_all(&words, 0);
        words[V::LANES - 1].get()
    }

    fn check_short_floats<V: Floats>(level: V::Level) {
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
                    let flush = |word| lanes::<Words>(Portable, word, |words| flushed_pairs(words, mantissa));
                    assert_eq!([flush(low), flush(high)], [flushed | other << 16, flushed << 16 | other], "{bits:#x}");
                }
            }
        }
    }

    #[test]
    fn single_to_half_and_back_is_as_the_crate_half_has_it() {
        for level in Level::detect_all() {
            match level {
                Level::Portable => check_short_floats::<Words>(Portable),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(level) => check_short_floats::<Eight>(level),
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(level) => check_short_floats::<Sixteen>(level),
            }
        }
    }
}
