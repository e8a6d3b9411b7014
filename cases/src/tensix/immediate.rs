//! Cases of instructions of the Vector Unit with an immediate of sixteen bits, on both chips.

use std::mem::offset_of;

use tandem_isa::tensix::inst::immediate::{sfpconfig, sfploadi};
use tandem_isa::tensix::{Small, bank, format};
use tandem_isa::{Axis, Edition, Format, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::lens::{Lens, Partition, split};
use super::sfpu_lanes::{LANE_FLAGS, ROW_MASK, USE_LANE_FLAGS, bit, lane_words};
use super::vector::{BACKDOOR, EACH_MOD1, bench, choose_data};
use super::{CASES, Cases, Class, Data, On, value_class};

/// Lanes are enabled or not in every test.
const RECORDING: Recording = Recording { always: &["lane_flags", "use_lane_flags"], ..CASES.recording };

// -------------------------------------------------------------------------------------------------- SFPLOADI

const LOADI_PATH: &[Axis] = &[
    split!(
        "VD",
        &["0-7", "8-11", "12-15"],
        &[],
        Lens::Code(sfploadi::VD),
        Partition::Ranges(&[(0, 7), (8, 11), (12, 15)])
    ),
    split!(
        "Mod0",
        &["FLOATB", "FLOATA", "USHORT", "SHORT", "UPPER", "LOWER", "undefined"],
        &[],
        Lens::Code(sfploadi::MOD0),
        Partition::Sets(&[&[0], &[1], &[2], &[4], &[8], &[10], &[3, 5, 6, 7, 9, 11, 12, 13, 14, 15]])
    ),
];

/// By what FP16 makes of it: a zero, an exponent of zero, one between, one of ones, and the same with a sign.
const LOADI_IMM16: Axis = split!(
    "Imm16",
    &[
        "0",
        "1 to 0x3ff",
        "0x400 to 0x7bff",
        "0x7c00 to 0x7fff",
        "0x8000 to 0x83ff",
        "0x8400 to 0xfbff",
        "0xfc00 to 0xffff"
    ],
    &[],
    Lens::Code(sfploadi::IMM16),
    Partition::Ranges(&[
        (0, 0),
        (1, 0x3ff),
        (0x400, 0x7bff),
        (0x7c00, 0x7fff),
        (0x8000, 0x83ff),
        (0x8400, 0xfbff),
        (0xfc00, 0xffff)
    ])
);

/// How to read what is loaded.
fn loaded(_: Edition, parts: &Parts<'_>, which: usize, _: Option<(usize, usize)>) -> Option<&'static Format> {
    let format = match sfploadi::MOD0.get(parts.code) {
        0 | 1 => &format::FP32_DATUM,
        4 => &format::TWOS_COMPLEMENT_DATUM,
        _ => &format::BITS32,
    };
    (which == bank::LREG).then_some(format)
}

pub(super) const fn sfploadi<C: On>() -> Cases {
    use sfploadi::{IMM16, VD};
    Cases {
        path: [LOADI_PATH; 2],
        class: Class::Axis(1),
        orthogonal: [&[LANE_FLAGS, USE_LANE_FLAGS, ROW_MASK, BACKDOOR, ROW_SHAPE, LOADI_IMM16]; 2],
        prepare: |parts, noise| choose_data(value_class::LREG_ANY, parts, noise),
        data: Data::Of(loaded),
        // Zero shows nothing in a register that holds it.
        plain: &["Imm16=0x400 to 0x7bff"],
        sweep: &["lane_flags=all", "use_lane_flags=all", "row_mask", "DISABLE_BACKDOOR_LOAD"],
        recording: RECORDING,
        bench_classes: bench!("sfploadi", VD 1 IMM16 0x3f80),
        ..CASES
    }
}

// -------------------------------------------------------------------------------------------------- SFPCONFIG

/// What is written: the templates, the sequences and the rest of `LoadMacroConfig`, nothing, four registers, `LaneConfig`.
const CONFIG_VD: Axis = split!(
    "VD",
    &["0-3", "4-7", "8", "9-10", "11", "12", "13", "14", "15"],
    &[],
    Lens::Code(sfpconfig::VD),
    Partition::Ranges(&[(0, 3), (4, 7), (8, 8), (9, 10), (11, 11), (12, 12), (13, 13), (14, 14), (15, 15)])
);

/// The masks of flags: the first row of lanes decides for all, so that it stands against the other rows.
const ROWS_OF_LANES: &[&str] = &["none", "all", "one", "all but one", "first row", "other rows", "any"];
const ROWS_APART: Partition = Partition::Mask(&[&[0xff], &[0xffff_ff00]]);

const CONFIG_LANE_FLAGS: Axis = split!(
    "lane_flags",
    ROWS_OF_LANES,
    &[1, 1, 1, 1, 1, 1, 3],
    Lens::word(offset_of!(Small, lane_flags), 32),
    ROWS_APART
);
const CONFIG_USE_LANE_FLAGS: Axis = split!(
    "use_lane_flags",
    ROWS_OF_LANES,
    &[4, 2, 1, 1, 1, 1, 2],
    Lens::word(offset_of!(Small, use_lane_flags_for_lane_enable), 32),
    ROWS_APART
);

/// A value, or in its even bits a mask of lanes.
const CONFIG_IMM16: Axis = split!(
    "Imm16",
    &["none", "all", "one", "all but one", "even bits", "odd bits", "any"],
    &[1, 1, 1, 1, 1, 1, 4],
    Lens::Code(sfpconfig::IMM16),
    Partition::Mask(&[&[0x5555], &[0xaaaa]])
);

/// All bits of `LaneConfig` but `DISABLE_BACKDOOR_LOAD` and `ROW_MASK`, which have axes of their own.
const CONFIG_BITS: u32 = 0x3_ffff & !(1 << bit::DISABLE_BACKDOOR_LOAD | 0xf << bit::ROW_MASK);

const CONFIG_LANE_CONFIG: Axis = lane_words!("lane_config", &[1, 1, 4], lane_config, 18, CONFIG_BITS);
const CONFIG_MISC: Axis = lane_words!("Misc", &[1, 1, 4], load_macro_misc, 12, 0xfff);

pub(super) const fn sfpconfig<C: On>() -> Cases {
    use sfpconfig::{MOD1, VD};
    Cases {
        path: [&[CONFIG_VD, EACH_MOD1]; 2],
        orthogonal: [&[
            CONFIG_LANE_FLAGS,
            CONFIG_USE_LANE_FLAGS,
            ROW_MASK,
            BACKDOOR,
            ROW_SHAPE,
            CONFIG_IMM16,
            CONFIG_LANE_CONFIG,
            CONFIG_MISC,
        ]; 2],
        // Whatever is done to all bits, it shows.
        plain: &["Imm16=any", "lane_config=any", "Misc=any"],
        sweep: &["lane_flags=all", "use_lane_flags=all", "row_mask", "DISABLE_BACKDOOR_LOAD", "Imm16=all"],
        recording: Recording { always: &["lane_flags", "use_lane_flags", "Imm16"], ..CASES.recording },
        bench_classes: bench!("sfpconfig", VD 13 MOD1 0),
        ..CASES
    }
}
