//! Moves from `Dst` to `SrcA` or `SrcB`, from `SrcB` to `Dst` or `SrcA`, and `ZEROACC`, on both chips. Those from `SrcA` to
//! `Dst` are in `mova2d.rs`.
//!
//! The modes are decided once ([`Modes`]), so is what happens to a datum. `MOVB2D` gathers its rows, of which column 0 may
//! take the place of all, and leaves the rest to `mova2d.rs`. A move from `Dst` gives
//! `(a << 3) & left | a & in_place | (b >> 5) & low_mantissa`, where `a` is a 16-bit datum or half of a 32-bit one, and `b` is the
//! low half; a row that is not valid gives zeros. `MOVB2A` masks what it does not flush.
//!
//! What differs from the pages, and why it is equal:
//! 1. The formats are 16-bit sets, or a table of masks. `SrcAFmt` and `SrcBFmt` are selected by shifts from the configured ones and
//!    the implied one.
//! 2. `DstVal << 16 | DstVal & 0xffff` has the low half of `Dst32b` in both of its halves: with `UseDst32bLo`, `a` is the low
//!    half. `ShuffleTF32` of the upper 19 bits is `ShuffleBF16` of the upper 16 and three bits of the mantissa beside it.
//!    `DstVal & 0x1fff` is 13 bits of `a` in place.
//! 3. All three shuffles of zero are zero, so an invalid row is masked off at the end.
//! 4. `Adj16` and `Adj32` leave the two low bits of a row in place, so four rows are adjacent on both chips.
//! 5. `MOVB2A`: flushing asks for eight bits of the datum as it was; truncation keeps zero as it is.
//! 6. If all columns are blocked, no row is touched or marked.
//! 7. `ZEROACC`: the rows of a mode are runs; a row of the first mode is physical as it stands, or by `Adj32`.
//!
//! Where the pages promise nothing: a 16-bit datum to TF32 is taken as BF16, and `UseDst32bLo` is not looked at there; a bank
//! that is not valid implies what it implied; `FP16A_FORCE_Enable` of `MOVB2D` does what its page says below; `ZEROACC`
//! with `Revert` makes rows valid, and a block of 16 rows beyond the last one is none.

use std::cell::Cell;

use tandem_isa::tensix::config::{self, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::{
    Broadcast, IMM10, MOVE4_ROWS, SRCA_ROW, SRCB_ROW, ZEROACC_MODE, addr_mod, revert, use_dst32b,
};
use tandem_isa::tensix::{Access, Chip, MATRIX_UNIT, Small, Tensix, Views, format};
use tandem_isa::{Answer, CodeField};

use super::lanewise::{Code, Config, Decoded, Instruction, choose, thread_of};
use super::mova2d::{Place, Recipe, Write, execute_rows, exponent_and_width};
use super::rwcs::apply_addr_mod;
use super::sfpu::{DstRows, all_if};
use crate::vector::{Row, Vector};

/// What the configuration of a thread says about moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modes {
    /// The format of `SrcA` that is configured, and in the next four bits that which goes instead of it.
    srca_fmts: u32,
    /// By how many bits the one that goes is to be shifted down: 0, 4, or 8 for the implied one.
    srca_shift: u32,
    srcb_fmts: u32,
    srcb_shift: u32,
    /// `FP16A_FORCE_Enable`.
    pub(crate) force: bool,
    /// `ALU_ACC_CTRL_Fp32_enabled`.
    pub(crate) fp32: bool,
    /// `ALU_ACC_CTRL_INT8_math_enabled`.
    pub(crate) int8: bool,
    /// 0 if denormals are flushed, else all ones.
    pub(crate) flushed_exponent: u32,
}

impl Modes {
    #[inline(always)]
    pub(crate) fn of(chip: Chip, small: &Small, thread: usize) -> Self {
        let words = &small.thread_config[thread];
        let config = Config::of(small, thread);
        // Selects by shifts: which format goes is data to whoever fuzzes.
        let shift = |is_override: u32, not_implied: ThreadConfigField| match chip {
            Chip::Wormhole => 4 * is_override,
            Chip::Blackhole => choose(not_implied.get(words).wrapping_neg(), 4 * is_override, 8),
        };
        let force = chip.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);
        Modes {
            srca_fmts: config.get(config::ALU_FORMAT_SPEC_REG0_SrcA)
                | config.get(config::ALU_FORMAT_SPEC_REG_SrcA_val) << 4,
            srca_shift: shift(
                config.get(config::ALU_FORMAT_SPEC_REG_SrcA_override),
                blackhole::DISABLE_IMPLIED_SRCA_FMT_Base,
            ),
            srcb_fmts: config.get(config::ALU_FORMAT_SPEC_REG1_SrcB)
                | config.get(config::ALU_FORMAT_SPEC_REG_SrcB_val) << 4,
            srcb_shift: shift(
                config.get(config::ALU_FORMAT_SPEC_REG_SrcB_override),
                blackhole::DISABLE_IMPLIED_SRCB_FMT_Base,
            ),
            force: force.get(words) != 0,
            fp32: config.get(config::ALU_ACC_CTRL_Fp32_enabled) != 0,
            int8: config.get(config::ALU_ACC_CTRL_INT8_math_enabled) != 0,
            flushed_exponent: config.get(config::ALU_ACC_CTRL_Zero_Flag_disabled_src).wrapping_neg(),
        }
    }

    /// `SrcAFmt`, where a bank implies `implied`.
    #[inline(always)]
    pub(crate) const fn srca_fmt(&self, implied: u32) -> u32 {
        ((self.srca_fmts | implied << 8) >> self.srca_shift) & 0xf
    }

    /// `SrcBFmt`, where a bank implies `implied`.
    #[inline(always)]
    pub(crate) const fn srcb_fmt(&self, implied: u32) -> u32 {
        ((self.srcb_fmts | implied << 8) >> self.srcb_shift) & 0xf
    }
}

/// The columns that `BLOCK_DEST_MOV`, bits 9 and 10 of lane n for the columns 2n and 2n + 1, leaves open.
#[inline(always)]
pub(crate) fn open_columns<V: Vector>(level: V::Level, small: &Small) -> u32 {
    !V::pairs_of_bits(level, &small.lane_config, 9) & 0xffff
}

/// The sum that the number of a row of `Dst` is formed of. Counters and offsets wrap, so it is to be masked once.
#[inline(always)]
pub(crate) fn dst_row(small: &Small, thread: usize, code: &Code) -> u32 {
    // `Imm10` of `ZEROACC` lies there too.
    DST_ROW
        .get(code)
        .wrapping_add(config::DEST_TARGET_REG_CFG_MATH_Offset.get(&small.thread_config[thread]))
        .wrapping_add(small.rwcs[thread].dst)
        .wrapping_add(Config::of(small, thread).get(config::DEST_REGW_BASE_Base))
}
const _: () = assert!(IMM10.shift == DST_ROW.shift && IMM10.width == DST_ROW.width);

/// `ApplyAddrMod`, the last thing that these instructions do.
#[inline(always)]
fn done<V: Vector>(level: V::Level, chip: Chip, small: &mut Small, thread: usize, code: &Code) -> Answer {
    apply_addr_mod::<V>(level, chip, &mut small.rwcs[thread], &small.thread_config[thread], addr_mod(chip).get(code));
    Answer::Done
}

/// The bits of a datum that `TruncateSrc` keeps on Wormhole, by format.
const TRUNCATED: [u32; 16] = {
    let mut masks = [0x7_f8ff; 16];
    masks[format::FP16 as usize] = 0x7_ff1f;
    masks[FP8 as usize] = 0x7_ff1f;
    masks[BFP8A as usize] = 0x7_ff1f;
    masks[format::INT8 as usize] = 0x7_ff1f;
    masks[BFP4A as usize] = 0x7_f81f;
    masks[BFP2A as usize] = 0x7_f81f;
    masks[format::TF32 as usize] = 0x7_ffff;
    masks
};

const BFP8A: u32 = 2;
const BFP4A: u32 = 3;
const FP8: u32 = 10;
const BFP2A: u32 = 11;

/// The bits of a datum that `TruncateSrc` keeps.
#[inline(always)]
pub(super) fn truncated(chip: Chip, fmt: u32) -> u32 {
    match chip {
        Chip::Wormhole => TRUNCATED[fmt as usize & 0xf],
        Chip::Blackhole => 0x7_ffff,
    }
}

// ------------------------------------------------------------------------------------------------ MOVB2D

/// `MOVB2D`.
pub(crate) struct Movb2d;

impl Instruction for Movb2d {
    const BY_CHIP: bool = true;

    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
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
        let to = Place { dst_row: dst_row(small, thread, &code), rows: DstRows::new(chip, small) };
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

impl Instruction for Movb2a {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
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

/// The formats with which data become BF16 in `SrcA` or `SrcB`, bit = code point.
pub(super) const BF16_STYLE: u32 = 1 << format::FP32
    | 1 << format::BF16
    | 1 << format::BFP8
    | 1 << format::BFP4
    | 1 << format::BFP2
    | 1 << format::INT32
    | 1 << format::INT16;

/// Those with which they become FP16. With the others they become TF32.
pub(super) const FP16_STYLE: u32 =
    1 << format::FP16 | 1 << FP8 | 1 << BFP8A | 1 << BFP4A | 1 << BFP2A | 1 << format::INT8;

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

/// `MOVD2A`.
pub(crate) struct Movd2a;

impl Instruction for Movd2a {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let bank = (small.matrix_unit_srca_bank & 1) as usize;
        let thread = thread_of(small);
        let (implied, counter) = (small.implied_srca_fmt[bank], small.rwcs[thread].srca);
        from_dst::<V>(level, chip, &code, tensix, (thread, implied, counter), |views, row, count| {
            views.srca(Access::Write, bank, row, count)
        })
    }
}

/// `MOVD2B`.
pub(crate) struct Movd2b;

impl Instruction for Movd2b {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let bank = (small.matrix_unit_srcb_bank & 1) as usize;
        let thread = thread_of(small);
        let (implied, counter) = (small.implied_srcb_fmt[bank], small.rwcs[thread].srcb);
        from_dst::<V>(level, chip, &code, tensix, (thread, implied, counter), |views, row, count| {
            views.srcb(Access::Write, bank, row, count)
        })
    }
}

/// Moves rows from `Dst` to a bank, of which the format that it implies and the counter are given.
#[inline(always)]
fn from_dst<V: Vector>(
    level: V::Level,
    chip: Chip,
    code: &Code,
    tensix: &mut Tensix<'_>,
    (thread, implied, counter): (usize, u32, u32),
    to: impl for<'a> Fn(&mut Views<'a>, usize, usize) -> &'a [Cell<u32>],
) -> Answer {
    let small = &*tensix.small;
    let modes = Modes::of(chip, small, thread);
    let recipe = FromDst::new(modes.srca_fmt(implied), &modes, USE_DST32B_LO.get(code));
    let columns = open_columns::<V>(level, small);
    let rows = DstRows::new(chip, small);
    let dst_row = dst_row(small, thread, code);
    let src_row = SRC_ROW.get(code).wrapping_add(counter);

    if columns != 0 {
        let mut views = tensix.views();
        if MOVE4_ROWS.get(code) != 0 {
            let from = DstRun::<4>::read(&mut views, &recipe, rows, dst_row & 0x3fc);
            let to = to(&mut views, (src_row & 0x3c) as usize, 4);
            from.put::<V>(level, &recipe, columns, to);
        } else {
            let from = DstRun::<1>::read(&mut views, &recipe, rows, dst_row & 0x3ff);
            let to = to(&mut views, (src_row & 0x3f) as usize, 1);
            from.put::<V>(level, &recipe, columns, to);
        }
    }
    done::<V>(level, chip, tensix.small, thread, code)
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

impl Instruction for Zeroacc {
    #[inline(always)]
    fn execute<V: Vector>(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
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
