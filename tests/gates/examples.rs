//! The example targets: each is built, run, and has exactly the finding that `docs/targets.md` documents; and every
//! command of that document runs, with the exit code that stands beside it.

#[expect(dead_code, reason = "its main function is for `cargo run --example`")]
#[path = "../../examples/targets/rust/target.rs"]
mod target;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use rstest::rstest;
use serde_json::Value;
use tandem_cases::ISAS;
use tandem_harness::foreign::check;
use tandem_harness::{Budget, Campaign, Generator, Plan, Pools, Progress, TargetFactory};
use tandem_isa::{Answers, Batch, Border, Edition, Isa, MAX_STEPS, State, UNSUPPORTED};

use crate::program::{self, ROOT, has};

fn document() -> String {
    std::fs::read_to_string(Path::new(ROOT).join("docs/targets.md")).expect("the document is there")
}

/// The finding that the table of the document has for an example: instruction, place and kind.
fn documented(example: &str) -> String {
    let begin = format!("| [`{example}`]");
    let text = document();
    let line = text.lines().find(|line| line.starts_with(&begin));
    let line = line.unwrap_or_else(|| panic!("docs/targets.md has a line for {example}"));
    let cell = line.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
    cell.trim().trim_matches('`').to_string()
}

/// The folder with the examples in C and C++, which are built once.
fn built() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for the examples");
        let out = format!("OUT={}", folder.path().display());
        let output = Command::new("make").args(["-C", "examples/targets", &out]).current_dir(ROOT).output();
        let output = output.expect("make runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("warning"), "{said}");
        folder
    });
    folder.path()
}

/// What `tandem fuzz` finds in a target: its report, without a look for causes and recorded vectors, which take longest.
fn fuzz(filter: &str, target: &str, cases: &str) -> Value {
    let common = ["--no-causes", "--no-vectors", "--json", "--seed", "1"];
    let (code, stdout, said) =
        program::run(&[&["fuzz", filter, "--cases", cases, "--target", target], &common[..]].concat());
    assert_eq!(code, 10, "a finding is exit code 10: {said}");
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[rstest]
#[case::c("c/target.c", "tensix-wh", "50000")]
#[case::cpp("cpp/target.cpp", "visa", "150000")]
#[case::python("python/target.py", "visa", "40000")]
#[case::stray_read("c/stray_read.c", "tensix-wh", "50000")]
#[case::stray_write("c/stray_write.c", "tensix-wh", "20000")]
#[case::wrong_wrap("c/wrong_wrap.c", "tensix-wh", "50000")]
#[case::kept_state("c/kept_state.c", "tensix-wh", "2000")]
#[case::flush_to_zero("c/flush_to_zero.c", "visa", "150000")]
fn the_documented_finding_is_the_only_one(#[case] example: &str, #[case] filter: &str, #[case] cases: &str) {
    let (language, file) = example.split_once('/').expect("a folder and a file");
    if example == "c/flush_to_zero.c" && !cfg!(target_arch = "x86_64") {
        println!("not run: MXCSR is a register of x86-64");
        return;
    }
    let needed: &[&str] = if language == "python" { &["python3"] } else { &["make", "cc", "c++"] };
    if !needed.iter().all(|program| has(program)) {
        return;
    }
    let stem = file.split('.').next().unwrap_or_default();
    let target = match language {
        "c" => format!("lib:{}", built().join(format!("{stem}.so")).display()),
        "cpp" => format!("cmd:{}", built().join("target-cpp").display()),
        _ => format!("cmd:python3 -B examples/targets/{example}"),
    };
    let report = fuzz(filter, &target, cases);
    let findings = report["result"]["findings"].as_array().expect("a report has findings");
    let signatures: Vec<String> = findings
        .iter()
        .map(|finding| &finding["signature"])
        .map(|of| format!("{} {} {}", text(&of["instruction"]), text(&of["place"]), text(&of["kind"])))
        .collect();
    assert_eq!(signatures, [documented(example)], "{example}");
    // What depends on the case before has no smallest case of its own.
    if !signatures[0].ends_with("order-dependent") {
        assert!(!findings[0]["minimized"].is_null(), "{example}: {}", findings[0]["first"]);
    }
}

/// Cases of an instruction without overlays, and the background on which they begin.
fn cases(isa: &'static Isa, instruction: &str, cases: u32) -> (Vec<u8>, Batch) {
    let instruction = isa.instruction(instruction).expect("it is one of the set");
    let generator = Generator::new(isa, instruction, Edition::Newest, 1, Pools::new(isa, 1));
    let mut state = State::zeroed(isa.layout);
    let mut batch = Batch { instruction: instruction.index as u32, edition: 1, cases, ..Batch::default() };
    for number in 0..u64::from(cases) {
        // Neighbours are in cells that have most levels in common.
        let drawn = generator.generate(&generator.id(41 * number), &mut state);
        batch.code.extend_from_slice(&drawn.code);
        batch.small.extend_from_slice(&state.small);
        batch.overlay_end.push(0);
    }
    (generator.arena().to_vec(), batch)
}

#[rstest]
#[case::c("c", "lib", &["make", "cc", "c++"])]
#[case::c_in_our_process("c", "lib-inproc", &["make", "cc", "c++"])]
#[case::cpp("cpp", "cmd", &["make", "cc", "c++"])]
#[case::python("python", "cmd", &["python3"])]
fn what_an_example_does_not_do_has_a_reason(#[case] language: &str, #[case] way: &str, #[case] needed: &[&str]) {
    if !needed.iter().all(|program| has(program)) {
        return;
    }
    let spec = match language {
        "c" => format!("{way}:{}", built().join("target.so").display()),
        "cpp" => format!("{way}:{}", built().join("target-cpp").display()),
        _ => format!("{way}:python3 -B {ROOT}/examples/targets/python/target.py"),
    };
    let launcher = program::launcher(spec.parse().expect("the specification is one"), Duration::from_secs(20));
    for (isa, instruction) in [("tensix-wh", "mova2d"), ("visa", "mov")] {
        let isa = *ISAS.iter().find(|known| known.name == isa).expect("there is such a set");
        let mut target = launcher.connect(isa).expect("it starts").expect("it knows the set");
        assert_eq!(target.claims, None);
        let (arena, batch) = cases(isa, instruction, 400);
        target.border.load(&arena).expect("it takes the background");
        let mut answers = Answers::default();
        target.border.execute(&batch, &mut answers).expect("it answers");
        assert_eq!(check::answers(&batch, &answers, isa.layout), Ok(()));
        let refused = (0..).zip(&answers.outcome).filter(|(_, outcome)| **outcome == UNSUPPORTED).map(|(case, _)| case);
        let refused: Vec<u32> = refused.collect();
        assert!(answers.cases == 400 && refused.len() > 100 && refused == answers.reasons.case, "{answers:?}");
        let reasons: BTreeSet<&str> = answers.reasons.iter().map(|(_, reason)| reason).collect();
        println!("{language}, {}: {reasons:?}", isa.name);
        assert!(reasons.len() >= 3, "{reasons:?}");
        assert_eq!(target.max_steps, MAX_STEPS);
        let (_, many) = cases(isa, instruction, 6000);
        steps_in_one_go_do_what_they_do_one_at_a_time(isa, &mut *target.border, &many);
    }
}

/// Cases of two steps, each with the code of a case of `many`, which are done or refused.
fn steps_in_one_go_do_what_they_do_one_at_a_time(isa: &'static Isa, border: &mut dyn Border, many: &Batch) {
    let execute = |border: &mut dyn Border, batch: &Batch| {
        let mut answers = Answers::default();
        border.execute(batch, &mut answers).expect("it answers");
        assert_eq!(check::answers(batch, &answers, isa.layout), Ok(()));
        assert_eq!(answers.cases, batch.cases);
        answers
    };
    let alone = execute(border, many);
    let of = |outcome: u32, most: usize| {
        let cases = alone.outcome.iter().enumerate().filter(move |(_, came)| **came == outcome);
        cases.map(|(case, _)| case).take(most).collect::<Vec<_>>()
    };
    let chosen = [of(0, 12), of(UNSUPPORTED, 3)].concat();
    let (words, bytes) = (many.code.len() / many.cases as usize, isa.layout.small_bytes);
    let cases = (chosen.len() * chosen.len()) as u32;
    let mut one = Batch { instruction: many.instruction, edition: many.edition, cases, ..Batch::default() };
    let (mut twice, mut second) = (Batch { then: vec![many.instruction], ..one.clone() }, one.clone());
    for &case in &chosen {
        for &next in &chosen {
            let [code, next] = [case, next].map(|case| &many.code[case * words..][..words]);
            one.code.extend(code);
            twice.code.extend(code.iter().chain(next));
            second.code.extend(next);
            one.small.extend(&many.small[case * bytes..][..bytes]);
            one.overlay_end.push(0);
        }
    }
    (twice.small, twice.overlay_end) = (one.small.clone(), one.overlay_end.clone());
    // What the first step leaves is what the second begins with.
    let first = execute(border, &one);
    let first_rows = rows_of(isa, &first);
    second.small.clone_from(&first.small);
    second.overlay_end.clone_from(&first.dirty_end);
    for (row, data) in first_rows.iter().flatten() {
        second.overlay_row.push(*row);
        second.overlay_data.extend(data);
    }
    let [whole, last] = [&twice, &second].map(|batch| execute(border, batch));
    let (whole_rows, last_rows) = (rows_of(isa, &whole), rows_of(isa, &last));
    let mut ran = [0; 3];
    for case in 0..cases as usize {
        let of = |answers: &Answers| {
            let small = &answers.small[case * bytes..][..bytes];
            (answers.outcome[case], small.to_vec())
        };
        ran[whole.done[case] as usize] += 1;
        if first.outcome[case] != 0 {
            assert_eq!((whole.done[case], of(&whole), &whole_rows[case]), (0, of(&first), &first_rows[case]));
            continue;
        }
        assert_eq!((whole.done[case], of(&whole)), (1 + u32::from(last.outcome[case] == 0), of(&last)));
        let mut rows = first_rows[case].clone();
        rows.extend(last_rows[case].clone());
        assert_eq!(whole_rows[case], rows);
    }
    assert!(ran.iter().all(|&times| times > 1), "{ran:?}");
}

/// The dirty rows of each case, by their numbers.
fn rows_of(isa: &Isa, answers: &Answers) -> Vec<BTreeMap<u32, Vec<u8>>> {
    let (mut from, mut data) = (0, &answers.dirty_data[..]);
    let mut take = |row: u32| {
        let (bytes, rest) = data.split_at(isa.layout.row_bytes(row as usize));
        data = rest;
        (row, bytes.to_vec())
    };
    let cases = answers.dirty_end.iter().map(|&end| {
        let rows = &answers.dirty_row[std::mem::replace(&mut from, end as usize)..end as usize];
        rows.iter().map(|&row| take(row)).collect()
    });
    cases.collect()
}

#[test]
fn the_documented_finding_of_the_example_in_rust_is_the_only_one() {
    let mut suite = tandem::wiring::suite();
    for isa in &mut suite.isas {
        isa.targets = vec![TargetFactory::new(|| Box::new(target::Example::default()))];
    }
    let units = suite.instructions().map(|(_, instruction)| (instruction, Edition::Newest)).collect();
    let result = Campaign::new(&suite, &Plan::new(1, Budget::Cases(400_000), units), &Progress::default()).run();
    let signatures: Vec<String> = result
        .findings
        .iter()
        .map(|finding| &finding.signature)
        .map(|of| format!("{} {} {}", of.instruction, of.place, of.kind.name()))
        .collect();
    assert_eq!(signatures, [documented("rust/target.rs")]);
    assert!(result.findings[0].minimized.is_some());
}

/// The commands of the document's `sh` blocks, each with its exit code.
fn commands() -> Vec<(String, i32)> {
    let text = document();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks
        .flat_map(str::lines)
        .map(|line| match line.split_once(" # exit code ") {
            Some((command, code)) => (command.to_string(), code.parse().expect("an exit code is a number")),
            None => (line.to_string(), 0),
        })
        .collect()
}

#[test]
fn every_command_of_the_document_runs() {
    if !["make", "cc", "c++", "python3"].iter().all(|program| has(program)) {
        return;
    }
    let commands = commands();
    assert!(commands.len() >= 13, "the document has commands");
    let mut script = String::new();
    // What it builds was built together with this test, and with other features of libraries it would be built once more.
    for (command, code) in commands.iter().filter(|(command, _)| command != "cargo build") {
        // The commands share one shell, so that a variable that one sets is there for the next.
        script += &format!("{command}\ncode=$?\n[ $code = {code} ] || {{ echo \"exit code $code\" >&2; exit 1; }}\n");
    }
    let tests = std::env::current_exe().expect("a test knows where it is");
    let folder: PathBuf = tests.ancestors().nth(3).expect("tests lie in the folder of a profile").into();
    let output = Command::new("sh").args(["-xc", &script]).current_dir(ROOT).env("CARGO_TARGET_DIR", folder).output();
    let output = output.expect("there is a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_example_is_documented_and_short() {
    for folder in ["c", "cpp", "python", "rust"] {
        let path = Path::new(ROOT).join("examples/targets").join(folder);
        for entry in std::fs::read_dir(path).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                continue;
            }
            let lines = std::fs::read_to_string(&path).expect("a source file is text").lines().count();
            let is_part = name.starts_with("border.") || ["mov.rs", "mova2d.rs"].contains(&&*name);
            // A border is copied as it is, so it is read less.
            assert!(lines < if is_part { 240 } else { 200 }, "{name} has {lines} lines");
            assert!(is_part || !documented(&format!("{folder}/{name}")).is_empty(), "{name}");
        }
    }
}
