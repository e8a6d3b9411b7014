//! `GMPOOL`: the greatest one of 16 data of each column of `SrcA` and of a datum of `Dst`, on both chips.
//!
//! Every datum becomes a [key](KEY): a number with sign that says how it compares, and when it is visited. The greatest key of a
//! column then tells the maximum, its sign, and of the first eight rows the one whose index is wanted. The configuration
//! decides once how keys are made of `SrcA` ([`Source`]) and of `Dst`, and what becomes of the greatest one ([`Pooled`]). The row of
//! `SrcB` becomes a mask, a sum and a key for each row of `SrcA`.
//!
//! What differs from the page (GMPOOL, with TruncateSrc of MatrixUnit), and why it is equal:
//! 1. Exponent and mantissa are one number `m` of 19 bits, which is what `AsComparable` makes of them. The sum of two exponents does
//!    not wrap: it is at most 510.
//! 2. A key is `m << 6`, all bits of which are inverted for a negative datum, plus twice the number of the visit, from 1 on. So
//!    a greater datum has a greater key by 64 or more; of equal ones, that which is visited last has the greatest: it is the one that `>=`
//!    takes. Equal data differ in their sign at most, which is the lowest bit: it is odd if and only if the datum is negative.
//! 3. The visit with the greatest key among `Dst` and the first eight rows is the one whose index the page has then, and the
//!    other eight rows have none.
//! 4. What `SrcBExponent == 0` gives is a key by itself. Such a row is masked to zeros, and zeros are exchanged for a key of the
//!    row: minus infinity, or else zero.
//! 5. The formats of `Dst` are sums of masked and shifted halves, of which a table has the masks.
//! 6. `(DstVal + 0x100) & 0xf00` has bits of the low half alone. An invalid row has all bits set, which gives zero.

use std::cell::Cell;
use std::hint::black_box;

use tandem_isa::Answer;
use tandem_isa::tensix::inst::matrix::{ARG_MAX, pool_addr_mod};
use tandem_isa::tensix::{Access, Tensix};

use super::instruction::{Decoded, Instruction};
use super::integers::negated;
use super::matrix::Begun;
use super::modes::{BF16_STYLE, FP16_STYLE};
use super::rwcs::Counters;
use crate::bits::all_if;
use crate::vector::{Vector, row_of};

/// By how many bits a key has `m` shifted left: below are twice the number of the visit, and the sign.
const KEY: u32 = 6;

/// The number of the visit of `Dst`.
const FIRST: u32 = 1;

/// The number of the visit of each row of `SrcA`: each four of the first eight rows before the four above.
const VISITS: [u32; 16] = [6, 7, 8, 9, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17];

/// The index of a row, by the number of the visit. That of `Dst` is none.
const INDICES: [u32; 16] = {
    const NONLINEAR: [u32; 8] = [0, 3, 6, 1, 4, 7, 2, 5];
    let mut indices = [0; 16];
    let mut row = 0;
    while row < 8 {
        indices[VISITS[row] as usize] = NONLINEAR[row];
        row += 1;
    }
    indices
};

/// The key of minus infinity at visit 0.
const MINUS_INFINITY: u32 = !(0x7_ffff << KEY);

/// The styles of data, as indices.
const INT: usize = 0;
const FP16: usize = 1;
const BF16: usize = 2;
const TF32: usize = 3;

/// `DstStyle`, by `SrcAStyle`, `UseDst32b` and `ArgMax`.
const DST_STYLES: [[[usize; 2]; 2]; 4] =
    [[[INT, INT]; 2], [[FP16, FP16], [TF32, FP16]], [[BF16, BF16], [TF32, BF16]], [[BF16, INT], [TF32, INT]]];

/// The bits that a datum of `SrcA` has in a key, by style.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// Of the exponent.
    exponent: u32,
    /// Of magnitude or mantissa.
    mantissa: u32,
}

const SOURCES: [Source; 4] = [
    Source { exponent: 0, mantissa: 0x3ff },
    Source { exponent: 0x1f, mantissa: 0x3ff },
    Source { exponent: 0xff, mantissa: 0x3f8 },
    Source { exponent: 0xff, mantissa: 0x3ff },
];

/// How a datum lies in `Dst`, by style: which bits of the halves are which of `m`.
#[derive(Clone, Copy, Debug)]
struct Pooled {
    /// Exponent, lowest in the high half; in `m` from bit 10 on, with `bias` added.
    exponent: u32,
    bias: u32,
    /// Mantissa, in the high half by five bits above its place in `m`.
    mantissa: u32,
    /// The rest of the mantissa, 13 bits above its place in the low half.
    low_mantissa: u32,
    /// Magnitude, in its place in the low half: all that is read, and all that is written.
    low: u32,
    low_written: u32,
    /// Magnitude, in the high half by eight bits below its place in `m`; never written.
    above: u32,
    /// The bits of `m` of which one is to be set, lest zero be written.
    not_zero: u32,
    /// All bits if zero is written as all others are, else none.
    keeps_zero: u32,
}

const POOLED: [Pooled; 4] = {
    const FLOAT: Pooled = Pooled {
        exponent: 0xff,
        bias: 127,
        mantissa: 0x7f00,
        low_mantissa: 0,
        low: 0,
        low_written: 0,
        above: 0,
        not_zero: 0x1ff << 10,
        keeps_zero: 0,
    };
    [
        Pooled {
            exponent: 0,
            bias: 0,
            mantissa: 0,
            low: 0xffff,
            low_written: 0x1fff,
            above: 0x700,
            keeps_zero: !0,
            ..FLOAT
        },
        Pooled { exponent: 0x1f, bias: 15, mantissa: 0x7fe0, not_zero: 0x3f << 10, ..FLOAT },
        FLOAT,
        Pooled { low_mantissa: 7, ..FLOAT },
    ]
};

impl Pooled {
    /// The key of what `Dst` has.
    #[inline(always)]
    fn key<V: Vector>(&self, high: V, low: V) -> V {
        let exponent = (high & high.like(self.exponent)) + high.like(self.bias);
        let mantissa = (high & high.like(self.mantissa)).shift_right_all(5)
            + (low.shift_right_all(13) & low.like(self.low_mantissa));
        let magnitude = (low & low.like(self.low)) + (high & high.like(self.above)).shift_left_all(8);
        key(high.shift_left_all(16), (exponent.shift_left_all(10) + mantissa + magnitude).shift_left_all(KEY))
            + high.like(2 * FIRST)
    }

    /// What is written of the greatest key, as high and low halves.
    #[inline(always)]
    fn halves<V: Vector>(&self, key: V) -> (V, V) {
        let sign = key & key.like(1);
        let m = negated(sign.shift_left_all(31).is_negative(), key.shift_right_arithmetic(key.like(KEY)));
        let is_zero = ((m & m.like(self.not_zero)) | m.like(self.keeps_zero)).is_zero();
        let exponent = (m.shift_right_all(10) - m.like(self.bias)) & m.like(self.exponent);
        let mantissa = (m.shift_left_all(5)) & m.like(self.mantissa);
        let low = (m & m.like(self.low_written)) | (m & m.like(self.low_mantissa)).shift_left_all(13);
        let high = sign.shift_left_all(15) | mantissa | exponent;
        (V::select(is_zero, m.like(0), high), V::select(is_zero, m.like(0), low))
    }
}

/// The key of `m`, shifted already, with the sign that `signs` have, without the visit.
#[inline(always)]
fn key<V: Vector>(signs: V, shifted: V) -> V {
    shifted ^ signs.shift_right_arithmetic(signs.like(31))
}

/// `GMPOOL`.
pub(crate) struct Gmpool;

impl<V: Counters> Instruction<V> for Gmpool {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let Some(begun) = Begun::new(chip, small, &code) else { return Answer::Blocked };
        let arg_max = ARG_MAX.get(&code) != 0;
        let (source, wide) = style(&begun);
        let pooled = DST_STYLES[source][wide as usize][arg_max as usize];
        let row_a = (small.rwcs[begun.thread].srca & 0x30) as usize;
        let row_b = (small.rwcs[begun.thread].srcb & 0x38) as usize;
        let row = begun.to.dst_row & 0x3fc;

        let mut views = tensix.views();
        let from = views.srca(Access::Read, begun.banks[0], row_a, 16);
        let scales = views.srcb(Access::Read, begun.banks[1], row_b, 1);
        let first = if wide { begun.to.rows.adj32(row) } else { begun.to.rows.adj16(row) };
        // The three other rows are read for their phases.
        let read = if wide & arg_max { 4 } else { 1 };
        views.dst_row_valid(Access::Read, first, read);
        views.dst(Access::Read, first, read);
        if wide {
            views.dst(Access::Read, first + 8, read);
        }
        let valid = views.dst_row_valid(Access::Write, first, 4);
        let high = views.dst(Access::Write, first, 4);
        let low = if wide { Some(views.dst(Access::Write, first + 8, 4)) } else { None };

        let invalid = V::splat(level, all_if(valid[0].get() == 0) & 0xffff);
        let nothing = row_of(V::splat(level, 0));
        let old_high = V::load_row(level, &high[..8]);
        let old_low = if let Some(low) = low { V::load_row(level, &low[..8]) } else { nothing };
        let mut tables = [0; 48];
        let tables = Cell::from_mut(&mut tables[..]).as_slice_of_cells();
        let rows = Scales::new::<V>(level, scales, begun.kept, SOURCES[source], tables);
        let (mut new_high, mut new_low) = (nothing, nothing);
        for chunk in 0..16 / V::LANES {
            let (high, low) = (old_high[chunk] | invalid, old_low[chunk] | invalid);
            let dst = POOLED[pooled].key(high, low);
            let mut eight = dst;
            for row in 0..8 {
                eight = eight.max(rows.key(level, from, row, chunk));
            }
            let mut all = eight;
            for row in 8..16 {
                all = all.max(rows.key(level, from, row, chunk));
            }
            (new_high[chunk], new_low[chunk]) = POOLED[pooled].halves(all);
            if arg_max {
                let (only_index, index) = (V::splat(level, all_if(pooled != INT)), index(eight, low));
                new_high[chunk] = new_high[chunk] & only_index;
                new_low[chunk] = (new_low[chunk] & only_index) | index;
            }
        }
        V::store_two_rows(level, [new_high, nothing], !0, &high[..16]);
        V::store_two_rows(level, [nothing; 2], !0, &high[16..32]);
        if let Some(low) = low {
            let mut others = [nothing; 3];
            for (other, row) in others.iter_mut().zip(1..) {
                let old = V::load_row(level, &low[8 * row..][..8]);
                let kept = V::splat(level, all_if(arg_max & (valid[row].get() != 0)));
                for chunk in 0..16 / V::LANES {
                    other[chunk] = phase(old[chunk]) & kept;
                }
            }
            V::store_two_rows(level, [new_low, others[0]], !0, &low[..16]);
            V::store_two_rows(level, [others[1], others[2]], !0, &low[16..32]);
        }
        valid.iter().for_each(|valid| valid.set(1));
        begun.end::<V>(level, tensix.small, &code, pool_addr_mod(chip))
    }
}

/// `SrcAStyle`, and whether `Dst` has 32 bits.
#[inline(always)]
const fn style(begun: &Begun) -> (usize, bool) {
    let (modes, fmt) = (&begun.modes, begun.srca_fmt);
    let fp16 = ((FP16_STYLE >> fmt) & 1 != 0) | modes.force;
    let tf32 = ((BF16_STYLE | FP16_STYLE) >> fmt) & 1 == 0;
    let float = if fp16 { FP16 } else { BF16 + tf32 as usize };
    let integer = begun.is_integer();
    (if integer { INT } else { float }, (modes.fp32 | integer) & !modes.force)
}
const _: () = assert!(TF32 == BF16 + 1);

/// `IndexPhase` of a low half.
#[inline(always)]
fn phase<V: Vector>(low: V) -> V {
    (low + low.like(0x100)) & low.like(0xf00)
}

/// `IndexResult`, by the greatest key of `Dst` and the first eight rows, and the low half of `Dst`.
#[inline(always)]
fn index<V: Vector>(key: V, low: V) -> V {
    let phase = phase(low);
    let visit = (key + (key & key.like(1))) & key.like(0x3f);
    // Three bits for each visit from 2 on, in one word.
    const WORD: u32 = {
        let (mut word, mut visit) = (0, 2);
        while visit < 10 {
            word |= INDICES[visit] << (3 * (visit - 2));
            visit += 1;
        }
        word
    };
    let is_dst = (visit ^ key.like(2 * FIRST)).is_zero();
    let at = visit + visit.shift_right_all(1) - key.like(6);
    let row = key.like(WORD).shift_right(at & key.like(31)) & key.like(7);
    phase | V::select(is_dst, low & low.like(0xff), phase.shift_right_all(4) | row)
}

/// What the rows of `SrcA` are scaled by: for each row a word of each of three tables.
#[derive(Clone, Copy)]
struct Scales<'a> {
    source: Source,
    /// The bits of data that are looked at: none if the exponent of the scale is zero.
    kept: &'a [Cell<u32>],
    /// What is added to exponents, where a key has them.
    sum: &'a [Cell<u32>],
    /// The key where the exponent of a datum is zero, without the visit.
    flushed: &'a [Cell<u32>],
}

impl<'a> Scales<'a> {
    /// The scales that a row of `SrcB` says, with room for the tables.
    #[inline(always)]
    fn new<V: Vector>(
        level: V::Level,
        row: &[Cell<u32>],
        [kept_a, kept_b]: [u32; 2],
        source: Source,
        tables: &'a [Cell<u32>],
    ) -> Self {
        let (kept, sum, flushed) = (&tables[..16], &tables[16..32], &tables[32..48]);
        for chunk in 0..16 / V::LANES {
            let exponent = V::load(level, row, chunk) & V::splat(level, kept_b & 0xff);
            let (is_zero, zero) = (exponent.is_zero(), exponent.like(0));
            V::select(is_zero, zero, zero.like(kept_a)).store_all(kept, chunk);
            (exponent & zero.like(source.exponent)).shift_left_all(10 + KEY).store_all(sum, chunk);
            V::select(is_zero, zero.like(MINUS_INFINITY), zero).store_all(flushed, chunk);
        }
        // A compiler that sees what the words are keeps them where repeating one costs twice as much as a load that does.
        Scales { source, kept: black_box(kept), sum: black_box(sum), flushed: black_box(flushed) }
    }

    /// The keys of a chunk of a row.
    #[inline(always)]
    fn key<V: Vector>(&self, level: V::Level, from: &[Cell<u32>], row: usize, chunk: usize) -> V {
        let data = V::load(level, &from[16 * row..][..16], chunk) & V::splat(level, self.kept[row].get());
        let exponent = (data & data.like(self.source.exponent)).shift_left_all(10 + KEY);
        let mantissa = data.shift_right_all(8 - KEY) & data.like(self.source.mantissa << KEY);
        let scaled = (exponent | mantissa) + data.like(self.sum[row].get());
        let signed = V::select((data & data.like(1 << 18)).is_zero(), scaled, !scaled);
        let is_flushed = (data & data.like(0xff)).is_zero();
        V::select(is_flushed, data.like(self.flushed[row].get()), signed) + data.like(2 * VISITS[row])
    }
}
