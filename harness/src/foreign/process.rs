//! A target in a process of its own: started by us, spoken to over its standard input and output.
//!
//! One thread does it all. Our ends of the three pipes do not block: bytes are written while the process reads, read
//! while it writes, and standard error is emptied in between. So neither side can wait for the other for ever, and
//! nothing is left behind if the process hands its pipes to others and ends.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tandem_isa::{BORDER_VERSION, Call, Machine, Misbehaviour, MisbehaviourKind};

use super::instance::Instance;
use super::json_lines::{self, JsonLines};
use super::spec::StartError;
use super::talk::{Codec, Conversation, Hello, Inbox, Look, Progress, Stream, malformed, other_version};
use super::time_limit::TimeLimit;
use super::wire::{self, Wire};

/// The least time that a process has to greet: interpreters and ssh take theirs.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The time that a process has to end after its standard input was closed.
const END_LIMIT: Duration = Duration::from_millis(300);
/// How often to look whether a silent process is still there.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// How long to look again and again for what is about to come before sleeping until it does: to fall asleep and be woken takes
/// longer than most cases. A machine with one processor has nobody else to wait for.
static EAGER: LazyLock<Duration> = LazyLock::new(|| {
    let is_alone = std::thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
    Duration::from_micros(if is_alone { 0 } else { 50 })
});
/// What is kept of standard error, in bytes.
const STDERR_LIMIT: usize = 2048;
/// The size of a pipe that we ask for, in bytes.
#[cfg(target_os = "linux")]
const PIPE_BYTES: i32 = 1 << 20;

/// What to start.
#[derive(Clone, Debug)]
pub(super) struct Program {
    argv: Vec<OsString>,
    /// How it is shown to people.
    pub shown: String,
}

impl Program {
    /// A command for the shell, which the command replaces.
    pub fn shell(command: &str) -> Self {
        let argv = vec!["sh".into(), "-c".into(), format!("exec {command}").into()];
        Program { argv, shown: command.to_string() }
    }

    /// `host host-library library`.
    pub fn host(host: &Path, library: &Path) -> Self {
        let shown = format!("{} host-library {}", host.display(), library.display());
        Program { argv: vec![host.into(), "host-library".into(), library.into()], shown }
    }

    fn spawn(&self) -> std::io::Result<Child> {
        Command::new(&self.argv[0])
            .args(&self.argv[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: what it starts is ended with it, and Ctrl-C at the terminal is ours to handle.
            .process_group(0)
            .spawn()
    }
}

/// A running process.
struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    inbox: Inbox,
    /// The last that it wrote to standard error.
    stderr_tail: Vec<u8>,
    time_limit: TimeLimit,
}

/// Looks for a little while whether something is there.
pub(super) fn eagerly(mut is_there: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_there() && begin.elapsed() < *EAGER {
        std::hint::spin_loop();
    }
}

/// Whether a pipe has something to read, or ended.
pub(super) fn is_readable(pipe: BorrowedFd<'_>) -> bool {
    poll(&mut [PollFd::new(pipe, PollFlags::POLLIN)], PollTimeout::ZERO) != Ok(0)
}

/// What came of a read that does not wait.
enum PipeRead {
    Bytes(usize),
    Nothing,
    End,
}

fn pipe_read(result: std::io::Result<usize>) -> PipeRead {
    match result {
        Ok(0) => PipeRead::End,
        Ok(len) => PipeRead::Bytes(len),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => PipeRead::Nothing,
        // A pipe that cannot be read any more is at its end.
        Err(_) => PipeRead::End,
    }
}

fn never_block(pipe: impl AsFd) -> std::io::Result<()> {
    fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    // Fewer changes between the two processes; a system that refuses is as good, only slower.
    #[cfg(target_os = "linux")]
    let _ = fcntl(&pipe, FcntlArg::F_SETPIPE_SZ(PIPE_BYTES));
    Ok(())
}

impl Process {
    fn start(program: &Program, time_limit: TimeLimit) -> std::io::Result<Process> {
        let mut child = program.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let stdout = stdout.expect("standard output is a pipe");
        let process =
            Process { child, stdin, stdout, stderr, inbox: Inbox::default(), stderr_tail: Vec::new(), time_limit };
        never_block(&process.stdout)?;
        process.stdin.as_ref().map_or(Ok(()), never_block)?;
        process.stderr.as_ref().map_or(Ok(()), never_block)?;
        Ok(process)
    }

    /// Empties standard error, a bounded part of it at a time.
    fn listen(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        let mut bytes = [0; 4096];
        for _ in 0..16 {
            match pipe_read(stderr.read(&mut bytes)) {
                PipeRead::Bytes(len) => {
                    self.stderr_tail.extend_from_slice(&bytes[..len]);
                    let over = self.stderr_tail.len().saturating_sub(STDERR_LIMIT);
                    self.stderr_tail.drain(..over);
                }
                PipeRead::Nothing => return,
                PipeRead::End => {
                    self.stderr = None;
                    return;
                }
            }
        }
    }

    /// What it said on standard error last, as the end of a sentence.
    fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr_tail);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last: Vec<String> =
            lines[lines.len().saturating_sub(5)..].iter().map(|line| line.escape_debug().collect()).collect();
        if last.is_empty() { String::new() } else { format!("; its standard error ends: {}", last.join(" | ")) }
    }

    /// Kills it with all that it started.
    fn kill(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            // It fails if nobody is left in the group.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
    }

    /// That it ended, and how.
    fn crashed(&mut self) -> Misbehaviour {
        let deadline = Instant::now() + END_LIMIT;
        let mut status = self.child.try_wait().ok().flatten();
        while status.is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
            status = self.child.try_wait().ok().flatten();
        }
        self.kill();
        self.listen();
        let how = status.map_or_else(|| "it closed its standard output".to_string(), describe_end);
        let middle = if self.inbox.bytes().is_empty() { "" } else { " in the middle of a reply" };
        Misbehaviour::new(MisbehaviourKind::Crashed, format!("{how}{middle}{}", self.last_words()))
    }

    /// That it did not reply in time.
    fn late(&mut self, kind: MisbehaviourKind, time: &str) -> Misbehaviour {
        self.kill();
        self.listen();
        let is_part = kind == MisbehaviourKind::Hung && !self.inbox.bytes().is_empty();
        let middle = if is_part { " but a part of one" } else { "" };
        Misbehaviour::new(kind, format!("no reply{middle} {time}{}", self.last_words()))
    }

    /// Waits until something can be read or written, or a while has passed. Standard error is emptied.
    fn wait(&mut self, writes: bool, wait: Duration) {
        let read = PollFlags::POLLIN;
        let mut pipes: Vec<(BorrowedFd<'_>, PollFlags)> = vec![(self.stdout.as_fd(), read)];
        pipes.extend(self.stderr.as_ref().map(|pipe| (pipe.as_fd(), read)));
        pipes.extend(self.stdin.as_ref().filter(|_| writes).map(|pipe| (pipe.as_fd(), PollFlags::POLLOUT)));
        let mut pipes: Vec<PollFd<'_>> = pipes.into_iter().map(|(pipe, flags)| PollFd::new(pipe, flags)).collect();
        if !writes {
            eagerly(|| is_readable(self.stdout.as_fd()));
        }
        let wait = PollTimeout::try_from(wait.as_millis().max(1)).unwrap_or(PollTimeout::MAX);
        // A wait that a signal ends is a short one.
        let _ = poll(&mut pipes, wait);
        self.listen();
    }

    /// Writes `message` and gathers one message, within the time that it may take.
    fn gather(&mut self, message: &[u8], look: &mut Look<'_>) -> Result<(), Misbehaviour> {
        let begin = Instant::now();
        let mut written = 0;
        let mut whole = 0;
        loop {
            let mut moved = false;
            if written < message.len()
                && let Some(stdin) = &mut self.stdin
            {
                match stdin.write(&message[written..]) {
                    Ok(len) => {
                        written += len;
                        moved |= len > 0;
                    }
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                    // Nobody reads any more. What it still has to say comes below.
                    Err(_) => self.stdin = None,
                }
            }
            match pipe_read(self.stdout.read(self.inbox.room(whole))) {
                PipeRead::Bytes(len) => {
                    moved = true;
                    self.inbox.took(len);
                    match self.inbox.look(look)? {
                        Some(more) => whole = more,
                        None if written == message.len() => return Ok(()),
                        None => return Err(malformed("it replied before it had read the request")),
                    }
                }
                PipeRead::Nothing => {}
                PipeRead::End => return Err(self.crashed()),
            }
            let (now, waited) = (Instant::now(), begin.elapsed());
            if let Some((kind, time)) = self.time_limit.overrun(waited) {
                return Err(self.late(kind, &time));
            }
            if !moved {
                let wait = LOOK_AGAIN.min(self.time_limit.limit.saturating_sub(waited));
                self.wait(written < message.len(), wait);
                // Others may hold its pipes open after its end.
                if now.elapsed() >= LOOK_AGAIN && matches!(self.child.try_wait(), Ok(Some(_))) {
                    match pipe_read(self.stdout.read(self.inbox.room(whole))) {
                        PipeRead::Bytes(len) => {
                            self.inbox.took(len);
                            if self.inbox.look(look)?.is_none() && written == message.len() {
                                return Ok(());
                            }
                        }
                        PipeRead::Nothing | PipeRead::End => return Err(self.crashed()),
                    }
                }
            }
        }
    }

    /// Gathers the greeting, and tells the protocol by its first byte.
    fn greet(&mut self) -> Result<(Protocol, Hello), Misbehaviour> {
        let mut scanned = 0;
        let longer = self.time_limit.limit.max(START_LIMIT);
        let limit = std::mem::replace(&mut self.time_limit.limit, longer);
        self.gather(&[], &mut |bytes| match bytes.first() {
            None => Ok(Progress::More(1)),
            Some(b'{') => json_lines::hello_progress(bytes, &mut scanned),
            Some(_) => wire::hello_progress(bytes),
        })?;
        self.time_limit.limit = limit;
        let bytes = self.inbox.bytes();
        let (protocol, hello) = if bytes.first() == Some(&b'{') {
            (Protocol::JsonLines, json_lines::read_hello(bytes))
        } else {
            (Protocol::Binary, wire::read_hello(bytes))
        };
        let hello = hello.map_err(malformed)?;
        self.inbox.clear();
        Ok((protocol, hello))
    }
}

impl Stream for Process {
    fn exchange(&mut self, message: &[u8], look: &mut Look<'_>) -> Result<(), Misbehaviour> {
        self.inbox.clear();
        match pipe_read(self.stdout.read(self.inbox.room(0))) {
            PipeRead::Nothing => {}
            PipeRead::End => return Err(self.crashed()),
            PipeRead::Bytes(len) => {
                self.inbox.took(len);
                let text = super::talk::excerpt(self.inbox.bytes());
                return Err(malformed(format!("it wrote without being asked: {text}{}", self.last_words())));
            }
        }
        self.gather(message, look)
    }

    fn reply(&self) -> &[u8] {
        self.inbox.bytes()
    }

    fn end(&mut self) {
        self.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whoever reads to the end of its input may write down what it has gathered.
        self.stdin = None;
        let deadline = Instant::now() + END_LIMIT;
        let (mut rest, mut writes) = ([0; 4096], true);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            self.listen();
            if writes {
                // Its output ends with it, most often, so that nothing is waited for in vain.
                self.wait(false, Duration::from_millis(1));
                writes = !matches!(pipe_read(self.stdout.read(&mut rest)), PipeRead::End);
            } else {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        self.kill();
        let _ = self.child.wait();
    }
}

/// How a process ended, in words.
pub(super) fn describe_end(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit status {code}"),
        (None, Some(number)) => match Signal::try_from(number) {
            Ok(signal) => format!("it was ended by signal {}", signal.as_str()),
            Err(_) => format!("it was ended by signal {number}"),
        },
        (None, None) => "it ended".to_string(),
    }
}

/// What a target speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Length-prefixed frames; see [`super::wire`].
    Binary,
    /// JSON lines; see [`super::json_lines`].
    JsonLines,
}

impl Protocol {
    pub(super) fn codec(self, isa: &'static Machine) -> Box<dyn Codec> {
        match self {
            Protocol::Binary => Box::new(Wire { isa }),
            Protocol::JsonLines => Box::new(JsonLines::new(isa)),
        }
    }

    /// What whoever speaks another version has to do.
    const fn next_version(self) -> &'static str {
        match self {
            Protocol::Binary => {
                "build it again with harness/include/tandem.h, or the file border.hpp of examples/targets, as they are \
                 now: frames have reasons and claims"
            }
            Protocol::JsonLines => {
                "greet with this version: an unsupported answer may have a reason, and \"opened\" may have claims \
                 beside it"
            }
        }
    }
}

/// Starts a process and describes an instruction set to it; nothing if it does not know it.
pub(super) fn start(
    program: &Program,
    time_limit: TimeLimit,
    isa: &'static Machine,
) -> Result<Option<Instance>, StartError> {
    let fails = |why: String| StartError::new(program.shown.clone(), why);
    let did = |when: String, one: &Misbehaviour, unsaid: String| {
        let (kind, call) = (one.kind.name(), Call::Describe.name());
        StartError { kind: Some(one.kind), ..fails(format!("{kind} in {call}, {when}: {}{unsaid}", one.message)) }
    };
    let process = Process::start(program, time_limit);
    let mut process = process.map_err(|error| fails(format!("it does not start: {error}")))?;
    let greeting = process.greet();
    let (protocol, Hello { version, name }) =
        greeting.map_err(|one| did("before its greeting".to_string(), &one, process.late_words(&one)))?;
    if version != BORDER_VERSION {
        return Err(fails(other_version(version, protocol.next_version())));
    }
    let mut talk = Conversation::new(process, protocol.codec(isa), isa);
    let opened = talk.describe();
    let opened =
        opened.map_err(|one| did(format!("when {} was described", isa.name), &one, talk.stream.late_words(&one)))?;
    Ok(opened.map(|opened| Instance { name, opened, link: Box::new(talk) }))
}

impl Process {
    /// What it said on standard error, if the message does not have it yet.
    fn late_words(&mut self, one: &Misbehaviour) -> String {
        match one.kind {
            MisbehaviourKind::Malformed => {
                // Its complaint may come a moment after what it complains of.
                self.wait(false, LOOK_AGAIN);
                self.last_words()
            }
            MisbehaviourKind::Crashed | MisbehaviourKind::Hung | MisbehaviourKind::Unfinished => String::new(),
        }
    }
}
