//! `tandem profiles`.

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::vectors::{Entry, Listed, Profile};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit};
use crate::nearest;
use crate::wiring;

pub(super) fn run(common: &Common, wanted: Option<&str>) -> Result<Exit, CliError> {
    let profiles = match wanted {
        Some(name) => vec![named(name)?],
        None => wiring::profiles(),
    };
    if common.json {
        outln!("{}", json!({ "profiles": profiles.iter().map(profile_json).collect::<Vec<_>>() }));
        return Ok(Exit::Agree);
    }
    for profile in &profiles {
        let Profile { about, covers_not, repository, commit, entries, .. } = profile;
        outln!("{}: {about}", profile.id());
        outln!("  {} entries of {} instructions", entries.len(), profile.num_instructions());
        outln!("  from {repository} at {commit}");
        covers_not.iter().for_each(|what| outln!("  does not cover {what}"));
    }
    if let (Some(_), [profile]) = (wanted, &profiles[..]) {
        for entry in &profile.entries {
            let Entry { instruction, levels, path, line } = entry;
            let (levels, cells) = (levels.join(" "), cells(entry));
            outln!("  {instruction} {levels}: {cells} cells, {path} line {line}");
        }
    }
    Ok(Exit::Agree)
}

/// The profile of a name, with its version or the newest.
pub(super) fn named(wanted: &str) -> Result<Profile, CliError> {
    let mut profiles = wiring::profiles();
    let is_meant = |profile: &Profile| profile.id() == wanted || profile.name == wanted;
    let Some(place) = profiles.iter().rposition(is_meant) else {
        let ids: Vec<String> = profiles.iter().map(Profile::id).collect();
        let meant = nearest::or_all(wanted, &ids.iter().map(String::as_str).collect::<Vec<_>>());
        return Err(CliError::Usage(format!("there is no profile '{wanted}'{meant}")));
    };
    Ok(profiles.swap_remove(place))
}

/// What the profile of a name lists of an instruction, which is something.
pub(super) fn listed(wanted: &str, instruction: &Instruction) -> Result<Listed, CliError> {
    let profile = named(wanted)?;
    let (id, entries) = (profile.id(), profile.levels(instruction));
    if entries.is_empty() {
        let path = instruction.path();
        let message = format!("profile {id} has no entry of {path}; `tandem profiles {id}` lists what it has");
        return Err(CliError::Usage(message));
    }
    Ok(Listed { profile: id, entries })
}

/// How many cells an entry has in the newest edition.
fn cells(entry: &Entry) -> usize {
    let mut instructions = ISAS.iter().flat_map(|isa| isa.instructions);
    let instruction = instructions.find(|one| one.path() == entry.instruction);
    instruction.map_or(0, |instruction| entry.cells(instruction, Edition::Newest).count())
}

fn profile_json(profile: &Profile) -> Value {
    let mut value = json!(profile);
    value["id"] = json!(profile.id());
    for (entry, shown) in profile.entries.iter().zip(value["entries"].as_array_mut().into_iter().flatten()) {
        shown["cells"] = json!(cells(entry));
    }
    value
}
