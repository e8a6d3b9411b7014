//! Campaigns and single cases of a target in Python.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use tandem::conformance::{self, Amount, Failure, Fared, Replayed, Settings};
use tandem::wiring;
use tandem_harness::foreign::{Foreign, Models};
use tandem_harness::observe::Narrow;
use tandem_harness::report::model::FindingPart;
use tandem_harness::report::{CaseText, Inputs, Report};
use tandem_harness::{Budget, Campaign, CaseId, IsaSuite, Plan, Progress, SEED_BITS, Suite, TargetFactory};
use tandem_isa::{Edition, Instruction, Isa, Target, TargetInfo};

use crate::border::{PyBorder, Seats};
use crate::chair::Patience;

/// How often it is asked whether somebody wants the end of a campaign.
const LOOK: Duration = Duration::from_millis(50);

/// Cases that a target is sent at once. A call of numpy costs as much for a hundred cases as for one.
const BATCH: u64 = 1024;

/// A target in Python: what makes its seats, its name, what it implements (as paths), and the named models that it follows.
type Described = (Py<PyAny>, String, Vec<String>, Vec<String>);

/// How many calls did not return, with what is known of the one with the fewest cases.
type Hangs = Option<(u32, String)>;

/// What is known of a target in Python.
#[derive(Clone)]
struct Known {
    seats: Seats,
    name: String,
    instructions: Arc<[String]>,
    models: Vec<String>,
}

impl From<Described> for Known {
    fn from((seats, name, instructions, models): Described) -> Self {
        Known { seats: Seats(Arc::new(seats)), name, instructions: instructions.into(), models }
    }
}

impl Known {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: self.name.clone(), level: None }
    }

    /// For each instruction of a set, whether the target has it.
    fn implemented(&self, isa: &Isa) -> Vec<bool> {
        isa.instructions.iter().map(|instruction| self.instructions.contains(&instruction.path())).collect()
    }

    /// The models that it follows, of those that a set has.
    fn models(&self, isa: &Isa) -> PyResult<Models> {
        let named = self.models.iter().map(|model| &**model).filter(|_| !isa.models.is_empty());
        Models::choose(isa, named).map_err(|known| {
            PyValueError::new_err(format!("{}: its models are {:?}; {known}, or all", self.name, self.models))
        })
    }

    /// What makes targets behind the border, for one instruction set.
    fn maker(&self, isa: &'static Isa, patience: &Patience) -> PyResult<impl Fn() -> Foreign + Send + Sync + use<>> {
        let patience = patience.clone();
        let (known, models, implemented) = (self.clone(), self.models(isa)?, self.implemented(isa));
        Ok(move || {
            let border =
                models.clone().before(Box::new(PyBorder::new(isa, known.seats.clone(), patience.clone())), isa.layout);
            Foreign::new(known.info(), isa, implemented.clone(), border)
        })
    }

    /// Every instruction set of which it has something, with it as the only target.
    fn suite(&self, patience: &Patience) -> PyResult<Suite> {
        let suite = wiring::references();
        let mut suite = if is_disputed_held()? { suite } else { suite.with_disputes() };
        for isa in &mut suite.isas {
            let implemented = self.implemented(isa.isa);
            if implemented.contains(&true) {
                let make = self.maker(isa.isa, patience)?;
                let make = move || Box::new(make()) as Box<dyn Target>;
                isa.targets.push(TargetFactory::foreign(self.info(), &implemented, make).in_batches_of(BATCH));
            }
        }
        Ok(suite)
    }
}

/// Whether `TANDEM_DISPUTED` makes findings of differences in disputed cases.
fn is_disputed_held() -> PyResult<bool> {
    let settings = Settings::from_env().map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(settings.disputed)
}

/// An instruction by its path, with its set.
pub(crate) fn instruction<'a>(suite: &'a Suite, path: &str) -> PyResult<(&'a IsaSuite, &'static Instruction)> {
    let found = suite.instructions().find(|(_, instruction)| instruction.path() == path);
    found.ok_or_else(|| {
        let next = "tandem.instructions() lists them";
        PyValueError::new_err(format!("tandem knows no instruction '{path}'; {next}"))
    })
}

/// The cells of a class.
fn cells_of(instruction: &'static Instruction, class: &str) -> PyResult<Vec<u32>> {
    let cells = (instruction.cells)(Edition::Newest);
    let of_class = |cell: &usize| (instruction.cell_class)(Edition::Newest, cells.levels(*cell)) == class;
    let found: Vec<u32> =
        (0..cells.len()).filter(of_class).map(|cell| u32::try_from(cell).expect("a cell's number fits")).collect();
    if found.is_empty() {
        let path = instruction.path();
        let next = format!("tandem.classes(\"{path}\") lists them");
        return Err(PyValueError::new_err(format!("{path} has no class of cells '{class}'; {next}")));
    }
    Ok(found)
}

/// Runs a campaign: of each instruction in the edition `newest` so many cases, narrowed to a class of cells if one is named.
/// Gives the report as JSON, in which each finding has its smallest case as a line, `line`, and each unit says whether
/// nothing was answered, `silent`; and how many calls did not return within `timeout`, in seconds, with what is known of
/// the one with the fewest cases.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of `tandem.check`")]
pub(crate) fn check(
    py: Python<'_>,
    target: Described,
    paths: Vec<String>,
    class: Option<String>,
    cases: u64,
    seed: u64,
    threads: usize,
    timeout: Option<f64>,
) -> PyResult<(String, Hangs)> {
    check_seed(seed)?;
    let known = Known::from(target);
    let progress = Arc::new(Progress::default());
    let patience = Patience::new(timeout, Arc::clone(&progress));
    let suite = known.suite(&patience)?;
    let units = paths.iter().map(|path| instruction(&suite, path).map(|(_, found)| found));
    let units: Vec<&'static Instruction> = units.collect::<PyResult<_>>()?;
    let mut plan = Plan::new(
        seed,
        Budget::Cases(cases.saturating_mul(units.len() as u64)),
        units.iter().map(|&instruction| (instruction, Edition::Newest)).collect(),
    );
    plan.threads = threads.max(1);
    if let Some(class) = &class {
        let narrow =
            |&unit: &&'static Instruction| Ok(Narrow { cells: Some(cells_of(unit, class)?), ..Narrow::default() });
        plan.narrow = units.iter().map(narrow).collect::<PyResult<_>>()?;
    }
    let result = py.detach(|| until_a_signal(&progress, || Campaign::new(&suite, &plan, &progress).run()))?;
    Ok((text(&Report::build(&Inputs::new(&suite, &result))), patience.hangs()))
}

/// Runs something, and ends it early if a signal has come, such as that of Ctrl-C.
fn until_a_signal<T: Send>(progress: &Progress, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let (sender, receiver) = channel();
    let mut interrupted = Ok(());
    let result = std::thread::scope(|scope| {
        let campaign = scope.spawn(|| {
            let result = work();
            // Whoever listens is gone only after this.
            let _ = sender.send(());
            result
        });
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(LOOK) {
            if campaign.is_finished() {
                break;
            }
            if interrupted.is_ok() {
                interrupted = Python::attach(|py| py.check_signals());
                progress.stop.fetch_or(interrupted.is_err(), Ordering::Relaxed);
            }
        }
        campaign.join()
    });
    interrupted?;
    Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// A report as JSON, with what only Rust can say of it.
fn text(report: &Report) -> String {
    let mut value = serde_json::to_value(report).expect("reports serialize");
    let result = &mut value["result"];
    for (place, finding) in report.result.findings.iter().enumerate() {
        result["findings"][place]["line"] = line(finding).into();
    }
    for (place, unit) in report.result.units.iter().enumerate() {
        result["units"][place]["silent"] = unit.offers_nothing().into();
        // It has a letter for each cell, and nobody asks for it here.
        result["units"][place]["map"] = Value::Null;
    }
    value.to_string()
}

/// The smallest case of a finding as a line, those before it included, or the first one if it has no smaller one.
fn line(finding: &FindingPart) -> Option<String> {
    let case = match (&finding.minimized, &finding.stored) {
        (Some(smallest), _) => &smallest.case,
        (None, Some(stored)) if finding.shows => stored,
        (None, _) => return None,
    };
    let all: Vec<String> = finding.after.iter().chain([case]).map(CaseText::to_string).collect();
    Some(all.join("; "))
}

fn check_seed(seed: u64) -> PyResult<()> {
    if seed >> SEED_BITS != 0 {
        return Err(PyValueError::new_err(format!("the seed is {seed}, and a seed is below 2^{SEED_BITS}")));
    }
    Ok(())
}

/// Runs so many programs of what a target has of an instruction set, a step at a time. Gives how it ended, `agrees`, `differs`,
/// `refused` or `absent`, and what is to be said about it; and what did not return, as [`check`] does.
#[pyfunction]
pub(crate) fn programs(
    py: Python<'_>,
    target: Described,
    isa: &str,
    cases: u64,
    seed: u64,
    timeout: Option<f64>,
) -> PyResult<(&'static str, String, Hangs)> {
    check_seed(seed)?;
    let suite = wiring::references();
    let names = || suite.isas.iter().map(|isa| isa.isa.name).collect::<Vec<_>>().join(", ");
    let set = suite.isa(isa).map(|isa| isa.isa).ok_or_else(|| {
        PyValueError::new_err(format!("tandem knows no instruction set '{isa}'; there are {}", names()))
    })?;
    let progress = Arc::new(Progress::default());
    let patience = Patience::new(timeout, Arc::clone(&progress));
    let make = Known::from(target).maker(set, &patience)?;
    let settings = Settings { seed, amount: Amount::Cases(cases), disputed: is_disputed_held()? };
    let ran =
        py.detach(|| until_a_signal(&progress, || conformance::programs(make, isa, None, settings, &progress)))?;
    let (outcome, text) = match ran {
        Ok(Fared::Agrees { green, cells, .. }) => ("agrees", format!("{green} of {cells} dependences of pairs agree")),
        Ok(Fared::Refused { target }) => ("refused", format!("{target} answered no program of {isa}")),
        Ok(Fared::NotImplemented { target }) => ("absent", format!("{target} has no instruction of {isa}")),
        Err(Failure::Differs(text)) => ("differs", text),
        Err(other) => return Err(PyValueError::new_err(other.to_string())),
    };
    Ok((outcome, text, patience.hangs()))
}

/// Runs one case by value, or several with `;` between them, of which the last is compared. Gives how it ended, `agrees`,
/// `survived`, `differs` or `refused`, and what is to be said about it.
#[pyfunction]
pub(crate) fn replay(
    py: Python<'_>,
    target: Described,
    case: &str,
    timeout: Option<f64>,
) -> PyResult<(&'static str, String)> {
    let suite = wiring::references();
    let isa = match case.trim().split_once('/') {
        Some((name, _)) => suite.isa(name).map(|isa| isa.isa),
        None => CaseId::parse(case, &suite).ok().map(|(_, isa)| isa.isa),
    };
    let isa = isa.ok_or_else(|| PyValueError::new_err(format!("the case is of no known instruction set: {case}")))?;
    let patience = Patience::new(timeout, Arc::new(Progress::default()));
    let make = Known::from(target).maker(isa, &patience)?;
    match py.detach(|| conformance::replay(case, make)) {
        Ok(Replayed::Agrees) => Ok(("agrees", String::new())),
        Ok(Replayed::Disputed(id)) => Ok(("agrees", format!("it differs in what is disputed ({id})"))),
        Ok(Replayed::Survived) => Ok(("survived", "the pages promise nothing for this case".to_string())),
        Err(Failure::Differs(text)) => Ok(("differs", text)),
        Err(refused @ (Failure::Refused { .. } | Failure::NotImplemented { .. })) => {
            Ok(("refused", refused.to_string()))
        }
        Err(other) => Err(PyValueError::new_err(other.to_string())),
    }
}
