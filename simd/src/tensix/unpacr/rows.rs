//! An `UNPACR` by rows of sixteen data, in blocks of sixteen rows.
//!
//! What a block reads of L1 is gathered first, as it lies there; then rows are taken apart, converted, and stored.

use std::cell::Cell;

use tandem_isa::tensix::{Access, Tensix, Views};

use super::conversion::Conversion;
use super::plan::{BYTE, Exponents, L1_ROW, Plan, Target};
use crate::tensix::dst::DstRows;
use crate::vector::{Row, Vector, row_of};

/// Data of a row, and rows of a block.
const ROW: u32 = 16;
const BLOCK: u32 = ROW * ROW;
/// Words that a row has at most.
const WORDS: usize = ROW as usize;

/// Whether rows are all that there is.
#[inline(always)]
pub(super) fn are_rows(plan: &Plan) -> bool {
    let Plan { upsample, column_shift, transpose, target, out, first, .. } = *plan;
    let is_above = matches!(target, Target::SrcA) && out < 4 * ROW;
    let is_plain = plan.compressed.is_none() && upsample == 0 && column_shift == 0 && !transpose;
    // Else whose the bank is and what is undefined is asked in the order of data.
    plan.is_own && plan.data != 0 && is_plain && !is_above && out % ROW == 0 && first % ROW == 0
}

/// How far L1 has been read.
#[derive(Clone, Copy)]
struct Reader<'a> {
    plan: &'a Plan,
    /// Where the line begins.
    line: i64,
    /// How many of its data have been read.
    read: u32,
    exponents: Exponents,
}

/// A block as it lies in L1.
struct Block {
    words: [u32; 16 * WORDS],
    /// The word at which the first row begins.
    first: usize,
    exponents: [u32; 16],
}

impl Reader<'_> {
    /// Gathers so many data, at most [`BLOCK`], if windows show them.
    #[inline(always)]
    fn gather(&mut self, data: u32, tensix: &mut Tensix<'_>, block: &mut Block) -> Option<()> {
        let plan = self.plan;
        let from = self.line + i64::from(self.read) * plan.size;
        let end = from + i64::from(data) * plan.size;
        block.first = 0;
        if self.read == 0 && plan.stride == i64::from(plan.line) * plan.size && plan.is_straight_to(end) {
            copy(plan, from, end, tensix, &mut block.words)?;
            block.first = (from % L1_ROW / (4 * BYTE)) as usize;
            self.line = end;
        } else {
            self.gather_rows(data, tensix, block)?;
        }
        if let Exponents::From(_) = self.exponents {
            self.gather_exponents(data.div_ceil(ROW), tensix, block)?;
        }
        Some(())
    }

    /// The same, row by row, where lines lie apart.
    #[inline(never)]
    fn gather_rows(&mut self, data: u32, tensix: &mut Tensix<'_>, block: &mut Block) -> Option<()> {
        let plan = self.plan;
        let words_of_row = (i64::from(ROW) * plan.size / (4 * BYTE)) as usize;
        for row in 0..data.div_ceil(ROW) {
            let from = self.line + i64::from(self.read) * plan.size;
            let end = from + i64::from((data - ROW * row).min(ROW)) * plan.size;
            let mut words = [0; WORDS];
            copy(plan, from, end, tensix, &mut words)?;
            let first = (from % L1_ROW / (4 * BYTE)) as usize;
            let to = row as usize * words_of_row;
            block.words[to..to + words_of_row].copy_from_slice(&words[first..first + words_of_row]);
            self.read += ROW;
            if self.read == plan.line {
                self.read = 0;
                self.line = plan.wrap(self.line + plan.stride);
            }
        }
        Some(())
    }

    /// Gathers the exponents of so many rows.
    #[inline(never)]
    fn gather_exponents(&mut self, rows: u32, tensix: &mut Tensix<'_>, block: &mut Block) -> Option<()> {
        let Exponents::From(address) = &mut self.exponents else { return Some(()) };
        let mut held = None;
        for exponent in &mut block.exponents[..rows as usize] {
            let words = match held {
                Some(words) => words,
                None => *held.insert(*tensix.l1_row(self.plan.l1_row(*address)?)?),
            };
            let byte = (*address % L1_ROW / BYTE) as usize;
            *exponent = (words[byte / 4] >> (byte % 4 * 8)) & 0xff;
            *address += BYTE;
            if *address % L1_ROW == 0 {
                *address = self.plan.wrap(*address);
                held = None;
            }
        }
        Some(())
    }
}

/// Copies the rows of L1 that lie from one address to another, if windows show them.
#[inline(always)]
fn copy(plan: &Plan, from: i64, end: i64, tensix: &mut Tensix<'_>, to: &mut [u32]) -> Option<()> {
    let (mut row, last) = (plan.l1_row(from)?, plan.l1_row(end - 1)?);
    let mut place = 0;
    while row <= last {
        let count = (16 - row % 16).min(last + 1 - row);
        let rows = tensix.l1_rows(row, count)?.as_flattened();
        to[place..place + rows.len()].copy_from_slice(rows);
        place += rows.len();
        row += count;
    }
    Some(())
}

/// Does it, if all is defined; else nothing is changed.
#[inline(always)]
pub(super) fn unpack<V: Vector>(level: V::Level, plan: &Plan, tensix: &mut Tensix<'_>) -> Option<()> {
    let conversion = plan.conversion?;
    let rows = plan.data.div_ceil(ROW);
    let first_row = if let Target::SrcB = plan.target { plan.out / ROW } else { (plan.out / ROW).wrapping_sub(4) };
    // Rows ascend, so that those between are there if these are.
    plan.rows.place(first_row)?;
    plan.rows.place(first_row.wrapping_add(rows - 1))?;

    let exponent = if let Exponents::All(exponent) = plan.exponents { exponent } else { 0 };
    let mut block = Block { words: [0; 16 * WORDS], first: 0, exponents: [exponent; 16] };
    // If there are more blocks than one, all are looked at before anything is changed.
    for stores in [false, true] {
        if !stores && plan.data <= BLOCK {
            continue;
        }
        let mut reader = Reader { plan, line: plan.from, read: 0, exponents: plan.exponents };
        let mut done = 0;
        while done < plan.data {
            let data = (plan.data - done).min(BLOCK);
            reader.gather(data, tensix, &mut block)?;
            let first = block.first;
            let words = Cell::from_mut(&mut block.words[first..]).as_slice_of_cells();
            if conversion.may_be_undefined()
                && is_undefined::<V>(level, plan, &conversion, words, &block.exponents, data)
            {
                return None;
            }
            if stores {
                let from = Converted { plan, conversion, words, exponents: &block.exponents };
                from.store::<V>(level, first_row.wrapping_add(done / ROW), data, tensix);
            }
            done += data;
        }
    }
    Some(())
}

/// Takes a row apart.
#[inline(always)]
fn load<V: Vector>(level: V::Level, size: i64, words: &[Cell<u32>], row: usize) -> Row<V> {
    let mut lanes = row_of(V::splat(level, 0));
    match size / (BYTE / 4) {
        // 32 bits.
        16 => {
            for (chunk, lanes) in lanes.iter_mut().enumerate().take(16 / V::LANES) {
                *lanes = V::load(level, &words[16 * row..][..16], chunk);
            }
            return lanes;
        }
        8 => return V::load_row(level, &words[8 * row..][..8]),
        _ => {}
    }
    let apart = [const { Cell::new(0) }; 16];
    match size / (BYTE / 4) {
        4 => spread::<8>(&words[4 * row..][..4], &apart),
        2 => spread::<4>(&words[2 * row..][..2], &apart),
        _ => spread::<2>(&words[row..][..1], &apart),
    }
    for (chunk, lanes) in lanes.iter_mut().enumerate().take(16 / V::LANES) {
        *lanes = V::load(level, &apart, chunk);
    }
    lanes
}

/// Puts data of so many bits into words of their own.
#[inline(always)]
fn spread<const BITS: usize>(words: &[Cell<u32>], to: &[Cell<u32>; 16]) {
    for (word, to) in words.iter().zip(to.chunks_exact(32 / BITS)) {
        for (place, to) in to.iter().enumerate() {
            to.set((word.get() >> (place * BITS)) & ((1 << BITS) - 1));
        }
    }
}

/// Whether nothing is promised of one of so many data.
#[inline(always)]
fn is_undefined<V: Vector>(
    level: V::Level,
    plan: &Plan,
    conversion: &Conversion,
    words: &[Cell<u32>],
    exponents: &[u32; 16],
    data: u32,
) -> bool {
    let mut undefined = V::splat(level, 0);
    for row in 0..data.div_ceil(ROW) {
        let lanes: Row<V> = load(level, plan.size, words, row as usize);
        let exponent = V::splat(level, exponents[row as usize]);
        let open = u32::MAX >> (32 - (data - ROW * row).min(ROW));
        for (chunk, &lanes) in lanes.iter().enumerate().take(16 / V::LANES) {
            let open = V::mask_of(level, open, chunk);
            undefined = undefined | V::select(open, conversion.undefined(lanes, exponent), lanes.like(0));
        }
    }
    V::bits(undefined.is_zero()) != u32::MAX >> (32 - V::LANES)
}

/// A block that is to be stored.
struct Converted<'a> {
    plan: &'a Plan,
    conversion: Conversion,
    words: &'a [Cell<u32>],
    exponents: &'a [u32; 16],
}

impl Converted<'_> {
    /// Converts a row.
    #[inline(always)]
    fn row<V: Vector>(&self, level: V::Level, row: usize) -> Row<V> {
        let mut lanes: Row<V> = load(level, self.plan.size, self.words, row);
        let exponent = V::splat(level, self.exponents[row]);
        for lanes in lanes.iter_mut().take(16 / V::LANES) {
            *lanes = self.conversion.convert(*lanes, exponent);
        }
        lanes
    }

    /// Stores so many data from row `to` on.
    #[inline(always)]
    fn store<V: Vector>(&self, level: V::Level, to: u32, data: u32, tensix: &mut Tensix<'_>) {
        let dst_rows = DstRows::new(self.plan.chip, tensix.small);
        let mut views = tensix.views();
        let rows = data.div_ceil(ROW) as usize;
        let mut row = 0;
        while row < rows {
            // All rows are there, as they have been asked for.
            let place = self.plan.rows.place(to.wrapping_add(row as u32)).unwrap_or(0);
            row += match self.plan.target {
                Target::SrcA | Target::SrcB => {
                    let count = (rows - row).min(64 - place);
                    self.store_source::<V>(level, (row, count), place, data, &mut views);
                    count
                }
                Target::Dst16 | Target::Dst32 => {
                    // Four rows from a multiple of four on stay together.
                    let count = if place.is_multiple_of(4) && rows - row >= 4 { 4 } else { 1 };
                    self.store_dst::<V>(level, (row, count), place as u32, data, (&dst_rows, &mut views));
                    count
                }
            };
        }
    }

    /// The columns of a row that have data, as bits.
    #[inline(always)]
    const fn open(data: u32, row: usize) -> u32 {
        let left = data - ROW * row as u32;
        if left < ROW { (1 << left) - 1 } else { 0xffff }
    }

    #[inline(always)]
    fn store_source<V: Vector>(
        &self,
        level: V::Level,
        (first, count): (usize, usize),
        place: usize,
        data: u32,
        views: &mut Views<'_>,
    ) {
        let bank = self.plan.bank;
        let to = match self.plan.target {
            Target::SrcB => views.srcb(Access::Write, bank, place, count),
            _ => views.srca(Access::Write, bank, place, count),
        };
        for row in 0..count {
            let lanes = self.row::<V>(level, first + row);
            let to = &to[16 * row..][..16];
            let open = Self::open(data, first + row);
            for (chunk, &lanes) in lanes.iter().enumerate().take(16 / V::LANES) {
                if open == 0xffff {
                    lanes.store_all(to, chunk);
                } else {
                    lanes.store(to, chunk, V::mask_of(level, open, chunk));
                }
            }
        }
    }

    #[inline(always)]
    fn store_dst<V: Vector>(
        &self,
        level: V::Level,
        (first, count): (usize, usize),
        place: u32,
        data: u32,
        (dst_rows, views): (&DstRows, &mut Views<'_>),
    ) {
        let is_wide = self.plan.target == Target::Dst32;
        let place = if is_wide { dst_rows.adj32(place) } else { dst_rows.adj16(place) };
        let to = views.dst(Access::Write, place, count);
        let low = if is_wide { views.dst(Access::Write, place + 8, count) } else { to };
        views.dst_row_valid(Access::Write, place, count).iter().for_each(|valid| valid.set(1));
        for row in 0..count {
            let mut lanes = self.row::<V>(level, first + row);
            let open = Self::open(data, first + row);
            if is_wide {
                let mut halves = lanes;
                for (lanes, half) in lanes.iter_mut().zip(&mut halves).take(16 / V::LANES) {
                    *half = *lanes & lanes.like(0xffff);
                    *lanes = lanes.shift_right_all(16);
                }
                V::store_row(level, halves, open, &low[8 * row..][..8]);
            }
            V::store_row(level, lanes, open, &to[8 * row..][..8]);
        }
    }
}
