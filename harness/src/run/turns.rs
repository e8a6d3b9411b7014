//! Whose turn it is: which unit of a campaign a block belongs to.
//!
//! A unit with more cells has more turns, so that a budget that is enough for all of them is not spent on a few small
//! ones. The turns of a cycle lie as evenly as they can; which unit has a block hangs on the block's number alone.

/// Turns of a unit that has next to no cells.
const LEAST: usize = 3;
/// A unit has one turn more for so many cells.
const CELLS_PER_TURN: usize = 100;

/// The turns of a cycle.
#[derive(Debug)]
pub(crate) struct Turns {
    /// For each turn of a cycle, the unit and how many turns it had in the cycle before.
    cycle: Vec<(usize, u64)>,
    /// How many turns each unit has in a cycle.
    shares: Vec<u64>,
}

impl Turns {
    /// Of units with so many cells.
    pub(crate) fn of(cells: impl IntoIterator<Item = usize>) -> Self {
        let shares: Vec<u64> = cells.into_iter().map(|cells| (LEAST + cells / CELLS_PER_TURN) as u64).collect();
        let length: u64 = shares.iter().sum();
        let mut had = vec![0; shares.len()];
        let cycle = (1..=length)
            .map(|turn| {
                // The one that is furthest behind what it should have had by now; the first of several.
                let behind = |unit: &usize| (turn * shares[*unit]) as i64 - (had[*unit] * length) as i64;
                let unit = (0..shares.len()).rev().max_by_key(behind).expect("a turn is somebody's");
                had[unit] += 1;
                (unit, had[unit] - 1)
            })
            .collect();
        Turns { cycle, shares }
    }

    /// The unit of a block, and the number of the block among its own.
    pub(crate) fn turn(&self, block: u64) -> (usize, u64) {
        let length = self.cycle.len() as u64;
        let (unit, had) = self.cycle[(block % length) as usize];
        (unit, block / length * self.shares[unit] + had)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_unit_has_its_blocks_in_order_and_in_proportion(cells in prop::collection::vec(0_usize..4_000, 1..40)) {
            let turns = Turns::of(cells.iter().copied());
            let cycle = turns.cycle.len() as u64;
            let mut next = vec![0; cells.len()];
            for block in 0..3 * cycle {
                let (unit, number) = turns.turn(block);
                prop_assert_eq!(number, next[unit]);
                next[unit] += 1;
                // Nobody is ever more than two turns from an even share.
                let even = (block + 1) as f64 * turns.shares[unit] as f64 / cycle as f64;
                prop_assert!((next[unit] as f64 - even).abs() <= 2.0, "{} of {even}", next[unit]);
            }
            for (unit, &cells) in cells.iter().enumerate() {
                prop_assert_eq!(next[unit], 3 * (LEAST + cells / CELLS_PER_TURN) as u64);
            }
        }
    }
}
