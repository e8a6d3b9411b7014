//! `Dst`: the views `Dst16b` and `Dst32b` of its storage, and the mark that each row is valid.
//!
//! *Source*: page Dst (commit 093af914, one for each chip), lines 3 to 30 on Wormhole and to 43 on Blackhole, and section
//! Pseudocode helpers; page ZEROACC (commit 39304719), lines 3 to 7, for what becomes of a row that is not valid.
//! *Errata*: TX-08.
//!
//! `DstBits[row 0..1024][column 0..16]` is 16 bits wide and is the only storage. The debug bit of line 21 of the page,
//! which changes what `Dst16b` means and which the page calls unsupported, is not modelled: it counts as clear.
//!
//! # The mark of a row (TX-08)
//!
//! The mark belongs to the row, not to a datum, so all columns that an instruction reads from a row see the mark as it
//! was before the instruction came to that row. Writing a datum therefore leaves the mark alone; an instruction calls
//! [`finish_dst16b_row`] or [`finish_dst32b_row`] when it is through with the columns of a row that it wrote to.
//!
//! That is the Matrix Unit, which Wormhole alone has here. The Vector Unit is promised nothing on an invalid row that it
//! reads or writes in part, and all it writes is part of a row: see [`load_dst16b`] and what follows it.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::{Chip, DST_NEWEST, Small, Tensix, ZEROACC};
use tandem_isa::{Citation, Expectation};

use crate::bits::U;

/// Columns of `Dst`, `SrcA` and `SrcB`.
pub const COLUMNS: usize = 16;

/// Rows of `DstBits` from the one with the high 16 bits of a `Dst32b` datum to the one with the low 16 bits.
pub(super) const LOW_HALF: usize = 8;

static INVALID_ROW_READ: &Citation =
    cite!(ZEROACC, "line 6", "a row of Dst that is not valid is undefined for the Vector Unit to read");

static INVALID_ROW_PARTLY_STORED: &Citation = cite!(
    ZEROACC,
    "line 6",
    "storing to some columns of a row that is not valid is undefined, and an SFPSTORE reaches eight of a row's 16 \
     columns at most"
);

/// `Adj32` on Wormhole: the row of `DstBits` that holds the high 16 bits of `Dst32b[row]`.
///
/// *Source*: page Dst, lines 25-27. Although `row` has ten bits there are 512 images, and bit 3 of each is clear.
// [MOVA2D_SPEC 84-86] If the first move has another format, Dst is accessed through both views; it works for who knows the
// storage. (`mova2d_mixed_views_share_storage`)
#[must_use]
pub fn adj32(row: U<10>) -> U<10> {
    // [DST_NEWEST 26] Bits 3 to 8 of the row move up by one; bit 9 and the low three stay.
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
    // [ZEROACC 5] The Matrix Unit reads a row that is not valid as 0.
    let is_valid = tensix.dst_row_valid(adj_row);
    if reads!(is_valid, "lo-reads-stale", true) { high << 16 | low } else { 0 }
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
pub(super) fn finish_row(tensix: &mut Tensix<'_>, row: usize, num_columns: usize) -> ControlFlow<Expectation> {
    if num_columns < COLUMNS && !tensix.dst_row_valid(row) {
        return ControlFlow::Break(Expectation::Unspecified(cite!(
            DST_NEWEST,
            "lines 9-13 and 30",
            "TX-08: a row has one mark for all its columns, and neither this page nor ZEROACC (which does not tell a full write by the Matrix Unit from a partial one) says what the columns that the Matrix Unit leaves out hold after it wrote the other columns of an invalid row"
        )));
    }
    if reads!(true, "write-leaves-invalid", false) {
        tensix.set_dst_row_valid(row, true);
    }
    ControlFlow::Continue(())
}

// ------------------------------------------------------------------------------- what the Vector Unit sees of Dst

/// `Adj16`: the row of `DstBits` that holds `Dst16b[r]`.
///
/// *Source*: page Dst, line 17 on Wormhole (which has no such function, and whose row is the row itself); on Blackhole
/// lines 17 and 25 to 30.
#[must_use]
pub fn adj16(chip: Chip, small: &Small, r: U<10>) -> U<10> {
    match chip {
        Chip::Wormhole => r,
        Chip::Blackhole => {
            let mut r = r;
            if blackhole::DEST_ACCESS_CFG_remap_addrs.get_in(small.dest_access_cfg) != 0 {
                r = U::new((r & 0x3c7).get() ^ ((r & 0x030).get() >> 1) ^ ((r & 0x008).get() << 2));
            }
            r
        }
    }
}

/// `Adj32`: the row of `DstBits` that holds the high 16 bits of `Dst32b[r]`.
///
/// *Source*: page Dst, lines 25 to 27 on Wormhole; on Blackhole lines 32 to 38, whose last step is that of Wormhole.
#[must_use]
pub fn adj32_of(chip: Chip, small: &Small, r: U<10>) -> U<10> {
    match chip {
        Chip::Wormhole => adj32(r),
        Chip::Blackhole => {
            let mut r = adj16(chip, small, r);
            if blackhole::DEST_ACCESS_CFG_swizzle_32b.get_in(small.dest_access_cfg) != 0 {
                r = U::new((r & 0x3f3).get() ^ ((r & 0x018).get() >> 1) ^ ((r & 0x004).get() << 1));
            }
            U::new(((r & 0x1f8).get() << 1) | (r & 0x207).get())
        }
    }
}

/// Reads `Dst16b[row][column]` for the Vector Unit.
///
/// *Outcomes*: breaks with [`Expectation::Undefined`] if the row is not valid.
// [SFPLOAD_NEWEST 92-93, 98-105, TX-16] [SFPLOAD_BH 111-112, 117-124, TX-16] The modes of 16 bits read Dst16b.
// (`an_invalid_row_makes_a_load_undefined_only_if_a_lane_reads_it`)
pub fn load_dst16b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> ControlFlow<Expectation, U<16>> {
    let adj_row = adj16(chip, tensix.small, row).index();
    consult(tensix, adj_row, INVALID_ROW_READ)?;
    ControlFlow::Continue(U::new(u32::from(tensix.dst_bits(adj_row, column))))
}

/// Reads `Dst32b[row][column]` for the Vector Unit; the mark of the low half's row is not looked at.
///
/// *Outcomes*: breaks with [`Expectation::Undefined`] if the row is not valid.
// [SFPLOAD_NEWEST 94-97, TX-16] [SFPLOAD_BH 113-116, TX-16] The modes of 32 bits read Dst32b.
// (`an_invalid_row_makes_a_load_undefined_only_if_a_lane_reads_it`)
pub fn load_dst32b(chip: Chip, tensix: &mut Tensix<'_>, row: U<10>, column: usize) -> ControlFlow<Expectation, u32> {
    let adj_row = adj32_of(chip, tensix.small, row).index();
    consult(tensix, adj_row, INVALID_ROW_READ)?;
    let high = u32::from(tensix.dst_bits(adj_row, column));
    let low = u32::from(tensix.dst_bits(adj_row + LOW_HALF, column));
    ControlFlow::Continue(high << 16 | low)
}

/// Writes `Dst16b[row][column]` for the Vector Unit. The row is valid, and its mark stays.
///
/// *Outcomes*: breaks with [`Expectation::Undefined`] if the row is not valid.
// [SFPSTORE_NEWEST 94-95, 100-105, 108, TX-29] [SFPSTORE_BH 109-110, 115-120, 123, TX-29] The modes of 16 bits assign to
// Dst16b. (`a_store_to_an_invalid_row_is_undefined_if_a_lane_moves`)
pub fn store_dst16b(
    chip: Chip,
    tensix: &mut Tensix<'_>,
    row: U<10>,
    column: usize,
    value: U<16>,
) -> ControlFlow<Expectation> {
    let adj_row = adj16(chip, tensix.small, row).index();
    consult(tensix, adj_row, INVALID_ROW_PARTLY_STORED)?;
    tensix.set_dst_bits(adj_row, column, narrow(value));
    ControlFlow::Continue(())
}

/// Writes `Dst32b[row][column]` for the Vector Unit. The row is valid, and its mark stays.
///
/// *Outcomes*: breaks with [`Expectation::Undefined`] if the row is not valid.
// [SFPSTORE_NEWEST 96-99, 106-107, TX-29] [SFPSTORE_BH 111-114, 121-122, TX-29] The modes of 32 bits assign to Dst32b.
// (`a_store_to_an_invalid_row_is_undefined_if_a_lane_moves`)
pub fn store_dst32b(
    chip: Chip,
    tensix: &mut Tensix<'_>,
    row: U<10>,
    column: usize,
    value: u32,
) -> ControlFlow<Expectation> {
    let adj_row = adj32_of(chip, tensix.small, row).index();
    consult(tensix, adj_row, INVALID_ROW_PARTLY_STORED)?;
    tensix.set_dst_bits(adj_row, column, narrow(U::new(value >> 16)));
    tensix.set_dst_bits(adj_row + LOW_HALF, column, narrow(U::new(value)));
    ControlFlow::Continue(())
}

/// Goes on if a physical row is valid.
#[inline]
fn consult(tensix: &mut Tensix<'_>, adj_row: usize, citation: &'static Citation) -> ControlFlow<Expectation> {
    if tensix.dst_row_valid(adj_row) {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(Expectation::Undefined(citation))
    }
}

// --------------------------------------------------------------------- the page's helpers for layouts of a datum

/// `DstDecodeBF16`: from `Sign,Man(7b),Exp(8b)` to `Sign,Exp(8b),Man(7b)`.
// [SFPLOAD_NEWEST 93] [SFPLOAD_BH 112] BF16 is brought from the order of Dst to that of an LReg.
// (`each_mode_makes_of_a_datum_what_its_line_says`)
#[must_use]
pub fn dst_decode_bf16(x: U<16>) -> U<16> {
    let e = x & 255;
    let m = (x >> 8) & 127;
    U::new((x & 0x8000).get() | (e.get() << 7) | m.get())
}

/// `DstEncodeBF16`: from `Sign,Exp(8b),Man(7b)` to `Sign,Man(7b),Exp(8b)`.
// [SFPSTORE_NEWEST 95] [SFPSTORE_BH 110] BF16 is brought to the order of Dst.
// (`each_mode_makes_of_a_datum_what_its_line_says`)
#[must_use]
pub fn dst_encode_bf16(x: U<16>) -> U<16> {
    let e = (x >> 7) & 255;
    let m = x & 127;
    U::new((x & 0x8000).get() | (m.get() << 8) | e.get())
}

/// `DstEncodeFP16`: from `Sign,Exp(5b),Man(10b)` to `Sign,Man(10b),Exp(5b)`.
// [SFPSTORE_NEWEST 94, 100-101] [SFPSTORE_BH 109, 115-116] FP16 and integer "8" are brought to the order of Dst.
// (`each_mode_makes_of_a_datum_what_its_line_says`)
#[must_use]
pub fn dst_encode_fp16(x: U<16>) -> U<16> {
    let e = (x >> 10) & 31;
    let m = x & 1023;
    U::new((x & 0x8000).get() | (m.get() << 5) | e.get())
}

/// `DstDecodeFP32`, for integers too: `DstDecodeBF16` of the high half.
// [SFPLOAD_NEWEST 94-97] [SFPLOAD_BH 113-116] FP32 and integers of 32 bits are brought from the order of Dst to that of
// an LReg. (`each_mode_makes_of_a_datum_what_its_line_says`)
#[must_use]
pub fn dst_decode_fp32(x: u32) -> u32 {
    (dst_decode_bf16(U::new(x >> 16)).get() << 16) | (x & 0xffff)
}

/// `DstEncodeFP32`, for integers too: `DstEncodeBF16` of the high half.
// [SFPSTORE_NEWEST 96-99] [SFPSTORE_BH 111-114] FP32 and integers of 32 bits are brought to the order of Dst.
// (`each_mode_makes_of_a_datum_what_its_line_says`)
#[must_use]
pub fn dst_encode_fp32(x: u32) -> u32 {
    (dst_encode_bf16(U::new(x >> 16)).get() << 16) | (x & 0xffff)
}

pub(super) fn narrow(value: U<16>) -> u16 {
    u16::try_from(value.get()).expect("16 bits fit in 16 bits")
}

#[cfg(test)]
mod tests {
    use tandem_isa::tensix::{BLACKHOLE, WORMHOLE, bank};

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

    /// The small state of Blackhole with an access configuration: bit 0 swizzles, bit 1 remaps.
    fn blackhole_small(dest_access_cfg: u32) -> Small {
        let mut state = BLACKHOLE.base_state();
        let small = Tensix::new(&mut state).small;
        small.dest_access_cfg = dest_access_cfg;
        *small
    }

    #[test]
    fn without_remap_and_swizzle_blackhole_has_the_rows_of_wormhole() {
        for dest_access_cfg in [0, 0xc] {
            let small = blackhole_small(dest_access_cfg);
            for row in (0..1024).map(U::new) {
                assert_eq!(adj16(Chip::Blackhole, &small, row), row);
                assert_eq!(adj32_of(Chip::Blackhole, &small, row), adj32(row));
            }
        }
    }

    #[test]
    fn remap_rotates_bits_3_to_5_and_leaves_the_others() {
        let small = blackhole_small(2);
        for row in 0..1024_u32 {
            let [b3, b4, b5] = [row >> 3 & 1, row >> 4 & 1, row >> 5 & 1];
            let expected = row / 64 * 64 + b3 * 32 + b5 * 16 + b4 * 8 + row % 8;
            assert_eq!(adj16(Chip::Blackhole, &small, U::new(row)).get(), expected, "row {row}");
        }
    }

    #[test]
    fn swizzle_exchanges_bits_2_and_3_and_adds_bit_4_after_the_remap() {
        for dest_access_cfg in [1, 3] {
            let small = blackhole_small(dest_access_cfg);
            for row in 0..1024 {
                let r = adj16(Chip::Blackhole, &small, U::new(row)).get();
                let [b2, b3, b4] = [r >> 2 & 1, r >> 3 & 1, r >> 4 & 1];
                // Bit 4 stays besides moving to bit 3, where it meets bit 2.
                let swizzled = r / 16 * 16 + (b4 ^ b2) * 8 + b3 * 4 + r % 4;
                assert_eq!(adj32_of(Chip::Blackhole, &small, U::new(row)), adj32(U::new(swizzled)), "row {row}");
            }
        }
    }

    #[test]
    fn rows_of_blackhole_cover_dst_once_in_each_access_configuration() {
        for dest_access_cfg in 0..4 {
            let small = blackhole_small(dest_access_cfg);
            let mut covered = [0; 1024];
            for row in (0..1024).map(U::new) {
                covered[adj16(Chip::Blackhole, &small, row).index()] += 1;
            }
            for row in (0..512).map(U::new) {
                let image = adj32_of(Chip::Blackhole, &small, row).index();
                covered[image] += 1;
                covered[image + LOW_HALF] += 1;
            }
            assert!(covered.iter().all(|&count| count == 2), "configuration {dest_access_cfg}");
        }
    }

    #[test]
    fn decoding_undoes_encoding() {
        for x in (0..0x1_0000).map(U::<16>::new) {
            assert_eq!(dst_decode_bf16(dst_encode_bf16(x)), x);
            // By arithmetic: the sign, then the exponent, then the mantissa, and in Dst the last two exchanged.
            let (sign, rest) = (x.get() / 0x8000, x.get() % 0x8000);
            assert_eq!(dst_encode_bf16(x).get(), sign * 0x8000 + rest % 128 * 256 + rest / 128);
            assert_eq!(dst_encode_fp16(x).get(), sign * 0x8000 + rest % 1024 * 32 + rest / 1024);
            let word = x.get() << 16 | 0x5678;
            assert_eq!(dst_encode_fp32(word), dst_encode_bf16(x).get() << 16 | 0x5678);
            assert_eq!(dst_decode_fp32(dst_encode_fp32(word)), word);
        }
    }

    #[test]
    fn the_vector_unit_consults_one_mark_and_leaves_it() {
        for chip in [Chip::Wormhole, Chip::Blackhole] {
            // Dst32b[9] lies in the rows 17 and 25.
            for (invalid, data16, data32) in [(9, false, true), (17, true, false), (25, true, true)] {
                let mut state = BLACKHOLE.base_state();
                let tensix = &mut Tensix::new(&mut state);
                tensix.set_dst_row_valid(invalid, false);
                assert_eq!(load_dst16b(chip, tensix, U::new(9), 3).is_continue(), data16);
                assert_eq!(store_dst16b(chip, tensix, U::new(9), 3, U::new(5)).is_continue(), data16);
                assert_eq!(load_dst32b(chip, tensix, U::new(9), 3).is_continue(), data32);
                assert_eq!(store_dst32b(chip, tensix, U::new(9), 3, 0x0006_0007).is_continue(), data32);
                assert!(!tensix.dst_row_valid(invalid));
                let read = [9, 17, 25].map(|row| tensix.dst_bits(row, 3));
                assert_eq!(
                    read,
                    match (data16, data32) {
                        (false, _) => [0, 6, 7],
                        (true, false) => [5, 0, 0],
                        (true, true) => [5, 6, 7],
                    }
                );
            }
        }
    }
}
