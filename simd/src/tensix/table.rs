//! Instructions whose results go by a table: `SFPLUT` and `SFPLUTFP32` on both chips, whose tables stand in registers, and
//! `SFPARECIP` of Blackhole, which has tables of its own.
//!
//! Of the first two, the magnitude of `LReg[3]` says for each lane which registers have its factor and its addend. The lanes of each are
//! a word, so that the registers are put together before anything is computed.
//!
//! What differs from the pages, and why it is equal:
//! 1. Magnitudes are compared as integers: floats without signs have the same order, NaN is above all numbers, and denormals
//!    are below the least bound.
//! 2. Only registers are read that a lane with a result needs.
//! 3. `Lut8ToFp32`: exponent and mantissa lie side by side in both formats, and the former is taken from 127 where it is.
//! 4. `Lut16ToFp32` is of the upper half of a word; the half that a lane needs is brought there. The bits of a mantissa without
//!    exponent stay, which counts as zero.
//! 5. `SFPLUTFP32`: bounds ascend, so a lane whose magnitude is below one is below all that follow. Tables of sixteen bits and
//!    six entries have the upper halves between every two bounds. The table of three entries is that of both bits `0b1010`, as the
//!    newer page says, not of any of them.
//! 6. `SFPARECIP`: the table of `ApproxRecip` has the reciprocals of the middles between numbers of seven bits of mantissa, rounded;
//!    that of `ApproxExp` has the exponentials of numbers of seven bits, cut to seven bits. Both are computed when this is compiled,
//!    with integers: all 128 and 896 entries are those of the page. What is below and above is the first entry and the last ones.
//! 7. `Sign +` puts a bit where none is: the approximations are not negative.
//! 8. The signs of results are copied after NaNs were made, of which Blackhole's then are not canonical.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::sfpload::{MOD0, VD as SFPLUT_VD};
use tandem_isa::tensix::inst::vector::MOD1;
use tandem_isa::tensix::{Access, Chip, Tensix};

use super::float::{Destination, Results, gather};
use super::fma::multiply_add;
use super::instruction::{Code, Decoded, Instruction, vb, vc, vd, vd_in};
use super::lanewise::Lanewise;
use crate::bits::all_if_any;
use crate::vector::Vector;

const SIGN: u32 = 1 << 31;
const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
const ONE_AND_A_HALF: u32 = 0x3fc0_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const FOUR: u32 = 0x4080_0000;

const SGN_RETAIN: u32 = 4;
const INDIRECT_VD: u32 = 8;

// ------------------------------------------------------------------------------------------------ tables in registers

/// For each bound, the lanes whose magnitude is below it.
#[inline(always)]
fn below<V: Vector, const N: usize>(level: V::Level, of: &[Cell<u32>], bounds: [u32; N]) -> [u32; N] {
    let mut below = [0; N];
    for chunk in 0..32 / V::LANES {
        let lanes = V::load(level, of, chunk);
        let magnitude = lanes & lanes.like(!SIGN);
        for (below, bound) in below.iter_mut().zip(bounds) {
            *below |= V::bits((magnitude - lanes.like(bound)).is_negative()) << (chunk * V::LANES);
        }
    }
    below
}

/// Three registers from `first` on, with the lanes of each: those below one, those from there on and below two, and all others.
#[inline(always)]
const fn thirds(first: usize, lanes: u32, [below_one, below_two]: [u32; 2]) -> [(usize, u32); 3] {
    [(first, lanes & below_one), (first + 1, lanes & below_two & !below_one), (first + 2, lanes & !below_two)]
}

/// What the entries of a table are.
trait Entries {
    /// Factor and addend.
    fn of<V: Vector>(&self, level: V::Level, chunk: usize) -> [V; 2];
}

/// The results of a table.
struct ByTable<'a, E> {
    chip: Chip,
    entries: E,
    l3: &'a [Cell<u32>],
    /// The bits of `LReg[3]` that results get.
    retained: u32,
}

impl<V: Vector, E: Entries> Results<V> for ByTable<'_, E> {
    #[inline(always)]
    fn chunk(&self, level: V::Level, chunk: usize) -> V {
        let l3 = V::load(level, self.l3, chunk);
        let [a, c] = self.entries.of::<V>(level, chunk);
        let d = multiply_add(self.chip, a, l3 & l3.like(!SIGN), c);
        (d & d.like(!self.retained)) | (l3 & l3.like(self.retained))
    }
}

/// `SFPLUT`.
pub(crate) struct Sfplut;

impl<V: Vector> Instruction<V> for Sfplut {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let mod0 = MOD0.get(&code);
        let Some(to) = Destination::new::<V>(level, tensix, vd_in(SFPLUT_VD, &code), mod0 & INDIRECT_VD != 0) else {
            return Answer::Done;
        };
        let mut views = tensix.views();
        let l3 = views.lreg(Access::Read, 3);
        let bounds = below::<V, 2>(level, l3, [ONE, TWO]);
        let mut coeffs = [0; 32];
        let coeffs = Cell::from_mut(&mut coeffs[..]).as_slice_of_cells();
        gather::<V>(level, &mut views, thirds(0, to.lanes, bounds), coeffs);
        let retained = all_if_any(mod0, SGN_RETAIN) & SIGN;
        to.put::<V>(level, &mut views, &ByTable { chip, entries: Bytes { coeffs }, l3, retained });
        Answer::Done
    }
}

/// The factor is the second byte of a word, and the addend the first.
struct Bytes<'a> {
    coeffs: &'a [Cell<u32>],
}

impl Entries for Bytes<'_> {
    #[inline(always)]
    fn of<V: Vector>(&self, level: V::Level, chunk: usize) -> [V; 2] {
        let coeffs = V::load(level, self.coeffs, chunk);
        [lut8(coeffs.shift_right_all(8)), lut8(coeffs)]
    }
}

/// `Lut8ToFp32` of the low byte.
#[inline(always)]
fn lut8<V: Vector>(x: V) -> V {
    let sign = x.shift_left_all(24) & x.like(SIGN);
    let placed = x.shift_left_all(19);
    let magnitude = (x.like(ONE) - (placed & x.like(7 << 23))) + (placed & x.like(0xf << 19));
    V::select((!x & x.like(0xff)).is_zero(), x.like(0), sign | magnitude)
}

/// `SFPLUTFP32`.
pub(crate) struct Sfplutfp32;

impl<V: Vector> Instruction<V> for Sfplutfp32 {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const FP16_3ENTRY_TABLE: u32 = 10;
        const FP16_6ENTRY_TABLE1: u32 = 2;
        const FP16_6ENTRY_TABLE2: u32 = 3;
        let mod1 = MOD1.get(&code);
        let Some(to) = Destination::new::<V>(level, tensix, vd(&code), mod1 & INDIRECT_VD != 0) else {
            return Answer::Done;
        };
        let cut = if mod1 & FP16_6ENTRY_TABLE2 == FP16_6ENTRY_TABLE2 { FOUR } else { THREE };
        let mut views = tensix.views();
        let l3 = views.lreg(Access::Read, 3);
        let [b05, b10, b15, b20, below_cut] = below::<V, 5>(level, l3, [HALF, ONE, ONE_AND_A_HALF, TWO, cut]);
        let mut words = [[0; 32]; 2];
        let [a, c] = words.each_mut().map(|words| Cell::from_mut(&mut words[..]).as_slice_of_cells());

        gather::<V>(level, &mut views, thirds(0, to.lanes, [b10, b20]), a);
        let (c, kind) = if mod1 & FP16_3ENTRY_TABLE == FP16_3ENTRY_TABLE {
            (a, Kind::Halves { upper_a: !0, upper_c: 0 })
        } else {
            gather::<V>(level, &mut views, thirds(4, to.lanes, [b10, b20]), c);
            let upper = (b05 ^ b10) | (b15 ^ b20) | !below_cut;
            let halves = Kind::Halves { upper_a: upper, upper_c: upper };
            (c, if mod1 & FP16_6ENTRY_TABLE1 != 0 { halves } else { Kind::Words })
        };
        let retained = all_if_any(mod1, SGN_RETAIN) & SIGN;
        to.put::<V>(level, &mut views, &ByTable { chip, entries: HalvesOrWords { a, c, kind }, l3, retained });
        Answer::Done
    }
}

/// The factors are in one word of each lane, and the addends in another one, or the same.
struct HalvesOrWords<'a> {
    a: &'a [Cell<u32>],
    c: &'a [Cell<u32>],
    kind: Kind,
}

/// Which bits of a word are an entry.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// All of them.
    Words,
    /// A half: in some lanes the upper one.
    Halves { upper_a: u32, upper_c: u32 },
}

impl Entries for HalvesOrWords<'_> {
    #[inline(always)]
    fn of<V: Vector>(&self, level: V::Level, chunk: usize) -> [V; 2] {
        let (a, c) = (V::load(level, self.a, chunk), V::load(level, self.c, chunk));
        match self.kind {
            Kind::Words => [a, c],
            Kind::Halves { upper_a, upper_c } => {
                [lut16(V::mask_of(level, upper_a, chunk), a), lut16(V::mask_of(level, upper_c, chunk), c)]
            }
        }
    }
}

/// `Lut16ToFp32` of one half, the upper one in some lanes.
#[inline(always)]
fn lut16<V: Vector>(upper: V::Mask, words: V) -> V {
    let half = V::select(upper, words, words.shift_left_all(16));
    let placed = half.shift_right_all(3) & half.like(0x7fff << 13);
    let is_largest = (!placed & half.like(0x1f << 23)).is_zero();
    let magnitude = V::select(is_largest, placed & half.like(0x3ff << 13), placed + half.like(112 << 23));
    (half & half.like(SIGN)) | magnitude
}

// ------------------------------------------------------------------------------------------------ SFPARECIP

/// `SFPARECIP`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sfparecip {
    Recip,
    CondRecip,
    Exp,
}

impl Lanewise for Sfparecip {
    #[inline(always)]
    fn decode(_: Chip, code: &Code) -> ([usize; 2], Self) {
        let [vc, vb] = [vc(code), vb(code)];
        match MOD1.get(code) {
            0 => ([vc; 2], Sfparecip::Recip),
            1 => ([vc, vb], Sfparecip::CondRecip),
            _ => ([vc; 2], Sfparecip::Exp),
        }
    }

    #[inline(always)]
    fn lanes<V: Vector>(&self, c: V, b: V) -> V {
        let sign = c & c.like(SIGN);
        let magnitude = c & c.like(!SIGN);
        match self {
            Sfparecip::Recip => sign | approx_recip(magnitude),
            Sfparecip::CondRecip => V::select(b.is_negative(), approx_recip(magnitude), c),
            Sfparecip::Exp => sign | approx_exp(magnitude),
        }
    }
}

/// `ApproxRecip` of what has no sign.
#[inline(always)]
fn approx_recip<V: Vector>(x: V) -> V {
    const INFINITY: u32 = 0xff << 23;
    let exponent = x.like(253 << 23) - (x & x.like(INFINITY));
    let result = exponent | x.shift_right_all(16).look_up(&RECIPROCALS);
    let result = V::select((x - x.like(253 << 23)).is_negative(), result, x.like(0));
    V::select((x - x.like(1 << 23)).is_negative(), x.like(INFINITY), result)
}

/// `ApproxExp` of what has no sign.
#[inline(always)]
fn approx_exp<V: Vector>(x: V) -> V {
    let place = x.shift_right_all(16) - x.like(FIRST - 1);
    let high = place.max(x.like(0)).min(x.like(LAST)).look_up(&EXPONENTIALS);
    V::select((x - x.like(1 << 23)).is_negative(), x.like(ONE), high | (x & x.like(0xffff)))
}

/// By seven bits of mantissa, those of the reciprocal, in place.
static RECIPROCALS: [u32; 128] = {
    let mut table = [0; 128];
    let mut index = 0;
    while index < 128 {
        // The middle is (257 + 2 * index) / 256, and twice its reciprocal has the mantissa; half is added to round.
        let twice_middle = 257 + 2 * index as u32;
        table[index] = ((2 * 0x1_0000 + twice_middle) / (2 * twice_middle) - 128) << 16;
        index += 1;
    }
    table
};

/// The upper half of the first number that the table of exponentials is for.
const FIRST: u32 = 0x3c80;
/// The place of what is above all of them.
const LAST: u32 = 1 + (TWO >> 16) - FIRST;

/// By the upper half of a number, counted from that before `FIRST`, the upper half of its exponential in place: first what is for
/// all lesser ones, and from `LAST` on what is for all greater ones.
static EXPONENTIALS: [u32; 1024] = {
    let mut table = [FOUR; 1024];
    table[0] = 0x3f81_0000;
    let mut place = 1;
    while place < LAST {
        table[place as usize] = exponential(FIRST + place - 1) << 16;
        place += 1;
    }
    table
};

/// The upper half of the exponential of a number, both as FP32: of a number with this upper half, from 1/64 on and below 2.
const fn exponential(upper_half: u32) -> u32 {
    /// Bits after the point.
    const POINT: u32 = 60;
    let x = ((upper_half & 0x7f) as u128 | 0x80) << (POINT + (upper_half >> 7) - 134);
    let (mut sum, mut term, mut n) = (1 << POINT, 1 << POINT, 1);
    while n <= 32 {
        term = ((term * x) >> POINT) / n;
        sum += term;
        n += 1;
    }
    let exponent = (sum >> POINT).ilog2();
    (127 + exponent) << 7 | ((sum >> (POINT - 7 + exponent)) as u32 & 0x7f)
}
