//! `tandem faults`: the test of the tests.

use std::path::Path;

use serde_json::json;
use tandem_harness::report::model::{FaultPart, FaultsPart};
use tandem_harness::{Hunt, MinimizeLimits};

use super::{CliError, Common, Exit, files, progress, select};
use crate::trial::{self, Trial};

/// What a run leaves under `--out`, for the report of `tandem fuzz`.
const FILE: &str = "faults.json";
/// Cases after which a fault counts as not found.
const CASES: u64 = 1_000_000;
/// Cases of a cell after which its one-cell fault counts as not found.
const CASES_PER_CELL: u64 = 64;

pub(super) fn run(common: &Common, filters: &[String], per_cell: bool) -> Result<Exit, CliError> {
    progress::listen();
    let suite = select::suite(common)?;
    let instructions = select::instructions(&suite, filters)?;
    let seed = common.seed.unwrap_or(1);
    let cases = common.cases.unwrap_or(CASES);
    let (mut trials, mut parts) = (Vec::new(), Vec::new());
    for instruction in instructions {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let editions = select::editions(common, instruction)?;
        let part = |of_one_cell| move |trial: &Trial| FaultPart::of(&trial.hunt, trial.must_be_found, of_one_cell);
        let known = progress::watched_for(common.seconds, None, |progress| {
            trial::catalogue(isa, instruction, &editions, (seed, cases), common.workers(), progress)
        });
        parts.extend(known.iter().map(part(false)));
        trials.extend(known);
        if per_cell {
            let size = (seed, CASES_PER_CELL);
            let green = trial::green_cells(isa, instruction, &editions, size, common.workers());
            let cells = progress::watched_for(common.seconds, None, |progress| {
                let size = (seed, CASES_PER_CELL, Some(MinimizeLimits::default()));
                trial::cells(isa, instruction, &green, size, common.workers(), progress)
            });
            parts.extend(cells.iter().map(part(true)));
            trials.extend(cells);
        }
    }
    let part = FaultsPart::of(seed, parts);
    // What was stopped, or left something out, says nothing of the whole.
    if filters.is_empty() && common.edition.is_none() && !progress::is_over(common.seconds) {
        let text = serde_json::to_string_pretty(&part).expect("figures serialize") + "\n";
        files::write(&common.out.join(FILE), &text)?;
    }
    let figures = &part.figures;
    if common.json {
        let rows: Vec<_> = trials.iter().map(|trial| row(&trial.hunt)).collect();
        println!(
            "{}",
            json!({ "found": figures.found, "total": figures.total, "faults": rows, "summary": {
                "median_datums": figures.median_datums, "p90_datums": figures.p90_datums,
                "mean_size": figures.mean_size, "max_runs": figures.max_runs,
            }})
        );
    } else {
        for trial in &trials {
            println!("{}", line(trial));
        }
        println!(
            "{} of {} faults found; datums: median {}, 90th percentile {}; smallest cases: {:.1} elements on \
             average, at most {} runs; {} controls, of which {} were found",
            figures.found,
            figures.total,
            figures.median_datums,
            figures.p90_datums,
            figures.mean_size,
            figures.max_runs,
            figures.controls,
            figures.alarms
        );
    }
    if progress::is_over(common.seconds) {
        eprintln!("tandem: stopped early: not every fault was hunted");
    }
    // A fault that is not found is a hole in the suite; a control that is found is its bug.
    Ok(if figures.alarms > 0 {
        Exit::Bug
    } else if figures.found < figures.total || figures.total == 0 {
        Exit::Holes
    } else {
        Exit::Agree
    })
}

/// What an earlier run left under `out`, if this version made it; or why it is of no use.
pub(super) fn read(out: &Path) -> Result<Option<FaultsPart>, String> {
    let path = out.join(FILE);
    let stale = |why: String| format!("{}: {why}; run `tandem faults` again", path.display());
    let text = files::read_if_there(&path).map_err(|error| error.to_string())?;
    let Some(text) = text else { return Ok(None) };
    let part: FaultsPart = serde_json::from_str(&text).map_err(|error| stale(error.to_string()))?;
    if part.is_current() { Ok(Some(part)) } else { Err(stale(format!("made by version {}", part.version))) }
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
