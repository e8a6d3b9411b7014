//! A challenge: which tests are asked, in which two orders.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_harness::vectors::{
    Outcome, Results, Sparse, Store, Test, VectorError, base_of, hex, line_of, read_bytes, sha256, sha256_bytes,
    sparse_of,
};
use tandem_isa::{Code, Edition, Instruction, Isa};

use super::record::Answers;
use super::{MOST_BYTES, lines, read_json, refuse, refuse_line};

/// What the head of a challenge begins with.
const SCHEMA: &str = "urn:tandem:challenge:1";
/// The head.
pub const HEAD_FILE: &str = "challenge.json";
/// The tests in the order of each run.
pub const RUN_FILES: [&str; 2] = ["run-1.jsonl", "run-2.jsonl"];
/// What to do with a challenge that is refused.
const NEXT: &str = "restore the folder from the one that drew it, or draw another with `tandem challenge new`";

/// What a challenge is made of. It says nothing about which lines are which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub(super) schema: String,
    /// The version that drew it.
    pub(super) tandem: String,
    /// What everything was drawn from, 32 hexadecimal digits.
    pub nonce: String,
    /// The instructions, each as `<instruction set>/<file name>`.
    pub instructions: Vec<String>,
    /// Different tests for which the pages promise a result.
    pub tests: usize,
    /// How many tests are asked a second time in each run.
    pub repeated: usize,
    /// Different tests for which the pages promise nothing.
    pub unpromised: usize,
    /// The orders.
    pub runs: [RunHead; 2],
}

/// One order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunHead {
    /// The hash of its file.
    pub sha256: String,
    /// Number of lines.
    pub lines: usize,
}

impl Head {
    /// The head of a challenge with these orders.
    pub(super) fn new(
        (nonce, instructions): (&str, Vec<String>),
        [tests, repeated, unpromised]: [usize; 3],
        texts: &[String; 2],
    ) -> Self {
        let runs = texts.each_ref().map(|text| RunHead { sha256: sha256(text), lines: text.lines().count() });
        let (schema, tandem) = (SCHEMA.to_string(), env!("CARGO_PKG_VERSION").to_string());
        Head { schema, tandem, nonce: nonce.to_string(), instructions, tests, repeated, unpromised, runs }
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{}\n", serde_json::to_string_pretty(self).expect("a head serializes"))
    }
}

/// A test, as a line asks it.
#[derive(Clone, Debug)]
pub struct AskedTest {
    /// The id of its place in the run.
    pub id: String,
    /// The hash of what is asked.
    pub content: String,
    /// The instruction set.
    pub isa: &'static Isa,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// What is asked: instruction set, instruction, code words and the state before.
    pub(super) question: Value,
    /// The test, without an answer.
    pub test: Test,
}

impl AskedTest {
    /// Reads a line, or a question alone, which has no id.
    pub(super) fn of(isas: &[&'static Isa], line: &Value) -> Result<Self, String> {
        let name = |key: &str| line[key].as_str().unwrap_or_default();
        let isa = isas.iter().find(|isa| isa.name == name("isa"));
        let isa = *isa.ok_or_else(|| format!("there is no instruction set '{}'", name("isa")))?;
        let instruction = isa.instructions.iter().find(|one| one.file == name("instruction"));
        let instruction = instruction.ok_or_else(|| format!("{} has no '{}'", isa.name, name("instruction")))?;
        let words = line["code"].as_array().map(Vec::as_slice).unwrap_or_default();
        let words: Option<Vec<u32>> = words.iter().map(|word| word.as_u64()?.try_into().ok()).collect();
        let words = words.filter(|words| words.len() == instruction.base_code.len());
        let code = words.ok_or_else(|| format!("\"code\" is not {} words", instruction.base_code.len()))?;
        let test = unanswered(Code::new(&code), sparse_of(line, isa)?);
        let question = question(line);
        let content = sha256(&question.to_string());
        Ok(AskedTest { id: name("id").to_string(), content, isa, instruction, question, test })
    }
}

/// A test of which it is not known what comes of it.
pub(super) fn unanswered(code: Code, before: Sparse) -> Test {
    Test {
        editions: vec![Edition::Newest],
        code,
        then: Vec::new(),
        flags: Vec::new(),
        before,
        outcome: Outcome::Survive,
        recorded: None,
        after: Sparse::default(),
        care: Sparse::default(),
    }
}

/// What a line asks, and nothing else that stands in it.
pub(super) fn question(line: &Value) -> Value {
    let members = ["code", "instruction", "isa", "rows", "small"].map(|key| (key.to_string(), line[key].clone()));
    Value::Object(members.into_iter().collect())
}

/// The hash of what a line asks.
pub(super) fn content(line: &Value) -> String {
    sha256(&question(line).to_string())
}

/// A challenge that was read.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// What it is made of.
    pub head: Head,
    /// The hash of its head, and so of all of it.
    pub digest: String,
    /// The tests in the order of each run.
    pub runs: [Vec<AskedTest>; 2],
}

impl Challenge {
    /// Reads the folder of a challenge.
    ///
    /// # Errors
    /// The first file that is missing or was changed, where, and what to do.
    pub fn read(isas: &[&'static Isa], folder: &Path) -> Result<Self, VectorError> {
        let path = folder.join(HEAD_FILE);
        let (head, bytes): (Head, _) = read_json(&path, NEXT)?;
        if head.schema != SCHEMA {
            let message = format!("\"schema\" is not '{SCHEMA}'; {NEXT}");
            return Err(refuse(&path.display().to_string(), "/schema", message));
        }
        let read = |number: usize| read_run(isas, &folder.join(RUN_FILES[number]), &head.runs[number]);
        let runs = [read(0)?, read(1)?];
        Ok(Challenge { digest: hex(&sha256_bytes(&bytes)), head, runs })
    }

    /// Answers to one of the runs as results for recorded tests, and the ids of all recorded tests that were asked. Of what no
    /// file has, nothing can be judged.
    ///
    /// # Errors
    /// The first line that is no answer to its test, or answers a test otherwise than before.
    pub fn results(&self, name: &str, bytes: &[u8], store: &Store) -> Result<(Results, Vec<String>), VectorError> {
        let of_second = |run: &[AskedTest]| {
            let first = lines(bytes).first().and_then(|line| serde_json::from_slice::<Value>(line).ok());
            first.is_some_and(|line| run.first().is_some_and(|asked| line["id"] == json!(asked.id)))
        };
        let run = &self.runs[usize::from(of_second(&self.runs[1]))];
        let answers = Answers::read(name, bytes, run)?;
        let ids = self.recorded(store);
        let (mut results, mut lines_of) = (Results::default(), BTreeMap::new());
        for (number, (asked, answered)) in run.iter().zip(&answers.answered).enumerate() {
            let Some(id) = ids.get(&asked.content) else { continue };
            match results.by_id.get(id) {
                Some(known) if known != answered => {
                    let message = format!(
                        "the same test has another answer in line {}; `tandem challenge check` says what that can mean",
                        lines_of[id]
                    );
                    return Err(refuse_line(name, number + 1, message));
                }
                _ => {
                    lines_of.entry(id).or_insert(number + 1);
                    results.by_id.insert(id.clone(), answered.clone());
                }
            }
        }
        if results.is_empty() {
            return Err(VectorError::NoVectors { file: name.to_string() });
        }
        let asked = results.by_id.keys().cloned().collect();
        Ok((results, asked))
    }

    /// The ids of the recorded tests of its instructions, by content.
    fn recorded(&self, store: &Store) -> BTreeMap<String, String> {
        let files = store.files.iter().map(|(_, file)| file);
        let files = files.filter(|file| self.head.instructions.contains(&file.instruction.path()));
        let mut ids = BTreeMap::new();
        for file in files {
            let base = base_of(file.isa);
            let tests = file.tests().map(|(_, test)| test);
            for test in tests.filter(|test| test.then.is_empty() && test.editions.contains(&Edition::Newest)) {
                let id = test.id(file.isa, file.instruction);
                if !store.revoked.contains_key(&id) {
                    ids.entry(content(&line_of(file, test, &base))).or_insert(id);
                }
            }
        }
        ids
    }
}

/// The tests of a run, if its file is the one that was drawn.
fn read_run(isas: &[&'static Isa], path: &Path, head: &RunHead) -> Result<Vec<AskedTest>, VectorError> {
    let name = path.display().to_string();
    let bytes = read_bytes(path, &name, MOST_BYTES)?;
    let sha256 = hex(&sha256_bytes(&bytes));
    if sha256 != head.sha256 {
        let message = format!("its hash is {sha256}, and {HEAD_FILE} has {}; {NEXT}", head.sha256);
        return Err(refuse(&name, "all of it", message));
    }
    let asked = lines(&bytes).into_iter().enumerate().map(|(number, line)| {
        let refuse = |message: String| refuse_line(&name, number + 1, format!("{message}; {NEXT}"));
        let line: Value = serde_json::from_slice(line).map_err(|error| refuse(error.to_string()))?;
        AskedTest::of(isas, &line).map_err(refuse)
    });
    let asked: Vec<AskedTest> = asked.collect::<Result<_, _>>()?;
    if asked.is_empty() || asked.len() != head.lines {
        let message = format!("it has {} tests, and {HEAD_FILE} has {}; {NEXT}", asked.len(), head.lines);
        return Err(refuse(&name, "all of it", message));
    }
    Ok(asked)
}
