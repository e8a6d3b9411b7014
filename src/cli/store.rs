//! Findings as files: cases by value, because generators change.

use std::fs;
use std::path::Path;

use tandem_harness::vectors::{Note, Source, finding_file};
use tandem_harness::{CaseValue, Finding, IsaSuite};

use super::CliError;

/// Writes a case of a finding by value to `path`, as a file of vectors with one test. Returns false if the pages promise
/// nothing for it, so that there is nothing to record.
pub(super) fn case(
    path: &Path,
    isa: &IsaSuite,
    finding: &Finding,
    value: &CaseValue,
    met: &str,
) -> Result<bool, CliError> {
    let source = Source {
        name: "tandem".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        commit: None,
        licence: None,
        note: Some(format!("{met} of {}", finding.signature)),
    };
    let note = Note {
        what: format!("a {} difference in {}", finding.signature.kind.name(), finding.signature.place),
        detects: format!("what {} did", finding.signature.target),
    };
    let Ok(file) = finding_file(isa, value, source, "finding", note) else { return Ok(false) };
    fs::write(path, file.to_text()).map_err(CliError::io(path))?;
    Ok(true)
}
