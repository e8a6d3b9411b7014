//! All pairs of instructions, by dependence: which are green, and what was found.
//!
//! A worker takes a pair and runs its programs until each of its cells is decided, so that nothing depends on the number of
//! workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tandem_isa::{BenchClass, Edition, Instruction, worded};

use super::{Answered, Dependence, ProgramBench, ProgramId};
use crate::case::Held;
use crate::observe::{Scope, observed};
use crate::terms::View;
use crate::{
    CaseOutcome, CaseSource, CaseValue, Difference, IsaSuite, Kind, MinimizeLimits, Minimized, Minimizer, Progress,
    Signature, quiet_panics,
};

/// Agreed programs that make a cell of a pair green.
pub const PAIR_GREEN: u64 = 32;
/// After so many programs without the dependence in any of their candidates it is not possible.
const GIVE_UP: u64 = 40;
/// Programs after which a cell is left as it is.
const MOST: u64 = 16_384;
/// The same where rules refuse most candidates.
const MOST_UNFIT: u64 = 8 * GIVE_UP;
/// How often arenas are compared as a whole, in programs.
const WATCH: u64 = 16;

/// What the target of a suite answers of some instructions, if it may refuse something: programs are drawn by that. Each is asked
/// within `scope`, until `is_over`. Gives how many cases were asked, and how many rules were found, too.
#[must_use]
pub fn answered(
    suite: &IsaSuite,
    instructions: &[&'static Instruction],
    (edition, seed): (Edition, u64),
    scope: Scope<'_>,
    is_over: &dyn Fn() -> bool,
) -> (Answered, u64, usize) {
    quiet_panics();
    let source = CaseSource::new(suite.isa, seed);
    let mut held: Vec<Option<Arc<Held>>> = vec![None; suite.isa.instructions.len()];
    let (mut cases, mut rules) = (0, 0);
    for &instruction in instructions.iter().filter(|one| one.editions().contains(&edition)) {
        if is_over() {
            break;
        }
        let Some(observation) = observed(suite, (instruction, edition), &source, scope) else { continue };
        cases += observation.cases;
        rules += observation.rules.list.len();
        held[instruction.index] = observation.held(View::new(suite.isa, instruction, edition)).map(Arc::new);
    }
    (held.into(), cases, rules)
}

/// What to run.
#[derive(Clone)]
pub struct ProgramPlan {
    /// The instructions of which programs are made.
    pub instructions: Vec<&'static Instruction>,
    /// Those of them of which every pair has one, on either side; all, if there are none.
    pub own: Vec<&'static Instruction>,
    /// The edition.
    pub edition: Edition,
    /// The seed, below 2^48.
    pub seed: u64,
    /// The most programs, over all cells.
    pub cases: Option<u64>,
    /// Steps of each program; if nothing is said, its key tells.
    pub steps: Option<usize>,
    /// Number of workers.
    pub threads: usize,
    /// What the target answers, if it refuses something and that is known: programs are drawn by it, but for some.
    pub answered: Answered,
}

worded! {
    /// What is known of a pair with a dependence.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PairStatus {
        /// Enough programs agreed.
        Green "passed",
        /// A target differed.
        Diverged "diverged",
        /// The first step is always held.
        Blocked "blocked",
        /// The pages promise nothing for one of the two.
        Cited "undefined",
        /// No candidate has the dependence.
        Impossible "not possible",
        /// The targets refuse, or lack, one of the two.
        Unsupported "unsupported",
        /// A target differed only in what is disputed, and agreed too rarely.
        Disputed "disputed",
        /// It is not decided.
        Hole "open",
    }
    /// The word for reports.
    fn name;
}

/// A cell of programs: a pair with a dependence, and what came of its programs.
#[derive(Clone, Copy, Debug)]
pub struct PairCell {
    /// The first instruction.
    pub first: &'static Instruction,
    /// The second.
    pub second: &'static Instruction,
    /// What the second has to do with the first.
    pub dependence: Dependence,
    /// Programs.
    pub programs: u64,
    /// Candidates that were tried for them.
    pub candidates: u64,
    /// Candidates whose first step was held.
    pub held: u64,
    /// Candidates that rules refuse.
    pub unfit: u64,
    /// Programs with a promise for both steps.
    pub promised: u64,
    /// Programs with the dependence.
    pub shown: u64,
    /// Of these, those on which some target agreed and none differed.
    pub agreed: u64,
    /// And those on which one differed.
    pub diverged: u64,
    /// And those on which one differed in what is disputed of the first step that differs, and none otherwise.
    pub disputed: u64,
    /// Steps of those that agreed.
    pub steps: u64,
}

impl PairCell {
    fn new((first, second, dependence): (&'static Instruction, &'static Instruction, Dependence)) -> Self {
        let (programs, candidates, held, unfit, promised) = (0, 0, 0, 0, 0);
        let (shown, agreed, diverged, disputed, steps) = (0, 0, 0, 0, 0);
        PairCell {
            first,
            second,
            dependence,
            programs,
            candidates,
            held,
            unfit,
            promised,
            shown,
            agreed,
            diverged,
            disputed,
            steps,
        }
    }

    /// Whether rules refuse most of what was drawn for it.
    fn is_unfit(&self) -> bool {
        2 * self.unfit > self.candidates
    }

    /// What is known of it.
    #[must_use]
    pub fn status(&self) -> PairStatus {
        let is_over = self.programs >= GIVE_UP;
        match *self {
            PairCell { diverged: 1.., .. } => PairStatus::Diverged,
            PairCell { agreed: PAIR_GREEN.., .. } => PairStatus::Green,
            PairCell { shown: 0, .. } if is_over && self.is_unfit() => PairStatus::Unsupported,
            PairCell { promised: 0, held: 0, .. } if is_over => PairStatus::Cited,
            PairCell { promised: 0, .. } if is_over => PairStatus::Blocked,
            PairCell { shown: 0, .. } if is_over => PairStatus::Impossible,
            PairCell { disputed, agreed, .. } if disputed > 0 && agreed + disputed >= PAIR_GREEN => {
                PairStatus::Disputed
            }
            PairCell { shown: PAIR_GREEN.., .. } => PairStatus::Unsupported,
            _ if self.programs >= MOST_UNFIT && self.is_unfit() => PairStatus::Unsupported,
            _ => PairStatus::Hole,
        }
    }

    /// `enough` is how many programs with the dependence there are to be.
    fn is_decided(&self, enough: u64) -> bool {
        self.shown >= enough
            || self.agreed >= PAIR_GREEN
            || self.shown == 0 && self.programs >= GIVE_UP
            || self.programs >= MOST_UNFIT && self.is_unfit()
    }
}

/// Divergences of programs with one signature: that of the first step that differs.
#[derive(Clone, Debug)]
pub struct ProgramFinding {
    /// What makes them one.
    pub signature: Signature,
    /// The first program.
    pub first: ProgramId,
    /// Whether it was drawn by what the target answers, so that its id alone does not tell it.
    pub by_rules: bool,
    /// The level of the target that showed it there, where it has levels.
    pub level: Option<String>,
    /// Which of its steps differs first.
    pub step: usize,
    /// What differs after it.
    pub differences: Vec<Difference>,
    /// Programs that showed it.
    pub count: u64,
    /// The pairs that it was met with, by their names.
    pub pairs: BTreeSet<(&'static str, &'static str)>,
    /// The first program by value, if it shows it so.
    pub stored: Option<CaseValue>,
    /// The smallest program.
    pub minimized: Option<Minimized>,
}

/// What came of all pairs.
#[derive(Debug)]
pub struct ProgramResult {
    /// The cells, in the order of the plan's instructions.
    pub cells: Vec<PairCell>,
    /// What was found, in the order of the cells.
    pub findings: Vec<ProgramFinding>,
}

impl ProgramResult {
    /// How many cells have a status, of a dependence or of all.
    #[must_use]
    pub fn count(&self, status: PairStatus, dependence: Option<Dependence>) -> usize {
        let is_of = |cell: &&PairCell| dependence.is_none_or(|one| one == cell.dependence) && cell.status() == status;
        self.cells.iter().filter(is_of).count()
    }
}

/// Runs programs of all pairs of a plan's instructions, which are of the suite.
#[must_use]
pub fn run_programs(suite: &IsaSuite, plan: &ProgramPlan, progress: &Progress) -> ProgramResult {
    quiet_panics();
    let is_own = |one: &Instruction| plan.own.is_empty() || plan.own.iter().any(|own| own.index == one.index);
    let all = || plan.instructions.iter().copied();
    let pairs = all().flat_map(|first| all().map(move |second| (first, second)));
    let pairs: Vec<_> = pairs.filter(|&(first, second)| is_own(first) || is_own(second)).collect();
    let cells = (pairs.len() * Dependence::SPLIT.len()) as u64;
    let most = plan.cases.map_or(MOST, |cases| (cases / cells).clamp(1, MOST));
    let mut bench = ProgramBench::answered(suite, plan.edition, plan.seed, Answered::clone(&plan.answered));
    bench.only(&all().map(|one| one.index).collect::<Vec<_>>());
    let (bench, next, done) = (bench, AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let mut benches: Vec<ProgramBench> = (0..plan.threads.max(1)).map(|_| bench.another(suite)).collect();
    std::thread::scope(|scope| {
        for bench in &mut benches {
            scope.spawn(|| {
                let mut worker = Worker { suite, plan, progress, most, bench, found: Vec::new() };
                while let Some(&pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let place = pairs.iter().position(|one| std::ptr::eq(one.0, pair.0) && std::ptr::eq(one.1, pair.1));
                    let cells = worker.pair(pair);
                    let found = std::mem::take(&mut worker.found);
                    done.lock().expect("no worker panics while it keeps").insert(place, (cells, found));
                }
            });
        }
    });
    let mut result = ProgramResult { cells: Vec::new(), findings: Vec::new() };
    for (cells, found) in done.into_inner().expect("no worker panics while it keeps").into_values() {
        result.cells.extend(cells);
        for one in found {
            match result.findings.iter_mut().find(|known| known.signature == one.signature) {
                None => result.findings.push(one),
                Some(known) => {
                    known.count += one.count;
                    known.pairs.extend(one.pairs);
                }
            }
        }
    }
    result.findings.iter_mut().for_each(|finding| minimize(suite, finding));
    result
}

/// Makes the first program of a finding smaller.
fn minimize(suite: &IsaSuite, finding: &mut ProgramFinding) {
    let is_its = |info: &tandem_isa::TargetInfo| info.name == finding.signature.target && info.level == finding.level;
    let factory = suite.targets.iter().find(|factory| is_its(&factory.info));
    if let (Some(value), Some(factory)) = (&finding.stored, factory) {
        let limits = MinimizeLimits::default();
        finding.minimized = Minimizer::new(suite, factory).minimize(value, &finding.signature, limits);
    }
}

struct Worker<'a> {
    suite: &'a IsaSuite,
    plan: &'a ProgramPlan,
    progress: &'a Progress,
    most: u64,
    bench: &'a mut ProgramBench,
    found: Vec<ProgramFinding>,
}

/// What a program comes to that is run by value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByValue {
    Agrees,
    Differs,
    /// What differs first is disputed of its step.
    Disputed,
}

impl Worker<'_> {
    fn pair(&mut self, (first, second): (&'static Instruction, &'static Instruction)) -> Vec<PairCell> {
        Dependence::SPLIT.iter().map(|&dependence| self.cell(PairCell::new((first, second, dependence)))).collect()
    }

    fn cell(&mut self, mut cell: PairCell) -> PairCell {
        let mut watched = Vec::new();
        // What is drawn by rules may be refused all the same.
        let enough = if self.plan.answered.is_empty() { PAIR_GREEN } else { 4 * PAIR_GREEN };
        while !cell.is_decided(enough) && cell.programs < self.most && !self.progress.stop.load(Ordering::Relaxed) {
            let PairCell { first, second, dependence, .. } = cell;
            let (isa, edition, seed) = (self.suite.isa.short, self.plan.edition, self.plan.seed);
            let id = ProgramId { isa, first, second, dependence, edition, steps: 2, seed, index: cell.programs };
            let id = match self.plan.steps {
                Some(steps) => ProgramId { steps, ..id },
                None => id.of_usual_length(),
            };
            let ran = self.bench.run(&id);
            cell.programs += 1;
            cell.candidates += ran.candidates;
            cell.held += ran.held;
            cell.unfit += ran.unfit;
            cell.promised += u64::from(ran.promised);
            if ran.has {
                let outcomes = self.bench.outcomes();
                let differs = outcomes.iter().any(|one| matches!(one, CaseOutcome::Diverged(_)));
                let agrees = !differs && outcomes.contains(&CaseOutcome::Agreed);
                let is_wrong = differs && self.name(&id);
                cell.shown += 1;
                cell.agreed += u64::from(agrees);
                cell.diverged += u64::from(is_wrong);
                cell.disputed += u64::from(differs && !is_wrong);
                cell.steps += if agrees { ran.steps as u64 } else { 0 };
                if is_wrong {
                    self.progress.divergences.fetch_add(1, Ordering::Relaxed);
                } else if !differs {
                    watched.push(id);
                }
            }
            if watched.len() as u64 == WATCH {
                self.watch(&mut watched, &mut cell);
            }
        }
        self.watch(&mut watched, &mut cell);
        self.progress.cases.fetch_add(cell.programs, Ordering::Relaxed);
        cell
    }

    /// Compares whole arenas, and if one was changed behind the log says in which program.
    fn watch(&mut self, watched: &mut Vec<ProgramId>, cell: &mut PairCell) {
        if !self.bench.check_arenas() {
            for id in &*watched {
                for place in 0..self.suite.targets.len() {
                    let _ = self.bench.run(id);
                    if !self.bench.check_arenas() && self.found_in(id, place) == ByValue::Differs {
                        cell.diverged += 1;
                        cell.agreed -= 1;
                        break;
                    }
                }
            }
        }
        watched.clear();
    }

    /// Names what differs in the program that was run last; false if all of it is disputed.
    fn name(&mut self, id: &ProgramId) -> bool {
        let differs = |(place, one): (usize, &CaseOutcome)| matches!(one, CaseOutcome::Diverged(_)).then_some(place);
        let places: Vec<usize> = self.bench.outcomes().iter().enumerate().filter_map(differs).collect();
        let mut is_wrong = false;
        for place in places {
            let by_value = self.found_in(id, place);
            if by_value == ByValue::Agrees {
                // It depends on what ran before.
                let differences = vec![Difference::Rerun(Kind::OrderDependent)];
                self.add(id, place, (0, differences), None, id.second);
            }
            is_wrong |= by_value != ByValue::Disputed;
        }
        is_wrong
    }

    /// Runs a program by value on a target, with a compare after each step.
    fn found_in(&mut self, id: &ProgramId, place: usize) -> ByValue {
        match self.bench.differs_by_value(self.suite, id, place) {
            None => ByValue::Agrees,
            Some((_, _, differences)) if differences.is_empty() => ByValue::Disputed,
            Some((value, step, differences)) => {
                let instruction = value.steps()[step].instruction;
                self.add(id, place, (step, differences), Some(value), instruction);
                ByValue::Differs
            }
        }
    }

    fn add(
        &mut self,
        id: &ProgramId,
        place: usize,
        (step, differences): (usize, Vec<Difference>),
        stored: Option<CaseValue>,
        instruction: &Instruction,
    ) {
        let info = &self.suite.targets[place].info;
        let layout = self.suite.isa.layout;
        let Some(signature) = Signature::of(&instruction.path(), &info.name, layout, &differences) else { return };
        let pair = (id.first.file, id.second.file);
        if let Some(known) = self.found.iter_mut().find(|known| known.signature == signature) {
            known.count += 1;
            known.pairs.insert(pair);
            return;
        }
        let (level, pairs) = (info.level.clone(), BTreeSet::from([pair]));
        self.found.push(ProgramFinding {
            signature,
            first: *id,
            by_rules: self.bench.is_by_rules(),
            level,
            step,
            differences,
            count: 1,
            pairs,
            stored,
            minimized: None,
        });
    }
}

/// Complete programs a second: draw, reference, best level, one compare, put back.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSpeed {
    /// Programs a second, of all threads together.
    pub programs: f64,
    /// Steps that a program has.
    pub steps: f64,
}

/// What programs are measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// The instructions of which they are made.
    pub instructions: &'a [&'static Instruction],
    /// The speed class that all steps have. Without one they are drawn.
    pub class: Option<&'static BenchClass>,
    /// Steps of each program.
    pub steps: usize,
}

/// Programs of a round. Each is timed for itself, and is shorter than what a thread gets of a shared processor at a time.
const ROUND: u64 = 64;
/// Indices that programs have, all of one background.
const INDICES: u64 = 512;

/// Measures programs on so many threads at once.
#[must_use]
pub fn program_speed(suite: &IsaSuite, measured: &Measured<'_>, threads: usize, time: Duration) -> ProgramSpeed {
    let best = suite.with_targets(suite.targets.last().cloned().into_iter().collect());
    let mut bench = ProgramBench::new(&best, Edition::Newest, 0);
    bench.only(&measured.instructions.iter().map(|one| one.index).collect::<Vec<_>>());
    let mut benches: Vec<ProgramBench> = (1..threads).map(|_| bench.another(&best)).collect();
    benches.push(bench);
    let (first, isa, steps) = (measured.instructions[0], suite.isa.short, measured.steps);
    let (dependence, edition, seed, index) = (Dependence::Any, Edition::Newest, 0, 0);
    let id = ProgramId { isa, first, second: first, dependence, edition, steps, seed, index };
    let speeds: Vec<ProgramSpeed> = std::thread::scope(|scope| {
        let measure =
            |(thread, bench): (u64, _)| scope.spawn(move || speed_of(bench, measured, (id, thread << 32), time));
        let running: Vec<_> = (0..).zip(&mut benches).map(measure).collect();
        running.into_iter().map(|one| one.join().expect("no target panics out of a program")).collect()
    });
    let sum = |of: fn(&ProgramSpeed) -> f64| speeds.iter().map(of).sum::<f64>();
    ProgramSpeed { programs: sum(|one| one.programs), steps: sum(|one| one.steps) / speeds.len() as f64 }
}

/// Measures programs on this thread, which are like the first but for instructions and index, from a number on.
fn speed_of(
    bench: &mut ProgramBench,
    Measured { instructions, class, .. }: &Measured<'_>,
    (first, mut number): (ProgramId, u64),
    time: Duration,
) -> ProgramSpeed {
    let (mut rates, mut ran, begun) = (Vec::new(), 0, Instant::now());
    while begun.elapsed() < time || rates.is_empty() {
        let round = Instant::now();
        for _ in 0..ROUND {
            let pick =
                |of: u64| instructions[(tandem_isa::mix64(number ^ of << 40) % instructions.len() as u64) as usize];
            let id = ProgramId { first: pick(1), second: pick(2), index: number % INDICES, ..first };
            ran += match class {
                None => bench.run(&id).steps,
                Some(class) => bench.run_class(&id, class),
            };
            number += 1;
        }
        rates.push(ROUND as f64 / round.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    let programs = rates.len() as u64 * ROUND;
    // The upper quartile: on a shared machine the others measure the neighbours.
    ProgramSpeed { programs: rates[rates.len() * 3 / 4], steps: ran as f64 / programs as f64 }
}
