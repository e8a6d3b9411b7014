//! Reading on lines made by hand. Nothing here asks the reference.

use serde_json::json;

use super::*;
use crate::tests::{self, one, read};

fn words(first: u32, count: u32) -> Value {
    json!((first..first + count).collect::<Vec<u32>>())
}

/// Weights of 2 bits and activations of 8, three rows of eight channels.
fn integers() -> Value {
    json!({
        "w_prec": "u2", "a_prec": "s8", "sd": 8, "rc": 3, "exec": 8, "dst_type": "D", "src0_type": "UD",
        "sat": 0, "pattern": 4,
        "src0": words(0x100, 24), "src1": words(0x200, 16), "src2": words(0x300, 24), "dst": words(0x400, 24)
    })
}

/// One row of sixteen channels, two data in a word, no accumulator.
fn halves() -> Value {
    json!({
        "w_prec": "hf", "a_prec": "hf", "sd": 8, "rc": 1, "exec": 16, "dst_type": "HF", "src0_type": "null",
        "sat": 0, "pattern": 0,
        "src0": [], "src1": words(0x200, 128), "src2": words(0x300, 8), "dst": words(0x400, 8)
    })
}

/// The words of rows that follow each other.
fn from_row(sparse: &Sparse, row: usize, count: usize) -> Vec<u32> {
    (row..row + count).flat_map(|row| sparse.rows[&(bank::GRF, row)].clone()).collect()
}

#[test]
fn every_member_goes_to_its_place() {
    let (recording, test) = one(integers());
    let isa = recording.isa;
    assert_eq!((isa.name, recording.instruction.name), ("visa", "DPAS"));
    let text = recording.instruction.print(&test.code);
    assert_eq!(text, "DPAS.u2.s8.8.3 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0)");
    // Registers of 32 bytes, XeHP, sequential sums, and every type but that of Dst are those of the base state.
    assert_eq!(test.before.fields.len(), 1);
    assert_eq!(field(isa, &test.before, "V32.type"), DataType::D.code());
    assert_eq!(test.before.rows.len(), 3 + 2 + 3);
    assert_eq!(from_row(&test.before, 32, 3), (0x100..0x118).collect::<Vec<u32>>(), "Src0 in V33");
    assert_eq!(from_row(&test.before, 64, 2), (0x200..0x210).collect::<Vec<u32>>(), "Src1 in V34");
    assert_eq!(from_row(&test.before, 96, 3), (0x300..0x318).collect::<Vec<u32>>(), "Src2 in V35");
    assert_eq!(test.after.rows.len(), 3);
    assert_eq!(from_row(&test.after, 0, 3), (0x400..0x418).collect::<Vec<u32>>(), "Dst in V32");
    assert!(test.care.is_empty() && test.editions.is_empty(), "all bits count, and nobody was asked");
    // What UD adds to products of signed data is contested.
    assert_eq!((test.flags, test.recorded), (vec!["contested".to_string(), "extreme".to_string()], None));
}

#[test]
fn data_of_16_bits_are_packed_and_an_accumulator_can_be_null() {
    let (recording, test) = one(halves());
    let text = recording.instruction.print(&test.code);
    assert_eq!(text, "DPAS.hf.hf.8.1 (M1_NM, 16) V32.0 %null.0 V34.0 V35(0,0)");
    let field = |name: &str| field(recording.isa, &test.before, name);
    assert_eq!((field("GRF_size"), field("V32.type"), field("V33.type")), (1, DataType::Hf.code(), 0));
    assert_eq!(test.before.rows.len(), 16 + 1, "eight registers of weights, one row of activations");
    assert_eq!(from_row(&test.after, 0, 1), (0x400..0x408).collect::<Vec<u32>>());
    assert!(test.flags.is_empty(), "random bits");
}

#[test]
fn rows_of_zeros_are_not_named_and_short_rows_are_filled() {
    let mut line = integers();
    line["a_prec"] = json!("u2");
    line["rc"] = json!(1);
    line["w_prec"] = json!("u8");
    (line["src0"], line["src1"]) = (words(1, 8), words(1, 64));
    (line["src2"], line["dst"]) = (words(7, 2), json!(vec![0; 8]));
    let (_, test) = one(line);
    assert_eq!(test.before.rows[&(bank::GRF, 96)], [7, 8, 0, 0, 0, 0, 0, 0]);
    assert!(test.after.is_empty());
}

#[test]
fn of_a_quiet_nan_only_the_bits_that_make_it_one_count() {
    assert_eq!(bits_that_count(DataType::F, 0xffc0_0000), 0x7fc0_0000);
    assert_eq!(bits_that_count(DataType::F, 0x7fe1_2345), 0x7fc0_0000);
    for exact in [0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0x7fbf_ffff, 0x3f80_0000, 0] {
        assert_eq!(bits_that_count(DataType::F, exact), u32::MAX, "{exact:#x}");
    }
    assert_eq!(bits_that_count(DataType::D, 0x7fc0_0000), u32::MAX);
    assert_eq!(bits_that_count(DataType::Hf, 0xfe01_7c00), 0x7e00_ffff);
    assert_eq!(bits_that_count(DataType::Bf, 0x7f80_ffc1), 0xffff_7fc0);
    let mut line = halves();
    (line["dst_type"], line["dst"]) = (json!("F"), words(0x400, 16));
    line["dst"][9] = json!(0xffc0_0000_u32);
    let (_, test) = one(line);
    let masks: Vec<_> = test.care.rows.into_iter().collect();
    let all = u32::MAX;
    assert_eq!(masks, [((bank::GRF, 1), vec![all, 0x7fc0_0000, all, all, all, all, all, all])]);
    assert_eq!(test.flags, ["nan-by-class"]);
}

#[test]
fn a_saturated_line_is_left_out_and_read_all_the_same() {
    let mut line = integers();
    line["sat"] = json!(1);
    let recording = read(&[integers(), line.clone()]).expect("it is understood");
    assert_eq!((recording.tests.len(), recording.account.tests()), (1, 1));
    assert_eq!(recording.account.left_out[&LeftOut::ForeignMode("sat = 1")], [2]);
    line["dst"][3] = json!("x");
    assert!(matches!(read(&[line]), Err(ImportError::Value { line: 1, place, .. }) if place == "/dst/3"));
}

#[test]
fn a_line_with_a_member_that_is_not_known_is_left_out_and_the_others_count() {
    let mut line = integers();
    line["seed"] = json!(1);
    let recording = read(&[integers(), line]).expect("the other line is understood");
    assert_eq!(recording.account.left_out[&LeftOut::Unknown { place: "/seed".to_string() }], [2]);
}

#[test]
fn what_is_not_understood_is_refused_with_its_place() {
    for (member, value, place) in [
        ("w_prec", json!("u3"), "/w_prec"),
        ("a_prec", json!(8), "/a_prec"),
        ("sd", json!(4), "/sd"),
        ("rc", json!(0), "/rc"),
        ("rc", json!(9), "/rc"),
        ("rc", json!(2), "/src0"),
        ("exec", json!(32), "/exec"),
        ("exec", json!(16), "/src0"),
        ("dst_type", json!("DF"), "/dst_type"),
        ("dst_type", json!("HF"), "/dst"),
        ("src0_type", json!("none"), "/src0_type"),
        ("src0_type", json!("null"), "/src0"),
        ("sat", json!(2), "/sat"),
        ("sat", json!(true), "/sat"),
        ("pattern", json!(8), "/pattern"),
        ("src1", json!([]), "/src1"),
        ("src1", json!({}), "/src1"),
        ("src2", words(0, 25), "/src2"),
        ("dst", json!(null), "/dst"),
    ] {
        let mut line = integers();
        line[member] = value;
        let error = read(&[integers(), line]).expect_err(place);
        assert!(
            matches!(&error, ImportError::Value { line: 2, place: found, .. } if found == place),
            "{member}: {error}"
        );
        let words = error.to_string();
        assert!(words.starts_with("some.jsonl: line 2: place ") && words.ends_with("what is understood"), "{words}");
    }
    let mut line = integers();
    line["src2"][5] = json!(1_u64 << 32);
    assert!(matches!(read(&[line]), Err(ImportError::Value { place, .. }) if place == "/src2/5"));
    for member in KNOWN {
        let mut line = integers();
        let _ = line.as_object_mut().expect("an object").remove(member);
        let error = read(&[integers(), line]).expect_err(member);
        assert!(matches!(&error, ImportError::Value { line: 2, .. }) && error.to_string().contains(member), "{error}");
    }
    let mut line = integers();
    let _ = line.as_object_mut().expect("an object").remove("w_prec");
    let error = read(&[line]).expect_err("nothing says whose it is").to_string();
    assert!(error.starts_with("some.jsonl: line 1: place /: ") && error.contains("'w_prec'"), "{error}");
}

#[test]
fn broken_lines_never_panic() {
    tests::broken_lines_never_panic(&[integers(), halves()], 11);
}
