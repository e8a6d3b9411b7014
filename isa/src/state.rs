//! A machine state with a log of what was read and written, and the port through which operands are salted.

use std::cell::Cell;

use bytemuck::Pod;

use crate::{AlignedBytes, Bank, Citation, Exhaust, Expectation, Layout, SaltPlan};

/// A set of rows, numbered over all banks: a bitmap with a summary, so that clearing and walking cost what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSet {
    words: [u64; 64],
    summary: u64,
}

impl Default for RowSet {
    fn default() -> Self {
        RowSet { words: [0; 64], summary: 0 }
    }
}

impl RowSet {
    /// Most rows that a set can hold, over all banks.
    pub const CAPACITY: usize = 64 * 64;

    /// Adds a row.
    #[inline]
    pub fn insert(&mut self, row_id: usize) {
        self.words[row_id / 64 % 64] |= 1 << (row_id % 64);
        self.summary |= 1 << (row_id / 64 % 64);
    }

    /// Adds `count` (`1..=64`) rows from `row_id` on that all lie in one aligned group of 64.
    #[inline]
    pub fn insert_run(&mut self, row_id: usize, count: usize) {
        debug_assert!(count >= 1 && row_id % 64 + count <= 64);
        self.words[row_id / 64 % 64] |= (u64::MAX >> (64 - count)) << (row_id % 64);
        self.summary |= 1 << (row_id / 64 % 64);
    }

    /// Adds `count` rows from `row_id` on.
    #[inline]
    fn insert_rows(&mut self, row_id: usize, count: usize) {
        if count.wrapping_sub(1) < 64 - row_id % 64 {
            self.insert_run(row_id, count);
        } else {
            self.insert_group_by_group(row_id, row_id + count);
        }
    }

    /// Adds rows of more than one aligned group of 64, or of none.
    #[inline(never)]
    fn insert_group_by_group(&mut self, mut row_id: usize, end: usize) {
        while row_id < end {
            let next = end.min((row_id / 64 + 1) * 64);
            self.insert_run(row_id, next - row_id);
            row_id = next;
        }
    }

    /// Whether a row is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, row_id: usize) -> bool {
        self.words[row_id / 64 % 64] >> (row_id % 64) & 1 != 0
    }

    /// Whether the set has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.summary == 0
    }

    /// Number of rows in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        let mut count = 0;
        self.each_run(|_, run| count += run);
        count
    }

    /// Removes every row.
    #[inline]
    pub fn clear(&mut self) {
        let mut summary = self.summary;
        while summary != 0 {
            self.words[summary.trailing_zeros() as usize] = 0;
            summary &= summary - 1;
        }
        self.summary = 0;
    }

    /// Adds every row of `other`.
    #[inline]
    pub fn union(&mut self, other: &RowSet) {
        let mut summary = other.summary;
        while summary != 0 {
            let word = summary.trailing_zeros() as usize;
            self.words[word] |= other.words[word];
            summary &= summary - 1;
        }
        self.summary |= other.summary;
    }

    /// Calls `visit(first row, length)` for each run of adjacent rows, in ascending order.
    #[inline]
    pub fn each_run(&self, visit: impl FnMut(usize, usize)) {
        Self::each_run_of([self], visit);
    }

    /// Calls `visit(first row, length)` for each run of adjacent rows that are in any of `sets`, in ascending order.
    #[inline]
    pub fn each_run_of<const N: usize>(sets: [&RowSet; N], mut visit: impl FnMut(usize, usize)) {
        let mut summary = sets.iter().fold(0, |summary, set| summary | set.summary);
        while summary != 0 {
            let index = summary.trailing_zeros() as usize;
            summary &= summary - 1;
            let mut word = sets.iter().fold(0, |word, set| word | set.words[index]);
            while word != 0 {
                let start = word.trailing_zeros();
                let run = (word >> start).trailing_ones();
                visit(index * 64 + start as usize, run as usize);
                if start + run == 64 {
                    break;
                }
                word &= u64::MAX << (start + run);
            }
        }
    }

    /// Calls `visit` for each row, in ascending order.
    pub fn each(&self, mut visit: impl FnMut(usize)) {
        self.each_run(|start, run| (start..start + run).for_each(&mut visit));
    }
}

/// What an execution did to the banks, row by row.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Rows that were read.
    pub read: RowSet,
    /// Rows that were written.
    pub written: RowSet,
}

impl Log {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.read.clear();
        self.written.clear();
    }
}

/// Fills a row with an operand when it is read for the first time in a case.
pub trait ReadPort: Send {
    /// Begins a case: `key` and `plan` decide what every row is filled with; `corners` asks for corner values only.
    fn begin(&mut self, key: u64, plan: &SaltPlan, corners: bool);

    /// Makes the case that was begun one of a sequence.
    fn sweep(&mut self, _sweep: &Sweep) {}

    /// Narrows the operands of the case that was begun.
    fn narrow(&mut self, _to: &Narrowing) {}

    /// Puts the operand for a row of bank `bank`, whose number among all rows is `row_id`, into `bytes`.
    fn fill(&mut self, bank: usize, row_id: usize, bytes: &mut [u8]);
}

/// Which case it is of a sequence that runs through all operands of a cell: those of its domain if it has one, and else
/// those of each value class. With rows of [`crate::RowShape::Pairs`] it runs through pairs of corner values.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The same for all cases of the sequence.
    pub key: u64,
    /// Its number in the sequence.
    pub pass: u64,
    /// The operand domain of the cell.
    pub domain: Option<Exhaust>,
}

/// How the operands of a case are narrowed, beside what its plan says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Which kinds of data that the port was made with are replaced by others, a bit for each.
    pub avoid: u64,
    /// What the rows of a bank are filled with instead.
    pub fill: Option<Fill>,
}

/// Rows of one datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The number of the bank.
    pub bank: usize,
    /// Size of a datum, in bytes.
    pub datum_bytes: usize,
    /// The datum.
    pub value: u64,
    /// One datum of each row that is another.
    pub odd: Option<u64>,
}

/// The rows that a read port filled, with their contents before the instruction changed them.
#[derive(Clone)]
pub struct Overlay {
    /// Which rows.
    pub rows: RowSet,
    /// Their contents, at the place that they have in the arena; the rest is of no meaning.
    pub arena: AlignedBytes,
}

/// A bank as the log knows it: its number, and the number of its first row among all rows.
#[derive(Clone, Copy, Debug)]
pub struct LoggedBank {
    number: usize,
    first_row: usize,
    offset: usize,
}

impl LoggedBank {
    /// The bank `banks[number]`.
    #[must_use]
    pub const fn new(banks: &[Bank], number: usize) -> Self {
        LoggedBank { number, first_row: banks[number].first_row, offset: banks[number].offset }
    }
}

/// Bits of a word of which the pages promise nothing, though they promise the rest of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBits {
    /// The number of the word's row among the rows of all banks.
    pub row_id: usize,
    /// The word's place in the row.
    pub column: usize,
    /// The bits.
    pub mask: u32,
    /// Where the page leaves them open.
    pub citation: &'static Citation,
}

impl OpenBits {
    /// Puts into an arena, of which `layout` is the layout, what another has in these bits.
    pub fn settle(list: &[OpenBits], layout: &Layout, from: &[u8], to: &mut [u8]) {
        for open in list {
            let (bank, row) = layout.locate(open.row_id);
            let (bank, range) = (&layout.banks[bank], layout.banks[bank].row_range(row));
            let size = bank.word.bytes();
            let at = range.start + open.column * size;
            for (place, mask) in open.mask.to_le_bytes()[..size].iter().enumerate() {
                to[at + place] = from[at + place] & mask | to[at + place] & !mask;
            }
        }
    }
}

/// Marks reads and writes, and fills rows at their first read if a read port is open.
pub struct Tracker {
    /// Rows read and written since the log was last cleared.
    pub log: Log,
    /// Rows filled by the read port since it was last cleared.
    pub overlay: Overlay,
    /// What the reference left open since the log was last cleared; others leave nothing here.
    pub open: Vec<OpenBits>,
    /// How many of these are of earlier steps, and whether this step read a row of one.
    earlier: usize,
    reads_open: Option<&'static Citation>,
    port: Option<Box<dyn ReadPort>>,
}

impl Tracker {
    /// Forgets what was read, written, filled and left open.
    #[inline]
    pub fn clear(&mut self) {
        self.log.clear();
        self.open.clear();
        (self.earlier, self.reads_open) = (0, None);
        self.overlay.rows.clear();
    }

    /// The rows read and written; all is forgotten.
    pub fn take_log(&mut self) -> Log {
        let log = std::mem::take(&mut self.log);
        self.clear();
        log
    }

    /// Marks a read of `row` of a bank, whose contents are `bytes`, and fills it if this is its first touch.
    #[inline]
    pub fn read(&mut self, bank: LoggedBank, row: usize, bytes: &mut [u8]) {
        if self.earlier != 0 || !self.log.read.contains(bank.first_row + row) {
            self.seldom(bank, row, bytes);
        }
    }

    /// What few reads do. It is kept out of what is inlined.
    #[cold]
    #[inline(never)]
    fn seldom(&mut self, bank: LoggedBank, row: usize, bytes: &mut [u8]) {
        if self.earlier != 0 {
            self.look_for_open(bank.first_row + row);
        }
        if !self.log.read.contains(bank.first_row + row) {
            self.first_read(bank, row, bytes);
        }
    }

    /// Notes whether an earlier step left something open in a row that is read.
    fn look_for_open(&mut self, row_id: usize) {
        let open = self.open[..self.earlier].iter().find(|open| open.row_id == row_id);
        self.reads_open = self.reads_open.or(open.map(|open| open.citation));
    }

    fn first_read(&mut self, bank: LoggedBank, row: usize, bytes: &mut [u8]) {
        let row_id = bank.first_row + row;
        self.log.read.insert(row_id);
        if let Some(port) = &mut self.port
            && !self.log.written.contains(row_id)
        {
            port.fill(bank.number, row_id, bytes);
            self.overlay.rows.insert(row_id);
            let start = bank.offset + row * bytes.len();
            let copy = &mut self.overlay.arena[start..start + bytes.len()];
            // The usual sizes of a row, so that the copy is a few instructions.
            if let (Ok(to), Ok(from)) = (<&mut [u8; 64]>::try_from(&mut *copy), <&[u8; 64]>::try_from(&*bytes)) {
                *to = *from;
            } else if let (Ok(to), Ok(from)) = (<&mut [u8; 32]>::try_from(&mut *copy), <&[u8; 32]>::try_from(&*bytes)) {
                *to = *from;
            } else {
                copy.copy_from_slice(bytes);
            }
        }
    }

    /// Marks a read of `count` rows, whose contents are `bytes`.
    #[inline]
    pub fn read_run<'b>(&mut self, bank: LoggedBank, row: usize, count: usize, bytes: impl FnOnce() -> &'b mut [u8]) {
        if self.port.is_none() {
            self.log.read.insert_rows(bank.first_row + row, count);
        } else {
            self.first_reads(bank, row, count, bytes());
        }
    }

    #[inline(never)]
    fn first_reads(&mut self, bank: LoggedBank, row: usize, count: usize, bytes: &mut [u8]) {
        let size = bytes.len() / count;
        for (index, bytes) in bytes.chunks_exact_mut(size).enumerate() {
            self.read(bank, row + index, bytes);
        }
    }

    /// Marks a read of `count` rows in one aligned group of 64, whose contents are `words`, of which other views may exist.
    #[inline]
    pub fn read_cells<T: Pod>(&mut self, bank: LoggedBank, row: usize, count: usize, words: &[Cell<T>]) {
        if self.port.is_none() {
            self.log.read.insert_run(bank.first_row + row, count);
        } else {
            self.first_reads_of_cells(bank, row, count, words);
        }
    }

    #[inline(never)]
    fn first_reads_of_cells<T: Pod>(&mut self, bank: LoggedBank, row: usize, count: usize, words: &[Cell<T>]) {
        let mut copy: Vec<T> = words.iter().map(Cell::get).collect();
        self.first_reads(bank, row, count, bytemuck::cast_slice_mut(&mut copy));
        words.iter().zip(copy).for_each(|(to, word)| to.set(word));
    }

    /// Leaves bits of a word of `row` of a bank open, which the reference has just written.
    pub fn leave_open(
        &mut self,
        bank: LoggedBank,
        (row, column): (usize, usize),
        mask: u32,
        citation: &'static Citation,
    ) {
        self.open.push(OpenBits { row_id: bank.first_row + row, column, mask, citation });
    }

    /// Begins another step: what was left open so far is of earlier ones.
    pub fn begin_step(&mut self) {
        self.earlier = self.open.len();
    }

    /// What is promised of the step: nothing, if it read a row in which an earlier one left bits open, for it could build on them.
    #[must_use]
    pub fn built_on_open(&self) -> Option<Expectation> {
        self.reads_open.map(Expectation::Unspecified)
    }

    /// Marks a write of `row` of a bank.
    #[inline]
    pub fn write(&mut self, bank: LoggedBank, row: usize) {
        // Looking first keeps word-by-word writers from waiting for their own stores.
        if !self.log.written.contains(bank.first_row + row) {
            self.log.written.insert(bank.first_row + row);
        }
    }

    /// Marks a write of `count` rows.
    #[inline]
    pub fn write_run(&mut self, bank: LoggedBank, row: usize, count: usize) {
        self.log.written.insert_rows(bank.first_row + row, count);
    }

    /// Marks a write of `count` rows in one aligned group of 64.
    #[inline]
    pub fn write_cells(&mut self, bank: LoggedBank, row: usize, count: usize) {
        self.log.written.insert_run(bank.first_row + row, count);
    }
}

/// A machine state: banks in one arena, small state beside them, and the log of the current case.
///
/// The typed views of an instruction set (for example [`crate::tensix::Tensix`]) are the way in for targets; the
/// harness uses the flat side.
pub struct State {
    /// The layout of the arena and of the small state.
    pub layout: &'static Layout,
    /// All banks, flat; [`crate::Bank::row_range`] tells where a row lies.
    pub arena: AlignedBytes,
    /// The small state, flat; [`crate::Field`]s tell what lies where.
    pub small: AlignedBytes,
    /// The log, and the read port.
    pub tracker: Tracker,
}

impl State {
    /// A state of zeros. See [`crate::Machine::base_state`] for the base state.
    #[must_use]
    pub fn zeroed(layout: &'static Layout) -> Self {
        State {
            layout,
            arena: AlignedBytes::zeroed(layout.arena_bytes),
            small: AlignedBytes::zeroed(layout.small_bytes),
            tracker: Tracker {
                log: Log::default(),
                overlay: Overlay { rows: RowSet::default(), arena: AlignedBytes::zeroed(layout.arena_bytes) },
                open: Vec::new(),
                earlier: 0,
                reads_open: None,
                port: None,
            },
        }
    }

    /// The bytes of a row.
    #[must_use]
    pub fn row(&self, bank: usize, row: usize) -> &[u8] {
        &self.arena[self.layout.banks[bank].row_range(row)]
    }

    /// The bytes of a row, to change without a mark in the log.
    pub fn row_mut(&mut self, bank: usize, row: usize) -> &mut [u8] {
        &mut self.arena[self.layout.banks[bank].row_range(row)]
    }

    /// A word of a bank.
    #[must_use]
    pub fn word(&self, bank: usize, row: usize, column: usize) -> u32 {
        self.layout.banks[bank].word_at(self.row(bank, row), column)
    }

    /// Changes a word of a bank without a mark in the log.
    pub fn set_word(&mut self, bank: usize, row: usize, column: usize, value: u32) {
        let spec = &self.layout.banks[bank];
        spec.put_word(self.row_mut(bank, row), column, value);
    }

    /// Opens or closes the read port.
    pub fn set_port(&mut self, port: Option<Box<dyn ReadPort>>) {
        self.tracker.port = port;
    }

    /// The open read port.
    pub fn port_mut(&mut self) -> Option<&mut (dyn ReadPort + 'static)> {
        self.tracker.port.as_deref_mut()
    }

    /// Copies banks and small state from `other`, which has the same layout; log and port stay.
    pub fn copy_from(&mut self, other: &State) {
        self.arena.copy_from_slice(&other.arena);
        self.small.copy_from_slice(&other.small);
    }
}
