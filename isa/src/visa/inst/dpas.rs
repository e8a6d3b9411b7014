//! `DPAS`: systolic dot products, accumulated.
//!
//! Facts only. *Source*: page DPAS; page Operands (raw and general operands); page Header (the null variable, line 402).
//! Where the page leaves open how floats are summed, cases are compared under a named [model](crate::visa::model).

use super::dpas_text;
use crate::visa::operand::OPCODE;
use crate::visa::operand::dpas::{ALL_FIELDS, M1_NM};
use crate::visa::pages;
use crate::{Facts, Syntax, Unwitnessed};

/// The opcode.
pub const OPCODE_VALUE: u32 = 0x83;

/// `DPAS.s8.s8.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)`: what the code words are where nothing else is asked for.
const BASE_CODE: [u32; 12] = [OPCODE_VALUE | 3 << 8 | M1_NM << 12, 0x0108_0808, 32, 0, 33, 0, 34, 0, 0, 35, 0, 0];

/// The instruction.
pub static DPAS: Facts = Facts {
    isa: "visa",
    name: "DPAS",
    file: "dpas",
    index: 1,
    number: 0,
    summary: "Systolic dot products, accumulated",
    pages: [&pages::DPAS; 2],
    base_code: &BASE_CODE,
    opcode: &[OPCODE],
    code_fields: ALL_FIELDS,
    arguments: &[],
    syntax: Syntax { print: |_, code| dpas_text::print(code), parse: |_, text| dpas_text::parse(text) },
    errata: &[
        "VX-05", "VX-19", "VX-25", "VX-33", "VX-34", "VX-35", "VX-36", "VX-37", "VX-38", "VX-39", "VX-40", "VX-41",
        "VX-42", "VX-43", "VX-44", "VX-45", "VX-46", "VX-47", "VX-48", "VX-49", "VX-50", "VX-51", "VX-52", "VX-53",
        "VX-54", "VX-55", "VX-56", "VX-57", "VX-58", "VX-59", "VX-60", "VX-61", "VX-62", "VX-63", "VX-65", "VX-66",
    ],
    unwitnessed: UNWITNESSED,
}
.numbered();

const TRUNCATES: &str = "layout and BF are witnessed; to HF, the only other implementation that was run truncates";

const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed { axis: "types=16.16", reason: TRUNCATES },
    Unwitnessed { axis: "types=16.null", reason: TRUNCATES },
    Unwitnessed { axis: "model_sum", reason: "of silicon, no sum is known" },
    Unwitnessed { axis: "model_denormals", reason: "the only other implementation that was run keeps them" },
    Unwitnessed { axis: "model_nan", reason: "the only other implementation that was run keeps its host's NaN" },
    Unwitnessed { axis: "model_tf32", reason: "no implementation but ours ignores the low bits of tf32" },
];
