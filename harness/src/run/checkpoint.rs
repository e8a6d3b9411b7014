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

/// So often a case may be left undone: once for each target and way to look at it.
const MOST_UNDONE: u64 = 1 << 10;

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
    /// What a target did in most cases of each of the last blocks, and how many these are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spoilt: Option<(Signature, u64)>,
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

    /// Whether it was met within a campaign of so many cases, and within the words of its block.
    pub(crate) fn lies_in(&self, cases: u64, datums: u64) -> bool {
        self.cases_to_find <= cases && self.datums_to_find <= datums
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

    /// Whether its numbers can be so in a campaign of so many cases.
    fn check(&self, cases: u64) -> Result<(), String> {
        let is_so =
            (1..=cases).contains(&self.count) && self.cases_to_find > 0 && self.bits.keys().all(|&bit| bit < 32);
        if is_so { Ok(()) } else { Err(format!("{} has numbers that cannot be so", self.signature)) }
    }

    fn finding(&self, suite: &Suite) -> Result<Finding, CheckpointError> {
        let id_of = |text: &String| {
            CaseId::parse(text, suite).map(|(id, _)| id).map_err(|error| CheckpointError(error.to_string()))
        };
        let id = id_of(&self.id)?;
        let Signature { instruction, target, .. } = &self.signature;
        let isa = suite.isa(id.instruction.isa).expect("the id was read with the suite");
        let layout = isa.isa.layout;
        let is_there = self.differences.iter().all(|difference| difference.fits(layout))
            && self.cells.iter().all(|(edition, cells)| {
                cells.last().is_none_or(|&last| (last as usize) < (id.instruction.cells)(*edition).len())
            });
        let of = || Signature::of(&id.instruction.path(), target, layout, &self.differences);
        if !is_there || id.instruction.path() != *instruction || of().as_ref() != Some(&self.signature) {
            return Err(CheckpointError(format!("{} is not what its first case shows", self.signature)));
        }
        let first = Sighting {
            after: self.after.iter().map(id_of).collect::<Result<_, _>>()?,
            by_value: self.by_value,
            ..Sighting::new(id, self.differences.clone(), self.level.clone())
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
            spoilt: unit.spoilt.clone(),
        }
    }

    /// Whether its counts can be so, and how many cases they count, beyond those that were asked before the campaign.
    fn check(&self) -> Result<u64, String> {
        let asked = self.observation.as_ref().map_or(&[][..], |observation| &observation.asked);
        let before = asked.iter().copied().chain(std::iter::repeat([0; 3]));
        let mut cases = 0_u64;
        for (number, (&[done, blocked, cited, diverged, unsupported, answered], [asked, refused, before])) in
            self.cells.iter().zip(before).enumerate()
        {
            let sum = |numbers: &[u64]| numbers.iter().try_fold(0_u64, |sum, &number| sum.checked_add(number));
            let own = sum(&[answered, unsupported, cited]).and_then(|all| all.checked_sub(asked.checked_add(before)?));
            let is_so = own.is_some_and(|own| sum(&[done, blocked, diverged]).is_some_and(|ended| ended <= own))
                && cited >= before
                && unsupported >= refused;
            let whole = own.filter(|_| is_so).and_then(|own| cases.checked_add(own));
            cases = whole.ok_or_else(|| format!("cell {number} has counts that cannot be so"))?;
        }
        let Foretold { answered, refused, unexplained, contradicted } = self.foretold;
        let Claimed { kept, broken, unclaimed, not_offered } = self.claimed.unwrap_or_default();
        for list in [[answered, refused, unexplained, contradicted], [kept, broken, unclaimed, not_offered]] {
            let sum = list.iter().try_fold(0_u64, |sum, &number| sum.checked_add(number));
            if sum.is_none_or(|sum| sum > cases) {
                return Err("more cases are foretold or claimed than were run".to_string());
            }
        }
        Ok(cases)
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
        if self.spoilt.as_ref().map(|(_, blocks)| blocks) < part.spoilt.as_ref().map(|(_, blocks)| blocks) {
            self.spoilt.clone_from(&part.spoilt);
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
    /// Whether its numbers can be so: what is a sum is one, and nothing is more than what it is a part of.
    pub(crate) fn check(&self) -> Result<(), String> {
        let refuse = |why: &str| Err(why.to_string());
        if !self.seconds.is_finite() || self.seconds < 0.0 {
            return refuse("its seconds are no time");
        }
        let mut cases = 0_u64;
        for (number, unit) in self.units.iter().enumerate() {
            let own = unit.check().map_err(|why| format!("unit {number}: {why}"))?;
            cases = cases.checked_add(own).ok_or("it has more cases than can be")?;
        }
        if cases != self.cases {
            return Err(format!("it has {} cases, and its cells have {cases}", self.cases));
        }
        if self.completed > cases || self.undone.iter().any(|&undone| undone > cases.saturating_mul(MOST_UNDONE)) {
            return refuse("it has fewer cases than completed or were left undone");
        }
        let datums = self.datums_of_blocks.iter().try_fold(0_u64, |sum, &datums| sum.checked_add(datums));
        if !self.datums_of_blocks.is_empty() && datums != Some(self.datums) {
            return refuse("its blocks do not have its words");
        }
        if !self.findings.is_sorted_by(|one, other| one.signature < other.signature) {
            return refuse("its findings are not in their order");
        }
        self.findings.iter().try_for_each(|finding| finding.check(cases))
    }

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
mod tests;
