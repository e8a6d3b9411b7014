//! `SFPABS`, `SFPSETSGN`, `SFPLZ`, `SFPIADD`, `SFPSHFT` and `SFPEXEXP`: a register as a number, or as a sign and a
//! magnitude, or its exponent.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::vector::{IMM1, IMM12, MOD1, VC, VD};
use tandem_isa::tensix::{SFPABS, SFPEXEXP, SFPIADD, SFPLZ, SFPSETSGN, SFPSHFT_BH, SFPSHFT_WH};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::{VectorUnit, has};
use crate::bits::U;

// Of page `SFPABS`.
mod abs {
    // [49] Without it the datum is in two's complement.
    pub(super) const FLOAT: u32 = 1; // [50] With it the datum is FP32.
}

/// `SFPABS`: the absolute value of FP32 or of two's complement.
///
/// *Source*: page SFPABS, commit 585749d1, one text for both chips.
// Of page `SFPABS`.
// [3] The absolute value of two's complement or of FP32, where negative NaNs stay. Another instruction has it for a
// sign and a magnitude.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpabs(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], cite!(SFPABS, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [21] Lane by lane.
        for lane in 0..LANES {
            // [22] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [23] The datum.
                let mut x = unit.lreg(unit.vc(), lane);
                // [24-25] It has a sign.
                if x >= 0x8000_0000 {
                    // [26, TX-37] As FP32:
                    if has(mod1, abs::FLOAT) {
                        if x > 0xff80_0000 {
                            // [27-28] a NaN keeps its sign,
                        } else {
                            // [29-31] and all else loses it.
                            x &= 0x7fff_ffff;
                        }
                    } else {
                        // [33-36] As an integer: negated, which leaves the lowest as it is.
                        x = x.wrapping_neg();
                    }
                } else {
                    // [38-39] It has none, and stays.
                }
                // [41] The result.
                unit.set_lreg(unit.vd(), lane, x);
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPSETSGN`.
mod setsgn {
    pub(super) const ARG_IMM: u32 = 1; // [44] The sign is the immediate.
}

/// `SFPSETSGN`: the magnitude of one register with the sign of another, or with one from the code.
///
/// *Source*: page SFPSETSGN, commit 585749d1, one text for both chips.
// Of page `SFPSETSGN`.
// [3] A sign, of the code or of the destination, and the exponent and mantissa of a register. A sign and a magnitude of
// 31 bits lie as the fields of FP32 do. With a sign of the code that is the absolute value or its negation.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpsetsgn(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm1, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM1, VC, VD, MOD1], cite!(SFPSETSGN, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] The sign is the destination's.
    let vb = unit.vb_that_is_vd();
    // [21] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] The datum.
                let c = unit.lreg(unit.vc(), lane);
                // [26-27] All of it but its sign.
                let exp = (c >> 23) & 0xff;
                let man = c & 0x007f_ffff;
                // [25] The sign:
                let sign = if has(mod1, setsgn::ARG_IMM) {
                    // [28-30] from the code,
                    unit.imm1().get()
                } else {
                    // [31-34] or what the register had.
                    let b = unit.lreg(vb, lane);
                    b >> 31
                };
                // [36] The result.
                unit.set_lreg(unit.vd(), lane, (sign << 31) | (exp << 23) | man);
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPLZ`.
mod lz {
    pub(super) const CC_NE0: u32 = 2; // [49] The flag is whether the datum is not zero.
    pub(super) const NOSGN_MASK: u32 = 4; // [50] The datum loses its sign.
    pub(super) const CC_COMP: u32 = 8; // [51] The flag is the opposite.
}

/// `SFPLZ`: the number of leading zeros, and whether there was anything else.
///
/// *Source*: page SFPLZ, commit c7cbab63, one text for both chips.
// Of page `SFPLZ`.
// [3] The number of leading zeros, of 32 bits or of a magnitude; zero has 32. The flag can tell whether it was zero.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfplz(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], cite!(SFPLZ, "line 10", UNNAMED_REASON))?;
    let mut mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [20] A reserved bit.
    if has(mod1, 1) {
        // [21-22] The silicon ignores it, and nobody promises that.
        mod1 = mod1 & !1;
        promise = ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPLZ,
            "lines 20 to 24",
            "bit 0 of Mod1 is reserved; the silicon ignores it"
        )));
    }
    // [25] Registers from 8 on are not written, and then no flag is either.
    if unit.writes_vd() {
        // [26] Lane by lane.
        for lane in 0..LANES {
            // [27] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [28] The datum,
                let mut c = unit.lreg(unit.vc(), lane);
                if has(mod1, lz::NOSGN_MASK) {
                    // [29-31] without its sign.
                    c &= 0x7fff_ffff;
                }
                // [33] The count.
                unit.set_lreg(unit.vd(), lane, if c != 0 { c.leading_zeros() } else { 32 });
                // [34] The flag, which a VD of 16 would leave.
                if unit.vd().get() < 8 {
                    if has(mod1, lz::CC_NE0) {
                        // [35-36] First: whether the datum, as counted, is not zero.
                        unit.set_lane_flags(lane, c != 0);
                    }
                    if has(mod1, lz::CC_COMP) {
                        // [38-39] Then: the opposite of what the flag is by now.
                        unit.set_lane_flags(lane, !unit.lane_flags(lane));
                    }
                }
            }
        }
    }
    promise
}

// Of page `SFPIADD`.
mod iadd {
    // [48, 51] These are 0: what happens without the bits.
    pub(super) const ARG_IMM: u32 = 1; // [49] Plus the immediate.
    pub(super) const ARG_2SCOMP_LREG_DST: u32 = 2; // [50] Minus the destination.
    pub(super) const CC_NONE: u32 = 4; // [52] The flag stays.
    pub(super) const CC_GTE0: u32 = 8; // [53] The flag is the opposite.
}

/// `SFPIADD`: a sum or a difference, and its sign.
///
/// *Source*: page SFPIADD, commit 585749d1, one text for both chips.
// Of page `SFPIADD`.
// [3] The sum or the difference of two registers, or the sum of a register and an immediate of 12 bits with a sign. The
// flag can tell the sign of the result.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpiadd(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm12, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM12, VC, VD, MOD1], cite!(SFPIADD, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] The second operand is the destination.
    let vb = unit.vb_that_is_vd();
    // [21] Registers from 8 on are not written, and then no flag is either.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                let result = if has(mod1, iadd::ARG_IMM) {
                    // [24-25] Plus the immediate, whatever the next bit says.
                    unit.lreg(unit.vc(), lane).wrapping_add(sign_extend(unit.imm12()))
                } else if has(mod1, iadd::ARG_2SCOMP_LREG_DST) {
                    // [26-27] Minus the destination.
                    unit.lreg(unit.vc(), lane).wrapping_sub(unit.lreg(vb, lane))
                } else {
                    // [28-29] Plus the destination.
                    unit.lreg(unit.vc(), lane).wrapping_add(unit.lreg(vb, lane))
                };
                // [25, 27, 29] The assignment.
                unit.set_lreg(unit.vd(), lane, result);
                // [31] The flag, which a VD of 16 would leave.
                if unit.vd().get() < 8 {
                    if has(mod1, iadd::CC_NONE) {
                        // [32-33] First: as it was,
                    } else {
                        // [34-35] or the sign of what the register holds now.
                        unit.set_lane_flags(lane, result.cast_signed() < 0);
                    }
                    if has(mod1, iadd::CC_GTE0) {
                        // [37-38] Then: the opposite of what the flag is by now.
                        unit.set_lane_flags(lane, !unit.lane_flags(lane));
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// `SignExtend`: bit 11 is the sign. *Source*: page SFPIADD, commit 585749d1.
// Of page `SFPIADD`.
// [55] Of 12 bits 32 are made.
fn sign_extend(x: U<12>) -> u32 {
    // [56] Twelve bits with a sign, then 32 with a sign, then the same bits without.
    if x.bit(11) { x.get() | 0xffff_f000 } else { x.get() }
}

// Of pages `SFPSHFT_WH` (wh) and `SFPSHFT_BH` (bh).
mod shft {
    pub(super) const ARG_IMM: u32 = 1; // [wh 42] [bh 58] How far is the immediate.
    pub(super) const ARITHMETIC: u32 = 2; // [bh 59] The sign is copied.
    pub(super) const ARG_IMM_USE_VC: u32 = 4; // [bh 60] The datum is VC.
}

/// `SFPSHFT`: a shift, to the left or to the right. The chips have a text each.
pub fn sfpshft(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    match unit.chip {
        Chip::Wormhole => sfpshft_wormhole(unit),
        Chip::Blackhole => sfpshft_blackhole(unit),
    }
}

/// `SFPSHFT` of Wormhole.
///
/// *Source*: page SFPSHFT of Wormhole, commit 585749d1.
// Of pages `SFPSHFT_WH` (wh) and `SFPSHFT_BH` (bh).
// [wh 3] A shift to the left, or to the right with zeros. There is no arithmetic one.
// [wh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
fn sfpshft_wormhole(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] Imm12, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM12, VC, VD, MOD1], cite!(SFPSHFT_WH, "line 10", UNNAMED_REASON))?;
    let mut mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [wh 20] Three reserved bits.
    if mod1.get() > 1 {
        // [wh 21-22] The silicon ignores them, and nobody promises that.
        mod1 = mod1 & 1;
        promise = ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPSHFT_WH,
            "lines 20 to 24",
            "Mod1 from 2 on is reserved; the silicon looks at bit 0 only"
        )));
    }
    // [wh 25] The datum is the destination's.
    let vb = unit.vb_that_is_vd();
    // [wh 26] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 27] Lane by lane.
        for lane in 0..LANES {
            // [wh 28] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 29] How far.
                // [wh 10, TX-35] The immediate has a sign.
                let shift_amount = if has(mod1, shft::ARG_IMM) {
                    sign_extend(unit.imm12()).cast_signed()
                } else {
                    unit.lreg(unit.vc(), lane).cast_signed()
                };
                let x = unit.lreg(vb, lane);
                let result = if shift_amount >= 0 {
                    // [wh 30-31] To the left.
                    x << (shift_amount & 31)
                } else {
                    // [wh 32-33, TX-38] To the right, with zeros; the negative of -2^31 is itself.
                    x >> (shift_amount.wrapping_neg() & 31)
                };
                // [wh 31, 33] The assignment.
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    promise
}

/// `SFPSHFT` of Blackhole.
///
/// *Source*: page SFPSHFT of Blackhole, commit 585749d1.
// Of pages `SFPSHFT_WH` (wh) and `SFPSHFT_BH` (bh).
// [bh 3] A shift to the left, or to the right with copies of the sign or with zeros.
// [bh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole are the arithmetic shift, and the datum that comes from VC.
fn sfpshft_blackhole(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [bh 13, 18] Imm12, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM12, VC, VD, MOD1], cite!(SFPSHFT_BH, "line 13", UNNAMED_REASON))?;
    let mut mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [bh 23] Reserved modifiers.
    if mod1.get() > 7 || mod1.get() == 4 || mod1.get() == 6 {
        // [bh 24] The silicon ignores one bit of them, and nobody promises that.
        if mod1.get() == 4 || mod1.get() == 6 {
            // [bh 25-26] The one that is of no use without an immediate,
            mod1 = mod1 & !4;
        } else {
            // [bh 27-28] or the highest; of 12 and 14 this leaves 4 and 6.
            mod1 = mod1 & 7;
        }
        promise = ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPSHFT_BH,
            "lines 23 to 31",
            "Mod1 of 4, of 6 and from 8 on is reserved; the silicon ignores the bit that makes it so"
        )));
    }
    // [bh 32] The datum is the destination's.
    let vb = unit.vb_that_is_vd();
    // [bh 33] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [bh 34] Lane by lane.
        for lane in 0..LANES {
            // [bh 35] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [bh 36] The datum.
                let mut x = unit.lreg(vb, lane);
                // [bh 37] How far.
                let mut shift_amount = unit.lreg(unit.vc(), lane).cast_signed();
                // [bh 38] With an immediate:
                if has(mod1, shft::ARG_IMM) {
                    if has(mod1, shft::ARG_IMM_USE_VC) {
                        // [bh 39-40] VC can be the datum,
                        x = shift_amount.cast_unsigned();
                    }
                    // [bh 42] and the immediate is how far.
                    // [bh 13] The immediate has a sign.
                    shift_amount = sign_extend(unit.imm12()).cast_signed();
                }
                let result = if shift_amount >= 0 {
                    // [bh 44-45] To the left.
                    x << (shift_amount & 31)
                } else if has(mod1, shft::ARITHMETIC) {
                    // [bh 46-47] To the right, with copies of the sign from the left.
                    (x.cast_signed() >> (shift_amount.wrapping_neg() & 31)).cast_unsigned()
                } else {
                    // [bh 48-49] To the right, with zeros from the left.
                    x >> (shift_amount.wrapping_neg() & 31)
                };
                // [bh 45, 47, 49] The assignment.
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    promise
}

// Of page `SFPEXEXP`.
mod exexp {
    pub(super) const NODEBIAS: u32 = 1; // [42] The bias stays in.
    pub(super) const SET_CC_SGN_EXP: u32 = 2; // [43] The flag is the sign of the result.
    pub(super) const SET_CC_COMP_EXP: u32 = 8; // [44] The flag is the opposite.
}

/// `SFPEXEXP`: the exponent of FP32, with its bias or without, and its sign.
///
/// *Source*: page SFPEXEXP, commit 585749d1, one text for both chips.
// Of page `SFPEXEXP`.
// [3] The exponent of FP32 becomes an integer: with its bias from 0 to 255, or without from -127 to 128, in two's
// complement. The flag can tell the sign of the result.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpexexp(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], cite!(SFPEXEXP, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] What is taken off the exponent: nothing, or the bias of FP32.
    let bias = if has(mod1, exexp::NODEBIAS) { 0 } else { 127 };
    // [21] Registers from 8 on are not written, and then no flag is either.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] The datum, as FP32.
                let c = unit.lreg(unit.vc(), lane);
                // [25] Its exponent, whatever its sign and its mantissa are.
                let exp = ((c >> 23) & 0xff).cast_signed();
                // [26] The result, in two's complement.
                let result = exp - bias;
                unit.set_lreg(unit.vd(), lane, result.cast_unsigned());
                // [27] The flag, which a VD of 16 would leave.
                if unit.vd().get() < 8 {
                    if has(mod1, exexp::SET_CC_SGN_EXP) {
                        // [28-29] First: the sign of what the register holds now.
                        unit.set_lane_flags(lane, result < 0);
                    }
                    if has(mod1, exexp::SET_CC_COMP_EXP) {
                        // [31-32] Then: the opposite of what the flag is by now.
                        unit.set_lane_flags(lane, !unit.lane_flags(lane));
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
use super::tests::{BH, BOTH, Datum};

/// Values computed by hand.
#[cfg(test)]
pub(super) const INTEGER_VALUES: &[Datum<'_>] = &[
    (BOTH, sfpabs, &[], [7, 0x7fff_ffff], 0x7fff_ffff),
    (BOTH, sfpabs, &[], [7, 0xffff_fffb], 5),
    (BOTH, sfpabs, &[(MOD1, 14)], [7, 0x8000_0000], 0x8000_0000),
    (BOTH, sfpabs, &[(MOD1, 1)], [7, 0x8000_0000], 0),
    (BOTH, sfpabs, &[(MOD1, 15)], [7, 0xc000_0005], 0x4000_0005),
    (BOTH, sfpabs, &[(MOD1, 1)], [7, 0xff80_0000], 0x7f80_0000),
    (BOTH, sfpabs, &[(MOD1, 1)], [7, 0xff80_0001], 0xff80_0001),
    (BOTH, sfpabs, &[(MOD1, 1)], [7, 0x7f80_0001], 0x7f80_0001),
    (BOTH, sfpsetsgn, &[], [0x8000_0000, 0x7fab_cdef], 0xffab_cdef),
    (BOTH, sfpsetsgn, &[(IMM1, 1), (MOD1, 14)], [0x7fff_ffff, 0xffff_ffff], 0x7fff_ffff),
    (BOTH, sfpsetsgn, &[(IMM1, 1), (MOD1, 1)], [0, 3], 0x8000_0003),
    (BOTH, sfpsetsgn, &[(MOD1, 1)], [0x8000_0000, 0x8000_0003], 3),
    (BOTH, sfplz, &[], [7, 0], 32),
    (BOTH, sfplz, &[], [7, 1], 31),
    (BOTH, sfplz, &[], [7, 0x8000_0001], 0),
    (BOTH, sfplz, &[(MOD1, 4)], [7, 0x8000_0001], 31),
    (BOTH, sfplz, &[(MOD1, 4)], [7, 0x8000_0000], 32),
    (BOTH, sfplz, &[(MOD1, 4)], [7, 0xffff_ffff], 1),
    (BOTH, sfpiadd, &[(IMM12, 9)], [0xffff_fffe, 3], 1),
    (BOTH, sfpiadd, &[(MOD1, 2)], [5, 3], 0xffff_fffe),
    (BOTH, sfpiadd, &[(MOD1, 1), (IMM12, 0x7ff)], [5, 3], 0x802),
    (BOTH, sfpiadd, &[(MOD1, 3), (IMM12, 0x800)], [5, 3], 0xffff_f803),
    (BOTH, sfpiadd, &[(MOD1, 1), (IMM12, 0xfff)], [5, 0], 0xffff_ffff),
    (BOTH, sfpshft, &[(IMM12, 9)], [0x8000_0011, 4], 0x110),
    (BOTH, sfpshft, &[], [0x8000_0011, 36], 0x110),
    (BOTH, sfpshft, &[], [0x8000_0011, 0], 0x8000_0011),
    (BOTH, sfpshft, &[], [0x8000_0011, 0xffff_fffc], 0x0800_0001),
    (BOTH, sfpshft, &[], [0x8000_0011, 0xffff_ffe0], 0x8000_0011),
    (BOTH, sfpshft, &[], [0x8000_0011, 0x8000_0000], 0x8000_0011),
    (BOTH, sfpshft, &[], [0x8000_0011, 0x8000_0001], 1),
    (BOTH, sfpshft, &[(MOD1, 1), (IMM12, 0x7fc)], [0x8000_0011, 9], 0x1000_0000),
    (BOTH, sfpshft, &[(MOD1, 1), (IMM12, 0xffc)], [0x8000_0011, 9], 0x0800_0001),
    (BOTH, sfpshft, &[(MOD1, 1), (IMM12, 0x800)], [0x8000_0011, 9], 0x8000_0011),
    (BH, sfpshft, &[(MOD1, 2)], [0x8000_0011, 0xffff_fffc], 0xf800_0001),
    (BH, sfpshft, &[(MOD1, 2)], [0x4000_0011, 0xffff_fffc], 0x0400_0001),
    (BH, sfpshft, &[(MOD1, 2)], [0x8000_0011, 4], 0x110),
    (BH, sfpshft, &[(MOD1, 3), (IMM12, 0xffc)], [0x8000_0011, 9], 0xf800_0001),
    (BH, sfpshft, &[(MOD1, 5), (IMM12, 0xfff)], [0x11, 0x8000_0009], 0x4000_0004),
    (BH, sfpshft, &[(MOD1, 7), (IMM12, 0xfff)], [0x11, 0x8000_0009], 0xc000_0004),
    (BOTH, sfpexexp, &[], [7, 0], 0xffff_ff81),
    (BOTH, sfpexexp, &[], [7, 0x807f_ffff], 0xffff_ff81),
    (BOTH, sfpexexp, &[], [7, 0x0080_0000], 0xffff_ff82),
    (BOTH, sfpexexp, &[], [7, 0xbf7f_ffff], 0xffff_ffff),
    (BOTH, sfpexexp, &[], [7, 0x3f80_0000], 0),
    (BOTH, sfpexexp, &[(MOD1, 14)], [7, 0xc000_0000], 1),
    (BOTH, sfpexexp, &[], [7, 0x7f7f_ffff], 127),
    (BOTH, sfpexexp, &[], [7, 0xff80_0001], 128),
    (BOTH, sfpexexp, &[(MOD1, 1)], [7, 0x807f_ffff], 0),
    (BOTH, sfpexexp, &[(MOD1, 1)], [7, 0xbf7f_ffff], 126),
    (BOTH, sfpexexp, &[(MOD1, 15)], [7, 0xff80_0001], 255),
];
