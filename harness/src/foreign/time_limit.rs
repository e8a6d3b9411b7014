//! How long calls may take, and the end of a run that has one by the clock, which no call to a target outlives.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use tandem_isa::MisbehaviourKind;

/// What times are counted from.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// When the calls that are under way are cut. Whoever has a copy sees what another one is set to.
#[derive(Clone, Debug)]
pub struct End(Arc<AtomicU64>);

impl Default for End {
    fn default() -> Self {
        // The origin is never later than an end.
        LazyLock::force(&ORIGIN);
        End(Arc::new(AtomicU64::new(u64::MAX)))
    }
}

impl End {
    /// Has all calls cut at `at`.
    pub fn set(&self, at: Instant) {
        let since = at.saturating_duration_since(*ORIGIN).as_millis();
        self.0.store(u64::try_from(since).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Has all calls cut at `at`, if they were not to be cut before.
    pub fn set_at_latest(&self, at: Instant) {
        let since = at.saturating_duration_since(*ORIGIN).as_millis();
        self.0.fetch_min(u64::try_from(since).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Whether it has come.
    #[must_use]
    pub fn has_come(&self) -> bool {
        let at = self.0.load(Ordering::Relaxed);
        at != u64::MAX && ORIGIN.elapsed() >= Duration::from_millis(at)
    }
}

/// How long a call may take, and when it is cut.
#[derive(Clone, Debug)]
pub(super) struct TimeLimit {
    pub limit: Duration,
    pub end: End,
}

impl TimeLimit {
    /// What a call has done that was begun so long ago, if it is waited for no more, and in which time it did not answer.
    pub fn overrun(&self, waited: Duration) -> Option<(MisbehaviourKind, String)> {
        if waited >= self.limit {
            Some((MisbehaviourKind::Hung, format!("within {} s", self.limit.as_secs_f64())))
        } else if self.end.has_come() {
            let waited = waited.as_secs_f64();
            Some((MisbehaviourKind::Unfinished, format!("after {waited:.1} s, when the time of the run was over")))
        } else {
            None
        }
    }
}
