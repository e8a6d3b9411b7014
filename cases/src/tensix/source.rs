//! Cases of instructions of the Matrix Unit that change `SrcA` or `SrcB` in place, on both chips.

use std::marker::PhantomData;
use std::mem::offset_of;

use tandem_isa::tensix::inst::source::{
    ADDR_MOD, ADDR_MOD_BH, BOTH_BANKS, CLEAR_SRCA, CLEAR_SRCB, DIRECTION, NEGATIVE_INF_SRCA, SHIFT_IN_ZERO, SHIFT_ROW,
    SINGLE_BANK_MATRIX_UNIT,
};
use tandem_isa::tensix::{Chip, Small, bank, format};
use tandem_isa::{Axis, BenchClass, CodeField, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::addr_mod_axes::{AddrModAxes, AddrModField, EXTRA, RARE_EXTRA, SET_BASE};
use super::banks::{
    ANY_SRCA_OWNER, ANY_SRCB_OWNER, BANKS, OTHER_OWNER, OTHER_SRCB_OWNER, OWNER, OWNER_OF_SRCA, OWNER_OF_SRCB, OWNERS,
    SRCA_BANK, SRCB_BANK, SRCB_OWNER, UNPACKER0_BANK, UNPACKER1_BANK,
};
use super::control::{bench, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, flag, rows, split};
use super::moves::source_row;
use super::parts::{RWC_DST, RWC_SRCA, RWC_SRCB, THREAD, fresh_counters};
use super::state_quantities::COUNTERS;
use super::wait::{LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, On, axes, value_class};

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

pub(super) const fn zerosrc<C: On>() -> Cases {
    Cases {
        path: [&[
            flag!("NegativeInfSrcA", Lens::Code(NEGATIVE_INF_SRCA)),
            flag!("SingleBankMatrixUnit", Lens::Code(SINGLE_BANK_MATRIX_UNIT)),
            flag!("BothBanks", Lens::Code(BOTH_BANKS)),
            flag!("ClearSrcB", Lens::Code(CLEAR_SRCB)),
            flag!("ClearSrcA", Lens::Code(CLEAR_SRCA)),
        ]; 2],
        class: Class::Axis(0),
        orthogonal: axes!(&[THREAD], &BANKS, &OWNERS, &[ROW_SHAPE, unnamed!(0xff_ffe0)]),
        bench_classes: bench!("zerosrc", [] CLEAR_SRCA 1),
        ..SOURCE
    }
}

/// The page branches on nothing.
const WHICH_ROWS: Axis = Axis { name: "rows", levels: &["16-31"], weights: &[], set: |_, _, _| {}, get: |_| 0 };

pub(super) const fn trnspsrcb<C: On>() -> Cases {
    Cases {
        path: [&[WHICH_ROWS]; 2],
        class: Class::Axis(0),
        orthogonal: axes!(
            &[THREAD, SRCB_BANK, SRCB_OWNER, OTHER_SRCB_OWNER, SRCA_BANK, ANY_SRCA_OWNER, ROW_SHAPE],
            &[unnamed!(0xff_ffff)]
        ),
        quantities: &[&[OWNER_OF_SRCB]],
        sweep: &["srcb_owner", "unnamed_bits"],
        bench_classes: bench!("trnspsrcb", [SRCB_OWNER]),
        ..SOURCE
    }
}

/// `SHIFTXB` on a chip.
struct Shift<C>(PhantomData<C>);

impl<C: On> AddrModField for Shift<C> {
    const FIELD: CodeField = C::CHIP.pick(ADDR_MOD, ADDR_MOD_BH);
    const CHIP: Chip = C::CHIP;
}

const OWN: &[Quantity] = &[source_row!("row of SrcB", SHIFT_ROW, srcb), OWNER_OF_SRCB];

pub(super) const fn shiftxb<C: On>() -> Cases {
    Cases {
        path: [&[flag!("ShiftInZero", Lens::Code(SHIFT_IN_ZERO))]; 2],
        class: Class::Axis(0),
        // On Blackhole there is no `ADDR_MOD_SET_Base`.
        orthogonal: axes!(
            &[THREAD, SRCB_BANK, SRCB_OWNER, OTHER_SRCB_OWNER, rows!("src_row", &[], Lens::Code(SHIFT_ROW))],
            &[RWC_SRCB, RWC_SRCA, RWC_DST, AddrModAxes::<Shift<C>>::SECTION],
            C::CHIP.pick(&[EXTRA, SET_BASE], &[RARE_EXTRA]),
            &AddrModAxes::<Shift<C>>::MEMBERS,
            &[ROW_SHAPE, unnamed!(C::CHIP.pick(0xfe_7bc0, 0xfe_3bc0))]
        ),
        quantities: const { &[OWN, AddrModAxes::<Shift<C>>::QUANTITIES, COUNTERS] },
        sweep: C::CHIP.pick(
            &["srcb_owner", "unnamed_bits", "rwc_srcb=any", "increments=any"],
            &["srcb_owner", "unnamed_bits", "rwc_srcb=any", "increments=any", "extra_addr_mod_bit"],
        ),
        recording: Recording {
            unpromised: C::CHIP.pick(&["unnamed_bits"], &["unnamed_bits", "extra_addr_mod_bit"]),
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

pub(super) const fn shiftxa<C: On>() -> Cases {
    const DIRECTIONS: Axis =
        split!("Direction", &["0", "1", "right", "left"], &[], Lens::Code(DIRECTION), Partition::Each);
    Cases {
        path: [&[DIRECTIONS, BUG]; 2],
        class: Class::Axis(0),
        orthogonal: axes!(
            &[THREAD, SRCA_BANK, OWNER, OTHER_OWNER, latched!(C, Shiftxa)],
            &[SRCB_BANK, UNPACKER0_BANK, UNPACKER1_BANK, ANY_SRCB_OWNER, ROW_SHAPE, unnamed!(0xff_fffc)]
        ),
        quantities: &[&[OWNER_OF_SRCA, LATCHED_WAIT]],
        sweep: &["owner", "latched_wait", "unnamed_bits"],
        ..SOURCE
    }
}
