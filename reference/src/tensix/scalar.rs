//! `SETDMAREG` of the Scalar Unit, in both forms: an immediate, or what Packers have, to GPRs of the thread.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::scalar::{INPUT_SOURCE, NEW_VALUE_OF_HALF, RESULT_HALF_REG, RESULT_SIZE};
use tandem_isa::tensix::{SETDMAREG_SPECIAL, Tensix};
use tandem_isa::{Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const PACKERS_REASON: &str = "what Packers have is outside of the state that is modelled";

/// `SETDMAREG` of an immediate: set a half of a GPR.
///
/// *Source*: page SETDMAREG_Immediate, commit 39304719.
// Of page `SETDMAREG_IMMEDIATE`.
// [3] One half of a GPR is written, and the other stays. (`an_immediate_goes_to_one_half_and_the_other_stays`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [26] It takes one cycle, and may wait at the gate for the Scalar Unit. Not modelled: cycle timing is out of scope by decision.
pub fn setdmareg_immediate(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] NewValue, of 16 bits, and ResultHalfReg, of seven, with zeros before and between them.
    // (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    let code = step.code;
    // [20] The half is that with this number, two to a GPR, of the thread's GPRs.
    let half_reg = U::<7>::new(RESULT_HALF_REG.get(code));
    let gpr = gpr(tensix, half_reg);
    let new_value = NEW_VALUE_OF_HALF.get(code);
    // [21] It becomes NewValue.
    *gpr = if half_reg.bit(0) { *gpr & 0xffff | new_value << 16 } else { *gpr & 0xffff_0000 | new_value };
    ControlFlow::Continue(())
}

/// The thread's GPR that has a half. The low half of each comes first.
fn gpr<'a>(tensix: &'a mut Tensix<'_>, half_reg: U<7>) -> &'a mut u32 {
    // [SETDMAREG_IMMEDIATE 20] [SETDMAREG_SPECIAL 93, 96] A register has two halves, and four registers are a row of
    // the thread's.
    let thread = U::<2>::new(tensix.small.current_thread).index();
    &mut tensix.gprs_row_mut(thread, (half_reg >> 3).index())[((half_reg >> 1) & 3).index()]
}

/// The thread's four GPRs among which is that which has a half.
fn group<'a>(tensix: &'a mut Tensix<'_>, half_reg: U<7>) -> &'a mut [u32; 4] {
    // [SETDMAREG_SPECIAL 99, 102] Four registers are a row of the thread's.
    let thread = U::<2>::new(tensix.small.current_thread).index();
    tensix.gprs_row_mut(thread, (half_reg >> 3).index())
}

/// The fields of a tile header that a write of size 3 leaves alone, in each of its four words.
// Of page `SETDMAREG_SPECIAL`.
// [25-39] A tile header has 128 bits: a tile size of 16 bits and 16 that are reserved; 16 that are reserved, a format of four, a
// bit, three spare bits, and eight that are reserved; 32 flags; and 32 bits that are reserved, from the lowest bits on.
// (`a_tile_header_leaves_what_it_reserves`)
const RESERVED: [u32; 4] = [0xffff_0000, 0xff00_ffff, 0, u32::MAX];

/// `SETDMAREG` of what Packers have, or of zeros.
///
/// *Source*: page SETDMAREG_Special, commit 492ccd05.
// Of page `SETDMAREG_SPECIAL`.
// [3] Of 128 bits that Packers have 16 to 128 go to GPRs; it can also set four GPRs to zero.
// (`sources_that_are_not_named_give_zeros`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [115] It takes one cycle, and may wait at the gate for the Scalar Unit. Not modelled: cycle timing is out of scope by decision.
pub fn setdmareg_special(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-15] ResultSize, of two bits, WhichPackers and InputSource, of four each, InputHalfReg, of three, a 1, and
    // ResultHalfReg, of seven. (`encodings_and_texts_round_trip`)
    // [20] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SETDMAREG_SPECIAL, "lines 10-15 and 20", UNNAMED_REASON))?;
    let code = step.code;
    // [41-42] What is moved is four values of 32 bits, which InputSource selects, and zeros to begin with.
    // [43, TX-57] Sources 0 to 9 are something of the Packers; others leave the zeros.
    // [44-50] 0: the sizes of tiles that each Packer has for the thread. Not modelled: no Packer is in the state.
    // [51-55] 1: the flags of tiles that are all zero. Not modelled: no Packer is in the state.
    // [56-68] 2 to 5: a tile header of one Packer. Not modelled: no Packer is in the state.
    // [69-75] 6 and 7: a histogram of exponents. Not modelled: no Packer is in the state.
    // [76-84] 8: bits of the flags, and sizes are reset. Not modelled: no Packer is in the state.
    // [85-87] 9: the greatest exponent. Not modelled: no Packer is in the state.
    if INPUT_SOURCE.get(code) < 10 {
        return ControlFlow::Break(Expectation::Unspecified(cite!(SETDMAREG_SPECIAL, "lines 43-88", PACKERS_REASON)));
    }
    let result_half_reg = U::<7>::new(RESULT_HALF_REG.get(code));
    // [90-91] ResultSize selects how much goes to GPRs of the thread. All of it is zeros, so that InputHalfReg does not matter.
    match RESULT_SIZE.get(code) {
        // [92-94] 0: a half of a value to a half of a GPR.
        0 => *gpr(tensix, result_half_reg) &= if result_half_reg.bit(0) { 0xffff } else { 0xffff_0000 },
        // [95-97] 1: a value to a GPR, by the upper bits of both numbers.
        1 => *gpr(tensix, result_half_reg) = 0,
        // [98-100] 2: all values to four GPRs, from a number on whose lowest two bits count as 0.
        2 => *group(tensix, result_half_reg) = [0; 4],
        // [101-109] 3: the same, but what a tile header reserves stays.
        _ => group(tensix, result_half_reg).iter_mut().zip(RESERVED).for_each(|(gpr, reserved)| *gpr &= reserved),
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
