//! How well mistakes are told: faults that were written in C from the pages alone, each with the line that it breaks, are
//! explained by `tandem explain`. Run it as `cargo build --release && cargo run --release --example blind [tensix|visa|ten]`; a C
//! compiler is needed. The manifests beside the sources say what each fault is. With `ten`, ten faults of MOVA2D are made at once,
//! 20 times, and the findings are counted.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use tandem_isa::mix64;

/// A fault of a manifest.
struct Fault {
    number: u64,
    instruction: String,
    page: String,
    lines: Vec<u64>,
    class: String,
    what: String,
}

fn main() {
    let wanted = std::env::args().nth(1);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/blind");
    let program = std::env::current_exe().expect("it runs").with_file_name("../tandem");
    if wanted.as_deref() == Some("ten") {
        return ten(&program, &build(&root, "tensix"), &faults_of(&root, "tensix"));
    }
    for family in
        ["tensix", "visa"].into_iter().filter(|family| wanted.as_deref().is_none_or(|wanted| wanted == *family))
    {
        let library = build(&root, family);
        let faults = faults_of(&root, family);
        let (mut first, mut three, mut wrong, mut none, mut slowest) = (0, 0, 0, 0, 0.0_f64);
        let mut sizes = Vec::new();
        for fault in &faults {
            let begin = Instant::now();
            let explained = explain(&program, &library, fault);
            slowest = slowest.max(begin.elapsed().as_secs_f64());
            let causes = explained["causes"].as_array().cloned().unwrap_or_default();
            let place = causes.iter().position(|cause| names(cause, fault));
            let established = causes.iter().filter(|cause| cause["tier"] == "established");
            let is_outside = fault.class == "outside";
            wrong += established.filter(|cause| is_outside || !names(cause, fault)).count();
            none += usize::from(is_outside && causes.is_empty());
            first += usize::from(place == Some(0));
            three += usize::from(place.is_some_and(|place| place < 3));
            if place == Some(0) {
                sizes.push(causes[0]["class"].as_array().map_or(0, Vec::len));
            }
            let said = causes.first().map_or("none fits".to_string(), |cause| {
                format!("{}: {} ({})", cause["tier"], cause["class"][0]["says"], cause["class"][0]["place"])
            });
            let mark = if is_outside == causes.is_empty() && (is_outside || place == Some(0)) { " " } else { "*" };
            println!("{mark} {} {}: {} => {said}", fault.number, fault.instruction, fault.what);
        }
        sizes.sort_unstable();
        let inside = faults.iter().filter(|fault| fault.class != "outside").count();
        println!(
            "{family}: the right line first in {first} of {inside}, among three in {three}; established beside the line: {wrong}; \
             none fits for {none} of {} outside; median class {:?}; slowest {slowest:.1} s",
            faults.len() - inside,
            sizes.get(sizes.len() / 2)
        );
    }
}

/// Draws ten faults that break a line of MOVA2D, 20 times, and counts what a campaign makes of them.
fn ten(program: &Path, library: &Path, faults: &[Fault]) {
    let of_mova2d = |fault: &&Fault| fault.instruction == "tensix-wh/mova2d" && fault.class != "outside";
    let all: Vec<u64> = faults.iter().filter(of_mova2d).map(|fault| fault.number).collect();
    let out = tempfile::tempdir().expect("a folder for the report");
    let mut close = 0;
    for draw in 1..=20 {
        let mut drawn = all.clone();
        drawn.sort_by_key(|&number| mix64(draw << 32 | number));
        drawn.truncate(10);
        drawn.sort_unstable();
        let faults: Vec<String> = drawn.iter().map(u64::to_string).collect();
        let begin = Instant::now();
        let arguments =
            ["fuzz", "tensix-wh/mova2d", "--edition", "newest", "--cases", "300000", "--no-vectors", "--json"];
        let output = Command::new(program)
            .args(arguments)
            .args(["--seed", &draw.to_string(), "--out"])
            .arg(out.path())
            .args(["--target", &format!("lib:{}", library.display())])
            .env("TANDEM_BLIND", faults.join(","))
            .output()
            .expect("the program is built");
        let report: Value = serde_json::from_slice(&output.stdout).expect("it says JSON");
        let findings = report["result"]["findings"].as_array().map_or(0, Vec::len);
        close += u64::from((9..=11).contains(&findings));
        println!("{}: {findings} findings, {:.1} s", faults.join(","), begin.elapsed().as_secs_f64());
    }
    println!("9 to 11 findings in {close} of 20 draws");
}

/// The faults of a manifest.
fn faults_of(root: &Path, family: &str) -> Vec<Fault> {
    let text = std::fs::read_to_string(root.join(format!("{family}.json"))).expect("the manifest is there");
    let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
    manifest["faults"].as_array().expect("it lists faults").iter().map(fault).collect()
}

fn fault(row: &Value) -> Fault {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    Fault {
        number: row["number"].as_u64().expect("a fault has a number"),
        instruction: text("instruction"),
        page: text("page"),
        lines: row["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect(),
        class: text("class"),
        what: text("what"),
    }
}

/// Builds the library of a family.
fn build(root: &Path, family: &str) -> PathBuf {
    let library = std::env::temp_dir().join(format!("tandem-blind-{family}-{}.so", std::process::id()));
    let header = root.join("../../harness/include");
    let done = Command::new("cc")
        .args(["-O2", "-std=c99", "-shared", "-fPIC", "-I"])
        .arg(header)
        .arg(root.join(format!("{family}.c")))
        .arg("-o")
        .arg(&library)
        .status();
    assert!(done.is_ok_and(|status| status.success()), "cc could not build {family}.c");
    library
}

fn explain(program: &Path, library: &Path, fault: &Fault) -> Value {
    let output = Command::new(program)
        .args(["explain", &fault.instruction, "--json", "--target"])
        .arg(format!("lib:{}", library.display()))
        .env("TANDEM_BLIND", fault.number.to_string())
        .output()
        .expect("the program is built");
    let text = String::from_utf8_lossy(&output.stdout);
    let all: Value = serde_json::from_str(&text).unwrap_or_default();
    all["explained"][0].clone()
}

/// Whether a cause names a line that a fault breaks.
fn names(cause: &Value, fault: &Fault) -> bool {
    let rules = cause["class"].as_array().into_iter().flatten();
    let mut lines = rules.flat_map(|rule| rule["lines"].as_array().into_iter().flatten());
    lines.any(|line| {
        let (first, last) = (line["first"].as_u64().unwrap_or(1), line["last"].as_u64().unwrap_or(0));
        line["page"] == fault.page.as_str() && fault.lines.iter().any(|wanted| (first..=last).contains(wanted))
    })
}
