//! Parts of the suite, and of its sources, that gates ask for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use tandem::wiring;
use tandem_cases::ISAS;
use tandem_harness::IsaSuite;
use tandem_harness::vectors::{Store, VectorFile};
use tandem_isa::{
    Answer, Answers, Batch, Border, Expectation, Facts, Instruction, Misbehaviour, State, Step, Target, TargetInfo,
};
use tandem_policy::Policy;

use crate::program::ROOT;

/// The committed vectors, read once.
pub fn store() -> &'static Store {
    static STORE: LazyLock<Store> = LazyLock::new(|| {
        let directory = Path::new(ROOT).join("vectors");
        Store::load(ISAS, &directory).expect("the committed vectors are as they should be")
    });
    &STORE
}

/// The committed vectors of an instruction set.
#[cfg(any(feature = "boards", feature = "opencl"))]
pub fn vectors_of(isa: &str) -> impl Iterator<Item = &'static VectorFile> {
    store().files.iter().map(|(_, file)| file).filter(move |file| file.isa.name == isa)
}

/// An instruction of the suite by its path, with its instruction set.
pub fn instruction(path: &str) -> (IsaSuite, &'static Instruction) {
    let suite = wiring::suite();
    let found = suite.instructions().find(|(_, instruction)| instruction.path() == path);
    let (isa, instruction) = found.unwrap_or_else(|| panic!("{path} is not in the suite"));
    (isa.clone(), instruction)
}

/// Which part of much that is alike a gate tries: one in so many, and all with `TANDEM_WHOLE` in the environment, as by night.
pub fn one_in(usual: usize) -> usize {
    if std::env::var_os("TANDEM_WHOLE").is_some() { 1 } else { usual }
}

/// Whether an instruction is one of those that stand for all where both chips are treated alike: of one that both have the two
/// take turns, one by its place, and all do with `TANDEM_WHOLE`.
pub fn takes_its_turn(instruction: &Instruction) -> bool {
    let place_on = |name: &str| {
        let isa = ISAS.iter().find(|isa| isa.name == name).expect("there is such a set");
        isa.instructions.iter().position(|one| one.file == instruction.file)
    };
    match (instruction.isa, place_on("tensix-wh"), place_on("tensix-bh")) {
        _ if one_in(2) == 1 => true,
        ("tensix-wh", Some(place), Some(_)) => place % 2 == 0,
        ("tensix-bh", Some(place), Some(_)) => place % 2 == 1,
        _ => true,
    }
}

/// A policy of the suite.
pub fn policy(name: &str) -> Arc<Policy> {
    Arc::new(Policy::embedded(name).unwrap_or_else(|error| panic!("{error}")))
}

/// A target that does what a closure does, whatever the instruction, and keeps something until it is reset.
struct Acting<S, A> {
    memory: S,
    act: A,
}

impl<S: Default + Send, A: FnMut(&mut S, &Step<'_>, &mut State) -> Answer + Send> Target for Acting<S, A> {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "acting".to_string(), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        (self.act)(&mut self.memory, step, state)
    }

    fn reset(&mut self) {
        self.memory = S::default();
    }
}

/// A target called `acting` that does what a closure does, whatever the instruction.
pub fn acting(mut act: impl FnMut(&Step<'_>, &mut State) -> Answer + Send + 'static) -> Box<dyn Target> {
    recalling(move |_: &mut (), step, state| act(step, state))
}

/// The same with a memory, which a reset empties.
pub fn recalling<S: Default + Send + 'static>(
    act: impl FnMut(&mut S, &Step<'_>, &mut State) -> Answer + Send + 'static,
) -> Box<dyn Target> {
    Box::new(Acting { memory: S::default(), act })
}

/// A border whose answers a closure sees, and may change, before anybody else does.
pub struct Tapped<F>(pub Box<dyn Border>, pub F);

impl<F: FnMut(&Batch, &mut Answers) + Send> Border for Tapped<F> {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.0.load(arena)
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        self.0.execute(batch, answers)?;
        (self.1)(batch, answers);
        Ok(())
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        self.0.arena_hash()
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.0.reset()
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.0.restart()
    }
}

/// Executes an instruction of which a result is promised.
pub type Run = Box<dyn FnMut(&Step<'_>, &mut State)>;

/// The reference of an instruction set, and then every level, by their names.
pub fn everybody(isa: &str) -> Vec<(String, Run)> {
    let suite = wiring::suite();
    let isa = suite.isa(isa).expect("it is in the suite");
    let mut reference = (isa.reference)();
    let run: Run = Box::new(move |step, state| assert_eq!(reference.execute(step, state), Expectation::Done));
    let mut all = vec![("reference".to_string(), run)];
    for factory in &isa.targets {
        let mut target = factory.make();
        let run: Run = Box::new(move |step, state| assert_eq!(target.execute(step, state), Answer::Done));
        all.push((factory.info.to_string(), run));
    }
    assert!(all.len() > 1, "there is no level");
    all
}

/// Every Rust file below a directory of the repository, with its text.
pub fn sources(directory: &str) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut rest = vec![Path::new(ROOT).join(directory)];
    while let Some(path) = rest.pop() {
        for entry in std::fs::read_dir(&path).expect("the directory is there") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                rest.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file is text");
                files.insert(path, text);
            }
        }
    }
    assert!(!files.is_empty(), "{directory} has no source");
    files
}
