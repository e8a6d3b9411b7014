//! The parts of the GRF file that a kernel holds in variables of its own.

use std::collections::BTreeSet;
use std::ops::Range;

use tandem_isa::visa::ROW_BYTES;

use super::Unreachable;

/// Bytes between two touched parts that are held together.
const GAP: usize = 128;
/// The most bytes of all blocks, in registers of the test: half of what a thread has.
const MOST_REGISTERS: usize = 64;

/// A part of the file, in a variable of a power of two of 32-bit words for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The bytes of the file, from the beginning of a register to the end of one.
    pub bytes: Range<usize>,
    /// Words of each lane: 1, 2, 4, 8 or 16.
    pub words: usize,
}

impl Block {
    /// Rows of the bank `GRF`.
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        self.bytes.start / ROW_BYTES..self.bytes.end / ROW_BYTES
    }
}

/// The blocks for variables, which begin at `starts` and end no later than `ends`, and for touched rows beside them.
///
/// # Errors
/// What they hold does not fit.
pub(super) fn blocks(
    variables: &[Range<usize>],
    touched: &BTreeSet<usize>,
    (register_bytes, lanes): (usize, usize),
) -> Result<Vec<Block>, Unreachable> {
    let in_row = |row: usize| row * ROW_BYTES..(row + 1) * ROW_BYTES;
    let held = variables.iter().map(|variable| {
        let last = touched.iter().rev().find(|&&row| overlap(&in_row(row), variable));
        variable.start..last.map_or(variable.start + 1, |&row| in_row(row).end)
    });
    let mut parts: Vec<Range<usize>> = held.chain(touched.iter().map(|&row| in_row(row))).collect();
    parts.sort_by_key(|part| part.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for part in parts {
        let start = part.start / register_bytes * register_bytes;
        let end = part.end.next_multiple_of(register_bytes);
        match merged.last_mut() {
            Some(last) if start <= last.end + GAP => last.end = last.end.max(end),
            _ => merged.push(start..end),
        }
    }
    let block = |bytes: Range<usize>| {
        let words = bytes.len().div_ceil(4 * lanes).next_power_of_two();
        Block { bytes, words }
    };
    let blocks: Vec<Block> = merged.into_iter().map(block).collect();
    let total: usize = blocks.iter().map(|block| block.words * 4 * lanes).sum();
    let fits = blocks.iter().all(|block| block.words <= 16) && total <= MOST_REGISTERS * register_bytes;
    if fits { Ok(blocks) } else { Err(Unreachable::Registers) }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_together_is_one_block_and_what_is_too_much_has_none() {
        let touched = BTreeSet::from([0, 1, 5, 255]);
        let found = blocks(&[16..512, 8160..8192], &touched, (32, 16)).expect("it fits");
        let rows: Vec<Range<usize>> = found.iter().map(Block::rows).collect();
        assert_eq!(rows, [0..6, 255..256]);
        assert_eq!(found.iter().map(|block| block.words).collect::<Vec<_>>(), [4, 1]);
        let wide = blocks(&[16..512, 8160..8192], &touched, (64, 32)).expect("it fits");
        assert_eq!(wide.iter().map(Block::rows).collect::<Vec<_>>(), [0..6, 254..256]);
        let far = blocks(&[0..8192, 0..32], &BTreeSet::from([0, 255]), (32, 16));
        assert_eq!(far, Err(Unreachable::Registers));
    }
}
