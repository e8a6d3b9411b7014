//! Values of vISA at which a conversion changes its path: bounds of integer types, and what is halfway between floats.

use super::List;

/// Significand widths that integers are rounded to: those of `HF`, `BF` (through `F`), `F` and `DF`.
const PRECISIONS: [u32; 4] = [11, 8, 24, 53];

type Values = List<u64, 4000>;

/// A value, one less and one more, of either sign, cut to a mask.
const fn around(values: Values, value: u64, mask: u64) -> Values {
    let [below, above] = [value.wrapping_sub(1), value.wrapping_add(1)];
    let [of_below, of_value, of_above] = [below.wrapping_neg(), value.wrapping_neg(), above.wrapping_neg()];
    values.with(&[below & mask, of_below & mask, value & mask, of_value & mask, above & mask, of_above & mask])
}

/// Integers around the bounds of all types, positive and negative, and around what is halfway between two floats.
const fn integers(bits: u32) -> Values {
    let mask = u64::MAX >> (64 - bits);
    let mut values = List::new(0);
    let mut power = 0;
    while power < bits {
        values = around(values, 1 << power, mask);
        power += 1;
    }
    // The largest HF, where HF overflows, and the end of UW.
    values = around(around(around(values, 65504, mask), 65520, mask), 65535, mask);
    let mut index = 0;
    while index < PRECISIONS.len() {
        let mut dropped = 1;
        while PRECISIONS[index] + dropped <= bits {
            // Halfway above an even and an odd kept part.
            let (even, half) = (1u64 << (PRECISIONS[index] - 1), 1 << (dropped - 1));
            values = around(values, (even << dropped) | half, mask);
            values = around(values, ((even | 1) << dropped) | half, mask);
            dropped += 1;
        }
        index += 1;
    }
    values
}

pub(super) static INTEGERS16: Values = integers(16);
pub(super) static INTEGERS32: Values = integers(32);
pub(super) static INTEGERS64: Values = integers(64);

/// Magnitudes at which a conversion changes its path, as `significand × 2^exponent`.
const POINTS: List<(u64, i32), 95> = {
    let mut points = List::new((0, 0));
    // The bounds of the integer types, and one half and one whole beside them.
    let bounds = [7, 8, 15, 16, 31, 32, 63, 64];
    let mut index = 0;
    while index < bounds.len() {
        let bound = bounds[index];
        points.push((1, bound));
        if bound <= 32 {
            let one = 1u64 << (bound + 1);
            points = points.with(&[(one - 3, -1), (one - 2, -1), (one - 1, -1), (one + 1, -1), (one + 2, -1)]);
        }
        index += 1;
    }
    // Fractions, and halves to either side of even and odd integers.
    points = points.with(&[(1, -1), (1, 0), (3, -1), (1, 1), (5, -1), (7, -1), (1, -2), (3, -2), (9, -1), (511, -1)]);
    // The ends of HF, BF and F: largest finite, halfway to the next power of two, that power, smallest normal.
    points = points.with(&[(2047, 5), (4095, 4), (255, 120), (511, 119), ((1 << 24) - 1, 104), ((1 << 25) - 1, 103)]);
    points = points.with(&[(1, 128), (1, -14), (2047, -25), (1, -126), ((1 << 24) - 1, -150)]);
    // Halfway between two denormals of HF, BF and F, above even and odd ones, and below the first one.
    let units = [-25, -134, -150];
    let steps = [1, 2, 3, 5, 7, 253, 255, 1021, 1023, 2045, 2046, 4];
    let mut place = 0;
    while place < units.len() * steps.len() {
        points.push((steps[place % steps.len()], units[place / steps.len()]));
        place += 1;
    }
    points
};

/// The bits of `significand × 2^exponent`, cut off where the format ends, without a sign; zero if it is too small.
const fn cut((significand, exponent): (u64, i32), exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    // The exponent field that the leading bit asks for.
    let field = significand.ilog2().cast_signed() + exponent + bias;
    if field >= (1 << exponent_bits) - 1 {
        // Too large: infinity, so that its lower neighbour is the largest finite value.
        return ((1 << exponent_bits) - 1) << mantissa_bits;
    }
    // What is above the weight of the lowest mantissa bit.
    let shift = exponent - ((if field < 1 { 1 } else { field }) - bias - mantissa_bits.cast_signed());
    let units = match shift {
        0.. => significand << shift,
        -63..0 => significand >> -shift,
        _ => 0,
    };
    // A leading one above the mantissa carries into the exponent field.
    let field = if field < 1 { 0 } else { field.cast_unsigned() as u64 - 1 };
    (field << mantissa_bits) + units
}

/// Each point with its two neighbours, of either sign.
const fn around_points<const N: usize>(exponent_bits: u32, mantissa_bits: u32) -> [u64; N] {
    let sign = 1u64 << (exponent_bits + mantissa_bits);
    let mut values = [0; N];
    let mut at = 0;
    while at < N {
        let middle = cut(POINTS.items()[at / 6], exponent_bits, mantissa_bits);
        let magnitude = [middle.saturating_sub(1), middle, middle + 1][at % 6 / 2];
        values[at] = magnitude | if at % 2 == 1 { sign } else { 0 };
        at += 1;
    }
    values
}

pub(super) static POINTS_HF: [u64; 6 * POINTS.items().len()] = around_points(5, 10);
pub(super) static POINTS_BF: [u64; 6 * POINTS.items().len()] = around_points(8, 7);
pub(super) static POINTS_F: [u64; 6 * POINTS.items().len()] = around_points(8, 23);
pub(super) static POINTS_DF: [u64; 6 * POINTS.items().len()] = around_points(11, 52);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_conversions_change() {
        for value in
            [65504.0f32, 65520.0, 65519.996, 128.0, -129.0, 255.5, 2_147_483_648.0, 1.5, -0.5, 1.0, 8_388_608.0]
        {
            let known = POINTS_F.contains(&u64::from(value.to_bits()));
            // 2^23 is no point; it belongs to the corners of the format.
            assert_eq!(known, value != 8_388_608.0, "{value}");
        }
        for value in [2f64.powi(-149), 2f64.powi(-150), 65_519.999_999_999_99, f64::from(f32::MAX), 2f64.powi(128)] {
            assert!(POINTS_DF.contains(&value.to_bits()), "{value}");
        }
        assert!(POINTS_HF.contains(&0x7bff) && POINTS_HF.contains(&0x7c00) && POINTS_HF.contains(&0x3c01));
        assert!(
            INTEGERS32.items().contains(&0x0100_0001)
                && INTEGERS32.items().contains(&65520)
                && INTEGERS32.items().contains(&0xffff_ff80)
        );
    }
}
