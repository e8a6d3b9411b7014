//! Reading: size, UTF-8, syntax, keys that stand twice, shape, names and ranges, ids, order, digest, canonical form.
//!
//! The types say the shape, as the schema says it to others: a gate holds the two against each other.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tandem_isa::{Code, Edition, Instruction, Isa};

use super::about::{About, Before};
use super::error::VectorError;
use super::model::{Group, Note, Outcome, Source, Sparse, Test, VectorFile};
use super::places::{field_named, rows_named};
use super::store::Revocation;
use super::strict::{Strict, duplicate_key, unplaced};
use super::write::hex_digits;
use crate::run::is_bit_name;
use crate::{Kind, NextStep};

/// Larger files are refused before they are read, in bytes.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Reads and checks a file of vectors of one of the instruction sets `isas`.
///
/// # Errors
/// See [`VectorError`]; the file's path is its name in messages.
pub fn read_file(isas: &[&'static Isa], path: &Path) -> Result<VectorFile, VectorError> {
    let name = path.display().to_string();
    check_text(isas, &name, &read_bytes(path, &name, MAX_FILE_BYTES)?)
}

/// Reads and checks a list of revoked tests.
///
/// # Errors
/// See [`VectorError`].
pub fn read_revocations(path: &Path) -> Result<Vec<Revocation>, VectorError> {
    let name = path.display().to_string();
    revocations(&name, &read_bytes(path, &name, MAX_FILE_BYTES)?)
}

/// Checks the text of a list of revoked tests.
pub(super) fn revocations(name: &str, bytes: &[u8]) -> Result<Vec<Revocation>, VectorError> {
    let list: Revocations = shaped(name, unrepeated(name, text_of(name, bytes)?)?)?;
    Ok(list.revoked)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Revocations {
    #[serde(rename = "schema")]
    _version: RevocationsVersion,
    revoked: Vec<Revocation>,
}

#[derive(Deserialize)]
enum RevocationsVersion {
    #[serde(rename = "urn:tandem:revoked:1")]
    First,
}

/// The bytes of a file that has at most so many.
///
/// # Errors
/// [`VectorError`] if it cannot be read, or has more.
pub fn read_bytes(path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, VectorError> {
    let io = |source| VectorError::Io { file: name.to_string(), source };
    let file = std::fs::File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    // One byte more than the limit, whatever the size is said to be.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limit {
        return Err(VectorError::TooLarge { file: name.to_string(), bytes: size, limit });
    }
    Ok(bytes)
}

/// Checks the bytes of a file of vectors of one of the instruction sets `isas`; `name` stands for the file in messages.
///
/// # Errors
/// See [`VectorError`].
pub fn check_text(isas: &[&'static Isa], name: &str, bytes: &[u8]) -> Result<VectorFile, VectorError> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let bytes = bytes.len() as u64;
        return Err(VectorError::TooLarge { file: name.to_string(), bytes, limit: MAX_FILE_BYTES });
    }
    let text = text_of(name, bytes)?;
    let mut value: FileText<'_> = shaped(name, unrepeated(name, text)?)?;
    let found = std::mem::take(&mut value.digest);
    let reader = Reader { file: name, is_checked: false };
    let groups = std::mem::take(&mut value.groups);
    let file = reader.vector_file(isas, value, &groups)?;
    // In canonical form ids and digest are right, so neither is worked out once more before something is wrong.
    let canonical = file.to_text();
    if canonical == text {
        return Ok(file);
    }
    for (index, (group, read)) in groups.iter().zip(&file.groups).enumerate() {
        for (place, (test, read)) in group.tests.iter().zip(&read.tests).enumerate() {
            reader.right_id(&file, test, read, &format!("/groups/{index}/tests/{place}"))?;
        }
    }
    let expected = file.digest();
    if found != expected {
        return Err(VectorError::Digest { file: name.to_string(), found, expected });
    }
    Err(first_difference(name, &canonical, text))
}

/// Reads the text of a file that [`check_text`] has taken before, as a gate holds of those in the program. What it checked once is
/// not checked again: schema, keys that stand twice, ids, canonical form.
///
/// # Errors
/// See [`VectorError`]: names and ranges that this build does not know.
pub(super) fn read_checked(isas: &[&'static Isa], name: &str, text: &str) -> Result<VectorFile, VectorError> {
    let mut value: FileText<'_> = shaped(name, text)?;
    let groups = std::mem::take(&mut value.groups);
    Reader { file: name, is_checked: true }.vector_file(isas, value, &groups)
}

fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, VectorError> {
    std::str::from_utf8(bytes).map_err(|error| VectorError::Utf8 { file: name.to_string(), at: error.valid_up_to() })
}

/// A text that is JSON, and in which no key stands twice.
fn unrepeated<'a>(name: &str, text: &'a str) -> Result<&'a str, VectorError> {
    serde_json::from_str::<Strict>(text).map(|_| text).map_err(|error| {
        let (file, line, column) = (name.to_string(), error.line(), error.column());
        let message = error.to_string();
        match duplicate_key(&message) {
            Some(key) => VectorError::DuplicateKey { file, line, column, key: key.to_string() },
            None => VectorError::Syntax { file, line, column, message },
        }
    })
}

/// A text of the right shape, as what it stands for.
fn shaped<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, VectorError> {
    serde_json::from_str(text).map_err(|error| VectorError::Schema {
        file: name.to_string(),
        place: format!("line {} column {}", error.line(), error.column()),
        // A message never has a megabyte of the file.
        message: unplaced(&error.to_string()).chars().take(300).collect(),
    })
}

/// A file of vectors as it is written down. What a schema cannot ask for is checked by the [`Reader`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText<'a> {
    #[serde(rename = "schema")]
    _version: Version,
    digest: String,
    isa: String,
    instruction: String,
    base: String,
    pages: Vec<BTreeMap<String, String>>,
    source: Source,
    #[serde(borrow)]
    finding: Option<FindingText<'a>>,
    notes: BTreeMap<String, Note>,
    #[serde(borrow)]
    groups: Vec<GroupText<'a>>,
}

#[derive(Deserialize)]
enum Version {
    #[serde(rename = "urn:tandem:vectors:1")]
    Tests,
    #[serde(rename = "urn:tandem:vectors:2")]
    Programs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingText<'a> {
    target: String,
    place: String,
    kind: String,
    shows: bool,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    classes: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    bits: Vec<String>,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(borrow, default, deserialize_with = "crate::vectors::one_or_many::deserialize")]
    after: Vec<BeforeText<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeforeText<'a> {
    code: Vec<String>,
    #[serde(borrow)]
    before: SparseText<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupText<'a> {
    edition: String,
    cell: Value,
    describe: String,
    class: String,
    #[serde(borrow)]
    tests: Vec<TestText<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestText<'a> {
    id: String,
    editions: Vec<String>,
    code: Option<Vec<String>>,
    text: Option<String>,
    steps: Option<Vec<NextText>>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(borrow)]
    before: SparseText<'a>,
    outcome: String,
    recorded: Option<String>,
    #[serde(borrow)]
    after: SparseText<'a>,
    #[serde(borrow)]
    care: Option<SparseText<'a>>,
}

/// A step of a program: its code words, and what they are in the page's syntax.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextText {
    instruction: String,
    code: Vec<String>,
    text: String,
}

/// Names and digits, most of what a file has, stay where they are read: nothing in them is written with a backslash.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseText<'a> {
    #[serde(borrow, default)]
    fields: BTreeMap<&'a str, Value>,
    #[serde(borrow, default)]
    rows: BTreeMap<&'a str, &'a str>,
}

/// The first line that is not as it should be.
fn first_difference(name: &str, canonical: &str, text: &str) -> VectorError {
    let mut expected_lines = canonical.split('\n');
    let mut found_lines = text.split('\n');
    for line in 1.. {
        let (expected, found) = (expected_lines.next(), found_lines.next());
        if expected == found && expected.is_some() {
            continue;
        }
        let (expected, found) = (expected.unwrap_or("the end of the file"), found.unwrap_or("the end of the file"));
        let same = expected.chars().zip(found.chars()).take_while(|(left, right)| left == right).count();
        let excerpt = |text: &str| text.chars().skip(same.saturating_sub(20)).take(60).collect();
        return VectorError::Canonical {
            file: name.to_string(),
            line,
            expected: excerpt(expected),
            found: excerpt(found),
        };
    }
    unreachable!("both iterators end")
}

/// Checks what is written down and makes what it stands for.
struct Reader<'a> {
    file: &'a str,
    /// Whether [`check_text`] has taken the text before.
    is_checked: bool,
}

impl Reader<'_> {
    fn wrong(&self, place: impl Into<String>, message: impl Into<String>) -> VectorError {
        VectorError::Value { file: self.file.to_string(), place: place.into(), message: message.into() }
    }

    fn disordered(&self, place: &str, message: String) -> VectorError {
        VectorError::Order { file: self.file.to_string(), place: place.to_string(), message }
    }

    fn equal(&self, at: &str, found: &str, expected: &str) -> Result<(), VectorError> {
        if found == expected {
            return Ok(());
        }
        let found: String = found.chars().take(120).collect();
        Err(self.wrong(at, format!("is '{found}', but this build has '{expected}'")))
    }

    fn edition(&self, name: &str, at: &str) -> Result<Edition, VectorError> {
        Edition::named(name).ok_or_else(|| self.wrong(at, "is not an edition"))
    }

    fn vector_file(
        &self,
        isas: &[&'static Isa],
        text: FileText<'_>,
        groups: &[GroupText<'_>],
    ) -> Result<VectorFile, VectorError> {
        let (isa_name, name) = (&text.isa, &text.instruction);
        let isa = isas.iter().copied().find(|isa| isa.name == isa_name);
        let isa =
            isa.ok_or_else(|| self.wrong("/isa", format!("'{isa_name}' is not an instruction set of this build")))?;
        let instruction = isa.instructions.iter().copied().find(|instruction| instruction.name == name);
        let instruction =
            instruction.ok_or_else(|| self.wrong("/instruction", format!("{isa_name} has no instruction '{name}'")))?;
        self.equal("/base", &text.base, isa.base_note)?;
        self.pages(&text.pages, instruction)?;
        self.lengths(&text.source, &text.notes)?;
        let mut file = VectorFile::new(isa, instruction, text.source);
        file.finding = text.finding.map(|about| self.about(&file, about)).transpose()?;
        file.notes = text.notes;
        for (index, group) in groups.iter().enumerate() {
            let at = format!("/groups/{index}");
            let group = self.group(&file, group, &at)?;
            if let Some(last) = file.groups.last()
                && (last.edition, last.cell) >= (group.edition, group.cell)
            {
                let (before, now) = (last.edition.name(), group.edition.name());
                let message = format!("cell {} of {now} stands behind cell {} of {before}", group.cell, last.cell);
                return Err(self.disordered(&at, message));
            }
            file.groups.push(group);
        }
        if file.finding.is_some() && file.len() != 1 {
            return Err(self.wrong("/groups", format!("has {} tests, a stored finding has one", file.len())));
        }
        Ok(file)
    }

    /// Refuses a test that has the id of another one.
    fn right_id(&self, file: &VectorFile, text: &TestText<'_>, test: &Test, at: &str) -> Result<(), VectorError> {
        let expected = test.id(file.isa, file.instruction);
        if text.id == expected {
            return Ok(());
        }
        let (file, place, found) = (self.file.to_string(), format!("{at}/id"), text.id.clone());
        Err(VectorError::Id { file, place, found, expected })
    }

    fn pages(&self, pages: &[BTreeMap<String, String>], instruction: &Instruction) -> Result<(), VectorError> {
        if pages.len() != Edition::ALL.len() {
            return Err(self.wrong("/pages", format!("has {} pages, one an edition is expected", pages.len())));
        }
        for (index, (found, edition)) in pages.iter().zip(Edition::ALL).enumerate() {
            let page = instruction.page(edition);
            let known = [
                ("edition", edition.name()),
                ("title", page.title),
                ("repository", page.repository),
                ("path", page.path),
                ("commit", page.commit),
            ];
            for (key, known) in known.into_iter().chain(page.sha256.map(|hash| ("sha256", hash))) {
                let found = found.get(key).map_or("", String::as_str);
                self.equal(&format!("/pages/{index}/{key}"), found, known)?;
            }
            if page.sha256.is_none() && found.contains_key("sha256") {
                let message = "is given, but this build does not know it";
                return Err(self.wrong(format!("/pages/{index}/sha256"), message));
            }
        }
        Ok(())
    }

    /// Texts that nothing else holds against anything have some length, and are no longer than a reader has to expect.
    fn lengths(&self, source: &Source, notes: &BTreeMap<String, Note>) -> Result<(), VectorError> {
        let Source { name, version, commit, licence, note } = source;
        let of_source = [
            ("name", Some(name), 128),
            ("version", Some(version), 256),
            ("commit", commit.as_ref(), 64),
            ("licence", licence.as_ref(), 128),
            ("note", note.as_ref(), 2048),
        ];
        let of_source =
            of_source.into_iter().filter_map(|(key, text, most)| Some((format!("/source/{key}"), text?, most)));
        let of_notes = notes.iter().flat_map(|(flag, Note { what, detects })| {
            [(flag, 48), (what, 2048), (detects, 2048)].map(|(text, most)| (format!("/notes/{flag:.48}"), text, most))
        });
        for (at, text, most) in of_source.chain(of_notes) {
            if text.is_empty() || text.chars().count() > most {
                return Err(self.wrong(at, format!("has not 1 to {most} characters")));
            }
        }
        Ok(())
    }

    fn about(&self, file: &VectorFile, text: FindingText<'_>) -> Result<About, VectorError> {
        let at = "/finding";
        let FindingText { target, place, kind, shows, options, classes, bits, rules, after } = text;
        let kind = Kind::named(&kind)
            .ok_or_else(|| self.wrong(format!("{at}/kind"), format!("'{kind}' is no kind of difference")))?;
        let class = |(edition, list): (String, Vec<String>)| {
            let at = format!("{at}/classes/{edition}");
            if let Some(class) = list.iter().find(|class| !file.instruction.cell_classes.contains(&class.as_str())) {
                return Err(self.wrong(at, format!("{} has no class '{class}'", file.instruction.path())));
            }
            Ok((self.edition(&edition, &at)?, list))
        };
        let classes = classes.into_iter().map(class).collect::<Result<_, _>>()?;
        let is_list = after.len() > 1;
        let before = |(place, after): (usize, BeforeText<'_>)| {
            let at = if is_list { format!("{at}/after/{place}") } else { format!("{at}/after") };
            let code = self.code(file.instruction, &after.code, &at)?;
            Ok(Before { code, before: self.sparse(file.isa, &after.before, &format!("{at}/before"))? })
        };
        let after = after.into_iter().enumerate().map(before).collect::<Result<_, _>>()?;
        if let Some(bit) = bits.iter().find(|bit| !is_bit_name(bit)) {
            return Err(self.wrong(format!("{at}/bits"), format!("'{bit}' is not of the form '7:0->1'")));
        }
        Ok(About { target, place, kind, shows, options, classes, bits, rules, after })
    }

    fn group(&self, file: &VectorFile, text: &GroupText<'_>, at: &str) -> Result<Group, VectorError> {
        let (isa, instruction) = (file.isa, file.instruction);
        let edition = self.edition(&text.edition, &format!("{at}/edition"))?;
        let space = (instruction.cells)(edition);
        let number = text.cell.as_u64().and_then(|cell| usize::try_from(cell).ok());
        let cell = number.filter(|&cell| cell < space.len()).ok_or_else(|| {
            let message = format!("{} has {} cells in {}", instruction.name, space.len(), edition.name());
            self.wrong(format!("{at}/cell"), message)
        })?;
        self.equal(&format!("{at}/describe"), &text.describe, &Group::describe(edition, instruction, cell))?;
        self.equal(&format!("{at}/class"), &text.class, (instruction.cell_class)(edition, space.levels(cell)))?;
        let mut group = Group { edition, cell, tests: Vec::new() };
        let mut last = "";
        for (index, text) in text.tests.iter().enumerate() {
            let at = format!("{at}/tests/{index}");
            let test = self.test(file, text, &at)?;
            if self.is_checked {
                group.tests.push(test);
                continue;
            }
            if last >= &text.id[..] {
                self.right_id(file, text, &test, &at)?;
                return Err(self.disordered(&at, format!("test {} stands behind test {last}", text.id)));
            }
            last = &text.id;
            if test.newest() != edition {
                let message =
                    format!("the test holds in {}, its group is one of {}", test.newest().name(), edition.name());
                return Err(self.wrong(format!("{at}/editions"), message));
            }
            if test.cell(isa, instruction, edition) != Some(cell) {
                let found = test.cell(isa, instruction, edition).map_or("none".to_string(), |cell| cell.to_string());
                return Err(self.wrong(at, format!("the test lies in cell {found}, its group is cell {cell}")));
            }
            group.tests.push(test);
        }
        Ok(group)
    }

    fn test(&self, file: &VectorFile, text: &TestText<'_>, at: &str) -> Result<Test, VectorError> {
        let isa = file.isa;
        let mut editions = Vec::new();
        for (index, name) in text.editions.iter().enumerate() {
            let at = format!("{at}/editions/{index}");
            let edition = self.edition(name, &at)?;
            if editions.last() >= Some(&edition) {
                return Err(self.wrong(at, "editions ascend: spec, newest"));
            }
            editions.push(edition);
        }
        let mut steps = self.steps(file, text, at)?.into_iter();
        let code = steps.next().expect("the schema asks for a step").code;
        let then: Vec<NextStep> = steps.collect();
        for (index, flag) in text.flags.iter().enumerate() {
            let at = format!("{at}/flags/{index}");
            if !file.notes.contains_key(flag) {
                return Err(self.wrong(at, format!("the flag '{flag}' is not explained in /notes")));
            }
            if index > 0 && text.flags[index - 1] >= *flag {
                return Err(self.wrong(at, "flags ascend"));
            }
        }
        let before = self.sparse(isa, &text.before, &format!("{at}/before"))?;
        let after = self.sparse(isa, &text.after, &format!("{at}/after"))?;
        let care = text.care.as_ref().map(|care| self.care(isa, care, &format!("{at}/care"))).transpose()?;
        let outcome = match &*text.outcome {
            "done" => Outcome::Done,
            "blocked" => Outcome::Blocked,
            "survive" if file.finding.is_some() => Outcome::Survive,
            "survive" => return Err(self.wrong(format!("{at}/outcome"), "stands in stored findings only")),
            _ => return Err(self.wrong(format!("{at}/outcome"), "is neither done nor blocked")),
        };
        if outcome != Outcome::Done && !after.is_empty() && then.is_empty() {
            return Err(self.wrong(format!("{at}/after"), "an instruction that is held changes nothing"));
        }
        let (flags, recorded, care) = (text.flags.clone(), text.recorded.clone(), care.unwrap_or_default());
        let test = Test { editions, code, then, flags, before, outcome, recorded, after, care };
        self.changes(isa, &test, at)?;
        Ok(test)
    }

    /// The steps of a test, of which the first is of the file's instruction.
    fn steps(&self, file: &VectorFile, text: &TestText<'_>, at: &str) -> Result<Vec<NextStep>, VectorError> {
        let step = |instruction: &'static Instruction, (code, text): (&[String], &str), at: &str| {
            let code = self.code(instruction, code, at)?;
            if !self.is_checked {
                self.equal(&format!("{at}/text"), text, &instruction.print(&code))?;
            }
            Ok(NextStep { instruction, code })
        };
        match (&text.code, &text.text, &text.steps) {
            (Some(code), Some(text), None) => Ok(vec![step(file.instruction, (code, text), at)?]),
            (None, None, Some(list)) => {
                let steps = list.iter().enumerate().map(|(place, next)| {
                    let (at, name) = (format!("{at}/steps/{place}"), &next.instruction);
                    let first = std::slice::from_ref(&file.instruction);
                    let own = if place == 0 { first } else { file.isa.instructions };
                    let found = own.iter().copied().find(|one| one.name == name);
                    let found =
                        found.ok_or_else(|| self.wrong(at.clone(), format!("'{name}' is not expected here")))?;
                    step(found, (&next.code, &next.text), &at)
                });
                steps.collect()
            }
            _ => Err(self.wrong(at, "has either a code with its text, or steps")),
        }
    }

    /// `after` names what changes, and nothing else.
    fn changes(&self, isa: &Isa, test: &Test, at: &str) -> Result<(), VectorError> {
        let fields = (isa.layout.fields)();
        for (field, value) in &test.after.fields {
            let field_spec = &fields[*field];
            if value == test.before.fields.get(field).unwrap_or(&field_spec.base) {
                return Err(
                    self.wrong(format!("{at}/after/fields/{}", field_spec.name), "is named and does not change")
                );
            }
        }
        for (key, words) in &test.after.rows {
            let bank = &isa.layout.banks[key.0];
            let same = match test.before.rows.get(key) {
                Some(before) => before == words,
                None => bank.is_base(key.1, words),
            };
            if same {
                return Err(
                    self.wrong(format!("{at}/after/rows/{}", bank.row_name(key.1)), "is named and does not change")
                );
            }
        }
        Ok(())
    }

    fn code(&self, instruction: &Instruction, code: &[String], at: &str) -> Result<Code, VectorError> {
        let mut words = Vec::new();
        for (index, word) in code.iter().enumerate() {
            let digits = word.strip_prefix("0x");
            let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            words.push(word.ok_or_else(|| self.wrong(format!("{at}/code/{index}"), "is not a 32-bit word in hex"))?);
        }
        if !instruction.matches(&words) {
            return Err(self.wrong(format!("{at}/code"), format!("does not encode {}", instruction.name)));
        }
        Ok(Code::new(&words))
    }

    fn sparse(&self, isa: &Isa, text: &SparseText<'_>, at: &str) -> Result<Sparse, VectorError> {
        let mut sparse = Sparse::default();
        for (name, value) in &text.fields {
            let at = || format!("{at}/fields/{name}");
            let field = field_named(isa.layout, name)
                .ok_or_else(|| self.wrong(at(), format!("{} has no such field", isa.name)))?;
            let max = (isa.layout.fields)()[field].max;
            let value = value.as_u64().and_then(|value| u32::try_from(value).ok()).filter(|&value| value <= max);
            let value = value.ok_or_else(|| self.wrong(at(), format!("is not a whole number of at most {max}")))?;
            sparse.fields.insert(field, value);
        }
        for (name, digits) in &text.rows {
            let at = || format!("{at}/rows/{name}");
            let (bank, rows) = rows_named(isa.layout, name)
                .ok_or_else(|| self.wrong(at(), format!("{} has no such rows", isa.name)))?;
            let (spec, count) = (&isa.layout.banks[bank], rows.len());
            let words = words_of(digits, count * spec.columns(), spec.bits).ok_or_else(|| {
                let (columns, width, bits) = (spec.columns(), hex_digits(spec.bits), spec.bits);
                let message = format!("is not {count} rows of {columns} words of {width} hex digits and {bits} bits");
                self.wrong(at(), message)
            })?;
            for (row, words) in rows.zip(words.chunks_exact(spec.columns())) {
                if sparse.rows.insert((bank, row), words.to_vec()).is_some() {
                    return Err(self.wrong(at(), format!("{} is named twice", spec.row_name(row))));
                }
            }
        }
        Ok(sparse)
    }

    fn care(&self, isa: &Isa, text: &SparseText<'_>, at: &str) -> Result<Sparse, VectorError> {
        let care = self.sparse(isa, text, at)?;
        let fields = (isa.layout.fields)();
        let whole_field = care.fields.iter().find(|(field, mask)| **mask == fields[**field].max);
        let whole_row = care
            .rows
            .iter()
            .find(|((bank, _), masks)| masks.iter().all(|&mask| mask == isa.layout.banks[*bank].word_mask()));
        let place = match (whole_field, whole_row) {
            (Some((field, _)), _) => format!("{at}/fields/{}", fields[*field].name),
            (None, Some(((bank, row), _))) => format!("{at}/rows/{}", isa.layout.banks[*bank].row_name(*row)),
            (None, None) if care.is_empty() => at.to_string(),
            (None, None) => return Ok(care),
        };
        Err(self.wrong(place, "a mask that keeps every bit says nothing"))
    }
}

fn words_of(digits: &str, count: usize, bits: u32) -> Option<Vec<u32>> {
    let width = hex_digits(bits);
    if digits.len() != count * width || !digits.is_ascii() {
        return None;
    }
    let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
    let word =
        |digits: &[u8]| digits.iter().try_fold(0, |word, &digit| Some(word << 4 | char::from(digit).to_digit(16)?));
    digits.as_bytes().chunks_exact(width).map(|digits| word(digits).filter(|word| word & !mask == 0)).collect()
}
