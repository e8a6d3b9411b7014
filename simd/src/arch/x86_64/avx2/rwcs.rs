//! `ApplyAddrMod` for AVX2 and above: all counters of a thread are one vector.
//!
//! The eight lanes are `Dst`, `Dst_Cr`, `SrcA`, `SrcA_Cr`, `SrcB`, `SrcB_Cr`, `FidelityPhase`, `ExtraAddrModBit`. Each
//! lane sees the section's bits, shifts its own increment down and its own flags up to the sign, and computes the sum
//! of its pair. Even lanes take the sum; odd lanes take it if a flag says so; cleared lanes become zero.
//!
//! It saves two to three nanoseconds of an instruction, at this level and at AVX-512.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Both lanes of a pair compute the same sum, so that the carriage return needs no exchange.
//! 2. The words `AB` and `DST` are one 32-bit number, which every lane but the last has; a shift by 32 gives zero where
//!    a lane has no such flag.
//! 3. The last lane has a word of its own: bit 0 is whether a low bit of `BiasIncr` is set, bit 4 is `BiasClear`. Its
//!    counter is the odd one of its pair, so it has a flag (bit 8) that is always set and selects as `CR` does.

use std::arch::x86_64::*;

use tandem_isa::tensix::Rwc;

use super::vector::Eight;
use crate::level::Avx2;
use crate::tensix::rwcs::{Counters, Section};

impl Counters for Eight {
    #[inline(always)]
    fn advance(_: Avx2, rwc: &mut Rwc, section: Section) {
        // SAFETY: the level proves that the CPU has AVX2, BMI1 and BMI2.
        unsafe { advance(rwc, section) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn advance(rwc: &mut Rwc, section: Section) {
    let at = std::ptr::from_mut(rwc).cast::<__m256i>();
    // SAFETY: the struct is 32 readable bytes (asserted in `tensix/rwcs.rs`); no alignment is asked for.
    let old = unsafe { _mm256_loadu_si256(at) };

    let bias = u32::from((section.bias | section.bias >> 1) & 1 | section.bias & 0x10 | 0x100);
    let words = u32::from(section.ab) | u32::from(section.dst) << 16;
    let words =
        _mm256_blend_epi32::<0x80>(_mm256_set1_epi32(words.cast_signed()), _mm256_set1_epi32(bias.cast_signed()));
    let widths = _mm256_setr_epi32(0x3ff, 0x3ff, 0x3f, 0x3f, 0x3f, 0x3f, 3, 1);
    let incr = _mm256_and_si256(_mm256_srlv_epi32(words, _mm256_setr_epi32(16, 16, 0, 0, 8, 8, 29, 0)), widths);
    let cr = _mm256_sllv_epi32(words, _mm256_setr_epi32(5, 5, 25, 25, 17, 17, 32, 23));
    let to_cr = _mm256_sllv_epi32(words, _mm256_setr_epi32(3, 3, 32, 32, 32, 32, 32, 32));
    let clear = _mm256_srai_epi32::<31>(_mm256_sllv_epi32(words, _mm256_setr_epi32(4, 4, 24, 24, 16, 16, 0, 27)));

    let counter = _mm256_shuffle_epi32::<0b10_10_00_00>(old);
    let carriage_return = _mm256_shuffle_epi32::<0b11_11_01_01>(old);
    let left = by_sign(_mm256_andnot_si256(to_cr, cr), carriage_return, counter);
    let sum = _mm256_and_si256(_mm256_add_epi32(left, incr), widths);

    let even = _mm256_setr_epi32(-1, 0, -1, 0, -1, 0, -1, 0);
    let takes_sum = _mm256_or_si256(_mm256_or_si256(cr, to_cr), even);
    let new = _mm256_andnot_si256(clear, by_sign(takes_sum, sum, old));
    // SAFETY: the struct is 32 writable bytes; any bits are a value of it.
    unsafe { _mm256_storeu_si256(at, new) }
}

/// In each 32-bit lane, `yes` if the sign of `which` is set, else `no`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn by_sign(which: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let which = _mm256_srai_epi32::<31>(which);
    _mm256_or_si256(_mm256_and_si256(which, yes), _mm256_andnot_si256(which, no))
}
