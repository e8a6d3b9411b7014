//! Checkpoints: a campaign as far as it came, so that one that was ended, however it was ended, can be taken up again.
//!
//! A checkpoint is the merged result of the first blocks of a campaign. What is taken up from it comes to the same result
//! as if it had never been ended, because blocks are merged in their order and a block is a function of its number.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_isa::Edition;

use crate::observe::Observation;
use crate::{BLOCK, CaseId, CellCount, Claimed, Difference, Finding, Foretold, Sighting, Signature, Suite, UnitResult};

/// A campaign as far as it came. [`crate::Campaign::going_on`] takes it up.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Blocks that were merged: all before this one.
    pub(crate) blocks: u64,
    /// How long they took, in seconds.
    pub(crate) seconds: f64,
    /// Cases run.
    pub(crate) cases: u64,
    pub(crate) datums: u64,
    pub(crate) completed: u64,
    pub(crate) units: Vec<SavedUnit>,
    pub(crate) findings: Vec<SavedFinding>,
    /// Cases that count for nothing, and divergences that were taken down as they were seen.
    #[serde(default)]
    pub(crate) undone: [u64; 2],
    /// Of a shard, the words that were compared in each of its blocks, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) datums_of_blocks: Vec<u64>,
}

/// Why a checkpoint cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the checkpoint does not fit this campaign: {0}")]
pub struct CheckpointError(pub String);

/// One instruction in one edition.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedUnit {
    /// For each cell: done, blocked, cited, diverged, unsupported, answered.
    cells: Vec<[u64; 6]>,
    /// By cell, the cases in which a target differed in what is disputed, and none diverged.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    disputed: BTreeMap<u32, u64>,
    /// What was found out about what a partial target answers.
    pub(crate) observation: Option<Observation>,
    /// How well that foretold what it answered.
    pub(crate) foretold: Foretold,
    /// How it kept its claims, if it is held to any.
    pub(crate) claimed: Option<Claimed>,
    /// The three-way combinations that were tried, 64 to a word, if they are counted.
    pub(crate) tuples: Option<Vec<u64>>,
    /// The bits of a case that were seen as 0, and as 1, 64 to a word; empty if they are not counted.
    #[serde(default)]
    pub(crate) bits: [Vec<u64>; 2],
}

/// A finding, with its cases by their ids.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedFinding {
    signature: Signature,
    id: String,
    after: Vec<String>,
    level: Option<String>,
    by_value: bool,
    differences: Vec<Difference>,
    cases_to_find: u64,
    datums_to_find: u64,
    count: u64,
    cells: BTreeMap<Edition, BTreeSet<u32>>,
    levels: BTreeSet<String>,
    bits: BTreeMap<u32, (u64, u64)>,
}

impl SavedFinding {
    pub(crate) fn of(finding: &Finding) -> Self {
        let Sighting { id, differences, level, after, recorded: _, by_value } = finding.first.clone();
        SavedFinding {
            signature: finding.signature.clone(),
            id: id.to_string(),
            after: after.iter().map(CaseId::to_string).collect(),
            level,
            by_value,
            differences,
            cases_to_find: finding.cases_to_find,
            datums_to_find: finding.datums_to_find,
            count: finding.count,
            cells: finding.cells.clone(),
            levels: finding.levels.clone(),
            bits: finding.bits.clone(),
        }
    }

    /// What makes its divergences one.
    pub(crate) fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The block in which it was met first, if its cases are counted over all shards.
    pub(crate) fn block(&self) -> u64 {
        self.cases_to_find.saturating_sub(1) / BLOCK
    }

    /// The same finding of a block before which so many words were compared.
    pub(crate) fn after_datums(&self, datums: u64) -> Self {
        SavedFinding { datums_to_find: self.datums_to_find.saturating_add(datums), ..self.clone() }
    }

    /// Adds what another shard met with the same signature. The first case is that of the whole campaign.
    pub(crate) fn join(&mut self, mut other: SavedFinding) {
        if other.cases_to_find < self.cases_to_find {
            std::mem::swap(self, &mut other);
        }
        self.count = self.count.saturating_add(other.count);
        for (edition, cells) in other.cells {
            self.cells.entry(edition).or_default().extend(cells);
        }
        self.levels.extend(other.levels);
        for (bit, (up, down)) in other.bits {
            let sum = self.bits.entry(bit).or_default();
            *sum = (sum.0.saturating_add(up), sum.1.saturating_add(down));
        }
    }

    fn finding(&self, suite: &Suite) -> Result<Finding, CheckpointError> {
        let id_of = |text: &String| {
            CaseId::parse(text, suite).map(|(id, _)| id).map_err(|error| CheckpointError(error.to_string()))
        };
        let first = Sighting {
            id: id_of(&self.id)?,
            differences: self.differences.clone(),
            level: self.level.clone(),
            after: self.after.iter().map(id_of).collect::<Result<_, _>>()?,
            recorded: None,
            by_value: self.by_value,
        };
        let mut finding = Finding::new(self.signature.clone(), first);
        finding.cases_to_find = self.cases_to_find;
        finding.datums_to_find = self.datums_to_find;
        finding.count = self.count;
        finding.cells = self.cells.clone();
        finding.levels = self.levels.clone();
        finding.bits = self.bits.clone();
        Ok(finding)
    }
}

impl SavedUnit {
    pub(crate) fn of(unit: &UnitResult, covered: Option<(Vec<u64>, [Vec<u64>; 2])>) -> Self {
        let count =
            |cell: &CellCount| [cell.done, cell.blocked, cell.cited, cell.diverged, cell.unsupported, cell.answered];
        let (observation, foretold, claimed) = (unit.observation.clone(), unit.foretold, unit.claimed);
        let (tuples, bits) = covered.map_or_else(Default::default, |(tuples, bits)| (Some(tuples), bits));
        let disputed =
            (0..).zip(&unit.cells).map(|(place, cell)| (place, cell.disputed)).filter(|&(_, count)| count > 0);
        let disputed = disputed.collect();
        SavedUnit {
            cells: unit.cells.iter().map(count).collect(),
            disputed,
            observation,
            foretold,
            claimed,
            tuples,
            bits,
        }
    }

    /// Adds what a shard counted. What was observed before the campaign, by all shards alike, is counted once.
    ///
    /// # Errors
    /// What the first shard has otherwise.
    pub(crate) fn take_shard(&mut self, first: &Self, part: &Self, is_first: bool) -> Result<(), String> {
        if part.observation != first.observation {
            return Err("what was observed to be answered".to_string());
        }
        let tuples = |unit: &Self| unit.tuples.as_ref().map(Vec::len);
        if part.cells.len() != first.cells.len() || tuples(part) != tuples(first) {
            return Err("the number of cells or of three-way combinations".to_string());
        }
        if is_first {
            return Ok(());
        }
        let observed = part.observation.as_ref().map_or(&[][..], |observation| &observation.asked);
        let mut observed = observed.iter();
        for (sum, own) in self.cells.iter_mut().zip(&part.cells) {
            let [asked, refused, cited] = observed.next().copied().unwrap_or_default();
            let before = [0, 0, cited, 0, refused, asked.saturating_sub(refused)];
            for ((sum, own), before) in sum.iter_mut().zip(own).zip(before) {
                *sum = sum.saturating_add(own.saturating_sub(before));
            }
        }
        for (&cell, &own) in &part.disputed {
            let sum = self.disputed.entry(cell).or_default();
            *sum = sum.saturating_add(own);
        }
        self.foretold.merge(&part.foretold);
        match (&mut self.claimed, &part.claimed) {
            (Some(sum), Some(own)) => sum.merge(own),
            (None, None) => {}
            _ => return Err("whether it is held to claims".to_string()),
        }
        for (sum, own) in self.tuples.iter_mut().flatten().zip(part.tuples.iter().flatten()) {
            *sum |= own;
        }
        for (sum, own) in self.bits.iter_mut().zip(&part.bits) {
            sum.resize(sum.len().max(own.len()), 0);
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum |= own);
        }
        Ok(())
    }

    /// The counts of its cells.
    pub(crate) fn counts(&self) -> impl Iterator<Item = CellCount> + '_ {
        let cells = (0..).zip(&self.cells);
        cells.map(move |(place, &[done, blocked, cited, diverged, unsupported, answered])| CellCount {
            done,
            blocked,
            cited,
            diverged,
            disputed: self.disputed.get(&place).copied().unwrap_or_default(),
            unsupported,
            answered,
        })
    }
}

impl Checkpoint {
    /// Cases that were run up to here.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.cases
    }

    /// How many findings there are.
    #[must_use]
    pub fn num_findings(&self) -> usize {
        self.findings.len()
    }

    /// How long they took.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or_default()
    }

    /// The findings, by signature.
    ///
    /// # Errors
    /// Which one names something that this build does not have.
    pub(crate) fn findings(&self, suite: &Suite) -> Result<BTreeMap<Signature, Finding>, CheckpointError> {
        let findings = self.findings.iter().map(|saved| saved.finding(suite));
        findings.map(|finding| finding.map(|finding| (finding.signature.clone(), finding))).collect()
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Answer, Misbehaviour, MisbehaviourKind};

    use super::*;
    use crate::Kind;

    #[test]
    fn every_difference_reads_back_as_it_was_written() {
        let word = Difference::Word { bank: 0, row: 1, column: 2, before: 3, expected: 3, got: 4, kind: Kind::Row };
        let differences = vec![
            Difference::Refused(Box::new(word.clone())),
            word,
            Difference::Field { field: 1, before: 2, expected: 3, got: 4, kind: Kind::Small("counter") },
            Difference::Refused(Box::new(Difference::LooseBits { byte: 1, expected: 2, got: 3 })),
            Difference::Answer { expected: Answer::Done, got: Answer::Unsupported },
            Difference::Panic("\"a\"\n".to_string()),
            Difference::Misbehaved(Misbehaviour::new(MisbehaviourKind::Malformed, "twice")),
            Difference::ArenaHash { expected: 1, got: u32::MAX },
            Difference::StrayRows(vec![(0, 1), (2, 3)]),
            Difference::Rerun(Kind::OrderDependent),
            Difference::KeptThroughReset,
        ];
        let text = serde_json::to_string(&differences).expect("they are data");
        assert_eq!(serde_json::from_str::<Vec<Difference>>(&text).expect("they were written here"), differences);
        let error = serde_json::from_str::<Difference>(r#"{"rerun":"nothing"}"#).expect_err("there is no such kind");
        assert!(error.to_string().contains("'nothing' is no kind of difference"), "{error}");
    }
}
