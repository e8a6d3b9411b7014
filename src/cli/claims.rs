//! `tandem claims`, and `--claims`: what an implementation is held to.

use std::path::Path;

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::CampaignResult;
use tandem_harness::observe::{Claims, Rules};
use tandem_isa::Instruction;

use super::{CliError, Common, Exit, files};

/// What a run leaves under `--out` of what targets were observed to refuse.
const OBSERVED: &str = "observed.toml";

/// The named models that a target is asked for: those of `--model`, else those that it is claimed to follow.
pub(super) fn models<'a>(common: &'a Common, claims: Option<&'a Claims>) -> &'a [String] {
    if common.model.is_empty() { claims.map_or(&[], |claims| &claims.models) } else { &common.model }
}

/// The claims that a target makes itself, if it makes any.
pub(super) fn of(name: &str, text: Option<&str>) -> Result<Option<Claims>, CliError> {
    let text = text.filter(|text| !text.trim().is_empty());
    let parse = |text| Claims::parse(&format!("the claims of {name}"), text, ISAS);
    text.map(parse).transpose().map_err(|error| CliError::Target(error.to_string()))
}

/// Reads a file of claims.
pub(super) fn read(path: &Path) -> Result<Claims, CliError> {
    let text = files::read(path)?;
    Claims::parse(&path.display().to_string(), &text, ISAS).map_err(|error| CliError::Usage(error.to_string()))
}

/// Leaves what was observed under `--out`, in the form of claims. It is no claim until somebody accepts it.
pub(super) fn leave_observed(out: &Path, campaign: &CampaignResult) -> Result<(), CliError> {
    let observed = campaign.units.iter().filter_map(|unit| {
        let observation = unit.observation.as_ref()?;
        // Of what nothing was answered nothing is known but that.
        Some((unit.instruction, &observation.rules))
    });
    let observed: Vec<(&'static Instruction, &Rules)> = observed.collect();
    let path = out.join(OBSERVED);
    if observed.is_empty() {
        return files::remove(&path);
    }
    let instructions: Vec<String> = observed.iter().map(|(instruction, _)| instruction.path()).collect();
    let text = format!(
        "# What was observed to be refused, of: {}. `tandem claims accept` makes claims of it.\n{}",
        instructions.join(", "),
        Claims::accepting(observed).to_toml(ISAS)
    );
    files::write(&path, &text)
}

/// Makes claims of what the last run under `--out` observed. Claims only grow: what was claimed stays claimed.
pub(super) fn accept(common: &Common) -> Result<Exit, CliError> {
    let observed = common.out.join(OBSERVED);
    let text = files::read_if_there(&observed)?.ok_or_else(|| {
        CliError::Usage(format!(
            "{}: there is nothing to accept; run `tandem fuzz --target …` with this --out first",
            observed.display()
        ))
    })?;
    let about: Vec<String> = text
        .lines()
        .next()
        .and_then(|line| line.split_once("of: "))
        .map(|(_, list)| list.split(". `").next().unwrap_or(list).split(", ").map(str::to_string).collect())
        .unwrap_or_default();
    let fresh = read(&observed)?;
    let path = common.claims.clone().unwrap_or_else(|| "claims.toml".into());
    let claims = if path.exists() {
        let earlier = read(&path)?;
        let lost = fresh.lost_since(&earlier, ISAS);
        if !lost.is_empty() {
            let lost: Vec<String> = lost.into_iter().map(|one| format!("  {one}")).collect();
            return Err(CliError::Usage(format!(
                "claims only grow, and {} promises what is refused now:\n{}\nmend the implementation, or take the promise \
                 back by hand in that file",
                path.display(),
                lost.join("\n")
            )));
        }
        fresh.beside(&earlier, &about)
    } else {
        fresh
    };
    let text = format!(
        "# What is refused. All else is claimed: to refuse it breaks a promise, and `tandem fuzz --claims` ends with 10.\n{}",
        claims.to_toml(ISAS)
    );
    files::write(&path, &text)?;
    if common.json {
        outln!("{}", json!({ "file": path, "instructions": about }));
    } else {
        outln!("{}: claims about {}", path.display(), about.join(", "));
    }
    Ok(Exit::Agree)
}
