//! Vectors for AVX2: eight lanes.
//!
//! A mask is a vector of which all bits of a lane are set or none: what comparisons give, and what blends take. Leading
//! zeros are read from the exponent of a conversion to FP32, since the level cannot count them.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The bit below each highest one is cleared before the conversion, and some below that. Then the number is below one
//!    and a half times its highest power of two, so that no rounding brings it to the next one: the exponent is the
//!    highest bit's.
//! 2. Conversion takes the highest bit for a sign. The quotient then has a bit above the exponent, the difference is
//!    negative, and the maximum with zero is the count. Zero has the exponent zero, hence 158, and the minimum is 32.
//! 3. Comparisons of numbers without sign: the greater one is the maximum, and they are not equal.
//! 4. A store under a mask is a blend with the old words, by bytes: of a blend by words the compiler makes a masked store,
//!    which some CPUs take many cycles for.
//! 5. Whatever looks at signs alone (blends, masks to bits, `is_negative`) may take a number for a mask.
//! 6. A table is read word by word. Gathering is no faster on these CPUs, and QEMU (as of 7.2) takes a vector of places in
//!    register 4 for none, as register 4 is no index of a plain address.

use std::arch::x86_64::*;
use std::cell::Cell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use crate::arch::portable::vector::{Portable, Words};
use crate::arch::x86_64::settings::with_default_settings;
use crate::level::Avx2;
use crate::vector::{Row, Task, Vector};

/// Eight lanes, with the proof that they can be computed with.
#[derive(Clone, Copy)]
pub(crate) struct Eight(pub(in crate::arch::x86_64) __m256i, pub(in crate::arch::x86_64) Avx2);

/// Signs, one for each of eight lanes. Only lanes, or the proof, make them.
#[derive(Clone, Copy)]
pub(crate) struct Signs(__m256i);

/// A whole instruction. It is not `#[inline(never)]`, which would have it called by way of a table.
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn run_whole<T: Task<Eight>>(level: Avx2, task: T, on: &mut T::On) -> T::Output {
    task.run::<false>(level, on)
}

#[inline(never)]
#[target_feature(enable = "avx2,f16c,fma,bmi1,bmi2")]
fn run_with_fma<T: Task<Eight>>(level: Avx2, task: T, on: &mut T::On) -> T::Output {
    task.run::<true>(level, on)
}

#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn run_without_fma<T: Task<Eight>>(level: Avx2, task: T, on: &mut T::On) -> T::Output {
    task.run::<false>(level, on)
}

operators! {
    Eight:
    BitAnd::bitand is _mm256_and_si256;
    BitOr::bitor is _mm256_or_si256;
    BitXor::bitxor is _mm256_xor_si256;
    Add::add is _mm256_add_epi32;
    Sub::sub is _mm256_sub_epi32;
}

impl Vector for Eight {
    type Level = Avx2;
    type Portable = Words;
    const PORTABLE: Portable = Portable;
    type Mask = Signs;
    type Eight = Self;

    memory! {
        Eight of 8, Avx2:
        splat is _mm256_set1_epi32;
        load is _mm256_loadu_si256;
        store is _mm256_storeu_si256;
    }

    methods! {
        Eight:
        shift_left(by) is _mm256_sllv_epi32;
        shift_right(by) is _mm256_srlv_epi32;
        shift_right_arithmetic(by) is _mm256_srav_epi32;
        min(other) is _mm256_min_epi32;
        max(other) is _mm256_max_epi32;
        multiply_pairs(other) is _mm256_madd_epi16;
    }

    shifts! {
        Eight:
        shift_left_all is _mm256_sll_epi32;
        shift_right_all is _mm256_srl_epi32;
    }

    #[inline(always)]
    fn run<T: Task<Self>>(level: Avx2, task: T, on: &mut T::On) -> T::Output {
        // SAFETY: `level` proves that the CPU has AVX2, F16C, BMI1 and BMI2; FMA is asked for.
        unsafe {
            if T::USES_FUSED {
                with_default_settings(|| {
                    if level.has_fma() { run_with_fma(level, task, on) } else { run_without_fma(level, task, on) }
                })
            } else if T::IS_FLOAT {
                with_default_settings(|| run_without_fma(level, task, on))
            } else if T::USES_DOT {
                run_without_fma(level, task, on)
            } else {
                run_whole(level, task, on)
            }
        }
    }

    #[inline(always)]
    fn store(self, to: &[Cell<u32>], chunk: usize, which: Signs) {
        let old = Self::load(self.1, to, chunk);
        let to = &to[8 * chunk..][..8];
        // SAFETY: as above. The words are 32 bytes that may be written through their cells; no alignment is asked for.
        unsafe {
            let words = _mm256_blendv_epi8(old.0, self.0, _mm256_srai_epi32::<31>(which.0));
            _mm256_storeu_si256(to.as_ptr().cast::<__m256i>().cast_mut(), words);
        }
    }

    #[inline(always)]
    fn multiply_wide(self, other: Self) -> [Self; 2] {
        // SAFETY: as above.
        let [low, high] = unsafe {
            let even = _mm256_mul_epu32(self.0, other.0);
            let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(self.0), _mm256_srli_epi64::<32>(other.0));
            let low = _mm256_blend_epi32::<0b1010_1010>(even, _mm256_slli_epi64::<32>(odd));
            [low, _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd)]
        };
        [Eight(low, self.1), Eight(high, self.1)]
    }

    #[inline(always)]
    fn look_up<const N: usize>(self, table: &[u32; N]) -> Self {
        const { assert!(N.is_power_of_two()) };
        let mut words = [0; 8];
        // SAFETY: as above. The words are 32 writable bytes; no alignment is asked for.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        for word in &mut words {
            *word = table[*word as usize % N];
        }
        Self::eight(self.1, &words)
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // SAFETY: as above.
        let count = unsafe {
            let number = _mm256_andnot_si256(_mm256_srli_epi32::<1>(self.0), self.0);
            let converted = _mm256_castps_si256(_mm256_cvtepi32_ps(number));
            let count = _mm256_sub_epi32(_mm256_set1_epi32(158), _mm256_srli_epi32::<23>(converted));
            _mm256_min_epi32(_mm256_max_epi32(count, _mm256_setzero_si256()), _mm256_set1_epi32(32))
        };
        Eight(count, self.1)
    }

    #[inline(always)]
    fn is_negative(self) -> Signs {
        Signs(self.0)
    }

    #[inline(always)]
    fn is_zero(self) -> Signs {
        // SAFETY: as above.
        Signs(unsafe { _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Signs {
        // SAFETY: as above.
        let not_above = unsafe { _mm256_cmpeq_epi32(_mm256_max_epu32(self.0, other.0), other.0) };
        Signs((!Eight(not_above, self.1)).0)
    }

    #[inline(always)]
    fn select(which: Signs, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        let lanes = unsafe {
            let [yes, no] = [_mm256_castsi256_ps(yes.0), _mm256_castsi256_ps(no.0)];
            _mm256_castps_si256(_mm256_blendv_ps(no, yes, _mm256_castsi256_ps(which.0)))
        };
        Eight(lanes, yes.1)
    }

    #[inline(always)]
    fn mask(_: Avx2, bits: u32) -> Signs {
        // SAFETY: as above.
        let signs = unsafe {
            let distances = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24);
            _mm256_sllv_epi32(_mm256_set1_epi32(bits.cast_signed()), distances)
        };
        Signs(signs)
    }

    #[inline(always)]
    fn bits(mask: Signs) -> u32 {
        // SAFETY: as above.
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(mask.0)).cast_unsigned() }
    }

    #[inline(always)]
    fn eight(level: Avx2, words: &[u32; 8]) -> Self {
        // SAFETY: as above. The words are 32 readable bytes; no alignment is asked for.
        Eight(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }, level)
    }

    #[inline(always)]
    fn having(eight: Self, bit: u32) -> u32 {
        Self::bits(eight.shift_left_all(31 - bit).is_negative())
    }

    #[inline(always)]
    fn pairs_of_bits(level: Avx2, words: &[u32; 8], bit: u32) -> u32 {
        let eight = Self::eight(level, words);
        let [even, odd] = [Self::having(eight, bit), Self::having(eight, bit + 1)];
        // SAFETY: the level proves that the CPU has BMI2.
        unsafe { _pdep_u32(even, 0x5555) | _pdep_u32(odd, 0xaaaa) }
    }

    #[inline(always)]
    fn store_row(_: Avx2, [left, right, ..]: Row<Self>, open: u32, to: &[Cell<u32>]) {
        // SAFETY: as above.
        unsafe { store_packed(_mm256_packus_epi32(left.0, right.0), halves(open), to) }
    }

    #[inline(always)]
    fn load_row(level: Avx2, from: &[Cell<u32>]) -> Row<Self> {
        // No closure: in a large function it stays one, and is not compiled for the level.
        let [left, right] = [from[..4].as_ptr().cast::<__m128i>(), from[4..8].as_ptr().cast()];
        // SAFETY: as above. The words are twice 16 readable bytes; no alignment is asked for.
        let [left, right] =
            unsafe { [_mm256_cvtepu16_epi32(_mm_loadu_si128(left)), _mm256_cvtepu16_epi32(_mm_loadu_si128(right))] };
        let [left, right] = [Eight(left, level), Eight(right, level)];
        [left, right, left, right]
    }
}

/// Stores 16 halves of words that packing has left in the order of quarters 0, 2, 1, 3, where `open` has ones.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn store_packed(packed: __m256i, open: __m256i, to: &[Cell<u32>]) {
    let at = to[..8].as_ptr().cast::<__m256i>().cast_mut();
    let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    // SAFETY: the words are 32 bytes that may be read, and written through their cells; no alignment is asked for.
    unsafe { _mm256_storeu_si256(at, _mm256_blendv_epi8(_mm256_loadu_si256(at), words, open)) }
}

/// All bits of the 16 halves of words whose bits are set.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn halves(bits: u32) -> __m256i {
    const BITS: [u16; 16] = {
        let mut bits = [0; 16];
        let mut bit = 0;
        while bit < 16 {
            bits[bit] = 1 << bit;
            bit += 1;
        }
        bits
    };
    // SAFETY: the bits are 32 readable bytes; no alignment is asked for.
    let each = unsafe { _mm256_loadu_si256(BITS.as_ptr().cast()) };
    _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(bits as i16), each), each)
}
