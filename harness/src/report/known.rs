//! Known findings: the committed list, what it covers, and whether what it lists still happens.
//!
//! The file is a list of entries. An entry covers the cell classes and bits that it names; anything outside of them is
//! new. Reading is strict, and every error names the file and the place in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, worded};

use super::CaseText;
use super::build::{bit_parts, seen_parts};
use super::model::{BitPart, FindingPart, SeenPart, SignaturePart};
use crate::run::{UNSTEADY, bit_names, is_bit_name};
use crate::vectors::visible_lines;
use crate::vectors::{Before, Divergences, Run, VectorFile};
use crate::{CaseId, CaseValue, Difference, Finding, IsaSuite, Kind, Minimizer, Signature, Suite, take_value};

/// The list of known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// A known finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its id; unique in the file.
    pub id: String,
    /// The signature of the findings that it covers.
    pub signature: SignaturePart,
    /// What it covers of them.
    pub covers: Covers,
    /// What is known about it.
    pub verdict: Verdict,
    /// Why.
    pub evidence: String,
    /// The public thread, or the erratum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The case that shows it.
    pub case: StoredCase,
    /// The cases that run before it, the earliest first, where order matters.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::vectors::one_or_many")]
    pub after: Vec<CaseText>,
    /// Whether the case shows it when it runs by value; if not, only a run does, and nothing here can tell that it is gone.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub shows: bool,
}

const fn yes() -> bool {
    true
}

fn is_yes(shows: &bool) -> bool {
    *shows
}

/// What an entry covers; anything outside is new.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// Cell classes, per edition.
    pub classes: BTreeMap<String, Vec<String>>,
    /// Bits with their directions, as `<bit>:<expected>-><got>`; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<Vec<String>>,
    /// Rules that cannot be told apart and of which one is broken; absent for any. What is found to break another one is new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

impl Covers {
    /// Covers as well what another one covers. Bits are named only where there are any.
    pub fn add(&mut self, other: &Covers) {
        for (edition, classes) in &other.classes {
            let known = self.classes.entry(edition.clone()).or_default();
            let fresh: Vec<String> = classes.iter().filter(|class| !known.contains(class)).cloned().collect();
            known.extend(fresh);
        }
        for bit in other.bits.iter().flatten() {
            let known = self.bits.get_or_insert_default();
            if !known.contains(bit) {
                known.push(bit.clone());
            }
        }
    }
}

worded! {
    /// What is known about a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// Not yet held against the newest edition, the target's tracker and a second witness.
        Candidate "candidate",
        /// The target is wrong; there is a public thread.
        Confirmed "confirmed",
        /// The page is wrong or ambiguous; there is an erratum or a public thread.
        Page "page",
        /// The target differs on purpose.
        Accepted "accepted",
    }
    /// The word in the file.
    fn name;
}

/// The case that shows a known finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StoredCase {
    /// A case id, of this build's generator.
    Id(String),
    /// By value, which means the same whatever the generator does.
    Value(CaseText),
}

/// Why a list of known findings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnownError {
    /// The file cannot be read.
    #[error("{file}: {error}; check the path and its permissions")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is not a list of entries; the message has line and column.
    #[error("{file}: {error}; mend the list there, or restore it from its source")]
    Form {
        /// The file.
        file: String,
        /// Why, and where.
        error: serde_json::Error,
    },
    /// An entry says something that is not so.
    #[error("{file}: {place}: {problem}; mend the entry, or take it out")]
    Entry {
        /// The file.
        file: String,
        /// Where, for example `[3].case.value.words[0].place`.
        place: String,
        /// What is wrong.
        problem: String,
    },
}

/// Whether a finding is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Triage {
    /// The entries with its signature cover it.
    Known {
        /// Their ids.
        entries: Vec<String>,
    },
    /// Nothing covers it.
    New {
        /// What lies outside, if its signature is listed.
        outside: Vec<String>,
    },
}

impl Triage {
    /// `new` or `known`, the ids of the entries, and what lies outside of what is known.
    pub(super) fn parts(self) -> (String, Vec<String>, Vec<String>) {
        match self {
            Triage::Known { entries } => ("known".to_string(), entries, Vec::new()),
            Triage::New { outside } => ("new".to_string(), Vec::new(), outside),
        }
    }
}

/// What came of replaying a known finding's case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// It still happens.
    Fails,
    /// It does not happen any more: the entry is to be removed, and its case kept as a regression.
    Passes,
    /// It could not be decided here, and why.
    Undecided(String),
}

impl Known {
    /// Reads a file. One that does not exist is an empty list.
    ///
    /// # Errors
    /// See [`KnownError`].
    pub fn read(path: &Path, suite: &Suite) -> Result<Self, KnownError> {
        let file = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&file, &text, suite),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Known::default()),
            Err(error) => Err(KnownError::Read { file, error }),
        }
    }

    /// Reads a text; `file` is what errors call it.
    ///
    /// # Errors
    /// See [`KnownError`].
    pub fn parse(file: &str, text: &str, suite: &Suite) -> Result<Self, KnownError> {
        let entries: Vec<Entry> =
            serde_json::from_str(text).map_err(|error| KnownError::Form { file: file.to_string(), error })?;
        let mut ids = BTreeSet::new();
        for (index, entry) in entries.iter().enumerate() {
            let fail = |place: String, problem: String| KnownError::Entry {
                file: file.to_string(),
                place: format!("[{index}]{place}"),
                problem,
            };
            if !ids.insert(&entry.id) {
                return Err(fail(".id".to_string(), format!("'{}' is used twice", entry.id)));
            }
            entry.check(suite).map_err(|(place, problem)| fail(place, problem))?;
        }
        Ok(Known { entries })
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = visible_lines(&serde_json::to_string_pretty(&self.entries).expect("entries serialize"));
        text.push('\n');
        text
    }

    /// Whether the entries with this signature cover where and in which bits it was seen.
    #[must_use]
    pub fn triage(&self, signature: &SignaturePart, seen: &[SeenPart], bits: &[BitPart], rules: &[String]) -> Triage {
        self.triage_named(signature, seen, &names_of(bits), rules)
    }

    /// The same with bits in the spelling of the file.
    #[must_use]
    pub fn triage_named(
        &self,
        signature: &SignaturePart,
        seen: &[SeenPart],
        bits: &[String],
        rules: &[String],
    ) -> Triage {
        let mut entries: Vec<&Entry> = self.entries.iter().filter(|entry| entry.signature == *signature).collect();
        if entries.is_empty() {
            return Triage::New { outside: Vec::new() };
        }
        // Where it is not known which rule is broken, it may be the one that is listed.
        entries.retain(|entry| {
            let listed = &entry.covers.rules;
            listed.is_empty() || rules.is_empty() || listed.iter().any(|rule| rules.contains(rule))
        });
        if entries.is_empty() {
            return Triage::New { outside: rules.first().map(|rule| format!("rule {rule}")).into_iter().collect() };
        }
        let mut outside = Vec::new();
        for seen in seen {
            for class in &seen.classes {
                let covers = |entry: &&Entry| {
                    entry.covers.classes.get(&seen.edition).is_some_and(|classes| classes.contains(class))
                };
                if !entries.iter().any(covers) {
                    outside.push(format!("{}: {class}", seen.edition));
                }
            }
        }
        for bit in bits {
            let covers = |entry: &&Entry| entry.covers.bits.as_ref().is_none_or(|bits| bits.contains(bit));
            if !entries.iter().any(covers) {
                outside.push(format!("bit {bit}"));
            }
        }
        if outside.is_empty() {
            Triage::Known { entries: entries.into_iter().map(|entry| entry.id.clone()).collect() }
        } else {
            Triage::New { outside }
        }
    }

    /// Whether entries cover a finding.
    #[must_use]
    pub fn triage_finding(&self, finding: &Finding) -> Triage {
        let rules = finding.explanation.as_ref().map_or(&[][..], |explanation| &explanation.rules);
        self.triage(&SignaturePart::of(&finding.signature), &seen_parts(finding), &bit_parts(finding), rules)
    }

    /// Whether entries cover what a target did wrong in a recorded vector; false if it did nothing wrong.
    #[must_use]
    pub fn covers_run(&self, isa: &IsaSuite, file: &VectorFile, run: &Run) -> bool {
        let finding = Divergences::finding_of(isa, file, run);
        finding.is_some_and(|finding| matches!(self.triage_finding(&finding), Triage::Known { .. }))
    }

    /// Replays the case of every entry, in order.
    #[must_use]
    pub fn recheck(&self, suite: &Suite) -> Vec<(&Entry, Recheck)> {
        self.entries.iter().map(|entry| (entry, entry.recheck(suite))).collect()
    }

    /// The entries whose case does not fail any more.
    #[must_use]
    pub fn gone(&self, suite: &Suite) -> Vec<&Entry> {
        let all = self.recheck(suite).into_iter();
        all.filter(|(_, recheck)| *recheck == Recheck::Passes).map(|(entry, _)| entry).collect()
    }
}

impl Entry {
    /// An entry for a finding as it stands in a report: a candidate that covers what was seen, and nothing more.
    #[must_use]
    pub fn propose(id: &str, finding: &FindingPart) -> Self {
        let case = match (&finding.minimized, &finding.stored) {
            (Some(smallest), _) => StoredCase::Value(smallest.case.clone()),
            (None, Some(stored)) => StoredCase::Value(stored.clone()),
            (None, None) => StoredCase::Id(finding.first.clone()),
        };
        let bits = names_of(&finding.bits);
        Entry {
            id: id.to_string(),
            signature: finding.signature.clone(),
            covers: Covers {
                classes: finding.seen.iter().map(|seen| (seen.edition.clone(), seen.classes.clone())).collect(),
                bits: (!bits.is_empty()).then_some(bits),
                rules: finding.rules.clone(),
            },
            verdict: Verdict::Candidate,
            evidence: format!("{} cases, first {}", finding.cases, finding.first),
            link: None,
            case,
            after: finding.after.clone(),
            shows: finding.shows,
        }
    }

    /// An entry for a stored finding: a candidate that covers what the file says was seen. Nothing if the file holds
    /// ordinary vectors.
    #[must_use]
    pub fn of_file(id: &str, file: &VectorFile) -> Option<Self> {
        let about = file.finding.as_ref()?;
        let (_, test) = file.tests().next()?;
        let (isa, instruction, edition) = (file.isa, file.instruction, test.newest());
        let mut classes: BTreeMap<String, Vec<String>> =
            about.classes.iter().map(|(edition, classes)| (edition.name().to_string(), classes.clone())).collect();
        if let Some(cell) = test.cell(isa, instruction, edition).filter(|_| classes.is_empty()) {
            let class = (instruction.cell_class)(edition, (instruction.cells)(edition).levels(cell));
            classes.insert(edition.name().to_string(), vec![class.to_string()]);
        }
        let value = |before: &Before| CaseText::of(&before.case_value(isa, instruction, edition));
        let after = about.after.iter().map(value).collect();
        Some(Entry {
            id: id.to_string(),
            signature: SignaturePart::of(&about.signature(instruction)),
            covers: Covers {
                classes,
                bits: (!about.bits.is_empty()).then(|| about.bits.clone()),
                rules: about.rules.clone(),
            },
            verdict: Verdict::Candidate,
            evidence: file.source.note.clone().unwrap_or_else(|| "a stored finding".to_string()),
            link: None,
            case: StoredCase::Value(CaseText::of(&test.case_value(isa, instruction, edition))),
            after,
            shows: about.shows,
        })
    }

    /// Covers as well what another entry, or a divergence from recorded vectors, covers.
    pub fn widen(&mut self, seen: &[SeenPart], bits: &[BitPart]) {
        let names = names_of(bits);
        let classes = seen.iter().map(|seen| (seen.edition.clone(), seen.classes.clone())).collect();
        self.covers.add(&Covers { classes, bits: (!names.is_empty()).then_some(names), rules: Vec::new() });
    }

    /// Whether everything in it exists; else the place in the entry and the problem.
    fn check(&self, suite: &Suite) -> Result<(), (String, String)> {
        let fail = |place: &str, problem: String| Err((place.to_string(), problem));
        if self.id.trim().is_empty() {
            return fail(".id", "is empty".to_string());
        }
        if self.evidence.trim().is_empty() {
            return fail(".evidence", "is empty: say what shows it".to_string());
        }
        match (&self.link, self.verdict) {
            (Some(link), _) if !link.starts_with("https://") => {
                return fail(".link", format!("'{link}' does not begin with https://"));
            }
            (None, Verdict::Confirmed) => {
                return fail(".link", "is missing: a confirmed finding has a public thread".to_string());
            }
            _ => {}
        }
        if Kind::named(&self.signature.kind).is_none() {
            return fail(".signature.kind", format!("'{}' is no kind of difference", self.signature.kind));
        }
        let (isa, file) = self.signature.instruction.split_once('/').unwrap_or((&self.signature.instruction, ""));
        let instruction = suite.isa(isa).and_then(|suite| suite.isa.instruction(file));
        let Some(instruction) = instruction.filter(|found| found.path() == self.signature.instruction) else {
            return fail(".signature.instruction", format!("no instruction '{}'", self.signature.instruction));
        };
        if self.covers.classes.is_empty() {
            return fail(".covers.classes", "is empty: an entry covers the classes that it names".to_string());
        }
        for (edition, classes) in &self.covers.classes {
            if Edition::named(edition).is_none() {
                return fail(".covers.classes", format!("'{edition}' is neither 'spec' nor 'newest'"));
            }
            if let Some(class) = classes.iter().find(|class| !instruction.cell_classes.contains(&class.as_str())) {
                let problem = format!("{} has no class '{class}'", self.signature.instruction);
                return Err((format!(".covers.classes.{edition}"), problem));
            }
        }
        for (index, bit) in self.covers.bits.iter().flatten().enumerate() {
            if !is_bit_name(bit) {
                return Err((format!(".covers.bits[{index}]"), format!("'{bit}' is not of the form '7:0->1'")));
            }
        }
        let (case, _) = self.case(suite)?;
        if case.instruction.path() != self.signature.instruction {
            return fail(".case", format!("is a case of {}", case.instruction.path()));
        }
        for (index, after) in self.earlier(suite)?.iter().enumerate() {
            if after.instruction.path() != self.signature.instruction {
                return Err((format!(".after[{index}]"), format!("is a case of {}", after.instruction.path())));
            }
        }
        Ok(())
    }

    /// The cases that run before its own.
    fn earlier(&self, suite: &Suite) -> Result<Vec<CaseValue>, (String, String)> {
        let read = |(index, text): (usize, &CaseText)| {
            let read = text.read(suite).map(|(value, _)| value);
            read.map_err(|error| (format!(".after[{index}].{}", error.place), error.problem))
        };
        self.after.iter().enumerate().map(read).collect()
    }

    /// Its case by value.
    fn case(&self, suite: &Suite) -> Result<(CaseValue, IsaSuite), (String, String)> {
        match &self.case {
            StoredCase::Value(text) => {
                text.read(suite).map_err(|error| (format!(".case.value.{}", error.place), error.problem))
            }
            StoredCase::Id(id) => {
                let (id, suite) =
                    CaseId::parse(id, suite).map_err(|error| (".case.id".to_string(), error.to_string()))?;
                Ok((take_value(&suite, &id, &mut |_| true), suite))
            }
        }
    }

    /// Replays its case on every level of its target.
    fn recheck(&self, suite: &Suite) -> Recheck {
        let Some(kind) = Kind::named(&self.signature.kind) else {
            return Recheck::Undecided(format!("'{}' is no kind of difference", self.signature.kind));
        };
        if !self.shows {
            return Recheck::Undecided("its case never showed it by value; only a run does".to_string());
        }
        if kind == Kind::OrderDependent && self.after.is_empty() {
            return Recheck::Undecided(format!("{} shows in no case that runs alone", kind.name()));
        }
        let (case, suite) = match self.case(suite) {
            Ok(case) => case,
            Err((place, problem)) => return Recheck::Undecided(format!("{place}: {problem}")),
        };
        let target = &self.signature.target;
        let levels: Vec<_> = suite.targets.iter().filter(|factory| factory.info.name == *target).collect();
        if levels.is_empty() {
            return Recheck::Undecided(format!("target '{target}' is not part of this run"));
        }
        let after = match self.earlier(&Suite { isas: vec![suite.clone()] }) {
            Ok(after) => after,
            Err((place, problem)) => return Recheck::Undecided(format!("{place}: {problem}")),
        };
        crate::quiet_panics();
        let unsteady = kind == Kind::Nondeterministic;
        let mut is_answered = false;
        let mut disputed = None;
        let fails = levels.into_iter().any(|factory| {
            let mut minimizer = Minimizer::new(&suite, factory);
            minimizer.after = after.clone();
            let times = if unsteady { UNSTEADY } else { 1 };
            let differences = minimizer.run_until_different(&case, times).unwrap_or_default();
            is_answered |= !minimizer.is_refused();
            disputed = disputed.or(minimizer.disputed());
            let of = |differences: &[Difference]| {
                Signature::of(&self.signature.instruction, target, suite.isa.layout, differences)
            };
            let is_same = |signature: &Signature| unsteady || SignaturePart::of(signature) == self.signature;
            // A stray that comes at some turn is listed as what it is.
            let in_order = differences.first().is_some_and(Difference::is_of_order).then(|| of(&differences[1..]));
            of(&differences).iter().chain(in_order.iter().flatten()).any(is_same)
        });
        if let (false, Some(dispute)) = (fails, disputed) {
            let id = dispute.id;
            return Recheck::Undecided(format!("what differs is disputed ({id}); --disputed looks at it all the same"));
        }
        match fails {
            true => Recheck::Fails,
            false if unsteady => Recheck::Undecided(format!("it did not show in {UNSTEADY} runs")),
            // What is said of a refusal is mended by one that changes nothing, and nothing else is.
            false if !is_answered && kind != Kind::Refused => {
                Recheck::Undecided(format!("'{target}' refuses its case, so nothing was shown"))
            }
            false => Recheck::Passes,
        }
    }

    /// Whether its target is part of a run.
    #[must_use]
    pub fn has_target(&self, suite: &Suite) -> bool {
        let isa = self.signature.instruction.split('/').next().and_then(|isa| suite.isa(isa));
        isa.is_some_and(|isa| isa.targets.iter().any(|factory| factory.info.name == self.signature.target))
    }
}

/// Bits with their directions, in the spelling of the file.
fn names_of(bits: &[BitPart]) -> Vec<String> {
    bit_names(bits.iter().map(|bit| (bit.bit, (bit.set, bit.cleared))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_read_back_by_its_name() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::from_str::<Verdict>(&format!("{:?}", verdict.name())).ok(), Some(verdict));
            assert_eq!(serde_json::to_string(&verdict).ok(), Some(format!("{:?}", verdict.name())));
        }
    }
}
