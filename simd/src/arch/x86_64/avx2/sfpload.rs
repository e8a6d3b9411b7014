//! `SFPLOAD` at the level AVX2: not implemented yet.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use crate::Avx2;

pub(crate) fn execute(proof: Avx2, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let _ = (proof, chip, step, state);
    Answer::Unsupported
}
