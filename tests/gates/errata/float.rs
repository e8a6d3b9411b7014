//! The figures of the errata of what multiplies and adds FP32, of both chips.
//!
//! Pages: `Miscellaneous/FMA/fma.c` at 06c5af5b, SFPMAD at 585749d1, and SFPADD and SFPMUL at 2f0ad45d.

/// Pairs of exponents of two numbers that are no denormals and finite, whose sum is as asked for.
fn pairs_of_exponents(what: impl Fn(u32) -> bool) -> usize {
    (1..255).flat_map(|x| (1..255).map(move |y| x + y)).filter(|&sum| what(sum)).count()
}

/// Three bits that are lost, as a number below, and a last bit: whether they are rounded up.
fn rounds_up(bits: u32) -> bool {
    (bits & 7) + (bits >> 3 & 1) > 4
}

#[test]
fn tx_110_of_2_to_the_46_pairs_2907534_round_up_to_the_smallest_normal() {
    // Two mantissas of 24 bits, whose exponents add up to 127, which is the bias: the product stands for the smallest normal
    // number, 0x00800000, if it is 2^47.
    assert_eq!(1_u64 << 46, 70_368_744_177_664);
    let (smallest, mantissas) = (1_u64 << 47, 1_u64 << 23..1 << 24);
    // How many factors give a product of at least so much with this one, and less than the smallest.
    let from = |lowest: u64| {
        let partners = |x: u64| {
            let (first, last) = (lowest.div_ceil(x).max(mantissas.start), ((smallest - 1) / x).min(mantissas.end - 1));
            (last + 1).saturating_sub(first)
        };
        mantissas.clone().map(partners).sum::<u64>()
    };
    // Of the product 27 bits are kept, with one for the rest, of which 23 and the one before the point come out.
    let kept = |product: u64| product >> 20 | u64::from(product & 0xf_ffff != 0);
    let is_up = |product: u64| {
        rounds_up(u32::try_from(kept(product)).expect("it has 28 bits")) && kept(product) >= (1 << 27) - 8
    };
    let first = smallest - (1 << 22);
    assert!(is_up(first) && is_up(smallest - 1) && !is_up(first - 1));
    assert_eq!(from(first), 2_907_534);
    // By the page's words what is below the smallest is flushed before anything is rounded. IEEE 754 keeps 23 bits.
    assert_eq!(from(smallest), 0);
    assert_eq!(from(smallest - (1 << 23)), 5_815_915);
    assert_eq!(0x0080_0000_u32 >> 23, 1);
}

#[test]
fn tx_111_of_64_ends_of_a_sum_1_is_rounded_down_from_above_the_middle() {
    let shifted = |end: u32, sticks: u32| end >> 2 | u32::from(end & sticks != 0);
    let differ: Vec<u32> = (0..64).filter(|&end| rounds_up(shifted(end, 1)) != rounds_up(shifted(end, 3))).collect();
    assert_eq!(differ, [18]);
    assert!(rounds_up(shifted(18, 3)));
    // 16,383 * 2^-13 and 8,191 * 2^-12, in units of 2^-26, and 1 + 2^-22: no bit of either is lost.
    let sum: u32 = 2 * 16_383 * 8_191 + (1 << 26) + (1 << 4);
    assert_eq!((sum >> 28, sum & 63), (1, 18));
    let number = |sticks: u32| {
        let kept = shifted(sum, sticks);
        (129 << 23) + (kept >> 3 & 0x7f_ffff) + u32::from(rounds_up(kept))
    };
    assert_eq!([number(1), number(3)], [0x409f_fa00, 0x409f_fa01]);
}

#[test]
fn tx_112_of_64516_pairs_of_exponents_7875_lose_the_sign_of_their_product() {
    let counts =
        [pairs_of_exponents(|_| true), pairs_of_exponents(|sum| sum < 127), pairs_of_exponents(|sum| sum == 127)];
    assert_eq!(counts, [64_516, 7_875, 126]);
    // The exponents of the smallest, of 0.5 and of 0.25: the sum is 127, or less.
    let exponent = |number: u32| number >> 23 & 255;
    assert_eq!([0x3f00_0000, 0x3e80_0000].map(|other| exponent(0x8080_0000) + exponent(other)), [127, 126]);
    // The sign of the product, and that of both zeros, if 0 is added.
    let (product, zero) = (0x8080_0000_u32 >> 31, 0);
    assert_eq!([product << 31, (product & zero) << 31], [0x8000_0000, 0]);
}

#[test]
fn tx_113_four_differences_below_the_smallest_normal_become_it() {
    // What is left of a difference by which its exponent becomes `e`, of the numbers below 2^26.
    let mut found = Vec::new();
    for (exponent, difference) in (1..4_i32).flat_map(|e| (1..1_u32 << 26).map(move |difference| (e, difference))) {
        let n = 5 - difference.leading_zeros().cast_signed();
        if exponent + n < 0 {
            let moved = difference << -(n + 1);
            if moved >> 3 & 0x7f_ffff == 0x7f_ffff && rounds_up(moved) {
                found.push((exponent, difference));
            }
        }
    }
    assert_eq!(found, [(1, 0x00ff_ffff), (1, 0x01ff_fffe), (1, 0x01ff_ffff), (2, 0x00ff_ffff)]);
    // Where the smallest, 0x00800000, is 2^26, half and a quarter of it, as denormals of IEEE 754.
    assert_eq!([0x0200_0000, 0x0100_0000].map(|units: u32| units >> 3), [0x0040_0000, 0x0020_0000]);
    assert_eq!(0x0400_0000_u32 >> 3, 0x0080_0000);
    // The products of the two examples have exponents of 1, and without the smallest they leave the differences above.
    let mantissa = |number: u32| u64::from(number & 0x7f_ffff | 0x80_0000);
    for (x, y, left) in [(0x2000_0002, 0x203f_fffd, 0x01ff_ffff), (0x2000_0004, 0x201f_fffb, 0x00ff_ffff)] {
        assert_eq!((x >> 23) + (y >> 23) - 127, 1);
        let product = mantissa(x) * mantissa(y);
        let kept = product >> 20 | u64::from(product & 0xf_ffff != 0);
        assert_eq!(kept - (1 << 26), left);
    }
}

#[test]
fn tx_114_8128_of_64516_pairs_of_exponents_overflow_and_cancel_an_infinity() {
    let counts = [pairs_of_exponents(|_| true), pairs_of_exponents(|sum| sum - 127.min(sum) >= 255)];
    assert_eq!((counts, 382 - 127), ([64_516, 8_128], 255));
    // The difference of the mantissas of 0x7f7fffff, twice it having an exponent of 255, and of infinity.
    let difference: u32 = (0xff_ffff << 3) - (0x80_0000 << 3);
    let n = 5 - difference.leading_zeros().cast_signed();
    let left = difference << -n;
    let number = u32::try_from(255 + n).expect("it is above zero") << 23 | left >> 3 & 0x7f_ffff;
    assert_eq!((number | 0x7f80_0001, 0x7f7f_ffff_u32 >> 23), (0x7fff_ffff, 254));
    assert_eq!(0x8000_0000_u32 | 0x7f80_0000, 0xff80_0000);
}

#[test]
fn tx_115_15_of_16_registers_are_not_the_one_that_is_meant() {
    for meant in [10, 9] {
        assert_eq!((0..16).filter(|&register| register != meant).count(), 15);
    }
}
