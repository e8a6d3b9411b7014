//! Known findings: the committed list, what it covers, and whether what it lists still happens.
//!
//! The file is a list of entries. An entry covers the cell classes and bits that it names; anything outside of them is
//! new. Reading is strict, and every error names the file and the place in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tandem_isa::Edition;

use super::CaseText;
use super::model::{BitPart, FindingPart, SeenPart, SignaturePart};
use crate::{CaseId, CaseValue, IsaSuite, Kind, Minimizer, Signature, Suite, take_value};

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
}

/// What is known about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not yet held against the newest edition, the target's tracker and a second witness.
    Candidate,
    /// The target is wrong; there is a public thread.
    Confirmed,
    /// The page is wrong or ambiguous; there is an erratum or a public thread.
    Page,
    /// The target differs on purpose.
    Accepted,
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
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is not a list of entries; the message has line and column.
    #[error("{file}: {error}")]
    Form {
        /// The file.
        file: String,
        /// Why, and where.
        error: serde_json::Error,
    },
    /// An entry says something that is not so.
    #[error("{file}: {place}: {problem}")]
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
        let mut text = serde_json::to_string_pretty(&self.entries).expect("entries serialize");
        text.push('\n');
        text
    }

    /// Whether the entries with this signature cover where and in which bits it was seen.
    #[must_use]
    pub fn triage(&self, signature: &SignaturePart, seen: &[SeenPart], bits: &[BitPart]) -> Triage {
        let entries: Vec<&Entry> = self.entries.iter().filter(|entry| entry.signature == *signature).collect();
        if entries.is_empty() {
            return Triage::New { outside: Vec::new() };
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
        for bit in bit_names(bits) {
            let covers = |entry: &&Entry| entry.covers.bits.as_ref().is_none_or(|bits| bits.contains(&bit));
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
        let bits = bit_names(&finding.bits);
        Entry {
            id: id.to_string(),
            signature: finding.signature.clone(),
            covers: Covers {
                classes: finding.seen.iter().map(|seen| (seen.edition.clone(), seen.classes.clone())).collect(),
                bits: (!bits.is_empty()).then_some(bits),
            },
            verdict: Verdict::Candidate,
            evidence: format!("{} cases, first {}", finding.cases, finding.first),
            link: None,
            case,
        }
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
        Ok(())
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
        if matches!(kind, Kind::OrderDependent | Kind::Nondeterministic) {
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
        crate::quiet_panics();
        let fails = levels.into_iter().any(|factory| {
            let differences = Minimizer::new(&suite, factory).run(&case).unwrap_or_default();
            let signature = Signature::of(&self.signature.instruction, target, suite.isa.layout, &differences);
            signature.is_some_and(|signature| SignaturePart::of(&signature) == self.signature)
        });
        if fails { Recheck::Fails } else { Recheck::Passes }
    }
}

/// Bits with their directions, in the spelling of the file.
fn bit_names(bits: &[BitPart]) -> Vec<String> {
    let mut names = Vec::new();
    for bit in bits {
        if bit.set > 0 {
            names.push(format!("{}:0->1", bit.bit));
        }
        if bit.cleared > 0 {
            names.push(format!("{}:1->0", bit.bit));
        }
    }
    names
}

/// Whether a text names a bit with a direction, as `7:0->1`.
pub(crate) fn is_bit_name(name: &str) -> bool {
    let (bit, direction) = name.split_once(':').unwrap_or((name, ""));
    bit.parse::<u32>().is_ok_and(|number| number < 32 && number.to_string() == bit)
        && matches!(direction, "0->1" | "1->0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Inputs, Report, sample};

    fn finding() -> FindingPart {
        let (suite, campaign) = (sample::suite(), sample::campaign());
        Report::build(&Inputs::new(&suite, &campaign)).result.findings.remove(0)
    }

    fn known() -> Known {
        Known { entries: vec![Entry::propose("K-1", &finding())] }
    }

    #[test]
    fn a_proposed_entry_reads_back_and_covers_its_finding() {
        let (known, finding) = (known(), finding());
        let read = Known::parse("known.json", &known.to_json(), &sample::suite()).expect("it is well formed");
        assert_eq!(read, known);
        let triage = known.triage(&finding.signature, &finding.seen, &finding.bits);
        assert_eq!(triage, Triage::Known { entries: vec!["K-1".to_string()] });
    }

    #[test]
    fn what_an_entry_does_not_name_is_new() {
        let (mut known, finding) = (known(), finding());
        let triage = |known: &Known| known.triage(&finding.signature, &finding.seen, &finding.bits);
        known.entries[0].covers.bits = Some(vec!["31:0->1".to_string()]);
        assert!(matches!(triage(&known), Triage::New { outside } if outside[0].starts_with("bit ")));
        known.entries[0].covers.bits = None;
        assert!(matches!(triage(&known), Triage::Known { .. }));
        known.entries[0].covers.classes.clear();
        assert!(matches!(triage(&known), Triage::New { outside } if !outside.is_empty()));
        known.entries[0].signature.target.push('x');
        assert_eq!(triage(&known), Triage::New { outside: Vec::new() });
    }

    #[test]
    fn errors_name_file_and_place() {
        let suite = sample::suite();
        let broken = |change: &dyn Fn(&mut Entry)| {
            let mut known = known();
            change(&mut known.entries[0]);
            Known::parse("known.json", &known.to_json(), &suite).expect_err("it is broken").to_string()
        };
        assert!(broken(&|entry| entry.evidence.clear()).starts_with("known.json: [0].evidence: "));
        assert!(broken(&|entry| entry.link = Some("ftp://x".into())).starts_with("known.json: [0].link: "));
        assert!(broken(&|entry| entry.verdict = Verdict::Confirmed).contains("[0].link: is missing"));
        assert!(broken(&|entry| entry.signature.kind = "vaule".into()).contains("[0].signature.kind: 'vaule'"));
        assert!(broken(&|entry| entry.signature.instruction.push('x')).contains("[0].signature.instruction: "));
        assert!(broken(&|entry| entry.covers.bits = Some(vec!["32:0->1".into()])).contains("[0].covers.bits[0]: "));
        assert!(broken(&|entry| entry.covers.classes.clear()).contains("[0].covers.classes: "));
        assert!(broken(&|entry| entry.case = StoredCase::Id("wrong".into())).contains("[0].case.id: "));
        let place = broken(&|entry| {
            if let StoredCase::Value(text) = &mut entry.case {
                text.words[0].place.push('x');
            }
        });
        assert!(place.contains("[0].case.value.words[0].place: "), "{place}");

        let twice = Known { entries: [known().entries, known().entries].concat() }.to_json();
        let error = Known::parse("known.json", &twice, &suite).expect_err("the id is used twice").to_string();
        assert!(error.starts_with("known.json: [1].id: "), "{error}");
        let unknown = known().to_json().replacen("\"verdict\"", "\"verdit\"", 1);
        let error = Known::parse("known.json", &unknown, &suite).expect_err("no such field").to_string();
        assert!(error.contains("unknown field `verdit`") && error.contains("line "), "{error}");
    }

    #[test]
    fn whether_it_still_happens_is_decided_by_replaying_its_case() {
        let (mut known, suite) = (known(), sample::suite());
        // The sample's targets do what its reference does, so the finding is gone.
        assert_eq!(known.recheck(&suite)[0].1, Recheck::Passes);
        assert_eq!(known.gone(&suite).len(), 1);
        known.entries[0].signature.target = "elsewhere".to_string();
        assert!(matches!(&known.recheck(&suite)[0].1, Recheck::Undecided(why) if why.contains("elsewhere")));
        known.entries[0].signature.kind = "order-dependent".to_string();
        assert!(known.gone(&suite).is_empty());
    }

    #[test]
    fn every_kind_has_its_name() {
        for name in ["outcome", "panic", "row", "value", "validity", "stray", "config", "counter", "flag", "context"] {
            assert_eq!(Kind::named(name).map(Kind::name), Some(name));
        }
        assert!(is_bit_name("0:1->0") && !is_bit_name("00:1->0") && !is_bit_name("1:1->1") && !is_bit_name("7"));
    }
}
