//! Replay: runs vectors on the reference and on targets, and compares the whole state.

mod refused;

use std::cell::Cell;
use std::collections::BTreeMap;

use tandem_isa::{
    Answer, Code, Edition, Expectation, Instruction, Isa, Layout, OpenBits, Reference, RowSet, State, Step, Target,
    TargetInfo,
};

use super::about::About;
use super::columns::{Column, Columns, Fate, NotRun};
use super::disputed::DisputedTests;
use super::error::VectorError;
use super::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use super::store::Revocation;
use crate::bench::run_before;
use crate::judge::{all_rows, guarded, row_differences, small_differences};
use crate::run::UNSTEADY;
use crate::{CaseValue, Difference, IsaSuite, Kind, NextStep, RowMap, Signature, TargetFactory, quiet_panics};

/// Who was run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The reference: whether the vector says what the pages say.
    Reference,
    /// A target: whether it does what the vector says.
    Target(TargetInfo),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Reference => f.write_str("reference"),
            Subject::Target(info) => info.fmt(f),
        }
    }
}

/// What came of one run of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every bit that the test cares for is as it says.
    Agreed,
    /// The pages promise nothing for it, and the target survived.
    Survived,
    /// The target refused it, and of a program changed no more than the steps before do. Never green.
    Unsupported,
    /// The target does not have its instruction, or that of one of its steps, and was not asked.
    NotImplemented,
    /// The reference says that the pages promise nothing, so the vector should not exist.
    Unpromised(&'static str),
    /// It differs in what is disputed of the test.
    Disputed {
        /// The dispute.
        by: &'static str,
        /// Where, in the order of the layout.
        differences: Vec<Difference>,
    },
    /// It differs.
    Diverged {
        /// Where, in the order of the layout.
        differences: Vec<Difference>,
        /// What makes it one finding with others.
        signature: Option<Signature>,
    },
}

impl Verdict {
    /// Whether nothing is wrong with what was answered.
    fn is_right(&self) -> bool {
        matches!(self, Verdict::Agreed | Verdict::Survived)
    }

    /// Whether it differs, or the pages promise nothing for it.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(self, Verdict::Unpromised(_) | Verdict::Diverged { .. })
    }

    /// Puts what names a divergence before what differs.
    fn prefix(&mut self, difference: Difference) {
        if let Verdict::Diverged { differences, .. } = self {
            differences.insert(0, difference);
        }
    }
}

/// One run of one test.
#[derive(Clone, Debug)]
pub struct Run {
    /// The test's id.
    pub id: String,
    /// Its place among the tests of the file.
    pub place: usize,
    /// The edition it was run in.
    pub edition: Edition,
    /// The test's cell in that edition.
    pub cell: Option<usize>,
    /// Who was run.
    pub subject: Subject,
    /// What came of it.
    pub verdict: Verdict,
    /// Of a program that was refused on the way: the step that shows what is wrong, from 0 on.
    pub step: Option<usize>,
}

impl Run {
    /// What was cut because the time was over, in words.
    fn cut(&self) -> Option<String> {
        let Verdict::Diverged { differences, .. } = &self.verdict else { return None };
        differences.iter().find_map(|difference| match difference {
            Difference::Misbehaved(why) if difference.kind() == Kind::Unfinished => Some(why.to_string()),
            _ => None,
        })
    }

    /// The signature of what a target did, if it has to be begun anew after it.
    fn broke(&self) -> Option<&Signature> {
        let Verdict::Diverged { differences, signature } = &self.verdict else { return None };
        let breaks = |one: &Difference| matches!(one, Difference::Misbehaved(_) | Difference::ArenaHash { .. });
        signature.as_ref().filter(|_| differences.iter().any(breaks))
    }
}

/// What came of a file.
#[derive(Clone, Debug, Default)]
pub struct ReplayResult {
    /// Every run, in the order of the file: of each test that was run in each of its editions the reference's, and one of each
    /// target.
    pub runs: Vec<Run>,
    /// What became of each test, in the order of the file.
    pub fates: Vec<Fate>,
    /// What a target did again and again, so that the rest of the file was left out.
    pub given_up: Option<Signature>,
    /// What was cut because the time was over, in words.
    pub unfinished: Option<String>,
}

/// Tests, one after the other, in which a target may fail in one way, and each time has to be begun anew, before the rest of
/// the file is left out.
const FAILURES: usize = 16;
/// The same where each costs the limit of a call.
const HANGS: usize = 3;

impl ReplayResult {
    /// Why tests were left out that nobody asked to leave out, in a sentence.
    #[must_use]
    pub fn why_left(&self) -> Option<String> {
        let cut = self.unfinished.as_ref().map(|cut| format!("{cut}: it may hang, and is no agreement"));
        let given_up = |signature: &Signature| {
            format!("given up on {signature}, which came of one test after the other: the rest of the file was not run")
        };
        cut.or_else(|| self.given_up.as_ref().map(given_up))
    }

    /// What becomes of a file whose tests nobody runs any more.
    #[must_use]
    pub fn not_reached(file: &VectorFile, revoked: &BTreeMap<String, Revocation>, only: Option<Edition>) -> Self {
        let fate = |test: &Test| {
            let id = test.id(file.isa, file.instruction);
            Fate::NotRun(left_out(test, &id, revoked, only).unwrap_or(NotRun::NotReached))
        };
        let fates = file.tests().map(|(_, test)| fate(test)).collect();
        ReplayResult { fates, ..ReplayResult::default() }
    }

    /// Runs that differ, or for which the pages promise nothing.
    pub fn failures(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.verdict.is_wrong())
    }

    /// The column of each test, in the order of the file. `is_known` says of a divergence whether it is listed.
    pub fn columns_of<'a>(&'a self, is_known: &'a dyn Fn(&Run) -> bool) -> impl Iterator<Item = (Column, &'a [Run])> {
        self.fates.iter().map(|fate| match fate {
            Fate::NotRun(why) => (Column::from(*why), &[][..]),
            Fate::Ran(range) => {
                let runs = &self.runs[range.clone()];
                (Column::of_runs(runs, is_known), runs)
            }
        })
    }

    /// How many tests stand in each column, if nothing is known.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns_of(&|_| false).map(|(column, _)| column).collect()
    }

    /// The same for each target: every test stands in one column of each.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Subject, Columns> {
        let targets = self.runs.iter().map(|run| &run.subject).filter(|subject| **subject != Subject::Reference);
        let mut counts: BTreeMap<Subject, Columns> = targets.map(|one| (one.clone(), Columns::default())).collect();
        for (subject, columns) in &mut counts {
            *columns = self
                .fates
                .iter()
                .map(|fate| match fate {
                    Fate::NotRun(why) => Column::from(*why),
                    Fate::Ran(range) => {
                        let own = self.runs[range.clone()].iter().filter(|run| run.subject == *subject);
                        Column::of_runs(&own.cloned().collect::<Vec<_>>(), &|_| false)
                    }
                })
                .collect();
        }
        counts
    }
}

/// Why a test is not run that nobody holds back, if it is not.
fn left_out(test: &Test, id: &str, revoked: &BTreeMap<String, Revocation>, only: Option<Edition>) -> Option<NotRun> {
    if revoked.contains_key(id) {
        Some(NotRun::Revoked)
    } else if only.is_some_and(|only| !test.editions.contains(&only)) {
        Some(NotRun::OtherEdition)
    } else {
        None
    }
}

/// Runs tests of one instruction set on its reference and its targets.
pub struct Replayer {
    bench: ReferenceBench,
    disputed: DisputedTests,
    targets: Vec<(TargetInfo, Box<dyn Target>)>,
    expected: Scratch,
    got: Scratch,
}

impl Replayer {
    /// A replayer with fresh instances of the suite's reference and targets.
    #[must_use]
    pub fn new(suite: &IsaSuite) -> Self {
        Self::with_targets(suite, suite.targets.iter().map(TargetFactory::make).collect())
    }

    /// A replayer with a fresh instance of the suite's reference and these targets.
    #[must_use]
    pub fn with_targets(suite: &IsaSuite, targets: Vec<Box<dyn Target>>) -> Self {
        quiet_panics();
        Replayer {
            bench: ReferenceBench::new(suite),
            disputed: DisputedTests::new(suite),
            targets: targets.into_iter().map(|target| (target.info(), target)).collect(),
            expected: Scratch::new(suite.isa),
            got: Scratch::new(suite.isa),
        }
    }

    /// Runs every test of a file that is not revoked, in each of its editions (or in `only`), on the reference and on
    /// every target that implements the instruction.
    ///
    /// # Panics
    /// If the file is of another instruction set than the suite.
    pub fn replay(
        &mut self,
        file: &VectorFile,
        revoked: &BTreeMap<String, Revocation>,
        only: Option<Edition>,
    ) -> ReplayResult {
        self.replay_while(file, revoked, only, &|| true)
    }

    /// The same, but every test is asked whether it is to be run.
    ///
    /// # Panics
    /// If the file is of another instruction set than the suite.
    pub fn replay_while(
        &mut self,
        file: &VectorFile,
        revoked: &BTreeMap<String, Revocation>,
        only: Option<Edition>,
        goes_on: &dyn Fn() -> bool,
    ) -> ReplayResult {
        let is_over = Cell::new(false);
        self.replay_asked(file, revoked, only, &|_| {
            is_over.set(is_over.get() || !goes_on());
            is_over.get().then_some(NotRun::NotReached)
        })
    }

    /// The same, but of each test it is asked by its id why it is not to be run, if it is not.
    ///
    /// # Panics
    /// If the file is of another instruction set than the suite.
    pub fn replay_asked(
        &mut self,
        file: &VectorFile,
        revoked: &BTreeMap<String, Revocation>,
        only: Option<Edition>,
        held_back: &dyn Fn(&str) -> Option<NotRun>,
    ) -> ReplayResult {
        assert_eq!(file.isa.name, self.bench.isa.name, "a file is replayed by the suite of its instruction set");
        let mut result = ReplayResult::default();
        let mut failing: BTreeMap<Signature, usize> = BTreeMap::new();
        for (place, (_, test)) in file.tests().enumerate() {
            let id = test.id(file.isa, file.instruction);
            let is_left = result.given_up.is_some() || result.unfinished.is_some();
            let not_reached = || is_left.then_some(NotRun::NotReached);
            if let Some(why) = left_out(test, &id, revoked, only).or_else(not_reached).or_else(|| held_back(&id)) {
                result.fates.push(Fate::NotRun(why));
                continue;
            }
            let first = result.runs.len();
            for &edition in test.editions.iter().filter(|&&edition| only.is_none_or(|only| only == edition)) {
                self.run_test(file, test, (&id, place), edition, &mut result.runs);
            }
            if let Some(cut) = result.runs[first..].iter().find_map(Run::cut) {
                // What would have come of it is not known.
                result.unfinished = Some(cut);
                result.runs.truncate(first);
                result.fates.push(Fate::NotRun(NotRun::NotReached));
                continue;
            }
            result.fates.push(Fate::Ran(first..result.runs.len()));
            let broke: Vec<&Signature> = result.runs[first..].iter().filter_map(Run::broke).collect();
            failing.retain(|signature, _| broke.contains(&signature));
            for signature in broke {
                let times = failing.entry(signature.clone()).or_default();
                *times += 1;
                if *times >= if signature.kind == Kind::Hang { HANGS } else { FAILURES } {
                    result.given_up = Some(signature.clone());
                }
            }
        }
        result
    }

    /// Which targets do something else than some test of these files says. None is asked again after the first such test, and
    /// the reference's own answers are not held against the files.
    ///
    /// # Panics
    /// If a file is of another instruction set than the suite.
    pub fn failing(&mut self, files: &[VectorFile]) -> Vec<bool> {
        let mut failed = vec![false; self.targets.len()];
        for file in files {
            assert_eq!(file.isa.name, self.bench.isa.name, "a file is replayed by the suite of its instruction set");
            for (_, test) in file.tests() {
                for &edition in &test.editions {
                    let ran = self.bench.run_steps(&test.steps(file.instruction), edition, &test.before);
                    for (index, failed) in failed.iter_mut().enumerate() {
                        if !*failed && self.implements_all(index, file.instruction, test) {
                            let (verdict, _) = self.run_target(file, test, (index, edition), &ran, None);
                            *failed = matches!(verdict, Verdict::Diverged { .. });
                        }
                    }
                }
            }
        }
        failed
    }

    /// The bits of words that the reference promises after a test, where it does not promise all.
    pub fn care(&mut self, instruction: &'static Instruction, test: &Test, edition: Edition) -> Sparse {
        let layout = self.bench.isa.layout;
        self.bench.run_steps(&test.steps(instruction), edition, &test.before).care(layout)
    }

    fn run_test(
        &mut self,
        file: &VectorFile,
        test: &Test,
        (id, place): (&str, usize),
        edition: Edition,
        runs: &mut Vec<Run>,
    ) {
        let instruction = file.instruction;
        let cell = test.cell(file.isa, instruction, edition);
        let mut push = |subject, (verdict, step)| {
            runs.push(Run { id: id.to_string(), place, edition, cell, subject, verdict, step });
        };
        let ran = self.bench.run_steps(&test.steps(instruction), edition, &test.before);
        let verdict = match ran.expectation.required_answer() {
            _ if test.outcome == Outcome::Survive => Verdict::Agreed,
            None => Verdict::Unpromised(ran.expectation.name()),
            Some(answer) => {
                let reference = &mut self.bench.reference;
                let got = self.got.begin(&self.bench.base, test, file.isa);
                for step in test.steps(instruction) {
                    let _ = reference.execute(&step.under(edition), got);
                }
                self.judge(file, test, "reference", answer, &ran)
            }
        };
        push(Subject::Reference, (verdict, None));
        for index in 0..self.targets.len() {
            let info = self.targets[index].0.clone();
            let finding = file.finding.as_ref().filter(|finding| finding.target == info.name);
            let came = if self.implements_all(index, instruction, test) {
                self.run_target(file, test, (index, edition), &ran, finding)
            } else {
                (Verdict::NotImplemented, None)
            };
            push(Subject::Target(info), came);
        }
    }

    /// Whether a target implements each step of a test.
    fn implements_all(&self, index: usize, instruction: &'static Instruction, test: &Test) -> bool {
        let target = &self.targets[index].1;
        target.implements(instruction) && test.then.iter().all(|step| target.implements(step.instruction))
    }

    /// Runs a test on a target: as often as a finding of that target takes, and after the cases that it needs.
    fn run_target(
        &mut self,
        file: &VectorFile,
        test: &Test,
        (index, edition): (usize, Edition),
        ran: &ReferenceRun,
        finding: Option<&About>,
    ) -> (Verdict, Option<usize>) {
        let kind = finding.map(|finding| finding.kind);
        let before = finding.into_iter().flat_map(|finding| &finding.after);
        let before: Vec<CaseValue> =
            before.map(|before| before.case_value(file.isa, file.instruction, edition)).collect();
        let times = if kind == Some(Kind::Nondeterministic) { UNSTEADY } else { 1 };
        let (mut verdict, mut step) = (Verdict::Agreed, None);
        for _ in 0..times {
            (verdict, step) = self.run_once(file, test, (index, edition), ran, &[]);
            if verdict.is_right() && !before.is_empty() {
                (verdict, step) = self.run_once(file, test, (index, edition), ran, &before);
                verdict.prefix(Difference::Rerun(Kind::OrderDependent));
            }
            if !verdict.is_right() {
                break;
            }
        }
        if kind == Some(Kind::Nondeterministic) {
            verdict.prefix(Difference::Rerun(Kind::Nondeterministic));
        }
        if let Verdict::Diverged { differences, .. } = &mut verdict
            && let Some(dispute) = self.disputed.excuse(file, test, edition, differences)
        {
            return (Verdict::Disputed { by: dispute.id, differences: std::mem::take(differences) }, step);
        }
        if let Verdict::Diverged { differences, signature } = &mut verdict {
            let (path, name) = (file.instruction.path(), &self.targets[index].0.name);
            *signature = Signature::of(&path, name, file.isa.layout, differences);
        }
        (verdict, step)
    }

    fn run_once(
        &mut self,
        file: &VectorFile,
        test: &Test,
        (index, edition): (usize, Edition),
        ran: &ReferenceRun,
        before: &[CaseValue],
    ) -> (Verdict, Option<usize>) {
        let steps = test.steps(file.instruction);
        let steps = NextStep::all_under(&steps, edition);
        let name = self.targets[index].0.name.clone();
        let diverged = |differences| Verdict::Diverged { differences, signature: None };
        match self.execute(index, (file.isa, test), &steps, before) {
            Err(differences) => (diverged(differences), None),
            // A step before the last that is held is wrong, whatever comes of the last.
            Ok((done, got @ Answer::Blocked)) if done + 1 < steps.len() => {
                (diverged(vec![Difference::Answer { expected: Answer::Done, got }]), Some(done))
            }
            Ok((done, Answer::Unsupported)) => match self.refused(index, (file.isa, test), &steps, (done, before)) {
                None => (Verdict::Unsupported, None),
                Some((step, differences)) => (diverged(differences), (steps.len() > 1).then_some(step)),
            },
            Ok(_) if test.outcome == Outcome::Survive => (Verdict::Survived, None),
            Ok((_, answer)) => (self.judge(file, test, &name, answer, ran), None),
        }
    }

    /// Runs steps on a target, after other cases; what it leaves is in `got`. How many are done, and the answer to the last that
    /// it came to.
    fn execute(
        &mut self,
        index: usize,
        (isa, test): (&Isa, &Test),
        steps: &[Step<'_>],
        before: &[CaseValue],
    ) -> Result<(usize, Answer), Vec<Difference>> {
        let target = &mut self.targets[index].1;
        let got = self.got.begin(&self.bench.base, test, isa);
        guarded(|| {
            target.reset();
            before.iter().for_each(|before| run_before(&mut **target, before));
            target.execute_all(steps, got)
        })
    }

    /// Compares `got` with what the test says. `ran` is what the reference does.
    fn judge(&mut self, file: &VectorFile, test: &Test, name: &str, answer: Answer, ran: &ReferenceRun) -> Verdict {
        let (isa, layout) = (file.isa, file.isa.layout);
        let required = match test.outcome {
            Outcome::Done | Outcome::Survive => Answer::Done,
            Outcome::Blocked => Answer::Blocked,
        };
        let differences = match answer {
            got if got != required => vec![Difference::Answer { expected: required, got }],
            _ => {
                let expected = self.expected.begin(&self.bench.base, test, isa);
                let got = &self.got.state;
                test.after.apply(isa, expected);
                forgive(isa, &test.care, expected, got);
                OpenBits::settle(&ran.open, layout, &got.arena, &mut expected.arena);
                let is_as_expected = *expected.arena == *got.arena && *expected.small == *got.small;
                let differences = || {
                    let mut before = isa.base_state();
                    test.before.apply(isa, &mut before);
                    let marked = &got.tracker.log.written;
                    let arenas: (&[u8], &[u8], &[u8]) = (&before.arena, &expected.arena, &got.arena);
                    let mut differences =
                        row_differences(layout, &all_rows(layout), (&ran.written, marked), arenas, &[]);
                    differences.extend(small_differences(layout, &before.small, &expected.small, &got.small));
                    differences
                };
                let differences = if is_as_expected { Vec::new() } else { differences() };
                self.expected.undo(&self.bench.base, test);
                if is_as_expected {
                    self.got.undo(&self.bench.base, test);
                    return Verdict::Agreed;
                }
                differences
            }
        };
        if differences.is_empty() {
            return Verdict::Agreed;
        }
        let signature = Signature::of(&file.instruction.path(), name, layout, &differences);
        Verdict::Diverged { differences, signature }
    }
}

/// Takes from `got` the bits that a test does not care for.
fn forgive(isa: &Isa, care: &Sparse, expected: &mut State, got: &State) {
    let fields = (isa.layout.fields)();
    for (&field, &mask) in &care.fields {
        let field = &fields[field];
        let value = (field.get(&expected.small) & mask) | (field.get(&got.small) & !mask);
        field.set(&mut expected.small, value);
    }
    for (&(bank, row), masks) in &care.rows {
        for (column, &mask) in masks.iter().enumerate() {
            let value = (expected.word(bank, row, column) & mask) | (got.word(bank, row, column) & !mask);
            expected.set_word(bank, row, column, value);
        }
    }
}

/// The base state, to begin from.
pub struct Base(State);

impl Base {
    /// Makes `state` the state before of a test, with an empty log.
    pub fn copy_into(&self, test: &Test, isa: &Isa, state: &mut State) {
        state.copy_from(&self.0);
        state.tracker.clear();
        test.before.apply(isa, state);
    }
}

/// A state that is the base state between tests, so that beginning with it costs what a test touches.
struct Scratch {
    state: State,
    is_base: bool,
}

impl Scratch {
    fn new(isa: &Isa) -> Self {
        Scratch { state: isa.base_state(), is_base: true }
    }

    /// It as the state before of a test, with an empty log. Whatever is done to it from here on, it is the base state again next
    /// time.
    fn begin(&mut self, base: &Base, test: &Test, isa: &Isa) -> &mut State {
        if self.is_base {
            self.state.tracker.clear();
            test.before.apply(isa, &mut self.state);
        } else {
            base.copy_into(test, isa, &mut self.state);
        }
        self.is_base = false;
        &mut self.state
    }

    /// Makes it the base state again, if rows that the test does not name are as they were there.
    fn undo(&mut self, base: &Base, test: &Test) {
        for &(bank, row) in [&test.before, &test.after, &test.care].into_iter().flat_map(|sparse| sparse.rows.keys()) {
            self.state.row_mut(bank, row).copy_from_slice(base.0.row(bank, row));
        }
        self.state.small.copy_from_slice(&base.0.small);
        self.is_base = true;
    }
}

/// What the reference did in one case.
pub struct ReferenceRun {
    /// What the pages promise.
    pub expectation: Expectation,
    /// What changed.
    pub after: Sparse,
    /// Rows that it read.
    pub(super) read: RowSet,
    /// Rows that it wrote.
    pub(super) written: RowSet,
    /// What it left open.
    open: Vec<OpenBits>,
}

impl ReferenceRun {
    /// The masks of words of which not all bits are promised.
    pub(super) fn care(&self, layout: &Layout) -> Sparse {
        let mut care = Sparse::default();
        for open in &self.open {
            let (bank, row) = layout.locate(open.row_id);
            let spec = &layout.banks[bank];
            let masks = care.rows.entry((bank, row)).or_insert_with(|| vec![spec.word_mask(); spec.columns()]);
            masks[open.column] &= !open.mask;
        }
        care
    }

    /// The outcome that a vector may promise, or nothing.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.expectation {
            Expectation::Done => Some(Outcome::Done),
            Expectation::Blocked(_) => Some(Outcome::Blocked),
            Expectation::NonContractual(_)
            | Expectation::Illegal(_)
            | Expectation::Undefined(_)
            | Expectation::Unsupported(_)
            | Expectation::Unspecified(_) => None,
        }
    }
}

/// Runs the reference on sparse states; a run costs what it touches.
pub struct ReferenceBench {
    pub(super) isa: &'static Isa,
    pub(super) reference: Box<dyn Reference>,
    /// What every test stands on.
    pub base: Base,
    state: State,
    map: RowMap,
}

impl ReferenceBench {
    /// The reference of an instruction set.
    #[must_use]
    pub fn new(suite: &IsaSuite) -> Self {
        ReferenceBench {
            isa: suite.isa,
            reference: (suite.reference)(),
            base: Base(suite.isa.base_state()),
            state: suite.isa.base_state(),
            map: RowMap::new(suite.isa.layout),
        }
    }

    /// Runs one instruction.
    pub fn run(
        &mut self,
        instruction: &'static Instruction,
        edition: Edition,
        code: &[u32],
        before: &Sparse,
    ) -> ReferenceRun {
        self.run_steps(&[NextStep { instruction, code: Code::new(code) }], edition, before)
    }

    /// Runs steps one after the other, until one is not done.
    pub(super) fn run_steps(&mut self, steps: &[NextStep], edition: Edition, before: &Sparse) -> ReferenceRun {
        let layout = self.isa.layout;
        before.apply(self.isa, &mut self.state);
        let small = self.state.small.clone();
        let mut expectation = Expectation::Done;
        for step in steps {
            expectation = self.reference.execute_behind(&step.under(edition), &mut self.state);
            if expectation.required_answer() != Some(Answer::Done) {
                break;
            }
        }
        let (log, open) = (self.state.tracker.log.clone(), self.state.tracker.open.clone());
        self.state.tracker.clear();
        let mut after = Sparse::default();
        if *small != *self.state.small {
            for (index, field) in (layout.fields)().iter().enumerate() {
                after.put_field(index, field.get(&self.state.small), field.get(&small));
            }
        }
        let mut touched = log.written.clone();
        log.written.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            let spec = &layout.banks[bank];
            let words = spec.words_of(self.state.row(bank, row));
            let same = match before.rows.get(&(bank, row)) {
                Some(before) => *before == words,
                None => spec.is_base(row, &words),
            };
            if !same {
                after.rows.insert((bank, row), words);
            }
        });
        for &(bank, row) in before.rows.keys() {
            touched.insert(layout.banks[bank].first_row + row);
        }
        self.map.copy([&touched], &self.base.0.arena, &mut self.state.arena);
        self.state.small.copy_from_slice(&self.base.0.small);
        ReferenceRun { expectation, after, read: log.read, written: log.written, open }
    }
}

/// A finding's case as a file with one test: outcome and state after are the reference's. `flag` says why it is kept, and
/// `finding` what it is about: without it the file holds an ordinary vector.
///
/// # Errors
/// [`VectorError::Unpromised`] if the pages promise nothing for the case and it is to be an ordinary vector, or if it lies
/// in no cell.
pub fn finding_file(
    suite: &IsaSuite,
    value: &CaseValue,
    source: Source,
    (flag, note): (&str, Note),
    finding: Option<About>,
) -> Result<VectorFile, VectorError> {
    let before = Test::sparse_of(value);
    let mut ran = ReferenceBench::new(suite).run_steps(&value.steps(), value.edition, &before);
    let expectation = ran.expectation.name();
    let unpromised = || VectorError::Unpromised { file: format!("{} ({flag})", value.instruction.path()), expectation };
    let outcome = match (ran.expectation.required_answer(), &finding) {
        (Some(Answer::Done), Some(_)) => Outcome::Done,
        (None, Some(_)) => Outcome::Survive,
        _ => ran.outcome().ok_or_else(unpromised)?,
    };
    if outcome == Outcome::Survive {
        ran.after = Sparse::default();
    }
    let mut file = VectorFile::new(value.isa, value.instruction, source);
    file.finding = finding;
    file.notes.insert(flag.to_string(), note);
    let added = file.add(Test {
        editions: vec![value.edition],
        code: value.code,
        then: value.then.clone(),
        flags: vec![flag.to_string()],
        before,
        outcome,
        recorded: None,
        after: ran.after.clone(),
        care: ran.care(value.isa.layout),
    });
    if added { Ok(file) } else { Err(unpromised()) }
}
