//! Reading the text of instructions, piece by piece; and the form that any code words have.

use crate::{Code, CodeField, Facts, SyntaxError};

/// Text as far as it goes, and behind a bar the code words, of which it does not say all.
pub(super) fn with_words(text: &str, code: &[u32]) -> String {
    let words: Vec<String> = code.iter().map(|word| format!("{word:#x}")).collect();
    format!("{text} | {}", words.join(" "))
}

/// All code words, as numbers.
pub(super) fn whole_words(instruction: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let words: Option<Vec<u32>> =
        text.split_whitespace().map(|word| number(word).and_then(|value| u32::try_from(value).ok())).collect();
    match words {
        Some(words) if instruction.matches(&words) => Ok(Code::new(&words)),
        _ => Err(SyntaxError(format!(
            "'{}' is not the {} code words of a {}",
            text.trim(),
            instruction.base_code.len(),
            instruction.name
        ))),
    }
}

/// A decimal or hexadecimal number.
pub(super) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    }
}

/// Reads an instruction's text from the front.
pub(super) struct Reader<'a> {
    pub rest: &'a str,
    pub code: Code,
}

impl<'a> Reader<'a> {
    /// Drops `token` from the front, whatever the case of its letters; false if it is not there.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.get(..token.len()) {
            Some(start) if start.eq_ignore_ascii_case(token) => {
                self.rest = rest[token.len()..].trim_start();
                true
            }
            _ => false,
        }
    }

    pub(super) fn expect(&mut self, token: &str) -> Result<(), SyntaxError> {
        if self.eat(token) { Ok(()) } else { Err(SyntaxError(format!("expected '{token}' before '{}'", self.rest))) }
    }

    /// The letters, digits and underscores at the front.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    pub(super) fn number(&mut self, what: &str, most: u64) -> Result<u32, SyntaxError> {
        let word = self.word();
        match number(word) {
            Some(value) if value <= most => Ok(u32::try_from(value).expect("at most 32 bits are asked for")),
            Some(value) => Err(SyntaxError(format!("{what} is {value}, but at most {most}"))),
            None => Err(SyntaxError(format!("{what}: '{word}' is not a number"))),
        }
    }

    pub(super) fn set(&mut self, field: CodeField, value: u32) {
        field.set(&mut self.code, value);
    }
}
