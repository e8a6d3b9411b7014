//! Cases of `DPAS`. Where the page leaves open how floats are summed, they are compared under a named
//! [model](tandem_isa::visa::model). What its files call by name stands here.

mod axes;
mod operands;
mod orthogonal;
mod pairs;
mod place;
mod quantities;
mod reduce;

use std::collections::BTreeSet;

use tandem_isa::lists::{join, total};
use tandem_isa::visa::inst::dpas;
use tandem_isa::visa::model::{GUARDS, MODELS, PARTS, Sum};
use tandem_isa::visa::operand::SRC2 as SRC2_FIELDS;
use tandem_isa::visa::operand::dpas::{self as fields, A, M1_NM, NULL_VARIABLE, RC, SD, W};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::{DomainPart, SaltRange};

use self::axes::{CELL_CLASSES, CELLS, assign_variables, is_promised, is_summed_in_float, precisions_of, variables};
use self::operands::{
    ACTIVATIONS_RANGE, DST, Dpas, OPERANDS, SRC0, SRC1, SRC2, Shape, VALUES, WEIGHTS_RANGE, at, element_bits,
    plan_salt, registers, src0_type, starts,
};
use self::orthogonal::{AT, BELOW, ORTHOGONAL, SRC2_REGION, set_models};
use self::pairs::{PAIRS, PRECISIONS, Pair, activations, is_float, is_signed, pair, pair_of_level, weights};
use super::raw::Raw;
use super::values::salted;
use super::*;

/// The instruction.
pub static DPAS: Instruction = Instruction {
    facts: &dpas::DPAS,
    cells: |_| &CELLS,
    orthogonal: |_| &ORTHOGONAL,
    prepare: |parts, _| parts.salt.class[bank::GRF] = value_class::of(DataType::Ud),
    finish: place::finish,
    cell_class: |_, levels| axes::cell_class(levels),
    cell_classes: CELL_CLASSES,
    format: |_, parts, which, place| operands::format_of(parts, which, place),
    contested: operands::contested,
    contested_data: ContestedData::NOTHING,
    reductions: Reductions { count: reduce::REDUCTIONS, take: reduce::reduce },
    quantities: quantities::QUANTITIES,
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
    put(parts.code, [(RC, 8), (EXEC_MASK, M1_NM)]);
    put(parts.code, SRC2_REGION.map(|field| (field, 0)));
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
    place::finish(parts, &mut levels, noise);
}

/// The parts of a pair of elements, by the logarithms of their widths.
static PAIR_PARTS: [[[DomainPart; 2]; 4]; 4] = {
    let mut parts = [[[DomainPart { range: 0, bits: 0 }; 2]; 4]; 4];
    let mut at = 0;
    while at < 16 {
        let (w, a) = (at / 4, at % 4);
        parts[w][a] =
            [DomainPart { range: ACTIVATIONS_RANGE, bits: 1 << a }, DomainPart { range: WEIGHTS_RANGE, bits: 1 << w }];
        at += 1;
    }
    parts
};

/// Every pair of elements of integer precisions, at all pairs of places that are multiplied.
fn exhaust(levels: &Levels) -> Option<Exhaust> {
    let (w, a) = precisions_of(levels).filter(|_| is_promised(levels))?;
    let [row, column] = [w, a].map(|precision| precision.bits().trailing_zeros() as usize);
    let parts = PAIR_PARTS.get(row)?.get(column).filter(|_| !is_float(w) && !is_float(a))?;
    Some(Exhaust { bits: w.bits() + a.bits(), feed: Feed::Cut(parts), set: plain_case })
}

/// Sixteen channels, depth and repeat count 8, operands at the beginnings of registers of 64 bytes, sequential sums.
fn bench_case(parts: &mut Parts<'_>, [w, a]: [Precision; 2], noise: &mut Noise) {
    parts.code.copy_from_slice(DPAS.base_code);
    put(parts.code, [(W, w.code()), (A, a.code()), (SD, 8), (EXEC_SIZE, 4)]);
    assign_variables(parts, 0, false);
    let sum = if is_float(w) { DataType::F } else { DataType::D };
    let state = small(parts);
    (state.grf_size, state.dispatch_size) = (1, 2);
    for (variable, data_type) in state.variables.iter_mut().zip([sum, sum, DataType::D, DataType::D]) {
        *variable = declared(data_type, 0, 0);
    }
    plain_case(parts, noise);
}

macro_rules! bench {
    ($($name:literal $w:ident $a:ident;)+) => {
        &[$(BenchClass::whole($name, |parts, noise| bench_case(parts, [Precision::$w, Precision::$a], noise))),+]
    };
}

/// Named by precisions, depth, repeat count and channels.
const BENCH_CLASSES: &[BenchClass] = bench! {
    "s8s8-sd8-rc8-x16" S8 S8;
    "u4s4-sd8-rc8-x16" U4 S4;
    "s2s8-sd8-rc8-x16" S2 S8;
    "bfbf-sd8-rc8-x16" Bf Bf;
    "hfhf-sd8-rc8-x16" Hf Hf;
};
