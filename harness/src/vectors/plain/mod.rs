//! Tests as plain tables of 32-bit words, for tools that read no JSON: simulators of Verilog, C, numpy, whatever reads bytes.
//!
//! [`Plain::of`] makes the tables, which are the same in every [`PlainFormat`]; `docs/vectors.md` has the layout. A
//! manifest in JSON names what the tables only number: columns, banks, fields, instructions, flags.

mod binary;
mod c_header;
mod manifest;
mod npy;
mod readmemh;
mod table;

use tandem_isa::{Bank, Edition, Field, every};

use self::table::{BANKS, CODE, FIELDS, FLAGS, ROWS, STATE_FIELDS, STEPS, TESTS, Table, WORDS};
use super::model::{Group, Outcome, Sparse, Test, VectorFile};
use super::recorded::waits_of;
use crate::foreign::edition_number;
use crate::rules::Waiting;

/// The version of the layout; a change that a reader has to know of makes it larger.
pub const PLAIN_VERSION: u32 = 1;
/// The file that names what the tables number.
const MANIFEST: &str = "manifest.json";

/// How the tables are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainFormat {
    /// A file a table for `$readmemh`, and one with sizes and columns as `localparam`.
    Readmemh,
    /// One header of C99.
    CHeader,
    /// One packed file, little-endian.
    Bin,
    /// A `.npy` file a table.
    Npy,
}

impl PlainFormat {
    /// All of them.
    pub const ALL: [PlainFormat; 4] = every!(PlainFormat { Readmemh, CHeader, Bin, Npy });

    /// The word on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PlainFormat::Readmemh => "readmemh",
            PlainFormat::CHeader => "c-header",
            PlainFormat::Bin => "bin",
            PlainFormat::Npy => "npy",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// The state before, the state expected, and the masks of what is compared: each by what it names.
const STATES: [&str; 3] = ["before", "expected", "care"];

/// One step, as it is printed and counted.
struct Step {
    text: String,
    instruction: usize,
}

/// The tests of a file as tables.
pub struct Plain<'a> {
    file: &'a VectorFile,
    /// What the file is called, without its ending.
    name: String,
    tests: Table,
    steps: Table,
    code: Table,
    flags: Table,
    /// For each of [`STATES`], the fields and the rows that it names.
    states: [(Table, Table); 3],
    words: Table,
    banks: Table,
    fields: Table,
    base_rows: Table,
    /// The ids of the tests, in hex.
    ids: Vec<String>,
    /// The steps of all tests, in the order of their table.
    steps_of: Vec<Step>,
    /// The instructions that steps are of, by their file names.
    instructions: Vec<String>,
    /// Why tests are contested.
    contested: Vec<String>,
    /// Rules that programs break and that no wait keeps.
    breaks: Vec<String>,
}

/// A number as a word of a table. Files of vectors are far too small to have four thousand million of anything.
fn word(number: usize) -> u32 {
    u32::try_from(number).expect("a file of vectors holds fewer than 2^32 of anything")
}

/// The place of a text in a list, which gets it if it lacks it.
fn place_of(list: &mut Vec<String>, text: &str) -> usize {
    list.iter().position(|known| known == text).unwrap_or_else(|| {
        list.push(text.to_string());
        list.len() - 1
    })
}

impl<'a> Plain<'a> {
    /// The tables of a file that is called `name`.
    #[must_use]
    pub fn of(name: &str, file: &'a VectorFile) -> Self {
        let mut plain = Plain {
            file,
            name: name.to_string(),
            tests: Table::new(TESTS),
            steps: Table::new(STEPS),
            code: Table::new(CODE),
            flags: Table::new(FLAGS),
            states: [0, 1, 2].map(|state| (Table::new(STATE_FIELDS[state]), Table::new(ROWS[state]))),
            words: Table::new(WORDS),
            banks: Table::new(BANKS),
            fields: Table::new(FIELDS),
            base_rows: Table::new(ROWS[3]),
            ids: Vec::new(),
            steps_of: Vec::new(),
            instructions: Vec::new(),
            contested: Vec::new(),
            breaks: Vec::new(),
        };
        plain.add_base();
        for (group, test) in file.tests() {
            plain.add_test(group, test);
        }
        plain
    }

    /// Number of tests that break a rule of scheduling that no wait keeps.
    #[must_use]
    pub fn num_breaking(&self) -> usize {
        let column = self.tests.column("breaks");
        self.tests.rows().filter(|row| row[column] != 0).count()
    }

    /// The files of a format, each with its name and its bytes.
    #[must_use]
    pub fn files(&self, format: PlainFormat) -> Vec<(String, Vec<u8>)> {
        let mut files = match format {
            PlainFormat::Readmemh => readmemh::files(self),
            PlainFormat::CHeader => vec![("vectors.h".to_string(), c_header::text(self).into_bytes())],
            PlainFormat::Bin => vec![("vectors.bin".to_string(), binary::bytes(self))],
            PlainFormat::Npy => npy::files(self),
        };
        files.push((MANIFEST.to_string(), manifest::text(self).into_bytes()));
        files
    }

    /// All tables, in the order of the packed file.
    fn tables(&self) -> Vec<&Table> {
        let [before, expected, care] = &self.states;
        let states = [before, expected, care];
        let mut tables = vec![&self.tests, &self.steps, &self.code, &self.flags];
        tables.extend(states.iter().map(|(fields, _)| fields));
        tables.extend(states.iter().map(|(_, rows)| rows));
        tables.extend([&self.words, &self.banks, &self.fields, &self.base_rows]);
        tables
    }

    /// What the tables hold, in a line.
    fn title(&self) -> String {
        let path = self.file.instruction.path();
        format!("{} tests of {path}, written by tandem {}", self.tests.len(), env!("CARGO_PKG_VERSION"))
    }

    fn bank_list(&self) -> &'static [Bank] {
        self.file.isa.layout.banks
    }

    fn field_list(&self) -> &'static [Field] {
        (self.file.isa.layout.fields)()
    }

    /// The base state: what banks and fields hold, and the rows that do not hold what their bank does.
    fn add_base(&mut self) {
        for field in self.field_list() {
            self.fields.push(&[field.width, field.max, field.base]);
        }
        for (place, bank) in self.bank_list().iter().enumerate() {
            self.banks.push(&[word(bank.rows()), word(bank.columns()), bank.bits, bank.base]);
            for held in bank.held {
                let words = bank.base_row(held.row);
                if words.iter().any(|&word| word != bank.base) {
                    self.base_rows.push(&[word(place), word(held.row), word(self.words.len())]);
                    self.words.mark(format!("base {}", bank.row_name(held.row)));
                    words.iter().for_each(|&one| self.words.push(&[one]));
                }
            }
        }
    }

    fn add_test(&mut self, group: &Group, test: &Test) {
        let (isa, instruction) = (self.file.isa, self.file.instruction);
        let id = test.id(isa, instruction);
        let whole = u64::from_str_radix(&id, 16).expect("an id is 16 hex digits");
        let half = |shift: u32| u32::try_from(whole >> shift & u64::from(u32::MAX)).expect("it is masked");
        let edition_bit = |edition: &Edition| 1 << edition_number(*edition);
        let contested = test.contested(isa, instruction).map_or(0, |why| 1 + place_of(&mut self.contested, why));
        let title = format!("test {} {id}", self.tests.len());
        let (steps, breaks) = self.add_steps(&title, test);
        let mut row = vec![
            half(32),
            half(0),
            test.editions.iter().map(edition_bit).sum(),
            edition_number(group.edition),
            word(group.cell),
            word(OUTCOMES.iter().position(|one| *one == test.outcome).expect("all are listed")),
            word(contested),
            word(breaks),
        ];
        row.extend(steps);
        row.extend(self.add_flags(&title, test));
        for (state, sparse) in [&test.before, &test.after, &test.care].into_iter().enumerate() {
            row.extend(self.add_state_fields(&title, state, sparse));
            row.extend(self.add_state_rows(&title, state, sparse));
        }
        self.tests.mark(title);
        self.tests.push(&row);
        self.ids.push(id);
    }

    /// Adds the steps of a test with the waits between them: where they lie, and which rule they break (from 1), or 0.
    fn add_steps(&mut self, title: &str, test: &Test) -> ([u32; 2], usize) {
        let steps = test.steps(self.file.instruction);
        let all = || (0..steps.len()).map(Waiting::Step).collect();
        let waits = if test.then.is_empty() { Ok(all()) } else { waits_of(self.file.isa, &steps) };
        let (waits, breaks) = match waits {
            Ok(waits) => (waits, 0),
            Err(broken) => (all(), 1 + place_of(&mut self.breaks, &broken)),
        };
        let first = word(self.steps.len());
        self.steps.mark(title.to_string());
        for wait in &waits {
            match wait {
                Waiting::Step(place) => {
                    let step = &steps[*place];
                    self.add_step((step.instruction.file, step.instruction.print(&step.code)), &step.code, false);
                }
                Waiting::Filler(filler) => {
                    let machine = self.file.isa.machine;
                    let code = filler.code(machine).expect("a gate asks that it is an instruction");
                    self.add_step((&filler.name.to_lowercase(), filler.text(machine)), &code, true);
                }
            }
        }
        ([first, word(waits.len())], breaks)
    }

    fn add_step(&mut self, (instruction, text): (&str, String), code: &[u32], waits: bool) {
        let instruction = place_of(&mut self.instructions, instruction);
        self.steps.push(&[word(instruction), u32::from(waits), word(self.code.len()), word(code.len())]);
        self.code.mark(text.clone());
        code.iter().for_each(|&one| self.code.push(&[one]));
        self.steps_of.push(Step { text, instruction });
    }

    fn add_flags(&mut self, title: &str, test: &Test) -> [u32; 2] {
        let first = word(self.flags.len());
        self.flags.mark(title.to_string());
        for flag in &test.flags {
            let place = self.file.notes.keys().position(|known| known == flag).expect("each flag of a test has a note");
            self.flags.push(&[word(place)]);
        }
        [first, word(test.flags.len())]
    }

    fn add_state_fields(&mut self, title: &str, state: usize, sparse: &Sparse) -> [u32; 2] {
        let table = &mut self.states[state].0;
        let first = word(table.len());
        table.mark(title.to_string());
        for (&field, &value) in &sparse.fields {
            table.push(&[word(field), value]);
        }
        [first, word(sparse.fields.len())]
    }

    fn add_state_rows(&mut self, title: &str, state: usize, sparse: &Sparse) -> [u32; 2] {
        let banks = self.bank_list();
        let table = &mut self.states[state].1;
        let first = word(table.len());
        table.mark(title.to_string());
        for (&(bank, row), words) in &sparse.rows {
            table.push(&[word(bank), word(row), word(self.words.len())]);
            self.words.mark(format!("{title}: {} {}", STATES[state], banks[bank].row_name(row)));
            words.iter().for_each(|&one| self.words.push(&[one]));
        }
        [first, word(sparse.rows.len())]
    }
}

/// The outcomes, by their numbers in the tables.
const OUTCOMES: [Outcome; 3] = every!(Outcome { Done, Blocked, Survive });
