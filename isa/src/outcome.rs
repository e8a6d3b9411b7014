//! Editions, what a target answers, and what the pages promise.

use serde::{Deserialize, Serialize};

use crate::{Page, worded};

worded! {
    /// Which texts apply: an edition is a set of errata applied to the pages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Edition {
        /// The pages as the project has them, with their misprints mended.
        Spec "spec",
        /// `Spec` with what later editions of the same pages changed.
        Newest "newest",
    }
    /// `spec` or `newest`.
    fn name;
}

impl Edition {
    /// The edition called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|edition| edition.name() == name)
    }
}

/// Where a page says what is promised, and what it says, in our words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The page.
    pub page: &'static Page,
    /// Lines or section of the page.
    pub place: &'static str,
    /// The reason, in our words.
    pub reason: &'static str,
}

worded! {
    /// What a target answers to one instruction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[must_use]
    pub enum Answer {
        /// Executed; the state holds the result.
        Done "done",
        /// The instruction is held and the state is untouched.
        Blocked "blocked",
        /// The target does not implement this; a column of its own, never green.
        Unsupported "unsupported",
    }
    /// The word for reports.
    fn name;
}

/// What the pages promise for one instruction in one state; the reference decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Expectation {
    /// The state after execution is promised.
    Done,
    /// The page holds the instruction; the state is untouched.
    Blocked(&'static Citation),
    /// The page says what happens but does not promise it: compared, never exported.
    NonContractual(&'static Citation),
    /// The page forbids the combination.
    Illegal(&'static Citation),
    /// The page calls it undefined behaviour.
    Undefined(&'static Citation),
    /// The page calls it unsupported functionality.
    Unsupported(&'static Citation),
    /// No page says what happens.
    Unspecified(&'static Citation),
}

impl Expectation {
    /// The word for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Expectation::Done => "done",
            Expectation::Blocked(_) => "blocked",
            Expectation::NonContractual(_) => "non-contractual",
            Expectation::Illegal(_) => "illegal",
            Expectation::Undefined(_) => "undefined",
            Expectation::Unsupported(_) => "unsupported",
            Expectation::Unspecified(_) => "unspecified",
        }
    }

    /// The citation; all but `Done` have one.
    #[must_use]
    pub const fn citation(self) -> Option<&'static Citation> {
        match self {
            Expectation::Done => None,
            Expectation::Blocked(cite)
            | Expectation::NonContractual(cite)
            | Expectation::Illegal(cite)
            | Expectation::Undefined(cite)
            | Expectation::Unsupported(cite)
            | Expectation::Unspecified(cite) => Some(cite),
        }
    }

    /// The answer that a target must give, or nothing where the pages promise nothing.
    #[must_use]
    #[inline]
    pub const fn required_answer(self) -> Option<Answer> {
        match self {
            Expectation::Done | Expectation::NonContractual(_) => Some(Answer::Done),
            Expectation::Blocked(_) => Some(Answer::Blocked),
            Expectation::Illegal(_)
            | Expectation::Undefined(_)
            | Expectation::Unsupported(_)
            | Expectation::Unspecified(_) => None,
        }
    }
}
