//! Intel vISA.

mod case;
mod channels;
mod dpas;
mod dpas_axes;
mod dpas_break;
mod dpas_operands;
mod dpas_orthogonal;
mod dpas_pairs;
mod dpas_place;
mod dpas_quantities;
mod dpas_reduce;
mod form;
mod mov;
mod mov_types;
mod operand;
mod points;
mod raw;
mod values;
mod vector;
mod vector_axes;
mod vector_break;
mod vector_fill;
mod vector_place;
mod vector_quantities;
mod vector_reduce;
mod vector_shape;

use tandem_isa::{Isa, visa};

pub use dpas::DPAS;
pub use mov::MOV;
pub use values::value_class;

/// Intel vISA (`visa`).
pub static VISA: Isa = Isa {
    machine: &visa::VISA,
    instructions: &[&MOV, &DPAS],
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
};
