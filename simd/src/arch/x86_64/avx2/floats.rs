//! Vectors of floats at AVX2 and F16C, and of elements that lie in bytes.

use std::arch::x86_64::*;

use super::vector::Eight;
use crate::level::Avx2;
use crate::visa::floats::Floats;

impl Floats for Eight {
    #[inline(always)]
    fn load_bytes(level: Avx2, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 32];
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX2 and F16C. There are 32
        // readable bytes; no alignment is asked for.
        Eight(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }, level)
    }

    #[inline(always)]
    fn load_halves(level: Avx2, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 16];
        // SAFETY: as above. There are 16 readable bytes; no alignment is asked for.
        Eight(unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(from.as_ptr().cast())) }, level)
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [u8]) {
        let to = &mut to[..32];
        // SAFETY: as above. There are 32 writable bytes; no alignment is asked for.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [u8]) {
        let to = &mut to[..16];
        // SAFETY: as above. There are 16 writable bytes; no alignment is asked for.
        unsafe {
            let ordered = _mm256_permute4x64_epi64::<0xd8>(_mm256_packus_epi32(self.0, self.0));
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(ordered));
        }
    }

    floats! {
        Eight by _mm256_castsi256_ps and _mm256_castps_si256:
        product(other) is _mm256_mul_ps;
        sum(other) is _mm256_add_ps;
        fused(other, addend) is _mm256_fmadd_ps;
    }

    #[inline(always)]
    fn singles(self) -> [Self; 2] {
        // SAFETY: as above.
        let [low, high] = unsafe {
            let low = _mm256_and_si256(self.0, _mm256_set1_epi32(0xffff));
            // Words of the quarters go side by side, low ones of all and then high ones.
            let packed = _mm256_packus_epi32(low, _mm256_srli_epi32::<16>(self.0));
            let ordered = _mm256_permute4x64_epi64::<0xd8>(packed);
            let singles = |halves| _mm256_castps_si256(_mm256_cvtph_ps(halves));
            [singles(_mm256_castsi256_si128(ordered)), singles(_mm256_extracti128_si256::<1>(ordered))]
        };
        [Eight(low, self.1), Eight(high, self.1)]
    }

    #[inline(always)]
    fn halves(self) -> Self {
        // SAFETY: as above.
        let halves = unsafe {
            let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_castsi256_ps(self.0));
            _mm256_cvtepu16_epi32(halves)
        };
        Eight(halves, self.1)
    }
}
