//! Every recorded test stands in exactly one column, whoever runs it, and what nobody answered is never green. Of a program
//! that is refused on the way counts what was done before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;
use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_faults::Right;
use tandem_harness::foreign::{Connected, Foreign, check, serve};
use tandem_harness::report::model::{VectorFilePart, VectorsPart};
use tandem_harness::vectors::{
    Column, Columns, Outcome, Replayer, Revocation, Sparse, Subject, Test, VectorFile, Verdict, read_file,
};
use tandem_harness::{Answered, IsaSuite, Kind, NextStep, ProgramPlan, Progress, TargetFactory, run_programs};
use tandem_isa::{
    Answer, Answers, Batch, Edition, Facts, MAX_STEPS, Reference, State, Step, Target, TargetInfo, one_by_one,
};

use crate::parts::{Tapped, instruction};
use crate::program::{ROOT, ended, has, run, run_into};

fn file(name: &str) -> VectorFile {
    read_file(ISAS, &committed(name)).expect("the committed file is right")
}

/// Where a file lies: among the vectors, or beside these tests if it has to stay as it is when those are recorded anew, as one of which
/// it is known what each step is.
fn committed(name: &str) -> PathBuf {
    let kept = Path::new(ROOT).join("tests/data").join(Path::new(name).file_name().expect("it has a name"));
    if kept.exists() { kept } else { Path::new(ROOT).join("vectors").join(name) }
}

/// What a target does that is not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Right,
    /// It refuses what has an odd code word.
    Partial,
    RefusesAll,
    Crashes,
    /// It has no instruction.
    Absent,
}

struct Behaving(Way);

impl Target for Behaving {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: format!("{:?}", self.0), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        self.0 != Way::Absent
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        match self.0 {
            Way::Crashes => panic!("on purpose"),
            Way::RefusesAll => Answer::Unsupported,
            Way::Partial if step.code.iter().fold(0, |sum, word| sum ^ word).count_ones() % 2 == 1 => {
                Answer::Unsupported
            }
            _ => Right.execute(step, state),
        }
    }
}

#[rstest]
#[case::whole("tensix-wh/mova2d.json", &[Way::Right])]
#[case::refused("tensix-wh/mova2d.json", &[Way::RefusesAll, Way::Absent])]
#[case::programs("tensix-wh/mova2d.programs.json", &[Way::Partial, Way::Crashes])]
#[case::refused_programs("tensix-wh/sfpencc.programs.json", &[Way::RefusesAll])]
#[case::absent("tensix-wh/mova2d.programs.json", &[Way::Absent])]
#[case::two("tensix-bh/sfpexexp.json", &[Way::Partial, Way::Right])]
#[case::crashes("visa/dpas.programs.json", &[Way::Crashes])]
fn every_test_stands_in_one_column(#[case] name: &str, #[case] ways: &[Way]) {
    let file = file(name);
    let (isa, _) = instruction(&file.instruction.path());
    let targets = ways.iter().map(|&way| Box::new(Behaving(way)) as Box<dyn Target>).collect();
    let mut replayer = Replayer::with_targets(&isa, targets);
    let (_, first) = file.tests().next().expect("it has tests");
    let id = first.id(file.isa, file.instruction);
    let revocation = Revocation { id: id.clone(), date: "2026-01-01".to_string(), reason: "a test".to_string() };
    let revoked = BTreeMap::from([(id, revocation)]);
    let tests = file.len() as u64;
    let mut sums = Vec::new();
    for only in [None, Some(Edition::Newest), Some(Edition::Spec)] {
        for most in [usize::MAX, 2] {
            let left = std::cell::Cell::new(most);
            let goes_on = || left.replace(left.get().saturating_sub(1)) > 0;
            let result = replayer.replay_while(&file, &revoked, only, &goes_on);
            let part = VectorFilePart::of(name, &result, &|_| false);
            assert_eq!((part.columns.tests(), part.columns.of(Column::Revoked)), (tests, 1), "{only:?}");
            for (subject, columns) in result.counts() {
                assert_ne!(subject, Subject::Reference);
                assert_eq!(columns.tests(), tests, "{subject}");
            }
            let value = serde_json::to_value(VectorsPart::of(vec![part.clone()], Vec::new())).expect("it serializes");
            assert_eq!(sum_of(&value), tests, "{value}");
            assert_eq!(sum_of(&value["list"][0]), tests, "{value}");
            if most == usize::MAX {
                sums.push(part.columns);
            } else {
                assert!(part.columns.of(Column::NotReached) > 0 || tests <= 3, "{:?}", part.columns);
            }
        }
    }
    let newest = sums[1];
    let held = tests - 1 - newest.of(Column::OtherEdition);
    assert_eq!(sums[0].of(Column::OtherEdition), 0);
    let own: &[Column] = match ways {
        [Way::Right] => &[Column::Agreed],
        [Way::RefusesAll] | [Way::RefusesAll, Way::Absent] => &[Column::Unsupported],
        [Way::Absent] => &[Column::NotImplemented],
        [Way::Crashes] | [Way::Partial, Way::Crashes] => &[Column::Divergent],
        _ => &[Column::Agreed, Column::Unsupported],
    };
    assert_eq!(own.iter().map(|&one| newest.of(one)).sum::<u64>(), held, "{newest:?}");
    assert!(own.iter().all(|&one| newest.of(one) > 0), "{newest:?}");
}

/// The sum of all columns of vectors, or of one file, in a report.
fn sum_of(value: &Value) -> u64 {
    let keys = ["agreed", "survived", "known", "divergent", "unsupported", "revoked", "missing", "not_implemented"];
    let keys = keys.into_iter().chain(["other_edition", "not_asked", "not_reached", "disputed"]);
    keys.map(|key| value[key].as_u64().or(value[key].as_array().map(|list| list.len() as u64)).unwrap_or(0)).sum()
}

#[test]
fn what_is_counted_once_is_counted_once() {
    let all: Columns = Column::ALL.into_iter().collect();
    assert!(Column::ALL.iter().all(|&column| all.of(column) == 1));
    assert_eq!((all.tests(), all.not_run(), all.answered()), (Column::ALL.len() as u64, 4, 5));
}

/// A library of the border of the examples, whose instructions are written before.
fn library(folder: &Path, define: &str) -> String {
    const SOURCE: &str = r#"
#define NAME "partial"
#include "border.h"

/* For lanes that all take part: whether flags are heeded, and new flags. */
static uint32_t sfpencc(const uint32_t *code) {
    const uint32_t mod1 = *code & 15, imm2 = *code >> 12 & 3, heeded = GET("UseLaneFlagsForLaneEnable", 0, 0);
    if (mod1 & 2) set(FIELD("UseLaneFlagsForLaneEnable", 0, 0), imm2 & 1 ? ~0u : 0);
    else if (mod1 & 1) set(FIELD("UseLaneFlagsForLaneEnable", 0, 0), ~heeded);
    set(FIELD("LaneFlags", 0, 0), (!(mod1 & 8) || imm2 & 2 ? ~0u : 0) ^ WRONG);
    return TANDEM_DONE;
}

static uint32_t refused(const uint32_t *code) {
    (void)code;
    if (SPOILS) set(FIELD("LaneFlags", 0, 0), 5);
    return unsupported("not done");
}

static uint32_t crashed(const uint32_t *code) { (void)code; abort(); }

static execute_one *has_instruction(const char *set, const char *name) {
    (void)set;
    if (CRASHES) return crashed;
    if (!strcmp(name, "SFPENCC")) return sfpencc;
    return !strcmp(name, "SFPEXEXP") || !strcmp(name, "MOVA2D") || ALL ? refused : NULL;
}
"#;
    let wrong = if define == "WRONG" { 4 } else { 0 };
    let flag = |name: &str| format!("#define {name} {}\n", u32::from(define == name));
    let flags = ["SPOILS", "CRASHES", "ALL"].map(flag).concat();
    let (source, library) = (folder.join(format!("{define}.c")), folder.join(format!("{define}.so")));
    std::fs::write(&source, format!("#define WRONG {wrong}\n{flags}{SOURCE}")).expect("it can be written");
    let output = Command::new("cc")
        .current_dir(ROOT)
        .args(["-std=gnu11", "-O1", "-shared", "-fPIC", "-I", "harness/include", "-I", "examples/targets/c"])
        .arg(&source)
        .arg("-o")
        .arg(&library)
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("lib:{}", library.display())
}

/// A folder of vectors with some files.
fn some_vectors(folder: &Path, names: &[&str]) -> PathBuf {
    let vectors = folder.join("vectors");
    for name in names {
        let path = vectors.join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
        std::fs::copy(committed(name), path).expect("it can be copied");
    }
    vectors
}

/// All roads of the command line: each report's columns add up to the tests of its files, and what nobody answered does not end
/// with 0.
#[rstest]
#[case::ours(None, 0, "agreed")]
#[case::refuses(Some("ALL"), 12, "unsupported")]
#[case::lacks_most(Some("PLAIN"), 14, "not_implemented")]
#[case::crashes(Some("CRASHES"), 10, "divergent")]
fn the_columns_of_every_road_add_up(#[case] define: Option<&str>, #[case] exit: i32, #[case] column: &str) {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["tensix-wh/mova2d.programs.json", "tensix-wh/sfpmov.programs.json"];
    let tests: usize = names.iter().map(|name| file(name).len()).sum();
    let vectors = some_vectors(folder.path(), &names).display().to_string();
    let target = define.map(|define| library(folder.path(), define));
    let target: Vec<&str> = target.iter().flat_map(|target| ["-t", target]).collect();
    let check = [&["vectors", "check", &vectors, "--json"], &target[..]].concat();
    let (stdout, stderr) = ended(run(&check), exit);
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    crate::cli_json::fits("vectors-check", &value);
    let list = value["files"].as_array().expect("there are files");
    assert_eq!(list.iter().map(sum_of).sum::<u64>(), tests as u64, "{value}");
    assert_eq!(list.iter().map(|one| one["tests"].as_u64().expect("a number")).sum::<u64>(), tests as u64);
    let own = |one: &Value| one[column].as_u64().or(one[column].as_array().map(|list| list.len() as u64)).unwrap_or(0);
    assert_eq!(list.iter().map(own).sum::<u64>(), tests as u64, "{value} {stderr}");
    // The whole directory, which is read by another road.
    let check = [&["vectors", "check", "--vectors", &vectors], &target[..]].concat();
    let (stdout, _) = ended(run(&check), exit);
    assert!(stdout.lines().any(|line| line.starts_with(&format!("all: {tests} tests: "))), "{stdout}");
    // A run of cases that replays them first.
    let fuzz = ["fuzz", "tensix-wh/mova2d", "tensix-wh/sfpmov", "-n", "1", "-s", "1", "--vectors", &vectors];
    let (_, stdout, _) = run_into(&folder.path().join("out"), &[&fuzz[..], &["--no-causes"], &target[..]].concat());
    let report = crate::program::read_json(&folder.path().join("out/report.json"));
    let part = &report["result"]["vectors"];
    // It is of the instructions that a target has, and so are the files that it reads.
    let tests = if column == "not_implemented" { file(names[0]).len() } else { tests };
    assert_eq!((sum_of(part), part["tests"].as_u64()), (tests as u64, Some(tests as u64)), "{part}");
    assert_eq!(own(part), tests as u64, "{part}");
    let words = column.replace('_', " ");
    let line = stdout.lines().find(|line| line.starts_with("vectors: ")).expect("it is told");
    let told =
        if column == "agreed" { format!("{tests} of {tests} in 2 files agreed") } else { format!("{tests} {words}") };
    assert!(line.contains(&told), "{line}");
    let junit = std::fs::read_to_string(folder.path().join("out/junit.xml")).expect("it is there");
    let suite = junit.split("<testsuite name=\"vectors\"").nth(1).expect("it has vectors");
    assert_eq!(
        suite.contains("nothing was shown, of "),
        ["unsupported", "not_implemented"].contains(&column),
        "{suite}"
    );
}

#[test]
fn tests_of_another_edition_stand_in_a_column() {
    let path = format!("{ROOT}/vectors/tensix-wh/mova2d.json");
    let (stdout, _) =
        ended(run(&["vectors", "check", &path, "--edition", "newest", "--targets", "portable", "--json"]), 0);
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let part = &value["files"][0];
    assert_eq!((sum_of(part), part["tests"].as_u64()), (4_124, Some(4_124)), "{part}");
    assert_eq!(part["other_edition"].as_u64(), Some(67), "{part}");
}

#[test]
fn nothing_is_no_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().display().to_string();
    // No vectors at all, by both roads.
    for arguments in [&["vectors", "check", &empty][..], &["vectors", "check", "--vectors", &empty]] {
        let (_, stderr) = ended(run(arguments), 13);
        assert!(stderr.contains("not one") || stderr.contains("no vector"), "{stderr}");
    }
    // No test of the file holds in that edition.
    let newest = some_vectors(folder.path(), &["tensix-bh/sfpmov.json"]).join("tensix-bh/sfpmov.json");
    let path = newest.display().to_string();
    let (code, stdout, stderr) = run(&["vectors", "check", &path, "--edition", "spec"]);
    assert!(code == 12 || stdout.contains(" agreed"), "{code} {stdout} {stderr}");
    // No time for any.
    let (_, stderr) = ended(run(&["vectors", "check", &path, "--seconds", "0.000001"]), 12);
    assert!(stderr.contains("no target answered a test"), "{stderr}");
}

/// Does its first steps and refuses one instruction, as it should or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Clean,
    /// It changes something, and then refuses.
    Spoils,
    /// The step before is wrong.
    AfterWrong,
    /// It looks first, and does nothing of a program that has a step that it refuses.
    Whole,
}

struct Refuser(Refusal);

const REFUSED: [&str; 2] = ["sfpexexp", "sfpiadd"];

impl Target for Refuser {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "refuser".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let is_refused = REFUSED.contains(&step.instruction.file);
        let answer = if is_refused { Answer::Unsupported } else { Right.execute(step, state) };
        if is_refused && self.0 == Refusal::Spoils || !is_refused && self.0 == Refusal::AfterWrong {
            let flags = (state.layout.fields)().iter().find(|field| field.name == "LaneFlags").expect("it is there");
            let value = flags.get(&state.small) ^ 4;
            flags.set(&mut state.small, value);
        }
        answer
    }

    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        if self.0 == Refusal::Whole && steps.iter().any(|step| REFUSED.contains(&step.instruction.file)) {
            return (0, Answer::Unsupported);
        }
        one_by_one(self, steps, state)
    }
}

/// The ways to a refuser: in our process a step at a time, behind a border a step at a time and as a whole, and without a word
/// of how far it came.
fn refuser(way: &str, refusal: Refusal, isa: &IsaSuite) -> TargetFactory {
    let (own, unsaid) = (isa.isa, way == "unsaid");
    if way == "sequence" {
        return TargetFactory::new(move || Box::new(Refuser(refusal)));
    }
    let most = if way == "step by step" { 1 } else { MAX_STEPS };
    TargetFactory::new(move || {
        let Connected { name, implemented, border, .. } = serve::seated("refuser", own, Box::new(Refuser(refusal)));
        let forget = |_: &Batch, answers: &mut Answers| answers.done.fill(check::UNSAID);
        let border = if unsaid { Box::new(Tapped(border, forget)) } else { border };
        let foreign = Foreign::new(TargetInfo { name, level: None }, own, implemented, border);
        Box::new(foreign.with_max_steps(most))
    })
}

#[rstest]
fn what_was_done_before_a_refusal_counts_by_every_way(
    #[values("sequence", "step by step", "whole", "unsaid")] way: &str,
    #[values(Refusal::Clean, Refusal::Spoils, Refusal::AfterWrong, Refusal::Whole)] refusal: Refusal,
) {
    let file = file("tensix-wh/sfpencc.programs.json");
    let (isa, sfpencc) = instruction("tensix-wh/sfpencc");
    let isa = isa.with_targets(vec![refuser(way, refusal, &isa)]);
    let result = Replayer::new(&isa).replay(&file, &BTreeMap::new(), Some(Edition::Newest));
    assert_eq!(result.columns().tests(), 2);
    for run in result.runs.iter().filter(|run| run.subject != Subject::Reference) {
        match (&run.verdict, refusal) {
            (Verdict::Unsupported, Refusal::Clean | Refusal::Whole) => {}
            (Verdict::Diverged { signature: Some(one), .. }, Refusal::Spoils) => {
                assert_eq!((one.kind, &*one.place), (Kind::Refused, "LaneFlags"), "{way}");
                assert!(way == "unsaid" || run.step == Some(1), "{way}: {run:?}");
            }
            (Verdict::Diverged { signature: Some(one), .. }, Refusal::AfterWrong) => {
                assert_eq!(one.place, "LaneFlags", "{way}");
                assert!(way == "unsaid" || run.step == Some(0) && one.kind != Kind::Refused, "{way}: {run:?}");
            }
            (verdict, _) => panic!("{way} {refusal:?}: {verdict:?}"),
        }
    }
    // Programs that are drawn.
    let (_, sfpexexp) = instruction("tensix-wh/sfpexexp");
    let instructions = vec![sfpencc, sfpexexp];
    let (edition, answered) = (Edition::Newest, Answered::default());
    let plan = ProgramPlan {
        instructions,
        own: Vec::new(),
        edition,
        seed: 1,
        cases: Some(400),
        steps: Some(3),
        threads: 1,
        answered,
    };
    let result = run_programs(&isa, &plan, &Progress::default());
    let kinds: BTreeSet<_> = result.findings.iter().map(|finding| finding.signature.kind).collect();
    match refusal {
        Refusal::Clean | Refusal::Whole => assert_eq!(kinds, BTreeSet::new(), "{way}: {:?}", result.findings),
        Refusal::Spoils => assert_eq!(kinds, BTreeSet::from([Kind::Refused]), "{way}"),
        Refusal::AfterWrong => assert!(!kinds.is_empty() && !kinds.contains(&Kind::Refused), "{way}: {kinds:?}"),
    }
}

/// Does some steps and refuses the next, and has its own mind about each bit that they leave open.
struct OwnMind(Box<dyn Reference>, usize);

impl Target for OwnMind {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "own-mind".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let answer = self.0.execute(step, state).required_answer().unwrap_or(Answer::Done);
        for open in std::mem::take(&mut state.tracker.open) {
            let (bank, row) = state.layout.locate(open.row_id);
            let promised = state.word(bank, row, open.column) & !open.mask;
            state.set_word(bank, row, open.column, promised | 0xa5a5_a5a5 & open.mask);
        }
        answer
    }

    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        match one_by_one(self, &steps[..self.1.min(steps.len() - 1)], state) {
            (done, Answer::Done) => (done, Answer::Unsupported),
            held => held,
        }
    }
}

/// Bits that an early step leaves open are nobody's fault at a late step that is refused.
#[rstest]
#[case("tensix-bh/sfpand.programs.json")]
#[case("tensix-bh/sfpiadd.programs.json")]
#[case("tensix-bh/sfpsetsgn.programs.json")]
#[case("tensix-bh/sfppushc.programs.json")]
fn open_bits_stay_open_where_a_later_step_is_refused(#[case] path: &str, #[values(1, 2, 3)] done: usize) {
    let file = file(path);
    let (isa, _) = instruction(&path.replace(".programs.json", ""));
    let reference = isa.reference.clone();
    let isa = isa.with_targets(vec![TargetFactory::new(move || Box::new(OwnMind(reference(), done)))]);
    let result = Replayer::new(&isa).replay(&file, &BTreeMap::new(), None);
    assert!(file.tests().any(|(_, test)| !test.care.is_empty()), "{path} leaves nothing open");
    for run in result.runs.iter().filter(|run| run.subject != Subject::Reference) {
        assert!(matches!(run.verdict, Verdict::Unsupported), "{path}: {run:?}");
    }
}

/// A machine that ran programs is judged by the whole of them, and one that refused on the way by what it did before.
#[test]
fn programs_that_a_machine_ran_are_judged() {
    let file = file("tensix-wh/sfpencc.programs.json");
    let lines = |refusal: Option<Refusal>, says_done: bool| -> String {
        let line = |test: &Test| {
            let value = test.case_value(file.isa, file.instruction, Edition::Newest);
            let (before, mut after) = (value.state(), value.state());
            let steps = test.steps(file.instruction);
            let steps = NextStep::all_under(&steps, Edition::Newest);
            let (done, answer) = match refusal {
                Some(refusal) => Refuser(refusal).execute_all(&steps, &mut after),
                None => Right.execute_all(&steps, &mut after),
            };
            let (small, rows) = Sparse::between(file.isa, &before, &after).named(file.isa);
            let id = test.id(file.isa, file.instruction);
            let mut line = json!({ "id": id, "outcome": answer.name(), "small": small, "rows": rows });
            if says_done {
                line["done"] = json!(done);
            }
            format!("{line}\n")
        };
        file.tests().map(|(_, test)| line(test)).collect()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let vectors = some_vectors(folder.path(), &["tensix-wh/sfpencc.programs.json"]).display().to_string();
    let judge = |text: String, exit: i32, column: &str| {
        let path = folder.path().join("results.jsonl");
        std::fs::write(&path, text).expect("it can be written");
        let path = path.display().to_string();
        let arguments = ["vectors", "judge", &path, "--vectors", &vectors, "--json"];
        let (stdout, _) = ended(run_into(&folder.path().join("judged"), &arguments), exit);
        let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
        let part = &value["result"]["vectors"];
        assert_eq!((sum_of(part), part[column].as_u64()), (2, Some(2)), "{part}");
    };
    judge(lines(None, false), 0, "agreed");
    for says_done in [false, true] {
        judge(lines(Some(Refusal::Clean), says_done), 12, "unsupported");
        judge(lines(Some(Refusal::Whole), says_done), 12, "unsupported");
        judge(lines(Some(Refusal::Spoils), says_done), 10, "divergent");
        judge(lines(Some(Refusal::AfterWrong), says_done), 10, "divergent");
    }
}

/// A machine that is held, or refuses, and changes something all the same is wrong, and what it says is no broken file.
#[rstest]
#[case::held("blocked", false, "agreed", 12)]
#[case::held_and_changed("blocked", true, "divergent", 10)]
#[case::refused("unsupported", false, "unsupported", 12)]
#[case::refused_and_changed("unsupported", true, "divergent", 10)]
fn what_changes_although_nothing_was_done_is_judged(
    #[case] outcome: &str,
    #[case] changed: bool,
    #[case] column: &str,
    #[case] exit: i32,
) {
    let mut file = file("tensix-wh/mova2d.json");
    for group in &mut file.groups {
        group
            .tests
            .retain(|test| test.outcome == Outcome::Blocked && test.after.is_empty() && !test.before.rows.is_empty());
        group.tests.truncate(1);
    }
    file.groups.retain(|group| !group.tests.is_empty());
    file.groups.truncate(1);
    file.sort();
    let (_, test) = file.tests().next().expect("a test is held");
    let mut named = Sparse { fields: BTreeMap::new(), rows: test.before.rows.clone() };
    if changed {
        named.rows.values_mut().next().expect("it has a row")[0] ^= 1;
    }
    let (small, rows) = named.named(file.isa);
    let id = test.id(file.isa, file.instruction);
    let line = json!({ "id": id, "outcome": outcome, "small": small, "rows": rows });
    let folder = tempfile::tempdir().expect("a folder");
    let [vectors, results] = ["one.json", "results.jsonl"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&vectors, file.to_text()).expect("it can be written");
    std::fs::write(&results, format!("{line}\n")).expect("it can be written");
    let arguments = ["vectors", "judge", &results, "--vectors", &vectors, "--json"];
    let (stdout, _) = ended(run_into(&folder.path().join("judged"), &arguments), exit);
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let part = &value["result"]["vectors"];
    assert_eq!((sum_of(part), part[column].as_u64()), (1, Some(1)), "{part}");
}

/// A program of two steps, the first done rightly and the second refused, is unsupported; where the first is wrong it diverges, and
/// says so; and where the refusal itself changed something, that is told.
#[rstest]
#[case::right("PLAIN", 12, "unsupported", "")]
#[case::wrong("WRONG", 10, "divergent", "step 1: LaneFlags")]
#[case::spoils("SPOILS", 10, "divergent", "step 2: LaneFlags refused-but-changed")]
fn a_library_that_refuses_on_the_way_is_judged_by_what_it_did(
    #[case] define: &str,
    #[case] exit: i32,
    #[case] column: &str,
    #[case] says: &str,
) {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let target = library(folder.path(), define);
    // Of the two programs the second has lanes that take no part.
    let mut whole = file("tensix-wh/sfpencc.programs.json");
    whole.groups.truncate(1);
    whole.sort();
    let path = folder.path().join("some.json");
    std::fs::write(&path, whole.to_text()).expect("it can be written");
    let path = path.display().to_string();
    let (stdout, _) = ended(run(&["vectors", "check", &path, "-t", &target, "--json"]), exit);
    let value: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let part = &value["files"][0];
    let own = part[column].as_u64().or(part[column].as_array().map(|list| list.len() as u64));
    assert_eq!((sum_of(part), own), (1, Some(1)), "{part}");
    assert!(part["divergent"].to_string().contains(says), "{part}");
}
