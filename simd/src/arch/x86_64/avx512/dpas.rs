//! `DPAS` for AVX-512.

use tandem_isa::{Answer, State, Step};

use crate::Avx512;

/// Executes one `DPAS` at this level.
pub(crate) fn execute(_: Avx512, _: &Step<'_>, _: &mut State) -> Answer {
    Answer::Unsupported
}
