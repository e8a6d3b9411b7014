//! One line of a recording: what it is, and its parts read with their places.

use serde_json::{Map, Value};
use tandem_harness::IsaSuite;
use tandem_harness::vectors::{Sparse, Test, field_named};
use tandem_isa::{Edition, Instruction, Isa};

use super::{ImportError, LeftOut};

pub(super) type Members = Map<String, Value>;

/// What a line holds.
pub(super) struct Record<'s> {
    pub(super) suite: &'s IsaSuite,
    pub(super) instruction: &'static Instruction,
    /// The recorded outcome, for the account.
    pub(super) recorded: String,
    /// The test, or why there is none.
    pub(super) test: Result<Test, LeftOut>,
    /// Fields of the configuration, by their places in the layout, of which the line says nothing.
    pub(super) unlisted: Vec<usize>,
}

/// Why a line is not read.
#[derive(Debug)]
pub(super) enum NotRead {
    /// It has a field that the importer does not know. That costs the line.
    Unknown(ImportError),
    /// It says something impossible. That costs the recording.
    Wrong(ImportError),
}

impl NotRead {
    /// The line is left out for a field that is not known.
    pub(super) fn left_out(self) -> Result<LeftOut, ImportError> {
        match self {
            NotRead::Unknown(ImportError::Value { place, .. }) => Ok(LeftOut::Unknown { place }),
            NotRead::Unknown(error) | NotRead::Wrong(error) => Err(error),
        }
    }
}

impl From<NotRead> for ImportError {
    fn from((NotRead::Unknown(error) | NotRead::Wrong(error)): NotRead) -> Self {
        error
    }
}

/// One line of a recording.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl Line<'_> {
    fn error(&self, place: impl Into<String>, message: impl Into<String>) -> ImportError {
        ImportError::Value {
            file: self.file.to_string(),
            line: self.line,
            place: place.into(),
            message: message.into(),
        }
    }

    pub(super) fn wrong(&self, place: impl Into<String>, message: impl Into<String>) -> NotRead {
        NotRead::Wrong(self.error(place, message))
    }

    pub(super) fn unknown(&self, place: impl Into<String>) -> NotRead {
        NotRead::Unknown(self.error(place, "is not known"))
    }

    pub(super) fn object<'v>(&self, value: Option<&'v Value>, at: &str) -> Result<&'v Members, NotRead> {
        value.and_then(Value::as_object).ok_or_else(|| self.wrong(at, "is not an object"))
    }

    pub(super) fn number(&self, value: &Value, at: &str) -> Result<u32, NotRead> {
        let number = value.as_u64().and_then(|value| u32::try_from(value).ok());
        number.ok_or_else(|| self.wrong(at, "is not a whole number of 32 bits"))
    }

    /// Eight hex digits behind `0x`.
    pub(super) fn hex(&self, value: Option<&Value>, at: &str) -> Result<u32, NotRead> {
        let digits = value.and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
        let digits = digits.filter(|digits| digits.len() == 8 && is_hex(digits));
        let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        word.ok_or_else(|| self.wrong(at, "is not a word in hex"))
    }

    pub(super) fn text<'v>(&self, line: &'v Members, key: &str) -> Result<&'v str, NotRead> {
        line.get(key).and_then(Value::as_str).ok_or_else(|| self.wrong(format!("/{key}"), "is not a string"))
    }

    /// The members of an object, all of which must be known.
    pub(super) fn only(&self, members: &Members, at: &str, known: &[&str]) -> Result<(), NotRead> {
        match members.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.unknown(format!("{at}/{key}"))),
            None => Ok(()),
        }
    }

    pub(super) fn set_field(
        &self,
        isa: &Isa,
        sparse: &mut Sparse,
        name: &str,
        value: u32,
        at: &str,
    ) -> Result<(), NotRead> {
        let field = field_named(isa.layout, name).ok_or_else(|| self.unknown(at))?;
        let spec = &(isa.layout.fields)()[field];
        if value > spec.max {
            return Err(self.wrong(at, format!("{value} is more than {name} holds")));
        }
        sparse.put_field(field, value, spec.base);
        Ok(())
    }

    /// The test, which must lie in a cell of each edition, with the flag that it has if it is contested.
    pub(super) fn placed(&self, isa: &Isa, instruction: &Instruction, mut test: Test) -> Result<Test, NotRead> {
        let has_cell = |&&edition: &&Edition| test.cell(isa, instruction, edition).is_some();
        if let Some(edition) = instruction.editions().iter().find(|edition| !has_cell(edition)) {
            return Err(self.wrong("/", format!("the case lies in no cell of edition {}", edition.name())));
        }
        if test.contested(isa, instruction).is_some() {
            test.flags.push("contested".to_string());
            test.flags.sort();
        }
        Ok(test)
    }
}

/// Whether all of a text are hex digits (a sign is none).
pub(super) fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}
