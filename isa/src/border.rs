//! The border: cases and answers as flat arrays, for implementations that are not ours.
//!
//! Whoever is behind the border gets the background once an epoch, and then cases as differences from it. It is told
//! where a case begins, and nothing of what must come of it. `harness/include/tandem.h` has the same arrays for C.

use serde::{Deserialize, Serialize};

use crate::{Facts, Layout, Machine, worded};

/// The version of the arrays and of everything that carries them.
pub const BORDER_VERSION: u32 = 2;

/// The longest reason, in bytes of UTF-8.
pub const REASON_BYTES: usize = 80;

/// The longest text of claims, in bytes of UTF-8.
pub const CLAIMS_BYTES: usize = 64 << 10;

/// The most steps of a case.
pub const MAX_STEPS: usize = 16;

/// The number of an outcome that is [`crate::Answer::Unsupported`].
pub const UNSUPPORTED: u32 = 2;

/// Cases of one instruction in one edition that begin on the same background; or of several instructions, one after the
/// other, which are the same in every case. Only who says that it takes so many steps is given several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The number of the instruction in its set.
    pub instruction: u32,
    /// The numbers of the instructions of the steps that follow, none in most cases.
    pub then: Vec<u32>,
    /// 0 for the edition `spec`, 1 for `newest`.
    pub edition: u32,
    /// Number of cases.
    pub cases: u32,
    /// The code words, `cases` times as many as the instructions of all steps have, case by case and step by step.
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
    /// Instructions in a case, one after the other.
    #[must_use]
    pub fn steps(&self) -> usize {
        1 + self.then.len()
    }

    /// The instructions of the steps, in their order. A number that the set does not have is left out.
    pub fn instructions(&self, isa: &Machine) -> impl Iterator<Item = &'static Facts> {
        let numbers = std::iter::once(&self.instruction).chain(&self.then);
        numbers.filter_map(|&number| isa.instructions.get(number as usize).copied())
    }

    /// Refuses cases of more steps than `most`.
    ///
    /// # Errors
    /// How many steps they have, in words.
    pub fn check_steps(&self, most: usize) -> Result<(), String> {
        let steps = self.steps();
        if steps <= most {
            Ok(())
        } else {
            Err(format!("cases of {steps} steps are asked, and at most {most} are taken"))
        }
    }

    /// Forgets all cases.
    pub fn clear(&mut self) {
        self.then.clear();
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
            then: self.then.clone(),
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
    /// For each case 0 for done, 1 for blocked, 2 for unsupported: of the last step that it came to, which is the first one
    /// that is not done.
    pub outcome: Vec<u32>,
    /// For each case, how many of its steps were done: all of them where the outcome is 0. Nothing where cases have one step.
    pub done: Vec<u32>,
    /// The small states afterwards, `cases` times [`Layout::small_bytes`].
    pub small: Vec<u8>,
    /// For each case, the number of dirty rows up to and with its own.
    pub dirty_end: Vec<u32>,
    /// The rows that the case wrote, numbered over all banks; each once in a case, in any order.
    pub dirty_row: Vec<u32>,
    /// The contents of the dirty rows, one after the other.
    pub dirty_data: Vec<u8>,
    /// Why cases are unsupported, where a word is said about it.
    pub reasons: Reasons,
}

impl Answers {
    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.cases = 0;
        self.outcome.clear();
        self.done.clear();
        self.small.clear();
        self.dirty_end.clear();
        self.dirty_row.clear();
        self.dirty_data.clear();
        self.reasons.clear();
    }

    /// Appends the answers to the next part of a batch.
    ///
    /// # Panics
    /// If there are 2^32 dirty rows.
    pub fn append(&mut self, part: &Answers) {
        let Answers { cases, outcome, done, small, dirty_end, dirty_row, dirty_data, reasons } = part;
        let rows = u32::try_from(self.dirty_row.len()).expect("a batch has less than 2^32 rows");
        self.reasons.append(reasons, self.cases);
        self.cases += cases;
        self.outcome.extend_from_slice(outcome);
        self.done.extend_from_slice(done);
        self.small.extend_from_slice(small);
        self.dirty_end.extend(dirty_end.iter().map(|end| end.saturating_add(rows)));
        self.dirty_row.extend_from_slice(dirty_row);
        self.dirty_data.extend_from_slice(dirty_data);
    }
}

/// Why cases of a batch are unsupported: short texts, for those cases that have one.
///
/// A reason has 1 to [`REASON_BYTES`] bytes of UTF-8 and no control characters, and there is at most one for a case. What
/// came from behind a border is as it came until it was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The cases of the batch that have a reason, ascending.
    pub case: Vec<u32>,
    /// For each of them, the number of bytes of `text` up to and with its own.
    pub end: Vec<u32>,
    /// The reasons, one after the other, in UTF-8.
    pub text: Vec<u8>,
}

impl Reasons {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.case.clear();
        self.end.clear();
        self.text.clear();
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.case.is_empty()
    }

    /// Adds the reason of a case behind those that have one, in the form that reasons have: a longer one is cut, control
    /// characters become spaces, and where no letter is left there is no reason.
    pub fn push(&mut self, case: u32, reason: &str) {
        let start = self.text.len();
        for letter in reason.trim().chars() {
            let letter = if letter.is_control() { ' ' } else { letter };
            if self.text.len() - start + letter.len_utf8() > REASON_BYTES {
                break;
            }
            self.text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        if self.text.len() > start {
            self.case.push(case);
            self.end.push(self.text.len() as u32);
        }
    }

    /// The cases with their reasons, of reasons that were checked.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        let starts = std::iter::once(0).chain(self.end.iter().copied());
        self.case.iter().zip(starts.zip(&self.end)).map(|(&case, (start, &end))| {
            let bytes = self.text.get(start as usize..end as usize).unwrap_or_default();
            (case, std::str::from_utf8(bytes).unwrap_or_default())
        })
    }

    /// Appends the reasons of the next part of a batch, whose first case is number `from`.
    pub fn append(&mut self, part: &Reasons, from: u32) {
        let bytes = self.text.len() as u32;
        self.case.extend(part.case.iter().map(|case| case.saturating_add(from)));
        self.end.extend(part.end.iter().map(|end| end.saturating_add(bytes)));
        self.text.extend_from_slice(&part.text);
    }
}

worded! {
    /// What somebody behind the border did instead of answering.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum MisbehaviourKind {
        /// It ended.
        Crashed "crash",
        /// It did not answer in time.
        Hung "hang",
        /// It answered what is no answer: too short, too long, twice, out of turn, out of range.
        Malformed "malformed answer",
        /// It had not answered when the time of the run was over, and was cut: nobody knows what would have come.
        Unfinished "unfinished",
    }
    /// The word for reports.
    fn name;
}

worded! {
    /// What is asked of somebody behind the border.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Call {
        /// To be started, and told of an instruction set.
        Describe "describe",
        /// To take a background.
        Load "load",
        /// To execute a batch.
        #[default]
        Execute "execute",
        /// For the hash of its arena.
        Hash "hash",
        /// To forget what is kept between cases.
        Reset "reset",
    }
    /// The word for reports.
    fn name;
}

/// That somebody behind the border misbehaved, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{} in {}: {message}", kind.name(), call.name())]
pub struct Misbehaviour {
    /// What it did.
    pub kind: MisbehaviourKind,
    /// What it was asked.
    #[serde(default)]
    pub call: Call,
    /// In which way, for people.
    pub message: String,
    /// The case of the batch that did it, where that is known.
    pub case: Option<u32>,
}

impl Misbehaviour {
    /// A misbehaviour of an unknown case, in [`Call::Execute`].
    #[must_use]
    pub fn new(kind: MisbehaviourKind, message: impl Into<String>) -> Self {
        Misbehaviour { kind, call: Call::default(), message: message.into(), case: None }
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

    /// Executes each case on the background with its overlay, and puts the background back after each. Steps of a case run
    /// one after the other, without anything in between, until one is not done.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_the_form_of_reasons() {
        let mut reasons = Reasons::default();
        reasons.push(1, " three\nwords\there ");
        reasons.push(2, " \n");
        reasons.push(4, &"ä".repeat(60));
        reasons.push(5, "");
        let list: Vec<_> = reasons.iter().collect();
        assert_eq!(list, [(1, "three words here"), (4, &*"ä".repeat(40))]);
        let mut all = Reasons::default();
        all.push(0, "first");
        all.append(&reasons, 10);
        assert_eq!(all.iter().collect::<Vec<_>>(), [(0, "first"), (11, "three words here"), (14, &*"ä".repeat(40))]);
    }

    #[test]
    fn more_steps_than_are_taken_are_refused() {
        let two = Batch { then: vec![3], ..Batch::default() };
        assert_eq!((Batch::default().check_steps(1), two.check_steps(2)), (Ok(()), Ok(())));
        assert!(two.check_steps(1).is_err_and(|why| why.contains("2 steps")));
    }
}
