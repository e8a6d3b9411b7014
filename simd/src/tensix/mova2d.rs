//! `MOVA2D`: move one row or eight rows from `SrcA` to `Dst`.
//!
//! The gate is asked; the configuration decides once what happens to every datum ([`Recipe`]) and which of three kinds
//! of write it is; the row numbers are formed; all rows are moved; AddrMod advances the counters.
//! A datum becomes `(x >> 3) & shifted | x & !shifted`: with eight exponent bits `shifted` is sign and seven mantissa
//! bits, with five it is sign and ten mantissa bits.
//!
//! What differs from the page (MOVA2D, commits 22812eeb and 88d4bf9c), and why it is equal:
//! 1. `RemoveLowMantissa` and `RemoveHighExponent` are one formula. Both shift sign and mantissa right by three and
//!    keep the low exponent bits in place; only the boundary between the two differs.
//! 2. Flushing compares the eight exponent bits with a value that they never have when flushing is off.
//! 3. The formats are a 16-bit set, so membership is a shift and a mask.
//! 4. In the 32-bit view the eight rows of an aligned block are two runs of adjacent rows of `DstBits`: `Adj32` of
//!    `8n + i` is `Adj32(8n) + i`, and `Adj32(8n)` is a multiple of 16.
//! 5. `Dst32b[…] & 0xffff0000 | …` writes back the high half that it has read, which changes something only if the row
//!    was invalid and so read as zero: the high halves of invalid rows are cleared, and the others are left alone.
//! 6. `LowMantissa |= Val16b` is an *or* with a masked value, so the two 32-bit writes of the page are one. (The
//!    newest page calls the case undefined; it is executed as in the other edition.)
//! 7. If all columns are blocked, no row is touched or marked: there is nothing to write.

use std::cell::Cell;

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Tensix, format};
use tandem_isa::{Answer, Edition};

use super::lanewise::{Code, Config, Decoded, Instruction};
use super::rwcs::apply_addr_mod;
use super::sfpu::all_if;
use crate::vector::{Row, Vector, row_of};

/// The formats with eight exponent bits, bit = code point.
const EIGHT_BIT_EXPONENT: u32 = 1 << format::FP32
    | 1 << format::TF32
    | 1 << format::BF16
    | 1 << format::BFP8
    | 1 << format::BFP4
    | 1 << format::BFP2
    | 1 << format::INT32
    | 1 << format::INT16;

/// What happens to every datum of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// Bits of the 16-bit value that come from the datum shifted right by three (sign and mantissa); the others come
    /// from the datum in place. The bits above 15 are ones, where the shifted datum has zeros.
    pub(crate) shifted: u32,
    /// The value of the eight exponent bits with which a datum is flushed to zero: 0, or one that they never have.
    pub(crate) flushed_exponent: u32,
    /// Bits of the 16-bit value that also go to the low half of a 32-bit write: none or all.
    pub(crate) low_from_value: u32,
}

/// The three kinds of write.
#[derive(Clone, Copy)]
enum Write {
    /// 16 bits, to `Dst16b`.
    Narrow,
    /// 32 bits, to `Dst32b`.
    Wide,
    /// The low half of `Dst32b`, under the high half that is there.
    Low,
}

/// Where the rows come from and go to.
struct Place {
    bank: usize,
    src_row: usize,
    dst_row: usize,
}

/// `MOVA2D`.
pub(crate) struct Mova2d;

impl Instruction for Mova2d {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        execute::<V>(level, step.edition, &step.code, tensix)
    }
}

#[inline(always)]
fn execute<V: Vector>(level: V::Level, edition: Edition, code: &Code, tensix: &mut Tensix<'_>) -> Answer {
    let small = &*tensix.small;

    let bank = (small.matrix_unit_srca_bank & 1) as usize;
    if small.srca_allowed_client[bank] != MATRIX_UNIT {
        return Answer::Blocked;
    }

    let current_thread = (small.current_thread as usize).min(2);
    let thread_words = &small.thread_config[current_thread];
    let thread = |field: ThreadConfigField| field.get(thread_words);
    let config_words = Config::of(small, current_thread);
    let config = |field: ConfigField| config_words.get(field);
    let rwc = &small.rwcs[current_thread];

    // The data formats.
    // A select by a shift: whether the override is set is data to whoever fuzzes.
    let fmts = config(config::ALU_FORMAT_SPEC_REG0_SrcA) | config(config::ALU_FORMAT_SPEC_REG_SrcA_val) << 4;
    let fmt = (fmts >> (4 * config(config::ALU_FORMAT_SPEC_REG_SrcA_override))) & 0xf;
    let force = thread(config::FP16A_FORCE_Enable) != 0;
    let tf32 = fmt == format::TF32;
    let eight_bit_format = (EIGHT_BIT_EXPONENT >> fmt) & 1 != 0;
    let (eight_bit_exponent, wide) = match edition {
        Edition::Spec => (eight_bit_format & !force, tf32),
        Edition::Newest => {
            let math = config(config::ALU_ACC_CTRL_Fp32_enabled) | config(config::ALU_ACC_CTRL_INT8_math_enabled) != 0;
            ((eight_bit_format | math) & !force, tf32 & !force)
        }
    };
    let use_dst32b_lo = USE_DST32B_LO.get(code);
    let recipe = Recipe {
        shifted: if eight_bit_exponent { !0xff } else { !0x1f },
        // 0 if denormals are flushed, else all ones.
        flushed_exponent: config(config::ALU_ACC_CTRL_Zero_Flag_disabled_src).wrapping_neg(),
        low_from_value: use_dst32b_lo.wrapping_neg() & 0xffff,
    };
    // Bits 9 and 10 of lane n, which are `BLOCK_DEST_MOV`, block the columns 2n and 2n + 1.
    let columns = !V::pairs_of_bits(level, &small.lane_config, 9) & 0xffff;
    let write = match (wide, use_dst32b_lo != 0) {
        (true, _) => Write::Wide,
        (false, true) => Write::Low,
        (false, false) => Write::Narrow,
    };

    // The rows. The counters and offsets wrap, so the sums are masked once.
    let dst_row = DST_ROW
        .get(code)
        .wrapping_add(thread(config::DEST_TARGET_REG_CFG_MATH_Offset))
        .wrapping_add(rwc.dst)
        .wrapping_add(config(config::DEST_REGW_BASE_Base));
    let src_row = SRC_ROW.get(code).wrapping_add(rwc.srca);

    if columns != 0 {
        if MOVE8_ROWS.get(code) != 0 {
            let place = Place { bank, src_row: (src_row & 0x38) as usize, dst_row: (dst_row & 0x3f8) as usize };
            execute_rows::<V, 8>(level, tensix, &recipe, columns, write, place);
        } else {
            let place = Place { bank, src_row: (src_row & 0x3f) as usize, dst_row: (dst_row & 0x3ff) as usize };
            execute_rows::<V, 1>(level, tensix, &recipe, columns, write, place);
        }
    }

    let small = &mut *tensix.small;
    let thread_words = &small.thread_config[current_thread];
    let rwc = &mut small.rwcs[current_thread];
    apply_addr_mod::<V>(level, Chip::Wormhole, rwc, thread_words, ADDR_MOD.get(code));
    Answer::Done
}

/// Moves `N` rows and makes them valid.
#[inline(always)]
fn execute_rows<V: Vector, const N: usize>(
    level: V::Level,
    tensix: &mut Tensix<'_>,
    recipe: &Recipe,
    columns: u32,
    write: Write,
    place: Place,
) {
    let Place { bank, src_row, dst_row } = place;
    let mut views = tensix.views();
    let from = views.srca(Access::Read, bank, src_row, N);
    let first = if let Write::Narrow = write { dst_row } else { adj32(dst_row) };
    match write {
        Write::Narrow => V::move_rows::<N>(level, recipe, columns, from, views.dst(Access::Write, first, N), None),
        Write::Wide => {
            let [high, low] = [first, first + 8].map(|row| views.dst(Access::Write, row, N));
            V::move_rows::<N>(level, recipe, columns, from, high, Some(low));
        }
        Write::Low => {
            let valid = views.dst_row_valid(Access::Read, first, N);
            views.dst(Access::Read, first, N);
            let [high, low] = [first, first + 8].map(|row| views.dst(Access::Write, row, N));
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
            V::move_rows::<N>(level, recipe, columns, from, low, None);
        }
    }
    views.dst_row_valid(Access::Write, first, N).iter().for_each(|valid| valid.set(1));
}

/// Puts `N` rows of data into rows of 16-bit values; if there are low halves, these are the high ones.
#[inline(always)]
pub(crate) fn move_rows<V: Vector, const N: usize>(
    level: V::Level,
    recipe: &Recipe,
    columns: u32,
    from: &[Cell<u32>],
    to: &[Cell<u32>],
    low: Option<&[Cell<u32>]>,
) {
    for pair in V::one_by_one(0..N.div_ceil(2)) {
        let row = 2 * pair;
        if N == 1 {
            let (value, low_half) = recipe.row::<V>(level, from);
            V::store_row(level, value, columns, to);
            if let Some(low) = low {
                V::store_row(level, low_half, columns, low);
            }
        } else {
            let (value0, low_half0) = recipe.row::<V>(level, &from[16 * row..][..16]);
            let (value1, low_half1) = recipe.row::<V>(level, &from[16 * (row + 1)..][..16]);
            let columns = columns | columns << 16;
            V::store_two_rows(level, [value0, value1], columns, &to[8 * row..][..16]);
            if let Some(low) = low {
                V::store_two_rows(level, [low_half0, low_half1], columns, &low[8 * row..][..16]);
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
            let data = V::select(is_flushed, data.like(0), data);
            let value = (data.shift_right_all(3) & data.like(self.shifted)) | (data & data.like(!self.shifted));
            let low_mantissa = data.shift_left_all(5) & data.like(0xe000);
            rows.0[chunk] = value;
            rows.1[chunk] = low_mantissa | (value & data.like(self.low_from_value));
        }
        rows
    }
}

/// The row of `DstBits` that holds the high half of `Dst32b[row]`; the low half is eight rows further (page Dst).
#[inline]
const fn adj32(row: usize) -> usize {
    ((row & 0x1f8) << 1) | (row & 0x207)
}

#[cfg(test)]
mod tests {
    use super::adj32;

    #[test]
    fn adj32_of_an_aligned_block_is_two_runs() {
        for row in 0..1024 {
            assert_eq!(adj32(row), adj32(row & !7) + row % 8);
            assert_eq!(adj32(row & !7) % 16, 0);
        }
    }
}
