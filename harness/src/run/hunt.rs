//! Hunting faults: how soon a campaign finds a target that is wrong on purpose, and how small its case becomes.

use std::sync::Arc;

use tandem_isa::{Edition, Instruction};

use crate::run::{Located, Sighting, minimize_first};
use crate::{
    Budget, Campaign, CaseOutcome, Finding, Generator, IsaSuite, MinimizeLimits, Plan, Pools, Progress, Signature,
    Suite, TargetFactory, Workbench,
};

/// What came of hunting one fault.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The fault.
    pub id: String,
    /// The instruction, as a path.
    pub instruction: String,
    /// The first finding, with its smallest case.
    pub finding: Option<Finding>,
    /// Cases up to and with the first one that found it, or all that were run.
    pub cases: u64,
    /// Words compared in them.
    pub datums: u64,
}

impl Hunt {
    /// Whether it was found.
    #[must_use]
    pub fn found(&self) -> bool {
        self.finding.is_some()
    }

    /// Size of the smallest case: what differs from the base state.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        let minimized = self.finding.as_ref()?.minimized.as_ref()?;
        Some(minimized.value.size())
    }

    /// Runs of the target that minimizing took.
    #[must_use]
    pub fn runs(&self) -> Option<usize> {
        Some(self.finding.as_ref()?.minimized.as_ref()?.runs)
    }

    /// Whether the smallest case is proven minimal.
    #[must_use]
    pub fn minimal(&self) -> bool {
        self.finding.as_ref().and_then(|finding| finding.minimized.as_ref()).is_some_and(|small| small.proven)
    }
}

/// Runs a campaign of at most `cases` cases against one target and stops at the first finding.
#[must_use]
pub fn hunt(
    suite: &IsaSuite,
    factory: &TargetFactory,
    units: Vec<(&'static Instruction, Edition)>,
    seed: u64,
    cases: u64,
) -> Hunt {
    let suite = Suite { isas: vec![suite.with_targets(vec![factory.clone()])] };
    let instruction = units.first().map(|(instruction, _)| instruction.path()).unwrap_or_default();
    let plan = Plan { threads: 1, stop_at_finding: true, ..Plan::new(seed, Budget::Cases(cases), units) };
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let first = result.findings.into_iter().min_by_key(|finding| (finding.cases_to_find, finding.signature.clone()));
    let (cases, datums) =
        first.as_ref().map_or((result.cases, result.datums), |finding| (finding.cases_to_find, finding.datums_to_find));
    Hunt { id: factory.info.name.clone(), instruction, finding: first, cases, datums }
}

/// Runs the cases of one cell, at most `cases` of them, against one target until it diverges.
#[must_use]
pub fn hunt_in_cell(
    suite: &IsaSuite,
    factory: &TargetFactory,
    (instruction, edition, cell): (&'static Instruction, Edition, u32),
    pools: &Arc<Pools>,
    (seed, cases): (u64, u64),
    limits: Option<MinimizeLimits>,
) -> Hunt {
    let suite = suite.with_targets(vec![factory.clone()]);
    let generator = Generator::new(suite.isa, instruction, edition, seed, Arc::clone(pools));
    let mut bench = Workbench::new(generator, &suite);
    let mut hunt =
        Hunt { id: factory.info.name.clone(), instruction: instruction.path(), finding: None, cases: 0, datums: 0 };
    for index in 0..cases {
        let mut id = bench.generator.id(0);
        (id.cell, id.index) = (cell, index);
        bench.enter_epoch(index);
        let ran = bench.run(&id);
        hunt.cases += 1;
        hunt.datums += ran.datums;
        let Some(CaseOutcome::Diverged(differences)) = bench.outcomes().first() else { continue };
        let info = &bench.slots[0].info;
        let signature = Signature::of(&instruction.path(), &info.name, suite.isa.layout, differences);
        let Some(signature) = signature else { continue };
        let sighting = Sighting::new(id, differences.clone(), info.level.clone());
        let mut finding = Finding::new(signature, sighting);
        if let Some(limits) = limits {
            minimize_first(&Located { suite: &suite, factory, held: None }, &mut finding, limits, &|_| true, &|| false);
        }
        hunt.finding = Some(finding);
        break;
    }
    hunt
}
