//! Errata: where a page misprints, is silent, or was superseded, and what we do about it.
//!
//! They are data: `errata/<id>.toml`, whose keys `errata/README.md` explains.

use crate::{Edition, Page, worded};

worded! {
    /// What kind of erratum it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ErratumKind {
        /// A witness tells the readings apart; the twin can follow the wrong reading, and must be caught.
        Witnessed "witnessed",
        /// The text is silent or superseded and is transcribed as decided.
        Choice "choice",
        /// Shown by enumeration to make no difference.
        Equal "equal",
        /// Has no executable reading.
        Editorial "editorial",
    }
    /// The word for reports.
    fn name;
}

/// A reading of a page that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// For example `tx06-fp32-enabled-ignored`; unique among all errata.
    pub id: &'static str,
    /// The file name of the instruction, or its path if it bears on that chip alone.
    pub instruction: &'static str,
    /// What who reads it so does.
    pub says: &'static str,
}

/// Why a choice has no other reading that a target can be seen to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoReading {
    /// Implementations differ on purpose: the other readings are values of a model.
    Model,
    /// The decision is to promise nothing: whatever a target does, by either reading, is right.
    Unpromised,
    /// The other reading promises less than the decision: who follows it may do what was decided.
    PromisesLess,
    /// What the readings differ in is not part of the state.
    NotModelled,
    /// The other reading is that of the other edition, whose cases hold it.
    OtherEdition,
    /// The other reading is another instruction's page; this one's is transcribed as it stands.
    OtherPage,
    /// No page has a definite other reading.
    NoOtherReading,
    /// Nobody is known to follow the other reading, and the reference does not name it.
    NotNamed,
}

worded! {
    /// How strong a piece of evidence is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Grade {
        /// Another page says so, or evaluating the formulas shows it.
        Page "page",
        /// A simulator that is not ours behaves so.
        Simulator "simulator",
        /// Confirmed on RTL, in a public thread.
        Rtl "RTL",
        /// Confirmed on silicon, in a public thread.
        Silicon "silicon",
    }
    /// The word for reports.
    fn name;
}

/// One piece of evidence.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// How strong it is.
    pub grade: Grade,
    /// What it is and where, with the public thread where there is one.
    pub text: &'static str,
}

/// An erratum of a page.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// For example `TX-01`.
    pub id: &'static str,
    /// What kind it is.
    pub kind: ErratumKind,
    /// The page.
    pub page: &'static Page,
    /// Lines of the page.
    pub lines: &'static str,
    /// What the page prints or leaves out, in our words.
    pub prints: &'static str,
    /// What follows from reading it so, with numbers.
    pub consequence: &'static str,
    /// What we do.
    pub decision: &'static str,
    /// Why.
    pub evidence: &'static [Evidence],
    /// The editions in which the literal reading is wrong, and who follows it must be caught.
    pub editions: &'static [Edition],
    /// The readings that were not taken, where a result is promised. The reference names them at its lines, and its twin can
    /// follow them.
    pub readings: &'static [Reading],
    /// Of a choice without them: why there is none.
    pub no_reading: Option<NoReading>,
    /// The test that evaluates its figures.
    pub verified_by: &'static str,
}
