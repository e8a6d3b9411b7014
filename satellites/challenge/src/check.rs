//! What speaks against a record, beyond what was changed since it was made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tandem_harness::Suite;
use tandem_harness::vectors::{RecordedAnswer, ReferenceBench, Sparse, VectorError};
use tandem_isa::{Answer, Edition, Isa};

use super::ask::{AskedTest, Challenge};
use super::record::{Answers, Record, Runs};
use super::{RECORD_FILE, refuse, refuse_line};

/// A machine has answers of its own to at least one in so many tests for which the pages promise nothing.
const OWN: usize = 4;

tandem_isa::worded! {
    /// What kind of thing speaks against a record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FlagKind {
        /// A test that is asked twice in a run has two answers.
        Unsteady "unsteady",
        /// A test has one answer in the first run and another in the second.
        RunsDiffer "runs-differ",
        /// Lines say something else of the machine than the record does.
        FactsDiffer "facts-differ",
        /// Where the pages promise nothing, answers are those of our reference, or nothing happens.
        NotItsOwn "not-its-own",
        /// Another record, of another board or operator, has the same bytes.
        Replayed "replayed",
        /// It is to be signed, and is not.
        Unsigned "unsigned",
    }
    /// The word in files.
    fn name;
}

/// Something that speaks against a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its kind.
    pub kind: FlagKind,
    /// What was seen.
    pub message: String,
}

/// What was answered where the pages promise nothing, of instructions that the machine does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Different tests.
    pub asked: usize,
    /// Answered with exactly what the reference has done when it stops.
    pub like_reference: usize,
    /// Answered with nothing: not supported, held, or nothing changed.
    pub silent: usize,
}

impl Places {
    /// How many have an answer of the machine's own.
    #[must_use]
    pub fn own(&self) -> usize {
        self.asked - self.like_reference - self.silent
    }

    fn flag(&self) -> Option<Flag> {
        let Places { asked, like_reference, silent } = *self;
        let message = format!(
            "of {asked} tests for which the pages promise nothing, {like_reference} have exactly what our reference has done \
             when it stops, and of {silent} it is said that nothing happens: as if the answers were put together from the \
             reference"
        );
        (self.own() * OWN < asked).then_some(Flag { kind: FlagKind::NotItsOwn, message })
    }
}

/// A test with its answers.
#[derive(Clone, Debug)]
pub(super) struct Tested {
    pub(super) question: Value,
    pub(super) isa: &'static Isa,
    /// What the pages promise, if they promise anything.
    pub(super) promised: Option<RecordedAnswer>,
    /// The different answers, the first one first.
    pub(super) answers: Vec<RecordedAnswer>,
}

/// A record that is what was recorded.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What speaks against it.
    pub flags: Vec<Flag>,
    /// What was answered where the pages promise nothing.
    pub places: Places,
    /// The different tests by content.
    pub(super) tests: BTreeMap<String, Tested>,
}

impl Checked {
    /// Number of different tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}

/// Holds a record against its challenge.
///
/// # Errors
/// That it does not answer this challenge: the first line that does not, and what to do.
pub fn check(suite: &Suite, challenge: &Challenge, record: &Record, runs: &Runs) -> Result<Checked, VectorError> {
    if record.challenge != challenge.digest {
        let message = format!("it answers the challenge {}, not {}", record.challenge, challenge.digest);
        return Err(refuse(RECORD_FILE, "/challenge", message));
    }
    let read = |number: usize| Answers::read(&runs[number].0, &runs[number].1, &challenge.runs[number]);
    let answers = [read(0)?, read(1)?];
    if answers.iter().flat_map(|run| &run.answered).all(|one| one.answer == Answer::Unsupported) {
        let message = "it is unsupported, like every other test; record what the machine does";
        return Err(refuse_line(&runs[0].0, 1, message));
    }
    let mut given: BTreeMap<&str, AnswerLines<'_>> = BTreeMap::new();
    for (run, (asked, answers)) in challenge.runs.iter().zip(&answers).enumerate() {
        for (number, (asked, answered)) in asked.iter().zip(&answers.answered).enumerate() {
            let given = given.entry(&asked.content).or_insert_with(|| AnswerLines { asked, runs: Default::default() });
            given.runs[run].push((number + 1, answered));
        }
    }
    let given: Vec<AnswerLines<'_>> = given.into_values().collect();
    let mut flags: Vec<Flag> = [unsteady(&given), runs_differ(&given)].into_iter().flatten().collect();
    let differing =
        answers.iter().zip(runs).find_map(|(run, (name, _))| Some((name, run.differing_fact(&record.facts)?)));
    flags
        .extend(differing.map(|(name, what)| Flag { kind: FlagKind::FactsDiffer, message: format!("{name}: {what}") }));
    let (tests, places) = tested(suite, &given);
    flags.extend(places.flag());
    Ok(Checked { flags, places, tests })
}

/// What was answered to one test: line and answer in each run.
struct AnswerLines<'a> {
    asked: &'a AskedTest,
    runs: [Vec<(usize, &'a RecordedAnswer)>; 2],
}

impl<'a> AnswerLines<'a> {
    /// Two lines of one run that differ: the number of the run, from 1, and the lines.
    fn within(&self) -> Option<(usize, usize, usize)> {
        self.runs.iter().enumerate().find_map(|(run, lines)| {
            let (first, answer) = *lines.first()?;
            let (other, _) = lines.iter().find(|(_, other)| *other != answer)?;
            Some((run + 1, first, *other))
        })
    }

    /// The lines of the first and the second run that differ, if each run is of one mind.
    fn between(&self) -> Option<(usize, usize)> {
        let [(first, answer), (second, other)] = [*self.runs[0].first()?, *self.runs[1].first()?];
        (self.within().is_none() && answer != other).then_some((first, second))
    }

    fn answers(&self) -> Vec<&'a RecordedAnswer> {
        let mut different: Vec<&RecordedAnswer> = Vec::new();
        for (_, answered) in self.runs.iter().flatten() {
            if !different.contains(answered) {
                different.push(answered);
            }
        }
        different
    }
}

fn unsteady(given: &[AnswerLines<'_>]) -> Option<Flag> {
    let repeated = given.iter().filter(|given| given.runs[0].len() > 1).count();
    let differing: Vec<_> = given.iter().filter_map(AnswerLines::within).collect();
    let (run, first, other) = *differing.first()?;
    let message = format!(
        "{} of {repeated} tests that are asked twice in a run have two answers there, first in lines {first} and {other} of run \
         {run}: the machine is not steady, or answers of two were merged",
        differing.len()
    );
    Some(Flag { kind: FlagKind::Unsteady, message })
}

fn runs_differ(given: &[AnswerLines<'_>]) -> Option<Flag> {
    let differing: Vec<_> = given.iter().filter_map(AnswerLines::between).collect();
    let (first, second) = *differing.first()?;
    let message = format!(
        "{} of {} tests have one answer in run 1 and another in run 2, first in lines {first} and {second}: the runs are of two \
         machines, an answer depends on what ran before, or answers were put at the wrong tests",
        differing.len(),
        given.len()
    );
    Some(Flag { kind: FlagKind::RunsDiffer, message })
}

/// Every test with what the pages promise, and how the answers fare where they promise nothing.
fn tested(suite: &Suite, given: &[AnswerLines<'_>]) -> (BTreeMap<String, Tested>, Places) {
    let supported = given.iter().filter(|given| given.answers().iter().any(|one| one.answer != Answer::Unsupported));
    let does: BTreeSet<String> = supported.map(|given| given.asked.instruction.path()).collect();
    let (mut tests, mut places) = (BTreeMap::new(), Places::default());
    let mut benches: BTreeMap<&str, ReferenceBench> =
        suite.isas.iter().map(|isa| (isa.isa.name, ReferenceBench::new(isa))).collect();
    for given in given {
        let AskedTest { content, isa, instruction, question, test, .. } = given.asked;
        let Some(bench) = benches.get_mut(isa.name) else { continue };
        let ran = bench.run(instruction, Edition::Newest, &test.code, &test.before);
        let promised = ran.expectation.required_answer();
        if promised.is_none() && does.contains(&instruction.path()) {
            places.add(&given.answers(), &ran.after);
        }
        let promised = promised.map(|answer| RecordedAnswer { answer, after: ran.after, done: None });
        let answers = given.answers().into_iter().cloned().collect();
        tests.insert(content.clone(), Tested { question: question.clone(), isa, promised, answers });
    }
    (tests, places)
}

impl Places {
    /// Adds a test, by its answers and what the reference has done.
    fn add(&mut self, answers: &[&RecordedAnswer], reference: &Sparse) {
        self.asked += 1;
        if answers.iter().all(|one| one.answer == Answer::Done && one.after == *reference) {
            self.like_reference += 1;
        } else if answers.iter().all(|one| one.answer != Answer::Done || one.after.is_empty()) {
            self.silent += 1;
        }
    }
}
