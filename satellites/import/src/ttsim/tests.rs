//! Reading on lines made by hand. Nothing here asks the reference.

use serde_json::{Value, json};
use tandem_isa::Isa;
use tandem_isa::tensix::bank;

use super::*;
use crate::read_recording;
use crate::tests::{self, one, read, suite};

/// Eight hex digits for each of 32 lanes, or four for each of 16 columns.
fn row(word: impl Fn(usize) -> u32, columns: usize, digits: usize) -> String {
    (0..columns).map(|column| format!("{:0digits$x}", word(column))).collect()
}

fn load() -> Value {
    json!({
        "arch": "wh", "instr": "SFPLOAD", "word": "0x70328264", "thread": 2,
        "fields": {"VD": 3, "Mod0": 2, "AddrMod": 2, "Imm10": 612},
        "config": {
            "CFG_STATE_ID_StateID": 1, "ALU_FORMAT_SPEC_REG1_SrcB": 5, "DEST_TARGET_REG_CFG_MATH_Offset": 741,
            "LaneConfig": 4, "ADDR_MOD_SET_Base": 1, "ADDR_MOD_AB_SEC[6].SrcAIncr": 34,
            "ADDR_MOD_DST_SEC[6].DestIncr": 701, "ADDR_MOD_BIAS_SEC[6].BiasIncr": 1
        },
        "rwc": {"Dst": 821, "SrcB_Cr": 36, "ExtraAddrModBit": 1},
        "in": {
            "dst16": [[124, row(|_| 0x1234, 16, 4)], [127, row(|_| 0, 16, 4)]],
            "lreg": [[3, row(|lane| lane as u32, 32, 8)]],
            "LaneFlags": "0x0000ff01", "UseLaneFlagsForLaneEnable": 1
        },
        "out": {"rwc": {"Dst": 498}, "lreg": [[3, row(|_| 0x1234_0000, 32, 8)]]},
        "outcome": "ok"
    })
}

fn store() -> Value {
    json!({
        "arch": "wh", "instr": "SFPSTORE", "word": "0x72b68000", "thread": 0,
        "fields": {"VD": 11, "Mod0": 6, "AddrMod": 2, "Imm10": 0},
        "config": {"LaneConfig": 0}, "rwc": {},
        "in": {"dst_undef": [[8, 2]], "LaneFlags": "0xffffffff", "UseLaneFlagsForLaneEnable": 0},
        "out": {"dst16": [[8, row(|column| column as u32, 16, 4)]], "dst_defined": [[8, 2]]},
        "outcome": "ok"
    })
}

fn load_of_blackhole() -> Value {
    let mut line = load();
    line["arch"] = json!("bh");
    line["word"] = json!("0x70324264");
    let config = line["config"].as_object_mut().expect("an object");
    let _ = config.remove("ADDR_MOD_SET_Base");
    line
}

fn left_out(line: Value) -> Option<LeftOut> {
    let recording = read(&[line]).expect("it is understood");
    assert_eq!(recording.tests.len(), recording.account.tests());
    recording.account.left_out.into_keys().next()
}

fn fields(isa: &Isa, sparse: &Sparse) -> Vec<(String, u32)> {
    let fields = (isa.layout.fields)();
    sparse.fields.iter().map(|(&field, &value)| (fields[field].name.clone(), value)).collect()
}

fn named(pairs: &[(&str, u32)]) -> Vec<(String, u32)> {
    pairs.iter().map(|&(name, value)| (name.to_string(), value)).collect()
}

#[test]
fn every_member_of_a_load_goes_to_its_place() {
    let (recording, test) = one(load());
    assert_eq!((recording.isa.name, recording.instruction.name), ("tensix-wh", "SFPLOAD"));
    let mut expected = named(&[
        ("CurrentThread", 2),
        ("LaneFlags", 0xff01),
        ("UseLaneFlagsForLaneEnable", u32::MAX),
        ("RWCs[2].Dst", 821),
        ("RWCs[2].SrcB_Cr", 36),
        ("RWCs[2].ExtraAddrModBit", 1),
    ]);
    expected.extend((0..8).map(|lane| (format!("LaneConfig[{lane}].ENABLE_DEST_INDEX"), 1)));
    expected.extend(named(&[
        ("Config[1].ALU_FORMAT_SPEC_REG1_SrcB", 5),
        ("ThreadConfig[2].CFG_STATE_ID_StateID", 1),
        ("ThreadConfig[2].DEST_TARGET_REG_CFG_MATH_Offset", 741),
        ("ThreadConfig[2].ADDR_MOD_SET_Base", 1),
        ("ThreadConfig[2].ADDR_MOD_AB_SEC[6].SrcAIncr", 34),
        ("ThreadConfig[2].ADDR_MOD_DST_SEC[6].DestIncr", 701),
        ("ThreadConfig[2].ADDR_MOD_BIAS_SEC[6].BiasIncr", 1),
    ]));
    assert_eq!(fields(recording.isa, &test.before), expected);
    let rows: Vec<_> = test.before.rows.into_iter().collect();
    assert_eq!(rows, [((bank::DST, 124), vec![0x1234; 16]), ((bank::LREG, 3), (0..32).collect())]);
    assert_eq!(fields(recording.isa, &test.after), named(&[("RWCs[2].Dst", 498)]));
    assert_eq!(test.after.rows.into_iter().collect::<Vec<_>>(), [((bank::LREG, 3), vec![0x1234_0000; 32])]);
    assert!(test.editions.is_empty(), "nobody was asked");
    assert_eq!(test.recorded.as_deref(), Some("ok"));
}

#[test]
fn a_line_whose_constants_differ_from_lane_to_lane_is_compared_and_is_no_test() {
    let mut line = store();
    line["in"]["lreg"] = json!([[11, row(|lane| 0x3f80_0000 + lane as u32, 32, 8)]]);
    line["out"]["dst16"] = json!([]);
    let recording = read(&[line]).expect("it is understood");
    let (account, tests) = (&recording.account, recording.tests.len());
    assert_eq!((account.lines, &account.compared[..], account.tests(), tests), (1, &[1][..], 0, 1), "{account}");
    let isa = suite();
    let imported = recording.compare(isa.isa("wh").expect("it is in the suite")).expect("there is a line to compare");
    let reasons: Vec<String> = imported.account.left_out.keys().map(ToString::to_string).collect();
    assert_eq!(reasons, ["the reference disagrees in every edition"], "nothing was written to Dst");
    assert!(imported.account.compared.is_empty() && imported.file.is_empty() && !imported.disagreements.is_empty());
}

#[test]
fn what_blackhole_has_of_its_own_goes_to_its_place() {
    let mut line = load_of_blackhole();
    for (name, value) in [
        ("SFPU_DEST_FMT_Base", 3),
        ("DISABLE_IMPLIED_SRCB_FMT_Base", 1),
        ("DEST_SP_BASE_Base", 7),
        ("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 1),
    ] {
        line["config"][name] = json!(value);
    }
    line["rwc"]["Sp"] = json!(9);
    let (recording, test) = one(line);
    assert_eq!(recording.isa.name, "tensix-bh");
    let fields = fields(recording.isa, &test.before);
    for field in named(&[
        ("ThreadConfig[2].SFPU_DEST_FMT_Base", 3),
        ("ThreadConfig[2].DISABLE_IMPLIED_SRCB_FMT_Base", 1),
        ("Config[1].DEST_SP_BASE_Base", 7),
        ("Config.DEST_ACCESS_CFG_zeroacc_absolute_tile_mode", 1),
        ("RWCs[2].Sp", 9),
    ]) {
        assert!(fields.contains(&field), "{field:?} in {fields:?}");
    }
}

#[test]
fn a_store_finds_the_constant_that_the_simulator_has_in_its_register() {
    let (_, test) = one(store());
    assert_eq!(test.before.rows[&(bank::LREG, 11)], [0xbf80_0000; 32]);
    assert_eq!(test.before.rows[&(bank::DST_ROW_VALID, 9)], [0]);
    assert_eq!(test.after.rows[&(bank::DST_ROW_VALID, 9)], [1]);
    assert_eq!(test.after.rows[&(bank::DST, 8)], (0..16).collect::<Vec<u32>>());
    // What the base state holds is not said again.
    let stored = |register: u32| {
        let mut line = store();
        line["word"] = json!(format!("{:#010x}", 0x7206_8000 | (register << 20)));
        line["fields"]["VD"] = json!(register);
        let (recording, test) = one(line);
        let held = || recording.isa.layout.banks[bank::LREG].base_row(register as usize);
        test.before.rows.get(&(bank::LREG, register as usize)).cloned().unwrap_or_else(held)
    };
    assert_eq!([stored(0), stored(9)], [[0; 32], [0; 32]]);
    assert_eq!(stored(15), (0..32).map(|lane| 2 * lane).collect::<Vec<u32>>());
    assert!([8, 10, 12, 13, 14].into_iter().all(|register| stored(register) != [0; 32]));
    // What a line lists is what the register holds.
    let mut line = store();
    line["in"]["lreg"] = json!([[11, row(|_| 5, 32, 8)]]);
    assert_eq!(one(line).1.before.rows[&(bank::LREG, 11)], [5; 32]);
}

#[test]
fn a_load_of_undefined_rows_is_left_out_if_an_enabled_lane_reads_them() {
    // Lane 0 and lanes 8 to 15 are enabled: rows 124 and 125 of 124 to 127.
    let marked = |first: usize, count: usize| {
        let mut line = load();
        line["in"]["dst_undef"] = json!([[first, count]]);
        line
    };
    assert_eq!(left_out(marked(124, 1)), Some(LeftOut::UndefinedRows));
    assert_eq!(left_out(marked(127, 1)), None, "no lane of it is enabled");
    assert_eq!(left_out(marked(128, 8)), None, "it is not listed");
    let mut line = marked(127, 1);
    line["in"]["UseLaneFlagsForLaneEnable"] = json!(0);
    assert_eq!(left_out(line), Some(LeftOut::UndefinedRows), "all lanes are enabled, and the row is listed as zero");
    let mut line = marked(124, 1);
    line["word"] = json!("0x70828264");
    line["fields"]["VD"] = json!(8);
    assert_eq!(left_out(line), None, "nothing is loaded");
}

#[test]
fn what_the_simulator_ignores_is_left_out_by_field() {
    for (name, value, field) in [
        ("DEST_REGW_BASE_Base", 1, "DEST_REGW_BASE_Base"),
        ("ALU_FORMAT_SPEC_REG_SrcB_override", 1, "ALU_FORMAT_SPEC_REG_SrcB_override"),
        ("FP16A_FORCE_Enable", 1, "FP16A_FORCE_Enable"),
        ("LaneConfig", 1 << 6, "DEST_RD_COL_EXCHANGE"),
        ("LaneConfig", 4 << 12, "ROW_MASK"),
        ("LaneConfig", 2 << 9, "BLOCK_DEST_MOV"),
    ] {
        for mut line in [load(), store()] {
            line["config"][name] = json!(value);
            assert_eq!(left_out(line), Some(LeftOut::Ignored(field)));
        }
    }
    let mut line = load_of_blackhole();
    line["config"]["DEST_ACCESS_CFG_swizzle_32b"] = json!(1);
    assert_eq!(left_out(line), Some(LeftOut::Ignored("DEST_ACCESS_CFG_swizzle_32b")));
    let mut line = load();
    line["config"]["LaneConfig"] = json!(0x104);
    assert_eq!(left_out(line), None, "EXCHANGE_SRCB_SRCC and ENABLE_DEST_INDEX it knows");
}

#[test]
fn each_line_is_in_the_account() {
    let refused = |detail: &str| {
        let mut line = load();
        let members = line.as_object_mut().expect("an object");
        let _ = (members.remove("in"), members.remove("out"));
        line["outcome"] = json!("unimplemented");
        line["detail"] = json!(detail);
        line
    };
    let lines = [refused("sfpload: mod0=1"), load(), refused("sfpload: mod0=12"), refused("inst=0x7: backdoor")];
    let text: String = lines.iter().map(|line| format!("{line}\n")).chain(["\n".to_string()]).collect();
    let recording = read_recording("some.jsonl", &text, &suite()).expect("it is understood");
    let refusal = |detail: &str| LeftOut::Refused { outcome: "unimplemented".to_string(), detail: detail.to_string() };
    let account = &recording.account;
    assert_eq!((account.lines, account.tests()), (5, 1));
    assert_eq!(recording.tests[0].0, 2);
    assert_eq!(account.left_out[&refusal("sfpload: mod0=…")], [1, 3]);
    assert_eq!(account.left_out[&refusal("inst=…: backdoor")], [4]);
    assert_eq!(account.left_out[&LeftOut::Blank], [5]);
    let printed = account.to_string();
    assert!(printed.starts_with("5 lines (1 ok, 3 unimplemented): 1 tests\n"), "{printed}");
    assert!(
        printed.contains("  2 left out: refused by the simulator: unimplemented: sfpload: mod0=… (first: line 1)\n")
    );
    // Nothing but refusals is an account, and nothing to compare.
    let recording = read(&lines[..1]).expect("it is understood");
    let suite = suite();
    let error = recording.compare(suite.isa("wh").expect("it is there")).expect_err("there is no test");
    assert!(matches!(error, ImportError::Empty { .. }), "{error}");
}

#[test]
fn what_is_not_known_is_left_out_with_its_place() {
    for (pointer, value, place) in [
        ("/in/FlagStack", json!([]), "/in/FlagStack"),
        ("/in/srca", json!([]), "/in/srca"),
        ("/out/dst16", json!([]), "/out/dst16"),
        ("/out/PRNG", json!(""), "/out/PRNG"),
        ("/config/LaneConfig", json!(0xc_0004), "/config/LaneConfig, bits 0xc0000"),
        ("/config/SFPU_STACK_Incr", json!(0), "/config/SFPU_STACK_Incr"),
        ("/rwc/Sp", json!(0), "/rwc/Sp"),
    ] {
        let mut line = load();
        let (parent, member) = pointer.rsplit_once('/').expect("a pointer");
        line.pointer_mut(parent).expect("it is there")[member] = value;
        assert_eq!(left_out(line), Some(LeftOut::Unknown { place: place.to_string() }));
    }
}

#[test]
fn arguments_that_a_page_writes_as_a_constant_are_read() {
    for (instruction, word, field, value) in [
        ("ELWMUL", "0x27000000", "AddDst", 0),
        ("ELWMUL", "0x27200000", "AddDst", 1),
        ("GAPOOL", "0x34000000", "ArgMax", 0),
        ("GAPOOL", "0x34004000", "ArgMax", 1),
        ("GAPOOL", "0x34080000", "Mod19", 1),
    ] {
        let line = json!({
            "arch": "wh", "instr": instruction, "word": word, "thread": 0, "fields": {field: value},
            "config": {}, "rwc": {}, "in": {}, "out": {}, "outcome": "ok"
        });
        assert_eq!(left_out(line.clone()), None, "{instruction} {field}");
        let mut other = line;
        other["fields"][field] = json!(1 - value);
        let error = read(&[other]).expect_err("the word holds something else");
        assert!(matches!(&error, ImportError::Value { place, .. } if *place == format!("/fields/{field}")), "{error}");
    }
}

#[test]
fn what_is_not_understood_is_refused_with_its_place() {
    let (digits, shorter) = (row(|_| 1, 32, 8), row(|_| 1, 31, 8));
    for (pointer, value, place) in [
        ("/in/lreg", json!([[17, digits]]), "/in/lreg/0"),
        ("/in/lreg", json!([[3, shorter]]), "/in/lreg/0"),
        ("/in/lreg", json!([[3, digits.replacen('0', "+", 1)]]), "/in/lreg/0"),
        ("/in/lreg", json!([[3, digits], [3, digits]]), "/in/lreg/1"),
        ("/in/LaneFlags", json!("0x+000ff01"), "/in/LaneFlags"),
        ("/in/LaneFlags", json!(1), "/in/LaneFlags"),
        ("/in/UseLaneFlagsForLaneEnable", json!(2), "/in/UseLaneFlagsForLaneEnable"),
        ("/in/dst_undef", json!([[0, 1025]]), "/in/dst_undef/0"),
        ("/in/dst_undef", json!([[0, 2], [1, 1]]), "/in/dst_undef/1"),
        ("/config/CFG_STATE_ID_StateID", json!(2), "/config/CFG_STATE_ID_StateID"),
        ("/word", json!("0x+0328264"), "/word"),
        ("/detail", json!(1), "/detail"),
    ] {
        let mut line = load();
        if place == "/detail" {
            let members = line.as_object_mut().expect("an object");
            let _ = members.remove("out");
            line["outcome"] = json!("untested");
        }
        let (parent, member) = pointer.rsplit_once('/').expect("a pointer");
        line.pointer_mut(parent).expect("it is there")[member] = value;
        let error = read(&[load(), line]).expect_err(pointer);
        assert!(
            matches!(&error, ImportError::Value { line: 2, place: found, .. } if found == place),
            "{pointer}: {error}"
        );
    }
    let error = read(&[load(), store()]).expect_err("two instructions");
    assert!(matches!(&error, ImportError::Value { line: 2, place, .. } if place == "/instr"), "{error}");
    let error = read(&[load(), load_of_blackhole()]).expect_err("two chips");
    assert!(matches!(&error, ImportError::Value { line: 2, place, .. } if place == "/instr"), "{error}");
    let twice = load().to_string().replacen('{', "{\"thread\":1,", 1);
    let error = read_recording("some.jsonl", &twice, &suite()).expect_err("a member stands twice");
    assert!(matches!(&error, ImportError::Syntax { line: 1, message, .. } if message.contains("thread")), "{error}");
}

#[test]
fn broken_lines_never_panic() {
    tests::broken_lines_never_panic(&[load(), store(), load_of_blackhole()], 7);
}
