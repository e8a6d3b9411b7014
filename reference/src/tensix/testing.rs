//! What tests of several instructions begin with.

use tandem_isa::tensix::{BLACKHOLE, Banks, Chip, Small, WORMHOLE};
use tandem_isa::{CodeField, Expectation, Facts, Machine};

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

/// Whether all is promised, and the state after is the one before but for what `changes` changes; of the banks GPRs and L1.
pub(super) fn check_done(
    promise: Expectation,
    [before, after]: [&(Banks, Small); 2],
    changes: impl FnOnce(&mut Banks, &mut Small),
) {
    assert_eq!(promise, Expectation::Done);
    let (mut banks, mut small) = *before;
    changes(&mut banks, &mut small);
    assert_eq!(after.1, small);
    assert_eq!(after.0.gprs, banks.gprs);
    for (window, (rows, expected)) in after.0.l1.iter().zip(&banks.l1).enumerate() {
        assert_eq!(rows, expected, "window {window}");
    }
}
