//! The border: cases and answers as flat arrays, for implementations that are not ours.
//!
//! Whoever is behind the border gets the background once an epoch, and then cases as differences from it. It is told
//! where a case begins, and nothing of what must come of it. `harness/include/tandem.h` has the same arrays for C.

use crate::Layout;

/// The version of the arrays and of everything that carries them.
pub const BORDER_VERSION: u32 = 1;

/// Cases of one instruction in one edition that begin on the same background.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The number of the instruction in its set.
    pub instruction: u32,
    /// 0 for the edition `spec`, 1 for `newest`.
    pub edition: u32,
    /// Number of cases.
    pub cases: u32,
    /// The code words, `cases` times as many as the instruction has.
    pub code: Vec<u32>,
    /// The small states, `cases` times [`Layout::small_bytes`].
    pub small: Vec<u8>,
    /// For each case, the number of overlay rows up to and with its own.
    pub overlay_end: Vec<u32>,
    /// The overlay rows, numbered over all banks ([`crate::Bank::first_row`]); ascending in each case.
    pub overlay_row: Vec<u32>,
    /// The contents of the overlay rows, one after the other.
    pub overlay_data: Vec<u8>,
}

impl Batch {
    /// Forgets all cases.
    pub fn clear(&mut self) {
        self.cases = 0;
        self.code.clear();
        self.small.clear();
        self.overlay_end.clear();
        self.overlay_row.clear();
        self.overlay_data.clear();
    }

    /// The cases `from..to` as a batch of their own. `layout` tells how long rows are.
    #[must_use]
    pub fn part(&self, layout: &Layout, from: usize, to: usize) -> Batch {
        let row_bytes = |rows: &[u32]| rows.iter().map(|&row| layout.row_bytes(row as usize)).sum::<usize>();
        let end = |case: usize| if case == 0 { 0 } else { self.overlay_end[case - 1] as usize };
        let (first, last) = (end(from), end(to));
        let start = row_bytes(&self.overlay_row[..first]);
        let bytes = row_bytes(&self.overlay_row[first..last]);
        let (code, small) = (self.code.len() / self.cases as usize, layout.small_bytes);
        Batch {
            instruction: self.instruction,
            edition: self.edition,
            cases: (to - from) as u32,
            code: self.code[from * code..to * code].to_vec(),
            small: self.small[from * small..to * small].to_vec(),
            overlay_end: self.overlay_end[from..to].iter().map(|&end| end - first as u32).collect(),
            overlay_row: self.overlay_row[first..last].to_vec(),
            overlay_data: self.overlay_data[start..start + bytes].to_vec(),
        }
    }
}

/// What became of the cases of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Number of cases that were answered: the first ones of the batch, at least one. The others are sent again.
    pub cases: u32,
    /// For each case 0 for done, 1 for blocked, 2 for unsupported.
    pub outcome: Vec<u32>,
    /// The small states afterwards, `cases` times [`Layout::small_bytes`].
    pub small: Vec<u8>,
    /// For each case, the number of dirty rows up to and with its own.
    pub dirty_end: Vec<u32>,
    /// The rows that the case wrote, numbered over all banks; each once in a case, in any order.
    pub dirty_row: Vec<u32>,
    /// The contents of the dirty rows, one after the other.
    pub dirty_data: Vec<u8>,
}

impl Answers {
    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.cases = 0;
        self.outcome.clear();
        self.small.clear();
        self.dirty_end.clear();
        self.dirty_row.clear();
        self.dirty_data.clear();
    }
}

/// What somebody behind the border did instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MisbehaviourKind {
    /// It ended.
    Crashed,
    /// It did not answer in time.
    Hung,
    /// It answered what is no answer: too short, too long, twice, out of turn, out of range.
    Malformed,
}

impl MisbehaviourKind {
    /// The word for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MisbehaviourKind::Crashed => "crash",
            MisbehaviourKind::Hung => "hang",
            MisbehaviourKind::Malformed => "malformed answer",
        }
    }
}

/// That somebody behind the border misbehaved, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", kind.name())]
pub struct Misbehaviour {
    /// What it did.
    pub kind: MisbehaviourKind,
    /// In which way, for people.
    pub message: String,
    /// The case of the batch that did it, where that is known.
    pub case: Option<u32>,
}

impl Misbehaviour {
    /// A misbehaviour of an unknown case.
    #[must_use]
    pub fn new(kind: MisbehaviourKind, message: impl Into<String>) -> Self {
        Misbehaviour { kind, message: message.into(), case: None }
    }
}

/// The way to an implementation behind the border.
///
/// After an error nothing but [`Border::restart`] may be called.
pub trait Border: Send {
    /// Hands over the background: all banks in the order of the layout. It is kept until the next one.
    ///
    /// # Errors
    /// What went wrong behind the border.
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour>;

    /// Executes each case on the background with its overlay, and puts the background back after each.
    ///
    /// The answers are as they came: whether they fit the batch is for the caller to check.
    ///
    /// # Errors
    /// What went wrong behind the border.
    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour>;

    /// CRC-32 (as in zlib) of all banks in the order of the layout, as they are behind the border now.
    ///
    /// # Errors
    /// What went wrong behind the border.
    fn arena_hash(&mut self) -> Result<u32, Misbehaviour>;

    /// Makes it forget whatever it keeps between cases, but for the background.
    ///
    /// # Errors
    /// What went wrong behind the border.
    fn reset(&mut self) -> Result<(), Misbehaviour>;

    /// Ends whatever is behind the border, and begins anew, without a background.
    ///
    /// # Errors
    /// Why it cannot be begun again; the target is then lost for the rest of the run.
    fn restart(&mut self) -> Result<(), Misbehaviour>;
}
