//! Integers: elements, and exact sums modulo 2^32.
//!
//! *Source*: page DPAS (table of precisions, lines 176-203; pseudo-code, lines 113-138).

use tandem_isa::visa::DataType;
use tandem_isa::visa::precision::Precision;

use super::place::Places;
use super::{Flaw, Run, Shape};

impl Run<'_> {
    /// The number that an element means.
    pub(super) fn integer(&self, bits: u32, precision: Precision) -> i32 {
        let (is_signed, flaw) = match precision {
            Precision::U1 => (false, Flaw::DpasU1Signed),
            Precision::U2 => (false, Flaw::DpasU2Signed),
            Precision::U4 => (false, Flaw::DpasU4Signed),
            Precision::U8 => (false, Flaw::DpasU8Signed),
            Precision::S1 => (true, Flaw::DpasS1Unsigned),
            Precision::S2 => (true, Flaw::DpasS2Unsigned),
            Precision::S4 => (true, Flaw::DpasS4Unsigned),
            _ => (true, Flaw::DpasS8Unsigned),
        };
        let number = bits.cast_signed();
        if is_signed == self.has(flaw) {
            return number;
        }
        if precision == Precision::S1 && self.has(Flaw::DpasS1PlusMinus) {
            return 1 - 2 * number;
        }
        let sign = 1 << (precision.bits() - 1);
        if self.has(Flaw::DpasSignMagnitude) && precision.bits() > 1 {
            return if number & sign != 0 { -(number ^ sign) } else { number };
        }
        if number & sign != 0 { number - 2 * sign } else { number }
    }

    /// An accumulator and all products of a row.
    pub(super) fn integer_sum(&self, shape: &Shape, places: &Places, acc: u32, a: &[u32], w: &[u32]) -> u32 {
        let accumulator = match places.dst_type {
            DataType::D => i64::from(acc.cast_signed()),
            _ => i64::from(acc),
        };
        let mut sum = if self.has(Flaw::DpasAccumulatorDropped) {
            0
        } else if self.has(Flaw::DpasAccumulatorTwice) {
            2 * accumulator
        } else {
            accumulator
        };
        if self.has(Flaw::DpasIntegersInFloat) {
            let products = a.iter().zip(w).map(|(&a, &w)| (a.cast_signed() * w.cast_signed()) as f32);
            return products.fold(sum as f32, |sum, product| sum + product) as i64 as u32;
        }
        for (a, w) in a.chunks(shape.ops).zip(w.chunks(shape.ops)) {
            sum += i64::from(self.dot(a, w));
        }
        let (below, above) = match places.dst_type {
            DataType::D => (Flaw::DpasClampsBelow, Flaw::DpasClampsAbove),
            _ => (Flaw::DpasClampsNegative, Flaw::DpasClampsAboveUnsigned),
        };
        let (least, most) = match places.dst_type {
            DataType::D => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (0, i64::from(u32::MAX)),
        };
        if sum < least && self.has(below) {
            sum = least;
        } else if sum > most && self.has(above) {
            sum = most;
        }
        // Whatever the type is, the sum is modulo 2^32.
        sum as u32
    }

    /// The products of one depth.
    fn dot(&self, a: &[u32], w: &[u32]) -> i32 {
        let products = a.iter().zip(w).map(|(&a, &w)| {
            let (a, w) = (a.cast_signed(), w.cast_signed());
            a * w - i32::from(self.has(Flaw::DpasNeedleDeepest) && a == -128 && w == -128)
        });
        let dot: i32 = products.sum();
        if self.has(Flaw::DpasDot16Wraps) {
            i32::from(dot as i16)
        } else if self.has(Flaw::DpasDot16Clamps) {
            dot.clamp(i32::from(i16::MIN), i32::from(i16::MAX))
        } else {
            dot
        }
    }
}
