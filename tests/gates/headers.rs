//! What users of C and C++ include, and the examples that they copy: all of it compiles without a warning, as either language
//! where it says so.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;
use tandem_cases::ISAS;

use crate::program::{self, ROOT, ended, has, told};

// A standard: the compiler, and how it reads the source.
const C11: &[&str] = &["cc", "-x", "c", "-std=c11", "-Wpedantic"];
const CPP17: &[&str] = &["c++", "-x", "c++", "-std=c++17"];
const CPP20: &[&str] = &["c++", "-x", "c++", "-std=c++20"];

/// Compiles a source with what we ship beside it; optimized, since some warnings need that.
fn compile(standard: &[&str], source: &Path, more: &[&str]) {
    let output = Command::new(standard[0])
        .current_dir(ROOT)
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-I", "harness/include", "-I", "examples/targets/c"])
        .args(&standard[1..])
        .args(more)
        .arg(source)
        .output();
    let output = output.expect("the compiler runs");
    assert!(output.status.success(), "{source:?}, {standard:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The files of a folder of the repository with an ending.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    assert!(!files.is_empty(), "{folder} has files of the kind {ending}");
    files
}

#[rstest]
#[case::c11(C11)]
#[case::cpp17(CPP17)]
#[case::cpp20(CPP20)]
fn every_header_and_every_example_compiles(#[case] standard: &[&str]) {
    if !has(standard[0]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = vec![
        ("none", "#include \"tandem.h\"\n".to_string()),
        (
            // What a user begins with, who has given neither a name nor an instruction.
            "begun",
            "#include \"border.h\"\nstatic execute_one *has_instruction(const char *of, const char *name) {\n    \
             (void)of, (void)name;\n    return NULL;\n}\n"
                .to_string(),
        ),
    ];
    let mut described = String::new();
    for isa in ISAS {
        let (header, _) = ended(program::run(&["describe", isa.name, "--format", "c"]), 0);
        std::fs::write(folder.path().join(format!("{}.h", isa.name)), header).expect("it can be written");
        writeln!(described, "#include \"{}.h\"", isa.name).expect("a string takes it");
    }
    sources.push(("alone", described.clone()));
    sources.push(("after", format!("#include \"tandem.h\"\n{described}")));
    let vectors = ["vectors", "export", "vectors/tensix-wh/semget.json", "--format", "c-header"];
    ended(program::run_into(folder.path(), &vectors), 0);
    // What it defines is for the file that includes it.
    let used = "#include \"tensix-wh/semget/vectors.h\"\nunsigned tests(void);\nunsigned tests(void) { return tandem_tensix_wh_semget.num_tests; }\n";
    sources.push(("exported", used.to_string()));
    for (name, text) in sources {
        let source = folder.path().join(format!("{name}.c"));
        std::fs::write(&source, text).expect("it can be written");
        compile(standard, &source, &["-I", folder.path().to_str().expect("a path of UTF-8"), "-c", "-o", "/dev/null"]);
    }
    let mut examples = files("examples/targets/c", "c");
    examples.push(Path::new(ROOT).join("examples/tensix/ttsim.c"));
    if standard == C11 {
        examples.extend(files("examples/blind", "c"));
    } else {
        examples.extend(files("examples/targets/cpp", "cpp"));
    }
    for source in examples {
        if source.ends_with("flush_to_zero.c") && !cfg!(target_arch = "x86_64") {
            println!("not run: MXCSR is a register of x86-64");
            continue;
        }
        compile(standard, &source, &["-c", "-o", "/dev/null"]);
    }
}

#[test]
fn the_example_answers_the_same_as_c_and_as_cpp() {
    if !["cc", "c++"].iter().all(|program| has(program)) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(ROOT).join("examples/targets/c/target.c");
    let result = |standard: &[&str]| {
        let library = folder.path().join("target.so");
        let library = library.to_str().expect("a path of UTF-8");
        compile(standard, &source, &["-shared", "-fPIC", "-o", library]);
        let mut tandem = program::tandem();
        tandem.args(["fuzz", "tensix-wh/mova2d", "visa/mov", "--cases", "4000", "--seed", "1", "--json"]);
        tandem.args(["--no-causes", "--no-vectors", "--target", &format!("lib:{library}")]);
        tandem.arg("--out").arg(folder.path().join("out"));
        let (stdout, _) = ended(told(&tandem.output().expect("the binary runs")), 10);
        let report: serde_json::Value = serde_json::from_str(&stdout).expect("a report is JSON");
        report["result"].clone()
    };
    let c = result(C11);
    assert!(c["findings"].as_array().is_some_and(|findings| !findings.is_empty()));
    assert_eq!(c, result(CPP17));
}
