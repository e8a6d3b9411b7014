//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::config::CONFIG_WORDS;
use tandem_isa::tensix::{Banks, MmioWord};
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::{check_done, number_gprs, word};

/// What an instruction was promised, the state before it and after, and how many words are open.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
    /// The words of the PRNG of which nothing is promised.
    open: usize,
}

/// The numbers of the registers of the state, from register 0xFFB11000 to 0xFFBFFFFC; the last two are register 3 of
/// stream 63 and register 1023 of stream 5.
const REGISTERS: [u32; 8] = [0x4400, 0x4401, 0x4c00, 0x2_0005, 0x3_fffe, 0x3_ffff, 0x1_fc03, 0x1_17ff];

/// Runs an instruction of thread 1 with StateID 1, where `GPRs[t][n]` holds 0x1000 * (t + 1) + n, and register n of
/// [`REGISTERS`] 0xe000_0000 + n. All words of bank b of `Config` are 0xc0 + b. `BankSel` of section n of thread t is
/// 10 * t + n, but for section 2 of thread 1, of which it is 63, and section 3, of which it is 5.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Banks, &mut Small)) -> Run {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    let mut small = *tensix.small;
    small.current_thread = 1;
    for ((word, addr_lo), value) in small.mmio.iter_mut().zip(REGISTERS).zip(0xe000_0000..) {
        *word = MmioWord { addr_lo, word: value };
    }
    if chip == Chip::Blackhole {
        for (first, words) in [0, 10, 20].into_iter().zip(&mut small.thread_config) {
            for (section, stream) in (0..4).zip(first..) {
                blackhole::stream_id_sync_bank_sel(section).set(words, stream);
            }
        }
        blackhole::stream_id_sync_bank_sel(2).set(&mut small.thread_config[1], 63);
        blackhole::stream_id_sync_bank_sel(3).set(&mut small.thread_config[1], 5);
        small.config = [[0xc0; CONFIG_WORDS], [0xc1; CONFIG_WORDS]];
    }
    small.thread_config[1][0] = 1;
    let banks = tensix.banks_unmarked();
    number_gprs(banks);
    prepare(banks, &mut small);
    let before = (*banks, small);
    *tensix.small = small;
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let open = state.tracker.open.len();
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small), open }
}

impl Run {
    /// Whether the state is the one before but for what `changes` changes.
    fn check(&self, changes: impl FnOnce(&mut Banks, &mut Small)) {
        check_done(self.promise, [&self.before, &self.after], changes);
    }

    fn is_undefined(&self, lines: &str) -> bool {
        matches!(self.promise, Expectation::Undefined(cite) if cite.place == lines)
    }

    fn is_outside(&self, lines: &str) -> bool {
        matches!(self.promise, Expectation::Unspecified(cite) if cite.place == lines && cite.reason == OUTSIDE_REASON)
    }
}

/// A GPR of thread 1.
fn gpr(banks: &mut Banks, register: usize) -> &mut u32 {
    &mut banks.gprs[1][register / 4][register % 4]
}

/// Runs a `STOREIND_MMIO` of GPR 9, where GPR 7 is the address and the high half of GPR 30 what comes to it.
fn store(chip: Chip, address: u32, half: u32) -> Run {
    run(chip, "STOREIND_MMIO", &[(ADDR_REG, 7), (DATA_REG, 9), (OFFSET_HALF_REG, 61)], |banks, _| {
        *gpr(banks, 7) = address;
        *gpr(banks, 30) = half << 16 | 0xabcd;
    })
}

#[test]
fn loadreg_moves_a_register_to_a_gpr_of_its_thread() {
    for (chip, thread) in Chip::ALL.into_iter().flat_map(|chip| (0..3).map(move |thread| (chip, thread))) {
        for (register, row, column) in [(0, 0, 0), (13, 3, 1), (63, 15, 3)] {
            let run = run(chip, "LOADREG", &[(ADDR_LO, 0x4c00), (MMIO_REG, register)], |_, small| {
                small.current_thread = thread;
            });
            run.check(|banks, _| banks.gprs[thread as usize][row][column] = 0xe000_0002);
        }
    }
}

#[test]
fn storereg_moves_a_gpr_of_its_thread_to_a_register() {
    for (chip, thread) in Chip::ALL.into_iter().flat_map(|chip| (0..3).map(move |thread| (chip, thread))) {
        for register in [0, 13, 63] {
            let run = run(chip, "STOREREG", &[(ADDR_LO, 0x4c00), (MMIO_REG, register)], |_, small| {
                small.current_thread = thread;
            });
            run.check(|_, small| small.mmio[2].word = 0x1000 * (thread + 1) + register);
        }
    }
}

#[test]
fn addr_lo_counts_registers_of_four_bytes() {
    for (chip, (number, addr_lo)) in
        Chip::ALL.into_iter().flat_map(|chip| REGISTERS.into_iter().enumerate().map(move |r| (chip, r)))
    {
        let fields = [(ADDR_LO, addr_lo), (MMIO_REG, 9)];
        let value = small_value(number);
        run(chip, "LOADREG", &fields, |_, _| ()).check(|banks, _| *gpr(banks, 9) = value);
        run(chip, "STOREREG", &fields, |_, _| ()).check(|_, small| small.mmio[number].word = 0x2009);
        // Of two of one address the first counts.
        let twice = |_: &mut Banks, small: &mut Small| small.mmio[7].addr_lo = addr_lo;
        run(chip, "LOADREG", &fields, twice).check(|banks, _| *gpr(banks, 9) = value);
        run(chip, "STOREREG", &fields, twice).check(|_, small| small.mmio[number].word = 0x2009);
    }
}

/// What a register of the state holds.
fn small_value(number: usize) -> u32 {
    0xe000_0000 + u32::try_from(number).expect("there are eight")
}

#[test]
fn registers_begin_at_ffb11000() {
    for chip in Chip::ALL {
        // Even if the state has it.
        for addr_lo in [0, 1, 0x43ff, 0x4400, 0x4401] {
            let is_below = addr_lo < 0x4400;
            let all = |_: &mut Banks, small: &mut Small| small.mmio[7].addr_lo = addr_lo;
            let fields = [(ADDR_LO, addr_lo), (MMIO_REG, 9)];
            for (name, lines) in [("LOADREG", "lines 24-26"), ("STOREREG", "lines 23-25")] {
                let run = run(chip, name, &fields, all);
                assert_eq!(run.is_undefined(lines), is_below, "{name} {addr_lo:#x}");
                assert_eq!(run.promise == Expectation::Done, !is_below, "{name} {addr_lo:#x}");
            }
        }
        for (address, half) in [(0x1_0fff, 0xf), (0, 0), (0xffff_fffc, 0x50), (0x1_0000, 0xffff), (0xfff1_0ffc, 0x3f)] {
            assert!(store(chip, address, half).is_undefined("lines 27-29"), "{address:#x}");
        }
        for (address, half) in [(0x1_1000, 0), (0x1_0fff, 0x10), (0x1_0001, 0xffff)] {
            store(chip, address, half).check(|_, small| small.mmio[0].word = 0x2009);
        }
    }
}

#[test]
fn registers_outside_of_the_state_are_unspecified() {
    for chip in Chip::ALL {
        for addr_lo in [0x4402, 0x4bff, 0x1_fc02, 0x3_fffd] {
            let fields = [(ADDR_LO, addr_lo), (MMIO_REG, 9)];
            assert!(run(chip, "LOADREG", &fields, |_, _| ()).is_outside("line 32"), "{addr_lo:#x}");
            assert!(run(chip, "STOREREG", &fields, |_, _| ()).is_outside("line 27"), "{addr_lo:#x}");
            assert!(store(chip, addr_lo << 2, 0).is_outside("line 31"), "{addr_lo:#x}");
        }
    }
    // Even if the word is outside of the state as well.
    for index in [7, 180] {
        assert!(stream(2, 4, index, |_| ()).is_outside("line 24"), "{index}");
    }
}

#[rstest]
#[case(0x1_3000, 0)]
#[case(0x1_3003, 0x000f)]
#[case(0x1_2fff, 0x0010)]
#[case(0x1_2001, 0xffff)]
#[case(0xfff1_3002, 0x0010)]
fn the_address_is_a_gpr_and_the_upper_bits_of_half_another_in_20_bits(#[case] address: u32, #[case] half: u32) {
    for chip in Chip::ALL {
        // Register 0xFFB13000.
        store(chip, address, half).check(|_, small| small.mmio[2].word = 0x2009);
    }
}

#[test]
fn a_sum_beyond_20_bits_and_one_beyond_32_wrap() {
    for chip in Chip::ALL {
        // 0xfffff000 and 0xfff are all ones.
        store(chip, 0xffff_f000, 0xffff).check(|_, small| small.mmio[5].word = 0x2009);
        store(chip, 0x000f_fffb, 0).check(|_, small| small.mmio[4].word = 0x2009);
        // They are 0x11000 with a 1 above.
        store(chip, 0x0011_1000, 0).check(|_, small| small.mmio[0].word = 0x2009);
        assert!(store(chip, 0xffff_ffff, 0x0010).is_undefined("lines 27-29"));
    }
}

#[test]
fn storeind_mmio_stores_and_adds_what_it_has_not_incremented() {
    for (chip, (select, by)) in
        Chip::ALL.into_iter().flat_map(|chip| (0..).zip([0, 2, 4, 16]).map(move |by| (chip, by)))
    {
        let store = |addr, data, half, first, second| {
            let fields = [(ADDR_REG, addr), (DATA_REG, data), (OFFSET_HALF_REG, half), (OFFSET_INCREMENT, select)];
            run(chip, "STOREIND_MMIO", &fields, |banks, _| {
                (*gpr(banks, 7), *gpr(banks, 30)) = (first, second);
            })
        };
        // The low half is 0xfffe and wraps in itself: 0x12001 and 0xfff are 0x13000.
        store(7, 9, 60, 0x1_2001, 0x5555_fffe).check(|banks, small| {
            small.mmio[2].word = 0x2009;
            *gpr(banks, 30) = 0x5555_0000 | 0xfffe_u32.wrapping_add(by) & 0xffff;
        });
        // The half is what is stored: 0x12fff and 1 are 0x13000.
        store(7, 30, 60, 0x1_2fff, 0x5555_001f).check(|banks, small| {
            small.mmio[2].word = 0x5555_001f;
            *gpr(banks, 30) = 0x5555_001f + by;
        });
        // The GPR is the address, what is stored, and the one of the half, the high one: 0x12ed4 and 0x12e are 0x13002.
        store(7, 7, 15, 0x12e1_2ed4, 0).check(|banks, small| {
            small.mmio[2].word = 0x12e1_2ed4;
            *gpr(banks, 7) = 0x12e1_2ed4 + (by << 16);
        });
    }
}

/// Runs a `STREAMWRCFG` of thread 1.
fn stream(select: u32, register: u32, index: u32, prepare: impl FnOnce(&mut Small)) -> Run {
    let fields = [(STREAM_SELECT, select), (REG_INDEX, register), (CFG_INDEX, index)];
    run(Chip::Blackhole, "STREAMWRCFG", &fields, |_, small| prepare(small))
}

#[test]
fn streamwrcfg_reads_the_stream_of_its_thread_s_section() {
    // Stream 63, register 3, is 0xFFB7F00C; stream 5, register 1023, is 0xFFB45FFC.
    stream(2, 3, 9, |_| ()).check(|_, small| small.config[1][9] = 0xe000_0006);
    stream(3, 1023, 9, |_| ()).check(|_, small| small.config[1][9] = 0xe000_0007);
    // Streams 10 and 11 of thread 1, and 0 and 23 of the others.
    let at = |thread: u32, select, addr_lo| {
        let run = stream(select, 1, 9, |small| {
            (small.current_thread, small.mmio[3].addr_lo) = (thread, addr_lo);
        });
        let state_id = usize::from(thread == 1);
        run.check(|_, small| small.config[state_id][9] = 0xe000_0003);
    };
    at(1, 0, 0x1_2801);
    at(1, 1, 0x1_2c01);
    at(0, 0, 0x1_0001);
    at(2, 3, 0x1_5c01);
    // The bits above BankSel are of no stream.
    let odd = stream(2, 3, 9, |small| small.thread_config[1][61] |= 0xffc0);
    odd.check(|_, small| small.config[1][9] = 0xe000_0006);
}

#[test]
fn streamwrcfg_writes_the_bank_of_its_thread_s_state_id() {
    stream(2, 3, 179, |_| ()).check(|_, small| small.config[1][179] = 0xe000_0006);
    let other = stream(2, 3, 179, |small| small.thread_config[1][0] = 0xfffe);
    other.check(|_, small| small.config[0][179] = 0xe000_0006);
    // Words of both banks.
    stream(2, 3, 220, |_| ()).check(|_, small| small.dest_access_cfg = 0xe000_0006);
    stream(2, 3, 210, |_| ()).check(|_, small| small.scratch_sec[1] = 0xe000_0006);
    // Words outside of the state.
    for index in [184, 208, 219, 223] {
        stream(2, 3, index, |_| ()).check(|_, _| ());
    }
}

#[test]
fn streamwrcfg_does_what_a_write_does() {
    for index in 0..224 {
        let run = stream(2, 3, index, |small| small.mmio[6].word = 0xc1);
        assert_eq!(run.open, if index == 186 { 32 } else { 0 }, "{index}");
        run.check(|_, small| match index {
            4 => small.config[1] = [0; CONFIG_WORDS],
            180..184 => small.dest_target_reg_cfg_pack_sec[index as usize - 180] = 0xc1,
            187..203 => small.int_descale_values_sec[index as usize - 187] = 0xc1,
            209..212 => small.scratch_sec[index as usize - 209] = 0xc1,
            220 => small.dest_access_cfg = 0xc1,
            _ => (),
        });
    }
}

#[test]
fn streamwrcfg_beyond_the_last_word_is_undefined() {
    for index in 0..2048 {
        // Even if the state does not have the register.
        for register in [3, 4] {
            assert_eq!(stream(2, register, index, |_| ()).is_undefined("line 20"), index >= 224, "{index}");
        }
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for (chip, name, bits) in [
        (Chip::Wormhole, "LOADREG", 0_u32),
        (Chip::Wormhole, "STOREREG", 0),
        (Chip::Wormhole, "STOREIND_MMIO", 0x20_0000),
        (Chip::Blackhole, "STOREIND_MMIO", 0x20_0000),
        (Chip::Blackhole, "STREAMWRCFG", 0x80_0000),
    ] {
        // Those of STOREIND that say which one it is are no bits to set.
        for bit in (0..24).filter(|bit| name != "STOREIND_MMIO" || *bit < 22) {
            let field = CodeField { name: "", word: 0, shift: bit, width: 1 };
            let promise = run(chip, name, &[(field, 1)], |_, _| ()).promise;
            let is_unnamed =
                matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
            assert_eq!(is_unnamed, bits >> bit & 1 != 0, "{name} {bit}");
        }
    }
}
