//! `DPAS`: what the page says of its operands, and floats under every model.

use tandem_isa::visa::inst::dpas::DPAS;
use tandem_isa::visa::model::{Denormals, GUARDS, Nan, Sum, Tf32};
use tandem_isa::visa::{DataType, Small, Visa, cr0};
use tandem_isa::{Answer, State};

use super::{assert_makes, get, put, run, state};

// ------------------------------------------------------------------------------------------------ operands

/// A state with integers: `Dst` and `Src0` are of these types.
fn integers([dst, src0]: [DataType; 2]) -> State {
    state([dst, src0, DataType::D, DataType::Ud])
}

#[test]
fn a_null_accumulator_is_zero_at_any_offset() {
    let mut some = integers([DataType::D, DataType::D]);
    put(&mut some, 2, &[[2; 32]; 8]);
    put(&mut some, 3, &[[3; 32]]);
    // 32 products of 2 and 3.
    for offset in ["0", "32", "65504"] {
        let text = format!("DPAS.s8.u8.8.1 (M1_NM, 8) V32.0 V0.{offset} V34.0 V35(0,0)");
        assert_makes(&DPAS, &text, &some, &[192_i32.to_le_bytes(); 8]);
    }
}

#[test]
fn signed_products_wrap_in_accumulators_and_results_without_a_sign() {
    for [dst, src0] in [
        [DataType::Ud, DataType::Ud],
        [DataType::Ud, DataType::D],
        [DataType::D, DataType::Ud],
        [DataType::D, DataType::D],
    ] {
        let mut some = integers([dst, src0]);
        put(&mut some, 1, &[5_u32, 0x8000_0000, 96, 0, 1, 0xffff_ffff, 95, 97].map(u32::to_le_bytes));
        // 32 products of -1 and 3 are -96.
        put(&mut some, 2, &[[0xff; 32]; 8]);
        put(&mut some, 3, &[[3; 32]]);
        let expected = [-91, 0x7fff_ffa0, 0, -96, -95, -97, -1, 1].map(|value: i32| value.to_le_bytes());
        assert_makes(&DPAS, "DPAS.s8.s8.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)", &some, &expected);
        assert_makes(&DPAS, "DPAS.s8.u8.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)", &some, &expected);
    }
}

#[test]
fn rows_of_sixteen_bits_follow_each_other_in_half_a_register_of_32_bytes() {
    for (precision, data_type, one) in [("bf", DataType::Bf, 0x3f80), ("hf", DataType::Hf, 0x3c00_u16)] {
        let mut some = state([data_type, data_type, DataType::D, DataType::D]);
        // The accumulators are 1 in the first row and -1 in the second; to both come 16 products of 1.
        let [plus, minus] = [one, one | 0x8000].map(u16::to_le_bytes);
        put(&mut some, 1, &[[plus; 8], [minus; 8]].concat());
        put(&mut some, 2, &[one.to_le_bytes(); 128]);
        put(&mut some, 3, &[one.to_le_bytes(); 32]);
        let text = format!("DPAS.{precision}.{precision}.8.2 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)");
        // 17 is 1.0625 * 16, and 15 is 1.875 * 8.
        let [first, second] = if precision == "bf" { [0x4188_u16, 0x4170] } else { [0x4c40, 0x4b80] };
        assert_makes(&DPAS, &text, &some, &[[first.to_le_bytes(); 8], [second.to_le_bytes(); 8]].concat());
    }
}

#[test]
fn tf32_has_one_element_in_each_double_word_of_registers_of_32_bytes_too() {
    let mut some = state([DataType::F, DataType::F, DataType::D, DataType::D]);
    put(&mut some, 1, &[0.5_f32.to_le_bytes(); 8]);
    // The weights of channel n are n + 1, at each depth; the activations 1, 2, ..., 8.
    let channels = [1, 2, 3, 4, 5, 6, 7, 8_u8].map(|value| f32::from(value).to_le_bytes());
    put(&mut some, 2, &[channels; 8].concat());
    put(&mut some, 3, &channels);
    // 36 of them, and a half.
    let expected = [36.5_f32, 72.5, 108.5, 144.5, 180.5, 216.5, 252.5, 288.5].map(f32::to_le_bytes);
    assert_makes(&DPAS, "DPAS.tf32.tf32.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)", &some, &expected);
}

// ------------------------------------------------------------------------------------------------ models

const F: DataType = DataType::F;
const HF: DataType = DataType::Hf;
const BF: DataType = DataType::Bf;

/// The models under which a row is made, and the row.
struct Row<'a> {
    precision: &'a str,
    dst: DataType,
    accumulator: (DataType, u32),
    /// Weight and activation of each product; the others are products of +0.
    pairs: &'a [(u32, u32)],
}

impl Row<'_> {
    /// What every level makes of it in every channel.
    fn under(&self, models: impl Fn(&mut Small)) -> u32 {
        let mut before = state([self.dst, self.accumulator.0, DataType::D, DataType::D]);
        models(Visa::new(&mut before).small);
        let accumulator = self.accumulator.1;
        if self.accumulator.0 == F {
            put(&mut before, 1, &[accumulator.to_le_bytes(); 8]);
        } else {
            put(&mut before, 1, &[(accumulator as u16).to_le_bytes(); 8]);
        }
        for (product, &(weight, activation)) in self.pairs.iter().enumerate() {
            let [weights, activations] = [2, 3].map(|variable| variable * super::SPACING);
            let mut visa = Visa::new(&mut before);
            if self.precision == "tf32" {
                (0..8).for_each(|channel| {
                    visa.write_bytes(weights + 32 * product + 4 * channel, &weight.to_le_bytes());
                });
                visa.write_bytes(activations + 4 * product, &activation.to_le_bytes());
            } else {
                (0..8).for_each(|channel| {
                    let place = weights + 32 * (product / 2) + 4 * channel + 2 * (product % 2);
                    visa.write_bytes(place, &(weight as u16).to_le_bytes());
                });
                visa.write_bytes(activations + 2 * product, &(activation as u16).to_le_bytes());
            }
        }
        let precision = self.precision;
        let text = format!("DPAS.{precision}.{precision}.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)");
        let mut all: Vec<u32> = Vec::new();
        for (answer, mut after) in run(&DPAS, &text, &before) {
            assert_eq!(answer, Answer::Done);
            if self.dst == F {
                all.extend(get::<4>(&mut after, 0, 8).into_iter().map(u32::from_le_bytes));
            } else {
                all.extend(get::<2>(&mut after, 0, 8).into_iter().map(|bytes| u32::from(u16::from_le_bytes(bytes))));
            }
        }
        assert!(all.iter().all(|&word| word == all[0]), "levels and channels agree: {all:x?}");
        all[0]
    }

    /// The same, by a sum.
    fn summed(&self, sum: Sum) -> u32 {
        self.under(|small| {
            small.set_model_sum(sum);
            small.set_model_denormals(Denormals::Keep);
        })
    }

    /// The same by each sum that truncates, by ascending guards: 0, 1, 2, 3, 4, 6, 8 and 10.
    fn cut(&self) -> [u32; 8] {
        [1, 2, 3, 0, 4, 5, 6, 7].map(|place| {
            self.under(|small| {
                small.set_model_sum(Sum::Truncating);
                small.set_model_denormals(Denormals::Keep);
                small.set_model_guard(place);
            })
        })
    }
}

/// A row of `bf` with `F`s before and after.
fn bf(accumulator: u32, pairs: &[(u32, u32)]) -> Row<'_> {
    Row { precision: "bf", dst: F, accumulator: (F, accumulator), pairs }
}

/// A row of `hf` with `F`s before and after.
fn hf(accumulator: u32, pairs: &[(u32, u32)]) -> Row<'_> {
    Row { precision: "hf", dst: F, accumulator: (F, accumulator), pairs }
}

/// A row of `tf32`.
fn tf32(accumulator: u32, pairs: &[(u32, u32)]) -> Row<'_> {
    Row { precision: "tf32", dst: F, accumulator: (F, accumulator), pairs }
}

#[test]
fn guards_are_in_the_order_that_these_tests_have() {
    assert_eq!(GUARDS, [3, 0, 1, 2, 4, 6, 8, 10]);
}

#[test]
fn the_accumulator_comes_last() {
    // 2^24 + 1 + 1: one by one each 1 is half of the last place and goes to even.
    let ones = [(0x3f80, 0x3f80), (0x3f80, 0x3f80)];
    assert_eq!(bf(0x4b80_0000, &ones).summed(Sum::Sequential), 0x4b80_0000);
    assert_eq!(bf(0x4b80_0000, &ones).summed(Sum::AccumulatorLast), 0x4b80_0001);
    let ones = [(0x3c00, 0x3c00), (0x3c00, 0x3c00)];
    assert_eq!(hf(0x4b80_0000, &ones).summed(Sum::AccumulatorLast), 0x4b80_0001);
    let ones = [(0x3f80_0000, 0x3f80_0000), (0x3f80_0000, 0x3f80_0000)];
    assert_eq!(tf32(0x4b80_0000, &ones).summed(Sum::AccumulatorLast), 0x4b80_0001);
    // 2^24, 1 and 1 are summed by ascending k, each sum rounded; pairs are no unit: 1 and 1 lie in the second and third.
    let products = [(0x4b80, 0x3f80), (0, 0), (0x3f80, 0x3f80), (0x3f80, 0x3f80)];
    assert_eq!(bf(0, &products).summed(Sum::AccumulatorLast), 0x4b80_0000);
    assert_eq!(bf(0, &products).summed(Sum::Pairwise), 0x4b80_0001);
    // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24: the product is rounded, and what is left after -1 - 2^-11 is nothing.
    let square = [(0x3f80_0800, 0x3f80_0800)];
    assert_eq!(tf32(0xbf80_1000, &square).summed(Sum::AccumulatorLast), 0);
    assert_eq!(tf32(0xbf80_1000, &square).summed(Sum::Fused), 0x3380_0000);
    // Two infinite products of both signs are no number, and an infinite one outlives a finite accumulator.
    let (large, negative) = (0x7180_0000, 0xf180_0000);
    assert_eq!(tf32(0, &[(large, large), (large, negative)]).summed(Sum::AccumulatorLast), 0x7fc0_0000);
    assert_eq!(tf32(0xff7f_ffff, &[(large, large)]).summed(Sum::AccumulatorLast), 0x7f80_0000);
    // A product that is a denormal is rounded as one: 1.5 * 2^-149 is two units, to even.
    assert_eq!(tf32(0, &[(0x3fc0_0000, 1)]).summed(Sum::AccumulatorLast), 2);
}

#[test]
fn the_sum_is_negative_zero_if_all_of_its_terms_are() {
    let zeros = [(0x8000, 0x3f80); 16];
    for sum in Sum::ALL {
        assert_eq!(bf(0x8000_0000, &zeros).summed(sum), 0x8000_0000, "{sum:?}");
        assert_eq!(bf(0, &zeros).summed(sum), 0, "{sum:?}");
        assert_eq!(bf(0x8000_0000, &zeros[..15]).summed(sum), 0, "{sum:?}");
        // 1 - 1.
        assert_eq!(bf(0xbf80_0000, &[(0x3f80, 0x3f80)]).summed(sum), 0, "{sum:?}");
    }
}

#[test]
fn terms_are_cut_towards_minus_infinity_at_the_guard() {
    // 1 - 2^-30: the small one becomes a unit, 2^(-23 - guard). With 2 guard bits that is a tie, which goes to 1.
    let small = [(0xb080, 0x3f80)];
    let one = 0x3f80_0000;
    assert_eq!(bf(one, &small).cut(), [0x3f7f_fffe, 0x3f7f_ffff, one, one, one, one, one, one]);
    // 1 + 2^-30: nothing is left of it.
    assert_eq!(bf(one, &[(0x3080, 0x3f80)]).cut(), [one; 8]);
    // 1 and sixteen times 2^-25, which is a whole unit from two guard bits on: 1 + 2^-21.
    let sixteen = [(0x3300, 0x3f80); 16];
    let all = 0x3f80_0004;
    assert_eq!(bf(one, &sixteen).cut(), [one, one, all, all, all, all, all, all]);
    // 1 and sixteen times -2^-33: sixteen units are 2^-19 at guard 0, and so on; at ten guard bits, they are exact, 2^-29.
    let sixteen = [(0xaf00, 0x3f80); 16];
    let expected = [0x3f7f_ffe0, 0x3f7f_fff0, 0x3f7f_fff8, 0x3f7f_fffc, 0x3f7f_fffe, 0x3f80_0000, one, one];
    assert_eq!(bf(one, &sixteen).cut(), expected);
}

#[test]
fn terms_are_aligned_to_the_largest_product_or_accumulator() {
    // 1.5 * 1.5 is 2.25, whose exponent is 1: less 2^-23, which becomes 2^-22 without guard bits. Exactly it is a tie.
    let square = [(0x3fc0, 0x3fc0)];
    assert_eq!(bf(0xb400_0000, &square).cut()[..2], [0x400f_ffff, 0x4010_0000]);
    assert_eq!(bf(0xb400_0000, &square).summed(Sum::SingleRounding), 0x4010_0000);
    // 2^-149 is the largest of all: nothing is cut.
    assert_eq!(tf32(1, &[(0x8000_0001, 0x3f00_0000)]).cut(), [0; 8]);
    // Half of a unit and a little more is one: 2^-150 + 2^-160.
    assert_eq!(tf32(0, &[(1, 0x3f00_0000), (1, 0x3a00_0000)]).cut(), [1; 8]);
    // 2^127 and 2^127 overflow, and so does what is rounded up to it.
    assert_eq!(tf32(0x7f00_0000, &[(0x7f00_0000, 0x3f80_0000)]).cut(), [0x7f80_0000; 8]);
    // 2^200 - 2^200 + 1: all but the 1 is gone, and of it nothing is left.
    let large = [(0x7180_0000, 0x7180_0000), (0x7180_0000, 0xf180_0000)];
    assert_eq!(tf32(0x3f80_0000, &large).cut(), [0; 8]);
    // Of -1, a unit is left: -2^(200 - 23 - guard), which is -2^167 at most and overflows.
    assert_eq!(tf32(0xbf80_0000, &large).cut(), [0xff80_0000; 8]);
}

#[test]
fn a_sum_that_truncates_keeps_the_sign_of_what_is_too_small() {
    // -2^-200 is no zero, and rounds to one.
    let small = [(0x0d80_0000, 0x8d80_0000)];
    assert_eq!(tf32(0, &small).cut(), [0x8000_0000; 8]);
    assert_eq!(tf32(0, &small).summed(Sum::SingleRounding), 0x8000_0000);
    // 1 - 1 + 2^-40 is 0, and 1 - 1 - 2^-40 a unit.
    let terms = |last| [(0x3f80, 0x3f80), (last, 0x3f80)];
    assert_eq!(bf(0xbf80_0000, &terms(0x2b80)).cut(), [0; 8]);
    let units =
        [0xb400_0000, 0xb380_0000, 0xb300_0000, 0xb280_0000, 0xb200_0000, 0xb100_0000, 0xb000_0000, 0xaf00_0000];
    assert_eq!(bf(0xbf80_0000, &terms(0xab80)).cut(), units);
}

// ------------------------------------------------------------------------------------------------ denormals

/// The bits of the control register that keep denormals: none, `F`'s, `HF`'s, all.
const KEPT: [u32; 4] = [0, cr0::F_DENORM, cr0::HF_DENORM, cr0::F_DENORM | cr0::HF_DENORM | cr0::DF_DENORM];

impl Row<'_> {
    /// What each sum makes of it by these bits of the control register, if nothing is flushed, and if everything is,
    /// whatever the control register says.
    fn flushed(&self, sum: Sum) -> ([u32; 4], u32, u32) {
        let under = |denormals, kept| {
            self.under(|small| {
                small.set_model_sum(sum);
                small.set_model_denormals(denormals);
                small.cr0 = kept;
            })
        };
        let [keep, flush] = [Denormals::Keep, Denormals::Flush].map(|denormals| {
            let each = KEPT.map(|kept| under(denormals, kept));
            assert_eq!(each, [each[0]; 4]);
            each[0]
        });
        (KEPT.map(|kept| under(Denormals::ByCr0, kept)), keep, flush)
    }
}

#[test]
fn elements_are_flushed_in_their_type_of_which_only_hf_has_a_bit() {
    for sum in Sum::ALL {
        // 2^-15 * 2^10 is 2^-5.
        let kept = 0x3d00_0000;
        for pair in [(0x0200, 0x6400), (0x6400, 0x0200)] {
            assert_eq!(hf(0, &[pair]).flushed(sum), ([0, 0, kept, kept], kept, 0), "{sum:?}");
            // The second one of a double word.
            assert_eq!(hf(0, &[(0, 0), pair]).flushed(sum), ([0, 0, kept, kept], kept, 0), "{sum:?}");
        }
        // The smallest normal HF is none: 2^-14 * 2^10.
        assert_eq!(hf(0, &[(0x0400, 0x6400)]).flushed(sum), ([0x3d80_0000; 4], 0x3d80_0000, 0x3d80_0000), "{sum:?}");
        // A zero keeps the sign: -0 * 1 and -0 is -0, in all sixteen.
        let all = hf(0x8000_0000, &[(0x8001, 0x3c00); 16]).flushed(sum);
        assert_eq!((all.0[0], all.2), (0x8000_0000, 0x8000_0000), "{sum:?}");
        // 2^-127 * 2^10 is 2^-117.
        assert_eq!(bf(0, &[(0x0040, 0x4480)]).flushed(sum), ([0x0500_0000; 4], 0x0500_0000, 0), "{sum:?}");
        assert_eq!(tf32(0, &[(0x4480_0000, 0x0040_0000)]).flushed(sum), ([0x0500_0000; 4], 0x0500_0000, 0), "{sum:?}");
    }
}

#[test]
fn accumulators_are_flushed_in_their_type() {
    for sum in Sum::ALL {
        // 2^-127 and 2^-126 * 1.
        let (kept, flushed) = (0x00c0_0000, 0x0080_0000);
        let single = bf(0x0040_0000, &[(0x0080, 0x3f80)]).flushed(sum);
        assert_eq!(single, ([flushed, kept, flushed, kept], kept, flushed), "{sum:?}");
        let short = Row { precision: "bf", dst: F, accumulator: (BF, 0x0040), pairs: &[(0x0080, 0x3f80)] };
        assert_eq!(short.flushed(sum), ([kept; 4], kept, flushed), "{sum:?}");
        // 2^-15 is a denormal of HF, and not of F.
        let half = Row { precision: "hf", dst: F, accumulator: (HF, 0x0200), pairs: &[] };
        assert_eq!(half.flushed(sum), ([0, 0, 0x3800_0000, 0x3800_0000], 0x3800_0000, 0), "{sum:?}");
        assert_eq!(hf(0x3800_0000, &[]).flushed(sum), ([0x3800_0000; 4], 0x3800_0000, 0x3800_0000), "{sum:?}");
    }
}

#[test]
fn results_are_flushed_as_f_and_again_as_what_they_become() {
    for sum in Sum::ALL {
        // -(2^-126 + 2^-149) + 2^-126 is a denormal.
        let single = bf(0x8080_0001, &[(0x0080, 0x3f80)]).flushed(sum);
        let (kept, flushed) = (0x8000_0001, 0x8000_0000);
        assert_eq!(single, ([flushed, kept, flushed, kept], kept, flushed), "{sum:?}");
        // 2^-15 is a denormal of HF; what is rounded up to 2^-14 is none.
        let half = |accumulator| Row { precision: "hf", dst: HF, accumulator: (F, accumulator), pairs: &[] };
        assert_eq!(half(0xb800_0000).flushed(sum), ([0x8000, 0x8000, 0x8200, 0x8200], 0x8200, 0x8000), "{sum:?}");
        assert_eq!(half(0x387f_ffff).flushed(sum), ([0x0400; 4], 0x0400, 0x0400), "{sum:?}");
        // In BF it is F's bit that counts, as that comes first: -3 * 2^-128, from two that are none.
        let short = Row { precision: "bf", dst: BF, accumulator: (F, 0x8100_0000), pairs: &[(0x00a0, 0x3f80)] };
        assert_eq!(short.flushed(sum), ([0x8000, 0x8060, 0x8000, 0x8060], 0x8060, 0x8000), "{sum:?}");
    }
}

#[test]
fn products_and_sums_between_are_kept() {
    // 2^-126 - 2^-127 + 2^-127, of factors 2^-100, -2^-27 and 2^-27.
    let terms = [(0x0d80, 0xb200), (0x0d80, 0x3200)];
    for sum in Sum::ALL {
        let expected = 0x0080_0000;
        assert_eq!(bf(expected, &terms).flushed(sum), ([expected; 4], expected, expected), "{sum:?}");
    }
}

#[test]
fn of_tf32_bits_are_dropped_before_denormals() {
    let row = tf32(0, &[(0x0080_0000 | 0x1fff, 0x4480_0000), (0x0000_1fff, 0x7f00_0000)]);
    let truncated = row.under(|small| {
        small.set_model_tf32(Tf32::Truncated);
        small.set_model_denormals(Denormals::Flush);
    });
    // 2^-126 * 2^10.
    assert_eq!(truncated, 0x0580_0000);
}

// ------------------------------------------------------------------------------------------------ NaN

impl Row<'_> {
    /// The first NaN, by every sum and whether denormals are flushed or not.
    fn first_nan(&self) -> u32 {
        let mut all = Vec::new();
        for (sum, denormals) in Sum::ALL.into_iter().flat_map(|sum| Denormals::ALL.map(|denormals| (sum, denormals))) {
            all.push(self.under(|small| {
                small.set_model_sum(sum);
                small.set_model_denormals(denormals);
                small.set_model_nan(Nan::First);
            }));
        }
        assert!(all.iter().all(|&word| word == all[0]), "{all:x?}");
        all[0]
    }

    /// The canonical NaN is the result, if a NaN is always that.
    fn assert_canonical(&self) {
        let canonical = if self.dst == HF { 0x7e00 } else { 0x7fc0_0000 >> if self.dst == BF { 16 } else { 0 } };
        for sum in Sum::ALL {
            assert_eq!(self.under(|small| small.set_model_sum(sum)), canonical, "{sum:?}");
        }
    }
}

#[test]
fn the_first_nan_is_the_accumulator_or_else_that_of_the_lowest_k() {
    let one = 0x3f80;
    let weight_and_activation = [(one, one), (0x7fa1, 0xffc2), (0x7fc3, one)];
    let activation = [(one, one), (one, 0xffc2), (0x7fc3, one)];
    for (row, expected) in [
        // Made quiet, whatever else there is.
        (bf(0xff81_2345, &weight_and_activation), 0xffc1_2345),
        (bf(0x7fff_ffff, &[]), 0x7fff_ffff),
        (bf(0x3f80_0000, &weight_and_activation), 0x7fe1_0000),
        (bf(0x3f80_0000, &activation), 0xffc2_0000),
        (bf(0x3f80_0000, &activation[2..]), 0x7fc3_0000),
        (hf(0, &[(0, 0), (0, 0), (0x3c00, 0x7d01)]), 0x7fe0_2000),
        (hf(0, &[(0xfc01, 0x7e00)]), 0xffc0_2000),
        // The last of all.
        (tf32(0, &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0xff80_0001)]), 0xffc0_0001),
        (Row { precision: "hf", dst: F, accumulator: (HF, 0xfd01), pairs: &[(0x7e02, 0x7e03)] }, 0xffe0_2000),
        (Row { precision: "bf", dst: F, accumulator: (BF, 0x7f81), pairs: &[] }, 0x7fc1_0000),
    ] {
        assert_eq!(row.first_nan(), expected);
        row.assert_canonical();
    }
}

#[test]
fn of_the_first_nan_sixteen_bits_have_the_highest() {
    for (precision, dst, accumulator, expected) in [
        ("hf", HF, 0xff81_2345, 0xfe09),
        ("hf", HF, 0x7fff_ffff, 0x7fff),
        ("bf", BF, 0xff81_2345, 0xffc1),
        // What is below carries nothing into it.
        ("bf", BF, 0x7fff_ffff, 0x7fff),
        ("bf", BF, 0xffff_8000, 0xffff),
    ] {
        let row = Row { precision, dst, accumulator: (F, accumulator), pairs: &[] };
        assert_eq!(row.first_nan(), expected);
        row.assert_canonical();
    }
}

#[test]
fn where_no_operand_is_nan_it_is_canonical() {
    for (row, expected) in [
        // Infinity times 0, and infinity less infinity.
        (bf(0, &[(0x7f80, 0)]), 0x7fc0_0000),
        (bf(0xff80_0000, &[(0x7f80, 0x3f80)]), 0x7fc0_0000),
        (hf(0, &[(0x7c00, 0x3c00), (0x3c00, 0xfc00)]), 0x7fc0_0000),
        (Row { precision: "hf", dst: HF, accumulator: (HF, 0x7c00), pairs: &[(0xfc00, 0x3c00)] }, 0x7e00),
        (Row { precision: "bf", dst: BF, accumulator: (BF, 0x7f80), pairs: &[(0xff80, 0x3f80)] }, 0x7fc0),
    ] {
        assert_eq!(row.first_nan(), expected);
        row.assert_canonical();
    }
    // An infinite result is none.
    assert_eq!(bf(0x7f80_0000, &[]).first_nan(), 0x7f80_0000);
    // Without its low bits this one is infinite.
    let row = tf32(0, &[(0x7f80_1fff, 0x3f80_0000)]);
    let first = |tf32| {
        row.under(|small| {
            small.set_model_tf32(tf32);
            small.set_model_nan(Nan::First);
        })
    };
    assert_eq!([Tf32::Full, Tf32::Truncated].map(first), [0x7fc0_1fff, 0x7f80_0000]);
}
