//! Programs held against the rules of scheduling of an instruction set.
//!
//! Time is a cycle an instruction, and what the machine is known to hold back for. What the words of a program do not show,
//! such as which rows an instruction reaches through counters, counts against it, and the finding says what would make it
//! right.

use std::fmt;

use serde::Serialize;
use tandem_isa::{
    Code, Enforced, FieldHolds, FieldTest, Follower, Gap, Machine, Pattern, Relief, Rule, RuleExample, RuleSource,
};

use crate::terms::distinct;

/// A step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedStep {
    /// An instruction.
    Instruction(Planned),
    /// So many cycles in which nothing is issued.
    Cycles(u32),
}

/// An instruction of a program, by name and fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The mnemonic.
    pub name: String,
    /// Its fields, by name.
    pub fields: Vec<(String, u32)>,
}

/// Why a text is no instruction of a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlannedError {
    /// There is no such instruction.
    #[error("{isa} has no instruction '{name}', nor has any of its rules; `tandem list` shows what there is")]
    Instruction {
        /// The instruction set.
        isa: &'static str,
        /// What was asked for.
        name: String,
    },
    /// It has no such field, or the value does not fit.
    #[error("'{text}' is no field of {name} with a value that fits; write it as `field=value`")]
    Field {
        /// The instruction.
        name: String,
        /// What was written.
        text: String,
    },
    /// It is no word of an instruction.
    #[error("{isa} has no instruction with the words {code:?}, nor has any of its rules")]
    Word {
        /// The instruction set.
        isa: &'static str,
        /// The words.
        code: Code,
    },
}

impl Planned {
    /// The instruction that has these code words: one of the suite, or else one that only rules name.
    ///
    /// # Errors
    /// If there is none.
    pub fn decode(machine: &Machine, code: &[u32]) -> Result<Self, PlannedError> {
        if let Some(facts) = machine.instructions.iter().find(|one| one.matches(code)) {
            let fields = facts.code_fields.iter().map(|field| (field.name.to_string(), field.get(code)));
            return Ok(Planned { name: facts.name.to_string(), fields: fields.collect() });
        }
        let word = machine.rules.words.iter().find(|word| code.len() == 1 && code[0] >> 24 == u32::from(word.opcode));
        let word = word.ok_or(PlannedError::Word { isa: machine.name, code: Code::new(code) })?;
        let fields = word.fields.iter().map(|field| (field.name.to_string(), field.get(code)));
        Ok(Planned { name: word.name.to_string(), fields: fields.collect() })
    }

    /// The instruction of a text such as `NOP` or `NAME field=1 other=2`; fields that are not named are 0.
    ///
    /// # Errors
    /// If there is no such instruction, or it has no such field.
    pub fn parse(machine: &Machine, text: &str) -> Result<Self, PlannedError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let fields = fields_of(machine, name)
            .ok_or_else(|| PlannedError::Instruction { isa: machine.name, name: name.to_string() })?;
        let mut planned = Planned {
            name: name.to_string(),
            fields: fields.iter().map(|(field, _)| ((*field).to_string(), 0)).collect(),
        };
        for text in words {
            let refused = || PlannedError::Field { name: name.to_string(), text: text.to_string() };
            let (field, value) = text.split_once('=').ok_or_else(refused)?;
            let value: u32 = value.parse().map_err(|_| refused())?;
            let place = fields.iter().position(|&(own, width)| own == field && u64::from(value) >> width == 0);
            planned.fields[place.ok_or_else(refused)?].1 = value;
        }
        Ok(planned)
    }

    fn field(&self, name: &str) -> Option<u32> {
        self.fields.iter().find(|(own, _)| own == name).map(|&(_, value)| value)
    }
}

/// The fields of an instruction that a set or its rules have, with their widths.
#[must_use]
pub fn fields_of(machine: &Machine, name: &str) -> Option<Vec<(&'static str, u32)>> {
    let own = machine.instructions.iter().find(|one| one.name == name).map(|one| one.code_fields);
    let word = || machine.rules.words.iter().find(|word| word.name == name).map(|word| word.fields);
    Some(own.or_else(word)?.iter().map(|field| (field.name, field.width)).collect())
}

/// A place where a program meets a rule.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// The rule.
    pub rule: &'static Rule,
    /// The step that comes first; none where a rule goes from the beginning.
    pub first: Option<usize>,
    /// The step that comes too soon.
    pub second: usize,
    /// How many cycles, or instructions, are missing; 0 where no time helps.
    pub missing: u32,
    /// What the words do not show and makes it right.
    pub unless: Option<&'static str>,
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Meeting { rule, first, second, missing, unless } = self;
        match first {
            Some(first) => write!(f, "steps {first} and {second}: ")?,
            None => write!(f, "step {second}: ")?,
        }
        let verb = match rule.enforced {
            Enforced::Hardware => "waits by",
            Enforced::Software => "breaks",
            Enforced::Advice => "is against the advice of",
            Enforced::Disputed => "is disputed by",
        };
        write!(f, "{verb} {} ({}", rule.id, gap_text(rule.gap))?;
        if *missing > 0 {
            write!(f, ", {missing} missing")?;
        }
        write!(f, ")")?;
        if let Some(unless) = unless {
            write!(f, ", unless {unless}")?;
        }
        // Of a dispute each side is named.
        let named = if rule.enforced == Enforced::Disputed { rule.sources } else { &rule.sources[..1] };
        named.iter().try_for_each(|source| write!(f, "; {source}"))
    }
}

/// A gap in words.
#[must_use]
pub fn gap_text(gap: Gap) -> String {
    let count = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match gap {
        Gap::Cycles(cycles) => count(cycles, "cycle"),
        Gap::Instructions(instructions) => count(instructions, "instruction"),
        Gap::Unit(instructions, _) => format!("{} of the unit", count(instructions, "instruction")),
        Gap::Ever => "however far apart".to_string(),
        Gap::OtherThread => "between threads".to_string(),
        Gap::Reset => "after a reset".to_string(),
    }
}

/// What comes of a program by the rules of its set.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The cycle in which each step is issued, or begins.
    pub issued: Vec<u64>,
    /// Where the machine holds an instruction back, as far as the words show it.
    pub stalls: Vec<Meeting>,
    /// Where it may, by what the words do not show.
    pub possible_stalls: Vec<Meeting>,
    /// Where the program breaks a rule that software is to keep, or goes against advice.
    pub broken: Vec<Meeting>,
    /// Where sources differ on whether it breaks one.
    pub disputed: Vec<Meeting>,
}

impl Schedule {
    /// Everything that is said of steps.
    fn all(&self) -> impl Iterator<Item = &Meeting> {
        [&self.stalls, &self.possible_stalls, &self.broken, &self.disputed].into_iter().flatten()
    }

    /// Where an exported program waits, so that it is right by every source.
    pub fn to_mend(&self) -> impl Iterator<Item = &Meeting> {
        let software = self.broken.iter().filter(|one| one.rule.enforced == Enforced::Software);
        software.chain(&self.disputed)
    }
}

/// Two neighbours of which the rules say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unruled {
    /// The place of the first.
    pub first: usize,
    /// The place of the second.
    pub second: usize,
    /// Rules that name both instructions, and do not hold of these fields or of one thread.
    pub named_by: Vec<&'static str>,
}

/// The neighbours of a program, over what is no instruction, of which nothing is said in `made`.
#[must_use]
pub fn unruled(rules: &'static [Rule], steps: &[PlannedStep], made: &Schedule) -> Vec<Unruled> {
    let instructions = steps.iter().enumerate().filter_map(|(place, step)| match step {
        PlannedStep::Instruction(planned) => Some((place, planned)),
        PlannedStep::Cycles(_) => None,
    });
    let instructions: Vec<(usize, &Planned)> = instructions.collect();
    let names_both = |rule: &&Rule, first: &Planned, second: &Planned| {
        rule.first.iter().any(|one| is_one_of(one.instructions, first))
            && rule.second.iter().any(|one| is_one_of(one.pattern.instructions, second))
    };
    let pairs = instructions.windows(2).map(|pair| (pair[0], pair[1]));
    let is_said = |first: usize, second: usize| made.all().any(|one| one.first == Some(first) && one.second == second);
    pairs
        .filter(|&((first, _), (second, _))| !is_said(first, second))
        .map(|((first, one), (second, other))| {
            let named_by = rules.iter().filter(|rule| names_both(rule, one, other)).map(|rule| rule.id).collect();
            Unruled { first, second, named_by }
        })
        .collect()
}

/// Where a program of one thread breaks rules of its set that software is to keep.
#[must_use]
pub fn check_program(machine: &Machine, steps: &[PlannedStep]) -> Vec<Meeting> {
    schedule(machine.rules.rules, steps).broken
}

/// What comes of a program by some rules.
#[must_use]
pub fn schedule(rules: &'static [Rule], steps: &[PlannedStep]) -> Schedule {
    let mut made = Schedule::default();
    let mut next = 0;
    for (second, step) in steps.iter().enumerate() {
        let PlannedStep::Instruction(instruction) = step else {
            made.issued.push(next);
            next += if let PlannedStep::Cycles(cycles) = step { u64::from(*cycles) } else { 0 };
            continue;
        };
        // What the machine holds back for moves the cycle in which software's rules see the instruction.
        let mut issued = next;
        for rule in rules.iter().filter(|rule| rule.enforced == Enforced::Hardware) {
            if let Some(meeting) = meet(rule, steps, &made.issued, (second, instruction), next) {
                let known = meeting.unless.is_none();
                if known {
                    issued = issued.max(next + u64::from(meeting.missing));
                }
                if known { &mut made.stalls } else { &mut made.possible_stalls }.push(meeting);
            }
        }
        for rule in rules.iter().filter(|rule| rule.enforced != Enforced::Hardware) {
            let meeting = meet(rule, steps, &made.issued, (second, instruction), issued);
            let is_disputed = rule.enforced == Enforced::Disputed;
            if is_disputed { &mut made.disputed } else { &mut made.broken }.extend(meeting);
        }
        made.issued.push(issued);
        next = issued + 1;
    }
    made
}

/// Whether a step meets a rule, with the nearest step before it that it is too near to.
fn meet(
    rule: &'static Rule,
    steps: &[PlannedStep],
    issued: &[u64],
    (second, instruction): (usize, &Planned),
    now: u64,
) -> Option<Meeting> {
    let of_second: Vec<&Follower> = rule.second.iter().filter(|one| matches(&one.pattern, instruction)).collect();
    if of_second.is_empty() || matches!(rule.gap, Gap::OtherThread | Gap::Reset) {
        return None;
    }
    let (mut instructions, mut of_unit) = (0, 0);
    let mut reliefs: Vec<&Relief> = Vec::new();
    for (first, step) in steps[..second].iter().enumerate().rev() {
        let PlannedStep::Instruction(earlier) = step else { continue };
        // What is farther away is far enough.
        let is_far = match rule.gap {
            Gap::Cycles(cycles) => issued[first] + u64::from(cycles) < now,
            Gap::Instructions(count) => instructions >= count,
            Gap::Unit(count, _) => of_unit >= count,
            Gap::Ever | Gap::OtherThread | Gap::Reset => false,
        };
        reliefs.extend(rule.relieved.iter().filter(|one| matches(&one.pattern, earlier)));
        if is_far || reliefs.iter().any(|one| one.of.is_none()) {
            return None;
        }
        let is_relieved = reliefs.iter().any(|one| relieves(one, Some(earlier)));
        if !is_relieved && rule.first.iter().any(|one| matches(one, earlier)) {
            let missing = match rule.gap {
                Gap::Cycles(cycles) => (issued[first] + u64::from(cycles) + 1).saturating_sub(now) as u32,
                Gap::Instructions(count) => count.saturating_sub(instructions),
                Gap::Unit(count, _) => count.saturating_sub(of_unit),
                Gap::Ever => 0,
                Gap::OtherThread | Gap::Reset => return None,
            };
            let is_met = missing > 0 || rule.gap == Gap::Ever;
            let mut follows = of_second.iter().filter(|one| is_met && follows(one, earlier, instruction));
            // What is certain is said, and not what may be right.
            let certain = follows.clone().find(|one| one.unless.is_none());
            if let Some(one) = certain.or_else(|| follows.next()) {
                return Some(Meeting { rule, first: Some(first), second, missing, unless: one.unless });
            }
        }
        instructions += 1;
        of_unit += u32::from(matches!(rule.gap, Gap::Unit(_, unit) if is_one_of(unit, earlier)));
    }
    let from_the_beginning = rule.first.is_empty() && rule.gap == Gap::Ever;
    from_the_beginning.then(|| Meeting { rule, first: None, second, missing: 0, unless: of_second[0].unless })
}

fn is_one_of(names: &[&str], instruction: &Planned) -> bool {
    let own = &instruction.name;
    names.iter().any(|name| own == name || own.strip_prefix(name).is_some_and(|form| form.starts_with('_')))
}

fn holds(tests: &[FieldTest], instruction: &Planned) -> bool {
    tests.iter().all(|test| instruction.field(test.field).is_some_and(|value| test.of(value)))
}

fn matches(pattern: &Pattern, instruction: &Planned) -> bool {
    is_one_of(pattern.instructions, instruction) && holds(pattern.fields, instruction)
}

/// Whether what relieves does it for a first instruction.
fn relieves(relief: &Relief, first: Option<&Planned>) -> bool {
    relief.of.is_none_or(|of| first.is_some_and(|first| matches(&of, first)))
}

fn follows(follower: &Follower, first: &Planned, second: &Planned) -> bool {
    let is_equal = |&(of_first, of_second): &(&str, &str)| {
        let value = first.field(of_first);
        value.is_some() && value == second.field(of_second)
    };
    holds(follower.given, first) && (follower.equal.is_empty() || follower.equal.iter().any(is_equal))
}

/// The fewest fillers, or cycles without an instruction, that mend what a program breaks at a step, put directly before it:
/// none if no number below 100 does.
#[must_use]
pub fn shortest_wait(machine: &Machine, steps: &[PlannedStep], at: &Meeting, with_cycles: bool) -> Option<u32> {
    let filler = Planned { name: at.rule.filler.to_string(), fields: Vec::new() };
    (0..100).find(|&count| {
        let mut mended = steps.to_vec();
        let fillers: Vec<PlannedStep> = if with_cycles {
            vec![PlannedStep::Cycles(count)]
        } else {
            (0..count).map(|_| PlannedStep::Instruction(filler.clone())).collect()
        };
        let moved = at.second + fillers.len();
        mended.splice(at.second..at.second, fillers);
        let is_here = |one: &&Meeting| one.rule.id == at.rule.id && one.second == moved;
        let made = schedule(machine.rules.rules, &mended);
        !made.broken.iter().chain(&made.disputed).any(|one| is_here(&one))
    })
}

/// Whether a rule that an exported program keeps has an instruction in its first place.
#[must_use]
pub fn opens(rule: &Rule, planned: &Planned) -> bool {
    let is_kept = matches!(rule.enforced, Enforced::Software | Enforced::Disputed);
    is_kept && rule.first.iter().any(|one| is_one_of(one.instructions, planned))
}

/// Whether an instruction opens such a rule, or relieves one, that holds however far behind its second comes.
#[must_use]
pub fn reaches_far(rule: &Rule, planned: &Planned) -> bool {
    rule.gap == Gap::Ever && (opens(rule, planned) || rule.relieved.iter().any(|one| matches(&one.pattern, planned)))
}

/// What mends a program where it meets a rule, put directly before the step that comes too soon: fillers, or where no time does
/// an instruction that relieves it.
#[must_use]
pub fn mended_by(machine: &Machine, steps: &[PlannedStep], at: &Meeting) -> Vec<Filler> {
    if let Some(count) = shortest_wait(machine, steps, at, false) {
        return (0..count).map(|_| Filler { name: at.rule.filler, fields: &[] }).collect();
    }
    let first = at.first.and_then(|place| match &steps[place] {
        PlannedStep::Instruction(planned) => Some(planned),
        PlannedStep::Cycles(_) => None,
    });
    let relief = at.rule.relieved.iter().find(|one| relieves(one, first));
    relief.and_then(|one| Filler::of(&one.pattern)).into_iter().collect()
}

/// The program with what the rules want between its steps that software is to keep, and what sources differ on; each of that told
/// apart from its steps.
///
/// # Errors
/// The first place where nothing keeps a rule.
pub fn with_waits(machine: &Machine, steps: &[Planned]) -> Result<Vec<Waiting>, Meeting> {
    let own = |one: &Waiting| match one {
        Waiting::Step(place) => PlannedStep::Instruction(steps[*place].clone()),
        Waiting::Filler(filler) => PlannedStep::Instruction(filler.planned()),
    };
    let mut made: Vec<Waiting> = (0..steps.len()).map(Waiting::Step).collect();
    let mut mended: Option<(usize, &str)> = None;
    loop {
        let planned: Vec<PlannedStep> = made.iter().map(own).collect();
        let schedule = schedule(machine.rules.rules, &planned);
        let Some(&at) = schedule.to_mend().next() else { return Ok(made) };
        let fillers = mended_by(machine, &planned, &at);
        // What was just mended and is not, nothing mends.
        if fillers.is_empty() || mended == Some((at.second, at.rule.id)) {
            return Err(at);
        }
        mended = Some((at.second + fillers.len(), at.rule.id));
        made.splice(at.second..at.second, fillers.into_iter().map(Waiting::Filler));
    }
}

/// A place of a program that waits where it has to.
#[derive(Clone, Copy, Debug)]
pub enum Waiting {
    /// A step of the program, by its place in it.
    Step(usize),
    /// An instruction that fills the time, or waits.
    Filler(Filler),
}

/// An instruction that is put between the steps of a program.
#[derive(Clone, Copy, Debug)]
pub struct Filler {
    /// Its name.
    pub name: &'static str,
    /// Its fields that are not 0.
    fields: &'static [FieldTest],
}

impl Filler {
    fn of(pattern: &Pattern) -> Option<Self> {
        pattern.instructions.first().map(|name| Filler { name, fields: pattern.fields })
    }

    /// The least value of a field that the pattern takes.
    fn value(test: &FieldTest) -> u32 {
        match test.holds {
            FieldHolds::Is(values) => values.first().copied().unwrap_or_default(),
            FieldHolds::Has(bits) => bits,
            FieldHolds::Any(bits) => bits & bits.wrapping_neg(),
            FieldHolds::Lacks(_) => 0,
        }
    }

    /// It as the rules see it.
    #[must_use]
    pub fn planned(&self) -> Planned {
        let fields = self.fields.iter().map(|test| (test.field.to_string(), Self::value(test)));
        Planned { name: self.name.to_string(), fields: fields.collect() }
    }

    /// Its code words, with all other fields 0.
    #[must_use]
    pub fn code(&self, machine: &Machine) -> Option<Code> {
        let mut code = filler_code(machine, self.name)?;
        let facts = machine.instructions.iter().find(|one| one.name == self.name);
        for test in self.fields {
            facts?.code_field(test.field)?.set(&mut code, Self::value(test));
        }
        Some(code)
    }

    /// Its text: what the page's syntax makes of it where it has fields.
    #[must_use]
    pub fn text(&self, machine: &Machine) -> String {
        let facts = machine.instructions.iter().find(|one| one.name == self.name && !self.fields.is_empty());
        let printed = facts.zip(self.code(machine)).map(|(facts, code)| facts.print(&code));
        printed.unwrap_or_else(|| self.name.to_string())
    }
}

/// The code words of an instruction that fills time, with all of its fields 0.
#[must_use]
pub fn filler_code(machine: &Machine, name: &str) -> Option<Code> {
    let own = machine.instructions.iter().find(|one| one.name == name).map(|one| Code::new(one.base_code));
    let word = || machine.rules.words.iter().find(|one| one.name == name);
    own.or_else(|| word().map(|one| Code::new(&[u32::from(one.opcode) << 24])))
}

/// A rule for readers of JSON.
#[derive(Debug, Serialize)]
pub struct RuleRow {
    id: &'static str,
    enforced: &'static str,
    gap: String,
    says: &'static str,
    first: Vec<&'static str>,
    second: Vec<&'static str>,
    relieved: Vec<&'static str>,
    filler: &'static str,
    sources: Vec<SourceRow>,
    example: Option<ExampleRow>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SourceRow {
    Page { path: &'static str, commit: &'static str, lines: &'static str },
    Thread { thread: &'static str, date: &'static str, says: &'static str },
}

#[derive(Debug, Serialize)]
struct ExampleRow {
    program: &'static [&'static str],
    wait: u32,
    relieved: Option<&'static str>,
}

impl RuleRow {
    /// The rule as a row.
    #[must_use]
    pub fn of(rule: &'static Rule) -> Self {
        let Rule { id, says, enforced, gap, first, second, relieved, filler, sources, example } = *rule;
        let names = |patterns: &mut dyn Iterator<Item = &'static Pattern>| {
            distinct(patterns.flat_map(|one| one.instructions.iter().copied()))
        };
        RuleRow {
            id,
            enforced: enforced.name(),
            gap: gap_text(gap),
            says,
            first: names(&mut first.iter()),
            second: names(&mut second.iter().map(|one| &one.pattern)),
            relieved: names(&mut relieved.iter().map(|one| &one.pattern)),
            filler,
            sources: sources
                .iter()
                .map(|&source| match source {
                    RuleSource::Page { path, commit, lines } => SourceRow::Page { path, commit, lines },
                    RuleSource::Thread { thread, date, says } => SourceRow::Thread { thread, date, says },
                })
                .collect(),
            example: example.map(|RuleExample { program, wait, relieved }| ExampleRow { program, wait, relieved }),
        }
    }
}
