//! Targets that panic, or that would end this process: what they do is a verdict like any other.

use std::cell::Cell;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use tandem_isa::Misbehaviour;

use crate::Difference;

/// That the arena behind the border is not the background after a case, although no row says so. It is carried out of
/// [`tandem_isa::Target::execute`] as a panic, as a [`Misbehaviour`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayWrite {
    /// The hash of the background.
    pub expected: u32,
    /// The hash that the target gives.
    pub got: u32,
    /// The rows that were changed, as far as that could be found out.
    pub rows: Vec<Difference>,
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a target's code; a panic becomes differences: what a target behind the border did, or the panic's message.
/// Panics of targets are verdicts and print nothing.
#[inline]
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Vec<Difference>> {
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(outer);
    result.map_err(|panic| {
        if let Some(misbehaviour) = panic.downcast_ref::<Misbehaviour>() {
            return vec![Difference::Misbehaved(misbehaviour.clone())];
        }
        if let Some(StrayWrite { expected, got, rows }) = panic.downcast_ref() {
            let hash = Difference::ArenaHash { expected: *expected, got: *got };
            return rows.iter().cloned().chain([hash]).collect();
        }
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        vec![Difference::Panic(text.unwrap_or_else(|| "no message".to_string()))]
    })
}

/// Has a target that calls `exit` in our process, with whatever code, end it with code 101: nothing was shown. What calls
/// `_exit`, or `exit` in a thread of its own, is not caught.
pub fn believe_no_exit() {
    extern "C" fn at_exit() {
        if GUARDED.get() {
            let _ =
                writeln!(stderr(), "a target ended this process in the middle of a test, so that nothing was shown");
            // SAFETY: It ends the process at once, and has no other effect.
            unsafe { nix::libc::_exit(101) }
        }
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: The function takes nothing and does not unwind. If there is no room for it, nothing is worse than before.
        let _ = unsafe { nix::libc::atexit(at_exit) };
    });
}

/// Keeps panics of targets from printing; those of the suite itself print as ever. Called once by each campaign.
pub fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                previous(info);
            }
        }));
    });
}
