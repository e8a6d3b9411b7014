//! The counter generator: every random choice is a function of a key and a counter, so any case replays alone.

use std::convert::Infallible;

use rand::rand_core::TryRng;

/// A bijection of 64 bits in which each input bit changes about half of the output bits (the finalizer of SplitMix64).
#[must_use]
#[inline]
pub const fn mix64(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A stream of random bits that is a pure function of its key. It implements `rand`'s traits.
#[derive(Clone, Debug)]
pub struct Noise {
    key: u64,
    counter: u64,
    pool: u64,
    left: u32,
}

impl Noise {
    /// The stream of `key`.
    #[must_use]
    pub const fn new(key: u64) -> Self {
        Noise { key, counter: 0, pool: 0, left: 0 }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix64(self.key ^ self.counter)
    }

    /// The next 16 bits; four draws cost one mix.
    #[inline]
    pub const fn half(&mut self) -> u32 {
        if self.left == 0 {
            self.pool = self.word();
            self.left = 4;
        }
        let value = (self.pool & 0xffff) as u32;
        self.pool >>= 16;
        self.left -= 1;
        value
    }

    /// A value in `0..bound`, for bounds up to 4,096 (its bias is below one part in sixteen there, and harmless).
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.half() as usize * bound) >> 16
    }

    /// A value of `width` (at most 32) random bits.
    #[inline]
    pub const fn bits(&mut self, width: u32) -> u32 {
        if width <= 16 { self.half() & ((1 << width) - 1) } else { (self.word() >> (64 - width)) as u32 }
    }
}

impl TryRng for Noise {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.word() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
