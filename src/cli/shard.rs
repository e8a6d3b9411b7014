//! What a shard leaves for `tandem merge`: one file with what it is about, what it came to, and a digest of both.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tandem_harness::foreign::TargetSpec;
use tandem_harness::{Checkpoint, GENERATOR_VERSION, Shard, Suite};
use tandem_isa::{Edition, Instruction};

use super::sealed::{Form, SealError, digest};
use super::{CliError, Common, exhaust, faults, files, midway};

/// The file, under `--out`.
pub(super) const FILE: &str = "shard.json";
const FORM: Form = Form { name: "tandem shard", version: 2 };
/// So much of a value is shown where two differ.
const SHOWN: usize = 160;

/// What was asked for, as far as it decides which cases there are.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub filters: Vec<String>,
    pub only: Vec<String>,
    pub hold: Vec<String>,
    pub plain: bool,
    pub wide: bool,
    pub per_cell: bool,
    /// Of a run on one machine, what else decides how far it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// What decides how far a run on one machine goes, and when a target hangs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    pub seconds: Option<String>,
    pub timeout: String,
    /// The number, and with it what else counts as enough: a digest of the list of known findings, and where vectors are.
    pub max_findings: Option<(usize, String, String)>,
}

impl Limits {
    pub(super) fn of(common: &Common) -> Self {
        let vectors = if common.no_vectors { String::new() } else { common.vectors.display().to_string() };
        let known = || std::fs::read(&common.known).map_or_else(|_| String::new(), |list| digest(&list));
        Limits {
            seconds: common.seconds.map(|seconds| seconds.to_string()),
            timeout: common.timeout.to_string(),
            max_findings: common.max_findings.map(|most| (most.get(), known(), vectors)),
        }
    }
}

/// What a shard is a part of. Shards belong together if all of it is the same.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    pub command: String,
    pub seed: Option<u64>,
    pub cases: Option<u64>,
    pub edition: Option<String>,
    pub complete: bool,
    pub asked: Asked,
    pub units: Vec<String>,
    /// Names of targets. Levels of one implementation are no part of a result, and not every machine has them all.
    pub targets: Vec<String>,
    pub models: Vec<String>,
    /// Whether differences in disputed cases are findings.
    #[serde(default)]
    pub disputed: bool,
    /// Digests of what targets are held to.
    pub claims: Vec<String>,
    /// The files of targets that are not ours, each with its digest.
    pub target_files: Vec<String>,
    pub tandem: String,
    pub generator: u8,
    /// Digest of the pages' facts and of the reference.
    pub reference: String,
    /// Digest of everything else that decides a result.
    pub sources: String,
}

/// What a shard came to.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Body {
    /// No shard: what partial targets were found to answer, before the first case.
    Learned(Checkpoint),
    Fuzz(Checkpoint),
    Exhaust(Vec<exhaust::Dealt>),
    Faults(Vec<faults::Dealt>),
}

/// What the file holds.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Left {
    pub about: About,
    /// The number of the shard, from 1 on, and how many there are.
    pub shard: (u64, u64),
    /// The levels that ran.
    pub levels: Vec<String>,
    pub body: Body,
}

impl About {
    pub(super) fn of(
        (command, asked): (&str, Asked),
        common: &Common,
        suite: &Suite,
        units: &[(&'static Instruction, Edition)],
    ) -> Self {
        let targets = || suite.isas.iter().flat_map(|isa| &isa.targets);
        let mut names: Vec<String> = targets().map(|target| target.info.name.clone()).collect();
        names.sort();
        names.dedup();
        let claims = targets().filter_map(|target| Some(digest(format!("{:?}", target.claimed()?).as_bytes())));
        About {
            command: command.to_string(),
            seed: common.seed,
            cases: common.cases,
            edition: common.edition.clone(),
            complete: common.complete,
            asked,
            units: units.iter().map(|(one, edition)| format!("{} {}", one.path(), edition.name())).collect(),
            targets: names,
            models: common.model.clone(),
            disputed: common.disputed,
            claims: claims.collect(),
            target_files: common.target.iter().flat_map(TargetSpec::files).map(|file| target_file(&file)).collect(),
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            generator: GENERATOR_VERSION,
            reference: env!("TANDEM_REFERENCE").to_string(),
            sources: env!("TANDEM_SOURCES").to_string(),
        }
    }

    /// The first thing that is not the same: its name, and what each says.
    pub(super) fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let value = |about: &Self| serde_json::to_value(about).expect("it serializes");
        difference("", &value(self), &value(other))
    }

    /// A digest of all of it.
    pub(super) fn digest(&self) -> String {
        digest(&serde_json::to_vec(self).expect("it serializes"))
    }
}

/// A file of a target, by its name and its digest: where it lies may differ from machine to machine.
fn target_file(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    // A program may be run that may not be read.
    std::fs::read(file).map_or_else(|error| format!("{name} ({error})"), |bytes| format!("{name} {}", digest(&bytes)))
}

fn difference(name: &str, one: &Value, other: &Value) -> Option<(String, String, String)> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.iter().find_map(|(key, value)| difference(key, value, other.get(key).unwrap_or(&Value::Null)))
        }
        _ if one == other => None,
        _ => Some((name.to_string(), shown(one), shown(other))),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    let short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() { format!("{short}…") } else { text }
}

/// The levels of the targets of a run.
pub(super) fn levels(suite: &Suite) -> Vec<String> {
    let levels = suite.isas.iter().flat_map(|isa| isa.targets.iter().filter_map(|target| target.info.level.clone()));
    let mut levels: Vec<String> = levels.collect();
    levels.sort();
    levels.dedup();
    levels
}

/// Writes the file.
pub(super) fn write(path: &Path, left: &Left) -> Result<(), CliError> {
    files::write(path, FORM.seal(left))
}

/// Reads such a file.
///
/// # Errors
/// If it is not there, not whole, changed, or of another version.
pub(super) fn read(path: &Path) -> Result<Left, CliError> {
    let refuse = |why: String| CliError::Usage(format!("{}: {why}", path.display()));
    let broken = |why: &dyn std::fmt::Display| {
        refuse(format!("{why}; copy it from its machine again, or delete it and run the command of this shard again"))
    };
    let text = String::from_utf8(files::read_bytes(path)?).map_err(|_| broken(&"this is no text"))?;
    let left: Left = FORM.open(&text).map_err(|error| match error {
        SealError::Other { .. } => refuse(format!("{error}; merge with the build that the shards ran")),
        _ => broken(&error),
    })?;
    if Shard::new(left.shard.0, left.shard.1).is_none() {
        return Err(broken(&format!("there is no shard {}/{}", left.shard.0, left.shard.1)));
    }
    Ok(left)
}

/// Whether a shard was brought to its end before, so that the same command has nothing left to do.
///
/// # Errors
/// If the file is there and is of something else.
pub(super) fn is_done(path: &Path, about: &About, shard: Shard) -> Result<bool, CliError> {
    if !path.exists() {
        return Ok(false);
    }
    let left = read(path)?;
    let advice = "give another --out to leave it alone, or delete the file";
    let other = |what: String| CliError::Usage(format!("{}: this is of another run: {what}; {advice}", path.display()));
    if let Some((name, there, here)) = left.about.difference(about) {
        return Err(other(format!("{name} is {there} there and {here} here")));
    }
    if left.shard != (shard.number(), shard.of()) {
        return Err(other(format!("shard {}/{} is there", left.shard.0, left.shard.1)));
    }
    Ok(true)
}

/// Says that a shard was brought to its end before.
pub(super) fn say_done(common: &Common, path: &Path, shard: Shard) {
    if common.json {
        outln!("{}", serde_json::json!({ "shard": shard.number(), "of": shard.of(), "file": path, "done": true }));
    } else {
        outln!("shard {shard} was brought to its end before: {}", path.display());
    }
}

/// Says that a shard was brought to its end, and what it came to.
pub(super) fn say(common: &Common, path: &Path, shard: Shard, counts: &[(&str, u64)]) {
    if common.json {
        let mut row = serde_json::json!({ "shard": shard.number(), "of": shard.of(), "file": path, "done": false });
        counts.iter().for_each(|&(what, count)| row[what] = count.into());
        outln!("{row}");
        return;
    }
    let counts: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    outln!("shard {shard}: {}, in {}; `tandem merge` joins all {}", counts.join(", "), path.display(), shard.of());
}

/// All shards of a run, in their order.
pub(super) struct Gathered {
    pub about: About,
    /// For each shard its directory.
    pub directories: Vec<PathBuf>,
    /// What it left.
    pub left: Vec<Left>,
}

/// What is there of the shards of a run.
pub(super) enum Found {
    All(Box<Gathered>),
    /// Some are missing: which, of how many, and what to know of directories that have none.
    Missing(Vec<u64>, u64, Vec<String>),
}

/// Reads the shards in these directories.
///
/// # Errors
/// If one cannot be read, if two are the same, or do not belong together.
pub(super) fn gather(directories: &[PathBuf]) -> Result<Found, CliError> {
    let (mut found, mut notes): (Vec<(PathBuf, Left)>, Vec<String>) = (Vec::new(), Vec::new());
    for directory in directories {
        let path = directory.join(FILE);
        if path.exists() {
            found.push((directory.clone(), read(&path)?));
        } else if directory.join(midway::FILE).exists() {
            notes.push(format!("{}: its shard was ended in the middle; the same command goes on", directory.display()));
        } else {
            notes.push(format!("{}: there is no {FILE}: no shard came to its end here", directory.display()));
        }
    }
    let Some((first, of)) = found.first().map(|(path, left)| (path.clone(), left.shard.1)) else {
        return Err(CliError::Usage(format!(
            "{}; give the directories that `tandem fuzz`, `exhaust` or `faults` wrote with --shard",
            notes.join("\n")
        )));
    };
    let together = |path: &Path, what: &str| {
        CliError::Usage(format!("{} and {} do not belong together: {what}", first.display(), path.display()))
    };
    for (path, left) in &found[1..] {
        if let Some((name, one, other)) = found[0].1.about.difference(&left.about) {
            return Err(together(path, &format!("{name} is {one} in the first, and {other} in the second")));
        }
        if left.shard.1 != of {
            return Err(together(path, &format!("the first is one of {of} shards, the second of {}", left.shard.1)));
        }
    }
    found.sort_by_key(|(_, left)| left.shard.0);
    if let Some(twice) = found.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
        let (number, [one, other]) = (twice[0].1.shard.0, [0, 1].map(|place| twice[place].0.display().to_string()));
        return Err(CliError::Usage(format!("{one} and {other} are both shard {number}/{of}: leave one of them out")));
    }
    let missing: Vec<u64> = (1..=of).filter(|number| !found.iter().any(|(_, left)| left.shard.0 == *number)).collect();
    if !missing.is_empty() {
        return Ok(Found::Missing(missing, of, notes));
    }
    let about = found[0].1.about.clone();
    let (directories, left) = found.into_iter().unzip();
    Ok(Found::All(Box::new(Gathered { about, directories, left })))
}

impl Gathered {
    /// Which levels ran in how many shards, in words.
    pub(super) fn note(&self) -> String {
        let mut levels: Vec<&String> = self.left.iter().flat_map(|left| &left.levels).collect();
        levels.sort();
        let runs = levels.chunk_by(|one, other| one == other);
        let runs: Vec<String> = runs.map(|run| format!("{} in {}", run[0], run.len())).collect();
        let levels = if runs.is_empty() { String::new() } else { format!("; levels run: {}", runs.join(", ")) };
        format!("joined from {} shards{levels}", self.left.len())
    }
}
