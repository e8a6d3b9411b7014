//! Operands: what the rows of a recorded test hold.

use std::collections::BTreeMap;

use tandem_isa::{
    Bank, BankRole, ContestedDatum, Edition, Format, FormatKind, Instruction, Isa, Layout, Noise, Parts, RowSet,
    SaltPlan, Settings, ValueClass, mix64,
};

use super::model::Test;
use super::replay::{ReferenceBench, ReferenceRun};
use crate::case::corners;
use crate::terms::{distinct, sequence::low};

/// Fills rows; remembers the corner values of formats.
pub(super) struct Operands {
    isa: &'static Isa,
    instruction: &'static Instruction,
    corners: BTreeMap<(&'static str, usize), Vec<u64>>,
}

impl Operands {
    pub(super) fn new(isa: &'static Isa, instruction: &'static Instruction) -> Self {
        Operands { isa, instruction, corners: BTreeMap::new() }
    }

    /// Fills rows that are read with operands, and some that are written with what must survive or be overwritten.
    /// With bystanders, a row beside those that are read is filled too; true if there is one.
    pub(super) fn fill(
        &mut self,
        bench: &mut ReferenceBench,
        test: &mut Test,
        salt: &SaltPlan,
        ran: &ReferenceRun,
        bystanders: bool,
        noise: &mut Noise,
    ) -> bool {
        let (layout, edition) = (self.isa.layout, test.newest());
        let mut sources: Vec<(usize, usize)> = Vec::new();
        let mut written: Vec<(usize, usize)> = Vec::new();
        let mut both: Vec<(usize, usize)> = Vec::new();
        let mut marks: Vec<(usize, usize)> = Vec::new();
        let mut touched = ran.read.clone();
        touched.union(&ran.written);
        touched.each(|row_id| {
            let (bank, row) = layout.locate(row_id);
            match layout.banks[bank].role {
                BankRole::Validity => marks.push((bank, row)),
                BankRole::Data if ran.written.contains(row_id) => {
                    written.push((bank, row));
                    if ran.read.contains(row_id) {
                        both.push((bank, row));
                    }
                }
                BankRole::Data => sources.push((bank, row)),
            }
        });
        if sources.is_empty() {
            sources.clone_from(&both);
            written.retain(|key| !both.contains(key));
        }
        // Marks of rows that are written, whether or not the instruction looks at them.
        for &(bank, row) in &written {
            let extents = layout.banks[bank].extents();
            let beside = layout.banks.iter().enumerate();
            let beside = beside.filter(|(_, mark)| mark.role == BankRole::Validity && mark.extents() == extents);
            marks.extend(beside.map(|(mark, _)| (mark, row)));
        }
        marks.sort_unstable();
        marks.dedup();
        let neighbour = if bystanders { neighbour(layout, &sources, &touched, noise) } else { None };
        let is_free = |key: &(usize, usize)| !test.before.rows.contains_key(key) || layout.settings != Some(key.0);
        sources.retain(is_free);
        written.retain(is_free);
        let rows = self.instruction.recording.source_rows;
        // Whether no data make the test contested; drawn when some do.
        let mut settled = None;
        let mut filled = pick(&sources, if noise.below(4) == 0 { rows } else { rows / 2 }, noise);
        filled.extend(neighbour);
        for key in filled {
            let row = self.corner_row(edition, test, salt, key, &mut settled, noise);
            put(layout, test, key, row);
        }
        let retains = self.retains(bench, edition, test, &written);
        // Where nothing is read, what is written shows by what was there.
        let shows = retains || sources.is_empty() || noise.below(4) == 0;
        for key in pick(&written, usize::from(shows), noise) {
            let row = self.corner_row(edition, test, salt, key, &mut settled, noise);
            put(layout, test, key, row.iter().map(|&word| if word == 0 { 1 } else { word }).collect());
        }
        for key in marks {
            let bank = &layout.banks[key.0];
            let class = &self.isa.value_classes[usize::from(salt.class[key.0])];
            if !class.only.is_empty() {
                let mut draw = || class.only[noise.below(class.only.len())] as u32 & bank.word_mask();
                let words: Vec<u32> = (0..bank.columns()).map(|_| draw()).collect();
                put(layout, test, key, words);
            }
        }
        neighbour.is_some()
    }

    /// Whether some bit of the rows that are written survives, whatever it is.
    fn retains(&self, bench: &mut ReferenceBench, edition: Edition, test: &Test, written: &[(usize, usize)]) -> bool {
        let banks = self.isa.layout.banks;
        // The bits that keep their value, whichever of two complementary patterns they had.
        let mut kept: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        for pattern in [0x5555_5555u32, 0xaaaa_aaaa] {
            let mut before = test.before.clone();
            for &key in written {
                let bank = &banks[key.0];
                before.rows.insert(key, vec![pattern & bank.word_mask(); bank.columns()]);
            }
            let ran = bench.run(self.instruction, edition, &test.code, &before);
            for &key in written {
                let (mask, before) = (banks[key.0].word_mask(), &before.rows[&key]);
                let after = ran.after.rows.get(&key).unwrap_or(before);
                let kept = kept.entry(key).or_insert_with(|| vec![mask; before.len()]);
                kept.iter_mut().zip(before.iter().zip(after)).for_each(|(kept, (x, y))| *kept &= !(x ^ y));
            }
        }
        kept.values().flatten().any(|&word| word != 0)
    }

    /// A row of corner values, datum by datum: each kind of value of the cell's format, of the formats that the bank can
    /// hold, and of the values that follow from no format.
    fn corner_row(
        &mut self,
        edition: Edition,
        test: &Test,
        salt: &SaltPlan,
        (bank, row): (usize, usize),
        settled: &mut Option<bool>,
        noise: &mut Noise,
    ) -> Vec<u32> {
        let spec = &self.isa.layout.banks[bank];
        let (class, formats) = self.formats(edition, test, salt, (bank, row));
        let strata = STRATA + if class.extra.is_empty() { 0 } else { EXTRA_STRATA };
        let rotate = noise.below(strata * formats.len().max(1));
        let mut bytes = vec![0; spec.row_bytes()];
        for (place, datum) in bytes.chunks_exact_mut(class.datum_bytes).enumerate() {
            let (stratum, word) = ((place + rotate) % strata, noise.word());
            let format = formats.get((place + rotate) / strata % formats.len().max(1));
            let list = match (stratum, format) {
                (EXTRA.., _) => class.extra,
                (UNIFORM, _) | (_, None) => &[word.rotate_right(32)],
                (..UNIFORM | TIES, Some(format)) => {
                    self.corners.entry((format.name, stratum)).or_insert_with(|| stratified(format, stratum))
                }
            };
            let value = list[(word % list.len() as u64) as usize];
            datum.copy_from_slice(&value.to_le_bytes()[..class.datum_bytes]);
        }
        let mut words = words_of(spec, &bytes);
        let contested = test.with_parts(self.isa, |parts| self.contested(parts, (bank, row), &words).is_some());
        if contested && *settled.get_or_insert_with(|| noise.below(CONTESTED) != 0) {
            self.settle(test, (bank, row), &formats, &mut words, noise);
        }
        words
    }

    /// The first datum of a row that makes a case contested that reads it.
    fn contested(&self, parts: &Parts<'_>, (bank, row): (usize, usize), words: &[u32]) -> Option<ContestedDatum> {
        (self.instruction.contested_data.row)(parts, bank, row, words)
    }

    /// Draws data of a row anew that make a test contested, among the corners of its formats.
    fn settle(
        &self,
        test: &Test,
        (bank, row): (usize, usize),
        formats: &[&'static Format],
        words: &mut [u32],
        noise: &mut Noise,
    ) {
        let spec = &self.isa.layout.banks[bank];
        let corners: Vec<(u32, &[u64])> = formats.iter().map(|format| (format.width(), corners(format))).collect();
        test.with_parts(self.isa, |parts| {
            // Each turn ends with another datum, further on or contested for another reason.
            for _ in 0..2 * words.len() {
                let Some(datum) = self.contested(parts, (bank, row), words) else { return };
                let is_settled = (0..SETTLING).any(|_| {
                    if corners.is_empty() {
                        return false;
                    }
                    let (width, values) = &corners[noise.below(corners.len())];
                    let drawn = corner_words(spec, datum.columns.len(), *width, || values[noise.below(values.len())]);
                    words[datum.columns.clone()].copy_from_slice(&drawn);
                    self.contested(parts, (bank, row), words).as_ref() != Some(&datum)
                });
                if !is_settled {
                    words[datum.columns].fill(spec.base);
                }
            }
        });
    }

    /// The value class of a row, and the formats that its data may have: the cell's own first.
    fn formats(
        &self,
        edition: Edition,
        test: &Test,
        salt: &SaltPlan,
        (bank, row): (usize, usize),
    ) -> (&'static ValueClass, Vec<&'static Format>) {
        let spec = &self.isa.layout.banks[bank];
        let class = &self.isa.value_classes[usize::from(salt.class_of(bank, spec.first_row + row))];
        let own = test.with_parts(self.isa, |parts| (self.instruction.format)(edition, parts, bank, None));
        // The cell's format may be that of a result, whose data have another size.
        let own = own.filter(|format| format.width() == class.bits);
        (class, own.into_iter().chain(class.formats.iter().copied()).collect())
    }

    /// A row that shows much: the landmarks of every format that its data may have, each in turn, and an ordinary value now
    /// and then. Rows begin at different landmarks, and so do draws of the same row.
    pub(super) fn telling_row(
        &self,
        edition: Edition,
        test: &Test,
        salt: &SaltPlan,
        (bank, row): (usize, usize),
        draw: usize,
    ) -> Vec<u32> {
        let spec = &self.isa.layout.banks[bank];
        let (class, formats) = self.formats(edition, test, salt, (bank, row));
        let landmarks = distinct(formats.iter().flat_map(|format| landmarks_of(format)));
        let cycle = landmarks.len() + landmarks.len() / 4 + 1;
        let data = spec.row_bytes() / class.datum_bytes;
        let mut bytes = vec![0; spec.row_bytes()];
        for (place, datum) in bytes.chunks_exact_mut(class.datum_bytes).enumerate() {
            let number = row * (data + NEXT_ROW) + place + draw * NEXT_DRAW;
            let ordinary = || formats.first().map_or(mix64(number as u64), |format| ordinary(format, number as u64));
            let value = landmarks.get(number % cycle).copied().unwrap_or_else(ordinary);
            datum.copy_from_slice(&value.to_le_bytes()[..class.datum_bytes]);
        }
        let mut words = words_of(spec, &bytes);
        self.settle(test, (bank, row), &formats, &mut words, &mut Noise::new(mix64((draw * NEXT_DRAW + row) as u64)));
        words
    }
}

impl Operands {
    /// A row of the few values that its class has, each in turn; nothing if it can have any.
    pub(super) fn row_of_few(&self, salt: &SaltPlan, (bank, row): (usize, usize), draw: usize) -> Option<Vec<u32>> {
        let spec = &self.isa.layout.banks[bank];
        let class = &self.isa.value_classes[usize::from(salt.class_of(bank, spec.first_row + row))];
        let mut bytes = vec![0; spec.row_bytes()];
        for (place, datum) in bytes.chunks_exact_mut(class.datum_bytes).enumerate() {
            let value = class.only.get((row * NEXT_ROW + place + draw * NEXT_DRAW) % class.only.len().max(1))?;
            datum.copy_from_slice(&value.to_le_bytes()[..class.datum_bytes]);
        }
        Some(words_of(spec, &bytes))
    }
}

/// The words that some bytes are in a bank: bits that its words lack are left out.
fn words_of(bank: &Bank, bytes: &[u8]) -> Vec<u32> {
    let mut words = bank.words_of(bytes);
    words.iter_mut().for_each(|word| *word &= bank.word_mask());
    words
}

/// The rows that a plan's settings are, but those that the base state has.
pub(super) fn rows_of(layout: &Layout, settings: &Settings) -> BTreeMap<(usize, usize), Vec<u32>> {
    let Some(number) = layout.settings else { return BTreeMap::new() };
    let bank = &layout.banks[number];
    let rows = settings.rows().map(|(row, word)| (row, vec![word; bank.columns()]));
    rows.filter(|(row, words)| !bank.is_base(*row, words)).map(|(row, words)| ((number, row), words)).collect()
}

/// How many landmarks further the next row, and the next draw, begins.
const NEXT_ROW: usize = 5;
const NEXT_DRAW: usize = 11;

/// Names a row of a test with what it can hold of `words`, unless that is how it is in the base state.
pub(super) fn put(layout: &Layout, test: &mut Test, key: (usize, usize), mut words: Vec<u32>) {
    let bank = &layout.banks[key.0];
    bank.hold(key.1, &mut words);
    if bank.is_base(key.1, &words) {
        test.before.rows.remove(&key);
    } else {
        test.before.rows.insert(key, words);
    }
}

/// The values of a format that mean something of their own, each with both signs: zeros, the ends of denormal and of normal
/// numbers, one, infinities and what is not a number; of integers the ends of the range, one, and the ends of a shift.
fn landmarks_of(format: &Format) -> Vec<u64> {
    let bits = format.mantissa_bits();
    let all = low(bits);
    let mut magnitudes: Vec<(u64, u64)> = Vec::new();
    match (format.kind, format.exponent) {
        (FormatKind::Float { bias }, Some(piece)) => {
            let (one, last) = (u64::from(bias.unsigned_abs()), piece.low_mask());
            magnitudes.extend([(0, 0), (0, 1), (0, all), (1, 0), (one, 0), (last - 1, all)]);
            magnitudes.extend([(last, 0), (last, 1), (last, all)]);
        }
        (kind, exponent) => {
            let middle = exponent.map_or(0, |piece| piece.low_mask().div_ceil(2));
            let ends = [0, 1, 31, 32, all >> 1, all].map(|value| (middle, value & all));
            magnitudes.extend(ends);
            if kind != FormatKind::SignMagnitude {
                magnitudes.extend(
                    [all.wrapping_sub(30), all.wrapping_sub(31), (all >> 1) + 1].map(|value| (middle, value & all)),
                );
            }
        }
    }
    let signs = if format.sign.is_some() { 2 } else { 1 };
    let of = |&(exponent, mantissa)| (0..signs).map(move |sign| format.place(sign, exponent, mantissa));
    magnitudes.iter().flat_map(of).collect()
}

/// An ordinary value of a format: a small integer, or a number around one of which only the highest three bits of the
/// mantissa may be set.
pub(super) fn ordinary(format: &Format, number: u64) -> u64 {
    let key = mix64(number);
    let bits = format.mantissa_bits();
    let sign = key >> 40 & 1;
    match format.kind {
        FormatKind::Float { bias } => {
            let mantissa = if bits >= 3 { (key & 7) << (bits - 3) } else { key & low(bits) };
            let bias = u64::from(bias.unsigned_abs());
            format.place(sign, bias - 1 + (key >> 8) % 3, mantissa)
        }
        FormatKind::SignMagnitude => {
            let middle = format.exponent.map_or(0, |piece| piece.low_mask().div_ceil(2));
            format.place(sign, middle, key & 7 & low(bits))
        }
        FormatKind::TwosComplement => format.place_mantissa((key & 7).wrapping_sub(4) & low(bits)),
        FormatKind::Bits => format.place_mantissa(key & 7 & low(bits)),
    }
}

/// A row beside those that are read, which nothing touches.
fn neighbour(
    layout: &Layout,
    sources: &[(usize, usize)],
    touched: &RowSet,
    noise: &mut Noise,
) -> Option<(usize, usize)> {
    let (&(bank, first), &(_, last)) = (sources.first()?, sources.last()?);
    let spec = &layout.banks[bank];
    let beside = [Some(last + 1).filter(|&row| row < spec.rows()), first.checked_sub(1)];
    let beside: Vec<usize> =
        beside.into_iter().flatten().filter(|row| !touched.contains(spec.first_row + row)).collect();
    pick(&beside, 1, noise).first().map(|&row| (bank, row))
}

/// The words of some columns, filled with values of a width in bits: narrower ones lie in a word side by side, wider ones in
/// several words.
fn corner_words(spec: &Bank, columns: usize, width: u32, mut value: impl FnMut() -> u64) -> Vec<u32> {
    let total = spec.bits * columns as u32;
    let step = if width > 0 && total.is_multiple_of(width) { width } else { total };
    let bits = (0..total).step_by(step as usize).fold(0, |bits, shift| bits | value() << shift);
    (0..columns).map(|column| (bits >> (spec.bits * column as u32)) as u32 & spec.word_mask()).collect()
}

/// Up to `count` different items, in a drawn order.
fn pick<T: Copy>(items: &[T], count: usize, noise: &mut Noise) -> Vec<T> {
    let mut left = items.to_vec();
    (0..count.min(items.len())).map(|_| left.swap_remove(noise.below(left.len()))).collect()
}

/// Of the tests whose data could make them contested, one in so many has such data.
const CONTESTED: usize = 4;

/// How often a datum is drawn that is not to make a test contested.
const SETTLING: usize = 16;

/// Kinds of values: any corner, denormals, all-ones exponents, low mantissa bits, zeros, negative ones, uniform bits.
const STRATA: usize = 7;
/// The kind of uniform bits.
const UNIFORM: usize = STRATA - 1;
/// More kinds, for classes that have values which follow from no format: what is halfway for a narrowing of moderate
/// data, and, several times as often as any other kind, those values.
const EXTRA_STRATA: usize = 5;
const TIES: usize = STRATA;
const EXTRA: usize = TIES + 1;

/// How far the exponents of moderate data are from that of one.
const MODERATE: u64 = 1;

fn stratified(format: &'static Format, stratum: usize) -> Vec<u64> {
    let exponent = |value: u64| format.exponent.map(|piece| (value >> piece.shift) & ((1 << piece.width) - 1));
    let last = format.exponent.map(|piece| (1 << piece.width) - 1);
    let keep = |value: &u64| match stratum {
        1 => exponent(*value).unwrap_or(0) == 0 && format.mantissa_of(*value) != 0,
        2 => exponent(*value) == last,
        3 => format.mantissa_of(*value) & 7 != 0 && exponent(*value) != Some(0),
        4 => exponent(*value).unwrap_or(0) == 0 && format.mantissa_of(*value) == 0,
        TIES => is_near_one(format, *value) && is_near_tie(format, *value),
        5 => format.sign.is_none_or(|sign| *value >> sign & 1 != 0),
        _ => true,
    };
    let all = corners(format);
    let chosen: Vec<u64> = all.iter().copied().filter(keep).collect();
    if chosen.is_empty() { all.to_vec() } else { chosen }
}

fn is_near_one(format: &Format, value: u64) -> bool {
    match (format.kind, format.exponent) {
        (FormatKind::Float { bias }, Some(piece)) => {
            (value >> piece.shift & piece.low_mask()).abs_diff(u64::from(bias.unsigned_abs())) <= MODERATE
        }
        _ => true,
    }
}

/// Whether a value is halfway between two of a narrower format, or beside that.
fn is_near_tie(format: &Format, value: u64) -> bool {
    let mantissa = format.mantissa_of(value);
    format.narrowings.iter().any(|&dropped| {
        let low = mantissa & ((1 << dropped) - 1);
        low.abs_diff(1 << (dropped - 1)) <= 1
    })
}
