//! `SFPEXMAN`, `SFPSETEXP`, `SFPSETMAN` and `SFPDIVP2`: a mantissa, or one part of FP32 put in the place of another. `SFPNOP`.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPEXMAN`.
pub fn sfpexman(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPSETEXP`.
pub fn sfpsetexp(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPSETMAN`.
pub fn sfpsetman(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPDIVP2`.
pub fn sfpdivp2(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPNOP`.
pub fn sfpnop(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
