//! Stacks of flags, comparisons, and `LoadMacroConfig`: every level against the pages, which are followed lane by lane here with a
//! stack of each lane, and against values worked out by hand.

use tandem_isa::tensix::inst::immediate::sfpconfig::{IMM16, VD as CONFIG_VD};
use tandem_isa::tensix::inst::vector::{MOD1, VC, VD};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Small, Tensix, WORMHOLE, bank};
use tandem_isa::{Answer, CodeField, Edition, Noise, State};

mod parts;

use parts::run;

const DISABLE_BACKDOOR_LOAD: u32 = 1 << 1;
const ROW_MASK: u32 = 12;

/// What every level leaves.
fn after(mnemonic: Mnemonic, chip: Chip, fields: &[(CodeField, u32)], set: impl FnOnce(&mut Tensix<'_>)) -> State {
    let (answer, state) = run(mnemonic, (chip, Edition::Newest), fields, set);
    assert_eq!(answer, Answer::Done);
    state
}

fn state(chip: Chip, set: impl FnOnce(&mut Tensix<'_>)) -> State {
    let mut state = chip.pick(&WORMHOLE, &BLACKHOLE).base_state();
    set(&mut Tensix::new(&mut state));
    state
}

fn small(mut state: State) -> Small {
    *Tensix::new(&mut state).small
}

// ------------------------------------------------------------------------------------------------ lane by lane

/// A lane: its flags, its stack, and its words of `VC` and `VD`.
#[derive(Clone, Debug)]
struct Lane {
    flags: bool,
    heeds: bool,
    stack: Vec<(bool, bool)>,
    config: u32,
    row: usize,
    c: u32,
    d: u32,
}

fn boolean_op(mod1: u32, a: bool, b: bool) -> bool {
    let by_mod1 = [b, !b, a && b, a || b, a && !b, a || !b, !a && b, !a || b, !a && !b, !a || !b, a != b, a == b];
    by_mod1[mod1 as usize - 1]
}

fn sign_mag_is_smaller(c: u32, d: u32) -> bool {
    let [c, d] = [c, d].map(|word| (word ^ ((word.cast_signed() >> 30).cast_unsigned() >> 1)).cast_signed());
    c < d
}

impl Lane {
    /// Follows the page, unless that promises nothing: then one entry fewer or more makes that it does.
    fn execute(&mut self, mnemonic: Mnemonic, chip: Chip, mod1: u32, vd: u32) -> Self {
        let mut before = self.clone();
        if vd >= 12 && self.config & DISABLE_BACKDOOR_LOAD == 0 {
            return before;
        }
        let is_enabled = self.config >> (ROW_MASK as usize + self.row) & 1 == 0 && (!self.heeds || self.flags);
        let mod1 = if chip == Chip::Wormhole && mnemonic == Mnemonic::Sfppushc { 0 } else { mod1 };
        match (mnemonic, mod1, self.stack.len()) {
            (Mnemonic::Sfppushc, 0, 8) => drop(self.stack.pop()),
            (Mnemonic::Sfppushc, 1.., 0) | (Mnemonic::Sfppopc, 0, 0) => {
                self.stack.push((self.c & 1 != 0, self.c & 2 != 0))
            }
            _ => {}
        }
        before.stack.clone_from(&self.stack);
        let top = self.stack.last().copied();
        match mnemonic {
            Mnemonic::Sfppushc if mod1 == 0 => self.stack.push((self.flags, self.heeds)),
            Mnemonic::Sfppushc => {
                if mod1 == 13 {
                    self.flags = !self.flags;
                }
                *self.stack.last_mut().expect("it is not empty") = match mod1 {
                    13 => (self.flags, self.heeds),
                    14 | 15 => (mod1 == 14, true),
                    _ => (boolean_op(mod1, top.expect("it is not empty").0, self.flags), self.heeds),
                };
            }
            Mnemonic::Sfppopc => {
                let top = top.unwrap_or((false, false));
                if mod1 == 0 {
                    self.stack.pop();
                } else if chip == Chip::Wormhole && self.stack.len() == 8 {
                    self.stack[0] = top;
                }
                (self.flags, self.heeds) = match mod1 {
                    0 => top,
                    13 => (!self.flags, self.heeds),
                    14 | 15 => (mod1 == 14, true),
                    _ => (boolean_op(mod1, self.flags, top.0), top.1),
                };
            }
            Mnemonic::Sfpcompc => {
                let top = top.unwrap_or((true, true));
                self.flags = top.1 && self.heeds && top.0 && !self.flags;
            }
            _ => {
                let result = sign_mag_is_smaller(self.c, self.d) == (mnemonic == Mnemonic::Sfpgt);
                if is_enabled && mod1 & 8 != 0 && vd < 8 {
                    self.d = if result { !0 } else { 0 };
                }
                if is_enabled && mod1 & 1 != 0 {
                    self.flags = result;
                }
                if let (Some((flags, _)), true) = (self.stack.last_mut(), mod1 & 2 != 0) {
                    *flags = if mod1 & 4 != 0 { *flags | result } else { *flags & result };
                }
            }
        }
        before
    }
}

/// Puts lanes into a state.
fn put(lanes: &[Lane], [vc, vd]: [u32; 2], tensix: &mut Tensix<'_>) {
    for (lane, from) in lanes.iter().enumerate() {
        tensix.set_lreg(vc as usize, lane, from.c);
        tensix.set_lreg(vd as usize, lane, from.d);
        let small = &mut *tensix.small;
        small.lane_config[lane & 7] = from.config;
        small.lane_flags |= u32::from(from.flags) << lane;
        small.use_lane_flags_for_lane_enable |= u32::from(from.heeds) << lane;
        for (entry, &(flags, heeds)) in from.stack.iter().enumerate() {
            small.flag_stack.occupied[entry] |= 1 << lane;
            small.flag_stack.lane_flags[entry] |= u32::from(flags) << lane;
            small.flag_stack.use_lane_flags_for_lane_enable[entry] |= u32::from(heeds) << lane;
        }
    }
}

/// Any lanes: with stacks of all depths or of one, and often with words that are close or differ by their signs only.
fn draw(noise: &mut Noise) -> Vec<Lane> {
    let door = |noise: &mut Noise| noise.bits(1) * DISABLE_BACKDOOR_LOAD;
    let configs = [(); 8].map(|()| door(noise) | (noise.bits(4) & noise.bits(4)) << ROW_MASK);
    let depth = noise.below(12);
    let lane = |lane: usize| {
        let depth = if depth < 9 { depth } else { noise.below(9) };
        let mut bit = || noise.bits(1) != 0;
        let (flags, heeds) = (bit(), bit());
        let stack = (0..depth).map(|_| (bit(), bit())).collect();
        let d = noise.bits(32);
        let c = [noise.bits(32), d, d ^ 1 << 31, d.wrapping_add(1), !d][noise.below(5)];
        Lane { flags, heeds, stack, config: configs[lane & 7], row: lane / 8, c, d }
    };
    (0..32).map(lane).collect()
}

#[test]
fn stacks_and_comparisons_are_what_the_pages_say_lane_by_lane() {
    let mut noise = Noise::new(0x57ac5);
    let stacks = [Mnemonic::Sfppushc, Mnemonic::Sfppopc, Mnemonic::Sfpcompc];
    let all = [&stacks[..], &[Mnemonic::Sfple, Mnemonic::Sfpgt]].concat();
    for (chip, mnemonics) in [(Chip::Wormhole, &stacks[..]), (Chip::Blackhole, &all)] {
        for (mnemonic, mod1) in mnemonics.iter().flat_map(|&mnemonic| (0..16).map(move |mod1| (mnemonic, mod1))) {
            for _ in 0..48 {
                let (vd, vc) = (noise.bits(4), noise.bits(4));
                let mut lanes = draw(&mut noise);
                if vc == vd {
                    lanes.iter_mut().for_each(|lane| lane.c = lane.d);
                }
                let before: Vec<_> = lanes.iter_mut().map(|lane| lane.execute(mnemonic, chip, mod1, vd)).collect();
                let after =
                    after(mnemonic, chip, &[(VD, vd), (VC, vc), (MOD1, mod1)], |tensix| put(&before, [vc, vd], tensix));
                let expected = state(chip, |tensix| put(&lanes, [vc, vd], tensix));
                assert!(after.arena[..] == expected.arena[..], "{mnemonic:?} {mod1} {vc} {vd}: {before:?}");
                assert_eq!(small(after), small(expected), "{mnemonic:?} {mod1} {vc} {vd}: {before:?}");
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------ by hand

#[test]
fn a_push_fills_the_next_entry_of_each_lane_and_a_pop_clears_it() {
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        // Lane 0 has no entry, lane 1 has one, lane 2 has seven; of other lanes the back door is open.
        let set = |tensix: &mut Tensix<'_>| {
            tensix.small.lane_config[..3].fill(DISABLE_BACKDOOR_LOAD);
            tensix.small.flag_stack.occupied = [6, 4, 4, 4, 4, 4, 4, 0];
            (tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable) = (0b101, 0b011);
        };
        let pushed = small(after(Mnemonic::Sfppushc, chip, &[(VD, 15)], set)).flag_stack;
        let others = 0x0707_0700;
        assert_eq!(pushed.occupied, [7 | others, 6, 4, 4, 4, 4, 4, 4]);
        assert_eq!(pushed.lane_flags, [1, 0, 0, 0, 0, 0, 0, 4]);
        assert_eq!(pushed.use_lane_flags_for_lane_enable, [1, 2, 0, 0, 0, 0, 0, 0]);
        let popped = small(after(Mnemonic::Sfppopc, chip, &[(VD, 11)], |tensix| tensix.small.flag_stack = pushed));
        assert_eq!(popped.flag_stack.occupied, [6, 4, 4, 4, 4, 4, 4, 0]);
        assert_eq!((popped.lane_flags, popped.use_lane_flags_for_lane_enable), (0b101, 0b011));
        assert_eq!([popped.flag_stack.lane_flags, popped.flag_stack.use_lane_flags_for_lane_enable], [[0; 8]; 2]);
    }
}

#[test]
fn a_peek_at_a_full_stack_overwrites_the_bottom_on_wormhole() {
    for (chip, bottom) in [(Chip::Wormhole, [1, 0]), (Chip::Blackhole, [0, 1])] {
        let after = small(after(Mnemonic::Sfppopc, chip, &[(MOD1, 3)], |tensix| {
            tensix.small.flag_stack.occupied = [1; 8];
            tensix.small.flag_stack.lane_flags[7] = 1;
            tensix.small.flag_stack.use_lane_flags_for_lane_enable[0] = 1;
            (tensix.small.lane_flags, tensix.small.use_lane_flags_for_lane_enable) = (3, 3);
        }));
        assert_eq!([after.flag_stack.lane_flags[0], after.flag_stack.use_lane_flags_for_lane_enable[0]], bottom);
        assert_eq!((after.lane_flags, after.use_lane_flags_for_lane_enable), (1, 0));
    }
}

#[test]
fn signs_and_magnitudes_are_less_equal_or_greater() {
    let words = [0xffff_ffff, 0xff80_0000, 0x8000_0001, 0x8000_0000, 0, 1, 0x7f80_0000, 0x7fff_ffff];
    for (d, c) in (0..8).flat_map(|d| (0..8).map(move |c| (d, c))) {
        for (mnemonic, holds) in [(Mnemonic::Sfple, d <= c), (Mnemonic::Sfpgt, d > c)] {
            let after = after(mnemonic, Chip::Blackhole, &[(VC, 9), (VD, 5), (MOD1, 9)], |tensix| {
                tensix.set_lreg(9, 21, words[c]);
                tensix.set_lreg(5, 21, words[d]);
            });
            assert_eq!(after.word(bank::LREG, 5, 21), if holds { !0 } else { 0 }, "{:x} {:x}", words[d], words[c]);
            assert_eq!(small(after).lane_flags >> 21 & 1, u32::from(holds));
        }
    }
}

#[test]
fn templates_sequences_and_misc_are_written_by_eight_lanes() {
    let (imm16, of_lanes, old, old_misc) = (0x9c05, 0xfed0_0a30, 0x1234_5678, 0x3c6);
    for (chip, vd, mod1) in
        [Chip::Wormhole, Chip::Blackhole].iter().flat_map(|&chip| (0..176).map(move |it| (chip, it / 16, it % 16)))
    {
        let mut after = after(Mnemonic::Sfpconfig, chip, &[(CONFIG_VD, vd), (MOD1, mod1), (IMM16, imm16)], |tensix| {
            (0..32).for_each(|lane| tensix.set_lreg(0, lane, of_lanes + lane as u32));
            (0..8).for_each(|row| tensix.load_macro_row_mut(row).fill(old));
            tensix.small.load_macro_misc = [old_misc; 8];
            tensix.small.lane_config = [0xf << ROW_MASK; 8];
            // Of the first eight lanes, the last two do not take part.
            (tensix.small.use_lane_flags_for_lane_enable, tensix.small.lane_flags) = (0xc0, 0);
        });
        let mut tensix = Tensix::new(&mut after);
        for lane in 0..8 {
            let takes_part = lane < 6 && (mod1 & 8 == 0 || imm16 >> (2 * lane) & 1 != 0);
            let value = if mod1 & 1 != 0 && vd >= 4 { imm16 } else { of_lanes + lane };
            for row in 0..8 {
                let expected = if takes_part && row == vd { value } else { old };
                assert_eq!(tensix.load_macro_row(row as usize)[lane as usize], expected, "{vd} {mod1} {row} {lane}");
            }
            let changed =
                [value, old_misc | value, old_misc & value, old_misc ^ value][(mod1 >> 1 & 3) as usize] & 0xfff;
            let expected = if takes_part && vd == 8 { changed } else { old_misc };
            assert_eq!(tensix.small.load_macro_misc[lane as usize], expected, "{vd} {mod1} {lane}");
        }
    }
}
