//! The workbench: runs one case on the reference and on every target, compares, and puts everything back.
//!
//! Between cases every arena equals the background. A case costs what it touches: the rows that the read port filled
//! and the rows that either side wrote are compared and put back, and nothing else is looked at. What a target changes
//! behind its log is found in three ways: a row is compared with the background before an overlay covers it, whole
//! arenas are compared at the end of a block, and at random places within it (so that two strays that cancel each
//! other are seen between them).
//!
//! Targets behind a border are given whole batches: [`Workbench::gather`] runs a case for all others and collects it for
//! these, and [`Workbench::settle`] sends what was collected to one of them.

use std::sync::Arc;

use tandem_isa::{
    AlignedBytes, Answer, Code, Expectation, Levels, Misbehaviour, Noise, OpenBits, Overlay, Parts, ReadPort,
    Reference, RowSet, State, Step, Target, TargetInfo, Tracker, mix64,
};

use crate::bench::{Look, Mishap};
use crate::case::{BATCH, Drawn, Question};
use crate::foreign::{Desk, Patience, edition_number};
use crate::judge::{all_rows, guarded, refused_differences, row_differences, small_differences};
use crate::terms::{DataAtom, Rules, View, with_parts};
use crate::{
    CaseId, CaseOutcome, CaseValue, Coverage, Difference, Disputes, Generator, IsaSuite, RowMap, TargetFactory,
};

/// A target with its state.
pub struct Slot {
    /// How it is called.
    pub info: TargetInfo,
    /// Its place among the targets of the suite.
    pub(crate) place: usize,
    target: Box<dyn Target>,
    state: State,
    /// Whether it is behind a border.
    pub(crate) foreign: bool,
    /// What it may refuse, if it is held to claims.
    claimed: Option<Rules>,
    /// What may still be looked for in this block.
    patience: Patience,
    pub(crate) factory: TargetFactory,
}

impl Slot {
    /// Hands a background over to a target behind a border. What goes wrong shows when the target is used.
    fn load(&mut self, background: &[u8]) {
        if let Some(border) = self.target.border() {
            let _ = border.load(background);
        }
    }

    /// Takes a fresh instance, or has the one behind a border begun anew.
    fn begin_anew(&mut self) {
        match self.target.border() {
            // What goes wrong shows when the target is used.
            Some(border) => {
                let _ = border.restart();
            }
            None => self.target = self.factory.make(),
        }
    }
}

/// For whom a case is run.
#[derive(Clone, Copy)]
enum Audience {
    /// For all targets.
    All,
    /// For the target in this slot.
    One(usize),
    /// For the targets that are not behind a border, and for a batch: the case has this place in its block.
    Batch(u64),
    /// For a batch alone.
    BatchAlone(u64),
}

impl Audience {
    #[inline]
    fn includes(self, index: usize, slot: &Slot) -> bool {
        match self {
            Audience::All => true,
            Audience::One(only) => only == index,
            Audience::Batch(_) => !slot.foreign,
            Audience::BatchAlone(_) => false,
        }
    }

    /// The place in its block of a case that is for a batch.
    #[inline]
    fn place(self) -> Option<u64> {
        match self {
            Audience::Batch(place) | Audience::BatchAlone(place) => Some(place),
            Audience::All | Audience::One(_) => None,
        }
    }
}

/// A case that was drawn once and is run several times.
pub(crate) struct LoadedCase {
    pub(crate) drawn: Drawn,
    pub(crate) small: AlignedBytes,
}

/// What came of a case.
#[derive(Clone, Copy, Debug)]
pub struct CaseResult {
    /// What the pages promise.
    pub expectation: Expectation,
    /// The code words.
    pub code: Code,
    /// The level of each orthogonal axis.
    pub orthogonal: Levels,
    /// Words compared that the reference wrote.
    pub datums: u64,
    /// The cell that the case has, if it was drawn by rules, which may give it another.
    pub cell: Option<u32>,
    /// Whether no rule refuses it, if it was drawn by rules.
    pub fits: Option<bool>,
    /// Whether the target is claimed to answer it, if it is held to claims.
    pub claimed: Option<bool>,
}

/// Runs cases of one generator on the reference and on targets.
pub struct Workbench {
    /// The generator.
    pub generator: Generator,
    /// The targets.
    pub slots: Vec<Slot>,
    view: View,
    /// What a difference may be excused by.
    disputes: Disputes,
    reference: Box<dyn Reference>,
    state: State,
    map: RowMap,
    outcomes: Vec<CaseOutcome>,
    /// The small state that the last case began in, kept from the first refusal in our process on.
    before: Option<AlignedBytes>,
    /// There if a target is behind a border.
    desk: Option<Box<Desk>>,
    /// What the gathered cases covered, if that is counted.
    pub(crate) coverage: Option<Coverage>,
    /// What targets did instead of answering questions.
    pub(crate) mishaps: Vec<Mishap>,
}

impl Workbench {
    /// A workbench with fresh instances of the suite's reference and targets.
    #[must_use]
    pub fn new(generator: Generator, suite: &IsaSuite) -> Self {
        let instruction = generator.instruction;
        let layout = generator.isa.layout;
        let fresh = || {
            let mut state = State::zeroed(layout);
            state.arena.copy_from_slice(generator.arena());
            state
        };
        let mut state = fresh();
        state.set_port(Some(generator.port()));
        let targets = suite.targets.iter().map(|factory| (factory.clone(), factory.make())).enumerate();
        let slots: Vec<_> = targets
            .filter(|(_, (_, target))| target.implements(instruction))
            .map(|(place, (factory, mut target))| {
                let (info, foreign) = (factory.info.clone(), target.border().is_some());
                let claimed = factory.claimed().map(|claims| claims.rules(instruction));
                let patience = Patience::default();
                let mut slot = Slot { info, place, target, state: fresh(), foreign, patience, factory, claimed };
                slot.load(generator.arena());
                slot
            })
            .collect();
        let desk = slots.iter().any(|slot| slot.foreign).then(|| {
            let mut desk = Box::new(Desk::new(layout));
            desk.set_background(generator.arena());
            desk.gathered.batch.instruction = instruction.index as u32;
            desk.gathered.batch.edition = edition_number(generator.edition);
            desk
        });
        Workbench {
            view: View::new(generator.isa, instruction, generator.edition),
            disputes: suite.disputes_of(instruction),
            reference: (suite.reference)(),
            state,
            map: RowMap::new(layout),
            outcomes: vec![CaseOutcome::Agreed; slots.len()],
            before: None,
            slots,
            desk,
            generator,
            coverage: None,
            mishaps: Vec::new(),
        }
    }

    /// Replaces the read port of the reference's state.
    pub fn set_port(&mut self, port: Box<dyn ReadPort>) {
        self.state.set_port(Some(port));
    }

    /// Makes the background of a case's epoch the current one.
    pub fn enter_epoch(&mut self, index: u64) {
        if self.generator.enter_epoch(index) {
            self.state.arena.copy_from_slice(self.generator.arena());
            for slot in &mut self.slots {
                slot.state.arena.copy_from_slice(self.generator.arena());
                slot.load(self.generator.arena());
            }
            if let Some(desk) = &mut self.desk {
                desk.set_background(self.generator.arena());
            }
        }
    }

    /// Forgets what targets keep between cases, and puts their arenas back.
    pub fn reset_targets(&mut self) {
        for slot in 0..self.slots.len() {
            self.slots[slot].patience = Patience::default();
            self.reset_target(slot);
        }
    }

    /// Takes a fresh instance of a target, with the background.
    pub(crate) fn begin_anew(&mut self, slot: usize) {
        self.slots[slot].begin_anew();
        self.reset_target(slot);
    }

    /// Makes one target forget what it keeps between cases, and puts its arena back.
    pub(crate) fn reset_target(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        slot.target.reset();
        slot.state.arena.copy_from_slice(self.generator.arena());
        slot.state.tracker.clear();
    }

    /// What each target did in the last case, in the order of [`Workbench::slots`].
    #[must_use]
    pub fn outcomes(&self) -> &[CaseOutcome] {
        &self.outcomes
    }

    /// Whether a target's arena equals the background, as it must between cases; it is put back if not.
    ///
    /// That of a target behind a border is compared by its hash, when a batch was settled.
    pub fn check_arena(&mut self, slot: usize) -> bool {
        let clean = self.slots[slot].foreign || self.is_clean(slot);
        if !clean {
            self.slots[slot].state.arena.copy_from_slice(self.generator.arena());
        }
        clean
    }

    /// Whether a target's arena equals the background.
    pub(crate) fn is_clean(&self, slot: usize) -> bool {
        *self.slots[slot].state.arena == **self.generator.arena()
    }

    /// What a target's arena has that the background has not.
    #[must_use]
    pub fn strays(&self, slot: usize) -> Vec<Difference> {
        let (layout, background) = (self.generator.isa.layout, self.generator.arena());
        let (rows, none) = (all_rows(layout), RowSet::default());
        row_differences(layout, &rows, (&none, &none), (background, background, &self.slots[slot].state.arena), &[])
    }

    /// Runs the reference on a case that was generated.
    #[inline]
    fn run_reference(&mut self, code: &Code, audience: Audience) -> Expectation {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if audience.includes(index, slot) {
                slot.state.small.copy_from_slice(&self.state.small);
            }
        }
        if let Some(before) = &mut self.before {
            before.copy_from_slice(&self.state.small);
        }
        let step = Step { instruction: self.generator.instruction, edition: self.generator.edition, code };
        self.reference.execute(&step, &mut self.state)
    }

    /// Salts the rows that a case that is held would read if it were not: who goes on all the same shows it then.
    #[cold]
    fn read_as_if_open(&mut self, drawn: &Drawn) {
        let (mut code, mut salt, small) = (drawn.code, drawn.salt, self.state.small.clone());
        let mut parts = Parts { code: &mut code, small: &mut self.state.small, salt: &mut salt };
        self.generator.open(&mut parts, &mut Noise::new(0));
        let step = Step { instruction: self.generator.instruction, edition: self.generator.edition, code: &code };
        let _ = self.reference.execute(&step, &mut self.state);
        let State { arena, tracker, .. } = &mut self.state;
        self.map.copy([&tracker.log.written], self.generator.arena(), arena);
        self.map.copy([&tracker.overlay.rows], &tracker.overlay.arena, arena);
        tracker.log.clear();
        tracker.open.clear();
        self.state.small = small;
    }

    /// Runs a case on the reference and every target, compares, and puts everything back.
    pub fn run(&mut self, id: &CaseId) -> CaseResult {
        let drawn = self.generator.generate(id, &mut self.state);
        self.run_drawn(id, &drawn, Audience::All)
    }

    /// Runs a case on the reference and one target.
    pub(crate) fn run_one(&mut self, id: &CaseId, slot: usize) -> &CaseOutcome {
        let drawn = self.generator.generate(id, &mut self.state);
        let _ = self.run_drawn(id, &drawn, Audience::One(slot));
        &self.outcomes[slot]
    }

    /// Whether one target differs in a case, whatever epoch it is of.
    pub(crate) fn diverges(&mut self, id: &CaseId, slot: usize) -> bool {
        self.enter_epoch(id.index);
        matches!(self.run_one(id, slot), CaseOutcome::Diverged(_))
    }

    /// Runs a case on the reference and the targets that are not behind a border, and gathers it for those that are. Its
    /// epoch is the current one, and that of all cases gathered.
    pub(crate) fn gather(&mut self, id: &CaseId, place: u64) -> CaseResult {
        let drawn = self.generator.generate(id, &mut self.state);
        if let Some(coverage) = &mut self.coverage {
            coverage.seen.begin(&drawn.code, &self.state.small);
        }
        let ran = self.run_drawn(id, &drawn, Audience::Batch(place));
        if let Some(coverage) = &mut self.coverage {
            coverage.add(&ran.orthogonal);
            if ran.expectation.required_answer().is_some() {
                coverage.seen.count();
            }
        }
        ran
    }

    /// Runs a case on the reference, and gathers it for targets behind a border.
    pub(crate) fn gather_alone(&mut self, id: &CaseId, place: u64) {
        let drawn = self.generator.generate(id, &mut self.state);
        let _ = self.run_drawn(id, &drawn, Audience::BatchAlone(place));
    }

    /// The most cases that are sent to targets behind a border at once.
    pub(crate) fn batch(&self) -> u64 {
        let foreign = self.slots.iter().filter(|slot| slot.foreign);
        foreign.map(|slot| slot.factory.batch()).min().unwrap_or(BATCH)
    }

    /// Sends what was gathered to the target in a slot, which is behind a border: places, outcomes, and why a case was
    /// refused, if the target says why. Once it is over, what went wrong is not taken apart any more.
    pub(crate) fn settle(
        &mut self,
        slot: usize,
        is_over: &dyn Fn() -> bool,
    ) -> impl Iterator<Item = (u64, &CaseOutcome, Option<&str>)> {
        let desk = self.desk.as_mut().expect("a slot is behind a border");
        let Slot { target, patience, .. } = &mut self.slots[slot];
        desk.settle(target.border().expect("the slot is behind a border"), patience, is_over);
        if !self.disputes.is_empty() {
            desk.excuse(&self.disputes);
        }
        let Desk { gathered, outcomes, reasons, .. } = &**desk;
        let places = gathered.expected.iter().map(|case| case.place);
        places.zip(outcomes).enumerate().map(|(case, (place, outcome))| {
            let refused = *outcome == CaseOutcome::Unsupported;
            (place, outcome, if refused { reasons.get(case) } else { None })
        })
    }

    /// Forgets what was gathered.
    pub(crate) fn clear_gathered(&mut self) {
        if let Some(desk) = &mut self.desk {
            desk.gathered.clear();
        }
    }

    /// Draws a case that is to be run several times, on operands that the read port gives anew each time.
    pub(crate) fn load(&mut self, id: &CaseId) -> LoadedCase {
        let drawn = self.generator.generate(id, &mut self.state);
        LoadedCase { drawn, small: self.state.small.clone() }
    }

    /// Runs a loaded case as [`Workbench::run`] does.
    pub(crate) fn run_loaded(&mut self, id: &CaseId, case: &LoadedCase) -> CaseResult {
        self.state.small.copy_from_slice(&case.small);
        self.run_drawn(id, &case.drawn, Audience::All)
    }

    /// Runs the reference on a case and hands out its state before it is put back: small state before, state after.
    pub fn capture(&mut self, id: &CaseId, look: impl FnOnce(Expectation, &Code, &[u8], &State)) {
        let case = self.load(id);
        self.capture_loaded(&case, look);
    }

    /// A case by value: its operands, and of the background the rows that `keep` keeps.
    pub fn take_value(&mut self, id: &CaseId, keep: &mut dyn FnMut(usize) -> bool) -> CaseValue {
        self.enter_epoch(id.index);
        let mut value = CaseValue::base(self.generator.isa, id.instruction, id.edition);
        let arena = self.generator.arena();
        for (index, bank) in self.generator.isa.layout.banks.iter().enumerate() {
            for row in (0..bank.rows()).filter(|row| keep(bank.first_row + row)) {
                value.take_row(index, row, &arena[bank.row_range(row)]);
            }
        }
        self.capture(id, |_, code, small, state| value.take_case(code, small, state));
        value
    }

    /// Captures a loaded case.
    pub(crate) fn capture_loaded(&mut self, case: &LoadedCase, look: impl FnOnce(Expectation, &Code, &[u8], &State)) {
        self.state.small.copy_from_slice(&case.small);
        let expectation = self.run_reference(&case.drawn.code, Audience::All);
        look(expectation, &case.drawn.code, &case.small, &self.state);
        self.put_back();
    }

    /// The life of a case from its operands on: the reference fills them at its read port and says what is expected, each target
    /// executes the case and is compared, and everything is put back.
    fn run_drawn(&mut self, id: &CaseId, drawn: &Drawn, audience: Audience) -> CaseResult {
        if let (Some(_), Some(desk)) = (audience.place(), &mut self.desk) {
            desk.gathered.begin(&drawn.code, &self.state.small);
        }
        let before = self.slots.iter().any(|slot| slot.claimed.is_some()).then(|| self.state.small.clone());
        let expectation = self.run_reference(&drawn.code, audience);
        if matches!(expectation, Expectation::Blocked(_)) {
            self.read_as_if_open(drawn);
        }
        let claims = self.claims_on(drawn, before.as_deref());
        if let (Some(place), Some(desk)) = (audience.place(), &mut self.desk) {
            desk.gathered.end(place, expectation, &self.state, &self.map);
        }
        self.run_targets(id, drawn, expectation, audience, &claims);
        let result = self.result(drawn, expectation, claims.first().copied().flatten());
        self.put_back();
        result
    }

    /// For each slot whether its target is claimed to answer a case that begins in this small state, if it is held to claims;
    /// nothing at all if none is.
    fn claims_on(&self, drawn: &Drawn, before: Option<&[u8]>) -> Vec<Option<bool>> {
        let Some(small) = before else { return Vec::new() };
        let overlay = &self.state.tracker.overlay;
        let is_claimed = |rules: &Rules| {
            let refusing = |parts: &mut Parts<'_>| rules.refusing(&self.view, parts, Some(overlay)).is_none();
            with_parts(&drawn.code, small, &drawn.salt, refusing)
        };
        self.slots.iter().map(|slot| slot.claimed.as_ref().map(is_claimed)).collect()
    }

    /// Has the targets of an audience execute a case, and compares. Where nothing is promised a few cases are run all the same.
    fn run_targets(
        &mut self,
        id: &CaseId,
        drawn: &Drawn,
        expectation: Expectation,
        audience: Audience,
        claims: &[Option<bool>],
    ) {
        let expected = expectation.required_answer();
        let is_run = expected.is_some() || is_robustness_case(id);
        let Generator { instruction, edition, .. } = self.generator;
        let mut comparison = Comparison {
            id,
            step: Step { instruction, edition, code: &drawn.code },
            expected,
            reference: &self.state,
            generator: &self.generator,
            map: &self.map,
            disputes: &self.disputes,
            before: &mut self.before,
        };
        for (index, (slot, outcome)) in self.slots.iter_mut().zip(&mut self.outcomes).enumerate() {
            if audience.includes(index, slot) {
                let claimed = claims.get(index).copied().flatten();
                *outcome = if is_run { comparison.run(slot, claimed) } else { CaseOutcome::Agreed };
            }
        }
    }

    /// What came of a case, before the reference's state is put back.
    fn result(&self, drawn: &Drawn, expectation: Expectation, claimed: Option<bool>) -> CaseResult {
        let Tracker { log, overlay, .. } = &self.state.tracker;
        let mut datums = 0;
        if expectation.required_answer().is_some() {
            log.written.each_run(|row_id, count| datums += self.map.words(row_id, count));
        }
        let (cell, fits) = drawn.by_rules.map_or((None, None), |by_rules| {
            let held = self.generator.held.as_deref();
            let by_data = || held.is_some_and(|held| held.refuses_data(by_rules.watched, overlay));
            (by_rules.cell, Some(by_rules.fits && (by_rules.watched == 0 || !by_data())))
        });
        CaseResult { expectation, code: drawn.code, orthogonal: drawn.orthogonal, datums, cell, fits, claimed }
    }

    /// Replaces the read port by one that can avoid data of these kinds.
    pub(crate) fn avoid_kinds(&mut self, kinds: Arc<[DataAtom]>) {
        self.state.set_port(Some(self.generator.port_avoiding(kinds)));
    }

    /// Puts a question's code, small state and operands where the reference finds them.
    pub(crate) fn set_question(&mut self, question: &Question) {
        self.state.small.copy_from_slice(&question.case.small);
        if let Some(port) = self.state.port_mut() {
            port.begin(question.key, &question.case.salt, question.corners);
            port.narrow(&question.narrowing);
        }
    }

    /// Runs a question that was set on the reference and the target in a slot; one for a target behind a border is
    /// gathered, and its outcome comes when it is settled.
    pub(crate) fn run_question(
        &mut self,
        question: &Question,
        slot: usize,
        place: u64,
        look: &mut Look<'_>,
    ) -> (Expectation, CaseOutcome) {
        let foreign = self.slots[slot].foreign;
        if let (true, Some(desk)) = (foreign, &mut self.desk) {
            desk.gathered.begin(&question.case.code, &self.state.small);
        }
        let audience = if foreign { Audience::Batch(place) } else { Audience::One(slot) };
        let expectation = self.run_reference(&question.case.code, audience);
        look(place as usize, expectation, &self.state.tracker.overlay);
        if let (true, Some(desk)) = (foreign, &mut self.desk) {
            desk.gathered.end(place, expectation, &self.state, &self.map);
            self.put_back();
            return (expectation, CaseOutcome::Agreed);
        }
        let mut outcome = CaseOutcome::Agreed;
        if expectation.required_answer().is_some() {
            let instruction = self.generator.instruction;
            let step = Step { instruction, edition: self.generator.edition, code: &question.case.code };
            let background: &[u8] = self.generator.arena();
            let reference = &self.state.tracker;
            let slot = &mut self.slots[slot];
            self.map.copy([&reference.overlay.rows], &reference.overlay.arena, &mut slot.state.arena);
            outcome = match guarded(|| slot.target.execute(&step, &mut slot.state)) {
                Err(differences) => CaseOutcome::Diverged(differences),
                Ok(Answer::Unsupported) => CaseOutcome::Unsupported,
                Ok(_) => CaseOutcome::Agreed,
            };
            let touched = [&reference.overlay.rows, &slot.state.tracker.log.written];
            self.map.copy(touched, background, &mut slot.state.arena);
            slot.state.tracker.clear();
        }
        self.put_back();
        (expectation, outcome)
    }

    /// What its cases are looked at with.
    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// Gives the target in a slot the patience that it has for all questions.
    pub(crate) fn begin_questions(&mut self, slot: usize) {
        self.slots[slot].patience = Patience::of_questions();
    }

    /// Whether the target in a slot did so often something else than answer that it is asked no more questions.
    pub(crate) fn is_out_of_patience(&self, slot: usize) -> bool {
        self.slots[slot].patience.is_out()
    }

    /// The call to a target behind a border that was cut because the time was over, if there was one since this was asked.
    pub(crate) fn take_unfinished(&mut self) -> Option<Misbehaviour> {
        self.desk.as_mut().and_then(|desk| desk.unfinished.take())
    }

    /// Sends the questions that were gathered to the target in a slot, which is behind a border: place, outcome, reason.
    pub(crate) fn settle_questions(
        &mut self,
        slot: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<(usize, CaseOutcome, Option<String>)> {
        let settled = self.settle(slot, is_over);
        let outcomes = settled
            .map(|(place, outcome, reason)| (place as usize, outcome.clone(), reason.map(str::to_string)))
            .collect();
        self.clear_gathered();
        outcomes
    }

    /// Why the target in a slot, which is not behind a border, refused the last case, if it says so.
    pub(crate) fn refusal(&mut self, slot: usize) -> Option<String> {
        self.slots[slot].target.refusal()
    }

    /// Puts the reference's arena back.
    fn put_back(&mut self) {
        let tracker = &self.state.tracker;
        let touched = [&tracker.log.written, &tracker.overlay.rows];
        self.map.copy(touched, self.generator.arena(), &mut self.state.arena);
        self.state.tracker.clear();
    }
}

/// Whether targets run a case for which the pages promise nothing: one in 16, to see that they survive it. Afterwards
/// their whole arena has to be looked at, which costs more than many other cases.
#[inline]
fn is_robustness_case(id: &CaseId) -> bool {
    mix64(id.key() ^ 0x726f_6275_7374).is_multiple_of(16)
}

/// What targets are compared with in a case, before anything is put back.
struct Comparison<'a> {
    id: &'a CaseId,
    step: Step<'a>,
    /// The answer that the pages ask for, if they promise something.
    expected: Option<Answer>,
    /// The reference's state after the case.
    reference: &'a State,
    generator: &'a Generator,
    map: &'a RowMap,
    disputes: &'a Disputes,
    /// The small state that the case begins in, once a target refused one.
    before: &'a mut Option<AlignedBytes>,
}

impl Comparison<'_> {
    /// Has a target execute the case, compares, and puts its state back. What it strayed into before shows in the overlay's rows.
    #[inline]
    fn run(&mut self, slot: &mut Slot, claimed: Option<bool>) -> CaseOutcome {
        let (map, reference, background) = (self.map, &self.reference.tracker, self.generator.arena());
        let Slot { target, state, .. } = slot;
        let is_clean = map.equal([&reference.overlay.rows], &state.arena, background);
        map.copy([&reference.overlay.rows], &reference.overlay.arena, &mut state.arena);
        let outcome = match (guarded(|| target.execute(&self.step, state)), self.expected) {
            (Err(differences), _) => self.excused(differences),
            (Ok(_), None) => CaseOutcome::Agreed,
            (Ok(Answer::Unsupported), Some(expected)) => self.refused(state, expected, claimed),
            (Ok(got), Some(expected)) if got != expected => self.excused(vec![Difference::Answer { expected, got }]),
            (Ok(_), Some(_)) => {
                OpenBits::settle(&reference.open, state.layout, &self.reference.arena, &mut state.arena);
                self.compared(state)
            }
        };
        map.copy(touched(reference, &state.tracker), background, &mut state.arena);
        // Where nothing is promised a target may change what it likes, and need not say so.
        if self.expected.is_none() && *state.arena != **background {
            state.arena.copy_from_slice(background);
        }
        state.tracker.clear();
        if !is_clean && outcome == CaseOutcome::Agreed { CaseOutcome::Strayed } else { outcome }
    }

    /// What comes of a case that a target answered as the pages ask.
    #[inline]
    fn compared(&self, got: &State) -> CaseOutcome {
        let touched = touched(&self.reference.tracker, &got.tracker);
        let is_same = *got.small == *self.reference.small && self.map.equal(touched, &got.arena, &self.reference.arena);
        if is_same { CaseOutcome::Agreed } else { self.excused(explain(self.generator, self.id, self.reference, got)) }
    }

    /// What comes of a case that a target refused: it must have changed nothing, and not be claimed to answer it.
    fn refused(&mut self, got: &State, expected: Answer, claimed: Option<bool>) -> CaseOutcome {
        let (map, background) = (self.map, self.generator.arena());
        let touched = touched(&self.reference.tracker, &got.tracker);
        let overlay = &self.reference.tracker.overlay;
        let before = self.before.get_or_insert_with(|| small_before(self.generator, self.id));
        if *got.small != **before || !untouched(map, touched, overlay, (&got.arena, background)) {
            let differences = refused(map, touched, overlay, (before, background), got);
            return self.excused(differences);
        }
        match claimed {
            Some(true) => self.excused(vec![Difference::Answer { expected, got: Answer::Unsupported }]),
            _ => CaseOutcome::Unsupported,
        }
    }

    /// What differences come to: they may be disputed.
    #[cold]
    fn excused(&self, differences: Vec<Difference>) -> CaseOutcome {
        let is_disputed = || {
            let mut state = State::zeroed(self.generator.isa.layout);
            let mut drawn = self.generator.generate(self.id, &mut state);
            let parts = Parts { code: &mut drawn.code, small: &mut state.small, salt: &mut drawn.salt };
            self.disputes.excuse(&parts, &differences).is_some()
        };
        if !self.disputes.is_empty() && is_disputed() {
            CaseOutcome::Disputed(differences)
        } else {
            CaseOutcome::Diverged(differences)
        }
    }
}

/// The rows that a compare looks at: what the reference wrote, the overlay, and what the target says that it wrote.
fn touched<'a>(reference: &'a Tracker, target: &'a Tracker) -> [&'a RowSet; 3] {
    [&reference.log.written, &reference.overlay.rows, &target.log.written]
}

/// The small state that a case begins in.
#[cold]
fn small_before(generator: &Generator, id: &CaseId) -> AlignedBytes {
    let mut state = State::zeroed(generator.isa.layout);
    generator.generate(id, &mut state);
    state.small
}

/// Whether the rows of `touched` are as they were before the case: the overlay, and beside it the background.
fn untouched(map: &RowMap, touched: [&RowSet; 3], overlay: &Overlay, (got, background): (&[u8], &[u8])) -> bool {
    let mut same = map.equal([&overlay.rows], got, &overlay.arena);
    RowSet::each_run_of(touched, |first, count| {
        let beside = (first..first + count).filter(|&row| !overlay.rows.contains(row));
        for range in beside.map(|row| map.range(row, 1)) {
            same &= got[range.clone()] == background[range];
        }
    });
    same
}

/// What a target changed in a case that it refused, before the states are put back. `before` are the small state and the
/// background.
#[cold]
fn refused(
    map: &RowMap,
    touched: [&RowSet; 3],
    overlay: &Overlay,
    before: (&[u8], &[u8]),
    got: &State,
) -> Vec<Difference> {
    let mut arena = before.1.to_vec();
    map.copy([&overlay.rows], &overlay.arena, &mut arena);
    let mut rows = RowSet::default();
    touched.iter().for_each(|set| rows.union(set));
    refused_differences(got.layout, &rows, (before.0, &arena), (&got.small, &got.arena))
}

/// The differences of a case, before the states are put back.
#[cold]
fn explain(generator: &Generator, id: &CaseId, reference: &State, got: &State) -> Vec<Difference> {
    let layout = generator.isa.layout;
    let (written, overlay) = (&reference.tracker.log.written, &reference.tracker.overlay);
    let marked = &got.tracker.log.written;
    let mut touched = written.clone();
    touched.union(marked);
    touched.union(&overlay.rows);
    // The case is drawn once more, for the state that it began in.
    let mut before = State::zeroed(layout);
    before.arena.copy_from_slice(generator.arena());
    generator.generate(id, &mut before);
    RowMap::new(layout).copy([&overlay.rows], &overlay.arena, &mut before.arena);
    let arenas: (&[u8], &[u8], &[u8]) = (&before.arena, &reference.arena, &got.arena);
    let mut differences = row_differences(layout, &touched, (written, marked), arenas, &reference.tracker.open);
    differences.extend(small_differences(layout, &before.small, &reference.small, &got.small));
    differences
}
