//! One case again: the test that a failure gives to paste.

use tandem_harness::report::{CaseText, explain};
use tandem_harness::{CaseId, CaseValue, IsaSuite, Minimizer, Suite, quiet_panics, take_value};
use tandem_isa::Target;

use super::{Failure, failure, unless_it_panics};
use crate::check::{factory, implements, suite};

/// How often a case is run that agrees: what is answered differently each time is met so.
const TIMES: usize = 16;

/// How a case ended that shows nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// It agrees.
    Agrees,
    /// The pages promise nothing for it, and the implementation survived.
    Survived,
    /// It differs in what is disputed: the dispute.
    Disputed(&'static str),
}

/// A test of one case: the one that a failure of [`conformance!`](crate::conformance!) or of [`check`](crate::check()) shows.
///
/// `case` is a case by value, as a failure prints it, or the id of a case. Several cases with `;` between them run one directly
/// after the other, and the last one is compared.
///
/// ```
/// # use tandem_isa::{Answer, Facts, State, Step, Target, TargetInfo};
/// # struct Emulator;
/// # impl Target for Emulator {
/// #     fn info(&self) -> TargetInfo { TargetInfo { name: "emulator".to_string(), level: None } }
/// #     fn implements(&self, _: &'static Facts) -> bool { true }
/// #     fn execute(&mut self, _: &Step<'_>, _: &mut State) -> Answer { Answer::Done }
/// # }
/// // It copies a row of zeros over a row of zeros: to do nothing is right.
/// tandem::replays("tensix-wh/mova2d newest 0x12000000", || Emulator);
/// ```
///
/// # Panics
/// If the implementation differs from what the pages promise, if it refuses the case, or if the case cannot be read.
#[track_caller]
pub fn replays<T: Target + 'static>(case: &str, make: impl Fn() -> T + Send + Sync + 'static) {
    match replay(case, make) {
        Ok(Replayed::Agrees) => {}
        Ok(Replayed::Disputed(id)) => println!("it differs in what is disputed ({id}): no finding"),
        Ok(Replayed::Survived) => println!("the pages promise nothing for this case, and it survived"),
        Err(failure) => panic!("{failure}"),
    }
}

/// Runs one case, as [`replays`] does.
///
/// # Errors
/// [`Failure`]: what differs, or why nothing was shown.
pub fn replay<T: Target + 'static>(
    case: &str,
    make: impl Fn() -> T + Send + Sync + 'static,
) -> Result<Replayed, Failure> {
    unless_it_panics("this test", move || {
        let factory = factory(make);
        let target = factory.info.to_string();
        let suite = suite(&factory, false)?;
        let mut cases = case.split(';').map(|text| read(text, &suite)).collect::<Result<Vec<_>, _>>()?;
        let (value, isa) = cases.pop().expect("a text has a part");
        if let Some((other, _)) = cases.iter().find(|(other, _)| other.isa.name != value.isa.name) {
            let why = format!("{} and {} are of different sets", other.instruction.path(), value.instruction.path());
            return Err(Failure::Case(why));
        }
        if !implements(&isa, value.instruction) {
            return Err(Failure::NotImplemented { target, instruction: value.instruction.path() });
        }
        quiet_panics();
        let held = isa.targets.first().expect("the suite has the implementation");
        let mut minimizer = Minimizer::new(&isa, held);
        minimizer.after = cases.into_iter().map(|(case, _)| case).collect();
        let differences = minimizer.run_until_different(&value, TIMES);
        match differences {
            None => Ok(Replayed::Survived),
            Some(differences) if !differences.is_empty() => {
                let mut text =
                    format!("{target} differs from what the pages promise of {}\n", value.instruction.path());
                let explained = explain::in_order(&minimizer.after, &[]).into_iter();
                for line in explained.chain(explain::explain(&isa, &value, &differences)) {
                    text.push_str(&format!("   {line}\n"));
                }
                failure::citations(&mut text, &explain::citations(&isa, &value, &differences));
                Err(Failure::Differs(text.trim_end().to_string()))
            }
            Some(_) if minimizer.is_refused() => Err(Failure::Refused { target, reason: minimizer.refusal() }),
            Some(_) => Ok(minimizer.disputed().map_or(Replayed::Agrees, |dispute| Replayed::Disputed(dispute.id))),
        }
    })
}

/// Reads a case by value or by id.
fn read(text: &str, suite: &Suite) -> Result<(CaseValue, IsaSuite), Failure> {
    if text.contains('/') {
        let read = text.parse::<CaseText>().and_then(|text| text.read(suite));
        return read.map_err(|error| Failure::Case(error.to_string()));
    }
    let (id, isa) = CaseId::parse(text, suite).map_err(|error| Failure::Case(error.to_string()))?;
    // Whatever it might read is a part of it.
    Ok((take_value(&isa, &id, &mut |_| true), isa))
}
