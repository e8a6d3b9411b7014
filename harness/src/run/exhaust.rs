//! The exhaustive tier: every value of an operand domain, in every cell that is asked for.
//!
//! The read port hands out consecutive values instead of drawn ones, so a run is over when the reference has read
//! them all, and nobody computes a footprint. Wide domains are cut into chunks, which are the unit of work and of what
//! can be taken up again after a run was ended.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, Exhaust, Expectation, Feed, Instruction, ReadPort, SaltPlan};

use crate::bench::LoadedCase;
use crate::case::feed::{self, Halves, Values};
use crate::judge::Kind;
use crate::run::Sighting;
use crate::terms::by_key;
use crate::{
    CaseId, CaseOutcome, CaseValue, Difference, Finding, Generator, IsaSuite, MinimizeLimits, Minimizer, Pools,
    Progress, Salter, Signature, Workbench, quiet_panics,
};

/// Width of a chunk of a domain, in bits.
pub const CHUNK_BITS: u32 = 24;
/// Runs of one drawn case on consecutive operands, after which another case of the cell is drawn.
const REPEATS: u64 = 64;
/// How often a target may hang, or misbehave otherwise, before it is asked no more: each time may cost a whole time limit.
const MOST_HANGS: u64 = 4;
const MOST_MISBEHAVIOURS: u64 = 400;

/// A piece of the domain of a cell: the values from `number << 24` on, at most 2^24 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chunk {
    /// The cell.
    pub cell: u32,
    /// Its number within the domain.
    pub number: u32,
}

/// What an exhaustive run saw in one chunk.
#[derive(Debug)]
pub struct ChunkResult {
    /// The chunk.
    pub chunk: Chunk,
    /// Whether it came to its end; else it was stopped on the way, or a target did not answer.
    pub is_whole: bool,
    /// Whether a target misbehaved so often that it is asked no more.
    pub is_given_up: bool,
    /// What came of its values.
    pub seen: ExhaustCell,
    /// Findings, by signature.
    pub findings: BTreeMap<Signature, Finding>,
}

/// What an exhaustive run saw in one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ExhaustCell {
    /// Values of the domain that were read and whose results were compared.
    pub values: u64,
    /// Values that a target refused: they are not compared.
    pub refused: u64,
    /// Values in whose cases a target differs in what is disputed: neither agreements nor findings.
    pub disputed: u64,
    /// Cases that it took.
    pub cases: u64,
    /// Whether the pages promise nothing in this cell.
    pub cited: bool,
}

impl ExhaustCell {
    /// Adds what was seen in a chunk of the cell.
    pub fn add(&mut self, other: ExhaustCell) {
        self.values += other.values;
        self.refused += other.refused;
        self.disputed += other.disputed;
        self.cases += other.cases;
        self.cited |= other.cited;
    }
}

/// The result of an exhaustive run of one instruction in one edition.
#[derive(Debug, Default)]
pub struct ExhaustResult {
    /// The cells.
    pub cells: BTreeMap<u32, ExhaustCell>,
    /// Findings, by signature.
    pub findings: BTreeMap<Signature, Finding>,
    /// Whether a target misbehaved so often that it was asked no more.
    pub is_given_up: bool,
}

impl ExhaustResult {
    fn add(&mut self, result: ChunkResult) {
        let ChunkResult { chunk, is_whole: _, is_given_up, seen, findings } = result;
        self.is_given_up |= is_given_up;
        self.cells.entry(chunk.cell).or_default().add(seen);
        for (signature, finding) in findings {
            self.findings.entry(signature).and_modify(|known| known.merge(&finding)).or_insert(finding);
        }
    }
}

/// The domain of a cell, if it has one that can be enumerated.
#[must_use]
pub fn domain(instruction: &Instruction, edition: Edition, cell: u32) -> Option<Exhaust> {
    (instruction.exhaust)(edition, (instruction.cells)(edition).levels(cell as usize))
}

/// All chunks of a cell, none if it has no domain that can be enumerated.
pub fn chunks(instruction: &Instruction, edition: Edition, cell: u32) -> impl Iterator<Item = Chunk> + use<> {
    let count = domain(instruction, edition, cell).map_or(0, |domain| 1 << domain.bits.saturating_sub(CHUNK_BITS));
    (0..count).map(move |number| Chunk { cell, number })
}

/// Hands out values of the domain where they belong, and drawn ones elsewhere.
struct CountingPort {
    domain: Exhaust,
    next: Arc<AtomicU64>,
    /// The parts of a cut value that were read since it was last looked at, a bit each.
    seen: Arc<AtomicU64>,
    plan: SaltPlan,
    salter: Salter,
    halves: Halves,
}

impl ReadPort for CountingPort {
    fn begin(&mut self, key: u64, plan: &SaltPlan, corners: bool) {
        self.halves.clear();
        self.plan = *plan;
        self.salter.begin(key, plan, corners);
    }

    #[inline]
    fn fill(&mut self, bank: usize, row_id: usize, bytes: &mut [u8]) {
        match self.domain.feed {
            Feed::Rows { bank: counted, data_per_row, .. } if bank == counted => {
                if !feed::is_whole(&self.domain, bytes.len()) {
                    self.salter.fill(bank, row_id, bytes);
                }
                let fresh = || Values { first: self.next.fetch_add(data_per_row as u64, Ordering::Relaxed), step: 1 };
                feed::fill(&self.domain, row_id, bytes, &mut self.halves, fresh);
            }
            Feed::Cut(parts) => match feed::cut(parts, &self.plan, self.next.load(Ordering::Relaxed), row_id, bytes) {
                Some(part) => {
                    self.seen.fetch_or(1 << part, Ordering::Relaxed);
                }
                None => self.salter.fill(bank, row_id, bytes),
            },
            Feed::Rows { .. } => self.salter.fill(bank, row_id, bytes),
        }
    }
}

/// Enumerates chunks of one instruction in one edition.
struct Enumerator<'a> {
    suite: &'a IsaSuite,
    instruction: &'static Instruction,
    edition: Edition,
    bench: Workbench,
    pools: Arc<Pools>,
    next: Arc<AtomicU64>,
    seen: Arc<AtomicU64>,
}

impl<'a> Enumerator<'a> {
    fn new(suite: &'a IsaSuite, instruction: &'static Instruction, edition: Edition) -> Self {
        let pools = Pools::new(suite.isa, 0);
        let generator = Generator::new(suite.isa, instruction, edition, 0, Arc::clone(&pools));
        let bench = Workbench::new(generator, suite);
        let [next, seen] = [(); 2].map(|()| Arc::new(AtomicU64::new(0)));
        Enumerator { suite, instruction, edition, bench, pools, next, seen }
    }

    /// Runs every value of a chunk, or as many as there was time for; nothing if the cell has no domain.
    fn run(&mut self, chunk: Chunk, progress: &Progress) -> Option<ChunkResult> {
        let domain = domain(self.instruction, self.edition, chunk.cell)?;
        let salter = Salter::new(Arc::clone(&self.pools));
        self.bench.set_port(Box::new(CountingPort {
            domain,
            next: Arc::clone(&self.next),
            seen: Arc::clone(&self.seen),
            plan: SaltPlan::default(),
            salter,
            halves: Halves::new(),
        }));
        self.bench.generator.adjust = Some(domain.set);
        self.bench.reset_targets();
        let begin = u64::from(chunk.number) << CHUNK_BITS;
        let end = begin + (1 << domain.bits.min(CHUNK_BITS));
        self.next.store(begin, Ordering::Relaxed);
        let mut result = ChunkResult {
            chunk,
            is_whole: true,
            is_given_up: false,
            seen: ExhaustCell::default(),
            findings: BTreeMap::new(),
        };
        let (mut loaded, mut hangs, mut misbehaviours) = (None, 0, 0);
        while self.next.load(Ordering::Relaxed) < end && !result.seen.cited {
            if progress.stop.load(Ordering::Relaxed) {
                result.is_whole = false;
                break;
            }
            if result.seen.cases.is_multiple_of(REPEATS) {
                progress.cases.fetch_add(result.seen.cases.min(REPEATS), Ordering::Relaxed);
                // The same epoch throughout: what varies is the operand, and from time to time all that is drawn.
                let mut id = self.bench.generator.id(0);
                (id.cell, id.index) = (chunk.cell, result.seen.cases / REPEATS);
                loaded = Some((id, self.bench.load(&id)));
            }
            let Some((id, case)) = &loaded else { break };
            let before = self.next.load(Ordering::Relaxed);
            self.seen.store(0, Ordering::Relaxed);
            let ran = self.bench.run_loaded(id, case);
            result.seen.cases += 1;
            if self.bench.outcomes().iter().any(is_unanswered) {
                result.is_whole = false;
                break;
            }
            // A cut value counts once all of its parts were read.
            let mut counted = true;
            if let Feed::Cut(parts) = domain.feed {
                counted = self.seen.load(Ordering::Relaxed) + 1 == 1 << parts.len();
                self.next.fetch_add(1, Ordering::Relaxed);
            }
            match ran.expectation {
                Expectation::Done | Expectation::NonContractual(_) if counted => {
                    let values = self.next.load(Ordering::Relaxed).min(end) - before;
                    let seen = &mut result.seen;
                    let outcomes = self.bench.outcomes();
                    *(if outcomes.contains(&CaseOutcome::Unsupported) {
                        &mut seen.refused
                    } else if outcomes.iter().any(|one| matches!(one, CaseOutcome::Disputed(_))) {
                        &mut seen.disputed
                    } else {
                        &mut seen.values
                    }) += values;
                }
                Expectation::Done | Expectation::NonContractual(_) => {}
                _ => result.seen.cited = true,
            }
            if self.bench.outcomes().iter().any(|outcome| matches!(outcome, CaseOutcome::Diverged(_))) {
                let mut id = *id;
                // Every run counts as a case of its own.
                id.index = begin + result.seen.cases;
                self.gather((&id, case), before, &mut result.findings, progress);
                hangs += u64::from(self.bench.outcomes().iter().any(|one| has(one, &[Kind::Hang])));
                misbehaviours +=
                    u64::from(self.bench.outcomes().iter().any(|one| has(one, &[Kind::Crash, Kind::Malformed])));
                if hangs >= MOST_HANGS || misbehaviours >= MOST_MISBEHAVIOURS {
                    (result.is_whole, result.is_given_up) = (false, true);
                    break;
                }
            }
        }
        if result.seen.cases > 0 {
            progress.cases.fetch_add((result.seen.cases - 1) % REPEATS + 1, Ordering::Relaxed);
        }
        Some(result)
    }

    /// Adds what the targets did to the findings. The first case of each is taken by value and made smaller: no id leads
    /// back to it, because its operands were counted.
    fn gather(
        &mut self,
        (id, case): (&CaseId, &LoadedCase),
        first_value: u64,
        findings: &mut BTreeMap<Signature, Finding>,
        progress: &Progress,
    ) {
        let (layout, path) = (self.suite.isa.layout, self.instruction.path());
        let diverged: Vec<(usize, Vec<Difference>)> = self
            .bench
            .outcomes()
            .iter()
            .enumerate()
            .filter_map(|(slot, outcome)| Some((slot, outcome.diverged()?.to_vec())))
            .collect();
        for (slot, differences) in diverged {
            let info = self.bench.slots[slot].info.clone();
            let Some(signature) = Signature::of(&path, &info.name, layout, &differences) else { continue };
            let sighting = Sighting::new(*id, differences, info.level);
            if let Some(known) = findings.get_mut(&signature) {
                known.add(&sighting);
                continue;
            }
            let mut finding = Finding::new(signature.clone(), sighting);
            let after = self.next.swap(first_value, Ordering::Relaxed);
            let mut value = CaseValue::base(self.suite.isa, self.instruction, self.edition);
            self.bench.capture_loaded(case, |_, code, small, state| value.take_case(code, small, state));
            self.next.store(after, Ordering::Relaxed);
            let mut minimizer = Minimizer::new(self.suite, &self.suite.targets[self.bench.slots[slot].place]);
            let is_over = || progress.stop.load(Ordering::Relaxed);
            let limits = MinimizeLimits::default();
            finding.minimized = minimizer.minimize_until(&value, &signature, limits, &|_| true, &is_over);
            finding.shows = finding.minimized.is_some();
            finding.stored = Some(value);
            findings.insert(signature, finding);
        }
    }
}

/// Whether a case diverged in one of some kinds.
fn has(outcome: &CaseOutcome, kinds: &[Kind]) -> bool {
    outcome.diverged().is_some_and(|all| all.iter().any(|one| kinds.contains(&one.kind())))
}

/// Whether nobody knows what a target would have answered.
fn is_unanswered(outcome: &CaseOutcome) -> bool {
    has(outcome, &[Kind::Unfinished])
        || matches!(outcome, CaseOutcome::Strayed | CaseOutcome::Unjudged | CaseOutcome::Unanswered)
}

/// Runs every value of the given chunks, and tells of each chunk when it is done, or was stopped on the way.
///
/// Chunks of cells without a domain are left out. What is found does not depend on the number of threads, nor on how
/// often the run was ended and taken up again.
#[must_use]
pub fn exhaust(
    suite: &IsaSuite,
    (instruction, edition): (&'static Instruction, Edition),
    chunks: &[Chunk],
    threads: usize,
    progress: &Progress,
    told: &(dyn Fn(&ChunkResult) + Sync),
) -> ExhaustResult {
    quiet_panics();
    let (next, is_given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done: Mutex<BTreeMap<Chunk, ChunkResult>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut worker: Option<Enumerator<'_>> = None;
                let next_chunk = || chunks.get(next.fetch_add(1, Ordering::Relaxed));
                let is_over = || progress.stop.load(Ordering::Relaxed) || is_given_up.load(Ordering::Relaxed);
                while let Some(&chunk) = next_chunk().filter(|_| !is_over()) {
                    let worker = worker.get_or_insert_with(|| Enumerator::new(suite, instruction, edition));
                    let Some(result) = worker.run(chunk, progress) else { continue };
                    is_given_up.fetch_or(result.is_given_up, Ordering::Relaxed);
                    told(&result);
                    done.lock().expect("no worker panics while it holds the results").insert(chunk, result);
                }
            });
        }
    });
    let mut total = ExhaustResult::default();
    for result in done.into_inner().expect("no worker panics while it holds the results").into_values() {
        total.add(result);
    }
    total
}

/// The first cell of each cell class: one exhaustive run each shows every path.
#[must_use]
pub fn one_cell_a_class(instruction: &Instruction, edition: Edition) -> Vec<(&'static str, u32)> {
    let cells = (instruction.cells)(edition);
    let numbers = 0..u32::try_from(cells.len()).expect("a cell number fits");
    let classes = by_key(numbers.map(|cell| ((instruction.cell_class)(edition, cells.levels(cell as usize)), cell)));
    classes.into_iter().map(|(class, cells)| (class, cells[0])).collect()
}

#[cfg(test)]
mod tests;
