//! `SFPCONFIG`: the configuration of the lanes, and the registers that no other instruction writes.

use std::ops::ControlFlow;

use tandem_isa::Expectation;

use super::VectorUnit;

/// `SFPCONFIG`: eight lanes of `LReg[0]`, or an immediate, to a register or to the configuration of the lanes.
pub fn sfpconfig(_: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    todo!("page SFPCONFIG")
}
