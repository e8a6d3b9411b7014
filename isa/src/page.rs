//! The pages that the references are transcribed from.
//!
//! They are data: `pages/<family>/<NAME>.toml`, of which the build makes `static NAME: Page`.

/// A page of a specification, pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The name of its file and of its static, for example `MOVA2D_SPEC`.
    pub name: &'static str,
    /// Short id, for example `wh-mova2d`.
    pub id: &'static str,
    /// The page's title.
    pub title: &'static str,
    /// Repository, as `owner/name`.
    pub repository: &'static str,
    /// Path in the repository.
    pub path: &'static str,
    /// Commit that holds this text.
    pub commit: &'static str,
    /// SHA-256 of the file, where we have the whole file.
    pub sha256: Option<&'static str>,
    /// Date of the commit, `YYYY-MM-DD` (or less where less is known).
    pub date: &'static str,
    /// Licence of the page, which is why its text is not shipped.
    pub licence: &'static str,
    /// Its lines, where each of them has a statement.
    pub lines: Option<Lines>,
}

/// The lines of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// How many there are.
    pub count: u32,
    /// Those that state nothing: headings, fences, blank lines and the like.
    pub silent: &'static [u32],
    /// Those with a statement that an erratum of other lines contradicts.
    pub contradicted_elsewhere: &'static [u32],
}
