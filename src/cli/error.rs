//! What a user can mend, and the exit codes.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use tandem_harness::CaseIdError;
use tandem_harness::report::KnownError;
use tandem_harness::vectors::VectorError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All agree.
    Agree = 0,
    /// A bug of tandem itself.
    Bug = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A new finding.
    NewFinding = 10,
    /// The stored case of a known finding does not fail any more.
    KnownGone = 11,
    /// Holes, or no completed case.
    Holes = 12,
    /// Vectors are invalid.
    Vectors = 13,
    /// A target is unavailable.
    Target = 14,
    /// A file cannot be written, because there is no room for it.
    Full = 15,
    /// Stopped by Ctrl-C; by another signal, 128 and its number.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// What a user can mend.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments do not fit together, or name what does not exist.
    #[error("{0}")]
    Usage(String),
    /// A case id cannot be read.
    #[error(transparent)]
    CaseId(#[from] CaseIdError),
    /// A vector file is refused.
    #[error(transparent)]
    Vectors(#[from] VectorError),
    /// The list of known findings is refused.
    #[error(transparent)]
    Known(#[from] KnownError),
    /// A target does not exist, or this machine cannot run it.
    #[error("{0}")]
    Target(String),
    /// A file cannot be written or read.
    #[error("{path}: {error}; {next}", path = path.display(), next = io_next(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

impl CliError {
    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            CliError::Io { error, .. } if is_full(error) => Exit::Full,
            CliError::Usage(_) | CliError::CaseId(_) | CliError::Known(_) | CliError::Io { .. } => Exit::Usage,
            CliError::Vectors(_) => Exit::Vectors,
            CliError::Target(_) => Exit::Target,
        }
    }

    /// Names the file of an I/O error.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| CliError::Io { path, error }
    }
}

/// Whether there is no room for what is to be written.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

/// What to do about an error of a file.
fn io_next(error: &std::io::Error) -> &'static str {
    if is_full(error) {
        "what was written before is as it was; make room, or write elsewhere, and run the same command again"
    } else {
        "check the path and your permissions"
    }
}
