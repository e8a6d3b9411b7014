//! Kernels beside a target: the first wrong step is named, whatever it is, and who runs threads is held against all ends.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tandem::wiring;
use tandem_harness::{
    Kernel, KernelLine, LockstepEnd, LockstepLimits, SearchLimits, TargetFactory, Turn, explore, lockstep, member,
    shorter, trace,
};
use tandem_isa::tensix::Chip;
use tandem_isa::{Act, Answer, Code, Edition, Facts, Noise, State, Step, Target, TargetInfo, Threads, Word, mix64};
use tandem_reference::tensix::TensixReference;

use super::threads::{files, line, read};
use crate::program::{self, Told, told};

fn tandem(folder: &Path, arguments: &[&str]) -> Told {
    told(&program::tandem().current_dir(folder).args(arguments).output().expect("the binary runs"))
}

/// The reference as a target that does one step wrong, the one at a place of all that it is asked: a bit of what it wrote.
struct OneWrong {
    asked: usize,
    wrong: usize,
    noise: u64,
}

impl Target for OneWrong {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "one-wrong".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let answer = tandem_isa::Reference::execute(&mut TensixReference, step, state).required_answer();
        let answer = answer.expect("only what is promised is asked");
        self.asked += 1;
        if self.asked - 1 == self.wrong {
            let fields = (state.layout.fields)();
            let mut noise = Noise::new(self.noise);
            let mut rows = Vec::new();
            state.tracker.log.written.each(|row| rows.push(row));
            if rows.is_empty() {
                let field = &fields[noise.below(fields.len())];
                let value = field.get(&state.small) ^ 1 << noise.below(field.width as usize);
                field.set(&mut state.small, value);
            } else {
                let (bank, row) = state.layout.locate(rows[noise.below(rows.len())]);
                let spec = &state.layout.banks[bank];
                let (column, bit) = (noise.below(spec.columns()), noise.below(spec.bits as usize));
                let word = state.word(bank, row, column) ^ 1 << bit;
                state.set_word(bank, row, column, word);
            }
        }
        answer
    }
}

/// A kernel of so many acts that the pages promise, none of them held where the threads come in turn.
fn long(chip: Chip, acts: usize, seed: u64) -> (Kernel, Box<dyn Threads>) {
    let (isa, mut machine) = wiring::threads(chip.pick("tensix-wh", "tensix-bh")).expect("it has threads");
    let mut noise = Noise::new(mix64(seed));
    let mut state = isa.base_state();
    let mut threads: Vec<Vec<KernelLine>> = vec![Vec::new(); 3];
    while threads.iter().map(Vec::len).sum::<usize>() < acts {
        let thread = threads.iter().map(Vec::len).sum::<usize>() % 3;
        let facts: &'static Facts = isa.machine.instructions[noise.below(isa.machine.instructions.len())];
        let mut code = Code::new(facts.base_code);
        for field in facts.code_fields.iter().filter(|_| noise.below(2) == 0).collect::<Vec<_>>() {
            field.set(&mut code, noise.half());
        }
        let act = Act::Instruction(Word { facts, code });
        let mut after = isa.base_state();
        after.copy_from(&state);
        let promised = machine.present(thread, &act, Edition::Newest, &mut after);
        if promised.required_answer() == Some(Answer::Done)
            && after.tracker.open.is_empty()
            && machine.drains(&act).is_none()
        {
            machine.look(&mut after);
            state.copy_from(&after);
            threads[thread].push(line(act));
        }
    }
    let kernel = Kernel {
        name: "long".to_string(),
        isa,
        edition: Edition::Newest,
        says: String::new(),
        sources: Vec::new(),
        finds: None,
        state: BTreeMap::new(),
        threads,
        order: None,
    };
    (kernel, machine)
}

#[test]
fn the_first_wrong_step_of_2000_is_named_200_times_of_200() {
    let suite = wiring::references();
    for trial in 0..200_u64 {
        let chip = Chip::ALL[trial as usize % 2];
        // A kernel serves 50 trials.
        let (kernel, mut machine) = long(chip, 2000, trial / 100 * 2 + trial % 2);
        let wrong = (mix64(trial) % 2000) as usize;
        let make = move || Box::new(OneWrong { asked: 0, wrong, noise: mix64(!trial) }) as Box<dyn Target>;
        let factory = TargetFactory::new(make);
        let isa = suite.isa(kernel.isa.name).expect("it is one");
        let ran = lockstep(&kernel, &mut *machine, (isa, Some(&factory)), &LockstepLimits::default());
        let LockstepEnd::Differs(found) = &ran.end else { panic!("trial {trial}: {:?}", ran.end) };
        assert_eq!(ran.turns.len(), wrong, "trial {trial}");
        assert_eq!(found.turn, Turn { thread: wrong % 3, act: wrong / 3 }, "trial {trial}");
        assert!(!found.differences.is_empty() && found.value.is_some(), "trial {trial}");
    }
}

#[test]
fn a_right_target_agrees_to_the_end_and_acts_that_do_not_matter_are_left_out() {
    let suite = wiring::suite();
    let (kernel, mut machine) = long(Chip::Blackhole, 400, 9);
    let isa = suite.isa(kernel.isa.name).expect("it is one");
    let best = isa.targets.last();
    let ran = lockstep(&kernel, &mut *machine, (isa, best), &LockstepLimits::default());
    assert!(matches!(ran.end, LockstepEnd::Done), "{:?}", ran.end);
    assert_eq!((ran.turns.len(), ran.asked), (400, 400));
    // It keeps how often it was asked, so that no state shows what it will do.
    let factory = TargetFactory::new(|| Box::new(OneWrong { asked: 0, wrong: 100, noise: 3 }) as Box<dyn Target>);
    let short = shorter(&kernel, &mut *machine, (isa, &factory), &LockstepLimits::default(), 400);
    let acts: usize = short.threads.iter().map(Vec::len).sum();
    let ran = lockstep(&short, &mut *machine, (isa, Some(&factory)), &LockstepLimits::default());
    assert!(matches!(ran.end, LockstepEnd::Differs(_)), "{:?}", ran.end);
    assert!((2..=160).contains(&acts), "{acts}");
}

#[test]
fn traces_are_what_the_reference_does_and_show_one_value_that_is_another() {
    let suite = wiring::suite();
    let mut changed = 0;
    for path in files("protocols") {
        let (kernel, mut machine) = read(&path);
        let isa = suite.isa(kernel.isa.name).expect("it is one");
        let traced = path.parent().expect("a folder").with_file_name("traces").join(path.file_name().expect("a name"));
        let text = trace(&kernel, &mut *machine).unwrap_or_else(|turn| panic!("{}: {turn:?}", kernel.name));
        let committed = fs::read_to_string(&traced).expect("it can be read");
        assert!(committed == text, "`tandem lockstep {} --trace {}` writes it anew", path.display(), traced.display());
        let (mut kernel, mut machine) = Kernel::read(&text, &wiring::threads).expect("it can be read");
        let ran = lockstep(&kernel, &mut *machine, (isa, None), &LockstepLimits::default());
        assert!(matches!(ran.end, LockstepEnd::Done), "{}: {:?}", kernel.name, ran.end);
        let ran = lockstep(&kernel, &mut *machine, (isa, isa.targets.last()), &LockstepLimits::default());
        assert!(matches!(ran.end, LockstepEnd::Done), "{}: {:?}", kernel.name, ran.end);
        // With operands of zeros some change nothing.
        let mut telling = kernel.threads.iter_mut().flatten().filter(|line| !line.after.is_empty());
        let Some(line) = telling.next_back() else { continue };
        line.after[0].1 ^= 1;
        let ran = lockstep(&kernel, &mut *machine, (isa, None), &LockstepLimits::default());
        assert!(matches!(ran.end, LockstepEnd::Differs(_)), "{}: {:?}", kernel.name, ran.end);
        changed += 1;
    }
    assert!(changed > 20, "{changed}");
}

/// The reference as a target that runs threads, in an order of its own.
struct Scheduler {
    seed: u64,
    /// Whether it lets what a gate holds past.
    is_hasty: bool,
}

impl Target for Scheduler {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "scheduler".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Answer {
        Answer::Unsupported
    }

    fn run_threads(&mut self, threads: &[Vec<Step<'_>>], state: &mut State) -> Option<Answer> {
        let (mut noise, mut next) = (Noise::new(self.seed), vec![0; threads.len()]);
        let current = state.layout.field_named("CurrentThread").expect("it has threads");
        let latched: Vec<_> =
            (state.layout.fields)().iter().filter(|field| field.name.starts_with("WaitGate")).collect();
        let mut held = 0;
        while next.iter().zip(threads).any(|(next, steps)| *next < steps.len()) {
            let thread = noise.below(threads.len());
            let Some(step) = threads[thread].get(next[thread]) else { continue };
            current.set(&mut state.small, thread as u32);
            if self.is_hasty {
                latched.iter().for_each(|field| field.set(&mut state.small, 0));
            }
            match tandem_isa::Reference::execute(&mut TensixReference, step, state).required_answer() {
                Some(Answer::Done) => (next[thread], held) = (next[thread] + 1, 0),
                _ if held < 1000 => held += 1,
                _ => return Some(Answer::Blocked),
            }
        }
        Some(Answer::Done)
    }
}

#[test]
fn a_target_that_runs_threads_ends_in_one_of_the_states_that_the_pages_allow() {
    // Two orders are allowed, and the semaphore keeps a third from coming.
    let text = r#"{"kernel": "ends", "isa": "tensix-wh"}
        {"state": {"Semaphores[0].Max": 1, "RWCs[1].Dst": 8}}
        {"thread": 0, "step": "SETC16 CfgIndex=1 NewValue=8"}
        {"thread": 0, "step": "SEMPOST SemaphoreMask=1"}
        {"thread": 1, "step": "SEMWAIT BlockMask=511 SemaphoreMask=1 ConditionMask=1"}
        {"thread": 1, "step": "SEMGET SemaphoreMask=1"}
        {"thread": 2, "step": "SEMINIT SemaphoreMask=2 NewValue=3 NewMax=3"}
        {"thread": 1, "step": "SEMPOST SemaphoreMask=2"}"#;
    let (kernel, mut machine) = Kernel::read(text, &wiring::threads).expect("it is one");
    let explored = explore(&kernel, &mut *machine, SearchLimits::default());
    assert_eq!(explored.ends.len(), 2);
    let mut ends = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut target = Scheduler { seed, is_hasty: false };
        let differs = member(&kernel, &mut *machine, &explored, &mut target).expect("it runs threads");
        assert!(differs.is_empty(), "seed {seed}: {differs:?}");
        let mut hasty = Scheduler { seed, is_hasty: true };
        ends.insert(member(&kernel, &mut *machine, &explored, &mut hasty).expect("it runs threads").is_empty());
    }
    assert!(ends.contains(&false), "one that does not wait is found out");
}

#[test]
fn what_cannot_be_read_is_named_with_its_line_and_gets_no_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "{\"kernel\": \"k\", \"isa\": \"tensix-bh\"}\n";
    for (text, says) in [
        ("", "the file is empty"),
        ("{\"kernel\": \"k\"}", "line 1"),
        ("{\"kernel\": \"k\", \"isa\": \"visa\"}", "'visa'"),
        (&format!("{head}{{\"thread\": 0, \"step\": \"MOVA2D\"")[..], "line 2"),
        (&format!("{head}\n\n{{\"thread\": 3, \"step\": \"MOVA2D\"}}"), "line 4: there is no thread 3"),
        (&format!("{head}{{\"thread\": 0, \"step\": \"MOVA3D\"}}"), "no instruction 'MOVA3D'"),
        (&format!("{head}{{\"thread\": 0, \"step\": \"MOVA2D Row=1\"}}"), "no field 'Row'; it has"),
        (&format!("{head}{{\"thread\": 0, \"step\": \"MOVA2D DstRow=9999\"}}"), "does not fit"),
        (&format!("{head}{{\"thread\": 0, \"word\": \"0xzz\"}}"), "no number of 32 bits"),
        (&format!("{head}{{\"thread\": 0, \"wrd\": 1}}"), "unknown field `wrd`"),
        (&format!("{head}{{\"state\": {{\"SrcA[0]\": 1}}}}"), "no row and no word"),
        (&format!("{head}{{\"state\": {{\"SrcA[2][0]\": 1}}}}"), "no row and no word"),
        (&format!("{head}{{\"thread\": 0, \"unpack\": \"L1\", \"rows\": 1}}"), "nothing stands in for 'unpack L1'"),
        (&format!("{head}{{\"thread\": 0, \"unpack\": \"SrcA\"}}"), "`rows` is missing"),
        (&format!("{head}{{\"thread\": 0}}"), "says nothing to do"),
    ] {
        let path = folder.path().join("k.jsonl");
        fs::write(&path, text).expect("it can be written");
        for command in ["lockstep", "check-protocol"] {
            let (code, _, error) = tandem(folder.path(), &[command, "k.jsonl"]);
            assert_eq!(code, 2, "{text}: {error}");
            assert!(error.contains("k.jsonl") && error.contains(says), "{text}: {error}");
        }
    }
    // A word without a model stops the run, by name; a trace goes on with --trust, and only then.
    let pacr = "{\"thread\": 0, \"word\": \"0x4a000000\", \"after\": {\"Semaphores[0].Value\": 1}}\n";
    let rest = "{\"thread\": 0, \"step\": \"SEMGET SemaphoreMask=1\", \"after\": {\"Semaphores[0].Value\": 0}}\n";
    fs::write(folder.path().join("t.jsonl"), [head, pacr, rest].concat()).expect("it can be written");
    let (code, output, _) = tandem(folder.path(), &["lockstep", "t.jsonl"]);
    assert_eq!(code, 12, "{output}");
    assert!(output.contains("PACR") && output.contains("2 acts are left"), "{output}");
    let (code, output, _) = tandem(folder.path(), &["lockstep", "t.jsonl", "--trust"]);
    assert_eq!(code, 0, "{output}");
    assert!(output.contains("the state of the trace was taken"), "{output}");
    let wrong = rest.replace("Value\": 0", "Value\": 1");
    fs::write(folder.path().join("t.jsonl"), [head, pacr, &wrong].concat()).expect("it can be written");
    let (code, output, _) = tandem(folder.path(), &["lockstep", "t.jsonl", "--trust"]);
    assert_eq!(code, 10, "{output}");
    assert!(output.contains("Semaphores[0].Value"), "{output}");
}
