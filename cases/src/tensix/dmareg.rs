//! Cases of the instructions of the Scalar Unit that compute on GPRs, or write configuration, on both chips.

use tandem_isa::tensix::bank;
use tandem_isa::tensix::inst::scalar::{
    CONDITION_MASK, FLOP_INPUT_REG, LEFT_REG, MODE, RESULT_REG, RIGHT, RIGHT_IS_IMM, SIZE_SEL, TH_CON_CFG_INDEX,
};
use tandem_isa::{Axis, BenchClass, Recording};

use crate::salt::ROW_SHAPE;

use super::configuration::GPR_DATA;
use super::control::{NO_DATA, bench, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::parts::{STATE_ID, THREAD};
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, On, axes, value_class};

/// What all of them have: what registers hold is any bits, or few numbers, so that two are the same.
const DMAREG: Cases = Cases {
    class: Class::Axis(0),
    prepare: |parts, noise| {
        parts.salt.class[bank::GPRS] = [value_class::BITS32, value_class::GPR_FEW][noise.below(2)];
    },
    data: GPR_DATA,
    quantities: &[&[LATCHED_WAIT]],
    sweep: &["latched_wait", "unnamed_bits"],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

/// A GPR. Few of them are named often, so that two operands are often one.
macro_rules! gpr {
    ($name:literal, $field:expr) => {
        split!(
            $name,
            &["1", "0", "2", "5", "last", "any"],
            &[1, 1, 1, 1, 1, 4],
            Lens::Code($field),
            Partition::Points(&[1, 0, 2, 5, 63])
        )
    };
}
pub(super) use gpr;

const RIGHT_IS: Axis = split!("right operand", &["register", "number"], &[], Lens::Code(RIGHT_IS_IMM), Partition::Each);

macro_rules! mode {
    ($($level:literal)*) => {
        split!("Mode", &[$($level),*], &[], Lens::Code(MODE), Partition::Each)
    };
}

/// What computes on two GPRs, or on one and a number, perhaps in one of several modes.
macro_rules! computes {
    ($($name:ident $mnemonic:ident $unnamed:literal [$($mode:expr)?];)*) => {$(
        pub(super) const fn $name<C: On>() -> Cases {
            Cases {
                path: [&[$($mode,)? RIGHT_IS]; 2],
                orthogonal: axes!(&[
                    THREAD,
                    latched!(C, $mnemonic),
                    gpr!("LeftReg", LEFT_REG),
                    gpr!("RightReg or RightImm6", RIGHT),
                    gpr!("ResultReg", RESULT_REG),
                    ROW_SHAPE,
                    unnamed!($unnamed),
                ]),
                plain: &["LeftReg, RightReg or RightImm6=any"],
                bench_classes: bench!(stringify!($name), [LATCHED_NOTHING] LEFT_REG 5 RIGHT 9 RESULT_REG 17),
                ..DMAREG
            }
        }
    )*};
}
computes! {
    adddmareg Adddmareg 0x7c_0000 [];
    subdmareg Subdmareg 0x7c_0000 [];
    muldmareg Muldmareg 0x7c_0000 [];
    bitwopdmareg Bitwopdmareg 0x60_0000 [mode!("AND" "OR" "XOR" "3" "4" "5" "6" "7")];
    shiftdmareg Shiftdmareg 0x60_0000 [mode!("LEFT" "RIGHT" "2" "3" "4" "5" "6" "7")];
    cmpdmareg Cmpdmareg 0x60_0000 [mode!("GT" "LT" "EQ" "3" "4" "5" "6" "7")];
}

pub(super) const fn dmanop<C: On>() -> Cases {
    Cases {
        path: [&[THREAD]; 2],
        prepare: |_, _| {},
        data: NO_DATA,
        orthogonal: axes!(&[latched!(C, Dmanop), ROW_SHAPE, unnamed!(0xff_ffff)]),
        bench_classes: bench!("dmanop", [LATCHED_NOTHING]),
        ..DMAREG
    }
}

pub(super) const fn flushdma<C: On>() -> Cases {
    Cases {
        path: [&[split!(
            "ConditionMask",
            &["0", "all", "one", "several"],
            &[],
            Lens::Code(CONDITION_MASK),
            Partition::Sets(&[&[0], &[15], &[1, 2, 4, 8], &[3, 5, 6, 7, 9, 10, 11, 12, 13, 14]])
        )]; 2],
        prepare: |_, _| {},
        data: NO_DATA,
        orthogonal: axes!(&[THREAD, latched!(C, Flushdma), ROW_SHAPE, unnamed!(0xff_fff0)]),
        bench_classes: bench!("flushdma", [LATCHED_NOTHING]),
        ..DMAREG
    }
}

pub(super) const fn reg2flop_configuration<C: On>() -> Cases {
    const SIZES: Axis =
        split!("SizeSel", &["32 bits", "128 bits"], &[], Lens::Code(SIZE_SEL), Partition::Sets(&[&[1, 2, 3], &[0]]));
    const WORDS: Axis = split!(
        "ThConCfgIndex",
        &["0", "first section", "second section", "first beyond", "beyond"],
        &[],
        Lens::Code(TH_CON_CFG_INDEX),
        Partition::Ranges(&[(0, 0), (1, 39), (40, 99), (100, 100), (101, 127)])
    );
    const WORDS_BH: Axis = split!(
        "ThConCfgIndex",
        &["0", "first section", "second section", "first beyond", "beyond"],
        &[],
        Lens::Code(TH_CON_CFG_INDEX),
        Partition::Ranges(&[(0, 0), (1, 47), (48, 115), (116, 116), (117, 127)])
    );
    Cases {
        path: [C::CHIP.pick(&[SIZES, WORDS], &[SIZES, WORDS_BH]); 2],
        prepare: |parts, _| parts.salt.class[bank::GPRS] = value_class::BITS32,
        orthogonal: axes!(&[
            THREAD,
            STATE_ID,
            latched!(C, Reg2flopConfiguration),
            gpr!("InputReg", FLOP_INPUT_REG),
            ROW_SHAPE,
            unnamed!(0xf_e000),
        ]),
        bench_classes: C::CHIP.pick(
            bench!("reg2flop-configuration", [LATCHED_NOTHING] SIZE_SEL 1 FLOP_INPUT_REG 5 TH_CON_CFG_INDEX 12),
            &[],
        ),
        ..DMAREG
    }
}
