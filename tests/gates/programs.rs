//! Programs: every pair of instructions is decided, a fault that takes five steps is found and becomes those five, laws of
//! several steps hold on every level, and nothing depends on the number of workers.

use std::collections::BTreeMap;

use rstest::rstest;
use tandem::wiring;
use tandem_cases::ISAS;
use tandem_faults::twist::Right;
use tandem_harness::vectors::{About, Note, PROGRAMS_ID, Replayer, Source, Subject, Verdict, check_text, finding_file};
use tandem_harness::{
    CaseValue, Dependence, IsaSuite, NextStep, PairStatus, ProgramBench, ProgramId, ProgramPlan, ProgramResult,
    Progress, Signature, TargetFactory, run_programs,
};
use tandem_isa::{Answer, Code, Edition, Facts, Instruction, Noise, State, Step, Target, TargetInfo};

use crate::parts::{everybody, instruction};

fn plan(isa: &IsaSuite, files: &[&str], (steps, threads): (Option<usize>, usize)) -> ProgramPlan {
    let is_one = |one: &&&'static Instruction| files.is_empty() || files.contains(&one.file);
    let instructions = isa.isa.instructions.iter().filter(is_one).copied().collect();
    ProgramPlan { instructions, edition: Edition::Newest, seed: 1, cases: None, steps, threads }
}

fn run(isa: &IsaSuite, plan: &ProgramPlan) -> ProgramResult {
    run_programs(isa, plan, &Progress::default())
}

#[rstest]
#[case("tensix-wh")]
#[case("tensix-bh")]
fn no_pair_of_instructions_is_a_hole(#[case] name: &str) {
    let suite = wiring::suite();
    let isa = suite.isa(name).expect("it is in the suite");
    // The best level; what a step has to do with another is asked of the reference alone.
    let isa = isa.with_targets(isa.targets.last().cloned().into_iter().collect());
    let result = run(&isa, &plan(&isa, &[], (None, 2)));
    assert_eq!(result.cells.len(), isa.isa.instructions.len().pow(2) * Dependence::SPLIT.len());
    assert!(result.findings.is_empty(), "{:?}", result.findings[0]);
    let holes = result.cells.iter().filter(|cell| cell.status() == PairStatus::Hole);
    assert_eq!(holes.map(|cell| format!("{cell:?}")).collect::<Vec<_>>(), Vec::<String>::new());
    for (dependence, most) in
        [(Dependence::ReadAfterWrite, 100), (Dependence::Ownership, 50), (Dependence::Counter, 50)]
    {
        assert!(result.count(PairStatus::Green, Some(dependence)) >= most, "{}", dependence.name());
    }
}

/// The steps after which a bit is wrong; they need not follow directly on each other.
const FIVE: [&str; 5] = ["sempost", "sfpand", "movd2b", "incrwc", "sfpmov"];

/// Right, but for a bit after the last of five given steps.
#[derive(Default)]
struct AfterFive {
    step: usize,
}

impl Target for AfterFive {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "after-five".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let answer = Right.execute(step, state);
        self.step += usize::from(step.instruction.file == FIVE[self.step]);
        if self.step == FIVE.len() {
            self.step = 0;
            state.small[0] ^= 1;
        }
        answer
    }

    fn reset(&mut self) {
        self.step = 0;
    }
}

fn after_five() -> (IsaSuite, ProgramResult) {
    let (isa, _) = instruction("tensix-wh/mova2d");
    let isa = isa.with_targets(vec![TargetFactory::new(|| Box::new(AfterFive::default()))]);
    let result = run(&isa, &plan(&isa, &FIVE, (Some(16), 2)));
    (isa, result)
}

#[test]
fn what_shows_only_after_five_steps_is_found_and_becomes_those_five() {
    let (isa, result) = after_five();
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
    let (isa, _) = instruction("tensix-wh/mova2d");
    let isa = isa.with_targets(vec![TargetFactory::new(|| Box::new(AfterFive::default()))]);
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
