//! What one target did in one case, and how often it takes for a cell to be decided.

use crate::Difference;

/// Completed agreements that make a cell green, and holds that make it blocked.
pub const GREEN: u64 = 32;

/// What one target did in one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseOutcome {
    /// As required, or not comparable and survived.
    Agreed,
    /// The target does not implement the case.
    Unsupported,
    /// It differs; the differences are in the order of the layout.
    Diverged(Vec<Difference>),
    /// It differs in what is disputed of the case.
    Disputed(Vec<Difference>),
    /// The arena does not equal the background any more, in rows that this case covers: an earlier case strayed.
    Strayed,
    /// It ran among cases of which some went wrong, and it was not looked for which: it counts for nothing.
    Unjudged,
    /// The target crashed, hung or gave what is no answer when it was to answer this case among others, and it was not asked
    /// again: it counts for nothing.
    Unanswered,
}

impl CaseOutcome {
    /// The differences of a case that diverged.
    #[must_use]
    pub fn diverged(&self) -> Option<&[Difference]> {
        match self {
            CaseOutcome::Diverged(differences) => Some(differences),
            CaseOutcome::Agreed
            | CaseOutcome::Unsupported
            | CaseOutcome::Disputed(_)
            | CaseOutcome::Strayed
            | CaseOutcome::Unjudged
            | CaseOutcome::Unanswered => None,
        }
    }
}
