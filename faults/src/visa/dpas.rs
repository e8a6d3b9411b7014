//! `DPAS`, plainly. It is not written yet.

use tandem_isa::{Answer, State};

use super::Flaws;

/// Whether it is written.
pub const IS_IMPLEMENTED: bool = false;

/// Executes one `DPAS`.
pub fn execute(_: Flaws, _: &[u32], _: &mut State) -> Answer {
    Answer::Unsupported
}
