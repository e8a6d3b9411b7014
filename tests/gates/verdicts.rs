//! Verdicts that are not too kind: printed commands do what they say, stored findings know what they are about, known
//! findings cover recorded vectors, and missing answers are missed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::vectors::{VectorFile, check_text, read_file};
use tandem_isa::{Edition, Noise};

use crate::program::{self, ROOT, Told, ended, told};

/// Builds a target of the example in C, from what stands before the example.
fn build(folder: &Path, name: &str, before: &str) -> PathBuf {
    let (source, library) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.so")));
    std::fs::write(&source, format!("#include <stdint.h>\n{before}\n#include \"target.c\"\n"))
        .expect("it can be written");
    let output = Command::new("cc")
        .current_dir(ROOT)
        .args(["-std=gnu11", "-O1", "-shared", "-fPIC", "-I", "harness/include", "-I", "examples/targets/c"])
        .arg(&source)
        .arg("-o")
        .arg(&library)
        .arg("-lm")
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

/// A flush that keeps a sign, and the same without the mistake; the bank of the move before, and the same mended.
struct Targets {
    /// Its name is one that a shell takes apart.
    _folder: tempfile::TempDir,
    sign: String,
    sign_mended: String,
    kept: String,
    kept_mended: String,
}

fn targets() -> &'static Targets {
    static TARGETS: OnceLock<Targets> = OnceLock::new();
    TARGETS.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("it's a \"folder\" ").tempdir().expect("a folder");
        let spec = |name: &str, before: &str| format!("lib:{}", build(folder.path(), name, before).display());
        let (sign, kept) = ("#define NAME \"sign\"", "#define NAME \"kept\"");
        let keeps = "static uint32_t kept_bank(uint32_t bank);\n\
                     #define SRCA_ROW(bank, src_row, rows, step) (64 * kept_bank(bank) + ((src_row) & (64 - (rows))) + (step))\n\
                     #define AFTER_MOVE() (last_bank = (int)bank)\n#define RESET() (last_bank = -1)\n\
                     static int last_bank = -1;\n\
                     static uint32_t kept_bank(uint32_t bank) { return last_bank < 0 ? bank : (uint32_t)last_bank; }";
        Targets {
            sign: spec("sign", &format!("{sign}\n#define FLUSHED(datum) ((datum) & 0x40000)")),
            sign_mended: spec("sign-mended", sign),
            kept: spec("kept", &format!("{kept}\n{keeps}")),
            kept_mended: spec("kept-mended", kept),
            _folder: folder,
        }
    })
}

/// A few groups of a committed file.
fn some_vectors() -> VectorFile {
    let file =
        read_file(ISAS, &Path::new(ROOT).join("vectors/tensix-wh/mova2d.ttsim-1.10.0.json")).expect("it is right");
    let groups = file.groups.iter().filter(|group| group.cell % 64 == 4).cloned().collect();
    VectorFile { groups, ..file }
}

/// A folder with some vectors, a list of known findings and a report.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        let vectors = place.path("vectors/tensix-wh");
        std::fs::create_dir_all(&vectors).expect("it can be made");
        let mut file = some_vectors();
        file.sort();
        std::fs::write(vectors.join("mova2d.some.json"), file.to_text()).expect("it can be written");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Told {
        let mut command = program::tandem();
        command.args(arguments);
        for (name, file) in [("out", "out"), ("vectors", "vectors"), ("known", "known.json")] {
            let is_there = name != "known" || self.path(file).exists() || arguments.contains(&"accept");
            if is_there && program::takes(arguments, name) {
                command.arg(format!("--{name}")).arg(self.path(file));
            }
        }
        told(&command.output().expect("the binary runs"))
    }

    /// Runs what was printed as a command, as a shell takes it.
    fn shell(&self, command: &str) -> Told {
        let binary = Path::new(env!("CARGO_BIN_EXE_tandem")).parent().expect("it lies in a folder");
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh").current_dir(ROOT).args(["-c", command]).env("PATH", path).output();
        told(&output.expect("there is a shell"))
    }

    fn fuzz(&self, target: &str, cases: &str) -> Told {
        self.run(&["fuzz", "tensix-wh/mova2d", "-t", target, "-s", "1", "-n", cases, "--timeout", "4.5", "--no-causes"])
    }

    fn report(&self) -> Value {
        program::read_json(&self.path("out/report.json"))
    }

    fn findings(&self) -> String {
        self.path("out/findings").display().to_string()
    }
}

/// A place, and the targets, if there is a C compiler to build them with.
fn with_targets() -> Option<(Place, &'static Targets)> {
    program::has("cc").then(|| (Place::new(), targets()))
}

/// The command in backquotes of a message.
fn command_in(message: &str) -> &str {
    message.split('`').find(|part| part.starts_with("tandem ")).unwrap_or_else(|| panic!("no command: {message}"))
}

#[test]
fn what_is_printed_as_a_command_does_what_it_says() {
    let Some((place, targets)) = with_targets() else { return };
    let (stdout, _) = ended(place.fuzz(&targets.sign, "4096"), 10);
    let report = place.report();
    let finding = &report["result"]["findings"][0];
    let replay = finding["replay"].as_str().expect("a finding has a command");
    assert!(replay.contains("--timeout 4.5") && stdout.contains(replay), "{replay}");
    let (code, said, stderr) = place.shell(replay);
    assert!(code == 10 && said.contains("sign: diverges"), "{replay}: {said}{stderr}");
    for file in ["summary.md", "index.html", "junit.xml"] {
        let text = std::fs::read_to_string(place.path("out").join(file)).expect("the report has this file");
        assert!(text.contains("--timeout 4.5"), "{file}");
    }
    // The command beside divergent vectors, too.
    assert!(stderr.is_empty() || !stderr.contains("panicked"), "{stderr}");
    let (_, _, stderr) = place.fuzz(&targets.sign, "4096");
    let (code, said, stderr) = place.shell(command_in(&stderr));
    assert!(code == 10 && said.contains("sign DstBits value in "), "{said}{stderr}");
}

#[test]
fn a_finding_whose_target_is_not_loaded_is_no_agreement() {
    let Some((place, targets)) = with_targets() else { return };
    assert_eq!(place.fuzz(&targets.sign, "4096").0, 10);
    let first = place.path("out/findings/001-first.json").display().to_string();
    for command in [&["replay", &first][..], &["minimize", &first], &["vectors", "check", &first]] {
        let (code, stdout, stderr) = place.run(command);
        assert_eq!(code, 14, "{command:?}: {stdout}{stderr}");
        assert!(stderr.contains("a finding of 'sign', which is not part of this run"), "{stderr}");
        let (code, stdout, stderr) = place.shell(command_in(&stderr));
        assert_eq!(code, 10, "{command:?}: {stdout}{stderr}");
    }
    // Nor is it one that another target agrees.
    assert_eq!(place.run(&["vectors", "check", &place.findings(), "--target", &targets.kept]).0, 14);
    // With its target it fails while the mistake is there, and does not when it is gone.
    let (code, stdout, _) = place.run(&["vectors", "check", &place.findings(), "--target", &targets.sign]);
    assert!(code == 10 && stdout.contains("sign DstBits value: still happens"), "{stdout}");
    let (stdout, _) = ended(place.run(&["vectors", "check", &place.findings(), "--target", &targets.sign_mended]), 0);
    assert!(stdout.contains("does not happen any more"), "{stdout}");
    // What a case id leads to is compared with somebody, or it is no agreement either.
    let id = place.report()["result"]["findings"][0]["first"].as_str().expect("an id").to_string();
    ended(place.run(&["replay", &id, "--targets", "simd:portable"]), 0);
    ended(place.run(&["replay", &place.path("vectors/tensix-wh/mova2d.some.json").display().to_string()]), 0);
}

#[test]
fn a_finding_by_order_fails_while_the_mistake_is_there_and_becomes_smaller() {
    let Some((place, targets)) = with_targets() else { return };
    ended(place.fuzz(&targets.kept, "1024"), 10);
    let first = place.path("out/findings/001-first.json").display().to_string();
    let finding = read_file(ISAS, Path::new(&first)).expect("it is right").finding.expect("it says what it is about");
    assert!(finding.shows && !finding.after.is_empty() && finding.kind.name() == "order-dependent");
    let check = |target: &str| place.run(&["vectors", "check", &place.findings(), "--target", target]);
    let (stdout, _) = ended(check(&targets.kept), 10);
    assert!(stdout.contains("order-dependent: still happens") && stdout.contains("expected 0x"), "{stdout}");
    let (code, stdout, stderr) = place.run(&["minimize", &first, "--target", &targets.kept]);
    assert!(code == 10 && stdout.contains("proven minimal"), "{stdout}{stderr}");
    let smaller = place.path("out/findings/001-first.min-1.json");
    let size = |path: &Path| read_file(ISAS, path).expect("it is right").case_values()[0].size();
    assert!(size(&smaller) < size(Path::new(&first)) && size(&smaller) < 12);
    // The smaller ones are findings as well, and all are gone together.
    assert_eq!(check(&targets.kept).0, 10);
    let (code, stdout, stderr) = check(&targets.kept_mended);
    assert_eq!((code, stdout.matches("does not happen any more").count()), (0, 3), "{stdout}{stderr}");
}

#[test]
fn known_findings_cover_recorded_vectors_and_do_not_fail_a_run() {
    let Some((place, targets)) = with_targets() else { return };
    let target = ["--target", &targets.sign];
    let (code, stdout, _) = place.fuzz(&targets.sign, "4096");
    assert_eq!(code, 10);
    // One line for one cause, with the finding that it belongs to.
    assert_eq!(stdout.lines().filter(|line| line.contains("mova2d.some.json")).count(), 1, "{stdout}");
    assert!(stdout.contains("; finding 1"), "{stdout}");
    let (code, stdout, stderr) = place.run(&["known", "accept", "1", "--verdict", "confirmed"]);
    assert!(code == 2 && stderr.contains("--link"), "{stdout}{stderr}");
    let (code, stdout, stderr) = place.run(&["known", "accept", "7"]);
    assert!(code == 2 && stderr.contains("has no finding 7, it has 1"), "{stdout}{stderr}");
    ended(place.run(&["known", "accept", "1", "--verdict", "accepted", "--evidence", "on purpose"]), 0);
    let list = place.run(&["known", "list", "--json"]).1;
    let list: Value = serde_json::from_str(&list).expect("it is JSON");
    assert_eq!(
        (&list["known"][0]["verdict"], &list["known"][0]["evidence"]),
        (&json!("accepted"), &json!("on purpose"))
    );
    // Once more is no news.
    let (code, stdout, _) = place.run(&["known", "accept", "--all"]);
    assert!(code == 0 && stdout.contains("0 added"), "{stdout}");
    ended(place.fuzz(&targets.sign, "4096"), 0);
    let vectors = &place.report()["result"]["vectors"];
    assert!(vectors["known"].as_u64() > Some(0) && vectors["divergent"] == 0, "{vectors}");
    let check = |what: &[&str]| place.run(&[&["vectors", "check"], what, &target[..]].concat());
    let file = place.path("vectors/tensix-wh/mova2d.some.json").display().to_string();
    for what in [&[][..], &[&file[..]], &[&place.findings()[..]]] {
        let (code, stdout, stderr) = check(what);
        assert!(code == 0 && stdout.contains("known: K-1"), "{what:?}: {stdout}{stderr}");
    }
    // What lies outside is new.
    let known = place.path("known.json");
    let text = std::fs::read_to_string(&known).expect("it is there");
    std::fs::write(&known, text.replace("\"15:0->1\"", "\"15:1->0\"")).expect("it can be written");
    assert_eq!((check(&[]).0, check(&[&file]).0), (10, 10));
    std::fs::write(&known, text).expect("it can be written");
    // It is taken off when it does not happen any more, and not before.
    let prune = |target: &str, more: &[&str]| place.run(&[&["known", "prune", "--target", target], more].concat());
    assert_eq!(place.run(&["known", "prune"]).0, 14);
    let (code, stdout, _) = prune(&targets.sign, &[]);
    assert!(code == 0 && stdout.contains("still happens") && stdout.contains("0 taken off"), "{stdout}");
    let (code, stdout, _) = prune(&targets.sign_mended, &["--dry-run"]);
    assert!(code == 0 && stdout.contains("1 would be taken off"), "{stdout}");
    let (code, stdout, _) = prune(&targets.sign_mended, &[]);
    assert!(code == 0 && stdout.contains("1 taken off"), "{stdout}");
    assert!(place.run(&["known", "list"]).1.contains("0 known findings"));
}

#[test]
fn a_stored_finding_can_be_accepted_by_its_file_also_where_order_matters() {
    let Some((place, targets)) = with_targets() else { return };
    assert_eq!(place.fuzz(&targets.kept, "1024").0, 10);
    let first = place.path("out/findings/001-first.json").display().to_string();
    ended(place.run(&["known", "accept", &first]), 0);
    ended(place.fuzz(&targets.kept, "1024"), 0);
    let (code, stdout, _) = place.run(&["known", "prune", "--dry-run", "--target", &targets.kept]);
    assert!(code == 0 && stdout.contains("still happens"), "{stdout}");
    let (code, _, stderr) = place.fuzz(&targets.kept_mended, "1024");
    assert!(code == 11 && stderr.contains("tandem known prune"), "{stderr}");
    let ordinary = place.path("vectors/tensix-wh/mova2d.some.json").display().to_string();
    let (code, _, stderr) = place.run(&["known", "accept", &ordinary]);
    assert!(code == 2 && stderr.contains("no stored finding"), "{stderr}");
}

#[test]
fn an_exhaustive_run_with_only_known_findings_does_not_fail() {
    let Some((place, targets)) = with_targets() else { return };
    // One cell that the target does: the sign of what is flushed is kept in it.
    let only = "ALU_FORMAT_SPEC_REG_SrcA_override=0,SrcAFmt=FP16,FP16A_FORCE_Enable=0,ALU_ACC_CTRL_Zero_Flag_disabled_src=0,\
                UseDst32bLo=0,Move8Rows=1";
    let exhaust = || place.run(&["exhaust", "mova2d", "--only", only, "--target", &targets.sign]);
    let (stdout, _) = ended(exhaust(), 10);
    // The command that is printed finds it again.
    let command = stdout.split("run it again: ").nth(1).and_then(|rest| rest.lines().next()).expect("a command");
    assert_eq!(place.shell(command).0, 10, "{command}");
    let folder = place.path("out/exhaust");
    let files = std::fs::read_dir(folder).expect("there are findings").map(|file| file.expect("a file").path());
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    let mut accept = vec!["known", "accept"];
    accept.extend(files.iter().map(String::as_str));
    let (code, stdout, stderr) = place.run(&accept);
    assert!(code == 0 && stdout.contains("1 added"), "{stdout}{stderr}");
    let (code, stdout, stderr) = exhaust();
    assert!(code == 0 && stdout.contains("known: K-1"), "{stdout}{stderr}");
}

/// Results for the first tests of some vectors: what the recording says, or another outcome.
fn results(count: usize, outcome: Option<&str>) -> String {
    let file = some_vectors();
    let tests = file.tests().map(|(_, test)| test).filter(|test| test.editions.contains(&Edition::Newest));
    let line = |test: &tandem_harness::vectors::Test| {
        let (small, rows) = test.after.named(file.isa);
        let id = test.id(file.isa, file.instruction);
        match outcome {
            None => json!({ "id": id, "outcome": test.outcome.name(), "small": small, "rows": rows }),
            Some(outcome) => json!({ "id": id, "outcome": outcome }),
        }
    };
    tests.take(count).map(|test| format!("{}\n", line(test))).collect()
}

#[test]
fn a_few_results_do_not_pass_for_all() {
    let place = Place::new();
    let file = place.path("vectors/tensix-wh/mova2d.some.json").display().to_string();
    let manifest = place.path("manifest.json").display().to_string();
    let export = ["vectors", "export", &file, "--format", "jsonl", "--edition", "newest", "--manifest", &manifest];
    let (lines, _) = ended(place.run(&export), 0);
    let all = lines.lines().count();
    let path = place.path("results.jsonl").display().to_string();
    let judge = |text: &str, more: &[&str]| {
        std::fs::write(&path, text).expect("it can be written");
        place.run(&[&["vectors", "judge", &path, "--machine", "bench 7"], more].concat())
    };
    for more in [&[][..], &["--manifest", &manifest]] {
        let (_, stderr) = ended(judge(&results(4, None), more), 12);
        assert!(stderr.contains(&format!("{} of {all} tests have no result", all - 4)), "{stderr}");
        assert_eq!(stderr.contains("what was exported is not known"), more.is_empty(), "{stderr}");
        let vectors = &place.report()["result"]["vectors"];
        assert_eq!(vectors["missing"].as_u64(), Some(all as u64 - 4));
        assert!(vectors["list"][0]["missing_cells"].as_array().is_some_and(|cells| !cells.is_empty()));
        ended(judge(&results(all, None), more), 0);
        // What is supported nowhere is no success.
        let (code, stdout, stderr) = judge(&results(all, Some("unsupported")), more);
        assert!(code == 12 && stdout.contains(&format!("{all} unsupported")), "{stdout}{stderr}");
        // Whoever does nothing at all has one finding for one cause.
        let (stdout, _) = ended(judge(&results(all, Some("done")), more), 10);
        let lines = stdout.lines().filter(|line| line.contains(" tests of tensix-wh/mova2d.some.json")).count();
        let findings = place.report()["result"]["findings"].as_array().map_or(0, Vec::len);
        assert_eq!(lines, findings, "{stdout}");
        assert!(stdout.contains("; finding 1"), "{stdout}");
    }
    // Cells for which the pages promise nothing are shown as that.
    assert!(place.report()["result"]["cited"].as_u64() > Some(0));
    // What is known does not fail, and the files say that they cannot be run here.
    ended(place.run(&["known", "accept", "--all"]), 0);
    assert_eq!(judge(&results(all, Some("done")), &["--manifest", &manifest]).0, 0);
    let (code, _, stderr) = place.run(&["vectors", "check", &place.findings()]);
    assert!(code == 14 && stderr.contains("recorded elsewhere"), "{stderr}");
    std::fs::write(&manifest, "{}").expect("it can be written");
    let (code, _, stderr) = judge(&results(4, None), &["--manifest", &manifest]);
    assert!(code == 13 && stderr.contains("manifest.json: line 1"), "{stderr}");
}

#[test]
fn broken_findings_are_refused_and_nothing_panics() {
    let Some((place, targets)) = with_targets() else { return };
    assert_eq!(place.fuzz(&targets.kept, "1024").0, 10);
    let first = place.path("out/findings/001-first.json");
    let text = std::fs::read_to_string(&first).expect("it is there");
    let refused = |from: &str, to: &str, place: &str| {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let error = check_text(ISAS, "f.json", broken.as_bytes()).expect_err("it is broken").to_string();
        assert!(error.starts_with("f.json: ") && error.contains(place), "{error}");
    };
    refused("\"kind\": \"order-dependent\"", "\"kind\": \"disorder\"", "/finding/kind");
    refused("\"shows\": true", "\"shows\": 1", "expected a boolean");
    refused("\"shows\": true", "\"shows\": false", "/digest");
    refused("\"target\": \"kept\", ", "", "missing field `target`");
    refused(
        "\"classes\": {\"newest\": [\"",
        "\"classes\": {\"newest\": [\"no such class\",\"",
        "/finding/classes/newest",
    );
    refused("\"after\": {\"code\": [\"0x12", "\"after\": {\"code\": [\"0x00", "/finding/after/code");
    refused("\"outcome\":\"done\"", "\"outcome\":\"blocked\"", "/groups/0/tests/0");
    let mut noise = Noise::new(9);
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + noise.below(3) {
            let at = noise.below(bytes.len());
            bytes[at] = u8::try_from(noise.bits(7)).expect("seven bits");
        }
        let _ = check_text(ISAS, "f.json", &bytes);
    }
    std::fs::write(&first, "{").expect("it can be written");
    for command in [["replay", "--json"], ["minimize", "--json"]] {
        let (code, stdout, stderr) = place.run(&[command[0], &first.display().to_string()]);
        assert!(code == 13 && stderr.contains("line 1"), "{stdout}{stderr}");
    }
    std::fs::write(place.path("out/report.json"), "{").expect("it can be written");
    let (code, _, stderr) = place.run(&["known", "accept", "1"]);
    assert!(code == 2 && stderr.contains("report.json") && stderr.contains("tandem fuzz"), "{stderr}");
}
