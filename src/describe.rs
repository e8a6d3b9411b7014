//! `tandem describe`: all that the glue to somebody's implementation needs to know of an instruction set.

mod c_header;
mod family;
mod json;
mod table;

use tandem_cases::ISAS;
use tandem_isa::{CodeField, Field, FieldRole, Format, FormatKind, Instruction, Isa, Piece};

use crate::nearest;

/// How data lie in the arena and in the small state, for every instruction set.
const BIT_ORDER: &str = "Words lie with their lowest byte first, and bit 0 is a word's lowest bit. Column 0 of a row is at the \
                         lowest address, row 0 of a bank at its offset. Data that are narrower than a word lie in it side by \
                         side, the lowest bits first; wider ones begin at a multiple of their size, the lowest word first.";

/// An instruction set, and those of its instructions that are asked for.
struct Described {
    isa: &'static Isa,
    instructions: Vec<&'static Instruction>,
}

/// There is no such instruction set or instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DescribeError(String);

/// The forms of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a person.
    Table,
    /// For a program.
    Json,
    /// A header for C.
    CHeader,
}

/// What `tandem describe ISA INSTRUCTION…` prints: an instruction set, and those of its instructions that are asked for, or
/// all.
///
/// # Errors
/// [`DescribeError`] if there is no such instruction set or instruction.
pub fn describe(isa: &str, instructions: &[String], form: Form) -> Result<String, DescribeError> {
    let described = described(isa, instructions)?;
    Ok(match form {
        Form::Table => table::table(&described),
        Form::Json => json::text(&described),
        Form::CHeader => c_header::header(&described),
    })
}

fn described(isa: &str, instructions: &[String]) -> Result<Described, DescribeError> {
    // A path such as `tensix-wh/mova2d` names both.
    let (name, first) = isa.split_once('/').map_or((isa, None), |(isa, instruction)| (isa, Some(instruction)));
    let known: Vec<&str> = ISAS.iter().map(|isa| isa.name).collect();
    let isa = ISAS.iter().copied().find(|isa| isa.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        DescribeError(format!("there is no instruction set '{name}'{}", nearest::or_all(name, &known)))
    })?;
    let wanted = first.into_iter().chain(instructions.iter().map(String::as_str)).filter(|name| !name.is_empty());
    let mut chosen = Vec::new();
    for name in wanted {
        let short = name.strip_prefix(isa.name).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
        chosen.push(isa.instruction(short).ok_or_else(|| {
            let known: Vec<&str> = isa.instructions.iter().map(|instruction| instruction.file).collect();
            DescribeError(format!("{} has no instruction '{name}'{}", isa.name, nearest::or_all(short, &known)))
        })?);
    }
    Ok(Described { isa, instructions: if chosen.is_empty() { isa.instructions.to_vec() } else { chosen } })
}

/// The names of a field's values, by number; a value without one has an empty name.
fn values(isa: &Isa, field: &Field) -> &'static [&'static str] {
    let model = field.name.strip_prefix("Model.").filter(|_| field.role == FieldRole::Model);
    let model = model.and_then(|name| isa.models.iter().find(|model| model.name == name));
    model.map_or_else(|| isa.meanings.of_field(field).map_or(&[][..], |meaning| meaning.values), |model| model.values)
}

fn meaning(isa: &Isa, field: &Field) -> &'static str {
    isa.meanings.of_field(field).map_or("", |meaning| meaning.text)
}

fn code_values(isa: &Isa, field: &CodeField) -> &'static [&'static str] {
    isa.meanings.of_code(field).map_or(&[], |meaning| meaning.values)
}

fn code_meaning(isa: &Isa, field: &CodeField) -> &'static str {
    isa.meanings.of_code(field).map_or("", |meaning| meaning.text)
}

/// The word for the layout of a datum, and the bias of its exponent.
fn kind(format: &Format) -> (&'static str, Option<i32>) {
    match format.kind {
        FormatKind::Float { bias } => ("float", Some(bias)),
        FormatKind::SignMagnitude => ("sign-magnitude", None),
        FormatKind::TwosComplement => ("twos-complement", None),
        FormatKind::Bits => ("bits", None),
    }
}

/// A piece of a datum as `bits 8-17`.
fn bits(piece: Piece) -> String {
    match piece.width {
        1 => format!("bit {}", piece.shift),
        width => format!("bits {}-{}", piece.shift, piece.shift + width - 1),
    }
}
