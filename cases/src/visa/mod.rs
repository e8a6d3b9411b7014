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
mod mov;
mod mov_axes;
mod mov_quantities;
mod operand;
mod points;
mod raw;
mod values;
mod vector;
mod vector_axes;
mod vector_break;
mod vector_path;
mod vector_place;
mod vector_quantities;
mod vector_reduce;
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
