//! The views of `Dst` and its row validity.
//!
//! *Source*: pages Dst (`Adj32`, which mark an access uses) and ZEROACC (what an invalid row reads as).

use super::{Flaw, Run, Write};

impl Run<'_> {
    /// The rows of `DstBits` that hold the high and the low half of `Dst32b[row]`.
    fn halves(&self, row: usize) -> (usize, usize) {
        let high = if self.has(Flaw::ViewUnadjusted) {
            row
        } else if self.has(Flaw::Adj32WithoutHalf) {
            (row & 0x1f8) << 1 | row & 0x007
        } else {
            (row & 0x1f8) << 1 | row & 0x207
        };
        let distance = if self.has(Flaw::LowHalfAtFour) { 4 } else { 8 };
        (high, (high + distance) & 0x3ff)
    }

    /// The row whose mark in `DstRowValid` an access uses.
    fn marked_row(&self, write: Write, row: usize) -> usize {
        match write {
            Write::Half => row,
            Write::Lo | Write::Tf32 { .. } if self.has(Flaw::ValidityUnadjusted) => row,
            Write::Lo | Write::Tf32 { .. } if self.has(Flaw::ValidityOfLowHalf) => self.halves(row).1,
            Write::Lo | Write::Tf32 { .. } => self.halves(row).0,
        }
    }

    pub(super) fn is_valid(&mut self, write: Write, row: usize) -> bool {
        let marked = self.marked_row(write, row);
        self.has(Flaw::ValidityIgnored) || self.tensix.dst_row_valid(marked)
    }

    pub(super) fn mark_valid(&mut self, write: Write, row: usize) {
        if self.has(Flaw::ValidityIgnored) || self.has(Flaw::WriteLeavesInvalid) {
            return;
        }
        let marked = self.marked_row(write, row);
        self.tensix.set_dst_row_valid(marked, true);
        if self.has(Flaw::ValidityOfBothHalves) && write != Write::Half {
            let (_, low) = self.halves(row);
            self.tensix.set_dst_row_valid(low, true);
        }
    }

    /// Writes a datum of `Dst`; what a Lo write reads depends on whether the row was `valid`.
    pub(super) fn write(&mut self, write: Write, row: usize, column: usize, word: u32, valid: bool) {
        let (upper, lower) = ((word >> 16) as u16, word as u16);
        let (high, low) = self.halves(row);
        match write {
            Write::Half => self.tensix.set_dst_bits(row, column, lower),
            Write::Lo if self.has(Flaw::LoWritesHigh) => {
                let kept = self.read_half(low, column, valid);
                self.tensix.set_dst_bits(high, column, lower);
                self.tensix.set_dst_bits(low, column, kept);
            }
            Write::Lo => {
                let kept = if self.has(Flaw::LoClobbersHigh) { 0 } else { self.read_half(high, column, valid) };
                self.tensix.set_dst_bits(high, column, kept);
                self.tensix.set_dst_bits(low, column, lower);
            }
            Write::Tf32 { .. } if self.has(Flaw::Tf32HalvesSwapped) => {
                self.tensix.set_dst_bits(high, column, lower);
                self.tensix.set_dst_bits(low, column, upper);
            }
            Write::Tf32 { .. } => {
                self.tensix.set_dst_bits(high, column, upper);
                self.tensix.set_dst_bits(low, column, lower);
            }
        }
    }

    /// Half of a datum of `Dst32b`: zero if its row is invalid.
    fn read_half(&mut self, row: usize, column: usize, valid: bool) -> u16 {
        if valid || self.has(Flaw::LoReadsStale) {
            self.tensix.dst_bits(row, column)
        } else if self.has(Flaw::InvalidReadsOnes) {
            0xffff
        } else {
            0
        }
    }
}
