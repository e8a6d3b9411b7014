//! Results that somebody recorded on a machine of their own: tests go out as JSON lines without their answers, and come
//! back as JSON lines that are judged like any target.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use tandem_isa::{Answer, Facts, Instruction, Isa, MAX_STEPS, State, Step, Target, TargetInfo};

use super::error::VectorError;
use super::model::{Sparse, Test, VectorFile};
use super::store::Store;
use crate::NextStep;
use crate::foreign::UNSAID;
use crate::rules::{Planned, Waiting, with_waits};

/// Most lines of a file of results.
const MOST_LINES: usize = 10_000_000;

/// The tests of a file as JSON lines: where each case begins, and nothing of what must come of it.
///
/// `{"id", "isa", "instruction", "editions", "text", "base": {"fields", "words", "rows"}, "code": [words], "small": {fields
/// that differ from their base}, "rows": [[bank, row, [words]], …]}`. What neither `small` nor `rows` names has its base
/// value: a field that of `base.fields`, a row that of `base.rows`, any other word of a bank that of `base.words`, and 0 what
/// these do not name. A program has `"steps": [{"instruction", "text", "code"}, …]` in the place of `text` and `code`; a step with
/// `"waits": true` does nothing, and stands where the pages want software to wait. If no wait keeps a rule, `"breaks"` says which.
#[must_use]
pub fn to_lines(file: &VectorFile) -> String {
    let base = base_of(file.isa);
    file.tests().map(|(_, test)| format!("{}\n", line_of(file, test, &base))).collect()
}

/// The line of one test; `base` is [`base_of`] its instruction set.
#[must_use]
pub fn line_of(file: &VectorFile, test: &Test, base: &Value) -> Value {
    let (small, rows) = test.before.named(file.isa);
    let mut line = json!({
        "id": test.id(file.isa, file.instruction), "isa": file.isa.name, "instruction": file.instruction.file,
        "editions": test.editions.iter().map(|edition| edition.name()).collect::<Vec<_>>(),
        "base": base, "small": small, "rows": rows,
    });
    if test.then.is_empty() {
        line["text"] = json!(file.instruction.print(&test.code));
        line["code"] = json!(test.code.to_vec());
    } else {
        // It has no code of its own: whoever reads one instruction a line is not to run the first step alone.
        let steps = test.steps(file.instruction);
        let waits = waits_of(file.isa, &steps).unwrap_or_else(|broken| {
            line["breaks"] = json!(broken);
            (0..steps.len()).map(Waiting::Step).collect()
        });
        line["steps"] = waits.iter().map(|one| step_of(file.isa, &steps, one)).collect();
    }
    line
}

/// The steps of a program with what fills the time where software has to wait.
///
/// # Errors
/// Which rule no wait keeps.
pub(super) fn waits_of(isa: &Isa, steps: &[NextStep]) -> Result<Vec<Waiting>, String> {
    let planned: Result<Vec<Planned>, _> = steps.iter().map(|step| Planned::decode(isa.machine, &step.code)).collect();
    let planned = planned.map_err(|error| error.to_string())?;
    with_waits(isa.machine, &planned).map_err(|broken| broken.to_string())
}

fn step_of(isa: &Isa, steps: &[NextStep], one: &Waiting) -> Value {
    match one {
        Waiting::Step(place) => {
            let NextStep { instruction, code } = &steps[*place];
            json!({ "instruction": instruction.file, "text": instruction.print(code), "code": code.to_vec() })
        }
        Waiting::Filler(filler) => {
            let code = filler.code(isa.machine).expect("a gate asks that every filler is an instruction");
            let (instruction, text) = (filler.name.to_lowercase(), filler.text(isa.machine));
            json!({ "instruction": instruction, "text": text, "code": code.to_vec(), "waits": true })
        }
    }
}

/// All of the base state that is not zero: fields, and the words of banks.
#[must_use]
pub fn base_of(isa: &Isa) -> Value {
    let fields = (isa.layout.fields)().iter().filter(|field| field.base != 0);
    let fields: Map<String, Value> = fields.map(|field| (field.name.clone(), json!(field.base))).collect();
    let banks = isa.layout.banks.iter().filter(|bank| bank.base != 0);
    let words: Map<String, Value> = banks.map(|bank| (bank.name.to_string(), json!(bank.base))).collect();
    let rows = isa.layout.banks.iter().flat_map(|bank| {
        let constants = bank.held.iter().map(|held| (held.row, bank.base_row(held.row)));
        let differing = constants.filter(|(_, words)| words.iter().any(|&word| word != bank.base));
        differing.map(|(row, words)| json!([bank.name, row, words]))
    });
    let rows: Vec<Value> = rows.collect();
    json!({ "fields": fields, "words": words, "rows": rows })
}

/// What a machine did with one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedAnswer {
    /// How it ended.
    pub answer: Answer,
    /// What it changed.
    pub after: Sparse,
    /// Of a program that was not done to its end: how many steps were, if that is said.
    pub done: Option<usize>,
}

/// The results of one machine, by the ids of the tests.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// What was answered, by the id of the test.
    pub by_id: BTreeMap<String, RecordedAnswer>,
}

/// The instruction set of every test of a store, and how many steps it has, by the ids of the tests.
pub struct TestIds(BTreeMap<String, (&'static Isa, usize)>);

impl TestIds {
    /// The ids of a store's tests.
    #[must_use]
    pub fn of(store: &Store) -> Self {
        let of_file = |file: &VectorFile| {
            let id = |test: &Test| (test.id(file.isa, file.instruction), (file.isa, 1 + test.then.len()));
            file.tests().map(|(_, test)| id(test)).collect::<Vec<_>>()
        };
        TestIds(store.files.iter().flat_map(|(_, file)| of_file(file)).collect())
    }

    /// Whether a test has this id.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }
}

impl Results {
    /// Reads results for tests of a store: `{"id", "outcome": "done" | "blocked" | "unsupported", "small": {fields that
    /// changed}, "rows": [[bank, row, [words]], …]}`, a line each. What is not named is as it was before. Of a program that is
    /// not done to its end, `"done"` says how many steps were, if that is known, and the rest what these changed. Members with
    /// other names are left alone, so that a machine may add what it likes.
    ///
    /// # Errors
    /// The first line that is no result of such a test, with its number and what to do.
    pub fn read(name: &str, text: &str, tests: &TestIds) -> Result<Self, VectorError> {
        let mut results = Results::default();
        for (number, line) in text.lines().enumerate().take(MOST_LINES) {
            if line.trim().is_empty() {
                continue;
            }
            let refuse = |message: String| VectorError::Result { file: name.to_string(), line: number + 1, message };
            let value: Value = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
            let id = value["id"].as_str().ok_or_else(|| refuse("there is no \"id\"".to_string()))?;
            let test = tests.0.get(id).ok_or_else(|| refuse(format!("no recorded vector has the id '{id}'")))?;
            let result = result_of(&value, *test).map_err(refuse)?;
            if results.by_id.insert(id.to_string(), result).is_some() {
                return Err(refuse(format!("the test '{id}' has a result already")));
            }
        }
        if results.by_id.is_empty() {
            return Err(VectorError::NoVectors { file: name.to_string() });
        }
        Ok(results)
    }

    /// Number of results.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Whether there is a result for a test.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// The machine as a target of the tests of files of one instruction set: it answers those and nothing else.
    #[must_use]
    pub fn target(&self, machine: &str, files: &[VectorFile]) -> Box<dyn Target> {
        let mut recorded = Recorded {
            info: TargetInfo { name: machine.to_string(), level: None },
            instructions: Vec::new(),
            answers: BTreeMap::new(),
        };
        for file in files {
            let base = file.isa.base_state();
            let mut state = file.isa.base_state();
            for (_, test) in file.tests() {
                if let Some(result) = self.by_id.get(&test.id(file.isa, file.instruction)) {
                    let steps = test.steps(file.instruction);
                    for step in &steps {
                        if recorded.isa_of(step.instruction).is_none() {
                            recorded.instructions.push((file.isa, step.instruction));
                        }
                    }
                    state.copy_from(&base);
                    test.before.apply(file.isa, &mut state);
                    recorded.answers.insert(key(steps.iter().map(|step| &step.code[..]), &state), result.clone());
                }
            }
        }
        Box::new(recorded)
    }
}

/// A machine whose answers are known beforehand.
struct Recorded {
    info: TargetInfo,
    instructions: Vec<(&'static Isa, &'static Instruction)>,
    answers: BTreeMap<Vec<u8>, RecordedAnswer>,
}

impl Recorded {
    fn isa_of(&self, instruction: &'static Facts) -> Option<&'static Isa> {
        self.instructions.iter().find(|(_, known)| std::ptr::eq(known.facts, instruction)).map(|(isa, _)| *isa)
    }
}

/// What a case is looked up by: the code words of its steps, the small state, and a digest of the banks.
fn key<'a>(steps: impl Iterator<Item = &'a [u32]>, state: &State) -> Vec<u8> {
    let mut key: Vec<u8> = steps.flatten().flat_map(|word| word.to_le_bytes()).collect();
    key.extend_from_slice(&state.small);
    key.extend_from_slice(super::write::sha256_bytes(&state.arena).as_slice());
    key
}

impl Target for Recorded {
    fn info(&self) -> TargetInfo {
        self.info.clone()
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.isa_of(instruction).is_some()
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.execute_all(&[*step], state).1
    }

    fn max_steps(&self) -> usize {
        MAX_STEPS
    }

    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        let Some(isa) = steps.first().and_then(|step| self.isa_of(step.instruction)) else {
            return (0, Answer::Unsupported);
        };
        let Some(result) = self.answers.get(&key(steps.iter().map(|step| step.code), state)) else {
            return (0, Answer::Unsupported);
        };
        result.after.apply(isa, state);
        for &(bank, row) in result.after.rows.keys() {
            state.tracker.log.written.insert(isa.layout.banks[bank].first_row + row);
        }
        let done = match (result.answer, result.done) {
            (Answer::Done, _) => steps.len(),
            (Answer::Blocked, None) => steps.len() - 1,
            (Answer::Unsupported, None) if steps.len() == 1 => 0,
            (Answer::Unsupported, None) => UNSAID,
            (_, Some(done)) => done,
        };
        (done, result.answer)
    }
}

/// What a line says that a machine did with a test of so many steps.
///
/// # Errors
/// What is wrong with it, in words.
pub fn result_of(value: &Value, (isa, steps): (&Isa, usize)) -> Result<RecordedAnswer, String> {
    let answer = match value["outcome"].as_str() {
        Some("done") => Answer::Done,
        Some("blocked") => Answer::Blocked,
        Some("unsupported") => Answer::Unsupported,
        _ => return Err("\"outcome\" is not \"done\", \"blocked\" or \"unsupported\"".to_string()),
    };
    let after = sparse_of(value, isa)?;
    let done = match &value["done"] {
        _ if steps == 1 || answer == Answer::Done => None,
        Value::Null => None,
        done => {
            let done = done.as_u64().filter(|&done| done < steps as u64);
            let fewer = || format!("\"done\" is not a number of steps below {steps}, of which one was not done");
            Some(done.ok_or_else(fewer)? as usize)
        }
    };
    Ok(RecordedAnswer { answer, after, done })
}

/// The fields and rows that a line names.
///
/// # Errors
/// What is wrong with it, in words.
pub fn sparse_of(value: &Value, isa: &Isa) -> Result<Sparse, String> {
    let mut named = Sparse::default();
    let fields = (isa.layout.fields)();
    let empty = Map::new();
    let small = match &value["small"] {
        Value::Null => &empty,
        Value::Object(small) => small,
        _ => return Err("\"small\" is not an object of fields".to_string()),
    };
    for (name, number) in small {
        let place = fields.iter().position(|field| field.name == *name);
        let place = place.ok_or_else(|| format!("{} has no field '{name}'", isa.name))?;
        let number = word(number).filter(|&number| number <= fields[place].max);
        let number = number.ok_or_else(|| format!("'{name}' is no number from 0 to {}", fields[place].max))?;
        named.fields.insert(place, number);
    }
    let none = Vec::new();
    let rows = match &value["rows"] {
        Value::Null => &none,
        Value::Array(rows) => rows,
        _ => return Err("\"rows\" is not a list".to_string()),
    };
    let mut seen = BTreeSet::new();
    for entry in rows {
        let name = entry[0].as_str().unwrap_or_default();
        let bank = isa.layout.bank_named(name).ok_or_else(|| format!("{} has no bank '{name}'", isa.name))?;
        let spec = &isa.layout.banks[bank];
        let row = entry[1].as_u64().filter(|&row| row < spec.rows() as u64);
        let row = row.ok_or_else(|| format!("{name} has rows 0 to {}, and no {}", spec.rows() - 1, entry[1]))? as usize;
        let words: Option<Vec<u32>> = entry[2].as_array().and_then(|list| list.iter().map(word).collect());
        let words = words
            .filter(|words| words.len() == spec.columns() && words.iter().all(|word| word & !spec.word_mask() == 0));
        let words =
            words.ok_or_else(|| format!("{name}[{row}] is not {} words of {} bits", spec.columns(), spec.bits))?;
        if !seen.insert((bank, row)) {
            return Err(format!("{name}[{row}] stands there twice"));
        }
        named.rows.insert((bank, row), words);
    }
    Ok(named)
}

fn word(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => u32::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        value => value.as_u64().and_then(|value| u32::try_from(value).ok()),
    }
}
