//! A progress line on a terminal, a line now and then elsewhere, and the end of a run by a signal or by the clock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tandem_harness::foreign::End;
use tandem_harness::{Budget, Progress};

use super::{output, signals};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// When the first line comes.
const FIRST_LINE: Duration = Duration::from_secs(5);

/// When the command began.
static BEGIN: OnceLock<Instant> = OnceLock::new();

/// How long a call to a target may outlive what has an end by the clock.
const CUT: Duration = Duration::from_millis(1500);

/// When calls to targets are cut.
static END: OnceLock<End> = OnceLock::new();

/// How long a run may outlive its `--seconds` to bring to an end what is under way, …
const AFTER_END: Duration = Duration::from_secs(4);
/// … and a signal.
const AFTER_INTERRUPT: Duration = Duration::from_secs(2);

/// When calls to targets are cut.
pub(super) fn end() -> &'static End {
    END.get_or_init(End::default)
}

/// Has all calls cut that go on after the end of a run of so many seconds and what comes after it. Gives when that is.
pub(super) fn cut_after(seconds: f64) -> Instant {
    let at = *BEGIN.get_or_init(Instant::now) + Duration::from_secs_f64(seconds) + AFTER_END;
    end().set(at);
    at
}

/// Listens to Ctrl-C, `SIGTERM` and `SIGHUP` from here on, and starts the clock of `--seconds`. Whoever calls it ends soon
/// once it [`is_interrupted`].
pub(super) fn listen() {
    BEGIN.get_or_init(Instant::now);
    signals::listen();
}

/// Whether a signal asks the command to end. Listens from here on.
pub(super) fn is_interrupted() -> bool {
    signals::stop().load(Ordering::Relaxed)
}

/// How long the command has run since it began to listen.
pub(super) fn elapsed() -> Duration {
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// Whether the command is to end: by a signal, or because it has run so many seconds.
pub(super) fn is_over(seconds: Option<f64>) -> bool {
    is_interrupted() || seconds.is_some_and(|seconds| elapsed().as_secs_f64() >= seconds)
}

/// Runs `work` while it is watched: a progress line with rate, findings and time left on a terminal, elsewhere a line after
/// 5 seconds and every 30; a signal asks it to stop.
pub(super) fn watched<T: Send>(budget: Option<Budget>, work: impl FnOnce(&Progress) -> T + Send) -> T {
    watched_for(None, budget, work)
}

/// The same; it is asked to stop once the command has run so many seconds, too.
pub(super) fn watched_for<T: Send>(
    seconds: Option<f64>,
    budget: Option<Budget>,
    work: impl FnOnce(&Progress) -> T + Send,
) -> T {
    listen();
    if let Some(seconds) = seconds {
        end().set(*BEGIN.get_or_init(Instant::now) + Duration::from_secs_f64(seconds) + CUT);
    }
    let progress = Progress { end: end().clone(), ..Progress::default() };
    progress.stop.store(is_over(seconds), Ordering::Relaxed);
    let done = AtomicBool::new(false);
    let bar = bar(budget);
    let mut lines = Lines::new(output::can_draw(), elapsed());
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&progress)));
            done.store(true, Ordering::Relaxed);
            result
        });
        let (begin, mut is_cut) = (Instant::now(), false);
        while !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if is_over(seconds) {
                progress.stop.store(true, Ordering::Relaxed);
            }
            if is_interrupted() && !is_cut {
                (is_cut, _) = (true, end().set_at_latest(Instant::now() + AFTER_INTERRUPT));
            }
            let seen = Seen::of(budget, begin.elapsed(), &progress);
            seen.show(&bar, budget);
            if lines.are_due(elapsed()) {
                noteln!("tandem: {seen}");
            }
        }
        bar.finish_and_clear();
        match worker.join().expect("the panic of the work was caught") {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Lines where there is no terminal: when the next one is due.
struct Lines {
    next: Option<Duration>,
}

impl Lines {
    /// The command has run so long already.
    fn new(has_terminal: bool, elapsed: Duration) -> Self {
        let mut lines = Lines { next: (!has_terminal).then_some(FIRST_LINE) };
        while lines.are_due(elapsed) {}
        lines
    }

    fn are_due(&mut self, elapsed: Duration) -> bool {
        let due = self.next.is_some_and(|next| elapsed >= next);
        if due {
            self.next = self.next.map(|next| if next < LINE_EVERY { LINE_EVERY } else { next + LINE_EVERY });
        }
        due
    }
}

fn bar(budget: Option<Budget>) -> ProgressBar {
    let length = match budget {
        Some(Budget::Cases(cases)) => cases,
        Some(Budget::Time(time)) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        None => return ProgressBar::hidden(),
    };
    let target = if output::can_draw() && !output::is_quiet() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{wide_bar} {msg}").expect("the template is a constant");
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// How far the work is.
struct Seen {
    elapsed: Duration,
    cases: u64,
    divergences: u64,
    /// Cells that are decided, of those that are to be.
    cells: Option<(u64, u64)>,
    /// Cases a second.
    rate: f64,
    left: Option<Duration>,
}

impl Seen {
    fn of(budget: Option<Budget>, elapsed: Duration, progress: &Progress) -> Self {
        let cases = progress.cases.load(Ordering::Relaxed);
        let rate = cases as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = match budget {
            // Before the first ones are done nothing is known.
            Some(Budget::Cases(all)) => {
                (cases > 0).then(|| Duration::from_secs_f64(all.saturating_sub(cases) as f64 / rate.max(1e-3)))
            }
            Some(Budget::Time(time)) => Some(time.saturating_sub(elapsed)),
            None => None,
        };
        let (cells, open) = (progress.cells.load(Ordering::Relaxed), progress.open.load(Ordering::Relaxed));
        let cells = (cells > 0).then(|| (cells.saturating_sub(open), cells));
        Seen { elapsed, cases, divergences: progress.divergences.load(Ordering::Relaxed), cells, rate, left }
    }

    fn show(&self, bar: &ProgressBar, budget: Option<Budget>) {
        match budget {
            Some(Budget::Cases(_)) => bar.set_position(self.cases),
            Some(Budget::Time(_)) => {
                bar.set_position(u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX));
            }
            None => return,
        }
        bar.set_message(self.to_string());
    }
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Seen { cases, divergences, cells, rate, left, .. } = self;
        write!(f, "{} cases, {} a second, {divergences} divergent", shown(*cases as f64), shown(*rate))?;
        if let Some((decided, all)) = cells {
            write!(f, ", {decided} of {all} cells decided")?;
        }
        left.map_or(Ok(()), |left| write!(f, ", {} s left", left.as_secs()))
    }
}

/// A number, in millions where it is large.
fn shown(number: f64) -> String {
    if number < 1e5 { format!("{number:.0}") } else { format!("{:.2} M", number / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_soon_and_every_30_seconds_and_says_how_far_it_is() {
        let due_from = |begin: u64| -> Vec<u64> {
            let mut lines = Lines::new(false, Duration::from_secs(begin));
            (begin..130).filter(|&second| lines.are_due(Duration::from_secs(second))).collect()
        };
        assert_eq!(due_from(0), [5, 30, 60, 90, 120]);
        assert_eq!(due_from(31), [60, 90, 120]);
        assert!(!Lines::new(true, Duration::ZERO).are_due(Duration::from_secs(100)), "a terminal has its bar");
        let progress = Progress::default();
        progress.cases.store(600, Ordering::Relaxed);
        progress.divergences.store(3, Ordering::Relaxed);
        let seen = Seen::of(Some(Budget::Cases(1_200)), Duration::from_secs(30), &progress);
        assert_eq!(seen.to_string(), "600 cases, 20 a second, 3 divergent, 30 s left");
        progress.cells.store(210, Ordering::Relaxed);
        progress.open.store(40, Ordering::Relaxed);
        let seen = Seen::of(None, Duration::from_secs(30), &progress);
        assert_eq!(seen.to_string(), "600 cases, 20 a second, 3 divergent, 170 of 210 cells decided");
    }
}
