//! `tandem exhaust`: every value of an operand domain, in every cell.

use serde_json::json;
use tandem_harness::exhaust;
use tandem_harness::report::explain;

use super::{CliError, Common, Exit, progress, select};

/// Widest domain that is enumerated without `--wide`, in bits.
const NARROW: u32 = 19;

pub(super) fn run(common: &Common, filters: &[String], wide: bool) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    let units = select::units(&suite, common, filters)?;
    let (mut rows, mut found, mut completed, mut skipped) = (Vec::new(), false, 0, 0);
    for (instruction, edition) in units {
        let name = format!("{} {}", instruction.path(), edition.name());
        let Some(domain) = instruction.exhaust else {
            println!("{name}: has no domain that is small enough to be enumerated");
            continue;
        };
        if domain.bits > NARROW && !wide {
            skipped += 1;
            println!("{name}: its domain has {} bits; add --wide", domain.bits);
            continue;
        }
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let cells: Vec<u32> = (0..).take((instruction.cells)(edition).len()).collect();
        let result = progress::watched(None, |progress| exhaust(isa, instruction, edition, &cells, progress))
            .expect("the instruction has a domain");
        let whole = result.cells.iter().filter(|cell| cell.values >= 1 << domain.bits).count();
        let cited = result.cells.iter().filter(|cell| cell.cited).count();
        let values: u64 = result.cells.iter().map(|cell| cell.values).sum();
        let stopped = result.cells.len() < cells.len();
        completed += whole;
        found |= !result.findings.is_empty();
        rows.push(json!({
            "isa": instruction.isa, "instruction": instruction.file, "edition": edition.name(),
            "bits": domain.bits, "cells": cells.len(), "exhausted": whole, "cited": cited, "values": values,
            "stopped": stopped,
            "findings": result.findings.keys().map(ToString::to_string).collect::<Vec<_>>(),
        }));
        if !common.json {
            println!(
                "{name}: all 2^{} values in {whole} of {} cells ({cited} cited), {values} values{}",
                domain.bits,
                cells.len(),
                if stopped { ", stopped" } else { "" }
            );
            for finding in result.findings.values() {
                println!("  {} in {} cases, first {}", finding.signature, finding.count, finding.first.id);
                let case = tandem_harness::take_value(isa, &finding.first.id, &mut |_| false);
                for difference in finding.first.differences.iter().take(1) {
                    for line in explain::explain_difference(&case, difference) {
                        println!("    {line}");
                    }
                }
            }
        }
    }
    if common.json {
        println!("{}", json!({ "exhaust": rows }));
    }
    Ok(if found {
        Exit::NewFinding
    } else if completed == 0 && skipped == 0 {
        Exit::Holes
    } else {
        Exit::Agree
    })
}
