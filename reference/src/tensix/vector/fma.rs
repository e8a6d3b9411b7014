//! Multiplication and addition of FP32 as the MAD sub-unit does them, one model a chip.

use tandem_isa::tensix::Chip;

/// `x * y + z`, all FP32.
#[expect(dead_code, reason = "a stub")]
pub(super) fn fma(_: Chip, _: u32, _: u32, _: u32) -> u32 {
    todo!()
}
