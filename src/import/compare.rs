//! Comparison of a recording with the reference: which of its tests hold, and in which editions.

use std::collections::{BTreeMap, BTreeSet};

use tandem_harness::vectors::{Note, Outcome, Replayer, Source, Test, VectorFile, Verdict};
use tandem_harness::{Difference, IsaSuite};
use tandem_isa::{Edition, Instruction, Isa};

use super::form::Form;
use super::{Account, ImportError, LeftOut, Recording};

/// A line of a recording that the reference does not reproduce.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The line, from 1.
    pub line: usize,
    /// The edition.
    pub edition: Edition,
    /// The test.
    pub test: Test,
    /// What the reference did.
    pub verdict: Verdict,
}

/// What came of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Every executed or stalled line that agrees with the reference in at least one edition.
    pub file: VectorFile,
    /// What came of each line.
    pub account: Account,
    /// Per edition: executed lines and stalled lines that agree.
    pub agreed: BTreeMap<Edition, [usize; 2]>,
    /// Per edition: lines for which the reference says that the pages promise nothing.
    pub unpromised: BTreeMap<Edition, usize>,
    /// Lines that do not agree in an edition.
    pub disagreements: Vec<Disagreement>,
}

impl Recording {
    /// Keeps the tests that the reference reproduces.
    ///
    /// A test holds in the editions in which the reference reproduces it; a line that is reproduced in none is left out,
    /// and is among the disagreements unless the page promises nothing for it.
    ///
    /// # Errors
    /// [`ImportError::Empty`] if there is nothing to compare.
    ///
    /// # Panics
    /// If the suite is of another instruction set.
    pub fn compare(self, suite: &IsaSuite) -> Result<Imported, ImportError> {
        assert_eq!(suite.isa.name, self.isa.name, "a recording is compared by the suite of its instruction set");
        let Recording { file: name, isa, instruction, tests, account } = self;
        if tests.is_empty() {
            return Err(ImportError::Empty { file: name });
        }
        let mut imported = Imported {
            file: ttsim_file(isa, instruction),
            account,
            agreed: BTreeMap::new(),
            unpromised: BTreeMap::new(),
            disagreements: Vec::new(),
        };
        // Without targets: only the reference is asked.
        let mut replayer = Replayer::new(&suite.with_targets(Vec::new()));
        let mut ids = BTreeSet::new();
        for (line, test) in tests {
            match place(&mut replayer, &mut imported, line, test) {
                Ok(test) if ids.insert(test.id(isa, instruction)) => {
                    imported.file.add(test);
                }
                Ok(_) => imported.account.leave_out(line, LeftOut::Twice),
                Err(reason) => imported.account.leave_out(line, reason),
            }
        }
        imported.file.sort();
        Ok(imported)
    }
}

/// Finds the editions in which a test holds, and notes the disagreements.
fn place(replayer: &mut Replayer, imported: &mut Imported, line: usize, mut test: Test) -> Result<Test, LeftOut> {
    let (isa, instruction) = (imported.file.isa, imported.file.instruction);
    let mut single = VectorFile::new(isa, instruction, imported.file.source.clone());
    let (mut holds, mut reason) = (Vec::new(), None);
    for &edition in instruction.editions() {
        single.groups.clear();
        test.editions = vec![edition];
        assert!(single.add(test.clone()), "what was read lies in a cell of each edition");
        for run in replayer.replay(&single, &BTreeMap::new(), None).runs {
            match run.verdict {
                Verdict::Agreed => {
                    imported.agreed.entry(edition).or_default()[usize::from(test.outcome == Outcome::Blocked)] += 1;
                    holds.push(edition);
                }
                Verdict::Unpromised(expectation) => {
                    *imported.unpromised.entry(edition).or_default() += 1;
                    reason.get_or_insert(LeftOut::Unpromised(expectation));
                }
                verdict @ (Verdict::Unsupported | Verdict::Diverged { .. }) => {
                    imported.disagreements.push(Disagreement { line, edition, test: test.clone(), verdict });
                    reason = Some(LeftOut::Disagrees);
                }
            }
        }
    }
    if holds.is_empty() {
        return Err(reason.unwrap_or(LeftOut::Disagrees));
    }
    if holds.len() == instruction.editions().len() {
        holds = Edition::ALL.to_vec();
    } else {
        test.flags.push("recorded-one-edition".to_string());
    }
    test.editions = holds;
    Ok(test)
}

fn ttsim_file(isa: &'static Isa, instruction: &'static Instruction) -> VectorFile {
    let mut file = VectorFile::new(
        isa,
        instruction,
        Source {
            name: "tenstorrent/ttsim".to_string(),
            version: "1.10.0".to_string(),
            commit: Some("56694c8a".to_string()),
            licence: Some("Apache-2.0".to_string()),
            note: Some(Form::of(instruction).note.to_string()),
        },
    );
    let notes = [
        (
            "contested",
            "Another text about the same machine promises less for this combination of modes, or something else.",
            "Nothing by itself: who disagrees may have followed the other text.",
        ),
        (
            "recorded-one-edition",
            "The recording is reproduced in the listed edition alone.",
            "A target that follows the other edition of the page.",
        ),
    ];
    for (flag, what, detects) in notes {
        file.notes.insert(flag.to_string(), Note { what: what.to_string(), detects: detects.to_string() });
    }
    file
}

/// The words of a disagreement, for reports.
#[must_use]
pub fn describe(isa: &Isa, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Agreed => "agrees".to_string(),
        Verdict::Unsupported => "unsupported".to_string(),
        Verdict::Unpromised(expectation) => format!("the pages promise nothing ({expectation})"),
        Verdict::Diverged { differences, .. } => {
            let words = differences.iter().take(4).map(|difference| match difference {
                Difference::Word { before, expected, got, .. } | Difference::Field { before, expected, got, .. } => {
                    let place = difference.exact_place(isa.layout);
                    format!("{place}: before {before:#x}, recorded {expected:#x}, reference {got:#x}")
                }
                Difference::LooseBits { expected, got, .. } => {
                    format!("{}: recorded {expected:#x}, reference {got:#x}", difference.exact_place(isa.layout))
                }
                Difference::Answer { expected, got } => {
                    format!("recorded {}, reference {}", expected.name(), got.name())
                }
                Difference::Panic(message) => format!("panic: {message}"),
                Difference::Misbehaved(misbehaviour) => misbehaviour.to_string(),
                Difference::ArenaHash { .. } | Difference::Rerun(_) => difference.kind().name().to_string(),
            });
            let words: Vec<String> = words.collect();
            format!("{} differences: {}", differences.len(), words.join("; "))
        }
    }
}
