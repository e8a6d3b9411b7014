//! `MOVA2D` and `MOVDBGA2D`: move one row or eight rows from `SrcA` to `Dst`; and what `MOVB2D` does in the same way.
//!
//! The gate is asked, unless it is `MOVDBGA2D`; the configuration decides once what happens to every datum ([`Recipe`]) and
//! which of three kinds of write it is; the row numbers are formed; all rows are moved; AddrMod advances the counters.
//! A datum becomes `(x >> 3) & !exponent | x & exponent`: above eight bits of exponent there are sign and seven bits of mantissa,
//! above five there are sign and ten bits of mantissa. `TruncateSrc` of `MOVB2D` takes bits of `x` away before.
//!
//! What differs from the pages (MOVA2D, commits 22812eeb and 88d4bf9c; MOVDBGA2D; MOVB2D), and why it is equal:
//! 1. `RemoveLowMantissa` and `RemoveHighExponent` are one formula. Both shift sign and mantissa right by three and
//!    keep the low exponent bits in place; only the boundary between the two differs.
//! 2. Flushing compares the eight exponent bits with a value that they never have when flushing is off. It looks at the
//!    whole datum, so it comes before truncation; zero is truncated to zero.
//! 3. The formats are a 16-bit set, so membership is a shift and a mask.
//! 4. In the 16-bit view the eight rows of an aligned block are adjacent in `DstBits`, on both chips. In the 32-bit view
//!    they are two runs of adjacent rows, unless Blackhole swizzles: then each half of the block is.
//! 5. `Dst32b[…] & 0xffff0000 | …` writes back the high half that it has read, which changes something only if the row
//!    was invalid and so read as zero: the high halves of invalid rows are cleared, and the others are left alone.
//! 6. `LowMantissa |= Val16b` is an *or* with a masked value, so the two 32-bit writes of the page are one. (The
//!    newest page calls the case undefined; it is executed as in the other edition.)
//! 7. If all columns are blocked, no row is touched or marked: there is nothing to write.
//! 8. One row for eight: it is converted eight times, or as often as the compiler likes.

use std::cell::Cell;

use tandem_isa::tensix::inst::mova2d::{MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::addr_mod;
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Tensix, Views, format};
use tandem_isa::{Answer, Edition};

use super::dst::{Place, open_columns};
use super::instruction::{Decoded, Instruction, thread_of};
use super::modes::{EIGHT_BIT_EXPONENT, Modes};
use super::rwcs::{Counters, apply_addr_mod};
use crate::bits::all_if;
use crate::vector::{Row, Vector, row_of};

/// What happens to every datum of one instruction. A 16-bit value has the bits `(x >> 3) & !exponent | x & exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Bits of a datum that truncation keeps.
    pub(crate) kept: u32,
    /// Bits that come from the datum in place. The others are sign and mantissa.
    pub(crate) exponent: u32,
    /// The value of the eight exponent bits with which a datum is flushed to zero: 0, or one that they never have.
    pub(crate) flushed_exponent: u32,
    /// Bits of the 16-bit value that also go to the low half of a 32-bit write: none or all.
    pub(crate) low_from_value: u32,
}

impl Recipe {
    /// What becomes of data of which `kept` are the bits that truncation keeps.
    #[inline(always)]
    pub(crate) fn new(eight_bit_exponent: bool, kept: u32, modes: &Modes, use_dst32b_lo: u32) -> Self {
        Recipe {
            kept: kept & 0x7_ffff,
            exponent: if eight_bit_exponent { 0xff } else { 0x1f },
            flushed_exponent: modes.flushed_exponent,
            low_from_value: use_dst32b_lo.wrapping_neg() & 0xffff,
        }
    }
}

/// The three kinds of write.
#[derive(Clone, Copy)]
pub(crate) enum Write {
    /// 16 bits, to `Dst16b`.
    Narrow,
    /// 32 bits, to `Dst32b`.
    Wide,
    /// The low half of `Dst32b`, under the high half that is there.
    Low,
}

impl Write {
    /// The kind, by `UseDst32b` and `UseDst32bLo`.
    #[inline(always)]
    pub(crate) const fn new(wide: bool, use_dst32b_lo: u32) -> Self {
        match (wide, use_dst32b_lo != 0) {
            (true, _) => Write::Wide,
            (false, true) => Write::Low,
            (false, false) => Write::Narrow,
        }
    }
}

/// `Use8bExponent` and `UseDst32b` of the newest pages, by the format of `SrcA`.
#[inline(always)]
pub(crate) fn exponent_and_width(chip: Chip, fmt: u32, modes: &Modes) -> (bool, bool) {
    let by_format = (EIGHT_BIT_EXPONENT >> fmt) & 1 != 0;
    let tf32 = (fmt == format::TF32) | (chip == Chip::Blackhole) & modes.fp32;
    ((by_format | modes.fp32 | modes.int8) & !modes.force, tf32 & !modes.force)
}

/// `MOVA2D`.
pub(crate) struct Mova2d;

impl<V: Counters + MoveRows> Instruction<V> for Mova2d {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        if small.srca_allowed_client[(small.matrix_unit_srca_bank & 1) as usize] != MATRIX_UNIT {
            return Answer::Blocked;
        }
        execute::<V>(level, step, tensix)
    }
}

/// `MOVDBGA2D`.
pub(crate) struct Movdbga2d;

impl<V: Counters + MoveRows> Instruction<V> for Movdbga2d {
    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        execute::<V>(level, Decoded { edition: Edition::Newest, ..step }, tensix)
    }
}

#[inline(always)]
fn execute<V: Counters + MoveRows>(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
    let Decoded { chip, edition, code } = step;
    let small = &*tensix.small;
    let bank = (small.matrix_unit_srca_bank & 1) as usize;
    let thread = thread_of(small);
    let modes = Modes::of(chip, small, thread);
    let fmt = modes.srca_fmt(small.implied_srca_fmt[bank]);
    let (eight_bit_exponent, wide) = match (chip, edition) {
        (Chip::Wormhole, Edition::Spec) => ((EIGHT_BIT_EXPONENT >> fmt) & 1 != 0 && !modes.force, fmt == format::TF32),
        _ => exponent_and_width(chip, fmt, &modes),
    };
    let use_dst32b_lo = USE_DST32B_LO.get(&code);
    let recipe = Recipe::new(eight_bit_exponent, !0, &modes, use_dst32b_lo);
    let columns = open_columns::<V>(level, small);
    let to = Place::of(chip, small, thread, &code);
    let write = Write::new(wide, use_dst32b_lo);
    let src_row = SRC_ROW.get(&code).wrapping_add(small.rwcs[thread].srca);

    if columns != 0 {
        let mut views = tensix.views();
        if MOVE8_ROWS.get(&code) != 0 {
            let from = views.srca(Access::Read, bank, (src_row & 0x38) as usize, 8);
            execute_rows::<V, 8, 16>(level, &mut views, &recipe, columns, write, from, to);
        } else {
            let from = views.srca(Access::Read, bank, (src_row & 0x3f) as usize, 1);
            execute_rows::<V, 1, 16>(level, &mut views, &recipe, columns, write, from, to);
        }
    }

    apply_addr_mod::<V>(level, chip, tensix.small, thread, addr_mod(chip).get(&code));
    Answer::Done
}

/// Moves `N` rows, which lie `PITCH` words apart, to an aligned block of `N` rows, and makes them valid.
#[inline(always)]
pub(crate) fn execute_rows<V: MoveRows, const N: usize, const PITCH: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    recipe: &Recipe,
    columns: u32,
    write: Write,
    from: &[Cell<u32>],
    to: Place,
) {
    let Place { dst_row, rows } = to;
    let dst_row = dst_row & (0x400 - N as u32);
    if let Write::Narrow = write {
        execute_run::<V, N, PITCH>(level, views, recipe, columns, write, from, rows.adj16(dst_row));
    } else if N == 8 && rows.is_swizzled() {
        for half in 0..2 {
            let first = rows.adj32(dst_row + 4 * half);
            let from = &from[4 * PITCH * half as usize..];
            execute_run::<V, 4, PITCH>(level, views, recipe, columns, write, from, first);
        }
    } else {
        execute_run::<V, N, PITCH>(level, views, recipe, columns, write, from, rows.adj32(dst_row));
    }
}

/// Moves `N` rows to adjacent rows of `DstBits` from `first` on, and, if they are of 32 bits, eight rows further.
#[inline(always)]
fn execute_run<V: MoveRows, const N: usize, const PITCH: usize>(
    level: V::Level,
    views: &mut Views<'_>,
    recipe: &Recipe,
    columns: u32,
    write: Write,
    from: &[Cell<u32>],
    first: usize,
) {
    if let Write::Low = write {
        clear_invalid::<V, N>(level, views, columns, first);
    }
    let high = views.dst(Access::Write, first, N);
    views.dst_row_valid(Access::Write, first, N).iter().for_each(|valid| valid.set(1));
    match write {
        Write::Narrow => V::move_rows::<N, PITCH>(level, recipe, columns, from, high, None),
        Write::Wide => {
            V::move_rows::<N, PITCH>(level, recipe, columns, from, high, Some(views.dst(Access::Write, first + 8, N)));
        }
        Write::Low => {
            V::move_rows::<N, PITCH>(level, recipe, columns, from, views.dst(Access::Write, first + 8, N), None);
        }
    }
}

/// Clears those of `N` rows that are not valid, which have to be looked at before they are marked as written.
#[inline(always)]
fn clear_invalid<V: Vector, const N: usize>(level: V::Level, views: &mut Views<'_>, columns: u32, first: usize) {
    let valid = views.dst_row_valid(Access::Read, first, N);
    views.dst(Access::Read, first, N);
    let high = views.dst(Access::Write, first, N);
    let nothing = row_of(V::splat(level, 0));
    for row in (0..N).step_by(2) {
        let invalid = |row: usize| columns & all_if(valid[row].get() == 0);
        if N == 1 {
            V::store_row(level, nothing, invalid(row), high);
        } else {
            let invalid = invalid(row) | invalid(row + 1) << 16;
            V::store_two_rows(level, [nothing; 2], invalid, &high[8 * row..][..16]);
        }
    }
}

/// How rows of data become rows of 16-bit values.
pub(crate) trait MoveRows: Vector {
    /// Puts `N` rows of data, which lie `PITCH` words apart, into rows of 16-bit values; if there are low halves, these are the
    /// high ones.
    #[inline(always)]
    fn move_rows<const N: usize, const PITCH: usize>(
        level: Self::Level,
        recipe: &Recipe,
        columns: u32,
        from: &[Cell<u32>],
        to: &[Cell<u32>],
        low: Option<&[Cell<u32>]>,
    ) {
        for pair in Self::one_by_one(0..N.div_ceil(2)) {
            let row = 2 * pair;
            if N == 1 {
                let (value, low_half) = recipe.row::<Self>(level, from);
                Self::store_row(level, value, columns, to);
                if let Some(low) = low {
                    Self::store_row(level, low_half, columns, low);
                }
            } else {
                let (value0, low_half0) = recipe.row::<Self>(level, &from[PITCH * row..][..16]);
                let (value1, low_half1) = recipe.row::<Self>(level, &from[PITCH * (row + 1)..][..16]);
                let columns = columns | columns << 16;
                Self::store_two_rows(level, [value0, value1], columns, &to[8 * row..][..16]);
                if let Some(low) = low {
                    Self::store_two_rows(level, [low_half0, low_half1], columns, &low[8 * row..][..16]);
                }
            }
        }
    }
}

impl Recipe {
    /// The 16-bit values of a row of data, which are the high halves of 32-bit ones, and the low halves of these: three
    /// bits of mantissa that the high half lacks come first.
    #[inline(always)]
    fn row<V: Vector>(&self, level: V::Level, from: &[Cell<u32>]) -> (Row<V>, Row<V>) {
        let mut rows = (row_of(V::splat(level, 0)), row_of(V::splat(level, 0)));
        for chunk in 0..16 / V::LANES {
            let data = V::load(level, from, chunk);
            let is_flushed = ((data & data.like(0xff)) ^ data.like(self.flushed_exponent)).is_zero();
            let data = V::select(is_flushed, data.like(0), data & data.like(self.kept));
            let exponent = data.like(self.exponent);
            let value = (data.shift_right_all(3) & !exponent) | (data & exponent);
            let low_mantissa = data.shift_left_all(5) & data.like(0xe000);
            rows.0[chunk] = value;
            rows.1[chunk] = low_mantissa | (value & data.like(self.low_from_value));
        }
        rows
    }
}
