//! `tandem merge`: what the shards of a run come to together.

use std::path::PathBuf;

use super::shard::{Found, Gathered, gather};
use super::{CliError, Common, Exit, dealt, exhaust, faults, progress};

pub(super) fn run(common: &Common, directories: &[PathBuf], no_causes: bool) -> Result<Exit, CliError> {
    progress::listen();
    let gathered = match gather(directories)? {
        Found::All(gathered) => gathered,
        Found::Missing(missing, of, notes) => {
            notes.iter().for_each(|note| eprintln!("tandem: {note}"));
            let missing: Vec<String> = missing.iter().map(|number| format!("{number}/{of}")).collect();
            eprintln!(
                "tandem: nothing is merged, because shards are missing: {}; run them with --shard, and merge again",
                missing.join(", ")
            );
            return Ok(Exit::Holes);
        }
    };
    let common = common_of(common, &gathered)?;
    match &*gathered.about.command {
        "exhaust" => exhaust::merge(&common, &gathered),
        "faults" => faults::merge(&common, &gathered),
        _ => dealt::merge(&common, &gathered, no_causes),
    }
}

/// The options of this command, with what the shards say of the run.
fn common_of(common: &Common, gathered: &Gathered) -> Result<Common, CliError> {
    let about = &gathered.about;
    let of_shards = Common {
        seed: about.seed,
        cases: about.cases,
        edition: about.edition.clone(),
        complete: about.complete,
        ..common.clone()
    };
    let is_other = (common.seed.is_some() && common.seed != about.seed)
        || (common.cases.is_some() && common.cases != about.cases)
        || (common.edition.is_some() && common.edition != about.edition)
        || (common.complete && !about.complete)
        || common.seconds.is_some();
    if is_other {
        return Err(CliError::Usage(
            "what was run stands in the shards: leave --seed, --cases, --seconds, --edition and --complete out"
                .to_string(),
        ));
    }
    Ok(of_shards)
}
