//! `tandem report` and `tandem errata`: what is committed, regenerated.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::report::{ContestedCell, Inputs, Known, Report, committed, contested_cells};
use tandem_harness::{Budget, Campaign, IsaSuite, Plan, Pools};
use tandem_isa::{Dispute, DisputeSource, Edition, Instruction, Reading};

use super::raised::{Conflict, raised};
use super::{CliError, Common, Exit, files, fuzz, progress, specified};
use crate::nearest;
use crate::wiring;

/// The seed of the campaign behind the committed matrix, and how many cases it has for each cell.
const SEED: u64 = 1;
const CASES_PER_CELL: u64 = 128;
/// Where the committed reports are.
const DIRECTORY: &str = "reports";
/// Cases of each cell in which editions are compared.
const CONTESTED_SAMPLES: u64 = 8;

/// The committed reports, by path, as they should be.
///
/// # Errors
/// If the recorded vectors or the list of known findings cannot be read.
pub(super) fn committed_reports(common: &Common) -> Result<Vec<(String, String)>, CliError> {
    let suite = wiring::suite();
    let units = suite.units();
    let cells: usize = units.iter().map(|(instruction, edition)| (instruction.cells)(*edition).len()).sum();
    let budget = Budget::Cases(CASES_PER_CELL * cells as u64);
    let specified = tandem_harness::specified(&suite, &units, common.workers());
    let cells_file = specified::text(&units, &specified);
    let plan = Plan { coverage: true, threads: common.workers(), specified, ..Plan::new(SEED, budget, units) };
    let campaign = progress::watched(Some(plan.budget), |progress| Campaign::new(&suite, &plan, progress).run());
    let known = Known::read(&common.known, &suite)?;
    let replayed = fuzz::replay_vectors((&suite, &common.vectors), None, (&known, None), |_| true, None)?;
    let vectors = Some(replayed.part(&known, &campaign.findings));
    let witnesses = replayed.witnesses;
    let contested = contested(suite.instructions());
    let report = Report::build(&Inputs { known, vectors, contested, witnesses, ..Inputs::new(&suite, &campaign) });
    let own = [(specified::FILE.to_string(), cells_file), ("classes.txt".to_string(), classes())];
    let mut files: Vec<_> = committed::all(&suite, &report.result).into_iter().chain(own).collect();
    let errata = files.iter_mut().find(|(name, _)| name == "errata.md").expect("it is one of them");
    errata.1.extend(raised().iter().map(Conflict::markdown));
    Ok(files.into_iter().map(|(name, text)| (format!("{DIRECTORY}/{name}"), text)).collect())
}

/// The classes of modes of each instruction, in the edition `newest`: the build makes the tests of `conformance!` of them.
fn classes() -> String {
    let instructions = ISAS.iter().flat_map(|isa| isa.instructions);
    instructions.map(|one| format!("{}: {}\n", one.path(), one.classes(Edition::Newest).join(" | "))).collect()
}

/// The contested cells of instructions, by path. They depend on neither the seed nor the length of a run.
pub(super) fn contested<'a>(
    instructions: impl Iterator<Item = (&'a IsaSuite, &'static Instruction)>,
) -> BTreeMap<String, Vec<ContestedCell>> {
    let mut pools = BTreeMap::new();
    let mut of = |(isa, instruction): (&IsaSuite, &'static Instruction)| {
        let pools = pools.entry(isa.isa.name).or_insert_with(|| Pools::new(isa.isa, SEED));
        (instruction.path(), contested_cells(isa, instruction, CONTESTED_SAMPLES, (SEED, pools)))
    };
    instructions.map(&mut of).collect()
}

pub(super) fn run(common: &Common, bless: bool) -> Result<Exit, CliError> {
    let mut rows = Vec::new();
    for (path, text) in committed_reports(common)? {
        let state = if bless {
            files::write(Path::new(&path), &text)?;
            "written"
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&*text) {
            "differs"
        } else {
            "up to date"
        };
        rows.push((path, state, text.len()));
    }
    let is_stale = rows.iter().any(|(_, state, _)| *state == "differs");
    if common.json {
        let rows = rows.iter().map(|(path, state, bytes)| json!({ "file": path, "state": state, "bytes": bytes }));
        outln!("{}", json!({ "reports": rows.collect::<Vec<_>>() }));
    } else {
        rows.iter().for_each(|(path, state, bytes)| outln!("{path}: {state}, {bytes} bytes"));
        if is_stale {
            outln!("look at what differs with `git diff` after `tandem report --bless`");
        }
    }
    Ok(if is_stale { Exit::NewFinding } else { Exit::Agree })
}

pub(super) fn errata(common: &Common, id: Option<&str>) -> Result<Exit, CliError> {
    let all: Vec<_> = ISAS.iter().flat_map(|isa| isa.errata.iter()).collect();
    let chosen: Vec<_> = all.iter().filter(|erratum| id.is_none_or(|id| erratum.id.eq_ignore_ascii_case(id))).collect();
    let disputes: BTreeMap<&str, &Dispute> =
        ISAS.iter().flat_map(|isa| isa.machine.disputes).map(|dispute| (dispute.id, dispute)).collect();
    let is_chosen = |dispute: &&&Dispute| id.is_none_or(|id| dispute.id.eq_ignore_ascii_case(id));
    let disputed: Vec<&Dispute> = disputes.values().filter(is_chosen).copied().collect();
    let mut raised = raised();
    raised.retain(|one| id.is_none_or(|id| one.case.eq_ignore_ascii_case(id)));
    if chosen.is_empty() && disputed.is_empty() && raised.is_empty() {
        let ids: Vec<_> = all.iter().map(|erratum| erratum.id).chain(disputes.keys().copied()).collect();
        let id = id.unwrap_or("");
        let did_you_mean = nearest::nearest(id, &ids).map(|id| format!("did you mean '{id}'? "));
        return Err(CliError::Usage(format!(
            "there is no erratum or dispute '{id}'; {}there are: {}",
            did_you_mean.unwrap_or_default(),
            ids.join(", ")
        )));
    }
    if common.json {
        let list: Vec<_> = chosen
            .iter()
            .map(|erratum| {
                let reading = |of: &Reading| json!({ "id": of.id, "instruction": of.instruction, "says": of.says });
                json!({
                    "id": erratum.id, "kind": erratum.kind.name(), "page": erratum.page.title,
                    "commit": erratum.page.commit, "lines": erratum.lines, "prints": erratum.prints,
                    "consequence": erratum.consequence, "decision": erratum.decision,
                    "editions": erratum.editions.iter().map(|edition| edition.name()).collect::<Vec<_>>(),
                    "readings": erratum.readings.iter().map(reading).collect::<Vec<_>>(), "verified_by": erratum.verified_by,
                    "evidence": erratum.evidence.iter().map(|item| json!({ "grade": item.grade.name(), "text": item.text })).collect::<Vec<_>>(),
                })
            })
            .collect();
        let disputes: Vec<_> = disputed.into_iter().map(dispute_json).collect();
        outln!("{}", json!({ "errata": list, "disputes": disputes, "raised": raised }));
        return Ok(Exit::Agree);
    }
    for erratum in chosen {
        outln!(
            "{} ({}), {}, commit {}, lines {}",
            erratum.id,
            erratum.kind.name(),
            erratum.page.title,
            &erratum.page.commit[..8],
            erratum.lines
        );
        outln!("  prints       {}", erratum.prints);
        outln!("  consequence  {}", erratum.consequence);
        outln!("  decision     {}", erratum.decision);
        for item in erratum.evidence {
            outln!("  evidence     {}: {}", item.grade.name(), item.text);
        }
        for reading in erratum.readings {
            outln!("  not taken    {} ({}): {}", reading.id, reading.instruction, reading.says);
        }
        if !erratum.verified_by.is_empty() {
            outln!("  verified by  {}", erratum.verified_by);
        }
    }
    disputed.into_iter().for_each(print_dispute);
    for (head, lines) in raised.iter().map(Conflict::lines) {
        outln!("{head}");
        lines.iter().for_each(|(name, text)| outln!("  {name:<12} {text}"));
    }
    Ok(Exit::Agree)
}

fn dispute_json(dispute: &Dispute) -> Value {
    let source = |of: &DisputeSource| json!({ "at": of.at, "as_of": of.as_of, "says": of.says });
    json!({
        "id": dispute.id, "kind": dispute.kind.name(), "instructions": dispute.files(),
        "page": dispute.page.title, "commit": dispute.page.commit, "lines": dispute.lines, "says": dispute.says,
        "differs": dispute.differs, "places": dispute.places,
        "cases": dispute.cases.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "sources": dispute.sources.iter().map(source).collect::<Vec<_>>(),
    })
}

fn print_dispute(dispute: &Dispute) {
    let Dispute { id, kind, page, lines, says, differs, places, sources, cases, .. } = dispute;
    outln!("{id} (disputed, {}), {}, commit {}, lines {lines}", kind.name(), page.title, &page.commit[..8]);
    outln!("  instructions {}", dispute.files().join(", "));
    outln!("  the page     {says}");
    outln!("  others       {differs}");
    outln!("  no findings  {}", if places.is_empty() { "all differences".to_string() } else { places.join(", ") });
    cases.iter().for_each(|case| outln!("  cases        {case}"));
    sources.iter().for_each(|DisputeSource { at, as_of, says }| outln!("  source       {at} ({as_of}): {says}"));
}
