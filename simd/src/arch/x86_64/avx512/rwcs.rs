//! `ApplyAddrMod` for AVX-512: all counters of a thread are one vector of eight lanes.
//!
//! The lanes are `Dst`, `Dst_Cr`, `SrcA`, `SrcA_Cr`, `SrcB`, `SrcB_Cr`, `FidelityPhase`, `ExtraAddrModBit`. Each lane
//! sees the section's bits, shifts its own increment down, tests its own flags into masks, and computes the sum of its
//! pair. Even lanes take the sum; odd lanes take it if a flag says so; cleared lanes become zero.
//!
//! What differs from the portable level, and why it is equal:
//! 1. Both lanes of a pair compute the same sum, so that the carriage return needs no exchange.
//! 2. The words `AB` and `DST` are one 32-bit number, which every lane but the last has; where a lane has no such flag,
//!    it tests no bit.
//! 3. The last lane has a word of its own: bit 0 is whether a low bit of `BiasIncr` is set, bit 4 is `BiasClear`. Its
//!    counter is the odd one of its pair, so it has a flag (bit 8) that is always set and selects as `CR` does.

use std::arch::x86_64::*;

use tandem_isa::tensix::Rwc;

use crate::Avx512;
use crate::tensix::rwcs::{AddrMod, Section};

impl AddrMod for Avx512 {
    #[inline(always)]
    fn advance(self, rwc: &mut Rwc, section: Section) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
        unsafe { advance(rwc, section) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn advance(rwc: &mut Rwc, section: Section) {
    let at = std::ptr::from_mut(rwc).cast::<__m256i>();
    // SAFETY: the struct is 32 readable bytes (asserted in `tensix/rwcs.rs`); no alignment is asked for.
    let old = unsafe { _mm256_loadu_si256(at) };

    let bias = u64::from((section.bias | section.bias >> 1) & 1 | section.bias & 0x10 | 0x100);
    let words = u64::from(section.ab) | u64::from(section.dst) << 16 | bias << 32;
    let words = _mm256_permutevar8x32_epi32(
        _mm256_castsi128_si256(_mm_cvtsi64_si128(words as i64)),
        _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1),
    );
    let widths = _mm256_setr_epi32(0x3ff, 0x3ff, 0x3f, 0x3f, 0x3f, 0x3f, 3, 1);
    let incr = _mm256_and_si256(_mm256_srlv_epi32(words, _mm256_setr_epi32(16, 16, 0, 0, 8, 8, 29, 0)), widths);
    let bits = |dst: i32, srca: i32, srcb: i32, fidelity: i32, extra: i32| {
        _mm256_setr_epi32(dst, dst, srca, srca, srcb, srcb, fidelity, extra)
    };
    let cr = _mm256_test_epi32_mask(words, bits(1 << 26, 1 << 6, 1 << 14, 0, 1 << 8));
    let to_cr = _mm256_test_epi32_mask(words, bits(1 << 28, 0, 0, 0, 0));
    let keep = _mm256_testn_epi32_mask(words, bits(1 << 27, 1 << 7, 1 << 15, i32::MIN, 1 << 4));

    let counter = _mm256_shuffle_epi32::<0b10_10_00_00>(old);
    let carriage_return = _mm256_shuffle_epi32::<0b11_11_01_01>(old);
    let left = _mm256_mask_blend_epi32(cr & !to_cr, counter, carriage_return);
    let sum = _mm256_and_si256(_mm256_add_epi32(left, incr), widths);

    let even = 0b0101_0101;
    let new = _mm256_maskz_mov_epi32(keep, _mm256_mask_blend_epi32(cr | to_cr | even, old, sum));
    // SAFETY: the struct is 32 writable bytes; any bits are a value of it.
    unsafe { _mm256_storeu_si256(at, new) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn counters_advance_as_a_chain_of_ifs_does() {
        match crate::Avx512::detect() {
            Some(level) => crate::tensix::mova2d_kit::check_addr_mod(level),
            None => crate::tensix::mova2d_kit::not_run("avx512"),
        }
    }
}
