//! `tandem replay`, `minimize` and `show`: single cases, by id or by file.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use tandem_cases::ISAS;
use tandem_harness::report::{CaseText, Known, explain};
use tandem_harness::vectors::{About, Before, Replayer, Store, Subject, VectorFile, read_file};
use tandem_harness::{
    CaseId, CaseOutcome, CaseValue, Generator, IsaSuite, Kind, MinimizeLimits, Minimized, Minimizer, Pools, ProgramId,
    RUNS_ANEW, Signature, Suite, TargetFactory, Workbench,
};
use tandem_isa::{Code, Edition};

use super::store::Stored;
use super::stored::Seen;
use super::{CliError, Common, Exit, command, programs, select, store, stored};

/// The most runs for minimizing a case that hangs each time.
const HANGS: usize = 24;

/// Runs one case again, or several one directly after the other, or the tests of a file.
pub(super) fn replay(common: &Common, what: &[String]) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    if let [file] = what
        && Path::new(file).exists()
    {
        return replay_file(common, &suite, Path::new(file));
    }
    if let [text] = what
        && ProgramId::parse(text, &suite).is_ok()
    {
        return programs::replay(common, &suite, text);
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
            CaseOutcome::Unjudged => ("not judged", Vec::new()),
            CaseOutcome::Diverged(differences) => {
                let lines = differences.iter().flat_map(|one| explain::explain_difference(&value, one)).collect();
                ("diverges", lines)
            }
        };
        found |= matches!(outcome, CaseOutcome::Diverged(_) | CaseOutcome::Strayed);
        verdicts.push((slot.info.to_string(), word, lines));
    }
    if common.json {
        let list: Vec<_> = verdicts
            .iter()
            .map(|(target, verdict, lines)| json!({ "target": target, "verdict": verdict, "differences": lines }))
            .collect();
        println!("{}", json!({ "case": id.to_string(), "expectation": ran.expectation.name(), "targets": list }));
    } else {
        println!("{id}: {}", id.instruction.print(&ran.code));
        println!("the pages promise: {}", promise(isa, &value));
        for (target, verdict, lines) in verdicts {
            println!("{target}: {verdict}");
            lines.iter().for_each(|line| println!("  {line}"));
        }
    }
    Ok(if found { Exit::NewFinding } else { Exit::Agree })
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

fn replay_file(common: &Common, suite: &Suite, path: &Path) -> Result<Exit, CliError> {
    let (file, isa) = open(suite, path)?;
    if let Some(about) = &file.finding {
        // Whether it is known is no question here: somebody wants to see it.
        let seen = stored::look(common, suite, (path, &file), ("replay", &Known::default()))?;
        if let Seen::NotLoaded(what) = seen {
            return Err(CliError::Target(format!("{}: {what}", path.display())));
        }
        seen.print(path, &about.signature(file.instruction));
        return Ok(seen.exit());
    }
    let result = Replayer::new(isa).replay(&file, &BTreeMap::new(), select::edition(common)?);
    let mut exit = Exit::Agree;
    for run in result.failures() {
        println!("{} in {}: {}: {}", run.id, run.edition.name(), run.subject, stored::words(&run.verdict));
        exit = stored::worse(exit, if run.subject == Subject::Reference { Exit::Vectors } else { Exit::NewFinding });
    }
    println!(
        "{}: {} tests, {} runs, {} failed",
        path.display(),
        result.tests,
        result.runs.len(),
        result.failures().count()
    );
    if exit == Exit::Agree && result.runs.iter().all(|run| run.subject == Subject::Reference) {
        return Err(no_target(&file.instruction.path()));
    }
    Ok(exit)
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
    let mut work = Smaller { isa, path, failing: 0, exit: Exit::Agree };
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
    if work.failing == 0 && work.exit == Exit::Agree {
        println!("{}: every case agrees on every target; there is nothing to minimize", path.display());
    }
    Ok(work.exit)
}

/// Makes cases smaller, and counts those that fail.
struct Smaller<'a> {
    isa: &'a IsaSuite,
    path: &'a Path,
    failing: usize,
    exit: Exit,
}

impl Smaller<'_> {
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
                println!("{path}: {own} ({}): does not happen any more", factory.info);
            } else {
                eprintln!("tandem: {path}: {own} ({}): only a whole run shows it; nothing to minimize", factory.info);
                self.exit = stored::worse(self.exit, Exit::Holes);
            }
            return Ok(());
        };
        self.exit = stored::worse(self.exit, Exit::NewFinding);
        if own.kind == Kind::Nondeterministic {
            println!(
                "{own} ({}): still happens; what is answered differently each time has no smallest case",
                factory.info
            );
            self.failing += 1;
            return Ok(());
        }
        if now != own {
            println!("{own}: its case goes wrong otherwise now: {now}");
        }
        self.minimize(factory, minimizer, value, &About { place: now.place, kind: now.kind, ..about.clone() })
    }

    /// Makes the case of a recorded vector smaller, if it fails.
    fn vector(&mut self, factory: &TargetFactory, value: &CaseValue, options: &[String]) -> Result<(), CliError> {
        let mut minimizer = Minimizer::new(self.isa, factory);
        let differences = minimizer.run(value).unwrap_or_default();
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
            println!(
                "{key} ({}): happened once, and not again when its case was run for the second time",
                factory.info
            );
            return Ok(());
        };
        println!(
            "{key} ({}): size {}, {}, {} runs",
            factory.info,
            smallest.value.size(),
            if smallest.proven { "proven minimal" } else { "not proven minimal" },
            smallest.runs
        );
        let Minimized { value, after, differences, .. } = &smallest;
        let lines = explain::in_order(after, &[]).into_iter();
        for line in lines.chain(explain::explain(self.isa, value, differences)) {
            println!("  {line}");
        }
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let out = self.path.with_file_name(format!("{stem}.min-{}.json", self.failing));
        let met = format!("{} minimized", self.path.display());
        let about = About { after: after.iter().map(Before::of).collect(), ..about.clone() };
        let stored = Stored { value, after, shows: true, met: &met, options: &about.options };
        if store::about_case(&out, self.isa, &about, &stored)? {
            println!("  written to {}", out.display());
        }
        Ok(())
    }
}

fn open<'a>(suite: &'a Suite, path: &Path) -> Result<(VectorFile, &'a IsaSuite), CliError> {
    let file = read_file(ISAS, path)?;
    let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
    Ok((file, isa))
}

fn case_id(suite: &Suite, what: &str) -> Result<(CaseId, IsaSuite), CliError> {
    if what.contains('/') || what.ends_with(".json") {
        return Err(CliError::Usage(format!("there is no file '{what}'; check the path, or name a case by its id")));
    }
    Ok(CaseId::parse(what, suite)?)
}

/// Explains a case, a file, a word or a text.
pub(super) fn show(common: &Common, what: &str) -> Result<Exit, CliError> {
    let suite = select::suite(common)?;
    if Path::new(what).exists() {
        let (file, isa) = open(&suite, Path::new(what))?;
        println!(
            "{what}: {} tests of {}, from {} {}",
            file.len(),
            file.instruction.path(),
            file.source.name,
            file.source.version
        );
        let values = file.case_values();
        for value in values.iter().take(if values.len() > 20 { 5 } else { 20 }) {
            show_value(common, isa, value);
        }
        if values.len() > 20 {
            println!("… and {} more", values.len() - 5);
        }
        return Ok(Exit::Agree);
    }
    if let Some((isa, code)) = decode(&suite, what)? {
        let instruction = isa.isa.decode(&code).expect("decoded");
        let edition = select::edition(common)?.unwrap_or(Edition::Newest);
        let mut value = CaseValue::base(isa.isa, instruction, edition);
        value.code = code;
        show_value(common, isa, &value);
        return Ok(Exit::Agree);
    }
    if what.len() == 16 && what.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return show_test(common, &suite, what);
    }
    if ProgramId::parse(what, &suite).is_ok() {
        return programs::show(common, &suite, what);
    }
    let (id, isa) = case_id(&suite, what)?;
    if !common.json {
        println!("{id}: seed {}, index {}", id.seed, id.index);
    }
    show_value(common, &isa, &tandem_harness::take_value(&isa, &id, &mut |_| false));
    Ok(Exit::Agree)
}

/// Explains a recorded test, by its id.
fn show_test(common: &Common, suite: &Suite, what: &str) -> Result<Exit, CliError> {
    let store = Store::load_of(ISAS, &common.vectors, &|_| true)?;
    for (path, file) in &store.files {
        let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
        let Some((_, test)) = file.tests().find(|(_, test)| test.id(file.isa, file.instruction) == what) else {
            continue;
        };
        if !common.json {
            println!("{what}: a test of {}", path.display());
        }
        let edition = select::edition(common)?.unwrap_or_else(|| test.newest());
        show_value(common, isa, &test.case_value(file.isa, file.instruction, edition));
        return Ok(Exit::Agree);
    }
    Err(CliError::Usage(format!("no test under {} has the id '{what}'", common.vectors.display())))
}

/// Reads a word such as `0x12002000`, or an instruction's text.
fn decode<'a>(suite: &'a Suite, what: &str) -> Result<Option<(&'a IsaSuite, Code)>, CliError> {
    let what = what.trim();
    if let Some(digits) = what.strip_prefix("0x") {
        let word = u32::from_str_radix(digits, 16)
            .map_err(|_| CliError::Usage(format!("'{what}' is not a word of at most 32 bits in hexadecimal")))?;
        let code = Code::new(&[word]);
        let isa = suite.isas.iter().find(|isa| isa.isa.decode(&code).is_some());
        return isa.map(|isa| Some((isa, code))).ok_or_else(|| {
            CliError::Usage(format!("no known instruction has the opcode of {what}; known: {}", opcodes(suite)))
        });
    }
    if !what.contains('(') {
        return Ok(None);
    }
    let mut why = Vec::new();
    for (isa, instruction) in suite.instructions() {
        match instruction.parse(what) {
            Ok(code) => return Ok(Some((isa, code))),
            Err(error) => why.push((instruction.name, error.to_string())),
        }
    }
    // Whoever wrote a mnemonic wants to know what is wrong with its operands. Longer names contain shorter ones.
    let upper = what.to_ascii_uppercase();
    why.sort_by_key(|(name, _)| (!upper.contains(name), std::cmp::Reverse(name.len())));
    Err(CliError::Usage(why.into_iter().next().map(|(_, error)| error).unwrap_or_default()))
}

fn opcodes(suite: &Suite) -> String {
    let list: Vec<String> = suite
        .instructions()
        .map(|(_, instruction)| format!("{} {:?}", instruction.name, Code::new(instruction.base_code)))
        .collect();
    list.join(", ")
}

fn show_value(common: &Common, isa: &IsaSuite, value: &CaseValue) {
    if common.json {
        let text = serde_json::to_string(&CaseText::of(value)).expect("a case serializes");
        println!("{text}");
        return;
    }
    for line in explain::explain(isa, value, &[]) {
        println!("{line}");
    }
    println!("  fields of the code:");
    for field in value.instruction.code_fields {
        println!("    {:14} = {}", field.name, field.get(&value.code));
    }
    let unnamed = value.code.iter().enumerate().any(|(word, bits)| bits & value.instruction.unnamed_bits(word) != 0);
    if unnamed {
        println!("    bits that no field names are set");
    }
    if let Some(cell) = value.cell() {
        println!("  cell {cell}: {}", (value.instruction.cells)(value.edition).describe(cell));
    }
}
