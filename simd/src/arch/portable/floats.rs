//! Vectors of floats without intrinsics, and of elements that lie in bytes.

use super::vector::{Portable, Words};
use crate::visa::floats::Floats;

impl Floats for Words {
    #[inline(always)]
    fn load_bytes(_: Portable, from: &[u8], byte: usize) -> Self {
        let from: &[u8; 16] = from[byte..].first_chunk().expect("sixteen bytes");
        let (words, _) = from.as_chunks::<4>();
        Words(std::array::from_fn(|lane| u32::from_le_bytes(words[lane])))
    }

    #[inline(always)]
    fn load_halves(_: Portable, from: &[u8], byte: usize) -> Self {
        let from: &[u8; 8] = from[byte..].first_chunk().expect("eight bytes");
        let (words, _) = from.as_chunks::<2>();
        Words(std::array::from_fn(|lane| u16::from_le_bytes(words[lane]).into()))
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [u8]) {
        for (to, word) in to.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *to = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [u8]) {
        for (to, word) in to.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *to = (word as u16).to_le_bytes();
        }
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        self.zip(other, |a, b| (f32::from_bits(a) * f32::from_bits(b)).to_bits())
    }

    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        self.zip(other, |a, b| (f32::from_bits(a) + f32::from_bits(b)).to_bits())
    }

    #[inline(always)]
    fn fused(self, other: Self, addend: Self) -> Self {
        let [a, b, c] = [self, other, addend].map(|words| words.0.map(f32::from_bits));
        Words(std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]).to_bits()))
    }
}
