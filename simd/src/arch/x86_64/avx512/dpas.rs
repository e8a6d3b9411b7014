//! `DPAS` for AVX-512 F, BW, DQ and VL, with VNNI where the CPU has it.
//!
//! A vector has sixteen channels, or eight and zeros. Integers are unpacked to bytes, four in a double word, of the one
//! operand signed and of the other unsigned; then one instruction multiplies and adds four products of each channel. Floats are
//! widened to `F`; each product is one or two instructions. All eight rows of a block are made side by side, each in a
//! vector of its own, so that they do not wait for each other; their activations are broadcast from memory, and no row is
//! stored before all is read.
//!
//! What bounds eight rows of sixteen channels at depth 8 on a CPU with two ports for vectors of 512 bits, each of which
//! takes a multiplication a cycle (sums are sequential, accumulators and results double words):
//!
//! | class | bounding uops | cycles |
//! |---|---|---|
//! | `s8` × `s8` | 72 dot products, 9 for results, 20 for activations | 51 |
//! | `u8` × `s8` | 64 dot products, 8 for results, 20 for activations | 46 |
//! | `u4` × `s4` | 128 dot products, 24 for weights, 16 for results, 56 for activations | 112 |
//! | `s2` × `s8` | 72 dot products, 30 for weights, 18 for results, 20 for activations | 70 |
//! | `bf` × `bf` | 128 products, 128 sums, 16 for weights, 16 for results, 16 for activations | 152 |
//! | `hf` × `hf` | 128 fused steps, 48 for weights, 16 for results, 16 for activations | 104 |
//!
//! What differs from the portable level, and why it is equal:
//! 1. Of the bytes that are multiplied, some are unsigned and the others signed. If weights are signed, signed activations
//!    become unsigned by adding the weight of their sign; else `u8` activations become signed by taking off 128. What that
//!    makes too much is the same multiple of the sum of a channel's weights in every row. The instruction for dot products
//!    does not saturate; all is modulo 2^32.
//! 2. Weights of 4 and 2 bits are unpacked by shifts and masks, which takes every second or fourth one of 8 or 16.
//!    Activations are put into the same order. The order of an exact sum does not matter.
//! 3. Vectors may hold elements beyond the last product: there, activations stand for 0.
//! 4. Without VNNI, products of words are added in pairs to double words, which is exact for words from bytes.
//! 5. The product of two `HF`s has 22 bits and an exponent within that of an `F`, so it is exact, and a fused step rounds
//!    like a product and a sum.
//! 6. What the host is set to is put aside for the time of a float kernel, if it is not rounding to nearest with denormals
//!    and without traps.
//! 7. The exact sum of a row is the portable kernel's, compiled for this level.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use tandem_isa::visa::model::Sum;
use tandem_isa::{Answer, State, Step};

use crate::Avx512;
use crate::arch::portable;
use crate::arch::x86_64::settings::with_default_settings;
use crate::visa::dpas::{
    self, ACTIVATIONS, BLOCK, Datum, Float, Integer, Kernels, MOST_ROWS, Operands, Places, Recipe, Work,
};

/// Executes one `DPAS` at this level.
pub(crate) fn execute(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    // SAFETY: `proof` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2.
    unsafe { compiled_for_level(proof, step, state) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn compiled_for_level(proof: Avx512, step: &Step<'_>, state: &mut State) -> Answer {
    dpas::execute(proof, step, state)
}

impl Kernels for Avx512 {
    #[inline(always)]
    fn rows(self, recipe: &Recipe, places: &Places, file: &mut [u8]) {
        // SAFETY: `self` proves that the CPU has AVX-512 F, BW, DQ and VL, BMI1 and BMI2; VNNI is asked for.
        unsafe {
            match recipe.work {
                Work::Integers { weights, activations } => {
                    let has_vnni = is_x86_feature_detected!("avx512vnni");
                    integers(recipe, (weights, activations), places, file, has_vnni);
                }
                Work::Floats { sum: Sum::SingleRounding, .. } => exact_floats(recipe, places, file),
                Work::Floats { float, sum } => floats(recipe, float, sum, places, file),
            }
        }
    }
}

/// Where a kernel reads and writes: a block each, and rows of results. They may overlap.
#[derive(Clone, Copy)]
struct Windows {
    weights: *const [u8; BLOCK],
    accumulators: *const [u8; BLOCK],
    to: *mut u8,
    num_rows: usize,
}

impl Windows {
    /// Those of an instruction, which are valid as long as the file is borrowed.
    #[inline(always)]
    fn of(recipe: &Recipe, places: &Places, file: &mut [u8]) -> Self {
        let to = recipe.destination_of(places, file).as_mut_ptr();
        let Operands { weights, accumulators, .. } = places.operands(file);
        Windows { weights, accumulators, to, num_rows: recipe.num_rows }
    }
}

// ------------------------------------------------------------------------------------------------ integers

/// Activations as bytes, four of which meet a double word of weights: all of a row, then those of the next. There is nothing
/// beyond eight rows.
#[repr(C, align(64))]
struct Bytes([MaybeUninit<i32>; BLOCK / 4]);

macro_rules! by_shape {
    ($recipe:ident, $weights:expr, $rows:ident($($argument:expr),*)) => {
        match ($weights.bits, $weights.is_signed, $recipe.num_products > 32, $recipe.channels == 16) {
            (8, false, _, false) => $rows::<8, false, 32, 32>($($argument),*),
            (8, false, _, true) => $rows::<8, false, 32, 64>($($argument),*),
            (8, true, _, false) => $rows::<8, true, 32, 32>($($argument),*),
            (8, true, _, true) => $rows::<8, true, 32, 64>($($argument),*),
            (4, false, false, false) => $rows::<4, false, 32, 32>($($argument),*),
            (4, false, false, true) => $rows::<4, false, 32, 64>($($argument),*),
            (4, false, true, false) => $rows::<4, false, 64, 32>($($argument),*),
            (4, false, true, true) => $rows::<4, false, 64, 64>($($argument),*),
            (4, true, false, false) => $rows::<4, true, 32, 32>($($argument),*),
            (4, true, false, true) => $rows::<4, true, 32, 64>($($argument),*),
            (4, true, true, false) => $rows::<4, true, 64, 32>($($argument),*),
            (4, true, true, true) => $rows::<4, true, 64, 64>($($argument),*),
            (2, false, false, false) => $rows::<2, false, 32, 32>($($argument),*),
            (2, false, false, true) => $rows::<2, false, 32, 64>($($argument),*),
            (2, false, true, false) => $rows::<2, false, 64, 32>($($argument),*),
            (2, false, true, true) => $rows::<2, false, 64, 64>($($argument),*),
            (2, true, false, false) => $rows::<2, true, 32, 32>($($argument),*),
            (2, true, false, true) => $rows::<2, true, 32, 64>($($argument),*),
            (2, true, true, false) => $rows::<2, true, 64, 32>($($argument),*),
            (2, true, true, true) => $rows::<2, true, 64, 64>($($argument),*),
            (_, false, false, false) => $rows::<1, false, 32, 32>($($argument),*),
            (_, false, false, true) => $rows::<1, false, 32, 64>($($argument),*),
            (_, false, true, false) => $rows::<1, false, 64, 32>($($argument),*),
            (_, false, true, true) => $rows::<1, false, 64, 64>($($argument),*),
            (_, true, false, false) => $rows::<1, true, 32, 32>($($argument),*),
            (_, true, false, true) => $rows::<1, true, 32, 64>($($argument),*),
            (_, true, true, false) => $rows::<1, true, 64, 32>($($argument),*),
            (_, true, true, true) => $rows::<1, true, 64, 64>($($argument),*),
        }
    };
}

#[inline(always)]
fn integers(recipe: &Recipe, pair: (Integer, Integer), places: &Places, file: &mut [u8], has_vnni: bool) {
    let mut bytes = Bytes([MaybeUninit::uninit(); BLOCK / 4]);
    let (pitch, num_products) = (recipe.pitch, recipe.num_products);
    let from = places.operands(file).activations;
    // SAFETY: the functions that inline this are compiled for the level; VNNI is there where it is said to be.
    unsafe {
        match pair.1.bits {
            8 => ordered::<8>(from, pitch, num_products, pair, &mut bytes),
            4 => ordered::<4>(from, pitch, num_products, pair, &mut bytes),
            2 => ordered::<2>(from, pitch, num_products, pair, &mut bytes),
            _ => ordered::<1>(from, pitch, num_products, pair, &mut bytes),
        }
        let (bytes, excess, windows) = (&bytes, adjustments(pair).2, Windows::of(recipe, places, file));
        let registers = (num_products * usize::from(pair.0.bits)).div_ceil(32);
        if has_vnni {
            by_shape!(recipe, pair.0, integer_rows_vnni(windows, bytes, registers, excess));
        } else {
            by_shape!(recipe, pair.0, integer_rows_without_vnni(windows, bytes, registers, excess));
        }
    }
}

macro_rules! integer_rows {
    ($($name:ident, $features:literal, $dot4:ident;)*) => {
        $(
            /// # Safety
            ///
            /// The windows are valid.
            #[inline(never)]
            #[target_feature(enable = $features)]
            unsafe fn $name<const BITS: u8, const IS_SIGNED: bool, const STRIDE: usize, const REGISTER: usize>(
                windows: Windows,
                activations: &Bytes,
                registers: usize,
                excess: i8,
            ) {
                // SAFETY: the windows are as they are asked for.
                unsafe {
                    integer_rows::<BITS, IS_SIGNED, STRIDE, REGISTER>(windows, activations, registers, excess, $dot4);
                }
            }
        )*
    };
}

integer_rows! {
    integer_rows_vnni, "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi1,bmi2", dot4_vnni;
    integer_rows_without_vnni, "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2", dot4;
}

/// Adds four products of unsigned and signed bytes to each double word.
#[inline(always)]
fn dot4_vnni(sum: __m512i, unsigned: __m512i, signed: __m512i) -> __m512i {
    // SAFETY: only a function that is compiled for VNNI is given this one.
    unsafe { _mm512_dpbusd_epi32(sum, unsigned, signed) }
}

/// The same in four products of words.
#[inline(always)]
fn dot4(sum: __m512i, unsigned: __m512i, signed: __m512i) -> __m512i {
    // SAFETY: only functions that are compiled for AVX-512 BW are given this one.
    unsafe {
        let even = _mm512_madd_epi16(
            _mm512_and_si512(unsigned, _mm512_set1_epi16(0xff)),
            _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(signed)),
        );
        let odd = _mm512_madd_epi16(_mm512_srli_epi16::<8>(unsigned), _mm512_srai_epi16::<8>(signed));
        _mm512_add_epi32(sum, _mm512_add_epi32(even, odd))
    }
}

/// Rows of integers, with weights of `BITS` bits, rows of activations of `STRIDE` bytes, and registers of `REGISTER` bytes;
/// `dot4` is given a sum, unsigned bytes and signed ones.
///
/// # Safety
///
/// The windows are valid.
#[inline(always)]
unsafe fn integer_rows<const BITS: u8, const IS_SIGNED: bool, const STRIDE: usize, const REGISTER: usize>(
    windows: Windows,
    activations: &Bytes,
    registers: usize,
    excess: i8,
    dot4: impl Fn(__m512i, __m512i, __m512i) -> __m512i + Copy,
) {
    let dot4 = |sum, weights, activations| {
        if IS_SIGNED { dot4(sum, activations, weights) } else { dot4(sum, weights, activations) }
    };
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let parts = 8 / BITS as usize;
        let registers = registers.clamp(1, STRIDE / 4 / parts);
        let zero = _mm512_setzero_si512();
        let mut sums = [zero, zero, zero, zero, zero, zero, zero, zero];
        for (row, sum) in sums.iter_mut().enumerate() {
            *sum = load::<REGISTER>(windows.accumulators, row);
        }
        // Where a register is more than one vector of bytes, each row has two sums, which do not wait for each other.
        let mut others = [zero, zero, zero, zero, zero, zero, zero, zero];
        let mut too_much = [zero; 2];
        for register in 0..registers {
            let words = load::<REGISTER>(windows.weights, register);
            for part in 0..parts {
                let weights = unpacked::<BITS, IS_SIGNED>(words, part);
                if excess != 0 {
                    too_much[part % 2] = dot4(too_much[part % 2], weights, _mm512_set1_epi8(excess));
                }
                let sums = if part % 2 == 0 { &mut sums } else { &mut others };
                for (row, sum) in sums.iter_mut().enumerate() {
                    *sum = dot4(*sum, weights, four(activations, row * (STRIDE / 4) + register * parts + part));
                }
            }
        }
        let too_much = _mm512_add_epi32(too_much[0], too_much[1]);
        for (sum, other) in sums.iter_mut().zip(others) {
            *sum = _mm512_add_epi32(*sum, _mm512_sub_epi32(other, too_much));
        }
        for (row, sum) in sums.into_iter().enumerate() {
            if row < windows.num_rows {
                store::<REGISTER>(windows.to, row, sum);
            }
        }
    }
}

/// Every `8 / BITS`th weight of double words, as bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn unpacked<const BITS: u8, const IS_SIGNED: bool>(words: __m512i, part: usize) -> __m512i {
    if BITS == 8 {
        return words;
    }
    let low = _mm512_srl_epi32(words, _mm_cvtsi32_si128((BITS as usize * part) as i32));
    let bits = _mm512_and_si512(low, _mm512_set1_epi8(((1u32 << BITS) - 1) as i8));
    if !IS_SIGNED {
        return bits;
    }
    let sign = _mm512_set1_epi8((1u32 << (BITS - 1)) as i8);
    _mm512_sub_epi8(_mm512_xor_si512(bits, sign), sign)
}

/// Four bytes of a row, again and again.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn four(bytes: &Bytes, place: usize) -> __m512i {
    // SAFETY: eight rows are there, and only they are asked for.
    _mm512_set1_epi32(unsafe { bytes.0[place].assume_init() })
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

// ------------------------------------------------------------------------------------------------ floats

/// `bf`.
const BF: u32 = 0;
/// `hf`.
const HF: u32 = 1;
/// `tf32`.
const TF32: u32 = 2;

/// Activations, a row of `F`s each.
#[repr(C, align(64))]
struct Singles([[MaybeUninit<f32>; 16]; MOST_ROWS]);

/// Rows whose sums are exact.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn exact_floats(recipe: &Recipe, places: &Places, file: &mut [u8]) {
    if let Work::Floats { float, sum } = recipe.work {
        dpas::by_block(recipe, places, file, |operands, to| {
            portable::dpas::floats(recipe, float, sum, operands, to);
        });
    }
}

#[inline(always)]
fn floats(recipe: &Recipe, float: Float, sum: Sum, places: &Places, file: &mut [u8]) {
    let windows = Windows::of(recipe, places, file);
    let from: *const [u8; ACTIVATIONS] = places.operands(file).activations;
    let mask = if let Float::Tf32(mask) = float { mask } else { 0 };
    with_default_settings(|| {
        // SAFETY: the functions that inline this are compiled for the level, and the file is still borrowed.
        unsafe {
            match (float, sum, recipe.channels == 16) {
                (Float::Hf, Sum::Sequential | Sum::Fused, false) => fused::<HF, 32>(recipe, mask, windows, from),
                (Float::Hf, _, false) => pairwise::<HF, 32>(recipe, mask, windows, from),
                (Float::Hf, Sum::Sequential | Sum::Fused, true) => fused::<HF, 64>(recipe, mask, windows, from),
                (Float::Hf, _, true) => pairwise::<HF, 64>(recipe, mask, windows, from),
                (Float::Bf, Sum::Sequential, false) => sequential::<BF, 32>(recipe, mask, windows, from),
                (Float::Bf, Sum::Fused, false) => fused::<BF, 32>(recipe, mask, windows, from),
                (Float::Bf, _, false) => pairwise::<BF, 32>(recipe, mask, windows, from),
                (Float::Bf, Sum::Sequential, true) => sequential::<BF, 64>(recipe, mask, windows, from),
                (Float::Bf, Sum::Fused, true) => fused::<BF, 64>(recipe, mask, windows, from),
                (Float::Bf, _, true) => pairwise::<BF, 64>(recipe, mask, windows, from),
                (Float::Tf32(_), Sum::Fused, false) => fused::<TF32, 32>(recipe, mask, windows, from),
                (Float::Tf32(_), _, false) => sequential::<TF32, 32>(recipe, mask, windows, from),
                (Float::Tf32(_), Sum::Fused, true) => fused::<TF32, 64>(recipe, mask, windows, from),
                (Float::Tf32(_), _, true) => sequential::<TF32, 64>(recipe, mask, windows, from),
            }
        }
    });
}

macro_rules! depths {
    ($($(#[$doc:meta])* $name:ident: |$sum:ident, $weights:ident, $factors:ident| $single:expr, $pair:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// The windows are valid, and so is that of activations.
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
            unsafe fn $name<const KIND: u32, const REGISTER: usize>(
                recipe: &Recipe,
                mask: u32,
                windows: Windows,
                from: *const [u8; ACTIVATIONS],
            ) {
                let depth = |$sum: __m512, $weights: [__m512; 2], $factors: [__m512; 2]| {
                    if KIND == TF32 { $single } else { $pair }
                };
                // SAFETY: the windows are as they are asked for.
                unsafe { float_rows::<KIND, REGISTER>(recipe, mask, windows, from, depth) };
            }
        )*
    };
}

depths! {
    /// A product and a sum for each element.
    sequential: |sum, weights, factors| _mm512_add_ps(sum, _mm512_mul_ps(weights[0], factors[0])), {
        let sum = _mm512_add_ps(sum, _mm512_mul_ps(weights[0], factors[0]));
        _mm512_add_ps(sum, _mm512_mul_ps(weights[1], factors[1]))
    };
    /// A fused step for each element.
    fused: |sum, weights, factors| _mm512_fmadd_ps(weights[0], factors[0], sum), {
        _mm512_fmadd_ps(weights[1], factors[1], _mm512_fmadd_ps(weights[0], factors[0], sum))
    };
    /// The sum of two products, then the sum with that.
    pairwise: |sum, weights, factors| _mm512_add_ps(sum, _mm512_mul_ps(weights[0], factors[0])), {
        let products = [_mm512_mul_ps(weights[0], factors[0]), _mm512_mul_ps(weights[1], factors[1])];
        _mm512_add_ps(sum, _mm512_add_ps(products[0], products[1]))
    };
}

/// Rows of floats of a kind, with registers of `REGISTER` bytes; `depth` does the steps of one depth.
///
/// # Safety
///
/// The windows are valid, and so is that of activations.
#[inline(always)]
unsafe fn float_rows<const KIND: u32, const REGISTER: usize>(
    recipe: &Recipe,
    mask: u32,
    windows: Windows,
    from: *const [u8; ACTIVATIONS],
    depth: impl Fn(__m512, [__m512; 2], [__m512; 2]) -> __m512 + Copy,
) {
    // SAFETY: the functions that inline this are compiled for all that is called here.
    unsafe {
        let mut factors = Singles([[MaybeUninit::uninit(); 16]; MOST_ROWS]);
        for (row, to) in factors.0.iter_mut().enumerate() {
            let words = load_256(row_of(&*from, row * recipe.pitch));
            let singles = match KIND {
                BF => _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(words))),
                HF => _mm512_cvtph_ps(words),
                _ => widened::<TF32>(_mm512_zextsi256_si512(words), mask)[0],
            };
            _mm512_store_ps(to.as_mut_ptr().cast(), singles);
        }
        let ops = if KIND == TF32 { 1 } else { 2 };
        let zero = _mm512_setzero_ps();
        let mut sums = [zero, zero, zero, zero, zero, zero, zero, zero];
        match recipe.source {
            Datum::Word => {
                for (row, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_castsi512_ps(load::<REGISTER>(windows.accumulators, row));
                }
            }
            Datum::Hf => {
                for (row, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_cvtph_ps(load_half::<REGISTER>(windows.accumulators, row));
                }
            }
            Datum::Bf => {
                for (row, sum) in sums.iter_mut().enumerate() {
                    let words = _mm512_cvtepu16_epi32(load_half::<REGISTER>(windows.accumulators, row));
                    *sum = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(words));
                }
            }
        }
        for step in 0..(recipe.num_products / ops).clamp(1, 8) {
            let weights = widened::<KIND>(load::<REGISTER>(windows.weights, step), mask);
            for (sum, factors) in sums.iter_mut().zip(&factors.0) {
                let factor = |place: usize| _mm512_set1_ps(factors[place].assume_init());
                *sum = depth(*sum, weights, [factor(ops * step), factor(ops * step + (ops - 1))]);
            }
        }
        for sum in &mut sums {
            let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(*sum, *sum);
            *sum = _mm512_mask_mov_ps(*sum, is_nan, _mm512_set1_ps(f32::from_bits(0x7fc0_0000)));
        }
        for (row, sum) in sums.into_iter().enumerate() {
            if row < windows.num_rows {
                match recipe.destination {
                    Datum::Word => store::<REGISTER>(windows.to, row, _mm512_castps_si512(sum)),
                    Datum::Hf => {
                        let halves = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(sum);
                        store_half::<REGISTER>(windows.to, row, halves);
                    }
                    Datum::Bf => {
                        // The lowest bit that stays, and one less than half of it, carry into what stays.
                        let sum = _mm512_castps_si512(sum);
                        let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(sum), _mm512_set1_epi32(1));
                        let carried = _mm512_add_epi32(_mm512_add_epi32(sum, _mm512_set1_epi32(0x7fff)), odd);
                        let halves = _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(carried));
                        store_half::<REGISTER>(windows.to, row, halves);
                    }
                }
            }
        }
    }
}

/// The `F`s of the double words' low halves and of their high ones; those of `tf32`, of which bits of a mask are used, are
/// all in the first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn widened<const KIND: u32>(words: __m512i, mask: u32) -> [__m512; 2] {
    match KIND {
        BF => {
            let high = _mm512_and_si512(words, _mm512_set1_epi32(!0xffff));
            [_mm512_castsi512_ps(_mm512_slli_epi32::<16>(words)), _mm512_castsi512_ps(high)]
        }
        HF => {
            // SAFETY: the table is as long as what is loaded; no alignment is asked for.
            let apart = unsafe { _mm512_loadu_si512(LOW_AND_HIGH.as_ptr().cast()) };
            let apart = _mm512_permutexvar_epi16(apart, words);
            let high = _mm512_extracti64x4_epi64::<1>(apart);
            [_mm512_cvtph_ps(_mm512_castsi512_si256(apart)), _mm512_cvtph_ps(high)]
        }
        _ => {
            let used = _mm512_and_si512(words, _mm512_set1_epi32(mask.cast_signed()));
            [_mm512_castsi512_ps(used), _mm512_setzero_ps()]
        }
    }
}

/// The places of the low words of sixteen double words, then those of the high ones.
static LOW_AND_HIGH: [u16; 32] = {
    let mut places = [0; 32];
    let mut place = 0;
    while place < 32 {
        places[place] = (place % 16 * 2 + place / 16) as u16;
        place += 1;
    }
    places
};

// ------------------------------------------------------------------------------------------------ memory

/// The double words of a register or a row of `REGISTER` bytes; zeros beyond them.
///
/// # Safety
///
/// The block is readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
unsafe fn load<const REGISTER: usize>(from: *const [u8; BLOCK], place: usize) -> __m512i {
    debug_assert!((place + 1) * REGISTER <= BLOCK);
    // SAFETY: as many bytes as are loaded are in the block; no alignment is asked for.
    unsafe {
        let bytes = from.byte_add(place * REGISTER);
        if REGISTER == 64 {
            _mm512_loadu_si512(bytes.cast())
        } else {
            _mm512_zextsi256_si512(_mm256_loadu_si256(bytes.cast()))
        }
    }
}

/// The words of a row, half as many bytes; zeros beyond them.
///
/// # Safety
///
/// The block is readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
unsafe fn load_half<const REGISTER: usize>(from: *const [u8; BLOCK], place: usize) -> __m256i {
    debug_assert!((place + 1) * REGISTER <= BLOCK);
    // SAFETY: as many bytes as are loaded are in the block; no alignment is asked for.
    unsafe {
        let bytes = from.byte_add(place * (REGISTER / 2));
        if REGISTER == 64 {
            _mm256_loadu_si256(bytes.cast())
        } else {
            _mm256_zextsi128_si256(_mm_loadu_si128(bytes.cast()))
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
fn load_256(from: &[u8; 32]) -> __m256i {
    // SAFETY: there are 32 readable bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Stores the double words of a row.
///
/// # Safety
///
/// The row is writable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
unsafe fn store<const REGISTER: usize>(to: *mut u8, place: usize, row: __m512i) {
    // SAFETY: as many bytes as are stored are writable; no alignment is asked for.
    unsafe {
        let to = to.add(place * REGISTER);
        if REGISTER == 64 {
            _mm512_storeu_si512(to.cast(), row);
        } else {
            _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(row));
        }
    }
}

/// Stores the words of a row.
///
/// # Safety
///
/// The row is writable.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
unsafe fn store_half<const REGISTER: usize>(to: *mut u8, place: usize, row: __m256i) {
    // SAFETY: as many bytes as are stored are writable; no alignment is asked for.
    unsafe {
        let to = to.add(place * (REGISTER / 2));
        if REGISTER == 64 {
            _mm256_storeu_si256(to.cast(), row);
        } else {
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::Noise;

    use super::*;

    #[test]
    fn dot_products_without_vnni_are_those_of_the_portable_kernel() {
        if Avx512::detect().is_none() {
            eprintln!("not run: dot products at level avx512, which this CPU lacks");
            return;
        }
        let mut noise = Noise::new(0x0d07);
        let (mut weights, mut accumulators, mut activations) = ([0; BLOCK], [0; BLOCK], [0; ACTIVATIONS]);
        for round in 0..20_000 {
            let mut draw = |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = noise.bits(8) as u8);
            draw(&mut weights);
            draw(&mut accumulators);
            draw(&mut activations);
            let integer = |code: usize| Integer { bits: 1 << (code % 4) as u8, is_signed: code / 4 % 2 == 1 };
            let pair = (integer(round), integer(round / 8));
            let num_products = if pair.0.bits == 8 || pair.1.bits == 8 { 4 } else { 8 } << noise.below(4);
            let recipe = Recipe {
                work: Work::Integers { weights: pair.0, activations: pair.1 },
                num_products,
                channels: [8, 16][noise.below(2)],
                pitch: num_products * usize::from(pair.1.bits),
                num_rows: MOST_ROWS,
                source: Datum::Word,
                destination: Datum::Word,
            };
            let mut file: Vec<u8> = [&weights[..], &accumulators, &activations, &[0; BLOCK]].concat();
            let (weights, accumulators, activations) = (0, Some(BLOCK), 2 * BLOCK);
            let places = Places { weights, activations, accumulators, destination: 2 * BLOCK + ACTIVATIONS };
            let mut expected = file.clone();
            dpas::by_block(&recipe, &places, &mut expected, |operands, to| {
                portable::dpas::integers(&recipe, pair, operands, to);
            });
            integers(&recipe, pair, &places, &mut file, false);
            assert!(file == expected, "{recipe:?}");
        }
    }
}
