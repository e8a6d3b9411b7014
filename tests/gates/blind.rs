//! The third reading: both families once more in C, written from the pages alone (`examples/blind`). Without a fault it agrees;
//! each of its faults, which name no place of ours, is found; and what it does wrong is told by the line of the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;
use serde_json::Value;

use crate::parts::one_in;
use crate::program::{ROOT, ended, has, tandem, told};

/// The library of a family, built in a folder, and what its manifest says of its faults.
fn built(folder: &Path, family: &str) -> (PathBuf, Vec<Value>) {
    let blind = Path::new(ROOT).join("examples/blind");
    let library = folder.join(format!("{family}.so"));
    let done = Command::new("cc")
        .args(["-O2", "-std=c99", "-shared", "-fPIC", "-I", "harness/include", "-o"])
        .args([&library, &blind.join(format!("{family}.c"))])
        .current_dir(ROOT)
        .status();
    assert!(done.is_ok_and(|status| status.success()), "cc builds {family}.c");
    let text = std::fs::read_to_string(blind.join(format!("{family}.json"))).expect("the manifest is there");
    let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
    (library, manifest["faults"].as_array().expect("it lists faults").clone())
}

/// Runs a command against the library, with a fault or right, and gives what it says.
fn run(library: &Path, fault: u64, arguments: &[&str], expected: i32) -> Value {
    let out = tempfile::tempdir().expect("a folder for the report");
    let folder = out.path().to_string_lossy().into_owned();
    let report = if arguments[0] == "fuzz" { vec!["--no-vectors", "--out", &folder] } else { Vec::new() };
    let output = tandem()
        .args(arguments)
        .args(["--json", "--target", &format!("lib:{}", library.display())])
        .args(report)
        .env("TANDEM_BLIND", fault.to_string())
        .output();
    let (stdout, _) = ended(told(&output.expect("the binary runs")), expected);
    serde_json::from_str(&stdout).expect("it says JSON")
}

#[rstest]
#[case::wormhole("tensix", "tensix-wh", "150000")]
#[case::blackhole("tensix", "tensix-bh/shiftxb", "30000")]
#[case::visa("visa", "visa", "60000")]
fn a_third_reading_agrees_as_well(#[case] family: &str, #[case] isa: &str, #[case] cases: &str) {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (library, _) = built(folder.path(), family);
    let said = run(&library, 0, &["fuzz", isa, "--seed", "3", "--cases", cases], 0);
    let completed = said["result"]["completed"].as_u64().expect("a number");
    assert!(completed * 3 > cases.parse::<u64>().expect("a number"), "{completed} of {cases} cases were compared");
}

/// One blind fault in eight, or all by night; `cargo run --release --example blind` explains all.
#[rstest]
#[case::tensix("tensix", 10)]
#[case::visa("visa", 3)]
fn faults_that_name_no_place_of_ours_are_found(#[case] family: &str, #[case] least: usize) {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (library, faults) = built(folder.path(), family);
    let every = one_in(8);
    let tried: Vec<&Value> = faults.iter().skip(every / 4).step_by(every).collect();
    assert!(tried.len() >= least, "{} faults", tried.len());
    for fault in tried {
        let number = fault["number"].as_u64().expect("a fault has a number");
        let instruction = fault["instruction"].as_str().expect("a fault has an instruction");
        let fuzz = ["fuzz", instruction, "--seed", "1", "--cases", "60000", "--max-findings", "1", "--no-causes"];
        let said = run(&library, number, &fuzz, 10);
        let findings = said["result"]["findings"].as_array().expect("there are findings");
        assert!(!findings.is_empty(), "{fault}");
    }
}

/// What reads a row that is not valid, of which nothing is promised, by a sum with one part cut, is told by its line.
#[test]
fn what_goes_on_where_nothing_is_promised_is_told_by_its_line() {
    const FAULT: u64 = 12;
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (library, faults) = built(folder.path(), "tensix");
    let fault = faults.iter().find(|fault| fault["number"] == FAULT).expect("it is listed");
    let instruction = fault["instruction"].as_str().expect("a fault has an instruction");
    let said = run(&library, FAULT, &["explain", instruction], 10);
    let cause = &said["explained"][0]["causes"][0];
    assert_eq!(cause["tier"], "established", "{cause}");
    let (line, page) = (fault["lines"][0].as_u64(), &fault["page"]);
    let names = |at: &Value| at["page"] == *page && at["first"].as_u64() <= line && line <= at["last"].as_u64();
    let lines = cause["class"][0]["lines"].as_array().expect("it has lines");
    assert!(lines.iter().any(names), "{lines:?}");
}
