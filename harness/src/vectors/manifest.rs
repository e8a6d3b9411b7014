//! What was exported to be run elsewhere: which tests, of which file, chosen how. Judging the answers against it shows
//! which are missing.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::VectorError;
use super::model::VectorFile;
use super::select::Selection;

/// What a manifest begins with.
const SCHEMA: &str = "urn:tandem:manifest:1";
/// The most bytes of a manifest that are read.
const MAX_BYTES: u64 = 16 << 20;

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    schema: String,
    /// The version that exported it.
    tandem: String,
    /// The file that it was chosen from.
    file: String,
    /// The digest of what was chosen, as a file of vectors.
    digest: String,
    /// The instruction, as `<instruction set>/<file name>`.
    instruction: String,
    /// How it was chosen.
    options: Vec<String>,
    /// The ids of the tests.
    tests: Vec<String>,
}

impl Manifest {
    /// The manifest of what `selection` chose from a file.
    #[must_use]
    pub fn of(file: &str, chosen: &VectorFile, selection: &Selection) -> Self {
        let Selection { edition, cells, levels, classes, profile, flags, without_flags, hardware, per_cell, first } =
            selection;
        let mut options = Vec::new();
        options.extend(edition.map(|edition| format!("edition={}", edition.name())));
        options.extend(cells.iter().map(|cell| format!("cell={cell}")));
        options.extend(levels.iter().map(|level| format!("cell={level}")));
        options.extend(classes.iter().map(|class| format!("class={class}")));
        options.extend(profile.iter().map(|listed| format!("profile={}", listed.profile)));
        options.extend(flags.iter().map(|flag| format!("flag={flag}")));
        options.extend(without_flags.iter().map(|flag| format!("without-flag={flag}")));
        options.extend(hardware.then(|| "hardware".to_string()));
        options.extend(per_cell.map(|count| format!("per-cell={count}")));
        options.extend(first.map(|count| format!("first={count}")));
        Manifest {
            schema: SCHEMA.to_string(),
            tandem: env!("CARGO_PKG_VERSION").to_string(),
            file: file.to_string(),
            digest: chosen.digest(),
            instruction: chosen.instruction.path(),
            options,
            tests: chosen.tests().map(|(_, test)| test.id(chosen.isa, chosen.instruction)).collect(),
        }
    }

    /// The ids of the tests that were exported.
    #[must_use]
    pub fn tests(&self) -> &[String] {
        &self.tests
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest serializes");
        text.push('\n');
        text
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// That it cannot be read or is none, where, and what to do.
    pub fn read(path: &Path) -> Result<Self, VectorError> {
        let file = path.display().to_string();
        let text = super::read::read_bytes(path, &file, MAX_BYTES)?;
        let refuse = |line: usize, message: String| VectorError::Manifest { file: file.clone(), line, message };
        let manifest: Manifest =
            serde_json::from_slice(&text).map_err(|error| refuse(error.line(), error.to_string()))?;
        if manifest.schema != SCHEMA {
            return Err(refuse(1, format!("its \"schema\" is not '{SCHEMA}'")));
        }
        let mut ids = BTreeSet::new();
        if let Some(twice) = manifest.tests.iter().find(|id| !ids.insert(*id)) {
            return Err(refuse(1, format!("the test '{twice}' stands there twice")));
        }
        if manifest.tests.is_empty() {
            return Err(refuse(1, "it names no test".to_string()));
        }
        Ok(manifest)
    }
}
