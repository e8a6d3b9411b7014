//! `tandem bench`: speed on one thread.

use serde_json::{Map, Value, json};
use tandem_harness::report::RunPart;
use tandem_harness::speed::{self, Row};
use tandem_isa::Step;
use tandem_isa::tensix::Chip;
use tandem_simd::Level;

use super::{CliError, Common, Exit, output, select};
use crate::tile::{Sum, step};

/// Interleaved rounds of a measurement; the medians are given.
const ROUNDS: usize = 400;

/// What is measured beside classes of instructions: a whole tile, which is unpacked, added and packed.
const TILE: &str = "tile-int8-elwadd";

pub(super) fn run(common: &Common, filters: &[String]) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    let mut rows = Vec::new();
    if !common.json {
        outln!("class         reference  levels (ns)   case   harness   cases/s");
    }
    let mut show = |isa: &str, of: &str, row: &Row| {
        if common.json {
            let level = |name: &str| row.levels.iter().find(|(known, _)| known == name).map(|(_, ns)| round(*ns));
            let levels: Map<String, Value> =
                Level::NAMES.iter().map(|&name| (name.to_string(), json!(level(name)))).collect();
            rows.push(json!({
                "isa": isa, "instruction": of, "class": row.class,
                "reference_ns": round(row.reference_ns), "levels": levels, "case_ns": round(row.case_ns),
                "harness_ns": round(row.harness_ns()), "cases_per_second": row.cases_per_second().round(),
            }));
        } else {
            let levels: Vec<String> = row.levels.iter().map(|(name, ns)| format!("{name} {ns:.1}")).collect();
            outln!(
                "{:12} {:>10.1}  {}  {:>8.1} {:>8.1} {:>10.0}",
                row.class,
                row.reference_ns,
                levels.join(", "),
                row.case_ns,
                row.harness_ns(),
                row.cases_per_second()
            );
        }
    };
    let (tiles, filters): (Vec<String>, Vec<String>) = filters.iter().cloned().partition(|filter| filter == TILE);
    let instructions =
        if tiles.is_empty() || !filters.is_empty() { select::instructions(&suite, &filters)? } else { Vec::new() };
    for instruction in instructions {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        for class in instruction.bench_classes {
            if output::is_closed() {
                return Ok(Exit::Agree);
            }
            match speed::measure(isa, instruction, class, ROUNDS) {
                Ok(row) => show(instruction.isa, instruction.file, &row),
                Err(refused) => {
                    let reason = refused.citation().map_or("", |citation| citation.reason);
                    let (path, name, kind) = (instruction.path(), class.name, refused.name());
                    errln!(
                        "{path}: cases of speed class {name} are {kind} ({reason}), so they measure nothing; report it"
                    );
                    return Ok(Exit::Bug);
                }
            }
        }
    }
    if !tiles.is_empty() || filters.is_empty() {
        for isa in Chip::ALL.iter().filter_map(|chip| suite.isa(chip.isa())) {
            let Sum { state, steps, .. } = Sum::new(isa);
            let steps: Vec<Step> = steps.iter().map(step).collect();
            match speed::measure_program(isa, TILE, (&state, &steps), ROUNDS) {
                Ok(row) => show(isa.isa.name, "tile", &row),
                Err(who) => {
                    errln!("{TILE} of {}: {who} does not end as it should, so it measures nothing", isa.isa.name);
                    return Ok(Exit::Bug);
                }
            }
        }
    }
    let absent = select::levels_not_run(&suite);
    if common.json {
        outln!("{}", json!({ "cpu": RunPart::here(1).cpu, "rows": rows }));
    } else if !absent.is_empty() {
        outln!("levels not run: {}", absent.join(", "));
    }
    Ok(Exit::Agree)
}

fn round(ns: f64) -> f64 {
    (ns * 10.0).round() / 10.0
}
