//! Statements: every sentence of a page, and where it went.

/// Where a statement of a page went.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Transcribed.
    Transcribed {
        /// File and item.
        at: &'static str,
        /// The test that shows it.
        test: &'static str,
        /// The erratum that contradicts it.
        erratum: Option<&'static str>,
    },
    /// Not modelled, and why.
    NotModelled {
        /// Why.
        reason: &'static str,
    },
}

/// A statement of a page.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// First and last line of the page.
    pub lines: (u32, u32),
    /// What it says, in our words.
    pub says: &'static str,
    /// Where it went.
    pub place: Place,
}
