//! Cases of `DPAS`: what names, draws and places them lies in the files beside this one. Where the page leaves open how
//! floats are summed, they are compared under a named [model](tandem_isa::visa::model).

use tandem_isa::visa::inst::dpas;
use tandem_isa::visa::operand::dpas::{A, M1_NM, RC, SD, W};
use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DataType, GeneralVariable, XEHP, bank, cr0};
use tandem_isa::{
    BenchClass, ContestedData, DomainPart, Exhaust, Feed, Instruction, Levels, MAX_AXES, Noise, Parts, Recording,
    Reductions,
};

use super::case::small;
use super::dpas_axes::{self, CELL_CLASSES, CELLS, assign_variables};
use super::dpas_operands::{self, ACTIVATIONS_RANGE, SRC1, SRC2, WEIGHTS_RANGE};
use super::dpas_orthogonal::{AT, ORTHOGONAL, SRC2_REGION};
use super::dpas_quantities::QUANTITIES;
use super::{dpas_place, dpas_reduce, value_class};

/// The instruction.
pub static DPAS: Instruction = Instruction {
    facts: &dpas::DPAS,
    cells: |_| &CELLS,
    orthogonal: |_| &ORTHOGONAL,
    prepare: |parts, _| parts.salt.class[bank::GRF] = value_class::of(DataType::Ud),
    finish: dpas_place::finish,
    cell_class: |_, levels| dpas_axes::cell_class(levels),
    cell_classes: CELL_CLASSES,
    format: |_, parts, which, place| dpas_operands::format_of(parts, which, place),
    contested: dpas_operands::contested,
    contested_data: ContestedData::NOTHING,
    reductions: Reductions { count: dpas_reduce::REDUCTIONS, take: dpas_reduce::reduce },
    quantities: QUANTITIES,
    plain: &["repeat_count=1"],
    // Nearly all cases are promised, and nothing is masked.
    sweep: &[],
    pairs: &[],
    recording: Recording {
        always: &["model_sum", "model_denormals", "model_nan"],
        unpromised: &[
            "repeat_count=0",
            "repeat_count=above 8",
            "src1_type=other",
            "src2_type=other",
            "mask",
            "platform",
            "rounding_mode",
            "model_one_bit=table",
            "dispatch_size=below the execution size",
        ],
        others: 6,
        source_rows: 8,
    },
    bench_classes: BENCH_CLASSES,
    background: None,
    exhaust: |_, levels| exhaust(levels),
};

/// Ends a case as a plain one: all that a depth and a repeat count of 8 read is enabled, aligned, and shares no register.
/// Precisions, channels, depth and types stay; of one bit it goes by the code, and else by the first models.
fn plain_case(parts: &mut Parts<'_>, noise: &mut Noise) {
    RC.set(parts.code, 8);
    EXEC_MASK.set(parts.code, M1_NM);
    for field in SRC2_REGION {
        field.set(parts.code, 0);
    }
    // Weights and activations are integers of 32 bits.
    for operand in [SRC1, SRC2] {
        let variable = operand.entry(parts);
        small(parts).variables[variable].data_type = DataType::Ud.code() as u16;
    }
    let state = small(parts);
    state.platform = XEHP;
    state.cr0 &= !(3 << cr0::ROUNDING_SHIFT);
    // Every orthogonal axis at its first level.
    let mut levels: Levels = [0; MAX_AXES];
    levels[AT.model_one_bit] = 1;
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
    parts.code.copy_from_slice(DPAS.base_code);
    W.set(parts.code, w.code());
    A.set(parts.code, a.code());
    SD.set(parts.code, 8);
    EXEC_SIZE.set(parts.code, 4);
    assign_variables(parts, 0, false);
    let sum = if w.kind() == PrecisionKind::Float { DataType::F } else { DataType::D };
    let state = small(parts);
    (state.grf_size, state.dispatch_size) = (1, 2);
    for (variable, data_type) in state.variables.iter_mut().zip([sum, sum, DataType::D, DataType::D]) {
        *variable = GeneralVariable { data_type: data_type.code() as u16, ..GeneralVariable::default() };
    }
    plain_case(parts, noise);
}

/// Named by precisions, depth, repeat count and channels.
const BENCH_CLASSES: &[BenchClass] = &[
    BenchClass::whole("s8s8-sd8-rc8-x16", |parts, noise| bench_case(parts, [Precision::S8, Precision::S8], noise)),
    BenchClass::whole("u4s4-sd8-rc8-x16", |parts, noise| bench_case(parts, [Precision::U4, Precision::S4], noise)),
    BenchClass::whole("s2s8-sd8-rc8-x16", |parts, noise| bench_case(parts, [Precision::S2, Precision::S8], noise)),
    BenchClass::whole("bfbf-sd8-rc8-x16", |parts, noise| bench_case(parts, [Precision::Bf, Precision::Bf], noise)),
    BenchClass::whole("hfhf-sd8-rc8-x16", |parts, noise| bench_case(parts, [Precision::Hf, Precision::Hf], noise)),
];
