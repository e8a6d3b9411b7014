//! Rules of scheduling: which instruction may follow which, after how long, and who sees to it.
//!
//! They are data: `rules/<family>/<id>.toml`, whose keys `rules/README.md` explains. A rule speaks of instructions and of fields
//! of their code words by name, and of nothing else.

use std::fmt;

use crate::{CodeField, worded};

/// The rules of an instruction set, and the words that they speak of beside its instructions.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The rules, by id.
    pub rules: &'static [Rule],
    /// Instructions that rules name and that are not among the instructions of the set.
    pub words: &'static [RuleWord],
}

impl Rules {
    /// No rules.
    pub const NONE: Rules = Rules { rules: &[], words: &[] };
}

/// An instruction of one word, as far as rules speak of it.
#[derive(Clone, Copy, Debug)]
pub struct RuleWord {
    /// Its mnemonic.
    pub name: &'static str,
    /// Its highest byte.
    pub opcode: u8,
    /// Its fields.
    pub fields: &'static [CodeField],
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// For example `movd2b-then-matrix`; the name of its file.
    pub id: &'static str,
    /// What it says, in our words.
    pub says: &'static str,
    /// Who sees to it.
    pub enforced: Enforced,
    /// How far apart two instructions have to be.
    pub gap: Gap,
    /// The instruction that comes first; any of these. If there are none, the rule is about the second alone, from the
    /// beginning of a program on.
    pub first: &'static [Pattern],
    /// The instruction that comes too soon; any of these.
    pub second: &'static [Follower],
    /// Instructions that make it right when one stands between them.
    pub relieved: &'static [Relief],
    /// What fills the time.
    pub filler: &'static str,
    /// Where it stands.
    pub sources: &'static [RuleSource],
    /// A program that breaks it, and what mends that; none of a rule that no program of one thread shows.
    pub example: Option<RuleExample>,
}

worded! {
    /// Who sees to it that a rule is kept.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Enforced {
        /// The machine holds the second instruction back; a program is right, and takes longer.
        Hardware "hardware",
        /// Whoever writes the program; nothing is promised of one that breaks it.
        Software "software",
        /// Whoever writes the program, where it means what the rule is for.
        Advice "advice",
        /// Sources differ on whether anybody has to.
        Disputed "disputed",
    }
    /// The word for tables.
    fn name;
}

/// How far apart two instructions have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The second is not in any of so many cycles after the first.
    Cycles(u32),
    /// At least so many instructions stand between them.
    Instructions(u32),
    /// At least so many instructions of these stand between them.
    Unit(u32, &'static [&'static str]),
    /// However far they are apart, one that relieves stands between them.
    Ever,
    /// They are of two threads.
    OtherThread,
    /// The first comes before all others after a reset.
    Reset,
}

/// Instructions by name and fields.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Any of these; a name means its forms as well, which have an underscore behind it.
    pub instructions: &'static [&'static str],
    /// All of these hold.
    pub fields: &'static [FieldTest],
}

/// What makes a rule right.
#[derive(Clone, Copy, Debug)]
pub struct Relief {
    /// The instruction.
    pub pattern: Pattern,
    /// The first instructions that it does it for: none means any.
    pub of: Option<Pattern>,
}

/// What holds of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldTest {
    /// The field.
    pub field: &'static str,
    /// What a 0 in it stands for.
    pub zero: u32,
    /// What holds.
    pub holds: FieldHolds,
}

impl FieldTest {
    /// Whether it holds of the field's value.
    #[must_use]
    pub fn of(&self, value: u32) -> bool {
        self.holds.of(if value == 0 { self.zero } else { value })
    }
}

/// What holds of a field's value.
#[derive(Clone, Copy, Debug)]
pub enum FieldHolds {
    /// It is one of these.
    Is(&'static [u32]),
    /// It has all of these bits.
    Has(u32),
    /// It has one of these bits at least.
    Any(u32),
    /// It has none of these bits.
    Lacks(u32),
}

impl FieldHolds {
    /// Whether it holds of a value.
    fn of(self, value: u32) -> bool {
        match self {
            FieldHolds::Is(values) => values.contains(&value),
            FieldHolds::Has(bits) => value & bits == bits,
            FieldHolds::Any(bits) => value & bits != 0,
            FieldHolds::Lacks(bits) => value & bits == 0,
        }
    }
}

/// What comes too soon.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    /// The instruction.
    pub pattern: Pattern,
    /// What else holds of the first.
    pub given: &'static [FieldTest],
    /// A field of the first and one of the second, of which one pair at least is equal; if there are none, nothing need be.
    pub equal: &'static [(&'static str, &'static str)],
    /// What the words do not show and makes it right.
    pub unless: Option<&'static str>,
}

/// Where a rule stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSource {
    /// A page.
    Page {
        /// The page's file in its repository.
        path: &'static str,
        /// Its commit.
        commit: &'static str,
        /// Its lines.
        lines: &'static str,
    },
    /// A public thread.
    Thread {
        /// For example `tenstorrent/tt-llk#27`.
        thread: &'static str,
        /// The day of what is cited.
        date: &'static str,
        /// What is said there, in our words.
        says: &'static str,
    },
}

impl fmt::Display for RuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleSource::Page { path, commit, lines } => {
                let page = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
                write!(f, "page {page}, lines {lines} at {}", &commit[..8])
            }
            RuleSource::Thread { thread, date, says } => write!(f, "{thread} ({date}): {says}"),
        }
    }
}

/// A program that breaks a rule, each instruction as its name and `field=value`.
#[derive(Clone, Copy, Debug)]
pub struct RuleExample {
    /// The instructions.
    pub program: &'static [&'static str],
    /// The fewest fillers that mend it, or of a rule that the machine sees to the cycles that the last one waits.
    pub wait: u32,
    /// The instruction that relieves it, where no time does.
    pub relieved: Option<&'static str>,
}
