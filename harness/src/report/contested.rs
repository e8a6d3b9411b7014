//! Contested cells: where the editions, or two named readings of one page, differ.

use std::sync::Arc;

use tandem_isa::{AlignedBytes, Code, Edition, Expectation, Instruction, Parts, Reference, SaltPlan, State, Step};

use crate::{CaseId, Generator, IsaSuite, Pools, RowMap, Workbench};

/// What sampling a cell of the newest edition showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestedCell {
    /// Sampled cases on which the editions differ in what they promise or in the state after it.
    pub differing: u64,
    /// Why the instruction calls a sampled case contested although its outcome may be the same.
    pub marked: Option<&'static str>,
}

impl ContestedCell {
    /// Whether the editions or two readings differ.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.differing > 0 || self.marked.is_some()
    }
}

/// Runs `samples` cases of each cell of the newest edition under both editions by the reference, if there are two.
///
/// The cases are those of `seed` and its `pools`, so the answer is always the same. The cells are in the order of their
/// numbers.
#[must_use]
pub fn contested_cells(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    samples: u64,
    (seed, pools): (u64, &Arc<Pools>),
) -> Vec<ContestedCell> {
    let (isa, edition) = (suite.isa, Edition::Newest);
    let has_two_editions = instruction.editions().len() > 1;
    let generator = Generator::new(isa, instruction, edition, seed, Arc::clone(pools));
    let mut cells = vec![ContestedCell::default(); generator.cells.len()];
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    let mut spec = SpecEdition::new(suite, instruction);
    for index in 0..samples {
        bench.enter_epoch(index);
        spec.set_background(bench.generator.arena());
        for (cell, contested) in cells.iter_mut().enumerate() {
            let cell = u32::try_from(cell).expect("a cell number fits");
            let id = CaseId { isa: isa.short, instruction, edition, cell, seed, index };
            let case = bench.load(&id);
            if contested.marked.is_none() {
                contested.marked = spec.mark(&case.drawn.code, &case.small);
            }
            if has_two_editions {
                bench.capture_loaded(&case, |expectation, code, small, newest| {
                    contested.differing += u64::from(spec.differs(expectation, code, small, newest));
                });
            }
        }
    }
    cells
}

/// Runs cases of the newest edition under the other one.
struct SpecEdition {
    instruction: &'static Instruction,
    reference: Box<dyn Reference>,
    background: AlignedBytes,
    state: State,
    map: RowMap,
}

impl SpecEdition {
    fn new(suite: &IsaSuite, instruction: &'static Instruction) -> Self {
        let layout = suite.isa.layout;
        SpecEdition {
            instruction,
            reference: (suite.reference)(),
            background: AlignedBytes::zeroed(layout.arena_bytes),
            state: State::zeroed(layout),
            map: RowMap::new(layout),
        }
    }

    fn set_background(&mut self, arena: &[u8]) {
        self.background.copy_from_slice(arena);
        self.state.arena.copy_from_slice(arena);
    }

    /// Whether a case is promised otherwise or ends in another state than in `newest`, the state after it there.
    fn differs(&mut self, expectation: Expectation, code: &Code, small: &[u8], newest: &State) -> bool {
        let overlay = &newest.tracker.overlay;
        self.state.small.copy_from_slice(small);
        self.map.copy([&overlay.rows], &overlay.arena, &mut self.state.arena);
        let step = Step { instruction: self.instruction, edition: Edition::Spec, code };
        let here = self.reference.execute(&step, &mut self.state);
        let touched = [&self.state.tracker.log.written, &newest.tracker.log.written, &overlay.rows];
        let promised = expectation.required_answer().is_some();
        let differs = here.name() != expectation.name()
            || promised && *self.state.small != *newest.small
            || promised && !self.map.equal(touched, &self.state.arena, &newest.arena);
        self.map.copy(touched, &self.background, &mut self.state.arena);
        self.state.tracker.clear();
        differs
    }

    /// Why the instruction calls a case contested.
    fn mark(&mut self, code: &Code, small: &[u8]) -> Option<&'static str> {
        self.state.small.copy_from_slice(small);
        let (mut code, mut salt) = (*code, SaltPlan::default());
        let parts = Parts { code: &mut code, small: &mut self.state.small, salt: &mut salt };
        (self.instruction.contested)(&parts)
    }
}
