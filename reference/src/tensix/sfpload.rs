//! `SFPLOAD`, on both chips: not transcribed yet.

use tandem_isa::tensix::{Chip, Tensix};
use tandem_isa::{Edition, Expectation};

/// Executes one `SFPLOAD` of `chip`.
#[expect(clippy::todo, reason = "the page is transcribed by an author of its own")]
pub fn execute(chip: Chip, edition: Edition, code: &[u32], tensix: &mut Tensix<'_>) -> Expectation {
    let _ = (chip, edition, code, tensix);
    todo!("SFPLOAD")
}
