//! Tests as programs for a Tensix: each runs from a reset through the reference and arrives at what its test says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tandem_board::rungs::{RUNGS, rung_of};
use tandem_board::{Board, Exporter, Program, Segment, Unreachable};
use tandem_cases::ISAS;
use tandem_harness::rules::{Planned, PlannedStep, schedule};
use tandem_harness::vectors::{Test, VectorFile};
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{Gap, Isa, Rule};
use tandem_reference::tensix::TensixReference;

use crate::parts::vectors_of;
use crate::program::{self, ROOT, ended, has};

fn isa(name: &str) -> &'static Isa {
    ISAS.iter().copied().find(|isa| isa.name == name).expect("there is such a set")
}

fn exporter(chip: &str, route: Option<u32>) -> Exporter {
    Exporter::new(isa(chip), Box::new(TensixReference), route)
}

/// Machines after two resets, which leave open other things.
fn boards(exporter: &Exporter) -> [Board; 2] {
    [1, 2].map(|seed| exporter.board(Box::new(TensixReference), seed).expect("the prologue runs"))
}

/// What no program sets: the PRNG, a stream of the NoC, counters of addresses, L1, memory-mapped registers, and where an earlier
/// SHIFTXA began.
const CANNOT: [Unreachable; 6] = [
    Unreachable::Prng,
    Unreachable::Stream,
    Unreachable::AddressCounter,
    Unreachable::L1,
    Unreachable::Mmio,
    Unreachable::HardwareBug,
];

/// What came of exporting and checking tests.
#[derive(Default)]
struct Count {
    exported: usize,
    unreachable: BTreeMap<Unreachable, usize>,
    instructions: BTreeSet<&'static str>,
}

impl Count {
    fn all(&self) -> usize {
        self.exported + self.unreachable.values().sum::<usize>()
    }
}

/// Exports and checks tests of a chip: of each file as many as `most`, evenly over it.
fn check(chip: &str, route: Option<u32>, most: usize) -> Count {
    let (mut exporter, mut count) = (exporter(chip, route), Count::default());
    let mut boards = boards(&exporter);
    for file in vectors_of(chip) {
        let every = file.len().div_ceil(most).max(1);
        for (_, test) in file.tests().step_by(every) {
            match exporter.export(file, test) {
                Err(why) => *count.unreachable.entry(why).or_default() += 1,
                Ok(program) => {
                    for board in &mut boards {
                        let id = test.id(file.isa, file.instruction);
                        let wrong = exporter.check(file, test, &program, board);
                        assert_eq!(wrong, Ok(()), "{} {id}", file.instruction.path());
                    }
                    count.exported += 1;
                    count.instructions.insert(file.instruction.name);
                }
            }
        }
    }
    let left = count.all() - count.exported;
    println!("{chip}, route {route:?}: {} exported, {left} not: {:?}", count.exported, count.unreachable);
    let cannot = CANNOT.map(|why| count.unreachable.get(&why).unwrap_or(&0));
    let settable = count.all() - cannot.into_iter().sum::<usize>();
    assert!(5 * count.exported >= 4 * settable, "{chip}: {:?}", count.unreachable);
    count
}

#[test]
fn a_sample_of_each_file_runs_from_a_reset_and_arrives() {
    for (chip, route) in [("tensix-wh", None), ("tensix-bh", None), ("tensix-bh", Some(2))] {
        let count = check(chip, route, 4);
        // Nothing is promised of two of these at all, so that they have no tests; SFPTRANSP reads all eight registers, of which the
        // loader needs one for itself.
        let none = ["UNPACR_NOP_SETREG", "UNPACR_NOP_OVERLAY_CLEAR", "SFPTRANSP"];
        let all = isa(chip).machine.instructions.iter().map(|facts| facts.name).filter(|name| !none.contains(name));
        let missing: Vec<&str> =
            all.filter(|name| !count.instructions.contains(name) && !has_none(chip, route, name)).collect();
        assert!(missing.is_empty(), "{chip}: {missing:?}");
    }
}

/// Whether an instruction has no tests, or one that is exported beside the sample.
fn has_none(chip: &str, route: Option<u32>, name: &str) -> bool {
    let mut exporter = exporter(chip, route);
    let own: Vec<_> = vectors_of(chip).filter(|file| file.instruction.name == name).collect();
    let (mut cannot, mut all) = (0, 0);
    for (file, test) in own.iter().flat_map(|file| file.tests().map(move |(_, test)| (file, test))) {
        match exporter.export(file, test) {
            Ok(_) => return true,
            Err(why) => (cannot, all) = (cannot + usize::from(CANNOT.contains(&why)), all + 1),
        }
    }
    2 * cannot >= all
}

#[test]
#[ignore = "a minute: all tests, each by both routes"]
fn every_test_runs_from_a_reset_and_arrives() {
    for chip in ["tensix-wh", "tensix-bh"] {
        for route in [None, Some(1), Some(2)] {
            check(chip, route, usize::MAX);
        }
    }
}

/// A few programs of a chip.
fn programs(chip: &str, most: usize) -> Vec<(&'static VectorFile, Test, Program)> {
    let mut exporter = exporter(chip, None);
    let chosen = vectors_of(chip).filter_map(|file| {
        let place = file.len() / 2;
        let test = file.tests().nth(place).map(|(_, test)| test.clone())?;
        let program = exporter.export(file, &test).ok()?;
        Some((file, test, program))
    });
    chosen.take(most).collect()
}

#[test]
fn a_program_that_lacks_a_word_is_caught() {
    let (mut dropped, mut missed) = (0, Vec::new());
    for chip in ["tensix-wh", "tensix-bh"] {
        let mut exporter = exporter(chip, None);
        let mut boards = boards(&exporter);
        for (file, test, program) in programs(chip, 48) {
            for segment in 0..program.load.len() {
                let Segment::Push { words, .. } = &program.load[segment] else { continue };
                for place in (0..words.len()).step_by(61) {
                    let text = isa(chip).decode(&[words[place]]).map(|facts| facts.print(&[words[place]]));
                    // What only waits changes nothing in a machine without time, and what puts all lanes or all sources in order may
                    // be about none that the test looks at.
                    let is_sure = |text: &String| !["WAIT", "SFPENCC", "ZEROSRC"].iter().any(|one| text.contains(one));
                    let Some(text) = text.filter(is_sure) else { continue };
                    let mut lacking = program.clone();
                    if let Segment::Push { words, .. } = &mut lacking.load[segment] {
                        words.remove(place);
                    }
                    dropped += 1;
                    if boards.iter_mut().all(|board| exporter.check(file, &test, &lacking, board).is_ok()) {
                        missed.push(format!("{chip} {} {text}", file.instruction.file));
                    }
                }
            }
        }
    }
    println!("{dropped} words dropped, {} of them not missed", missed.len());
    assert!(dropped > 80, "{dropped}");
    assert!(20 * missed.len() <= dropped, "of {dropped}: {missed:#?}");
}

#[test]
fn what_a_read_expects_is_asked_for() {
    let mut exporter = exporter("tensix-bh", None);
    let [mut board, _] = boards(&exporter);
    let mut caught = 0;
    for (file, test, program) in programs("tensix-bh", 60) {
        for read in 0..program.reads.len() {
            let mut other = program.clone();
            let place = other.reads[read].mask.iter().position(|&mask| mask != 0).expect("some bit is promised");
            other.reads[read].expected[place] ^= other.reads[read].mask[place];
            assert!(exporter.check(file, &test, &other, &mut board).is_err(), "{}", file.instruction.path());
            caught += 1;
        }
    }
    assert!(caught > 60, "{caught}");
}

/// Some tests of a file, and all where GPRs go to configuration.
fn of_each_kind(file: &'static VectorFile) -> impl Iterator<Item = (&'static VectorFile, &'static Test)> {
    let configures = ["wrcfg", "rmwcib0", "setdmareg_immediate", "setdmareg_special"].contains(&file.instruction.file);
    let step = if configures { 1 } else { (file.len() / 6).max(1) };
    file.tests().step_by(step).map(move |(_, test)| (file, test))
}

#[test]
fn no_rule_of_software_is_broken_in_what_is_pushed() {
    for chip in ["tensix-wh", "tensix-bh"] {
        let machine = isa(chip).machine;
        let (prologue, _) = exporter(chip, None).prologue();
        let planned = |word: &u32| Planned::decode(machine, &[*word]).expect("a word that is pushed is known");
        let steps =
            |words: &[u32]| -> Vec<_> { words.iter().map(|word| PlannedStep::Instruction(planned(word))).collect() };
        let (mut checked, mut configured) = (0, 0);
        let mut push = |file: &str, of_threads: &mut [Vec<u32>; 3], segment: &Segment| {
            let Segment::Push { thread, words } = segment else { return };
            let made = schedule(machine.rules.rules, &steps(words));
            let broken = made.to_mend().next();
            assert!(broken.is_none(), "{chip} {file}: {}", broken.expect("there is one"));
            of_threads[*thread].extend(words);
            checked += words.len();
        };
        let mut begun: [Vec<u32>; 3] = Default::default();
        prologue.iter().for_each(|segment| push("prologue", &mut begun, segment));
        // What has to be relieved, however far apart, has to be over segments as well.
        let far: Vec<Rule> = machine.rules.rules.iter().filter(|rule| rule.gap == Gap::Ever).copied().collect();
        let far: &'static [Rule] = far.leak();
        let mut exporter = exporter(chip, None);
        for (file, test) in vectors_of(chip).flat_map(of_each_kind) {
            let Ok(program) = exporter.export(file, test) else { continue };
            let reads = program.reads.into_iter().flat_map(|read| read.segments);
            let mut of_threads = begun.clone();
            for segment in program.load.into_iter().chain(program.test).chain(reads) {
                push(file.instruction.file, &mut of_threads, &segment);
            }
            for words in &of_threads {
                let made = schedule(far, &steps(words));
                let far = made.to_mend().next();
                assert!(far.is_none(), "{chip} {}: {}", file.instruction.file, far.expect("there is one"));
                configured += words.iter().filter(|&&word| word >> 24 == 0xb0).count();
            }
        }
        assert!(checked > 1000 && configured > 50, "{checked} words, {configured} WRCFG");
    }
}

#[test]
fn every_instruction_stands_on_one_rung_and_the_loader_on_low_ones() {
    for &mnemonic in Mnemonic::ALL {
        let rungs = RUNGS.iter().filter(|rung| rung.instructions.contains(&mnemonic)).count();
        assert_eq!(rungs, 1, "{mnemonic:?}");
    }
    // Whatever a loader or a read leans on stands below all that computes.
    let computing = rung_of(Mnemonic::Sfpand).min(rung_of(Mnemonic::Mvmul));
    for chip in [Chip::Wormhole, Chip::Blackhole] {
        for (_, _, program) in programs(chip.isa(), usize::MAX) {
            for name in program.trusts {
                let mnemonic = Mnemonic::ALL.iter().copied().find(|one| one.is_on(chip) && one.on(chip).name == name);
                assert!(mnemonic.is_some_and(|one| rung_of(one) < computing), "{name}");
            }
        }
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file was written");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Exports to one file, and checks.
fn export(folder: &Path, arguments: &[&str]) -> (PathBuf, String) {
    let path = folder.join("programs.jsonl");
    let out = path.display().to_string();
    let all = [&["vectors", "export", "--format", "tensix-program", "--check", "--out", &out], arguments].concat();
    let output = program::tandem().args(all).output().expect("the binary runs");
    let (_, said) = ended(program::told(&output), 0);
    (path, said)
}

#[test]
fn lines_follow_their_schema_and_every_test_is_accounted_for() {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/tensix-program.schema.json")).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let folder = tempfile::tempdir().expect("a folder");
    let (path, said) =
        export(folder.path(), &["risc_store", "tensix-wh/zeroacc", "tensix-bh/sfpmov", "--per-cell", "1"]);
    let lines = lines(&path);
    for line in &lines {
        let wrong: Vec<String> = validator.iter_errors(line).map(|error| error.to_string()).take(3).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {line}");
    }
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["kind"].as_str()).collect();
    let tests = lines.len() - 2;
    assert_eq!((kinds[0], kinds[tests + 1]), ("header", "end"));
    let end = &lines[tests + 1];
    assert_eq!(end["exported"].as_u64(), Some(tests as u64));
    assert!(said.contains(&format!("{tests} tests have a program")), "{said}");
    assert!(said.contains(&format!("{tests} of {tests} programs are what their tests say")), "{said}");
    let unreachable = end["unreachable"].as_object().expect("it is a table");
    for (key, told) in unreachable {
        assert_eq!(told["count"].as_u64(), told["ids"].as_array().map(|ids| ids.len() as u64), "{key}");
        assert!(said.contains(key.as_str()), "{said}");
    }
    // A test whose loader uses what is under test says so.
    let circular = |line: &&Value| line["circular"] == true;
    assert!(lines.iter().filter(circular).all(|line| {
        let texts = line["text"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let trusts: Vec<&str> = line["trusts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        // Of forms of one mnemonic the text has the mnemonic alone.
        let mnemonic = |name: &str| name.split('_').next().unwrap_or_default().to_string();
        texts.into_iter().any(|text| trusts.iter().any(|name| text.contains(&mnemonic(name))))
    }));
    assert!(lines.iter().any(|line| circular(&line)) && lines.iter().any(|line| line["circular"] == false));
}

#[test]
fn the_adapter_runs_programs_and_its_results_are_judged() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, wrong) in [("tensix-wh/sfpexexp", false), ("tensix-bh/movd2b", false), ("tensix-bh/movd2b", true)] {
        let manifest = folder.path().join("manifest.json").display().to_string();
        let vectors = format!("vectors/{name}.json");
        let (path, _) = export(folder.path(), &[&vectors, "--first", "6", "--manifest", &manifest]);
        let results = folder.path().join("results.jsonl").display().to_string();
        let (chip, _) = name.split_once('/').expect("a chip and an instruction");
        let flag = if wrong { " --wrong" } else { "" };
        let served = format!("{} vectors board {chip}{flag}", env!("CARGO_BIN_EXE_tandem"));
        let adapter = Command::new("python3")
            .args(["-B", "examples/tensix/adapter.py", &path.display().to_string(), &results, "--served", &served])
            .current_dir(ROOT)
            .output();
        let (stdout, _) = ended(program::told(&adapter.expect("python3 runs")), 0);
        assert!(stdout.starts_with(&format!("{} tests ran", lines(&path).len() - 2)), "{stdout}");
        let judge = ["vectors", "judge", &results, "--manifest", &manifest, "--machine", "served"];
        ended(program::run(&judge), if wrong { 10 } else { 0 });
    }
}

#[test]
fn the_adapter_for_ttsim_compiles_and_says_what_it_needs() {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("ttsim-board");
    let cc = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&out)
        .args(["examples/tensix/ttsim.c", "-ldl"])
        .current_dir(ROOT)
        .output();
    ended(program::told(&cc.expect("cc runs")), 0);
    let without = Command::new(&out).arg("tensix-bh").env_remove("TANDEM_LIBTTSIM").output().expect("it runs");
    let (stdout, _) = ended(program::told(&without), 1);
    assert!(stdout.contains("TANDEM_LIBTTSIM"), "{stdout}");
}

#[test]
#[cfg(feature = "opencl")]
fn every_command_of_the_bring_up_runs() {
    if !["python3", "cc"].iter().all(|program| has(program)) {
        return;
    }
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/bring-up.md")).expect("the document is there");
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let tandem = env!("CARGO_BIN_EXE_tandem");
    let (mut script, mut commands) = (String::new(), 0);
    for line in blocks.flat_map(str::lines) {
        let (command, told) = line.split_once(" # ").unwrap_or((line, ""));
        if told.ends_with("needs CL/cl.h") && !Path::new("/usr/include/CL/cl.h").exists() {
            println!("not run: there is no CL/cl.h for {command}");
            continue;
        }
        let code = told.strip_prefix("exit code ").and_then(|code| code.split(',').next()).unwrap_or("0");
        // The program was built together with this test.
        let command = command.replace("cargo run --release --", tandem).replace("target/release/tandem", tandem);
        if command.starts_with("cargo build --release") {
            continue;
        }
        commands += 1;
        script += &format!("{command}\ncode=$?\n[ $code = {code} ] || {{ echo \"exit code $code\" >&2; exit 1; }}\n");
    }
    assert!(commands >= 6, "the document has commands");
    let output = Command::new("sh").args(["-xc", &script]).current_dir(ROOT).output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    // The figures that the document gives of its own export.
    let figures = said.lines().find_map(|line| line.strip_prefix("tandem: ")?.split_once(" tests have a program"));
    let (count, _) = figures.expect("an export says how many");
    assert!(text.contains(&format!("{count} tests have a program")), "{said}");
}
