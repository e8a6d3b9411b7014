//! The instructions, one file each; what is long about one lies in files beside it.

pub mod dpas;
mod dpas_text;
pub mod mov;
mod mov_text;
mod reader;
