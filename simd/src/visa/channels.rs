//! Which channels an instruction writes: `EvaluateChEn` of page Operands, on masks.
//!
//! The execution mask and the predicate's slice are words shifted to the first channel of the mask control and cut off
//! after the last one. *Any* and *all* fill the slice with one bit; the inverse flips it.
//!
//! What differs from the page, and why it is equal: the loops over channels are operations on bits of a word, and bits
//! at and above the execution size are cut off once, at the end.

use tandem_isa::visa::Small;
use tandem_isa::visa::operand::{EXEC_MASK, MASK_OFFSETS, NO_MASK, PRED, combine};

/// The channels that are enabled by `EM` alone, bit = channel; bits from the execution size on are 0.
#[inline(always)]
pub(crate) fn by_execution_mask(code: &[u32], small: &Small, exec_size: u32) -> u32 {
    let control = EXEC_MASK.get(code);
    let enabled = if control & NO_MASK != 0 { u32::MAX } else { small.em >> mask_offset(control) };
    enabled & first_channels(exec_size)
}

/// What the predication control leaves of the channels, bit = channel; nothing if it names no declared predicate.
#[inline(always)]
pub(crate) fn by_predicate(code: &[u32], small: &Small, exec_size: u32) -> Option<u32> {
    let id = PRED.id.get(code);
    if id == 0 {
        return Some(u32::MAX);
    }
    let predicate = small.predicates.get(usize::try_from(id - 1).ok()?)?;
    let slice = first_channels(exec_size);
    let elements = (predicate.value >> mask_offset(EXEC_MASK.get(code))) & slice;
    let combined = match PRED.combine.get(code) {
        combine::SEQUENTIAL => elements,
        combine::ANY => all_if(elements != 0),
        combine::ALL => all_if(elements == slice),
        _ => return None,
    };
    Some(combined ^ all_if(PRED.inverse.get(code) != 0))
}

/// The first channel that a mask control selects.
#[inline(always)]
fn mask_offset(control: u32) -> u32 {
    MASK_OFFSETS[(control & 7) as usize]
}

/// The bits of the channels `0..count`; `count` is 1 to 32.
#[inline(always)]
pub(crate) const fn first_channels(count: u32) -> u32 {
    u32::MAX >> ((32 - count) & 31)
}

/// All bits, or none.
#[inline(always)]
const fn all_if(condition: bool) -> u32 {
    (condition as u32).wrapping_neg()
}
