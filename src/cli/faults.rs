//! `tandem faults`: the test of the tests.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tandem_harness::report::model::{FaultPart, FaultsPart};
use tandem_harness::{MinimizeLimits, Shard, Suite};
use tandem_isa::{Edition, Instruction};

use super::sealed::Form;
use super::shard::{self, About, Asked, Body, Gathered};
use super::{CliError, Common, Exit, dealt, files, progress, select};
use crate::trial::{self, Trial};
use crate::twists::{self, Budget, Hunted, quantiles};

/// What a run leaves under `--out`, for the report of `tandem fuzz`.
const FILE: &str = "faults.json";
const FORM: Form = Form { name: "tandem faults", version: 2 };
/// Cases after which a fault counts as not found.
const CASES: u64 = 1_000_000;
/// Cases of a cell after which its one-cell fault counts as not found.
const CASES_PER_CELL: u64 = 64;

/// What the file holds.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Left {
    /// Digests of the sources by which the figures came about.
    sources: [String; 2],
    part: FaultsPart,
}

/// The sources of this build.
fn sources() -> [String; 2] {
    [env!("TANDEM_REFERENCE"), env!("TANDEM_SOURCES")].map(str::to_string)
}

/// A hunt that a shard made.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dealt {
    /// Its place in the whole: the instruction, whether it is of one cell, and its number among those.
    at: (usize, bool, usize),
    part: FaultPart,
}

/// What is hunted.
struct Ground {
    suite: Suite,
    instructions: Vec<&'static Instruction>,
    about: About,
    seed: u64,
    cases: u64,
}

impl Ground {
    fn of(common: &Common, filters: &[String], per_cell: bool) -> Result<Self, CliError> {
        let suite = select::suite(common)?;
        let instructions = select::instructions(&suite, filters)?;
        let (seed, cases) = (common.seed.unwrap_or(1), common.cases.unwrap_or(CASES));
        let asked = Asked { filters: filters.to_vec(), per_cell, ..Asked::default() };
        let fixed = Common { seed: Some(seed), cases: Some(cases), ..common.clone() };
        let units = select::units(&suite, common, filters)?;
        let about = About::of(("faults", asked), &fixed, &suite, &units);
        Ok(Ground { suite, instructions, about, seed, cases })
    }

    /// Hunts what is a shard's own, or all.
    fn hunt(&self, common: &Common, shard: Option<Shard>) -> Result<Vec<Dealt>, CliError> {
        let is_own = |number: usize| shard.is_none_or(|shard| shard.has(number as u64));
        let (seed, cases) = (self.seed, self.cases);
        let mut hunted = Vec::new();
        for (place, &instruction) in self.instructions.iter().enumerate() {
            let isa = self.suite.isa(instruction.isa).expect("the instruction is of the suite");
            let editions = select::editions(common, instruction)?;
            let mut add = |trials: &[Trial], of_one_cell| {
                hunted.extend(trials.iter().enumerate().map(|(number, trial)| Dealt {
                    at: (place, of_one_cell, trial.number.unwrap_or(number)),
                    part: FaultPart::of(&trial.hunt, (trial.must_be_found, trial.applicable), of_one_cell),
                }));
            };
            let known = progress::watched_for(common.seconds, None, |progress| {
                let work = (seed, cases);
                trial::catalogue_of(isa, instruction, (&editions, &is_own), work, common.workers(), progress)
            });
            add(&known, false);
            // An instruction is one shard's: which of its cells are green is found out once.
            if self.about.asked.per_cell && is_own(place) {
                let size = (seed, CASES_PER_CELL);
                let green = trial::green_cells(isa, instruction, &editions, size, common.workers());
                let cells = progress::watched_for(common.seconds, None, |progress| {
                    let size = (seed, CASES_PER_CELL, Some(MinimizeLimits::default()));
                    trial::cells(isa, instruction, &green, size, common.workers(), progress)
                });
                add(&cells, true);
            }
        }
        Ok(hunted)
    }
}

pub(super) fn run(common: &Common, filters: &[String], per_cell: bool, shard: Option<Shard>) -> Result<Exit, CliError> {
    progress::listen();
    files::try_folder(&common.out)?;
    let ground = Ground::of(common, filters, per_cell)?;
    match shard {
        Some(shard) => run_shard(common, &ground, shard),
        None => {
            let hunted = ground.hunt(common, None)?;
            conclude(common, &ground, hunted)
        }
    }
}

/// Hunts the faults of a shard, and leaves what came of it.
fn run_shard(common: &Common, ground: &Ground, shard: Shard) -> Result<Exit, CliError> {
    let path = common.out.join(shard::FILE);
    if shard::is_done(&path, &ground.about, shard)? {
        shard::say_done(common, &path, shard);
        return Ok(Exit::Agree);
    }
    let hunted = ground.hunt(common, Some(shard))?;
    if progress::is_over(common.seconds) {
        errln!("tandem: stopped early: the same command begins this shard anew");
        return Ok(Exit::Holes);
    }
    let (count, numbers) = (hunted.len(), (shard.number(), shard.of()));
    let (about, levels, body) = (ground.about.clone(), shard::levels(&ground.suite), Body::Faults(hunted));
    shard::write(&path, &shard::Left { about, shard: numbers, levels, body })?;
    shard::say(common, &path, shard, &[("faults", count as u64)]);
    Ok(Exit::Agree)
}

/// What all shards come to together.
pub(super) fn merge(common: &Common, gathered: &Gathered) -> Result<Exit, CliError> {
    let ground = Ground::of(common, &gathered.about.asked.filters, gathered.about.asked.per_cell)?;
    dealt::refuse_other(&gathered.about, &ground.about)?;
    let mut hunted = Vec::new();
    for (left, directory) in gathered.left.iter().zip(&gathered.directories) {
        let Body::Faults(dealt) = &left.body else { return Err(dealt::no_such(directory)) };
        hunted.extend(dealt.iter().cloned());
    }
    hunted.sort_by_key(|dealt| dealt.at);
    conclude(common, &ground, hunted)
}

/// Leaves the figures, prints them, and says how it ended.
fn conclude(common: &Common, ground: &Ground, hunted: Vec<Dealt>) -> Result<Exit, CliError> {
    let list: Vec<FaultPart> = hunted.into_iter().map(|dealt| dealt.part).collect();
    let part = FaultsPart::of(ground.seed, list.clone());
    // What was stopped, or left something out, says nothing of the whole.
    let is_whole = ground.about.asked.filters.is_empty() && common.edition.is_none();
    if is_whole && !progress::is_over(common.seconds) {
        files::write(&common.out.join(FILE), FORM.seal(&Left { sources: sources(), part: part.clone() }))?;
    }
    let figures = &part.figures;
    if common.json {
        let rows: Vec<_> = list.iter().map(row).collect();
        outln!(
            "{}",
            json!({
                "found": figures.found, "total": figures.total, "not_applicable": figures.not_applicable,
                "minimal": figures.minimal, "faults": rows, "summary": {
                    "median_datums": figures.median_datums, "p90_datums": figures.p90_datums,
                    "mean_size": figures.mean_size, "max_runs": figures.max_runs,
                }
            })
        );
    } else {
        for fault in &list {
            outln!("{}", line(fault));
        }
        outln!(
            "{} found of {} applicable, {} minimal; {} not applicable: they did nothing wrong in any case of their instruction",
            figures.found,
            figures.total,
            figures.minimal,
            figures.not_applicable
        );
        outln!(
            "datums: median {}, 90th percentile {}; smallest cases: {:.1} elements on average, at most {} runs; {} controls, of \
             which {} were found",
            figures.median_datums,
            figures.p90_datums,
            figures.mean_size,
            figures.max_runs,
            figures.controls,
            figures.alarms
        );
    }
    if progress::is_over(common.seconds) {
        errln!("tandem: stopped early: not every fault was hunted");
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

/// Cases after which a twist counts as not found, alone and with a guard.
const TWISTS: Budget = Budget { bare: 100_000, guarded: 300_000 };

/// `tandem faults --twists`.
pub(super) fn twists(common: &Common, filters: &[String], part: (u64, u64)) -> Result<Exit, CliError> {
    progress::listen();
    tandem_harness::quiet_panics();
    let suite = select::suite(common)?;
    let seed = common.seed.unwrap_or(1);
    let budget = common.cases.map_or(TWISTS, |cases| Budget { bare: cases, guarded: cases });
    let mut units = Vec::new();
    for instruction in select::instructions(&suite, filters)? {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let edition = select::edition(common)?.unwrap_or(Edition::Newest);
        if instruction.editions().contains(&edition) {
            units.push((isa, instruction, edition));
        }
    }
    let hunted = progress::watched_for(common.seconds, None, |progress| {
        trial::parallel(common.workers(), &units, progress, |&(isa, instruction, edition)| {
            twists::hunt_all(isa, (instruction, edition), (part, budget), seed, progress)
        })
    });
    let hunted: Vec<Hunted> = hunted.into_iter().flatten().collect();
    let is_whole = hunted.len() == units.len();
    let missed: usize = hunted.iter().map(|hunted| hunted.missed().count()).sum();
    if common.json {
        let rows: Vec<_> = hunted.iter().map(hunted_row).collect();
        outln!("{}", json!({ "twists": rows, "missed": missed }));
    } else {
        hunted.iter().for_each(print_hunted);
        let trials = || hunted.iter().flat_map(|hunted| hunted.bare.iter().chain(&hunted.guarded));
        let common_trials = || trials().filter(|trial| !trial.mistake.guard.is_rare());
        let found = trials().filter(|trial| trial.found.is_some()).count();
        let (median, p90) = quantiles(common_trials()).unwrap_or_default();
        outln!(
            "{found} of {} mistakes found; datums, of those that are not rare: median {median}, 90th percentile {p90}; {missed} \
             twists were missed",
            trials().count()
        );
    }
    if !is_whole {
        errln!("tandem: stopped early: not every twist was hunted");
    }
    Ok(if missed > 0 || hunted.is_empty() { Exit::Holes } else { Exit::Agree })
}

fn print_hunted(hunted: &Hunted) {
    let Hunted { instruction, sites, idle, bare, guarded } = hunted;
    let found = |trials: &[twists::Trial]| trials.iter().filter(|trial| trial.found.is_some()).count();
    let survives = |trial: &&twists::Trial| trial.found.is_none() && trial.survives.is_some();
    let survive = bare.iter().filter(survives).count();
    let holes = bare.iter().filter(survives).filter(|trial| trial.survives.is_some_and(twists::is_hole)).count();
    let (median, p90) = quantiles(bare.iter()).unwrap_or_default();
    outln!(
        "{instruction}: {sites} sites ({idle} changes make no difference in place); {} of {} twists found, {survive} survive for known reasons, {holes} of them holes of the cases; \
         datums: median {median}, 90th percentile {p90}",
        found(bare),
        bare.len()
    );
    let (rare, others): (Vec<_>, Vec<_>) = guarded.iter().cloned().partition(|trial| trial.mistake.guard.is_rare());
    let (median, p90) = quantiles(others.iter()).unwrap_or_default();
    outln!(
        "  with a guard: {} of {} found, datums: median {median}, 90th percentile {p90}; rare ones: {} of {}",
        found(&others),
        others.len(),
        found(&rare),
        rare.len()
    );
    for trial in hunted.missed() {
        outln!("  MISSED {}", trial.mistake.name);
    }
}

fn hunted_row(hunted: &Hunted) -> serde_json::Value {
    let row = |trial: &twists::Trial| {
        json!({
            "name": trial.mistake.name, "guard": trial.mistake.guard.to_string(), "rare": trial.mistake.guard.is_rare(),
            "cases": trial.found.map(|found| found.cases), "datums": trial.found.map(|found| found.datums),
            "survives": trial.survives,
        })
    };
    let rows = |trials: &[twists::Trial]| trials.iter().map(row).collect::<Vec<_>>();
    json!({
        "instruction": hunted.instruction, "sites": hunted.sites, "idle": hunted.idle,
        "bare": rows(&hunted.bare), "guarded": rows(&hunted.guarded),
    })
}

/// What an earlier run left under `out`, if this version made it; or why it is of no use.
pub(super) fn read(out: &Path) -> Result<Option<FaultsPart>, String> {
    let path = out.join(FILE);
    let stale = |why: String| format!("{}: {why}; run `tandem faults` again", path.display());
    let text = files::read_if_there(&path).map_err(|error| error.to_string())?;
    let Some(text) = text else { return Ok(None) };
    let Left { sources: of, part } = FORM.open(&text).map_err(|error| stale(error.to_string()))?;
    let is_own = part.is_current() && of == sources();
    if is_own { Ok(Some(part)) } else { Err(stale(format!("made by another build, version {}", part.version))) }
}

fn row(fault: &FaultPart) -> serde_json::Value {
    json!({
        "id": fault.id, "instruction": fault.instruction, "found": fault.found, "applicable": !fault.not_applicable,
        "cases": fault.cases,
        "datums": fault.datums, "size": fault.size, "runs": fault.runs, "minimal": fault.minimal,
    })
}

fn line(fault: &FaultPart) -> String {
    let small = match (fault.size, fault.runs) {
        (Some(size), Some(runs)) => {
            format!("size {size} in {runs} runs{}", if fault.minimal { "" } else { ", not proven minimal" })
        }
        _ => String::new(),
    };
    let what = match (fault.found, fault.wrong) {
        _ if fault.not_applicable => "not applicable: it did nothing wrong",
        (true, true) => "found",
        (false, true) => "NOT FOUND",
        (false, false) => "not found, as it must be",
        (true, false) => "FOUND ALTHOUGH IT IS RIGHT",
    };
    format!("{:40} {what} after {} cases, {} datums {small}", fault.id, fault.cases, fault.datums)
}
