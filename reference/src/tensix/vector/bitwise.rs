//! `SFPAND`, `SFPOR`, `SFPXOR` and `SFPNOT`: bit by bit.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::vector::{MOD1, VB, VC, VD};
use tandem_isa::tensix::{SFPAND_BH, SFPAND_WH, SFPLOADMACRO_BH, SFPNOT, SFPOR_BH, SFPOR_WH, SFPXOR};
use tandem_isa::{Citation, Expectation};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::{VectorUnit, has};
use crate::bits::U;

/// `SFPAND_MOD1_USE_VB` and `SFPOR_MOD1_USE_VB`, of Blackhole.
// Of pages `SFPAND_BH` (bh) and `SFPOR_BH` (bh).
const USE_VB: u32 = 1; // [bh 36] The first operand is VB.

/// Why nothing is promised of one that is scheduled.
const OPERAND_REASON: &str = "TX-136: without the modifier the operand is VD, or what SFPLOADMACRO gives as VB";

/// `SFPAND`: and.
///
/// *Source*: page SFPAND, commit 585749d1, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPAND_WH` (wh) and `SFPAND_BH` (bh).
// [wh 3] [bh 3] Lane by lane, the bitwise and of two registers.
// [wh 5] [bh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole is the modifier that gives the first operand a field of its own.
pub fn sfpand(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] VD and VC. (`encodings_and_texts_round_trip`)
    // [bh 13, 18] VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    let (wormhole, blackhole) =
        (cite!(SFPAND_WH, "line 10", UNNAMED_REASON), cite!(SFPAND_BH, "line 13", UNNAMED_REASON));
    // [wh 20] [bh 23] The first operand.
    let vb = first_operand(unit, wormhole, blackhole)?;
    // [wh 21] [bh 24] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 22] [bh 25] Lane by lane.
        for lane in 0..LANES {
            // [wh 23] [bh 26] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 24] [bh 27] And, bit by bit.
                let result = unit.lreg(vb, lane) & unit.lreg(unit.vc(), lane);
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `SFPOR`: or.
///
/// *Source*: page SFPOR, commit 585749d1, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPOR_WH` (wh) and `SFPOR_BH` (bh).
// [wh 3] [bh 3] Lane by lane, the bitwise or of two registers.
// [wh 5] [bh 5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole is the modifier that gives the first operand a field of its own.
pub fn sfpor(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 10, 15] VD and VC. (`encodings_and_texts_round_trip`)
    // [bh 13, 18] VB, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    let (wormhole, blackhole) =
        (cite!(SFPOR_WH, "line 10", UNNAMED_REASON), cite!(SFPOR_BH, "line 13", UNNAMED_REASON));
    // [wh 20] [bh 23] The first operand.
    let vb = first_operand(unit, wormhole, blackhole)?;
    // [wh 21] [bh 24] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 22] [bh 25] Lane by lane.
        for lane in 0..LANES {
            // [wh 23] [bh 26] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 24] [bh 27] Or, bit by bit.
                let result = unit.lreg(vb, lane) | unit.lreg(unit.vc(), lane);
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    ControlFlow::Continue(())
}

/// The register that `SFPAND` and `SFPOR` combine with `VC`, after the checks of the fields that their pages name at
/// the two places. The two pages of one chip have the same lines.
// Of pages `SFPAND_WH` (wh), `SFPOR_WH` (wh), `SFPAND_BH` (bh) and `SFPOR_BH` (bh).
fn first_operand(
    unit: &VectorUnit<'_, '_>,
    wormhole: &'static Citation,
    blackhole: &'static Citation,
) -> ControlFlow<Expectation, U<5>> {
    ControlFlow::Continue(match unit.chip {
        Chip::Wormhole => {
            unit.check(&[VC, VD], wormhole)?;
            // [wh 20] It is the destination.
            unit.vb_that_is_vd()
        }
        Chip::Blackhole => {
            unit.check(&[VB, VC, VD, MOD1], blackhole)?;
            // [bh 23] It has a field of its own if the modifier asks for it; the other bits of Mod1 ask for nothing.
            if has(unit.mod1(), USE_VB) {
                unit.vb()
            } else {
                // [SFPLOADMACRO_BH 145, TX-136] One that is scheduled has VD, or what it is given as VB.
                // (`what_is_not_promised_says_why`)
                if unit.vb_that_is_vd().get() != unit.vd().get() {
                    return ControlFlow::Break(Expectation::Unspecified(cite!(
                        SFPLOADMACRO_BH,
                        "line 145",
                        OPERAND_REASON
                    )));
                }
                unit.vd()
            }
        }
    })
}

/// `SFPXOR`: exclusive or.
///
/// *Source*: page SFPXOR, commit 585749d1, one text for both chips.
// Of page `SFPXOR`.
// [3] Lane by lane, the bitwise exclusive or of two registers.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpxor(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC and VD. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD], cite!(SFPXOR, "line 10", UNNAMED_REASON))?;
    // [20] The first operand is the destination.
    let vb = unit.vb_that_is_vd();
    // [21] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [22] Lane by lane.
        for lane in 0..LANES {
            // [23] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [24] Exclusive or, bit by bit.
                let result = unit.lreg(vb, lane) ^ unit.lreg(unit.vc(), lane);
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    ControlFlow::Continue(())
}

/// `SFPNOT`: not.
///
/// *Source*: page SFPNOT, commit 585749d1, one text for both chips.
// Of page `SFPNOT`.
// [3] Lane by lane, the bitwise not of a register.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpnot(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VC and VD. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD], cite!(SFPNOT, "line 10", UNNAMED_REASON))?;
    // [20] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [21] Lane by lane.
        for lane in 0..LANES {
            // [22] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [23] Every bit inverted.
                let result = !unit.lreg(unit.vc(), lane);
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
use super::tests::{BH, BOTH, Datum};

/// Values computed by hand.
#[cfg(test)]
pub(super) const BITWISE_VALUES: &[Datum<'_>] = &[
    (BOTH, sfpand, &[], [0xff00_0f0f, 0x0ff0_00ff], 0x0f00_000f),
    (BH, sfpand, &[(VB, 3)], [0xff00_0f0f, 0x0ff0_00ff], 0x0f00_000f),
    (BH, sfpand, &[(VB, 3), (MOD1, 14)], [0xff00_0f0f, 0x0ff0_00ff], 0x0f00_000f),
    (BH, sfpand, &[(VB, 3), (MOD1, 1)], [0xff00_0f0f, 0x0ff0_00ff], 0x0000_00ff),
    (BOTH, sfpor, &[], [0xff00_0f0f, 0x0ff0_00ff], 0xfff0_0fff),
    (BH, sfpor, &[(VB, 3), (MOD1, 14)], [0xff00_0f0f, 0x0ff0_00ff], 0xfff0_0fff),
    (BH, sfpor, &[(VB, 3), (MOD1, 1)], [0xff00_0f0f, 0x0ff0_00ff], 0x0ff0_ffff),
    (BOTH, sfpxor, &[], [0xff00_0f0f, 0x0ff0_00ff], 0xf0f0_0ff0),
    (BOTH, sfpnot, &[], [0xff00_0f0f, 0x0ff0_00ff], 0xf00f_ff00),
];
