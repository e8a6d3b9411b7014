//! Gates on `tandem::conformance!`: it has a test of every class of modes, a right implementation passes, and a wrong one fails
//! with all that its author needs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use tandem_cases::ISAS;
use tandem_isa::{Edition, Instruction};

use crate::program::{ROOT, Told, told};

/// The tests of the example, which are built once.
fn tests() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(ROOT).args(["test", "--quiet", "--example", "newcomer", "--no-run", "--message-format=json"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let (code, stdout, stderr) = told(&cargo.output().expect("cargo runs"));
        assert_eq!(code, 0, "{stderr}");
        let messages = stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("cargo writes JSON"));
        let mut programs = messages.filter(|message| message["target"]["name"] == "newcomer");
        let program = programs.find_map(|message| message["executable"].as_str().map(PathBuf::from));
        program.unwrap_or_else(|| panic!("the example has tests: {stdout}"))
    })
}

/// Runs them with a mistake.
fn run(fault: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Told {
    let mut command = Command::new(tests());
    for name in ["TANDEM_SEED", "TANDEM_CASES", "TANDEM_SECONDS", "RUST_BACKTRACE", "NEWCOMER_FAULT"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(environment.iter().copied());
    if !fault.is_empty() {
        command.env("NEWCOMER_FAULT", fault);
    }
    told(&command.output().expect("it starts"))
}

/// How one test fails: what it says, without what the harness of tests says around it.
fn failure(test: &str, fault: &str, environment: &[(&str, &str)]) -> String {
    let (code, stdout, stderr) = run(fault, environment, &["--exact", test]);
    assert_eq!(code, 101, "{stdout}{stderr}");
    let (_, said) = stdout.split_once(&format!("---- {test} stdout ----\n")).expect("a test has failed");
    let (said, _) =
        said.split_once("\n\n\nfailures:").or_else(|| said.split_once("\nnote: run with")).expect("it ends");
    // What panics outside of cases says so itself before.
    let begin = said.rfind("panicked at ").expect("it panicked");
    let (_, said) = said[begin..].split_once(":\n").expect("a place, and a message");
    said.split("\nnote: run with").next().unwrap_or_default().trim_end().to_string()
}

/// The name of the test of a class of modes.
fn test_of(class: &str) -> String {
    let mut name = "class_".to_string();
    for letter in class.chars() {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => name.push(letter),
            _ if !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    name.trim_end_matches('_').to_string()
}

/// The classes of an instruction that have a mode, in the edition `newest`.
fn classes(instruction: &Instruction) -> Vec<&'static str> {
    let cells = (instruction.cells)(Edition::Newest);
    let class_of = |cell| (instruction.cell_class)(Edition::Newest, cells.levels(cell));
    let used: BTreeSet<&str> = (0..cells.len()).map(class_of).collect();
    instruction.cell_classes.iter().copied().filter(|class| used.contains(class)).collect()
}

#[test]
fn there_is_a_test_of_every_class_and_no_other() {
    let (code, stdout, _) = run("", &[], &["--list"]);
    assert_eq!(code, 0);
    let mut found: Vec<&str> = stdout.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    let module = |path: String| path.replace('-', "_").replace('/', "::");
    let tests = |instruction: &&Instruction| {
        let module = module(instruction.path());
        classes(instruction).into_iter().map(move |class| format!("{module}::{}", test_of(class))).collect::<Vec<_>>()
    };
    let mut wanted: Vec<String> = ISAS.iter().flat_map(|isa| isa.instructions.iter().flat_map(tests)).collect();
    wanted.extend(ISAS.iter().map(|isa| format!("{}::programs", module(isa.name.to_string()))));
    wanted.extend(["implements_something", "tensix_wh_sfpand_lreg_value"].map(str::to_string));
    wanted.sort();
    found.sort_unstable();
    assert_eq!(found, wanted);
}

#[test]
fn a_right_implementation_passes_and_what_it_lacks_is_said() {
    let (code, stdout, stderr) = run("", &[("TANDEM_CASES", "5000")], &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let lacks = stderr.lines().filter_map(|line| line.strip_prefix("not implemented by emulator: "));
    let mut lacks: Vec<&str> = lacks.collect();
    lacks.sort_unstable();
    let has = ["tensix-wh/sfpand", "tensix-wh/setrwc", "tensix-bh/sfpand"];
    let all = ISAS.iter().flat_map(|isa| isa.instructions.iter().map(|instruction| instruction.path()));
    let mut wanted: Vec<String> = all.filter(|path| !has.contains(&&**path)).collect();
    wanted.sort();
    assert_eq!(lacks, wanted);
}

#[test]
fn a_wrong_bit_fails_with_its_place_its_page_and_a_test_to_paste() {
    let environment = [("TANDEM_CASES", "5000"), ("TANDEM_SEED", "0x2a")];
    let said = failure("tensix_wh::sfpand::class_0_7", "bit", &environment);
    println!("{said}");
    // It is the same each time.
    assert_eq!(failure("tensix_wh::sfpand::class_0_7", "bit", &environment), said);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    assert!(lines.len() < 30, "{said}");
    assert_eq!(
        lines[0],
        "emulator differs from what the pages promise of tensix-wh/sfpand, class 0-7: 1 finding, 5000 cases, seed 42, edition newest"
    );
    for wanted in [
        "LReg[3][17]: before 0x00000000, expected 0x00000000, got 0x40000000: value",
        "fn tensix_wh_sfpand_lreg_value() {",
        "tandem::replays(\"tensix-wh/sfpand newest 0x7e000030 LReg[3][31]=0x00000001\", emulator::new);",
        "again: TANDEM_SEED=42 TANDEM_CASES=5000 cargo test -- --exact tensix_wh::sfpand::class_0_7",
    ] {
        assert!(lines.contains(&wanted), "{wanted}: {said}");
    }
    assert!(lines.iter().any(|line| line.starts_with("page SFPAND ") && line.contains(", lines ")), "{said}");

    // The document shows this very text.
    let document = std::fs::read_to_string(Path::new(ROOT).join("docs/rust-target.md")).expect("the document is there");
    assert!(
        document.contains(&format!("```text\n{said}\n```")),
        "docs/rust-target.md shows another text than:\n{said}"
    );

    // What it says is to be pasted fails alone, and passes when the mistake is mended.
    let pasted = failure("tensix_wh_sfpand_lreg_value", "bit", &[]);
    assert!(pasted.starts_with("emulator differs from what the pages promise of tensix-wh/sfpand\n"), "{pasted}");
    assert!(pasted.contains("LReg[3][17]: before 0x00000000, expected 0x00000000, got 0x40000000"), "{pasted}");
    let (code, stdout, _) = run("", &[], &["--exact", "tensix_wh_sfpand_lreg_value"]);
    assert!(code == 0 && stdout.contains("1 passed"), "{stdout}");

    // The other tests pass, but for programs with it.
    let (_, stdout, _) = run("bit", &environment, &[]);
    assert!(stdout.contains("; 3 failed;") && stdout.contains("    tensix_wh::programs\n"), "{stdout}");
}

#[test]
fn what_comes_only_after_another_instruction_fails_in_programs_alone() {
    let environment = [("TANDEM_CASES", "5000")];
    let said = failure("tensix_wh::programs", "after", &environment);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    assert!(
        lines[0].starts_with("emulator differs from what the pages promise in programs of tensix-wh: 1 finding, "),
        "{said}"
    );
    for wanted in [
        "a program of 2 steps, edition newest",
        "1. TT_SETRWC(0, 0, 0, 0, 0, 0), code 0x37000000",
        "2. TT_SFPAND(0, 0, 3, 0), code 0x7e000030",
        "fn tensix_wh_sfpand_lreg_value() {",
        "again: TANDEM_SEED=1 TANDEM_CASES=5000 cargo test -- --exact tensix_wh::programs",
    ] {
        assert!(lines.contains(&wanted), "{wanted}: {said}");
    }
    assert!(lines.iter().any(|line| line.starts_with("page SFPAND ")), "{said}");
    // To be pasted is the program: both instructions stand in one text.
    let pasted =
        lines.iter().find(|line| line.starts_with("\"tensix-wh/setrwc newest 0x37000000 then sfpand 0x7e000030 "));
    assert!(pasted.is_some(), "{said}");
    let (_, stdout, _) = run("after", &environment, &[]);
    assert!(stdout.contains("; 1 failed;"), "no test of one instruction sees it: {stdout}");

    let (code, stdout, _) = run("", &environment, &["--exact", "tensix_wh::programs", "--nocapture"]);
    let agrees = "programs of tensix-wh of emulator: ";
    let counts = stdout.lines().find_map(|line| line.strip_prefix(agrees)).unwrap_or_else(|| panic!("{stdout}"));
    assert!(code == 0 && counts.starts_with("9 of 9 "), "{stdout}");
}

#[test]
fn a_panic_in_a_case_is_a_finding_and_one_outside_of_cases_says_where() {
    let few = [("TANDEM_CASES", "2000")];
    let said = failure("tensix_wh::sfpand::class_0_7", "panic", &few);
    assert!(said.contains("the target panicked: there is no register 0"), "{said}");
    assert!(said.contains("tandem::replays(\"tensix-wh/sfpand newest 0x7e000000\", emulator::new);"), "{said}");
    for test in ["tensix_wh::sfpand::class_0_7", "visa::mov::class_raw_copy", "implements_something"] {
        let said = failure(test, "new", &few);
        let wanted = "emulator::new made something that panicked outside of a case (when it was made, or in `info`, \
                      `implements`, `claims` or `reset`): there is no memory for an emulator";
        assert_eq!(said, wanted);
    }
}

#[test]
fn what_shows_nothing_fails_and_says_so() {
    let few = [("TANDEM_CASES", "2000")];
    let said = failure("tensix_wh::sfpand::class_0_7", "unsupported", &few);
    assert!(said.starts_with("emulator implements tensix-wh/sfpand and refused all of "), "{said}");
    assert!(
        said.ends_with("again: TANDEM_SEED=1 TANDEM_CASES=2000 cargo test -- --exact tensix_wh::sfpand::class_0_7"),
        "{said}"
    );
    let said = failure("tensix_wh_sfpand_lreg_value", "unsupported", &[]);
    assert_eq!(said, "emulator refuses the case (unsupported), so it shows nothing");

    let said = failure("implements_something", "nothing", &[]);
    assert!(said.starts_with("emulator::new makes what implements no instruction that tandem knows"), "{said}");
    let said = failure("tensix_wh_sfpand_lreg_value", "nothing", &[]);
    assert_eq!(said, "emulator does not implement tensix-wh/sfpand, so its case shows nothing");

    let said = failure("tensix_wh::setrwc::class_kept", "claims", &few);
    assert!(said.starts_with("the claims of emulator: line 2: "), "{said}");
}

#[test]
fn a_bad_value_of_the_environment_is_said_by_each_test() {
    let said = failure("visa::mov::class_raw_copy", "", &[("TANDEM_CASES", "many")]);
    assert_eq!(
        said,
        "TANDEM_CASES is 'many', and takes a number of cases for each instruction, at least 1, for example TANDEM_CASES=100000"
    );
}

#[test]
fn a_time_in_place_of_cases_runs_and_fails_as_ever() {
    let said = failure("tensix_wh::sfpand::class_0_7", "bit", &[("TANDEM_SECONDS", "0.5")]);
    assert!(said.contains("1 finding, 0.5 s, seed 1, edition newest"), "{said}");
    assert!(
        said.ends_with("again: TANDEM_SEED=1 TANDEM_SECONDS=0.5 cargo test -- --exact tensix_wh::sfpand::class_0_7"),
        "{said}"
    );
}

/// A crate of somebody else, with the line on an implementation that is wrong in one bit and on one that is right.
#[test]
#[ignore = "it compiles the workspace once more, as a dependency of another one: minutes"]
fn a_fresh_crate_with_a_path_to_the_workspace_has_the_tests() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("it is made");
        std::fs::write(path, text).expect("it is written");
    };
    let manifest = format!(
        "[package]\nname = \"newcomer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dev-dependencies]\n\
         tandem = {{ path = \"{ROOT}\", default-features = false }}\ntandem-isa = {{ path = \"{ROOT}/isa\" }}\ntandem-simd = {{ path = \"{ROOT}/simd\" }}\n\n\
         [profile.dev.package.tandem-reference]\nopt-level = 2\n\n[workspace]\n"
    );
    write("Cargo.toml", manifest);
    write("src/lib.rs", String::new());
    let locked = std::fs::read_to_string(Path::new(ROOT).join("Cargo.lock")).expect("it is committed");
    write("Cargo.lock", locked);
    let example = std::fs::read_to_string(Path::new(ROOT).join("examples/newcomer.rs")).expect("it is committed");
    let example = example.replace("/// All of it in one go, without tests.\nfn main() {\n    tandem::check(emulator::new).cases(20_000).assert();\n}\n", "");
    assert!(!example.contains("fn main"), "{example}");
    write("tests/sound.rs", example.clone());
    let faulty = example.replace("std::env::var(\"NEWCOMER_FAULT\").unwrap_or_default()", "\"bit\".to_string()");
    assert_ne!(faulty, example);
    write("tests/faulty.rs", faulty);

    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer");
    let test = |name: &str| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(folder.path()).args(["test", "--offline", "--test", name]);
        cargo.env("CARGO_TARGET_DIR", &target).env("TANDEM_CASES", "5000");
        told(&cargo.output().expect("cargo runs"))
    };
    let (code, stdout, stderr) = test("sound");
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, stdout, stderr) = test("faulty");
    assert_eq!(code, 101, "{stdout}{stderr}");
    assert!(
        stdout.contains("test tensix_wh::sfpand::class_0_7 ... FAILED") && stdout.contains("; 2 failed;"),
        "{stdout}"
    );
    assert!(stdout.contains("tandem::replays(\"tensix-wh/sfpand newest 0x7e000030 LReg[3][31]="), "{stdout}");
}
