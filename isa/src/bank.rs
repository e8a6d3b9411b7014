//! Banks: the large, row-organized part of a state, typed inside and flat outside.

use bytemuck::{Pod, Zeroable};

use crate::Field;

/// The most banks that one instruction set may declare.
pub const MAX_BANKS: usize = 11;

/// How a word of a bank is stored, in bytes. The word itself may be narrower (see [`Bank::bits`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordSize {
    /// One byte.
    U8,
    /// Two bytes, little endian.
    U16,
    /// Four bytes, little endian.
    U32,
}

impl WordSize {
    /// Size of one stored word, in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            WordSize::U8 => 1,
            WordSize::U16 => 2,
            WordSize::U32 => 4,
        }
    }

    /// The word at the beginning of some bytes.
    #[inline]
    pub(crate) fn load(self, bytes: &[u8]) -> u32 {
        match self {
            WordSize::U8 => u32::from(bytes[0]),
            WordSize::U16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            WordSize::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }

    /// All words of some bytes. Which size they have is asked once.
    fn load_all(self, bytes: &[u8]) -> Vec<u32> {
        match self {
            WordSize::U8 => bytes.iter().copied().map(u32::from).collect(),
            WordSize::U16 => bytes.as_chunks().0.iter().map(|&word| u32::from(u16::from_le_bytes(word))).collect(),
            WordSize::U32 => bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect(),
        }
    }

    /// Puts the low bits of words one behind the other.
    fn store_all(self, bytes: &mut [u8], words: &[u32]) {
        match self {
            WordSize::U8 => bytes.iter_mut().zip(words).for_each(|(byte, &word)| *byte = word as u8),
            WordSize::U16 => {
                let places = bytes.as_chunks_mut().0.iter_mut();
                places.zip(words).for_each(|(place, &word)| *place = (word as u16).to_le_bytes());
            }
            WordSize::U32 => {
                let places = bytes.as_chunks_mut().0.iter_mut();
                places.zip(words).for_each(|(place, &word)| *place = word.to_le_bytes());
            }
        }
    }

    /// Puts the low bits of `word` at the beginning of some bytes.
    #[inline]
    pub(crate) fn store(self, bytes: &mut [u8], word: u32) {
        let [first, second, ..] = word.to_le_bytes();
        match self {
            WordSize::U8 => bytes[0] = first,
            // A copy each, of a length that is known, and no call for both.
            WordSize::U16 => *bytes.first_chunk_mut().expect("two bytes") = [first, second],
            WordSize::U32 => *bytes.first_chunk_mut().expect("four bytes") = word.to_le_bytes(),
        }
    }
}

/// What a bank is for; it decides how a difference in it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankRole {
    /// Data: a difference is of kind *value*, or *row* if the reference did not write that row.
    Data,
    /// Validity marks beside a data bank: a difference is of kind *validity*.
    Validity,
}

/// What a row of a bank holds in every state that a machine can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldRow {
    /// The row.
    pub row: usize,
    /// What it holds.
    pub holds: Holds,
}

/// What can stand in a row that not every word can stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A constant: the word at a column is `first` and `step` for each column before it.
    Constant {
        /// The word at column 0.
        first: u32,
        /// How much more the word at the next column is.
        step: u32,
    },
    /// Words that repeat after so many columns.
    Period(usize),
}

impl Holds {
    /// The word that has to stand at a column, where `at` tells what stands at those before it.
    fn word(self, column: usize, at: impl Fn(usize) -> u32) -> u32 {
        match self {
            Holds::Constant { first, step } => (0..column).fold(first, |word, _| word + step),
            Holds::Period(columns) => at(column % columns),
        }
    }

    /// The first of the columns that have the same word as one if that may be changed, and how far they are apart.
    #[must_use]
    pub const fn alike(self, column: usize) -> (usize, usize) {
        match self {
            Holds::Constant { .. } => (column, usize::MAX),
            Holds::Period(period) => (column % period, period),
        }
    }
}

/// How software names the rows of a bank while they hold data of one kind: numbers, each of some bits of a row's number.
#[derive(Clone, Copy, Debug)]
pub struct RowNames {
    /// The kind of data, for example `data of 16 bits`.
    pub of: &'static str,
    /// What is counted, and the bits of the row's number that count it, the lowest first.
    pub parts: &'static [(&'static str, &'static [u32])],
}

impl RowNames {
    /// The name of a row, for example `tile 3, face 1, row 5`.
    #[must_use]
    pub fn name(&self, row: usize) -> String {
        let parts = self.parts.iter().map(|(what, bits)| {
            let number = bits.iter().rev().fold(0, |number, bit| number << 1 | (row >> bit & 1));
            format!("{what} {number}")
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// A named bank of rows of words, for example `SrcA[0..2][0..64][0..16]` of 19-bit words.
#[derive(Clone, Copy, Debug)]
pub struct Bank {
    /// The manual's name, for example `SrcA`.
    pub name: &'static str,
    /// Extents, outermost first; the last one is the number of words in a row.
    pub dims: &'static [usize],
    /// What each extent counts, for example `["bank", "row", "column"]`.
    pub dim_names: &'static [&'static str],
    /// How a word is stored.
    pub word: WordSize,
    /// Significant bits of a word; the stored bits above them are zero.
    pub bits: u32,
    /// What the bank is for.
    pub role: BankRole,
    /// The value of every word in the base state, but for rows of constants.
    pub base: u32,
    /// The rows in which not everything can stand, ascending.
    pub held: &'static [HeldRow],
    /// How software names its rows, for each kind of data.
    pub row_names: &'static [RowNames],
    /// Where the bank begins in the arena, in bytes.
    pub offset: usize,
    /// The number of its first row among the rows of all banks; a multiple of 64.
    pub first_row: usize,
}

impl Bank {
    /// Words in one row.
    #[must_use]
    #[inline]
    pub fn columns(&self) -> usize {
        *self.dims.last().expect("a bank has at least one extent")
    }

    /// Number of rows, all leading extents multiplied.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        self.extents().iter().product()
    }

    /// The extents of the indices that name a row.
    #[must_use]
    #[inline]
    pub fn extents(&self) -> &'static [usize] {
        &self.dims[..self.dims.len() - 1]
    }

    /// Size of one row, in bytes.
    #[must_use]
    #[inline]
    pub fn row_bytes(&self) -> usize {
        self.columns() * self.word.bytes()
    }

    /// The bytes of `row` (`0..rows()`) in the arena.
    #[must_use]
    #[inline]
    pub fn row_range(&self, row: usize) -> std::ops::Range<usize> {
        let start = self.offset + row * self.row_bytes();
        start..start + self.row_bytes()
    }

    /// All significant bits of a word set.
    #[must_use]
    #[inline]
    pub fn word_mask(&self) -> u32 {
        if self.bits >= 32 { u32::MAX } else { (1 << self.bits) - 1 }
    }

    /// The word at `column` of a row given as bytes.
    #[must_use]
    #[inline]
    pub fn word_at(&self, row: &[u8], column: usize) -> u32 {
        self.word.load(&row[column * self.word.bytes()..])
    }

    /// Puts the word `value` at `column` of a row given as bytes.
    #[inline]
    pub fn put_word(&self, row: &mut [u8], column: usize, value: u32) {
        self.word.store(&mut row[column * self.word.bytes()..], value);
    }

    /// The words of a row given as bytes.
    #[must_use]
    pub fn words_of(&self, row: &[u8]) -> Vec<u32> {
        self.word.load_all(row)
    }

    /// Puts the words of a row into its bytes.
    pub fn put_words(&self, row: &mut [u8], words: &[u32]) {
        self.word.store_all(row, words);
    }

    /// What a row holds in every state, if not everything can stand there.
    #[must_use]
    #[inline]
    pub fn holds(&self, row: usize) -> Option<Holds> {
        self.held.iter().find(|held| held.row == row).map(|held| held.holds)
    }

    /// The word at a place in the base state.
    #[must_use]
    pub fn base_word(&self, row: usize, column: usize) -> u32 {
        match self.holds(row) {
            Some(holds @ Holds::Constant { .. }) => holds.word(column, |_| self.base),
            Some(Holds::Period(_)) | None => self.base,
        }
    }

    /// A row in the base state.
    #[must_use]
    pub fn base_row(&self, row: usize) -> Vec<u32> {
        self.base_words(row).collect()
    }

    fn base_words(&self, row: usize) -> impl Iterator<Item = u32> {
        let constant = self.holds(row).filter(|holds| matches!(holds, Holds::Constant { .. }));
        let word = move |column| constant.map_or(self.base, |holds| holds.word(column, |_| self.base));
        (0..self.columns()).map(word)
    }

    /// Whether a row is as in the base state.
    #[must_use]
    pub fn is_base(&self, row: usize, words: &[u32]) -> bool {
        words.iter().copied().eq(self.base_words(row))
    }

    /// The first column of a row that cannot hold its word, and the word that would have to stand there.
    #[must_use]
    pub fn misheld(&self, row: usize, words: &[u32]) -> Option<(usize, u32)> {
        let holds = self.holds(row)?;
        let must = |column| (column, holds.word(column, |other| words[other]));
        (0..words.len()).map(must).find(|&(column, word)| words[column] != word)
    }

    /// Gives words that were drawn for a row what it can hold.
    pub fn hold(&self, row: usize, words: &mut [u32]) {
        let Some(holds) = self.holds(row) else { return };
        for column in 0..words.len() {
            words[column] = holds.word(column, |other| words[other]);
        }
    }

    /// The same for a row given as bytes.
    pub fn hold_bytes(&self, row: usize, bytes: &mut [u8]) {
        let Some(holds) = self.holds(row) else { return };
        for column in 0..self.columns() {
            let word = holds.word(column, |other| self.word_at(bytes, other));
            self.put_word(bytes, column, word);
        }
    }

    /// The name of a row, for example `SrcA[0][39]`.
    #[must_use]
    pub fn row_name(&self, row: usize) -> String {
        let mut indices = Vec::new();
        let mut rest = row;
        for extent in self.extents().iter().rev() {
            indices.push(rest % extent);
            rest /= extent;
        }
        let mut name = self.name.to_string();
        for index in indices.iter().rev() {
            name.push_str(&format!("[{index}]"));
        }
        name
    }

    /// The name of a word, for example `SrcA[0][39][12]`; a bank of one column does not print it.
    #[must_use]
    pub fn word_name(&self, row: usize, column: usize) -> String {
        let name = self.row_name(row);
        if self.columns() == 1 { name } else { format!("{name}[{column}]") }
    }
}

/// The layout of a state: its banks and its small state.
#[derive(Debug)]
pub struct Layout {
    /// The banks, in the order of their numbers.
    pub banks: &'static [Bank],
    /// Size of the arena that holds all banks, in bytes.
    pub arena_bytes: usize,
    /// Size of the small state, in bytes.
    pub small_bytes: usize,
    /// The named fields of the small state.
    pub fields: fn() -> &'static [Field],
    /// The bank whose words are settings rather than data, if there is one, of at most [`MAX_SETTINGS`](crate::MAX_SETTINGS) rows.
    pub settings: Option<usize>,
}

impl Layout {
    /// The bank that a row number among all banks lies in, and the row in it.
    #[must_use]
    pub fn locate(&self, row_id: usize) -> (usize, usize) {
        let bank = self.banks.iter().rposition(|bank| bank.first_row <= row_id).expect("row numbers begin at zero");
        (bank, row_id - self.banks[bank].first_row)
    }

    /// Size of the row with this number among all banks, in bytes.
    #[must_use]
    #[inline]
    pub fn row_bytes(&self, row_id: usize) -> usize {
        self.banks[self.locate(row_id).0].row_bytes()
    }

    /// Whether there is a row with this number: numbers between banks have none.
    #[must_use]
    pub fn has_row(&self, row_id: usize) -> bool {
        let (bank, row) = self.locate(row_id);
        row < self.banks[bank].rows()
    }

    /// The number of the bank called `name`.
    #[must_use]
    pub fn bank_named(&self, name: &str) -> Option<usize> {
        self.banks.iter().position(|bank| bank.name == name)
    }

    /// The field called `name`.
    #[must_use]
    pub fn field_named(&self, name: &str) -> Option<&'static Field> {
        (self.fields)().iter().find(|field| field.name == name)
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Bytes that begin at a multiple of 64, so that typed and vector views of them are aligned.
#[derive(Clone)]
pub struct AlignedBytes {
    lines: Box<[Line]>,
    len: usize,
}

impl AlignedBytes {
    /// `len` zero bytes.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        AlignedBytes { lines: vec![Line([0; 64]); len.div_ceil(64)].into_boxed_slice(), len }
    }

    /// The bytes as a `T`, which has `LINES` times 64 of them.
    ///
    /// # Panics
    /// If there are more or fewer.
    #[inline]
    pub fn view_mut<T: Pod, const LINES: usize>(&mut self) -> &mut T {
        let lines: &mut [Line; LINES] = (&mut *self.lines).try_into().expect("as many bytes as the type has");
        // The length is a constant here, so that nothing is left to be asked.
        &mut bytemuck::cast_slice_mut(lines)[0]
    }
}

impl std::ops::Deref for AlignedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl std::ops::DerefMut for AlignedBytes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}
