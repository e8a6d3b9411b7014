//! Runs programs on the reference and on targets, compares once at the end, and puts everything back.

use std::ops::RangeInclusive;

use tandem_isa::{
    AlignedBytes, Answer, BenchClass, Code, Edition, Expectation, Isa, Noise, OpenBits, Overlay, Parts, Reference,
    SaltPlan, State, Step, Target, TargetInfo, mix64,
};

use super::depend::Probe;
use super::draw::Drawer;
use super::undo::Undo;
use super::{Answered, Dependence, ProgramId};
use crate::case::NextStep;
use crate::foreign::UNSAID;
use crate::judge::guarded;
use crate::{CaseOutcome, CaseValue, Difference, IsaSuite, Minimizer, Pools, RowMap};

/// Candidates of a program that is to have a dependence.
const CANDIDATES: u64 = 24;
/// Candidates of a program of which only a promise is asked.
const CANDIDATES_OF_ANY: u64 = 4;
/// So many times as many, where rules refuse some before they are run.
const BY_RULES: u64 = 4;
/// Candidates of a step behind the second.
const FILLERS: usize = 4;
/// Candidates of further steps, in all, that rules may refuse.
const MISFITS: usize = 64;

/// A target with its state.
struct Slot {
    info: TargetInfo,
    target: Box<dyn Target>,
    state: State,
    implemented: Vec<bool>,
}

/// What came of a program.
#[derive(Clone, Copy, Debug)]
pub struct ProgramDraw {
    /// Steps that were run: each but the last is done, the last may be held.
    pub steps: usize,
    /// What the pages promise for the last of them.
    pub last: Expectation,
    /// Candidates that were tried.
    pub candidates: u64,
    /// Candidates whose first step was held.
    pub held: u64,
    /// Candidates that rules refuse.
    pub unfit: u64,
    /// Whether something was promised for both steps of the pair in some candidate.
    pub promised: bool,
    /// Whether the program has the dependence that its id asks for.
    pub has: bool,
}

/// Runs programs of one instruction set in one edition.
pub struct ProgramBench {
    isa: &'static Isa,
    edition: Edition,
    drawer: Drawer,
    reference: Box<dyn Reference>,
    state: State,
    map: RowMap,
    probe: Probe,
    slots: Vec<Slot>,
    outcomes: Vec<CaseOutcome>,
    /// The small state that the program begins in.
    before: AlignedBytes,
    steps: Vec<NextStep>,
    /// What the read port was begun with.
    port: (u64, SaltPlan, bool),
    /// What a step that is tried can be taken back to.
    undo: Undo,
    /// A small state of which nothing is kept.
    scratch: AlignedBytes,
    /// What a program that is refused on the way is held against.
    prefix: Prefix,
}

/// What the reference makes of the first steps of a program.
struct Prefix(State);

impl Prefix {
    /// Whether a target left what the reference makes of so many of these steps, from the small state before the program and its
    /// operands on. Where nothing is promised for one of them, it may leave what it likes.
    #[cold]
    fn is_left_by(
        &mut self,
        (steps, ends): (&[Step<'_>], RangeInclusive<usize>),
        reference: &mut dyn Reference,
        (small, overlay): (&[u8], &Overlay),
        (background, got): (&[u8], &State),
    ) -> bool {
        let Prefix(state) = self;
        state.arena.copy_from_slice(background);
        RowMap::new(state.layout).copy([&overlay.rows], &overlay.arena, &mut state.arena);
        state.small.copy_from_slice(small);
        for end in 0..=steps.len() {
            if ends.contains(&end) && *state.arena == *got.arena && *state.small == *got.small {
                return true;
            }
            let Some(step) = steps.get(end) else { break };
            let promised = reference.execute(step, state).required_answer();
            let is_open = !state.tracker.open.is_empty();
            state.tracker.clear();
            match promised {
                _ if is_open => return true,
                None => return true,
                Some(Answer::Done) => {}
                Some(_) => break,
            }
        }
        false
    }
}

impl ProgramBench {
    /// A bench with fresh instances of the suite's reference and targets, for programs of a seed.
    #[must_use]
    pub fn new(suite: &IsaSuite, edition: Edition, seed: u64) -> Self {
        Self::answered(suite, edition, seed, Answered::default())
    }

    /// The same for programs that are drawn by rules.
    #[must_use]
    pub fn answered(suite: &IsaSuite, edition: Edition, seed: u64, held: Answered) -> Self {
        let mut reference = (suite.reference)();
        let drawer = Drawer::new(suite.isa, (edition, seed), &Pools::new(suite.isa, seed), held, &mut *reference);
        Self::with(suite, edition, drawer)
    }

    /// The same for another worker.
    pub(super) fn another(&self, suite: &IsaSuite) -> Self {
        Self::with(suite, self.edition, self.drawer.another())
    }

    fn with(suite: &IsaSuite, edition: Edition, drawer: Drawer) -> Self {
        let layout = suite.isa.layout;
        let fresh = || {
            let mut state = State::zeroed(layout);
            state.arena.copy_from_slice(drawer.arena());
            state
        };
        let mut state = fresh();
        state.set_port(Some(drawer.port()));
        let slots: Vec<Slot> = suite
            .targets
            .iter()
            .map(|factory| Slot {
                info: factory.info.clone(),
                target: factory.make(),
                state: fresh(),
                implemented: suite.isa.instructions.iter().map(|one| factory.implements(one)).collect(),
            })
            .collect();
        ProgramBench {
            isa: suite.isa,
            edition,
            reference: (suite.reference)(),
            map: RowMap::new(layout),
            probe: Probe::new(suite.isa, edition, (suite.reference)(), drawer.arena()),
            outcomes: vec![CaseOutcome::Agreed; slots.len()],
            slots,
            before: state.small.clone(),
            scratch: state.small.clone(),
            undo: Undo::new(layout),
            prefix: Prefix(fresh()),
            state,
            steps: Vec::new(),
            port: (0, SaltPlan::default(), false),
            drawer,
        }
    }

    /// Takes steps behind the second only from these instructions, by their places in the set.
    pub fn only(&mut self, instructions: &[usize]) {
        self.drawer.fillers = instructions.to_vec();
    }

    /// Whether programs are drawn by rules, so that an id alone does not tell one.
    #[must_use]
    pub fn is_by_rules(&self) -> bool {
        self.drawer.has_rules()
    }

    /// The targets, in the order of [`ProgramBench::outcomes`].
    pub fn targets(&self) -> impl Iterator<Item = &TargetInfo> {
        self.slots.iter().map(|slot| &slot.info)
    }

    /// What each target did in the last program.
    #[must_use]
    pub fn outcomes(&self) -> &[CaseOutcome] {
        &self.outcomes
    }

    /// The steps of the last program.
    #[must_use]
    pub fn steps(&self) -> &[NextStep] {
        &self.steps
    }

    /// Draws a program, runs it on the reference and every target, compares, and puts everything back. One without a
    /// dependence that its id asks for is not run on targets.
    pub fn run(&mut self, id: &ProgramId) -> ProgramDraw {
        let ran = self.draw(id);
        if ran.has {
            self.run_targets(ran.last);
        } else {
            self.outcomes.fill(CaseOutcome::Unjudged);
        }
        self.put_back();
        ran
    }

    /// The program by value: its operands, and all of the background if that is asked for.
    pub fn take_value(&mut self, id: &ProgramId, with_background: bool) -> Option<CaseValue> {
        let ran = self.draw(id);
        let value = (!self.steps.is_empty()).then(|| {
            let [NextStep { instruction, code }, ..] = self.steps[..] else { unreachable!("it has a step") };
            let mut value = CaseValue::base(self.isa, instruction, self.edition);
            if with_background {
                for (index, bank) in self.isa.layout.banks.iter().enumerate() {
                    let arena = self.drawer.arena();
                    (0..bank.rows()).for_each(|row| value.take_row(index, row, &arena[bank.row_range(row)]));
                }
            }
            value.take_case(&code, &self.before, &self.state);
            value.with_steps(&self.steps)
        });
        self.put_back();
        value.filter(|_| ran.has)
    }

    /// Runs a program by value on a target, with a compare after each step. Where it differs: the program, the step, and what;
    /// nothing stands there if that is disputed of the step.
    pub fn differs_by_value(
        &mut self,
        suite: &IsaSuite,
        id: &ProgramId,
        target: usize,
    ) -> Option<(CaseValue, usize, Vec<Difference>)> {
        let mut minimizer = Minimizer::new(suite, &suite.targets[target]);
        [false, true].into_iter().find_map(|with_background| {
            let value = self.take_value(id, with_background)?;
            let differences = minimizer.run(&value)?;
            let differs = !differences.is_empty() || minimizer.disputed().is_some();
            differs.then(|| (value, minimizer.step(), differences))
        })
    }

    /// Whether the arenas of all targets equal the background; they are put back if not.
    pub(super) fn check_arenas(&mut self) -> bool {
        let background = self.drawer.arena();
        let mut clean = true;
        for slot in &mut self.slots {
            if *slot.state.arena != *background {
                slot.state.arena.copy_from_slice(background);
                clean = false;
            }
        }
        clean
    }

    fn execute(&mut self, step: &NextStep) -> Expectation {
        self.reference.execute_behind(&step.under(self.edition), &mut self.state)
    }

    /// Chooses a candidate and runs the reference on it; its state is as the last promised step leaves it.
    fn draw(&mut self, id: &ProgramId) -> ProgramDraw {
        if self.drawer.enter(id.index) {
            let background = self.drawer.arena();
            self.state.arena.copy_from_slice(background);
            self.slots.iter_mut().for_each(|slot| slot.state.arena.copy_from_slice(background));
            self.probe.enter(background);
        }
        let key = id.key();
        let last = Expectation::Done;
        let mut ran = ProgramDraw { steps: 0, last, candidates: 0, held: 0, unfit: 0, promised: false, has: false };
        let (any, by_rules) = (id.dependence == Dependence::Any, self.drawer.holds(id));
        let candidates = if any { CANDIDATES_OF_ANY } else { CANDIDATES } * if by_rules { BY_RULES } else { 1 };
        while ran.candidates < candidates && !ran.has {
            self.put_back();
            let key = mix64(key ^ ran.candidates);
            ran.candidates += 1;
            let (steps, mut salt) = self.drawer.candidate(id, key, &mut self.state);
            if by_rules && !self.drawer.fits(&steps[0], &mut self.state.small, &mut salt) {
                ran.unfit += 1;
                continue;
            }
            self.before.copy_from_slice(&self.state.small);
            self.port = (mix64(key), salt, id.index < 4);
            self.steps.clear();
            let first = self.execute(&steps[0]);
            if first.required_answer() != Some(Answer::Done) {
                ran.held += u64::from(first.required_answer().is_some());
                continue;
            }
            if by_rules && !self.drawer.fits(&steps[1], &mut self.state.small, &mut salt) {
                ran.unfit += 1;
                continue;
            }
            ran.last = self.execute(&steps[1]);
            if ran.last.required_answer().is_none() {
                continue;
            }
            ran.promised = true;
            let [one, other] = &steps;
            let before = (&*self.before, &self.state.tracker.overlay);
            ran.has = any || self.probe.has(id.dependence, [one, other], before, self.drawer.arena());
            if ran.has {
                self.steps.extend(steps);
            }
        }
        if ran.has {
            self.lengthen(key, (id.steps, by_rules), &mut ran);
        }
        ran.steps = self.steps.len();
        ran
    }

    /// Adds steps to a program of two, up to `steps`, as long as something is promised.
    fn lengthen(&mut self, key: u64, (steps, by_rules): (usize, bool), ran: &mut ProgramDraw) {
        let mut noise = Noise::new(mix64(key ^ 0x7374_6570));
        let (mut tries, mut misfits, mut is_kept, can_undo) = (0, 0, false, Undo::fits(&self.port.1));
        while self.steps.len() < steps && tries < FILLERS && ran.last.required_answer() == Some(Answer::Done) {
            let step = self.drawer.filler(&mut noise);
            if by_rules && !self.drawer.fits(&step, &mut self.state.small, &mut self.port.1.clone()) {
                misfits += 1;
                if misfits == MISFITS {
                    break;
                }
                continue;
            }
            if can_undo && !is_kept {
                self.undo.keep(&mut self.state, &self.map);
            }
            let expectation = self.execute(&step);
            tries += 1;
            let is_taken = match expectation.required_answer() {
                Some(Answer::Done) => true,
                // A step that is held ends the program.
                Some(_) => tries == FILLERS || self.steps.len() + 1 == steps,
                None => false,
            };
            if is_taken {
                self.steps.push(step);
                ran.last = expectation;
                tries = 0;
            } else if expectation.required_answer().is_none() {
                // It may have changed something all the same.
                if can_undo {
                    self.undo.take_back(&mut self.state, &self.map, self.drawer.arena());
                } else {
                    self.run_again();
                }
            }
            // What a step did that is held and not taken goes once a later one is taken back.
            is_kept = !is_taken;
        }
        self.undo.end(&mut self.state);
    }

    /// Brings the reference back to where the steps so far leave it.
    #[cold]
    fn run_again(&mut self) {
        self.put_back();
        self.state.small.copy_from_slice(&self.before);
        let (key, salt, corners) = &self.port;
        self.state.port_mut().expect("it was opened").begin(*key, salt, *corners);
        for place in 0..self.steps.len() {
            let step = self.steps[place];
            let _ = self.execute(&step);
        }
    }

    /// Runs a program whose steps are all of a speed class of its first instruction; how many there were.
    pub(super) fn run_class(&mut self, id: &ProgramId, class: &BenchClass) -> usize {
        let mut noise = Noise::new(id.key());
        let mut salt = self.drawer.salt();
        self.drawer.quiet(&mut self.state);
        self.steps.clear();
        self.scratch.copy_from_slice(&self.state.small);
        for place in 0..id.steps {
            let mut code = Code::new(id.first.base_code);
            let small = if place == 0 { &mut self.state.small } else { &mut self.scratch };
            (class.set)(&mut Parts { code: &mut code, small, salt: &mut salt }, &mut noise);
            self.steps.push(NextStep { instruction: id.first, code });
        }
        self.before.copy_from_slice(&self.state.small);
        self.state.port_mut().expect("it was opened").begin(mix64(id.key()), &salt, false);
        let mut last = Expectation::Done;
        for place in 0..self.steps.len() {
            let step = self.steps[place];
            last = self.execute(&step);
        }
        self.run_targets(last);
        self.put_back();
        self.steps.len()
    }

    fn run_targets(&mut self, last: Expectation) {
        let (reference, background) = (&self.state.tracker, self.drawer.arena());
        let steps = NextStep::all_under(&self.steps, self.edition);
        for (slot, outcome) in self.slots.iter_mut().zip(&mut self.outcomes) {
            if !self.steps.iter().all(|step| slot.implemented[step.instruction.index]) {
                *outcome = CaseOutcome::Unsupported;
                continue;
            }
            let Slot { target, state, .. } = slot;
            state.small.copy_from_slice(&self.before);
            self.map.copy([&reference.overlay.rows], &reference.overlay.arena, &mut state.arena);
            let answered = guarded(|| {
                target.reset();
                let (done, got) = target.execute_all(&steps, state);
                let is_last = done.saturating_add(1) >= steps.len();
                let expected = last.required_answer().filter(|_| is_last).unwrap_or(Answer::Done);
                if got == expected { Ok(()) } else { Err((done, expected, got)) }
            });
            let touched = [&reference.log.written, &reference.overlay.rows, &state.tracker.log.written];
            *outcome = match answered {
                Err(differences) => CaseOutcome::Diverged(differences),
                Ok(Err((done, _, Answer::Unsupported))) => {
                    let before = (&self.before[..], &reference.overlay);
                    let steps = &steps[..done.min(steps.len() - 1)];
                    let ends = if done == UNSAID { 0..=steps.len() } else { done..=done };
                    let states = (background, &*state);
                    let is_left = self.prefix.is_left_by((steps, ends), &mut *self.reference, before, states);
                    // What differs is found by the compare after each step.
                    if is_left { CaseOutcome::Unsupported } else { CaseOutcome::Diverged(Vec::new()) }
                }
                Ok(Err((_, expected, got))) => CaseOutcome::Diverged(vec![Difference::Answer { expected, got }]),
                Ok(Ok(())) => {
                    let (map, expected) = (&self.map, &self.state);
                    OpenBits::settle(&reference.open, expected.layout, &expected.arena, &mut state.arena);
                    let same = map.equal_and_put_back(touched, &mut state.arena, &expected.arena, background)
                        && *state.small == *expected.small;
                    // What differs is found by the compare after each step.
                    if same { CaseOutcome::Agreed } else { CaseOutcome::Diverged(Vec::new()) }
                }
            };
            if !matches!(outcome, CaseOutcome::Agreed) {
                state.arena.copy_from_slice(background);
            }
            state.tracker.clear();
        }
    }

    /// Puts the reference's arena back.
    fn put_back(&mut self) {
        let tracker = &self.state.tracker;
        let touched = [&tracker.log.written, &tracker.overlay.rows];
        self.map.copy(touched, self.drawer.arena(), &mut self.state.arena);
        self.state.tracker.clear();
    }
}
