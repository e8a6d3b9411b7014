//! The program in an empty folder: it has its vectors with it, and says what it did without files of the repository.

use std::path::Path;

use serde_json::Value;
use tandem_cases::ISAS;
use tandem_harness::vectors::{Outcome, Test, read_file};
use tandem_isa::{Isa, State};

use crate::cli_json;
use crate::program::{self, ROOT, Told, ended, read_json, told};

fn tandem(folder: &Path, arguments: &[&str]) -> Told {
    told(&program::tandem().current_dir(folder).args(arguments).output().expect("the binary runs"))
}

#[test]
fn the_program_works_in_an_empty_folder_and_says_what_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let fuzz = ["fuzz", "tensix-wh/sfpstore", "--cases", "1024", "--seed", "1"];
    let (stdout, _) = ended(tandem(folder.path(), &fuzz), 0);
    assert!(stdout.contains("vectors in the program were replayed"), "{stdout}");
    assert!(stdout.contains("no finding is known"), "{stdout}");
    let report = read_json(&folder.path().join("reports/latest/report.json"));
    let replayed = &report["result"]["vectors"];
    assert!(replayed["tests"].as_u64().is_some_and(|tests| tests > 400), "{replayed}");
    assert_eq!(replayed["divergent"], 0);

    let (stdout, _) = ended(tandem(folder.path(), &[&fuzz[..], &["--no-vectors", "--out", "none"]].concat()), 0);
    assert!(stdout.contains("not replayed, as --no-vectors asks"), "{stdout}");
    assert!(!stdout.contains("vectors: "), "{stdout}");
    assert!(read_json(&folder.path().join("none/report.json"))["result"]["vectors"].is_null());

    // A directory that was named must be there.
    ended(tandem(folder.path(), &[&fuzz[..], &["--vectors", "elsewhere"]].concat()), 13);
    for arguments in [&["list"][..], &["describe", "visa"]] {
        let (code, stdout, stderr) = tandem(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {stdout}{stderr}");
    }
    let (stdout, _) = ended(tandem(folder.path(), &["vectors", "lint", "--json"]), 0);
    cli_json::fits("vectors-lint", &serde_json::from_str(&stdout).expect("it is JSON"));
    assert!(!folder.path().join("vectors").exists(), "nothing was unpacked");
}

/// The state that a line of an export asks for, by somebody who knows the layout and nothing of the base state.
fn set_up(isa: &'static Isa, line: &Value) -> State {
    let mut state = State::zeroed(isa.layout);
    let number = |value: &Value| u32::try_from(value.as_u64().expect("a number")).expect("32 bits");
    for fields in [&line["base"]["fields"], &line["small"]] {
        for (name, value) in fields.as_object().expect("fields by name") {
            isa.layout.field_named(name).expect("a field").set(&mut state.small, number(value));
        }
    }
    for (name, value) in line["base"]["words"].as_object().expect("words by bank") {
        let bank = isa.layout.bank_named(name).expect("a bank");
        for row in 0..isa.layout.banks[bank].rows() {
            (0..isa.layout.banks[bank].columns()).for_each(|column| state.set_word(bank, row, column, number(value)));
        }
    }
    for entry in [&line["base"]["rows"], &line["rows"]].into_iter().flat_map(|rows| rows.as_array().expect("a list")) {
        let bank = isa.layout.bank_named(entry[0].as_str().expect("a name")).expect("a bank");
        let row = entry[1].as_u64().expect("a row") as usize;
        for (column, word) in entry[2].as_array().expect("words").iter().enumerate() {
            state.set_word(bank, row, column, number(word));
        }
    }
    state
}

#[test]
fn a_line_of_an_export_says_all_that_is_to_be_set() {
    let root = Path::new(ROOT);
    for path in ["vectors/tensix-wh/sfpstore.json", "vectors/visa/mov.json"] {
        let export = ["vectors", "export", path, "--format", "jsonl", "--per-cell", "1"];
        let (stdout, _) = ended(tandem(root, &export), 0);
        let file = read_file(ISAS, &root.join(path)).expect("a committed file");
        let tests: Vec<(String, &Test)> =
            file.tests().map(|(_, test)| (test.id(file.isa, file.instruction), test)).collect();
        let mut set = 0;
        for line in stdout.lines().step_by(16) {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            let id = line["id"].as_str().expect("an id");
            let (_, test) = tests.iter().find(|(known, _)| known == id).expect("a test of the file");
            assert!(matches!(test.outcome, Outcome::Done | Outcome::Blocked));
            let mut wanted = file.isa.base_state();
            test.before.apply(file.isa, &mut wanted);
            let state = set_up(file.isa, &line);
            assert_eq!(*state.small, *wanted.small, "{id}");
            assert!(*state.arena == *wanted.arena, "{id}: the banks differ");
            set += 1;
        }
        assert!(set > 20, "{path}: {set}");
    }
}
