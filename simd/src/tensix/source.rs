//! Instructions of the Matrix Unit that change `SrcA` or `SrcB` in place, on both chips.
//!
//! `ZEROSRC` finds out which banks are meant, two bits for each register, and fills each with vectors of one value.
//! `TRNSPSRCB` without vectors goes word by word. With them it goes by squares of as many rows and columns as a vector has
//! lanes: of a square and of the one across the diagonal both are read, and then each is written where the other was. A
//! square is transposed on its way in: a vector is loaded from rows four apart, four columns of each, and four such vectors
//! hold squares of four by four, which the level transposes. `SHIFTXB` reads its row and writes it one column further to the
//! left. `SHIFTXA` copies its sixteen rows to between two words more, and reads them from one word further to the left or right.
//!
//! What differs from the pages, and why it is equal:
//! 1. `ZEROSRC`: `~0u` is cut to the 19 bits that a datum has. A bank is one run of rows.
//! 2. `TRNSPSRCB`: words on the diagonal are written back as they are, or not at all, and rows are marked as a whole. A
//!    square on the diagonal is the one across, too. `RowBase` is 16, so the rows are one run, and no number of a row wraps.
//! 3. `SHIFTXB`: column 14 becomes what column 15 was. The page's loop ends one column before that; its title, its summary
//!    and the figures that it names say that all lanes move.
//! 4. `SHIFTXA`: the rows are one run, of which what comes from another row becomes zero. All is read before anything is
//!    written. With a direction that has no name nothing is done.
//! 5. What is at the Wait Gate has changed nothing.

use std::cell::Cell;
use std::hint::select_unpredictable;

use tandem_isa::tensix::inst::source::{
    ADDR_MOD, ADDR_MOD_BH, BOTH_BANKS, CLEAR_SRCA, CLEAR_SRCB, DIRECTION, NEGATIVE_INF_SRCA, SHIFT_IN_ZERO, SHIFT_ROW,
    SINGLE_BANK_MATRIX_UNIT,
};
use tandem_isa::tensix::{Access, MATRIX_UNIT, Small, Tensix};
use tandem_isa::{Answer, CodeField};

use super::instruction::{Decoded, Instruction, thread_of};
use super::rwcs::{Counters, apply_addr_mod};
use crate::bits::choose;
use crate::vector::Vector;

/// `ZEROSRC`.
pub(crate) struct Zerosrc;

impl<V: Vector> Instruction<V> for Zerosrc {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let small = &*tensix.small;
        let bit = |field: CodeField| field.get(&code).wrapping_neg();
        let banks = |clear: u32, matrix_unit: u32, unpacker: u32| {
            let bank = choose(bit(SINGLE_BANK_MATRIX_UNIT), matrix_unit, unpacker) & 1;
            (1 << bank | bit(BOTH_BANKS)) & clear
        };
        let [unpacker_a, unpacker_b] = small.unpackers_src_bank;
        let in_a = banks(bit(CLEAR_SRCA), small.matrix_unit_srca_bank, unpacker_a);
        let in_b = banks(bit(CLEAR_SRCB), small.matrix_unit_srcb_bank, unpacker_b);
        let mut views = tensix.views();
        for bank in 0..2 {
            if (in_a >> bank) & 1 != 0 {
                fill::<V>(level, views.srca(Access::Write, bank, 0, 64), bit(NEGATIVE_INF_SRCA) & 0x7_ffff);
            }
            if (in_b >> bank) & 1 != 0 {
                fill::<V>(level, views.srcb(Access::Write, bank, 0, 64), 0);
            }
        }
        Answer::Done
    }
}

/// Puts one value into all data of a bank.
#[inline(always)]
pub(crate) fn fill<V: Vector>(level: V::Level, bank: &[Cell<u32>], value: u32) {
    let lanes = V::splat(level, value);
    (0..64 * 16 / V::LANES).for_each(|chunk| lanes.store_all(bank, chunk));
}

/// The bank of `SrcB` that the Matrix Unit uses, if it is its own.
#[inline(always)]
const fn own_bank(small: &Small) -> Option<usize> {
    let bank = (small.matrix_unit_srcb_bank & 1) as usize;
    if small.srcb_allowed_client[bank] == MATRIX_UNIT { Some(bank) } else { None }
}

/// `TRNSPSRCB`.
pub(crate) struct Trnspsrcb;

impl<V: Transpose> Instruction<V> for Trnspsrcb {
    #[inline(always)]
    fn execute(level: V::Level, _: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(bank) = own_bank(tensix.small) else { return Answer::Blocked };
        let mut views = tensix.views();
        let [from, to] = [Access::Read, Access::Write].map(|access| views.srcb(access, bank, 16, 16));
        V::transpose(level, from, to);
        Answer::Done
    }
}

/// How rows and columns change places.
pub(crate) trait Transpose: Vector {
    /// Transposes 16 rows of 16 words, which may be written to where they are read: word by word.
    #[inline(always)]
    fn transpose(_: Self::Level, from: &[Cell<u32>], to: &[Cell<u32>]) {
        let (from, to) = (&from[..256], &to[..256]);
        for row in 1..16 {
            for column in 0..row {
                let [below, above] = [16 * row + column, 16 * column + row];
                let (ij, ji) = (from[below].get(), from[above].get());
                to[below].set(ji);
                to[above].set(ij);
            }
        }
    }
}

/// Vectors of two quads, which are four lanes each, or more.
pub(crate) trait Quads: Vector {
    /// Loads the first quad from word `word` of `from` on, and each other one from 64 words further on.
    fn load_quads(level: Self::Level, from: &[Cell<u32>], word: usize) -> Self;

    /// Transposes the squares that quads at the same place of four vectors are.
    fn transpose_quads(rows: [Self; 4]) -> [Self; 4];
}

/// Transposes 16 rows of 16 words by squares.
#[inline(always)]
pub(crate) fn transpose_by_squares<V: Quads>(level: V::Level, from: &[Cell<u32>], to: &[Cell<u32>]) {
    let across = 16 / V::LANES;
    for square in 0..across * across {
        let (row, column) = (square / across, square % across);
        if column <= row {
            let below = transposed::<V>(level, from, row, column);
            let above = transposed::<V>(level, from, column, row);
            put(below, to, column, row);
            put(above, to, row, column);
        }
    }
}

/// A square of as many rows and columns as there are lanes, transposed. Rows and columns are counted by squares.
#[inline(always)]
fn transposed<V: Quads>(level: V::Level, from: &[Cell<u32>], row: usize, column: usize) -> [[V; 4]; 4] {
    let mut square = [[V::splat(level, 0); 4]; 4];
    for (quad, rows) in square[..V::LANES / 4].iter_mut().enumerate() {
        let at = (16 * row + column) * V::LANES + 4 * quad;
        let load = |row: usize| V::load_quads(level, from, at + 16 * row);
        *rows = V::transpose_quads([load(0), load(1), load(2), load(3)]);
    }
    square
}

/// Puts a square to its place.
#[inline(always)]
fn put<V: Vector>(square: [[V; 4]; 4], to: &[Cell<u32>], row: usize, column: usize) {
    for (place, &lanes) in square.as_flattened()[..V::LANES].iter().enumerate() {
        lanes.store_all(to, (row * V::LANES + place) * (16 / V::LANES) + column);
    }
}

/// `SHIFTXB`.
pub(crate) struct Shiftxb;

impl<V: Counters> Instruction<V> for Shiftxb {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { chip, code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Some(bank) = own_bank(tensix.small) else { return Answer::Blocked };
        let thread = thread_of(tensix.small);
        let row = (SHIFT_ROW.get(&code).wrapping_add(tensix.small.rwcs[thread].srcb) & 0x3f) as usize;
        let mut views = tensix.views();
        let [from, to] = [Access::Read, Access::Write].map(|access| views.srcb(access, bank, row, 1));
        let data: [u32; 16] = std::array::from_fn(|column| from[column].get());
        let last = select_unpredictable(SHIFT_IN_ZERO.get(&code) != 0, 0, data[0]);
        to.iter().zip(data[1..].iter().copied().chain([last])).for_each(|(to, datum)| to.set(datum));
        let addr_mod = chip.pick(ADDR_MOD, ADDR_MOD_BH).get(&code);
        apply_addr_mod::<V>(level, chip, tensix.small, thread, addr_mod);
        Answer::Done
    }
}

/// `SHIFTXA`.
pub(crate) struct Shiftxa;

impl<V: Vector> Instruction<V> for Shiftxa {
    #[inline(always)]
    fn execute(level: V::Level, Decoded { code, .. }: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        const RIGHT: u32 = 2;
        const LEFT: u32 = 3;
        let small = &*tensix.small;
        let bank = (small.matrix_unit_srca_bank & 1) as usize;
        if small.srca_allowed_client[bank] != MATRIX_UNIT {
            return Answer::Blocked;
        }
        let from_row = (small.hardware_bug & 0x30) as usize;
        // The first word that is read, of which the block begins at 1, and the column that nothing comes to.
        let (first, vacant) = match DIRECTION.get(&code) {
            RIGHT => (0, 1 << 0),
            LEFT => (2, 1 << 15),
            _ => return Answer::Done,
        };
        let mut views = tensix.views();
        let from = views.srca(Access::Read, bank, from_row, 16);
        let to = views.srca(Access::Write, bank, 0, 16);
        let mut block = [0; 1 + 256 + 1];
        let block = Cell::from_mut(&mut block[..]).as_slice_of_cells();
        for chunk in 0..256 / V::LANES {
            V::load(level, from, chunk).store_all(&block[1..], chunk);
        }
        for chunk in 0..256 / V::LANES {
            let vacant = V::mask_of(level, vacant, chunk % (16 / V::LANES));
            let shifted = V::load(level, &block[first..], chunk);
            V::select(vacant, shifted.like(0), shifted).store_all(to, chunk);
        }
        Answer::Done
    }
}
