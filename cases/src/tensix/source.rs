//! Cases of instructions of the Matrix Unit that change `SrcA` or `SrcB` in place, on both chips.

use std::mem::offset_of;

use tandem_isa::tensix::inst::source::{
    ADDR_MOD, ADDR_MOD_BH, BOTH_BANKS, CLEAR_SRCA, CLEAR_SRCB, DIRECTION, NEGATIVE_INF_SRCA, SHIFT_IN_ZERO, SHIFT_ROW,
    SINGLE_BANK_MATRIX_UNIT,
};
use tandem_isa::tensix::{Chip, Rwc, Small, bank, format};
use tandem_isa::{Axis, BenchClass, CodeField, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, SET_BASE};
use super::banks::{
    ANY_SRCA_OWNER, ANY_SRCB_OWNER, OTHER_OWNER, OTHER_SRCA_OWNER, OTHER_SRCB_OWNER, OWNER, OWNER_OF_SRCA,
    OWNER_OF_SRCB, SRCA_BANK, SRCB_BANK, SRCB_OWNER, UNPACKER0_BANK, UNPACKER1_BANK,
};
use super::control::{bench, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, rows, split};
use super::moves::source_row;
use super::parts::{RWC_DST, THREAD, fresh_counters};
use super::state_quantities::COUNTERS;
use super::wait::{LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, value_class};

/// What such instructions have.
const SOURCE: Cases = Cases {
    prepare: |parts, noise| {
        let values = [value_class::SRC_EXP8, value_class::SRC_EXP5, value_class::SRC_OPAQUE];
        (parts.salt.class[bank::SRCA], parts.salt.class[bank::SRCB]) = (values[noise.below(3)], values[noise.below(3)]);
        fresh_counters(parts, noise);
    },
    // Which format a datum has does not matter to them.
    data: Data::Of(|_, _, which, _| matches!(which, bank::SRCA | bank::SRCB).then_some(&format::SRC_TF32)),
    sweep: &["unnamed_bits"],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

pub(super) const fn zerosrc(_: Chip) -> Cases {
    Cases {
        path: [&[
            flag!("NegativeInfSrcA", Lens::Code(NEGATIVE_INF_SRCA)),
            flag!("SingleBankMatrixUnit", Lens::Code(SINGLE_BANK_MATRIX_UNIT)),
            flag!("BothBanks", Lens::Code(BOTH_BANKS)),
            flag!("ClearSrcB", Lens::Code(CLEAR_SRCB)),
            flag!("ClearSrcA", Lens::Code(CLEAR_SRCA)),
        ]; 2],
        class: Class::Axis(0),
        orthogonal: [&[
            THREAD,
            SRCA_BANK,
            SRCB_BANK,
            UNPACKER0_BANK,
            UNPACKER1_BANK,
            ANY_SRCA_OWNER,
            OTHER_SRCA_OWNER,
            ANY_SRCB_OWNER,
            OTHER_SRCB_OWNER,
            ROW_SHAPE,
            unnamed!(0xff_ffe0),
        ]; 2],
        bench_classes: bench!("zerosrc", [] CLEAR_SRCA 1),
        ..SOURCE
    }
}

/// The page branches on nothing.
const WHICH_ROWS: Axis = Axis { name: "rows", levels: &["16-31"], weights: &[], set: |_, _, _| {}, get: |_| 0 };

pub(super) const fn trnspsrcb(_: Chip) -> Cases {
    Cases {
        path: [&[WHICH_ROWS]; 2],
        class: Class::Axis(0),
        orthogonal: [&[
            THREAD,
            SRCB_BANK,
            SRCB_OWNER,
            OTHER_SRCB_OWNER,
            SRCA_BANK,
            ANY_SRCA_OWNER,
            ROW_SHAPE,
            unnamed!(0xff_ffff),
        ]; 2],
        quantities: &[&[OWNER_OF_SRCB]],
        sweep: &["srcb_owner", "unnamed_bits"],
        bench_classes: bench!("trnspsrcb", [SRCB_OWNER]),
        ..SOURCE
    }
}

/// `SHIFTXB` on a chip.
struct Shift<const BLACKHOLE: bool>;

impl<const BLACKHOLE: bool> AddrModField for Shift<BLACKHOLE> {
    const FIELD: CodeField = Self::CHIP.pick(ADDR_MOD, ADDR_MOD_BH);
    const CHIP: Chip = if BLACKHOLE { Chip::Blackhole } else { Chip::Wormhole };
}

const OWN: &[Quantity] = &[source_row!("row of SrcB", SHIFT_ROW, srcb), OWNER_OF_SRCB];

/// The axes; on Blackhole there is no `ADDR_MOD_SET_Base`.
macro_rules! shift {
    ($chip:ty, $unnamed:literal $(, $axis:expr)*) => {
        [&[
            THREAD,
            SRCB_BANK,
            SRCB_OWNER,
            OTHER_SRCB_OWNER,
            rows!("src_row", &[], Lens::Code(SHIFT_ROW)),
            rows!("rwc_srcb", &[], Lens::rwc(offset_of!(Rwc, srcb), 6)),
            rows!("rwc_srca", &[], Lens::rwc(offset_of!(Rwc, srca), 6)),
            RWC_DST,
            AddrModAxes::<$chip>::SECTION,
            $($axis,)*
            AddrModAxes::<$chip>::SRCA_CONTROL,
            AddrModAxes::<$chip>::SRCB_CONTROL,
            AddrModAxes::<$chip>::DST_CONTROL,
            AddrModAxes::<$chip>::FIDELITY,
            AddrModAxes::<$chip>::BIAS,
            AddrModAxes::<$chip>::INCREMENTS,
            ROW_SHAPE,
            unnamed!($unnamed),
        ]; 2]
    };
}

pub(super) const fn shiftxb(chip: Chip) -> Cases {
    const WORMHOLE: [&[Axis]; 2] = shift!(Shift<false>, 0xfe_7bc0, EXTRA, SET_BASE);
    const BLACKHOLE: [&[Axis]; 2] = shift!(Shift<true>, 0xfe_3bc0, Axis { weights: &[31, 1], ..EXTRA });
    Cases {
        path: [&[flag!("ShiftInZero", Lens::Code(SHIFT_IN_ZERO))]; 2],
        class: Class::Axis(0),
        orthogonal: chip.pick(WORMHOLE, BLACKHOLE),
        quantities: chip.pick(
            &[OWN, AddrModAxes::<Shift<false>>::QUANTITIES, COUNTERS],
            &[OWN, AddrModAxes::<Shift<true>>::QUANTITIES, COUNTERS],
        ),
        sweep: chip.pick(
            &["srcb_owner", "unnamed_bits", "rwc_srcb=any", "increments=any"],
            &["srcb_owner", "unnamed_bits", "rwc_srcb=any", "increments=any", "extra_addr_mod_bit"],
        ),
        recording: Recording {
            unpromised: chip.pick(&["unnamed_bits"], &["unnamed_bits", "extra_addr_mod_bit"]),
            ..SOURCE.recording
        },
        bench_classes: bench!("shiftxb", [SRCB_OWNER] SHIFT_ROW 16),
        ..SOURCE
    }
}

/// The rows that are read, as an earlier instruction left them.
const BUG: Axis = split!(
    "HardwareBug",
    &["0-15", "16-31", "32-47", "48-63"],
    &[],
    Lens::word(offset_of!(Small, hardware_bug), 6),
    Partition::Ranges(&[(0, 15), (16, 31), (32, 47), (48, 63)])
);

macro_rules! shiftxa {
    ($chip:ident) => {
        [&[
            THREAD,
            SRCA_BANK,
            OWNER,
            OTHER_OWNER,
            latched!($chip, Shiftxa),
            SRCB_BANK,
            UNPACKER0_BANK,
            UNPACKER1_BANK,
            ANY_SRCB_OWNER,
            ROW_SHAPE,
            unnamed!(0xff_fffc),
        ]; 2]
    };
}

pub(super) const fn shiftxa(chip: Chip) -> Cases {
    const WORMHOLE: [&[Axis]; 2] = shiftxa!(Wormhole);
    const BLACKHOLE: [&[Axis]; 2] = shiftxa!(Blackhole);
    const DIRECTIONS: Axis =
        split!("Direction", &["0", "1", "right", "left"], &[], Lens::Code(DIRECTION), Partition::Each);
    Cases {
        path: [&[DIRECTIONS, BUG]; 2],
        class: Class::Axis(0),
        orthogonal: chip.pick(WORMHOLE, BLACKHOLE),
        quantities: &[&[OWNER_OF_SRCA, LATCHED_WAIT]],
        sweep: &["owner", "latched_wait", "unnamed_bits"],
        ..SOURCE
    }
}
