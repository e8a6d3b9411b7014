//! `SFPCAST` and `SFPSTOCHRND`: integers become FP32, and FP32 and integers become narrower.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPCAST`.
pub fn sfpcast(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}

/// `SFPSTOCHRND`.
pub fn sfpstochrnd(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!()
}
