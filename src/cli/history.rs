//! `tandem diff` and `tandem trend`: reports held against each other.

use std::path::{Path, PathBuf};

use serde_json::json;
use tandem_harness::report::history::Difference;
use tandem_harness::report::{Report, html};

use super::{CliError, Common, Exit, files};

/// Reads a report, by its file or the directory that has it.
fn read(path: &Path) -> Result<Report, CliError> {
    let path = if path.is_dir() { path.join("report.json") } else { path.to_path_buf() };
    let text = files::read_if_there(&path)?.ok_or_else(|| {
        CliError::Usage(format!("there is no report at {}; `tandem fuzz` leaves one under --out", path.display()))
    })?;
    tandem_harness::report::json::parse(&text).map_err(|error| {
        CliError::Usage(format!("{}: this is no report of this version ({error}); make it anew", path.display()))
    })
}

/// Says how the second report differs from the first. What was born there is a new finding.
pub(super) fn diff(common: &Common, first: &Path, second: &Path) -> Result<Exit, CliError> {
    let [first, second] = [read(first)?, read(second)?];
    let change = Difference::of(&first.result, &second.result);
    if common.json {
        outln!("{}", json!({ "diff": change }));
    } else {
        change.lines().iter().for_each(|line| outln!("{line}"));
        let Difference { born, closed, stayed, .. } = &change;
        outln!("findings: {} born, {} closed, {} stayed", born.len(), closed.len(), stayed.len());
    }
    Ok(if change.born.is_empty() { Exit::Agree } else { Exit::NewFinding })
}

/// Writes the page of many reports, in the order in which they are given.
pub(super) fn trend(common: &Common, reports: &[PathBuf]) -> Result<Exit, CliError> {
    let read = |path: &PathBuf| {
        let name = path.strip_prefix("./").unwrap_or(path).display().to_string();
        Ok((name.trim_end_matches("/report.json").trim_end_matches('/').to_string(), read(path)?))
    };
    let reports: Vec<(String, Report)> = reports.iter().map(read).collect::<Result<_, CliError>>()?;
    let is_file = common.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    let path = if is_file { common.out.clone() } else { common.out.join("trend.html") };
    files::write(&path, html::trend(&reports))?;
    if common.json {
        outln!("{}", json!({ "reports": reports.len(), "file": path }));
    } else {
        outln!("{}: {} reports", path.display(), reports.len());
    }
    Ok(Exit::Agree)
}
