//! Diagnosis: which rule of the pages a target behaves as if it had wrong.
//!
//! A *dictionary* has candidates: implementations that do one thing wrong each. Cases on which the target differs from the
//! reference are looked for, and what it does there is written down. A candidate explains such a case if it does the same, bit
//! for bit. What explains most is then *refuted*, if it can be: on new cases it and its rivals foretell what the target will
//! do, and the target is asked. Several mistakes are found one after the other, each together with those found before.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use tandem_isa::{
    AlignedBytes, Answer, Axis, Code, Edition, Instruction, Overlay, Parts, Reference, RowSet, SaltPlan, State, Step,
    Target, mix64,
};

use crate::bench::{Exhibit, Lineup};
use crate::explain::trial::Trial;
use crate::judge::guarded;
use crate::terms::with_parts;
use crate::{
    CaseId, CaseOutcome, CaseSource, CaseValue, Difference, Generator, IsaSuite, Minimizer, RowMap, Signature,
    TargetFactory, Workbench,
};

/// Candidates, by number.
pub struct Dictionary<'a> {
    /// How many there are.
    pub len: usize,
    /// How many of them, the first ones, are tried before the others: these only explain what none of those does.
    pub plain: usize,
    /// How many come before those that are another one in some place alone, which are tried last, and if that takes long only where
    /// that one explains anything.
    pub everywhere: usize,
    /// Of each its number, or of one in some place alone that one's.
    pub base: Vec<usize>,
    /// Those of a candidate's place that are not tried before the others: what else is wrong there cannot be found beside it.
    pub at_place_of: &'a dyn Fn(usize) -> Vec<usize>,
    /// A target that has all of these at once.
    pub make: &'a dyn Fn(&[usize]) -> Box<dyn Target>,
    /// Executes a case and says what can matter in it.
    pub matters: &'a dyn Fn(&Step<'_>, &mut State) -> Matter,
}

impl Dictionary<'_> {
    /// Those that are tried first, and the others.
    fn ranges(&self) -> (Range<usize>, Range<usize>) {
        (0..self.plain, self.plain..self.everywhere)
    }

    /// Those that are one of `bases` in some place alone.
    fn in_places(&self, bases: &BTreeSet<usize>) -> Vec<usize> {
        (self.everywhere..self.len).filter(|&number| bases.contains(&self.base[number])).collect()
    }
}

/// What can matter in a case.
#[derive(Clone, Debug, Default)]
pub struct Matter {
    /// Of each candidate, by number, whether it may do anything else than the pages say.
    pub each: Vec<bool>,
    /// Steps that the case took, of which each costs about the same whatever the instruction.
    pub steps: u64,
}

/// A case in which a target was seen to differ.
#[derive(Clone, Debug)]
pub struct Sighted {
    /// The case.
    pub id: CaseId,
    /// What differed.
    pub differences: Vec<Difference>,
    /// Cases that were asked up to and with it.
    pub cases: u64,
    /// Words that the reference wrote in them.
    pub datums: u64,
}

/// How much is asked.
#[derive(Clone, Copy, Debug)]
pub struct DiagnoseLimits {
    /// Cases among which those that differ are looked for.
    pub cases: u64,
    /// Cases that differ which are kept.
    pub diverging: usize,
    /// Cases that agree which are kept.
    pub agreeing: usize,
    /// New cases that are chosen to refute.
    pub refuting: u64,
    /// Further cases among which those that differ are looked for that no cause found so far explains.
    pub beyond: u64,
    /// Causes that are looked for.
    pub causes: usize,
    /// Steps of candidates after which no further cause is looked for, and of those that are refuted at once after which they are
    /// no more.
    pub steps: u64,
}

impl Default for DiagnoseLimits {
    fn default() -> Self {
        DiagnoseLimits {
            cases: 200_000,
            diverging: 96,
            agreeing: 2_000,
            refuting: 3_000,
            beyond: 30_000,
            causes: 16,
            steps: 1_400_000_000,
        }
    }
}

/// How sure a diagnosis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// It explains all there was, and new cases that were chosen to refute it did not.
    Established,
    /// Nothing speaks against it.
    Consistent,
}

/// A condition on a case: an axis has one of some levels, or has none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The place of the axis: those of the cell first, then the orthogonal ones.
    pub axis: usize,
    /// The levels.
    pub levels: BTreeSet<u8>,
    /// Whether it has one of them.
    pub has: bool,
}

impl Atom {
    pub(crate) fn holds(&self, levels: &[u8]) -> bool {
        self.levels.contains(&levels[self.axis]) == self.has
    }

    /// As `axis=level`, or `axis≠level|level`, whichever is shorter.
    #[must_use]
    pub fn text(&self, instruction: &Instruction, edition: Edition) -> String {
        let axis = axes(instruction, edition).nth(self.axis).expect("the axis was read");
        let is_short = 2 * self.levels.len() <= axis.levels.len();
        let named = axis.levels.iter().zip(0_u8..);
        let named = named.filter(|(_, level)| self.levels.contains(level) == is_short).map(|(name, _)| *name);
        let sign = if self.has == is_short { "=" } else { "≠" };
        format!("{}{sign}{}", axis.name, named.collect::<Vec<_>>().join("|"))
    }
}

/// How much a guard says: each of its levels could be another.
fn weight(guard: &[Atom]) -> usize {
    guard.iter().map(|atom| atom.levels.len()).sum()
}

/// What explains cases.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The candidate, and those that foretold the same in every case: they cannot be told apart.
    pub class: Vec<usize>,
    /// When it is so: always, if there is none.
    pub guard: Vec<Atom>,
    /// How sure that is.
    pub tier: Tier,
    /// Cases that it explains, of those that differ and were kept.
    pub explained: usize,
    /// New cases in which it foretold something else than the pages say, or its rivals something else than it, and was right.
    pub survived: u64,
    /// Candidates that explained as much until a case ruled them out, with that case.
    pub rivals: Vec<(usize, CaseId)>,
    /// Cases that it explains alone, and no other cause does.
    pub cases: Vec<Sighted>,
    /// Cases that it explains only together with others.
    pub shared: Vec<CaseId>,
    /// A new case that it explains alone, if there was one.
    pub alone: Option<CaseId>,
}

impl Cause {
    /// Its conditions, and the candidate.
    pub(crate) fn as_broken(&self) -> (&[Atom], usize) {
        (&self.guard, self.class[0])
    }
}

/// What a target does wrong in an instruction, as far as the dictionary says.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// Cases among which those that differ were looked for.
    pub asked: u64,
    /// Cases that differed and were kept.
    pub diverging: usize,
    /// Cases that agreed and were kept.
    pub agreeing: usize,
    /// What explains them, most first.
    pub causes: Vec<Cause>,
    /// Cases that differ and that nothing explains.
    pub strange: Vec<Sighted>,
    /// The first case that differed among the others, and is right alone.
    pub in_order: Option<Sighted>,
    /// Whether it was over before all was asked.
    pub over: bool,
    /// Whether further causes were not looked for because that takes too many steps.
    pub costly: bool,
    /// Whether its cases were drawn by what the target refuses, so that without that an id is another case.
    pub by_rules: bool,
}

/// A mistake is hidden by another in at most one of so many cases in which it would show, …
const HIDDEN: usize = 10;
/// … which is looked at in so many that agree, and first in so many.
const BORNE: usize = 500;
const FIRST_BORNE: usize = 24;
/// Candidates that are tried on a case before it is found out which of them can matter in it.
const ASKED_BLINDLY: u8 = 6;
/// Steps of the new cases in the end after which some are enough, as a part of all steps.
const REFUTING_SHARE: u64 = 12;
/// Steps of the new cases after which there are no more of them, as a part of all steps.
const MOST_REFUTING_SHARE: u64 = 5;
/// Steps of further cases in which what no cause explains is looked for, about, as a part of all steps.
const BEYOND_SHARE: u64 = 6;
/// Further cases at least.
const LEAST_BEYOND: u64 = 4_000;
/// Most conditions of a guard.
const MOST_ATOMS: usize = 4;
/// Cases of which a candidate must explain one to be looked at further: what explains a quarter of all misses them all once in a
/// thousand times.
const FIRST_LOOK: usize = 24;
/// Of these so many are tried before the others: what explains most misses explains one of them.
const FEW_LOOK: usize = 6;
/// Candidates that explain a case are held against so many of the cheapest ones first, …
const SECOND_LOOK: usize = 12;
/// … of which they must explain one in so many, at least half as many as the best, and all if that does, …
const LEAST_OF_SECOND: usize = 8;
/// … and so many of them against all.
const MOST_EXPLAINING: usize = 24;
/// Steps that it takes to run a candidate, beside its own, about, …
const RUN: u64 = 1_000;
/// … and steps that it takes to make a case and to ask the target.
const ASK: u64 = 6_000;
/// Steps of a case from which on plainer ones, which take fewer, are made of those that are tried first.
const COSTLY: u64 = 20_000;
/// Steps beyond which candidates are tried on fewer cases at first.
const FEW_STEPS: u64 = 600_000_000;
/// Levels of a guard with which a candidate that explains everything is looked no further for.
const FEW_LEVELS: usize = 2;
/// Steps of agreeing cases, as a part of all steps, after which no more of them are kept, …
const AGREEING_SHARE: u64 = 80;
/// … and agreeing cases that are kept at least.
const LEAST_AGREEING: usize = 200;
/// New cases in which a cause is wrong after which it is asked of no more, if it is seldom right.
const CLEARLY_WRONG: u64 = 8;
/// New cases that a cause must survive before more are looked for.
const FIRST_ASKED: u64 = 300;
/// New cases that are drawn at most for that.
const FIRST_DRAWN: u64 = 4_000;
/// Agreeing cases after which it is tried again whether conditions can tell where a candidate is not followed.
const AGREEING_AT_ONCE: usize = 100;
/// Cases of which plainer ones are made while nothing is clear, in each of two ways, …
const PLAINER: usize = 12;
/// … and how often the target is asked for each.
pub(crate) const PLAINER_RUNS: usize = 200;
/// How often causes are looked for again when some were refuted.
const ROUNDS: usize = 6;
/// New cases that a diagnosis must have survived to be established.
const ENOUGH: u64 = 64;
/// Cases at each border of a guard, where one condition alone does not hold, that it must have survived for that.
const AT_A_BORDER: u64 = 4;
/// New cases on which nothing is foretold of which it is looked whether the target is right in them.
const WATCHED: u64 = 2_000;
/// Bits that an explanation must explain beyond what so many candidates explain by luck.
const BEYOND_LUCK: u32 = 20;
/// New cases that are drawn at most in the end.
const DRAWN: u64 = 40_000;
/// New cases that the target may refuse before no more are drawn.
const REFUSED: u64 = 4_000;

fn axes(instruction: &Instruction, edition: Edition) -> impl Iterator<Item = &'static Axis> + use<> {
    (instruction.cells)(edition).axes.iter().chain((instruction.orthogonal)(edition))
}

/// The levels of a case: those of the cell first, then the orthogonal ones.
pub(crate) fn levels_of(instruction: &Instruction, edition: Edition, parts: &Parts<'_>) -> Vec<u8> {
    axes(instruction, edition).map(|axis| (axis.get)(parts) as u8).collect()
}

/// A case with what a target did in it, kept.
struct Kept {
    id: CaseId,
    epoch: usize,
    code: Code,
    before: AlignedBytes,
    levels: Vec<u8>,
    overlay: Rows,
    right: Outcome,
    /// What the target did, where it differs.
    got: Option<Outcome>,
    /// What may matter in it, once that was asked often enough, …
    matter: OnceCell<Matter>,
    /// … and how often it was.
    asked: Cell<u8>,
}

impl Kept {
    /// What it costs to run it, roughly: bytes of rows that are read and written.
    fn cost(&self) -> usize {
        self.overlay.bytes.len() + self.right.written.bytes.len()
    }

    /// Whether it is the same case, whatever its name.
    fn is_same(&self, other: &Kept) -> bool {
        self.epoch == other.epoch
            && self.code == other.code
            && *self.before == *other.before
            && self.overlay == other.overlay
    }

    /// What the target did.
    fn done(&self) -> &Outcome {
        self.got.as_ref().unwrap_or(&self.right)
    }
}

/// Rows with their contents.
#[derive(Clone, Default, PartialEq)]
struct Rows {
    set: RowSet,
    bytes: Vec<u8>,
}

impl Rows {
    fn of(map: &RowMap, set: &RowSet, arena: &[u8]) -> Self {
        let mut rows = Rows { set: set.clone(), bytes: Vec::new() };
        set.each_run(|row, count| rows.bytes.extend_from_slice(&arena[map.range(row, count)]));
        rows
    }

    fn put(&self, map: &RowMap, arena: &mut [u8]) {
        let mut rest = &self.bytes[..];
        self.set.each_run(|row, count| {
            let range = map.range(row, count);
            let (own, others) = rest.split_at(range.len());
            arena[range].copy_from_slice(own);
            rest = others;
        });
    }
}

/// An answer and what changed.
#[derive(Clone)]
struct Outcome {
    answer: Option<Answer>,
    small: AlignedBytes,
    written: Rows,
}

impl Outcome {
    fn of(map: &RowMap, answer: Option<Answer>, state: &State) -> Self {
        let written = Rows::of(map, &state.tracker.log.written, &state.arena);
        Outcome { answer, small: state.small.clone(), written }
    }
}

/// Cases that were kept, and where candidates are run on them.
struct Docket<'a> {
    map: RowMap,
    backgrounds: Vec<AlignedBytes>,
    lineup: Lineup,
    /// The background that the line-up has, and `after`.
    epoch: usize,
    overlay: Overlay,
    after: State,
    dictionary: &'a Dictionary<'a>,
    /// Candidates that were refuted.
    banned: BTreeSet<usize>,
    /// Candidates that were made, alone or several at once.
    made: HashMap<Vec<usize>, Box<dyn Target>>,
    /// Candidates that explain a case alone: of those from one on, tried on so many cases of so many that differ.
    passed: BTreeMap<(usize, usize, usize), Vec<usize>>,
    /// Of how many cases nothing alone was found to explain a good part.
    unclear: usize,
    /// Cases of which it is known how many steps they take, and these steps.
    known: (u64, u64),
    /// Whether those that are not tried before the others are tried on plainer cases too: there some of so many fit by luck.
    looks_further: bool,
    /// How often a case was taken to make a plainer one of it.
    turn: usize,
    /// Steps that candidates took so far, about, …
    spent: Rc<Cell<u64>>,
    /// … and after which no more of them are looked at.
    most_spent: u64,
}

impl<'a> Docket<'a> {
    fn new(generator: &Generator, dictionary: &'a Dictionary<'a>, most_spent: u64) -> Self {
        let layout = generator.isa.layout;
        Docket {
            map: RowMap::new(layout),
            backgrounds: Vec::new(),
            lineup: Lineup::new(generator),
            epoch: usize::MAX,
            overlay: Overlay { rows: RowSet::default(), arena: AlignedBytes::zeroed(layout.arena_bytes) },
            after: State::zeroed(layout),
            dictionary,
            banned: BTreeSet::new(),
            made: HashMap::new(),
            passed: BTreeMap::new(),
            unclear: 0,
            known: (0, 0),
            looks_further: false,
            turn: 0,
            spent: Rc::default(),
            most_spent,
        }
    }

    /// Runs a candidate on a case and says whether it does what `what` says; nothing if it refuses the case, and so says nothing
    /// of it.
    fn does(&mut self, set: &[usize], case: &Kept, what: &Outcome) -> Option<bool> {
        let dictionary = self.dictionary;
        let mut made = std::mem::take(&mut self.made);
        let candidate = made.entry(set.to_vec()).or_insert_with(|| (dictionary.make)(set));
        let agrees = self.exhibit(case, what, |lineup, exhibit| lineup.says(&mut **candidate, exhibit));
        self.made = made;
        self.spend(RUN + self.steps_of(case));
        agrees.unwrap_or(Some(false))
    }

    /// Whether no more candidates are looked at.
    fn is_spent(&self) -> bool {
        self.spent.get() > self.most_spent
    }

    /// Notes that something took so many steps.
    fn spend(&self, steps: u64) {
        self.spent.set(self.spent.get() + steps);
    }

    /// Steps that a case takes: as many as others on average, if that is not known.
    fn steps_of(&self, case: &Kept) -> u64 {
        case.matter.get().map_or_else(|| self.average_steps(), |matter| matter.steps)
    }

    fn average_steps(&self) -> u64 {
        let (cases, steps) = self.known;
        (steps / cases.max(1)).max(1)
    }

    /// Whether a candidate may do anything else in a case than the pages say. Beside other mistakes it may where this says that it
    /// does not, which other cases show.
    fn matters(&mut self, candidate: usize, case: &Kept) -> bool {
        self.matter_of(case).each[candidate]
    }

    /// The same, but of a case that was hardly asked about it is not found out: that takes longer than to try some candidates. What
    /// does not matter does what the pages say.
    fn may_matter(&mut self, candidate: usize, case: &Kept) -> bool {
        if case.matter.get().is_none() && case.asked.get() < ASKED_BLINDLY {
            case.asked.set(case.asked.get() + 1);
            return true;
        }
        self.matters(candidate, case)
    }

    /// What may matter in a case.
    fn matter_of<'c>(&mut self, case: &'c Kept) -> &'c Matter {
        let dictionary = self.dictionary;
        case.matter.get_or_init(|| {
            let mut matter = Matter::default();
            self.exhibit(case, &case.right, |lineup, exhibit| {
                lineup.watch(exhibit, |step, state| matter = (dictionary.matters)(step, state));
            });
            self.known = (self.known.0 + 1, self.known.1 + matter.steps);
            matter
        })
    }

    /// Shows a case with what was done in it; nothing if it was not answered.
    fn exhibit<T>(
        &mut self,
        case: &Kept,
        what: &Outcome,
        look: impl FnOnce(&mut Lineup, &Exhibit<'_>) -> T,
    ) -> Option<T> {
        if self.epoch != case.epoch {
            self.epoch = case.epoch;
            self.lineup.set_background(&self.backgrounds[case.epoch]);
            self.after.arena.copy_from_slice(&self.backgrounds[case.epoch]);
        }
        let answer = what.answer?;
        self.overlay.rows.clone_from(&case.overlay.set);
        case.overlay.put(&self.map, &mut self.overlay.arena);
        case.overlay.put(&self.map, &mut self.after.arena);
        what.written.put(&self.map, &mut self.after.arena);
        self.after.small.copy_from_slice(&what.small);
        self.after.tracker.log.written.clone_from(&what.written.set);
        let (code, before, overlay, after) = (&case.code, &case.before, &self.overlay, &self.after);
        let result = look(&mut self.lineup, &Exhibit { code, before, overlay, answer, after });
        let touched = [&case.overlay.set, &what.written.set];
        self.map.copy(touched, &self.backgrounds[case.epoch], &mut self.after.arena);
        Some(result)
    }

    /// Whether the causes found so far, with one more candidate always or none, foretell what `what` says; nothing if they say
    /// nothing of the case.
    fn foretells(&mut self, causes: &[Found], more: Option<usize>, case: &Kept, what: &Outcome) -> Option<bool> {
        let mut set: Vec<usize> =
            causes.iter().filter(|cause| cause.holds(case)).map(|cause| cause.candidate).chain(more).collect();
        set.sort_unstable();
        set.dedup();
        self.does(&set, case, what)
    }

    /// What explains cases that differ: what is known, and what comes to it, most first.
    fn causes(
        &mut self,
        mut causes: Vec<Found>,
        most: usize,
        (diverging, agreeing): (&[Kept], &[Kept]),
        tools: &mut Tools<'_>,
    ) -> Vec<Found> {
        while causes.len() < most && !(tools.is_over)() {
            let (mut left, mut done) = (Vec::new(), Vec::new());
            for case in diverging {
                match self.foretells(&causes, None, case, case.done()) {
                    Some(false) => left.push(case),
                    _ => done.push(case),
                }
            }
            if left.is_empty() {
                break;
            }
            let others = (&done[..], agreeing);
            // What explains a good part of them at once is found soonest.
            let is_clear = |found: &Found| 4 * found.explained >= left.len();
            let clear = |docket: &mut Self, tools: &mut Tools<'_>| {
                let look = docket.cheapest(&left);
                let (few, rest) = look.split_at(FEW_LOOK.min(look.len()));
                let is_costly = few.iter().any(|case| docket.steps_of(case) > COSTLY);
                let made: Vec<Kept> = few
                    .iter()
                    .filter(|_| is_costly)
                    .filter_map(|case| docket.plainer(case, &causes, false, tools))
                    .collect();
                let plainer: Vec<&Kept> = made.iter().collect();
                let (few, rest) = if plainer.is_empty() { (few, rest) } else { (&plainer[..], &[][..]) };
                let (plain, further) = docket.dictionary.ranges();
                let mut guarded: Option<Found> = None;
                let mut part: Option<Found> = None;
                let mut bases = BTreeSet::new();
                let runs = (FEW_STEPS / docket.matter_of(few[0]).steps.max(1)) as usize;
                let some = |of: &Range<usize>| &few[..(runs / of.len().max(1)).clamp(1, few.len())];
                for (look, candidates) in [(some(&plain), plain.clone()), (some(&further), further), (rest, plain)] {
                    let is_plain = candidates.end <= docket.dictionary.plain;
                    let candidates = if causes.is_empty() {
                        docket.passing(candidates, look, left.len())
                    } else {
                        candidates.collect()
                    };
                    let explaining = docket.explaining(&causes, candidates, look, (&left, Some(agreeing)));
                    bases.extend(explaining.iter().map(|(candidate, _)| *candidate));
                    let best = docket.best(&causes, explaining, false, &left, others).filter(is_clear);
                    // One mistake needs no conditions, so what has some waits for what has none; of so many more some of them
                    // always fit, though seldom all that there is.
                    let is_all = |found: &Found| found.explained == left.len();
                    let best = best.filter(|found| is_plain || found.guard.is_empty() || is_all(found));
                    match best {
                        Some(found) if found.guard.is_empty() && (part.is_none() || is_all(&found)) => {
                            let found = docket.widened(found, &causes, few, &left, others);
                            // What a plain one explains in part another one may explain altogether.
                            if is_plain && causes.is_empty() && !is_all(&found) {
                                part = Some(found);
                                continue;
                            }
                            return Some(found);
                        }
                        _ if part.is_some() => return part,
                        Some(found)
                            if !is_plain && found.explained == left.len() && weight(&found.guard) <= FEW_LEVELS =>
                        {
                            return Some(found);
                        }
                        best => guarded = [guarded, best].into_iter().flatten().min_by_key(Found::rank),
                    }
                }
                guarded.or_else(|| {
                    // Each changes less than the same in all places, so that this may explain nothing.
                    let places = docket.dictionary.everywhere..docket.dictionary.len;
                    let is_cheap = runs >= few.len() * places.len();
                    let candidates = if is_cheap { places.collect() } else { docket.dictionary.in_places(&bases) };
                    let explaining = docket.explaining(&causes, candidates, few, (&left, Some(agreeing)));
                    docket.best(&causes, explaining, false, &left, others).filter(is_clear)
                })
            };
            let is_first = causes.is_empty();
            let mut found = None;
            if is_first && self.unclear != left.len() {
                found = clear(self, tools);
                self.unclear = if found.is_none() { left.len() } else { 0 };
            }
            // Where several mistakes come together few cases show one alone; a plainer one does.
            let mut plain: Vec<Kept> = Vec::new();
            for keeps_words in [true, false] {
                for _ in 0..PLAINER.min(left.len()) {
                    if found.is_some() || (tools.is_over)() {
                        break;
                    }
                    let case = left[self.turn % left.len()];
                    self.turn += 1;
                    let one = self.plainer(case, &causes, keeps_words, tools);
                    let Some(one) = one.filter(|one| !plain.iter().any(|known| known.is_same(one))) else { continue };
                    let before: Vec<&Kept> = left.iter().copied().chain(&plain).collect();
                    let all = [&before[..], &[&one]].concat();
                    let explaining = self.explaining(&causes, self.dictionary.ranges().0, &[&one], (&all, None));
                    found = self.best(&causes, explaining, true, &before, others);
                    plain.push(one);
                }
            }
            if found.is_none() && !is_first {
                found = clear(self, tools);
            }
            // What explains more seldom is not found among so many cases, but in a plainer one.
            let looks = if self.looks_further { &plain[..] } else { &[] };
            for one in looks {
                if found.is_some() || (tools.is_over)() {
                    break;
                }
                let all: Vec<&Kept> = left.iter().copied().chain(&plain).collect();
                let explaining = self.explaining(&causes, self.dictionary.ranges().1, &[one], (&all, None));
                found = self.best(&causes, explaining, true, &all, others);
            }
            let Some(found) = found else { break };
            causes.push(found);
        }
        causes
    }

    /// A plainer case that the causes do not foretell either.
    fn plainer(&mut self, case: &Kept, causes: &[Found], keeps_words: bool, tools: &mut Tools<'_>) -> Option<Kept> {
        self.spend(PLAINER_RUNS as u64 * ASK);
        tools.plainer(case, causes, keeps_words, &mut self.backgrounds)
    }

    /// The cases that take the fewest steps, as many as are looked at.
    fn cheapest<'c>(&mut self, cases: &[&'c Kept]) -> Vec<&'c Kept> {
        let mut look = cases.to_vec();
        look.sort_by_cached_key(|case| self.matter_of(case).steps);
        look.truncate(FIRST_LOOK);
        look
    }

    /// The candidates that explain a case of `look`, with the cases of `left` that they explain, most first. If cases that agree are
    /// given, a good part is to be explained: what explains few of the cheapest ones is left out, and of many that explain as many those
    /// that spoil one of the first that agree.
    fn explaining<'c>(
        &mut self,
        causes: &[Found],
        candidates: impl IntoIterator<Item = usize>,
        look: &[&Kept],
        (left, agreeing): (&[&'c Kept], Option<&[Kept]>),
    ) -> Vec<(usize, Vec<&'c Kept>)> {
        // What explains none of the first ones is looked at no further.
        let explains_any = |candidate: &usize| self.explains_any(causes, *candidate, look);
        let mut found: Vec<usize> = candidates.into_iter().filter(explains_any).collect();
        found.retain(|candidate| !self.banned.contains(candidate));
        if let Some(agreeing) = agreeing {
            let second: Vec<&Kept> = self.cheapest(left).into_iter().take(SECOND_LOOK).collect();
            let mut explains = |candidate, case: &Kept| !self.is_spent() && self.explains(causes, candidate, case);
            let count = |candidate| second.iter().filter(|case| explains(candidate, case)).count();
            let counts: BTreeMap<usize, usize> = found.iter().copied().zip(found.iter().copied().map(count)).collect();
            let most = counts.values().max().copied().unwrap_or_default();
            let least = if most == second.len() { most } else { (most / 2).max(second.len() / LEAST_OF_SECOND) };
            found.retain(|candidate| counts[candidate] >= least);
            let mut spoiling = BTreeSet::new();
            if found.len() > MOST_EXPLAINING {
                let first = agreeing.iter().take(FIRST_BORNE);
                let spoils = |candidate: &&usize| first.clone().any(|case| self.is_against(causes, **candidate, case));
                spoiling.extend(found.iter().filter(spoils).copied());
            }
            let rank =
                |candidate: &usize| (std::cmp::Reverse(counts[candidate]), spoiling.contains(candidate), *candidate);
            found.sort_by_key(rank);
            found.truncate(MOST_EXPLAINING);
        }
        let mut explaining: Vec<(usize, Vec<&Kept>)> = Vec::new();
        for candidate in found {
            if self.is_spent() {
                break;
            }
            let explained = left.iter().copied().filter(|case| self.explains(causes, candidate, case));
            explaining.push((candidate, explained.collect()));
        }
        explaining.sort_by_key(|(candidate, explained)| (std::cmp::Reverse(explained.len()), *candidate));
        explaining
    }

    /// Whether a candidate explains a case together with the causes found so far.
    fn explains(&mut self, causes: &[Found], candidate: usize, case: &Kept) -> bool {
        self.matters(candidate, case) && self.foretells(causes, Some(candidate), case, case.done()) == Some(true)
    }

    /// Whether a candidate explains any of some cases, while candidates are looked at.
    fn explains_any(&mut self, causes: &[Found], candidate: usize, look: &[&Kept]) -> bool {
        !self.is_spent() && look.iter().any(|case| self.explains(causes, candidate, case))
    }

    /// Candidates that explain a case of `look` alone. What is looked for again, since what was found first was refuted, is known.
    fn passing(&mut self, candidates: Range<usize>, look: &[&Kept], left: usize) -> Vec<usize> {
        let key = (candidates.start, look.len(), left);
        if let Some(known) = self.passed.get(&key) {
            return known.clone();
        }
        let passing: Vec<usize> = candidates.filter(|candidate| self.explains_any(&[], *candidate, look)).collect();
        self.passed.insert(key, passing.clone());
        passing
    }

    /// The candidate that explains most, and changes nothing of what is foretold of the other cases. If all that are given explain a
    /// plain case, which shows one mistake, it has no conditions, and may hardly change anything.
    fn best(
        &mut self,
        causes: &[Found],
        explaining: Vec<(usize, Vec<&Kept>)>,
        is_plain: bool,
        left: &[&Kept],
        (done, agreeing): (&[&Kept], &[Kept]),
    ) -> Option<Found> {
        let most = explaining.first()?.1.len();
        let mut found: Vec<(Found, Vec<u64>)> = Vec::new();
        for (candidate, explained) in explaining {
            // What explains less can only win if nothing that explains more has a guard.
            let is_less = |(best, _): &(Found, _)| explained.len() < best.explained;
            if 2 * explained.len() < most || found.first().is_some_and(is_less) || self.is_spent() {
                break;
            }
            let guard = if is_plain {
                self.is_borne(causes, candidate, left, (done, agreeing)).then(Vec::new)
            } else {
                self.guard(causes, candidate, &explained, agreeing.iter().chain(done.iter().copied()))
            };
            let Some(guard) = guard else { continue };
            // Of what plain cases show alone, new cases can bring the bits that are lacking.
            let lacking = self.bits_lacking(&explained, weight(&guard));
            if lacking > 0 && !is_plain {
                continue;
            }
            let ids = explained.iter().map(|case| case.id.key()).collect();
            found.push((Found { candidate, guard, explained: explained.len(), class: vec![candidate], lacking }, ids));
        }
        found.sort_by_key(|(found, _)| found.rank());
        let mut found = found.into_iter();
        let (mut best, ids) = found.next()?;
        // Those that explain the same by as short a guard stay in question.
        best.class.extend(
            found.filter(|(other, own)| *own == ids && other.guard == best.guard).map(|(other, _)| other.candidate),
        );
        Some(best)
    }

    /// What explains more at the same place than what was found, if anything does: what is wrong there cannot be found beside it.
    fn widened(
        &mut self,
        found: Found,
        causes: &[Found],
        look: &[&Kept],
        left: &[&Kept],
        others: (&[&Kept], &[Kept]),
    ) -> Found {
        if found.explained == left.len() {
            return found;
        }
        let there = (self.dictionary.at_place_of)(found.candidate);
        let explaining = self.explaining(causes, there, look, (left, Some(others.1)));
        let better = self.best(causes, explaining, false, left, others);
        better.filter(|better| better.guard.is_empty() && better.explained > found.explained).unwrap_or(found)
    }

    /// The conditions under which a candidate is right in what it explains and changes nothing of what is foretold of others.
    fn guard<'c>(
        &mut self,
        causes: &[Found],
        candidate: usize,
        explained: &[&Kept],
        others: impl Iterator<Item = &'c Kept>,
    ) -> Option<Vec<Atom>> {
        let mut against: Vec<&Kept> = Vec::new();
        for (place, case) in others.enumerate() {
            if self.is_against(causes, candidate, case) {
                against.push(case);
            }
            // Most are refuted by the first few.
            let is_tried = (place + 1) % AGREEING_AT_ONCE == 0 || place < AGREEING_AT_ONCE && place.is_power_of_two();
            if self.is_spent() || is_tried && guard_between(explained, &against).is_none() {
                return None;
            }
        }
        guard_between(explained, &against)
    }

    /// Whether a candidate spoils what the causes found so far foretell of a case.
    fn is_against(&mut self, causes: &[Found], candidate: usize, case: &Kept) -> bool {
        // What the causes found so far spoil is not this candidate's doing.
        let matters = if causes.is_empty() { self.may_matter(candidate, case) } else { self.matters(candidate, case) };
        matters && self.foretells(causes, Some(candidate), case, case.done()) == Some(false)
    }

    /// Whether a candidate departs from the pages much more often where the target does than elsewhere. Another mistake may hide
    /// one now and then.
    fn is_borne(
        &mut self,
        causes: &[Found],
        candidate: usize,
        left: &[&Kept],
        (done, agreeing): (&[&Kept], &[Kept]),
    ) -> bool {
        let apart = (agreeing.len() / BORNE).max(1);
        let others: Vec<&Kept> = agreeing.iter().step_by(apart).take(BORNE).chain(done.iter().copied()).collect();
        // What spoils several times as many of the first ones as it may of all is looked at no further.
        let first = others.iter().take(FIRST_BORNE).filter(|case| self.is_against(causes, candidate, case)).count();
        if first * HIDDEN > 4 * FIRST_BORNE {
            return false;
        }
        let departs = left
            .iter()
            .filter(|case| self.matters(candidate, case) && self.does(&[candidate], case, &case.right) == Some(false))
            .count();
        let most = others.len() * departs / (HIDDEN * left.len().max(1));
        others.iter().filter(|case| self.is_against(causes, candidate, case)).nth(most).is_none()
    }

    /// How many more wrong bits cases would have to have than so many candidates, with so many conditions, explain by luck.
    fn bits_lacking(&self, explained: &[&Kept], conditions: usize) -> u32 {
        let bits: u32 = explained.iter().map(|case| wrong_bits(case).min(64)).sum();
        let of_axes = explained.first().map_or(1, |case| case.levels.len() * 4).max(2).ilog2();
        (self.dictionary.len.max(2).ilog2() + 1 + conditions as u32 * of_axes + BEYOND_LUCK).saturating_sub(bits)
    }

    /// Asks the target for new cases on which causes and their rivals differ, and takes out what is refuted.
    fn refuted(
        &mut self,
        mut causes: Vec<Found>,
        diverging: &[Kept],
        asker: &mut Asker,
        (most, drawn, steps): (u64, u64, u64),
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Cause> {
        let mut counts = vec![Counts::default(); causes.len()];
        let is_told = |case: &Kept| self.foretells(&causes, None, case, case.done()) != Some(false);
        let whole = causes.len() == 1 && diverging.iter().all(is_told);
        let cells: Vec<u32> = diverging.iter().map(|case| case.id.cell).collect();
        let (mut asked, mut number, mut watched, mut refused) = (0, 0, 0, 0);
        // Whether something is left that the causes do not foretell.
        let mut is_left = false;
        // Where few cases tell, some of them are enough.
        let (spent, begun) = (Rc::clone(&self.spent), self.spent.get());
        let is_long = |number| number >= drawn / 8 || spent.get() - begun >= steps / REFUTING_SHARE;
        let is_enough = |asked, number| asked >= most || is_long(number) && asked >= 4 * ENOUGH;
        let is_stopped = || is_over() || spent.get() - begun > steps / MOST_REFUTING_SHARE;
        let mut epoch = None;
        while !is_enough(asked, number) && number < drawn && refused < REFUSED && !causes.is_empty() && !is_stopped() {
            // Whatever its cell is, it is none that was asked before.
            let mut id = CaseId { index: number, ..asker.bench.generator.id(number) };
            // Every other case is of a cell in which the target was seen to differ.
            if number % 2 == 1 {
                id.cell = cells[(mix64(number) % cells.len() as u64) as usize];
            }
            // The background of an epoch takes the place of the one before, which the line-up may have.
            if epoch.replace(crate::epoch_of(number)) != Some(crate::epoch_of(number)) {
                self.epoch = usize::MAX;
            }
            number += 1;
            self.spend(ASK);
            let Some(mut case) = asker.case(&id, &mut self.backgrounds, false) else { continue };
            let is_telling = self.is_telling(&causes, &case);
            if !is_telling && (is_left || watched >= WATCHED) {
                continue;
            }
            let backgrounds = std::mem::take(&mut self.backgrounds);
            let answers = asker.ask(&mut case, &backgrounds);
            self.backgrounds = backgrounds;
            if answers.is_none() {
                refused += 1;
                continue;
            }
            if is_telling {
                asked += 1;
                self.weigh(&mut causes, &mut counts, &case, whole);
            } else {
                watched += 1;
            }
            // What is wrong as often as that will not be right in the end.
            if counts.iter().all(|counts| counts.wrong >= CLEARLY_WRONG && counts.is_refuted()) {
                break;
            }
            let may_be_left = !is_left && (is_telling || case.got.is_some());
            is_left |= may_be_left && self.foretells(&causes, None, &case, case.done()) == Some(false);
        }
        let mut result = Vec::new();
        for (found, counts) in causes.into_iter().zip(counts) {
            // Now and then another mistake comes in between; what is wrong as often as right is none. Each case that is foretold
            // has a wrong bit at least.
            if counts.is_refuted() || counts.right < u64::from(found.lacking) {
                self.banned.extend(found.class);
                continue;
            }
            // It was over before anything was asked of it.
            if counts.right == 0 && is_over() {
                continue;
            }
            let is_bordered = (0..found.guard.len()).all(|place| counts.border(place) >= AT_A_BORDER);
            let is_established = !is_left && counts.wrong == 0 && counts.right >= ENOUGH && is_bordered;
            let tier = if is_established { Tier::Established } else { Tier::Consistent };
            let Found { class, guard, explained, .. } = found;
            let alone = counts.alone;
            result.push(Cause {
                alone,
                class,
                guard,
                tier,
                explained,
                survived: counts.right,
                rivals: counts.rivals,
                cases: Vec::new(),
                shared: Vec::new(),
            });
        }
        result
    }

    /// Leaves out causes without which as many cases are foretold: what was found first may be a part of what was found later, and two
    /// may undo each other. What was left out comes back when what took its place was refuted.
    fn leave_needed(&mut self, causes: &mut Vec<Cause>, left_out: &mut Vec<Cause>, diverging: &[Kept]) {
        for cause in std::mem::take(left_out) {
            if cause.class.iter().any(|member| self.banned.contains(member)) {
                continue;
            }
            let all: Vec<Found> = causes.iter().chain([&cause]).map(Found::of).collect();
            let some: Vec<usize> = (0..all.len()).collect();
            let without = self.told(&all, &some[..causes.len()], diverging);
            let is_needed = self.told(&all, &some, diverging) > without;
            if is_needed { &mut *causes } else { &mut *left_out }.push(cause);
        }
        let all: Vec<Found> = causes.iter().map(Found::of).collect();
        let mut left: Vec<usize> = (0..all.len()).collect();
        let mut told = self.told(&all, &left, diverging);
        let singles = (0..all.len()).map(|one| vec![one]);
        let pairs = (0..all.len()).flat_map(|one| (0..one).map(move |other| vec![other, one]));
        for out in singles.chain(pairs).filter(|_| all.len() > 1) {
            let without: Vec<usize> = left.iter().copied().filter(|place| !out.contains(place)).collect();
            if without.len() + out.len() == left.len() && !without.is_empty() {
                let still_told = self.told(&all, &without, diverging);
                if still_told >= told {
                    (left, told) = (without, still_told);
                }
            }
        }
        let mut place = 0..;
        left_out.extend(causes.extract_if(.., |_| place.next().is_some_and(|place| !left.contains(&place))));
    }

    /// How many cases some of the causes foretell.
    fn told(&mut self, causes: &[Found], some: &[usize], cases: &[Kept]) -> usize {
        let causes: Vec<Found> = some.iter().map(|&place| causes[place].clone()).collect();
        cases.iter().filter(|case| self.foretells(&causes, None, case, case.done()) != Some(false)).count()
    }

    /// Whether causes foretell something that the pages do not say, or their rivals something else.
    fn is_telling(&mut self, causes: &[Found], case: &Kept) -> bool {
        let mut departs = |causes: &[Found]| self.foretells(causes, None, case, &case.right) == Some(false);
        if departs(causes) {
            return true;
        }
        let mut others = causes.to_vec();
        for (place, cause) in causes.iter().enumerate() {
            for &member in &cause.class[1..] {
                others[place].candidate = member;
                if departs(&others) {
                    return true;
                }
            }
            // A guard may be too narrow.
            others[place] = Found { guard: Vec::new(), ..cause.clone() };
            if !cause.guard.is_empty() && departs(&others) {
                return true;
            }
            others[place] = cause.clone();
        }
        false
    }

    /// Holds causes and their rivals against what the target did. `whole` says that there is one, and nothing that it does not
    /// explain.
    fn weigh(&mut self, causes: &mut [Found], counts: &mut [Counts], case: &Kept, whole: bool) {
        for place in 0..causes.len() {
            let mut without = causes.to_vec();
            let cause = without.remove(place);
            if !cause.holds(case) {
                // A guard that is too narrow leaves out what it would explain.
                let failing: Vec<usize> =
                    (0..cause.guard.len()).filter(|&atom| !cause.guard[atom].holds(&case.levels)).collect();
                let wider = [&without[..], &[Found { guard: Vec::new(), ..cause }]].concat();
                let is_foretold = self.foretells(causes, None, case, case.done()) != Some(false);
                let is_missed = !is_foretold && self.foretells(&wider, None, case, case.done()) == Some(true);
                counts[place].wrong += u64::from(is_missed);
                if let [atom] = failing[..]
                    && is_foretold
                    && self.foretells(&wider, None, case, case.done()) == Some(false)
                {
                    counts[place].borders.push(atom);
                }
                continue;
            }
            let alone = self.foretells(&without, None, case, case.done());
            let (mut right, mut wrong) = (Vec::new(), Vec::new());
            for &member in &cause.class {
                match self.foretells(&without, Some(member), case, case.done()) {
                    Some(false) => wrong.push(member),
                    _ => right.push(member),
                }
            }
            if right.is_empty() {
                // Another mistake may come in between, but not where the others foretell the case alone.
                counts[place].wrong += u64::from(whole || alone == Some(true));
                continue;
            }
            counts[place].right += u64::from(alone == Some(false));
            if counts[place].alone.is_none() && self.does(&right[..1], case, case.done()) == Some(true) {
                counts[place].alone = case.got.is_some().then_some(case.id);
            }
            counts[place].rivals.extend(wrong.iter().map(|&member| (member, case.id)));
            causes[place].candidate = right[0];
            causes[place].class = right;
        }
    }
}

/// How new cases went.
#[derive(Clone, Default)]
struct Counts {
    right: u64,
    wrong: u64,
    /// Of each case in which one condition of the guard alone did not hold, and the target did not do what it forbids: which.
    borders: Vec<usize>,
    rivals: Vec<(usize, CaseId)>,
    alone: Option<CaseId>,
}

impl Counts {
    fn is_refuted(&self) -> bool {
        self.wrong * 8 > self.right
    }

    fn border(&self, place: usize) -> u64 {
        self.borders.iter().filter(|&&atom| atom == place).count() as u64
    }
}

/// A cause while it is looked for.
#[derive(Clone)]
struct Found {
    candidate: usize,
    guard: Vec<Atom>,
    explained: usize,
    class: Vec<usize>,
    /// Wrong bits that it has yet to explain so that it is no luck.
    lacking: u32,
}

impl Found {
    fn of(cause: &Cause) -> Self {
        let Cause { class, guard, explained, .. } = cause.clone();
        Found { candidate: class[0], guard, explained, class, lacking: 0 }
    }

    /// What explains most comes first, with few conditions.
    fn rank(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.explained), weight(&self.guard), self.candidate)
    }

    fn holds(&self, case: &Kept) -> bool {
        self.guard.iter().all(|atom| atom.holds(&case.levels))
    }
}

/// What it takes to make plainer cases of those that nothing explains yet.
struct Tools<'a> {
    suite: &'a IsaSuite,
    reference: Box<dyn Reference>,
    minimizer: Minimizer,
    trial: Trial<'a>,
    asker: Asker,
    name: String,
    is_over: &'a dyn Fn() -> bool,
}

impl<'a> Tools<'a> {
    fn new(
        suite: &'a IsaSuite,
        factory: &TargetFactory,
        dictionary: &'a Dictionary<'a>,
        asker: Asker,
        is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        Tools {
            suite,
            reference: (suite.reference)(),
            minimizer: Minimizer::new(suite, factory),
            trial: Trial::new(suite, factory, dictionary),
            asker,
            name: factory.info.name.clone(),
            is_over,
        }
    }

    /// A case of which whatever is not needed is put back to the base state, and which the causes do not foretell either.
    fn plainer(
        &mut self,
        case: &Kept,
        causes: &[Found],
        keeps_words: bool,
        backgrounds: &mut Vec<AlignedBytes>,
    ) -> Option<Kept> {
        let CaseId { instruction, edition, .. } = case.id;
        let layout = self.suite.isa.layout;
        let mut value = CaseValue::base(self.suite.isa, instruction, edition);
        value.code = case.code;
        value.take_small(&case.before);
        let mut arena = self.suite.isa.base_state().arena;
        case.overlay.put(&RowMap::new(layout), &mut arena);
        case.overlay.set.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            value.take_row(bank, row, &arena[layout.banks[bank].row_range(row)]);
        });
        let differences = self.minimizer.run(&value).unwrap_or_default();
        let key = Signature::of(&instruction.path(), &self.name, layout, &differences)?;
        let trial = &self.trial;
        let broken = || causes.iter().map(|cause| (&cause.guard[..], cause.candidate));
        let also = |value: &CaseValue| !trial.is_foretold_by(broken(), value);
        let plain = self.minimizer.plainer(&value, Some(&key), (PLAINER_RUNS, keeps_words), &also, self.is_over)?;
        self.kept(&plain, case.id, backgrounds)
    }

    /// A case by value, with what the pages promise and what the target does.
    fn kept(&mut self, value: &CaseValue, id: CaseId, backgrounds: &mut Vec<AlignedBytes>) -> Option<Kept> {
        let (map, mut state) = (RowMap::new(self.suite.isa.layout), value.state());
        let epoch = *self.asker.epochs.entry(u64::MAX).or_insert_with(|| {
            backgrounds.push(self.suite.isa.base_state().arena);
            backgrounds.len() - 1
        });
        let (before, overlay) = (state.small.clone(), Rows::of(&map, &value.rows(), &state.arena));
        let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
        let answer = self.reference.execute(&step, &mut state).required_answer()?;
        let levels = value.with_parts(|parts| levels_of(value.instruction, value.edition, parts));
        let right = Outcome::of(&map, Some(answer), &state);
        let mut kept = Kept {
            id,
            epoch,
            code: value.code,
            before,
            levels,
            overlay,
            right,
            got: None,
            matter: OnceCell::new(),
            asked: Cell::new(0),
        };
        self.asker.ask(&mut kept, backgrounds)?;
        kept.got.is_some().then_some(kept)
    }
}

/// Where cases come from and the target is asked.
struct Asker {
    bench: Workbench,
    target: Box<dyn Target>,
    state: State,
    map: RowMap,
    /// Epochs, and the place of the background of each.
    epochs: BTreeMap<u64, usize>,
    /// Whether the backgrounds of all epochs are kept, or only that of the last one.
    keeps_all: bool,
}

impl Asker {
    fn new(suite: &IsaSuite, factory: &TargetFactory, generator: Generator) -> Self {
        let layout = suite.isa.layout;
        Asker {
            bench: Workbench::new(generator, &suite.with_targets(Vec::new())),
            target: factory.make(),
            state: State::zeroed(layout),
            map: RowMap::new(layout),
            epochs: BTreeMap::new(),
            keeps_all: true,
        }
    }

    /// The place of the background that the generator has.
    fn place(&mut self, epoch: u64, backgrounds: &mut Vec<AlignedBytes>) -> usize {
        if let Some(&place) = self.epochs.get(&epoch) {
            return place;
        }
        let arena = self.bench.generator.arena().clone();
        let before = if self.keeps_all { None } else { self.epochs.pop_first() };
        let place = before.map_or(backgrounds.len(), |(_, place)| place);
        match backgrounds.get_mut(place) {
            Some(background) => *background = arena,
            None => backgrounds.push(arena),
        }
        self.epochs.insert(epoch, place);
        place
    }

    /// The case with what the pages promise, and what the target does; nothing if nothing is promised, or it refuses.
    fn case(&mut self, id: &CaseId, backgrounds: &mut Vec<AlignedBytes>, asks: bool) -> Option<Kept> {
        self.bench.enter_epoch(id.index);
        let epoch = self.place(crate::epoch_of(id.index), backgrounds);
        let (instruction, edition) = (self.bench.generator.instruction, self.bench.generator.edition);
        let (map, state, mut kept) = (&self.map, &mut self.state, None);
        self.bench.capture(id, |expectation, code, before, after| {
            let Some(answer) = expectation.required_answer() else { return };
            state.arena.copy_from_slice(&backgrounds[epoch]);
            state.small.copy_from_slice(before);
            let overlay = &after.tracker.overlay;
            let levels = with_parts(code, before, &SaltPlan::default(), |parts| levels_of(instruction, edition, parts));
            kept = Some(Kept {
                id: *id,
                epoch,
                code: *code,
                before: state.small.clone(),
                levels,
                overlay: Rows::of(map, &overlay.rows, &overlay.arena),
                right: Outcome::of(map, Some(answer), after),
                got: None,
                matter: OnceCell::new(),
                asked: Cell::new(0),
            });
        });
        let mut kept = kept?;
        if asks {
            self.ask(&mut kept, backgrounds)?;
        }
        Some(kept)
    }

    /// Asks the target; nothing if it refuses.
    fn ask(&mut self, kept: &mut Kept, backgrounds: &[AlignedBytes]) -> Option<()> {
        let (instruction, edition) = (self.bench.generator.instruction, self.bench.generator.edition);
        let state = &mut self.state;
        state.arena.copy_from_slice(&backgrounds[kept.epoch]);
        state.small.copy_from_slice(&kept.before);
        kept.overlay.put(&self.map, &mut state.arena);
        state.tracker.clear();
        let step = Step { instruction, edition, code: &kept.code };
        self.target.reset();
        let answer = guarded(|| self.target.execute(&step, state)).ok();
        let got = Outcome::of(&self.map, answer, state);
        state.tracker.clear();
        if answer == Some(Answer::Unsupported) {
            return None;
        }
        let mut arena = backgrounds[kept.epoch].clone();
        kept.overlay.put(&self.map, &mut arena);
        kept.right.written.put(&self.map, &mut arena);
        let same = answer == kept.right.answer && *got.small == *kept.right.small && *arena == *state.arena;
        kept.got = (!same).then_some(got);
        Some(())
    }
}

/// The cases of a campaign in their order, asked of the target in the first slot.
struct Scan {
    bench: Workbench,
    asked: u64,
    datums: u64,
}

impl Scan {
    /// Some more cases, below a number: those for which something is promised and which the target does not refuse, with what
    /// differed.
    fn batch(&mut self, most: u64, is_over: &dyn Fn() -> bool) -> Vec<Sighted> {
        const BATCH: u64 = 128;
        let Scan { bench, asked, datums } = self;
        let first = *asked;
        let (mut promised, mut outcomes) = (Vec::new(), Vec::new());
        let foreign = bench.slots[0].foreign;
        while *asked < most && *asked - first < BATCH {
            let id = bench.generator.id(*asked);
            if !bench.generator.in_epoch(id.index) {
                if *asked > first {
                    break;
                }
                bench.enter_epoch(id.index);
            }
            let ran = if foreign { bench.gather(&id, *asked) } else { bench.run(&id) };
            (*asked, *datums) = (*asked + 1, *datums + ran.datums);
            let is_promised = ran.expectation.required_answer().is_some();
            promised.push((is_promised, Sighted { id, differences: Vec::new(), cases: *asked, datums: *datums }));
            if !foreign {
                outcomes.push((promised.len() - 1, bench.outcomes()[0].clone()));
            }
        }
        if foreign {
            let settled = bench.settle(0, is_over);
            outcomes.extend(settled.map(|(number, outcome, _)| ((number - first) as usize, outcome.clone())));
            bench.clear_gathered();
        }
        let answered = outcomes.into_iter().filter_map(|(place, outcome)| {
            let (is_promised, case) = promised[place].clone();
            match outcome {
                CaseOutcome::Diverged(differences) => Some(Sighted { differences, ..case }),
                CaseOutcome::Agreed if is_promised => Some(case),
                _ => None,
            }
        });
        answered.collect()
    }
}

/// The shortest conditions that hold in all of `explained` and not all at once in any of `others`, as far as taking the best
/// one each time finds them: each of one level if those do, or else each of all levels of an axis that speak against it.
fn guard_between(explained: &[&Kept], others: &[&Kept]) -> Option<Vec<Atom>> {
    guard_of(explained, others, false).or_else(|| guard_of(explained, others, true))
}

fn guard_of(explained: &[&Kept], others: &[&Kept], takes_several: bool) -> Option<Vec<Atom>> {
    let mut left: Vec<&Kept> = others.to_vec();
    let mut guard = Vec::new();
    let num_axes = explained.first().map_or(0, |case| case.levels.len());
    while !left.is_empty() {
        if guard.len() == MOST_ATOMS {
            return None;
        }
        let mut best: Option<(usize, Atom)> = None;
        for axis in 0..num_axes {
            // Of each level how many cases have it.
            let count = |cases: &[&Kept]| {
                let mut counts = [0_usize; 256];
                cases.iter().for_each(|case| counts[usize::from(case.levels[axis])] += 1);
                counts
            };
            let (own, against) = (count(explained), count(&left));
            let levels = |is: &dyn Fn(usize) -> bool| (0..=u8::MAX).filter(|&level| is(level.into())).collect();
            let foreign: BTreeSet<u8> = levels(&|level| own[level] == 0 && against[level] > 0);
            let own: BTreeSet<u8> = levels(&|level| own[level] > 0);
            let is = (own.len() == 1).then_some(Atom { axis, levels: own, has: true });
            let is_none = |levels: BTreeSet<u8>| Atom { axis, levels, has: false };
            let is_not: Vec<Atom> = if takes_several {
                vec![is_none(foreign)]
            } else {
                foreign.into_iter().map(|level| is_none([level].into())).collect()
            };
            for atom in is.into_iter().chain(is_not) {
                let held: usize = atom.levels.iter().map(|&level| against[usize::from(level)]).sum();
                let excluded = if atom.has { left.len() - held } else { held };
                if best.as_ref().is_none_or(|(most, _)| excluded > *most) {
                    best = Some((excluded, atom));
                }
            }
        }
        let (excluded, atom) = best?;
        if excluded == 0 {
            return None;
        }
        left.retain(|case| atom.holds(&case.levels));
        guard.push(atom);
    }
    Some(guard)
}

/// How many bits of what a target did differ from what the pages promise.
fn wrong_bits(case: &Kept) -> u32 {
    let Some(got) = &case.got else { return 0 };
    let bits = |left: &[u8], right: &[u8]| left.iter().zip(right).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
    let same_rows = case.right.written.bytes.len() == got.written.bytes.len();
    let rows = if same_rows { bits(&case.right.written.bytes, &got.written.bytes) } else { 32 };
    (rows + bits(&case.right.small, &got.small)).max(1)
}

/// Looks for what a target does wrong in an instruction. The target is the first of the suite; `seen` are cases of the source in
/// which it is known to differ.
///
/// What is found depends on the target, the source and the dictionary alone, unless it is over before.
#[must_use]
pub fn diagnose(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    source: &CaseSource,
    seen: &[Sighted],
    dictionary: &Dictionary<'_>,
    limits: &DiagnoseLimits,
    is_over: &dyn Fn() -> bool,
) -> Diagnosis {
    let Some(factory) = suite.targets.first() else { return Diagnosis::default() };
    let generator = || source.generator(suite.isa, (instruction, edition));
    let bench = Workbench::new(generator(), &suite.with_targets(vec![factory.clone()]));
    if bench.slots.is_empty() {
        return Diagnosis::default();
    }
    let mut scan = Scan { bench, asked: 0, datums: 0 };
    let mut docket = Docket::new(&generator(), dictionary, limits.steps);
    let spent = Rc::clone(&docket.spent);
    let is_searched = || is_over() || spent.get() > limits.steps;
    let asker = Asker::new(suite, factory, generator());
    let mut tools = Tools::new(suite, factory, dictionary, asker, &is_searched);
    // The new cases have operands and an order of their own.
    let anew = source.anew(suite.isa, mix64(source.seed) >> 16);
    let anew = anew.generator(suite.isa, (instruction, edition));
    let mut refuter = Asker { keeps_all: false, ..Asker::new(suite, factory, anew) };
    let mut in_order: Option<Sighted> = None;
    let mut differs = |asker: &mut Asker, docket: &mut Docket<'_>, seen: &Sighted| {
        let case = asker.case(&seen.id, &mut docket.backgrounds, true)?;
        if case.got.is_none() && !seen.differences.iter().any(Difference::is_of_order) {
            in_order.get_or_insert_with(|| seen.clone());
        }
        case.got.is_some().then_some(case)
    };
    let (mut diverging, mut sighted): (Vec<Kept>, Vec<Sighted>) =
        seen.iter().filter_map(|seen| Some((differs(&mut tools.asker, &mut docket, seen)?, seen.clone()))).unzip();
    let (mut agreeing, mut causes, mut left_out) = (Vec::new(), Vec::<Cause>::new(), Vec::new());
    for round in 0..ROUNDS {
        if causes.len() >= limits.causes {
            break;
        }
        // What a frequent mistake hides is looked for among the cases that it does not explain.
        let found: Vec<Found> = causes.iter().map(Found::of).collect();
        let (before, most) = (diverging.len(), diverging.len() + limits.diverging);
        let beyond = limits.beyond.min((limits.steps / BEYOND_SHARE / docket.average_steps()).max(LEAST_BEYOND));
        let until = if round == 0 { limits.cases } else { limits.cases.min(scan.asked + beyond) };
        let lacks = |agreeing: &Vec<Kept>| round == 0 && agreeing.len() < limits.agreeing;
        while scan.asked < until && !is_over() {
            // Of what shows seldom half as many cases do.
            let is_seldom = round == 0 && 2 * scan.asked >= until;
            if diverging.len() >= if is_seldom { most / 2 } else { most } && !lacks(&agreeing) {
                break;
            }
            let asked = scan.asked;
            let batch = scan.batch(until, is_over);
            // What it takes to find the first ones is not the search's.
            docket.spend(if round == 0 { 0 } else { (scan.asked - asked) * ASK });
            for seen in batch {
                if seen.differences.is_empty() {
                    if agreeing.len() < limits.agreeing {
                        agreeing.extend(tools.asker.case(&seen.id, &mut docket.backgrounds, false));
                    }
                } else if diverging.len() < most && sighted.iter().all(|known| known.id.key() != seen.id.key()) {
                    let Some(case) = differs(&mut tools.asker, &mut docket, &seen) else { continue };
                    if docket.foretells(&found, None, &case, case.done()) == Some(false) {
                        diverging.push(case);
                        sighted.push(seen);
                    }
                }
            }
        }
        if round == 0 {
            agreeing.sort_by_key(Kept::cost);
            for case in agreeing.iter().step_by(agreeing.len() / SECOND_LOOK + 1) {
                docket.matter_of(case);
            }
            let enough = (limits.steps / AGREEING_SHARE / docket.average_steps()) as usize;
            agreeing.truncate(enough.max(LEAST_AGREEING));
        }
        if round > 0 && diverging.len() == before && !docket.looks_further || diverging.is_empty() {
            break;
        }
        let known_before = causes.len();
        for _ in 0..ROUNDS {
            let known: Vec<Found> = causes.iter().map(Found::of).collect();
            // What is found first is refuted before anything is built on it.
            let most = if known.is_empty() { 1 } else { limits.causes };
            let found = docket.causes(known, most, (&diverging, &agreeing), &mut tools);
            let count = found.len();
            if count == causes.len() {
                break;
            }
            causes = docket.refuted(found, &diverging, &mut refuter, (FIRST_ASKED, FIRST_DRAWN, limits.steps), is_over);
            docket.leave_needed(&mut causes, &mut left_out, &diverging);
            if is_over() || causes.len() == count && (count != most || count == limits.causes) {
                break;
            }
        }
        // What nothing explains in so many cases nothing explains in more.
        if causes.len() <= known_before {
            let found: Vec<Found> = causes.iter().map(Found::of).collect();
            let mut is_left = |case: &Kept| docket.foretells(&found, None, case, case.done()) == Some(false);
            let is_any_left = !causes.is_empty() && diverging.iter().any(&mut is_left);
            if docket.looks_further || !is_any_left {
                break;
            }
            docket.looks_further = true;
        }
    }
    let found: Vec<Found> = causes.iter().map(Found::of).collect();
    let found_before = found.len();
    let mut causes = docket.refuted(found, &diverging, &mut refuter, (limits.refuting, DRAWN, limits.steps), is_over);
    if causes.len() < found_before {
        docket.leave_needed(&mut causes, &mut left_out, &diverging);
    }
    let found: Vec<Found> = causes.iter().map(Found::of).collect();
    let mut strange = Vec::new();
    for (case, seen) in diverging.iter().zip(sighted) {
        let is_told = docket.foretells(&found, None, case, case.done()) != Some(false);
        let holding: Vec<usize> = (0..found.len()).filter(|&place| found[place].holds(case)).collect();
        let mut explains = |set: &[usize]| {
            let set: Vec<usize> = set.iter().map(|&place| found[place].candidate).collect();
            docket.does(&set, case, case.done()) == Some(true)
        };
        let alone: Vec<usize> = holding.iter().copied().filter(|&place| explains(&[place])).collect();
        if let [place] = alone[..] {
            causes[place].cases.push(seen);
            continue;
        }
        if !is_told && alone.is_empty() {
            strange.push(seen);
            continue;
        }
        let is_needed = |&place: &usize| {
            let others: Vec<usize> = holding.iter().copied().filter(|&other| other != place).collect();
            !explains(&others)
        };
        let needed: Vec<usize> = holding.iter().copied().filter(is_needed).collect();
        let among = [&alone, &needed, &holding].into_iter().find(|among| !among.is_empty());
        for &place in among.into_iter().flatten() {
            causes[place].shared.push(case.id);
        }
    }
    // Plainer cases that were made of them do not count.
    causes.iter_mut().for_each(|cause| cause.explained = cause.cases.len() + cause.shared.len());
    // Where something is left, what was found may be a part of something else.
    if !strange.is_empty() {
        causes.iter_mut().for_each(|cause| cause.tier = Tier::Consistent);
    }
    Diagnosis {
        asked: scan.asked,
        diverging: diverging.len(),
        agreeing: agreeing.len(),
        causes,
        strange,
        in_order,
        over: is_over(),
        costly: spent.get() > limits.steps,
        by_rules: source.held.is_some(),
    }
}
