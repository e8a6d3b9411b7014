//! The thread that a target in Python sits on, and how long its calls may take.
//!
//! A call that does not return in time is interrupted: an exception is raised in its thread, which ends whatever is written
//! in Python. What waits in C cannot be interrupted: its thread is left behind, and the next instance gets another one. What
//! keeps the lock of the interpreter while it computes stops everything, and then the process ends with a word.

use std::fs::File;
use std::io::Write;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tandem_harness::Progress;
use tandem_isa::{Answers, Machine, Misbehaviour, MisbehaviourKind};

use crate::border::Seats;

/// How often a call is looked at that does not return.
const LOOK: Duration = Duration::from_millis(50);
/// How long an interrupted call has to end.
const GRACE: Duration = Duration::from_secs(1);
/// How long the interpreter has to let somebody else have its lock.
const LOCK: Duration = Duration::from_secs(5);
/// Calls that do not return, after which the target is asked no more.
const MOST_HANGS: u32 = 8;

/// Where the last word of a process goes, if not to standard error.
static LAST_WORD: Mutex<Option<File>> = Mutex::new(None);
/// Threads that were left behind.
static LEFT_BEHIND: AtomicU32 = AtomicU32::new(0);

/// Names the open descriptor on which the end of the process is told, since that of standard error may be captured.
#[pyfunction]
pub(crate) fn tell_on(descriptor: i32) -> PyResult<()> {
    // SAFETY: the caller has it open during the call, and it is not closed here: what is kept is a copy.
    let own = unsafe { BorrowedFd::borrow_raw(descriptor) }.try_clone_to_owned()?;
    *LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner) = Some(File::from(own));
    Ok(())
}

/// How many threads were left behind in this process.
#[pyfunction]
pub(crate) fn left_behind() -> u32 {
    LEFT_BEHIND.load(Ordering::Relaxed)
}

/// How long the calls of all instances of a target may take, and how often one did not return.
#[derive(Clone)]
pub(crate) struct Patience(Arc<State>);

struct State {
    limit: Option<Duration>,
    progress: Arc<Progress>,
    hangs: AtomicU32,
    /// Of those that did not return, the call with the fewest cases, and what is known of it.
    smallest: Mutex<Option<(u32, String)>>,
}

impl Patience {
    /// The patience of a campaign, which ends when it is used up. `limit` is in seconds.
    pub(crate) fn new(limit: Option<f64>, progress: Arc<Progress>) -> Self {
        let limit = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Patience(Arc::new(State { limit, progress, hangs: AtomicU32::new(0), smallest: Mutex::new(None) }))
    }

    fn is_over(&self) -> bool {
        self.0.progress.stop.load(Ordering::Relaxed)
    }

    /// Takes down a call that did not return.
    fn hung(&self, cases: u32, what: String) {
        let mut smallest = self.0.smallest.lock().unwrap_or_else(PoisonError::into_inner);
        if smallest.as_ref().is_none_or(|(fewest, _)| cases < *fewest) {
            *smallest = Some((cases, what));
        }
        if self.0.hangs.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_HANGS {
            self.0.progress.stop.store(true, Ordering::Relaxed);
        }
    }

    /// How many calls did not return, and what is known of the one with the fewest cases.
    pub(crate) fn hangs(&self) -> Option<(u32, String)> {
        let (_, smallest) = self.0.smallest.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some((self.0.hangs.load(Ordering::Relaxed), smallest))
    }
}

/// What a call gave.
pub(crate) enum Said {
    Nothing,
    Hash(Option<u32>),
    Answers(Box<Answers>),
}

pub(crate) type Reply = Result<Said, Misbehaviour>;
/// A call of the instance.
pub(crate) type Job = Box<dyn FnOnce(&Bound<'_, PyAny>) -> Reply + Send>;

/// A thread with an instance.
pub(crate) struct Chair {
    jobs: Option<Sender<Job>>,
    replies: Receiver<Reply>,
    thread: Option<std::thread::JoinHandle<()>>,
    /// The number that Python has for it.
    number: Arc<AtomicU64>,
}

impl Chair {
    /// A thread whose instance is made with its first call.
    pub(crate) fn new(machine: &'static Machine, seats: Seats) -> Self {
        let (jobs, asked) = channel();
        let (answer, replies) = channel();
        let number = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&number);
        let thread = std::thread::spawn(move || serve(machine, &seats, &asked, &answer, &own));
        Chair { jobs: Some(jobs), replies, thread: Some(thread), number }
    }

    /// Calls the instance. `call` names the method; `cases` and `what` say of how many cases it is and
    /// all that is known of the call. After an error that it hung it is to be dropped.
    pub(crate) fn ask(
        &mut self,
        job: Job,
        call: &str,
        (cases, what): (u32, &dyn Fn() -> String),
        patience: &Patience,
    ) -> Reply {
        let gone = || Misbehaviour::new(MisbehaviourKind::Crashed, "its thread has ended");
        if patience.is_over() {
            return Err(Misbehaviour::new(MisbehaviourKind::Hung, "it is asked no more"));
        }
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())?;
        let begin = Instant::now();
        loop {
            match self.replies.recv_timeout(LOOK) {
                Ok(reply) => return reply,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_late = patience.0.limit.is_some_and(|limit| begin.elapsed() >= limit);
            if is_late || patience.is_over() {
                let how = format!(
                    "has not returned within {} s",
                    patience.0.limit.unwrap_or_else(|| begin.elapsed()).as_secs_f64()
                );
                let (place, end) = self.interrupt(&format!("{} {how}", what()));
                if is_late {
                    patience.hung(cases, format!("{} {how}{place}{end}", what()));
                }
                return Err(Misbehaviour::new(MisbehaviourKind::Hung, format!("{call} {how}{place}{end}")));
            }
        }
    }

    /// Has the call end, or leaves its thread behind. Gives where it was, and what is to be said of its end.
    fn interrupt(&mut self, what: &str) -> (String, &'static str) {
        let (tell, told) = channel();
        let (number, has_ended) = (Arc::clone(&self.number), Arc::new(AtomicBool::new(false)));
        let ended = Arc::clone(&has_ended);
        std::thread::spawn(move || {
            // Whoever catches the exception gets it again.
            while !ended.load(Ordering::Relaxed) {
                let place = Python::attach(|py| raise_in(py, number.load(Ordering::Relaxed)));
                let _ = tell.send(place.unwrap_or_default());
                std::thread::sleep(LOOK);
            }
        });
        let Ok(place) = told.recv_timeout(LOCK) else { end_process(what) };
        let is_back = self.replies.recv_timeout(GRACE).is_ok();
        has_ended.store(true, Ordering::Relaxed);
        if is_back {
            return (place, "");
        }
        // Nobody waits for it.
        self.thread = None;
        LEFT_BEHIND.fetch_add(1, Ordering::Relaxed);
        (place, "; it waits in C and could not be interrupted")
    }
}

impl Drop for Chair {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Carries out calls until there are no more.
fn serve(machine: &Machine, seats: &Seats, jobs: &Receiver<Job>, replies: &Sender<Reply>, number: &AtomicU64) {
    let mut seat: Option<Py<PyAny>> = None;
    let crashed = |why: PyErr| Misbehaviour::new(MisbehaviourKind::Crashed, why.to_string());
    for job in jobs {
        let reply = Python::attach(|py| {
            let bound = match &seat {
                Some(seat) => seat.bind(py).clone(),
                None => {
                    let own = py.import("threading").and_then(|module| module.call_method0("get_ident")?.extract());
                    number.store(own.map_err(crashed)?, Ordering::Relaxed);
                    let made = seats.0.bind(py).call1((machine.name,)).map_err(crashed)?;
                    seat = Some(made.clone().unbind());
                    made
                }
            };
            job(&bound)
        });
        if replies.send(reply).is_err() {
            break;
        }
    }
    Python::attach(|_| drop(seat));
}

/// Raises an exception in a thread of Python, and gives where it is.
fn raise_in(py: Python<'_>, number: u64) -> PyResult<String> {
    py.import("tandem._target")?.call_method1("interrupt", (number,))?.extract()
}

/// Ends the process, in which nothing else can run: `SIGABRT` has `faulthandler` show where every thread is.
fn end_process(what: &str) -> ! {
    let text = format!(
        "\ntandem: {what}, and keeps the interpreter's lock, so that nothing can end it but the end of this process. Run \
         this target behind another border, where a limit ends it: `tandem fuzz --target cmd:...`\n"
    );
    let mut told = LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.as_mut().is_none_or(|file| file.write_all(text.as_bytes()).is_err()) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    std::process::abort()
}
