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

/// A statement that was transcribed.
pub(crate) const fn done(lines: (u32, u32), says: &'static str, at: &'static str, test: &'static str) -> Statement {
    Statement { lines, says, place: Place::Transcribed { at, test, erratum: None } }
}

/// A statement that was transcribed as an erratum has it.
pub(crate) const fn contradicted(
    lines: (u32, u32),
    says: &'static str,
    at: &'static str,
    test: &'static str,
    erratum: &'static str,
) -> Statement {
    Statement { lines, says, place: Place::Transcribed { at, test, erratum: Some(erratum) } }
}

/// A statement that is not modelled.
pub(crate) const fn left_out(lines: (u32, u32), says: &'static str, reason: &'static str) -> Statement {
    Statement { lines, says, place: Place::NotModelled { reason } }
}

/// What holds for the statements of every page.
#[cfg(test)]
pub(crate) mod gate {
    use std::collections::BTreeSet;

    use super::{Place, Statement};
    use crate::{Erratum, Page};

    /// The statements of a page, and what they are held against.
    pub(crate) struct Gate {
        pub(crate) statements: &'static [Statement],
        pub(crate) page: &'static Page,
        /// The errata of the page, among others.
        pub(crate) errata: &'static [Erratum],
        pub(crate) last_line: u32,
        /// The lines that say nothing, by what they are.
        pub(crate) silent: &'static [&'static [u32]],
        /// Lines of statements that an erratum of other lines contradicts.
        pub(crate) contradicted_elsewhere: &'static [(u32, u32)],
    }

    impl Gate {
        /// All of it.
        pub(crate) fn check(&self) {
            self.every_line_is_stated_or_says_nothing();
            self.statements_are_in_order_and_went_somewhere();
            self.statements_and_errata_name_each_other();
        }

        fn every_line_is_stated_or_says_nothing(&self) {
            let listed: Vec<u32> = self.silent.concat();
            let silent: BTreeSet<u32> = listed.iter().copied().collect();
            assert_eq!(silent.len(), listed.len(), "a line is listed twice");
            assert!(silent.last().is_none_or(|&last| last <= self.last_line));
            for line in 1..=self.last_line {
                let stated = self.statements.iter().any(|one| (one.lines.0..=one.lines.1).contains(&line));
                assert!(stated != silent.contains(&line), "line {line}: stated {stated}, listed as silent {}", !stated);
            }
        }

        fn statements_are_in_order_and_went_somewhere(&self) {
            let mut before = 1;
            for Statement { lines, says, place } in self.statements {
                assert!(before <= lines.0 && lines.0 <= lines.1 && lines.1 <= self.last_line, "lines {lines:?}");
                before = lines.0;
                let full = match place {
                    Place::Transcribed { at, test, .. } => at.contains(".rs, ") && !test.is_empty(),
                    Place::NotModelled { reason } => !reason.is_empty(),
                };
                assert!(full && !says.is_empty(), "lines {lines:?}");
            }
        }

        fn statements_and_errata_name_each_other(&self) {
            let of_page = self.errata.iter().filter(|erratum| erratum.page == self.page);
            let of_page: BTreeSet<&str> = of_page.map(|erratum| erratum.id).collect();
            let mut named = BTreeSet::new();
            for statement in self.statements {
                let Place::Transcribed { erratum: Some(id), .. } = statement.place else { continue };
                named.insert(id);
                let erratum = self.errata.iter().find(|erratum| erratum.id == id).expect("it exists");
                let meets = erratum.lines.split(", ").any(|range| {
                    let (first, last) = range.split_once('-').unwrap_or((range, range));
                    let number = |text: &str| text.parse::<u32>().expect("lines are numbers");
                    number(first) <= statement.lines.1 && statement.lines.0 <= number(last)
                });
                let is_elsewhere = self.contradicted_elsewhere.contains(&statement.lines);
                assert!(meets || is_elsewhere, "{id} does not list lines {:?}", statement.lines);
            }
            assert_eq!(named, of_page);
        }
    }
}
