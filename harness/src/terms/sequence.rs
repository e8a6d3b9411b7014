//! Sequences of numbers that have each value once before any comes again.

/// Number `pass` of a sequence that has each value of so many bits once before any comes again, and in which neighbours are
/// far apart.
#[inline]
pub(crate) fn number(pass: u64, bits: u32, key: u64) -> u64 {
    pass.wrapping_mul(step(bits)).wrapping_add(key)
}

/// The step of such a sequence: odd, and the golden section of the domain.
#[inline]
pub(crate) const fn step(bits: u32) -> u64 {
    0x9e37_79b9_7f4a_7c15 >> (64 - bits) | 1
}

/// A number below `count`, by the upper half of a mix.
#[inline]
pub(crate) fn below(count: u64, mix: u64) -> u64 {
    ((mix >> 32) * count) >> 32
}

/// So many low bits set.
#[inline]
pub(crate) const fn low(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
