//! What tests of several instructions begin with.

use tandem_isa::tensix::{BLACKHOLE, Banks, Chip, WORMHOLE};
use tandem_isa::{CodeField, Facts, Machine};

/// An instruction of a chip, with its word, in which some fields are set.
pub(super) fn word(
    chip: Chip,
    name: &str,
    fields: &[(CodeField, u32)],
) -> (&'static Machine, &'static Facts, Vec<u32>) {
    let machine = chip.pick(&WORMHOLE, &BLACKHOLE);
    let instruction = machine.instruction(name).expect("the chip has it");
    let mut code = instruction.base_code.to_vec();
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    (machine, instruction, code)
}

/// `GPRs[t][n]` becomes 0x1000 * (t + 1) + n.
pub(super) fn number_gprs(banks: &mut Banks) {
    for (first, gprs) in [0x1000, 0x2000, 0x3000].into_iter().zip(&mut banks.gprs) {
        gprs.as_flattened_mut().iter_mut().zip(first..).for_each(|(gpr, value)| *gpr = value);
    }
}
