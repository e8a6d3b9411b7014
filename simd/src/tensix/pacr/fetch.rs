//! Data on their way into a packer: rows of sixteen from `Dst`, or from L1, and the stages before downsampling.

use std::cell::Cell;

use tandem_isa::tensix::{Access, Chip, PACKER_STATS, Tensix, format};

use super::formats::{Decode, EXPONENT, Early, Kind, Relu, SIGN, upper};
use super::is_promised;
use super::plan::FromDst;
use super::rows::DstRow;
use crate::bits::all_if;
use crate::tensix::dst::DstRows;
use crate::tensix::l1::row_at;
use crate::vector::{Row, Vector, row_of};

impl Decode {
    /// Data of words of `Dst`.
    #[inline(always)]
    fn data<V: Vector>(&self, high: V, low: V) -> V {
        (high & high.like(self.upper)).shift_left_all(16)
            | (high & high.like(self.mantissa)).shift_left_all(8)
            | (high & high.like(self.exponent)).shift_left_all(23)
            | low
    }
}

impl Early {
    /// What data become, and bits in those of which nothing is promised.
    #[inline(always)]
    fn convert<V: Vector>(&self, data: V) -> (V, V) {
        let none = data.like(0);
        let magnitude = data & data.like(!SIGN);
        match *self {
            Early::Kept(bits) => (data & data.like(bits), none),
            Early::Rounded { mantissa, end } => {
                let half = data.like(1 << (22 - mantissa));
                let rounded = (data + half) & data.like(upper(mantissa));
                let is_zero = (data & data.like(EXPONENT)).is_zero();
                // Infinity and NaN, of which a type with five bits has none.
                let is_beyond = magnitude.is_above(data.like(end - 1));
                let finite = V::select(is_zero, none, rounded);
                let carried = (finite & data.like(!SIGN)).is_above(data.like(end - 1));
                let refused = V::select(carried, data.like(1), none);
                let infinity = data & data.like(SIGN | end);
                (V::select(is_beyond, infinity, finite), V::select(is_beyond, none, refused))
            }
            Early::Low7 => ((data & data.like(SIGN)) | (data & data.like(0x7f)).shift_left_all(24), none),
            Early::Low8 => (data.shift_left_all(24), none),
            Early::Scaled { shift, most, is_signed } => {
                let scaled = (magnitude + data.like((1 << shift) >> 1)).shift_right_all(shift);
                // A shift of 0 leaves what may be above all numbers with a sign.
                let is_above = scaled.is_above(data.like(most));
                let bounded = V::select(is_above, data.like(most), scaled).shift_left_all(24);
                let signed = (data & data.like(SIGN)) | bounded;
                (if is_signed { signed } else { V::select(data.is_negative(), none, bounded) }, none)
            }
        }
    }

    /// Whether something may be refused.
    const fn may_refuse(&self) -> bool {
        matches!(self, Early::Rounded { .. })
    }
}

impl Relu {
    #[inline(always)]
    fn apply<V: Vector>(&self, data: V) -> V {
        let magnitude = data & data.like(!SIGN);
        let above = (data & data.like(self.above)) | data.like(self.limit);
        let is_above = magnitude.is_above(data.like(self.threshold));
        let positive = V::select(is_above, above, data & data.like(self.below));
        let result = V::select(data.is_negative(), data.like(0), positive);
        V::select(magnitude.is_above(data.like(self.infinity)), data, result)
    }
}

impl FromDst {
    /// Converts a row, and returns bits where nothing is promised.
    #[inline(always)]
    fn put<V: Vector>(
        &self,
        level: V::Level,
        row: DstRow,
        [high, low]: [Row<V>; 2],
        valid: u32,
        to: &[Cell<u32>],
    ) -> V {
        let mut refused = V::splat(level, 0);
        for (chunk, (&high, &low)) in high.iter().zip(&low).enumerate().take(16 / V::LANES) {
            let data = self.decode.data(high, low) & high.like(valid);
            let (data, refuses) = self.early.convert(data);
            if self.early.may_refuse() {
                let read = V::mask_of(level, u32::from(row.read()), chunk);
                refused = refused | V::select(read, refuses, high.like(0));
            }
            let data = V::select(V::mask_of(level, u32::from(row.open), chunk), data, high.like(self.masked));
            let data = match &self.relu {
                Some(relu) => relu.apply(data),
                None => data,
            };
            data.store_all(to, chunk);
        }
        refused
    }

    /// Fetches rows, up to ReLU, if nothing of them is refused.
    #[inline(always)]
    pub(super) fn fetch<V: Vector>(
        &self,
        level: V::Level,
        chip: Chip,
        rows: &[DstRow],
        tensix: &mut Tensix<'_>,
        to: &[Cell<u32>],
    ) -> Option<()> {
        let is_32 = self.decode.is_32;
        let dst_rows = DstRows::new(chip, tensix.small);
        // So many rows from a multiple of it on stay together.
        let together = if is_32 && dst_rows.is_swizzled() { 4 } else { 8 };
        let mut views = tensix.views();
        let mut refused = V::splat(level, 0);
        let none = row_of(V::splat(level, 0));
        let mut done = 0;
        while done < rows.len() {
            let first = rows[done];
            if first.read() == 0 {
                self.put(level, first, [none; 2], 0, &to[16 * done..][..16]);
                done += 1;
                continue;
            }
            let most = (together - usize::from(first.row) % together).min(rows.len() - done);
            let is_next = |index: usize| {
                let row = rows[done + index];
                row.read() != 0 && usize::from(row.row) == usize::from(first.row) + index
            };
            let count = (1..most).find(|&index| !is_next(index)).unwrap_or(most);
            let row = u32::from(first.row);
            let place = if is_32 { dst_rows.adj32(row) } else { dst_rows.adj16(row) };
            let valid = views.dst_row_valid(Access::Read, place, count);
            let high = views.dst(Access::Read, place, count);
            let low = if is_32 { views.dst(Access::Read, place + 8, count) } else { high };
            for index in 0..count {
                let data = V::load_row(level, &high[8 * index..][..8]);
                let low = if is_32 { V::load_row(level, &low[8 * index..][..8]) } else { none };
                let valid = all_if(valid[index].get() != 0);
                refused =
                    refused | self.put(level, rows[done + index], [data, low], valid, &to[16 * (done + index)..][..16]);
            }
            done += count;
        }
        is_promised(refused)
    }
}

/// Fetches `data` from an address of L1 on, if windows show them, and returns the place of the first one.
#[inline(never)]
pub(super) fn fetch_l1(
    chip: Chip,
    (address, bytes, data): (u32, usize, usize),
    in_format: u32,
    tensix: &mut Tensix<'_>,
    to: &mut [u32],
) -> Option<usize> {
    let of_row = 16 / bytes;
    let first = address as usize % 16 / bytes;
    for (index, to) in to[..(first + data).next_multiple_of(of_row)].chunks_exact_mut(of_row).enumerate() {
        let row = row_at(chip, (address & !15) + 16 * index as u32)?;
        let words = *tensix.l1_row(row)?;
        for (place, to) in to.iter_mut().enumerate() {
            let bits = words[place * bytes / 4] >> (8 * (place * bytes % 4));
            *to = match in_format {
                format::BF16 | format::INT16 => bits << 16,
                format::FP16 => (bits & 0x8000) << 16 | (bits & 0x7fff) << 13,
                format::FP8 => (bits & 0x80) << 24 | (bits & 0x7f) << 21,
                // The exponent is zero.
                format::BFP8 | format::BFP8A => (bits & 0x80) << 24 | (bits & 0x7f) << 16,
                format::INT8 => bits << 24,
                _ => bits,
            };
        }
    }
    Some(first)
}

/// What a packer has counted once data have passed, with the bins if a thread enables them.
#[inline(always)]
pub(super) fn count<V: Vector>(
    level: V::Level,
    kind: Kind,
    with_bins: bool,
    data: &mut [u32],
    stats: &mut [u8; PACKER_STATS],
) {
    let shift = if kind == Kind::Int16 { 16 } else { 23 };
    let mut largest = 0;
    let mut largest_ones = V::splat(level, 0);
    let chunks = data.len() / V::LANES;
    let cells = Cell::from_mut(&mut *data).as_slice_of_cells();
    for chunk in 0..chunks {
        let exponents = V::load(level, cells, chunk).shift_right_all(shift);
        largest_ones = largest_ones.max(exponents & exponents.like(0xff));
    }
    for datum in &data[chunks * V::LANES..] {
        largest = largest.max((datum >> shift) & 0xff);
    }
    let ones = [const { Cell::new(0) }; 32];
    largest_ones.store_all(&ones, 0);
    for one in &ones[..V::LANES] {
        largest = largest.max(one.get());
    }
    stats[32] = stats[32].max(largest as u8);
    if with_bins {
        count_bins(shift, data, stats);
    }
}

#[inline(never)]
fn count_bins(shift: u32, data: &[u32], bins: &mut [u8; PACKER_STATS]) {
    // Four of each, so that equal exponents need not wait for each other.
    let mut counts = [[0u16; 4]; 32];
    for data in data.chunks(4) {
        for (place, datum) in data.iter().enumerate() {
            counts[(datum >> shift) as usize & 31][place] += 1;
        }
    }
    for (bin, counts) in bins.iter_mut().zip(counts) {
        *bin = (u16::from(*bin) + counts.iter().sum::<u16>()).min(255) as u8;
    }
}

/// Exponent thresholding.
#[inline(always)]
pub(super) fn threshold(least: u32, data: &mut [u32]) {
    for datum in data {
        *datum &= all_if((*datum >> 23) & 0xff >= least);
    }
}

/// Downsampling: moves what the mask keeps together.
#[inline(never)]
pub(super) fn downsample(mask: u32, data: &mut [u32]) {
    let mut kept = 0;
    for index in 0..data.len() {
        data[kept] = data[index];
        kept += (mask >> (index % 16)) as usize & 1;
    }
}
