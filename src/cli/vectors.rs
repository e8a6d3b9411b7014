//! `tandem vectors`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::report::Known;
use tandem_harness::report::model::{VectorFilePart, VectorFindingPart};
use tandem_harness::vectors::{
    Column, Columns, Divergences, Lint, ProgramRecorder, RECORD_SEED, Replayer, Store, Subject, VectorFile, lint,
    read_file, record, record_plain, vector_paths,
};
use tandem_harness::{IsaSuite, Suite};
use tandem_isa::Instruction;

use super::args::VectorsAction;
use super::{CliError, Common, Exit, export, files, fuzz, judge, progress, satellites, select, stored};
use crate::wiring;

pub(super) fn run(action: &VectorsAction) -> Result<Exit, CliError> {
    match action {
        VectorsAction::Record(asked) => record_all(&asked.common(), &asked.filters, asked.plain),
        VectorsAction::Check(asked) => check(&asked.common(), &asked.paths),
        VectorsAction::Lint(asked) => lint_all(&asked.common()),
        VectorsAction::Judge(asked) => {
            let (machine, manifests) = (asked.machine.as_deref(), &*asked.manifest);
            let asked_of =
                judge::Asked { results: &asked.results, machine, manifests, challenge: asked.challenge.as_deref() };
            let (common, suite) = (asked.common(), wiring::suite());
            let suite = if common.disputed { suite } else { suite.with_disputes() };
            judge::run(&common, &suite, &asked_of)
        }
        VectorsAction::Export(asked) => export::run(&asked.common(), asked),
        VectorsAction::Board { chip, wrong } => satellites::board(chip, *wrong),
        VectorsAction::Import(asked) => satellites::import(asked),
    }
}

/// The files that are recorded of an instruction: its tests, and the programs that it begins, if there are any.
fn recorded(
    isa: &IsaSuite,
    instruction: &'static Instruction,
    recorder: &mut ProgramRecorder,
) -> Vec<(String, VectorFile)> {
    let mut files = vec![(format!("{}.json", instruction.file), record(isa, instruction, RECORD_SEED))];
    let programs = recorder.record(instruction);
    if !programs.is_empty() {
        files.push((format!("{}.programs.json", instruction.file), programs));
    }
    files
}

fn record_all(common: &Common, filters: &[String], plain: bool) -> Result<Exit, CliError> {
    let suite = wiring::suite();
    let directory = if plain { &*common.out } else { common.vectors_to_write() };
    files::try_folder(directory)?;
    let mut recorders: BTreeMap<&str, ProgramRecorder> = BTreeMap::new();
    let mut rows = Vec::new();
    for instruction in select::instructions(&suite, filters)? {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let made = if plain {
            vec![(format!("{}.json", instruction.file), record_plain(isa, instruction, select::edition(common)?))]
        } else {
            let recorder = recorders.entry(instruction.isa).or_insert_with(|| ProgramRecorder::new(isa, RECORD_SEED));
            recorded(isa, instruction, recorder)
        };
        for (name, file) in made {
            let path = directory.join(instruction.isa).join(name);
            let text = file.to_text();
            files::write(&path, &text)?;
            if common.json {
                rows.push(json!({ "file": path, "tests": file.len(), "bytes": text.len() }));
            } else {
                outln!("{}: {} tests, {} bytes", path.display(), file.len(), text.len());
            }
        }
    }
    if common.json {
        outln!("{}", json!({ "recorded": rows }));
    }
    Ok(Exit::Agree)
}

/// What came of the files that were checked.
#[derive(Default)]
struct Checked {
    files: Vec<VectorFilePart>,
    /// Files that were refused, and why.
    refused: Vec<(String, String)>,
    /// Stored findings.
    stored: Vec<Value>,
    met: Divergences,
    /// Tests on which the reference itself differs.
    reference: Vec<String>,
    worst: Option<Exit>,
}

impl Checked {
    fn ends(&mut self, exit: Exit) {
        self.worst = Some(self.worst.map_or(exit, |worst| stored::worse(worst, exit)));
    }

    fn columns(&self) -> Columns {
        self.files.iter().map(|file| file.columns).sum()
    }

    /// How many findings are there that are not known.
    fn new_findings(&self, known: &Known) -> usize {
        let in_tests = VectorFindingPart::list(&self.met, known, &[]).iter().filter(|one| one.known.is_empty()).count();
        in_tests + self.stored.iter().filter(|one| one["verdict"] == "still happens").count()
    }

    fn json(&self, known: &Known) -> Value {
        let refused = self.refused.iter().map(|(file, why)| json!({ "file": file, "why": why }));
        json!({
            "files": self.files, "refused": refused.collect::<Vec<_>>(), "stored": self.stored,
            "findings": VectorFindingPart::list(&self.met, known, &[]), "reference": self.reference,
            "left": self.columns().of(Column::NotReached),
        })
    }
}

/// Reads every file, names each that is refused, and replays the rest: recorded vectors on the reference and every target,
/// stored findings as they say.
fn check(common: &Common, paths: &[PathBuf]) -> Result<Exit, CliError> {
    progress::listen();
    let suite = &select::suite(common)?;
    let known = fuzz::read_known(common, suite)?;
    if paths.is_empty() {
        return check_all(common, suite, &known);
    }
    let mut checked = Checked::default();
    let is_enough =
        |checked: &Checked| common.max_findings.is_some_and(|most| checked.new_findings(&known) >= most.get());
    for path in expand(paths)? {
        let goes_on = !is_enough(&checked);
        check_file(common, (suite, &known), (&path, goes_on), &mut checked)?;
    }
    if common.json {
        outln!("{}", checked.json(&known));
    } else {
        print_divergences(&checked.met, &known, &checked.reference);
    }
    if !checked.reference.is_empty() {
        checked.ends(Exit::Vectors);
    }
    let columns = checked.columns();
    say_columns(common, &columns, is_enough(&checked));
    // A stored finding says itself whether it was shown.
    if checked.stored.is_empty() || columns.tests() > 0 {
        checked.ends(shown(&columns));
    }
    Ok(checked.worst.unwrap_or(Exit::Agree))
}

/// Checks all files of the directory of vectors.
fn check_all(common: &Common, suite: &Suite, known: &Known) -> Result<Exit, CliError> {
    let (only, seconds) = (select::edition(common)?, common.seconds);
    let bounds = (known, common.max_findings);
    let replayed = fuzz::replay_vectors((suite, &common.vectors), only, bounds, |_| true, seconds)?;
    let fuzz::Replayed { files, reference, met, is_enough, .. } = &replayed;
    if common.json {
        let (files, met, reference) = (files.clone(), met.clone(), reference.clone());
        outln!("{}", Checked { files, met, reference, ..Checked::default() }.json(known));
    } else {
        files.iter().for_each(print_file);
        print_divergences(met, known, reference);
    }
    let columns = replayed.columns();
    replayed.notes.iter().for_each(|note| errln!("tandem: {note}"));
    say_columns(common, &columns, *is_enough);
    let failed = exit(!reference.is_empty(), replayed.divergent() > 0);
    let cut = if replayed.is_unfinished { Exit::Holes } else { Exit::Agree };
    Ok(stored::worse(stored::worse(failed, cut), shown(&columns)))
}

/// Where the tests of a file stand.
fn print_file(file: &VectorFilePart) {
    outln!("{}: {}", file.file, told(&file.columns));
}

/// How many tests there are, and where they stand: agreed always, and every other column that has one.
pub(super) fn told(columns: &Columns) -> String {
    let there = Column::ALL.into_iter().filter(|&one| one == Column::Agreed || columns.of(one) > 0);
    let counts: Vec<String> = there.map(|one| format!("{} {}", columns.of(one), one.name())).collect();
    let tests = columns.tests();
    format!("{tests} test{}: {}", if tests == 1 { "" } else { "s" }, counts.join(", "))
}

/// Says where all tests stand, and if some were not reached, that it ended early.
fn say_columns(common: &Common, columns: &Columns, is_enough: bool) {
    if !common.json && columns.tests() > 0 {
        outln!("all: {}", told(columns));
    }
    let left = columns.of(Column::NotReached);
    if is_enough {
        noteln!("tandem: {}", fuzz::enough(common.max_findings));
    } else if left > 0 {
        errln!("tandem: stopped early: {left} tests were not run");
    }
}

/// How a check ends of which nothing is wrong: green only if a target answered.
pub(super) fn shown(columns: &Columns) -> Exit {
    let all = columns.tests();
    let most = Column::ALL.into_iter().max_by_key(|&one| columns.of(one)).unwrap_or(Column::Agreed);
    if columns.answered() > 0 {
        return Exit::Agree;
    }
    match most {
        _ if all == 0 => {
            errln!("tandem: not one test was read; name files of vectors, or a directory that has some");
            Exit::Vectors
        }
        Column::NotImplemented => {
            errln!(
                "tandem: no target of this run implements what was read, so nothing was compared; name one that does \
                 with --target, or leave out --target and --targets"
            );
            Exit::Target
        }
        Column::OtherEdition => {
            errln!(
                "tandem: no test that was read holds in this edition, so nothing was compared; give another --edition"
            );
            Exit::Holes
        }
        _ => {
            errln!("tandem: no target answered a test, so nothing was compared: {}", told(columns));
            Exit::Holes
        }
    }
}

/// Reads one file, and replays it unless there were enough findings before.
fn check_file(
    common: &Common,
    (suite, known): (&Suite, &Known),
    (path, goes_on): (&Path, bool),
    checked: &mut Checked,
) -> Result<(), CliError> {
    let name = path.display().to_string();
    let file = match read_file(ISAS, path) {
        Ok(file) => file,
        Err(error) => {
            errln!("tandem: {error}");
            checked.refused.push((name, error.to_string()));
            checked.ends(Exit::Vectors);
            return Ok(());
        }
    };
    if let Some(about) = &file.finding {
        if !goes_on {
            return Ok(());
        }
        let seen = stored::look(common, suite, (path, &file), ("vectors check", known))?;
        let own = about.signature(file.instruction);
        if !common.json {
            seen.print(path, &own);
        }
        checked.stored.push(seen.json(path, &own));
        checked.ends(seen.exit());
        return Ok(());
    }
    let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
    let goes_on = || goes_on && !progress::is_over(common.seconds);
    let only = select::edition(common)?;
    let result = Replayer::new(isa).replay_while(&file, &BTreeMap::new(), only, &goes_on);
    if let Some(why) = result.why_left() {
        errln!("tandem: {name}: {why}");
        checked.ends(Exit::Holes);
    }
    for run in result.failures() {
        if run.subject == Subject::Reference {
            let what = stored::words(&run.verdict);
            checked.reference.push(format!("{name}: {}: reference in {}: {what}", run.id, run.edition.name()));
        } else if !known.covers_run(isa, &file, run) {
            checked.ends(Exit::NewFinding);
        }
        checked.met.add(isa, (&name, &file), run);
    }
    let part = VectorFilePart::of(&name, &result, &|run| known.covers_run(isa, &file, run));
    if !common.json {
        print_file(&part);
    }
    checked.files.push(part);
    Ok(())
}

/// What targets did wrong, a line each, and each test on which the reference itself differs.
fn print_divergences(met: &Divergences, known: &Known, reference: &[String]) {
    for line in reference {
        outln!("  {line}");
    }
    for finding in VectorFindingPart::list(met, known, &[]) {
        outln!("  {}", finding.line());
        for outside in &finding.outside {
            outln!("    outside of what is known: {outside}");
        }
    }
}

fn exit(invalid: bool, targets: bool) -> Exit {
    if invalid {
        Exit::Vectors
    } else if targets {
        Exit::NewFinding
    } else {
        Exit::Agree
    }
}

fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if Path::new(path).is_dir() {
            files.extend(vector_paths(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn lint_all(common: &Common) -> Result<Exit, CliError> {
    let store = Store::load(ISAS, &common.vectors)?;
    let lints = lint(&store, &wiring::suite());
    let errors = lints.iter().filter(|lint| lint.kind.is_error()).count();
    let remarks = lints.len() - errors;
    if common.json {
        let row = |lint: &Lint| {
            let Lint { kind, file, place, message } = lint;
            json!({ "kind": kind.name(), "error": kind.is_error(), "file": file, "place": place, "message": message })
        };
        let rows: Vec<Value> = lints.iter().map(row).collect();
        outln!(
            "{}",
            json!({ "files": store.files.len(), "tests": store.len(), "errors": errors, "remarks": remarks, "lints": rows })
        );
    } else {
        lints.iter().for_each(|lint| outln!("{lint}"));
        outln!("{} files, {} tests: {errors} errors, {remarks} remarks", store.files.len(), store.len());
    }
    Ok(if errors > 0 { Exit::Vectors } else { Exit::Agree })
}
