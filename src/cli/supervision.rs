//! Runs with a library in this process, `lib-inproc:`, are looked after by another process: the library may end this one at any
//! time, and an exit code of 0 is not believed without a mark.

use std::sync::OnceLock;

use tandem_harness::foreign::{Diary, Ended, Supervised, supervise};

use super::{CliError, Exit, progress, signals};

/// The variable with which nobody looks after a run, for debuggers.
const UNSUPERVISED: &str = "TANDEM_UNSUPERVISED";

fn supervised() -> Option<&'static Supervised> {
    static HERE: OnceLock<Option<Supervised>> = OnceLock::new();
    HERE.get_or_init(Supervised::here).as_ref()
}

/// Has this run looked after, because of a target in this process. The first process runs the command in another one, and does
/// not come back. That one gets the diary for its libraries.
///
/// # Errors
/// If the other process cannot be started.
pub(super) fn look_after(target: &str) -> Result<Option<Diary>, CliError> {
    if let Some(supervised) = supervised() {
        return Ok(Some(supervised.diary().clone()));
    }
    if std::env::var_os(UNSUPERVISED).is_some() {
        return Ok(None);
    }
    let ended = supervise(std::env::args_os().skip(1), &progress::is_interrupted).map_err(CliError::io("tandem"))?;
    let code = match ended {
        Ended::Marked(code) => code,
        Ended::Unmarked { how, asked } => signals::exit_code().unwrap_or_else(|| {
            let asked = if asked.is_empty() { "no call".to_string() } else { asked.join(", or ") };
            errln!(
                "tandem: target '{target}' took this run with it, so that nothing was shown, whatever is printed above: {how}, \
                 under way: {asked}; the same command with lib: goes on where this one was, and names the case"
            );
            Exit::Target as u8
        }),
    };
    std::process::exit(i32::from(code))
}

/// Says to whoever looks after this process that its work is done, with this exit code.
pub(super) fn mark(code: u8) {
    if let Some(supervised) = supervised() {
        // Without the mark the run counts as one that was ended.
        let _ = supervised.mark(code);
    }
}
