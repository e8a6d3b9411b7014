//! The Tensix coprocessor state: banks, small state, and their typed view.
//!
//! *Source*: pages Dst (`DstBits`, `DstRowValid`), SrcASrcB, LReg, RWCs, BackendConfiguration, SFPCONFIG, SyncUnit.

use bytemuck::{Pod, Zeroable};

use super::config::{CONFIG_WORDS, THREAD_CONFIG_WORDS};
use super::fields;
use crate::{Bank, BankRole, Field, Layout, State, Tracker, WordSize};

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
}

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
}

/// The banks as the log knows them.
mod logged {
    use super::{BANKS, bank};
    use crate::LoggedBank;

    pub(super) const DST: LoggedBank = LoggedBank::new(BANKS, bank::DST);
    pub(super) const SRCA: LoggedBank = LoggedBank::new(BANKS, bank::SRCA);
    pub(super) const LREG: LoggedBank = LoggedBank::new(BANKS, bank::LREG);
    pub(super) const DST_ROW_VALID: LoggedBank = LoggedBank::new(BANKS, bank::DST_ROW_VALID);
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

/// One of the eight semaphores: both members are four bits wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Semaphore {
    /// Current value.
    pub value: u32,
    /// Maximum.
    pub max: u32,
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
    /// `ThreadConfig[thread]`.
    pub thread_config: [[u16; THREAD_CONFIG_WORDS]; 3],
    /// `RWCs[thread].Sp`, 10 bits: Blackhole only, and zero on Wormhole.
    pub sp: [u32; 3],
    /// `Config.DEST_ACCESS_CFG_…`, one word for both banks of `Config`: Blackhole only, and zero on Wormhole.
    pub dest_access_cfg: u32,
    padding: [u32; 1],
}

const BANKS: &[Bank] = &[
    Bank {
        name: "DstBits",
        dims: &[1024, 16],
        dim_names: &["row", "column"],
        word: WordSize::U16,
        bits: 16,
        role: BankRole::Data,
        base: 0,
        offset: std::mem::offset_of!(Banks, dst),
        first_row: 0,
    },
    Bank {
        name: "SrcA",
        dims: &[2, 64, 16],
        dim_names: &["bank", "row", "column"],
        word: WordSize::U32,
        bits: 19,
        role: BankRole::Data,
        base: 0,
        offset: std::mem::offset_of!(Banks, srca),
        first_row: 1024,
    },
    Bank {
        name: "SrcB",
        dims: &[2, 64, 16],
        dim_names: &["bank", "row", "column"],
        word: WordSize::U32,
        bits: 19,
        role: BankRole::Data,
        base: 0,
        offset: std::mem::offset_of!(Banks, srcb),
        first_row: 1152,
    },
    Bank {
        name: "LReg",
        dims: &[17, 32],
        dim_names: &["register", "lane"],
        word: WordSize::U32,
        bits: 32,
        role: BankRole::Data,
        base: 0,
        offset: std::mem::offset_of!(Banks, lreg),
        first_row: 1280,
    },
    Bank {
        name: "DstRowValid",
        dims: &[1024, 1],
        dim_names: &["row", "valid"],
        word: WordSize::U8,
        bits: 1,
        role: BankRole::Validity,
        base: 1,
        offset: std::mem::offset_of!(Banks, dst_row_valid),
        first_row: 1344,
    },
];

/// The layout of Wormhole.
pub(super) static WORMHOLE_LAYOUT: Layout = layout(|| &fields::WORMHOLE);
/// The layout of Blackhole: the same storage, with other fields of configuration.
pub(super) static BLACKHOLE_LAYOUT: Layout = layout(|| &fields::BLACKHOLE);

const fn layout(fields: fn() -> &'static [Field]) -> Layout {
    Layout { banks: BANKS, arena_bytes: size_of::<Banks>(), small_bytes: size_of::<Small>(), fields }
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
            small: bytemuck::from_bytes_mut(&mut state.small),
            banks: bytemuck::from_bytes_mut(&mut state.arena),
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
        let words = &mut self.banks.srca[bank][row];
        self.tracker.read(logged::SRCA, bank * 64 + row, bytemuck::bytes_of_mut(words));
        words
    }

    /// Reads `N` rows from `SrcA[bank][row]` on; `row` is a multiple of `N`, and `N` divides 64.
    #[inline]
    pub fn srca_rows<const N: usize>(&mut self, bank: usize, row: usize) -> &[[u32; 16]; N] {
        let rows: &mut [[u32; 16]; N] =
            self.banks.srca[bank][row..].first_chunk_mut().expect("the rows lie in the bank");
        self.tracker.read_run(logged::SRCA, bank * 64 + row, N, bytemuck::cast_slice_mut(rows));
        rows
    }

    /// Reads the word `DstBits[row][column]`.
    #[inline]
    pub fn dst_bits(&mut self, row: usize, column: usize) -> u16 {
        self.dst_row(row)[column]
    }

    /// Reads the row `DstBits[row]`.
    #[inline]
    pub fn dst_row(&mut self, row: usize) -> &[u16; 16] {
        let words = &mut self.banks.dst[row];
        self.tracker.read(logged::DST, row, bytemuck::bytes_of_mut(words));
        words
    }

    /// Reads `N` rows from `DstBits[row]` on; `row` is a multiple of `N`, and `N` divides 64.
    #[inline]
    pub fn dst_rows<const N: usize>(&mut self, row: usize) -> &[[u16; 16]; N] {
        let rows: &mut [[u16; 16]; N] = self.banks.dst[row..].first_chunk_mut().expect("the rows lie in the bank");
        self.tracker.read_run(logged::DST, row, N, bytemuck::cast_slice_mut(rows));
        rows
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

    /// `N` rows from `DstBits[row]` on, to write; `row` is a multiple of `N`, and `N` divides 64.
    #[inline]
    pub fn dst_rows_mut<const N: usize>(&mut self, row: usize) -> &mut [[u16; 16]; N] {
        self.tracker.write_run(logged::DST, row, N);
        self.banks.dst[row..].first_chunk_mut().expect("the rows lie in the bank")
    }

    /// Reads `N` rows from `SrcA[bank][srca_row]` on, with `N` rows from `DstBits[dst_row]` on to write.
    #[inline]
    pub fn srca_rows_to_dst<const N: usize>(
        &mut self,
        bank: usize,
        srca_row: usize,
        dst_row: usize,
    ) -> (&[[u32; 16]; N], &mut [[u16; 16]; N]) {
        let from: &mut [[u32; 16]; N] =
            self.banks.srca[bank][srca_row..].first_chunk_mut().expect("the rows lie in the bank");
        self.tracker.read_run(logged::SRCA, bank * 64 + srca_row, N, bytemuck::cast_slice_mut(from));
        self.tracker.write_run(logged::DST, dst_row, N);
        (from, self.banks.dst[dst_row..].first_chunk_mut().expect("the rows lie in the bank"))
    }

    /// Reads `N` rows from `SrcA[bank][srca_row]` on, with `N` rows from `DstBits[dst_rows[0]]` on and `N` rows from
    /// `DstBits[dst_rows[1]]` on to write; each row number is a multiple of `N`, `N` divides 64, and the second run of
    /// `DstBits` lies behind the first.
    #[inline]
    pub fn srca_rows_to_dst_runs<const N: usize>(
        &mut self,
        bank: usize,
        srca_row: usize,
        dst_rows: [usize; 2],
    ) -> (&[[u32; 16]; N], [&mut [[u16; 16]; N]; 2]) {
        let from: &mut [[u32; 16]; N] =
            self.banks.srca[bank][srca_row..].first_chunk_mut().expect("the rows lie in the bank");
        self.tracker.read_run(logged::SRCA, bank * 64 + srca_row, N, bytemuck::cast_slice_mut(from));
        self.tracker.write_run(logged::DST, dst_rows[0], N);
        self.tracker.write_run(logged::DST, dst_rows[1], N);
        let (before, second) = self.banks.dst.split_at_mut(dst_rows[1]);
        let first = before[dst_rows[0]..].first_chunk_mut().expect("the first run ends before the second");
        (from, [first, second.first_chunk_mut().expect("the rows lie in the bank")])
    }

    /// Reads `DstRowValid[row]`.
    #[inline]
    pub fn dst_row_valid(&mut self, row: usize) -> bool {
        let valid = &mut self.banks.dst_row_valid[row];
        self.tracker.read(logged::DST_ROW_VALID, row, std::slice::from_mut(valid));
        *valid != 0
    }

    /// Reads `N` marks from `DstRowValid[row]` on (1 for valid); `row` is a multiple of `N`, and `N` divides 64.
    #[inline]
    pub fn dst_rows_valid<const N: usize>(&mut self, row: usize) -> &[u8; N] {
        let marks: &mut [u8; N] = self.banks.dst_row_valid[row..].first_chunk_mut().expect("the rows lie in the bank");
        self.tracker.read_run(logged::DST_ROW_VALID, row, N, marks);
        marks
    }

    /// Writes `DstRowValid[row]`.
    #[inline]
    pub fn set_dst_row_valid(&mut self, row: usize, valid: bool) {
        self.tracker.write(logged::DST_ROW_VALID, row);
        self.banks.dst_row_valid[row] = u8::from(valid);
    }

    /// Writes `N` marks from `DstRowValid[row]` on; `row` is a multiple of `N`, and `N` divides 64.
    #[inline]
    pub fn set_dst_rows_valid<const N: usize>(&mut self, row: usize, valid: bool) {
        self.tracker.write_run(logged::DST_ROW_VALID, row, N);
        self.banks.dst_row_valid[row..row + N].fill(u8::from(valid));
    }

    /// Reads the word `LReg[register][lane]`.
    #[inline]
    pub fn lreg(&mut self, register: usize, lane: usize) -> u32 {
        self.lreg_row(register)[lane]
    }

    /// Reads the 32 lanes of `LReg[register]`.
    #[inline]
    pub fn lreg_row(&mut self, register: usize) -> &[u32; 32] {
        let words = &mut self.banks.lreg[register];
        self.tracker.read(logged::LREG, register, bytemuck::bytes_of_mut(words));
        words
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

    /// Reads four rows from each of `DstBits[dst_rows[..]]` on, with `LReg[register]` to write; each row number is a
    /// multiple of 4.
    #[inline]
    pub fn dst_runs_to_lreg<const N: usize>(
        &mut self,
        dst_rows: [usize; N],
        register: usize,
    ) -> ([&[[u16; 16]; 4]; N], &mut [u32; 32]) {
        for row in dst_rows {
            let rows: &mut [[u16; 16]; 4] = self.banks.dst[row..].first_chunk_mut().expect("the rows lie in the bank");
            self.tracker.read_run(logged::DST, row, 4, bytemuck::cast_slice_mut(rows));
        }
        self.tracker.write(logged::LREG, register);
        let dst = &self.banks.dst;
        (dst_rows.map(|row| dst[row..].first_chunk().expect("as above")), &mut self.banks.lreg[register])
    }

    /// Reads the 32 lanes of `LReg[register]`, with four rows from `DstBits[dst_row]` on to write; `dst_row` is a
    /// multiple of 4.
    #[inline]
    pub fn lreg_to_dst_run(&mut self, register: usize, dst_row: usize) -> (&[u32; 32], &mut [[u16; 16]; 4]) {
        let words = &mut self.banks.lreg[register];
        self.tracker.read(logged::LREG, register, bytemuck::bytes_of_mut(words));
        self.tracker.write_run(logged::DST, dst_row, 4);
        (words, self.banks.dst[dst_row..].first_chunk_mut().expect("the rows lie in the bank"))
    }

    /// Reads the 32 lanes of `LReg[register]`, with four rows from each of `DstBits[dst_rows[0]]` and
    /// `DstBits[dst_rows[1]]` on to write; each row number is a multiple of 4, and the second run lies behind the first.
    #[inline]
    pub fn lreg_to_dst_runs(
        &mut self,
        register: usize,
        dst_rows: [usize; 2],
    ) -> (&[u32; 32], [&mut [[u16; 16]; 4]; 2]) {
        let words = &mut self.banks.lreg[register];
        self.tracker.read(logged::LREG, register, bytemuck::bytes_of_mut(words));
        self.tracker.write_run(logged::DST, dst_rows[0], 4);
        self.tracker.write_run(logged::DST, dst_rows[1], 4);
        let (before, second) = self.banks.dst.split_at_mut(dst_rows[1]);
        let first = before[dst_rows[0]..].first_chunk_mut().expect("the first run ends before the second");
        (words, [first, second.first_chunk_mut().expect("the rows lie in the bank")])
    }

    /// All banks, without marks in the log: for targets that misbehave on purpose.
    pub fn banks_unmarked(&mut self) -> &mut Banks {
        self.banks
    }
}
