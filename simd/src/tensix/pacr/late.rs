//! The late conversion, and how data become words for L1.

use std::cell::Cell;

use super::formats::{Change, EXPONENT, Late, Packing, REBIAS, SIGN};
use super::is_promised;
use crate::vector::Vector;

impl Late {
    /// Converts data, of which there are some sixteens, if nothing of them is refused.
    #[inline(always)]
    pub(super) fn convert<V: Vector>(&self, level: V::Level, data: &[Cell<u32>]) -> Option<()> {
        if self.change == Change::Nothing {
            return Some(());
        }
        let mut refused = V::splat(level, 0);
        for chunk in 0..data.len() / V::LANES {
            let datum = V::load(level, data, chunk);
            let (datum, refuses) = match self.change {
                Change::Narrower => self.narrower(datum),
                Change::Wider { flushes } => self.wider(datum, flushes),
                _ => self.shorter(datum),
            };
            refused = refused | refuses;
            datum.store_all(data, chunk);
        }
        is_promised(refused)
    }

    /// Denormals are flushed, and negative ones refused.
    #[inline(always)]
    fn shorter<V: Vector>(&self, data: V) -> (V, V) {
        let none = data.like(0);
        let has_exponent = (data & data.like(EXPONENT)).is_above(none);
        let small = data & data.like(SIGN - 1);
        // Zero has no mantissa, and stays with its sign.
        let is_denormal = V::select(has_exponent, none, small).is_above(none);
        let kept = data & data.like(self.kept);
        (V::select(is_denormal, none, kept), V::select(is_denormal, data & data.like(SIGN), none))
    }

    #[inline(always)]
    fn wider<V: Vector>(&self, data: V, flushes: bool) -> (V, V) {
        let none = data.like(0);
        let magnitude = data & data.like(!SIGN);
        let has_exponent = (data & data.like(EXPONENT)).is_above(none);
        // All that is said of what has no exponent is that it is zero, and of the largest magnitude nothing.
        let refuses = if flushes { data & data.like(SIGN) } else { data };
        let is_last = (magnitude ^ data.like(self.ones)).is_zero();
        let refused = V::select(has_exponent, V::select(is_last, data.like(1), none), refuses);
        let number = (data & data.like(self.kept)) + data.like(REBIAS);
        (V::select(has_exponent, number, none), refused)
    }

    #[inline(always)]
    fn narrower<V: Vector>(&self, data: V) -> (V, V) {
        let none = data.like(0);
        let [sign, magnitude] = [data & data.like(SIGN), data & data.like(!SIGN)];
        let is_above = |least: u32| magnitude.is_above(data.like(least - 1));
        // 2^-15, what is above it, 2^-14, 2^17, and infinity.
        let number = (data & data.like(self.kept)) - data.like(REBIAS);
        let result = V::select(is_above(REBIAS + 1), number, none);
        let result = V::select(is_above(EXPONENT), sign | data.like(self.ones), result);
        let refused = V::select(is_above(REBIAS + 1), data.like(1), sign);
        let refused = V::select(is_above(REBIAS + (1 << 23)), none, refused);
        let refused = V::select(is_above(REBIAS + (32 << 23)), data.like(1), refused);
        (result, V::select(is_above(EXPONENT), none, refused))
    }
}

/// Rounds data to blocks of sixteen with one exponent, of which `bits` are left, if nothing of them is refused.
#[inline(always)]
pub(super) fn share<V: Vector>(
    level: V::Level,
    (bits, is_wide): (u32, bool),
    data: &mut [u32],
    exponents: &mut [u8],
) -> Option<()> {
    // BFP8 has no largest exponent, and BFP8a has it with all mantissas but one.
    let last = if is_wide { EXPONENT } else { 0xfff << 16 };
    let mut refused = V::splat(level, 0);
    for (block, exponent) in data.as_chunks_mut::<16>().0.iter_mut().zip(exponents) {
        let mut largest = 0;
        for datum in &*block {
            largest = largest.max((datum >> 23) & 0xff);
        }
        *exponent = largest as u8;
        let block = Cell::from_mut(&mut block[..]).as_slice_of_cells();
        for chunk in 0..16 / V::LANES {
            let datum = V::load(level, block, chunk);
            let all = |value| datum.like(value);
            let exponent = datum.shift_right_all(23) & all(0xff);
            let mantissa = (datum.shift_right_all(16) & all(0x7f)) | all(0x80);
            // Further to the right, nothing is left.
            let down = (all(largest) - exponent).min(all(9));
            let rounded = (mantissa + all(1).shift_left(down)).shift_right(down + all(1));
            let rounded = V::select(exponent.is_zero(), all(0), rounded);
            let kept = rounded.shift_right_all(8 - bits);
            let sign = datum.shift_right_all(31);
            let is_last = ((datum & all(last)) ^ all(last)).is_zero();
            let refuses = rounded.shift_right_all(7) | V::select(kept.is_zero(), sign, all(0));
            refused = refused | V::select(is_last, all(1), refuses);
            (sign.shift_left_all(bits - 1) | kept).store_all(block, chunk);
        }
    }
    is_promised(refused)
}

/// Puts data into words.
#[inline(always)]
pub(super) fn pack(packing: Packing, data: &[u32], to: &mut [u32]) {
    match packing {
        Packing::Words => to[..data.len()].copy_from_slice(data),
        Packing::Halves => halves(data, to, |datum| datum >> 16),
        Packing::Fp16 => halves(data, to, |datum| (datum >> 16) & 0x8000 | (datum >> 13) & 0x7fff),
        Packing::Bytes => bytes::<1>(data, to, |[datum]| datum >> 24),
        Packing::Fp8 => bytes::<1>(data, to, |[datum]| (datum >> 24) & 0x80 | (datum >> 21) & 0x7f),
        Packing::Shared(8) => bytes::<1>(data, to, |[datum]| datum),
        Packing::Shared(4) => bytes::<2>(data, to, |[a, b]| a | b << 4),
        Packing::Shared(_) => bytes::<4>(data, to, |[a, b, c, d]| a | b << 2 | c << 4 | d << 6),
    }
}

#[inline(always)]
fn halves(data: &[u32], to: &mut [u32], of: impl Fn(u32) -> u32) {
    let to: &mut [u16] = bytemuck::cast_slice_mut(to);
    for (to, &datum) in to.iter_mut().zip(data) {
        *to = of(datum) as u16;
    }
}

#[inline(always)]
fn bytes<const N: usize>(data: &[u32], to: &mut [u32], of: impl Fn([u32; N]) -> u32) {
    let to: &mut [u8] = bytemuck::cast_slice_mut(to);
    for (to, &data) in to.iter_mut().zip(data.as_chunks().0) {
        *to = of(data) as u8;
    }
}
