//! Mistakes by twisting: the reference's own twin with something done wrong, and guards that make a mistake rare.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use tandem_isa::visa::VISA;
use tandem_isa::{
    Answer, Axis, Edition, Expectation, Facts, Instruction, Parts, Reference, State, Step, Target, TargetInfo, mix64,
};
use tandem_reference::tensix::TensixReference;
use tandem_reference::visa::VisaReference;
use tandem_twin::site::{Call, Only, Otherwise, Site, SiteKind, Twist, Wrong, member_of_pair};
use tandem_twin::{CALLS, NUM_SITES, Twin, site_of};

use crate::one_cell::with_parts;

/// When something is done wrong.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// In cases that have all of these levels of axes.
    pub levels: Vec<(&'static Axis, usize)>,
    /// With these operands, and at this time of an execution.
    pub only: Only,
    /// After an instruction whose code has this hash, modulo [`AFTER`].
    pub after: Option<u64>,
}

/// One instruction in so many is one after which a guard holds.
pub const AFTER: u64 = 16;

/// The level of each axis that a case has.
pub fn levels(
    instruction: &Instruction,
    edition: Edition,
    code: &[u32],
    small: &mut [u8],
) -> Vec<(&'static Axis, usize)> {
    let axes = (instruction.cells)(edition).axes.iter().chain((instruction.orthogonal)(edition));
    with_parts(code, small, |parts| axes.map(|axis| (axis, (axis.get)(parts))).collect())
}

impl Guard {
    /// Whether it may hold in a case, before it is executed.
    fn holds(&self, step: &Step<'_>, state: &mut State, previous: u64) -> bool {
        if self.after.is_some_and(|after| after != previous) {
            return false;
        }
        let has = |parts: &Parts<'_>| self.levels.iter().all(|(axis, level)| (axis.get)(parts) == *level);
        self.levels.is_empty() || with_parts(step.code, &mut state.small, has)
    }

    /// Whether it is so rare that a run may end before it holds: one value, or many levels at once.
    #[must_use]
    pub fn is_rare(&self) -> bool {
        self.levels.len() >= 8 || self.only.operands.iter().any(Option::is_some)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> =
            self.levels.iter().map(|(axis, level)| format!("{}={}", axis.name, axis.levels[*level])).collect();
        let names = ["first", "second"];
        let operands =
            self.only.operands.iter().zip(names).filter_map(|(operand, name)| Some((operand.as_ref()?, name)));
        parts.extend(operands.map(|(operand, name)| format!("{name} operand {operand:#x}")));
        parts.extend(self.only.time.map(|time| format!("the {}. time", time + 1)));
        parts.extend(self.after.map(|after| format!("after a code with hash {after}")));
        if parts.is_empty() { f.write_str("always") } else { f.write_str(&parts.join(" and ")) }
    }
}

/// The reference's twin as a target.
pub struct Twisted {
    name: String,
    twin: Twin,
    guard: Guard,
    previous: u64,
}

impl Twisted {
    /// A target that does these things wrong when the guard holds.
    #[must_use]
    pub fn new(twists: Vec<Twist>, guard: Guard) -> Self {
        let names: Vec<String> = twists.iter().map(|&twist| name(twist)).collect();
        let name = format!("twist:{}", names.join(" + "));
        Twisted { name, twin: Twin::new(twists, guard.only), guard, previous: 0 }
    }

    /// The same target with sites, by their numbers, that give what they should have given in the execution before.
    #[must_use]
    pub fn keeping(self, sites: impl Iterator<Item = u16>) -> Self {
        Twisted { twin: self.twin.keeping(sites), ..self }
    }

    /// The same target with loops that end after fewer turns than any instruction needs.
    #[must_use]
    pub fn limited(self, turns: u32) -> Self {
        Twisted { twin: self.twin.limited(turns), ..self }
    }

    /// The same target, which does something also where by its mistake nothing would be promised.
    #[must_use]
    pub fn insisting(self) -> Self {
        Twisted { twin: self.twin.insisting(), ..self }
    }

    /// Whether its guard may hold in a case, before it is executed.
    pub fn may_be_wrong(&self, step: &Step<'_>, state: &mut State) -> bool {
        self.guard.holds(step, state, self.previous)
    }

    /// A case with this code came, which it did not have to execute.
    pub fn passed(&mut self, code: &[u32]) {
        if self.guard.after.is_some() {
            self.previous = code.iter().fold(0, |hash, &word| mix64(hash ^ u64::from(word))) % AFTER;
        }
    }

    /// A target with a name that always does these things wrong.
    #[must_use]
    pub fn called(name: String, twists: Vec<Twist>) -> Self {
        Twisted { name, ..Twisted::new(twists, Guard::default()) }
    }
}

impl Target for Twisted {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: self.name.clone(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let holds = self.guard.holds(step, state, self.previous);
        self.passed(step.code);
        let expectation = if holds { self.twin.execute(step, state) } else { Twin::default().execute(step, state) };
        match expectation {
            Expectation::Done | Expectation::NonContractual(_) => Answer::Done,
            Expectation::Blocked(_) => Answer::Blocked,
            // With the mistake the pages would promise nothing of the case.
            _ => Answer::Unsupported,
        }
    }

    fn reset(&mut self) {
        self.previous = 0;
        self.twin.forget();
    }
}

/// A right target: the reference itself, which does something where nothing is promised.
#[derive(Clone, Copy, Debug, Default)]
pub struct Right;

impl Target for Right {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "right".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        required(step, state).unwrap_or(Answer::Done)
    }
}

/// What the pages ask for, of a case that the reference executes.
fn required(step: &Step<'_>, state: &mut State) -> Option<Answer> {
    let expectation = if step.instruction.isa == VISA.name {
        VisaReference.execute(step, state)
    } else {
        TensixReference.execute(step, state)
    };
    expectation.required_answer()
}

/// A right target that refuses where nothing is promised, so that it is wrong nowhere that nobody compares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Careful;

impl Target for Careful {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "careful".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        required(step, state).unwrap_or(Answer::Unsupported)
    }
}

/// Every twist that there is.
pub fn every() -> impl Iterator<Item = Twist> {
    (0..NUM_SITES).flat_map(Twist::all_of)
}

/// The twist with a name.
#[must_use]
pub fn named(wanted: &str) -> Option<Twist> {
    every().find(|&twist| name(twist) == wanted)
}

/// What makes a target follow a reading of an erratum, at all of its places in the reference; nothing if it has none.
#[must_use]
pub fn of_reading(id: &str) -> Option<Vec<Twist>> {
    let twists: Vec<Twist> = every().filter(|&twist| reading(twist) == Some(id)).collect();
    (!twists.is_empty()).then_some(twists)
}

/// The id of the reading that a twist follows, if it is one.
#[must_use]
pub fn reading(twist: Twist) -> Option<&'static str> {
    let Site { kind, text, .. } = site_of(twist);
    (*kind == SiteKind::Reading).then(|| text.split('#').next().unwrap_or_default())
}

/// Whether the operands of a site are data, of which one value can be rare.
#[must_use]
pub fn has_operands(twist: Twist) -> bool {
    !matches!(
        site_of(twist).kind,
        SiteKind::Truth
            | SiteKind::Literal
            | SiteKind::Constant
            | SiteKind::Condition
            | SiteKind::Boundary
            | SiteKind::Set
            | SiteKind::Range
            | SiteKind::Turns
            | SiteKind::Statement
            | SiteKind::Order
            | SiteKind::Zero
            | SiteKind::Variable
            | SiteKind::Choice
            | SiteKind::Reading
            | SiteKind::Arm
            | SiteKind::Entry
            | SiteKind::Pair
            | SiteKind::OneOf
            | SiteKind::Grouped
    )
}

/// Twists that change nothing, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivors {
    survivor: Vec<Survivor>,
}

/// Twists that change nothing for one reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// Their names; a `*` at the end stands for any rest.
    pub twists: Vec<String>,
    /// The instructions of which it holds, as paths or as the names of files; all if none is named.
    #[serde(default)]
    pub instructions: Vec<String>,
    /// The instructions of which it does not hold, if it holds of all others.
    #[serde(default)]
    pub except: Vec<String>,
    /// Why.
    pub why: String,
}

impl Survivor {
    /// Whether a pattern of it means a twist of an instruction.
    #[must_use]
    pub fn means(&self, pattern: &str, instruction: &Facts, name: &str) -> bool {
        let is_of = |wanted: &String| *wanted == instruction.path() || *wanted == instruction.file;
        let matches = pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start));
        let is_meant = self.instructions.is_empty() || self.instructions.iter().any(is_of);
        matches && is_meant && !self.except.iter().any(is_of)
    }
}

/// What is known to change nothing (`survivors.toml`).
///
/// # Panics
/// If the file cannot be read, which a test would show.
#[must_use]
pub fn survivors() -> &'static [Survivor] {
    static ALL: LazyLock<Survivors> =
        LazyLock::new(|| toml::from_str(include_str!("../survivors.toml")).expect("a test reads it"));
    &ALL.survivor
}

/// Why a twist of an instruction changes nothing, if that is known.
#[must_use]
pub fn survives(instruction: &Facts, name: &str) -> Option<&'static str> {
    let means = |survivor: &&Survivor| survivor.twists.iter().any(|pattern| survivor.means(pattern, instruction, name));
    survivors().iter().find(means).map(|survivor| survivor.why.as_str())
}

/// What a twist is called: its file and function, the text of its site, and what is wrong with it.
#[must_use]
pub fn name(twist: Twist) -> String {
    if let Some(number) = twist.call() {
        let call = &CALLS[number];
        let is_like = |other: &&Call| (other.of, other.item, other.file) == (call.of, call.item, call.file);
        let place = CALLS[..number].iter().filter(is_like).count() + 1;
        return format!("{} in call {place} of {} from {}", name(twist.anywhere()), call.of, call.item);
    }
    if let Some(otherwise) = twist.otherwise() {
        return format!("{}: {}", site_name(twist), otherwise_word(otherwise, site_of(twist)));
    }
    let wrong = match twist.wrong() {
        Ok(wrong) => word(wrong).to_string(),
        Err(other) if site_of(twist).kind == SiteKind::Variable => format!("{other} instead"),
        Err(pair) if site_of(twist).kind == SiteKind::Arm => pair.to_string(),
        Err(member) => format!("without {member}"),
    };
    format!("{}: {wrong}", site_name(twist))
}

/// What the site of a twist is called.
#[must_use]
pub fn site_name(twist: Twist) -> String {
    let Site { file, item, text, .. } = site_of(twist);
    let module = file.trim_start_matches("reference/src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let module = module.split_once('/').map_or(module, |(_, rest)| rest);
    format!("{module}::{item}: {text}")
}

fn otherwise_word(otherwise: Otherwise, site: &Site) -> String {
    match otherwise {
        Otherwise::Member(member) => format!("{} instead", site.members[usize::from(member)]),
        Otherwise::Both(pair) => {
            format!("{} and back", site.members[member_of_pair(pair, site.members.len())])
        }
        _ => otherwise.name(),
    }
}

const fn word(wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Left => "left operand alone",
        Wrong::Right => "right operand alone",
        Wrong::Opposite => "opposite",
        Wrong::Swapped => "operands swapped",
        Wrong::Or => "or",
        Wrong::Xor => "exclusive or",
        Wrong::Complement => "complement",
        Wrong::Negated => "negated",
        Wrong::KeepsTop => "keeps the top bit",
        Wrong::Backwards => "backwards",
        Wrong::And => "and",
        Wrong::Narrower => "top bit lost",
        Wrong::More => "one more",
        Wrong::Less => "one less",
        Wrong::WithoutTop => "without its top bit",
        Wrong::WithoutBottom => "without its bottom bit",
        Wrong::WithAbove => "with the bit above",
        Wrong::Never => "never",
        Wrong::Always => "always",
        Wrong::Inverted => "inverted",
        Wrong::Equality => "equality too",
        Wrong::Zero => "zero",
        Wrong::Ones => "all ones",
        Wrong::Above => "the bits above",
        Wrong::Below => "the bits below",
        Wrong::First => "the first",
        Wrong::Other => "the other",
        Wrong::Next => "the next",
        Wrong::LeftOut => "left out",
        Wrong::Short => "a turn short",
        Wrong::Late => "a turn late",
        Wrong::Sign => "sign bits or zeros",
        Wrong::LowerBound => "lower bound alone",
        Wrong::UpperBound => "upper bound alone",
    }
}
