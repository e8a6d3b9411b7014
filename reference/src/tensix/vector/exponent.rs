//! `SFPEXMAN`, `SFPSETEXP`, `SFPSETMAN` and `SFPDIVP2`: a mantissa, or one part of FP32 put in the place of another. `SFPNOP`.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::inst::vector::{IMM8, IMM12, MOD1, VC, VD};
use tandem_isa::tensix::{SFPDIVP2, SFPEXMAN, SFPNOP, SFPSETEXP, SFPSETMAN};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::{VectorUnit, has};

// Of page `SFPEXMAN`.
mod exman {
    pub(super) const PAD9: u32 = 1; // [34] Nine zeros stand above the mantissa.
}

/// `SFPEXMAN`: the mantissa, as an integer.
///
/// *Source*: page SFPEXMAN, commit 585749d1, one text for both chips.
// Of page `SFPEXMAN`.
// [3] The low 23 bits are the mantissa of FP32; the next is 0 or 1, and those above are 0.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpexman(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], cite!(SFPEXMAN, "line 10", UNNAMED_REASON))?;
    // [20] The bit above the mantissa.
    let hidden_bit = if has(unit.mod1(), exman::PAD9) { 0 } else { 1 << 23 };
    // [21] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] The datum,
                let c = unit.lreg(unit.vc(), lane);
                // [25] its mantissa,
                let man = c & 0x007f_ffff;
                // [26] and the bit above it.
                unit.set_lreg(unit.vd(), lane, hidden_bit + man);
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPSETEXP`.
mod setexp {
    pub(super) const ARG_IMM: u32 = 1; // [49] The exponent is the immediate.
    pub(super) const ARG_EXPONENT: u32 = 2; // [50] The exponent is one of FP32.
}

/// `SFPSETEXP`: sign and mantissa of one register with the exponent of another, or with one from the code.
///
/// *Source*: page SFPSETEXP, commit 585749d1, one text for both chips.
// Of page `SFPSETEXP`.
// [3] An exponent, of the code or of the destination, and the sign and mantissa of a register.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpsetexp(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm8, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM8, VC, VD, MOD1], cite!(SFPSETEXP, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] The exponent is the destination's.
    let vb = unit.vb_that_is_vd();
    // [21] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] The datum.
                let c = unit.lreg(unit.vc(), lane);
                // [25, 27] All of it but its exponent.
                let sign = c >> 31;
                let man = c & 0x007f_ffff;
                // [26] The exponent:
                let exp = if has(mod1, setexp::ARG_IMM) {
                    // [28-30] from the code, whatever the next bit says,
                    unit.imm8().get()
                } else {
                    // [31-32] or from what the register had:
                    let b = unit.lreg(vb, lane);
                    if has(mod1, setexp::ARG_EXPONENT) {
                        // [33-35] its exponent as FP32,
                        (b >> 23) & 0xff
                    } else {
                        // [36-38] or its low bits as an integer.
                        b & 0xff
                    }
                };
                // [41] The result.
                unit.set_lreg(unit.vd(), lane, (sign << 31) | (exp << 23) | man);
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPSETMAN`.
mod setman {
    pub(super) const ARG_IMM: u32 = 1; // [46] The mantissa is the immediate.
}

/// `SFPSETMAN`: sign and exponent of one register with the mantissa of another, or with one from the code.
///
/// *Source*: page SFPSETMAN, commit 585749d1, one text for both chips.
// Of page `SFPSETMAN`.
// [3] A mantissa, of the code or of the destination, and the sign and exponent of a register.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpsetman(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm12, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM12, VC, VD, MOD1], cite!(SFPSETMAN, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] The mantissa is the destination's.
    let vb = unit.vb_that_is_vd();
    // [21] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] The datum.
                let c = unit.lreg(unit.vc(), lane);
                // [25-26] All of it but its mantissa.
                let sign = c >> 31;
                let exp = (c >> 23) & 0xff;
                // [27] The mantissa:
                let man = if has(mod1, setman::ARG_IMM) {
                    // [28-31] the upper twelve of its 23 bits from the code, and zeros,
                    unit.imm12().get() << 11
                } else {
                    // [32-36] or the low bits of what the register had.
                    let b = unit.lreg(vb, lane);
                    b & 0x007f_ffff
                };
                // [38] The result.
                unit.set_lreg(unit.vd(), lane, (sign << 31) | (exp << 23) | man);
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPDIVP2`.
mod divp2 {
    pub(super) const ADD: u32 = 1; // [46] The immediate is added.
}

/// `SFPDIVP2`: another exponent, or a sum of exponents.
///
/// *Source*: page SFPDIVP2, commit 585749d1, one text for both chips.
// Of page `SFPDIVP2`.
// [3] The exponent of FP32 becomes the immediate, or the immediate is added to it: not to that of infinities and NaNs, and
// the sum wraps. `SFPMULI` does not wrap.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpdivp2(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm8, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM8, VC, VD, MOD1], cite!(SFPDIVP2, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [21] Lane by lane.
        for lane in 0..LANES {
            // [22] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [23] The datum,
                let c = unit.lreg(unit.vc(), lane);
                // [24-26] in its parts.
                let sign = c >> 31;
                let mut exp = (c >> 23) & 0xff;
                let man = c & 0x007f_ffff;
                if has(mod1, divp2::ADD) {
                    if exp == 255 {
                        // [27-29] Infinities and NaNs stay.
                    } else {
                        // [30-32] The sum of both, in eight bits.
                        exp = (exp + unit.imm8().get()) & 0xff;
                    }
                } else {
                    // [34-36] The immediate alone.
                    exp = unit.imm8().get();
                }
                // [38] The result.
                unit.set_lreg(unit.vd(), lane, (sign << 31) | (exp << 23) | man);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `SFPNOP`: nothing.
///
/// *Source*: page SFPNOP, commit 39304719, one text for both chips.
// Of page `SFPNOP`.
// [3] It occupies a sub-unit for a cycle. Not modelled: instructions come one by one here.
// [5] The load sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpnop(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] It has no field. (`encodings_and_texts_round_trip`)
    unit.check(&[], cite!(SFPNOP, "line 10", UNNAMED_REASON))?;
    // [20] It does nothing.
    ControlFlow::Continue(())
}

#[cfg(test)]
use super::tests::{BOTH, Datum};

/// Values computed by hand.
#[cfg(test)]
pub(super) const EXPONENT_VALUES: &[Datum<'_>] = &[
    // 1.0, and the largest negative NaN.
    (BOTH, sfpexman, &[], [7, 0x3f80_0000], 0x0080_0000),
    (BOTH, sfpexman, &[], [7, 0xffff_ffff], 0x00ff_ffff),
    (BOTH, sfpexman, &[(MOD1, 14)], [7, 0xbf80_0001], 0x0080_0001),
    (BOTH, sfpexman, &[(MOD1, 1)], [7, 0xffff_ffff], 0x007f_ffff),
    (BOTH, sfpexman, &[(MOD1, 15)], [7, 0x3f80_0000], 0),
    (BOTH, sfpsetexp, &[], [0xffff_ff7f, 0x8012_3456], 0xbf92_3456),
    (BOTH, sfpsetexp, &[(MOD1, 12), (IMM8, 0x55)], [0x0000_0180, 0x7f80_0001], 0x4000_0001),
    (BOTH, sfpsetexp, &[(MOD1, 2), (IMM8, 0x55)], [0xbf80_00ff, 0xff92_3456], 0xbf92_3456),
    (BOTH, sfpsetexp, &[(MOD1, 1), (IMM8, 0xff)], [0, 0x8000_0001], 0xff80_0001),
    (BOTH, sfpsetexp, &[(MOD1, 3), (IMM8, 1)], [0xffff_ffff, 0x7fff_ffff], 0x00ff_ffff),
    (BOTH, sfpsetman, &[], [0xff92_3456, 0xbfff_ffff], 0xbf92_3456),
    (BOTH, sfpsetman, &[(MOD1, 14), (IMM12, 0xfff)], [0x1, 0x3f80_0000], 0x3f80_0001),
    (BOTH, sfpsetman, &[(MOD1, 1), (IMM12, 0x800)], [0x1, 0xbf80_0001], 0xbfc0_0000),
    (BOTH, sfpsetman, &[(MOD1, 1), (IMM12, 0xfff)], [0x1, 0x7f80_0000], 0x7fff_f800),
    (BOTH, sfpsetman, &[(MOD1, 15), (IMM12, 1)], [0x1, 0x007f_ffff], 0x0000_0800),
    (BOTH, sfpdivp2, &[(IMM8, 0x7f)], [7, 0xff80_0001], 0xbf80_0001),
    (BOTH, sfpdivp2, &[(MOD1, 14), (IMM8, 0xff)], [7, 0x0000_0001], 0x7f80_0001),
    // 1.5 by 2 and by a half; past the largest exponent, and below the smallest.
    (BOTH, sfpdivp2, &[(MOD1, 1), (IMM8, 1)], [7, 0x3fc0_0000], 0x4040_0000),
    (BOTH, sfpdivp2, &[(MOD1, 1), (IMM8, 0xff)], [7, 0xbfc0_0000], 0xbf40_0000),
    (BOTH, sfpdivp2, &[(MOD1, 1), (IMM8, 2)], [7, 0x7f00_0001], 0x0000_0001),
    (BOTH, sfpdivp2, &[(MOD1, 1), (IMM8, 0xff)], [7, 0x8000_0001], 0xff80_0001),
    (BOTH, sfpdivp2, &[(MOD1, 15), (IMM8, 1)], [7, 0x7f80_0000], 0x7f80_0000),
    (BOTH, sfpdivp2, &[(MOD1, 1), (IMM8, 0x80)], [7, 0xffc0_0001], 0xffc0_0001),
];
