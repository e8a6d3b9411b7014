//! Intel vISA.

mod case;
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
mod mov_addressing;
mod mov_axes;
mod mov_break;
mod mov_elements;
mod mov_operands;
mod mov_orthogonal;
mod mov_place;
mod mov_quantities;
mod mov_reduce;
mod operand_quantities;
mod points;
mod values;
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
