//! `SFPTRANSP`, `SFPSWAP` and `SFPSHFT2`: data go to other lanes or other registers.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPTRANSP`.
pub fn sfptransp(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPSWAP`.
pub fn sfpswap(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPSHFT2`.
pub fn sfpshft2(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
