//! Cases of the two forms of `SETDMAREG`, which write GPRs, on both chips.

use tandem_isa::tensix::bank;
use tandem_isa::tensix::inst::scalar::{
    FORM, INPUT_HALF_REG, INPUT_SOURCE, NEW_VALUE_OF_HALF, RESULT_HALF_REG, RESULT_SIZE, WHICH_PACKERS,
};
use tandem_isa::{Axis, BenchClass, Recording};

use crate::salt::ROW_SHAPE;

use super::configuration::GPR_DATA;
use super::control::{bench, ends, unnamed};
use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::parts::{STATE_ID, THREAD};
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, On, axes, value_class};

/// What both have.
const SCALAR: Cases = Cases {
    class: Class::Axis(0),
    prepare: |parts, _| parts.salt.class[bank::GPRS] = value_class::BITS32,
    data: GPR_DATA,
    quantities: &[&[LATCHED_WAIT]],
    recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
    ..CASES
};

/// A half of a GPR, in each place of a row of four, at both ends, or anywhere.
const RESULT: Axis = split!(
    "ResultHalfReg",
    &["0", "1", "2", "3", "6", "7", "126", "last", "any"],
    &[1, 1, 1, 1, 1, 1, 1, 1, 4],
    Lens::Code(RESULT_HALF_REG),
    Partition::Points(&[0, 1, 2, 3, 6, 7, 126, 127])
);

pub(super) const fn setdmareg_immediate<C: On>() -> Cases {
    Cases {
        path: [&[split!("half", &["low", "high"], &[], Lens::CodeBits(1), Partition::Each)]; 2],
        orthogonal: axes!(&[
            THREAD,
            latched!(C, SetdmaregImmediate),
            ends!("ResultReg", Lens::CodeBits(0x7e), 6, 63),
            ends!("NewValue", Lens::Code(NEW_VALUE_OF_HALF), 6, 0xffff),
            ROW_SHAPE,
        ]),
        plain: &["ResultReg=any", "NewValue=any"],
        sweep: &["latched_wait", "ResultReg=any", "NewValue=any"],
        recording: Recording { always: &["NewValue"], ..CASES.recording },
        bench_classes: bench!("setdmareg-immediate", [LATCHED_NOTHING] RESULT_HALF_REG 11 NEW_VALUE_OF_HALF 0x1234),
        ..SCALAR
    }
}

pub(super) const fn setdmareg_special<C: On>() -> Cases {
    const SIZES: Axis = split!(
        "ResultSize",
        &["16 bits", "32 bits", "128 bits", "tile header"],
        &[],
        Lens::Code(RESULT_SIZE),
        Partition::Each
    );
    const SOURCES: Axis = split!(
        "InputSource",
        &["10 to 15", "0 to 9"],
        &[],
        Lens::Code(INPUT_SOURCE),
        Partition::Sets(&[&[10, 11, 12, 13, 14, 15], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
    );
    const INPUT: Axis = split!(
        "InputHalfReg",
        &["0", "1", "2", "3", "4", "5", "6", "7"],
        &[],
        Lens::Code(INPUT_HALF_REG),
        Partition::Each
    );
    Cases {
        path: [&[SIZES, SOURCES]; 2],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, SetdmaregSpecial), RESULT, INPUT],
            &[split!(
                "WhichPackers",
                &["none", "all", "some"],
                &[2, 1, 2],
                Lens::Code(WHICH_PACKERS),
                Partition::Extent
            )],
            &[ROW_SHAPE, unnamed!(0x38_0000)]
        ),
        plain: &["ResultHalfReg=any"],
        sweep: &["latched_wait", "unnamed_bits", "ResultHalfReg=any"],
        bench_classes: bench!(
            "setdmareg-special",
            [LATCHED_NOTHING] FORM 1 RESULT_SIZE 2 INPUT_SOURCE 10 RESULT_HALF_REG 8
        ),
        ..SCALAR
    }
}
