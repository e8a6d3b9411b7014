//! `tandem programs`: pairs of instructions, one after the other, by dependence.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_harness::observe::Scope;
use tandem_harness::report::{CaseText, explain};
use tandem_harness::{
    Answered, Dependence, IsaSuite, Measured, OBSERVE, OBSERVE_SHARE, PairCell, PairStatus, ProgramBench,
    ProgramFinding, ProgramId, ProgramPlan, ProgramResult, Suite, program_speed, run_programs,
};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit, case, command, files, fuzz, progress, select, signals, store, stored};

/// Holes that are named.
const MOST_HOLES: usize = 20;
/// How long each rate is measured, on one thread and again on all.
const TIME: Duration = Duration::from_secs(2);

/// What is asked for, beside the options of every command.
pub(super) struct Wanted<'a> {
    pub filters: &'a [String],
    /// What comes in pairs with these.
    pub with: &'a [String],
    pub length: Option<usize>,
    pub speed: bool,
}

/// Runs programs of all pairs of the selected instructions.
pub(super) fn run(common: &Common, wanted: &Wanted<'_>) -> Result<Exit, CliError> {
    files::try_folder(&common.out)?;
    let suite = select::suite(common)?;
    // In the order in which who runs a program again selects them.
    let words = if wanted.filters.is_empty() { Vec::new() } else { [wanted.filters, wanted.with].concat() };
    let instructions = select::instructions(&suite, &words)?;
    let own = select::instructions(&suite, wanted.filters)?;
    let of_isa = |all: &[&'static Instruction], isa: &IsaSuite| -> Vec<&'static Instruction> {
        all.iter().copied().filter(|one| one.isa == isa.isa.name).collect()
    };
    let of = |isa: &IsaSuite| of_isa(if of_isa(&own, isa).is_empty() { &[] } else { &instructions }, isa);
    let mut isas = suite.isas.iter().map(|isa| (isa, of(isa))).filter(|(_, all)| !all.is_empty());
    if wanted.speed {
        let steps = wanted.length.unwrap_or(8);
        let rows: Vec<Value> = isas.flat_map(|(isa, own)| measure(common, isa, &own, steps)).collect();
        if common.json {
            outln!("{}", json!({ "speed": rows }));
        }
        return Ok(Exit::Agree);
    }
    let edition = select::edition(common)?.unwrap_or(Edition::Newest);
    let seed = common.seed.unwrap_or_else(fuzz::fresh_seed);
    if !common.json {
        outln!("seed {seed}");
    }
    let (mut exit, mut parts) = (Exit::Agree, Vec::new());
    isas.try_for_each(|(isa, instructions)| {
        let (steps, threads, cases) = (wanted.length, common.workers(), common.cases);
        let answered = find_out(common, isa, &instructions, (edition, seed));
        let own = of_isa(&own, isa);
        let plan = ProgramPlan { instructions, own, edition, seed, cases, steps, threads, answered };
        let result = progress::watched_for(common.seconds, None, |progress| run_programs(isa, &plan, progress));
        exit = stored::worse(exit, exit_of(&result));
        let mut files = Vec::new();
        let again = |finding: &ProgramFinding| {
            if finding.by_rules {
                return "a program drawn by what the target answers".to_string();
            }
            let words = std::iter::once(finding.first.to_string()).chain(words.iter().cloned());
            command::with_targets(common, &format!("replay {}", words.collect::<Vec<_>>().join(" ")))
        };
        for (number, finding) in result.findings.iter().enumerate() {
            let path = common.out.join("programs").join(format!("{}-{}.json", isa.isa.name, number + 1));
            let value = finding.minimized.as_ref().map(|smallest| &smallest.value).or(finding.stored.as_ref());
            let kept = value.map(|value| store::program(&path, isa, finding, value, &command::options(common)));
            files.push(kept.transpose()?.unwrap_or(false).then(|| path.display().to_string()));
        }
        if common.json {
            parts.push(json_of(isa, &result, &files));
        } else {
            print(isa, &result, &files, &again);
        }
        Ok::<(), CliError>(())
    })?;
    if common.json {
        outln!("{}", json!({ "seed": seed, "edition": edition.name(), "isas": parts }));
    }
    Ok(exit)
}

/// What the target of a run answers of each instruction, if it refuses something: programs are drawn by that.
fn find_out(
    common: &Common,
    isa: &IsaSuite,
    own: &[&'static Instruction],
    (edition, seed): (Edition, u64),
) -> Answered {
    if !matches!(&isa.targets[..], [factory] if factory.is_partial()) {
        return Answered::default();
    }
    progress::listen();
    // Of an amount that is given a part goes into this.
    let cases = common.cases.map_or(OBSERVE, |cases| OBSERVE.min(cases / u64::from(OBSERVE_SHARE) / own.len() as u64));
    let scope = Scope { stop: Some(signals::stop()), ..Scope::of(cases) };
    let is_over = || progress::is_over(common.seconds.map(|seconds| seconds / f64::from(OBSERVE_SHARE)));
    let (answered, asked, rules) = tandem_harness::answered(isa, own, (edition, seed), scope, &is_over);
    noteln!("tandem: {asked} cases asked to find out what is answered: {rules} rules");
    answered
}

fn exit_of(result: &ProgramResult) -> Exit {
    if !result.findings.is_empty() {
        Exit::NewFinding
    } else if result.count(PairStatus::Hole, None) > 0 || result.count(PairStatus::Green, None) == 0 {
        Exit::Holes
    } else {
        Exit::Agree
    }
}

fn pair_name(cell: &PairCell) -> String {
    format!("{} {}, {}", cell.first.file, cell.second.file, cell.dependence.name())
}

fn print(isa: &IsaSuite, result: &ProgramResult, files: &[Option<String>], again: &dyn Fn(&ProgramFinding) -> String) {
    let (programs, steps): (u64, u64) =
        (result.cells.iter().map(|cell| cell.programs).sum(), result.cells.iter().map(|cell| cell.steps).sum());
    let pairs = result.cells.len() / Dependence::SPLIT.len();
    outln!("{}: {pairs} pairs, {programs} programs, {steps} steps agreed", isa.isa.name);
    outln!("  {:18} {}", "", PairStatus::ALL.map(|status| format!("{:>13}", status.name())).concat());
    let row = |name: &str, of: Option<Dependence>| {
        let counts = PairStatus::ALL.map(|status| format!("{:>13}", result.count(status, of)));
        outln!("  {name:18} {}", counts.concat());
    };
    Dependence::SPLIT.iter().for_each(|&one| row(one.name(), Some(one)));
    row("all", None);
    let holes: Vec<&PairCell> = result.cells.iter().filter(|cell| cell.status() == PairStatus::Hole).collect();
    for hole in holes.iter().take(MOST_HOLES) {
        outln!("  open: {}: {} of {} programs have it", pair_name(hole), hole.shown, hole.programs);
    }
    if holes.len() > MOST_HOLES {
        outln!("  … and {} more open", holes.len() - MOST_HOLES);
    }
    for (number, (finding, file)) in result.findings.iter().zip(files).enumerate() {
        print_finding(isa, number + 1, finding, (&again(finding), file.as_deref()));
    }
}

fn print_finding(isa: &IsaSuite, number: usize, finding: &ProgramFinding, (again, file): (&str, Option<&str>)) {
    let ProgramFinding { signature, step, differences, count, pairs, stored, minimized, .. } = finding;
    outln!("{number}. {signature}: {count} programs, {} pairs", pairs.len());
    outln!("  first: {again}, step {}", step + 1);
    let Some(value) = stored else {
        outln!("  by value it agrees: it depends on what ran before");
        return;
    };
    let (value, differences) = match minimized {
        Some(smallest) => {
            let proven = if smallest.proven { ", proven minimal" } else { "" };
            outln!("  smallest: {} steps, size {}{proven}", smallest.value.steps().len(), smallest.value.size());
            (&smallest.value, &smallest.differences)
        }
        None => (value, differences),
    };
    explain::explain(isa, value, differences).iter().for_each(|line| outln!("  {line}"));
    if let Some(file) = file {
        outln!("  written to {file}");
    }
}

fn json_of(isa: &IsaSuite, result: &ProgramResult, files: &[Option<String>]) -> Value {
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for cell in &result.cells {
        *counts.entry(cell.dependence.name()).or_default().entry(cell.status().name()).or_default() += 1;
    }
    let cells = result.cells.iter().map(|cell| {
        json!({
            "first": cell.first.file, "second": cell.second.file, "dependence": cell.dependence.name(),
            "status": cell.status().name(), "programs": cell.programs, "candidates": cell.candidates,
            "unfit": cell.unfit,
            "shown": cell.shown, "agreed": cell.agreed, "diverged": cell.diverged,
            "disputed": cell.disputed, "steps": cell.steps,
        })
    });
    let findings = result.findings.iter().zip(files).map(|(finding, file)| {
        let smallest = finding.minimized.as_ref().map(|smallest| CaseText::of(&smallest.value));
        json!({
            "signature": finding.signature, "first": finding.first.to_string(), "by_rules": finding.by_rules, "step": finding.step + 1,
            "programs": finding.count, "pairs": finding.pairs, "smallest": smallest, "file": file,
        })
    });
    json!({
        "isa": isa.isa.name, "counts": counts, "cells": cells.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

/// Measures programs of any of the instructions, and of each class of each of them, and prints a row at a time.
fn measure(common: &Common, isa: &IsaSuite, instructions: &[&'static Instruction], steps: usize) -> Vec<Value> {
    let threads = common.workers();
    let row = |name: &str, measured: &Measured<'_>| {
        let one = program_speed(isa, measured, 1, TIME);
        let all = if threads == 1 { one } else { program_speed(isa, measured, threads, TIME) };
        if !common.json {
            let (isa, on_one, on_all) = (isa.isa.name, one.programs, all.programs);
            outln!(
                "{isa:10} {name:24} {on_one:>10.0} programs/s on one thread, {on_all:>10.0} on {threads}, of {:.2} steps",
                one.steps
            );
        }
        json!({
            "isa": isa.isa.name, "programs": name, "steps": one.steps, "threads": threads,
            "programs_per_second": one.programs.round(), "on_all_threads": all.programs.round(),
        })
    };
    let mut rows = vec![row("any of these", &Measured { instructions, class: None, steps })];
    for instruction in instructions {
        for class in instruction.bench_classes {
            let name = format!("{} {}", instruction.file, class.name);
            rows.push(row(&name, &Measured { instructions: &[instruction], class: Some(class), steps }));
        }
    }
    rows
}

/// A program, by its id, and what draws it as a run with these filters did.
pub(super) fn bench_of(
    suite: &Suite,
    text: &str,
    filters: &[String],
) -> Result<(ProgramId, IsaSuite, ProgramBench), CliError> {
    let (id, isa) = ProgramId::parse(text, suite)?;
    let selected = select::instructions(suite, filters)?;
    let own: Vec<usize> = selected.iter().filter(|one| one.isa == isa.isa.name).map(|one| one.index).collect();
    let mut bench = ProgramBench::new(&isa, id.edition, id.seed);
    bench.only(&own);
    Ok((id, isa, bench))
}

/// Runs a program again, by its id. Steps behind the second are of the instructions of the run that drew it: those that its
/// filters select and that a target of it implements.
pub(super) fn replay(common: &Common, suite: &Suite, text: &str, filters: &[String]) -> Result<Exit, CliError> {
    tandem_harness::quiet_panics();
    let (id, isa, mut bench) = bench_of(suite, text, filters)?;
    let ran = bench.run(&id);
    let mut exit = if bench.outcomes().is_empty() { Exit::Target } else { Exit::Agree };
    let mut told = Vec::new();
    for ((place, factory), outcome) in isa.targets.iter().enumerate().zip(bench.outcomes().to_vec()) {
        let shown = bench.differs_by_value(&isa, &id, place);
        let (word, lines) = match (&outcome, shown) {
            (_, Some((_, step, differences))) if differences.is_empty() => {
                ("differs in what is disputed", vec![format!("step {} is disputed", step + 1)])
            }
            (_, Some((value, step, differences))) => {
                let value = value.with_steps(&value.steps()[step..]);
                let lines = differences.iter().flat_map(|one| explain::explain_difference(&value, one));
                let first = format!("step {} differs: {}", step + 1, value.instruction.print(&value.code));
                ("diverges", std::iter::once(first).chain(lines).collect())
            }
            (tandem_harness::CaseOutcome::Agreed, None) => ("agrees", Vec::new()),
            (tandem_harness::CaseOutcome::Diverged(_), None) => ("diverges, but not by value", Vec::new()),
            (tandem_harness::CaseOutcome::Unsupported, None) => ("unsupported", Vec::new()),
            _ => ("was not run: no candidate has what the id asks for", Vec::new()),
        };
        if word.starts_with("diverges") {
            exit = stored::worse(exit, Exit::NewFinding);
        }
        told.push((factory.info.to_string(), word, lines));
    }
    let is_shown = told.iter().any(|(_, word, _)| word.starts_with("diverges") || *word == "agrees");
    let steps: Vec<String> = bench.steps().iter().map(|step| step.instruction.print(&step.code)).collect();
    if common.json {
        let list = told.iter().map(|(target, verdict, lines): &(String, &str, Vec<String>)| {
            json!({ "target": target, "verdict": verdict, "differences": lines })
        });
        let targets: Vec<Value> = list.collect();
        outln!("{}", json!({ "program": text, "steps": steps, "last": ran.last.name(), "targets": targets }));
    } else {
        outln!("{id}: a program of {} steps, {}", ran.steps, id.dependence.name());
        steps.iter().enumerate().for_each(|(place, step)| outln!("  {}. {step}", place + 1));
        outln!("the pages specify: {}", ran.last.name());
        for (target, word, lines) in told {
            outln!("{target}: {word}");
            lines.iter().for_each(|line| outln!("  {line}"));
        }
    }
    Ok(if exit == Exit::Agree { case::unless_nothing_was_shown(is_shown) } else { exit })
}
