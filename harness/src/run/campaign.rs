//! A campaign: blocks of cases handed to workers, merged in order, so that a result depends on the cases alone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, Expectation, Instruction, Isa, Misbehaviour};

use crate::bench::Mishap;
use crate::case::{Held, Narrow};
use crate::foreign::End;
use crate::judge::BitsSeen;
use crate::observe::{Observation, REFUSALS, Scope, observe};
use crate::run::{
    block::{BlockResult, Worker},
    checkpoint::{SavedFinding, SavedUnit},
    turns::Turns,
};
use crate::terms::{View, distinct};
use crate::{
    BitCover, CaseId, CaseSource, CaseValue, Checkpoint, CheckpointError, Coverage, Difference, Finding, GREEN,
    IsaSuite, Kind, MinimizeLimits, Minimized, Minimizer, Pools, RUNS_ANEW, Shard, Sighting, Signature, Suite,
    TargetFactory, TupleCover, Workbench, quiet_panics,
};

/// Cases in a block.
pub const BLOCK: u64 = 1024;
/// So many refused cases, where none that completes is answered, make a cell unsupported.
pub const UNSUPPORTED: u64 = REFUSALS;
/// The most cases that a partial target is asked about an instruction, to find out what it answers.
pub const OBSERVE: u64 = 50_000;
/// The part of a budget that may go into that.
pub const OBSERVE_SHARE: u32 = 4;
/// How often a checkpoint is kept.
const KEEP_EVERY: Duration = Duration::from_millis(250);
/// At most one part in so many of the time goes into keeping it.
const KEEP_SHARE: u32 = 50;
/// How long findings are made smaller after the end of a run that has one by the clock.
const MINIMIZE: Duration = Duration::from_secs(2);
/// How long a call to a target may outlive such a run before it is cut.
const CUT: Duration = Duration::from_millis(1500);
/// Blocks of an instruction, one after the other, that a target may spoil in one way before it is given up, …
const SPOILT: u64 = 4;
/// … and where each time costs the limit of a call.
const SPOILT_BY_HANGS: u64 = 2;
/// How often a case is run that is not answered the same each time.
pub(crate) const UNSTEADY: usize = 16;

/// What ends a campaign.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// This many cases, over all instructions and editions.
    Cases(u64),
    /// This much time.
    Time(Duration),
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed, below 2^48.
    pub seed: u64,
    /// When to stop.
    pub budget: Budget,
    /// Number of workers.
    pub threads: usize,
    /// The instructions, each with the editions to run.
    pub units: Vec<(&'static Instruction, Edition)>,
    /// Whether to count three-way combinations of orthogonal axes.
    pub coverage: bool,
    /// Whether findings are minimized, and how far.
    pub minimize: Option<MinimizeLimits>,
    /// Stop after the block that has the first finding.
    pub stop_at_finding: bool,
    /// The most cases that each partial target is asked about each instruction, to find out what it answers, and never
    /// more than a quarter of the budget.
    pub observe: u64,
    /// What each of the units is narrowed to; nothing if none is.
    pub narrow: Vec<Narrow>,
    /// The part of the blocks that is run, if it is not all of them.
    pub shard: Option<Shard>,
    /// For each of the units which of its cells the pages specify ([`crate::specified`]); nothing if that is not known.
    pub specified: Vec<Arc<[bool]>>,
    /// A run by the clock ends once every cell is decided, but not before this time; without it, when its time is over.
    pub decided_after: Option<Duration>,
}

impl Plan {
    /// A plan over `units` with everything else as usual.
    #[must_use]
    pub fn new(seed: u64, budget: Budget, units: Vec<(&'static Instruction, Edition)>) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let minimize = Some(MinimizeLimits::default());
        Plan {
            seed,
            budget,
            threads,
            units,
            coverage: false,
            minimize,
            stop_at_finding: false,
            observe: OBSERVE,
            narrow: Vec::new(),
            shard: None,
            specified: Vec::new(),
            decided_after: None,
        }
    }
}

/// Seen by whoever watches a campaign.
#[derive(Debug, Default)]
pub struct Progress {
    /// Cases done.
    pub cases: AtomicU64,
    /// Divergent cases met.
    pub divergences: AtomicU64,
    /// Cells that are to be decided: all but those of which the pages specify nothing.
    pub cells: AtomicU64,
    /// Those of them that are open.
    pub open: AtomicU64,
    /// Set to end the campaign after the blocks that are under way.
    pub stop: AtomicBool,
    /// When calls to targets that are under way are cut, if the targets were started with a copy of it.
    pub end: End,
}

/// What happened in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCount {
    /// Completed cases on which all targets agreed.
    pub done: u64,
    /// Held cases on which all targets agreed.
    pub blocked: u64,
    /// Cases for which a page promises nothing.
    pub cited: u64,
    /// Cases on which a target diverged.
    pub diverged: u64,
    /// Cases on which a target differed in what is disputed of them, and none diverged.
    pub disputed: u64,
    /// Promised cases that a target refused.
    pub unsupported: u64,
    /// Promised cases that no target refused.
    pub answered: u64,
}

/// How a cell ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellStatus {
    /// At least 32 completed agreements.
    Green,
    /// At least 32 agreed holds, nothing that completes, and few cases that are cited.
    Blocked,
    /// A cited page promises nothing for its cases.
    Cited,
    /// A target diverged in it: it was covered, and is anything but green.
    Diverged,
    /// With the cases in which a target differed only in what is disputed there are at least 32, and without them too few
    /// agreements to be green: nothing wrong was seen, and nothing was shown.
    Disputed,
    /// A target refused at least eight cases for which the pages promise something, and answered none that completes.
    Unsupported,
    /// None of these.
    Hole,
}

impl CellCount {
    /// How the cell ended, if `enough` agreements decide it. A cell of which more than three cases in four are cited is cited,
    /// although a few of them (for example with every column masked) complete; and so is one of which more than half are, if too few
    /// complete. A refusal is neither an agreement nor a citation.
    #[must_use]
    pub fn status(&self, enough: u64) -> CellStatus {
        let promised = self.answered + self.unsupported;
        if self.diverged > 0 {
            CellStatus::Diverged
        } else if self.cited >= enough && self.cited > 3 * promised {
            CellStatus::Cited
        } else if self.done >= enough {
            CellStatus::Green
        } else if self.cited >= enough && self.cited > promised {
            CellStatus::Cited
        } else if self.disputed > 0 && self.done + self.blocked + self.disputed >= enough {
            CellStatus::Disputed
        } else if self.done + self.disputed == 0 && self.unsupported >= UNSUPPORTED.min(enough) {
            CellStatus::Unsupported
        } else if self.blocked >= enough && self.done + self.unsupported == 0 && self.blocked > 3 * self.cited {
            CellStatus::Blocked
        } else {
            CellStatus::Hole
        }
    }

    /// Counts a case that only the reference ran.
    pub(crate) fn take(&mut self, expectation: Expectation) {
        self.answered += u64::from(expectation.required_answer().is_some());
        match expectation {
            Expectation::Done | Expectation::NonContractual(_) => self.done += 1,
            Expectation::Blocked(_) => self.blocked += 1,
            Expectation::Illegal(_)
            | Expectation::Undefined(_)
            | Expectation::Unsupported(_)
            | Expectation::Unspecified(_) => self.cited += 1,
        }
    }

    fn merge(&mut self, other: &CellCount) {
        self.done += other.done;
        self.blocked += other.blocked;
        self.cited += other.cited;
        self.diverged += other.diverged;
        self.disputed += other.disputed;
        self.unsupported += other.unsupported;
        self.answered += other.answered;
    }
}

/// How well the rules of a target foretold what it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foretold {
    /// Cases that no rule refuses, and that were answered.
    pub answered: u64,
    /// Cases that a rule refuses, and that were refused.
    pub refused: u64,
    /// Cases that no rule refuses, and that were refused: nothing explains them.
    pub unexplained: u64,
    /// Cases that a rule refuses, and that were answered.
    pub contradicted: u64,
}

impl Foretold {
    pub(crate) fn merge(&mut self, other: &Foretold) {
        self.answered += other.answered;
        self.refused += other.refused;
        self.unexplained += other.unexplained;
        self.contradicted += other.contradicted;
    }
}

/// How a target that is held to claims kept them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// Cases that it is claimed to answer, and answered.
    pub kept: u64,
    /// Cases that it is claimed to answer, and refused.
    pub broken: u64,
    /// Cases that nobody claimed, and that it answered.
    pub unclaimed: u64,
    /// Cases that nobody claimed, and that it refused.
    pub not_offered: u64,
}

impl Claimed {
    pub(crate) fn add(&mut self, claimed: Option<bool>, refused: bool) {
        match (claimed, refused) {
            (None, _) => {}
            (Some(true), false) => self.kept += 1,
            (Some(true), true) => self.broken += 1,
            (Some(false), false) => self.unclaimed += 1,
            (Some(false), true) => self.not_offered += 1,
        }
    }

    pub(crate) fn merge(&mut self, other: &Claimed) {
        self.kept += other.kept;
        self.broken += other.broken;
        self.unclaimed += other.unclaimed;
        self.not_offered += other.not_offered;
    }
}

/// What happened to one instruction in one edition.
pub struct UnitResult {
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// The partial target that this is about; nothing if it is about all targets that are whole.
    pub target: Option<String>,
    /// What was found out about what the target answers.
    pub observation: Option<Observation>,
    /// How well that foretold what it answered.
    pub foretold: Foretold,
    /// How it kept its claims; nothing if it is held to none.
    pub claimed: Option<Claimed>,
    /// Per cell.
    pub cells: Vec<CellCount>,
    /// Which cells the pages specify, if that is known.
    pub specified: Option<Arc<[bool]>>,
    /// Agreements that decide a cell: [`GREEN`], or one where each was recorded on purpose.
    pub enough: u64,
    /// Three-way coverage of the orthogonal axes, if counted.
    pub coverage: Option<TupleCover>,
    /// Bits of fields seen as 0 and as 1, if counted.
    pub bits: Option<BitCover>,
    /// Some combinations that were not covered.
    pub uncovered: Vec<String>,
    /// What a target did in most cases of each of the last blocks, and how many these are.
    pub spoilt: Option<(Signature, u64)>,
}

impl UnitResult {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new((instruction, edition): (&'static Instruction, Edition)) -> Self {
        UnitResult {
            instruction,
            edition,
            target: None,
            observation: None,
            foretold: Foretold::default(),
            claimed: None,
            cells: vec![CellCount::default(); (instruction.cells)(edition).len()],
            specified: None,
            enough: GREEN,
            coverage: None,
            bits: None,
            uncovered: Vec::new(),
            spoilt: None,
        }
    }

    /// What a target did again and again, so that it was asked no more, and in how many blocks, one after the other.
    #[must_use]
    pub fn given_up(&self) -> Option<&(Signature, u64)> {
        let most = |kind| if kind == Kind::Hang { SPOILT_BY_HANGS } else { SPOILT };
        self.spoilt.as_ref().filter(|(signature, blocks)| *blocks >= most(signature.kind))
    }

    /// The rules by which its cases are drawn, if there are any.
    #[must_use]
    pub fn held(&self, isa: &'static Isa, narrow: &Narrow) -> Option<Arc<Held>> {
        let view = View::new(isa, self.instruction, self.edition);
        let held = self.observation.as_ref().and_then(|observation| observation.held(view));
        if narrow.is_all() {
            return held.map(Arc::new);
        }
        let all = || (0..).take(view.cells.len()).collect();
        let held = held.unwrap_or_else(|| Held::new(view, Arc::default(), Vec::new(), all()));
        Some(Arc::new(held.narrowed(narrow)))
    }

    /// Cases that counted in its cells.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.cells.iter().map(|cell| cell.answered + cell.unsupported + cell.cited).sum()
    }

    /// Cells that the pages specify and of which at least one such case was answered; not those of which only held ones were.
    #[must_use]
    pub fn offered(&self) -> usize {
        let is_left = |cell: &usize| !matches!(self.status(*cell), CellStatus::Cited | CellStatus::Unsupported);
        // A case of a cell of which most are undefined may be wrong, and the cell is no specified one for that.
        let is_specified = |cell: &usize| self.specified.as_ref().is_none_or(|specified| specified[*cell]);
        let cells = (0..self.cells.len()).filter(is_left).filter(is_specified);
        cells.filter(|&cell| self.cells[cell].answered > 0).count()
    }

    /// Cells that the pages specify; where that is not known, those of which a case was seen that they specify.
    #[must_use]
    pub fn promised(&self) -> usize {
        let is_seen = |count: &&CellCount| {
            count.answered + count.unsupported + count.diverged > 0 && count.status(self.enough) != CellStatus::Cited
        };
        match &self.specified {
            Some(specified) => specified.iter().filter(|&&is| is).count(),
            None => self.cells.iter().filter(is_seen).count(),
        }
    }

    /// Whether a target refused something that the pages promise.
    #[must_use]
    pub fn was_refused(&self) -> bool {
        self.cells.iter().any(|cell| cell.unsupported > 0)
    }

    /// Counts what was asked before the campaign: refusals, and that cells were answered.
    fn take_observation(&mut self, observation: Observation) {
        for (cell, &[asked, refused, cited]) in self.cells.iter_mut().zip(&observation.asked) {
            cell.cited += cited;
            cell.unsupported += refused;
            cell.answered += asked - refused;
        }
        self.observation = Some(observation);
    }

    /// How a cell ended. If it is known whether the pages specify it, nothing that was drawn makes it undefined, or specified.
    #[must_use]
    pub fn status(&self, cell: usize) -> CellStatus {
        let count = &self.cells[cell];
        match self.specified.as_ref().map(|specified| specified[cell]) {
            None => count.status(self.enough),
            Some(false) if count.diverged == 0 => CellStatus::Cited,
            Some(_) => CellCount { cited: 0, ..*count }.status(self.enough),
        }
    }

    /// Counts cases of a cell. By how much the number of open cells grows.
    fn add(&mut self, cell: usize, count: &CellCount) -> i64 {
        let before = self.status(cell);
        self.cells[cell].merge(count);
        i64::from(self.status(cell) == CellStatus::Hole) - i64::from(before == CellStatus::Hole)
    }

    /// Cases in which a target differed in what is disputed of them, and none diverged.
    #[must_use]
    pub fn disputed(&self) -> u64 {
        self.cells.iter().map(|cell| cell.disputed).sum()
    }

    /// Number of cells with a status.
    #[must_use]
    pub fn count(&self, status: CellStatus) -> usize {
        (0..self.cells.len()).filter(|&cell| self.status(cell) == status).count()
    }
}

/// The result of a campaign: a function of the cases, the targets and the code alone.
#[derive(Default)]
pub struct CampaignResult {
    /// The seed.
    pub seed: u64,
    /// Per instruction and edition, in the order of the plan.
    pub units: Vec<UnitResult>,
    /// Cases run.
    pub cases: u64,
    /// Words that the reference wrote and targets were compared on.
    pub datums: u64,
    /// Completed cases.
    pub completed: u64,
    /// Findings, by signature.
    pub findings: Vec<Finding>,
    /// Whether it was stopped from outside.
    pub stopped: bool,
    /// Calls to targets that were cut because the time was over. They are neither agreements nor divergences.
    pub unfinished: Vec<Misbehaviour>,
    /// What was not done, for example because the time was over. Not part of the result.
    pub notes: Vec<String>,
    /// How long it took. Not part of the result.
    pub elapsed: Duration,
}

impl CampaignResult {
    /// Cells with a status, summed over instructions and editions.
    #[must_use]
    pub fn count(&self, status: CellStatus) -> usize {
        self.units.iter().map(|unit| unit.count(status)).sum()
    }

    /// All cells, summed over instructions and editions.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.units.iter().map(|unit| unit.cells.len()).sum()
    }
}

/// A campaign.
pub struct Campaign<'a> {
    suite: &'a Suite,
    plan: &'a Plan,
    units: Vec<Unit>,
    /// The pools of each instruction set, which all of its instructions and workers share.
    pools: BTreeMap<&'static str, Arc<Pools>>,
    progress: &'a Progress,
    from: Checkpoint,
    findings: BTreeMap<Signature, Finding>,
    keep: Option<&'a Keep<'a>>,
    enough: Option<&'a Enough<'a>>,
}

/// What is counted together: an instruction in an edition, and a partial target, or all that are whole.
#[derive(Clone, Debug)]
struct Unit {
    instruction: &'static Instruction,
    edition: Edition,
    target: Option<String>,
    narrow: Narrow,
    specified: Option<Arc<[bool]>>,
}

/// The units of a plan: one for all targets that are whole, and one for each partial target.
fn expand(suite: &Suite, plan: &Plan) -> Vec<Unit> {
    let mut units = Vec::new();
    for (place, &(instruction, edition)) in plan.units.iter().enumerate() {
        let narrow = plan.narrow.get(place).cloned().unwrap_or_default();
        // Of a part of a cell's cases the pages may say another thing than of the cell.
        let is_whole = narrow.pins.is_empty() && !narrow.plain;
        let specified = plan.specified.get(place).filter(|_| is_whole).cloned();
        let unit = |target: Option<String>| {
            let (narrow, specified) = (narrow.clone(), specified.clone());
            Unit { instruction, edition, target, narrow, specified }
        };
        let targets = suite.isa(instruction.isa).map_or(&[][..], |isa| &isa.targets);
        let targets = targets.iter().filter(|target| target.implements(instruction));
        let (partial, whole): (Vec<&TargetFactory>, Vec<_>) = targets.partition(|target| target.is_partial());
        let partial = distinct(partial.iter().map(|target| &*target.info.name));
        if !whole.is_empty() || partial.is_empty() {
            units.push(unit(None));
        }
        units.extend(partial.into_iter().map(|name| unit(Some(name.to_string()))));
    }
    units
}

/// Keeps a checkpoint.
type Keep<'a> = dyn Fn(&Checkpoint) + Sync + 'a;
/// Whether there are enough findings.
type Enough<'a> = dyn Fn(&BTreeMap<Signature, Finding>) -> bool + Sync + 'a;

impl<'a> Campaign<'a> {
    /// A campaign of a plan over a suite.
    #[must_use]
    pub fn new(suite: &'a Suite, plan: &'a Plan, progress: &'a Progress) -> Self {
        let (from, findings) = (Checkpoint::default(), BTreeMap::new());
        let units = expand(suite, plan);
        let mut pools = BTreeMap::new();
        for unit in &units {
            let isa = suite.isa(unit.instruction.isa).expect("the plan's instructions are of the suite").isa;
            pools.entry(unit.instruction.isa).or_insert_with(|| Pools::new(isa, plan.seed));
        }
        Campaign { suite, plan, units, pools, progress, from, findings, keep: None, enough: None }
    }

    /// Takes up a campaign of the same plan where it was; what its budget has left is run.
    ///
    /// # Errors
    /// If the checkpoint is of another plan.
    pub fn going_on(mut self, from: Checkpoint) -> Result<Self, CheckpointError> {
        let wrong = |what: &str| Err(CheckpointError(what.to_string()));
        // All but the last of its blocks are whole, whatever budget it had.
        let most = from.blocks.checked_mul(BLOCK);
        let has_all = |most: u64| self.plan.shard.is_some() || most - from.cases < BLOCK;
        if most.is_none_or(|most| from.cases > most || !has_all(most)) {
            return wrong("its blocks do not have its cases");
        }
        if from.units.len() != self.units.len() {
            return wrong("it has another number of instructions, editions and targets");
        }
        for (saved, &Unit { instruction, edition, .. }) in from.units.iter().zip(&self.units) {
            if saved.counts().count() != (instruction.cells)(edition).len() {
                return wrong("an instruction has another number of cells");
            }
            let isa = self.suite.isa(instruction.isa).expect("the plan's instructions are of the suite").isa;
            let view = View::new(isa, instruction, edition);
            if saved.observation.as_ref().is_some_and(|observation| !observation.fits(&view)) {
                return wrong("a target was observed to refuse what no case has");
            }
            if !BitsSeen::fit(&saved.bits, instruction, isa.layout) {
                return wrong("it has bits that no case has");
            }
            let same = match &saved.tuples {
                Some(words) => self.plan.coverage && Coverage::new((instruction.orthogonal)(edition)).go_on(words),
                None => !self.plan.coverage,
            };
            if !same {
                return wrong("other three-way combinations are counted");
            }
        }
        from.check().map_err(CheckpointError)?;
        self.findings = from.findings(self.suite)?;
        let is_own = |finding: &Finding| finding.first.id.seed == self.plan.seed;
        if !self.findings.values().all(is_own) {
            return wrong("it has findings of another seed");
        }
        self.from = from;
        Ok(self)
    }

    /// Has a checkpoint kept about once a second, and whenever there is a new finding.
    #[must_use]
    pub fn kept_by(mut self, keep: &'a Keep<'a>) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Has it end with the first block after which there are enough findings. It is asked after each block that adds to one,
    /// in the order of blocks, and what is run of later blocks counts for nothing: where it ends depends on the cases alone.
    #[must_use]
    pub fn until(mut self, enough: &'a Enough<'a>) -> Self {
        self.enough = Some(enough);
        self
    }

    /// Runs it.
    #[must_use]
    pub fn run(self) -> CampaignResult {
        let begin = Instant::now();
        let mut total = self.beginning();
        if self.units.is_empty() {
            return total;
        }
        let turns = self.turns();
        let Blocks { mut merged, coverages, held } = self.blocks(&mut total, &turns, begin);
        if let (true, Some(keep)) = (self.progress.stop.load(Ordering::Relaxed), self.keep) {
            keep(&self.checkpoint(&merged, &coverages, begin));
        }
        merged.close();
        let Merged { findings, undone: [unjudged, taken_down], .. } = merged;
        total.findings = findings.into_values().collect();
        total
            .notes
            .extend(undone(unjudged, "cases ran among others that went wrong, of which not all were looked for"));
        total.notes.extend(undone(taken_down, "divergences were not run again, because the time was over"));
        total.stopped = self.progress.stop.load(Ordering::Relaxed);
        for (unit, coverage) in total.units.iter_mut().zip(coverages) {
            if let Some(coverage) = coverage {
                let coverage = coverage.into_inner().expect("no worker panics while it merges");
                unit.coverage = Some(coverage.cover());
                unit.uncovered = coverage.missing(8);
                let layout = self.suite.isa(unit.instruction.isa).expect("it is of the suite").isa.layout;
                unit.bits = Some(coverage.seen.cover(unit.instruction, layout));
            }
        }
        total.notes.extend(total.unfinished.iter().map(|cut| {
            format!("{cut}: it may hang, and is no agreement; a longer run, or a shorter --timeout, decides")
        }));
        self.note_given_up(&mut total);
        if let Some(limits) = self.plan.minimize {
            let left = self.minimize_all(&mut total, &held, limits);
            total.notes.extend(undone(
                left,
                "findings were not made as small as they go, because the time was over: run `tandem minimize` on them",
            ));
        }
        self.add_mishaps(&mut total);
        total.elapsed = self.elapsed(begin);
        total
    }

    /// Says which instructions a target was asked no more.
    fn note_given_up(&self, total: &mut CampaignResult) {
        for unit in &total.units {
            if let Some((signature, blocks)) = unit.given_up() {
                let Signature { instruction, target, place, kind } = signature;
                let what = if place == "-" { kind.name().to_string() } else { format!("{} in {place}", kind.name()) };
                total.notes.push(format!(
                    "given up on {instruction} after {blocks} blocks in which {target} did the same ({what}): the cells that are \
                     left were not decided"
                ));
            }
        }
    }

    /// Adds what targets did instead of answering when it was found out what they answer, if no case of the campaign showed it.
    fn add_mishaps(&self, total: &mut CampaignResult) {
        for unit in &total.units {
            let Some(observation) = &unit.observation else { continue };
            let target = unit.target.clone().unwrap_or_default();
            let isa = self.suite.isa(unit.instruction.isa).expect("it is of the suite").isa;
            for Mishap { cell, differences } in &observation.mishaps {
                let signature = Signature::of(&unit.instruction.path(), &target, isa.layout, differences);
                let Some(signature) = signature.filter(|own| total.findings.iter().all(|one| one.signature != *own))
                else {
                    continue;
                };
                let (instruction, edition, seed) = (unit.instruction, unit.edition, self.plan.seed);
                let id = CaseId { isa: isa.name, instruction, edition, cell: *cell, seed, index: 0 };
                let first = Sighting { by_value: true, ..Sighting::new(id, differences.clone(), None) };
                total.findings.push(Finding::new(signature, first));
            }
        }
        total.findings.sort_by(|one, other| one.signature.cmp(&other.signature));
    }

    /// Runs the blocks of the plan's shard, and does nothing that is done once for all shards. Gives how far it came, and
    /// whether that is to its end.
    #[must_use]
    pub fn run_shard(self) -> (Checkpoint, bool) {
        let begin = Instant::now();
        let (mut total, turns) = (self.beginning(), self.turns());
        let Blocks { merged, coverages, held: _ } = self.blocks(&mut total, &turns, begin);
        let checkpoint = self.checkpoint(&merged, &coverages, begin);
        (checkpoint, !self.progress.stop.load(Ordering::Relaxed))
    }

    /// Only finds out what partial targets answer: the checkpoint before the first block, and whether all were asked.
    #[must_use]
    pub fn run_observation(self) -> (Checkpoint, bool) {
        quiet_panics();
        let begin = Instant::now();
        let (mut total, turns) = (self.beginning(), self.turns());
        self.observe(&mut total, begin);
        let merged = self.merged(&mut total, &turns);
        let checkpoint = self.checkpoint(&merged, &self.coverages(), begin);
        (checkpoint, !self.progress.stop.load(Ordering::Relaxed))
    }

    /// Runs blocks until the budget is used up or somebody stops it.
    fn blocks<'r>(&'r self, total: &'r mut CampaignResult, turns: &'r Turns, begin: Instant) -> Blocks<'r> {
        quiet_panics();
        let units = &self.units;
        if let Budget::Time(time) = self.plan.budget {
            self.progress.end.set(begin + time.saturating_sub(self.from.elapsed()) + CUT);
        }
        self.observe(total, begin);
        let held: Vec<Option<Arc<Held>>> = total
            .units
            .iter()
            .zip(units)
            .map(|(result, unit)| result.held(self.suite_of(unit).isa, &unit.narrow))
            .collect();
        let coverages = self.coverages();
        let next = AtomicU64::new(self.from.blocks);
        let ended = AtomicBool::new(false);
        let merged = Mutex::new(self.merged(total, turns));
        let kept = Mutex::new((begin, KEEP_EVERY));
        self.progress.cases.store(self.from.cases, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for _ in 0..self.plan.threads.max(1) {
                scope.spawn(|| {
                    let mut workers: Vec<Option<Worker>> = units.iter().map(|_| None).collect();
                    while !self.over(begin, &ended) {
                        let Some((block, cases)) = self.take(&next, turns) else { break };
                        let (unit, number) = turns.turn(block);
                        let is_given_up = {
                            let mut merged = merged.lock().expect("no worker panics while it merges");
                            let is_given_up = merged.total.units[unit].given_up().is_some();
                            if is_given_up {
                                merged.add(block, BlockResult::default());
                            }
                            is_given_up
                        };
                        if is_given_up {
                            if merged.lock().expect("no worker panics while it merges").is_all_given_up() {
                                break;
                            }
                            continue;
                        }
                        let worker = workers[unit].get_or_insert_with(|| self.worker(&units[unit], held[unit].clone()));
                        let result = worker.block(number, cases, &|| self.is_late(begin));
                        self.progress.cases.fetch_add(result.cases, Ordering::Relaxed);
                        let divergences = result.findings.values().map(|finding| finding.count).sum();
                        self.progress.divergences.fetch_add(divergences, Ordering::Relaxed);
                        if self.plan.stop_at_finding && !result.findings.is_empty() {
                            ended.store(true, Ordering::Relaxed);
                        }
                        if let (Some(all), Some(own)) = (&coverages[unit], worker.coverage()) {
                            all.lock().expect("no worker panics while it merges").merge(own);
                        }
                        let mut merged = merged.lock().expect("no worker panics while it merges");
                        if result.cases < cases {
                            merged.cut.insert(block, result);
                            break;
                        }
                        let is_news = merged.add(block, result);
                        self.progress.open.store(merged.open.unsigned_abs(), Ordering::Relaxed);
                        if merged.is_enough || merged.open == 0 && self.is_late_enough(begin) {
                            ended.store(true, Ordering::Relaxed);
                        }
                        let Some(keep) = self.keep else { continue };
                        let mut kept = kept.lock().expect("no worker panics while it keeps");
                        let now = Instant::now();
                        if is_news || now - kept.0 >= kept.1 {
                            keep(&self.checkpoint(&merged, &coverages, begin));
                            // A long checkpoint is kept less often, so that it costs little.
                            *kept = (Instant::now(), KEEP_EVERY.max(now.elapsed() * KEEP_SHARE));
                        }
                    }
                });
            }
        });
        Blocks { merged: merged.into_inner().expect("no worker panics while it merges"), coverages, held }
    }

    /// The next block that is this campaign's own, and how many cases it has; nothing if the budget has none.
    fn take(&self, next: &AtomicU64, turns: &Turns) -> Option<(u64, u64)> {
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            let cases = self.cases_of(block)?;
            if is_own(self.plan.shard, turns, block) {
                return Some((block, cases));
            }
        }
    }

    fn turns(&self) -> Turns {
        Turns::of(self.units.iter().map(|unit| (unit.instruction.cells)(unit.edition).len()))
    }

    /// What was merged before the first block that is to be run.
    fn merged<'r>(&'r self, total: &'r mut CampaignResult, turns: &'r Turns) -> Merged<'r> {
        let open = total.count(CellStatus::Hole) as u64;
        let undefined = |unit: &UnitResult| unit.specified.iter().flat_map(|of| of.iter()).filter(|&&is| !is).count();
        let cells = total.cells() - total.units.iter().map(undefined).sum::<usize>();
        self.progress.cells.store(cells as u64, Ordering::Relaxed);
        self.progress.open.store(open, Ordering::Relaxed);
        Merged {
            open: open as i64,
            next: self.from.blocks,
            waiting: BTreeMap::new(),
            total,
            findings: self.findings.clone(),
            cut: BTreeMap::new(),
            undone: self.from.undone,
            turns,
            shard: self.plan.shard,
            enough: self.enough,
            is_enough: false,
            datums_of_blocks: self.from.datums_of_blocks.clone(),
        }
    }

    /// The result before the first block that is to be run.
    fn beginning(&self) -> CampaignResult {
        let is_held = |unit: &Unit| self.suite_of(unit).targets.iter().any(|target| target.claimed().is_some());
        let new = |unit: &Unit| UnitResult {
            target: unit.target.clone(),
            claimed: is_held(unit).then(Claimed::default),
            specified: unit.specified.clone(),
            ..UnitResult::new((unit.instruction, unit.edition))
        };
        let mut units: Vec<UnitResult> = self.units.iter().map(new).collect();
        for (unit, saved) in units.iter_mut().zip(&self.from.units) {
            unit.cells = saved.counts().collect();
            unit.observation = saved.observation.clone();
            unit.foretold = saved.foretold;
            unit.claimed = saved.claimed;
            unit.spoilt.clone_from(&saved.spoilt);
        }
        CampaignResult {
            seed: self.plan.seed,
            units,
            cases: self.from.cases,
            datums: self.from.datums,
            completed: self.from.completed,
            ..CampaignResult::default()
        }
    }

    /// Three-way coverage of each unit before the first block that is to be run, if it is counted.
    fn coverages(&self) -> Vec<Option<Mutex<Coverage>>> {
        let begin = |(index, &Unit { instruction, edition, .. }): (usize, &Unit)| {
            let mut coverage = Coverage::new((instruction.orthogonal)(edition));
            if let Some(saved) = self.from.units.get(index) {
                let same = saved.tuples.as_deref().is_none_or(|words| coverage.go_on(words));
                assert!(same, "a checkpoint is looked at before it is taken up");
                coverage.seen.go_on(saved.bits.clone());
            }
            self.plan.coverage.then(|| Mutex::new(coverage))
        };
        self.units.iter().enumerate().map(begin).collect()
    }

    /// How far it is.
    fn checkpoint(&self, merged: &Merged<'_>, coverages: &[Option<Mutex<Coverage>>], begin: Instant) -> Checkpoint {
        let covered = |coverage: &Option<Mutex<Coverage>>| {
            let coverage = coverage.as_ref()?.lock().expect("no worker panics while it merges");
            Some((coverage.words().to_vec(), coverage.seen.words()))
        };
        let units = merged.total.units.iter().zip(coverages);
        Checkpoint {
            blocks: merged.next,
            seconds: self.elapsed(begin).as_secs_f64(),
            cases: merged.total.cases,
            datums: merged.total.datums,
            completed: merged.total.completed,
            units: units.map(|(unit, coverage)| SavedUnit::of(unit, covered(coverage))).collect(),
            findings: merged.findings.values().map(SavedFinding::of).collect(),
            undone: merged.undone,
            datums_of_blocks: merged.datums_of_blocks.clone(),
        }
    }

    /// How long it has run, with what ran before.
    fn elapsed(&self, begin: Instant) -> Duration {
        begin.elapsed().saturating_add(self.from.elapsed())
    }

    fn over(&self, begin: Instant, ended: &AtomicBool) -> bool {
        self.is_late(begin) || ended.load(Ordering::Relaxed)
    }

    /// Whether the run may end because every cell is decided.
    fn is_late_enough(&self, begin: Instant) -> bool {
        self.plan.decided_after.is_some_and(|least| self.elapsed(begin) >= least)
    }

    /// Whether not even the blocks under way are brought to their end.
    fn is_late(&self, begin: Instant) -> bool {
        let late = matches!(self.plan.budget, Budget::Time(time) if self.elapsed(begin) >= time);
        late || self.progress.stop.load(Ordering::Relaxed)
    }

    /// How many cases block `block` has, or nothing if the budget has no such block.
    fn cases_of(&self, block: u64) -> Option<u64> {
        match self.plan.budget {
            Budget::Time(_) => Some(BLOCK),
            Budget::Cases(cases) => {
                let left = cases.saturating_sub(block * BLOCK);
                (left > 0).then_some(left.min(BLOCK))
            }
        }
    }

    /// The instruction set of a unit, with the targets that it is about.
    fn suite_of(&self, unit: &Unit) -> IsaSuite {
        let suite = self.suite.isa(unit.instruction.isa).expect("the plan's instructions are of the suite");
        let is_of = |factory: &&TargetFactory| match &unit.target {
            Some(name) => factory.is_partial() && factory.info.name == *name,
            None => !factory.is_partial(),
        };
        suite.with_targets(suite.targets.iter().filter(is_of).cloned().collect())
    }

    fn bench(&self, unit: &Unit, held: Option<Arc<Held>>) -> Workbench {
        let suite = self.suite_of(unit);
        let pools = Arc::clone(&self.pools[unit.instruction.isa]);
        let source = CaseSource { seed: self.plan.seed, pools, held };
        Workbench::new(source.generator(suite.isa, (unit.instruction, unit.edition)), &suite)
    }

    fn worker(&self, unit: &Unit, held: Option<Arc<Held>>) -> Worker {
        let mut bench = self.bench(unit, held);
        bench.coverage = self.plan.coverage.then(|| Coverage::new(bench.generator.orthogonal));
        Worker::new(bench)
    }

    /// Finds out what partial targets answer, each unit for itself, where no checkpoint says so.
    fn observe(&self, total: &mut CampaignResult, begin: Instant) {
        let asked = |(place, unit): (usize, &UnitResult)| {
            (unit.target.is_some() && unit.observation.is_none()).then_some(place)
        };
        let left: Vec<usize> = total.units.iter().enumerate().filter_map(asked).collect();
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.plan.threads.clamp(1, left.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let step = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&place) = left.get(step) else { break };
                        if self.progress.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let mut bench = self.bench(&self.units[place], None);
                        let narrow = Some(&self.units[place].narrow);
                        let scope = Scope { narrow, ..self.scope(begin, left.len() - step) };
                        let observation = observe(&mut bench, scope);
                        let cut = bench.take_unfinished();
                        found.lock().expect("no worker panics while it keeps").push((place, observation, cut));
                    }
                });
            }
        });
        for (place, observation, cut) in found.into_inner().expect("no worker panics while it keeps") {
            total.units[place].take_observation(observation);
            total.unfinished.extend(cut);
        }
    }

    /// How far the next of `left` units may be asked.
    fn scope(&self, begin: Instant, left: usize) -> Scope<'_> {
        let count = |number: usize| u32::try_from(number.max(1)).unwrap_or(u32::MAX);
        let (mut cases, mut until) = (self.plan.observe, None);
        match self.plan.budget {
            Budget::Cases(all) => cases = cases.min(all / u64::from(OBSERVE_SHARE * count(self.units.len()))),
            Budget::Time(all) => {
                let left_of_it = (all / OBSERVE_SHARE).saturating_sub(self.elapsed(begin));
                let at_once = count(self.plan.threads.min(left));
                until = Some(Instant::now() + left_of_it * at_once / count(left));
            }
        }
        Scope { cases, until, stop: Some(&self.progress.stop), narrow: None }
    }

    /// Makes the first cases of all findings smaller, as far as there is time. Returns how many could have gone further.
    fn minimize_all(&self, total: &mut CampaignResult, held: &[Option<Arc<Held>>], limits: MinimizeLimits) -> u64 {
        let is_timed = total.stopped || matches!(self.plan.budget, Budget::Time(_));
        let until = is_timed.then(|| Instant::now() + MINIMIZE);
        if let Some(until) = until {
            self.progress.end.set(until);
        }
        let mut late = 0;
        let findings = total.findings.len();
        for (done, finding) in total.findings.iter_mut().enumerate() {
            // Each has its share of what is left.
            let left = u32::try_from(findings - done).unwrap_or(u32::MAX);
            let now = Instant::now();
            let own = until.map(|until| now + until.saturating_duration_since(now) / left);
            let is_over = || {
                own.is_some_and(|own| Instant::now() >= own)
                    || (!total.stopped && self.progress.stop.load(Ordering::Relaxed))
            };
            self.minimize(finding, held, limits, &is_over);
            late += u64::from(is_over());
        }
        late
    }

    /// Takes a finding's first case by value and makes it smaller.
    fn minimize(
        &self,
        finding: &mut Finding,
        held: &[Option<Arc<Held>>],
        limits: MinimizeLimits,
        is_over: &dyn Fn() -> bool,
    ) {
        let id = finding.first.id;
        let suite = self.suite.isa(id.isa).expect("the finding's instruction set is of the suite");
        let Some(factory) = suite
            .targets
            .iter()
            .find(|factory| factory.info.name == finding.signature.target && factory.info.level == finding.first.level)
        else {
            return;
        };
        let is_of = |unit: &Unit| {
            let name = factory.is_partial().then_some(&factory.info.name);
            std::ptr::eq(unit.instruction, id.instruction) && unit.edition == id.edition && unit.target.as_ref() == name
        };
        let held = self.units.iter().position(is_of).and_then(|unit| held[unit].clone());
        finding.first.by_value = held.is_some();
        minimize_first(&Located { suite, factory, held }, finding, limits, &|_| true, is_over);
    }
}

/// Where a finding is to be looked for again.
pub(crate) struct Located<'a> {
    pub suite: &'a IsaSuite,
    pub factory: &'a TargetFactory,
    /// The rules by which its cases were drawn.
    pub held: Option<Arc<Held>>,
}

/// Takes a finding's first case by value and makes it smaller, as long as something else holds of it.
pub(crate) fn minimize_first(
    at: &Located<'_>,
    finding: &mut Finding,
    limits: MinimizeLimits,
    also: &dyn Fn(&CaseValue) -> bool,
    is_over: &dyn Fn() -> bool,
) {
    let id = finding.first.id;
    let mut minimizer = Minimizer::new(at.suite, at.factory);
    let small = take_drawn(at.suite, &id, at.held.clone(), &mut |_| false);
    let limits = match finding.signature.kind {
        Kind::OrderDependent => return minimize_in_order(at, finding, limits, is_over),
        // What is no divergence of cases at all, or costs the time limit each time, is only looked for once more.
        Kind::Hang => return store_first(at, finding),
        Kind::Nondeterministic => {
            store_first(at, finding);
            return minimize_turns(at, finding, limits, is_over);
        }
        // Each run begins the target anew.
        Kind::Crash | Kind::Malformed => MinimizeLimits { runs: limits.runs.min(RUNS_ANEW) },
        _ => limits,
    };
    let touched = minimizer.touched(&small);
    // The case alone, then with the background of what the target touches, then with all of it.
    let attempts: [&mut dyn FnMut(usize) -> bool; 3] =
        [&mut |_| false, &mut |row_id| touched.contains(row_id), &mut |_| true];
    for keep in attempts {
        let value = take_drawn(at.suite, &id, at.held.clone(), keep);
        finding.minimized = minimizer.minimize_until(&value, &finding.signature, limits, also, is_over);
        // One that went wrong and is right in the end does not show it each time.
        finding.minimized.take_if(|smallest| smallest.differences.is_empty());
        if finding.minimized.is_some() {
            (finding.stored, finding.shows) = (Some(value), true);
            return;
        }
        if is_over() {
            finding.stored = Some(small);
            return;
        }
    }
    finding.stored = Some(small);
    let whole = take_drawn(at.suite, &id, at.held.clone(), &mut |_| true);
    let agrees = || Minimizer::new(at.suite, at.factory).run(&whole).is_some_and(|differences| differences.is_empty());
    if !finding.first.differences.first().is_some_and(Difference::is_of_order) && agrees() {
        // In the run it was wrong alone, after a reset; it is right on an instance that was begun anew.
        finding.first.differences.insert(0, Difference::KeptThroughReset);
    }
    if finding.signature.kind == Kind::Stray {
        minimize_turns(at, finding, limits, is_over);
    }
}

/// Looks for a turn at which the case goes wrong that it runs again and again, and makes as many cases as that takes smaller.
fn minimize_turns(at: &Located<'_>, finding: &mut Finding, limits: MinimizeLimits, is_over: &dyn Fn() -> bool) {
    let id = finding.first.id;
    let mut minimizer = Minimizer::new(at.suite, at.factory);
    let base = std::iter::once(CaseValue::base(at.suite.isa, id.instruction, id.edition));
    let drawn = [false, true].into_iter().map(|whole| take_drawn(at.suite, &id, at.held.clone(), &mut |_| whole));
    let smaller = base.chain(drawn).find_map(|value| {
        minimizer.minimize_turns(&value, &finding.signature, limits, is_over).map(|small| (value, small))
    });
    let Some((value, smaller)) = smaller else { return };
    (finding.stored, finding.stored_after, finding.shows) = (Some(value), smaller.after.clone(), true);
    let is_marked = finding.signature.kind == Kind::Nondeterministic;
    finding.minimized = Some(if is_marked { marked(smaller, finding) } else { smaller });
}

/// A smallest case with the mark that the finding's first case had.
fn marked(mut smaller: Minimized, finding: &Finding) -> Minimized {
    if let (Some(mark), Some(of)) = (smaller.differences.first_mut(), finding.first.differences.first()) {
        mark.clone_from(of);
    }
    smaller
}

/// Makes a case of a finding by value smaller, as long as something else holds of it.
pub(crate) fn minimize_value(
    at: &Located<'_>,
    finding: &mut Finding,
    value: &CaseValue,
    also: &dyn Fn(&CaseValue) -> bool,
    is_over: &dyn Fn() -> bool,
) {
    let mut minimizer = Minimizer::new(at.suite, at.factory);
    let limits = MinimizeLimits::default();
    finding.minimized = minimizer.minimize_until(value, &finding.signature, limits, also, is_over);
    (finding.stored, finding.shows) = (Some(value.clone()), finding.minimized.is_some());
}

/// Takes a finding's first case by value and those that run before it, and makes them fewer and smaller.
fn minimize_in_order(at: &Located<'_>, finding: &mut Finding, limits: MinimizeLimits, is_over: &dyn Fn() -> bool) {
    store_first(at, finding);
    let Some(value) = finding.stored.as_ref().filter(|_| finding.shows && !finding.stored_after.is_empty()) else {
        return;
    };
    let mut minimizer = Minimizer::new(at.suite, at.factory);
    minimizer.after.clone_from(&finding.stored_after);
    let smaller = minimizer.minimize_in_order(value, &finding.signature, limits, is_over);
    if let Some(smaller) = smaller {
        finding.minimized = Some(marked(smaller, finding));
    }
}

/// Takes a finding's first case by value, with those that run before it where order matters, and as much background as it takes
/// to show it.
fn store_first(at: &Located<'_>, finding: &mut Finding) {
    let Sighting { id, after, .. } = finding.first.clone();
    let times = if finding.signature.kind == Kind::Nondeterministic { UNSTEADY } else { 1 };
    for whole in [false, true] {
        let value = take_drawn(at.suite, &id, at.held.clone(), &mut |_| whole);
        let mut minimizer = Minimizer::new(at.suite, at.factory);
        minimizer.after =
            after.iter().map(|after| take_drawn(at.suite, after, at.held.clone(), &mut |_| whole)).collect();
        minimizer.anew = true;
        let differences = minimizer.run_until_different(&value, times).unwrap_or_default();
        finding.shows = match finding.signature.kind {
            Kind::Nondeterministic => !differences.is_empty(),
            kind => differences.iter().map(Difference::kind).min_by_key(|kind| kind.rank()) == Some(kind),
        };
        if finding.shows || !whole {
            (finding.stored, finding.stored_after) = (Some(value), minimizer.after);
        }
        if finding.shows {
            return;
        }
    }
}

/// A generated case by value: its operands, and of the background the rows that `keep` keeps.
#[must_use]
pub fn take_value(suite: &IsaSuite, id: &CaseId, keep: &mut dyn FnMut(usize) -> bool) -> CaseValue {
    take_drawn(suite, id, None, keep)
}

/// The same of a case that was drawn by rules.
pub(crate) fn take_drawn(
    suite: &IsaSuite,
    id: &CaseId,
    held: Option<Arc<Held>>,
    keep: &mut dyn FnMut(usize) -> bool,
) -> CaseValue {
    let source = CaseSource { held, ..CaseSource::new(suite.isa, id.seed) };
    let generator = source.generator(suite.isa, (id.instruction, id.edition));
    Workbench::new(generator, &suite.with_targets(Vec::new())).take_value(id, keep)
}

struct Merged<'a> {
    next: u64,
    /// Cells that are open.
    open: i64,
    waiting: BTreeMap<u64, BlockResult>,
    total: &'a mut CampaignResult,
    findings: BTreeMap<Signature, Finding>,
    /// Blocks that were cut short.
    cut: BTreeMap<u64, BlockResult>,
    /// Cases that count for nothing, and divergences that were taken down as they were seen.
    undone: [u64; 2],
    turns: &'a Turns,
    shard: Option<Shard>,
    enough: Option<&'a Enough<'a>>,
    /// Whether there are enough findings: nothing is merged any more.
    is_enough: bool,
    /// Of a shard, the words that were compared in each of its blocks.
    datums_of_blocks: Vec<u64>,
}

/// What came of the blocks of a campaign.
struct Blocks<'a> {
    merged: Merged<'a>,
    coverages: Vec<Option<Mutex<Coverage>>>,
    held: Vec<Option<Arc<Held>>>,
}

/// Whether a block is run by a shard; by nobody else if there are no shards.
fn is_own(shard: Option<Shard>, turns: &Turns, block: u64) -> bool {
    shard.is_none_or(|shard| shard.has_turn(turns.turn(block)))
}

/// A note on what was not done.
fn undone(count: u64, what: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {what}"))
}

impl Merged<'_> {
    /// Merges blocks in their order, whatever the order in which they were done. Whether a finding is new.
    fn add(&mut self, block: u64, result: BlockResult) -> bool {
        let known = self.findings.len();
        self.waiting.insert(block, result);
        while !self.waiting.is_empty() && !self.is_enough {
            if is_own(self.shard, self.turns, self.next) {
                let Some(result) = self.waiting.remove(&self.next) else { break };
                let has_findings = !result.findings.is_empty();
                self.merge(self.next, result);
                self.is_enough = has_findings && self.enough.is_some_and(|enough| enough(&self.findings));
            }
            self.next += 1;
        }
        self.findings.len() > known
    }

    /// Merges what is left when it is over: blocks that were cut short, and those behind them. They are no part of a
    /// checkpoint, and are run anew by whoever goes on.
    fn close(&mut self) {
        if self.is_enough {
            return;
        }
        let mut rest = std::mem::take(&mut self.waiting);
        rest.append(&mut self.cut);
        for (block, result) in rest {
            self.merge(block, result);
        }
    }

    /// Whether no unit is asked any more.
    fn is_all_given_up(&self) -> bool {
        self.total.units.iter().all(|unit| unit.given_up().is_some())
    }

    fn merge(&mut self, block: u64, result: BlockResult) {
        let (unit, _) = self.turns.turn(block);
        // What is run of the blocks of a unit that was given up counts for nothing.
        if self.total.units[unit].given_up().is_some() {
            if self.shard.is_some() {
                self.datums_of_blocks.push(0);
            }
            return;
        }
        let before = self.total.units[unit].spoilt.take();
        self.total.units[unit].spoilt = result.spoilt.map(|signature| {
            let blocks = before.filter(|(own, _)| *own == signature).map_or(0, |(_, blocks)| blocks);
            (signature, blocks + 1)
        });
        self.total.unfinished.extend(result.unfinished);
        for (cell, count) in &result.cells {
            self.open += self.total.units[unit].add(*cell as usize, count);
        }
        for (signature, mut finding) in result.findings {
            match self.findings.get_mut(&signature) {
                Some(known) => known.merge(&finding),
                None => {
                    // How many words other shards compared before is not known here.
                    let before = self.shard.map_or((self.total.cases, self.total.datums), |_| (block * BLOCK, 0));
                    finding.cases_to_find += before.0;
                    finding.datums_to_find += before.1;
                    self.findings.insert(signature, finding);
                }
            }
        }
        self.total.units[unit].foretold.merge(&result.foretold);
        if let Some(claimed) = &mut self.total.units[unit].claimed {
            claimed.merge(&result.claimed);
        }
        self.total.cases += result.cases;
        self.total.datums += result.datums;
        self.total.completed += result.completed;
        self.undone[0] += result.unjudged;
        self.undone[1] += result.taken_down;
        if self.shard.is_some() {
            self.datums_of_blocks.push(result.datums);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing(CellCount::default(), CellStatus::Hole)]
    #[case::done(CellCount { done: 32, answered: 32, ..CellCount::default() }, CellStatus::Green)]
    #[case::too_few(CellCount { done: 31, answered: 31, ..CellCount::default() }, CellStatus::Hole)]
    #[case::held(CellCount { blocked: 32, answered: 32, ..CellCount::default() }, CellStatus::Blocked)]
    #[case::held_but_few(CellCount { blocked: 97, answered: 97, cited: 32, ..CellCount::default() }, CellStatus::Blocked)]
    #[case::held_but_more(CellCount { blocked: 96, answered: 96, cited: 32, ..CellCount::default() }, CellStatus::Hole)]
    #[case::diverged(CellCount { done: 99, answered: 100, diverged: 1, ..CellCount::default() }, CellStatus::Diverged)]
    #[case::refused(CellCount { unsupported: 8, ..CellCount::default() }, CellStatus::Unsupported)]
    #[case::refused_too_few(CellCount { unsupported: 7, ..CellCount::default() }, CellStatus::Hole)]
    // Of cases that complete none was answered: more of them decide nothing else.
    #[case::only_held(
        CellCount { unsupported: 8, blocked: 99, answered: 99, ..CellCount::default() },
        CellStatus::Unsupported
    )]
    #[case::only_held_and_few(
        CellCount { unsupported: 7, blocked: 99, answered: 99, cited: 2, ..CellCount::default() },
        CellStatus::Hole
    )]
    #[case::few_promised(CellCount { done: 40, answered: 40, cited: 121, ..CellCount::default() }, CellStatus::Cited)]
    #[case::enough_promised(CellCount { done: 40, answered: 40, cited: 120, ..CellCount::default() }, CellStatus::Green)]
    #[case::few_complete(CellCount { done: 26, answered: 35, cited: 101, ..CellCount::default() }, CellStatus::Cited)]
    #[case::too_few_of_half(CellCount { done: 31, answered: 35, cited: 35, ..CellCount::default() }, CellStatus::Hole)]
    #[case::disputed(CellCount { done: 31, disputed: 1, answered: 32, ..CellCount::default() }, CellStatus::Disputed)]
    #[case::disputed_throughout(CellCount { disputed: 32, answered: 32, ..CellCount::default() }, CellStatus::Disputed)]
    #[case::disputed_too_few(CellCount { done: 30, disputed: 1, answered: 31, ..CellCount::default() }, CellStatus::Hole)]
    #[case::disputed_and_green(CellCount { done: 32, disputed: 9, answered: 41, ..CellCount::default() }, CellStatus::Green)]
    #[case::disputed_and_wrong(
        CellCount { disputed: 40, diverged: 1, answered: 41, ..CellCount::default() },
        CellStatus::Diverged
    )]
    #[case::disputed_and_refused(CellCount { disputed: 1, unsupported: 9, answered: 1, ..CellCount::default() }, CellStatus::Hole)]
    #[case::in_part(CellCount { unsupported: 99, done: 1, answered: 1, ..CellCount::default() }, CellStatus::Hole)]
    fn a_cell_ends_as_its_cases_say(#[case] count: CellCount, #[case] status: CellStatus) {
        assert_eq!(count.status(GREEN), status, "{count:?}");
    }
}
