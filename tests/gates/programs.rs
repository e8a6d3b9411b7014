//! Programs: every pair of instructions is decided, a fault that takes five steps is found and becomes those five, laws of
//! several steps hold on every level, and nothing depends on the number of workers.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rstest::rstest;
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_faults::twist::Right;
use tandem_harness::foreign::{Connected, Foreign, serve};
use tandem_harness::observe::{Scope, View, observed};
use tandem_harness::rules::{Planned, PlannedStep, schedule};
use tandem_harness::vectors::{
    About, Note, PROGRAMS_ID, Replayer, Selection, Source, Subject, Verdict, check_text, finding_file, read_file,
    select, to_lines,
};
use tandem_harness::{
    Answered, CaseSource, CaseValue, Dependence, IsaSuite, NextStep, PairCell, PairStatus, ProgramBench, ProgramId,
    ProgramPlan, ProgramResult, Progress, Signature, TargetFactory, run_programs,
};
use tandem_isa::{
    Answer, Code, Edition, Facts, FieldRole, Instruction, MACHINES, MAX_STEPS, Noise, State, Step, Target, TargetInfo,
    one_by_one,
};
use tandem_policy::Refusing;

use crate::parts::{everybody, instruction, one_in, policy, recalling, store};
use crate::program;

fn plan(isa: &IsaSuite, files: &[&str], (steps, threads): (Option<usize>, usize)) -> ProgramPlan {
    let is_one = |one: &&&'static Instruction| files.is_empty() || files.contains(&one.file);
    let instructions = isa.isa.instructions.iter().filter(is_one).copied().collect();
    let answered = Answered::default();
    ProgramPlan {
        instructions,
        own: Vec::new(),
        edition: Edition::Newest,
        seed: 1,
        cases: None,
        steps,
        threads,
        answered,
    }
}

fn run(isa: &IsaSuite, plan: &ProgramPlan) -> ProgramResult {
    run_programs(isa, plan, &Progress::default())
}

#[rstest]
#[case("tensix-wh", 0)]
#[case("tensix-bh", 1)]
fn no_pair_of_instructions_is_a_hole(#[case] name: &str, #[case] first: usize) {
    let step = one_in(3);
    let suite = wiring::suite();
    let isa = suite.isa(name).expect("it is in the suite");
    // The best level; what a step has to do with another is asked of the reference alone.
    let isa = isa.with_targets(isa.targets.last().cloned().into_iter().collect());
    let files: Vec<&str> = isa.isa.instructions.iter().skip(first % step).step_by(step).map(|one| one.file).collect();
    let result = run(&isa, &plan(&isa, &files, (None, 2)));
    assert_eq!(result.cells.len(), files.len().pow(2) * Dependence::SPLIT.len());
    assert!(result.findings.is_empty(), "{:?}", result.findings[0]);
    let holes = result.cells.iter().filter(|cell| cell.status() == PairStatus::Hole);
    assert_eq!(holes.map(|cell| format!("{cell:?}")).collect::<Vec<_>>(), Vec::<String>::new());
    for (dependence, most) in
        [(Dependence::ReadAfterWrite, 100), (Dependence::Ownership, 50), (Dependence::Counter, 50)]
    {
        let least = most / step.pow(2);
        assert!(result.count(PairStatus::Green, Some(dependence)) >= least, "{}", dependence.name());
    }
}

#[test]
fn what_is_paired_with_others_is_in_each_pair_and_the_rest_of_a_program_is_of_all() {
    let files = ["mova2d", "incrwc", "setrwc", "movd2a"];
    let (isa, setrwc) = instruction("tensix-wh/setrwc");
    // Wrong in a bit where it is neither of a pair.
    let make = || {
        recalling(|steps: &mut u32, step: &Step<'_>, state: &mut State| {
            let answer = Right.execute(step, state);
            *steps += 1;
            state.small[0] ^= u8::from(*steps > 2 && step.instruction.file == "incrwc");
            answer
        })
    };
    let isa = isa.with_targets(vec![TargetFactory::new(make)]);
    let plan = ProgramPlan { own: vec![setrwc], ..plan(&isa, &files, (Some(9), 2)) };
    let result = run(&isa, &plan);
    assert_eq!(result.cells.len(), (2 * files.len() - 1) * Dependence::SPLIT.len());
    assert!(result.cells.iter().all(|cell| [cell.first.file, cell.second.file].contains(&"setrwc")));
    // Who runs one again has the same program from the same instructions.
    let mut bench = ProgramBench::new(&isa, plan.edition, plan.seed);
    bench.only(&plan.instructions.iter().map(|one| one.index).collect::<Vec<_>>());
    let found = result.findings.iter().filter(|finding| finding.step > 1);
    let stored: Vec<_> = found.filter_map(|finding| Some((finding, finding.stored.as_ref()?))).collect();
    assert!(!stored.is_empty(), "{:?}", result.findings);
    for (finding, stored) in stored {
        let _ = bench.run(&finding.first);
        assert_eq!(bench.steps()[..=finding.step], stored.steps()[..=finding.step], "{}", finding.first);
    }
}

/// The steps after which a bit is wrong; they need not follow directly on each other.
const FIVE: [&str; 5] = ["sempost", "sfpand", "movd2b", "incrwc", "sfpmov"];

/// A target that is right, but for a bit after the last of five given steps.
fn after_five() -> IsaSuite {
    let make = || {
        recalling(|met: &mut usize, step, state| {
            let answer = Right.execute(step, state);
            *met += usize::from(step.instruction.file == FIVE[*met]);
            if *met == FIVE.len() {
                *met = 0;
                state.small[0] ^= 1;
            }
            answer
        })
    };
    instruction("tensix-wh/mova2d").0.with_targets(vec![TargetFactory::new(make)])
}

#[test]
fn what_shows_only_after_five_steps_is_found_and_becomes_those_five() {
    let isa = after_five();
    let result = run(&isa, &plan(&isa, &FIVE, (Some(16), 2)));
    let [finding] = &result.findings[..] else { panic!("{:?}", result.findings) };
    let smallest = finding.minimized.as_ref().expect("it has a smallest program");
    let files: Vec<&str> = smallest.value.steps().iter().map(|step| step.instruction.file).collect();
    assert_eq!((files, smallest.proven), (FIVE.to_vec(), true));
    // A step behind the first counts one, and nothing else is left.
    assert_eq!(smallest.value.size(), 4, "{:?}", smallest.value);

    // As a file it is read back, and shows the same.
    let Signature { target, place, kind, .. } = finding.signature.clone();
    let (classes, options, bits, rules, after) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let about = About { target, place, kind, shows: true, options, classes, bits, rules, after };
    let source = Source { name: "tandem".into(), version: "0".into(), commit: None, licence: None, note: None };
    let note = Note { what: "a program".into(), detects: "what comes after five steps".into() };
    let file = finding_file(&isa, &smallest.value, source, ("finding", note), Some(about)).expect("it lies in a cell");
    let text = file.to_text();
    assert!(text.contains(PROGRAMS_ID));
    let file = check_text(ISAS, "the file", text.as_bytes()).expect("it is canonical");
    let runs = Replayer::new(&isa).replay(&file, &BTreeMap::new(), None).runs;
    assert_eq!(runs.len(), 2);
    for run in runs {
        let wrong = matches!(run.verdict, Verdict::Diverged { .. });
        assert_eq!(wrong, run.subject != Subject::Reference, "{run:?}");
    }
}

#[test]
fn a_program_comes_again_from_its_id_and_no_result_depends_on_the_workers() {
    let isa = after_five();
    let told = |threads| format!("{:?}", run(&isa, &plan(&isa, &FIVE, (Some(16), threads))));
    assert_eq!(told(1), told(3));

    let (first, second) = (instruction("tensix-wh/mova2d").1, instruction("tensix-wh/movd2a").1);
    let mut bench = ProgramBench::new(&isa, Edition::Newest, 7);
    for (index, dependence) in (0..).zip(Dependence::ALL) {
        let id = ProgramId { isa: "wh", first, second, dependence, edition: Edition::Newest, steps: 9, seed: 7, index };
        let (read, _) = ProgramId::parse(&id.to_string(), &wiring::suite()).expect("it is an id");
        assert_eq!((id.to_string(), id.key(), id.to_string().len()), (read.to_string(), read.key(), 32));
        let ran = bench.run(&id);
        let value = bench.take_value(&id, false);
        let again = ProgramBench::new(&isa, Edition::Newest, 7).take_value(&read, false);
        assert_eq!(format!("{value:?}"), format!("{again:?}"));
        assert_eq!(ran.steps, value.map_or(0, |value| value.steps().len()));
    }
}

#[test]
fn what_is_shown_of_a_program_with_the_filters_of_its_run_is_what_replays() {
    let filters = ["tensix-wh/mova2d", "tensix-wh/movd2a"];
    let [first, second] = filters.map(|path| instruction(path).1);
    let told = |command: &str, id: &str, filters: &[&str]| {
        let (code, stdout, stderr) = program::run(&[&[command, id], filters].concat());
        let steps = stdout.lines().filter_map(|line| line.trim().split_once(". TT_"));
        let step = |(_, step): (&str, &str)| step.split(", code").next().unwrap_or_default().to_string();
        let steps: Vec<String> = steps.map(step).collect();
        // One that no candidate has shows nothing.
        assert_eq!(code, if steps.is_empty() { 12 } else { 0 }, "{stdout}{stderr}");
        steps
    };
    let mut differ = 0;
    for (index, dependence) in (0..).zip(Dependence::ALL) {
        let id = ProgramId { isa: "wh", first, second, dependence, edition: Edition::Newest, steps: 9, seed: 7, index };
        let replayed = told("replay", &id.to_string(), &filters);
        if replayed.is_empty() {
            continue;
        }
        assert_eq!(told("show", &id.to_string(), &filters), replayed, "{id}");
        differ += usize::from(told("show", &id.to_string(), &[]) != replayed);
    }
    assert!(differ > 0, "the filters change what lies behind the second step");
    let (_, stderr) = program::ended(program::run(&["show", filters[0], filters[1]]), 2);
    assert!(stderr.contains("no id of a program"), "{stderr}");
}

/// Steps by their instructions and fields.
fn steps(isa: &str, list: &[(&str, &[(&str, u32)])]) -> Vec<NextStep> {
    let step = |&(name, fields): &(&str, &[(&str, u32)])| {
        let (_, instruction) = instruction(&format!("{isa}/{name}"));
        let mut code = Code::new(instruction.base_code);
        for &(field, value) in fields {
            instruction.code_field(field).unwrap_or_else(|| panic!("{name} has no {field}")).set(&mut code, value);
        }
        NextStep { instruction, code }
    };
    list.iter().map(step).collect()
}

/// Runs a program on the reference and every level, from a state with random rows in a bank, and hands out the states before
/// and after.
fn everybody_runs(isa: &str, bank: &str, steps: &[NextStep], look: impl Fn(&str, &State, &State)) {
    let (suite, _) = instruction(&format!("{isa}/mova2d"));
    let number = suite.isa.layout.banks.iter().position(|one| one.name == bank).expect("the bank exists");
    for (name, mut run) in everybody(isa) {
        for key in 0..16 {
            let mut noise = Noise::new(key);
            let mut value = CaseValue::base(suite.isa, steps[0].instruction, Edition::Newest);
            let spec = &suite.isa.layout.banks[number];
            for row in 0..64 {
                for column in 0..spec.columns() {
                    // BF16 as both sides hold it: no low mantissa, and no zero exponent.
                    let word = noise.bits(spec.bits) & !0x700 | 1;
                    value.words.insert((number, row, column), word);
                }
            }
            let (before, mut state) = (value.state(), value.state());
            for NextStep { instruction, code } in steps {
                run(&Step { instruction, edition: Edition::Newest, code }, &mut state);
            }
            look(&name, &before, &state);
        }
    }
}

#[rstest]
fn a_bank_that_is_transposed_twice_is_as_it_was(#[values("tensix-wh", "tensix-bh")] isa: &str) {
    let one: (&str, &[(&str, u32)]) = ("trnspsrcb", &[]);
    everybody_runs(isa, "SrcB", &steps(isa, &[one]), |name, before, after| {
        assert!(before.arena[..] != after.arena[..], "{name}")
    });
    everybody_runs(isa, "SrcB", &steps(isa, &[one, one]), |name, before, after| {
        assert!(before.arena[..] == after.arena[..] && before.small[..] == after.small[..], "{name}");
    });
}

#[rstest]
fn banks_that_are_flipped_twice_are_as_they_were(#[values("tensix-wh", "tensix-bh")] isa: &str) {
    let one: (&str, &[(&str, u32)]) = ("cleardvalid", &[("FlipSrcA", 1), ("FlipSrcB", 1)]);
    let fields = |isa: &str| {
        let (suite, _) = instruction(&format!("{isa}/mova2d"));
        let fields = (suite.isa.layout.fields)().iter();
        fields.filter(|field| field.name.starts_with("MatrixUnit.Src")).collect::<Vec<_>>()
    };
    for (count, same) in [(1, false), (2, true)] {
        everybody_runs(isa, "SrcA", &steps(isa, &vec![one; count]), |name, before, after| {
            for field in fields(isa) {
                assert_eq!(field.get(&before.small) == field.get(&after.small), same, "{name}: {}", field.name);
            }
        });
    }
}

#[rstest]
fn what_is_moved_there_and_back_is_what_it_was(#[values("tensix-wh", "tensix-bh")] isa: &str) {
    let program =
        steps(isa, &[("mova2d", &[("SrcRow", 0), ("DstRow", 8)]), ("movd2a", &[("DstRow", 8), ("SrcRow", 16)])]);
    let (suite, _) = instruction(&format!("{isa}/mova2d"));
    let bank = suite.isa.layout.banks.iter().position(|one| one.name == "SrcA").expect("the bank exists");
    everybody_runs(isa, "SrcA", &program, |name, before, after| {
        assert_ne!(before.row(bank, 16), after.row(bank, 16), "{name}");
        assert_eq!(before.row(bank, 0), after.row(bank, 16), "{name}");
    });
}

#[rstest]
fn what_is_loaded_and_stored_is_what_it_was(#[values("tensix-wh", "tensix-bh")] isa: &str) {
    const INT32: u32 = 4;
    let program = steps(
        isa,
        &[
            ("sfpload", &[("VD", 3), ("Mod0", INT32), ("Imm10", 0)]),
            ("sfpstore", &[("VD", 3), ("Mod0", INT32), ("Imm10", 64)]),
            ("sfpload", &[("VD", 4), ("Mod0", INT32), ("Imm10", 64)]),
        ],
    );
    let (suite, _) = instruction(&format!("{isa}/mova2d"));
    let bank = suite.isa.layout.banks.iter().position(|one| one.name == "LReg").expect("the bank exists");
    everybody_runs(isa, "DstBits", &program, |name, before, after| {
        assert_ne!(before.row(bank, 3), after.row(bank, 3), "{name}");
        assert_eq!(after.row(bank, 3), after.row(bank, 4), "{name}");
    });
}

// ------------------------------------------------------------------------------------------------ recorded programs

/// Right in its first step after a reset. Every other step sees fields of a role, or rows, as they were before the step before
/// it, as an implementation does that hands results on a step too late.
struct Late {
    role: Option<FieldRole>,
    before: Option<State>,
}

impl Target for Late {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "late".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let machine = MACHINES.iter().find(|one| one.name == step.instruction.isa).expect("it is a machine");
        let mut seen = State::zeroed(machine.layout);
        seen.copy_from(state);
        let given = state.small.clone();
        if let Some(before) = &self.before {
            match self.role {
                None => seen.arena.copy_from_slice(&before.arena),
                Some(role) => {
                    for field in (machine.layout.fields)().iter().filter(|field| {
                        field.role == role || role == FieldRole::Config && field.role == FieldRole::UnitConfig
                    }) {
                        field.set(&mut seen.small, field.get(&before.small));
                    }
                }
            }
        }
        let old = seen.small.clone();
        let mut kept = State::zeroed(machine.layout);
        kept.copy_from(state);
        self.before = Some(kept);
        let answer = Right.execute(step, &mut seen);
        // What the step changed, it changed; all else is as the step before left it.
        for field in (machine.layout.fields)() {
            let after = field.get(&seen.small);
            field.set(&mut state.small, if after == field.get(&old) { field.get(&given) } else { after });
        }
        seen.tracker.log.written.each(|row_id| {
            let (bank, row) = machine.layout.locate(row_id);
            for column in 0..machine.layout.banks[bank].columns() {
                state.set_word(bank, row, column, seen.word(bank, row, column));
            }
        });
        state.tracker.log.written.union(&seen.tracker.log.written);
        answer
    }

    fn reset(&mut self) {
        self.before = None;
    }
}

/// Late, but only while steps follow each other without anything in between.
struct Unstopped(Late);

impl Target for Unstopped {
    fn info(&self) -> TargetInfo {
        self.0.info()
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        self.execute_all(&[*step], state).1
    }

    fn execute_all(&mut self, steps: &[Step<'_>], state: &mut State) -> (usize, Answer) {
        self.0.reset();
        one_by_one(&mut self.0, steps, state)
    }
}

/// Whoever is behind the border and says that it takes several steps is given whole programs, and a mistake that nobody sees
/// who stops after each step is found, becomes two to four steps, and is told at the step that shows it.
#[test]
fn a_target_behind_the_border_runs_whole_programs() {
    let (isa, _) = instruction("tensix-wh/mova2d");
    let files = ["setrwc", "movd2a"];
    let found = |max_steps: usize| {
        let target = TargetFactory::new(move || {
            let late = Unstopped(Late { role: Some(FieldRole::Counter), before: None });
            let Connected { name, implemented, border, .. } = serve::seated("late", isa.isa, Box::new(late));
            let foreign = Foreign::new(TargetInfo { name, level: None }, isa.isa, implemented, border);
            Box::new(foreign.with_max_steps(max_steps))
        });
        let isa = isa.with_targets(vec![target]);
        let result = run(&isa, &plan(&isa, &files, (Some(4), 2)));
        (isa, result)
    };
    let (_, stopped) = found(1);
    let signatures = |result: &ProgramResult| -> Vec<String> {
        result.findings.iter().map(|finding| finding.signature.to_string()).collect()
    };
    assert_eq!(signatures(&stopped), Vec::<String>::new());
    assert!(stopped.count(PairStatus::Green, None) > 0);
    let (isa, whole) = found(MAX_STEPS);
    assert!(!whole.findings.is_empty());
    for finding in &whole.findings {
        let smallest = finding.minimized.as_ref().expect("it has a smallest program");
        let text = smallest.value.steps().iter().map(|step| step.instruction.print(&step.code)).collect::<Vec<_>>();
        // Some steps may be there for the data that show it.
        assert!((2..=4).contains(&text.len()) && smallest.proven, "{} {text:?}", finding.signature);
        let mut bench = ProgramBench::new(&isa, Edition::Newest, 1);
        bench.only(&plan(&isa, &files, (None, 1)).instructions.iter().map(|one| one.index).collect::<Vec<_>>());
        let differs = bench.differs_by_value(&isa, &finding.first, 0);
        let (_, step, differences) = differs.expect("it differs by value");
        assert!(step > 0 && step == finding.step && !differences.is_empty(), "step {step}");
    }
}

/// What a partial target answers is found out first, and programs are drawn by that: where none was answered, most are, and a mistake between two instructions shows.
#[test]
fn programs_of_a_partial_target_are_drawn_by_what_it_answers() {
    let (isa, _) = instruction("tensix-wh/mova2d");
    let policy = policy("simulator-wormhole");
    let target = |role: Option<FieldRole>| {
        let policy = Arc::clone(&policy);
        let inner = move || -> Box<dyn Target> {
            if role.is_some() { Box::new(Late { role, before: None }) } else { Box::new(Right) }
        };
        let partial = move || Box::new(Refusing::new(inner(), Arc::clone(&policy)).without_lies()) as Box<dyn Target>;
        TargetFactory::new(partial).partial()
    };
    let files = ["mova2d", "sfpstore"];
    let right = isa.with_targets(vec![target(None)]);
    let plan = plan(&right, &files, (None, 2));
    let unaware = run(&right, &plan);
    let source = CaseSource::new(isa.isa, plan.seed);
    let mut held = vec![None; isa.isa.instructions.len()];
    for &one in &plan.instructions {
        let observation = observed(&right, (one, Edition::Newest), &source, Scope::of(50_000)).expect("it is partial");
        held[one.index] = observation.held(View::new(isa.isa, one, Edition::Newest)).map(Arc::new);
    }
    assert_eq!(held.iter().flatten().count(), files.len());
    let plan = ProgramPlan { answered: held.into(), ..plan };
    let aware = run(&right, &plan);
    assert!(unaware.findings.is_empty() && aware.findings.is_empty());
    let green = [&unaware, &aware].map(|result| result.count(PairStatus::Green, None));
    let parts = |result: &ProgramResult| {
        let sum = |of: fn(&PairCell) -> u64| result.cells.iter().map(of).sum::<u64>();
        (sum(|cell| cell.agreed), sum(|cell| cell.shown))
    };
    println!("green {green:?}, agreed of shown {:?} and {:?}", parts(&unaware), parts(&aware));
    let (agreed, shown) = parts(&aware);
    assert!(green[0] == 0 && green[1] >= 12 && 2 * agreed >= shown, "{green:?}, {agreed} of {shown}");
    let late = isa.with_targets(vec![target(Some(FieldRole::Counter))]);
    let found = run(&late, &plan);
    assert!(found.findings.iter().any(|finding| finding.by_rules && finding.minimized.is_some()));
}

/// What a recorded program is about is still there after all that makes no difference was taken out of it.
#[rstest]
#[case::rows("read-after-write", None)]
#[case::owners("ownership", Some(FieldRole::Flag))]
#[case::counters("counter", Some(FieldRole::Counter))]
#[case::configuration("configuration", Some(FieldRole::Config))]
fn a_recorded_program_shows_who_hands_results_on_too_late(#[case] flag: &str, #[case] role: Option<FieldRole>) {
    let (mut silent, mut all) = (Vec::new(), 0);
    let suite = wiring::suite();
    for (_, file) in store().files.iter().filter(|(_, file)| file.has_programs()) {
        let isa = suite.isa(file.isa.name).expect("it is in the suite");
        let late = Late { role, before: None };
        let runs = Replayer::with_targets(isa, vec![Box::new(late)]).replay(file, &BTreeMap::new(), None).runs;
        let tests: Vec<_> = file.tests().map(|(_, test)| test).collect();
        for run in runs.iter().filter(|run| run.subject != Subject::Reference) {
            if tests[run.place].flags.iter().any(|one| one == flag) {
                all += 1;
                if !matches!(run.verdict, Verdict::Diverged { .. }) {
                    silent.push((file.instruction.path(), run.id.clone()));
                }
            }
        }
    }
    // A counter that is added to what is masked, or a later step that writes all of it anew, shows nothing. Which programs are
    // drawn changes with each instruction that comes.
    assert!(all > 30 && silent.len() * 4 <= all, "{} of {all}: {silent:#?}", silent.len());
}

/// A single step is right on such a target: only programs show it.
#[test]
fn who_hands_results_on_too_late_passes_every_test_of_one_step() {
    let (isa, _) = instruction("tensix-wh/setrwc");
    let file = read_file(ISAS, Path::new("vectors/tensix-wh/setrwc.json")).expect("the committed file is right");
    let late = Late { role: Some(FieldRole::Counter), before: None };
    let runs = Replayer::with_targets(&isa, vec![Box::new(late)]).replay(&file, &BTreeMap::new(), None).runs;
    assert!(!runs.is_empty() && runs.iter().all(|run| run.verdict == Verdict::Agreed));
}

/// A line of an exported program has its steps and no code, so that nobody runs the first step alone, and waits where
/// software has to; for hardware there is none that no wait makes right.
#[test]
fn an_exported_program_has_steps_that_wait_where_they_must() {
    let (mut programs, mut waits, mut broken) = (0, 0, 0);
    for (_, file) in store().files.iter().filter(|(_, file)| file.has_programs()) {
        for line in to_lines(file).lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("every line is JSON");
            let steps = line["steps"].as_array().expect("a program has steps");
            assert!(line["code"].is_null() && line["text"].is_null(), "{line}");
            assert!(steps.iter().all(|step| step["code"].as_array().is_some_and(|code| !code.is_empty())), "{line}");
            programs += 1;
            waits += steps.iter().filter(|step| step["waits"] == true).count();
            broken += usize::from(line["breaks"].is_string());
            // Whoever runs what is exported breaks no rule, or was told.
            let planned = steps.iter().map(|step| {
                let word = step["code"][0].as_u64().and_then(|word| u32::try_from(word).ok()).expect("a word");
                PlannedStep::Instruction(Planned::decode(file.isa.machine, &[word]).expect("it is an instruction"))
            });
            let made = |planned: &[PlannedStep]| schedule(file.isa.machine.rules.rules, planned).to_mend().count();
            let of_one_word = steps.iter().all(|step| step["code"].as_array().is_some_and(|code| code.len() == 1));
            if of_one_word && line["breaks"].is_null() {
                assert_eq!(made(&planned.collect::<Vec<_>>()), 0, "{line}");
            }
        }
        let asked = select(file, &Selection { hardware: true, ..Selection::default() }, &BTreeMap::new());
        assert!(!to_lines(&asked).contains("\"breaks\""));
    }
    assert!(programs > 300 && waits > 0, "{programs} programs, {waits} waits, {broken} that no wait makes right");
}
