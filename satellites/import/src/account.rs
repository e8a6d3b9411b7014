//! The account of a recording: what came of each of its lines.

use std::collections::BTreeMap;
use std::fmt;

/// Why a line does not become a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// Nothing stands there.
    Blank,
    /// The simulator refuses to execute the instruction, and so says nothing about it.
    Refused {
        /// The recorded outcome.
        outcome: String,
        /// The recorded message, without values.
        detail: String,
    },
    /// Enabled lanes read rows of `Dst` that are marked as undefined. The simulator reads zeros, the page says that this
    /// is undefined.
    UndefinedRows,
    /// It has a field that the importer does not know.
    Unknown {
        /// JSON pointer of the field.
        place: String,
    },
    /// The simulator ignores a field that is set.
    Ignored(&'static str),
    /// The line was recorded in a mode that the pages do not have.
    ForeignMode(&'static str),
    /// The reference says that the page promises nothing, and what it calls that.
    Unpromised(&'static str),
    /// The reference does something else, in every edition.
    Disagrees,
    /// The outcome depends on what the recording does not list: the reference does something else with what is not listed at
    /// its base value, and the same if this one field holds another value. That is no agreement and no disagreement.
    Unlisted {
        /// The field.
        field: String,
    },
    /// The reference does the same, and that counts for nothing, since the recorded implementation is known to be wrong
    /// in what the line shows.
    NoWitness(&'static str),
    /// An earlier line is the same test.
    Twice,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Blank => f.write_str("blank"),
            LeftOut::Refused { outcome, detail } => write!(f, "refused by the simulator: {outcome}: {detail}"),
            LeftOut::UndefinedRows => f.write_str("enabled lanes read undefined Dst rows"),
            LeftOut::Unknown { place } => write!(f, "has a field that is not known: {place}"),
            LeftOut::Ignored(field) => write!(f, "the simulator ignores {field}, which is not zero"),
            LeftOut::ForeignMode(mode) => write!(f, "recorded in a mode that the pages do not have: {mode}"),
            LeftOut::Unpromised(expectation) => write!(f, "the page promises nothing ({expectation})"),
            LeftOut::Disagrees => f.write_str("the reference disagrees in every edition"),
            LeftOut::Unlisted { field } => write!(f, "depends on what the recording does not list: {field}"),
            LeftOut::NoWitness(reason) => write!(f, "the reference agrees, and that is no evidence: {reason}"),
            LeftOut::Twice => f.write_str("the same test as an earlier line"),
        }
    }
}

/// What came of the lines of a recording. Each line is a test, compared alone, or left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Lines in all.
    pub lines: usize,
    /// Lines by their recorded outcome; blank ones have none.
    pub outcomes: BTreeMap<String, usize>,
    /// The lines, from 1, that are compared with the reference and do not become tests: they begin in a state that no machine
    /// can have.
    pub compared: Vec<usize>,
    /// The lines, from 1, that are left out for each reason.
    pub left_out: BTreeMap<LeftOut, Vec<usize>>,
}

impl Account {
    pub(super) fn leave_out(&mut self, line: usize, reason: LeftOut) {
        self.compared.retain(|&one| one != line);
        self.left_out.entry(reason).or_default().push(line);
    }

    /// Lines that are tests.
    #[must_use]
    pub fn tests(&self) -> usize {
        self.lines - self.compared.len() - self.left_out.values().map(Vec::len).sum::<usize>()
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes: Vec<String> = self.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        writeln!(f, "{} lines ({}): {} tests", self.lines, outcomes.join(", "), self.tests())?;
        if let Some(first) = self.compared.first() {
            let count = self.compared.len();
            writeln!(f, "  {count} compared alone: no machine can begin in their state (first: line {first})")?;
        }
        for (reason, lines) in &self.left_out {
            let first = lines.first().copied().unwrap_or_default();
            writeln!(f, "  {} left out: {reason} (first: line {first})", lines.len())?;
        }
        Ok(())
    }
}

/// A message of the simulator without its values, so that lines refused for one reason are counted together.
pub(super) fn without_values(detail: &str) -> String {
    const LONGEST: usize = 100;
    let mut short = String::new();
    let mut is_value = false;
    for character in detail.chars().take(LONGEST) {
        if is_value && character.is_ascii_alphanumeric() {
            continue;
        }
        if is_value {
            short.push('…');
        }
        is_value = character == '=';
        short.push(character);
    }
    if is_value {
        short.push('…');
    }
    short
}
