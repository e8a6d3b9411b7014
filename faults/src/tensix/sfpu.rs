//! What `SFPLOAD` and `SFPSTORE` have in common, plainly: their steps from the word to the rows and columns of a lane,
//! and what comes after, with a flaw asked for at each step.
//!
//! *Source*: pages SFPLOAD and SFPSTORE of both chips, VectorUnit (`IsLaneEnabled`), SFPCONFIG (`LaneConfig`); the pages
//! of what they call stand in the modules below.

mod addr_mod;
mod address;
mod dst;
mod mode;

use tandem_isa::State;
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField};
use tandem_isa::tensix::inst::sfpload::{VD, mod0};
use tandem_isa::tensix::{Chip, Rwc, Tensix};

use super::{Flaw, Flaws};

/// Lanes of a register.
pub const LANES: usize = 32;

/// The bits of a lane's configuration.
pub mod lane_bit {
    pub const ENABLE_FP16A_INF: u32 = 0;
    pub const DISABLE_BACKDOOR_LOAD: u32 = 1;
    pub const ENABLE_DEST_INDEX: u32 = 2;
    pub const CAPTURE_DEFAULT_DEST_INDEX: u32 = 3;
    pub const BLOCK_DEST_WR_FROM_SFPU: u32 = 4;
    pub const BLOCK_SFPU_RD_FROM_DEST: u32 = 5;
    pub const DEST_RD_COL_EXCHANGE: u32 = 6;
    pub const DEST_WR_COL_EXCHANGE: u32 = 7;
    pub const ROW_MASK: u32 = 12;
}

/// What a lane does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Moves,
    Blocked,
    Disabled,
}

/// The datum of `Dst` that belongs to a lane.
#[derive(Clone, Copy)]
pub struct Place {
    pub row: usize,
    pub column: usize,
    /// Whether the bit for exchanged columns made an even column odd.
    pub exchanged: bool,
}

/// One execution.
pub struct Sfpu<'a> {
    flaws: Flaws,
    pub chip: Chip,
    loads: bool,
    code: &'a [u32],
    pub tensix: Tensix<'a>,
    thread: usize,
}

impl<'a> Sfpu<'a> {
    /// An execution of `SFPLOAD` if `loads`, else of `SFPSTORE`.
    pub fn new(flaws: Flaws, chip: Chip, loads: bool, code: &'a [u32], state: &'a mut State) -> Self {
        let tensix = Tensix::new(state);
        let thread = tensix.small.current_thread as usize;
        Sfpu { flaws, chip, loads, code, tensix, thread }
    }

    pub fn has(&self, flaw: Flaw) -> bool {
        self.flaws.has(flaw)
    }

    /// Whether a step that both instructions have goes wrong.
    fn slips(&self, load: Flaw, store: Flaw) -> bool {
        self.has(if self.loads { load } else { store })
    }

    pub fn vd(&self) -> usize {
        VD.get(self.code) as usize
    }

    fn thread_config(&self, field: ThreadConfigField) -> u32 {
        field.get(&self.tensix.small.thread_config[self.thread])
    }

    fn thread_config_of_thread_0(&self, field: ThreadConfigField) -> u32 {
        field.get(&self.tensix.small.thread_config[0])
    }

    fn config(&self, field: ConfigField) -> u32 {
        let state_id = if self.slips(Flaw::LoadStateIdIgnored, Flaw::StoreStateIdIgnored) {
            0
        } else if self.slips(Flaw::LoadStateIdOther, Flaw::StoreStateIdOther) {
            1 - self.thread_config(config::CFG_STATE_ID_StateID)
        } else if self.slips(Flaw::LoadStateIdOfThread0, Flaw::StoreStateIdOfThread0) {
            self.thread_config_of_thread_0(config::CFG_STATE_ID_StateID)
        } else {
            self.thread_config(config::CFG_STATE_ID_StateID)
        };
        field.get(&self.tensix.small.config[state_id as usize])
    }

    fn rwc(&mut self) -> &mut Rwc {
        let first = self.slips(Flaw::LoadRwcsOfThread0, Flaw::StoreRwcsOfThread0);
        &mut self.tensix.small.rwcs[if first { 0 } else { self.thread }]
    }

    /// A bit of the configuration of `lane`.
    pub fn lane_config(&self, lane: usize, bit: u32) -> bool {
        (self.tensix.small.lane_config[lane & 7] >> bit) & 1 != 0
    }

    /// Whether every lane writes the instruction bits to an instruction template, which no page of this family models; by
    /// one reading of page SFPCONFIG nothing else happens then.
    pub fn is_template(&self) -> bool {
        self.vd() >= 12 && !(0..8).any(|lane| self.lane_config(lane, lane_bit::DISABLE_BACKDOOR_LOAD))
    }

    // ---------------------------------------------------------------------------------------- the whole

    /// From the word to the counters: `each_lane` is given the mode and, lane after lane, the number of the lane, what
    /// it does, and its datum of `Dst`; it says whether something moved.
    pub fn execute(&mut self, mut each_lane: impl FnMut(&mut Self, u32, usize, Turn, Place) -> bool) {
        let advances_first = self.slips(Flaw::LoadAddrModFirst, Flaw::StoreAddrModFirst);
        if advances_first {
            self.apply_partial_addr_mod();
        }
        let mode = self.mode();
        let sp_before = *self.sp();
        let address = self.address(mode);
        let mut moved = false;
        for lane in 0..LANES {
            let turn = self.turn(mode, lane);
            let place = self.place(address, lane);
            moved |= each_lane(self, mode, lane, turn, place);
        }
        if !moved && self.slips(Flaw::LoadSpKeptWhenIdle, Flaw::StoreSpKeptWhenIdle) {
            *self.sp() = sp_before;
        }
        let skipped = advances_first
            || self.slips(Flaw::LoadAddrModNever, Flaw::StoreAddrModNever)
            || (!moved && self.slips(Flaw::LoadAddrModNotWhenIdle, Flaw::StoreAddrModNotWhenIdle));
        if !skipped {
            self.apply_partial_addr_mod();
        }
    }

    // ---------------------------------------------------------------------------------------- lanes

    fn turn(&self, mode: u32, lane: usize) -> Turn {
        let all = mode == mod0::INT32_ALL;
        if self.is_blocked(all, lane) {
            Turn::Blocked
        } else if all && !self.slips(Flaw::LoadAllObeysEnabled, Flaw::StoreAllObeysEnabled) {
            Turn::Moves
        } else if !self.is_enabled(lane) || self.is_lone_last_lane(lane) {
            Turn::Disabled
        } else {
            Turn::Moves
        }
    }

    fn is_blocked(&self, all: bool, lane: usize) -> bool {
        let other = self.slips(Flaw::LoadBlockOther, Flaw::StoreBlockOther);
        let bit =
            if self.loads == other { lane_bit::BLOCK_DEST_WR_FROM_SFPU } else { lane_bit::BLOCK_SFPU_RD_FROM_DEST };
        let asked = if self.slips(Flaw::LoadBlockTransposed, Flaw::StoreBlockTransposed) { lane / 4 } else { lane };
        let ignored = self.slips(Flaw::LoadBlockIgnored, Flaw::StoreBlockIgnored)
            || (all && self.slips(Flaw::LoadAllIgnoresBlock, Flaw::StoreAllIgnoresBlock));
        !ignored && self.lane_config(asked, bit)
    }

    /// `IsLaneEnabled`.
    fn is_enabled(&self, lane: usize) -> bool {
        let small = &*self.tensix.small;
        let asked = if self.slips(Flaw::LoadFlagsOfFirstRow, Flaw::StoreFlagsOfFirstRow) { lane & 7 } else { lane };
        let uses_flags = (small.use_lane_flags_for_lane_enable >> asked) & 1 != 0;
        let flag = (small.lane_flags >> asked) & 1 != 0;

        let (column, row) = if self.slips(Flaw::LoadRowMaskTransposed, Flaw::StoreRowMaskTransposed) {
            (lane / 4, lane % 4)
        } else {
            (lane & 7, lane / 8)
        };
        let mut masked = self.lane_config(column, lane_bit::ROW_MASK + row as u32);
        if self.slips(Flaw::LoadRowMaskInverted, Flaw::StoreRowMaskInverted) {
            masked = !masked;
        }
        if self.slips(Flaw::LoadRowMaskIgnored, Flaw::StoreRowMaskIgnored)
            || (uses_flags && self.slips(Flaw::LoadFlagsBeatRowMask, Flaw::StoreFlagsBeatRowMask))
        {
            masked = false;
        }

        if masked {
            false
        } else if self.slips(Flaw::LoadLaneFlagsIgnored, Flaw::StoreLaneFlagsIgnored) {
            true
        } else if uses_flags || self.slips(Flaw::LoadUseFlagsIgnored, Flaw::StoreUseFlagsIgnored) {
            flag != self.slips(Flaw::LoadLaneFlagsInverted, Flaw::StoreLaneFlagsInverted)
        } else {
            true
        }
    }

    fn is_lone_last_lane(&self, lane: usize) -> bool {
        lane == LANES - 1
            && self.slips(Flaw::LoadLastLaneLost, Flaw::StoreLastLaneLost)
            && !(0..LANES - 1).any(|other| self.is_enabled(other))
    }

    // ---------------------------------------------------------------------------------------- rows and columns

    fn place(&self, address: u32, lane: usize) -> Place {
        let first = if self.slips(Flaw::LoadRowsUnaligned, Flaw::StoreRowsUnaligned) {
            address
        } else if self.slips(Flaw::LoadRowsAlignedToEight, Flaw::StoreRowsAlignedToEight) {
            address & !7
        } else {
            address & !3
        } as usize;
        let (row_of_lane, pair) = if self.slips(Flaw::LoadLanesTransposed, Flaw::StoreLanesTransposed) {
            (lane % 4, lane / 4)
        } else {
            (lane / 8, lane & 7)
        };
        let pitch = if self.slips(Flaw::LoadRowPitchTwo, Flaw::StoreRowPitchTwo) { 2 } else { 1 };
        let adjacent = self.slips(Flaw::LoadColumnsAdjacent, Flaw::StoreColumnsAdjacent);
        let even = if adjacent { pair } else { pair * 2 };

        let odd_by_address = if self.slips(Flaw::LoadParityIgnored, Flaw::StoreParityIgnored) {
            false
        } else if self.slips(Flaw::LoadParityOfBit0, Flaw::StoreParityOfBit0) {
            address & 1 != 0
        } else {
            (address & 2 != 0) != self.slips(Flaw::LoadParityInverted, Flaw::StoreParityInverted)
        };
        let odd_by_exchange = self.exchanges(lane);
        let odd = if self.slips(Flaw::LoadExchangeToggles, Flaw::StoreExchangeToggles) {
            odd_by_address != odd_by_exchange
        } else {
            odd_by_address || odd_by_exchange
        };
        Place {
            row: (first + row_of_lane * pitch) & 0x3ff,
            column: even + usize::from(odd),
            exchanged: odd && !odd_by_address,
        }
    }

    fn exchanges(&self, lane: usize) -> bool {
        let other = self.slips(Flaw::LoadExchangeOther, Flaw::StoreExchangeOther);
        let bit = if self.loads == other { lane_bit::DEST_WR_COL_EXCHANGE } else { lane_bit::DEST_RD_COL_EXCHANGE };
        let transposed = self.slips(Flaw::LoadExchangeTransposed, Flaw::StoreExchangeTransposed);
        !self.slips(Flaw::LoadExchangeIgnored, Flaw::StoreExchangeIgnored)
            && self.lane_config(if transposed { lane / 4 } else { lane }, bit)
    }
}
