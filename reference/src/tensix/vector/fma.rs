//! Multiplication and addition of FP32 as the MAD sub-unit does them, one model a chip.
//!
//! *Source*: `Miscellaneous/FMA/fma.c`, commit 06c5af5b. The two models have most of their lines in common, which are functions of
//! both here. What a line of words on pages SFPMAD says otherwise has an erratum.

// Of pages `FMA`, `SFPMAD_WH` (wh) and `SFPMAD_BH` (bh).
// Shown by `the_models_give_what_was_worked_out_by_hand`, where nothing else is said.

use tandem_isa::tensix::Chip;

/// The bit of the sign.
pub(super) const SIGN: u32 = 0x8000_0000;
/// The exponent of an infinity, at its place, with a mantissa of zero.
pub(super) const INFINITY: u32 = 0x7f80_0000;
/// The bit before the point of a mantissa, which FP32 does not write down.
const IMPLICIT: u32 = 0x80_0000;

/// The exponent of what is not finite.
const NOT_FINITE: i32 = 255;

/// `x * y + z`, all FP32.
// [1-10] [wh 59] [bh 66] Three models, which are right to the bit: of IEEE 754, of Blackhole and of Wormhole.
// [12] What the types are. Not modelled: these are Rust's.
// [14-100] What IEEE 754 asks for. Not modelled: no instruction of the suite computes so.
pub(super) fn fma(chip: Chip, x: u32, y: u32, z: u32) -> u32 {
    match chip {
        Chip::Wormhole => fma_wormhole([x, y, z]),
        Chip::Blackhole => fma_blackhole([x, y, z]),
    }
}

/// A number in three parts.
#[derive(Clone, Copy)]
struct Parts {
    sign: u32,
    /// With the bias.
    e: i32,
    m: u32,
}

/// The model of Blackhole.
// [102] A product and a summand.
fn fma_blackhole([x, y, z]: [u32; 3]) -> u32 {
    let summand = z;
    // [103, 110-113] Each is taken apart.
    let [x, y, mut z] = [x, y, z].map(unpack);
    // [122] Three bits more.
    z.m <<= 3;
    let p = multiply(x, y);
    // [128-129] Something is not finite, or the product would not be.
    if x.e == NOT_FINITE || y.e == NOT_FINITE || p.e >= NOT_FINITE || z.e == NOT_FINITE {
        // [130] A NaN, or infinity times zero,
        let is_nan = (x.e == NOT_FINITE && (x.m != IMPLICIT || y.m == 0))
            // [131] of either factor,
            || (y.e == NOT_FINITE && (y.m != IMPLICIT || x.m == 0))
            // [132] a NaN as the summand,
            || (z.e == NOT_FINITE && z.m != IMPLICIT << 3)
            // [133] and two infinities that cancel: a factor is one, a product that overflows does not count.
            || (z.e == NOT_FINITE && (x.e == NOT_FINITE || y.e == NOT_FINITE) && z.sign != p.sign);
        return if is_nan {
            // [134] [bh 60] There is one NaN.
            0x7fc0_0000
        } else if z.e == NOT_FINITE {
            // [135-136] The infinity that is added.
            summand
        } else {
            // [137-138] That of the product.
            p.sign | INFINITY
        };
    }
    // [142-143] A product of zero, or one whose exponent is below all exponents, is none.
    // [bh 64, TX-112] Of two zeros the sign is that of both, or none, whatever the product would have been.
    if p.m == 0 || p.e < 0 {
        return if z.m != 0 { summand } else { z.sign & p.sign };
    }
    let mut r = add(p, z);
    // [165-166] Nothing is left.
    if r.m == 0 {
        return z.sign & p.sign;
    }
    // [168-169] How far its highest bit is from where it belongs, to the left.
    let mut n = 5 - r.m.leading_zeros().cast_signed();
    // [170] It goes there.
    r.e += n;
    // [171] Too large.
    if r.e >= NOT_FINITE {
        return r.sign | INFINITY;
    }
    // [172] Too small, or a denormal:
    if r.e <= 0 {
        // [173-174, TX-113] one bit less to the left, however small it is.
        n += 1;
        r.e = 0;
    }
    // [176] To the left, or to the right, where what is shifted out leaves a bit.
    r.m = if n <= 0 { r.m << -n } else { r.m >> n | u32::from(r.m & (n | 1).cast_unsigned() != 0) };
    let mut bits = round(r);
    // [185-186] [bh 64, TX-113] After it was rounded, a denormal loses all but its sign.
    if bits >> 23 == 0 {
        bits = 0;
    }
    // [188] With its sign.
    r.sign | bits
}

/// The model of Wormhole.
// [191] A product and a summand.
fn fma_wormhole([x, y, z]: [u32; 3]) -> u32 {
    let summand = z;
    // [192, 199-202] Each is taken apart.
    let [x, y, mut z] = [x, y, z].map(unpack);
    // [211] Three bits more.
    z.m <<= 3;
    let mut p = multiply(x, y);
    // [217-219] A NaN is not the end: bits of what is computed on go into it.
    let mut nan_result = 0;
    // [220] Something is not finite, or the product would not be.
    if x.e == NOT_FINITE || y.e == NOT_FINITE || p.e >= NOT_FINITE || z.e == NOT_FINITE {
        // [221] A NaN, or infinity times zero,
        if (x.e == NOT_FINITE && (x.m != IMPLICIT || y.m == 0))
            // [222] of either factor,
            || (y.e == NOT_FINITE && (y.m != IMPLICIT || x.m == 0))
            // [223] [wh 53, TX-114] and two infinities that cancel: a product that overflows is one of them.
            || (z.e == NOT_FINITE
                && z.m == IMPLICIT << 3
                && (x.e == NOT_FINITE || y.e == NOT_FINITE || p.e >= NOT_FINITE)
                && z.sign != p.sign)
        {
            // [224] The sign of the product,
            nan_result = p.sign | INFINITY | 1;
        } else if z.e == NOT_FINITE && z.m != IMPLICIT << 3 {
            // [225-226] or of a NaN that is added.
            nan_result = z.sign | INFINITY | 1;
        } else if z.e == NOT_FINITE {
            // [227-228] The infinity that is added.
            return summand;
        } else {
            // [229-230] That of the product.
            return p.sign | INFINITY;
        }
        // [232] A NaN goes on with the largest exponent at most.
        p.e = p.e.min(NOT_FINITE);
    }
    // [235-236] A product of zero, or one whose exponent is below all exponents, is none.
    if p.m == 0 || p.e < 0 {
        // [237] A NaN
        if nan_result != 0 {
            // [238] goes on with zero.
            (p.m, p.e) = (0, 0);
        } else {
            // [239-240] Else the summand is left; zero has no sign.
            return if z.m != 0 { summand } else { 0 };
        }
    }
    let mut r = add(p, z);
    // [264-265] Nothing is left.
    if r.m == 0 {
        return nan_result;
    }
    // [267-268] How far its highest bit is from where it belongs, to the left.
    let n = 5 - r.m.leading_zeros().cast_signed();
    // [269] It goes there.
    r.e += n;
    // [270] Too large.
    if r.e >= NOT_FINITE {
        return if nan_result != 0 { nan_result } else { r.sign | INFINITY };
    }
    // [271-272] Far too small: no sign is left.
    if r.e < 0 {
        return nan_result;
    }
    // [274] To the left, or to the right.
    // [wh 55, TX-111] The lowest bit that is shifted out leaves a bit; of two the higher one leaves none.
    r.m = if n <= 0 { r.m << -n } else { r.m >> n | r.m & 1 };
    let bits = round(r);
    // [283-284] [wh 57, TX-110] After it was rounded, a denormal loses its sign as well.
    if bits >> 23 == 0 {
        return nan_result;
    }
    // [286] With its sign, or in what is not a number.
    (if nan_result != 0 { nan_result } else { r.sign }) | bits
}

/// Takes FP32 apart.
// [104, 193] Of any of the three:
fn unpack(bits: u32) -> Parts {
    // [105, 194] the exponent,
    let e = (bits >> 23 & 255).cast_signed();
    // [106, 195] the mantissa, with the bit before its point,
    let mut m = bits & 0x7f_ffff ^ IMPLICIT;
    // [107-108, 196-197] [wh 51] [bh 58] which is zero in denormals,
    if e == 0 {
        m = 0;
    }
    // [113, 202] and the sign.
    // [114, 177, 203, 275] No more than that. Not modelled: these are functions, and no macros.
    Parts { sign: bits & SIGN, e, m }
}

/// The product.
// [116, 205] Of two factors:
fn multiply(x: Parts, y: Parts) -> Parts {
    // [117, 206] its sign,
    let sign = x.sign ^ y.sign;
    // [118, 207] its mantissa, all of it,
    let mut m = u64::from(x.m) * u64::from(y.m);
    // [119, 208] and its exponent, that of the lowest bit of a mantissa of 24.
    let mut e = x.e + y.e - 23 - 127;
    // [121-122, 210-211] Three bits more.
    m <<= 3;
    // [124-125, 213-214] [wh 55] [bh 62] It becomes shorter by 23 bits, which leave one if they were not zero. That is more than FP32 has,
    // and less than all.
    m = m >> 23 | u64::from(m & 0x7f_ffff != 0);
    // [126, 215] The exponent goes along.
    e += 23;
    Parts { sign, e, m: u32::try_from(m).expect("48 bits and three are 28 and 23") }
}

/// The sum, with the larger of the exponents, not yet at its place.
// [156, 255] Of the product and the summand:
fn add(p: Parts, z: Parts) -> Parts {
    // [157, 256] the larger exponent.
    let e = p.e.max(z.e);
    // [158-159, 257-258] The other one loses its low bits.
    let mut p_m = semi_sticky_shift(p.m, e - p.e);
    let mut z_m = semi_sticky_shift(z.m, e - z.e);
    // [160, 259] The sign of the larger one.
    let sign = if p_m >= z_m { p.sign } else { z.sign };
    // [161, 260] The other is subtracted, if it has the other sign: inverted,
    if z.sign != sign {
        z_m = !z_m;
    }
    // [162, 261] whichever it is,
    if p.sign != sign {
        p_m = !p_m;
    }
    // [163, 262] with one more.
    let m = z_m.wrapping_add(p_m).wrapping_add(u32::from(p.sign != z.sign));
    Parts { sign, e, m }
}

/// Shifts to the right. What is shifted out leaves a bit, unless nothing else is left.
// [145-147, 244-246] Of either mantissa, by some distance:
fn semi_sticky_shift(m: u32, distance: i32) -> u32 {
    // [148-149, 247-248] all of it is gone, here from 32 bits on; the product has 28, so that 64 make no difference,
    if distance >= 32 {
        return 0;
    }
    // [150-152, 249-251] or some is left,
    let left = m >> distance;
    // [153-155, 252-254] with a bit for the rest.
    if left != 0 { left | u32::from(left << distance != m) } else { 0 }
}

/// The bits of the result but for its sign, rounded.
// [179-180, 277-278] Exponent and mantissa, which loses its three low bits
fn round(r: Parts) -> u32 {
    let bits = (r.e.cast_unsigned() << 23) + (r.m >> 3 & 0x7f_ffff);
    // [182-183, 280-281] [wh 55] [bh 62] and is rounded by them once, to the nearest, and from the middle to the even one.
    bits + u32::from((r.m & 7) + (bits & 1) > 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x`, `y`, `z`, and what Wormhole and Blackhole make of them; worked out by hand from the models.
    const VALUES: &[([u32; 3], [u32; 2])] = &[
        // 1 * 1 + 1, 3 * 5 + 2, -3 * 5 + 2.
        ([0x3f80_0000, 0x3f80_0000, 0x3f80_0000], [0x4000_0000; 2]),
        ([0x4040_0000, 0x40a0_0000, 0x4000_0000], [0x4188_0000; 2]),
        ([0xc040_0000, 0x40a0_0000, 0x4000_0000], [0xc150_0000; 2]),
        // Half of a last bit is added to 1 and to the next number: to the even one.
        ([0x3f80_0000, 0x3f80_0000, 0x3380_0000], [0x3f80_0000; 2]),
        ([0x3f80_0001, 0x3f80_0000, 0x3380_0000], [0x3f80_0002; 2]),
        // 1 and a last bit, times 1.5: half of a last bit is too much, and the even one is above.
        ([0x3f80_0001, 0x3fc0_0000, 0], [0x3fc0_0002; 2]),
        // 1 and two last bits, times 1.25: the even one is below, and 2^-60 more does not show, as none of it is left.
        ([0x3f80_0002, 0x3fa0_0000, 0], [0x3fa0_0002; 2]),
        ([0x3f80_0002, 0x3fa0_0000, 0x2180_0000], [0x3fa0_0002; 2]),
        // 1.5 * 2 - 3 has no sign, whichever is negative.
        ([0x3fc0_0000, 0x4000_0000, 0xc040_0000], [0; 2]),
        ([0xbfc0_0000, 0x4000_0000, 0x4040_0000], [0; 2]),
        // The square of 1 and a last bit, without 1 and two: 2^-46 was all that is left, and is 2^-26, the bit for the rest.
        ([0x3f80_0001, 0x3f80_0001, 0xbf80_0002], [0x3280_0000; 2]),
        // One bit to the right, and two. In the last row the higher of the two is set: with it, it were above the middle.
        ([0x3fff_ffff, 0x3f80_0000, 0x3fff_ffff], [0x407f_ffff; 2]),
        ([0x3fff_ffff, 0x3fff_ffff, 0x3fff_ffff], [0x40bf_ffff; 2]),
        ([0x3fff_fc00, 0x3fff_f800, 0x3f80_0002], [0x409f_fa00, 0x409f_fa01]),
        // Too large: the product, the sum, and what is rounded. A product counts before anything is taken from it.
        ([0x7f7f_ffff, 0x4000_0000, 0], [0x7f80_0000; 2]),
        ([0x7f7f_ffff, 0xc000_0000, 0x7f7f_ffff], [0xff80_0000; 2]),
        ([0x7f7f_ffff, 0x3f80_0000, 0x7f7f_ffff], [0x7f80_0000; 2]),
        ([0x7f7f_ffff, 0x3f80_0000, 0x7300_0000], [0x7f80_0000; 2]),
        ([0x7f7f_ffff, 0x3f80_0000, 0x72ff_ffff], [0x7f7f_ffff; 2]),
        // Denormals are zero.
        ([0x807f_ffff, 0x3f80_0000, 0x8000_0000], [0, 0x8000_0000]),
        ([0x3f80_0000, 0x007f_ffff, 0x3f80_0000], [0x3f80_0000; 2]),
        ([0, 0, 0x007f_ffff], [0; 2]),
        ([0, 0x8000_0000, 0x807f_ffff], [0, 0x8000_0000]),
        // -0 * 1 + 0, -0 * 1 - 0, 0 * 1 - 0, and zero and a summand.
        ([0x8000_0000, 0x3f80_0000, 0], [0; 2]),
        ([0x8000_0000, 0x3f80_0000, 0x8000_0000], [0, 0x8000_0000]),
        ([0, 0x3f80_0000, 0x8000_0000], [0; 2]),
        ([0x8000_0000, 0x3f80_0000, 0xc000_0000], [0xc000_0000; 2]),
        // Half of the smallest, and a quarter, whose exponent is below zero.
        ([0x0080_0000, 0x3f00_0000, 0], [0; 2]),
        ([0x8080_0000, 0x3f00_0000, 0], [0, 0x8000_0000]),
        ([0x8080_0000, 0x3e80_0000, 0], [0; 2]),
        ([0x8080_0000, 0x3e80_0000, 0x8000_0000], [0, 0x8000_0000]),
        // Half of it is seen in a sum, and a quarter is not.
        ([0x0080_0000, 0x3f00_0000, 0x0080_0000], [0x00c0_0000; 2]),
        ([0x0080_0000, 0x3e80_0000, 0x0080_0000], [0x0080_0000; 2]),
        // Differences of half of it, and of a quarter of it.
        ([0x00c0_0000, 0x3f80_0000, 0x8080_0000], [0; 2]),
        ([0x0080_0000, 0x3f80_0000, 0x80c0_0000], [0, 0x8000_0000]),
        // Half of the largest below twice the smallest, in the middle of the smallest and the denormal below; and just below the
        // smallest.
        ([0x00ff_ffff, 0x3f00_0000, 0], [0, 0x0080_0000]),
        ([0x0080_0001, 0x3f7f_fffe, 0], [0x0080_0000; 2]),
        ([0x8080_0001, 0x3f7f_fffe, 0], [0x8080_0000; 2]),
        // 1.5 times the smallest but for a little, without the smallest.
        ([0x2000_0002, 0x203f_fffd, 0x8080_0000], [0, 0x0080_0000]),
        // Infinities that meet, and one that is added, or multiplied, with what is finite.
        ([0x7f80_0000, 0x3f80_0000, 0x7f80_0000], [0x7f80_0000; 2]),
        ([0x7f80_0000, 0x3f80_0000, 0xff80_0000], [0x7f80_0001, 0x7fc0_0000]),
        ([0x3f80_0000, 0xff80_0000, 0x7f80_0000], [0xff80_0001, 0x7fc0_0000]),
        ([0x3f80_0000, 0x3f80_0000, 0xff80_0000], [0xff80_0000; 2]),
        ([0xff80_0000, 0x3f80_0000, 0x3f80_0000], [0xff80_0000; 2]),
        // Infinity times zero, and times a denormal.
        ([0x7f80_0000, 0, 0x3f80_0000], [0x7f80_0001, 0x7fc0_0000]),
        ([0x8000_0000, 0x7f80_0000, 0], [0xff80_0001, 0x7fc0_0000]),
        ([0x7f80_0000, 0x007f_ffff, 0], [0x7f80_0001, 0x7fc0_0000]),
        // A product that is too large, and the other infinity: the difference goes into the NaN.
        ([0x7f7f_ffff, 0x4000_0000, 0xff80_0000], [0x7fff_ffff, 0xff80_0000]),
        ([0x7f7f_ffff, 0x4000_0000, 0x7f80_0000], [0x7f80_0000; 2]),
        // NaNs: the product ends at once, or a mantissa of 1.5 goes into it; one that is added has its sign.
        ([0x7fc0_0000, 0x3f80_0000, 0], [0x7f80_0001, 0x7fc0_0000]),
        ([0x7fc0_0000, 0xbf00_0000, 0], [0xffc0_0001, 0x7fc0_0000]),
        ([0x3f80_0000, 0x3f80_0000, 0xffc0_0000], [0xff80_0001, 0x7fc0_0000]),
        ([0x7f80_0000, 0x3f80_0000, 0xff80_0001], [0xff80_0001, 0x7fc0_0000]),
    ];

    #[test]
    fn the_models_give_what_was_worked_out_by_hand() {
        for (row, &([x, y, z], expected)) in VALUES.iter().enumerate() {
            let both = |x, y| [Chip::Wormhole, Chip::Blackhole].map(|chip| fma(chip, x, y, z));
            assert_eq!([both(x, y), both(y, x)], [expected; 2], "row {row}: {:#010x?}", both(x, y));
        }
    }
}
