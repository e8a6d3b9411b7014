//! Import: recordings of other implementations, turned into our files of vectors.
//!
//! A recording has one JSON object a line. Whose it is shows in the members of its first line: of the simulator
//! ttsim (`ttsim.rs`), or of the emulation cm-cpu-emulation (`cm_cpu_emulation.rs`). A third one is a `Witness` more.
//!
//! [`read_recording`] reads a recording and asks nobody; [`Recording::compare`] asks the reference. Each line is a test,
//! is compared alone, or is left out for a reason: the [`Account`] has which.

mod account;
mod cm_cpu_emulation;
mod compare;
mod covering;
mod line;
#[cfg(test)]
mod tests;
mod ttsim;
mod witness;

use tandem_harness::Suite;
use tandem_harness::vectors::{Test, no_state, parse_strict};
use tandem_isa::{Instruction, Isa};

pub use account::{Account, LeftOut};
pub use compare::{Disagreement, Imported, describe};
pub use covering::{COVERING, covering};

use line::Line;
use witness::Witness;

/// Why a recording cannot be imported. Each message names the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line is not JSON.
    #[error("{file}: line {line}: not JSON ({message}); restore the recording from its source")]
    Syntax {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// A line says something that is impossible, or is of nothing that this build has.
    #[error("{file}: line {line}: place {place}: {message}; src/import/ says what is understood")]
    Value {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// JSON pointer in the line.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// There is nothing in it to compare.
    #[error("{file}: line 1: no line can be compared; `tandem vectors import --account` says why, of each")]
    Empty {
        /// The recording.
        file: String,
    },
}

/// A recording that was read, and not yet compared.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Its name, for messages.
    pub file: String,
    /// Whose it is.
    witness: &'static Witness,
    /// The instruction set.
    pub isa: &'static Isa,
    /// The one instruction of which it has lines.
    pub instruction: &'static Instruction,
    /// The executed and the stalled lines, each with its number from 1. They hold in no edition yet.
    pub tests: Vec<(usize, Test)>,
    /// Of each of these, the fields of the configuration of which the line says nothing, by their places in the layout.
    unlisted: Vec<Vec<usize>>,
    /// What came of each line.
    pub account: Account,
}

/// Reads a recording. `file` names it in messages.
///
/// # Errors
/// See [`ImportError`]. A line that says something impossible refuses the recording; a field that is not known costs its line.
pub fn read_recording(file: &str, jsonl: &str, suite: &Suite) -> Result<Recording, ImportError> {
    let mut found: Option<(&'static Witness, &'static Isa, &'static Instruction)> = None;
    let (mut tests, mut unlisted, mut account) = (Vec::new(), Vec::new(), Account::default());
    for (number, text) in (1..).zip(jsonl.lines()) {
        account.lines += 1;
        if text.trim().is_empty() {
            account.leave_out(number, LeftOut::Blank);
            continue;
        }
        let line = Line { file, line: number };
        let value = parse_strict(text).map_err(|error| ImportError::Syntax {
            file: file.to_string(),
            line: number,
            message: error.to_string(),
        })?;
        let members = line.object(Some(&value), "/")?;
        let witness = match found {
            Some((witness, ..)) => witness,
            None => Witness::of(&line, members)?,
        };
        let record = (witness.record)(&line, members, suite)?;
        let (.., instruction) = *found.get_or_insert((witness, record.suite.isa, record.instruction));
        if !std::ptr::eq(instruction, record.instruction) {
            return Err(line.wrong("/instr", "one recording holds one instruction of one instruction set").into());
        }
        *account.outcomes.entry(record.recorded).or_default() += 1;
        match record.test {
            Ok(test) => {
                if !no_state(record.suite.isa, &test.before).is_empty() {
                    account.compared.push(number);
                }
                tests.push((number, test));
                unlisted.push(record.unlisted);
            }
            Err(reason) => account.leave_out(number, reason),
        }
    }
    let (witness, isa, instruction) = found.ok_or_else(|| ImportError::Empty { file: file.to_string() })?;
    Ok(Recording { file: file.to_string(), witness, isa, instruction, tests, unlisted, account })
}

/// Imports a recording: reads it, and compares it with the reference of `suite`.
///
/// # Errors
/// See [`ImportError`].
pub fn import_recording(file: &str, jsonl: &str, suite: &Suite) -> Result<Imported, ImportError> {
    let recording = read_recording(file, jsonl, suite)?;
    let isa = suite.isa(recording.isa.name).expect("the recording was read with the suite");
    recording.compare(isa)
}
