//! `tandem known`: the list of known findings, from what a run left under `--out`.

use std::path::Path;

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::Suite;
use tandem_harness::report::known::{Entry, Recheck, Triage, Verdict};
use tandem_harness::report::model::{FindingPart, SignaturePart, VectorFindingPart};
use tandem_harness::report::{Known, Report};
use tandem_harness::vectors::read_file;

use super::args::{Accept, KnownAction};
use super::{CliError, Common, Exit, command, files, fuzz, select};
use crate::wiring;

pub(super) fn run(action: &KnownAction) -> Result<Exit, CliError> {
    match action {
        KnownAction::Accept(asked) => {
            let Accept { findings, all, verdict, evidence, link, .. } = asked;
            let about = About { verdict: *verdict, evidence: evidence.as_deref(), link: link.as_deref() };
            accept(&asked.common(), &wiring::suite(), (findings, *all), &about)
        }
        KnownAction::List(asked) => list(&asked.common(), &wiring::suite()),
        KnownAction::Prune(asked) => {
            let common = asked.common();
            prune(&common, &select::suite(&common)?, asked.dry_run)
        }
    }
}

/// What is known about the findings that are accepted.
struct About<'a> {
    verdict: Verdict,
    evidence: Option<&'a str>,
    link: Option<&'a str>,
}

// ------------------------------------------------------------------------------------------------ accept

fn accept(
    common: &Common,
    suite: &Suite,
    (wanted, all): (&[String], bool),
    about: &About<'_>,
) -> Result<Exit, CliError> {
    if about.verdict == Verdict::Confirmed && about.link.is_none() {
        return Err(CliError::Usage("a confirmed finding has a public thread; name it with --link".to_string()));
    }
    // A list that is not there yet is begun.
    let mut known = Known::read(&common.known, suite)?;
    let mut entries: Vec<Entry> = Vec::new();
    for entry in if all { new_ones(common)? } else { chosen(common, wanted)? } {
        match entries.iter_mut().find(|earlier| earlier.signature == entry.signature) {
            Some(earlier) => earlier.covers.add(&entry.covers),
            None => entries.push(entry),
        }
    }
    let mut rows = Vec::new();
    for mut entry in entries {
        entry.id = fresh_id(&known);
        entry.verdict = about.verdict;
        entry.link = about.link.map(str::to_string);
        if let Some(evidence) = about.evidence {
            entry.evidence = evidence.to_string();
        }
        if let Some(covering) = covering(&known, &entry) {
            rows.push((entry.signature, None, covering));
            continue;
        }
        rows.push((entry.signature.clone(), Some(entry.id.clone()), String::new()));
        known.entries.push(entry);
    }
    let text = known.to_json();
    // What is written is read as strictly as what somebody wrote by hand.
    Known::parse(&common.known.display().to_string(), &text, suite)?;
    files::write(&common.known, &text)?;
    if common.json {
        let row = |(signature, id, covering): &(SignaturePart, Option<String>, String)| json!({ "signature": signature, "added": id, "known": id.is_none().then_some(covering) });
        outln!("{}", json!({ "file": common.known, "accepted": rows.iter().map(row).collect::<Vec<_>>() }));
        return Ok(Exit::Agree);
    }
    for (signature, id, covering) in &rows {
        match id {
            Some(id) => outln!("{id}: {signature}"),
            None => outln!("{signature}: known already as {covering}"),
        }
    }
    let added = rows.iter().filter(|(_, id, _)| id.is_some()).count();
    outln!("{added} added to {}", common.known.display());
    Ok(Exit::Agree)
}

/// The entries that cover all of an entry already.
fn covering(known: &Known, entry: &Entry) -> Option<String> {
    use tandem_harness::report::model::SeenPart;
    let seen = |(edition, classes): (&String, &Vec<String>)| SeenPart {
        edition: edition.clone(),
        cells: Vec::new(),
        classes: classes.clone(),
    };
    let seen: Vec<SeenPart> = entry.covers.classes.iter().map(seen).collect();
    let (bits, rules) = (entry.covers.bits.as_deref().unwrap_or_default(), &entry.covers.rules);
    match known.triage_named(&entry.signature, &seen, bits, rules) {
        Triage::Known { entries } => Some(entries.join(", ")),
        Triage::New { .. } => None,
    }
}

/// The first id of the form K-7 that no entry has.
fn fresh_id(known: &Known) -> String {
    let used = |id: &String| known.entries.iter().any(|entry| entry.id == *id);
    (1..).map(|number| format!("K-{number}")).find(|id| !used(id)).expect("there are more numbers than entries")
}

/// The new findings of the last run, one entry each.
fn new_ones(common: &Common) -> Result<Vec<Entry>, CliError> {
    let report = read_report(common)?;
    let from_vectors = vector_findings(&report);
    let is_new = |finding: &&FindingPart| {
        let in_vectors = from_vectors.iter().any(|one| one.signature == finding.signature && one.known.is_empty());
        finding.is_new() || in_vectors
    };
    Ok(report.result.findings.iter().filter(is_new).map(|finding| entry_of(finding, from_vectors)).collect())
}

/// The findings that are named by number or file, one entry each.
fn chosen(common: &Common, wanted: &[String]) -> Result<Vec<Entry>, CliError> {
    let mut entries = Vec::new();
    for name in wanted {
        if let Ok(number) = name.parse::<usize>() {
            let report = read_report(common)?;
            let findings = &report.result.findings;
            let finding = number.checked_sub(1).and_then(|index| findings.get(index)).ok_or_else(|| {
                CliError::Usage(format!(
                    "{} has no finding {number}, it has {}; `tandem known accept --all` takes all new ones",
                    common.out.join("report.json").display(),
                    findings.len()
                ))
            })?;
            entries.push(entry_of(finding, vector_findings(&report)));
            continue;
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(CliError::Usage(format!(
                "'{name}' is neither the number of a finding nor a file; the findings of the last run are in {}",
                common.out.join("findings").display()
            )));
        }
        let file = read_file(ISAS, path)?;
        entries.push(Entry::of_file("K-0", &file).ok_or_else(|| {
            CliError::Usage(format!("{name} holds recorded vectors, and no stored finding; name a file of findings/"))
        })?);
    }
    Ok(entries)
}

fn entry_of(finding: &FindingPart, from_vectors: &[VectorFindingPart]) -> Entry {
    let mut entry = Entry::propose("K-0", finding);
    for one in from_vectors.iter().filter(|one| one.signature == finding.signature) {
        entry.widen(&one.seen, &one.bits);
    }
    entry
}

fn vector_findings(report: &Report) -> &[VectorFindingPart] {
    report.result.vectors.as_ref().map_or(&[], |vectors| &vectors.findings)
}

/// The report of the last run.
fn read_report(common: &Common) -> Result<Report, CliError> {
    let path = common.out.join("report.json");
    let text = files::read_if_there(&path)?.ok_or_else(|| {
        CliError::Usage(format!(
            "there is no report at {}; run `tandem fuzz` first, or name with --out where its report is",
            path.display()
        ))
    })?;
    tandem_harness::report::json::parse(&text)
        .map_err(|error| CliError::Usage(format!("{}: {error}; write it anew with `tandem fuzz`", path.display())))
}

// ------------------------------------------------------------------------------------------------ list and prune

fn list(common: &Common, suite: &Suite) -> Result<Exit, CliError> {
    let known = fuzz::read_known(common, suite)?;
    if common.json {
        outln!("{}", json!({ "known": known.entries }));
        return Ok(Exit::Agree);
    }
    for entry in &known.entries {
        outln!("{} ({}): {}", entry.id, entry.verdict.name(), entry.signature);
        for (edition, classes) in &entry.covers.classes {
            outln!("  {edition}: {}", classes.join("; "));
        }
        if let Some(bits) = &entry.covers.bits {
            outln!("  bits: {}", bits.join(", "));
        }
        outln!("  {}", entry.evidence);
        if let Some(link) = &entry.link {
            outln!("  {link}");
        }
    }
    outln!("{} known findings in {}", known.entries.len(), common.known.display());
    Ok(Exit::Agree)
}

/// Takes off the entries whose case does not fail any more on a target of this run. Those that cannot be decided stay.
fn prune(common: &Common, suite: &Suite, dry_run: bool) -> Result<Exit, CliError> {
    let known = fuzz::read_known(common, suite)?;
    let mut kept = Known::default();
    let (mut gone, mut decided, mut lines) = (Vec::new(), 0, Vec::new());
    for (entry, recheck) in known.recheck(suite) {
        decided += usize::from(entry.has_target(suite));
        let (word, why) = match &recheck {
            Recheck::Fails => ("still happens", String::new()),
            Recheck::Passes => ("does not happen any more", String::new()),
            Recheck::Undecided(why) => ("undecided", why.clone()),
        };
        if recheck == Recheck::Passes {
            gone.push(entry.id.clone());
        } else {
            kept.entries.push(entry.clone());
        }
        lines.push((entry, word, why));
    }
    if common.json {
        let entries: Vec<_> =
            lines.iter().map(|(entry, word, why)| json!({ "id": entry.id, "verdict": word, "why": why })).collect();
        outln!("{}", json!({ "entries": entries, "gone": gone, "dry_run": dry_run }));
    } else {
        for (entry, word, why) in &lines {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            outln!("{} ({}): {word}{why}", entry.id, entry.signature);
        }
    }
    if decided == 0 && !known.entries.is_empty() {
        return Err(CliError::Target(format!(
            "no target of {} is part of this run, so nothing could be decided; name one with --target or --targets",
            common.known.display()
        )));
    }
    if !dry_run && !gone.is_empty() {
        files::write(&common.known, kept.to_json())?;
    }
    if !common.json {
        let done = if dry_run { "would be taken off" } else { "taken off" };
        outln!("{} {done} {}", gone.len(), common.known.display());
        if dry_run && !gone.is_empty() {
            outln!("take them off: {}{}", command::with_targets(common, "known prune"), command::files(common));
        }
    }
    Ok(Exit::Agree)
}
