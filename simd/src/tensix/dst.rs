//! Rows and columns of `Dst`: which are meant, and where they lie.
//!
//! `Adj16` and `Adj32` leave the two low bits of a row in place, on both chips and in every setting, so four rows from a
//! multiple of four on stay four adjacent rows from a multiple of four on.

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::mova2d::DST_ROW;
use tandem_isa::tensix::inst::moves::IMM10;
use tandem_isa::tensix::{Chip, Small};

use super::instruction::{Code, Config};
use crate::vector::Vector;

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

/// Where rows go to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The sum of all that a row number is formed of.
    pub(crate) dst_row: u32,
    pub(crate) rows: DstRows,
}

impl Place {
    /// What the word and the state of a thread say.
    #[inline(always)]
    pub(crate) fn of(chip: Chip, small: &Small, thread: usize, code: &Code) -> Self {
        Place { dst_row: dst_row(small, thread, code), rows: DstRows::new(chip, small) }
    }
}

/// Where the rows of the pages lie in `DstBits`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DstRows {
    /// All bits if rows are remapped, else none.
    remap: u32,
    /// All bits if rows of the 32-bit view are swizzled, else none.
    swizzle: u32,
}

impl DstRows {
    /// The configuration of Blackhole; Wormhole has none.
    #[inline(always)]
    pub(crate) fn new(chip: Chip, small: &Small) -> Self {
        match chip {
            Chip::Wormhole => DstRows { remap: 0, swizzle: 0 },
            Chip::Blackhole => DstRows {
                remap: blackhole::DEST_ACCESS_CFG_remap_addrs.get_in(small.dest_access_cfg).wrapping_neg(),
                swizzle: blackhole::DEST_ACCESS_CFG_swizzle_32b.get_in(small.dest_access_cfg).wrapping_neg(),
            },
        }
    }

    /// Whether rows of the 32-bit view are swizzled.
    #[inline(always)]
    pub(crate) const fn is_swizzled(self) -> bool {
        self.swizzle != 0
    }

    /// The row of `DstBits` that is `Dst16b[row]`.
    #[inline(always)]
    pub(crate) const fn adj16(self, row: u32) -> usize {
        self.remapped(row) as usize
    }

    /// The row of `DstBits` that holds the high half of `Dst32b[row]`; the low half is eight rows further.
    #[inline(always)]
    pub(crate) const fn adj32(self, row: u32) -> usize {
        let row = self.remapped(row);
        let swizzled = (row & 0x3f3) ^ ((row & 0x18) >> 1) ^ ((row & 4) << 1);
        let row = row ^ ((row ^ swizzled) & self.swizzle);
        (((row & 0x1f8) << 1) | (row & 0x207)) as usize
    }

    #[inline(always)]
    const fn remapped(self, row: u32) -> u32 {
        let remapped = (row & 0x3c7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2);
        row ^ ((row ^ remapped) & self.remap)
    }
}

#[cfg(test)]
mod tests {
    use super::DstRows;

    #[test]
    fn four_rows_from_a_multiple_of_four_stay_four_adjacent_rows() {
        for (remap, swizzle) in [(0, 0), (0, !0), (!0, 0), (!0, !0)] {
            let rows = DstRows { remap, swizzle };
            for row in 0..1024 {
                for adj in [DstRows::adj16, DstRows::adj32] {
                    assert_eq!(adj(rows, row), adj(rows, row & !3) + (row & 3) as usize);
                    assert_eq!(adj(rows, row & !3) % 4, 0);
                    assert!(adj(rows, row) < 1024);
                }
                assert!(rows.adj32(row) & 8 == 0);
            }
        }
    }

    #[test]
    fn eight_rows_stay_adjacent_in_the_16_bit_view_and_without_a_swizzle_in_the_other() {
        for (remap, swizzle) in [(0, 0), (0, !0), (!0, 0), (!0, !0)] {
            let rows = DstRows { remap, swizzle };
            for row in 0..1024 {
                assert_eq!(rows.adj16(row), rows.adj16(row & !7) + (row & 7) as usize);
                assert_eq!(rows.adj16(row & !7) % 8, 0);
                if !rows.is_swizzled() {
                    assert_eq!(rows.adj32(row), rows.adj32(row & !7) + (row & 7) as usize);
                    assert_eq!(rows.adj32(row & !7) % 16, 0);
                }
            }
        }
    }
}
