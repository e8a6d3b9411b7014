//! `DPAS`: systolic dot products, accumulated.
//!
//! Facts only. *Source*: page DPAS; page Operands (raw and general operands); page Header (the null variable, line 402).
//! Where the page leaves open how floats are summed, cases are compared under a named [model](crate::visa::model).
//!
//! Implementations use the fields in [`operand::dpas`](crate::visa::operand::dpas) and nothing of this module but the
//! instruction itself: what names, draws and places cases lies in the files beside this one.

use super::case::{narrow, small};
use super::dpas_axes::{self, CELL_CLASSES, CELLS};
use super::dpas_operands::{self, ACTIVATIONS_RANGE, WEIGHTS_RANGE};
use super::dpas_orthogonal::ORTHOGONAL;
use super::dpas_quantities::QUANTITIES;
use super::dpas_statements::STATEMENTS;
use super::{dpas_place, dpas_reduce, dpas_text};
use crate::visa::operand::dpas::{A, ALL_FIELDS, DST, M1_NM, RC, SD, SRC0, SRC1, W};
use crate::visa::operand::{EXEC_MASK, EXEC_SIZE, OPCODE, SRC2};
use crate::visa::precision::{Precision, PrecisionKind};
use crate::visa::{DataType, FIRST_GENERAL, GeneralVariable, XEHP, bank, pages, value_class};
use crate::{
    Axis, BenchClass, CellSpace, DomainPart, Edition, Exhaust, Feed, Instruction, Levels, MAX_AXES, Noise, Page, Parts,
    Recording, Reductions, Unwitnessed,
};

/// The opcode.
pub const OPCODE_VALUE: u32 = 0x83;

/// `DPAS.s8.s8.8.1 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)`: what the code words are where nothing else is asked for.
const BASE_CODE: [u32; 12] = [OPCODE_VALUE | 3 << 8 | M1_NM << 12, 0x0108_0808, 32, 0, 33, 0, 34, 0, 0, 35, 0, 0];

/// The instruction.
pub static DPAS: Instruction = Instruction {
    isa: "visa",
    name: "DPAS",
    file: "dpas",
    index: 1,
    summary: "Systolic dot products, accumulated",
    page,
    base_code: &BASE_CODE,
    opcode: &[OPCODE],
    code_fields: ALL_FIELDS,
    cells,
    orthogonal,
    prepare,
    finish: dpas_place::finish,
    cell_class: |_, levels| dpas_axes::cell_class(levels),
    cell_classes: CELL_CLASSES,
    format: |_, parts, which, place| dpas_operands::format_of(parts, which, place),
    print: dpas_text::print,
    parse: dpas_text::parse,
    contested: dpas_operands::contested,
    reductions: Reductions { count: dpas_reduce::REDUCTIONS, take: dpas_reduce::reduce },
    quantities: QUANTITIES,
    plain: &["repeat_count=1"],
    statements: STATEMENTS,
    statements_report: Some("004"),
    errata: &[
        "VX-05", "VX-19", "VX-25", "VX-33", "VX-34", "VX-35", "VX-36", "VX-37", "VX-38", "VX-39", "VX-40", "VX-41",
        "VX-42", "VX-43", "VX-44", "VX-45", "VX-46", "VX-47", "VX-48", "VX-49", "VX-50", "VX-51", "VX-52", "VX-53",
        "VX-54", "VX-55", "VX-56", "VX-57", "VX-58", "VX-59", "VX-60", "VX-61", "VX-62",
    ],
    unwitnessed: UNWITNESSED,
    recording: Recording {
        always: &[],
        unpromised: &[
            "repeat_count=0",
            "repeat_count=above 8",
            "src1_type=other",
            "src2_type=other",
            "mask",
            "dispatch_size=below the execution size",
        ],
        others: 6,
        source_rows: 12,
    },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, levels| exhaust(levels),
};

fn page(_: Edition) -> &'static Page {
    &pages::DPAS
}

const SHORT: &str = "no implementation but ours has run a systolic depth other than 8";
const SUM: &str = "no implementation but ours has run this sum; of silicon, no sum is known";
const TYPES: &str = "no implementation but ours has run a Dst and a Src0 of different types";
const HALF: &str = "layout and BF are witnessed; to HF, the only other implementation that was run truncates";
const ONE_BIT: &str = "no implementation but ours has run precisions of one bit";
const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed { axis: "depth=1, code", reason: SHORT },
    Unwitnessed { axis: "depth=1, prose", reason: SHORT },
    Unwitnessed { axis: "depth=2, code", reason: SHORT },
    Unwitnessed { axis: "depth=2, prose", reason: SHORT },
    Unwitnessed { axis: "depth=4, code", reason: SHORT },
    Unwitnessed { axis: "depth=4, prose", reason: SHORT },
    Unwitnessed { axis: "types=D.UD", reason: TYPES },
    Unwitnessed { axis: "types=UD.D", reason: TYPES },
    Unwitnessed { axis: "types=F.16", reason: TYPES },
    Unwitnessed { axis: "types=16.F", reason: TYPES },
    Unwitnessed { axis: "types=16.16", reason: HALF },
    Unwitnessed { axis: "types=16.null", reason: HALF },
    Unwitnessed { axis: "sum=fused", reason: SUM },
    Unwitnessed { axis: "sum=pairwise", reason: SUM },
    Unwitnessed { axis: "sum=single-rounding", reason: SUM },
    Unwitnessed { axis: "reading=one bit by the code", reason: ONE_BIT },
    Unwitnessed { axis: "reading=tf32 truncated", reason: "no implementation but ours ignores the low bits of tf32" },
    Unwitnessed {
        axis: "overlap, leads, src2_column, src2_region, dispatch_size, masks, rounding_mode, denorm",
        reason: "nothing but our own implementations has run them",
    },
];

fn cells(_: Edition) -> &'static CellSpace {
    &CELLS
}

fn orthogonal(_: Edition) -> &'static [Axis] {
    &ORTHOGONAL
}

fn prepare(parts: &mut Parts<'_>, _: &mut Noise) {
    parts.salt.class[bank::GRF] = value_class::of(DataType::Ud);
}

/// Ends a case as a plain one: all that a depth and a repeat count of 8 read is enabled, aligned, and shares no register.
/// Precisions, channels, depth, types and models stay.
fn plain_case(parts: &mut Parts<'_>, noise: &mut Noise) {
    RC.set(parts.code, 8);
    EXEC_MASK.set(parts.code, M1_NM);
    for field in [SRC2.vert_stride, SRC2.width, SRC2.horz_stride] {
        field.set(parts.code, 0);
    }
    // Weights and activations are integers of 32 bits.
    for field in [SRC1.id, SRC2.id] {
        let id = field.get(parts.code);
        small(parts).variables[super::case::entry(id)].data_type = DataType::Ud.code() as u16;
    }
    // Every orthogonal axis at its first level.
    let mut levels: Levels = [0; MAX_AXES];
    dpas_place::finish(parts, &mut levels, noise);
}

/// The parts of a pair of elements, by the logarithms of their widths.
static PAIR_PARTS: [[[DomainPart; 2]; 4]; 4] = {
    let none = DomainPart { range: 0, bits: 0 };
    let mut parts = [[[none; 2]; 4]; 4];
    let mut w = 0;
    while w < 4 {
        let mut a = 0;
        while a < 4 {
            parts[w][a] = [
                DomainPart { range: ACTIVATIONS_RANGE, bits: 1 << a },
                DomainPart { range: WEIGHTS_RANGE, bits: 1 << w },
            ];
            a += 1;
        }
        w += 1;
    }
    parts
};

/// Every pair of elements of integer precisions, at all pairs of places that are multiplied.
fn exhaust(levels: &Levels) -> Option<Exhaust> {
    let (w, a) = dpas_axes::precisions_of(levels)?;
    let is_float = [w, a].into_iter().any(|precision| precision.kind() == PrecisionKind::Float);
    if is_float || !dpas_axes::is_promised(levels) {
        return None;
    }
    let [row, column] = [w, a].map(|precision| precision.bits().trailing_zeros() as usize);
    Some(Exhaust { bits: w.bits() + a.bits(), feed: Feed::Cut(&PAIR_PARTS[row][column]), set: plain_case })
}

// ------------------------------------------------------------------------------------------------ speed

/// Sixteen channels, depth and repeat count 8, operands at the beginnings of registers of 64 bytes, sequential sums.
fn bench_case(parts: &mut Parts<'_>, [w, a]: [Precision; 2], noise: &mut Noise) {
    parts.code.copy_from_slice(&BASE_CODE);
    W.set(parts.code, w.code());
    A.set(parts.code, a.code());
    SD.set(parts.code, 8);
    EXEC_SIZE.set(parts.code, 4);
    for (place, field) in (0..).zip([DST.id, SRC0.id, SRC1.id, SRC2.id]) {
        field.set(parts.code, FIRST_GENERAL + narrow(place));
    }
    let sum = if w.kind() == PrecisionKind::Float { DataType::F } else { DataType::D };
    let state = small(parts);
    (state.grf_size, state.platform, state.model, state.dispatch_size) = (1, XEHP, 0, 2);
    for (variable, data_type) in state.variables.iter_mut().zip([sum, sum, DataType::D, DataType::D]) {
        *variable = GeneralVariable { data_type: data_type.code() as u16, ..GeneralVariable::default() };
    }
    plain_case(parts, noise);
}

macro_rules! bench {
    ($name:literal, $w:ident, $a:ident) => {
        BenchClass {
            name: $name,
            edition: Edition::Newest,
            set: |parts, noise| bench_case(parts, [Precision::$w, Precision::$a], noise),
            is_whole: true,
        }
    };
}

/// Named by precisions, depth, repeat count and channels.
const BENCH_CLASSES: &[BenchClass] = &[
    bench!("s8s8-sd8-rc8-x16", S8, S8),
    bench!("u4s4-sd8-rc8-x16", U4, S4),
    bench!("s2s8-sd8-rc8-x16", S2, S8),
    bench!("bfbf-sd8-rc8-x16", Bf, Bf),
    bench!("hfhf-sd8-rc8-x16", Hf, Hf),
];
