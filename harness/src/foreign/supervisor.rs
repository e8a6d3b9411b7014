//! A process that looks after one with somebody else's code in it.
//!
//! A library in our own process can end it at any time and with any exit code, 0 included. So the command runs once more in a
//! child, and no exit code of the child is believed without its *mark*: a number that only the two know, and the code, which
//! the child writes when its work is done. The same file has the [`Diary`] of what libraries are asked.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, parent_id};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use tandem_isa::MisbehaviourKind;

use super::process::describe_end;
use super::watchdog::Diary;

/// The variable by which a child knows its supervisor: descriptor, number of the supervising process, number of the mark.
const VARIABLE: &str = "TANDEM_SUPERVISED";
/// How long a child may take to end once its mark is there.
const END_LIMIT: Duration = Duration::from_secs(2);
/// How often a child is looked at.
const OFTEN: Duration = Duration::from_millis(5);

/// The side of the child.
#[derive(Debug)]
pub struct Supervised {
    file: File,
    number: u64,
    diary: Diary,
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With its mark, which has this exit code.
    Marked(u8),
    /// Without one.
    Unmarked {
        /// How, in words, of which the first is what it is called.
        how: String,
        /// What its libraries were being asked.
        asked: Vec<String>,
    },
}

impl Supervised {
    /// What this process has of its supervisor; nothing if there is none.
    #[must_use]
    pub fn here() -> Option<Self> {
        let text = std::env::var(VARIABLE).ok()?;
        let mut parts = text.split(':');
        let (descriptor, parent, number) = (parts.next()?, parts.next()?, parts.next()?);
        // A process that the child starts inherits the variable, and not the supervisor.
        if parent != parent_id().to_string() {
            return None;
        }
        let file = OpenOptions::new().read(true).write(true).open(format!("/dev/fd/{descriptor}")).ok()?;
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
        let diary = Diary::new(file.try_clone().ok()?);
        Some(Supervised { file, number: number.parse().ok()?, diary })
    }

    /// Where calls of libraries in this process are written down.
    #[must_use]
    pub fn diary(&self) -> &Diary {
        &self.diary
    }

    /// Says that the work is done, and with which exit code.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn mark(&self, code: u8) -> io::Result<()> {
        self.file.write_all_at(&mark(self.number, code), 0)
    }
}

fn mark(number: u64, code: u8) -> [u8; 9] {
    let mut mark = [code; 9];
    mark[..8].copy_from_slice(&number.to_le_bytes());
    mark
}

/// Runs this program with `arguments` in a child that is looked after until it ends. `is_interrupted` is asked again and again;
/// once it says so, the child is told.
///
/// # Errors
/// If the child cannot be started.
pub fn supervise(arguments: impl Iterator<Item = OsString>, is_interrupted: &dyn Fn() -> bool) -> io::Result<Ended> {
    let name = std::env::temp_dir().join(format!("tandem-{}-diary", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&name)?;
    std::fs::remove_file(&name)?;
    fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty()))?;
    // A number of the marks of other runs shows nothing.
    let number = RandomState::new().build_hasher().finish() | 1;
    let variable = format!("{}:{}:{number}", file.as_raw_fd(), std::process::id());
    let mut command = Command::new(std::env::current_exe()?);
    // A group of its own: what its libraries start is ended with it.
    let mut child = command.args(arguments).env(VARIABLE, variable).process_group(0).spawn()?;
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
    let how = wait(&mut child, id, &|| read_mark(&file, number).is_some(), is_interrupted)?;
    let _ = killpg(id, Signal::SIGKILL);
    Ok(match read_mark(&file, number) {
        Some(code) => Ended::Marked(code),
        None => Ended::Unmarked { how, asked: Diary::entries(&file)? },
    })
}

fn read_mark(file: &File, number: u64) -> Option<u8> {
    let mut bytes = [0; 9];
    file.read_exact_at(&mut bytes, 0).ok()?;
    (bytes == mark(number, bytes[8])).then_some(bytes[8])
}

/// Waits for the end of a child, which is helped along once it is marked, and says how it ended. One that stopped itself does not
/// go on, and nothing in it can say so.
fn wait(
    child: &mut Child,
    id: Pid,
    is_marked: &dyn Fn() -> bool,
    is_interrupted: &dyn Fn() -> bool,
) -> io::Result<String> {
    let (mut marked, mut is_told) = (None, false);
    let looks = WaitPidFlag::WSTOPPED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(format!("{}, {}", MisbehaviourKind::Crashed.name(), describe_end(status)));
        }
        if let Ok(WaitStatus::Stopped(_, signal)) = waitid(Id::Pid(id), looks) {
            child.kill()?;
            child.wait()?;
            return Ok(format!("{}, it was stopped by signal {}", MisbehaviourKind::Hung.name(), signal.as_str()));
        }
        if is_interrupted() && !is_told {
            is_told = kill(id, Signal::SIGINT).is_ok();
        }
        if marked.is_none() && is_marked() {
            marked = Some(Instant::now());
        }
        if marked.is_some_and(|at| at.elapsed() > END_LIMIT) {
            child.kill()?;
        }
        std::thread::sleep(OFTEN);
    }
}
