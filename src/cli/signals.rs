//! Signals that ask the program to end: Ctrl-C, `SIGTERM` and `SIGHUP`. The first one ends the run with its report.

use std::sync::Once;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

use nix::libc::{_exit, c_int};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// What a shell adds to the number of a signal that ended a program.
const BY_SIGNAL: i32 = 128;
/// For so long after the first signal others are taken for the same: a terminal or a supervisor may well send several.
const SAME: u64 = 1_000;

/// When the program began to listen.
static BEGIN: OnceLock<Instant> = OnceLock::new();
/// The first signal that came, or 0.
static FIRST: AtomicI32 = AtomicI32::new(0);
/// When it came, in milliseconds.
static CAME: AtomicU64 = AtomicU64::new(0);
/// Whether one came.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether one came: set once, and read by whoever can end.
pub(super) fn stop() -> &'static AtomicBool {
    listen();
    &STOP
}

/// The exit code of a program that a signal ended, if one came while somebody listened.
pub(super) fn exit_code() -> Option<u8> {
    let signal = FIRST.load(Ordering::Relaxed);
    (signal != 0).then(|| u8::try_from(BY_SIGNAL + signal).unwrap_or(u8::MAX))
}

/// What a handler may do is to store numbers, to look at the clock, and to end the process.
extern "C" fn ask_to_stop(signal: c_int) {
    let now = BEGIN.get().map_or(0, |begin| u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX));
    if FIRST.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
        CAME.store(now, Ordering::Relaxed);
        STOP.store(true, Ordering::Relaxed);
    } else if now.saturating_sub(CAME.load(Ordering::Relaxed)) > SAME {
        // SAFETY: it ends the process, and may be called from a handler.
        unsafe { _exit(BY_SIGNAL + signal) }
    }
}

/// A write that goes beyond a limit on the size of files then fails, instead of ending the process.
extern "C" fn go_on(_signal: c_int) {}

/// Has a write beyond a limit on the size of files be an error like that of a full disk.
pub(super) fn begin() {
    let action = SigAction::new(SigHandler::Handler(go_on), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler does nothing.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &action) };
}

/// Listens from here on. Whoever calls it ends soon once [`stop`] is set.
pub(super) fn listen() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        BEGIN.get_or_init(Instant::now);
        let action = SigAction::new(SigHandler::Handler(ask_to_stop), SaFlags::SA_RESTART, SigSet::empty());
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            // SAFETY: the handler does only what a handler may do.
            let before = unsafe { sigaction(signal, &action) };
            match before {
                // Whoever starts a program with nohup wants it to go on.
                Ok(before) if signal == Signal::SIGHUP && matches!(before.handler(), SigHandler::SigIgn) => {
                    // SAFETY: the signal is ignored, as it was.
                    let _ = unsafe { sigaction(signal, &before) };
                }
                Ok(_) => {}
                Err(error) => errln!("tandem: {signal} will end the run without a report, because no handler could be installed ({error})"),
            }
        }
    });
}
