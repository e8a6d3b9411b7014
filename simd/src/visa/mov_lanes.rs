//! `MOV` between `F` and what fits in 32 bits, for the levels whose CPU converts between them.
//!
//! A vector has an element in each lane, whatever its size. The hardware converts, and what goes before and after it is
//! written here: modifiers, denormals, NaNs, limits.
//!
//! What differs from the portable kernels, and why it is equal:
//! 1. `F` to `HF` would still flush denormal sources if the host says so, thus it gets none: they are zeros of their sign,
//!    or, if they are to be kept, normal numbers that are smaller than half of the smallest `HF`, too, and so rounded in
//!    the same way.
//! 2. `HF` to `F` is exact, and no setting of the host bears on it; so denormal sources are flushed as the `F`s that they
//!    have become, as which they are normal. A NaN is quieted and keeps its highest bits in hardware, too.
//! 3. The hardware makes the smallest number of all that is beyond the integers: it is replaced where the source is positive
//!    or no number. Smaller types take the numbers between their limits.
//! 4. An integer is rounded to nearest, so its sign is put on afterwards; a zero has none.
//! 5. Clamping to 0 to 1 is a comparison with infinity as a number without sign, which negative values and NaNs exceed, and
//!    a minimum with one.

use super::floats::{Floats, is_nan, rounded_to_bf};
use super::mov::{Number, Recipe, Rounding};
use super::region::{BLOCK, Elements};
use super::soft::{F_INFINITY as INFINITY, F_SIGN as SIGN};
use crate::vector::Vector;

/// What a level has to offer to `MOV`.
pub(crate) trait Convert: Floats {
    /// Whether it converts from and to integers without sign that have 32 bits.
    const HAS_UNSIGNED: bool;

    /// The bytes from a byte on, one in each lane.
    fn load_quarters(level: Self::Level, from: &[u8], byte: usize) -> Self;

    /// Stores the low bytes of lanes; what is above them is zero.
    fn store_quarters(self, to: &mut [u8]);

    /// The `HF`s of `F`s that are no denormals.
    fn rounded(self, rounding: Rounding) -> Self;

    /// `F`s cut off at the binary point: the smallest number for those that are beyond the numbers with sign, or none.
    fn truncated(self) -> Self;

    /// `F`s cut off at the binary point, which are not negative: the largest number for those that are beyond.
    fn truncated_unsigned(self) -> Self;

    /// The `F`s of numbers without sign, at most 2^31 if there are no others, rounded to nearest.
    fn converted(self) -> Self;

    /// Converts a block of `DF`s to `F`s.
    fn df_to_f(level: Self::Level, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements);

    /// Converts a block of elements of which the level has no kernel, by `mov_wide.rs`: compiled for the level, and not where
    /// it is called.
    fn convert_other(level: Self::Level, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements);
}

const ONE: u32 = 0x3f80_0000;
/// The smallest magnitude that is no denormal.
const NORMAL: u32 = 1 << 23;
/// The smallest `HF` that is no denormal, as an `F`.
const NORMAL_HF: u32 = (127 - 14) << 23;

/// Converts a block of elements.
#[inline(always)]
pub(crate) fn convert<V: Convert>(level: V::Level, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
    use Number::{B, Bf, D, F, Hf, Ub, Ud, Uw, W};
    macro_rules! each {
        ($source:literal to $destination:literal: $element:expr) => {
            each::<V, $source, $destination>(level, recipe, from, to, $element)
        };
    }
    match (recipe.source, recipe.destination) {
        // Asked once, not for each vector.
        (F, Hf) => match recipe.rounding {
            Rounding::Nearest => each!(4 to 2: |source| f_to_hf(recipe, source, Rounding::Nearest)),
            Rounding::Up => each!(4 to 2: |source| f_to_hf(recipe, source, Rounding::Up)),
            Rounding::Down => each!(4 to 2: |source| f_to_hf(recipe, source, Rounding::Down)),
            Rounding::TowardZero => each!(4 to 2: |source| f_to_hf(recipe, source, Rounding::TowardZero)),
        },
        (Hf, F) => each!(2 to 4: |source| hf_to_f(recipe, source)),
        (F, Bf) => each!(4 to 2: |source| f_to_bf(recipe, source)),
        (F, D) => each!(4 to 4: |source| f_to_d(recipe, source)),
        (F, Ub) => each!(4 to 1: |source| f_to_less(recipe, source, [0, 0xff])),
        (F, B) => each!(4 to 1: |source| f_to_less(recipe, source, [-0x80, 0x7f]) & source.like(0xff)),
        (F, Uw) => each!(4 to 2: |source| f_to_less(recipe, source, [0, 0xffff])),
        (F, W) => each!(4 to 2: |source| f_to_less(recipe, source, [-0x8000, 0x7fff]) & source.like(0xffff)),
        (F, Ud) if V::HAS_UNSIGNED => each!(4 to 4: |source| f_to_ud(recipe, source)),
        (D, F) => each!(4 to 4: |source| signed_to_f(recipe, source)),
        (W, F) => each!(2 to 4: |source| signed_to_f(recipe, extended(source, 16))),
        (B, F) => each!(1 to 4: |source| signed_to_f(recipe, extended(source, 24))),
        (Ud, F) if V::HAS_UNSIGNED => each!(4 to 4: |source| unsigned_to_f(recipe, source)),
        (Uw, F) => each!(2 to 4: |source| unsigned_to_f(recipe, source)),
        (Ub, F) => each!(1 to 4: |source| unsigned_to_f(recipe, source)),
        (Number::Df, F) => V::df_to_f(level, recipe, from, to),
        _ => V::convert_other(level, recipe, from, to),
    }
}

/// Converts elements of `SOURCE` bytes to ones of `DESTINATION` bytes, a vector at a time.
#[inline(always)]
fn each<V: Convert, const SOURCE: usize, const DESTINATION: usize>(
    level: V::Level,
    recipe: &Recipe,
    from: &[u8; BLOCK],
    to: &mut Elements,
    element: impl Fn(V) -> V,
) {
    for first in (0..recipe.count.min(32)).step_by(V::LANES) {
        let byte = SOURCE * first;
        let result = element(match SOURCE {
            1 => V::load_quarters(level, from, byte),
            2 => V::load_halves(level, from, byte),
            _ => V::load_bytes(level, from, byte),
        });
        let to = &mut to.0[DESTINATION * first..][..DESTINATION * V::LANES];
        match DESTINATION {
            1 => result.store_quarters(to),
            2 => result.store_halves(to),
            _ => result.store_bytes(to),
        }
    }
}

// ------------------------------------------------------------------------------------------------ floats to floats

#[inline(always)]
fn f_to_hf<V: Convert>(recipe: &Recipe, source: V, rounding: Rounding) -> V {
    let source = modified(recipe, source);
    // Zero is the largest number, taken one from.
    let is_denormal = source.like(NORMAL - 1).is_above((source & source.like(!SIGN)) - source.like(1));
    let [keep, set] = if recipe.flushes_source.is_set() { [SIGN, 0] } else { [!0, NORMAL] };
    let normal = V::select(is_denormal, (source & source.like(keep)) | source.like(set), source);
    let half = normal.rounded(rounding);
    let flushed_below = half.like(if recipe.flushes_result.is_set() { 0x400 } else { 0 });
    let is_flushed = flushed_below.is_above(half & half.like(0x7fff));
    let half = V::select(is_flushed, half & half.like(0x8000), half);
    clamped(recipe, half, [0x7c00, 0x3c00])
}

#[inline(always)]
fn hf_to_f<V: Convert>(recipe: &Recipe, source: V) -> V {
    let [single, _] = source.singles();
    let single = modified(recipe, single);
    let flushed_below = single.like(if recipe.flushes_source.is_set() { NORMAL_HF } else { 0 });
    let is_flushed = flushed_below.is_above(single & single.like(!SIGN));
    clamped(recipe, V::select(is_flushed, single & single.like(SIGN), single), [INFINITY, ONE])
}

/// The lowest bit that stays, and one less than half of it, carry into what stays; of a NaN they do not. A destination of
/// this type cannot be saturated.
#[inline(always)]
fn f_to_bf<V: Convert>(recipe: &Recipe, source: V) -> V {
    let source = modified(recipe, source);
    V::select(is_nan(source), source.shift_right_all(16) | source.like(0x40), rounded_to_bf(source))
}

// ------------------------------------------------------------------------------------------------ floats to integers

#[inline(always)]
fn f_to_d<V: Convert>(recipe: &Recipe, source: V) -> V {
    const TWO_TO_31: u32 = 0x4f00_0000;
    let source = modified(recipe, source);
    // Of numbers from 2^31 on, and of positive NaNs, so much is left.
    let is_large = source.like(SIGN - TWO_TO_31).is_above(source - source.like(TWO_TO_31));
    let value = V::select(is_large, source.like(!SIGN), source.truncated());
    V::select(is_nan(source), source.like(0), value)
}

/// Integers with limits, the least one and the largest one.
#[inline(always)]
fn f_to_less<V: Convert>(recipe: &Recipe, source: V, limits: [i32; 2]) -> V {
    let [least, largest] = limits.map(|limit| source.like(limit.cast_unsigned()));
    f_to_d(recipe, source).min(largest).max(least)
}

#[inline(always)]
fn f_to_ud<V: Convert>(recipe: &Recipe, source: V) -> V {
    let source = modified(recipe, source);
    // Negative values and NaNs exceed infinity.
    V::select(source.is_above(source.like(INFINITY)), source.like(0), source.truncated_unsigned())
}

// ------------------------------------------------------------------------------------------------ integers to floats

/// Numbers with sign, which begin so many bits below the highest one.
#[inline(always)]
fn extended<V: Vector>(source: V, by: u32) -> V {
    source.shift_left_all(by).shift_right_arithmetic(source.like(by))
}

#[inline(always)]
fn signed_to_f<V: Convert>(recipe: &Recipe, source: V) -> V {
    let negative = source.shift_right_arithmetic(source.like(31));
    with_sign(recipe, (source ^ negative) - negative, negative & negative.like(SIGN))
}

#[inline(always)]
fn unsigned_to_f<V: Convert>(recipe: &Recipe, source: V) -> V {
    with_sign(recipe, source, source.like(0))
}

/// The `F`s of magnitudes with signs.
#[inline(always)]
fn with_sign<V: Convert>(recipe: &Recipe, magnitude: V, sign: V) -> V {
    let single = magnitude.converted() | modified(recipe, sign);
    clamped(recipe, V::select(magnitude.is_zero(), magnitude, single), [INFINITY, ONE])
}

// ------------------------------------------------------------------------------------------------ what they share

/// `F`s with the source's modifiers.
#[inline(always)]
fn modified<V: Vector>(recipe: &Recipe, source: V) -> V {
    let keep = source.like(if recipe.is_absolute.is_set() { !SIGN } else { !0 });
    let flip = source.like(if recipe.is_negated.is_set() { SIGN } else { 0 });
    (source & keep) ^ flip
}

/// Floats, clamped if the destination is saturated; of their format, infinity and one are told.
#[inline(always)]
fn clamped<V: Vector>(recipe: &Recipe, float: V, [infinity, one]: [u32; 2]) -> V {
    if recipe.is_saturated.is_set() {
        V::select(float.is_above(float.like(infinity)), float.like(0), float.min(float.like(one)))
    } else {
        float
    }
}
