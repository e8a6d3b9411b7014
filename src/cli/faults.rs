//! `tandem faults`: the test of the tests.

use serde_json::json;
use tandem_harness::Hunt;

use super::{CliError, Common, Exit, progress, select};
use crate::trial::{self, Trial};

/// Cases after which a fault counts as not found.
const CASES: u64 = 1_000_000;
/// Cases of a cell after which its one-cell fault counts as not found.
const CASES_PER_CELL: u64 = 64;

pub(super) fn run(common: &Common, filters: &[String], per_cell: bool) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    let instructions = select::instructions(&suite, filters)?;
    let seed = common.seed.unwrap_or(1);
    let cases = common.cases.unwrap_or(CASES);
    let mut trials = Vec::new();
    for instruction in instructions {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let editions = select::editions(common, instruction)?;
        trials.extend(progress::watched(None, |progress| {
            trial::catalogue(isa, instruction, &editions, (seed, cases), common.workers(), progress)
        }));
        if per_cell {
            trials.extend(progress::watched(None, |progress| {
                trial::cells(isa, instruction, &editions, (seed, CASES_PER_CELL), common.workers(), progress)
            }));
        }
    }
    let (expected, controls): (Vec<&Trial>, Vec<&Trial>) = trials.iter().partition(|trial| trial.must_be_found);
    let found = expected.iter().filter(|trial| trial.hunt.found()).count();
    let summary = Summary::of(&expected);
    if common.json {
        let rows: Vec<_> = trials.iter().map(|trial| row(&trial.hunt)).collect();
        println!(
            "{}",
            json!({ "found": found, "total": expected.len(), "faults": rows, "summary": {
                "median_datums": summary.median, "p90_datums": summary.p90, "mean_size": summary.mean_size,
                "max_runs": summary.max_runs,
            }})
        );
    } else {
        for trial in &trials {
            println!("{}", line(trial));
        }
        println!(
            "{found} of {} faults found; datums: median {}, 90th percentile {}; smallest cases: {:.1} elements on \
             average, at most {} runs; {} controls, of which {} were found",
            expected.len(),
            summary.median,
            summary.p90,
            summary.mean_size,
            summary.max_runs,
            controls.len(),
            controls.iter().filter(|trial| trial.hunt.found()).count()
        );
    }
    if expected.is_empty() {
        return Ok(Exit::Holes);
    }
    let wrong_alarms = controls.iter().any(|trial| trial.hunt.found());
    // A fault that is not found is a hole in the suite; a control that is found is its bug.
    Ok(if wrong_alarms {
        Exit::Bug
    } else if found < expected.len() {
        Exit::Holes
    } else {
        Exit::Agree
    })
}

/// Figures over a list of trials.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub median: u64,
    pub p90: u64,
    pub mean_size: f64,
    pub max_runs: usize,
}

impl Summary {
    pub(crate) fn of(trials: &[&Trial]) -> Self {
        let mut datums: Vec<u64> = trials.iter().map(|trial| trial.hunt.datums).collect();
        datums.sort_unstable();
        let at = |share: usize| datums.get((datums.len() * share / 100).min(datums.len().saturating_sub(1))).copied();
        let sizes: Vec<usize> = trials.iter().filter_map(|trial| trial.hunt.size()).collect();
        Summary {
            median: at(50).unwrap_or(0),
            p90: at(90).unwrap_or(0),
            mean_size: sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64,
            max_runs: trials.iter().filter_map(|trial| trial.hunt.runs()).max().unwrap_or(0),
        }
    }
}

fn row(hunt: &Hunt) -> serde_json::Value {
    json!({
        "id": hunt.id, "instruction": hunt.instruction, "found": hunt.found(), "cases": hunt.cases,
        "datums": hunt.datums, "size": hunt.size(), "runs": hunt.runs(), "minimal": hunt.minimal(),
    })
}

fn line(trial: &Trial) -> String {
    let hunt = &trial.hunt;
    let small = match (hunt.size(), hunt.runs()) {
        (Some(size), Some(runs)) => {
            format!("size {size} in {runs} runs{}", if hunt.minimal() { "" } else { ", not proven minimal" })
        }
        _ => String::new(),
    };
    let what = match (hunt.found(), trial.must_be_found) {
        (true, true) => "found",
        (false, true) => "NOT FOUND",
        (false, false) => "not found, as it must be",
        (true, false) => "FOUND ALTHOUGH IT IS RIGHT",
    };
    format!("{:40} {what} after {} cases, {} datums {small}", hunt.id, hunt.cases, hunt.datums)
}
