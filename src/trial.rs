//! Trials of the suite: each deliberately wrong implementation is hunted, and the right ones must not be found.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tandem_faults::one_cell::OneCell;
use tandem_faults::{Fault, Right};
use tandem_harness::{
    Budget, Campaign, CellStatus, Hunt, IsaSuite, MinimizeLimits, Plan, Pools, Progress, Suite, TargetFactory, hunt,
    hunt_in_cell,
};
use tandem_isa::{Edition, Instruction, Target};

/// What came of one fault.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its number in the catalogue, if it is of that.
    pub number: Option<usize>,
    /// Whether it is wrong in one of the editions that ran; else it is a control that must not be found.
    pub must_be_found: bool,
    /// Whether it did anything wrong in the cases that ran. What does nothing on an instruction is not to be found there.
    pub applicable: bool,
    /// Whether its case can be made smaller alone (what depends on order cannot).
    pub minimizable: bool,
    /// What came of the hunt.
    pub hunt: Hunt,
}

/// Hunts every fault of the catalogue that is of `instruction`, in the editions of `editions` in which it is wrong.
#[must_use]
pub fn catalogue(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    editions: &[Edition],
    (seed, cases): (u64, u64),
    threads: usize,
    progress: &Progress,
) -> Vec<Trial> {
    catalogue_of(suite, instruction, (editions, &|_| true), (seed, cases), threads, progress)
}

/// The same for those faults whose number in the catalogue is wanted.
#[must_use]
pub fn catalogue_of(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    (editions, is_wanted): (&[Edition], &dyn Fn(usize) -> bool),
    (seed, cases): (u64, u64),
    threads: usize,
    progress: &Progress,
) -> Vec<Trial> {
    let all = tandem_faults::catalogue().iter().enumerate();
    let faults: Vec<(usize, &'static Fault)> =
        all.filter(|(number, fault)| fault.concerns(instruction) && is_wanted(*number)).collect();
    parallel(threads, &faults, progress, |&(number, fault)| {
        let wrong: Vec<Edition> = editions.iter().copied().filter(|edition| fault.wrong_in.contains(edition)).collect();
        let must_be_found = !wrong.is_empty();
        let run = if must_be_found { wrong } else { editions.to_vec() };
        // A control costs its whole budget; a fifth of it is far more than any fault needs.
        let cases = if must_be_found { cases } else { cases / 5 };
        let units = run.into_iter().map(|edition| (instruction, edition)).collect();
        let acts = Arc::new(AtomicU64::new(0));
        let found = hunt(suite, &watched(fault.id, &acts), units, seed, cases);
        let minimizable = !fault.hidden() || found.size().is_some();
        let applicable = found.found() || acts.load(Ordering::Relaxed) > 0;
        Trial { number: Some(number), must_be_found, applicable, minimizable, hunt: found }
    })
}

/// The factory of a fault of the catalogue.
#[must_use]
pub fn factory(id: &'static str) -> TargetFactory {
    TargetFactory::new(move || tandem_faults::target(Some(id)).expect("the fault is of the catalogue"))
}

/// The same, of a fault that counts in `acts` how often it does something wrong, as far as it can tell: what it cannot tell counts.
fn watched(id: &'static str, acts: &Arc<AtomicU64>) -> TargetFactory {
    let acts = Arc::clone(acts);
    TargetFactory::new(move || {
        tandem_faults::counting(id, &acts).unwrap_or_else(|| {
            acts.fetch_add(1, Ordering::Relaxed);
            tandem_faults::target(Some(id)).expect("the fault is of the catalogue")
        })
    })
}

/// The factory of a right target.
#[must_use]
pub fn right() -> TargetFactory {
    TargetFactory::new(|| Box::new(Right) as Box<dyn Target>)
}

/// The cells that a right target has green after `cases` cases a cell and as many again, per edition.
#[must_use]
pub fn green_cells(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    editions: &[Edition],
    (seed, cases): (u64, u64),
    threads: usize,
) -> Vec<(Edition, u32)> {
    let mut green = Vec::new();
    for &edition in editions {
        let whole = Suite { isas: vec![suite.with_targets(vec![right()])] };
        let budget = Budget::Cases((instruction.cells)(edition).len() as u64 * cases * 2);
        let plan = Plan { threads, ..Plan::new(seed, budget, vec![(instruction, edition)]) };
        let result = Campaign::new(&whole, &plan, &Progress::default()).run();
        for (cell, count) in (0..).zip(&result.units[0].cells) {
            if count.status(result.units[0].enough) == CellStatus::Green {
                green.push((edition, cell));
            }
        }
    }
    green
}

/// Makes a one-cell fault of each of these cells and hunts it: one result bit flipped in that cell only. Its case is made
/// smaller if there are limits for that.
#[must_use]
pub fn cells(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    cells: &[(Edition, u32)],
    (seed, cases, limits): (u64, u64, Option<MinimizeLimits>),
    threads: usize,
    progress: &Progress,
) -> Vec<Trial> {
    let pools = Pools::new(suite.isa, seed);
    parallel(threads, cells, progress, |&(edition, cell)| {
        let isa = suite.isa;
        let one_cell = TargetFactory::new(move || {
            Box::new(OneCell::new(Box::new(Right), isa, instruction, edition, cell as usize)) as Box<dyn Target>
        });
        let unit = (instruction, edition, cell);
        let found = hunt_in_cell(suite, &one_cell, unit, &pools, (seed, cases), limits);
        Trial { number: None, must_be_found: true, applicable: true, minimizable: true, hunt: found }
    })
}

/// Does `work` for each item on some threads; the results are in the order of the items.
#[must_use]
pub fn parallel<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    progress: &Progress,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while !progress.stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    progress.cases.fetch_add(1, Ordering::Relaxed);
                    done.lock().expect("no worker panics while it holds the list").push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the list");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
