//! Reading: size, UTF-8, syntax, keys that stand twice, schema, names and ranges, ids, order, digest, canonical form.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use tandem_isa::{Code, Edition, Instruction, Isa};

use super::about::{About, Before};
use super::error::VectorError;
use super::model::{Group, Note, Outcome, Source, Sparse, Test, VectorFile};
use super::places::{field_named, rows_named};
use super::schema::{Schema, complaint};
use super::store::Revocation;
use super::strict::{Strict, duplicate_key};
use super::write::hex_digits;
use crate::Kind;
use crate::report::known::is_bit_name;

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
    let value = parse(name, text_of(name, bytes)?)?;
    fit(name, Schema::Revoked, &value)?;
    let reader = Reader { file: name };
    let list = reader.array(&value, "", "revoked")?;
    let entries = list.iter().enumerate().map(|(index, entry)| {
        let at = format!("/revoked/{index}");
        Ok(Revocation {
            id: reader.string(entry, &at, "id")?.to_string(),
            date: reader.string(entry, &at, "date")?.to_string(),
            reason: reader.string(entry, &at, "reason")?.to_string(),
        })
    });
    entries.collect()
}

/// The bytes of a file that has at most so many.
pub(super) fn read_bytes(path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, VectorError> {
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
    let value = parse(name, text)?;
    fit(name, Schema::Vectors, &value)?;
    let reader = Reader { file: name };
    let file = reader.vector_file(isas, &value)?;
    let canonical = file.to_text();
    if canonical == text {
        return Ok(file);
    }
    let (found, expected) = (reader.string(&value, "", "digest")?, file.digest());
    if found != expected {
        return Err(VectorError::Digest { file: name.to_string(), found: found.to_string(), expected });
    }
    Err(first_difference(name, &canonical, text))
}

fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, VectorError> {
    std::str::from_utf8(bytes).map_err(|error| VectorError::Utf8 { file: name.to_string(), at: error.valid_up_to() })
}

fn parse(name: &str, text: &str) -> Result<Value, VectorError> {
    serde_json::from_str::<Strict>(text).map(|Strict(value)| value).map_err(|error| {
        let (file, line, column) = (name.to_string(), error.line(), error.column());
        let message = error.to_string();
        match duplicate_key(&message) {
            Some(key) => VectorError::DuplicateKey { file, line, column, key: key.to_string() },
            None => VectorError::Syntax { file, line, column, message },
        }
    })
}

fn fit(name: &str, schema: Schema, value: &Value) -> Result<(), VectorError> {
    match complaint(schema, value) {
        Some((place, message)) => Err(VectorError::Schema { file: name.to_string(), place, message }),
        None => Ok(()),
    }
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

/// Decodes a value that fits the schema. What the schema promises is asked for again, so that nothing here can panic.
struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, place: impl Into<String>, message: impl Into<String>) -> VectorError {
        VectorError::Value { file: self.file.to_string(), place: place.into(), message: message.into() }
    }

    fn get<'v>(&self, value: &'v Value, at: &str, key: &str) -> Result<&'v Value, VectorError> {
        value.get(key).ok_or_else(|| self.wrong(format!("{at}/{key}"), "is missing"))
    }

    fn string<'v>(&self, value: &'v Value, at: &str, key: &str) -> Result<&'v str, VectorError> {
        let found = self.get(value, at, key)?;
        found.as_str().ok_or_else(|| self.wrong(format!("{at}/{key}"), "is not a string"))
    }

    fn array<'v>(&self, value: &'v Value, at: &str, key: &str) -> Result<&'v [Value], VectorError> {
        let found = self.get(value, at, key)?;
        let array = found.as_array().ok_or_else(|| self.wrong(format!("{at}/{key}"), "is not an array"))?;
        Ok(array)
    }

    fn members<'v>(
        &self,
        value: &'v Value,
        at: &str,
        key: &str,
    ) -> Result<impl Iterator<Item = (&'v String, &'v Value)>, VectorError> {
        let found = self.get(value, at, key)?;
        let object = found.as_object().ok_or_else(|| self.wrong(format!("{at}/{key}"), "is not an object"))?;
        Ok(object.iter())
    }

    fn equal(&self, value: &Value, at: &str, key: &str, expected: &str) -> Result<(), VectorError> {
        let found = self.string(value, at, key)?;
        if found == expected {
            return Ok(());
        }
        let found: String = found.chars().take(120).collect();
        Err(self.wrong(format!("{at}/{key}"), format!("is '{found}', but this build has '{expected}'")))
    }

    fn edition(&self, value: &Value, at: &str) -> Result<Edition, VectorError> {
        value.as_str().and_then(Edition::named).ok_or_else(|| self.wrong(at, "is not an edition"))
    }

    fn vector_file(&self, isas: &[&'static Isa], value: &Value) -> Result<VectorFile, VectorError> {
        let isa_name = self.string(value, "", "isa")?;
        let isa = isas
            .iter()
            .copied()
            .find(|isa| isa.name == isa_name)
            .ok_or_else(|| self.wrong("/isa", format!("'{isa_name}' is not an instruction set of this build")))?;
        let name = self.string(value, "", "instruction")?;
        let instruction = isa.instructions.iter().copied().find(|instruction| instruction.name == name);
        let instruction =
            instruction.ok_or_else(|| self.wrong("/instruction", format!("{isa_name} has no instruction '{name}'")))?;
        self.equal(value, "", "base", isa.base_note)?;
        self.pages(value, instruction)?;
        let mut file = VectorFile::new(isa, instruction, self.source(value)?);
        file.finding = value.get("finding").map(|about| self.about(&file, about)).transpose()?;
        for (flag, note) in self.members(value, "", "notes")? {
            let at = format!("/notes/{flag}");
            let text = |key| self.string(note, &at, key).map(str::to_string);
            file.notes.insert(flag.clone(), Note { what: text("what")?, detects: text("detects")? });
        }
        for (index, group) in self.array(value, "", "groups")?.iter().enumerate() {
            let at = format!("/groups/{index}");
            let group = self.group(&file, group, &at)?;
            if let Some(last) = file.groups.last()
                && (last.edition, last.cell) >= (group.edition, group.cell)
            {
                return Err(VectorError::Order {
                    file: self.file.to_string(),
                    place: at,
                    message: format!(
                        "cell {} of {} stands behind cell {} of {}",
                        group.cell,
                        group.edition.name(),
                        last.cell,
                        last.edition.name()
                    ),
                });
            }
            file.groups.push(group);
        }
        if file.finding.is_some() && file.len() != 1 {
            return Err(self.wrong("/groups", format!("has {} tests, a stored finding has one", file.len())));
        }
        Ok(file)
    }

    fn pages(&self, value: &Value, instruction: &Instruction) -> Result<(), VectorError> {
        let pages = self.array(value, "", "pages")?;
        if pages.len() != Edition::ALL.len() {
            return Err(self.wrong("/pages", format!("has {} pages, one an edition is expected", pages.len())));
        }
        for (index, (found, edition)) in pages.iter().zip(Edition::ALL).enumerate() {
            let at = format!("/pages/{index}");
            let page = instruction.page(edition);
            self.equal(found, &at, "edition", edition.name())?;
            self.equal(found, &at, "title", page.title)?;
            self.equal(found, &at, "repository", page.repository)?;
            self.equal(found, &at, "path", page.path)?;
            self.equal(found, &at, "commit", page.commit)?;
            match page.sha256 {
                Some(hash) => self.equal(found, &at, "sha256", hash)?,
                None if found.get("sha256").is_some() => {
                    return Err(self.wrong(format!("{at}/sha256"), "is given, but this build does not know it"));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn source(&self, value: &Value) -> Result<Source, VectorError> {
        let source = self.get(value, "", "source")?;
        let optional = |key| match source.get(key) {
            Some(_) => self.string(source, "/source", key).map(|text| Some(text.to_string())),
            None => Ok(None),
        };
        Ok(Source {
            name: self.string(source, "/source", "name")?.to_string(),
            version: self.string(source, "/source", "version")?.to_string(),
            commit: optional("commit")?,
            licence: optional("licence")?,
            note: optional("note")?,
        })
    }

    fn about(&self, file: &VectorFile, value: &Value) -> Result<About, VectorError> {
        let at = "/finding";
        let words = |value: &Value, key: &str| -> Result<Vec<String>, VectorError> {
            if value.get(key).is_none() {
                return Ok(Vec::new());
            }
            let list = self.array(value, at, key)?.iter().map(|word| word.as_str().map(str::to_string));
            let list: Option<Vec<String>> = list.collect();
            list.ok_or_else(|| self.wrong(format!("{at}/{key}"), "is not a list of strings"))
        };
        let kind = self.string(value, at, "kind")?;
        let kind = Kind::named(kind)
            .ok_or_else(|| self.wrong(format!("{at}/kind"), format!("'{kind}' is no kind of difference")))?;
        let shows = self.get(value, at, "shows")?.as_bool();
        let mut classes = BTreeMap::new();
        if let Some(seen) = value.get("classes") {
            for (edition, _) in self.members(value, at, "classes")? {
                let named = Edition::named(edition);
                let named = named.ok_or_else(|| self.wrong(format!("{at}/classes/{edition}"), "is not an edition"))?;
                let list = words(seen, edition)?;
                if let Some(class) = list.iter().find(|class| !file.instruction.cell_classes.contains(&class.as_str()))
                {
                    let problem = format!("{} has no class '{class}'", file.instruction.path());
                    return Err(self.wrong(format!("{at}/classes/{edition}"), problem));
                }
                classes.insert(named, list);
            }
        }
        let after = match value.get("after") {
            Some(after) => {
                let at = format!("{at}/after");
                let code = self.code(file.instruction, after, &at)?;
                let before = self.sparse(file.isa, self.get(after, &at, "before")?, &format!("{at}/before"))?;
                Some(Before { code, before })
            }
            None => None,
        };
        let bits = words(value, "bits")?;
        if let Some(bit) = bits.iter().find(|bit| !is_bit_name(bit)) {
            return Err(self.wrong(format!("{at}/bits"), format!("'{bit}' is not of the form '7:0->1'")));
        }
        Ok(About {
            target: self.string(value, at, "target")?.to_string(),
            place: self.string(value, at, "place")?.to_string(),
            kind,
            shows: shows.ok_or_else(|| self.wrong(format!("{at}/shows"), "is neither true nor false"))?,
            options: words(value, "options")?,
            classes,
            bits,
            after,
        })
    }

    fn group(&self, file: &VectorFile, value: &Value, at: &str) -> Result<Group, VectorError> {
        let (isa, instruction) = (file.isa, file.instruction);
        let edition = self.edition(self.get(value, at, "edition")?, &format!("{at}/edition"))?;
        let space = (instruction.cells)(edition);
        let number = self.get(value, at, "cell")?.as_u64().and_then(|cell| usize::try_from(cell).ok());
        let cell = number.filter(|&cell| cell < space.len()).ok_or_else(|| {
            self.wrong(
                format!("{at}/cell"),
                format!("{} has {} cells in {}", instruction.name, space.len(), edition.name()),
            )
        })?;
        self.equal(value, at, "describe", &Group::describe(edition, instruction, cell))?;
        self.equal(value, at, "class", (instruction.cell_class)(edition, space.levels(cell)))?;
        let mut group = Group { edition, cell, tests: Vec::new() };
        let mut last = "";
        for (index, value) in self.array(value, at, "tests")?.iter().enumerate() {
            let at = format!("{at}/tests/{index}");
            let test = self.test(file, value, &at)?;
            let (found, expected) = (self.string(value, &at, "id")?, test.id(isa, instruction));
            if found != expected {
                return Err(VectorError::Id {
                    file: self.file.to_string(),
                    place: format!("{at}/id"),
                    found: found.to_string(),
                    expected,
                });
            }
            if last >= found {
                return Err(VectorError::Order {
                    file: self.file.to_string(),
                    place: at,
                    message: format!("test {found} stands behind test {last}"),
                });
            }
            last = found;
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

    fn test(&self, file: &VectorFile, value: &Value, at: &str) -> Result<Test, VectorError> {
        let (isa, instruction) = (file.isa, file.instruction);
        let mut editions = Vec::new();
        for (index, edition) in self.array(value, at, "editions")?.iter().enumerate() {
            let at = format!("{at}/editions/{index}");
            let edition = self.edition(edition, &at)?;
            if editions.last() >= Some(&edition) {
                return Err(self.wrong(at, "editions ascend: spec, newest"));
            }
            editions.push(edition);
        }
        let code = self.code(instruction, value, at)?;
        self.equal(value, at, "text", &instruction.print(&code))?;
        let mut flags: Vec<String> = Vec::new();
        if value.get("flags").is_some() {
            for (index, flag) in self.array(value, at, "flags")?.iter().enumerate() {
                let at = format!("{at}/flags/{index}");
                let flag = flag.as_str().unwrap_or_default();
                if !file.notes.contains_key(flag) {
                    return Err(self.wrong(at, format!("the flag '{flag}' is not explained in /notes")));
                }
                if flags.last().is_some_and(|last| last.as_str() >= flag) {
                    return Err(self.wrong(at, "flags ascend"));
                }
                flags.push(flag.to_string());
            }
        }
        let before = self.sparse(isa, self.get(value, at, "before")?, &format!("{at}/before"))?;
        let after = self.sparse(isa, self.get(value, at, "after")?, &format!("{at}/after"))?;
        let care = match value.get("care") {
            Some(care) => self.care(isa, care, &format!("{at}/care"))?,
            None => Sparse::default(),
        };
        let outcome = match self.string(value, at, "outcome")? {
            "done" => Outcome::Done,
            "blocked" => Outcome::Blocked,
            "survive" if file.finding.is_some() => Outcome::Survive,
            "survive" => return Err(self.wrong(format!("{at}/outcome"), "stands in stored findings only")),
            _ => return Err(self.wrong(format!("{at}/outcome"), "is neither done nor blocked")),
        };
        if outcome != Outcome::Done && !after.is_empty() {
            return Err(self.wrong(format!("{at}/after"), "an instruction that is held changes nothing"));
        }
        let recorded = match value.get("recorded") {
            Some(_) => Some(self.string(value, at, "recorded")?.to_string()),
            None => None,
        };
        let test = Test { editions, code, flags, before, outcome, recorded, after, care };
        self.changes(isa, &test, at)?;
        Ok(test)
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
                None => words.iter().all(|&word| word == bank.base),
            };
            if same {
                return Err(
                    self.wrong(format!("{at}/after/rows/{}", bank.row_name(key.1)), "is named and does not change")
                );
            }
        }
        Ok(())
    }

    fn code(&self, instruction: &Instruction, value: &Value, at: &str) -> Result<Code, VectorError> {
        let mut words = Vec::new();
        for (index, word) in self.array(value, at, "code")?.iter().enumerate() {
            let digits = word.as_str().and_then(|text| text.strip_prefix("0x"));
            let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            words.push(word.ok_or_else(|| self.wrong(format!("{at}/code/{index}"), "is not a 32-bit word in hex"))?);
        }
        if !instruction.matches(&words) {
            return Err(self.wrong(format!("{at}/code"), format!("does not encode {}", instruction.name)));
        }
        Ok(Code::new(&words))
    }

    fn sparse(&self, isa: &Isa, value: &Value, at: &str) -> Result<Sparse, VectorError> {
        let mut sparse = Sparse::default();
        if value.get("fields").is_some() {
            let fields = (isa.layout.fields)();
            for (name, value) in self.members(value, at, "fields")? {
                let at = format!("{at}/fields/{name}");
                let field = field_named(isa.layout, name)
                    .ok_or_else(|| self.wrong(at.as_str(), format!("{} has no such field", isa.name)))?;
                let max = fields[field].max;
                let value = value.as_u64().and_then(|value| u32::try_from(value).ok()).filter(|&value| value <= max);
                let value = value.ok_or_else(|| self.wrong(at, format!("is not a whole number of at most {max}")))?;
                sparse.fields.insert(field, value);
            }
        }
        if value.get("rows").is_some() {
            for (name, value) in self.members(value, at, "rows")? {
                let at = format!("{at}/rows/{name}");
                let (bank, rows) = rows_named(isa.layout, name)
                    .ok_or_else(|| self.wrong(at.as_str(), format!("{} has no such rows", isa.name)))?;
                let spec = &isa.layout.banks[bank];
                let words = value.as_str().and_then(|digits| words_of(digits, rows.len() * spec.columns(), spec.bits));
                let words = words.ok_or_else(|| {
                    let (columns, width) = (spec.columns(), hex_digits(spec.bits));
                    let message = format!(
                        "is not {} rows of {columns} words of {width} hex digits and {} bits",
                        rows.len(),
                        spec.bits
                    );
                    self.wrong(at.as_str(), message)
                })?;
                for (row, words) in rows.zip(words.chunks_exact(spec.columns())) {
                    if sparse.rows.insert((bank, row), words.to_vec()).is_some() {
                        return Err(self.wrong(at, format!("{} is named twice", spec.row_name(row))));
                    }
                }
            }
        }
        Ok(sparse)
    }

    fn care(&self, isa: &Isa, value: &Value, at: &str) -> Result<Sparse, VectorError> {
        let care = self.sparse(isa, value, at)?;
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
    let word = |index: usize| u32::from_str_radix(&digits[index * width..(index + 1) * width], 16).ok();
    (0..count).map(|index| word(index).filter(|word| word & !mask == 0)).collect()
}
