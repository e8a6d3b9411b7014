//! `SFPMAD`, `SFPADD`, `SFPMUL`, `SFPADDI`, `SFPMULI` and `SFPMUL24`: what the MAD sub-unit computes.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::immediate::sfpconfig;
use tandem_isa::tensix::inst::vector::{MOD1, VA, VB, VC, VD};
use tandem_isa::tensix::{Chip, SFPADD_BH, SFPADD_WH, SFPMAD_BH, SFPMAD_WH, SFPMUL_BH, SFPMUL_WH, SFPMUL24};
use tandem_isa::{Citation, Expectation};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::fma::{INFINITY, SIGN, fma};
use super::{VectorUnit, has};
use crate::bits::U;

// Of pages `SFPMAD_WH` (wh), `SFPMAD_BH` (bh), `SFPADDI_WH` (imm_wh), `SFPMULI_WH` (imm_wh), `SFPADDI_BH` (imm_bh),
// `SFPMULI_BH` (imm_bh) and `SFPMUL24` (mul24).
mod mad {
    pub(super) const NEGATE_VA: u32 = 1; // [bh 50] The first factor has the other sign.
    pub(super) const NEGATE_VC: u32 = 2; // [bh 51] [imm_bh 44] The register that is not multiplied, or is alone, has.
    pub(super) const INDIRECT_VA: u32 = 4; // [wh 45] [bh 52] [mul24 59] LReg[7] says which the first factor is.
    pub(super) const INDIRECT_VD: u32 = 8; // [wh 46] [bh 53] [imm_wh 43] [imm_bh 45] [mul24 60] And which is written.
}

/// FP32 of 1.
const ONE: u32 = 0x3f80_0000;

/// `SFPMAD`: a product and a summand.
///
/// *Source*: page SFPMAD, commit 585749d1, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPMAD_WH` (wh) and `SFPMAD_BH` (bh).
// [wh 3] [bh 3] Lane by lane, the product of two registers and the sum with a third, all FP32. LReg[7] can say in each lane which
// register is multiplied, and which is written.
// [wh 5] [bh 5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole are two modifiers, and what becomes of NaNs and of negative zero.
// [wh 63] Whoever reads the result has to wait a cycle. Not modelled: instructions come one by one here; the rules of scheduling
// `sfpmad-then-reader-wh` and `sfpmad-indirect-then-reader-wh` say what has to stand between.
// [bh 70] The hardware makes readers of the result wait. Not modelled: instructions come one by one here; the rule of
// scheduling `sfpmad-then-reader-bh` tells of it.
// [bh 73] In a sequence of `SFPLOADMACRO` it does not. Not modelled: nothing waits here.
// [bh 76-84, 86] Some readers it does not see. Not modelled: instructions come one by one here; the rules of scheduling
// `sfpmad-unseen-reader-bh` and `sfpmad-indirect-unseen-reader-bh` say which.
// [wh 67] [bh 90] How fast it is. Not modelled: no cycle is counted.
pub fn sfpmad(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 13, 18] VA, VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    multiply_and_add(unit, cite!(SFPMAD_WH, "line 10", UNNAMED_REASON), cite!(SFPMAD_BH, "line 13", UNNAMED_REASON))
}

/// `SFPADD`: a sum, if `VA` is 10.
///
/// *Source*: page SFPADD, commit 2f0ad45d, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPADD_WH` (wh) and `SFPADD_BH` (bh).
// [wh 3, TX-115] [bh 3, TX-115] It is SFPMAD, whose first factor is meant to be register 10, which holds 1.
// [wh 5] [bh 5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [wh 27] [bh 27] As for SFPMAD, whoever reads the result waits. Not modelled: instructions come one by one here.
pub fn sfpadd(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 10, 15] VA, VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    // [wh 19, 23] [bh 19, 23] SFPMAD, whatever VA is.
    multiply_and_add(unit, cite!(SFPADD_WH, "line 10", UNNAMED_REASON), cite!(SFPADD_BH, "line 10", UNNAMED_REASON))?;
    // TX-115: of other registers nobody promises it.
    advised_against(unit.va().get() != 10, cite!(SFPADD_WH, "line 3", "not to be used unless VA is 10"))
}

/// `SFPMUL`: a product, if `VC` is 9.
///
/// *Source*: page SFPMUL, commit 2f0ad45d, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPMUL_WH` (wh) and `SFPMUL_BH` (bh).
// [wh 3, TX-115] [bh 3, TX-115] It is SFPMAD, whose summand is meant to be register 9, which holds 0. On Blackhole a negated zero
// leaves the sign of a product of zero.
// [wh 5] [bh 5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [wh 27] [bh 27] As for SFPMAD, whoever reads the result waits. Not modelled: instructions come one by one here.
pub fn sfpmul(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] [bh 10, 15] VA, VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    // [wh 19, 23] [bh 19, 23] SFPMAD, whatever VC is.
    multiply_and_add(unit, cite!(SFPMUL_WH, "line 10", UNNAMED_REASON), cite!(SFPMUL_BH, "line 10", UNNAMED_REASON))?;
    // TX-115: of other registers nobody promises it.
    advised_against(unit.vc().get() != 9, cite!(SFPMUL_WH, "line 3", "not to be used unless VC is 9"))
}

/// What is promised of what the page says and advises against.
fn advised_against(is_so: bool, citation: &'static Citation) -> ControlFlow<Expectation> {
    if is_so { ControlFlow::Break(Expectation::NonContractual(citation)) } else { ControlFlow::Continue(()) }
}

/// What `SFPMAD` does, for the three of them: the citations are of the fields.
// Of pages `SFPMAD_WH` (wh) and `SFPMAD_BH` (bh).
fn multiply_and_add(
    unit: &mut VectorUnit<'_, '_>,
    wormhole: &'static Citation,
    blackhole: &'static Citation,
) -> ControlFlow<Expectation> {
    unit.check(&[VA, VB, VC, VD, MOD1], unit.chip.pick(wormhole, blackhole))?;
    let mod1 = unit.mod1();
    // [wh 20] [bh 23] Lane by lane.
    for lane in 0..LANES {
        // [wh 21] [bh 24] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [wh 22] [bh 25] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 23] [bh 26] Which register the first factor is.
                let va = if has(mod1, mad::INDIRECT_VA) { in_lreg7(unit, lane) } else { unit.va() };
                // [wh 24] [bh 27] The first factor,
                let mut a = unit.lreg(va, lane);
                // [wh 25] [bh 28] the second
                let b = unit.lreg(unit.vb(), lane);
                // [wh 26] [bh 29] and the summand.
                let mut c = unit.lreg(unit.vc(), lane);
                if unit.chip == Chip::Blackhole {
                    // [bh 30] The other sign
                    if has(mod1, mad::NEGATE_VA) {
                        a ^= SIGN;
                    }
                    // [bh 31] of either.
                    if has(mod1, mad::NEGATE_VC) {
                        c ^= SIGN;
                    }
                }
                // [wh 27] [bh 32] By the model of the chip.
                let d = fma(unit.chip, a, b, c);
                write_float(unit, lane, d);
            }
        }
    }
    ControlFlow::Continue(())
}

/// Writes the result of a lane, and what is not promised of it.
fn write_float(unit: &mut VectorUnit<'_, '_>, lane: u32, d: u32) {
    if let Some(vd) = write(unit, lane, d) {
        leave_nan_open(unit, vd, lane, d, 0);
    }
}

/// Leaves open what is not promised of a result that was written, or was before its sign became another one, which is `promised`
/// then: on Wormhole not all bits of a NaN are.
// Of pages `SFPMAD_WH` (wh).
pub(super) fn leave_nan_open(unit: &mut VectorUnit<'_, '_>, vd: U<5>, lane: u32, d: u32, promised: u32) {
    // [wh 53] Of a NaN the lowest bit is promised, and no other one of its mantissa, nor its sign.
    if unit.chip == Chip::Wormhole && d & !SIGN > INFINITY {
        let citation =
            cite!(SFPMAD_WH, "line 53", "of a NaN the exponent and the lowest bit of the mantissa are promised");
        unit.leave_open(vd, lane, !(INFINITY | 1 | promised), citation);
    }
}

/// Writes the result of a lane, and tells to which register, if to any.
// Of pages `SFPMAD_WH` (wh), `SFPMAD_BH` (bh), `SFPADDI_WH` (imm_wh), `SFPMULI_WH` (imm_wh), `SFPADDI_BH` (imm_bh),
// `SFPMULI_BH` (imm_bh) and `SFPMUL24` (mul24).
fn write(unit: &mut VectorUnit<'_, '_>, lane: u32, d: u32) -> Option<U<5>> {
    // [wh 28-30] [bh 33-35] [imm_wh 26-28] [imm_bh 27-29] [mul24 41-43] The register is what LReg[7] holds
    // in this lane, unless VD is 16,
    let vd = if has(unit.mod1(), mad::INDIRECT_VD) && unit.vd().get() != 16 {
        in_lreg7(unit, lane)
    } else {
        // [wh 31-32] [bh 36-37] [imm_wh 29-30] [imm_bh 30-31] [mul24 44-45] or VD.
        unit.vd()
    };
    // [wh 34] [bh 39] [imm_wh 32] [imm_bh 33] [mul24 47] Registers from 8 on are not written.
    if vd.get() < 8 || vd.get() == 16 {
        // [wh 35] [bh 40] [imm_wh 33] [imm_bh 34] [mul24 48] The result.
        unit.set_lreg(vd, lane, d);
        return Some(vd);
    }
    None
}

/// `LReg[7].u32 & 15`: a number of a register.
pub(super) fn in_lreg7(unit: &mut VectorUnit<'_, '_>, lane: u32) -> U<5> {
    U::new(unit.lreg(U::new(7), lane) & 15)
}

/// `SFPADDI`: a register and an immediate.
///
/// *Source*: page SFPADDI, commit 585749d1, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPADDI_WH` (wh) and `SFPADDI_BH` (bh).
// [wh 3] [bh 3] Lane by lane, the sum of an immediate in BF16 and a register.
// [wh 5] [bh 5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [wh 10, 15] [bh 10, 15] Imm16, VD and Mod1, to which all bits belong. (`encodings_and_texts_round_trip`)
// [wh 56] [bh 58] As for SFPMAD, whoever reads the result waits. Not modelled: instructions come one by one here.
pub fn sfpaddi(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 25] [bh 26] The immediate times 1, and the register.
    // [wh 52] [bh 54] As SFPMAD has it.
    with_immediate(unit, |chip, immediate, c| fma(chip, immediate, ONE, c))
}

/// `SFPMULI`: a register times an immediate.
///
/// *Source*: page SFPMULI, commit 9bb1ac3d of Wormhole and 585749d1 of Blackhole: `wh` and `bh` are their lines.
// Of pages `SFPMULI_WH` (wh) and `SFPMULI_BH` (bh).
// [wh 3] [bh 3, TX-112] Lane by lane, the product of a register and an immediate in BF16, to which zero is added, so that zero has no
// sign.
// [wh 5] [bh 5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [wh 10, 15] [bh 10, 15] Imm16, VD and Mod1, to which all bits belong. (`encodings_and_texts_round_trip`)
// [wh 56] [bh 58] As for SFPMAD, whoever reads the result waits. Not modelled: instructions come one by one here.
pub fn sfpmuli(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 25] [bh 26] The immediate times the register, and zero.
    // [wh 52] [bh 54] As SFPMAD has it.
    with_immediate(unit, |chip, immediate, c| fma(chip, immediate, c, 0))
}

/// What `SFPADDI` and `SFPMULI` do, with what they compute of the immediate and the register.
// Of pages `SFPADDI_WH` (wh), `SFPMULI_WH` (wh), `SFPADDI_BH` (bh) and `SFPMULI_BH` (bh).
fn with_immediate(unit: &mut VectorUnit<'_, '_>, compute: impl Fn(Chip, u32, u32) -> u32) -> ControlFlow<Expectation> {
    let imm16 = U::<16>::new(sfpconfig::IMM16.get(unit.code));
    let mod1 = unit.mod1();
    // [wh 20] [bh 20] The operand is VD, whatever is written.
    let vc = unit.vc_that_is_vd();
    // [wh 21] [bh 21] Lane by lane.
    for lane in 0..LANES {
        // [wh 22] [bh 22] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [wh 23] [bh 23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 24] [bh 24] The operand,
                let mut c = unit.lreg(vc, lane);
                // [bh 25] on Blackhole perhaps with the other sign.
                if unit.chip == Chip::Blackhole && has(mod1, mad::NEGATE_VC) {
                    c ^= SIGN;
                }
                let d = compute(unit.chip, bf16_to_fp32(imm16), c);
                write_float(unit, lane, d);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `BF16ToFP32`.
// Of pages `SFPADDI_WH` (wh), `SFPMULI_WH` (wh), `SFPADDI_BH` (bh) and `SFPMULI_BH` (bh).
// [wh 45] [bh 47] It takes 16 bits.
fn bf16_to_fp32(x: U<16>) -> u32 {
    // [wh 46] [bh 48] They are the upper half.
    x.get() << 16
}

/// `SFPMUL24_MOD1_UPPER`.
// Of page `SFPMUL24`.
const UPPER: u32 = 1; // [58] The high bits of the product.

/// `SFPMUL24`: the low or the high 23 bits of a product of 23 bits by 23.
///
/// *Source*: page SFPMUL24, commit 585749d1, of Blackhole alone.
// Of page `SFPMUL24`.
// [3] Lane by lane, 23 bits of the product of two registers of 23 bits. LReg[7] can say in each lane which register is multiplied,
// and which is written. What is added to it is not to be relied on, so that VC should be 9, which holds 0.
// [5] The MAD sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [8] New in Blackhole is the instruction. Its name has one bit more than its factors.
// [83] As for SFPMAD, whoever reads the result waits. Not modelled: instructions come one by one here.
pub fn sfpmul24(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [13, 18] VA, VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VA, VB, VC, VD, MOD1], cite!(SFPMUL24, "line 13", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [23] Lane by lane.
    for lane in 0..LANES {
        // [24] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [25] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [26] Which register the first factor is.
                let va = if has(mod1, mad::INDIRECT_VA) { in_lreg7(unit, lane) } else { unit.va() };
                // [27] The first factor,
                let a = unit.lreg(va, lane);
                // [28] the second,
                let b = unit.lreg(unit.vb(), lane);
                // [29] and what should be zero.
                let c = unit.lreg(unit.vc(), lane);
                // [30-31] The product:
                let mut d = if has(mod1, UPPER) {
                    // [32] of 23 bits by 23 the upper half,
                    let product = u64::from(a & 0x7f_ffff) * u64::from(b & 0x7f_ffff);
                    u32::try_from(product >> 23).expect("46 bits without 23")
                } else {
                    // [33-34] or of 32 by 32 the lowest 23.
                    a.wrapping_mul(b) & 0x7f_ffff
                };
                // [36] It is not zero.
                let adds = c != 0;
                if adds {
                    // [37-38] The silicon adds it in its way, and nobody promises that.
                    d = mul24_shift_add(d, c);
                }
                if write(unit, lane, d).is_some() && adds {
                    promise = ControlFlow::Break(Expectation::NonContractual(cite!(
                        SFPMUL24,
                        "lines 36 to 40",
                        "what is added to the product is not zero; the silicon aligns it as FP32"
                    )));
                }
            }
        }
    }
    promise
}

/// `Mul24ShiftAdd`: the datapath of FP32, as it takes an integer.
// Of page `SFPMUL24`.
// [62] A product of 23 bits, and FP32.
fn mul24_shift_add(mut p_m: u32, z: u32) -> u32 {
    // [63] Its exponent.
    let z_e = z >> 23 & 0xff;
    // [64] A denormal adds nothing.
    if z_e != 0 {
        // [65] The exponent that the product is given,
        let p_e = 129;
        // [66] the larger of the two,
        let r_e = p_e.max(z_e);
        // [67] and how far the summand is from it, modulo 32.
        let s = (r_e - z_e) & 31;
        // [68] Its mantissa, with the bit before its point
        let z_m = (1 << 23) + (z & 0x7f_ffff);
        // [69] and three bits more.
        let z_m_grs = z_m << 3;
        // [70] The product is shifted, modulo 32 as well,
        p_m >>= (r_e - p_e) & 31;
        // [71] and the mantissa. If any of it is left,
        let z_m = z_m_grs >> s;
        if z_m != 0 {
            // [72] it is added,
            p_m += z_m;
            // [73] with bit 16 if more than 16 bits were shifted out,
            p_m += u32::from((z_m << s) ^ z_m_grs > 0xffff) << 16;
            // [74] and 23 bits stay.
            p_m &= 0x7f_ffff;
        }
    }
    // [77] The product otherwise, perhaps shifted.
    p_m
}
