//! `tandem vectors`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tandem_cases::ISAS;
use tandem_harness::Suite;
use tandem_harness::report::Known;
use tandem_harness::report::model::VectorFindingPart;
use tandem_harness::vectors::{
    Divergences, ProgramRecorder, RECORD_SEED, Replayer, Store, Subject, lint, read_file, record, record_plain,
    vector_paths,
};

use super::args::VectorsAction;
use super::{CliError, Common, Exit, board, export, files, fuzz, judge, progress, select, stored};
use crate::import::ImportError;

pub(super) fn run(common: &Common, action: &VectorsAction) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    match action {
        VectorsAction::Record { filters, plain } => record_all(common, &suite, filters, *plain),
        VectorsAction::Check { paths } => check(common, &suite, paths),
        VectorsAction::Lint => lint_all(common, &suite),
        VectorsAction::Judge { results, machine, manifest } => {
            judge::run(common, &suite, &judge::Asked { results, machine: machine.as_deref(), manifests: manifest })
        }
        VectorsAction::Export(asked) => export::run(common, asked),
        VectorsAction::Board { chip, wrong } => board::serve(&suite, chip, *wrong),
        VectorsAction::Import { file, covering, account } => import(&suite, file, *covering, *account),
    }
}

fn import(suite: &Suite, path: &Path, covering: Option<usize>, only_account: bool) -> Result<Exit, CliError> {
    let text = files::read(path)?;
    let usage = |error: ImportError| CliError::Usage(error.to_string());
    let recording = crate::import::read_recording(&path.display().to_string(), &text, suite).map_err(usage)?;
    if only_account {
        print!("{}: {}", path.display(), recording.account);
        return Ok(Exit::Agree);
    }
    let isa = suite.isa(recording.isa.name).expect("the recording was read with the suite");
    let imported = recording.compare(isa).map_err(usage)?;
    eprint!("{}: {}", path.display(), imported.account);
    for (edition, [done, stalled]) in &imported.agreed {
        eprintln!("{}: {done} executed and {stalled} stalled lines agree with the reference", edition.name());
    }
    for (edition, count) in &imported.unpromised {
        eprintln!("{}: for {count} lines, the page promises nothing", edition.name());
    }
    for one in &imported.disagreements {
        let what = crate::import::describe(imported.file.isa, &one.verdict);
        eprintln!("line {} in {}: {what}", one.line, one.edition.name());
    }
    let file = match covering {
        Some(count) => crate::import::covering(&imported, count),
        None => imported.file,
    };
    print!("{}", file.to_text());
    Ok(Exit::Agree)
}

fn record_all(common: &Common, suite: &Suite, filters: &[String], plain: bool) -> Result<Exit, CliError> {
    let mut recorders: BTreeMap<&str, ProgramRecorder> = BTreeMap::new();
    for instruction in select::instructions(suite, filters)? {
        let isa = suite.isa(instruction.isa).expect("the instruction is of the suite");
        let own = format!("{}.json", instruction.file);
        let (directory, made) = if plain {
            (&*common.out, vec![(own, record_plain(isa, instruction, select::edition(common)?))])
        } else {
            let recorder = recorders.entry(instruction.isa).or_insert_with(|| ProgramRecorder::new(isa, RECORD_SEED));
            let programs = recorder.record(instruction);
            let alone = (own, record(isa, instruction, RECORD_SEED));
            let programs = (format!("{}.programs.json", instruction.file), programs);
            let both = [alone, programs].into_iter().enumerate();
            // A file of no programs would say nothing.
            let worth = both.filter(|(place, (_, file))| *place == 0 || !file.is_empty());
            (common.vectors_to_write(), worth.map(|(_, one)| one).collect())
        };
        for (name, file) in made {
            let path = directory.join(instruction.isa).join(name);
            let text = file.to_text();
            files::write(&path, &text)?;
            println!("{}: {} tests, {} bytes", path.display(), file.len(), text.len());
        }
    }
    Ok(Exit::Agree)
}

/// Reads every file, names each that is refused, and replays the rest: recorded vectors on the reference and every target,
/// stored findings as they say.
fn check(common: &Common, suite: &Suite, paths: &[PathBuf]) -> Result<Exit, CliError> {
    progress::listen();
    let known = fuzz::read_known(common, suite)?;
    if paths.is_empty() {
        let (only, seconds) = (select::edition(common)?, common.seconds);
        let replayed = fuzz::replay_vectors(suite, &common.vectors, only, &known, |_| true, seconds)?;
        for file in &replayed.files {
            println!("{}: {} tests, {} agreed, {} revoked", file.file, file.tests, file.agreed, file.revoked);
        }
        print_divergences(&replayed.met, &known, &replayed.reference);
        say_left(replayed.left);
        return Ok(exit(!replayed.reference.is_empty(), replayed.divergent() > 0));
    }
    let (mut worst, mut tests, mut target_runs, mut left) = (Exit::Agree, 0, 0, 0);
    let (mut met, mut reference) = (Divergences::default(), Vec::new());
    for path in expand(paths)? {
        let file = match read_file(ISAS, &path) {
            Ok(file) => file,
            Err(error) => {
                eprintln!("tandem: {error}");
                worst = Exit::Vectors;
                continue;
            }
        };
        if let Some(about) = &file.finding {
            let seen = stored::look(common, suite, (&path, &file), ("vectors check", &known))?;
            seen.print(&path, &about.signature(file.instruction));
            worst = stored::worse(worst, seen.exit());
            (tests, target_runs) = (tests + 1, target_runs + 1);
            continue;
        }
        let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
        let goes_on = || !progress::is_over(common.seconds);
        let only = select::edition(common)?;
        let result = Replayer::new(isa).replay_while(&file, &BTreeMap::new(), only, &goes_on);
        tests += result.tests;
        target_runs += result.runs.iter().filter(|run| run.subject != Subject::Reference).count();
        left += result.left;
        let name = path.display().to_string();
        println!("{name}: {} tests, {} runs failed", result.tests, result.failures().count());
        for run in result.failures() {
            if run.subject == Subject::Reference {
                let what = stored::words(&run.verdict);
                reference.push(format!("{name}: {}: reference in {}: {what}", run.id, run.edition.name()));
            } else if !known.covers_run(isa, &file, run) {
                worst = stored::worse(worst, Exit::NewFinding);
            }
            met.add(isa, (&name, &file), run);
        }
    }
    print_divergences(&met, &known, &reference);
    say_left(left);
    if !reference.is_empty() {
        worst = Exit::Vectors;
    }
    if left > 0 && tests == 0 {
        return Ok(worst);
    }
    if tests == 0 {
        eprintln!("tandem: not one test was read; name files of vectors, or a directory that has some");
        worst = Exit::Vectors;
    } else if target_runs == 0 {
        eprintln!(
            "tandem: no target of this run implements what was read, so nothing was compared; name one that does with \
             --target, or leave out --target and --targets"
        );
        worst = stored::worse(worst, Exit::Target);
    }
    Ok(worst)
}

/// What targets did wrong, a line each, and each test on which the reference itself differs.
fn print_divergences(met: &Divergences, known: &Known, reference: &[String]) {
    for line in reference {
        println!("  {line}");
    }
    for finding in VectorFindingPart::list(met, known, &[]) {
        println!("  {}", finding.line());
        for outside in &finding.outside {
            println!("    outside of what is known: {outside}");
        }
    }
}

fn say_left(left: usize) {
    if left > 0 {
        eprintln!("tandem: stopped early: {left} tests were not run");
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

fn lint_all(common: &Common, suite: &Suite) -> Result<Exit, CliError> {
    let store = Store::load(ISAS, &common.vectors)?;
    let lints = lint(&store, suite);
    for lint in &lints {
        println!("{lint}");
    }
    let errors = lints.iter().filter(|lint| lint.kind.is_error()).count();
    println!("{} files, {} tests: {errors} errors, {} remarks", store.files.len(), store.len(), lints.len() - errors);
    Ok(if errors > 0 { Exit::Vectors } else { Exit::Agree })
}
