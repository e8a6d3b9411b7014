//! `Dst`: the views `Dst16b` and `Dst32b` of its storage, and the mark that each row is valid.
//!
//! *Source*: page Dst (commit 093af914), lines 3 to 30; page ZEROACC (commit 39304719), lines 3 to 7, for what becomes
//! of a row that is not valid. *Errata*: TX-08.
//!
//! `DstBits[row 0..1024][column 0..16]` is 16 bits wide and is the only storage. The debug bit of line 21 of the page,
//! which changes what `Dst16b` means and which the page calls unsupported, is not modelled: it counts as clear.
//!
//! # The mark of a row (TX-08)
//!
//! The mark belongs to the row, not to a datum, so all columns that an instruction reads from a row see the mark as it
//! was before the instruction came to that row. Writing a datum therefore leaves the mark alone; an instruction calls
//! [`finish_dst16b_row`] or [`finish_dst32b_row`] when it is through with the columns of a row that it wrote to.

use std::ops::ControlFlow;

use tandem_isa::tensix::{DST_NEWEST, Tensix};
use tandem_isa::{Citation, Expectation};

use crate::bits::U;

/// Columns of `Dst`, `SrcA` and `SrcB`.
pub const COLUMNS: usize = 16;

/// Rows of `DstBits` from the one with the high 16 bits of a `Dst32b` datum to the one with the low 16 bits.
const LOW_HALF: usize = 8;

static PARTLY_WRITTEN: Citation = Citation {
    page: &DST_NEWEST,
    place: "lines 9-13 and 30",
    reason: "TX-08: a row has one mark for all its columns, and neither this page nor ZEROACC (which does not tell a \
             full write by the Matrix Unit from a partial one) says what the columns that the Matrix Unit leaves out \
             hold after it wrote the other columns of an invalid row",
};

/// `Adj32`: the row of `DstBits` that holds the high 16 bits of `Dst32b[row]`.
///
/// *Source*: page Dst, lines 25-27. Although `row` has ten bits there are 512 images, and bit 3 of each is clear.
#[must_use]
pub fn adj32(row: U<10>) -> U<10> {
    U::new((row & 0x1f8).get() << 1) | (row & 0x207)
}

/// Writes `Dst16b[row][column]`. *Source*: page Dst, line 17.
pub fn set_dst16b(tensix: &mut Tensix<'_>, row: U<10>, column: usize, value: U<16>) {
    tensix.set_dst_bits(row.index(), column, narrow(value));
}

/// Reads `Dst32b[row][column]`; a row that is not valid reads as 0 (TX-08). *Source*: page Dst, lines 19 and 30.
pub fn dst32b(tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> u32 {
    let adj_row = adj32(row).index();
    let high = u32::from(tensix.dst_bits(adj_row, column));
    let low = u32::from(tensix.dst_bits(adj_row + LOW_HALF, column));
    // TX-08: the storage keeps its bits, and the mark says whether they count. The mark of the low half's row is not
    // looked at.
    if tensix.dst_row_valid(adj_row) { high << 16 | low } else { 0 }
}

/// Writes `Dst32b[row][column]`. *Source*: page Dst, line 19.
pub fn set_dst32b(tensix: &mut Tensix<'_>, row: U<10>, column: usize, value: u32) {
    let adj_row = adj32(row).index();
    tensix.set_dst_bits(adj_row, column, narrow(U::new(value >> 16)));
    tensix.set_dst_bits(adj_row + LOW_HALF, column, narrow(U::new(value)));
}

/// Makes `Dst16b[row]` valid after `num_columns` (not 0) of its columns were written.
///
/// *Outcomes*: breaks with [`Expectation::Unspecified`] if a column was left out and the row was not valid (TX-08).
pub fn finish_dst16b_row(tensix: &mut Tensix<'_>, row: U<10>, num_columns: usize) -> ControlFlow<Expectation> {
    finish_row(tensix, row.index(), num_columns)
}

/// Makes `Dst32b[row]` valid, which is one mark, after `num_columns` (not 0) of its columns were written.
///
/// *Outcomes*: breaks with [`Expectation::Unspecified`] if a column was left out and the row was not valid (TX-08).
pub fn finish_dst32b_row(tensix: &mut Tensix<'_>, row: U<10>, num_columns: usize) -> ControlFlow<Expectation> {
    finish_row(tensix, adj32(row).index(), num_columns)
}

/// TX-08 for the physical row whose mark counts. A full write decides without the old mark, so it does not read it.
fn finish_row(tensix: &mut Tensix<'_>, row: usize, num_columns: usize) -> ControlFlow<Expectation> {
    if num_columns < COLUMNS && !tensix.dst_row_valid(row) {
        return ControlFlow::Break(Expectation::Unspecified(&PARTLY_WRITTEN));
    }
    tensix.set_dst_row_valid(row, true);
    ControlFlow::Continue(())
}

fn narrow(value: U<16>) -> u16 {
    u16::try_from(value.get()).expect("16 bits fit in 16 bits")
}

#[cfg(test)]
mod tests {
    use tandem_isa::tensix::{WORMHOLE, bank};

    use super::*;

    #[test]
    fn adj32_moves_bits_3_to_8_up_by_one_and_keeps_bits_0_to_2_and_9() {
        for row in 0..1024_u32 {
            // By arithmetic: whole blocks of eight rows are spread to every other block, and row 512 and above keep
            // their bit 9 whatever the blocks give.
            let spread = row % 512 / 8 * 16 + row % 8;
            let expected = if row >= 512 && spread < 512 { spread + 512 } else { spread };
            assert_eq!(adj32(U::new(row)).get(), expected, "row {row}");
        }
    }

    #[test]
    fn images_of_adj32_and_the_rows_8_further_cover_dst_once() {
        let mut covered = [0; 1024];
        for row in 0..512 {
            let image = adj32(U::new(row)).index();
            covered[image] += 1;
            covered[image + LOW_HALF] += 1;
        }
        assert!(covered.iter().all(|&count| count == 1), "rows 0..512 of Dst32b are a partition of DstBits");
        let all: std::collections::BTreeSet<u32> = (0..1024).map(|row| adj32(U::new(row)).get()).collect();
        assert_eq!(all.len(), 512);
        assert!(all.iter().all(|image| image & 8 == 0));
    }

    #[test]
    fn dst32b_is_split_over_two_rows_and_read_back() {
        let mut state = WORMHOLE.base_state();
        let tensix = &mut Tensix::new(&mut state);
        // Adj32(9): 9 is block 1, row 1 of it; block 1 goes to row 16, so the image is 17, and the low half 25.
        set_dst32b(tensix, U::new(9), 3, 0x1234_5678);
        assert_eq!((tensix.dst_bits(17, 3), tensix.dst_bits(25, 3)), (0x1234, 0x5678));
        assert_eq!(dst32b(tensix, U::new(9), 3), 0x1234_5678);
        // The mark of the low half's row does not count, nor does that of row 9 itself; that of row 17 does.
        tensix.set_dst_row_valid(25, false);
        tensix.set_dst_row_valid(9, false);
        assert_eq!(dst32b(tensix, U::new(9), 3), 0x1234_5678);
        tensix.set_dst_row_valid(17, false);
        assert_eq!(dst32b(tensix, U::new(9), 3), 0);
    }

    #[test]
    fn a_row_becomes_valid_unless_part_of_it_is_left_invalid() {
        for (valid, num_columns, promised) in [(true, 16, true), (true, 1, true), (false, 16, true), (false, 15, false)]
        {
            let mut state = WORMHOLE.base_state();
            let tensix = &mut Tensix::new(&mut state);
            for row in [9, 17, 25] {
                tensix.set_dst_row_valid(row, valid);
            }
            assert_eq!(finish_dst16b_row(tensix, U::new(9), num_columns).is_continue(), promised);
            assert_eq!(finish_dst32b_row(tensix, U::new(9), num_columns).is_continue(), promised);
            assert_eq!((tensix.dst_row_valid(9), tensix.dst_row_valid(17)), (valid || promised, valid || promised));
            assert_eq!(tensix.dst_row_valid(25), valid, "Dst32b[9] has no mark in row 25");
        }
    }

    #[test]
    fn a_full_write_does_not_read_the_mark() {
        let mut state = WORMHOLE.base_state();
        assert!(finish_dst16b_row(&mut Tensix::new(&mut state), U::new(9), COLUMNS).is_continue());
        let mark = WORMHOLE.layout.banks[bank::DST_ROW_VALID].first_row + 9;
        assert!(!state.tracker.log.read.contains(mark) && state.tracker.log.written.contains(mark));
    }
}
