//! `tandem replay`, `minimize` and `show`: single cases, by id or by file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_harness::report::model::SignaturePart;
use tandem_harness::report::{CaseText, Known, explain};
use tandem_harness::vectors::{About, Before, Column, Replayer, Subject, VectorFile, read_file};
use tandem_harness::{
    CaseId, CaseOutcome, CaseValue, Generator, IsaSuite, Kind, MinimizeLimits, Minimized, Minimizer, Pools, ProgramId,
    RUNS_ANEW, Signature, Suite, TargetFactory, Workbench,
};

use super::store::Stored;
use super::stored::Seen;
use super::{CliError, Common, Exit, command, programs, select, store, stored, vectors};

/// The most runs for minimizing a case that hangs each time.
const HANGS: usize = 24;

/// Runs one case again, or several one directly after the other, or the tests of a file.
pub(super) fn replay(common: &Common, what: &[String]) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    if let [file, ids @ ..] = what
        && Path::new(file).exists()
    {
        return replay_file(common, &suite, Path::new(file), ids);
    }
    if let [text, filters @ ..] = what
        && ProgramId::parse(text, &suite).is_ok()
    {
        return programs::replay(common, &suite, text, filters);
    }
    if let [line] = what
        && line.contains(' ')
        && let Ok(text) = line.parse::<CaseText>()
    {
        let (value, isa) = text.read(&suite).map_err(|error| CliError::Usage(error.to_string()))?;
        return replay_value(common, &isa, &value, line);
    }
    let cases = what.iter().map(|text| case_id(&suite, text)).collect::<Result<Vec<_>, _>>()?;
    let [before @ .., (id, isa)] = &cases[..] else {
        return Err(CliError::Usage("replay takes a case id or a file".to_string()));
    };
    let unit = |id: &CaseId| (id.isa, id.instruction.index, id.edition, id.seed);
    if before.iter().any(|(other, _)| unit(other) != unit(id)) {
        let why = "cases that run one after the other are of one instruction, edition and seed";
        return Err(CliError::Usage(why.to_string()));
    }
    let pools = Pools::new(isa.isa, id.seed);
    let generator = Generator::new(isa.isa, id.instruction, id.edition, id.seed, pools);
    tandem_harness::quiet_panics();
    let mut bench = Workbench::new(generator, isa);
    if bench.slots.is_empty() {
        return Err(no_target(&id.instruction.path()));
    }
    for (other, _) in before {
        bench.enter_epoch(other.index);
        let _ = bench.run(other);
    }
    bench.enter_epoch(id.index);
    let ran = bench.run(id);
    let value = tandem_harness::take_value(isa, id, &mut |_| false);
    let mut verdicts = Vec::new();
    let mut found = false;
    for (index, (slot, outcome)) in bench.slots.iter().zip(bench.outcomes()).enumerate() {
        // What was changed behind the log shows in the whole arena, which equals the background between cases.
        let strays = bench.strays(index);
        let strayed = CaseOutcome::Diverged(strays.clone());
        let outcome = if strays.is_empty() || matches!(outcome, CaseOutcome::Diverged(_)) { outcome } else { &strayed };
        let (word, lines) = match outcome {
            CaseOutcome::Agreed if ran.expectation.required_answer().is_none() => ("survived", Vec::new()),
            CaseOutcome::Agreed => ("agrees", Vec::new()),
            CaseOutcome::Unsupported => ("unsupported", Vec::new()),
            CaseOutcome::Strayed => ("strayed", Vec::new()),
            CaseOutcome::Unjudged | CaseOutcome::Unanswered => ("not judged", Vec::new()),
            CaseOutcome::Diverged(differences) | CaseOutcome::Disputed(differences) => {
                let lines = differences.iter().flat_map(|one| explain::explain_difference(&value, one)).collect();
                let is_disputed = matches!(outcome, CaseOutcome::Disputed(_));
                (if is_disputed { "differs in what is disputed" } else { "diverges" }, lines)
            }
        };
        found |= matches!(outcome, CaseOutcome::Diverged(_) | CaseOutcome::Strayed);
        verdicts.push((slot.info.to_string(), word, lines));
    }
    tell(common, isa, (&id.to_string(), &value), &verdicts);
    Ok(if found { Exit::NewFinding } else { unless_nothing_was_shown(is_shown(&verdicts)) })
}

/// What each target did, by its name: a word, and what differs.
type Verdicts = Vec<(String, &'static str, Vec<String>)>;

fn is_shown(verdicts: &Verdicts) -> bool {
    verdicts.iter().any(|(_, word, _)| !["unsupported", "not judged"].contains(word))
}

/// Prints what came of a case, which is called `name`.
fn tell(common: &Common, isa: &IsaSuite, (name, value): (&str, &CaseValue), verdicts: &Verdicts) {
    if common.json {
        let list: Vec<_> = verdicts
            .iter()
            .map(|(target, verdict, lines)| json!({ "target": target, "verdict": verdict, "differences": lines }))
            .collect();
        let expectation = explain::expectation(isa, value).name();
        outln!("{}", json!({ "case": name, "expectation": expectation, "targets": list }));
        return;
    }
    outln!("{name}: {}", value.instruction.print(&value.code));
    outln!("the pages specify: {}", promise(isa, value));
    for (target, verdict, lines) in verdicts {
        outln!("{target}: {verdict}");
        lines.iter().for_each(|line| outln!("  {line}"));
    }
}

/// Runs a case by value on every target that implements its instruction.
fn replay_value(common: &Common, isa: &IsaSuite, value: &CaseValue, line: &str) -> Result<Exit, CliError> {
    tandem_harness::quiet_panics();
    let targets: Vec<_> = isa.targets.iter().filter(|factory| factory.implements(value.instruction)).collect();
    if targets.is_empty() {
        return Err(no_target(&value.instruction.path()));
    }
    let mut verdicts = Vec::new();
    for factory in targets {
        let mut minimizer = Minimizer::new(isa, factory);
        let differences = minimizer.run(value);
        let word = match &differences {
            _ if minimizer.is_refused() => "unsupported",
            _ if minimizer.disputed().is_some() => "differs in what is disputed",
            None => "survived",
            Some(differences) if differences.is_empty() => "agrees",
            Some(_) => "diverges",
        };
        let lines = differences.iter().flatten().flat_map(|one| explain::explain_difference(value, one)).collect();
        verdicts.push((factory.info.to_string(), word, lines));
    }
    tell(common, isa, (line, value), &verdicts);
    let found = verdicts.iter().any(|(_, word, _)| *word == "diverges");
    Ok(if found { Exit::NewFinding } else { unless_nothing_was_shown(is_shown(&verdicts)) })
}

/// How cases end of which none is wrong.
pub(super) fn unless_nothing_was_shown(is_shown: bool) -> Exit {
    if is_shown {
        return Exit::Agree;
    }
    errln!("tandem: no target answered what was asked, so nothing was shown; name one that does with --target");
    Exit::Holes
}

fn promise(isa: &IsaSuite, value: &CaseValue) -> String {
    let expectation = explain::expectation(isa, value);
    match expectation.citation() {
        None => "done".to_string(),
        Some(cite) => {
            format!(
                "{} ({}, commit {}, {}: {})",
                expectation.name(),
                cite.page.title,
                &cite.page.commit[..8],
                cite.place,
                cite.reason
            )
        }
    }
}

/// The tests of a file, or those with these ids.
fn replay_file(common: &Common, suite: &Suite, path: &Path, ids: &[String]) -> Result<Exit, CliError> {
    let (mut file, isa) = open(suite, path)?;
    if !ids.is_empty() {
        keep_only(&mut file, path, ids)?;
    }
    if let Some(about) = &file.finding {
        // Whether it is known is no question here: somebody wants to see it.
        let seen = stored::look(common, suite, (path, &file), ("replay", &Known::default()))?;
        if let Seen::NotLoaded(what) = seen {
            return Err(CliError::Target(format!("{}: {what}", path.display())));
        }
        let own = about.signature(file.instruction);
        if common.json {
            outln!("{}", json!({ "stored": seen.json(path, &own) }));
        } else {
            seen.print(path, &own);
        }
        return Ok(seen.exit());
    }
    let result = Replayer::new(isa).replay(&file, &BTreeMap::new(), select::edition(common)?);
    let (mut exit, mut failed) = (Exit::Agree, Vec::new());
    for run in result.failures() {
        let (edition, subject, what) = (run.edition.name(), run.subject.to_string(), stored::words(&run.verdict));
        if common.json {
            failed.push(json!({ "test": run.id, "edition": edition, "subject": subject, "what": what }));
        } else {
            outln!("{} in {edition}: {subject}: {what}", run.id);
        }
        exit = stored::worse(exit, if run.subject == Subject::Reference { Exit::Vectors } else { Exit::NewFinding });
    }
    let (columns, runs) = (result.columns(), result.runs.len());
    if common.json {
        outln!("{}", json!({ "file": path, "tests": columns.tests(), "runs": runs, "failed": failed }));
    } else {
        outln!("{}: {}, {runs} runs, {} failed", path.display(), vectors::told(&columns), result.failures().count());
    }
    if exit == Exit::Agree && columns.of(Column::NotImplemented) == columns.tests() {
        return Err(no_target(&file.instruction.path()));
    }
    Ok(stored::worse(exit, vectors::shown(&columns)))
}

/// Leaves a file with the tests of these ids.
fn keep_only(file: &mut VectorFile, path: &Path, ids: &[String]) -> Result<(), CliError> {
    let (isa, instruction) = (file.isa, file.instruction);
    let known: BTreeSet<String> = file.tests().map(|(_, test)| test.id(isa, instruction)).collect();
    if let Some(id) = ids.iter().find(|id| !known.contains(*id)) {
        return Err(CliError::Usage(format!(
            "{}: no test has the id '{id}'; its {} tests are named by `id`, 16 hex digits",
            path.display(),
            known.len()
        )));
    }
    file.retain(|test| ids.contains(&test.id(isa, instruction)));
    Ok(())
}

/// That nobody of this run implements an instruction, so that nothing was compared.
fn no_target(instruction: &str) -> CliError {
    CliError::Target(format!(
        "no target of this run implements {instruction}, so nothing was compared; name one that does with --target, or \
         leave out --target and --targets"
    ))
}

/// Makes the failing cases of a file smaller, and writes each beside it.
pub(super) fn minimize(common: &Common, path: &Path) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    let (file, isa) = open(&suite, path)?;
    tandem_harness::quiet_panics();
    let rows = common.json.then(Vec::new);
    let mut work = Smaller { isa, path, failing: 0, answered: 0, exit: Exit::Agree, rows };
    match &file.finding {
        Some(about) => {
            let factories = stored::targets(isa, &file, about, ("minimize", path));
            let factories = factories.map_err(|what| CliError::Target(format!("{}: {what}", path.display())))?;
            for value in file.case_values() {
                for factory in &factories {
                    work.stored(factory, &value, about)?;
                }
            }
        }
        None => {
            for value in file.case_values() {
                for factory in isa.targets.iter().filter(|factory| factory.implements(file.instruction)) {
                    work.vector(factory, &value, &command::options(common))?;
                }
            }
        }
    }
    if work.failing == 0 && work.answered == 0 && work.exit == Exit::Agree && file.finding.is_none() {
        work.exit = unless_nothing_was_shown(false);
    }
    if let Some(rows) = work.rows {
        outln!("{}", json!({ "file": path, "minimized": rows }));
    } else if work.failing == 0 && work.exit == Exit::Agree {
        outln!("{}: every case agrees on every target; there is nothing to minimize", path.display());
    }
    Ok(work.exit)
}

/// Makes cases smaller, and counts those that fail.
struct Smaller<'a> {
    isa: &'a IsaSuite,
    path: &'a Path,
    failing: usize,
    /// Cases of vectors that a target answered, or survived.
    answered: usize,
    exit: Exit,
    /// What came of each case, if that is printed as JSON.
    rows: Option<Vec<Value>>,
}

/// What came of a case.
struct Came<'a> {
    key: &'a Signature,
    target: &'a TargetFactory,
    what: String,
    /// The smallest case, and where it was written.
    smallest: Option<(&'a Minimized, Option<&'a Path>)>,
    lines: Vec<String>,
}

impl<'a> Came<'a> {
    /// No smallest case, but words.
    fn words(key: &'a Signature, target: &'a TargetFactory, what: &str) -> Self {
        Came { key, target, what: what.to_string(), smallest: None, lines: Vec::new() }
    }
}

impl Smaller<'_> {
    fn tell(&mut self, came: &Came<'_>) {
        let Came { key, target, what, smallest, lines } = came;
        let Some(rows) = &mut self.rows else {
            outln!("{key} ({}): {what}", target.info);
            lines.iter().for_each(|line| outln!("  {line}"));
            return;
        };
        let smallest = smallest.as_ref().map(|(small, file)| {
            json!({
                "size": small.value.size(), "proven": small.proven, "runs": small.runs,
                "case": CaseText::of(&small.value), "file": file,
            })
        });
        rows.push(json!({
            "signature": SignaturePart::of(key), "target": target.info.to_string(), "what": what, "smallest": smallest,
            "lines": lines,
        }));
    }

    /// Makes the case of a stored finding smaller, by the finding's own key.
    fn stored(&mut self, factory: &TargetFactory, value: &CaseValue, about: &About) -> Result<(), CliError> {
        let mut minimizer = Minimizer::new(self.isa, factory);
        let before = |one: &Before| one.case_value(value.isa, value.instruction, value.edition);
        minimizer.after = about.after.iter().map(before).collect();
        let own = about.signature(value.instruction);
        let times = if own.kind == Kind::Nondeterministic { 16 } else { 1 };
        let differences = minimizer.run_until_different(value, times).unwrap_or_default();
        let now = Signature::of(&own.instruction, &own.target, self.isa.isa.layout, &differences);
        let Some(now) = now else {
            let path = self.path.display();
            if about.shows {
                self.tell(&Came::words(&own, factory, "does not happen any more"));
            } else {
                errln!("tandem: {path}: {own} ({}): only a whole run shows it; nothing to minimize", factory.info);
                self.exit = stored::worse(self.exit, Exit::Holes);
            }
            return Ok(());
        };
        self.exit = stored::worse(self.exit, Exit::NewFinding);
        if own.kind == Kind::Nondeterministic {
            let what = "still happens; what is answered differently each time has no smallest case";
            self.tell(&Came::words(&own, factory, what));
            self.failing += 1;
            return Ok(());
        }
        if now != own {
            self.tell(&Came::words(&own, factory, &format!("its case goes wrong otherwise now: {now}")));
        }
        self.minimize(factory, minimizer, value, &About { place: now.place, kind: now.kind, ..about.clone() })
    }

    /// Makes the case of a recorded vector smaller, if it fails.
    fn vector(&mut self, factory: &TargetFactory, value: &CaseValue, options: &[String]) -> Result<(), CliError> {
        let mut minimizer = Minimizer::new(self.isa, factory);
        let differences = minimizer.run(value).unwrap_or_default();
        self.answered += usize::from(!minimizer.is_refused());
        let path = value.instruction.path();
        let Some(key) = Signature::of(&path, &factory.info.name, self.isa.isa.layout, &differences) else {
            return Ok(());
        };
        self.exit = stored::worse(self.exit, Exit::NewFinding);
        let Signature { target, place, kind, .. } = key;
        let (classes, bits) = (BTreeMap::new(), Vec::new());
        let about = About {
            target,
            place,
            kind,
            shows: true,
            options: options.to_vec(),
            classes,
            bits,
            rules: Vec::new(),
            after: Vec::new(),
        };
        self.minimize(factory, minimizer, value, &about)
    }

    fn minimize(
        &mut self,
        factory: &TargetFactory,
        mut minimizer: Minimizer,
        value: &CaseValue,
        about: &About,
    ) -> Result<(), CliError> {
        self.failing += 1;
        let key = about.signature(value.instruction);
        let limits = match key.kind {
            // Each run costs the time limit.
            Kind::Hang => MinimizeLimits { runs: HANGS },
            // Each run begins the target anew.
            Kind::Crash | Kind::Malformed => MinimizeLimits { runs: RUNS_ANEW },
            _ => MinimizeLimits::default(),
        };
        let Some(smallest) = minimizer.minimize(value, &key, limits) else {
            let what = "happened once, and not again when its case was run for the second time";
            self.tell(&Came::words(&key, factory, what));
            return Ok(());
        };
        let proven = if smallest.proven { "proven minimal" } else { "not proven minimal" };
        let what = format!("size {}, {proven}, {} runs", smallest.value.size(), smallest.runs);
        let Minimized { value, after, differences, .. } = &smallest;
        let lines = explain::in_order(after, &[]).into_iter();
        let mut lines: Vec<String> = lines.chain(explain::explain(self.isa, value, differences)).collect();
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let out = self.path.with_file_name(format!("{stem}.min-{}.json", self.failing));
        let met = format!("{} minimized", self.path.display());
        let about = About { after: after.iter().map(Before::of).collect(), ..about.clone() };
        let stored = Stored { value, after, shows: true, met: &met, options: &about.options };
        let is_written = store::about_case(&out, self.isa, &about, &stored)?;
        let file = is_written.then_some(&*out);
        lines.extend(file.map(|file| format!("written to {}", file.display())));
        self.tell(&Came { key: &key, target: factory, what, smallest: Some((&smallest, file)), lines });
        Ok(())
    }
}

pub(super) fn open<'a>(suite: &'a Suite, path: &Path) -> Result<(VectorFile, &'a IsaSuite), CliError> {
    let file = read_file(ISAS, path)?;
    let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
    Ok((file, isa))
}

pub(super) fn case_id(suite: &Suite, what: &str) -> Result<(CaseId, IsaSuite), CliError> {
    if what.contains('/') || what.ends_with(".json") {
        return Err(CliError::Usage(format!("there is no file '{what}'; check the path, or name a case by its id")));
    }
    Ok(CaseId::parse(what, suite)?)
}
