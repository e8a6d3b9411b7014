//! What commands print as JSON is what the schemas in `docs/schemas` say, of every command that has `--json`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli_options::commands;
use crate::program::{self, ROOT, run_into};

/// A kernel whose only instruction moves a row.
const KERNEL: &str = r#"{"kernel": "move", "isa": "tensix-wh"}
{"state": {"SrcA[0].AllowedClient": 0, "SrcA[0][0]": 262271}}
{"thread": 1, "step": "MOVA2D"}"#;

fn schemas() -> PathBuf {
    Path::new(ROOT).join("docs/schemas")
}

/// Runs commands, and holds what they print against schemas.
struct Checker {
    out: tempfile::TempDir,
    commands: BTreeSet<String>,
    schemas: BTreeSet<String>,
}

impl Checker {
    fn new() -> Self {
        let out = tempfile::tempdir().expect("a folder for reports");
        Checker { out, commands: BTreeSet::new(), schemas: BTreeSet::new() }
    }

    fn path(&self, name: &str) -> String {
        self.out.path().join(name).to_str().expect("the folder has a plain name").to_string()
    }

    /// Holds what a command prints against a schema, by the name of its file.
    fn fits(&mut self, schema: &str, code: i32, arguments: &[&str]) -> Value {
        self.fits_into("out", schema, code, arguments)
    }

    /// The same with another folder for what the command leaves.
    fn fits_into(&mut self, out: &str, schema: &str, code: i32, arguments: &[&str]) -> Value {
        let (exit, stdout, stderr) = run_into(&self.out.path().join(out), &[arguments, &["--json"]].concat());
        assert_eq!(exit, code, "{arguments:?}: {stdout}{stderr}");
        let value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {stdout}"));
        fits(schema, &value);
        let words: Vec<&str> = arguments.iter().copied().take(2).collect();
        self.commands.extend([words[0].to_string(), words.join(" ")]);
        self.schemas.insert(schema.to_string());
        value
    }
}

/// Holds a value against a schema, by the name of its file.
#[track_caller]
pub fn fits(schema: &str, value: &Value) {
    let text = program::read_json(&schemas().join(format!("{schema}.schema.json")));
    let validator = jsonschema::draft202012::new(&text).expect("the schema is a schema");
    let complaints = validator.iter_errors(value).map(|error| format!("{}: {}", error.instance_path(), error.masked()));
    let complaints: Vec<String> = complaints.take(4).collect();
    assert!(complaints.is_empty(), "it is not as {schema} says: {complaints:#?}");
}

#[test]
fn what_every_command_prints_as_json_fits_its_schema() {
    let mut all = Checker::new();
    let target = format!("cmd:{} --fault=bias-always", program::example("serve").display());
    let wrong = ["--target", &target];
    all.fits("list", 0, &["list", "tensix-wh/sfpnot"]);
    all.fits("describe", 0, &["describe", "visa", "dpas"]);
    all.fits("profiles", 0, &["profiles"]);
    all.fits("errata", 0, &["errata"]);
    all.fits("rules", 0, &["rules"]);
    all.fits("rules", 10, &["rules", "tensix-wh", "MOVB2D", "ELWADD AddDst=1"]);
    all.fits("rules", 10, &["rules", "tensix-bh", "SETDMAREG_IMMEDIATE", "WRCFG"]);
    all.fits("rules", 0, &["rules", "tensix-wh", "SFPIADD VD=1", "SFPSTORE VD=1", "SFPNOT"]);
    all.fits("answers", 0, &["answers", "all", "tensix-wh/sfpnot"]);
    all.fits("tile", 0, &["tile", "1.1", "nan", "--from", "FP32", "--to", "BFP8", "--relu"]);
    all.fits("tile", 0, &["tile", "0x1@0", "0x40@0", "--from", "BFP8a"]);
    all.fits("bench", 0, &["bench", "tensix-wh/sfpand"]);

    // A campaign with findings, and what is done with them.
    let fuzz = ["fuzz", "tensix-wh/mova2d", "-s", "1", "-n", "4096", "--complete", "--no-causes"];
    let report = all.fits("report", 10, &[&fuzz[..], &wrong].concat());
    assert!(report["result"]["findings"].as_array().is_some_and(|list| !list.is_empty()));
    // What only a vector shows has the id of that.
    let firsts = report["result"]["findings"].as_array().into_iter().flatten().filter_map(|one| one["first"].as_str());
    let (place, first_id) = firsts.enumerate().find(|(_, id)| id.contains('.')).expect("a finding of a case");
    let first_id = first_id.to_string();
    let (out, first) = (all.path("out"), all.path(&format!("out/findings/{:03}-first.json", place + 1)));
    all.fits("diff", 0, &["diff", &out, &out]);
    all.fits("trend", 0, &["trend", &out]);
    all.fits("replay", 10, &[&["replay", &first_id][..], &wrong].concat());
    all.fits("replay", 10, &[&["replay", &first][..], &wrong].concat());
    all.fits("replay", 0, &["replay", "vectors/tensix-wh/mova2d.ttsim-1.10.0.json"]);
    let smaller = all.fits("minimize", 10, &[&["minimize", &first][..], &wrong].concat());
    assert!(smaller["minimized"][0]["smallest"].is_object(), "{smaller}");
    all.fits("show", 0, &["show", &first]);
    all.fits("show", 0, &["show", "tensix-wh/mova2d", "--set", "SrcAFmt=BF16"]);
    all.fits("show", 0, &["show", "0x12002000"]);
    let known = all.path("known.json");
    let known = ["--known", &*known];
    let accepted = all.fits("known-accept", 0, &[&["known", "accept", "--all"][..], &known].concat());
    assert!(accepted["accepted"][0]["added"].is_string(), "{accepted}");
    all.fits("known-accept", 0, &[&["known", "accept", "1"][..], &known].concat());
    all.fits("known-list", 0, &[&["known", "list"][..], &known].concat());
    all.fits("known-prune", 0, &[&["known", "prune", "--dry-run"][..], &known, &wrong].concat());
    let checked = all.fits("vectors-check", 10, &[&["vectors", "check", &first][..], &wrong].concat());
    assert_eq!(checked["stored"][0]["verdict"], "still happens");
    let files = ["vectors/tensix-wh/mova2d.ttsim-1.10.0.json", "Cargo.toml"];
    let checked = all.fits("vectors-check", 13, &[&["vectors", "check"][..], &files, &wrong].concat());
    assert!(checked["findings"][0].is_object() && checked["refused"][0].is_object(), "{checked}");
    all.fits("explain", 10, &[&["explain", "tensix-wh/mova2d", "-n", "3k"][..], &wrong].concat());

    // Partial targets: what was observed becomes claims, and what was learned goes to shards.
    let partial = format!("cmd:{} partial-library", program::example("policy").display());
    let partial = ["--target", &*partial];
    all.fits(
        "report",
        0,
        &[&["fuzz", "tensix-wh/mova2d", "-n", "20k", "-s", "1", "--no-vectors"][..], &partial].concat(),
    );
    let claims = all.path("claims.toml");
    all.fits("claims-accept", 0, &["claims", "accept", "--claims", &claims]);
    let learned = all.path("learned.json");
    all.fits(
        "shard",
        0,
        &[&["fuzz", "tensix-wh/mova2d", "-n", "2048", "-s", "1", "--learn", &learned][..], &partial].concat(),
    );
    let rules = program::read_json(Path::new(&learned)).to_string();
    assert!(rules.contains("\"observation\":{"), "what was learned is that there are rules");

    // Programs, domains, faults, shards.
    let programs = ["programs", "tensix-wh/mova2d", "-s", "1", "-n", "2k"];
    let found = all.fits("programs", 10, &[&programs[..], &wrong].concat());
    let id = found["isas"][0]["findings"][0]["first"].as_str().expect("the id of a program").to_string();
    all.fits("replay", 10, &[&["replay", &id][..], &wrong].concat());
    all.fits("show", 0, &["show", &id]);
    all.fits("exhaust", 10, &[&["exhaust", "tensix-wh/mova2d", "--seconds", "2"][..], &wrong].concat());
    for (number, out) in [("1/2", "1-2"), ("2/2", "2-2")] {
        let faults = ["faults", "tensix-wh/sfpnot", "-n", "256", "--shard", number];
        assert_eq!(all.fits_into(out, "shard", 0, &faults)["done"], false);
        assert_eq!(all.fits_into(out, "shard", 0, &faults)["done"], true);
    }
    let shards = [all.path("1-2"), all.path("2-2")];
    let merge = ["merge", &shards[0], &shards[1]];
    let merged = all.fits("faults", 0, &merge);
    assert_eq!(merged["faults"].as_array().map(Vec::len), merged["total"].as_u64().map(|count| count as usize));
    all.fits("faults", 0, &["faults", "tensix-wh/sfpnot", "--twists=1/40", "-n", "64"]);
    all.fits("fingerprint", 0, &["fingerprint", "tensix-wh/sfpnot", "--targets", "simd:portable"]);

    // Kernels: one without a finding, one with some, mutants, and one beside a target that does a step wrong.
    let right = "kernels/protocols/full-dest-wh.jsonl";
    let agreed = all.fits("check-protocol", 0, &["check-protocol", right]);
    assert_eq!((&agreed["kernels"][0]["found"], &agreed["kernels"][0]["ends"]), (&json!([]), &json!(1)), "{agreed}");
    let found = all.fits("check-protocol", 0, &["check-protocol", "kernels/reports/tt-llk-185-get-before-post.jsonl"]);
    assert_eq!(found["kernels"][0]["found"][0]["holds"][0]["waits_for"][0]["field"], "Semaphores[3].Value", "{found}");
    let hunted = all.fits("check-protocol", 0, &["check-protocol", right, "--mutants", "12"]);
    assert_eq!(hunted["kernels"][0]["mutants"].as_array().map(Vec::len), Some(12), "{hunted}");
    all.fits("lockstep", 0, &["lockstep", right]);
    let search = all.fits("lockstep", 0, &["lockstep", right, "--interleavings"]);
    assert_eq!(search["kernels"][0]["runs"][0]["search"]["ends"], 1, "{search}");
    let kernel = all.path("k.jsonl");
    std::fs::write(&kernel, KERNEL).expect("it can be written");
    let differs = all.fits("lockstep", 10, &[&["lockstep", &kernel, "--no-causes"][..], &wrong].concat());
    assert!(differs["kernels"][0]["runs"][0]["orders"][0]["smallest"].is_object(), "{differs}");

    // Vectors.
    all.fits("vectors-record", 0, &["vectors", "record", "tensix-wh/sfpnot", "--plain"]);
    let recording = "satellites/import/tests/witnesses/dpas.cm-cpu-emulation-8d7b65fa.jsonl";
    if cfg!(feature = "imports") {
        all.fits("vectors-import", 0, &["vectors", "import", recording, "--account"]);
    } else {
        all.commands.insert("vectors import".to_string());
        all.schemas.insert("vectors-import".to_string());
    }

    // What takes long is held against its schema where it runs anyway.
    for (command, schema) in [
        ("report", "committed"),
        ("vectors lint", "vectors-lint"),
        ("vectors judge", "report"),
        ("challenge new", "challenge"),
        ("challenge new", "challenge-test"),
        ("challenge record", "record"),
        ("challenge record", "answer"),
        ("challenge check", "challenge-check"),
        ("challenge ingest", "recordings"),
    ] {
        all.commands.insert(command.to_string());
        all.schemas.insert(schema.to_string());
    }
    let has_json = |command: &clap::Command| command.get_arguments().any(|one| one.get_long() == Some("json"));
    for (words, command) in commands() {
        assert!(
            !has_json(&command) || all.commands.contains(&words.join(" ")),
            "{words:?} prints JSON that nobody holds"
        );
    }
    let files = std::fs::read_dir(schemas()).expect("the folder is there");
    for name in files.map(|file| file.expect("an entry").file_name().into_string().expect("a plain name")) {
        let name = name.strip_suffix(".schema.json").expect("all are schemas");
        assert!(all.schemas.contains(name), "no command is held against {name}");
    }
}
