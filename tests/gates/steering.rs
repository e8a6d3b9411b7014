//! Texts of others on their way to a terminal: whatever a file or a target has in it, by whichever road it comes, no byte that is
//! printed or written into a report controls a terminal, hides something, or turns the direction of reading.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::{self, ROOT, has, told};

/// A title, a colour, a cursor, an end of text, and directions; then what would pass for a line of ours.
const HOSTILE: &str = "\x1b]0;evil\x07\x1b[31m\u{9b}2J\u{85}\0\r\u{202e}\u{2066}\u{200f}\u{61c}\nFORGED: all agree";

/// What names of files may have of it.
const NAME: &str = "\x1b]0;evil\x07\u{9b}2J\u{202e}\nFORGED";

fn steers(letter: char) -> bool {
    letter != '\n' && letter != '\t' && letter.is_control()
        || "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{feff}".contains(letter)
        || ('\u{202a}'..='\u{202e}').contains(&letter)
        || ('\u{2066}'..='\u{2069}').contains(&letter)
}

#[track_caller]
fn is_harmless(road: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let found = text.char_indices().find(|(_, letter)| steers(*letter));
    let around = found.map(|(at, _)| text[at..].chars().take(40).collect::<String>());
    assert_eq!(around, None, "{road}: {}", text.escape_debug());
    assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{road}: {text}");
}

/// A folder with a hostile name, in which files with hostile names are written.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::Builder::new().prefix(NAME).tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(format!("{NAME}{name}"));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    /// Runs a command, holds what it prints against the rule, and gives its results.
    #[track_caller]
    fn run(&self, road: &str, arguments: &[&str]) -> String {
        let mut tandem = program::tandem();
        tandem.args(arguments);
        if program::takes(arguments, "out") && !arguments.contains(&"--out") {
            tandem.arg("--out").arg(self.0.path().join("out"));
        }
        let output = tandem.output().expect("the binary runs");
        is_harmless(road, &output.stdout);
        is_harmless(road, &output.stderr);
        let (code, stdout, stderr) = told(&output);
        assert!([0, 2, 10, 11, 12, 13, 14].contains(&code), "{road}: {code} {stdout}{stderr}");
        stdout
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of UTF-8")
}

/// Adds hostile text to every text, but where a reader knows only certain words.
fn poisoned(value: &Value, key: &str) -> Value {
    match value {
        Value::String(word) if !["edition", "kind", "code", "instruction"].contains(&key) => {
            json!(format!("{word}{HOSTILE}"))
        }
        Value::Array(list) => list.iter().map(|one| poisoned(one, key)).collect(),
        Value::Object(map) => Value::Object(map.iter().map(|(key, one)| (key.clone(), poisoned(one, key))).collect()),
        other => other.clone(),
    }
}

#[test]
fn no_file_steers_a_terminal() {
    let place = Place::new();
    let hostile_json = json!({ HOSTILE: HOSTILE, "schema": HOSTILE }).to_string();
    // Marks of direction and controls from 0x7f on stand in JSON as they are.
    let raw = format!(
        "{{\"schema\": \"{}\", \"a\u{202e}\": \x1b]0;a\x07}}",
        HOSTILE.replace(['\0', '\r', '\n', '\x1b', '\x07'], "")
    );
    let toml = format!("schema = 1\n\"{}\" = 3\n# \x1b]0;evil\x07\nrules = \u{202e}\u{2066}", "\u{202e}\u{9b}");
    let missing = place.0.path().join(NAME);
    for (name, content) in
        [("h.json", hostile_json.as_bytes()), ("r.json", raw.as_bytes()), ("t.toml", toml.as_bytes())]
    {
        let path = place.file(name, content);
        for path in [text(&path), text(&missing)] {
            for arguments in [
                &["vectors", "check", path][..],
                &["vectors", "lint", path],
                &["vectors", "export", path, "--format", "jsonl"],
                &["vectors", "judge", path],
                &["known", "list", "--known", path],
                &["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "64", "--known", path],
                &["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "64", "--claims", path],
                &["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "64", "--target", path],
                &["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "64", "--target", &format!("lib:{path}")],
                &["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "64", "--target", &format!("cmd:'{path}'")],
                &["diff", path, path],
                &["trend", path],
                &["merge", path],
                &["replay", path],
                &["explain", path],
                &["minimize", path],
                &["rules", "tensix-wh", path],
                &["profiles", path],
                &["show", path],
                &["challenge", "check", path, path],
                &["list", path],
                &["describe", path],
                &["errata", path],
                &[path],
            ] {
                place.run(&arguments.join(" "), arguments);
            }
        }
    }
}

#[test]
fn no_report_and_no_list_steers_a_terminal() {
    let place = Place::new();
    let found = ["fuzz", "tensix-wh/sfpnot", "--no-vectors", "--cases", "512", "--seed", "1", "--json", "--no-causes"];
    let report: Value =
        serde_json::from_str(&place.run("fuzz", &[&found[..], &["--quiet"]].concat())).expect("a report");
    let mut report = poisoned(&report, "");
    let signature = json!({ "instruction": "tensix-wh/sfpnot", "target": HOSTILE, "place": HOSTILE, "kind": "value" });
    let case = json!({ "edition": "newest", "instruction": HOSTILE, "code": [HOSTILE], "fields": [], "words": [] });
    report["result"]["findings"] = json!([{
        "signature": signature, "verdict": "new", "known": [], "outside": [HOSTILE], "first": HOSTILE, "cases": 1,
        "cases_to_find": 1, "datums_to_find": 1, "seen": [{ "edition": "newest", "cells": [0], "classes": [HOSTILE] }],
        "bits": [{ "bit": 3, "set": 1, "cleared": 0 }], "minimized": null, "stored": case, "explanation": [HOSTILE],
        "citations": [], "errata": [HOSTILE], "replay": HOSTILE,
    }]);
    let path = place.file("a/report.json", report.to_string());
    let other = place.file("b/report.json", report.to_string().replace("\"seed\":1", "\"seed\":2"));
    let folder = path.parent().expect("a folder");
    for json in [&[][..], &["--json"]] {
        place.run("diff", &[&["diff", text(&path), text(&other)], json].concat());
        place.run("trend", &[&["trend", text(&path), text(&other)], json].concat());
        let known = place.0.path().join("known.json");
        let accept = ["known", "accept", "--all", "--out", text(folder), "--known", text(&known), "--evidence", "seen"];
        place.run("known accept", &[&accept[..], json].concat());
    }
    is_harmless("trend.html", &std::fs::read(place.0.path().join("out/trend.html")).expect("it was written"));
    let entry = json!([{
        "id": format!("K-1{HOSTILE}"), "evidence": HOSTILE, "verdict": "accepted",
        "signature": { "instruction": "tensix-wh/sfpnot", "target": HOSTILE, "place": HOSTILE, "kind": "value" },
        "covers": { "classes": { "newest": [HOSTILE] }, "bits": [HOSTILE] }, "case": { "id": HOSTILE },
    }]);
    let known = place.file("known.json", entry.to_string());
    for action in ["list", "prune"] {
        for json in [&[][..], &["--json"]] {
            place.run("known", &[&["known", action, "--known", text(&known)], json].concat());
        }
    }
}

/// A target in Python that says hostile things wherever a target can say something.
fn target(folder: &Path, greets: &str, does: &str) -> String {
    let program = format!(
        "import sys\nsys.path.insert(0, {:?})\nimport border\nEVIL = {}\n{greets}\ndef mov(state, code):\n    {does}\n\
         border.serve(NAME, {{'visa': {{'mov': mov}}}}, CLAIMS)\n",
        Path::new(ROOT).join("examples/targets/python"),
        json!(HOSTILE)
    );
    let path = folder.join("target.py");
    std::fs::write(&path, program).expect("it can be written");
    format!("cmd:{} -B {}", program::python(), path.display())
}

#[test]
fn no_target_steers_a_terminal() {
    if !has("python3") {
        return;
    }
    let plain = "NAME, CLAIMS = 'evil\\u202e\\u2066', ''";
    for (road, greets, does) in [
        ("a reason", plain, "raise border.Unsupported('because \\u202e\\u2066')"),
        ("a reason with controls", plain, "raise border.Unsupported(EVIL)"),
        ("an outcome", plain, "return EVIL"),
        ("a field", plain, "state[EVIL] = 1; return 'done'"),
        ("a bank", plain, "state.written[EVIL, 0] = [1]; return 'done'"),
        ("an error", plain, "raise ValueError(EVIL)"),
        ("standard error", plain, "sys.stderr.write(EVIL); sys.exit(3)"),
        ("something in between", plain, "print(EVIL, flush=True); return 'done'"),
        ("a wrong answer", plain, "return 'done'"),
        ("a name", "NAME, CLAIMS = EVIL, ''", "return 'done'"),
        ("claims", "NAME, CLAIMS = 'evil', EVIL", "return 'done'"),
        ("a greeting", "print(EVIL, flush=True); NAME, CLAIMS = 'evil', ''", "return 'done'"),
    ] {
        let place = Place::new();
        let out = place.0.path().join("out");
        // The shell that starts it takes names apart.
        let folder = tempfile::tempdir().expect("a folder");
        let target = target(folder.path(), greets, does);
        let fuzz =
            ["fuzz", "visa/mov", "--no-vectors", "--no-causes", "--seed", "1", "--cases", "8", "--target", &target];
        place.run(road, &[&fuzz[..], &["--out", text(&out)]].concat());
        let mut folders = vec![out];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for path in entries.map(|entry| entry.expect("an entry").path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    is_harmless(&format!("{road}: {}", path.display()), &std::fs::read(&path).expect("it can be read"));
                }
            }
        }
    }
}
