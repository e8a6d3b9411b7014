//! `SFPLUT`, `SFPLUTFP32` and `SFPARECIP`: results by a table.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::inst::immediate::sfploadi;
use tandem_isa::tensix::inst::vector::{MOD1, MOD1_MIRROR, VB, VC, VD};
use tandem_isa::tensix::{SFPARECIP, SFPLUT_BH, SFPLUT_WH, SFPLUTFP32_BH, SFPLUTFP32_WH};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::float::{in_lreg7, leave_nan_open};
use super::fma::{SIGN, fma};
use super::{VectorUnit, has};
use crate::bits::U;

// Of pages `SFPLUT_WH` and `SFPLUT_BH`.
mod lut {
    pub(super) const SGN_RETAIN: u32 = 4; // [58] The result has the sign of register 3.
    pub(super) const INDIRECT_VD: u32 = 8; // [59] Register 7 says which register is written.
}

/// `SFPLUT`: a line of two factors in eight bits each, by the magnitude of register 3.
///
/// *Source*: page SFPLUT, commit 585749d1, one text for each chip, which differ in the last line.
// Of pages `SFPLUT_WH` and `SFPLUT_BH`.
// [3] A product and a sum of FP32, lane by lane.
// [11] The sign may be that of register 3, and the destination what register 7 says in the lane.
// [13] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [SFPLUT_WH 89] The next instruction is not to read what is written. Not modelled: instructions come one by one here; the
// rules of scheduling `sfpmad-then-reader-wh` and `sfpmad-indirect-then-reader-wh` say what has to stand between.
// [SFPLUT_BH 89] The next instruction waits. Not modelled: the rules are `sfpmad-then-reader-bh` and
// `sfpmad-indirect-unseen-reader-bh`.
pub fn sfplut(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [18, 23] VD and Mod0. (`encodings_and_texts_round_trip`)
    let syntax =
        unit.chip.pick(cite!(SFPLUT_WH, "line 18", UNNAMED_REASON), cite!(SFPLUT_BH, "line 18", UNNAMED_REASON));
    unit.check(&[sfploadi::VD, sfploadi::MOD0], syntax)?;
    let (vd, mod0) = (unit.vd(), U::<4>::new(sfploadi::MOD0.get(unit.code)));
    // [28] Lane by lane.
    for lane in 0..LANES {
        // [29] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [30] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [31-32] Register 3, and its magnitude.
                let l3 = unit.lreg(U::new(3), lane);
                let b = l3 & !SIGN;
                let coeffs = if b < ONE {
                    // [7, 33] Below 1.0: register 0,
                    unit.lreg(U::new(0), lane)
                } else if b < TWO {
                    // [8, 34] below 2.0: register 1,
                    unit.lreg(U::new(1), lane)
                } else {
                    // [9, 35] and else register 2.
                    unit.lreg(U::new(2), lane)
                };
                // [36] The factor is the upper byte of its lower half,
                let a = lut8_to_fp32(U::new(coeffs >> 8));
                // [37] and the summand the lowest byte.
                let c = lut8_to_fp32(U::new(coeffs));
                // [38, 85] The line, as `SFPMAD` has it.
                let mut d = fma(unit.chip, a, b, c);
                if has(mod0, lut::SGN_RETAIN) {
                    // [39-40] The sign of register 3.
                    d = (d & !SIGN) | (l3 & SIGN);
                }
                // [42-46] Which register is written.
                let vd = if has(mod0, lut::INDIRECT_VD) && vd.get() != 16 { in_lreg7(unit, lane) } else { vd };
                // [48] Those from 8 on are not.
                if vd.get() < 8 || vd.get() == 16 {
                    // [49] The result.
                    unit.set_lreg(vd, lane, d);
                    leave_nan_open(unit, vd, lane, d, if has(mod0, lut::SGN_RETAIN) { SIGN } else { 0 });
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// `Lut8ToFp32`.
// Of pages `SFPLUT_WH` and `SFPLUT_BH`.
// [61] It takes eight bits.
// [70, 74-81] Of 256 codes 255 have a value of their own, from a 128th up to below 2, with either sign, and one is zero.
// (`eight_bits_are_what_the_page_lists`)
pub(super) fn lut8_to_fp32(x: U<8>) -> u32 {
    // [62] One code is zero.
    if x.get() == 0xff {
        return 0;
    }
    // [63-65] The parts of the others:
    let sign = x.get() >> 7;
    let exp = (x.get() >> 4) & 7;
    let man = x.get() & 0xf;
    // [66] the exponent counts down from that of 1.0.
    (sign << 31) | ((127 - exp) << 23) | (man << 19)
}

// Of pages `SFPLUTFP32_WH` and `SFPLUTFP32_BH`.
mod lutfp32 {
    // [110] Without any of them: a table of three lines in 32 bits.
    pub(super) const FP16_3ENTRY_TABLE: u32 = 10; // [111] Three lines in 16 bits; both bits of it count.
    pub(super) const FP16_6ENTRY_TABLE1: u32 = 2; // [112] Six lines in 16 bits, the last from 3.0 on.
    pub(super) const FP16_6ENTRY_TABLE2: u32 = 3; // [113] Six lines, the last from 4.0 on; both bits of it count.
    pub(super) const SGN_RETAIN: u32 = 4; // [115] The result has the sign of register 3.
    pub(super) const INDIRECT_VD: u32 = 8; // [117] Register 7 says which register is written.
}

/// `SFPLUTFP32`: a line of two factors in 16 or 32 bits each, by the magnitude of register 3.
///
/// *Source*: page SFPLUTFP32, commit 585749d1, one text for each chip, which differ from line 147 on.
// Of pages `SFPLUTFP32_WH` and `SFPLUTFP32_BH`.
// [3] A product and a sum of FP32, lane by lane, perhaps with the sign of register 3.
// [47] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [SFPLUTFP32_WH 147] The next instruction is not to read what is written. Not modelled: instructions come one by one here;
// the rules of scheduling `sfpmad-then-reader-wh` and `sfpmad-indirect-then-reader-wh` say what has to stand between.
// [SFPLUTFP32_BH 147] The next instruction waits. Not modelled: the rules are `sfpmad-then-reader-bh` and
// `sfpmad-indirect-unseen-reader-bh`.
// [SFPLUTFP32_BH 149-151] Which one waits is read off another field, `Mod1Mirror`. Not modelled: nothing waits here.
// [SFPLUTFP32_BH 153] More waits than has to. Not modelled: nothing waits here.
pub fn sfplutfp32(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [52, 57] VD and Mod1. (`encodings_and_texts_round_trip`)
    let syntax = unit
        .chip
        .pick(cite!(SFPLUTFP32_WH, "line 52", UNNAMED_REASON), cite!(SFPLUTFP32_BH, "line 52", UNNAMED_REASON));
    unit.check(unit.chip.pick(&[VD, MOD1], &[VD, MOD1, MOD1_MIRROR]), syntax)?;
    let (vd, mod1) = (unit.vd(), unit.mod1());
    // [62] Lane by lane.
    for lane in 0..LANES {
        // [63] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [64] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [65-66] Register 3, and its magnitude.
                let l3 = unit.lreg(U::new(3), lane);
                let b = l3 & !SIGN;
                // [67] The line that it is on:
                // [9-11, 19-21, 68-70] below 1.0, below 2.0, or above.
                let i = if b < ONE {
                    0
                } else if b < TWO {
                    1
                } else {
                    2
                };
                let l_i = unit.lreg(U::new(i), lane);
                let l_4_i = unit.lreg(U::new(4 + i), lane);
                // [71] In 16 bits,
                let (a, c) = if has(mod1, lutfp32::FP16_6ENTRY_TABLE1) {
                    if (mod1 & lutfp32::FP16_3ENTRY_TABLE).get() == lutfp32::FP16_3ENTRY_TABLE {
                        // [72-74] both in a register;
                        (lut16_to_fp32(U::new(l_i >> 16)), lut16_to_fp32(U::new(l_i)))
                    } else {
                        // [36, 75-76] or each in one, whose halves are lines of their own:
                        let cut = if (mod1 & lutfp32::FP16_6ENTRY_TABLE2).get() == lutfp32::FP16_6ENTRY_TABLE2 {
                            FOUR
                        } else {
                            THREE
                        };
                        let j = if b < HALF {
                            0 // [27, 40, 77] below 0.5 the lower ones,
                        } else if b < ONE {
                            16 // [28, 41, 78] below 1.0 the upper ones,
                        } else if b < ONE_AND_A_HALF {
                            0 // [29, 42, 79] below 1.5 the lower ones,
                        } else if b < TWO {
                            16 // [30, 43, 80] below 2.0 the upper ones,
                        } else if b < cut {
                            0 // [31, 44, 81] up to the last cut the lower ones,
                        } else {
                            16 // [32, 45, 82] and then the upper ones.
                        };
                        // [83-84] Both halves.
                        (lut16_to_fp32(U::new(l_i >> j)), lut16_to_fp32(U::new(l_4_i >> j)))
                    }
                } else {
                    // [86-88] In 32 bits: a register each.
                    (l_i, l_4_i)
                };
                // [90, 143] The line, as `SFPMAD` has it.
                let mut d = fma(unit.chip, a, b, c);
                if has(mod1, lutfp32::SGN_RETAIN) {
                    // [91-92] The sign of register 3.
                    d = (d & !SIGN) | (l3 & SIGN);
                }
                // [15, 94-98] Which register is written: with three lines in 16 bits always what register 7
                // says.
                let vd = if has(mod1, lutfp32::INDIRECT_VD) && vd.get() != 16 { in_lreg7(unit, lane) } else { vd };
                // [100] Those from 8 on are not.
                if vd.get() < 8 || vd.get() == 16 {
                    // [101] The result.
                    unit.set_lreg(vd, lane, d);
                    leave_nan_open(unit, vd, lane, d, if has(mod1, lutfp32::SGN_RETAIN) { SIGN } else { 0 });
                }
            }
        }
    }
    ControlFlow::Continue(())
}

const HALF: u32 = 0x3f00_0000;
const ONE: u32 = 0x3f80_0000;
const ONE_AND_A_HALF: u32 = 0x3fc0_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const FOUR: u32 = 0x4080_0000;

/// `Lut16ToFp32`.
// Of pages `SFPLUTFP32_WH` and `SFPLUTFP32_BH`.
// [119] It takes 16 bits.
// [127, 130-139] Codes that are infinities or NaNs elsewhere become denormals, which `SFPMAD` takes for zero, and zeros and
// denormals have the exponent that any other has. (`sixteen_bits_are_what_the_page_lists`)
pub(super) fn lut16_to_fp32(x: U<16>) -> u32 {
    // [120-122] The parts,
    let sign = x.get() >> 15;
    let exp = (x.get() >> 10) & 0x1f;
    let man = x.get() & 0x3ff;
    // [123] with the bias of eight bits; the largest exponent becomes the smallest.
    (sign << 31) | ((if exp == 0x1f { 0 } else { 112 + exp }) << 23) | (man << 13)
}

// Of page `SFPARECIP`.
mod arecip {
    pub(super) const RECIP: u32 = 0; // [50] A reciprocal.
    pub(super) const COND_RECIP: u32 = 1; // [51] One where another register is negative.
    // [52] An exponential is 2, and whatever has no name.
}

/// `SFPARECIP`: about a reciprocal, or about an exponential.
///
/// *Source*: page SFPARECIP, commit 585749d1, of Blackhole.
// Of page `SFPARECIP`.
// [3] A reciprocal or an exponential of FP32, lane by lane, whose first bits are right.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [8] It is new in Blackhole.
// [139] Others to come may have better bits. Not modelled: the chips of the suite have these.
pub fn sfparecip(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [13, 18] VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VB, VC, VD, MOD1], cite!(SFPARECIP, "line 13", UNNAMED_REASON))?;
    // [23] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [24] Lane by lane.
        for lane in 0..LANES {
            // [25] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [26-27] The datum, and its sign.
                let mut x = unit.lreg(unit.vc(), lane);
                let sign = x & SIGN;
                // [28] By the mode:
                match unit.mod1().get() {
                    // [29-31] the reciprocal of the magnitude, with the sign;
                    arecip::RECIP => x = sign + approx_recip(x - sign),
                    // [32-34, 36] without it, where VB is negative, and elsewhere the datum itself;
                    arecip::COND_RECIP => {
                        if unit.lreg(unit.vb(), lane).cast_signed() < 0 {
                            x = approx_recip(x - sign);
                        }
                    }
                    // [37-40] or the exponential of the magnitude, with the sign.
                    _ => x = sign + approx_exp(x - sign),
                }
                // [42] The result.
                unit.set_lreg(unit.vd(), lane, x);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `ApproxRecip`.
// Of page `SFPARECIP`.
// [54] It takes a magnitude.
// [135] Between 0.9944 and 1.0054 times what it should be. (`a_reciprocal_is_as_near_as_the_page_says`)
pub(super) fn approx_recip(x: u32) -> u32 {
    // [55-62] The upper seven bits of the mantissa, by those of the datum.
    const LUT: [u8; 128] = [
        127, 125, 123, 121, 119, 117, 116, 114, 112, 110, 109, 107, 105, 104, 102, 100, 99, 97, 96, 94, 93, 91, 90, 88,
        87, 85, 84, 83, 81, 80, 79, 77, 76, 75, 74, 72, 71, 70, 69, 68, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55,
        54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 40, 39, 38, 37, 36, 35, 35, 34, 33, 32, 31, 31, 30,
        29, 28, 28, 27, 26, 25, 25, 24, 23, 23, 22, 21, 21, 20, 19, 19, 18, 17, 17, 16, 15, 15, 14, 14, 13, 12, 12, 11,
        11, 10, 9, 9, 8, 8, 7, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0,
    ];
    if x < 0x0080_0000 {
        // [65-66] Of a denormal, infinity.
        0x7f80_0000
    } else if x < 0x7e80_0000 {
        // [67-68] The exponent about its opposite, and the table.
        ((253 - (x >> 23)) << 23) | (u32::from(LUT[U::<7>::new(x >> 16).index()]) << 16)
    } else {
        // [69-70] Of what has a denormal, zero.
        0
    }
}

/// `ApproxExp`.
// Of page `SFPARECIP`.
// [74] It takes a magnitude.
// [137] Below 2, between 0.9922 and 1.016 times what it should be. (`an_exponential_is_as_near_as_the_page_says`)
pub(super) fn approx_exp(x: u32) -> u32 {
    // [75-116] The upper seven bits of the mantissa, and the lowest of the exponent, by the upper half of the datum.
    const LUT: [u8; 896] = [
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
        8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
        10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12,
        12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14, 14,
        14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16, 16,
        16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19,
        20, 20, 20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 24,
        24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27, 27, 27, 27, 28, 28,
        28, 28, 28, 28, 28, 29, 29, 29, 29, 29, 29, 30, 30, 30, 30, 30, 30, 30, 31, 31, 31, 31, 31, 31, 32, 32, 32, 32,
        32, 32, 33, 33, 33, 33, 33, 33, 33, 34, 34, 34, 34, 34, 34, 35, 35, 35, 35, 35, 35, 36, 36, 36, 36, 36, 37, 37,
        37, 38, 38, 38, 39, 39, 39, 40, 40, 40, 41, 41, 41, 42, 42, 42, 43, 43, 43, 44, 44, 44, 45, 45, 45, 46, 46, 46,
        47, 47, 47, 48, 48, 49, 49, 49, 50, 50, 50, 51, 51, 51, 52, 52, 52, 53, 53, 53, 54, 54, 54, 55, 55, 56, 56, 56,
        57, 57, 57, 58, 58, 58, 59, 59, 60, 60, 60, 61, 61, 61, 62, 62, 63, 63, 63, 64, 64, 64, 65, 65, 66, 66, 66, 67,
        67, 67, 68, 68, 69, 69, 69, 70, 70, 71, 71, 71, 72, 72, 72, 73, 73, 74, 74, 74, 75, 75, 76, 76, 76, 77, 77, 78,
        78, 78, 79, 79, 80, 80, 80, 81, 81, 82, 82, 83, 83, 84, 85, 86, 87, 88, 88, 89, 90, 91, 92, 93, 94, 94, 95, 96,
        97, 98, 99, 100, 101, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 113, 114, 115, 116, 117,
        118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 9, 10,
        10, 11, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17, 17, 18, 19, 19, 20, 20, 21, 21, 22, 23, 23, 24, 24, 25, 26,
        26, 27, 27, 28, 29, 29, 30, 31, 31, 32, 32, 33, 34, 34, 35, 36, 36, 37, 38, 38, 39, 39, 40, 41, 41, 42, 43, 43,
        44, 45, 45, 47, 48, 50, 51, 52, 54, 55, 57, 58, 60, 61, 63, 64, 66, 67, 69, 70, 72, 73, 75, 76, 78, 80, 81, 83,
        85, 86, 88, 90, 91, 93, 95, 97, 98, 100, 102, 104, 106, 107, 109, 111, 113, 115, 117, 119, 121, 123, 125, 127,
        128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 139, 140, 141, 142, 143, 144, 145, 146, 147, 149, 150, 151,
        152, 153, 155, 156, 157, 158, 159, 161, 162, 163, 165, 166, 167, 168, 170, 171, 172, 174, 175, 177, 178, 179,
        181, 182, 184, 185, 187, 188, 189, 191, 192, 194, 196, 197, 199, 200, 202, 203, 205, 207, 208, 210, 211, 213,
        215, 216, 218, 220, 222, 223, 225, 227, 229, 230, 232, 234,
    ];
    let by_table = || u32::from(LUT[U::<16>::new((x >> 16) - 0x3c80).index()]) << 16;
    let low = x & 0xffff;
    if x < 0x0080_0000 {
        // [119-120] Of a denormal, 1.0.
        0x3f80_0000
    } else if x < 0x3c80_0000 {
        // [121-122] Below a 64th a little more, with the low bits of the datum,
        0x3f81_0000 | low
    } else if x < 0x3f32_0000 {
        // [123-124] then by the table up to 2,
        0x3f80_0000 | by_table() | low
    } else if x < 0x4000_0000 {
        // [125-126] and above,
        0x4000_0000 | by_table() | low
    } else {
        // [127-128] and of the rest hardly anything.
        0x4080_0000 | low
    }
}

#[cfg(test)]
use super::tests::{BH, Datum};

/// Values computed by hand.
#[cfg(test)]
pub(super) const TABLE_VALUES: &[Datum<'_>] = &[
    // 1.0 and -2.0; the first of the smallest normal numbers, and what has a denormal.
    (BH, sfparecip, &[], [7, 0x3f80_0000], 0x3f7f_0000),
    (BH, sfparecip, &[(VB, 2)], [7, 0xc000_ffff], 0xbeff_0000),
    (BH, sfparecip, &[], [7, 0x3fc0_0000], 0x3f2a_0000),
    (BH, sfparecip, &[], [7, 0x0080_0000], 0x7e7f_0000),
    (BH, sfparecip, &[], [7, 0x7e7f_ffff], 0x0080_0000),
    (BH, sfparecip, &[], [7, 0xfe80_0000], 0x8000_0000),
    // Zeros, denormals, infinities and NaNs.
    (BH, sfparecip, &[], [7, 0], 0x7f80_0000),
    (BH, sfparecip, &[], [7, 0x807f_ffff], 0xff80_0000),
    (BH, sfparecip, &[], [7, 0x7f80_0000], 0),
    (BH, sfparecip, &[], [7, 0xffc0_0001], 0x8000_0000),
    // VB is positive, and then it is VC.
    (BH, sfparecip, &[(MOD1, 1), (VB, 3)], [7, 0xc000_0000], 0xc000_0000),
    (BH, sfparecip, &[(MOD1, 1), (VB, 2)], [7, 0xc000_0000], 0x3eff_0000),
    (BH, sfparecip, &[(MOD1, 1), (VB, 2)], [7, 0x8000_0000], 0x7f80_0000),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3f80_0000], 0x402d_0000),
    (BH, sfparecip, &[(MOD1, 3)], [7, 0xbf80_0000], 0xc02d_0000),
    (BH, sfparecip, &[(MOD1, 15)], [7, 0x3f80_1234], 0x402d_1234),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x8000_0000], 0xbf80_0000),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x007f_ffff], 0x3f80_0000),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3c7f_ffff], 0x3f81_ffff),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3c80_0000], 0x3f82_0000),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3f31_ffff], 0x3fff_ffff),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3f32_0000], 0x4000_0000),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x3fff_ffff], 0x40ea_ffff),
    (BH, sfparecip, &[(MOD1, 2)], [7, 0x7fc1_2345], 0x4080_2345),
];
