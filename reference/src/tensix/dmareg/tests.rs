//! Values computed by hand from the pages.

use rstest::rstest;
use tandem_isa::tensix::bank;
use tandem_isa::tensix::config::unpack;
use tandem_isa::tensix::inst::scalar::CONDITION_MASK;
use tandem_isa::{CodeField, Edition, Reference};

use super::*;
use crate::tensix::TensixReference;
use crate::tensix::testing::{number_gprs, word};

type Fields<'a> = &'a [(CodeField, u32)];

/// What an instruction of thread 1 was promised, and what it changed: which GPR of the thread, by its number, and which word of
/// which bank of `Config`.
struct Run {
    promise: Expectation,
    gprs: Vec<(usize, u32)>,
    config: Vec<(usize, usize, u32)>,
}

/// Runs an instruction of thread 1 with StateID 1, where `GPRs[t][n]` holds 0x1000 * (t + 1) + n but for those of thread 1 that
/// are given.
fn run(chip: Chip, name: &str, fields: Fields<'_>, gprs: &[(usize, u32)]) -> Run {
    run_prepared(chip, name, fields, gprs, |_| ())
}

fn run_prepared(
    chip: Chip,
    name: &str,
    fields: Fields<'_>,
    gprs: &[(usize, u32)],
    prepare: impl FnOnce(&mut Small),
) -> Run {
    let (machine, instruction, code) = word(chip, name, fields);
    let mut state = machine.base_state();
    let mut tensix = Tensix::new(&mut state);
    tensix.small.current_thread = 1;
    tensix.small.thread_config[1][0] = 1;
    prepare(tensix.small);
    let banks = tensix.banks_unmarked();
    number_gprs(banks);
    for &(number, value) in gprs {
        banks.gprs[1].as_flattened_mut()[number] = value;
    }
    let (before_gprs, before) = (banks.gprs, *tensix.small);
    let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
    let of_thread = 16..32;
    let first = machine.layout.banks[bank::GPRS].first_row;
    let is_allowed = (0..machine.layout.banks[bank::GPRS].dims[1] * 3)
        .filter(|row| state.tracker.log.written.contains(first + row))
        .all(|row| of_thread.contains(&row));
    assert!(is_allowed, "{name}: GPRs of another thread are written");
    let mut tensix = Tensix::new(&mut state);
    let after_gprs = tensix.banks_unmarked().gprs;
    let after = *tensix.small;
    assert_eq!((after_gprs[0], after_gprs[2]), (before_gprs[0], before_gprs[2]), "{name}: GPRs of another thread");
    let mut rest = after;
    rest.config = before.config;
    assert_eq!(rest, before, "{name}: nothing else of the small state");
    let pairs = before_gprs[1].as_flattened().iter().zip(after_gprs[1].as_flattened()).enumerate();
    let gprs = pairs.filter(|(_, (old, new))| old != new).map(|(number, (_, new))| (number, *new)).collect();
    let banks = before.config.iter().zip(&after.config).enumerate();
    let words = banks.flat_map(|(of, (old, new))| old.iter().zip(new).enumerate().map(move |it| (of, it)));
    let config = words.filter(|(_, (_, (old, new)))| old != new).map(|(of, (at, (_, new)))| (of, at, *new)).collect();
    Run { promise, gprs, config }
}

/// Whether GPR 62 becomes `expected` where GPR 7 is the left value and GPR 41 the right one, on both chips.
fn check_of_gprs(name: &str, mode: Option<u32>, [left, right]: [u32; 2], expected: u32) {
    let mode = mode.map(|mode| (MODE, mode));
    for chip in Chip::ALL {
        let fields: Vec<_> = [(LEFT_REG, 7), (RIGHT, 41), (RESULT_REG, 62)].into_iter().chain(mode).collect();
        let Run { promise, gprs, config } = run(chip, name, &fields, &[(7, left), (41, right)]);
        assert_eq!((promise, gprs, config), (Expectation::Done, vec![(62, expected)], vec![]), "{name} {left} {right}");
    }
}

/// Whether GPR 62 becomes `expected` where GPR 7 is the left value and a number the right one, on both chips.
fn check_of_number(name: &str, mode: Option<u32>, [left, right]: [u32; 2], expected: u32) {
    let mode = mode.map(|mode| (MODE, mode));
    for chip in Chip::ALL {
        let fields = [(RIGHT_IS_IMM, 1), (LEFT_REG, 7), (RIGHT, right), (RESULT_REG, 62)];
        let fields: Vec<_> = fields.into_iter().chain(mode).collect();
        let Run { promise, gprs, config } = run(chip, name, &fields, &[(7, left)]);
        assert_eq!((promise, gprs, config), (Expectation::Done, vec![(62, expected)], vec![]), "{name} {left} {right}");
    }
}

#[rstest]
#[case(3, 5, 8, 0xffff_fffe)]
#[case(0xffff_ffff, 2, 1, 0xffff_fffd)]
#[case(0x8000_0000, 0x8000_0000, 0, 0)]
#[case(0x1234_5678, 0x1111_1111, 0x2345_6789, 0x0123_4567)]
fn sums_and_differences_have_32_bits(#[case] left: u32, #[case] right: u32, #[case] sum: u32, #[case] difference: u32) {
    check_of_gprs("ADDDMAREG", None, [left, right], sum);
    check_of_gprs("SUBDMAREG", None, [left, right], difference);
}

#[test]
fn a_number_has_six_bits_and_no_sign() {
    check_of_number("ADDDMAREG", None, [0xffff_fff0, 63], 0x2f);
    check_of_number("ADDDMAREG", None, [100, 32], 132);
    check_of_number("SUBDMAREG", None, [100, 63], 37);
    check_of_number("SUBDMAREG", None, [0, 1], 0xffff_ffff);
    // 63 * 1000; the upper half of the left value does not count.
    check_of_number("MULDMAREG", None, [0x7777_03e8, 63], 63_000);
    check_of_number("BITWOPDMAREG", Some(0), [0xffff_ffff, 63], 63);
    check_of_number("BITWOPDMAREG", Some(1), [0x8000_0001, 32], 0x8000_0021);
    check_of_number("BITWOPDMAREG", Some(2), [0xffff_ffff, 33], 0xffff_ffde);
    check_of_number("CMPDMAREG", Some(0), [0xffff_ffff, 63], 1);
    check_of_number("CMPDMAREG", Some(1), [62, 63], 1);
    check_of_number("CMPDMAREG", Some(2), [63, 63], 1);
}

#[rstest]
#[case(3, 5, 15)]
// (2^16 - 1)^2 = 2^32 - 2^17 + 1.
#[case(0xffff, 0xffff, 0xfffe_0001)]
#[case(0x1234_ffff, 0xabcd_ffff, 0xfffe_0001)]
#[case(0x0001_0000, 0xffff_ffff, 0)]
#[case(0x8000, 0x8000, 0x4000_0000)]
fn products_are_of_low_halves_and_have_32_bits(#[case] left: u32, #[case] right: u32, #[case] product: u32) {
    check_of_gprs("MULDMAREG", None, [left, right], product);
}

#[test]
fn bits_are_combined_as_the_mode_says() {
    let values = [0xff00_ff0c, 0x0ff0_f00a];
    for (mode, expected) in [(0, 0x0f00_f008), (1, 0xfff0_ff0e), (2, 0xf0f0_0f06)] {
        check_of_gprs("BITWOPDMAREG", Some(mode), values, expected);
    }
}

#[rstest]
#[case(0x8000_0003, 0, 0x8000_0003, 0x8000_0003)]
#[case(0x8000_0003, 1, 0x0000_0006, 0x4000_0001)]
#[case(0x8000_0003, 31, 0x8000_0000, 0x0000_0001)]
#[case(0x1234_5678, 8, 0x3456_7800, 0x0012_3456)]
fn shifts_are_by_less_than_32_and_bring_in_zeros(
    #[case] value: u32,
    #[case] distance: u32,
    #[case] left: u32,
    #[case] right: u32,
) {
    for (mode, expected) in [(0, left), (1, right)] {
        check_of_gprs("SHIFTDMAREG", Some(mode), [value, distance], expected);
        // Of a GPR five bits count.
        check_of_gprs("SHIFTDMAREG", Some(mode), [value, 0xffff_ffe0 | distance], expected);
        check_of_gprs("SHIFTDMAREG", Some(mode), [value, 0x20 | distance], expected);
        check_of_number("SHIFTDMAREG", Some(mode), [value, distance], expected);
    }
}

#[test]
fn a_distance_has_no_sixth_bit() {
    for (chip, distance) in Chip::ALL.into_iter().flat_map(|chip| (0..64).map(move |distance| (chip, distance))) {
        let of = |is_imm| run(chip, "SHIFTDMAREG", &[(RIGHT_IS_IMM, is_imm), (RIGHT, distance)], &[]).promise;
        assert_eq!(of(0), Expectation::Done, "the register has six bits");
        let is_unnamed = matches!(of(1), Expectation::Unspecified(citation) if citation.reason.starts_with("TX-40"));
        assert_eq!(is_unnamed, distance >= 32, "{distance}");
    }
}

#[rstest]
#[case(1, 2, [0, 1, 0])]
#[case(2, 1, [1, 0, 0])]
#[case(2, 2, [0, 0, 1])]
#[case(0x8000_0000, 0x7fff_ffff, [1, 0, 0])]
#[case(0, 0xffff_ffff, [0, 1, 0])]
fn comparisons_are_without_sign_and_give_one_bit(#[case] left: u32, #[case] right: u32, #[case] expected: [u32; 3]) {
    for (mode, expected) in (0..).zip(expected) {
        check_of_gprs("CMPDMAREG", Some(mode), [left, right], expected);
    }
}

#[rstest]
#[case("BITWOPDMAREG", 3)]
#[case("SHIFTDMAREG", 2)]
#[case("CMPDMAREG", 3)]
fn a_mode_without_a_name_is_undefined(#[case] name: &str, #[case] first: u32) {
    for (chip, mode) in Chip::ALL.into_iter().flat_map(|chip| (0..8).map(move |mode| (chip, mode))) {
        let promise = run(chip, name, &[(MODE, mode)], &[]).promise;
        assert_eq!(matches!(promise, Expectation::Undefined(_)), mode >= first, "{name} {mode}");
        assert_eq!(promise == Expectation::Done, mode < first, "{name} {mode}");
    }
}

#[test]
fn a_register_is_source_and_result_at_once() {
    for (name, expected) in [("ADDDMAREG", 0x30c), ("SUBDMAREG", 0), ("MULDMAREG", 0x2_5224)] {
        // 390 + 390 = 780, and 390 * 390 = 152100.
        let fields = [(LEFT_REG, 63), (RIGHT, 63), (RESULT_REG, 63)];
        assert_eq!(run(Chip::Wormhole, name, &fields, &[(63, 0x186)]).gprs, [(63, expected)]);
    }
    // The right value is read before it is overwritten.
    let fields = [(LEFT_REG, 0), (RIGHT, 1), (RESULT_REG, 1)];
    assert_eq!(run(Chip::Blackhole, "SUBDMAREG", &fields, &[(0, 10), (1, 3)]).gprs, [(1, 7)]);
}

#[test]
fn each_gpr_can_be_read_and_written() {
    for (number, register) in (0..64).zip(0..64_usize) {
        // The GPRs of thread 1 hold 0x2000 and their number.
        let read = |field| run(Chip::Wormhole, "ADDDMAREG", &[(field, number), (RESULT_REG, 9)], &[]).gprs;
        let expected = if register == 9 { [(9, 0x4009)] } else { [(9, 0x4000 + number)] };
        assert_eq!(read(LEFT_REG), expected);
        assert_eq!(read(RIGHT), expected);
        assert_eq!(
            run(Chip::Wormhole, "ADDDMAREG", &[(LEFT_REG, 4), (RIGHT, 4), (RESULT_REG, number)], &[]).gprs,
            [(register, 0x4008)]
        );
    }
}

#[test]
fn dmanop_and_flushdma_change_nothing() {
    for chip in Chip::ALL {
        for (name, mask) in (0..16).map(|mask| ("FLUSHDMA", mask)).chain([("DMANOP", 0)]) {
            let Run { promise, gprs, config } = run(chip, name, &[(CONDITION_MASK, mask)], &[]);
            assert_eq!((promise, gprs, config), (Expectation::Done, vec![], vec![]), "{name} {mask}");
        }
    }
}

#[test]
fn reg2flop_moves_a_gpr_to_a_word_of_thcon() {
    assert_eq!(unpack::REG0_TileDescriptor_InDataFormat.of(Chip::Wormhole, 0).addr32, THCON_CFGREG_BASE);
    for (index, word) in (0..100).zip(52..) {
        for size in 1..4 {
            // GPR 37 of thread 1.
            let fields = [(SIZE_SEL, size), (TH_CON_CFG_INDEX, index), (FLOP_INPUT_REG, 37)];
            let Run { promise, gprs, config } = run(Chip::Wormhole, "REG2FLOP_CONFIGURATION", &fields, &[]);
            assert_eq!((promise, gprs, config), (Expectation::Done, vec![], vec![(1, word, 0x2025)]), "{index} {size}");
        }
        // The other bits of the word are not StateID.
        let fields = [(SIZE_SEL, 1), (TH_CON_CFG_INDEX, index), (FLOP_INPUT_REG, 37)];
        let other = |small: &mut Small| small.thread_config[1][0] = 0xfffe;
        let config = run_prepared(Chip::Wormhole, "REG2FLOP_CONFIGURATION", &fields, &[], other).config;
        assert_eq!(config, [(0, word, 0x2025)]);
    }
}

#[test]
fn reg2flop_promises_nothing_beyond_thcon_of_128_bits_and_on_blackhole() {
    for (index, size) in (0..128).flat_map(|index| (0..4).map(move |size| (index, size))) {
        let fields = [(SIZE_SEL, size), (TH_CON_CFG_INDEX, index)];
        let promise = |chip| run(chip, "REG2FLOP_CONFIGURATION", &fields, &[]).promise;
        let reason = |citation: &tandem_isa::Citation| citation.reason;
        match (promise(Chip::Wormhole), index, size) {
            (Expectation::Undefined(citation), 100.., _) => assert_eq!(reason(citation), THCON_REASON),
            (Expectation::Unsupported(citation), ..100, 0) => assert_eq!(reason(citation), SIZE_REASON),
            (Expectation::Done, ..100, 1..) => {}
            (other, ..) => panic!("{index} {size}: {other:?}"),
        }
        let promise = promise(Chip::Blackhole);
        assert!(matches!(promise, Expectation::Unsupported(citation) if reason(citation) == BLACKHOLE_REASON));
    }
}

#[test]
fn bits_without_a_name_promise_nothing() {
    for (name, bits) in [
        ("ADDDMAREG", 0x7c_0000_u32),
        ("SUBDMAREG", 0x7c_0000),
        ("MULDMAREG", 0x7c_0000),
        ("BITWOPDMAREG", 0x60_0000),
        ("SHIFTDMAREG", 0x60_0000),
        ("CMPDMAREG", 0x60_0000),
        ("DMANOP", 0xff_ffff),
        ("FLUSHDMA", 0xff_fff0),
        ("REG2FLOP_CONFIGURATION", 0x0f_e000),
    ] {
        for bit in (0..24).filter(|bit| name != "REG2FLOP_CONFIGURATION" || !(20..22).contains(bit)) {
            let field = CodeField { name: "", word: 0, shift: bit, width: 1 };
            let promise = run(Chip::Wormhole, name, &[(field, 1)], &[]).promise;
            let is_unnamed = promise.citation().is_some_and(|citation| citation.reason.starts_with("TX-40"));
            assert_eq!(is_unnamed, bits >> bit & 1 != 0, "{name} {bit}");
        }
    }
}
