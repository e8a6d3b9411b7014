//! Gates on campaigns that are taken up again: from what was kept the same result comes, and what is of another campaign, or
//! was changed, is refused with a sentence.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::program::{self, Desk, Told, ended, told};

/// A folder to run in, with targets of its own.
fn desk() -> Desk {
    let desk = Desk::new();
    for name in ["unruly", "serve"] {
        std::fs::copy(program::example(name), desk.path(name)).expect("it can be copied");
    }
    desk
}

fn start(desk: &Desk, arguments: &[&str]) -> Child {
    let mut command = desk.command(arguments);
    command.args(["--no-vectors", "--no-causes", "--out", "report"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

fn run(desk: &Desk, arguments: &[&str]) -> Told {
    told(&start(desk, arguments).wait_with_output().expect("it ends"))
}

/// The campaign that is kept.
fn kept_file(desk: &Desk) -> PathBuf {
    desk.path("report/campaign.json")
}

/// Runs until more is kept than was, and then ends it by a signal; how it ended.
fn stop(desk: &Desk, arguments: &[&str], signal: &str) -> Told {
    let cases = || {
        let text = std::fs::read_to_string(kept_file(desk)).unwrap_or_default();
        let kept: Value = serde_json::from_str(&text).unwrap_or_default();
        kept["left"]["checkpoint"]["cases"].as_u64().unwrap_or(0)
    };
    let before = cases();
    let mut child = start(desk, arguments);
    let begin = Instant::now();
    while cases() <= before {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ends before anything is kept");
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing is kept");
        std::thread::sleep(Duration::from_millis(2));
    }
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    told(&child.wait_with_output().expect("it ends"))
}

const RANDOM: [&str; 8] =
    ["fuzz", "tensix-wh/mova2d", "visa/dpas", "--target", "cmd:./unruly random", "--seed", "7", "--threads=1"];

/// Whatever it answers, nothing of it passes: it does nothing of what it is asked, and changes a bit or several each time.
/// By luck these bits are the whole effect of a case; that happens in less than one of so many.
const LUCK: u64 = 1_000;

/// Cases that were promised, and those on which it agreed, of a campaign that was kept.
fn agreed(kept: &Path) -> (u64, u64) {
    let kept = program::read_json(kept);
    let units = kept["left"]["checkpoint"]["units"].as_array().expect("a list").clone();
    let cells = units.iter().flat_map(|unit| unit["cells"].as_array().expect("a list"));
    let count = |cell: &Value, place: usize| cell[place].as_u64().expect("a number");
    cells.fold((0, 0), |(promised, agreed), cell| {
        (promised + count(cell, 4) + count(cell, 5), agreed + count(cell, 0) + count(cell, 1))
    })
}

#[rstest]
#[case::of_a_gate("6144")]
#[ignore = "a million cases"]
#[case::of_a_night("1000000")]
fn answers_at_random_pass_nothing_and_are_taken_up_to_the_same_bytes(#[case] cases: &str) {
    let (whole, desk) = (desk(), desk());
    let fuzz = [&RANDOM[..], &["--cases", cases]].concat();
    let begin = Instant::now();
    ended(run(&whole, &fuzz), 10);
    println!("{cases} cases in {:?}", begin.elapsed());
    let report = program::read_json(&whole.path("report/report.json"));
    let result = &report["result"];
    assert_eq!((&result["green"], &result["blocked"]), (&0.into(), &0.into()), "cells passed");
    assert_eq!(result["cases"].to_string(), cases);
    // It is killed in the middle, with another number of workers, and then asked to end.
    let (code, ..) = stop(&desk, &[&RANDOM[..7], &["--threads=2", "--cases", cases]].concat(), "-KILL");
    assert_eq!(code, -1, "it cannot say how it ended");
    let (_, stderr) = ended(stop(&desk, &fuzz, "-HUP"), 129);
    assert!(stderr.contains("the same command goes on"), "{stderr}");
    let report = program::read_json(&desk.path("report/report.json"));
    assert_eq!(report["run"]["stopped"], true);
    assert!(report["result"]["findings"].as_array().is_some_and(|list| !list.is_empty()));
    let (promised, agreed) = agreed(&kept_file(&desk));
    println!("{agreed} of {promised} promised cases agree");
    assert!(promised > 0 && agreed * LUCK <= promised, "{agreed} of {promised} promised cases agree");
    ended(run(&desk, &fuzz), 10);
    assert!(!kept_file(&desk).exists(), "it came to its end");
    similar_asserts::assert_eq!(desk.result(), whole.result());
    // No finding is lost, and none is there twice.
    let names = |desk: &Desk| {
        let entries = std::fs::read_dir(desk.path("report/findings")).expect("findings were stored");
        entries.map(|entry| entry.expect("an entry").file_name()).collect::<BTreeSet<_>>()
    };
    assert_eq!(names(&desk), names(&whole));
}

const FAULTY: [&str; 8] = [
    "fuzz",
    "tensix-wh/mova2d",
    "--target",
    "cmd:./serve --fault=bias-always",
    "--threads=1",
    "--seed=7",
    "--timeout=60",
    "--cases=2000000",
];

#[rstest]
#[case::cases(&["--cases=1000000"], "cases is 2000000 there and 1000000 here")]
#[case::seconds(&["--seconds=5"], "seconds is null there and \"5\" here")]
#[case::seed(&["--seed=8"], "seed is 7 there and 8 here")]
#[case::instruction(&["tensix-wh/sfpand"], "filters is")]
#[case::edition(&["--edition=spec"], "edition is")]
#[case::only(&["--only=Move8Rows=1"], "only is")]
#[case::hold(&["--hold=DstRow=1"], "hold is")]
#[case::plain(&["--plain"], "plain is false there and true here")]
#[case::complete(&["--complete"], "complete is false there and true here")]
#[case::timeout(&["--timeout=59"], "timeout is")]
#[case::max_findings(&["--max-findings=9"], "max_findings is")]
#[case::targets(&["--targets=simd:portable"], "targets is")]
fn a_campaign_is_taken_up_by_none_with_other_options(#[case] more: &[&str], #[case] says: &str) {
    // What was kept once is there for all of them.
    static KEPT: std::sync::OnceLock<(Desk, Vec<u8>)> = std::sync::OnceLock::new();
    let (_, kept) = KEPT.get_or_init(|| {
        let desk = desk();
        ended(stop(&desk, &FAULTY, "-INT"), 130);
        let kept = std::fs::read(kept_file(&desk)).expect("it is kept");
        (desk, kept)
    });
    let desk = desk();
    std::fs::create_dir(desk.path("report")).expect("it can be made");
    std::fs::write(kept_file(&desk), kept).expect("it can be written");
    let name = |option: &str| option.split('=').next().unwrap_or_default().to_string();
    let amounts = ["--cases".to_string(), "--seconds".to_string()];
    let is_replaced = |word: &str| {
        let own = name(word);
        more.iter().any(|one| own == name(one) || amounts.contains(&own) && amounts.contains(&name(one)))
    };
    let same = FAULTY.iter().copied().filter(|word| !word.starts_with("--") || !is_replaced(word));
    let (_, stderr) = ended(run(&desk, &same.chain(more.iter().copied()).collect::<Vec<_>>()), 2);
    assert!(stderr.contains("campaign.json") && stderr.contains(says), "{stderr}");
    assert!(stderr.contains("delete the file to begin anew"), "{stderr}");
    assert_eq!(&std::fs::read(kept_file(&desk)).expect("it stays"), kept, "it is left as it was");
}

#[test]
fn a_campaign_that_was_changed_or_whose_target_was_is_not_taken_up() {
    let desk = desk();
    ended(stop(&desk, &FAULTY, "-TERM"), 143);
    let kept = std::fs::read(kept_file(&desk)).expect("it is kept");
    let refused = |bytes: &[u8]| {
        std::fs::write(kept_file(&desk), bytes).expect("it can be written");
        let (_, stderr) = ended(run(&desk, &FAULTY), 2);
        assert!(stderr.contains("campaign.json") && stderr.contains("to begin anew"), "{stderr}");
    };
    for place in 0..24 {
        let mut changed = kept.clone();
        changed[place * (kept.len() - 1) / 23] ^= 1 << (place % 7);
        refused(&changed);
    }
    refused(&kept[..kept.len() / 2]);
    // What another build kept, whose digest is right.
    let text = String::from_utf8(kept.clone()).expect("it is text");
    refused(text.replacen("\"version\":2", "\"version\":3", 1).as_bytes());
    refused(&resealed(&text, "\"generator\":", "\"generator\":1"));
    // A mended target at the same path.
    let file = desk.path("serve");
    let mut program = std::fs::read(&file).expect("it is there");
    program.push(0);
    std::fs::remove_file(&file).expect("it is ours");
    std::fs::write(&file, program).expect("it can be written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&file, mode).expect("it is ours");
    std::fs::write(kept_file(&desk), kept).expect("it can be written");
    let (_, stderr) = ended(run(&desk, &FAULTY), 2);
    assert!(stderr.contains("target_files is [\"serve ") && stderr.contains("to begin anew"), "{stderr}");
}

/// A kept campaign in which a text is another one, with the digest of what it holds then.
fn resealed(text: &str, from: &str, to: &str) -> Vec<u8> {
    let (head, left) = text.strip_suffix("}\n").and_then(|text| text.split_once(",\"left\":")).expect("it has a head");
    let left = left.replacen(from, to, 1);
    let digest: String = Sha256::digest(left.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let (before, _) = head.split_once("\"digest\":").expect("a head has a digest");
    format!("{before}\"digest\":\"{digest}\",\"left\":{left}}}\n").into_bytes()
}

#[test]
fn a_limit_on_the_size_of_files_is_no_error_of_the_command_line() {
    if !program::has("bash") {
        return;
    }
    let desk = desk();
    let told = |blocks: u32, words: &str| {
        let program = env!("CARGO_BIN_EXE_tandem");
        let line = format!("ulimit -f {blocks}; exec {program} {words} --no-vectors --no-causes --out report");
        let mut bash = std::process::Command::new("bash");
        told(&bash.current_dir(desk.path("")).args(["-c", &line]).output().expect("it runs"))
    };
    let fuzz = "fuzz tensix-wh/mova2d --targets simd:portable --seed 1 --cases 4096";
    ended(told(1 << 20, fuzz), 0);
    let report = desk.path("report/report.json");
    let before = std::fs::read(&report).expect("there is a report");
    let (_, stderr) = ended(told(4, &format!("{fuzz} --complete")), 15);
    assert!(stderr.contains("report/") && stderr.contains("make room"), "{stderr}");
    assert_eq!(std::fs::read(&report).expect("there is a report"), before, "what was there is as it was");
    let names = std::fs::read_dir(Path::new(&report).parent().expect("it lies in a folder")).expect("it is there");
    let left = names.filter(|name| name.as_ref().is_ok_and(|name| name.path().extension() == Some("new".as_ref())));
    assert_eq!(left.count(), 0, "nothing is left beside it");
}
