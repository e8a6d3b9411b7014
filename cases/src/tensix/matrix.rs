//! Cases of instructions that compute on `SrcA` and `SrcB` and write `Dst`, on both chips.

use std::marker::PhantomData;
use std::mem::offset_of;

use tandem_isa::tensix::config::{self, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::matrix::{
    ADD_DST, ARG_MAX, BROADCAST_COL0, BROADCAST_ROW, INSTR_MOD19, MVMUL_BROADCAST_ROW, addr_mod, pool_addr_mod,
};
use tandem_isa::tensix::inst::mova2d::DST_ROW;
use tandem_isa::tensix::{Chip, Rwc, bank, format};
use tandem_isa::{
    Axis, BenchClass, CodeField, ContestedData, ContestedDatum, Format, Levels, MAX_AXES, Parts, Quantity, Recording,
};

use crate::list::List;
use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, RARE_EXTRA, SET_BASE};
use super::addr_mod_quantities::DST_COUNTERS;
use super::banks::{
    OTHER_OWNER, OTHER_SRCB_OWNER, OWNER, OWNER_OF_SRCA, OWNER_OF_SRCB, SRCA_BANK, SRCB_BANK, SRCB_OWNER,
};
use super::control::{flip_axes, unnamed};
use super::lens::{FormatSource, Lens, NONE_OR_SOME, Partition, flag, split};
use super::mova2d_axes::{FP32_ENABLED, INT8_MATH_ENABLED, OVERRIDE, ZERO_FLAG_DISABLED};
use super::moves::{
    DST_ROW_AXIS, ROW_OF_DST, SRCA_FMT_NOT_IMPLIED, SRCB_FMT_NOT_IMPLIED, SRCB_OVERRIDE, WHOLE_ROW_OF_DST, format_axis,
    resolved_format,
};
use super::parts::{
    MATH_OFFSET, REGW_BASE, RWC_DST, RWC_SRCA, RWC_SRCB, STATE_ID, THREAD, VALIDITY, fresh_counters, get_config,
    get_thread_config, no_int8_of_source, row_base_beyond_hardware, rwc, rwc_mut,
};
use super::sfpu_axes::DEST_ACCESS;
use super::state_quantities::{STATE, dst_sum};
use super::value_class::{
    BITS32, DST, DST_BF16, DST_FP16, DST_INT32, MIXED_VALIDITY, SRC_EXP5, SRC_EXP8, SRC_INT8, SRC_NEGATIVE, SRC_ONE,
    SRC_ONE_EXP5, SRC_SCALES,
};
use super::{CASES, Cases, Class, Data, On, axes, concat};

// -------------------------------------------------------------------------------------------------- axes

/// What computes, on a chip; pools have their AddrMod elsewhere on Blackhole.
struct Computes<C, const POOLS: bool>(PhantomData<C>);

impl<C: On, const POOLS: bool> AddrModField for Computes<C, POOLS> {
    const FIELD: CodeField = if POOLS { pool_addr_mod(C::CHIP) } else { addr_mod(C::CHIP) };
    const CHIP: Chip = C::CHIP;
}

const PHASES: &[&str] = &["0", "1", "2", "3"];

/// The fidelity phase in force, which is a sum.
fn phase_of<C: On>(parts: &Parts<'_>) -> u32 {
    (rwc(parts).fidelity_phase + get_thread_config(parts, Of::<C>::PHASE_BASE)) & 3
}

fn put_phase<C: On>(parts: &mut Parts<'_>, phase: u32) {
    rwc_mut(parts).fidelity_phase = phase.wrapping_sub(get_thread_config(parts, Of::<C>::PHASE_BASE)) & 3;
}

/// What lies elsewhere on each chip.
struct Of<C>(PhantomData<C>);

impl<C: On> Of<C> {
    const SRCA: FormatSource = FormatSource::srca(C::CHIP, bank::SRCA);
    const SRCB: FormatSource = FormatSource::srcb(C::CHIP);
    const FORCE: ThreadConfigField = C::CHIP.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);
    const PHASE_BASE: ThreadConfigField = C::CHIP.pick(config::FIDELITY_BASE_Phase, blackhole::FIDELITY_BASE_Phase);

    const SRCA_FMT: Axis = format_axis!("SrcAFmt", Self::SRCA);
    const PHASE: Axis = Axis {
        name: "fidelity_phase",
        levels: PHASES,
        weights: &[],
        set: |parts, level, _| put_phase::<C>(parts, level as u32),
        get: |parts| phase_of::<C>(parts) as usize,
    };

    /// The numbers.
    const QUANTITIES: &'static [Quantity] = &[
        resolved_format!("resolved SrcAFmt", Self::SRCA),
        resolved_format!("resolved SrcBFmt", Self::SRCB),
        Quantity::new("fidelity phase in force", 2, phase_of::<C>, put_phase::<C>),
        ROW_OF_DST,
        OWNER_OF_SRCA,
        OWNER_OF_SRCB,
        WHOLE_ROW_OF_DST,
    ];
}

/// The counter of `SrcA`, of what reads 16 rows from a multiple of eight on.
const RWC_SRCA_OF_16: Axis = split!(
    "rwc_srca",
    &["0", "1-7", "8-15", "16-47", "48-55", "56-63"],
    &[2, 2, 2, 4, 2, 1],
    Lens::rwc(offset_of!(Rwc, srca), 6),
    Partition::Ranges(&[(0, 0), (1, 7), (8, 15), (16, 47), (48, 55), (56, 63)])
);

/// Whether the data of both sources are integer "8", as integer style wants them.
const SOURCE_DATA: Axis = Axis {
    name: "source_data",
    levels: &["integer 8", "any"],
    weights: &[15, 1],
    set: |parts, level, noise| {
        let any = [[SRC_EXP8, SRC_EXP5], [SRC_EXP5, SRC_INT8], [SRC_INT8, SRC_EXP5], [SRC_EXP5, SRC_EXP5]];
        let [srca, srcb] = if level == 0 { [SRC_INT8; 2] } else { any[noise.below(4)] };
        (parts.salt.class[bank::SRCA], parts.salt.class[bank::SRCB]) = (srca, srcb);
    },
    get: |parts| usize::from([bank::SRCA, bank::SRCB].iter().any(|&source| parts.salt.class[source] != SRC_INT8)),
};

/// What a bank is salted with: one of these classes.
macro_rules! salted {
    ($name:literal, $levels:expr, $weights:expr, $bank:expr, $classes:expr) => {
        Axis {
            name: $name,
            levels: $levels,
            weights: $weights,
            set: |parts, level, _| parts.salt.class[$bank] = $classes[level],
            get: |parts| $classes.iter().position(|&class| class == parts.salt.class[$bank]).unwrap_or_default(),
        }
    };
}

const SRCA_DATA: Axis = salted!(
    "srca_data",
    &["8-bit exponent", "5-bit exponent", "integer 8", "few negative"],
    &[3, 3, 2, 3],
    bank::SRCA,
    [SRC_EXP8, SRC_EXP5, SRC_INT8, SRC_NEGATIVE]
);
const SRCB_DATA: Axis = salted!(
    "srcb_data",
    &["1.0", "1.0 of FP16", "few exponents", "8-bit exponent", "5-bit exponent"],
    &[3, 3, 3, 1, 1],
    bank::SRCB,
    [SRC_ONE, SRC_ONE_EXP5, SRC_SCALES, SRC_EXP8, SRC_EXP5]
);

impl<C: On, const POOLS: bool> Computes<C, POOLS> {
    /// The orthogonal axes: what all have, with those of the chip, and the instruction's own. On Blackhole there is no
    /// `ADDR_MOD_SET_Base`, and rows of `Dst` and formats come from more places.
    const fn axes(own: &[Axis], of_chip: &[Axis], unnamed: Axis) -> List<Axis, MAX_AXES> {
        concat(&[
            &[THREAD, STATE_ID, SRCA_BANK, SRCB_BANK, OWNER, OTHER_OWNER, SRCB_OWNER, OTHER_SRCB_OWNER],
            C::CHIP.pick(&[EXTRA, SET_BASE], &[RARE_EXTRA, SRCA_FMT_NOT_IMPLIED, SRCB_FMT_NOT_IMPLIED, DEST_ACCESS]),
            of_chip,
            &[OVERRIDE, SRCB_OVERRIDE, format_axis!("SrcBFmt", Of::<C>::SRCB)],
            &[Axis { weights: &[31, 1], ..flag!("FP16A_FORCE_Enable", Lens::Thread(Of::<C>::FORCE)) }],
            &[DST_ROW_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE, RWC_SRCB],
            &[split!("fidelity_base", PHASES, &[], Lens::Thread(Of::<C>::PHASE_BASE), Partition::Each), VALIDITY],
            &flip_axes::<C>(),
            own,
            &[AddrModAxes::<Self>::SECTION],
            &AddrModAxes::<Self>::MEMBERS,
            &[ROW_SHAPE, unnamed],
        ])
    }

    const QUANTITIES: &'static [&'static [Quantity]] =
        &[Of::<C>::QUANTITIES, AddrModAxes::<Self>::QUANTITIES, STATE[C::CHIP as usize]];
}

/// The same, in both editions; bits without a name lie elsewhere on each chip.
macro_rules! orthogonal {
    ($pools:literal, $own:expr, $of_chip:expr, $unnamed:literal $unnamed_bh:literal) => {
        [const {
            let unnamed = unnamed!(C::CHIP.pick($unnamed, $unnamed_bh));
            &Computes::<C, $pools>::axes($own, $of_chip, unnamed)
        }
        .items(); 2]
    };
}

// -------------------------------------------------------------------------------------------------- what data are

/// What the data of the sources are, in the order of the classes of `GMPOOL`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Int8,
    Bf16,
    Fp16,
    Tf32,
}

impl Style {
    fn of(fmt: u32, int8_math: bool) -> Self {
        match fmt {
            _ if int8_math => Style::Int8,
            format::FP16 | format::BFP8A | format::BFP4A | format::FP8 | format::BFP2A | format::INT8 => Style::Fp16,
            format::TF32 | 12 | 13 => Style::Tf32,
            _ => Style::Bf16,
        }
    }

    fn of_parts<C: On>(parts: &Parts<'_>) -> Self {
        let int8_math = get_config(parts, config::ALU_ACC_CTRL_INT8_math_enabled) != 0;
        Self::of(Of::<C>::SRCA.get(parts), int8_math)
    }

    fn format(self, parts: &Parts<'_>, which: usize) -> Option<&'static Format> {
        let is_wide = self == Style::Int8 || get_config(parts, config::ALU_ACC_CTRL_Fp32_enabled) != 0;
        match (which, self) {
            (bank::DST, _) if is_wide => Some(&format::DST_BITS),
            (bank::DST, Style::Fp16) => Some(&format::DST_FP16),
            (bank::DST, _) => Some(&format::DST_BF16),
            (bank::SRCA | bank::SRCB, Style::Int8) => Some(&format::SRC_INT8),
            (bank::SRCA | bank::SRCB, Style::Bf16) => Some(&format::SRC_BF16),
            (bank::SRCA | bank::SRCB, Style::Fp16) => Some(&format::SRC_FP16),
            (bank::SRCA | bank::SRCB, Style::Tf32) => Some(&format::SRC_TF32),
            _ => None,
        }
    }
}

const fn data<C: On>() -> Data {
    Data::Of(|_, parts, which, _| Style::of_parts::<C>(parts).format(parts, which))
}

/// Why a word of a source is no integer "8", where it is taken for one.
fn no_int8(parts: &Parts<'_>, words: &[u32]) -> Option<ContestedDatum> {
    let is_integer = get_config(parts, config::ALU_ACC_CTRL_INT8_math_enabled) != 0;
    is_integer.then(|| no_int8_of_source(words)).flatten()
}

/// What all have that multiply or add.
const ARITHMETIC: Cases = Cases {
    prepare: |parts, noise| {
        (parts.salt.class[bank::SRCA], parts.salt.class[bank::SRCB]) = (SRC_INT8, SRC_INT8);
        parts.salt.class[bank::DST] = [DST_INT32, DST][noise.below(2)];
        fresh_counters(parts, noise);
    },
    contested_data: ContestedData {
        case: row_base_beyond_hardware,
        row: |parts, which, _, words| {
            if matches!(which, bank::SRCA | bank::SRCB) { no_int8(parts, words) } else { None }
        },
    },
    sweep: &[
        "owner",
        "srcb_owner",
        "FP16A_FORCE_Enable",
        "source_data",
        "unnamed_bits",
        "rwc_dst=any",
        "rwc_srcb=any",
        "increments=any",
    ],
    pairs: &[DST_COUNTERS],
    background: Some(&[DST_INT32, SRC_INT8, SRC_INT8, BITS32, MIXED_VALIDITY, BITS32]),
    ..CASES
};

/// What is recorded: enough rows for data of both sources to meet.
macro_rules! recording {
    ($source_rows:literal, [$($unpromised:literal),*]) => {
        Recording {
            unpromised: C::CHIP.pick(
                &["unnamed_bits", "FP16A_FORCE_Enable" $(, $unpromised)*],
                &["unnamed_bits", "FP16A_FORCE_Enable", "extra_addr_mod_bit" $(, $unpromised)*],
            ),
            source_rows: $source_rows,
            ..CASES.recording
        }
    };
}

/// A case in integer style that is done in full.
macro_rules! bench {
    ($name:literal) => {
        const {
            &[BenchClass::new($name, |parts, noise| {
                for axis in [OWNER, SRCB_OWNER, SOURCE_DATA, RWC_SRCA] {
                    (axis.set)(parts, 0, noise);
                }
                (INT8_MATH_ENABLED.set)(parts, 1, noise);
                parts.code[0] &= tandem_isa::tensix::inst::OPCODE.mask();
                INSTR_MOD19.set(parts.code, u32::from($name == "gmpool-int8"));
            })]
        }
    };
}

// -------------------------------------------------------------------------------------------------- matrices

/// Why rows of a product of matrices are contested.
fn contested_rows(parts: &Parts<'_>) -> Option<&'static str> {
    (rwc(parts).srca & 8 != 0).then_some(
        "the summary of page MVMUL (commit 1ae1f852) has sixteen aligned rows of SrcA, and its model aligns them to eight \
         (TX-60)",
    )
}

/// The paths of what multiplies.
const MULTIPLIED: &[&str] = &["float", "integer, phase 0", "integer, phase 1", "integer, phase 2", "integer, phase 3"];

const fn multiplied<const PHASE: usize>() -> Class {
    Class::Of(
        |_, levels| if levels[0] == 0 { MULTIPLIED[0] } else { MULTIPLIED[1 + usize::from(levels[PHASE])] },
        MULTIPLIED,
    )
}

pub(super) const fn mvmul<C: On>() -> Cases {
    const ROW: Axis = flag!("BroadcastSrcBRow", Lens::Code(MVMUL_BROADCAST_ROW));
    Cases {
        path: axes!(&[INT8_MATH_ENABLED, ROW, Of::<C>::PHASE, ZERO_FLAG_DISABLED, Of::<C>::SRCA_FMT]),
        class: multiplied::<2>(),
        orthogonal: orthogonal!(false, &[RWC_SRCA_OF_16, FP32_ENABLED, SOURCE_DATA], &[], 0x36_7c00 0x36_3c00),
        data: data::<C>(),
        quantities: Computes::<C, false>::QUANTITIES,
        contested: |parts| {
            let is_odd = MVMUL_BROADCAST_ROW.get(parts.code) != 0 && dst_sum(parts, DST_ROW) & 1 != 0;
            contested_rows(parts).or(is_odd.then_some(
                "the mask of the row of Dst of page MVMUL (commit 1ae1f852) keeps the lowest bit where a row is broadcast (TX-61)",
            ))
        },
        recording: recording!(12, ["rwc_srca=56-63", "source_data"]),
        bench_classes: bench!("mvmul-int8"),
        ..ARITHMETIC
    }
}

pub(super) const fn gapool<C: On>() -> Cases {
    Cases {
        contested: contested_rows,
        path: axes!(&[INT8_MATH_ENABLED, Of::<C>::PHASE, ZERO_FLAG_DISABLED, Of::<C>::SRCA_FMT]),
        class: multiplied::<1>(),
        orthogonal: orthogonal!(true, &[RWC_SRCA_OF_16, FP32_ENABLED, SOURCE_DATA], &[], 0x3e_7c00 0x3c_7c00),
        quantities: Computes::<C, true>::QUANTITIES,
        bench_classes: bench!("gapool-int8"),
        ..mvmul::<C>()
    }
}

// -------------------------------------------------------------------------------------------------- datum by datum

const COL0: Axis = flag!("BroadcastSrcBCol0", Lens::Code(BROADCAST_COL0));
const ROW: Axis = flag!("BroadcastSrcBRow", Lens::Code(BROADCAST_ROW));

pub(super) const fn elwmul<C: On>() -> Cases {
    Cases {
        path: axes!(&[INT8_MATH_ENABLED, COL0, ROW, Of::<C>::PHASE, ZERO_FLAG_DISABLED, Of::<C>::SRCA_FMT]),
        class: multiplied::<3>(),
        orthogonal: orthogonal!(false, &[RWC_SRCA, FP32_ENABLED, SOURCE_DATA], &[], 0x26_7c00 0x26_3c00),
        contested: |_| None,
        recording: recording!(6, ["source_data"]),
        bench_classes: bench!("elwmul-int8"),
        ..mvmul::<C>()
    }
}

/// The paths of what adds.
const ADDED: &[&str] = &["float", "integer, assigned", "integer, added to Dst"];

pub(super) const fn elwadd<C: On>() -> Cases {
    const ADDS: Axis = flag!("AddDst", Lens::Code(ADD_DST));
    Cases {
        path: axes!(&[INT8_MATH_ENABLED, COL0, ROW, ADDS, ZERO_FLAG_DISABLED, Of::<C>::SRCA_FMT]),
        class: Class::Of(|_, levels| ADDED[if levels[0] == 0 { 0 } else { 1 + usize::from(levels[3]) }], ADDED),
        orthogonal: orthogonal!(
            false, &[RWC_SRCA, FP32_ENABLED, SOURCE_DATA], &[Of::<C>::PHASE], 0x06_7c00 0x06_3c00
        ),
        bench_classes: bench!("elwadd-int8"),
        ..elwmul::<C>()
    }
}

pub(super) const fn elwsub<C: On>() -> Cases {
    Cases { bench_classes: bench!("elwsub-int8"), ..elwadd::<C>() }
}

// -------------------------------------------------------------------------------------------------- maxima

/// The paths of `GMPOOL`, by style, width of `Dst` and `ArgMax`.
const POOLED: &[&str] = &[
    "INT8",
    "INT8, ArgMax",
    "BF16, 16 bits",
    "BF16, 16 bits, ArgMax",
    "BF16, 32 bits",
    "BF16, 32 bits, ArgMax",
    "FP16, 16 bits",
    "FP16, 16 bits, ArgMax",
    "FP16, 32 bits",
    "FP16, 32 bits, ArgMax",
    "TF32, 16 bits",
    "TF32, 16 bits, ArgMax",
    "TF32, 32 bits",
    "TF32, 32 bits, ArgMax",
];

fn pooled(levels: &Levels) -> &'static str {
    let [arg_max, int8_math, is_wide, fmt, ..] = levels.map(usize::from);
    match Style::of(fmt as u32, int8_math != 0) {
        Style::Int8 => POOLED[arg_max],
        style => POOLED[style as usize * 4 - 2 + 2 * is_wide + arg_max],
    }
}

/// Why types that `GMPOOL` has for `Dst` are contested.
fn contested_types<C: On>(parts: &Parts<'_>) -> Option<&'static str> {
    let is_wide = get_config(parts, config::ALU_ACC_CTRL_Fp32_enabled) != 0;
    match (Style::of_parts::<C>(parts), is_wide, ARG_MAX.get(parts.code) != 0) {
        (Style::Fp16, true, false) => Some(
            "page GMPOOL (commit 1ae1f852) compares and writes FP16 as TF32 without another bias for the exponent (TX-66)",
        ),
        (Style::Tf32, false, true) => Some(
            "the text of page GMPOOL (commit 1ae1f852) has an index only where Dst has 32 bits, and its model replaces \
             TF32 data by one in 16 (TX-67)",
        ),
        _ => None,
    }
}

pub(super) const fn gmpool<C: On>() -> Cases {
    const ARG_MAX_AXIS: Axis = flag!("ArgMax", Lens::Code(ARG_MAX));
    // True, as the page writes it, or not.
    const MOD19: Axis = Axis {
        weights: &[31, 1],
        ..split!("instr_mod19", &["1", "0"], &[], Lens::Code(INSTR_MOD19), Partition::Sets(&[&[1], &[0]]))
    };
    Cases {
        path: axes!(&[ARG_MAX_AXIS, INT8_MATH_ENABLED, FP32_ENABLED, Of::<C>::SRCA_FMT]),
        class: Class::Of(|_, levels| pooled(levels), POOLED),
        orthogonal: orthogonal!(
            true, &[RWC_SRCA, ZERO_FLAG_DISABLED, MOD19, SRCA_DATA, SRCB_DATA], &[], 0x36_3c00 0x34_3c00
        ),
        prepare: |parts, noise| {
            parts.salt.class[bank::DST] = [DST, DST_BF16, DST_FP16, DST_INT32][noise.below(4)];
            fresh_counters(parts, noise);
        },
        data: data::<C>(),
        contested_data: ContestedData {
            case: row_base_beyond_hardware,
            row: |parts, which, _, words| if which == bank::SRCA { no_int8(parts, words) } else { None },
        },
        quantities: Computes::<C, true>::QUANTITIES,
        contested: contested_types::<C>,
        sweep: &[
            "owner",
            "srcb_owner",
            "FP16A_FORCE_Enable",
            "instr_mod19",
            "unnamed_bits",
            "rwc_dst=any",
            "rwc_srca=any",
            "rwc_srcb=any",
            "increments=any",
        ],
        recording: recording!(12, ["instr_mod19", "srca_data", "srcb_data"]),
        bench_classes: bench!("gmpool-int8"),
        background: None,
        ..ARITHMETIC
    }
}
