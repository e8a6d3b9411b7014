//! `SFPMAD`, `SFPADD`, `SFPMUL`, `SFPADDI`, `SFPMULI` and `SFPMUL24`: what the MAD sub-unit computes.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPMAD`.
pub fn sfpmad(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPADD`.
pub fn sfpadd(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPMUL`.
pub fn sfpmul(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPADDI`.
pub fn sfpaddi(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPMULI`.
pub fn sfpmuli(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPMUL24`.
pub fn sfpmul24(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
