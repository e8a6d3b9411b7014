//! The journal of a wide exhaustive run: one line for each chunk that is done, so that a run that was ended, however it
//! was ended, can be taken up again and nothing is lost or counted twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tandem_harness::report::model::{BitPart, SignaturePart};
use tandem_harness::{Chunk, GENERATOR_VERSION};
use tandem_isa::{Edition, Instruction};

use super::CliError;

/// What a chunk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub values: u64,
    pub cases: u64,
    pub refused: u64,
    pub cited: bool,
    /// What was met, by signature.
    pub findings: BTreeMap<String, Met>,
}

/// A finding, as far as it was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// How many cases.
    pub count: u64,
    /// The file that has the first one.
    pub file: Option<String>,
    /// The signature and the bits, by which it may be known. A line of an older journal has none.
    pub what: Option<(SignaturePart, Vec<BitPart>)>,
}

/// A journal, open for more.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// What a line must say to be about this run: version, generator, targets, instruction and edition.
    about: Value,
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
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(CliError::io(parent))?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io())?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io())?;
        let about = json!({
            "tandem": env!("CARGO_PKG_VERSION"), "generator": GENERATOR_VERSION, "targets": targets,
            "instruction": instruction.path(), "edition": edition.name(),
        });
        let mut done = BTreeMap::new();
        // A last line without its end was being written when the run was ended: its chunk is run again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate() {
            let entry = serde_json::from_str(line).ok().and_then(|line: Value| entry_of(&line, &about));
            match entry {
                Some(Some((chunk, entry))) => {
                    done.insert(chunk, entry);
                }
                Some(None) => {}
                None => {
                    return Err(CliError::Usage(format!(
                        "{}, line {}: this is no entry of a journal; delete the line to run its chunk again, or the file \
                         to begin anew",
                        path.display(),
                        number + 1
                    )));
                }
            }
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(io())?;
        }
        Ok(Journal { path: path.to_path_buf(), file, about, done })
    }

    /// Adds a line.
    pub(super) fn add(&mut self, chunk: Chunk, entry: &Entry) -> Result<(), CliError> {
        let findings: Vec<Value> = entry
            .findings
            .iter()
            .map(|(signature, Met { count, file, what })| {
                let (of, bits) = what.as_ref().map(|(of, bits)| (of, bits)).unzip();
                json!({ "signature": signature, "count": count, "file": file, "of": of, "bits": bits })
            })
            .collect();
        let line = json!({
            "about": self.about, "cell": chunk.cell, "chunk": chunk.number, "values": entry.values,
            "cases": entry.cases, "refused": entry.refused, "cited": entry.cited, "findings": findings,
        });
        // One write of one line, so that a line is there or not.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(CliError::io(&self.path))
    }
}

/// What a line says: nothing if it is no entry, and no chunk if it is about something else.
fn entry_of(line: &Value, about: &Value) -> Option<Option<(Chunk, Entry)>> {
    let number = |key: &str| line[key].as_u64();
    let narrow = |key: &str| u32::try_from(number(key)?).ok();
    let chunk = Chunk { cell: narrow("cell")?, number: narrow("chunk")? };
    let mut entry = Entry {
        values: number("values")?,
        cases: number("cases")?,
        refused: line["refused"].as_u64().unwrap_or(0),
        cited: line["cited"].as_bool()?,
        ..Entry::default()
    };
    for finding in line["findings"].as_array()? {
        let file = finding["file"].as_str().map(str::to_string);
        let of = serde_json::from_value(finding["of"].clone()).ok()?;
        let bits: Option<Vec<BitPart>> = serde_json::from_value(finding["bits"].clone()).ok()?;
        let met = Met { count: finding["count"].as_u64()?, file, what: Option::zip(of, bits) };
        entry.findings.insert(finding["signature"].as_str()?.to_string(), met);
    }
    Some((line["about"] == *about).then_some((chunk, entry)))
}
