//! Which cells the pages specify. It is a property of the pages, so the reference says it, of cases that are the same in every run:
//! it depends on neither a campaign's seed nor on how far it came.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tandem_isa::{Edition, Instruction};

use crate::{CaseId, CaseSource, CellCount, IsaSuite, Suite, Workbench};

/// The seed of the cases that are looked at.
const SEED: u64 = 1;
/// The cases of each cell that are looked at, behind those of corner values alone.
const FEW: std::ops::Range<u64> = 6..16;
/// Those that are looked at too where these are not all of one kind.
const MORE: std::ops::Range<u64> = 16..262;

/// For each of some instructions in an edition, which of its cells the pages specify, in the order of their numbers.
///
/// A cell is undefined if more than three in four of its cases are, or more than half and hardly any of the others completes.
#[must_use]
pub fn specified(suite: &Suite, units: &[(&'static Instruction, Edition)], threads: usize) -> Vec<Arc<[bool]>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![Arc::<[bool]>::default(); units.len()]);
    let sources: Vec<CaseSource> = suite.isas.iter().map(|isa| CaseSource::new(isa.isa, SEED)).collect();
    let source_of = |instruction: &Instruction| {
        let place = suite.isas.iter().position(|isa| isa.isa.name == instruction.isa);
        let place = place.expect("the instructions are of the suite");
        (&suite.isas[place], &sources[place])
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, units.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&unit) = units.get(place) else { break };
                    let (isa, source) = source_of(unit.0);
                    let cells = of_unit(isa, source, unit).into();
                    found.lock().expect("no worker panics while it keeps")[place] = cells;
                }
            });
        }
    });
    found.into_inner().expect("no worker panics while it keeps")
}

fn of_unit(suite: &IsaSuite, source: &CaseSource, unit: (&'static Instruction, Edition)) -> Vec<bool> {
    let (instruction, edition) = unit;
    let generator = source.generator(suite.isa, unit);
    let mut counts = vec![CellCount::default(); generator.cells.len()];
    let mut bench = Workbench::new(generator, &suite.with_targets(Vec::new()));
    let mut look = |counts: &mut [CellCount], index: u64, is_asked: &dyn Fn(&CellCount) -> bool| {
        bench.enter_epoch(index);
        for (cell, count) in counts.iter_mut().enumerate().filter(|(_, count)| is_asked(count)) {
            let cell = u32::try_from(cell).expect("a cell number fits");
            let id = CaseId { isa: suite.isa.short, instruction, edition, cell, seed: SEED, index };
            count.take(bench.run(&id).expectation);
        }
    };
    FEW.for_each(|index| look(&mut counts, index, &|_| true));
    MORE.for_each(|index| look(&mut counts, index, &|count| count.cited > 0 && count.answered > 0));
    counts.iter().map(is_specified).collect()
}

fn is_specified(count: &CellCount) -> bool {
    let CellCount { cited, answered, done, .. } = *count;
    cited <= answered || cited <= 3 * answered && 5 * done >= cited + answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_undefined_if_most_of_its_cases_are() {
        let count = |cited, answered, done| CellCount { cited, answered, done, ..CellCount::default() };
        for (one, is) in [
            (count(0, 10, 10), true),
            (count(0, 10, 0), true),
            (count(10, 0, 0), false),
            (count(128, 128, 0), true),
            (count(192, 64, 64), true),
            (count(193, 63, 63), false),
            (count(180, 76, 20), false),
        ] {
            assert_eq!(is_specified(&one), is, "{one:?}");
        }
    }
}
