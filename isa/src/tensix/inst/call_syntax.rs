//! Instructions as calls of macros, as the pages write them: `TT_NAME(field, field, ...)`, both ways. Bits that no
//! argument names follow the call after a `|`.

use crate::{Code, CodeField, Facts, Syntax, SyntaxError};

/// A plain call of a macro that is called as the instruction.
pub(super) const CALL: Syntax =
    Syntax { print: |facts, code| print(facts.name, facts, code), parse: |facts, text| parse(facts.name, facts, text) };

/// The text of a word, as a call of `TT_` and this name.
pub(super) fn print(name: &str, facts: &Facts, code: &[u32]) -> String {
    let arguments: Vec<_> = facts.arguments.iter().map(|field| field.get(code).to_string()).collect();
    // Without arguments the pages write no parentheses.
    let list = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    let text = format!("TT_{name}{list}");
    let rest = code[0] & rest_bits(facts);
    if rest == 0 { text } else { format!("{text} | {rest:#x}") }
}

/// The word of such a text; `TTI_` is read as well.
pub(super) fn parse(name: &str, facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = Call::read(name, text)?;
    let arguments = call.arguments(facts.arguments.len())?;
    let mut code = Code::new(facts.base_code);
    for (&field, argument) in facts.arguments.iter().zip(arguments) {
        set(&mut code, field, argument)?;
    }
    call.add_rest(&mut code, rest_bits(facts))?;
    check_form(name, facts, text, &code)?;
    Ok(code)
}

/// Several forms of an instruction may have one name: whether the word is of this one.
pub(super) fn check_form(name: &str, facts: &Facts, text: &str, code: &Code) -> Result<(), SyntaxError> {
    if facts.matches(code) {
        Ok(())
    } else {
        Err(SyntaxError(format!("'{text}' is another form of {name} than {}", facts.name)))
    }
}

/// The bits of the word that no argument names.
pub(super) fn rest_bits(facts: &Facts) -> u32 {
    !facts.arguments.iter().fold(facts.opcode_mask(0), |mask, field| mask | field.mask())
}

/// Gives a field the value of its argument.
pub(super) fn set(code: &mut Code, field: CodeField, argument: &str) -> Result<(), SyntaxError> {
    let value = number(argument, field.name)?;
    if value >> field.width != 0 {
        return Err(SyntaxError(format!("{} is {value}, but has {} bits", field.name, field.width)));
    }
    field.set(code, value);
    Ok(())
}

/// A call: what stands between the parentheses, and behind them.
pub(super) struct Call<'a> {
    name: &'a str,
    text: &'a str,
    inner: String,
    rest: String,
}

impl<'a> Call<'a> {
    pub(super) fn read(name: &'a str, text: &'a str) -> Result<Self, SyntaxError> {
        let plain = strip_comments(text);
        let call = plain.trim().trim_end_matches(';').trim();
        let rest = ["TT_", "TTI_"]
            .iter()
            .find_map(|prefix| call.strip_prefix(prefix)?.strip_prefix(name))
            .ok_or_else(|| SyntaxError(format!("'{text}' does not begin with TT_{name}")))?
            .trim_start();
        // Without arguments there may be no parentheses.
        if rest.is_empty() || rest.starts_with('|') {
            return Ok(Call { name, text, inner: String::new(), rest: rest.to_string() });
        }
        let close = rest.rfind(')').ok_or_else(|| SyntaxError(format!("'{text}' has no closing parenthesis")))?;
        let inner = rest[..close]
            .strip_prefix('(')
            .ok_or_else(|| SyntaxError(format!("'{text}' has no opening parenthesis after the mnemonic")))?;
        Ok(Call { name, text, inner: inner.trim().to_string(), rest: rest[close + 1..].trim().to_string() })
    }

    /// The arguments, if there are `count`.
    pub(super) fn arguments(&self, count: usize) -> Result<Vec<&str>, SyntaxError> {
        let given: Vec<&str> = if self.inner.is_empty() { Vec::new() } else { self.inner.split(',').collect() };
        if given.len() == count {
            return Ok(given);
        }
        let (name, text) = (self.name, self.text);
        Err(SyntaxError(format!("TT_{name} takes {count} arguments, '{text}' has {}", given.len())))
    }

    /// Adds the bits behind a `|`, of those that no argument names.
    pub(super) fn add_rest(&self, code: &mut Code, unnamed: u32) -> Result<(), SyntaxError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let Some(bits) = self.rest.strip_prefix('|') else {
            return Err(SyntaxError(format!("'{}' after the closing parenthesis is not understood", self.rest)));
        };
        let bits = number(bits, "the bits after '|'")?;
        if bits & !unnamed != 0 {
            return Err(SyntaxError(format!("{bits:#x} after '|' sets bits that the arguments name")));
        }
        code[0] |= bits;
        Ok(())
    }
}

/// The text without `/* … */` comments.
fn strip_comments(text: &str) -> String {
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
