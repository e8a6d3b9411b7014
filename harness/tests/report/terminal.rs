//! What is printed.

use tandem_harness::report::terminal::{render, render_findings};
use tandem_harness::report::{Colour, Report};
use tandem_harness::vectors::{Column, Columns};

use crate::{figures, sample};

fn rendered(report: &Report, colour: Colour) -> String {
    let mut out = Vec::new();
    render(&mut out, report, colour, None).expect("memory takes everything");
    String::from_utf8(out).expect("it is text")
}

#[test]
fn it_shows_matrix_finding_replay_and_what_did_not_run() {
    let report = sample::report();
    let text = rendered(&report, Colour::Never);
    let finding = &report.result.findings[0];
    assert!(text.contains(&format!("new {}", finding.signature)), "{text}");
    assert!(text.contains(&format!("replay: {}", finding.replay)), "{text}");
    assert!(text.contains("not run: highest"), "{text}");
    assert!(text.contains("1 finding, 1 new"), "{text}");
    let mut out = Vec::new();
    render_findings(&mut out, &report, Colour::Never, None).expect("memory takes everything");
    let findings = String::from_utf8(out).expect("it is text");
    let verdict = findings.lines().last().expect("it has lines");
    assert!(verdict.starts_with("1 new finding: ") && verdict.ends_with("1 finding, 1 new"), "{findings}");
    // The verdict stands first and last.
    assert!(text.lines().next() == Some(verdict) && text.lines().last() == Some(verdict), "{text}");
    assert!(findings.contains(&finding.replay) && !findings.contains("cells  "), "{findings}");
}

#[test]
fn what_passed_stands_with_what_is_answered_and_specified_and_rules_say_why() {
    let report = sample::partial();
    let text = rendered(&report, Colour::Never);
    assert!(text.contains("passed/answered/specified"), "{text}");
    assert!(text.contains(&format!(" {}  ", figures(&report.result.units[0]).join("/"))), "{text}");
    assert!(text.contains("exploration: no claims"), "{text}");
    assert!(text.contains("refused if mode = 3, \"no such mode here\": "), "{text}");
    assert!(text.contains("refused if some datum is NaN: by data"), "{text}");
    assert!(!text.contains("nothing is answered"), "{text}");
    let refusing = sample::refusing();
    let text = rendered(&refusing, Colour::Never);
    assert!(text.contains(&format!("nothing is answered: {}", refusing.result.units[0].title())), "{text}");
}

#[test]
fn a_report_in_which_all_passed_fits_on_a_screen() {
    let mut report = sample::report();
    report.result.findings.clear();
    report.result.new_findings = 0;
    report.run.finding_levels.clear();
    for unit in &mut report.result.units {
        (unit.counts.holes, unit.diverged) = (0, 0);
        unit.hole_list.clear();
    }
    report.result.counts.holes = 0;
    let text = rendered(&report, Colour::Never);
    assert!(text.starts_with("All passed: "), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

#[test]
fn what_is_not_yet_drawn_is_no_warning_unless_every_cell_was_to_be_decided() {
    let mut report = sample::report();
    report.result.findings.clear();
    report.result.new_findings = 0;
    report.result.vectors = None;
    let orange = "\x1b[33m";
    let complete = rendered(&report, Colour::Always);
    assert!(complete.contains(&format!("{orange}open")) && complete.contains("specified cells are open"), "{complete}");
    report.result.units.iter_mut().for_each(|unit| unit.coverage = None);
    let text = rendered(&report, Colour::Never);
    assert!(text.contains("not yet drawn often enough") && !text.contains("hole"), "{text}");
    assert!(!rendered(&report, Colour::Always).contains(&format!("{orange}open")));
}

#[test]
fn vectors_that_were_not_replayed_are_counted_in_the_line_itself() {
    let mut report = sample::report();
    let vectors = report.result.vectors.as_mut().expect("there are vectors");
    vectors.list[0].columns = Columns::default().with(Column::Agreed, 13_416).with(Column::NotReached, 30_724);
    let text = rendered(&report, Colour::Never);
    assert!(text.contains("vectors: 13,416 of 44,140 in "), "{text}");
    assert!(text.contains("30,724 not run (30,724 not reached)"), "{text}");
    assert!(text.lines().next().is_some_and(|verdict| verdict.contains("13,416 of 44,140 vectors")), "{text}");
}
