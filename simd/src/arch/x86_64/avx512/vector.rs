//! Vectors for AVX-512 F, BW, DQ and VL: sixteen lanes.
//!
//! A mask is a mask. Leading zeros are read from the exponent of a conversion to FP32, since AVX-512 CD, which could count
//! them, is no part of the level.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The conversion takes numbers without sign and rounds towards zero, whatever the settings are, so the exponent is
//!    the highest bit's. Zero has the exponent zero, hence 158, and the minimum is 32.
//! 2. A store under a mask is a blend with the old words, which are then written back unchanged.

use std::arch::x86_64::*;
use std::cell::Cell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use tandem_isa::tensix::{Chip, Rwc};
use tandem_isa::{Answer, State, Step};

use super::integers;
use crate::Avx512;
use crate::arch::x86_64::avx2::rwcs;
use crate::tensix::integers::Operand;
use crate::tensix::lanewise::{self, Instruction};
use crate::tensix::rwcs::Section;
use crate::tensix::source::{self, Quads};
use crate::vector::{Row, Vector, row_of};

/// Sixteen lanes, with the proof that they can be computed with.
#[derive(Clone, Copy)]
pub(crate) struct Sixteen(pub(super) __m512i, pub(super) Avx512);

/// Executes one instruction at this level.
pub(crate) fn execute<I: Instruction>(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level::<I>(proof, chip, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level<I: Instruction>(proof: Avx512, chip: Chip, step: &Step<'_>, state: &mut State) -> Answer {
    lanewise::execute::<Sixteen, I>(proof, chip, step, state)
}

macro_rules! operators {
    ($($trait:ident :: $method:ident is $intrinsic:ident;)*) => {$(
        impl $trait for Sixteen {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the vector holds the proof that the CPU has AVX-512 F.
                Sixteen(unsafe { $intrinsic(self.0, other.0) }, self.1)
            }
        }
    )*};
}

operators! {
    BitAnd::bitand is _mm512_and_si512;
    BitOr::bitor is _mm512_or_si512;
    BitXor::bitxor is _mm512_xor_si512;
    Add::add is _mm512_add_epi32;
    Sub::sub is _mm512_sub_epi32;
}

impl Not for Sixteen {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ self.like(!0)
    }
}

impl Vector for Sixteen {
    type Level = Avx512;
    type Mask = __mmask16;
    type Eight = (__m256i, Avx512);
    const LANES: usize = 16;

    #[inline(always)]
    fn level(self) -> Avx512 {
        self.1
    }

    #[inline(always)]
    fn splat(level: Avx512, value: u32) -> Self {
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX-512 F and DQ.
        Sixteen(unsafe { _mm512_set1_epi32(value.cast_signed()) }, level)
    }

    #[inline(always)]
    fn load(level: Avx512, from: &[Cell<u32>], chunk: usize) -> Self {
        let from = &from[16 * chunk..][..16];
        // SAFETY: as above. The words are 64 readable bytes; no alignment is asked for.
        Sixteen(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }, level)
    }

    #[inline(always)]
    fn store(self, to: &[Cell<u32>], chunk: usize, which: __mmask16) {
        Self::select(which, self, Self::load(self.1, to, chunk)).store_all(to, chunk);
    }

    #[inline(always)]
    fn store_all(self, to: &[Cell<u32>], chunk: usize) {
        let to = &to[16 * chunk..][..16];
        // SAFETY: as above. The words are 64 bytes that may be written through their cells; no alignment is asked for.
        unsafe { _mm512_storeu_si512(to.as_ptr().cast::<__m512i>().cast_mut(), self.0) }
    }

    #[inline(always)]
    fn shift_left(self, by: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_sllv_epi32(self.0, by.0) }, self.1)
    }

    #[inline(always)]
    fn shift_right(self, by: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_srlv_epi32(self.0, by.0) }, self.1)
    }

    #[inline(always)]
    fn shift_right_arithmetic(self, by: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_srav_epi32(self.0, by.0) }, self.1)
    }

    #[inline(always)]
    fn shift_left_all(self, by: u32) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_sll_epi32(self.0, _mm_cvtsi32_si128(by.cast_signed())) }, self.1)
    }

    #[inline(always)]
    fn shift_right_all(self, by: u32) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_srl_epi32(self.0, _mm_cvtsi32_si128(by.cast_signed())) }, self.1)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_min_epi32(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_max_epi32(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn multiply_pairs(self, other: Self) -> Self {
        // SAFETY: as above, with BW.
        Sixteen(unsafe { _mm512_madd_epi16(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        const TRUNCATE: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        // SAFETY: as above.
        let count = unsafe {
            let converted = _mm512_castps_si512(_mm512_cvt_roundepu32_ps::<TRUNCATE>(self.0));
            let count = _mm512_sub_epi32(_mm512_set1_epi32(158), _mm512_srli_epi32::<23>(converted));
            _mm512_min_epu32(count, _mm512_set1_epi32(32))
        };
        Sixteen(count, self.1)
    }

    #[inline(always)]
    fn is_negative(self) -> __mmask16 {
        // SAFETY: as above.
        unsafe { _mm512_movepi32_mask(self.0) }
    }

    #[inline(always)]
    fn is_zero(self) -> __mmask16 {
        // SAFETY: as above.
        unsafe { _mm512_testn_epi32_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> __mmask16 {
        // SAFETY: as above.
        unsafe { _mm512_cmpgt_epu32_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn select(which: __mmask16, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        Sixteen(unsafe { _mm512_mask_blend_epi32(which, no.0, yes.0) }, yes.1)
    }

    #[inline(always)]
    fn mask(_: Avx512, bits: u32) -> __mmask16 {
        bits as __mmask16
    }

    #[inline(always)]
    fn bits(mask: __mmask16) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn eight(level: Avx512, words: &[u32; 8]) -> (__m256i, Avx512) {
        // SAFETY: as above. The words are 32 readable bytes; no alignment is asked for.
        (unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }, level)
    }

    #[inline(always)]
    fn having((eight, _): (__m256i, Avx512), bit: u32) -> u32 {
        // SAFETY: the pair holds the proof that the CPU has AVX-512 F and VL.
        u32::from(unsafe { _mm256_test_epi32_mask(eight, _mm256_set1_epi32(1 << bit)) })
    }

    #[inline(always)]
    fn pairs_of_bits(level: Avx512, words: &[u32; 8], bit: u32) -> u32 {
        let (eight, _) = Self::eight(level, words);
        // SAFETY: as above.
        u32::from(unsafe {
            let order = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            let twice = _mm512_permutexvar_epi32(order, _mm512_castsi256_si512(eight));
            _mm512_test_epi32_mask(twice, _mm512_set1_epi64(1 << bit | 2 << (bit + 32)))
        })
    }

    #[inline(always)]
    fn transpose(level: Avx512, from: &[Cell<u32>], to: &[Cell<u32>]) {
        source::transpose_by_squares::<Self>(level, from, to);
    }

    #[inline(always)]
    fn advance(_: Avx512, rwc: &mut Rwc, section: Section) {
        // SAFETY: the level proves that the CPU has AVX2, BMI1 and BMI2.
        unsafe { rwcs::advance(rwc, section) }
    }

    #[inline(always)]
    fn read_pairs(operands: [Operand; 2], low: Self, high: Self) -> Self {
        // SAFETY: as above, with BW.
        Sixteen(unsafe { integers::read_pairs(operands, low.0, high.0) }, low.1)
    }

    #[inline(always)]
    fn read_two_rows(level: Avx512, operand: Operand, [first, second]: [&[Cell<u32>]; 2], to: &[Cell<u32>]) {
        let (first, second) = (Self::load(level, first, 0), Self::load(level, second, 0));
        // SAFETY: as above.
        unsafe { integers::read_two_rows(operand, first.0, second.0, to) }
    }

    #[inline(always)]
    fn add_two_rows(
        _: Avx512,
        [[first, ..], [second, ..]]: [Row<Self>; 2],
        adds: [bool; 2],
        high: &[Cell<u32>],
        low: &[Cell<u32>],
    ) {
        // SAFETY: as above.
        unsafe { integers::add_two_rows([first.0, second.0], adds, high, low) }
    }

    #[inline(always)]
    fn store_row(_: Avx512, [row, ..]: Row<Self>, open: u32, to: &[Cell<u32>]) {
        let at = to[..8].as_ptr().cast::<i16>().cast_mut();
        // SAFETY: as above. The words are 32 bytes that may be written through their cells; no alignment is asked for.
        unsafe { _mm256_mask_storeu_epi16(at, open as __mmask16, _mm512_cvtepi32_epi16(row.0)) }
    }

    #[inline(always)]
    fn store_two_rows(_: Avx512, [[first, ..], [second, ..]]: [Row<Self>; 2], open: u32, to: &[Cell<u32>]) {
        let at = to[..16].as_ptr().cast::<i16>().cast_mut();
        // SAFETY: as above, with 64 bytes.
        unsafe {
            // Packing works within quarters, of which one half is of the first row.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let packed = _mm512_permutexvar_epi64(order, _mm512_packus_epi32(first.0, second.0));
            _mm512_mask_storeu_epi16(at, open, packed);
        }
    }

    #[inline(always)]
    fn load_row(level: Avx512, from: &[Cell<u32>]) -> Row<Self> {
        let from = &from[..8];
        // SAFETY: as above. The words are 32 readable bytes; no alignment is asked for.
        let lanes = unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast())) };
        row_of(Sixteen(lanes, level))
    }
}

impl Quads for Sixteen {
    #[inline(always)]
    fn load_quads(level: Avx512, from: &[Cell<u32>], word: usize) -> Self {
        let quad = |number: usize| from[word + 64 * number..][..4].as_ptr().cast::<__m128i>();
        let (first, second, third, fourth) = (quad(0), quad(1), quad(2), quad(3));
        // SAFETY: as above, four times 16 bytes.
        let quads = unsafe {
            let low = _mm256_loadu2_m128i(second, first);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), _mm256_loadu2_m128i(fourth, third))
        };
        Sixteen(quads, level)
    }

    #[inline(always)]
    fn transpose_quads([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: as above.
        let [row0, row1, row2, row3] = unsafe {
            let (ab, cd) = (_mm512_unpacklo_epi32(a.0, b.0), _mm512_unpacklo_epi32(c.0, d.0));
            let (upper_ab, upper_cd) = (_mm512_unpackhi_epi32(a.0, b.0), _mm512_unpackhi_epi32(c.0, d.0));
            let (row0, row1) = (_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
            let (row2, row3) = (_mm512_unpacklo_epi64(upper_ab, upper_cd), _mm512_unpackhi_epi64(upper_ab, upper_cd));
            [row0, row1, row2, row3]
        };
        [Sixteen(row0, a.1), Sixteen(row1, a.1), Sixteen(row2, a.1), Sixteen(row3, a.1)]
    }
}
