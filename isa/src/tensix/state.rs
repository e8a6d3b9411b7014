//! The Tensix coprocessor state: banks, small state, and their typed view.
//!
//! *Source*: pages Dst (`DstBits`, `DstRowValid`), SrcASrcB, LReg, RWCs, BackendConfiguration, SFPCONFIG, SyncUnit.

use std::sync::LazyLock;

use bytemuck::{Pod, Zeroable};

use super::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS};
use super::format;
use crate::{Bank, BankRole, Field, FieldRole, Layout, State, Tracker, ValueClass, WordSize};

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
    padding: [u32; 5],
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

/// The numbers of the value classes that banks of this family are salted with.
pub mod value_class {
    /// `SrcA`/`SrcB` data with eight exponent bits.
    pub const SRC_EXP8: u8 = 0;
    /// `SrcA`/`SrcB` data with five exponent bits, and integer "8".
    pub const SRC_EXP5: u8 = 1;
    /// `SrcA`/`SrcB` opaque data.
    pub const SRC_OPAQUE: u8 = 2;
    /// `DstBits` data.
    pub const DST: u8 = 3;
    /// 32-bit data.
    pub const BITS32: u8 = 4;
    /// Rows all valid.
    pub const ALL_VALID: u8 = 5;
    /// Rows all invalid.
    pub const ALL_INVALID: u8 = 6;
    /// Rows valid or not.
    pub const MIXED_VALIDITY: u8 = 7;
}

pub(super) const VALUE_CLASSES: &[ValueClass] = &[
    ValueClass {
        name: "Src, 8-bit exponent",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_TF32, &format::SRC_BF16],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Src, 5-bit exponent",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_FP16, &format::SRC_INT8, &format::SRC_TF32],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Src, opaque",
        datum_bytes: 4,
        bits: 19,
        formats: &[&format::SRC_INT16, &format::SRC_TF32, &format::SRC_FP16],
        extra: &[],
        only: &[],
    },
    ValueClass {
        name: "Dst",
        datum_bytes: 2,
        bits: 16,
        formats: &[&format::DST_BF16, &format::DST_FP16, &format::DST_BITS],
        extra: &[],
        only: &[],
    },
    ValueClass { name: "32 bits", datum_bytes: 4, bits: 32, formats: &[&format::BITS32], extra: &[], only: &[] },
    ValueClass { name: "all valid", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[1] },
    ValueClass { name: "all invalid", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[0] },
    ValueClass { name: "valid or not", datum_bytes: 1, bits: 1, formats: &[], extra: &[], only: &[0, 1] },
];

/// The value class of each bank's background.
pub(super) const BACKGROUND: &[u8] =
    &[value_class::DST, value_class::SRC_EXP8, value_class::SRC_EXP8, value_class::BITS32, value_class::MIXED_VALIDITY];

pub(super) static LAYOUT: Layout =
    Layout { banks: BANKS, arena_bytes: size_of::<Banks>(), small_bytes: size_of::<Small>(), fields: || &FIELDS };

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(fields);

struct FieldList(Vec<Field>);

impl FieldList {
    fn word(&mut self, name: impl Into<String>, role: FieldRole, byte: usize, width: u32) {
        self.bits(name, role, byte, 0, width);
    }

    fn bits(&mut self, name: impl Into<String>, role: FieldRole, byte: usize, shift: u32, width: u32) {
        let max = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
        let word = WordSize::U32;
        self.0.push(Field { name: name.into(), role, byte, word, shift, width, max, base: 0, address: None });
    }

    fn thread_config(&mut self, thread: usize, name: String, field: config::ThreadConfigField) {
        let byte = std::mem::offset_of!(Small, thread_config) + 2 * (thread * THREAD_CONFIG_WORDS + field.addr);
        self.bits(name, FieldRole::Config, byte, field.shift, field.width);
        let last = self.0.last_mut().expect("just pushed");
        last.word = WordSize::U16;
        last.address = Some(("ThreadConfig", u32::try_from(field.addr).expect("an address fits")));
    }
}

fn fields() -> Vec<Field> {
    use FieldRole::{Config, Context, Counter, Flag};
    let mut list = FieldList(Vec::new());
    list.word("CurrentThread", Context, std::mem::offset_of!(Small, current_thread), 2);
    list.0[0].max = 2;
    list.word("MatrixUnit.SrcABank", Flag, std::mem::offset_of!(Small, matrix_unit_srca_bank), 1);
    list.word("MatrixUnit.SrcBBank", Flag, std::mem::offset_of!(Small, matrix_unit_srcb_bank), 1);
    for bank in 0..2 {
        let at = |offset: usize| offset + 4 * bank;
        list.word(format!("Unpackers[{bank}].SrcBank"), Flag, at(std::mem::offset_of!(Small, unpackers_src_bank)), 1);
        list.word(format!("SrcA[{bank}].AllowedClient"), Flag, at(std::mem::offset_of!(Small, srca_allowed_client)), 1);
        list.word(format!("SrcB[{bank}].AllowedClient"), Flag, at(std::mem::offset_of!(Small, srcb_allowed_client)), 1);
    }
    list.word("LaneFlags", Flag, std::mem::offset_of!(Small, lane_flags), 32);
    list.word("UseLaneFlagsForLaneEnable", Flag, std::mem::offset_of!(Small, use_lane_flags_for_lane_enable), 32);
    const RWC_FIELDS: [(&str, u32); 8] = [
        ("Dst", 10),
        ("Dst_Cr", 10),
        ("SrcA", 6),
        ("SrcA_Cr", 6),
        ("SrcB", 6),
        ("SrcB_Cr", 6),
        ("FidelityPhase", 2),
        ("ExtraAddrModBit", 1),
    ];
    for thread in 0..3 {
        for (index, (name, width)) in RWC_FIELDS.into_iter().enumerate() {
            let byte = std::mem::offset_of!(Small, rwcs) + thread * size_of::<Rwc>() + 4 * index;
            list.word(format!("RWCs[{thread}].{name}"), Counter, byte, width);
        }
    }
    const LANE_CONFIG_FIELDS: [(&str, u32, u32); 11] = [
        ("ENABLE_FP16A_INF", 0, 1),
        ("DISABLE_BACKDOOR_LOAD", 1, 1),
        ("ENABLE_DEST_INDEX", 2, 1),
        ("CAPTURE_DEFAULT_DEST_INDEX", 3, 1),
        ("BLOCK_DEST_WR_FROM_SFPU", 4, 1),
        ("BLOCK_SFPU_RD_FROM_DEST", 5, 1),
        ("DEST_RD_COL_EXCHANGE", 6, 1),
        ("DEST_WR_COL_EXCHANGE", 7, 1),
        ("EXCHANGE_SRCB_SRCC", 8, 1),
        ("BLOCK_DEST_MOV", 9, 2),
        ("ROW_MASK", 12, 4),
    ];
    for lane in 0..8 {
        for (name, shift, width) in LANE_CONFIG_FIELDS {
            let byte = std::mem::offset_of!(Small, lane_config) + 4 * lane;
            list.bits(format!("LaneConfig[{lane}].{name}"), Config, byte, shift, width);
        }
    }
    for semaphore in 0..8 {
        let byte = std::mem::offset_of!(Small, semaphores) + semaphore * size_of::<Semaphore>();
        list.word(format!("Semaphores[{semaphore}].Value"), Counter, byte, 4);
        list.word(format!("Semaphores[{semaphore}].Max"), Config, byte + 4, 4);
    }
    for state_id in 0..2 {
        for field in config::CONFIG_FIELDS {
            let byte = std::mem::offset_of!(Small, config) + 4 * (state_id * CONFIG_WORDS + field.addr32);
            list.bits(format!("Config[{state_id}].{}", field.name), Config, byte, field.shift, field.width);
            let address = u32::try_from(field.addr32).expect("an address fits");
            list.0.last_mut().expect("just pushed").address = Some(("Config", address));
        }
    }
    for thread in 0..3 {
        for &field in config::THREAD_CONFIG_FIELDS {
            list.thread_config(thread, format!("ThreadConfig[{thread}].{}", field.name), field);
        }
        for section in 0..config::ADDR_MOD_SECTIONS {
            for (array, fields, stride) in [
                ("ADDR_MOD_AB_SEC", config::ADDR_MOD_AB_FIELDS, config::ADDR_MOD_AB_STRIDE),
                ("ADDR_MOD_DST_SEC", config::ADDR_MOD_DST_FIELDS, config::ADDR_MOD_DST_STRIDE),
                ("ADDR_MOD_BIAS_SEC", config::ADDR_MOD_BIAS_FIELDS, config::ADDR_MOD_BIAS_STRIDE),
            ] {
                for field in fields {
                    let name = format!("ThreadConfig[{thread}].{array}[{section}].{}", field.name);
                    list.thread_config(thread, name, field.section(section, stride));
                }
            }
        }
    }
    list.0
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

    /// All banks, without marks in the log: for targets that misbehave on purpose.
    pub fn banks_unmarked(&mut self) -> &mut Banks {
        self.banks
    }
}
