//! `SFPMOV`: from a register, or from elsewhere, to a register.

// Of page `SFPMOV`.
// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::SFPMOV;
use tandem_isa::tensix::inst::vector::{MOD1, VC, VD};

use super::super::lanes::{LANES, UNNAMED_REASON};
use super::{VectorUnit, has};
use crate::bits::U;

const NEGATE: u32 = 1; // [62] The other sign.
const ALL_LANES_ENABLED: u32 = 2; // [63] Lanes that are off too.
const FROM_SPECIAL: u32 = 8; // [64] A datum that is no register.

/// `SFPMOV`: a register to another.
///
/// *Source*: page SFPMOV, commit e99938d2, one text for both chips.
// [3-4] Mostly it moves a register to another.
// [5] It can move lanes that are off too.
// [6] It can move from the configuration of the lanes, where `SFPCONFIG` moves to it.
// [7] It can invert the sign, of FP32 or of a sign and a magnitude.
// [8] It can give each lane random bits.
// [10] Other instructions move from and to `Dst`, and to the configuration. Not modelled: they have pages of their own.
// [12] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfpmov(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [17, 22] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    unit.check(&[VC, VD, MOD1], cite!(SFPMOV, "line 17", UNNAMED_REASON))?;
    let mut mod1 = unit.mod1();
    let mut promise = ControlFlow::Continue(());
    // [27] A reserved bit.
    if has(mod1, 4) {
        // [28-29] The silicon ignores it, and nobody promises that.
        mod1 = mod1 & !4;
        promise = ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPMOV,
            "lines 27 to 31",
            "bit 2 of Mod1 is reserved; the silicon ignores it"
        )));
    }
    // [32] Lane by lane.
    for lane in 0..LANES {
        // [33] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [34, TX-36] One modifier, without any other, moves lanes that are off too.
            if unit.lane_enabled(lane) || mod1.get() == ALL_LANES_ENABLED {
                // [35-36] Where the datum comes from.
                let x = if has(mod1, FROM_SPECIAL) {
                    from_special(unit, lane)
                } else {
                    // [46-47] A register,
                    let mut x = unit.lreg(unit.vc(), lane);
                    if has(mod1, NEGATE) {
                        // [48-49] with the other sign.
                        x ^= 0x8000_0000;
                    }
                    x
                };
                // [52] Registers from 8 on are not written.
                if unit.writes_vd() {
                    // [53] The move.
                    unit.set_lreg(unit.vd(), lane, x);
                }
            }
        }
    }
    promise
}

/// The datum that is no register, which `VC` selects.
// [37] It selects about as `VD` of `SFPCONFIG` does, which plays no part here.
fn from_special(unit: &mut VectorUnit<'_, '_>, lane: u32) -> u32 {
    // [38] VC is a number, and names no register.
    match unit.vc().get() {
        // [39-40] LoadMacroConfig: a template, or a sequence, whose rows come next,
        0..=7 => unit.load_macro_row(U::new(unit.vc().get()), lane),
        // [41] or the rest of it, with zeros above.
        8 => unit.load_macro_misc(lane).get(),
        // [42] A random number, and the next time another.
        9 => unit.advance_prng(lane),
        // [43] The configuration of the lane: 18 bits, and zeros above.
        15 => unit.lane_config(lane).get(),
        // [44] Nothing.
        _ => 0,
    }
}

#[cfg(test)]
use super::tests::{BOTH, Datum};

/// Values computed by hand.
#[cfg(test)]
pub(super) const MOV_VALUES: &[Datum<'_>] = &[
    (BOTH, sfpmov, &[], [7, 0x8000_0001], 0x8000_0001),
    (BOTH, sfpmov, &[(MOD1, 1)], [7, 0x8000_0001], 1),
    (BOTH, sfpmov, &[(MOD1, 2)], [7, 9], 9),
    (BOTH, sfpmov, &[(MOD1, 3)], [7, 9], 0x8000_0009),
    (BOTH, sfpmov, &[(MOD1, 9), (VC, 10)], [7, 9], 0),
    (BOTH, sfpmov, &[(MOD1, 8), (VC, 14)], [7, 9], 0),
];
