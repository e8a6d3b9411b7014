//! Recording plain tests: one for each cell, for implementations that do only a part of an instruction.
//!
//! A test is the plain case of its cell ([`Plain`]), without the fields that make no difference in it. Its data are
//! ordinary, small numbers that every format holds exactly, if they alone are asked for and show anything; else they are
//! telling ones, among which the corners of each format are.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{AlignedBytes, BankRole, Code, Edition, Instruction, Parts, RowSet};

use super::{GENERATOR_VERSION, RECORDER_VERSION, Recorder, Worth};
use crate::case::{DrawnCase, quiet_salt};
use crate::vectors::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use crate::vectors::operands::{ordinary, put, rows_of};
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
        let mut is_done = |parts: &Parts<'_>| {
            let rows = rows_of(self.isa.layout, &parts.salt.settings);
            let before = Sparse { fields: self.fields_of(parts.small), rows };
            self.bench.run(self.instruction, edition, parts.code, &before).outcome() == Some(Outcome::Done)
        };
        let case = plain.promised(cell, &[], &mut is_done)?;
        let (mut worth, mut test) = self.with_plain_data((edition, cell), case, data);
        if !worth.shows() {
            // What the plainest case does not show a case may show that is brought back less far.
            let mut shows = |parts: &Parts<'_>| {
                let mut small = AlignedBytes::zeroed(parts.small.len());
                small.copy_from_slice(parts.small);
                let case = DrawnCase { code: Code::new(parts.code), small, salt: *parts.salt };
                self.with_plain_data((edition, cell), case, data).0.shows()
            };
            if let Some(case) = plain.promised(cell, &[], &mut shows) {
                (worth, test) = self.with_plain_data((edition, cell), case, data);
            }
        }
        debug_assert_eq!(worth, Worth::of(self.isa, &test));
        test.editions = self.editions(&test);
        if !test.editions.contains(&edition) {
            // The promise does not hold for the cell as a whole.
            return None;
        }
        self.drop_idle(edition, &mut test);
        self.flag(&mut test, &BTreeSet::new(), false);
        test.flags.retain(|flag| flag != "retained");
        test.flags.push(FLAG.to_string());
        test.flags.sort();
        Some(test)
    }

    /// Puts fields back to their base values that make no difference, first all of a name and then each, although an axis
    /// may leave its plain level for that of the base state by that.
    fn drop_idle(&mut self, edition: Edition, test: &mut Test) {
        let (cells, operands) = (self.cells(test), self.rows_read(test, None));
        let mut base = test.clone();
        base.before.fields.clear();
        let (plain, base) = (self.levels_of(edition, test), self.levels_of(edition, &base));
        let families = self.stems.iter().filter(|family| family.len() > 1).cloned();
        let fields: Vec<Vec<usize>> = families.chain(self.stems.iter().flatten().map(|&field| vec![field])).collect();
        let mut before = usize::MAX;
        // A field may be needed only as long as another one is there.
        while test.before.fields.len() < before {
            before = test.before.fields.len();
            for some in &fields {
                if !some.iter().any(|field| test.before.fields.contains_key(field)) {
                    continue;
                }
                let mut without = test.clone();
                without.before.fields.retain(|field, _| !some.contains(field));
                let levels = || self.levels_of(edition, &without).into_iter().zip(plain.iter().zip(&base));
                if self.cells(&without) == cells
                    && levels().all(|(level, (plain, base))| level == *plain || level == *base)
                    && self.rows_read(&without, None).is_superset(&operands)
                    && test.editions.iter().all(|&edition| self.same(&without, edition))
                    && self.editions(&without) == test.editions
                {
                    *test = without;
                }
            }
        }
    }

    /// The levels of the orthogonal axes that a test has.
    fn levels_of(&self, edition: Edition, test: &Test) -> Vec<usize> {
        let axes = (self.instruction.orthogonal)(edition);
        test.with_parts(self.isa, |parts| {
            *parts.salt = quiet_salt(self.isa, self.instruction, edition).with(parts.salt.settings);
            axes.iter().map(|axis| (axis.get)(parts)).collect()
        })
    }

    /// The test of a plain case with data in rows that it reads, and in those that it writes if nothing shows otherwise. Of
    /// several for which the pages promise a result, the one that shows most.
    fn with_plain_data(
        &mut self,
        (edition, cell): (Edition, usize),
        DrawnCase { code, small, salt }: DrawnCase,
        data: PlainData,
    ) -> (Worth, Test) {
        let layout = self.isa.layout;
        let before = Sparse { fields: self.fields_of(&small), rows: rows_of(layout, &salt.settings) };
        let (outcome, flags, editions) = (Outcome::Done, Vec::new(), vec![edition]);
        let (recorded, care) = (None, Sparse::default());
        let empty = self.bench.run(self.instruction, edition, &code, &before);
        let test =
            Test { editions, code, then: Vec::new(), flags, before, outcome, recorded, after: empty.after, care };
        let data_rows = |rows: &RowSet| {
            let mut keys = Vec::new();
            rows.each(|row_id| keys.push(layout.locate(row_id)));
            keys.retain(|&(bank, _)| layout.banks[bank].role == BankRole::Data && layout.settings != Some(bank));
            keys
        };
        let read = data_rows(&empty.read);
        let mut touched = empty.read;
        touched.union(&empty.written);
        let touched = data_rows(&touched);
        // Of many rows a few, so that a file of plain tests can be read.
        let most_rows = (self.instruction.recording.source_rows / 2).max(2);
        let few: Vec<_> = read.iter().copied().step_by(read.len().div_ceil(most_rows).max(1)).collect();

        // And where a datum is to be zero, the rows of one bank stay what they are.
        let banks: BTreeSet<usize> = read.iter().map(|&(bank, _)| bank).collect();
        let but_one: Vec<Vec<_>> =
            banks.iter().map(|&but| read.iter().copied().filter(|&(bank, _)| bank != but).collect()).collect();

        let ordinary = (data == PlainData::Ordinary).then_some((0, &read));
        let telling = (1..=DRAWS).map(|draw| (draw, &few)).chain((1..=DRAWS).map(|draw| (draw, &touched)));
        // Where the pages promise nothing of such data they do of those that the cell is drawn with.
        let telling = telling
            .map(|(draw, rows)| (draw, rows, false))
            .chain((1..=DRAWS).map(|draw| (draw, &read, true)))
            .chain((1..=DRAWS).map(|draw| (draw, &touched, true)))
            .chain(but_one.iter().map(|rows| (1, rows, false)));
        let ordinary = ordinary.map(|(draw, rows)| (draw, rows, false));
        let mut most: Option<(Worth, Test)> = None;
        for (number, (draw, rows, are_few)) in ordinary.into_iter().chain(telling).enumerate() {
            let is_next_kind = draw <= 1;
            if number > 0 && is_next_kind && most.as_ref().is_some_and(|(worth, _)| worth.shows()) {
                break;
            }
            let mut drawn = test.clone();
            for &key in rows {
                let number = cell * DRAWS + draw;
                let of_few = if are_few { self.operands.row_of_few(&salt, key, number) } else { None };
                let words = match (draw, of_few) {
                    (_, Some(few)) => few,
                    (0, None) => self.ordinary_row(edition, &drawn, key),
                    (_, None) => self.operands.telling_row(edition, &drawn, &salt, key, number),
                };
                put(layout, &mut drawn, key, words);
            }
            let filled = self.bench.run(self.instruction, edition, &drawn.code, &drawn.before);
            if filled.outcome() == Some(Outcome::Done) {
                drawn.after = filled.after;
                let worth = Worth::of(self.isa, &drawn);
                if most.as_ref().is_none_or(|(known, _)| worth > *known) {
                    most = Some((worth, drawn));
                }
            }
        }
        most.unwrap_or_else(|| (Worth::of(self.isa, &test), test))
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
