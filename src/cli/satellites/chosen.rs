//! The files that are exported for somebody's machine, with the tests that were chosen of each.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use tandem_cases::ISAS;
use tandem_harness::Suite;
use tandem_harness::vectors::{Manifest, Selection, Store, VectorError, VectorFile, read_file, select as choose};
use tandem_isa::Instruction;

use crate::cli::args::Export;
use crate::cli::{CliError, Common, export, files, profiles, select};

/// The instruction sets that a format is for.
pub(super) struct Sets<'a> {
    pub format: &'a str,
    pub has: &'a dyn Fn(&str) -> bool,
    /// Their names, for a message.
    pub named: &'a str,
}

/// What was chosen of a file.
pub(super) struct Chosen {
    pub path: PathBuf,
    pub file: VectorFile,
    pub selection: Selection,
}

impl Chosen {
    /// The name of its file.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_stem().unwrap_or(self.path.as_os_str()).to_string_lossy()
    }

    /// Writes down which of its tests were exported, if that was asked for: in a file, or in one of a folder if there are several.
    pub fn write_manifest(&self, asked: &Export, exported: &VectorFile, is_alone: bool) -> Result<(), CliError> {
        let Some(manifest) = &asked.manifest else { return Ok(()) };
        let several = manifest.join(self.file.isa.name).join(format!("{}.json", self.name()));
        let to = if is_alone { manifest } else { &several };
        files::write(to, Manifest::of(&self.path.display().to_string(), exported, &self.selection).to_text())
    }
}

/// The files that were asked for, by path or by instruction, with the tests that were chosen of each.
pub(super) fn chosen(common: &Common, asked: &Export, suite: &Suite, sets: &Sets<'_>) -> Result<Vec<Chosen>, CliError> {
    let (paths, filters): (Vec<&PathBuf>, Vec<&PathBuf>) = asked.file.iter().partition(|one| one.is_file());
    let mut whole = Vec::new();
    for path in paths {
        whole.push((path.clone(), read_file(ISAS, path)?));
    }
    if !filters.is_empty() || whole.is_empty() {
        let filters: Vec<String> = filters.iter().map(|filter| filter.display().to_string()).collect();
        let wanted = select::instructions(suite, &filters)?;
        let is_wanted =
            |one: &Instruction| (sets.has)(one.isa) && wanted.iter().any(|known| std::ptr::eq(known.facts, one.facts));
        whole.extend(Store::load_of(ISAS, &common.vectors, &is_wanted)?.files);
    }
    let mut chosen = Vec::new();
    for (path, file) in whole {
        let name = path.display().to_string();
        if !(sets.has)(file.isa.name) {
            let (isa, Sets { format, named, .. }) = (file.isa.name, sets);
            return Err(CliError::Usage(format!("{name} is of {isa}; format {format} is for {named}")));
        }
        if let Some(profile) = &asked.profile
            && profiles::named(profile)?.levels(file.instruction).is_empty()
        {
            continue;
        }
        let selection = export::selection(common, asked, &file, &name)?;
        let tests = choose(&file, &selection, &BTreeMap::new());
        if tests.is_empty() {
            continue;
        }
        chosen.push(Chosen { path, file: tests, selection });
    }
    if chosen.is_empty() {
        let named: Vec<String> = asked.file.iter().map(|file| file.display().to_string()).collect();
        return Err(VectorError::NoVectors { file: named.join(" ") }.into());
    }
    Ok(chosen)
}
