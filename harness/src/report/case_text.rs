//! A case by value, in names: what a finding shows, and what a known finding is replayed from.
//!
//! It is written as JSON, or as one line: `tensix-wh/mova2d newest 0x12000000 RWCs[0].Dst=3 SrcA[0][5][1]=0x3c000`, which is
//! instruction, edition, code words, and what differs from the base state, fields in decimal and words in hexadecimal.
//! Steps that follow stand behind `then`, each with its code words: `then sfpload 0x70000000`.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tandem_isa::{Bank, Code, Edition, Instruction};

use super::text::hex;
use crate::{CaseValue, IsaSuite, NextStep, Suite};

/// The word before each further step, in a line.
const THEN: &str = "then";

/// A case by value, in names: an instruction, and what differs from the base state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseText {
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// The edition.
    pub edition: String,
    /// The code words, in hexadecimal.
    pub code: Vec<String>,
    /// The steps that follow, if it is a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<StepText>,
    /// Fields of the small state, in the order of the layout.
    pub fields: Vec<FieldText>,
    /// Words of banks, in the order of the layout.
    pub words: Vec<WordText>,
}

/// A step of a program behind the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepText {
    /// The file name of the instruction, which is of the same set.
    pub instruction: String,
    /// The code words, in hexadecimal.
    pub code: Vec<String>,
}

/// A field of the small state that differs from the base state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldText {
    /// Its name, with indices.
    pub name: String,
    /// Its value.
    pub value: u32,
}

/// A word of a bank that differs from the base state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordText {
    /// Its name, with indices: bank, row, column.
    pub place: String,
    /// Its value, in hexadecimal.
    pub value: String,
}

/// Why a case by value cannot be read: where in it, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct CaseTextError {
    /// Where, for example `words[3].place`.
    pub place: String,
    /// What is wrong.
    pub problem: String,
}

fn read_code(instruction: &Instruction, words: &[String], at: &str) -> Result<Code, CaseTextError> {
    let mut code = Vec::new();
    for (index, word) in words.iter().enumerate() {
        code.push(number(word, 32).map_err(|problem| error(&format!("{at}[{index}]"), problem))?);
    }
    if !instruction.matches(&code) {
        return Err(error(at, format!("is not the code of one {}", instruction.name)));
    }
    Ok(Code::new(&code))
}

impl Display for CaseText {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.instruction, self.edition)?;
        self.code.iter().try_for_each(|word| write!(f, " {word}"))?;
        for step in &self.then {
            write!(f, " {THEN} {}", step.instruction)?;
            step.code.iter().try_for_each(|word| write!(f, " {word}"))?;
        }
        self.fields.iter().try_for_each(|field| write!(f, " {}={}", field.name, field.value))?;
        self.words.iter().try_for_each(|word| write!(f, " {}={}", word.place, word.value))
    }
}

impl FromStr for CaseText {
    type Err = CaseTextError;

    /// Reads one line, as it is written; between its parts there may be any white space. Whether what it names exists is
    /// asked by [`CaseText::read`].
    fn from_str(line: &str) -> Result<Self, CaseTextError> {
        let mut parts = line.split_whitespace();
        let (Some(instruction), Some(edition)) = (parts.next(), parts.next()) else {
            let problem = "has an instruction, an edition, code words, and what differs from the base state";
            return Err(error("a case", problem.to_string()));
        };
        let mut text = CaseText {
            instruction: instruction.to_string(),
            edition: edition.to_string(),
            code: Vec::new(),
            then: Vec::new(),
            fields: Vec::new(),
            words: Vec::new(),
        };
        while let Some(part) = parts.next() {
            match part.split_once('=') {
                Some((place, value)) if value.starts_with("0x") => {
                    text.words.push(WordText { place: place.to_string(), value: value.to_string() });
                }
                Some((name, value)) => {
                    let field = value.parse().map_err(|_| error(name, format!("'{value}' is no number of 32 bits")))?;
                    text.fields.push(FieldText { name: name.to_string(), value: field });
                }
                None if part == THEN => {
                    let step = parts.next().ok_or_else(|| error(THEN, "an instruction comes behind it".to_string()))?;
                    text.then.push(StepText { instruction: step.to_string(), code: Vec::new() });
                }
                None if part.starts_with("0x") => {
                    let code = text.then.last_mut().map_or(&mut text.code, |step| &mut step.code);
                    code.push(part.to_string());
                }
                None => {
                    let problem =
                        "is neither a code word such as 0x1f, nor a field or a word with its value, nor 'then'";
                    return Err(error(part, problem.to_string()));
                }
            }
        }
        Ok(text)
    }
}

impl CaseText {
    /// The case in names.
    #[must_use]
    pub fn of(value: &CaseValue) -> Self {
        let fields = (value.isa.layout.fields)();
        CaseText {
            instruction: value.instruction.path(),
            edition: value.edition.name().to_string(),
            code: value.code.iter().map(|&word| hex(word, 32)).collect(),
            then: value
                .then
                .iter()
                .map(|step| StepText {
                    instruction: step.instruction.file.to_string(),
                    code: step.code.iter().map(|&word| hex(word, 32)).collect(),
                })
                .collect(),
            fields: value
                .fields
                .iter()
                .map(|(&index, &field)| FieldText { name: fields[index].name.clone(), value: field })
                .collect(),
            words: value
                .words
                .iter()
                .map(|(&(bank, row, column), &word)| {
                    let bank = &value.isa.layout.banks[bank];
                    WordText { place: bank.word_name(row, column), value: hex(word, bank.bits) }
                })
                .collect(),
        }
    }

    /// The case by value. Every name must exist and every value must fit.
    ///
    /// # Errors
    /// Where in the case, and what is wrong.
    pub fn read(&self, suite: &Suite) -> Result<(CaseValue, IsaSuite), CaseTextError> {
        let (isa, file) = self.instruction.split_once('/').unwrap_or((&self.instruction, ""));
        let isa_suite = suite.isa(isa).filter(|suite| suite.isa.name == isa);
        let isa_suite = isa_suite.ok_or_else(|| error("instruction", format!("no instruction set '{isa}'")))?;
        let isa = isa_suite.isa;
        let instruction = isa.instruction(file).filter(|instruction| instruction.file == file);
        let instruction =
            instruction.ok_or_else(|| error("instruction", format!("{} has no instruction '{file}'", isa.name)))?;
        let edition = Edition::named(&self.edition)
            .ok_or_else(|| error("edition", format!("'{}' is neither 'spec' nor 'newest'", self.edition)))?;
        let mut value = CaseValue::base(isa, instruction, edition);
        value.code = read_code(instruction, &self.code, "code")?;
        for (index, step) in self.then.iter().enumerate() {
            let name = &step.instruction;
            let instruction = isa.instruction(name).filter(|instruction| instruction.file == name);
            let at = format!("then[{index}]");
            let instruction =
                instruction.ok_or_else(|| error(&at, format!("{} has no instruction '{name}'", isa.name)))?;
            let code = read_code(instruction, &step.code, &format!("{at}.code"))?;
            value.then.push(NextStep { instruction, code });
        }
        self.read_fields(&mut value)?;
        self.read_words(&mut value)?;
        Ok((value, isa_suite.clone()))
    }

    fn read_fields(&self, value: &mut CaseValue) -> Result<(), CaseTextError> {
        let fields = (value.isa.layout.fields)();
        for (index, text) in self.fields.iter().enumerate() {
            let place = fields.iter().position(|field| field.name == text.name);
            let place =
                place.ok_or_else(|| error(&format!("fields[{index}].name"), format!("no field '{}'", text.name)))?;
            if text.value > fields[place].max {
                let problem = format!("{} is more than {}, its largest value", text.value, fields[place].max);
                return Err(error(&format!("fields[{index}].value"), problem));
            }
            if value.fields.insert(place, text.value).is_some() {
                return Err(error(&format!("fields[{index}].name"), format!("'{}' is listed twice", text.name)));
            }
        }
        Ok(())
    }

    fn read_words(&self, value: &mut CaseValue) -> Result<(), CaseTextError> {
        for (index, text) in self.words.iter().enumerate() {
            let place = locate(value.isa.layout.banks, &text.place);
            let place =
                place.ok_or_else(|| error(&format!("words[{index}].place"), format!("no word '{}'", text.place)))?;
            let bits = value.isa.layout.banks[place.0].bits;
            let word = number(&text.value, bits).map_err(|problem| error(&format!("words[{index}].value"), problem))?;
            if value.words.insert(place, word).is_some() {
                return Err(error(&format!("words[{index}].place"), format!("'{}' is listed twice", text.place)));
            }
        }
        Ok(())
    }
}

fn error(place: &str, problem: String) -> CaseTextError {
    CaseTextError { place: place.to_string(), problem }
}

fn number(text: &str, bits: u32) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let value = value.ok_or_else(|| format!("'{text}' is not a number of the form 0x1f"))?;
    if bits < 32 && value >> bits != 0 {
        return Err(format!("'{text}' has more than {bits} bits"));
    }
    Ok(value)
}

/// Bank, row and column of a word's name.
pub(super) fn locate(banks: &[Bank], name: &str) -> Option<(usize, usize, usize)> {
    let (bank_name, rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    let index = banks.iter().position(|bank| bank.name == bank_name)?;
    let bank = &banks[index];
    let mut indices = Vec::new();
    let mut rest = rest;
    while let Some(inner) = rest.strip_prefix('[') {
        let (digits, after) = inner.split_once(']')?;
        indices.push(digits.parse::<usize>().ok()?);
        rest = after;
    }
    if bank.columns() == 1 {
        indices.push(0);
    }
    let inside =
        indices.len() == bank.dims.len() && indices.iter().zip(bank.dims).all(|(index, extent)| index < extent);
    if !rest.is_empty() || !inside {
        return None;
    }
    let column = indices.pop()?;
    let row = indices.iter().zip(bank.dims).fold(0, |row, (index, extent)| row * extent + index);
    // Only the spelling that is written is read: no leading zeros or signs.
    (bank.word_name(row, column) == name).then_some((index, row, column))
}

#[cfg(test)]
mod tests {
    use tandem_cases::ISAS;

    use super::*;

    #[test]
    fn no_name_breaks_a_line() {
        for isa in ISAS {
            let fields = (isa.layout.fields)().iter().map(|field| field.name.clone());
            let words = isa.layout.banks.iter().map(|bank| bank.word_name(0, 0));
            for name in fields.chain(words) {
                let breaks = name.contains(|letter: char| letter.is_whitespace() || "=;\"\\".contains(letter));
                assert!(!breaks && name != THEN && !name.starts_with("0x"), "{name}");
            }
        }
    }

    #[test]
    fn every_word_name_is_found_where_it_was_named() {
        for (index, bank) in ISAS[0].layout.banks.iter().enumerate() {
            for (row, column) in [(0, 0), (bank.rows() - 1, bank.columns() - 1), (bank.rows() / 2, 0)] {
                let name = bank.word_name(row, column);
                assert_eq!(locate(ISAS[0].layout.banks, &name), Some((index, row, column)), "{name}");
            }
        }
    }
}
