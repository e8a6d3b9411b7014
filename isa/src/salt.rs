//! Salting: which values the rows that a case reads are filled with.

use crate::{Bank, Layout, MAX_BANKS, State};

/// What the rows that a case reads look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowShape {
    /// Two rows of a pool, each datum from one of them.
    #[default]
    Blend,
    /// Nothing but zero.
    Zero,
    /// The same corner value in all data of all rows.
    Corner,
    /// The same value in all data of a row, any.
    Equal,
    /// The same value in all data of a row but one.
    Odd,
    /// Corner values, so that each meets each other in the same place of two rows.
    Pairs,
}

impl RowShape {
    /// The name of the axis that every instruction has for it.
    pub const AXIS: &'static str = "row_shape";
    /// All of them.
    pub const ALL: [RowShape; 6] =
        [RowShape::Blend, RowShape::Zero, RowShape::Corner, RowShape::Equal, RowShape::Odd, RowShape::Pairs];
    /// Their names, in this order.
    pub const NAMES: [&'static str; 6] = ["blend", "zero", "one corner", "all equal", "one odd", "pairs of corners"];
}

/// The most ranges of rows with values of their own that a case may have.
pub const MAX_SALT_RANGES: usize = 4;

/// Rows that are salted with other values than the rest of their bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaltRange {
    /// The first row, among the rows of all banks.
    pub first: u16,
    /// The row behind the last one; not above `first` if there is no row.
    pub end: u16,
    /// A number of a [`crate::ValueClass`] of the instruction set.
    pub class: u8,
}

impl SaltRange {
    /// Whether a row, by its number among the rows of all banks, lies in the range.
    #[must_use]
    #[inline]
    pub const fn contains(&self, row_id: usize) -> bool {
        self.first as usize <= row_id && row_id < self.end as usize
    }
}

/// The most rows of a bank of settings.
pub const MAX_SETTINGS: usize = 8;

/// The rows of a bank of settings ([`Layout::settings`]) that hold one word in every column: axes set them, and read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The number of the bank's first row among the rows of all banks.
    first: u16,
    /// Bit n: row n holds one word.
    held: u8,
    words: [u32; MAX_SETTINGS],
}

impl Settings {
    /// Those among the rows of a state.
    #[must_use]
    pub fn of(state: &State) -> Self {
        Self::among(state.layout, |bank, row| bank.words_of(&state.arena[bank.row_range(row)]))
    }

    /// Those among rows.
    #[must_use]
    pub fn among(layout: &Layout, words_of: impl Fn(&Bank, usize) -> Vec<u32>) -> Self {
        let mut settings = Settings::default();
        let Some(bank) = layout.settings.map(|bank| &layout.banks[bank]) else { return settings };
        for row in 0..bank.rows() {
            let words = words_of(bank, row);
            if words.iter().all(|&word| word == words[0]) {
                settings.set(bank, row, words[0]);
            }
        }
        settings
    }

    /// Has a row of the bank of settings hold a word.
    pub fn set(&mut self, bank: &Bank, row: usize, word: u32) {
        self.first = u16::try_from(bank.first_row).expect("row numbers are small");
        self.held |= 1 << row;
        self.words[row] = word;
    }

    /// The word that a row of the bank of settings holds in every column.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<u32> {
        (self.held >> row & 1 != 0).then(|| self.words[row])
    }

    /// The word that a row holds in every column; the row by its number among the rows of all banks.
    #[must_use]
    #[inline]
    pub fn of_row(&self, row_id: usize) -> Option<u32> {
        if self.held == 0 {
            return None;
        }
        let row = row_id.checked_sub(usize::from(self.first)).filter(|&row| row < MAX_SETTINGS)?;
        self.get(row)
    }

    /// The rows, by their numbers in their bank, with their words.
    pub fn rows(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..MAX_SETTINGS).filter_map(|row| Some((row, self.get(row)?)))
    }
}

/// Which values each bank is salted with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaltPlan {
    /// For each bank, a number of a [`crate::ValueClass`] of the instruction set.
    pub class: [u8; MAX_BANKS],
    /// Rows that have a class of their own; where ranges overlap, the first counts.
    pub ranges: [SaltRange; MAX_SALT_RANGES],
    /// What the rows look like.
    pub shape: RowShape,
    /// Rows that hold one word, whatever their class and the shape.
    pub settings: Settings,
}

impl SaltPlan {
    /// The same plan with other settings.
    #[must_use]
    pub fn with(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The class of a row of a bank; the row by its number among the rows of all banks.
    #[must_use]
    #[inline]
    pub fn class_of(&self, bank: usize, row_id: usize) -> u8 {
        self.ranges.iter().find(|range| range.contains(row_id)).map_or(self.class[bank], |range| range.class)
    }
}
