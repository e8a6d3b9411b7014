//! The conversions of vISA against other people's arithmetic: the host's floats, the crate `half`, and LLVM's
//! `APFloat`.

use half::{bf16, f16};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use tandem_isa::mix64;
use tandem_isa::visa::{DataType, cr0};
use tandem_reference::visa::convert::{Conversion, Modifier};
use tandem_reference::visa::softfloat::{self, Format, Rounding, Value, Word};

/// All denormals are kept.
const KEEP: u32 = cr0::DF_DENORM | cr0::F_DENORM | cr0::HF_DENORM;

const MODES: [(u32, Rounding, Round); 4] = [
    (cr0::RTNE, Rounding::NearestEven, Round::NearestTiesToEven),
    (cr0::RU, Rounding::Up, Round::TowardPositive),
    (cr0::RD, Rounding::Down, Round::TowardNegative),
    (cr0::RTZ, Rounding::TowardZero, Round::TowardZero),
];

const INTEGERS: [DataType; 8] =
    [DataType::Ub, DataType::B, DataType::Uw, DataType::W, DataType::Ud, DataType::D, DataType::Uq, DataType::Q];

fn plain(src: DataType, dst: DataType, control: u32) -> Conversion {
    Conversion::new(dst, src, Modifier::default(), false, control)
}

fn saturated(src: DataType, dst: DataType, control: u32) -> Conversion {
    Conversion::new(dst, src, Modifier::default(), true, control)
}

/// Numbers that are drawn anew, but the same in every run.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix64(self.0)
    }

    /// An integer with a length that is drawn, so that small ones are as frequent as large ones.
    fn integer(&mut self) -> u64 {
        let length = self.bits() % 64;
        self.bits() >> length
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

fn check_narrowing<S: FloatConvert<T>, T: Float>(src: (DataType, Format), dst: (DataType, Format)) {
    let mut draw = Draw(u64::from(src.0.code() * 16 + dst.0.code()) << 32);
    let mut cases = corners(src.1);
    cases.extend((0..250_000).map(|_| draw.bits() & (src.1.sign_bit | (src.1.sign_bit - 1))));
    cases.extend((0..1_000_000).map(|_| draw.near(src.1, dst.1)));
    for (code, rounding, round) in MODES {
        let conversion = plain(src.0, dst.0, KEEP | code << cr0::ROUNDING_SHIFT);
        for &bits in &cases {
            let expected = apfloat::<S, T>(bits, round);
            assert_eq!(dst.1.encode(src.1.decode(bits), rounding), expected, "{src:?} {bits:#x} {dst:?} {rounding:?}");
            // F to BF is not rounded by the control register.
            if dst.0 != DataType::Bf {
                assert_eq!(conversion.convert(bits), expected, "{src:?} {bits:#x} {dst:?} {rounding:?}");
            } else if code == cr0::RTNE {
                for control in [KEEP, 0, u32::MAX] {
                    assert_eq!(plain(src.0, dst.0, control).convert(bits), expected, "{bits:#x} {control:#x}");
                }
            }
        }
    }
}

const DF: (DataType, Format) = (DataType::Df, softfloat::DF);
const F: (DataType, Format) = (DataType::F, softfloat::F);
const HF: (DataType, Format) = (DataType::Hf, softfloat::HF);
const BF: (DataType, Format) = (DataType::Bf, softfloat::BF);

#[test]
fn df_to_f_rounds_like_apfloat() {
    check_narrowing::<Double, Single>(DF, F);
}

#[test]
fn df_to_hf_rounds_like_apfloat() {
    check_narrowing::<Double, Half>(DF, HF);
}

#[test]
fn f_to_hf_rounds_like_apfloat() {
    check_narrowing::<Single, Half>(F, HF);
}

#[test]
fn f_to_bf_rounds_like_apfloat() {
    check_narrowing::<Single, BFloat>(F, BF);
}

#[test]
fn narrowing_to_nearest_even_is_that_of_the_host_and_of_half() {
    let mut draw = Draw(7 << 32);
    for _ in 0..1_000_000 {
        let (wide, single) = (draw.near(softfloat::DF, softfloat::F), draw.near(softfloat::F, softfloat::HF));
        let (df, f) = (f64::from_bits(wide), f32::from_bits(single.try_into().unwrap()));
        if !df.is_nan() {
            assert_eq!(plain(DF.0, F.0, KEEP).convert(wide), u64::from((df as f32).to_bits()), "{df:e}");
        }
        if !f.is_nan() {
            assert_eq!(plain(F.0, HF.0, KEEP).convert(single), u64::from(f16::from_f32(f).to_bits()), "{f:e}");
            assert_eq!(plain(F.0, BF.0, 0).convert(single), u64::from(bf16::from_f32(f).to_bits()), "{f:e}");
        }
    }
}

#[test]
fn every_hf_and_bf_widens_exactly_in_every_mode() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        let datum = u64::from(bits);
        for (code, _, round) in MODES {
            let control = KEEP | code << cr0::ROUNDING_SHIFT;
            assert_eq!(plain(HF.0, F.0, control).convert(datum), u64::from(half.to_f32().to_bits()), "{bits:#x}");
            assert_eq!(plain(HF.0, DF.0, control).convert(datum), half.to_f64().to_bits(), "{bits:#x}");
            assert_eq!(plain(BF.0, F.0, control).convert(datum), u64::from(brain.to_f32().to_bits()), "{bits:#x}");
            assert_eq!(plain(HF.0, F.0, control).convert(datum), apfloat::<Half, Single>(datum, round), "{bits:#x}");
            assert_eq!(plain(HF.0, DF.0, control).convert(datum), apfloat::<Half, Double>(datum, round), "{bits:#x}");
            assert_eq!(plain(BF.0, F.0, control).convert(datum), apfloat::<BFloat, Single>(datum, round), "{bits:#x}");
        }
        // BF has no bit in the control register, and F keeps its denormals on the way.
        assert_eq!(plain(BF.0, F.0, 0).convert(datum), u64::from(brain.to_f32().to_bits()), "{bits:#x}");
        // Formats of 16 bits into each other, which MOV does not have.
        for (_, rounding, round) in MODES {
            let value = softfloat::HF.decode(datum);
            assert_eq!(softfloat::BF.encode(value, rounding), apfloat::<Half, BFloat>(datum, round), "{bits:#x}");
            let value = softfloat::BF.decode(datum);
            assert_eq!(softfloat::HF.encode(value, rounding), apfloat::<BFloat, Half>(datum, round), "{bits:#x}");
        }
    }
}

#[test]
fn f_widens_to_df_exactly() {
    let mut draw = Draw(8 << 32);
    let drawn = (0..1_000_000).map(|_| draw.bits() >> 32);
    for bits in corners(softfloat::F).into_iter().chain(drawn) {
        for (code, _, round) in MODES {
            let result = plain(F.0, DF.0, KEEP | code << cr0::ROUNDING_SHIFT).convert(bits);
            assert_eq!(result, apfloat::<Single, Double>(bits, round), "{bits:#x}");
        }
        let host = f32::from_bits(bits.try_into().unwrap());
        if !host.is_nan() {
            assert_eq!(plain(F.0, DF.0, KEEP).convert(bits), f64::from(host).to_bits(), "{bits:#x}");
        }
    }
}

#[test]
fn denormals_are_flushed_by_the_bit_of_their_type() {
    let (smallest_f, smallest_hf) = (f32::MIN_POSITIVE, f64::from(f16::MIN_POSITIVE.to_f32()));
    // As a source.
    for bits in 0..=u16::MAX {
        let half = f16::from_bits(bits);
        let flushed = if half.is_normal() || !half.is_finite() { half } else { half.signum() * f16::ZERO };
        for keep in [0, cr0::F_DENORM | cr0::DF_DENORM] {
            let result = plain(HF.0, F.0, keep).convert(u64::from(bits));
            assert_eq!(result, u64::from(flushed.to_f32().to_bits()), "{bits:#x}");
            let result = plain(HF.0, DF.0, keep).convert(u64::from(bits));
            assert_eq!(result, flushed.to_f64().to_bits(), "{bits:#x}");
        }
    }
    // As a result, and as a source.
    let mut draw = Draw(9 << 32);
    for _ in 0..1_000_000 {
        let single = draw.near(softfloat::F, softfloat::HF);
        let f = f32::from_bits(single.try_into().unwrap());
        let half = f16::from_f32(f);
        if !f.is_nan() {
            let result = if f64::from(half.to_f32().abs()) < smallest_hf { half.signum() * f16::ZERO } else { half };
            let converted = plain(F.0, HF.0, cr0::F_DENORM).convert(single);
            assert_eq!(converted, u64::from(result.to_bits()), "{f:e}");
        }
        let wide = draw.near(softfloat::DF, softfloat::F);
        let df = f64::from_bits(wide);
        if !df.is_nan() {
            let f = df as f32;
            let result = if f.abs() < smallest_f { f.signum() * 0.0 } else { f };
            assert_eq!(plain(DF.0, F.0, cr0::DF_DENORM).convert(wide), u64::from(result.to_bits()), "{df:e}");
        }
    }
    // A denormal source that would be rounded up to the smallest number is a zero before that.
    let up = cr0::RU << cr0::ROUNDING_SHIFT;
    assert_eq!(plain(DF.0, F.0, up | KEEP).convert(1), 1);
    assert_eq!(plain(DF.0, F.0, up | cr0::F_DENORM).convert(1), 0);
    assert_eq!(plain(DF.0, F.0, up | cr0::DF_DENORM).convert(1), 0);
    assert_eq!(plain(DF.0, F.0, up | cr0::F_DENORM).convert(1 << 63 | 1), 1 << 31);
}

// ------------------------------------------------------------------------------------------------ integers

/// The value of the low bits of a datum.
fn value_of(data_type: DataType, datum: u64) -> i128 {
    match data_type {
        DataType::Ub => (datum as u8).into(),
        DataType::B => (datum as i8).into(),
        DataType::Uw => (datum as u16).into(),
        DataType::W => (datum as i16).into(),
        DataType::Ud => (datum as u32).into(),
        DataType::D => (datum as i32).into(),
        DataType::Uq => datum.into(),
        _ => (datum as i64).into(),
    }
}

/// A value, cut off to a type.
fn cut(data_type: DataType, value: i128) -> u64 {
    match data_type.bytes() {
        1 => (value as u8).into(),
        2 => (value as u16).into(),
        4 => (value as u32).into(),
        _ => value as u64,
    }
}

/// The range of a type.
fn range(data_type: DataType) -> (i128, i128) {
    match data_type {
        DataType::Ub => (u8::MIN.into(), u8::MAX.into()),
        DataType::B => (i8::MIN.into(), i8::MAX.into()),
        DataType::Uw => (u16::MIN.into(), u16::MAX.into()),
        DataType::W => (i16::MIN.into(), i16::MAX.into()),
        DataType::Ud => (u32::MIN.into(), u32::MAX.into()),
        DataType::D => (i32::MIN.into(), i32::MAX.into()),
        DataType::Uq => (u64::MIN.into(), u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}

/// All data of a type of at most 16 bits; a million and the ends of the others.
fn data(data_type: DataType) -> Vec<u64> {
    if data_type.bits() <= 16 {
        return (0..1 << data_type.bits()).collect();
    }
    let mask = u64::MAX >> (64 - data_type.bits());
    let mut draw = Draw(u64::from(data_type.code()) << 40);
    let mut list: Vec<u64> = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
    list.extend((0..1_000_000).map(|_| draw.integer()));
    // Ties of every format, at every distance.
    for precision in [8, 11, 24, 53] {
        for dropped in 1..=64_u32.saturating_sub(precision) {
            for kept in [1 << (precision - 1), 1 << (precision - 1) | 1, (1 << precision) - 1] {
                let tie = kept << dropped | 1 << (dropped - 1);
                list.extend([tie - 1, tie, tie + 1]);
            }
        }
    }
    let negated: Vec<u64> = list.iter().map(|datum| datum.wrapping_neg()).collect();
    list.extend(negated);
    list.iter().map(|datum| datum & mask).collect()
}

#[test]
fn integers_become_integers_like_host_casts() {
    for src in INTEGERS {
        for dst in INTEGERS {
            let (minimum, maximum) = range(dst);
            let (plain, saturated) = (plain(src, dst, 0), saturated(src, dst, 0));
            for datum in data(src) {
                let value = value_of(src, datum);
                assert_eq!(plain.convert(datum), cut(dst, value), "{src:?} {datum:#x} {dst:?}");
                let clamped = cut(dst, value.clamp(minimum, maximum));
                assert_eq!(saturated.convert(datum), clamped, "{src:?} {datum:#x} {dst:?} .sat");
            }
        }
    }
}

#[test]
fn modifiers_of_integers_work_on_values() {
    for (is_absolute, is_negated) in [(true, false), (false, true), (true, true)] {
        let modifier = Modifier { is_absolute, is_negated };
        for src in INTEGERS {
            for dst in INTEGERS {
                let (minimum, maximum) = range(dst);
                for datum in data(src).into_iter().step_by(7) {
                    let value = value_of(src, datum);
                    let value = if is_absolute { value.abs() } else { value };
                    let value = if is_negated { -value } else { value };
                    for is_saturated in [false, true] {
                        let expected = if is_saturated { value.clamp(minimum, maximum) } else { value };
                        let result = Conversion::new(dst, src, modifier, is_saturated, 0).convert(datum);
                        assert_eq!(result, cut(dst, expected), "{modifier:?} {src:?} {datum:#x} {dst:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn integers_become_floats_like_host_casts_and_apfloat() {
    for src in INTEGERS {
        for datum in data(src) {
            let value = value_of(src, datum);
            assert_eq!(plain(src, F.0, 0).convert(datum), u64::from((value as f32).to_bits()), "{src:?} {value}");
            assert_eq!(plain(src, DF.0, 0).convert(datum), (value as f64).to_bits(), "{src:?} {value}");
            let half = Half::from_i128(value).value.to_bits();
            assert_eq!(plain(src, HF.0, 0).convert(datum), u64::try_from(half).unwrap(), "{src:?} {value}");
            if value != 0 {
                for (_, rounding, round) in MODES {
                    let single = Single::from_i128_r(value, round).value.to_bits();
                    let encoded = softfloat::F.encode(softfloat::integer(value), rounding);
                    assert_eq!(u128::from(encoded), single, "{src:?} {value} {rounding:?}");
                }
            }
        }
    }
}

/// What a host cast gives, which clamps, and makes zero of a NaN.
fn host_cast(dst: DataType, value: f64) -> u64 {
    match dst {
        DataType::Ub => (value as u8).into(),
        DataType::B => (value as i8 as u8).into(),
        DataType::Uw => (value as u16).into(),
        DataType::W => (value as i16 as u16).into(),
        DataType::Ud => (value as u32).into(),
        DataType::D => (value as i32 as u32).into(),
        DataType::Uq => value as u64,
        _ => value as i64 as u64,
    }
}

#[test]
fn floats_become_integers_like_host_casts() {
    let mut draw = Draw(10 << 32);
    for dst in INTEGERS {
        for control in [0, KEEP, u32::MAX] {
            for bits in 0..=u16::MAX {
                let expected = host_cast(dst, f16::from_bits(bits).to_f64());
                assert_eq!(plain(HF.0, dst, control).convert(bits.into()), expected, "{bits:#x} {dst:?}");
                assert_eq!(saturated(HF.0, dst, control).convert(bits.into()), expected, "{bits:#x} {dst:?}");
            }
        }
        for number in 0..1_000_000 {
            // Around whole numbers of every length, or anything.
            let near = (draw.integer() as i64) as f64 + [0.0, 0.5, -0.5, 0.999, -1.0, 1.0][number % 6];
            let wide = if number % 4 == 0 { draw.bits() } else { near.to_bits() ^ (draw.bits() % 3) };
            let wide = wide ^ draw.bits() >> 63 << 63;
            let expected = host_cast(dst, f64::from_bits(wide));
            assert_eq!(plain(DF.0, dst, 0).convert(wide), expected, "{:e} {dst:?}", f64::from_bits(wide));
            let single = f64::from_bits(wide) as f32;
            let expected = host_cast(dst, single.into());
            assert_eq!(plain(F.0, dst, 0).convert(single.to_bits().into()), expected, "{single:e} {dst:?}");
        }
        for bits in corners(softfloat::DF) {
            assert_eq!(plain(DF.0, dst, KEEP).convert(bits), host_cast(dst, f64::from_bits(bits)), "{bits:#x} {dst:?}");
        }
    }
}

// ------------------------------------------------------------------------------------------------ modifiers, .sat

#[test]
fn modifiers_of_floats_work_on_the_sign() {
    let mut draw = Draw(11 << 32);
    let drawn: Vec<u64> = (0..100_000).map(|_| draw.bits() >> 32).chain(corners(softfloat::F)).collect();
    for (is_absolute, is_negated) in [(true, false), (false, true), (true, true)] {
        let modifier = Modifier { is_absolute, is_negated };
        let apply = |sign: bool| (sign && !is_absolute) != is_negated;
        for &bits in &drawn {
            let value = f32::from_bits(bits.try_into().unwrap());
            let expected =
                f32::from_bits(value.to_bits() & 0x7fff_ffff | u32::from(apply(value.is_sign_negative())) << 31);
            let quiet = if value.is_nan() { 1 << 22 } else { 0 };
            let result = Conversion::new(F.0, F.0, modifier, false, KEEP).convert(bits);
            assert_eq!(result, u64::from(expected.to_bits() | quiet), "{bits:#x} {modifier:?}");
            let result = Conversion::new(DataType::D, F.0, modifier, false, KEEP).convert(bits);
            assert_eq!(result, u64::from(expected as i32 as u32), "{bits:#x} {modifier:?}");
            if !value.is_nan() {
                let result = Conversion::new(HF.0, F.0, modifier, false, KEEP).convert(bits);
                assert_eq!(result, u64::from(f16::from_f32(expected).to_bits()), "{bits:#x} {modifier:?}");
            }
        }
        for bits in 0..=u64::from(u16::MAX) {
            let result = Conversion::new(BF.0, BF.0, modifier, false, 0).convert(bits);
            let quiet = if bits & 0x7fff > 0x7f80 { 0x40 } else { 0 };
            assert_eq!(result, bits & 0x7fff | quiet | u64::from(apply(bits >> 15 != 0)) << 15, "{bits:#x}");
        }
    }
}

#[test]
fn saturated_floats_are_between_zero_and_one() {
    // HF to HF, all of them, with and without denormals.
    for (control, keeps) in [(KEEP, true), (0, false)] {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            let clamped = if half.is_nan() || half <= f16::ZERO { f16::ZERO } else { half.min(f16::ONE) };
            let expected = if keeps || clamped >= f16::MIN_POSITIVE { clamped.to_bits() } else { 0 };
            assert_eq!(saturated(HF.0, HF.0, control).convert(bits.into()), expected.into(), "{bits:#x}");
        }
    }
    let mut draw = Draw(12 << 32);
    for number in 0..1_000_000 {
        // Around one, around zero, or anything.
        let wide = match number % 3 {
            0 => draw.bits(),
            1 => 1.0_f64.to_bits().wrapping_add(draw.bits() % 9).wrapping_sub(4) ^ draw.bits() >> 63 << 63,
            _ => draw.near(softfloat::DF, softfloat::F),
        };
        let value = f64::from_bits(wide);
        let clamped = if value.is_nan() || value <= 0.0 { 0.0 } else { value.min(1.0) };
        assert_eq!(saturated(DF.0, DF.0, KEEP).convert(wide), clamped.to_bits(), "{value:e}");
        // To round and to clamp goes in either order, because one is a number of both formats.
        assert_eq!(saturated(DF.0, F.0, KEEP).convert(wide), u64::from((clamped as f32).to_bits()), "{value:e}");
    }
    for src in INTEGERS {
        for datum in data(src).into_iter().step_by(7) {
            let expected = if value_of(src, datum) > 0 { 1.0_f32 } else { 0.0 };
            assert_eq!(saturated(src, F.0, 0).convert(datum), u64::from(expected.to_bits()), "{src:?} {datum:#x}");
        }
    }
}

#[test]
fn raw_moves_change_no_bit_and_other_moves_within_a_type_quiet_nans() {
    for data_type in INTEGERS.into_iter().chain([DataType::Hf, DataType::Bf]) {
        for datum in data(data_type) {
            assert_eq!(plain(data_type, data_type, 0).convert(datum), datum);
        }
    }
    // Signaling NaN and denormal.
    for (data_type, rest) in [(F.0, [0x7f80_0001, 1]), (DF.0, [0x7ff0_0000_0000_0001, 1]), (HF.0, [0x7c01, 1])] {
        for datum in rest {
            assert_eq!(plain(data_type, data_type, 0).convert(datum), datum);
        }
    }
    let negated = |datum| {
        let modifier = Modifier { is_absolute: false, is_negated: true };
        Conversion::new(F.0, F.0, modifier, false, 0).convert(datum)
    };
    assert_eq!(negated(0x7f80_0001), 0xffc0_0001);
    assert_eq!(negated(1), 0x8000_0000);
}

#[test]
fn nans_keep_sign_and_the_top_of_their_payload() {
    let rows = [
        // Signaling, payload in low bits that do not fit: infinity would be wrong.
        (DF.0, F.0, 0xfff0_0000_0000_0001, 0xffc0_0000),
        (DF.0, HF.0, 0x7ff5_5400_0000_0000, 0x7f55),
        (F.0, HF.0, 0xff80_0001, 0xfe00),
        (F.0, BF.0, 0x7f80_0001, 0x7fc0),
        (F.0, BF.0, 0xffaa_0001, 0xffea),
        (HF.0, F.0, 0x7c01, 0x7fc0_2000),
        (HF.0, DF.0, 0xfd55, 0xfffd_5400_0000_0000),
        (BF.0, F.0, 0xff81, 0xffc1_0000),
    ];
    for (src, dst, datum, expected) in rows {
        for code in 0..4 {
            let result = plain(src, dst, code << cr0::ROUNDING_SHIFT).convert(datum);
            // F to BF under another mode is refused before it comes here.
            assert_eq!(result, expected, "{src:?} {datum:#x} {dst:?}");
        }
    }
    // A leading one, and the payload below it.
    let Value { is_nan, is_negative, significand, .. } = softfloat::F.decode(0x7f80_0001_u64);
    assert_eq!((is_nan, is_negative), (u64::MAX, 0));
    assert_eq!(significand, (1 << u64::LEADING) + (1 << (u64::LEADING - 23)));
}
