//! Recordings from others: an honest one is taken, and each attack is refused or flagged.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_challenge::{
    ANSWER_FILES, AskedTest, COLLECTION_FILE, Challenge, Collection, Facts, FlagKind, HEAD_FILE, RECORD_FILE,
    RUN_FILES, Record, check, draw,
};
use tandem_harness::vectors::{Sparse, Store};
use tandem_harness::{IsaSuite, Suite};
use tandem_isa::{Edition, Noise, Step, Target};

use crate::cli_json::fits;
use crate::program::{ended, read_json, run, tandem, told};

/// Instructions of all sets, of which some have cells for which the pages promise nothing.
const FILTERS: [&str; 5] = ["visa/mov", "visa/dpas", "tensix-wh/mova2d", "tensix-bh/sfpload", "tensix-bh/setrwc"];
const NONCES: [&str; 2] = ["0123456789abcdef0123456789abcdef", "00000000000000000000000000000001"];
/// Tests of the challenge that is attacked.
const TESTS: usize = 600;

/// The files of [`FILTERS`].
static STORE: LazyLock<Store> = LazyLock::new(|| {
    let is_asked = |one: &tandem_isa::Instruction| FILTERS.contains(&&*one.path());
    Store::load_of(ISAS, Path::new("vectors"), &is_asked).expect("the committed files are right")
});
static SUITE: LazyLock<Suite> = LazyLock::new(wiring::suite);
/// A challenge in a folder, with what it is when it is read.
static CHALLENGE: LazyLock<(tempfile::TempDir, Challenge)> = LazyLock::new(|| drawn(NONCES[0]));
/// What the SIMD side answers in both runs.
static HONEST: LazyLock<[Lines; 2]> = LazyLock::new(|| both(&CHALLENGE.1, simd));
/// What the reference does in both runs, and leaves where it stops.
static COPIED: LazyLock<[Lines; 2]> = LazyLock::new(|| both(&CHALLENGE.1, |_| Box::new(tandem_faults::Right)));

type Lines = Vec<Value>;

fn drawn(nonce: &str) -> (tempfile::TempDir, Challenge) {
    drawn_of(&STORE, nonce)
}

fn drawn_of(store: &Store, nonce: &str) -> (tempfile::TempDir, Challenge) {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = draw(&SUITE, store, nonce, TESTS);
    fs::write(folder.path().join(HEAD_FILE), drawn.head.to_text()).expect("it can be written");
    for (file, text) in RUN_FILES.iter().zip(&drawn.texts) {
        fs::write(folder.path().join(file), text).expect("it can be written");
    }
    let challenge = Challenge::read(ISAS, folder.path()).expect("it was just drawn");
    (folder, challenge)
}

fn simd(isa: &IsaSuite) -> Box<dyn Target> {
    isa.targets.last().expect("there is a level").make()
}

/// A machine's answers to the tests of a run.
fn answers(asked: &[AskedTest], make: fn(&IsaSuite) -> Box<dyn Target>) -> Lines {
    let state = |isa: &IsaSuite| isa.isa.base_state();
    let new = |isa: &IsaSuite| (isa.isa.name, make(isa), [state(isa), state(isa), state(isa)]);
    let mut targets: Vec<_> = SUITE.isas.iter().map(new).collect();
    let answer = |AskedTest { id, isa, instruction, test, .. }: &AskedTest| {
        let of_isa = targets.iter_mut().find(|(name, ..)| *name == isa.name);
        let (_, target, [base, before, after]) = of_isa.expect("every set has a target");
        before.copy_from(base);
        test.before.apply(isa, before);
        after.copy_from(before);
        target.reset();
        let step = Step { instruction: instruction.facts, edition: Edition::Newest, code: &test.code };
        let answer = target.execute(&step, after);
        let (small, rows) = Sparse::between(isa, before, after).named(isa);
        json!({ "id": id, "outcome": answer.name(), "small": small, "rows": rows })
    };
    asked.iter().map(answer).collect()
}

fn both(challenge: &Challenge, make: fn(&IsaSuite) -> Box<dyn Target>) -> [Lines; 2] {
    challenge.runs.each_ref().map(|run| answers(run, make))
}

/// What another board answers: to one test in eight that changes a row, something else by a bit.
fn other_board(challenge: &Challenge, lines: &[Lines; 2]) -> [Lines; 2] {
    let mut lines = lines.clone();
    for (run, lines) in challenge.runs.iter().zip(&mut lines) {
        for (asked, line) in run.iter().zip(lines) {
            if asked.content.starts_with(['0', '1']) {
                flip(line);
            }
        }
    }
    lines
}

/// Changes a bit of the first row, if there is one; whether there is.
fn flip(line: &mut Value) -> bool {
    let word = line["rows"].get(0).and_then(|row| row[2][0].as_u64());
    if let Some(word) = word {
        line["rows"][0][2][0] = json!(word ^ 1);
    }
    word.is_some()
}

/// Places of a run for which the pages promise nothing: whoever has the reference can ask it.
fn unpromised(run: &[AskedTest]) -> BTreeSet<usize> {
    let is = |asked: &AskedTest| {
        let value = asked.test.case_value(asked.isa, asked.instruction, Edition::Newest);
        let isa = SUITE.isa(asked.isa.name).expect("it is of the suite");
        let step = Step { instruction: asked.instruction.facts, edition: Edition::Newest, code: &value.code };
        (isa.reference)().execute(&step, &mut value.state()).required_answer().is_none()
    };
    run.iter().enumerate().filter(|(_, asked)| is(asked)).map(|(place, _)| place).collect()
}

/// Changes the answers where the pages promise nothing; `change` is told how many there were before in the run.
fn where_unpromised(mut lines: [Lines; 2], change: impl Fn(usize, &mut Value)) -> [Lines; 2] {
    for (run, lines) in CHALLENGE.1.runs.iter().zip(&mut lines) {
        // By test, so that a repeated one has the same answer, in both runs.
        let places = unpromised(run);
        let contents: BTreeSet<&String> = places.iter().map(|&place| &run[place].content).collect();
        for place in places {
            let number = contents.iter().position(|content| **content == run[place].content);
            change(number.expect("it is one of them"), &mut lines[place]);
        }
    }
    lines
}

fn bytes(lines: &[Value]) -> Vec<u8> {
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn facts(operator: &str, board: &str) -> Facts {
    let [chip, revision, firmware, clock] = ["Blackhole", "B0", "18.4.0", "1350 MHz"].map(str::to_string);
    let (tools, command) = ("luwen 0.7".to_string(), "run.sh".to_string());
    Facts { operator: operator.to_string(), board: board.to_string(), chip, revision, firmware, clock, tools, command }
}

/// Makes the folder of a record, as `tandem challenge record` does.
fn recorded(challenge: &Challenge, facts: Facts, lines: &[Lines; 2]) -> Result<tempfile::TempDir, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = [0, 1].map(|run| (ANSWER_FILES[run].to_string(), bytes(&lines[run])));
    let record = Record::of(challenge, facts, &runs).map_err(|error| error.to_string())?;
    for (name, bytes) in &runs {
        fs::write(folder.path().join(name), bytes).expect("it can be written");
    }
    fs::write(folder.path().join(RECORD_FILE), record.to_text()).expect("it can be written");
    Ok(folder)
}

/// What speaks against a record; or why it is refused.
fn checked(challenge: &Challenge, folder: &Path) -> Result<Vec<&'static str>, String> {
    let look = || {
        let (record, runs) = Record::read(folder)?;
        check(&SUITE, challenge, &record, &runs)
    };
    let checked = look().map_err(|error| error.to_string())?;
    Ok(checked.flags.iter().map(|flag| flag.kind.name()).collect())
}

/// The same of answers.
fn attacked(lines: &[Lines; 2]) -> Result<Vec<&'static str>, String> {
    let folder = recorded(&CHALLENGE.1, facts("mallory", "7"), lines)?;
    checked(&CHALLENGE.1, folder.path())
}

/// Answers with the ids of other tests, in the order in which they are.
fn renamed(lines: &Lines, asked: &[AskedTest]) -> Lines {
    let rename = |(line, asked): (&Value, &AskedTest)| {
        let mut line = line.clone();
        line["id"] = json!(asked.id);
        line
    };
    lines.iter().zip(asked).map(rename).collect()
}

#[test]
fn a_challenge_is_what_was_asked_for_and_tells_nothing() {
    let (folder, challenge) = &*CHALLENGE;
    let head = &challenge.head;
    assert_eq!((head.tests, head.repeated, head.unpromised), (TESTS, TESTS / 20, TESTS / 50));
    let [first, second] =
        challenge.runs.each_ref().map(|run| run.iter().map(|asked| &*asked.content).collect::<Vec<_>>());
    assert_eq!(first.len(), TESTS + TESTS / 20 + TESTS / 50);
    let sorted = |contents: &[&str]| {
        let mut contents: Vec<String> = contents.iter().map(ToString::to_string).collect();
        contents.sort_unstable();
        contents
    };
    assert_eq!(sorted(&first), sorted(&second), "both runs ask the same");
    let same = first.iter().zip(&second).filter(|(first, second)| first == second).count();
    assert!(same < 10, "{same} tests have the same place in both orders");
    let different: BTreeSet<_> = first.iter().collect();
    assert_eq!(first.len() - different.len(), TESTS / 20);
    let num_unpromised = challenge.runs[0].iter().enumerate();
    let places = unpromised(&challenge.runs[0]);
    let contents: BTreeSet<_> =
        num_unpromised.filter(|(place, _)| places.contains(place)).map(|(_, asked)| &asked.content).collect();
    assert_eq!(contents.len(), TESTS / 50);
    // No id comes twice, in either run, or in another challenge.
    let other = drawn(NONCES[1]).1;
    let ids: BTreeSet<_> = challenge.runs.iter().chain(&other.runs).flatten().map(|asked| &asked.id).collect();
    assert_eq!(ids.len(), 2 * first.len() + other.runs[0].len() + other.runs[1].len());
    assert_eq!(drawn(NONCES[0]).1.digest, challenge.digest, "the same nonce gives the same challenge");
    fits("challenge", &read_json(&folder.path().join(HEAD_FILE)));
    for file in RUN_FILES {
        let text = fs::read_to_string(folder.path().join(file)).expect("it is there");
        for line in text.lines().step_by(20) {
            fits("challenge-test", &serde_json::from_str(line).expect("it is JSON"));
        }
    }
}

#[test]
fn an_honest_record_has_no_flag() {
    assert_eq!(attacked(&HONEST), Ok(vec![]));
    // A machine that is wrong, the same in both runs, is no fraud.
    assert_eq!(attacked(&other_board(&CHALLENGE.1, &HONEST)), Ok(vec![]));
    // Nor is one that does a part of the instructions, or words an answer otherwise.
    let mut part = HONEST.clone();
    for (run, lines) in CHALLENGE.1.runs.iter().zip(&mut part) {
        for (asked, line) in run.iter().zip(lines).filter(|(asked, _)| asked.instruction.file != "mov") {
            *line = json!({ "id": asked.id, "outcome": "unsupported" });
        }
    }
    assert_eq!(attacked(&part), Ok(vec![]));
    let nothing = CHALLENGE
        .1
        .runs
        .each_ref()
        .map(|run| run.iter().map(|asked| json!({ "id": asked.id, "outcome": "unsupported" })).collect::<Lines>());
    assert!(attacked(&nothing).is_err_and(|why| why.contains("line 1: ")));
}

#[test]
fn a_replayed_batch_is_refused_or_flagged_in_5_of_5() {
    let challenge = &CHALLENGE.1;
    let other = drawn(NONCES[1]).1;
    let old = both(&other, simd);
    // Answers to an earlier challenge.
    let earlier = recorded(&other, facts("mallory", "7"), &old).expect("it was honest then");
    let why = checked(challenge, earlier.path()).expect_err("another challenge");
    assert!(why.contains("/challenge: "), "{why}");
    // The same, said to be of this challenge.
    let path = earlier.path().join(RECORD_FILE);
    let text = fs::read_to_string(&path).expect("it is there").replace(&other.digest, &challenge.digest);
    fs::write(&path, sealed(&text)).expect("it can be written");
    let why = checked(challenge, earlier.path()).expect_err("other ids");
    assert!(why.contains("line 1: it answers '"), "{why}");
    // With the ids of this challenge, in the order of the earlier one.
    let renamed_runs = [0, 1].map(|run| renamed(&old[run], &challenge.runs[run]));
    assert!(attacked(&renamed_runs).is_err_and(|why| why.contains("line ")));
    // The first run again, in its order, with the ids of the second. All answers are of one instruction set, so that each
    // can be an answer to any test.
    let of_one = STORE.files.iter().filter(|(_, file)| file.isa.name == "visa").cloned().collect();
    let alike = drawn_of(&Store { files: of_one, ..Store::default() }, NONCES[0]).1;
    let first = both(&alike, simd)[0].clone();
    let twice = [first.clone(), renamed(&first, &alike.runs[1])];
    let folder = recorded(&alike, facts("mallory", "7"), &twice).expect("they can be read");
    let flags = checked(&alike, folder.path()).expect("it is flagged");
    assert!(flags.contains(&"runs-differ") && flags.contains(&"unsteady"), "{flags:?}");
    // Somebody else's record, under another name.
    let taken = collected(&[("alice", "1", &HONEST), ("mallory", "7", &HONEST)]);
    assert_eq!(taken, [vec![], vec!["replayed"]]);
}

/// The flags of records that are collected one after the other.
fn collected(records: &[(&str, &str, &[Lines; 2])]) -> Vec<Vec<&'static str>> {
    let mut collection = Collection::default();
    let mut take = |(operator, board, lines): &(&str, &str, &[Lines; 2])| {
        let folder = recorded(&CHALLENGE.1, facts(operator, board), lines).expect("they can be read");
        let (record, runs) = Record::read(folder.path()).expect("it was just made");
        let mut checked = check(&SUITE, &CHALLENGE.1, &record, &runs).expect("it is of this challenge");
        collection.add(&record, &mut checked).expect("it is not there");
        checked.flags.iter().map(|flag| flag.kind.name()).collect()
    };
    records.iter().map(&mut take).collect()
}

/// A record whose digest is right again after it was changed.
fn sealed(text: &str) -> String {
    let digest = |text: &str| text.split("\"digest\": \"").nth(1).expect("it has one")[..64].to_string();
    let empty = text.replacen(&digest(text), "", 1);
    let hash: String = Sha256::digest(empty.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    empty.replacen("\"digest\": \"\"", &format!("\"digest\": \"{hash}\""), 1)
}

#[test]
fn a_copied_reference_is_flagged_in_5_of_5() {
    let variants: [(&str, [Lines; 2]); 5] = [
        ("as the reference leaves it", COPIED.clone()),
        (
            "not supported where nothing is promised",
            where_unpromised(COPIED.clone(), |_, line| *line = json!({ "id": line["id"], "outcome": "unsupported" })),
        ),
        (
            "nothing changes where nothing is promised",
            where_unpromised(COPIED.clone(), |_, line| *line = json!({ "id": line["id"], "outcome": "done" })),
        ),
        (
            "held, or as the reference leaves it",
            where_unpromised(COPIED.clone(), |number, line| {
                if number % 2 == 0 {
                    *line = json!({ "id": line["id"], "outcome": "blocked" });
                }
            }),
        ),
        ("with faults of a machine elsewhere", {
            let faulty = other_board(&CHALLENGE.1, &COPIED);
            let mut lines = COPIED.clone();
            for (run, asked) in CHALLENGE.1.runs.iter().enumerate() {
                let places = unpromised(asked);
                for place in (0..asked.len()).filter(|place| !places.contains(place)) {
                    lines[run][place] = faulty[run][place].clone();
                }
            }
            lines
        }),
    ];
    for (name, lines) in variants {
        assert_eq!(attacked(&lines), Ok(vec!["not-its-own"]), "{name}");
    }
}

#[test]
fn a_flipped_bit_is_refused_with_its_place_in_5_of_5() {
    let (folder, challenge) = &*CHALLENGE;
    let record = recorded(challenge, facts("alice", "1"), &HONEST).expect("it is honest");
    assert_eq!(checked(challenge, record.path()), Ok(vec![]));
    // A bit of an answer, the end of a line, of a fact, of a leaf.
    let at_line = |file: &str, line: usize| {
        let bytes = fs::read(record.path().join(file)).expect("it is there");
        bytes.split_inclusive(|&byte| byte == b'\n').take(line).map(<[u8]>::len).sum::<usize>()
    };
    let of_text = |text: &str| {
        let whole = fs::read_to_string(record.path().join(RECORD_FILE)).expect("it is there");
        whole.find(text).expect("it is there") + text.len()
    };
    let places = [
        (ANSWER_FILES[0], at_line(ANSWER_FILES[0], 41) + 20, 3, "run-1.answers.jsonl: line 42: "),
        (ANSWER_FILES[1], at_line(ANSWER_FILES[1], 8) - 1, 7, "run-2.answers.jsonl: line 8: "),
        (RECORD_FILE, of_text("\"clock\": \"13"), 0, "record.json: /digest: "),
        (RECORD_FILE, of_text("\"leaves\": [\n        \""), 1, "record.json: "),
    ];
    for (file, at, bit, place) in places {
        let path = record.path().join(file);
        flip_bit(&path, at, bit);
        let why = checked(challenge, record.path()).expect_err("it was changed");
        assert!(why.contains(place), "{why}");
        flip_bit(&path, at, bit);
        assert_eq!(checked(challenge, record.path()), Ok(vec![]));
    }
    // And of a test of the challenge.
    let copy = tempfile::tempdir().expect("a folder");
    for file in [HEAD_FILE, RUN_FILES[0], RUN_FILES[1]] {
        fs::copy(folder.path().join(file), copy.path().join(file)).expect("it can be copied");
    }
    flip_bit(&copy.path().join(RUN_FILES[1]), 5000, 2);
    let why = Challenge::read(ISAS, copy.path()).expect_err("it was changed").to_string();
    assert!(why.contains("run-2.jsonl: all of it: its hash is "), "{why}");
}

fn flip_bit(path: &Path, at: usize, bit: u32) {
    let mut bytes = fs::read(path).expect("it is there");
    bytes[at] ^= 1 << bit;
    fs::write(path, bytes).expect("it can be written");
}

#[test]
fn two_boards_merged_are_flagged_in_5_of_5() {
    let one = &*HONEST;
    let other = other_board(&CHALLENGE.1, one);
    let mixed = |is_other: &dyn Fn(usize, usize) -> bool| {
        [0, 1].map(|run| {
            let lines =
                (0..one[run].len()).map(|place| if is_other(run, place) { &other } else { one }[run][place].clone());
            lines.collect::<Lines>()
        })
    };
    let half = one[0].len() / 2;
    let mut named = one.clone();
    named[1][half]["board"] = json!("8");
    let variants: [(&str, [Lines; 2], &[&str]); 5] = [
        ("a run each", mixed(&|run, _| run == 1), &["runs-differ"]),
        ("a half of each run", mixed(&|_, place| place >= half), &["unsteady", "runs-differ"]),
        ("turn by turn", mixed(&|_, place| place % 2 == 0), &["unsteady", "runs-differ"]),
        ("the last tenth of one run", mixed(&|run, place| run == 0 && place * 10 >= half * 18), &["runs-differ"]),
        ("alike, and named in a line", named, &["facts-differ"]),
    ];
    for (name, lines, expected) in variants {
        let flags = attacked(&lines).expect("it is flagged");
        assert!(expected.iter().all(|flag| flags.contains(flag)), "{name}: {flags:?}");
    }
}

#[test]
fn broken_files_are_refused_with_file_and_place() {
    let challenge = &CHALLENGE.1;
    let refused = |change: &dyn Fn(&mut [Lines; 2]), place: &str| {
        let mut lines = HONEST.clone();
        change(&mut lines);
        let why = attacked(&lines).expect_err("it is wrong");
        assert!(why.starts_with(place), "{why}");
    };
    refused(&|lines| lines.swap(0, 1), "run-1.answers.jsonl: line 1: ");
    refused(&|lines| lines[0].swap(6, 7), "run-1.answers.jsonl: line 7: ");
    refused(&|lines| drop(lines[1].remove(9)), "run-2.answers.jsonl: line 10: ");
    refused(&|lines| drop(lines[1].pop()), "run-2.answers.jsonl: line 642: ");
    refused(&|lines| lines[0].push(json!({})), "run-1.answers.jsonl: line 643: ");
    refused(&|lines| lines[0][3]["outcome"] = json!("perhaps"), "run-1.answers.jsonl: line 4: ");
    refused(&|lines| lines[0][3]["small"] = json!({ "nosuch": 1 }), "run-1.answers.jsonl: line 4: ");
    let why = recorded(challenge, facts("alice", " "), &HONEST).expect_err("it is empty");
    assert!(why.starts_with("record.json: /facts/board: "), "{why}");
    // Whatever is done to a file, it is refused, and nothing panics.
    let record = recorded(challenge, facts("alice", "1"), &HONEST).expect("it is honest");
    let mut noise = Noise::new(7);
    for file in [RECORD_FILE, ANSWER_FILES[0]] {
        let path = record.path().join(file);
        let whole = fs::read(&path).expect("it is there");
        for _ in 0..100 {
            let mut bytes = whole.clone();
            let at = noise.bits(31) as usize % bytes.len();
            match noise.below(3) {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << noise.below(8),
                _ => drop(bytes.remove(at)),
            }
            fs::write(&path, bytes).expect("it can be written");
            // What stands between the members of a record may be written otherwise.
            let came = Record::read(record.path());
            assert!(came.is_err() || file == RECORD_FILE, "{file} {at}");
        }
        fs::write(&path, whole).expect("it can be written");
    }
    // A collection.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(COLLECTION_FILE);
    let mut collection = Collection::default();
    let (record, runs) = Record::read(record.path()).expect("it is whole again");
    let mut checked = check(&SUITE, challenge, &record, &runs).expect("it is honest");
    collection.add(&record, &mut checked).expect("it is new");
    let text = collection.to_text();
    fs::write(&path, &text).expect("it can be written");
    assert_eq!(Collection::read(ISAS, folder.path()).expect("it is right").to_text(), text);
    for (from, to) in [("\"code\":[", "\"code\":[7,"), ("\"done\"", "\"dune\""), ("\"by\"", "\"of\"")] {
        let line = text.lines().position(|line| line.contains(from)).expect("there is one") + 1;
        fs::write(&path, text.replacen(from, to, 1)).expect("it can be written");
        let why = Collection::read(ISAS, folder.path()).expect_err("it is wrong").to_string();
        assert!(why.contains(&format!("recordings.jsonl: line {line}: ")), "{why}");
    }
}

/// The facts of a record as options.
fn machine<'a>(operator: &'a str, board: &'a str) -> Vec<&'a str> {
    vec![
        "--operator",
        operator,
        "--board",
        board,
        "--chip",
        "Blackhole",
        "--revision",
        "B0",
        "--firmware",
        "18.4.0",
        "--clock",
        "1350 MHz",
        "--tools",
        "luwen 0.7",
        "--command",
        "run.sh",
    ]
}

/// A key in a folder, and the file that allows it to sign for an operator; nothing if there is no `ssh-keygen`.
fn key(folder: &Path, operator: &str) -> Option<(PathBuf, PathBuf)> {
    let (key, signers) = (folder.join("key"), folder.join("signers"));
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).output();
    let Ok(made) = made else {
        println!("not run: there is no ssh-keygen");
        return None;
    };
    assert!(made.status.success(), "{made:?}");
    let public = fs::read_to_string(key.with_extension("pub")).expect("a key has two parts");
    fs::write(&signers, format!("{operator} {public}")).expect("it can be written");
    Some((key, signers))
}

/// Two challenges, one of 2,000 tests, answered by two machines and taken in; and one altered answer.
#[test]
fn records_go_from_the_challenge_to_the_judge() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let say = |arguments: &[&str], code: i32| ended(told(&tandem().args(arguments).output().expect("it runs")), code).0;
    let mut sent = Vec::new();
    for (number, operator) in ["alice", "bob"].into_iter().enumerate() {
        let (out, to) = (path(&format!("challenge-{number}")), path(operator));
        let tests = ["2000", "500"][number];
        let new = ["--tests", tests, "--nonce", NONCES[number], "--out", &out, "--json"];
        let head = say(&[&["challenge", "new", "visa/mov", "sfpload", "tensix-wh/mova2d"][..], &new].concat(), 0);
        fits("challenge", &serde_json::from_str(&head).expect("it is JSON"));
        let challenge = Challenge::read(ISAS, Path::new(&out)).expect("it was just drawn");
        assert_eq!(challenge.head.unpromised * 50, challenge.head.tests);
        let mut lines = both(&challenge, simd);
        if number == 1 {
            lines = other_board(&challenge, &lines);
        }
        let files = [0, 1].map(|run| path(&format!("{operator}-{run}.jsonl")));
        for (file, lines) in files.iter().zip(&lines) {
            fs::write(file, bytes(lines)).expect("it can be written");
            lines.iter().step_by(100).for_each(|line| fits("answer", line));
        }
        let mut record = vec!["challenge", "record", &out, &files[0], &files[1], "--out", &to, "--json"];
        record.extend(machine(operator, "1"));
        let key = if number == 0 { key(folder.path(), operator) } else { None };
        let key = key.map(|(key, signers)| (key.display().to_string(), signers.display().to_string()));
        if let Some((key, _)) = &key {
            record.extend(["--sign", key]);
        }
        fits("record", &serde_json::from_str(&say(&record, 0)).expect("it is JSON"));
        if let Some((_, signers)) = &key {
            assert!(
                say(&["challenge", "check", &to, "--challenge", &out, "--signers", signers], 0).contains("verified")
            );
            // Somebody else's name under it, and no signature at all.
            let text = fs::read_to_string(signers).expect("it is there");
            fs::write(signers, text.replace("alice ", "carol ")).expect("it can be written");
            say(&["challenge", "check", &to, "--challenge", &out, "--signers", signers], 13);
            fs::write(signers, text).expect("it can be written");
            let signature = Path::new(&to).join("record.json.sig");
            let held = fs::read(&signature).expect("it is signed");
            fs::remove_file(&signature).expect("it is there");
            let said = say(&["challenge", "check", &to, "--challenge", &out, "--signers", signers], 10);
            assert!(said.contains(FlagKind::Unsigned.name()), "{said}");
            fs::write(&signature, held).expect("it can be written");
        }
        if number == 0 {
            let judge = ["vectors", "judge", &files[0], "--challenge", &out];
            ended(run(&judge), 0);
            // One answer of all, to a test that is asked once.
            let contents: Vec<_> = challenge.runs[0].iter().map(|asked| &asked.content).collect();
            let places = unpromised(&challenge.runs[0]);
            let once = |place: &usize| contents.iter().filter(|one| **one == contents[*place]).count() == 1;
            let place = (777..contents.len())
                .filter(|place| !places.contains(place))
                .find(|place| once(place) && flip(&mut lines[0][*place]));
            assert!(place.is_some());
            let altered = path("altered.jsonl");
            fs::write(&altered, bytes(&lines[0])).expect("it can be written");
            let judge = ["vectors", "judge", &altered, "--challenge", &out, "--json"];
            let report: Value = serde_json::from_str(&ended(run(&judge), 10).0).expect("it is JSON");
            assert_eq!(report["result"]["vectors"]["divergent"], 1);
        }
        sent.push((out, to));
    }
    let into = path("collection");
    let mut ingest = vec!["challenge", "ingest", "--json"];
    for (challenge, record) in &sent {
        ingest.extend([record, "--challenge", challenge]);
    }
    let told: Value = serde_json::from_str(&say(&[&ingest[..], &["--into", &into]].concat(), 0)).expect("it is JSON");
    fits("challenge-check", &told);
    assert!(told["records"].as_array().is_some_and(|all| all.iter().all(|one| one["verdict"] == "accepted")), "{told}");
    let collection = &told["collection"];
    assert!(collection["conflicts"].as_u64() > Some(0) && collection["unlike_reference"].as_u64() > Some(0), "{told}");
    let text = fs::read_to_string(Path::new(&into).join(COLLECTION_FILE)).expect("it was written");
    assert_eq!(text.lines().count() as u64, collection["tests"].as_u64().expect("a number"));
    let entries: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    entries.iter().step_by(100).for_each(|entry| fits("recordings", entry));
    let of = |boards: u64| {
        let two =
            |entry: &&Value| entry["answers"][0]["boards"] == boards && entry["answers"][0]["operators"] == boards;
        entries.iter().filter(two).count()
    };
    assert!(of(1) > 0 && of(2) > 0, "{} {}", of(1), of(2));
    // A conflict has both answers, each with who saw it.
    let conflict = entries.iter().find(|entry| entry["conflict"] == true).expect("there is one");
    let by: Vec<_> = (0..2).map(|one| conflict["answers"][one]["by"][0]["operator"].clone()).collect();
    assert_eq!(by, ["alice", "bob"]);
    // Again, nothing is new; and nothing is collected among recorded vectors.
    let again: Value = serde_json::from_str(&say(&[&ingest[..], &["--into", &into]].concat(), 0)).expect("it is JSON");
    assert!(again["records"].as_array().is_some_and(|all| all.iter().all(|one| one["taken"] == false)), "{again}");
    assert_eq!(fs::read_to_string(Path::new(&into).join(COLLECTION_FILE)).expect("it is there"), text);
    let vectors = path("vectors");
    fs::create_dir(&vectors).expect("a folder");
    let within = Path::new(&vectors).join("mine").display().to_string();
    say(&[&ingest[..], &["--vectors", &vectors, "--into", &within]].concat(), 2);
    // A record of a challenge that was not given out.
    let refused = say(&["challenge", "check", &sent[0].1, "--challenge", &sent[1].0, "--json"], 13);
    let refused: Value = serde_json::from_str(&refused).expect("it is JSON");
    fits("challenge-check", &refused);
    assert_eq!(refused["records"][0]["verdict"], "refused");
}
