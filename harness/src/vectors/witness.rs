//! Witnesses: what recordings of other implementations show of an instruction, and what they do not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tandem_isa::{Axis, Edition, Instruction};

use super::levels::orthogonal_levels;
use super::model::Source;
use super::record::Promises;
use super::replay::ReferenceBench;
use super::store::Store;
use crate::IsaSuite;
use crate::case::reads_back;

/// Where recordings come from, by the names that files of vectors give: a TOML document, `vectors/sources.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Sources(BTreeMap<String, Origin>);

/// Where a source comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Origin {
    /// Who wrote it, or what it was made of: the owner of a repository. Sources of one author are one witness.
    derives_from: String,
    /// Whether it is ours, and so no witness.
    #[serde(default)]
    is_ours: bool,
}

impl Sources {
    /// What a document says.
    ///
    /// # Errors
    /// If it is no such document.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Whether the document has a source.
    #[must_use]
    pub fn has(&self, source: &Source) -> bool {
        self.0.contains_key(&source.name)
    }

    /// Who a source derives from; nobody if it is ours. Of one that the document does not have nothing is known.
    fn author<'s>(&'s self, source: &'s Source) -> Option<&'s str> {
        match self.0.get(&source.name) {
            Some(origin) if origin.is_ours => None,
            Some(origin) => Some(&origin.derives_from),
            None => Some(&source.name),
        }
    }
}

/// Something about an instruction that no recording but ours shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// An axis, a level of one as `axis=level`, or something else in words.
    pub of: String,
    /// How far it is recorded, and why there is no more.
    pub reason: String,
}

impl Gap {
    /// What a gap is of if nothing was recorded.
    pub const ALL: &str = "all of it";

    /// A gap, with what the instruction says of it, or of its axis.
    fn new(instruction: &Instruction, axis: &Axis, of: String, reason: String) -> Self {
        let said = |name: &str| instruction.unwitnessed.iter().find(|one| one.axis == name).map(|one| one.reason);
        match said(&of).or_else(|| said(axis.name)) {
            Some(said) => Gap { reason: format!("{reason}; {said}"), of },
            None => Gap { of, reason },
        }
    }
}

/// What others recorded of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// Name and version of each source, by the author that it derives from.
    pub by_author: BTreeMap<String, BTreeSet<String>>,
    /// The axes, and the levels of axes, that they do not show.
    pub gaps: Vec<Gap>,
    /// What is said of the instruction besides: of several levels together, or of recordings that show nothing.
    pub besides: Vec<Gap>,
}

impl Witnesses {
    /// What the files of a store show of an instruction.
    #[must_use]
    pub fn of(store: &Store, sources: &Sources, suite: &IsaSuite, instruction: &'static Instruction) -> Self {
        let mut witnesses = Witnesses::default();
        let mut seen = RecordedLevels::default();
        let mut bench = ReferenceBench::new(suite);
        for (_, file) in store.files.iter().filter(|(_, file)| std::ptr::eq(file.instruction, instruction)) {
            let Some(author) = sources.author(&file.source) else { continue };
            let name = format!("{} {}", file.source.name, file.source.version);
            witnesses.by_author.entry(author.to_string()).or_default().insert(name);
            for (_, test) in file.tests() {
                if store.revoked.contains_key(&test.id(suite.isa, instruction)) {
                    continue;
                }
                let edition = test.newest();
                let space = (instruction.cells)(edition);
                let levels = test.with_parts(suite.isa, |parts| space.classify_levels(parts));
                seen.add(space.axes, &levels);
                let ran = bench.run(instruction, edition, &test.code, &test.before);
                let mut touched = ran.read.clone();
                touched.union(&ran.written);
                let levels = orthogonal_levels(suite.isa, instruction, edition, test, &touched);
                seen.add((instruction.orthogonal)(edition), &levels);
            }
        }
        witnesses.gaps = seen.gaps(suite, instruction);
        witnesses.besides = besides(instruction, &witnesses.gaps);
        witnesses
    }
}

/// Levels that were seen, by the name of their axis.
#[derive(Default)]
struct RecordedLevels(BTreeMap<&'static str, BTreeSet<usize>>);

impl RecordedLevels {
    fn add(&mut self, axes: &[Axis], levels: &[u8]) {
        for (axis, &level) in axes.iter().zip(levels) {
            self.0.entry(axis.name).or_default().insert(usize::from(level));
        }
    }

    /// The levels that were not seen, with what the instruction says of them. Levels of which the pages promise nothing do
    /// not count, and neither do those of an orthogonal axis that cannot be told from others.
    fn gaps(&self, suite: &IsaSuite, instruction: &'static Instruction) -> Vec<Gap> {
        if self.0.is_empty() {
            return vec![Gap { of: Gap::ALL.to_string(), reason: "nobody else's execution was recorded".to_string() }];
        }
        let (edition, mut gaps) = (Edition::Newest, Vec::new());
        let space = (instruction.cells)(edition);
        let mut promises = Promises::new(suite, instruction);
        let mut is_promised = |axis: usize, level: usize| {
            let mut cells = (0..space.len()).filter(|&cell| usize::from(space.levels(cell)[axis]) == level);
            cells.any(|cell| !promises.cited(edition, cell))
        };
        for (index, axis) in space.axes.iter().enumerate() {
            let (missing, recorded) = self.split(axis, |level| is_promised(index, level));
            for level in missing {
                let of = format!("{}={level}", axis.name);
                let reason = recorded.map_or("not recorded".to_string(), |only| format!("recorded only as {only}"));
                gaps.push(Gap::new(instruction, axis, of, reason));
            }
        }
        for (index, axis) in (instruction.orthogonal)(edition).iter().enumerate() {
            let (missing, recorded) = self.split(axis, |level| {
                (level == 0 || instruction.recording.has_level(axis, level))
                    && reads_back(suite.isa, instruction, edition, index, level)
            });
            match recorded {
                Some(only) if !missing.is_empty() => {
                    gaps.push(Gap::new(instruction, axis, axis.name.to_string(), format!("recorded only as {only}")));
                }
                _ => gaps.extend(missing.into_iter().map(|level| {
                    Gap::new(instruction, axis, format!("{}={level}", axis.name), "not recorded".to_string())
                })),
            }
        }
        gaps
    }

    /// The levels of an axis that count and were not seen, and the only one that was, if it is one.
    fn split(&self, axis: &Axis, mut counts: impl FnMut(usize) -> bool) -> (Vec<&'static str>, Option<&'static str>) {
        let seen = self.0.get(axis.name);
        let is_seen = |level: &usize| seen.is_some_and(|seen| seen.contains(level));
        let missing = (0..axis.levels.len()).filter(|level| !is_seen(level) && counts(*level));
        let missing = missing.map(|level| axis.levels[level]).collect();
        let mut recorded = (0..axis.levels.len()).filter(is_seen).map(|level| axis.levels[level]);
        let only = recorded.next().filter(|_| recorded.next().is_none());
        (missing, only)
    }
}

/// What an instruction says that belongs to none of the gaps.
fn besides(instruction: &Instruction, gaps: &[Gap]) -> Vec<Gap> {
    let belongs = |name: &str| {
        gaps.iter().any(|gap| gap.of == name || gap.of.split_once('=').is_some_and(|(axis, _)| axis == name))
    };
    let said = instruction.unwitnessed.iter().filter(|one| !belongs(one.axis));
    said.map(|one| Gap { of: one.axis.to_string(), reason: one.reason.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str) -> Source {
        Source { name: name.to_string(), version: "1".to_string(), commit: None, licence: None, note: None }
    }

    #[test]
    fn ours_are_no_witness_and_unknown_ones_stand_for_themselves() {
        let text = "[ours]\nderives_from = \"us\"\nis_ours = true\n\n[\"one/simulator\"]\nderives_from = \"one\"\n";
        let sources = Sources::read(text).expect("a document");
        assert_eq!(sources.author(&source("ours")), None);
        assert_eq!(sources.author(&source("one/simulator")), Some("one"));
        assert_eq!(sources.author(&source("another")), Some("another"));
        assert!(sources.has(&source("ours")) && !sources.has(&source("another")));
    }

    #[test]
    fn a_key_that_there_is_not_is_refused() {
        for text in ["[a]\nis_ours = true\n", "[a]\nderives_from = \"x\"\nauthor = \"y\"\n", "a = 1\n"] {
            assert!(Sources::read(text).is_err(), "{text}");
        }
    }
}
