//! Recordings from others: a challenge goes out, a record of its answers comes back, and records are collected.
//!
//! A [`Challenge`] is a list of tests without their answers, drawn from a nonce, in two orders. [`Record`] is what somebody's machine
//! answered in both, with facts about the machine and a hash tree over the answers. [`check`] says what speaks against a record,
//! and a [`Collection`] keeps what was answered, by test. docs/recordings.md has the formats and what no check excludes.
//!
//! Tests are the same if their [content](AskedTest::content) is: instruction, code words and state before. An id is of one place of
//! one run of one challenge.

mod ask;
mod check;
mod collect;
mod draw;
mod record;
mod tree;

use std::path::Path;

use serde::de::DeserializeOwned;

pub use ask::{AskedTest, Challenge, HEAD_FILE, Head, RUN_FILES, RunHead};
pub use check::{Checked, Flag, FlagKind, Places, check};
pub use collect::{COLLECTION_FILE, Collection, Grades, RECORDS};
pub use draw::{DrawnChallenge, draw};
pub use record::{ANSWER_FILES, Answers, Facts, RECORD_FILE, Record, Runs};

use tandem_harness::vectors::{VectorError, read_bytes};

/// The most bytes of a file that are read.
const MOST_BYTES: u64 = 512 << 20;

/// That a file is refused.
fn refuse(file: &str, place: impl Into<String>, message: impl Into<String>) -> VectorError {
    VectorError::Recording { file: file.to_string(), place: place.into(), message: message.into() }
}

/// The same of a line, counted from 1.
fn refuse_line(file: &str, line: usize, message: impl Into<String>) -> VectorError {
    refuse(file, format!("line {line}"), message)
}

/// Reads a file of one JSON object.
fn read_json<T: DeserializeOwned>(path: &Path, next: &str) -> Result<(T, Vec<u8>), VectorError> {
    let file = path.display().to_string();
    let bytes = read_bytes(path, &file, MOST_BYTES)?;
    let value = serde_json::from_slice(&bytes).map_err(|error| {
        refuse(&file, format!("line {} column {}", error.line(), error.column()), format!("{error}; {next}"))
    })?;
    Ok((value, bytes))
}

/// The lines of a file, without what ends them.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}
