//! Targets that refuse as real, partial implementations do: a correct target behind a *policy*.
//!
//! A policy is a TOML text. It says which instructions the target has, and for each of them what it refuses: conjunctions
//! of conditions on the state before the case, each with a short reason. [`Refusing`] answers `unsupported` where one
//! holds, touches nothing, and otherwise runs the target inside. Besides honest refusals a policy can have *lies*: cases
//! in which the target would be wrong by a bit, and which it refuses for that reason alone; and *wrong* cases, in which
//! it is.
//!
//! ```toml
//! name = "example"
//! about = "Moves eight rows, where rows are aligned."
//! implements = ["tensix-wh/mova2d"]
//!
//! [[refusal]]
//! instructions = ["tensix-wh/mova2d"]
//! reason = "rows are not aligned"
//! when = [
//!     { sum = ["code.DstRow", "RWCs[thread].Dst"], not_multiple_of = 8 },
//!     { field = "code.Move8Rows", is = 1 },
//! ]
//! ```
//!
//! `claims` may stand beside `implements`: the text of the claims that the target hands over, whether they are true or not.
//! `[[lie]]` and `[[wrong]]` are written as `[[refusal]]` is. A condition has one of these keys:
//!
//! | key | what is looked at |
//! |---|---|
//! | `field` | a field of the code word (`code.DstRow`), its bits that no field names (`code.unnamed`), those of the small state (`small.unnamed`), or a field of the small state; `[thread]` is the instance of the current thread, `[state]` that of its bank of configuration, `[*]` any; `.*` is any field, but for those in `except` |
//! | `field` | a member of the section of AddrMod that is in force (`section.BiasClear`) |
//! | `sum` | a sum of such fields, after `modulus` if there is one |
//! | `format` | the format in force of `SrcA` or `SrcB`, after overrides |
//! | `type` | the type of an operand of vISA (`Dst`, `Src0`) |
//! | `differ` | fields (as in `field`, with `[*]`) that are not the same in all instances |
//! | `data` | a datum of a bank, among the rows that the instruction reads: one that matches is enough |
//!
//! and one of these: `is`, `not`, `in`, `not_in`, `any_bit`, `at_least`, `at_most`, `not_multiple_of`. Formats and types
//! have their names for values, or numbers. `differ` has none. `data` has `mask` and `value`, or `as` (the name of a
//! layout, for example `Src TF32`) and `kind`, one of `zero`, `denormal`, `infinity`, `nan`, `exponent all ones` and
//! `negative`.
//!
//! Everything here is made from names of fields, layouts and pages. Axes and quantities, by which the suite describes
//! cases, are not used: so a rule that the suite finds out is not a copy of the rule that is applied here.

mod case;
mod condition;
mod error;
mod names;
mod read;
mod refusing;
mod rows;
#[cfg(test)]
mod tests;
mod text;

use tandem_isa::{Facts, State, Step};

pub use error::PolicyError;
pub use refusing::Refusing;

use case::{Case, Section};
use condition::Condition;

/// The policies that come with the suite, as name and text.
pub const EMBEDDED: &[(&str, &str)] = &[
    ("simulator-wormhole", include_str!("../policies/simulator-wormhole.toml")),
    ("simulator-blackhole", include_str!("../policies/simulator-blackhole.toml")),
    ("partial-library", include_str!("../policies/partial-library.toml")),
    ("emulator", include_str!("../policies/emulator.toml")),
    ("hard", include_str!("../policies/hard.toml")),
];

/// What a partial target has, and what it refuses.
#[derive(Debug)]
pub struct Policy {
    name: String,
    about: String,
    claims: Option<String>,
    units: Vec<Unit>,
}

/// Why a rule of a policy refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// The target does not do this.
    Refusal,
    /// The target would be wrong.
    Lie,
    /// The target is wrong, and does not refuse.
    Wrong,
}

/// What holds for one instruction.
#[derive(Debug)]
struct Unit {
    instruction: &'static Facts,
    section: Option<Section>,
    rules: Vec<Rule>,
    /// How many of the rules are refusals; then come lies, and then what is wrong.
    refusals: usize,
    lies: usize,
}

/// A conjunction with a reason.
#[derive(Debug)]
struct Rule {
    reason: String,
    when: Vec<Condition>,
}

impl Rule {
    #[inline]
    fn holds(&self, case: &Case<'_>) -> bool {
        self.when.iter().all(|condition| condition.holds(case))
    }
}

impl Unit {
    fn rules(&self, kind: RuleKind) -> &[Rule] {
        let (refusals, rest) = self.rules.split_at(self.refusals);
        let (lies, wrong) = rest.split_at(self.lies);
        match kind {
            RuleKind::Refusal => refusals,
            RuleKind::Lie => lies,
            RuleKind::Wrong => wrong,
        }
    }

    #[inline]
    fn first(&self, kind: RuleKind, case: &Case<'_>) -> Option<usize> {
        self.rules(kind).iter().position(|rule| rule.holds(case))
    }
}

impl Policy {
    /// Reads a policy. `file` is the name for errors.
    ///
    /// # Errors
    /// That the text is no policy: the error names file and line.
    pub fn read(file: &str, text: &str) -> Result<Self, PolicyError> {
        read::policy(file, text)
    }

    /// The policy of the suite called `name`.
    ///
    /// # Errors
    /// That there is none.
    pub fn embedded(name: &str) -> Result<Self, PolicyError> {
        let Some((name, text)) = EMBEDDED.iter().find(|(known, _)| *known == name) else {
            let known: Vec<_> = EMBEDDED.iter().map(|(name, _)| *name).collect();
            let next = format!("name one of {}, or a file", known.join(", "));
            return Err(PolicyError::new(name, 0, "no such policy comes with the suite", next));
        };
        Self::read(&format!("{name}.toml"), text)
    }

    /// How the target is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line on what it is like.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The text of the claims that the target makes, if it makes any.
    #[must_use]
    pub fn claims(&self) -> Option<&str> {
        self.claims.as_deref()
    }

    /// The instructions that the target has.
    pub fn instructions(&self) -> impl Iterator<Item = &'static Facts> {
        self.units.iter().map(|unit| unit.instruction)
    }

    /// The reasons of all rules of a kind for an instruction, in the order of the text.
    pub fn reasons(&self, instruction: &'static Facts, kind: RuleKind) -> impl Iterator<Item = &str> {
        let rules = self.unit(instruction).map_or(&[][..], |unit| unit.rules(kind));
        rules.iter().map(|rule| rule.reason.as_str())
    }

    /// The first rule of a kind that holds before a case, by its place among [`Policy::reasons`] and by its reason.
    #[must_use]
    pub fn first(&self, kind: RuleKind, step: &Step<'_>, state: &State) -> Option<(usize, &str)> {
        let unit = self.unit(step.instruction)?;
        let place = unit.first(kind, &Case::new(unit.section.as_ref(), step.code, state))?;
        Some((place, &unit.rules(kind)[place].reason))
    }

    #[inline]
    fn unit(&self, instruction: &'static Facts) -> Option<&Unit> {
        self.units.iter().find(|unit| std::ptr::eq(unit.instruction, instruction))
    }
}
