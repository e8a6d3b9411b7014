//! Pages, errata, disputes and rules as files: keys of all but rules, and what holds between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::rules::{Classes, RULES, Rule};

/// Where the pages are: a directory a family, a file a page.
pub const PAGES: &str = "pages";
/// Where the errata are: a file an erratum.
pub const ERRATA: &str = "errata";
/// Where the disputes are: a file a dispute.
pub const DISPUTES: &str = "disputes";

/// A file: its path from the package's root on, with `/`, and its text.
pub type File = (String, String);

/// Every file of pages, errata, disputes and rules.
///
/// # Errors
/// If one cannot be read.
pub fn read(root: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut directories = [PAGES, ERRATA, DISPUTES, RULES].map(str::to_string).to_vec();
    while let Some(directory) = directories.pop() {
        let entries = std::fs::read_dir(root.join(&directory)).map_err(|error| format!("{directory}: {error}"))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{directory}: {error}"))?;
            let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                directories.push(path);
            } else if !path.ends_with("/README.md") {
                let text = std::fs::read_to_string(entry.path()).map_err(|error| format!("isa/{path}: {error}"))?;
                files.push((path, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Set {
    #[serde(rename = "tensix-wh")]
    TensixWh,
    #[serde(rename = "tensix-bh")]
    TensixBh,
    #[serde(rename = "visa")]
    Visa,
}

impl Set {
    pub const ALL: [Set; 3] = [Set::TensixWh, Set::TensixBh, Set::Visa];

    /// The directory of its family.
    pub const fn family(self) -> &'static str {
        match self {
            Set::TensixWh | Set::TensixBh => "tensix",
            Set::Visa => "visa",
        }
    }

    /// What its lists are called in Rust.
    pub const fn list(self) -> &'static str {
        match self {
            Set::TensixWh => "OF_WORMHOLE",
            Set::TensixBh => "OF_BLACKHOLE",
            Set::Visa => "OF_VISA",
        }
    }

    /// What its errata's ids begin with.
    const fn prefix(self) -> &'static str {
        match self {
            Set::TensixWh | Set::TensixBh => "TX-",
            Set::Visa => "VX-",
        }
    }
}

/// A page. Its static has the name of its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    pub id: String,
    pub title: String,
    /// What it is, where its title does not say so.
    pub about: Option<String>,
    #[serde(default = "of_tenstorrent")]
    pub repository: String,
    pub path: String,
    pub commit: String,
    pub sha256: Option<String>,
    pub date: String,
    #[serde(default = "no_derivatives")]
    pub licence: String,
    /// The instruction sets that it is a page of.
    pub sets: Vec<Set>,
    pub lines: Option<Lines>,
}

fn of_tenstorrent() -> String {
    "tenstorrent/tt-isa-documentation".to_string()
}

fn no_derivatives() -> String {
    "CC BY-ND 4.0".to_string()
}

/// The lines of a page that are stated line by line. Lines that state nothing are listed by what they are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    pub count: u32,
    /// Headings, labels, and the frames of what follows them.
    #[serde(default)]
    pub headings: Vec<u32>,
    /// Fences of code blocks.
    #[serde(default)]
    pub fences: Vec<u32>,
    /// Blank lines, of the text and of the pseudo-code.
    #[serde(default)]
    pub blank: Vec<u32>,
    /// Lines of a closing brace alone.
    #[serde(default)]
    pub braces: Vec<u32>,
    /// How a table is set, and its frames.
    #[serde(default)]
    pub frames: Vec<u32>,
    /// The licence, and what our copy added.
    #[serde(default)]
    pub outside: Vec<u32>,
    /// Lines with a statement that an erratum of other lines contradicts.
    #[serde(default)]
    pub contradicted_elsewhere: Vec<u32>,
}

impl Lines {
    /// The lines that state nothing, in order.
    pub fn silent(&self) -> Vec<u32> {
        let Lines { count: _, headings, fences, blank, braces, frames, outside, contradicted_elsewhere: _ } = self;
        let mut silent = [headings, fences, blank, braces, frames, outside].map(|list| list.as_slice()).concat();
        silent.sort_unstable();
        silent
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Witnessed,
    Choice,
    Equal,
    Editorial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edition {
    Spec,
    Newest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoReading {
    Unpromised,
    Model,
    #[serde(rename = "promises less")]
    PromisesLess,
    #[serde(rename = "not modelled")]
    NotModelled,
    #[serde(rename = "other edition")]
    OtherEdition,
    #[serde(rename = "other page")]
    OtherPage,
    #[serde(rename = "no other reading")]
    NoOtherReading,
    #[serde(rename = "not named")]
    NotNamed,
}

/// A reading that was not taken.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    pub id: String,
    pub instruction: String,
    pub says: String,
}

/// A piece of evidence, by its grade.
#[derive(Clone, Debug, Deserialize)]
pub enum Evidence {
    #[serde(rename = "page")]
    Page(String),
    #[serde(rename = "simulator")]
    Simulator(String),
    #[serde(rename = "RTL")]
    Rtl(String),
    #[serde(rename = "silicon")]
    Silicon(String),
}

/// An erratum. Its id is the name of its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The instruction set that lists it; it may bear on instructions of others too.
    pub set: Set,
    pub kind: Kind,
    /// The name of a page.
    pub page: String,
    pub lines: String,
    pub prints: String,
    pub consequence: String,
    pub decision: String,
    pub evidence: Vec<Evidence>,
    #[serde(default)]
    pub editions: Vec<Edition>,
    #[serde(default, rename = "reading")]
    pub readings: Vec<Reading>,
    pub no_reading: Option<NoReading>,
    #[serde(default)]
    pub verified_by: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisputeKind {
    Chip,
    Reserved,
    Words,
}

/// A dispute. Its id is the name of its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    pub sets: Vec<Set>,
    pub kind: DisputeKind,
    /// The file names of instructions; a `*` at the end stands for any rest.
    pub instructions: Vec<String>,
    /// Those of them that it is not about.
    #[serde(default)]
    pub except: Vec<String>,
    #[serde(rename = "page")]
    pub pages: Vec<DisputedPage>,
    pub says: String,
    pub differs: String,
    /// Banks and fields, without indices. None: all of the outcome.
    #[serde(default)]
    pub places: Vec<String>,
    #[serde(rename = "source")]
    pub sources: Vec<DisputeSource>,
    #[serde(rename = "case")]
    pub cases: Vec<DisputedCase>,
}

/// What a page says, in the sets that it serves of those of the dispute.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisputedPage {
    pub name: String,
    pub lines: String,
    /// Those that it is cited for; all if none is named.
    #[serde(default)]
    pub sets: Vec<Set>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisputeSource {
    /// A repository and a file or thread, or who recorded it.
    pub at: String,
    /// A commit, a date, or a version.
    pub as_of: String,
    pub says: String,
}

/// All of what it names hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisputedCase {
    /// Values, by the name of a field, an axis or a quantity.
    #[serde(default)]
    pub is: BTreeMap<String, Vec<Span>>,
    /// Bits of which one is set.
    #[serde(default)]
    pub any: BTreeMap<String, u32>,
}

/// A value, or the first and the last of several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Span {
    One(u32),
    Range([u32; 2]),
}

impl Span {
    pub fn ends(&self) -> (u32, u32) {
        match *self {
            Span::One(value) => (value, value),
            Span::Range([first, last]) => (first, last),
        }
    }
}

/// All of it: pages by family and name, errata, disputes and rules by id.
#[derive(Clone, Debug)]
pub struct Data {
    pub pages: BTreeMap<(&'static str, String), Page>,
    pub errata: BTreeMap<String, Erratum>,
    pub disputes: BTreeMap<String, Dispute>,
    pub rules: BTreeMap<String, Rule>,
    pub classes: Classes,
}

impl Data {
    /// What the files say.
    ///
    /// # Errors
    /// If one of them has a key that there is not, lacks one, or names what there is not.
    pub fn of(files: &[File]) -> Result<Self, String> {
        let mut data = Data {
            pages: BTreeMap::new(),
            errata: BTreeMap::new(),
            disputes: BTreeMap::new(),
            rules: BTreeMap::new(),
            classes: Classes::default(),
        };
        for (path, text) in files {
            let fail = |message: &str| Err(format!("isa/{path}: {message}"));
            let Some(stem) = path.strip_suffix(".toml") else { return fail("it is no TOML file") };
            if let Some(id) = stem.strip_prefix("errata/") {
                data.errata.insert(id.to_string(), parse(path, text)?);
                continue;
            }
            if let Some(id) = stem.strip_prefix("disputes/") {
                data.disputes.insert(id.to_string(), parse(path, text)?);
                continue;
            }
            if let Some(rule) = stem.strip_prefix("rules/tensix/") {
                match rule {
                    "classes" => data.classes = parse(path, text)?,
                    id => {
                        data.rules.insert(id.to_string(), parse(path, text)?);
                    }
                }
                continue;
            }
            let family = Set::ALL.map(Set::family).into_iter().find_map(|family| {
                Some((family, stem.strip_prefix("pages/")?.strip_prefix(family)?.strip_prefix('/')?))
            });
            let Some((family, name)) = family else { return fail("there is no such family") };
            let is_name = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
            if !name.chars().all(is_name) {
                return fail("its name must be that of a static, for example MOVA2D_SPEC");
            }
            data.pages.insert((family, name.to_string()), parse(path, text)?);
        }
        data.check_pages()?;
        data.check_errata()?;
        data.check_disputes()?;
        Ok(data)
    }

    /// The page of an erratum.
    pub fn page_of(&self, erratum: &Erratum) -> Option<&Page> {
        self.pages.get(&(erratum.set.family(), erratum.page.clone()))
    }

    fn check_pages(&self) -> Result<(), String> {
        let mut ids = BTreeSet::new();
        for ((family, name), page) in &self.pages {
            let fail = |key: &str, message: &str| Err(format!("isa/pages/{family}/{name}.toml: {key}: {message}"));
            if page.sets.is_empty() || page.sets.iter().any(|set| set.family() != *family) {
                return fail("sets", "they must be of the directory's family, and one at least");
            }
            if !ids.insert(&page.id) {
                return fail("id", "another page has it");
            }
            if let Some(lines) = &page.lines {
                let silent = lines.silent();
                if let Some(twice) = silent.windows(2).find(|pair| pair[0] == pair[1]) {
                    return fail("lines", &format!("line {} is listed twice", twice[0]));
                }
                let mut listed = silent.iter().chain(&lines.contradicted_elsewhere);
                if let Some(line) = listed.find(|line| !(1..=lines.count).contains(line)) {
                    return fail("lines", &format!("there is no line {line}"));
                }
            }
        }
        Ok(())
    }

    fn check_errata(&self) -> Result<(), String> {
        for (id, erratum) in &self.errata {
            let fail = |key: &str, message: &str| Err(format!("isa/errata/{id}.toml: {key}: {message}"));
            if !is_numbered(id, erratum.set.prefix()) {
                return fail("set", &format!("files of this set are called {}01 to {0}999", erratum.set.prefix()));
            }
            match self.page_of(erratum) {
                None => return fail("page", &format!("there is no page {}", erratum.page)),
                Some(page) if !page.sets.contains(&erratum.set) => {
                    return fail("page", &format!("{} is no page of this set", erratum.page));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn check_disputes(&self) -> Result<(), String> {
        for (id, dispute) in &self.disputes {
            let fail = |key: &str, message: &str| Err(format!("isa/disputes/{id}.toml: {key}: {message}"));
            if dispute.sets.is_empty() || !is_numbered(id, &dispute.sets[0].prefix().replace('X', "D")) {
                return fail(
                    "sets",
                    "there is one at least, and files of Tensix are called TD-01 to TD-99, of vISA VD-",
                );
            }
            if dispute.sets.iter().any(|set| set.family() != dispute.sets[0].family()) {
                return fail("sets", "they are of one family");
            }
            for set in &dispute.sets {
                let cited = dispute.pages.iter().filter(|page| page.sets.is_empty() || page.sets.contains(set));
                let known = cited.map(|page| self.pages.get(&(set.family(), page.name.clone())));
                let known: Vec<Option<&Page>> = known.collect();
                if known.len() != 1 || !known[0].is_some_and(|page| page.sets.contains(set)) {
                    return fail("page", "each set has one, of its pages");
                }
            }
            if dispute.sources.is_empty() || dispute.instructions.is_empty() {
                return fail("source, instructions", "there is one at least");
            }
            let is_empty = |case: &DisputedCase| case.is.is_empty() && case.any.is_empty();
            if dispute.cases.is_empty() || dispute.cases.iter().any(is_empty) {
                return fail("case", "there is one at least, and each has a condition");
            }
        }
        Ok(())
    }
}

/// Whether a file is called by a prefix and two digits, or three from 100 on.
fn is_numbered(id: &str, prefix: &str) -> bool {
    let number = id.strip_prefix(prefix);
    let is_long_enough = |number: &str| number.len() == 2 || number.len() == 3 && !number.starts_with('0');
    number.is_some_and(|number| is_long_enough(number) && number.chars().all(|digit| digit.is_ascii_digit()))
}

/// A text of a file, in which a line break stands for a space.
pub fn one_line(text: &str) -> String {
    text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What a file says, or which of its lines is wrong.
pub fn parse<T: for<'de> Deserialize<'de>>(path: &str, text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
        let line = line.map_or(String::new(), |line| format!(" line {line}:"));
        format!("isa/{path}:{line} {}", error.message())
    })
}
