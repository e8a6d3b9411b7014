//! The three threads side by side: what each act does, who executes it, and what keeps it in order with others.
//!
//! What an instruction does stands in its own file, and what a gate holds in [`wait_gate`]. Here is what the pages say between
//! instructions: units that are still at work when a thread has gone on, data paths that have no model and are stood in for, and
//! what is wrong though the machine does it. Behind the gate instructions of different units overtake each other (page README
//! of TensixCoprocessor, commit 39304719, line 36).
//!
//! A number in brackets is a line of the page that stands before it, counted from 1.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::control::SEMAPHORE_MASK;
use tandem_isa::tensix::inst::matrix::ADD_DST;
use tandem_isa::tensix::inst::source::{BOTH_BANKS, SINGLE_BANK_MATRIX_UNIT};
use tandem_isa::tensix::inst::unpack::{CONTEXT_ADC, SET_SRCA, SET_SRCB, WHICH_UNPACKER};
use tandem_isa::tensix::wait_gate::Unit;
use tandem_isa::tensix::{
    BLACKHOLE, Chip, DST_BH, DST_NEWEST, Latched, MATRIX_UNIT, Mnemonic, SEMGET, SEMPOST, SETDVALID, SRC_NEWEST,
    STALLWAIT_BH, STALLWAIT_WH, Small, Tensix, UNPACKERS, UNPACR_NOP_SETDVALID, WORMHOLE, ZEROSRC, bank,
};
use tandem_isa::{
    Act, AlignedBytes, Citation, Drain, Edition, Executes, Expectation, FrontEndError, Log, Machine, Pushed, Reference,
    StandIn, State, StatePlace, Step, Threads, Touches, Trespass, Word, worded,
};

use super::{TensixReference, frontend, unpack, wait, wait_gate};

worded! {
    /// Who executes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum By {
        Unpacker0 "Unpacker 0",
        Unpacker1 "Unpacker 1",
        Packer "Packer",
        Matrix "Matrix Unit",
        Vector "Vector Unit",
        Scalar "Scalar Unit",
        Mover "Mover",
        Configuration "Configuration Unit",
        Sync "Sync Unit",
        Miscellaneous "Miscellaneous Unit",
        Core "core",
    }
    fn name;
}

/// Conditions of a `STALLWAIT` on Wormhole, and on Blackhole, all of which together say that a unit is through.
// The stand-in for PACR is one of all four packers of Wormhole.
//
// Shown by `a_stallwait_waits_for_the_units_that_it_names`:
// [STALLWAIT_WH 177-184, 191] [STALLWAIT_BH 188-192, 199] The Scalar Unit, both Unpackers, the packers, the Matrix Unit and the
// Vector Unit are through with what the thread gave them.
// [STALLWAIT_WH 189] [STALLWAIT_BH 197, 200] The Mover and Blackhole's Configuration Unit are through with what anybody gave them.
// [STALLWAIT_WH 190, 204] [STALLWAIT_BH 198, 213] What the thread's core stored is there.
const CONDITIONS: [(u32, u32, By); 9] = [
    (1 << 0, 1 << 0, By::Scalar),
    (1 << 1, 1 << 1, By::Unpacker0),
    (1 << 2, 1 << 2, By::Unpacker1),
    (0xf << 3, 1 << 3, By::Packer),
    (1 << 7, 1 << 4, By::Matrix),
    (1 << 12, 1 << 9, By::Mover),
    (1 << 13, 1 << 10, By::Core),
    (1 << 14, 1 << 11, By::Vector),
    (0, 1 << 12, By::Configuration),
];

/// `DstBits` and `DstRowValid`.
const DST: u64 = 1 << 0;
/// Rows of both banks of `SrcA`, …
const SRCA: u64 = 1 << 1;
/// … and of `SrcB`.
const SRCB: u64 = 1 << 2;
/// What the Vector Unit has: `LReg`, flags and their stack, PRNG, `LaneConfig`, `LoadMacroConfig`.
const LANES: u64 = 1 << 3;
const CONFIG: u64 = 1 << 4;
/// Whose the banks of the sources are, which of them are in use, and their implied formats.
const OWNERS: u64 = 1 << 5;
const SEMAPHORES: u64 = 1 << 6;
const MUTEXES: u64 = 1 << 7;
const STREAMS: u64 = 1 << 8;
const HARDWARE_BUG: u64 = 1 << 9;
const RISCV: u64 = 1 << 10;
// Of these each thread has its own: the bits behind are those of the next threads.
const GPRS: u64 = 1 << 11;
const RWCS: u64 = 1 << 14;
const THREAD_CONFIG: u64 = 1 << 17;
const LATCH: u64 = 1 << 20;
/// Where an Unpacker is for the thread: its row, and its context.
const SRC_ROW: u64 = 1 << 23;
const ADCS: u64 = 1 << 26;
/// What the windows show of L1, and what they show.
const L1: u64 = 1 << 29;
/// The memory-mapped registers.
const MMIO: u64 = 1 << 30;
/// What Packers keep and count.
const PACKERS: u64 = 1 << 31;

/// The bit of a field of the small state. `CurrentThread` has none: [`Threads::present`] leaves it as it was.
fn thing_of(field: &str) -> u64 {
    let mut numbers = field.split(['[', ']']).filter_map(|part| part.parse::<u32>().ok());
    match field.split(['[', '.']).next().unwrap_or_default() {
        "CurrentThread" => 0,
        "Unpackers" if field.contains("SrcRow") || field.contains("ContextCounter") => {
            SRC_ROW << numbers.nth(1).unwrap_or_default()
        }
        "ADCs" => ADCS << numbers.next().unwrap_or_default(),
        "L1Windows" => L1,
        "Mmio" => MMIO,
        "Packers" => PACKERS,
        "MatrixUnit" | "Unpackers" | "SrcA" | "SrcB" | "ImpliedSrcAFmt" | "ImpliedSrcBFmt" => OWNERS,
        "LaneFlags" | "UseLaneFlagsForLaneEnable" | "FlagStack" | "LaneConfig" | "LoadMacroConfig" => LANES,
        "Config" => CONFIG,
        "Semaphores" => SEMAPHORES,
        "Mutex" => MUTEXES,
        "HardwareBug" => HARDWARE_BUG,
        "RISCV" => RISCV,
        "RWCs" => RWCS << numbers.next().unwrap_or_default(),
        "ThreadConfig" => THREAD_CONFIG << numbers.next().unwrap_or_default(),
        "WaitGate" => LATCH << numbers.next().unwrap_or_default(),
        _ => u64::MAX,
    }
}

/// The bit of a row.
fn thing_of_row(bank: usize, row: usize) -> u64 {
    match bank {
        bank::DST | bank::DST_ROW_VALID => DST,
        bank::SRCA => SRCA,
        bank::SRCB => SRCB,
        bank::LREG | bank::PRNG | bank::LOAD_MACRO_CONFIG => LANES,
        bank::GPRS => GPRS << (row / 16),
        bank::L1 => L1,
        bank::PACKER_STATS => PACKERS,
        _ => STREAMS,
    }
}

const PATHS: &[&str] = &["unpack SrcA", "unpack SrcB", "unpack Dst", "pack Dst"];
const UNPACK_SRCA: usize = 0;
const UNPACK_SRCB: usize = 1;
const PACK_DST: usize = 3;

/// Bits of no mask: a NOP is held by all bits of a mask together.
const OF_NOP: u32 = 1 << 9;
const OUTSIDE_REASON: &str = "there is no such row";
const UNPACKER_REASON: &str = "an Unpacker waits by itself until its bank is the Unpackers'";
const OWNER_REASON: &str = "a bank is the Matrix Unit's or the Unpackers', who use one while the other uses the other";
const CLEAR_REASON: &str = "a single bank may want a STALLWAIT for its owner before it is cleared";
const GIVEN_REASON: &str = "it does not wait until the bank is the Unpackers' to give";

/// The threads of a chip.
#[derive(Clone, Debug)]
pub struct TensixThreads {
    chip: Chip,
    signals: Vec<usize>,
}

/// The instruction set of a chip.
fn machine(chip: Chip) -> &'static Machine {
    chip.pick(&WORMHOLE, &BLACKHOLE)
}

/// A small state of these bytes.
fn with_small<T>(of: &[u8], read: impl FnOnce(&mut Small) -> T) -> T {
    let mut bytes = AlignedBytes::zeroed(of.len());
    bytes.copy_from_slice(of);
    read(bytes.view_mut::<Small, { size_of::<Small>() / 64 }>())
}

/// Instructions that the suite does not have, by the highest byte of their words (`Diagrams/Src/Bits32.lua`, commit 39304719).
const WITHOUT_MODEL: &[(u32, &str)] =
    &[(0x21, "CLREXPHIST"), (0x29, "DOTPV"), (0x35, "GATESRCRST"), (0x4a, "PACR_SETREG")];

impl TensixThreads {
    /// The threads of a chip.
    #[must_use]
    pub fn new(chip: Chip) -> Self {
        let is_signal = |name: &str| {
            name.starts_with("Semaphores[") || name.starts_with("Mutex[") || name.ends_with("].AllowedClient")
        };
        let fields = (machine(chip).layout.fields)().iter().enumerate();
        TensixThreads { chip, signals: fields.filter(|(_, field)| is_signal(&field.name)).map(|(at, _)| at).collect() }
    }

    /// Who executes an act, and the bits of a block mask that hold it.
    // [STALLWAIT_WH 37-45, 67, 94-96, 160-161] [STALLWAIT_BH 40-48, 71, 98-100] Each bit holds a unit's, and B0 those of several;
    // NOP is held by all bits alone. (`acts_are_held_by_the_block_bits_of_their_unit`)
    fn by(&self, act: &Act) -> (By, u32) {
        match act {
            Act::Store(_) | Act::Core(_) => (By::Core, 0),
            Act::Nop("SFPNOP") => (By::Vector, Unit::Vector.block_bits()),
            Act::Nop(_) => (By::Miscellaneous, OF_NOP),
            Act::Unmodelled(_) => (By::Miscellaneous, 0),
            Act::StandIn(StandIn { path: PACK_DST, .. }) => (By::Packer, 1 << 0 | 1 << 2),
            Act::StandIn(StandIn { path: UNPACK_SRCB, .. }) => (By::Unpacker1, Unit::Unpacker.block_bits()),
            Act::StandIn(_) => (By::Unpacker0, Unit::Unpacker.block_bits()),
            Act::Instruction(word) => {
                let unit = Mnemonic::of(word.facts).unit(self.chip);
                let by = match unit {
                    Unit::Core => By::Core,
                    Unit::Miscellaneous => By::Miscellaneous,
                    Unit::Sync | Unit::Waits => By::Sync,
                    Unit::Unpacker if WHICH_UNPACKER.get(&word.code) == 0 => By::Unpacker0,
                    Unit::Unpacker => By::Unpacker1,
                    Unit::Mover => By::Mover,
                    Unit::Packer => By::Packer,
                    Unit::Scalar => By::Scalar,
                    Unit::Matrix => By::Matrix,
                    Unit::Configuration => By::Configuration,
                    Unit::Vector => By::Vector,
                };
                (by, unit.block_bits())
            }
        }
    }

    /// What stands in for `UNPACR` and `PACR`: whole rows, each word of which becomes the same.
    fn stand_in(&self, of: &StandIn, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
        let (chip, small, is_source) = (self.chip, &*tensix.small, of.path <= UNPACK_SRCB);
        let used = if is_source { small.unpackers_src_bank[of.path] as usize } else { 0 };
        let owners = if of.path == UNPACK_SRCA { small.srca_allowed_client } else { small.srcb_allowed_client };
        // [STALLWAIT_WH 201] [STALLWAIT_BH 210] Unpackers wait by themselves for their banks.
        // (`what_stands_in_for_an_unpacker_waits_for_its_bank_and_gives_it_away`)
        if is_source && owners[used] != UNPACKERS {
            return ControlFlow::Break(Expectation::Blocked(match chip {
                Chip::Wormhole => cite!(STALLWAIT_WH, "line 201", UNPACKER_REASON),
                Chip::Blackhole => cite!(STALLWAIT_BH, "line 210", UNPACKER_REASON),
            }));
        }
        // [SRC_NEWEST 12] A bank of a source has 64 rows. (`a_row_that_is_not_there_is_undefined`)
        // [DST_NEWEST 6] [DST_BH 6] Dst has 1024. (`a_row_that_is_not_there_is_undefined`)
        let (count, outside) = match (is_source, chip) {
            (true, _) => (64, cite!(SRC_NEWEST, "line 12", OUTSIDE_REASON)),
            (false, Chip::Wormhole) => (1024, cite!(DST_NEWEST, "line 6", OUTSIDE_REASON)),
            (false, Chip::Blackhole) => (1024, cite!(DST_BH, "line 6", OUTSIDE_REASON)),
        };
        let rows = of.first..of.first.saturating_add(of.rows);
        if rows.end > count {
            return ControlFlow::Break(Expectation::Undefined(outside));
        }
        for row in rows {
            match of.path {
                UNPACK_SRCA => tensix.srca_row_mut(used, row).fill(of.value & 0x7_ffff),
                UNPACK_SRCB => tensix.srcb_row_mut(used, row).fill(of.value & 0x7_ffff),
                PACK_DST => _ = (tensix.dst_row_valid(row), tensix.dst_row(row)),
                _ => {
                    tensix.dst_row_mut(row).fill((of.value & 0xffff) as u16);
                    tensix.set_dst_row_valid(row, true);
                }
            }
        }
        if is_source && of.flip {
            // UNPACR does with FlipSrc what UNPACR_NOP does that gives the bank away (page UNPACR_Regular, commit 39304719, lines
            // 391-395).
            let instruction = Mnemonic::UnpacrNopSetdvalid.on(chip);
            let mut code = [instruction.base_code[0]];
            WHICH_UNPACKER.set(&mut code, of.path as u32);
            unpack::unpacr_nop_setdvalid(&Step { instruction, edition: Edition::Newest, code: &code }, tensix.small)?;
        }
        ControlFlow::Continue(())
    }

    /// What an instruction of a thread may read and write, beside what its gate has latched.
    // Every gate looks after every act, so that what a latched instruction looks at is read by that instruction alone.
    fn touched_by(&self, thread: usize, Word { facts, code }: &Word) -> (u64, u64) {
        use Mnemonic::*;
        let [gprs, rwcs, own, src_row, adcs] = [GPRS, RWCS, THREAD_CONFIG, SRC_ROW, ADCS].map(|first| first << thread);
        let mnemonic = Mnemonic::of(facts);
        match (mnemonic.unit(self.chip), mnemonic) {
            (Unit::Core, _) => (DST | CONFIG | own | RISCV, DST | RISCV),
            (_, Setdvalid) => (OWNERS | own, OWNERS | src_row),
            (Unit::Miscellaneous, _) => (adcs, adcs),
            (_, Seminit | Sempost | Semget) => (SEMAPHORES, SEMAPHORES),
            (_, Semwait) => (SEMAPHORES, 0),
            (_, Stallwait) => (OWNERS, 0),
            (Unit::Sync | Unit::Waits, _) => (MUTEXES | STREAMS | CONFIG | own, MUTEXES),
            (Unit::Unpacker, _) => {
                let (reads, writes) = (OWNERS | CONFIG | own | src_row, OWNERS | src_row);
                let source = if WHICH_UNPACKER.get(code) == 0 { SRCA } else { SRCB };
                // Contexts can have the counters of another thread.
                let counters = adcs | ADCS << CONTEXT_ADC.get(code).min(2);
                match mnemonic {
                    UnpacrRegular if source == SRCA => (reads | L1 | counters | DST, writes | counters | DST | source),
                    UnpacrRegular => (reads | L1 | counters, writes | counters | source),
                    _ => (reads, writes | source),
                }
            }
            // The counters may be those of another thread, and each thread can have exponents counted.
            (Unit::Packer, _) => {
                let counters = ADCS | ADCS << 1 | ADCS << 2;
                let threads = THREAD_CONFIG | THREAD_CONFIG << 1 | THREAD_CONFIG << 2;
                (DST | L1 | CONFIG | PACKERS | threads | counters, L1 | PACKERS | counters)
            }
            // A write to Config can seed the PRNGs.
            (Unit::Mover, _) => (L1 | CONFIG | own, L1 | CONFIG | LANES),
            (_, Loadind | StoreindL1 | Atcas | Atincget | Atincgetptr | Atswap) => (gprs | L1, gprs | L1),
            (_, Loadreg) => (gprs | MMIO, gprs),
            (_, Storereg) => (gprs | MMIO, MMIO),
            (_, StoreindMmio) => (gprs | MMIO, gprs | MMIO),
            (_, StoreindSrc) => (gprs | OWNERS | own | src_row, gprs | SRCA | SRCB),
            (_, Reg2flopConfiguration) => (gprs | own, CONFIG),
            (Unit::Scalar, _) => (gprs, gprs),
            // A write can reset the thread's counters of contexts.
            (_, Setc16) => (0, own | src_row),
            (_, Rdcfg) => (CONFIG | own, gprs),
            // A write can seed the PRNGs.
            (_, Streamwrcfg) => (CONFIG | own | MMIO, CONFIG | LANES),
            (Unit::Configuration, _) => (CONFIG | own | gprs, CONFIG | LANES),
            (Unit::Vector, Sfpload | Sfpstore | Sfploadmacro) => {
                let [loads, stores] = [Sfpstore, Sfpload].map(|other| if mnemonic == other { 0 } else { DST });
                (loads | LANES | CONFIG | own | rwcs, stores | LANES | rwcs)
            }
            (Unit::Vector, _) => (LANES, LANES),
            (Unit::Matrix, _) => {
                let (reads, writes) = match mnemonic {
                    Setrwc | Incrwc | Cleardvalid => (0, 0),
                    Mova2d | Movdbga2d => (SRCA, DST),
                    Movb2d => (SRCB, DST),
                    Movd2a => (DST, SRCA),
                    Movd2b => (DST, SRCB),
                    Movb2a => (SRCB, SRCA),
                    Zeroacc => (0, DST),
                    Zerosrc => (0, SRCA | SRCB),
                    Elwadd | Elwsub if ADD_DST.get(code) == 0 => (SRCA | SRCB, DST),
                    Mvmul | Gapool | Gmpool | Elwadd | Elwsub | Elwmul => (DST | SRCA | SRCB, DST),
                    _ => (DST | SRCA | SRCB, DST | SRCA | SRCB),
                };
                // LaneConfig has BLOCK_DEST_MOV, which masks what some of them write.
                let also = OWNERS | HARDWARE_BUG | rwcs;
                (reads | also | CONFIG | own | LANES, writes | also)
            }
        }
    }
}

impl Threads for TensixThreads {
    fn names(&self) -> &'static [&'static str] {
        &["T0", "T1", "T2"]
    }

    fn paths(&self) -> &'static [&'static str] {
        PATHS
    }

    fn unmodelled(&self, word: u32) -> Option<&'static str> {
        let named = WITHOUT_MODEL.iter().find(|(opcode, _)| word >> 24 == *opcode);
        named.map(|(_, name)| *name)
    }

    fn expand(&self, pushed: &[Pushed]) -> Result<Vec<(usize, u32)>, FrontEndError> {
        frontend::expand(self.chip, pushed)
            .map_err(|error| FrontEndError { place: error.place, what: error.to_string() })
    }

    fn present(&mut self, thread: usize, act: &Act, edition: Edition, state: &mut State) -> Expectation {
        let small = Tensix::new(state).small;
        let (earlier, latched) = (small.current_thread, small.latched[thread]);
        small.current_thread = thread as u32;
        let expectation = match act {
            Act::Instruction(Word { facts, code }) => {
                TensixReference.execute(&Step { instruction: facts, edition, code }, state)
            }
            Act::Core(Word { facts, code }) => {
                // It comes to no gate, whatever that has latched.
                small.latched[thread] = Latched::default();
                let expectation = TensixReference.execute(&Step { instruction: facts, edition, code }, state);
                Tensix::new(state).small.latched[thread] = latched;
                expectation
            }
            Act::Store(stores) => {
                stores.iter().for_each(|&(place, value)| place.set(state, value));
                Expectation::Done
            }
            Act::Unmodelled(_) => Expectation::Unspecified(cite!(STALLWAIT_BH, "line 1", "no model")),
            Act::Nop(_) | Act::StandIn(_) => match wait_gate::look(self.chip, &mut Tensix::new(state), thread) {
                Some(latched) if self.holds(latched.block_mask, act) => {
                    Expectation::Blocked(wait_gate::held(self.chip, latched.opcode))
                }
                _ => match act {
                    Act::StandIn(of) => super::promised(self.stand_in(of, &mut Tensix::new(state))),
                    _ => Expectation::Done,
                },
            },
        };
        let small = Tensix::new(state).small;
        small.current_thread = earlier;
        if matches!(expectation, Expectation::Blocked(_)) {
            small.latched[thread] = latched;
        }
        expectation
    }

    fn look(&mut self, state: &mut State) -> u32 {
        let tensix = &mut Tensix::new(state);
        // [STALLWAIT_WH 27] [STALLWAIT_BH 30] [SEMWAIT_WH 31] [SEMWAIT_BH 31] Each gate looks again and again at what it has
        // latched, and once no condition keeps on waiting it forgets it. (`each_gate_forgets_what_is_over`)
        (0..3).fold(0, |forgot, thread| {
            let has = tensix.small.latched[thread].opcode != Latched::NONE;
            forgot | u32::from(has && wait_gate::look(self.chip, tensix, thread).is_none()) << thread
        })
    }

    fn executes(&self, act: &Act) -> Executes {
        let (by, _) = self.by(act);
        let own_pace = match by {
            By::Unpacker0 | By::Unpacker1 | By::Packer | By::Matrix | By::Vector | By::Mover => true,
            // Page ScalarUnit of Wormhole (commit 39304719), line 7, says that the thread does not go on before it is through, and
            // a later word of the vendor that it may (rule `setdmareg-then-wrcfg-wh`).
            By::Scalar => true,
            // SETC16 and RMWCIB take one cycle. So does WRCFG but for a second one, in which one instruction alone can be too soon:
            // rule `wrcfg-then-consumer` has it. RDCFG holds its thread on Wormhole, and on Blackhole may take longer than that.
            // [RDCFG_WH 30] [RDCFG_BH 30, 34] Whether it does, and how to wait for it. (`who_executes_what_and_at_which_pace`)
            By::Configuration => {
                let is_rdcfg = |word: &Word| Mnemonic::of(word.facts) == Mnemonic::Rdcfg;
                self.chip == Chip::Blackhole && matches!(act, Act::Instruction(word) if is_rdcfg(word))
            }
            // [STALLWAIT_WH 204] [STALLWAIT_BH 213] What a core stored may not be there yet when an instruction behind it executes;
            // on Blackhole the hardware sees to that. (`who_executes_what_and_at_which_pace`)
            By::Core => self.chip == Chip::Wormhole,
            By::Sync | By::Miscellaneous => false,
        };
        Executes { name: by.name(), number: by as u32, own_pace }
    }

    fn drains(&self, act: &Act) -> Option<Drain> {
        let Act::Instruction(Word { facts, code }) = act else { return None };
        let step = &Step { instruction: facts, edition: Edition::Newest, code };
        let latch = match Mnemonic::of(facts) {
            Mnemonic::Stallwait => wait::stallwait,
            Mnemonic::Semwait => wait::semwait,
            Mnemonic::Streamwait => wait::streamwait,
            _ => return None,
        };
        let latched = with_small(&vec![0; machine(self.chip).layout.small_bytes], |small| {
            // Of what promises nothing the path ends.
            let _ = latch(step, small);
            small.latched[0]
        });
        let mut drain = Drain { units: 0, of_all: 0, blocks: latched.block_mask };
        for (wormhole, blackhole, by) in CONDITIONS {
            let bits = self.chip.pick(wormhole, blackhole);
            let of = if matches!(by, By::Mover | By::Configuration) { &mut drain.of_all } else { &mut drain.units };
            if latched.opcode == Latched::STALLWAIT && bits != 0 && latched.condition_mask & bits == bits {
                *of |= 1 << by as u32;
            }
        }
        Some(drain)
    }

    fn holds(&self, blocks: u32, act: &Act) -> bool {
        let (_, bits) = self.by(act);
        blocks & bits != 0 || bits == OF_NOP && blocks == 0x1ff
    }

    fn touches(&self, thread: usize, act: &Act) -> Touches {
        let (reads, writes) = match act {
            Act::Store(stores) => {
                let layout = machine(self.chip).layout;
                let things = stores.iter().map(|&(place, _)| match place {
                    StatePlace::Field(field) => thing_of(&(layout.fields)()[field].name),
                    StatePlace::Word(bank, row, _) => thing_of_row(bank, row),
                });
                return Touches { reads: 0, writes: things.fold(0, |all, thing| all | thing) };
            }
            Act::Nop(_) => (0, 0),
            Act::Unmodelled(_) => (u64::MAX, u64::MAX),
            Act::StandIn(StandIn { path: PACK_DST, .. }) => (DST, 0),
            Act::StandIn(StandIn { path: path @ ..=UNPACK_SRCB, .. }) => {
                (OWNERS | CONFIG | THREAD_CONFIG << thread, OWNERS | SRC_ROW << thread | [SRCA, SRCB][*path])
            }
            Act::StandIn(_) => (0, DST),
            Act::Instruction(word) | Act::Core(word) => self.touched_by(thread, word),
        };
        Touches { reads: reads | LATCH << thread, writes: writes | LATCH << thread }
    }

    fn sees(&self, first: &Act, second: &Act, between: usize, bank: usize) -> bool {
        let is_of_dst = matches!(bank, bank::DST | bank::DST_ROW_VALID);
        if !is_of_dst || self.touches(0, first).writes & DST == 0 || self.touches(0, second).reads & DST == 0 {
            return false;
        }
        // Shown by `the_machine_sees_to_order_in_dst`:
        match (self.by(first).0, self.by(second).0) {
            // [DST_NEWEST 88] [DST_BH 101] An instruction of the Matrix Unit or of the packers waits for rows of Dst that were
            // written in the last four cycles.
            (By::Matrix | By::Vector, By::Matrix | By::Packer) => true,
            // [SFPLOADMACRO_WH 153] [SFPLOADMACRO_BH 153] Three instructions are enough between the Matrix Unit and what loads of
            // the Vector Unit, as for SFPLOAD (`matrix-then-sfpload-wh`, `-bh`).
            (By::Matrix, By::Vector) => between >= 3,
            _ => false,
        }
    }

    fn signals(&self) -> &[usize] {
        &self.signals
    }

    fn trespasses(&self, act: &Act, before: &[u8], log: &Log) -> Vec<Trespass> {
        with_small(before, |small| self.trespasses_from(act, small, log))
    }
}

impl TensixThreads {
    fn trespasses_from(&self, act: &Act, small: &Small, log: &Log) -> Vec<Trespass> {
        let mut found = Vec::new();
        let mut tell = |kind, text, citation: &'static Citation| found.push(Trespass { kind, text, citation });
        let (mnemonic, code) = match act {
            Act::Instruction(word) | Act::Core(word) => (Some(Mnemonic::of(word.facts)), &*word.code),
            _ => (None, &[0][..]),
        };
        // Shown by `tokens_that_are_lost_are_told`:
        for (number, semaphore) in small.semaphores.iter().enumerate() {
            let value = (SEMAPHORE_MASK.get(code) >> number & 1 != 0).then_some(semaphore.value);
            match (mnemonic, value) {
                // [SEMGET 3, 22] A Value of 0 stays 0.
                (Some(Mnemonic::Semget), Some(0)) => {
                    let text = format!("the Value of semaphore {number} is 0: nothing is there to get");
                    tell("lost token", text, cite!(SEMGET, "lines 3 and 22", "a Value of 0 stays 0"));
                }
                // [SEMPOST 3, 22] A Value of 15 stays 15.
                (Some(Mnemonic::Sempost), Some(15)) => {
                    let text = format!("the Value of semaphore {number} is 15: the post is dropped");
                    tell("lost token", text, cite!(SEMPOST, "lines 3 and 22", "a Value of 15 stays 15"));
                }
                _ => {}
            }
        }
        // Shown by `who_touches_a_bank_of_the_other_is_told`:
        // [SRC_NEWEST 3, 6-13] The Unpackers write one bank of a source while the Matrix Unit uses the other.
        let owner = cite!(SRC_NEWEST, "lines 3 and 6-13", OWNER_REASON);
        let (user, citation) = match (mnemonic, self.by(act).0) {
            // [ZEROSRC 29-34, 39-44] With BothBanks it clears both banks, and else that of the Matrix Unit or, without
            // SingleBankMatrixUnit, that of the Unpackers.
            (Some(Mnemonic::Zerosrc), _) => {
                let user = match (BOTH_BANKS.get(code), SINGLE_BANK_MATRIX_UNIT.get(code)) {
                    (0, 0) => Some(UNPACKERS),
                    (0, _) => Some(MATRIX_UNIT),
                    _ => None,
                };
                (user, cite!(ZEROSRC, "line 63", CLEAR_REASON))
            }
            (_, By::Unpacker0 | By::Unpacker1) => (Some(UNPACKERS), owner),
            (_, By::Matrix) => (Some(MATRIX_UNIT), owner),
            _ => (None, owner),
        };
        let sources =
            [("SrcA", bank::SRCA, small.srca_allowed_client), ("SrcB", bank::SRCB, small.srcb_allowed_client)];
        for (source, (name, rows, owners)) in sources.into_iter().enumerate() {
            for (bank, owner) in owners.into_iter().enumerate() {
                let first = machine(self.chip).layout.banks[rows].first_row + 64 * bank;
                let is_touched = (first..first + 64).any(|row| log.read.contains(row) || log.written.contains(row));
                if is_touched && user.is_some_and(|user| user != owner) {
                    let whose = if owner == UNPACKERS { "the Unpackers'" } else { "the Matrix Unit's" };
                    let text = format!("rows of {name}[{bank}] are touched while the bank is {whose}");
                    tell("two owners", text, citation);
                }
            }
            // [SETDVALID 28-29, 36-37] It gives away the banks that the Unpackers are using, whosever they are.
            // UNPACR_NOP does not wait for them either (line 41; of which condition does, TX-47 speaks).
            let (gives, citation) = match mnemonic {
                Some(Mnemonic::Setdvalid) => {
                    ([SET_SRCA, SET_SRCB][source].get(code) != 0, cite!(SETDVALID, "lines 3 and 28-42", GIVEN_REASON))
                }
                Some(Mnemonic::UnpacrNopSetdvalid) => {
                    (WHICH_UNPACKER.get(code) as usize == source, cite!(UNPACR_NOP_SETDVALID, "line 41", GIVEN_REASON))
                }
                _ => continue,
            };
            let bank = small.unpackers_src_bank[source] as usize;
            if gives && owners[bank] != UNPACKERS {
                let text = format!("{name}[{bank}] is given to the Matrix Unit, whose it is already");
                tell("two owners", text, citation);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
