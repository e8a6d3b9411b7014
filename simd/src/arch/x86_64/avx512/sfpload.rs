//! `SFPLOAD` at the level AVX-512: not implemented yet.

use tandem_isa::tensix::Chip;
use tandem_isa::{Answer, State, Step};

use crate::Avx512;

pub(crate) fn execute(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    let _ = (proof, chip, step, state);
    Answer::Unsupported
}
