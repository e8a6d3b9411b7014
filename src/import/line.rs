//! One line of a recording: what it is, and its parts read with their places.

use serde_json::{Map, Value};
use tandem_harness::vectors::{Outcome, Sparse, Test, field_named};
use tandem_harness::{IsaSuite, Suite};
use tandem_isa::tensix::Chip;
use tandem_isa::{Code, Edition, Instruction, Isa};

use super::account::without_values;
use super::form::{Executed, Form};
use super::{ImportError, LeftOut};

pub(super) type Members = Map<String, Value>;

/// What a line holds.
pub(super) struct Record<'s> {
    pub(super) suite: &'s IsaSuite,
    pub(super) instruction: &'static Instruction,
    /// The recorded outcome.
    pub(super) recorded: String,
    /// The test, or why there is none.
    pub(super) test: Result<Test, LeftOut>,
}

/// One line of a recording.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl Line<'_> {
    pub(super) fn wrong(&self, place: impl Into<String>, message: impl Into<String>) -> ImportError {
        ImportError::Value {
            file: self.file.to_string(),
            line: self.line,
            place: place.into(),
            message: message.into(),
        }
    }

    pub(super) fn object<'v>(&self, value: Option<&'v Value>, at: &str) -> Result<&'v Members, ImportError> {
        value.and_then(Value::as_object).ok_or_else(|| self.wrong(at, "is not an object"))
    }

    pub(super) fn number(&self, value: &Value, at: &str) -> Result<u32, ImportError> {
        let number = value.as_u64().and_then(|value| u32::try_from(value).ok());
        number.ok_or_else(|| self.wrong(at, "is not a whole number of 32 bits"))
    }

    /// Eight hex digits behind `0x`.
    pub(super) fn hex(&self, value: Option<&Value>, at: &str) -> Result<u32, ImportError> {
        let digits = value.and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
        let digits = digits.filter(|digits| digits.len() == 8 && is_hex(digits));
        let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        word.ok_or_else(|| self.wrong(at, "is not a word in hex"))
    }

    fn text<'v>(&self, line: &'v Members, key: &str) -> Result<&'v str, ImportError> {
        line.get(key).and_then(Value::as_str).ok_or_else(|| self.wrong(format!("/{key}"), "is not a string"))
    }

    /// The members of an object, all of which must be known.
    pub(super) fn only(&self, members: &Members, at: &str, known: &[&str]) -> Result<(), ImportError> {
        match members.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.wrong(format!("{at}/{key}"), "is not known")),
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
    ) -> Result<(), ImportError> {
        let field = field_named(isa.layout, name).ok_or_else(|| self.wrong(at, format!("no field '{name}'")))?;
        let spec = &(isa.layout.fields)()[field];
        if value > spec.max {
            return Err(self.wrong(at, format!("{value} is more than {name} holds")));
        }
        sparse.put_field(field, value, spec.base);
        Ok(())
    }

    /// What the line holds.
    pub(super) fn record<'s>(&self, value: &Value, suite: &'s Suite) -> Result<Record<'s>, ImportError> {
        let line = self.object(Some(value), "/")?;
        let known = ["arch", "instr", "word", "thread", "fields", "config", "rwc", "in", "out", "outcome", "detail"];
        self.only(line, "", &known)?;
        let arch = self.text(line, "arch")?;
        let suite = suite.isa(arch).ok_or_else(|| self.wrong("/arch", format!("no instruction set '{arch}'")))?;
        if Chip::named(suite.isa.name).is_none() {
            return Err(self.wrong("/arch", "only recordings of Wormhole and Blackhole are understood"));
        }
        let name = self.text(line, "instr")?;
        let instruction = suite.isa.instruction(name);
        let instruction = instruction.ok_or_else(|| self.wrong("/instr", format!("no instruction '{name}'")))?;
        let code = self.code(line, instruction)?;
        let recorded = self.text(line, "outcome")?.to_string();
        let outcome = match recorded.as_str() {
            "ok" => Some(Outcome::Done),
            "stall" => Some(Outcome::Blocked),
            "undefined_behavior" | "non_contractual" | "unsupported" | "unimplemented" | "untested" => None,
            _ => return Err(self.wrong("/outcome", format!("'{recorded}' is not known"))),
        };
        let executed = outcome == Some(Outcome::Done);
        if !executed && line.contains_key("out") {
            return Err(self.wrong("/out", "a stall or a refusal changes nothing"));
        }
        // What is refused is read as well, so that nothing in a line is passed over.
        let form = Form::of(instruction);
        let (before, dst_rows) = self.before(line, suite.isa, form, &code, outcome.is_none())?;
        let Some(outcome) = outcome else {
            let detail = if line.contains_key("detail") { self.text(line, "detail")? } else { "" };
            let reason = LeftOut::Refused { outcome: recorded.clone(), detail: without_values(detail) };
            return Ok(Record { suite, instruction, recorded, test: Err(reason) });
        };
        let after = if executed { self.after(line, suite.isa, form, &before)? } else { Sparse::default() };
        let seen = Executed { isa: suite.isa, code: &code, before: &before, dst_rows: &dst_rows };
        if let Some(reason) = (form.left_out)(&seen) {
            return Ok(Record { suite, instruction, recorded, test: Err(reason) });
        }
        let (flags, care, editions) = (Vec::new(), Sparse::default(), Vec::new());
        let mut test = Test { editions, code, flags, before, outcome, recorded: Some(recorded.clone()), after, care };
        let has_cell = |&&edition: &&Edition| test.cell(suite.isa, instruction, edition).is_some();
        if let Some(edition) = instruction.editions().iter().find(|edition| !has_cell(edition)) {
            return Err(self.wrong("/", format!("the case lies in no cell of edition {}", edition.name())));
        }
        if test.with_parts(suite.isa, |parts| (instruction.contested)(parts)).is_some() {
            test.flags.push("contested".to_string());
        }
        Ok(Record { suite, instruction, recorded, test: Ok(test) })
    }

    /// The word, with the fields that must be in it.
    fn code(&self, line: &Members, instruction: &Instruction) -> Result<Code, ImportError> {
        let code = Code::new(&[self.hex(line.get("word"), "/word")?]);
        if !instruction.matches(&code) {
            return Err(self.wrong("/word", format!("does not encode {}", instruction.name)));
        }
        for (field, value) in self.object(line.get("fields"), "/fields")? {
            let at = format!("/fields/{field}");
            let known = instruction.code_field(field).ok_or_else(|| self.wrong(at.as_str(), "is not known"))?;
            if known.get(&code) != self.number(value, &at)? {
                return Err(self.wrong(at, "is not what the word holds"));
            }
        }
        Ok(code)
    }
}

/// Whether all of a text are hex digits (a sign is none).
pub(super) fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}
