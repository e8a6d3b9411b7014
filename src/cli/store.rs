//! Findings as files: cases by value, because generators change.

use std::collections::BTreeMap;
use std::path::Path;

use tandem_harness::vectors::{About, Note, Source, finding_file};
use tandem_harness::{CaseValue, Finding, IsaSuite, ProgramFinding, Signature};

use super::{CliError, files};

/// A case of a finding that is to be stored.
pub(super) struct Stored<'a> {
    /// The case.
    pub value: &'a CaseValue,
    /// The cases that run before it, the earliest first, where order matters.
    pub after: &'a [CaseValue],
    /// Whether it shows the finding when it runs by value.
    pub shows: bool,
    /// Where it was met, in words.
    pub met: &'a str,
    /// The words of the command line by which the run got its targets.
    pub options: &'a [String],
}

/// Writes a case of a finding by value to `path`, as a file of vectors with one test. Returns false if it lies in no
/// cell, so that no file can hold it.
pub(super) fn case(path: &Path, isa: &IsaSuite, finding: &Finding, stored: &Stored<'_>) -> Result<bool, CliError> {
    let about = About::of(finding, stored.after, stored.shows, stored.options);
    about_case(path, isa, &about, stored)
}

/// Writes a program of a finding by value to `path`, in the same way.
pub(super) fn program(
    path: &Path,
    isa: &IsaSuite,
    finding: &ProgramFinding,
    value: &CaseValue,
    options: &[String],
) -> Result<bool, CliError> {
    let Signature { target, place, kind, .. } = finding.signature.clone();
    let (classes, bits, rules, after) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
    let about = About { target, place, kind, shows: true, options: options.to_vec(), classes, bits, rules, after };
    let drawn = if finding.by_rules { ", drawn by what the target answers" } else { "" };
    let met = format!("met in program {}{drawn}, smallest program", finding.first);
    about_case(path, isa, &about, &Stored { value, after: &[], shows: true, met: &met, options })
}

/// Writes a case as one that a stored finding is about.
pub(super) fn about_case(path: &Path, isa: &IsaSuite, about: &About, stored: &Stored<'_>) -> Result<bool, CliError> {
    let value = stored.value;
    let signature = about.signature(value.instruction);
    let source = Source {
        name: "tandem".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        commit: None,
        licence: None,
        note: Some(format!("{} of {signature}", stored.met)),
    };
    let note = Note {
        what: format!("a {} difference in {}", signature.kind.name(), signature.place),
        detects: format!("what {} did", signature.target),
    };
    let Ok(file) = finding_file(isa, value, source, ("finding", note), Some(about.clone())) else { return Ok(false) };
    files::write(path, file.to_text())?;
    Ok(true)
}
