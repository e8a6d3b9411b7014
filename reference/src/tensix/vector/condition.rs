//! `SFPSETCC` and `SFPENCC`: which lanes take part in what follows.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::inst::vector::{IMM1, IMM2, MOD1, VC, VD};
use tandem_isa::tensix::{SFPENCC, SFPSETCC};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::{VectorUnit, has};

// Of page `SFPSETCC`.
mod setcc {
    pub(super) const IMM_BIT0: u32 = 1; // [45] The flag is the immediate.
    pub(super) const CLEAR: u32 = 8; // [46] The flag is cleared.
    pub(super) const LREG_LT0: u32 = 0; // [48] Below zero.
    pub(super) const LREG_NE0: u32 = 2; // [49] Not zero.
    pub(super) const LREG_GTE0: u32 = 4; // [50] Not below zero.
    pub(super) const LREG_EQ0: u32 = 6; // [51] Zero.
}

/// `SFPSETCC`: a comparison with zero, to `LaneFlags`.
///
/// *Source*: page SFPSETCC, commit 585749d1, one text for both chips.
// Of page `SFPSETCC`.
// [3] The flag of a lane becomes a comparison of a register with zero. Software should flush negative zeros before,
// which is not checked: the lines below give such a value a result.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpsetcc(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm1, VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM1, VC, VD, MOD1], cite!(SFPSETCC, "line 10", UNNAMED_REASON))?;
    let mod1 = unit.mod1();
    // [20] Lane by lane.
    for lane in 0..LANES {
        // [21] VD says no more than this.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [22] A lane that is off keeps its flag.
            if unit.lane_enabled(lane) {
                if !unit.use_lane_flags(lane) {
                    // [23-24] A lane that does not heed its flag loses it, whatever the modifier.
                    unit.set_lane_flags(lane, false);
                } else if has(mod1, setcc::CLEAR) {
                    // [25-26] The flag is cleared.
                    unit.set_lane_flags(lane, false);
                } else if has(mod1, setcc::IMM_BIT0) {
                    // [27-28] The flag is the immediate.
                    let flag = unit.imm1().get() != 0;
                    unit.set_lane_flags(lane, flag);
                } else {
                    // [29-30] The flag compares the register, with a sign.
                    let c = unit.lreg(unit.vc(), lane).cast_signed();
                    // [31] The two bits that are left select the comparison.
                    let flag = match mod1.get() {
                        setcc::LREG_LT0 => c < 0,   // [32] Below zero.
                        setcc::LREG_NE0 => c != 0,  // [33] Not zero.
                        setcc::LREG_GTE0 => c >= 0, // [34] Not below zero.
                        setcc::LREG_EQ0 => c == 0,  // [35] Zero.
                        other => unreachable!("bits 0 and 3 of Mod1 are clear: {other}"),
                    };
                    unit.set_lane_flags(lane, flag);
                }
            }
        }
    }
    ControlFlow::Continue(())
}

// Of page `SFPENCC`.
mod encc {
    pub(super) const EC: u32 = 1; // [41] The bit of Mod1 that inverts.
    pub(super) const EI: u32 = 2; // [42] The bit of Mod1 that takes a bit of Imm2 for it.
    pub(super) const RI: u32 = 8; // [43] The bit of Mod1 that takes one for the flag.
    pub(super) const IMM2_E: u32 = 1; // [45] The bit of Imm2 for whether flags are heeded.
    pub(super) const IMM2_R: u32 = 2; // [46] The bit of Imm2 for the flag.
}

/// `SFPENCC`: whether lanes heed their `LaneFlags`, and new flags.
///
/// *Source*: page SFPENCC, commit 13547104, one text for both chips.
// Of page `SFPENCC`.
// [3] It is set whether lanes heed their flags. Flags that are heeded are the mask of the lanes that take part, as page
// VectorUnit has it.
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpencc(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] Imm2, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[IMM2, VD, MOD1], cite!(SFPENCC, "line 10", UNNAMED_REASON))?;
    let (mod1, imm2) = (unit.mod1(), unit.imm2());
    // [20] Lane by lane, whether a lane is on or off.
    for lane in 0..LANES {
        // [21] VD says no more than this.
        if unit.below_12_or_backdoor_disabled(lane) {
            if has(mod1, encc::EI) {
                // [22-23] From the immediate.
                unit.set_use_lane_flags(lane, (imm2 & encc::IMM2_E).get() != 0);
            } else if has(mod1, encc::EC) {
                // [24-25] The opposite of what it was.
                unit.set_use_lane_flags(lane, !unit.use_lane_flags(lane));
            } else {
                // [26-27] As it was.
            }
            if has(mod1, encc::RI) {
                // [30-31] From the immediate.
                unit.set_lane_flags(lane, (imm2 & encc::IMM2_R).get() != 0);
            } else {
                // [32-33] Set.
                unit.set_lane_flags(lane, true);
            }
        }
    }
    ControlFlow::Continue(())
}
