//! Cases of loads and stores by which a RISC-V core of Blackhole accesses `Dst`.

use std::mem::offset_of;

use tandem_isa::tensix::config::{
    ConfigField,
    blackhole::{
        RISC_DEST_ACCESS_CTRL_SEC0_fmt, RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
        RISC_DEST_ACCESS_CTRL_SEC1_fmt, RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
        RISC_DEST_ACCESS_CTRL_SEC2_fmt, RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle, RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int,
    },
};
use tandem_isa::tensix::inst::window::{OFFSET, SIGN_EXTEND, SIZE, SIZES};
use tandem_isa::tensix::{Small, bank, format};
use tandem_isa::{Axis, BenchClass, Edition, Exhaust, Feed, Levels, Noise, Parts, Placement, Quantity, Recording};

use crate::salt::ROW_SHAPE;

use super::control::bench;
use super::lens::{Lens, Partition, ROWS, flag, number, rows, split};
use super::parts::{STATE_ID, THREAD, VALIDITY, axis, get_config, peek, set_config, small, thread_of};
use super::sfpu_axes::DEST_ACCESS;
use super::state_quantities::STATE;
use super::{CASES, Cases, Class, Data, On, value_class};

// -------------------------------------------------------------------------------------------------- configuration

/// A field of the section of the current thread's core.
#[derive(Clone, Copy)]
struct OfCore([ConfigField; 3]);

impl OfCore {
    fn field(self, parts: &Parts<'_>) -> ConfigField {
        self.0[thread_of(peek(parts))]
    }

    const fn width(self) -> u32 {
        self.0[0].width
    }

    fn get(self, parts: &Parts<'_>) -> u32 {
        get_config(parts, self.field(parts))
    }

    fn set(self, parts: &mut Parts<'_>, value: u32) {
        let field = self.field(parts);
        set_config(parts, field, value);
    }
}

const FMT: OfCore =
    OfCore([RISC_DEST_ACCESS_CTRL_SEC0_fmt, RISC_DEST_ACCESS_CTRL_SEC1_fmt, RISC_DEST_ACCESS_CTRL_SEC2_fmt]);
const NO_SWIZZLE: OfCore = OfCore([
    RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
    RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
    RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle,
]);
const UNSIGNED_INT: OfCore = OfCore([
    RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
    RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
    RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int,
]);

/// The code of `fmt` for data of eight bits.
const FMT_INT8: u32 = 5;
/// The core that accesses several data at a time.
const T2: u32 = 2;

macro_rules! of_core {
    ($name:literal, $levels:expr, $field:expr) => {
        axis!($name, $levels, &[], |parts, level, _| $field.set(parts, level as u32), |parts| $field.get(parts)
            as usize)
    };
}

const FMT_AXIS: Axis =
    of_core!("fmt", &["float of 32 bits", "int32", "fp16", "bf16", "int16", "int8", "reserved 6", "reserved 7"], FMT);
const NO_SWIZZLE_AXIS: Axis = of_core!("no_swizzle", super::lens::OFF_ON, NO_SWIZZLE);
const UNSIGNED_INT_AXIS: Axis = of_core!("unsigned_int", super::lens::OFF_ON, UNSIGNED_INT);
const SIZE_AXIS: Axis =
    split!("size", &["1 byte", "2 bytes", "4 bytes", "16 bytes"], &[], Lens::Code(SIZE), Partition::Each);

/// How many data of `Dst` are accessed, if the format has some of this size.
fn num_data(fmt: u32, size: u32) -> Option<usize> {
    let bytes = match fmt {
        0 | 1 => 4,
        2..=4 => 2,
        FMT_INT8 => 1,
        _ => return None,
    };
    Some((SIZES[size as usize] / bytes) as usize).filter(|&count| count > 0)
}

const CLASSES: &[&str] = &["no whole datum", "one datum", "several data"];

fn class(_: Edition, levels: &Levels) -> &'static str {
    CLASSES[num_data(u32::from(levels[1]), u32::from(levels[0])).unwrap_or(0).min(2)]
}

// -------------------------------------------------------------------------------------------------- axes

/// Where the 16 bytes lie which the access is to: in formats of 32 bits, 4 data of a row.
const BLOCK: Lens = Lens::CodeBits(0x7ff0);
const BLOCK_AXIS: Axis = rows!("block", &[], BLOCK);
/// Where in them.
const BYTE_AXIS: Axis = split!(
    "byte",
    &["0", "8", "multiple of 4", "multiple of 2", "odd"],
    &[3, 1, 2, 2, 2],
    Lens::CodeBits(0xf),
    Partition::Sets(&[&[0], &[8], &[4, 12], &[2, 6, 10, 14], &[1, 3, 5, 7, 9, 11, 13, 15]])
);
/// What the register holds that is stored, or loaded over.
const DATA_AXIS: Axis = split!(
    "data",
    &[
        "0",
        "ones",
        "least of 32 bits",
        "least of 16 bits",
        "least of 8 bits",
        "greatest of 32 bits",
        "greatest of 16 bits",
        "greatest of 8 bits",
        "any",
    ],
    &[1, 1, 1, 1, 1, 1, 1, 1, 8],
    Lens::word(offset_of!(Small, risc_data), 32),
    Partition::Points(&[0, u32::MAX, 0x8000_0000, 0x8000, 0x80, 0x7fff_ffff, 0x7fff, 0x7f])
);

const ORTHOGONAL: &[Axis] = &[
    Axis { weights: &[1, 1, 2], ..THREAD },
    STATE_ID,
    BLOCK_AXIS,
    BYTE_AXIS,
    DATA_AXIS,
    DEST_ACCESS,
    Axis { weights: &[14, 1, 1], ..VALIDITY },
    ROW_SHAPE,
];
const AT_BLOCK: usize = 2;
const AT_BYTE: usize = 3;

fn prepare(parts: &mut Parts<'_>, noise: &mut Noise) {
    use value_class::{DST, DST_BF16, DST_ENDS, DST_FP16, DST_INT8, DST_INT16};
    parts.salt.class[bank::DST] = [DST, DST_BF16, DST_FP16, DST_INT8, DST_INT16, DST_ENDS][noise.below(6)];
    for word in &mut small(parts).risc_data {
        *word = noise.bits(32);
    }
}

/// Nearly all accesses are aligned, and nearly all data there are: only 16 KiB of the window have data of eight bits.
fn finish(parts: &mut Parts<'_>, levels: &mut Levels, noise: &mut Noise) {
    let (size, offset) = (SIZES[SIZE.get(parts.code) as usize], OFFSET.get(parts.code));
    let aligned = if noise.below(16) == 0 { offset } else { offset & !(size - 1) };
    let there = if FMT.get(parts) == FMT_INT8 && noise.below(16) != 0 { 0x3fff } else { 0x7fff };
    OFFSET.set(parts.code, aligned & there);
    levels[AT_BYTE] = (BYTE_AXIS.get)(parts) as u8;
    if usize::from(levels[AT_BLOCK]) != ROWS.len() - 1 {
        levels[AT_BLOCK] = (BLOCK_AXIS.get)(parts) as u8;
    }
}

// -------------------------------------------------------------------------------------------------- quantities

const OWN: &[Quantity] = &[
    number!("size", Lens::Code(SIZE)),
    number!("fmt", FMT),
    number!("no_swizzle", NO_SWIZZLE),
    number!("unsigned_int", UNSIGNED_INT),
    number!("offset", Lens::Code(OFFSET)),
    number!("block of 16 bytes", BLOCK),
];
const QUANTITIES: &[&[Quantity]] = &[OWN, STATE[1]];

// -------------------------------------------------------------------------------------------------- cases

const WINDOW: Cases = Cases {
    class: Class::Of(class, CLASSES),
    orthogonal: [ORTHOGONAL; 2],
    prepare,
    finish,
    data: Data::Of(|_, parts, which, _| match FMT.get(parts) {
        _ if which != bank::DST => None,
        2 => Some(&format::DST_FP16),
        3 => Some(&format::DST_BF16),
        4 => Some(&format::DST_INT16),
        FMT_INT8 => Some(&format::DST_INT8),
        _ => Some(&format::DST_BITS),
    }),
    quantities: QUANTITIES,
    // T2 alone accesses several data at a time.
    plain: &["thread=2", "data=any"],
    sweep: &["row_validity"],
    recording: Recording { unpromised: &["row_validity", "byte=odd"], source_rows: 2, ..CASES.recording },
    ..CASES
};

pub(super) const fn risc_load<C: On>() -> Cases {
    Cases {
        path: [&[SIZE_AXIS, FMT_AXIS, NO_SWIZZLE_AXIS, UNSIGNED_INT_AXIS, flag!("SignExtend", Lens::Code(SIGN_EXTEND))];
            2],
        bench_classes: bench!("risc_load-32", [THREAD, VALIDITY, FMT_AXIS] SIZE 2),
        exhaust,
        ..WINDOW
    }
}

pub(super) const fn risc_store<C: On>() -> Cases {
    Cases {
        path: [&[SIZE_AXIS, FMT_AXIS, NO_SWIZZLE_AXIS, UNSIGNED_INT_AXIS]; 2],
        bench_classes: bench!("risc_store-32", [THREAD, VALIDITY, FMT_AXIS] SIZE 2),
        ..WINDOW
    }
}

/// The data from the first column of a row on.
fn exhaust(_: Edition, levels: &Levels) -> Option<Exhaust> {
    let data_per_row = num_data(u32::from(levels[1]), u32::from(levels[0]))?;
    let (bits, datum_bytes, split) = if levels[1] < 2 { (32, 4, Some(8)) } else { (16, 2, None) };
    let place = Placement { split, ..Placement::LOW_BITS };
    let feed = Feed::Rows { bank: bank::DST, datum_bytes, data_per_row, place };
    let set = |parts: &mut Parts<'_>, noise: &mut Noise| {
        (VALIDITY.set)(parts, 0, noise);
        let rows_there = if FMT.get(parts) == FMT_INT8 { 0x3fc0 } else { 0x7fc0 };
        OFFSET.set(parts.code, OFFSET.get(parts.code) & rows_there);
        // As on the core that can do so.
        let settings = [FMT, NO_SWIZZLE, UNSIGNED_INT];
        let values = settings.map(|setting| setting.get(parts));
        small(parts).current_thread = T2;
        for (setting, value) in settings.into_iter().zip(values) {
            setting.set(parts, value);
        }
    };
    Some(Exhaust { bits, feed, set })
}
