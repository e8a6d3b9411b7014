//! JSON: the model as it is, indented, with keys in the order of the model.

use super::model::{Report, ResultPart};

/// The whole report, with a newline at its end.
#[must_use]
pub fn report(report: &Report) -> String {
    text(report)
}

/// Its result alone: the same bytes for any number of threads, on any machine.
#[must_use]
pub fn result(result: &ResultPart) -> String {
    text(result)
}

/// Reads a report back, for example to render it once more.
///
/// # Errors
/// The text is not a report of this version.
pub fn parse(text: &str) -> Result<Report, serde_json::Error> {
    serde_json::from_str(text)
}

fn text(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("reports serialize");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use crate::report::sample;

    #[test]
    fn a_report_reads_back_and_has_the_promised_keys() {
        let report = sample::report();
        let text = super::report(&report);
        assert_eq!(super::parse(&text).expect("it was written by us"), report);
        let mut from = 0;
        for key in ["result", "cells", "green", "blocked", "cited", "holes", "cases", "datums", "findings", "run"] {
            let at = text[from..].find(&format!("\"{key}\":"));
            from += at.unwrap_or_else(|| panic!("{key} is missing or out of order"));
        }
        assert!(text[from..].contains("\"levels_not_run\":"));
        assert!(text.starts_with("{\n  \"result\": {\n    \"cells\": "));
    }
}
