//! `SFPLOADMACRO`: an `SFPLOAD`, and then an instruction of a template.

use std::ops::ControlFlow;

use tandem_isa::tensix::Tensix;
use tandem_isa::{Expectation, Step};

/// `SFPLOADMACRO`.
pub fn sfploadmacro(_: &Step<'_>, _: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    todo!()
}
