//! A record: what a machine answered in both runs of a challenge, and facts about the machine.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use tandem_harness::vectors::{RecordedAnswer, VectorError, read_bytes, result_of, sha256};

use super::ask::{AskedTest, Challenge};
use super::tree::{leaf, root};
use super::{MOST_BYTES, lines, read_json, refuse, refuse_line};

/// What a record begins with.
const SCHEMA: &str = "urn:tandem:record:1";
/// The record itself.
pub const RECORD_FILE: &str = "record.json";
/// The raw answers of each run, beside it.
pub const ANSWER_FILES: [&str; 2] = ["run-1.answers.jsonl", "run-2.answers.jsonl"];
/// What to do with a record that is refused.
const NEXT: &str = "get the record again from whoever made it, or make it with `tandem challenge record`";

/// The answers of both runs: of each the name of its file, for messages, and its bytes.
pub type Runs = [(String, Vec<u8>); 2];

/// The names of the facts.
const FACTS: [&str; 8] = ["operator", "board", "chip", "revision", "firmware", "clock", "tools", "command"];

/// Facts about the machine, in the words of whoever ran it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Who ran it.
    pub operator: String,
    /// Which board, for example its serial number.
    pub board: String,
    /// Which chip.
    pub chip: String,
    /// Which revision of it.
    pub revision: String,
    /// Which firmware.
    pub firmware: String,
    /// At which clock.
    pub clock: String,
    /// Drivers and tools, with their versions.
    pub tools: String,
    /// The command that ran the tests.
    pub command: String,
}

impl Facts {
    /// Each fact by its name.
    fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let Facts { operator, board, chip, revision, firmware, clock, tools, command } = self;
        let texts = [operator, board, chip, revision, firmware, clock, tools, command];
        FACTS.into_iter().zip(texts.map(String::as_str))
    }
}

/// The hash tree over the answers of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    root: String,
    /// One for each line.
    leaves: Vec<String>,
}

impl Tree {
    fn of(bytes: &[u8]) -> Self {
        let leaves: Vec<String> = lines(bytes).into_iter().map(leaf).collect();
        Tree { root: root(&leaves), leaves }
    }
}

/// What a machine answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    schema: String,
    /// The hash of the record with this member empty.
    digest: String,
    /// The version that made it.
    tandem: String,
    /// The digest of the challenge.
    pub challenge: String,
    /// The machine.
    pub facts: Facts,
    runs: [Tree; 2],
}

impl Record {
    /// The record of answers to a challenge.
    ///
    /// # Errors
    /// The first line that is no answer to the test at its place, or the first fact that is empty.
    pub fn of(challenge: &Challenge, facts: Facts, runs: &Runs) -> Result<Self, VectorError> {
        if let Some((name, _)) = facts.named().find(|(_, text)| text.trim().is_empty()) {
            return Err(refuse(RECORD_FILE, format!("/facts/{name}"), "it is empty; say 'none' if there is none"));
        }
        for ((name, bytes), asked) in runs.iter().zip(&challenge.runs) {
            Answers::read(name, bytes, asked)?;
        }
        let (schema, tandem) = (SCHEMA.to_string(), env!("CARGO_PKG_VERSION").to_string());
        let runs = runs.each_ref().map(|(_, bytes)| Tree::of(bytes));
        let digest = String::new();
        let mut record = Record { schema, digest, tandem, challenge: challenge.digest.clone(), facts, runs };
        record.digest = sha256(&record.to_text());
        Ok(record)
    }

    /// The hash of all of it.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The roots of its hash trees.
    #[must_use]
    pub fn roots(&self) -> [&str; 2] {
        self.runs.each_ref().map(|run| &*run.root)
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{}\n", serde_json::to_string_pretty(self).expect("a record serializes"))
    }

    /// Reads the file of a record, without its answers.
    ///
    /// # Errors
    /// That it is none or was changed, where, and what to do.
    pub fn read_file(path: &Path) -> Result<Self, VectorError> {
        let file = path.display().to_string();
        let refuse = |place: &str, message: String| refuse(&file, place, format!("{message}; {NEXT}"));
        let (record, _): (Record, _) = read_json(path, NEXT)?;
        if record.schema != SCHEMA {
            return Err(refuse("/schema", format!("it is not '{SCHEMA}'")));
        }
        let digest = sha256(&Record { digest: String::new(), ..record.clone() }.to_text());
        if digest != record.digest {
            let found = &record.digest;
            return Err(refuse("/digest", format!("it is {found}, the content has {digest}: something was changed")));
        }
        for (number, run) in record.runs.iter().enumerate() {
            if root(&run.leaves) != run.root {
                return Err(refuse(&format!("/runs/{number}/root"), "it is not the root of the leaves".to_string()));
            }
        }
        Ok(record)
    }

    /// Reads the folder of a record, and holds the answers against its hash trees.
    ///
    /// # Errors
    /// What was changed since it was made, down to the line, and what to do.
    pub fn read(folder: &Path) -> Result<(Self, Runs), VectorError> {
        let record = Self::read_file(&folder.join(RECORD_FILE))?;
        let read = |number: usize| -> Result<(String, Vec<u8>), VectorError> {
            let path = folder.join(ANSWER_FILES[number]);
            let name = path.display().to_string();
            let bytes = read_bytes(&path, &name, MOST_BYTES)?;
            let (leaves, lines) = (&record.runs[number].leaves, lines(&bytes));
            let changed = lines.iter().zip(leaves).position(|(line, known)| leaf(line) != *known);
            if let Some(line) = changed {
                let message = format!("it is not what was recorded: leaf {line} of /runs/{number} differs; {NEXT}");
                return Err(refuse_line(&name, line + 1, message));
            }
            if lines.len() != leaves.len() {
                let message = format!("there are {} lines, and {} were recorded; {NEXT}", lines.len(), leaves.len());
                return Err(refuse_line(&name, lines.len().min(leaves.len()) + 1, message));
            }
            Ok((name, bytes))
        };
        let runs = [read(0)?, read(1)?];
        Ok((record, runs))
    }
}

/// The answers of one run, in its order.
#[derive(Clone, Debug)]
pub struct Answers {
    pub(super) answered: Vec<RecordedAnswer>,
    /// What lines say of the machine themselves: line, name and text.
    facts: Vec<(usize, &'static str, String)>,
}

impl Answers {
    /// Reads answers: a line for each test of the run, in its order.
    ///
    /// # Errors
    /// The first line that is no answer to the test at its place, and what to do.
    pub fn read(name: &str, bytes: &[u8], asked: &[AskedTest]) -> Result<Self, VectorError> {
        let mut answers = Answers { answered: Vec::new(), facts: Vec::new() };
        let lines = lines(bytes);
        for (number, (line, asked)) in lines.iter().zip(asked).enumerate() {
            let refuse = |message: String| {
                refuse_line(name, number + 1, format!("{message}; answer the tests of this run anew, in their order"))
            };
            let line: Value = serde_json::from_slice(line).map_err(|error| refuse(error.to_string()))?;
            let id = line["id"].as_str().unwrap_or_default();
            if id != asked.id {
                return Err(refuse(format!("it answers '{id}', and this run asks '{}' here", asked.id)));
            }
            let mut answered = result_of(&line, (asked.isa, 1)).map_err(refuse)?;
            answered.after.drop_unchanged(asked.isa, &asked.test.before);
            answers.answered.push(answered);
            answers.facts.extend(facts_of(&line).map(|(fact, text)| (number + 1, fact, text)));
        }
        if lines.len() != asked.len() {
            let (has, asks, at) = (lines.len(), asked.len(), lines.len().min(asked.len()) + 1);
            let message = format!("there are {has} answers, and the run asks {asks} tests; answer all, and no others");
            return Err(refuse_line(name, at, message));
        }
        Ok(answers)
    }

    /// The first line that says something else of the machine than the record does.
    pub(super) fn differing_fact(&self, facts: &Facts) -> Option<String> {
        let known = |wanted: &str| facts.named().find(|(name, _)| *name == wanted).map_or("", |(_, text)| text);
        let (line, fact, text) = self.facts.iter().find(|(_, fact, text)| known(fact) != text)?;
        let said = known(fact);
        Some(format!("line {line} says {fact} '{text}', and the record says '{said}'"))
    }
}

/// What a line says of the machine, under the names of facts.
fn facts_of(line: &Value) -> impl Iterator<Item = (&'static str, String)> {
    FACTS.into_iter().filter_map(|name| Some((name, line.get(name)?.as_str()?.to_string())))
}
