//! What the texts of instructions share: how they are printed and read, piece by piece; and the form that any code words have.
//!
//! *Source*: page vISA Assembly Syntax (operands, lines 178-200), page Operands. What the syntax cannot say (reserved codes,
//! fields that an operand's class lacks) is printed as the list of code words behind a bar, and read back from it.

use crate::visa::operand::{
    EXEC_MASK, EXEC_SIZE, EXEC_SIZES, MASK_NAMES, OPCODE, OperandFields, REGION_CODES, RegionCode, region_code,
};
use crate::{Code, CodeField, Facts, MAX_CODE_WORDS, SyntaxError};

// ------------------------------------------------------------------------------------------------ printing

/// The text of code words: that of the page's syntax if there is one and it says all, or else with all words.
pub(super) fn print(instruction: &Facts, code: &[u32], text: Option<String>) -> String {
    let text = text.unwrap_or_else(|| instruction.name.to_string());
    match instruction.parse(&text) {
        Ok(read) if *read == *code => text,
        _ => {
            let words: Vec<String> = code.iter().map(|word| format!("{word:#x}")).collect();
            format!("{text} | {}", words.join(" "))
        }
    }
}

/// Execution mask and execution size.
pub(super) fn exec(code: &[u32]) -> Option<String> {
    let size = EXEC_SIZES[EXEC_SIZE.get(code) as usize]?;
    Some(format!("({}, {size})", MASK_NAMES[EXEC_MASK.get(code) as usize]))
}

/// A general operand, without its region.
pub(super) fn general(fields: &OperandFields, code: &[u32]) -> String {
    format!("V{}({},{})", fields.id.get(code), fields.row_offset.get(code), fields.col_offset.get(code))
}

/// A stride or a width.
pub(super) fn stride(field: CodeField, code: &[u32]) -> Option<u32> {
    match REGION_CODES[field.get(code) as usize] {
        RegionCode::Elements(count) => Some(count),
        RegionCode::Null | RegionCode::Unlisted => None,
    }
}

// ------------------------------------------------------------------------------------------------ reading

/// Code words from their text: all of them, as numbers behind a bar, or what `read` makes of it.
pub(super) fn parse(
    instruction: &Facts,
    text: &str,
    read: impl FnOnce(&mut Reader<'_>) -> Result<(), SyntaxError>,
) -> Result<Code, SyntaxError> {
    if let Some((_, words)) = text.split_once('|') {
        return whole_words(instruction, words);
    }
    let mut code = Code::new(&[0; MAX_CODE_WORDS][..instruction.base_code.len()]);
    OPCODE.set(&mut code, OPCODE.get(instruction.base_code));
    let mut reader = Reader { rest: text.trim(), code };
    read(&mut reader)?;
    match reader.rest {
        "" | ";" => Ok(reader.code),
        rest => Err(SyntaxError(format!("'{rest}' behind the last source is not understood"))),
    }
}

/// All code words, as numbers.
fn whole_words(instruction: &Facts, text: &str) -> Result<Code, SyntaxError> {
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

    /// A number for a field.
    pub(super) fn field(&mut self, field: CodeField, what: &str, most: u64) -> Result<(), SyntaxError> {
        let value = self.number(what, most)?;
        self.set(field, value);
        Ok(())
    }

    /// Execution mask and execution size.
    pub(super) fn exec(&mut self) -> Result<(), SyntaxError> {
        self.expect("(")?;
        let name = self.word();
        let mask = (0..).zip(MASK_NAMES).find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(code, _)| code);
        self.set(EXEC_MASK, mask.ok_or_else(|| SyntaxError(format!("'{name}' is no execution mask")))?);
        self.expect(",")?;
        let size = self.number("the execution size", 32)?;
        let code = (0..).zip(EXEC_SIZES).find(|(_, known)| *known == Some(size)).map(|(code, _)| code);
        self.set(EXEC_SIZE, code.ok_or_else(|| SyntaxError(format!("{size} is no execution size")))?);
        self.expect(")")
    }

    /// A general operand, without its region.
    pub(super) fn general(&mut self, fields: &OperandFields) -> Result<(), SyntaxError> {
        self.expect("V")?;
        self.field(fields.id, "the variable", u32::MAX.into())?;
        self.expect("(")?;
        self.field(fields.row_offset, "the row offset", 255)?;
        self.expect(",")?;
        self.field(fields.col_offset, "the column offset", 255)?;
        self.expect(")")
    }

    /// A stride or a width.
    pub(super) fn stride(&mut self, field: CodeField) -> Result<(), SyntaxError> {
        let count = self.number("a stride or width", 32)?;
        let code = region_code(count).ok_or_else(|| SyntaxError(format!("{count} is no stride or width")))?;
        self.set(field, code);
        Ok(())
    }

    /// The region of a source; without a vertical stride, if it may be without one, each row has an address.
    pub(super) fn region(&mut self, fields: &OperandFields, may_have_addresses: bool) -> Result<(), SyntaxError> {
        self.expect("<")?;
        if !may_have_addresses || !self.rest.starts_with(';') {
            self.stride(fields.vert_stride)?;
        }
        self.expect(";")?;
        self.stride(fields.width)?;
        self.expect(",")?;
        self.stride(fields.horz_stride)?;
        self.expect(">")
    }
}
