//! What `DPAS` has of its own at AVX-512 F, BW, DQ and VL, with VNNI where the CPU has it.
//!
//! Four bytes of a lane are multiplied and added by one instruction, of the one operand signed and of the other unsigned. The
//! activations of all rows become bytes in a few vectors.
//!
//! What bounds eight rows of sixteen channels at depth 8 on a CPU with two ports for vectors of 512 bits, each of which
//! takes a multiplication a cycle (sums are sequential, accumulators and results double words):
//!
//! | class | bounding uops | cycles |
//! |---|---|---|
//! | `s8` × `s8` | 64 dot products, 8 for weights, 8 for results, 15 for sums of activations | 48 |
//! | `u8` × `s8` | 64 dot products | 32 |
//! | `u4` × `s4` | 128 dot products, 24 for weights, 16 for results, 56 for activations | 112 |
//! | `s2` × `s8` | 72 dot products, 30 for weights, 18 for results, 20 for activations | 70 |
//! | `bf` × `bf` | 128 products, 128 sums, 16 for weights, 16 for results, 16 for activations | 152 |
//! | `hf` × `hf` | 128 fused steps, 48 for weights, 16 for results, 16 for activations | 104 |
//!
//! What differs from other levels, and why it is equal:
//! 1. If weights are signed, signed activations become unsigned by adding the weight of their sign; else `u8` activations
//!    become signed by taking off 128. The instruction does not saturate.
//! 2. Activations are made ready a vector at a time, not one by one, which would take longer than all the rest: of rows of 32
//!    bytes without gaps, two are one vector.
//! 3. Without VNNI, products of words are added in pairs to double words, which is exact for words from bytes.
//! 4. Where all rows are whole and all elements bytes, signed weights become unsigned instead.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::vector::Sixteen;
use crate::level::Avx512;
use crate::vector::{Task, Vector};
use crate::visa::dpas_integers::{self, Dot};
use crate::visa::dpas_recipe::{ACTIVATIONS, BLOCK, Integer, MOST_ROWS, Operands, Places, Recipe};
use crate::visa::dpas_rows::Products;
use crate::visa::floats::Floats;

impl Products for Sixteen {
    const HAS_FUSED: bool = true;
    type Row = [Self; 1];

    #[inline(always)]
    fn row(self) -> [Self; 1] {
        [self]
    }

    #[inline(always)]
    fn is_native<const EXTRA: bool>(_: Avx512, _: bool) -> bool {
        true
    }

    #[inline(always)]
    fn integers(level: Avx512, recipe: Recipe, pair: (Integer, Integer), places: Places, file: &mut [u8]) {
        match pair {
            (Integer { bits: 8, is_signed }, Integer { bits: 8, is_signed: true })
                if is_whole_block_of_bytes(&recipe) =>
            {
                if is_signed {
                    Self::run(level, RowsOfBytes::<true> { places }, file);
                } else {
                    Self::run(level, RowsOfBytes::<false> { places }, file);
                }
            }
            _ => dpas_integers::integers::<Self>(level, recipe, pair, places, file),
        }
    }
}

impl Dot for Sixteen {
    const PER_LANE: usize = 4;
    type Arranged = Bytes;

    #[inline(always)]
    fn arrange(recipe: &Recipe, pair: (Integer, Integer), from: &[u8; ACTIVATIONS], to: &mut Bytes, _: Avx512) -> u32 {
        let (pitch, num_products) = (recipe.pitch, recipe.num_products);
        // SAFETY: the level, or in the methods below a vector, proves that the CPU has it.
        unsafe {
            match pair.1.bits {
                8 => ordered::<8>(from, pitch, num_products, pair, to),
                4 => ordered::<4>(from, pitch, num_products, pair, to),
                2 => ordered::<2>(from, pitch, num_products, pair, to),
                _ => ordered::<1>(from, pitch, num_products, pair, to),
            }
        }
        u32::from(adjustments(pair).2.cast_unsigned()) * 0x0101_0101
    }

    #[inline(always)]
    fn activation(level: Avx512, from: &Bytes, place: usize) -> Self {
        // SAFETY: as above. Eight rows are there, and only they are asked for.
        Sixteen(unsafe { _mm512_set1_epi32(from.0[place].assume_init()) }, level)
    }

    #[inline(always)]
    fn dot<const EXTRA: bool, const IS_SIGNED: bool>(sum: Self, weights: Self, activations: Self) -> Self {
        let (unsigned, signed) = if IS_SIGNED { (activations.0, weights.0) } else { (weights.0, activations.0) };
        // SAFETY: as above; `EXTRA` is what `run` has given, where the CPU has VNNI.
        let sum = unsafe {
            if EXTRA {
                _mm512_dpbusd_epi32(sum.0, unsigned, signed)
            } else {
                let even = _mm512_madd_epi16(
                    _mm512_and_si512(unsigned, _mm512_set1_epi16(0xff)),
                    _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(signed)),
                );
                let odd = _mm512_madd_epi16(_mm512_srli_epi16::<8>(unsigned), _mm512_srai_epi16::<8>(signed));
                _mm512_add_epi32(sum.0, _mm512_add_epi32(even, odd))
            }
        };
        Sixteen(sum, weights.1)
    }
}

/// Whether there are eight rows of sixteen channels at depth 8, if all elements are bytes.
#[inline(always)]
fn is_whole_block_of_bytes(recipe: &Recipe) -> bool {
    recipe.channels == 16 && recipe.num_rows == MOST_ROWS && recipe.num_products == 32 && recipe.pitch == 8 * 32
}

/// Eight rows of sixteen channels at depth 8 of bytes, of which those of `Src2` are signed and those of `Src1` if `IS_SIGNED`.
///
/// Activations are in the order of the weights, and the signed operand of a dot product may be a broadcast from memory. So
/// they are not made ready: signed weights become unsigned by adding 128 instead, and 128 times the sum of a row's
/// activations is taken off in the end. All numbers are constants. That takes a sixth off all of `s8` × `s8`.
struct RowsOfBytes<const IS_SIGNED: bool> {
    places: Places,
}

impl<const IS_SIGNED: bool> Task<Sixteen> for RowsOfBytes<IS_SIGNED> {
    const USES_DOT: bool = true;
    type On = [u8];
    type Output = ();

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: Avx512, file: &mut [u8]) {
        let Self { places } = self;
        let Operands { weights, activations, accumulators } = places.operands(file);
        let mut sums: [_; MOST_ROWS] = std::array::from_fn(|row| Sixteen::load_bytes(level, accumulators, 64 * row));
        let excess = if IS_SIGNED { sums_of_rows::<EXTRA>(level, activations) } else { [0; 16] };
        for register in 0..8 {
            let words = Sixteen::load_bytes(level, weights, 64 * register);
            let weights = if IS_SIGNED { words ^ words.like(SIGNS) } else { words };
            for (row, sum) in sums.iter_mut().enumerate() {
                let (words, _) = activations[32 * row..].as_chunks();
                let four = Sixteen::splat(level, u32::from_le_bytes(words[register]));
                *sum = Sixteen::dot::<EXTRA, false>(*sum, weights, four);
            }
        }
        let to: &mut [u8; BLOCK] = file[places.destination..].first_chunk_mut().expect("eight rows");
        for (row, (sum, to)) in sums.into_iter().zip(to.as_chunks_mut::<64>().0).enumerate() {
            (sum - sum.like(excess[row % 2 * 8 + row / 2])).store_bytes(to);
        }
    }
}

/// The signs of four bytes.
const SIGNS: u32 = 0x8080_8080;

/// 128 times the sums of eight rows of 32 signed bytes: those of even rows from place 0 on, those of odd rows from place 8
/// on.
#[inline(always)]
fn sums_of_rows<const EXTRA: bool>(level: Avx512, rows: &[u8; ACTIVATIONS]) -> [u32; 16] {
    // Two rows in each, of each eight sums.
    let [a, b, c, d] = [0, 1, 2, 3].map(|pair| {
        let rows = Sixteen::load_bytes(level, rows, 64 * pair);
        Sixteen::dot::<EXTRA, false>(rows.like(0), rows.like(SIGNS), rows).0
    });
    // SAFETY: the level proves that the CPU has AVX-512 F; as many bytes as are stored are writable.
    unsafe {
        let halves = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (ab, cd) = (halves(a, b), halves(c, d));
        let quarters = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
        let sums = _mm512_add_epi32(quarters, _mm512_shuffle_i64x2::<0b10_11_00_01>(quarters, quarters));
        let mut excess = [0; 16];
        _mm512_storeu_si512(excess.as_mut_ptr().cast(), sums);
        excess
    }
}

/// Activations as bytes, four of which meet a double word of weights: all of a row, then those of the next. There is nothing
/// beyond eight rows.
#[repr(C, align(64))]
pub(crate) struct Bytes([MaybeUninit<i32>; BLOCK / 4]);

impl Default for Bytes {
    #[inline(always)]
    fn default() -> Self {
        Bytes([MaybeUninit::uninit(); BLOCK / 4])
    }
}

/// What activations are changed by to become bytes of the other kind than the weights: bits that are flipped, and what is
/// then taken off; and the byte of the activations' kind whose products are too much in the end.
#[inline(always)]
const fn adjustments((weights, activations): (Integer, Integer)) -> (i8, i8, i8) {
    let sign = activations.sign() as u8 as i8;
    if weights.is_signed {
        (sign, 0, sign)
    } else if activations.is_signed {
        (sign, sign, 0)
    } else if activations.bits == 8 {
        (i8::MIN, 0, i8::MIN)
    } else {
        (0, 0, 0)
    }
}

/// The places of the bytes of sixteen that weights of 8, 4, 2 and 1 bits meet in turn; the last of them is not all.
static ORDERS: [[u8; 16]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15],
    [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15],
];

/// The places of the words of half a vector that bring those of its two sixteens side by side.
static SIDE_BY_SIDE: [u16; 32] = {
    let mut places = [0; 32];
    let mut place = 0;
    while place < 32 {
        places[place] = (place / 16 * 16 + place % 2 * 8 + place % 16 / 2) as u16;
        place += 1;
    }
    places
};

/// The activations of all rows as bytes, in the order in which weights are unpacked.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn ordered<const BITS: u8>(
    from: &[u8; ACTIVATIONS],
    pitch: usize,
    num_products: usize,
    pair: (Integer, Integer),
    to: &mut Bytes,
) {
    let (flip, off, _) = adjustments(pair);
    let element = _mm512_set1_epi8(pair.1.mask() as i8);
    let (flip, off) = (_mm512_set1_epi8(flip), _mm512_set1_epi8(off));
    let order = ORDERS[(pair.0.bits.leading_zeros() as usize).wrapping_sub(28) & 3];
    // SAFETY: both are as long as what is loaded; no alignment is asked for.
    let (order, side_by_side) = unsafe {
        let order = _mm512_broadcast_i32x4(_mm_loadu_si128(order.as_ptr().cast()));
        (order, _mm512_loadu_si512(SIDE_BY_SIDE.as_ptr().cast()))
    };
    let to: *mut u8 = to.0.as_mut_ptr().cast();
    let put = |natural, at: usize| {
        let adjusted = _mm512_sub_epi8(_mm512_xor_si512(natural, flip), off);
        let ordered = _mm512_shuffle_epi8(adjusted, order);
        let ordered = if pair.0.bits == 1 { _mm512_permutexvar_epi16(side_by_side, ordered) } else { ordered };
        assert!(at <= BLOCK - 64, "the bytes lie in the block");
        // SAFETY: 64 bytes of the block are writable there; no alignment is asked for.
        unsafe { _mm512_storeu_si512(to.add(at).cast(), ordered) };
    };
    if num_products >= 32 && pitch == num_products * BITS as usize {
        // Rows have no gaps.
        for at in 0..(num_products / 8).min(8) {
            let spread = spread::<BITS>(from, at * 64 * BITS as usize);
            put(_mm512_and_si512(spread, element), at * 64);
        }
    } else {
        // What follows a row's products is overwritten by the next row.
        let stride = if num_products > 32 { 64 } else { 32 };
        let is_kept = u64::MAX >> ((64 - num_products) & 63);
        for row in 0..MOST_ROWS {
            let spread = spread::<BITS>(from, row * pitch);
            put(_mm512_maskz_mov_epi8(is_kept, _mm512_and_si512(spread, element)), row * stride);
        }
    }
}

/// Sixty-four elements from a bit on, each in the low bits of a byte; those beyond 256 bits are others.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn spread<const BITS: u8>(activations: &[u8; ACTIVATIONS], bit: usize) -> __m512i {
    let from = row_of(activations, bit);
    match BITS {
        8 => {
            let all = load_256(from);
            // The next row is there if there is one.
            let next = load_256(row_of(activations, bit + 256));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(all), next)
        }
        4 => {
            let halves = _mm512_cvtepu8_epi16(load_256(from));
            _mm512_or_si512(halves, _mm512_slli_epi16::<4>(halves))
        }
        2 => {
            let words = _mm512_cvtepu8_epi32(_mm256_castsi256_si128(load_256(from)));
            let words = _mm512_or_si512(words, _mm512_slli_epi32::<12>(words));
            _mm512_or_si512(words, _mm512_slli_epi32::<6>(words))
        }
        _ => {
            let eight = from.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            _mm512_maskz_mov_epi8(eight >> (bit % 8), _mm512_set1_epi8(1))
        }
    }
}

/// The 32 bytes from a bit on that begins a row: none is beyond the eighth of the longest rows.
#[inline(always)]
fn row_of(activations: &[u8; ACTIVATIONS], bit: usize) -> &[u8; 32] {
    activations[(bit / 8).min(ACTIVATIONS - 32)..].first_chunk().expect("32 bytes")
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_256(from: &[u8; 32]) -> __m256i {
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
