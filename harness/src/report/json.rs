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
