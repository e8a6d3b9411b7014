//! Why a target goes wrong in the last step of a program only: what the steps before left, and it does not have.
//!
//! The steps before stay as they are. The last one is drawn anew, together with the state in which the first begins: each case is a
//! program, of which the pages say everything, and which the target executes as a whole.

use std::collections::BTreeSet;
use std::sync::Arc;

use tandem_isa::{
    Answer, Edition, Expectation, Facts, FieldRole, Instruction, Reference, State, Step, Target, TargetInfo,
};

use super::dictionary::Dictionary;
use super::in_order::{AfterOthers, LIMITS};
use super::order::{Ground, Residue, What};
use crate::judge::guarded;
use crate::run::Explanation;
use crate::{CaseOutcome, CaseSource, CaseValue, IsaSuite, NextStep, TargetFactory, Workbench, diagnose};

/// States in which programs begin that are looked at.
const DRAWN: u64 = 64;
/// Other instructions that are asked, and cases of each.
const OTHERS: usize = 24;
const OF_EACH: u64 = 200;

/// The steps of a program before the last.
struct Prefix {
    steps: Vec<NextStep>,
    edition: Edition,
}

impl Prefix {
    /// Executes them, and tells `look` of each in which state it begins, with its place. What is not done ends it.
    fn run(
        &self,
        reference: &mut dyn Reference,
        state: &mut State,
        look: &mut dyn FnMut(usize, &Step<'_>, &State),
    ) -> Expectation {
        for (place, step) in NextStep::all_under(&self.steps, self.edition).iter().enumerate() {
            look(place, step, state);
            let came = reference.execute_behind(step, state);
            if came != Expectation::Done {
                return came;
            }
        }
        Expectation::Done
    }
}

/// A reference, or a target, that executes a step behind others.
struct Behind<T> {
    inner: T,
    prefix: Arc<Prefix>,
}

impl Reference for Behind<Box<dyn Reference>> {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        match self.prefix.run(&mut *self.inner, state, &mut |_, _, _| {}) {
            Expectation::Done => self.inner.execute_behind(step, state),
            other => other,
        }
    }
}

impl Target for Behind<Box<dyn Target>> {
    fn info(&self) -> TargetInfo {
        self.inner.info()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.inner.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.inner.reset();
        let mut steps = NextStep::all_under(&self.prefix.steps, self.prefix.edition);
        steps.push(*step);
        self.inner.execute_all(&steps, state).1
    }
}

/// What the pages say of the steps before, and a target behind them that has something of what they left otherwise.
struct Recalling {
    reference: Box<dyn Reference>,
    prefix: Arc<Prefix>,
    target: Box<dyn Target>,
    residues: Vec<Residue>,
    /// Whether the target keeps what it comes to. It comes to it where one of the steps before begins: by that step if that is of the
    /// same instruction, else as if the last one were in its place.
    keeps: bool,
    /// The state in which a step before begins.
    own: State,
}

impl Target for Recalling {
    fn info(&self) -> TargetInfo {
        self.target.info()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.target.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let Recalling { reference, prefix, target, residues, keeps, own } = self;
        target.reset();
        let (layout, mut smalls) = (state.layout, Vec::new());
        let mut code = step.code.to_vec();
        let late = residues.iter().find(|residue| residue.what == What::Late);
        let behind = late.map(|residue| prefix.steps.len() - residue.back);
        let came = prefix.run(&mut **reference, state, &mut |place, before, state| {
            smalls.push(state.small.clone());
            if *keeps || behind == Some(place) {
                own.copy_from(state);
            }
            if *keeps {
                let is_same = before.instruction.index == step.instruction.index;
                let _ = target.execute(if is_same { before } else { step }, own);
                own.tracker.clear();
            }
        });
        if came != Expectation::Done {
            return came.required_answer().unwrap_or(Answer::Done);
        }
        let fields = (layout.fields)();
        let begin = state.small.clone();
        let (mut held, mut undone) = (Vec::new(), None);
        for residue in residues {
            let place = smalls.len() - residue.back;
            match residue.what {
                What::Code(index) => {
                    let field = &step.instruction.code_fields[index];
                    field.set(&mut code, field.get(&prefix.steps[place].code));
                }
                What::Field(index, _) => {
                    let (field, old) = (&fields[index], fields[index].get(&smalls[place]));
                    held.push((field, field.get(&state.small), old));
                    field.set(&mut state.small, old);
                }
                What::Undone => undone = Some(&smalls[place]),
                What::Late => state.copy_from(own),
                What::Rows(..) => {}
            }
        }
        let answer = target.execute(&Step { code: &code, ..*step }, state);
        if let Some(old) = undone {
            for field in fields {
                if field.get(&state.small) == field.get(&begin) {
                    field.set(&mut state.small, field.get(old));
                }
            }
        }
        // What it did not write is as it was.
        for (field, own, old) in held.into_iter().rev() {
            if field.get(&state.small) == old {
                field.set(&mut state.small, own);
            }
        }
        if let Some(place) = behind {
            let _ = reference.execute_behind(&prefix.steps[place].under(prefix.edition), state);
        }
        answer
    }
}

/// A suite each of whose cases runs behind the steps before the last of a program, on its first target.
fn behind(suite: &IsaSuite, factory: &TargetFactory, prefix: &Arc<Prefix>) -> IsaSuite {
    let (reference, of_reference) = (Arc::clone(&suite.reference), Arc::clone(prefix));
    let (factory, of_target) = (factory.clone(), Arc::clone(prefix));
    let target = move || Box::new(Behind { inner: factory.make(), prefix: Arc::clone(&of_target) }) as Box<dyn Target>;
    IsaSuite {
        reference: Arc::new(move || Box::new(Behind { inner: reference(), prefix: Arc::clone(&of_reference) })),
        ..suite.with_targets(vec![TargetFactory::new(target)])
    }
}

/// What the first target of the suite can have otherwise of what the steps before leave.
struct Steps<'a> {
    suite: &'a IsaSuite,
    source: &'a CaseSource,
    unit: (&'static Instruction, Edition),
    prefix: Arc<Prefix>,
    /// States in which programs begin of which all steps before the last are done.
    begins: Vec<CaseValue>,
}

impl Ground for Steps<'_> {
    fn make(&self, target: Box<dyn Target>, residues: Vec<Residue>, keeps: bool) -> Box<dyn Target> {
        let (reference, prefix) = ((self.suite.reference)(), Arc::clone(&self.prefix));
        let own = State::zeroed(self.suite.isa.layout);
        Box::new(Recalling { reference, prefix, target, residues, keeps, own })
    }

    fn prepare(&self, state: &mut State) {
        let _: Expectation = self.prefix.run(&mut *(self.suite.reference)(), state, &mut |_, _, _| {});
    }

    fn noun(&self) -> &'static str {
        "step"
    }
}

impl Steps<'_> {
    /// Everything that may be otherwise: a field that one of the steps changes, or a field of the code of a step of this instruction.
    fn residues(&self) -> Vec<Residue> {
        let (steps, mut reference) = (&self.prefix.steps, (self.suite.reference)());
        let fields = (self.suite.isa.layout.fields)();
        let mut changed = BTreeSet::new();
        for begin in &self.begins {
            let (mut state, mut smalls) = (begin.state(), Vec::new());
            let _: Expectation =
                self.prefix.run(&mut *reference, &mut state, &mut |_, _, state| smalls.push(state.small.clone()));
            smalls.push(state.small.clone());
            for back in 1..=steps.len() {
                let [before, after] = [smalls.len() - 1 - back, smalls.len() - back].map(|place| &smalls[place]);
                let differ = fields.iter().enumerate().filter(|(_, field)| field.get(before) != field.get(after));
                changed.extend(differ.map(|(index, _)| (back, index)));
            }
        }
        let fields = changed.into_iter().map(|(back, index)| Residue { back, what: What::Field(index, false) });
        let mut all: Vec<Residue> = fields.collect();
        all.extend([What::Undone, What::Late].map(|what| Residue { back: 1, what }));
        for back in (1..=steps.len()).filter(|back| steps[steps.len() - back].instruction.index == self.unit.0.index) {
            let codes = 0..self.unit.0.code_fields.len();
            all.extend(codes.map(|field| Residue { back, what: What::Code(field) }));
        }
        all
    }

    /// The instruction whose step leaves what it does to what a residue is of undone, and which of its mistakes that would be, in
    /// words, with its line: a statement that is not done, if there is one.
    fn loser(&self, residue: &Residue, of_others: &Others<'_>) -> Option<(&'static Instruction, String)> {
        let place = self.prefix.steps.len() - residue.back;
        let NextStep { instruction, code } = self.prefix.steps[place];
        let step = Step { instruction, edition: self.prefix.edition, code: &code };
        let (layout, mut reference) = (self.suite.isa.layout, (self.suite.reference)());
        // What is there before the step, and after one that leaves it undone, where that makes a difference.
        let mut pairs = Vec::new();
        let prefix = Prefix { steps: self.prefix.steps[..place].to_vec(), ..*self.prefix };
        for begin in &self.begins {
            let (mut before, mut state, mut undone) = (begin.state(), State::zeroed(layout), State::zeroed(layout));
            let _: Expectation = prefix.run(&mut *reference, &mut before, &mut |_, _, _| {});
            state.copy_from(&before);
            let _: Expectation = reference.execute_behind(&step, &mut state);
            undone.copy_from(&state);
            match residue.what {
                What::Field(index, false) => {
                    let field = &(layout.fields)()[index];
                    field.set(&mut undone.small, field.get(&before.small));
                }
                What::Undone | What::Late => {
                    undone.copy_from(&before);
                    // What held a step is gone once it is done, whatever it does.
                    for field in (layout.fields)().iter().filter(|field| field.role == FieldRole::Latch) {
                        field.set(&mut undone.small, field.get(&state.small));
                    }
                }
                What::Code(_) | What::Field(_, true) | What::Rows(..) => return None,
            }
            if *undone.small != *state.small || *undone.arena != *state.arena {
                pairs.push((before, undone));
            }
        }
        let (mistakes, mut own) = (of_others(instruction), State::zeroed(layout));
        let mut leaves = |number: usize| {
            let mut target = mistakes.make(&[number]);
            pairs.iter().all(|(before, undone)| {
                own.copy_from(before);
                let _ = guarded(|| target.execute(&step, &mut own));
                own.tracker.clear();
                *own.small == *undone.small && *own.arena == *undone.arena
            })
        };
        let rules = (0..mistakes.plain()).filter(|&number| !pairs.is_empty() && leaves(number));
        let rule = rules.min_by_key(|&number| (!mistakes.is_left_out(number), mistakes.order(number, instruction)))?;
        Some((instruction, mistakes.sentence(rule, instruction)))
    }

    /// Whether most of the other instructions that could tell do not have it either.
    fn is_so_for_others(&self, residue: &Residue) -> bool {
        let (Some(factory), edition) = (self.suite.targets.first(), self.unit.1) else { return false };
        let (reference, prefix, residue) = (Arc::clone(&self.suite.reference), Arc::clone(&self.prefix), *residue);
        let layout = self.suite.isa.layout;
        let recalling = TargetFactory::new(move || {
            let (target, own) = (Box::new(Right(reference())), State::zeroed(layout));
            let prefix = Arc::clone(&prefix);
            Box::new(Recalling { reference: reference(), prefix, target, residues: vec![residue], keeps: false, own })
        });
        let mut suite = behind(self.suite, factory, &self.prefix);
        suite.targets.push(recalling);
        let source = CaseSource { held: None, ..self.source.clone() };
        let target = factory.make();
        let is_other = |other: &&'static Instruction| {
            let is_answered = target.implements(other) && other.editions().contains(&edition);
            is_answered && other.index != self.unit.0.index
        };
        let others: Vec<&'static Instruction> = self.suite.isa.instructions.iter().copied().filter(is_other).collect();
        let (mut could_tell, mut tell) = (0, 0);
        for &other in others.iter().step_by(others.len().div_ceil(OTHERS).max(1)) {
            let mut bench = Workbench::new(source.generator(suite.isa, (other, edition)), &suite);
            let (mut could, mut does) = (false, false);
            for number in 0..OF_EACH {
                let id = bench.generator.id(number);
                bench.enter_epoch(id.index);
                let _ = bench.run(&id);
                let [target, recalling] = bench.outcomes() else { break };
                could |= matches!(recalling, CaseOutcome::Diverged(_));
                does |= matches!(target, CaseOutcome::Diverged(_));
                if could && does {
                    break;
                }
            }
            (could_tell, tell) = (could_tell + usize::from(could), tell + usize::from(could && does));
        }
        2 * tell > could_tell
    }
}

/// The reference as a target.
struct Right(Box<dyn Reference>);

impl Target for Right {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "reference".to_string(), level: None }
    }

    fn implements(&self, _instruction: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.0.execute_behind(step, state).required_answer().unwrap_or(Answer::Done)
    }
}

/// What can be wrong in another instruction.
pub type Others<'a> = dyn Fn(&'static Instruction) -> Box<dyn Dictionary> + 'a;

/// Why the first target of the suite goes wrong in the last step of a program. `mistakes` are those of the instruction of that step, and
/// `of_others` has those of others. Nothing if nothing is known that does the same.
#[must_use]
pub fn explain_in_program(
    suite: &IsaSuite,
    source: &CaseSource,
    program: &CaseValue,
    mistakes: &dyn Dictionary,
    of_others: &Others<'_>,
    is_over: &dyn Fn() -> bool,
) -> Option<Explanation> {
    let mut steps = program.steps();
    let last = steps.pop()?;
    let (factory, edition) = (suite.targets.first()?, program.edition);
    let unit = (last.instruction, edition);
    let prefix = Arc::new(Prefix { steps, edition });
    let after = behind(suite, factory, &prefix);
    let mut bench = Workbench::new(source.generator(suite.isa, unit), &suite.with_targets(Vec::new()));
    let mut reference = (suite.reference)();
    let drawn = (0..DRAWN).map(|number| bench.take_value(&bench.generator.id(number), &mut |_| false));
    let is_done =
        |value: &CaseValue| prefix.run(&mut *reference, &mut value.state(), &mut |_, _, _| {}) == Expectation::Done;
    let value = program.with_steps(&[last]);
    let begins = std::iter::once(value.clone()).chain(drawn).filter(is_done).collect();
    let steps = Steps { suite, source, unit, prefix, begins };
    let dictionary =
        AfterOthers { residues: steps.residues(), value: &value, ground: steps, mistakes: mistakes.keeping("step")? };
    let diagnosis = diagnose(&after, unit, source, &[], &dictionary, &LIMITS, is_over);
    let cause = diagnosis.causes.first()?;
    let mut told = cause.explanation(&dictionary, &diagnosis, unit);
    let residue = cause.class.iter().find_map(|&number| dictionary.entry(number).ok());
    let steps = &dictionary.ground;
    if let Some((residue, (loser, line))) = residue.and_then(|one| Some((one, steps.loser(one, of_others)?))) {
        // Who loses what a step writes does so for whatever comes; who keeps something does it after whatever wrote that.
        let says_it_all = residue.is_whole() && dictionary.entry(cause.class[0]) == Ok(residue);
        let is_first = says_it_all || steps.is_so_for_others(residue);
        let behaves = if is_first { "behaves" } else { "  or it behaves" };
        let line = format!("{behaves} as if for what comes behind `{}` {line}", loser.name);
        told.lines.insert(usize::from(!is_first), line);
    }
    Some(told)
}
