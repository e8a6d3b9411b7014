//! Banks: the large, row-organized part of a state, typed inside and flat outside.

use bytemuck::{Pod, Zeroable};

use crate::Field;

/// The most banks that one instruction set may declare.
pub const MAX_BANKS: usize = 8;

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

    /// Puts the low bits of `word` at the beginning of some bytes.
    #[inline]
    pub(crate) fn store(self, bytes: &mut [u8], word: u32) {
        let [first, second, ..] = word.to_le_bytes();
        match self {
            WordSize::U8 => bytes[0] = first,
            WordSize::U16 => bytes[..2].copy_from_slice(&[first, second]),
            WordSize::U32 => bytes[..4].copy_from_slice(&word.to_le_bytes()),
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
    /// The value of every word in the base state.
    pub base: u32,
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
        self.dims[..self.dims.len() - 1].iter().product()
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

    /// The name of a row, for example `SrcA[0][39]`.
    #[must_use]
    pub fn row_name(&self, row: usize) -> String {
        let mut indices = Vec::new();
        let mut rest = row;
        for extent in self.dims[..self.dims.len() - 1].iter().rev() {
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
