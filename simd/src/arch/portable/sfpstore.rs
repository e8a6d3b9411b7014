//! `SFPSTORE` without intrinsics: not implemented yet.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

pub(crate) fn execute(chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let _ = (chip, step, state);
    Answer::Unsupported
}
