//! `tandem fingerprint`: which readings of the pages a target follows.

use std::time::Instant;

use serde_json::{Value, json};
use tandem_harness::fingerprint::{EditionVerdict, Fingerprint, Observed, Probe, Probes, Verdict, probes};
use tandem_harness::{CaseValue, IsaSuite};

use super::{CliError, Common, Exit, case, progress, select};
use crate::readings;

/// Cases among which probes are looked for.
const CASES: u64 = 120_000;

pub(super) fn run(common: &Common, filters: &[String]) -> Result<Exit, CliError> {
    // Which models a target follows is what is looked for.
    let suite = select::suite(&Common { model: vec!["all".to_string()], disputed: true, ..common.clone() })?;
    progress::listen();
    let mut rows = Vec::new();
    let (mut disagrees, mut is_shown) = (false, false);
    for instruction in select::instructions(&suite, filters)? {
        if progress::is_over(common.seconds) {
            errln!("tandem: stopped early: {} and what follows were not asked", instruction.path());
            break;
        }
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let begin = Instant::now();
        let found = probes(isa, instruction, readings::of(instruction), CASES);
        if !common.json {
            outln!(
                "{}: {} cases for {} readings, found in {:.1} s",
                instruction.path(),
                found.probes.len(),
                found.readings.len(),
                begin.elapsed().as_secs_f64()
            );
        }
        for factory in &isa.targets {
            let mut target = factory.make();
            if !target.implements(instruction) {
                continue;
            }
            let print = found.judge(target.as_mut(), factory.claimed());
            disagrees |= print.plain.1 + print.plain.2 < print.plain.0;
            is_shown |= print.plain.2 < print.plain.0;
            rows.push(row(isa, &found, &print, &factory.info.to_string()));
            if !common.json {
                text(isa, &found, &print, &factory.info.to_string());
            }
        }
    }
    if common.json {
        outln!("{}", json!({ "fingerprint": rows }));
    }
    // A fingerprint says what there is; only what nobody reads like this is a finding.
    Ok(if disagrees { Exit::NewFinding } else { case::unless_nothing_was_shown(is_shown) })
}

fn text(isa: &IsaSuite, found: &Probes, print: &Fingerprint, target: &str) {
    outln!("{target}");
    outln!("  edition      {}", edition(&print.edition, found));
    let (plain, agreed, refused) = print.plain;
    outln!("  plain cases  {agreed} of {plain} as the pages say, {refused} refused{}", {
        if agreed + refused < plain { "; it is wrong where all readings agree: run `tandem fuzz`" } else { "" }
    });
    for (verdict, title) in [(Verdict::Follows, "follows"), (Verdict::CannotTell, "cannot tell")] {
        for claim in print.claims.iter().filter(|claim| claim.verdict == verdict) {
            let reading = &found.readings[claim.reading];
            outln!("  {title:12} {} ({}): {}", reading.topic, reading.id, reading.says);
            if !claim.why.is_empty() {
                outln!("               {}", claim.why);
            }
            if verdict == Verdict::Follows
                && let Some(&place) = claim.evidence.first()
            {
                outln!(
                    "               {} cases, first: {}",
                    claim.evidence.len(),
                    line(isa, &found.probes[place].value)
                );
            }
        }
    }
    let not: Vec<&str> = print
        .claims
        .iter()
        .filter(|claim| claim.verdict == Verdict::FollowsNot)
        .map(|claim| &*found.readings[claim.reading].id)
        .collect();
    if !not.is_empty() {
        outln!("  follows not  {}", not.join(", "));
    }
    if print.left_out > 0 {
        outln!(
            "  not asked    {} cases, which it is claimed to refuse, or of which it refuses the plain form",
            print.left_out
        );
    }
    for (class, count) in &print.refused {
        outln!("  refuses      {class} ({count} cases)");
    }
}

fn edition(verdict: &EditionVerdict, found: &Probes) -> String {
    let cases = found.probes.iter().filter(|probe| probe.other_edition.is_some()).count();
    match verdict {
        EditionVerdict::OneEdition => "there is one".to_string(),
        EditionVerdict::Follows(edition) => format!("{}, on {cases} cases on which they differ", edition.name()),
        EditionVerdict::Mixed => {
            "neither alone: on some cases as spec says, on others as newest; see what it follows".to_string()
        }
        EditionVerdict::CannotTell => "cannot tell".to_string(),
    }
}

/// A case in one line: the instruction, and what differs from the base state.
fn line(isa: &IsaSuite, value: &CaseValue) -> String {
    let layout = isa.isa.layout;
    let fields = value.fields.iter().map(|(&place, bits)| format!("{} = {bits:#x}", (layout.fields)()[place].name));
    let words = value
        .words
        .iter()
        .map(|(&(bank, row, column), word)| format!("{} = {word:#x}", layout.banks[bank].word_name(row, column)));
    let state: Vec<String> = fields.chain(words).collect();
    format!("{} with {}", value.instruction.print(&value.code), state.join(", "))
}

fn row(isa: &IsaSuite, found: &Probes, print: &Fingerprint, target: &str) -> Value {
    let claims: Vec<Value> = print
        .claims
        .iter()
        .map(|claim| {
            let reading = &found.readings[claim.reading];
            json!({
                "reading": reading.id, "topic": reading.topic, "says": reading.says, "why": claim.why,
                "verdict": match claim.verdict {
                    Verdict::Follows => "follows",
                    Verdict::FollowsNot => "follows not",
                    Verdict::CannotTell => "cannot tell",
                },
                "evidence": claim.evidence,
            })
        })
        .collect();
    let cases: Vec<Value> = found
        .probes
        .iter()
        .zip(&print.observed)
        .map(|(probe, seen)| json!({ "case": line(isa, &probe.value), "seen": seen_as(probe, seen, found) }))
        .collect();
    json!({
        "target": target, "instruction": found.instruction.path(),
        "edition": match &print.edition {
            EditionVerdict::OneEdition => "one",
            EditionVerdict::Follows(edition) => edition.name(),
            EditionVerdict::Mixed => "mixed",
            EditionVerdict::CannotTell => "cannot tell",
        },
        "plain": { "cases": print.plain.0, "agreed": print.plain.1, "refused": print.plain.2 },
        "not_asked": print.left_out, "refused": print.refused, "claims": claims, "cases": cases,
    })
}

/// Whose result it was.
fn seen_as(probe: &Probe, seen: &Observed, found: &Probes) -> String {
    match seen {
        seen if *seen == probe.reference => "the reference's".to_string(),
        Observed::Answered(tandem_isa::Answer::Unsupported, _) => "unsupported".to_string(),
        Observed::Failed(message) => format!("failed: {message}"),
        seen if probe.other_edition.as_ref() == Some(seen) => "that of edition spec".to_string(),
        seen => {
            let whose = probe.differing.iter().find(|(_, other)| other == seen);
            whose.map_or_else(|| "another".to_string(), |(place, _)| format!("that of {}", found.readings[*place].id))
        }
    }
}
