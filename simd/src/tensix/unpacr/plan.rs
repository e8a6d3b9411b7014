//! What an `UNPACR` is to do, by its word, by the configuration and by the counters.

use tandem_isa::CodeField;
use tandem_isa::tensix::config::unpack::{
    ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, ADDR_BASE_REG_1_Base, ADDR_CTRL_XY_REG_1_Ystride,
    ADDR_CTRL_ZW_REG_1_Wstride, ADDR_CTRL_ZW_REG_1_Zstride, FORCED_SHARED_EXP_shared_exp,
    REG0_TileDescriptor_BlobsPerXYPlane, REG0_TileDescriptor_BlobsYStart_Hi, REG0_TileDescriptor_BlobsYStart_Lo,
    REG0_TileDescriptor_DigestSize, REG0_TileDescriptor_InDataFormat, REG0_TileDescriptor_IsUncompressed,
    REG0_TileDescriptor_NoBFPExpSection, REG0_TileDescriptor_WDim, REG0_TileDescriptor_XDim, REG0_TileDescriptor_YDim,
    REG0_TileDescriptor_ZDim, REG2_Disable_zero_compress_cntx, REG2_Force_shared_exp, REG2_Haloize_mode,
    REG2_Out_data_format, REG2_Ovrd_data_format, REG2_Shift_amount_cntx, REG2_Throttle_mode, REG2_Tileize_mode,
    REG2_Unpack_If_Sel, REG2_Unpack_fifo_size, REG2_Unpack_if_sel_cntx, REG2_Unpack_limit_address,
    REG2_Upsample_and_interleave, REG2_Upsample_rate, REG3_Base_cntx, REG5_Dest_cntx, REG5_Tile_x_dim_cntx,
    REG7_Offset_cntx, REG7_Unpack_data_format_cntx, REG7_Unpack_out_data_format_cntx, UnpackField, blobs_y_start_cntx,
};
use tandem_isa::tensix::config::{self, CONFIG_WORDS, blackhole};
use tandem_isa::tensix::inst::unpack::{
    ALL_DATUMS_ARE_ZERO, CONTEXT_ADC, CONTEXT_NUMBER, MULTI_CONTEXT_MODE, ROW_SEARCH, USE_CONTEXT_COUNTER,
};
use tandem_isa::tensix::{AdcChannel, Chip, Tensix, UNPACKERS, format};

use super::conversion::{Conversion, Settings, datum_bits, is_bfp, is_wide};
use crate::tensix::instruction::{Code, thread_of};

/// Sixteenths of a byte, in which addresses are counted: an exponent lasts for sixteen data, and data have two bits or more.
pub(super) const BYTE: i64 = 16;
/// The same of a row of L1, of 16 bytes.
pub(super) const L1_ROW: i64 = 16 * BYTE;
/// The most data that one instruction may have.
pub(super) const MOST_DATA: u32 = 1 << 18;

/// Where exponents come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exponents {
    /// All data have this one, or need none.
    All(u32),
    /// An address.
    From(i64),
}

/// How compressed data are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compressed {
    /// The address of the first count of zeros.
    pub(super) deltas: i64,
    /// Data that come out and are dropped.
    pub(super) drop: u32,
    /// Data that come out after them, at most.
    pub(super) most: u32,
}

/// Which registers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    SrcA,
    SrcB,
    Dst16,
    Dst32,
}

/// How a row is counted: `(row + add) & mask`, of rows up to `last`, if that is below `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    last: u32,
    add: u32,
    mask: u32,
    end: u32,
}

impl Rows {
    /// The row that is written, unless it is none.
    #[inline(always)]
    pub(super) const fn place(&self, row: u32) -> Option<usize> {
        let place = row.wrapping_add(self.add) & self.mask;
        if row <= self.last && place < self.end { Some(place as usize) } else { None }
    }
}

/// What is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) chip: Chip,
    pub(super) thread: usize,
    /// The thread of the counters of `X` and `Y`.
    pub(super) adc: usize,
    pub(super) which: usize,
    pub(super) state_id: usize,
    /// `WhichContext`.
    pub(super) context: u32,
    /// `OutDataFormat`.
    pub(super) out_format: u32,
    /// What data become, if anything.
    pub(super) conversion: Option<Conversion>,
    /// `AllDatumsAreZero`.
    pub(super) is_all_zero: bool,
    /// Data that are read, at most.
    pub(super) data: u32,
    /// A datum in L1, in sixteenths of a byte.
    pub(super) size: i64,
    /// Where the first datum lies.
    pub(super) from: i64,
    /// The number of the first datum of all that the tile has.
    pub(super) first: u32,
    pub(super) exponents: Exponents,
    pub(super) compressed: Option<Compressed>,
    /// Beyond this address, it goes on `fifo` further down.
    limit: i64,
    fifo: i64,
    /// Data of a line, 16 or 32.
    pub(super) line: u32,
    /// From a line to the next one.
    pub(super) stride: i64,
    pub(super) target: Target,
    /// The bank of a source.
    pub(super) bank: usize,
    /// Whether that is the Unpackers'.
    pub(super) is_own: bool,
    /// The first position, 16 a row.
    pub(super) out: u32,
    pub(super) rows: Rows,
    /// Positions after each datum that are zero, or skipped.
    pub(super) upsample: u32,
    pub(super) skips: bool,
    pub(super) column_shift: u32,
    pub(super) transpose: bool,
}

impl Plan {
    /// The address, or that to which it wraps.
    #[inline(always)]
    pub(super) const fn wrap(&self, address: i64) -> i64 {
        if address > self.limit { address - self.fifo } else { address }
    }

    /// Whether no address up to this one wraps.
    #[inline(always)]
    pub(super) const fn is_straight_to(&self, end: i64) -> bool {
        end <= self.limit || self.fifo == 0
    }

    /// The row of L1 at an address, if it is one.
    #[inline(always)]
    pub(super) const fn l1_row(&self, address: i64) -> Option<usize> {
        let end = l1_end(self.chip);
        if address >= 0 && address < end { Some((address / L1_ROW) as usize) } else { None }
    }
}

/// The plan, unless nothing is promised of the instruction, or it is called unsupported. Nothing is changed.
pub(super) fn plan(chip: Chip, newest: bool, which: u32, code: &Code, tensix: &mut Tensix<'_>) -> Option<Plan> {
    // Where a field lies is known in each of these.
    match (chip, which) {
        (Chip::Wormhole, 0) => Planner::<false, 0> { newest, code, tensix }.plan(),
        (Chip::Wormhole, _) => Planner::<false, 1> { newest, code, tensix }.plan(),
        (Chip::Blackhole, 0) => Planner::<true, 0> { newest, code, tensix }.plan(),
        (Chip::Blackhole, _) => Planner::<true, 1> { newest, code, tensix }.plan(),
    }
}

struct Planner<'a, 't, const BLACKHOLE: bool, const WHICH: usize> {
    newest: bool,
    code: &'a Code,
    tensix: &'a mut Tensix<'t>,
}

impl<const BLACKHOLE: bool, const WHICH: usize> Planner<'_, '_, BLACKHOLE, WHICH> {
    const CHIP: Chip = if BLACKHOLE { Chip::Blackhole } else { Chip::Wormhole };

    fn plan(self) -> Option<Plan> {
        let Planner { newest, code, tensix } = self;
        let bit = |field: CodeField| field.get(code) != 0;
        let (row_search, by_counter, multi) = (bit(ROW_SEARCH), bit(USE_CONTEXT_COUNTER), bit(MULTI_CONTEXT_MODE));
        if newest && (row_search || by_counter || !multi || CONTEXT_ADC.get(code) != 0 || CONTEXT_NUMBER.get(code) != 0)
        {
            return None;
        }
        let small = &*tensix.small;
        let thread = thread_of(small);
        let words = &small.thread_config[thread];
        let state_id = config::CFG_STATE_ID_StateID.get(words) as usize;
        let bank_of_config = &small.config[state_id];
        let get = |field: UnpackField| Self::get(bank_of_config, field);

        // The context.
        let (context, adc) = if multi {
            let offsets = Self::CHIP.pick(
                [config::UNPACK_MISC_CFG_CfgContextOffset_0, config::UNPACK_MISC_CFG_CfgContextOffset_1],
                [blackhole::UNPACK_MISC_CFG_CfgContextOffset_0, blackhole::UNPACK_MISC_CFG_CfgContextOffset_1],
            );
            let counter = small.unpackers_context_counter[WHICH][thread];
            let number = if by_counter { counter } else { CONTEXT_NUMBER.get(code) };
            let context = number.wrapping_add(offsets[WHICH].get(words)) & 7;
            let adc = CONTEXT_ADC.get(code) as usize;
            if WHICH == 1 && context >= 2 || adc == 3 {
                return None;
            }
            (context, adc)
        } else {
            (0, thread)
        };
        let (of_8, of_4) = (context as usize, context as usize & 3);

        // What is at the input.
        let uncompressed =
            get(if multi { REG2_Disable_zero_compress_cntx[of_8] } else { REG0_TileDescriptor_IsUncompressed }) != 0;
        let x_dim = get(if multi && WHICH == 0 { REG5_Tile_x_dim_cntx[of_4] } else { REG0_TileDescriptor_XDim });
        let y_dim = get(REG0_TileDescriptor_YDim);
        let [z_dim, w_dim] = [REG0_TileDescriptor_ZDim, REG0_TileDescriptor_WDim].map(|field| get(field).max(1));
        let [in_format, out_format] = if multi && get(REG2_Ovrd_data_format) != 0 {
            [get(REG7_Unpack_data_format_cntx[of_8]), get(REG7_Unpack_out_data_format_cntx[of_8])]
        } else {
            [get(REG0_TileDescriptor_InDataFormat), get(REG2_Out_data_format)]
        };
        let bits = datum_bits(in_format)?;
        let size = i64::from(bits) * BYTE / 8;
        let blobs = get(REG0_TileDescriptor_BlobsPerXYPlane);
        let base = get(REG3_Base_cntx[of_8]).wrapping_add(get(REG7_Offset_cntx[of_4]));
        let base = base.wrapping_add(1 + get(REG0_TileDescriptor_DigestSize)).wrapping_mul(16);
        // Where the next part of the input begins, in bytes.
        let mut part = i64::from(base);
        if !uncompressed {
            let rows = if blobs != 0 { blobs * z_dim * w_dim } else { y_dim * z_dim * w_dim };
            part += i64::from(((rows + 1) * 2).next_multiple_of(16));
        }
        let mut exponents = Exponents::All(get(FORCED_SHARED_EXP_shared_exp));
        if is_bfp(in_format) && get(REG2_Force_shared_exp) == 0 {
            exponents = Exponents::From(part * BYTE);
            if bits == 8 || get(REG0_TileDescriptor_NoBFPExpSection) == 0 {
                let elements = [y_dim, z_dim, w_dim].iter().fold(u64::from(x_dim), |all, &dim| all * u64::from(dim));
                part += elements.div_ceil(16).next_multiple_of(16).cast_signed();
            }
        }
        let part = part * BYTE;

        // Which data there are.
        let adcs = |thread: usize| &small.adcs[thread].unpacker[WHICH];
        let [xy, AdcChannel { x: last_x, .. }] = *adcs(adc);
        let [zw, out]: [AdcChannel; 2] = *adcs(thread);
        let tile = Tile { x_dim, y_dim, z_dim, blobs, row_search, xy, last_x, zw };
        let (first, data, mut compressed);
        if uncompressed {
            let starts = if multi && WHICH == 0 {
                blobs_y_start_cntx(Self::CHIP)[of_4 / 2].get(bank_of_config)
            } else {
                get(REG0_TileDescriptor_BlobsYStart_Lo) | get(REG0_TileDescriptor_BlobsYStart_Hi) << 16
            };
            (first, data) = tile.range(newest, bits, starts)?;
            compressed = None;
        } else {
            if newest {
                return None;
            }
            let found;
            (first, data, found) = tile.compressed_range(Self::CHIP, i64::from(base) * BYTE, tensix)?;
            compressed = Some(found);
        }
        let small = &*tensix.small;
        let words = &small.thread_config[thread];
        let bank_of_config = &small.config[state_id];
        let get = |field: UnpackField| Self::get(bank_of_config, field);

        // Where they lie.
        let [limit, fifo] =
            [REG2_Unpack_limit_address, REG2_Unpack_fifo_size].map(|field| i64::from(get(field)) * L1_ROW);
        let wrap = |address: i64| if address > limit { address - fifo } else { address };
        let mut from = part;
        if let Some(compressed) = &mut compressed {
            let [groups, rest] = [first / 32, first % 32].map(i64::from);
            from += groups * (32 * size + L1_ROW);
            compressed.deltas = wrap(from + 32 * size + rest * (BYTE / 2));
            from += rest * size;
        } else {
            from += i64::from(first) * size;
        }
        let from = wrap(from);
        if let Exponents::From(address) = exponents {
            exponents = Exponents::From(wrap(address + i64::from(first)));
        }
        let line = if newest && BLACKHOLE && bits > 8 { 32 } else { 16 };
        let tileize = get(REG2_Tileize_mode) != 0;
        let shift_of = |context: usize| get(REG2_Shift_amount_cntx[context]);
        let stride = if tileize {
            if newest && bits < 8 {
                return None;
            }
            i64::from(shift_of(0) << 4 | shift_of(1) << 8 | shift_of(2) << 12) * BYTE
        } else {
            size * i64::from(line)
        };

        // Where they go to.
        let to_dst = WHICH == 0 && get(if multi { REG2_Unpack_if_sel_cntx[of_8] } else { REG2_Unpack_If_Sel }) != 0;
        let transpose = WHICH == 0 && get(REG2_Haloize_mode) != 0;
        let position = get(ADDR_BASE_REG_1_Base)
            .wrapping_add(out.y.wrapping_mul(get(ADDR_CTRL_XY_REG_1_Ystride)))
            .wrapping_add(out.z.wrapping_mul(get(ADDR_CTRL_ZW_REG_1_Zstride)))
            .wrapping_add(out.w.wrapping_mul(get(ADDR_CTRL_ZW_REG_1_Wstride)));
        let bytes_shift = match out_format {
            format::FP32 | format::TF32 | format::INT32 => 2,
            format::FP16 | format::BF16 | format::INT16 => 1,
            _ => 0,
        };
        if position & ((1 << bytes_shift) - 1) != 0 {
            return None;
        }
        let mut position = position >> bytes_shift;
        if multi && WHICH == 0 {
            let of_context = get(REG5_Dest_cntx[of_4]);
            let adds = to_dst || get(ADD_DEST_ADDR_CNTR_add_dest_addr_cntr) != 0;
            position = of_context.wrapping_add(if adds { position } else { 0 });
        }
        let upsample = (1 << get(REG2_Upsample_rate)) - 1;
        let skips = get(REG2_Upsample_and_interleave) != 0;
        let column_shift = if tileize || WHICH == 1 { 0 } else { shift_of(of_4) };

        // What does not go together.
        let overrides = Self::CHIP.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr);
        let overrides = overrides.get(words) != 0;
        if (transpose || tileize) && from % L1_ROW != 0
            || tileize && (upsample > 0 || !uncompressed)
            || to_dst && (column_shift != 0 || transpose)
        {
            return None;
        }
        if newest {
            let is_odd = position & 15 != 0 || WHICH == 0 && position < 64;
            if is_odd || upsample != 0 || skips || column_shift != 0 || overrides == to_dst {
                return None;
            }
            let throttle = get(REG2_Throttle_mode);
            if !BLACKHOLE && throttle > 2 {
                return None;
            }
            if WHICH == 0 && !to_dst && data > 16 {
                let own = !BLACKHOLE || blackhole::THCON_SEC0_REG1_ovrd_default_throttle_mode.get(bank_of_config) != 0;
                let throttle = if own { Some(throttle) } else { None };
                if (position / 16 - 4) % burst_rows(Self::CHIP, bits, tileize, throttle) != 0 {
                    return None;
                }
            }
        }

        let src_row = small.unpackers_src_row[WHICH][thread] & 0x3f;
        let rows = Self::rows(to_dst, newest, overrides, src_row);
        let bank = (small.unpackers_src_bank[WHICH] & 1) as usize;
        let clients = if WHICH == 0 { &small.srca_allowed_client } else { &small.srcb_allowed_client };
        let four_bits = [blackhole::THCON_SEC0_REG1_Unp_LF8_4b_exp, blackhole::THCON_SEC1_REG1_Unp_LF8_4b_exp][WHICH];
        let unsigned = [config::ALU_FORMAT_SPEC_REG0_SrcAUnsigned, config::ALU_FORMAT_SPEC_REG0_SrcBUnsigned][WHICH];
        let settings = Settings {
            four_bits: BLACKHOLE && four_bits.get(bank_of_config) != 0,
            unsigned: unsigned.get(bank_of_config) != 0,
            all_zero: bit(ALL_DATUMS_ARE_ZERO),
        };
        Some(Plan {
            chip: Self::CHIP,
            thread,
            adc,
            which: WHICH,
            state_id,
            context,
            out_format,
            conversion: Conversion::new(Self::CHIP, [in_format, out_format], to_dst, settings),
            is_all_zero: bit(ALL_DATUMS_ARE_ZERO),
            data,
            size,
            from,
            first,
            exponents,
            compressed,
            limit,
            fifo,
            line,
            stride,
            target: match (WHICH, to_dst) {
                (0, true) if is_wide(out_format) => Target::Dst32,
                (0, true) => Target::Dst16,
                (0, false) => Target::SrcA,
                _ => Target::SrcB,
            },
            bank,
            is_own: clients[bank] == UNPACKERS,
            out: position,
            rows,
            upsample,
            skips,
            column_shift,
            transpose,
        })
    }

    /// How rows are counted.
    const fn rows(to_dst: bool, newest: bool, overrides: bool, src_row: u32) -> Rows {
        let any = Rows { last: u32::MAX, add: 0, mask: !0, end: 64 };
        match (WHICH, to_dst, newest) {
            (0, true, _) => Rows { mask: 0x3ff, end: if overrides { 0 } else { 0x400 }, ..any },
            (0, false, true) if BLACKHOLE => Rows { mask: 63, ..any },
            (0, false, _) if overrides => any,
            (0, false, _) => Rows { last: 15, add: src_row, ..any },
            (_, _, true) => Rows { add: src_row, ..any },
            (_, _, false) => Rows { add: src_row, mask: 63, ..any },
        }
    }

    #[inline(always)]
    fn get(bank: &[u32; CONFIG_WORDS], field: UnpackField) -> u32 {
        field.get(Self::CHIP, WHICH, bank)
    }
}

/// What says which data of a tile are meant.
struct Tile {
    x_dim: u32,
    y_dim: u32,
    z_dim: u32,
    /// `BlobsPerXYPlane`.
    blobs: u32,
    row_search: bool,
    /// The counters of channel 0 of which `X` and `Y` count.
    xy: AdcChannel,
    /// `X` of channel 1 beside them.
    last_x: u32,
    /// Those of which `Z` and `W` count.
    zw: AdcChannel,
}

impl Tile {
    /// The first row of the plane, of so many rows each.
    const fn plane(&self, y_dim: u32) -> u32 {
        (self.zw.w & 0xff).wrapping_mul(self.z_dim).wrapping_add(self.zw.z & 0xff).wrapping_mul(y_dim)
    }

    /// The first datum and how many there are of data of so many bits that are not compressed. `starts` are those of blobs.
    fn range(&self, newest: bool, bits: u32, starts: u32) -> Option<(u32, u32)> {
        let Tile { x_dim, y_dim, blobs, row_search, xy, last_x, .. } = *self;
        let y = if newest { xy.y & 0xff } else { xy.y };
        let (start, row, end) = if !row_search {
            (xy.x, y, last_x.wrapping_add(1))
        } else if blobs == 0 {
            (0, y, last_x)
        } else {
            let start_of = |blob: u32| ((starts >> (4 * blob)) & 15) << 4;
            let next = (xy.x & 7) + 1;
            let end = match next {
                _ if next == blobs => x_dim & 0x1f0,
                // There are eight.
                8 => return None,
                _ => start_of(next),
            };
            (start_of(xy.y & 7), 0, end)
        };
        let most = 8192 * 8 / bits.max(8);
        if newest && (start >= most || end > most || end < start) {
            return None;
        }
        let data = end.wrapping_sub(start);
        let first = self.plane(y_dim).wrapping_add(row).wrapping_mul(x_dim).wrapping_add(start);
        // What holds the instruction comes before what it can not do.
        Some((first, data.min(MOST_DATA + 1)))
    }

    /// The same of compressed data, and what of them is dropped, where the starts of rows lie from `base` on.
    fn compressed_range(&self, chip: Chip, base: i64, tensix: &mut Tensix<'_>) -> Option<(u32, u32, Compressed)> {
        let Tile { x_dim, y_dim, blobs, row_search, xy, last_x, .. } = *self;
        let y_dim = if row_search && blobs != 0 { blobs } else { y_dim };
        let plane = i64::from(self.plane(y_dim));
        let start_of =
            |tensix: &mut Tensix<'_>, row: u32| read(chip, tensix, base + (plane + i64::from(row)) * 2 * BYTE, 16);
        let first = start_of(tensix, xy.y & 0xff)?;
        if row_search || xy.x == 0 && last_x == x_dim.wrapping_sub(1) {
            let next = if row_search { xy.x } else { xy.y };
            let data = start_of(tensix, (next & 0xff) + 1)?.wrapping_sub(first);
            let all = Compressed { deltas: 0, drop: 0, most: u32::MAX };
            return Some((first, data.min(MOST_DATA + 1), all));
        }
        let (drop, most) = (xy.x, last_x.wrapping_add(1).wrapping_sub(xy.x));
        let [drop, most] = [drop, most].map(|number: u32| number.min(MOST_DATA + 1));
        Some((first, u32::MAX, Compressed { deltas: 0, drop, most }))
    }
}

/// The rows of `SrcA` that one burst is of data of so many bits, at a speed if it is not the chip that chooses it.
fn burst_rows(chip: Chip, bits: u32, tileize: bool, throttle: Option<u32>) -> u32 {
    let throttle = match (bits, throttle) {
        (2, _) => 0,
        _ if tileize => 2,
        (_, Some(throttle)) => throttle,
        (8, None) => 3,
        _ => 2,
    };
    let bytes = if chip == Chip::Blackhole && throttle == 2 && bits >= 16 { 128 } else { 16 << throttle };
    (bytes / (2 * bits)).clamp(1, 8)
}

/// The address at which L1 ends.
const fn l1_end(chip: Chip) -> i64 {
    chip.l1_bytes() as i64 * BYTE
}

/// Reads bits of L1 that lie in one word, if a window shows them.
pub(super) fn read(chip: Chip, tensix: &mut Tensix<'_>, address: i64, bits: u32) -> Option<u32> {
    if address < 0 || address >= l1_end(chip) {
        return None;
    }
    let words = tensix.l1_row((address / L1_ROW) as usize)?;
    let bit = (address % L1_ROW) as usize / 2;
    Some((words[bit / 32] >> (bit % 32)) & (u32::MAX >> (32 - bits)))
}
