//! `SFPLOAD` without intrinsics.
//!
//! A row of `Dst` is eight pairs of columns, one for each lane. The column that is chosen is shifted to the upper half
//! of 32 bits; the recipe's formula makes the datum; a mask puts it into the `LReg`. The loops over eight lanes have no
//! branch, so the compiler makes vectors of them where the target has any.
//!
//! What differs from the page, and why it is equal:
//! 1. `continue` on a lane that does not move is a blend with the old word, which is then written back unchanged.
//! 2. The choices per datum are masks that the recipe, a comparison or a lane gives; see `tensix/sfpload.rs`.
//! 3. The 32 lanes are four rows of eight, which do not depend on each other.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use super::Portable;
use super::sfpu::{pairs, select, words};
use crate::tensix::sfpload::{self, EXPONENT, Kernels, LARGEST, LARGEST_TO_INFINITY, Moves, Recipe};
use crate::tensix::sfpu::Run;

/// Executes one `SFPLOAD` at this level.
pub(crate) fn execute(chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    sfpload::execute(Portable, chip, step, state)
}

impl Kernels for Portable {
    #[inline]
    fn narrow(self, recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
        if recipe.is_plain() {
            narrow::<true>(recipe, moves, from, to);
        } else {
            narrow::<false>(recipe, moves, from, to);
        }
    }

    #[inline]
    fn wide(self, recipe: &Recipe, moves: Moves, from: [&Run; 2], to: &mut [u32; 32]) {
        if recipe.is_plain() {
            wide::<true>(recipe, moves, from, to);
        } else {
            wide::<false>(recipe, moves, from, to);
        }
    }

    #[inline]
    fn capture(self, moves: Moves, first: u32, to: &mut [u32; 32]) {
        let odd = words(moves.odd);
        for (row, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let moving = words(moves.moving >> (8 * row));
            for lane in 0..8 {
                let index = first + 16 * row as u32 + 2 * lane as u32 + (odd[lane] & 1);
                to[lane] = select(moving[lane], index, to[lane]);
            }
        }
    }
}

/// Loads 16-bit data.
#[inline(always)]
fn narrow<const PLAIN: bool>(recipe: &Recipe, moves: Moves, from: &Run, to: &mut [u32; 32]) {
    let (odd, infinite) = (words(moves.odd), words(moves.infinite));
    for (row, (from, to)) in from.iter().zip(to.as_chunks_mut::<8>().0).enumerate() {
        let (from, moving) = (pairs(from), words(moves.moving >> (8 * row)));
        for lane in 0..8 {
            let high = select(odd[lane], from[lane], from[lane] << 16);
            to[lane] = moved::<PLAIN>(recipe, high, infinite[lane], moving[lane], to[lane]);
        }
    }
}

/// Loads 32-bit data from their high and low halves.
#[inline(always)]
fn wide<const PLAIN: bool>(recipe: &Recipe, moves: Moves, [high, low]: [&Run; 2], to: &mut [u32; 32]) {
    let (odd, infinite) = (words(moves.odd), words(moves.infinite));
    for (row, ((high, low), to)) in high.iter().zip(low).zip(to.as_chunks_mut::<8>().0).enumerate() {
        let (high, low, moving) = (pairs(high), pairs(low), words(moves.moving >> (8 * row)));
        for lane in 0..8 {
            let high = select(odd[lane], high[lane], high[lane] << 16);
            let low = select(odd[lane], low[lane] >> 16, low[lane]);
            let both = select(0xffff_0000, high, low);
            to[lane] = moved::<PLAIN>(recipe, both, infinite[lane], moving[lane], to[lane]);
        }
    }
}

/// The word of a lane after the instruction.
#[inline(always)]
fn moved<const PLAIN: bool>(recipe: &Recipe, bits: u32, infinite: u32, moving: u32, old: u32) -> u32 {
    let datum = (bits & recipe.in_place) | ((bits << 7) & recipe.left) | ((bits >> recipe.shift) & recipe.right);
    let datum = if PLAIN { datum } else { finish(recipe, datum, infinite) };
    select(moving & !recipe.keep, datum, old)
}

/// Rebiases FP16, puts infinity in, and makes two's complement.
#[inline(always)]
fn finish(recipe: &Recipe, datum: u32, infinite: u32) -> u32 {
    let rebiased = u32::from(datum & EXPONENT == 0).wrapping_sub(1);
    let datum = datum.wrapping_add(recipe.rebias & rebiased);
    let is_largest = u32::from(datum & 0x7fff_ffff == LARGEST).wrapping_neg();
    let datum = datum ^ (LARGEST_TO_INFINITY & is_largest & infinite);
    let negative = (datum.cast_signed() >> 31).cast_unsigned() & recipe.complement;
    (datum ^ (negative >> 1)).wrapping_sub(negative)
}

#[cfg(test)]
mod tests {
    use crate::Level;
    use crate::tensix::sfpu_kit;

    #[test]
    fn kernels_give_every_datum_as_the_page_does() {
        sfpu_kit::check_load(super::Portable);
    }

    #[test]
    fn instructions_do_what_a_literal_interpreter_does() {
        sfpu_kit::check_instructions(Level::Portable, sfpu_kit::Which::Load);
    }
}
