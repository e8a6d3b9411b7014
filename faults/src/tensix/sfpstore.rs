//! `SFPSTORE`, plainly, on both chips: not implemented yet.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use super::Flaws;

/// Whether it is implemented on `chip`.
pub const fn implements(_: Chip) -> bool {
    false
}

/// Executes one `SFPSTORE` of `chip`.
pub fn execute(flaws: Flaws, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let _ = (flaws, chip, step, state);
    Answer::Unsupported
}
