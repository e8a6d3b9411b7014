//! `SFPLOADI`: an immediate to a register.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPLOADI`: an immediate to a register, or to one half of it.
pub fn sfploadi(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!("page SFPLOADI")
}
