//! How well mistakes are told: faults that were written in C from the pages alone, each with the line that it breaks, are
//! explained by `tandem explain`, two at a time. A C compiler is needed. Run it as
//! `cargo build --release && cargo run --release --example blind [FOLDER] [fma|fma_second] [many [K]] [INSTRUCTIONS]`.
//!
//! A folder, else `examples/blind`, has `tensix.c` and `visa.c`, and as manifests either `tensix.json` and `visa.json` or
//! `seen.json` and `held.json`; of what is held only the totals are printed. A fault with `"programs": true` is looked for in
//! programs. With the name of a manifest it is that alone: `fma` and `fma_second` have faults in the multiply-add of the Vector
//! Unit. With `many`, K faults of an instruction are made at once, else 1 to 10, 30 times each, and the findings are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use tandem_isa::mix64;

/// Faults that are explained at a time.
const WORKERS: usize = 2;
/// Draws of as many faults at once.
const DRAWS: u64 = 30;

/// A fault of a manifest.
struct Fault {
    number: u64,
    instruction: String,
    page: String,
    lines: Vec<u64>,
    is_outside: bool,
    is_of_programs: bool,
    is_held: bool,
    what: String,
}

impl Fault {
    fn of(row: &Value, is_held: bool) -> Self {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        Fault {
            number: row["number"].as_u64().expect("a fault has a number"),
            instruction: text("instruction"),
            page: text("page"),
            lines: row["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect(),
            is_outside: row["class"] == "outside",
            is_of_programs: row["programs"] == true,
            is_held,
            what: text("what"),
        }
    }

    fn family(&self) -> &str {
        self.instruction.split(['-', '/']).next().unwrap_or_default()
    }

    /// Whether a rule has a line that the fault breaks.
    fn breaks(&self, rule: &Value) -> bool {
        rule["lines"].as_array().into_iter().flatten().any(|line| {
            let (first, last) = (line["first"].as_u64().unwrap_or(1), line["last"].as_u64().unwrap_or(0));
            line["page"] == self.page.as_str() && self.lines.iter().any(|wanted| (first..=last).contains(wanted))
        })
    }
}

/// The program, and the libraries of a folder by family.
struct Bench {
    program: PathBuf,
    libraries: BTreeMap<&'static str, PathBuf>,
    /// What was built, for as long as it is needed.
    _built: tempfile::TempDir,
}

impl Bench {
    fn of(folder: &Path) -> Self {
        let built = tempfile::tempdir().expect("a folder for libraries");
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/include");
        let build = |family: &'static str| {
            let library = built.path().join(format!("{family}.so"));
            let source = folder.join(format!("{family}.c"));
            let flags = ["-O2", "-std=c99", "-shared", "-fPIC", "-I"];
            let done = Command::new("cc").args(flags).arg(&header).arg(&source).arg("-o").arg(&library).status();
            assert!(done.is_ok_and(|status| status.success()), "cc could not build {}", source.display());
            (family, library)
        };
        let libraries = ["tensix", "visa"].map(build).into();
        let program = std::env::current_exe().expect("it runs").with_file_name("../tandem");
        Bench { program, libraries, _built: built }
    }

    /// What the program says of a target that makes faults of a family.
    fn run(&self, arguments: &[&str], family: &str, faults: &str) -> Value {
        let output = Command::new(&self.program)
            .args(arguments)
            .args(["--json", "--target"])
            .arg(format!("lib:{}", self.libraries[family].display()))
            .env("TANDEM_BLIND", faults)
            .output()
            .expect("the program is built");
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    fn told(&self, fault: &Fault) -> Told {
        let (begin, number) = (Instant::now(), fault.number.to_string());
        let out = tempfile::tempdir().expect("a folder for the report");
        let mut what = fault.instruction.clone();
        if fault.is_of_programs {
            // With all of its chip, as a kernel has it.
            let chip = what.split('/').next().unwrap_or_default();
            let programs = ["programs", &what, "--with", chip, "--seed", "1", "--out", &out.path().to_string_lossy()];
            let said = self.run(&programs, fault.family(), &number);
            let files =
                said["isas"].as_array().into_iter().flatten().flat_map(|isa| isa["findings"].as_array()).flatten();
            what = files.filter_map(|finding| finding["file"].as_str()).next().map_or(what, str::to_string);
        }
        let said = self.run(&["explain", &what], fault.family(), &number);
        Told::of(&said["explained"][0], fault, begin.elapsed().as_secs_f64())
    }
}

/// What was said of a fault.
struct Told {
    /// The place of the first rule that has a line of it, among all in the order in which they are listed, …
    place: Option<usize>,
    /// … and of the first cause one of whose rules has.
    cause: Option<usize>,
    /// Rules of the first cause.
    size: usize,
    /// Causes that are established, and none of whose rules has a line of it.
    wrong: usize,
    /// Causes that are no hints.
    causes: usize,
    says: String,
    seconds: f64,
}

impl Told {
    fn of(said: &Value, fault: &Fault, seconds: f64) -> Self {
        let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let mut causes = list(&said["causes"]);
        // What is wrong only after other cases is told in words.
        if let Some(line) = said["in_order"]["lines"][0].as_str() {
            causes.push(json!({ "tier": "consistent", "class": [{ "says": line, "lines": places_in(line) }] }));
        }
        let rules: Vec<Vec<Value>> = causes.iter().map(|cause| list(&cause["class"])).collect();
        let has_line = |rules: &Vec<Value>| rules.iter().any(|rule| fault.breaks(rule));
        let is_wrong = |(cause, rules): &(&Value, &Vec<Value>)| {
            cause["tier"] == "established" && (fault.is_outside || !has_line(rules))
        };
        let is_hint = usize::from(causes.first().is_some_and(|cause| cause["hint"] == true));
        let says = |cause: &Value| {
            format!("{}: {} ({})", cause["tier"], cause["class"][0]["says"], cause["class"][0]["place"])
        };
        Told {
            // Before a hint it is said that no line explains this.
            place: rules.iter().flatten().position(|rule| fault.breaks(rule)).map(|place| place + is_hint),
            cause: rules.iter().position(has_line).map(|cause| cause + is_hint),
            size: rules.first().map_or(0, Vec::len),
            wrong: causes.iter().zip(&rules).filter(is_wrong).count(),
            causes: causes.iter().filter(|cause| cause["hint"] != true).count(),
            says: causes.first().map_or("none fits".to_string(), says),
            seconds,
        }
    }
}

/// The lines of pages that a text names, such as `page wh-mova2d, lines 3 to 5`.
fn places_in(text: &str) -> Vec<Value> {
    let place = |text: &str| {
        let (page, rest) = text.split_once(", line")?;
        let mut numbers =
            rest.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
        let first = numbers.next()?;
        let last = if rest.contains(" to ") { numbers.next()? } else { first };
        Some(json!({ "page": page, "first": first, "last": last }))
    };
    text.split("page ").skip(1).filter_map(|text| place(text.split([';', ')']).next()?)).collect()
}

fn main() {
    let (mut folder, mut is_many, mut counts, mut filters) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/blind"), false, 1..=10, Vec::new());
    let mut manifests = ["tensix", "visa", "seen", "held"].map(String::from).to_vec();
    for word in std::env::args().skip(1) {
        match word.parse() {
            Ok(count) => counts = count..=count,
            Err(_) if word == "many" => is_many = true,
            Err(_) if folder.join(&word).with_extension("json").exists() => manifests = vec![word],
            Err(_) if Path::new(&word).is_dir() => folder = word.into(),
            Err(_) => filters.push(word),
        }
    }
    let mut faults: Vec<Fault> = manifests.iter().flat_map(|one| manifest(&folder, one)).collect();
    let is_wanted = |fault: &Fault| filters.is_empty() || filters.iter().any(|one| fault.instruction.starts_with(one));
    faults.retain(is_wanted);
    let bench = Bench::of(&folder);
    if is_many {
        return many(&bench, &faults, counts);
    }
    let told = at_a_time(&faults, |fault| bench.told(fault));
    for (fault, told) in faults.iter().zip(&told).filter(|(fault, _)| !fault.is_held) {
        let Told { place, causes, says, seconds, size, .. } = told;
        let mark = if fault.is_outside && *causes == 0 || !fault.is_outside && *place == Some(0) { " " } else { "*" };
        let place = place.map_or("-".to_string(), |place| (place + 1).to_string());
        let Fault { number, instruction, what, page, lines, .. } = fault;
        println!(
            "{mark} {number} {instruction}: {what} ({page} {lines:?}) => {place}/{size}/{causes} {seconds:.1} s {says}"
        );
    }
    let families: BTreeSet<(bool, &str)> = faults.iter().map(|fault| (fault.is_held, fault.family())).collect();
    for (is_held, family) in families {
        let is_of = |(fault, _): &(&Fault, &Told)| fault.is_held == is_held && fault.family() == family;
        let of: Vec<(&Fault, &Told)> = faults.iter().zip(&told).filter(is_of).collect();
        println!("{}{family}: {}", if is_held { "held, " } else { "" }, totals(&of));
    }
}

fn totals(of: &[(&Fault, &Told)]) -> String {
    let (outside, inside): (Vec<_>, Vec<_>) = of.iter().partition(|(fault, _)| fault.is_outside);
    let count = |is: &dyn Fn(&Told) -> bool| inside.iter().filter(|(_, told)| is(told)).count();
    let within = |place: Option<usize>, most: usize| place.is_some_and(|place| place < most);
    let outside_none = outside.iter().filter(|(_, told)| told.causes == 0).count();
    let mut seconds: Vec<f64> = of.iter().map(|(_, told)| told.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share) as usize];
    format!(
        "of {} the right line first in {}, among three in {} (in the first class {}, in three classes {}); none fits for {}; \
         established beside the line: {}; none fits for {outside_none} of {} outside; {:.1} s, at most {:.1} s",
        inside.len(),
        count(&|told| within(told.place, 1)),
        count(&|told| within(told.place, 3)),
        count(&|told| within(told.cause, 1)),
        count(&|told| within(told.cause, 3)),
        count(&|told| told.causes == 0),
        of.iter().map(|(_, told)| told.wrong).sum::<usize>(),
        outside.len(),
        at(0.5),
        at(1.0)
    )
}

/// Draws as many faults of an instruction as `counts` says, several times, and counts what a campaign makes of them.
fn many(bench: &Bench, faults: &[Fault], counts: std::ops::RangeInclusive<usize>) {
    let inside: Vec<&Fault> = faults.iter().filter(|fault| !fault.is_outside && !fault.is_of_programs).collect();
    let of = |one: &Fault| -> Vec<&Fault> {
        inside.iter().copied().filter(|fault| fault.instruction == one.instruction).collect()
    };
    let (mut all_close, mut all) = (0, 0);
    for count in counts {
        let able: Vec<&Fault> = inside.iter().copied().filter(|fault| of(fault).len() >= count).collect();
        let draws: Vec<u64> = (1..=if able.is_empty() { 0 } else { DRAWS }).collect();
        let found = at_a_time(&draws, |&draw| {
            let key = |fault: u64| mix64(mix64(draw << 8 | count as u64) ^ fault);
            let instruction = able.iter().min_by_key(|fault| key(fault.number)).expect("there is one");
            let mut drawn = of(instruction);
            drawn.sort_by_key(|fault| key(!fault.number));
            let mut numbers: Vec<u64> = drawn[..count].iter().map(|fault| fault.number).collect();
            numbers.sort_unstable();
            let faults: Vec<String> = numbers.iter().map(u64::to_string).collect();
            let (begin, out) = (Instant::now(), tempfile::tempdir().expect("a folder for the report"));
            let arguments =
                ["fuzz", &instruction.instruction, "--edition", "newest", "--cases", "300000", "--no-vectors"];
            let more = ["--seed", &draw.to_string(), "--out", &out.path().to_string_lossy()].map(str::to_string);
            let more: Vec<&str> = arguments.into_iter().chain(more.iter().map(String::as_str)).collect();
            let report = bench.run(&more, instruction.family(), &faults.join(","));
            let findings = report["result"]["findings"].as_array().map_or(0, Vec::len);
            let shown = if drawn.iter().any(|fault| fault.is_held) { String::new() } else { faults.join(",") };
            println!(
                "{} {shown}: {findings} findings, {:.1} s",
                instruction.instruction,
                begin.elapsed().as_secs_f64()
            );
            findings
        });
        let close = found.iter().filter(|&&findings| findings.abs_diff(count) <= 1).count();
        (all_close, all) = (all_close + close, all + found.len());
        println!("{count} at once: {} to {} findings in {close} of {} draws", count - 1, count + 1, found.len());
    }
    println!("all: as many findings as faults, or one more or less, in {all_close} of {all} draws");
}

/// The faults of a manifest of a folder, if it is there.
fn manifest(folder: &Path, name: &str) -> Vec<Fault> {
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.json"))) else { return Vec::new() };
    let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
    let faults = manifest["faults"].as_array().expect("it lists faults");
    faults.iter().map(|row| Fault::of(row, name == "held")).collect()
}

/// Does something for each, some at a time.
fn at_a_time<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(one) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < all.len()) {
                    let result = work(&all[one]);
                    done.lock().expect("no worker panics").insert(one, result);
                }
            });
        }
    });
    done.into_inner().expect("no worker panics").into_values().collect()
}
