//! Cases of `PACR`, on both chips.
//!
//! All packers are configured alike, but for addresses, so that an axis reads the first one at work. Data for L1 go to the first
//! 12 KiB of it, each packer's to a quarter of them, and what is read there comes from the next 4 KiB; what leaves these promises
//! nothing, so nobody has to compute a footprint.

use tandem_isa::tensix::config::pack::{self, PackField, PackerField};
use tandem_isa::tensix::config::{self, ConfigField};
use tandem_isa::tensix::inst::pack::{
    ADDR_CNT_CONTEXT, ADDR_MOD, CFG_CONTEXT, CONCAT, CTXT_CTRL, DST_ACCESS_MODE, FLUSH, LAST, OVRD_THREAD_ID,
    PACKER_MASK, READ_INTF_SEL, ROW_PAD_ZERO, ZERO_WRITE,
};
use tandem_isa::tensix::{AdcChannel, Chip, DATA, EXPONENTS, PACKERS, bank, format};
use tandem_isa::{Axis, BenchClass, CodeField, Format, Levels, Noise, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::adc::set_counters;
use super::control::unnamed;
use super::lens::{Lens, NONE_OR_SOME, OFF_ON, Partition, flag, split};
use super::parts::{
    STATE_ID, THREAD, get_config, get_thread_config, peek, set_config, set_thread_config, small, state_id_of, thread_of,
};
use super::wait::{LATCHED_NOTHING, LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, On, axes, value_class};

// -------------------------------------------------------------------------------------------------- what is in force

/// How many packers the chip has.
const fn packers(chip: Chip) -> usize {
    chip.pick(PACKERS, 1)
}

/// The first packer at work.
fn packer(chip: Chip, parts: &Parts<'_>) -> usize {
    match chip {
        Chip::Wormhole => PACKER_MASK.get(parts.code).trailing_zeros() as usize % PACKERS,
        Chip::Blackhole => 0,
    }
}

fn of_packer(chip: Chip, parts: &Parts<'_>, field: PackerField) -> u32 {
    let small = peek(parts);
    field.get(chip, packer(chip, parts), &small.config[state_id_of(small)])
}

/// Gives a field of all packers a value.
fn to_packers(chip: Chip, parts: &mut Parts<'_>, field: PackerField, value: u32) {
    for packer in 0..packers(chip) {
        to_packer(chip, parts, packer, field, value);
    }
}

fn to_packer(chip: Chip, parts: &mut Parts<'_>, packer: usize, field: PackerField, value: u32) {
    let small = small(parts);
    field.set(chip, packer, &mut small.config[state_id_of(small)], value);
}

fn shared(chip: Chip, parts: &Parts<'_>, field: PackField) -> u32 {
    get_config(parts, field.of(chip))
}

fn to_shared(chip: Chip, parts: &mut Parts<'_>, field: PackField, value: u32) {
    set_config(parts, field.of(chip), value);
}

/// The thread whose counters count.
fn counters_of(chip: Chip, parts: &Parts<'_>) -> usize {
    match OVRD_THREAD_ID.get(parts.code) {
        0 => thread_of(peek(parts)),
        _ => of_packer(chip, parts, pack::Addr_cnt_context) as usize % 3,
    }
}

fn counters<'a>(chip: Chip, parts: &'a mut Parts<'_>, channel: usize) -> &'a mut AdcChannel {
    let thread = counters_of(chip, parts);
    &mut small(parts).adcs[thread].packers[channel]
}

/// Where a number lies that a `PACR` uses.
#[derive(Clone, Copy)]
enum At {
    /// A field of packers.
    Packers(PackerField),
    /// A counter of a channel: X, Y, Z or W by its number.
    Counter(usize, usize),
}

/// The same, as a lens of a chip.
#[derive(Clone, Copy)]
struct Used {
    chip: Chip,
    at: At,
}

const fn used<C: On>(at: At) -> Used {
    Used { chip: C::CHIP, at }
}

impl Used {
    const fn width(self) -> u32 {
        match self.at {
            At::Packers(field) => match field.of(self.chip, 0) {
                Some(field) => field.width,
                None => 1,
            },
            At::Counter(_, 0) => 18,
            At::Counter(_, 1) => 13,
            At::Counter(..) => self.chip.pick(8, 13),
        }
    }

    fn get(self, parts: &Parts<'_>) -> u32 {
        match self.at {
            At::Packers(field) => of_packer(self.chip, parts, field),
            At::Counter(channel, which) => {
                let AdcChannel { x, y, z, w, .. } = peek(parts).adcs[counters_of(self.chip, parts)].packers[channel];
                [x, y, z, w][which]
            }
        }
    }

    fn set(self, parts: &mut Parts<'_>, value: u32) {
        match self.at {
            At::Packers(field) => to_packers(self.chip, parts, field, value),
            At::Counter(channel, which) => {
                let AdcChannel { x, y, z, w, .. } = counters(self.chip, parts, channel);
                *[x, y, z, w][which] = value;
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------- data-path axes

/// Where data come from.
const SOURCES: &[&str] = &["Dst", "/dev/null", "L1"];
const DST: usize = 0;
const NULL: usize = 1;
const L1: usize = 2;

fn set_source(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    // A flush reads nothing, and packers 1 to 3 read Dst whatever is selected.
    ZERO_WRITE.set(parts.code, u32::from(level == NULL));
    to_packers(chip, parts, pack::Source_interface_selection, noise.below(2) as u32);
    to_packer(chip, parts, 0, pack::Source_interface_selection, u32::from(level == L1));
    if level == L1 && chip == Chip::Wormhole {
        PACKER_MASK.set(parts.code, noise.below(2) as u32);
    }
}

fn source(chip: Chip, parts: &Parts<'_>) -> usize {
    let is_l1 = packer(chip, parts) == 0 && of_packer(chip, parts, pack::Source_interface_selection) != 0;
    if ZERO_WRITE.get(parts.code) != 0 {
        NULL
    } else if is_l1 {
        L1
    } else {
        DST
    }
}

/// An early conversion: its name, `Read_32b_data`, `Read_raw`, `Read_unsigned` and `Round_10b_mant` (2 where it is of no matter),
/// the intermediate format and that which the late conversion is from.
struct Early(&'static str, [u32; 4], u32, u32);

const EARLY: &[Early] = &[
    Early("FP32", [1, 1, 2, 2], format::FP32, format::FP32),
    Early("FP32, not raw", [1, 0, 2, 0], format::FP32, format::FP32),
    Early("FP32 to TF32", [1, 0, 2, 2], format::TF32, format::TF32),
    Early("FP32 to TF32 by Round_10b_mant", [1, 0, 2, 1], format::FP32, format::TF32),
    Early("FP32 to BF16", [1, 0, 2, 0], format::BF16, format::BF16),
    Early("FP32 to BF16, truncated", [1, 1, 2, 0], format::BF16, format::BF16),
    Early("FP32 to BF16 as BFP8", [1, 1, 2, 2], format::BFP8, format::BFP8),
    Early("FP32 to E8M6", [1, 0, 2, 2], format::BFP8, format::BFP8),
    Early("INT32", [1, 2, 2, 2], format::INT32, format::INT32),
    Early("32 bits to INT8", [1, 1, 0, 2], format::INT8, format::INT8),
    Early("INT32 to INT8", [1, 0, 0, 2], format::INT8, format::INT8),
    Early("32 bits to UINT8", [1, 1, 1, 2], format::INT8, format::INT8),
    Early("INT32 to UINT8", [1, 0, 1, 2], format::INT8, format::INT8),
    Early("BF16 to TF32", [0, 0, 2, 2], format::TF32, format::TF32),
    Early("BF16 to TF32 for FP16", [0, 0, 2, 1], format::BF16, format::TF32),
    Early("BF16, rounded", [0, 0, 2, 0], format::BF16, format::BF16),
    Early("BF16", [0, 1, 2, 0], format::BF16, format::BF16),
    Early("BF16 as BFP8", [0, 1, 2, 2], format::BFP8, format::BFP8),
    Early("BF16 to E8M6", [0, 0, 2, 2], format::BFP8, format::BFP8),
    Early("16 bits to INT8", [0, 1, 0, 2], format::INT8, format::INT8),
    Early("FP16, rounded", [0, 0, 2, 2], format::FP16, format::FP16),
    Early("FP16", [0, 1, 2, 2], format::FP16, format::FP16),
    Early("FP16 to E5M7", [0, 1, 2, 2], format::BFP8A, format::BFP8A),
    Early("FP16 to E5M6", [0, 0, 2, 2], format::BFP8A, format::BFP8A),
    Early("FP16 to FP8", [0, 1, 2, 2], format::FP8, format::FP8),
    Early("INT16", [0, 2, 2, 2], format::INT16, format::INT16),
    Early("FP32 by TF32", [1, 1, 2, 2], format::TF32, format::FP32),
    Early("INT32 by FP32", [1, 1, 2, 2], format::FP32, format::INT32),
    Early("FP32 to TF32 for FP16", [1, 0, 2, 1], format::BF16, format::TF32),
    Early("BF16 to TF32 by Round_10b_mant", [0, 0, 2, 1], format::FP32, format::TF32),
];
/// Conversions that no page has.
const UNLISTED: &[Early] = &[
    Early("", [1, 1, 2, 2], format::FP8, format::FP8),
    Early("", [1, 0, 2, 2], format::FP16, format::FP16),
    Early("", [0, 1, 2, 0], format::FP32, format::FP32),
    Early("", [0, 0, 0, 2], format::INT8, format::INT8),
    Early("", [0, 1, 1, 2], format::INT8, format::INT8),
    Early("", [1, 2, 2, 2], format::INT16, format::INT16),
    Early("", [0, 0, 2, 2], format::FP8, format::FP8),
    Early("", [0, 1, 2, 2], 12, 12),
    Early("", [0, 1, 2, 2], format::BFP4, format::BFP4),
];
/// How many levels the axis has: behind the conversions those that are none, and those whose result is not what comes next.
const EARLY_LEVELS: &[&str] = &{
    let mut names = ["no conversion"; EARLY.len() + 2];
    let mut place = 0;
    while place < EARLY.len() {
        names[place] = EARLY[place].0;
        place += 1;
    }
    names[EARLY.len() + 1] = "mismatch";
    names
};
const NO_CONVERSION: usize = EARLY.len();
const MISMATCH: usize = EARLY.len() + 1;

const READ: [PackField; 4] = [
    pack::PCK_DEST_RD_CTRL_Read_32b_data,
    pack::PCK_DEST_RD_CTRL_Read_int8,
    pack::PCK_DEST_RD_CTRL_Read_unsigned,
    pack::PCK_DEST_RD_CTRL_Round_10b_mant,
];

/// The register of the intermediate format that is in force.
fn intermediate(parts: &Parts<'_>) -> ConfigField {
    match get_config(parts, config::ALU_FORMAT_SPEC_REG_Dstacc_override) {
        0 => config::ALU_FORMAT_SPEC_REG2_Dstacc,
        _ => config::ALU_FORMAT_SPEC_REG_Dstacc_val,
    }
}

fn set_early(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let Early(_, read, between, from) = *match level {
        NO_CONVERSION => &UNLISTED[noise.below(UNLISTED.len())],
        MISMATCH => &EARLY[noise.below(EARLY.len())],
        _ => &EARLY[level],
    };
    for (field, value) in READ.into_iter().zip(read) {
        to_shared(chip, parts, field, if value == 2 { noise.below(2) as u32 } else { value });
    }
    let field = intermediate(parts);
    set_config(parts, field, between);
    let other = [format::FP32, format::BF16, format::FP16, format::INT32, format::INT16][noise.below(5)];
    let other = if other == from || from == format::BFP8 { format::FP8 } else { other };
    to_packers(chip, parts, pack::In_data_format, if level == MISMATCH { other } else { from });
    // Another one than this conversion makes can be that of another conversion.
    if level == MISMATCH && early(chip, parts) != MISMATCH {
        to_packers(chip, parts, pack::In_data_format, format::FP8);
    }
}

fn early(chip: Chip, parts: &Parts<'_>) -> usize {
    let held = READ.map(|field| shared(chip, parts, field));
    let between = get_config(parts, intermediate(parts));
    let of = |wanted: &[Early], from: Option<u32>| {
        wanted.iter().position(|Early(_, read, format, late)| {
            let same = read.iter().zip(held).all(|(&wanted, held)| wanted == 2 || wanted == held);
            same && *format == between && from.is_none_or(|from| from == *late)
        })
    };
    let from = of_packer(chip, parts, pack::In_data_format);
    of(EARLY, Some(from)).unwrap_or_else(|| if of(EARLY, None).is_some() { MISMATCH } else { NO_CONVERSION })
}

/// The formats that data have in L1, and codes that are none.
const OUT: &[(&str, u32)] = &[
    ("FP32", format::FP32),
    ("TF32", format::TF32),
    ("BF16", format::BF16),
    ("FP16", format::FP16),
    ("FP8", format::FP8),
    ("BFP8", format::BFP8),
    ("BFP4", format::BFP4),
    ("BFP2", format::BFP2),
    ("BFP8a", format::BFP8A),
    ("BFP4a", format::BFP4A),
    ("BFP2a", format::BFP2A),
    ("INT32", format::INT32),
    ("INT16", format::INT16),
    ("INT8", format::INT8),
];
const OUT_NAMES: &[&str] = &{
    let mut names = ["no format"; OUT.len() + 1];
    let mut place = 0;
    while place < OUT.len() {
        names[place] = OUT[place].0;
        place += 1;
    }
    names
};
const OUT_BF16: usize = 2;
const OUT_BFP8: usize = 5;
const OUT_INT8: usize = 13;

fn is_integer(format: u32) -> bool {
    matches!(format, format::INT32 | format::INT16 | format::INT8)
}

fn is_bfp(format: u32) -> bool {
    matches!(format, format::BFP8 | format::BFP8A | format::BFP4 | format::BFP4A | format::BFP2 | format::BFP2A)
}

/// The conversions from each of which all formats are made: one for each type that there is between.
const WHOLE: &[usize] = &[0, 2, 5, 7, 16, 20, 22, 23, 24];
/// Those of which data come from elsewhere than `Dst`.
const NULLS: &[usize] = &[0, 9, 16, 22];
const FROM_L1: &[usize] = &[0, TF32, 8, 9, 16, BFP8, 21, BFP8A, 24, 25];
const TF32: usize = 2;
const BFP8: usize = 17;
const BFP8A: usize = 22;

const fn is_among(one: usize, list: &[usize]) -> bool {
    let mut place = 0;
    while place < list.len() {
        if list[place] == one {
            return true;
        }
        place += 1;
    }
    false
}

/// A few formats of each conversion that make none, and of those that make the same type as another few of all.
const fn has_cell(chip: Chip, levels: &Levels) -> bool {
    let [source, early, out, ..] = *levels;
    let (source, early, out) = (source as usize, early as usize, out as usize);
    if early >= EARLY.len() {
        return source == DST && out == OUT_BF16;
    }
    if out == OUT.len() {
        return source == DST && early == 0;
    }
    let has_source = match source {
        DST => true,
        NULL => is_among(early, NULLS),
        _ => matches!(chip, Chip::Wormhole) && is_among(early, FROM_L1) || early == 0 && out == 0,
    };
    let (from, to) = (EARLY[early].3, OUT[out].1);
    let has_out = match from {
        format::INT32 | format::INT16 | format::INT8 => from == to || out == OUT_BF16 && source == DST,
        _ => match to {
            format::INT32 | format::INT16 => false,
            format::INT8 => is_among(early, WHOLE) && source == DST,
            // These have no exponents from L1, which few conversions allow, or do not come from there: one shows that.
            format::FP32 | format::BF16 if source == L1 && early == BFP8 => true,
            format::FP16 if source == L1 && early == BFP8A => true,
            _ if source == L1 && early == BFP8 => out == OUT_BFP8,
            _ if source == L1 && (early == BFP8A || early == TF32) => out == OUT_BF16,
            _ => {
                is_among(early, WHOLE)
                    || to == from
                    || out == OUT_BFP8
                    || to == format::FP16 && (early == 14 || early == 28)
            }
        },
    };
    has_source && has_out
}

// -------------------------------------------------------------------------------------------------- orthogonal axes

/// A field of packers.
macro_rules! own {
    ($name:literal, $levels:expr, $weights:expr, $field:ident, $by:expr) => {
        split!($name, $levels, $weights, used::<C>(At::Packers(pack::$field)), $by)
    };
}

/// A field that all packers share.
macro_rules! common {
    ($name:literal, $levels:expr, $weights:expr, $field:ident, $by:expr) => {
        split!($name, $levels, $weights, Lens::Config(pack::$field.of(C::CHIP)), $by)
    };
}

/// What the code word of Blackhole has of which nothing is promised.
const UNDOCUMENTED: [CodeField; 5] = [CTXT_CTRL, ADDR_CNT_CONTEXT, DST_ACCESS_MODE, ROW_PAD_ZERO, CFG_CONTEXT];
const ONLY_BLACKHOLE: &[Axis] = &[Axis {
    name: "undocumented",
    levels: &["none", "one"],
    weights: &[15, 1],
    set: |parts, level, noise| {
        let one = noise.below(UNDOCUMENTED.len());
        for (place, field) in UNDOCUMENTED.into_iter().enumerate() {
            let value = 1 + noise.below((1 << field.width) - 1) as u32;
            field.set(parts.code, if level == 1 && place == one { value } else { 0 });
        }
    },
    get: |parts| usize::from(UNDOCUMENTED.iter().any(|field| field.get(parts.code) != 0)),
}];
const ONLY_WORMHOLE: &[Axis] = &[split!(
    "Addr_cnt_context",
    &["0", "1", "2", "3"],
    &[],
    Used { chip: Chip::Wormhole, at: At::Packers(pack::Addr_cnt_context) },
    Partition::Each
)];

/// How many data, from the first on.
const COUNTS: &[&str] = &["16", "32", "64", "256", "1", "15", "17", "48", "0", "less", "to 1024", "more"];

/// The first levels.
const KNOWN: [u32; 9] = [16, 32, 64, 256, 1, 15, 17, 48, 0];

fn set_count(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    // On Blackhole a row has sixteen.
    let [one, two] = chip.pick([16, 32], [0, 0]);
    let begin = [0, 0, 0, 0, one, two, 16 * noise.bits(4), noise.bits(9)][noise.below(8)];
    let begin = match level {
        8 => begin.max(1),
        9 => begin + 2,
        _ => begin,
    };
    let count = KNOWN.get(level).copied().unwrap_or_else(|| match level {
        9 => u32::MAX - noise.below(begin as usize - 1) as u32,
        10 => {
            let any = [2 + noise.below(1000) as u32, 16 * (5 + noise.below(60) as u32), 1024][noise.below(3)];
            if KNOWN.contains(&any) { 99 } else { any }
        }
        _ => 1025 + noise.below(5000) as u32,
    });
    // An interface of Blackhole has no more than 16 data, so that other numbers are promised where nothing is read.
    if chip == Chip::Blackhole && level != 0 && noise.below(2) == 0 {
        FLUSH.set(parts.code, 1);
    }
    counters(chip, parts, 0).x = begin;
    counters(chip, parts, 1).x = begin.wrapping_add(count).wrapping_sub(1) & 0x3_ffff;
}

fn count(chip: Chip, parts: &Parts<'_>) -> usize {
    let [first, last] = peek(parts).adcs[counters_of(chip, parts)].packers.map(|channel| channel.x);
    match (last + 1).checked_sub(first) {
        None => 9,
        Some(count) => KNOWN.iter().position(|&known| known == count).unwrap_or(if count > 1024 { 11 } else { 10 }),
    }
}

/// Where the data of a case begin: in `Dst` or L1, by strides, a base and an offset.
fn set_input(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let bytes = bytes_of(of_packer(chip, parts, pack::In_data_format));
    // Rows of four on Blackhole.
    let unit = 16 * bytes * chip.pick(1, 4);
    let mut draw = |aligned: usize| match level {
        0 => unit * noise.below(aligned) as u32,
        _ => noise.bits(12),
    };
    let (y, z, w) = (draw(5), draw(20), draw(20));
    let base = draw(64) & 0xffff;
    to_shared(chip, parts, pack::PCK0_ADDR_CTRL_XY_REG_0_Ystride, y);
    to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Zstride, z);
    to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Wstride, w);
    to_shared(chip, parts, pack::PCK0_ADDR_BASE_REG_0_Base, base);
    let x = if level == 0 { [0, 1, 2, 4][noise.below(4)] } else { noise.bits(12) };
    to_shared(chip, parts, pack::PCK0_ADDR_CTRL_XY_REG_0_Xstride, x);
    for packer in 0..packers(chip) {
        let offset = noise.bits(12);
        let offset = if level == 0 { offset & !3 } else { offset };
        let word = &mut small(parts).dest_target_reg_cfg_pack_sec[packer];
        *word = *word & !0xfff | offset;
    }
}

fn input(chip: Chip, parts: &Parts<'_>) -> usize {
    let bytes = bytes_of(of_packer(chip, parts, pack::In_data_format));
    let unit = 16 * bytes * chip.pick(1, 4);
    let fields = [
        pack::PCK0_ADDR_CTRL_XY_REG_0_Ystride,
        pack::PCK0_ADDR_CTRL_ZW_REG_0_Zstride,
        pack::PCK0_ADDR_CTRL_ZW_REG_0_Wstride,
        pack::PCK0_ADDR_BASE_REG_0_Base,
    ];
    let x = shared(chip, parts, pack::PCK0_ADDR_CTRL_XY_REG_0_Xstride);
    let is_aligned =
        fields.iter().all(|&field| shared(chip, parts, field).is_multiple_of(unit)) && matches!(x, 0 | 1 | 2 | 4);
    let words = &peek(parts).dest_target_reg_cfg_pack_sec[..packers(chip)];
    usize::from(!is_aligned || words.iter().any(|word| word & 3 != 0))
}

/// The bytes of a datum, by the format that it is said to have.
const fn bytes_of(format: u32) -> u32 {
    match format & 3 {
        0 => 4,
        1 => 2,
        _ => 1,
    }
}

/// The rows of L1 of each packer.
const QUARTER: u32 = 192;

/// Where data go: for each packer a quarter of 12 KiB, and how far its exponents are from them.
fn set_output(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for packer in 0..packers(chip) {
        let quarter = QUARTER * packer as u32;
        let row = quarter + 1 + noise.below(16) as u32;
        let [address, header] = match level {
            // With the header an address is one higher.
            0 => [row - 1, 0],
            1 => [row, 1],
            2 => {
                [[0x1_6e00, 0x1_8000, 0x2_0004, 0xfff0][noise.below(4)] + noise.below(8) as u32 + 32 * packer as u32, 1]
            }
            3 => [if packer == 0 { row | 1 << 31 } else { quarter }, 1],
            _ => [noise.word() as u32, noise.below(2) as u32],
        };
        to_packer(chip, parts, packer, pack::L1_Dest_addr, address);
        to_packer(chip, parts, packer, pack::Sub_l1_tile_header_size, header);
        let section = [4, 4, 4, 2, 1, 0, 64, 100][noise.below(8)];
        to_packer(chip, parts, packer, pack::Exp_section_size, section);
        to_packer(chip, parts, packer, pack::Row_start_section_size, noise.bits(5));
    }
}

fn output(chip: Chip, parts: &Parts<'_>) -> usize {
    let small = peek(parts);
    let bank = &small.config[state_id_of(small)];
    let of = |field: PackerField| (0..packers(chip)).map(move |packer| (packer, field.get(chip, packer, bank)));
    let (addresses, headers) = (of(pack::L1_Dest_addr), of(pack::Sub_l1_tile_header_size));
    let header = headers.map(|(_, header)| header).fold(0, |all, header| all + header as usize);
    let is_near = |mark: u32| {
        addresses.clone().all(|(packer, address)| {
            let mark = if packer == 0 { mark } else { 0 };
            address.wrapping_sub(mark) / QUARTER == packer as u32
        })
    };
    if is_near(0) && (header == 0 || header == packers(chip)) {
        usize::from(header != 0)
    } else if is_near(1 << 31) {
        3
    } else if addresses.clone().all(|(_, address)| address > 0xff00 && address < 0x2_0100) {
        2
    } else {
        4
    }
}

/// How far counters move what goes to L1, in units of 16 bytes, or on Blackhole of one byte.
fn set_output_strides(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for field in OUTPUT_STRIDES {
        let value = [0, 16 * (1 + noise.below(2) as u32), 1 + 2 * noise.bits(4)][level];
        to_shared(chip, parts, field, value);
    }
}

fn output_strides(chip: Chip, parts: &Parts<'_>) -> usize {
    let all = OUTPUT_STRIDES.map(|field| shared(chip, parts, field));
    if all == [0; 4] { 0 } else { 1 + usize::from(all.iter().any(|stride| stride % 16 != 0)) }
}

const OUTPUT_STRIDES: [PackField; 4] = [
    pack::PCK0_ADDR_BASE_REG_1_Base,
    pack::PCK0_ADDR_CTRL_XY_REG_1_Ystride,
    pack::PCK0_ADDR_CTRL_ZW_REG_1_Zstride,
    pack::PCK0_ADDR_CTRL_ZW_REG_1_Wstride,
];

/// What streams go on with: new addresses, or old ones and what waits.
const STREAMS: &[&str] = &["new", "all wait", "all go on", "data go on", "exponents go on"];

fn set_streams(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for packer in 0..packers(chip) {
        for stream in [EXPONENTS, DATA] {
            let goes_on = match level {
                0 | 1 => false,
                2 => true,
                3 => stream == DATA,
                _ => stream == EXPONENTS,
            };
            let waits = level == 1 || goes_on && noise.below(4) != 0;
            let at = &mut small(parts).packers[packer].streams[stream];
            let row = QUARTER * packer as u32 + 1 + 80 * stream as u32 + noise.below(16) as u32;
            at.byte_address = 16 * if noise.below(32) == 0 { noise.bits(17) } else { row };
            at.needs_new_address = u32::from(!goes_on);
            at.filled = if waits { 1 + [noise.below(15), 4 * noise.below(3) + 3][noise.below(2)] as u32 } else { 0 };
            at.buffer = std::array::from_fn(|_| noise.word() as u32);
            empty(at);
        }
    }
}

/// Behind what is filled a buffer is zero.
fn empty(at: &mut tandem_isa::tensix::PackerStream) {
    let bytes: &mut [u8; 16] = bytemuck::cast_mut(&mut at.buffer);
    bytes[at.filled as usize & 15..].fill(0);
}

fn streams(chip: Chip, parts: &Parts<'_>) -> usize {
    let [exponents, data] = peek(parts).packers[packer(chip, parts)].streams;
    match (exponents.needs_new_address, data.needs_new_address) {
        (0, 0) => 2,
        (_, 0) => 3,
        (0, _) => 4,
        _ => usize::from(exponents.filled != 0 || data.filled != 0),
    }
}

/// The masks of edges, and what selects one.
fn set_edges(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for field in pack::PCK_EDGE_OFFSET_SEC_mask {
        let mask = [0xffff, 0x8000 | noise.bits(14) << 1, 0x7fff >> noise.below(15), 0][level];
        to_shared(chip, parts, field, mask);
    }
    if level != 0 {
        // One of them lets all pass, now and then.
        let field = pack::PCK_EDGE_OFFSET_SEC_mask[noise.below(4)];
        to_shared(chip, parts, field, if level == 3 { 0 } else { 0xffff });
    }
    for field in pack::TILE_ROW_SET_MAPPING.into_iter().chain(pack::TILE_FACE_SET_MAPPING) {
        to_shared(chip, parts, field, noise.word() as u32);
    }
    to_shared(chip, parts, pack::PCK_EDGE_TILE_FACE_SET_SELECT_select, noise.bits(8));
    to_shared(chip, parts, pack::PCK_EDGE_TILE_ROW_SET_SELECT_select, noise.bits(8));
    for packer in 0..packers(chip) {
        let word = &mut small(parts).dest_target_reg_cfg_pack_sec[packer];
        *word = *word & 0xfff | noise.bits(6) << 12;
    }
}

fn edges(chip: Chip, parts: &Parts<'_>) -> usize {
    let masks = pack::PCK_EDGE_OFFSET_SEC_mask.map(|field| shared(chip, parts, field));
    match masks {
        [0xffff, 0xffff, 0xffff, 0xffff] => 0,
        [0, 0, 0, 0] => 3,
        _ if masks.iter().all(|mask| (mask + 1).is_power_of_two()) => 2,
        _ => 1,
    }
}

/// Where in a tile the first datum is.
fn set_position(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for packer in 0..packers(chip) {
        let reads = [16, noise.bits(8), [0, 1, 2, 4, 64][noise.below(5)]][noise.below(3)];
        let (low, beside) = (noise.below(16) as u32, 1 + noise.below(4) as u32);
        let (reads, y) = match level {
            // What is below 16 is not near the end as well.
            1 if reads > low && reads - low <= 4 => (low, low),
            1 => (reads, low),
            2 => (reads.max(4), reads.max(4) - beside),
            3 => (reads, noise.bits(8)),
            _ => (reads, 0),
        };
        to_shared(chip, parts, pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[packer], reads);
        let z = [0, 1 + noise.below(15), 1 + noise.below(15), 16 + noise.below(240)][level] as u32;
        let at = &mut small(parts).packers[packer];
        (at.x, at.y, at.z) = (noise.bits(4) * chip.pick(1, 0), y, z);
        if level == 0 {
            at.x = 0;
        }
    }
}

fn position(chip: Chip, parts: &Parts<'_>) -> usize {
    let small = peek(parts);
    let which = packer(chip, parts);
    let at = small.packers[which];
    let reads = shared(chip, parts, pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[which]);
    match (at.x, at.y, at.z) {
        (0, 0, 0) => 0,
        (.., z) if z > 15 => 3,
        (_, y, _) if reads > y && reads - y <= 4 => 2,
        (_, 0..16, _) => 1,
        _ => 3,
    }
}

fn set_transposed(chip: Chip, parts: &mut Parts<'_>, level: usize, _: &mut Noise) {
    for field in pack::PACK_COUNTERS_SEC_pack_yz_transposed {
        to_shared(chip, parts, field, level as u32);
    }
}

fn transposed(chip: Chip, parts: &Parts<'_>) -> usize {
    shared(chip, parts, pack::PACK_COUNTERS_SEC_pack_yz_transposed[packer(chip, parts)]) as usize
}

/// Fields that change what is done and of which no page says how: all of them 0, or one of them not.
fn unsaid_fields(chip: Chip) -> Vec<ConfigField> {
    let of_packer = [
        pack::Pack_L1_Acc,
        pack::Dis_shared_exp_assembler,
        pack::Force_pack_per_max_xy_plane,
        pack::Read_mode,
        pack::Downsample_rate,
    ];
    let of_packer = of_packer.into_iter().flat_map(|field| (0..packers(chip)).filter_map(move |at| field.of(chip, at)));
    let of_all = [
        pack::ALU_ROUNDING_MODE_Packer_srnd_en,
        pack::ALU_ROUNDING_MODE_Gasket_srnd_en,
        pack::ALU_ROUNDING_MODE_GS_LF,
        pack::ALU_ROUNDING_MODE_Bfp8_HF,
    ];
    let own: &[ConfigField] = chip.pick(&[], pack::OF_BLACKHOLE);
    of_packer.chain(of_all.map(|field| field.of(chip))).chain(own.iter().copied()).collect()
}

fn set_unsaid(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let fields = unsaid_fields(chip);
    let one = noise.below(fields.len());
    for (place, field) in fields.into_iter().enumerate() {
        set_config(parts, field, if level == 1 && place == one { 1 + noise.bits(field.width) / 2 } else { 0 });
    }
}

fn unsaid(chip: Chip, parts: &Parts<'_>) -> usize {
    usize::from(unsaid_fields(chip).iter().any(|&field| get_config(parts, field) != 0))
}

/// What says that data are not compressed.
fn set_uncompressed(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let all = pack::THCON_SEC0_REG1_All_pack_disable_zero_compress;
    let is_all = level == 1;
    to_shared(chip, parts, pack::THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, u32::from(is_all));
    to_packers(chip, parts, pack::Disable_zero_compress, [1, noise.below(2) as u32, 0][level]);
    if chip == Chip::Wormhole {
        set_config(parts, all, if is_all { 15 } else { noise.bits(4) });
    }
}

fn uncompressed(chip: Chip, parts: &Parts<'_>) -> usize {
    if shared(chip, parts, pack::THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) != 0 {
        1
    } else if of_packer(chip, parts, pack::Disable_zero_compress) != 0 {
        0
    } else {
        2
    }
}

/// What becomes of the counters.
fn set_modifier(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for section in 0..pack::ADDR_MOD_PACK_SECTIONS {
        for field in pack::ADDR_MOD_PACK_FIELDS {
            let any = noise.bits(field.width);
            // One that clears hides the others.
            let any = if field.width == 1 { any & noise.bits(1) } else { any };
            let value = if level == 0 { 0 } else { any };
            set_thread_config(parts, field.of_section(chip.addr_mod_sections().pack, section), value);
        }
    }
}

fn modifier(chip: Chip, parts: &Parts<'_>) -> usize {
    let section = chip.addr_mod_sections().pack;
    let mut fields = pack::ADDR_MOD_PACK_FIELDS.iter();
    usize::from(fields.any(|field| {
        (0..pack::ADDR_MOD_PACK_SECTIONS).any(|at| get_thread_config(parts, field.of_section(section, at)) != 0)
    }))
}

fn set_statistics(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let one = noise.below(3);
    for (thread, words) in small(parts).thread_config.iter_mut().enumerate() {
        pack::enable_acc_stats(chip).set(words, u32::from(level == 2 || level == 1 && thread == one));
    }
}

fn statistics(chip: Chip, parts: &Parts<'_>) -> usize {
    let threads = peek(parts).thread_config.iter();
    threads.filter(|words| pack::enable_acc_stats(chip).get(words) != 0).count().min(2)
}

fn set_descale(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    to_shared(chip, parts, pack::INT_DESCALE_Enable, u32::from(level != 0));
    to_shared(chip, parts, pack::INT_DESCALE_Mode, u32::from(level == 3 || level == 0 && noise.below(2) != 0));
    for value in &mut small(parts).int_descale_values_sec {
        // Of a byte the lowest five bits count.
        *value = match level {
            1 => (1 + noise.below(8) as u32) | (noise.word() as u32) << 5,
            2 => [0, 9 + noise.below(23) as u32][noise.below(2)] | (noise.word() as u32) << 5,
            _ => noise.word() as u32,
        };
    }
}

fn descale(chip: Chip, parts: &Parts<'_>) -> usize {
    let shift = peek(parts).int_descale_values_sec[0] & 31;
    match (shared(chip, parts, pack::INT_DESCALE_Enable), shared(chip, parts, pack::INT_DESCALE_Mode)) {
        (0, _) => 0,
        (_, 0) if (1..9).contains(&shift) => 1,
        (_, 0) => 2,
        _ => 3,
    }
}

/// What data are like: any, or such as have much in common, which block formats need. Most cases do not have what promises nothing
/// with their formats.
fn finish(chip: Chip, parts: &mut Parts<'_>, noise: &mut Noise) {
    let [between, out] = [get_config(parts, intermediate(parts)), of_packer(chip, parts, pack::Out_data_format)];
    let from = of_packer(chip, parts, pack::In_data_format);
    let is_narrow = matches!(between, format::FP16 | format::BFP8A | format::FP8);
    let is_near = noise.below(if is_bfp(out) { 16 } else { 2 }) != 0;
    parts.salt.class[bank::DST] = match between {
        _ if is_narrow && is_near => value_class::DST_FP16_NEAR,
        _ if is_narrow => value_class::DST_FP16,
        // What negative ones become is not said.
        format::INT8 if shared(chip, parts, READ[2]) != 0 && noise.below(4) != 0 => value_class::DST_NATURALS,
        format::INT32 | format::INT8 => value_class::DST_INT32,
        format::INT16 => value_class::DST_INT16,
        _ if is_near => value_class::DST_BF16_NEAR,
        _ => value_class::DST_BF16,
    };
    parts.salt.class[bank::DST_ROW_VALID] =
        if noise.below(4) == 0 { value_class::MIXED_VALIDITY } else { value_class::ALL_VALID };
    if noise.below(8) != 0 {
        if shared(chip, parts, pack::PCK_DEST_RD_CTRL_Read_32b_data) != 0 {
            // Rows that have nine bits.
            small(parts).dest_target_reg_cfg_pack_sec.iter_mut().for_each(|word| *word &= !0xf00);
            if noise.below(4) != 0 {
                to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 0);
                to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 0);
            }
        }
        if output(chip, parts) == 3 {
            for packer in 0..packers(chip) {
                set_config(parts, pack::pack_fifo_size(chip, packer), 0);
            }
        }
        if is_bfp(out) {
            // Whole groups.
            if of_packer(chip, parts, pack::Downsample_mask) != 0xffff {
                to_packers(chip, parts, pack::Downsample_mask, 0);
            }
            let first = counters(chip, parts, 0).x;
            let last = counters(chip, parts, 1);
            last.x = (first + (last.x + 1).saturating_sub(first).next_multiple_of(16)).wrapping_sub(1) & 0x3_ffff;
        }
        if is_integer(from) {
            let relu = shared(chip, parts, pack::STACC_RELU_ApplyRelu);
            to_shared(chip, parts, pack::STACC_RELU_ApplyRelu, relu & !2);
        }
        if is_narrow || is_integer(from) {
            to_shared(chip, parts, pack::PCK_EDGE_MODE_mode, 0);
        }
    }
    // What goes around 1 MiB is shown there, and so is what comes from behind one of the first 256 KiB.
    let is_far = |address: u32| (0xff00..0x1_0100).contains(&address);
    if is_far(of_packer(chip, parts, pack::L1_Dest_addr)) {
        for (page, shown) in (0xff0..).zip(&mut small(parts).l1_pages[..32]) {
            *shown = page;
        }
    }
    if source(chip, parts) != L1 {
        to_packer(chip, parts, 0, pack::L1_source_addr, noise.bits(8));
        return;
    }
    let unit = 16 * bytes_of(from);
    to_shared(chip, parts, pack::PCK0_ADDR_BASE_REG_0_Base, 0x3000 + unit * noise.below(32) as u32);
    let mut part = if noise.below(4) == 0 { 8 * (1 + noise.below(5) as u32) } else { 0 };
    to_packer(chip, parts, 0, pack::L1_source_addr, part / 8);
    if noise.below(8) != 0 {
        to_shared(chip, parts, pack::PCK0_ADDR_CTRL_XY_REG_0_Ystride, unit * noise.below(3) as u32);
        to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 0);
        // W selects one of the parts of 32 KiB, of which there are eight in 18 bits.
        to_shared(chip, parts, pack::PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 0x8000);
        part += counters(chip, parts, 0).w & 7;
    }
    for (page, shown) in (0..).zip(&mut small(parts).l1_pages[48..]) {
        // Of one of them half is shown, and half of the one that has the highest of the 18 bits the other way.
        let (part, page) = if part & 7 == 0 { (part, page) } else { (part ^ (page / 8 * 4), page % 8) };
        *shown = ((part << 7) + 0x30 + page) as u16;
    }
    parts.salt.class[bank::L1] = match from {
        format::FP32 => [value_class::L1_FP32, value_class::L1_FP32_NEAR][usize::from(is_near)],
        format::BF16 => [value_class::L1_BF16, value_class::L1_BF16_NEAR][usize::from(is_near)],
        format::FP16 => [value_class::L1_FP16, value_class::L1_FP16_NEAR][usize::from(is_near)],
        format::FP8 if is_near => value_class::L1_FP8_NEAR,
        _ => value_class::L1_BYTES,
    };
}

/// What words of `Dst` and L1 mean.
fn data(chip: Chip, parts: &Parts<'_>, which: usize) -> Option<&'static Format> {
    let from = of_packer(chip, parts, pack::In_data_format);
    let is_wide = shared(chip, parts, pack::PCK_DEST_RD_CTRL_Read_32b_data) != 0;
    match which {
        bank::DST if is_wide => Some(&format::DST_BITS),
        bank::DST => Some(match from {
            format::FP16 | format::BFP8A | format::FP8 => &format::DST_FP16,
            _ if is_integer(from) => &format::DST_BITS,
            _ => &format::DST_BF16,
        }),
        bank::L1 => Some(match of_packer(chip, parts, pack::Out_data_format) {
            format::FP32 | format::TF32 => &format::FP32_DATUM,
            format::BF16 => &format::L1_BF16,
            format::FP16 => &format::L1_FP16,
            _ => &format::BITS32,
        }),
        _ => None,
    }
}

// -------------------------------------------------------------------------------------------------- the instruction

/// A field of the code word that says which packers or interfaces work.
const fn mask(chip: Chip) -> CodeField {
    chip.pick(PACKER_MASK, READ_INTF_SEL)
}

pub(super) const fn pacr<C: On>() -> Cases {
    macro_rules! few {
        ($name:literal, $channel:literal, $which:literal) => {
            split!(
                $name,
                &["0", "1", "2", "other"],
                &[8, 3, 2, 1],
                used::<C>(At::Counter($channel, $which)),
                Partition::Points(&[0, 1, 2])
            )
        };
    }
    macro_rules! by {
        ($name:literal, $levels:expr, $weights:expr, $set:ident, $get:ident) => {
            Axis {
                name: $name,
                levels: $levels,
                weights: $weights,
                set: |parts, level, noise| $set(C::CHIP, parts, level, noise),
                get: |parts| $get(C::CHIP, parts),
            }
        };
    }
    const {
        Cases {
            path: [&[
                by!("source", SOURCES, &[], set_source, source),
                by!("early", EARLY_LEVELS, &[], set_early, early),
                Axis {
                    name: "out",
                    levels: OUT_NAMES,
                    weights: &[],
                    set: |parts, level, noise| {
                        let format = OUT.get(level).map_or([12, 13][noise.below(2)], |format| format.1);
                        to_packers(C::CHIP, parts, pack::Out_data_format, format);
                    },
                    get: |parts| {
                        let held = of_packer(C::CHIP, parts, pack::Out_data_format);
                        OUT.iter().position(|format| format.1 == held).unwrap_or(OUT.len())
                    },
                },
            ]; 2],
            has: |levels| has_cell(C::CHIP, levels),
            class: Class::Axis(2),
            orthogonal: axes!(
                &[
                    THREAD,
                    STATE_ID,
                    latched!(C, Pacr),
                    Axis {
                        name: "other counters",
                        levels: &["0", "any"],
                        weights: &[1, 15],
                        set: |parts, level, noise| set_counters(parts, C::CHIP, level, noise),
                        get: |parts| usize::from(peek(parts).adcs.iter().any(|adcs| adcs.unpacker[0][0].x != 0)),
                    },
                    split!(
                        "mask",
                        &["1", "0", "2", "4", "8", "3", "12", "15", "other"],
                        C::CHIP.pick(&[8, 4, 3, 3, 3, 3, 3, 6, 1], &[5, 3, 1, 1, 1, 5, 1, 8, 2]),
                        Lens::Code(mask(C::CHIP)),
                        Partition::Points(&[1, 0, 2, 4, 8, 3, 12, 15])
                    ),
                    split!(
                        "OvrdThreadId",
                        OFF_ON,
                        C::CHIP.pick(&[1, 1], &[15, 1]),
                        Lens::Code(OVRD_THREAD_ID),
                        Partition::Each
                    ),
                    split!("Flush", OFF_ON, &[7, 1], Lens::Code(FLUSH), Partition::Each),
                    flag!("Last", Lens::Code(LAST)),
                    flag!("Concat", Lens::Code(CONCAT)),
                    split!("AddrMod", &["0", "1", "2", "3"], &[], Lens::Code(ADDR_MOD), Partition::Each),
                    by!("modifier", &["0", "any"], &[1, 4], set_modifier, modifier),
                ],
                C::CHIP.pick(ONLY_WORMHOLE, ONLY_BLACKHOLE),
                &[
                    by!(
                        "count",
                        COUNTS,
                        C::CHIP.pick(&[9, 8, 8, 8, 3, 3, 3, 4, 2, 1, 6, 1], &[99, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
                        set_count,
                        count
                    ),
                    few!("Y of channel 0", 0, 1),
                    few!("Z of channel 0", 0, 2),
                    few!("W of channel 0", 0, 3),
                    few!("Y of channel 1", 1, 1),
                    few!("Z of channel 1", 1, 2),
                    few!("W of channel 1", 1, 3),
                    flag!("Dstacc_override", Lens::Config(config::ALU_FORMAT_SPEC_REG_Dstacc_override)),
                    by!("input", &["rows", "any"], C::CHIP.pick(&[4, 1], &[15, 1]), set_input, input),
                    by!(
                        "output",
                        &["header", "no header", "far", "relative", "any"],
                        &[12, 12, 2, 1, 1],
                        set_output,
                        output
                    ),
                    by!("output strides", &["0", "rows", "any"], &[4, 2, 1], set_output_strides, output_strides),
                    by!("streams", STREAMS, &[4, 1, 4, 2, 2], set_streams, streams),
                    by!(
                        "uncompressed",
                        &["each", "all", "no"],
                        C::CHIP.pick(&[10, 5, 1], &[18, 1, 1]),
                        set_uncompressed,
                        uncompressed
                    ),
                    by!("unsaid", &["none", "one"], &[15, 1], set_unsaid, unsaid),
                ],
                &[
                    own!("Add_l1_dest_addr_offset", OFF_ON, &[3, 1], Add_l1_dest_addr_offset, Partition::Each),
                    by!("edges", &["none", "any", "few", "all"], &[4, 3, 2, 1], set_edges, edges),
                    common!("face set", OFF_ON, &[], PCK_EDGE_TILE_FACE_SET_SELECT_enable, Partition::Each),
                    common!("edge mode", OFF_ON, &[3, 1], PCK_EDGE_MODE_mode, Partition::Each),
                    by!("position", &["0", "below 16", "near the end", "any"], &[4, 4, 4, 1], set_position, position),
                    by!("pack_yz_transposed", OFF_ON, C::CHIP.pick(&[3, 1], &[15, 1]), set_transposed, transposed),
                    common!(
                        "ReLU",
                        &["0", "1", "2", "3", "more"],
                        &[8, 3, 2, 2, 1],
                        STACC_RELU_ApplyRelu,
                        Partition::Ranges(&[(0, 0), (1, 1), (2, 2), (3, 3), (4, 15)])
                    ),
                    common!(
                        "threshold",
                        &["few bits", "0", "negative", "any"],
                        &[8, 1, 1, 4],
                        STACC_RELU_ReluThreshold,
                        Partition::Sets(&[
                            &[0x3f80, 0x3f00, 0x4000, 0x3e40, 0x4180, 0x3c00, 0x3800, 0x0080, 0x0400, 0x2c40],
                            &[0],
                            &[0x8000, 0xbf80, 0xbc00, 0xffff],
                            &[0x3f8f, 0x3fff, 0x7f80, 0x7fff, 0x7c00, 0x7bff, 0x0001, 0x3c01, 0x3c21, 0x4241],
                        ])
                    ),
                    own!("Exp_threshold_en", OFF_ON, &[5, 1], Exp_threshold_en, Partition::Each),
                    own!(
                        "Exp_threshold",
                        &["127", "15", "0", "1", "last", "other"],
                        &[3, 3, 1, 1, 1, 2],
                        Exp_threshold,
                        Partition::Points(&[127, 15, 0, 1, 255])
                    ),
                    by!("statistics", &["none", "one", "more"], &[2, 1, 1], set_statistics, statistics),
                    own!(
                        "Downsample_mask",
                        &["0", "last", "other"],
                        &[8, 3, 3],
                        Downsample_mask,
                        Partition::Sets(&[
                            &[0],
                            &[0xffff],
                            &[0x5555, 0x1111, 1, 0x8000, 0x00ff, 0x0f0f, 0x7fff, 0x1234, 0xaaaa]
                        ])
                    ),
                    by!("descale", &["off", "few", "any", "Mode"], &[2, 6, 3, 1], set_descale, descale),
                    by!("limit", &["last", "near", "other"], &[12, 2, 1], set_limit, limit),
                    ROW_SHAPE,
                    unnamed!(C::CHIP.pick(0xfe_606c, 0x80_0060)),
                ],
            ),
            finish: |parts, _, noise| finish(C::CHIP, parts, noise),
            data: Data::Of(|_, parts, which, _| data(C::CHIP, parts, which)),
            contested: |_| {
                C::CHIP.pick(
                    None,
                    Some(
                        "the packer's stages rest on pages of Wormhole, of which the vendor says that they barely cover Blackhole \
                         (TX-148)",
                    ),
                )
            },
            quantities: &[&[LATCHED_WAIT]],
            plain: &["other counters=any", "modifier=any", "Last=1"],
            sweep: &["latched_wait", "mask", "output", "limit", "streams"],
            recording: Recording { always: &[], unpromised: &["unnamed_bits"], others: 3, source_rows: 4 },
            bench_classes: &[
                BenchClass::new("pacr-int8-face", |parts, noise| bench_face(C::CHIP, parts, 9, OUT_INT8, noise)),
                BenchClass::new("pacr-bfp8-face", |parts, noise| bench_face(C::CHIP, parts, 16, OUT_BFP8, noise)),
            ],
            ..CASES
        }
    }
}

/// Where addresses begin anew.
fn set_limit(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for packer in 0..packers(chip) {
        let row = 96 * packer as u32;
        let limit = [0x1_ffff, row + noise.below(12) as u32, 308 + noise.below(0x1_fe00) as u32][level];
        set_config(parts, pack::pack_limit_address(chip, packer), limit);
        set_config(parts, pack::pack_fifo_size(chip, packer), [noise.bits(17), noise.bits(3), noise.bits(17)][level]);
        small(parts).packers[packer].l1_dest_addr_offset =
            [noise.below(16) as u32, noise.bits(16)][usize::from(level == 2)];
    }
}

fn limit(chip: Chip, parts: &Parts<'_>) -> usize {
    match get_config(parts, pack::pack_limit_address(chip, packer(chip, parts))) {
        0x1_ffff => 0,
        0..=307 => 1,
        _ => 2,
    }
}

/// A face, of sixteen rows or on Blackhole four times four of them.
fn bench_face(chip: Chip, parts: &mut Parts<'_>, early: usize, out: usize, noise: &mut Noise) {
    (LATCHED_NOTHING.set)(parts, 0, noise);
    parts.code[0] = 0x4100_0000;
    LAST.set(parts.code, 1);
    mask(chip).set(parts.code, chip.pick(1, 15));
    let state_id = state_id_of(peek(parts));
    let state = small(parts);
    state.config[state_id] = [0; config::CONFIG_WORDS];
    state.dest_target_reg_cfg_pack_sec = [0; PACKERS];
    state.adcs = Default::default();
    let thread = thread_of(state);
    state.adcs[thread].packers[1].x = chip.pick(255, 15);
    state.packers = Default::default();
    for at in &mut state.packers {
        at.streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
    }
    for (window, page) in (0..).zip(&mut state.l1_pages) {
        *page = window;
    }
    set_early(chip, parts, early, noise);
    to_packers(chip, parts, pack::Out_data_format, OUT[out].1);
    to_packers(chip, parts, pack::Disable_zero_compress, 1);
    to_packers(chip, parts, pack::Exp_section_size, 4);
    for field in pack::PCK_EDGE_OFFSET_SEC_mask {
        to_shared(chip, parts, field, 0xffff);
    }
    for packer in 0..packers(chip) {
        set_config(parts, pack::pack_limit_address(chip, packer), 0x1_ffff);
        to_shared(chip, parts, pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[packer], 16);
    }
    parts.salt.class[bank::DST] = if out == OUT_INT8 { value_class::DST_INT32 } else { value_class::DST_BF16_NEAR };
    parts.salt.class[bank::DST_ROW_VALID] = value_class::ALL_VALID;
}
