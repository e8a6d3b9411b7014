//! Statements: every sentence of a page, and where it went.

/// Where a statement of a page went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Transcribed.
    Transcribed {
        /// File and item.
        at: String,
        /// The test that shows it.
        test: String,
        /// The erratum that contradicts it.
        erratum: Option<String>,
    },
    /// Not modelled, and why.
    NotModelled {
        /// Why.
        reason: String,
    },
}

/// A statement of a page. The reference has them, as comments at the lines that carry them out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// First and last line of the page.
    pub lines: (u32, u32),
    /// What it says, in our words.
    pub says: String,
    /// Where it went.
    pub place: Place,
}
