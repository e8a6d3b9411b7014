//! The views of `Dst`.
//!
//! *Source*: page Dst of each chip (`Adj16`, `Adj32`, which mark an access consults).

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::config::blackhole;

use super::{Flaw, Place, Sfpu};

/// The row numbers that `DEST_ACCESS_CFG_remap_addrs` selects.
fn remapped(row: usize) -> usize {
    (row & 0x3c7) ^ ((row & 0x030) >> 1) ^ ((row & 0x008) << 2)
}

/// The row numbers that `DEST_ACCESS_CFG_swizzle_32b` selects.
fn swizzled(row: usize) -> usize {
    (row & 0x3f3) ^ ((row & 0x018) >> 1) ^ ((row & 0x004) << 1)
}

impl Sfpu<'_> {
    fn remaps(&self) -> bool {
        self.chip == Chip::Blackhole
            && blackhole::DEST_ACCESS_CFG_remap_addrs.get_in(self.tensix.small.dest_access_cfg) != 0
            && !self.slips(Flaw::LoadRemapIgnored, Flaw::StoreRemapIgnored)
    }

    fn swizzles(&self) -> bool {
        self.chip == Chip::Blackhole
            && blackhole::DEST_ACCESS_CFG_swizzle_32b.get_in(self.tensix.small.dest_access_cfg) != 0
            && !self.slips(Flaw::LoadSwizzleIgnored, Flaw::StoreSwizzleIgnored)
    }

    /// The row of `DstBits` that `Dst16b[row]` is.
    pub fn adj16(&self, row: usize) -> usize {
        let row = if self.remaps() { remapped(row) } else { row };
        let swizzles = self.swizzles() && self.slips(Flaw::LoadSwizzleIn16, Flaw::StoreSwizzleIn16);
        if swizzles { swizzled(row) } else { row }
    }

    /// The rows of `DstBits` that hold the high and the low half of `Dst32b[row]`.
    pub fn halves(&self, row: usize) -> (usize, usize) {
        let remaps = self.remaps() && !self.slips(Flaw::LoadRemapNotIn32, Flaw::StoreRemapNotIn32);
        let swizzles = self.swizzles();
        let mut row = row;
        if swizzles && self.slips(Flaw::LoadSwizzleFirst, Flaw::StoreSwizzleFirst) {
            row = swizzled(row);
            row = if remaps { remapped(row) } else { row };
        } else {
            row = if remaps { remapped(row) } else { row };
            row = if swizzles { swizzled(row) } else { row };
        }
        let high = if self.slips(Flaw::LoadViewUnadjusted, Flaw::StoreViewUnadjusted) {
            row
        } else if self.slips(Flaw::LoadAdj32WithoutHalf, Flaw::StoreAdj32WithoutHalf) {
            (row & 0x1f8) << 1 | row & 0x007
        } else {
            (row & 0x1f8) << 1 | row & 0x207
        };
        let distance = if self.slips(Flaw::LoadLowHalfAtFour, Flaw::StoreLowHalfAtFour) { 4 } else { 8 };
        let low = (high + distance) & 0x3ff;
        if self.slips(Flaw::LoadHalvesSwapped, Flaw::StoreHalvesSwapped) { (low, high) } else { (high, low) }
    }

    /// `Dst16b[row][column]`.
    pub fn dst16(&mut self, place: Place) -> u32 {
        let row = self.adj16(place.row);
        if self.has(Flaw::LoadControlInvalidZero) && !self.tensix.dst_row_valid(row) {
            return 0;
        }
        u32::from(self.tensix.dst_bits(row, place.column))
    }

    /// `Dst32b[row][column]`.
    pub fn dst32(&mut self, place: Place) -> u32 {
        let (high, low) = self.halves(place.row);
        let consulted = if self.has(Flaw::LoadControlInvalidZero) {
            Some(high)
        } else if self.has(Flaw::LoadLowHalfMark) {
            Some(low)
        } else if self.has(Flaw::LoadMarkUnadjusted) {
            Some(place.row)
        } else {
            None
        };
        if consulted.is_some_and(|row| !self.tensix.dst_row_valid(row)) {
            return 0;
        }
        let upper = u32::from(self.tensix.dst_bits(high, place.column));
        let lower = if self.has(Flaw::LoadLowHalfLost) { 0 } else { self.tensix.dst_bits(low, place.column) };
        upper << 16 | u32::from(lower)
    }

    /// Writes `Dst16b[row][column]`.
    pub fn set_dst16(&mut self, place: Place, word: u32) {
        let row = self.adj16(place.row);
        self.before_write(row, row, place.column);
        self.tensix.set_dst_bits(row, place.column, word as u16);
        self.after_write(row);
    }

    /// Writes `Dst32b[row][column]`.
    pub fn set_dst32(&mut self, place: Place, word: u32) {
        let (high, low) = self.halves(place.row);
        self.before_write(high, high, place.column);
        self.before_write(high, low, place.column);
        self.tensix.set_dst_bits(high, place.column, (word >> 16) as u16);
        if !self.has(Flaw::StoreLowHalfLost) {
            self.tensix.set_dst_bits(low, place.column, word as u16);
        }
        self.after_write(high);
        if self.has(Flaw::StoreLowHalfMarked) {
            self.tensix.set_dst_row_valid(low, true);
        }
        if self.has(Flaw::StoreMarkUnadjusted) {
            self.tensix.set_dst_row_valid(place.row, true);
        }
    }

    fn before_write(&mut self, marked: usize, row: usize, column: usize) {
        if self.has(Flaw::StoreControlInvalidClears) && !self.tensix.dst_row_valid(marked) {
            for other in (0..16).filter(|&other| other & 1 != column & 1) {
                self.tensix.set_dst_bits(row, other, 0);
            }
        }
    }

    fn after_write(&mut self, marked: usize) {
        if self.has(Flaw::StoreMarksInvalid) {
            self.tensix.set_dst_row_valid(marked, false);
        }
        if self.has(Flaw::StoreControlMarksValid) {
            self.tensix.set_dst_row_valid(marked, true);
        }
    }
}
