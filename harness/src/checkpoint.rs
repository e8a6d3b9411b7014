//! Checkpoints: a campaign as far as it came, so that one that was ended, however it was ended, can be taken up again.
//!
//! A checkpoint is the merged result of the first blocks of a campaign. What is taken up from it comes to the same result
//! as if it had never been ended, because blocks are merged in their order and a block is a function of its number.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_isa::{Answer, Edition, Misbehaviour, MisbehaviourKind};

use crate::observe::Observation;
use crate::{CaseId, CellCount, Claimed, Difference, Finding, Foretold, Kind, Sighting, Signature, Suite, UnitResult};

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

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedFinding {
    instruction: String,
    target: String,
    place: String,
    kind: String,
    id: String,
    after: Option<String>,
    level: Option<String>,
    #[serde(default)]
    by_value: bool,
    differences: Vec<SavedDifference>,
    cases_to_find: u64,
    datums_to_find: u64,
    count: u64,
    cells: BTreeMap<String, BTreeSet<u32>>,
    levels: BTreeSet<String>,
    bits: BTreeMap<u32, (u64, u64)>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum SavedDifference {
    Word { bank: usize, row: usize, column: usize, before: u32, expected: u32, got: u32, kind: String },
    Field { field: usize, before: u32, expected: u32, got: u32, kind: String },
    LooseBits { byte: usize, expected: u8, got: u8 },
    Answer { expected: String, got: String },
    Panic(String),
    Misbehaved { kind: String, message: String, case: Option<u32> },
    ArenaHash { expected: u32, got: u32 },
    StrayRows(Vec<(usize, usize)>),
    Refused(Box<SavedDifference>),
    Rerun(String),
    KeptThroughReset,
}

fn unknown(what: &str, name: &str) -> CheckpointError {
    CheckpointError(format!("'{name}' is no {what}"))
}

impl SavedDifference {
    fn of(difference: &Difference) -> Self {
        let name = |kind: Kind| kind.name().to_string();
        match difference {
            &Difference::Word { bank, row, column, before, expected, got, kind } => {
                SavedDifference::Word { bank, row, column, before, expected, got, kind: name(kind) }
            }
            &Difference::Field { field, before, expected, got, kind } => {
                SavedDifference::Field { field, before, expected, got, kind: name(kind) }
            }
            &Difference::LooseBits { byte, expected, got } => SavedDifference::LooseBits { byte, expected, got },
            Difference::Answer { expected, got } => {
                SavedDifference::Answer { expected: expected.name().to_string(), got: got.name().to_string() }
            }
            Difference::Panic(message) => SavedDifference::Panic(message.clone()),
            Difference::Misbehaved(Misbehaviour { kind, message, case }) => {
                SavedDifference::Misbehaved { kind: kind.name().to_string(), message: message.clone(), case: *case }
            }
            &Difference::ArenaHash { expected, got } => SavedDifference::ArenaHash { expected, got },
            Difference::StrayRows(rows) => SavedDifference::StrayRows(rows.clone()),
            Difference::Refused(change) => SavedDifference::Refused(Box::new(SavedDifference::of(change))),
            Difference::Rerun(kind) => SavedDifference::Rerun(name(*kind)),
            Difference::KeptThroughReset => SavedDifference::KeptThroughReset,
        }
    }

    fn difference(&self) -> Result<Difference, CheckpointError> {
        Ok(match self {
            &SavedDifference::Word { bank, row, column, before, expected, got, ref kind } => {
                Difference::Word { bank, row, column, before, expected, got, kind: kind_named(kind)? }
            }
            &SavedDifference::Field { field, before, expected, got, ref kind } => {
                Difference::Field { field, before, expected, got, kind: kind_named(kind)? }
            }
            &SavedDifference::LooseBits { byte, expected, got } => Difference::LooseBits { byte, expected, got },
            SavedDifference::Answer { expected, got } => {
                Difference::Answer { expected: answer_named(expected)?, got: answer_named(got)? }
            }
            SavedDifference::Panic(message) => Difference::Panic(message.clone()),
            SavedDifference::Misbehaved { kind, message, case } => {
                let kinds = [MisbehaviourKind::Crashed, MisbehaviourKind::Hung, MisbehaviourKind::Malformed];
                let known = kinds.into_iter().find(|known| known.name() == kind);
                let kind = known.ok_or_else(|| unknown("misbehaviour", kind))?;
                Difference::Misbehaved(Misbehaviour { kind, message: message.clone(), case: *case })
            }
            &SavedDifference::ArenaHash { expected, got } => Difference::ArenaHash { expected, got },
            SavedDifference::StrayRows(rows) => Difference::StrayRows(rows.clone()),
            SavedDifference::Refused(change) => Difference::Refused(Box::new(change.difference()?)),
            SavedDifference::Rerun(kind) => Difference::Rerun(kind_named(kind)?),
            SavedDifference::KeptThroughReset => Difference::KeptThroughReset,
        })
    }
}

fn kind_named(name: &str) -> Result<Kind, CheckpointError> {
    Kind::named(name).ok_or_else(|| unknown("kind of difference", name))
}

fn answer_named(name: &str) -> Result<Answer, CheckpointError> {
    let answers = [Answer::Done, Answer::Blocked, Answer::Unsupported];
    answers.into_iter().find(|answer| answer.name() == name).ok_or_else(|| unknown("answer", name))
}

impl SavedFinding {
    pub(crate) fn of(finding: &Finding) -> Self {
        let Signature { instruction, target, place, kind } = finding.signature.clone();
        let Sighting { id, differences, level, after, recorded: _, by_value } = &finding.first;
        let cells = finding.cells.iter().map(|(edition, cells)| (edition.name().to_string(), cells.clone())).collect();
        SavedFinding {
            instruction,
            target,
            place,
            kind: kind.name().to_string(),
            id: id.to_string(),
            after: after.map(|id| id.to_string()),
            level: level.clone(),
            by_value: *by_value,
            differences: differences.iter().map(SavedDifference::of).collect(),
            cases_to_find: finding.cases_to_find,
            datums_to_find: finding.datums_to_find,
            count: finding.count,
            cells,
            levels: finding.levels.clone(),
            bits: finding.bits.clone(),
        }
    }

    fn finding(&self, suite: &Suite) -> Result<Finding, CheckpointError> {
        let id_of = |text: &String| {
            CaseId::parse(text, suite).map(|(id, _)| id).map_err(|error| CheckpointError(error.to_string()))
        };
        let signature = Signature {
            instruction: self.instruction.clone(),
            target: self.target.clone(),
            place: self.place.clone(),
            kind: kind_named(&self.kind)?,
        };
        let first = Sighting {
            id: id_of(&self.id)?,
            differences: self.differences.iter().map(SavedDifference::difference).collect::<Result<_, _>>()?,
            level: self.level.clone(),
            after: self.after.as_ref().map(id_of).transpose()?,
            recorded: None,
            by_value: self.by_value,
        };
        let mut finding = Finding::new(signature, first);
        finding.cases_to_find = self.cases_to_find;
        finding.datums_to_find = self.datums_to_find;
        finding.count = self.count;
        finding.cells.clear();
        for (edition, cells) in &self.cells {
            let edition = Edition::named(edition).ok_or_else(|| unknown("edition", edition))?;
            finding.cells.insert(edition, cells.clone());
        }
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
        SavedUnit { cells: unit.cells.iter().map(count).collect(), observation, foretold, claimed, tuples, bits }
    }

    /// The counts of its cells.
    pub(crate) fn counts(&self) -> impl Iterator<Item = CellCount> + '_ {
        self.cells.iter().map(|&[done, blocked, cited, diverged, unsupported, answered]| CellCount {
            done,
            blocked,
            cited,
            diverged,
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
    use super::*;

    #[test]
    fn what_a_refusal_changed_is_kept() {
        let word = Difference::Word { bank: 0, row: 1, column: 2, before: 3, expected: 3, got: 4, kind: Kind::Row };
        let loose = Difference::LooseBits { byte: 1, expected: 2, got: 3 };
        for change in [word, loose] {
            let difference = Difference::Refused(Box::new(change));
            let text = serde_json::to_string(&SavedDifference::of(&difference)).expect("it is data");
            let saved: SavedDifference = serde_json::from_str(&text).expect("it was written here");
            assert_eq!(saved.difference(), Ok(difference));
        }
    }
}
