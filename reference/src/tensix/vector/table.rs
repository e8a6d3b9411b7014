//! `SFPLUT`, `SFPLUTFP32` and `SFPARECIP`: results by a table.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPLUT`.
pub fn sfplut(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPLUTFP32`.
pub fn sfplutfp32(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPARECIP`.
pub fn sfparecip(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
