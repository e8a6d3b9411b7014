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

use crate::arch::portable::vector::{Portable, Words};
use crate::arch::x86_64::settings::with_default_settings;
use crate::level::Avx512;
use crate::vector::{Row, Task, Vector, row_of};

/// Sixteen lanes, with the proof that they can be computed with.
#[derive(Clone, Copy)]
pub(crate) struct Sixteen(pub(in crate::arch::x86_64) __m512i, pub(in crate::arch::x86_64) Avx512);

/// A whole instruction. It is not `#[inline(never)]`, which would have it called by way of a table.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn run_whole<T: Task<Sixteen>>(level: Avx512, task: T, on: &mut T::On) -> T::Output {
    task.run::<false>(level, on)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi1,bmi2")]
fn run_with_vnni<T: Task<Sixteen>>(level: Avx512, task: T, on: &mut T::On) -> T::Output {
    task.run::<true>(level, on)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn run_without_vnni<T: Task<Sixteen>>(level: Avx512, task: T, on: &mut T::On) -> T::Output {
    task.run::<false>(level, on)
}

operators! {
    Sixteen:
    BitAnd::bitand is _mm512_and_si512;
    BitOr::bitor is _mm512_or_si512;
    BitXor::bitxor is _mm512_xor_si512;
    Add::add is _mm512_add_epi32;
    Sub::sub is _mm512_sub_epi32;
}

impl Vector for Sixteen {
    type Level = Avx512;
    type Portable = Words;
    const PORTABLE: Portable = Portable;
    type Mask = __mmask16;
    type Eight = (__m256i, Avx512);

    memory! {
        Sixteen of 16, Avx512:
        splat is _mm512_set1_epi32;
        load is _mm512_loadu_si512;
        store is _mm512_storeu_si512;
    }

    methods! {
        Sixteen:
        shift_left(by) is _mm512_sllv_epi32;
        shift_right(by) is _mm512_srlv_epi32;
        shift_right_arithmetic(by) is _mm512_srav_epi32;
        min(other) is _mm512_min_epi32;
        max(other) is _mm512_max_epi32;
        multiply_pairs(other) is _mm512_madd_epi16;
    }

    shifts! {
        Sixteen:
        shift_left_all is _mm512_sll_epi32;
        shift_right_all is _mm512_srl_epi32;
    }

    #[inline(always)]
    fn run<T: Task<Self>>(level: Avx512, task: T, on: &mut T::On) -> T::Output {
        // SAFETY: `level` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; VNNI is asked for.
        unsafe {
            if T::IS_FLOAT {
                with_default_settings(|| run_without_vnni(level, task, on))
            } else if T::USES_DOT {
                if level.has_vnni() { run_with_vnni(level, task, on) } else { run_without_vnni(level, task, on) }
            } else {
                run_whole(level, task, on)
            }
        }
    }

    #[inline(always)]
    fn store(self, to: &[Cell<u32>], chunk: usize, which: __mmask16) {
        Self::select(which, self, Self::load(self.1, to, chunk)).store_all(to, chunk);
    }

    #[inline(always)]
    fn multiply_wide(self, other: Self) -> [Self; 2] {
        const ODD: __mmask16 = 0xaaaa;
        // SAFETY: as above.
        let [low, high] = unsafe {
            let even = _mm512_mul_epu32(self.0, other.0);
            let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(self.0), _mm512_srli_epi64::<32>(other.0));
            let low = _mm512_mask_blend_epi32(ODD, even, _mm512_slli_epi64::<32>(odd));
            [low, _mm512_mask_blend_epi32(ODD, _mm512_srli_epi64::<32>(even), odd)]
        };
        [Sixteen(low, self.1), Sixteen(high, self.1)]
    }

    #[inline(always)]
    fn look_up<const N: usize>(self, table: &[u32; N]) -> Self {
        const { assert!(N.is_power_of_two() && N <= 1 << 16) };
        let places = self & self.like(N as u32 - 1);
        // SAFETY: as above. Each place is below `N`, hence that of a readable word.
        Sixteen(unsafe { _mm512_i32gather_epi32::<4>(places.0, table.as_ptr().cast()) }, self.1)
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
