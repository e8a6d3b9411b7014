//! The command line: exit codes, shapes that others read, and nothing silent.

use std::collections::BTreeSet;
use std::path::Path;

use rstest::rstest;
use serde_json::Value;
use tandem_cases::ISAS;
use tandem_harness::speed;
use tandem_simd::Level;

use crate::program::{self, ended, run, run_into};

/// What a command that agrees prints as JSON.
fn json_into(out: &Path, arguments: &[&str]) -> Value {
    let (stdout, _) = ended(run_into(out, arguments), 0);
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

fn json(arguments: &[&str]) -> Value {
    json_into(tempfile::tempdir().expect("a folder for the report").path(), arguments)
}

#[rstest]
#[case("tensix-bh", &["SFPABS", "SFPNOT"], 0, "steps 0 and 1: no rule is known of SFPNOT after SFPABS")]
#[case("tensix-wh", &["SFPIADD VD=2", "SFPSTORE VD=2"], 0, "is disputed by sfpiadd-then-reader-wh")]
#[case("tensix-wh", &["SFPIADD VD=2", "SFPSTORE VD=2"], 0, "tenstorrent/tt-llk#27")]
#[case("tensix-wh", &["SFPIADD VD=2", "SFPSTORE VD=3"], 0, "no rule is known that holds here")]
#[case("tensix-wh", &["SFPSWAP VD=2", "SFPSTORE VD=2"], 0, "tenstorrent/tt-llk#102")]
#[case("tensix-wh", &["SETDMAREG_IMMEDIATE", "WRCFG"], 0, "is disputed by setdmareg-then-wrcfg-wh")]
#[case("tensix-bh", &["SETDMAREG_IMMEDIATE", "WRCFG"], 10, "breaks setdmareg-then-wrcfg-bh")]
#[case("tensix-bh", &["SETDMAREG_IMMEDIATE", "WRCFG"], 10, "mended by 1 TT_STALLWAIT")]
fn rules_say_something_of_each_pair(
    #[case] isa: &str,
    #[case] steps: &[&str],
    #[case] code: i32,
    #[case] expected: &str,
) {
    let (stdout, _) = ended(run(&[&["rules", isa], steps].concat()), code);
    assert!(stdout.contains(expected), "{stdout}");
}

#[rstest]
#[case(&["fuzz", "tensix-wh/nosuch"], 2, "`tandem list` prints all")]
#[case(&["fuzz", "tensix-wh/mov2ad"], 2, "did you mean 'tensix-wh/mova2d'?")]
#[case(&["list", "sfplaod"], 2, "did you mean 'sfpload'?")]
#[case(&["list", "--family", "vectro"], 2, "did you mean 'vector'?")]
#[case(&["fuzz", "--edition", "old"], 2, "no edition 'old'")]
#[case(&["fuzz", "--edition", "newset"], 2, "did you mean 'newest'?")]
#[case(&["fuzz", "--targets", "smid"], 14, "did you mean 'simd'?")]
#[case(&["describe", "tensix-hw"], 2, "did you mean 'tensix-wh'?")]
#[case(&["describe", "tensix-wh", "mova2b"], 2, "did you mean 'mova2d'?")]
#[case(&["describe", "visa", "--json", "--format", "c"], 2, "choose one")]
#[case(&["errata", "TX-1"], 2, "did you mean 'TX-01'?")]
#[case(&["vectors", "export", "vectors/visa/mov.json", "--flags", "bystander"], 2, "did you mean 'bystanders'?")]
#[case(&["fuzz", "--target", "cmd:true", "--model", "Sum=fusd"], 2, "did you mean 'Sum=fused'?")]
#[case(&["fuzz", "--cases", "0"], 2, "0")]
#[case(&["fuzz", "--seconds", "-1"], 2, "")]
#[case(&["fuzz", "--seed", "0x1000000000000"], 2, "48 bits")]
#[case(&["nosuch"], 2, "nosuch")]
#[case(&["fuzz", "--targets", "nosuch"], 14, "no target 'nosuch'")]
#[case(&["fuzz", "--cases", "1000", "--vectors", "tests/gates"], 13, "tests/gates")]
#[case(&["fuzz", "--cases", "1000", "--vectors", "nosuch"], 13, "nosuch")]
#[case(&["vectors", "check", "Cargo.toml"], 13, "Cargo.toml")]
#[case(&["replay", "wh.mova2d.000"], 2, "not a case id")]
#[case(&["replay", "nosuch.json"], 2, "no file")]
#[case(&["replay", "vectors/tensix-wh/mova2d.json", "nosuch"], 2, "no test has the id 'nosuch'")]
#[case(&["show", "0xff000000"], 2, "opcode")]
#[case(&["show", "TT_MOVA2D(1, 2)"], 2, "5 arguments")]
#[case(&["show", "MOV (M1, 3) V32(0,0)<1> V33(0,0)<0;1,0>"], 2, "3")]
#[case(&["errata", "TX-999"], 2, "no erratum")]
#[case(&["exhaust", "visa/mov", "--only", "dst_typ=HF"], 2, "no axis 'dst_typ'; did you mean 'dst_type'?")]
#[case(&["exhaust", "visa/mov", "--only", "dst_type=FH"], 2, "no level 'FH'; did you mean 'HF'?")]
#[case(&["exhaust", "visa/mov", "--only", "src_type=DF"], 2, "no cell")]
#[case(&["bench", "--target", "cmd:true"], 2, "unexpected argument '--target'")]
#[case(&["errata", "--seed", "1"], 2, "unexpected argument '--seed'")]
#[case(&["fuzz", "--cases", "1e99"], 2, "more than 18446744073709551615")]
#[case(&["fuzz", "--cases", "-3"], 2, "a count is a whole number such as 4000000, 4_000_000, 4M or 4e6")]
#[case(&["fuzz", "-n", "2.5"], 2, "a count is a whole number such as 4000000, 4_000_000, 4M or 4e6")]
#[case(&["vectors", "export", "vectors/visa/mov.json", "--first", "0"], 2, "nothing to do with 0")]
#[case(&["fuzz", "--shard", "1/2", "--cases", "4k", "--seed", "1", "--max-findings", "1"], 2, "no shard knows")]
#[case(&["show", "tensix-wh/mova2d", "--set", "DstRwo=1"], 2, "did you mean 'DstRow'?")]
#[case(&["show", "tensix-wh/mova2d", "--set", "SrcAFmt=BF61"], 2, "SrcAFmt has no value 'BF61'; it has")]
#[case(&["show", "tensix-wh/mova2d", "--set", "SrcA[0][0][0]=0xfffff"], 2, "a number up to 0x7ffff")]
#[case(&["show", "tensix-wh/mova2d", "--set", "SrcA[9][0][0]=1"], 2, "no word 'SrcA[9][0][0]'; the last word")]
#[case(&["show", "tensix-wh/mova2d", "--set", "DstRow"], 2, "NAME=VALUE")]
#[case(&["show", "tensix-wh/mova2b"], 2, "did you mean 'mova2d'?")]
#[case(&["programs", "tensix-wh/mova2d", "--with", "tensix-wh", "--speed"], 2, "cannot be used with '--speed'")]
#[case(&["show", "0123456789abcdef"], 2, "has the id")]
#[case(&["fuzz", "--cases", "1024", "--complete"], 12, "cells are open")]
fn what_is_wrong_is_said_and_has_its_exit_code(#[case] arguments: &[&str], #[case] code: i32, #[case] says: &str) {
    let (exit, stdout, stderr) = run(arguments);
    assert_eq!(exit, code, "{stdout}{stderr}");
    assert!(stderr.contains(says), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_run_leaves_its_report_with_the_cells_of_the_list() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let report = json_into(out.path(), &["fuzz", "tensix-wh", "--cases", "20480", "--seed", "5", "--json"]);
    assert_eq!(report["result"]["cases"], 20_480);
    // The number of cells is that of the list, where an instruction of two editions counts both.
    let rows = json(&["list", "--json"]);
    let of_wormhole = |row: &&Value| row["isa"] == "tensix-wh";
    let cells: Option<u64> = rows["instructions"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(of_wormhole)
        .map(|row| row["cells"].as_u64())
        .sum();
    assert_eq!(report["result"]["cells"].as_u64(), cells);
    for file in ["report.json", "summary.md", "junit.xml", "index.html"] {
        assert!(out.path().join(file).metadata().expect("the report has this file").len() > 100, "{file}");
    }
}

#[test]
fn a_report_has_contested_cells_and_the_faults_that_were_hunted_by_this_version() {
    let out = tempfile::tempdir().expect("a folder for the report");
    let contested = ["tensix-wh/mova2d", "tensix-wh/sfpstore", "tensix-bh/sfpload", "tensix-bh/sfpstore", "visa/dpas"];
    let fuzz = || {
        let fuzz = ["fuzz", "--no-vectors", "--cases", "8192", "--seed", "5", "--json", "tensix-wh/sfpload"];
        let report = json_into(out.path(), &[&fuzz[..], &contested].concat());
        let [page, summary] = ["index.html", "summary.md"]
            .map(|file| std::fs::read_to_string(out.path().join(file)).expect("the report has this file"));
        (report, page, summary)
    };
    let (without, page, summary) = fuzz();
    assert!(without["run"].get("faults").is_none() && !page.contains("id=\"faults\"") && !summary.contains("faults:"));
    let units = without["result"]["units"].as_array().expect("units");
    let contested_cells = |instruction: &str, edition: &str| {
        let is = |unit: &&Value| {
            (unit["instruction"].as_str(), unit["edition"].as_str()) == (Some(instruction), Some(edition))
        };
        units.iter().find(is).unwrap_or_else(|| panic!("{instruction} {edition}"))["contested"].as_u64()
    };
    for instruction in ["tensix-wh/mova2d", "tensix-wh/sfpload"] {
        assert_eq!(contested_cells(instruction, "spec"), None, "{instruction}");
    }
    for instruction in contested {
        assert!(contested_cells(instruction, "newest") > Some(0), "{instruction}");
    }
    assert_eq!(contested_cells("tensix-wh/sfpload", "newest"), Some(0));

    // So few cases that some are missed.
    ended(run_into(out.path(), &["faults", "--cases", "60", "--seed", "3"]), 12);
    let file = out.path().join("faults.json");
    let text = std::fs::read_to_string(&file).expect("the hunt leaves its figures");
    let hunted: Value = serde_json::from_str(&text).expect("they are JSON");
    let hunted = hunted["left"]["part"].clone();
    assert!(hunted["found"].as_u64() < hunted["total"].as_u64());
    let paths: Vec<_> = hunted["instructions"]
        .as_array()
        .expect("instructions")
        .iter()
        .map(|one| one["instruction"].as_str())
        .collect();
    let all = ISAS.iter().flat_map(|isa| isa.instructions).map(|one| one.path());
    assert!(paths.iter().copied().eq(all.collect::<Vec<_>>().iter().map(|path| Some(path.as_str()))), "{paths:?}");
    for key in ["median_datums", "p90_datums", "mean_size", "max_runs", "seed"] {
        assert!(hunted[key].is_number() && hunted["version"].is_string(), "{key}");
    }
    let (with, page, summary) = fuzz();
    assert_eq!((&with["run"]["faults"], &with["result"]), (&hunted, &without["result"]));
    assert!(page.contains("id=\"faults\"") && summary.contains("- faults: **"), "{summary}");

    // What another version found says nothing about this one.
    let others = [
        (text.replace("\"found\":", "\"found\":1"), "digest"),
        (text.replacen("\"version\":2", "\"version\":9", 1), "version 9"),
        ("{".to_string(), "not whole"),
    ];
    for (other, why) in others {
        std::fs::write(&file, other).expect("the file can be written");
        let (stale, page, summary) = fuzz();
        assert!(stale["run"].get("faults").is_none() && !page.contains("id=\"faults\""));
        assert!(summary.contains(why) && summary.contains("faults.json"), "{summary}");
    }
}

#[test]
fn a_result_has_the_same_bytes_for_any_number_of_threads_and_any_level() {
    let result = |more: &[&str]| {
        // Instructions of each family and form, with their recorded vectors.
        let mut arguments = vec!["fuzz", "--cases", "12000", "--seed", "77", "--json"];
        arguments.extend([
            "tensix-wh/mova2d",
            "tensix-wh/sfpload",
            "tensix-wh/sfpand",
            "tensix-bh/movb2d",
            "tensix-bh/mvmul",
        ]);
        arguments.extend(["tensix-bh/semwait", "tensix-bh/wrcfg", "visa"]);
        arguments.extend(more);
        serde_json::to_string(&json(&arguments)["result"]).expect("it serializes")
    };
    let one = result(&["--threads", "1"]);
    assert_eq!(one, result(&["--threads", "2"]));
    for level in Level::detect_all() {
        assert_eq!(one, result(&["--threads", "2", "--targets", &format!("simd:{}", level.name())]));
    }
}

#[test]
fn list_bench_and_errata_have_the_shapes_that_others_read() {
    let list = json(&["list", "--json"]);
    let rows = list["instructions"].as_array().expect("there are rows");
    let expected = [
        ("tensix-wh", "mova2d", 2_560),
        ("tensix-wh", "sfpload", 2_752),
        ("tensix-wh", "sfpstore", 512),
        ("tensix-bh", "sfpload", 1_888),
        ("tensix-bh", "sfpstore", 576),
        ("visa", "mov", 3_034),
        ("visa", "dpas", 885),
    ];
    assert_eq!(rows.len(), ISAS.iter().map(|isa| isa.instructions.len()).sum::<usize>());
    for (isa, instruction, cells) in expected {
        let is = |row: &&Value| (row["isa"].as_str(), row["instruction"].as_str()) == (Some(isa), Some(instruction));
        let row = rows.iter().find(is).expect("it is in the list");
        assert_eq!(row["cells"], cells);
        for key in ["targets", "errata", "unwitnessed"] {
            assert!(row[key].as_array().is_some_and(|list| !list.is_empty()), "{key}");
        }
    }
    // Each unit has its own, and all units have all.
    let (vector, _) = ended(run(&["list", "--family", "vector"]), 0);
    assert!(vector.starts_with("vector\n  SFPLOAD ") && vector.contains("tensix-wh tensix-bh"), "{vector}");
    let (all, _) = ended(run(&["list", "--family", "all"]), 0);
    assert!(all.contains(&vector) && all.contains("\neu\n  MOV "), "{all}");
    let of_family = json(&["list", "--family", "vector", "--json"]);
    let of_family = of_family["instructions"].as_array().expect("there are rows").len();
    assert_eq!(of_family, rows.iter().filter(|row| row["family"] == "vector").count());
    let bench = json(&["bench", "tensix-wh/mova2d", "--json"]);
    let measured: Vec<&str> = bench["rows"]
        .as_array()
        .expect("there are rows")
        .iter()
        .map(|row| row["class"].as_str().expect("a class has a name"))
        .collect();
    let tensix = ["8rows-bf16", "8rows-fp16", "8rows-tf32", "1row-bf16"];
    let loads = ["sfpload-bf16", "sfpload-fp16", "sfpload-fp32", "sfpload-int8"];
    let stores = ["sfpstore-bf16", "sfpstore-fp32"];
    assert_eq!(measured, tensix);
    let visa = ["x32-f-hf", "x32-hf-f", "x32-f-bf", "x32-f-b-sat", "x32-d-f", "x16-df-f"];
    let dots = ["s8s8-sd8-rc8-x16", "u4s4-sd8-rc8-x16", "s2s8-sd8-rc8-x16", "bfbf-sd8-rc8-x16", "hfhf-sd8-rc8-x16"];
    let all = ISAS.iter().flat_map(|isa| isa.instructions).flat_map(|instruction| instruction.bench_classes);
    let classes: Vec<&str> = all.map(|class| class.name).collect();
    for class in [&tensix[..], &loads, &stores, &visa, &dots].concat() {
        assert!(classes.contains(&class), "{class}");
    }
    let errata = ISAS.iter().map(|isa| isa.errata.len()).sum::<usize>();
    assert_eq!(json(&["errata", "--json"])["errata"].as_array().map(Vec::len), Some(errata));
    assert!(errata > 90, "{errata}");
}

/// A class of which the pages promise nothing would end `tandem bench`.
#[test]
fn every_speed_class_is_of_cases_that_are_promised() {
    for isa in tandem::wiring::suite().isas {
        let isa = isa.with_targets(Vec::new());
        for instruction in isa.isa.instructions {
            for class in instruction.bench_classes {
                let refused = speed::measure(&isa, instruction, class, 1).err().map(|came| came.name());
                assert_eq!(refused, None, "{}: {}", instruction.path(), class.name);
            }
        }
    }
}

#[test]
fn a_stored_case_can_be_shown_replayed_and_minimized() {
    let (stdout, _) = ended(run(&["show", "vectors/tensix-wh/mova2d.json"]), 0);
    assert!(stdout.contains("TT_MOVA2D("), "{stdout}");
    let (stdout, _) = ended(run(&["replay", "vectors/tensix-wh/mova2d.json"]), 0);
    assert!(stdout.contains(" 0 failed"), "{stdout}");
    let (stdout, _) = ended(run(&["replay", "vectors/tensix-wh/mova2d.json", "888ddb5465046663"]), 0);
    assert!(stdout.contains(": 1 test: 1 agreed"), "{stdout}");
    let (code, stdout, _) = run(&["minimize", "vectors/tensix-wh/mova2d.ttsim-1.10.0.json"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("nothing to minimize"), "{stdout}");
}

/// Starts a wide exhaustive run and kills it when its journal has `lines` lines.
fn kill_at(out: &Path, lines: usize) -> String {
    let journal = out.join("exhaust/journal.jsonl");
    let read = || std::fs::read_to_string(&journal).unwrap_or_default();
    let only = "dst_type=HF,src_type=F,saturation=no,source_modifier=none,rounding_mode=RTZ";
    let mut run = program::tandem()
        .args(["exhaust", "visa/mov", "--wide", "--targets", "simd:portable", "--only", only, "--out"])
        .arg(out)
        .spawn()
        .expect("the binary runs");
    while read().lines().count() < lines {
        assert!(run.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    run.kill().expect("it can be killed");
    let _ = run.wait();
    read()
}

#[test]
fn a_wide_run_that_was_killed_goes_on_with_nothing_lost_and_nothing_twice() {
    let out = tempfile::tempdir().expect("a folder for the journal");
    let first = kill_at(out.path(), 1);
    // As if the last line had been cut in the middle.
    let journal = out.path().join("exhaust/journal.jsonl");
    std::fs::write(&journal, format!("{first}{{\"about\":")).expect("the journal can be written");
    let second = kill_at(out.path(), first.lines().count() + 2);
    assert!(second.starts_with(&first), "what was there stays");
    let mut chunks: Vec<(u64, u64)> = second
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("every line is whole");
            assert!(line["digest"].is_string());
            assert_eq!(line["values"], 1 << 24);
            (line["cell"].as_u64().expect("a cell"), line["chunk"].as_u64().expect("a chunk"))
        })
        .collect();
    let count = chunks.len();
    chunks.sort_unstable();
    chunks.dedup();
    assert_eq!(chunks.len(), count, "a chunk was run twice");
    std::fs::write(&journal, format!("nonsense\n{second}")).expect("the journal can be written");
    let exhaust = ["exhaust", "visa/mov", "--wide", "--only", "dst_type=HF,src_type=F"];
    let (code, _, stderr) = run_into(out.path(), &exhaust);
    assert_eq!(code, 2);
    assert!(stderr.contains("journal.jsonl, line 1"), "{stderr}");
}

#[test]
fn the_committed_reports_are_what_the_code_says_now() {
    let (code, stdout, stderr) = run(&["report", "--json"]);
    assert_eq!(code, 0, "run `tandem report --bless` and look at the difference: {stdout}{stderr}");
    let reports: Value = serde_json::from_str(&stdout).expect("it is JSON");
    crate::cli_json::fits("committed", &reports);
    let is_current = |file: &str| {
        let mut rows = reports["reports"].as_array().expect("a list").iter();
        rows.any(|row| row["file"] == format!("reports/{file}") && row["state"] == "up to date")
    };
    for file in ["tensix-wh.md", "tensix-bh.md", "visa.md", "errata.md"] {
        assert!(is_current(file), "{file}: {stdout}");
    }
    // A file for each page of edition `spec` whose statements are listed, and none that is left over.
    let pages: BTreeSet<&str> = ISAS
        .iter()
        .flat_map(|isa| isa.instructions)
        .map(|instruction| instruction.page(tandem_isa::Edition::Spec))
        .filter(|page| page.lines.is_some())
        .map(|page| page.id)
        .collect();
    assert!(pages.len() > 4);
    for page in &pages {
        assert!(is_current(&format!("spec-{page}.md")), "{page}: {stdout}");
    }
    let files =
        std::fs::read_dir("reports").expect("the directory is there").map(|entry| entry.expect("an entry").file_name());
    // The account of a summary, which is no page (`summary.rs`), goes by the same name.
    let of_pages = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("spec-") && name != "spec-003.md";
    assert_eq!(files.filter(of_pages).count(), pages.len());
}

#[test]
fn reports_are_held_against_each_other() {
    let [right, wrong] = [(); 2].map(|()| tempfile::tempdir().expect("a folder for the report"));
    let fuzz = ["fuzz", "tensix-wh/mova2d", "--cases", "8192", "--seed", "3", "--no-vectors", "--no-causes"];
    ended(run_into(right.path(), &fuzz), 0);
    let target = format!("cmd:{} --fault=bias-always", program::example("serve").display());
    ended(run_into(wrong.path(), &[&fuzz[..], &["--target", &target]].concat()), 10);
    let [right, wrong] = [&right, &wrong].map(|out| out.path().to_str().expect("the folder has a plain name"));
    let (stdout, _) = ended(run(&["diff", right, wrong]), 10);
    assert!(stdout.contains("born: tensix-wh/mova2d") && stdout.contains("0 closed"), "{stdout}");
    let (stdout, _) = ended(run(&["diff", wrong, right]), 0);
    assert!(stdout.contains("closed: tensix-wh/mova2d") && stdout.contains("0 born"), "{stdout}");
    let (stdout, _) = ended(run(&["diff", wrong, &format!("{wrong}/report.json")]), 0);
    assert!(stdout.contains("stayed: ") && !stdout.contains("tensix-wh/mova2d newest:"), "{stdout}");
    let (_, stderr) = ended(run(&["diff", wrong, "Cargo.toml"]), 2);
    assert!(stderr.contains("Cargo.toml") && stderr.contains("no report"), "{stderr}");
    let (_, stderr) = ended(run(&["trend", wrong, "nosuch"]), 2);
    assert!(stderr.contains("no report at nosuch"), "{stderr}");
    let page = tempfile::tempdir().expect("a folder for the page");
    let file = page.path().join("trend.html");
    ended(run_into(&file, &["trend", right, wrong]), 0);
    let page = std::fs::read_to_string(file).expect("the page was written");
    assert!(page.contains("<h1>2 reports</h1>") && page.contains("born on the way"), "{page}");
}
