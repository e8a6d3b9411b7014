//! Comparison of a recording with the reference: which of its tests hold, and in which editions.

use std::collections::{BTreeMap, BTreeSet};

use tandem_harness::vectors::{DisputedTests, Outcome, Replayer, Test, VectorFile, Verdict};
use tandem_harness::{Difference, IsaSuite};
use tandem_isa::{Edition, Isa};

use super::witness::Witness;
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
    /// Every executed or stalled line that agrees with the reference in at least one edition, where its agreement counts.
    pub file: VectorFile,
    /// Whose recording it was.
    pub(super) witness: &'static Witness,
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
        let Recording { file: name, witness, isa, instruction, tests, unlisted, account } = self;
        if tests.is_empty() {
            return Err(ImportError::Empty { file: name });
        }
        let mut imported = Imported {
            file: witness.file(isa, instruction),
            witness,
            account,
            agreed: BTreeMap::new(),
            unpromised: BTreeMap::new(),
            disagreements: Vec::new(),
        };
        // Without targets: only the reference is asked.
        let mut replayer = Replayer::new(&suite.with_targets(Vec::new()));
        let mut ids = BTreeSet::new();
        let mut explanations = BTreeSet::new();
        for ((line, test), unlisted) in tests.into_iter().zip(unlisted) {
            let placed = place(&mut replayer, &mut imported, line, test.clone());
            let placed = placed.map_err(|reason| match reason {
                LeftOut::Disagrees => {
                    explained(&mut replayer, &mut imported, line, &test, &unlisted, &mut explanations)
                        .unwrap_or(LeftOut::Disagrees)
                }
                other => other,
            });
            match placed {
                Ok(_) if imported.account.compared.contains(&line) => {}
                Ok(test) if ids.insert(test.id(isa, instruction)) => {
                    imported.file.add(test);
                }
                Ok(_) => imported.account.leave_out(line, LeftOut::Twice),
                Err(reason) => imported.account.leave_out(line, reason),
            }
        }
        DisputedTests::new(&suite.clone().with_disputes()).mark(&mut imported.file);
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
                verdict @ (Verdict::Survived
                | Verdict::Unsupported
                | Verdict::NotImplemented
                | Verdict::Disputed { .. }
                | Verdict::Diverged { .. }) => {
                    imported.disagreements.push(Disagreement { line, edition, test: test.clone(), verdict });
                    reason = Some(LeftOut::Disagrees);
                }
            }
        }
    }
    if holds.is_empty() {
        return Err(reason.unwrap_or(LeftOut::Disagrees));
    }
    if let Some(reason) = (imported.witness.no_witness)(isa, &test) {
        return Err(LeftOut::NoWitness(reason));
    }
    if test.care.is_empty() {
        test.care = replayer.care(instruction, &test, holds[0]);
    }
    if holds.len() == instruction.editions().len() {
        holds = Edition::ALL.to_vec();
    } else {
        test.flags.push("recorded-one-edition".to_string());
        test.flags.sort();
    }
    test.editions = holds;
    Ok(test)
}

/// The most values of a field that are tried, but for its ends.
const TRIED: u32 = 16;

/// Of a line that the reference does not reproduce: whether it does with another value of one field that the line does not
/// list. Then the line is no disagreement.
///
/// `explanations` are the fields and values that explained earlier lines, which are tried first.
fn explained(
    replayer: &mut Replayer,
    imported: &mut Imported,
    line: usize,
    test: &Test,
    unlisted: &[usize],
    explanations: &mut BTreeSet<(usize, u32)>,
) -> Option<LeftOut> {
    let (isa, instruction) = (imported.file.isa, imported.file.instruction);
    let mut single = VectorFile::new(isa, instruction, imported.file.source.clone());
    let fields = (isa.layout.fields)();
    let agrees = |&(field, value): &(usize, u32)| {
        let mut test = test.clone();
        test.before.put_field(field, value, fields[field].base);
        instruction.editions().iter().any(|&edition| {
            single.groups.clear();
            test.editions = vec![edition];
            let runs = if single.add(test.clone()) {
                replayer.replay(&single, &BTreeMap::new(), None).runs
            } else {
                Vec::new()
            };
            !runs.is_empty() && runs.iter().all(|run| matches!(run.verdict, Verdict::Agreed))
        })
    };
    let earlier = explanations.iter().copied().filter(|(field, _)| unlisted.contains(field));
    let others = unlisted.iter().flat_map(|&field| {
        let max = fields[field].max;
        let ends = (max >= TRIED).then_some(max);
        (0..=max.min(TRIED - 1))
            .chain(ends)
            .filter(move |&value| value != fields[field].base)
            .map(move |value| (field, value))
    });
    let found = earlier.chain(others).find(agrees)?;
    explanations.insert(found);
    imported.disagreements.retain(|one| one.line != line);
    let name = &fields[found.0].name;
    let field = name.split_once('.').map_or(name.as_str(), |(_, key)| key).to_string();
    Some(LeftOut::Unlisted { field })
}

/// The words of a disagreement, for reports.
#[must_use]
pub fn describe(isa: &Isa, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Agreed => "agrees".to_string(),
        Verdict::Survived => "survives".to_string(),
        Verdict::Unsupported => "unsupported".to_string(),
        Verdict::NotImplemented => "not implemented".to_string(),
        Verdict::Disputed { by, .. } => format!("differs in what is disputed ({by})"),
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
                Difference::ArenaHash { .. }
                | Difference::StrayRows(_)
                | Difference::Refused(_)
                | Difference::Rerun(_)
                | Difference::KeptThroughReset => difference.kind().name().to_string(),
            });
            let words: Vec<String> = words.collect();
            format!("{} differences: {}", differences.len(), words.join("; "))
        }
    }
}
