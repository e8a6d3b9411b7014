//! What was answered, by test: duplicates found by content, conflicts kept, and how many boards and operators saw each answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tandem_harness::vectors::{RecordedAnswer, VectorError, read_bytes, result_of};
use tandem_isa::Isa;

use super::ask::AskedTest;
use super::check::{Checked, Flag, FlagKind, Tested};
use super::record::Record;
use super::{MOST_BYTES, RECORD_FILE, lines, refuse_line};

/// The collection, a line for each test.
pub const COLLECTION_FILE: &str = "recordings.jsonl";
/// The folder beside it that has the records themselves, each in a folder named by its digest.
pub const RECORDS: &str = "records";
/// Hexadecimal digits of a digest by which a record is called.
const NAME_DIGITS: usize = 16;
/// What to do with a collection that is refused.
const NEXT: &str = "restore it, or collect the records under records/ anew into another folder";

/// A test with all that was answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The hash of the test.
    content: String,
    test: Value,
    /// Whether the pages promise a result.
    promised: bool,
    /// Whether there is more than one answer.
    conflict: bool,
    answers: Vec<GivenAnswer>,
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenAnswer {
    outcome: String,
    small: Map<String, Value>,
    rows: Vec<Value>,
    /// Whether it is what the reference does; nothing where the pages promise nothing.
    reference: Option<bool>,
    /// How many boards gave it, by records without a flag.
    boards: usize,
    /// How many operators.
    operators: usize,
    by: Vec<By>,
}

/// Who saw an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct By {
    record: String,
    operator: String,
    board: String,
    /// What speaks against the record.
    flags: Vec<String>,
}

impl GivenAnswer {
    fn new(isa: &Isa, answered: &RecordedAnswer, promised: Option<&RecordedAnswer>) -> Self {
        let (small, rows) = answered.after.named(isa);
        let (outcome, reference) = (answered.answer.name().to_string(), promised.map(|promised| promised == answered));
        GivenAnswer { outcome, small, rows, reference, boards: 0, operators: 0, by: Vec::new() }
    }

    fn is(&self, other: &GivenAnswer) -> bool {
        (&self.outcome, &self.small, &self.rows) == (&other.outcome, &other.small, &other.rows)
    }

    /// Grades it anew.
    fn add(&mut self, by: By) {
        self.by.push(by);
        let sound = || self.by.iter().filter(|by| by.flags.is_empty());
        self.boards = sound().map(|by| (&by.operator, &by.board)).collect::<BTreeSet<_>>().len();
        self.operators = sound().map(|by| &by.operator).collect::<BTreeSet<_>>().len();
    }
}

/// How many answers were seen by so many boards and operators.
pub type Grades = BTreeMap<(usize, usize), usize>;

/// What was collected so far.
#[derive(Debug, Default)]
pub struct Collection {
    entries: BTreeMap<String, Entry>,
    /// The records, by the names of their folders.
    records: BTreeMap<String, Record>,
}

impl Collection {
    /// Reads what a folder has collected; an empty or missing one has nothing.
    ///
    /// # Errors
    /// The first file that is refused, where, and what to do.
    pub fn read(isas: &[&'static Isa], folder: &Path) -> Result<Self, VectorError> {
        let mut collection = Collection::default();
        let path = folder.join(COLLECTION_FILE);
        if path.exists() {
            let name = path.display().to_string();
            for (number, line) in lines(&read_bytes(&path, &name, MOST_BYTES)?).into_iter().enumerate() {
                let refuse = |message: String| refuse_line(&name, number + 1, format!("{message}; {NEXT}"));
                let entry: Entry = serde_json::from_slice(line).map_err(|error| refuse(error.to_string()))?;
                check_entry(isas, &entry).map_err(refuse)?;
                if collection.entries.insert(entry.content.clone(), entry).is_some() {
                    return Err(refuse("the test stands there already".to_string()));
                }
            }
        }
        let records = folder.join(RECORDS);
        if records.exists() {
            let io = |source| VectorError::Io { file: records.display().to_string(), source };
            for entry in std::fs::read_dir(&records).map_err(io)? {
                let record = Record::read_file(&entry.map_err(io)?.path().join(RECORD_FILE))?;
                collection.records.insert(name_of(&record), record);
            }
        }
        Ok(collection)
    }

    /// Adds a record. A second record with the same answers, byte for byte, is told by a flag if it is of another board.
    /// Returns the name of its folder; nothing if the record or one of the same board with the same answers is there already.
    pub fn add(&mut self, record: &Record, checked: &mut Checked) -> Option<String> {
        let name = name_of(record);
        let known = self.records.iter().find(|(_, known)| known.roots() == record.roots());
        if let Some((other, known)) = known {
            let who = |record: &Record| (record.facts.operator.clone(), record.facts.board.clone());
            if who(known) == who(record) {
                return None;
            }
            let message = format!("record {other} of another board or operator has the same answers, byte for byte");
            checked.flags.push(Flag { kind: FlagKind::Replayed, message });
        }
        let by = By {
            record: name.clone(),
            operator: record.facts.operator.clone(),
            board: record.facts.board.clone(),
            flags: checked.flags.iter().map(|flag| flag.kind.name().to_string()).collect(),
        };
        for (content, tested) in &checked.tests {
            let entry = self.entries.entry(content.clone()).or_insert_with(|| Entry::new(content, tested));
            for answered in &tested.answers {
                let seen = GivenAnswer::new(tested.isa, answered, tested.promised.as_ref());
                let place = entry.answers.iter().position(|known| known.is(&seen)).unwrap_or_else(|| {
                    entry.answers.push(seen);
                    entry.answers.len() - 1
                });
                entry.answers[place].add(by.clone());
            }
            entry.conflict = entry.answers.len() > 1;
        }
        self.records.insert(name.clone(), record.clone());
        Some(name)
    }

    /// Number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was collected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many tests have more than one answer.
    #[must_use]
    pub fn conflicts(&self) -> usize {
        self.entries.values().filter(|entry| entry.conflict).count()
    }

    /// How many answers to promised tests are not the reference's.
    #[must_use]
    pub fn unlike_reference(&self) -> usize {
        self.entries.values().flat_map(|entry| &entry.answers).filter(|seen| seen.reference == Some(false)).count()
    }

    /// How many answers have each grade.
    #[must_use]
    pub fn grades(&self) -> Grades {
        let mut grades = Grades::new();
        for seen in self.entries.values().flat_map(|entry| &entry.answers) {
            *grades.entry((seen.boards, seen.operators)).or_default() += 1;
        }
        grades
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let line = |entry: &Entry| serde_json::to_string(entry).expect("an entry serializes") + "\n";
        self.entries.values().map(line).collect()
    }
}

impl Entry {
    fn new(content: &str, tested: &Tested) -> Self {
        Entry {
            content: content.to_string(),
            test: tested.question.clone(),
            promised: tested.promised.is_some(),
            conflict: false,
            answers: Vec::new(),
        }
    }
}

fn name_of(record: &Record) -> String {
    record.digest().chars().take(NAME_DIGITS).collect()
}

/// Asks that a line is of its test, and that its answers are some.
fn check_entry(isas: &[&'static Isa], entry: &Entry) -> Result<(), String> {
    let AskedTest { content, isa, .. } = AskedTest::of(isas, &entry.test)?;
    if content != entry.content {
        return Err(format!("\"content\" is {}, and the test has {content}", entry.content));
    }
    for seen in &entry.answers {
        result_of(&serde_json::to_value(seen).expect("an answer serializes"), (isa, 1))?;
    }
    Ok(())
}
