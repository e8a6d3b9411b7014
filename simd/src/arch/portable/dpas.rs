//! What `DPAS` has of its own without intrinsics: a few words at a time.
//!
//! Floats use the host's arithmetic where a probe finds that it rounds to nearest and keeps denormals. Integers have a kernel
//! of their own, product after product for all channels of a row: a compiler makes no vectors of the products of halves of
//! words, and would take one and a half times as long for those of `u4` and `s4`.

use std::hint::black_box;

use super::vector::{Portable, Words};
use crate::visa::dpas_recipe::{Integer, MOST_ROWS, Operands, Places, Recipe};
use crate::visa::dpas_rows::Products;

impl Products for Words {
    const HAS_FUSED: bool = false;
    type Row = [Self; 4];

    #[inline(always)]
    fn row(self) -> [Self; 4] {
        [self; 4]
    }

    #[inline(always)]
    fn is_native<const EXTRA: bool>(_: Portable, _: bool) -> bool {
        host_is_as_it_should_be()
    }

    #[inline(never)]
    fn integers(_: Portable, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]) {
        let mut results = [[0; 16]; MOST_ROWS];
        integers(&recipe, pair, places.operands(file), &mut results);
        let to = recipe.destination_of(&places, file);
        for (to, results) in to.chunks_exact_mut(4 * recipe.channels).zip(&results) {
            for (to, result) in to.as_chunks_mut::<4>().0.iter_mut().zip(results) {
                *to = result.to_le_bytes();
            }
        }
    }
}

/// Whether the host rounds to nearest and keeps denormals, as far as results show it.
#[inline(always)]
fn host_is_as_it_should_be() -> bool {
    let one = black_box(1f32);
    let place = f32::EPSILON;
    let is_nearest =
        (one + place * 0.75).to_bits() == one.to_bits() + 1 && (one + place * 0.25).to_bits() == one.to_bits();
    let smallest = black_box(f32::from_bits(1));
    let is_kept = (smallest + smallest).to_bits() == 2
        && (black_box(f32::from_bits(0x0080_0001)) * 0.5).to_bits() == 0x0040_0000
        && (smallest * 8_388_608.0).to_bits() == 0x0080_0000;
    is_nearest && is_kept
}

/// Rows of integers. Elements beyond those of the instruction are widened with the others and not multiplied.
#[inline(always)]
fn integers(
    recipe: &Recipe,
    (weights, activations): (Integer, Integer),
    operands: Operands<'_>,
    results: &mut [[u32; 16]; MOST_ROWS],
) {
    let mut columns = [[0; 16]; 64];
    for (product, column) in columns.iter_mut().enumerate().take(recipe.num_products) {
        let bit = product * usize::from(weights.bits);
        let words = double_words(operands.weights, bit / 32 * recipe.channels);
        *column = words.map(|word| extended(word >> (bit % 32), weights));
    }
    for (row, sums) in results.iter_mut().enumerate().take(recipe.num_rows) {
        *sums = double_words(operands.accumulators, row * recipe.channels);
        for (product, column) in columns.iter().enumerate().take(recipe.num_products) {
            let bit = row * recipe.pitch + product * usize::from(activations.bits);
            let factor = extended(u32::from(operands.activations[bit / 8] >> (bit % 8)), activations);
            for (sum, weight) in sums.iter_mut().zip(column) {
                *sum = sum.wrapping_add(weight.wrapping_mul(factor));
            }
        }
    }
}

/// The element in the low bits, extended to 32.
#[inline(always)]
fn extended(bits: u32, integer: Integer) -> u32 {
    ((bits & integer.mask()) ^ integer.sign()).wrapping_sub(integer.sign())
}

/// Sixteen double words from a double word on; beyond the block they are 0.
#[inline(always)]
fn double_words(from: &[u8], first: usize) -> [u32; 16] {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(from[4 * first..].as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::host_is_as_it_should_be;

    /// Otherwise all sums would go the slow way, with the same results. Hosts that are not are in `tests/levels.rs`.
    #[test]
    fn a_host_that_nobody_changed_is_as_it_should_be() {
        assert!(host_is_as_it_should_be());
    }
}
