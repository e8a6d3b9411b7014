//! The instructions, one file each.

pub mod mova2d;
mod mova2d_statements;
