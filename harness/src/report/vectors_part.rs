//! Recorded vectors in a report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::text::names;
use crate::vectors::{ReplayResult, Run, Subject, Verdict};

/// Recorded vectors that were replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorsPart {
    /// Number of files.
    pub files: u64,
    /// Number of tests in them.
    pub tests: u64,
    /// Tests on which everybody agreed.
    pub agreed: u64,
    /// Tests that are revoked, with a reason that stands in their file.
    pub revoked: u64,
    /// Tests that some target does not implement, and on which nobody diverged.
    pub unsupported: u64,
    /// Tests on which somebody diverged.
    pub divergent: u64,
    /// Per file, in the order of their names.
    pub list: Vec<VectorFilePart>,
}

/// One file of recorded vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorFilePart {
    /// Its path below the directory of vectors.
    pub file: String,
    /// Number of tests.
    pub tests: u64,
    /// Tests on which everybody agreed.
    pub agreed: u64,
    /// Revoked tests.
    pub revoked: u64,
    /// Tests that some target does not implement, and on which nobody diverged.
    pub unsupported: u64,
    /// Ids of tests on which somebody diverged, each with what diverged.
    pub divergent: Vec<String>,
}

impl VectorFilePart {
    /// What came of a file. A test agreed if everybody who ran it agreed; levels of a target are not told apart.
    #[must_use]
    pub fn of(file: &str, replay: &ReplayResult) -> Self {
        let mut tests: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
        for run in &replay.runs {
            tests.entry(&run.id).or_default().push(run);
        }
        let mut part = VectorFilePart {
            file: file.to_string(),
            tests: (replay.tests + replay.revoked) as u64,
            revoked: replay.revoked as u64,
            ..VectorFilePart::default()
        };
        for (id, runs) in tests {
            let wrong: Vec<String> = runs.iter().filter_map(|run| wrong_run(run)).collect();
            if !wrong.is_empty() {
                part.divergent.push(format!("{id}: {}", names(wrong.iter().map(String::as_str)).join("; ")));
            } else if runs.iter().any(|run| run.verdict == Verdict::Unsupported) {
                part.unsupported += 1;
            } else {
                part.agreed += 1;
            }
        }
        part
    }
}

/// A run that went wrong, in words, without the level.
fn wrong_run(run: &Run) -> Option<String> {
    let subject = match &run.subject {
        Subject::Reference => "reference",
        Subject::Target(info) => &info.name,
    };
    let what = match &run.verdict {
        Verdict::Agreed | Verdict::Unsupported => return None,
        Verdict::Unpromised(outcome) => format!("the pages promise nothing ({outcome})"),
        Verdict::Diverged { signature: Some(signature), .. } => {
            format!("{} {}", signature.place, signature.kind.name())
        }
        Verdict::Diverged { signature: None, .. } => "diverged".to_string(),
    };
    Some(format!("{subject} in {}: {what}", run.edition.name()))
}

impl VectorsPart {
    /// The summary of some files.
    #[must_use]
    pub fn of(list: Vec<VectorFilePart>) -> Self {
        let sum = |count: &dyn Fn(&VectorFilePart) -> u64| list.iter().map(count).sum();
        VectorsPart {
            files: list.len() as u64,
            tests: sum(&|file| file.tests),
            agreed: sum(&|file| file.agreed),
            revoked: sum(&|file| file.revoked),
            unsupported: sum(&|file| file.unsupported),
            divergent: sum(&|file| file.divergent.len() as u64),
            list,
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Edition;

    use super::*;
    use crate::report::sample;

    #[test]
    fn a_vector_counts_once_whoever_runs_it() {
        let subject = |level: &str| {
            Subject::Target(tandem_isa::TargetInfo { name: "simd".to_string(), level: Some(level.to_string()) })
        };
        let run = |id: &str, subject, verdict| Run {
            id: id.to_string(),
            edition: Edition::Spec,
            cell: None,
            subject,
            verdict,
        };
        let wrong = || Verdict::Diverged { differences: sample::differences(), signature: None };
        let runs = vec![
            run("1", Subject::Reference, Verdict::Agreed),
            run("1", subject("low"), Verdict::Agreed),
            run("2", Subject::Reference, Verdict::Agreed),
            run("2", subject("low"), wrong()),
            run("2", subject("high"), wrong()),
            run("3", subject("low"), Verdict::Unsupported),
        ];
        let part = VectorFilePart::of("f", &ReplayResult { runs, revoked: 1, tests: 3 });
        assert_eq!((part.tests, part.agreed, part.revoked, part.unsupported), (4, 1, 1, 1));
        assert_eq!(part.divergent, ["2: simd in spec: diverged"]);
    }

    #[test]
    fn vectors_are_summed_over_files() {
        let file = |name: &str, divergent: &[&str]| VectorFilePart {
            file: name.to_string(),
            tests: 5,
            agreed: 4 - divergent.len() as u64,
            revoked: 1,
            unsupported: 0,
            divergent: divergent.iter().map(|id| (*id).to_string()).collect(),
        };
        let sum = VectorsPart::of(vec![file("a", &[]), file("b", &["3"])]);
        assert_eq!((sum.files, sum.tests, sum.agreed, sum.revoked, sum.divergent), (2, 10, 7, 2, 1));
    }
}
