//! A progress line on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tandem_harness::{Budget, Progress};

/// Asked to stop, by Ctrl-C.
static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

fn interrupted() -> &'static Arc<AtomicBool> {
    INTERRUPTED.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        // The first Ctrl-C ends the run with its report; another one, a second or more later, ends the process. (A
        // terminal or a supervisor may well send the first one twice.)
        let first: OnceLock<Instant> = OnceLock::new();
        let installed = ctrlc::set_handler(move || {
            seen.store(true, Ordering::Relaxed);
            if first.get_or_init(Instant::now).elapsed() > Duration::from_secs(1) {
                std::process::exit(130);
            }
        });
        if installed.is_err() {
            eprintln!("tandem: Ctrl-C will end the run without a report, because no handler could be installed");
        }
        flag
    })
}

/// Whether Ctrl-C has been pressed.
pub(super) fn is_interrupted() -> bool {
    interrupted().load(Ordering::Relaxed)
}

/// Runs `work` while it is watched: a progress line with rate, findings and time left on a terminal, nothing elsewhere;
/// Ctrl-C asks it to stop.
pub(super) fn watched<T: Send>(budget: Option<Budget>, work: impl FnOnce(&Progress) -> T + Send) -> T {
    let progress = Progress::default();
    let stop = interrupted();
    let done = AtomicBool::new(false);
    let bar = bar(budget);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&progress)));
            done.store(true, Ordering::Relaxed);
            result
        });
        let begin = Instant::now();
        while !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if stop.load(Ordering::Relaxed) {
                progress.stop.store(true, Ordering::Relaxed);
            }
            tick(&bar, budget, begin, &progress);
        }
        bar.finish_and_clear();
        match worker.join().expect("the panic of the work was caught") {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn bar(budget: Option<Budget>) -> ProgressBar {
    let length = match budget {
        Some(Budget::Cases(cases)) => cases,
        Some(Budget::Time(time)) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        None => return ProgressBar::hidden(),
    };
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {msg}").expect("the template is a constant");
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

fn tick(bar: &ProgressBar, budget: Option<Budget>, begin: Instant, progress: &Progress) {
    let (cases, divergences) = (progress.cases.load(Ordering::Relaxed), progress.divergences.load(Ordering::Relaxed));
    let elapsed = begin.elapsed();
    let rate = cases as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = match budget {
        Some(Budget::Cases(all)) => {
            bar.set_position(cases);
            Duration::from_secs_f64(all.saturating_sub(cases) as f64 / rate.max(1.0))
        }
        Some(Budget::Time(time)) => {
            bar.set_position(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
            time.saturating_sub(elapsed)
        }
        None => return,
    };
    bar.set_message(format!(
        "{:.2} M cases, {:.2} M/s, {divergences} divergent, {} s left",
        cases as f64 / 1e6,
        rate / 1e6,
        left.as_secs()
    ));
}
