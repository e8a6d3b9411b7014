//! `tandem vectors judge`: what a machine did with exported tests, in the matrix of a report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tandem_cases::ISAS;
use tandem_harness::report::model::{VectorFilePart, VectorFindingPart, VectorsPart};
use tandem_harness::report::{Inputs, Report, RunPart, shell_word};
use tandem_harness::vectors::{
    Column, Divergences, Manifest, NotRun, Outcome, Promises, Replayer, Results, Run, Store, Subject, Test, TestIds,
    VectorFile, Verdict,
};
use tandem_harness::{
    CampaignResult, CaseId, CaseValue, CellCount, Difference, Finding, IsaSuite, Sighting, Signature, Suite,
    TargetFactory, UnitResult,
};
use tandem_isa::{Edition, Instruction};

use super::{CliError, Common, Exit, command, files, fuzz, satellites, select};

/// What is to be judged.
pub(super) struct Asked<'a> {
    pub results: &'a Path,
    /// How the machine is called.
    pub machine: Option<&'a str>,
    /// What was exported.
    pub manifests: &'a [PathBuf],
    /// The challenge that was answered, if it is one.
    pub challenge: Option<&'a Path>,
}

/// Judges results of a machine like a target: the report under `--out` has its matrix, its findings, and what is missing.
pub(super) fn run(common: &Common, suite: &Suite, asked: &Asked<'_>) -> Result<Exit, CliError> {
    files::try_folder(&common.out)?;
    let (begin, path) = (Instant::now(), asked.results);
    let (store, known) = (Store::load_of(ISAS, &common.vectors, &|_| true)?, fuzz::read_known(common, suite)?);
    let ids = TestIds::of(&store);
    let (results, exported, is_compiled) = results(asked, &store, &ids)?;
    let results = Arc::new(results);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let machine = asked.machine.map(str::to_string).or(stem).unwrap_or_else(|| "machine".to_string());
    let edition = select::edition(common)?.unwrap_or(Edition::Newest);
    // The tests of each file by their ids, with what is to be answered of them.
    let listed: Vec<Listed<'_>> = store.files.iter().map(|(path, file)| Listed::new(path, file)).collect();
    let wanted = Wanted::new(exported, (&store, &ids), (&listed, &results), edition)?;
    let mut judged = Judged::default();
    let mut isas = Vec::new();
    for isa in &suite.isas {
        let of_isa: Vec<_> = listed.iter().filter(|listed| listed.file.isa.name == isa.isa.name).collect();
        let files: Vec<VectorFile> =
            of_isa.iter().map(|one| one.answered(&results)).filter(|file| !file.is_empty()).collect();
        let files = Arc::new(files);
        let (results_of, machine, of_target) = (Arc::clone(&results), machine.clone(), Arc::clone(&files));
        let factory = TargetFactory::new(move || results_of.target(&machine, &of_target));
        let mut replayer = Replayer::with_targets(isa, vec![factory.make()]);
        for whole in of_isa {
            let (name, file) = (whole.path.strip_prefix(&common.vectors).unwrap_or(whole.path), whole.file);
            let (name, missing) = (name.display().to_string(), wanted.missing(whole, &results));
            if missing.is_empty() && !whole.tests.iter().any(|(id, _)| results.has(id)) {
                continue;
            }
            let held_back = |id: &str| match (results.has(id), wanted.tests.contains(id)) {
                (true, _) => None,
                (false, true) => Some(NotRun::Missing),
                (false, false) => Some(NotRun::NotAsked),
            };
            let result = replayer.replay_asked(file, &store.revoked, Some(edition), &held_back);
            judged.take(isa, file, edition, &result.runs);
            for run in result.failures() {
                judged.met.add(isa, (&name, file), run);
            }
            let part = VectorFilePart::of(&name, &result, &|run| known.covers_run(isa, file, run));
            judged.miss(file, edition, part, &missing);
        }
        judged.cite(isa, &store);
        if !files.is_empty() {
            isas.push(isa.with_targets(vec![factory]));
        }
    }
    let (files, met) = (std::mem::take(&mut judged.files), std::mem::take(&mut judged.met));
    let missing: u64 = files.iter().map(|file| file.columns.of(Column::Missing)).sum();
    let (campaign, reference) = judged.into_campaign(begin);
    let judged_suite = Suite { isas };
    let mut run = RunPart::here(1);
    run.vectors = vec![common.vectors.display().to_string()];
    run.notes.push(format!(
        "{machine}: {} results, {missing} of {} tests without one",
        results.len(),
        wanted.tests.len()
    ));
    run.notes.extend(wanted.unknown());
    run.notes.extend(is_compiled.then(|| SUSPECTS.to_string()));
    run.command = Some(command_of(common, asked));
    let vectors = Some(VectorsPart::of(files, VectorFindingPart::list(&met, &known, &campaign.findings)));
    let report = Report::build(&Inputs { known, run, vectors, ..Inputs::new(&judged_suite, &campaign) });
    fuzz::write_report(&common.out, &report, false)?;
    fuzz::store_findings(&common.out, &judged_suite, &campaign, &[])?;
    fuzz::print_report(common, &report)?;
    for test in &reference {
        errln!("tandem: the reference differs from the recorded test {test}; its result says nothing");
    }
    let divergent = report.result.vectors.as_ref().map_or(0, |vectors| vectors.count(Column::Divergent));
    if is_compiled && divergent > 0 {
        errln!("tandem: {SUSPECTS}");
    }
    Ok(if !reference.is_empty() {
        Exit::Vectors
    } else if report.result.new_findings > 0 || divergent > 0 {
        Exit::NewFinding
    } else if missing > 0 {
        errln!(
            "tandem: {missing} of {} tests have no result, so they were not passed; {}",
            wanted.tests.len(),
            wanted.next_step()
        );
        Exit::Holes
    } else if campaign.completed == 0 {
        errln!(
            "tandem: no test completed in the edition {}, so nothing was shown; run tests that the machine supports",
            edition.name()
        );
        Exit::Holes
    } else {
        Exit::Agree
    })
}

/// The tests that were exported: of each the file that says so, and its id. None if nothing says so.
type Exported = Option<Vec<(PathBuf, String)>>;

/// The results, what was exported, and whether a compiler stands behind the results.
fn results(asked: &Asked<'_>, store: &Store, ids: &TestIds) -> Result<(Results, Exported, bool), CliError> {
    let name = asked.results.display().to_string();
    if let Some(folder) = asked.challenge {
        let (results, tests) =
            satellites::results_of_challenge(folder, &name, &files::read_bytes(asked.results)?, store)?;
        return Ok((results, Some(tests.into_iter().map(|id| (folder.to_path_buf(), id)).collect()), false));
    }
    let text = files::read(asked.results)?;
    let results = Results::read(&name, &text, ids)?;
    let mut exported = Vec::new();
    for path in asked.manifests {
        exported.extend(Manifest::read(path)?.tests().iter().map(|id| (path.clone(), id.clone())));
    }
    Ok((results, (!asked.manifests.is_empty()).then_some(exported), names_code(&text)))
}

/// What is said of results behind which a compiler stands.
const SUSPECTS: &str = "a difference has two suspects, the machine and the compiler: its final code is in the file that a \
                        result names as \"code\"";

/// Whether a result names the final code that a compiler made.
fn names_code(text: &str) -> bool {
    let mut lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.any(|line| line["code"].is_string())
}

/// The command that was given.
fn command_of(common: &Common, asked: &Asked<'_>) -> String {
    let mut text = format!("tandem vectors judge {}", command::path_word(asked.results));
    for manifest in asked.manifests {
        text += &format!(" --manifest {}", command::path_word(manifest));
    }
    if let Some(challenge) = asked.challenge {
        text += &format!(" --challenge {}", command::path_word(challenge));
    }
    if let Some(machine) = asked.machine {
        text += &format!(" --machine {}", shell_word(machine));
    }
    if let Some(edition) = &common.edition {
        text += &format!(" --edition {edition}");
    }
    text + &command::files(common)
}

/// A file of vectors, with its tests by their ids.
struct Listed<'a> {
    path: &'a Path,
    file: &'a VectorFile,
    tests: Vec<(String, &'a Test)>,
}

impl<'a> Listed<'a> {
    fn new(path: &'a Path, file: &'a VectorFile) -> Self {
        let tests = file.tests().map(|(_, test)| (test.id(file.isa, file.instruction), test)).collect();
        Listed { path, file, tests }
    }

    /// The tests for which there are results.
    fn answered(&self, results: &Results) -> VectorFile {
        let mut run = VectorFile::new(self.file.isa, self.file.instruction, self.file.source.clone());
        run.notes = self.file.notes.clone();
        for (_, test) in self.tests.iter().filter(|(id, _)| results.has(id)) {
            run.add((*test).clone());
        }
        run
    }
}

/// The tests that are to be answered.
struct Wanted {
    tests: BTreeSet<String>,
    /// Whether manifests say so. Without them it is all tests of the files that have a result.
    is_known: bool,
}

impl Wanted {
    fn new(
        exported: Exported,
        (store, ids): (&Store, &TestIds),
        (listed, results): (&[Listed<'_>], &Results),
        edition: Edition,
    ) -> Result<Self, CliError> {
        let held = |listed: &Listed<'_>| {
            let tests = listed.tests.iter().filter(|(_, test)| test.editions.contains(&edition));
            let ids = tests.map(|(id, _)| id).filter(|id| !store.revoked.contains_key(*id));
            ids.cloned().collect::<Vec<String>>()
        };
        let Some(exported) = exported else {
            let concerned = listed.iter().filter(|listed| listed.tests.iter().any(|(id, _)| results.has(id)));
            return Ok(Wanted { tests: concerned.flat_map(held).collect(), is_known: false });
        };
        let judged: BTreeSet<String> = listed.iter().flat_map(held).collect();
        let mut tests = BTreeSet::new();
        for (path, id) in exported {
            if !ids.has(&id) {
                return Err(CliError::Usage(format!(
                    "{}: no recorded vector has the id '{id}'; give the --vectors that it was exported from, or export \
                     anew",
                    path.display()
                )));
            }
            // A test of another edition, or one that was revoked since, is not judged.
            if judged.contains(&id) {
                tests.insert(id);
            }
        }
        Ok(Wanted { tests, is_known: true })
    }

    /// The tests of a file that have no result.
    fn missing<'a>(&self, listed: &Listed<'a>, results: &Results) -> Vec<&'a Test> {
        let missing = listed.tests.iter().filter(|(id, _)| self.tests.contains(id) && !results.has(id));
        missing.map(|(_, test)| *test).collect()
    }

    /// That it is not known what was exported, if it is not.
    fn unknown(&self) -> Option<String> {
        let count = self.tests.len();
        let note = format!("what was exported is not known, so all {count} tests of the files concerned are expected");
        (!self.is_known).then_some(note)
    }

    fn next_step(&self) -> &'static str {
        if self.is_known {
            "run the rest on the machine, or export fewer"
        } else {
            "what was exported is not known: give the --manifest that `tandem vectors export --manifest FILE` writes, or run \
             the rest of these files on the machine"
        }
    }
}

/// What was judged.
#[derive(Default)]
struct Judged {
    units: Vec<UnitResult>,
    findings: BTreeMap<Signature, Finding>,
    cases: u64,
    datums: u64,
    completed: u64,
    /// What came of each file.
    files: Vec<VectorFilePart>,
    /// What the machine did wrong.
    met: Divergences,
    /// Tests on which the reference itself differs.
    reference: Vec<String>,
}

impl Judged {
    /// Adds what came of the tests of a file.
    fn take(&mut self, isa: &IsaSuite, file: &VectorFile, edition: Edition, runs: &[Run]) {
        let instruction = file.instruction;
        let tests: Vec<&Test> = file.tests().map(|(_, test)| test).collect();
        for run in runs {
            if run.subject == Subject::Reference {
                if run.verdict != Verdict::Agreed {
                    self.reference.push(run.id.clone());
                }
                continue;
            }
            // A test that the pages promise nothing for has been named above.
            let (Some(cell), false) = (run.cell, matches!(run.verdict, Verdict::Unpromised(_))) else { continue };
            let (test, value) = (tests[run.place], tests[run.place].case_value(file.isa, instruction, edition));
            let blocked = test.outcome == Outcome::Blocked;
            let index = self.cases;
            self.cases += 1;
            let is_answered =
                matches!(run.verdict, Verdict::Agreed | Verdict::Disputed { .. } | Verdict::Diverged { .. });
            self.completed += u64::from(is_answered && !blocked);
            self.datums += test.after.rows.values().map(|words| words.len() as u64).sum::<u64>();
            let count = self.count(instruction, edition, cell);
            match &run.verdict {
                Verdict::Agreed if blocked => count.blocked += 1,
                Verdict::Agreed => count.done += 1,
                Verdict::Unsupported => count.unsupported += 1,
                Verdict::Survived | Verdict::NotImplemented | Verdict::Unpromised(_) => {}
                Verdict::Disputed { .. } => count.disputed += 1,
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

    /// Adds a file with what is missing of it.
    fn miss(&mut self, file: &VectorFile, edition: Edition, part: VectorFilePart, missing: &[&Test]) {
        let cells = missing.iter().filter_map(|test| test.cell(file.isa, file.instruction, edition));
        let cells: BTreeSet<usize> = cells.collect();
        for &cell in &cells {
            let _ = self.count(file.instruction, edition, cell);
        }
        let missing_cells = cells.into_iter().map(|cell| u32::try_from(cell).expect("a cell number fits")).collect();
        self.files.push(VectorFilePart { missing_cells, ..part });
    }

    /// Marks the cells that have no test because the pages promise nothing for them.
    fn cite(&mut self, isa: &IsaSuite, store: &Store) {
        for unit in self.units.iter_mut().filter(|unit| unit.instruction.isa == isa.isa.name) {
            let (instruction, edition) = (unit.instruction, unit.edition);
            let files = store.files.iter().filter(|(_, file)| std::ptr::eq(file.instruction, instruction));
            let tests = files.flat_map(|(_, file)| file.tests());
            let tested: BTreeSet<usize> = tests
                .filter(|(_, test)| test.editions.contains(&edition))
                .filter_map(|(_, test)| test.cell(isa.isa, instruction, edition))
                .collect();
            let mut promises = Promises::new(isa, instruction);
            for (cell, count) in unit.cells.iter_mut().enumerate() {
                if !tested.contains(&cell) && promises.cited(edition, cell) {
                    count.cited = unit.enough;
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
            (finding.stored, finding.shows) = (Some(value), true);
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
            unfinished: Vec::new(),
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
        after: Vec::new(),
        recorded: Some(test.to_string()),
        by_value: false,
    }
}
