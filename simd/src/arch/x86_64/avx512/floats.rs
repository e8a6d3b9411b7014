//! Vectors of floats at AVX-512 F, BW, DQ and VL, and of elements that lie in bytes.

use std::arch::x86_64::*;

use super::vector::Sixteen;
use crate::level::Avx512;
use crate::visa::floats::Floats;

impl Floats for Sixteen {
    #[inline(always)]
    fn load_bytes(level: Avx512, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 64];
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX-512 F, BW, DQ and VL. There are 64
        // readable bytes; no alignment is asked for.
        Sixteen(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }, level)
    }

    #[inline(always)]
    fn load_halves(level: Avx512, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 32];
        // SAFETY: as above. There are 32 readable bytes; no alignment is asked for.
        Sixteen(unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast())) }, level)
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [u8]) {
        // SAFETY: as above. As many bytes as are stored are writable; no alignment is asked for.
        unsafe {
            if let Some(to) = to.first_chunk_mut::<64>() {
                _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0);
            } else if let Some(to) = to.first_chunk_mut::<32>() {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_castsi512_si256(self.0));
            }
        }
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [u8]) {
        // SAFETY: as above.
        unsafe {
            let words = _mm512_cvtepi32_epi16(self.0);
            if let Some(to) = to.first_chunk_mut::<32>() {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), words);
            } else if let Some(to) = to.first_chunk_mut::<16>() {
                _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(words));
            }
        }
    }

    floats! {
        Sixteen by _mm512_castsi512_ps and _mm512_castps_si512:
        product(other) is _mm512_mul_ps;
        sum(other) is _mm512_add_ps;
        fused(other, addend) is _mm512_fmadd_ps;
    }

    #[inline(always)]
    fn singles(self) -> [Self; 2] {
        // SAFETY: as above. The table is as long as what is loaded; no alignment is asked for.
        let [low, high] = unsafe {
            let apart = _mm512_loadu_si512(LOW_AND_HIGH.as_ptr().cast());
            let apart = _mm512_permutexvar_epi16(apart, self.0);
            let singles = |halves| _mm512_castps_si512(_mm512_cvtph_ps(halves));
            [singles(_mm512_castsi512_si256(apart)), singles(_mm512_extracti64x4_epi64::<1>(apart))]
        };
        [Sixteen(low, self.1), Sixteen(high, self.1)]
    }

    #[inline(always)]
    fn halves(self) -> Self {
        // SAFETY: as above.
        let halves = unsafe {
            let halves = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(self.0));
            _mm512_cvtepu16_epi32(halves)
        };
        Sixteen(halves, self.1)
    }
}

/// The places of the low words of sixteen double words, then those of the high ones.
static LOW_AND_HIGH: [u16; 32] = {
    let mut places = [0; 32];
    let mut place = 0;
    while place < 32 {
        places[place] = (place % 16 * 2 + place / 16) as u16;
        place += 1;
    }
    places
};
