//! Rows of `DPAS` of integers, at levels that multiply several in each lane.
//!
//! Weights are loaded as double words and taken apart; the activations of all eight rows of a block were made ready before,
//! and are broadcast. The rows are summed side by side, so that they do not wait for each other, and none is stored before all
//! is read. Each level has its products, and the order in which these are made ([`Dot`]).
//!
//! What differs from the page, and why it is equal:
//! 1. Integers are multiplied two or four to a lane. Of a double word of weights, every eighth bit or every sixteenth one
//!    begins an element of the same vector, so that taking apart is a shift and a mask; activations are put into the same
//!    order. All is modulo 2^32, and the order of such a sum does not matter.
//! 2. An element becomes signed in its part of a lane by taking its sign off twice, which never borrows of the next part:
//!    a bit above it is set before and cleared thereafter.
//! 3. Vectors may hold elements beyond the last product: there, activations stand for 0.
//! 4. Where a level multiplies unsigned by signed numbers only, it changes activations by a constant; what that makes too
//!    much is the same multiple of the sum of a channel's weights in every row ([`Dot::arrange`]).

use super::dpas_recipe::{ACTIVATIONS, Integer, MOST_ROWS, Places, Recipe};
use super::dpas_rows::{Products, write};
use crate::vector::Task;

/// A level that multiplies several integers in each lane.
pub(crate) trait Dot: Products {
    /// How many: 2 or 4.
    const PER_LANE: usize;

    /// Activations, ready to be broadcast.
    type Arranged: Default;

    /// Puts the activations of all rows in the order of the weights, and gives what is too much in the end, in each part of a
    /// lane: activations whose products are to be taken off.
    fn arrange(
        recipe: &Recipe,
        pair: (Integer, Integer),
        from: &[u8; ACTIVATIONS],
        to: &mut Self::Arranged,
        level: Self::Level,
    ) -> u32;

    /// One of the activations, in each lane.
    fn activation(level: Self::Level, from: &Self::Arranged, place: usize) -> Self;

    /// Adds the products of all parts of each lane.
    fn dot<const EXTRA: bool, const IS_SIGNED: bool>(sum: Self, weights: Self, activations: Self) -> Self;
}

/// Rows of integers, with weights of `BITS` bits and rows of `STRIDE` activations.
struct IntegerRows<'a, V: Dot, const BITS: usize, const IS_SIGNED: bool, const STRIDE: usize> {
    recipe: Recipe,
    places: Places,
    activations: &'a V::Arranged,
    too_much: u32,
}

macro_rules! by_shape {
    (($bits:expr, $is_signed:expr, $is_long:expr), $level:ident, $fields:tt, $file:ident, $($known:literal)*) => {
        match ($bits, $is_signed, $is_long) {
            $(
                ($known, false, false) => V::run($level, IntegerRows::<V, $known, false, 32> $fields, $file),
                ($known, true, false) => V::run($level, IntegerRows::<V, $known, true, 32> $fields, $file),
                ($known, false, true) => V::run($level, IntegerRows::<V, $known, false, 64> $fields, $file),
                ($known, true, true) => V::run($level, IntegerRows::<V, $known, true, 64> $fields, $file),
            )*
            _ => unreachable!("precisions have 1, 2, 4 or 8 bits"),
        }
    };
}

/// Rows of integers, at a level that multiplies several in each lane.
#[inline(always)]
pub(crate) fn integers<V: Dot>(
    level: V::Level,
    recipe: Recipe,
    pair: (Integer, Integer),
    places: Places,
    file: &mut [u8],
) {
    let mut arranged = V::Arranged::default();
    let too_much = V::arrange(&recipe, pair, places.operands(file).activations, &mut arranged, level);
    let activations = &arranged;
    let shape = (pair.0.bits, pair.0.is_signed, recipe.num_products > 32);
    by_shape!((shape.0, shape.1, shape.2), level, { recipe, places, activations, too_much }, file, 1 2 4 8);
}

impl<V: Dot, const BITS: usize, const IS_SIGNED: bool, const STRIDE: usize> Task<V>
    for IntegerRows<'_, V, BITS, IS_SIGNED, STRIDE>
{
    const USES_DOT: bool = true;
    type On = [u8];
    type Output = ();

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level, file: &mut [u8]) {
        let Self { recipe, places, activations, too_much } = self;
        let operands = places.operands(file);
        let parts = 32 / V::PER_LANE / BITS;
        let row_bytes = if recipe.channels == 16 { 64 } else { 32 };
        let registers = (recipe.num_products * BITS).div_ceil(32).clamp(1, STRIDE / V::PER_LANE / parts);
        let nothing = V::splat(level, 0);
        let mut results = [nothing.row(); MOST_ROWS];
        for chunk in 0..16 / V::LANES {
            let first = chunk * 4 * V::LANES;
            if first >= row_bytes {
                break;
            }
            let mut sums = [nothing; MOST_ROWS];
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = V::load_bytes(level, operands.accumulators, row * row_bytes + first);
            }
            // With many registers, each row has two sums, which do not wait for each other.
            let mut others = [nothing; MOST_ROWS];
            let mut excess = [nothing; 2];
            for register in 0..registers {
                let words = V::load_bytes(level, operands.weights, register * row_bytes + first);
                for part in 0..parts {
                    let weights = unpacked::<V, BITS, IS_SIGNED>(words, part);
                    if too_much != 0 {
                        let products = V::splat(level, too_much);
                        excess[part % 2] = V::dot::<EXTRA, IS_SIGNED>(excess[part % 2], weights, products);
                    }
                    let sums = if V::LANES == 16 && part % 2 == 1 { &mut others } else { &mut sums };
                    for (row, sum) in sums.iter_mut().enumerate() {
                        let place = row * (STRIDE / V::PER_LANE) + register * parts + part;
                        *sum = V::dot::<EXTRA, IS_SIGNED>(*sum, weights, V::activation(level, activations, place));
                    }
                }
            }
            let excess = excess[0] + excess[1];
            for (row, sum) in sums.into_iter().enumerate() {
                results[row].as_mut()[chunk] = sum + (others[row] - excess);
            }
        }
        write::<V>(&recipe, &places, file, &results, V::store_bytes);
    }
}

/// Every `parts`th weight of double words, in the parts of lanes.
#[inline(always)]
fn unpacked<V: Dot, const BITS: usize, const IS_SIGNED: bool>(words: V, part: usize) -> V {
    if BITS * V::PER_LANE == 32 {
        return words;
    }
    // A bit of each part of a lane.
    let ones = u32::MAX / ((1 << (32 / V::PER_LANE)) - 1);
    let bits = words.shift_right_all((BITS * part) as u32) & words.like(ones * ((1 << BITS) - 1));
    if !IS_SIGNED {
        return bits;
    }
    let (sign, above) = (words.like(ones << (BITS - 1)), words.like(ones << (32 / V::PER_LANE - 1)));
    (((bits ^ sign) | above) - sign) ^ above
}
