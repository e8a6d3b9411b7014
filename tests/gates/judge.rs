//! Tests that are exported without their answers, run elsewhere, and judged.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Results, Sparse, TestIds, read_file, to_lines};
use tandem_isa::{Answer, Edition, Facts, Noise, Step, Target};

use crate::cli_json;
use crate::parts::store;
use crate::program::{run, run_into};

/// Small files of both chips, one with rows that are moved, and one of the other family.
const FILES: [&str; 4] = [
    "vectors/tensix-wh/sfpexexp.json",
    "vectors/tensix-wh/sfpsetcc.json",
    "vectors/tensix-bh/sfpstore.json",
    "vectors/visa/mov.json",
];

/// What a target does with every test of the committed files, as a machine would write it down.
fn results(make: impl Fn() -> Box<dyn Target>, has: impl Fn(&Facts) -> bool) -> Vec<Value> {
    let mut lines = Vec::new();
    for path in FILES {
        let file = read_file(ISAS, Path::new(path)).expect("the committed files are right");
        let isa = file.isa;
        let mut target = make();
        for (_, test) in file.tests().filter(|(_, test)| test.editions.contains(&Edition::Newest)) {
            let value = test.case_value(isa, file.instruction, Edition::Newest);
            let (before, mut after) = (value.state(), value.state());
            target.reset();
            let step = Step { instruction: file.instruction, edition: Edition::Newest, code: &value.code };
            let answer = if has(file.instruction) { target.execute(&step, &mut after) } else { Answer::Unsupported };
            let (small, rows) = Sparse::between(isa, &before, &after).named(isa);
            let id = test.id(isa, file.instruction);
            lines.push(json!({ "id": id, "outcome": answer.name(), "small": small, "rows": rows, "board": "none" }));
        }
    }
    lines
}

fn judge(lines: &[Value]) -> (i32, Value, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.jsonl");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, text).expect("results can be written");
    let path = path.display().to_string();
    let judge = ["vectors", "judge", &path, "--machine", "bench 7", "--json"];
    let (code, stdout, stderr) = run_into(folder.path(), &judge);
    let report = serde_json::from_str(&stdout).unwrap_or(Value::Null);
    if report != Value::Null {
        cli_json::fits("report", &report);
    }
    (code, report, stderr, folder)
}

#[test]
fn a_right_machine_agrees_and_a_wrong_one_is_named_with_what_it_did() {
    let right = results(|| Box::new(tandem_faults::Right), |_| true);
    let (code, json, stderr, folder) = judge(&right);
    assert_eq!(code, 0, "{json} {stderr}");
    let result = &json["result"];
    assert_eq!(result["targets"], json!(["bench 7"]));
    assert_eq!(result["cases"].as_u64(), Some(right.len() as u64));
    assert!(json["run"]["notes"][0].as_str().is_some_and(|note| note.starts_with("bench 7: ")), "{json}");
    // Every cell for which there is a test is decided by it: the matrix is that of the recorded cells.
    for (unit, path) in result["units"].as_array().expect("there are units").iter().zip(FILES) {
        let file = read_file(ISAS, Path::new(path)).expect("the committed files are right");
        let cells: BTreeSet<_> = file
            .tests()
            .filter(|(_, test)| test.editions.contains(&Edition::Newest))
            .filter_map(|(_, test)| test.cell(file.isa, file.instruction, Edition::Newest))
            .collect();
        let count = |key: &str| unit[key].as_u64().expect("a number");
        assert_eq!((count("green") + count("blocked"), count("enough")), (cells.len() as u64, 1), "{path}");
    }
    let page = std::fs::read_to_string(folder.path().join("index.html")).expect("a page was written");
    assert!(page.contains("bench 7") && page.contains("at least 1 agreement "));
    let wrong = results(|| tandem_faults::target(Some("bf-truncated")).expect("it is there"), |one| one.file == "mov");
    let (code, json, stderr, folder) = judge(&wrong);
    assert_eq!(code, 10, "{stderr}");
    let findings = json["result"]["findings"].as_array().expect("there are findings");
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding["signature"]["target"], "bench 7");
    let diverged = |key: &str| {
        let units = json["result"]["units"].as_array().expect("there are units").iter();
        units.map(|unit| unit[key].as_u64().expect("a number")).sum::<u64>()
    };
    assert!(diverged("diverged") > 0 && diverged("unsupported") > 0);
    assert!(folder.path().join("findings/001-first.json").exists());
    // What was asked of the machine can be looked at by the name of the test.
    let test = finding["first"].as_str().expect("it names a test");
    assert_eq!(finding["replay"], format!("tandem show {test}"));
    let (code, text, _) = run(&["show", test]);
    assert!(code == 0 && text.contains("MOV") && text.contains("mov.json"), "{text}");
}

#[test]
fn a_machine_is_judged_by_the_bits_that_a_recording_cares_for() {
    let path = Path::new("vectors/visa/dpas.cm-cpu-emulation-8d7b65fa.json");
    let file = read_file(ISAS, path).expect("the committed files are right");
    // The recorded implementation itself, whose NaN have signs and payloads; and one whose NaN are infinities.
    let machine = |change: fn(u32, u32) -> u32| -> Vec<Value> {
        let tests = file.tests().map(|(_, test)| {
            let rows = test.after.rows.iter().map(|(&(bank, row), words)| {
                let masks = test.care.rows.get(&(bank, row)).cloned().unwrap_or_else(|| vec![u32::MAX; words.len()]);
                let words: Vec<u32> = words.iter().zip(masks).map(|(&word, mask)| change(word, mask)).collect();
                json!([file.isa.layout.banks[bank].name, row, words])
            });
            let rows: Vec<Value> = rows.collect();
            json!({ "id": test.id(file.isa, file.instruction), "outcome": "done", "small": {}, "rows": rows })
        });
        tests.collect()
    };
    let (code, json, stderr, _) = judge(&machine(|word, _| word));
    assert_eq!(code, 0, "{json} {stderr}");
    assert_eq!(json["result"]["cases"].as_u64(), Some(150));
    let (code, _, stderr, _) = judge(&machine(|word, mask| if mask == u32::MAX { word } else { word & 0xff80_0000 }));
    assert_eq!(code, 10, "{stderr}");
}

#[test]
fn what_goes_out_does_not_tell_the_answer() {
    for path in FILES {
        let file = read_file(ISAS, Path::new(path)).expect("the committed files are right");
        let text = to_lines(&file);
        assert_eq!(text.lines().count(), file.len());
        for line in text.lines().take(50) {
            let line: Value = serde_json::from_str(line).expect("every line is JSON");
            let keys: Vec<&String> = line.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["base", "code", "editions", "id", "instruction", "isa", "rows", "small", "text"]);
        }
    }
}

#[test]
fn broken_results_are_refused_with_their_line() {
    let tests = TestIds::of(store());
    let good = results(|| Box::new(tandem_faults::Right), |_| true)[..40].to_vec();
    let text = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    assert_eq!(Results::read("r", &text(&good), &tests).expect("they are right").len(), 40);
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut lines = good.clone();
        change(&mut lines[7]);
        let error = Results::read("r.jsonl", &text(&lines), &tests).expect_err("it is wrong").to_string();
        assert!(error.starts_with("r.jsonl: line 8: "), "{error}");
    };
    refused(&|line| line["id"] = json!("nothing"));
    refused(&|line| line["id"] = good[6]["id"].clone());
    refused(&|line| line["outcome"] = json!("perhaps"));
    refused(&|line| line["small"] = json!({ "nosuch": 1 }));
    refused(&|line| line["rows"] = json!([["Nosuch", 0, [0]]]));
    refused(&|line| line["rows"] = json!([[good[7]["rows"][0][0], 0, [0]]]));
    refused(&|line| line["rows"] = json!(7));
    refused(&|line| *line = json!([]));
    // Whatever is done to a line, it is refused or read, and nothing panics.
    let mut noise = Noise::new(4);
    let whole = text(&good);
    for _ in 0..20_000 {
        let mut bytes = whole.clone().into_bytes();
        bytes.truncate(whole.len() / 4);
        for _ in 0..1 + noise.below(4) {
            let at = noise.below(bytes.len());
            bytes[at] = noise.bits(7) as u8;
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = Results::read("r", &text, &tests);
        }
    }
}

#[test]
fn every_instruction_set_has_vectors_to_be_judged() {
    for isa in wiring::references().isas {
        assert!(FILES.iter().any(|path| path.contains(&format!("/{}/", isa.isa.name))), "{}", isa.isa.name);
    }
}
