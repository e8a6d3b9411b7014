//! A watch over a library in our own process, which nobody can end when it hangs: whoever started it is told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tandem_isa::{Answers, Batch, Border, Machine, Misbehaviour};

/// What is told of a library that hangs in our own process; it does not come back to the library.
pub type Stuck = fn(&str);

/// A border whose calls are watched.
struct Watched {
    border: Box<dyn Border>,
    call: Arc<Call>,
}

/// The call that is under way.
struct Call {
    /// When everything began.
    origin: Instant,
    /// Milliseconds from then to the begin of the call, and one more; nothing is under way at 0.
    begin: AtomicU64,
    /// For a batch, the number of its instruction and how many cases it has; 0 for another call.
    batch: AtomicU64,
}

/// Watches the calls of `border`: one that takes longer than `limit` is told to `stuck`, once.
pub(super) fn watched(
    border: Box<dyn Border>,
    (name, isa): (String, &'static Machine),
    limit: Duration,
    stuck: Stuck,
) -> Box<dyn Border> {
    let call = Arc::new(Call { origin: Instant::now(), begin: AtomicU64::new(0), batch: AtomicU64::new(0) });
    let seen = Arc::downgrade(&call);
    std::thread::spawn(move || watch(&seen, (&name, isa), limit, stuck));
    Box::new(Watched { border, call })
}

fn watch(call: &Weak<Call>, (name, isa): (&str, &'static Machine), limit: Duration, stuck: Stuck) {
    let often = (limit / 8).clamp(Duration::from_millis(1), Duration::from_millis(200));
    loop {
        std::thread::sleep(often);
        let Some(call) = call.upgrade() else { return };
        let begin = call.begin.load(Ordering::Relaxed);
        let batch = call.batch.load(Ordering::Relaxed);
        if begin == 0 || call.origin.elapsed() < Duration::from_millis(begin - 1) + limit {
            continue;
        }
        let what = match (batch >> 32, batch & u64::from(u32::MAX)) {
            (_, 0) => isa.name.to_string(),
            (instruction, cases) => {
                let instruction = isa.instructions.get(instruction as usize).map(|one| one.path());
                format!("a batch of {cases} cases of {}", instruction.unwrap_or_default())
            }
        };
        return stuck(&format!("{name} has not answered to {what} within {} s", limit.as_secs_f64()));
    }
}

impl Watched {
    fn timed<T>(&mut self, batch: u64, call: impl FnOnce(&mut dyn Border) -> T) -> T {
        self.call.batch.store(batch, Ordering::Relaxed);
        let begin = u64::try_from(self.call.origin.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.call.begin.store(begin + 1, Ordering::Relaxed);
        let result = call(&mut *self.border);
        self.call.begin.store(0, Ordering::Relaxed);
        result
    }
}

impl Border for Watched {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.timed(0, |border| border.load(arena))
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        let what = u64::from(batch.instruction) << 32 | u64::from(batch.cases);
        self.timed(what, |border| border.execute(batch, answers))
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        self.timed(0, |border| border.arena_hash())
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.timed(0, |border| border.reset())
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.timed(0, |border| border.restart())
    }
}
