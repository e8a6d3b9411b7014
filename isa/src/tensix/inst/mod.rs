//! Fields of the words of instructions, one file each, or one for several of one form.
//!
//! What else the pages state of an instruction stands in its row of [`tensix_instructions!`](crate::tensix_instructions!).

/// A form that has `CHIP` in its fields or arguments, as a function of the chip; perhaps with other opcode or syntax.
macro_rules! form {
    ($name:ident, $fields:expr, $arguments:expr $(, $member:ident: $value:expr)*) => {
        pub(in crate::tensix) const fn $name(chip: Chip) -> Form {
            const WORMHOLE: Form = {
                const CHIP: Chip = Chip::Wormhole;
                Form { $($member: $value,)* ..Form::new(&$fields, &$arguments) }
            };
            const BLACKHOLE: Form = {
                const CHIP: Chip = Chip::Blackhole;
                Form { $($member: $value,)* ..Form::new(&$fields, &$arguments) }
            };
            chip.pick(WORMHOLE, BLACKHOLE)
        }
    };
}

pub mod adc;
mod call_syntax;
pub mod configuration;
pub mod control;
pub mod immediate;
pub mod matrix;
pub mod mova2d;
mod moved_rows_syntax;
pub mod mover;
pub mod moves;
pub mod pack;
pub mod scalar;
pub mod sfpload;
pub mod sfpstore;
pub mod source;
pub mod unpack;
pub mod vector;
pub mod wait;
pub mod window;

use crate::{CodeField, Facts, Page, Syntax};

/// The opcode byte.
pub const OPCODE: CodeField = field("opcode", 24, 8);

/// A field of the only word of an instruction.
const fn field(name: &'static str, shift: u32, width: u32) -> CodeField {
    CodeField { name, word: 0, shift, width }
}

/// The form of a word: its fields, and how its text has them.
#[derive(Clone, Copy)]
pub(super) struct Form {
    fields: &'static [CodeField],
    arguments: &'static [CodeField],
    opcode: &'static [CodeField],
    syntax: Syntax,
}

impl Form {
    /// Fields whose text is a plain call with these arguments.
    const fn new(fields: &'static [CodeField], arguments: &'static [CodeField]) -> Self {
        Form { fields, arguments, opcode: &[OPCODE], syntax: call_syntax::CALL }
    }

    /// Fields that are the arguments too.
    pub(super) const fn of(fields: &'static [CodeField]) -> Self {
        Self::new(fields, fields)
    }

    /// The fields.
    pub(super) const fn fields(self) -> &'static [CodeField] {
        self.fields
    }
}

/// What a row of the list says of an instruction on a chip; its names are filled in where the list is read.
pub(super) const fn row(
    base_code: &'static [u32],
    page: &'static Page,
    form: Form,
    errata: &'static [&'static str],
) -> Facts {
    let Form { fields, arguments, opcode, syntax } = form;
    Facts {
        isa: "",
        name: "",
        file: "",
        index: 0,
        number: 0,
        summary: "",
        pages: [page; 2],
        base_code,
        opcode,
        code_fields: fields,
        arguments,
        syntax,
        errata,
        unwitnessed: &[],
    }
}
