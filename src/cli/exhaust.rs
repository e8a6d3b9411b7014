//! `tandem exhaust`: every value of an operand domain, in every cell that was asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use serde_json::json;
use tandem_harness::report::known::Triage;
use tandem_harness::report::model::{SeenPart, SignaturePart};
use tandem_harness::report::{Known, bit_parts, explain};
use tandem_harness::{Chunk, ChunkResult, ExhaustCell, ExhaustResult, Finding, IsaSuite, chunks, domain, exhaust};
use tandem_isa::{Edition, Instruction};

use super::journal::{Entry, Journal, Met};
use super::store::Stored;
use super::{CliError, Common, Exit, command, fuzz, progress, select, store};

/// Widest domain that is enumerated without `--wide`, in bits.
const NARROW: u32 = 19;

/// What to enumerate.
pub(super) struct Wanted<'a> {
    pub filters: &'a [String],
    /// Domains of more than 19 bits, and no others.
    pub wide: bool,
    /// `axis=level`: only cells that have all of these levels.
    pub only: &'a [String],
}

/// What came of one instruction in one edition, with what earlier runs did.
#[derive(Default)]
struct Total {
    cells: BTreeMap<u32, ExhaustCell>,
    findings: BTreeMap<String, Met>,
    /// The cells in which each finding was met.
    met_in: BTreeMap<String, BTreeSet<u32>>,
    /// Findings of this run, which can be explained.
    met: ExhaustResult,
}

impl Total {
    fn add(&mut self, chunk: Chunk, entry: &Entry) {
        self.cells.entry(chunk.cell).or_default().add((entry.values, entry.cases, entry.refused, entry.cited));
        for (signature, met) in &entry.findings {
            self.met_in.entry(signature.clone()).or_default().insert(chunk.cell);
            let Some(known) = self.findings.get_mut(signature) else {
                self.findings.insert(signature.clone(), met.clone());
                continue;
            };
            known.count += met.count;
            known.file = known.file.take().or_else(|| met.file.clone());
            known.what = match (known.what.take(), &met.what) {
                (Some((of, mut bits)), Some((_, more))) => {
                    bits.extend(more);
                    Some((of, bits))
                }
                // What is not known of a part is not known of the whole.
                _ => None,
            };
        }
    }

    /// The entries of the list of known findings that cover a finding; none if it is new.
    fn known(&self, known: &Known, (instruction, edition): (&Instruction, Edition), signature: &str) -> Vec<String> {
        let Some((of, bits)) = self.findings.get(signature).and_then(|met| met.what.as_ref()) else {
            return Vec::new();
        };
        let cells: Vec<u32> = self.met_in.get(signature).into_iter().flatten().copied().collect();
        let space = (instruction.cells)(edition);
        let classes: BTreeSet<&str> =
            cells.iter().map(|&cell| (instruction.cell_class)(edition, space.levels(cell as usize))).collect();
        let classes = classes.into_iter().map(str::to_string).collect();
        let seen = SeenPart { edition: edition.name().to_string(), cells, classes };
        match known.triage(of, &[seen], bits, &[]) {
            Triage::Known { entries } => entries,
            Triage::New { .. } => Vec::new(),
        }
    }
}

pub(super) fn run(common: &Common, wanted: &Wanted<'_>) -> Result<Exit, CliError> {
    progress::listen();
    let suite = select::suite(common)?;
    let units = select::units(&suite, common, wanted.filters)?;
    let known = fuzz::read_known(common, &suite)?;
    let (mut rows, mut found, mut completed, mut chosen) = (Vec::new(), false, 0, 0);
    for (instruction, edition) in units {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let bits = |cell: u32| domain(instruction, edition, cell).map(|domain| domain.bits);
        let cells: Vec<u32> = select::cells(instruction, edition, wanted.only)?
            .into_iter()
            .filter(|&cell| bits(cell).is_some_and(|bits| (bits > NARROW) == wanted.wide))
            .collect();
        let name = format!("{} {}", instruction.path(), edition.name());
        if cells.is_empty() {
            if !common.json {
                let other = if wanted.wide { "without --wide there may be" } else { "with --wide there may be" };
                println!("{name}: no cell with such a domain was asked for; {other}");
            }
            continue;
        }
        chosen += cells.len();
        let begin = Instant::now();
        let (total, fresh) = enumerate(common, isa, (instruction, edition), &cells, wanted.wide)?;
        let seconds = begin.elapsed().as_secs_f64();
        let whole = |cell: u32| {
            total.cells.get(&cell).is_some_and(|seen| Some(seen.values) == bits(cell).map(|bits| 1 << bits))
        };
        let exhausted = cells.iter().filter(|&&cell| whole(cell)).count();
        let cited = total.cells.values().filter(|cell| cell.cited).count();
        let values: u64 = total.cells.values().map(|cell| cell.values).sum();
        let refusing = total.cells.values().filter(|cell| cell.refused > 0).count();
        let refused: u64 = total.cells.values().map(|cell| cell.refused).sum();
        let stopped = exhausted + cited + refusing < cells.len();
        let rate = fresh as f64 / seconds / common.workers() as f64;
        completed += exhausted;
        let entries: BTreeMap<&String, Vec<String>> = (total.findings.keys())
            .map(|signature| (signature, total.known(&known, (instruction, edition), signature)))
            .collect();
        found |= entries.values().any(Vec::is_empty);
        rows.push(json!({
            "isa": instruction.isa, "instruction": instruction.file, "edition": edition.name(), "cells": cells.len(),
            "exhausted": exhausted, "cited": cited, "values": values, "refused": refused, "stopped": stopped,
            "values_per_second_and_worker": rate.round(),
            "findings": total.findings.iter().map(|(signature, Met { count, file, .. })| {
                json!({ "signature": signature, "count": count, "file": file, "known": entries[signature] })
            }).collect::<Vec<_>>(),
        }));
        if !common.json {
            println!(
                "{name}: every value in {exhausted} of {} cells ({cited} cited){}, {values} values, {rate:.1e} a second \
                 and worker{}",
                cells.len(),
                if refused > 0 { format!(", {refused} values refused in {refusing} cells") } else { String::new() },
                if stopped && wanted.wide {
                    "; stopped: the same command goes on"
                } else if stopped {
                    "; stopped"
                } else {
                    ""
                }
            );
            print_findings(common, &total, &entries);
        }
    }
    if common.json {
        println!("{}", json!({ "exhaust": rows }));
    }
    if chosen == 0 {
        return Err(CliError::Usage(
            "no cell that was asked for has a domain of the size that was asked for".to_string(),
        ));
    }
    Ok(if found {
        Exit::NewFinding
    } else if completed == 0 {
        Exit::Holes
    } else {
        Exit::Agree
    })
}

/// Runs what no earlier run did. Returns the whole, and how many values this run compared.
fn enumerate(
    common: &Common,
    isa: &IsaSuite,
    unit: (&'static Instruction, Edition),
    cells: &[u32],
    wide: bool,
) -> Result<(Total, u64), CliError> {
    let targets: Vec<String> = isa.targets.iter().map(|target| target.info.to_string()).collect();
    let directory = common.out.join("exhaust");
    let journal = wide.then(|| Journal::open(&directory.join("journal.jsonl"), unit, &targets)).transpose()?;
    let mut total = Total::default();
    let mut left: Vec<Chunk> = cells.iter().flat_map(|&cell| chunks(unit.0, unit.1, cell)).collect();
    if let Some(journal) = &journal {
        for (&chunk, entry) in journal.done.iter().filter(|(chunk, _)| cells.contains(&chunk.cell)) {
            total.add(chunk, entry);
        }
        // A cell that is cited is so in all of its chunks.
        let cited: BTreeSet<u32> = total.cells.iter().filter(|(_, seen)| seen.cited).map(|(&cell, _)| cell).collect();
        left.retain(|chunk| !journal.done.contains_key(chunk) && !cited.contains(&chunk.cell));
    }
    // Chunk by chunk over the cells: a cell without a promise is known at its first chunk.
    left.sort_by_key(|chunk| (chunk.number, chunk.cell));
    let options = command::options(common);
    let keeper =
        Mutex::new(Keeper { options, total: &mut total, journal, fresh: 0, stored: BTreeSet::new(), error: None });
    let met = progress::watched_for(common.seconds, None, |progress| {
        exhaust(isa, unit, &left, common.workers(), progress, &|result| {
            let mut keeper = keeper.lock().expect("no worker panics while it keeps a result");
            if let Err(error) = keeper.keep(&directory, isa, unit, result) {
                progress.stop.store(true, std::sync::atomic::Ordering::Relaxed);
                keeper.error.get_or_insert(error);
            }
        })
    });
    let Keeper { fresh, error, .. } = keeper.into_inner().expect("no worker panics while it keeps a result");
    total.met = met;
    error.map_or(Ok((total, fresh)), Err)
}

/// Keeps each chunk's result as soon as there is one: first the cases, then the line of the journal.
struct Keeper<'a> {
    /// The words of the command line by which the run got its targets.
    options: Vec<String>,
    total: &'a mut Total,
    journal: Option<Journal>,
    fresh: u64,
    /// Findings, by signature and cell, whose case was stored.
    stored: BTreeSet<(String, u32)>,
    error: Option<CliError>,
}

impl Keeper<'_> {
    fn keep(
        &mut self,
        directory: &Path,
        isa: &IsaSuite,
        unit: (&'static Instruction, Edition),
        result: &ChunkResult,
    ) -> Result<(), CliError> {
        let mut entry = Entry {
            values: result.values,
            cases: result.cases,
            refused: result.refused,
            cited: result.cited,
            ..Entry::default()
        };
        for (signature, finding) in &result.findings {
            let file = self.store(directory, isa, unit, result.chunk, finding)?;
            let what = Some((SignaturePart::of(signature), bit_parts(finding)));
            entry.findings.insert(signature.to_string(), Met { count: finding.count, file, what });
        }
        // What was stopped on the way is run again from its beginning.
        if let Some(journal) = self.journal.as_mut().filter(|_| result.is_whole) {
            journal.add(result.chunk, &entry)?;
        }
        self.fresh += result.values;
        self.total.add(result.chunk, &entry);
        Ok(())
    }

    /// Stores the case of a finding, once for each signature and cell.
    fn store(
        &mut self,
        directory: &Path,
        isa: &IsaSuite,
        (instruction, edition): (&'static Instruction, Edition),
        chunk: Chunk,
        finding: &Finding,
    ) -> Result<Option<String>, CliError> {
        if !self.stored.insert((finding.signature.to_string(), chunk.cell)) {
            return Ok(None);
        }
        let Some(value) = finding.minimized.as_ref().map(|small| &small.value).or(finding.stored.as_ref()) else {
            return Ok(None);
        };
        let signature: String = finding
            .signature
            .to_string()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect();
        let name = format!("{signature}-{}-cell-{}-chunk-{}.json", edition.name(), chunk.cell, chunk.number);
        let path = directory.join(name);
        let met = format!("a case of cell {} of {}", chunk.cell, instruction.path());
        let stored = Stored { value, after: &[], shows: finding.shows, met: &met, options: &self.options };
        let is_stored = store::case(&path, isa, finding, &stored)?;
        Ok(is_stored.then(|| path.display().to_string()))
    }
}

fn print_findings(common: &Common, total: &Total, known: &BTreeMap<&String, Vec<String>>) {
    for (signature, Met { count, file, .. }) in &total.findings {
        match &known[signature][..] {
            [] => println!("  {signature} in {count} cases"),
            known => println!("  {signature} in {count} cases (known: {})", known.join(", ")),
        }
        if let Some(file) = file {
            let command = command::with_targets(common, "replay");
            println!("    run it again: {command} {}", command::path_word(Path::new(file)));
        }
    }
    for finding in total.met.findings.values() {
        let Some(small) = &finding.minimized else { continue };
        for difference in small.differences.iter().take(1) {
            for line in explain::explain_difference(&small.value, difference) {
                println!("    {line}");
            }
        }
    }
}
