//! How rows and columns of `SrcB` change places at AVX2 and AVX-512: by squares.

use std::arch::x86_64::*;
use std::cell::Cell;

use super::avx2::vector::Eight;
use super::avx512::vector::Sixteen;
use crate::level::{Avx2, Avx512};
use crate::tensix::source::{Quads, Transpose, transpose_by_squares};

/// Squares of four by four, transposed by unpacking words and pairs of them.
macro_rules! squares {
    ($vector:ident: $low:ident, $high:ident, $low_pairs:ident, $high_pairs:ident) => {
        #[inline(always)]
        fn transpose_quads([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            // SAFETY: the vectors hold the proof that the CPU has the level.
            let [row0, row1, row2, row3] = unsafe {
                let (ab, cd) = ($low(a.0, b.0), $low(c.0, d.0));
                let (upper_ab, upper_cd) = ($high(a.0, b.0), $high(c.0, d.0));
                let (row0, row1) = ($low_pairs(ab, cd), $high_pairs(ab, cd));
                [row0, row1, $low_pairs(upper_ab, upper_cd), $high_pairs(upper_ab, upper_cd)]
            };
            // Not by a map over the array, which is a call where so much is inlined.
            [$vector(row0, a.1), $vector(row1, a.1), $vector(row2, a.1), $vector(row3, a.1)]
        }
    };
}

impl Quads for Eight {
    squares! { Eight: _mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64 }

    #[inline(always)]
    fn load_quads(level: Avx2, from: &[Cell<u32>], word: usize) -> Self {
        let [first, second] = [word, word + 64].map(|word| from[word..][..4].as_ptr().cast::<__m128i>());
        // SAFETY: the level proves that the CPU has AVX2. There are twice 16 readable bytes; no alignment is asked for.
        Eight(unsafe { _mm256_loadu2_m128i(second, first) }, level)
    }
}

impl Quads for Sixteen {
    squares! { Sixteen: _mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64 }

    #[inline(always)]
    fn load_quads(level: Avx512, from: &[Cell<u32>], word: usize) -> Self {
        let quad = |number: usize| from[word + 64 * number..][..4].as_ptr().cast::<__m128i>();
        let (first, second, third, fourth) = (quad(0), quad(1), quad(2), quad(3));
        // SAFETY: as above, with AVX-512 F and four times 16 bytes.
        let quads = unsafe {
            let low = _mm256_loadu2_m128i(second, first);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), _mm256_loadu2_m128i(fourth, third))
        };
        Sixteen(quads, level)
    }
}

impl Transpose for Eight {
    #[inline(always)]
    fn transpose(level: Avx2, from: &[Cell<u32>], to: &[Cell<u32>]) {
        transpose_by_squares::<Self>(level, from, to);
    }
}

impl Transpose for Sixteen {
    #[inline(always)]
    fn transpose(level: Avx512, from: &[Cell<u32>], to: &[Cell<u32>]) {
        transpose_by_squares::<Self>(level, from, to);
    }
}
