//! Profiles: versioned lists of cells that somebody cares for, with the source of each entry.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tandem_isa::{Edition, Instruction, Isa};

use super::select::has_level;

/// A list of cells.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is called, without its version.
    pub name: String,
    /// Its version, from 1.
    pub version: u32,
    /// What its cells have in common.
    pub about: String,
    /// What one could expect of it and does not get.
    pub covers_not: Vec<String>,
    /// The repository that entries were read in.
    pub repository: String,
    /// Its commit.
    pub commit: String,
    /// The entries.
    #[serde(rename(deserialize = "entry"))]
    pub entries: Vec<Entry>,
}

/// The cells of one instruction that have some levels.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The instruction, as `<instruction set>/<file name>`.
    pub instruction: String,
    /// Levels of data-path axes, each as `axis=level`.
    pub levels: Vec<String>,
    /// The file of the repository in which it is used.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

impl Entry {
    /// The cells of an instruction that have all of the levels, in an edition; none if it has other axes.
    pub fn cells(&self, instruction: &Instruction, edition: Edition) -> impl Iterator<Item = u32> {
        let space = (instruction.cells)(edition);
        let has = |cell: &u32| {
            let levels = space.levels(*cell as usize);
            self.levels.iter().all(|wanted| has_level(space.axes, levels, wanted))
        };
        (0..).take(space.len()).filter(has)
    }
}

impl Profile {
    /// Reads a profile, and asks that each entry has a cell of one of the instruction sets.
    ///
    /// # Errors
    /// What is wrong, with the entry, counted from 1.
    pub fn read(isas: &[&'static Isa], text: &str) -> Result<Self, String> {
        let profile: Profile = toml::from_str(text).map_err(|error| error.to_string())?;
        for (number, entry) in profile.entries.iter().enumerate() {
            let Entry { instruction, levels, .. } = entry;
            let known = isas.iter().flat_map(|isa| isa.instructions).find(|one| one.path() == *instruction);
            let known = known.ok_or_else(|| format!("entry {}: there is no {instruction}", number + 1))?;
            if entry.cells(known, Edition::Newest).next().is_none() {
                return Err(format!("entry {}: {instruction} has no cell with {}", number + 1, levels.join(" ")));
            }
        }
        Ok(profile)
    }

    /// Name and version, as `--profile` takes it.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}-v{}", self.name, self.version)
    }

    /// The levels of each entry of an instruction.
    #[must_use]
    pub fn levels(&self, instruction: &Instruction) -> Vec<Vec<String>> {
        self.of(instruction).map(|entry| entry.levels.clone()).collect()
    }

    /// The cells of an instruction that are listed, in an edition.
    #[must_use]
    pub fn cells(&self, instruction: &Instruction, edition: Edition) -> BTreeSet<u32> {
        self.of(instruction).flat_map(|entry| entry.cells(instruction, edition)).collect()
    }

    /// How many instructions it has entries of.
    #[must_use]
    pub fn num_instructions(&self) -> usize {
        self.entries.iter().map(|entry| &entry.instruction).collect::<BTreeSet<_>>().len()
    }

    fn of(&self, instruction: &Instruction) -> impl Iterator<Item = &Entry> {
        let path = instruction.path();
        self.entries.iter().filter(move |entry| entry.instruction == path)
    }
}
