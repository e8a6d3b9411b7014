//! Which instructions, editions and targets a command is about.

use std::collections::BTreeSet;

use tandem_cases::ISAS;
use tandem_harness::observe::{Lens, Narrow, View};
use tandem_harness::{Suite, TargetFactory};
use tandem_isa::{Edition, Instruction};
use tandem_simd::Level;

use super::fuzz::Wanted;
use super::{CliError, Common, claims, foreign};
use crate::nearest;
use crate::wiring;

/// The suite with the targets that were asked for.
pub(super) fn suite(common: &Common) -> Result<Suite, CliError> {
    let mut suite = wiring::suite();
    if common.targets.is_empty() && common.target.is_empty() {
        return Ok(suite);
    }
    for wanted in &common.targets {
        if !suite.isas.iter().flat_map(|isa| &isa.targets).any(|target| is(target, wanted)) {
            return Err(CliError::Target(unavailable(&suite, wanted)));
        }
    }
    for isa in &mut suite.isas {
        isa.targets.retain(|target| common.targets.iter().any(|wanted| is(target, wanted)));
    }
    let claimed = common.claims.as_deref().map(claims::read).transpose()?;
    foreign::add(common, claimed.as_ref(), &mut suite)?;
    // Ours follow the pages, whatever others say.
    Ok(if common.target.is_empty() || common.disputed { suite } else { suite.with_disputes() })
}

fn is(target: &TargetFactory, wanted: &str) -> bool {
    target.info.to_string() == wanted || target.info.name == wanted || target.info.level.as_deref() == Some(wanted)
}

fn unavailable(suite: &Suite, wanted: &str) -> String {
    let known: Vec<String> =
        suite.isas.iter().flat_map(|isa| isa.targets.iter().map(|target| target.info.to_string())).collect();
    let level = wanted.strip_prefix("simd:").unwrap_or(wanted);
    if Level::absent().contains(&level) {
        format!("target '{wanted}' is unavailable: this CPU lacks {level}; there are: {}", known.join(", "))
    } else {
        let mut known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
        known.extend(suite.isas.iter().flat_map(|isa| &isa.targets).map(|target| &*target.info.name));
        format!("there is no target '{wanted}'{}", nearest::or_all(wanted, &Vec::from_iter(known)))
    }
}

/// The levels that did not run: those that the CPU lacks, and those that were not asked for.
pub(super) fn levels_not_run(suite: &Suite) -> Vec<String> {
    let ran = |name: &str| {
        suite.isas.iter().flat_map(|isa| &isa.targets).any(|target| target.info.level.as_deref() == Some(name))
    };
    Level::NAMES.into_iter().filter(|name| !ran(name)).map(str::to_string).collect()
}

/// The edition that was asked for. Somebody else's implementation is held against the newest, if nothing is said.
pub(super) fn edition(common: &Common) -> Result<Option<Edition>, CliError> {
    let Some(name) = &common.edition else { return Ok((!common.target.is_empty()).then_some(Edition::Newest)) };
    Edition::named(name).map(Some).ok_or_else(|| {
        CliError::Usage(format!("there is no edition '{name}'{}", nearest::or_all(name, &["spec", "newest"])))
    })
}

/// The editions of an instruction to run, in the order of reports: what was asked for, or all that differ.
pub(super) fn editions(common: &Common, instruction: &Instruction) -> Result<Vec<Edition>, CliError> {
    Ok(edition(common)?.map_or_else(|| instruction.editions().to_vec(), |edition| vec![edition]))
}

/// The instructions that the filters select; all if there is no filter. With somebody else's implementation, those that
/// a target implements.
pub(super) fn instructions(suite: &Suite, filters: &[String]) -> Result<Vec<&'static Instruction>, CliError> {
    let all: Vec<_> = suite.instructions().map(|(_, instruction)| instruction).collect();
    let matches = |filter: &str, instruction: &Instruction| {
        let filter = filter.trim_end_matches('/').to_ascii_lowercase();
        let path = instruction.path();
        path == filter || instruction.isa == filter || instruction.file == filter
    };
    for filter in filters {
        if !all.iter().any(|instruction| matches(filter, instruction)) {
            return Err(CliError::Usage(format!("the filter '{filter}' selects nothing{}", meant(filter, &all))));
        }
    }
    let chosen: Vec<_> = all
        .into_iter()
        .filter(|instruction| filters.is_empty() || filters.iter().any(|filter| matches(filter, instruction)))
        .filter(|instruction| is_implemented(suite, instruction))
        .collect();
    if chosen.is_empty() {
        return Err(CliError::Target("the targets of this run implement nothing of what was selected".to_string()));
    }
    Ok(chosen)
}

/// What to say behind a filter that selects nothing: what it is like, and how to see all paths.
fn meant(filter: &str, all: &[&Instruction]) -> String {
    let paths: Vec<String> = all.iter().map(|instruction| instruction.path()).collect();
    // A filter may be a path, an instruction set or an instruction; it is held against all of them.
    let mut names: Vec<&str> = paths.iter().map(String::as_str).collect();
    names.extend(all.iter().flat_map(|instruction| [instruction.isa, instruction.file]));
    let did_you_mean = nearest::nearest(filter, &names).map(|name| format!("; did you mean '{name}'?"));
    format!("{} `tandem list` prints all", did_you_mean.unwrap_or_else(|| ";".to_string()))
}

/// Whether a target of the run implements an instruction, if it has somebody else's implementation.
fn is_implemented(suite: &Suite, instruction: &'static Instruction) -> bool {
    let foreign = suite.isas.iter().flat_map(|isa| &isa.targets).any(TargetFactory::is_foreign);
    let targets = suite.isa(instruction.isa).map_or(&[][..], |isa| &isa.targets);
    !foreign || targets.iter().any(|target| target.implements(instruction))
}

/// Every selected instruction in every selected edition.
pub(super) fn units(
    suite: &Suite,
    common: &Common,
    filters: &[String],
) -> Result<Vec<(&'static Instruction, Edition)>, CliError> {
    let mut units = Vec::new();
    for instruction in instructions(suite, filters)? {
        units.extend(editions(common, instruction)?.into_iter().map(|edition| (instruction, edition)));
    }
    Ok(units)
}

/// The cells of an instruction that have all of the given levels, each as `axis=level`.
pub(super) fn cells(instruction: &Instruction, edition: Edition, only: &[String]) -> Result<Vec<u32>, CliError> {
    let space = (instruction.cells)(edition);
    let mut wanted = Vec::new();
    for item in only {
        let (name, level) = item.split_once('=').unwrap_or((item, ""));
        let Some(axis) = space.axes.iter().position(|axis| axis.name == name) else {
            let names: Vec<_> = space.axes.iter().map(|axis| axis.name).collect();
            let meant = nearest::or_all(name, &names);
            return Err(CliError::Usage(format!("{} has no axis '{name}'{meant}", instruction.path())));
        };
        let levels = space.axes[axis].levels;
        let Some(level) = levels.iter().position(|known| *known == level) else {
            let meant = nearest::or_all(level, levels);
            return Err(CliError::Usage(format!(
                "axis '{name}' of {} has no level '{level}'{meant}",
                instruction.path()
            )));
        };
        wanted.push((axis, level));
    }
    let all = (0..).take(space.len());
    let has = |cell: u32| wanted.iter().all(|&(axis, level)| usize::from(space.levels(cell as usize)[axis]) == level);
    Ok(all.filter(|&cell| has(cell)).collect())
}

/// What each unit is narrowed to by `--only`, `--hold` and `--plain`.
pub(super) fn narrow(units: &[(&'static Instruction, Edition)], wanted: &Wanted<'_>) -> Result<Vec<Narrow>, CliError> {
    let isa_of = |instruction: &Instruction| ISAS.iter().find(|isa| isa.name == instruction.isa).copied();
    let narrow = units.iter().map(|&(instruction, edition)| {
        let isa = isa_of(instruction).expect("the instruction is of a set");
        let view = View::new(isa, instruction, edition);
        let mut narrow = Narrow { plain: wanted.plain, ..Narrow::default() };
        let is_axis = |lens: &Lens| matches!(lens, Lens::Path(_) | Lens::Axis(_));
        for (items, axes) in [(wanted.only, true), (wanted.hold, false)] {
            for item in items {
                let (name, value) = item.split_once('=').unwrap_or((item, ""));
                let known: Vec<Lens> = view.lenses().into_iter().filter(|lens| is_axis(lens) == axes).collect();
                let Some(&lens) = known.iter().find(|&&lens| view.name(lens).eq_ignore_ascii_case(name)) else {
                    let what = if axes { "axis" } else { "field" };
                    let names = known.iter().map(|&lens| view.name(lens));
                    let near: Vec<String> = names
                        .filter(|known| known.to_ascii_lowercase().contains(&name.to_ascii_lowercase()))
                        .take(6)
                        .collect();
                    let near =
                        if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
                    let help = format!(
                        "`tandem describe {}` lists what there is; a filter leaves other instructions out",
                        isa.name
                    );
                    return Err(CliError::Usage(format!("{} has no {what} '{name}'{near} {help}", instruction.path())));
                };
                let value = view.value_of(lens, value).map_err(CliError::Usage)?;
                if let Lens::Path(axis) = lens {
                    let has = |cell: &u32| u32::from(view.cells.levels(*cell as usize)[axis]) == value;
                    let before = narrow.cells.take().unwrap_or_else(|| (0..).take(view.cells.len()).collect());
                    narrow.cells = Some(before.into_iter().filter(has).collect());
                } else {
                    narrow.pins.push((lens, value));
                }
            }
        }
        if narrow.cells.as_ref().is_some_and(Vec::is_empty) {
            return Err(CliError::Usage(format!("no cell of {} has all of these levels", instruction.path())));
        }
        Ok(narrow)
    });
    let narrow = narrow.collect::<Result<Vec<_>, _>>()?;
    Ok(if narrow.iter().all(Narrow::is_all) { Vec::new() } else { narrow })
}
