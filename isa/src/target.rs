//! What executes: the reference, and targets that are compared with it.

use crate::{Answer, Border, Edition, Expectation, Facts, State};

/// One instruction to execute.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Which instruction.
    pub instruction: &'static Facts,
    /// Under which edition of its pages.
    pub edition: Edition,
    /// Its code words, opcode included.
    pub code: &'a [u32],
}

/// How a target is called in reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetInfo {
    /// The implementation, for example `simd`.
    pub name: String,
    /// The level, for implementations that have several: an attribute of a finding, never part of a result.
    pub level: Option<String>,
}

impl std::fmt::Display for TargetInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.level {
            Some(level) => write!(f, "{}:{level}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// An implementation that is compared with the reference.
pub trait Target: Send {
    /// How it is called in reports.
    fn info(&self) -> TargetInfo;

    /// Whether it implements an instruction at all. One that does not is an empty column, never green.
    fn implements(&self, instruction: &'static Facts) -> bool;

    /// Executes one instruction on `state`. The log of `state` must name every row that is written.
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer;

    /// The most steps that it takes in one go, as [`Target::execute_all`] gives them: where it is more than 1, nobody sees the
    /// state between them. One that does not say so is given them one at a time.
    fn max_steps(&self) -> usize {
        1
    }

    /// Executes steps one after the other, until one is not done: how many are done, and the answer to the last that it came
    /// to.
    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        one_by_one(self, steps, state)
    }

    /// Runs the steps of threads side by side, in an order of its own, until none goes on; nothing if it does not do that.
    fn run_threads(&mut self, _threads: &[Vec<Step<'_>>], _state: &mut State) -> Option<Answer> {
        None
    }

    /// Forgets whatever it keeps between cases.
    fn reset(&mut self) {}

    /// The text of its claims, a TOML document: what it says that it does not do. At most [`crate::CLAIMS_BYTES`].
    fn claims(&self) -> Option<String> {
        None
    }

    /// Why it answered the last case with [`Answer::Unsupported`], in a few words: at most [`crate::REASON_BYTES`]. It is
    /// asked after such an answer only.
    fn refusal(&mut self) -> Option<String> {
        None
    }

    /// The way to it, if it is behind a border: it is then given batches of cases instead of one at a time.
    fn border(&mut self) -> Option<&mut dyn Border> {
        None
    }
}

/// [`Target::execute_all`] for a target that takes one step at a time.
pub fn one_by_one<T: Target + ?Sized>(target: &mut T, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
    for (done, step) in steps.iter().enumerate() {
        let answer = target.execute(step, state);
        if answer != Answer::Done {
            return (done, answer);
        }
    }
    (steps.len(), Answer::Done)
}

/// The reference interpreter of an instruction set.
pub trait Reference: Send {
    /// Executes one instruction on `state` and says what the pages promise.
    ///
    /// Where they promise nothing, the state afterwards is of no meaning.
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation;

    /// Executes one instruction behind others, which may have left bits open: nothing is promised of it if it reads these.
    fn execute_behind(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        state.tracker.begin_step();
        let expectation = self.execute(step, state);
        state.tracker.built_on_open().unwrap_or(expectation)
    }
}
