//! Failures of tests, in words: what differs, where the page is, how to see it again, and the smallest case as a test.

use std::fmt::Write;

use tandem_harness::observe::ClaimsError;
use tandem_harness::report::model::{CitationPart, FindingPart, SignaturePart, UnitPart};
use tandem_harness::report::{CaseText, Report};

use super::{Amount, Called, Settings, SettingsError};

/// Findings that are told in full; the others are counted.
pub(super) const MOST_FINDINGS: usize = 3;
/// Rules of refusal that are told.
const MOST_RULES: usize = 3;
/// Words and fields of a case that somebody would paste.
const MOST_PASTED: usize = 400;
/// The longest line of a test to paste.
const WIDTH: usize = 100;

/// Why a test fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The environment cannot be followed.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The implementation differs from what the pages promise.
    #[error("{0}")]
    Differs(String),
    /// The implementation has the instruction, and refused whatever was asked.
    #[error("{0}")]
    Silent(String),
    /// No case of a class of modes completed.
    #[error(
        "no case of {instruction}, class {class}, completed on {target}, so nothing was shown: ask for more with \
         TANDEM_CASES or TANDEM_SECONDS"
    )]
    Undecided {
        /// The implementation.
        target: String,
        /// The instruction.
        instruction: String,
        /// The class.
        class: String,
    },
    /// The implementation has no instruction at all.
    #[error(
        "{0} makes what implements no instruction that tandem knows, so nothing was tested: `Target::implements` is asked for \
         instructions such as tensix-wh/mova2d, whose names are `Facts::path`"
    )]
    Nothing(String),
    /// The implementation does not have the instruction of a case.
    #[error("{target} does not implement {instruction}, so its case shows nothing")]
    NotImplemented {
        /// The implementation.
        target: String,
        /// The instruction.
        instruction: String,
    },
    /// The implementation refuses a case.
    #[error("{target} refuses the case (unsupported), so it shows nothing{}", said(.reason.as_ref()))]
    Refused {
        /// The implementation.
        target: String,
        /// Why, if it says so.
        reason: Option<String>,
    },
    /// It panicked where no case was run.
    #[error(
        "{make} made something that panicked outside of a case (when it was made, or in `info`, `implements`, `claims` or \
         `reset`): {message}"
    )]
    Panicked {
        /// What makes an instance.
        make: String,
        /// The message.
        message: String,
    },
    /// Its claims cannot be read.
    #[error(transparent)]
    Claims(#[from] ClaimsError),
    /// A case cannot be read.
    #[error("the case cannot be read: {0}")]
    Case(String),
    /// There is no such instruction.
    #[error("tandem knows no instruction {0}")]
    Unknown(String),
}

/// What an implementation said, behind a sentence.
fn said(reason: Option<&String>) -> String {
    reason.map_or(String::new(), |why| format!(": {why}"))
}

/// What differs, in a few words: what is about no bank and no field has no place.
pub(super) fn what(signature: &SignaturePart) -> String {
    let SignaturePart { place, kind, .. } = signature;
    if place == "-" { kind.clone() } else { format!("{place} {kind}") }
}

/// What differs from the pages in a class of modes.
pub(super) fn differs(
    report: &Report,
    (class, findings): (&str, &[&FindingPart]),
    called: Called<'_>,
    settings: Settings,
) -> String {
    let SignaturePart { instruction, target, .. } = &findings[0].signature;
    let mut text = format!(
        "{target} differs from what the pages promise of {instruction}, class {class}: {}, {}, edition newest\n",
        counted(findings.len() as u64, "finding"),
        asked(report, settings)
    );
    for (number, finding) in findings.iter().take(MOST_FINDINGS).enumerate() {
        let _ = writeln!(text, "\n{}. {}, in {}", number + 1, what(&finding.signature), counted(finding.cases, "case"));
        for line in &finding.explanation {
            let _ = writeln!(text, "   {line}");
        }
        citations(&mut text, &finding.citations);
        if !finding.errata.is_empty() {
            let _ = writeln!(text, "   so does the other reading of: {}", finding.errata.join(", "));
        }
        paste(&mut text, &finding.signature, &smallest(finding), called);
    }
    more(&mut text, findings.len());
    text + "\n" + &again(called, settings)
}

/// An instruction of which nothing was answered.
pub(super) fn silent(unit: &UnitPart, called: Called<'_>, settings: Settings) -> String {
    let target = unit.target.as_deref().unwrap_or(called.make);
    let mut text = format!(
        "{target} implements {} and refused all of {} that the pages promise, so nothing was shown\n",
        unit.instruction,
        counted(unit.refusals, "case")
    );
    for rule in unit.observed.iter().flat_map(|observed| &observed.rules).take(MOST_RULES) {
        let reason = rule.reason.as_ref().map_or(String::new(), |reason| format!(", \"{reason}\""));
        let _ = writeln!(text, "   refused if {}{reason}", rule.when);
    }
    text + &again(called, settings)
}

/// The lines of the pages that differences are held against.
pub(super) fn citations(text: &mut String, citations: &[CitationPart]) {
    for citation in citations {
        let (page, place, reason) = (&citation.page, &citation.place, &citation.reason);
        let _ = writeln!(text, "   page {} at {}, {place}: {reason}", page.title, page.short_commit());
    }
}

/// That there are more findings than are told.
pub(super) fn more(text: &mut String, findings: usize) {
    if findings > MOST_FINDINGS {
        let _ = writeln!(text, "\nand {}", counted((findings - MOST_FINDINGS) as u64, "more finding"));
    }
}

pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How much was asked for.
fn asked(report: &Report, settings: Settings) -> String {
    match settings.amount {
        Amount::Cases(_) => format!("{}, seed {}", counted(report.result.cases, "case"), settings.seed),
        Amount::Time(time) => format!("{} s, seed {}", time.as_secs_f64(), settings.seed),
    }
}

/// The command that runs the same test again.
pub(super) fn again(called: Called<'_>, settings: Settings) -> String {
    // A crate's tests are named without the crate.
    let test = called.test.split_once("::").map_or(called.test, |(_, test)| test);
    format!("again: {settings} cargo test -- --exact {test}")
}

/// The smallest case, or the first one if it has no smaller one, behind those that it has to come after; nothing if no case
/// shows it.
fn smallest(finding: &FindingPart) -> Vec<&CaseText> {
    let case = match (&finding.minimized, &finding.stored) {
        (Some(smallest), _) => &smallest.case,
        (None, Some(stored)) if finding.shows => stored,
        (None, _) => return Vec::new(),
    };
    finding.after.iter().chain([case]).collect()
}

/// Cases that show something together, as a test.
pub(super) fn paste(text: &mut String, signature: &SignaturePart, all: &[&CaseText], called: Called<'_>) {
    let size: usize = all.iter().map(|case| case.fields.len() + case.words.len()).sum();
    if all.is_empty() || size > MOST_PASTED {
        text.push_str("   no small case shows it alone: run the test again\n");
        return;
    }
    let all: Vec<String> = all.iter().map(|case| case.to_string()).collect();
    let _ = writeln!(text, "   as a test of its own:");
    for line in test(signature, &all, called.make) {
        let _ = writeln!(text, "     {line}");
    }
}

/// A test of some cases that run one directly after the other.
fn test(signature: &SignaturePart, cases: &[String], make: &str) -> Vec<String> {
    let mut lines = vec!["#[test]".to_string(), format!("fn {}() {{", name(signature))];
    let line = format!("    tandem::replays(\"{}\", {make});", cases.join("; "));
    if line.len() <= WIDTH {
        lines.push(line);
    } else {
        lines.push("    tandem::replays(".to_string());
        let mut begin = "        \"".to_string();
        for (place, case) in cases.iter().enumerate() {
            let mut line = begin;
            for part in case.split(' ') {
                if line.len() + part.len() >= WIDTH {
                    lines.push(std::mem::replace(&mut line, " ".repeat(9)));
                }
                let space = if line.ends_with([' ', '"']) { "" } else { " " };
                line.push_str(space);
                line.push_str(part);
            }
            line.push_str(if place + 1 < cases.len() { ";" } else { "\"," });
            lines.push(line);
            begin = " ".repeat(9);
        }
        lines.push(format!("        {make},"));
        lines.push("    );".to_string());
    }
    lines.push("}".to_string());
    lines
}

/// A name for the test of a finding: `tensix_wh_mova2d_dst_bits_value`.
fn name(signature: &SignaturePart) -> String {
    let SignaturePart { instruction, target: _, place, kind } = signature;
    let mut name = String::new();
    let mut lower = false;
    for letter in [&**instruction, place, kind].join(" ").chars() {
        let is_part = letter.is_ascii_alphanumeric();
        if (!is_part || (letter.is_ascii_uppercase() && lower)) && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if is_part {
            name.push(letter.to_ascii_lowercase());
        }
        lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    name.trim_end_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(place: &str, kind: &str) -> SignaturePart {
        let [instruction, target, place, kind] =
            ["tensix-wh/mova2d", "mine", place, kind].map(|text: &str| text.to_string());
        SignaturePart { instruction, target, place, kind }
    }

    #[test]
    fn a_finding_has_a_name_that_rust_takes() {
        for (place, kind, wanted) in [
            ("DstBits", "value", "tensix_wh_mova2d_dst_bits_value"),
            ("RWCs.Dst", "counter", "tensix_wh_mova2d_rwcs_dst_counter"),
            ("-", "order-dependent", "tensix_wh_mova2d_order_dependent"),
            ("ALU_Zero_Flag", "malformed answer", "tensix_wh_mova2d_alu_zero_flag_malformed_answer"),
        ] {
            assert_eq!(name(&signature(place, kind)), wanted);
        }
    }

    #[test]
    fn a_short_case_is_a_line_and_a_long_one_is_broken_between_its_parts() {
        let of = |cases: &[&str]| {
            let cases: Vec<String> = cases.iter().map(|case| (*case).to_string()).collect();
            test(&signature("DstBits", "value"), &cases, "mine::new").join("\n")
        };
        assert_eq!(
            of(&["tensix-wh/mova2d newest 0x12000000"]),
            "#[test]\nfn tensix_wh_mova2d_dst_bits_value() {\n    \
             tandem::replays(\"tensix-wh/mova2d newest 0x12000000\", mine::new);\n}"
        );
        let words: Vec<String> = (10..30).map(|column| format!("SrcA[0][12][{column}]=0x12345")).collect();
        let long = format!("tensix-wh/mova2d newest 0x12000000 {}", words.join(" "));
        let text = of(&[&long, "tensix-wh/mova2d newest 0x12000001"]);
        assert!(text.lines().all(|line| line.len() <= WIDTH + 2), "{text}");
        let literal = text.split('"').nth(1).expect("there is a literal");
        let parts: Vec<&str> = literal.split_whitespace().collect();
        assert_eq!(parts.join(" "), format!("{long}; tensix-wh/mova2d newest 0x12000001"));
    }
}
