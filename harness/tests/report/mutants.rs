//! Reports that were changed: whoever reads or renders one has no more to do than its size asks for.

use tandem_harness::report::history::Difference;
use tandem_harness::report::known::{Entry, Known};
use tandem_harness::report::model::{FaultPart, FaultsPart};
use tandem_harness::report::{Colour, Report, html, json, junit, markdown, terminal};

use crate::mutate::each_mutant;
use crate::sample;

/// A report that has all that one may have.
fn report() -> Report {
    let mut report = sample::partial();
    let whole = sample::report();
    report.result.units.extend(whole.result.units);
    report.result.findings.extend(whole.result.findings);
    let fault = FaultPart { instruction: "a/b".to_string(), wrong: true, ..FaultPart::default() };
    report.run.faults = Some(FaultsPart::of(1, vec![fault]));
    // The maps are most of a report, and mutants of a letter there are like each other.
    for unit in &mut report.result.units {
        unit.map.statuses.truncate(64);
        unit.map.classes = format!("0*{}", unit.map.statuses.len());
        unit.map.contested = unit.map.contested.take().map(|letters| letters[..64].to_string());
        unit.map.rules = if unit.map.rules.is_empty() { String::new() } else { "0*60 1*4".to_string() };
        unit.map.refusals = if unit.map.refusals.is_empty() { String::new() } else { "0*60 7 100*3".to_string() };
    }
    report
}

/// Reads a report and renders it in every way, if it is one.
fn read_and_render(bytes: &[u8], list: &Report) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(report) = json::parse(text) else { return false };
    let mut out = Vec::new();
    for colour in [Colour::Always, Colour::Never] {
        terminal::render(&mut out, &report, colour, None).expect("memory takes everything");
    }
    let texts = [html::page(&report), markdown::summary(&report), junit::xml(&report, true), json::report(&report)];
    assert!(texts.iter().all(|text| text.len() < 40 * bytes.len() + 1_000_000));
    let _ = Difference::of(&list.result, &report.result).lines();
    let _ = html::trend(&[("one".to_string(), list.clone()), ("two".to_string(), report.clone())]);
    let known = Known { entries: report.result.findings.iter().map(|one| Entry::propose("K-1", one)).collect() };
    for finding in &report.result.findings {
        let _ = known.triage(&finding.signature, &finding.seen, &finding.bits, &finding.rules);
    }
    true
}

#[test]
fn no_mutant_of_a_report_takes_long_or_ends_in_a_panic() {
    let list = report();
    let text = json::report(&list);
    assert!(read_and_render(text.as_bytes(), &list), "it reads back");
    let [read, all] = each_mutant("a report", &text, 800, |mutant| read_and_render(mutant, &list));
    assert!(all > 3_000, "{all} mutants");
    assert!(read > all / 10, "{read} of {all} are reports still");
}
