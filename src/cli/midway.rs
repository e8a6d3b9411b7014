//! The campaign that was ended in the middle: how far it came is kept under `--out`, so that the same command takes it
//! up again, however it was ended.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_harness::{Checkpoint, GENERATOR_VERSION, Suite};
use tandem_isa::{Edition, Instruction};

use super::{CliError, files};

/// What a checkpoint is about: it is taken up only by the same.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct About {
    tandem: String,
    generator: u8,
    targets: Vec<String>,
    instructions: Vec<String>,
    complete: bool,
    /// What else decides which cases there are: claims, models, levels and fields.
    options: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    about: About,
    seed: u64,
    checkpoint: Checkpoint,
}

/// Where a campaign is kept while it runs.
pub(super) struct Midway {
    path: PathBuf,
    about: About,
    /// The campaign that is taken up: its seed, and how far it came.
    pub from: Option<(u64, Checkpoint)>,
}

impl Midway {
    /// Looks for a campaign under `out` that is about the same and has not come to its end.
    ///
    /// # Errors
    /// If there is one that is about something else, or its file is broken.
    pub(super) fn open(
        out: &Path,
        suite: &Suite,
        units: &[(&'static Instruction, Edition)],
        (complete, seed): (bool, Option<u64>),
        options: Vec<String>,
    ) -> Result<Self, CliError> {
        let targets = suite.isas.iter().flat_map(|isa| isa.targets.iter().map(|target| target.info.to_string()));
        let about = About {
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            generator: GENERATOR_VERSION,
            targets: targets.collect(),
            instructions: units.iter().map(|(one, edition)| format!("{} {}", one.path(), edition.name())).collect(),
            complete,
            options,
        };
        let path = out.join("campaign.json");
        let Some(text) = files::read_if_there(&path)? else { return Ok(Midway { path, about, from: None }) };
        let advice = "give the options that it had to go on with it, another --out to leave it alone, or delete the \
                      file to give it up";
        let refuse = |why: String| CliError::Usage(format!("{}: {why}; {advice}", path.display()));
        let kept: Kept = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("a campaign was ended in the middle, and cannot be read: {error}")))?;
        if kept.about != about || seed.is_some_and(|seed| seed != kept.seed) {
            let About { tandem, targets, instructions, complete, options, .. } = &kept.about;
            return Err(refuse(format!(
                "another campaign was ended in the middle: seed {}, {}, targets {}{}{}, tandem {tandem}",
                kept.seed,
                instructions.join(", "),
                targets.join(", "),
                if *complete { ", --complete" } else { "" },
                if options.is_empty() { String::new() } else { format!(", {}", options.join(" ")) },
            )));
        }
        Ok(Midway { path, about, from: Some((kept.seed, kept.checkpoint)) })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps how far the campaign is.
    pub(super) fn keep(&self, seed: u64, checkpoint: &Checkpoint) -> Result<(), CliError> {
        let kept = Kept { about: self.about.clone(), seed, checkpoint: checkpoint.clone() };
        files::replace(&self.path, &serde_json::to_string(&kept).expect("a checkpoint serializes"))
    }

    /// Forgets the campaign, because it has come to its end and its report is written.
    pub(super) fn forget(&self) -> Result<(), CliError> {
        files::remove(&self.path)
    }
}
