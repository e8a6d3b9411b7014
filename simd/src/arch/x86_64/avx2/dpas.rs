//! What `DPAS` has of its own at AVX2 and F16C, with FMA where the CPU has it.
//!
//! Two words of a lane are multiplied and added by one instruction. Activations become words, two in a double word.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Without FMA, fused steps are made in integers.
//! 2. Every integer element fits a signed word, and so the products of words and their sums in pairs are exact.

use super::vector::Eight;
use crate::level::Avx2;
use crate::vector::Vector;
use crate::visa::dpas_integers::{self, Dot};
use crate::visa::dpas_recipe::{ACTIVATIONS, Integer, MOST_ROWS, Places, Recipe};
use crate::visa::dpas_rows::Products;

impl Products for Eight {
    const HAS_FUSED: bool = false;
    type Row = [Self; 2];

    #[inline(always)]
    fn row(self) -> [Self; 2] {
        [self; 2]
    }

    #[inline(always)]
    fn is_native<const EXTRA: bool>(_: Avx2, has_fused: bool) -> bool {
        EXTRA || !has_fused
    }

    #[inline(always)]
    fn integers(level: Avx2, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]) {
        dpas_integers::integers::<Self>(level, recipe, pair, places, file);
    }
}

impl Dot for Eight {
    const PER_LANE: usize = 2;
    type Arranged = Pairs;

    #[inline(always)]
    fn arrange(recipe: &Recipe, pair: (Integer, Integer), from: &[u8; ACTIVATIONS], to: &mut Pairs, _: Avx2) -> u32 {
        to.arrange(recipe, pair, from);
        0
    }

    #[inline(always)]
    fn activation(level: Avx2, from: &Pairs, place: usize) -> Self {
        Self::splat(level, from.0[place])
    }

    #[inline(always)]
    fn dot<const EXTRA: bool, const IS_SIGNED: bool>(sum: Self, weights: Self, activations: Self) -> Self {
        sum + weights.multiply_pairs(activations)
    }
}

/// Activations as words, two of which meet a double word of weights: all of a row, then those of the next.
pub(crate) struct Pairs([u32; 32 * MOST_ROWS]);

impl Default for Pairs {
    #[inline(always)]
    fn default() -> Self {
        Pairs([0; 32 * MOST_ROWS])
    }
}

impl Pairs {
    /// Takes those of all rows. The second one of a pair is as far from the first one as half of a double word of weights is.
    fn arrange(&mut self, recipe: &Recipe, (weights, activations): (Integer, Integer), from: &[u8; ACTIVATIONS]) {
        let stride = if recipe.num_products > 32 { 32 } else { 16 };
        for (row, pairs) in self.0.chunks_exact_mut(stride).enumerate().take(recipe.num_rows) {
            // The row may begin within a byte, of shorter elements.
            let mut words = [0; 64 + 8];
            let (from, first) =
                (&from[row * recipe.pitch / 8..], row * recipe.pitch % 8 / usize::from(activations.bits));
            match activations.bits {
                8 => words_of::<8>(activations, from, &mut words),
                4 => words_of::<4>(activations, from, &mut words),
                2 => words_of::<2>(activations, from, &mut words),
                _ => words_of::<1>(activations, from, &mut words),
            }
            words[first + recipe.num_products..].fill(0);
            let words = &words[first..];
            match weights.bits {
                8 => paired::<2>(words, pairs),
                4 => paired::<4>(words, pairs),
                2 => paired::<8>(words, pairs),
                _ => paired::<16>(words, pairs),
            }
        }
    }
}

/// The elements in the bytes of a row.
#[inline(always)]
fn words_of<const BITS: usize>(integer: Integer, from: &[u8], to: &mut [u16; 64 + 8]) {
    let (mask, sign) = (integer.mask() as u16, integer.sign() as u16);
    let from: &[u8; 32] = from.first_chunk().expect("a row is in the window");
    for (to, &byte) in to.chunks_exact_mut(8 / BITS).zip(from) {
        for (part, to) in to.iter_mut().enumerate() {
            *to = (((u16::from(byte) >> (part * BITS)) & mask) ^ sign).wrapping_sub(sign);
        }
    }
}

/// Two words in each, `PARTS` apart.
#[inline(always)]
fn paired<const PARTS: usize>(words: &[u16], to: &mut [u32]) {
    for (to, words) in to.as_chunks_mut::<PARTS>().0.iter_mut().zip(words.chunks_exact(2 * PARTS)) {
        for (place, to) in to.iter_mut().enumerate() {
            *to = u32::from(words[place]) | u32::from(words[PARTS + place]) << 16;
        }
    }
}
