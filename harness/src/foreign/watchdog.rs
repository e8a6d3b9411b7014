//! A watch over a library in our own process, which nobody can end when it hangs: whoever started it is told.
//!
//! What it is asked is written into a [`Diary`] beforehand. When it takes our process with it, whoever looks after the
//! process reads there what it was asked last.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tandem_isa::{Batch, Call, Machine};

use super::time_limit::TimeLimit;

/// What is told of a library that hangs in our own process; it does not come back to the library.
pub type Stuck = fn(&str);

/// Bytes of an entry of a diary.
const ENTRY: usize = 256;

/// A file with what libraries in this process are being asked, an entry for each instance.
#[derive(Clone, Debug)]
pub struct Diary {
    file: Arc<File>,
    next: Arc<AtomicU64>,
}

impl Diary {
    /// A diary in a file whose first bytes, as many as an entry has, are somebody else's.
    #[must_use]
    pub fn new(file: File) -> Self {
        Diary { file: Arc::new(file), next: Arc::new(AtomicU64::new(1)) }
    }

    /// What was being asked when the process ended.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn entries(file: &File) -> std::io::Result<Vec<String>> {
        let len = file.metadata()?.len();
        let mut entries = Vec::new();
        for at in (ENTRY as u64..len).step_by(ENTRY) {
            let mut bytes = [0; ENTRY];
            let filled = file.read_at(&mut bytes, at)?;
            let end = bytes[..filled].iter().position(|&byte| byte == 0).unwrap_or(filled);
            if end > 0 {
                entries.push(String::from_utf8_lossy(&bytes[..end]).into_owned());
            }
        }
        Ok(entries)
    }

    fn write(&self, entry: u64, text: &str) {
        let mut bytes = [0; ENTRY];
        let len = text.floor_char_boundary(ENTRY - 1);
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        // A diary that cannot be written says less, and nothing wrong.
        let _ = self.file.write_all_at(&bytes, entry * ENTRY as u64);
    }
}

/// A watch over one instance.
pub(super) struct Watch {
    isa: &'static Machine,
    name: String,
    call: Arc<ActiveCall>,
    diary: Option<(Diary, u64)>,
}

/// The call that is under way.
struct ActiveCall {
    /// When everything began.
    origin: Instant,
    /// Milliseconds from then to the begin of the call, and one more; nothing is under way at 0.
    begin: AtomicU64,
    /// The place of what is asked in [`CALLS`], and for a batch, the number of its instruction and how many cases it has.
    what: AtomicU64,
}

const CALLS: [Call; 5] = [Call::Describe, Call::Load, Call::Execute, Call::Hash, Call::Reset];

fn code(call: Call, batch: Option<&Batch>) -> u64 {
    let place = CALLS.iter().position(|one| *one == call).unwrap_or_default() as u64;
    let (instruction, cases) = batch.map_or((0, 0), |batch| (batch.instruction, batch.cases));
    place << 60 | u64::from(instruction & 0xff_ffff) << 32 | u64::from(cases)
}

/// What is asked, in words.
fn words(code: u64, isa: &Machine) -> String {
    let call = CALLS[(code >> 60) as usize].name();
    match (code >> 32 & 0xff_ffff, code & u64::from(u32::MAX)) {
        (_, 0) => format!("{call} ({})", isa.name),
        (instruction, cases) => {
            let instruction = isa.instructions.get(instruction as usize).map(|one| one.path());
            format!("{call} (a batch of {cases} cases of {})", instruction.unwrap_or_default())
        }
    }
}

impl Watch {
    /// Watches the calls to what is called `name`: one that takes longer than it may is told to `stuck`, once.
    pub fn begin(
        (name, isa): (String, &'static Machine),
        time_limit: TimeLimit,
        stuck: Stuck,
        diary: Option<&Diary>,
    ) -> Self {
        let call = Arc::new(ActiveCall { origin: Instant::now(), begin: AtomicU64::new(0), what: AtomicU64::new(0) });
        let (seen, of) = (Arc::downgrade(&call), name.clone());
        std::thread::spawn(move || watch(&seen, (&of, isa), &time_limit, stuck));
        let diary = diary.map(|diary| (diary.clone(), diary.next.fetch_add(1, Ordering::Relaxed)));
        Watch { isa, name, call, diary }
    }

    /// The same watch, over what calls itself otherwise.
    pub fn named(self, name: &str) -> Self {
        Watch { name: name.to_string(), ..self }
    }

    /// Makes a call that is watched.
    pub fn timed<T>(&self, (call, batch): (Call, Option<&Batch>), make: impl FnOnce() -> T) -> T {
        let (asked, process) = (code(call, batch), std::process::id());
        self.call.what.store(asked, Ordering::Relaxed);
        let note = |text: &str| {
            if let Some((diary, entry)) = &self.diary {
                diary.write(*entry, text);
            }
        };
        note(&format!("{} in {}", self.name, words(asked, self.isa)));
        let begin = u64::try_from(self.call.origin.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.call.begin.store(begin + 1, Ordering::Relaxed);
        let result = make();
        self.call.begin.store(0, Ordering::Relaxed);
        if std::process::id() != process {
            note(&format!("{} in {}, which forked and returned twice", self.name, words(asked, self.isa)));
            end_twin(process, call);
        }
        note("");
        result
    }
}

/// Ends a process of which there are two, because a library forked and returned in both.
fn end_twin(first: u32, call: Call) -> ! {
    // Standard output is the first one's. Standard error is what others read.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("the library forked in {}, and returned in both processes\n", call.name()).as_bytes(),
    );
    if let Ok(first) = i32::try_from(first) {
        let _ = kill(Pid::from_raw(first), Signal::SIGKILL);
    }
    std::process::abort()
}

fn watch(call: &Weak<ActiveCall>, (name, isa): (&str, &'static Machine), time_limit: &TimeLimit, stuck: Stuck) {
    let often = (time_limit.limit / 8).clamp(Duration::from_millis(1), Duration::from_millis(200));
    loop {
        std::thread::sleep(often);
        let Some(call) = call.upgrade() else { return };
        let (begin, what) = (call.begin.load(Ordering::Relaxed), words(call.what.load(Ordering::Relaxed), isa));
        if begin == 0 {
            continue;
        }
        let since = call.origin.elapsed().saturating_sub(Duration::from_millis(begin - 1));
        if let Some((kind, time)) = time_limit.overrun(since) {
            return stuck(&format!("{} in {what}: {name} has not answered {time}", kind.name()));
        }
    }
}
