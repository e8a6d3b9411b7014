//! The gate of vISA MOV: reference against every SIMD level, in every cell.

use std::sync::LazyLock;

use tandem::{trial, wiring};
use tandem_harness::{Budget, Campaign, CampaignResult, CellStatus, IsaSuite, Plan, Progress, Suite};
use tandem_isa::{Edition, visa};

const SEED: u64 = 20_260_102;
const CASES: u64 = 700_000;

fn visa_at(levels: &[tandem_simd::Level]) -> IsaSuite {
    wiring::suite_at(levels).isa("visa").expect("there is vISA").clone()
}

fn campaign(suite: &Suite, cases: u64) -> CampaignResult {
    let plan = Plan { coverage: true, threads: 2, ..Plan::new(SEED, Budget::Cases(cases), suite.units()) };
    Campaign::new(suite, &plan, &Progress::default()).run()
}

static GATE: LazyLock<CampaignResult> =
    LazyLock::new(|| campaign(&Suite { isas: vec![visa_at(&tandem_simd::Level::detect_all())] }, CASES));

fn agreed(result: &CampaignResult) {
    let findings: Vec<String> = result
        .findings
        .iter()
        .map(|finding| {
            let small = finding.minimized.as_ref().map(|small| (visa::inst::mov::MOV.print)(&small.value.code));
            format!("{} in {} cases, first {}, smallest {small:?}", finding.signature, finding.count, finding.first.id)
        })
        .collect();
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(result.completed > 0, "no case completed, so nothing was shown");
}

#[test]
fn mov_agrees_in_every_mode() {
    agreed(&GATE);
    for unit in &GATE.units {
        let cells = (unit.instruction.cells)(unit.edition);
        let holes: Vec<String> = (0..cells.len())
            .filter(|&cell| unit.cells[cell].status() == CellStatus::Hole)
            .map(|cell| format!("{:?} in {}", unit.cells[cell], cells.describe(cell)))
            .collect();
        assert!(holes.is_empty(), "{} holes, {:#?}", holes.len(), &holes[..holes.len().min(5)]);
    }
}

#[test]
fn mov_orthogonal_axes_are_covered_three_ways() {
    for unit in &GATE.units {
        let cover = unit.coverage.expect("the gate counts coverage");
        assert!(cover.share() >= 0.99, "{cover:?}, among the missing {:#?}", unit.uncovered);
    }
}

#[test]
fn a_third_implementation_of_mov_agrees_as_well() {
    let mut suite = visa_at(&[]);
    suite.targets = vec![trial::plain()];
    agreed(&campaign(&Suite { isas: vec![suite] }, 150_000));
}

#[test]
fn every_fault_of_mov_is_found() {
    let suite = visa_at(&[]);
    let trials =
        trial::catalogue(&suite, &visa::inst::mov::MOV, &[Edition::Newest], (1, 250_000), 2, &Progress::default());
    let (wrong, right): (Vec<_>, Vec<_>) = trials.iter().partition(|trial| trial.must_be_found);
    assert!(wrong.len() >= 40, "{} faults", wrong.len());
    let missed: Vec<_> = wrong.iter().filter(|trial| !trial.hunt.found()).map(|trial| &trial.hunt.id).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    let alarms: Vec<_> = right.iter().filter(|trial| trial.hunt.found()).map(|trial| &trial.hunt.id).collect();
    assert!(alarms.is_empty(), "found although they are right: {alarms:?}");
    let mut datums: Vec<u64> = wrong.iter().map(|trial| trial.hunt.datums).collect();
    datums.sort_unstable();
    let sizes: Vec<usize> = wrong.iter().filter_map(|trial| trial.hunt.size()).collect();
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    println!(
        "{} faults, datums: median {}, 90th percentile {}; {mean:.1} elements on average",
        wrong.len(),
        datums[datums.len() / 2],
        datums[datums.len() * 9 / 10]
    );
    assert!(datums[datums.len() / 2] <= 20_000 && datums[datums.len() * 9 / 10] <= 500_000);
    assert!(trials.iter().filter_map(|trial| trial.hunt.runs()).all(|runs| runs <= 1_001));
}
