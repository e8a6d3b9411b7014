//! `tandem exhaust`: every value of an operand domain, in every cell that was asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tandem_harness::report::known::Triage;
use tandem_harness::report::model::{SeenPart, SignaturePart};
use tandem_harness::report::{Known, bit_parts, explain};
use tandem_harness::{
    Chunk, ChunkResult, ExhaustCell, ExhaustResult, Finding, IsaSuite, Shard, Suite, chunks, domain, exhaust,
};
use tandem_isa::{Edition, Instruction};

use super::journal::{Entry, Journal, Met};
use super::shard::{self, About, Asked, Body, Gathered, Left};
use super::store::Stored;
use super::{CliError, Common, Exit, command, dealt, files, fuzz, progress, select, store};

/// Widest domain that is enumerated without `--wide`, in bits.
const NARROW: u32 = 19;
/// What a run leaves under `--out`: a function of the values, the targets and the code alone.
const RESULT: &str = "exhaust.json";

/// What to enumerate.
pub(super) struct Wanted<'a> {
    pub filters: &'a [String],
    /// Domains of more than 19 bits, and no others.
    pub wide: bool,
    /// `axis=level`: only cells that have all of these levels.
    pub only: &'a [String],
    /// The part of the chunks that is run, if it is not all.
    pub shard: Option<Shard>,
}

/// What a shard did of one instruction in one edition.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dealt {
    instruction: String,
    edition: Edition,
    /// For each chunk its cell, its number and what it came to.
    chunks: Vec<(u32, u32, Entry)>,
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
    /// What came of each chunk, if that is to be kept.
    own: BTreeMap<Chunk, Entry>,
}

impl Total {
    fn add(&mut self, chunk: Chunk, entry: &Entry) {
        self.cells.entry(chunk.cell).or_default().add(entry.seen);
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

/// One instruction in one edition, with the cells that were asked for.
struct Part {
    instruction: &'static Instruction,
    edition: Edition,
    cells: Vec<u32>,
}

impl Part {
    fn name(&self) -> String {
        format!("{} {}", self.instruction.path(), self.edition.name())
    }

    fn unit(&self) -> (&'static Instruction, Edition) {
        (self.instruction, self.edition)
    }

    fn bits(&self, cell: u32) -> Option<u32> {
        domain(self.instruction, self.edition, cell).map(|domain| domain.bits)
    }
}

/// What was asked for: what has no such cell is named, and left out.
fn parts(
    common: &Common,
    units: &[(&'static Instruction, Edition)],
    wanted: &Wanted<'_>,
) -> Result<Vec<Part>, CliError> {
    let mut parts = Vec::new();
    for &(instruction, edition) in units {
        let mut part = Part { instruction, edition, cells: select::cells(instruction, edition, wanted.only)? };
        let cells = std::mem::take(&mut part.cells).into_iter();
        part.cells = cells.filter(|&cell| part.bits(cell).is_some_and(|bits| (bits > NARROW) == wanted.wide)).collect();
        if !part.cells.is_empty() {
            parts.push(part);
        } else if !common.json {
            let other = if wanted.wide { "without --wide there may be" } else { "with --wide there may be" };
            outln!("{}: no cell with such a domain was asked for; {other}", part.name());
        }
    }
    if parts.is_empty() {
        return Err(CliError::Usage(
            "no cell that was asked for has a domain of the size that was asked for".to_string(),
        ));
    }
    Ok(parts)
}

pub(super) fn run(common: &Common, wanted: &Wanted<'_>) -> Result<Exit, CliError> {
    progress::listen();
    files::try_folder(&common.out)?;
    let suite = select::suite(common)?;
    let units = select::units(&suite, common, wanted.filters)?;
    if let Some(shard) = wanted.shard {
        return run_shard(common, wanted, (&suite, &units), shard);
    }
    let known = fuzz::read_known(common, &suite)?;
    let kept = kept_by(&about(common, &suite, &units, wanted));
    let mut table = Table::default();
    for part in parts(common, &units, wanted)? {
        let isa = suite.isa(part.instruction.isa).expect("the instruction is of the suite");
        let begin = Instant::now();
        let (total, fresh) = enumerate(common, isa, &part, (wanted, &kept))?;
        let rate = fresh as f64 / begin.elapsed().as_secs_f64() / common.workers() as f64;
        table.add(common, &part, &total, &known, (Some(rate), wanted.wide));
    }
    table.end(common)
}

/// Runs the chunks of a shard, of which each that is done is kept in the journal.
fn run_shard(
    common: &Common,
    wanted: &Wanted<'_>,
    (suite, units): (&Suite, &[(&'static Instruction, Edition)]),
    shard: Shard,
) -> Result<Exit, CliError> {
    let about = about(common, suite, units, wanted);
    let path = common.out.join(shard::FILE);
    if shard::is_done(&path, &about, shard)? {
        shard::say_done(common, &path, shard);
        return Ok(Exit::Agree);
    }
    let kept = kept_by(&about);
    let (mut dealt, mut values, mut findings) = (Vec::new(), 0, BTreeSet::new());
    for part in parts(common, units, wanted)? {
        let isa = suite.isa(part.instruction.isa).expect("the instruction is of the suite");
        let (total, _) = enumerate(common, isa, &part, (wanted, &kept))?;
        values += total.cells.values().map(|cell| cell.values).sum::<u64>();
        findings.extend(total.findings.into_keys());
        let mut chunks: Vec<_> = total.own.into_iter().map(|(chunk, one)| (chunk.cell, chunk.number, one)).collect();
        chunks.sort_by_key(|&(cell, number, _)| (cell, number));
        dealt.push(Dealt { instruction: part.instruction.path(), edition: part.edition, chunks });
    }
    if progress::is_over(common.seconds) {
        errln!("tandem: stopped; the same command goes on where it was");
        return Ok(Exit::Holes);
    }
    let (numbers, levels) = ((shard.number(), shard.of()), shard::levels(suite));
    shard::write(&path, &Left { about, shard: numbers, levels, body: Body::Exhaust(dealt) })?;
    shard::say(common, &path, shard, &[("values", values), ("findings", findings.len() as u64)]);
    Ok(Exit::Agree)
}

/// Digest of what decides the result of a chunk, whichever chunks are run.
fn kept_by(about: &About) -> String {
    About { asked: Asked::default(), units: Vec::new(), edition: None, ..about.clone() }.digest()
}

fn about(common: &Common, suite: &Suite, units: &[(&'static Instruction, Edition)], wanted: &Wanted<'_>) -> About {
    let (filters, only) = (wanted.filters.to_vec(), wanted.only.to_vec());
    let asked = Asked { filters, only, wide: wanted.wide, ..Asked::default() };
    About::of(("exhaust", asked), common, suite, units)
}

/// What all shards come to together.
pub(super) fn merge(common: &Common, gathered: &Gathered) -> Result<Exit, CliError> {
    let Asked { filters, only, wide, .. } = &gathered.about.asked;
    let wanted = Wanted { filters, wide: *wide, only, shard: None };
    let suite = select::suite(common)?;
    let units = select::units(&suite, common, filters)?;
    dealt::refuse_other(&gathered.about, &about(common, &suite, &units, &wanted))?;
    let known = fuzz::read_known(common, &suite)?;
    let mut table = Table::default();
    for part in parts(common, &units, &wanted)? {
        let total = total_of(common, gathered, &part)?;
        table.add(common, &part, &total, &known, (None, *wide));
    }
    let is_stopped = table.is_stopped;
    let exit = table.end(common)?;
    if exit == Exit::Agree && is_stopped {
        errln!("tandem: values are missing from the shards, so not all was shown; run the shards again");
        return Ok(Exit::Holes);
    }
    Ok(exit)
}

/// What the shards did of an instruction in an edition. Stored cases come along.
fn total_of(common: &Common, gathered: &Gathered, part: &Part) -> Result<Total, CliError> {
    let mut all: BTreeMap<Chunk, (&Path, Entry)> = BTreeMap::new();
    for (left, directory) in gathered.left.iter().zip(&gathered.directories) {
        let Body::Exhaust(dealt) = &left.body else { return Err(dealt::no_such(directory)) };
        let is_of = |dealt: &&Dealt| dealt.instruction == part.instruction.path() && dealt.edition == part.edition;
        for (cell, number, entry) in dealt.iter().find(is_of).into_iter().flat_map(|dealt| &dealt.chunks) {
            all.insert(Chunk { cell: *cell, number: *number }, (directory, entry.clone()));
        }
    }
    let mut total = Total::default();
    for (chunk, (directory, mut entry)) in all {
        for met in entry.findings.values_mut() {
            let name = met.file.as_deref().and_then(|file| Path::new(file).file_name());
            let Some(name) = name else { continue };
            let to = common.out.join("exhaust").join(name);
            let from = directory.join("exhaust").join(name);
            if from != to {
                files::write(&to, &files::read(&from)?)?;
            }
            met.file = Some(to.display().to_string());
        }
        total.add(chunk, &entry);
    }
    Ok(total)
}

/// The rows of an exhaustive run.
#[derive(Default)]
struct Table {
    rows: Vec<serde_json::Value>,
    /// The same without what differs from machine to machine.
    results: Vec<serde_json::Value>,
    is_new: bool,
    /// Whether a cell that was asked for is not done to its end.
    is_stopped: bool,
    completed: usize,
}

impl Table {
    /// Adds and prints what came of an instruction in an edition.
    fn add(&mut self, common: &Common, part: &Part, total: &Total, known: &Known, (rate, wide): (Option<f64>, bool)) {
        let Part { instruction, edition, cells } = part;
        let whole = |cell: u32| {
            total.cells.get(&cell).is_some_and(|seen| Some(seen.values) == part.bits(cell).map(|bits| 1 << bits))
        };
        let exhausted = cells.iter().filter(|&&cell| whole(cell)).count();
        let cited = total.cells.values().filter(|cell| cell.cited).count();
        let values: u64 = total.cells.values().map(|cell| cell.values).sum();
        let refusing = total.cells.values().filter(|cell| cell.refused > 0).count();
        let refused: u64 = total.cells.values().map(|cell| cell.refused).sum();
        let disputing = total.cells.values().filter(|cell| cell.refused == 0 && cell.disputed > 0).count();
        let disputed: u64 = total.cells.values().map(|cell| cell.disputed).sum();
        let stopped = exhausted + cited + refusing + disputing < cells.len();
        self.completed += exhausted;
        self.is_stopped |= stopped;
        let entries: BTreeMap<&String, Vec<String>> =
            (total.findings.keys()).map(|signature| (signature, total.known(known, part.unit(), signature))).collect();
        self.is_new |= entries.values().any(Vec::is_empty);
        let mut row = json!({
            "isa": instruction.isa, "instruction": instruction.file, "edition": edition.name(), "cells": cells.len(),
            "exhausted": exhausted, "cited": cited, "values": values, "refused": refused,
            "disputed": disputed, "stopped": stopped,
            "findings": total.findings.iter().map(|(signature, Met { count, .. })| {
                json!({ "signature": signature, "count": count, "known": entries[signature] })
            }).collect::<Vec<_>>(),
        });
        self.results.push(row.clone());
        for (finding, Met { file, .. }) in
            row["findings"].as_array_mut().into_iter().flatten().zip(total.findings.values())
        {
            finding["file"] = json!(file);
        }
        if let Some(rate) = rate {
            row["values_per_second_and_worker"] = json!(rate.round());
        }
        self.rows.push(row);
        if !common.json {
            outln!(
                "{}: every value in {exhausted} of {} cells ({cited} undefined){}{}, {values} values{}{}",
                part.name(),
                cells.len(),
                if refused > 0 { format!(", {refused} values refused in {refusing} cells") } else { String::new() },
                if disputed > 0 {
                    format!(", {disputed} values that differ in what is disputed")
                } else {
                    String::new()
                },
                rate.map_or(String::new(), |rate| format!(", {rate:.1e} a second and worker")),
                if total.met.is_given_up {
                    "; given up, as a target crashed, hung or gave no answer again and again"
                } else if stopped && wide {
                    "; stopped: the same command goes on"
                } else if stopped {
                    "; stopped"
                } else {
                    ""
                }
            );
            print_findings(common, total, &entries);
        }
    }

    /// Leaves the result, and says how it ended.
    fn end(self, common: &Common) -> Result<Exit, CliError> {
        let Table { rows, results, is_new, completed, is_stopped: _ } = self;
        let text = serde_json::to_string_pretty(&json!({ "exhaust": results })).expect("rows serialize") + "\n";
        files::write(&common.out.join(RESULT), &text)?;
        if common.json {
            outln!("{}", json!({ "exhaust": rows }));
        }
        Ok(if is_new {
            Exit::NewFinding
        } else if completed == 0 {
            Exit::Holes
        } else {
            Exit::Agree
        })
    }
}

/// Runs what no earlier run did. Returns the whole, and how many values this run compared.
fn enumerate(
    common: &Common,
    isa: &IsaSuite,
    part: &Part,
    (wanted, kept): (&Wanted<'_>, &str),
) -> Result<(Total, u64), CliError> {
    let (unit, cells) = (part.unit(), &part.cells);
    let is_kept = wanted.wide || wanted.shard.is_some();
    let targets: Vec<String> = isa.targets.iter().map(|target| target.info.to_string()).collect();
    let directory = common.out.join("exhaust");
    let journal =
        is_kept.then(|| Journal::open(&directory.join("journal.jsonl"), unit, (&targets, kept))).transpose()?;
    let mut total = Total::default();
    let mut left: Vec<Chunk> = cells.iter().flat_map(|&cell| chunks(unit.0, unit.1, cell)).collect();
    // Chunk by chunk over the cells: a cell without a promise is known at its first chunk.
    left.sort_by_key(|chunk| (chunk.number, chunk.cell));
    if let Some(shard) = wanted.shard {
        let own = (0..).zip(left).filter(|&(place, _)| shard.has(place));
        left = own.map(|(_, chunk)| chunk).collect();
    }
    if let Some(journal) = &journal {
        for (&chunk, entry) in journal.done.iter().filter(|(chunk, _)| left.contains(chunk)) {
            total.add(chunk, entry);
            total.own.insert(chunk, entry.clone());
        }
        // A cell that is cited is so in all of its chunks.
        let cited: BTreeSet<u32> = total.cells.iter().filter(|(_, seen)| seen.cited).map(|(&cell, _)| cell).collect();
        left.retain(|chunk| !journal.done.contains_key(chunk) && !cited.contains(&chunk.cell));
    }
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
        let mut entry = Entry { seen: result.seen, ..Entry::default() };
        for (signature, finding) in &result.findings {
            let file = self.store(directory, isa, unit, result.chunk, finding)?;
            let what = Some((SignaturePart::of(signature), bit_parts(finding)));
            entry.findings.insert(signature.to_string(), Met { count: finding.count, file, what });
        }
        // What was stopped on the way is run again from its beginning.
        if let Some(journal) = self.journal.as_mut().filter(|_| result.is_whole) {
            journal.add(result.chunk, &entry)?;
            self.total.own.insert(result.chunk, entry.clone());
        }
        self.fresh += result.seen.values;
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
            [] => outln!("  {signature} in {count} cases"),
            known => outln!("  {signature} in {count} cases (known: {})", known.join(", ")),
        }
        if let Some(file) = file {
            let command = command::with_targets(common, "replay");
            outln!("    run it again: {command} {}", command::path_word(Path::new(file)));
        }
    }
    for finding in total.met.findings.values() {
        let Some(small) = &finding.minimized else { continue };
        for difference in small.differences.iter().take(1) {
            for line in explain::explain_difference(&small.value, difference) {
                outln!("    {line}");
            }
        }
    }
}
