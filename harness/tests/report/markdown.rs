//! The summary in Markdown.

use tandem_harness::report::markdown::summary;
use tandem_harness::report::model::{FaultPart, FaultsPart};

use crate::{figures, sample};

#[test]
fn the_summary_has_matrix_findings_and_replay_commands() {
    let report = sample::report();
    let text = summary(&report);
    let unit = &report.result.units[0];
    let row = format!("| `{}` | {} | `simd` | {} | ", unit.instruction, unit.edition, unit.counts.cells);
    assert!(text.contains(&row), "{text}");
    assert!(text.contains(&report.result.findings[0].replay), "{text}");
    assert!(text.contains("levels that ran: low, high; not run: highest"), "{text}");
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
}

#[test]
fn what_passed_stands_with_what_is_answered_and_specified_and_rules_say_why() {
    let report = sample::partial();
    let text = summary(&report);
    let unit = &report.result.units[0];
    assert!(text.contains(" | `partial` | "), "{text}");
    assert!(text.contains(&format!(" | {} | ", figures(unit).join(" / "))), "{text}");
    assert!(text.contains("## What is answered of"), "{text}");
    for part in [
        "- 800 of 1,000 specified cases were answered, 200 refused (20.0 %)",
        "- in 1 cell that passed some cases are refused, 20 %",
        "- exploration&#58; no claims; 600 cases asked",
        "- 2 rules, which foretold 99.0 % of the answers; no rule explains 10.0 % of the refusals",
        "- no rule explains 1 unsupported cell",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("| mode = 3 | no such mode here | "), "{text}");
    let refusing = sample::refusing();
    let text = summary(&refusing);
    assert!(text.contains(&format!("| **{}** |", figures(&refusing.result.units[0]).join(" / "))));
    // Why a target is of no use is said before the figures.
    let place = |what| text.find(what);
    assert!(place("- nothing is answered").is_some_and(|first| Some(first) < place(" specified cases were answered")));
    assert!(!summary(&sample::report()).contains("What is answered"));
}

#[test]
fn faults_that_were_missed_are_named() {
    let mut report = sample::report();
    assert!(!summary(&report).contains("faults:"));
    let fault = |id: &str, found| FaultPart {
        id: id.to_string(),
        instruction: "a/x".to_string(),
        wrong: true,
        found,
        ..FaultPart::default()
    };
    report.run.faults = Some(FaultsPart::of(3, vec![fault("seen", true), fault("unseen", false)]));
    let text = summary(&report);
    assert!(text.contains("- faults: **1** of 2 deliberately wrong implementations found"), "{text}");
    assert!(text.contains("  - `a/x`: **1** of 2, after 0 words"), "{text}");
    assert!(text.contains("  - `unseen` of `a/x`: not found") && !text.contains("`seen`"), "{text}");
}

#[test]
fn hostile_strings_stay_text() {
    let report = sample::hostile();
    let text = summary(&report);
    // In a fenced block every text is a text.
    let (mut outside, mut fence) = (String::new(), None);
    for line in text.lines() {
        match &fence {
            Some(end) if line == end => fence = None,
            Some(_) => {}
            None if line.ends_with("```text") => fence = Some(line.trim_end_matches("text").to_string()),
            None => outside.push_str(&format!("{line}\n")),
        }
    }
    assert_eq!(fence, None);
    assert!(!outside.contains("<script>") && outside.contains("&lt;script&gt;"), "{outside}");
    assert!(!text.contains('\x1b') && !text.contains('\u{202e}'), "{text}");
    assert!(!outside.replace("\\]", "").contains("](javascript") && !outside.contains("@all"), "{outside}");
    // Each row of the matrix still has its columns.
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        assert!([13, 4].contains(&columns(line)), "{line}");
    }
    // The explanation's own fence does not end ours.
    assert!(text.contains("\n````text\n"), "{text}");
}
