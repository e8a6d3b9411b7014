//! Instructions as calls of macros, as the pages write them: `TT_NAME(field, field, ...)`, both ways. Bits that no field
//! names follow the call after a `|`.

use crate::{Code, CodeField, SyntaxError};

/// What a call looks like.
pub(super) struct Call {
    /// The mnemonic.
    pub name: &'static str,
    /// The word with every field zero.
    pub base: u32,
    /// The fields, in the order of the arguments.
    pub arguments: &'static [CodeField],
    /// The bits that no field names.
    pub unnamed: u32,
}

impl Call {
    /// The text of a word.
    pub(super) fn print(&self, code: &[u32]) -> String {
        let arguments: Vec<_> = self.arguments.iter().map(|field| field.get(code).to_string()).collect();
        let text = format!("TT_{}({})", self.name, arguments.join(", "));
        let rest = code[0] & self.unnamed;
        if rest == 0 { text } else { format!("{text} | {rest:#x}") }
    }

    /// The word of a text; `TTI_` is read as well.
    pub(super) fn parse(&self, text: &str) -> Result<Code, SyntaxError> {
        let name = self.name;
        let plain = strip_comments(text);
        let call = plain.trim().trim_end_matches(';').trim();
        let rest = ["TT_", "TTI_"]
            .iter()
            .find_map(|prefix| call.strip_prefix(prefix)?.strip_prefix(name))
            .ok_or_else(|| SyntaxError(format!("'{text}' does not begin with TT_{name}")))?
            .trim_start();
        let close = rest.rfind(')').ok_or_else(|| SyntaxError(format!("'{text}' has no closing parenthesis")))?;
        let inner = rest[..close]
            .strip_prefix('(')
            .ok_or_else(|| SyntaxError(format!("'{text}' has no opening parenthesis after the mnemonic")))?;
        let given: Vec<&str> = inner.split(',').collect();
        let count = self.arguments.len();
        if given.len() != count {
            return Err(SyntaxError(format!("TT_{name} takes {count} arguments, '{text}' has {}", given.len())));
        }
        let mut code = Code::new(&[self.base]);
        for (field, argument) in self.arguments.iter().zip(given) {
            let value = number(argument, field.name)?;
            if value >> field.width != 0 {
                return Err(SyntaxError(format!("{} is {value}, but has {} bits", field.name, field.width)));
            }
            field.set(&mut code, value);
        }
        let suffix = rest[close + 1..].trim();
        if let Some(bits) = suffix.strip_prefix('|') {
            let bits = number(bits, "the bits after '|'")?;
            if bits & !self.unnamed != 0 {
                return Err(SyntaxError(format!("{bits:#x} after '|' sets bits that the arguments name")));
            }
            code[0] |= bits;
        } else if !suffix.is_empty() {
            return Err(SyntaxError(format!("'{suffix}' after the closing parenthesis is not understood")));
        }
        Ok(code)
    }
}

/// The text without `/* … */` comments.
pub(super) fn strip_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        plain.push_str(&rest[..start]);
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    plain + rest
}

pub(super) fn number(text: &str, what: &str) -> Result<u32, SyntaxError> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if text == "true" => Some(1),
        None if text == "false" => Some(0),
        None => text.parse().ok(),
    };
    parsed.ok_or_else(|| SyntaxError(format!("{what}: '{text}' is not a number")))
}
