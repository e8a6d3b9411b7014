//! Targets that misbehave where a comparison of single cases by their logs does not look.
//!
//! Each is a correct target in a wrapper that knows no register: rows are chosen from the layout and the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tandem_isa::{Answer, BankRole, Edition, Facts, State, Step, Target, TargetInfo, mix64};

use crate::fault::{ANY_INSTRUCTION, Fault, FaultKind};
use crate::flip::{self, Row};

/// One in this many code words is hit by a fault that is a function of the case, …
const CASES_PER_STRAY: u64 = 97;
/// … and one in this many panics; more of an instruction that has few, so that some are hit.
const CASES_PER_PANIC: u64 = 500;
/// Code words of an instruction that are hit at least, on average.
const HIT: u64 = 8;
/// A cancelling pair begins once in this many executions …
const PAIR_PERIOD: u64 = 131;
/// … at this one …
const PAIR_BEGINS: u64 = 17;
/// … and is undone forty executions later.
const PAIR_ENDS: u64 = 57;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StrayKind {
    /// An unmarked bit in a row of data that was read and not written.
    SourceRow,
    /// An unmarked bit in a bank of data of which nothing was read or written.
    OtherBank,
    /// An unmarked bit in an untouched row of the bank that was written, far from the rows that were.
    FarRow,
    /// An unmarked bit in an untouched row that a later execution flips back.
    CancellingPair,
    /// A wrong bit in the result after certain code words.
    AfterCode,
    /// A wrong bit in the result of every 97th execution, counted over resets.
    Uncounted,
    /// A panic, after the state was changed.
    Panic,
}

impl StrayKind {
    /// All kinds.
    pub const ALL: &[StrayKind] = &[
        StrayKind::SourceRow,
        StrayKind::OtherBank,
        StrayKind::FarRow,
        StrayKind::CancellingPair,
        StrayKind::AfterCode,
        StrayKind::Uncounted,
        StrayKind::Panic,
    ];

    /// The kind whose fault is called `id`.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.fault().id == id)
    }

    /// The entry in the catalogue.
    #[must_use]
    pub const fn fault(self) -> Fault {
        let (id, kind, what) = match self {
            StrayKind::SourceRow => (
                "stray-source-row",
                FaultKind::Unmarked,
                "In one case of 97 a bit of a row that was read and not written changes without a mark in the log.",
            ),
            StrayKind::OtherBank => (
                "stray-other-bank",
                FaultKind::Unmarked,
                "In one case of 97 a bit of a bank that the instruction does not touch changes without a mark; of a row far away if there is none.",
            ),
            StrayKind::FarRow => (
                "stray-far-row",
                FaultKind::Unmarked,
                "In one case of 97 a bit of the written bank changes, without a mark, in a row far away.",
            ),
            StrayKind::CancellingPair => (
                "stray-cancelling-pair",
                FaultKind::Unmarked,
                "Once in 131 executions a bit of an untouched row changes without a mark, and changes back 40 \
                 executions later.",
            ),
            StrayKind::AfterCode => {
                ("after-code", FaultKind::Order, "After one in 97 code words a bit of the next result is wrong.")
            }
            StrayKind::Uncounted => (
                "uncounted",
                FaultKind::Order,
                "Every 97th execution gives a result with a wrong bit, by a counter that a reset does not clear.",
            ),
            StrayKind::Panic => {
                ("panics", FaultKind::Panic, "In one case of 500 it panics after it has changed the state.")
            }
        };
        Fault { id, instruction: ANY_INSTRUCTION, what, wrong_in: &Edition::ALL, erratum: None, kind }
    }
}

/// A correct target that misbehaves in one way.
pub struct StrayTarget {
    inner: Box<dyn Target>,
    kind: StrayKind,
    /// Executions since the last reset.
    count: u64,
    /// Executions since the target was made.
    total: u64,
    /// The open half of a cancelling pair: where, and the hash that chose the bit.
    open: Option<(Row, u64)>,
    /// The hash of the previous code word since the last reset.
    previous: Option<u64>,
    /// How often it misbehaved, for whoever wants to know.
    acts: Arc<AtomicU64>,
}

impl StrayTarget {
    /// `inner`, misbehaving as `kind` says.
    #[must_use]
    pub fn new(inner: Box<dyn Target>, kind: StrayKind) -> Self {
        StrayTarget { inner, kind, count: 0, total: 0, open: None, previous: None, acts: Arc::default() }
    }

    /// The same, which counts how often it misbehaves.
    #[must_use]
    pub fn counting(self, acts: Arc<AtomicU64>) -> Self {
        StrayTarget { acts, ..self }
    }

    /// Flips an unmarked bit of an untouched row, or flips it back, when its time has come.
    fn pair(&mut self, state: &mut State) {
        match self.count % PAIR_PERIOD {
            PAIR_BEGINS => {
                let hash = mix64(self.count);
                self.open = row_of_other_bank(state, hash).or_else(|| far_row(state, hash)).map(|row| (row, hash));
            }
            PAIR_ENDS => {}
            _ => return,
        }
        if let Some((row, hash)) = self.open {
            flip::flip_in_row(state, row, hash);
            self.act();
        }
        if self.count % PAIR_PERIOD == PAIR_ENDS {
            self.open = None;
        }
    }
}

impl StrayTarget {
    fn act(&self) {
        self.acts.fetch_add(1, Ordering::Relaxed);
    }

    /// Flips a bit of the result.
    fn flip(&self, state: &mut State, hash: u64) {
        if flip::flip_result(state, flip::counter_of(state.layout, hash), hash) {
            self.act();
        }
    }
}

/// One in how many code words is hit, of which there should be `most`: of an instruction that has few code words one in fewer.
fn one_in(most: u64, instruction: &Facts) -> u64 {
    let free: u32 = instruction.code_fields.iter().map(|field| field.mask().count_ones()).sum();
    most.min(1_u64.checked_shl(free).map_or(most, |words| (words / HIT).max(1)))
}

impl Target for StrayTarget {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: format!("fault:{}", self.kind.fault().id), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        self.inner.implements(instruction)
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        // By the code words alone, so that a hit survives whatever a minimizer clears around them.
        let case = hash_of_code(step.code);
        let (stray, panic) = (one_in(CASES_PER_STRAY, step.instruction), one_in(CASES_PER_PANIC, step.instruction));
        let hit = case.is_multiple_of(stray);
        // The bit and the row are chosen by other bits than the hit.
        let hash = mix64(case);
        let answer = self.inner.execute(step, state);
        let previous = self.previous.replace(case);
        self.count += 1;
        self.total += 1;
        if self.kind == StrayKind::CancellingPair {
            self.pair(state);
        }
        if answer != Answer::Done {
            return answer;
        }
        let row = match self.kind {
            StrayKind::SourceRow if hit => source_row(state, hash),
            StrayKind::OtherBank if hit => row_of_other_bank(state, hash).or_else(|| far_row(state, hash)),
            StrayKind::FarRow if hit => far_row(state, hash),
            StrayKind::SourceRow | StrayKind::OtherBank | StrayKind::FarRow | StrayKind::CancellingPair => None,
            StrayKind::AfterCode => {
                if previous.is_some_and(|code| code.is_multiple_of(stray)) {
                    self.flip(state, hash);
                }
                None
            }
            StrayKind::Uncounted => {
                if self.total.is_multiple_of(CASES_PER_STRAY) {
                    self.flip(state, hash);
                }
                None
            }
            StrayKind::Panic => {
                if case.is_multiple_of(panic) {
                    self.act();
                    panic!("fault:panics panics on purpose");
                }
                None
            }
        };
        if let Some(row) = row {
            flip::flip_in_row(state, row, hash);
            self.act();
        }
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
        self.count = 0;
        self.open = None;
        self.previous = None;
    }
}

/// One of the rows of data that were read and not written.
fn source_row(state: &State, hash: u64) -> Option<Row> {
    let log = &state.tracker.log;
    let mut rows = Vec::new();
    log.read.each(|row_id| {
        let place = state.layout.locate(row_id);
        if state.layout.banks[place.0].role == BankRole::Data && !log.written.contains(row_id) {
            rows.push(place);
        }
    });
    (!rows.is_empty()).then(|| rows[flip::below(hash, rows.len())])
}

/// A row of one of the banks of data of which nothing was read or written.
fn row_of_other_bank(state: &State, hash: u64) -> Option<Row> {
    let mut touched = vec![false; state.layout.banks.len()];
    for rows in [&state.tracker.log.read, &state.tracker.log.written] {
        rows.each_run(|start, _| touched[state.layout.locate(start).0] = true);
    }
    let banks = &state.layout.banks;
    let others: Vec<usize> =
        (0..banks.len()).filter(|&bank| banks[bank].role == BankRole::Data && !touched[bank]).collect();
    if others.is_empty() {
        return None;
    }
    let bank = others[flip::below(hash, others.len())];
    Some((bank, flip::below(mix64(hash), banks[bank].rows())))
}

/// An untouched row of the bank that was written (of the first one if none was), half a bank away and more.
fn far_row(state: &State, hash: u64) -> Option<Row> {
    let log = &state.tracker.log;
    let (bank, near) = flip::first_data_row(state.layout, &log.written).unwrap_or((0, 0));
    let spec = &state.layout.banks[bank];
    let num_rows = spec.rows();
    let start = near + num_rows / 2 + flip::below(hash, num_rows / 4);
    let untouched = |&row: &usize| {
        let row_id = spec.first_row + row;
        !log.read.contains(row_id) && !log.written.contains(row_id)
    };
    (start..start + num_rows).map(|row| row % num_rows).find(untouched).map(|row| (bank, row))
}

/// A hash of the code words.
fn hash_of_code(code: &[u32]) -> u64 {
    code.iter().fold(0, |hash, &word| mix64(hash ^ u64::from(word).wrapping_add(0x9e37_79b9_7f4a_7c15)))
}
