//! Cases of the forms of `UNPACR`, on both chips.
//!
//! Which field of configuration counts depends on contexts: an axis sets and reads the one in force. Windows on L1 are placed
//! last, where the data of the case lie; what a case reads beside them promises nothing, so nobody has to compute a footprint.

use tandem_isa::tensix::config::unpack::{self, UnpackField};
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::inst::unpack::{
    ALL_DATUMS_ARE_ZERO, CH0_Y_INC, CH0_Z_INC, CH1_Y_INC, CH1_Z_INC, CONTEXT_ADC, CONTEXT_NUMBER, FLIP_SRC,
    MULTI_CONTEXT_MODE, ROW_SEARCH, USE_CONTEXT_COUNTER, WHICH_UNPACKER,
};
use tandem_isa::tensix::{AdcChannel, BLACKHOLE, Chip, L1_PAGE_ROWS, L1_WINDOWS, bank, format};
use tandem_isa::{Axis, BenchClass, Format, Levels, Noise, Parts, Recording, SaltRange};

use crate::salt::ROW_SHAPE;

use super::adc::set_counters;
use super::banks::{UNPACKER0_BANK, UNPACKER1_BANK};
use super::configuration::CONTEXT_COUNTERS;
use super::control::{bench, unnamed};
use super::lens::{Lens, NONE_OR_SOME, OFF_ON, Partition, flag, split};
use super::parts::{
    STATE_ID, THREAD, get_config, get_thread_config, peek, set_config, set_thread_config, small, state_id_of, thread_of,
};
use super::unpack::{UNPACK, set_base};
use super::wait::{LATCHED_NOTHING, latched};
use super::{Cases, Class, Data, On, axes, value_class};

// -------------------------------------------------------------------------------------------------- what is in force

/// Where a number lies that an `UNPACR` uses.
#[derive(Clone, Copy)]
enum At {
    /// A field of its Unpacker.
    Own(UnpackField),
    /// Of fields of its Unpacker the one that its context selects.
    OfContext(&'static [UnpackField]),
    /// The formats of L1, and of where data go.
    Formats,
    IsUncompressed,
    XDim,
    ToDst,
    /// What is added to a context.
    ContextOffset,
    ContextCounter,
    /// A counter of a channel: of the thread, or of the one whose X and Y count.
    Counter(Whose, usize, Member),
    SrcRow,
}

#[derive(Clone, Copy)]
enum Whose {
    Thread,
    Context,
}

#[derive(Clone, Copy)]
enum Member {
    X,
    Y,
    Z,
    W,
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

fn unpacker(parts: &Parts<'_>) -> usize {
    WHICH_UNPACKER.get(parts.code) as usize
}

fn is_multi(parts: &Parts<'_>) -> bool {
    MULTI_CONTEXT_MODE.get(parts.code) != 0
}

fn context_offset_fields(chip: Chip) -> [ThreadConfigField; 2] {
    chip.pick(
        [config::UNPACK_MISC_CFG_CfgContextOffset_0, config::UNPACK_MISC_CFG_CfgContextOffset_1],
        [blackhole::UNPACK_MISC_CFG_CfgContextOffset_0, blackhole::UNPACK_MISC_CFG_CfgContextOffset_1],
    )
}

fn context_offset(chip: Chip, parts: &Parts<'_>) -> ThreadConfigField {
    context_offset_fields(chip)[unpacker(parts)]
}

/// The context in force.
fn context(chip: Chip, parts: &Parts<'_>) -> usize {
    if !is_multi(parts) {
        return 0;
    }
    let small = peek(parts);
    let number = match USE_CONTEXT_COUNTER.get(parts.code) {
        0 => CONTEXT_NUMBER.get(parts.code),
        _ => small.unpackers_context_counter[unpacker(parts)][thread_of(small)],
    };
    ((number + get_thread_config(parts, context_offset(chip, parts))) & 7) as usize
}

/// The thread whose counters X and Y count.
fn xy_thread(parts: &Parts<'_>) -> usize {
    if is_multi(parts) { (CONTEXT_ADC.get(parts.code) as usize).min(2) } else { thread_of(peek(parts)) }
}

fn of_bank(chip: Chip, parts: &Parts<'_>, field: UnpackField) -> u32 {
    let small = peek(parts);
    field.get(chip, unpacker(parts), &small.config[state_id_of(small)])
}

fn to_bank(chip: Chip, parts: &mut Parts<'_>, field: UnpackField, value: u32) {
    let which = unpacker(parts);
    let small = small(parts);
    field.set(chip, which, &mut small.config[state_id_of(small)], value);
}

impl Used {
    const fn width(self) -> u32 {
        match self.at {
            At::Own(field) => field.of(self.chip, 0).width,
            At::OfContext(fields) => fields[0].of(self.chip, 0).width,
            At::Formats => 8,
            At::XDim => 16,
            At::IsUncompressed | At::ToDst => 1,
            At::ContextOffset => 4,
            At::ContextCounter => 3,
            At::Counter(_, _, Member::X) => 18,
            At::Counter(_, _, Member::Y) => 13,
            At::Counter(_, _, Member::Z | Member::W) => self.chip.pick(8, 13),
            At::SrcRow => 6,
        }
    }

    /// The field of a number that is in one, for the case.
    fn field(self, parts: &Parts<'_>) -> UnpackField {
        let (context, is_multi) = (context(self.chip, parts), is_multi(parts));
        match self.at {
            At::Own(field) => field,
            At::OfContext(fields) => fields[context % fields.len()],
            At::IsUncompressed if is_multi => unpack::REG2_Disable_zero_compress_cntx[context],
            At::IsUncompressed => unpack::REG0_TileDescriptor_IsUncompressed,
            At::XDim if is_multi && unpacker(parts) == 0 => unpack::REG5_Tile_x_dim_cntx[context % 4],
            At::XDim => unpack::REG0_TileDescriptor_XDim,
            At::ToDst if is_multi => unpack::REG2_Unpack_if_sel_cntx[context],
            At::ToDst => unpack::REG2_Unpack_If_Sel,
            _ => unreachable!("it is in no field"),
        }
    }

    /// The two fields of formats.
    fn formats(self, parts: &Parts<'_>) -> [UnpackField; 2] {
        if is_multi(parts) && of_bank(self.chip, parts, unpack::REG2_Ovrd_data_format) != 0 {
            let context = context(self.chip, parts);
            [unpack::REG7_Unpack_data_format_cntx[context], unpack::REG7_Unpack_out_data_format_cntx[context]]
        } else {
            [unpack::REG0_TileDescriptor_InDataFormat, unpack::REG2_Out_data_format]
        }
    }

    fn counter<'a>(self, parts: &'a mut Parts<'_>) -> &'a mut u32 {
        let At::Counter(whose, channel, member) = self.at else { unreachable!("it is a counter") };
        let (which, thread) = (unpacker(parts), [thread_of(peek(parts)), xy_thread(parts)][whose as usize]);
        let AdcChannel { x, y, z, w, .. } = &mut small_of(parts).adcs[thread].unpacker[which][channel];
        match member {
            Member::X => x,
            Member::Y => y,
            Member::Z => z,
            Member::W => w,
        }
    }

    fn get(self, parts: &Parts<'_>) -> u32 {
        let small = peek(parts);
        match self.at {
            At::Formats => {
                let [format, out] = self.formats(parts).map(|field| of_bank(self.chip, parts, field));
                format << 4 | out
            }
            At::ContextOffset => get_thread_config(parts, context_offset(self.chip, parts)),
            At::ContextCounter => small.unpackers_context_counter[unpacker(parts)][thread_of(small)],
            At::Counter(whose, channel, member) => {
                let thread = [thread_of(small), xy_thread(parts)][whose as usize];
                let AdcChannel { x, y, z, w, .. } = small.adcs[thread].unpacker[unpacker(parts)][channel];
                [x, y, z, w][member as usize]
            }
            At::SrcRow => small.unpackers_src_row[unpacker(parts)][thread_of(small)],
            _ => of_bank(self.chip, parts, self.field(parts)),
        }
    }

    fn set(self, parts: &mut Parts<'_>, value: u32) {
        match self.at {
            At::Formats => {
                let [format, out] = self.formats(parts);
                to_bank(self.chip, parts, format, value >> 4);
                to_bank(self.chip, parts, out, value & 15);
            }
            At::ContextOffset => {
                let field = context_offset(self.chip, parts);
                set_thread_config(parts, field, value);
            }
            At::ContextCounter => {
                let (which, thread) = (unpacker(parts), thread_of(peek(parts)));
                small(parts).unpackers_context_counter[which][thread] = value;
            }
            At::Counter(..) => *self.counter(parts) = value,
            At::SrcRow => {
                let (which, thread) = (unpacker(parts), thread_of(peek(parts)));
                small(parts).unpackers_src_row[which][thread] = value;
            }
            _ => {
                let field = self.field(parts);
                to_bank(self.chip, parts, field, value);
            }
        }
    }
}

/// The small state, for as long as the case is lent.
fn small_of<'a>(parts: &'a mut Parts<'_>) -> &'a mut tandem_isa::tensix::Small {
    small(parts)
}

// -------------------------------------------------------------------------------------------------- data-path axes

/// Where data go: to the source of the Unpacker, or to `Dst`, which Unpacker 1 ignores.
macro_rules! to {
    () => {
        split!("to", &["source", "Dst"], &[], used::<C>(At::ToDst), Partition::Each)
    };
}

/// The formats of L1 and of where data go, one behind the other.
const FORMATS: &[(&str, u32)] = &[
    ("FP32 to TF32", 0x04),
    ("FP32 to BF16", 0x05),
    ("FP32 to FP16", 0x01),
    ("FP32", 0x00),
    ("BF16", 0x55),
    ("FP16", 0x11),
    ("FP8", 0xaa),
    ("BFP8", 0x66),
    ("BFP4", 0x77),
    ("BFP2", 0xff),
    ("BFP8a", 0x22),
    ("BFP4a", 0x33),
    ("BFP2a", 0xbb),
    ("INT8", 0xee),
    ("INT16", 0x99),
    ("INT32", 0x88),
    ("TF32", 0x44),
];
const FORMAT_NAMES: &[&str] = &{
    let mut names = ["no conversion"; FORMATS.len() + 1];
    let mut place = 0;
    while place < FORMATS.len() {
        names[place] = FORMATS[place].0;
        place += 1;
    }
    names
};
/// Formats of data that are conversions to nothing, or of no format.
const NO_CONVERSION: [u32; 6] = [0xcc, 0x0e, 0x51, 0x15, 0x68, 0xdd];

macro_rules! formats {
    () => {
        Axis {
            name: "formats",
            levels: FORMAT_NAMES,
            weights: &[],
            set: |parts, level, noise| {
                let other = NO_CONVERSION[noise.below(NO_CONVERSION.len())];
                used::<C>(At::Formats).set(parts, FORMATS.get(level).map_or(other, |format| format.1));
            },
            get: |parts| {
                let held = used::<C>(At::Formats).get(parts);
                FORMATS.iter().position(|format| format.1 == held).unwrap_or(FORMATS.len())
            },
        }
    };
}

/// How data lie.
const LAYOUTS: &[&str] = &["plain", "tileized", "transposed", "compressed", "upsampled"];

fn set_layout(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    to_bank(chip, parts, unpack::REG2_Tileize_mode, u32::from(level == 1));
    to_bank(chip, parts, unpack::REG2_Haloize_mode, u32::from(level == 2));
    Used { chip, at: At::IsUncompressed }.set(parts, u32::from(level != 3));
    let rate = if level == 4 { 1 + noise.below(3) as u32 } else { 0 };
    to_bank(chip, parts, unpack::REG2_Upsample_rate, rate);
    // Of tileized data these fields are the stride of rows; else one of them shifts columns.
    let stride = [16, 32, 64, 128, 512, 33, 512, 2048][noise.below(8)];
    let shift = if level == 1 { stride } else { 0 };
    for (place, field) in unpack::REG2_Shift_amount_cntx.into_iter().enumerate() {
        to_bank(chip, parts, field, shift >> (4 * place) & 15);
    }
}

fn layout(chip: Chip, parts: &Parts<'_>) -> usize {
    let of = |field| of_bank(chip, parts, field) != 0;
    if of(unpack::REG2_Tileize_mode) {
        1
    } else if of(unpack::REG2_Haloize_mode) {
        2
    } else if (Used { chip, at: At::IsUncompressed }).get(parts) == 0 {
        3
    } else if of(unpack::REG2_Upsample_rate) {
        4
    } else {
        0
    }
}

/// Plain data have all formats, others some.
const fn has_cell(levels: &Levels) -> bool {
    let [to, formats, layout, ..] = *levels;
    layout == 0 || matches!(formats, 0 | 3 | 4 | 7 | 8 | 13) && !(layout == 2 && to == 1)
}

// -------------------------------------------------------------------------------------------------- orthogonal axes

/// A flag of the Unpacker.
macro_rules! own {
    ($name:literal, $weights:expr, $field:ident) => {
        split!($name, OFF_ON, $weights, used::<C>(At::Own(unpack::$field)), Partition::Each)
    };
}

/// How many data, from the first on.
const COUNTS: &[&str] = &["16", "32", "64", "256", "1", "15", "17", "48", "0", "less", "other"];

fn set_count(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let [first, last] = [0, 1].map(|channel| Used { chip, at: At::Counter(Whose::Context, channel, Member::X) });
    let begin = [0, 0, 0, 0, 16, 32, 16 * noise.bits(4), noise.bits(9)][noise.below(8)];
    let begin = match level {
        8 => begin.max(1),
        9 => begin + 2,
        _ => begin,
    };
    let count = [16, 32, 64, 256, 1, 15, 17, 48].get(level).copied().unwrap_or_else(|| match level {
        8 => 0,
        9 => u32::MAX - noise.below(begin as usize - 1) as u32,
        _ => 2 + noise.below(400) as u32,
    });
    first.set(parts, begin);
    last.set(parts, begin.wrapping_add(count).wrapping_sub(1) & 0x3_ffff);
}

fn count(chip: Chip, parts: &Parts<'_>) -> usize {
    let of = |channel| Used { chip, at: At::Counter(Whose::Context, channel, Member::X) }.get(parts);
    let end = of(1) + 1;
    match end.checked_sub(of(0)) {
        None => 9,
        Some(count) => [16, 32, 64, 256, 1, 15, 17, 48, 0].iter().position(|&known| known == count).unwrap_or(10),
    }
}

/// What all counters hold that no axis sets.
macro_rules! other_counters {
    ($chip:expr) => {
        Axis {
            name: "other counters",
            levels: &["0", "any"],
            weights: &[1, 15],
            set: |parts, level, noise| set_counters(parts, $chip, level, noise),
            get: |parts| usize::from(peek(parts).adcs.iter().any(|adcs| adcs.packers != [AdcChannel::default(); 2])),
        }
    };
}

/// The lowest three bits of `YDim`, `ZDim` and `WDim`, side by side.
struct Dims(Chip);

impl Dims {
    const FIELDS: [UnpackField; 3] =
        [unpack::REG0_TileDescriptor_YDim, unpack::REG0_TileDescriptor_ZDim, unpack::REG0_TileDescriptor_WDim];

    const fn width(&self) -> u32 {
        9
    }

    fn get(&self, parts: &Parts<'_>) -> u32 {
        let each = Self::FIELDS.iter().rev();
        each.fold(0, |all, &field| all << 3 | of_bank(self.0, parts, field) & 7)
    }

    fn set(&self, parts: &mut Parts<'_>, value: u32) {
        for (place, field) in Self::FIELDS.into_iter().enumerate() {
            to_bank(self.0, parts, field, value >> (3 * place) & 7);
        }
    }
}

/// Where the first datum goes, in data: of Unpacker 0 by its context, and of Unpacker 1, whose base counts bytes, in words of
/// 32 bits, so that it is a whole datum of any format.
fn set_out(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    let row = match level {
        0 => 4,
        1 => 5 + noise.below(7) as u32,
        2 => 17 + 8 * noise.below(6) as u32 + noise.below(3) as u32,
        3 => 8 * (2 + noise.below(7) as u32) - 4,
        4 => noise.below(4) as u32,
        _ => 4 + noise.below(40) as u32,
    };
    let datum = 16 * row + if level == 5 { 1 + noise.below(15) as u32 } else { 0 };
    let (of_context, base) = if unpacker(parts) == 0 { (datum, 256 * noise.below(3) as u32) } else { (0, 4 * datum) };
    to_bank(chip, parts, unpack::ADDR_BASE_REG_1_Base, base);
    // Those of other contexts lead elsewhere.
    for field in unpack::REG5_Dest_cntx {
        to_bank(chip, parts, field, 16 * (4 + noise.below(60) as u32));
    }
    Used { chip, at: At::OfContext(&unpack::REG5_Dest_cntx) }.set(parts, of_context);
}

fn out(chip: Chip, parts: &Parts<'_>) -> usize {
    let datum = match unpacker(parts) {
        0 => Used { chip, at: At::OfContext(&unpack::REG5_Dest_cntx) }.get(parts),
        _ => of_bank(chip, parts, unpack::ADDR_BASE_REG_1_Base) / 4,
    };
    match (datum % 16, datum / 16) {
        (0, 0..4) => 4,
        (0, 4) => 0,
        (0, row) if row % 8 == 4 => 3,
        (0, 5..16) => 1,
        (0, _) => 2,
        _ => 5,
    }
}

const STRIDES: [UnpackField; 3] =
    [unpack::ADDR_CTRL_XY_REG_1_Ystride, unpack::ADDR_CTRL_ZW_REG_1_Zstride, unpack::ADDR_CTRL_ZW_REG_1_Wstride];

/// How far the counters of channel 1 are apart where data go: not, whole rows of any format, or any number of bytes.
fn set_strides(chip: Chip, parts: &mut Parts<'_>, level: usize, noise: &mut Noise) {
    for field in STRIDES {
        let any = 64 * noise.below(3) as u32;
        to_bank(chip, parts, field, [0, 64 + any, any + 1 + noise.below(63) as u32][level]);
    }
}

fn strides(chip: Chip, parts: &Parts<'_>) -> usize {
    let all = STRIDES.map(|field| of_bank(chip, parts, field));
    if all == [0; 3] { 0 } else { 1 + usize::from(all.iter().any(|stride| stride % 64 != 0)) }
}

fn datum_bits(format: u32) -> u32 {
    match format {
        format::BFP2 | format::BFP2A => 2,
        format::BFP4 | format::BFP4A => 4,
        format::BFP8 | format::BFP8A | format::FP8 | format::INT8 => 8,
        format::FP16 | format::BF16 | format::INT16 => 16,
        _ => 32,
    }
}

fn is_bfp(format: u32) -> bool {
    matches!(format, format::BFP8 | format::BFP8A | format::BFP4 | format::BFP4A | format::BFP2 | format::BFP2A)
}

/// The base address of the context in force, in units of 16 bytes.
macro_rules! base {
    () => {
        split!(
            "base",
            &["0", "within the first 8 KiB", "last", "high", "anywhere"],
            &[2, 20, 1, 1, 12],
            used::<C>(At::OfContext(&unpack::REG3_Base_cntx)),
            Partition::Ranges(&[(0, 0), (1, 511), (u32::MAX, u32::MAX), (0x1_8000, u32::MAX - 1), (512, 0x1_7fff)])
        )
    };
}

// -------------------------------------------------------------------------------------------------- windows

/// Places the windows of L1 where the data of a case lie, and says what stands there.
fn finish(chip: Chip, parts: &mut Parts<'_>) {
    let own = |parts: &Parts<'_>, field| of_bank(chip, parts, field);
    let at = |parts: &Parts<'_>, at| Used { chip, at }.get(parts);
    let counter = |parts: &Parts<'_>, whose, member| at(parts, At::Counter(whose, 0, member)) as u64;
    let [format, _] = Used { chip, at: At::Formats }.formats(parts).map(|field| own(parts, field));
    let base = at(parts, At::OfContext(&unpack::REG3_Base_cntx));
    let offset = at(parts, At::OfContext(&unpack::REG7_Offset_cntx));
    let header = 1 + own(parts, unpack::REG0_TileDescriptor_DigestSize);
    let mut address = u64::from(base.wrapping_add(offset).wrapping_add(header).wrapping_mul(16));
    let dim = |field| u64::from(own(parts, field).max(1));
    let (x_dim, y_dim) = (u64::from(at(parts, At::XDim)), u64::from(own(parts, unpack::REG0_TileDescriptor_YDim)));
    let (z_dim, w_dim) = (dim(unpack::REG0_TileDescriptor_ZDim), dim(unpack::REG0_TileDescriptor_WDim));
    let is_uncompressed = at(parts, At::IsUncompressed) != 0;
    let mut pages = Pages { chip, pages: [0; L1_WINDOWS], count: 0 };
    let mut first = counter(parts, Whose::Context, Member::X);
    let plane =
        (counter(parts, Whose::Thread, Member::W) & 0xff) * z_dim + (counter(parts, Whose::Thread, Member::Z) & 0xff);
    let row = plane * y_dim + (counter(parts, Whose::Context, Member::Y) & 0xff);
    parts.salt.class[bank::L1] = class_of(format);
    if is_uncompressed {
        first += row * x_dim;
    } else {
        let blobs = u64::from(own(parts, unpack::REG0_TileDescriptor_BlobsPerXYPlane));
        let rows = if blobs != 0 { blobs } else { y_dim } * z_dim * w_dim;
        pages.add(address + 2 * row, 2);
        parts.salt.ranges[1] = pages.rows(address, 2 * (rows + 1), value_class::L1_ROW_STARTS, parts);
        address += (2 * (rows + 1)).next_multiple_of(16);
        first = 64;
    }
    if is_bfp(format) && own(parts, unpack::REG2_Force_shared_exp) == 0 {
        pages.add(address + first / 16, 2);
        let is_long = datum_bits(format) == 8 || own(parts, unpack::REG0_TileDescriptor_NoBFPExpSection) == 0;
        if is_long {
            let exponents = (x_dim * y_dim * z_dim * w_dim).div_ceil(16).next_multiple_of(16);
            let class = match format {
                format::BFP8A | format::BFP4A | format::BFP2A => value_class::L1_EXPONENTS5,
                _ => value_class::L1_BYTES,
            };
            parts.salt.ranges[0] = pages.rows(address, exponents.max(first / 16 + 64), class, parts);
            address += exponents;
        }
    }
    let bits = u64::from(datum_bits(format));
    let begin = address + first * bits / 8;
    let width = if chip == Chip::Blackhole && bits > 8 { 32 } else { 16 };
    let stride = if own(parts, unpack::REG2_Tileize_mode) != 0 {
        let shifts = unpack::REG2_Shift_amount_cntx.map(|field| u64::from(own(parts, field)));
        shifts[0] << 4 | shifts[1] << 8 | shifts[2] << 12
    } else {
        width * bits / 8
    };
    let limit = 16 * u64::from(own(parts, unpack::REG2_Unpack_limit_address));
    let size = 16 * u64::from(own(parts, unpack::REG2_Unpack_fifo_size));
    for row in 0..64 {
        let place = begin + row * stride;
        pages.add(place, 1 + width * bits / 8 / 256);
        if place + stride > limit {
            pages.add((place + stride).wrapping_sub(size), 1);
        }
    }
    pages.show(parts);
}

/// What stands in L1, by the format of data.
fn class_of(format: u32) -> u8 {
    match format {
        format::FP32 | format::TF32 => value_class::L1_FP32,
        format::BF16 => value_class::L1_BF16,
        format::FP16 => value_class::L1_FP16,
        format::INT32 => value_class::LREG_SIGN_MAGNITUDE,
        _ => value_class::L1_BYTES,
    }
}

/// The pages of L1 that a case is to show.
struct Pages {
    chip: Chip,
    pages: [u16; L1_WINDOWS],
    count: usize,
}

impl Pages {
    /// Pages from that of an address on, if L1 has them and there is room.
    fn add(&mut self, address: u64, count: u64) {
        for page in address / 256..address / 256 + count {
            let Ok(page) = u16::try_from(page) else { continue };
            let is_there = usize::from(page) < self.chip.l1_bytes() / 256;
            if is_there && self.count < L1_WINDOWS && !self.pages[..self.count].contains(&page) {
                self.pages[self.count] = page;
                self.count += 1;
            }
        }
    }

    /// The rows of some bytes with a class of their own, as far as windows side by side show them.
    fn rows(&self, address: u64, bytes: u64, class: u8, parts: &Parts<'_>) -> SaltRange {
        let shown = peek(parts).l1_place(usize::try_from(address / 16).unwrap_or(usize::MAX));
        let Some((window, row)) = shown else { return SaltRange::default() };
        let pages = &peek(parts).l1_pages[window..];
        let adjacent = pages.windows(2).take_while(|pair| pair[1] == pair[0] + 1).count() + 1;
        let first = BLACKHOLE.layout.banks[bank::L1].first_row + window * L1_PAGE_ROWS + row;
        let count = usize::try_from(bytes.div_ceil(16)).unwrap_or(usize::MAX).min(adjacent * L1_PAGE_ROWS - row);
        let number = |row: usize| u16::try_from(row).expect("a row's number is short");
        SaltRange { first: number(first), end: number(first + count), class }
    }

    /// Has windows show them that show none of them yet.
    fn show(&self, parts: &mut Parts<'_>) {
        let wanted = &self.pages[..self.count];
        let shown = &mut small(parts).l1_pages;
        let mut free: Vec<usize> = (0..L1_WINDOWS).filter(|&window| !wanted.contains(&shown[window])).collect();
        for page in wanted {
            if !shown.contains(page) {
                let Some(window) = free.pop() else { return };
                shown[window] = *page;
            }
        }
    }
}

/// What words of L1 mean, by the format of data, and what is written.
fn data(chip: Chip, parts: &Parts<'_>, which: usize) -> Option<&'static Format> {
    let [format, out] = Used { chip, at: At::Formats }.formats(parts).map(|field| of_bank(chip, parts, field));
    match which {
        bank::L1 => Some(match format {
            format::FP32 | format::TF32 => &format::FP32_DATUM,
            format::BF16 => &format::L1_BF16,
            format::FP16 => &format::L1_FP16,
            _ => &format::BITS32,
        }),
        bank::SRCA | bank::SRCB => Some(match out {
            format::FP16 | format::FP8 | format::BFP8A | format::BFP4A | format::BFP2A => &format::SRC_FP16,
            format::INT8 => &format::SRC_INT8,
            format::INT16 => &format::SRC_INT16,
            _ => &format::SRC_TF32,
        }),
        bank::DST => Some(match out {
            format::FP16 | format::FP8 | format::BFP8A | format::BFP4A | format::BFP2A => &format::DST_FP16,
            format::INT8 => &format::DST_INT8,
            format::BF16 | format::BFP8 | format::BFP4 | format::BFP2 => &format::DST_BF16,
            _ => &format::DST_BITS,
        }),
        _ => None,
    }
}

// -------------------------------------------------------------------------------------------------- instructions

/// Whose the bank of the Unpacker is.
const OWNER: Axis = Axis {
    name: "owner",
    levels: &["Unpackers", "MatrixUnit"],
    weights: &[15, 1],
    set: |parts, level, _| {
        let which = unpacker(parts);
        let small = small(parts);
        let bank = small.unpackers_src_bank[which] as usize & 1;
        [&mut small.srca_allowed_client, &mut small.srcb_allowed_client][which][bank] = 1 - level as u32;
    },
    get: |parts| {
        let (small, which) = (peek(parts), unpacker(parts));
        let bank = small.unpackers_src_bank[which] as usize & 1;
        usize::from([small.srca_allowed_client, small.srcb_allowed_client][which][bank] == 0)
    },
};

const INCREMENTS: Axis = Axis {
    name: "increments",
    levels: &["0", "one", "any"],
    weights: &[1, 2, 4],
    set: |parts, level, noise| {
        let fields = [CH0_Y_INC, CH0_Z_INC, CH1_Y_INC, CH1_Z_INC];
        let one = noise.below(4);
        for (place, field) in fields.into_iter().enumerate() {
            let value = [0, if place == one { 1 + noise.below(3) as u32 } else { 0 }, 1 + noise.below(3) as u32][level];
            field.set(parts.code, value);
        }
    },
    get: |parts| {
        let some = [CH0_Y_INC, CH0_Z_INC, CH1_Y_INC, CH1_Z_INC].iter().filter(|field| field.get(parts.code) != 0);
        some.count().min(2)
    },
};

/// What Wormhole lacks: which of two kinds FP8 of each Unpacker is, and whether a speed is chosen.
const ONLY_BLACKHOLE: &[Axis] = &[
    Axis {
        name: "Unp_LF8_4b_exp",
        levels: &["none", "Unpacker 0", "Unpacker 1", "both"],
        weights: &[],
        set: |parts, level, _| {
            set_config(parts, LF8_4B_EXP[0], level as u32 & 1);
            set_config(parts, LF8_4B_EXP[1], level as u32 >> 1);
        },
        get: |parts| (get_config(parts, LF8_4B_EXP[0]) | get_config(parts, LF8_4B_EXP[1]) << 1) as usize,
    },
    flag!("ovrd_default_throttle_mode", Lens::Config(blackhole::THCON_SEC0_REG1_ovrd_default_throttle_mode)),
];
const LF8_4B_EXP: [ConfigField; 2] =
    [blackhole::THCON_SEC0_REG1_Unp_LF8_4b_exp, blackhole::THCON_SEC1_REG1_Unp_LF8_4b_exp];

pub(super) const fn unpacr_regular<C: On>() -> Cases {
    macro_rules! few {
        ($name:literal, $whose:ident, $channel:literal, $member:ident) => {
            split!(
                $name,
                &["0", "1", "2", "other"],
                &[8, 3, 2, 1],
                used::<C>(At::Counter(Whose::$whose, $channel, Member::$member)),
                Partition::Points(&[0, 1, 2])
            )
        };
    }
    const {
        Cases {
            path: [&[
                to!(),
                formats!(),
                Axis {
                    name: "layout",
                    levels: LAYOUTS,
                    weights: &[],
                    set: |parts, level, noise| set_layout(C::CHIP, parts, level, noise),
                    get: |parts| layout(C::CHIP, parts),
                },
            ]; 2],
            has: has_cell,
            class: Class::Axis(2),
            orthogonal: axes!(
                &[THREAD, STATE_ID, latched!(C, UnpacrRegular), other_counters!(C::CHIP)],
                &[
                    split!("WhichUnpacker", OFF_ON, &[2, 1], Lens::Code(WHICH_UNPACKER), Partition::Each),
                    split!(
                        "MultiContextMode",
                        &["1", "0"],
                        &[31, 1],
                        Lens::Code(MULTI_CONTEXT_MODE),
                        Partition::Sets(&[&[1], &[0]])
                    ),
                    split!("UseContextCounter", OFF_ON, &[63, 1], Lens::Code(USE_CONTEXT_COUNTER), Partition::Each),
                    split!(
                        "ContextNumber",
                        &["0", "1", "other"],
                        &[61, 1, 2],
                        Lens::Code(CONTEXT_NUMBER),
                        Partition::Points(&[0, 1])
                    ),
                    split!(
                        "CfgContextOffset",
                        &["0", "1", "other"],
                        &[8, 4, 3],
                        used::<C>(At::ContextOffset),
                        Partition::Points(&[0, 1])
                    ),
                    split!(
                        "ContextCounter",
                        &["0", "1", "other"],
                        &[2, 1, 1],
                        used::<C>(At::ContextCounter),
                        Partition::Points(&[0, 1])
                    ),
                    split!(
                        "ContextADC",
                        &["0", "1", "2", "3"],
                        &[61, 1, 1, 1],
                        Lens::Code(CONTEXT_ADC),
                        Partition::Each
                    ),
                    split!("RowSearch", OFF_ON, &[63, 1], Lens::Code(ROW_SEARCH), Partition::Each),
                    split!("AllDatumsAreZero", OFF_ON, &[15, 1], Lens::Code(ALL_DATUMS_ARE_ZERO), Partition::Each),
                    flag!("FlipSrc", Lens::Code(FLIP_SRC)),
                    INCREMENTS,
                ],
                C::CHIP.pick(&[], ONLY_BLACKHOLE),
                &[
                    own!("Ovrd_data_format", &[], REG2_Ovrd_data_format),
                    own!("Force_shared_exp", &[7, 1], REG2_Force_shared_exp),
                    own!("NoBFPExpSection", &[7, 1], REG0_TileDescriptor_NoBFPExpSection),
                    own!("Unpack_Src_Reg_Set_Upd", &[], REG2_Unpack_Src_Reg_Set_Upd),
                    own!("add_dest_addr_cntr", &[1, 3], ADD_DEST_ADDR_CNTR_add_dest_addr_cntr),
                    own!("Upsample_and_interleave", &[63, 1], REG2_Upsample_and_interleave),
                    split!(
                        "Throttle_mode",
                        &["2", "0", "1", "3"],
                        &[8, 3, 3, 1],
                        used::<C>(At::Own(unpack::REG2_Throttle_mode)),
                        Partition::Sets(&[&[2], &[0], &[1], &[3]])
                    ),
                    split!(
                        "Context_count",
                        &["0", "1", "2", "3"],
                        &[],
                        used::<C>(At::Own(unpack::REG2_Context_count)),
                        Partition::Each
                    ),
                    split!(
                        "shared_exp",
                        &["127", "0", "15", "last", "any"],
                        &[2, 1, 9, 1, 2],
                        used::<C>(At::Own(unpack::FORCED_SHARED_EXP_shared_exp)),
                        Partition::Points(&[127, 0, 15, 255])
                    ),
                    split!(
                        "DigestSize",
                        &["0", "1", "other"],
                        &[12, 3, 1],
                        used::<C>(At::Own(unpack::REG0_TileDescriptor_DigestSize)),
                        Partition::Points(&[0, 1])
                    ),
                    split!(
                        "XDim",
                        &["256", "16", "32", "0", "1 to 15", "17 to 31", "33 to 255", "more"],
                        &[8, 8, 8, 2, 3, 1, 1, 1],
                        used::<C>(At::XDim),
                        Partition::Ranges(&[
                            (256, 256),
                            (16, 16),
                            (32, 32),
                            (0, 0),
                            (1, 15),
                            (17, 31),
                            (33, 255),
                            (257, 0xffff),
                        ])
                    ),
                    split!(
                        "dimensions",
                        &["1", "few", "other"],
                        &[2, 8, 1],
                        Dims(C::CHIP),
                        Partition::Ranges(&[(0, 0), (1, 63), (64, 511)])
                    ),
                ],
                &[
                    Axis {
                        name: "count",
                        levels: COUNTS,
                        weights: &[4, 4, 4, 4, 2, 2, 3, 3, 1, 1, 4],
                        set: |parts, level, noise| set_count(C::CHIP, parts, level, noise),
                        get: |parts| count(C::CHIP, parts),
                    },
                    Axis {
                        name: "first row",
                        levels: &["0", "below 12", "below 64", "multiple of 8", "before SrcA", "within a row"],
                        weights: &[16, 3, 2, 9, 1, 1],
                        set: |parts, level, noise| set_out(C::CHIP, parts, level, noise),
                        get: |parts| out(C::CHIP, parts),
                    },
                    Axis {
                        name: "strides",
                        levels: &["0", "rows", "any"],
                        weights: &[4, 9, 1],
                        set: |parts, level, noise| set_strides(C::CHIP, parts, level, noise),
                        get: |parts| strides(C::CHIP, parts),
                    },
                    few!("Y of channel 0", Context, 0, Y),
                    few!("Z of channel 0", Thread, 0, Z),
                    few!("W of channel 0", Thread, 0, W),
                    few!("Y of channel 1", Thread, 1, Y),
                    few!("Z of channel 1", Thread, 1, Z),
                    few!("W of channel 1", Thread, 1, W),
                    base!(),
                    split!(
                        "offset",
                        &["0", "few", "other"],
                        &[4, 3, 1],
                        used::<C>(At::OfContext(&unpack::REG7_Offset_cntx)),
                        Partition::Ranges(&[(0, 0), (1, 255), (256, 0xffff)])
                    ),
                ],
                &[
                    split!(
                        "limit",
                        &["last", "within the first 16 KiB", "other"],
                        &[28, 2, 1],
                        used::<C>(At::Own(unpack::REG2_Unpack_limit_address)),
                        Partition::Ranges(&[(0x1_ffff, 0x1_ffff), (0, 1023), (1024, 0x1_fffe)])
                    ),
                    split!(
                        "fifo_size",
                        &["few", "other"],
                        &[4, 1],
                        used::<C>(At::Own(unpack::REG2_Unpack_fifo_size)),
                        Partition::Ranges(&[(0, 255), (256, 0x1_ffff)])
                    ),
                    UNPACKER0_BANK,
                    UNPACKER1_BANK,
                    OWNER,
                    split!(
                        "SrcRow",
                        &["0", "16", "32", "48", "other"],
                        &[8, 1, 1, 1, 1],
                        used::<C>(At::SrcRow),
                        Partition::Points(&[0, 16, 32, 48])
                    ),
                    set_base!("SRCA_SET_Base", C::CHIP.pick(config::SRCA_SET_Base, blackhole::SRCA_SET_Base)),
                    ROW_SHAPE,
                    unnamed!(0x4021),
                ],
            ),
            finish: |parts, _, noise| finish_case(C::CHIP, parts, noise),
            data: Data::Of(|_, parts, which, _| data(C::CHIP, parts, which)),
            plain: &["other counters=any", "FlipSrc=1", "increments=any"],
            sweep: &["latched_wait", "owner", "base", "limit", "offset"],
            recording: Recording { always: &[], unpromised: &[], others: 3, source_rows: 4 },
            bench_classes: &[BenchClass::new("unpacr-bf16-face", |parts, noise| bench_face(C::CHIP, parts, noise))],
            ..UNPACK
        }
    }
}

/// Places windows and data; of data that go to a source `SetOvrdWithAddr` is set, of others not, but for some.
fn finish_case(chip: Chip, parts: &mut Parts<'_>, noise: &mut Noise) {
    let set_ovrd = chip.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr);
    let to_dst = unpacker(parts) == 0 && (Used { chip, at: At::ToDst }).get(parts) != 0;
    set_thread_config(parts, set_ovrd, u32::from(to_dst) ^ u32::from(noise.below(32) != 0));
    finish(chip, parts);
}

/// A face of BF16 that goes to `SrcA`.
fn bench_face(chip: Chip, parts: &mut Parts<'_>, noise: &mut Noise) {
    (LATCHED_NOTHING.set)(parts, 0, noise);
    (OWNER.set)(parts, 0, noise);
    parts.code[0] = 0x4200_0000;
    MULTI_CONTEXT_MODE.set(parts.code, 1);
    CH0_Z_INC.set(parts.code, 1);
    let thread = thread_of(peek(parts));
    let state_id = state_id_of(peek(parts));
    let small = small(parts);
    small.config[state_id] = [0; config::CONFIG_WORDS];
    for field in context_offset_fields(chip) {
        field.set(&mut small.thread_config[thread], 0);
    }
    chip.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr)
        .set(&mut small.thread_config[thread], 1);
    small.adcs = Default::default();
    small.adcs[0].unpacker[0][1].x = 255;
    for (window, page) in (0..).zip(&mut small.l1_pages) {
        *page = window;
    }
    for (field, value) in [
        (unpack::REG0_TileDescriptor_InDataFormat, format::BF16),
        (unpack::REG2_Out_data_format, format::BF16),
        (unpack::REG5_Tile_x_dim_cntx0, 256),
        (unpack::REG0_TileDescriptor_YDim, 1),
        (unpack::REG2_Disable_zero_compress_cntx0, 1),
        (unpack::REG2_Throttle_mode, 2),
        (unpack::REG2_Unpack_limit_address, 0x1_ffff),
        (unpack::REG5_Dest_cntx0_address, 64),
    ] {
        field.set(chip, 0, &mut small.config[state_id], value);
    }
    parts.salt.class[bank::L1] = value_class::L1_BF16;
}

pub(super) const fn unpacr_flush_cache<C: On>() -> Cases {
    Cases {
        path: [&[
            flag!("WhichUnpacker", Lens::Code(WHICH_UNPACKER)),
            flag!("MultiContextMode", Lens::Code(MULTI_CONTEXT_MODE)),
        ]; 2],
        orthogonal: axes!(&[THREAD, latched!(C, UnpacrFlushCache), ROW_SHAPE, unnamed!(0x7f_ff7d)]),
        bench_classes: bench!("unpacr-flush-cache", [LATCHED_NOTHING] MULTI_CONTEXT_MODE 1),
        ..UNPACK
    }
}

pub(super) const fn unpacr_increment_context_counter<C: On>() -> Cases {
    const {
        Cases {
            path: [&[
                flag!("WhichUnpacker", Lens::Code(WHICH_UNPACKER)),
                split!(
                    "Context_count",
                    &["0", "1", "2", "3"],
                    &[],
                    used::<C>(At::Own(unpack::REG2_Context_count)),
                    Partition::Each
                ),
            ]; 2],
            orthogonal: axes!(&[
                THREAD,
                STATE_ID,
                latched!(C, UnpacrIncrementContextCounter),
                CONTEXT_COUNTERS,
                ROW_SHAPE,
                unnamed!(0x7f_dffd),
            ]),
            ..UNPACK
        }
    }
}
