//! Blocks: the cases that are run together, and the judging of what goes wrong in them.
//!
//! A divergence is confirmed alone before it is believed. One that does not happen alone was caused by an earlier case:
//! the block is replayed with whole compares, which names the case that strayed, or shows that the answer depends on the
//! predecessor, or that it does not depend on the cases at all.

use std::collections::BTreeMap;

use tandem_isa::{Answer, Expectation, mix64};

use crate::campaign::BLOCK;
use crate::finding::Sighting;
use crate::{
    CaseId, CaseOutcome, CellCount, Claimed, Coverage, Difference, Finding, Foretold, Kind, Signature, Workbench,
};

/// One case in this many is run again, and after one in this many whole arenas are compared.
const SAMPLE: u64 = 64;
/// Cases that are sent to targets behind a border at once: few enough to stay in a core's cache on their way, and to end
/// in a hash soon.
const BATCH: u64 = 128;
/// One block in this many, the first one included, is sent in batches of …
const WATCHED_BLOCK: u64 = 16;
/// … this many cases, so that their hash shows a stray write before a later case puts the row back.
const WATCHED_BATCH: u64 = 32;
/// How many earlier cases of a block are tried, nearest first, as the one that an order-dependent answer depends on.
const PREDECESSORS: u64 = 256;

/// What came of one block.
pub(crate) struct BlockResult {
    pub(crate) cells: Vec<(u32, CellCount)>,
    pub(crate) cases: u64,
    pub(crate) datums: u64,
    pub(crate) completed: u64,
    pub(crate) foretold: Foretold,
    pub(crate) claimed: Claimed,
    pub(crate) findings: BTreeMap<Signature, Finding>,
}

/// Runs blocks of one instruction in one edition.
pub(crate) struct Worker {
    path: String,
    bench: Workbench,
    pub(crate) coverage: Option<Coverage>,
}

/// What was seen in one case.
struct Mark {
    cell: u32,
    expectation: Expectation,
    /// Words that the reference wrote in the block, up to and with this case.
    datums: u64,
    agreed: bool,
    count: CellCount,
    /// Whether no rule refuses it, if cases are drawn by rules.
    fits: Option<bool>,
    /// Whether the target is claimed to answer it, if it is held to claims.
    claimed: Option<bool>,
}

/// A case that was seen to go wrong, before it is known why.
struct Suspicion {
    slot: usize,
    /// Place in the block.
    place: u64,
    /// Words that the reference had written in the block when it was seen.
    datums: u64,
    /// What differed, or nothing if the arena was found changed.
    differences: Vec<Difference>,
}

/// What was seen in a block.
struct Seen {
    marks: Vec<Mark>,
    suspicions: Vec<Suspicion>,
}

impl Seen {
    /// Takes down what a target did in a case.
    #[inline]
    fn note(&mut self, slot: usize, place: u64, outcome: &CaseOutcome) {
        let mark = &mut self.marks[place as usize];
        match outcome {
            CaseOutcome::Agreed => {}
            CaseOutcome::Unsupported => {
                mark.agreed = false;
                mark.count.unsupported = 1;
                // What came from behind the border is held against claims here.
                if let (Some(true), Some(expected)) = (mark.claimed, mark.expectation.required_answer()) {
                    mark.count.diverged = 1;
                    let broken = Difference::Answer { expected, got: Answer::Unsupported };
                    self.suspect(slot, place, vec![broken]);
                }
            }
            CaseOutcome::Diverged(differences) => {
                mark.agreed = false;
                mark.count.diverged = 1;
                if let [Difference::Answer { got: Answer::Unsupported, .. }] = differences[..] {
                    mark.count.unsupported = 1;
                }
                // It was refused all the same.
                let refused = differences.iter().any(|one| matches!(one, Difference::Refused(_)));
                mark.count.unsupported |= u64::from(refused);
                self.suspect(slot, place, differences.clone());
            }
            CaseOutcome::Strayed => self.suspect(slot, place, Vec::new()),
        }
    }

    fn suspect(&mut self, slot: usize, place: u64, differences: Vec<Difference>) {
        let datums = self.marks[place as usize].datums;
        self.suspicions.push(Suspicion { slot, place, datums, differences });
    }
}

impl BlockResult {
    /// Counts a case.
    fn add(&mut self, mark: &Mark) {
        let mut count = mark.count;
        let refused = count.unsupported > 0;
        if mark.expectation.required_answer().is_some() {
            count.answered = u64::from(!refused);
            self.claimed.add(mark.claimed, refused);
            let Foretold { answered, refused: foretold, unexplained, contradicted } = &mut self.foretold;
            match (mark.fits, refused) {
                (None, _) => {}
                (Some(true), false) => *answered += 1,
                (Some(false), true) => *foretold += 1,
                (Some(true), true) => *unexplained += 1,
                (Some(false), false) => *contradicted += 1,
            }
        }
        match mark.expectation {
            Expectation::Done | Expectation::NonContractual(_) => {
                count.done = u64::from(mark.agreed);
                self.completed += u64::from(!refused);
            }
            Expectation::Blocked(_) => count.blocked = u64::from(mark.agreed),
            Expectation::Illegal(_)
            | Expectation::Undefined(_)
            | Expectation::Unsupported(_)
            | Expectation::Unspecified(_) => count.cited = 1,
        }
        self.cells.push((mark.cell, count));
    }
}

impl Worker {
    /// A worker on a workbench.
    pub(crate) fn new(bench: Workbench, coverage: Option<Coverage>) -> Self {
        Worker { path: bench.generator.instruction.path(), bench, coverage }
    }

    /// Runs a block of cases.
    pub(crate) fn block(&mut self, block: u64, cases: u64) -> BlockResult {
        let mut result = BlockResult {
            cells: Vec::with_capacity(cases as usize),
            cases,
            datums: 0,
            completed: 0,
            foretold: Foretold::default(),
            claimed: Claimed::default(),
            findings: BTreeMap::new(),
        };
        let first = block * BLOCK;
        let batch = if block.is_multiple_of(WATCHED_BLOCK) { WATCHED_BATCH } else { BATCH };
        self.bench.reset_targets();
        let mut seen = Seen { marks: Vec::with_capacity(cases as usize), suspicions: Vec::new() };
        for place in 0..cases {
            let id = self.bench.generator.id(first + place);
            self.enter_epoch(&id, &mut |slot, place, outcome| seen.note(slot, place, outcome));
            let ran = self.bench.gather(&id, place);
            result.datums += ran.datums;
            if let Some(coverage) = &mut self.coverage {
                coverage.add(&ran.orthogonal);
            }
            let (expectation, datums) = (ran.expectation, result.datums);
            let (cell, fits, claimed) = (ran.cell.unwrap_or(id.cell), ran.fits, ran.claimed);
            let count = CellCount::default();
            seen.marks.push(Mark { cell, expectation, datums, agreed: true, count, fits, claimed });
            // Look at whole arenas at random places, so that strays that cancel each other are seen between.
            let sampled = mix64(id.key() ^ 0x7765_6c74).is_multiple_of(SAMPLE) || place + 1 == cases;
            for (slot, outcome) in self.bench.outcomes().iter().enumerate() {
                if !self.bench.slots[slot].foreign {
                    seen.note(slot, place, outcome);
                }
            }
            for slot in (0..self.bench.slots.len()).filter(|_| sampled) {
                if !self.bench.check_arena(slot) {
                    seen.suspect(slot, place, Vec::new());
                }
            }
            if (place + 1).is_multiple_of(batch) {
                self.settle(&mut |slot, place, outcome| seen.note(slot, place, outcome));
            }
        }
        self.settle(&mut |slot, place, outcome| seen.note(slot, place, outcome));
        // Batches are settled after the cases of their block: back to the order of the cases.
        seen.suspicions.sort_by_key(|suspicion| suspicion.place);
        seen.marks.iter().for_each(|mark| result.add(mark));
        self.rerun(first, &mut seen);
        for suspicion in &seen.suspicions {
            self.judge(first, cases, suspicion, &mut result);
        }
        result
    }

    /// Makes the background of a case's epoch the current one. What was gathered on the one before is settled first.
    fn enter_epoch(&mut self, id: &CaseId, told: &mut dyn FnMut(usize, u64, &CaseOutcome)) {
        if !self.bench.generator.in_epoch(id.index) {
            self.settle(told);
            self.bench.enter_epoch(id.index);
        }
    }

    /// Sends what was gathered to the targets behind a border, and tells what they did.
    fn settle(&mut self, told: &mut dyn FnMut(usize, u64, &CaseOutcome)) {
        for slot in 0..self.bench.slots.len() {
            if self.bench.slots[slot].foreign {
                self.bench.settle(slot).for_each(|(place, outcome, _)| told(slot, place, outcome));
            }
        }
        self.bench.clear_gathered();
    }

    /// Runs one passing case in 64 again, in the reverse order and so after another predecessor.
    fn rerun(&mut self, first: u64, seen: &mut Seen) {
        let Seen { marks, suspicions } = seen;
        let datums = marks.last().map_or(0, |mark| mark.datums);
        let mut note = |slot: usize, place: u64, outcome: &CaseOutcome| {
            if matches!(outcome, CaseOutcome::Diverged(_) | CaseOutcome::Strayed) {
                let differences = vec![Difference::Rerun(Kind::OrderDependent)];
                suspicions.push(Suspicion { slot, place, datums, differences });
            }
        };
        for place in (0..marks.len() as u64).rev() {
            let id = self.bench.generator.id(first + place);
            if !marks[place as usize].agreed || !mix64(id.key() ^ 0x7265_7275).is_multiple_of(SAMPLE) {
                continue;
            }
            self.enter_epoch(&id, &mut note);
            let _ = self.bench.gather(&id, place);
            for (slot, outcome) in self.bench.outcomes().iter().enumerate() {
                if !self.bench.slots[slot].foreign {
                    note(slot, place, outcome);
                }
            }
        }
        self.settle(&mut note);
    }

    /// Finds out why a case went wrong: alone, because of an earlier case, or without a reason.
    fn judge(&mut self, first: u64, cases: u64, suspicion: &Suspicion, result: &mut BlockResult) {
        let (slot, datums) = (suspicion.slot, suspicion.datums);
        let id = self.bench.generator.id(first + suspicion.place);
        let rerun = matches!(suspicion.differences[..], [Difference::Rerun(_)]);
        if suspicion.differences.iter().any(is_settled) {
            // It was looked for, and run alone, when its batch was settled.
            let differences = suspicion.differences.clone();
            self.record(slot, &id, differences, (suspicion.place + 1, datums), result);
            return self.name_predecessor(first, slot, result);
        }
        if !suspicion.differences.is_empty() && !rerun {
            // What has been confirmed several times in this block is believed.
            if self.confirmed(slot, &suspicion.differences, result) {
                let differences = suspicion.differences.clone();
                self.record(slot, &id, differences, (suspicion.place + 1, datums), result);
                return;
            }
            let alone = self.alone(slot, &id);
            if let Some(differences) = alone.first {
                let unsteady = || vec![Difference::Rerun(Kind::Nondeterministic)];
                let verdict = if alone.steady { differences } else { unsteady() };
                return self.record(slot, &id, verdict, (suspicion.place + 1, datums), result);
            }
        }
        // It is right when it runs alone: look for an earlier case that left something behind.
        let found = self.replay(first, cases, slot);
        let depends = found.iter().any(|(_, differences)| matches!(differences[..], [Difference::Rerun(_)]));
        if depends && found != self.replay(first, cases, slot) {
            // The same cases in the same order do not do the same.
            let verdict = vec![Difference::Rerun(Kind::Nondeterministic)];
            return self.record(slot, &id, verdict, (suspicion.place + 1, datums), result);
        }
        for (place, differences) in &found {
            let id = self.bench.generator.id(first + place);
            self.record(slot, &id, differences.clone(), (place + 1, datums), result);
        }
        self.name_predecessor(first, slot, result);
        if found.is_empty() {
            // The replay behaved: what was seen once does not depend on the cases of the block in their order.
            let verdict = vec![Difference::Rerun(if rerun { Kind::OrderDependent } else { Kind::Nondeterministic })];
            self.record(slot, &id, verdict, (suspicion.place + 1, datums), result);
        }
    }

    /// Whether the block already has several sightings with this signature.
    fn confirmed(&self, slot: usize, differences: &[Difference], result: &BlockResult) -> bool {
        let layout = self.bench.generator.isa.layout;
        Signature::of(&self.path, &self.bench.slots[slot].info.name, layout, differences)
            .and_then(|signature| result.findings.get(&signature))
            .is_some_and(|finding| finding.count >= 4)
    }

    /// Runs a case alone, on a target that was reset, twice.
    fn alone(&mut self, slot: usize, id: &CaseId) -> Alone {
        let mut runs = [None, None];
        for run in &mut runs {
            self.bench.enter_epoch(id.index);
            self.bench.reset_target(slot);
            *run = match self.bench.run_one(id, slot) {
                CaseOutcome::Diverged(differences) => Some(differences.clone()),
                CaseOutcome::Agreed | CaseOutcome::Unsupported | CaseOutcome::Strayed => None,
            };
        }
        let [first, second] = runs;
        Alone { steady: first == second, first: first.or(second) }
    }

    /// Runs the block again with whole compares, and names the cases that stray or that depend on their predecessor.
    fn replay(&mut self, first: u64, cases: u64, slot: usize) -> Vec<(u64, Vec<Difference>)> {
        let mut found = Vec::new();
        self.bench.reset_target(slot);
        for place in 0..cases {
            let id = self.bench.generator.id(first + place);
            self.bench.enter_epoch(id.index);
            if let CaseOutcome::Diverged(differences) = self.bench.run_one(&id, slot) {
                // Behind the border the hash was asked for after this very case.
                let settled = differences.iter().any(is_settled);
                let unsettled = || vec![Difference::Rerun(Kind::OrderDependent)];
                found.push((place, if settled { differences.clone() } else { unsettled() }));
            }
            let strays = self.bench.strays(slot);
            if !strays.is_empty() {
                found.push((place, strays));
                let _ = self.bench.check_arena(slot);
            }
        }
        // A divergence that happens alone as well has its own finding.
        found.retain(|(place, differences)| {
            let id = self.bench.generator.id(first + place);
            !matches!(differences[..], [Difference::Rerun(_)]) || self.alone(slot, &id).first.is_none()
        });
        found
    }

    /// Names, for an order-dependent finding that has none yet, a case after which its first case is wrong.
    fn name_predecessor(&mut self, first: u64, slot: usize, result: &mut BlockResult) {
        let target = self.bench.slots[slot].info.name.clone();
        for finding in result.findings.values_mut() {
            let signature = &finding.signature;
            if signature.kind == Kind::OrderDependent && signature.target == target && finding.first.after.is_none() {
                finding.first.after = self.predecessor(first, finding.cases_to_find - 1, slot);
            }
        }
    }

    /// The nearest earlier case of the block after which a case diverges on a target that was reset.
    fn predecessor(&mut self, first: u64, place: u64, slot: usize) -> Option<CaseId> {
        let id = self.bench.generator.id(first + place);
        for earlier in (place.saturating_sub(PREDECESSORS)..place).rev() {
            let before = self.bench.generator.id(first + earlier);
            self.bench.reset_target(slot);
            for case in [&before, &id] {
                self.bench.enter_epoch(case.index);
                let _ = self.bench.run_one(case, slot);
            }
            if matches!(self.bench.outcomes()[slot], CaseOutcome::Diverged(_)) {
                return Some(before);
            }
        }
        None
    }

    fn record(
        &self,
        slot: usize,
        id: &CaseId,
        differences: Vec<Difference>,
        (cases, datums): (u64, u64),
        result: &mut BlockResult,
    ) {
        let layout = self.bench.generator.isa.layout;
        let info = &self.bench.slots[slot].info;
        let Some(signature) = Signature::of(&self.path, &info.name, layout, &differences) else { return };
        let sighting =
            Sighting { id: *id, differences, level: info.level.clone(), after: None, recorded: None, by_value: false };
        match result.findings.get_mut(&signature) {
            Some(known) => known.add(&sighting),
            None => {
                let mut finding = Finding::new(signature.clone(), sighting);
                finding.cases_to_find = cases;
                finding.datums_to_find = datums;
                result.findings.insert(signature, finding);
            }
        }
    }
}

/// Whether a difference is attributed to its case from the first: what a target behind the border did in it.
fn is_settled(difference: &Difference) -> bool {
    matches!(difference, Difference::Misbehaved(_) | Difference::ArenaHash { .. })
}

struct Alone {
    /// What differed in the first run that differed.
    first: Option<Vec<Difference>>,
    /// Whether both runs did the same.
    steady: bool,
}
