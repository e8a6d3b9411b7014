//! What becomes of single lines of a recording.

use std::collections::BTreeMap;

use tandem_cases::ISAS;
use tandem_harness::Suite;
use tandem_harness::vectors::{Verdict, check_text};
use tandem_import::{ImportError, LeftOut, import_recording};

fn suite() -> Suite {
    tandem::wiring::references()
}

const LINE: &str = concat!(
    r#"{"arch":"wh","instr":"MOVA2D","word":"0x12002000","thread":1,"fields":{"UseDst32bLo":0,"Move8Rows":1},"#,
    r#""config":{"CFG_STATE_ID_StateID":1,"ALU_FORMAT_SPEC_REG0_SrcA":5,"ALU_ACC_CTRL_Zero_Flag_disabled_src":1},"#,
    r#""rwc":{"Dst":8},"in":{"MatrixUnit.SrcABank":1,"SrcA.AllowedClient":["Unpackers","MatrixUnit"],"#,
    r#""dst_undef":[[9,2]],"srca":[[1,2,"0007f000000000000000000000000000000000000000000000000000000000000000000000000000"]]},"#,
    r#""out":{"dst16":[[10,"007f000000000000000000000000000000000000000000000000000000000000"]],"#,
    r#""dst_defined":[[9,2]]},"outcome":"ok"}"#
);

#[test]
fn a_recording_of_ttsim_becomes_vectors() {
    let refused = r#"{"arch":"wh","instr":"MOVA2D","word":"0x12000000","thread":0,"fields":{},"config":{},"rwc":{},"outcome":"unsupported","detail":"?"}"#;
    let imported =
        import_recording("some.jsonl", &format!("{LINE}\n{refused}\n"), &suite()).expect("both lines are known");
    let account = &imported.account;
    assert_eq!(account.outcomes, BTreeMap::from([("ok".to_string(), 1), ("unsupported".to_string(), 1)]));
    assert_eq!((account.lines, account.tests(), account.left_out.len()), (2, 1, 1));
    assert_eq!(imported.file.len(), 1);
    assert!(imported.disagreements.is_empty(), "{:?}", imported.disagreements);
    let text = imported.file.to_text();
    for part in [
        r#""Config[1].ALU_FORMAT_SPEC_REG0_SrcA":5"#,
        r#""ThreadConfig[1].CFG_STATE_ID_StateID":1"#,
        r#""RWCs[1].Dst":8"#,
        r#""SrcA[0].AllowedClient":1"#,
        r#""DstRowValid[9..11]":"00""#,
        r#""DstRowValid[9..11]":"11""#,
        r#""recorded":"ok""#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(check_text(ISAS, "some.json", text.as_bytes()).is_ok());

    // A recording that says something else is a disagreement, not a vector.
    let other = LINE.replacen("\"007f", "\"007e", 1);
    let imported = import_recording("some.jsonl", &format!("{LINE}\n{other}"), &suite()).expect("both lines are known");
    assert_eq!((imported.file.len(), imported.disagreements.len()), (1, 2), "one in each edition");
    assert!(imported.disagreements.iter().all(|found| found.line == 2 && found.verdict != Verdict::Agreed));
}

#[test]
fn a_recording_that_is_not_understood_is_refused_with_line_and_place() {
    for (from, to, place) in [
        ("\"thread\":1", "\"thread\":3", "/thread"),
        ("\"thread\":1", "\"thread\":-1", "/thread"),
        ("\"wh\"", "\"visa\"", "/arch"),
        ("\"wh\"", "\"bh\"", "/instr"),
        ("MOVA2D", "MOVNONE", "/instr"),
        ("0x12002000", "0x13002000", "/word"),
        ("0x12002000", "12002000", "/word"),
        ("\"Move8Rows\":1", "\"Move8Rows\":0", "/fields/Move8Rows"),
        ("\"ALU_FORMAT_SPEC_REG0_SrcA\":5", "\"ALU_FORMAT_SPEC_REG0_SrcA\":16", "/config/ALU_FORMAT_SPEC_REG0_SrcA"),
        ("\"rwc\":{\"Dst\":8}", "\"rwc\":[]", "/rwc"),
        ("\"Unpackers\",", "\"Nobody\",", "/in/SrcA.AllowedClient"),
        ("\"dst_undef\":[[9,2]]", "\"dst_undef\":[[1023,2]]", "/in/dst_undef/0"),
        ("[1,2,\"0007f", "[1,2,\"007f", "/in/srca/0"),
        ("[1,2,\"0007f", "[1,2,\"8007f", "/in/srca/0"),
        ("[1,2,\"0007f", "[2,2,\"0007f", "/in/srca/0"),
        ("\"outcome\":\"ok\"", "\"outcome\":\"fine\"", "/outcome"),
        ("\"outcome\":\"ok\"", "\"outcome\":\"stall\"", "/out"),
    ] {
        let broken = LINE.replacen(from, to, 1);
        assert_ne!(broken, LINE, "{from}");
        let error = import_recording("some.jsonl", &format!("{LINE}\n{broken}"), &suite()).expect_err(to);
        assert!(error.to_string().starts_with("some.jsonl: line 2: "), "{error}");
        assert!(matches!(&error, ImportError::Value { place: found, .. } if found == place), "{to}: {error}");
    }
    assert!(matches!(import_recording("some.jsonl", "{", &suite()), Err(ImportError::Syntax { line: 1, .. })));
    assert!(matches!(import_recording("some.jsonl", "\n", &suite()), Err(ImportError::Empty { .. })));
}

#[test]
fn a_field_that_is_not_known_costs_its_line_and_not_the_recording() {
    let places = [
        ("\"Move8Rows\":1", "\"Move9Rows\":1", "/fields/Move9Rows"),
        ("\"ALU_FORMAT_SPEC_REG0_SrcA\":5", "\"ALU_NOTHING\":5", "/config/ALU_NOTHING"),
        ("\"rwc\":{\"Dst\":8}", "\"rwc\":{\"Dust\":8}", "/rwc/Dust"),
        ("\"dst_undef\"", "\"dst_unknown\"", "/in/dst_unknown"),
        ("\"dst_defined\":[[9,2]]", "\"lreg\":[]", "/out/lreg"),
        ("\"outcome\":\"ok\"", "\"outcome\":\"ok\",\"more\":1", "/more"),
    ];
    let strange = |(from, to, _): (&str, &str, &str)| LINE.replacen(from, to, 1) + "\n";
    // Two lines of each, the first of all at the beginning.
    let lines: String = places.into_iter().chain(places).map(strange).collect();
    let imported = import_recording("some.jsonl", &format!("{lines}{LINE}\n"), &suite()).expect("one line is known");
    let account = &imported.account;
    assert_eq!((account.lines, account.tests(), imported.file.len()), (13, 1, 1));
    assert_eq!(account.outcomes, BTreeMap::from([("ok".to_string(), 13)]));
    for (first, (.., place)) in (1..).zip(places) {
        let reason = LeftOut::Unknown { place: place.to_string() };
        assert_eq!(account.left_out[&reason], [first, first + places.len()], "{place}");
        let said = format!("  2 left out: has a field that is not known: {place} (first: line {first})\n");
        assert!(account.to_string().contains(&said), "{said}{account}");
    }
    // With nothing else, there is nothing to compare, and that is said.
    let error = import_recording("some.jsonl", &lines, &suite()).expect_err("no line is known");
    assert!(matches!(error, ImportError::Empty { .. }), "{error}");
}

/// A line of `MOVB2A` on Wormhole that moves one datum, with what else its configuration lists.
fn movb2a(listed: &str, datum: &str, moved: &str) -> String {
    let row = |datum: &str| format!("{datum}{}", "0".repeat(75));
    format!(
        "{{\"arch\":\"wh\",\"instr\":\"MOVB2A\",\"word\":\"0x0b060002\",\"thread\":0,\
         \"fields\":{{\"SrcARow\":3,\"AddrMod\":0,\"Move4Rows\":0,\"SrcBRow\":2}},\
         \"config\":{{\"ALU_ACC_CTRL_Zero_Flag_disabled_src\":0{listed}}},\"rwc\":{{\"SrcA\":0,\"SrcB\":0}},\
         \"in\":{{\"srcb\":[[0,2,\"{}\"]]}},\"out\":{{\"srca\":[[0,3,\"{}\"]]}},\"outcome\":\"ok\"}}\n",
        row(datum),
        row(moved)
    )
}

#[test]
fn a_line_that_depends_on_what_it_does_not_list_neither_agrees_nor_disagrees() {
    const FORMAT: &str = "ALU_FORMAT_SPEC_REG1_SrcB";
    let listed = |format: u32| format!(",\"{FORMAT}\":{format}");
    let lines = [
        // As TF32 has it, and the line does not say what the format was.
        movb2a("", "404ff", "404ff"),
        // It says that it was FP32, which cuts.
        movb2a(&listed(0), "404ff", "404ff"),
        // No format does this.
        movb2a("", "404ff", "404fe"),
        // The value in the base state explains it.
        movb2a("", "404ff", "400ff"),
        movb2a(&listed(4), "404ff", "404ff"),
    ];
    let imported = import_recording("some.jsonl", &lines.concat(), &suite()).expect("all are known");
    let depends = LeftOut::Unlisted { field: FORMAT.to_string() };
    let left_out = BTreeMap::from([(depends, vec![1]), (LeftOut::Disagrees, vec![2, 3])]);
    assert_eq!(imported.account.left_out, left_out, "{}", imported.account);
    assert_eq!(imported.disagreements.iter().map(|found| found.line).collect::<Vec<_>>(), [2, 3]);
    assert_eq!((imported.account.tests(), imported.file.len()), (2, 2));
    let said = format!("  1 left out: depends on what the recording does not list: {FORMAT} (first: line 1)\n");
    assert!(imported.account.to_string().contains(&said), "{}", imported.account);
    // What the simulator ignores explains nothing: with SrcB_override, the format that is listed would not be read.
    let imported =
        import_recording("some.jsonl", &movb2a(&listed(1), "404ff", "400ff"), &suite()).expect("it is known");
    assert_eq!(imported.account.left_out, BTreeMap::from([(LeftOut::Disagrees, vec![1])]));
}

#[test]
fn a_recording_of_cm_cpu_emulation_becomes_vectors() {
    // 32 products of 1 and 2 in each channel.
    let line = |w: u32, a: u32, dst: u32| {
        let list = |word: u32, count: usize| vec![word.to_string(); count].join(",");
        format!(
            "{{\"w_prec\":\"u8\",\"a_prec\":\"u8\",\"sd\":8,\"rc\":1,\"exec\":8,\"dst_type\":\"UD\",\"src0_type\":\"null\",\
             \"sat\":0,\"pattern\":1,\"src0\":[],\"src1\":[{}],\"src2\":[{}],\"dst\":[{}]}}\n",
            list(w, 64),
            list(a, 8),
            list(dst, 8)
        )
    };
    let right = line(0x0101_0101, 0x0202_0202, 64);
    let text = [right.clone(), line(0x0101_0101, 0x0202_0202, 65), "\n".to_string(), right].concat();
    let imported = import_recording("some.jsonl", &text, &suite()).expect("the lines are known");
    assert_eq!((imported.file.len(), imported.account.tests(), imported.account.lines), (1, 1, 4));
    let reasons = [LeftOut::Disagrees, LeftOut::Blank, LeftOut::Twice];
    assert_eq!(reasons.map(|reason| imported.account.left_out[&reason].clone()), [[2], [3], [4]]);
    assert_eq!(imported.disagreements.iter().map(|found| found.line).collect::<Vec<_>>(), [2]);
    let text = imported.file.to_text();
    for part in [r#""name": "intel/cm-cpu-emulation""#, r#""flags":["small-exact"]"#, r#""editions":["spec","newest"]"#]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(check_text(ISAS, "some.json", text.as_bytes()).is_ok());
    // A recording is of one witness.
    let mixed = format!("{LINE}\n{}", line(1, 1, 1));
    let error = import_recording("some.jsonl", &mixed, &suite()).expect_err("two witnesses");
    assert!(matches!(&error, ImportError::Value { line: 2, place, .. } if place == "/arch"), "{error}");
}
