//! Cases of instructions of the MAD sub-unit, and of those whose results go by a table, on both chips.

use tandem_isa::tensix::inst::immediate::{sfpconfig, sfploadi};
use tandem_isa::tensix::inst::vector::{MOD1, MOD1_MIRROR, VA, VB, VC, VD};
use tandem_isa::tensix::{bank, format};
use tandem_isa::{Axis, Noise, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::sfpu_lanes::{LANE_FLAGS, ROW_MASK, USE_LANE_FLAGS};
use super::vector::{
    EACH_MOD1, FLOATS, LANEWISE, MODIFIED, VB_AXIS, VC_AXIS, VD_AXIS, bench, orthogonal, source, unpromised, unread,
    vc_fits,
};
use super::{Cases, Class, Data, On, value_class};

/// Five of eight times the data meet in sums and products; else they are of every kind.
fn choose_floats(parts: &mut Parts<'_>, noise: &mut Noise) {
    use value_class::{LREG_ANY, LREG_FINITE, LREG_FP32};
    let classes = [LREG_FINITE, LREG_FINITE, LREG_FINITE, LREG_FINITE, LREG_FINITE, LREG_FP32, LREG_FP32, LREG_ANY];
    parts.salt.class[bank::LREG] = classes[noise.below(classes.len())];
}

/// How to read words.
const FP32: Data = Data::Of(|_, _, which, _| (which == bank::LREG).then_some(&format::FP32_DATUM));

const fn all_but(register: u32) -> [u32; 15] {
    let (mut others, mut place) = ([0; 15], 0);
    while place < others.len() {
        others[place] = place as u32 + (place as u32 >= register) as u32;
        place += 1;
    }
    others
}

/// A register that is meant to be one: of the others nobody promises the result.
macro_rules! usual {
    ($name:literal, $field:expr, $register:literal) => {
        split!(
            $name,
            &[stringify!($register), "another"],
            &[3, 1],
            Lens::Code($field),
            Partition::Sets(const { &[&[$register], &all_but($register)] })
        )
    };
}

const SWEEP: &[&str] = &["lane_flags=all", "use_lane_flags=all", "row_mask", "DISABLE_BACKDOOR_LOAD", "unnamed_bits"];

/// A product of two registers, and a third.
const MAD: Cases = Cases {
    path: [&[VD_AXIS, EACH_MOD1]; 2],
    has: |_| true,
    class: Class::Axis(1),
    prepare: choose_floats,
    data: FP32,
    orthogonal: orthogonal!(
        source!("VA", VA, [6, 1, 1, 1, 1, 1]),
        VB_AXIS,
        source!("VC", VC, [6, 1, 1, 1, 1, 1]),
        unread!(0xf0_0000)
    ),
    sweep: SWEEP,
    recording: unpromised(&["unnamed_bits"]),
    ..MODIFIED
};

pub(super) const fn sfpmad<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpmad", VD 1 VC 2 VB 3 VA 4 MOD1 0), ..MAD }
}

pub(super) const fn sfpadd<C: On>() -> Cases {
    Cases {
        orthogonal: orthogonal!(
            usual!("VA", VA, 10),
            VB_AXIS,
            source!("VC", VC, [6, 1, 1, 1, 1, 1]),
            unread!(0xf0_0000)
        ),
        recording: unpromised(&["unnamed_bits", "VA"]),
        bench_classes: bench!("sfpadd", VD 1 VC 2 VB 3 VA 10 MOD1 0),
        ..MAD
    }
}

pub(super) const fn sfpmul<C: On>() -> Cases {
    Cases {
        orthogonal: orthogonal!(
            source!("VA", VA, [6, 1, 1, 1, 1, 1]),
            VB_AXIS,
            usual!("VC", VC, 9),
            unread!(0xf0_0000)
        ),
        recording: unpromised(&["unnamed_bits", "VC"]),
        bench_classes: bench!("sfpmul", VD 1 VC 9 VB 3 VA 4 MOD1 0),
        ..MAD
    }
}

/// By what it is as BF16: a zero, a denormal, a number, 1.0, an infinity, a NaN, and the same with a sign.
const IMM16: Axis = split!(
    "Imm16",
    &[
        "0",
        "denormal",
        "number",
        "1.0",
        "large",
        "infinity",
        "NaN",
        "-0 and negative denormal",
        "negative",
        "-infinity",
        "negative NaN"
    ],
    &[1, 1, 4, 1, 2, 1, 1, 1, 4, 1, 1],
    Lens::Code(sfpconfig::IMM16),
    Partition::Ranges(&[
        (0, 0),
        (1, 0x7f),
        (0x80, 0x3f7f),
        (0x3f80, 0x3f80),
        (0x3f81, 0x7f7f),
        (0x7f80, 0x7f80),
        (0x7f81, 0x7fff),
        (0x8000, 0x807f),
        (0x8080, 0xff7f),
        (0xff80, 0xff80),
        (0xff81, 0xffff),
    ])
);

/// With an immediate.
const WITH_IMM16: Cases = Cases {
    orthogonal: orthogonal!(IMM16),
    plain: &["Imm16=number"],
    sweep: &["lane_flags=all", "use_lane_flags=all", "row_mask", "DISABLE_BACKDOOR_LOAD"],
    recording: Recording { unpromised: &[], ..MAD.recording },
    ..MAD
};

pub(super) const fn sfpaddi<C: On>() -> Cases {
    use sfpconfig::{IMM16, MOD1, VD};
    Cases { bench_classes: bench!("sfpaddi", VD 1 MOD1 0 IMM16 0x3f80), ..WITH_IMM16 }
}

pub(super) const fn sfpmuli<C: On>() -> Cases {
    use sfpconfig::{IMM16, MOD1, VD};
    Cases { bench_classes: bench!("sfpmuli", VD 1 MOD1 0 IMM16 0x4000), ..WITH_IMM16 }
}

pub(super) const fn sfpmul24<C: On>() -> Cases {
    Cases {
        prepare: |_, _| {},
        data: Data::Registers(value_class::LREG_ANY, &format::BITS32),
        bench_classes: bench!("sfpmul24", VD 1 VC 9 VB 3 VA 4 MOD1 0),
        ..sfpmul::<C>()
    }
}

pub(super) const fn sfplut<C: On>() -> Cases {
    use sfploadi::{MOD0, VD};
    const VD_AXIS: Axis =
        split!("VD", &["0-7", "8-11", "12-15"], &[], Lens::Code(VD), Partition::Ranges(&[(0, 7), (8, 11), (12, 15)]));
    const MOD0_AXIS: Axis = split!(
        "Mod0",
        &["no bit", "SGN_RETAIN", "INDIRECT_VD", "SGN_RETAIN, INDIRECT_VD"],
        &[],
        Lens::Code(MOD0),
        Partition::Sets(&[&[0, 1, 2, 3], &[4, 5, 6, 7], &[8, 9, 10, 11], &[12, 13, 14, 15]])
    );
    Cases {
        path: [&[VD_AXIS, MOD0_AXIS]; 2],
        orthogonal: orthogonal!(unread!(0xffff)),
        bench_classes: bench!("sfplut", VD 4 MOD0 0),
        ..MAD
    }
}

pub(super) const fn sfplutfp32<C: On>() -> Cases {
    const MIRROR: Axis = split!("Mod1Mirror", NONE_OR_SOME, &[3, 1], Lens::Code(MOD1_MIRROR), Partition::Some);
    const WORMHOLE: [&[Axis]; 2] = orthogonal!(unread!(0xff_ff00));
    const BLACKHOLE: [&[Axis]; 2] = orthogonal!(MIRROR, unread!(0xf0_ff00));
    Cases { orthogonal: C::CHIP.pick(WORMHOLE, BLACKHOLE), bench_classes: bench!("sfplutfp32", VD 7 MOD1 0), ..MAD }
}

pub(super) const fn sfparecip<C: On>() -> Cases {
    const MOD1_AXIS: Axis = split!(
        "Mod1",
        &["RECIP", "COND_RECIP", "EXP", "others"],
        &[],
        Lens::Code(MOD1),
        Partition::Sets(&[&[0], &[1], &[2], &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]])
    );
    Cases {
        path: [&[VD_AXIS, VC_AXIS, MOD1_AXIS]; 2],
        has: vc_fits,
        class: Class::Axis(2),
        orthogonal: orthogonal!(VB_AXIS, unread!(0xff_0000)),
        data: FLOATS,
        sweep: SWEEP,
        recording: unpromised(&["unnamed_bits"]),
        bench_classes: bench!("sfparecip", VD 1 VC 2 VB 3),
        ..LANEWISE
    }
}
