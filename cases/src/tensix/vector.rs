//! Cases of instructions of the simple sub-unit of the Vector Unit that go lane by lane from registers to a register or to
//! flags, on both chips: which numbers of a case the pages look at.

use tandem_isa::tensix::inst::vector::{
    IMM1, IMM2, IMM5, IMM8, IMM12, MOD1, MOD1_OF_3, ROUNDING_MODE, STOCHASTIC_ROUNDING, USE_IMM5, VB, VC, VD,
};
use tandem_isa::tensix::{Chip, FlagStack, bank, format};
use tandem_isa::{Axis, Edition, Format, Levels, Noise, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::lens::{Backwards, Lens, Partition, flag, split};
use super::parts::{axis, peek, small};
use super::sfpu_lanes::{LANE_FLAGS, ROW_MASK, USE_LANE_FLAGS, bit};
use super::{CASES, Cases, Class, Data, On, value_class};

// -------------------------------------------------------------------------------------------------- axes

pub(super) const VD_AXIS: Axis =
    split!("VD", &["0-7", "8-11", "12-15"], &[], Lens::Code(VD), Partition::Ranges(&[(0, 7), (8, 11), (12, 15)]));

/// `VC`: a register that is not `VD`, `VD` itself, or one of those that no instruction of these writes.
pub(super) const VC_AXIS: Axis = Axis {
    name: "VC",
    levels: &["0-7", "VD", "8", "9", "10", "11-14", "15"],
    weights: &[],
    set: |parts, level, noise| {
        let vd = VD.get(parts.code);
        let other = (vd + 1 + noise.below(7) as u32) & 7;
        VC.set(parts.code, [other, vd, 8, 9, 10, 11 + noise.below(4) as u32, 15][level]);
    },
    get: |parts| match (VC.get(parts.code), VD.get(parts.code)) {
        (vc @ 0..8, vd) => usize::from(vc == vd),
        (vc @ 8..11, _) => vc as usize - 6,
        (11..15, _) => 5,
        _ => 6,
    },
};

/// Whether there are such cells: `VC` can be `VD` below 8 only.
pub(super) const fn vc_fits(levels: &Levels) -> bool {
    levels[1] != 1 || levels[0] == 0
}

pub(super) const BACKDOOR: Axis = split!(
    "DISABLE_BACKDOOR_LOAD",
    &["all", "none", "one", "all but one", "any"],
    &[3, 1, 1, 1, 1],
    Backwards(Lens::LaneConfig(bit::DISABLE_BACKDOOR_LOAD, 1)),
    Partition::Mask(&[])
);

/// A bit of the configuration of lanes that most have clear.
macro_rules! lanes {
    ($name:literal, $bit:expr) => {
        split!(
            $name,
            &["none", "all", "one", "all but one", "any"],
            &[4, 1, 1, 1, 2],
            Lens::LaneConfig($bit, 1),
            Partition::Mask(&[])
        )
    };
}

/// The registers, and a modifier whose levels are sets of codes.
macro_rules! modified_by {
    ($($level:literal: $set:expr),* $(,)?) => {
        [
            &[
                VD_AXIS,
                VC_AXIS,
                split!("Mod1", &[$($level),*], &[], Lens::Code(MOD1), Partition::Sets(&[$(&$set),*])),
            ];
            2
        ]
    };
}

/// Bits of the code word that are looked at by no page, or have no name.
macro_rules! unread {
    ($mask:literal) => {
        unread!("unnamed_bits", $mask)
    };
    ($name:expr, $mask:literal) => {
        super::lens::split!(
            $name,
            super::lens::NONE_OR_SOME,
            &[31, 1],
            super::lens::Lens::CodeBits($mask),
            super::lens::Partition::Some
        )
    };
}
pub(super) use unread;

pub(super) const EACH_MOD1: Axis = split!(
    "Mod1",
    &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"],
    &[],
    Lens::Code(MOD1),
    Partition::Each
);
const EVEN: [u32; 8] = [0, 2, 4, 6, 8, 10, 12, 14];
const ODD: [u32; 8] = [1, 3, 5, 7, 9, 11, 13, 15];
const FROM_8: [u32; 8] = [8, 9, 10, 11, 12, 13, 14, 15];

const IMM12_AXIS: Axis = split!(
    "Imm12",
    &["0", "1 to 31", "32 and more", "-32 and less", "-31 to -1"],
    &[],
    Lens::Code(IMM12),
    Partition::Ranges(&[(0, 0), (1, 31), (32, 0x7ff), (0x800, 0xfe0), (0xfe1, 0xfff)])
);
/// Without a sign.
const IMM12_FIELD: Axis = split!("Imm12", &["none", "all", "any"], &[1, 1, 4], Lens::Code(IMM12), Partition::Extent);
const IMM8_AXIS: Axis = split!(
    "Imm8",
    &["0", "1", "0x7f", "0x80", "0xfe", "0xff", "any"],
    &[1, 1, 1, 1, 1, 1, 4],
    Lens::Code(IMM8),
    Partition::Points(&[0, 1, 0x7f, 0x80, 0xfe, 0xff])
);
const IMM1_AXIS: Axis = flag!("Imm1", Lens::Code(IMM1));
const IMM2_AXIS: Axis = split!("Imm2", &["0", "1", "2", "3"], &[], Lens::Code(IMM2), Partition::Each);
/// A register that is read: 10 holds 1.0, and 9 zero.
macro_rules! source {
    ($name:literal, $field:expr, $weights:expr) => {
        super::lens::split!(
            $name,
            &["0-7", "8", "9", "10", "11-14", "15"],
            &$weights,
            super::lens::Lens::Code($field),
            super::lens::Partition::Ranges(&[(0, 7), (8, 8), (9, 9), (10, 10), (11, 14), (15, 15)])
        )
    };
}
pub(super) use source;
pub(super) const VB_AXIS: Axis = source!("VB", VB, [4, 1, 1, 1, 1, 1]);

/// What all have, and what else an instruction has.
macro_rules! orthogonal {
    ($($axis:expr),* $(,)?) => {
        [&[LANE_FLAGS, USE_LANE_FLAGS, ROW_MASK, super::vector::BACKDOOR, ROW_SHAPE, $($axis),*]; 2]
    };
}
pub(super) use orthogonal;

/// All lanes, each of which heeds a flag that can fall, and no bits that have no name.
macro_rules! sweep {
    ($($unnamed:literal),*) => {
        &["lane_flags=all", "use_lane_flags=all", "row_mask", "DISABLE_BACKDOOR_LOAD", $($unnamed),*]
    };
}

/// A case that everybody does in full: all lanes, from register 2 to register 1, and an entry on the stacks.
macro_rules! bench {
    ($name:literal, $($field:ident $value:literal)*) => {
        const { &[tandem_isa::BenchClass::whole($name, |parts, _| {
                let typed = super::parts::small(parts);
                (typed.use_lane_flags_for_lane_enable, typed.lane_config) = (0, [1 << super::sfpu_lanes::bit::DISABLE_BACKDOOR_LOAD; 8]);
                typed.flag_stack = tandem_isa::tensix::FlagStack::default();
                typed.flag_stack.occupied[0] = u32::MAX;
                parts.code[0] &= tandem_isa::tensix::inst::OPCODE.mask();
                $($field.set(parts.code, $value);)*
            })] }
    };
}
pub(super) use bench;

// -------------------------------------------------------------------------------------------------- forms

/// From one register to another.
pub(super) const LANEWISE: Cases = Cases {
    path: [&[VD_AXIS, VC_AXIS]; 2],
    has: vc_fits,
    orthogonal: orthogonal!(unread!(0xff_f000), unread!("unnamed_low_bits", 0xf)),
    sweep: sweep!("unnamed_bits", "unnamed_low_bits"),
    recording: unpromised(&["unnamed_bits", "unnamed_low_bits"]),
    ..CASES
};

/// From two registers to one of them, with a modifier of which bit 0 is read.
const WITH_VB: Cases = Cases {
    path: modified_by!("VD": EVEN, "USE_VB": ODD),
    orthogonal: orthogonal!(VB_AXIS, unread!(0xff_0000)),
    ..MODIFIED
};

/// With a modifier and nothing else.
pub(super) const MODIFIED: Cases = Cases {
    class: Class::Axis(2),
    orthogonal: orthogonal!(unread!(0xff_f000)),
    sweep: sweep!("unnamed_bits"),
    recording: unpromised(&["unnamed_bits"]),
    ..LANEWISE
};

/// With a modifier and a signed immediate of twelve bits.
const WITH_IMM12: Cases = Cases {
    orthogonal: orthogonal!(IMM12_AXIS),
    // By zero nothing is shifted, and nothing added.
    plain: &["Imm12=1 to 31"],
    data: Data::Registers(value_class::LREG_TWOS_COMPLEMENT, &format::TWOS_COMPLEMENT_DATUM),
    sweep: sweep!(),
    recording: unpromised(&[]),
    ..MODIFIED
};

/// With a modifier and an immediate of one bit.
const WITH_IMM1: Cases = Cases { orthogonal: orthogonal!(IMM1_AXIS, unread!(0xff_e000)), ..MODIFIED };

pub(super) const FLOATS: Data = Data::Registers(value_class::LREG_FP32, &format::FP32_DATUM);

/// How to read words where `VC` holds FP32 and `VD` gets integers; one that is both is read as what it gets.
fn integers_from_floats(
    _: Edition,
    parts: &Parts<'_>,
    which: usize,
    place: Option<(usize, usize)>,
) -> Option<&'static Format> {
    let (vc, vd) = (VC.get(parts.code), VD.get(parts.code));
    let is_operand = vc != vd && place.is_some_and(|(row, _)| row == vc as usize);
    let format = if is_operand { &format::FP32_DATUM } else { &format::TWOS_COMPLEMENT_DATUM };
    (which == bank::LREG).then_some(format)
}

/// Lanes are enabled or not in every test.
pub(super) const fn unpromised(unpromised: &'static [&'static str]) -> Recording {
    Recording { always: &["lane_flags", "use_lane_flags"], unpromised, ..CASES.recording }
}

/// Mostly data of an instruction's own kind, and now and then of any.
pub(super) fn choose_data(values: u8, parts: &mut Parts<'_>, noise: &mut Noise) {
    let is_own = noise.below(8) != 0;
    parts.salt.class[bank::LREG] = if is_own { values } else { value_class::LREG_ANY };
}

// -------------------------------------------------------------------------------------------------- the instructions

/// `SFPAND` and `SFPOR` name a third register on Blackhole.
pub(super) const fn sfpand<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpand", VD 1 VC 2), ..third_register::<C>() }
}

pub(super) const fn sfpor<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpor", VD 1 VC 2), ..third_register::<C>() }
}

const fn third_register<C: On>() -> Cases {
    match C::CHIP {
        Chip::Wormhole => LANEWISE,
        Chip::Blackhole => WITH_VB,
    }
}

pub(super) const fn sfpxor<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpxor", VD 1 VC 2), ..LANEWISE }
}

pub(super) const fn sfpnot<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpnot", VD 1 VC 2), ..LANEWISE }
}

pub(super) const fn sfpmov<C: On>() -> Cases {
    Cases {
        path: modified_by!(
            "copy": [0],
            "NEGATE": [1],
            "ALL_LANES_ENABLED": [2],
            "NEGATE and 2": [3],
            "FROM_SPECIAL": [8, 9, 10, 11],
            "reserved": [4, 5, 6, 7, 12, 13, 14, 15],
        ),
        prepare: choose_prng,
        data: FLOATS,
        bench_classes: bench!("sfpmov", VD 1 VC 2),
        ..MODIFIED
    }
}

pub(super) const fn sfpabs<C: On>() -> Cases {
    Cases {
        path: modified_by!("INT": EVEN, "FLOAT": ODD),
        data: Data::Registers(value_class::LREG_FP32, &format::BITS32),
        bench_classes: bench!("sfpabs", VD 1 VC 2 MOD1 1),
        ..MODIFIED
    }
}

pub(super) const fn sfpsetsgn<C: On>() -> Cases {
    Cases {
        path: modified_by!("VD": EVEN, "ARG_IMM": ODD),
        data: FLOATS,
        bench_classes: bench!("sfpsetsgn", VD 1 VC 2),
        ..WITH_IMM1
    }
}

pub(super) const fn sfplz<C: On>() -> Cases {
    Cases { path: [&[VD_AXIS, VC_AXIS, EACH_MOD1]; 2], bench_classes: bench!("sfplz", VD 1 VC 2 MOD1 2), ..MODIFIED }
}

pub(super) const fn sfpiadd<C: On>() -> Cases {
    Cases { path: [&[VD_AXIS, VC_AXIS, EACH_MOD1]; 2], bench_classes: bench!("sfpiadd", VD 1 VC 2), ..WITH_IMM12 }
}

pub(super) const fn sfpshft<C: On>() -> Cases {
    const WORMHOLE: [&[Axis]; 2] =
        modified_by!("VC": [0], "ARG_IMM": [1], "reserved": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    const BLACKHOLE: [&[Axis]; 2] = modified_by!(
        "VC": [0],
        "ARG_IMM": [1],
        "ARITHMETIC": [2],
        "ARITHMETIC, ARG_IMM": [3],
        "ARG_IMM, USE_VC": [5],
        "ARITHMETIC, ARG_IMM, USE_VC": [7],
        "USE_VC alone": [4, 6],
        "8 and above": FROM_8,
    );
    Cases {
        path: C::CHIP.pick(WORMHOLE, BLACKHOLE),
        data: Data::Registers(value_class::LREG_ANY, &format::TWOS_COMPLEMENT_DATUM),
        bench_classes: C::CHIP.pick(bench!("sfpshft", VD 1 VC 2), bench!("sfpshft", VD 1 VC 2 MOD1 2)),
        ..WITH_IMM12
    }
}

pub(super) const fn sfpsetcc<C: On>() -> Cases {
    Cases {
        path: modified_by!(
            "LREG_LT0": [0],
            "LREG_NE0": [2],
            "LREG_GTE0": [4],
            "LREG_EQ0": [6],
            "IMM_BIT0": [1, 3, 5, 7],
            "CLEAR": FROM_8,
        ),
        data: Data::Registers(value_class::LREG_TWOS_COMPLEMENT, &format::TWOS_COMPLEMENT_DATUM),
        // Flags change in lanes that heed them, and fall in the one that does not.
        plain: &["lane_flags=all", "use_lane_flags=all but one"],
        bench_classes: bench!("sfpsetcc", VD 1 VC 2),
        ..WITH_IMM1
    }
}

pub(super) const fn sfpencc<C: On>() -> Cases {
    Cases {
        path: [&[VD_AXIS, EACH_MOD1, IMM2_AXIS]; 2],
        has: |_| true,
        class: Class::Axis(1),
        orthogonal: orthogonal!(unread!(0xff_c000), unread!("unnamed_middle_bits", 0xf00)),
        sweep: sweep!("unnamed_bits", "unnamed_middle_bits"),
        recording: unpromised(&["unnamed_bits", "unnamed_middle_bits"]),
        // Whatever all lanes are set to, it shows.
        plain: &["lane_flags=all but one", "use_lane_flags=all but one"],
        bench_classes: bench!("sfpencc", VD 1 MOD1 2),
        ..LANEWISE
    }
}

pub(super) const fn sfpexexp<C: On>() -> Cases {
    Cases {
        path: [&[VD_AXIS, VC_AXIS, EACH_MOD1]; 2],
        prepare: |parts, noise| choose_data(value_class::LREG_FP32, parts, noise),
        data: Data::Of(integers_from_floats),
        bench_classes: bench!("sfpexexp", VD 1 VC 2 MOD1 2),
        ..MODIFIED
    }
}

/// With a modifier and an immediate of eight bits.
const WITH_IMM8: Cases = Cases {
    orthogonal: orthogonal!(IMM8_AXIS, unread!(0xf0_0000)),
    data: FLOATS,
    // An exponent that most data do not have.
    plain: &["Imm8=0x80"],
    ..MODIFIED
};

pub(super) const fn sfpexman<C: On>() -> Cases {
    Cases {
        path: modified_by!("hidden bit": EVEN, "PAD9": ODD),
        data: Data::Registers(value_class::LREG_FP32, &format::BITS32),
        bench_classes: bench!("sfpexman", VD 1 VC 2),
        ..MODIFIED
    }
}

pub(super) const fn sfpsetexp<C: On>() -> Cases {
    Cases {
        path: modified_by!(
            "VD as an integer": [0, 4, 8, 12],
            "ARG_EXPONENT": [2, 6, 10, 14],
            "ARG_IMM": ODD,
        ),
        bench_classes: bench!("sfpsetexp", VD 1 VC 2),
        ..WITH_IMM8
    }
}

pub(super) const fn sfpsetman<C: On>() -> Cases {
    Cases {
        path: modified_by!("VD": EVEN, "ARG_IMM": ODD),
        orthogonal: orthogonal!(IMM12_FIELD),
        data: FLOATS,
        plain: &["Imm12=any"],
        bench_classes: bench!("sfpsetman", VD 1 VC 2),
        ..WITH_IMM12
    }
}

pub(super) const fn sfpdivp2<C: On>() -> Cases {
    Cases {
        path: modified_by!("set": EVEN, "ADD": ODD),
        bench_classes: bench!("sfpdivp2", VD 1 VC 2 MOD1 1),
        ..WITH_IMM8
    }
}

/// Does nothing, whatever the lanes are.
pub(super) const fn sfpnop<C: On>() -> Cases {
    Cases {
        path: [&[USE_LANE_FLAGS]; 2],
        orthogonal: [&[LANE_FLAGS, ROW_MASK, BACKDOOR, ROW_SHAPE, unread!(0xff_ffff)]; 2],
        sweep: &["lane_flags", "row_mask", "DISABLE_BACKDOOR_LOAD", "unnamed_bits"],
        recording: Recording { unpromised: &["unnamed_bits"], ..CASES.recording },
        ..CASES
    }
}

pub(super) const fn sfptransp<C: On>() -> Cases {
    Cases {
        path: [&[VD_AXIS]; 2],
        has: |_| true,
        orthogonal: orthogonal!(unread!(0xff_ff00), unread!("unnamed_low_bits", 0xf)),
        bench_classes: bench!("sfptransp", VD 1),
        ..LANEWISE
    }
}

pub(super) const fn sfpswap<C: On>() -> Cases {
    const EXCHANGE: Axis = lanes!("EXCHANGE_SRCB_SRCC", bit::EXCHANGE_SRCB_SRCC);
    const DEST_INDEX: Axis = lanes!("ENABLE_DEST_INDEX", bit::ENABLE_DEST_INDEX);
    Cases {
        path: modified_by!(
            "SWAP": [0],
            "VEC_MIN_MAX": [1],
            "SUBVEC_MIN01_MAX23": [2],
            "SUBVEC_MIN02_MAX13": [3],
            "SUBVEC_MIN03_MAX12": [4],
            "SUBVEC_MIN0_MAX123": [5],
            "SUBVEC_MIN1_MAX023": [6],
            "SUBVEC_MIN2_MAX013": [7],
            "SUBVEC_MIN3_MAX012": [8],
            "9": [9],
            "reserved": [10, 11, 12, 13, 14, 15],
        ),
        orthogonal: orthogonal!(EXCHANGE, DEST_INDEX, unread!(0xff_f000)),
        data: Data::Registers(value_class::LREG_SIGN_MAGNITUDE, &format::SIGN_MAGNITUDE_DATUM),
        bench_classes: bench!("sfpswap", VD 1 VC 2 MOD1 1),
        ..MODIFIED
    }
}

pub(super) const fn sfpshft2<C: On>() -> Cases {
    Cases {
        path: modified_by!(
            "COPY4": [0],
            "SUBVEC_CHAINED_COPY4": [1],
            "SUBVEC_SHFLROR1_AND_COPY4": [2],
            "SUBVEC_SHFLROR1": [3],
            "SUBVEC_SHFLSHR1": [4],
            "SHFT_LREG": [5],
            "SHFT_IMM": [6],
            "reserved": [7, 8, 9, 10, 11, 12, 13, 14, 15],
        ),
        orthogonal: orthogonal!(VB_AXIS, IMM12_HIGH),
        plain: &[],
        sweep: sweep!("Imm12 above VB"),
        // Of an immediate alone it is promised.
        recording: unpromised(&["Imm12 above VB"]),
        bench_classes: bench!("sfpshft2", VD 1 VC 2 MOD1 3),
        ..WITH_IMM12
    }
}

/// What lies above `VB`.
const IMM12_HIGH: Axis = split!(
    "Imm12 above VB",
    &["0", "1", "-1", "any"],
    &[6, 1, 1, 1],
    Lens::CodeBits(0xff_0000),
    Partition::Points(&[0, 1, 0xff])
);

// -------------------------------------------------------------------------------------------------- rounding

/// Half of the states of the PRNG have few low bits, which those that are rounded away can equal.
fn choose_prng(parts: &mut Parts<'_>, noise: &mut Noise) {
    parts.salt.class[bank::PRNG] = [value_class::PRNG_FEW, value_class::BITS32][noise.below(2)];
}

pub(super) const fn sfpcast<C: On>() -> Cases {
    const WORMHOLE: [&[Axis]; 2] = modified_by!("RND_EVEN": EVEN, "RND_STOCH": ODD);
    const BLACKHOLE: [&[Axis]; 2] = modified_by!(
        "SM32_TO_FP32_RNE": [0],
        "SM32_TO_FP32_RNS": [1],
        "INT32_ABS": [2],
        "INT32_SM32": [3],
        "reserved": [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    );
    Cases {
        path: C::CHIP.pick(WORMHOLE, BLACKHOLE),
        prepare: |parts, noise| {
            choose_prng(parts, noise);
            choose_data(value_class::LREG_SIGN_MAGNITUDE, parts, noise);
        },
        data: Data::Of(|_, parts, which, place| {
            let is_float =
                MOD1.get(parts.code) & 2 == 0 && place.is_some_and(|(row, _)| row == VD.get(parts.code) as usize);
            let format = if is_float { &format::FP32_DATUM } else { &format::SIGN_MAGNITUDE_DATUM };
            (which == bank::LREG).then_some(format)
        }),
        bench_classes: bench!("sfpcast", VD 1 VC 2 MOD1 1),
        ..MODIFIED
    }
}

pub(super) const fn sfpstochrnd<C: On>() -> Cases {
    const FORM: Axis = split!(
        "Mod1",
        &[
            "FP32_TO_FP16A",
            "FP32_TO_FP16B",
            "FP32_TO_UINT8",
            "FP32_TO_INT8",
            "INT32_TO_UINT8",
            "INT32_TO_INT8",
            "FP32_TO_UINT16",
            "FP32_TO_INT16"
        ],
        &[],
        Lens::Code(MOD1_OF_3),
        Partition::Each
    );
    const WORMHOLE: [&[Axis]; 2] =
        [&[VD_AXIS, VC_AXIS, FORM, flag!("StochasticRounding", Lens::Code(STOCHASTIC_ROUNDING))]; 2];
    const MODES: Axis =
        split!("RoundingMode", &["NEAREST", "STOCH", "ZERO", "3"], &[], Lens::Code(ROUNDING_MODE), Partition::Each);
    const SHIFT: Axis = split!(
        "Imm5",
        &["0", "1 to 7", "8 to 22", "23", "24 to 30", "31"],
        &[1, 3, 3, 1, 1, 1],
        Lens::Code(IMM5),
        Partition::Ranges(&[(0, 0), (1, 7), (8, 22), (23, 23), (24, 30), (31, 31)])
    );
    const BY_IMM5: Axis = flag!("UseImm5", Lens::Code(USE_IMM5));
    const REST: [[&[Axis]; 2]; 2] = [
        orthogonal!(VB_AXIS, BY_IMM5, SHIFT, unread!(0xc0_0000)),
        orthogonal!(VB_AXIS, BY_IMM5, SHIFT, unread!(0x80_0000)),
    ];
    Cases {
        path: C::CHIP.pick(WORMHOLE, [&[VD_AXIS, VC_AXIS, FORM, MODES]; 2]),
        orthogonal: C::CHIP.pick(REST[0], REST[1]),
        prepare: |parts, noise| {
            choose_prng(parts, noise);
            let floats = [value_class::LREG_NEAR_INTEGERS, value_class::LREG_FP32][noise.below(2)];
            let is_integer = MOD1_OF_3.get(parts.code) & 6 == 4;
            choose_data(if is_integer { value_class::LREG_SIGN_MAGNITUDE } else { floats }, parts, noise);
        },
        data: Data::Of(|_, parts, which, place| {
            let form = MOD1_OF_3.get(parts.code);
            let is_result = place.is_some_and(|(row, _)| row == VD.get(parts.code) as usize);
            let is_integer = form & 6 == 4 || form > 1 && is_result;
            let format = if is_integer { &format::SIGN_MAGNITUDE_DATUM } else { &format::FP32_DATUM };
            (which == bank::LREG).then_some(format)
        }),
        bench_classes: C::CHIP.pick(
            bench!("sfpstochrnd", VD 1 VC 2 VB 2 MOD1_OF_3 3 STOCHASTIC_ROUNDING 1),
            bench!("sfpstochrnd", VD 1 VC 2 VB 2 MOD1_OF_3 3 ROUNDING_MODE 1),
        ),
        ..MODIFIED
    }
}

// -------------------------------------------------------------------------------------------------- the stack of flags

/// How many entries the stacks of the lanes have.
const STACK: Axis = axis!(
    "stack",
    &["empty", "one", "two to seven", "full", "differ, 1 to 7", "differ, 0 to 8"],
    &[],
    |parts, level, noise| {
        let same = [0, 1, 2 + noise.below(6), 8][level.min(3)];
        let (ends, bound) = [([1, 7], 7), ([0, 8], 9)][usize::from(level == 5)];
        let first = noise.below(32);
        let depths: [usize; 32] = std::array::from_fn(|lane| match lane.wrapping_sub(first) % 32 {
            _ if level < 4 => same,
            // Two are different, whatever the others are.
            apart @ (0 | 1) => ends[apart],
            _ => ends[0] + noise.below(bound),
        });
        let mut stack = FlagStack::default();
        // SFPENCC has all lanes heed their flags, or none, and so mostly has the stack.
        let heeded = [0, u32::MAX, u32::MAX, noise.bits(32)][noise.below(4)];
        for entry in 0..8 {
            let reach = (0..32).filter(|&lane| depths[lane] > entry).fold(0, |mask, lane| mask | 1 << lane);
            let [flags, uses] = [noise.bits(32), heeded ^ [0, 0, u32::MAX][noise.below(3)]];
            stack.occupied[entry] = reach;
            stack.lane_flags[entry] = reach & flags;
            stack.use_lane_flags_for_lane_enable[entry] = reach & uses;
        }
        small(parts).flag_stack = stack;
    },
    |parts| {
        let occupied = peek(parts).flag_stack.occupied;
        let differ = occupied.iter().any(|&mask| mask != 0 && mask != u32::MAX);
        match occupied.iter().filter(|&&mask| mask != 0).count() {
            _ if differ => 4 + usize::from(occupied[0] != u32::MAX || occupied[7] != 0),
            0 => 0,
            1 => 1,
            8 => 3,
            _ => 2,
        }
    }
);

/// What no lane takes part in, if it has no flag, and what all take part in alike shows nothing.
const OF_STACK: Cases = Cases {
    path: [&[VD_AXIS, STACK, EACH_MOD1]; 2],
    has: |_| true,
    class: Class::Axis(2),
    orthogonal: orthogonal!(unread!(0xff_ff00)),
    plain: &["lane_flags=any", "use_lane_flags=all"],
    ..MODIFIED
};
/// The same without a modifier.
const OF_STACK_ALONE: Cases = Cases {
    path: [&[VD_AXIS, STACK]; 2],
    class: Class::Axis(1),
    orthogonal: orthogonal!(unread!(0xff_ff00), unread!("unnamed_low_bits", 0xf)),
    sweep: sweep!("unnamed_bits", "unnamed_low_bits"),
    recording: unpromised(&["unnamed_bits", "unnamed_low_bits"]),
    ..OF_STACK
};

pub(super) const fn sfppushc<C: On>() -> Cases {
    match C::CHIP {
        // It cannot be done again and again.
        Chip::Wormhole => OF_STACK_ALONE,
        Chip::Blackhole => Cases { bench_classes: bench!("sfppushc", VD 1 MOD1 3), ..OF_STACK },
    }
}

pub(super) const fn sfppopc<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfppopc", VD 1 MOD1 3), ..OF_STACK }
}

pub(super) const fn sfpcompc<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpcompc", VD 1), ..OF_STACK_ALONE }
}

const COMPARISON: Cases = Cases {
    path: [&[VD_AXIS, VC_AXIS, EACH_MOD1]; 2],
    orthogonal: orthogonal!(STACK, unread!(0xff_f000)),
    data: Data::Registers(value_class::LREG_SIGN_MAGNITUDE, &format::SIGN_MAGNITUDE_DATUM),
    plain: &["stack=two to seven", "lane_flags=any", "use_lane_flags=any"],
    ..MODIFIED
};

pub(super) const fn sfple<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfple", VD 1 VC 2 MOD1 9), ..COMPARISON }
}

pub(super) const fn sfpgt<C: On>() -> Cases {
    Cases { bench_classes: bench!("sfpgt", VD 1 VC 2 MOD1 9), ..COMPARISON }
}
