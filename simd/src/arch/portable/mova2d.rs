//! `MOVA2D` without intrinsics.
//!
//! Each datum is flushed by a mask, split at the boundary that the recipe names, and blended into its column by a mask.
//! The loops over 16 columns have no branch, so the compiler makes vectors of them where the target has any.
//!
//! What differs from the page, and why it is equal:
//! 1. `continue` on a blocked column is a blend with the old word, which is then written back unchanged.
//! 2. The choices per datum are masks that the recipe or a comparison gives; see `tensix/mova2d.rs` for the recipe.
//! 3. The row's writes are first made in a row of their own: the words of a row do not depend on each other.

use tandem_isa::{Answer, State, Step};

use super::Portable;
use crate::tensix::mova2d::{self, Kernels, Recipe};

/// Executes one `MOVA2D` at this level.
pub(crate) fn execute(step: &Step<'_>, state: &mut State) -> Answer {
    mova2d::execute(Portable, step, state)
}

impl Kernels for Portable {
    /// Bit = column.
    type Columns = u16;

    /// Two lanes are taken as one 64-bit number, four such numbers are brought together four bits apart, and at last
    /// their upper halves are brought down between the lower ones.
    #[inline]
    fn open_columns(self, lane_config: &[u32; 8]) -> u16 {
        const PAIR: u64 = 0x3_0000_0003;
        let (pairs, _) = lane_config.as_chunks::<2>();
        let pair = |index: usize| u64::from(pairs[index][0]) | u64::from(pairs[index][1]) << 32;
        let blocked = ((pair(0) >> 9) & PAIR)
            | ((pair(1) >> 5) & (PAIR << 4))
            | ((pair(2) >> 1) & (PAIR << 8))
            | ((pair(3) << 3) & (PAIR << 12));
        !(blocked | blocked >> 30) as u16
    }

    #[inline]
    fn any(self, columns: u16) -> bool {
        columns != 0
    }

    #[inline]
    fn narrow<const N: usize>(self, recipe: &Recipe, columns: u16, from: &[[u32; 16]; N], to: &mut [[u16; 16]; N]) {
        let open = open_words(columns);
        for (from, to) in from.iter().zip(to) {
            blend(to, &open, &from.map(|datum| value(recipe, flush(recipe, datum)) as u16));
        }
    }

    #[inline]
    fn wide<const N: usize>(
        self,
        recipe: &Recipe,
        columns: u16,
        from: &[[u32; 16]; N],
        [high, low]: [&mut [[u16; 16]; N]; 2],
    ) {
        let open = open_words(columns);
        for ((from, high), low) in from.iter().zip(high).zip(low) {
            let flushed = from.map(|datum| flush(recipe, datum));
            blend(high, &open, &flushed.map(|datum| value(recipe, datum) as u16));
            // The three bits of mantissa that the high half lacks come first in the low half.
            let low_half = |datum: u32| ((datum << 5) & 0xe000) | (value(recipe, datum) & recipe.low_from_value);
            blend(low, &open, &flushed.map(|datum| low_half(datum) as u16));
        }
    }

    #[inline]
    fn clear_invalid<const N: usize>(self, columns: u16, valid: &[u8; N], rows: &mut [[u16; 16]; N]) {
        let open = open_words(columns);
        for (valid, row) in valid.iter().zip(rows) {
            let clear = u16::from(*valid == 0).wrapping_neg();
            blend(row, &open.map(|open| open & clear), &[0; 16]);
        }
    }
}

/// The datum, or zero if its exponent bits are those that are flushed.
#[inline]
fn flush(recipe: &Recipe, datum: u32) -> u32 {
    let flushed = u32::from(datum & 0xff == recipe.flushed_exponent);
    datum & flushed.wrapping_sub(1)
}

/// The 16-bit value of a datum.
#[inline]
fn value(recipe: &Recipe, datum: u32) -> u32 {
    ((datum >> 3) & recipe.shifted) | (datum & !recipe.shifted)
}

/// All bits of the words of open columns.
#[inline]
fn open_words(columns: u16) -> [u16; 16] {
    std::array::from_fn(|column| ((columns >> column) & 1).wrapping_neg())
}

/// Puts the words of `from` that are `open` into `to`.
#[inline]
fn blend(to: &mut [u16; 16], open: &[u16; 16], from: &[u16; 16]) {
    for ((to, open), from) in to.iter_mut().zip(open).zip(from) {
        *to = (*to & !open) | (from & open);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_give_every_datum_as_a_naive_loop_does() {
        crate::tensix::mova2d_kit::check_kernels(super::Portable);
    }
}
