//! The text of `MOVA2D`, in the form of the page's *Syntax*, both ways.

use super::call_syntax::{Call, number, set};
use super::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, UNNAMED_BITS, USE_DST32B_LO};
use crate::{Code, Facts, Syntax, SyntaxError};

/// The fourth argument has two fields.
pub(super) const SYNTAX: Syntax = Syntax { print, parse };

fn print(_: &Facts, code: &[u32]) -> String {
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

fn parse(facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = Call::read(facts.name, text)?;
    let arguments = call.arguments(5)?;
    let mut code = Code::new(facts.base_code);
    for (field, at) in [(USE_DST32B_LO, 0), (SRC_ROW, 1), (ADDR_MOD, 2), (DST_ROW, 4)] {
        set(&mut code, field, arguments[at])?;
    }
    let value = expression(arguments[3], "Move8Rows << 1")?;
    if value > 3 {
        return Err(SyntaxError(format!(
            "the fourth argument is {value}, but has 2 bits, of which bit 1 is Move8Rows"
        )));
    }
    code[0] |= value << 12;
    call.add_rest(&mut code, UNNAMED_BITS & !(1 << 12))?;
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
