//! The Tensix coprocessor state: banks, small state, and their typed view.
//!
//! *Source*: pages Dst (`DstBits`, `DstRowValid`), SrcASrcB, LReg, RWCs, BackendConfiguration, VectorUnit (flags, their stack,
//! the PRNG), SFPCONFIG, SFPLOADMACRO (`LoadMacroConfig`), SyncUnit, STREAMWAIT, ADCs, UNPACR_Regular (`ContextCounter`), L1,
//! Packers (OutputAddressGenerator, EdgeMasking, ExponentHistogram).

use std::cell::Cell;
use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::config::{CONFIG_WORDS, THREAD_CONFIG_WORDS, blackhole, pack};
use super::{Chip, fields};
use crate::{Bank, BankRole, Citation, Field, HeldRow, Holds, Layout, LoggedBank, RowNames, State, Tracker, WordSize};

/// The banks, as they lie in the arena.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Banks {
    /// `DstBits[row 0..1024][column 0..16]`, 16 bits each.
    pub dst: [[u16; 16]; 1024],
    /// `SrcA[bank 0..2][row 0..64][column 0..16]`, 19 bits each: `Sign,Man(10b),Exp(8b)`.
    pub srca: [[[u32; 16]; 64]; 2],
    /// `SrcB[bank 0..2][row 0..64][column 0..16]`, 19 bits each.
    pub srcb: [[[u32; 16]; 64]; 2],
    /// `LReg[register 0..17][lane 0..32]`, 32 bits each.
    pub lreg: [[u32; 32]; 17],
    /// `DstRowValid[row 0..1024]`: 1 for valid.
    pub dst_row_valid: [u8; 1024],
    /// `GPRs[thread 0..3][register 0..64]`, 32 bits each, in rows of four.
    pub gprs: [[[u32; 4]; 16]; 3],
    /// The state of the PRNG of each lane, 32 bits each: one row.
    pub prng: [[u32; 32]; 1],
    /// `LoadMacroConfig[lane 0..8]`: `InstructionTemplate[0..4]`, then `Sequence[0..4]`, a row each; lane *n* has those of
    /// *n* & 7.
    pub load_macro_config: [[[u32; 8]; 4]; 2],
    /// What the registers `STREAM_CURR_PHASE` and `STREAM_NUM_MSGS_RECEIVED` of each stream of the NoC Overlay say, 20 bits
    /// each; no instruction of Wormhole reads them.
    pub noc_streams: [[u32; 2]; 64],
    /// `L1Windows[window 0..64][row 0..16]`: what L1 holds in the pages that [`Small::l1_pages`] names, in rows of 16 bytes, each
    /// four words, the lowest address first.
    pub l1: [[[u32; 4]; L1_PAGE_ROWS]; L1_WINDOWS],
    /// `PackerStats[packer 0..4]`: `ExponentHistogram[0..32]`, then `ExponentHistogramMaxExponent`, 8 bits each, then bytes
    /// that nothing uses. Blackhole has the first packer alone, and no instruction of it reads the others.
    pub packer_stats: [[u8; PACKER_STATS]; PACKERS],
}

/// How many packers a state has. Blackhole has the first one.
pub const PACKERS: usize = 4;
/// What a packer counts: 32 numbers of exponents, and the largest exponent.
pub const PACKER_COUNTS: usize = 33;
/// Bytes of a row of them. Nothing uses the others, by which the banks end where their last word does.
pub const PACKER_STATS: usize = 48;
/// The stream of exponents in [`Packer::streams`].
pub const EXPONENTS: usize = 0;
/// That of data.
pub const DATA: usize = 1;

/// Where a stream of a packer goes on: its `ByteAddress`, whether it needs a new one, and what waits for its 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackerStream {
    /// 21 bits; a multiple of 16.
    pub byte_address: u32,
    /// 1 bit.
    pub needs_new_address: u32,
    /// How many bytes wait, `0..16`.
    pub filled: u32,
    /// They, as L1 has them, and zeros behind them.
    pub buffer: [u32; 4],
}

/// What a packer keeps from one instruction to the next, beside its banks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Packer {
    /// `ExponentStream` and `DataStream`, in this order.
    pub streams: [PackerStream; 2],
    /// `TilePositionGenerator.X`, 4 bits; zero on Blackhole.
    pub x: u32,
    /// `TilePositionGenerator.Y`, 8 bits; on Blackhole `TilePosition`.
    pub y: u32,
    /// `TilePositionGenerator.Z`, 8 bits.
    pub z: u32,
    /// `l1_dest_addr_offset`, 16 bits.
    pub l1_dest_addr_offset: u32,
}

/// A word of the memory-mapped registers of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct MmioWord {
    /// Its address, as `LOADREG` has it: without `0xFFB00000`, divided by 4. 18 bits.
    pub addr_lo: u32,
    /// What it holds.
    pub word: u32,
}

/// How many words of memory-mapped registers a state has.
pub const MMIO_WORDS: usize = 8;
/// Which they are where nobody says so, without `0xFFB00000` and divided by 4: the first ones, some of the first stream, and the last
/// ones.
pub const MMIO_BASES: [u32; MMIO_WORDS] = [0x4400, 0x4401, 0x4402, 0x4403, 0x1_0000, 0x1_0001, 0x3_fffe, 0x3_ffff];
/// How many windows a state has on L1, a page of 256 bytes each.
pub const L1_WINDOWS: usize = 64;
/// Rows of 16 bytes of a page of L1.
pub const L1_PAGE_ROWS: usize = 16;

/// The numbers of the banks in [`Layout::banks`].
pub mod bank {
    /// `DstBits`.
    pub const DST: usize = 0;
    /// `SrcA`.
    pub const SRCA: usize = 1;
    /// `SrcB`.
    pub const SRCB: usize = 2;
    /// `LReg`.
    pub const LREG: usize = 3;
    /// `DstRowValid`.
    pub const DST_ROW_VALID: usize = 4;
    /// `GPRs`.
    pub const GPRS: usize = 5;
    /// The states of the PRNG.
    pub const PRNG: usize = 6;
    /// The templates and sequences of `LoadMacroConfig`.
    pub const LOAD_MACRO_CONFIG: usize = 7;
    /// The registers of streams of the NoC Overlay.
    pub const NOC_STREAMS: usize = 8;
    /// The windows on L1.
    pub const L1: usize = 9;
    /// What packers count.
    pub const PACKER_STATS: usize = 10;
}

/// The banks as the log knows them.
mod logged {
    use super::{BANKS, LoggedBank, bank};

    pub(super) const DST: LoggedBank = LoggedBank::new(BANKS, bank::DST);
    pub(super) const SRCA: LoggedBank = LoggedBank::new(BANKS, bank::SRCA);
    pub(super) const SRCB: LoggedBank = LoggedBank::new(BANKS, bank::SRCB);
    pub(super) const LREG: LoggedBank = LoggedBank::new(BANKS, bank::LREG);
    pub(super) const DST_ROW_VALID: LoggedBank = LoggedBank::new(BANKS, bank::DST_ROW_VALID);
    pub(super) const GPRS: LoggedBank = LoggedBank::new(BANKS, bank::GPRS);
    pub(super) const PRNG: LoggedBank = LoggedBank::new(BANKS, bank::PRNG);
    pub(super) const LOAD_MACRO_CONFIG: LoggedBank = LoggedBank::new(BANKS, bank::LOAD_MACRO_CONFIG);
    pub(super) const NOC_STREAMS: LoggedBank = LoggedBank::new(BANKS, bank::NOC_STREAMS);
    pub(super) const L1: LoggedBank = LoggedBank::new(BANKS, bank::L1);
    pub(super) const PACKER_STATS: LoggedBank = LoggedBank::new(BANKS, bank::PACKER_STATS);
}

/// `AllowedClient` of a bank that the Matrix Unit may use.
pub const MATRIX_UNIT: u32 = 0;
/// `AllowedClient` of a bank that the Unpackers may use.
pub const UNPACKERS: u32 = 1;

/// One thread's RWCs. Each counter has the width that the page gives it; the bits above are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Rwc {
    /// 10 bits.
    pub dst: u32,
    /// 10 bits.
    pub dst_cr: u32,
    /// 6 bits.
    pub srca: u32,
    /// 6 bits.
    pub srca_cr: u32,
    /// 6 bits.
    pub srcb: u32,
    /// 6 bits.
    pub srcb_cr: u32,
    /// 2 bits.
    pub fidelity_phase: u32,
    /// 1 bit.
    pub extra_addr_mod_bit: u32,
}

/// One channel of an ADC: its counters, each with the width that the page gives it; the bits above are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct AdcChannel {
    /// 18 bits.
    pub x: u32,
    /// 18 bits.
    pub x_cr: u32,
    /// 13 bits.
    pub y: u32,
    /// 13 bits.
    pub y_cr: u32,
    /// 8 bits, on Blackhole 13.
    pub z: u32,
    /// Likewise.
    pub z_cr: u32,
    /// Likewise.
    pub w: u32,
    /// Likewise.
    pub w_cr: u32,
}

/// One thread's ADCs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Adcs {
    /// `Unpacker[0..2].Channel[0..2]`.
    pub unpacker: [[AdcChannel; 2]; 2],
    /// `Packers.Channel[0..2]`.
    pub packers: [AdcChannel; 2],
}

/// One of the eight semaphores: both members are four bits wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Semaphore {
    /// Current value.
    pub value: u32,
    /// Maximum.
    pub max: u32,
}

/// What the Wait Gate of a thread keeps of a wait instruction. Without one, and once it is forgotten, all is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Latched {
    /// One of [`Latched::NONE`], [`Latched::STALLWAIT`], [`Latched::SEMWAIT`] and, on Blackhole, [`Latched::STREAMWAIT`].
    pub opcode: u32,
    /// 15 bits, on Blackhole 13; of `SEMWAIT` the lowest two, and of `STREAMWAIT` one of these.
    pub condition_mask: u32,
    /// 9 bits.
    pub block_mask: u32,
    /// 8 bits; of `STALLWAIT` and `STREAMWAIT` zero.
    pub semaphore_mask: u32,
    /// 20 bits; of others than `STREAMWAIT` zero.
    pub target_value: u32,
    /// 2 bits; of others than `STREAMWAIT` zero.
    pub stream_select: u32,
}

impl Latched {
    /// No instruction.
    pub const NONE: u32 = 0;
    /// A `STALLWAIT`.
    pub const STALLWAIT: u32 = 1;
    /// A `SEMWAIT`.
    pub const SEMWAIT: u32 = 2;
    /// A `STREAMWAIT`: a bit of its own, which is a field beside that of the others.
    pub const STREAMWAIT: u32 = 4;
}

/// The stacks of flags of all lanes, entry by entry from the bottom: a mask of lanes for each member, bit = lane.
///
/// A lane whose stack has `n` entries has its bit of `occupied` in the first `n` entries, and clear in those above; there its
/// other bits are clear too. Anything else is no stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FlagStack {
    /// Lanes whose stack reaches the entry.
    pub occupied: [u32; 8],
    /// Lanes whose entry has `LaneFlags`.
    pub lane_flags: [u32; 8],
    /// Lanes whose entry has `UseLaneFlagsForLaneEnable`.
    pub use_lane_flags_for_lane_enable: [u32; 8],
}

/// The small state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Small {
    /// `CurrentThread`, `0..3`.
    pub current_thread: u32,
    /// `MatrixUnit.SrcABank`.
    pub matrix_unit_srca_bank: u32,
    /// `MatrixUnit.SrcBBank`.
    pub matrix_unit_srcb_bank: u32,
    /// `Unpackers[0..2].SrcBank`.
    pub unpackers_src_bank: [u32; 2],
    /// `SrcA[0..2].AllowedClient`: [`MATRIX_UNIT`] or [`UNPACKERS`].
    pub srca_allowed_client: [u32; 2],
    /// `SrcB[0..2].AllowedClient`.
    pub srcb_allowed_client: [u32; 2],
    /// Lanes whose `LaneFlags` are set, bit = lane.
    pub lane_flags: u32,
    /// Lanes whose `UseLaneFlagsForLaneEnable` is set, bit = lane.
    pub use_lane_flags_for_lane_enable: u32,
    /// `RWCs[thread]`.
    pub rwcs: [Rwc; 3],
    /// `LaneConfig[0..8]`, 18 bits each; lane *n* has the configuration *n* & 7.
    pub lane_config: [u32; 8],
    /// `Semaphores[0..8]`.
    pub semaphores: [Semaphore; 8],
    /// `Config[StateID]`.
    pub config: [[u32; CONFIG_WORDS]; 2],
    /// `ThreadConfig[thread]`. Wormhole has the first [`config::THREAD_CONFIG_SIZE`](super::config::THREAD_CONFIG_SIZE) words.
    pub thread_config: [[u16; THREAD_CONFIG_WORDS]; 3],
    /// `RWCs[thread].Sp`, 10 bits: Blackhole only, and zero on Wormhole.
    pub sp: [u32; 3],
    /// `Config.DEST_ACCESS_CFG_…`, one word for both banks of `Config`: Blackhole only, and zero on Wormhole.
    pub dest_access_cfg: u32,
    /// `ImpliedSrcAFmt[bank]`, 4 bits: Blackhole only, and zero on Wormhole.
    pub implied_srca_fmt: [u32; 2],
    /// `ImpliedSrcBFmt[bank]`, likewise.
    pub implied_srcb_fmt: [u32; 2],
    /// What the core of the current thread loads from the window on `Dst`, or stores there: a register of 32 bits, or all
    /// four words of one of 128 bits. Blackhole only, and zero on Wormhole.
    pub risc_data: [u32; 4],
    /// `Unpackers[0..2].SrcRow[thread 0..3]`, 6 bits.
    pub unpackers_src_row: [[u32; 3]; 2],
    /// `WaitGate[thread].LatchedWaitInstruction`.
    pub latched: [Latched; 3],
    /// `HardwareBug()` of page SHIFTXA, 6 bits: the row of `SrcA` at which an earlier instruction began.
    pub hardware_bug: u32,
    /// `FlagStack[lane]`, for all lanes.
    pub flag_stack: FlagStack,
    /// `LoadMacroConfig[lane 0..8].Misc`, 12 bits each; lane *n* has that of *n* & 7.
    pub load_macro_misc: [u32; 8],
    /// `Mutex[0..8].HeldBy`: 0 nobody, 1 to 3 thread 0 to 2. What the chip has no mutex for stays 0.
    pub mutex_held_by: [u8; 8],
    /// `Config.SCRATCH_SEC[0..3].val`, one word for both banks of `Config`: Blackhole only, and zero on Wormhole.
    pub scratch_sec: [u32; 3],
    /// `ADCs[thread]`.
    pub adcs: [Adcs; 3],
    /// `Unpackers[0..2].ContextCounter[thread 0..3]`, 3 bits.
    pub unpackers_context_counter: [[u32; 3]; 2],
    /// Which page of L1 each window shows, by its number: the address of its first byte, divided by 256. The rest of L1 is in no
    /// state. Where several show one page, the first counts.
    pub l1_pages: [u16; L1_WINDOWS],
    /// `Mmio[0..8]`: words of memory-mapped registers. The others are in no state. Where several are of one address, the first
    /// counts.
    pub mmio: [MmioWord; MMIO_WORDS],
    /// `Config.DEST_TARGET_REG_CFG_PACK_SEC[0..4]`, one word for both banks of `Config`.
    pub dest_target_reg_cfg_pack_sec: [u32; PACKERS],
    /// `Config.INT_DESCALE_VALUES_SEC[0..16].Value`, likewise.
    pub int_descale_values_sec: [u32; 16],
    /// `Packers[0..4]`. Blackhole has the first one, and the others are zero there.
    pub packers: [Packer; PACKERS],
    padding: [u32; PADDING],
}

const PADDING: usize = 11;
/// The words of `SCRATCH_SEC`, and behind them.
const SCRATCH_SEC: usize = blackhole::SCRATCH_SEC0_val.addr32;
const SCRATCH_END: usize = SCRATCH_SEC + 3;

impl Small {
    /// The byte of the small state at which word `index` of `Config[state_id]` lies, if it is in the state. Both banks share the
    /// words that have one value for both.
    pub(super) const fn config_offset(chip: Chip, state_id: usize, index: usize) -> Option<usize> {
        let (array, place) = match (chip, index) {
            _ if index < chip.global_cfgreg_base() => (offset_of!(Small, config), state_id * CONFIG_WORDS + index),
            (Chip::Blackhole, blackhole::DEST_ACCESS_CFG) => (offset_of!(Small, dest_access_cfg), 0),
            (Chip::Blackhole, SCRATCH_SEC..SCRATCH_END) => (offset_of!(Small, scratch_sec), index - SCRATCH_SEC),
            _ => {
                let target = index.wrapping_sub(pack::dest_target_reg_cfg_pack_sec(chip));
                let value = index.wrapping_sub(pack::int_descale_values_sec(chip));
                match (target, value) {
                    (0..PACKERS, _) => (offset_of!(Small, dest_target_reg_cfg_pack_sec), target),
                    (_, 0..16) => (offset_of!(Small, int_descale_values_sec), value),
                    _ => return None,
                }
            }
        };
        Some(array + 4 * place)
    }

    /// Word `index` of `Config[state_id]`, if it is in the state.
    #[must_use]
    pub fn config_word(&self, chip: Chip, state_id: usize, index: usize) -> Option<&u32> {
        let offset = Self::config_offset(chip, state_id, index)?;
        Some(&bytemuck::cast_slice::<_, u32>(bytemuck::bytes_of(self))[offset / 4])
    }

    /// The window that shows a row of L1, by its number (the address divided by 16), and the row's number there.
    #[must_use]
    #[inline]
    pub fn l1_place(&self, row: usize) -> Option<(usize, usize)> {
        let page = u16::try_from(row / L1_PAGE_ROWS).ok()?;
        Some((self.l1_pages.iter().position(|&shown| shown == page)?, row % L1_PAGE_ROWS))
    }

    /// The word of the memory-mapped registers that has an address (without `0xFFB00000`, divided by 4), if it is in the state.
    #[must_use]
    pub fn mmio_word_mut(&mut self, addr_lo: u32) -> Option<&mut u32> {
        self.mmio.iter_mut().find(|one| one.addr_lo == addr_lo).map(|one| &mut one.word)
    }

    /// The same, to write.
    #[must_use]
    pub fn config_word_mut(&mut self, chip: Chip, state_id: usize, index: usize) -> Option<&mut u32> {
        let offset = Self::config_offset(chip, state_id, index)?;
        Some(&mut bytemuck::cast_slice_mut::<_, u32>(bytemuck::bytes_of_mut(self))[offset / 4])
    }
}

/// The registers of which page LReg says what they hold: 8, 9, 10 and 15 are constants, and 11 to 14 are written by
/// `SFPCONFIG` alone, which gives eight lanes to all. The bits of 0.8373 are those of the nearest FP32.
const HELD_REGISTERS: &[HeldRow] = &[
    HeldRow { row: 8, holds: Holds::Constant { first: 0x3f56_594b, step: 0 } },
    HeldRow { row: 9, holds: Holds::Constant { first: 0, step: 0 } },
    HeldRow { row: 10, holds: Holds::Constant { first: 0x3f80_0000, step: 0 } },
    HeldRow { row: 11, holds: Holds::Period(8) },
    HeldRow { row: 12, holds: Holds::Period(8) },
    HeldRow { row: 13, holds: Holds::Period(8) },
    HeldRow { row: 14, holds: Holds::Period(8) },
    HeldRow { row: 15, holds: Holds::Constant { first: 0, step: 2 } },
];

/// How software names rows of `DstBits`, with 16 rows to a face, four faces to a tile and two halves, where no address is
/// remapped. A datum of 32 bits lies in two rows, eight apart, so that a tile of them has twice as many.
const DST_ROW_NAMES: &[RowNames] = &[
    RowNames {
        of: "data of 16 bits",
        parts: &[("half", &[9]), ("tile", &[6, 7, 8, 9]), ("face", &[4, 5]), ("row", &[0, 1, 2, 3])],
    },
    RowNames {
        of: "data of 32 bits",
        parts: &[("half", &[9]), ("tile", &[7, 8, 9]), ("face", &[5, 6]), ("row", &[0, 1, 2, 4]), ("low part", &[3])],
    },
];

/// Data in words of 32 bits, of which nothing is known beforehand.
const fn data(
    name: &'static str,
    dims: &'static [usize],
    dim_names: &'static [&'static str],
    offset: usize,
    first_row: usize,
) -> Bank {
    let (word, role) = (WordSize::U32, BankRole::Data);
    Bank { name, dims, dim_names, word, bits: 32, role, base: 0, held: &[], row_names: &[], offset, first_row }
}

/// How the sources count.
const OF_SOURCE: &[&str] = &["bank", "row", "column"];

const BANKS: &[Bank] = &[
    Bank {
        word: WordSize::U16,
        bits: 16,
        row_names: DST_ROW_NAMES,
        ..data("DstBits", &[1024, 16], &["row", "column"], offset_of!(Banks, dst), 0)
    },
    Bank { bits: 19, ..data("SrcA", &[2, 64, 16], OF_SOURCE, offset_of!(Banks, srca), 1024) },
    Bank { bits: 19, ..data("SrcB", &[2, 64, 16], OF_SOURCE, offset_of!(Banks, srcb), 1152) },
    Bank { held: HELD_REGISTERS, ..data("LReg", &[17, 32], &["register", "lane"], offset_of!(Banks, lreg), 1280) },
    Bank {
        word: WordSize::U8,
        bits: 1,
        role: BankRole::Validity,
        base: 1,
        ..data("DstRowValid", &[1024, 1], &["row", "valid"], offset_of!(Banks, dst_row_valid), 1344)
    },
    data("GPRs", &[3, 16, 4], &["thread", "register / 4", "register % 4"], offset_of!(Banks, gprs), 2368),
    data("PRNG", &[1, 32], &["state", "lane"], offset_of!(Banks, prng), 2432),
    data(
        "LoadMacroConfig",
        &[2, 4, 8],
        &["InstructionTemplate, then Sequence", "macro", "lane % 8"],
        offset_of!(Banks, load_macro_config),
        2496,
    ),
    Bank {
        bits: 20,
        ..data(
            "NocStreams",
            &[64, 2],
            &["stream", "STREAM_CURR_PHASE, then STREAM_NUM_MSGS_RECEIVED"],
            offset_of!(Banks, noc_streams),
            2560,
        )
    },
    data("L1Windows", &[L1_WINDOWS, L1_PAGE_ROWS, 4], &["window", "row", "word"], offset_of!(Banks, l1), 2624),
    Bank {
        word: WordSize::U8,
        bits: 8,
        ..data(
            "PackerStats",
            &[PACKERS, PACKER_STATS],
            &["packer", "ExponentHistogram, then ExponentHistogramMaxExponent, then nothing"],
            offset_of!(Banks, packer_stats),
            3648,
        )
    },
];

/// The layout of Wormhole.
pub(super) static WORMHOLE_LAYOUT: Layout = layout(|| &fields::WORMHOLE);
/// The layout of Blackhole: the same storage, with other fields of configuration.
pub(super) static BLACKHOLE_LAYOUT: Layout = layout(|| &fields::BLACKHOLE);

const fn layout(fields: fn() -> &'static [Field]) -> Layout {
    Layout {
        banks: BANKS,
        arena_bytes: size_of::<Banks>(),
        small_bytes: size_of::<Small>(),
        fields,
        settings: Some(bank::LOAD_MACRO_CONFIG),
    }
}

/// The typed view of a state. Every access to a bank marks the log.
pub struct Tensix<'a> {
    /// The small state.
    pub small: &'a mut Small,
    banks: &'a mut Banks,
    tracker: &'a mut Tracker,
}

impl<'a> Tensix<'a> {
    /// The typed view of a state of this family.
    #[inline]
    pub fn new(state: &'a mut State) -> Self {
        Tensix {
            small: state.small.view_mut::<Small, { size_of::<Small>() / 64 }>(),
            banks: state.arena.view_mut::<Banks, { size_of::<Banks>() / 64 }>(),
            tracker: &mut state.tracker,
        }
    }

    /// Reads the datum `SrcA[bank][row][column]` (19 bits).
    #[inline]
    pub fn srca(&mut self, bank: usize, row: usize, column: usize) -> u32 {
        self.srca_row(bank, row)[column]
    }

    /// Reads the row `SrcA[bank][row]`.
    #[inline]
    pub fn srca_row(&mut self, bank: usize, row: usize) -> &[u32; 16] {
        read(self.tracker, (logged::SRCA, bank * 64 + row), &mut self.banks.srca[bank][row])
    }

    /// The row `SrcA[bank][row]`, to write. What is not written keeps its value.
    #[inline]
    pub fn srca_row_mut(&mut self, bank: usize, row: usize) -> &mut [u32; 16] {
        self.tracker.write(logged::SRCA, bank * 64 + row);
        &mut self.banks.srca[bank][row]
    }

    /// Reads the row `SrcB[bank][row]`.
    #[inline]
    pub fn srcb_row(&mut self, bank: usize, row: usize) -> &[u32; 16] {
        read(self.tracker, (logged::SRCB, bank * 64 + row), &mut self.banks.srcb[bank][row])
    }

    /// The row `SrcB[bank][row]`, to write. What is not written keeps its value.
    #[inline]
    pub fn srcb_row_mut(&mut self, bank: usize, row: usize) -> &mut [u32; 16] {
        self.tracker.write(logged::SRCB, bank * 64 + row);
        &mut self.banks.srcb[bank][row]
    }

    /// Reads the word `DstBits[row][column]`.
    #[inline]
    pub fn dst_bits(&mut self, row: usize, column: usize) -> u16 {
        self.dst_row(row)[column]
    }

    /// Reads the row `DstBits[row]`.
    #[inline]
    pub fn dst_row(&mut self, row: usize) -> &[u16; 16] {
        read(self.tracker, (logged::DST, row), &mut self.banks.dst[row])
    }

    /// Writes the word `DstBits[row][column]`.
    #[inline]
    pub fn set_dst_bits(&mut self, row: usize, column: usize, value: u16) {
        self.dst_row_mut(row)[column] = value;
    }

    /// The row `DstBits[row]`, to write. What is not written keeps its value.
    #[inline]
    pub fn dst_row_mut(&mut self, row: usize) -> &mut [u16; 16] {
        self.tracker.write(logged::DST, row);
        &mut self.banks.dst[row]
    }

    /// Reads `DstRowValid[row]`.
    #[inline]
    pub fn dst_row_valid(&mut self, row: usize) -> bool {
        *read(self.tracker, (logged::DST_ROW_VALID, row), &mut self.banks.dst_row_valid[row]) != 0
    }

    /// Writes `DstRowValid[row]`.
    #[inline]
    pub fn set_dst_row_valid(&mut self, row: usize, valid: bool) {
        self.tracker.write(logged::DST_ROW_VALID, row);
        self.banks.dst_row_valid[row] = u8::from(valid);
    }

    /// Leaves bits of the word `LReg[register][lane]` open, which was written: the pages promise the others.
    pub fn leave_lreg_open(&mut self, register: usize, lane: usize, mask: u32, citation: &'static Citation) {
        self.tracker.leave_open(logged::LREG, (register, lane), mask, citation);
    }

    /// Leaves all data of `SrcA[bank]` open, whatever they are.
    pub fn leave_srca_open(&mut self, bank: usize, citation: &'static Citation) {
        for row in bank * 64..(bank + 1) * 64 {
            self.tracker.write(logged::SRCA, row);
            (0..16).for_each(|column| self.tracker.leave_open(logged::SRCA, (row, column), 0x7_ffff, citation));
        }
    }

    /// Leaves the word `InstructionTemplate[template]` of a lane of `LoadMacroConfig` open, whatever it is.
    pub fn leave_template_open(&mut self, template: usize, lane: usize, citation: &'static Citation) {
        self.tracker.write(logged::LOAD_MACRO_CONFIG, template);
        self.tracker.leave_open(logged::LOAD_MACRO_CONFIG, (template, lane), u32::MAX, citation);
    }

    /// Leaves the states of the PRNG of all lanes open, whatever they are.
    pub fn leave_prng_open(&mut self, citation: &'static Citation) {
        self.tracker.write(logged::PRNG, 0);
        (0..32).for_each(|lane| self.tracker.leave_open(logged::PRNG, (0, lane), u32::MAX, citation));
    }

    /// Reads the word `LReg[register][lane]`.
    #[inline]
    pub fn lreg(&mut self, register: usize, lane: usize) -> u32 {
        self.lreg_row(register)[lane]
    }

    /// Reads the 32 lanes of `LReg[register]`.
    #[inline]
    pub fn lreg_row(&mut self, register: usize) -> &[u32; 32] {
        read(self.tracker, (logged::LREG, register), &mut self.banks.lreg[register])
    }

    /// Writes the word `LReg[register][lane]`.
    #[inline]
    pub fn set_lreg(&mut self, register: usize, lane: usize, value: u32) {
        self.lreg_row_mut(register)[lane] = value;
    }

    /// The 32 lanes of `LReg[register]`, to write. What is not written keeps its value.
    #[inline]
    pub fn lreg_row_mut(&mut self, register: usize) -> &mut [u32; 32] {
        self.tracker.write(logged::LREG, register);
        &mut self.banks.lreg[register]
    }

    /// Reads the four registers from `GPRs[thread][4 * group]` on, of which there are 16 groups.
    #[inline]
    pub fn gprs_row(&mut self, thread: usize, group: usize) -> &[u32; 4] {
        read(self.tracker, (logged::GPRS, thread * 16 + group), &mut self.banks.gprs[thread][group])
    }

    /// The four registers from `GPRs[thread][4 * group]` on, to write. What is not written keeps its value.
    #[inline]
    pub fn gprs_row_mut(&mut self, thread: usize, group: usize) -> &mut [u32; 4] {
        self.tracker.write(logged::GPRS, thread * 16 + group);
        &mut self.banks.gprs[thread][group]
    }

    /// Reads the states of the PRNG, one a lane.
    #[inline]
    pub fn prng(&mut self) -> &[u32; 32] {
        read(self.tracker, (logged::PRNG, 0), &mut self.banks.prng[0])
    }

    /// The states of the PRNG, to write. What is not written keeps its value.
    #[inline]
    pub fn prng_mut(&mut self) -> &mut [u32; 32] {
        self.tracker.write(logged::PRNG, 0);
        &mut self.banks.prng[0]
    }

    /// Reads row `row` of the templates (0 to 3) and sequences (4 to 7) of `LoadMacroConfig`: a word for each of eight lanes.
    #[inline]
    pub fn load_macro_row(&mut self, row: usize) -> &[u32; 8] {
        read(self.tracker, (logged::LOAD_MACRO_CONFIG, row), &mut self.banks.load_macro_config[row / 4][row % 4])
    }

    /// The same, to write. What is not written keeps its value.
    #[inline]
    pub fn load_macro_row_mut(&mut self, row: usize) -> &mut [u32; 8] {
        self.tracker.write(logged::LOAD_MACRO_CONFIG, row);
        &mut self.banks.load_macro_config[row / 4][row % 4]
    }

    /// Reads the registers of a stream (`0..64`) of the NoC Overlay: `STREAM_CURR_PHASE`, then `STREAM_NUM_MSGS_RECEIVED`.
    #[inline]
    pub fn noc_stream(&mut self, stream: usize) -> &[u32; 2] {
        read(self.tracker, (logged::NOC_STREAMS, stream), &mut self.banks.noc_streams[stream])
    }

    /// Reads the row of 16 bytes of L1 with this number (the address divided by 16), if a window shows it.
    #[inline]
    pub fn l1_row(&mut self, row: usize) -> Option<&[u32; 4]> {
        let (window, row) = self.small.l1_place(row)?;
        Some(read(self.tracker, (logged::L1, window * L1_PAGE_ROWS + row), &mut self.banks.l1[window][row]))
    }

    /// The same, to write. What is not written keeps its value.
    #[inline]
    pub fn l1_row_mut(&mut self, row: usize) -> Option<&mut [u32; 4]> {
        let (window, row) = self.small.l1_place(row)?;
        self.tracker.write(logged::L1, window * L1_PAGE_ROWS + row);
        Some(&mut self.banks.l1[window][row])
    }

    /// Reads `count` rows of one page of L1, from that with this number on, if a window shows them.
    ///
    /// # Panics
    /// If they lie in more than one page.
    #[inline]
    pub fn l1_rows(&mut self, row: usize, count: usize) -> Option<&[[u32; 4]]> {
        let (window, row) = self.small.l1_place(row)?;
        let words = &mut self.banks.l1[window][row..row + count];
        let first = window * L1_PAGE_ROWS + row;
        self.tracker.read_run(logged::L1, first, count, || bytemuck::cast_slice_mut(&mut *words));
        Some(words)
    }

    /// Reads what a packer counts.
    #[inline]
    pub fn packer_stats(&mut self, packer: usize) -> &[u8; PACKER_STATS] {
        read(self.tracker, (logged::PACKER_STATS, packer), &mut self.banks.packer_stats[packer])
    }

    /// The same, to write. What is not written keeps its value.
    #[inline]
    pub fn packer_stats_mut(&mut self, packer: usize) -> &mut [u8; PACKER_STATS] {
        self.tracker.write(logged::PACKER_STATS, packer);
        &mut self.banks.packer_stats[packer]
    }

    /// Leaves what a packer counts open, whatever it is.
    pub fn leave_packer_stats_open(&mut self, packer: usize, citation: &'static Citation) {
        self.tracker.write(logged::PACKER_STATS, packer);
        (0..PACKER_COUNTS)
            .for_each(|column| self.tracker.leave_open(logged::PACKER_STATS, (packer, column), 0xff, citation));
    }

    /// The banks as cells, of which several views may exist at a time.
    #[inline(always)]
    pub fn views(&mut self) -> Views<'_> {
        Views {
            dst: cells(bytemuck::cast_slice_mut(self.banks.dst.as_flattened_mut())),
            srca: cells(self.banks.srca.as_flattened_mut().as_flattened_mut()),
            srcb: cells(self.banks.srcb.as_flattened_mut().as_flattened_mut()),
            lreg: cells(self.banks.lreg.as_flattened_mut()),
            dst_row_valid: cells(&mut self.banks.dst_row_valid),
            prng: cells(&mut self.banks.prng[0]),
            tracker: self.tracker,
        }
    }

    /// All banks, without marks in the log: for targets that misbehave on purpose.
    pub fn banks_unmarked(&mut self) -> &mut Banks {
        self.banks
    }
}

/// Marks a read of a row, which is lent.
#[inline(always)]
fn read<'w, W: Pod>(tracker: &mut Tracker, (bank, row): (LoggedBank, usize), words: &'w mut W) -> &'w W {
    tracker.read(bank, row, bytemuck::bytes_of_mut(words));
    words
}

#[inline(always)]
fn cells<T>(words: &mut [T]) -> &[Cell<T>] {
    Cell::from_mut(words).as_slice_of_cells()
}

/// What a view of rows is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Rows are read, and not written.
    Read,
    /// Rows are written. What is not written keeps its value.
    Write,
}

/// Runs of rows as cells: what vector code works on. A run is marked once, when it is lent, and any two may be the same. It
/// lies in one aligned group of 64 rows.
///
/// All of it is inlined, so that lengths are constants where rows are lent, and no view has to lie in memory.
pub struct Views<'a> {
    dst: &'a [Cell<u32>],
    srca: &'a [Cell<u32>],
    srcb: &'a [Cell<u32>],
    lreg: &'a [Cell<u32>],
    dst_row_valid: &'a [Cell<u8>],
    prng: &'a [Cell<u32>],
    tracker: &'a mut Tracker,
}

impl<'a> Views<'a> {
    /// `count` rows from `DstBits[row]` on, each of eight words: the pairs of adjacent columns, the even one in the low
    /// half.
    #[inline(always)]
    pub fn dst(&mut self, access: Access, row: usize, count: usize) -> &'a [Cell<u32>] {
        self.lend(access, logged::DST, (row, count), &self.dst[8 * row..][..8 * count])
    }

    /// `count` rows from `SrcA[bank][row]` on, each of 16 words.
    #[inline(always)]
    pub fn srca(&mut self, access: Access, bank: usize, row: usize, count: usize) -> &'a [Cell<u32>] {
        let row = bank * 64 + row;
        self.lend(access, logged::SRCA, (row, count), &self.srca[16 * row..][..16 * count])
    }

    /// `count` rows from `SrcB[bank][row]` on, each of 16 words.
    #[inline(always)]
    pub fn srcb(&mut self, access: Access, bank: usize, row: usize, count: usize) -> &'a [Cell<u32>] {
        let row = bank * 64 + row;
        self.lend(access, logged::SRCB, (row, count), &self.srcb[16 * row..][..16 * count])
    }

    /// The 32 lanes of `LReg[register]`.
    #[inline(always)]
    pub fn lreg(&mut self, access: Access, register: usize) -> &'a [Cell<u32>] {
        self.lend(access, logged::LREG, (register, 1), &self.lreg[32 * register..][..32])
    }

    /// The states of the PRNG of the 32 lanes.
    #[inline(always)]
    pub fn prng(&mut self, access: Access) -> &'a [Cell<u32>] {
        self.lend(access, logged::PRNG, (0, 1), self.prng)
    }

    /// `count` marks from `DstRowValid[row]` on: 1 for valid.
    #[inline(always)]
    pub fn dst_row_valid(&mut self, access: Access, row: usize, count: usize) -> &'a [Cell<u8>] {
        self.lend(access, logged::DST_ROW_VALID, (row, count), &self.dst_row_valid[row..][..count])
    }

    #[inline(always)]
    fn lend<T: Pod>(
        &mut self,
        access: Access,
        bank: LoggedBank,
        (row, count): (usize, usize),
        words: &'a [Cell<T>],
    ) -> &'a [Cell<T>] {
        match access {
            Access::Read => self.tracker.read_cells(bank, row, count, words),
            Access::Write => self.tracker.write_cells(bank, row, count),
        }
        words
    }
}
