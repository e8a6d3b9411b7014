//! The instructions, one file each, or one for several of one form.

mod call_syntax;
pub mod configuration;
pub mod control;
pub mod immediate;
pub mod matrix;
pub mod mova2d;
mod moved_rows_syntax;
pub mod moves;
pub mod scalar;
pub mod sfpload;
pub mod sfpstore;
pub mod source;
pub mod unpack;
pub mod vector;
pub mod wait;
pub mod window;

use crate::{CodeField, Facts, Page};

/// The opcode byte.
pub const OPCODE: CodeField = CodeField { name: "opcode", word: 0, shift: 24, width: 8 };

/// An instruction of one word whose text is a plain call. The list in `tensix/mod.rs` says its name and what it does.
const fn called(base_code: &'static [u32], pages: [&'static Page; 2], code_fields: &'static [CodeField]) -> Facts {
    Facts {
        isa: "",
        name: "",
        file: "",
        index: 0,
        summary: "",
        pages,
        base_code,
        opcode: &[OPCODE],
        code_fields,
        arguments: code_fields,
        syntax: call_syntax::CALL,
        errata: &[],
        unwitnessed: &[],
    }
}
