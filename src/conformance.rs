//! A test for each instruction: what [`conformance!`](crate::conformance!) expands to, and what it is told by the environment.
//!
//! The macro makes a `#[test]` of each instruction that tandem knows, because what an implementation has is known only when
//! it runs. Each test calls [`assert_instruction`], and one more calls [`assert_something`]. What they do is
//! [`instruction`] and [`implemented`], which say how it ended instead of failing.

mod failure;
mod macros;
mod replay;
mod settings;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tandem_isa::Target;

use crate::check::{Check, factory, implements, suite};

pub use failure::Failure;
pub use replay::{Replayed, replay, replays};
pub use settings::{Amount, Settings, SettingsError};
#[doc(hidden)]
pub use tandem_isa::tensix_instructions as __tensix_instructions;

/// What the source calls a test and the implementation in it: a failure says so.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// What makes an instance, for example `my_emulator::new`.
    pub make: &'a str,
    /// The test, with the modules that it is in and the crate: `conformance::tensix_wh::mova2d`.
    pub test: &'a str,
}

/// How an instruction fared, if nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fared {
    /// Whatever was answered agrees.
    Agrees {
        /// The implementation.
        target: String,
        /// Cases of which the pages promise something and that it answered.
        answered: u64,
        /// Such cases that it refused.
        refused: u64,
    },
    /// The implementation does not have it.
    NotImplemented {
        /// The implementation.
        target: String,
    },
}

/// Checks one instruction of an implementation, for example `tensix-wh/mova2d`, in the edition `newest`.
///
/// One worker runs the cases, as the other cores have other tests.
///
/// # Errors
/// [`Failure`]: what differs, or why nothing was shown.
pub fn instruction<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    instruction: &str,
    called: Called<'_>,
    settings: Settings,
) -> Result<Fared, Failure> {
    unless_it_panics(called.make, move || {
        let factory = factory(make);
        let target = factory.info.to_string();
        let suite = suite(&factory)?;
        let known = suite.instructions().find(|(_, known)| known.path() == instruction);
        let (isa, known) = known.ok_or_else(|| Failure::Unknown(instruction.to_string()))?;
        if !implements(isa, known) {
            return Ok(Fared::NotImplemented { target });
        }
        let report = Check::of(factory).only(instruction).seed(settings.seed).amount(settings.amount).threads(1).run();
        if !report.result.findings.is_empty() {
            return Err(Failure::Differs(failure::differs(&report, called, settings)));
        }
        let unit = report.result.units.first().expect("an instruction was run");
        if unit.offers_nothing() {
            return Err(Failure::Silent(failure::silent(unit, called, settings)));
        }
        Ok(Fared::Agrees { target, answered: unit.answered, refused: unit.refusals })
    })
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
        let suite = suite(&factory(make))?;
        let found = suite.instructions().filter(|(isa, instruction)| implements(isa, instruction));
        let found: Vec<String> = found.map(|(_, instruction)| instruction.path()).collect();
        if found.is_empty() { Err(Failure::Nothing(called.to_string())) } else { Ok(found) }
    })
}

/// The test of one instruction. What is not implemented passes, and says so on standard error, where no harness of tests
/// holds it back.
///
/// # Panics
/// With the [`Failure`], if there is one.
#[track_caller]
pub fn assert_instruction<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    path: &str,
    called: Called<'_>,
) {
    let settings = Settings::from_env().map_err(Failure::Settings);
    match settings.and_then(|settings| instruction(make, path, called, settings)) {
        Ok(Fared::Agrees { target, answered, refused }) => {
            println!("{path} of {target}: {answered} cases agree, {refused} were refused");
        }
        Ok(Fared::NotImplemented { target }) => say(&format!("not implemented by {target}: {path}")),
        Err(failure) => panic!("{failure}"),
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
        Err(failure) => panic!("{failure}"),
    }
}

/// Says something that is seen although the test passes.
fn say(line: &str) {
    // Without anybody to listen there is nothing to say.
    drop(writeln!(std::io::stderr(), "{line}"));
}

/// Runs what calls the implementation outside of cases: a panic there has no case, and is told as what it is.
fn unless_it_panics<R>(make: &str, run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure::Panicked { make: make.to_string(), message: text.unwrap_or_else(|| "no message".to_string()) })
    })
}
