//! The text of an instruction as the assembler reads it.
//!
//! It differs from the syntax of the pages: opcodes are in lower case, the region of an operand with several addresses is
//! `<width,stride>`, and the activations of `DPAS` have no region (erratum VX-47).

use tandem_isa::Facts;
use tandem_isa::visa::Mnemonic;

/// The text of code words in normal form.
pub(super) fn text(facts: &Facts, code: &[u32]) -> String {
    let text = facts.print(code).replacen(facts.name, &facts.name.to_lowercase(), 1).replace("<;", "<");
    match (Mnemonic::of(facts), text.rsplit_once('<')) {
        (Mnemonic::Dpas, Some((without, _))) => without.to_string(),
        _ => text,
    }
}
