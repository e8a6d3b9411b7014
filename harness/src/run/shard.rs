//! Shards: a campaign dealt to several machines, whose parts together come to what one machine comes to.
//!
//! A block of a campaign is a function of its number, and blocks are merged in their order. So a shard runs the blocks that
//! are dealt to it, and what it leaves is a checkpoint of these alone. All of them put together are the checkpoint of the
//! whole campaign behind its last block, from which it is brought to its end as ever.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::run::{
    checkpoint::{SavedFinding, SavedUnit},
    turns::Turns,
};
use crate::{BLOCK, Checkpoint, Signature};

/// One of several equal parts of a run, written `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its place among them, from 0 on.
    place: u64,
    of: u64,
}

impl Shard {
    /// The most shards that a run is dealt to.
    pub const MOST: u64 = 4096;

    /// Shard `number` of `of`, counted from 1 on; nothing if there is no such shard.
    #[must_use]
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let there_is = of <= Shard::MOST && (1..=of).contains(&number);
        there_is.then(|| Shard { place: number - 1, of })
    }

    /// Its number, from 1 on.
    #[must_use]
    pub fn number(self) -> u64 {
        self.place + 1
    }

    /// How many shards there are.
    #[must_use]
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether the item with this number, from 0 on, is its own.
    #[must_use]
    pub fn has(self, item: u64) -> bool {
        item % self.of == self.place
    }

    /// Whether a block is its own, by the unit and the number of the block among those of the unit: each unit is dealt out
    /// for itself, because a block of one may cost ten times as much as that of another.
    pub(crate) fn has_turn(self, (unit, number): (usize, u64)) -> bool {
        self.has(number + unit as u64)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        numbers.and_then(|(number, of)| Shard::new(number, of)).ok_or_else(|| {
            format!("a shard is I/N, for example 2/8, with I from 1 to N, and N at most {}", Shard::MOST)
        })
    }
}

/// Why shards cannot be put together. Places count from 0 on, in the order of the shards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// What a shard says cannot be so.
    #[error("{1}")]
    Broken(usize, String),
    /// The first shard and another one do not belong together.
    #[error("{1}")]
    Differ(usize, String),
}

/// The checkpoint behind the last block of a campaign of `cases` cases, from those of all of its shards in their order.
///
/// # Errors
/// Which shard does not fit, and why.
pub fn join(parts: &[Checkpoint], cases: u64) -> Result<Checkpoint, JoinError> {
    let units = parts.first().map_or(&[][..], |part| &part.units);
    if units.is_empty() {
        return Err(JoinError::Broken(0, "it has no instruction".to_string()));
    }
    let blocks = cases.div_ceil(BLOCK);
    let mut whole = Checkpoint { blocks, units: units.to_vec(), ..Checkpoint::default() };
    for (place, part) in parts.iter().enumerate() {
        let differs = |what| JoinError::Differ(place, what);
        part.check().map_err(|what| JoinError::Broken(place, what))?;
        if part.units.len() != units.len() {
            return Err(differs("other instructions".to_string()));
        }
        let pairs = whole.units.iter_mut().zip(units.iter().zip(&part.units));
        for (number, (unit, (first, part))) in pairs.enumerate() {
            unit.take_shard(first, part, place == 0).map_err(|what| differs(format!("{what} of unit {number}")))?;
        }
        whole.add(part);
    }
    if whole.cases != cases {
        let what = format!("the shards have {} cases together, and the campaign {cases}", whole.cases);
        return Err(JoinError::Broken(0, what));
    }
    let order = Order::of(parts, units, cases)?;
    let mut findings: BTreeMap<Signature, SavedFinding> = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        for saved in &part.findings {
            let broken = |what| JoinError::Broken(place, format!("{} was met {what}", saved.signature()));
            let before = order.datums_before(place, saved.block());
            let (before, own) = before.ok_or_else(|| broken("in a block that is not the shard's"))?;
            if !saved.lies_in(cases, own) {
                return Err(broken("where its block has no case"));
            }
            let saved = saved.after_datums(before);
            match findings.get_mut(saved.signature()) {
                Some(known) => known.join(saved),
                None => {
                    findings.insert(saved.signature().clone(), saved);
                }
            }
        }
    }
    whole.findings = findings.into_values().collect();
    Ok(whole)
}

impl Checkpoint {
    /// Adds what is counted over all instructions. Shards run at the same time.
    fn add(&mut self, part: &Checkpoint) {
        self.seconds = self.seconds.max(part.seconds);
        self.cases = self.cases.saturating_add(part.cases);
        self.datums = self.datums.saturating_add(part.datums);
        self.completed = self.completed.saturating_add(part.completed);
        for (sum, more) in self.undone.iter_mut().zip(part.undone) {
            *sum = sum.saturating_add(more);
        }
    }
}

/// The blocks of a campaign in their order.
struct Order {
    /// The shard of each block, how many words were compared before it, and how many in it.
    blocks: Vec<(usize, u64, u64)>,
}

impl Order {
    fn of(parts: &[Checkpoint], units: &[SavedUnit], cases: u64) -> Result<Self, JoinError> {
        let turns = Turns::of(units.iter().map(|unit| unit.counts().count()));
        let broken = |place| JoinError::Broken(place, "it has not the blocks that are dealt to it".to_string());
        let mut left: Vec<_> = parts.iter().map(|part| part.datums_of_blocks.iter()).collect();
        let (mut list, mut datums) = (Vec::new(), 0_u64);
        // What each shard should have: the block behind its last one, and its cases.
        let mut has_run = vec![(0, 0); parts.len()];
        for block in 0..cases.div_ceil(BLOCK) {
            let turn = turns.turn(block);
            let has = |place: &usize| Shard { place: *place as u64, of: parts.len() as u64 }.has_turn(turn);
            let place = (0..parts.len()).find(has).expect("every block is dealt to somebody");
            let own = left[place].next().ok_or_else(|| broken(place))?;
            list.push((place, datums, *own));
            datums = datums.saturating_add(*own);
            has_run[place] = (block + 1, has_run[place].1 + (cases - block * BLOCK).min(BLOCK));
        }
        if let Some(place) = parts.iter().zip(&has_run).position(|(part, run)| (part.blocks, part.cases) != *run) {
            return Err(broken(place));
        }
        match left.iter().position(|left| left.len() > 0) {
            Some(place) => Err(broken(place)),
            None => Ok(Order { blocks: list }),
        }
    }

    /// How many words were compared before a block, and in it; nothing if it is not of this shard.
    fn datums_before(&self, place: usize, block: u64) -> Option<(u64, u64)> {
        let &(owner, before, own) = self.blocks.get(usize::try_from(block).ok()?)?;
        (owner == place).then_some((before, own))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1/1")]
    #[case("2/7")]
    #[case("4096/4096")]
    fn a_shard_reads_back(#[case] text: &str) {
        assert_eq!(text.parse::<Shard>().expect("it is one").to_string(), text);
    }

    #[rstest]
    #[case("0/3")]
    #[case("4/3")]
    #[case("1/0")]
    #[case("0/0")]
    #[case("1/4097")]
    #[case("1/99999999999999999999")]
    #[case("-1/3")]
    #[case("1")]
    #[case("1/2/3")]
    #[case("")]
    fn what_is_no_shard_is_refused(#[case] text: &str) {
        let error = text.parse::<Shard>().expect_err("there is no such shard");
        assert!(error.contains("I from 1 to N"), "{error}");
    }

    #[test]
    fn each_block_is_dealt_once_and_each_unit_evenly() {
        for of in [1, 2, 3, 7, 10] {
            let shards: Vec<Shard> = (1..=of).filter_map(|number| Shard::new(number, of)).collect();
            for unit in 0..5_usize {
                let mut had = vec![0; shards.len()];
                for number in 0..100 {
                    let own = (0..shards.len()).filter(|&shard| shards[shard].has_turn((unit, number)));
                    let own: Vec<usize> = own.collect();
                    assert_eq!(own.len(), 1, "block {number} of unit {unit}, {of} shards");
                    had[own[0]] += 1;
                }
                let (least, most) = (had.iter().min(), had.iter().max());
                assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{had:?}");
            }
        }
    }
}
