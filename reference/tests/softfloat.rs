//! The formats of vISA against LLVM's `APFloat`, in every rounding mode, and what of conversions is told by hand. All
//! conversions are held against IEEE 754 in `ieee.rs`.

use rstest::rstest;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use tandem_isa::mix64;
use tandem_isa::visa::{DataType, cr0};
use tandem_reference::visa::convert::{Conversion, Modifier};
use tandem_reference::visa::softfloat::{self, BF, DF, F, Format, HF, LEADING, Rounding};

/// All denormals are kept.
const KEEP: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;

const MODES: [(Rounding, Round); 4] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::Up, Round::TowardPositive),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::TowardZero, Round::TowardZero),
];

/// Numbers that are drawn anew, but the same in every run.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix64(self.0)
    }

    /// A float that is just at, or beside, a number or the middle of two numbers of a narrower format.
    fn near(&mut self, wide: Format, narrow: Format) -> u64 {
        let bits = self.bits();
        // Any stored exponent that the narrower format has, and some beyond both ends.
        let span = 1 << narrow.exponent_bits;
        let lowest = wide.bias - narrow.bias - i32::try_from(narrow.mantissa_bits).unwrap() - 3;
        let drawn = i64::try_from(self.bits() % (span + 40)).unwrap() + i64::from(lowest);
        let exponent = u64::try_from(drawn.clamp(0, (1 << wide.exponent_bits) - 1)).unwrap();
        // The low bits: all drawn, none, all, or one alone, for middles at any distance (denormals drop more).
        let mantissa = wide.mantissa(bits);
        let low = self.bits() % u64::from(wide.mantissa_bits);
        let kept = mantissa >> low << low;
        let mantissa = match self.bits() % 6 {
            0 => mantissa,
            1 => kept,
            2 => kept | ((1 << low) - 1),
            3 => kept | 1 << low >> 1,
            4 => kept | ((1 << low >> 1).max(1) - 1),
            _ => wide.mantissa(kept + (1 << low >> 1) + 1),
        };
        bits & wide.sign_bit | exponent << wide.mantissa_bits | mantissa
    }
}

/// Stored exponents and mantissas at the ends of their ranges, of either sign.
fn corners(format: Format) -> Vec<u64> {
    let (last_exponent, last_mantissa) = ((1 << format.exponent_bits) - 1, (1 << format.mantissa_bits) - 1);
    let mut list = Vec::new();
    for sign in [0, format.sign_bit] {
        for exponent in 0..=last_exponent {
            for mantissa in [0, 1, 2, last_mantissa / 2, last_mantissa / 2 + 1, last_mantissa - 1, last_mantissa] {
                list.push(sign | exponent << format.mantissa_bits | mantissa);
            }
        }
    }
    list
}

fn apfloat<S: FloatConvert<T>, T: Float>(bits: u64, round: Round) -> u64 {
    let converted = S::from_bits(bits.into()).convert_r(round, &mut false).value;
    u64::try_from(converted.to_bits()).unwrap()
}

/// Corners, and values just at, or beside, a number or the middle of two numbers of the other format.
fn check<S: FloatConvert<T>, T: Float>(src: Format, dst: Format) {
    let mut draw = Draw(u64::from(src.bias.cast_unsigned() * 64 + dst.mantissa_bits) << 32);
    let mut cases = corners(src);
    cases.extend((0..250_000).map(|_| draw.bits() & (src.sign_bit | (src.sign_bit - 1))));
    cases.extend((0..1_000_000).map(|_| draw.near(src, dst)));
    for (rounding, round) in MODES {
        for &bits in &cases {
            let expected = apfloat::<S, T>(bits, round);
            assert_eq!(dst.encode(src.decode(bits), rounding), expected, "{src:?} {bits:#x} {dst:?} {rounding:?}");
        }
    }
}

#[rstest]
#[case::df_to_f(check::<Double, Single>, DF, F)]
#[case::df_to_hf(check::<Double, Half>, DF, HF)]
#[case::f_to_hf(check::<Single, Half>, F, HF)]
#[case::f_to_bf(check::<Single, BFloat>, F, BF)]
fn narrowing_rounds_like_apfloat(#[case] check: fn(Format, Format), #[case] src: Format, #[case] dst: Format) {
    check(src, dst);
}

#[test]
fn formats_of_16_bits_become_each_other_which_mov_does_not_have() {
    for bits in 0..1 << 16 {
        for (rounding, round) in MODES {
            assert_eq!(BF.encode(HF.decode(bits), rounding), apfloat::<Half, BFloat>(bits, round), "{bits:#x}");
            assert_eq!(HF.encode(BF.decode(bits), rounding), apfloat::<BFloat, Half>(bits, round), "{bits:#x}");
        }
    }
}

#[test]
fn integers_of_64_bits_round_like_apfloat_in_every_mode() {
    let mut draw = Draw(7 << 32);
    for _ in 0..1_000_000 {
        let length = draw.bits() % 64;
        let value = i128::from(draw.bits() >> length | 1);
        for value in [value, -value] {
            for (rounding, round) in MODES {
                let single = Single::from_i128_r(value, round).value.to_bits();
                assert_eq!(u128::from(F.encode(softfloat::integer(value), rounding)), single, "{value} {rounding:?}");
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ by hand

fn convert(src: DataType, dst: DataType, control: u32, datum: u64) -> u64 {
    Conversion::new(dst, src, Modifier::default(), false, control).convert(datum)
}

#[test]
fn a_denormal_source_that_would_be_rounded_up_is_a_zero_before_that() {
    let up = cr0::RU << cr0::ROUNDING_SHIFT;
    let rows = [(KEEP, 1, 1), (cr0::F_DENORM, 1, 0), (cr0::DF_DENORM, 1, 0), (cr0::F_DENORM, 1 << 63 | 1, 1 << 31)];
    for (kept, datum, expected) in rows {
        assert_eq!(convert(DataType::Df, DataType::F, up | kept, datum), expected, "{kept:#x} {datum:#x}");
    }
}

#[test]
fn raw_moves_change_no_bit_and_other_moves_within_a_type_quiet_nans() {
    // Signaling NaN and denormal.
    let signaling = [(DataType::F, 0x7f80_0001), (DataType::Df, 0x7ff0_0000_0000_0001), (DataType::Hf, 0x7c01)];
    for (data_type, nan) in signaling {
        assert_eq!([nan, 1].map(|datum| convert(data_type, data_type, 0, datum)), [nan, 1]);
    }
    let modifier = Modifier { is_absolute: false, is_negated: true };
    let negated = |datum| Conversion::new(DataType::F, DataType::F, modifier, false, 0).convert(datum);
    assert_eq!([0x7f80_0001, 1].map(negated), [0xffc0_0001, 0x8000_0000]);
}

#[test]
fn nans_keep_sign_and_the_top_of_their_payload() {
    let rows = [
        // Signaling, payload in low bits that do not fit: infinity would be wrong.
        (DataType::Df, DataType::F, 0xfff0_0000_0000_0001, 0xffc0_0000),
        (DataType::Df, DataType::Hf, 0x7ff5_5400_0000_0000, 0x7f55),
        (DataType::F, DataType::Hf, 0xff80_0001, 0xfe00),
        (DataType::F, DataType::Bf, 0x7f80_0001, 0x7fc0),
        (DataType::F, DataType::Bf, 0xffaa_0001, 0xffea),
        (DataType::Hf, DataType::F, 0x7c01, 0x7fc0_2000),
        (DataType::Hf, DataType::Df, 0xfd55, 0xfffd_5400_0000_0000),
        (DataType::Bf, DataType::F, 0xff81, 0xffc1_0000),
    ];
    for (src, dst, datum, expected) in rows {
        for code in 0..4 {
            // F to BF under another mode is refused before it comes here.
            let result = convert(src, dst, code << cr0::ROUNDING_SHIFT, datum);
            assert_eq!(result, expected, "{src:?} {datum:#x} {dst:?}");
        }
    }
    // The payload is below the place of the leading one.
    let value = F.decode(0x7f80_0001);
    assert_eq!((value.is_nan, value.is_negative, value.significand), (true, false, 1 << (LEADING - 23)));
}
