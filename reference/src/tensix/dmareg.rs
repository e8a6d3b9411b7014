//! Instructions of the Scalar Unit that compute on GPRs of the thread, `ADDDMAREG`, `SUBDMAREG`, `MULDMAREG`, `BITWOPDMAREG`,
//! `SHIFTDMAREG` and `CMPDMAREG`; `REG2FLOP` from GPRs to `Config`; and `DMANOP` and `FLUSHDMA`, which change nothing.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Each page serves both chips, and both
//! editions. After an outcome that promises nothing the state is of no meaning.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::scalar::{
    FLOP_INPUT_REG, LEFT_REG, MODE, RESULT_REG, RIGHT, RIGHT_IS_IMM, SIZE_SEL, TH_CON_CFG_INDEX,
};
use tandem_isa::tensix::{
    ADDDMAREG, BITWOPDMAREG, CMPDMAREG, Chip, DMANOP, FLUSHDMA, MULDMAREG, REG2FLOP_CONFIGURATION, SHIFTDMAREG,
    SUBDMAREG, Small, Tensix,
};
use tandem_isa::{Expectation, Step};

use super::configuration::state_id;
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const MODE_REASON: &str = "no mode has this number, which is undefined behaviour";
const THCON_REASON: &str = "the word is none of those whose fields are called THCON";
const BLACKHOLE_REASON: &str = "on Blackhole it is unsupported functionality, and the page is not sure of what it does";
const SIZE_REASON: &str = "128 bits are unsupported functionality, and the page is not sure of what they do";

/// A GPR of the thread.
fn gpr(tensix: &mut Tensix<'_>, register: U<6>) -> u32 {
    let thread = U::<2>::new(tensix.small.current_thread).index();
    tensix.gprs_row(thread, (register >> 2).index())[(register & 3).index()]
}

/// `LeftVal` and `RightVal`, where the latter is a GPR as it is, or a number of six bits.
fn operands(code: &[u32], tensix: &mut Tensix<'_>) -> [u32; 2] {
    // [ADDDMAREG 22] [SUBDMAREG 22] [MULDMAREG 22] [BITWOPDMAREG 22] [CMPDMAREG 22] The left one is a GPR of the thread.
    let left_val = gpr(tensix, U::new(LEFT_REG.get(code)));
    let right_val = if RIGHT_IS_IMM.get(code) == 0 {
        // [ADDDMAREG 23] [SUBDMAREG 23] [MULDMAREG 23] [BITWOPDMAREG 23] [CMPDMAREG 23] The right one is a GPR of it too, …
        gpr(tensix, U::new(RIGHT.get(code)))
    } else {
        // [ADDDMAREG 24] [SUBDMAREG 24] [MULDMAREG 24] [BITWOPDMAREG 24] [CMPDMAREG 24] … or a number without sign.
        U::<6>::new(RIGHT.get(code)).get()
    };
    [left_val, right_val]
}

/// Writes the result, which may go to a register that was read.
fn set_result(code: &[u32], tensix: &mut Tensix<'_>, result_val: u32) {
    let thread = U::<2>::new(tensix.small.current_thread).index();
    // [ADDDMAREG 26] [SUBDMAREG 26] [MULDMAREG 26] [BITWOPDMAREG 32] [SHIFTDMAREG 31] [CMPDMAREG 32] A GPR of the thread
    // becomes the result.
    let result_reg = U::<6>::new(RESULT_REG.get(code));
    tensix.gprs_row_mut(thread, (result_reg >> 2).index())[(result_reg & 3).index()] = result_val;
}

/// `ADDDMAREG`: add a GPR, or a number, to a GPR.
///
/// *Source*: page ADDDMAREG, commit 39304719.
// Of page `ADDDMAREG`.
// [3] Two GPRs are added, or a GPR and a number of six bits. (`sums_and_differences_have_32_bits`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [31] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn adddmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-11] A bit that tells the forms apart, ResultReg, of six bits, RightReg or RightImm6, and LeftReg.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(ADDDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let [left_val, right_val] = operands(step.code, tensix);
    // [25] The result is the sum, of 32 bits.
    set_result(step.code, tensix, left_val.wrapping_add(right_val));
    ControlFlow::Continue(())
}

/// `SUBDMAREG`: subtract a GPR, or a number, from a GPR.
///
/// *Source*: page SUBDMAREG, commit 39304719.
// Of page `SUBDMAREG`.
// [3] A GPR is subtracted from another, or a number of six bits. (`sums_and_differences_have_32_bits`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [31] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn subdmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-11] A bit that tells the forms apart, ResultReg, of six bits, RightReg or RightImm6, and LeftReg.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SUBDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let [left_val, right_val] = operands(step.code, tensix);
    // [25] The result is the left value without the right one, of 32 bits.
    set_result(step.code, tensix, left_val.wrapping_sub(right_val));
    ControlFlow::Continue(())
}

/// `MULDMAREG`: multiply the low halves of two GPRs, or of one and a number.
///
/// *Source*: page MULDMAREG, commit 39304719.
// Of page `MULDMAREG`.
// [3] Low halves of two GPRs are multiplied, without sign, or that of one with a number of six bits. The product keeps all of its
// bits. (`products_are_of_low_halves_and_have_32_bits`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [31] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn muldmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-11] A bit that tells the forms apart, ResultReg, of six bits, RightReg or RightImm6, and LeftReg.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(MULDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let [left_val, right_val] = operands(step.code, tensix);
    // [25] The result is the product of the low halves.
    set_result(step.code, tensix, (left_val & 0xffff) * (right_val & 0xffff));
    ControlFlow::Continue(())
}

/// The modes of `BITWOPDMAREG`.
// Of page `BITWOPDMAREG`.
mod bitwopdmareg_mode {
    pub const AND: u32 = 0; // [37] 0: and.
    pub const OR: u32 = 1; // [38] 1: or.
    pub const XOR: u32 = 2; // [39] 2: exclusive or.
}

/// `BITWOPDMAREG`: and, or and exclusive or of GPRs, or of a GPR and a number.
///
/// *Source*: page BITWOPDMAREG, commit f7fda211.
// Of page `BITWOPDMAREG`.
// [3] Bits of two GPRs are combined, or those of a GPR and of a number of six bits. (`bits_are_combined_as_the_mode_says`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [44] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn bitwopdmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-11] A bit that tells the forms apart, Mode, of three bits, ResultReg, of six, RightReg or RightImm6, and LeftReg.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(BITWOPDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let [left_val, right_val] = operands(step.code, tensix);
    // [25-26] Mode says what the result is.
    let result_val = match MODE.get(step.code) {
        bitwopdmareg_mode::AND => left_val & right_val, // [27] And.
        bitwopdmareg_mode::OR => left_val | right_val,  // [28] Or.
        bitwopdmareg_mode::XOR => left_val ^ right_val, // [29] Exclusive or.
        // [30] Other modes are undefined behaviour.
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(BITWOPDMAREG, "line 30", MODE_REASON))),
    };
    set_result(step.code, tensix, result_val);
    ControlFlow::Continue(())
}

/// The modes of `SHIFTDMAREG`.
// Of page `SHIFTDMAREG`.
mod shiftdmareg_mode {
    pub const LEFT: u32 = 0; // [36] 0: to the left.
    pub const RIGHT: u32 = 1; // [37] 1: to the right.
}

/// `SHIFTDMAREG`: shift a GPR by a GPR, or by a number.
///
/// *Source*: page SHIFTDMAREG, commit f7fda211.
// Of page `SHIFTDMAREG`.
// [3] A GPR is shifted to the left or to the right, without sign, by another GPR or by a number of five bits.
// (`shifts_are_by_less_than_32_and_bring_in_zeros`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [42] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn shiftdmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let code = step.code;
    // [10] A bit that tells the forms apart, Mode, of three bits, ResultReg, RightReg and LeftReg, of six.
    // (`encodings_and_texts_round_trip`)
    // [11] In the other form a number of five bits stands for RightReg, so that the bit above it is that of no field.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(SHIFTDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let right = U::<6>::new(RIGHT.get(code));
    if RIGHT_IS_IMM.get(code) != 0 && right.bit(5) {
        return ControlFlow::Break(Expectation::Unspecified(cite!(SHIFTDMAREG, "lines 11 and 17", UNNAMED_REASON)));
    }
    let left_val = gpr(tensix, U::new(LEFT_REG.get(code))); // [22] The left value is a GPR of the thread.
    let right_val = if RIGHT_IS_IMM.get(code) == 0 {
        U::<5>::new(gpr(tensix, right)).get() // [23] The right one is the low five bits of a GPR of it, …
    } else {
        right.get() // [24] … or a number without sign.
    };
    // [25-26] Mode says what the result is.
    let result_val = match MODE.get(code) {
        shiftdmareg_mode::LEFT => left_val << right_val, // [27] What is shifted to the left.
        shiftdmareg_mode::RIGHT => left_val >> right_val, // [28] What is shifted to the right, with zeros behind it.
        // [29] Other modes are undefined behaviour.
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(SHIFTDMAREG, "line 29", MODE_REASON))),
    };
    set_result(code, tensix, result_val);
    ControlFlow::Continue(())
}

/// The modes of `CMPDMAREG`.
// Of page `CMPDMAREG`.
mod cmpdmareg_mode {
    pub const GT: u32 = 0; // [37] 0: greater.
    pub const LT: u32 = 1; // [38] 1: less.
    pub const EQ: u32 = 2; // [39] 2: equal.
}

/// `CMPDMAREG`: compare GPRs, or a GPR and a number.
///
/// *Source*: page CMPDMAREG, commit f7fda211.
// Of page `CMPDMAREG`.
// [3] Two GPRs are compared without sign, or a GPR and a number of six bits. The result is one bit.
// (`comparisons_are_without_sign_and_give_one_bit`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [44] It takes three cycles, or four if the two GPRs lie in different rows of four. Not modelled: cycle timing is out of scope
// by decision.
pub fn cmpdmareg(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-11] A bit that tells the forms apart, Mode, of three bits, ResultReg, of six, RightReg or RightImm6, and LeftReg.
    // (`encodings_and_texts_round_trip`)
    // [16-17] Pictures show where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(CMPDMAREG, "lines 10-11 and 16-17", UNNAMED_REASON))?;
    let [left_val, right_val] = operands(step.code, tensix);
    // [25-26] Mode says what is asked.
    let result_val = match MODE.get(step.code) {
        cmpdmareg_mode::GT => left_val > right_val, // [27] Whether the left value is greater.
        cmpdmareg_mode::LT => left_val < right_val, // [28] Whether it is less.
        cmpdmareg_mode::EQ => left_val == right_val, // [29] Whether both are equal.
        // [30] Other modes are undefined behaviour.
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(CMPDMAREG, "line 30", MODE_REASON))),
    };
    // [32] The answer is 1 for yes and 0 for no.
    set_result(step.code, tensix, u32::from(result_val));
    ControlFlow::Continue(())
}

/// `DMANOP`: do nothing.
///
/// *Source*: page DMANOP, commit 39304719.
// Of page `DMANOP`.
// [3] All that it does is to occupy the Scalar Unit for a cycle. Not modelled: cycle timing is out of scope by decision.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [25] It takes one cycle, and may wait at the gate for the Scalar Unit. Not modelled: cycle timing is out of scope by decision.
pub fn dmanop(step: &Step<'_>, _: &mut Small) -> ControlFlow<Expectation> {
    // [10] It has no fields. (`encodings_and_texts_round_trip`)
    // [15] A picture shows the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(DMANOP, "lines 10 and 15", UNNAMED_REASON))?;
    // [20] Nothing changes. (`dmanop_and_flushdma_change_nothing`)
    ControlFlow::Continue(())
}

/// `FLUSHDMA`: wait until what the thread began is done.
///
/// *Source*: page FLUSHDMA, commit 39304719.
// Of page `FLUSHDMA`.
// [3] A mask selects conditions. Until all of them are met at a time the thread waits, and others that come to the Scalar Unit;
// STALLWAIT with the same mask does not hold those. Not modelled: nothing is in flight between instructions here, so that it
// is done at once.
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [40] It waits while any condition says so, and ends when all are met at a time. Not modelled: nothing is in flight between
// instructions here.
// [42] The conditions are those of the lowest four bits of STALLWAIT's mask. Not modelled: nothing is in flight between
// instructions here.
// [46] It takes two cycles or more. Not modelled: cycle timing is out of scope by decision.
pub fn flushdma(step: &Step<'_>, _: &mut Small) -> ControlFlow<Expectation> {
    // [10] ConditionMask, of four bits. (`encodings_and_texts_round_trip`)
    // [15] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(FLUSHDMA, "lines 10 and 15", UNNAMED_REASON))?;
    // [20-21] A mask of 0 selects all four conditions. Not modelled: none of them waits.
    // [23] It waits for a cycle. Not modelled: cycle timing is out of scope by decision.
    // [24-25] It goes on waiting while a selected condition says so. Not modelled: none of them waits.
    // [31] The lowest bit of the mask is C0, and the highest C3. Not modelled: none of them waits.
    // [33] What each waits for is in a table. Not modelled: none of them waits.
    // [35] C0: requests of the thread to memory, by the Scalar Unit. Not modelled: each instruction ends before the next.
    // [36-38] C1, C2 and C3: instructions of the thread in Unpacker 0, in Unpacker 1 and in Packer 0. Not modelled: each
    // instruction ends before the next.
    ControlFlow::Continue(())
}

/// `THCON_CFGREG_BASE_ADDR32` of Wormhole: the word of `Config` from which on fields are called THCON.
///
/// *Source*: the vendor's register tables.
const THCON_CFGREG_BASE: usize = 52;

/// `REG2FLOP` to `Config`.
///
/// *Source*: page REG2FLOP_Configuration, commit f6a77780.
// Of page `REG2FLOP_CONFIGURATION`.
// [3] What it writes are words of Config whose fields are called THCON, by the Scalar Unit, so that it does not contend for the
// Configuration Unit as WRCFG does. (`reg2flop_moves_a_gpr_to_a_word_of_thcon`)
// [5] The Scalar Unit executes it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [44] It takes two cycles or more, with nothing else in the Scalar Unit and of the thread meanwhile, and more while others write
// THCON configuration. Not modelled: cycle timing is out of scope by decision.
pub fn reg2flop_configuration(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10] SizeSel, of two bits, ThConCfgIndex, of seven, and InputReg, of six, with zeros between them.
    // (`encodings_and_texts_round_trip`)
    // [15] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(REG2FLOP_CONFIGURATION, "lines 10 and 15", UNNAMED_REASON))?;
    let (code, chip) = (step.code, Chip::of(step.instruction));
    // [20] Blackhole differs.
    if chip == Chip::Blackhole {
        // [21] There it is unsupported.
        let citation = cite!(REG2FLOP_CONFIGURATION, "lines 20-22", BLACKHOLE_REASON);
        return ControlFlow::Break(Expectation::Unsupported(citation));
    }
    let th_con_cfg_index = U::<7>::new(TH_CON_CFG_INDEX.get(code)).index();
    // [23] The words of THCON end where those begin that both banks share.
    if th_con_cfg_index >= chip.global_cfgreg_base() - THCON_CFGREG_BASE {
        // [24-25] Fields of another name are for WRCFG, which writes any.
        // [26] Beyond that it is undefined behaviour.
        let citation = cite!(REG2FLOP_CONFIGURATION, "lines 23-27", THCON_REASON);
        return ControlFlow::Break(Expectation::Undefined(citation));
    }
    let state_id = state_id(tensix.small); // [29] The bank is that of the thread's StateID.
    // [32] SizeSel of 0 is another size.
    if SIZE_SEL.get(code) == 0 {
        // [33] That is unsupported.
        // [34-35] 128 bits would be moved, from aligned numbers on. Not modelled: unsupported by line 33.
        let citation = cite!(REG2FLOP_CONFIGURATION, "lines 32-35", SIZE_REASON);
        return ControlFlow::Break(Expectation::Unsupported(citation));
    }
    // [36-37] Any other moves 32 bits.
    // [38] The word becomes a GPR of the thread.
    let value = gpr(tensix, U::new(FLOP_INPUT_REG.get(code)));
    // [30] It is counted from the first of THCON on.
    tensix.small.config[state_id][THCON_CFGREG_BASE..][th_con_cfg_index] = value;
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
