//! The rows of `DPAS`: what a level offers to make them, and how they are written.

use super::dpas_recipe::{Integer, MOST_ROWS, Places, Recipe};
use super::floats::Floats;

/// What a level has to offer to `DPAS`, beside vectors of floats.
pub(crate) trait Products: Floats {
    /// Whether a fused step is as fast as a product.
    const HAS_FUSED: bool;

    /// Sixteen lanes.
    type Row: Copy + AsRef<[Self]> + AsMut<[Self]>;

    /// Sixteen lanes, vectors of which are all this one.
    fn row(self) -> Self::Row;

    /// Makes rows of integers.
    fn integers(level: Self::Level, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]);

    /// Whether the CPU's arithmetic is that of the model, compiled with `EXTRA`; asked within [`Vector::run`].
    fn is_native<const EXTRA: bool>(level: Self::Level, has_fused: bool) -> bool;
}

/// Puts results where they belong, each vector by `store`.
#[inline(always)]
pub(super) fn write<V: Products>(
    recipe: &Recipe,
    places: &Places,
    file: &mut [u8],
    results: &[V::Row; MOST_ROWS],
    store: impl Fn(V, &mut [u8]),
) {
    let mut to = recipe.destination_of(places, file);
    // A vector may be longer than a row.
    let lanes = if recipe.channels == 16 { V::LANES } else { V::LANES.min(8) };
    let (vectors, bytes) = (recipe.channels / lanes, lanes * recipe.destination.bytes());
    for results in results {
        for &result in results.as_ref().iter().take(vectors) {
            let Some((first, rest)) = to.split_at_mut_checked(bytes) else { return };
            store(result, first);
            to = rest;
        }
    }
}
