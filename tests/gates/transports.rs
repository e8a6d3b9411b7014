//! The ways to somebody else's implementation, with real processes and libraries.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use choosy::Choosy;
use rstest::rstest;
use serde_json::Value;
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_faults::Right;
use tandem_harness::foreign::{Connected, Foreign, Launcher, StartError, TargetSpec, check, serve};
use tandem_harness::vectors::{VectorFile, read_file};
use tandem_harness::{Generator, Pools, TargetFactory};
use tandem_isa::{
    Answer, Answers, Batch, Border, Edition, Isa, Misbehaviour, MisbehaviourKind, Noise, State, Step, Target,
    TargetInfo, UNSUPPORTED,
};

use crate::program::{self, ROOT, Told, ended};

#[path = "../../examples/choosy/mod.rs"]
mod choosy;

/// `lib` and `lib-inproc` with the library of ours; what has a colon is a specification already.
fn specification(way: &str) -> String {
    if way.contains(':') || !way.starts_with("lib") {
        return way.to_string();
    }
    let library = format!("{}simd_library{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    format!("{way}:{}", program::example(&library).display())
}

/// A program of ours, or a library, by a way as above.
fn launcher(way: &str, limit: Duration) -> Launcher {
    let spec = match way.split_once(' ') {
        Some((name, how)) => TargetSpec::Command(format!("{} {how}", program::example(name).display())),
        None => specification(way).parse().expect("the specification is one"),
    };
    program::launcher(spec, limit)
}

const LIMIT: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(700);

fn connect(launcher: &Launcher, isa: &'static Isa) -> Connected {
    launcher.connect(isa).expect("it starts").expect("it knows the instruction set")
}

fn refused(launcher: &Launcher) -> StartError {
    launcher.connect(ISAS[0]).err().expect("it cannot be used")
}

/// A background, and generated cases with random overlay rows.
fn batch(isa: &'static Isa, seed: u64, cases: usize) -> (Vec<u8>, Batch) {
    let instruction = isa.instructions[0];
    let generator = Generator::new(isa, instruction, Edition::Newest, seed, Pools::new(isa, seed));
    let mut state = State::zeroed(isa.layout);
    let arena = generator.arena().to_vec();
    let mut batch = Batch { edition: 1, cases: cases as u32, ..Batch::default() };
    let mut noise = Noise::new(seed);
    for number in 0..cases as u64 {
        let id = generator.id(number);
        let drawn = generator.generate(&id, &mut state);
        batch.code.extend_from_slice(&drawn.code);
        batch.small.extend_from_slice(&state.small);
        let bank = noise.below(isa.layout.banks.len());
        let bank = &isa.layout.banks[bank];
        let count = bank.rows().min(8);
        let first = noise.below(bank.rows() - count + 1);
        for row in first..first + count {
            batch.overlay_row.push((bank.first_row + row) as u32);
            let mut bytes = vec![0; bank.row_bytes()];
            for column in 0..bank.columns() {
                bank.put_word(&mut bytes, column, noise.half() & bank.word_mask());
            }
            batch.overlay_data.extend(bytes);
        }
        batch.overlay_end.push(batch.overlay_row.len() as u32);
    }
    (arena, batch)
}

/// All answers to a batch, asked again for what was not answered.
fn ask(isa: &'static Isa, border: &mut dyn Border, batch: &Batch) -> Result<Answers, Misbehaviour> {
    let mut all = Answers::default();
    let mut from = 0;
    while from < batch.cases {
        let rest = batch.part(isa.layout, from as usize, batch.cases as usize);
        let mut part = Answers::default();
        border.execute(&rest, &mut part)?;
        check::answers(&rest, &part, isa.layout)?;
        from += part.cases;
        all.append(&part);
    }
    Ok(all)
}

fn plain(isa: &'static Isa) -> Connected {
    serve::seated("plain", isa, Box::new(Right) as Box<dyn Target>)
}

#[rstest]
#[case("serve ")]
#[case("serve --json")]
#[case("serve --simd")]
#[case("lib")]
#[case("lib-inproc")]
fn honest_answers_come_back_as_they_are(#[case] way: &str) {
    let launcher = launcher(way, LIMIT);
    for isa in ISAS {
        let mut theirs = connect(&launcher, isa);
        let mut ours = plain(isa);
        // The plain implementation lacks some that the SIMD side has.
        let has = theirs.implemented.iter().zip(&ours.implemented).all(|(theirs, ours)| *theirs || !ours);
        assert!(has && theirs.implemented[0], "{:?} and {:?}", theirs.implemented, ours.implemented);
        for (seed, cases) in [(1, 1), (2, 100), (3, 2048)] {
            let (arena, batch) = batch(isa, seed, cases);
            for border in [&mut theirs.border, &mut ours.border] {
                border.load(&arena).expect("the background is taken");
            }
            let got = ask(isa, &mut *theirs.border, &batch).expect("it answers");
            let expected = ask(isa, &mut *ours.border, &batch).expect("it answers");
            // The way changes no bit: what is behind it is here as well.
            if way != "serve " && way != "serve --json" {
                let factory = wiring::suite().isa(isa.name).and_then(|suite| suite.targets.last().cloned());
                let mut inside = serve::seated("simd", isa, factory.expect("there is a target").make());
                inside.border.load(&arena).expect("the background is taken");
                assert_eq!(Ok(&got), ask(isa, &mut *inside.border, &batch).as_ref(), "{way}");
            }
            // Where the pages promise nothing the two differ, and that is most of what is drawn so; but not all.
            let same = (0..cases).filter(|&case| answer(isa, &got, case) == answer(isa, &expected, case)).count();
            assert!(cases == 1 || same * 10 >= cases * 2, "{way}: {same} of {cases}");
            if way == "serve " || way == "serve --json" {
                assert_eq!(got, expected, "{way}");
            }
            for border in [&mut theirs.border, &mut ours.border] {
                assert_eq!(border.arena_hash(), Ok(crc32fast::hash(&arena)), "{way}");
                border.reset().expect("it forgets");
            }
        }
        theirs.border.restart().expect("it starts again");
    }
}

/// A way on which what is behind it refuses a part of the cases.
#[rstest]
#[case("serve --choosy")]
#[case("serve --choosy --json")]
#[case("lib")]
#[case("lib-inproc")]
fn reasons_and_claims_arrive_unchanged(#[case] way: &str) {
    // A library in our process goes by our environment, which a test cannot change: it runs again in one that has it.
    if way.starts_with("lib") && std::env::var_os("TANDEM_LIBRARY").is_none() {
        let name = std::thread::current().name().expect("a test has a name").to_string();
        let mut again = Command::new(std::env::current_exe().expect("a test knows where it is"));
        let output = again.args(["--exact", &name]).env("TANDEM_LIBRARY", "refuses").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    for isa in ISAS {
        let mut theirs = connect(&launcher(way, LIMIT), isa);
        assert_eq!(theirs.claims.as_deref(), Some(choosy::CLAIMS));
        let inside: Box<dyn Target> = if way.starts_with("lib") {
            let factory = wiring::suite().isa(isa.name).and_then(|suite| suite.targets.last().cloned());
            factory.expect("there is a target").make()
        } else {
            Box::new(Right)
        };
        let mut ours = serve::seated("here", isa, Box::new(Choosy::new(inside)));
        assert_eq!(ours.claims, theirs.claims);
        for (seed, cases) in [(1, 1), (2, 300)] {
            let (arena, batch) = batch(isa, seed, cases);
            for border in [&mut theirs.border, &mut ours.border] {
                border.load(&arena).expect("the background is taken");
            }
            let got = ask(isa, &mut *theirs.border, &batch).expect("it answers");
            let expected = ask(isa, &mut *ours.border, &batch).expect("it answers");
            assert_eq!(got, expected);
            let reasons: BTreeSet<&str> = got.reasons.iter().map(|(_, reason)| reason).collect();
            assert!(cases == 1 || reasons.len() > 3, "{reasons:?}");
            assert!(got.reasons.case.len() <= got.outcome.iter().filter(|&&outcome| outcome == UNSUPPORTED).count());
        }
        // It says the same when it is begun anew.
        theirs.border.restart().expect("it starts again");
        // A single case has its reason at the target.
        let Connected { name, implemented, claims, max_steps, border } = theirs;
        let mut foreign = Foreign::new(TargetInfo { name, level: None }, isa, implemented, border)
            .with_claims(claims)
            .with_max_steps(max_steps);
        assert_eq!(foreign.claims().as_deref(), Some(choosy::CLAIMS));
        let mut code = isa.instructions[0].base_code.to_vec();
        let mut said = BTreeSet::new();
        for word in (0..64).map(|word| word << 8) {
            code[0] ^= word;
            let step = Step { instruction: isa.instructions[0], edition: Edition::Newest, code: &code };
            if foreign.execute(&step, &mut isa.base_state()) == Answer::Unsupported {
                said.insert(foreign.refusal());
            }
            code[0] ^= word;
        }
        assert!(said.len() > 4 && said.contains(&None), "{said:?}");
    }
}

#[test]
fn a_factory_keeps_the_claims_of_its_target() {
    let claiming = TargetFactory::new(|| Box::new(Choosy::new(Box::new(Right))));
    assert_eq!(claiming.claims(), Some(choosy::CLAIMS));
    let silent = TargetFactory::new(|| Box::new(Right));
    assert_eq!(silent.claims(), None);
    let said = silent.with_claims(Some("said".to_string()));
    assert_eq!(said.claims(), Some("said"));
}

/// The answer to one case.
fn answer(isa: &'static Isa, answers: &Answers, case: usize) -> (u32, Vec<u8>, Vec<u32>) {
    let bytes = isa.layout.small_bytes;
    let first = if case == 0 { 0 } else { answers.dirty_end[case - 1] as usize };
    let rows = answers.dirty_row[first..answers.dirty_end[case] as usize].to_vec();
    (answers.outcome[case], answers.small[case * bytes..(case + 1) * bytes].to_vec(), rows)
}

#[rstest]
#[case("prints", MisbehaviourKind::Malformed, "here I am")]
#[case("prints-after", MisbehaviourKind::Malformed, "")]
#[case("sequence", MisbehaviourKind::Malformed, "sequence number")]
#[case("short", MisbehaviourKind::Crashed, "exit status 0 in the middle")]
#[case("exits", MisbehaviourKind::Crashed, "exit status 3; its standard error ends: unruly: I give up")]
#[case("orphans", MisbehaviourKind::Crashed, "exit status 4")]
#[case("hangs", MisbehaviourKind::Hung, "no reply within 0.7 s")]
#[case("half", MisbehaviourKind::Hung, "but a part of one")]
#[case("deaf", MisbehaviourKind::Hung, "no reply")]
fn misbehaviour_is_named_and_the_target_starts_again(
    #[case] how: &str,
    #[case] kind: MisbehaviourKind,
    #[case] says: &str,
    #[values("", " --json")] protocol: &str,
) {
    let launcher = launcher(&format!("unruly {how}{protocol}"), SHORT);
    let isa = ISAS[0];
    let (arena, batch) = batch(isa, 7, 2048);
    let mut target = connect(&launcher, isa);
    for _ in 0..2 {
        target.border.load(&arena).expect("it is honest so far");
        let begin = Instant::now();
        let first = ask(isa, &mut *target.border, &batch);
        // What comes behind a whole reply is seen at the next request.
        let misbehaviour = first.and_then(|_| {
            std::thread::sleep(Duration::from_millis(100));
            target.border.arena_hash()
        });
        let misbehaviour = misbehaviour.expect_err(how);
        assert_eq!(misbehaviour.kind, kind, "{how}: {misbehaviour}");
        assert!(misbehaviour.message.contains(says), "{how}: {misbehaviour}");
        assert!(begin.elapsed() < Duration::from_secs(15), "{how}: {:?}", begin.elapsed());
        let again = target.border.arena_hash().expect_err("it was not started again");
        assert_eq!(again.kind, MisbehaviourKind::Crashed);
        target.border.restart().expect("it starts again");
    }
}

#[rstest]
#[case("usage", "no frame")]
#[case("other-version", "it speaks version 1 of the border, and this tandem speaks version 2; build it again with")]
#[case("other-version --json", "it speaks version 1 of the border, and this tandem speaks version 2; greet with this")]
#[case("nameless", "name")]
#[case("silent", "no reply")]
fn what_cannot_be_used_says_why(#[case] how: &str, #[case] says: &str) {
    let error = refused(&launcher(&format!("unruly {how}"), SHORT)).to_string();
    assert!(error.contains(says), "{error}");
}

#[test]
fn a_stranger_to_an_instruction_set_is_no_error() {
    assert!(launcher("unruly stranger", LIMIT).connect(ISAS[0]).expect("it answers").is_none());
    assert!(launcher("unruly stranger --json", LIMIT).connect(ISAS[0]).expect("it answers").is_none());
}

#[test]
fn two_instances_of_a_library_in_one_process_share_nothing() {
    let launcher = launcher("lib-inproc", LIMIT);
    let isa = ISAS[0];
    let (mut one, mut two) = (connect(&launcher, isa), connect(&launcher, isa));
    let ((a, _), (b, _)) = (batch(isa, 1, 1), batch(isa, 2, 1));
    one.border.load(&a).expect("the background is taken");
    two.border.load(&b).expect("the background is taken");
    assert_eq!(one.border.arena_hash(), Ok(crc32fast::hash(&a)));
    assert_eq!(two.border.arena_hash(), Ok(crc32fast::hash(&b)));
}

/// Runs `tandem` with a library that does something.
fn tandem(arguments: &[&str], library_does: &str) -> Told {
    let out = tempfile::tempdir().expect("a folder for the report");
    let mut command = program::tandem();
    command.env("TANDEM_LIBRARY", library_does).args(arguments).arg("--out").arg(out.path());
    program::told(&command.output().expect("the binary runs"))
}

#[rstest]
#[case("cmd:./no-such-program", "", "exit status 127")]
#[case("cmd:./README.md", "", "exit status 126")]
#[case("cmd:true", "", "exit status 0")]
#[case("lib:./nosuch.so", "", "No such file")]
#[case("lib-inproc:./README.md", "", "README.md")]
#[case("lib", "version", "built with version 1 of tandem.h, and this tandem speaks version 2; build it again")]
#[case("lib-inproc", "version", "built with version 1 of tandem.h, and this tandem speaks version 2; build it again")]
#[case("lib", "boasts", "claims")]
#[case("lib", "nothing", "implements nothing")]
#[case("lib-inproc", "unnamed", "name")]
fn an_unusable_target_has_its_exit_code_and_a_reason(#[case] spec: &str, #[case] does: &str, #[case] says: &str) {
    let spec = specification(spec);
    let (_, stderr) = ended(tandem(&["fuzz", "--cases", "2000", "--target", &spec], does), 14);
    assert!(stderr.contains(says) && stderr.contains(&spec) && !stderr.contains("panicked"), "{stderr}");
}

#[rstest]
#[case("lib", "prints", "tensix-bh")]
#[case("lib-inproc", "", "visa")]
fn a_library_runs_from_the_command_line(#[case] spec: &str, #[case] does: &str, #[case] isa: &str) {
    let spec = specification(spec);
    let (stdout, _) = ended(tandem(&["fuzz", isa, "--cases", "4096", "--target", &spec, "--json"], does), 0);
    let report: Value = serde_json::from_str(&stdout).expect("the report is JSON");
    assert_eq!(report["result"]["cases"], 4096);
    assert!(stdout.contains("simd-library"), "{stdout}");
}

#[test]
fn a_library_that_hangs_in_our_process_ends_the_run_with_what_to_do() {
    let target = specification("lib-inproc");
    let fuzz = ["fuzz", "tensix-wh/mova2d", "--cases", "5000", "--timeout", "0.5", "--target", &target];
    let (_, stderr) = ended(tandem(&fuzz, "hangs"), 14);
    let limit = format!("{target} has not answered within 0.5 s");
    let says = ["hang in execute (a batch of", " of tensix-", &limit, "with lib:"];
    assert!(says.iter().all(|says| stderr.contains(says)), "{stderr}");
}

/// Whoever misbehaves at its first batch does so each time it is begun anew.
#[rstest]
#[case("prints", "malformed answer")]
#[case("sequence", "malformed answer")]
#[case("sequence --json", "malformed answer")]
#[case("exits", "crash")]
fn a_campaign_against_an_unruly_target_completes_and_names_what_it_did(#[case] how: &str, #[case] kind: &str) {
    let out = tempfile::tempdir().expect("a folder for the report");
    // One recorded test: each would cost a start of the target.
    let recorded = Path::new(ROOT).join("vectors/tensix-wh/mova2d.json");
    let recorded = read_file(ISAS, &recorded).expect("the committed file is right");
    let mut one = VectorFile::new(recorded.isa, recorded.instruction, recorded.source.clone());
    one.notes = recorded.notes.clone();
    one.add(recorded.tests().next().expect("there is a test").1.clone());
    std::fs::write(out.path().join("one.json"), one.to_text()).expect("the folder is ours");
    let target = format!("cmd:{} {how}", program::example("unruly").display());
    let vectors = out.path().display().to_string();
    let fuzz =
        ["fuzz", "tensix-wh/mova2d", "--cases", "200", "--no-causes", "--seed", "4", "--json", "--target", &target];
    let (code, stdout, stderr) = program::run_into(out.path(), &[&fuzz[..], &["--vectors", &vectors]].concat());
    let report: Value = serde_json::from_str(&stdout).unwrap_or(Value::Null);
    assert_eq!((code, report["result"]["cases"].as_u64()), (10, Some(200)), "{stderr}");
    let signatures =
        report["result"]["findings"].as_array().expect("a list").iter().map(|finding| &finding["signature"]);
    let mut calls: Vec<_> =
        signatures.map(|one| ["kind", "place"].map(|key| one[key].as_str().unwrap_or("-"))).collect();
    calls.sort_unstable();
    // One of each call in which it did so: its third reply is to a reset, if it was asked nothing before.
    assert_eq!(calls, [[kind, "-"], [kind, "reset"]], "{stderr}");
}

#[rstest]
#[case("", 10)]
#[case("Sum=sequential", 10)]
#[case("Sum=fused", 0)]
#[case("sum=FUSED,Tf32=truncated", 0)]
#[case("all", 10)]
#[case("Sum=none", 2)]
fn a_target_is_held_against_the_model_that_it_is_said_to_follow(#[case] model: &str, #[case] exit: i32) {
    let target = format!("cmd:{} --model=Sum=fused", program::example("serve").display());
    let mut arguments =
        vec!["fuzz", "visa/dpas", "--no-causes", "--cases", "30000", "--seed", "1", "--json", "--target", &target];
    if !model.is_empty() {
        arguments.extend(["--model", model]);
    }
    let (code, stdout, stderr) = tandem(&arguments, "");
    assert_eq!(code, exit, "{stderr}");
    if exit == 2 {
        assert!(stderr.contains("Sum=sequential|fused|pairwise|single-rounding"), "{stderr}");
        return;
    }
    let report: Value = serde_json::from_str(&stdout).expect("the report is JSON");
    let findings = report["result"]["findings"].as_array().expect("findings").len();
    assert_eq!(findings > 0, exit == 10, "{stdout}");
    // The same stands in claims, and what goes by another model breaks no promise.
    if exit == 0 {
        let folder = tempfile::tempdir().expect("there is room");
        let claims = folder.path().join("claims.toml");
        std::fs::write(&claims, format!("models = {:?}\n", model.split(',').collect::<Vec<_>>())).expect("it is ours");
        arguments.truncate(arguments.len() - 2);
        let claims = claims.display().to_string();
        arguments.extend(["--claims", &claims]);
        ended(tandem(&arguments, ""), 0);
    }
    // What goes by another model is not asked.
    let rules = report["result"]["units"][0]["observed"]["rules"].as_array().cloned().unwrap_or_default();
    let is_not_asked = |rule: &Value| rule["reason"].as_str().is_some_and(|reason| reason.starts_with("not asked"));
    assert_eq!(rules.iter().any(is_not_asked), model != "all", "{rules:?}");
}

/// `cargo test --release --test gates rates -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn rates_of_the_ways() {
    let isa = ISAS[0];
    let (arena, batch) = batch(isa, 1, 1024);
    for way in ["lib-inproc", "lib", "serve --simd", "serve ", "serve --json", "serve --simd --json"] {
        let mut target = connect(&launcher(way, LIMIT), isa);
        target.border.load(&arena).expect("the background is taken");
        let mut answers = Answers::default();
        let (begin, mut cases) = (Instant::now(), 0);
        while begin.elapsed() < Duration::from_secs(2) {
            target.border.execute(&batch, &mut answers).expect("it answers");
            cases += answers.cases;
        }
        println!("{way}: {:.0} cases/s", f64::from(cases) / begin.elapsed().as_secs_f64());
    }
}
