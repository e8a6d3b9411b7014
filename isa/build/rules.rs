//! Rules of scheduling as files: their keys, and the Rust that comes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;

use crate::data::{Data, Set, one_line};

/// Where the rules are: a directory a family, a file a rule, and a file of the classes that they name.
pub const RULES: &str = "rules";

/// What holds of fields.
type Tests<T> = BTreeMap<String, T>;

/// A rule. Its id is the name of its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    sets: Vec<Set>,
    enforced: Enforced,
    gap: Gap,
    #[serde(default = "nop")]
    filler: String,
    says: String,
    #[serde(default)]
    first: Vec<Pattern>,
    second: Vec<Pattern>,
    #[serde(default)]
    relieved: Vec<Pattern>,
    source: Vec<Source>,
    example: Option<Example>,
}

fn nop() -> String {
    "NOP".to_string()
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Enforced {
    Hardware,
    Software,
    Advice,
    Disputed,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Gap {
    Cycles { cycles: u32 },
    Instructions { instructions: u32 },
    Unit { unit: u32, of: Vec<String> },
    Word(String),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    #[serde(default)]
    instructions: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    is: Tests<Vec<u32>>,
    #[serde(default)]
    has: Tests<u32>,
    #[serde(default)]
    any: Tests<u32>,
    #[serde(default)]
    lacks: Tests<u32>,
    // Of what relieves.
    #[serde(default)]
    of: Vec<String>,
    // Of what relieves and of a second instruction.
    #[serde(default)]
    given_is: Tests<Vec<u32>>,
    // Of a second instruction.
    #[serde(default)]
    given_has: Tests<u32>,
    #[serde(default)]
    equal: Vec<(String, String)>,
    reads: Option<Reads>,
    unless: Option<String>,
}

/// What a second instruction reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Reads {
    /// What a field of the first names.
    Field(String),
    /// One of these registers.
    Registers(Vec<u32>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Source {
    Page { path: String, commit: String, lines: String },
    Thread { thread: String, date: String, says: String },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    program: Vec<String>,
    #[serde(default)]
    wait: u32,
    relieved: Option<String>,
}

/// What rules name: `classes.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    class: Vec<Class>,
    zero: Vec<Zero>,
    reads: Vec<Reader>,
}

/// What a 0 in fields of an instruction stands for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Zero {
    sets: Vec<Set>,
    instruction: String,
    fields: Tests<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    name: String,
    sets: Vec<Set>,
    instructions: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
}

/// An instruction that reads registers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reader {
    sets: Vec<Set>,
    instructions: Vec<String>,
    #[serde(default)]
    is: Tests<Vec<u32>>,
    #[serde(default)]
    has: Tests<u32>,
    #[serde(default)]
    lacks: Tests<u32>,
    /// Fields that name them.
    #[serde(default)]
    fields: Vec<String>,
    /// Those that it always reads.
    #[serde(default)]
    registers: Vec<u32>,
    /// What the words do not show.
    unless: Option<String>,
}

/// A static of rules a set, and what the block bits hold.
///
/// # Errors
/// If a rule names a class that its set does not have, or lacks what its gap asks for.
pub fn rules(data: &Data, family: &str) -> Result<String, String> {
    let mut text = String::new();
    for set in Set::ALL.into_iter().filter(|set| set.family() == family) {
        let _ = writeln!(text, "pub(super) static {}: Rules = Rules {{\n    rules: &[", set.list());
        let of_set = OfSet { classes: &data.classes, set };
        for (id, rule) in data.rules.iter().filter(|(_, rule)| rule.sets.contains(&set)) {
            let made = of_set.rule(id, rule);
            text.push_str(&made.map_err(|message| format!("isa/{RULES}/{family}/{id}.toml: {message}"))?);
        }
        text.push_str("    ],\n    words: WORDS,\n};\n");
        let mut blocks: BTreeMap<String, u32> = BTreeMap::new();
        for bit in 0..9 {
            for name in of_set.names(&[format!("@B{bit}")], &[])? {
                *blocks.entry(name).or_default() |= 1 << bit;
            }
        }
        let blocks: Vec<_> = blocks.into_iter().collect();
        let _ = writeln!(text, "pub(super) const BLOCKS_{}: &[(&str, u32)] = &{blocks:?};", set.list());
    }
    Ok(text)
}

/// What is written for one set.
struct OfSet<'a> {
    classes: &'a Classes,
    set: Set,
}

impl OfSet<'_> {
    fn rule(&self, id: &str, rule: &Rule) -> Result<String, String> {
        let Rule { sets: _, enforced, gap, filler, says, first, second, relieved, source, example } = rule;
        let (gap, is_of_one_program) = match gap {
            Gap::Cycles { cycles } => (format!("Gap::Cycles({cycles})"), true),
            Gap::Instructions { instructions } => (format!("Gap::Instructions({instructions})"), true),
            Gap::Unit { unit, of } => (format!("Gap::Unit({unit}, &{:?})", self.names(of, &[])?), true),
            Gap::Word(word) => match &**word {
                "ever" => ("Gap::Ever".to_string(), true),
                "other thread" => ("Gap::OtherThread".to_string(), false),
                "reset" => ("Gap::Reset".to_string(), false),
                _ => return Err(format!("gap: there is no '{word}'")),
            },
        };
        if is_of_one_program != example.is_some() {
            return Err("example: there is one exactly if a program of one thread shows the rule".to_string());
        }
        if source.is_empty() || second.is_empty() {
            return Err("source, second: there is one at least".to_string());
        }
        let first = first.iter().map(|one| self.pattern(one)).collect::<Result<Vec<_>, _>>()?;
        let relieved = relieved.iter().map(|one| self.relief(one)).collect::<Result<Vec<_>, _>>()?;
        let mut followers = Vec::new();
        for one in second {
            followers.extend(self.followers(one)?);
        }
        let sources: Vec<String> = source
            .iter()
            .map(|source| match source {
                Source::Page { path, commit, lines } => {
                    format!("RuleSource::Page {{ path: {path:?}, commit: {commit:?}, lines: {lines:?} }}")
                }
                Source::Thread { thread, date, says } => {
                    let says = one_line(says);
                    format!("RuleSource::Thread {{ thread: {thread:?}, date: {date:?}, says: {says:?} }}")
                }
            })
            .collect();
        let example = example.as_ref().map_or("None".to_string(), |Example { program, wait, relieved }| {
            format!("Some(RuleExample {{ program: &{program:?}, wait: {wait}, relieved: {relieved:?} }})")
        });
        Ok(format!(
            "        Rule {{\n            id: {id:?}, says: {:?},\n            enforced: Enforced::{enforced:?}, gap: \
             {gap}, filler: {filler:?},\n            first: &[{}],\n            second: &[{}],\n            relieved: \
             &[{}],\n            sources: &[{}],\n            example: {example},\n        }},\n",
            one_line(says),
            first.join(", "),
            followers.join(", "),
            relieved.join(", "),
            sources.join(", "),
        ))
    }

    /// Instructions, with those of classes.
    fn names(&self, listed: &[String], except: &[String]) -> Result<Vec<String>, String> {
        let except = self.expand(except)?;
        Ok(self.expand(listed)?.into_iter().filter(|name| !except.contains(name)).collect())
    }

    /// Instructions, in place of classes those that are in them.
    fn expand(&self, listed: &[String]) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for name in listed {
            let Some(class) = name.strip_prefix('@') else {
                names.push(name.clone());
                continue;
            };
            let own = |one: &&Class| one.name == class && one.sets.contains(&self.set);
            let found = self.classes.class.iter().find(own).ok_or_else(|| format!("there is no class {class}"))?;
            let members = self.names(&found.instructions, &found.except)?;
            if found.instructions.iter().any(|name| name.starts_with('@')) {
                names.extend(members.into_iter().collect::<BTreeSet<_>>());
            } else {
                names.extend(members);
            }
        }
        Ok(names)
    }

    fn pattern(&self, one: &Pattern) -> Result<String, String> {
        let names = self.names(&one.instructions, &one.except)?;
        let of_these = |zero: &&Zero| {
            zero.sets.contains(&self.set) && !names.is_empty() && names.iter().all(|name| *name == zero.instruction)
        };
        let none = Tests::new();
        let zeros = self.classes.zero.iter().find(of_these).map_or(&none, |zero| &zero.fields);
        let mut tests = tests("Is", &one.is, zeros, |values| format!("&{values:?}"));
        for (kind, list) in [("Has", &one.has), ("Any", &one.any), ("Lacks", &one.lacks)] {
            tests.extend(self::tests(kind, list, zeros, u32::to_string));
        }
        Ok(format!("Pattern {{ instructions: &{names:?}, fields: &[{}] }}", tests.join(", ")))
    }

    fn relief(&self, one: &Pattern) -> Result<String, String> {
        let of = Pattern { instructions: one.of.clone(), is: one.given_is.clone(), ..Pattern::default() };
        let of = if one.of.is_empty() { "None".to_string() } else { format!("Some({})", self.pattern(&of)?) };
        Ok(format!("Relief {{ pattern: {}, of: {of} }}", self.pattern(one)?))
    }

    /// What a second instruction is, once or, of those that read registers, once for each kind.
    fn followers(&self, one: &Pattern) -> Result<Vec<String>, String> {
        let Some(reads) = &one.reads else { return Ok(vec![self.follower(one)?]) };
        let mut followers = Vec::new();
        for reader in self.classes.reads.iter().filter(|reader| reader.sets.contains(&self.set)) {
            let pattern = Pattern {
                instructions: reader.instructions.clone(),
                is: reader.is.clone(),
                has: reader.has.clone(),
                lacks: reader.lacks.clone(),
                unless: one.unless.clone().or_else(|| reader.unless.clone()),
                ..Pattern::default()
            };
            match reads {
                Reads::Field(field) if reader.fields.is_empty() => {
                    let given_is = Tests::from([(field.clone(), reader.registers.clone())]);
                    followers.push(self.follower(&Pattern { given_is, ..pattern })?);
                }
                Reads::Field(field) => {
                    let equal = reader.fields.iter().map(|own| (field.clone(), own.clone())).collect();
                    followers.push(self.follower(&Pattern { equal, ..pattern })?);
                }
                Reads::Registers(registers) => {
                    if reader.registers.iter().any(|register| registers.contains(register)) {
                        followers.push(self.follower(&pattern)?);
                    }
                    for field in &reader.fields {
                        let mut is = pattern.is.clone();
                        is.insert(field.clone(), registers.clone());
                        followers.push(self.follower(&Pattern { is, ..pattern.clone() })?);
                    }
                }
            }
        }
        Ok(followers)
    }

    fn follower(&self, one: &Pattern) -> Result<String, String> {
        let zeros = Tests::new();
        let mut given = tests("Is", &one.given_is, &zeros, |values| format!("&{values:?}"));
        given.extend(tests("Has", &one.given_has, &zeros, u32::to_string));
        Ok(format!(
            "Follower {{ pattern: {}, given: &[{}], equal: &{:?}, unless: {:?} }}",
            self.pattern(one)?,
            given.join(", "),
            one.equal,
            one.unless
        ))
    }
}

fn tests<T>(kind: &str, list: &Tests<T>, zeros: &Tests<u32>, text: impl Fn(&T) -> String) -> Vec<String> {
    list.iter()
        .map(|(field, value)| {
            let (zero, value) = (zeros.get(field).copied().unwrap_or_default(), text(value));
            format!("FieldTest {{ field: {field:?}, zero: {zero}, holds: FieldHolds::{kind}({value}) }}")
        })
        .collect()
}
