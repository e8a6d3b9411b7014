//! Gates on shards: together they come to what one machine comes to, byte for byte, and nothing else is taken for them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rstest::rstest;
use serde_json::Value;
use tandem::trial;
use tandem_harness::report::{Inputs, Report};
use tandem_harness::{Budget, Campaign, CampaignResult, Checkpoint, Plan, Progress, Shard, Suite, TargetFactory, join};
use tandem_isa::{Edition, Noise};

use crate::parts::{instruction, one_in};
use crate::program::{self, Desk, Told, ended, read_json, told};

/// Not a whole number of blocks.
const CASES: u64 = 20_000;

// ------------------------------------------------------------------------------------------------ campaigns

/// A whole target and a partial one, each with a fault, in two instructions.
fn suite() -> (Suite, Plan) {
    let [(isa, mova2d), (_, store)] = ["tensix-wh/mova2d", "tensix-wh/sfpstore"].map(instruction);
    let rarely = trial::factory("int16-missing");
    let partial = TargetFactory::partial(trial::factory("bias-always"));
    let suite = Suite { isas: vec![isa.with_targets(vec![rarely, partial])] };
    let units = vec![(mova2d, Edition::Spec), (mova2d, Edition::Newest), (store, Edition::Newest)];
    (suite, Plan { coverage: true, threads: 2, ..Plan::new(9, Budget::Cases(CASES), units) })
}

fn result(suite: &Suite, campaign: &CampaignResult) -> String {
    serde_json::to_string_pretty(&Report::build(&Inputs::new(suite, campaign)).result).expect("it serializes")
}

/// The checkpoints of all shards, by different numbers of workers.
fn shards(suite: &Suite, plan: &Plan, of: u64) -> Vec<Checkpoint> {
    let run = |number| {
        let shard = Shard::new(number, of).expect("there is such a shard");
        let plan = Plan { shard: Some(shard), threads: 1 + number as usize % 2, ..plan.clone() };
        let (checkpoint, is_whole) = Campaign::new(suite, &plan, &Progress::default()).run_shard();
        assert!(is_whole, "nobody stops it");
        // It goes through a file.
        let text = serde_json::to_string(&checkpoint).expect("a checkpoint serializes");
        serde_json::from_str(&text).expect("it reads back")
    };
    (1..=of).map(run).collect()
}

#[test]
fn any_number_of_shards_comes_to_the_result_of_one_machine() {
    let (suite, plan) = suite();
    let whole = Campaign::new(&suite, &plan, &Progress::default()).run();
    assert!(whole.findings.len() >= 2, "both faults are found");
    assert!(
        whole.findings.iter().any(|finding| finding.cases_to_find > 4 * 1024),
        "one is not met in the first blocks"
    );
    assert!(whole.units.iter().any(|unit| unit.observation.is_some()), "one target is partial");
    let expected = result(&suite, &whole);
    for of in [1, 2, 3, 7] {
        let joined = join(&shards(&suite, &plan, of), CASES).unwrap_or_else(|error| panic!("{of}: {error}"));
        let progress = Progress::default();
        let campaign = Campaign::new(&suite, &plan, &progress).going_on(joined).expect("it fits").run();
        similar_asserts::assert_eq!(result(&suite, &campaign), expected, "{of} shards");
    }
}

#[test]
fn what_is_no_shard_of_the_campaign_is_not_joined() {
    let (suite, plan) = suite();
    let parts = shards(&suite, &plan, 3);
    let [other] = &shards(&suite, &Plan { observe: 8, ..plan.clone() }, 1)[..] else { panic!("one was asked for") };
    let because = |parts: &[&Checkpoint], cases| {
        let parts: Vec<Checkpoint> = parts.iter().map(|&part| part.clone()).collect();
        join(&parts, cases).expect_err("they do not belong together").to_string()
    };
    let [one, two, three] = &parts[..] else { panic!("three were asked for") };
    let swapped = because(&[one, three, two], CASES);
    assert!(swapped.contains("dealt to it") || swapped.contains("not the shard's"), "{swapped}");
    assert!(because(&[one, two], CASES).contains("cases together"));
    assert!(because(&[one, two, three], CASES + 1).contains("cases together"));
    assert!(because(&[one, two, other], CASES).contains("observed"));
    assert!(because(&[], CASES).contains("no instruction"));
}

/// Every number of a value, by its way to it.
fn numbers(value: &Value, way: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(way.to_string()),
        Value::Array(list) => {
            list.iter().zip(0..).for_each(|(one, place)| numbers(one, &format!("{way}/{place}"), found))
        }
        Value::Object(map) => map.iter().for_each(|(key, one)| numbers(one, &format!("{way}/{key}"), found)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// A forged shard, whose digest would be right: it is refused, or what is wrong in it is no count of cases. Nothing panics.
#[test]
fn a_shard_with_another_number_is_refused_or_comes_to_as_many_cases_and_cells() {
    let (suite, plan) = suite();
    let parts = shards(&suite, &plan, 2);
    let counts = |parts: &[Checkpoint]| -> Result<(u64, u64, u64), String> {
        let joined = join(parts, CASES).map_err(|error| error.to_string())?;
        let progress = Progress::default();
        let plan = Plan { minimize: None, ..plan.clone() };
        let campaign = Campaign::new(&suite, &plan, &progress).going_on(joined).map_err(|error| error.to_string())?;
        let result = campaign.run();
        if one_in(2) == 1 {
            // Whatever was taken can be told.
            let _ = Report::build(&Inputs::new(&suite, &result));
        }
        Ok((result.cases, result.datums, result.units.iter().map(|unit| unit.cases()).sum()))
    };
    let expected = counts(&parts).expect("nothing was changed");
    let value = serde_json::to_value(&parts[1]).expect("a checkpoint serializes");
    let mut places = Vec::new();
    numbers(&value, "", &mut places);
    let (mut refused, mut tried) = (0, 0);
    let mut noise = Noise::new(1);
    // Of lists of thousands of counts a part is tried.
    let is_long = |place: &str| ["/cells/", "/tuples/", "/bits/", "/asked/"].iter().any(|list| place.contains(list));
    for place in places {
        if noise.below(if is_long(&place) { 256 * one_in(4) } else { one_in(2) }) > 0 {
            continue;
        }
        for other in [0, u64::from(u32::MAX), u64::MAX] {
            let mut forged = value.clone();
            let at = forged.pointer_mut(&place).expect("the number is there");
            if *at == other {
                continue;
            }
            *at = other.into();
            tried += 1;
            let Ok(part) = serde_json::from_value::<Checkpoint>(forged) else {
                refused += 1;
                continue;
            };
            match counts(&[parts[0].clone(), part]) {
                Err(_) => refused += 1,
                Ok(counts) => assert_eq!(counts, expected, "{place} is {other}"),
            }
        }
    }
    println!("{refused} of {tried} are refused");
    assert!(tried > 100 && refused * 10 > tried * 6, "{refused} of {tried} are refused");
    for (place, other, says) in [
        ("/blocks", u64::MAX, "blocks"),
        ("/cases", u64::MAX, "cases"),
        ("/datums", 1, "words"),
        ("/completed", u64::MAX, "completed"),
        ("/datums_of_blocks/0", u64::MAX, "words"),
        ("/units/0/cells/0/5", u64::MAX, "cell 0"),
    ] {
        let mut forged = value.clone();
        *forged.pointer_mut(place).expect("the number is there") = other.into();
        let part = serde_json::from_value(forged).expect("it is a checkpoint");
        let error = counts(&[parts[0].clone(), part]).expect_err("it cannot be so");
        assert!(error.contains(says), "{place}: {error}");
    }
    let mut forged = value;
    forged["seconds"] = (-1.0).into();
    let part = serde_json::from_value(forged).expect("it is a checkpoint");
    let error = counts(&[parts[0].clone(), part]).expect_err("it is no time");
    assert!(error.contains("seconds"), "{error}");
}

// ------------------------------------------------------------------------------------------------ the command line

/// `--target` for an implementation with faults behind a border.
pub fn faulty() -> String {
    format!("cmd:{} --fault=int16-missing+bias-always", program::example("serve").display())
}

fn fuzz<'a>(target: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let campaign = ["fuzz", "tensix-wh/mova2d", "--cases", "20000", "--complete", "--target", target];
    [&campaign[..], more].concat()
}

/// Runs the shards of a campaign on a desk, into directories with their numbers.
fn deal(desk: &Desk, target: &str, of: u64, more: &[&str]) {
    for number in 1..=of {
        let (shard, out) = (format!("{number}/{of}"), format!("{of}-{number}"));
        let own = ["--seed", "77", "--shard", &shard, "--out", &out];
        ended(desk.run(&[&fuzz(target, &own)[..], more].concat()), 0);
    }
}

#[test]
fn merge_writes_the_bytes_of_one_run_and_refuses_everything_else() {
    let target = faulty();
    let (whole, desk) = (Desk::new(), Desk::new());
    ended(whole.run(&fuzz(&target, &["--seed", "77", "--no-vectors", "--no-causes", "--out", "report"])), 10);
    let expected = whole.result();
    assert!(expected.contains("\"smallest\"") || expected.contains("\"minimized\""), "there are findings");
    ended(desk.run(&fuzz(&target, &["--seed", "77", "--learn", "learned.json"])), 0);
    deal(&desk, &target, 3, &["--learned", "learned.json"]);
    deal(&desk, &target, 1, &[]);
    let merge = |directories: &[&str]| {
        let options = ["--target", &target, "--no-vectors", "--no-causes", "--out", "report"];
        desk.run(&[&["merge"], directories, &options[..]].concat())
    };
    for directories in [&["3-1", "3-2", "3-3"][..], &["3-3", "3-1", "3-2"], &["1-1"]] {
        let _ = std::fs::remove_dir_all(desk.path("report"));
        ended(merge(directories), 10);
        similar_asserts::assert_eq!(desk.result(), expected, "{directories:?}");
    }
    // A shard that is done is not run again, and its directory is not taken for another.
    let again = ["--seed", "77", "--shard", "2/3", "--out", "3-2"];
    assert!(ended(desk.run(&fuzz(&target, &again)), 0).0.contains("before"));
    let other = ["--seed", "77", "--shard", "1/3", "--out", "3-2"];
    assert!(ended(desk.run(&fuzz(&target, &other)), 2).1.contains("shard 2/3 is there"));

    let says = |told: Told, code, words: &[&str]| {
        let (_, stderr) = ended(told, code);
        for word in words {
            assert!(stderr.contains(word), "{word}: {stderr}");
        }
        assert!(!stderr.contains("panicked"), "{stderr}");
    };
    says(merge(&["3-1", "3-3"]), 12, &["missing: 2/3"]);
    says(merge(&["3-1", "3-3", "nosuch"]), 12, &["missing: 2/3", "nosuch"]);
    says(merge(&["nosuch"]), 2, &["nosuch", "--shard"]);
    says(merge(&["3-1", "3-2", "3-3", "3-1"]), 2, &["3-1", "both shard 1/3"]);
    says(merge(&["3-1", "1-1"]), 2, &["3-1", "1-1", "one of 3", "of 1"]);
    says(merge(&["3-1", "3-2", "3-3", "--seed", "5"]), 2, &["--seed"]);
    let own = ["--seed", "78", "--shard", "2/3", "--learned", "learned.json", "--out", "other"];
    says(desk.run(&fuzz(&target, &own)), 2, &["learned.json", "seed is 77"]);
    ended(desk.run(&fuzz(&target, &["--seed", "78", "--shard", "2/3", "--out", "other"])), 0);
    says(merge(&["3-1", "other", "3-3"]), 2, &["3-1", "other", "seed is 77", "and 78"]);
    says(desk.run(&["merge", "3-1", "3-2", "3-3"]), 2, &["target_files is", "--target"]);

    let file = desk.path("3-2/shard.json");
    let bytes = std::fs::read(&file).expect("the shard left it");
    for part in 0..16 {
        let mut flipped = bytes.clone();
        flipped[part * (bytes.len() - 1) / 15] ^= 1;
        std::fs::write(&file, flipped).expect("it can be written");
        says(merge(&["3-1", "3-2", "3-3"]), 2, &["3-2/shard.json"]);
    }
    for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&file, &bytes[..length]).expect("it can be written");
        says(merge(&["3-1", "3-2", "3-3"]), 2, &["3-2/shard.json", "run the command of this shard again"]);
    }
}

fn start(desk: &Desk, arguments: &[&str]) -> Child {
    desk.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

/// Waits until more cases than `before` are kept, and gives how many there are; nothing if the shard ends first.
fn wait_for_more(child: &mut Child, kept: &Path, before: u64) -> Option<u64> {
    while child.try_wait().expect("it can be asked").is_none() {
        let text = std::fs::read_to_string(kept).unwrap_or_default();
        let kept: Value = serde_json::from_str(&text).unwrap_or_default();
        let cases = kept["left"]["checkpoint"]["cases"].as_u64().unwrap_or(0);
        if cases > before {
            return Some(cases);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    None
}

#[test]
fn a_shard_that_was_killed_or_stopped_goes_on_and_the_bytes_are_the_same() {
    let target = faulty();
    let (whole, desk) = (Desk::new(), Desk::new());
    let campaign =
        ["fuzz", "tensix-wh/mova2d", "--cases", "120000", "--seed", "5", "--threads", "1", "--target", &target];
    let report = ["--no-vectors", "--no-causes", "--out", "report"];
    ended(whole.run(&[&campaign[..], &report].concat()), 10);
    let shard =
        |number| [&campaign[..], &["--shard", ["1/2", "2/2"][number], "--out", ["one", "two"][number]]].concat();

    let kept = desk.path("one/campaign.json");
    // A fast machine may come to the end of the shard before it is stopped: then it begins anew.
    let is_stopped = |_| {
        let _ = std::fs::remove_dir_all(desk.path("one"));
        let mut child = start(&desk, &shard(0));
        let Some(cases) = wait_for_more(&mut child, &kept, 0) else { return false };
        child.kill().expect("it can be killed");
        let _ = child.wait();
        if desk.path("one/shard.json").exists() {
            return false;
        }
        let (_, stderr) = ended(desk.run(&["merge", "one", "--target", &target]), 2);
        assert!(stderr.contains("ended in the middle"), "{stderr}");
        let mut child = start(&desk, &shard(0));
        if wait_for_more(&mut child, &kept, cases).is_none() {
            return false;
        }
        let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(interrupt.expect("kill runs").success());
        let (code, stdout, stderr) = told(&child.wait_with_output().expect("it ended"));
        assert!(code == 130 || code == 0, "{code} {stdout}{stderr}");
        // Interrupted at the very end it has nothing left to do, and says 130 all the same.
        code == 130 && kept.exists()
    };
    assert!((0..8).any(is_stopped), "it ended before it was stopped, each time");
    let (stdout, _) = ended(desk.run(&shard(0)), 0);
    assert!(stdout.contains("going on after"), "{stdout}");
    assert!(!kept.exists(), "it came to its end");

    ended(desk.run(&shard(1)), 0);
    ended(desk.run(&[&["merge", "two", "one", "--target", &target], &report[..]].concat()), 10);
    similar_asserts::assert_eq!(desk.result(), whole.result());
}

#[rstest]
#[case(&["fuzz", "--shard", "0/3"], "I from 1 to N")]
#[case(&["exhaust", "--shard", "4/3"], "I from 1 to N")]
#[case(&["faults", "--shard", "1/100000"], "at most 4096")]
#[case(&["fuzz", "--shard", "1/3", "--seed", "1"], "--cases")]
#[case(&["fuzz", "--shard", "1/3", "--cases", "100000"], "--seed")]
#[case(&["fuzz", "--shard", "1/3", "--cases", "2048", "--seed", "1"], "2 blocks of 1024")]
#[case(&["fuzz", "--learn", "x", "--shard", "1/3"], "cannot be used with")]
#[case(&["faults", "--twists", "--shard", "1/3"], "cannot be used with")]
#[case(&["merge"], "DIR")]
fn what_cannot_be_dealt_is_said(#[case] arguments: &[&str], #[case] says: &str) {
    let (_, stderr) = ended(program::run(arguments), 2);
    assert!(stderr.contains(says), "{stderr}");
}

#[rstest]
#[case::exhaust(
    &["exhaust", "tensix-wh/mova2d", "--only", EXHAUSTED, "--target", "FAULTY"],
    "exhaust.json",
    10
)]
#[case::faults(&["faults", "tensix-wh/sfpand", "tensix-bh/sfpand", "--per-cell", "--cases", "4000"], "", 0)]
fn values_and_faults_are_dealt_out_too(#[case] arguments: &[&str], #[case] file: &str, #[case] code: i32) {
    let (target, desk) = (faulty(), Desk::new());
    let arguments: Vec<&str> = arguments.iter().map(|&word| if word == "FAULTY" { &*target } else { word }).collect();
    let (expected, _) = ended(desk.run(&[&arguments[..], &["--json", "--out", "whole"]].concat()), code);
    for (shard, out) in [("1/3", "one"), ("2/3", "two"), ("3/3", "three")] {
        ended(desk.run(&[&arguments[..], &["--shard", shard, "--out", out]].concat()), 0);
    }
    let options: &[&str] = if arguments.contains(&&*target) { &["--target", &target] } else { &[] };
    let merge = |directories: &[&str]| {
        desk.run(&[&["merge"], directories, options, &["--json", "--out", "merged"][..]].concat())
    };
    let (stdout, _) = ended(merge(&["three", "one", "two"]), code);
    if file.is_empty() {
        assert_eq!(stdout, expected);
    } else {
        let [whole, merged] = ["whole", "merged"].map(|out| read_json(&desk.path(out).join(file)));
        assert_eq!(merged, whole);
        let stored = |out: &str| std::fs::read_dir(desk.path(out).join("exhaust")).expect("cases are stored").count();
        assert_eq!(stored("merged"), stored("whole"));
    }
    let (_, stderr) = ended(merge(&["three", "one"]), 12);
    assert!(stderr.contains("missing: 2/3"), "{stderr}");
}

/// A few cells of `MOVA2D`, among them some in which a fault shows.
const EXHAUSTED: &str =
    "SrcAFmt=INT16,FP16A_FORCE_Enable=0,UseDst32bLo=0,Move8Rows=1,ALU_ACC_CTRL_Zero_Flag_disabled_src=0";
