//! Blocks: the cases that are run together, and the judging of what goes wrong in them.
//!
//! A divergence is confirmed alone before it is believed. One that does not happen alone was caused by an earlier case:
//! the block is replayed with whole compares, which names the case that strayed, or shows that the answer depends on the
//! predecessor, or that it does not depend on the cases at all.
//!
//! A target that is bad in every case would be judged for ever. So a block is replayed once for each target, a predecessor
//! is looked for once for each finding, and when several divergences with one signature had the same cause, the others are
//! counted by what was seen; now and then one of them is run alone all the same.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{Answer, Call, Expectation, Misbehaviour, mix64};

use crate::run::{BLOCK, Sighting, cases_before};
use crate::{
    CaseId, CaseOutcome, CellCount, Claimed, Coverage, Difference, Finding, Foretold, Kind, Signature, Workbench,
};

/// One case in this many is run again, and after one in this many whole arenas are compared.
const SAMPLE: u64 = 64;
/// One block in this many, the first one included, is sent in batches of …
const WATCHED_BLOCK: u64 = 16;
/// … this many cases, so that their hash shows a stray write before a later case puts the row back.
const WATCHED_BATCH: u64 = 32;
/// Divergences with one signature that are run alone before the others are taken to have the same cause, …
const TRIALS: u32 = 8;
/// … of which one in this many is run alone all the same, …
const TRIAL_SAMPLE: u64 = 32;
/// … up to so many in all.
const MOST_TRIALS: u32 = 64;

/// What came of one block.
#[derive(Default)]
pub(crate) struct BlockResult {
    pub(crate) cells: Vec<(u32, CellCount)>,
    pub(crate) cases: u64,
    pub(crate) datums: u64,
    pub(crate) completed: u64,
    pub(crate) foretold: Foretold,
    pub(crate) claimed: Claimed,
    /// Cases that ran among some that went wrong, when it was not looked for which any more.
    pub(crate) unjudged: u64,
    /// Divergences that were taken down as they were seen, because it was over.
    pub(crate) taken_down: u64,
    pub(crate) findings: BTreeMap<Signature, Finding>,
    /// The call that was cut because the time was over.
    pub(crate) unfinished: Option<Misbehaviour>,
    /// What the target did in so many cases, or did so without a case, that it was not looked for in all.
    pub(crate) spoilt: Option<Signature>,
}

/// Runs blocks of one instruction in one edition.
pub(crate) struct Worker {
    path: String,
    bench: Workbench,
}

/// What was seen in one case.
struct Mark {
    cell: u32,
    expectation: Expectation,
    /// Words that the reference wrote in the block, up to and with this case.
    datums: u64,
    agreed: bool,
    /// Whether the target was not asked, or its answer did not come: it counts for nothing.
    unanswered: bool,
    count: CellCount,
    /// Whether no rule refuses it, if cases are drawn by rules.
    fits: Option<bool>,
    /// Whether the target is claimed to answer it, if it is held to claims.
    claimed: Option<bool>,
    /// What differed in what is disputed of it, by slot, if it may run again.
    disputed: Vec<(usize, Vec<Difference>)>,
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

/// Why a case went wrong.
enum Cause {
    /// It does so alone.
    Case(Vec<Difference>),
    /// It is right alone.
    Order,
    /// Alone it is right at one time and wrong at another.
    Unsteady(Vec<Difference>),
}

/// What judging one target in one block has shown so far.
#[derive(Default)]
struct Judging {
    /// For each signature how many cases were wrong alone, and how many right.
    trials: BTreeMap<Signature, (u32, u32)>,
    replayed: Option<Replayed>,
    /// The findings for which a predecessor was looked for.
    looked: BTreeSet<Signature>,
    /// Whether a case that is right on an instance that was begun anew is wrong after a reset, once that was tried.
    keeps: Option<bool>,
}

/// What replaying a block has shown.
struct Replayed {
    /// The cases that went wrong for no reason of their own.
    places: BTreeSet<u64>,
    /// What to call a case that is right alone: by order, or, if the replay does not do the same twice, neither.
    kind: Kind,
}

/// What was seen in a block.
struct BlockLog {
    unjudged: u64,
    marks: Vec<Mark>,
    suspicions: Vec<Suspicion>,
}

impl BlockLog {
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
                // It was refused all the same.
                let refused = |one: &Difference| {
                    matches!(one, Difference::Refused(_) | Difference::Answer { got: Answer::Unsupported, .. })
                };
                mark.count.unsupported |= u64::from(differences.iter().any(refused));
                self.suspect(slot, place, differences.clone());
            }
            CaseOutcome::Disputed(differences) => {
                mark.agreed = false;
                mark.count.disputed = 1;
                mark.disputed.push((slot, differences.clone()));
            }
            CaseOutcome::Strayed => self.suspect(slot, place, Vec::new()),
            CaseOutcome::Unjudged | CaseOutcome::Unanswered => {
                mark.agreed = false;
                mark.unanswered |= *outcome == CaseOutcome::Unanswered;
                self.unjudged += 1;
            }
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
        if mark.unanswered {
            return;
        }
        let mut count = mark.count;
        let refused = count.unsupported > 0;
        if count.diverged > 0 {
            // What one target may do differently another did wrong.
            count.disputed = 0;
        }
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
    pub(crate) fn new(bench: Workbench) -> Self {
        Worker { path: bench.generator.instruction.path(), bench }
    }

    /// What its cases covered, if that is counted.
    pub(crate) fn coverage(&self) -> Option<&Coverage> {
        self.bench.coverage.as_ref()
    }

    /// Runs a block of cases. Once it is over, the block ends where it is: it has fewer cases then, and what went wrong is
    /// taken down as it was seen.
    pub(crate) fn block(&mut self, block: u64, cases: u64, is_over: &dyn Fn() -> bool) -> BlockResult {
        let mut result = BlockResult { cells: Vec::with_capacity(cases as usize), cases, ..BlockResult::default() };
        let first = block * BLOCK;
        let batch = self.bench.batch();
        let batch = if block.is_multiple_of(WATCHED_BLOCK) { batch.min(WATCHED_BATCH) } else { batch };
        self.bench.reset_targets();
        let marks = Vec::with_capacity(cases as usize);
        let mut seen = BlockLog { unjudged: 0, marks, suspicions: Vec::new() };
        for place in 0..cases {
            let id = self.bench.generator.id(first + place);
            self.enter_epoch(&id, is_over, &mut |slot, place, outcome| seen.note(slot, place, outcome));
            let ran = self.bench.gather(&id, place);
            result.datums += ran.datums;
            let (expectation, datums) = (ran.expectation, result.datums);
            let (cell, fits, claimed) = (ran.cell.unwrap_or(id.cell), ran.fits, ran.claimed);
            let count = CellCount::default();
            let disputed = Vec::new();
            let (agreed, unanswered) = (true, false);
            seen.marks.push(Mark { cell, expectation, datums, agreed, unanswered, count, fits, claimed, disputed });
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
                self.settle(is_over, &mut |slot, place, outcome| seen.note(slot, place, outcome));
                if is_over() {
                    break;
                }
            }
        }
        self.settle(is_over, &mut |slot, place, outcome| seen.note(slot, place, outcome));
        let cases = seen.marks.len() as u64;
        (result.cases, result.unjudged) = (cases, seen.unjudged);
        // Batches are settled after the cases of their block: back to the order of the cases.
        seen.suspicions.sort_by_key(|suspicion| suspicion.place);
        seen.marks.iter().for_each(|mark| result.add(mark));
        self.rerun(first, &mut seen, is_over);
        let mut judging: Vec<Judging> = self.bench.slots.iter().map(|_| Judging::default()).collect();
        for suspicion in &seen.suspicions {
            if is_over() {
                self.take_down(first, suspicion, &mut result);
            } else {
                self.judge((first, cases), suspicion, &mut judging[suspicion.slot], &mut result);
            }
        }
        result.unfinished = self.bench.take_unfinished();
        let is_spoilt = |finding: &&Finding| {
            let is_outside = finding.first.differences.iter().any(is_outside);
            is_outside || finding.first.differences.iter().any(is_settled) && 2 * seen.unjudged > cases
        };
        result.spoilt = result.findings.values().find(is_spoilt).map(|finding| finding.signature.clone());
        result
    }

    /// Makes the background of a case's epoch the current one. What was gathered on the one before is settled first.
    fn enter_epoch(&mut self, id: &CaseId, is_over: &dyn Fn() -> bool, told: &mut dyn FnMut(usize, u64, &CaseOutcome)) {
        if !self.bench.generator.in_epoch(id.index) {
            self.settle(is_over, told);
            self.bench.enter_epoch(id.index);
        }
    }

    /// Sends what was gathered to the targets behind a border, and tells what they did.
    fn settle(&mut self, is_over: &dyn Fn() -> bool, told: &mut dyn FnMut(usize, u64, &CaseOutcome)) {
        for slot in 0..self.bench.slots.len() {
            if self.bench.slots[slot].foreign {
                self.bench.settle(slot, is_over).for_each(|(place, outcome, _)| told(slot, place, outcome));
            }
        }
        self.bench.clear_gathered();
    }

    /// Runs one case in 64 again that passes, or differs in what is disputed, in the reverse order and so after another predecessor.
    fn rerun(&mut self, first: u64, seen: &mut BlockLog, is_over: &dyn Fn() -> bool) {
        let BlockLog { marks, suspicions, .. } = seen;
        let marks: &[Mark] = marks;
        let datums = marks.last().map_or(0, |mark| mark.datums);
        let mut note = |slot: usize, place: u64, outcome: &CaseOutcome| {
            let mut differences = vec![Difference::Rerun(Kind::OrderDependent)];
            let first = marks[place as usize].disputed.iter().find(|(of, _)| *of == slot).map(|(_, seen)| seen);
            match outcome {
                CaseOutcome::Diverged(seen) => differences.extend_from_slice(seen),
                // What it may do differently it does the same each time.
                CaseOutcome::Disputed(seen) if first == Some(seen) => return,
                CaseOutcome::Disputed(seen) => differences.extend_from_slice(seen),
                CaseOutcome::Agreed if first.is_some() => {}
                CaseOutcome::Strayed => {}
                CaseOutcome::Agreed | CaseOutcome::Unsupported | CaseOutcome::Unjudged | CaseOutcome::Unanswered => {
                    return;
                }
            }
            suspicions.push(Suspicion { slot, place, datums, differences });
        };
        for place in (0..marks.len() as u64).rev() {
            let id = self.bench.generator.id(first + place);
            let Mark { agreed, disputed, .. } = &marks[place as usize];
            if (!*agreed && disputed.is_empty()) || !is_run_again(&id) {
                continue;
            }
            if is_over() {
                break;
            }
            self.enter_epoch(&id, is_over, &mut note);
            let _ = self.bench.gather(&id, place);
            for (slot, outcome) in self.bench.outcomes().iter().enumerate() {
                if !self.bench.slots[slot].foreign {
                    note(slot, place, outcome);
                }
            }
        }
        self.settle(is_over, &mut note);
    }

    /// Takes down what was seen, without finding out why.
    fn take_down(&mut self, first: u64, suspicion: &Suspicion, result: &mut BlockResult) {
        let id = self.bench.generator.id(first + suspicion.place);
        let at = (suspicion.place + 1, suspicion.datums);
        result.taken_down += 1;
        self.record(suspicion.slot, &id, suspicion.differences.clone(), at, result);
    }

    /// Finds out why a case went wrong: alone, because of an earlier case, or without a reason.
    fn judge(&mut self, block: (u64, u64), suspicion: &Suspicion, judging: &mut Judging, result: &mut BlockResult) {
        let Suspicion { slot, place, datums, ref differences } = *suspicion;
        let id = self.bench.generator.id(block.0 + place);
        let at = (place + 1, datums);
        if differences.iter().any(is_settled) {
            // It was looked for, and run alone, when its batch was settled.
            self.record(slot, &id, differences.clone(), at, result);
            return self.name_predecessors(block, slot, judging, result);
        }
        let is_rerun = differences.first().is_some_and(Difference::is_of_order);
        if !differences.is_empty() && !is_rerun {
            match self.cause(slot, &id, differences, judging) {
                // It was cut because the time was over.
                Cause::Case(seen) | Cause::Unsteady(seen) if seen.iter().any(|one| one.kind() == Kind::Unfinished) => {
                    return self.take_down(block.0, suspicion, result);
                }
                Cause::Case(differences) => return self.record(slot, &id, differences, at, result),
                Cause::Unsteady(differences) => {
                    let mark = self.unsteady(block, place, slot, judging);
                    return self.record(slot, &id, marked(mark, &differences), at, result);
                }
                Cause::Order => {}
            }
        }
        if is_rerun && !self.is_steady_where_disputed(slot, &id) {
            return self.record(slot, &id, marked(Difference::Rerun(Kind::Nondeterministic), differences), at, result);
        }
        // It is right when it runs alone: look for an earlier case that left something behind.
        if judging.replayed.is_none() {
            self.replay_block(block, slot, datums, judging, result);
        }
        let Some(Replayed { places, kind }) = &judging.replayed else { return };
        let verdict = match *kind {
            // The replay behaved: what was seen once does not depend on the cases of the block in their order.
            _ if places.is_empty() && !is_rerun => Kind::Nondeterministic,
            kind if places.is_empty() || kind == Kind::Nondeterministic => kind,
            kind if places.contains(&place) && !differences.is_empty() && !is_rerun => kind,
            // The cases that the replay named explain it.
            _ => return self.name_predecessors(block, slot, judging, result),
        };
        self.record(slot, &id, marked(Difference::Rerun(verdict), differences), at, result);
        self.name_predecessors(block, slot, judging, result);
    }

    /// Whether a case that diverged does so alone. Of many with one signature some are run.
    fn cause(&mut self, slot: usize, id: &CaseId, differences: &[Difference], judging: &mut Judging) -> Cause {
        let layout = self.bench.generator.isa.layout;
        let Some(signature) = Signature::of(&self.path, &self.bench.slots[slot].info.name, layout, differences) else {
            return Cause::Order;
        };
        let (wrong, right) = *judging.trials.entry(signature.clone()).or_default();
        let is_sampled = wrong + right < MOST_TRIALS && mix64(id.key() ^ 0x7472_6961).is_multiple_of(TRIAL_SAMPLE);
        match (wrong, right) {
            _ if is_sampled => {}
            (TRIALS.., 0) => return Cause::Case(differences.to_vec()),
            (0, TRIALS..) => return Cause::Order,
            _ if wrong + right >= MOST_TRIALS => return Cause::Case(differences.to_vec()),
            _ => {}
        }
        let alone = self.alone(slot, id);
        let trials = judging.trials.entry(signature).or_default();
        match alone.first {
            Some(differences) => {
                trials.0 += 1;
                if alone.steady { Cause::Case(differences) } else { Cause::Unsteady(differences) }
            }
            None => {
                trials.1 += 1;
                Cause::Order
            }
        }
    }

    /// Runs a case alone, on a target that was reset, twice.
    fn alone(&mut self, slot: usize, id: &CaseId) -> Alone {
        let mut runs = [None, None];
        for run in &mut runs {
            self.bench.enter_epoch(id.index);
            self.bench.reset_target(slot);
            *run = self.bench.run_one(id, slot).diverged().map(<[Difference]>::to_vec);
        }
        let [first, second] = runs;
        Alone { steady: first == second, first: first.or(second) }
    }

    /// Whether a target does the same each time in a case in which it may do otherwise than the page says.
    fn is_steady_where_disputed(&mut self, slot: usize, id: &CaseId) -> bool {
        let runs = [(); 2].map(|()| {
            self.bench.enter_epoch(id.index);
            self.bench.reset_target(slot);
            self.bench.run_one(id, slot).clone()
        });
        let is_disputed = runs.iter().any(|run| matches!(run, CaseOutcome::Disputed(_)));
        !is_disputed || runs[0] == runs[1]
    }

    /// What to say of a case that is not always right alone: that a reset leaves something behind, if it is right on an
    /// instance that was begun anew.
    fn unsteady(&mut self, block: (u64, u64), place: u64, slot: usize, judging: &mut Judging) -> Difference {
        if judging.keeps.is_none() {
            let (first, cases) = block;
            let near = (place.saturating_sub(4)..place).rev().chain(place + 1..(place + 5).min(cases));
            let id = self.bench.generator.id(first + place);
            let befores: Vec<CaseId> = near.map(|one| self.bench.generator.id(first + one)).collect();
            judging.keeps = Some(befores.iter().any(|before| self.keeps_through_reset(&[*before], &id, slot)));
        }
        match judging.keeps {
            Some(true) => Difference::KeptThroughReset,
            _ => Difference::Rerun(Kind::Nondeterministic),
        }
    }

    /// Whether a case is right on an instance that was begun anew, and wrong if only a reset came after another case, each
    /// time.
    fn keeps_through_reset(&mut self, before: &[CaseId], id: &CaseId, slot: usize) -> bool {
        (0..2).all(|_| {
            self.bench.begin_anew(slot);
            let is_right = !self.bench.diverges(id, slot);
            for before in before {
                let _ = self.bench.diverges(before, slot);
            }
            self.bench.reset_target(slot);
            is_right && self.bench.diverges(id, slot)
        })
    }

    /// Replays the block, and takes down what it names.
    fn replay_block(
        &mut self,
        block: (u64, u64),
        slot: usize,
        datums: u64,
        judging: &mut Judging,
        result: &mut BlockResult,
    ) {
        let run = self.replay(block, slot);
        let mut found = Vec::new();
        for (place, differences) in &run {
            let id = self.bench.generator.id(block.0 + place);
            // Those that are settled, and strays, need no other reason.
            if differences.iter().any(is_settled) || differences.iter().all(|one| one.kind() == Kind::Stray) {
                found.push((*place, differences.clone()));
            } else if let Cause::Order = self.cause(slot, &id, differences, judging) {
                found.push((*place, marked(Difference::Rerun(Kind::OrderDependent), differences)));
            }
        }
        let depends = found.iter().any(|(_, differences)| differences.first().is_some_and(Difference::is_of_order));
        // The same cases in the same order should do the same.
        let is_steady = !depends || run == self.replay(block, slot);
        let kind = if is_steady { Kind::OrderDependent } else { Kind::Nondeterministic };
        judging.replayed = Some(Replayed { places: found.iter().map(|(place, _)| *place).collect(), kind });
        for (place, differences) in found.into_iter().filter(|_| is_steady) {
            let id = self.bench.generator.id(block.0 + place);
            self.record(slot, &id, differences, (place + 1, datums), result);
        }
    }

    /// Runs the block again with whole compares: what goes wrong where, and which cases stray.
    fn replay(&mut self, (first, cases): (u64, u64), slot: usize) -> Vec<(u64, Vec<Difference>)> {
        let mut found = Vec::new();
        self.bench.reset_target(slot);
        if self.bench.slots[slot].foreign {
            // In small batches, since each case alone would be asked for its hash.
            for place in 0..cases {
                let id = self.bench.generator.id(first + place);
                if !self.bench.generator.in_epoch(id.index) {
                    self.settle_again(slot, &mut found);
                    self.bench.enter_epoch(id.index);
                }
                self.bench.gather_alone(&id, place);
                if (place + 1).is_multiple_of(WATCHED_BATCH.min(self.bench.batch())) {
                    self.settle_again(slot, &mut found);
                }
            }
            self.settle_again(slot, &mut found);
            return found;
        }
        for place in 0..cases {
            let id = self.bench.generator.id(first + place);
            self.bench.enter_epoch(id.index);
            if let CaseOutcome::Diverged(differences) = self.bench.run_one(&id, slot) {
                found.push((place, differences.clone()));
            }
            if !self.bench.is_clean(slot) {
                found.push((place, self.bench.strays(slot)));
                let _ = self.bench.check_arena(slot);
            }
        }
        found
    }

    /// Settles what was gathered for one target alone.
    fn settle_again(&mut self, slot: usize, found: &mut Vec<(u64, Vec<Difference>)>) {
        for (place, outcome, _) in self.bench.settle(slot, &|| false) {
            if let CaseOutcome::Diverged(differences) = outcome {
                found.push((place, differences.clone()));
            }
        }
        self.bench.clear_gathered();
    }

    /// Names, for an order-dependent finding that has none yet, the cases after which its first case is wrong.
    fn name_predecessors(&mut self, block: (u64, u64), slot: usize, judging: &mut Judging, result: &mut BlockResult) {
        let target = self.bench.slots[slot].info.name.clone();
        for finding in result.findings.values_mut() {
            let by_order = |one: &Difference| one.kind() == Kind::OrderDependent;
            let is_wanted = finding.signature.target == target
                && finding.first.after.is_empty()
                && finding.first.differences.first().is_some_and(by_order);
            if is_wanted && judging.looked.insert(finding.signature.clone()) {
                let id = finding.first.id;
                let histories = self.histories(block, finding.cases_to_find - 1);
                let before = histories.iter().find_map(|before| cases_before(&mut self.bench, slot, before, &id));
                let Some(before) = before else { continue };
                let keeps = *judging.keeps.get_or_insert_with(|| self.keeps_through_reset(&before, &id, slot));
                finding.first.after = before;
                if let (true, Some(mark)) = (keeps, finding.first.differences.first_mut()) {
                    *mark = Difference::KeptThroughReset;
                }
            }
        }
    }

    /// What ran before a case of the block, the earliest first: when the block ran, and when some of it ran again in the reverse
    /// order.
    fn histories(&self, (first, cases): (u64, u64), place: u64) -> [Vec<CaseId>; 2] {
        let ids = |places: std::ops::Range<u64>| places.map(|place| self.bench.generator.id(first + place));
        let again = ids(place + 1..cases).rev().filter(is_run_again);
        [ids(0..place).collect(), ids(0..cases).chain(again).collect()]
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
        let sighting = Sighting::new(*id, differences, info.level.clone());
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

/// Whether a case is one of those that run again in the reverse order, if it agrees.
fn is_run_again(id: &CaseId) -> bool {
    mix64(id.key() ^ 0x7265_7275).is_multiple_of(SAMPLE)
}

/// Differences behind what is to be said of all of them.
fn marked(mark: Difference, differences: &[Difference]) -> Vec<Difference> {
    let seen = differences.iter().filter(|one| !one.is_of_order()).cloned();
    std::iter::once(mark).chain(seen).collect()
}

/// Whether it is what a target behind the border did outside of cases.
fn is_outside(difference: &Difference) -> bool {
    matches!(difference, Difference::Misbehaved(Misbehaviour { call, .. }) if !matches!(call, Call::Execute | Call::Hash))
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
