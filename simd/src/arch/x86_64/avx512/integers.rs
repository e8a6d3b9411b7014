//! What the instructions of `tensix/matrix.rs` have of their own at AVX-512 F, BW, DQ and VL, in place of steps of
//! `tensix/integers.rs`: data as 32 halves of lanes.
//!
//! Data are brought together so that one vector has the low words of two rows, with exponents and eight bits of magnitude,
//! and another one the high words, with the rest. Then 32 data are read at once. So are the halves of `Dst`: those of two
//! rows are decoded together, and brought together in 32-bit lanes for the sum alone. That takes a sixth off all of `ELWADD`
//! and of `MVMUL`.
//!
//! What differs from the portable level, and why it is equal:
//! 1. The exponent of a datum is tested where it is, and what does not pass is masked to zero on its way to its place.
//! 2. Words change places by a permutation of two vectors, in the order that lanes have elsewhere.
//! 3. A negative number is the lowest one minus its bits, which have the sign: so it has none, and its magnitude is negated.
//! 4. Where a sum overflows, the old bits with all of the magnitude set are the largest number of that sign. The magnitude of
//!    -2^31, which is no overflow of 32 bits, is 2^31 as a number without sign, of which the minimum is taken.

use std::arch::x86_64::*;
use std::cell::Cell;

use super::vector::Sixteen;
use crate::level::Avx512;
use crate::tensix::integers::{Integers, Operand};
use crate::vector::{Row, Vector};

impl Integers for Sixteen {
    #[inline(always)]
    fn read_pairs(operands: [Operand; 2], low: Self, high: Self) -> Self {
        // SAFETY: the vectors, or in the methods below the level, prove that the CPU has AVX-512 F and BW.
        Sixteen(unsafe { read_pairs(operands, low.0, high.0) }, low.1)
    }

    #[inline(always)]
    fn read_two_rows(level: Avx512, operand: Operand, [first, second]: [&[Cell<u32>]; 2], to: &[Cell<u32>]) {
        let (first, second) = (Self::load(level, first, 0), Self::load(level, second, 0));
        // SAFETY: as above.
        unsafe { read_two_rows(operand, first.0, second.0, to) }
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
        unsafe { add_two_rows([first.0, second.0], adds, high, low) }
    }
}

/// The words at the places `first`, `first + step`, … of the first and the second of two vectors, in turn or one after the other.
const fn words(first: i16, second: i16, step: i16, in_turn: bool) -> [i16; 32] {
    let mut words = [0; 32];
    let mut place = 0;
    while place < 16 {
        let (at, other) = if in_turn { (2 * place, 2 * place + 1) } else { (place, place + 16) };
        words[at] = first + step * place as i16;
        words[other] = 32 + second + step * place as i16;
        place += 1;
    }
    words
}

const LOW_WORDS: [i16; 32] = words(0, 0, 2, false);
const HIGH_WORDS: [i16; 32] = words(1, 1, 2, false);
const FIRST_ROW: [i16; 32] = words(0, 0, 1, true);
const SECOND_ROW: [i16; 32] = words(16, 16, 1, true);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn permuted(first: __m512i, words: &[i16; 32], second: __m512i) -> __m512i {
    // SAFETY: the numbers are 64 readable bytes; no alignment is asked for.
    let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    _mm512_permutex2var_epi16(first, words, second)
}

/// `which ? yes : no`, bit by bit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn chosen(which: i16, yes: __m512i, no: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi16(which), yes, no)
}

/// The low half of each lane of `low`, and that of `high` above it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn read_pairs(operands: [Operand; 2], low: __m512i, high: __m512i) -> __m512i {
    const HIGH_HALVES: __mmask32 = 0xaaaa_aaaa;
    let low_words = _mm512_mask_blend_epi16(HIGH_HALVES, low, _mm512_slli_epi32::<16>(high));
    let high_words = _mm512_mask_blend_epi16(HIGH_HALVES, _mm512_srli_epi32::<16>(low), high);
    read(operands, low_words, high_words)
}

/// Reads data of one operand in even places, and of another one in odd places.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn read([even, odd]: [Operand; 2], low_words: __m512i, high_words: __m512i) -> __m512i {
    let both = |even: u32, odd: u32| (even | odd << 16).cast_signed();
    let exponent = _mm512_set1_epi32(both(even.kept & 0xff, odd.kept & 0xff));
    let magnitude = _mm512_set1_epi32(both(even.kept >> 8 & 0x3ff, odd.kept >> 8 & 0x3ff));
    let counts = _mm512_test_epi16_mask(low_words, exponent);
    let counts = counts | (even.not_flushed & 0x5555_5555) | (odd.not_flushed & 0xaaaa_aaaa);
    let is_negative = _mm512_test_epi16_mask(high_words, _mm512_set1_epi16(1 << 2));
    // `(a | b) & c`.
    let number = _mm512_ternarylogic_epi32::<0xa8>(
        _mm512_srli_epi16::<8>(low_words),
        _mm512_slli_epi16::<8>(high_words),
        magnitude,
    );
    let number = _mm512_maskz_mov_epi16(counts, number);
    _mm512_mask_sub_epi16(number, is_negative, _mm512_setzero_si512(), number)
}

/// Reads two rows of data as an operand, to two rows of eight words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn read_two_rows(operand: Operand, first: __m512i, second: __m512i, to: &[Cell<u32>]) {
    let numbers = read([operand; 2], permuted(first, &LOW_WORDS, second), permuted(first, &HIGH_WORDS, second));
    // SAFETY: the words are 64 bytes that may be written through their cells; no alignment is asked for.
    unsafe { _mm512_storeu_si512(to[..16].as_ptr().cast::<__m512i>().cast_mut(), numbers) }
}

/// Adds numbers to two rows of `Dst`, or puts them there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn add_two_rows([first, second]: [__m512i; 2], adds: [bool; 2], high: &[Cell<u32>], low: &[Cell<u32>]) {
    let [to_high, to_low] = [high[..16].as_ptr().cast::<i16>().cast_mut(), low[..16].as_ptr().cast::<i16>().cast_mut()];
    let added = (u32::from(adds[0]) * 0xffff) | (u32::from(adds[1]) * 0xffff_0000);
    // SAFETY: the words are twice 64 readable bytes; no alignment is asked for.
    let [high, low] = unsafe { [_mm512_maskz_loadu_epi16(added, to_high), _mm512_maskz_loadu_epi16(added, to_low)] };
    let high = chosen(0x7f80, _mm512_slli_epi16::<7>(high), _mm512_srai_epi16::<8>(high));
    let first = sum(first, permuted(low, &FIRST_ROW, high));
    let second = sum(second, permuted(low, &SECOND_ROW, high));
    let (low, high) = (permuted(first, &LOW_WORDS, second), permuted(first, &HIGH_WORDS, second));
    let high = chosen(0x7f00, _mm512_slli_epi16::<8>(high), _mm512_srai_epi16::<7>(high));
    // SAFETY: as above, and they may be written through their cells.
    unsafe {
        _mm512_storeu_si512(to_high.cast(), high);
        _mm512_storeu_si512(to_low.cast(), low);
    }
}

/// `SaturateAddInt32` of numbers and of signs and magnitudes, as signs and magnitudes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn sum(number: __m512i, old: __m512i) -> __m512i {
    let (sign, largest) = (_mm512_set1_epi32(i32::MIN), _mm512_set1_epi32(i32::MAX));
    let added = _mm512_mask_sub_epi32(old, _mm512_movepi32_mask(old), sign, old);
    let sum = _mm512_add_epi32(number, added);
    // `a` is `b`, but not `c`; then `a | (b & c)`.
    let has_overflowed = _mm512_movepi32_mask(_mm512_ternarylogic_epi32::<0x42>(number, added, sum));
    let magnitude = _mm512_min_epu32(_mm512_abs_epi32(sum), largest);
    let sum = _mm512_ternarylogic_epi32::<0xf8>(magnitude, sum, sign);
    _mm512_mask_or_epi32(sum, has_overflowed, old, largest)
}
