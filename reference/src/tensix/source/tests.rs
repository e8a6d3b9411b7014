//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::config;
use tandem_isa::tensix::{Banks, UNPACKERS};
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

/// What an instruction was promised, and the state before it and after.
struct Run {
    promise: Expectation,
    before: (Banks, Small),
    after: (Banks, Small),
}

/// A different datum in each place of `SrcA` and `SrcB`: bank, row and column are hexadecimal digits from the second on.
fn distinct(bank: u32, row: u32, column: u32) -> u32 {
    0x4_0001 | bank << 16 | row << 8 | column << 4
}

/// Runs an instruction where the Matrix Unit has bank 1 of `SrcB`, and only that, and thread 2 is the current one.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], prepare: impl FnOnce(&mut Small)) -> Run {
    let (isa, instruction, code) = word(chip, name, fields);
    let mut state = isa.base_state();
    let tensix = Tensix::new(&mut state);
    tensix.small.current_thread = 2;
    (tensix.small.matrix_unit_srcb_bank, tensix.small.srcb_allowed_client) = (1, [UNPACKERS, MATRIX_UNIT]);
    tensix.small.srca_allowed_client = [UNPACKERS; 2];
    prepare(tensix.small);
    let mut before = Tensix::new(&mut state);
    let banks = before.banks_unmarked();
    for (bank, (of_srca, of_srcb)) in (0..).zip(banks.srca.iter_mut().zip(&mut banks.srcb)) {
        for (row, words) in (0..).zip(of_srca.iter_mut().chain(of_srcb)) {
            for (column, word) in (0..).zip(words) {
                *word = distinct(bank, row % 64, column) | u32::from(row >= 64) << 17;
            }
        }
    }
    let before = (*banks, *before.small);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let mut tensix = Tensix::new(&mut state);
    Run { promise, before, after: (*tensix.banks_unmarked(), *tensix.small) }
}

/// What `run` puts in a place of bank 1 of `SrcB`.
fn srcb_of(row: u32, column: u32) -> u32 {
    distinct(1, row, column) | 1 << 17
}

/// Whether the state is the one before but for what `changes` changes.
fn check_done(run: &Run, changes: impl FnOnce(&mut Banks, &mut Small)) {
    let (mut banks, mut small) = run.before;
    changes(&mut banks, &mut small);
    assert_eq!((run.promise, run.after.1), (Expectation::Done, small));
    assert!(bytes(&run.after.0) == bytes(&banks), "the banks");
}

fn bytes(banks: &Banks) -> [&[[[u32; 16]; 64]]; 2] {
    [&banks.srca, &banks.srcb]
}

#[test]
fn trnspsrcb_mirrors_rows_16_to_31_of_the_bank_of_the_matrix_unit() {
    for chip in Chip::ALL {
        check_done(&run(chip, "TRNSPSRCB", &[], |_| ()), |banks, _| {
            for (row, words) in (0..).zip(&mut banks.srcb[1][16..32]) {
                for (column, word) in (0..).zip(words) {
                    *word = srcb_of(16 + column, row);
                }
            }
        });
    }
}

#[rstest]
#[case(0, 0)]
#[case(15, 0)]
#[case(16, 16)]
#[case(47, 32)]
#[case(63, 48)]
fn shiftxa_moves_16_rows_by_one_column_into_the_first_ones_and_zero_comes_in(#[case] bug: u32, #[case] first: u32) {
    for (chip, direction) in Chip::ALL.into_iter().flat_map(|chip| [(chip, 2), (chip, 3)]) {
        let run = run(chip, "SHIFTXA", &[(DIRECTION, direction)], |small| {
            (small.matrix_unit_srca_bank, small.srca_allowed_client) = (1, [UNPACKERS, MATRIX_UNIT]);
            small.hardware_bug = bug;
        });
        assert!(matches!(run.promise, Expectation::NonContractual(_)));
        let mut banks = run.before.0;
        for (row, words) in (0..).zip(&mut banks.srca[1][..16]) {
            for (column, word) in (0..).zip(words) {
                *word = match (direction, column) {
                    (2, 0) | (3, 15) => 0,
                    (2, _) => distinct(1, first + row, column - 1),
                    _ => distinct(1, first + row, column + 1),
                };
            }
        }
        assert!(bytes(&run.after.0) == bytes(&banks), "the banks, {chip:?} {direction}");
        assert_eq!(run.after.1, run.before.1);
    }
}

#[test]
fn shiftxa_waits_for_srca_and_promises_nothing_in_directions_0_and_1() {
    for (chip, direction) in Chip::ALL.into_iter().flat_map(|chip| (0..4).map(move |direction| (chip, direction))) {
        let held = run(chip, "SHIFTXA", &[(DIRECTION, direction)], |_| ());
        assert!(matches!(held.promise, Expectation::Blocked(_)));
        assert!(bytes(&held.before.0) == bytes(&held.after.0) && held.before.1 == held.after.1);
        let run = run(chip, "SHIFTXA", &[(DIRECTION, direction)], |small| small.srca_allowed_client = [MATRIX_UNIT; 2]);
        let refused = matches!(run.promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-48"));
        assert_eq!(refused, direction < 2, "{chip:?} {direction}");
    }
}

#[rstest]
#[case(9, 0, 9)]
// 60 + 9 = 69, which is 5 in six bits.
#[case(9, 60, 5)]
#[case(41, 10, 51)]
fn shiftxb_moves_a_row_to_the_left_and_what_comes_out_or_zero_in_at_the_right(
    #[case] src_row: u32,
    #[case] counter: u32,
    #[case] row: u8,
) {
    for (chip, zero) in Chip::ALL.into_iter().flat_map(|chip| [(chip, false), (chip, true)]) {
        let fields = [(SHIFT_ROW, src_row), (SHIFT_IN_ZERO, zero.into())];
        let run = run(chip, "SHIFTXB", &fields, |small| small.rwcs[2].srcb = counter);
        check_done(&run, |banks, _| {
            let last = if zero { 0 } else { srcb_of(row.into(), 0) };
            let moved = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(|column| srcb_of(row.into(), column));
            banks.srcb[1][usize::from(row)][..15].copy_from_slice(&moved);
            banks.srcb[1][usize::from(row)][15] = last;
        });
    }
}

#[test]
fn shiftxb_advances_all_counters_after_it_used_them() {
    for (chip, addr_mod, field) in [(Chip::Wormhole, 2, ADDR_MOD), (Chip::Blackhole, 6, ADDR_MOD_BH)] {
        let sections = chip.addr_mod_sections();
        let run = run(chip, "SHIFTXB", &[(SHIFT_IN_ZERO, 1), (field, addr_mod)], |small| {
            let section = U::<3>::new(addr_mod).index();
            config::SrcBIncr.of_section(sections.ab, section).set(&mut small.thread_config[2], 6);
            config::FidelityIncr.of_section(sections.dst, section).set(&mut small.thread_config[2], 2);
        });
        check_done(&run, |banks, small| {
            banks.srcb[1][0].rotate_left(1);
            banks.srcb[1][0][15] = 0;
            (small.rwcs[2].srcb, small.rwcs[2].fidelity_phase) = (6, 2);
        });
    }
}

#[test]
fn the_extra_bit_adds_four_to_the_section_on_wormhole_and_leaves_nothing_promised_on_blackhole() {
    let set = |small: &mut Small| {
        small.rwcs[2].extra_addr_mod_bit = 1;
        config::SrcAIncr.of_section(config::ADDR_MOD.ab, 5).set(&mut small.thread_config[2], 3);
    };
    let wormhole = run(Chip::Wormhole, "SHIFTXB", &[(ADDR_MOD, 1)], set);
    check_done(&wormhole, |banks, small| {
        banks.srcb[1][0].rotate_left(1);
        small.rwcs[2].srca = 3;
    });
    let promise = run(Chip::Blackhole, "SHIFTXB", &[(ADDR_MOD_BH, 1)], set).promise;
    assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-32")));
}

#[test]
fn who_reads_srcb_waits_for_the_bank_of_the_matrix_unit_and_nothing_else_is_looked_at_before() {
    for chip in Chip::ALL {
        for (name, unnamed) in [("TRNSPSRCB", 0), ("SHIFTXB", 13)] {
            for bits in 0..2 {
                let unnamed = [(CodeField { name: "", word: 0, shift: unnamed, width: 1 }, bits)];
                let run = run(chip, name, &unnamed, |small| small.matrix_unit_srcb_bank = 0);
                assert!(matches!(run.promise, Expectation::Blocked(_)), "{name} {chip:?} {bits}");
                assert!(bytes(&run.before.0) == bytes(&run.after.0) && run.before.1 == run.after.1, "{name}");
            }
        }
    }
}

#[rstest]
// The Matrix Unit has bank 0 of SrcA and bank 1 of SrcB, and the Unpackers have the others; then it is the other way round.
#[case(0, 0, 0, 0, [None; 4])]
#[case(1, 0, 0, 0, [None, Some(0), None, None])]
#[case(2, 0, 0, 0, [None, None, Some(0), None])]
#[case(3, 0, 0, 0, [None, Some(0), Some(0), None])]
#[case(3, 0, 1, 0, [Some(0), None, None, Some(0)])]
#[case(1, 1, 0, 0, [Some(0), Some(0), None, None])]
#[case(2, 1, 1, 0, [None, None, Some(0), Some(0)])]
#[case(3, 1, 1, 1, [Some(0x7_ffff), Some(0x7_ffff), Some(0), Some(0)])]
#[case(2, 0, 1, 1, [None, None, None, Some(0)])]
#[case(1, 0, 0, 1, [None, Some(0x7_ffff), None, None])]
fn zerosrc_fills_the_banks_that_it_selects(
    #[case] which: u32,
    #[case] both: u32,
    #[case] matrix_unit: u32,
    #[case] infinity: u32,
    #[case] expected: [Option<u32>; 4],
) {
    for (chip, matrix_unit_has) in Chip::ALL.into_iter().flat_map(|chip| [(chip, [0, 1]), (chip, [1, 0])]) {
        let fields = [
            (CLEAR_SRCA, which & 1),
            (CLEAR_SRCB, which >> 1),
            (BOTH_BANKS, both),
            (SINGLE_BANK_MATRIX_UNIT, matrix_unit),
            (NEGATIVE_INF_SRCA, infinity),
        ];
        let run = run(chip, "ZEROSRC", &fields, |small| {
            [small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank] = matrix_unit_has;
            small.unpackers_src_bank = matrix_unit_has.map(|bank| 1 - bank);
        });
        check_done(&run, |banks, _| {
            let [a0, a1, b0, b1] = expected;
            let expected = if matrix_unit_has == [0, 1] { expected } else { [a1, a0, b1, b0] };
            let all = banks.srca.iter_mut().chain(&mut banks.srcb);
            for (words, value) in all.zip(expected) {
                words.as_flattened_mut().iter_mut().for_each(|word| *word = value.unwrap_or(*word));
            }
        });
    }
}

#[test]
fn nothing_is_promised_of_a_word_with_a_bit_that_belongs_to_no_field() {
    for (name, unnamed) in
        [("ZEROSRC", [0xff_ffe0; 2]), ("TRNSPSRCB", [0xff_ffff; 2]), ("SHIFTXB", [0xfe_7bc0, 0xfe_3bc0])]
    {
        for (chip, bit) in Chip::ALL.into_iter().flat_map(|chip| (0..24).map(move |bit| (chip, bit))) {
            let run = run(chip, name, &[(CodeField { name: "", word: 0, shift: bit, width: 1 }, 1)], |_| ());
            let refused =
                matches!(run.promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
            assert_eq!(refused, chip.pick(unnamed[0], unnamed[1]) >> bit & 1 != 0, "{name} {chip:?} bit {bit}");
        }
    }
}
