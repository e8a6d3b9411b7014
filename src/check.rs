//! An implementation in Rust, checked in a test of its own.

use std::sync::Arc;

use tandem_cases::ISAS;
use tandem_harness::foreign::Models;
use tandem_harness::observe::{Claims, ClaimsError};
use tandem_harness::report::{Colour, Inputs, Report, terminal};
use tandem_harness::{Budget, Campaign, IsaSuite, Plan, Progress, SEED_BITS, Suite, TargetFactory, believe_no_exit};
use tandem_isa::{Edition, Isa, Target};

use crate::conformance::Amount;
use crate::wiring;

/// The seed, if nothing else is said: a test does the same each time.
pub(crate) const SEED: u64 = 1;
/// Cases for each instruction, if nothing else is said.
const CASES: u64 = 100_000;

/// Reads a seed: a number below 2^48, decimal or with `0x`.
pub(crate) fn read_seed(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x");
    let value = digits.map_or_else(|| text.parse::<u64>(), |digits| u64::from_str_radix(digits, 16));
    match value {
        Ok(value) if value >> SEED_BITS == 0 => Ok(value),
        Ok(_) => Err(format!("a seed has {SEED_BITS} bits")),
        Err(_) => Err("a seed is a number, decimal or with 0x".to_string()),
    }
}

/// What a check runs.
pub struct Check {
    make: TargetFactory,
    filters: Vec<String>,
    seed: u64,
    amount: Amount,
    threads: Option<usize>,
    disputed: bool,
}

/// What so many instructions have together.
fn budget(amount: Amount, units: usize) -> Budget {
    let units = u32::try_from(units).unwrap_or(u32::MAX);
    match amount {
        Amount::Cases(cases) => Budget::Cases(cases.saturating_mul(units.into())),
        Amount::Time(time) => Budget::Time(time.saturating_mul(units)),
    }
}

/// Checks an implementation against the reference, in every instruction that it implements. `make` makes fresh instances.
///
/// What it refuses is found out first, and cases are drawn so that it answers. If it makes claims ([`Target::claims`]), it is
/// held to them.
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
    Check::of(factory(make))
}

/// A factory of somebody's implementation, which may refuse cases.
pub(crate) fn factory<T: Target + 'static>(make: impl Fn() -> T + Send + Sync + 'static) -> TargetFactory {
    believe_no_exit();
    TargetFactory::new(move || Box::new(make())).partial()
}

/// Every instruction set with one target, which is held to the claims that it makes, and also to what is disputed if that is
/// asked for.
pub(crate) fn suite(make: &TargetFactory, disputed: bool) -> Result<Suite, ClaimsError> {
    let suite = wiring::references();
    let mut suite = if disputed { suite } else { suite.with_disputes() };
    for isa in &mut suite.isas {
        isa.targets = vec![held(make, isa.isa)?];
    }
    Ok(suite)
}

/// The same target, which is held to the claims that it makes, if it makes any.
fn held(make: &TargetFactory, isa: &Isa) -> Result<TargetFactory, ClaimsError> {
    let Some(text) = make.claims().filter(|text| !text.trim().is_empty()) else { return Ok(make.clone()) };
    let claims = Claims::parse(&format!("the claims of {}", make.info), text, ISAS)?;
    let named = claims.models.iter().map(|model| &**model).filter(|_| !isa.models.is_empty());
    let models = Models::choose(isa, named).expect("claims name models that there are");
    Ok(make.clone().claiming(Arc::new(claims.following(&models, isa))))
}

/// Whether the target of a suite implements an instruction.
pub(crate) fn implements(isa: &IsaSuite, instruction: &'static tandem_isa::Facts) -> bool {
    isa.targets.iter().any(|target| target.implements(instruction))
}

impl Check {
    /// A check of what a factory makes.
    pub(crate) fn of(make: TargetFactory) -> Self {
        Check { make, filters: Vec::new(), seed: SEED, amount: Amount::Cases(CASES), threads: None, disputed: false }
    }

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
        self.amount(Amount::Cases(cases))
    }

    /// Another number of cases, or a time, for each instruction.
    #[must_use]
    pub fn amount(self, amount: Amount) -> Self {
        Check { amount, ..self }
    }

    /// Another number of workers than the machine has cores. A result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Check { threads: Some(threads), ..self }
    }

    /// Takes differences in disputed cases, where other public words of a chip's makers differ from its pages, for findings
    /// like any other, or does not.
    #[must_use]
    pub fn disputed(self, disputed: bool) -> Self {
        Check { disputed, ..self }
    }

    /// Runs it.
    ///
    /// # Panics
    /// If the implementation has no instruction that was asked for: nothing would be shown. If its claims cannot be read.
    #[must_use]
    pub fn run(self) -> Report {
        let suite = suite(&self.make, self.disputed).unwrap_or_else(|error| panic!("{error}"));
        let wanted = |path: &str| self.filters.is_empty() || self.filters.iter().any(|filter| filter == path);
        let units: Vec<_> = suite
            .instructions()
            .filter(|(isa, instruction)| wanted(&instruction.path()) && implements(isa, instruction))
            .map(|(_, instruction)| (instruction, Edition::Newest))
            .collect();
        assert!(!units.is_empty(), "{} implements nothing of what was asked for", self.make.info);
        let mut plan = Plan::new(self.seed, budget(self.amount, units.len()), units);
        plan.threads = self.threads.unwrap_or(plan.threads);
        let result = Campaign::new(&suite, &plan, &Progress::default()).run();
        Report::build(&Inputs::new(&suite, &result))
    }

    /// Runs it, and fails with the findings in words.
    ///
    /// # Panics
    /// If the implementation differs from what the pages promise, or answers nothing of an instruction that it has.
    #[track_caller]
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
