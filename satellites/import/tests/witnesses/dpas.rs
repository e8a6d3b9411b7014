//! Findings against a recorded implementation of `DPAS`: cm-cpu-emulation truncates destinations of `HF`.
//!
//! Beside this file lies a selection of its lines, as they were recorded: a line for each kind of operands with which
//! it differs from the reference, and lines beside them that do not. No such line is a test of the suite.
//!
//! What the page says of it: `HF` is a type of `Dst` (line 239), sums are in `F` (line 131), and what a stage puts out is
//! a double word (lines 220-221). How the last one becomes 16 bits, it does not say. The reference rounds once, to
//! nearest even, as the named models have it (`tandem_isa::visa::model`). So these are candidates: truncation departs
//! from the models, and from how the same implementation narrows to `BF`; no line of the page is against it.

use std::collections::BTreeMap;

use tandem_harness::Suite;
use tandem_harness::vectors::{Test, Verdict, field_named};
use tandem_import::{Disagreement, Imported, LeftOut, import_recording};
use tandem_isa::visa::operand::EXEC_SIZE;
use tandem_isa::visa::operand::dpas::{RC, SRC0};
use tandem_isa::visa::{DataType, bank};
use tandem_isa::{Edition, Expectation, Isa, State, Step};

const RECORDING: &str = include_str!("dpas.cm-cpu-emulation-8d7b65fa.jsonl");
const HF_INFINITY: u16 = 0x7c00;
const HF_SMALLEST_NORMAL: u32 = 0x3880_0000;
const F_INFINITY: u32 = 0x7f80_0000;

/// How a datum of a destination differs from the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// A normal result is the nearest one toward zero, where the one away from zero is nearer.
    Truncated,
    /// The same, of a result that is denormal in `HF`.
    DenormalTruncated,
    /// The largest finite datum, where the nearest one is infinity.
    OverflowTruncated,
    /// In another way, such as a NaN that becomes an infinity.
    Other,
}

fn suite() -> Suite {
    tandem::wiring::references()
}

fn imported(suite: &Suite) -> Imported {
    import_recording("dpas.jsonl", RECORDING, suite).expect("the recording is understood")
}

/// The state after a test's case on the reference, with a destination of `dst_type`.
fn reference(suite: &Suite, test: &Test, dst_type: DataType) -> State {
    let suite = suite.isa("visa").expect("the suite has vISA");
    let instruction = suite.isa.instruction("DPAS").expect("vISA has DPAS");
    let mut value = test.case_value(suite.isa, instruction, Edition::Newest);
    value.fields.insert(field_named(suite.isa.layout, "V32.type").expect("a field"), dst_type.code());
    let mut state = value.state();
    let step = Step { instruction, edition: Edition::Newest, code: &value.code };
    let expectation = (suite.reference)().execute(&step, &mut state);
    assert!(matches!(expectation, Expectation::Done), "{expectation:?}");
    state
}

/// The state after a test, as it was recorded.
fn recorded(isa: &'static Isa, test: &Test) -> State {
    let instruction = isa.instruction("DPAS").expect("vISA has DPAS");
    let mut state = test.case_value(isa, instruction, Edition::Newest).state();
    test.after.apply(isa, &mut state);
    state
}

fn word(state: &State, index: usize) -> u32 {
    state.word(bank::GRF, index / 8, index % 8)
}

fn half(state: &State, index: usize) -> u16 {
    (word(state, index / 2) >> (16 * (index % 2)) & 0xffff) as u16
}

fn num_data(test: &Test) -> usize {
    let channels = if EXEC_SIZE.get(&test.code) == 4 { 16 } else { 8 };
    RC.get(&test.code) as usize * channels
}

/// The datum of `HF` next to a finite `F` toward zero.
fn truncated(f: u32) -> u16 {
    let (sign, exponent, mantissa) = (f >> 16 & 0x8000, (f >> 23 & 0xff) as i32 - 112, f & 0x7f_ffff);
    let magnitude = match exponent {
        31.. => 0x7bff,
        1..31 => (exponent as u32) << 10 | mantissa >> 13,
        _ => (mantissa | 0x80_0000).checked_shr((14 - exponent) as u32).unwrap_or(0),
    };
    (sign | magnitude) as u16
}

fn class(f: u32, expected: u16, got: u16) -> Option<Class> {
    let is_nan = |datum: u16| datum & 0x7fff > HF_INFINITY;
    if expected == got || (is_nan(expected) && is_nan(got)) {
        return None;
    }
    let magnitude = f & 0x7fff_ffff;
    Some(if magnitude >= F_INFINITY || got != truncated(f) {
        Class::Other
    } else if expected & 0x7fff == HF_INFINITY {
        Class::OverflowTruncated
    } else if magnitude < HF_SMALLEST_NORMAL {
        Class::DenormalTruncated
    } else {
        Class::Truncated
    })
}

#[test]
fn each_line_of_the_selection_is_a_finding_or_left_out_for_a_reason() {
    let imported = imported(&suite());
    assert!(imported.file.is_empty(), "no test comes of a destination of 16 bits");
    assert_eq!((imported.account.lines, imported.account.tests(), imported.disagreements.len()), (19, 0, 11));
    let counts: Vec<(String, usize)> =
        imported.account.left_out.iter().map(|(reason, lines)| (reason.to_string(), lines.len())).collect();
    let of = |reason: &LeftOut| imported.account.left_out.get(reason).map_or(0, Vec::len);
    let left_out = [
        LeftOut::ForeignMode("sat = 1"),
        // A destination of HF with sources of bf is not in the table of legal combinations (lines 228-244).
        LeftOut::Unpromised("illegal"),
        LeftOut::Disagrees,
        LeftOut::NoWitness("other lines with a destination of HF are truncated"),
        LeftOut::NoWitness("it is not relied on for destinations of 16 bits, since those of HF are truncated"),
    ];
    assert_eq!(left_out.each_ref().map(of), [1, 2, 11, 2, 3], "{counts:?}");
}

#[test]
fn destinations_of_hf_are_truncated_in_71_of_the_selected_data() {
    let suite = suite();
    let imported = imported(&suite);
    let mut counts: BTreeMap<Class, [usize; 2]> = BTreeMap::new();
    let mut accumulators = BTreeMap::from([("null", 0), ("HF", 0)]);
    for Disagreement { line, test, verdict, .. } in &imported.disagreements {
        assert!(matches!(verdict, Verdict::Diverged { .. }), "line {line}: {verdict:?}");
        let recorded = recorded(imported.file.isa, test);
        let [expected, sums] = [DataType::Hf, DataType::F].map(|dst_type| reference(&suite, test, dst_type));
        let mut of_line: BTreeMap<Class, usize> = BTreeMap::new();
        for datum in 0..num_data(test) {
            let class = class(word(&sums, datum), half(&expected, datum), half(&recorded, datum));
            class.into_iter().for_each(|class| *of_line.entry(class).or_default() += 1);
        }
        assert!(!of_line.is_empty(), "line {line} differs in its destination");
        for (class, data) in of_line {
            let count = counts.entry(class).or_default();
            *count = [count[0] + data, count[1] + 1];
        }
        *accumulators.entry(if SRC0.id.get(&test.code) == 0 { "null" } else { "HF" }).or_default() += 1;
    }
    // Data, and lines that have such data.
    let expected =
        [(Class::Truncated, [68, 10]), (Class::DenormalTruncated, [2, 1]), (Class::OverflowTruncated, [1, 1])];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(accumulators, BTreeMap::from([("HF", 8), ("null", 3)]));
}

#[test]
fn destinations_of_bf_are_rounded_in_17_data_that_truncation_would_change() {
    let suite = suite();
    let isa = suite.isa("visa").expect("the suite has vISA").isa;
    let recording = tandem_import::read_recording("dpas.jsonl", RECORDING, &suite).expect("it is understood");
    let type_of_dst = field_named(isa.layout, "V32.type").expect("a field");
    let is_bf = |test: &Test| test.before.fields.get(&type_of_dst) == Some(&DataType::Bf.code());
    let (mut lines, mut telling) = (0, 0);
    for (line, test) in recording.tests.iter().filter(|(_, test)| is_bf(test)) {
        let got = recorded(isa, test);
        let [expected, sums] = [DataType::Bf, DataType::F].map(|dst_type| reference(&suite, test, dst_type));
        lines += 1;
        for datum in 0..num_data(test) {
            let (f, expected, got) = (word(&sums, datum), half(&expected, datum), half(&got, datum));
            let both_nan = expected & 0x7fff > 0x7f80 && got & 0x7fff > 0x7f80;
            assert!(expected == got || both_nan, "line {line}, datum {datum}: {expected:#x} and {got:#x}");
            telling += usize::from(!both_nan && u32::from(got) != f >> 16);
        }
    }
    assert_eq!((lines, telling), (3, 17));
}

#[test]
fn truncation_keeps_every_datum_of_hf_and_all_up_to_the_next() {
    for datum in (0..=u16::MAX).filter(|datum| datum & 0x7fff < HF_INFINITY) {
        let f = half::f16::from_bits(datum).to_f32().to_bits();
        assert_eq!(truncated(f), datum);
        let above = half::f16::from_bits(datum + 1).to_f32().to_bits();
        assert_eq!(truncated(above - 1), datum, "just below the next: {above:#x}");
    }
}
