//! An `UNPACR` datum by datum: whatever rows of sixteen data cannot be.

use std::cell::Cell;

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::plan::{BYTE, Exponents, L1_ROW, MOST_DATA, Plan, Target, read};
use crate::tensix::dst::DstRows;
use crate::vector::Vector;

/// Does it, in two walks, of which the first one changes nothing and finds out whether there is to be a second one.
#[cold]
#[inline(never)]
pub(super) fn unpack<V: Vector>(level: V::Level, plan: &Plan, tensix: &mut Tensix<'_>) -> Answer {
    match walk::<V>(level, plan, tensix, false) {
        Answer::Done => walk::<V>(level, plan, tensix, true),
        other => other,
    }
}

/// One walk.
fn walk<V: Vector>(level: V::Level, plan: &Plan, tensix: &mut Tensix<'_>, writes: bool) -> Answer {
    let Plan { size, .. } = *plan;
    let bits = (8 * size / BYTE) as u32;
    let line = i64::from(plan.line);
    let mut from = plan.from;
    let mut exponents = plan.exponents;
    let mut compressed = plan.compressed;
    let mut to = plan.out;
    for number in 1.. {
        if number > plan.data || compressed.is_some_and(|compressed| compressed.most == 0) {
            break;
        }
        if number > MOST_DATA {
            return Answer::Unsupported;
        }
        let Some(datum) = read(plan.chip, tensix, from, bits) else { return Answer::Unsupported };
        from += size;
        if number % plan.line == 0 {
            from = plan.wrap(from - size * line + plan.stride);
        }
        let exponent = match &mut exponents {
            Exponents::All(exponent) => *exponent,
            Exponents::From(address) => {
                let Some(exponent) = read(plan.chip, tensix, *address - *address % BYTE, 8) else {
                    return Answer::Unsupported;
                };
                *address += 1;
                if *address % L1_ROW == 0 {
                    *address = plan.wrap(*address);
                }
                exponent
            }
        };
        let mut zeros = 0;
        if let Some(compressed) = &mut compressed {
            let Some(delta) = read(plan.chip, tensix, compressed.deltas, 4) else { return Answer::Unsupported };
            zeros = delta;
            compressed.deltas += BYTE / 2;
            if compressed.deltas % L1_ROW == 0 {
                from += L1_ROW;
                compressed.deltas = plan.wrap(compressed.deltas + 32 * size);
            }
        }
        let Some(mut value) = value::<V>(level, plan, datum, exponent) else { return Answer::Unsupported };
        if plan.is_all_zero {
            zeros = 0;
        }
        for _ in 0..=zeros {
            if let Some(compressed) = &mut compressed
                && compressed.drop > 0
            {
                compressed.drop -= 1;
                value = 0;
                continue;
            }
            if !plan.is_own {
                return Answer::Blocked;
            }
            for after in 0..=plan.upsample {
                if after == 0 || !plan.skips {
                    match place(plan, to) {
                        Place::Nowhere => {}
                        Place::Undefined => return Answer::Unsupported,
                        Place::At(row, column) if writes => put(plan, tensix, (row, column), value),
                        Place::At(..) => {}
                    }
                }
                value = 0;
                to = to.wrapping_add(1);
            }
            if let Some(compressed) = &mut compressed {
                compressed.most -= 1;
                if compressed.most == 0 {
                    break;
                }
            }
        }
    }
    Answer::Done
}

/// What a datum becomes, if anything is promised.
fn value<V: Vector>(level: V::Level, plan: &Plan, datum: u32, exponent: u32) -> Option<u32> {
    let conversion = plan.conversion?;
    let [datum, exponent] = [datum, exponent].map(|word| V::splat(level, word));
    let words = [const { Cell::new(0) }; 32];
    conversion.undefined(datum, exponent).store_all(&words, 0);
    if words[0].get() != 0 {
        return None;
    }
    conversion.convert(datum, exponent).store_all(&words, 0);
    Some(words[0].get())
}

/// Where a position is.
enum Place {
    /// In no row and column, so that nothing is written.
    Nowhere,
    /// Beyond the rows that there are.
    Undefined,
    /// A row and a column.
    At(usize, usize),
}

fn place(plan: &Plan, to: u32) -> Place {
    let (row, column) = (to / 16, to % 16);
    let at = |row: u32, column: u32| match plan.rows.place(row) {
        None => Place::Undefined,
        Some(row) if plan.transpose => Place::At(row & !15 | column as usize, row & 15),
        Some(row) => Place::At(row, column as usize),
    };
    match plan.target {
        Target::SrcB => at(row, column),
        Target::SrcA if row < 4 || column < plan.column_shift => Place::Nowhere,
        Target::SrcA => at(row - 4, column - plan.column_shift),
        Target::Dst16 | Target::Dst32 => at(row.wrapping_sub(4), column),
    }
}

fn put(plan: &Plan, tensix: &mut Tensix<'_>, (row, column): (usize, usize), value: u32) {
    let rows = DstRows::new(plan.chip, tensix.small);
    match plan.target {
        Target::SrcA => tensix.srca_row_mut(plan.bank, row)[column] = value,
        Target::SrcB => tensix.srcb_row_mut(plan.bank, row)[column] = value,
        Target::Dst16 => {
            let row = rows.adj16(row as u32);
            tensix.set_dst_bits(row, column, value as u16);
            tensix.set_dst_row_valid(row, true);
        }
        Target::Dst32 => {
            let row = rows.adj32(row as u32);
            tensix.set_dst_bits(row, column, (value >> 16) as u16);
            tensix.set_dst_bits(row + 8, column, value as u16);
            tensix.set_dst_row_valid(row, true);
        }
    }
}
