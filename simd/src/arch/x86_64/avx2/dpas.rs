//! `DPAS` for AVX2.

use tandem_isa::{Answer, State, Step};

use crate::Avx2;

/// Executes one `DPAS` at this level.
pub(crate) fn execute(_: Avx2, _: &Step<'_>, _: &mut State) -> Answer {
    Answer::Unsupported
}
