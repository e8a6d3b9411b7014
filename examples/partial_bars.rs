//! The bars of partial targets: what the suite makes of targets behind policies in a long run, held against the truth.
//!
//! ```sh
//! cargo run --release --example partial_bars               # every policy, 2 million cases each, 20 trials
//! cargo run --release --example partial_bars -- hard 500000 4
//! ```

#[path = "../tests/gates/bars/mod.rs"]
mod bars;
#[path = "../tests/gates/truth/mod.rs"]
mod truth;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use bars::{bars, campaign, finds_one_bit};
use tandem_harness::{CellStatus, DrawnCase, Plain};
use tandem_isa::{Edition, Instruction, State, Step, mix64};
use tandem_policy::{EMBEDDED, Policy, RuleKind};

/// The bars: answered, right, unexplained, in percent.
const ANSWERED: f64 = 90.0;
const RIGHT: f64 = 99.0;
const UNEXPLAINED: f64 = 1.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: u64| match arguments.get(place).map(|text| text.parse()) {
        None => Some(usual),
        Some(number) => number.ok(),
    };
    let known: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
    let names: Vec<&str> = match arguments.first().map(String::as_str) {
        None | Some("all") => known.clone(),
        Some(name) => known.iter().copied().filter(|known| *known == name).collect(),
    };
    let (Some(cases), Some(trials)) = (number(1, 2_000_000), number(2, 20)) else {
        eprintln!("usage: partial_bars [POLICY|all] [CASES] [TRIALS]");
        return ExitCode::from(2);
    };
    if names.is_empty() {
        eprintln!("partial_bars: no such policy; name one of {}, or all", known.join(", "));
        return ExitCode::from(2);
    }
    // Every one is reported, also after one that does not meet its bars.
    let met = names.iter().filter(|name| !report(name, cases, trials)).count() == 0;
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What it costs to look at a case that is answered, in nanoseconds; nothing if no plain case is.
fn cost(policy: &Policy, instruction: &'static Instruction) -> Option<f64> {
    const TIMES: u32 = 1_000_000;
    let suite = tandem::wiring::suite();
    let isa = suite.isa(instruction.isa)?.isa;
    let plain = Plain::new(isa, instruction, Edition::Newest);
    let mut state = isa.base_state();
    let kinds = [RuleKind::Refusal, RuleKind::Lie, RuleKind::Wrong];
    let cells = (instruction.cells)(Edition::Newest).len();
    (0..cells).find_map(|cell| {
        let DrawnCase { code, small, .. } = plain.case(cell);
        state.small.copy_from_slice(&small);
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        let look = |state: &State| kinds.iter().any(|&kind| policy.first(kind, &step, state).is_some());
        if look(&state) {
            return None;
        }
        let begin = Instant::now();
        for _ in 0..TIMES {
            assert!(!look(std::hint::black_box(&state)));
        }
        Some(begin.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES))
    })
}

/// Runs a policy and prints its figures; whether all bars are met.
fn report(name: &str, cases: u64, trials: u64) -> bool {
    let policy = Arc::new(Policy::embedded(name).unwrap_or_else(|error| panic!("{error}")));
    println!("{name}: {}", policy.about());
    let mut met = true;
    let units: Vec<_> = policy.instructions().map(tandem_cases::of).collect();
    let begin = Instant::now();
    let result = campaign(&policy, &units, 1, cases);
    println!("  {cases} cases in {:.1} s, {} findings", begin.elapsed().as_secs_f64(), result.findings.len());
    met &= result.findings.is_empty();
    for unit in &result.units {
        let bars = bars(&policy, unit, 200, 100_000);
        println!("  {}: {bars}", unit.instruction.path());
        if let Some(nanoseconds) = cost(&policy, unit.instruction) {
            println!("    to look whether a case is refused that is not: {nanoseconds:.0} ns");
        }
        met &= bars.answered >= ANSWERED && bars.right >= RIGHT && bars.fresh_right >= RIGHT;
        met &= bars.fresh_unexplained <= UNEXPLAINED;
        met &= bars.holes.is_empty() && bars.uncounted == 0 && bars.untrue.is_empty() && bars.uncited.is_empty();
    }
    let green: Vec<_> = (result.units.iter())
        .flat_map(|unit| (0..unit.cells.len()).map(move |cell| (unit, cell)))
        .filter(|(unit, cell)| unit.status(*cell) == CellStatus::Green)
        .map(|(unit, cell)| (unit.instruction, cell))
        .collect();
    if green.is_empty() {
        println!("  no cell is green");
        return false;
    }
    let pick = |trial: u64| green[(mix64(trial) % green.len() as u64) as usize];
    let found = (0..trials).filter(|&trial| finds_one_bit(&policy, pick(trial), 1000 + trial, cases)).count();
    println!("  one wrong bit in one offered cell: found in {found} of {trials} trials");
    met && found as u64 == trials
}
