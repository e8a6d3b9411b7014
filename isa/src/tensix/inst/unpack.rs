//! `SETDVALID`, the four forms of `UNPACR_NOP` that a page speaks of, and the three of `UNPACR`, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields of Wormhole from `Diagrams/Src/Bits32.lua`
//! (commit c2e709d3) of the same repository; of `UNPACR_NOP` on Blackhole, of which there is no picture, the vendor's tables.
//! The forms share an opcode, and other bits of the word tell them apart.

use super::{Form, OPCODE, call_syntax, field};
use crate::tensix::Chip;
use crate::{Code, CodeField, Facts, Syntax, SyntaxError};

/// `FlipSrcA` of `SETDVALID`, bit 0.
pub const SET_SRCA: CodeField = field("FlipSrcA", 0, 1);
/// `FlipSrcB` of `SETDVALID`, bit 1.
pub const SET_SRCB: CodeField = field("FlipSrcB", 1, 1);
/// `WhichUnpacker`, bit 23, of all forms of `UNPACR_NOP`.
pub const WHICH_UNPACKER: CodeField = field("WhichUnpacker", 23, 1);
/// `NegativeInfSrcA`, bit 2, of `UNPACR_NOP_ZEROSRC`.
pub const NOP_NEGATIVE_INF_SRCA: CodeField = field("NegativeInfSrcA", 2, 1);
/// `BothBanks` of `UNPACR_NOP_ZEROSRC` on Wormhole, bit 3.
pub const NOP_BOTH_BANKS: CodeField = field("BothBanks", 3, 1);
/// `BothBanks` of `UNPACR_NOP_ZEROSRC` on Blackhole, bit 4, which the vendor's table calls `Bank_Clr_Ctrl`.
pub const NOP_BOTH_BANKS_BH: CodeField = field("BothBanks", 4, 1);
/// `WaitLikeUnpacr` of `UNPACR_NOP_ZEROSRC` on Wormhole, bit 4.
pub const WAIT_LIKE_UNPACR: CodeField = field("WaitLikeUnpacr", 4, 1);
/// `WaitLikeUnpacr` of `UNPACR_NOP_ZEROSRC` on Blackhole, bit 5, which the vendor's table calls `Stall_Clr_Cntrl`.
pub const WAIT_LIKE_UNPACR_BH: CodeField = field("WaitLikeUnpacr", 5, 1);
/// `Accumulate`, bit 3, of `UNPACR_NOP_SETREG`.
pub const ACCUMULATE: CodeField = field("Accumulate", 3, 1);
/// `Value11`, bits 4 to 14, of `UNPACR_NOP_SETREG`.
pub const VALUE11: CodeField = field("Value11", 4, 11);
/// `AddrMid`, bits 16 to 21, of `UNPACR_NOP_SETREG`.
pub const ADDR_MID: CodeField = field("AddrMid", 16, 6);
/// `AddrSel`, bit 22, of `UNPACR_NOP_SETREG`.
pub const ADDR_SEL: CodeField = field("AddrSel", 22, 1);
/// Bits 0 and 1 of `UNPACR_NOP_OVERLAY_CLEAR`, which has two pictures: 0 in the one and 3 in the other.
pub const OVERLAY_FORM: CodeField = field("Form", 0, 2);
/// `ClearCount`, bits 4 to 14, of `UNPACR_NOP_OVERLAY_CLEAR`.
pub const CLEAR_COUNT: CodeField = field("ClearCount", 4, 11);
/// `WhichStream`, bits 16 to 21, of `UNPACR_NOP_OVERLAY_CLEAR`.
pub const WHICH_STREAM: CodeField = field("WhichStream", 16, 6);

/// `RowSearch`, bit 2, of `UNPACR`.
pub const ROW_SEARCH: CodeField = field("RowSearch", 2, 1);
/// `UseContextCounter`, bit 3, of `UNPACR`.
pub const USE_CONTEXT_COUNTER: CodeField = field("UseContextCounter", 3, 1);
/// `AllDatumsAreZero`, bit 4, of `UNPACR`.
pub const ALL_DATUMS_ARE_ZERO: CodeField = field("AllDatumsAreZero", 4, 1);
/// `FlipSrc`, bit 6, of `UNPACR`.
pub const FLIP_SRC: CodeField = field("FlipSrc", 6, 1);
/// `MultiContextMode`, bit 7, of `UNPACR`.
pub const MULTI_CONTEXT_MODE: CodeField = field("MultiContextMode", 7, 1);
/// `ContextADC`, bits 8 and 9, of `UNPACR`.
pub const CONTEXT_ADC: CodeField = field("ContextADC", 8, 2);
/// `ContextNumber`, bits 10 to 12, of `UNPACR`.
pub const CONTEXT_NUMBER: CodeField = field("ContextNumber", 10, 3);
/// `Ch0ZInc`, bits 15 and 16, of `UNPACR`.
pub const CH0_Z_INC: CodeField = field("Ch0ZInc", 15, 2);
/// `Ch0YInc`, bits 17 and 18, of `UNPACR`.
pub const CH0_Y_INC: CodeField = field("Ch0YInc", 17, 2);
/// `Ch1ZInc`, bits 19 and 20, of `UNPACR`.
pub const CH1_Z_INC: CodeField = field("Ch1ZInc", 19, 2);
/// `Ch1YInc`, bits 21 and 22, of `UNPACR`.
pub const CH1_Y_INC: CodeField = field("Ch1YInc", 21, 2);

const BIT_0: CodeField = field("bit 0", 0, 1);
const BIT_1: CodeField = field("bit 1", 1, 1);
const BIT_5: CodeField = field("bit 5", 5, 1);
const BIT_13: CodeField = field("bit 13", 13, 1);
const INCREMENTS: CodeField = field("Ch1YInc << 6 + Ch1ZInc << 4 + Ch0YInc << 2 + Ch0ZInc", 15, 8);
/// As the pages write all forms of `UNPACR`; for that which counts on they write one argument fewer (TX-139).
const UNPACR: &[CodeField] = &[
    WHICH_UNPACKER,
    INCREMENTS,
    BIT_13,
    CONTEXT_NUMBER,
    CONTEXT_ADC,
    MULTI_CONTEXT_MODE,
    FLIP_SRC,
    BIT_5,
    ALL_DATUMS_ARE_ZERO,
    USE_CONTEXT_COUNTER,
    ROW_SEARCH,
    BIT_1,
    BIT_0,
];
const UNPACR_NAME: &str = "UNPACR";
const OF_UNPACR: Syntax = Syntax {
    print: |facts, code| call_syntax::print(UNPACR_NAME, facts, code),
    parse: |facts, text| call_syntax::parse(UNPACR_NAME, facts, text),
};

const fn unpacr(opcode: &'static [CodeField], fields: &'static [CodeField]) -> Form {
    Form { opcode, syntax: OF_UNPACR, ..Form::new(fields, UNPACR) }
}
pub(in crate::tensix) const UNPACR_REGULAR: Form = unpacr(
    &[OPCODE, BIT_1, BIT_13],
    &[
        WHICH_UNPACKER,
        CH1_Y_INC,
        CH1_Z_INC,
        CH0_Y_INC,
        CH0_Z_INC,
        CONTEXT_NUMBER,
        CONTEXT_ADC,
        MULTI_CONTEXT_MODE,
        FLIP_SRC,
        ALL_DATUMS_ARE_ZERO,
        USE_CONTEXT_COUNTER,
        ROW_SEARCH,
    ],
);
pub(in crate::tensix) const UNPACR_FLUSH_CACHE: Form = unpacr(&[OPCODE, BIT_1], &[WHICH_UNPACKER, MULTI_CONTEXT_MODE]);
pub(in crate::tensix) const UNPACR_INCREMENT_CONTEXT_COUNTER: Form =
    unpacr(&[OPCODE, BIT_1, BIT_13], &[WHICH_UNPACKER]);

/// The lowest bits, where they tell forms apart.
const LOW: CodeField = field("low bits", 0, 3);
const LOW_2: CodeField = field("low bits", 0, 2);
const BIT_2: CodeField = field("bit 2", 2, 1);
/// On Wormhole the picture of `UNPACR_NOP_ZEROSRC` has a 0 here.
const BIT_6: CodeField = field("bit 6", 6, 1);
/// `Clr_to1_fmt_Ctrl` of the vendor's table of Blackhole: 3 is the form that only gives a bank away.
const CLEAR_TO_1_FORMAT: CodeField = field("Clr_to1_fmt_Ctrl", 6, 2);
/// `Set_Dvalid` of the vendor's table of Blackhole: a bank that was cleared is given away.
const SET_DVALID: CodeField = field("Set_Dvalid", 8, 1);

pub(in crate::tensix) const SETDVALID: Form =
    Form::new(&[SET_SRCA, SET_SRCB], &[field("FlipSrcB << 1 + FlipSrcA", 0, 2)]);

/// A form of `UNPACR_NOP`.
const fn form(opcode: &'static [CodeField], fields: &'static [CodeField]) -> Form {
    Form { opcode, syntax: UNPACR_NOP, ..Form::of(fields) }
}

pub(in crate::tensix) const fn zerosrc(chip: Chip) -> Form {
    form(
        chip.pick(&[OPCODE, LOW_2, BIT_6], &[OPCODE, LOW_2, CLEAR_TO_1_FORMAT, SET_DVALID]),
        chip.pick(
            &[WHICH_UNPACKER, WAIT_LIKE_UNPACR, NOP_BOTH_BANKS, NOP_NEGATIVE_INF_SRCA],
            &[WHICH_UNPACKER, WAIT_LIKE_UNPACR_BH, NOP_BOTH_BANKS_BH, NOP_NEGATIVE_INF_SRCA],
        ),
    )
}
pub(in crate::tensix) const fn setdvalid(chip: Chip) -> Form {
    form(chip.pick(&[OPCODE, LOW], &[OPCODE, LOW_2, CLEAR_TO_1_FORMAT]), &[WHICH_UNPACKER])
}
pub(in crate::tensix) const SETREG: Form =
    form(&[OPCODE, LOW], &[WHICH_UNPACKER, ADDR_SEL, ADDR_MID, VALUE11, ACCUMULATE]);
pub(in crate::tensix) const OVERLAY_CLEAR: Form =
    form(&[OPCODE, BIT_2], &[WHICH_UNPACKER, WHICH_STREAM, CLEAR_COUNT, OVERLAY_FORM]);

/// As the pages write all forms: the Unpacker, and a sum of all other bits.
const UNPACR_NOP: Syntax = Syntax { print, parse };
const NAME: &str = "UNPACR_NOP";
const SUM: CodeField = field("the sum", 0, 23);

fn print(_: &Facts, code: &[u32]) -> String {
    format!("TT_{NAME}({}, {:#x})", WHICH_UNPACKER.get(code), SUM.get(code))
}

fn parse(facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = call_syntax::Call::read(NAME, text)?;
    let arguments = call.arguments(2)?;
    let mut code = Code::new(facts.base_code);
    call_syntax::set(&mut code, WHICH_UNPACKER, arguments[0])?;
    call_syntax::set(&mut code, SUM, arguments[1])?;
    call.add_rest(&mut code, 0)?;
    call_syntax::check_form(NAME, facts, text, &code)?;
    Ok(code)
}
