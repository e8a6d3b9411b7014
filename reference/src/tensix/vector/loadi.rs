//! `SFPLOADI`: an immediate to a register.

// Of page `SFPLOADI`.
// Shown by `an_immediate_becomes_what_the_page_says`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::Expectation;
use tandem_isa::tensix::SFPLOADI;
use tandem_isa::tensix::inst::immediate::sfploadi as fields;

use super::super::lanes::LANES;
use super::VectorUnit;
use crate::bits::U;

const FLOATB: u32 = 0; // [59] BF16.
const FLOATA: u32 = 1; // [60] FP16, or about.
const USHORT: u32 = 2; // [61] Without a sign.
const SHORT: u32 = 4; // [62] With a sign.
const UPPER: u32 = 8; // [63] The upper half alone.
const LOWER: u32 = 10; // [64] The lower half alone.

/// `SFPLOADI`: an immediate to a register, or to one half of it.
///
/// *Source*: page SFPLOADI, commit f7fda211, one text for both chips.
// [3] An immediate of 16 bits becomes one of 32, or one half of a register, whose other half stays.
// [5] Two of them give a register any 32 bits. (`two_immediates_give_a_register_any_bits`)
// [7] The load sub-unit executes it. Not modelled: `SFPLOADMACRO` alone asks which, and has a table.
pub fn sfploadi(unit: &mut VectorUnit<'_, '_>) -> ControlFlow<Expectation> {
    // [12, 17] VD, Mod0 and Imm16, to which all bits belong. (`encodings_and_texts_round_trip`)
    let vd = unit.vd();
    let mod0 = U::<4>::new(fields::MOD0.get(unit.code));
    let imm16 = U::<16>::new(fields::IMM16.get(unit.code));
    // [37] Registers from 8 on are not written.
    if vd.get() < 8 {
        // [38] Lane by lane.
        for lane in 0..LANES {
            // [39] A lane that is off keeps what it has. (`an_immediate_goes_to_lanes_that_are_on`)
            if unit.lane_enabled(lane) {
                // [21, 40] The mode says how the immediate becomes 32 bits.
                let result = match mod0.get() {
                    // [25, 29, 41] BF16, or the upper half with zeros below it.
                    FLOATB => bf16_to_fp32(imm16),
                    // [26, 42] FP16.
                    FLOATA => fp16_to_fp32(imm16),
                    // [27, 31, 43] Without a sign, or the lower half with zeros above it.
                    USHORT => zero_extend(imm16),
                    // [28, 44] In two's complement.
                    SHORT => sign_extend(imm16),
                    // [30, 45] The upper half; the lower one stays.
                    UPPER => imm16.get() << 16 | unit.lreg(vd, lane) & 0xffff,
                    // [32, 46] The lower half; the upper one stays.
                    LOWER => unit.lreg(vd, lane) & 0xffff_0000 | imm16.get(),
                    _ => {
                        // [47] No other mode is defined. (`modes_without_a_name_are_undefined_where_a_lane_is_on`)
                        return ControlFlow::Break(Expectation::Undefined(cite!(
                            SFPLOADI,
                            "line 47",
                            "no mode has this number"
                        )));
                    }
                };
                unit.set_lreg(vd, lane, result);
            }
        }
    }
    // [51-53] Nothing is done to the others; to those from 11 on `SFPCONFIG` can take it.
    // (`an_immediate_goes_to_registers_below_8`)
    ControlFlow::Continue(())
}

/// `BF16toFP32`.
// [66] It takes 16 bits.
fn bf16_to_fp32(x: U<16>) -> u32 {
    // [67] They are the upper half.
    x.get() << 16
}

/// `FP16toFP32`.
// [70] It takes 16 bits.
// [71-72] It has no denormals, no infinities and nothing that is not a number: the exponent becomes wider, and that is all.
fn fp16_to_fp32(x: U<16>) -> u32 {
    // [73] The sign,
    let sign = x.get() >> 15;
    // [74] five bits of exponent
    let mut exp = x.get() >> 10 & 0x1f;
    // [75] and ten of mantissa.
    let man = x.get() & 0x3ff;
    // [76] The bias becomes that of eight bits.
    exp += 112;
    // [77] As FP32.
    sign << 31 | exp << 23 | man << 13
}

/// `ZeroExtend`.
// [80] It takes 16 bits.
fn zero_extend(x: U<16>) -> u32 {
    // [81] Zeros stand above them.
    x.get()
}

/// `SignExtend`.
// [84] It takes 16 bits.
fn sign_extend(x: U<16>) -> u32 {
    // [85] Copies of the highest stand above them.
    if x.bit(15) { x.get() | 0xffff_0000 } else { x.get() }
}
