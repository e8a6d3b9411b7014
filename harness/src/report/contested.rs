//! Contested cells: where the editions, or two named readings of one page, differ.

use tandem_isa::{Edition, Instruction, Parts, SaltPlan, State, Step};

use crate::{CaseId, Generator, IsaSuite, Pools, RowMap, Workbench};

/// What sampling a cell of the newest edition showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestedCell {
    /// Sampled cases on which the editions differ in what they promise or in the state after it.
    pub differing: u64,
    /// Why the instruction calls a sampled case contested although its outcome is the same.
    pub marked: Option<&'static str>,
}

impl ContestedCell {
    /// Whether the editions or two readings differ.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.differing > 0 || self.marked.is_some()
    }
}

/// Runs `samples` cases of each cell of the newest edition under both editions by the reference.
///
/// The cases are those of `seed`, so the answer is always the same. The cells are in the order of their numbers.
#[must_use]
pub fn contested_cells(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    samples: u64,
    seed: u64,
) -> Vec<ContestedCell> {
    let (isa, edition) = (suite.isa, Edition::Newest);
    let generator = Generator::new(isa, instruction, edition, seed, Pools::new(isa, seed));
    let num_cells = generator.cells.len();
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    let mut older = Older::new(suite, instruction);
    let mut cells = vec![ContestedCell::default(); num_cells];
    for index in 0..samples {
        bench.enter_epoch(index);
        older.state.arena.copy_from_slice(bench.generator.arena());
        for (cell, contested) in cells.iter_mut().enumerate() {
            let cell = u32::try_from(cell).expect("a cell number fits");
            let id = CaseId { isa: isa.short, instruction, edition, cell, seed, index };
            let background = bench.generator.arena().clone();
            bench.capture(&id, |expectation, code, small, newest| {
                let same = older.same(expectation.name(), expectation.required_answer().is_some(), code, small, newest);
                contested.differing += u64::from(!same);
                let (mut code, mut small) = (*code, small.to_vec());
                let aligned = &mut State::zeroed(isa.layout).small;
                aligned.copy_from_slice(&small);
                small.clear();
                let parts = Parts { code: &mut code, small: aligned, salt: &mut SaltPlan::default() };
                contested.marked = contested.marked.or((instruction.contested)(&parts));
            });
            older.put_back(&background);
        }
    }
    cells
}
