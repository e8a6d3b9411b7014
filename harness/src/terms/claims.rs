//! Claims: what an owner says that an implementation refuses. Everything else it promises to answer.
//!
//! A file of claims is TOML. It is read strictly: what it names must exist, and every error says where it is.
//!
//! ```toml
//! version = 2                               # 1, or none, is a file without families
//! absent = ["tensix-wh/sfpstore"]           # instructions that are not there at all
//! models = ["Sum=fused"]                    # the named models that are followed, where pages leave a choice
//!
//! [[held]]                                  # a number that has one value; with any other the case is refused
//! instruction = "tensix-wh/mova2d"
//! what = "FP16A_FORCE_Enable"
//! at = 0
//!
//! [[refuses]]                               # a conjunction of at most three conditions
//! instruction = "tensix-wh/mova2d"
//! when = [{ what = "mode.Move8Rows", is = ["0"] }, { what = "quantity.row of Dst", bits = 7 }]
//! reason = "single rows are not there"
//!
//! [[refuses]]                               # any bit of a family of fields but two, in any lane; and lanes that differ
//! instruction = "tensix-wh/mova2d"
//! when = [{ what = "family.LaneConfig[any]", bits = 0x3fefb }]
//!
//! [[refuses]]
//! instruction = "tensix-wh/mova2d"
//! when = [{ what = "family.bits of LaneConfig that differ", not = "0" }]
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, Facts, Instruction, Isa};

use super::lens::{Lens, View};
use super::models::Models;
use super::rule::{Atom, DataAtom, MOST_ATOMS, Rule, Rules, Test, implies};

/// The version of the format. Version 2 has families.
const VERSION: u32 = 2;

/// Why claims cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {place}: {problem}")]
pub struct ClaimsError {
    /// The file, or whose claims they are.
    pub file: String,
    /// Where in it, for example `refuses[2].when[0]`.
    pub place: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// What an owner claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Instructions that are not there, as `tensix-wh/mova2d`.
    pub absent: Vec<String>,
    /// The named models that are followed, as `Sum=fused`.
    pub models: Vec<String>,
    refuses: BTreeMap<String, Rules>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    absent: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    models: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held: Vec<HeldText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refuses: Vec<RuleText>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct HeldText {
    instruction: String,
    what: String,
    at: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    instruction: String,
    when: Vec<AtomText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<DataAtom>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AtomText {
    what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bits: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_least: Option<u32>,
}

impl Claims {
    /// Reads claims about instructions of `isas`. `file` is named in errors.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn parse(file: &str, text: &str, isas: &[&'static Isa]) -> Result<Self, ClaimsError> {
        let error = |place: String, problem: String| ClaimsError { file: file.to_string(), place, problem };
        let read: File = toml::from_str(text).map_err(|why| {
            let line = why.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            error(format!("line {line}"), why.message().to_string())
        })?;
        if let Some(version) = read.version.filter(|version| !(1..=VERSION).contains(version)) {
            let problem =
                format!("claims of version {version} are read by another tandem; this one reads up to {VERSION}");
            return Err(error("version".to_string(), problem));
        }
        let known = |place: &str, path: &str| {
            let all = isas.iter().flat_map(|isa| isa.instructions.iter().map(|&one| (*isa, one)));
            all.clone().find(|(_, one)| one.path() == path).ok_or_else(|| {
                let paths: Vec<String> = all.map(|(_, one)| one.path()).collect();
                error(place.to_string(), format!("there is no instruction '{path}'; there are: {}", paths.join(", ")))
            })
        };
        let mut claims = Claims { absent: read.absent, models: read.models, refuses: BTreeMap::new() };
        for (number, path) in claims.absent.iter().enumerate() {
            known(&format!("absent[{number}]"), path)?;
        }
        for (number, choice) in claims.models.iter().enumerate() {
            let choose = |isa: &Isa| Models::choose(isa, [&**choice]).err();
            let refused: Vec<String> =
                isas.iter().filter(|isa| !isa.models.is_empty()).filter_map(|isa| choose(isa)).collect();
            if !refused.is_empty() {
                let problem = format!("there is no model '{choice}'; {}", refused.join("; "));
                return Err(error(format!("models[{number}]"), problem));
            }
        }
        for (number, HeldText { instruction, what, at, reason }) in read.held.into_iter().enumerate() {
            let place = format!("held[{number}]");
            let (isa, one) = known(&place, &instruction)?;
            let view = View::new(isa, one, Edition::Newest);
            let lens = lens_of(&view, &what).map_err(|problem| error(place.clone(), problem))?;
            if at > view.largest(lens) {
                return Err(error(place, format!("{what} has no value {at}; its largest is {}", view.largest(lens))));
            }
            let all = vec![Atom { lens, test: Test::Not(at) }];
            claims.refuses.entry(instruction).or_default().list.push(Rule { all, data: None, reason });
        }
        for (number, RuleText { instruction, when, data, reason }) in read.refuses.into_iter().enumerate() {
            let place = format!("refuses[{number}]");
            let (isa, one) = known(&place, &instruction)?;
            let view = View::new(isa, one, Edition::Newest);
            if when.is_empty() && data.is_none() {
                let problem = "it has no condition; an instruction that is not there stands under `absent`";
                return Err(error(place, problem.to_string()));
            }
            if when.len() > MOST_ATOMS {
                let problem = format!("it has {} conditions, and at most {MOST_ATOMS} may stand together", when.len());
                return Err(error(place, problem));
            }
            if data.as_ref().is_some_and(|data| data.bank >= isa.layout.banks.len() || data.datum_bytes == 0) {
                return Err(error(place, "its data are of no bank that there is".to_string()));
            }
            let atoms = when.iter().enumerate().map(|(step, atom)| {
                atom_of(&view, atom).map_err(|problem| error(format!("{place}.when[{step}]"), problem))
            });
            let all = atoms.collect::<Result<_, _>>()?;
            claims.refuses.entry(instruction).or_default().list.push(Rule { all, data, reason });
        }
        Ok(claims)
    }

    /// The claims that an observation makes true: what is refused, and nothing more.
    #[must_use]
    pub fn accepting<'a>(observed: impl IntoIterator<Item = (&'static Instruction, &'a Rules)>) -> Self {
        let refuses = observed.into_iter().map(|(instruction, rules)| (instruction.path(), rules.clone()));
        Claims { refuses: refuses.collect(), ..Claims::default() }
    }

    /// The same claims of an implementation that follows these models: of what goes by others nothing is promised.
    #[must_use]
    pub fn following(mut self, models: &Models, isa: &Isa) -> Self {
        let rules = models.rules(isa.layout);
        for instruction in isa.instructions.iter().filter(|_| !rules.is_empty()) {
            self.refuses.entry(instruction.path()).or_default().list.extend(rules.iter().cloned());
        }
        self
    }

    /// What is refused of an instruction.
    #[must_use]
    pub fn rules(&self, instruction: &Instruction) -> Rules {
        self.refuses.get(&instruction.path()).cloned().unwrap_or_default()
    }

    /// Whether an instruction is claimed to be there.
    #[must_use]
    pub fn has(&self, instruction: &Facts) -> bool {
        !self.absent.contains(&instruction.path())
    }

    /// These claims with those about other instructions than `about` taken from `other`.
    #[must_use]
    pub fn beside(mut self, other: &Claims, about: &[String]) -> Self {
        for (path, rules) in other.refuses.iter().filter(|(path, _)| !about.contains(path)) {
            self.refuses.insert(path.clone(), rules.clone());
        }
        self.absent = other.absent.iter().filter(|path| !about.contains(path)).cloned().collect();
        self.models.clone_from(&other.models);
        self
    }

    /// What these claims refuse and `earlier` ones did not: claims only grow. In words, with the instruction.
    #[must_use]
    pub fn lost_since(&self, earlier: &Claims, isas: &[&'static Isa]) -> Vec<String> {
        let mut lost = Vec::new();
        for (path, rules) in &self.refuses {
            if earlier.absent.contains(path) {
                continue;
            }
            let before = earlier.refuses.get(path);
            let all = isas.iter().flat_map(|isa| isa.instructions.iter().map(|&one| (*isa, one)));
            let Some((isa, one)) = all.into_iter().find(|(_, one)| one.path() == *path) else { continue };
            let view = View::new(isa, one, Edition::Newest);
            for rule in &rules.list {
                // What one rule says of a family may stand there field by field.
                let had = |rule: &Rule| before.is_some_and(|before| before.list.iter().any(|one| implies(rule, one)));
                let parts = rule.by_fields(&view);
                if !had(rule) && (parts.is_empty() || !parts.iter().all(had)) {
                    lost.push(format!("{path}: {}", rule.describe(&view)));
                }
            }
        }
        lost
    }

    /// The file.
    ///
    /// # Panics
    /// If claims are about an instruction of no set in `isas`.
    #[must_use]
    pub fn to_toml(&self, isas: &[&'static Isa]) -> String {
        let mut refuses = Vec::new();
        for (path, rules) in &self.refuses {
            let all = isas.iter().flat_map(|isa| isa.instructions.iter().map(|&one| (*isa, one)));
            let (isa, one) = all.into_iter().find(|(_, one)| one.path() == *path).expect("claims name what there is");
            let view = View::new(isa, one, Edition::Newest);
            refuses.extend(rules.list.iter().map(|rule| RuleText {
                instruction: path.clone(),
                when: rule.all.iter().map(|atom| text_of(&view, atom)).collect(),
                data: rule.data.clone(),
                reason: rule.reason.clone(),
            }));
        }
        let (absent, models) = (self.absent.clone(), self.models.clone());
        let file = File { version: Some(VERSION), absent, models, held: Vec::new(), refuses };
        toml::to_string(&file).expect("claims are plain data")
    }
}

/// The lens of a name, which may begin with its kind: `mode.Move8Rows`, `code.DstRow`, `field.…`, `quantity.…`, `axis.…`.
fn lens_of(view: &View, what: &str) -> Result<Lens, String> {
    let lenses = view.lenses();
    // Files of version 1 have families as numbers of an instruction.
    let family = what.strip_prefix("quantity.").unwrap_or(what);
    let family = family.strip_suffix(" between lanes").unwrap_or(family);
    let is_family = |lens: &Lens| matches!(lens, Lens::Any(_) | Lens::Differ(_)) && view.name(*lens) == family;
    if let Some(&lens) = lenses.iter().find(|lens| is_family(lens)) {
        return Ok(lens);
    }
    let found = lenses.iter().copied().find(|&lens| what == full_name(view, lens));
    found.or_else(|| view.named(what)).ok_or_else(|| {
        let near = |lens: &Lens| {
            let name = view.name(*lens);
            name.to_ascii_lowercase().contains(&what.rsplit('.').next().unwrap_or(what).to_ascii_lowercase())
        };
        let near: Vec<String> =
            lenses.iter().filter(|lens| near(lens)).take(5).map(|&lens| full_name(view, lens)).collect();
        let near = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
        format!(
            "{} has nothing called '{what}'{near} `tandem describe {}` lists what it has",
            view.instruction.path(),
            view.instruction.isa
        )
    })
}

fn full_name(view: &View, lens: Lens) -> String {
    let kind = match lens {
        Lens::Quantity(_) => "quantity",
        Lens::Path(_) => "mode",
        Lens::Code(_) | Lens::Unnamed(_) => "code",
        Lens::Field(_) => "field",
        Lens::Axis(_) => "axis",
        Lens::Any(_) | Lens::Differ(_) => "family",
    };
    format!("{kind}.{}", view.name(lens))
}

fn atom_of(view: &View, atom: &AtomText) -> Result<Atom, String> {
    let lens = lens_of(view, &atom.what)?;
    let test = match (&atom.is, &atom.not, atom.bits, atom.at_least) {
        (Some(values), None, None, None) if !values.is_empty() => {
            let values = values.iter().map(|value| view.value_of(lens, value));
            let mut values = values.collect::<Result<Vec<_>, _>>()?;
            values.sort_unstable();
            values.dedup();
            Test::In(values)
        }
        (None, Some(value), None, None) => Test::Not(view.value_of(lens, value)?),
        (None, None, Some(bits), None) => Test::Bits(bits),
        (None, None, None, Some(least)) => Test::AtLeast(least),
        _ => return Err("a condition has one of `is`, `not`, `bits` and `at-least`".to_string()),
    };
    Ok(Atom { lens, test })
}

fn text_of(view: &View, atom: &Atom) -> AtomText {
    let what = full_name(view, atom.lens);
    let name = |value: u32| {
        // A name that two values share says nothing.
        let name = view.value_name(atom.lens, value);
        let shared = |name: &&str| {
            (0..=view.largest(atom.lens).min(255))
                .any(|other| other != value && view.value_name(atom.lens, other) == Some(name))
        };
        name.filter(|name| !shared(name)).map_or_else(|| value.to_string(), str::to_string)
    };
    match &atom.test {
        Test::In(values) => {
            AtomText { what, is: Some(values.iter().map(|&value| name(value)).collect()), ..AtomText::default() }
        }
        Test::Not(value) => AtomText { what, not: Some(name(*value)), ..AtomText::default() },
        Test::Bits(bits) => AtomText { what, bits: Some(*bits), ..AtomText::default() },
        Test::AtLeast(least) => AtomText { what, at_least: Some(*least), ..AtomText::default() },
    }
}
