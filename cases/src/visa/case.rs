//! What the axes of all instructions share: the small state of a case, and which variable a number means.

use tandem_isa::visa::{FIRST_GENERAL, NUM_GENERAL, Small};
use tandem_isa::{Axis, Noise, Parts};

/// The small state of a case, typed.
#[inline(always)]
pub(super) fn small<'a>(parts: &'a mut Parts<'_>) -> &'a mut Small {
    bytemuck::from_bytes_mut(parts.small)
}

#[inline(always)]
pub(super) fn peek<'a>(parts: &'a Parts<'_>) -> &'a Small {
    bytemuck::from_bytes(parts.small)
}

#[inline(always)]
pub(super) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a level or a field value fits in 32 bits")
}

/// The table entry that the number of a general variable means; numbers that no variable has are folded.
#[inline(always)]
pub(super) fn entry(id: u32) -> usize {
    (id.wrapping_sub(FIRST_GENERAL)) as usize % NUM_GENERAL
}

/// An axis that sets a case.
pub(super) const fn axis(
    name: &'static str,
    levels: &'static [&'static str],
    weights: &'static [u16],
    set: fn(&mut Parts<'_>, usize, &mut Noise),
    get: fn(&Parts<'_>) -> usize,
) -> Axis {
    Axis { name, levels, weights, set, get }
}

/// An axis that is wished for: it is granted when the operands get their places.
pub(super) const fn wish(
    name: &'static str,
    levels: &'static [&'static str],
    weights: &'static [u16],
    get: fn(&Parts<'_>) -> usize,
) -> Axis {
    axis(name, levels, weights, |_, _, _| {}, get)
}
