//! Drawing a challenge from a nonce.
//!
//! Besides recorded tests it has some for which the pages promise nothing: the mode of a recorded test is changed to such a cell.
//! The reference stops there, and what it has done until then is its own. Of these only such are taken at which a target of ours
//! goes on and changes something else: an answer that equals the reference's there is no reading of the pages.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tandem_harness::vectors::{
    Marked, ReferenceBench, Sparse, Store, Test, VectorFile, base_of, line_of, sha256, sha256_bytes,
};
use tandem_harness::{IsaSuite, Suite, quiet_salt};
use tandem_isa::{Answer, Code, Edition, Isa, MAX_AXES, Noise, State, Step, Target, mix64};

use super::ask::{Head, content, unanswered};

/// One test in so many is asked twice in each run.
const REPEATED: usize = 20;
/// For so many tests there is one for which the pages promise nothing.
const UNPROMISED: usize = 50;
/// Recorded tests that are tried in each such cell.
const ROUNDS: usize = 8;
/// Hexadecimal digits of an id.
const ID_DIGITS: usize = 16;

/// A challenge that was drawn.
#[derive(Clone, Debug)]
pub struct DrawnChallenge {
    /// What it is made of.
    pub head: Head,
    /// The lines of each run.
    pub texts: [String; 2],
}

/// Draws a challenge of `count` tests, or of as many as there are, of the files of a store: single instructions that hold in the
/// newest edition and can be asked of hardware. The same nonce and store give the same bytes.
///
/// A target of each instruction set of the suite says where an answer tells.
#[must_use]
pub fn draw(suite: &Suite, store: &Store, nonce: &str, count: usize) -> DrawnChallenge {
    let noise = Nonce(nonce);
    let mut contents = BTreeSet::new();
    let (mut lines, mut instructions) = (Vec::new(), BTreeSet::new());
    let bases: BTreeMap<&str, Value> = suite.isas.iter().map(|isa| (isa.isa.name, base_of(isa.isa))).collect();
    for (file, test) in noise.shuffled("tests", candidates(store)) {
        if lines.len() == count {
            break;
        }
        let is_revoked = || store.revoked.contains_key(&test.id(file.isa, file.instruction));
        let is_disputed = || Marked::new(file.isa, file.instruction).has(file.isa, test);
        if test.contested(file.isa, file.instruction).is_some() || is_revoked() || is_disputed() {
            continue;
        }
        let line = line_of(file, test, &bases[file.isa.name]);
        if contents.insert(content(&line)) {
            instructions.insert(file.instruction.path());
            lines.push(line);
        }
    }
    let tests = lines.len();
    let unpromised = unpromised(suite, store, &noise, tests.div_ceil(UNPROMISED));
    let unpromised = unpromised.iter().map(|(file, test)| line_of(file, test, &bases[file.isa.name]));
    lines.extend(unpromised.filter(|line| contents.insert(content(line))));
    let unpromised = lines.len() - tests;
    let repeated = tests.div_ceil(REPEATED);
    lines.extend(noise.shuffled("repeated", lines.clone()).into_iter().take(repeated));
    let texts = ["run 1", "run 2"].map(|run| {
        let ordered = noise.shuffled(run, lines.clone()).into_iter().enumerate();
        ordered.map(|(number, line)| format!("{}\n", noise.placed(run, number, line))).collect::<String>()
    });
    let head = Head::new((nonce, instructions.into_iter().collect()), [tests, repeated, unpromised], &texts);
    DrawnChallenge { head, texts }
}

/// What can be asked: programs cannot be judged yet.
fn candidates(store: &Store) -> Vec<(&VectorFile, &Test)> {
    let tests = store.files.iter().flat_map(|(_, file)| file.tests().map(move |(_, test)| (file, test)));
    tests.filter(|(_, test)| test.then.is_empty() && test.editions.contains(&Edition::Newest)).collect()
}

/// What everything is drawn from.
struct Nonce<'a>(&'a str);

impl Nonce<'_> {
    fn key(&self, what: &str) -> u64 {
        let hash = sha256_bytes(format!("{} {what}", self.0).as_bytes());
        hash[..8].iter().fold(0, |key, &byte| key << 8 | u64::from(byte))
    }

    /// The same things in an order of their own.
    fn shuffled<T>(&self, what: &str, things: Vec<T>) -> Vec<T> {
        let key = self.key(what);
        let mut keyed: Vec<(u64, T)> = (0..).map(|number| mix64(key ^ mix64(number))).zip(things).collect();
        keyed.sort_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, thing)| thing).collect()
    }

    /// A line with the id of its place, which says nothing about the test.
    fn placed(&self, run: &str, number: usize, mut line: Value) -> Value {
        line["id"] = json!(sha256(&format!("{} {run} line {number}", self.0))[..ID_DIGITS]);
        line
    }
}

/// Tests for which the pages promise nothing and answers tell, each with a file of its instruction.
fn unpromised<'a>(suite: &Suite, store: &'a Store, noise: &Nonce<'_>, count: usize) -> Vec<(&'a VectorFile, Test)> {
    let mut found = Vec::new();
    for (number, isa) in suite.isas.iter().enumerate() {
        let Some(target) = isa.targets.last().map(|factory| factory.make()) else { continue };
        let mut telling = Telling::new(isa, target);
        let files = store.files.iter().map(|(_, file)| file).filter(|file| file.isa.name == isa.isa.name);
        let of_file = |file: &'a VectorFile| {
            let cells = (file.instruction.cells)(Edition::Newest).len();
            (0..ROUNDS).flat_map(move |round| (0..cells).map(move |cell| (file, cell, round)))
        };
        // An equal part of what is left for each instruction set that has files.
        let left = (count - found.len()).div_ceil(suite.isas.len() - number);
        let mut of_isa: Vec<(&VectorFile, Test)> = Vec::new();
        for (file, cell, round) in noise.shuffled("unpromised", files.flat_map(of_file).collect()) {
            if of_isa.len() == left {
                break;
            }
            let tests: Vec<&Test> = file.tests().map(|(_, test)| test).filter(|test| test.then.is_empty()).collect();
            // Neighbours of a file are much alike.
            if let Some(test) = tests.get((cell + round * tests.len() / ROUNDS) % tests.len().max(1))
                && let Some(test) = telling.changed(file, test, cell)
                && !of_isa.iter().any(|(known, other)| std::ptr::eq(*known, file) && *other == test)
            {
                of_isa.push((file, test));
            }
        }
        found.extend(of_isa);
    }
    found
}

/// Says where an answer tells whether it is the reference's.
struct Telling {
    isa: &'static Isa,
    bench: ReferenceBench,
    target: Box<dyn Target>,
    before: State,
    after: State,
}

impl Telling {
    fn new(suite: &IsaSuite, target: Box<dyn Target>) -> Self {
        let (before, after) = (suite.isa.base_state(), suite.isa.base_state());
        Telling { isa: suite.isa, bench: ReferenceBench::new(suite), target, before, after }
    }

    /// The test in another cell, if the pages promise nothing for it, and a target of ours changes something, and something else
    /// than the reference has changed where it stops.
    fn changed(&mut self, file: &VectorFile, test: &Test, cell: usize) -> Option<Test> {
        let test = self.imposed(file, test, cell);
        let ran = self.bench.run(file.instruction, Edition::Newest, &test.code, &test.before);
        if ran.expectation.required_answer().is_some() {
            return None;
        }
        self.bench.base.copy_into(&test, self.isa, &mut self.before);
        self.after.copy_from(&self.before);
        self.target.reset();
        let step = Step { instruction: file.instruction.facts, edition: Edition::Newest, code: &test.code };
        let answer = self.target.execute(&step, &mut self.after);
        let after = Sparse::between(self.isa, &self.before, &self.after);
        (answer == Answer::Done && !after.is_empty() && after != ran.after).then_some(test)
    }

    /// The test with the mode of a cell, and else as it is.
    fn imposed(&self, file: &VectorFile, test: &Test, cell: usize) -> Test {
        let (instruction, fields) = (file.instruction, (self.isa.layout.fields)());
        let mut noise = Noise::new(cell as u64);
        test.with_parts(self.isa, |parts| {
            *parts.salt = quiet_salt(self.isa, instruction, Edition::Newest);
            (instruction.cells)(Edition::Newest).impose(cell, parts, &mut noise);
            (instruction.finish)(parts, &mut [0; MAX_AXES], &mut noise);
            let mut before = Sparse { fields: BTreeMap::new(), rows: test.before.rows.clone() };
            for (index, field) in fields.iter().enumerate() {
                before.put_field(index, field.get(parts.small), field.base);
            }
            unanswered(Code::new(parts.code), before)
        })
    }
}
