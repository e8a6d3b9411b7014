//! The journal of a wide exhaustive run: one line for each chunk that is done, so that a run that was ended, however it
//! was ended, can be taken up again and nothing is lost or counted twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_harness::report::model::{BitPart, SignaturePart};
use tandem_harness::{Chunk, ExhaustCell, GENERATOR_VERSION};
use tandem_isa::{Edition, Instruction};

use super::sealed::digest;
use super::{CliError, files};

/// How a line begins: with the digest of the rest of it.
const DIGEST: &str = "{\"digest\":\"";

/// What a line is about: it is taken up only by a run of the same.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct About {
    tandem: String,
    generator: u8,
    targets: Vec<String>,
    instruction: String,
    edition: Edition,
    /// Digest of everything else that decides a result: sources, the files of targets, models and claims.
    #[serde(default)]
    run: String,
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
    #[serde(flatten)]
    pub seen: ExhaustCell,
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

impl Line {
    fn text(&self) -> String {
        let held = serde_json::to_string(self).expect("an entry serializes");
        format!("{DIGEST}{}\",{}\n", digest(held.as_bytes()), &held[1..])
    }

    /// A line of a journal; nothing if an earlier build wrote it, which knew no digest.
    fn read(line: &str) -> Result<Option<Self>, String> {
        let read = |text: &str| serde_json::from_str::<Line>(text).map_err(|error| error.to_string());
        let Some((own, held)) = line.strip_prefix(DIGEST).and_then(|rest| rest.split_once("\",")) else {
            return read(line).map(|_| None);
        };
        let held = format!("{{{held}");
        if digest(held.as_bytes()) == own { read(&held).map(Some) } else { Err("it was changed".to_string()) }
    }
}

impl Journal {
    /// Opens the journal at `path`, and reads what it says about this instruction, edition and these targets. `run` is the
    /// digest of everything else that decides a result.
    ///
    /// # Errors
    /// If the file cannot be read or written, or has a line, other than an unfinished last one, that is no entry.
    pub(super) fn open(
        path: &Path,
        (instruction, edition): (&Instruction, Edition),
        (targets, run): (&[String], &str),
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
            run: run.to_string(),
        };
        let mut others = 0;
        let mut done = BTreeMap::new();
        // A last line without its end was being written when the run was ended: its chunk is run again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate() {
            let line = Line::read(line).map_err(|error| {
                CliError::Usage(format!(
                    "{}, line {}: this is no entry of a journal ({error}); delete the line to run its chunk again, or the \
                     file to begin anew",
                    path.display(),
                    number + 1
                ))
            })?;
            let is_of_the_unit =
                |line: &Line| line.about.instruction == about.instruction && line.about.edition == edition;
            match line {
                Some(line) if line.about == about => {
                    done.insert(Chunk { cell: line.cell, number: line.chunk }, line.entry);
                }
                Some(line) if !is_of_the_unit(&line) => {}
                _ => others += 1,
            }
        }
        if others > 0 {
            noteln!(
                "tandem: {}: {others} chunks were done by another build, or with other targets or options: they count for \
                 nothing here",
                path.display()
            );
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
        // One write of one line, so that a line is there or not.
        self.file.write_all(line.text().as_bytes()).map_err(CliError::io(&self.path))
    }
}
