//! `SFPSTORE` without intrinsics.
//!
//! The recipe's formula makes 32 bits for `Dst` of each datum. Each half of them that is stored is put into both columns
//! of the lane's pair, of which a mask lets one through. The loops over eight lanes have no branch, so the compiler makes
//! vectors of them where the target has any.
//!
//! What differs from the page, and why it is equal:
//! 1. `continue` on a lane that does not move, and the column that is not chosen, are a blend with the old words, which
//!    are then written back unchanged.
//! 2. The choices per datum are masks that the recipe or a comparison gives; see `tensix/sfpstore.rs`.
//! 3. Comparisons are signs of differences, since all magnitudes are below 2^31.
//! 4. The 32 lanes are four rows of eight, which do not depend on each other.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use super::Portable;
use super::sfpu::{pairs, select, words};
use crate::tensix::sfpstore::{self, Kernels, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPSTORE` at this level.
pub(crate) fn execute(chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpstore::execute(Portable, chip, step, state)
}

impl Kernels for Portable {
    #[inline]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], to: &mut Run) {
        for (row, (from, to)) in from.as_chunks::<8>().0.iter().zip(to).enumerate() {
            put(to, &open(moves, row), &from.map(|datum| twice_high(bits(recipe, datum))));
        }
    }

    #[inline]
    fn wide(self, recipe: &Recipe, moves: Moves, from: &[u32; 32], [high, low]: [&mut Run; 2]) {
        for (row, ((from, high), low)) in from.as_chunks::<8>().0.iter().zip(high).zip(low).enumerate() {
            let open = open(moves, row);
            let bits = from.map(|datum| bits(recipe, datum));
            put(high, &open, &bits.map(twice_high));
            put(low, &open, &bits.map(|bits| twice_high(bits << 16)));
        }
    }
}

/// The bits for `Dst`.
#[inline(always)]
fn bits(recipe: &Recipe, datum: u32) -> u32 {
    let complement = negative(datum) & recipe.complement;
    let sign = datum & 0x8000_0000;
    // Of -2^31, the magnitude is zero: the sign is masked off.
    let magnitude = (datum ^ complement).wrapping_sub(complement) & 0x7fff_ffff;
    // Differences of numbers below 2^31 are negative where the first number is less.
    let magnitude = magnitude.wrapping_sub(recipe.rebias);
    let magnitude = magnitude & !negative(magnitude);
    let excess = magnitude.wrapping_sub(recipe.largest);
    let magnitude = recipe.largest.wrapping_add(excess & negative(excess));
    let kept = !negative(magnitude.wrapping_sub(recipe.smallest));
    let datum = sign | (magnitude & kept);
    (datum & recipe.in_place)
        | ((datum << recipe.up) & recipe.left)
        | ((datum >> recipe.down) & recipe.right)
        | recipe.ones
}

/// All bits if the sign is set, else none.
#[inline(always)]
const fn negative(number: u32) -> u32 {
    (number.cast_signed() >> 31).cast_unsigned()
}

/// The upper half, in both halves.
#[inline(always)]
const fn twice_high(bits: u32) -> u32 {
    (bits & 0xffff_0000) | (bits >> 16)
}

/// For each pair of columns of a row of lanes, the half that is written.
#[inline]
fn open(moves: Moves, row: usize) -> [u32; 8] {
    let (odd, moving) = (words(moves.odd), words(moves.moving >> (8 * row)));
    std::array::from_fn(|lane| select(odd[lane], 0xffff_0000, 0xffff) & moving[lane])
}

/// Puts the halves of `from` that are `open` into a row.
#[inline]
fn put(to: &mut [u16; 16], open: &[u32; 8], from: &[u32; 8]) {
    let old = pairs(to);
    for (lane, words) in to.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let pair = select(open[lane], from[lane], old[lane]);
        *words = [pair as u16, (pair >> 16) as u16];
    }
}

#[cfg(test)]
mod tests {
    use crate::Level;
    use crate::tensix::sfpu_kit;

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        sfpu_kit::check_store(super::Portable);
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        sfpu_kit::check_instructions(Level::Portable, sfpu_kit::Which::Store);
    }
}
