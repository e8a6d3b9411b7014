//! Instructions of the Scalar Unit, which compute on GPRs and move them to and from L1 and registers, on both chips.
//!
//! *Source*: the pages named in `pages.rs`; fields from
//! `Diagrams/Src/Bits32.lua` (commits c2e709d3 and 39304719) of the same repository. The vendor's tables give both chips the same fields.

use super::{Form, OPCODE, call_syntax, field};
use crate::{Code, CodeField, Facts, Syntax, SyntaxError};

/// `LeftReg`, bits 0 to 5: a GPR of the thread.
pub const LEFT_REG: CodeField = field("LeftReg", 0, 6);
/// `RightReg`, bits 6 to 11: a GPR of the thread, or with [`RIGHT_IS_IMM`] a number, of which `SHIFTDMAREG` has five bits.
pub const RIGHT: CodeField = field("Right", 6, 6);
/// `ResultReg`, bits 12 to 17: a GPR of the thread.
pub const RESULT_REG: CodeField = field("ResultReg", 12, 6);
/// `Mode`, bits 18 to 20, which the vendor's tables call `OpSel`.
pub const MODE: CodeField = field("OpSel", 18, 3);
/// Bit 23: the right operand is a number.
pub const RIGHT_IS_IMM: CodeField = field("RightIsImm", 23, 1);

/// `AddrReg`, bits 0 to 5: a GPR of the thread.
pub const ADDR_REG: CodeField = field("AddrReg", 0, 6);
/// `DataReg`, `ResultReg` or `InOutReg`, bits 6 to 11: a GPR of the thread.
pub const DATA_REG: CodeField = field("DataReg", 6, 6);
/// `OffsetIncrement`, bits 12 and 13.
pub const OFFSET_INCREMENT: CodeField = field("OffsetIncrement", 12, 2);
/// `OffsetHalfReg`, bits 14 to 20: a half of a GPR of the thread, the low one of each first.
pub const OFFSET_HALF_REG: CodeField = field("OffsetHalfReg", 14, 7);
/// `AddrLo` of `LOADREG` and `STOREREG`, bits 0 to 17: a memory-mapped register.
pub const ADDR_LO: CodeField = field("AddrLo", 0, 18);
/// `ResultReg` of `LOADREG`, or `DataReg` of `STOREREG`, bits 18 to 23: a GPR of the thread.
pub const MMIO_REG: CodeField = field("DataReg", 18, 6);
/// `Size`, as the pages call it, of `LOADIND`, bits 22 and 23.
pub const LOAD_SIZE: CodeField = field("SizeSel", 22, 2);
/// `Size`, as the pages call it, of `STOREIND_L1`, bits 21 and 22.
pub const STORE_SIZE: CodeField = field("SizeSel", 21, 2);
/// `StoreToSrcB` of `STOREIND_SRC`, bit 21.
pub const STORE_TO_SRCB: CodeField = field("StoreToSrcB", 21, 1);
/// `Ofs`, bits 12 and 13: a word of 16 bytes.
pub const OFS: CodeField = field("Ofs", 12, 2);
/// `CmpVal` of `ATCAS`, bits 14 to 17.
pub const CMP_VAL: CodeField = field("CmpVal", 14, 4);
/// `SetVal` of `ATCAS`, bits 18 to 21.
pub const SET_VAL: CodeField = field("SetVal", 18, 4);
/// `IntWidth` of `ATINCGET`, bits 14 to 18.
pub const INT_WIDTH5: CodeField = field("IntWidth", 14, 5);
/// `IntWidth` of `ATINCGETPTR`, bits 14 to 17.
pub const INT_WIDTH4: CodeField = field("IntWidth", 14, 4);
/// `IncrLog2` of `ATINCGETPTR`, bits 18 to 21.
pub const INCR_LOG2: CodeField = field("IncrLog2", 18, 4);
/// `NoIncr` of `ATINCGETPTR`, bit 22.
pub const NO_INCR: CodeField = field("NoIncr", 22, 1);
/// `Mask`, as the page calls it, of `ATSWAP`, bits 14 to 21.
pub const SWAP_MASK: CodeField = field("SwapMask", 14, 8);
/// `SingleDataReg` of `ATSWAP`, bit 22, which no syntax has.
pub const SINGLE_DATA_REG: CodeField = field("SingleDataReg", 22, 1);
/// `ConditionMask` of `FLUSHDMA`, bits 0 to 3.
pub const CONDITION_MASK: CodeField = field("ConditionMask", 0, 4);

/// `InputReg` of both forms of `REG2FLOP`, bits 0 to 5: a GPR of the thread.
pub const FLOP_INPUT_REG: CodeField = field("InputReg", 0, 6);
/// `ThConCfgIndex` of `REG2FLOP_CONFIGURATION`, bits 6 to 12.
pub const TH_CON_CFG_INDEX: CodeField = field("ThConCfgIndex", 6, 7);
/// `XYZW` of `REG2FLOP_ADC`, bits 6 and 7.
pub const FLOP_XYZW: CodeField = field("XYZW", 6, 2);
/// `Cr` of `REG2FLOP_ADC`, bit 8.
pub const FLOP_CR: CodeField = field("Cr", 8, 1);
/// `ADCSel` of `REG2FLOP_ADC`, bits 9 and 10.
pub const ADC_SEL: CodeField = field("ADCSel", 9, 2);
/// `Channel` of `REG2FLOP_ADC`, bit 11.
pub const FLOP_CHANNEL: CodeField = field("Channel", 11, 1);
/// `ThreadSel` of `REG2FLOP_ADC`, bits 16 and 17.
pub const THREAD_SEL: CodeField = field("ThreadSel", 16, 2);
/// `Shift8` of `REG2FLOP_ADC`, bits 18 and 19.
pub const SHIFT8: CodeField = field("Shift8", 18, 2);
/// `OverrideThread` of `REG2FLOP_ADC`, bit 20.
pub const OVERRIDE_THREAD: CodeField = field("OverrideThread", 20, 1);
/// `SizeSel` of both forms of `REG2FLOP`, bits 22 and 23.
pub const SIZE_SEL: CodeField = field("SizeSel", 22, 2);

/// `ADDDMAREG`, `SUBDMAREG` and `MULDMAREG`.
pub(in crate::tensix) const ARITHMETIC: Form = Form::of(&[RIGHT_IS_IMM, RESULT_REG, RIGHT, LEFT_REG]);
/// `BITWOPDMAREG`, `SHIFTDMAREG` and `CMPDMAREG`.
pub(in crate::tensix) const WITH_MODE: Form = Form::of(&[RIGHT_IS_IMM, MODE, RESULT_REG, RIGHT, LEFT_REG]);
pub(in crate::tensix) const LOADIND: Form =
    Form::of(&[LOAD_SIZE, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG]);
pub(in crate::tensix) const ATCAS: Form =
    Form::new(&[SET_VAL, CMP_VAL, OFS, ADDR_REG], &[L1, SET_VAL, CMP_VAL, OFS, DATA_REG, ADDR_REG]);
pub(in crate::tensix) const ATINCGET: Form =
    Form::new(&[INT_WIDTH5, OFS, DATA_REG, ADDR_REG], &[L1, INT_WIDTH5, OFS, DATA_REG, ADDR_REG]);
pub(in crate::tensix) const ATINCGETPTR: Form = Form::new(
    &[NO_INCR, INCR_LOG2, INT_WIDTH4, OFS, DATA_REG, ADDR_REG],
    &[L1, NO_INCR, INCR_LOG2, INT_WIDTH4, OFS, DATA_REG, ADDR_REG],
);
pub(in crate::tensix) const ATSWAP: Form =
    Form::new(&[SINGLE_DATA_REG, SWAP_MASK, DATA_REG, ADDR_REG], &[L1, SWAP_MASK, DATA_REG, ADDR_REG]);
pub(in crate::tensix) const LOADREG: Form = Form::of(&[MMIO_REG, ADDR_LO]);
pub(in crate::tensix) const STOREREG: Form = LOADREG;
pub(in crate::tensix) const DMANOP: Form = Form::of(&[]);
pub(in crate::tensix) const FLUSHDMA: Form = Form::of(&[CONDITION_MASK]);

/// Which memory an atomic works on, bit 23: L1 is 0.
const L1: CodeField = field("memory", 23, 1);
const STORE_CLASS: CodeField = field("where to", 23, 1);
const STORE_CLASS_2: CodeField = field("where to", 22, 1);
const STOREIND_NAME: &str = "STOREIND";

/// What all forms of `STOREIND` are called.
const STOREIND: Syntax = Syntax {
    print: |facts, code| call_syntax::print(STOREIND_NAME, facts, code),
    parse: |facts, text| call_syntax::parse(STOREIND_NAME, facts, text),
};
const REG2FLOP: Syntax = Syntax {
    print: |facts, code| call_syntax::print(REG2FLOP_NAME, facts, code),
    parse: |facts, text| call_syntax::parse(REG2FLOP_NAME, facts, text),
};
const REG2FLOP_NAME: &str = "REG2FLOP";

pub(in crate::tensix) const STOREIND_L1: Form = Form {
    opcode: &[OPCODE, STORE_CLASS],
    syntax: STOREIND,
    ..Form::new(
        &[STORE_SIZE, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
        &[STORE_CLASS, UNUSED, STORE_SIZE, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
    )
};
pub(in crate::tensix) const STOREIND_MMIO: Form = Form {
    opcode: &[OPCODE, STORE_CLASS, STORE_CLASS_2],
    syntax: STOREIND,
    ..Form::new(
        &[OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
        &[STORE_CLASS, STORE_CLASS_2, UNUSED, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
    )
};
pub(in crate::tensix) const STOREIND_SRC: Form = Form {
    opcode: &[OPCODE, STORE_CLASS, STORE_CLASS_2],
    syntax: STOREIND,
    ..Form::new(
        &[STORE_TO_SRCB, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
        &[STORE_CLASS, STORE_CLASS_2, STORE_TO_SRCB, OFFSET_HALF_REG, OFFSET_INCREMENT, DATA_REG, ADDR_REG],
    )
};
/// An argument that the page writes as 0.
const UNUSED: CodeField = field("0", 0, 0);
const TARGET_SEL: CodeField = field("2 + OverrideThread", 20, 2);
const FLOP_CLASS: CodeField = field("ADC", 21, 1);
const FLOP_INDEX: CodeField = field("FlopIndex", 6, 6);
pub(in crate::tensix) const REG2FLOP_ADC: Form = Form {
    opcode: &[OPCODE, FLOP_CLASS],
    syntax: REG2FLOP,
    ..Form::new(
        &[SIZE_SEL, OVERRIDE_THREAD, SHIFT8, THREAD_SEL, FLOP_CHANNEL, ADC_SEL, FLOP_CR, FLOP_XYZW, FLOP_INPUT_REG],
        &[SIZE_SEL, TARGET_SEL, SHIFT8, THREAD_SEL, FLOP_INDEX, FLOP_INPUT_REG],
    )
};
pub(in crate::tensix) const REG2FLOP_CONFIGURATION: Form = Form {
    opcode: &[OPCODE, TARGET_SEL],
    syntax: REG2FLOP,
    ..Form::new(
        &[SIZE_SEL, TH_CON_CFG_INDEX, FLOP_INPUT_REG],
        &[SIZE_SEL, TARGET_SEL, SHIFT8, THREAD_SEL, TH_CON_CFG_INDEX, FLOP_INPUT_REG],
    )
};

/// Bit 7: 0 for an immediate, 1 for what Packers have.
pub const FORM: CodeField = field("form", 7, 1);
/// `ResultHalfReg`, bits 0 to 6: a half of a GPR of the thread, the low one of each first.
pub const RESULT_HALF_REG: CodeField = field("ResultHalfReg", 0, 7);
/// `NewValue` of the immediate form, bits 8 to 23.
pub const NEW_VALUE_OF_HALF: CodeField = field("NewValue", 8, 16);
/// `InputHalfReg`, bits 8 to 10: a half of one of four values.
pub const INPUT_HALF_REG: CodeField = field("InputHalfReg", 8, 3);
/// `InputSource`, bits 11 to 14.
pub const INPUT_SOURCE: CodeField = field("InputSource", 11, 4);
/// `WhichPackers`, bits 15 to 18.
pub const WHICH_PACKERS: CodeField = field("WhichPackers", 15, 4);
/// `ResultSize`, bits 22 and 23.
pub const RESULT_SIZE: CodeField = field("ResultSize", 22, 2);

pub(in crate::tensix) const SETDMAREG_IMMEDIATE: Form = of(&[NEW_VALUE_OF_HALF, RESULT_HALF_REG]);
pub(in crate::tensix) const SETDMAREG_SPECIAL: Form =
    of(&[RESULT_SIZE, WHICH_PACKERS, INPUT_SOURCE, INPUT_HALF_REG, RESULT_HALF_REG]);

const fn of(fields: &'static [CodeField]) -> Form {
    Form { opcode: &[OPCODE, FORM], syntax: SETDMAREG, ..Form::of(fields) }
}

/// As the pages write both forms: a size, which the immediate form writes as 0, a number behind it, the form, and the half that
/// is written. The number has 14 bits, but of the immediate form 16, which reach into the place of the size.
const SETDMAREG: Syntax = Syntax { print, parse };
const NAME: &str = "SETDMAREG";
const NUMBER: CodeField = field("the number", 8, 14);

fn print(facts: &Facts, code: &[u32]) -> String {
    let form = FORM.get(facts.base_code);
    let [size, number] =
        if form == 0 { [0, NEW_VALUE_OF_HALF.get(code)] } else { [RESULT_SIZE.get(code), NUMBER.get(code)] };
    format!("TT_{NAME}({size}, {number:#x}, {form}, {})", RESULT_HALF_REG.get(code))
}

fn parse(facts: &Facts, text: &str) -> Result<Code, SyntaxError> {
    let call = call_syntax::Call::read(NAME, text)?;
    let [size, number, form, half] = call.arguments(4)?[..] else { unreachable!("there are four") };
    let mut code = Code::new(facts.base_code);
    call_syntax::set(&mut code, FORM, form)?;
    call_syntax::check_form(NAME, facts, text, &code)?;
    if FORM.get(&code) == 0 {
        if call_syntax::number(size, RESULT_SIZE.name)? != 0 {
            return Err(SyntaxError(format!("'{text}' has an immediate and a size")));
        }
        call_syntax::set(&mut code, NEW_VALUE_OF_HALF, number)?;
    } else {
        call_syntax::set(&mut code, RESULT_SIZE, size)?;
        call_syntax::set(&mut code, NUMBER, number)?;
    }
    call_syntax::set(&mut code, RESULT_HALF_REG, half)?;
    call.add_rest(&mut code, 0)?;
    Ok(code)
}
