//! `SFPTRANSP`, `SFPSWAP` and `SFPSHFT2`: data go to other lanes or other registers.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::vector::{IMM12, MOD1, VB, VC, VD};
use tandem_isa::tensix::{SFPSHFT2_BH, SFPSHFT2_WH, SFPSWAP_NEWEST, SFPSWAP_SPEC, SFPTRANSP};
use tandem_isa::{Citation, Edition, Expectation};

use super::super::lanes::{LANES, UNNAMED_REASON, lane_config_bit as bit};
use super::VectorUnit;
use crate::bits::U;

const OUTSIDE_LANES_REASON: &str = "TX-120: DISABLE_BACKDOOR_LOAD is asked once for all lanes, and lanes differ in it";

/// `VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD`, where no lane is meant.
///
/// Breaks off where lanes differ in it and one of them would be written.
fn below_12_or_every_backdoor_disabled(
    unit: &VectorUnit<'_, '_>,
    asked: &'static Citation,
) -> ControlFlow<Expectation, bool> {
    let disabled = |lane| unit.below_12_or_backdoor_disabled(lane);
    // TX-120: no page says whose bit it is.
    if (0..LANES).any(disabled) && !(0..LANES).all(disabled) && (0..LANES).any(|lane| unit.lane_enabled(lane)) {
        return ControlFlow::Break(Expectation::Unspecified(asked));
    }
    ControlFlow::Continue((0..LANES).all(disabled))
}

/// `SFPTRANSP`: registers as rows.
///
/// *Source*: page SFPTRANSP, commit 39304719, one text for both chips.
// Of page `SFPTRANSP`.
// [3] Four registers of four rows of eight lanes: in each column 16 data, of which row `i` of register `j` becomes row `j`
// of register `i`. Registers 0 to 3 are such a group, and 4 to 7 another. (`a_transposition_swaps_rows_and_registers`)
// [5] The simple sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfptransp(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [10, 15] VD. (`encodings_and_texts_round_trip`)
    unit.check(&[VD], cite!(SFPTRANSP, "line 10", UNNAMED_REASON))?;
    // [26, TX-120] VD says no more than this, for all lanes at once.
    if below_12_or_every_backdoor_disabled(unit, cite!(SFPTRANSP, "line 26", OUTSIDE_LANES_REASON))? {
        // [19, 21, 27] The first four registers. (`a_transposition_swaps_rows_and_registers`)
        transpose4(unit, 0);
        // [28] The next four.
        transpose4(unit, 4);
    }
    ControlFlow::Continue(())
}

/// `Transpose4`: a group of four registers.
// Of page `SFPTRANSP`.
// [35] It takes the first register.
fn transpose4(unit: &mut VectorUnit<'_, '_>, base: u32) {
    // [36] Column by column,
    for column in 0..8 {
        // [37-38] each pair of a register and a row that are not the same, once.
        for i in 0..4 {
            for j in 0..i {
                let (register_i, register_j) = (U::new(base + i), U::new(base + j));
                let (lane_i, lane_j) = (i * 8 + column, j * 8 + column);
                // [39-40] Both data,
                let ij = unit.lreg(register_i, lane_j);
                let ji = unit.lreg(register_j, lane_i);
                // [41-42] each to the place of the other, unless the lane there is off.
                if unit.lane_enabled(lane_j) {
                    unit.set_lreg(register_i, lane_j, ji);
                }
                if unit.lane_enabled(lane_i) {
                    unit.set_lreg(register_j, lane_i, ij);
                }
            }
        }
    }
}

// Of pages `SFPSWAP_SPEC` (spec) and `SFPSWAP_NEWEST` (newest).
mod swap {
    pub(super) const SWAP: u32 = 0; // [spec 85] [newest 84] Whatever they hold.
    pub(super) const VEC_MIN_MAX: u32 = 1; // [spec 86] [newest 85] The smaller to VD in every lane.
    // In some of the four rows of lanes, and the larger in the others:
    pub(super) const SUBVEC_MIN01_MAX23: u32 = 2; // [spec 87] [newest 86] in the first two,
    pub(super) const SUBVEC_MIN02_MAX13: u32 = 3; // [spec 88] [newest 87] in the first and the third,
    pub(super) const SUBVEC_MIN03_MAX12: u32 = 4; // [spec 89] [newest 88] in the first and the last,
    pub(super) const SUBVEC_MIN0_MAX123: u32 = 5; // [spec 90] [newest 89] in the first,
    pub(super) const SUBVEC_MIN1_MAX023: u32 = 6; // [spec 91] [newest 90] in the second,
    pub(super) const SUBVEC_MIN2_MAX013: u32 = 7; // [spec 92] [newest 91] in the third,
    pub(super) const SUBVEC_MIN3_MAX012: u32 = 8; // [spec 93] [newest 92] in the last.
}

/// `SFPSWAP`: two registers swapped, or sorted, and perhaps two more by the same comparison.
///
/// *Source*: page SFPSWAP, commit 39304719 (`spec`) and commit c07a6715 (`newest`), each one text for both chips: of the latter
/// Wormhole's has all lines but the last two.
// Of pages `SFPSWAP_SPEC` (spec) and `SFPSWAP_NEWEST` (newest).
// [spec 3] [newest 3] It swaps two registers; or sorts them, as FP32 or as a sign and a magnitude, the smaller to one and
// the larger to the other; or swaps a pair of registers by how another pair compares.
// [spec 5] [newest 5] The unit executes it. Not modelled: no sub-unit is named.
// [spec 111] [newest 110] The next instruction of the unit waits for a cycle unless it is `SFPNOP`. Not modelled:
// instructions come one by one here; the rule of scheduling `sfpswap-then-vector-wh` says what waits.
// [newest 113] In a sequence of `SFPLOADMACRO` nothing waits. Not modelled: nothing waits here.
pub fn sfpswap(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [spec 10, 15] [newest 10, 15] VC, VD and Mod1. (`encodings_and_texts_round_trip`)
    let syntax = match unit.edition {
        Edition::Spec => cite!(SFPSWAP_SPEC, "line 10", UNNAMED_REASON),
        Edition::Newest => cite!(SFPSWAP_NEWEST, "line 10", UNNAMED_REASON),
    };
    unit.check(&[VC, VD, MOD1], syntax)?;
    let (vc, vd, mod1) = (unit.vc(), unit.vd(), unit.mod1().get());
    let mut promise = ControlFlow::Continue(());
    // [spec 20-21] [newest 20-21] A bit for each lane, by the mode: whether VD gets the smaller.
    let vd_gets_min = U::<32>::new(match mod1 {
        swap::SWAP => 0,                         // [spec 22] [newest 22] Not looked at.
        swap::VEC_MIN_MAX => 0xffff_ffff,        // [spec 23] [newest 23] In all lanes.
        swap::SUBVEC_MIN01_MAX23 => 0x0000_ffff, // [spec 24] [newest 24] In the first 16.
        swap::SUBVEC_MIN02_MAX13 => 0x00ff_00ff, // [spec 25] [newest 25] In the first and the third eight.
        swap::SUBVEC_MIN03_MAX12 => 0xff00_00ff, // [spec 26] [newest 26] In the first and the last eight.
        swap::SUBVEC_MIN0_MAX123 => 0x0000_00ff, // [spec 27] [newest 27] In the first eight.
        swap::SUBVEC_MIN1_MAX023 => 0x0000_ff00, // [spec 28] [newest 28] In the second eight.
        swap::SUBVEC_MIN2_MAX013 => 0x00ff_0000, // [spec 29] [newest 29] In the third eight.
        swap::SUBVEC_MIN3_MAX012 => 0xff00_0000, // [spec 30] [newest 30] In the last eight.
        _ => 0,                                  // [newest 31-32] In none, by a mode without a name.
    });
    // [spec 32-34] [newest 34-36] Lane by lane, by number since each has a bit of its own.
    for lane in 0..LANES {
        // [spec 35] [newest 37] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [spec 36] [newest 38] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                if mod1 > swap::SUBVEC_MIN3_MAX012 {
                    promise = mode_without_a_name(unit)?;
                }
                // [spec 37-38] [newest 39-40] Both data.
                let vc_val = unit.lreg(vc, lane);
                let vd_val = unit.lreg(vd, lane);
                // [spec 39] [newest 41] Whether they change places:
                // [spec 40-42] [newest 42-44] always,
                let mut should_swap = true;
                if mod1 != swap::SWAP {
                    // [spec 43-46] [newest 45-48] or if they do not stand as they should;
                    should_swap = compare(unit.edition, vd_gets_min.bit(lane), vc_val, vd_val);
                    // [spec 54-55] [newest 53-54] and the lane may want the opposite.
                    if unit.lane_config(lane).bit(bit::EXCHANGE_SRCB_SRCC) {
                        should_swap = !should_swap;
                    }
                }
                // [spec 58] [newest 57] They do:
                if should_swap {
                    if unit.lane_config(lane).bit(bit::ENABLE_DEST_INDEX) {
                        // [spec 59-63] [newest 58-62] among the first four registers,
                        if vc.get() < 4 {
                            unit.set_lreg(vc, lane, vd_val);
                        }
                        if vd.get() < 4 {
                            unit.set_lreg(vd, lane, vc_val);
                        }
                        // [spec 64-69] [newest 63-68] and those in their places of the next four, whether VC and VD are
                        // among the first four or not,
                        let vca = U::new(4 + (vc.get() & 3));
                        let vda = U::new(4 + (vd.get() & 3));
                        let vca_val = unit.lreg(vca, lane);
                        let vda_val = unit.lreg(vda, lane);
                        // [spec 70-71] [newest 69-70] all at once;
                        unit.set_lreg(vca, lane, vda_val);
                        unit.set_lreg(vda, lane, vca_val);
                    } else {
                        // [spec 72-75] [newest 71-74] or they alone, of which those from 8 on are not written.
                        if vc.get() < 8 {
                            unit.set_lreg(vc, lane, vd_val);
                        }
                        if vd.get() < 8 {
                            unit.set_lreg(vd, lane, vc_val);
                        }
                    }
                }
            }
        }
    }
    promise
}

/// What is promised of a lane where the mode is from 9 on, or that nothing is, by breaking off.
// Of pages `SFPSWAP_SPEC` (spec) and `SFPSWAP_NEWEST` (newest).
fn mode_without_a_name(unit: &VectorUnit<'_, '_>) -> ControlFlow<Expectation, ControlFlow<Expectation>> {
    ControlFlow::Continue(match (unit.edition, unit.mod1().get()) {
        // [spec 21, TX-122] The mode is none of the list.
        (Edition::Spec, _) => {
            return ControlFlow::Break(Expectation::Unspecified(cite!(
                SFPSWAP_SPEC,
                "lines 21 to 31",
                "TX-122: VDGetsMin has no value in this mode"
            )));
        }
        // [newest 31] One of them is promised,
        (Edition::Newest, 9) => ControlFlow::Continue(()),
        // [newest 32] and the silicon does the same in the others.
        (Edition::Newest, _) => ControlFlow::Break(Expectation::NonContractual(cite!(
            SFPSWAP_NEWEST,
            "line 32",
            "no mode has this number; the silicon takes it for 9"
        ))),
    })
}

/// Whether two data do not stand as they should.
// Of pages `SFPSWAP_SPEC` (spec) and `SFPSWAP_NEWEST` (newest).
fn compare(edition: Edition, vd_gets_min: bool, vc_val: u32, vd_val: u32) -> bool {
    match edition {
        Edition::Spec => {
            if vd_gets_min {
                // [spec 47-49, TX-121] VD gets the smaller: if VC has it.
                sign_mag_is_smaller(vc_val, vd_val)
            } else {
                // [spec 50-52, TX-121] VD gets the larger: if VC does not have the smaller, so too if they are equal.
                !sign_mag_is_smaller(vc_val, vd_val)
            }
        }
        Edition::Newest => {
            // [newest 49] VC has the smaller, or they are equal and negative.
            let mut should_swap =
                sign_mag_is_smaller(vc_val, vd_val) || (vc_val == vd_val && vc_val & 0x8000_0000 != 0);
            if !vd_gets_min {
                // [newest 50-51] VD gets the larger: the opposite, so that they change places if they are equal and
                // positive.
                should_swap = !should_swap;
            }
            should_swap
        }
    }
}

/// `SignMagIsSmaller`.
// Of pages `SFPSWAP_SPEC` (spec) and `SFPSWAP_NEWEST` (newest).
// [spec 95-99] [newest 94-98] [SFPLE 55-59] [SFPGT 55-59] Whether C is below D, as signs and magnitudes. Of FP32 that is the order in which NaNs are
// outside of the infinities, and zero is above its negative. (`smaller_is_the_order_of_signs_and_magnitudes`)
pub(super) fn sign_mag_is_smaller(mut c: u32, mut d: u32) -> bool {
    // [spec 101-104] [newest 100-103] [SFPLE 61-64] [SFPGT 61-64] Negative ones become two's complement, one below their value.
    c ^= (c.cast_signed() >> 30).cast_unsigned() >> 1;
    d ^= (d.cast_signed() >> 30).cast_unsigned() >> 1;
    // [spec 105] [newest 104] [SFPLE 65] [SFPGT 65] Then that is compared.
    c.cast_signed() < d.cast_signed()
}

// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
mod shft2 {
    pub(super) const COPY4: u32 = 0; // [wh 158] [bh 157] Registers 1 to 3 go down by one.
    pub(super) const SUBVEC_CHAINED_COPY4: u32 = 1; // [wh 159] [bh 158] And register 0 to 3, a row of lanes up.
    pub(super) const SUBVEC_SHFLROR1_AND_COPY4: u32 = 2; // [wh 160] [bh 159] And a rotated register to 3.
    pub(super) const SUBVEC_SHFLROR1: u32 = 3; // [wh 161] [bh 160] Rows of lanes rotate.
    pub(super) const SUBVEC_SHFLSHR1: u32 = 4; // [wh 162] [bh 161] Rows of lanes shift.
    pub(super) const SHFT_LREG: u32 = 5; // [wh 163] [bh 162] Bits shift, by a register.
    pub(super) const SHFT_IMM: u32 = 6; // [wh 164] [bh 163] Bits shift, by the immediate.
}

/// `SFPSHFT2`: lanes shift, or registers move, or bits shift.
///
/// *Source*: page SFPSHFT2, commit f7fda211, one text for each chip: `wh` and `bh` are the lines of Wormhole's and of
/// Blackhole's.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 3] [bh 3] The modifier selects a shift of bits in lanes, or a move of lanes.
// [wh 5] [bh 5] The round sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
// [bh 8] New in Blackhole are a mode without its bug, and that the next instruction waits.
// [wh 169] The next instruction is not to read some registers. Not modelled: instructions come one by one here; the rule of
// scheduling `sfpshft2-copy4-then-reader-wh` says what has to stand between.
// [wh 171] Nor to write some. Not modelled: the rule is `sfpshft2-copy4-then-writer-wh`.
// [wh 173] Nor to read what was written. Not modelled: the rule is `sfpshft2-then-reader-wh`.
// [wh 175-193, 195] Nor to be one of a list; `SFPNOP` always may be. Not modelled: the rule is `sfpshft2-then-simple-wh`.
// [bh 168, 171] The next instruction waits, but in a sequence of `SFPLOADMACRO`. Not modelled: instructions come one by one
// here.
pub fn sfpshft2(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    let mod1 = unit.mod1().get();
    if mod1 == shft2::SHFT_IMM {
        // [wh 11, 18] [bh 14, 21] Imm12, VD and Mod1, by the second form. (`encodings_and_texts_round_trip`)
        let syntax = unit
            .chip
            .pick(cite!(SFPSHFT2_WH, "line 11", UNNAMED_REASON), cite!(SFPSHFT2_BH, "line 14", UNNAMED_REASON));
        unit.check(&[IMM12, VD, MOD1], syntax)?;
    } else {
        // [wh 10, 16] [bh 13, 19] VB, VC, VD and Mod1, by the first, which has them whatever is read of them.
        // (`encodings_and_texts_round_trip`)
        let syntax = unit
            .chip
            .pick(cite!(SFPSHFT2_WH, "line 10", UNNAMED_REASON), cite!(SFPSHFT2_BH, "line 13", UNNAMED_REASON));
        unit.check(&[VB, VC, VD, MOD1], syntax)?;
    }
    // [wh 51] [bh 52] By the mode.
    match mod1 {
        shft2::COPY4 => copy4(unit),
        shft2::SUBVEC_CHAINED_COPY4 => chained_copy4(unit),
        shft2::SUBVEC_SHFLROR1_AND_COPY4 => return shflror1_and_copy4(unit),
        shft2::SUBVEC_SHFLROR1 => shflror1(unit),
        shft2::SUBVEC_SHFLSHR1 => return shflshr1(unit),
        shft2::SHFT_LREG => shft_lreg(unit),
        shft2::SHFT_IMM => shft_imm(unit),
        _ => {
            // [wh 149-150] [bh 150-151] No other mode is defined. (`modes_of_sfpshft2_without_a_name_are_undefined`)
            return ControlFlow::Break(Expectation::Undefined(unit.chip.pick(
                cite!(SFPSHFT2_WH, "lines 149 and 150", "no mode has this number"),
                cite!(SFPSHFT2_BH, "lines 150 and 151", "no mode has this number"),
            )));
        }
    }
    ControlFlow::Continue(())
}

/// `SFPSHFT2_MOD1_COPY4`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 22] [bh 25] The pictures have all lanes on.
// [wh 26, 28, 52-53] [bh 29, 31, 53-54] No lane moves; registers do.
fn copy4(unit: &mut VectorUnit<'_, '_>) {
    // [wh 54] [bh 55] Lane by lane.
    for lane in 0..LANES {
        // [wh 55] [bh 56] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [wh 56] [bh 57] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 57-60] [bh 58-61] Three registers go down by one, and the last is zero.
                move_down(unit, lane, 0);
            }
        }
    }
    // [wh 64] [bh 65] And nothing else.
}

/// Registers 1 to 3 of a lane to 0 to 2, and a datum to register 3.
fn move_down(unit: &mut VectorUnit<'_, '_>, lane: u32, last: u32) {
    for register in 0..3 {
        let next = unit.lreg(U::new(register + 1), lane);
        unit.set_lreg(U::new(register), lane, next);
    }
    unit.set_lreg(U::new(3), lane, last);
}

/// `SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 32, 65-67] [bh 35, 66-68] Registers move, and the first goes to the last, eight lanes up.
fn chained_copy4(unit: &mut VectorUnit<'_, '_>) {
    // [wh 68] [bh 69] What register 0 held in all lanes.
    let v0 = unit.lreg_of_all_lanes(U::new(0));
    // [wh 69] [bh 70] Lane by lane.
    for lane in 0..LANES {
        // [wh 70] [bh 71] From VD = 12 on, lanes with an open back door are passed over.
        if unit.below_12_or_backdoor_disabled(lane) {
            // [wh 71] [bh 72] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 72-75] [bh 73-76] Three registers go down by one, and the last takes from the next row of lanes;
                // there is none after the fourth.
                let last = if lane < 24 { v0[U::<5>::new(lane + 8).index()] } else { 0 };
                move_down(unit, lane, last);
            }
        }
    }
    // [wh 79] [bh 80] And nothing else.
}

/// `SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 36, 80-82] [bh 39, 81-83] Registers move, and VC goes to the last, each row rotated by a lane.
fn shflror1_and_copy4(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    let asked = unit
        .chip
        .pick(cite!(SFPSHFT2_WH, "line 83", OUTSIDE_LANES_REASON), cite!(SFPSHFT2_BH, "line 84", OUTSIDE_LANES_REASON));
    // [wh 83, TX-120] [bh 84, TX-120] VD says no more than this, for all lanes at once.
    if below_12_or_every_backdoor_disabled(unit, asked)? {
        // [wh 84] [bh 85] What VC held in all lanes.
        let vc = unit.lreg_of_all_lanes(unit.vc());
        // [wh 85] [bh 86] Lane by lane.
        for lane in 0..LANES {
            // [wh 86] [bh 87] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 87-90] [bh 88-91] Three registers go down by one, and the last takes from the lane before.
                move_down(unit, lane, rotated(&vc, lane));
            }
        }
    }
    // [wh 94] [bh 95] And nothing else.
    ControlFlow::Continue(())
}

/// What the lane before has, in a row of eight that is a ring.
fn rotated(vc: &[u32; 32], lane: u32) -> u32 {
    vc[U::<5>::new(if lane & 7 != 0 { lane - 1 } else { lane + 7 }).index()]
}

/// `SFPSHFT2_MOD1_SUBVEC_SHFLROR1`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 40, 95-96] [bh 43, 96-97] Each row is rotated by a lane.
fn shflror1(unit: &mut VectorUnit<'_, '_>) {
    // [wh 97] [bh 98] VC would be read from here on; registers that are written are below. Not modelled: Wormhole remembers
    // what was read, which is not in the state.
    // [wh 98] [bh 99] What VC held in all lanes.
    let vc = unit.lreg_of_all_lanes(unit.vc());
    // [wh 99] [bh 100] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 100] [bh 101] Lane by lane.
        for lane in 0..LANES {
            // [wh 101] [bh 102] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 102] [bh 103] The lane before.
                unit.set_lreg(unit.vd(), lane, rotated(&vc, lane));
            }
        }
    }
    // [wh 107] [bh 108] And nothing else.
}

/// `SFPSHFT2_MOD1_SUBVEC_SHFLSHR1`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 46, 108-109] [bh 47, 109-110] Each row is shifted by a lane.
fn shflshr1(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [wh 110] [bh 111] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 111] [bh 112] What VC held in all lanes.
        let vc = unit.lreg_of_all_lanes(unit.vc());
        // [wh 112] [bh 113] Lane by lane.
        for lane in 0..LANES {
            // [wh 113] [bh 114] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 114] [bh 115] The lane before; there is none before the first of a row,
                let shifted = if lane & 7 != 0 {
                    vc[U::<5>::new(lane - 1).index()]
                } else {
                    match unit.chip {
                        // [wh 44, 154] where Wormhole has a bug: it takes what another of these instructions read of the
                        // last lane of the row. (`the_first_lane_of_a_row_is_not_promised_on_wormhole`)
                        Chip::Wormhole => {
                            return ControlFlow::Break(Expectation::Unspecified(cite!(
                                SFPSHFT2_WH,
                                "lines 114 and 154",
                                "what an earlier SFPSHFT2 read is outside of the state that is modelled"
                            )));
                        }
                        // [bh 115] and Blackhole takes zero.
                        Chip::Blackhole => 0,
                    }
                };
                unit.set_lreg(unit.vd(), lane, shifted);
            }
        }
    }
    // [wh 118] [bh 119] And nothing else.
    ControlFlow::Continue(())
}

/// `SFPSHFT2_MOD1_SHFT_LREG`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 119-120] [bh 120-121] Bits shift, to the left or to the right.
fn shft_lreg(unit: &mut VectorUnit<'_, '_>) {
    // [wh 121] [bh 122] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 122] [bh 123] Lane by lane.
        for lane in 0..LANES {
            // [wh 123] [bh 124] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                // [wh 124] [bh 125] How far, with a sign.
                let vc = unit.lreg(unit.vc(), lane).cast_signed();
                let b = unit.lreg(unit.vb(), lane);
                let result = if vc >= 0 {
                    // [wh 125-126] [bh 126-127] To the left.
                    b << (vc & 31)
                } else {
                    // [wh 127-128, TX-38] [bh 128-129, TX-38] To the right, with zeros; the negative of -2^31 is itself.
                    b >> (vc.wrapping_neg() & 31)
                };
                // [wh 126, 128] [bh 127, 129] The assignment.
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    // [wh 133] [bh 134] And nothing else.
}

/// `SFPSHFT2_MOD1_SHFT_IMM`.
// Of pages `SFPSHFT2_WH` (wh) and `SFPSHFT2_BH` (bh).
// [wh 134-135] [bh 135-136] Bits shift, by the number of the register that holds them. `SFPSHFT` can do more.
fn shft_imm(unit: &mut VectorUnit<'_, '_>) {
    // [wh 136] [bh 137] Registers from 8 on are not written.
    if unit.writes_vd() {
        // [wh 137] [bh 138] Lane by lane.
        for lane in 0..LANES {
            // [wh 138] [bh 139] A lane that is off keeps what it has.
            if unit.lane_enabled(lane) {
                let imm12 = unit.imm12();
                // [wh 139] [bh 140] The low bits of the immediate say which register.
                let mut vb = U::new(imm12.get() & 15);
                // [SFPLOADMACRO_WH 147] [SFPLOADMACRO_BH 147] Or the register that `SFPLOADMACRO` loaded, if VB became that.
                // (`sfpshft2_shifts_what_the_macro_says`)
                if unit.is_vb_of_macro {
                    vb = unit.vb();
                }
                let b = unit.lreg(vb, lane);
                let result = if imm12.bit(11) {
                    // [wh 142-143] [bh 143-144] Below zero: to the right, with zeros.
                    b >> ((U::<12>::new(0) - imm12) & 31).get()
                } else {
                    // [wh 140-141] [bh 141-142] To the left.
                    b << (imm12.get() & 31)
                };
                // [wh 141, 143] [bh 142, 144] The assignment.
                unit.set_lreg(unit.vd(), lane, result);
            }
        }
    }
    // [wh 148] [bh 149] And nothing else.
}
