//! The exhaustive tier: every value of an operand domain, in every cell that is asked for.
//!
//! The read port hands out consecutive values instead of drawn ones, so a run is over when the reference has read
//! them all, and nobody computes a footprint.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_isa::{Edition, Exhaust, Expectation, Instruction, ReadPort, SaltPlan};

use crate::finding::Sighting;
use crate::{CaseOutcome, Finding, Generator, IsaSuite, Pools, Progress, Salter, Signature, Workbench, quiet_panics};

/// What an exhaustive run saw in one cell.
#[derive(Clone, Debug)]
pub struct ExhaustCell {
    /// The cell.
    pub cell: u32,
    /// Values of the domain that were read and whose results were compared.
    pub values: u64,
    /// Cases that it took.
    pub cases: u64,
    /// Whether the pages promise nothing in this cell.
    pub cited: bool,
}

/// The result of an exhaustive run of one instruction in one edition.
#[derive(Debug)]
pub struct ExhaustResult {
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// The cells, in ascending order.
    pub cells: Vec<ExhaustCell>,
    /// Findings, by signature.
    pub findings: BTreeMap<Signature, Finding>,
}

/// Hands out consecutive values for one bank, and drawn ones for the others.
struct CountingPort {
    domain: Exhaust,
    width: usize,
    next: Arc<AtomicU64>,
    salter: Salter,
}

impl ReadPort for CountingPort {
    fn begin(&mut self, key: u64, plan: &SaltPlan, corners: bool) {
        self.salter.begin(key, plan, corners);
    }

    fn fill(&mut self, bank: usize, row_id: usize, bytes: &mut [u8]) {
        if bank != self.domain.bank {
            return self.salter.fill(bank, row_id, bytes);
        }
        let count = (bytes.len() / self.width) as u64;
        let first = self.next.fetch_add(count, Ordering::Relaxed);
        let mask = (1u64 << self.domain.bits) - 1;
        for (value, datum) in (first..).zip(bytes.chunks_exact_mut(self.width)) {
            datum.copy_from_slice(&(value & mask).to_le_bytes()[..self.width]);
        }
    }
}

/// Runs every value of an instruction's domain through each of `cells`.
#[must_use]
pub fn exhaust(
    suite: &IsaSuite,
    instruction: &'static Instruction,
    edition: Edition,
    cells: &[u32],
    progress: &Progress,
) -> Option<ExhaustResult> {
    let domain = instruction.exhaust?;
    quiet_panics();
    let pools = Pools::new(suite.isa, 0);
    let next = Arc::new(AtomicU64::new(0));
    let mut generator = Generator::new(suite.isa, instruction, edition, 0, Arc::clone(&pools));
    generator.adjust = Some(domain.set);
    let mut bench = Workbench::new(generator, suite);
    bench.set_port(Box::new(CountingPort {
        domain,
        width: suite.isa.layout.banks[domain.bank].word.bytes(),
        next: Arc::clone(&next),
        salter: Salter::new(pools),
    }));
    let mut result = ExhaustResult { instruction, edition, cells: Vec::new(), findings: BTreeMap::new() };
    for &cell in cells {
        if progress.stop.load(Ordering::Relaxed) {
            break;
        }
        next.store(0, Ordering::Relaxed);
        bench.reset_targets();
        let mut seen = ExhaustCell { cell, values: 0, cases: 0, cited: false };
        while next.load(Ordering::Relaxed) < 1 << domain.bits && !seen.cited {
            // The same epoch throughout: what varies is the operand.
            let mut id = bench.generator.id(0);
            (id.cell, id.index) = (cell, seen.cases);
            let before = next.load(Ordering::Relaxed);
            let ran = bench.run(&id);
            seen.cases += 1;
            match ran.expectation {
                Expectation::Done | Expectation::NonContractual(_) => {
                    seen.values += next.load(Ordering::Relaxed) - before;
                }
                _ => seen.cited = true,
            }
            for (slot, outcome) in bench.outcomes().iter().enumerate() {
                if let CaseOutcome::Diverged(differences) = outcome {
                    let info = &bench.slots[slot].info;
                    let layout = suite.isa.layout;
                    let path = instruction.path();
                    let Some(signature) = Signature::of(&path, &info.name, layout, differences) else { continue };
                    let sighting =
                        Sighting { id, differences: differences.clone(), level: info.level.clone(), after: None };
                    match result.findings.get_mut(&signature) {
                        Some(known) => known.add(&sighting),
                        None => {
                            result.findings.insert(signature.clone(), Finding::new(signature, sighting));
                        }
                    }
                }
            }
        }
        progress.cases.fetch_add(seen.cases, Ordering::Relaxed);
        result.cells.push(seen);
    }
    Some(result)
}

/// The first cell of each cell class: one exhaustive run each shows every path.
#[must_use]
pub fn one_cell_a_class(instruction: &Instruction, edition: Edition) -> Vec<(&'static str, u32)> {
    let cells = (instruction.cells)(edition);
    let mut classes: Vec<(&'static str, u32)> = Vec::new();
    for cell in 0..cells.len() {
        let class = (instruction.cell_class)(edition, cells.levels(cell));
        if !classes.iter().any(|(known, _)| *known == class) {
            classes.push((class, u32::try_from(cell).expect("a cell number fits")));
        }
    }
    classes
}
