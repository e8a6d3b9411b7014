//! `tandem vectors judge`: what a machine did with exported tests, in the matrix of a report.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tandem_harness::report::{Inputs, Known, Report, RunInfo};
use tandem_harness::vectors::{Outcome, Replayer, Results, Run, Store, Subject, Test, TestIds, VectorFile, Verdict};
use tandem_harness::{
    CampaignResult, CaseId, CaseValue, CellCount, Difference, Finding, IsaSuite, Sighting, Signature, Suite,
    TargetFactory, UnitResult,
};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit, fuzz, select};

/// Judges results of a machine like a target: the report under `--out` has its matrix and its findings.
pub(super) fn run(common: &Common, suite: &Suite, path: &Path, machine: Option<&str>) -> Result<Exit, CliError> {
    let begin = Instant::now();
    let text = std::fs::read_to_string(path).map_err(CliError::io(path))?;
    let store = Store::load(&common.vectors)?;
    let results = Arc::new(Results::read(&path.display().to_string(), &text, &TestIds::of(&store))?);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let machine = machine.map(str::to_string).or(stem).unwrap_or_else(|| "machine".to_string());
    let edition = select::edition(common)?.unwrap_or(Edition::Newest);
    let mut judged = Judged::default();
    let mut isas = Vec::new();
    for isa in &suite.isas {
        let of_isa = store.files.iter().filter(|(_, file)| file.isa.name == isa.isa.name);
        let files: Vec<(VectorFile, usize)> = of_isa.map(|(_, file)| results.tests_of(file)).collect();
        judged.missing += files.iter().map(|(_, missing)| missing).sum::<usize>();
        let files: Vec<VectorFile> = files.into_iter().map(|(run, _)| run).filter(|run| !run.is_empty()).collect();
        if files.is_empty() {
            continue;
        }
        let files = Arc::new(files);
        let (results, machine, of_target) = (Arc::clone(&results), machine.clone(), Arc::clone(&files));
        let factory = TargetFactory::new(move || results.target(&machine, &of_target));
        let mut replayer = Replayer::with_targets(isa, vec![factory.make()]);
        for file in files.iter() {
            let runs = replayer.replay(file, &store.revoked, Some(edition)).runs;
            judged.take(isa, file, edition, &runs);
        }
        isas.push(isa.with_targets(vec![factory]));
    }
    let missing = judged.missing;
    let (campaign, reference) = judged.into_campaign(begin);
    let judged_suite = Suite { isas };
    let mut run = RunInfo::here(1);
    run.vectors = vec![common.vectors.display().to_string()];
    run.notes.push(format!("{machine}: {} results, {missing} recorded tests without one", results.len()));
    let known = Known::default();
    let report = Report::build(&Inputs { known, run, ..Inputs::new(&judged_suite, &campaign) });
    fuzz::write_report(&common.out, &report, false)?;
    fuzz::store_findings(&common.out, &judged_suite, &campaign)?;
    fuzz::print_report(common, &report)?;
    for test in &reference {
        eprintln!("tandem: the reference differs from the recorded test {test}; its result says nothing");
    }
    Ok(if !reference.is_empty() {
        Exit::Vectors
    } else if !campaign.findings.is_empty() {
        Exit::NewFinding
    } else if campaign.completed == 0 {
        eprintln!("tandem: no test completed in the edition {}, so nothing was shown", edition.name());
        Exit::Holes
    } else {
        Exit::Agree
    })
}

/// What was judged.
#[derive(Default)]
struct Judged {
    units: Vec<UnitResult>,
    findings: BTreeMap<Signature, Finding>,
    cases: u64,
    datums: u64,
    completed: u64,
    /// Recorded tests for which there is no result.
    missing: usize,
    /// Tests on which the reference itself differs.
    reference: Vec<String>,
}

impl Judged {
    /// Adds what came of the tests of a file.
    fn take(&mut self, isa: &IsaSuite, file: &VectorFile, edition: Edition, runs: &[Run]) {
        let instruction = file.instruction;
        let tests: BTreeMap<String, &Test> =
            file.tests().map(|(_, test)| (test.id(file.isa, instruction), test)).collect();
        for run in runs {
            if run.subject == Subject::Reference {
                if run.verdict != Verdict::Agreed {
                    self.reference.push(run.id.clone());
                }
                continue;
            }
            // A test that the pages promise nothing for has been named above.
            let (Some(cell), false) = (run.cell, matches!(run.verdict, Verdict::Unpromised(_))) else { continue };
            let (test, value) = (tests[&run.id], tests[&run.id].case_value(file.isa, instruction, edition));
            let blocked = test.outcome == Outcome::Blocked;
            let index = self.cases;
            self.cases += 1;
            self.completed += u64::from(!blocked);
            self.datums += test.after.rows.values().map(|words| words.len() as u64).sum::<u64>();
            let count = self.count(instruction, edition, cell);
            match &run.verdict {
                Verdict::Agreed if blocked => count.blocked += 1,
                Verdict::Agreed => count.done += 1,
                Verdict::Unsupported => count.unsupported += 1,
                Verdict::Unpromised(_) => {}
                Verdict::Diverged { differences, signature } => {
                    count.diverged += 1;
                    let Some(signature) = signature else { continue };
                    let cell = u32::try_from(cell).expect("a cell number fits");
                    let id = CaseId { isa: isa.isa.short, instruction, edition, cell, seed: 0, index };
                    let sighting = sighting(id, &run.id, differences);
                    self.find(signature, sighting, value);
                }
            }
        }
    }

    fn count(&mut self, instruction: &'static Instruction, edition: Edition, cell: usize) -> &mut CellCount {
        let same = |unit: &UnitResult| std::ptr::eq(unit.instruction, instruction) && unit.edition == edition;
        let unit = self.units.iter().position(same).unwrap_or_else(|| {
            // Each test was recorded for its cell, so one decides.
            self.units.push(UnitResult { enough: 1, ..UnitResult::new((instruction, edition)) });
            self.units.len() - 1
        });
        &mut self.units[unit].cells[cell]
    }

    /// Gathers a divergence. The smallest test of a finding is the one that is shown.
    fn find(&mut self, signature: &Signature, sighting: Sighting, value: CaseValue) {
        let Some(known) = self.findings.get_mut(signature) else {
            let mut finding = Finding::new(signature.clone(), sighting);
            (finding.cases_to_find, finding.datums_to_find) = (self.cases, self.datums);
            finding.stored = Some(value);
            self.findings.insert(signature.clone(), finding);
            return;
        };
        known.add(&sighting);
        if known.stored.as_ref().is_none_or(|stored| value.size() < stored.size()) {
            (known.first, known.stored) = (sighting, Some(value));
        }
    }

    /// What it comes to, and the tests on which the reference itself differs.
    fn into_campaign(self, begin: Instant) -> (CampaignResult, Vec<String>) {
        let campaign = CampaignResult {
            seed: 0,
            units: self.units,
            cases: self.cases,
            datums: self.datums,
            completed: self.completed,
            findings: self.findings.into_values().collect(),
            stopped: false,
            notes: Vec::new(),
            elapsed: begin.elapsed(),
        };
        (campaign, self.reference)
    }
}

fn sighting(id: CaseId, test: &str, differences: &[Difference]) -> Sighting {
    Sighting {
        id,
        differences: differences.to_vec(),
        level: None,
        after: None,
        recorded: Some(test.to_string()),
        by_value: false,
    }
}
