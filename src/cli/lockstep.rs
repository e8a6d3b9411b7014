//! `tandem lockstep`: a kernel on the reference, and beside it on a target.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};
use tandem_harness::report::{CaseText, explain as told};
use tandem_harness::rules::{Meeting, Planned, PlannedStep, check_program};
use tandem_harness::{
    IsaSuite, Kernel, KernelLine, Lockstep, LockstepEnd, LockstepLimits, MinimizeLimits, Minimizer, Mismatch,
    Signature, TargetFactory, Turn, explore, lockstep, observe_order, shorter, trace,
};
use tandem_isa::tensix::Chip;
use tandem_isa::{Act, Threads};

use super::protocol::{act_row, act_text, all_found, cited, extent, found_rows, limits, read, searched, some};
use super::{CliError, Common, Exit, args, elf, explain, select, stored};
use crate::wiring;

/// Runs of a target, to leave acts out of a kernel.
const RUNS: usize = 400;
/// Acts of an order up to which it is asked what may still be at work, and of a thread up to which rules are looked at.
const MOST_ORDERED: usize = 4096;

/// A kernel with its threads, and where it is from.
type FromFile = (PathBuf, (Kernel, Box<dyn Threads>));

/// Lines, and the same as JSON.
struct Told {
    lines: Vec<String>,
    row: Value,
    exit: Exit,
}

pub(super) fn run(common: &Common, asked: &args::Lockstep) -> Result<Exit, CliError> {
    tandem_harness::quiet_panics();
    let suite = select::suite(common)?;
    let (mut exit, mut rows) = (Exit::Agree, Vec::new());
    let elf = asked.isa.as_deref().map(|isa| of_elf(asked, isa)).transpose()?;
    let of_files = asked.kernels.iter().map(|path| read(path).map(|kernel| (path.clone(), kernel)));
    for one in of_files.chain(elf.map(Ok)) {
        let (path, (kernel, mut machine)) = one?;
        if let Some(to) = &asked.trace {
            let text = trace(&kernel, &mut *machine).map_err(|turn| {
                let act = act_text(&kernel, &*machine, turn);
                CliError::Usage(format!("{}: no trace is written: the run does not get past {act}", path.display()))
            })?;
            fs::write(to, text).map_err(CliError::io(to))?;
            noteln!("tandem: written to {}", to.display());
            continue;
        }
        let isa = suite.isa(kernel.isa.name).expect("a kernel names an instruction set of this build");
        let acts: usize = kernel.threads.iter().map(Vec::len).sum();
        if !common.json {
            outln!("{} ({}), {}: {}", kernel.name, kernel.isa.name, path.display(), some(acts, "act"));
        }
        let is_trace = kernel.threads.iter().flatten().any(|line| !line.after.is_empty());
        let mut targets: Vec<Option<&TargetFactory>> = isa.targets.iter().rev().map(Some).collect();
        if common.targets.is_empty() && common.target.is_empty() {
            // The best level of ours, or the trace.
            targets.truncate(1);
        }
        if is_trace {
            targets = vec![None];
        }
        if targets.is_empty() {
            return Err(CliError::Target(format!("no target has {}", kernel.isa.name)));
        }
        let mut runs = Vec::new();
        for factory in targets {
            let one = on_target(asked, (&kernel, &mut *machine), (isa, factory));
            exit = stored::worse(exit, one.exit);
            if !common.json {
                one.lines.iter().for_each(|line| outln!("  {line}"));
            }
            runs.push(one.row);
        }
        let threads = kernel.threads.iter().zip(machine.names());
        let rules: Vec<String> = threads.flat_map(|(lines, name)| of_rules(&kernel, lines, name)).collect();
        if !common.json {
            rules.iter().for_each(|line| outln!("  {line}"));
        }
        rows.push(json!({
            "file": path, "kernel": kernel.name, "isa": kernel.isa.name, "acts": acts, "runs": runs, "rules": rules,
        }));
    }
    if common.json {
        outln!("{}", json!({ "kernels": rows }));
    }
    Ok(exit)
}

/// The kernel of ELF files.
fn of_elf(asked: &args::Lockstep, isa: &str) -> Result<FromFile, CliError> {
    let chip = match isa {
        "tensix-wh" => Chip::Wormhole,
        "tensix-bh" => Chip::Blackhole,
        _ => {
            return Err(CliError::Usage(format!(
                "the cores of '{isa}' are not read; there are tensix-wh and tensix-bh"
            )));
        }
    };
    let mut files = Vec::new();
    for one in &asked.elf {
        let (thread, path) = one.split_once('=').unwrap_or_default();
        let thread = thread.parse().ok().filter(|thread| *thread < 3 && files.iter().all(|(one, _)| one != thread));
        let thread =
            thread.ok_or_else(|| CliError::Usage(format!("'{one}' is not THREAD=FILE with 0, 1 or 2, each once")))?;
        files.push((thread, fs::read(path).map_err(CliError::io(path))?));
    }
    let machine = chip.pick(&tandem_isa::tensix::WORMHOLE, &tandem_isa::tensix::BLACKHOLE);
    let named = || asked.elf.join(", ");
    let text = elf::kernel(machine, chip, &files, asked.from.as_deref());
    let text = text.map_err(|error| CliError::Usage(format!("{}: {error}", named())))?;
    // A line of the kernel is a step of a core, whose address is its label.
    let kernel = Kernel::read(&text, &wiring::threads).map_err(|error| {
        let at = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        CliError::Usage(format!("{}: {}, in {at}", named(), error.what))
    })?;
    Ok((PathBuf::from(named()), kernel))
}

/// What the rules of scheduling say of the first acts of a thread by itself, each once, with the first two acts of which it holds.
fn of_rules(kernel: &Kernel, lines: &[KernelLine], name: &str) -> Vec<String> {
    let machine = kernel.isa.machine;
    let planned = lines.iter().take(MOST_ORDERED).map(|line| match &line.act {
        Act::Instruction(word) => Planned::decode(machine, &word.code).map(PlannedStep::Instruction),
        Act::Nop(nop) => Planned::parse(machine, nop).map(PlannedStep::Instruction),
        // What stands between two instructions takes a cycle at least.
        _ => Ok(PlannedStep::Cycles(1)),
    });
    let Ok(steps) = planned.collect::<Result<Vec<_>, _>>() else { return Vec::new() };
    let broken = check_program(machine, &steps);
    let mut told: Vec<String> = Vec::new();
    for (place, one) in broken.iter().enumerate() {
        let alike = |others: &[Meeting]| others.iter().filter(|other| other.rule.id == one.rule.id).count();
        if alike(&broken[..place]) > 0 {
            continue;
        }
        let first = one.first.map(|first| format!(" act {} and", first + 1)).unwrap_or_default();
        let more = match alike(&broken[place + 1..]) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let text = one.to_string();
        let says = text.split_once(": ").map_or(&text[..], |(_, says)| says);
        told.push(format!("{name} by itself:{first} act {}{more}: {says}", one.second + 1));
    }
    told
}

fn on_target(
    asked: &args::Lockstep,
    (kernel, machine): (&Kernel, &mut dyn Threads),
    (isa, factory): (&IsaSuite, Option<&TargetFactory>),
) -> Told {
    let name = factory.map_or_else(|| "the trace".to_string(), |factory| factory.info.to_string());
    let order = (!asked.order.is_empty()).then(|| asked.order.clone());
    let own = LockstepLimits { order, trust: asked.trust, all_rows: false };
    let mut orders = vec![own.clone()];
    let (mut lines, mut search) = (Vec::new(), Value::Null);
    if asked.interleavings {
        let explored = explore(kernel, machine, limits(&asked.limits));
        lines.push(extent(&explored));
        if explored.cut {
            lines.push("not all orders were seen: a limit ended the search; see --depth and --states".to_string());
        }
        lines.extend(all_found(kernel, machine, &explored.found));
        search = Value::Object(searched(kernel, machine, &explored));
        let of_end = |end: &tandem_harness::End| end.order.iter().map(|turn| turn.thread).collect();
        orders = explored.ends.iter().map(|end| LockstepLimits { order: Some(of_end(end)), ..own.clone() }).collect();
        if orders.is_empty() {
            orders.push(own);
        }
    }
    let begin = Instant::now();
    let (mut exit, mut rows) = (Exit::Agree, Vec::new());
    for (number, limits) in orders.iter().enumerate() {
        if orders.len() > 1 {
            lines.push(format!("an order to way {} of {} to end:", number + 1, orders.len()));
        }
        let ran = lockstep(kernel, machine, (isa, factory), limits);
        let mut told = ended(asked, (kernel, machine), (isa, factory), (&ran, limits, &name));
        let is_short = ran.turns.len() <= MOST_ORDERED && !asked.interleavings;
        let on_the_way = if is_short { observe_order(kernel, machine, &ran.turns) } else { Vec::new() };
        for found in &on_the_way {
            told.lines.push(format!("on the way, {}: {}", found.kind.name(), found.text));
            told.lines.extend(found.turns.iter().map(|&turn| format!("  {}", act_text(kernel, machine, turn))));
        }
        told.row["on_the_way"] = Value::from(found_rows(kernel, machine, &on_the_way));
        exit = stored::worse(exit, told.exit);
        lines.extend(told.lines);
        rows.push(told.row);
        if told.exit == Exit::NewFinding {
            break;
        }
    }
    noteln!("tandem: {:.2} s", begin.elapsed().as_secs_f64());
    Told { lines, row: json!({ "target": name, "search": search, "orders": rows }), exit }
}

/// How a run ended.
fn ended(
    asked: &args::Lockstep,
    (kernel, machine): (&Kernel, &mut dyn Threads),
    (isa, factory): (&IsaSuite, Option<&TargetFactory>),
    (ran, limits, name): (&Lockstep, &LockstepLimits, &str),
) -> Told {
    let Lockstep { turns, asked: steps, trusted, disputed, end } = ran;
    // What is held is asked again, and what no target is asked for is done for it.
    let of_target =
        if factory.is_some() { format!(", which was asked {}", some(*steps, "time")) } else { String::new() };
    let left = kernel.threads.iter().map(Vec::len).sum::<usize>() - turns.len();
    let so_far = format!("{} beside {name}{of_target}", some(turns.len(), "act"));
    let (word, exit, says) = match end {
        LockstepEnd::Done if factory.is_some() && *steps == 0 => {
            let says = "the target was asked nothing: the kernel has no instruction of the suite".to_string();
            ("nothing asked", Exit::Holes, says)
        }
        LockstepEnd::Done if left > 0 => {
            ("agrees", Exit::Agree, format!("agrees as far as the order goes: {so_far}; {} left", some(left, "act")))
        }
        LockstepEnd::Done => ("agrees", Exit::Agree, format!("agrees to the end: {so_far}")),
        LockstepEnd::Held(_) => ("hangs", Exit::NewFinding, format!("hangs after {so_far}: no thread goes on")),
        LockstepEnd::HeldInOrder(..) => {
            ("held", Exit::Holes, format!("this order cannot come: after {so_far} its next act is held"))
        }
        LockstepEnd::Unpromised(..) => (
            "nothing promised",
            Exit::Holes,
            format!("no verdict from here on, after {so_far}: nothing is promised of"),
        ),
        LockstepEnd::Unmodelled(_) => {
            ("no model", Exit::Holes, format!("stops after {so_far}; {left} acts are left, and the next has no model"))
        }
        LockstepEnd::Refused(..) => {
            ("refused", Exit::Holes, format!("stops after {so_far}: the target refuses the next"))
        }
        LockstepEnd::NoTurn(thread) => {
            let says = "the order names it where it has no act left, or there is no such thread";
            ("no turn", Exit::Usage, format!("stops at T{thread}, after {so_far}: {says}"))
        }
        LockstepEnd::Differs(_) => {
            ("differs", Exit::NewFinding, format!("differs in act {} of this order, beside {name}", turns.len() + 1))
        }
    };
    let at: Vec<(Turn, Option<String>)> = match end {
        LockstepEnd::Done | LockstepEnd::NoTurn(_) => Vec::new(),
        LockstepEnd::Held(held) => held.iter().map(|(turn, cite)| (*turn, Some(cited(cite)))).collect(),
        LockstepEnd::HeldInOrder(turn, cite) | LockstepEnd::Unpromised(turn, cite) => vec![(*turn, Some(cited(cite)))],
        LockstepEnd::Refused(turn, reason) => vec![(*turn, reason.clone())],
        LockstepEnd::Unmodelled(turn) => vec![(*turn, None)],
        LockstepEnd::Differs(found) => vec![(found.turn, None)],
    };
    let mut lines = vec![says];
    for (turn, why) in &at {
        lines.push(format!("  {}", act_text(kernel, machine, *turn)));
        lines.extend(why.iter().map(|why| format!("    {why}")));
    }
    match end {
        LockstepEnd::Held(_) => {
            lines.push(
                "`tandem check-protocol` shows what each thread waits for, and the shortest way there".to_string(),
            );
        }
        LockstepEnd::Unmodelled(_) => lines.push(
            "a trace that says `after` what the state is goes on with --trust; `unpack` and `pack` stand in"
                .to_string(),
        ),
        _ => {}
    }
    for (what, turns) in [("the state of the trace was taken", trusted), ("what differs is disputed", disputed)] {
        if let Some(first) = turns.first() {
            let first = act_text(kernel, machine, *first);
            lines.push(format!("after {} {what}; the first: {first}", some(turns.len(), "act")));
        }
    }
    let rows = |machine: &dyn Threads, turns: &[Turn]| -> Vec<Value> {
        turns.iter().map(|&turn| act_row(kernel, machine, turn)).collect()
    };
    let stops = at.iter().map(|(turn, why)| json!({ "act": act_row(kernel, machine, *turn), "why": why }));
    let mut row = json!({
        "end": word, "acts": turns.len(), "asked": steps, "at": Value::from_iter(stops),
        "trusted": rows(machine, trusted), "disputed": rows(machine, disputed), "differs": [], "smallest": null,
    });
    if let LockstepEnd::Differs(found) = end {
        let (more, smallest) = differs(asked, (kernel, machine), (isa, factory), (found, limits));
        row["differs"] = json!(more);
        row["smallest"] = smallest;
        lines.extend(more.into_iter().map(|line| format!("  {line}")));
    }
    Told { lines, row, exit }
}

/// What differs, the smallest case of it, and the line of the page that the target has wrong.
fn differs(
    asked: &args::Lockstep,
    (kernel, machine): (&Kernel, &mut dyn Threads),
    (isa, factory): (&IsaSuite, Option<&TargetFactory>),
    (found, limits): (&Mismatch, &LockstepLimits),
) -> (Vec<String>, Value) {
    let layout = kernel.isa.layout;
    let Mismatch { differences, value, .. } = found;
    let (Some(value), Some(factory)) = (value, factory) else {
        let base = tandem_harness::CaseValue::base(kernel.isa, kernel.isa.instructions[0], kernel.edition);
        let of = value.as_ref().unwrap_or(&base);
        return (differences.iter().take(8).flat_map(|one| told::explain_difference(of, one)).collect(), Value::Null);
    };
    let mut lines: Vec<String> =
        differences.iter().take(8).flat_map(|one| told::explain_difference(value, one)).collect();
    let mut minimizer = Minimizer::new(isa, factory);
    let alone = minimizer.run(value).filter(|seen| !seen.is_empty());
    let key = alone
        .as_ref()
        .and_then(|seen| Signature::of(&value.instruction.path(), &factory.info.to_string(), layout, seen));
    let mut smallest = Value::Null;
    match key.and_then(|key| minimizer.minimize(value, &key, MinimizeLimits::default())) {
        Some(minimized) => {
            let proven = if minimized.proven { ", proven minimal" } else { "" };
            lines.push(format!(
                "the act alone shows it; the smallest case, of size {}{proven}:",
                minimized.value.size()
            ));
            lines.extend(
                told::explain(isa, &minimized.value, &minimized.differences).iter().map(|line| format!("  {line}")),
            );
            smallest = json!(CaseText::of(&minimized.value));
        }
        None => {
            let short = shorter(kernel, machine, (isa, factory), limits, RUNS);
            let acts: usize = short.threads.iter().map(Vec::len).sum();
            let acts = some(acts, "act");
            lines.push(format!(
                "the act alone does not show it; this part of the kernel does, {acts}, the threads in turn:"
            ));
            for (thread, kept) in short.threads.iter().enumerate() {
                for line in kept {
                    lines.push(format!(
                        "  {} line {}: {}",
                        machine.names()[thread],
                        line.line,
                        kernel.text(machine, &line.act)
                    ));
                }
            }
        }
    }
    if !asked.no_causes {
        lines.extend(explain::causes(isa, factory, (value.instruction, kernel.edition)));
    }
    (lines, smallest)
}
