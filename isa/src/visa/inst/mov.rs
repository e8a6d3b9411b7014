//! `MOV`: component-wise move with type conversion.
//!
//! Facts only. *Source*: page MOV; page Operands (operands, regions, predication); page Execution Model (masks); page
//! Data Types (conversion, which page MOV calls "Section X"); page vISA Assembly Syntax. All at commit 98fff716.

use super::mov_text;
use crate::visa::operand::{ALL_FIELDS, OPCODE};
use crate::visa::pages;
use crate::{Facts, Syntax, Unwitnessed};

/// The opcode.
pub const OPCODE_VALUE: u32 = 0x29;

/// `MOV (M1, 1) V32(0,0)<1> V33(0,0)<0;1,0>`: what the code words are where nothing else is asked for.
const BASE_CODE: [u32; 13] = [OPCODE_VALUE, 0, 0, 32, 0, 0x200, 0, 33, 0, 0x121, 0, 0, 0];

/// The instruction.
pub static MOV: Facts = Facts {
    isa: "visa",
    name: "MOV",
    file: "mov",
    index: 0,
    number: 0,
    summary: "Component-wise move with type conversion",
    pages: [&pages::MOV; 2],
    base_code: &BASE_CODE,
    opcode: &[OPCODE],
    code_fields: ALL_FIELDS,
    arguments: &[],
    syntax: Syntax { print: |_, code| mov_text::print(code), parse: |_, text| mov_text::parse(text) },
    errata: &[
        "VX-01", "VX-02", "VX-03", "VX-04", "VX-05", "VX-06", "VX-07", "VX-08", "VX-09", "VX-10", "VX-11", "VX-12",
        "VX-13", "VX-14", "VX-15", "VX-16", "VX-17", "VX-18", "VX-19", "VX-20", "VX-21", "VX-22", "VX-23", "VX-24",
        "VX-25", "VX-26", "VX-27", "VX-28", "VX-29", "VX-30", "VX-31", "VX-32", "VX-33", "VX-34", "VX-64",
    ],
    unwitnessed: UNWITNESSED,
}
.numbered();

/// What no recorded execution of somebody else's implementation has shown yet: that is all of it. Values of conversions
/// were compared with host floats, `half` and `rustc_apfloat`, which know nothing of this instruction.
const UNWITNESSED: &[Unwitnessed] = &[Unwitnessed {
    axis: "conversions",
    reason: "their values agree with three libraries of floats, see reports/ieee.md",
}];
