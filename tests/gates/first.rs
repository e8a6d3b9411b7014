//! What a newcomer sees first: how long the first command runs and what it says, what `show` shows without being told more, and
//! how long the README is.

use std::path::Path;
use std::time::{Duration, Instant};

use rstest::rstest;
use tandem_harness::report::effect::{Effect, fill};
use tandem_harness::report::example::{example, shows};
use tandem_harness::specified;
use tandem_isa::Edition;

use crate::program::{self, ROOT, ended, read_json, run, run_into};

/// The words of the README at most.
const MOST_WORDS: usize = 900;

#[test]
fn every_instruction_shows_something_by_default_or_no_cell_of_it_is_specified() {
    let suite = tandem::wiring::suite();
    let (mut shown, mut undefined) = (0, Vec::new());
    // One does nothing, and says so.
    for (isa, instruction) in suite.instructions().filter(|(_, instruction)| instruction.name != "SFPNOP") {
        let unit = (instruction, Edition::Newest);
        let cells: Vec<u32> = (0..).take((instruction.cells)(Edition::Newest).len()).collect();
        let mut case = example(isa, unit, &cells).expect("there are cells");
        fill(isa, &mut case);
        let effect = Effect::of(isa, &case);
        if shows(isa, &case) {
            shown += 1;
        } else if specified(&suite, &[unit], 1)[0].iter().any(|&is| is) {
            panic!("{}: {} {:?}, {} changes", instruction.path(), effect.outcome, effect.cited, effect.changes.len());
        } else {
            undefined.push(instruction.path());
        }
    }
    // What has no specified mode at all has nothing to show.
    undefined.sort();
    let forms = ["tensix-bh", "tensix-wh"]
        .map(|isa| ["unpacr_nop_overlay_clear", "unpacr_nop_setreg"].map(|form| format!("{isa}/{form}")));
    let mut known = forms.concat();
    let others = ["bh/setdvalid", "bh/reg2flop_adc", "bh/reg2flop_configuration", "wh/reg2flop_adc"];
    known.extend(others.map(|one| format!("tensix-{one}")));
    known.sort();
    assert_eq!(undefined, known);
    assert!(shown > 90, "{shown}");
}

#[rstest]
#[case("tensix-wh/mvmul")]
#[case("tensix-wh/elwadd")]
#[case("tensix-wh/elwmul")]
#[case("tensix-wh/gapool")]
#[case("tensix-bh/elwsub")]
fn integers_of_the_matrix_unit_show_by_default(#[case] path: &str) {
    let (stdout, _) = ended(run(&["show", path]), 0);
    assert!(stdout.contains("what changes") && stdout.ends_with("the pages specify: done\n"), "{stdout}");
}

#[rstest]
#[case(&["SrcA[0][5][0]=1"], "SrcA[0][5][0]=1 was set, and this case does not read it")]
#[case(&["SrcA[0][0][0]=0x300", "Config[1].ALU_FORMAT_SPEC_REG0_SrcA=BF16"], "BF16 was set, and makes no difference")]
#[case(&["SrcA[0][0][0]=0x304"], "was left as FP32, and decides what comes of it")]
fn what_was_set_and_is_not_read_or_was_left_and_decides_is_said(#[case] set: &[&str], #[case] says: &str) {
    let (_, stderr) = ended(run(&["show", "tensix-wh/mova2d", "--set", &set.join(",")]), 0);
    assert!(stderr.contains(says), "{stderr}");
}

/// A word that is set to what it holds anyway is set: what is shown is what was asked for.
#[test]
fn words_that_are_set_to_their_base_values_are_not_filled() {
    let show = |set: &[&str]| ended(run(&[&["show", "tensix-wh/mova2d"], set].concat()), 0);
    let (filled, told) = show(&[]);
    assert!(told.contains("data that are read hold 1, 2, 3") && filled.contains("0x0007f"), "{filled}{told}");
    let (shown, told) = show(&["--set", "SrcA[0][0]=0"]);
    assert!(!told.contains("1, 2, 3") && !shown.contains("0x0007f"), "{shown}{told}");
}

#[test]
fn specified_is_one_number_however_long_a_run_is() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let units = |cases: &str, seed: &str| {
        ended(run_into(out.path(), &["fuzz", "tensix-wh", "-n", cases, "--seed", seed, "--no-vectors", "-q"]), 0);
        let report = read_json(&out.path().join("report.json"));
        let of = |unit: &serde_json::Value| {
            ["green", "offered", "promised", "cited", "cells"].map(|key| unit[key].as_u64().expect("a number"))
        };
        report["result"]["units"].as_array().expect("units").iter().map(of).collect::<Vec<_>>()
    };
    let (short, long) = (units("1024", "3"), units("200000", "4"));
    for (one, other) in short.iter().zip(&long) {
        assert_eq!(one[2..], other[2..], "specified, undefined and all cells");
        assert!([one, other].iter().all(|[passed, answered, specified, undefined, cells]| {
            passed <= answered && answered <= specified && specified + undefined == *cells
        }));
    }
    assert!(short.iter().map(|unit| unit[0]).sum::<u64>() < long.iter().map(|unit| unit[0]).sum());
}

/// Also where a wrong target differs in the few cases that the pages specify of a cell that counts as undefined.
#[test]
fn no_more_cells_are_answered_than_are_specified() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let target = format!("cmd:{} --fault=bias-always", program::example("serve").display());
    let fuzz =
        ["fuzz", "tensix-wh/mova2d", "-n", "60000", "--seed", "3", "--no-vectors", "--no-causes", "--target", &target];
    ended(run_into(out.path(), &fuzz), 10);
    let unit = &read_json(&out.path().join("report.json"))["result"]["units"][0];
    let [answered, specified, cited] =
        ["offered", "promised", "cited"].map(|key| unit[key].as_u64().expect("a number"));
    assert!(answered <= specified, "{answered} of {specified} are answered");
    assert!(cited < 2048 - specified, "a cell that counts as undefined has a finding");
}

#[test]
fn a_run_of_no_given_length_ends_when_every_cell_is_decided_and_says_so_first_and_last() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let begin = Instant::now();
    let (stdout, stderr) = ended(run_into(out.path(), &["fuzz", "tensix-wh/sfpnot"]), 0);
    let took = begin.elapsed();
    assert!((Duration::from_secs(9)..Duration::from_secs(20)).contains(&took), "{took:?}");
    let verdict = stdout.lines().nth(1).expect("it says more than the seed");
    assert!(verdict.starts_with("All passed: ") && verdict.ends_with("; 0 findings, 0 new"), "{stdout}");
    assert_eq!(stdout.lines().filter(|line| *line == verdict).count(), 2, "{stdout}");
    assert!(stdout.lines().rev().take(2).any(|line| line == verdict), "{stdout}");
    assert!(stderr.contains("until every cell is decided: 10 to 30 seconds"), "{stderr}");
    assert!(stderr.contains(" cells decided"), "{stderr}");
}

#[test]
fn seconds_that_were_asked_for_are_what_is_run() {
    let begin = Instant::now();
    ended(run(&["fuzz", "tensix-wh/sfpnot", "--seconds", "1"]), 0);
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn the_readme_is_short_and_its_table_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("README.md")).expect("it is there");
    let words = text.split_whitespace().count();
    assert!(words <= MOST_WORDS, "{words} words");
    for command in ["cargo run --release", "cargo test", "show tensix-wh/sfpsetcc", "--set"] {
        assert!(text.contains(command), "{command}");
    }
    let suite = tandem::wiring::suite();
    let mut rows = 0;
    for line in text.lines() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [path, "newest", cells, three, ..] = columns[..] else { continue };
        let Some((_, instruction)) = suite.instructions().find(|(_, one)| one.path() == path) else { continue };
        let of = &specified(&suite, &[(instruction, Edition::Newest)], 2)[0];
        let count = of.iter().filter(|&&is| is).count().to_string();
        let figures: Vec<String> = three.split('/').map(|figure| figure.replace(',', "")).collect();
        assert_eq!((cells, &*figures), (&*of.len().to_string(), &*vec![count; 3]), "{line}");
        rows += 1;
    }
    assert!(rows >= 2, "the README shows what a run prints");
}
