//! Locating a stray write: which rows a case changed behind its report, and if it is one word, from what to what.
//!
//! The border tells the hash of the arena and nothing else, so the rows are found by experiment. Rows of an overlay are put
//! back after a case. So the case is run again with more rows in its overlay, with the contents of the background: nothing
//! is different for the instruction, and if the hash is right now, the rows that were changed are among these. Halving
//! names them.
//!
//! CRC-32 is linear: two hashes of arenas that differ in one word tell, for each place that the word may have, by which bits
//! it differs. If several places of the row would do, the background is changed at each in turn: the hash depends on it
//! at the right place, unless the target inverts bits.
//!
//! A target may also write after it has put rows back. Then no overlay helps, and a single word is looked for in the whole
//! arena: the place at which, on two backgrounds, the same value is left, or the same is added, or few bits are inverted.

use tandem_isa::{Answers, Batch, Border, Layout, Misbehaviour};

use crate::{Difference, Kind};

/// The most runs of a case for naming its rows.
const MOST_RUNS: usize = 96;
/// The most rows that are named.
const MOST_ROWS: usize = 8;
/// So few bits are changed by chance in one place of a bank in a million.
const FEW_BITS: u32 = 2;

/// Where stray writes were found last: it is tried first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hint {
    row: Option<usize>,
    column: Option<usize>,
}

/// A case that strays each time that it is run on the background.
pub(crate) struct StrayCase<'a> {
    pub(crate) layout: &'static Layout,
    pub(crate) background: &'a [u8],
    /// The case, alone.
    pub(crate) batch: &'a Batch,
}

/// Names the rows that the case changes behind its report, as differences in the order of the layout; none if the
/// experiments do not show them.
pub(crate) fn locate(border: &mut dyn Border, stray: &StrayCase<'_>, hint: &mut Hint) -> Vec<Difference> {
    let expected = crc32fast::hash(stray.background);
    let mut search = Search { border: &mut *border, stray, expected, runs: 0 };
    let rows = search.rows(hint).unwrap_or_default();
    let places = |rows: &[usize]| rows.iter().map(|&row| stray.layout.locate(row)).collect();
    match rows[..] {
        [] => {
            let found = search.anywhere().unwrap_or_default();
            let _ = border.load(stray.background);
            found.into_iter().collect()
        }
        [row] => {
            let word = search.word(row, hint).unwrap_or_default();
            let _ = border.load(stray.background);
            *hint = Hint { row: Some(row), column: word.map(|(column, _)| column) };
            let (bank, row) = stray.layout.locate(row);
            let Some((column, changed)) = word else { return vec![Difference::StrayRows(vec![(bank, row)])] };
            let spec = &stray.layout.banks[bank];
            let before = spec.word_at(&stray.background[spec.row_range(row)], column);
            let (expected, got) = (before, before ^ changed);
            vec![Difference::Word { bank, row, column, before, expected, got, kind: Kind::Stray }]
        }
        ref rows => vec![Difference::StrayRows(places(rows))],
    }
}

struct Search<'a> {
    border: &'a mut dyn Border,
    stray: &'a StrayCase<'a>,
    /// The hash of the background.
    expected: u32,
    runs: usize,
}

impl Search<'_> {
    /// The hash after the case with these rows in its overlay too. They are ascending.
    fn hash(&mut self, background: &[u8], rows: &[usize]) -> Result<u32, Misbehaviour> {
        self.runs += 1;
        let StrayCase { layout, batch, .. } = *self.stray;
        let mut batch = batch.clone();
        let (own, mut contents) = (std::mem::take(&mut batch.overlay_row), &self.stray.batch.overlay_data[..]);
        batch.overlay_data.clear();
        let mut more = rows.iter().copied().peekable();
        let mut push = |row: usize, data: &[u8]| {
            batch.overlay_row.push(u32::try_from(row).expect("a row's number fits"));
            batch.overlay_data.extend_from_slice(data);
        };
        let of = |row: usize| {
            let (bank, row) = layout.locate(row);
            &background[layout.banks[bank].row_range(row)]
        };
        for row in own.into_iter().map(|row| row as usize) {
            while let Some(earlier) = more.next_if(|&earlier| earlier < row) {
                push(earlier, of(earlier));
            }
            let (data, rest) = contents.split_at(layout.row_bytes(row));
            contents = rest;
            push(row, data);
        }
        more.for_each(|row| push(row, of(row)));
        batch.overlay_end = vec![u32::try_from(batch.overlay_row.len()).expect("the number of rows fits")];
        self.border.reset()?;
        self.border.load(background)?;
        self.border.execute(&batch, &mut Answers::default())?;
        self.border.arena_hash()
    }

    /// Whether all that the case changes is in these rows.
    fn heals(&mut self, rows: &[usize]) -> Result<bool, Misbehaviour> {
        Ok(self.hash(self.stray.background, rows)? == self.expected)
    }

    /// The rows, ascending.
    fn rows(&mut self, hint: &Hint) -> Result<Vec<usize>, Misbehaviour> {
        let own = |row: usize| self.stray.batch.overlay_row.iter().any(|&one| one as usize == row);
        if let Some(row) = hint.row.filter(|&row| !own(row))
            && self.heals(&[row])?
        {
            return Ok(vec![row]);
        }
        let banks = self.stray.layout.banks.iter();
        let all: Vec<usize> =
            banks.flat_map(|bank| bank.first_row..bank.first_row + bank.rows()).filter(|&row| !own(row)).collect();
        if self.heals(&[])? || !self.heals(&all)? {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        let is_named = self.narrow(&all, &[], &mut found)?;
        found.sort_unstable();
        // Some of them, or rows that were not needed, would say what is not so.
        Ok(if is_named && self.heals(&found)? { found } else { Vec::new() })
    }

    /// Finds the rows of `part` that are changed, given that all others are in `beside`. False if there are too many.
    fn narrow(&mut self, part: &[usize], beside: &[usize], found: &mut Vec<usize>) -> Result<bool, Misbehaviour> {
        if let [row] = *part {
            found.push(row);
            return Ok(found.len() <= MOST_ROWS);
        }
        if self.runs > MOST_RUNS {
            return Ok(false);
        }
        let (low, high) = part.split_at(part.len() / 2);
        let is_in_high = !self.heals(&merged(low, beside))?;
        let is_in_low = !is_in_high || !self.heals(&merged(high, beside))?;
        if is_in_low && !self.narrow(low, &merged(if is_in_high { high } else { &[] }, beside), found)? {
            return Ok(false);
        }
        Ok(!is_in_high || self.narrow(high, &merged(if is_in_low { low } else { &[] }, beside), found)?)
    }

    /// The only word of the arena that is changed, if there is one such and it is changed alike on two backgrounds.
    fn anywhere(&mut self) -> Result<Option<Difference>, Misbehaviour> {
        let layout = self.stray.layout;
        let first = self.stray.background;
        let mut second = first.to_vec();
        for bank in layout.banks {
            for row in 0..bank.rows() {
                let bytes = &mut second[bank.row_range(row)];
                for column in 0..bank.columns() {
                    let word = bank.word_at(bytes, column);
                    bank.put_word(bytes, column, word ^ (0x5555_5555 & bank.word_mask()));
                }
            }
        }
        let changed = self.hash(first, &[])? ^ self.expected;
        let again = self.hash(&second, &[])? ^ crc32fast::hash(&second);
        if changed == 0 || again == 0 {
            return Ok(None);
        }
        let mut registers = [Register::new(changed), Register::new(again)];
        let mut end = layout.arena_bytes;
        let mut found = Vec::new();
        let mut banks: Vec<usize> = (0..layout.banks.len()).collect();
        banks.sort_by_key(|&bank| std::cmp::Reverse(layout.banks[bank].offset));
        for bank in banks {
            let spec = &layout.banks[bank];
            let size = spec.word.bytes();
            for row in (0..spec.rows()).rev() {
                let range = spec.row_range(row);
                registers.iter_mut().for_each(|register| register.take_back(end - range.end));
                end = range.start;
                for column in (0..spec.columns()).rev() {
                    let [bits, bits_again] = registers.each_mut().map(|register| {
                        register.take_back(size);
                        register.value
                    });
                    if bits & !spec.word_mask() != 0 || bits_again & !spec.word_mask() != 0 {
                        continue;
                    }
                    let before = spec.word_at(&first[range.clone()], column);
                    let before_again = spec.word_at(&second[range.clone()], column);
                    let (got, got_again) = (before ^ bits, before_again ^ bits_again);
                    let added = got.wrapping_sub(before) ^ got_again.wrapping_sub(before_again);
                    let inverts = bits == bits_again && bits.count_ones() <= FEW_BITS;
                    if got == got_again || added & spec.word_mask() == 0 || inverts {
                        let (expected, kind) = (before, Kind::Stray);
                        found.push(Difference::Word { bank, row, column, before, expected, got, kind });
                    }
                }
            }
        }
        Ok(if found.len() == 1 { found.pop() } else { None })
    }

    /// The only word of a row that is changed, and by which bits, if there is one such.
    fn word(&mut self, row: usize, hint: &Hint) -> Result<Option<(usize, u32)>, Misbehaviour> {
        let changed = self.hash(self.stray.background, &[])? ^ self.expected;
        let candidates = words(self.stray.layout, row, changed);
        if let [only] = candidates[..] {
            return Ok(Some(only));
        }
        let hinted = hint.column.filter(|_| hint.row == Some(row));
        let hinted = candidates.iter().copied().find(|&(column, _)| Some(column) == hinted);
        let mut depends = Vec::new();
        for &(column, bits) in hinted.iter().chain(&candidates) {
            let mut background = self.stray.background.to_vec();
            let (bank, at) = self.stray.layout.locate(row);
            let spec = &self.stray.layout.banks[bank];
            let bytes = &mut background[spec.row_range(at)];
            let word = spec.word_at(bytes, column);
            spec.put_word(bytes, column, word ^ (0x5555_5555 & spec.word_mask()));
            if self.hash(&background, &[])? ^ crc32fast::hash(&background) != changed {
                depends.push((column, bits));
                if hinted.is_some() && depends.len() == 1 && Some((column, bits)) == hinted {
                    break;
                }
            }
        }
        // A target that inverts bits does so whatever is there.
        let few: Vec<_> = candidates.iter().copied().filter(|(_, bits)| bits.count_ones() <= FEW_BITS).collect();
        Ok(match (&depends[..], &few[..]) {
            (&[only], _) | (&[], &[only]) => Some(only),
            _ => None,
        })
    }
}

/// Both lists in one, ascending.
fn merged(left: &[usize], right: &[usize]) -> Vec<usize> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all
}

/// For each word of a row by which bits it differs, if the hashes of two arenas differ by `changed` and the arenas in this
/// word alone; words for which that cannot be are left out.
fn words(layout: &Layout, row: usize, changed: u32) -> Vec<(usize, u32)> {
    let (bank, row) = layout.locate(row);
    let spec = &layout.banks[bank];
    let range = spec.row_range(row);
    let size = spec.row_bytes() / spec.columns();
    let mut register = Register::new(changed);
    register.take_back(layout.arena_bytes - range.end);
    let mut words = Vec::new();
    for column in (0..spec.columns()).rev() {
        // From zero, a word of `size` bytes leaves what as many zero bytes leave of the word.
        register.take_back(size);
        let bits = register.value;
        if bits != 0 && bits >> (spec.bits - 1) >> 1 == 0 {
            words.push((column, bits));
        }
    }
    words.reverse();
    words
}

/// The register of a CRC-32 that runs backwards over bytes of zero.
struct Register {
    value: u32,
    /// For the highest byte after a byte: the index of the table's entry that was used, and the entry.
    entries: [(u8, u32); 256],
}

impl Register {
    fn new(value: u32) -> Self {
        let mut entries = [(0, 0); 256];
        for index in 0..=255 {
            let entry = (0..8).fold(
                u32::from(index),
                |word, _| {
                    if word & 1 == 1 { word >> 1 ^ 0xedb8_8320 } else { word >> 1 }
                },
            );
            entries[(entry >> 24) as usize] = (index, entry);
        }
        Register { value, entries }
    }

    fn take_back(&mut self, bytes: usize) {
        for _ in 0..bytes {
            let (index, entry) = self.entries[(self.value >> 24) as usize];
            self.value = (self.value ^ entry) << 8 | u32::from(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::{Bank, BankRole, Noise, WordSize};

    use super::*;

    const fn bank(name: &'static str, dims: &'static [usize], word: WordSize, offset: usize, first_row: usize) -> Bank {
        let bits = if matches!(word, WordSize::U32) { 19 } else { 16 };
        let dim_names = &["row", "column"];
        Bank {
            name,
            dims,
            dim_names,
            word,
            bits,
            role: BankRole::Data,
            base: 0,
            held: &[],
            row_names: &[],
            offset,
            first_row,
        }
    }

    static BANKS: [Bank; 2] =
        [bank("Half", &[100, 16], WordSize::U16, 0, 0), bank("Whole", &[70, 8], WordSize::U32, 3200, 128)];
    static LAYOUT: Layout =
        Layout { banks: &BANKS, arena_bytes: 3200 + 70 * 32, small_bytes: 0, fields: || &[], settings: None };

    #[test]
    fn a_changed_word_is_among_the_candidates_of_its_row_and_mostly_alone() {
        let mut noise = Noise::new(1);
        let mut alone = 0;
        for _ in 0..1000 {
            let bank = noise.below(2);
            let spec = &BANKS[bank];
            let (row, column) = (noise.below(spec.rows()), noise.below(spec.columns()));
            let mut before = vec![0; LAYOUT.arena_bytes];
            before.iter_mut().for_each(|byte| *byte = noise.bits(8) as u8);
            let mut after = before.clone();
            let bits = noise.bits(spec.bits).max(1);
            let bytes = &mut after[spec.row_range(row)];
            let word = spec.word_at(bytes, column);
            spec.put_word(bytes, column, word ^ bits);
            let changed = crc32fast::hash(&before) ^ crc32fast::hash(&after);
            let candidates = words(&LAYOUT, spec.first_row + row, changed);
            assert!(candidates.contains(&(column, bits)), "{candidates:?}");
            alone += usize::from(candidates.len() == 1);
        }
        assert!(alone > 980, "{alone}");
    }
}
