//! `DPAS` without intrinsics.

use tandem_isa::{Answer, State, Step};

/// Executes one `DPAS` at this level.
pub(crate) fn execute(_: &Step<'_>, _: &mut State) -> Answer {
    Answer::Unsupported
}
