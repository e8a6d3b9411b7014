//! Disputes: where a page gives a case an outcome, and other public words of those who made the machine differ.
//!
//! They are data: `disputes/<id>.toml`, whose keys `disputes/README.md` explains. A dispute is about cases. The page's outcome
//! is computed and compared for them as for all others, and a difference that the dispute is about is no finding.

use crate::{Facts, MACHINES, Machine, Page, worded};

worded! {
    /// What kind of dispute it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum DisputeKind {
        /// The page was written for another chip, and a configuration field that only this one has concerns the
        /// instruction.
        Chip "page of another chip",
        /// A source of the vendor reserves a code that the page gives a meaning.
        Reserved "reserved code",
        /// Public words of the vendor and the page differ.
        Words "words differ",
    }
    /// The words for reports.
    fn name;
}

/// Who says otherwise.
#[derive(Clone, Copy, Debug)]
pub struct DisputeSource {
    /// A repository and a file or thread, or who recorded it.
    pub at: &'static str,
    /// A commit, a date, or a version.
    pub as_of: &'static str,
    /// What it says, in our words.
    pub says: &'static str,
}

/// Some of the cases that are disputed: all that these conditions hold of. A name is that of a field of the code words or of
/// the small state, or of a quantity; of fields that differ in an index alone, which `[*]` stands for, one of them
/// is enough.
#[derive(Clone, Copy, Debug)]
pub struct DisputedCase {
    /// By name, the first and the last of each run of values.
    pub is: &'static [(&'static str, &'static [(u32, u32)])],
    /// By name, bits of which one is set.
    pub any: &'static [(&'static str, u32)],
}

impl std::fmt::Display for DisputedCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut and = "";
        for (name, runs) in self.is {
            let values: Vec<String> = runs
                .iter()
                .map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") })
                .collect();
            write!(f, "{and}{name} is {}", values.join(" or "))?;
            and = " and ";
        }
        for (name, bits) in self.any {
            write!(f, "{and}{name} has a bit of {bits:#x}")?;
            and = " and ";
        }
        Ok(())
    }
}

/// A dispute.
#[derive(Clone, Copy, Debug)]
pub struct Dispute {
    /// For example `TD-01`.
    pub id: &'static str,
    /// What kind it is.
    pub kind: DisputeKind,
    /// The file names of its instructions; a `*` at the end stands for any rest.
    pub instructions: &'static [&'static str],
    /// Those of them that it is not about.
    pub except: &'static [&'static str],
    /// The page that is followed.
    pub page: &'static Page,
    /// Lines of the page.
    pub lines: &'static str,
    /// What the page says, in our words.
    pub says: &'static str,
    /// What others say, in our words.
    pub differs: &'static str,
    /// The banks and fields, without indices, that they say otherwise of; none if all of the outcome is disputed.
    pub places: &'static [&'static str],
    /// Who says so.
    pub sources: &'static [DisputeSource],
    /// Which cases are disputed: those of each of these.
    pub cases: &'static [DisputedCase],
}

impl Dispute {
    /// Whether it is about cases of an instruction of its set.
    #[must_use]
    pub fn concerns(&self, instruction: &Facts) -> bool {
        let is_named = |name: &&str| match name.strip_suffix('*') {
            Some(begin) => instruction.file.starts_with(begin),
            None => instruction.file == *name,
        };
        self.instructions.iter().any(is_named) && !self.except.contains(&instruction.file)
    }

    /// The file names of the instructions that it is about.
    #[must_use]
    pub fn files(&self) -> Vec<&'static str> {
        let is_of = |machine: &&Machine| machine.disputes.iter().any(|one| one.id == self.id);
        let concerned = MACHINES.iter().copied().filter(is_of).flat_map(|machine| machine.instructions);
        let mut files = Vec::new();
        for instruction in concerned.filter(|instruction| self.concerns(instruction)) {
            if !files.contains(&instruction.file) {
                files.push(instruction.file);
            }
        }
        files
    }
}
