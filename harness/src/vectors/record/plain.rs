//! Recording plain tests: one for each cell, for implementations that do only a part of an instruction.
//!
//! A test is the plain case of its cell ([`Plain`]) on ordinary data: small numbers that every format holds exactly.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::{BankRole, Edition, Format, FormatKind, Instruction, SaltPlan, mix64};

use super::{GENERATOR_VERSION, RECORDER_VERSION, Recorder};
use crate::vectors::model::{Note, Outcome, Source, Sparse, Test, VectorFile};
use crate::{IsaSuite, Plain};

/// The flag of a plain test.
const FLAG: &str = "plain";

/// Records one plain test for each cell for which the pages promise something, in one edition or in each. The same version
/// gives the same file, byte for byte.
#[must_use]
pub fn record_plain(suite: &IsaSuite, instruction: &'static Instruction, only: Option<Edition>) -> VectorFile {
    let mut recorder = Recorder::new(suite, instruction, 0);
    // The newest edition first: most of its tests hold in the others as well.
    for edition in Edition::ALL.into_iter().rev().filter(|&edition| only.is_none_or(|only| only == edition)) {
        let plain = Plain::new(suite.isa, instruction, edition);
        for cell in 0..(instruction.cells)(edition).len() {
            if !recorder.covered.contains(&(edition, cell))
                && let Some(test) = recorder.plain_test(&plain, edition, cell)
            {
                recorder.keep(test);
            }
        }
    }
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
    let what = "The base state, every orthogonal axis at its plain level, and small numbers as data.";
    let detects = "A target that does not do this mode at all, or does it wrong everywhere.";
    file.notes.insert(FLAG.to_string(), Note { what: what.to_string(), detects: detects.to_string() });
    file.sort();
    file
}

impl Recorder {
    /// The plain test of a cell; none if the pages promise no result for it.
    fn plain_test(&mut self, plain: &Plain, edition: Edition, cell: usize) -> Option<Test> {
        let mut promise = |code: &[u32], small: &[u8]| {
            let before = Sparse { fields: self.fields_of(small), rows: BTreeMap::new() };
            self.bench.run(self.instruction, edition, code, &before).outcome() == Some(Outcome::Done)
        };
        let (code, small, salt) = plain.promised(cell, &[], &mut promise)?;
        let mut test = Test {
            editions: vec![edition],
            code,
            flags: Vec::new(),
            before: Sparse { fields: self.fields_of(&small), rows: BTreeMap::new() },
            outcome: Outcome::Done,
            recorded: None,
            after: Sparse::default(),
            care: Sparse::default(),
        };
        let empty = self.bench.run(self.instruction, edition, &test.code, &test.before);
        let layout = self.isa.layout;
        empty.read.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            if layout.banks[bank].role == BankRole::Data {
                let words = self.ordinary_row(edition, &test, &salt, (bank, row));
                test.before.rows.insert((bank, row), words);
            }
        });
        test.before.rows.retain(|&(bank, row), words| !layout.banks[bank].is_base(row, words));
        let filled = self.bench.run(self.instruction, edition, &test.code, &test.before);
        if filled.outcome() == Some(Outcome::Done) {
            test.after = filled.after;
        } else {
            test.before.rows.clear();
            test.after = empty.after;
        }
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

    fn fields_of(&self, small: &[u8]) -> BTreeMap<usize, u32> {
        let values = (self.isa.layout.fields)().iter().map(|field| (field.get(small), field.base)).enumerate();
        values.filter(|(_, (value, base))| value != base).map(|(index, (value, _))| (index, value)).collect()
    }

    /// A row of ordinary data in the formats that the test gives to its words.
    fn ordinary_row(&self, edition: Edition, test: &Test, salt: &SaltPlan, (bank, row): (usize, usize)) -> Vec<u32> {
        let spec = &self.isa.layout.banks[bank];
        let class = &self.isa.value_classes[usize::from(salt.class_of(bank, spec.first_row + row))];
        if let [constant] = class.only {
            // Nothing else can stand there.
            return vec![*constant as u32 & spec.word_mask(); spec.columns()];
        }
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

/// An ordinary value of a format: a small integer, or a number around one of which only the highest three bits of the
/// mantissa may be set.
fn ordinary(format: &Format, number: u64) -> u64 {
    let key = mix64(number);
    let bits = format.mantissa_bits();
    let low = |value: u64| if bits >= 64 { value } else { value & ((1 << bits) - 1) };
    let sign = format.sign.map_or(0, |bit| (key >> 40 & 1) << bit);
    let exponent = |value: u64| format.exponent.map_or(0, |piece| (value & piece.low_mask()) << piece.shift);
    match format.kind {
        FormatKind::Float { bias } => {
            let mantissa = if bits >= 3 { (key & 7) << (bits - 3) } else { low(key) };
            let bias = u64::from(bias.unsigned_abs());
            sign | exponent(bias - 1 + (key >> 8) % 3) | format.place_mantissa(mantissa)
        }
        FormatKind::SignMagnitude => {
            let middle = format.exponent.map_or(0, |piece| piece.low_mask().div_ceil(2));
            sign | exponent(middle) | format.place_mantissa(low(key & 7))
        }
        FormatKind::TwosComplement => format.place_mantissa(low((key & 7).wrapping_sub(4))),
        FormatKind::Bits => format.place_mantissa(low(key & 7)),
    }
}
