//! Recorded vectors in a report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::build::{bit_parts, seen_parts};
use super::known::Known;
use super::model::{BitPart, SeenPart, SignaturePart};
use super::text::names;
use crate::Finding;
use crate::vectors::{Divergences, ReplayResult, Run, Subject, Verdict};

/// Recorded vectors that were replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Tests on which somebody diverged, and not all of it is known.
    pub divergent: u64,
    /// Tests on which targets diverged only as is known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known: u64,
    /// Tests that were to be answered and were not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: u64,
    /// What targets did wrong, by signature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<VectorFindingPart>,
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
    /// Ids of tests on which somebody diverged, and not all of it is known, each with what diverged.
    pub divergent: Vec<String>,
    /// Those of them on which the reference itself differs, or promises nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reference: Vec<String>,
    /// Ids of tests on which targets diverged only as is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// Tests that were to be answered and were not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: u64,
    /// The cells that they lie in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_cells: Vec<u32>,
}

/// What a target did wrong in recorded vectors: divergences with one signature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VectorFindingPart {
    /// What makes them one.
    pub signature: SignaturePart,
    /// The finding of the report that has this signature, by its number from 1 on.
    pub finding: Option<u64>,
    /// `new` or `known`.
    pub verdict: String,
    /// The entries of the list of known findings that cover it.
    pub known: Vec<String>,
    /// Why it is new although its signature is listed.
    pub outside: Vec<String>,
    /// Tests that showed it.
    pub tests: u64,
    /// The first of them.
    pub first: String,
    /// The files that they are in.
    pub files: Vec<String>,
    /// Where it was seen, per edition.
    pub seen: Vec<SeenPart>,
    /// Bits that were seen to differ, from bit 0 on.
    pub bits: Vec<BitPart>,
}

impl VectorFindingPart {
    /// What targets did wrong, held against what is known. `findings` are those of the report, in its order.
    #[must_use]
    pub fn list(met: &Divergences, known: &Known, findings: &[Finding]) -> Vec<Self> {
        let of = |(signature, finding): (&crate::Signature, &Finding)| {
            let (part, seen, bits) = (SignaturePart::of(signature), seen_parts(finding), bit_parts(finding));
            let (verdict, known, outside) = known.triage(&part, &seen, &bits, &[]).parts();
            let tests = &met.tests[signature];
            let number = findings.iter().position(|finding| finding.signature == *signature);
            VectorFindingPart {
                signature: part,
                finding: number.map(|index| index as u64 + 1),
                verdict,
                known,
                outside,
                tests: tests.values().map(|tests| tests.len() as u64).sum(),
                first: finding.first.recorded.clone().unwrap_or_default(),
                files: tests.keys().cloned().collect(),
                seen,
                bits,
            }
        };
        met.findings.iter().map(of).collect()
    }

    /// It in one line, for people.
    #[must_use]
    pub fn line(&self) -> String {
        let tests = if self.tests == 1 { "1 test".to_string() } else { format!("{} tests", self.tests) };
        let verdict = match &self.known[..] {
            [] => "new".to_string(),
            known => format!("known: {}", known.join(", ")),
        };
        let finding = self.finding.map_or(String::new(), |number| format!("; finding {number}"));
        format!("{} in {tests} of {}, first {} ({verdict}){finding}", self.signature, self.files.join(", "), self.first)
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl VectorFilePart {
    /// What came of a file. A test agreed if everybody who ran it agreed; levels of a target are not told apart.
    /// `is_known` says of a divergence of a target whether it is listed.
    #[must_use]
    pub fn of(file: &str, replay: &ReplayResult, is_known: &dyn Fn(&Run) -> bool) -> Self {
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
            let by_reference = |run: &&&Run| run.subject == Subject::Reference;
            part.reference
                .extend(runs.iter().filter(by_reference).filter_map(|run| Some(format!("{id}: {}", wrong_run(run)?))));
            let wrong: Vec<String> = runs.iter().filter_map(|run| wrong_run(run)).collect();
            if !wrong.is_empty() && runs.iter().all(|run| wrong_run(run).is_none() || is_known(run)) {
                part.known.push(id.to_string());
            } else if !wrong.is_empty() {
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
    /// The summary of some files, and of what targets did wrong in them.
    #[must_use]
    pub fn of(list: Vec<VectorFilePart>, findings: Vec<VectorFindingPart>) -> Self {
        let sum = |count: &dyn Fn(&VectorFilePart) -> u64| list.iter().map(count).sum();
        VectorsPart {
            files: list.len() as u64,
            tests: sum(&|file| file.tests),
            agreed: sum(&|file| file.agreed),
            revoked: sum(&|file| file.revoked),
            unsupported: sum(&|file| file.unsupported),
            divergent: sum(&|file| file.divergent.len() as u64),
            known: sum(&|file| file.known.len() as u64),
            missing: sum(&|file| file.missing),
            findings,
            list,
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Edition;

    use super::*;
    use crate::{Difference, Kind};

    #[test]
    fn a_vector_counts_once_whoever_runs_it() {
        let subject = |level: &str| {
            Subject::Target(tandem_isa::TargetInfo { name: "simd".to_string(), level: Some(level.to_string()) })
        };
        let run = |id: &str, subject, verdict| Run {
            id: id.to_string(),
            place: 0,
            edition: Edition::Spec,
            cell: None,
            subject,
            verdict,
        };
        let word = Difference::Word { bank: 0, row: 1, column: 0, before: 5, expected: 5, got: 4, kind: Kind::Value };
        let wrong = || Verdict::Diverged { differences: vec![word.clone()], signature: None };
        let runs = vec![
            run("1", Subject::Reference, Verdict::Agreed),
            run("1", subject("low"), Verdict::Agreed),
            run("2", Subject::Reference, Verdict::Agreed),
            run("2", subject("low"), wrong()),
            run("2", subject("high"), wrong()),
            run("3", subject("low"), Verdict::Unsupported),
        ];
        let part =
            VectorFilePart::of("f", &ReplayResult { runs: runs.clone(), revoked: 1, tests: 3, left: 0 }, &|_| false);
        assert_eq!((part.tests, part.agreed, part.revoked, part.unsupported), (4, 1, 1, 1));
        assert_eq!(part.divergent, ["2: simd in spec: diverged"]);
        let part = VectorFilePart::of("f", &ReplayResult { runs, revoked: 1, tests: 3, left: 0 }, &|_| true);
        assert_eq!((part.divergent.len(), &part.known[..]), (0, &["2".to_string()][..]));
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
            ..VectorFilePart::default()
        };
        let sum = VectorsPart::of(vec![file("a", &[]), file("b", &["3"])], Vec::new());
        assert_eq!((sum.files, sum.tests, sum.agreed, sum.revoked, sum.divergent), (2, 10, 7, 2, 1));
    }
}
