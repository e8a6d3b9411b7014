//! `tandem merge`: what the shards of a run come to together.

use std::path::PathBuf;

use super::shard::{Found, Gathered, gather};
use super::{CliError, Common, Exit, dealt, exhaust, faults, files, progress};

pub(super) fn run(common: &Common, directories: &[PathBuf], no_causes: bool) -> Result<Exit, CliError> {
    progress::listen();
    files::try_folder(&common.out)?;
    let gathered = match gather(directories)? {
        Found::All(gathered) => gathered,
        Found::Missing(missing, of, notes) => {
            notes.iter().for_each(|note| errln!("tandem: {note}"));
            let missing: Vec<String> = missing.iter().map(|number| format!("{number}/{of}")).collect();
            errln!(
                "tandem: nothing is merged, because shards are missing: {}; run them with --shard, and merge again",
                missing.join(", ")
            );
            return Ok(Exit::Holes);
        }
    };
    let common = common_of(common, &gathered);
    match &*gathered.about.command {
        "exhaust" => exhaust::merge(&common, &gathered),
        "faults" => faults::merge(&common, &gathered),
        _ => dealt::merge(&common, &gathered, no_causes),
    }
}

/// The options of this command, with what the shards say of the run.
fn common_of(common: &Common, gathered: &Gathered) -> Common {
    let about = &gathered.about;
    let (seed, cases, edition) = (about.seed, about.cases, about.edition.clone());
    Common { seed, cases, edition, complete: about.complete, ..common.clone() }
}
