//! Unsigned integers of any width up to 32 bits, which wrap: the `uintN_t` of the pages' pseudo-code.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Shr, Sub};

/// An unsigned integer of `N` bits (`1..=32`); whatever does not fit is dropped from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct U<const N: u32>(u32);

impl<const N: u32> U<N> {
    /// All `N` bits set.
    const MASK: u32 = u32::MAX >> (32 - N);

    /// The low `N` bits of `value`.
    #[must_use]
    pub const fn new(value: u32) -> Self {
        U(value & Self::MASK)
    }

    /// The value, below 2^`N`.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The value, to index rows, banks or sections with.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.0).expect("a host that runs this crate has indices of 32 bits or more")
    }

    /// Whether bit `index` is set.
    #[must_use]
    pub const fn bit(self, index: u32) -> bool {
        self.0 >> index & 1 != 0
    }
}

impl<const N: u32> Add for U<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.0.wrapping_add(other.0))
    }
}

impl<const N: u32> AddAssign for U<N> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: u32> Sub for U<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.0.wrapping_sub(other.0))
    }
}

impl<const N: u32> BitAnd<u32> for U<N> {
    type Output = Self;

    fn bitand(self, mask: u32) -> Self {
        Self::new(self.0 & mask)
    }
}

impl<const N: u32> BitOr for U<N> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::new(self.0 | other.0)
    }
}

impl<const N: u32> Shr<u32> for U<N> {
    type Output = Self;

    fn shr(self, distance: u32) -> Self {
        Self::new(self.0 >> distance)
    }
}

#[cfg(test)]
mod tests {
    use super::U;

    #[test]
    fn construction_drops_what_does_not_fit() {
        assert_eq!(U::<10>::new(0x1234).get(), 0x234);
        assert_eq!(U::<1>::new(2).get(), 0);
        assert_eq!(U::<32>::new(u32::MAX).get(), u32::MAX);
    }

    #[test]
    fn sums_of_six_bits_wrap_at_sixty_four() {
        for left in 0..64 {
            for right in 0..64 {
                assert_eq!((U::<6>::new(left) + U::new(right)).get(), (left + right) % 64);
            }
        }
    }

    #[test]
    fn differences_of_six_bits_wrap_below_zero() {
        for left in 0..64 {
            for right in 0..64 {
                assert_eq!((U::<6>::new(left) - U::new(right)).get(), (64 + left - right) % 64);
            }
        }
    }

    #[test]
    fn bits_are_numbered_from_the_least_significant() {
        let value = U::<19>::new(1 << 18 | 1 << 3);
        let set: Vec<u32> = (0..19).filter(|&index| value.bit(index)).collect();
        assert_eq!(set, [3, 18]);
    }
}
