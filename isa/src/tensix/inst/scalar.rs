//! The two forms of `SETDMAREG`, which write GPRs, on both chips. Bit 7 selects the form.
//!
//! *Source*: pages SETDMAREG_Immediate and SETDMAREG_Special; fields from
//! `Diagrams/Src/Bits32.lua` (commit c2e709d3) of the same repository. The vendor's tables give both chips the same fields.

use super::{Form, OPCODE, call_syntax, field};
use crate::{Code, CodeField, Facts, Syntax, SyntaxError};

/// Bit 7: 0 for an immediate, 1 for what Packers have.
pub const FORM: CodeField = field("form", 7, 1);
/// `ResultHalfReg`, bits 0 to 6: a half of a GPR of the thread, the low one of each first.
pub const RESULT_HALF_REG: CodeField = field("ResultHalfReg", 0, 7);
/// `NewValue` of the immediate form, bits 8 to 23.
pub const NEW_VALUE_OF_HALF: CodeField = field("NewValue", 8, 16);
/// `InputHalfReg`, bits 8 to 10: a half of one of four values.
pub const INPUT_HALF_REG: CodeField = field("InputHalfReg", 8, 3);
/// `InputSource`, bits 11 to 14.
pub const INPUT_SOURCE: CodeField = field("InputSource", 11, 4);
/// `WhichPackers`, bits 15 to 18.
pub const WHICH_PACKERS: CodeField = field("WhichPackers", 15, 4);
/// `ResultSize`, bits 22 and 23.
pub const RESULT_SIZE: CodeField = field("ResultSize", 22, 2);

pub(in crate::tensix) const SETDMAREG_IMMEDIATE: Form = of(&[NEW_VALUE_OF_HALF, RESULT_HALF_REG]);
pub(in crate::tensix) const SETDMAREG_SPECIAL: Form =
    of(&[RESULT_SIZE, WHICH_PACKERS, INPUT_SOURCE, INPUT_HALF_REG, RESULT_HALF_REG]);

const fn of(fields: &'static [CodeField]) -> Form {
    Form { opcode: &[OPCODE, FORM], syntax: SETDMAREG, ..Form::of(fields) }
}

/// As the pages write both forms: a size, which the immediate form writes as 0, a number behind it, the form, and the half that
/// is written. The number has 14 bits, but of the immediate form 16, which reach into the place of the size.
const SETDMAREG: Syntax = Syntax { print, parse };
const NAME: &str = "SETDMAREG";
const NUMBER: CodeField = field("the number", 8, 14);

fn print(facts: &Facts, code: &[u32]) -> String {
    let form = FORM.get(facts.base_code);
    let [size, number] =
        if form == 0 { [0, NEW_VALUE_OF_HALF.get(code)] } else { [RESULT_SIZE.get(code), NUMBER.get(code)] };
    format!("TT_{NAME}({size}, {number:#x}, {form}, {})", RESULT_HALF_REG.get(code))
}

fn parse(facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = call_syntax::Call::read(NAME, text)?;
    let [size, number, form, half] = call.arguments(4)?[..] else { unreachable!("there are four") };
    let mut code = Code::new(facts.base_code);
    call_syntax::set(&mut code, FORM, form)?;
    if !facts.matches(&code) {
        return Err(SyntaxError(format!("'{text}' is another form of {NAME} than {}", facts.name)));
    }
    if FORM.get(&code) == 0 {
        if call_syntax::number(size, RESULT_SIZE.name)? != 0 {
            return Err(SyntaxError(format!("'{text}' has an immediate and a size")));
        }
        call_syntax::set(&mut code, NEW_VALUE_OF_HALF, number)?;
    } else {
        call_syntax::set(&mut code, RESULT_SIZE, size)?;
        call_syntax::set(&mut code, NUMBER, number)?;
    }
    call_syntax::set(&mut code, RESULT_HALF_REG, half)?;
    call.add_rest(&mut code, 0)?;
    Ok(code)
}
