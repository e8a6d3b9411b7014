//! The process of a shared library: what `lib:` starts.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use nix::unistd::{dup2_stdin, dup2_stdout};
use tandem_isa::{MACHINES, Machine};

use super::instance::Renewable;
use super::process::{Protocol, eagerly, is_readable};
use super::spec::{Connected, StartError};
use super::time_limit::{End, TimeLimit};
use super::watchdog::Watch;
use super::{library, serve};

/// Serves a shared library over standard input and output until the input ends.
///
/// The library cannot get between: what it prints goes to standard error, and what it reads is empty.
///
/// # Errors
/// That the library cannot be loaded, or that whoever started this does not speak the protocol.
pub fn host_library(path: &Path) -> Result<(), StartError> {
    let fails = |error: io::Error| StartError::new(path.display().to_string(), error.to_string());
    let (input, output) = keep_to_ourselves().map_err(fails)?;
    // Its name comes before anybody says what it is to implement.
    let mut first: Option<(&'static Machine, Connected)> = None;
    for isa in MACHINES {
        if let Some(connected) = connect(path, isa)? {
            first = Some((isa, connected));
            break;
        }
    }
    let name = first.as_ref().map_or_else(|| "library".to_string(), |(_, connected)| connected.name.clone());
    let open = |isa: &'static Machine| match first.take() {
        Some((known, connected)) if known.name == isa.name => Some(connected),
        // It is unloaded before it is loaded again.
        other => {
            drop(other);
            connect(path, isa).ok().flatten()
        }
    };
    serve::borders(&name, open, Protocol::Binary, Eager(input), output).map_err(fails)
}

/// Loads a library whose calls are watched for one that returns in two processes. How long they take is for whoever started
/// us to say.
fn connect(path: &Path, isa: &'static Machine) -> Result<Option<Connected>, StartError> {
    let path = path.to_path_buf();
    Renewable::connect("loaded", move || {
        let time_limit = TimeLimit { limit: Duration::MAX, end: End::default() };
        library::start(&path, isa, Watch::begin((path.display().to_string(), isa), time_limit, |_| {}, None))
    })
}

/// A pipe that is looked at for a little while before it is waited for.
struct Eager(File);

impl Read for Eager {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        eagerly(|| is_readable(self.0.as_fd()));
        self.0.read(bytes)
    }
}

/// Standard input and output as they were. From now on standard input is empty, and standard output is standard error.
fn keep_to_ourselves() -> io::Result<(File, File)> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(io::stderr())?;
    Ok((input, output))
}
