//! `tandem list`.

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Store, Witnesses};
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit, select};
use crate::{nearest, wiring};

pub(super) fn run(common: &Common, filters: &[String], family: Option<&str>) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    let mut instructions = select::instructions(&suite, filters)?;
    if let Some(family) = family {
        let mut families: Vec<&str> = Vec::new();
        for instruction in &instructions {
            if !families.contains(&family_of(instruction)) {
                families.push(family_of(instruction));
            }
        }
        if family != "all" {
            if !families.contains(&family) {
                let meant = nearest::or_all(family, &families);
                return Err(CliError::Usage(format!("no unit '{family}' executes what was asked for{meant}")));
            }
            families = vec![family];
        }
        instructions.retain(|instruction| families.contains(&family_of(instruction)));
        if !common.json {
            families.iter().for_each(|family| print_family(family, &instructions));
            return Ok(Exit::Agree);
        }
    }
    // Without recordings what is said of them has to do.
    let is_listed = |one: &Instruction| instructions.iter().any(|listed| std::ptr::eq(*listed, one));
    let (store, sources) = (Store::load_of(ISAS, &common.vectors, &is_listed).ok(), wiring::sources());
    let mut rows = Vec::new();
    for &instruction in &instructions {
        let editions = select::editions(common, instruction)?;
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let targets: Vec<String> = isa
            .targets
            .iter()
            .filter(|factory| factory.make().implements(instruction))
            .map(|factory| factory.info.to_string())
            .collect();
        let cells: usize = editions.iter().map(|&edition| (instruction.cells)(edition).len()).sum();
        let page = instruction.page(*editions.last().unwrap_or(&Edition::Newest));
        let unwitnessed: Vec<String> = match &store {
            Some(store) => {
                let Witnesses { gaps, besides, .. } = Witnesses::of(store, &sources, isa, instruction);
                gaps.into_iter().chain(besides).map(|gap| gap.of).collect()
            }
            None => instruction.unwitnessed.iter().map(|item| item.axis.to_string()).collect(),
        };
        if common.json {
            rows.push(json!({
                "isa": instruction.isa,
                "instruction": instruction.file,
                "family": family_of(instruction),
                "page": { "title": page.title, "commit": page.commit },
                "cells": cells,
                "targets": targets,
                "errata": instruction.errata,
                "unwitnessed": unwitnessed,
            }));
            continue;
        }
        outln!("{}  {}", instruction.path(), instruction.summary);
        for &edition in &editions {
            let page = instruction.page(edition);
            outln!(
                "  {:7} {:5} cells, {} orthogonal axes, page {} of {}",
                edition.name(),
                (instruction.cells)(edition).len(),
                (instruction.orthogonal)(edition).len(),
                &page.commit[..8],
                page.date
            );
        }
        outln!("  targets     {}", targets.join(", "));
        outln!("  errata      {}", instruction.errata.join(", "));
        outln!("  unwitnessed {}", unwitnessed.join("; "));
    }
    if common.json {
        outln!("{}", json!({ "instructions": rows }));
    } else {
        let absent = select::levels_not_run(&suite);
        if !absent.is_empty() {
            outln!("levels not run here: {}", absent.join(", "));
        }
    }
    Ok(Exit::Agree)
}

/// The unit that executes an instruction, in a word.
fn family_of(instruction: &Instruction) -> &'static str {
    Chip::named(instruction.isa).map_or("eu", |chip| Mnemonic::of(instruction).unit(chip).name())
}

/// A line for each instruction of a unit, with the instruction sets that have it.
fn print_family(family: &str, instructions: &[&'static Instruction]) {
    outln!("{family}");
    let own = || instructions.iter().filter(|one| family_of(one) == family);
    for (place, one) in own().enumerate() {
        if own().take(place).any(|before| before.name == one.name) {
            continue;
        }
        let isas: Vec<&str> = own().filter(|other| other.name == one.name).map(|other| other.isa).collect();
        outln!("  {:26} {:22} {}", one.name, isas.join(" "), one.summary);
    }
}
