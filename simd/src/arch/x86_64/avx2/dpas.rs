//! What `DPAS` has of its own at AVX2 and F16C, with FMA where the CPU has it.
//!
//! Two words of a lane are multiplied and added by one instruction. Activations become words, two in a double word.
//!
//! What differs from the portable level, and why it is equal:
//! 1. What the host is set to is put aside for the time of a float kernel, if it is not rounding to nearest with denormals
//!    and without traps.
//! 2. Without FMA, fused steps are made in integers.
//! 3. Every integer element fits a signed word, and so the products of words and their sums in pairs are exact.

use std::arch::x86_64::*;

use tandem_isa::visa::model::Sum;

use super::vector::Eight;
use crate::Avx2;
use crate::arch::x86_64::settings::with_default_settings;
use crate::vector::Vector;
use crate::visa::dpas::{ACTIVATIONS, Integer, MOST_ROWS, Places, Recipe};
use crate::visa::dpas_rows::{self, Dot, Products, Task};

#[inline(never)]
#[target_feature(enable = "avx2,f16c,fma,bmi1,bmi2")]
fn run_with_fma<T: Task<Eight>>(level: Avx2, task: T) -> T::Output {
    task.run::<true>(level)
}

#[inline(never)]
#[target_feature(enable = "avx2,f16c,bmi1,bmi2")]
fn run_without_fma<T: Task<Eight>>(level: Avx2, task: T) -> T::Output {
    task.run::<false>(level)
}

macro_rules! floats {
    ($($name:ident($($operand:ident),*) is $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($operand: Self),*) -> Self {
            // SAFETY: the vector holds the proof that the CPU has AVX2; FMA is asked for by `is_native`.
            Eight(unsafe { _mm256_castps_si256($intrinsic(_mm256_castsi256_ps(self.0), $(_mm256_castsi256_ps($operand.0)),*)) }, self.1)
        }
    )*};
}

impl Products for Eight {
    const HAS_FUSED: bool = false;
    type Row = [Self; 2];

    #[inline(always)]
    fn row(self) -> [Self; 2] {
        [self; 2]
    }

    #[inline(always)]
    fn run<T: Task<Self>>(level: Avx2, task: T) -> T::Output {
        // SAFETY: `level`, or in the methods below a vector, proves that the CPU has AVX2, F16C, BMI1 and BMI2; FMA is
        // asked for.
        unsafe {
            if !T::IS_FLOAT {
                run_without_fma(level, task)
            } else if level.has_fma() {
                with_default_settings(|| run_with_fma(level, task))
            } else {
                with_default_settings(|| run_without_fma(level, task))
            }
        }
    }

    #[inline(always)]
    fn is_native<const EXTRA: bool>(_: Avx2, sum: Sum) -> bool {
        EXTRA || sum != Sum::Fused
    }

    #[inline(always)]
    fn load_bytes(level: Avx2, from: &[u8], byte: usize) -> Self {
        let from = &from[byte..byte + 32];
        // SAFETY: as above. There are 32 readable bytes; no alignment is asked for.
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

    #[inline(always)]
    fn integers(level: Avx2, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]) {
        dpas_rows::integers::<Self>(level, recipe, pair, places, file);
    }

    floats! {
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

impl Dot for Eight {
    const PER_LANE: usize = 2;
    type Arranged = Pairs;

    #[inline(always)]
    fn arrange(recipe: &Recipe, pair: (Integer, Integer), from: &[u8; ACTIVATIONS], to: &mut Pairs, _: Avx2) -> u32 {
        to.arrange(recipe, pair, from);
        0
    }

    #[inline(always)]
    fn activation(level: Avx2, from: &Pairs, place: usize) -> Self {
        Self::splat(level, from.0[place])
    }

    #[inline(always)]
    fn dot<const EXTRA: bool, const IS_SIGNED: bool>(sum: Self, weights: Self, activations: Self) -> Self {
        // SAFETY: the vectors hold the proof that the CPU has AVX2.
        sum + Eight(unsafe { _mm256_madd_epi16(weights.0, activations.0) }, sum.1)
    }
}

/// Activations as words, two of which meet a double word of weights: all of a row, then those of the next.
pub(crate) struct Pairs([u32; 32 * MOST_ROWS]);

impl Default for Pairs {
    #[inline(always)]
    fn default() -> Self {
        Pairs([0; 32 * MOST_ROWS])
    }
}

impl Pairs {
    /// Takes those of all rows. The second one of a pair is as far from the first one as half of a double word of weights is.
    fn arrange(&mut self, recipe: &Recipe, (weights, activations): (Integer, Integer), from: &[u8; ACTIVATIONS]) {
        let stride = if recipe.num_products > 32 { 32 } else { 16 };
        for (row, pairs) in self.0.chunks_exact_mut(stride).enumerate().take(recipe.num_rows) {
            // The row may begin within a byte, of shorter elements.
            let mut words = [0; 64 + 8];
            let (from, first) =
                (&from[row * recipe.pitch / 8..], row * recipe.pitch % 8 / usize::from(activations.bits));
            match activations.bits {
                8 => words_of::<8>(activations, from, &mut words),
                4 => words_of::<4>(activations, from, &mut words),
                2 => words_of::<2>(activations, from, &mut words),
                _ => words_of::<1>(activations, from, &mut words),
            }
            words[first + recipe.num_products..].fill(0);
            let words = &words[first..];
            match weights.bits {
                8 => paired::<2>(words, pairs),
                4 => paired::<4>(words, pairs),
                2 => paired::<8>(words, pairs),
                _ => paired::<16>(words, pairs),
            }
        }
    }
}

/// The elements in the bytes of a row.
#[inline(always)]
fn words_of<const BITS: usize>(integer: Integer, from: &[u8], to: &mut [u16; 64 + 8]) {
    let (mask, sign) = (integer.mask() as u16, integer.sign() as u16);
    let from: &[u8; 32] = from.first_chunk().expect("a row is in the window");
    for (to, &byte) in to.chunks_exact_mut(8 / BITS).zip(from) {
        for (part, to) in to.iter_mut().enumerate() {
            *to = (((u16::from(byte) >> (part * BITS)) & mask) ^ sign).wrapping_sub(sign);
        }
    }
}

/// Two words in each, `PARTS` apart.
#[inline(always)]
fn paired<const PARTS: usize>(words: &[u16], to: &mut [u32]) {
    for (to, words) in to.as_chunks_mut::<PARTS>().0.iter_mut().zip(words.chunks_exact(2 * PARTS)) {
        for (place, to) in to.iter_mut().enumerate() {
            *to = u32::from(words[place]) | u32::from(words[PARTS + place]) << 16;
        }
    }
}
