//! What an answer must be before anybody looks at what it says: lengths, ranges and rows.
//!
//! Nothing is believed and nothing is allocated by what an answer claims: every number is compared with the arrays that
//! came before it is used.

use tandem_isa::{Answers, Batch, Layout, Misbehaviour, REASON_BYTES, Reasons, RowSet, UNSUPPORTED};

use super::gather::Rows;
use super::talk::{excerpt, malformed};

/// Checks that `answers` are answers to the first cases of `batch`.
///
/// # Errors
/// What is wrong, and with which case of the batch where that is known.
pub fn answers(batch: &Batch, answers: &Answers, layout: &Layout) -> Result<(), Misbehaviour> {
    Form::new(layout).check(batch, answers)
}

/// The form that the answers of a layout have.
#[derive(Clone, Debug)]
pub struct Form {
    groups: Vec<Group>,
    /// Bits of the small state that no field names.
    unnamed: Vec<u8>,
}

/// What a group of 64 rows holds.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Rows that there are.
    rows: usize,
    /// Size of a row, in bytes.
    row_bytes: usize,
    /// The stored bits that are zero in each word, as often as they fit.
    zeros: u64,
}

/// Whether an answer to a case is what was known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The dirty rows, with their contents.
    pub(crate) rows: bool,
    /// The small state.
    pub(crate) small: bool,
}

fn fits(what: &str, got: usize, expected: usize) -> Result<(), Misbehaviour> {
    if got == expected { Ok(()) } else { Err(malformed(format!("{what}: {got} came, {expected} fit the answer"))) }
}

impl Form {
    /// The form for a layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        let mut groups = vec![Group::default(); RowSet::CAPACITY / 64];
        for bank in layout.banks {
            let bits = 8 * bank.word.bytes();
            let word = !u64::from(bank.word_mask()) & (u64::MAX >> (64 - bits));
            let zeros = (0..64).step_by(bits).fold(0, |zeros, shift| zeros | word << shift);
            for group in 0..bank.rows().div_ceil(64) {
                let rows = (bank.rows() - group * 64).min(64);
                groups[bank.first_row / 64 + group] = Group { rows, row_bytes: bank.row_bytes(), zeros };
            }
        }
        let mut named = vec![0; layout.small_bytes];
        for field in (layout.fields)() {
            field.set(&mut named, u32::MAX);
        }
        Form { groups, unnamed: named.into_iter().map(|bits| !bits).collect() }
    }

    /// Size of the row with this number, in bytes; nothing if there is no such row.
    #[inline]
    pub(crate) fn row_bytes(&self, row: usize) -> Option<usize> {
        self.groups.get(row / 64).filter(|group| row % 64 < group.rows).map(|group| group.row_bytes)
    }

    /// Checks that `answers` are answers to the first cases of `batch`.
    ///
    /// # Errors
    /// What is wrong, and with which case of the batch where that is known.
    pub fn check(&self, batch: &Batch, answers: &Answers) -> Result<(), Misbehaviour> {
        self.check_beside(batch, answers, |_| None, &mut Vec::new())
    }

    /// As [`Form::check`], where what is as `known` gives it for a case, its dirty rows or its small state afterwards, is
    /// known to have the form. Whether it is goes into `same`, case by case.
    pub(crate) fn check_beside<'a>(
        &self,
        batch: &Batch,
        answers: &Answers,
        known: impl Fn(usize) -> Option<(Rows<'a>, &'a [u8])>,
        same: &mut Vec<Match>,
    ) -> Result<(), Misbehaviour> {
        if answers.cases == 0 || answers.cases > batch.cases {
            return Err(malformed(format!("{} cases are answered, of a batch of {}", answers.cases, batch.cases)));
        }
        let cases = answers.cases as usize;
        fits("outcomes", answers.outcome.len(), cases)?;
        fits("bytes of small states", answers.small.len(), cases.saturating_mul(self.unnamed.len()))?;
        fits("numbers of dirty rows", answers.dirty_end.len(), cases)?;
        check_done(batch, answers)?;
        same.clear();
        let (mut rows, mut bytes) = (0, 0);
        let mut seen = RowSet::default();
        for case in 0..cases {
            let checked = self.check_case(batch, answers, case, known(case), (&mut rows, &mut bytes), &mut seen);
            same.push(checked.map_err(|mut misbehaviour| {
                misbehaviour.case = u32::try_from(case).ok();
                misbehaviour
            })?);
        }
        fits("dirty rows", answers.dirty_row.len(), rows)?;
        fits("bytes of dirty rows", answers.dirty_data.len(), bytes)?;
        reasons(&answers.reasons, &answers.outcome)
    }

    /// Checks one case. `rows` and `bytes` are how much of the dirty rows belongs to the cases before it.
    fn check_case(
        &self,
        batch: &Batch,
        answers: &Answers,
        case: usize,
        known: Option<(Rows<'_>, &[u8])>,
        (rows, bytes): (&mut usize, &mut usize),
        seen: &mut RowSet,
    ) -> Result<Match, Misbehaviour> {
        let outcome = answers.outcome[case];
        if outcome > UNSUPPORTED {
            return Err(malformed(format!("outcome {outcome}, which is none of 0, 1 and 2")));
        }
        let end = answers.dirty_end[case] as usize;
        let dirty = answers.dirty_row.get(*rows..end).ok_or_else(|| {
            let came = answers.dirty_row.len();
            malformed(format!("its dirty rows end at {end}, begin at {rows}, and {came} came for all cases"))
        })?;
        let as_known = known.filter(|(known, _)| {
            dirty == known.rows && answers.dirty_data[*bytes..].get(..known.data.len()) == Some(known.data)
        });
        if let Some((known, _)) = as_known {
            *bytes += known.data.len();
        } else {
            seen.clear();
            for &row in dirty {
                self.check_row(row as usize, &answers.dirty_data, bytes, seen)?;
            }
        }
        *rows = end;
        let size = self.unnamed.len();
        let range = case * size..(case + 1) * size;
        let (before, after) = (&batch.small[range.clone()], &answers.small[range]);
        let same = Match { rows: as_known.is_some(), small: known.is_some_and(|(_, small)| small == after) };
        if same.small {
            return Ok(same);
        }
        let changed = before.iter().zip(after).zip(&self.unnamed);
        // First whether at all, without a branch for each byte.
        if changed.clone().fold(0, |any, ((before, after), unnamed)| any | ((before ^ after) & unnamed)) != 0 {
            let byte = changed.clone().position(|((before, after), unnamed)| (before ^ after) & unnamed != 0);
            return Err(malformed(format!(
                "bits of the small state changed that no field names: byte {}",
                byte.unwrap_or_default()
            )));
        }
        Ok(same)
    }

    fn check_row(&self, row: usize, data: &[u8], bytes: &mut usize, seen: &mut RowSet) -> Result<(), Misbehaviour> {
        let group = self.groups.get(row / 64).copied().unwrap_or_default();
        if row % 64 >= group.rows {
            return Err(malformed(format!("dirty row {row}, and there is no row of this number")));
        }
        if seen.contains(row) {
            return Err(malformed(format!("dirty row {row} comes twice in one case")));
        }
        seen.insert(row);
        let end = bytes.saturating_add(group.row_bytes);
        let Some(contents) = data.get(*bytes..end) else {
            return Err(malformed(format!("the contents of dirty row {row} are cut off")));
        };
        *bytes = end;
        if group.zeros != 0 {
            let zeros = group.zeros.to_le_bytes();
            let high = |piece: &[u8]| piece.iter().zip(zeros).any(|(byte, zeros)| byte & zeros != 0);
            if contents.chunks(8).any(high) {
                return Err(malformed(format!("dirty row {row} has bits above the width of its words")));
            }
        }
        Ok(())
    }
}

/// The number of steps that were done, in an answer that does not say it: what is done tells it, and of what is refused it is
/// open which step was.
pub const UNSAID: u32 = u32::MAX;

/// Checks that as many steps of each case were done as its outcome leaves possible.
fn check_done(batch: &Batch, answers: &Answers) -> Result<(), Misbehaviour> {
    let steps = batch.steps();
    fits("numbers of steps", answers.done.len(), if steps == 1 { 0 } else { answers.cases as usize })?;
    for (case, (&done, &outcome)) in (0..).zip(answers.done.iter().zip(&answers.outcome)) {
        let is_unsaid = done == UNSAID && [0, UNSUPPORTED].contains(&outcome);
        if !is_unsaid && (done as usize > steps || (done as usize == steps) != (outcome == 0)) {
            let message = format!("outcome {outcome} after {done} steps were done, of a case of {steps}");
            return Err(Misbehaviour { case: Some(case), ..malformed(message) });
        }
    }
    Ok(())
}

/// Checks that reasons are reasons of cases with these outcomes.
pub(super) fn reasons(reasons: &Reasons, outcomes: &[u32]) -> Result<(), Misbehaviour> {
    let Reasons { case: cases, end: ends, text } = reasons;
    fits("ends of reasons", ends.len(), cases.len())?;
    let (mut start, mut next) = (0, 0);
    for (&case, &end) in cases.iter().zip(ends) {
        let wrong = |what: String| Misbehaviour { case: Some(case), ..malformed(what) };
        let Some(&outcome) = outcomes.get(case as usize) else {
            return Err(malformed(format!("a reason is of case {case}, and {} were answered", outcomes.len())));
        };
        if case < next {
            return Err(wrong(format!("the reason of case {case} comes behind that of case {}", next - 1)));
        }
        if outcome != UNSUPPORTED {
            return Err(wrong(format!(
                "a reason is given with outcome {outcome}; it is for unsupported, {UNSUPPORTED}"
            )));
        }
        let Some(bytes) = text.get(start..end as usize) else {
            let came = text.len();
            return Err(wrong(format!(
                "a reason ends at byte {end}, begins at {start}, and {came} came for all cases"
            )));
        };
        if bytes.is_empty() || bytes.len() > REASON_BYTES {
            return Err(wrong(format!("a reason has {} bytes, and 1 to {REASON_BYTES} are allowed", bytes.len())));
        }
        match std::str::from_utf8(bytes) {
            Ok(reason) if !reason.contains(char::is_control) => {}
            Ok(_) => return Err(wrong(format!("a reason has control characters: {}", excerpt(bytes)))),
            Err(_) => return Err(wrong(format!("a reason is not UTF-8: {}", excerpt(bytes)))),
        }
        (start, next) = (end as usize, case + 1);
    }
    fits("bytes of reasons", text.len(), start)
}
