//! The minimizer: takes a case by value and clears whatever the divergence does not need.
//!
//! It keeps a coarse key (instruction, bank or field, kind of difference) and ends with a proof: one whole round in
//! which no element could be put back to its base value, no single bit could be cleared, and none of the instruction's
//! own larger steps made the case smaller.

use tandem_isa::{AlignedBytes, Answer, Dispute, OpenBits, Reference, RowSet, SaltPlan, State, Step, Target};

use crate::case::{NextStep, Plain};
use crate::foreign::UNSAID;
use crate::judge::{all_rows, guarded, refused_differences, row_differences, small_differences};
use crate::terms::{Claims, DataAtom, Rule, View, with_parts};
use crate::{CaseValue, Difference, Disputes, IsaSuite, Kind, RowMap, Signature, TargetFactory};

/// The smallest case of a finding.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The case.
    pub value: CaseValue,
    /// The cases that run before it, the earliest first, where order matters.
    pub after: Vec<CaseValue>,
    /// What differs in it.
    pub differences: Vec<Difference>,
    /// Whether one whole round found nothing more to clear.
    pub proven: bool,
    /// Runs of the target that it took.
    pub runs: usize,
}

/// Runs of a target that has to be begun anew for each, until its case is small enough.
pub const RUNS_ANEW: usize = 300;

/// Turns of a case on one instance after which it counts as always right.
const MOST_TURNS: usize = 256;

/// How far a minimization may go.
#[derive(Clone, Copy, Debug)]
pub struct MinimizeLimits {
    /// Runs of the target.
    pub runs: usize,
}

impl Default for MinimizeLimits {
    fn default() -> Self {
        MinimizeLimits { runs: 1000 }
    }
}

/// What a smaller case has to show, and when a minimization ends, however far it came.
#[derive(Clone, Copy)]
struct Goal<'a> {
    /// None: it may be wrong in any way.
    key: Option<&'a Signature>,
    /// What else has to hold of it.
    also: &'a dyn Fn(&CaseValue) -> bool,
    /// Of what depends on order: what differs, but for that.
    shown: Option<&'a Signature>,
    /// Whether words of banks stay as they are.
    keeps_words: bool,
    /// If it runs before another case: its place among those that do, and that case.
    earlier: Option<(usize, &'a CaseValue)>,
    runs: usize,
    is_over: &'a dyn Fn() -> bool,
}

impl Goal<'_> {
    fn is_reached(&self, runs: usize) -> bool {
        runs >= self.runs || (self.is_over)()
    }
}

/// One thing that can be put back to its base value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Code { step: usize, word: usize, mask: u32 },
    Field(usize),
    Word(usize, usize, usize),
}

/// Runs cases by value on the reference and one target, and makes them smaller.
pub struct Minimizer {
    suite: IsaSuite,
    reference: Box<dyn Reference>,
    factory: TargetFactory,
    target: Box<dyn Target>,
    /// What it may refuse, if it is held to claims.
    claims: Option<Claims>,
    base: State,
    map: RowMap,
    states: [State; 2],
    /// The cases that run before each, the earliest first, where order matters. What a case does alone comes first; what it does
    /// only after these is order-dependent.
    pub after: Vec<CaseValue>,
    /// Whether each run has an instance that was begun anew, also behind a border. In our process each has that cases run before.
    pub(crate) anew: bool,
    /// Whether each run goes on with the instance as the one before left it.
    goes_on: bool,
    /// Whether the pages promised anything for the last case, or the first step of a program.
    promised: bool,
    /// The last step of it that was run, and whether it was refused.
    step: usize,
    refused: bool,
    /// What makes the difference that it showed no finding.
    disputed: Option<&'static Dispute>,
    /// What is disputed of the instructions of steps that differed, by their places in the set.
    disputes: Vec<(usize, Disputes)>,
    /// Whether they must promise something for a smaller case, or nothing.
    wanted: Option<bool>,
    /// Runs of the target so far.
    pub runs: usize,
}

impl Minimizer {
    /// A minimizer for one target.
    #[must_use]
    pub fn new(suite: &IsaSuite, factory: &TargetFactory) -> Self {
        let base = suite.isa.base_state();
        let fresh = || {
            let mut state = State::zeroed(suite.isa.layout);
            state.copy_from(&base);
            state
        };
        let states = [fresh(), fresh()];
        Minimizer {
            reference: (suite.reference)(),
            factory: factory.clone(),
            target: factory.make(),
            claims: factory.claimed().cloned(),
            map: RowMap::new(suite.isa.layout),
            suite: suite.clone(),
            base,
            states,
            after: Vec::new(),
            anew: false,
            goes_on: false,
            promised: false,
            step: 0,
            refused: false,
            disputed: None,
            disputes: Vec::new(),
            wanted: None,
            runs: 0,
        }
    }

    /// Whether the pages promise anything for the case that was run last.
    #[must_use]
    pub fn is_promised(&self) -> bool {
        self.promised
    }

    /// Whether the target refused the case that was run last.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// What makes a difference in the case that was run last no finding; it counts as an agreement then.
    #[must_use]
    pub fn disputed(&self) -> Option<&'static Dispute> {
        self.disputed
    }

    /// What makes differences of a step no finding. `before` is the small state that the step begins in.
    fn excuse(&mut self, step: NextStep, before: &[u8], differences: &[Difference]) -> Option<&'static Dispute> {
        if differences.is_empty() || !self.suite.disputes.iter().any(|dispute| dispute.concerns(step.instruction)) {
            return None;
        }
        let place = step.instruction.index;
        if !self.disputes.iter().any(|(known, _)| *known == place) {
            self.disputes.push((place, self.suite.disputes_of(step.instruction)));
        }
        let (_, disputes) = self.disputes.iter().find(|(known, _)| *known == place)?;
        with_parts(&step.code, before, &SaltPlan::default(), |parts| disputes.excuse(parts, differences))
    }

    /// Why the target refused it, if it says so.
    pub fn refusal(&mut self) -> Option<String> {
        if self.refused { self.target.refusal() } else { None }
    }

    /// The last step of the program that was run last: the one that differs, if one does.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Runs a case by value. Nothing if the pages promise nothing for it and the target survives; else the differences,
    /// none if it agrees.
    pub fn run(&mut self, value: &CaseValue) -> Option<Vec<Difference>> {
        let alone = self.run_after(value, false);
        if self.after.is_empty() || alone.as_ref().is_some_and(|differences| !differences.is_empty()) {
            return alone;
        }
        Some(by_order(self.run_after(value, true)?))
    }

    /// The same of a case of which it matters only whether it differs after others and not alone.
    fn run_in_order(&mut self, value: &CaseValue) -> Option<Vec<Difference>> {
        let differences = self.run_after(value, true).filter(|differences| !differences.is_empty())?;
        self.run_after(value, false).filter(Vec::is_empty)?;
        Some(by_order(differences))
    }

    /// Runs a case several times, until one run differs from what is expected: `run`, and if not every run does,
    /// nondeterministic.
    pub fn run_until_different(&mut self, value: &CaseValue, times: usize) -> Option<Vec<Difference>> {
        let mut agreed = None;
        for _ in 0..times.max(1) {
            let differences = self.run(value)?;
            if !differences.is_empty() {
                return Some(differences);
            }
            agreed = Some(differences);
        }
        agreed
    }

    /// Takes an instance that keeps nothing.
    fn begin(&mut self) {
        if self.goes_on {
            return;
        }
        match self.target.border() {
            // What goes wrong shows when the target is used.
            Some(border) if self.anew => drop(border.restart()),
            None if !self.after.is_empty() => self.target = self.factory.make(),
            _ => self.target.reset(),
        }
    }

    /// Runs a case, after the others or alone, on a target that keeps nothing. Of a program each step is compared: it ends
    /// with the first that differs, with one that is held, and before one for which nothing is promised. Where nobody sees the
    /// state between two steps, each is compared after all up to it, which run from the beginning.
    fn run_after(&mut self, value: &CaseValue, in_order: bool) -> Option<Vec<Difference>> {
        self.runs += 1;
        let mut rows = value.rows();
        self.states.iter_mut().for_each(|state| value.apply(state));
        let mut before = self.states[0].small.clone();
        // Where each step begins, small state and arena; where the case begins follows from it.
        let mut priors: Vec<(AlignedBytes, AlignedBytes)> = Vec::new();
        let mut differences = None;
        (self.step, self.disputed) = (0, None);
        let all = value.steps();
        let steps = NextStep::all_under(&all, value.edition);
        let whole = steps.len() > 1 && steps.len() <= self.target.max_steps();
        for (place, step) in steps.iter().enumerate() {
            if place > 0 {
                // Both are equal here.
                before.copy_from_slice(&self.states[0].small);
                priors.push((before.clone(), self.states[0].arena.clone()));
                if whole {
                    self.states[1].copy_from(&self.base);
                    value.apply(&mut self.states[1]);
                }
            }
            let expectation = self.reference.execute_behind(step, &mut self.states[0]);
            let required = expectation.required_answer();
            if place == 0 {
                self.promised = required.is_some();
            } else if required.is_none() {
                break;
            }
            self.step = place;
            let anew = whole || place == 0;
            let steps = if whole { &steps[..=place] } else { std::slice::from_ref(step) };
            differences = self.run_steps(value, steps, (required, anew, in_order && anew), (&before, &priors));
            // All steps before were as they must be, so what this one differs in is its own.
            self.disputed = differences.as_ref().and_then(|seen| self.excuse(all[place], &before, seen));
            if self.disputed.is_some() {
                differences = Some(Vec::new());
                break;
            }
            let goes_on = required == Some(Answer::Done) && differences.as_ref().is_some_and(Vec::is_empty);
            if !goes_on || self.refused {
                break;
            }
        }
        let [expected, got] = &mut self.states;
        let strayed = *expected.arena != *got.arena;
        for state in &mut self.states {
            rows.union(&state.tracker.log.written);
            state.tracker.clear();
        }
        for state in &mut self.states {
            if strayed {
                state.arena.copy_from_slice(&self.base.arena);
            } else {
                self.map.copy([&rows], &self.base.arena, &mut state.arena);
            }
            state.small.copy_from_slice(&self.base.small);
        }
        differences
    }

    /// Runs steps on the target, of which the reference has done the last as well, and compares. If asked, the target begins anew
    /// before the first.
    fn run_steps(
        &mut self,
        value: &CaseValue,
        steps: &[Step<'_>],
        (required, anew, in_order): (Option<Answer>, bool, bool),
        (before, priors): (&[u8], &[(AlignedBytes, AlignedBytes)]),
    ) -> Option<Vec<Difference>> {
        let layout = self.suite.isa.layout;
        let begun = if anew { guarded(|| self.begin()) } else { Ok(()) };
        let answer = begun.and_then(|()| {
            guarded(|| {
                let earlier = if in_order { &self.after[..] } else { &[] };
                earlier.iter().for_each(|earlier| run_before(&mut *self.target, earlier));
                self.target.execute_all(steps, &mut self.states[1])
            })
        });
        self.refused = matches!(answer, Ok((_, Answer::Unsupported)));
        let answer = match answer {
            // Those before the last were done when they ran without it: now it refuses one of them for what comes behind.
            Ok((done, Answer::Unsupported)) if done < steps.len() - 1 => {
                self.step = done;
                return Some(self.refused_early(value, done, priors));
            }
            // Which of them it refused is not said: what it left is what the steps before one of them leave.
            Ok((UNSAID, Answer::Unsupported))
                if (0..steps.len() - 1).any(|done| self.refused_early(value, done, priors).is_empty()) =>
            {
                return Some(Vec::new());
            }
            Ok((done, got)) if done.saturating_add(1) < steps.len() => {
                return Some(vec![Difference::Answer { expected: Answer::Done, got }]);
            }
            came => came.map(|(_, answer)| answer),
        };
        let prior = priors.last().map(|(_, arena)| arena);
        let arena_before = || prior.cloned().unwrap_or_else(|| pristine(&self.base.arena, value));
        let [expected, got] = &mut self.states;
        match (answer, required) {
            // Whatever is promised, it has to survive.
            (Err(differences), _) => Some(differences),
            (Ok(_), None) => None,
            (Ok(Answer::Unsupported), Some(required)) => {
                let pristine = arena_before();
                if *got.small == *before && *got.arena == *pristine {
                    // A refusal is wrong only where an answer is claimed.
                    let is_claimed =
                        self.step == 0 && self.claims.as_ref().is_some_and(|claims| is_claimed(claims, value));
                    let broken = Difference::Answer { expected: required, got: Answer::Unsupported };
                    Some(if is_claimed { vec![broken] } else { Vec::new() })
                } else {
                    Some(refused_differences(layout, &all_rows(layout), (before, &pristine), (&got.small, &got.arena)))
                }
            }
            (Ok(answer), Some(required)) if answer != required => {
                Some(vec![Difference::Answer { expected: required, got: answer }])
            }
            (Ok(_), Some(_)) => {
                OpenBits::settle(&expected.tracker.open, layout, &expected.arena, &mut got.arena);
                // The whole arena counts: a row that the log does not name may have changed as well.
                let mut differences = Vec::new();
                if *expected.arena != *got.arena {
                    differences = row_differences(
                        layout,
                        &all_rows(layout),
                        (&expected.tracker.log.written, &got.tracker.log.written),
                        (&arena_before(), &expected.arena, &got.arena),
                        &expected.tracker.open,
                    );
                }
                if *expected.small != *got.small {
                    differences.extend(small_differences(layout, before, &expected.small, &got.small));
                }
                Some(differences)
            }
        }
    }

    /// What changed in a program that was refused after `done` of its steps, beside what these do.
    fn refused_early(
        &self,
        value: &CaseValue,
        done: usize,
        priors: &[(AlignedBytes, AlignedBytes)],
    ) -> Vec<Difference> {
        let (layout, got) = (self.suite.isa.layout, &self.states[1]);
        let begin = || (value.state().small, pristine(&self.base.arena, value));
        let (small, arena) = done.checked_sub(1).map_or_else(begin, |last| priors[last].clone());
        if *got.small == *small && *got.arena == *arena {
            return Vec::new();
        }
        refused_differences(layout, &all_rows(layout), (&small, &arena), (&got.small, &got.arena))
    }

    /// Rows that the target reads or writes in a case by value: what a background may have to be taken over for.
    pub fn touched(&mut self, value: &CaseValue) -> RowSet {
        let mut state = value.state();
        let _ = guarded(|| {
            self.target.reset();
            execute_all(&mut *self.target, value, &mut state);
        });
        let mut rows = state.tracker.log.read.clone();
        rows.union(&state.tracker.log.written);
        rows
    }

    fn fails(&mut self, value: &CaseValue, goal: &Goal<'_>) -> bool {
        let Some((place, last)) = goal.earlier else { return self.shows(value, goal) };
        if !self.is_promised_for(value) {
            return false;
        }
        let kept = std::mem::replace(&mut self.after[place], value.clone());
        let shows = self.shows(last, goal);
        if !shows {
            self.after[place] = kept;
        }
        shows
    }

    fn shows(&mut self, value: &CaseValue, goal: &Goal<'_>) -> bool {
        let Goal { key, also, shown, .. } = goal;
        let differences = if shown.is_some() { self.run_in_order(value) } else { self.run(value) };
        let Some(differences) = differences else { return false };
        let is_of = |key: &Signature, differences| self.signature(key, differences).as_ref() == Some(key);
        !differences.is_empty()
            && key.is_none_or(|key| is_of(key, &differences))
            && shown.is_none_or(|shown| is_of(shown, &differences[1..]))
            && self.wanted.is_none_or(|wanted| wanted == self.promised)
            && also(value)
    }

    fn signature(&self, key: &Signature, differences: &[Difference]) -> Option<Signature> {
        Signature::of(&key.instruction, &key.target, self.suite.isa.layout, differences)
    }

    /// Whether the pages promise anything for a case.
    fn is_promised_for(&mut self, value: &CaseValue) -> bool {
        let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
        self.reference.execute(&step, &mut value.state()).required_answer().is_some()
    }

    /// Makes a failing case smaller. Nothing if it does not fail alone.
    pub fn minimize(&mut self, value: &CaseValue, key: &Signature, limits: MinimizeLimits) -> Option<Minimized> {
        if key.kind == Kind::OrderDependent && !self.after.is_empty() {
            return self.minimize_in_order(value, key, limits, &|| false);
        }
        self.minimize_until(value, key, limits, &|_| true, &|| false)
    }

    /// The same of cases for which something else holds, as far as it comes before it is over.
    pub(crate) fn minimize_until(
        &mut self,
        value: &CaseValue,
        key: &Signature,
        limits: MinimizeLimits,
        also: &dyn Fn(&CaseValue) -> bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Minimized> {
        let runs = self.runs + limits.runs;
        let goal = Goal { key: Some(key), also, shown: None, keeps_words: false, earlier: None, runs, is_over };
        self.wanted = None;
        if !self.fails(value, &goal) {
            return None;
        }
        // A case for which nothing is promised explains less than one for which something is.
        self.wanted = Some(self.promised);
        let mut best = value.clone();
        let proven = self.shrink(&mut best, &goal);
        Some(self.minimized(best, proven))
    }

    /// The smallest case, with those before it where order matters.
    fn minimized(&mut self, value: CaseValue, proven: bool) -> Minimized {
        let differences = self.run(&value).unwrap_or_default();
        let is_of_order = differences.first().is_some_and(|first| first.kind() == Kind::OrderDependent);
        let after = if is_of_order { self.after.clone() } else { Vec::new() };
        Minimized { value, after, differences, proven, runs: self.runs }
    }

    /// Puts back to their base values whatever a failing case does not need for it and for something else, or, if words of banks
    /// are to stay, whatever else. Without a key it may fail in any way.
    pub(crate) fn plainer(
        &mut self,
        value: &CaseValue,
        key: Option<&Signature>,
        (runs, keeps_words): (usize, bool),
        also: &dyn Fn(&CaseValue) -> bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<CaseValue> {
        let goal = Goal { key, also, shown: None, keeps_words, earlier: None, runs: self.runs + runs, is_over };
        self.wanted = Some(true);
        if !self.fails(value, &goal) {
            return None;
        }
        let mut best = value.clone();
        self.drop_elements(&mut best, &goal);
        Some(best)
    }

    /// Makes a case that fails only after others smaller, and those as well: first fewer, then each. They stand in
    /// [`Minimizer::after`], before and afterwards. For each of them something is promised, or it stays as it is.
    pub(crate) fn minimize_in_order(
        &mut self,
        value: &CaseValue,
        key: &Signature,
        limits: MinimizeLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Minimized> {
        if self.target.border().is_some() {
            // To begin anew costs much more than to reset; whether that forgets shows in the end.
            let given = self.after.clone();
            self.anew = false;
            let smaller = self.smaller_in_order(value, key, limits, is_over);
            self.anew = true;
            if smaller.as_ref().is_some_and(|smaller| self.run_in_order(&smaller.value).is_some()) {
                return smaller;
            }
            self.after = given;
        }
        let runs = if self.anew { limits.runs.min(RUNS_ANEW) } else { limits.runs };
        self.smaller_in_order(value, key, MinimizeLimits { runs }, is_over)
    }

    /// The smallest cases of what goes wrong at some turn, whatever runs before: nothing that is done wrong once in so many cases is
    /// seen in one alone. Nothing if it does not come again at the same turn.
    pub(crate) fn minimize_turns(
        &mut self,
        value: &CaseValue,
        key: &Signature,
        limits: MinimizeLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Minimized> {
        let earlier = self.wrong_turn(value)?.checked_sub(1).filter(|&earlier| earlier > 0)?;
        let plain = CaseValue::base(value.isa, value.instruction, value.edition);
        [plain, value.clone()].into_iter().find_map(|before| {
            self.after = vec![before; earlier];
            let differences = self.run_in_order(value)?;
            let same = self.signature(key, &differences[1..]).as_ref() == Some(key);
            let of_order = self.signature(key, &differences).filter(|_| same || key.kind == Kind::Nondeterministic)?;
            self.smaller_in_order(value, &of_order, limits, is_over)
        })
    }

    /// The first turn at which a case goes wrong that runs again and again on one instance.
    fn wrong_turn(&mut self, value: &CaseValue) -> Option<usize> {
        if self.target.border().is_some() {
            return None;
        }
        self.after.clear();
        self.target = self.factory.make();
        self.goes_on = true;
        let turn = (1..=MOST_TURNS).find(|_| self.run_after(value, false).is_none_or(|found| !found.is_empty()));
        self.goes_on = false;
        turn
    }

    fn smaller_in_order(
        &mut self,
        value: &CaseValue,
        key: &Signature,
        limits: MinimizeLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Minimized> {
        self.wanted = None;
        let first = self.run_in_order(value)?;
        let shown = self.signature(key, &first[1..])?;
        self.wanted = Some(self.promised);
        let runs = self.runs + limits.runs * (1 + self.after.len());
        let goal = Goal {
            key: Some(key),
            also: &|_| true,
            shown: Some(&shown),
            keeps_words: false,
            earlier: None,
            runs,
            is_over,
        };
        let mut best = value.clone();
        let mut proven = false;
        while !proven && !goal.is_reached(self.runs) {
            let (before, earlier) = (best.clone(), self.after.clone());
            self.drop_cases(&best, &goal);
            let mut all = self.shrink(&mut best, &goal);
            for place in 0..self.after.len() {
                let mut earlier = self.after[place].clone();
                all &= self.shrink(&mut earlier, &Goal { earlier: Some((place, &best)), ..goal });
            }
            let same = |(one, other): (&CaseValue, &CaseValue)| one.is_same(other);
            proven = all
                && before.is_same(&best)
                && earlier.len() == self.after.len()
                && earlier.iter().zip(&self.after).all(same);
        }
        Some(self.minimized(best, proven))
    }

    /// Takes cases out of those that run before.
    fn drop_cases(&mut self, last: &CaseValue, goal: &Goal<'_>) {
        let all = std::mem::take(&mut self.after);
        let alike = all.windows(2).all(|pair| pair[0].is_same(&pair[1]));
        let shows = |fewer: &[CaseValue]| {
            self.after = fewer.to_vec();
            !goal.is_reached(self.runs) && self.shows(last, goal)
        };
        self.after = if alike { fewest_alike(all, shows) } else { fewest(all, shows) };
    }

    /// Makes a failing case smaller; whether it is proven that it cannot become smaller.
    fn shrink(&mut self, best: &mut CaseValue, goal: &Goal<'_>) -> bool {
        let mut proven = false;
        while !proven && !goal.is_reached(self.runs) {
            let before = best.size();
            self.drop_steps(best, goal);
            self.drop_elements(best, goal);
            self.take_reductions(best, goal);
            let cleared = self.clear_bits(best, goal);
            proven = !cleared && before == best.size() && !goal.is_reached(self.runs);
        }
        proven
    }

    /// Takes steps out of a program.
    fn drop_steps(&mut self, best: &mut CaseValue, goal: &Goal<'_>) {
        if !best.then.is_empty() {
            let fewer =
                fewest(best.steps(), |fewer| !goal.is_reached(self.runs) && self.fails(&best.with_steps(fewer), goal));
            *best = best.with_steps(&fewer);
        }
    }

    /// Puts elements back to their base values, many at a time, then fewer.
    fn drop_elements(&mut self, best: &mut CaseValue, goal: &Goal<'_>) {
        let mut chunk = elements(best).len().next_power_of_two();
        while chunk >= 1 {
            let mut start = 0;
            loop {
                let mut all = elements(best);
                all.retain(|element| !goal.keeps_words || !matches!(element, Element::Word(..)));
                if start >= all.len() || goal.is_reached(self.runs) {
                    break;
                }
                let piece = &all[start..(start + chunk).min(all.len())];
                let mut smaller = best.clone();
                for &element in piece {
                    reset(&mut smaller, element);
                }
                if self.fails(&smaller, goal) {
                    *best = smaller;
                } else {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
    }

    /// Takes the instruction's own larger steps, those that make the case smaller and still show the same.
    fn take_reductions(&mut self, best: &mut CaseValue, goal: &Goal<'_>) {
        let reductions = best.instruction.reductions;
        for step in 0..reductions.count {
            let (mut code, mut state) = (best.code, best.state());
            if goal.is_reached(self.runs) || !(reductions.take)(step, &mut code, &mut state) {
                continue;
            }
            let smaller = best.with_state(code, &state);
            if smaller.size() < best.size() && self.fails(&smaller, goal) {
                *best = smaller;
            }
        }
    }

    /// Clears single bits, highest first; true if any could be.
    fn clear_bits(&mut self, best: &mut CaseValue, goal: &Goal<'_>) -> bool {
        let mut any = false;
        for element in elements(best) {
            let (value, base) = get(best, element);
            let mut bits = value ^ base;
            while bits != 0 {
                let bit = 1 << (31 - bits.leading_zeros());
                bits ^= bit;
                if goal.is_reached(self.runs) {
                    return any;
                }
                let mut smaller = best.clone();
                let (now, _) = get(&smaller, element);
                if now == base || now ^ bit == base || !is_state(best, element, now ^ bit) {
                    continue;
                }
                set(&mut smaller, element, now ^ bit);
                if self.fails(&smaller, goal) {
                    *best = smaller;
                    any = true;
                }
            }
        }
        any
    }
}

/// Takes out what is not needed for something to show, many at a time, then fewer; one at least stays.
pub(crate) fn fewest<T: Clone>(mut all: Vec<T>, mut shows: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut chunk = all.len().next_power_of_two() / 2;
    while chunk >= 1 {
        let mut start = 0;
        while start < all.len() {
            let fewer = [&all[..start], &all[(start + chunk).min(all.len())..]].concat();
            if !fewer.is_empty() && shows(&fewer) {
                all = fewer;
            } else {
                start += chunk;
            }
        }
        chunk /= 2;
    }
    all
}

/// The same of what is all alike: only how many there are can matter.
fn fewest_alike<T: Clone>(mut all: Vec<T>, mut shows: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut chunk = all.len().next_power_of_two() / 2;
    while chunk >= 1 {
        while all.len() > chunk && shows(&all[chunk..]) {
            all.truncate(all.len() - chunk);
        }
        chunk /= 2;
    }
    all
}

/// Whether a case is claimed to be answered.
fn is_claimed(claims: &Claims, value: &CaseValue) -> bool {
    let (instruction, edition) = (value.instruction, value.edition);
    let view = View::new(value.isa, instruction, edition);
    let salt = Plain::new(value.isa, instruction, edition).case(0).salt;
    let state = value.state();
    let numbers = |rule: &Rule| with_parts(&value.code, &state.small, &salt, |parts| rule.meets(&view, parts));
    let data = |data: &DataAtom| {
        value.words.iter().any(|(&(bank, row, _), _)| bank == data.bank && data.in_row(state.row(bank, row)))
    };
    !claims.rules(instruction).list.iter().any(|rule| numbers(rule) && rule.data.as_ref().is_none_or(data))
}

/// The arena that a case by value begins with.
fn pristine(base: &AlignedBytes, value: &CaseValue) -> AlignedBytes {
    let mut arena = base.clone();
    for (&(bank, row, column), &word) in &value.words {
        let spec = &value.isa.layout.banks[bank];
        spec.put_word(&mut arena[spec.row_range(row)], column, word);
    }
    arena
}

/// What differs after other cases and not alone.
fn by_order(mut differences: Vec<Difference>) -> Vec<Difference> {
    if !differences.is_empty() {
        differences.insert(0, Difference::Rerun(Kind::OrderDependent));
    }
    differences
}

/// Runs a case of which nothing is asked but that it runs before another one.
pub(crate) fn run_before(target: &mut dyn Target, before: &CaseValue) {
    execute_all(target, before, &mut before.state());
}

/// Executes the steps of a case, until one is not done.
fn execute_all(target: &mut dyn Target, value: &CaseValue, state: &mut State) {
    let steps = value.steps();
    let steps = NextStep::all_under(&steps, value.edition);
    let _ = target.execute_all(&steps, state);
}

/// What differs from the base state: large things first, so that whole rows go before single fields.
fn elements(value: &CaseValue) -> Vec<Element> {
    // Of words that have to be alike the first stands for all.
    let words = value.words.keys().filter(|&&word| columns(value, word).next() == Some(word.2));
    let words = words.map(|&(bank, row, column)| Element::Word(bank, row, column));
    let fields = value.fields.keys().map(|&field| Element::Field(field));
    let steps = value.steps();
    let of_step = |(step, one): (usize, &NextStep)| {
        one.elements().into_iter().map(move |(word, mask)| Element::Code { step, word, mask })
    };
    words.chain(fields).chain(steps.iter().enumerate().flat_map(of_step)).collect()
}

/// The columns that change together with one: those that have to be alike, if the row holds what it can hold.
fn columns(value: &CaseValue, (bank, row, column): (usize, usize, usize)) -> impl Iterator<Item = usize> + use<> {
    let spec = &value.isa.layout.banks[bank];
    let word = |column| value.words.get(&(bank, row, column)).copied().unwrap_or_else(|| spec.base_word(row, column));
    let holds = spec.holds(row).filter(|_| {
        let words: Vec<u32> = (0..spec.columns()).map(word).collect();
        spec.misheld(row, &words).is_none()
    });
    let (first, step) = holds.map_or((column, usize::MAX), |holds| holds.alike(column));
    (first..spec.columns()).step_by(step)
}

fn get(value: &CaseValue, element: Element) -> (u32, u32) {
    match element {
        Element::Code { step, word, mask } => {
            let (code, base) = match step.checked_sub(1) {
                None => (&value.code, value.instruction.base_code),
                Some(next) => (&value.then[next].code, value.then[next].instruction.base_code),
            };
            (code[word] & mask, base[word] & mask)
        }
        Element::Field(field) => {
            let base = (value.isa.layout.fields)()[field].base;
            (value.fields.get(&field).copied().unwrap_or(base), base)
        }
        Element::Word(bank, row, column) => {
            let base = value.isa.layout.banks[bank].base_word(row, column);
            (value.words.get(&(bank, row, column)).copied().unwrap_or(base), base)
        }
    }
}

fn set(value: &mut CaseValue, element: Element, bits: u32) {
    match element {
        Element::Code { step, word, mask } => {
            let code = match step.checked_sub(1) {
                None => &mut value.code,
                Some(next) => &mut value.then[next].code,
            };
            code[word] = (code[word] & !mask) | bits;
        }
        Element::Field(field) => {
            if bits == (value.isa.layout.fields)()[field].base {
                value.fields.remove(&field);
            } else {
                value.fields.insert(field, bits);
            }
        }
        Element::Word(bank, row, column) => {
            for column in columns(value, (bank, row, column)) {
                if bits == value.isa.layout.banks[bank].base_word(row, column) {
                    value.words.remove(&(bank, row, column));
                } else {
                    value.words.insert((bank, row, column), bits);
                }
            }
        }
    }
}

/// Whether an element may have this value at all: a field can have fewer values than its width allows.
fn is_state(value: &CaseValue, element: Element, bits: u32) -> bool {
    match element {
        Element::Field(field) => bits <= (value.isa.layout.fields)()[field].max,
        Element::Code { .. } | Element::Word(..) => true,
    }
}

fn reset(value: &mut CaseValue, element: Element) {
    let (_, base) = get(value, element);
    set(value, element, base);
}
