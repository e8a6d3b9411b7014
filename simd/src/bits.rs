//! Choices by the bits of a word: all are set, or none.

/// All bits, or none.
#[inline(always)]
pub(crate) const fn all_if(condition: bool) -> u32 {
    (condition as u32).wrapping_neg()
}

/// All bits if any of `bits` is set in `word`, else none.
#[inline(always)]
pub(crate) const fn all_if_any(word: u32, bits: u32) -> u32 {
    all_if(word & bits != 0)
}

/// `yes` where `which` has ones, else `no`.
#[inline(always)]
pub(crate) const fn choose(which: u32, yes: u32, no: u32) -> u32 {
    no ^ ((yes ^ no) & which)
}
