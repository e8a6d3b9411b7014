//! The campaign that was ended in the middle: how far it came is kept under `--out`, so that the same command takes it
//! up again, however it was ended.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_harness::{Checkpoint, Shard, Suite};

use super::sealed::Form;
use super::shard::{self, About};
use super::{CliError, files};

/// The file, under `--out`.
pub(super) const FILE: &str = "campaign.json";
const FORM: Form = Form { name: "tandem campaign", version: 2 };

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// What it is about, its seed apart: it is taken up only by the same.
    about: About,
    shard: Option<String>,
    /// The levels that run.
    levels: Vec<String>,
    seed: u64,
    checkpoint: Checkpoint,
}

/// Where a campaign is kept while it runs.
pub(super) struct Midway {
    path: PathBuf,
    about: About,
    shard: Option<String>,
    levels: Vec<String>,
    /// The campaign that is taken up: its seed, and how far it came.
    pub from: Option<(u64, Checkpoint)>,
}

impl Midway {
    /// Looks for a campaign under `out` that is about the same and has not come to its end. Whoever names no seed goes on
    /// with that of the campaign.
    ///
    /// # Errors
    /// If there is one that is about something else, or its file is broken.
    pub(super) fn open(out: &Path, suite: &Suite, about: &About, shard: Option<Shard>) -> Result<Self, CliError> {
        let seed = about.seed;
        let (path, about) = (out.join(FILE), About { seed: None, ..about.clone() });
        let (shard, levels) = (shard.map(|shard| shard.to_string()), shard::levels(suite));
        let mut midway = Midway { path, about, shard, levels, from: None };
        let Some(bytes) = files::read_bytes_if_there(&midway.path)? else { return Ok(midway) };
        let path = midway.path.display();
        let anew = "another --out to leave it alone, or delete the file to begin anew";
        let read = String::from_utf8(bytes).map_err(|error| error.to_string());
        let read = read.and_then(|text| FORM.open::<Kept>(&text).map_err(|error| error.to_string()));
        let kept = read.map_err(|why| {
            CliError::Usage(format!(
                "{path}: a campaign was ended in the middle, and cannot be read: {why}; give {anew}"
            ))
        })?;
        if let Some((name, there, here)) = midway.difference(&kept, seed) {
            return Err(CliError::Usage(format!(
                "{path}: another campaign was ended in the middle, seed {}: {name} is {there} there and {here} here; give \
                 the options that it had to go on with it, {anew}",
                kept.seed
            )));
        }
        midway.from = Some((kept.seed, kept.checkpoint));
        Ok(midway)
    }

    /// The first thing in which a campaign that was kept is not this one: its name, and what it is there and here.
    fn difference(&self, kept: &Kept, seed: Option<u64>) -> Option<(String, String, String)> {
        let differs =
            |name: &str, there: String, here: String| (there != here).then(|| (name.to_string(), there, here));
        let text = |shard: &Option<String>| shard.clone().unwrap_or_else(|| "all".to_string());
        differs("seed", kept.seed.to_string(), seed.unwrap_or(kept.seed).to_string())
            .or_else(|| differs("shard", text(&kept.shard), text(&self.shard)))
            .or_else(|| kept.about.difference(&self.about))
            .or_else(|| differs("levels", kept.levels.join(", "), self.levels.join(", ")))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps how far the campaign is.
    pub(super) fn keep(&self, seed: u64, checkpoint: &Checkpoint) -> Result<(), CliError> {
        let Midway { about, shard, levels, .. } = self;
        let (about, shard, levels) = (about.clone(), shard.clone(), levels.clone());
        files::write(&self.path, FORM.seal(&Kept { about, shard, levels, seed, checkpoint: checkpoint.clone() }))
    }

    /// Forgets the campaign, because it has come to its end and its report is written.
    pub(super) fn forget(&self) -> Result<(), CliError> {
        files::remove(&self.path)
    }
}
