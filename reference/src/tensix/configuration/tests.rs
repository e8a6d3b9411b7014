//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::config::{CONFIG_WORDS, blackhole};
use tandem_isa::tensix::{BLACKHOLE, Banks, WORMHOLE, bank};
use tandem_isa::{CodeField, Edition, Machine, Reference, RowSet, State};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::{check_done, number_gprs, word};

/// What an instruction was promised, the state before it and after, and the rows that it wrote.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
    written: RowSet,
    /// The words of the PRNG of which nothing is promised.
    open: usize,
}

fn machine(chip: Chip) -> &'static Machine {
    chip.pick(&WORMHOLE, &BLACKHOLE)
}

/// Runs an instruction of thread 1 with StateID 1, where `GPRs[t][n]` holds 0x1000 * (t + 1) + n, word n of bank b of `Config`
/// 0xc0 + 0x10 * b + n, and word n of the `ThreadConfig` of thread t 0x100 * (t + 1) + n; but for word 0 of that, which is 1.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Small)) -> Run {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    tensix.small.current_thread = 1;
    for (first, bank) in [0xc0, 0xd0].into_iter().zip(&mut tensix.small.config) {
        bank.iter_mut().take(8).zip(first..).for_each(|(word, value)| *word = value);
    }
    for (first, words) in [0x100, 0x200, 0x300].into_iter().zip(&mut tensix.small.thread_config) {
        words.iter_mut().take(chip.thread_config_size()).zip(first..).for_each(|(word, value)| *word = value);
        words[0] = 1;
    }
    if chip == Chip::Blackhole {
        for (bank, [first, second]) in tensix.small.config.iter_mut().zip([[0x71, 0x72], [0x73, 0x74]]) {
            (bank[72], bank[120]) = (first, second);
        }
        tensix.small.dest_access_cfg = 0xd5;
    }
    prepare(tensix.small);
    let banks = tensix.banks_unmarked();
    number_gprs(banks);
    let before = (*banks, *tensix.small);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let written = state.tracker.log.written.clone();
    let open = state.tracker.open.len();
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small), written, open }
}

impl Run {
    /// Whether the state is the one before but for what `changes` changes.
    fn check(&self, changes: impl FnOnce(&mut Banks, &mut Small)) {
        check_done(self.promise, [&self.before, &self.after], changes);
    }
}

#[test]
fn setc16_writes_all_bits_of_one_word_of_its_thread() {
    for chip in Chip::ALL {
        for (index, word) in (0..).zip(0..chip.thread_config_size()) {
            let fields = [(THREAD_CFG_INDEX, index), (NEW_VALUE16, 0xfedc)];
            run(chip, "SETC16", &fields, |_| ()).check(|_, small| small.thread_config[1][word] = 0xfedc);
        }
    }
}

#[rstest]
#[case(Chip::Wormhole, 57)]
#[case(Chip::Blackhole, 68)]
fn setc16_beyond_the_last_word_is_undefined(#[case] chip: Chip, #[case] first: u32) {
    for index in 0..256 {
        let promise = run(chip, "SETC16", &[(THREAD_CFG_INDEX, index)], |_| ()).promise;
        assert_eq!(matches!(promise, Expectation::Undefined(_)), index >= first, "{index}");
    }
}

#[test]
fn wrcfg_moves_one_gpr_to_the_bank_of_its_thread_s_state_id() {
    for chip in Chip::ALL {
        // GPR 13 of thread 1.
        let fields = [(CFG_INDEX, 6), (INPUT_REG, 13)];
        run(chip, "WRCFG", &fields, |_| ()).check(|_, small| small.config[1][6] = 0x200d);
        let other = run(chip, "WRCFG", &fields, |small| small.thread_config[1][0] = 0);
        other.check(|_, small| small.config[0][6] = 0x200d);
        // The other bits of the word are not StateID.
        let odd = run(chip, "WRCFG", &fields, |small| small.thread_config[1][0] = 0xfffe);
        odd.check(|_, small| small.config[0][6] = 0x200d);
    }
}

#[test]
fn wrcfg_of_128_bits_moves_four_gprs_from_aligned_numbers_on() {
    for (index, register) in [(0, 60), (1, 61), (2, 62), (3, 63)] {
        let fields = [(IS_128_BIT, 1), (CFG_INDEX, index), (INPUT_REG, register)];
        run(Chip::Wormhole, "WRCFG", &fields, |_| ()).check(|_, small| {
            small.config[1][..4].copy_from_slice(&[0x203c, 0x203d, 0x203e, 0x203f]);
        });
    }
}

#[test]
fn words_outside_of_the_state_are_written_and_nothing_changes() {
    for chip in Chip::ALL {
        let first = chip.pick(156, 204);
        for (index, is_128) in
            [(first, 0), (first, 1), (first + 3, 1), (chip.pick(187, 223), 0), (chip.pick(187, 219), 1)]
        {
            let fields = [(IS_128_BIT, is_128), (CFG_INDEX, index), (INPUT_REG, 13)];
            run(chip, "WRCFG", &fields, |_| ()).check(|_, _| ());
        }
    }
}

#[test]
fn blackhole_has_words_in_each_bank_and_others_of_both() {
    let write = |index, is_128| {
        run(Chip::Blackhole, "WRCFG", &[(IS_128_BIT, is_128), (CFG_INDEX, index), (INPUT_REG, 4)], |_| ())
    };
    write(72, 0).check(|_, small| small.config[1][72] = 0x2004);
    let four = [0x2004, 0x2005, 0x2006, 0x2007];
    write(75, 1).check(|_, small| small.config[1][72..76].copy_from_slice(&four));
    write(179, 1).check(|_, small| small.config[1][176..].copy_from_slice(&four));
    write(180, 1).check(|_, small| small.dest_target_reg_cfg_pack_sec = four);
    write(186, 1).check(|_, small| small.int_descale_values_sec[0] = 0x2007);
    write(202, 0).check(|_, small| small.int_descale_values_sec[15] = 0x2004);
    write(220, 0).check(|_, small| small.dest_access_cfg = 0x2004);
    write(222, 1).check(|_, small| small.dest_access_cfg = 0x2004);
    write(210, 0).check(|_, small| small.scratch_sec[1] = 0x2004);
    write(210, 1).check(|_, small| small.scratch_sec = [0x2005, 0x2006, 0x2007]);
}

#[test]
fn any_write_to_state_reset_en_but_by_rmwcib_resets_the_bank_below_the_words_of_both() {
    for chip in Chip::ALL {
        // GPR 0 of thread 1, which is no 0.
        run(chip, "WRCFG", &[(CFG_INDEX, 4)], |_| ()).check(|_, small| {
            small.config[1] = [0; CONFIG_WORDS];
        });
        for index in 4..8 {
            let promise = run(chip, "WRCFG", &[(IS_128_BIT, 1), (CFG_INDEX, index)], |_| ()).promise;
            let is_cited = |citation: &Citation| citation.reason.starts_with("TX-53");
            assert!(matches!(promise, Expectation::Unspecified(citation) if is_cited(citation)), "{index}");
        }
        // Word 4 of bank 1 holds 0xd4.
        let rmw = run(chip, "RMWCIB0", &[(INDEX4, 4), (MASK, 0x0f), (NEW_VALUE8, 0x21)], |_| ());
        rmw.check(|_, small| small.config[1][4] = 0xd1);
    }
}

#[test]
fn what_is_written_to_prng_seed_leaves_the_states_of_all_lanes_open() {
    for (chip, seed) in [(Chip::Wormhole, 164), (Chip::Blackhole, 186)] {
        for (name, field, last) in [("WRCFG", CFG_INDEX, 187), ("RMWCIB0", INDEX4, 187), ("RMWCIB3", INDEX4, 187)] {
            for index in 0..=last {
                let open = run(chip, name, &[(field, index), (INPUT_REG, 4)], |_| ()).open;
                assert_eq!(open, if index == seed { 32 } else { 0 }, "{name} {index}");
            }
        }
        for index in 0..=187 {
            let open = run(chip, "WRCFG", &[(IS_128_BIT, 1), (CFG_INDEX, index)], |_| ()).open;
            assert_eq!(open, if index & !3 == seed & !3 { 32 } else { 0 }, "{index}");
        }
    }
}

#[rstest]
#[case(Chip::Wormhole, 188)]
#[case(Chip::Blackhole, 224)]
fn an_index_beyond_the_last_word_of_config_is_undefined(#[case] chip: Chip, #[case] first: u32) {
    for index in 0..2048 {
        let index = (CFG_INDEX, index);
        for (name, fields) in [("WRCFG", &[index][..]), ("WRCFG", &[index, (IS_128_BIT, 1)]), ("RDCFG", &[index])] {
            let promise = run(chip, name, fields, |_| ()).promise;
            let index = index.1;
            assert_eq!(matches!(promise, Expectation::Undefined(_)), index >= first, "{name} {index}");
        }
    }
    for (name, index) in ["RMWCIB0", "RMWCIB3"].into_iter().flat_map(|name| (0..256).map(move |index| (name, index))) {
        let promise = run(chip, name, &[(INDEX4, index)], |_| ()).promise;
        assert_eq!(matches!(promise, Expectation::Undefined(_)), index >= first, "{name} {index}");
    }
}

#[test]
fn rdcfg_moves_a_word_that_is_in_the_state_to_a_gpr_of_its_thread() {
    for chip in Chip::ALL {
        let mut promised = Vec::new();
        for index in 0..chip.pick(188, 224) {
            let run = run(chip, "RDCFG", &[(CFG_INDEX, index), (RESULT_REG, 63)], |_| ());
            if run.promise == Expectation::Done {
                promised.push(index);
            }
            let value = match (chip, index) {
                (_, 0..8) => 0xd0 + index,
                (Chip::Blackhole, 72) => 0x73,
                (Chip::Blackhole, 120) => 0x74,
                (Chip::Wormhole, 8..156 | 165..181) | (Chip::Blackhole, 8..184 | 187..203 | 209..212) => 0,
                (Chip::Blackhole, 220) => 0xd5,
                _ => {
                    assert!(matches!(run.promise, Expectation::Unspecified(_)), "{index}");
                    continue;
                }
            };
            run.check(|banks, _| banks.gprs[1][15][3] = value);
            let written = machine(chip).layout.banks[bank::GPRS].first_row + 16 + 15;
            assert!(run.written.contains(written) && run.written.len() == 1);
        }
        assert_eq!(promised.len(), chip.pick(172, 204));
    }
}

#[test]
fn each_byte_of_a_word_has_an_instruction_of_its_own() {
    for chip in Chip::ALL {
        // Of 0x89abcdef the upper nibble of each byte stays, and the lower one becomes that of 0x35.
        for (name, value) in
            [("RMWCIB0", 0x89ab_cde5), ("RMWCIB1", 0x89ab_c5ef), ("RMWCIB2", 0x89a5_cdef), ("RMWCIB3", 0x85ab_cdef)]
        {
            let fields = [(INDEX4, 2), (MASK, 0x0f), (NEW_VALUE8, 0x35)];
            let run = run(chip, name, &fields, |small| small.config[1][2] = 0x89ab_cdef);
            run.check(|_, small| small.config[1][2] = value);
        }
        // Without a bit of the mask nothing changes, and with all the byte is NewValue.
        run(chip, "RMWCIB0", &[(INDEX4, 2), (NEW_VALUE8, 0xff)], |_| ()).check(|_, _| ());
        let all = run(chip, "RMWCIB0", &[(INDEX4, 2), (MASK, 0xff), (NEW_VALUE8, 0x5a)], |_| ());
        all.check(|_, small| small.config[1][2] = 0x5a);
        let outside = (INDEX4, chip.pick(156, 184));
        run(chip, "RMWCIB0", &[outside, (MASK, 0xff), (NEW_VALUE8, 0x5a)], |_| ()).check(|_, _| ());
    }
    let word_of_both = run(Chip::Blackhole, "RMWCIB3", &[(INDEX4, 220), (MASK, 0xff), (NEW_VALUE8, 0x5a)], |_| ());
    word_of_both.check(|_, small| small.dest_access_cfg = 0x5a00_00d5);
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for (name, bits) in [("WRCFG", 0xc0_7800_u32), ("RDCFG", 0xc0_f800)] {
        for bit in (0..24).filter(|bit| bits >> bit & 1 != 0) {
            let promise =
                run(Chip::Wormhole, name, &[(CodeField { name: "", word: 0, shift: bit, width: 1 }, 1)], |_| ());
            let promise = promise.promise;
            assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40")));
        }
    }
}

#[test]
fn named_fields_lie_where_an_index_says() {
    // Every bit of a word of the state belongs to one field that has this address.
    for chip in Chip::ALL {
        let layout = machine(chip).layout;
        let mut covered = 0;
        for (space, size, banks, bits) in
            [("Config", chip.config_size(), 2, 32), ("ThreadConfig", chip.thread_config_size(), 3, 16)]
        {
            for (bank, (index, address)) in (0..banks).flat_map(|bank| (0..size).zip(0..).map(move |it| (bank, it))) {
                let mut state = State::zeroed(layout);
                let small = Tensix::new(&mut state).small;
                let is_there = if space == "Config" {
                    small.config_word_mut(chip, bank, index).map(|word| *word = u32::MAX).is_some()
                } else {
                    small.thread_config[bank][index] = u16::MAX;
                    true
                };
                let bytes = &*state.small;
                let set = (layout.fields)().iter().filter(|field| field.get(bytes) != 0);
                let mut width = 0;
                for field in set {
                    assert_eq!(field.address, Some((space, address)), "{}", field.name);
                    assert_eq!(field.get(bytes), field.max);
                    width += field.width;
                }
                assert_eq!(width, if is_there { bits } else { 0 }, "{space}[{bank}][{index}]");
                covered += u32::from(is_there);
            }
        }
        // The words of both banks count twice.
        assert_eq!(covered, chip.pick(2 * 172 + 3 * 57, 2 * 204 + 3 * 68));
    }
    assert_eq!(blackhole::DEST_ACCESS_CFG, 220);
}

/// `CFGSHIFTMASK`, with what it says in the order of its text.
fn shift_mask(
    [mask_mode, alu_mode, mask_width, rotate_amt, scratch_index, cfg_index]: [u32; 6],
) -> [(CodeField, u32); 6] {
    [
        (MASK_MODE, mask_mode),
        (ALU_MODE, alu_mode),
        (MASK_WIDTH, mask_width),
        (ROTATE_AMT, rotate_amt),
        (SCRATCH_INDEX, scratch_index),
        (CFG_INDEX8, cfg_index),
    ]
}

/// Runs `CFGSHIFTMASK` on a word 3 of 0x89ab_cdef with a scratch word of 0x1234_5678.
fn run_shift_mask(mask_mode: u32, alu_mode: u32, mask_width: u32, rotate_amt: u32) -> Run {
    let fields = shift_mask([mask_mode, alu_mode, mask_width, rotate_amt, 2, 3]);
    run(Chip::Blackhole, "CFGSHIFTMASK", &fields, |small| {
        small.config[1][3] = 0x89ab_cdef;
        small.scratch_sec = [u32::MAX, u32::MAX, 0x1234_5678];
    })
}

#[rstest]
// The mask is 0xff and leaves 0x78, both of which go 24 bits to the left: 0xff00_0000 and 0x7800_0000.
#[case(7, 8, [0x78ab_cdef, 0, 0x78ab_cdef, 0x78ab_cdef, 0x87ff_ffff, 0x00ab_cdef, 0x8754_3210, 0x88ab_cdef], [
    0xf9ab_cdef, 0x0800_0000, 0xf1ab_cdef, 0x01ab_cdef, 0x8fff_ffff, 0x81ab_cdef, 0x0e54_3210, 0x11ab_cdef,
])]
// The mask is 0xfff and leaves 0x678, which go 4 bits to the right: 0xf000_00ff and 0x8000_0067.
#[case(11, 4, [0x89ab_cd67, 0, 0x89ab_cd67, 0x89ab_cd67, 0x7fff_ff98, 0x09ab_cd00, 0x7654_3298, 0x89ab_cc99], [
    0x89ab_cdef, 0x8000_0067, 0x09ab_cd88, 0x09ab_ce56, 0xffff_ffff, 0x09ab_cd88, 0xf654_3277, 0x09ab_cd88,
])]
// The mask is all bits.
#[case(31, 0, [0x1234_5678, 0, 0x1234_5678, 0x1234_5678, 0xedcb_a987, 0, 0xedcb_a987, 0xedcb_a988], [
    0x9bbf_dfff, 0x0020_4468, 0x9b9f_9b97, 0x9be0_2467, 0xedeb_edef, 0x898b_8987, 0x6460_6468, 0x7777_7777,
])]
fn cfgshiftmask_does_what_each_alu_mode_says(
    #[case] mask_width: u32,
    #[case] rotate_amt: u32,
    #[case] masked: [u32; 8],
    #[case] whole: [u32; 8],
) {
    for (mask_mode, expected) in [(0, masked), (1, whole)] {
        for (alu_mode, value) in (0..).zip(expected) {
            let run = run_shift_mask(mask_mode, alu_mode, mask_width, rotate_amt);
            assert_eq!(run.after.1.config[1][3], value, "{mask_mode} {alu_mode}: {:#x}", run.after.1.config[1][3]);
            run.check(|_, small| small.config[1][3] = value);
        }
    }
}

#[test]
fn cfgshiftmask_takes_the_scratch_word_that_it_names_or_that_of_its_thread() {
    for (thread, index) in (0..3).flat_map(|thread| (0..4).map(move |index| (thread, index))) {
        let fields = shift_mask([0, 0, 31, 0, index, 2]);
        let run = run(Chip::Blackhole, "CFGSHIFTMASK", &fields, |small| {
            small.current_thread = thread;
            small.scratch_sec = [70, 71, 72];
        });
        // The StateID of each thread is 1.
        run.check(|_, small| small.config[1][2] = 70 + if index == 3 { thread } else { index });
    }
}

#[test]
fn cfgshiftmask_writes_the_bank_of_its_thread_s_state_id_and_words_of_both() {
    // Exclusive or with 0xff.
    let fields = |index| shift_mask([1, 2, 31, 0, 0, index]);
    let scratch = |small: &mut Small| small.scratch_sec = [0xff, 0, 0xabcd];
    let change = |index| run(Chip::Blackhole, "CFGSHIFTMASK", &fields(index), scratch);
    let other = run(Chip::Blackhole, "CFGSHIFTMASK", &fields(5), |small| {
        scratch(small);
        small.thread_config[1][0] = 0xfffe;
    });
    other.check(|_, small| small.config[0][5] = 0xc5 ^ 0xff);
    change(5).check(|_, small| small.config[1][5] = 0xd5 ^ 0xff);
    change(179).check(|_, small| small.config[1][179] ^= 0xff);
    change(220).check(|_, small| small.dest_access_cfg ^= 0xff);
    change(209).check(|_, small| small.scratch_sec[0] = 0);
    change(211).check(|_, small| small.scratch_sec[2] = 0xab32);
    // Words outside of the state stay there.
    for index in [184, 186, 203, 208, 212, 219, 221, 223] {
        change(index).check(|_, _| ());
    }
}

#[test]
fn cfgshiftmask_does_what_a_write_does() {
    for index in 0..224 {
        let run = run(Chip::Blackhole, "CFGSHIFTMASK", &shift_mask([1, 0, 0, 0, 0, index]), |_| ());
        assert_eq!(run.open, if index == 186 { 32 } else { 0 }, "{index}");
        let is_reset = run.after.1.config[1] == [0; CONFIG_WORDS];
        assert_eq!(is_reset, index == 4, "{index}");
        // Nothing but that changes: an or with the bit 0 of a scratch word, which is 0, leaves a word alone.
        run.check(|_, small| {
            if index == 4 {
                small.config[1] = [0; CONFIG_WORDS];
            }
        });
    }
}

#[test]
fn cfgshiftmask_beyond_the_last_word_is_undefined() {
    for index in 0..256 {
        let promise = run(Chip::Blackhole, "CFGSHIFTMASK", &shift_mask([0, 0, 0, 0, 0, index]), |_| ()).promise;
        assert_eq!(matches!(promise, Expectation::Undefined(_)), index >= 224, "{index}");
        assert_eq!(promise == Expectation::Done, index < 224, "{index}");
    }
}
