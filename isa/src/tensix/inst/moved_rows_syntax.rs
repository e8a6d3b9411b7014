//! The text of a move whose one flag, at bit 13, stands as an argument of two bits: `(Move8Rows) << 1`, in the form of the
//! page's *Syntax*, both ways.

use super::call_syntax::{Call, number, rest_bits, set};
use crate::{Code, CodeField, Facts, Syntax, SyntaxError};

/// The text of such a move.
pub(super) const MOVED_ROWS: Syntax = Syntax { print, parse };

/// The bit below the flag, in the same argument. It has no name.
const BELOW: u32 = 1 << 12;

/// Whether a field is the flag.
fn is_flag(field: CodeField) -> bool {
    field.mask() == BELOW << 1
}

fn print(facts: &Facts, code: &[u32]) -> String {
    let word = code[0];
    let argument = |&field: &CodeField| match field.get(code) {
        value if !is_flag(field) => value.to_string(),
        value if word & BELOW != 0 => format!("({value}) << 1 | 1"),
        value => format!("({value}) << 1"),
    };
    let arguments: Vec<_> = facts.arguments.iter().map(argument).collect();
    let text = format!("TT_{}({})", facts.name, arguments.join(", "));
    let rest = word & rest_bits(facts) & !BELOW;
    if rest == 0 { text } else { format!("{text} | {rest:#x}") }
}

fn parse(facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = Call::read(facts.name, text)?;
    let arguments = call.arguments(facts.arguments.len())?;
    let mut code = Code::new(facts.base_code);
    for (&field, argument) in facts.arguments.iter().zip(arguments) {
        if !is_flag(field) {
            set(&mut code, field, argument)?;
            continue;
        }
        let value = expression(argument, &format!("{} << 1", field.name))?;
        if value > 3 {
            return Err(SyntaxError(format!(
                "the argument of {0} is {value}, but has 2 bits, of which bit 1 is {0}",
                field.name
            )));
        }
        code[0] |= value << 12;
    }
    call.add_rest(&mut code, rest_bits(facts) & !BELOW)?;
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
