//! `SFPPUSHC`, `SFPPOPC` and `SFPCOMPC`: the stack of flags. `SFPLE` and `SFPGT`, which can change its top.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPPUSHC`.
pub fn sfppushc(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPPOPC`.
pub fn sfppopc(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPCOMPC`.
pub fn sfpcompc(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPLE`.
pub fn sfple(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPGT`.
pub fn sfpgt(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
