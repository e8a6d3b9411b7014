//! Cases of moves between `Dst`, `SrcA` and `SrcB` on both chips, and of `ZEROACC`. `MOVA2D` on Wormhole, which has two
//! editions, is in `mova2d.rs`.

use std::marker::PhantomData;

use tandem_isa::tensix::config::{self, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVE8_ROWS, SRC_ROW, USE_DST32B_LO};
use tandem_isa::tensix::inst::moves::{
    Broadcast, IMM10, MOVE4_ROWS, SRCA_ROW, SRCB_ROW, ZEROACC_MODE, addr_mod, revert, use_dst32b,
};
use tandem_isa::tensix::{Chip, bank, format};
use tandem_isa::{
    Axis, BenchClass, CodeField, ContestedData, ContestedDatum, Format, MAX_AXES, Noise, Parts, Quantity, Recording,
};

use crate::list::List;
use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, RARE_EXTRA, SET_BASE};
use super::addr_mod_quantities::DST_COUNTERS;
use super::banks::{
    ANY_SRCA_OWNER, ANY_SRCB_OWNER, OTHER_OWNER, OTHER_SRCA_OWNER, OTHER_SRCB_OWNER, OWNER, OWNER_OF_SRCA,
    OWNER_OF_SRCB, SRCA_BANK, SRCB_BANK, SRCB_OWNER,
};
use super::control::{NO_DATA, bench, unnamed};
use super::lens::{FormatSource, Lens, NONE_OR_SOME, Partition, flag, rows, split};
use super::mova2d_axes::{
    BLOCK_DEST_MOV, FP32_ENABLED, INT8_MATH_ENABLED, LO, OVERRIDE, ZERO_FLAG_DISABLED, contested_force, contested_move,
    is_eight_bit_format,
};
use super::parts::{
    MATH_OFFSET, REGW_BASE, RWC_DST, RWC_SRCA, RWC_SRCB, STATE_ID, THREAD, VALIDITY, fresh_counters, get_config,
    get_thread_config, no_int8_of_source, row_base_beyond_hardware, rwc_mut,
};
use super::sfpu_axes::DEST_ACCESS;
use super::state_quantities::{LANES, STATE, dst_sum, put_dst_sum, put_wrapped_dst_sum};
use super::{Blackhole, CASES, Cases, Class, Data, On, Wormhole, axes, concat, value_class};

// -------------------------------------------------------------------------------------------------- axes

/// Moves on a chip.
struct Move<C>(PhantomData<C>);

impl<C: On> AddrModField for Move<C> {
    const FIELD: CodeField = addr_mod(C::CHIP);
    const CHIP: Chip = C::CHIP;
}

impl<C: On> Move<C> {
    /// Where the formats of `SrcA` and of `SrcB` come from, and that of `SrcA` where it goes for `SrcB`.
    const A: FormatSource = FormatSource::srca(C::CHIP, bank::SRCA);
    const B: FormatSource = FormatSource::srcb(C::CHIP);
    const A_FOR_B: FormatSource = FormatSource::srca(C::CHIP, bank::SRCB);

    const FORCE: ThreadConfigField = C::CHIP.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable);
    /// It makes one path of all formats, and so it is rare.
    const RARE_FORCE: Axis = Axis { weights: &[7, 1], ..flag!("FP16A_FORCE_Enable", Lens::Thread(Self::FORCE)) };

    /// The orthogonal axes: an instruction's own, those of AddrMod, what else it has on the chip, and what nothing reads.
    const fn axes(own: &[&[Axis]], of_chip: &[Axis], unnamed: Axis) -> List<Axis, MAX_AXES> {
        concat(&[
            &[THREAD, STATE_ID, SRCA_BANK, SRCB_BANK],
            concat(own).items(),
            &[AddrModAxes::<Self>::SECTION],
            &AddrModAxes::<Self>::MEMBERS,
            // On Blackhole there is no `ADDR_MOD_SET_Base`.
            C::CHIP.pick(&[EXTRA, SET_BASE], &[RARE_EXTRA]),
            of_chip,
            &[ROW_SHAPE, unnamed],
        ])
    }

    const RESOLVED_A: Quantity = resolved_format!("resolved SrcAFmt", Self::A);
    const RESOLVED_A_FOR_B: Quantity = resolved_format!("resolved SrcAFmt", Self::A_FOR_B);
    const RESOLVED_B: Quantity = resolved_format!("resolved SrcBFmt", Self::B);

    /// What a move of a source to `Dst` takes and gives.
    fn to_dst(parts: &Parts<'_>, source: FormatSource) -> ToDst {
        let on = |field| get_config(parts, field) != 0;
        ToDst::of(
            C::CHIP,
            source.get(parts),
            USE_DST32B_LO.get(parts.code) != 0,
            on(config::ALU_ACC_CTRL_Fp32_enabled),
            on(config::ALU_ACC_CTRL_INT8_math_enabled),
            get_thread_config(parts, Self::FORCE) != 0,
        )
    }
}

pub(super) const SRCB_OVERRIDE: Axis =
    flag!("ALU_FORMAT_SPEC_REG_SrcB_override", Lens::Config(config::ALU_FORMAT_SPEC_REG_SrcB_override));
pub(super) const SRCA_FMT_NOT_IMPLIED: Axis =
    flag!("DISABLE_IMPLIED_SRCA_FMT_Base", Lens::Thread(blackhole::DISABLE_IMPLIED_SRCA_FMT_Base));
pub(super) const SRCB_FMT_NOT_IMPLIED: Axis =
    flag!("DISABLE_IMPLIED_SRCB_FMT_Base", Lens::Thread(blackhole::DISABLE_IMPLIED_SRCB_FMT_Base));
pub(super) const DST_ROW_AXIS: Axis = rows!("dst_row", &[], Lens::Code(DST_ROW));
pub(super) const SRC_ROW_AXIS: Axis = rows!("src_row", &[], Lens::Code(SRC_ROW));
const MOVE8: Axis = flag!("Move8Rows", Lens::Code(MOVE8_ROWS));
const MOVE4: Axis = flag!("Move4Rows", Lens::Code(MOVE4_ROWS));

/// The format that an instruction takes, from wherever it takes it.
macro_rules! format_axis {
    ($name:literal, $source:expr) => {
        split!($name, &format::CODE_NAMES, &[], Lens::Format($source), Partition::Each)
    };
}
pub(super) use format_axis;

/// The axes of a move on a chip, in both editions.
macro_rules! orthogonal {
    ($own:expr, $of_chip:expr, $unnamed:expr) => {
        [const { &Move::<C>::axes($own, $of_chip, unnamed!($unnamed)) }.items(); 2]
    };
}

const fn recording<C: On>(source_rows: usize) -> Recording {
    Recording {
        unpromised: C::CHIP.pick(&["unnamed_bits"], &["unnamed_bits", "extra_addr_mod_bit"]),
        source_rows,
        ..CASES.recording
    }
}

/// Random values of one kind in all of `SrcA`, and in all of `SrcB`.
fn prepare(parts: &mut Parts<'_>, noise: &mut Noise) {
    let values = [value_class::SRC_EXP8, value_class::SRC_EXP5, value_class::SRC_OPAQUE];
    (parts.salt.class[bank::SRCA], parts.salt.class[bank::SRCB]) = (values[noise.below(3)], values[noise.below(3)]);
    parts.salt.class[bank::DST] = value_class::DST;
    fresh_counters(parts, noise);
    rwc_mut(parts).srca = noise.bits(6);
}

/// Why a word of a source is no integer "8", where that is its format.
pub(super) fn no_int8(
    source: FormatSource,
    which: usize,
    parts: &Parts<'_>,
    bank: usize,
    words: &[u32],
) -> Option<ContestedDatum> {
    (bank == which && source.get(parts) == format::INT8).then(|| no_int8_of_source(words)).flatten()
}

/// What no hardware holds, of a move that reads a source whose format comes from there.
const fn beyond_hardware<C: On, const SRCB: bool>() -> ContestedData {
    ContestedData {
        case: row_base_beyond_hardware,
        row: |parts, bank, _, words| match SRCB {
            true => no_int8(Move::<C>::B, bank::SRCB, parts, bank, words),
            false => no_int8(Move::<C>::A, bank::SRCA, parts, bank, words),
        },
    }
}

/// What all moves have.
const MOVE: Cases = Cases {
    prepare,
    contested_data: ContestedData { case: row_base_beyond_hardware, ..ContestedData::NOTHING },
    pairs: &[DST_COUNTERS],
    ..CASES
};

// -------------------------------------------------------------------------------------------------- quantities

/// A row of a source and what is added to it.
macro_rules! source_row {
    ($name:literal, $field:expr, $counter:ident) => {
        tandem_isa::Quantity::new(
            $name,
            6,
            |parts| ($field.get(parts.code) + super::parts::rwc(parts).$counter) & 0x3f,
            |parts, value| {
                let [row, counter] = super::state_quantities::shifted(
                    [$field.get(parts.code), super::parts::rwc(parts).$counter],
                    value,
                    6,
                );
                $field.set(parts.code, row);
                super::parts::rwc_mut(parts).$counter = counter;
            },
        )
    };
}
pub(super) use source_row;

macro_rules! resolved_format {
    ($name:literal, $source:expr) => {
        super::lens::number!($name, Lens::Format($source)).named(&tandem_isa::tensix::format::CODE_NAMES)
    };
}
pub(super) use resolved_format;

pub(super) const ROW_OF_DST: Quantity = Quantity::new(
    "row of Dst",
    10,
    |parts| dst_sum(parts, DST_ROW) & 0x3ff,
    |parts, value| put_wrapped_dst_sum(parts, DST_ROW, value),
);
pub(super) const WHOLE_ROW_OF_DST: Quantity = Quantity::new(
    "row of Dst before it wraps",
    17,
    |parts| dst_sum(parts, DST_ROW),
    |parts, value| put_dst_sum(parts, DST_ROW, value),
);

/// The instruction's own lists of quantities, and then those of all.
macro_rules! quantities {
    ($($own:expr),+) => {
        const { &[$($own,)+ LANES, AddrModAxes::<Move<C>>::QUANTITIES, STATE[C::CHIP as usize]] }
    };
}

// -------------------------------------------------------------------------------------------------- to Dst

/// The paths of a move to `Dst`, from the levels of `UseDst32bLo`, what it moves, `SrcAFmt`, `Fp32_enabled`,
/// `INT8_math_enabled` and `FP16A_FORCE`.
const TO_DST: &[&str] = &[
    "8-bit exponent, 16-bit write",
    "8-bit exponent, Lo write",
    "8-bit exponent, TF32 write",
    "5-bit exponent, 16-bit write",
    "5-bit exponent, Lo write",
    "5-bit exponent, TF32 write",
];

/// What a move to `Dst` takes and gives.
struct ToDst {
    is_five_bit: bool,
    is_wide: bool,
    is_lo: bool,
}

impl ToDst {
    fn of(chip: Chip, fmt: u32, is_lo: bool, fp32: bool, int8: bool, force: bool) -> Self {
        let fmt = if chip == Chip::Blackhole && fp32 && !force { format::TF32 } else { fmt };
        let is_five_bit = force || !(fp32 || int8 || is_eight_bit_format(fmt));
        ToDst { is_five_bit, is_wide: fmt == format::TF32 && !force, is_lo }
    }

    fn class(&self) -> &'static str {
        TO_DST[usize::from(self.is_five_bit) * 3 + if self.is_wide { 2 } else { usize::from(self.is_lo) }]
    }

    fn format(&self, which: usize, source: usize) -> Option<&'static Format> {
        match which {
            bank::DST if self.is_wide || self.is_lo => Some(&format::DST_BITS),
            bank::DST => Some(if self.is_five_bit { &format::DST_FP16 } else { &format::DST_BF16 }),
            which if which == source => Some(if self.is_five_bit { &format::SRC_FP16 } else { &format::SRC_TF32 }),
            _ => None,
        }
    }
}

pub(super) const A2D_WH: FormatSource = Move::<Wormhole>::A;

/// `MOVDBGA2D`, and `MOVA2D` on Blackhole: the same but for the wait.
pub(super) const fn movdbga2d<C: On>() -> Cases {
    Cases {
        path: axes!(&[LO, MOVE8, format_axis!("SrcAFmt", Move::<C>::A), FP32_ENABLED, INT8_MATH_ENABLED]),
        class: Class::Of(
            |_, levels| {
                let on = |axis: usize| levels[axis] != 0;
                ToDst::of(C::CHIP, u32::from(levels[2]), on(0), on(3), on(4), false).class()
            },
            TO_DST,
        ),
        orthogonal: orthogonal!(
            &[
                &[ANY_SRCA_OWNER, OTHER_SRCA_OWNER, OVERRIDE, ZERO_FLAG_DISABLED, DST_ROW_AXIS, MATH_OFFSET],
                &[RWC_DST, REGW_BASE, SRC_ROW_AXIS, RWC_SRCA, BLOCK_DEST_MOV, VALIDITY],
            ],
            C::CHIP.pick(&[Move::<C>::RARE_FORCE], &[Move::<C>::RARE_FORCE, SRCA_FMT_NOT_IMPLIED, DEST_ACCESS]),
            C::CHIP.pick(0x5c00, 0x1c00)
        ),
        data: Data::Of(|_, parts, which, _| Move::<C>::to_dst(parts, Move::<C>::A).format(which, bank::SRCA)),
        contested: |parts| {
            let to_dst = Move::<C>::to_dst(parts, Move::<C>::A);
            contested_move(parts, Move::<C>::FORCE, to_dst.is_wide || to_dst.is_lo)
        },
        quantities: quantities!(&[
            Move::<C>::RESOLVED_A,
            ROW_OF_DST,
            source_row!("row of SrcA", SRC_ROW, srca),
            OWNER_OF_SRCA,
            WHOLE_ROW_OF_DST
        ]),
        sweep: &["block_dest_mov", "unnamed_bits", "rwc_dst=any", "rwc_srca=any", "increments=any"],
        recording: recording::<C>(2),
        contested_data: beyond_hardware::<C, false>(),
        bench_classes: TO_DST_BENCH,
        ..MOVE
    }
}

/// `MOVA2D` on Blackhole.
pub(super) const fn mova2d() -> Cases {
    type C = Blackhole;
    Cases {
        orthogonal: orthogonal!(
            &[
                &[OWNER, OTHER_OWNER, OVERRIDE, ZERO_FLAG_DISABLED, DST_ROW_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE],
                &[SRC_ROW_AXIS, RWC_SRCA, BLOCK_DEST_MOV, VALIDITY],
            ],
            &[Move::<C>::RARE_FORCE, SRCA_FMT_NOT_IMPLIED, DEST_ACCESS],
            0x1c00
        ),
        sweep: &["owner", "block_dest_mov", "unnamed_bits", "rwc_dst=any", "rwc_srca=any", "increments=any"],
        ..movdbga2d::<C>()
    }
}

const TO_DST_BENCH: &[BenchClass] = &[BenchClass::new("8rows-bf16", |parts, noise| {
    for axis in [OWNER, BLOCK_DEST_MOV, LO, FP32_ENABLED, INT8_MATH_ENABLED] {
        (axis.set)(parts, 0, noise);
    }
    MOVE8_ROWS.set(parts.code, 1);
})];

pub(super) const fn movb2d<C: On>() -> Cases {
    Cases {
        path: axes!(&[
            LO,
            flag!("Move4Rows", Lens::Code(Broadcast::of(C::CHIP).move4_rows)),
            flag!("Broadcast1RowTo8", Lens::Code(Broadcast::of(C::CHIP).row_to_8)),
            format_axis!("SrcAFmt", Move::<C>::A_FOR_B),
            FP32_ENABLED,
            INT8_MATH_ENABLED,
        ]),
        class: Class::Of(
            |_, levels| {
                let on = |axis: usize| levels[axis] != 0;
                ToDst::of(C::CHIP, u32::from(levels[3]), on(0), on(4), on(5), false).class()
            },
            TO_DST,
        ),
        // On Blackhole the format of SrcB decides nothing, and may be that which goes for SrcA.
        orthogonal: orthogonal!(
            &[
                &[SRCB_OWNER, OTHER_SRCB_OWNER],
                &[flag!("BroadcastCol0", Lens::Code(Broadcast::of(C::CHIP).col0))],
                &[Axis { weights: &[31, 1], ..Move::<C>::RARE_FORCE }, OVERRIDE, SRCB_OVERRIDE],
                C::CHIP.pick(&[format_axis!("SrcBFmt", Move::<C>::B)], &[]),
                &[ZERO_FLAG_DISABLED, DST_ROW_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE, SRC_ROW_AXIS, RWC_SRCB],
                &[BLOCK_DEST_MOV, VALIDITY],
            ],
            C::CHIP.pick(&[], &[SRCA_FMT_NOT_IMPLIED, SRCB_FMT_NOT_IMPLIED, DEST_ACCESS]),
            C::CHIP.pick(0x0c00, 0x0400)
        ),
        data: Data::Of(|_, parts, which, _| Move::<C>::to_dst(parts, Move::<C>::A_FOR_B).format(which, bank::SRCB)),
        quantities: quantities!(
            &[Move::<C>::RESOLVED_A_FOR_B],
            C::CHIP.pick(&[Move::<C>::RESOLVED_B], &[]),
            &[ROW_OF_DST, source_row!("row of SrcB", SRC_ROW, srcb), OWNER_OF_SRCB, WHOLE_ROW_OF_DST]
        ),
        sweep: &["srcb_owner", "block_dest_mov", "unnamed_bits", "FP16A_FORCE_Enable", "rwc_dst=any", "increments=any"],
        contested_data: beyond_hardware::<C, true>(),
        recording: Recording {
            unpromised: C::CHIP.pick(
                &["unnamed_bits", "FP16A_FORCE_Enable"],
                &["unnamed_bits", "FP16A_FORCE_Enable", "extra_addr_mod_bit"],
            ),
            ..recording::<C>(2)
        },
        bench_classes: const {
            &[BenchClass::new("movb2d-4rows", |parts, noise| {
                let forces = [Move::<Wormhole>::RARE_FORCE, Move::<Blackhole>::RARE_FORCE];
                for axis in [SRCB_OWNER, BLOCK_DEST_MOV, LO, FP32_ENABLED, INT8_MATH_ENABLED].iter().chain(&forces) {
                    (axis.set)(parts, 0, noise);
                }
            })]
        },
        ..MOVE
    }
}

// -------------------------------------------------------------------------------------------------- from Dst

/// The paths of a move from `Dst`.
const FROM_DST: &[&str] = &[
    "BF16 from 16 bits",
    "FP16 from 16 bits",
    "TF32 from 16 bits",
    "BF16 from 32 bits",
    "FP16 from 32 bits",
    "TF32 from 32 bits",
];

fn from_dst(fmt: u32, is_32_bits: bool, force: bool) -> usize {
    let style = match fmt {
        _ if force => 1,
        format::FP16 | format::BFP8A | format::BFP4A | format::FP8 | format::BFP2A | format::INT8 => 1,
        format::TF32 | 12 | 13 => 2,
        _ => 0,
    };
    style + if is_32_bits && !force { 3 } else { 0 }
}

/// `MOVD2A` and `MOVD2B`, whose formats both come from the configuration of `SrcA`.
macro_rules! from_dst {
    ($name:ident, $source:ident, $to:expr, $row:literal, $counter:ident $rwc:ident, $owner:ident $any:ident $other:ident) => {
        pub(super) const fn $name<C: On>() -> Cases {
            Cases {
                path: axes!(&[LO, MOVE4, format_axis!("SrcAFmt", Move::<C>::$source), FP32_ENABLED, INT8_MATH_ENABLED]),
                class: Class::Of(
                    |_, levels| FROM_DST[from_dst(u32::from(levels[2]), levels[3] != 0 || levels[4] != 0, false)],
                    FROM_DST,
                ),
                orthogonal: orthogonal!(
                    &[
                        &[$any, $other, OVERRIDE, DST_ROW_AXIS, MATH_OFFSET, RWC_DST, REGW_BASE, SRC_ROW_AXIS, $rwc],
                        &[BLOCK_DEST_MOV, VALIDITY],
                    ],
                    C::CHIP.pick(&[Move::<C>::RARE_FORCE], &[Move::<C>::RARE_FORCE, SRCA_FMT_NOT_IMPLIED, DEST_ACCESS]),
                    C::CHIP.pick(0x5c00, 0x1c00)
                ),
                data: Data::Of(|_, parts, which, _| {
                    let on = |field| get_config(parts, field) != 0;
                    let path = from_dst(
                        Move::<C>::$source.get(parts),
                        on(config::ALU_ACC_CTRL_Fp32_enabled) || on(config::ALU_ACC_CTRL_INT8_math_enabled),
                        get_thread_config(parts, Move::<C>::FORCE) != 0,
                    );
                    match which {
                        bank::DST => Some([&format::DST_BF16, &format::DST_FP16][path.min(1)])
                            .filter(|_| path < 2)
                            .or(Some(&format::DST_BITS)),
                        which if which == $to => {
                            Some([&format::SRC_BF16, &format::SRC_FP16, &format::SRC_TF32][path % 3])
                        }
                        _ => None,
                    }
                }),
                contested: |parts| contested_force(parts, Move::<C>::FORCE),
                quantities: quantities!(&[
                    resolved_format!("resolved SrcAFmt", Move::<C>::$source),
                    ROW_OF_DST,
                    source_row!($row, SRC_ROW, $counter),
                    $owner,
                    WHOLE_ROW_OF_DST
                ]),
                sweep: &["block_dest_mov", "unnamed_bits", "rwc_dst=any", "increments=any"],
                recording: recording::<C>(4),
                bench_classes: FROM_DST_BENCH,
                ..MOVE
            }
        }
    };
}

from_dst!(movd2a, A, bank::SRCA, "row of SrcA", srca RWC_SRCA, OWNER_OF_SRCA ANY_SRCA_OWNER OTHER_SRCA_OWNER);
from_dst!(movd2b, A_FOR_B, bank::SRCB, "row of SrcB", srcb RWC_SRCB, OWNER_OF_SRCB ANY_SRCB_OWNER OTHER_SRCB_OWNER);

const FROM_DST_BENCH: &[BenchClass] = &[BenchClass::new("4rows", |parts, noise| {
    for axis in [BLOCK_DEST_MOV, LO, FP32_ENABLED, INT8_MATH_ENABLED] {
        (axis.set)(parts, 0, noise);
    }
    MOVE4_ROWS.set(parts.code, 1);
})];

// -------------------------------------------------------------------------------------------------- MOVB2A

pub(super) const fn movb2a<C: On>() -> Cases {
    Cases {
        path: axes!(&[MOVE4, ZERO_FLAG_DISABLED, format_axis!("SrcBFmt", Move::<C>::B)]),
        class: Class::Axis(0),
        orthogonal: orthogonal!(
            &[
                &[SRCB_OWNER, OTHER_SRCB_OWNER, ANY_SRCA_OWNER, OTHER_SRCA_OWNER, SRCB_OVERRIDE],
                &[rows!("srca_row", &[], Lens::Code(SRCA_ROW)), rows!("srcb_row", &[], Lens::Code(SRCB_ROW))],
                &[RWC_SRCA, RWC_SRCB, RWC_DST, BLOCK_DEST_MOV],
            ],
            C::CHIP.pick(&[], &[SRCB_FMT_NOT_IMPLIED]),
            C::CHIP.pick(0x5fc0, 0x1fc0)
        ),
        data: Data::Of(|_, _, which, _| matches!(which, bank::SRCA | bank::SRCB).then_some(&format::SRC_TF32)),
        quantities: quantities!(&[
            Move::<C>::RESOLVED_B,
            source_row!("row of SrcA", SRCA_ROW, srca),
            source_row!("row of SrcB", SRCB_ROW, srcb),
            OWNER_OF_SRCB,
            OWNER_OF_SRCA
        ]),
        sweep: &["srcb_owner", "block_dest_mov", "unnamed_bits", "rwc_srca=any", "rwc_srcb=any", "increments=any"],
        recording: recording::<C>(4),
        bench_classes: bench!("movb2a-4rows", [SRCB_OWNER, BLOCK_DEST_MOV] MOVE4_ROWS 1),
        contested_data: ContestedData { case: |_| None, ..beyond_hardware::<C, true>() },
        ..MOVE
    }
}

// -------------------------------------------------------------------------------------------------- ZEROACC

pub(super) const fn zeroacc<C: On>() -> Cases {
    const ROW: Quantity = Quantity::new(
        "marked row",
        10,
        |parts| dst_sum(parts, IMM10) & 0x3ff,
        |parts, value| put_wrapped_dst_sum(parts, IMM10, value),
    );
    const WHOLE_ROW: Quantity = Quantity::new(
        "marked row before it wraps",
        17,
        |parts| dst_sum(parts, IMM10),
        |parts, value| put_dst_sum(parts, IMM10, value),
    );
    const MODE: Axis = split!(
        "Mode",
        &["ONE_ROW", "16_ROWS", "HALF_OF_DST", "ALL_OF_DST"],
        &[],
        Lens::Code(ZEROACC_MODE),
        Partition::Each
    );
    const IMM: Axis = split!(
        "imm10",
        &["0", "1-31", "32-63", "64-255", "256-1023"],
        &[2, 6, 4, 2, 2],
        Lens::Code(IMM10),
        Partition::Ranges(&[(0, 0), (1, 31), (32, 63), (64, 255), (256, 1023)])
    );
    Cases {
        path: axes!(&[MODE, flag!("UseDst32b", Lens::Code(use_dst32b(C::CHIP))), FP32_ENABLED, INT8_MATH_ENABLED]),
        class: Class::Axis(0),
        orthogonal: orthogonal!(
            &[
                &[Axis { weights: &[31, 1], ..flag!("Revert", Lens::Code(revert(C::CHIP))) }, IMM, MATH_OFFSET],
                &[RWC_DST, REGW_BASE, VALIDITY],
            ],
            C::CHIP.pick(&[], &[DEST_ACCESS]),
            C::CHIP.pick(0xc2_7c00, 0xe0_3c00)
        ),
        data: NO_DATA,
        quantities: quantities!(&[ROW, WHOLE_ROW]),
        sweep: &["unnamed_bits", "Revert", "rwc_dst=any", "increments=any"],
        recording: Recording {
            unpromised: C::CHIP.pick(
                &["unnamed_bits", "Revert", "imm10=64-255", "imm10=256-1023"],
                &["unnamed_bits", "Revert", "imm10=64-255", "imm10=256-1023", "extra_addr_mod_bit"],
            ),
            ..recording::<C>(0)
        },
        bench_classes: bench!("zeroacc", [] IMM10 1),
        ..MOVE
    }
}
