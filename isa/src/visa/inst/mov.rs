//! `MOV`: component-wise move with type conversion.
//!
//! Facts only. *Source*: page MOV; page Operands (operands, regions, predication); page Execution Model (masks); page
//! Data Types (conversion, which page MOV calls "Section X"); page vISA Assembly Syntax. All at commit 98fff716.
//!
//! Implementations use the fields in [`operand`](crate::visa::operand) and nothing of this module but the instruction
//! itself: what names, draws and places cases lies in the files beside this one, and no implementation calls it.

use super::mov_axes::{self, CELL_CLASSES, CELLS, dst_type, narrow, small, src_type};
use super::mov_elements;
use super::mov_orthogonal::ORTHOGONAL;
use super::mov_place;
use super::mov_quantities::QUANTITIES;
use super::mov_reduce;
use super::mov_statements::STATEMENTS;
use super::mov_text;
use crate::visa::operand::{ALL_FIELDS, DST, EXEC_SIZE, OPCODE, SRC0, SRC0_PREDICATE, class, region_code};
use crate::visa::{DataType, GRF_SIZES, GeneralVariable, ROW_BYTES, TypeKind, XEHP, bank, cr0, pages, value_class};
use crate::{
    Axis, BenchClass, CellSpace, Edition, Exhaust, Feed, Format, Instruction, Levels, Noise, Page, Parts, Placement,
    Recording, Reductions, Unwitnessed,
};

/// Size of a word of the register file as a bank, in bytes.
const WORD_BYTES: usize = 4;

/// The opcode.
pub const OPCODE_VALUE: u32 = 0x29;

/// `MOV (M1, 1) V32(0,0)<1> V33(0,0)<0;1,0>`: what the code words are where nothing else is asked for.
const BASE_CODE: [u32; 13] = [OPCODE_VALUE, 0, 0, 32, 0, 0x200, 0, 33, 0, 0x121, 0, 0, 0];

/// The instruction.
pub static MOV: Instruction = Instruction {
    isa: "visa",
    name: "MOV",
    file: "mov",
    index: 0,
    summary: "Component-wise move with type conversion",
    page,
    base_code: &BASE_CODE,
    opcode: &[OPCODE],
    code_fields: ALL_FIELDS,
    cells,
    orthogonal,
    prepare,
    finish: mov_place::finish,
    cell_class: |_, levels| mov_axes::cell_class(levels),
    cell_classes: CELL_CLASSES,
    format: format_of,
    print: mov_text::print,
    parse: mov_text::parse,
    contested: mov_axes::contested,
    reductions: Reductions { count: mov_reduce::REDUCTIONS, take: mov_reduce::reduce },
    quantities: QUANTITIES,
    // Eight elements, one after the other.
    plain: &["exec_size=8", "src_region=contiguous", "src_vert_stride=8", "src_width=8"],
    statements: STATEMENTS,
    statements_report: Some("001"),
    errata: &[
        "VX-01", "VX-02", "VX-03", "VX-04", "VX-05", "VX-06", "VX-07", "VX-08", "VX-09", "VX-10", "VX-11", "VX-12",
        "VX-13", "VX-14", "VX-15", "VX-16", "VX-17", "VX-18", "VX-19", "VX-20", "VX-21", "VX-22", "VX-23", "VX-24",
        "VX-25", "VX-26", "VX-27", "VX-28", "VX-29", "VX-30", "VX-31", "VX-32", "VX-33", "VX-34",
    ],
    unwitnessed: UNWITNESSED,
    recording: Recording {
        unpromised: &[],
        always: &[
            "exec_size",
            "predicate_value",
            "grf_size",
            "src_region",
            "src_vert_stride",
            "src_width",
            "src_horz_stride",
        ],
        others: 8,
        source_rows: 4,
    },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, levels| exhaust(levels),
};

fn page(_: Edition) -> &'static Page {
    &pages::MOV
}

/// What no recorded execution of somebody else's implementation has shown yet: that is all of it. Values of conversions
/// were compared with host floats, `half` and `rustc_apfloat`, which know nothing of this instruction.
const UNWITNESSED: &[Unwitnessed] = &[
    Unwitnessed {
        axis: "dst_type",
        reason: "no MOV of another implementation of vISA has been recorded; the values of conversions agree with three \
                 libraries of floats, see reports/ieee.md",
    },
    Unwitnessed {
        axis: "regions, masks, predication, addresses, overlap",
        reason: "nothing but our own three implementations has run them",
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

/// Data of the destination's type where it has an element in the word, or else of the source's type.
fn format_of(_: Edition, parts: &Parts<'_>, which: usize, place: Option<(usize, usize)>) -> Option<&'static Format> {
    match (which, place) {
        (bank::GRF, Some((row, column))) => {
            let start = row * ROW_BYTES + column * WORD_BYTES;
            mov_elements::format_at(parts, start..start + WORD_BYTES)
        }
        (bank::GRF, None) => dst_type(parts).format(),
        _ => None,
    }
}

// ------------------------------------------------------------------------------------------------ speed

/// Channels of a plain case: as many as fit, of the larger of both types, in two registers of 64 bytes.
fn most_channels(dst: DataType, src: DataType) -> usize {
    (2 * GRF_SIZES[1] / dst.bytes().max(src.bytes())).min(32)
}

/// Ends a case as a plain one: contiguous general operands that share no byte, at the beginning of registers of 64
/// bytes, all channels enabled, no predication. Types, saturation, source modifier, control register and platform stay,
/// and so does a predicate operand.
pub fn plain_case(parts: &mut Parts<'_>, noise: &mut Noise) {
    let (dst, src) = (dst_type(parts), src_type(parts));
    let is_predicate = SRC0.class.get(parts.code) == class::PREDICATE;
    let channels = if is_predicate { 1 } else { most_channels(dst, src) };
    let width = channels.min(16);
    let code_of = |elements: usize| region_code(narrow(elements)).expect("a power of two");
    let modifiers = [DST.modifiers.get(parts.code), SRC0.modifiers.get(parts.code)];
    parts.code.copy_from_slice(&BASE_CODE);
    EXEC_SIZE.set(parts.code, channels.trailing_zeros());
    DST.modifiers.set(parts.code, modifiers[0]);
    SRC0.modifiers.set(parts.code, modifiers[1]);
    if is_predicate {
        SRC0.class.set(parts.code, class::PREDICATE);
        for field in [SRC0.id, SRC0.vert_stride, SRC0.width, SRC0.horz_stride] {
            field.set(parts.code, 0);
        }
        SRC0_PREDICATE.id.set(parts.code, 1);
    } else {
        SRC0.vert_stride.set(parts.code, code_of(width));
        SRC0.width.set(parts.code, code_of(width));
        SRC0.horz_stride.set(parts.code, code_of(1));
    }
    let state = small(parts);
    (state.em, state.dispatch_size, state.grf_size) = (u32::MAX, 2, 1);
    state.predicates[0].log2_num_elements = dst.bits().max(8).trailing_zeros().min(5);
    // Each operand has a half of the file.
    let half = noise.below(2);
    for (index, (data_type, half)) in [(dst, half), (src, 1 - half)].into_iter().enumerate() {
        let register = half * 64 + noise.below(63);
        state.variables[index] = GeneralVariable {
            data_type: data_type.code() as u16,
            num_elements: channels as u16,
            offset: (register * GRF_SIZES[1]) as u16,
            unused: 0,
        };
    }
}

/// Sources of at most 32 bits, in as many channels as a plain case has.
fn exhaust(levels: &Levels) -> Option<Exhaust> {
    let (dst, src) = mov_axes::types_of(levels);
    let datum_bytes = src.bytes();
    let is_domain = datum_bytes <= 4 && !matches!(src.kind(), TypeKind::Bool | TypeKind::Packed);
    let data_per_row = most_channels(dst, src).min(ROW_BYTES / datum_bytes);
    let feed = Feed::Rows { bank: bank::GRF, datum_bytes, data_per_row, place: Placement::LOW_BITS };
    is_domain.then_some(Exhaust { bits: src.bits(), feed, set: plain_case })
}

/// A plain case of two types, without a source modifier, rounded to nearest.
fn bench_case(parts: &mut Parts<'_>, [dst, src]: [DataType; 2], is_saturated: bool, noise: &mut Noise) {
    parts.code.copy_from_slice(&BASE_CODE);
    DST.modifiers.set(parts.code, u32::from(is_saturated) << 2);
    let state = small(parts);
    state.platform = XEHP;
    state.cr0 &= !(3 << cr0::ROUNDING_SHIFT);
    (state.variables[0].data_type, state.variables[1].data_type) = (dst.code() as u16, src.code() as u16);
    parts.salt.class[bank::GRF] = value_class::of(src);
    plain_case(parts, noise);
}

macro_rules! bench {
    ($name:literal, $dst:ident, $src:ident, $sat:literal) => {
        BenchClass {
            name: $name,
            edition: Edition::Newest,
            set: |parts, noise| bench_case(parts, [DataType::$dst, DataType::$src], $sat, noise),
            is_whole: true,
        }
    };
}

/// Named by channels, source and destination.
const BENCH_CLASSES: &[BenchClass] = &[
    bench!("x32-f-hf", Hf, F, false),
    bench!("x32-hf-f", F, Hf, false),
    bench!("x32-f-bf", Bf, F, false),
    bench!("x32-f-b-sat", B, F, true),
    bench!("x32-d-f", F, D, false),
    bench!("x16-df-f", F, Df, false),
];
