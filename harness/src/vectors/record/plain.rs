//! Recording plain tests: one for each cell, for implementations that do only a part of an instruction.
//!
//! A test is the plain case of its cell ([`Plain`]). Its data are ordinary, small numbers that every format holds exactly, if
//! they alone are asked for and show anything; else they are telling ones, among which the corners of each format are.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{BankRole, Edition, Instruction, SaltPlan};

use super::{GENERATOR_VERSION, RECORDER_VERSION, Recorder, Worth};
use crate::vectors::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use crate::vectors::operands::{ordinary, put};
use crate::{IsaSuite, Plain};

/// The flag of a plain test.
pub(super) const FLAG: &str = "plain";

/// What data plain tests have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainData {
    /// Ordinary ones, wherever they show anything.
    Ordinary,
    /// Those that show most.
    Telling,
}

/// Draws of telling data, of which the one that shows most is taken.
const DRAWS: usize = 6;

/// Records one plain test for each cell for which the pages promise something, in one edition or in each. The same version
/// gives the same file, byte for byte.
#[must_use]
pub fn record_plain(suite: &IsaSuite, instruction: &'static Instruction, only: Option<Edition>) -> VectorFile {
    let mut recorder = Recorder::new(suite, instruction, 0);
    recorder.plain_tests(only, PlainData::Ordinary);
    let mut file = recorder.into_file();
    file.source = Source {
        name: "tandem reference".to_string(),
        version: format!("recorder {RECORDER_VERSION}, generator {GENERATOR_VERSION}, plain"),
        note: Some(
            "One plain test a cell, recorded from the reference interpreter, which is transcribed from the pages. \
             Whatever is not named has its base value before and is unchanged after."
                .to_string(),
        ),
        ..file.source
    };
    let what = "The base state, every orthogonal axis at its plain level, and small numbers as data wherever they show \
                anything.";
    let detects = "A target that does not do this mode at all, or does it wrong everywhere.";
    file.notes.insert(FLAG.to_string(), Note { what: what.to_string(), detects: detects.to_string() });
    file.sort();
    file
}

impl Recorder {
    /// The plain tests of all cells for which the pages promise a result, in one edition or in each.
    pub(super) fn plain_tests(&mut self, only: Option<Edition>, data: PlainData) {
        self.covered.clear();
        // The newest edition first: most of its tests hold in the others as well.
        for edition in Edition::ALL.into_iter().rev().filter(|&edition| only.is_none_or(|only| only == edition)) {
            let plain = Plain::new(self.isa, self.instruction, edition);
            for cell in 0..(self.instruction.cells)(edition).len() {
                if !self.covered.contains(&(edition, cell))
                    && let Some(test) = self.plain_test(&plain, edition, cell, data)
                {
                    self.keep(test);
                }
            }
        }
    }

    /// The plain test of a cell; none if the pages promise no result for it.
    fn plain_test(&mut self, plain: &Plain, edition: Edition, cell: usize, data: PlainData) -> Option<Test> {
        let mut promise = |code: &[u32], small: &[u8]| {
            let before = Sparse { fields: self.fields_of(small), rows: BTreeMap::new() };
            self.bench.run(self.instruction, edition, code, &before).outcome() == Some(Outcome::Done)
        };
        let (code, small, salt) = plain.promised(cell, &[], &mut promise)?;
        let test = Test {
            editions: vec![edition],
            code,
            flags: Vec::new(),
            before: Sparse { fields: self.fields_of(&small), rows: BTreeMap::new() },
            outcome: Outcome::Done,
            recorded: None,
            after: Sparse::default(),
            care: Sparse::default(),
        };
        let mut test = self.with_plain_data(edition, test, &salt, data);
        test.editions = self.editions(&test);
        if !test.editions.contains(&edition) {
            // The promise does not hold for the cell as a whole.
            return None;
        }
        self.flag(&mut test, &BTreeSet::new(), false);
        test.flags.retain(|flag| flag != "retained");
        test.flags.push(FLAG.to_string());
        test.flags.sort();
        Some(test)
    }

    /// A test with data in the rows that it reads; telling ones lie in those that it writes, too. Of those that the pages
    /// promise a result for, the one that shows most, and the first of several.
    fn with_plain_data(&mut self, edition: Edition, mut test: Test, salt: &SaltPlan, data: PlainData) -> Test {
        let layout = self.isa.layout;
        let empty = self.bench.run(self.instruction, edition, &test.code, &test.before);
        let (mut read, mut touched) = (Vec::new(), Vec::new());
        let mut all = empty.read.clone();
        all.union(&empty.written);
        all.each(|row_id| {
            let key = layout.locate(row_id);
            if layout.banks[key.0].role == BankRole::Data {
                touched.push(key);
                if empty.read.contains(row_id) {
                    read.push(key);
                }
            }
        });
        test.after = empty.after;
        let mut most = (Worth::NOTHING, test.clone());
        let mut is_filled = false;
        for draw in 0..=DRAWS {
            // The first draw is of ordinary data, which are preferred if they are asked for.
            if draw == 0 && data == PlainData::Telling || is_filled && data == PlainData::Ordinary && most.0.shows() {
                continue;
            }
            let mut drawn = test.clone();
            for &key in if draw == 0 { &read } else { &touched } {
                let words = if draw == 0 {
                    self.ordinary_row(edition, &drawn, key)
                } else {
                    self.operands.telling_row(edition, &drawn, salt, key, draw)
                };
                put(layout, &mut drawn, key, words);
            }
            let filled = self.bench.run(self.instruction, edition, &drawn.code, &drawn.before);
            if filled.outcome() == Some(Outcome::Done) {
                drawn.after = filled.after;
                let worth = Worth::of(self.isa, &drawn);
                if !is_filled || worth > most.0 {
                    most = (worth, drawn);
                }
                is_filled = true;
            }
        }
        most.1
    }

    fn fields_of(&self, small: &[u8]) -> BTreeMap<usize, u32> {
        let values = (self.isa.layout.fields)().iter().map(|field| (field.get(small), field.base)).enumerate();
        values.filter(|(_, (value, base))| value != base).map(|(index, (value, _))| (index, value)).collect()
    }

    /// A row of ordinary data in the formats that the test gives to its words.
    fn ordinary_row(&self, edition: Edition, test: &Test, (bank, row): (usize, usize)) -> Vec<u32> {
        let spec = &self.isa.layout.banks[bank];
        let word = |column: usize| {
            let place = Some((row, column));
            let format = test.with_parts(self.isa, |parts| (self.instruction.format)(edition, parts, bank, place));
            let Some(format) = format else { return spec.base };
            let width = format.width();
            let number = (row * spec.columns() + column) as u64;
            let word = if width > spec.bits {
                // Part of a datum that begins at a multiple of its size.
                let parts = u64::from(width / spec.bits);
                ordinary(format, number / parts) >> (number % parts * u64::from(spec.bits))
            } else if spec.bits.is_multiple_of(width) {
                let data = u64::from(spec.bits / width);
                (0..data)
                    .fold(0, |word, datum| word | ordinary(format, number * data + datum) << (datum * u64::from(width)))
            } else {
                ordinary(format, number)
            };
            (word as u32) & spec.word_mask()
        };
        (0..spec.columns()).map(word).collect()
    }
}
