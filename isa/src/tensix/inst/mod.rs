//! The instructions, one file each.

pub mod mova2d;
mod mova2d_axes;
mod mova2d_statements;
mod mova2d_syntax;
