//! What a file of vectors holds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tandem_isa::{Bank, Code, ContestedData, Edition, Instruction, Isa, Levels, Parts, SaltPlan, Settings, State};

use super::about::About;
use crate::{CaseValue, NextStep};

/// A file of vectors of one instruction. Schema, base state and pages follow from the instruction.
#[derive(Clone, Debug)]
pub struct VectorFile {
    /// The instruction set.
    pub isa: &'static Isa,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// What the tests were recorded from.
    pub source: Source,
    /// The finding whose only test this is, if it is a stored finding.
    pub finding: Option<About>,
    /// The flags that tests carry, each explained once.
    pub notes: BTreeMap<String, Note>,
    /// The tests by cell, ascending by edition and cell.
    pub groups: Vec<Group>,
}

/// What vectors were recorded from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The implementation.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its commit.
    pub commit: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// What else a reader has to know.
    pub note: Option<String>,
}

/// What a flag means.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What a test with the flag is like.
    pub what: String,
    /// What a target that fails it does wrong.
    pub detects: String,
}

/// The tests of one cell.
#[derive(Clone, Debug)]
pub struct Group {
    /// The edition in which cells are numbered: the newest in which the tests hold.
    pub edition: Edition,
    /// The cell.
    pub cell: usize,
    /// The tests, ascending by id.
    pub tests: Vec<Test>,
}

/// What is expected of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It executes, and the state is as `after` says.
    Done,
    /// It holds the instruction, and the state is untouched.
    Blocked,
    /// The pages promise nothing: it survives, and says itself what it changed. In stored findings only.
    Survive,
}

impl Outcome {
    /// The word in a file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Blocked => "blocked",
            Outcome::Survive => "survive",
        }
    }
}

/// A state, by what differs from another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sparse {
    /// Fields of the small state, by their place in the layout's list.
    pub fields: BTreeMap<usize, u32>,
    /// Whole rows, by bank and row.
    pub rows: BTreeMap<(usize, usize), Vec<u32>>,
}

impl Sparse {
    /// Whether nothing is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.rows.is_empty()
    }

    /// As a line of an export or of results has it: fields by name, and rows as `[bank, row, [words]]`.
    #[must_use]
    pub fn named(&self, isa: &Isa) -> (Map<String, Value>, Vec<Value>) {
        let (fields, banks) = ((isa.layout.fields)(), isa.layout.banks);
        let small = self.fields.iter().map(|(&field, &value)| (fields[field].name.clone(), json!(value)));
        let rows = self.rows.iter().map(|(&(bank, row), words)| json!([banks[bank].name, row, words]));
        (small.collect(), rows.collect())
    }

    /// The case by value that begins in this state, against the base state.
    pub(super) fn case_value(
        &self,
        isa: &'static Isa,
        instruction: &'static Instruction,
        edition: Edition,
        code: Code,
    ) -> CaseValue {
        let mut value = CaseValue::base(isa, instruction, edition);
        value.code = code;
        let fields = (isa.layout.fields)();
        value.fields = self.fields.clone();
        value.fields.retain(|&field, &mut word| word != fields[field].base);
        for (&(bank, row), words) in &self.rows {
            for (column, &word) in words.iter().enumerate() {
                if word != isa.layout.banks[bank].base_word(row, column) {
                    value.words.insert((bank, row, column), word);
                }
            }
        }
        value
    }

    /// What differs between two states: fields, and whole rows, as they are afterwards.
    #[must_use]
    pub fn between(isa: &Isa, before: &State, after: &State) -> Self {
        let mut changes = Sparse::default();
        for (index, field) in (isa.layout.fields)().iter().enumerate() {
            changes.put_field(index, field.get(&after.small), field.get(&before.small));
        }
        for (index, bank) in isa.layout.banks.iter().enumerate() {
            for row in (0..bank.rows()).filter(|&row| after.row(index, row) != before.row(index, row)) {
                let words = bank.words_of(after.row(index, row));
                changes.rows.insert((index, row), words);
            }
        }
        changes
    }

    /// Drops what is named with the value that it has in another state, which is named against the base state.
    pub fn drop_unchanged(&mut self, isa: &Isa, before: &Sparse) {
        let (fields, banks) = ((isa.layout.fields)(), isa.layout.banks);
        self.fields.retain(|field, value| before.fields.get(field).unwrap_or(&fields[*field].base) != value);
        self.rows.retain(|key, words| match before.rows.get(key) {
            Some(before) => before != words,
            None => !banks[key.0].is_base(key.1, words),
        });
    }

    /// Puts everything that is named into a state.
    pub fn apply(&self, isa: &Isa, state: &mut State) {
        self.apply_fields(isa, &mut state.small);
        for (&(bank, row), words) in &self.rows {
            isa.layout.banks[bank].put_words(state.row_mut(bank, row), words);
        }
    }

    /// Puts the fields into a small state.
    pub fn apply_fields(&self, isa: &Isa, small: &mut [u8]) {
        let fields = (isa.layout.fields)();
        for (&field, &value) in &self.fields {
            fields[field].set(small, value);
        }
    }

    /// Names a field, or stops naming it if `value` is `usual`.
    pub fn put_field(&mut self, field: usize, value: u32, usual: u32) {
        if value == usual {
            self.fields.remove(&field);
        } else {
            self.fields.insert(field, value);
        }
    }

    /// Names a row given as bytes, or stops naming it if every word has its base value.
    pub fn put_row(&mut self, bank: &Bank, key: (usize, usize), bytes: &[u8]) {
        let words = bank.words_of(bytes);
        if bank.is_base(key.1, &words) {
            self.rows.remove(&key);
        } else {
            self.rows.insert(key, words);
        }
    }
}

/// One test: a state before, an instruction, and what must come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The editions in which it holds, in the order of [`Edition::ALL`]: all of them, if the pages of the instruction are
    /// the same in all.
    pub editions: Vec<Edition>,
    /// The code words.
    pub code: Code,
    /// The steps that follow, if it is a program: the state after is that after the last.
    pub then: Vec<NextStep>,
    /// Keys of the file's notes, ascending.
    pub flags: Vec<String>,
    /// The state before, against the base state.
    pub before: Sparse,
    /// What is expected.
    pub outcome: Outcome,
    /// The outcome in the words of the source, if it is not ours.
    pub recorded: Option<String>,
    /// The state after, against the state before.
    pub after: Sparse,
    /// Masks of the bits that are compared, where not all are.
    pub care: Sparse,
}

impl Test {
    /// The newest edition in which the test holds: the one in which its cell is numbered.
    #[must_use]
    pub fn newest(&self) -> Edition {
        self.editions.iter().copied().max().unwrap_or(Edition::Newest)
    }

    /// Looks at the parts of the test that axes read.
    pub fn with_parts<T>(&self, isa: &Isa, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
        let mut small = tandem_isa::AlignedBytes::zeroed(isa.layout.small_bytes);
        for field in (isa.layout.fields)().iter().filter(|field| field.base != 0) {
            field.set(&mut small, field.base);
        }
        self.before.apply_fields(isa, &mut small);
        let row = |bank: &Bank, row| {
            let number = isa.layout.settings.expect("it is asked of this bank");
            self.before.rows.get(&(number, row)).cloned().unwrap_or_else(|| bank.base_row(row))
        };
        let mut salt = SaltPlan::default().with(Settings::among(isa.layout, row));
        look(&mut Parts { code: &mut { self.code }, small: &mut small, salt: &mut salt })
    }

    /// Whether the test is contested, and why: by its modes, or because of data that it reads. A row that it
    /// names counts for one that it reads: others stand there only to be kept, beside those that are read.
    #[must_use]
    pub fn contested(&self, isa: &Isa, instruction: &Instruction) -> Option<&'static str> {
        self.with_parts(isa, |parts| {
            let ContestedData { case, row } = instruction.contested_data;
            let datum = |(&(bank, number), words): (&(usize, usize), &Vec<u32>)| row(parts, bank, number, words);
            (instruction.contested)(parts)
                .or_else(|| case(parts))
                .or_else(|| self.before.rows.iter().find_map(datum).map(|datum| datum.why))
        })
    }

    /// The cell that the test lies in, in an edition.
    #[must_use]
    pub fn cell(&self, isa: &Isa, instruction: &Instruction, edition: Edition) -> Option<usize> {
        self.with_parts(isa, |parts| (instruction.cells)(edition).classify(parts))
    }

    /// The test's case by value, in one of its editions.
    #[must_use]
    pub fn case_value(&self, isa: &'static Isa, instruction: &'static Instruction, edition: Edition) -> CaseValue {
        CaseValue { then: self.then.clone(), ..self.before.case_value(isa, instruction, edition, self.code) }
    }

    /// Its steps, one if it is no program.
    #[must_use]
    pub fn steps(&self, instruction: &'static Instruction) -> Vec<NextStep> {
        let first = NextStep { instruction, code: self.code };
        std::iter::once(first).chain(self.then.iter().copied()).collect()
    }

    /// The state before of a case by value.
    #[must_use]
    pub fn sparse_of(value: &CaseValue) -> Sparse {
        let mut sparse = Sparse { fields: value.fields.clone(), rows: BTreeMap::new() };
        for (&(bank, row, column), &word) in &value.words {
            let spec = &value.isa.layout.banks[bank];
            sparse.rows.entry((bank, row)).or_insert_with(|| spec.base_row(row))[column] = word;
        }
        sparse
    }
}

impl Group {
    /// The axes that are not at their first level; those with the levels 0 and 1 by their name alone.
    #[must_use]
    pub fn describe(edition: Edition, instruction: &Instruction, cell: usize) -> String {
        let space = (instruction.cells)(edition);
        let levels: &Levels = space.levels(cell);
        let words: Vec<String> = space
            .axes
            .iter()
            .zip(levels)
            .filter(|&(_, &level)| level != 0)
            .map(|(axis, &level)| match axis.levels {
                ["0", "1"] => axis.name.to_string(),
                levels => format!("{}={}", axis.name, levels[usize::from(level)]),
            })
            .collect();
        words.join(" ")
    }
}

impl VectorFile {
    /// A file without tests.
    #[must_use]
    pub fn new(isa: &'static Isa, instruction: &'static Instruction, source: Source) -> Self {
        VectorFile { isa, instruction, source, finding: None, notes: BTreeMap::new(), groups: Vec::new() }
    }

    /// Number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.tests.len()).sum()
    }

    /// Whether a test is a program, so that the file is of version 2.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.tests().any(|(_, test)| !test.then.is_empty())
    }

    /// Whether there is no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(|group| group.tests.is_empty())
    }

    /// All tests, with the group that each lies in.
    pub fn tests(&self) -> impl Iterator<Item = (&Group, &Test)> {
        self.groups.iter().flat_map(|group| group.tests.iter().map(move |test| (group, test)))
    }

    /// Puts a test into the group of its cell; false if it lies in no cell.
    pub fn add(&mut self, test: Test) -> bool {
        let edition = test.newest();
        let Some(cell) = test.cell(self.isa, self.instruction, edition) else { return false };
        match self.groups.iter_mut().find(|group| (group.edition, group.cell) == (edition, cell)) {
            Some(group) => group.tests.push(test),
            None => self.groups.push(Group { edition, cell, tests: vec![test] }),
        }
        true
    }

    /// Leaves the tests for which `keep` holds, and the groups that have one of them.
    pub fn retain(&mut self, mut keep: impl FnMut(&Test) -> bool) {
        for group in &mut self.groups {
            group.tests.retain(&mut keep);
        }
        self.groups.retain(|group| !group.tests.is_empty());
    }

    /// Puts groups and tests into their canonical order, drops tests that stand twice, and notes that no test carries.
    pub fn sort(&mut self) {
        self.groups.retain(|group| !group.tests.is_empty());
        self.groups.sort_by_key(|group| (group.edition, group.cell));
        for group in &mut self.groups {
            group.tests.sort_by_cached_key(|test| test.id(self.isa, self.instruction));
            group.tests.dedup();
        }
        let used: std::collections::BTreeSet<&String> =
            self.groups.iter().flat_map(|group| &group.tests).flat_map(|test| &test.flags).collect();
        let used: Vec<String> = used.into_iter().cloned().collect();
        self.notes.retain(|flag, _| used.contains(flag));
    }

    /// Every test as a case by value, once for each edition in which it holds.
    #[must_use]
    pub fn case_values(&self) -> Vec<CaseValue> {
        self.tests()
            .flat_map(|(_, test)| {
                test.editions.iter().map(|&edition| test.case_value(self.isa, self.instruction, edition))
            })
            .collect()
    }
}
