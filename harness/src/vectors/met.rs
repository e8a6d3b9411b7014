//! What targets did wrong in recorded vectors, gathered by signature like the findings of a campaign.

use std::collections::BTreeMap;

use super::model::VectorFile;
use super::replay::{Run, Subject, Verdict};
use crate::{CaseId, Finding, IsaSuite, Sighting, Signature};

/// Divergences of targets from recorded vectors, by signature.
#[derive(Clone, Debug, Default)]
pub struct Divergences {
    /// A finding each: its first case is the first test that showed it, and its stored one the smallest.
    pub findings: BTreeMap<Signature, Finding>,
    /// Tests that showed it, by file and id.
    pub tests: BTreeMap<Signature, BTreeMap<String, Vec<String>>>,
    /// The place of each test among those that were met.
    places: BTreeMap<String, u64>,
}

impl Divergences {
    /// The divergence of a run as a finding of its own; nothing if it is none of a target.
    #[must_use]
    pub fn finding_of(isa: &IsaSuite, file: &VectorFile, run: &Run) -> Option<Finding> {
        let (signature, sighting) = sighting_of(isa, file, run, 0)?;
        Some(Finding::new(signature, sighting))
    }

    /// Adds the divergence of a run, if it is one of a target.
    pub fn add(&mut self, isa: &IsaSuite, (name, file): (&str, &VectorFile), run: &Run) {
        let next = self.places.len() as u64;
        let place = *self.places.entry(run.id.clone()).or_insert(next);
        let Some((signature, sighting)) = sighting_of(isa, file, run, place) else { return };
        let tests = self.tests.entry(signature.clone()).or_default().entry(name.to_string()).or_default();
        if tests.last() != Some(&run.id) && !tests.contains(&run.id) {
            tests.push(run.id.clone());
        }
        let value =
            file.tests().nth(run.place).map(|(_, test)| test.case_value(file.isa, file.instruction, run.edition));
        let finding = match self.findings.get_mut(&signature) {
            Some(known) => {
                known.add(&sighting);
                known
            }
            None => {
                let mut finding = Finding::new(signature.clone(), sighting);
                (finding.cases_to_find, finding.shows) = (place + 1, true);
                self.findings.entry(signature).or_insert(finding)
            }
        };
        if let Some(value) = value
            && finding.stored.as_ref().is_none_or(|stored| value.size() < stored.size())
        {
            finding.stored = Some(value);
        }
    }
}

fn sighting_of(isa: &IsaSuite, file: &VectorFile, run: &Run, index: u64) -> Option<(Signature, Sighting)> {
    let (Subject::Target(info), Verdict::Diverged { differences, signature: Some(signature) }) =
        (&run.subject, &run.verdict)
    else {
        return None;
    };
    let cell = u32::try_from(run.cell?).expect("a cell number fits");
    let (instruction, edition) = (file.instruction, run.edition);
    let id = CaseId { isa: isa.isa.short, instruction, edition, cell, seed: 0, index };
    let (differences, recorded) = (differences.clone(), Some(run.id.clone()));
    let sighting = Sighting { id, differences, level: info.level.clone(), after: Vec::new(), recorded, by_value: true };
    Some((signature.clone(), sighting))
}
