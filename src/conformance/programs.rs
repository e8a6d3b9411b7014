//! The test of programs: what one instruction leaves behind for the next, which no test of one instruction sees.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tandem_harness::observe::Scope;
use tandem_harness::report::CaseText;
use tandem_harness::report::explain;
use tandem_harness::report::model::SignaturePart;
use tandem_harness::{
    CaseValue, IsaSuite, OBSERVE, OBSERVE_SHARE, PairStatus, ProgramFinding, ProgramPlan, ProgramResult, Progress,
    run_programs,
};
use tandem_isa::{Edition, Instruction, Target};

use super::failure::{MOST_FINDINGS, again, citations, counted, more, paste, what};
use super::{Amount, Called, Failure, Fared, Settings, unless_it_panics};
use crate::check::{factory, implements, suite};

/// Checks programs of 2 to 16 steps of the instructions that an implementation has of an instruction set, for example
/// `tensix-wh`: each ordered pair of them, by what makes the second depend on the first. The number of cases of `settings` is
/// that of programs, and there is one of each pair and dependence at least.
///
/// Without `called` a failure has its smallest program as a line that [`replay`](super::replay()) takes, and no test to paste.
/// `progress` ends it early.
///
/// # Errors
/// [`Failure`]: what differs.
pub fn programs<T: Target + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    isa: &str,
    called: Option<Called<'_>>,
    settings: Settings,
    progress: &Progress,
) -> Result<Fared, Failure> {
    unless_it_panics(called.map_or("this run of programs", |called| called.make), move || {
        let factory = factory(make);
        let target = factory.info.to_string();
        let suite = suite(&factory, settings.disputed)?;
        let isa = suite.isas.iter().find(|one| one.isa.name == isa).ok_or_else(|| Failure::Unknown(isa.to_string()))?;
        let newest = isa.isa.instructions.iter().copied().filter(|one| one.editions().contains(&Edition::Newest));
        let own: Vec<&'static Instruction> = newest.filter(|one| implements(isa, one)).collect();
        if own.is_empty() {
            return Ok(Fared::NotImplemented { target });
        }
        let result = run(isa, own, settings, progress);
        if !result.findings.is_empty() {
            return Err(Failure::Differs(differs(isa, &result, called, settings)));
        }
        if result.cells.iter().all(|cell| cell.steps == 0) {
            return Ok(Fared::Refused { target });
        }
        let never = [PairStatus::Impossible, PairStatus::Cited, PairStatus::Blocked];
        let green = result.cells.iter().filter(|cell| cell.agreed > 0).count() as u64;
        let cells =
            result.cells.iter().filter(|cell| cell.agreed > 0 || !never.contains(&cell.status())).count() as u64;
        Ok(Fared::Agrees { target, green, cells })
    })
}

/// Finds out what is answered, and runs programs of that.
fn run(
    isa: &IsaSuite,
    instructions: Vec<&'static Instruction>,
    settings: Settings,
    progress: &Progress,
) -> ProgramResult {
    let (time, cases) = match settings.amount {
        Amount::Cases(cases) => (None, Some(cases)),
        Amount::Time(time) => (Some(time), None),
    };
    // Each instruction is asked a part of the amount: programs are drawn by what it answers.
    let share = u64::from(OBSERVE_SHARE);
    let until = time.map(|time| Instant::now() + time / OBSERVE_SHARE);
    let scope =
        Scope { until, stop: Some(&progress.stop), ..Scope::of(cases.map_or(OBSERVE, |cases| cases.div_ceil(share))) };
    let (edition, seed) = (Edition::Newest, settings.seed);
    let is_over = || progress.stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until);
    let answered = tandem_harness::answered(isa, &instructions, (edition, seed), scope, &is_over).0;
    let plan = ProgramPlan { instructions, own: Vec::new(), edition, seed, cases, steps: None, threads: 1, answered };
    let Some(time) = time else { return run_programs(isa, &plan, progress) };
    std::thread::scope(|scope| {
        let end = Instant::now() + time - time / OBSERVE_SHARE;
        let worker = scope.spawn(|| run_programs(isa, &plan, progress));
        while !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(5));
            progress.stop.fetch_or(Instant::now() >= end, Ordering::Relaxed);
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What differs from the pages in programs.
fn differs(isa: &IsaSuite, result: &ProgramResult, called: Option<Called<'_>>, settings: Settings) -> String {
    let findings = &result.findings;
    let run: u64 = result.cells.iter().map(|cell| cell.programs).sum();
    let mut text = format!(
        "{} differs from what the pages promise in programs of {}: {}, {}, seed {}, edition newest\n",
        findings[0].signature.target,
        isa.isa.name,
        counted(findings.len() as u64, "finding"),
        counted(run, "program"),
        settings.seed
    );
    for (number, finding) in findings.iter().take(MOST_FINDINGS).enumerate() {
        let ProgramFinding { signature, differences, count, stored, minimized, .. } = finding;
        let part = SignaturePart::of(signature);
        text.push_str(&format!("\n{}. {}, in {}\n", number + 1, what(&part), counted(*count, "program")));
        let shown: Option<(&CaseValue, _)> = match minimized {
            Some(smallest) => Some((&smallest.value, &smallest.differences)),
            None => stored.as_ref().map(|value| (value, differences)),
        };
        if let Some((value, differences)) = shown {
            explain::explain(isa, value, differences).iter().for_each(|line| text.push_str(&format!("   {line}\n")));
            // What differs is seen after the last step.
            let last = value.with_steps(&value.steps()[value.steps().len() - 1..]);
            citations(&mut text, &explain::citations(isa, &last, differences));
        }
        let all: Vec<CaseText> = shown.iter().map(|(value, _)| CaseText::of(value)).collect();
        match (called, &all[..]) {
            (Some(called), all) => paste(&mut text, &part, &all.iter().collect::<Vec<_>>(), called),
            (None, [smallest]) => text.push_str(&format!("   smallest program: {smallest}\n")),
            (None, _) => text.push_str("   no small program shows it alone: run it again\n"),
        }
    }
    more(&mut text, findings.len());
    match called {
        Some(called) => text + "\n" + &again(called, settings),
        None => text,
    }
}
