//! Import: recordings of other implementations, turned into our files of vectors.
//!
//! ttsim: one JSON object a line, with the word, the fields, the configuration and counters that the instruction reads,
//! and the rows before and after it under their short names. What is not listed in a line has ttsim's
//! reset value, which is our base value except in `LReg`; an instruction that touches `LReg` is refused.

mod covering;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tandem_harness::vectors::{
    Note, Outcome, Replayer, Source, Sparse, Test, VectorFile, Verdict, field_named, rows_named,
};
use tandem_harness::{Difference, IsaSuite, Suite};
use tandem_isa::{Code, Edition, Instruction, Isa, tensix};

pub use covering::{COVERING, covering};

/// Why a recording cannot be imported. Each message names the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line is not JSON.
    #[error("{file}: line {line}: not JSON ({message}); restore the recording from its source")]
    Syntax {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// A line says something that the importer does not know, or that is impossible.
    #[error("{file}: line {line}: place {place}: {message}; src/import.rs says what is understood")]
    Value {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// JSON pointer in the line.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// There is nothing in it.
    #[error("{file}: line 1: the recording has no executed instruction; check that it is the right file")]
    Empty {
        /// The recording.
        file: String,
    },
}

/// A line of a recording that the reference does not reproduce.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The line, from 1.
    pub line: usize,
    /// The edition.
    pub edition: Edition,
    /// The test.
    pub test: Test,
    /// What the reference did.
    pub verdict: Verdict,
}

/// What came of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Every executed or stalled line that agrees with the reference in at least one edition.
    pub file: VectorFile,
    /// Lines by their recorded outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// Per edition: executed lines and stalled lines that agree.
    pub agreed: BTreeMap<Edition, [usize; 2]>,
    /// Lines that do not agree in an edition.
    pub disagreements: Vec<Disagreement>,
}

/// Imports a recording of ttsim 1.10.0. `file` names it in messages.
///
/// A test holds in the editions in which the reference reproduces it; a line that is reproduced in none is left out
/// and is among the disagreements.
///
/// # Errors
/// See [`ImportError`].
pub fn import_ttsim(file: &str, jsonl: &str, suite: &Suite) -> Result<Imported, ImportError> {
    let mut imported: Option<Imported> = None;
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for (index, text) in jsonl.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = Line { file, line: index + 1 };
        let value: Value = serde_json::from_str(text).map_err(|error| ImportError::Syntax {
            file: file.to_string(),
            line: index + 1,
            message: error.to_string(),
        })?;
        let (suite, instruction, recorded, test) = line.test(&value, suite)?;
        *outcomes.entry(recorded).or_default() += 1;
        let Some(test) = test else { continue };
        let imported = imported.get_or_insert_with(|| Imported {
            file: ttsim_file(suite.isa, instruction),
            outcomes: BTreeMap::new(),
            agreed: BTreeMap::new(),
            disagreements: Vec::new(),
        });
        if !std::ptr::eq(imported.file.instruction, instruction) {
            return Err(line.wrong("/instr", "one recording holds one instruction"));
        }
        line.place_test(suite, imported, test)?;
    }
    let mut imported = imported.ok_or_else(|| ImportError::Empty { file: file.to_string() })?;
    imported.outcomes = outcomes;
    imported.file.sort();
    Ok(imported)
}

fn ttsim_file(isa: &'static Isa, instruction: &'static Instruction) -> VectorFile {
    let mut file = VectorFile::new(
        isa,
        instruction,
        Source {
            name: "tenstorrent/ttsim".to_string(),
            version: "1.10.0".to_string(),
            commit: Some("56694c8a".to_string()),
            licence: Some("Apache-2.0".to_string()),
            note: Some(
                "One instruction executed from a chosen state, on random and special inputs. LReg is left at its base \
                 value here (the simulator had its constant registers there); the instruction touches none. \
                 Configuration that the recording does not list was 0, Fp32_enabled and INT8_math_enabled among it, so \
                 these tests say nothing about those fields. A test holds in the editions that reproduce it."
                    .to_string(),
            ),
        },
    );
    let notes = [
        (
            "contested",
            "Another text about the same machine promises less for this combination of modes, or something else.",
            "Nothing by itself: who disagrees may have followed the other text.",
        ),
        (
            "recorded-one-edition",
            "The recording is reproduced in the listed edition alone.",
            "A target that follows the other edition of the page.",
        ),
    ];
    for (flag, what, detects) in notes {
        file.notes.insert(flag.to_string(), Note { what: what.to_string(), detects: detects.to_string() });
    }
    file
}

/// One line of a recording.
struct Line<'a> {
    file: &'a str,
    line: usize,
}

type Members = Map<String, Value>;

impl Line<'_> {
    fn wrong(&self, place: impl Into<String>, message: impl Into<String>) -> ImportError {
        ImportError::Value {
            file: self.file.to_string(),
            line: self.line,
            place: place.into(),
            message: message.into(),
        }
    }

    fn object<'v>(&self, value: Option<&'v Value>, at: &str) -> Result<&'v Members, ImportError> {
        value.and_then(Value::as_object).ok_or_else(|| self.wrong(at, "is not an object"))
    }

    fn number(&self, value: &Value, at: &str) -> Result<u32, ImportError> {
        let number = value.as_u64().and_then(|value| u32::try_from(value).ok());
        number.ok_or_else(|| self.wrong(at, "is not a whole number of 32 bits"))
    }

    fn text<'v>(&self, line: &'v Members, key: &str) -> Result<&'v str, ImportError> {
        line.get(key).and_then(Value::as_str).ok_or_else(|| self.wrong(format!("/{key}"), "is not a string"))
    }

    /// The members of an object, all of which must be known.
    fn only(&self, members: &Members, at: &str, known: &[&str]) -> Result<(), ImportError> {
        match members.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.wrong(format!("{at}/{key}"), "is not known")),
            None => Ok(()),
        }
    }

    /// Instruction, recorded outcome, and the test if the instruction was executed or stalled.
    fn test<'s>(
        &self,
        value: &Value,
        suite: &'s Suite,
    ) -> Result<(&'s IsaSuite, &'static Instruction, String, Option<Test>), ImportError> {
        let line = self.object(Some(value), "/")?;
        let known = ["arch", "instr", "word", "thread", "fields", "config", "rwc", "in", "out", "outcome", "detail"];
        self.only(line, "", &known)?;
        let arch = self.text(line, "arch")?;
        let suite = suite.isa(arch).ok_or_else(|| self.wrong("/arch", format!("no instruction set '{arch}'")))?;
        if suite.isa.name != tensix::WORMHOLE.name {
            return Err(self.wrong("/arch", "only Wormhole recordings are understood"));
        }
        let name = self.text(line, "instr")?;
        let instruction = suite.isa.instruction(name);
        let instruction = instruction.ok_or_else(|| self.wrong("/instr", format!("no instruction '{name}'")))?;
        let recorded = self.text(line, "outcome")?.to_string();
        let outcome = match recorded.as_str() {
            "ok" => Outcome::Done,
            "stall" => Outcome::Blocked,
            "undefined_behavior" | "non_contractual" | "unsupported" | "unimplemented" | "untested" => {
                return Ok((suite, instruction, recorded, None));
            }
            _ => return Err(self.wrong("/outcome", format!("'{recorded}' is not known"))),
        };
        let word = self.text(line, "word")?.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = Code::new(&[word.ok_or_else(|| self.wrong("/word", "is not a word in hex"))?]);
        if !instruction.matches(&code) {
            return Err(self.wrong("/word", format!("does not encode {name}")));
        }
        for (field, value) in self.object(line.get("fields"), "/fields")? {
            let at = format!("/fields/{field}");
            let known = instruction.code_field(field).ok_or_else(|| self.wrong(at.as_str(), "is not known"))?;
            if known.get(&code) != self.number(value, &at)? {
                return Err(self.wrong(at, "is not what the word holds"));
            }
        }
        let before = self.before(line, suite.isa)?;
        let after = match outcome {
            Outcome::Done => self.after(line, suite.isa, &before)?,
            Outcome::Blocked if line.contains_key("out") => return Err(self.wrong("/out", "a stall changes nothing")),
            Outcome::Blocked => Sparse::default(),
        };
        let mut test = Test {
            editions: Vec::new(),
            code,
            flags: Vec::new(),
            before,
            outcome,
            recorded: Some(recorded.clone()),
            after,
            care: Sparse::default(),
        };
        if test.with_parts(suite.isa, |parts| (instruction.contested)(parts)).is_some() {
            test.flags.push("contested".to_string());
        }
        Ok((suite, instruction, recorded, Some(test)))
    }

    fn set_field(&self, isa: &Isa, sparse: &mut Sparse, name: &str, value: u32, at: &str) -> Result<(), ImportError> {
        let field = field_named(isa.layout, name).ok_or_else(|| self.wrong(at, format!("no field '{name}'")))?;
        let spec = &(isa.layout.fields)()[field];
        if value > spec.max {
            return Err(self.wrong(at, format!("{value} is more than {name} holds")));
        }
        sparse.put_field(field, value, spec.base);
        Ok(())
    }

    fn before(&self, line: &Members, isa: &Isa) -> Result<Sparse, ImportError> {
        let mut before = Sparse::default();
        let thread = self.number(line.get("thread").unwrap_or(&Value::Null), "/thread")?;
        self.set_field(isa, &mut before, "CurrentThread", thread, "/thread")?;
        let config = self.object(line.get("config"), "/config")?;
        let state_id = match config.get("CFG_STATE_ID_StateID") {
            Some(value) => self.number(value, "/config/CFG_STATE_ID_StateID")?,
            None => 0,
        };
        for (name, value) in config {
            let at = format!("/config/{name}");
            let value = self.number(value, &at)?;
            // The page's spaces have no name in common.
            let banked = [format!("Config[{state_id}].{name}"), format!("ThreadConfig[{thread}].{name}")];
            let known = banked.iter().find(|name| field_named(isa.layout, name).is_some());
            let known = known.ok_or_else(|| self.wrong(at.as_str(), "is not known"))?;
            self.set_field(isa, &mut before, known, value, &at)?;
        }
        for (name, value) in self.object(line.get("rwc"), "/rwc")? {
            let at = format!("/rwc/{name}");
            self.set_field(isa, &mut before, &format!("RWCs[{thread}].{name}"), self.number(value, &at)?, &at)?;
        }
        for (name, value) in self.object(line.get("in"), "/in")? {
            let at = format!("/in/{name}");
            match name.as_str() {
                "MatrixUnit.SrcABank" | "MatrixUnit.SrcBBank" | "Unpackers[0].SrcBank" | "Unpackers[1].SrcBank" => {
                    self.set_field(isa, &mut before, name, self.number(value, &at)?, &at)?;
                }
                "SrcA.AllowedClient" | "SrcB.AllowedClient" => {
                    let owners = value.as_array().filter(|owners| owners.len() == 2);
                    let owners = owners.ok_or_else(|| self.wrong(at.as_str(), "is not a list of two owners"))?;
                    for (bank, owner) in owners.iter().enumerate() {
                        let owner = match owner.as_str() {
                            Some("MatrixUnit") => tensix::MATRIX_UNIT,
                            Some("Unpackers") => tensix::UNPACKERS,
                            _ => return Err(self.wrong(at, "names an owner that is not known")),
                        };
                        let name = format!("{}[{bank}].AllowedClient", &name[..4]);
                        self.set_field(isa, &mut before, &name, owner, &at)?;
                    }
                }
                "dst16" => self.rows(isa, value, &at, "DstBits", 1, &mut before)?,
                "srca" => self.rows(isa, value, &at, "SrcA", 2, &mut before)?,
                "srcb" => self.rows(isa, value, &at, "SrcB", 2, &mut before)?,
                "dst_undef" => self.marks(isa, value, &at, 0, &mut before)?,
                _ => return Err(self.wrong(at, "is not known")),
            }
        }
        let base = |bank: usize| isa.layout.banks[bank].base;
        before.rows.retain(|&(bank, _), words| words.iter().any(|&word| word != base(bank)));
        Ok(before)
    }

    fn after(&self, line: &Members, isa: &Isa, before: &Sparse) -> Result<Sparse, ImportError> {
        let fields = (isa.layout.fields)();
        let mut after = Sparse::default();
        let thread = self.number(line.get("thread").unwrap_or(&Value::Null), "/thread")?;
        for (name, value) in self.object(line.get("out"), "/out")? {
            let at = format!("/out/{name}");
            match name.as_str() {
                "rwc" => {
                    for (name, value) in self.object(Some(value), &at)? {
                        let at = format!("{at}/{name}");
                        let value = self.number(value, &at)?;
                        let name = format!("RWCs[{thread}].{name}");
                        let field =
                            field_named(isa.layout, &name).ok_or_else(|| self.wrong(at.as_str(), "is not known"))?;
                        if value > fields[field].max {
                            return Err(self.wrong(at, format!("{value} is more than {name} holds")));
                        }
                        after.put_field(field, value, *before.fields.get(&field).unwrap_or(&fields[field].base));
                    }
                }
                "dst16" => self.rows(isa, value, &at, "DstBits", 1, &mut after)?,
                "dst_undef" => self.marks(isa, value, &at, 0, &mut after)?,
                "dst_defined" => self.marks(isa, value, &at, 1, &mut after)?,
                _ => return Err(self.wrong(at, "is not known")),
            }
        }
        let banks = isa.layout.banks;
        after.rows.retain(|key, words| match before.rows.get(key) {
            Some(before) => before != words,
            None => words.iter().any(|&word| word != banks[key.0].base),
        });
        Ok(after)
    }

    fn row(&self, isa: &Isa, name: &str, at: &str) -> Result<(usize, usize), ImportError> {
        let named = rows_named(isa.layout, name).map(|(bank, rows)| (bank, rows.start));
        named.ok_or_else(|| self.wrong(at, format!("no row {name}")))
    }

    /// `[[index…, "hex digits"]…]`: rows of a bank with so many indices.
    fn rows(
        &self,
        isa: &Isa,
        value: &Value,
        at: &str,
        bank: &str,
        indices: usize,
        sparse: &mut Sparse,
    ) -> Result<(), ImportError> {
        let list = value.as_array().ok_or_else(|| self.wrong(at, "is not a list"))?;
        for (index, entry) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let form = || self.wrong(at.as_str(), format!("is not {indices} numbers and a row of {bank} in hex"));
            let entry = entry.as_array().filter(|entry| entry.len() == indices + 1).ok_or_else(form)?;
            let mut name = bank.to_string();
            for index in &entry[..indices] {
                name.push_str(&format!("[{}]", index.as_u64().ok_or_else(form)?));
            }
            let key = self.row(isa, &name, &at)?;
            let spec = &isa.layout.banks[key.0];
            let digits = entry[indices].as_str().filter(|digits| digits.is_ascii()).ok_or_else(form)?;
            let width = spec.bits.div_ceil(4) as usize;
            if digits.len() != width * spec.columns() {
                return Err(form());
            }
            let word = |column: usize| u32::from_str_radix(&digits[column * width..(column + 1) * width], 16).ok();
            let words = (0..spec.columns()).map(|column| word(column).filter(|&word| word <= spec.word_mask()));
            sparse.rows.insert(key, words.collect::<Option<Vec<u32>>>().ok_or_else(form)?);
        }
        Ok(())
    }

    /// `[[first row, count]…]`: rows whose mark is `mark`.
    fn marks(&self, isa: &Isa, value: &Value, at: &str, mark: u32, sparse: &mut Sparse) -> Result<(), ImportError> {
        let list = value.as_array().ok_or_else(|| self.wrong(at, "is not a list"))?;
        for (index, entry) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let pair = entry.as_array().filter(|pair| pair.len() == 2);
            let pair = pair.ok_or_else(|| self.wrong(at.as_str(), "is not a row and a count"))?;
            let (first, count) = (self.number(&pair[0], &at)?, self.number(&pair[1], &at)?);
            for row in 0..count.min(1024) {
                let name = format!("DstRowValid[{}]", u64::from(first) + u64::from(row));
                let key = self.row(isa, &name, &at)?;
                sparse.rows.insert(key, vec![mark]);
            }
        }
        Ok(())
    }

    /// Finds the editions in which a test holds, and keeps it or notes the disagreement.
    fn place_test(&self, suite: &IsaSuite, imported: &mut Imported, mut test: Test) -> Result<(), ImportError> {
        // Without targets: only the reference is asked.
        let mut replayer = Replayer::new(&suite.with_targets(Vec::new()));
        let mut single = VectorFile::new(suite.isa, imported.file.instruction, imported.file.source.clone());
        for edition in Edition::ALL {
            single.groups.clear();
            test.editions = vec![edition];
            if !single.add(test.clone()) {
                return Err(self.wrong("/", "the case lies in no cell"));
            }
            for run in replayer.replay(&single, &BTreeMap::new(), None).runs {
                if run.verdict == Verdict::Agreed {
                    imported.agreed.entry(edition).or_default()[usize::from(test.outcome == Outcome::Blocked)] += 1;
                } else {
                    let (line, test) = (self.line, test.clone());
                    imported.disagreements.push(Disagreement { line, edition, test, verdict: run.verdict });
                }
            }
        }
        let disagrees =
            |edition| imported.disagreements.iter().any(|found| found.line == self.line && found.edition == edition);
        test.editions = Edition::ALL.into_iter().filter(|&edition| !disagrees(edition)).collect();
        if test.editions.len() == 1 {
            test.flags.push("recorded-one-edition".to_string());
        }
        if !test.editions.is_empty() {
            imported.file.add(test);
        }
        Ok(())
    }
}

/// The words of a disagreement, for reports.
#[must_use]
pub fn describe(isa: &Isa, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Agreed => "agrees".to_string(),
        Verdict::Unsupported => "unsupported".to_string(),
        Verdict::Unpromised(expectation) => format!("the pages promise nothing ({expectation})"),
        Verdict::Diverged { differences, .. } => {
            let words = differences.iter().take(4).map(|difference| match difference {
                Difference::Word { before, expected, got, .. } | Difference::Field { before, expected, got, .. } => {
                    let place = difference.exact_place(isa.layout);
                    format!("{place}: before {before:#x}, recorded {expected:#x}, reference {got:#x}")
                }
                Difference::LooseBits { expected, got, .. } => {
                    format!("{}: recorded {expected:#x}, reference {got:#x}", difference.exact_place(isa.layout))
                }
                Difference::Answer { expected, got } => {
                    format!("recorded {}, reference {}", expected.name(), got.name())
                }
                Difference::Panic(message) => format!("panic: {message}"),
                Difference::Misbehaved(misbehaviour) => misbehaviour.to_string(),
                Difference::ArenaHash { .. } | Difference::Rerun(_) => difference.kind().name().to_string(),
            });
            let words: Vec<String> = words.collect();
            format!("{} differences: {}", differences.len(), words.join("; "))
        }
    }
}
