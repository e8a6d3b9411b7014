//! Reports held against each other: what was born, what was closed, and where cells ended otherwise.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::model::{Counts, FindingPart, ResultPart, SignaturePart, UnitPart};

/// An instruction in an edition, with the partial implementation that it is about, if any.
pub type UnitKey<'a> = (&'a str, &'a str, Option<&'a str>);

/// What is said of a unit that ended otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitChange {
    /// The unit, in words.
    pub unit: String,
    /// What changed, as `name before -> after`; nothing if the other report has no such unit.
    pub counts: Vec<String>,
    /// `changed`, `only in the first` or `only in the second`.
    pub what: &'static str,
}

/// How the second of two reports differs from the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Seed, cases, versions and targets, where they are not the same.
    pub runs: Vec<String>,
    /// Units that ended otherwise.
    pub units: Vec<UnitChange>,
    /// Findings that only the second has.
    pub born: Vec<SignaturePart>,
    /// Findings that only the first has.
    pub closed: Vec<SignaturePart>,
    /// Findings of both, with the cases that showed them.
    pub stayed: Vec<(SignaturePart, u64, u64)>,
}

/// The unit of a part of a report.
#[must_use]
pub fn unit_key(unit: &UnitPart) -> UnitKey<'_> {
    (&unit.instruction, &unit.edition, unit.target.as_deref())
}

/// A unit in words.
#[must_use]
pub fn unit_name((instruction, edition, target): UnitKey<'_>) -> String {
    format!("{instruction} {edition}{}", target.map(|target| format!(" {target}")).unwrap_or_default())
}

/// For each signature how many cases showed it. Findings of several causes may have one signature.
#[must_use]
pub fn signatures(findings: &[FindingPart]) -> BTreeMap<&SignaturePart, u64> {
    let mut cases = BTreeMap::new();
    for finding in findings {
        *cases.entry(&finding.signature).or_default() += finding.cases;
    }
    cases
}

impl Difference {
    /// Holds two results against each other.
    #[must_use]
    pub fn of(first: &ResultPart, second: &ResultPart) -> Self {
        let [before, after] = [first, second].map(|result| signatures(&result.findings));
        let only = |of: &BTreeMap<&SignaturePart, u64>, not: &BTreeMap<&SignaturePart, u64>| {
            of.keys().filter(|one| !not.contains_key(*one)).map(|&one| one.clone()).collect()
        };
        let stayed = before.iter().filter_map(|(&one, &cases)| Some((one.clone(), cases, *after.get(one)?)));
        Difference {
            runs: runs(first, second),
            units: units(first, second),
            born: only(&after, &before),
            closed: only(&before, &after),
            stayed: stayed.collect(),
        }
    }

    /// It in lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let Difference { runs, units, born, closed, stayed } = self;
        let mut lines = runs.clone();
        lines.extend(units.iter().map(|UnitChange { unit, counts, what }| match &counts[..] {
            [] => format!("{unit}: {what}"),
            counts => format!("{unit}: {}", counts.join(", ")),
        }));
        lines.extend(born.iter().map(|one| format!("born: {one}")));
        lines.extend(closed.iter().map(|one| format!("closed: {one}")));
        lines.extend(stayed.iter().map(|(one, before, after)| format!("stayed: {one}, in {before} -> {after} cases")));
        lines
    }
}

fn change<T: PartialEq + std::fmt::Display>(name: &str, before: T, after: T) -> Option<String> {
    (before != after).then(|| format!("{name} {before} -> {after}"))
}

fn runs(first: &ResultPart, second: &ResultPart) -> Vec<String> {
    let all = [
        change("seed", first.seed, second.seed),
        change("cases", first.cases, second.cases),
        change("tandem", &first.version, &second.version),
        change("generator", first.generator, second.generator),
        change("targets", first.targets.join(", "), second.targets.join(", ")),
    ];
    all.into_iter().flatten().collect()
}

fn units(first: &ResultPart, second: &ResultPart) -> Vec<UnitChange> {
    let [before, after]: [BTreeMap<UnitKey<'_>, &UnitPart>; 2] =
        [first, second].map(|result| result.units.iter().map(|unit| (unit_key(unit), unit)).collect());
    let keys: BTreeSet<UnitKey<'_>> = before.keys().chain(after.keys()).copied().collect();
    let change = |key: UnitKey<'_>| {
        let (what, counts) = match (before.get(&key), after.get(&key)) {
            (Some(before), Some(after)) => ("changed", counts(before, after)),
            (Some(_), None) => ("only in the first", Vec::new()),
            (None, _) => ("only in the second", Vec::new()),
        };
        let is_same = what == "changed" && counts.is_empty();
        (!is_same).then(|| UnitChange { unit: unit_name(key), counts, what })
    };
    keys.into_iter().filter_map(change).collect()
}

/// How the cells of a unit ended otherwise.
fn counts(first: &UnitPart, second: &UnitPart) -> Vec<String> {
    let of = |unit: &UnitPart| {
        let Counts { cells, green, blocked, cited, unsupported, disputed, holes } = unit.counts;
        [cells, green, blocked, cited, unsupported, disputed, holes, unit.diverged]
    };
    let names = ["cells", "passed", "blocked", "undefined", "unsupported", "disputed", "open", "diverged"];
    let pairs = names.into_iter().zip(of(first).into_iter().zip(of(second)));
    pairs.filter_map(|(name, (before, after))| change(name, before, after)).collect()
}
