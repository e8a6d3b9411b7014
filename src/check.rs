//! An implementation in Rust, checked in a test of its own.

use tandem_harness::report::{Colour, Inputs, Report, terminal};
use tandem_harness::{Budget, Campaign, Plan, Progress, TargetFactory};
use tandem_isa::{Edition, Target};

use crate::wiring;

/// The seed, if nothing else is said: a test does the same each time.
const SEED: u64 = 1;
/// Cases for each instruction, if nothing else is said.
const CASES: u64 = 100_000;

/// What a check runs.
pub struct Check {
    make: TargetFactory,
    filters: Vec<String>,
    seed: u64,
    cases: u64,
}

/// Checks an implementation against the reference, in every instruction that it implements. `make` makes fresh instances.
///
/// What it refuses is found out first, and cases are drawn so that it answers.
///
/// ```no_run
/// # struct Emulator;
/// # impl tandem_isa::Target for Emulator {
/// #     fn info(&self) -> tandem_isa::TargetInfo { unimplemented!() }
/// #     fn implements(&self, _: &'static tandem_isa::Facts) -> bool { false }
/// #     fn execute(&mut self, _: &tandem_isa::Step<'_>, _: &mut tandem_isa::State) -> tandem_isa::Answer { unimplemented!() }
/// # }
/// #[test]
/// fn my_emulator_conforms() {
///     tandem::check(|| Emulator).assert();
/// }
/// ```
pub fn check<T: Target + 'static>(make: impl Fn() -> T + Send + Sync + 'static) -> Check {
    let make = TargetFactory::new(move || Box::new(make())).partial();
    Check { make, filters: Vec::new(), seed: SEED, cases: CASES }
}

impl Check {
    /// Only this instruction, for example `tensix-wh/mova2d`; may be said several times.
    #[must_use]
    pub fn only(mut self, instruction: &str) -> Self {
        self.filters.push(instruction.to_string());
        self
    }

    /// Another seed, below 2^48.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Check { seed, ..self }
    }

    /// Another number of cases for each instruction.
    #[must_use]
    pub fn cases(self, cases: u64) -> Self {
        Check { cases, ..self }
    }

    /// Runs it.
    ///
    /// # Panics
    /// If the implementation has no instruction that was asked for: nothing would be shown.
    #[must_use]
    pub fn run(self) -> Report {
        let mut suite = wiring::suite();
        for isa in &mut suite.isas {
            isa.targets = vec![self.make.clone()];
        }
        let wanted = |path: &str| self.filters.is_empty() || self.filters.iter().any(|filter| filter == path);
        let units = suite.instructions().map(|(_, instruction)| (instruction, Edition::Newest));
        let units: Vec<_> =
            units.filter(|(instruction, _)| wanted(&instruction.path()) && self.make.implements(instruction)).collect();
        assert!(!units.is_empty(), "{} implements nothing of what was asked for", self.make.info);
        let budget = Budget::Cases(self.cases * units.len() as u64);
        let plan = Plan::new(self.seed, budget, units);
        let result = Campaign::new(&suite, &plan, &Progress::default()).run();
        Report::build(&Inputs::new(&suite, &result))
    }

    /// Runs it, and fails with the findings in words.
    ///
    /// # Panics
    /// If the implementation differs from what the pages promise, or answers nothing of an instruction that it has.
    pub fn assert(self) {
        let report = self.run();
        let silent = report.result.units.iter().find(|unit| unit.offers_nothing());
        if report.result.findings.is_empty() && silent.is_none() {
            return;
        }
        let mut text = Vec::new();
        let written = terminal::render(&mut text, &report, Colour::Never, None);
        assert!(written.is_ok(), "a report is written into memory");
        panic!("{}", String::from_utf8_lossy(&text));
    }
}
