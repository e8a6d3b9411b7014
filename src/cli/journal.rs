//! The journal of a wide exhaustive run: one line for each chunk that is done, so that a run that was ended, however it
//! was ended, can be taken up again and nothing is lost or counted twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_harness::report::model::{BitPart, SignaturePart};
use tandem_harness::{Chunk, GENERATOR_VERSION};
use tandem_isa::{Edition, Instruction};

use super::{CliError, files};

/// What a line is about: it is taken up only by a run of the same.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct About {
    tandem: String,
    generator: u8,
    targets: Vec<String>,
    instruction: String,
    edition: Edition,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Line {
    about: About,
    cell: u32,
    chunk: u32,
    #[serde(flatten)]
    entry: Entry,
}

/// What a chunk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub values: u64,
    pub cases: u64,
    #[serde(default)]
    pub refused: u64,
    pub cited: bool,
    /// What was met, by signature.
    pub findings: BTreeMap<String, Met>,
}

/// A finding, as far as it was met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Met {
    /// How many cases.
    pub count: u64,
    /// The file that has the first one.
    pub file: Option<String>,
    /// The signature and the bits, by which it may be known.
    pub what: Option<(SignaturePart, Vec<BitPart>)>,
}

/// A journal, open for more.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// What a line must say to be about this run.
    about: About,
    /// What was done before.
    pub done: BTreeMap<Chunk, Entry>,
}

impl Journal {
    /// Opens the journal at `path`, and reads what it says about this instruction, edition and these targets.
    ///
    /// # Errors
    /// If the file cannot be read or written, or has a line, other than an unfinished last one, that is no entry.
    pub(super) fn open(
        path: &Path,
        (instruction, edition): (&Instruction, Edition),
        targets: &[String],
    ) -> Result<Self, CliError> {
        let io = || CliError::io(path);
        files::make_room(path)?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io())?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io())?;
        let about = About {
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            generator: GENERATOR_VERSION,
            targets: targets.to_vec(),
            instruction: instruction.path(),
            edition,
        };
        let mut done = BTreeMap::new();
        // A last line without its end was being written when the run was ended: its chunk is run again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate() {
            let line: Line = serde_json::from_str(line).map_err(|error| {
                CliError::Usage(format!(
                    "{}, line {}: this is no entry of a journal ({error}); delete the line to run its chunk again, or the \
                     file to begin anew",
                    path.display(),
                    number + 1
                ))
            })?;
            if line.about == about {
                done.insert(Chunk { cell: line.cell, number: line.chunk }, line.entry);
            }
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(io())?;
        }
        Ok(Journal { path: path.to_path_buf(), file, about, done })
    }

    /// Adds a line.
    pub(super) fn add(&mut self, chunk: Chunk, entry: &Entry) -> Result<(), CliError> {
        let (about, entry) = (self.about.clone(), entry.clone());
        let line = Line { about, cell: chunk.cell, chunk: chunk.number, entry };
        let line = serde_json::to_string(&line).expect("an entry serializes");
        // One write of one line, so that a line is there or not.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(CliError::io(&self.path))
    }
}
