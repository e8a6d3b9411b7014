//! Tests of vISA as kernels of OpenCL: Intel's compiler takes them for each device, and a runner in C takes what they leave to
//! the judge.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::vectors::{Test, read_file};
use tandem_isa::Isa;

use crate::parts::vectors_of;
use crate::program::{ROOT, ended, has, has_version, run, run_into, told};

/// Files of kernels that the compiler may take at most this long for, in seconds.
const LIMIT: &str = "120";

/// Whether the compiler is there; a test without it says so and passes.
fn has_compiler() -> bool {
    has_version("intel-opencl-icd", "22.43.24595")
}

/// The lines of the tests of an exported file.
fn lines(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("tests.jsonl")).expect("the lines were written");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn is_test(line: &Value) -> bool {
    line["kind"] == "test"
}

fn text(value: &Value) -> &str {
    value.as_str().expect("it is text")
}

/// Exports tests into a folder; the lines of each file.
fn export(out: &Path, arguments: &[&str]) -> Vec<(PathBuf, Vec<Value>)> {
    let all = [&["vectors", "export", "--format", "opencl-visa"], arguments].concat();
    ended(run_into(out, &all), 0);
    let mut files: Vec<PathBuf> = std::fs::read_dir(out.join("visa"))
        .expect("there is a folder of the set")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    files.into_iter().map(|folder| (folder.clone(), lines(&folder))).collect()
}

/// What the compiler says against a source for a device.
fn refused(source: &Path, device: &str) -> Option<String> {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("timeout");
    command.args([LIMIT, "ocloc", "compile", "-device", device, "-output", "kernels", "-file"]).arg(source);
    // It leaves files of its own where it runs.
    command.current_dir(out.path());
    let (code, stdout, stderr) = told(&command.arg("-out_dir").arg(out.path()).output().expect("timeout runs"));
    (code != 0 || !stdout.contains("Build succeeded")).then(|| format!("exit code {code}: {stdout}{stderr}"))
}

/// The tests that a source is compiled for, by source and device.
fn sources(folder: &Path, lines: &[Value]) -> BTreeMap<(PathBuf, String), Vec<String>> {
    let mut sources: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for line in lines.iter().filter(|line| is_test(line)) {
        for device in line["devices"].as_array().expect("a list") {
            let source = folder.join(text(&line["source"]));
            sources.entry((source, text(device).to_string())).or_default().push(text(&line["kernel"]).to_string());
        }
    }
    sources
}

#[test]
fn intels_compiler_takes_kernels_for_every_device() {
    if !has_compiler() {
        return;
    }
    let out = tempfile::tempdir().expect("a folder");
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for (class, count) in [("raw copy", "6"), ("float to integer", "6")] {
        let folder = out.path().join(class);
        for (folder, lines) in export(&folder, &["vectors/visa/mov.json", "--class", class, "--first", count]) {
            for ((source, device), kernels) in sources(&folder, &lines) {
                assert_eq!(refused(&source, &device), None, "{device}");
                *tried.entry(device).or_default() += kernels.len();
            }
        }
    }
    let folder = out.path().join("dpas");
    for (folder, lines) in export(&folder, &["visa/dpas", "--per-cell", "1", "--hardware", "--first", "6"]) {
        for ((source, device), kernels) in sources(&folder, &lines) {
            assert_eq!(refused(&source, &device), None, "{device}");
            *tried.entry(device).or_default() += kernels.len();
        }
    }
    println!("{tried:?}");
    assert!(tried.len() >= 4, "{tried:?}");
}

#[test]
#[ignore = "minutes: every test for every device"]
fn intels_compiler_takes_every_kernel() {
    if !has_compiler() {
        return;
    }
    let out = tempfile::tempdir().expect("a folder");
    let (mut taken, mut crashed): (BTreeMap<String, usize>, Vec<String>) = <_>::default();
    for (folder, lines) in export(out.path(), &[]) {
        for ((source, device), kernels) in sources(&folder, &lines) {
            *taken.entry(device.clone()).or_default() += kernels.len();
            if refused(&source, &device).is_some() {
                crashed.extend(alone(&source, &device));
            }
        }
    }
    crashed.sort();
    println!("{taken:?}, and crashes: {crashed:?}");
    assert_eq!(crashed, Vec::<String>::new());
}

/// The kernels of a source that the compiler does not take alone.
fn alone(source: &Path, device: &str) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("it was written");
    let mut parts = text.split("__attribute__((intel_reqd");
    let head = parts.next().unwrap_or_default();
    let own = source.with_extension("one.cl");
    let is_refused = |part: &&str| {
        std::fs::write(&own, format!("{head}__attribute__((intel_reqd{part}")).expect("it can be written");
        refused(&own, device).is_some()
    };
    let name = |part: &str| {
        let (_, rest) = part.split_once("kernel void ").expect("it has a name");
        format!("{device} {}", rest.split('(').next().unwrap_or_default())
    };
    parts.filter(is_refused).map(name).collect()
}

/// The runner, with the stand-in in the place of the library of OpenCL; nothing where headers of OpenCL are missing.
fn runner(folder: &Path) -> Option<PathBuf> {
    if !has("cc") {
        return None;
    }
    if !Path::new("/usr/include/CL/cl.h").exists() {
        println!("not run: there is no CL/cl.h; Debian has it in opencl-c-headers");
        return None;
    }
    let program = folder.join("runner");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).current_dir(ROOT);
    ended(told(&command.args(["examples/visa/runner.c", "examples/visa/stand_in.c"]).output().expect("cc runs")), 0);
    Some(program)
}

/// The bytes that a right device leaves of a test, in hexadecimal.
fn answer(isa: &'static Isa, line: &Value, test: &Test) -> String {
    let mut text = text(&line["before"]).to_string();
    for block in line["blocks"].as_array().expect("a list") {
        let [first_row, rows, word] = [0, 1, 2].map(|place| block[place].as_u64().expect("a number") as usize);
        for (&(bank, row), words) in &test.after.rows {
            assert_eq!(isa.layout.banks[bank].name, "GRF");
            if (first_row..first_row + rows).contains(&row) {
                let mut hex = String::new();
                for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
                    let _ = write!(hex, "{byte:02x}");
                }
                let at = 8 * word + 64 * (row - first_row);
                text.replace_range(at..at + 64, &hex);
            }
        }
    }
    text
}

#[test]
fn what_the_runner_writes_is_judged_and_one_wrong_bit_is_found() {
    let out = tempfile::tempdir().expect("a folder");
    let Some(runner) = runner(out.path()) else { return };
    let manifest = out.path().join("manifest.json").display().to_string();
    let arguments = ["vectors/visa/mov.json", "--hardware", "--first", "400", "--manifest", &manifest];
    let [(folder, lines)] = &export(out.path(), &arguments)[..] else { panic!("one file was asked for") };
    let file = read_file(ISAS, Path::new("vectors/visa/mov.json")).expect("the committed files are right");
    let by_id: BTreeMap<String, &Test> =
        file.tests().map(|(_, test)| (test.id(file.isa, file.instruction), test)).collect();
    let mut answers: Vec<(String, String)> = Vec::new();
    for line in lines.iter().filter(|line| is_test(line)) {
        let test = by_id[text(&line["id"])];
        let held = line["blocks"].as_array().expect("a list").iter().map(|block| {
            let [first, rows] = [0, 1].map(|place| block[place].as_u64().expect("a number") as usize);
            first..first + rows
        });
        let held: Vec<_> = held.collect();
        // Whatever the test changes lies in a block.
        assert!(test.after.rows.keys().all(|(_, row)| held.iter().any(|rows| rows.contains(row))), "{line}");
        answers.push((text(&line["kernel"]).to_string(), answer(file.isa, line, test)));
    }
    let run_it = |answers: &[(String, String)], refuses: bool| {
        let path = out.path().join("answers");
        let all = answers.iter().fold(String::new(), |all, (name, hex)| all + name + " " + hex + "\n");
        std::fs::write(&path, all).expect("answers can be written");
        let results = out.path().join("results.jsonl");
        let mut command = Command::new(&runner);
        command.arg(folder.join("tests.jsonl")).arg(&results).arg("skl").env("TANDEM_ANSWERS", &path);
        if refuses {
            command.env("TANDEM_REFUSES", "1");
        }
        ended(told(&command.output().expect("the runner starts")), 0);
        let told =
            run_into(&out.path().join("report"), &["vectors", "judge", &results.display().to_string(), "--json"]);
        (results, told)
    };
    let right = |told: &(i32, String, String)| serde_json::from_str::<Value>(&told.1).expect("it is JSON");
    let (results, told) = run_it(&answers, false);
    let report = right(&told);
    let count = std::fs::read_to_string(&results).expect("results").lines().count();
    assert!(count >= 100, "{count}");
    // Tests of other devices have no result: that is a hole, and nothing differs.
    assert_eq!((told.0, report["result"]["vectors"]["divergent"].as_u64()), (12, Some(0)), "{}", told.2);
    assert_eq!(std::fs::read(out.path().join("results.jsonl.000.cl.bin")).expect("the code was kept"), b"code");
    let (_, hex) = answers.iter_mut().find(|(_, hex)| hex.len() >= 16).expect("there are answers");
    let digit = if hex.starts_with('0') { "1" } else { "0" };
    hex.replace_range(0..1, digit);
    let (_, told) = run_it(&answers, false);
    assert_eq!((told.0, right(&told)["result"]["vectors"]["divergent"].as_u64()), (10, Some(1)), "{}", told.2);
    assert!(told.2.contains("two suspects, the machine and the compiler"), "{}", told.2);
    let (results, _) = run_it(&answers, true);
    let text = std::fs::read_to_string(&results).expect("results");
    assert!(text.lines().all(|line| line.contains("\"outcome\":\"unsupported\"")), "{text}");
}

#[test]
fn every_test_has_a_kernel_or_a_reason_and_lines_follow_their_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../docs/opencl-visa.schema.json")).expect("it is JSON");
    let schema = jsonschema::validator_for(&schema).expect("it is a schema");
    let out = tempfile::tempdir().expect("a folder");
    let (mut kernels, mut none) = (0, BTreeMap::<String, u64>::new());
    let mut all = std::collections::BTreeSet::new();
    for file in vectors_of("visa") {
        all.extend(file.tests().map(|(_, test)| test.id(file.isa, file.instruction)));
    }
    for (folder, lines) in export(out.path(), &[]) {
        let mut sources = BTreeMap::new();
        for line in &lines {
            assert!(
                schema.is_valid(line),
                "{line}: {:?}",
                schema.iter_errors(line).map(|e| e.to_string()).collect::<Vec<_>>()
            );
        }
        for line in lines.iter().filter(|line| is_test(line)) {
            let (code, devices) = (text(&line["text"][0]), &line["devices"]);
            let only = code.starts_with("dpas").then(|| if code.contains(" 8)") { "dg2" } else { "pvc" });
            assert!(only.is_none_or(|only| *devices == json!([only])), "{line}");
            let is_wide = kernel_of(&folder, line, &mut sources).contains("type=df ");
            assert!(!is_wide || *devices == json!(["skl"]) || *devices == json!(["pvc"]), "{line}");
        }
        let end = lines.last().expect("there is a last line");
        let exported = lines.iter().filter(|line| is_test(line)).count();
        assert_eq!(end["exported"].as_u64(), Some(exported as u64));
        kernels += exported;
        for (why, told) in end["unreachable"].as_object().expect("an object") {
            *none.entry(why.clone()).or_default() += told["count"].as_u64().expect("a number");
        }
    }
    println!("{kernels} kernels, {none:?}");
    assert_eq!(kernels as u64 + none.values().sum::<u64>(), all.len() as u64);
    assert!(kernels * 10 >= all.len() * 9, "{none:?}");
}

/// The source of a test's kernel; sources are read once.
fn kernel_of(folder: &Path, line: &Value, sources: &mut BTreeMap<PathBuf, String>) -> String {
    let path = folder.join(text(&line["source"]));
    let source =
        sources.entry(path).or_insert_with_key(|path| std::fs::read_to_string(path).expect("the source was written"));
    let begin = source.find(text(&line["kernel"])).expect("the kernel is there");
    source[begin..].split("\n}\n").next().unwrap_or_default().to_string()
}

#[test]
fn only_vectors_of_visa_are_for_these_formats() {
    for format in ["opencl-visa", "visaasm"] {
        let told = run(&["vectors", "export", "vectors/tensix-wh/sfpand.json", "--format", format]);
        let (_, stderr) = ended(told, 2);
        assert!(stderr.contains(&format!("format {format} is for visa")), "{stderr}");
    }
}
