//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::Banks;
use tandem_isa::tensix::config::CONFIG_WORDS;
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::{check_done, word};

/// What an instruction was promised, the state before it and after, and whether words of the PRNG are open.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
    is_open: bool,
}

/// What a bank of `Config` has the mover do: addresses and size in units of 16 bytes, and the mode.
#[derive(Clone, Copy, Debug)]
struct Order {
    to: u32,
    from: u32,
    size: u32,
    mode: u32,
}

impl Order {
    fn put(self, chip: Chip, bank: &mut [u32; CONFIG_WORDS]) {
        let first = chip.pick(76, 88);
        bank[first..first + 3].copy_from_slice(&[self.from, self.to, self.mode << 30 | self.size]);
    }
}

/// The first row of L1 that the state has.
const SHOWN: u32 = 0x2000;

/// The row behind the last one of L1.
fn end(chip: Chip) -> u32 {
    chip.pick(0x1_6e00, 0x1_8000)
}

/// Runs an `XMOV` of thread 1 with StateID 1. Word w of bank b of `Config` is 0xc000_0000 + 0x1000 * b + w, but for what
/// bank 1 has the mover do, and those of both banks are 0xd0 to 0xd3. Windows 0 to 62 show L1 from [`SHOWN`] on, and
/// window 63 the end of L1. Word k of row r of window w is 0xf000_0000 + 0x1_0000 * w + 0x100 * r + k.
fn run(chip: Chip, order: Order, prepare: impl FnOnce(&mut Small, &mut Vec<u32>)) -> Run {
    let (machine, instruction, mut code) = word(chip, "XMOV", &[]);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    let mut small = *tensix.small;
    small.current_thread = 1;
    small.thread_config[1][0] = 1;
    for (first, bank) in [0xc000_0000, 0xc000_1000].into_iter().zip(&mut small.config) {
        bank[..chip.global_cfgreg_base()].iter_mut().zip(first..).for_each(|(word, value)| *word = value);
    }
    if chip == Chip::Blackhole {
        (small.scratch_sec, small.dest_access_cfg) = ([0xd0, 0xd1, 0xd2], 0xd3);
    }
    order.put(chip, &mut small.config[1]);
    small.l1_pages.iter_mut().zip(0x200..).for_each(|(page, number)| *page = number);
    small.l1_pages[63] = chip.pick(0x16df, 0x17ff);
    let banks = tensix.banks_unmarked();
    for (window, rows) in (0..).zip(&mut banks.l1) {
        for (row, words) in (0..).zip(rows) {
            *words = [0, 1, 2, 3].map(|word| 0xf000_0000 + 0x1_0000 * window + 0x100 * row + word);
        }
    }
    prepare(&mut small, &mut code);
    let before = (*banks, small);
    *tensix.small = small;
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let is_open = !state.tracker.open.is_empty();
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small), is_open }
}

fn order(chip: Chip, to: u32, from: u32, size: u32, mode: u32) -> Run {
    run(chip, Order { to, from, size, mode }, |_, _| ())
}

impl Run {
    /// Whether the state is the one before but for what `changes` changes.
    fn check(&self, changes: impl FnOnce(&mut Banks, &mut Small)) {
        check_done(self.promise, [&self.before, &self.after], changes);
    }

    fn is_undefined(&self, lines: &str) -> bool {
        matches!(self.promise, Expectation::Undefined(cite) if cite.place == lines)
    }

    fn is_unspecified(&self, reason: &str) -> bool {
        matches!(self.promise, Expectation::Unspecified(cite) if cite.reason == reason)
    }
}

/// Rows of the windows from 0 on.
fn shown(banks: &mut Banks) -> &mut [[u32; 4]] {
    banks.l1.as_flattened_mut()
}

#[rstest]
fn each_direction_copies_or_clears(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    // Two rows, from the last one of a window on.
    order(chip, SHOWN + 0x2f, SHOWN + 0x1f, 2, 3).check(|banks, _| {
        let rows = shown(banks);
        rows[0x2f] = [0xf001_0f00, 0xf001_0f01, 0xf001_0f02, 0xf001_0f03];
        rows[0x30] = [0xf002_0000, 0xf002_0001, 0xf002_0002, 0xf002_0003];
    });
    order(chip, SHOWN + 0x2f, 0, 2, 0).check(|banks, _| shown(banks)[0x2f..0x31].fill([0; 4]));
    // Words 8 to 15.
    order(chip, 2, SHOWN + 0x1f, 2, 1).check(|_, small| {
        small.config[0][8..12].copy_from_slice(&[0xf001_0f00, 0xf001_0f01, 0xf001_0f02, 0xf001_0f03]);
        small.config[0][12..16].copy_from_slice(&[0xf002_0000, 0xf002_0001, 0xf002_0002, 0xf002_0003]);
    });
    order(chip, 2, 0, 2, 2).check(|_, small| small.config[0][8..16].fill(0));
}

#[rstest]
fn what_is_moved_stands_in_the_bank_of_its_thread_s_state_id(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(0, 1, 2)] thread: usize,
    #[values(0, 1)] state_id: usize,
) {
    let [first, second] = [0, 1].map(|row| Order { to: SHOWN + row, from: SHOWN, size: 1, mode: 0 });
    run(chip, first, |small, _| {
        small.current_thread = thread as u32;
        // Other bits are of other fields.
        small.thread_config.iter_mut().for_each(|words| words[0] = 0xffff ^ state_id as u16);
        small.thread_config[thread][0] = 0xfffe | state_id as u16;
        second.put(chip, &mut small.config[0]);
    })
    .check(|banks, _| shown(banks)[1 - state_id] = [0; 4]);
}

#[rstest]
fn addresses_are_32_bits_of_units_of_16_bytes(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    // The highest four bits are shifted out.
    order(chip, 0xf000_0000 | SHOWN, 0xa000_0000 | (SHOWN + 1), 1, 3).check(|banks, _| {
        shown(banks)[0] = [0xf000_0100, 0xf000_0101, 0xf000_0102, 0xf000_0103];
    });
    order(chip, 0x1000_0002, 0, 1, 2).check(|_, small| small.config[0][8..12].fill(0));
    assert!(order(chip, 0x0800_0000 | SHOWN, 0, 1, 0).is_undefined("line 20"));
}

#[rstest]
fn sizes_are_16_bits_of_units_of_16_bytes(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    order(chip, SHOWN, 0, 0x3fff_0003, 0).check(|banks, _| shown(banks)[..3].fill([0; 4]));
    // 0x10000 are none.
    for mode in 0..4 {
        order(chip, if mode % 3 == 0 { SHOWN } else { 1 }, SHOWN, 0x1_0000, mode).check(|_, _| ());
    }
    // All that is shown in one piece, and one more.
    order(chip, SHOWN, 0, 63 * 16, 0).check(|banks, _| shown(banks)[..63 * 16].fill([0; 4]));
    assert!(matches!(order(chip, SHOWN, 0, 63 * 16 + 1, 0).promise, Expectation::Unspecified(_)));
    assert!(order(chip, SHOWN, 0, 0xffff, 0).promise != Expectation::Done);
}

#[rstest]
fn a_first_byte_beyond_l1_is_undefined(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    let (end, last) = (end(chip), end(chip) - 1);
    // Even if nothing is moved.
    for size in [0, 1] {
        assert!(order(chip, end, SHOWN, size, 3).is_undefined("line 20"));
        assert!(order(chip, end, end, size, 3).is_undefined("line 20"));
        assert!(order(chip, end, SHOWN, size, 0).is_undefined("line 20"));
        assert!(order(chip, SHOWN, end, size, 3).is_undefined("line 35"));
        assert!(order(chip, 0, end, size, 1).is_undefined("line 35"));
        assert!(order(chip, 0x4000, 0x0fff_ffff, size, 1).is_undefined("line 35"));
        // What is not read is not looked at.
        assert_eq!(order(chip, SHOWN, end, size, 0).promise, Expectation::Done);
        assert_eq!(order(chip, 0, end, size, 2).promise, Expectation::Done);
    }
    assert!(order(chip, 0x8000, end, 0, 1).is_undefined("line 35"));
    order(chip, last, SHOWN, 1, 3).check(|banks, _| banks.l1[63][15] = banks.l1[0][0]);
    order(chip, SHOWN, last, 1, 3).check(|banks, _| banks.l1[0][0] = banks.l1[63][15]);
    order(chip, last, 0, 1, 0).check(|banks, _| banks.l1[63][15] = [0; 4]);
}

#[rstest]
fn a_last_byte_beyond_l1_promises_nothing(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    // Even if a window says that it shows that.
    let run = |to, from, mode| {
        let order = Order { to, from, size: 2, mode };
        run(chip, order, |small, _| small.l1_pages[62] = small.l1_pages[63] + 1)
    };
    let last = end(chip) - 1;
    for (to, from, mode) in [(last, SHOWN, 3), (SHOWN, last, 3), (last, SHOWN, 0), (2, last, 1)] {
        assert!(run(to, from, mode).is_unspecified(END_REASON), "{to:#x} {from:#x} {mode}");
        assert_eq!(run(to.min(last - 1), from.min(last - 1), mode).promise, Expectation::Done);
    }
}

#[rstest]
fn what_no_window_shows_promises_nothing(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    for (to, from, mode) in [(SHOWN - 1, SHOWN + 2, 3), (SHOWN + 2, SHOWN - 1, 3), (SHOWN - 1, 0, 0), (0, SHOWN - 1, 1)]
    {
        let promise = order(chip, to, from, 1, mode).promise;
        assert!(matches!(promise, Expectation::Unspecified(cite) if cite.page.name == "L1"), "{to:#x} {from:#x}");
        order(chip, to, from, 0, mode).check(|_, _| ());
    }
}

#[rstest]
fn ranges_that_overlap_promise_nothing(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    for (to, overlaps) in [(6, false), (7, true), (10, true), (12, true), (13, false)] {
        let run = order(chip, SHOWN + to, SHOWN + 10, 3 + u32::from(to < 10), 3);
        assert_eq!(run.is_unspecified(OVERLAP_REASON), overlaps, "{to}");
        assert_eq!(run.promise == Expectation::Done, !overlaps, "{to}");
    }
    order(chip, SHOWN, SHOWN, 0, 3).check(|_, _| ());
    // What is not read overlaps nothing.
    order(chip, SHOWN, SHOWN, 1, 0).check(|banks, _| shown(banks)[0] = [0; 4]);
}

#[rstest]
fn more_than_one_region_is_undefined(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip, #[values(1, 2)] mode: u32) {
    for region in [0, 0x4000] {
        for (to, size) in [(0xfff, 2), (1, 0x1000), (0, 0x1001), (0xff0, 0xffff)] {
            assert!(order(chip, region + to, SHOWN, size, mode).is_undefined("lines 27-29"), "{to:#x} {size:#x}");
        }
    }
    for (to, size) in [(0xfff, 1), (0, 0x1000), (0xfff, 0)] {
        order(chip, 0x4000 + to, SHOWN, size, mode).check(|_, _| ());
    }
}

#[rstest]
fn an_address_selects_config_or_instruction_ram(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    // What would be read need not be shown, nor lie in L1 but for its first byte.
    for (to, from) in [(0x4000, SHOWN), (0x4ffe, SHOWN), (0x4800, 0), (0x4801, end(chip) - 1)] {
        order(chip, to, from, 2, 1).check(|_, _| ());
        order(chip, to, from, 2, 2).check(|_, _| ());
    }
}

#[rstest]
fn what_goes_nowhere_promises_nothing(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(0x1000, 0x3fff, 0x5000, 0x0fff_ffff)] to: u32,
    #[values(1, 2)] mode: u32,
) {
    for size in [1, 0xffff] {
        assert!(order(chip, to, SHOWN, size, mode).is_unspecified(NOWHERE_REASON));
    }
    order(chip, to, SHOWN, 0, mode).check(|_, _| ());
}

#[rstest]
#[case(Chip::Wormhole, 37, 2, &[(0, 148), (0, 152)])]
#[case(Chip::Wormhole, 46, 2, &[(1, 0)])]
#[case(Chip::Wormhole, 83, 3, &[(1, 144), (1, 148), (1, 152)])]
#[case(Chip::Wormhole, 93, 1, &[])]
#[case(Chip::Blackhole, 44, 2, &[(0, 176), (0, 180)])]
#[case(Chip::Blackhole, 54, 1, &[])]
#[case(Chip::Blackhole, 56, 1, &[(1, 0)])]
#[case(Chip::Blackhole, 99, 3, &[(1, 172), (1, 176), (1, 180)])]
#[case(Chip::Blackhole, 110, 1, &[])]
fn config_is_two_banks_of_words(
    #[case] chip: Chip,
    #[case] to: u32,
    #[case] size: u32,
    #[case] rows: &[(usize, usize)],
) {
    let has = |row: u32, (bank, word): (usize, usize)| {
        to + row == (bank as u32) * chip.pick(47, 56) + u32::try_from(word / 4).expect("there are few")
    };
    for mode in [1, 2] {
        order(chip, to, SHOWN, size, mode).check(|banks, small| {
            for &(bank, word) in rows {
                let row = (0..size).find(|&row| has(row, (bank, word))).expect("it is one of them");
                let values = if mode == 1 { banks.l1[0][row as usize] } else { [0; 4] };
                for (word, value) in (word..).zip(values) {
                    *small.config_word_mut(chip, bank, word).expect("it is in the state") = value;
                }
            }
        });
    }
}

#[test]
fn words_that_both_banks_share_are_one() {
    // Word 208 is in no state, and of words 220 to 223 one is.
    for to in [0, 56] {
        order(Chip::Blackhole, to + 52, SHOWN, 1, 1).check(|_, small| {
            small.scratch_sec = [0xf000_0001, 0xf000_0002, 0xf000_0003];
        });
        order(Chip::Blackhole, to + 55, SHOWN, 1, 1).check(|_, small| small.dest_access_cfg = 0xf000_0000);
        order(Chip::Blackhole, to + 45, SHOWN, 1, 1).check(|_, small| {
            small.dest_target_reg_cfg_pack_sec = [0xf000_0000, 0xf000_0001, 0xf000_0002, 0xf000_0003];
        });
        order(Chip::Blackhole, to + 52, 0, 4, 2).check(|_, small| {
            (small.scratch_sec, small.dest_access_cfg) = ([0; 3], 0);
        });
    }
    // From word 220 of bank 0 to those before word 220 of bank 1, and on.
    assert_eq!(order(Chip::Blackhole, 55, 0, 56, 2).promise, Expectation::Done);
    assert!(order(Chip::Blackhole, 55, 0, 57, 2).is_unspecified(SHARED_REASON));
    assert!(order(Chip::Blackhole, 55, SHOWN, 57, 1).is_unspecified(SHARED_REASON));
    assert_eq!(order(Chip::Blackhole, 56, 0, 56, 2).promise, Expectation::Done);
    assert!(order(Chip::Blackhole, 45, 0, 57, 2).is_unspecified(SHARED_REASON));
    // On Wormhole some are in the state, too.
    order(Chip::Wormhole, 0, 0, 38, 2).check(|_, small| small.config[0] = [0; CONFIG_WORDS]);
    assert!(order(Chip::Wormhole, 0, 0, 94, 2).is_unspecified(SHARED_REASON));
}

#[rstest]
fn a_memset_of_state_reset_en_clears_its_bank(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(0, 1)] bank: usize,
) {
    let first = bank as u32 * chip.pick(47, 56);
    for (to, size) in [(1, 1), (0, 2), (1, 3)] {
        order(chip, first + to, 0, size, 2).check(|_, small| small.config[bank] = [0; CONFIG_WORDS]);
        assert!(order(chip, first + to, SHOWN, size, 1).is_unspecified(RESET_REASON));
    }
    // Words 0 to 3, and 8 to 11.
    for to in [0, 2] {
        order(chip, first + to, 0, 1, 2).check(|_, small| small.config[bank][4 * to as usize..][..4].fill(0));
        assert_eq!(order(chip, first + to, SHOWN, 1, 1).promise, Expectation::Done);
    }
}

#[rstest]
fn what_seeds_the_prngs_leaves_them_open(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(0, 1)] bank: u32,
    #[values(1, 2)] mode: u32,
) {
    let row = bank * chip.pick(47, 56) + chip.pick(164, 186) / 4;
    for (to, size, is_open) in [(row, 1, true), (row - 1, 1, false), (row + 1, 1, false), (row - 1, 3, true)] {
        let run = order(chip, to, SHOWN, size, mode);
        // Beside the seed are words that the state has.
        assert_eq!((run.promise, run.is_open), (Expectation::Done, is_open), "{to:#x} {size}");
    }
}

#[rstest]
fn what_lies_behind_config_promises_nothing(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(1, 2)] mode: u32,
) {
    let end = chip.pick(94, 112);
    for (to, size) in [(end - 1, 2), (end, 1), (end + 1, 1), (0xfff, 1), (0, 0x1000)] {
        assert!(order(chip, to, SHOWN + 8, size.min(63 * 16 - 8), mode).promise != Expectation::Done);
        assert!(order(chip, to, 0, size, 2).is_unspecified(BEHIND_REASON), "{to:#x} {size}");
        order(chip, to, SHOWN, 0, mode).check(|_, _| ());
    }
    assert_eq!(order(chip, end - 1, SHOWN, 1, mode).promise, Expectation::Done);
}

#[rstest]
fn bits_without_a_name_promise_nothing(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    for bit in 0..23 {
        let run = run(chip, Order { to: SHOWN, from: 0, size: 1, mode: 0 }, |_, code| {
            CodeField { name: "", word: 0, shift: bit, width: 1 }.set(code, 1);
        });
        assert!(run.is_unspecified(UNNAMED_REASON), "{bit}");
    }
}
