//! `MVMUL`, `GAPOOL`, `ELWADD`, `ELWSUB` and `ELWMUL` in their integer style, on both chips; and what `GMPOOL` begins and ends
//! with, too. How data are read and added to `Dst` is in `integers.rs`.
//!
//! The gate asks for both banks; formats and fidelity phase become one mask for each source. Matrices are multiplied by pairs of
//! 16 bits: of `SrcA` the data of two rows share a lane, of `SrcB` those of two columns share a word, and eight sums of two products
//! are a row of the result. Datum by datum, those of both sources share a lane.
//!
//! What differs from the pages (MVMUL, GAPOOL, ELWADD, ELWSUB, ELWMUL), and why it is equal:
//! 1. Masked magnitudes are below 2^10, so data have 16 bits, and sums of 16 products far less than 32. A sum of two data is one of
//!    two products, by 1 and by 1 or -1.
//! 2. `MVMUL` with `BroadcastSrcBRow`: the mask `0x400 - 7` leaves bit 0 of the row, and the rows 0, 2, 4 and 6 from there on get one
//!    and the same product.
//!
//! Where the pages promise nothing: the 16 rows of `SrcA` from row 56 on go on with row 0; float styles are `Unsupported`.

use std::cell::Cell;
use std::hint::black_box;
use std::marker::PhantomData;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::matrix::{
    ADD_DST, BROADCAST_COL0, BROADCAST_ROW, MVMUL_BROADCAST_ROW, addr_mod, pool_addr_mod,
};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Small, Tensix};
use tandem_isa::{Answer, CodeField};

use super::control::flip;
use super::dst::Place;
use super::instruction::{Code, Decoded, Instruction, thread_of};
use super::integers::{Integers, Numbers, Operand, put, put_run};
use super::modes::{Modes, truncated};
use super::rwcs::{Counters, apply_addr_mod};
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
        let (a, b) = ((small.matrix_unit_srca_bank & 1) as usize, (small.matrix_unit_srcb_bank & 1) as usize);
        if (small.srca_allowed_client[a] != MATRIX_UNIT) | (small.srcb_allowed_client[b] != MATRIX_UNIT) {
            return None;
        }
        let thread = thread_of(small);
        let modes = Modes::of(chip, small, thread);
        let srca_fmt = modes.srca_fmt(small.implied_srca_fmt[a]);
        let srcb_fmt = modes.srcb_fmt(small.implied_srcb_fmt[b]);
        let kept = [truncated(chip, srca_fmt), truncated(chip, srcb_fmt)];
        let to = Place::of(chip, small, thread, code);
        Some(Begun { chip, thread, banks: [a, b], modes, srca_fmt, kept, to })
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
    pub(super) fn end<V: Counters>(
        &self,
        level: V::Level,
        small: &mut Small,
        code: &Code,
        addr_mod: CodeField,
    ) -> Answer {
        flip(self.chip, small, self.thread, code);
        apply_addr_mod::<V>(level, self.chip, small, self.thread, addr_mod.get(code));
        Answer::Done
    }
}

// ------------------------------------------------------------------------------------------------ MVMUL, GAPOOL

/// `MVMUL`.
pub(crate) struct Mvmul;

impl<V: Counters + Integers> Instruction<V> for Mvmul {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        if MVMUL_BROADCAST_ROW.get(&code) != 0 {
            multiply::<V, 1>(level, chip, &code, tensix, addr_mod(chip))
        } else {
            multiply::<V, 8>(level, chip, &code, tensix, addr_mod(chip))
        }
    }
}

/// `GAPOOL`.
pub(crate) struct Gapool;

impl<V: Counters + Integers> Instruction<V> for Gapool {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        multiply::<V, 4>(level, chip, &code, tensix, pool_addr_mod(chip))
    }
}

/// Multiplies `N` rows of `SrcB` by 16 rows of `SrcA`. One row is broadcast.
#[inline(always)]
fn multiply<V: Counters + Integers, const N: usize>(
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
    let first = views.srca(Access::Read, bank_a, row_a, 8);
    let from_a = [first, views.srca(Access::Read, bank_a, (row_a + 8) & 0x3f, 8)];
    let from_b = views.srcb(Access::Read, bank_b, row_b, N);
    let mut rows = [[0; 8]; 8];
    let rows = Cell::from_mut(rows.as_flattened_mut()).as_slice_of_cells();
    for pair in V::one_by_one(0..N.div_ceil(2)) {
        let (first, second) = (32 * pair, if N == 1 { 0 } else { 32 * pair + 16 });
        let from = [&from_b[first..][..16], &from_b[second..][..16]];
        V::read_two_rows(level, operand_b, from, &rows[16 * pair..][..16]);
    }
    // A compiler that sees what the words are takes them from vectors, at twice the cost of a load that repeats one.
    let product = Product { level, columns: &columns::<V>(level, operand_a, from_a), rows: black_box(rows) };
    if N == 1 {
        let first = begun.to.dst_row & (0x400 - 7);
        let mut row = row_of(V::splat(level, 0));
        for (chunk, lanes) in row.iter_mut().enumerate().take(16 / V::LANES) {
            *lanes = product.numbers(0, chunk);
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
fn columns<V: Integers>(level: V::Level, operand: Operand, from: [&[Cell<u32>]; 2]) -> [[V; 8]; 4] {
    let mut columns = [[V::splat(level, 0); 8]; 4];
    for (chunk, columns) in columns.iter_mut().enumerate().take(16 / V::LANES) {
        for (pair, lanes) in columns.iter_mut().enumerate() {
            let rows = &from[pair / 4][32 * (pair % 4)..][..32];
            let (low, high) = (V::load(level, &rows[..16], chunk), V::load(level, &rows[16..], chunk));
            *lanes = V::read_pairs([operand; 2], low, high);
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
        for (columns, pair) in self.columns[chunk].iter().zip(row) {
            sum = sum + columns.multiply_pairs(V::splat(self.level, pair.get()));
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

    /// The result, of data of `SrcA` in the low halves and of `SrcB` in the high ones.
    fn of<V: Vector>(pairs: V) -> V;
}

macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident, $is_product:literal: |$pairs:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name;

        impl Element for $name {
            const IS_PRODUCT: bool = $is_product;

            #[inline(always)]
            fn of<V: Vector>($pairs: V) -> V {
                $result
            }
        }

        impl<V: Counters + Integers> Instruction<V> for $name {
            #[inline(always)]
            fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
                element_wise::<V, Self>(level, step, tensix)
            }
        }
    )*};
}

elements! {
    /// `ELWADD`.
    Elwadd, false: |pairs| pairs.multiply_pairs(pairs.like(0x0001_0001));
    /// `ELWSUB`.
    Elwsub, false: |pairs| pairs.multiply_pairs(pairs.like(0xffff_0001));
    /// `ELWMUL`.
    Elwmul, true: |pairs| (pairs & pairs.like(0xffff)).multiply_pairs(pairs.shift_right_all(16));
}

/// Computes on eight rows, datum by datum.
#[inline(always)]
fn element_wise<V: Counters + Integers, E: Element>(
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

impl<V: Integers, E: Element> Numbers<V> for Elements<'_, V, E> {
    #[inline(always)]
    fn numbers(&self, row: usize, chunk: usize) -> V {
        let from_b = &self.from_b[self.pitch * row..][..16];
        let a = V::load(self.level, &self.from_a[16 * row..][..16], chunk);
        let b = V::load(self.level, from_b, chunk);
        let b = V::select(self.col0, V::splat(self.level, from_b[0].get()), b);
        E::of(V::read_pairs(self.operands, a, b))
    }
}
