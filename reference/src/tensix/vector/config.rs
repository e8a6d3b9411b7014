//! `SFPCONFIG`: the configuration of the lanes, and the registers that no other instruction writes.

// Of pages `SFPCONFIG_NEWEST` and `SFPCONFIG_BH`.
// Shown by `what_is_configured_is_what_the_page_says`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::Chip;
use tandem_isa::tensix::inst::immediate::sfpconfig as fields;
use tandem_isa::tensix::{SFPCONFIG_BH, SFPCONFIG_NEWEST};
use tandem_isa::{Citation, Expectation};

use super::super::lanes::LANES;
use super::{VectorUnit, has};
use crate::bits::U;

const IMM16_IS_VALUE: u32 = 1; // [108] The immediate is the value.
const BITWISE_OR: u32 = 2; // [109] Bits of the value are set.
const BITWISE_AND: u32 = 4; // [110] Bits outside of the value are cleared.
const BITWISE_XOR: u32 = 6; // [111] Bits of the value flip.
const IMM16_IS_LANE_MASK: u32 = 8; // [112] The immediate says which lanes take part.

/// `SFPCONFIG`: eight lanes of `LReg[0]`, or an immediate, to a register or to the configuration of the lanes.
///
/// *Source*: page SFPCONFIG, commit 376743cf of Wormhole and f916ebc3 of Blackhole: two texts with the same lines. They differ
/// in how they write the defaults, and in what Wormhole's says of `ENABLE_DEST_INDEX`.
// [3] It writes four registers, or the configuration of the lanes, or `LoadMacroConfig`.
// [5, TX-21] Whatever it writes, the first row of lanes decides for all four. (`the_first_row_of_lanes_decides_for_all`)
// [7] The unit executes it. Not modelled: no sub-unit is named.
// [135] Another page describes `LoadMacroConfig`. Not modelled: what it does, `SFPLOADMACRO` says.
// [139] The next instruction may see the old or the new DISABLE_BACKDOOR_LOAD. Not modelled: instructions come one by one
// here; the rule of scheduling `sfpconfig-then-backdoor` says what has to stand between.
pub fn sfpconfig(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [12, 17] Imm16, VD and Mod1, to which all bits belong. (`encodings_and_texts_round_trip`)
    let imm16 = U::<16>::new(fields::IMM16.get(unit.code));
    let (vd, mod1) = (unit.vd(), unit.mod1());
    let mut promise = ControlFlow::Continue(());
    // [28] Lane by lane. `ROW_MASK` has no part in it.
    for lane in 0..LANES {
        let of_first_row = lane & 7;
        // [29] The immediate may say which lanes take part,
        if has(mod1, IMM16_IS_LANE_MASK) {
            // [30-32] even where it is the value as well,
            // [33] with every other of its bits. (`an_immediate_that_is_mask_and_value_is_both`)
            if !imm16.bit(of_first_row * 2) {
                continue;
            }
        }
        // [35] A lane may heed a flag,
        if unit.use_lane_flags(of_first_row) {
            // [36] which is clear.
            if !unit.lane_flags(of_first_row) {
                continue;
            }
        }
        // [120, TX-55] The back door of a lane is open to other instructions, and not to this one.
        // (`tx_55_the_back_door_takes_no_sfpconfig`)
        if reads!(false, "tx55-back-door-takes-sfpconfig", unit.is_backdoor_open(lane)) {
            continue;
        }
        // [39] What is written.
        match vd.get() {
            // [44-46] Other instructions, with VD from 12 on, may write one too. Not modelled: their own pages do not have it
            // (TX-17).
            //
            // [40-43, 47-48] A template, from LReg[0] whatever Mod1 says.
            // (`templates_and_sequences_and_the_rest_are_configured`)
            0..=3 => {
                let value = unit.lreg(U::new(0), of_first_row);
                unit.tensix.load_macro_row_mut(vd.index())[U::<3>::new(lane).index()] = value;
            }
            4..=7 => {
                // [49-51] A sequence, from there or the immediate, with zeros above.
                // (`templates_and_sequences_and_the_rest_are_configured`)
                let value = value(unit, of_first_row, mod1, imm16);
                // [52-53] That row is the one of VD.
                unit.tensix.load_macro_row_mut(vd.index())[U::<3>::new(lane).index()] = value;
            }
            8 => {
                // [54-55] The rest of `LoadMacroConfig`. Eight serve all lanes, as of the configuration below.
                // (`templates_and_sequences_and_the_rest_are_configured`)
                if lane == of_first_row {
                    // [56] The value, of 12 bits.
                    let value = U::<12>::new(value(unit, lane, mod1, imm16)).get();
                    let misc = manipulated(mod1, unit.load_macro_misc(lane).get(), value);
                    // [63] It is written.
                    unit.tensix.small.load_macro_misc[U::<3>::new(lane).index()] = misc;
                }
            }
            9 | 10 => {
                // [64-66, 68] Nothing, which the silicon does, and nobody promises.
                // (`what_goes_to_9_and_10_changes_nothing_and_is_not_promised`)
                promise = ControlFlow::Break(Expectation::NonContractual(nothing(unit.chip)));
            }
            11..=14 => {
                // [69-71, 84-85] A register, of which this lane gets 32 bits.
                let value = if has(mod1, IMM16_IS_VALUE) {
                    // [72-74] The immediate is too short for it, so that there are defaults.
                    default_of(vd)
                } else {
                    // [21, 23, 81-82] From LReg[0].
                    unit.lreg(U::new(0), of_first_row)
                };
                unit.tensix.set_lreg(vd.index(), U::<5>::new(lane).index(), value);
            }
            // [39] 16, which `SFPLOADMACRO` can give it, has no case.
            16 => {}
            _ => {
                // [86-87] The configuration. Eight serve all lanes, so that those of the first row write it for all: what
                // each row flipped anew would be as it was.
                if lane == of_first_row {
                    configure(unit, lane, mod1, imm16);
                }
            }
        }
    }
    promise
}

/// What is promised of `VD` of 9 and 10.
fn nothing(chip: Chip) -> &'static Citation {
    const NOTHING: &str = "VD of 9 and 10 writes nothing, which is not promised";
    chip.pick(cite!(SFPCONFIG_NEWEST, "lines 64 to 67", NOTHING), cite!(SFPCONFIG_BH, "lines 64 to 67", NOTHING))
}

/// The default of a register from 11 on.
// [75] For each register one.
fn default_of(vd: U<5>) -> u32 {
    match vd.get() {
        11 => 0xbf80_0000, // [76] -1.0.
        // [77, TX-56] 1/512.
        12 => reads!(0x3b00_0000, "tx56-older-default-of-lreg12", 0x3780_0000),
        13 => 0xbf2c_c4c7, // [78] -0.67487759.
        _ => 0xbeb0_8ff9,  // [79] -0.34484843.
    }
}

/// Gives `LaneConfig[lane]` a value, or some of its bits.
// [119] The bits. Bit 0 bears on FP16 data. Not modelled: what bits do, the pages of those say that look at them.
//
// [121] ENABLE_DEST_INDEX; of Wormhole it is said besides who may write LReg[4] to LReg[7] meanwhile. Not modelled: it bears
// on others (TX-20).
//
// [122-131] The others; bits 11, 16 and 17 are reserved. Not modelled: what they do, the pages of those say that look at them.
fn configure(unit: &mut VectorUnit<'_, '_>, lane: u32, mod1: U<4>, imm16: U<16>) {
    // [88] What it was.
    let original: U<18> = unit.lane_config(lane);
    // [89] The value, of 18 bits: the immediate, with zeros above, or from LReg[0].
    let value = U::<18>::new(value(unit, lane, mod1, imm16)).get();
    let mut config = U::<18>::new(manipulated(mod1, original.get(), value));
    // [96] An immediate
    if has(mod1, IMM16_IS_VALUE) {
        // [97-98] does not reach the high bits,
        // [99] so they become what they were.
        config = config | original & !0xffff;
    }
    // [101] It is written.
    let word = &mut unit.tensix.small.lane_config[U::<3>::new(lane).index()];
    *word = config.get();
}

/// The immediate, if it is the value, or what the lane has of `LReg[0]`.
fn value(unit: &mut VectorUnit<'_, '_>, lane: u32, mod1: U<4>, imm16: U<16>) -> u32 {
    if has(mod1, IMM16_IS_VALUE) { imm16.get() } else { unit.lreg(U::new(0), lane) }
}

/// `original`, manipulated by `value`.
// [57, 90] Four ways.
fn manipulated(mod1: U<4>, original: u32, value: u32) -> u32 {
    match mod1.get() & 6 {
        BITWISE_OR => original | value,  // [59, 92] Bits are set,
        BITWISE_AND => original & value, // [60, 93] cleared,
        BITWISE_XOR => original ^ value, // [61, 94] or flip,
        _ => value,                      // [58, 91] or all are replaced.
    }
}
