//! Cases of `MOV`: what names, draws and places them lies in the files beside this one.

use std::sync::LazyLock;

use tandem_isa::visa::inst::mov;
use tandem_isa::visa::operand::{self, EXEC_SIZE, SRC0_CONST, SRC0_PREDICATE, class};
use tandem_isa::visa::{DataType, GRF_SIZES, GeneralVariable, ROW_BYTES, TypeKind, XEHP, bank, cr0};
use tandem_isa::{
    BenchClass, CellSpace, ContestedData, Exhaust, Feed, Instruction, Levels, Noise, Parts, Placement, Recording,
};

use super::case::{peek, small};
use super::channels::put_touched;
use super::form::{Form, Matters, has_cell, instruction};
use super::mov_types::{self, CELL_CLASSES};
use super::operand::{Names, Operand, Slots, names};
use super::values::WHOLE;
use super::vector::Vector;
use super::{value_class, vector_place};

/// Its table of operands.
pub(super) struct Mov;

pub(super) const DST: Vector = Vector::destination(operand::DST);
pub(super) const SRC0: Vector = Vector::source(operand::SRC0, SRC0_CONST, SRC0_PREDICATE);

impl Slots for Mov {
    type Operand = Vector;
    const OPERANDS: &'static [Vector] = &[DST, SRC0];
    const NAMES: &'static [Names] = &[names!("dst", "Dst"), names!("src", "Src0")];

    fn put_touched(parts: &mut Parts<'_>, operand: &Vector, value: u32) {
        put_touched(parts, Self::OPERANDS, operand, value);
    }
}

impl Form for Mov {
    const MODIFIERS: &'static [&'static str] = &["source_modifier"];
    const CLASSES: &'static [&'static str] = CELL_CLASSES;

    fn class(levels: &Levels) -> &'static str {
        mov_types::cell_class(levels)
    }

    fn matters(dst: DataType, sources: &[DataType], is_plain: bool) -> Matters {
        mov_types::matters(dst, sources[0], is_plain)
    }
}

/// The cells.
pub(super) static CELLS: LazyLock<CellSpace> = LazyLock::new(|| CellSpace::new(Mov::PATH, has_cell::<Mov>));

const FORM: Instruction = instruction::<Mov>(&mov::MOV, |_| &CELLS);

/// The instruction.
pub static MOV: Instruction = Instruction {
    finish,
    contested: mov_types::contested,
    contested_data: ContestedData { row: mov_types::contested_row, ..ContestedData::NOTHING },
    // Eight elements, one after the other, apart from the destination; the strides come of that.
    plain: &["exec_size=8", "src_region=contiguous", "src_place=last"],
    recording: Recording {
        always: &[
            "exec_size",
            "predicate_value",
            "grf_size",
            "src_region",
            "src_vert_stride",
            "src_width",
            "src_horz_stride",
        ],
        ..FORM.recording
    },
    bench_classes: BENCH_CLASSES,
    exhaust: |_, levels| exhaust(levels),
    ..FORM
};

// ------------------------------------------------------------------------------------------------ speed

/// Channels of a plain case: as many as fit, of the larger of both types, in two registers of 64 bytes.
fn most_channels(dst: DataType, src: DataType) -> usize {
    (2 * GRF_SIZES[1] / dst.bytes().max(src.bytes())).min(32)
}

/// Ends a case as a plain one: contiguous general operands that share no byte, at the beginning of registers of 64
/// bytes, all channels enabled, no predication. Types, saturation, source modifier, control register and platform stay,
/// and so does a predicate operand.
pub fn plain_case(parts: &mut Parts<'_>, noise: &mut Noise) {
    let [dst, src] = [DST, SRC0].map(|operand| operand.data_type(parts));
    let is_predicate = SRC0.fields.class.get(parts.code) == class::PREDICATE;
    let channels = if is_predicate { 1 } else { most_channels(dst, src) };
    let width = channels.min(16);
    let modifiers = [DST.fields.modifiers.get(parts.code), SRC0.fields.modifiers.get(parts.code)];
    parts.code.copy_from_slice(MOV.base_code);
    EXEC_SIZE.set(parts.code, channels.trailing_zeros());
    DST.fields.modifiers.set(parts.code, modifiers[0]);
    SRC0.fields.modifiers.set(parts.code, modifiers[1]);
    if is_predicate {
        SRC0.fields.class.set(parts.code, class::PREDICATE);
        for field in SRC0.strides().into_iter().chain([&SRC0.fields.id]) {
            field.set(parts.code, 0);
        }
        SRC0_PREDICATE.id.set(parts.code, 1);
    } else {
        SRC0.set_region(parts.code, [width, width, 1]);
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
    let (dst, src) = mov_types::types_of(levels);
    let datum_bytes = src.bytes();
    let is_domain = datum_bytes <= 4 && !matches!(src.kind(), TypeKind::Bool | TypeKind::Packed);
    let data_per_row = most_channels(dst, src).min(ROW_BYTES / datum_bytes);
    let feed = Feed::Rows { bank: bank::GRF, datum_bytes, data_per_row, place: Placement::LOW_BITS };
    is_domain.then_some(Exhaust { bits: src.bits(), feed, set: plain_case })
}

/// Places operands. An integer becomes a float under another rounding mode than to nearest only if the float equals it, so such
/// cases have nothing but such integers, those that sweep too; with one or two elements, one in eight has any.
fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let (dst, src) = (DST.data_type(parts), SRC0.data_type(parts));
    let is_directed = peek(parts).cr0 >> cr0::ROUNDING_SHIFT & 3 != 0;
    if is_directed
        && dst.kind() == TypeKind::Float
        && matches!(src.kind(), TypeKind::Unsigned | TypeKind::Signed)
        && (EXEC_SIZE.get(parts.code) > 1 || noise.below(8) != 0)
    {
        let whole = WHOLE.iter().find(|(bits, _)| *bits == src.bits());
        parts.salt.class[bank::GRF] = whole.map_or(parts.salt.class[bank::GRF], |&(_, class)| class);
    }
    vector_place::finish::<Mov>(parts, levels, noise);
}

/// A plain case of two types, without a source modifier, rounded to nearest.
fn bench_case(parts: &mut Parts<'_>, [dst, src]: [DataType; 2], is_saturated: bool, noise: &mut Noise) {
    parts.code.copy_from_slice(MOV.base_code);
    DST.fields.modifiers.set(parts.code, u32::from(is_saturated) << 2);
    let state = small(parts);
    state.platform = XEHP;
    state.cr0 &= !(3 << cr0::ROUNDING_SHIFT);
    (state.variables[0].data_type, state.variables[1].data_type) = (dst.code() as u16, src.code() as u16);
    parts.salt.class[bank::GRF] = value_class::of(src);
    plain_case(parts, noise);
}

/// Named by channels, source and destination.
const BENCH_CLASSES: &[BenchClass] = &[
    BenchClass::whole("x32-f-hf", |parts, noise| bench_case(parts, [DataType::Hf, DataType::F], false, noise)),
    BenchClass::whole("x32-hf-f", |parts, noise| bench_case(parts, [DataType::F, DataType::Hf], false, noise)),
    BenchClass::whole("x32-f-bf", |parts, noise| bench_case(parts, [DataType::Bf, DataType::F], false, noise)),
    BenchClass::whole("x32-f-b-sat", |parts, noise| bench_case(parts, [DataType::B, DataType::F], true, noise)),
    BenchClass::whole("x32-d-f", |parts, noise| bench_case(parts, [DataType::F, DataType::D], false, noise)),
    BenchClass::whole("x16-df-f", |parts, noise| bench_case(parts, [DataType::F, DataType::Df], false, noise)),
];
