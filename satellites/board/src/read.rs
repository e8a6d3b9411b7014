//! What is read after a test: each row and field that it changes, as far as instructions bring it to where a core reads it.
//!
//! A core reads GPRs, both kinds of configuration, semaphores and `Dst` by itself. Registers and sources are moved to `Dst`. A
//! counter shows in the row to which a marked row goes. Another thread than that of the test does all this, so that a test that
//! is held can be read too, and counters, which are a thread's own, come last.

use std::collections::BTreeSet;

use tandem_harness::vectors::{Outcome, Test};
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::tensix::{Chip, Latched, MATRIX_UNIT, Mnemonic, Small, bank};
use tandem_isa::{Isa, State};

use super::load::{FP32_ENABLED, Loader, TF32_BOTH, rows_of};
use super::needs::{Needs, words};
use super::program::{Program, Read, Shows, Space};

/// BF16 in `ALU_FORMAT_SPEC_REG_SrcA_val` and `SrcB_val`, with their overrides.
const BF16_BOTH: u32 = 5 | 1 << 4 | 5 << 5 | 1 << 9;
/// A datum by which a row is known again: 1.0 as BF16 in the order of `Dst`, and as FP32.
pub(super) const MARK: u32 = 0x007f;
const MARK_FP32: u32 = 0x3f80_0000;
/// `LaneConfig.DISABLE_BACKDOOR_LOAD`.
const DISABLE_BACKDOOR_LOAD: u32 = 2;
/// Of more rows of marks than this only the first and the last are read.
const MOST_MARKS: usize = 8;

const HELD: &str = "every thread that could read waits for something";
const NO_READ: &str = "no instruction of the suite shows it";
const IDLE_FLAGS: &str = "flags show in lanes that heed them and have no configuration";
const MARKS: &str = "of many marks the first and the last are read";

/// The rows of marks that are read, of those that a test changes.
pub(super) fn marks_read(test: &Test) -> Vec<usize> {
    let rows = test.after.rows.keys().filter(|(number, _)| *number == bank::DST_ROW_VALID);
    let rows: Vec<usize> = rows.map(|&(_, row)| row).collect();
    match rows.len() {
        0..=MOST_MARKS => rows,
        count => [&rows[..MOST_MARKS / 2], &rows[count - MOST_MARKS / 2..]].concat(),
    }
}

/// Adds the reads of a test to its program.
pub(super) fn reads(isa: &'static Isa, loader: &mut Loader<'_>, test: &Test, needs: &Needs, program: &mut Program) {
    let mut after = State::zeroed(isa.layout);
    after.copy_from(&needs.before);
    test.after.apply(isa, &mut after);
    let small = super::base_small(&after);
    let thread = small.current_thread as usize;
    let is_free = |other: &usize| small.latched[*other].opcode == Latched::NONE;
    let reader = [(thread + 1) % 3, (thread + 2) % 3].into_iter().find(is_free);
    loader.now = small;
    loader.all_on = false;
    loader.thread = reader.unwrap_or(thread);
    let can_push = reader.is_some();
    let mut reader =
        Reader { isa, loader, test, after, small, thread, can_push, via: free_group(test, &needs.before), program };
    reader.read_directly();
    reader.read_dst();
    reader.read_lanes();
    reader.read_registers();
    reader.read_sources();
    reader.read_marks();
    reader.read_counters();
    reader.name_unread();
}

struct Reader<'r, 'a> {
    isa: &'static Isa,
    loader: &'r mut Loader<'a>,
    test: &'r Test,
    /// The state after the test, as far as the test says.
    after: State,
    small: Small,
    /// The thread of the test.
    thread: usize,
    /// Whether another thread is free to push.
    can_push: bool,
    /// A group of rows of `Dst` through which data go, without a mark that is read.
    via: usize,
    program: &'r mut Program,
}

impl Reader<'_, '_> {
    fn add(&mut self, (space, index, word): (Space, usize, usize), shows: Shows, expected: Vec<u32>, mask: Vec<u32>) {
        let segments = self.loader.words.take();
        self.program.reads.push(Read { segments, space, index, word, shows, expected, mask });
    }

    /// The rows of a bank that the test changes.
    fn changed(&self, number: usize) -> Vec<usize> {
        self.test.after.rows.keys().filter(|key| key.0 == number).map(|key| key.1).collect()
    }

    fn field(&self, name: &str) -> Option<usize> {
        (self.isa.layout.fields)().iter().position(|field| field.name == name)
    }

    /// The place of a field, if the test changes it.
    fn changed_field(&self, name: &str) -> Option<usize> {
        self.field(name).filter(|place| self.test.after.fields.contains_key(place))
    }

    // -------------------------------------------------------------------------------------------- without a push

    /// What a core reads by itself.
    fn read_directly(&mut self) {
        for row in self.changed(bank::GPRS) {
            for (column, value) in words(&self.after, bank::GPRS, row).into_iter().enumerate() {
                let shows =
                    Shows::Row { bank: bank::GPRS, row, columns: vec![Some(column)], parts: vec![(u32::MAX, 0)] };
                self.add((Space::Gprs, row / 16, 4 * (row % 16) + column), shows, vec![value], vec![u32::MAX]);
            }
        }
        self.read_configuration();
        for number in 0..8 {
            if let Some(field) = self.changed_field(&format!("Semaphores[{number}].Value")) {
                let value = self.small.semaphores[number].value;
                self.add((Space::Semaphore, number, 0), Shows::Fields(vec![(field, 15)]), vec![value], vec![15]);
            }
        }
        self.read_loaded();
    }

    /// Words of configuration with a field that changes.
    fn read_configuration(&mut self) {
        let fields = (self.isa.layout.fields)();
        let mut seen = BTreeSet::new();
        for &place in self.test.after.fields.keys() {
            let Some((kind, index)) = fields[place].address else { continue };
            let name = &fields[place].name;
            // The words that both banks share have no number.
            let number = name.split(['[', ']']).nth(1).and_then(|number| number.parse().ok());
            let number: usize = number.filter(|_| name.as_bytes()[kind.len()] == b'[').unwrap_or(0);
            let space = if kind == "Config" { Space::Config } else { Space::ThreadConfig };
            if !seen.insert((space, number, index)) {
                continue;
            }
            let index = index as usize;
            let value = match space {
                Space::Config => self.small.config_word(self.loader.chip, number, index).copied().unwrap_or_default(),
                _ => u32::from(self.small.thread_config[number][index]),
            };
            let same = fields.iter().enumerate().filter(|(_, one)| one.byte == fields[place].byte);
            let mask = |shift: u32, width: u32| (if width >= 32 { u32::MAX } else { (1 << width) - 1 }) << shift;
            let shown = same.map(|(place, one)| (place, mask(one.shift, one.width))).collect();
            let all = if space == Space::Config { u32::MAX } else { 0xffff };
            self.add((space, number, index), Shows::Fields(shown), vec![value], vec![all]);
        }
    }

    /// What an access under test loaded.
    fn read_loaded(&mut self) {
        let names: Vec<usize> = (0..4).filter_map(|word| self.field(&format!("RISCV.Data[{word}]"))).collect();
        for (word, &field) in names.iter().enumerate() {
            if self.test.after.fields.contains_key(&field) {
                let mut mask = vec![0; 4];
                mask[word] = u32::MAX;
                let expected = self.small.risc_data.to_vec();
                self.add((Space::Loaded, 0, word), Shows::Fields(vec![(field, u32::MAX)]), expected, mask);
            }
        }
    }

    /// Rows of `DstBits` that the test changes or names.
    fn read_dst(&mut self) {
        let named = self.test.before.rows.keys().filter(|key| key.0 == bank::DST).map(|key| key.1);
        let rows: BTreeSet<usize> = named.chain(self.changed(bank::DST)).collect();
        let by_window = self.program.route == 2 && self.loader.chip == Chip::Blackhole && self.can_push;
        if by_window && !rows.is_empty() {
            let thread = self.loader.thread;
            self.calm(0, 0);
            // 16 bits as they are, for the core of this thread.
            self.loader.set_config_word(0, 3, (2 << 16 | 1 << 14) << (5 * thread));
            self.loader.set_config_word(0, 220, 0);
        }
        for row in rows {
            let is_valid = self.after.word(bank::DST_ROW_VALID, row, 0) != 0;
            let space = if by_window && is_valid { Space::Window } else { Space::Dst };
            self.dst_row((space, row), bank::DST, row, vec![(0xffff, 0)]);
        }
    }

    /// Reads a row of `Dst` that shows a row of a bank: of a register eight lanes, in the even columns.
    fn dst_row(&mut self, (space, at): (Space, usize), number: usize, row: usize, parts: Vec<(u32, i32)>) {
        let is_lanes = number == bank::LREG;
        let column = |place: usize| match is_lanes {
            true => place.is_multiple_of(2).then_some(place / 2 + 8 * (at % 8)),
            false => Some(place),
        };
        let columns: Vec<Option<usize>> = (0..16).map(column).collect();
        let mask: u32 = parts.iter().fold(0, |all, part| all | part.0);
        let value = |column: &Option<usize>| {
            let word = column.map_or(0, |column| self.after.word(number, row, column));
            parts.iter().fold(0, |all, &(bits, left)| all | shift(word, -left) & bits)
        };
        let expected = columns.iter().map(value).collect();
        let mask = columns.iter().map(|column| if column.is_some() { mask } else { 0 }).collect();
        let thread = if space == Space::Window { self.loader.thread } else { 0 };
        self.add((space, at, thread), Shows::Row { bank: number, row, columns, parts }, expected, mask);
    }

    // -------------------------------------------------------------------------------------------- pushed by another thread

    /// The thread that reads has counters of 0, and configuration for plain moves with these formats.
    fn calm(&mut self, formats: u32, accumulation: u32) {
        let (chip, thread) = (self.loader.chip, self.loader.thread);
        let rwc = self.loader.now.rwcs[thread];
        if (rwc.dst, rwc.srca, rwc.srcb) != (0, 0, 0) {
            self.loader.push(Mnemonic::Setrwc, &[("SrcA", 1), ("SrcB", 1), ("Dst", 1)]);
            let rwc = &mut self.loader.now.rwcs[thread];
            (rwc.dst, rwc.srca, rwc.srcb) = (0, 0, 0);
        }
        let extra = rwc.extra_addr_mod_bit as usize;
        let section = self.loader.chip.pick(4 * extra, 0);
        let sections = chip.addr_mod_sections();
        for array in [sections.ab, sections.dst, sections.bias] {
            self.loader.set_thread_word(thread, array.first + section * array.stride, 0);
        }
        self.loader.set_thread_word(thread, 1, 0);
        self.loader.set_thread_word(thread, chip.pick(56, 55), 0);
        let base = if chip == Chip::Wormhole { 2 } else { 36 };
        self.loader.set_thread_word(thread, base, 0);
        if chip == Chip::Blackhole {
            self.loader.set_thread_word(thread, 2, 1);
            self.loader.set_thread_word(thread, 3, 1);
            let back = self.small.sp[thread].wrapping_neg() & 0x3ff;
            self.loader.set_config_word(0, 7, back);
            self.loader.set_config_word(0, 220, 0);
        }
        for (index, value) in [(0, formats), (1, accumulation), (2, 1), (6, 0)] {
            self.loader.set_config_word(0, index, value);
        }
        // Nothing may have set StateID in the last step.
        self.loader.set_thread_word(thread, 0, 0);
    }

    /// Whether another thread can push, and can have an AddrMod applied.
    fn can_move(&self, thread: usize) -> bool {
        let has_extra_bit = self.small.rwcs[thread].extra_addr_mod_bit != 0;
        self.can_push && !(self.loader.chip == Chip::Blackhole && has_extra_bit)
    }

    /// All lanes take part, with nothing configured but what `config` says.
    fn calm_lanes(&mut self, config: u32) {
        self.loader.all_lanes();
        self.loader.push(Mnemonic::Sfpconfig, &[("VD", 15), ("Mod1", 1), ("Imm16", config)]);
        // The next instruction of the unit may not see it yet.
        self.loader.heed(true, true);
    }

    /// Makes the rows through which data go valid, by moving something there.
    fn make_valid(&mut self) {
        if !is_valid(&self.after, self.via) {
            self.loader.push(Mnemonic::Movdbga2d, &[("Move8Rows", 1), ("DstRow", 4 * self.via as u32)]);
        }
    }

    /// The flags of lanes that heed them.
    fn read_lanes(&mut self) {
        let Some(field) = self.changed_field("LaneFlags") else { return };
        let is_calm = self.small.lane_config.iter().all(|&config| config == 0);
        if !self.can_move(self.loader.thread)
            || !is_calm
            || !is_valid(&self.after, self.via)
            || self.small.use_lane_flags_for_lane_enable != u32::MAX
        {
            return;
        }
        self.calm(0, 0);
        // Zeros by the mode that heeds no flags, then ones.
        let via = 4 * self.via as u32;
        self.loader.push(Mnemonic::Sfpstore, &[("VD", 9), ("Mod0", mod0::INT32_ALL), ("Imm10", via)]);
        let first = rows_of(self.via).next().unwrap_or_default();
        let at = [("VD", 10), ("Mod0", mod0::HI16_ONLY), ("Imm10", first as u32)];
        self.loader.push(Mnemonic::Sfpstore, &at);
        for row in 0..4 {
            let flags: Vec<Option<usize>> =
                (0..16_usize).map(|column| column.is_multiple_of(2).then_some(column / 2 + 8 * row)).collect();
            let set = |flag: &Option<usize>| flag.is_some_and(|flag| self.small.lane_flags >> flag & 1 != 0);
            let expected = flags.iter().map(|flag| if set(flag) { MARK_FP32 >> 16 } else { 0 }).collect();
            let mask = flags.iter().map(|flag| if flag.is_some() { 0xffff } else { 0 }).collect();
            self.add((Space::Dst, first + row, 0), Shows::Flags { field, flags }, expected, mask);
        }
    }

    /// Registers, as 32 bits that stay as they are.
    fn read_registers(&mut self) {
        // No SFPSTORE names register 16.
        let registers: Vec<usize> = self.changed(bank::LREG).into_iter().filter(|&register| register < 16).collect();
        if registers.is_empty() || !self.can_move(self.loader.thread) {
            return;
        }
        self.calm(TF32_BOTH, FP32_ENABLED);
        // A register from 12 on is stored where the back door is shut.
        let has_high = registers.iter().any(|&register| register >= 12);
        self.calm_lanes(if has_high { DISABLE_BACKDOOR_LOAD } else { 0 });
        self.make_valid();
        for register in registers {
            self.loader.push(
                Mnemonic::Sfpstore,
                &[("VD", register as u32), ("Mod0", mod0::HI16), ("Imm10", 4 * self.via as u32)],
            );
            for row in rows_of(self.via) {
                let left = if row & 8 == 0 { 16 } else { 0 };
                self.dst_row((Space::Dst, row), bank::LREG, register, vec![(0xffff, left)]);
            }
        }
    }

    /// Rows of `SrcA` and `SrcB`, as TF32.
    fn read_sources(&mut self) {
        let per_row = |number: usize, row: usize| (number - bank::SRCA, row / 64, row % 64);
        let rows = [bank::SRCA, bank::SRCB]
            .into_iter()
            .flat_map(|number| self.changed(number).into_iter().map(move |row| (number, row, per_row(number, row))));
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() || !self.can_move(self.loader.thread) {
            return;
        }
        self.calm(TF32_BOTH, FP32_ENABLED);
        self.calm_lanes(0);
        for (number, row, (source, bank, row_of_bank)) in rows {
            self.loader.use_bank(source, bank);
            self.own(source, bank);
            let move_to_dst = self.way_back(source, bank);
            self.loader.push(move_to_dst, &[("SrcRow", row_of_bank as u32), ("DstRow", 4 * self.via as u32)]);
            let first = rows_of(self.via).next().unwrap_or_default();
            self.dst_row((Space::Dst, first), number, row, vec![(0xff00, 3), (0xff, 0)]);
            self.dst_row((Space::Dst, first + 8), number, row, vec![(0xe000, -5)]);
        }
    }

    /// The move that brings a row of a source back: by the second route one that waits for owners.
    fn way_back(&self, source: usize, bank: usize) -> Mnemonic {
        let is_owned = self.loader.now.srca_allowed_client[bank] == MATRIX_UNIT;
        let by_second = self.program.route == 2 || self.loader.tries(Mnemonic::Movdbga2d);
        match source {
            0 if by_second && is_owned && !self.loader.tries(Mnemonic::Mova2d) => Mnemonic::Mova2d,
            0 => Mnemonic::Movdbga2d,
            _ => Mnemonic::Movb2d,
        }
    }

    /// A bank of `SrcB` becomes the Matrix Unit's, which waits for it.
    fn own(&mut self, source: usize, bank: usize) {
        while source == 1 && self.loader.now.srcb_allowed_client[bank] != MATRIX_UNIT {
            let given = self.loader.now.unpackers_src_bank[1] as usize;
            self.loader.give(1, self.loader.thread, 0);
            self.loader.now.srcb_allowed_client[given] = MATRIX_UNIT;
            self.loader.now.unpackers_src_bank[1] ^= 1;
        }
    }

    /// Whether rows of `Dst` are valid: one that is not moves as zeros, and else as what the loader put there.
    fn read_marks(&mut self) {
        let rows = marks_read(self.test);
        if rows.is_empty() || !self.can_move(self.loader.thread) {
            return;
        }
        self.calm(BF16_BOTH, 0);
        self.calm_lanes(0);
        for row in rows {
            let is_valid = self.after.word(bank::DST_ROW_VALID, row, 0) != 0;
            self.loader.push(Mnemonic::Movd2a, &[("DstRow", row as u32)]);
            let at = (row + 512) % 1024;
            self.loader.push(Mnemonic::Movdbga2d, &[("DstRow", at as u32)]);
            let held = words(&self.after, bank::DST, row);
            // A row of zeros does not tell.
            let is_told = held.iter().any(|&word| word != 0);
            if !is_told {
                continue;
            }
            let expected = if is_valid { held } else { vec![0; 16] };
            self.add((Space::Dst, at, 0), Shows::Validity(row), expected, vec![0xffff; 16]);
        }
    }

    // -------------------------------------------------------------------------------------------- counters

    /// The counters of the test's thread, by the row to which a marked row goes.
    fn read_counters(&mut self) {
        let prefix = format!("RWCs[{}].", self.thread);
        let fields = (self.isa.layout.fields)();
        let changed: BTreeSet<&str> =
            self.test.after.fields.keys().filter_map(|&place| fields[place].name.strip_prefix(&prefix)).collect();
        let latched = self.small.latched[self.thread].opcode != Latched::NONE || self.test.outcome == Outcome::Blocked;
        if latched || !self.can_move(self.thread) || !self.can_move(self.loader.thread) {
            return;
        }
        let rwc = self.small.rwcs[self.thread];
        for source in 0..2 {
            let names = [["Dst", "SrcA"], ["Dst", "SrcB"]][source];
            let row = [rwc.srca, rwc.srcb][source];
            if names.iter().any(|name| changed.contains(name)) {
                self.probe(source, (rwc.dst, row), names);
            }
        }
        let [crs_of_a, crs_of_b] = [["Dst_Cr", "SrcA_Cr"], ["Dst_Cr", "SrcB_Cr"]];
        if crs_of_a.iter().chain(&crs_of_b).any(|name| changed.contains(name)) {
            let crs = [("SrcACr", 1), ("SrcBCr", 1), ("DstCr", 1)];
            self.loader.words.push(self.thread, Mnemonic::Incrwc, &crs);
            self.probe(0, (rwc.dst_cr, rwc.srca_cr), crs_of_a);
            self.probe(1, (rwc.dst_cr, rwc.srcb_cr), crs_of_b);
        }
    }

    /// Moves the row of a source that the counter names, the only one with something in it, to the row of `Dst` that the other
    /// counter names.
    fn probe(&mut self, source: usize, (dst, row): (u32, u32), names: [&str; 2]) {
        let reader = self.loader.thread;
        self.calm(BF16_BOTH, 0);
        self.calm_lanes(0);
        let bank = [self.loader.now.matrix_unit_srca_bank, self.loader.now.matrix_unit_srcb_bank][source];
        self.own(source, bank as usize);
        let clear = [("ClearSrcA", 1), ("ClearSrcB", 1), ("BothBanks", 1)];
        self.loader.push(Mnemonic::Zerosrc, &clear);
        let [back, there] = [[Mnemonic::Movdbga2d, Mnemonic::Movd2a], [Mnemonic::Movb2d, Mnemonic::Movd2b]][source];
        // An empty row makes the row of Dst valid, and both rows that are used something else than marked.
        let via = (dst + 512) & 0x3f8;
        for at in [dst, via, via + 1, via + 2, via + 3] {
            self.loader.push(back, &[("DstRow", at)]);
        }
        self.loader.set_lanes_of(0, MARK);
        for odd in [0, 2] {
            self.loader.push(Mnemonic::Sfpstore, &[("Mod0", mod0::UINT16), ("Imm10", via | odd)]);
        }
        self.loader.push(there, &[("DstRow", via), ("SrcRow", row)]);
        self.loader.thread = self.thread;
        self.calm_thread();
        self.loader.push(back, &[]);
        self.loader.thread = reader;
        let shown = names.iter().filter_map(|name| self.field(&format!("RWCs[{}].{name}", self.thread))).collect();
        self.add((Space::Dst, dst as usize, 0), Shows::Agreement(shown), vec![MARK; 16], vec![0xffff; 16]);
    }

    /// The thread of the test moves plainly, with the counters that it has.
    fn calm_thread(&mut self) {
        let (chip, thread) = (self.loader.chip, self.thread);
        let extra = self.small.rwcs[thread].extra_addr_mod_bit as usize;
        let sections = chip.addr_mod_sections();
        for array in [sections.ab, sections.dst, sections.bias] {
            self.loader.set_thread_word(thread, array.first + chip.pick(4 * extra, 0) * array.stride, 0);
        }
        for index in [0, 1, chip.pick(56, 55)] {
            self.loader.set_thread_word(thread, index, 0);
        }
        match chip {
            Chip::Wormhole => self.loader.set_thread_word(thread, 2, 0),
            Chip::Blackhole => {
                self.loader.set_thread_word(thread, 2, 1);
                self.loader.set_thread_word(thread, 3, 1);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- what is left

    /// Names what changes and is not read.
    fn name_unread(&mut self) {
        let fields = (self.isa.layout.fields)();
        let mut shown = BTreeSet::new();
        let mut rows = BTreeSet::new();
        for read in &self.program.reads {
            match &read.shows {
                Shows::Row { bank, row, .. } => drop(rows.insert((*bank, *row))),
                Shows::Fields(list) => shown.extend(list.iter().map(|one| one.0)),
                Shows::Flags { field, .. } => drop(shown.insert(*field)),
                Shows::Agreement(list) => shown.extend(list.iter().copied()),
                Shows::Validity(row) => drop(rows.insert((bank::DST_ROW_VALID, *row))),
            }
        }
        for &place in self.test.after.fields.keys().filter(|place| !shown.contains(place)) {
            let name = &fields[place].name;
            let why = if name == "LaneFlags" { IDLE_FLAGS } else { NO_READ };
            self.program.unread.push((name.clone(), if self.can_push { why } else { HELD }));
        }
        for &(number, row) in self.test.after.rows.keys().filter(|key| !rows.contains(key)) {
            let name = format!("{}[{row}]", self.isa.layout.banks[number].name);
            let why = if number == bank::DST_ROW_VALID { MARKS } else { NO_READ };
            self.program.unread.push((name, if self.can_push { why } else { HELD }));
        }
    }
}

/// A group of four rows of 32-bit data, at the beginning of sixteen rows of `DstBits`, that holds no mark which is read: valid
/// before the test, if there is one.
fn free_group(test: &Test, before: &State) -> usize {
    let marks = marks_read(test);
    let is_free = |group: &usize| !marks.iter().any(|row| row / 16 == group / 2);
    let free = || (0..128).step_by(2).filter(is_free);
    free().find(|&group| is_valid(before, group)).or_else(|| free().next()).unwrap_or_default()
}

/// Whether the first eight of the sixteen rows of `DstBits` in which a group lies are valid.
fn is_valid(state: &State, group: usize) -> bool {
    (0..8).all(|row| state.word(bank::DST_ROW_VALID, 16 * (group / 2) + row, 0) != 0)
}

/// A word moved to the left, or to the right if that is negative.
fn shift(word: u32, left: i32) -> u32 {
    let by = left.unsigned_abs();
    if left < 0 { word >> by } else { word << by }
}
