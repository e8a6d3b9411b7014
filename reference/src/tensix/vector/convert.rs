//! `SFPCAST` and `SFPSTOCHRND`: integers become FP32, and FP32 and integers become narrower.

// Of pages `SFPCAST_WH` (wh), `SFPCAST_INTFLOAT` (bh), `SFPCAST_INTINT` (int), `SFPCAST_INTABS` (abs),
// `SFPSTOCHRND_FLOATFLOAT_WH` (ff_wh), `SFPSTOCHRND_FLOATFLOAT_BH` (ff_bh), `SFPSTOCHRND_FLOATINT_WH` (fi_wh),
// `SFPSTOCHRND_FLOATINT_BH` (fi_bh), `SFPSTOCHRND_INTINT_WH` (ii_wh) and `SFPSTOCHRND_INTINT_BH` (ii_bh).
// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::inst::vector::{
    IMM5, MOD1, MOD1_OF_3, ROUNDING_MODE, STOCHASTIC_ROUNDING, USE_IMM5, VB, VC, VD,
};
use tandem_isa::tensix::{Chip, SFPCAST_INTFLOAT, SFPCAST_WH, SFPSTOCHRND_FLOATFLOAT_BH, SFPSTOCHRND_FLOATFLOAT_WH};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::fma::SIGN;
use super::{VectorUnit, has};
use crate::bits::U;

mod cast {
    // [bh 56] To the nearest is 0.
    pub(super) const RND_STOCH: u32 = 1; // [wh 46] [bh 57] By random bits.
    pub(super) const INT32_ABS: u32 = 2; // [abs 45] The magnitude.
    pub(super) const INT32_SM32: u32 = 3; // [int 47] The other format of integers.
}

/// `SFPCAST`: a sign and a magnitude becomes FP32; on Blackhole integers change their format, or lose their sign.
///
/// *Source*: page SFPCAST of Wormhole, commit 585749d1; of Blackhole pages SFPCAST_IntFloat, commit 4042f540, SFPCAST_IntInt,
/// commit f7fda211, and SFPCAST_IntAbs, commit 585749d1.
// [wh 5] [bh 5] [int 5] [abs 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpcast(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 10, 15] [int 10, 15] [abs 10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    let syntax = unit
        .chip
        .pick(cite!(SFPCAST_WH, "line 10", UNNAMED_REASON), cite!(SFPCAST_INTFLOAT, "line 10", UNNAMED_REASON));
    unit.check(&[VC, VD, MOD1], syntax)?;
    let mut mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [bh 20-22, TX-130] Reserved modes, of all three pages: the silicon ignores their upper bits, and nobody promises that.
    if unit.chip == Chip::Blackhole && mod1.get() > 3 {
        mod1 = mod1 & 3;
        promise = ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPCAST_INTFLOAT,
            "lines 20 to 24",
            "TX-130: bits 2 and 3 of Mod1 are reserved; the silicon ignores them"
        )));
    }
    match (unit.chip, mod1.get()) {
        // [bh 25-27] [int 29-31] [abs 20-22] Each page has modes that the others do not have.
        (Chip::Blackhole, cast::INT32_ABS) => magnitude(unit),
        (Chip::Blackhole, cast::INT32_SM32) => other_format(unit),
        _ => to_float(unit, mod1),
    }
    promise
}

/// A sign and a magnitude as FP32.
// [wh 3] [bh 3] Lane by lane, 32 bits of a sign and a magnitude become FP32: exactly up to 2^24, and from there on rounded, by
// random bits or to the nearest, and to the even one of two.
fn to_float(unit: &mut VectorUnit<'_, '_>, mod1: U<4>) {
    // [wh 20] [bh 30] Lane by lane.
    for lane in 0..LANES {
        // [wh 21] [bh 31] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [wh 22] [bh 32] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 23-25] [bh 33-35] The datum, its sign and its magnitude.
                let c = unit.lreg(unit.vc(), lane);
                let sign = c & SIGN;
                let mag = c & !SIGN;
                // [wh 26] [bh 36] The zeros above, of which zero has as many as give it no exponent.
                let lz = if mag == 0 { 157 } else { mag.leading_zeros() };
                // [wh 27] [bh 37] The magnitude up to the top,
                let norm = mag << (lz & 31);
                // [wh 28] [bh 38] whose first bit adds one to the exponent.
                let mut d = sign + ((157 - lz) << 23) + (norm >> 8);
                // [wh 29] [bh 39] What does not fit
                if has(mod1, cast::RND_STOCH) {
                    // [wh 30-31] [bh 40-41] is compared with seven random bits,
                    if norm & 0xfe > (unit.advance_prng(lane) >> 9) & 0xfe {
                        d += 1;
                    }
                } else {
                    // [wh 32-34] [bh 42-44] or with a half, of which odd ones go up.
                    if norm & 0x80 != 0 && norm & 0x17f != 0 {
                        d += 1;
                    }
                }
                // [wh 36] [bh 46] Registers from 8 on are not written.
                if unit.writes_vd() {
                    // [wh 37] [bh 47] The result.
                    unit.set_lreg(unit.vd(), lane, d);
                }
            }
        }
    }
}

/// Two's complement as a sign and a magnitude, or the other way.
// [int 3] Lane by lane, 32 bits of two's complement become a sign and a magnitude, or the other way; the most negative number
// and negative zero become each other.
// [int 19] Both ways are the same, so that nothing says which is meant.
fn other_format(unit: &mut VectorUnit<'_, '_>) {
    // [int 34] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [int 35] Lane by lane.
        for lane in 0..LANES {
            // [int 36] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [int 37-38] The datum and its sign.
                let c = unit.lreg(unit.vc(), lane);
                let sign = c & SIGN;
                // [int 23-24, 39] Negative ones are negated, and keep the sign.
                let result = sign | if sign != 0 { c.wrapping_neg() } else { c };
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
}

/// The magnitude of two's complement.
// [abs 3] Lane by lane, the magnitude of two's complement, which was meant to be something else. `SFPABS` has it too.
fn magnitude(unit: &mut VectorUnit<'_, '_>) {
    // [abs 25] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [abs 26] Lane by lane.
        for lane in 0..LANES {
            // [abs 27] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [abs 28] The datum.
                let mut x = unit.lreg(unit.vc(), lane);
                // [abs 29-30, 34-35] Negative ones alone
                if x >= SIGN {
                    // [abs 31-33] are negated, of which the most negative stays what it is.
                    x = x.wrapping_neg();
                }
                // [abs 37] The result.
                unit.set_lreg(unit.vd(), lane, x);
            }
        }
    }
}

mod stochrnd {
    pub(super) const FP32_TO_FP16A: u32 = 0; // [ff_wh 74] [ff_bh 87] Ten bits of mantissa.
    pub(super) const FP32_TO_FP16B: u32 = 1; // [ff_wh 75] [ff_bh 88] Seven bits of mantissa.
    pub(super) const FP32_TO_UINT8: u32 = 2; // [fi_wh 82] [fi_bh 90] From FP32, to a magnitude of eight bits,
    pub(super) const FP32_TO_INT8: u32 = 3; // [fi_wh 83] [fi_bh 91] or a sign and seven bits.
    pub(super) const INT32_TO_UINT8: u32 = 4; // [ii_wh 64] [ii_bh 73] From an integer, to a magnitude of eight bits,
    // [ii_wh 65] [ii_bh 74] or a sign and seven bits, which is 5: what is left.
    pub(super) const FP32_TO_UINT16: u32 = 6; // [fi_wh 84] [fi_bh 92] From FP32, to a magnitude of 16 bits,
    pub(super) const FP32_TO_INT16: u32 = 7; // [fi_wh 85] [fi_bh 93] or a sign and 15 bits.
}

/// `SFPSTOCHRND_RND_…`, of Blackhole.
mod rnd {
    pub(super) const NEAREST: u32 = 0; // [ff_bh 90] [fi_bh 95] [ii_bh 76] To the nearest.
    pub(super) const STOCH: u32 = 1; // [ff_bh 91] [fi_bh 96] [ii_bh 77] By random bits.
    pub(super) const ZERO: u32 = 2; // [ff_bh 92] [fi_bh 97] [ii_bh 78] To zero.
}

/// `SFPSTOCHRND`: FP32 with fewer bits of mantissa, or as a short integer, or an integer shifted right and made short.
///
/// *Source*: pages SFPSTOCHRND_FloatFloat, SFPSTOCHRND_FloatInt and SFPSTOCHRND_IntInt, of Wormhole commits 585749d1, f7fda211
/// and 585749d1, of Blackhole commits f7fda211, 585749d1 and 585749d1.
// [ff_wh 9-12] [ff_bh 14-17] [fi_wh 9, 13-16] [fi_bh 9, 13-16] [ii_wh 5] [ii_bh 5] Results are what a mode of `SFPSTORE` stores
// exactly. Not modelled: what it stores, its page says.
// [ff_wh 16] [ff_bh 21] [fi_wh 20] [fi_bh 20] [ii_wh 9] [ii_bh 9] The round sub-unit executes it. Not modelled: `SFPLOADMACRO` alone
// asks which, and has a table.
// [ff_bh 34] [fi_bh 33] [ii_bh 27] VB is to be VC where it is not read, so that some readers do not wait in vain. Not modelled:
// instructions come one by one here.
pub fn sfpstochrnd(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [ff_wh 21-23, 28, TX-131] [ff_bh 29-30, 38] [fi_wh 25-27, 32] [fi_bh 28-29, 37] [ii_wh 14-20, 25] [ii_bh 17-23, 31] How it rounds,
    // Imm5, VB, VC, VD, UseImm5 and Mod1, of which two pages do not name all. (`encodings_and_texts_round_trip`)
    let syntax = unit.chip.pick(
        cite!(SFPSTOCHRND_FLOATFLOAT_WH, "lines 21 to 23", UNNAMED_REASON),
        cite!(SFPSTOCHRND_FLOATFLOAT_BH, "lines 29 and 30", UNNAMED_REASON),
    );
    let how = unit.chip.pick(STOCHASTIC_ROUNDING, ROUNDING_MODE);
    unit.check(&[MOD1_OF_3, USE_IMM5, VD, VC, VB, IMM5, how], syntax)?;
    let (mod1, how) = (MOD1_OF_3.get(unit.code), how.get(unit.code));
    let mut promise = ControlFlow::Continue(());
    // [ff_wh 39] [ff_bh 49] [fi_wh 49] [fi_bh 54] [ii_wh 36] [ii_bh 42] Lane by lane.
    for lane in 0..LANES {
        // [ff_wh 40] [ff_bh 50] [fi_wh 50] [fi_bh 55] [ii_wh 37] [ii_bh 43] From VD = 12 on, lanes with an open back door are passed
        // over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [ff_wh 41] [ff_bh 51] [fi_wh 51] [fi_bh 56] [ii_wh 38] [ii_bh 44] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [ff_wh 42] [ff_bh 52] [fi_wh 52] [fi_bh 57] [ii_wh 39] [ii_bh 45] 23 random bits, whether they are used or not.
                let mut prng_bits = unit.advance_prng(lane) & 0x007f_ffff;
                match (unit.chip, how) {
                    // [ff_wh 43] [ff_bh 54] [fi_wh 53] [fi_bh 59] [ii_wh 40] [ii_bh 47] A half instead,
                    (Chip::Wormhole, 0) | (Chip::Blackhole, rnd::NEAREST) => prng_bits = 0x0040_0000,
                    // [ff_bh 55] [fi_bh 60] [ii_bh 48] or the most there is.
                    (Chip::Blackhole, rnd::ZERO) => prng_bits = 0x007f_ffff,
                    (Chip::Wormhole, _) | (Chip::Blackhole, rnd::STOCH) => {}
                    // [ff_bh 53-55, TX-132] [fi_bh 58] [ii_bh 46] The fourth code has no case, so that the bits stay, and is no mode.
                    (Chip::Blackhole, _) => promise = code_without_a_case(),
                }
                // [ff_wh 44] [ff_bh 57] [fi_wh 54] [fi_bh 62] [ii_wh 41] [ii_bh 50] The datum.
                let c = unit.lreg(unit.vc(), lane);
                // [ff_wh 33-36] [ff_bh 43-46] [fi_wh 39, 44-46] [fi_bh 44, 49-51] [ii_wh 30-33] [ii_bh 36-39] Each page has modes
                // that the others do not have.
                let result = match mod1 {
                    stochrnd::FP32_TO_FP16A | stochrnd::FP32_TO_FP16B => narrower_float(mod1, c, prng_bits),
                    // [fi_wh 37-38, 40] [fi_bh 42-43, 45] With a sign, and up to 127,
                    stochrnd::FP32_TO_INT8 => short_integer(c, true, 127, prng_bits),
                    // [fi_wh 41] [fi_bh 46] without, and up to 255,
                    stochrnd::FP32_TO_UINT8 => short_integer(c, false, 255, prng_bits),
                    // [fi_wh 42] [fi_bh 47] with, and up to 32767,
                    stochrnd::FP32_TO_INT16 => short_integer(c, true, 32767, prng_bits),
                    // [fi_wh 43] [fi_bh 48] or without, and up to 65535.
                    stochrnd::FP32_TO_UINT16 => short_integer(c, false, 65535, prng_bits),
                    _ => shifted_integer(unit, lane, c, prng_bits),
                };
                // [ff_wh 64] [ff_bh 77] [fi_wh 72] [fi_bh 80] [ii_wh 54] [ii_bh 63] Registers from 8 on are not written.
                if unit.writes_vd() {
                    // [ff_wh 65] [ff_bh 78] [fi_wh 73] [fi_bh 81] [ii_wh 55] [ii_bh 64] The result.
                    unit.set_lreg(unit.vd(), lane, result);
                }
            }
        }
    }
    promise
}

/// What is promised of a `RoundingMode` of 3.
fn code_without_a_case() -> ControlFlow<Expectation> {
    ControlFlow::Break(Expectation::NonContractual(cite!(
        SFPSTOCHRND_FLOATFLOAT_BH,
        "lines 53 to 56 and 90 to 92",
        "TX-132: RoundingMode has three modes, and 3 is none of them"
    )))
}

/// FP32 with ten or seven bits of mantissa.
// [ff_wh 3-7] [ff_bh 3-6, 8-12] Lane by lane, FP32 keeps seven or ten bits of mantissa, and the rest rounds it, by random bits or
// to the nearest, with halves away from zero, on Blackhole to zero too. Denormals and zeros become positive zero, and NaNs become
// infinities.
// [ff_wh 14] [ff_bh 19, 24] Random bits round away from zero a little too often, and sometimes what needs no rounding, and what
// goes to zero sometimes goes away from it, since what is equal does.
fn narrower_float(mod1: u32, mut x: u32, prng_bits: u32) -> u32 {
    // [ff_wh 45] [ff_bh 58] The exponent.
    let exp = (x >> 23) & 0xff;
    if exp == 0 {
        // [ff_wh 46-48] [ff_bh 59-61] Denormals and zeros.
        x = 0;
    } else if exp == 255 {
        // [ff_wh 49-52] [ff_bh 62-65] Infinities and NaNs.
        x &= 0xff80_0000;
    } else if mod1 == stochrnd::FP32_TO_FP16A {
        // [ff_wh 53-56] [ff_bh 66-69] 13 bits are discarded,
        let discarded_bits = x & 0x1fff;
        x -= discarded_bits;
        // [ff_wh 57] [ff_bh 70] and may add one to those above.
        if discarded_bits >= prng_bits >> 10 {
            x += 0x2000;
        }
    } else {
        // [ff_wh 58-61] [ff_bh 71-74] 16 bits are discarded,
        let discarded_bits = x & 0xffff;
        x -= discarded_bits;
        // [ff_wh 62] [ff_bh 75] and may add one to those above.
        if discarded_bits >= prng_bits >> 7 {
            x += 0x1_0000;
        }
    }
    x
}

/// FP32 as an integer whose magnitude is no more than `max_magnitude`.
// [fi_wh 3-7] [fi_bh 3-7] Lane by lane, FP32 is rounded to an integer, by random bits or to the nearest, with halves away from
// zero, on Blackhole to zero too; it goes no further than 127 or 32767 either way, or loses its sign and goes no further than
// 255 or 65535.
// [fi_wh 18] [fi_bh 18, 23] Below a half it is zero, whatever the random bits are; above they round away from zero a little too
// often, and what goes to zero sometimes goes away from it, which three magnitudes do.
// (`three_magnitudes_do_not_round_to_zero`)
pub(super) fn short_integer(c: u32, keep_sign: bool, max_magnitude: u32, prng_bits: u32) -> u32 {
    // [fi_wh 55] [fi_bh 63] The sign,
    let mut sign = if keep_sign { c & SIGN } else { 0 };
    // [fi_wh 56] [fi_bh 64] and the exponent.
    let exp = ((c >> 23) & 0xff).cast_signed() - 127;
    // [fi_wh 57] [fi_bh 65] The magnitude:
    let mag = if exp < -1 {
        // [fi_wh 58-61] [fi_bh 66-69] of what is below a half, zero, without a sign;
        sign = 0;
        0
    } else if exp >= 16 {
        // [fi_wh 62-64] [fi_bh 70-72] from 2^16 on, and of a NaN, the largest;
        max_magnitude
    } else {
        // [fi_wh 65-66] [fi_bh 73-74] and else the mantissa,
        let mag = u64::from(0x0080_0000 | c & 0x007f_ffff);
        // [fi_wh 67] [fi_bh 75] as far up or down as the exponent says,
        let mag = if exp >= 0 { mag << exp.cast_unsigned() } else { mag >> exp.unsigned_abs() };
        // [fi_wh 68-69] [fi_bh 76-77] rounded, and no larger than the largest.
        let mag = rounded(mag, prng_bits).min(max_magnitude);
        // [fi_wh 70] [fi_bh 78] Zero has no sign.
        if mag == 0 {
            sign = 0;
        }
        mag
    };
    sign + mag
}

/// An integer of a sign and a magnitude, shifted right.
// [ii_wh 3] [ii_bh 3] Lane by lane, the magnitude is shifted right and rounded, by random bits or to the nearest, with halves away
// from zero, on Blackhole to zero too; it goes no further than 127 either way, or loses its sign and goes no further than 255.
// [ii_wh 7] [ii_bh 7, 12] Random bits round away from zero a little too often, and sometimes what needs no rounding, and what
// goes to zero sometimes goes away from it, if it is shifted by 23 or more.
fn shifted_integer(unit: &mut VectorUnit<'_, '_>, lane: u32, c: u32, prng_bits: u32) -> u32 {
    // [ii_wh 42-43] [ii_bh 51-52] The sign and the magnitude,
    let mut sign = c & SIGN;
    let mut mag = u64::from(c & !SIGN);
    // [ii_wh 44] [ii_bh 53] with room below for what is shifted out.
    mag <<= 23;
    // [ii_wh 45] [ii_bh 54] How far is in the code, or in VB.
    mag >>= if USE_IMM5.get(unit.code) != 0 { IMM5.get(unit.code) } else { unit.lreg(unit.vb(), lane) & 31 };
    // [ii_wh 46] [ii_bh 55] It is rounded.
    let mut mag = rounded(mag, prng_bits);
    if MOD1_OF_3.get(unit.code) == stochrnd::INT32_TO_UINT8 {
        // [ii_wh 47-49] [ii_bh 56-58] Up to 255, and without a sign,
        mag = mag.min(255);
        sign = 0;
    } else {
        // [ii_wh 50-51] [ii_bh 59-60] or up to 127,
        mag = mag.min(127);
        // [ii_wh 52] [ii_bh 61] of which zero has none.
        if mag == 0 {
            sign = 0;
        }
    }
    sign + mag
}

/// A number whose low 23 bits are a fraction, rounded by them; the others are 31.
fn rounded(mag: u64, prng_bits: u32) -> u32 {
    let whole = u32::try_from(mag >> 23).expect("it has 31 bits");
    whole + u32::from(mag & 0x007f_ffff >= u64::from(prng_bits))
}

#[cfg(test)]
use super::tests::{BH, BOTH, Datum, WH};

/// Values computed by hand. The random bits are zeros.
#[cfg(test)]
pub(super) const CONVERT_VALUES: &[Datum<'_>] = &[
    // 0, -0, 1, -5, 2^24, and the largest.
    (BOTH, sfpcast, &[], [7, 0], 0),
    (BOTH, sfpcast, &[], [7, 0x8000_0000], 0x8000_0000),
    (BOTH, sfpcast, &[], [7, 1], 0x3f80_0000),
    (BOTH, sfpcast, &[], [7, 0x8000_0005], 0xc0a0_0000),
    (BOTH, sfpcast, &[(MOD1, 1)], [7, 0x0100_0000], 0x4b80_0000),
    (BOTH, sfpcast, &[], [7, 0xffff_ffff], 0xcf00_0000),
    // 2^24 + 1 and 2^24 + 3 lie halfway, and random bits of zero take both up; so do they 2^25 + 1.
    (BOTH, sfpcast, &[], [7, 0x0100_0001], 0x4b80_0000),
    (BOTH, sfpcast, &[], [7, 0x0100_0003], 0x4b80_0002),
    (BOTH, sfpcast, &[(MOD1, 1)], [7, 0x0100_0001], 0x4b80_0001),
    (BOTH, sfpcast, &[(MOD1, 1)], [7, 0x0200_0001], 0x4c00_0001),
    (WH, sfpcast, &[(MOD1, 14)], [7, 0x8000_0005], 0xc0a0_0000),
    (WH, sfpcast, &[(MOD1, 3)], [7, 0x0100_0001], 0x4b80_0001),
    (BH, sfpcast, &[(MOD1, 2)], [7, 0xffff_fffb], 5),
    (BH, sfpcast, &[(MOD1, 2)], [7, 0x8000_0000], 0x8000_0000),
    (BH, sfpcast, &[(MOD1, 3)], [7, 0xffff_fffb], 0x8000_0005),
    (BH, sfpcast, &[(MOD1, 3)], [7, 0x8000_0005], 0xffff_fffb),
    (BH, sfpcast, &[(MOD1, 3)], [7, 0x8000_0000], 0x8000_0000),
    (BOTH, sfpstochrnd, &[], [7, 0x807f_ffff], 0),
    (BOTH, sfpstochrnd, &[], [7, 0xffc0_0000], 0xff80_0000),
    (BOTH, sfpstochrnd, &[], [7, 0x3f80_0fff], 0x3f80_0000),
    (BOTH, sfpstochrnd, &[], [7, 0xbf80_1000], 0xbf80_2000),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 1)], [7, 0x3f80_7fff], 0x3f80_0000),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 1), (USE_IMM5, 1)], [7, 0x7f7f_8000], 0x7f80_0000),
    // Random bits of zero round up what is exact.
    (WH, sfpstochrnd, &[(STOCHASTIC_ROUNDING, 1)], [7, 0x3f80_0000], 0x3f80_2000),
    (BH, sfpstochrnd, &[(ROUNDING_MODE, 1), (MOD1_OF_3, 1)], [7, 0x3f80_0000], 0x3f81_0000),
    (BH, sfpstochrnd, &[(ROUNDING_MODE, 2)], [7, 0x3f80_1ffe], 0x3f80_0000),
    (BH, sfpstochrnd, &[(ROUNDING_MODE, 2)], [7, 0x3f80_1fff], 0x3f80_2000),
    (BH, sfpstochrnd, &[(ROUNDING_MODE, 2), (MOD1_OF_3, 1)], [7, 0x3f80_fffe], 0x3f80_0000),
    // -1.5, -0.5 and below, -200.0, 40000.0 and a NaN.
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 3)], [7, 0xbfc0_0000], 0x8000_0002),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 2)], [7, 0xbf00_0000], 1),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 7)], [7, 0xbeff_ffff], 0),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 3)], [7, 0xc348_0000], 0x8000_007f),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 2)], [7, 0xc348_0000], 200),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 7)], [7, 0x471c_4000], 32767),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 6)], [7, 0x471c_4000], 40000),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 6)], [7, 0xffc0_0000], 65535),
    (WH, sfpstochrnd, &[(MOD1_OF_3, 3), (STOCHASTIC_ROUNDING, 1)], [7, 0x3f80_0000], 2),
    (BH, sfpstochrnd, &[(MOD1_OF_3, 3), (ROUNDING_MODE, 2)], [7, 0xbf7f_fffd], 0),
    // Register 3 says 31.
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 5), (VB, 3)], [7, 0xbfff_ffff], 0),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 5), (VB, 3)], [7, 0xc000_0000], 0x8000_0001),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 4), (USE_IMM5, 1), (IMM5, 4)], [7, 0x8000_0ff8], 255),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 5), (USE_IMM5, 1), (IMM5, 4)], [7, 0x8000_0018], 0x8000_0002),
    (BOTH, sfpstochrnd, &[(MOD1_OF_3, 5), (USE_IMM5, 1), (IMM5, 4)], [7, 0x0000_0017], 1),
    (BH, sfpstochrnd, &[(MOD1_OF_3, 5), (USE_IMM5, 1), (IMM5, 22), (ROUNDING_MODE, 2)], [7, 0x003f_ffff], 0),
    (BH, sfpstochrnd, &[(MOD1_OF_3, 5), (USE_IMM5, 1), (IMM5, 23), (ROUNDING_MODE, 2)], [7, 0x007f_ffff], 1),
];
