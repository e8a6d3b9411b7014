//! The loader: from the base state to the state before a test.
//!
//! Data come first, then what is set by counting or by flipping, then configuration. Each step leaves alone what the steps
//! before it made. Nothing of a state is computed here that an instruction does not compute too: what an instruction turns
//! round on its way is turned round once more.

use std::collections::{BTreeMap, BTreeSet};

use tandem_isa::Machine;
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::tensix::inst::window::WINDOW_BASE;
use tandem_isa::tensix::{Chip, Latched, MATRIX_UNIT, Mnemonic, Small};

use super::VIA_GPR;
use super::lanes::Lanes;
use super::needs::Needs;
use super::unreachable::Unreachable;
use super::words::Words;

/// Lanes of the Vector Unit.
pub(super) const LANES: usize = 32;
/// The register through which data go to `Dst`, and the one by which lanes are selected meanwhile.
pub(super) const DATA: u32 = 0;
const SELECT: u32 = 1;
/// `2 * lane`.
const LANE_NUMBERS: u32 = 15;
/// `LaneConfig`: no store of the Vector Unit to `Dst`, and no move of the Matrix Unit.
const BLOCK_ALL_MOVES: u32 = 0x610;
/// TF32 in `ALU_FORMAT_SPEC_REG_SrcA_val` and `SrcB_val`, with their overrides; and `Fp32_enabled`.
pub(super) const TF32_BOTH: u32 = 4 | 1 << 4 | 4 << 5 | 1 << 9;
pub(super) const FP32_ENABLED: u32 = 1 << 29;

/// Where words of `ThreadConfig` lie on a chip.
pub(super) struct Places {
    pub(super) clr_dvalid: usize,
    pub(super) set_base: [usize; 2],
    pub(super) ab: usize,
    pub(super) dst: usize,
    pub(super) bias: usize,
}

impl Places {
    pub(super) fn of(chip: Chip) -> Self {
        let sections = chip.addr_mod_sections();
        Places {
            clr_dvalid: chip.pick(5, 7),
            set_base: chip.pick([3, 4], [5, 6]),
            ab: sections.ab.first,
            dst: sections.dst.first,
            bias: sections.bias.first,
        }
    }
}

/// The words of a bank of `Config` that are in the state.
pub(super) fn config_words(chip: Chip) -> Vec<usize> {
    (0..chip.config_size())
        .filter(|&index| {
            let mut small: Small = bytemuck::Zeroable::zeroed();
            small.config_word_mut(chip, 0, index).is_some()
        })
        .collect()
}

pub(super) struct Loader<'a> {
    pub(super) chip: Chip,
    pub(super) words: Words,
    /// The thread of the test.
    pub(super) thread: usize,
    /// Whether all lanes are known to take part, heeding their flags.
    pub(super) all_on: bool,
    /// What configuration and owners are by now.
    pub(super) now: Small,
    pub(super) places: Places,
    /// The instructions under test, of which the loader uses another where there is one.
    under_test: &'a [Mnemonic],
    /// Whether data go to `Dst` by the window, before anything else, and from there everywhere.
    by_window: bool,
    /// What is stored there: by row of 32-bit data and column.
    window: BTreeMap<(usize, usize), u32>,
    /// Groups of four rows of 32-bit data that nothing lies in yet.
    free: Vec<usize>,
}

impl<'a> Loader<'a> {
    pub(super) fn new(machine: &'static Machine, base: &Small, under_test: &'a [Mnemonic], route: u32) -> Self {
        let chip = Chip::named(machine.name).expect("boards are of this family");
        Loader {
            chip,
            words: Words::new(chip, machine),
            thread: 0,
            all_on: false,
            now: *base,
            places: Places::of(chip),
            under_test,
            by_window: route == 2 && chip == Chip::Blackhole,
            window: BTreeMap::new(),
            free: Vec::new(),
        }
    }

    /// Everything, in order.
    pub(super) fn load(&mut self, needs: &Needs) -> Result<(), Unreachable> {
        self.thread = needs.small.current_thread as usize;
        self.free = (0..128).filter(|&group| !rows_of(group).any(|row| needs.dst.contains_key(&row))).collect();
        self.refuse(needs)?;
        self.load_sources(needs)?;
        self.load_dst(&needs.dst);
        let free = self.load_registers(needs)?;
        self.invalidate(&needs.invalid);
        for thread in 0..3 {
            self.count(thread, &needs.small);
        }
        self.give_and_take(&needs.small);
        self.push_flags(&needs.small, &free)?;
        self.set_lanes(&needs.small, &free)?;
        self.set_config(&needs.small);
        self.set_semaphores(&needs.small);
        for (&(thread, group), words) in &needs.gprs {
            self.set_gprs(thread, group, words);
        }
        if !needs.gprs.is_empty() && self.tries(Mnemonic::Wrcfg) {
            self.wait_for_gprs();
        }
        for thread in [(self.thread + 1) % 3, (self.thread + 2) % 3, self.thread] {
            self.set_thread_config(thread, &needs.small);
        }
        for thread in [(self.thread + 1) % 3, (self.thread + 2) % 3, self.thread] {
            self.latch(thread, needs.small.latched[thread])?;
        }
        Ok(())
    }

    /// The stores to the window, as addresses and data.
    pub(super) fn writes(&self) -> Vec<(u32, u32)> {
        let address = |row: usize, column: usize| WINDOW_BASE + 4 * (16 * row + column) as u32;
        self.window.iter().map(|(&(row, column), &value)| (address(row, column), value)).collect()
    }

    fn refuse(&self, needs: &Needs) -> Result<(), Unreachable> {
        if needs.small.mutex_held_by != [0; 8] {
            return Err(Unreachable::HeldMutex);
        }
        if needs.small.hardware_bug != 0 {
            return Err(Unreachable::HardwareBug);
        }
        let rows = needs.small.unpackers_src_row.as_flattened();
        if rows.iter().any(|row| row % 16 != 0) {
            return Err(Unreachable::UnpackerRow);
        }
        Ok(())
    }

    pub(super) fn push(&mut self, mnemonic: Mnemonic, fields: &[(&str, u32)]) {
        self.words.push(self.thread, mnemonic, fields);
    }

    /// Whether an instruction is under test.
    pub(super) fn tries(&self, mnemonic: Mnemonic) -> bool {
        self.under_test.contains(&mnemonic)
    }

    /// The first of these that is not under test, or else the first.
    fn one_of(&self, choices: &[Mnemonic]) -> Mnemonic {
        choices.iter().copied().find(|&one| !self.tries(one)).unwrap_or(choices[0])
    }

    // -------------------------------------------------------------------------------------------- configuration

    /// A word of a thread's `ThreadConfig`, if it is another one now.
    pub(super) fn set_thread_word(&mut self, thread: usize, index: usize, value: u16) {
        if self.now.thread_config[thread][index] != value {
            let fields = [("CfgIndex", index as u32), ("NewValue", u32::from(value))];
            self.words.push(thread, Mnemonic::Setc16, &fields);
            self.now.thread_config[thread][index] = value;
        }
    }

    /// A word of a bank of `Config`, if it is another one now.
    pub(super) fn set_config_word(&mut self, bank: usize, index: usize, value: u32) {
        let old = *self.now.config_word_mut(self.chip, bank, index).expect("the word is in the state");
        if old == value {
            return;
        }
        let state_id = self.now.thread_config[self.thread][0] & !1 | bank as u16;
        self.set_thread_word(self.thread, 0, state_id);
        let bytes = [Mnemonic::Rmwcib0, Mnemonic::Rmwcib1, Mnemonic::Rmwcib2, Mnemonic::Rmwcib3];
        // A write of WRCFG to the word that resets the bank does something else.
        if bytes.iter().any(|&one| self.tries(one)) && index != 4 {
            self.set_gpr(self.thread, VIA_GPR, value);
            self.push(Mnemonic::Wrcfg, &[("InputReg", VIA_GPR), ("CfgIndex", index as u32)]);
        } else {
            for (byte, mnemonic) in bytes.into_iter().enumerate() {
                let (was, is) = ((old >> (8 * byte)) & 0xff, (value >> (8 * byte)) & 0xff);
                if was != is {
                    self.push(mnemonic, &[("Mask", 0xff), ("NewValue", is), ("Index4", index as u32)]);
                }
            }
        }
        *self.now.config_word_mut(self.chip, bank, index).expect("the word is in the state") = value;
    }

    fn set_gpr(&mut self, thread: usize, register: u32, value: u32) {
        for half in 0..2 {
            let fields = [("ResultHalfReg", 2 * register + half), ("NewValue", (value >> (16 * half)) & 0xffff)];
            self.words.push(thread, Mnemonic::SetdmaregImmediate, &fields);
        }
    }

    fn set_gprs(&mut self, thread: usize, group: usize, words: &[u32; 4]) {
        for (register, &word) in (4 * group as u32..).zip(words) {
            self.set_gpr(thread, register, word);
        }
    }

    /// Waits until the GPRs are written, for a `WRCFG` under test: it comes in a segment of its own, before which nothing else
    /// can stand. What the wait does not block ends its being latched.
    fn wait_for_gprs(&mut self) {
        self.words.wait(self.thread, 1 << 7, 1);
        let index = self.places.clr_dvalid;
        let same = u32::from(self.now.thread_config[self.thread][index]);
        self.push(Mnemonic::Setc16, &[("CfgIndex", index as u32), ("NewValue", same)]);
    }

    fn set_config(&mut self, small: &Small) {
        for bank in 0..2 {
            // The word of which some writes reset the bank comes first.
            let mut all = config_words(self.chip);
            all.sort_by_key(|&index| index != 4);
            for index in all {
                let value = *small.config_word(self.chip, bank, index).expect("the word is in the state");
                self.set_config_word(bank, index, value);
            }
        }
    }

    fn set_thread_config(&mut self, thread: usize, small: &Small) {
        for index in (0..self.chip.thread_config_size()).rev() {
            self.set_thread_word(thread, index, small.thread_config[thread][index]);
        }
    }

    fn set_semaphores(&mut self, small: &Small) {
        for (number, semaphore) in small.semaphores.iter().enumerate() {
            if (semaphore.value, semaphore.max) != (0, 0) {
                let fields = [("SemaphoreMask", 1 << number), ("NewValue", semaphore.value), ("NewMax", semaphore.max)];
                self.push(Mnemonic::Seminit, &fields);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- lanes and registers

    /// All lanes take part.
    pub(super) fn all_lanes(&mut self) {
        if !self.all_on {
            self.heed(true, true);
        }
    }

    pub(super) fn heed(&mut self, heeded: bool, flag: bool) {
        let imm2 = u32::from(heeded) | u32::from(flag) << 1;
        self.push(Mnemonic::Sfpencc, &[("Mod1", 10), ("Imm2", imm2)]);
        self.all_on = heeded && flag;
    }

    /// Of the lanes that take part, those from `lane` on still do, or those before it.
    pub(super) fn lanes_from(&mut self, select: u32, lane: usize) {
        self.compare(select, lane, 9);
    }

    pub(super) fn lanes_before(&mut self, select: u32, lane: usize) {
        self.compare(select, lane, 1);
    }

    fn compare(&mut self, select: u32, lane: usize, mod1: u32) {
        self.all_on = false;
        let imm12 = (2 * lane as u32).wrapping_neg() & 0xfff;
        self.push(Mnemonic::Sfpiadd, &[("Mod1", mod1), ("VD", select), ("VC", LANE_NUMBERS), ("Imm12", imm12)]);
    }

    /// Gives lanes of a register their values, and what is not asked for any. `select` loses what it holds, and in the end all
    /// lanes take part.
    pub(super) fn fill(&mut self, register: u32, select: u32, lanes: &[Option<u32>; LANES]) {
        self.all_lanes();
        let mut last = None;
        for (lane, value) in lanes.iter().enumerate() {
            let Some(value) = *value else { continue };
            if last == Some(value) {
                continue;
            }
            if last.is_some() {
                self.lanes_from(select, lane);
            }
            self.set_lanes_of(register, value);
            last = Some(value);
        }
        self.all_lanes();
    }

    /// All lanes that take part get a value.
    pub(super) fn set_lanes_of(&mut self, register: u32, value: u32) {
        let (high, low) = (value >> 16, value & 0xffff);
        let immediates: &[(u32, u32)] = match (high, low) {
            (0, _) => &[(2, low)],
            (_, 0) => &[(0, high)],
            (0xffff, 0x8000..) => &[(4, low)],
            _ => &[(8, high), (10, low)],
        };
        for &(mod0, imm16) in immediates {
            self.push(Mnemonic::Sfploadi, &[("VD", register), ("Mod0", mod0), ("Imm16", imm16)]);
        }
    }

    /// The registers, and those that stay free: the first selects lanes.
    fn load_registers(&mut self, needs: &Needs) -> Result<Vec<u32>, Unreachable> {
        let misc = needs.small.load_macro_misc;
        let mut configured: Vec<(usize, &[u32])> =
            needs.load_macro.iter().map(|(&row, words)| (row, &words[..])).collect();
        if misc != [0; 8] {
            configured.push((8, &misc));
        }
        configured.extend(needs.lreg.range(11..).map(|(&register, lanes)| (register, &lanes[..])));
        for (number, words) in configured {
            self.fill(DATA, SELECT, &std::array::from_fn(|lane| (lane < 8).then(|| words[lane])));
            self.push(Mnemonic::Sfpconfig, &[("VD", number as u32)]);
        }
        let is_free = |register: &u32| !needs.lreg.contains_key(&(*register as usize));
        let free: Vec<u32> = [1, 2, 3, 7, 6, 5, 4, 0].into_iter().filter(is_free).collect();
        let select = *free.first().ok_or(Unreachable::NoFreeRegister)?;
        for (&register, lanes) in needs.lreg.range(..8) {
            if self.by_window {
                self.load_register_by_window(register as u32, lanes)?;
            } else {
                self.fill(register as u32, select, &lanes.map(Some));
            }
        }
        Ok(free)
    }

    fn load_register_by_window(&mut self, register: u32, lanes: &[u32; LANES]) -> Result<(), Unreachable> {
        let group = self.free.pop().ok_or(Unreachable::NoFreeRows)?;
        for (lane, &value) in lanes.iter().enumerate() {
            // The window keeps a datum of 32 bits in the order of Dst, and SFPLOAD takes it from there.
            self.window.insert((4 * group + lane / 8, 2 * (lane % 8)), value);
        }
        self.all_lanes();
        let fields = [("VD", register), ("Mod0", mod0::INT32), ("Imm10", 4 * group as u32)];
        self.push(Mnemonic::Sfpload, &fields);
        Ok(())
    }

    // -------------------------------------------------------------------------------------------- Dst

    fn load_dst(&mut self, rows: &BTreeMap<usize, [u32; 16]>) {
        if self.by_window {
            for (&row, words) in rows {
                self.put_in_window(row, words);
            }
        } else {
            self.store_rows(rows);
        }
    }

    /// Stores rows of `DstBits` from a register: four rows at a time, first the even columns and then the odd ones.
    fn store_rows(&mut self, rows: &BTreeMap<usize, [u32; 16]>) {
        let groups: BTreeSet<usize> = rows.keys().map(|row| row / 4).collect();
        for group in groups {
            for odd in 0..2 {
                let lane = |lane: usize| Some(rows.get(&(4 * group + lane / 8))?[2 * (lane % 8) + odd]);
                self.fill(DATA, SELECT, &std::array::from_fn(lane));
                let imm10 = (4 * group + 2 * odd) as u32;
                self.push(Mnemonic::Sfpstore, &[("VD", DATA), ("Mod0", mod0::UINT16), ("Imm10", imm10)]);
            }
        }
    }

    /// Has a row of `DstBits` stored as halves of 32-bit data.
    fn put_in_window(&mut self, row: usize, words: &[u32; 16]) {
        let datum_row = (row >> 1 & 0x1f8) | (row & 7);
        for (column, &word) in words.iter().enumerate() {
            let datum = self.window.entry((datum_row, column)).or_default();
            // The window turns the high half round: exponent and mantissa.
            *datum = if row & 8 == 0 {
                *datum & 0xffff | ((word & 0x8000) | (word & 0x7f00) >> 8 | (word & 0xff) << 7) << 16
            } else {
                *datum & 0xffff_0000 | word
            };
        }
    }

    fn invalidate(&mut self, rows: &BTreeSet<usize>) {
        if rows.is_empty() {
            return;
        }
        // A row of DstBits is named where Dst has 16 bits.
        self.set_config_word(0, 1, 0);
        for &row in rows {
            self.push(Mnemonic::Zeroacc, &[("Imm10", row as u32)]);
        }
    }

    // -------------------------------------------------------------------------------------------- SrcA and SrcB

    fn load_sources(&mut self, needs: &Needs) -> Result<(), Unreachable> {
        if needs.src.is_empty() {
            return Ok(());
        }
        let clear = [("ClearSrcA", 1), ("ClearSrcB", 1), ("BothBanks", 1)];
        self.push(Mnemonic::Zerosrc, &clear);
        let filled = needs.src.iter().filter(|(_, words)| words.iter().any(|&word| word != 0));
        let groups: BTreeSet<_> = filled.map(|(&(source, bank, row), _)| (source, bank, row / 4)).collect();
        if groups.is_empty() {
            return Ok(());
        }
        self.set_config_word(0, 0, TF32_BOTH);
        self.set_config_word(0, 1, FP32_ENABLED);
        if self.chip == Chip::Blackhole {
            self.set_thread_word(self.thread, 2, 1);
        }
        for (source, bank, group) in groups {
            self.use_bank(source, bank);
            let row = |row: usize| needs.src.get(&(source, bank, 4 * group + row)).copied().unwrap_or_default();
            self.load_source_rows(source, group, &std::array::from_fn(row))?;
        }
        self.use_bank(0, 0);
        self.use_bank(1, 0);
        Ok(())
    }

    /// Four rows go to 32-bit data of `Dst`, and from there to the source.
    fn load_source_rows(&mut self, source: usize, group: usize, rows: &[[u32; 16]; 4]) -> Result<(), Unreachable> {
        let via = if self.by_window { self.free.pop().ok_or(Unreachable::NoFreeRows)? } else { 0 };
        let mut dst = BTreeMap::new();
        for (row, words) in rows_of(via).zip(rows.iter().flat_map(halves)) {
            dst.insert(row, words);
        }
        self.load_dst(&dst);
        let mnemonic = [Mnemonic::Movd2a, Mnemonic::Movd2b][source];
        let fields = [("Move4Rows", 1), ("SrcRow", 4 * group as u32), ("DstRow", 4 * via as u32)];
        self.push(mnemonic, &fields);
        Ok(())
    }

    /// The Matrix Unit goes over to a bank, whose owner stays.
    pub(super) fn use_bank(&mut self, source: usize, bank: usize) {
        let now = if source == 0 { &mut self.now.matrix_unit_srca_bank } else { &mut self.now.matrix_unit_srcb_bank };
        if *now as usize != bank {
            *now ^= 1;
            self.set_thread_word(self.thread, self.places.clr_dvalid, 3);
            self.push(Mnemonic::Setrwc, &[(["FlipSrcA", "FlipSrcB"][source], 1)]);
        }
    }

    /// Owners and banks of both units, and Blackhole's implied formats.
    fn give_and_take(&mut self, small: &Small) {
        for source in 0..2 {
            for thread in [(self.thread + 1) % 3, (self.thread + 2) % 3, self.thread] {
                self.begin_at(source, thread, small.unpackers_src_row[source][thread]);
            }
            let [formats, owners] = implied(small, source);
            if formats != [0, 0] {
                self.give(source, self.thread, formats[0]);
                self.give(source, self.thread, formats[1]);
            }
            if small.unpackers_src_bank[source] != 0 {
                self.give(source, self.thread, formats[0]);
            }
            for (bank, owner) in owners.into_iter().enumerate() {
                if owner != MATRIX_UNIT {
                    self.use_bank(source, bank);
                    let flip = ["FlipSrcA", "FlipSrcB"][source];
                    self.push(Mnemonic::Cleardvalid, &[(flip, 1), ("KeepReadingSameSrc", 1)]);
                }
            }
            let bank = [small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank][source];
            self.use_bank(source, bank as usize);
        }
    }

    /// The row at which an Unpacker begins for a thread, by giving both banks away.
    fn begin_at(&mut self, source: usize, thread: usize, row: u32) {
        if row != 0 {
            let index = self.places.set_base[source];
            self.set_thread_word(thread, index, (row >> 4) as u16);
            self.give(source, thread, 0);
            self.give(source, thread, 0);
        }
    }

    /// The Unpacker of a source gives its bank away, on Blackhole with a format.
    pub(super) fn give(&mut self, source: usize, thread: usize, format: u32) {
        match self.chip {
            Chip::Wormhole => {
                let choice = self.one_of(&[Mnemonic::Setdvalid, Mnemonic::UnpacrNopSetdvalid]);
                let field = match choice {
                    Mnemonic::Setdvalid => (["FlipSrcA", "FlipSrcB"][source], 1),
                    _ => ("WhichUnpacker", source as u32),
                };
                self.words.push(thread, choice, &[field]);
            }
            Chip::Blackhole => {
                self.set_config_word(0, [72, 120][source], format);
                self.words.push(thread, Mnemonic::UnpacrNopSetdvalid, &[("WhichUnpacker", source as u32)]);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- counters

    /// The counters of a thread: AddrMod adds what its section says. Whoever applies it moves nothing.
    fn count(&mut self, thread: usize, small: &Small) {
        let (rwc, sp) = (small.rwcs[thread], small.sp[thread]);
        if rwc == Default::default() && sp == 0 {
            return;
        }
        self.all_lanes();
        self.push(Mnemonic::Sfpconfig, &[("VD", 15), ("Mod1", 1), ("Imm16", BLOCK_ALL_MOVES)]);
        if sp != 0 {
            self.set_thread_word(thread, 36, sp as u16);
            let fields = [("Mod0", mod0::INT32_ALL)];
            self.words.push(thread, Mnemonic::Sfpstore, &fields);
            self.set_thread_word(thread, 36, 0);
        }
        if self.chip == Chip::Blackhole {
            self.set_thread_word(thread, 2, 1);
            self.set_thread_word(thread, 3, 1);
        }
        let ab = rwc.srca_cr | 1 << 6 | rwc.srcb_cr << 8 | 1 << 14;
        self.apply(thread, ab, rwc.dst_cr | 1 << 10 | rwc.fidelity_phase << 13, 0);
        let less = |counter: u32, cr: u32, mask: u32| counter.wrapping_sub(cr) & mask;
        let ab = less(rwc.srca, rwc.srca_cr, 63) | less(rwc.srcb, rwc.srcb_cr, 63) << 8;
        self.apply(thread, ab, less(rwc.dst, rwc.dst_cr, 1023), rwc.extra_addr_mod_bit);
        for index in [self.places.ab, self.places.dst, self.places.bias] {
            self.set_thread_word(thread, index, 0);
        }
        // Between two of these an instruction of the unit has to stand.
        self.heed(true, true);
        self.push(Mnemonic::Sfpconfig, &[("VD", 15), ("Mod1", 1)]);
    }

    fn apply(&mut self, thread: usize, ab: u32, dst: u32, bias: u32) {
        for (index, value) in [(self.places.ab, ab), (self.places.dst, dst), (self.places.bias, bias)] {
            self.set_thread_word(thread, index, value as u16);
        }
        let choice = self.one_of(&[Mnemonic::Movd2a, Mnemonic::Movd2b]);
        self.words.push(thread, choice, &[]);
    }

    // -------------------------------------------------------------------------------------------- lanes

    /// The stacks of flags, which have one depth: the flags of each entry come about as those of the lanes do.
    fn push_flags(&mut self, small: &Small, free: &[u32]) -> Result<(), Unreachable> {
        let stack = small.flag_stack;
        for entry in (0..8).take_while(|&entry| stack.occupied[entry] != 0) {
            if stack.occupied[entry] != u32::MAX {
                return Err(Unreachable::UnevenStacks);
            }
            let mut flags = self.now;
            flags.lane_flags = stack.lane_flags[entry];
            flags.use_lane_flags_for_lane_enable = stack.use_lane_flags_for_lane_enable[entry];
            flags.lane_config = [0; 8];
            self.set_lanes(&flags, free)?;
            self.push(Mnemonic::Sfppushc, &[]);
            self.heed(true, true);
        }
        Ok(())
    }

    /// Which lanes take part, and their configuration.
    fn set_lanes(&mut self, small: &Small, free: &[u32]) -> Result<(), Unreachable> {
        let (heeded, flags) = (small.use_lane_flags_for_lane_enable, small.lane_flags);
        let (select, pattern) = (free[0], free.get(1).copied());
        let keeps_data = !free.contains(&DATA) || select == DATA || pattern == Some(DATA);
        let mut lanes = Lanes { loader: self, select, pattern, keeps_data, configs: small.lane_config };
        match (heeded, flags) {
            (0 | u32::MAX, 0 | u32::MAX) => {
                lanes.configure()?;
                self.heed(heeded != 0, flags != 0);
                Ok(())
            }
            (0, _) => lanes.idle(flags),
            (u32::MAX, _) => lanes.heeded(flags),
            _ => Err(Unreachable::UnevenUse),
        }
    }

    fn latch(&mut self, thread: usize, latched: Latched) -> Result<(), Unreachable> {
        let Latched { opcode, condition_mask, block_mask, semaphore_mask, target_value: _, stream_select: _ } = latched;
        match opcode {
            Latched::NONE if latched == Latched::default() => return Ok(()),
            Latched::STALLWAIT if condition_mask != 0 && block_mask != 0 && semaphore_mask == 0 => {
                self.words.close();
                let fields = [("BlockMask", block_mask), ("ConditionMask", condition_mask)];
                self.words.push(thread, Mnemonic::Stallwait, &fields);
            }
            Latched::SEMWAIT if condition_mask != 0 && condition_mask < 4 && block_mask != 0 => {
                self.words.close();
                let fields =
                    [("BlockMask", block_mask), ("ConditionMask", condition_mask), ("SemaphoreMask", semaphore_mask)];
                self.words.push(thread, Mnemonic::Semwait, &fields);
            }
            _ => return Err(Unreachable::Latch),
        }
        Ok(())
    }
}

/// The rows of `DstBits` of a group of four rows of 32-bit data: the high half of each, and its low half.
pub(super) fn rows_of(group: usize) -> impl Iterator<Item = usize> {
    let first = 16 * (group / 2) + 4 * (group % 2);
    (first..first + 4).flat_map(|row| [row, row + 8])
}

/// A row of a source as 32-bit data in the order of `Dst`, which MOVD2A and MOVD2B turn round.
fn halves(row: &[u32; 16]) -> [[u32; 16]; 2] {
    let turned = row.map(|word| (word & 0x7_f800) | (word & 0xff) << 3 | (word >> 8 & 7));
    [turned.map(|word| word >> 3), turned.map(|word| (word & 7) << 13)]
}

/// Blackhole's implied formats of a source's banks, and the owners.
fn implied(small: &Small, source: usize) -> [[u32; 2]; 2] {
    match source {
        0 => [small.implied_srca_fmt, small.srca_allowed_client],
        _ => [small.implied_srcb_fmt, small.srcb_allowed_client],
    }
}
