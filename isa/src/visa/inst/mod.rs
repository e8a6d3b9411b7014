//! The instructions, one file each; what is long about one lies in files beside it.

mod case;
pub mod dpas;
mod dpas_axes;
mod dpas_break;
mod dpas_operands;
mod dpas_orthogonal;
mod dpas_pairs;
mod dpas_place;
mod dpas_quantities;
mod dpas_reduce;
mod dpas_statements;
mod dpas_text;
pub mod mov;
mod mov_axes;
mod mov_break;
mod mov_elements;
mod mov_operands;
mod mov_orthogonal;
mod mov_place;
mod mov_quantities;
mod mov_reduce;
mod mov_statements;
mod mov_text;
mod operand_quantities;
mod reader;
