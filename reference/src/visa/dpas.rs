//! `DPAS`: systolic dot products, accumulated.
//!
//! *Source*: page DPAS (commit 535d40a8).

use tandem_isa::Expectation;
use tandem_isa::visa::Visa;

/// Executes one `DPAS`.
#[expect(clippy::todo, reason = "the page is not transcribed yet")]
pub fn execute(_code: &[u32], _visa: &mut Visa<'_>) -> Expectation {
    todo!("the page is not transcribed yet")
}
