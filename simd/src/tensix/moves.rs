//! Moves from `Dst` to `SrcA` or `SrcB`, from `SrcB` to `Dst` or `SrcA`, and `ZEROACC`, on both chips. Those from `SrcA` to
//! `Dst` are in `mova2d.rs`.
//!
//! The modes are decided once (`modes.rs`), so is what happens to a datum. `MOVB2D` gathers its rows, of which column 0 may
//! take the place of all, and leaves the rest to `mova2d.rs`. A move from `Dst` gives
//! `(a << 3) & left | a & in_place | (b >> 5) & low_mantissa`, where `a` is a 16-bit datum or half of a 32-bit one, and `b` is the
//! low half; a row that is not valid gives zeros. `MOVB2A` masks what it does not flush.
//!
//! What differs from the pages, and why it is equal:
//! 1. `DstVal << 16 | DstVal & 0xffff` has the low half of `Dst32b` in both of its halves: with `UseDst32bLo`, `a` is the low
//!    half. `ShuffleTF32` of the upper 19 bits is `ShuffleBF16` of the upper 16 and three bits of the mantissa beside it.
//!    `DstVal & 0x1fff` is 13 bits of `a` in place.
//! 2. All three shuffles of zero are zero, so an invalid row is masked off at the end.
//! 3. `MOVB2A`: flushing asks for eight bits of the datum as it was; truncation keeps zero as it is.
//! 4. If all columns are blocked, no row is touched or marked.
//! 5. `ZEROACC`: the rows of a mode are runs; a row of the first mode is physical as it stands, or by `Adj32`.
//!
//! Where the pages promise nothing: a 16-bit datum to TF32 is taken as BF16, and `UseDst32bLo` is not looked at there; a bank
//! that is not valid implies what it implied; `FP16A_FORCE_Enable` of `MOVB2D` does what its page says below; `ZEROACC`
//! with `Revert` makes rows valid, and a block of 16 rows beyond the last one is none.

use std::cell::Cell;

use tandem_isa::tensix::config;
use tandem_isa::tensix::inst::mova2d::{SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::{
    Broadcast, IMM10, MOVE4_ROWS, SRCA_ROW, SRCB_ROW, ZEROACC_MODE, addr_mod, revert, use_dst32b,
};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Small, Tensix, Views, format};
use tandem_isa::{Answer, CodeField};

use super::dst::{DstRows, Place, dst_row, open_columns};
use super::instruction::{Code, Config, Decoded, Instruction, thread_of};
use super::modes::{BF16_STYLE, FP16_STYLE, Modes, truncated};
use super::mova2d::{MoveRows, Recipe, Write, execute_rows, exponent_and_width};
use super::rwcs::{Counters, apply_addr_mod};
use crate::bits::all_if;
use crate::vector::{Row, Vector};

/// `ApplyAddrMod`, the last thing that these instructions do.
#[inline(always)]
fn done<V: Counters>(level: V::Level, chip: Chip, small: &mut Small, thread: usize, code: &Code) -> Answer {
    apply_addr_mod::<V>(level, chip, small, thread, addr_mod(chip).get(code));
    Answer::Done
}

// ------------------------------------------------------------------------------------------------ MOVB2D

/// `MOVB2D`.
pub(crate) struct Movb2d;

impl<V: Counters + MoveRows> Instruction<V> for Movb2d {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let bank = (small.matrix_unit_srcb_bank & 1) as usize;
        if small.srcb_allowed_client[bank] != MATRIX_UNIT {
            return Answer::Blocked;
        }
        let thread = thread_of(small);
        let modes = Modes::of(chip, small, thread);
        let implied = small.implied_srcb_fmt[bank];
        let (eight_bit_exponent, wide) = exponent_and_width(chip, modes.srca_fmt(implied), &modes);
        let srcb_fmt = if modes.force { format::FP16 } else { modes.srcb_fmt(implied) };
        let use_dst32b_lo = USE_DST32B_LO.get(&code);
        let recipe = Recipe::new(eight_bit_exponent, truncated(chip, srcb_fmt), &modes, use_dst32b_lo);
        let write = Write::new(wide, use_dst32b_lo);
        let columns = open_columns::<V>(level, small);
        let to = Place::of(chip, small, thread, &code);
        let src_row = SRC_ROW.get(&code).wrapping_add(small.rwcs[thread].srcb);

        if columns != 0 {
            let broadcast = Broadcast::of(chip);
            let col0 = broadcast.col0.get(&code).wrapping_neg();
            let mut views = tensix.views();
            let mut rows = [[0; 16]; 4];
            let rows = Cell::from_mut(rows.as_flattened_mut()).as_slice_of_cells();
            if broadcast.row_to_8.get(&code) != 0 {
                let from = views.srcb(Access::Read, bank, (src_row & 0x3f) as usize, 1);
                gather::<V, 1>(level, from, col0, rows);
                execute_rows::<V, 8, 0>(level, &mut views, &recipe, columns, write, rows, to);
            } else if broadcast.move4_rows.get(&code) != 0 {
                let from = views.srcb(Access::Read, bank, (src_row & 0x3c) as usize, 4);
                gather::<V, 4>(level, from, col0, rows);
                execute_rows::<V, 4, 16>(level, &mut views, &recipe, columns, write, rows, to);
            } else {
                let from = views.srcb(Access::Read, bank, (src_row & 0x3f) as usize, 1);
                gather::<V, 1>(level, from, col0, rows);
                execute_rows::<V, 1, 16>(level, &mut views, &recipe, columns, write, rows, to);
            }
        }
        done::<V>(level, chip, tensix.small, thread, &code)
    }
}

/// Copies `N` rows, or of each column 0 to all columns if `col0` has all bits.
#[inline(always)]
fn gather<V: Vector, const N: usize>(level: V::Level, from: &[Cell<u32>], col0: u32, to: &[Cell<u32>]) {
    let col0 = V::mask(level, col0);
    for row in 0..N {
        let (from, to) = (&from[16 * row..][..16], &to[16 * row..][..16]);
        let first = V::splat(level, from[0].get());
        for chunk in 0..16 / V::LANES {
            V::select(col0, first, V::load(level, from, chunk)).store_all(to, chunk);
        }
    }
}

// ------------------------------------------------------------------------------------------------ MOVB2A

/// `MOVB2A`.
pub(crate) struct Movb2a;

impl<V: Counters> Instruction<V> for Movb2a {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let [bank_a, bank_b] =
            [small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank].map(|bank| (bank & 1) as usize);
        if small.srcb_allowed_client[bank_b] != MATRIX_UNIT {
            return Answer::Blocked;
        }
        let thread = thread_of(small);
        let modes = Modes::of(chip, small, thread);
        let kept = truncated(chip, modes.srcb_fmt(small.implied_srcb_fmt[bank_b]));
        let columns = open_columns::<V>(level, small);
        let to_row = SRCA_ROW.get(&code).wrapping_add(small.rwcs[thread].srca);
        let from_row = SRCB_ROW.get(&code).wrapping_add(small.rwcs[thread].srcb);

        if columns != 0 {
            let mut views = tensix.views();
            if MOVE4_ROWS.get(&code) != 0 {
                let from = views.srcb(Access::Read, bank_b, (from_row & 0x3c) as usize, 4);
                let to = views.srca(Access::Write, bank_a, (to_row & 0x3c) as usize, 4);
                source_rows::<V, 4>(level, modes.flushed_exponent, kept, columns, from, to);
            } else {
                let from = views.srcb(Access::Read, bank_b, (from_row & 0x3f) as usize, 1);
                let to = views.srca(Access::Write, bank_a, (to_row & 0x3f) as usize, 1);
                source_rows::<V, 1>(level, modes.flushed_exponent, kept, columns, from, to);
            }
        }
        done::<V>(level, chip, tensix.small, thread, &code)
    }
}

/// Puts the bits `kept` of `N` rows of data into rows of data, and zero where the exponent is `flushed_exponent`.
#[inline(always)]
fn source_rows<V: Vector, const N: usize>(
    level: V::Level,
    flushed_exponent: u32,
    kept: u32,
    columns: u32,
    from: &[Cell<u32>],
    to: &[Cell<u32>],
) {
    let open = open_chunks::<V>(level, columns);
    for row in V::one_by_one(0..N) {
        let (from, to) = (&from[16 * row..][..16], &to[16 * row..][..16]);
        for (chunk, &open) in open.iter().enumerate().take(16 / V::LANES) {
            let data = V::load(level, from, chunk);
            let is_flushed = ((data & data.like(0xff)) ^ data.like(flushed_exponent)).is_zero();
            V::select(is_flushed, data.like(0), data & data.like(kept)).store(to, chunk, open);
        }
    }
}

/// The masks of the chunks of a row of which `columns` are open.
#[inline(always)]
fn open_chunks<V: Vector>(level: V::Level, columns: u32) -> [V::Mask; 4] {
    // Not by a closure: in a large function it stays one, and is not compiled for the level.
    let mut open = [V::mask_of(level, columns, 0); 4];
    for (chunk, open) in open.iter_mut().enumerate().take(16 / V::LANES) {
        *open = V::mask_of(level, columns, chunk);
    }
    open
}

// ------------------------------------------------------------------------------------------------ MOVD2A, MOVD2B

/// What happens to every datum that comes from `Dst`.
#[derive(Clone, Copy, Debug)]
struct FromDst {
    /// Whether it has 32 bits there.
    wide: bool,
    /// Whether the 16 bits are the low half of them.
    low: bool,
    /// Bits that come from the 16 bits shifted left by three.
    left: u32,
    /// Bits that come from the 16 bits in place.
    in_place: u32,
    /// Bits that come from the low half shifted right by five.
    low_mantissa: u32,
}

impl FromDst {
    #[inline(always)]
    fn new(fmt: u32, modes: &Modes, use_dst32b_lo: u32) -> Self {
        let wide = (modes.fp32 | modes.int8) & !modes.force;
        let fp16 = ((FP16_STYLE >> fmt) & 1 != 0) | modes.force;
        let tf32 = ((BF16_STYLE | FP16_STYLE) >> fmt) & 1 == 0 && wide;
        let low = wide & (use_dst32b_lo != 0);
        let (left, in_place) = match (tf32 & low, fp16) {
            (true, _) => (0, 0x1fff),
            (false, true) => (0x7_ff00, 0x1f),
            (false, false) => (0x7_f800, 0xff),
        };
        FromDst { wide, low, left, in_place, low_mantissa: all_if(tf32 & !low) & 0x700 }
    }
}

/// `MOVD2A`, or `MOVD2B`.
pub(crate) struct Movd2<const IS_SRCB: bool>;
pub(crate) type Movd2a = Movd2<false>;
pub(crate) type Movd2b = Movd2<true>;

impl<V: Counters, const IS_SRCB: bool> Instruction<V> for Movd2<IS_SRCB> {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let thread = thread_of(small);
        let bank = if IS_SRCB { small.matrix_unit_srcb_bank } else { small.matrix_unit_srca_bank };
        let bank = (bank & 1) as usize;
        let (implied, counter) = if IS_SRCB {
            (small.implied_srcb_fmt[bank], small.rwcs[thread].srcb)
        } else {
            (small.implied_srca_fmt[bank], small.rwcs[thread].srca)
        };
        let modes = Modes::of(chip, small, thread);
        let recipe = FromDst::new(modes.srca_fmt(implied), &modes, USE_DST32B_LO.get(&code));
        let columns = open_columns::<V>(level, small);
        let Place { dst_row, rows } = Place::of(chip, small, thread, &code);
        let src_row = SRC_ROW.get(&code).wrapping_add(counter);

        if columns != 0 {
            let mut views = tensix.views();
            if MOVE4_ROWS.get(&code) != 0 {
                let from = DstRun::<4>::read(&mut views, &recipe, rows, dst_row & 0x3fc);
                from.put::<V>(level, &recipe, columns, written::<IS_SRCB>(&mut views, bank, src_row & 0x3c, 4));
            } else {
                let from = DstRun::<1>::read(&mut views, &recipe, rows, dst_row & 0x3ff);
                from.put::<V>(level, &recipe, columns, written::<IS_SRCB>(&mut views, bank, src_row & 0x3f, 1));
            }
        }
        done::<V>(level, chip, tensix.small, thread, &code)
    }
}

/// Rows of `SrcB`, or of `SrcA`, that are written to.
#[inline(always)]
fn written<'a, const IS_SRCB: bool>(views: &mut Views<'a>, bank: usize, row: u32, count: usize) -> &'a [Cell<u32>] {
    if IS_SRCB {
        views.srcb(Access::Write, bank, row as usize, count)
    } else {
        views.srca(Access::Write, bank, row as usize, count)
    }
}

/// `N` adjacent rows of `Dst`.
struct DstRun<'a, const N: usize> {
    valid: &'a [Cell<u8>],
    /// The 16 bits of each datum.
    halves: &'a [Cell<u32>],
    /// The low half of each datum of 32 bits; of 16 bits, the same as `halves`.
    low: &'a [Cell<u32>],
}

impl<'a, const N: usize> DstRun<'a, N> {
    /// The rows from `row` on, a multiple of `N`.
    #[inline(always)]
    fn read(views: &mut Views<'a>, recipe: &FromDst, rows: DstRows, row: u32) -> Self {
        let first = if recipe.wide { rows.adj32(row) } else { rows.adj16(row) };
        let valid = views.dst_row_valid(Access::Read, first, N);
        let high = views.dst(Access::Read, first, N);
        let low = if recipe.wide { views.dst(Access::Read, first + 8, N) } else { high };
        DstRun { valid, halves: if recipe.low { low } else { high }, low }
    }

    /// Puts them into rows of data.
    #[inline(always)]
    fn put<V: Vector>(&self, level: V::Level, recipe: &FromDst, columns: u32, to: &[Cell<u32>]) {
        let open = open_chunks::<V>(level, columns);
        for row in V::one_by_one(0..N) {
            let valid = V::splat(level, all_if(self.valid[row].get() != 0));
            let halves: Row<V> = V::load_row(level, &self.halves[8 * row..][..8]);
            let low: Row<V> = V::load_row(level, &self.low[8 * row..][..8]);
            let to = &to[16 * row..][..16];
            for chunk in 0..16 / V::LANES {
                let (half, low) = (halves[chunk], low[chunk]);
                let data = (half.shift_left_all(3) & half.like(recipe.left))
                    | (half & half.like(recipe.in_place))
                    | (low.shift_right_all(5) & low.like(recipe.low_mantissa));
                (data & valid).store(to, chunk, open[chunk]);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ ZEROACC

/// `ZEROACC`.
pub(crate) struct Zeroacc;

impl<V: Counters> Instruction<V> for Zeroacc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let get = |field: CodeField| field.get(&code);
        let thread = thread_of(tensix.small);
        let mark = get(revert(chip)) as u8;
        match get(ZEROACC_MODE) {
            0 => {
                let small = &*tensix.small;
                let config = Config::of(small, thread);
                let wide =
                    config.get(config::ALU_ACC_CTRL_Fp32_enabled) | config.get(config::ALU_ACC_CTRL_INT8_math_enabled);
                let row = dst_row(small, thread, &code) & 0x3ff;
                let wide_row = DstRows::new(chip, small).adj32(row);
                let row = if wide != 0 { wide_row } else { row as usize };
                set(&mut tensix.views(), row, 1, mark);
            }
            1 => {
                let block = (get(IMM10) & 0xff) as usize;
                let mut views = tensix.views();
                match (get(use_dst32b(chip)) != 0, block) {
                    (true, 0..32) => [0, 16].into_iter().for_each(|row| set(&mut views, 32 * block + row, 8, mark)),
                    (false, 0..64) => set(&mut views, 16 * block, 16, mark),
                    _ => {}
                }
            }
            mode => {
                let mut views = tensix.views();
                let (first, count) = if mode == 2 { (512 * (get(IMM10) as usize & 1), 512) } else { (0, 1024) };
                (first..first + count).step_by(64).for_each(|row| set(&mut views, row, 64, mark));
                return Answer::Done;
            }
        }
        done::<V>(level, chip, tensix.small, thread, &code)
    }
}

/// Marks `count` rows, which lie in one aligned group of 64.
#[inline(always)]
fn set(views: &mut Views<'_>, row: usize, count: usize, mark: u8) {
    views.dst_row_valid(Access::Write, row, count).iter().for_each(|valid| valid.set(mark));
}
