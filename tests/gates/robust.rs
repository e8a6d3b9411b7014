//! Gates on runs that are stopped, timed, or held up: Ctrl-C ends them with 130 and loses nothing, and `--seconds` holds.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{self, Told, ended};

/// `--target` for a target that is right, and takes 50 ms for each reply.
fn slow() -> String {
    format!("cmd:{} slow", program::example("unruly").display())
}

/// A folder of vectors with one small file.
fn vectors() -> &'static str {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for vectors");
        let file = "tensix-wh/mova2d.ttsim-1.10.0.json";
        std::fs::create_dir(folder.path().join("tensix-wh")).expect("it can be made");
        let from = Path::new(program::ROOT).join("vectors").join(file);
        std::fs::copy(from, folder.path().join(file)).expect("the file is there");
        folder
    });
    folder.path().to_str().expect("the folder has a plain name")
}

fn start(arguments: &[&str], out: &Path) -> Child {
    let out = out.to_str().expect("the folder has a plain name");
    let usual = [("timeout", "60"), ("vectors", vectors()), ("out", out)];
    let usual = usual.into_iter().filter(|(name, _)| program::takes(arguments, name));
    program::tandem()
        .args(arguments)
        .args(usual.flat_map(|(name, value)| [format!("--{name}"), value.to_string()]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Waits for the end, which must come in time.
fn end(mut child: Child, limit: Duration) -> Told {
    let begin = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begin.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it has not ended after {limit:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    program::told(&child.wait_with_output().expect("it ended"))
}

fn report(out: &Path) -> Value {
    program::read_json(&out.join("report.json"))
}

/// Long enough for a loaded machine, and far less than what was asked for.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn ctrl_c_while_vectors_are_replayed_keeps_the_report_and_the_checkpoint() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let slow = slow();
    let arguments = ["fuzz", "tensix-wh/mova2d", "--target", &slow, "--cases", "1000000", "--threads", "1"];
    let child = start(&[&arguments[..], &["--seed", "7"]].concat(), out.path());
    std::thread::sleep(Duration::from_secs(3));
    interrupt(&child);
    let (_, stderr) = ended(end(child, SOON), 130);
    assert!(stderr.contains("stopped; the same command goes on"), "{stderr}");
    assert_eq!(report(out.path())["run"]["stopped"], true);
    assert!(report(out.path())["run"]["notes"].to_string().contains("vectors were not replayed"));
    assert!(out.path().join("campaign.json").exists());
    // The same command, without a seed, goes on.
    let child = start(&arguments, out.path());
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    let (stdout, _) = ended(end(child, SOON), 130);
    assert!(stdout.contains("seed 7, going on after 0 cases"), "{stdout}");
}

#[test]
fn ctrl_c_in_a_campaign_ends_with_130_and_keeps_what_was_done() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let arguments = ["fuzz", "tensix-bh/sfpstore", "--targets", "simd:portable", "--cases", "1000000000"];
    let child = start(&arguments, out.path());
    let begin = Instant::now();
    while !out.path().join("campaign.json").exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing is kept");
        std::thread::sleep(Duration::from_millis(50));
    }
    interrupt(&child);
    let (stdout, stderr) = ended(end(child, SOON), 130);
    assert!(stdout.contains("stopped early") && stderr.contains("goes on"), "{stdout}{stderr}");
    assert!(out.path().join("campaign.json").exists(), "the same command cannot go on");
    assert_eq!(report(out.path())["run"]["stopped"], true);
    let kept = std::fs::read_to_string(out.path().join("campaign.json")).expect("it can be read");
    assert!(kept.contains("\"cases\":"), "{kept}");
}

#[test]
fn seconds_hold_for_a_slow_target_and_there_is_a_line_after_5_seconds() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let begin = Instant::now();
    let slow = slow();
    let child = start(
        &["fuzz", "tensix-wh/mova2d", "--target", &slow, "--seconds", "8", "--threads", "1", "--seed", "3"],
        out.path(),
    );
    let (code, stdout, stderr) = end(child, Duration::from_secs(8) + 2 * SOON);
    assert!(matches!(code, 0 | 12), "{code} {stdout}{stderr}");
    assert!(begin.elapsed() >= Duration::from_secs(7), "{stdout}{stderr}");
    assert!(stderr.lines().any(|line| line.contains(" cases, ") && line.ends_with(" s left")), "{stderr}");
    let report = report(out.path());
    assert!(report["run"]["notes"].to_string().contains("vectors were not replayed"), "{}", report["run"]);
    assert!(report["result"]["cases"].as_u64().expect("a number") > 0);
    assert!(!out.path().join("campaign.json").exists(), "it came to its end");
}

#[test]
fn seconds_hold_when_vectors_are_checked_values_enumerated_and_faults_hunted() {
    let slow = slow();
    let commands: [&[&str]; 3] = [
        &["vectors", "check", "vectors/tensix-wh/mova2d.ttsim-1.10.0.json", "--target", &slow],
        &["exhaust", "tensix-wh/mova2d", "--target", &slow],
        &["faults", "--twists"],
    ];
    for command in commands {
        let out = tempfile::tempdir().expect("a folder for the report");
        let child = start(&[command, &["--seconds", "1"]].concat(), out.path());
        let (_, stdout, stderr) = end(child, Duration::from_secs(1) + SOON);
        assert!(stdout.contains("stopped") || stderr.contains("stopped"), "{command:?}: {stdout}{stderr}");
    }
}
