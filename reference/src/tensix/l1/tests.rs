//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::{Banks, MATRIX_UNIT};
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::{number_gprs, word};

/// What an instruction was promised, and the state before it and after.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
}

/// Runs an instruction of thread 1, where `GPRs[t][n]` holds 0x1000 * (t + 1) + n, but for GPRs 62 and 63 of thread 1,
/// which are 0. Times 16, GPR n of thread 1 is the address of row n % 16 of window n / 16. Word k of row r of window w
/// of L1 holds 0xf0000000 + 0x10000 * w + 0x100 * r + k. All words of `SrcA` and `SrcB` are 5, and the Unpackers have
/// all banks; they are at bank 0 of `SrcA` and bank 1 of `SrcB`, at row 16 of the one and 48 of the other for thread 1.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Banks, &mut Small)) -> Run {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    let mut small = *tensix.small;
    small.current_thread = 1;
    (small.srca_allowed_client, small.srcb_allowed_client) = ([UNPACKERS; 2], [UNPACKERS; 2]);
    small.unpackers_src_bank = [0, 1];
    small.unpackers_src_row = [[0, 16, 32], [32, 48, 0]];
    small.l1_pages.iter_mut().zip(0x200..).for_each(|(page, number)| *page = number);
    let banks = tensix.banks_unmarked();
    number_gprs(banks);
    banks.gprs[1][15][2..].fill(0);
    for (window, rows) in (0..).zip(&mut banks.l1) {
        for (row, words) in (0..).zip(rows) {
            *words = [0, 1, 2, 3].map(|word| 0xf000_0000 + 0x1_0000 * window + 0x100 * row + word);
        }
    }
    banks.srca.as_flattened_mut().as_flattened_mut().fill(5);
    banks.srcb.as_flattened_mut().as_flattened_mut().fill(5);
    prepare(banks, &mut small);
    let before = (*banks, small);
    *tensix.small = small;
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small) }
}

impl Run {
    /// Whether the state is the one before but for what `changes` changes.
    fn check(&self, changes: impl FnOnce(&mut Banks)) {
        assert_eq!(self.promise, Expectation::Done);
        self.is_but_for(changes);
    }

    /// Whether the instruction waits, as lines of its page say, and the state is the one before.
    fn waits(&self, lines: &str) {
        assert!(matches!(self.promise, Expectation::Blocked(cite) if cite.place == lines), "{:?}", self.promise);
        self.is_but_for(|_| ());
    }

    fn is_but_for(&self, changes: impl FnOnce(&mut Banks)) {
        let (mut banks, small) = self.before;
        changes(&mut banks);
        assert_eq!(self.after.1, small);
        assert_eq!(self.after.0.gprs, banks.gprs);
        for (window, (rows, expected)) in self.after.0.l1.iter().zip(&banks.l1).enumerate() {
            assert_eq!(rows, expected, "window {window}");
        }
        assert!((self.after.0.srca, self.after.0.srcb) == (banks.srca, banks.srcb), "the banks");
    }

    fn is_undefined(&self) -> bool {
        matches!(self.promise, Expectation::Undefined(_))
    }
}

/// A GPR of thread 1.
fn gpr(banks: &mut Banks, register: usize) -> &mut u32 {
    &mut banks.gprs[1][register / 4][register % 4]
}

/// The low half of GPR 62, which is 0.
const ZERO: (CodeField, u32) = (OFFSET_HALF_REG, 124);

#[rstest]
#[case(0, 22, 0, &[(20, 0x4433_2211), (21, 0x8877_6655), (22, 0xccbb_aa99), (23, 0x10ff_eedd)])]
#[case(0, 20, 15, &[(20, 0x4433_2211), (21, 0x8877_6655), (22, 0xccbb_aa99), (23, 0x10ff_eedd)])]
#[case(1, 22, 0, &[(22, 0x4433_2211)])]
#[case(1, 22, 7, &[(22, 0x8877_6655)])]
#[case(1, 23, 12, &[(23, 0x10ff_eedd)])]
#[case(2, 22, 0, &[(22, 0x0000_2211)])]
#[case(2, 22, 3, &[(22, 0x0000_4433)])]
#[case(2, 22, 14, &[(22, 0x0000_10ff)])]
#[case(3, 22, 0, &[(22, 0x0000_2011)])]
#[case(3, 22, 1, &[(22, 0x0000_2022)])]
#[case(3, 22, 6, &[(22, 0x0000_2077)])]
#[case(3, 22, 15, &[(22, 0x0000_2010)])]
fn loadind_moves_four_words_two_bytes_or_one_and_the_rest_stays(
    #[case] size: u32,
    #[case] register: u32,
    #[case] offset: u32,
    #[case] becomes: &[(usize, u32)],
) {
    for (chip, high) in Chip::ALL.into_iter().flat_map(|chip| [(chip, 0), (chip, 0xabcd_0000)]) {
        // GPR 35 is the address of row 3 of window 2.
        let fields = [(LOAD_SIZE, size), (ADDR_REG, 35), (DATA_REG, register), ZERO];
        let run = run(chip, "LOADIND", &fields, |banks, _| {
            *gpr(banks, 62) = offset;
            *gpr(banks, 22) |= high;
            banks.l1[2][3] = [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd];
        });
        run.check(|banks| {
            for &(register, value) in becomes {
                *gpr(banks, register) = if size < 2 { value } else { value | high };
            }
        });
    }
}

#[rstest]
#[case(0, 22, 0, [0x2014, 0x2015, 0x2016, 0x2017])]
#[case(0, 22, 15, [0x2014, 0x2015, 0x2016, 0x2017])]
#[case(1, 22, 0, [0x8765_2016, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd])]
#[case(1, 22, 11, [0x4433_2211, 0x8877_6655, 0x8765_2016, 0x10ff_eedd])]
#[case(2, 22, 0, [0x4433_2016, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd])]
#[case(2, 22, 15, [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x2016_eedd])]
#[case(3, 22, 0, [0x4433_2216, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd])]
#[case(3, 22, 5, [0x4433_2211, 0x8877_1655, 0xccbb_aa99, 0x10ff_eedd])]
#[case(3, 22, 10, [0x4433_2211, 0x8877_6655, 0xcc16_aa99, 0x10ff_eedd])]
#[case(3, 22, 15, [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x16ff_eedd])]
fn storeind_l1_writes_four_words_two_bytes_or_one_and_the_rest_stays(
    #[case] size: u32,
    #[case] register: u32,
    #[case] offset: u32,
    #[case] becomes: [u32; 4],
) {
    for chip in Chip::ALL {
        let fields = [(STORE_SIZE, size), (ADDR_REG, 35), (DATA_REG, register), ZERO];
        let run = run(chip, "STOREIND_L1", &fields, |banks, _| {
            *gpr(banks, 62) = offset;
            if size != 0 {
                *gpr(banks, 22) |= 0x8765_0000;
            }
            banks.l1[2][3] = [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd];
        });
        run.check(|banks| banks.l1[2][3] = becomes);
    }
}

#[test]
fn addresses_are_sixteen_times_a_gpr_and_the_half_of_another_modulo_2_to_the_32() {
    for chip in Chip::ALL {
        // Each of these, with the high half of GPR 63, is 0x20458: word 2 of row 5 of window 4.
        for (address, half) in [(0x2045, 8), (0x2000, 0x458), (0x1046, 0xfff8), (0xf000_2045, 8)] {
            let fields = [(LOAD_SIZE, 1), (ADDR_REG, 7), (DATA_REG, 9), (OFFSET_HALF_REG, 127)];
            let run = run(chip, "LOADIND", &fields, |banks, _| {
                *gpr(banks, 7) = address;
                *gpr(banks, 63) = half << 16 | 0x1234;
            });
            run.check(|banks| *gpr(banks, 9) = 0xf004_0502);
        }
        // 16 times this GPR is 0xfffffff0, and with the half it is 0x104: word 1 of the first row of page 1.
        let fields = [(STORE_SIZE, 1), (ADDR_REG, 7), (DATA_REG, 9), (OFFSET_HALF_REG, 126)];
        let run = run(chip, "STOREIND_L1", &fields, |banks, small| {
            *gpr(banks, 7) = 0xffff_ffff;
            *gpr(banks, 63) = 0x5555_0114;
            small.l1_pages[4] = 1;
        });
        run.check(|banks| banks.l1[4][0][1] = 0x2009);
    }
}

#[test]
fn a_half_grows_by_0_2_4_or_16_and_wraps_in_itself() {
    for (name, select) in
        ["LOADIND", "STOREIND_L1", "STOREIND_SRC"].into_iter().flat_map(|name| (0..4).map(move |select| (name, select)))
    {
        let by = [0, 2, 4, 16][select as usize];
        let size = match name {
            "LOADIND" => (LOAD_SIZE, 1),
            "STOREIND_L1" => (STORE_SIZE, 1),
            _ => (STORE_TO_SRCB, 1),
        };
        for (half, before, after) in [
            (124, 0x1234_0000, 0x1234_0000 + by),
            (125, 0x0000_1234, 0x0000_1234 + (by << 16)),
            (124, 0xffff_fff0, if by == 16 { 0xffff_0000 } else { 0xffff_fff0 + by }),
            (125, 0xfffe_ffff, if by == 0 { 0xfffe_ffff } else { (by - 2) << 16 | 0xffff }),
        ] {
            let fields = [size, (ADDR_REG, 63), (DATA_REG, 9), (OFFSET_HALF_REG, half), (OFFSET_INCREMENT, select)];
            let run = run(Chip::Wormhole, name, &fields, |banks, small| {
                *gpr(banks, 62) = before;
                // The address is the half, and the index 0 in its 20 bits.
                *gpr(banks, 63) = if name == "STOREIND_SRC" && before >> 28 == 0xf { 0x000f_f001 } else { 0 };
                (small.l1_pages[0], small.l1_pages[1]) = (0, 0xff);
            });
            assert_eq!(run.promise, Expectation::Done, "{name} {before:#x}");
            assert_eq!(*gpr(&mut { run.after.0 }, 62), after, "{name} {before:#x} {by}");
        }
    }
}

#[test]
fn loadind_increments_before_it_writes() {
    for chip in Chip::ALL {
        let load = |size, addr, half, select, into| {
            let fields = [
                (LOAD_SIZE, size),
                (ADDR_REG, addr),
                (OFFSET_HALF_REG, half),
                (OFFSET_INCREMENT, select),
                (DATA_REG, into),
            ];
            run(chip, "LOADIND", &fields, |banks, _| {
                *gpr(banks, 40) = 0x2030;
                *gpr(banks, 62) = 0x7777_000c;
                banks.l1[3][0] = [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd];
            })
        };
        // A word overwrites all that was incremented, and is that of the old half.
        load(1, 40, 124, 3, 62).check(|banks| *gpr(banks, 62) = 0x10ff_eedd);
        load(0, 40, 124, 3, 61).check(|banks| {
            banks.gprs[1][15] = [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd];
        });
        // 16 bits overwrite the half that was incremented, and a byte leaves its upper byte.
        load(2, 40, 124, 3, 62).check(|banks| *gpr(banks, 62) = 0x7777_eedd);
        load(3, 40, 124, 3, 62).check(|banks| *gpr(banks, 62) = 0x7777_00dd);
        // The offset is the high half of the GPR of the address, which is the one from before. Where it is not written
        // over, it stays incremented.
        load(2, 40, 81, 2, 40).check(|banks| *gpr(banks, 40) = 0x0004_2211);
        load(3, 40, 81, 2, 40).check(|banks| *gpr(banks, 40) = 0x0004_2011);
        load(1, 40, 81, 2, 41).check(|banks| {
            *gpr(banks, 40) = 0x0004_2030;
            *gpr(banks, 41) = 0x4433_2211;
        });
    }
}

#[test]
fn storeind_l1_stores_what_it_has_incremented() {
    for chip in Chip::ALL {
        let store = |size, half, select, from| {
            let fields = [
                (STORE_SIZE, size),
                (ADDR_REG, 40),
                (OFFSET_HALF_REG, half),
                (OFFSET_INCREMENT, select),
                (DATA_REG, from),
            ];
            run(chip, "STOREIND_L1", &fields, |banks, _| {
                *gpr(banks, 40) = 0x2030;
                *gpr(banks, 62) = 0x7777_000c;
                banks.l1[3][0] = [0x4433_2211, 0x8877_6655, 0xccbb_aa99, 0x10ff_eedd];
            })
        };
        // At offset 12 the GPR is stored with a low half of 12 + 16.
        store(1, 124, 3, 62).check(|banks| {
            *gpr(banks, 62) = 0x7777_001c;
            banks.l1[3][0][3] = 0x7777_001c;
        });
        store(2, 124, 1, 62).check(|banks| {
            *gpr(banks, 62) = 0x7777_000e;
            banks.l1[3][0][3] = 0x10ff_000e;
        });
        store(3, 124, 2, 62).check(|banks| {
            *gpr(banks, 62) = 0x7777_0010;
            banks.l1[3][0][3] = 0x10ff_ee10;
        });
        store(0, 124, 1, 60).check(|banks| {
            *gpr(banks, 62) = 0x7777_000e;
            banks.l1[3][0] = [0x203c, 0x203d, 0x7777_000e, 0];
        });
        // The GPR of the address, whose high half is an offset of 0, goes on for the next time.
        store(1, 81, 3, 40).check(|banks| {
            *gpr(banks, 40) = 0x0010_2030;
            banks.l1[3][0][0] = 0x0010_2030;
        });
    }
}

#[test]
fn addresses_beyond_l1_are_undefined_and_those_that_nothing_shows_unspecified() {
    let names = ["LOADIND", "STOREIND_L1", "ATCAS", "ATINCGET", "ATINCGETPTR", "ATSWAP"];
    for (chip, name) in Chip::ALL.into_iter().flat_map(|chip| names.map(|name| (chip, name))) {
        // 1464 and 1536 KiB, in units of 16 bytes.
        let end = chip.pick(0x1_6e00, 0x1_8000);
        let promise = |address, shown| {
            let fields: &[_] = match name {
                "LOADIND" | "STOREIND_L1" => &[ZERO],
                "ATCAS" => &[],
                _ => &[(DATA_REG, 9)],
            };
            let run = run(chip, name, &[fields, &[(ADDR_REG, 7)]].concat(), |banks, small| {
                *gpr(banks, 7) = address;
                small.l1_pages[0] = shown;
                banks.l1[0][15] = [0, 4, 0, 0];
            });
            run.promise
        };
        let last_page = chip.pick(0x16df, 0x17ff);
        assert_eq!(promise(end - 1, last_page), Expectation::Done, "{name}");
        assert!(
            matches!(promise(end - 1, 0), Expectation::Unspecified(cite) if cite.reason == OUTSIDE_REASON),
            "{name}"
        );
        for address in [end, end + 1, 0x1000_0000 - 1] {
            assert!(
                matches!(promise(address, last_page), Expectation::Undefined(cite) if cite.reason == BEYOND_REASON),
                "{name}"
            );
        }
    }
}

#[test]
fn addresses_are_sixteen_times_a_gpr_and_ofs_words_modulo_2_to_the_32() {
    for chip in Chip::ALL {
        // 0xd0002045 times 16 is 0x20450: row 5 of window 4.
        let address = |banks: &mut Banks, _: &mut Small| *gpr(banks, 7) = 0xd000_2045;
        for ofs in 0..4 {
            let at = ofs as usize;
            let fields = [(ADDR_REG, 7), (DATA_REG, 9), (OFS, ofs), (INT_WIDTH5, 31)];
            run(chip, "ATINCGET", &fields, address).check(|banks| {
                banks.l1[4][5][at] = 0xf004_0500 + ofs + 0x2009;
                *gpr(banks, 9) = 0xf004_0500 + ofs;
            });
            let fields = [(ADDR_REG, 7), (OFS, ofs), (CMP_VAL, 9), (SET_VAL, 6)];
            let run = run(chip, "ATCAS", &fields, |banks, small| {
                address(banks, small);
                banks.l1[4][5][at] = 9;
            });
            run.check(|banks| banks.l1[4][5][at] = 6);
        }
        let fields = [(ADDR_REG, 7), (DATA_REG, 9), (INT_WIDTH4, 15)];
        run(chip, "ATINCGETPTR", &fields, address).check(|banks| {
            banks.l1[4][5][0] = 0xf004_0501;
            *gpr(banks, 9) = 0xf004_0500;
        });
        let fields = [(ADDR_REG, 7), (DATA_REG, 9), (SWAP_MASK, 0xff)];
        run(chip, "ATSWAP", &fields, address).check(|banks| banks.l1[4][5] = [0x2008, 0x2009, 0x200a, 0x200b]);
    }
}

#[test]
fn atcas_waits_until_all_of_the_word_is_what_it_compares_with() {
    for (chip, ofs) in Chip::ALL.into_iter().flat_map(|chip| (0..4).map(move |ofs| (chip, ofs))) {
        let cas = |word: u32| {
            let fields = [(ADDR_REG, 35), (OFS, ofs), (CMP_VAL, 10), (SET_VAL, 15)];
            run(chip, "ATCAS", &fields, |banks, _| banks.l1[2][3][ofs as usize] = word)
        };
        cas(10).check(|banks| banks.l1[2][3][ofs as usize] = 15);
        for word in [0, 11, 2, 26, 0x8000_000a, 0x10a] {
            cas(word).waits("lines 20-28");
        }
    }
}

#[rstest]
#[case(0, 0x1234_5678, 1, 0x1234_5679)]
#[case(0, 0x1234_5679, 1, 0x1234_5678)]
#[case(0, 0x1234_5679, 2, 0x1234_5679)]
#[case(3, 0x1234_567f, 0x11, 0x1234_5670)]
#[case(7, 0x1234_56f0, 0x20, 0x1234_5610)]
#[case(15, 0x1234_ffff, 0xffff_0002, 0x1234_0001)]
#[case(30, 0x7fff_ffff, 1, 0)]
#[case(30, 0xffff_ffff, 1, 0x8000_0000)]
#[case(31, 0xffff_ffff, 3, 2)]
#[case(31, 0x7fff_ffff, 1, 0x8000_0000)]
fn the_integer_has_one_bit_more_than_int_width(
    #[case] int_width: u32,
    #[case] word: u32,
    #[case] by: u32,
    #[case] becomes: u32,
) {
    for chip in Chip::ALL {
        let fields = [(ADDR_REG, 35), (OFS, 2), (INT_WIDTH5, int_width), (DATA_REG, 58)];
        let increment = run(chip, "ATINCGET", &fields, |banks, _| {
            banks.l1[2][3][2] = word;
            *gpr(banks, 58) = by;
        });
        increment.check(|banks| {
            banks.l1[2][3][2] = becomes;
            *gpr(banks, 58) = word;
        });
    }
}

#[test]
fn atincget_may_get_its_address_and_its_increment_from_one_gpr() {
    let fields = [(ADDR_REG, 35), (INT_WIDTH5, 31), (DATA_REG, 35)];
    run(Chip::Wormhole, "ATINCGET", &fields, |banks, _| banks.l1[2][3][0] = 7).check(|banks| {
        banks.l1[2][3][0] = 0x2023 + 7;
        *gpr(banks, 35) = 7;
    });
}

/// Runs an `ATINCGETPTR` at row 3 of window 2, with a result for GPR 58.
fn pointer(chip: Chip, fields: &[(CodeField, u32)], words: [u32; 4]) -> Run {
    let fields = [&[(ADDR_REG, 35), (DATA_REG, 58)], fields].concat();
    run(chip, "ATINCGETPTR", &fields, |banks, _| banks.l1[2][3] = words)
}

#[test]
fn a_pop_waits_for_a_fifo_that_is_not_empty() {
    for chip in Chip::ALL {
        for (rd, wr, becomes) in [(5, 6, 6), (5, 9, 6), (6, 5, 7), (15, 3, 0), (0x1_0005, 5, 0x1_0006)] {
            pointer(chip, &[(INT_WIDTH4, 4)], [rd, wr, 70, 80]).check(|banks| {
                banks.l1[2][3] = [becomes, wr, 70, 80];
                *gpr(banks, 58) = rd;
            });
            // Without an increment it is the same, but that L1 stays.
            pointer(chip, &[(INT_WIDTH4, 4), (NO_INCR, 1)], [rd, wr, 70, 80]).check(|banks| *gpr(banks, 58) = rd);
            for no_incr in [0, 1] {
                let fields = [(INT_WIDTH4, 4), (NO_INCR, no_incr)];
                pointer(chip, &fields, [rd, rd, 70, 80]).waits("lines 46-65");
            }
        }
    }
}

#[test]
fn a_push_waits_for_a_fifo_that_is_not_full() {
    for chip in Chip::ALL {
        let push = |int_width, no_incr, rd, wr| {
            pointer(chip, &[(OFS, 1), (INT_WIDTH4, int_width), (NO_INCR, no_incr)], [rd, wr, 70, 80])
        };
        // Counters of four bits, and so a capacity of eight.
        for (rd, wr, becomes) in [(5, 5, 6), (5, 12, 13), (0, 15, 0), (9, 0, 1)] {
            push(4, 0, rd, wr).check(|banks| {
                banks.l1[2][3][1] = becomes;
                *gpr(banks, 58) = wr;
            });
            push(4, 1, rd, wr).check(|banks| *gpr(banks, 58) = wr);
        }
        // 8, 0xfffffff8 and 16 are multiples of 8; so is the difference of counters that do not fit.
        for (rd, wr) in [(5, 13), (13, 5), (0, 16), (0, 0x1_0000)] {
            for no_incr in [0, 1] {
                push(4, no_incr, rd, wr).waits("lines 46-58");
            }
        }
        // Of one bit the capacity is 1, and all but an empty one is full.
        push(1, 0, 1, 0).waits("lines 46-58");
        push(1, 0, 1, 1).check(|banks| {
            banks.l1[2][3][1] = 0;
            *gpr(banks, 58) = 1;
        });
        // Of none it is that of 16, and nothing grows.
        push(0, 0, 7, 0x8007).waits("lines 46-58");
        push(0, 0, 7, 0x8006).check(|banks| *gpr(banks, 58) = 0x8006);
        push(15, 0, 7, 0x4007).waits("lines 46-58");
    }
}

#[rstest]
#[case(0, 0, 9, 9)]
#[case(0, 15, 9, 9)]
#[case(1, 0, 9, 8)]
#[case(4, 0, 9, 10)]
#[case(4, 2, 13, 1)]
#[case(4, 4, 13, 13)]
#[case(8, 3, 0x1_00ff, 0x1_0007)]
#[case(15, 14, 0xffff_7fff, 0xffff_3fff)]
#[case(15, 15, 0xffff_7fff, 0xffff_7fff)]
fn a_counter_grows_by_a_power_of_two_in_its_bits(
    #[case] int_width: u32,
    #[case] incr_log2: u32,
    #[case] word: u32,
    #[case] becomes: u32,
) {
    for chip in Chip::ALL {
        let fields = [(INT_WIDTH4, int_width), (INCR_LOG2, incr_log2)];
        pointer(chip, &fields, [word, 4, 70, 80]).check(|banks| {
            banks.l1[2][3][0] = becomes;
            *gpr(banks, 58) = word;
        });
        let fields = [(INT_WIDTH4, int_width), (INCR_LOG2, incr_log2), (NO_INCR, 1)];
        pointer(chip, &fields, [word, 4, 70, 80]).check(|banks| *gpr(banks, 58) = word);
    }
}

#[test]
fn ofs_of_2_or_3_adds_to_a_word_beside_the_counters() {
    for chip in Chip::ALL {
        let at = |ofs, words| pointer(chip, &[(OFS, ofs), (INT_WIDTH4, 8)], words);
        at(2, [1, 2, 70, 255]).check(|banks| {
            banks.l1[2][3] = [1, 2, 71, 255];
            *gpr(banks, 58) = 70;
        });
        at(3, [1, 2, 70, 255]).check(|banks| {
            banks.l1[2][3] = [1, 2, 70, 0];
            *gpr(banks, 58) = 255;
        });
        at(2, [5, 5, 70, 80]).waits("lines 46-65");
        at(3, [5, 133, 70, 80]).waits("lines 46-58");
    }
}

#[test]
fn atswap_writes_the_halves_of_its_mask() {
    for (chip, register) in Chip::ALL.into_iter().flat_map(|chip| (20..24).map(move |register| (chip, register))) {
        let swap = |mask| {
            run(chip, "ATSWAP", &[(ADDR_REG, 35), (DATA_REG, register), (SWAP_MASK, mask)], |banks, _| {
                banks.gprs[1][5] = [0x2222_1111, 0x4444_3333, 0x6666_5555, 0x8888_7777];
                banks.l1[2][3] = [0xb0b0_a0a0, 0xd0d0_c0c0, 0xf0f0_e0e0, 0x9090_8080];
            })
        };
        for (mask, becomes) in [
            (0x00, [0xb0b0_a0a0, 0xd0d0_c0c0, 0xf0f0_e0e0, 0x9090_8080]),
            (0x01, [0xb0b0_1111, 0xd0d0_c0c0, 0xf0f0_e0e0, 0x9090_8080]),
            (0x82, [0x2222_a0a0, 0xd0d0_c0c0, 0xf0f0_e0e0, 0x8888_8080]),
            (0x5a, [0x2222_a0a0, 0x4444_c0c0, 0xf0f0_5555, 0x9090_7777]),
            (0xff, [0x2222_1111, 0x4444_3333, 0x6666_5555, 0x8888_7777]),
        ] {
            swap(mask).check(|banks| banks.l1[2][3] = becomes);
        }
    }
}

#[rstest]
#[case(20, [0x2014, 0, 0, 0])]
#[case(21, [0, 0x2015, 0, 0])]
#[case(22, [0, 0, 0x2016, 0])]
#[case(23, [0, 0, 0, 0x2017])]
fn a_single_gpr_of_atswap_comes_with_zeros(#[case] register: u32, #[case] becomes: [u32; 4]) {
    for chip in Chip::ALL {
        let swap = |mask| {
            let fields = [(ADDR_REG, 35), (DATA_REG, register), (SWAP_MASK, mask), (SINGLE_DATA_REG, 1)];
            run(chip, "ATSWAP", &fields, |_, _| ())
        };
        swap(0xff).check(|banks| banks.l1[2][3] = becomes);
        // Of each word the low half.
        swap(0x55).check(|banks| banks.l1[2][3] = becomes.map(|word| 0xf002_0000 | word));
    }
}

#[test]
fn a_low_half_has_its_exponent_below_and_a_high_half_above_its_mantissa() {
    let low = |half: u32| [0, 0xffff_0000].map(|high| read_bf16_lo(high | half).get());
    assert_eq!(low(0x8000), [1 << 18; 2]);
    assert_eq!(low(0x4000), [1 << 17; 2]);
    assert_eq!(low(0x0100), [1 << 11; 2]);
    assert_eq!(low(0x0080), [1 << 7; 2]);
    assert_eq!(low(0x0001), [1; 2]);
    assert_eq!(low(0xffff), [0x7_f8ff; 2]);
    // The mantissa is 0x3f, and the exponent 0x80.
    assert_eq!(low(0x3f80), [0x1_f880; 2]);
    let high = |half: u32| [0, 0xffff].map(|low| read_bf16_hi(half << 16 | low).get());
    assert_eq!(high(0x8000), [1 << 18; 2]);
    assert_eq!(high(0x4000), [1 << 7; 2]);
    assert_eq!(high(0x0080), [1; 2]);
    assert_eq!(high(0x0040), [1 << 17; 2]);
    assert_eq!(high(0x0001), [1 << 11; 2]);
    assert_eq!(high(0xffff), [0x7_f8ff; 2]);
    // 1.0: the exponent is 0x7f.
    assert_eq!(high(0x3f80), [0x7f; 2]);
}

/// Runs a `STOREIND_SRC` of GPRs 20 and 21, which are 1.0, -2.0, 1.5 and 0, from the low half of the first on. GPR 7 is
/// the index, and the low half of GPR 62 what comes to it.
fn store(chip: Chip, to_srcb: bool, (index, offset): (u32, u32), prepare: impl FnOnce(&mut Banks, &mut Small)) -> Run {
    let fields = [(STORE_TO_SRCB, u32::from(to_srcb)), (ADDR_REG, 7), (DATA_REG, 23), ZERO];
    run(chip, "STOREIND_SRC", &fields, |banks, small| {
        // Low halves are sign, mantissa and exponent: 0x007f and 0x407f. High ones are BF16: 0xc000 and 0.
        (banks.gprs[1][5][0], banks.gprs[1][5][1]) = (0xc000_007f, 0x0000_407f);
        *gpr(banks, 7) = index;
        *gpr(banks, 62) = offset;
        prepare(banks, small);
    })
}

/// What [`store`] stores: the mantissa of 1.5 is 0x40, and the exponent of -2.0 0x80.
const STORED: [u32; 4] = [0x7f, 0x4_0080, 0x2_007f, 0];

#[test]
fn storeind_src_writes_four_columns_of_a_row() {
    for (chip, at) in Chip::ALL.into_iter().flat_map(|chip| (0..4).map(move |at| (chip, at))) {
        let columns = 4 * at as usize..4 * at as usize + 4;
        // Row 3 of SrcB after the row where the second Unpacker is, 48; row 7 of SrcA after 16, less 4.
        store(chip, true, (3 << 2 | at, 0), |_, _| ())
            .check(|banks| banks.srcb[1][51][columns.clone()].copy_from_slice(&STORED));
        store(chip, false, (7 << 2 | at, 0), |_, _| ())
            .check(|banks| banks.srca[0][19][columns.clone()].copy_from_slice(&STORED));
        // In the other banks.
        store(chip, true, (3 << 2 | at, 0), |_, small| small.unpackers_src_bank = [0, 0])
            .check(|banks| banks.srcb[0][51][columns.clone()].copy_from_slice(&STORED));
        store(chip, false, (7 << 2 | at, 0), |_, small| small.unpackers_src_bank = [1, 1])
            .check(|banks| banks.srca[1][19][columns].copy_from_slice(&STORED));
    }
}

#[test]
fn the_index_is_a_gpr_and_the_upper_bits_of_half_another_in_twenty_bits() {
    for chip in Chip::ALL {
        // Each is an index of 13: row 3, and columns 4 to 7.
        for index in [(13, 0), (13, 0x5555_000f), (12, 0x10), (3, 0xa7), (0xfff0_000d, 0), (0xf_f00e, 0xfff0)] {
            store(chip, true, index, |_, _| ()).check(|banks| banks.srcb[1][51][4..8].copy_from_slice(&STORED));
        }
        // The high half of a GPR, which grows.
        let fields = [(STORE_TO_SRCB, 1), (ADDR_REG, 7), (DATA_REG, 20), (OFFSET_HALF_REG, 125), (OFFSET_INCREMENT, 3)];
        let run = run(chip, "STOREIND_SRC", &fields, |banks, _| {
            *gpr(banks, 7) = 0;
            *gpr(banks, 62) = 0x00d8_ffff;
        });
        run.check(|banks| {
            *gpr(banks, 62) = 0x00e8_ffff;
            // GPRs 20 and 21 are 0x2014 and 0x2015.
            banks.srcb[1][51][4..8].copy_from_slice(&[0x1_0014, 0, 0x1_0015, 0]);
        });
    }
}

#[test]
fn storeind_src_stores_and_adds_what_it_has_not_incremented() {
    for chip in Chip::ALL {
        // The half is a datum as well: 0x0024 >> 4 and 0xffffe are an index of 0.
        let fields = [(STORE_TO_SRCB, 1), (ADDR_REG, 20), (DATA_REG, 20), (OFFSET_HALF_REG, 43), (OFFSET_INCREMENT, 3)];
        let run = run(chip, "STOREIND_SRC", &fields, |banks, _| {
            (banks.gprs[1][5][0], banks.gprs[1][5][1]) = (0x000f_fffe, 0x0024_0081);
        });
        run.check(|banks| {
            banks.gprs[1][5][1] = 0x0034_0081;
            // 0xfffe is a sign, a mantissa of 0x7f and an exponent of 0xfe; 0x000f is a mantissa of 0xf; 0x0024 one of
            // 0x24.
            banks.srcb[1][48][..4].copy_from_slice(&[0x7_f8fe, 0x7800, 0x81, 0x1_2000]);
        });
        // The half is that of the GPR of the index: 0x0030 >> 4 and 0x0030.
        let fields = [(STORE_TO_SRCB, 1), (ADDR_REG, 22), (DATA_REG, 20), (OFFSET_HALF_REG, 44), (OFFSET_INCREMENT, 2)];
        let run = self::run(chip, "STOREIND_SRC", &fields, |banks, _| {
            banks.gprs[1][5] = [0x7f, 0x7f, 0x30, 0];
        });
        run.check(|banks| {
            banks.gprs[1][5][2] = 0x34;
            // 0x33 is row 12 and columns 12 to 15.
            banks.srcb[1][60][12..].copy_from_slice(&[0x7f, 0, 0x7f, 0]);
        });
    }
}

#[test]
fn indices_of_more_than_16_bits_are_undefined() {
    for (chip, to_srcb) in Chip::ALL.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        for index in [(0x1_0000, 0), (0x8_0010, 0), (0xffff, 0x10), (0xf_ffff, 0)] {
            // Before it waits.
            let run = store(chip, to_srcb, index, |_, small| small.srca_allowed_client = [MATRIX_UNIT; 2]);
            assert!(matches!(run.promise, Expectation::Undefined(cite) if cite.reason == INDEX_REASON), "{index:x?}");
        }
    }
}

#[test]
fn storeind_src_waits_for_the_bank_that_it_writes() {
    for (chip, row) in Chip::ALL.into_iter().flat_map(|chip| (0..100).map(move |row| (chip, row))) {
        let fields = |to_srcb| [(STORE_TO_SRCB, to_srcb), (ADDR_REG, 7), ZERO, (OFFSET_INCREMENT, 3)];
        let run = |to_srcb, srca, srcb| {
            run(chip, "STOREIND_SRC", &fields(to_srcb), |banks, small| {
                *gpr(banks, 7) = 4 * row;
                (small.srca_allowed_client, small.srcb_allowed_client) = (srca, srcb);
            })
        };
        // Whatever the row is, and even if it is none.
        run(0, [MATRIX_UNIT, UNPACKERS], [UNPACKERS; 2]).waits("lines 62-64");
        run(1, [UNPACKERS; 2], [UNPACKERS, MATRIX_UNIT]).waits("lines 49-51");
        let goes_on =
            [run(0, [UNPACKERS, MATRIX_UNIT], [MATRIX_UNIT; 2]), run(1, [MATRIX_UNIT; 2], [MATRIX_UNIT, UNPACKERS])];
        for (run, rows) in goes_on.into_iter().zip([20, 16]) {
            assert_eq!(run.is_undefined(), row >= rows);
            assert_eq!(run.promise == Expectation::Done, row < rows);
        }
    }
}

#[test]
fn rows_of_srcb_are_sixteen_from_srcrow_on() {
    for (chip, base) in Chip::ALL.into_iter().flat_map(|chip| [0, 16, 32, 48].map(|base| (chip, base))) {
        let at = |row| store(chip, true, (4 * row, 0), |_, small| small.unpackers_src_row[1][1] = base);
        for row in 0..16 {
            let becomes = (base + row) as usize;
            at(row).check(|banks| banks.srcb[1][becomes][..4].copy_from_slice(&STORED));
        }
        for row in [16, 20, 63, 64, 0x3fff] {
            let promise = at(row).promise;
            assert!(matches!(promise, Expectation::Undefined(cite) if cite.place == "lines 53-55"), "{row}");
        }
    }
}

/// Sets `SRCA_SET_SetOvrdWithAddr` of thread 1, or that of the others.
fn override_with_addr(chip: Chip, small: &mut Small, is_on: bool) {
    for (thread, words) in small.thread_config.iter_mut().enumerate() {
        let field = chip.pick(config::SRCA_SET_SetOvrdWithAddr, config::blackhole::SRCA_SET_SetOvrdWithAddr);
        field.set(words, u32::from(is_on == (thread == 1)));
    }
}

#[test]
fn the_first_four_rows_of_srca_are_none() {
    for (chip, is_on) in Chip::ALL.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        for index in 0..16 {
            store(chip, false, (index, 0), |_, small| override_with_addr(chip, small, is_on)).check(|_| ());
        }
        // The half grows all the same.
        let fields = [(ADDR_REG, 63), ZERO, (OFFSET_INCREMENT, 3)];
        run(chip, "STOREIND_SRC", &fields, |_, _| ()).check(|banks| *gpr(banks, 62) = 16);
    }
}

#[test]
fn rows_of_srca_are_all_or_sixteen_from_srcrow_on() {
    for (chip, base) in Chip::ALL.into_iter().flat_map(|chip| [0, 16, 32, 48].map(|base| (chip, base))) {
        let at = |row, is_on| {
            store(chip, false, (4 * (row + 4), 0), |_, small| {
                small.unpackers_src_row[0][1] = base;
                override_with_addr(chip, small, is_on);
            })
        };
        for row in 0..70 {
            let becomes = row as usize;
            let run = at(row, true);
            if row < 64 {
                run.check(|banks| banks.srca[0][becomes][..4].copy_from_slice(&STORED));
            } else {
                assert!(matches!(run.promise, Expectation::Undefined(cite) if cite.place == "lines 68-70"), "{row}");
            }
            let becomes = (base + row) as usize;
            let run = at(row, false);
            if row < 16 {
                run.check(|banks| banks.srca[0][becomes][..4].copy_from_slice(&STORED));
            } else {
                assert!(matches!(run.promise, Expectation::Undefined(cite) if cite.place == "lines 72-74"), "{row}");
            }
        }
    }
}

#[test]
fn rows_beyond_the_last_one_are_unspecified() {
    for (chip, to_srcb) in Chip::ALL.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        for (base, row) in [(49, 15), (63, 1), (63, 15), (63, 0), (49, 14), (5, 7)] {
            let index = if to_srcb { 4 * row } else { 4 * (row + 4) };
            let run = store(chip, to_srcb, (index, 0), |_, small| {
                small.unpackers_src_row[usize::from(to_srcb)][1] = base;
            });
            let at = (base + row) as usize;
            if at > 63 {
                let promise = run.promise;
                assert!(matches!(promise, Expectation::Unspecified(cite) if cite.reason == SRC_ROW_REASON));
            } else {
                run.check(|banks| {
                    let row = if to_srcb { &mut banks.srcb[1][at] } else { &mut banks.srca[0][at] };
                    row[..4].copy_from_slice(&STORED);
                });
            }
        }
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for (name, bits) in [
        ("LOADIND", 0x20_0000_u32),
        ("ATCAS", 0xc0_0fc0),
        ("ATINCGET", 0xf8_0000),
        ("ATINCGETPTR", 0x80_0000),
        ("ATSWAP", 0x80_3000),
    ] {
        for (chip, bit) in Chip::ALL.into_iter().flat_map(|chip| (0..24).map(move |bit| (chip, bit))) {
            let field = CodeField { name: "", word: 0, shift: bit, width: 1 };
            let promise = run(chip, name, &[(field, 1)], |_, _| ()).promise;
            let is_unnamed =
                matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
            assert_eq!(is_unnamed, bits >> bit & 1 != 0, "{name} {bit}");
        }
    }
}
