//! Hunting twists: everything that the reference can do wrong in the cases of an instruction, alone and with guards.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tandem_faults::twist::{self, Guard, Twisted};
use tandem_harness::{FirstDifference, IsaSuite, Pools, Progress, each_case};
use tandem_isa::{Axis, Edition, Instruction, mix64};
use tandem_twin::site::{Noted, Only, Reached, Twist};

/// Cases that are run to see what an instruction reaches.
const CASES: u64 = 4_000;

/// Times that a site is reached, over all sites, after which those cases are enough for who is in a hurry.
pub(crate) const TIMES: u64 = 40_000_000;

/// Cases of a twist that is known to change nothing.
const FEW: u64 = 1_000;

/// An instruction that executes others, and where the reference has what is its own: what is wrong in the others is hunted in
/// theirs.
const SCHEDULER: (&str, &str) = ("sfploadmacro", "load_macro::");

/// Something that is done wrong in the cases of an instruction.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// What.
    pub twist: Twist,
    /// Its name.
    pub name: String,
    /// When.
    pub guard: Guard,
}

impl Mistake {
    /// The target that makes it.
    #[must_use]
    pub fn twisted(&self) -> Twisted {
        Twisted::new(vec![self.twist], self.guard.clone())
    }
}

/// What an instruction's cases reach of the reference.
pub struct Reach {
    instruction: &'static Instruction,
    edition: Edition,
    reached: Vec<Reached>,
    /// For each site the levels of a case that reached it.
    levels: Vec<Vec<(&'static Axis, usize)>>,
    /// The most turns that the loops took in a case.
    turns: u32,
    /// Times that a case comes to a site, of a quarter of all cases at most.
    steps: u64,
}

impl Reach {
    /// Runs cases of an instruction to see what they reach.
    #[must_use]
    pub fn of(suite: &IsaSuite, unit: (&'static Instruction, Edition), pools: &Arc<Pools>, seed: u64) -> Self {
        Self::until(suite, unit, pools, (seed, u64::MAX), &|| false)
    }

    /// The same, with fewer cases where each reaches much.
    #[must_use]
    pub fn soon(suite: &IsaSuite, unit: (&'static Instruction, Edition), pools: &Arc<Pools>, seed: u64) -> Self {
        Self::until(suite, unit, pools, (seed, TIMES), &|| false)
    }

    /// The same as far as `most` times that a site is reached, and with no more cases once it is over.
    pub(crate) fn until(
        suite: &IsaSuite,
        (instruction, edition): (&'static Instruction, Edition),
        pools: &Arc<Pools>,
        (seed, most): (u64, u64),
        is_over: &dyn Fn() -> bool,
    ) -> Self {
        let mut reached: Vec<Reached> = Vec::new();
        let mut levels = Vec::new();
        let mut cases_of: Vec<u64> = Vec::new();
        let (mut times, mut steps, mut turns) = (0, Vec::new(), 0);
        each_case(suite, (instruction, edition), pools, (seed, CASES), |lineup, case, here| {
            let (mut own, mut noted) = (Vec::new(), Noted::default());
            lineup.watch(case, |step, state| {
                own = twist::levels(instruction, edition, step.code, &mut state.small);
                noted = tandem_twin::note(&mut reached, step, state);
            });
            levels.resize(reached.len(), Vec::new());
            cases_of.resize(reached.len(), 0);
            times += noted.times;
            steps.push(noted.times);
            turns = turns.max(noted.turns);
            for site in noted.sites.into_iter().map(usize::from) {
                cases_of[site] += 1;
                // Each of n cases has a chance of one in n to be the one that is kept.
                if mix64(mix64(site as u64) ^ here.cases).is_multiple_of(cases_of[site]) {
                    levels[site].clone_from(&own);
                }
            }
            times < most && !is_over()
        });
        steps.sort_unstable();
        let steps = steps.get(steps.len() / 4).copied().unwrap_or_default();
        Reach { instruction, edition, reached, levels, turns, steps }
    }

    /// Turns of loops after which an execution does nothing that could be taken for what the instruction does.
    #[must_use]
    pub fn most_turns(&self) -> u32 {
        4 * self.turns + 64
    }

    /// Steps that a case takes which does not take long: one of four takes fewer.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Everything that can be done wrong in a place that matters, always.
    pub fn bare(&self) -> impl Iterator<Item = Mistake> {
        let mistake = |twist| Mistake { twist, name: twist::name(twist), guard: Guard::default() };
        tandem_twin::mattered(&self.reached).map(mistake)
    }

    /// What else could be wrong in a place that was reached: see [`Twist::further`].
    pub fn further(&self) -> impl Iterator<Item = Twist> {
        tandem_twin::further(&self.reached)
    }

    /// A twist, in each of the calls that came to its site beside others.
    pub fn in_calls(&self, twist: Twist) -> impl Iterator<Item = Twist> {
        tandem_twin::in_calls(&self.reached, twist)
    }

    /// How many sites the cases reached, and how many things that can be done wrong there made no difference in place.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let reached = self.reached.iter().enumerate().filter(|(_, reached)| reached.times > 0);
        let idle =
            |(site, reached): (usize, &Reached)| Twist::all_of(site).count() - reached.matters.count_ones() as usize;
        reached.fold((0, 0), |(sites, all), site| (sites + 1, all + idle(site)))
    }

    /// A mistake with a guard that is drawn, from a case that reached its site and from operands that came.
    #[must_use]
    pub fn guarded(&self, mistake: &Mistake, seed: u64) -> Mistake {
        let site = usize::from(mistake.twist.site);
        let name = mistake.name.bytes().fold(seed, |hash, byte| mix64(hash ^ u64::from(byte)));
        let key = mix64(name ^ mix64(self.instruction.index as u64));
        let operands = self.reached[site].operands;
        let only = |both: bool, time| Only { operands: [Some(operands[0]), both.then_some(operands[1])], time };
        let num_cell_axes = (self.instruction.cells)(self.edition).axes.len();
        let levels = &self.levels[site];
        let guard = match key % 6 {
            0 if twist::has_operands(mistake.twist) => Guard { only: only(false, None), ..Guard::default() },
            1 if twist::has_operands(mistake.twist) => Guard { only: only(true, None), ..Guard::default() },
            2 => {
                let time = Some((key >> 8) as u32 % 4);
                Guard { only: Only { operands: [None; 2], time }, ..Guard::default() }
            }
            3 => Guard { levels: levels[..num_cell_axes].to_vec(), ..Guard::default() },
            4 => Guard { after: Some((key >> 8) % twist::AFTER), ..Guard::default() },
            _ => {
                let mut chosen: Vec<_> = levels.clone();
                let count = 3 + (key >> 8) as usize % 6;
                chosen.sort_by_key(|(axis, _)| axis.name.bytes().fold(key, |hash, byte| mix64(hash ^ u64::from(byte))));
                chosen.truncate(count);
                Guard { levels: chosen, ..Guard::default() }
            }
        };
        Mistake { guard, ..mistake.clone() }
    }
}

/// What came of hunting a mistake.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The mistake.
    pub mistake: Mistake,
    /// When it was found, if it was.
    pub found: Option<FirstDifference>,
    /// Why it changes nothing, if that is known.
    pub survives: Option<&'static str>,
}

/// Mistakes that may show in a case from which on it is found out first which of them can: that takes as long as to try some.
const MANY: usize = 4;

/// Hunts mistakes of an instruction in the order of a campaign, at most `cases` cases each: for each when it first differed.
#[must_use]
pub fn hunt(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    pools: &Arc<Pools>,
    mistakes: Vec<Mistake>,
    (seed, cases): (u64, u64),
    progress: &Progress,
) -> Vec<Trial> {
    let mut found = vec![None; mistakes.len()];
    let mut left: Vec<(usize, Twisted)> = mistakes.iter().map(Mistake::twisted).enumerate().collect();
    let mut reached = Vec::new();
    each_case(suite, (instruction, edition), pools, (seed, cases), |lineup, case, here| {
        let mut may_be_wrong: Vec<usize> = Vec::new();
        lineup.watch(case, |step, state| {
            let may_be = left.iter().filter(|(_, candidate)| candidate.may_be_wrong(step, state));
            may_be_wrong = may_be.map(|(place, _)| *place).collect();
            if may_be_wrong.len() >= MANY {
                let twists: Vec<Twist> = may_be_wrong.iter().map(|&place| mistakes[place].twist).collect();
                let mut matter = tandem_twin::mattering(&twists, &mut reached, step, state).into_iter();
                may_be_wrong.retain(|_| matter.next() == Some(true));
            }
        });
        let mut may_be_wrong = may_be_wrong.into_iter().peekable();
        left.retain_mut(|(place, candidate)| {
            if may_be_wrong.next_if_eq(place).is_none() {
                candidate.passed(case.code);
                return true;
            }
            let agrees = lineup.agrees(candidate, case);
            if !agrees {
                found[*place] = Some(here);
            }
            agrees
        });
        progress.cases.fetch_add(1, Ordering::Relaxed);
        !left.is_empty() && !progress.stop.load(Ordering::Relaxed)
    });
    let trial = |(mistake, found): (Mistake, Option<FirstDifference>)| {
        let survives = twist::survives(instruction, &mistake.name);
        Trial { mistake, found, survives }
    };
    mistakes.into_iter().zip(found).map(trial).collect()
}

/// How many cases a twist has before it counts as not found, and one with a guard.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Of a twist alone.
    pub bare: u64,
    /// Of one with a guard.
    pub guarded: u64,
}

/// What came of hunting everything that can go wrong in an instruction.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// The instruction, as a path.
    pub instruction: String,
    /// Sites that its cases reach.
    pub sites: usize,
    /// Things that could be done wrong there and made no difference in place.
    pub idle: usize,
    /// Each twist.
    pub bare: Vec<Trial>,
    /// Each twist with a guard that was drawn for it.
    pub guarded: Vec<Trial>,
}

/// Hunts the twists of an instruction that are in a part of all, first alone and then with a guard each; nothing if it was
/// stopped.
#[must_use]
pub fn hunt_all(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    (part, budget): ((u64, u64), Budget),
    seed: u64,
    progress: &Progress,
) -> Option<Hunted> {
    let pools = Pools::new(suite.isa, seed);
    let reach = Reach::of(suite, (instruction, edition), &pools, seed + 1);
    let is_own = |name: &str| instruction.file != SCHEDULER.0 || name.starts_with(SCHEDULER.1);
    let mistakes: Vec<Mistake> =
        reach.bare().filter(|mistake| is_own(&mistake.name) && is_in_part(&mistake.name, part)).collect();
    let survives = |mistake: &Mistake| twist::survives(instruction, &mistake.name).is_some();
    let (surviving, mistakes): (Vec<Mistake>, Vec<Mistake>) = mistakes.into_iter().partition(survives);
    let guarded = mistakes.iter().map(|mistake| reach.guarded(mistake, seed)).collect();
    // What changes nothing would use up its cases every time.
    let few = budget.bare.min(FEW);
    let unit = (instruction, edition);
    let mut bare = hunt(suite, unit, &pools, mistakes, (seed, budget.bare), progress);
    bare.extend(hunt(suite, unit, &pools, surviving, (seed, few), progress));
    let guarded = hunt(suite, unit, &pools, guarded, (seed, budget.guarded), progress);
    let (sites, idle) = reach.count();
    let hunted = Hunted { instruction: instruction.path(), sites, idle, bare, guarded };
    (!progress.stop.load(Ordering::Relaxed)).then_some(hunted)
}

impl Hunted {
    /// Twists that were not found, although nothing says that they change nothing.
    pub fn missed(&self) -> impl Iterator<Item = &Trial> {
        self.bare.iter().filter(|trial| trial.found.is_none() && trial.survives.is_none())
    }
}

/// Whether the reason why a twist is not found is that no case would show it, although one could.
#[must_use]
pub fn is_hole(why: &str) -> bool {
    why.starts_with("Hole: ")
}

/// Words compared until a mistake was found: half of those that were found needed fewer, and nine of ten.
#[must_use]
pub fn quantiles<'a>(trials: impl Iterator<Item = &'a Trial>) -> Option<(u64, u64)> {
    let mut datums: Vec<u64> = trials.filter_map(|trial| Some(trial.found?.datums)).collect();
    datums.sort_unstable();
    let at = |percent: usize| datums.get((datums.len() * percent / 100).min(datums.len().saturating_sub(1))).copied();
    Some((at(50)?, at(90)?))
}

/// Whether a twist is in the part `part` of `parts`, by its name: so that parts stay what they are when the reference grows.
#[must_use]
pub fn is_in_part(name: &str, (part, parts): (u64, u64)) -> bool {
    name.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte))) % parts == part
}
