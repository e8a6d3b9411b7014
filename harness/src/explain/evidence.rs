//! Cases with what a target did in them, and where more of them come from.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;

use tandem_isa::{AlignedBytes, Answer, Code, OpenBits, Reference, RowSet, SaltPlan, State, Step, Target};

use super::cause::levels_of;
use super::dictionary::{Dictionary, Matter};
use super::predict::Predictor;
use super::search::Hypothesis;
use crate::judge::guarded;
use crate::terms::with_parts;
use crate::{CaseId, CaseValue, Generator, IsaSuite, Minimizer, RowMap, Signature, TargetFactory, Workbench};

/// How often the target is asked to make a case plainer.
pub(crate) const PLAINER_RUNS: usize = 200;

/// A case with what a target did in it, kept.
pub(super) struct Evidence {
    pub(super) id: CaseId,
    pub(super) epoch: usize,
    pub(super) code: Code,
    pub(super) before: AlignedBytes,
    pub(super) levels: Vec<u8>,
    pub(super) overlay: Rows,
    pub(super) right: Outcome,
    /// Bits of which nothing is promised.
    pub(super) open: Vec<OpenBits>,
    /// What the target did, where it differs.
    pub(super) got: Option<Outcome>,
    /// What may matter in it, once that was asked often enough, …
    pub(super) matter: OnceCell<Matter>,
    /// … and how often it was.
    pub(super) asked: Cell<u8>,
}

impl Evidence {
    /// What it costs to run it, roughly: bytes of rows that are read and written.
    pub(super) fn cost(&self) -> usize {
        self.overlay.bytes.len() + self.right.written.bytes.len()
    }

    /// Whether it is the same case, whatever its name.
    pub(super) fn is_same(&self, other: &Evidence) -> bool {
        self.epoch == other.epoch
            && self.code == other.code
            && *self.before == *other.before
            && self.overlay == other.overlay
    }

    /// What the target did.
    pub(super) fn done(&self) -> &Outcome {
        self.got.as_ref().unwrap_or(&self.right)
    }
}

/// Rows with their contents.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Rows {
    pub(super) set: RowSet,
    pub(super) bytes: Vec<u8>,
}

impl Rows {
    pub(super) fn of(map: &RowMap, set: &RowSet, arena: &[u8]) -> Self {
        let mut rows = Rows { set: set.clone(), bytes: Vec::new() };
        set.each_run(|row, count| rows.bytes.extend_from_slice(&arena[map.range(row, count)]));
        rows
    }

    pub(super) fn put(&self, map: &RowMap, arena: &mut [u8]) {
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
pub(super) struct Outcome {
    pub(super) answer: Option<Answer>,
    pub(super) small: AlignedBytes,
    pub(super) written: Rows,
}

impl Outcome {
    pub(super) fn of(map: &RowMap, answer: Option<Answer>, state: &State) -> Self {
        let written = Rows::of(map, &state.tracker.log.written, &state.arena);
        Outcome { answer, small: state.small.clone(), written }
    }
}

impl Outcome {
    /// Whether each bit of it is that of one of two others.
    pub(super) fn lies_between(&self, one: &Outcome, other: &Outcome) -> bool {
        let bits = |own: &[u8], one: &[u8], other: &[u8]| {
            own.len() == one.len()
                && own.len() == other.len()
                && own.iter().zip(one).zip(other).all(|((own, one), other)| (own ^ one) & (own ^ other) == 0)
        };
        let rows = [one, other].map(|of| of.written.set == self.written.set);
        let is_same = |of: &Outcome| of.written == self.written;
        [one, other].iter().any(|of| of.answer == self.answer)
            && bits(&self.small, &one.small, &other.small)
            && (is_same(one)
                || is_same(other)
                || rows == [true; 2] && bits(&self.written.bytes, &one.written.bytes, &other.written.bytes))
    }
}

/// How many bits of what a target did differ from what the pages promise.
pub(super) fn wrong_bits(case: &Evidence) -> u32 {
    let Some(got) = &case.got else { return 0 };
    let bits = |left: &[u8], right: &[u8]| left.iter().zip(right).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
    let same_rows = case.right.written.bytes.len() == got.written.bytes.len();
    let rows = if same_rows { bits(&case.right.written.bytes, &got.written.bytes) } else { 32 };
    (rows + bits(&case.right.small, &got.small)).max(1)
}

/// Where cases come from and the target is asked.
pub(super) struct Asker {
    pub(super) bench: Workbench,
    pub(super) target: Box<dyn Target>,
    pub(super) state: State,
    pub(super) map: RowMap,
    /// Epochs, and the place of the background of each.
    pub(super) epochs: BTreeMap<u64, usize>,
    /// Whether the backgrounds of all epochs are kept, or only that of the last one.
    pub(super) keeps_all: bool,
}

impl Asker {
    pub(super) fn new(suite: &IsaSuite, factory: &TargetFactory, generator: Generator) -> Self {
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
    pub(super) fn case(&mut self, id: &CaseId, backgrounds: &mut Vec<AlignedBytes>, asks: bool) -> Option<Evidence> {
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
            kept = Some(Evidence {
                id: *id,
                epoch,
                code: *code,
                before: state.small.clone(),
                levels,
                overlay: Rows::of(map, &overlay.rows, &overlay.arena),
                right: Outcome::of(map, Some(answer), after),
                open: after.tracker.open.clone(),
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
    pub(super) fn ask(&mut self, kept: &mut Evidence, backgrounds: &[AlignedBytes]) -> Option<()> {
        let (instruction, edition) = (self.bench.generator.instruction, self.bench.generator.edition);
        let state = &mut self.state;
        state.arena.copy_from_slice(&backgrounds[kept.epoch]);
        state.small.copy_from_slice(&kept.before);
        kept.overlay.put(&self.map, &mut state.arena);
        state.tracker.clear();
        let step = Step { instruction, edition, code: &kept.code };
        self.target.reset();
        let answer = guarded(|| self.target.execute(&step, state)).ok();
        let mut arena = backgrounds[kept.epoch].clone();
        kept.overlay.put(&self.map, &mut arena);
        kept.right.written.put(&self.map, &mut arena);
        // What is open is taken to be as the reference has it.
        OpenBits::settle(&kept.open, state.layout, &arena, &mut state.arena);
        let got = Outcome::of(&self.map, answer, state);
        state.tracker.clear();
        if answer == Some(Answer::Unsupported) {
            return None;
        }
        let same = answer == kept.right.answer && *got.small == *kept.right.small && *arena == *state.arena;
        kept.got = (!same).then_some(got);
        Some(())
    }
}

/// What it takes to make plainer cases of those that nothing explains yet.
pub(super) struct Tools<'a> {
    pub(super) suite: &'a IsaSuite,
    pub(super) reference: Box<dyn Reference>,
    pub(super) minimizer: Minimizer,
    pub(super) predictor: Predictor<'a>,
    pub(super) asker: Asker,
    pub(super) name: String,
    pub(super) is_over: &'a dyn Fn() -> bool,
}

impl<'a> Tools<'a> {
    pub(super) fn new(
        suite: &'a IsaSuite,
        factory: &TargetFactory,
        dictionary: &'a (dyn Dictionary + 'a),
        asker: Asker,
        is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        Tools {
            suite,
            reference: (suite.reference)(),
            minimizer: Minimizer::new(suite, factory),
            predictor: Predictor::new(suite, factory, dictionary),
            asker,
            name: factory.info.name.clone(),
            is_over,
        }
    }

    /// A case of which whatever is not needed is put back to the base state, and which the causes do not foretell either.
    pub(super) fn plainer(
        &mut self,
        case: &Evidence,
        causes: &[Hypothesis],
        keeps_words: bool,
        backgrounds: &mut Vec<AlignedBytes>,
    ) -> Option<Evidence> {
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
        let predictor = &self.predictor;
        let broken = || causes.iter().map(|cause| (&cause.guard[..], cause.candidate));
        let also = |value: &CaseValue| !predictor.is_foretold_by(broken(), value);
        let plain = self.minimizer.plainer(&value, Some(&key), (PLAINER_RUNS, keeps_words), &also, self.is_over)?;
        self.kept(&plain, case.id, backgrounds)
    }

    /// A case by value, with what the pages promise and what the target does.
    fn kept(&mut self, value: &CaseValue, id: CaseId, backgrounds: &mut Vec<AlignedBytes>) -> Option<Evidence> {
        let (map, mut state) = (RowMap::new(self.suite.isa.layout), value.state());
        let epoch = *self.asker.epochs.entry(u64::MAX).or_insert_with(|| {
            backgrounds.push(self.suite.isa.base_state().arena);
            backgrounds.len() - 1
        });
        let (before, overlay) = (state.small.clone(), Rows::of(&map, &value.rows(), &state.arena));
        let step = Step { instruction: value.instruction, edition: value.edition, code: &value.code };
        let answer = self.reference.execute(&step, &mut state).required_answer()?;
        let levels = value.with_parts(|parts| levels_of(value.instruction, value.edition, parts));
        let (right, open) = (Outcome::of(&map, Some(answer), &state), state.tracker.open.clone());
        let mut kept = Evidence {
            id,
            epoch,
            code: value.code,
            before,
            levels,
            overlay,
            right,
            open,
            got: None,
            matter: OnceCell::new(),
            asked: Cell::new(0),
        };
        self.asker.ask(&mut kept, backgrounds)?;
        kept.got.is_some().then_some(kept)
    }
}
