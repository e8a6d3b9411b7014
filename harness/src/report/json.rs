//! JSON: the model as it is, indented, with keys in the order of the model.

use serde::de::Error;
use serde_json::Value;

use super::model::{Report, ResultPart};
use crate::vectors::visible_lines;

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

/// The largest number of a report: seeds are smaller, and no run comes to as many cases.
const MOST: u64 = 1 << 48;
/// What all its numbers come to at most, so that no sum of some of them is too large.
const MOST_OF_ALL: u64 = 1 << 62;

/// Reads a report back, for example to render it once more. What it says may be wrong, but whoever renders it has no more to do
/// than its size asks for: no number in it is larger than a count can be, and no bit lies outside of a word.
///
/// # Errors
/// The text is not a report of this version.
pub fn parse(text: &str) -> Result<Report, serde_json::Error> {
    check_counts(&serde_json::from_str(text)?, &mut 0)?;
    serde_json::from_str(text)
}

/// Checks that all numbers of a value are counts; `sum` is what they came to so far.
fn check_counts(value: &Value, sum: &mut u64) -> Result<(), serde_json::Error> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        Value::Number(number) => match number.as_u64() {
            Some(count) => {
                *sum = sum.saturating_add(count);
                let is_count = count <= MOST && *sum <= MOST_OF_ALL;
                is_count.then_some(()).ok_or_else(|| Error::custom(format!("no run counts as far as to {count}")))
            }
            None if number.is_i64() => Err(Error::custom(format!("no count is negative, as {number} is"))),
            None => Ok(()),
        },
        Value::Array(list) => list.iter().try_for_each(|one| check_counts(one, sum)),
        Value::Object(map) => map.values().try_for_each(|one| check_counts(one, sum)),
    }
}

fn text(value: &impl serde::Serialize) -> String {
    // JSON itself leaves marks of direction and some controls as they are, and a report is looked at on terminals.
    let mut text = visible_lines(&serde_json::to_string_pretty(value).expect("reports serialize"));
    text.push('\n');
    text
}
