//! Order: after which cases one goes wrong that is right alone, and what a target kept from them.

use std::sync::Arc;

use tandem_isa::{
    AlignedBytes, Answer, Edition, Expectation, Facts, Instruction, RowSet, State, Step, Target, TargetInfo, mix64,
};

use crate::judge::guarded;
use crate::run::{Located, cases_before, minimize_first};
use crate::{
    CaseId, CaseSource, CaseValue, Difference, FailingCase, Finding, IsaSuite, Kind, MinimizeLimits, Minimized,
    Minimizer, RowMap, Signature, TargetFactory, Workbench,
};

/// Cases before one among which those are looked for that it goes wrong after.
const HISTORY: u64 = 4096;

/// What a case shows that differs from the reference in a campaign, and not alone: after which cases it does, as few and small
/// as they become. Nothing if that is not found.
#[must_use]
pub fn find_in_order(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    source: &CaseSource,
    seen: &FailingCase,
    is_over: &dyn Fn() -> bool,
) -> Option<Finding> {
    let factory = suite.targets.first()?;
    let generator = source.generator(suite.isa, (instruction, edition));
    let number = seen.cases - 1;
    let history: Vec<CaseId> = (number.saturating_sub(HISTORY)..number).map(|number| generator.id(number)).collect();
    let mut bench = Workbench::new(generator, &suite.with_targets(vec![factory.clone()]));
    let mut sighting = seen.sighting(factory);
    sighting.after = cases_before(&mut bench, 0, &history, &seen.id)?;
    sighting.differences.insert(0, Difference::Rerun(Kind::OrderDependent));
    let signature = Signature::of(&instruction.path(), &factory.info.name, suite.isa.layout, &sighting.differences)?;
    let mut finding = Finding::new(signature, sighting);
    (finding.cases_to_find, finding.datums_to_find) = (seen.cases, seen.datums);
    let at = Located { suite, factory, held: source.held.clone() };
    minimize_first(&at, &mut finding, MinimizeLimits::default(), &|_| true, is_over);
    Some(finding)
}

/// Cases that something may be kept from.
const MOST_EARLIER: usize = 8;

/// Runs of cases that may come before another one, …
const RUNS: usize = 6;
/// … cases that are drawn at most to find them, …
const DRAWN: u64 = 2_000;
/// … and of those that the target answers so many that may come after them, and so many that may be among them.
const LASTS: usize = 8;
const TRIED: usize = 48;

/// Cases after which others go wrong: several runs of them, of which each case has the one that its content chooses.
pub(super) struct Earlier {
    /// One at least, and in each one case at least.
    runs: Vec<Vec<Before>>,
}

/// A case that runs before another one, and what the pages make of it.
struct Before {
    value: CaseValue,
    /// The small state, and the banks, before and after.
    small: [AlignedBytes; 2],
    arena: [AlignedBytes; 2],
    /// The rows that it touches.
    rows: RowSet,
}

impl Before {
    fn of(suite: &IsaSuite, value: CaseValue) -> Self {
        let (before, mut after) = (value.state(), value.state());
        let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
        let _: Expectation = (suite.reference)().execute(&step, &mut after);
        let log = &after.tracker.log;
        let mut rows = value.rows();
        rows.union(&log.read);
        rows.union(&log.written);
        Before { value, small: [before.small, after.small], arena: [before.arena, after.arena], rows }
    }
}

impl Earlier {
    /// The cases of a finding that runs after others, and the same with one of them drawn anew, so that some case goes wrong
    /// after them as well. Nothing if it runs after none.
    pub(super) fn of(
        suite: &IsaSuite,
        factory: &TargetFactory,
        smallest: &Minimized,
        source: &CaseSource,
    ) -> Option<Self> {
        let Minimized { value, after, .. } = smallest;
        // What comes after so many cases comes by their number, and is nothing that one of them left.
        if after.is_empty() || after.len() > MOST_EARLIER {
            return None;
        }
        let (instruction, edition) = (value.instruction, value.edition);
        let anew = source.anew(suite.isa, mix64(source.seed) >> 20);
        let generator = anew.generator(suite.isa, (instruction, edition));
        let mut target = factory.make();
        let mut is_answered = |value: &CaseValue| {
            let step = Step { instruction, edition, code: &value.code };
            let answer = guarded(|| {
                target.reset();
                target.execute(&step, &mut value.state())
            });
            answer.is_ok_and(|answer| answer == Answer::Done)
        };
        let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
        let drawn = (0..DRAWN).map(|number| bench.take_value(&bench.generator.id(number), &mut |_| false));
        let mut drawn = drawn.filter(|value| is_answered(value));
        let lasts: Vec<CaseValue> = std::iter::once(value.clone()).chain(drawn.by_ref().take(LASTS)).collect();
        let mut minimizer = Minimizer::new(suite, factory);
        let mut goes_wrong = |run: &[CaseValue], last: &CaseValue| {
            minimizer.after = run.to_vec();
            let differences = minimizer.run(last).unwrap_or_default();
            differences.first().is_some_and(|first| first.kind() == Kind::OrderDependent)
        };
        let mut runs = vec![after.clone()];
        for (number, other) in drawn.take(TRIED).enumerate() {
            if runs.len() == RUNS {
                break;
            }
            let mut run = after.clone();
            run[number % after.len()] = other;
            if lasts.iter().any(|last| goes_wrong(&run, last)) {
                runs.push(run);
            }
        }
        let run = |run: Vec<CaseValue>| run.into_iter().map(|value| Before::of(suite, value)).collect();
        Some(Earlier { runs: runs.into_iter().map(run).collect() })
    }

    fn run_of(&self, step: &Step<'_>, small: &[u8]) -> &[Before] {
        let content = step.code.iter().map(|&word| u64::from(word)).chain(small.iter().map(|&byte| u64::from(byte)));
        let hash =
            content.fold(0x6f72_6465, |hash, part| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23));
        &self.runs[(mix64(hash) % self.runs.len() as u64) as usize]
    }

    /// Everything of the earlier cases that a target may have kept.
    pub(super) fn residues(&self) -> Vec<Residue> {
        let mut all = Vec::new();
        for back in 1..=self.runs[0].len() {
            let befores = || self.runs.iter().map(|run| &run[run.len() - back]);
            let first = &self.runs[0][self.runs[0].len() - back];
            let layout = first.value.isa.layout;
            all.extend(
                (0..first.value.instruction.code_fields.len()).map(|field| Residue { back, what: What::Code(field) }),
            );
            for (index, field) in (layout.fields)().iter().enumerate() {
                all.push(Residue { back, what: What::Field(index, false) });
                if befores().any(|before| field.get(&before.small[0]) != field.get(&before.small[1])) {
                    all.push(Residue { back, what: What::Field(index, true) });
                }
            }
            for (bank, spec) in layout.banks.iter().enumerate() {
                let rows = spec.first_row..spec.first_row + spec.rows();
                if befores().any(|before| rows.clone().any(|row| before.rows.contains(row))) {
                    all.extend([false, true].map(|after| Residue { back, what: What::Rows(bank, after) }));
                }
            }
        }
        all
    }
}

/// Something of an earlier case that a target uses in a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Residue {
    /// How many cases, or steps, before.
    pub(super) back: usize,
    pub(super) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A field of the code.
    Code(usize),
    /// A field of the small state, as it was before the case or after it.
    Field(usize, bool),
    /// The rows of a bank that the case touches, as they were before the case or after it.
    Rows(usize, bool),
    /// All fields of the small state that the step changes, which become again what they were before it unless this one changes them.
    Undone,
    /// All that the step does, which is done only behind the other one.
    Late,
}

impl Residue {
    /// Whether it is all that a step does.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.what, What::Undone | What::Late)
    }

    /// What it is called in cases of this instruction.
    pub(super) fn name(&self, value: &CaseValue) -> String {
        let (what, after) = self.parts(value);
        let kept = match self.what {
            What::Code(_) | What::Field(..) | What::Rows(..) => "kept",
            What::Undone => "undone",
            What::Late => "late",
        };
        format!("{kept}:{what}:{}{}", if after { "after" } else { "before" }, self.back)
    }

    /// It in words, as a sentence that goes on after "behaves as if"; it is of a case or a step.
    pub(super) fn says(&self, value: &CaseValue, of: &str) -> String {
        let (what, after) = self.parts(value);
        let of = if self.back == 1 { format!("the {of} before") } else { format!("the {of} {} before", self.back) };
        match (self.what, after) {
            (What::Code(_), _) => format!("`{what}` of the instruction were that of {of}"),
            (What::Field(..), false) => format!("`{what}` stood as it did for {of}"),
            (What::Field(..), true) => format!("`{what}` stood as {of} left it"),
            (What::Rows(..), false) => {
                format!("the rows of `{what}` that {of} touched still held what they held for it")
            }
            (What::Rows(..), true) => format!("the rows of `{what}` that {of} touched still held what it left there"),
            (What::Undone, _) => format!("what {of} does were undone"),
            (What::Late, _) => format!("what {of} does were done only behind this one"),
        }
    }

    fn parts(&self, value: &CaseValue) -> (String, bool) {
        let layout = value.isa.layout;
        match self.what {
            What::Code(field) => (value.instruction.code_fields[field].name.to_string(), false),
            What::Field(index, after) => ((layout.fields)()[index].name.clone(), after),
            What::Undone | What::Late => ("step".to_string(), false),
            What::Rows(bank, after) => (layout.banks[bank].name.to_string(), after),
        }
    }
}

/// A target each of whose cases runs after others, on an instance that keeps nothing from before them. What depended on order
/// depends on the case alone.
pub(super) struct Preceded {
    target: Box<dyn Target>,
    earlier: Arc<Earlier>,
    /// Where the cases before run.
    own: State,
    map: RowMap,
}

impl Preceded {
    /// A factory of such targets.
    pub(super) fn factory(factory: &TargetFactory, earlier: &Arc<Earlier>) -> TargetFactory {
        let (factory, earlier) = (factory.clone(), Arc::clone(earlier));
        TargetFactory::new(move || Box::new(Preceded::new(factory.make(), Arc::clone(&earlier))))
    }

    /// `target`, after these cases.
    fn new(target: Box<dyn Target>, earlier: Arc<Earlier>) -> Self {
        let own = earlier.runs[0][0].value.state();
        Preceded { target, earlier, map: RowMap::new(own.layout), own }
    }
}

/// Where something may be kept: it makes targets that do.
pub(super) trait Ground {
    /// `target`, which has this otherwise than the pages say; and whether it keeps what it comes to.
    fn make(&self, target: Box<dyn Target>, residues: Vec<Residue>, keeps: bool) -> Box<dyn Target>;

    /// Has done what comes before a step.
    fn prepare(&self, _state: &mut State) {}

    /// What comes before, as a noun.
    fn noun(&self) -> &'static str;
}

impl Ground for Arc<Earlier> {
    fn make(&self, mut target: Box<dyn Target>, residues: Vec<Residue>, keeps: bool) -> Box<dyn Target> {
        if !residues.is_empty() {
            target = Box::new(Keeping { target, earlier: Arc::clone(self), residues });
        }
        if keeps { Box::new(Preceded::new(target, Arc::clone(self))) } else { target }
    }

    fn noun(&self) -> &'static str {
        "case"
    }
}

impl Target for Preceded {
    fn info(&self) -> TargetInfo {
        self.target.info()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.target.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.target.reset();
        let own = &mut self.own;
        for before in self.earlier.run_of(step, &state.small) {
            // Beside the rows that it touches everything is as for the case itself, which costs a border least.
            own.arena.copy_from_slice(&state.arena);
            self.map.copy([&before.rows], &before.arena[0], &mut own.arena);
            own.small.copy_from_slice(&before.small[0]);
            let CaseValue { instruction, edition, code, .. } = &before.value;
            let _ = self.target.execute(&Step { instruction, edition: *edition, code }, own);
            own.tracker.clear();
        }
        self.target.execute(step, state)
    }
}

/// A target that uses what earlier cases had in the place of what its case has.
struct Keeping {
    target: Box<dyn Target>,
    earlier: Arc<Earlier>,
    residues: Vec<Residue>,
}

impl Target for Keeping {
    fn info(&self) -> TargetInfo {
        self.target.info()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.target.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let run = self.earlier.run_of(step, &state.small);
        let layout = state.layout;
        let fields = (layout.fields)();
        let mut words = step.code.to_vec();
        // What the case had, and what stands there now.
        let (mut own_fields, mut own_rows) = (Vec::new(), Vec::new());
        for residue in &self.residues {
            let before = &run[run.len() - residue.back];
            match residue.what {
                What::Code(field) => {
                    let field = &before.value.instruction.code_fields[field];
                    field.set(&mut words, field.get(&before.value.code));
                }
                What::Field(index, after) => {
                    let (field, old) = (&fields[index], &before.small[usize::from(after)]);
                    own_fields.push((field, field.get(&state.small), field.get(old)));
                    field.set(&mut state.small, field.get(old));
                }
                // Only steps of one program are undone, or come late.
                What::Undone | What::Late => {}
                What::Rows(bank, after) => {
                    let (spec, old) = (&layout.banks[bank], &before.arena[usize::from(after)]);
                    for row in (0..spec.rows()).filter(|row| before.rows.contains(spec.first_row + row)) {
                        let range = spec.row_range(row);
                        own_rows.push((spec.first_row + row, range.clone(), state.arena[range.clone()].to_vec()));
                        state.arena[range.clone()].copy_from_slice(&old[range]);
                    }
                }
            }
        }
        let answer = self.target.execute(&Step { code: &words, ..*step }, state);
        // What it did not write is as it was.
        for (field, own, old) in own_fields.into_iter().rev() {
            if field.get(&state.small) == old {
                field.set(&mut state.small, own);
            }
        }
        for (row, range, own) in own_rows.into_iter().rev() {
            if !state.tracker.log.written.contains(row) {
                state.arena[range].copy_from_slice(&own);
            }
        }
        answer
    }

    fn reset(&mut self) {
        self.target.reset();
    }
}
