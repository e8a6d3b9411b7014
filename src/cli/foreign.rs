//! `--target`: implementations that are not ours.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tandem_harness::foreign::{Connected, Foreign, Launcher, Models, StartError, TargetSpec, host_library};
use tandem_harness::observe::Claims;
use tandem_harness::{Suite, TargetFactory};
use tandem_isa::{Isa, Target, TargetInfo};

use super::{CliError, Common, Exit, claims, progress, supervision};
use crate::nearest;

/// Starts the targets that were asked for, and adds them to the instruction sets that they know. They are held to `claimed`,
/// which is what `--claims` says, or to the claims that they make themselves.
pub(super) fn add(common: &Common, claimed: Option<&Claims>, suite: &mut Suite) -> Result<(), CliError> {
    if common.target.is_empty() {
        return Ok(());
    }
    // Before anything is started.
    for isa in &suite.isas {
        models(isa.isa, claims::models(common, claimed))?;
    }
    let is_in_process = |spec: &&TargetSpec| matches!(spec, TargetSpec::InProcess(_));
    let diary = match common.target.iter().find(is_in_process) {
        Some(spec) => supervision::look_after(&spec.to_string())?,
        None => None,
    };
    if let Some(seconds) = common.seconds {
        progress::cut_after(seconds);
    }
    // The host of libraries is this program.
    let host = std::env::current_exe().map_err(CliError::io("tandem"))?;
    let mut names = vec!["reference".to_string()];
    names.extend(suite.isas.iter().flat_map(|isa| &isa.targets).map(|target| target.info.name.clone()));
    names.dedup();
    for spec in &common.target {
        let limit = Duration::from_secs_f64(common.timeout);
        let (host, end) = (host.clone(), progress::end().clone());
        let launcher = Launcher { spec: spec.clone(), host, limit, end, stuck, diary: diary.clone() };
        let name = add_one(&launcher, common, claimed, suite)?;
        if names.contains(&name) {
            let why = "another target of this run has this name; have it call itself something else";
            return Err(CliError::Target(format!("target '{spec}' calls itself '{name}': {why}")));
        }
        names.push(name);
    }
    Ok(())
}

/// Ends the run, because a library in our own process hangs. What was found is kept under `--out`.
fn stuck(what: &str) {
    errln!(
        "tandem: {what}, and cannot be ended, because it runs in this process; the same command with lib: \
         goes on where this one was, and names the case"
    );
    supervision::mark(Exit::Target as u8);
    std::process::exit(Exit::Target as i32);
}

/// A choice that does not exist: what there is, and what is most like it.
fn unknown_model(isa: &Isa, models: &[String], known: &str) -> CliError {
    let pairs = isa.models.iter().flat_map(|model| model.values.iter().map(|value| format!("{}={value}", model.name)));
    let pairs: Vec<String> = pairs.chain(["all".to_string()]).collect();
    let wrong = models.iter().find(|choice| !pairs.iter().any(|pair| pair.eq_ignore_ascii_case(choice)));
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    let meant = wrong.and_then(|wrong| nearest::nearest(wrong, &pairs)).map(|name| format!("did you mean '{name}'? "));
    let (models, meant) = (models.join(","), meant.unwrap_or_default());
    CliError::Usage(format!("--model {models}: there is no such model; {meant}{known}, or all"))
}

/// The models that a target is asked for: the named ones, and the first value of every other one.
pub(super) fn models(isa: &Isa, choices: &[String]) -> Result<Models, CliError> {
    // Choices are for the instruction sets that have any.
    let named = choices.iter().map(|choice| &**choice).filter(|_| !isa.models.is_empty());
    Models::choose(isa, named).map_err(|known| unknown_model(isa, choices, &known))
}

/// Starts a target for each instruction set, and gives its name.
fn add_one(
    launcher: &Launcher,
    common: &Common,
    claimed: Option<&Claims>,
    suite: &mut Suite,
) -> Result<String, CliError> {
    let spec = &launcher.spec;
    let mut found = None;
    for isa in &mut suite.isas {
        let connected = launcher.connect(isa.isa).map_err(|error| unusable(spec, &error))?;
        if let Some(connected) = connected.filter(|connected| connected.implemented.contains(&true)) {
            found = Some(connected.name.clone());
            let claims = match claimed {
                Some(claimed) => Some(claimed.clone()),
                None => claims::of(&connected.name, connected.claims.as_deref())?,
            };
            let models = models(isa.isa, claims::models(common, claims.as_ref()))?;
            let claims = claims.map(|claims| Arc::new(claims.following(&models, isa.isa)));
            let factory = factory(launcher, models, isa.isa, connected);
            isa.targets.push(match claims {
                Some(claims) => factory.claiming(claims),
                None => factory,
            });
        }
    }
    found.ok_or_else(|| {
        let known: Vec<_> = suite.isas.iter().map(|isa| isa.isa.name).collect();
        CliError::Target(format!(
            "target '{spec}' starts, but implements nothing of any instruction set; there are: {}",
            known.join(", ")
        ))
    })
}

fn factory(launcher: &Launcher, models: Models, isa: &'static Isa, connected: Connected) -> TargetFactory {
    let Connected { name, implemented, claims, max_steps, border } = connected;
    let info = TargetInfo { name, level: None };
    let first = Mutex::new(Some(border));
    let (launcher, make_info, list) = (launcher.clone(), info.clone(), implemented.clone());
    let (said, asked) = (claims.clone(), models.clone());
    let factory = TargetFactory::foreign(info, &implemented, move || {
        // The instance that was asked who it is works on; each further one is started when it is needed.
        let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let border = first.unwrap_or_else(|| launcher.connect_again(isa, &make_info.name, &list));
        let border = models.clone().before(border, isa.layout);
        let foreign = Foreign::new(make_info.clone(), isa, list.clone(), border);
        Box::new(foreign.with_claims(said.clone()).with_max_steps(max_steps)) as Box<dyn Target>
    });
    factory.with_claims(claims).with_models(asked)
}

fn unusable(spec: &TargetSpec, error: &StartError) -> CliError {
    let next = match spec {
        TargetSpec::Command(_) => "run the command by hand: the first that it writes must be its greeting",
        TargetSpec::Library(_) | TargetSpec::InProcess(_) => {
            "check the path, and that the library was built for this machine with harness/include/tandem.h"
        }
    };
    CliError::Target(format!("target '{spec}' cannot be used: {error}; {next}"))
}

/// Serves a library to the process that started us.
pub(super) fn host(path: &Path) -> Result<Exit, CliError> {
    host_library(path).map_err(|error| CliError::Target(error.to_string()))?;
    Ok(Exit::Agree)
}
