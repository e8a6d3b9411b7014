//! Products and sums of F against LLVM's `APFloat`, the host, and wide integers.

use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round};
use tandem_isa::mix64;

use tandem_reference::visa::softfloat::F;
use tandem_reference::visa::softfloat::arithmetic::{ExactSum, add, fma, mul};

/// Numbers that are drawn anew, but the same in every run.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u32 {
        self.0 += 1;
        (mix64(self.0) >> 32) as u32
    }

    /// An `F`: a corner, anything, or one with an exponent near `1` and few bits, so that sums cancel.
    fn float(&mut self) -> u32 {
        const CORNERS: [u32; 12] = [
            0,
            1,
            2,
            0x007f_ffff,
            0x0080_0000,
            0x3f80_0000,
            0x3f80_0001,
            0x7f7f_ffff,
            0x7f80_0000,
            0x7f80_0001,
            0x7fc0_0000,
            0x33ff_ffff,
        ];
        let bits = self.bits();
        match bits >> 8 & 7 {
            0 => CORNERS[bits as usize % CORNERS.len()] | bits & 1 << 31,
            1 | 2 => self.bits(),
            3 => self.bits() & 0x80ff_ffff,
            4 => (bits & 0x8000_0000) | (0x3f00_0000 + (self.bits() & 0x01f0_0000)),
            5 => (bits & 0x8000_0000) | (0x3000_0000 + (self.bits() & 0x1fff_ffff)),
            _ => (bits & 0x8000_0000) | (0x3f00_0000 + (self.bits() & 0x00ff_ffff)),
        }
    }
}

fn canonical(value: Single) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { u32::try_from(value.to_bits()).expect("32 bits") }
}

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

fn host(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

#[test]
fn products_sums_and_fused_ones_are_those_of_apfloat_and_of_the_host() {
    let mut draw = Draw(0);
    for _ in 0..400_000 {
        let [a, b, c] = [(); 3].map(|()| draw.float());
        let near = Round::NearestTiesToEven;
        let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
        assert_eq!(mul(a, b), canonical(single(a).mul_r(single(b), near).value), "{a:#x} * {b:#x}");
        assert_eq!(add(a, b), canonical(single(a).add_r(single(b), near).value), "{a:#x} + {b:#x}");
        let fused = canonical(single(a).mul_add_r(single(b), single(c), near).value);
        assert_eq!(fma(a, b, c), fused, "{a:#x} * {b:#x} + {c:#x}");
        assert_eq!((mul(a, b), add(a, b)), (host(x * y), host(x + y)), "{a:#x} {b:#x}");
        assert_eq!(fma(a, b, c), host(x.mul_add(y, z)), "{a:#x} {b:#x} {c:#x}");
    }
}

#[test]
fn an_exact_sum_with_one_product_is_the_fused_one() {
    let mut draw = Draw(1 << 32);
    for _ in 0..400_000 {
        let [a, b, c] = [(); 3].map(|()| draw.float());
        let mut sum = ExactSum::of(c);
        sum.add_product(a, b);
        // Two zeros of different signs are +0, as in IEEE 754.
        assert_eq!(sum.rounded(), fma(a, b, c), "{a:#x} * {b:#x} + {c:#x}");
        let mut sum = ExactSum::of(a);
        sum.add_product(b, 0x3f80_0000);
        assert_eq!(sum.rounded(), add(a, b), "{a:#x} + {b:#x}");
    }
}

#[test]
fn what_is_taken_away_again_leaves_nothing_in_an_exact_sum() {
    // c + Σ(p - p) is c, whatever the products are and wherever they stand.
    let mut draw = Draw(2 << 32);
    for _ in 0..20_000 {
        let finite = |draw: &mut Draw| loop {
            let bits = draw.float();
            if bits & F.infinity as u32 != F.infinity as u32 {
                break bits;
            }
        };
        let c = finite(&mut draw);
        let pairs = [(); 16].map(|()| [finite(&mut draw), finite(&mut draw)]);
        let mut sum = ExactSum::of(c);
        for [a, b] in pairs {
            sum.add_product(a, b);
        }
        for [a, b] in pairs.into_iter().rev() {
            sum.add_product(a ^ 1 << 31, b);
        }
        assert_eq!(sum.rounded(), if c == 1 << 31 { 0 } else { c }, "{c:#x} {pairs:#x?}");
    }
}

#[test]
fn exact_sums_of_a_narrow_range_are_those_of_wide_host_integers() {
    // Multiples of 2^-20 with 24 bits: each product is a multiple of 2^-40, and 16 of them fit in an i128.
    let mut draw = Draw(3 << 32);
    for _ in 0..20_000 {
        let mut integer = |bits: u32| i64::from(draw.bits() as i32 >> (32 - bits));
        let as_float = |value: i64| (value as f32 / 1_048_576.0).to_bits();
        let c = integer(24);
        let mut expected = i128::from(c) << 20;
        let mut sum = ExactSum::of(as_float(c));
        for bits in [24, 24, 1, 9, 24, 17, 3, 24] {
            let (a, b) = (integer(bits), integer(24));
            expected += i128::from(a) * i128::from(b);
            sum.add_product(as_float(a), as_float(b));
        }
        let host = (expected as f32 / 1_099_511_627_776.0).to_bits();
        assert_eq!(sum.rounded(), host);
    }
}

#[test]
fn an_exact_sum_keeps_what_steps_lose() {
    let (huge, tiny, one) = (0x7f7f_ffff, 1, 0x3f80_0000);
    // max² + tiny² - max² is tiny², which is far below the smallest denormal; with one added it is one.
    let mut sum = ExactSum::of(0);
    sum.add_product(huge, huge);
    sum.add_product(tiny, tiny);
    sum.add_product(huge, huge | 1 << 31);
    assert_eq!(sum.rounded(), 0);
    // Half a unit above one, to even; and anything above half a unit, however small.
    let half_unit = 0x3380_0000;
    for (more, expected) in [(0, one), (tiny, one + 1)] {
        let mut sum = ExactSum::of(one);
        sum.add_product(half_unit, one);
        sum.add_product(more, tiny);
        assert_eq!(sum.rounded(), expected);
    }
    // Products beyond the largest number are no infinities.
    let mut sum = ExactSum::of(one);
    sum.add_product(huge, 0x4000_0000);
    sum.add_product(huge, 0xc000_0000);
    assert_eq!(sum.rounded(), one);
    sum.add_product(huge, 0x4000_0000);
    assert_eq!(sum.rounded(), 0x7f80_0000);
}

#[test]
fn infinities_and_nan_of_exact_sums_come_of_exact_terms() {
    let (infinity, negative, nan, one, zero) = (0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x3f80_0000, 0);
    let rows: [(u32, &[[u32; 2]], u32); 10] = [
        (zero, &[[infinity, one]], infinity),
        (zero, &[[infinity, one], [negative, negative]], infinity),
        (zero, &[[infinity, one], [negative, one]], nan),
        (negative, &[[infinity, one]], nan),
        (negative, &[[one, one]], negative),
        (zero, &[[infinity, zero]], nan),
        (zero, &[[1 << 31, negative]], nan),
        (0xffff_ffff, &[[one, one]], nan),
        (zero, &[[0x7f80_0001, zero]], nan),
        (one, &[[0x7f7f_ffff, 0x7f7f_ffff], [negative, one]], negative),
    ];
    for (first, products, expected) in rows {
        let mut sum = ExactSum::of(first);
        products.iter().for_each(|&[a, b]| sum.add_product(a, b));
        assert_eq!(sum.rounded(), expected, "{first:#x} {products:#x?}");
    }
}

#[test]
fn an_exact_zero_is_positive_unless_every_term_is_negative_zero() {
    let (plus, minus, one, minus_one) = (0, 1 << 31, 0x3f80_0000, 0xbf80_0000);
    let rows: [(u32, &[[u32; 2]], u32); 6] = [
        (minus, &[[minus, one], [plus, minus_one]], minus),
        (plus, &[[minus, one]], plus),
        (minus, &[[minus, one], [plus, one]], plus),
        (minus, &[[one, one], [minus_one, one]], plus),
        (one, &[[minus_one, one]], plus),
        (minus, &[], minus),
    ];
    for (first, products, expected) in rows {
        let mut sum = ExactSum::of(first);
        products.iter().for_each(|&[a, b]| sum.add_product(a, b));
        assert_eq!(sum.rounded(), expected, "{first:#x} {products:#x?}");
    }
}
