//! What a `PACR` is to do, by its word, and what each packer is to do, by the configuration and by the counters.

use tandem_isa::CodeField;
use tandem_isa::tensix::config::pack::{
    ALU_ROUNDING_MODE_Bfp8_HF, ALU_ROUNDING_MODE_GS_LF, ALU_ROUNDING_MODE_Gasket_srnd_en,
    ALU_ROUNDING_MODE_Packer_srnd_en, Add_l1_dest_addr_offset, Addr_cnt_context, Dis_shared_exp_assembler,
    Disable_zero_compress, Downsample_mask, Downsample_rate, Exp_section_size, Exp_threshold, Exp_threshold_en,
    Force_pack_per_max_xy_plane, INT_DESCALE_Enable, INT_DESCALE_Mode, In_data_format, L1_Dest_addr, L1_source_addr,
    OF_BLACKHOLE, Out_data_format, PACK_COUNTERS_SEC_pack_reads_per_xy_plane, PACK_COUNTERS_SEC_pack_yz_transposed,
    PCK_DEST_RD_CTRL_Read_32b_data, PCK_DEST_RD_CTRL_Read_int8, PCK_DEST_RD_CTRL_Read_unsigned,
    PCK_DEST_RD_CTRL_Round_10b_mant, PCK_EDGE_MODE_mode, PCK_EDGE_OFFSET_SEC_mask,
    PCK_EDGE_TILE_FACE_SET_SELECT_enable, PCK_EDGE_TILE_FACE_SET_SELECT_select, PCK_EDGE_TILE_ROW_SET_SELECT_select,
    PCK0_ADDR_BASE_REG_0_Base, PCK0_ADDR_BASE_REG_1_Base, PCK0_ADDR_CTRL_XY_REG_0_Xstride,
    PCK0_ADDR_CTRL_XY_REG_0_Ystride, PCK0_ADDR_CTRL_XY_REG_1_Ystride, PCK0_ADDR_CTRL_ZW_REG_0_Wstride,
    PCK0_ADDR_CTRL_ZW_REG_0_Zstride, PCK0_ADDR_CTRL_ZW_REG_1_Wstride, PCK0_ADDR_CTRL_ZW_REG_1_Zstride, Pack_L1_Acc,
    PackField, PackerField, Read_mode, STACC_RELU_ApplyRelu, STACC_RELU_ReluThreshold, Source_interface_selection,
    Sub_l1_tile_header_size, THCON_SEC0_REG1_All_pack_disable_zero_compress,
    THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, TILE_FACE_SET_MAPPING, TILE_ROW_SET_MAPPING, pack_fifo_size,
    pack_limit_address,
};
use tandem_isa::tensix::config::{self, CONFIG_WORDS};
use tandem_isa::tensix::inst::pack::{
    ADDR_CNT_CONTEXT, ADDR_MOD, CFG_CONTEXT, CTXT_CTRL, DST_ACCESS_MODE, FLUSH, LAST, OVRD_THREAD_ID, PACKER_MASK,
    READ_INTF_SEL, ROW_PAD_ZERO, ZERO_WRITE,
};
use tandem_isa::tensix::{AdcChannel, Chip, DATA, EXPONENTS, PackerStream, Small, format};

use super::formats::{Decode, Early, Kind, Late, Relu, Settings, datum_bits, is_shared};
use super::rows::{Edge, Rows};
use crate::tensix::instruction::{Code, thread_of};

/// The most data that one packer takes at a time.
pub(super) const MOST_DATA: u32 = 1024;

/// What the word says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) chip: Chip,
    pub(super) thread: usize,
    pub(super) state_id: usize,
    /// The packers at work, as bits.
    pub(super) packers: u32,
    /// The interfaces that are enabled on Blackhole, as bits; one on Wormhole.
    pub(super) interfaces: u32,
    overrides: bool,
    zero_write: bool,
    flush: bool,
    /// `Last` or `Flush`.
    pub(super) ends: bool,
    pub(super) addr_mod: usize,
}

impl Order {
    /// The order, unless nothing is promised of the word.
    pub(super) fn new(chip: Chip, code: &Code, small: &Small) -> Option<Self> {
        let bit = |field: CodeField| field.get(code) != 0;
        let (packers, interfaces) = match chip {
            Chip::Wormhole => (PACKER_MASK.get(code).max(1), 1),
            Chip::Blackhole => (1, READ_INTF_SEL.get(code)),
        };
        let is_promised = match chip {
            Chip::Wormhole => matches!(packers, 1 | 2 | 3 | 4 | 8 | 12 | 15),
            Chip::Blackhole => {
                let not_said =
                    [CTXT_CTRL, DST_ACCESS_MODE, ROW_PAD_ZERO, CFG_CONTEXT, OVRD_THREAD_ID, ADDR_CNT_CONTEXT];
                !not_said.into_iter().any(bit)
            }
        };
        let thread = thread_of(small);
        is_promised.then(|| Order {
            chip,
            thread,
            state_id: config::CFG_STATE_ID_StateID.get(&small.thread_config[thread]) as usize,
            packers,
            interfaces: if interfaces == 0 { 15 } else { interfaces },
            overrides: bit(OVRD_THREAD_ID),
            zero_write: bit(ZERO_WRITE),
            flush: bit(FLUSH),
            ends: bit(LAST) || bit(FLUSH),
            addr_mod: ADDR_MOD.get(code) as usize,
        })
    }

    /// The thread of the counters that a packer uses.
    pub(super) fn adc(&self, packer: usize, small: &Small) -> usize {
        if !self.overrides {
            return self.thread;
        }
        [0, 1, 2, 0][Addr_cnt_context.get(self.chip, packer, &small.config[self.state_id]) as usize & 3]
    }

    /// Whether one packer is at work, on so many data at most.
    pub(super) fn is_of_few(&self, most: usize, small: &Small) -> bool {
        let packer = self.packers.trailing_zeros() as usize;
        let number = self.number(self.adc(packer, small), small);
        self.packers.is_power_of_two() && number.is_none_or(|number| number as usize <= most)
    }

    /// `InputNumDatums` of a packer, on Blackhole of each interface, if there may be as many.
    pub(super) fn number(&self, adc: usize, small: &Small) -> Option<u32> {
        let [first, last] = &small.adcs[adc].packers;
        if self.flush {
            return Some(0);
        }
        let number = last.x.wrapping_sub(first.x).wrapping_add(1);
        (number <= self.chip.pick(MOST_DATA, 16)).then_some(number)
    }
}

/// What comes from `Dst`, and what the stages make of it that other data do not go through.
#[derive(Clone, Copy, Debug)]
pub(super) struct FromDst {
    /// The datum in `Dst`.
    pub(super) address: u32,
    pub(super) decode: Decode,
    pub(super) early: Early,
    /// What a datum is that is masked.
    pub(super) masked: u32,
    pub(super) relu: Option<Relu>,
    /// What comes below this exponent is zero.
    pub(super) threshold: u32,
}

/// Where data come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// Nowhere: they are zero.
    Null,
    /// Data of so many bytes from this address of L1 on.
    L1 { address: u32, bytes: usize },
    /// Some rows of `Dst`.
    Dst(FromDst),
}

/// What one packer does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) packer: usize,
    pub(super) adc: usize,
    pub(super) source: Source,
    /// Data that are fetched, of all interfaces.
    pub(super) data: usize,
    /// Which of sixteen are kept.
    pub(super) kept: u32,
    /// How many are.
    pub(super) packed: usize,
    /// What they are, where there are any.
    pub(super) kind: Option<Kind>,
    /// What becomes of them, likewise.
    pub(super) late: Option<Late>,
    /// `In_data_format`.
    pub(super) in_format: u32,
    /// Bits of a datum in L1.
    pub(super) bits: usize,
    /// Whether data share exponents.
    pub(super) is_shared: bool,
    /// Streams, with the addresses that they go on at.
    pub(super) streams: [PackerStream; 2],
}

/// The plan of a packer and its rows of `Dst`, unless nothing is promised. Nothing is changed.
#[inline(never)]
pub(super) fn plan(order: &Order, packer: usize, small: &Small, rows: &mut Rows) -> Option<Plan> {
    // Where a field lies is known in each of these.
    match (order.chip, packer) {
        (Chip::Wormhole, 0) => Planner::<false, 0>::new(order, small).plan(rows),
        (Chip::Wormhole, 1) => Planner::<false, 1>::new(order, small).plan(rows),
        (Chip::Wormhole, 2) => Planner::<false, 2>::new(order, small).plan(rows),
        (Chip::Wormhole, _) => Planner::<false, 3>::new(order, small).plan(rows),
        (Chip::Blackhole, _) => Planner::<true, 0>::new(order, small).plan(rows),
    }
}

struct Planner<'a, const BLACKHOLE: bool, const PACKER: usize> {
    order: &'a Order,
    small: &'a Small,
    bank: &'a [u32; CONFIG_WORDS],
}

impl<'a, const BLACKHOLE: bool, const PACKER: usize> Planner<'a, BLACKHOLE, PACKER> {
    const CHIP: Chip = if BLACKHOLE { Chip::Blackhole } else { Chip::Wormhole };

    const fn new(order: &'a Order, small: &'a Small) -> Self {
        Planner { order, small, bank: &small.config[order.state_id] }
    }

    #[inline(always)]
    const fn own(&self, field: PackerField) -> u32 {
        field.get(Self::CHIP, PACKER, self.bank)
    }

    #[inline(always)]
    const fn shared(&self, field: PackField) -> u32 {
        field.get(Self::CHIP, self.bank)
    }

    fn plan(&self, rows: &mut Rows) -> Option<Plan> {
        if self.is_not_said() {
            return None;
        }
        let Planner { order, small, .. } = *self;
        let adc = order.adc(PACKER, small);
        let number = order.number(adc, small)?;
        let channels = &small.adcs[adc].packers;
        let [in_format, out_format] = [In_data_format, Out_data_format].map(|field| self.own(field));
        let kept = match self.own(Downsample_mask) {
            0 => 0xffff,
            mask => mask,
        };
        let interfaces = order.interfaces.count_ones();
        let of_one = number / 16 * kept.count_ones() + (kept & ((1 << (number % 16)) - 1)).count_ones();
        let packed = (interfaces * of_one) as usize;

        let (source, kind) = if order.zero_write || order.flush {
            (Source::Null, Kind::of_input(in_format))
        } else {
            self.source(&channels[0], in_format, out_format, number)?
        };
        if let Source::Dst(FromDst { address, .. }) = source {
            let is_masked = if BLACKHOLE {
                rows.of_interfaces(address, number, order.interfaces, &small.packers[0], &self.edge())?
            } else {
                rows.of_run(address, number, &small.packers[PACKER], &self.edge())?
            };
            // Infinity that the type has not.
            if is_masked && self.shared(PCK_EDGE_MODE_mode) != 0 && !kind.is_some_and(Kind::is_wide) {
                return None;
            }
        } else {
            rows.of_none(&small.packers[PACKER]);
            if BLACKHOLE {
                rows.advance_by_interfaces(order.interfaces.count_ones(), self.reads_per_plane())?;
            }
        }
        let late = kind.and_then(|kind| Late::new(kind, out_format));
        let is_shared = is_shared(out_format);
        if packed > 0 && (late.is_none() || is_shared && of_one % 16 != 0) {
            return None;
        }
        Some(Plan {
            packer: PACKER,
            adc,
            source,
            data: (interfaces * number) as usize,
            kept,
            packed,
            kind,
            late,
            in_format,
            bits: datum_bits(out_format),
            is_shared,
            streams: self.streams(&channels[1], out_format),
        })
    }

    /// Whether something is set that no page says what it does.
    fn is_not_said(&self) -> bool {
        let own = |field| self.own(field);
        let overridden = self.shared(THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) != 0;
        let is_uncompressed = match (overridden, BLACKHOLE) {
            (false, _) => own(Disable_zero_compress) != 0,
            (true, true) => false,
            (true, false) => (THCON_SEC0_REG1_All_pack_disable_zero_compress.get(self.bank) >> PACKER) & 1 != 0,
        };
        let of_packer =
            [Pack_L1_Acc, Dis_shared_exp_assembler, Force_pack_per_max_xy_plane, Read_mode, Downsample_rate];
        let of_all = [
            ALU_ROUNDING_MODE_Packer_srnd_en,
            ALU_ROUNDING_MODE_Gasket_srnd_en,
            ALU_ROUNDING_MODE_GS_LF,
            ALU_ROUNDING_MODE_Bfp8_HF,
        ];
        let of_blackhole = || {
            let transposed = PACK_COUNTERS_SEC_pack_yz_transposed[0];
            OF_BLACKHOLE.iter().fold(0, |all, field| all | field.get(self.bank))
                | own(Source_interface_selection)
                | self.shared(transposed)
        };
        let set = of_packer.into_iter().fold(0, |all, field| all | own(field))
            | of_all.into_iter().fold(0, |all, field| all | self.shared(field))
            | if BLACKHOLE { of_blackhole() } else { 0 }
            // Addresses that count from that of packer 0 are beyond any limit.
            | if self.is_relative() { pack_fifo_size(Self::CHIP, PACKER).get(self.bank) } else { 0 };
        !is_uncompressed || set != 0
    }

    /// `L1_Dest_addr` behind a header.
    fn own_address(&self, packer: usize) -> u32 {
        let has_no_header = Sub_l1_tile_header_size.get(Self::CHIP, packer, self.bank) == 0;
        L1_Dest_addr.get(Self::CHIP, packer, self.bank).wrapping_add(u32::from(has_no_header))
    }

    /// Whether addresses of the other packers count from that of packer 0.
    fn is_relative(&self) -> bool {
        self.own_address(0) >> 31 != 0
    }

    /// Where a packer begins.
    fn initial_address(&self, packer: usize) -> u32 {
        let from = if packer != 0 && self.is_relative() { self.own_address(0) } else { 0 };
        self.own_address(packer).wrapping_add(from)
    }

    /// Where data come from, and what they are, if any of them may be fetched.
    fn source(
        &self,
        channel: &AdcChannel,
        in_format: u32,
        out_format: u32,
        number: u32,
    ) -> Option<(Source, Option<Kind>)> {
        if number == 0 {
            return (!BLACKHOLE).then_some((Source::Null, None));
        }
        let (bytes, mask) = match in_format & 3 {
            0 => (4, 3),
            1 => (2, 7),
            _ => (1, 15),
        };
        let AdcChannel { x, y, z, w, .. } = *channel;
        let address = self
            .shared(PCK0_ADDR_BASE_REG_0_Base)
            .wrapping_add(x.wrapping_mul(self.shared(PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 15))
            .wrapping_add(y.wrapping_mul(self.shared(PCK0_ADDR_CTRL_XY_REG_0_Ystride)))
            .wrapping_add(z.wrapping_mul(self.shared(PCK0_ADDR_CTRL_ZW_REG_0_Zstride)))
            .wrapping_add(w.wrapping_mul(self.shared(PCK0_ADDR_CTRL_ZW_REG_0_Wstride)));
        if !BLACKHOLE && PACKER == 0 && self.own(Source_interface_selection) != 0 {
            let address = (self.own(L1_source_addr) << 18).wrapping_add(address & 0x3_ffff);
            let address = (address & !15).wrapping_add(bytes * (x & mask)) & 0x1f_ffff;
            // No page has TF32 in L1 as a source.
            let kind = if in_format == format::TF32 { None } else { Kind::of_input(in_format) };
            return kind.map(|_| (Source::L1 { address, bytes: bytes as usize }, kind));
        }
        let offset = self.small.dest_target_reg_cfg_pack_sec[PACKER] & 0xfff;
        let address = ((address / bytes) & !mask).wrapping_add(x & mask).wrapping_add(offset << 4) & 0x3fff;
        let settings = self.settings(in_format, out_format);
        let (decode, early, kind) = settings.early().filter(|(_, _, kind)| kind.is_named(in_format))?;
        let relu = Relu::new(self.shared(STACC_RELU_ApplyRelu), self.shared(STACC_RELU_ReluThreshold), kind)?;
        let has_threshold = self.own(Exp_threshold_en) != 0 && kind.is_float();
        let threshold = if has_threshold { self.own(Exp_threshold) } else { 0 };
        // Infinity of what has none is refused elsewhere.
        let masked = if self.shared(PCK_EDGE_MODE_mode) != 0 { 0xff80_0000 } else { 0 };
        Some((Source::Dst(FromDst { address, decode, early, masked, relu, threshold }), Some(kind)))
    }

    /// What chooses the early conversion.
    fn settings(&self, in_format: u32, out_format: u32) -> Settings {
        let is_set = |field| self.shared(field) != 0;
        let shift = if !is_set(INT_DESCALE_Enable) {
            Some(0)
        } else if !is_set(INT_DESCALE_Mode) {
            Some(self.small.int_descale_values_sec[0])
        } else {
            None
        };
        let overrides = config::ALU_FORMAT_SPEC_REG_Dstacc_override.get(self.bank) != 0;
        let format =
            if overrides { config::ALU_FORMAT_SPEC_REG_Dstacc_val } else { config::ALU_FORMAT_SPEC_REG2_Dstacc };
        Settings {
            read_32b: is_set(PCK_DEST_RD_CTRL_Read_32b_data),
            raw: is_set(PCK_DEST_RD_CTRL_Read_int8),
            round_10b: is_set(PCK_DEST_RD_CTRL_Round_10b_mant),
            unsigned: is_set(PCK_DEST_RD_CTRL_Read_unsigned),
            format: format.get(self.bank),
            late: [in_format, out_format],
            shift,
        }
    }

    fn reads_per_plane(&self) -> u32 {
        self.shared(PACK_COUNTERS_SEC_pack_reads_per_xy_plane[PACKER])
    }

    fn edge(&self) -> Edge {
        let select = |field| (self.shared(field) >> (2 * PACKER)) as usize & 3;
        let faces = (self.shared(PCK_EDGE_TILE_FACE_SET_SELECT_enable) != 0)
            .then(|| self.shared(TILE_FACE_SET_MAPPING[select(PCK_EDGE_TILE_FACE_SET_SELECT_select)]));
        Edge {
            faces,
            z_offset: (self.small.dest_target_reg_cfg_pack_sec[PACKER] >> 12) & 63,
            set: select(PCK_EDGE_TILE_ROW_SET_SELECT_select),
            rows: TILE_ROW_SET_MAPPING.map(|field| self.shared(field)),
            masks: PCK_EDGE_OFFSET_SEC_mask.map(|field| self.shared(field)),
            reads_per_plane: self.reads_per_plane(),
            transposed: self.shared(PACK_COUNTERS_SEC_pack_yz_transposed[PACKER]) != 0,
        }
    }

    /// The streams, with new addresses where they need them.
    fn streams(&self, channel: &AdcChannel, out_format: u32) -> [PackerStream; 2] {
        let AdcChannel { y, z, w, .. } = *channel;
        let yzw = self
            .shared(PCK0_ADDR_BASE_REG_1_Base)
            .wrapping_add(y.wrapping_mul(self.shared(PCK0_ADDR_CTRL_XY_REG_1_Ystride)))
            .wrapping_add(z.wrapping_mul(self.shared(PCK0_ADDR_CTRL_ZW_REG_1_Zstride)))
            .wrapping_add(w.wrapping_mul(self.shared(PCK0_ADDR_CTRL_ZW_REG_1_Wstride)));
        let packer = &self.small.packers[PACKER];
        let offset = if self.own(Add_l1_dest_addr_offset) != 0 { packer.l1_dest_addr_offset } else { 0 };
        let mut address = self
            .initial_address(PACKER)
            .wrapping_add(if BLACKHOLE { yzw >> 4 } else { yzw & !15 })
            .wrapping_add(offset);
        if address > pack_limit_address(Self::CHIP, PACKER).get(self.bank) * 2 + 1 {
            address = address.wrapping_sub(pack_fifo_size(Self::CHIP, PACKER).get(self.bank) * 2);
        }
        let mut streams = packer.streams;
        if out_format & 2 != 0 {
            go_on_at(&mut streams[EXPONENTS], address);
            address = address.wrapping_add(self.own(Exp_section_size));
        }
        go_on_at(&mut streams[DATA], address);
        if self.order.ends {
            streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
        }
        streams
    }
}

/// Gives a stream a new address, if it needs one.
const fn go_on_at(stream: &mut PackerStream, address: u32) {
    if stream.needs_new_address != 0 {
        stream.byte_address = (address & 0x1_ffff) << 4;
        stream.needs_new_address = 0;
    }
}
