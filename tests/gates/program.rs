//! The programs that gates run: `tandem` itself, its examples, and those of others.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

use cargo_metadata::{Metadata, MetadataCommand};
use clap::CommandFactory;
use serde_json::Value;
use tandem_harness::foreign::{End, Launcher, TargetSpec};

/// The root of the repository.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Exit code, standard output and standard error.
pub type Told = (i32, String, String);

/// What a program said.
pub fn told(output: &Output) -> Told {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// `tandem`, in the root of the repository.
pub fn tandem() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
    command.current_dir(ROOT);
    command
}

/// Whether the command that these arguments begin with has an option.
pub fn takes(arguments: &[&str], option: &str) -> bool {
    let mut command = tandem::cli::Cli::command();
    command.build();
    let mut command = &command;
    for argument in arguments {
        let Some(below) = command.find_subcommand(argument) else { break };
        command = below;
    }
    command.get_arguments().any(|one| one.get_long() == Some(option))
}

/// Runs `tandem` with its report under `out`, if the command leaves any.
pub fn run_into(out: &Path, arguments: &[&str]) -> Told {
    let mut command = tandem();
    command.args(arguments);
    if takes(arguments, "out") {
        command.arg("--out").arg(out);
    }
    told(&command.output().expect("the binary runs"))
}

/// Runs `tandem` with its report in a folder that nobody looks at.
pub fn run(arguments: &[&str]) -> Told {
    let out = tempfile::tempdir().expect("a folder for the report");
    run_into(out.path(), arguments)
}

/// A folder to run in, so that every report lies at the same place.
pub struct Desk(tempfile::TempDir);

impl Desk {
    /// An empty one.
    pub fn new() -> Self {
        Desk(tempfile::tempdir().expect("a folder to run in"))
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `tandem` in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tandem();
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// Runs `tandem` in it.
    pub fn run(&self, arguments: &[&str]) -> Told {
        told(&self.command(arguments).output().expect("the binary runs"))
    }

    /// The result of the report under `report`, as it is written.
    pub fn result(&self) -> String {
        let text = std::fs::read_to_string(self.path("report/report.json")).expect("there is a report");
        let (result, _) = text.split_once("\n  \"run\":").expect("a report has a result, and then what the run was");
        result.to_string()
    }
}

/// Whether a program can be run. A test that does without it says so; the continuous integration has all of them.
pub fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "there is no {program}, and the continuous integration has it");
    if !there {
        println!("not run: there is no {program}");
    }
    there
}

/// Whether a package of Debian is there in a version that a gate knows: what others' tools say changes with it.
pub fn has_version(package: &str, version: &str) -> bool {
    let found = Command::new("dpkg-query").args(["-W", "-f=${Version}", package]).output();
    let found = found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let is_known = found.starts_with(version);
    if !is_known {
        println!("not run: {package} has version '{found}', and {version} of Debian 12 is what this gate knows");
    }
    is_known
}

/// What cargo says of the crates of the workspace.
pub fn workspace() -> Metadata {
    let manifest = Path::new(ROOT).join("Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo describes the workspace")
}

/// Holds the code with which a program ended against the one expected, and gives what it said.
#[track_caller]
pub fn ended((code, stdout, stderr): Told, expected: i32) -> (String, String) {
    assert_eq!(code, expected, "{stdout}{stderr}");
    (stdout, stderr)
}

/// An example of ours. They are built once, all together.
pub fn example(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(ROOT).args(["build", "--quiet"]);
        cargo.args(["serve", "unruly", "policy", "simd_library"].iter().flat_map(|name| ["--example", name]));
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo runs").success());
        let tests = std::env::current_exe().expect("a test knows where it is");
        tests.parent().and_then(Path::parent).expect("tests lie in deps").join("examples")
    });
    folder.join(name)
}

/// The interpreter of Python. `python3` may be a script that looks for it, which takes longer than what is tested.
pub fn python() -> &'static str {
    static PYTHON: OnceLock<String> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable, end='')"]).output();
        String::from_utf8(asked.expect("python3 runs").stdout).expect("its path is text")
    })
}

/// How a target is started whose replies come within `limit`.
pub fn launcher(spec: TargetSpec, limit: Duration) -> Launcher {
    let host = env!("CARGO_BIN_EXE_tandem").into();
    Launcher { spec, host, limit, end: End::default(), stuck: |what| panic!("{what}"), diary: None }
}

/// A file of JSON.
pub fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
