//! What `--target` names, and how it is started.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use tandem_isa::{Border, Call, Machine, Misbehaviour, MisbehaviourKind};

use super::instance::{Instance, Renewable};
use super::library;
use super::process::{self, Program};
use super::talk::malformed;
use super::time_limit::{End, TimeLimit};
use super::watchdog::{Diary, Stuck, Watch};

/// Somebody else's implementation, as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetSpec {
    /// `lib:PATH`: a shared library, in a process of its own.
    Library(PathBuf),
    /// `lib-inproc:PATH`: a shared library, in our process.
    InProcess(PathBuf),
    /// `cmd:COMMAND`: a command that speaks a protocol over standard input and output.
    Command(String),
}

impl std::fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TargetSpec::Library(path) => write!(f, "lib:{}", path.display()),
            TargetSpec::InProcess(path) => write!(f, "lib-inproc:{}", path.display()),
            TargetSpec::Command(command) => write!(f, "cmd:{command}"),
        }
    }
}

impl TargetSpec {
    /// The files that say what it does, as far as they can be told: the library; of a command its program, and each word that
    /// names a file. What these load, or run elsewhere, is not among them.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let command = match self {
            TargetSpec::Library(path) | TargetSpec::InProcess(path) => return vec![path.clone()],
            TargetSpec::Command(command) => command,
        };
        let ends = |letter: char| letter.is_whitespace() || "'\"=;&|()<>`$,".contains(letter);
        let words: Vec<&str> = command.split(ends).filter(|word| !word.is_empty()).collect();
        let search = std::env::var_os("PATH").unwrap_or_default();
        let in_path = words.first().filter(|program| !program.contains('/')).and_then(|program| {
            std::env::split_paths(&search).map(|folder| folder.join(program)).find(|file| file.is_file())
        });
        in_path.into_iter().chain(words.iter().map(PathBuf::from).filter(|word| word.is_file())).collect()
    }
}

impl FromStr for TargetSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some((_, rest)) if rest.trim().is_empty() => Err(format!("'{text}' names nothing after the colon")),
            Some(("lib", path)) => Ok(TargetSpec::Library(path.into())),
            Some(("lib-inproc", path)) => Ok(TargetSpec::InProcess(path.into())),
            Some(("cmd", command)) => Ok(TargetSpec::Command(command.to_string())),
            _ => Err(format!("'{text}' is not lib:PATH, lib-inproc:PATH or cmd:COMMAND")),
        }
    }
}

/// Why a target cannot be used at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{program}: {why}")]
pub struct StartError {
    /// What was run or loaded.
    pub program: String,
    /// What it did, or said.
    pub why: String,
    /// How it misbehaved, if it was started.
    pub kind: Option<MisbehaviourKind>,
}

impl StartError {
    /// That what was run or loaded is no target.
    pub(super) fn new(program: impl Into<String>, why: impl Into<String>) -> Self {
        StartError { program: program.into(), why: why.into(), kind: None }
    }

    /// What it is when a target is begun anew.
    pub(super) fn misbehaviour(&self) -> Misbehaviour {
        let kind = self.kind.unwrap_or(MisbehaviourKind::Crashed);
        Misbehaviour { call: Call::Describe, ..Misbehaviour::new(kind, self.to_string()) }
    }
}

/// A target that was started and knows an instruction set.
pub struct Connected {
    /// The name of the implementation, as it says itself.
    pub name: String,
    /// For each instruction of the set, whether it is implemented.
    pub implemented: Vec<bool>,
    /// The text of its claims, a TOML document, if it has any.
    pub claims: Option<String>,
    /// The most steps of a case that it takes.
    pub max_steps: usize,
    /// The way to it.
    pub border: Box<dyn Border>,
}

/// Starts instances of a target.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// What to start.
    pub spec: TargetSpec,
    /// The executable of tandem, which is the host of libraries: `HOST host-library PATH`.
    pub host: PathBuf,
    /// The time that a request may take.
    pub limit: Duration,
    /// When requests are cut that are under way.
    pub end: End,
    /// Told, on a thread of its own, when a library in our own process takes longer: nothing but the end of the process
    /// ends it.
    pub stuck: Stuck,
    /// Where calls of a library in our own process are written down, if somebody looks after the process.
    pub diary: Option<Diary>,
}

impl Launcher {
    /// Starts an instance and describes an instruction set to it; nothing if it does not know it.
    ///
    /// # Errors
    /// That it cannot be started, or what it did instead of a greeting.
    pub fn connect(&self, isa: &'static Machine) -> Result<Option<Connected>, StartError> {
        let begun = if matches!(self.spec, TargetSpec::InProcess(_)) { "loaded" } else { "started" };
        let launcher = self.clone();
        Renewable::connect(begun, move || launcher.start(isa))
    }

    fn start(&self, isa: &'static Machine) -> Result<Option<Instance>, StartError> {
        let time_limit = TimeLimit { limit: self.limit, end: self.end.clone() };
        match &self.spec {
            TargetSpec::Library(path) => {
                must_be_file(path)?;
                process::start(&Program::host(&self.host, path), time_limit, isa)
            }
            TargetSpec::InProcess(path) => {
                must_be_file(path)?;
                let called = (self.spec.to_string(), isa);
                library::start(path, isa, Watch::begin(called, time_limit, self.stuck, self.diary.as_ref()))
            }
            TargetSpec::Command(command) => process::start(&Program::shell(command), time_limit, isa),
        }
    }

    /// Starts one more instance of a target that was started before, with this name and these instructions. If that fails,
    /// every call of its border does.
    #[must_use]
    pub fn connect_again(&self, isa: &'static Machine, name: &str, implemented: &[bool]) -> Box<dyn Border> {
        let lost = match self.connect(isa) {
            Ok(Some(connected)) if connected.name == name && connected.implemented == implemented => {
                return connected.border;
            }
            Ok(Some(_)) => malformed("one more instance is another implementation"),
            Ok(None) => malformed(format!("{}: it does not know {} any more", self.spec, isa.name)),
            Err(error) => {
                let why = error.misbehaviour();
                Misbehaviour { message: format!("one more instance cannot be started: {}", why.message), ..why }
            }
        };
        Box::new(Renewable::lost(lost))
    }
}

fn must_be_file(path: &Path) -> Result<(), StartError> {
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() => Ok(()),
        Ok(_) => Err(StartError::new(path.display().to_string(), "it is not a file")),
        Err(error) => Err(StartError::new(path.display().to_string(), error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_command_are_its_program_and_what_its_words_name() {
        let files = |text: &str| text.parse::<TargetSpec>().expect("it is one").files();
        let here = |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string();
        let (one, other) = (here("Cargo.toml"), here("src/lib.rs"));
        let of_script = files(&format!("cmd:sh -x '{one}' --rules={other} /nosuch {}", here("src")));
        assert!(of_script[0].ends_with("sh") && of_script[0].is_absolute(), "{of_script:?}");
        assert_eq!(of_script[1..], [PathBuf::from(&one), PathBuf::from(&other)]);
        assert_eq!(files(&format!("lib:{one}")), [PathBuf::from(&one)]);
        assert_eq!(files(&format!("cmd:{one} --fault=a")), [PathBuf::from(&one)]);
    }
}
