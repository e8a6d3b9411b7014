//! What is wrong with a policy.

/// A text that is no policy: where, why, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{place}: {what}; {next}", place = if *line == 0 { String::new() } else { format!(":{line}") })]
pub struct PolicyError {
    /// The file.
    pub file: String,
    /// The line, from 1 on; 0 if it is about the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub next: String,
}

impl PolicyError {
    pub(super) fn new(file: &str, line: usize, what: impl Into<String>, next: impl Into<String>) -> Self {
        PolicyError { file: file.to_string(), line, what: what.into(), next: next.into() }
    }
}
