//! Recorded vectors in a report.

use serde::{Deserialize, Serialize};

use super::build::{bit_parts, seen_parts};
use super::known::Known;
use super::model::{BitPart, SeenPart, SignaturePart, is_zero};
use super::terminal::more_counts;
use super::text::{grouped, names};
use crate::Finding;
use crate::vectors::{Column, Columns, Divergences, ReplayResult, Run, Subject, Verdict};

/// Recorded vectors that were replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "VectorsText", into = "VectorsText")]
pub struct VectorsPart {
    /// What targets did wrong, by signature.
    pub findings: Vec<VectorFindingPart>,
    /// Per file, in the order of their names. What is counted over all of them is counted from here.
    pub list: Vec<VectorFilePart>,
}

/// One file of recorded vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FileText", into = "FileText")]
pub struct VectorFilePart {
    /// Its path below the directory of vectors.
    pub file: String,
    /// Where its tests stand.
    pub columns: Columns,
    /// Ids of tests on which somebody diverged, and not all of it is known, each with what diverged.
    pub divergent: Vec<String>,
    /// Those of them on which the reference itself differs, or promises nothing.
    pub reference: Vec<String>,
    /// Ids of tests on which targets diverged only as is known.
    pub known: Vec<String>,
    /// The cells of tests that were to be answered and were not.
    pub missing_cells: Vec<u32>,
}

/// The columns that are named only where a test stands there.
#[derive(Serialize, Deserialize)]
struct RareText {
    #[serde(default, skip_serializing_if = "is_zero")]
    survived: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    disputed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    missing: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    not_implemented: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    other_edition: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    not_asked: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    not_reached: u64,
}

impl RareText {
    fn of(columns: &Columns) -> Self {
        RareText {
            survived: columns.of(Column::Survived),
            disputed: columns.of(Column::Disputed),
            missing: columns.of(Column::Missing),
            not_implemented: columns.of(Column::NotImplemented),
            other_edition: columns.of(Column::OtherEdition),
            not_asked: columns.of(Column::NotAsked),
            not_reached: columns.of(Column::NotReached),
        }
    }

    fn columns(&self) -> Columns {
        let RareText { survived, disputed, missing, not_implemented, other_edition, not_asked, not_reached } = *self;
        Columns::default()
            .with(Column::Survived, survived)
            .with(Column::Disputed, disputed)
            .with(Column::Missing, missing)
            .with(Column::NotImplemented, not_implemented)
            .with(Column::OtherEdition, other_edition)
            .with(Column::NotAsked, not_asked)
            .with(Column::NotReached, not_reached)
    }
}

/// A file as a report has it: with its columns by their names, and their sum.
#[derive(Serialize, Deserialize)]
struct FileText {
    file: String,
    tests: u64,
    agreed: u64,
    revoked: u64,
    unsupported: u64,
    divergent: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reference: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    known: Vec<String>,
    #[serde(flatten)]
    rare: RareText,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing_cells: Vec<u32>,
}

impl From<VectorFilePart> for FileText {
    fn from(part: VectorFilePart) -> Self {
        let VectorFilePart { file, columns, divergent, reference, known, missing_cells } = part;
        FileText {
            file,
            tests: columns.tests(),
            agreed: columns.of(Column::Agreed),
            revoked: columns.of(Column::Revoked),
            unsupported: columns.of(Column::Unsupported),
            divergent,
            reference,
            known,
            rare: RareText::of(&columns),
            missing_cells,
        }
    }
}

impl TryFrom<FileText> for VectorFilePart {
    type Error = String;

    /// A report of an earlier version names no column for the tests of another edition, and has them among its tests.
    fn try_from(text: FileText) -> Result<Self, String> {
        let FileText { file, tests, agreed, revoked, unsupported, divergent, reference, known, rare, missing_cells } =
            text;
        let columns = rare
            .columns()
            .with(Column::Agreed, agreed)
            .with(Column::Revoked, revoked)
            .with(Column::Unsupported, unsupported)
            .with(Column::Divergent, divergent.len() as u64)
            .with(Column::Known, known.len() as u64);
        let unnamed = tests.checked_sub(columns.tests()).ok_or_else(|| {
            format!("{file}: it has {tests} tests, and its columns have {}; run `tandem` again", columns.tests())
        })?;
        let columns = columns.with(Column::OtherEdition, unnamed);
        Ok(VectorFilePart { file, columns, divergent, reference, known, missing_cells })
    }
}

/// Recorded vectors as a report has them. What is counted over all files is written and not read.
#[derive(Serialize, Deserialize)]
struct VectorsText {
    files: u64,
    tests: u64,
    agreed: u64,
    revoked: u64,
    unsupported: u64,
    divergent: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    known: u64,
    #[serde(flatten)]
    rare: RareText,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<VectorFindingPart>,
    list: Vec<VectorFilePart>,
}

impl From<VectorsPart> for VectorsText {
    fn from(part: VectorsPart) -> Self {
        let columns = part.columns();
        VectorsText {
            files: part.list.len() as u64,
            tests: columns.tests(),
            agreed: columns.of(Column::Agreed),
            revoked: columns.of(Column::Revoked),
            unsupported: columns.of(Column::Unsupported),
            divergent: columns.of(Column::Divergent),
            known: columns.of(Column::Known),
            rare: RareText::of(&columns),
            findings: part.findings,
            list: part.list,
        }
    }
}

impl From<VectorsText> for VectorsPart {
    fn from(text: VectorsText) -> Self {
        VectorsPart { findings: text.findings, list: text.list }
    }
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

impl VectorFilePart {
    /// What came of a file: each test in the column that all of its runs come to; levels of a target are not told apart.
    /// `is_known` says of a divergence of a target whether it is listed.
    #[must_use]
    pub fn of(file: &str, replay: &ReplayResult, is_known: &dyn Fn(&Run) -> bool) -> Self {
        let mut part = VectorFilePart { file: file.to_string(), ..VectorFilePart::default() };
        let columns = replay.columns_of(is_known).map(|(column, runs)| {
            let id = runs.first().map_or("", |run| &run.id);
            let of_reference = runs.iter().filter(|run| run.subject == Subject::Reference);
            part.reference.extend(of_reference.filter_map(|run| Some(format!("{id}: {}", wrong_run(run)?))));
            if column == Column::Known {
                part.known.push(id.to_string());
            } else if column == Column::Divergent {
                let wrong: Vec<String> = runs.iter().filter_map(wrong_run).collect();
                part.divergent.push(format!("{id}: {}", names(wrong.iter().map(String::as_str)).join("; ")));
            }
            column
        });
        let columns = columns.collect();
        VectorFilePart { columns, ..part }
    }
}

/// A run that went wrong, in words, without the level.
fn wrong_run(run: &Run) -> Option<String> {
    let subject = match &run.subject {
        Subject::Reference => "reference",
        Subject::Target(info) => &info.name,
    };
    let what = match &run.verdict {
        Verdict::Agreed
        | Verdict::Survived
        | Verdict::Disputed { .. }
        | Verdict::Unsupported
        | Verdict::NotImplemented => return None,
        Verdict::Unpromised(outcome) => format!("the pages promise nothing ({outcome})"),
        Verdict::Diverged { signature: Some(signature), .. } => {
            format!("{} {}", signature.place, signature.kind.name())
        }
        Verdict::Diverged { signature: None, .. } => "diverged".to_string(),
    };
    let step = run.step.map_or(String::new(), |step| format!("step {}: ", step + 1));
    Some(format!("{subject} in {}: {step}{what}", run.edition.name()))
}

impl VectorsPart {
    /// The summary of some files, and of what targets did wrong in them.
    #[must_use]
    pub fn of(list: Vec<VectorFilePart>, findings: Vec<VectorFindingPart>) -> Self {
        VectorsPart { findings, list }
    }

    /// Where the tests of all files stand.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.list.iter().map(|file| file.columns).sum()
    }

    /// How many tests stand in a column.
    #[must_use]
    pub fn count(&self, column: Column) -> u64 {
        self.columns().of(column)
    }

    /// The counts that are usually 0, to go on a list with.
    pub(super) fn rare(&self) -> String {
        let columns = self.columns();
        let named = [Column::Survived, Column::Disputed, Column::Known, Column::Missing]
            .map(|one| (one.name(), columns.of(one)));
        let mut text: String = named.iter().map(|&(name, count)| more_counts(count, name)).collect();
        let why = Column::NOT_RUN.into_iter().filter(|&one| columns.of(one) > 0);
        let why: Vec<String> = why.map(|one| format!("{} {}", grouped(columns.of(one)), one.name())).collect();
        if !why.is_empty() {
            text += &format!(", {} not run ({})", grouped(columns.not_run()), why.join(", "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Edition;

    use super::*;
    use crate::vectors::{Fate, NotRun};
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
            step: None,
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
            run("4", Subject::Reference, Verdict::Agreed),
            run("4", subject("low"), Verdict::NotImplemented),
        ];
        let fates = vec![
            Fate::Ran(0..2),
            Fate::Ran(2..5),
            Fate::Ran(5..6),
            Fate::Ran(6..8),
            Fate::NotRun(NotRun::Revoked),
            Fate::NotRun(NotRun::OtherEdition),
        ];
        let result = ReplayResult { runs, fates, ..ReplayResult::default() };
        let part = VectorFilePart::of("f", &result, &|_| false);
        for column in Column::ALL {
            let there = [
                Column::Agreed,
                Column::Divergent,
                Column::Unsupported,
                Column::NotImplemented,
                Column::Revoked,
                Column::OtherEdition,
            ];
            assert_eq!(part.columns.of(column), u64::from(there.contains(&column)), "{column:?}");
        }
        assert_eq!((part.columns.tests(), &part.divergent[..]), (6, &["2: simd in spec: diverged".to_string()][..]));
        let part = VectorFilePart::of("f", &result, &|_| true);
        assert_eq!((part.divergent.len(), &part.known[..]), (0, &["2".to_string()][..]));
    }

    #[test]
    fn what_is_written_of_columns_is_read_back_and_adds_up() {
        let columns: Columns = Column::ALL.into_iter().chain([Column::NotReached]).collect();
        let (divergent, known) = (vec!["2: it differs".to_string()], vec!["3".to_string()]);
        let file = VectorFilePart { file: "a".to_string(), columns, divergent, known, ..VectorFilePart::default() };
        let whole = VectorsPart::of(vec![file.clone(), file], Vec::new());
        let text = serde_json::to_string(&whole).expect("it serializes");
        assert_eq!(serde_json::from_str::<VectorsPart>(&text).expect("it is read"), whole);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let keys = ["agreed", "revoked", "unsupported", "divergent", "known", "survived", "missing", "not_implemented"];
        let keys = keys.into_iter().chain(["other_edition", "not_asked", "not_reached", "disputed"]);
        assert_eq!(keys.map(|key| value[key].as_u64().expect(key)).sum::<u64>(), whole.columns().tests());
        assert_eq!(
            (value["tests"].as_u64(), value["not_reached"].as_u64()),
            (Some(2 * (Column::ALL.len() as u64 + 1)), Some(4))
        );
        // A report of an earlier version has tests without a column; one whose columns have too many is none.
        let old = r#"{"file":"f","tests":5,"agreed":3,"revoked":0,"unsupported":0,"divergent":[]}"#;
        let old: VectorFilePart = serde_json::from_str(old).expect("it is read");
        assert_eq!((old.columns.of(Column::OtherEdition), old.columns.tests()), (2, 5));
        let broken = r#"{"file":"f","tests":5,"agreed":6,"revoked":0,"unsupported":0,"divergent":[]}"#;
        let error = serde_json::from_str::<VectorFilePart>(broken).expect_err("it does not add up").to_string();
        assert!(error.contains("its columns have 6"), "{error}");
    }
}
