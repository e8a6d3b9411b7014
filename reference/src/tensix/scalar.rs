//! `SETDMAREG` of the Scalar Unit, in both forms: an immediate, or what Packers have, to GPRs of the thread.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::scalar::{INPUT_HALF_REG, INPUT_SOURCE, NEW_VALUE_OF_HALF, RESULT_HALF_REG, RESULT_SIZE};
use tandem_isa::tensix::{SETDMAREG_SPECIAL, Tensix};
use tandem_isa::{Expectation, Step};

use super::{UNNAMED_REASON, check};
use crate::bits::U;

const PACKERS_REASON: &str = "what Packers have is outside of the state that is modelled";

/// `SETDMAREG` of an immediate: set a half of a GPR.
///
/// *Source*: page SETDMAREG_Immediate, commit 39304719.
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
    let thread = U::<2>::new(tensix.small.current_thread).index();
    set_half(tensix, thread, half_reg, U::new(NEW_VALUE_OF_HALF.get(code))); // [21] It becomes NewValue.
    ControlFlow::Continue(())
}

/// A half of a GPR gets a value. The low half of each comes first.
fn set_half(tensix: &mut Tensix<'_>, thread: usize, half_reg: U<7>, value: U<16>) {
    // SETDMAREG_IMMEDIATE 20-21.
    // SETDMAREG_SPECIAL 93.
    let gpr = &mut tensix.gprs_row_mut(thread, (half_reg >> 3).index())[((half_reg >> 1) & 3).index()];
    *gpr = if half_reg.bit(0) { *gpr & 0xffff | value.get() << 16 } else { *gpr & 0xffff_0000 | value.get() };
}

/// The fields of a tile header that a write of size 3 leaves alone, in each of its four words.
// [25-39] A tile header has 128 bits: a tile size of 16 bits and 16 that are reserved; 16 that are reserved, a format of four, a
// bit, three spare bits, and eight that are reserved; 32 flags; and 32 bits that are reserved, from the lowest bits on.
// (`a_tile_header_leaves_what_it_reserves`)
const RESERVED: [u32; 4] = [0xffff_0000, 0xff00_ffff, 0, u32::MAX];

/// `SETDMAREG` of what Packers have, or of zeros.
///
/// *Source*: page SETDMAREG_Special, commit 492ccd05.
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
    let values = [0; 4];
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
    let thread = U::<2>::new(tensix.small.current_thread).index();
    let result_half_reg = U::<7>::new(RESULT_HALF_REG.get(code));
    let input_half_reg = U::<3>::new(INPUT_HALF_REG.get(code));
    let value = values[(input_half_reg >> 1).index()];
    let group = (result_half_reg >> 3).index();
    // [90-91] ResultSize selects how much goes to GPRs of the thread.
    match RESULT_SIZE.get(code) {
        // [92-94] 0: a half of a value to a half of a GPR.
        0 => set_half(tensix, thread, result_half_reg, U::new(if input_half_reg.bit(0) { value >> 16 } else { value })),
        // [95-97] 1: a value to a GPR, by the upper bits of both numbers.
        1 => tensix.gprs_row_mut(thread, group)[((result_half_reg >> 1) & 3).index()] = value,
        // [98-100] 2: all values to four GPRs, from a number on whose lowest two bits count as 0.
        2 => *tensix.gprs_row_mut(thread, group) = values,
        // [101-109] 3: the same, but what a tile header reserves stays.
        _ => {
            for ((gpr, value), reserved) in tensix.gprs_row_mut(thread, group).iter_mut().zip(values).zip(RESERVED) {
                *gpr = *gpr & reserved | value & !reserved;
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
