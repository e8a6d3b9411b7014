//! In which column a test stands.
//!
//! Every test of a file has one [`Fate`], and a fate is in exactly one [`Column`]. Totals are counted nowhere else: they are
//! [`Columns`], which are put together from columns alone, so they add up to the number of tests.

use std::ops::Range;

use tandem_isa::worded;

use super::replay::{Run, Subject, Verdict};

/// Why a test was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotRun {
    /// It is revoked, with a reason.
    Revoked,
    /// It does not hold in the edition that was asked for.
    OtherEdition,
    /// It was not among those that were asked for.
    NotAsked,
    /// It was to be answered, and was not.
    Missing,
    /// The time was over, or there were enough findings.
    NotReached,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nobody ran it.
    NotRun(NotRun),
    /// Its runs, by their places in the result.
    Ran(Range<usize>),
}

worded! {
    /// Where a test stands. Each stands in exactly one column, whoever ran it, and in however many editions. They are
    /// told in this order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Column {
        /// A target agreed, and none refused or diverged.
        Agreed "agreed",
        /// The pages promise nothing for it, and whoever ran it survived.
        Survived "survived",
        /// A target differed in what is disputed, and none diverged.
        Disputed "disputed",
        /// A target diverged, and all of that is known.
        Known "known",
        /// A target or the reference diverged, and not all of that is known.
        Divergent "divergent",
        /// A target refused it, and nobody diverged.
        Unsupported "unsupported",
        /// It is revoked.
        Revoked "revoked",
        /// It was to be answered, and was not.
        Missing "missing",
        /// No target has its instructions.
        NotImplemented "not implemented",
        /// It holds in another edition.
        OtherEdition "of another edition",
        /// It was not asked for.
        NotAsked "not asked",
        /// The run ended before it.
        NotReached "not reached",
    }
    /// The words for reports.
    fn name;
}

impl Column {
    /// Those of tests that nobody ran and nobody missed.
    pub const NOT_RUN: [Column; 4] =
        [Column::NotImplemented, Column::OtherEdition, Column::NotAsked, Column::NotReached];

    /// The column of a test that was run, by all of its runs. `is_known` says of a divergence whether it is listed.
    #[must_use]
    pub fn of_runs(runs: &[Run], is_known: &dyn Fn(&Run) -> bool) -> Self {
        let wrong = || runs.iter().filter(|run| run.verdict.is_wrong());
        let any =
            |verdict: &Verdict| runs.iter().any(|run| run.subject != Subject::Reference && run.verdict == *verdict);
        if wrong().any(|run| !is_known(run)) {
            Column::Divergent
        } else if wrong().next().is_some() {
            Column::Known
        } else if runs.iter().any(|run| matches!(run.verdict, Verdict::Disputed { .. })) {
            Column::Disputed
        } else if any(&Verdict::Unsupported) {
            Column::Unsupported
        } else if any(&Verdict::Agreed) {
            Column::Agreed
        } else if any(&Verdict::Survived) {
            Column::Survived
        } else {
            Column::NotImplemented
        }
    }
}

impl From<NotRun> for Column {
    fn from(why: NotRun) -> Self {
        match why {
            NotRun::Revoked => Column::Revoked,
            NotRun::OtherEdition => Column::OtherEdition,
            NotRun::NotAsked => Column::NotAsked,
            NotRun::Missing => Column::Missing,
            NotRun::NotReached => Column::NotReached,
        }
    }
}

/// How many tests stand in each column. It comes of columns alone, a test at a time, so what it has adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns([u64; Column::ALL.len()]);

impl Columns {
    /// How many tests stand in a column.
    #[must_use]
    pub fn of(&self, column: Column) -> u64 {
        self.0[column as usize]
    }

    /// How many tests there are.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many nobody ran, and nobody missed.
    #[must_use]
    pub fn not_run(&self) -> u64 {
        Column::NOT_RUN.iter().map(|&column| self.of(column)).sum()
    }

    /// How many a target answered with more than a refusal, rightly or wrongly.
    #[must_use]
    pub fn answered(&self) -> u64 {
        [Column::Agreed, Column::Survived, Column::Disputed, Column::Known, Column::Divergent]
            .iter()
            .map(|&one| self.of(one))
            .sum()
    }

    /// So many tests in a column.
    #[must_use]
    pub fn with(mut self, column: Column, tests: u64) -> Self {
        let count = &mut self.0[column as usize];
        *count = count.saturating_add(tests);
        self
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        columns.into_iter().fold(Columns::default(), |columns, column| columns.with(column, 1))
    }
}

impl std::iter::Sum for Columns {
    fn sum<I: Iterator<Item = Columns>>(all: I) -> Self {
        all.fold(Columns::default(), |sum, one| {
            Column::ALL.into_iter().fold(sum, |sum, column| sum.with(column, one.of(column)))
        })
    }
}
