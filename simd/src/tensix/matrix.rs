//! `MVMUL`, `GAPOOL`, `ELWADD`, `ELWSUB` and `ELWMUL` in their integer style, on both chips; and what `GMPOOL` begins and ends
//! with, too.
//!
//! The gate asks for both banks; formats and fidelity phase become one mask for each source ([`Operand`]). A datum is masked,
//! its sign applied to its magnitude, and zero taken instead where its exponent is zero. Matrices are multiplied by pairs of
//! 16 bits: of `SrcA` the data of two rows share a lane, of `SrcB` those of two columns share a word, and eight sums of two products
//! are a row of the result. Then two rows at a time are added to `Dst`, whose 32-bit data are sign and magnitude there.
//!
//! What differs from the pages (MVMUL, GAPOOL, ELWADD, ELWSUB, ELWMUL, MatrixUnit), and why it is equal:
//! 1. `TruncateSrc` and the mask of a fidelity phase are one mask: both only take bits away before anything is looked at.
//! 2. Masked magnitudes are below 2^10, so data and both operands of a product have 16 bits, and sums of 16 products far less
//!    than 32.
//! 3. `SaturateAddInt32` needs no 64 bits: where both operands have a sign that the sum does not have, the largest magnitude of
//!    that sign is taken; -2^31 becomes -(2^31 - 1) by a maximum.
//! 4. `DstEncodeInt32` and `DstDecodeInt32` are shifts and masks of halves: the high half has sign, the middle seven bits of the
//!    magnitude, and its eight high ones.
//! 5. Without `AddDst`, `Dst` counts as zero: a sum of two data is far from saturating.
//! 6. `Adj32` leaves the two low bits of a row in place, so four rows are one run, and eight are unless Blackhole swizzles.
//! 7. `MVMUL` with `BroadcastSrcBRow`: the mask `0x400 - 7` leaves bit 0 of the row, and the rows 0, 2, 4 and 6 from there on get one
//!    and the same product.
//!
//! Where the pages promise nothing: the 16 rows of `SrcA` from row 56 on go on with row 0; float styles are `Unsupported`.

use std::cell::Cell;
use std::marker::PhantomData;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::matrix::{
    ADD_DST, BROADCAST_COL0, BROADCAST_ROW, MVMUL_BROADCAST_ROW, addr_mod, pool_addr_mod,
};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Small, Tensix, Views};
use tandem_isa::{Answer, CodeField};

use super::control::flip;
use super::lanewise::{Code, Decoded, Instruction};
use super::mova2d::Place;
use super::moves::{Modes, dst_row, truncated};
use super::rwcs::apply_addr_mod;
use super::sfpu::{DstRows, all_if};
use crate::vector::{Row, Vector, row_of};

// ------------------------------------------------------------------------------------------------ beginning and end

/// What an instruction knows before it computes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) chip: Chip,
    pub(super) thread: usize,
    /// The banks of `SrcA` and `SrcB`.
    pub(super) banks: [usize; 2],
    pub(super) modes: Modes,
    /// `SrcAFmt`.
    pub(super) srca_fmt: u32,
    /// The bits of data that `TruncateSrc` keeps, of `SrcA` and of `SrcB`.
    pub(super) kept: [u32; 2],
    /// Where in `Dst`.
    pub(super) to: Place,
}

impl Begun {
    /// Nothing if a bank is not the Matrix Unit's.
    #[inline(always)]
    pub(super) fn new(chip: Chip, small: &Small, code: &Code) -> Option<Self> {
        let banks @ [a, b] = [small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank].map(|bank| (bank & 1) as usize);
        if (small.srca_allowed_client[a] != MATRIX_UNIT) | (small.srcb_allowed_client[b] != MATRIX_UNIT) {
            return None;
        }
        let thread = (small.current_thread as usize).min(2);
        let modes = Modes::of(chip, small, thread);
        let srca_fmt = modes.srca_fmt(small.implied_srca_fmt[a]);
        let kept = [srca_fmt, modes.srcb_fmt(small.implied_srcb_fmt[b])].map(|fmt| truncated(chip, fmt));
        let to = Place { dst_row: dst_row(small, thread, code), rows: DstRows::new(chip, small) };
        Some(Begun { chip, thread, banks, modes, srca_fmt, kept, to })
    }

    /// Whether data are integer "8", and `Dst` integer "32".
    #[inline(always)]
    pub(super) const fn is_integer(&self) -> bool {
        self.modes.int8 & !self.modes.force
    }

    /// The operands that are not multiplied.
    #[inline(always)]
    const fn whole(&self) -> [Operand; 2] {
        let [kept_a, kept_b] = self.kept;
        [Operand { kept: kept_a, not_flushed: 0 }, Operand { kept: kept_b, not_flushed: self.modes.flushed_exponent }]
    }

    /// The operands of a product, by the fidelity phase.
    #[inline(always)]
    fn in_phase(&self, small: &Small) -> [Operand; 2] {
        let base = self.chip.pick(config::FIDELITY_BASE_Phase, blackhole::FIDELITY_BASE_Phase);
        let phase = small.rwcs[self.thread].fidelity_phase.wrapping_add(base.get(&small.thread_config[self.thread]));
        let [mut a, mut b] = self.whole();
        a.kept &= [0x4_e0ff, 0x4_1fff][(phase & 1) as usize];
        b.kept &= [0x7_f0ff, 0x4_0fff][(phase >> 1 & 1) as usize];
        [a, b]
    }

    /// Flips banks, and advances the counters.
    #[inline(always)]
    pub(super) fn end<V: Vector>(
        &self,
        level: V::Level,
        small: &mut Small,
        code: &Code,
        addr_mod: CodeField,
    ) -> Answer {
        flip(self.chip, small, self.thread, code);
        let words = &small.thread_config[self.thread];
        apply_addr_mod::<V>(level, self.chip, &mut small.rwcs[self.thread], words, addr_mod.get(code));
        Answer::Done
    }
}

// ------------------------------------------------------------------------------------------------ data

/// How the data of a source are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// The bits that are looked at.
    kept: u32,
    /// All bits if a datum counts although its exponent is zero, else none.
    not_flushed: u32,
}

impl Operand {
    /// `ReadSrcInt8`.
    #[inline(always)]
    fn read<V: Vector>(self, data: V) -> V {
        let data = data & data.like(self.kept);
        let is_flushed = ((data | data.like(self.not_flushed)) & data.like(0xff)).is_zero();
        let magnitude = data.shift_right_all(8) & data.like(0x3ff);
        let value = negated(data.shift_left_all(13).is_negative(), magnitude);
        V::select(is_flushed, data.like(0), value)
    }
}

/// The negative of each lane of `which`, and the others as they are.
#[inline(always)]
pub(super) fn negated<V: Vector>(which: V::Mask, lanes: V) -> V {
    V::select(which, lanes.like(0) - lanes, lanes)
}

/// `DstDecodeInt32` of high and low halves.
#[inline(always)]
fn decoded<V: Vector>(high: V, low: V) -> V {
    let high_bits = (high & high.like(0xff)).shift_left_all(23);
    let magnitude = high_bits | (high & high.like(0x7f00)).shift_left_all(8) | low;
    negated(high.shift_left_all(16).is_negative(), magnitude)
}

/// `DstEncodeInt32`, as high and low halves.
#[inline(always)]
fn encoded<V: Vector>(value: V) -> (V, V) {
    let magnitude = negated(value.is_negative(), value);
    let sign = value.shift_right_all(16) & value.like(0x8000);
    let middle = magnitude.shift_right_all(8) & value.like(0x7f00);
    (sign | middle | magnitude.shift_right_all(23), magnitude & value.like(0xffff))
}

/// `SaturateAddInt32`.
#[inline(always)]
fn saturating_sum<V: Vector>(x: V, y: V) -> V {
    let sum = x + y;
    let has_overflowed = ((sum ^ x) & (sum ^ y)).is_negative();
    let largest = V::select(y.is_negative(), y.like(1 << 31), y.like(!0 >> 1));
    V::select(has_overflowed, largest, sum).max(y.like(1 << 31 | 1))
}

// ------------------------------------------------------------------------------------------------ to Dst

/// Rows of numbers, a chunk at a time.
trait Numbers<V>: Copy {
    /// Chunk `chunk` of row `row`.
    fn numbers(&self, row: usize, chunk: usize) -> V;
}

/// Adds `N` rows of numbers to rows of `Dst`, or puts them there.
#[inline(always)]
fn put<V: Vector, const N: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    to: Place,
    adds: bool,
    from: impl Numbers<V>,
) {
    let row = to.dst_row & (0x400 - N as u32);
    if N == 8 && to.rows.is_swizzled() {
        put_run::<V, 4>(level, views, to.rows.adj32(row), adds, from, 0);
        put_run::<V, 4>(level, views, to.rows.adj32(row + 4), adds, from, 4);
    } else {
        put_run::<V, N>(level, views, to.rows.adj32(row), adds, from, 0);
    }
}

/// The same from row `number` of the numbers on, for adjacent rows of `DstBits` from `first` on, which become valid.
#[inline(always)]
fn put_run<V: Vector, const N: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    first: usize,
    adds: bool,
    from: impl Numbers<V>,
    number: usize,
) {
    if adds {
        views.dst_row_valid(Access::Read, first, N);
        views.dst(Access::Read, first, N);
        views.dst(Access::Read, first + 8, N);
    }
    let valid = views.dst_row_valid(Access::Write, first, N);
    let [high, low] = [first, first + 8].map(|row| views.dst(Access::Write, row, N));
    for pair in V::one_by_one(0..N.div_ceil(2)) {
        let mut halves = [[row_of(V::splat(level, 0)); 2]; 2];
        for half in 0..N.min(2) {
            let row = 2 * pair + half;
            let added = V::splat(level, all_if(adds & (valid[row].get() != 0)));
            let [old_high, old_low] = [high, low].map(|rows| V::load_row(level, &rows[8 * row..][..8]));
            for chunk in 0..16 / V::LANES {
                let old = decoded(old_high[chunk], old_low[chunk]) & added;
                let new = saturating_sum(from.numbers(number + row, chunk), old);
                (halves[0][half][chunk], halves[1][half][chunk]) = encoded(new);
            }
        }
        for (to, rows) in [high, low].into_iter().zip(halves) {
            if N == 1 {
                V::store_row(level, rows[0], !0, to);
            } else {
                V::store_two_rows(level, rows, !0, &to[16 * pair..][..16]);
            }
        }
    }
    valid.iter().for_each(|valid| valid.set(1));
}

// ------------------------------------------------------------------------------------------------ MVMUL, GAPOOL

/// `MVMUL`.
pub(crate) struct Mvmul;

impl Instruction for Mvmul {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        if MVMUL_BROADCAST_ROW.get(&code) != 0 {
            multiply::<V, 1>(level, chip, &code, tensix, addr_mod(chip))
        } else {
            multiply::<V, 8>(level, chip, &code, tensix, addr_mod(chip))
        }
    }
}

/// `GAPOOL`.
pub(crate) struct Gapool;

impl Instruction for Gapool {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        multiply::<V, 4>(level, chip, &code, tensix, pool_addr_mod(chip))
    }
}

/// Multiplies `N` rows of `SrcB` by 16 rows of `SrcA`. One row is broadcast.
#[inline(always)]
fn multiply<V: Vector, const N: usize>(
    level: V::Level,
    chip: Chip,
    code: &Code,
    tensix: &mut Tensix<'_>,
    addr_mod: CodeField,
) -> Answer {
    let small = &*tensix.small;
    let Some(begun) = Begun::new(chip, small, code) else { return Answer::Blocked };
    if !begun.is_integer() {
        return Answer::Unsupported;
    }
    let [operand_a, operand_b] = begun.in_phase(small);
    let [bank_a, bank_b] = begun.banks;
    let row_a = (small.rwcs[begun.thread].srca & 0x38) as usize;
    let row_b = (small.rwcs[begun.thread].srcb & if N == 1 { 0x3f } else { 0x38 }) as usize;

    let mut views = tensix.views();
    // Two halves, of which the second one may begin again.
    let from_a = [row_a, (row_a + 8) & 0x3f].map(|row| views.srca(Access::Read, bank_a, row, 8));
    let from_b = views.srcb(Access::Read, bank_b, row_b, N);
    let mut rows = [[0; 8]; 8];
    let rows = Cell::from_mut(rows.as_flattened_mut()).as_slice_of_cells();
    for row in V::one_by_one(0..N) {
        let mut data = row_of(V::splat(level, 0));
        for chunk in 0..16 / V::LANES {
            data[chunk] = operand_b.read(V::load(level, &from_b[16 * row..][..16], chunk)) & V::splat(level, 0xffff);
        }
        V::store_row(level, data, !0, &rows[8 * row..][..8]);
    }
    let product = Product { level, columns: &columns::<V>(level, operand_a, from_a), rows };
    if N == 1 {
        let first = begun.to.dst_row & (0x400 - 7);
        let mut row = row_of(V::splat(level, 0));
        for chunk in 0..16 / V::LANES {
            row[chunk] = product.numbers(0, chunk);
        }
        for number in V::one_by_one(0..4) {
            let to = begun.to.rows.adj32(first + 2 * number as u32);
            put_run::<V, 1>(level, &mut views, to, true, Same(row), 0);
        }
    } else {
        put::<V, N>(level, &mut views, begun.to, true, product);
    }
    begun.end::<V>(level, tensix.small, code, addr_mod)
}

/// The data of 16 rows of `SrcA`, of two rows in a lane, by chunks.
#[inline(always)]
fn columns<V: Vector>(level: V::Level, operand: Operand, from: [&[Cell<u32>]; 2]) -> [[V; 8]; 4] {
    let mut columns = [[V::splat(level, 0); 8]; 4];
    for chunk in 0..16 / V::LANES {
        for pair in 0..8 {
            let rows = &from[pair / 4][32 * (pair % 4)..][..32];
            let [low, high] = [&rows[..16], &rows[16..]].map(|row| operand.read(V::load(level, row, chunk)));
            columns[chunk][pair] = (low & low.like(0xffff)) | high.shift_left_all(16);
        }
    }
    columns
}

/// The product of two matrices.
#[derive(Clone, Copy)]
struct Product<'a, V: Vector> {
    level: V::Level,
    columns: &'a [[V; 8]; 4],
    /// Rows of eight words, of two data each.
    rows: &'a [Cell<u32>],
}

impl<V: Vector> Numbers<V> for Product<'_, V> {
    #[inline(always)]
    fn numbers(&self, row: usize, chunk: usize) -> V {
        let row = &self.rows[8 * row..][..8];
        let mut sum = V::splat(self.level, 0);
        for (pair, &columns) in self.columns[chunk].iter().enumerate() {
            sum = sum + columns.multiply_pairs(V::splat(self.level, row[pair].get()));
        }
        sum
    }
}

/// The same row again and again.
#[derive(Clone, Copy)]
struct Same<V>(Row<V>);

impl<V: Vector> Numbers<V> for Same<V> {
    #[inline(always)]
    fn numbers(&self, _: usize, chunk: usize) -> V {
        self.0[chunk]
    }
}

// ------------------------------------------------------------------------------------------------ ELWADD, ELWSUB, ELWMUL

/// What is computed of two data.
trait Element: Copy {
    /// Whether it depends on the fidelity phase.
    const IS_PRODUCT: bool;

    /// The result.
    fn of<V: Vector>(a: V, b: V) -> V;
}

macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident, $is_product:literal: |$a:ident, $b:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name;

        impl Element for $name {
            const IS_PRODUCT: bool = $is_product;

            #[inline(always)]
            fn of<V: Vector>($a: V, $b: V) -> V {
                $result
            }
        }

        impl Instruction for $name {
            #[inline(always)]
            fn execute<V: Vector>(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
                element_wise::<V, Self>(level, step, tensix)
            }
        }
    )*};
}

elements! {
    /// `ELWADD`.
    Elwadd, false: |a, b| a + b;
    /// `ELWSUB`.
    Elwsub, false: |a, b| a - b;
    /// `ELWMUL`.
    Elwmul, true: |a, b| (a & a.like(0xffff)).multiply_pairs(b);
}

/// Computes on eight rows, datum by datum.
#[inline(always)]
fn element_wise<V: Vector, E: Element>(
    level: V::Level,
    Decoded { chip, code, .. }: Decoded,
    tensix: &mut Tensix<'_>,
) -> Answer {
    let small = &*tensix.small;
    let Some(begun) = Begun::new(chip, small, &code) else { return Answer::Blocked };
    if !begun.is_integer() {
        return Answer::Unsupported;
    }
    let operands = if E::IS_PRODUCT { begun.in_phase(small) } else { begun.whole() };
    let adds = E::IS_PRODUCT || ADD_DST.get(&code) != 0;
    let [bank_a, bank_b] = begun.banks;
    let row_a = (small.rwcs[begun.thread].srca & 0x38) as usize;
    let (rows, count, pitch) = if BROADCAST_ROW.get(&code) != 0 { (0x3f, 1, 0) } else { (0x38, 8, 16) };
    let row_b = (small.rwcs[begun.thread].srcb & rows) as usize;
    let col0 = V::mask(level, BROADCAST_COL0.get(&code).wrapping_neg());

    let mut views = tensix.views();
    let from_a = views.srca(Access::Read, bank_a, row_a, 8);
    let from_b = views.srcb(Access::Read, bank_b, row_b, count);
    let results = Elements::<V, E> { level, operands, from_a, from_b, pitch, col0, element: PhantomData };
    put::<V, 8>(level, &mut views, begun.to, adds, results);
    begun.end::<V>(level, tensix.small, &code, addr_mod(chip))
}

/// The results of what is computed datum by datum.
#[derive(Clone, Copy)]
struct Elements<'a, V: Vector, E> {
    level: V::Level,
    operands: [Operand; 2],
    from_a: &'a [Cell<u32>],
    from_b: &'a [Cell<u32>],
    /// Words from one row of `SrcB` to the next.
    pitch: usize,
    /// Whether column 0 takes the place of all.
    col0: V::Mask,
    element: PhantomData<E>,
}

impl<V: Vector, E: Element> Numbers<V> for Elements<'_, V, E> {
    #[inline(always)]
    fn numbers(&self, row: usize, chunk: usize) -> V {
        let [operand_a, operand_b] = self.operands;
        let from_b = &self.from_b[self.pitch * row..][..16];
        let a = V::load(self.level, &self.from_a[16 * row..][..16], chunk);
        let b = V::load(self.level, from_b, chunk);
        let b = V::select(self.col0, V::splat(self.level, from_b[0].get()), b);
        E::of(operand_a.read(a), operand_b.read(b))
    }
}
