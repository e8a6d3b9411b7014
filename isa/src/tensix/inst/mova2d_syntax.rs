//! The text of `MOVA2D`, in the form of the page's *Syntax*, both ways.

use super::call_syntax::{number, strip_comments};
use super::mova2d::{ADDR_MOD, DST_ROW, MOVA2D, MOVE8_ROWS, SRC_ROW, UNNAMED_BITS, USE_DST32B_LO};
use crate::{Code, SyntaxError};

pub(super) fn print(code: &[u32]) -> String {
    let word = code[0];
    let fourth = match (MOVE8_ROWS.get(code), word >> 12 & 1) {
        (rows, 0) => format!("({rows}) << 1"),
        (rows, _) => format!("({rows}) << 1 | 1"),
    };
    let text = format!(
        "TT_MOVA2D({}, {}, {}, {fourth}, {})",
        USE_DST32B_LO.get(code),
        SRC_ROW.get(code),
        ADDR_MOD.get(code),
        DST_ROW.get(code)
    );
    // Bits 10, 11 and 14 have no place among the arguments.
    let rest = word & UNNAMED_BITS & !(1 << 12);
    if rest == 0 { text } else { format!("{text} | {rest:#x}") }
}

pub(super) fn parse(text: &str) -> Result<Code, SyntaxError> {
    let plain = strip_comments(text);
    let call = plain.trim().trim_end_matches(';').trim();
    let rest = call
        .strip_prefix("TT_MOVA2D")
        .or_else(|| call.strip_prefix("TTI_MOVA2D"))
        .ok_or_else(|| SyntaxError(format!("'{text}' does not begin with TT_MOVA2D")))?
        .trim_start();
    let close = rest.rfind(')').ok_or_else(|| SyntaxError(format!("'{text}' has no closing parenthesis")))?;
    let inner = rest[..close]
        .strip_prefix('(')
        .ok_or_else(|| SyntaxError(format!("'{text}' has no opening parenthesis after the mnemonic")))?;
    let arguments: Vec<&str> = inner.split(',').collect();
    let [lo, src_row, addr_mod, fourth, dst_row] = arguments[..] else {
        return Err(SyntaxError(format!("TT_MOVA2D takes 5 arguments, '{text}' has {}", arguments.len())));
    };
    let mut code = Code::new(MOVA2D.base_code);
    for (field, argument) in [(USE_DST32B_LO, lo), (SRC_ROW, src_row), (ADDR_MOD, addr_mod), (DST_ROW, dst_row)] {
        let value = number(argument, field.name)?;
        if value >> field.width != 0 {
            return Err(SyntaxError(format!("{} is {value}, but has {} bits", field.name, field.width)));
        }
        field.set(&mut code, value);
    }
    let value = expression(fourth, "Move8Rows << 1")?;
    if value > 3 {
        return Err(SyntaxError(format!(
            "the fourth argument is {value}, but has 2 bits, of which bit 1 is Move8Rows"
        )));
    }
    code[0] |= value << 12;
    let suffix = rest[close + 1..].trim();
    if let Some(bits) = suffix.strip_prefix('|') {
        let bits = number(bits, "the bits after '|'")?;
        if bits & !(UNNAMED_BITS & !(1 << 12)) != 0 {
            return Err(SyntaxError(format!("{bits:#x} after '|' sets bits that the arguments name")));
        }
        code[0] |= bits;
    } else if !suffix.is_empty() {
        return Err(SyntaxError(format!("'{suffix}' after the closing parenthesis is not understood")));
    }
    Ok(code)
}

/// A number, a shifted number, or several of them joined by `|`.
fn expression(text: &str, what: &str) -> Result<u32, SyntaxError> {
    text.split('|').try_fold(0, |sum, term| {
        let value = match term.split_once("<<") {
            Some((value, shift)) => {
                let shift = number(shift, what)?;
                number(value, what)?
                    .checked_shl(shift)
                    .ok_or_else(|| SyntaxError(format!("{what}: a shift by {shift} is too far")))?
            }
            None => number(term, what)?,
        };
        Ok(sum | value)
    })
}
