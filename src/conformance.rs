//! A test for each class of modes of each instruction: what [`conformance!`](crate::conformance!) expands to, and what it is
//! told by the environment.
//!
//! The macro makes a `#[test]` of each class that tandem knows, because what an implementation has is known only when it
//! runs. Each test calls [`assert_class`], one of each instruction set [`assert_programs`], and one more [`assert_something`].
//! What they do is [`class`], [`programs`] and [`implemented`], which say how it ended instead of failing. The first test of an instruction runs it, and the others look
//! at what came of it.

mod classes;
mod failure;
mod macros;
mod programs;
mod replay;
mod settings;

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tandem_cases::ISAS;
use tandem_harness::Progress;
use tandem_harness::report::model::{ClassPart, FindingPart};
use tandem_harness::report::{Report, visible_lines};
use tandem_isa::{Edition, Target};

use crate::check::{Check, factory, implements, suite};

pub use failure::Failure;
pub use programs::programs;
pub use replay::{Replayed, replay, replays};
pub use settings::{Amount, Settings, SettingsError};

/// What the source calls a test and the implementation in it: a failure says so.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// What makes an instance, for example `my_emulator::new`.
    pub make: &'a str,
    /// The test, with the modules that it is in and the crate: `conformance::tensix_wh::mova2d`.
    pub test: &'a str,
}

/// How a class of modes, or programs, fared, if nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fared {
    /// Whatever was answered agrees.
    Agrees {
        /// The implementation.
        target: String,
        /// Modes of the class that were answered often enough, and agree; in programs, dependences of pairs of which some agree.
        green: u64,
        /// All that there are.
        cells: u64,
    },
    /// The implementation refuses the class, or no program was answered.
    Refused {
        /// The implementation.
        target: String,
    },
    /// The implementation does not have the instruction, or any.
    NotImplemented {
        /// The implementation.
        target: String,
    },
}

/// An instruction that was run.
#[derive(Clone, Debug)]
enum Ran {
    /// What came of it.
    Report(Box<Report>),
    /// The implementation does not have it.
    NotImplemented(String),
}

/// What an instruction came to, once it was run.
type Run = Arc<OnceLock<Result<Ran, Failure>>>;

/// The instructions that were run: each once, for the tests of all its classes.
#[derive(Debug, Default)]
pub struct Runs {
    runs: Mutex<BTreeMap<String, Run>>,
}

impl Runs {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Runs { runs: Mutex::new(BTreeMap::new()) }
    }

    /// That of an instruction.
    fn of(&self, path: &str) -> Run {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(runs.entry(path.to_string()).or_default())
    }
}

/// Checks one class of modes of an instruction of an implementation, for example `FP32` of `tensix-wh/sfpload`, in the edition
/// `newest`. The instruction is run if `runs` does not have it.
///
/// One worker runs the cases, as the other cores have other tests.
///
/// # Errors
/// [`Failure`]: what differs, or why nothing was shown.
pub fn class<T: Target + 'static>(
    runs: &Runs,
    make: impl Fn() -> T + Send + Sync + 'static,
    (path, class): (&str, &str),
    called: Called<'_>,
    settings: Settings,
) -> Result<Fared, Failure> {
    let run = runs.of(path);
    match run.get_or_init(|| run_instruction(make, path, called.make, settings)) {
        Ok(Ran::Report(report)) => fared(report, class, called, settings),
        Ok(Ran::NotImplemented(target)) => Ok(Fared::NotImplemented { target: target.clone() }),
        Err(failure) => Err(failure.clone()),
    }
}

/// Runs an instruction of an implementation. That it has none is said once, on standard error, where no harness of tests holds
/// it back.
fn run_instruction<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    path: &str,
    called: &str,
    settings: Settings,
) -> Result<Ran, Failure> {
    unless_it_panics(called, move || {
        let factory = factory(make);
        let target = factory.info.to_string();
        let suite = suite(&factory, settings.disputed)?;
        let known = suite.instructions().find(|(_, known)| known.path() == path);
        let (isa, known) = known.ok_or_else(|| Failure::Unknown(path.to_string()))?;
        if !implements(isa, known) {
            say(&format!("not implemented by {target}: {path}"));
            return Ok(Ran::NotImplemented(target));
        }
        let Settings { seed, amount, disputed } = settings;
        let check = Check::of(factory).only(path).seed(seed).amount(amount).disputed(disputed).threads(1);
        Ok(Ran::Report(Box::new(check.run())))
    })
}

/// How a class fared in a run of its instruction.
fn fared(report: &Report, class: &str, called: Called<'_>, settings: Settings) -> Result<Fared, Failure> {
    let unit = report.result.units.first().expect("an instruction was run");
    let ClassPart { counts, .. } = unit
        .classes
        .iter()
        .find(|part| part.name == class)
        .ok_or_else(|| Failure::Unknown(format!("{}, class {class}", unit.instruction)))?;
    // What was seen in no mode, such as a process that ends between cases, concerns all.
    let concerns = |finding: &&FindingPart| {
        let mut classes = finding.seen.iter().flat_map(|seen| &seen.classes).peekable();
        classes.peek().is_none() || classes.any(|seen| seen == class)
    };
    let findings: Vec<&FindingPart> = report.result.findings.iter().filter(concerns).collect();
    if !findings.is_empty() {
        return Err(Failure::Differs(failure::differs(report, (class, &findings), called, settings)));
    }
    // A finding elsewhere shows that something was answered.
    if unit.offers_nothing() && report.result.findings.is_empty() {
        return Err(Failure::Silent(failure::silent(unit, called, settings)));
    }
    let target = unit.target.as_deref().unwrap_or(called.make).to_string();
    let is_refused = counts.green + counts.blocked + counts.holes == 0 && counts.unsupported > 0;
    if is_refused {
        return Ok(Fared::Refused { target });
    }
    let own = unit.hole_list.iter().filter(|hole| class_of(&unit.instruction, hole.cell) == Some(class));
    let (answered, refused) =
        own.fold((0, 0), |(answered, refused), hole| (answered + hole.done + hole.blocked, refused + hole.unsupported));
    if counts.green + counts.blocked == 0 && counts.holes > 0 && answered == 0 {
        let (instruction, class) = (unit.instruction.clone(), class.to_string());
        let undecided = || Failure::Undecided { target: target.clone(), instruction, class };
        return if refused > 0 { Ok(Fared::Refused { target }) } else { Err(undecided()) };
    }
    Ok(Fared::Agrees { target, green: counts.green, cells: counts.cells })
}

/// The class of a cell of an instruction in the edition `newest`.
fn class_of(path: &str, cell: u32) -> Option<&'static str> {
    let instruction = ISAS.iter().flat_map(|isa| isa.instructions).find(|instruction| instruction.path() == path)?;
    let cells = (instruction.cells)(Edition::Newest);
    Some((instruction.cell_class)(Edition::Newest, cells.levels(cell as usize)))
}

/// The instructions that an implementation has, as paths.
///
/// # Errors
/// [`Failure`] if it has none: nothing would be tested.
pub fn implemented<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    called: &str,
) -> Result<Vec<String>, Failure> {
    unless_it_panics(called, move || {
        let suite = suite(&factory(make), false)?;
        let found = suite.instructions().filter(|(isa, instruction)| implements(isa, instruction));
        let found: Vec<String> = found.map(|(_, instruction)| instruction.path()).collect();
        if found.is_empty() { Err(Failure::Nothing(called.to_string())) } else { Ok(found) }
    })
}

/// The test of one class of modes of an instruction. What is refused passes, and says so on standard error.
///
/// # Panics
/// With the [`Failure`], if there is one.
#[track_caller]
pub fn assert_class<T: Target + 'static>(
    runs: &Runs,
    make: impl Fn() -> T + Send + Sync + 'static,
    path: &str,
    name: &str,
    called: Called<'_>,
) {
    let settings = Settings::from_env().map_err(Failure::Settings);
    match settings.and_then(|settings| class(runs, make, (path, name), called, settings)) {
        Ok(Fared::Agrees { target, green, cells }) => {
            println!("{path} of {target}, class {name}: {green} of {cells} modes agree, and no other differs");
        }
        Ok(Fared::Refused { target }) => say(&format!("refused by {target}: {path}, class {name}")),
        Ok(Fared::NotImplemented { target }) => println!("not implemented by {target}: {path}"),
        Err(failure) => panic!("{}", visible_lines(&failure.to_string())),
    }
}

/// The test of programs of an instruction set, for example `tensix-wh`.
///
/// # Panics
/// With the [`Failure`], if there is one.
#[track_caller]
pub fn assert_programs<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    isa: &str,
    called: Called<'_>,
) {
    let settings = Settings::from_env().map_err(Failure::Settings);
    match settings.and_then(|settings| programs(make, isa, Some(called), settings, &Progress::default())) {
        Ok(Fared::Agrees { target, green, cells }) => {
            println!(
                "programs of {isa} of {target}: {green} of {cells} dependences of pairs agree, and no other differs"
            );
        }
        Ok(Fared::Refused { target }) => say(&format!("no program of {isa} was answered by {target}")),
        Ok(Fared::NotImplemented { target }) => println!("not implemented by {target}: {isa}"),
        Err(failure) => panic!("{}", visible_lines(&failure.to_string())),
    }
}

/// The test that an implementation has something.
///
/// # Panics
/// With the [`Failure`], if there is one.
#[track_caller]
pub fn assert_something<T: Target + 'static>(make: impl Fn() -> T + Send + Sync + 'static, called: &str) {
    match implemented(make, called) {
        Ok(found) => println!("{called} implements {}", found.join(", ")),
        Err(failure) => panic!("{}", visible_lines(&failure.to_string())),
    }
}

/// Says something that is seen although the test passes.
fn say(line: &str) {
    // Without anybody to listen there is nothing to say.
    drop(writeln!(std::io::stderr(), "{}", visible_lines(line)));
}

/// Runs what calls the implementation outside of cases: a panic there has no case, and is told as what it is.
fn unless_it_panics<R>(make: &str, run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure::Panicked { make: make.to_string(), message: text.unwrap_or_else(|| "no message".to_string()) })
    })
}
