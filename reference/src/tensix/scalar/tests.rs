//! Values computed by hand from the pages.

use tandem_isa::tensix::inst::scalar::{INPUT_HALF_REG, WHICH_PACKERS};
use tandem_isa::tensix::{Banks, Chip};
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::word;

/// Runs an instruction of thread 2, where each GPR holds `value`; what it was promised, and the banks afterwards.
fn run(chip: Chip, name: &str, fields: &[(CodeField, u32)], value: u32) -> (Expectation, Banks) {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    tensix.small.current_thread = 2;
    let small = *tensix.small;
    tensix.banks_unmarked().gprs.as_flattened_mut().as_flattened_mut().fill(value);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let mut tensix = Tensix::new(&mut state);
    assert_eq!(*tensix.small, small);
    (promise, *tensix.banks_unmarked())
}

/// Holds GPRs of thread 2 against values, and all others against `rest`.
fn check((promise, banks): (Expectation, Banks), changed: &[(usize, u32)], rest: u32) {
    assert_eq!(promise, Expectation::Done);
    for (number, &gpr) in banks.gprs.as_flattened().as_flattened().iter().enumerate() {
        let here = changed.iter().find(|(register, _)| number == 2 * 64 + register);
        assert_eq!(gpr, here.map_or(rest, |&(_, value)| value), "GPR {} of thread {}", number % 64, number / 64);
    }
}

#[test]
fn an_immediate_goes_to_one_half_and_the_other_stays() {
    for chip in Chip::ALL {
        let set = |part| {
            run(chip, "SETDMAREG_IMMEDIATE", &[(RESULT_HALF_REG, part), (NEW_VALUE_OF_HALF, 0xbeef)], 0x1234_5678)
        };
        check(set(0), &[(0, 0x1234_beef)], 0x1234_5678);
        check(set(1), &[(0, 0xbeef_5678)], 0x1234_5678);
        check(set(74), &[(37, 0x1234_beef)], 0x1234_5678);
        check(set(127), &[(63, 0xbeef_5678)], 0x1234_5678);
    }
}

#[test]
fn sources_that_are_not_named_give_zeros() {
    for (chip, source) in Chip::ALL.into_iter().flat_map(|chip| (0..16).map(move |source| (chip, source))) {
        let set = |size, part, input| {
            let fields = [
                (INPUT_SOURCE, source),
                (RESULT_SIZE, size),
                (RESULT_HALF_REG, part),
                (INPUT_HALF_REG, input),
                (WHICH_PACKERS, 0xf),
            ];
            run(chip, "SETDMAREG_SPECIAL", &fields, 0x1234_5678)
        };
        if source < 10 {
            assert!(matches!(set(2, 0, 0).0, Expectation::Unspecified(_)), "{source}");
            continue;
        }
        for input in 0..8 {
            check(set(0, 24, input), &[(12, 0x1234_0000)], 0x1234_5678);
            check(set(0, 25, input), &[(12, 0x0000_5678)], 0x1234_5678);
            // The lowest bit says nothing.
            for part in [26, 27] {
                check(set(1, part, input), &[(13, 0)], 0x1234_5678);
            }
            // Nor do the lowest three.
            for part in 120..128 {
                check(set(2, part, input), &[(60, 0), (61, 0), (62, 0), (63, 0)], 0x1234_5678);
            }
        }
    }
}

#[test]
fn a_tile_header_leaves_what_it_reserves() {
    for part in 8..16 {
        let fields = [(INPUT_SOURCE, 10), (RESULT_SIZE, 3), (RESULT_HALF_REG, part)];
        // A size of 16 bits, and behind 16 that are reserved eight bits that are not, and 32.
        check(
            run(Chip::Wormhole, "SETDMAREG_SPECIAL", &fields, u32::MAX),
            &[(4, 0xffff_0000), (5, 0xff00_ffff), (6, 0)],
            u32::MAX,
        );
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for bit in 19..22 {
        let unnamed = CodeField { name: "", word: 0, shift: bit, width: 1 };
        let (promise, _) = run(Chip::Wormhole, "SETDMAREG_SPECIAL", &[(INPUT_SOURCE, 10), (unnamed, 1)], 0);
        assert!(matches!(promise, Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40")));
    }
}
