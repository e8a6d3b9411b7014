//! `tandem challenge`: recordings from others.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tandem_cases::ISAS;
use tandem_challenge::{
    ANSWER_FILES, COLLECTION_FILE, Challenge, Checked, Collection, DrawnChallenge, Facts, Flag, FlagKind, HEAD_FILE,
    RECORD_FILE, RECORDS, RUN_FILES, Record, check, draw,
};
use tandem_harness::Suite;
use tandem_harness::vectors::{Results, Store, VectorError};

use super::sign;
use crate::cli::args::{Answered, ChallengeAction, Ingest, New, Sent};
use crate::cli::{CliError, Exit, files, select, stored};
use crate::wiring;

/// What nothing that is checked here excludes.
const LIMITS: [&str; 4] = [
    "answers that a program computed which does what the pages promise, as our reference does, if somebody made up those to \
     tests for which the pages promise nothing: tests, pages and reference are public",
    "an earlier recording that was sorted anew, test by test, into this challenge",
    "two boards that answer alike, or that share the tests in the same way in both runs",
    "that what is said of the machine is wrong: a signature says who stands for it, not that it is so",
];

pub(in crate::cli) fn run(action: &ChallengeAction) -> Result<Exit, CliError> {
    match action {
        ChallengeAction::New(asked) => new(asked),
        ChallengeAction::Record(asked) => record(asked),
        ChallengeAction::Check(sent) => {
            let examined = examine_all(sent)?;
            report(&examined, None, sent.common().json);
            Ok(exit(&examined))
        }
        ChallengeAction::Ingest(asked) => ingest(asked),
    }
}

/// The results to a challenge, and the tests that were asked.
pub(in crate::cli) fn results(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    store: &Store,
) -> Result<(Results, Vec<String>), CliError> {
    let (results, tests) = Challenge::read(ISAS, folder)?.results(name, bytes, store)?;
    Ok((results, tests.into_iter().collect()))
}

fn new(asked: &New) -> Result<Exit, CliError> {
    let (common, suite, out) = (asked.common(), wiring::suite(), &asked.out);
    let head = out.join(HEAD_FILE);
    if head.exists() {
        let message = format!("{}: there is a challenge already; name another --out", head.display());
        return Err(CliError::Usage(message));
    }
    files::try_folder(out)?;
    let chosen = select::instructions(&suite, &asked.filters)?;
    let is_chosen = |one: &tandem_isa::Instruction| chosen.iter().any(|chosen| std::ptr::eq(*chosen, one));
    let store = Store::load_of(ISAS, &common.vectors, &is_chosen)?;
    let nonce = asked.nonce.clone().unwrap_or_else(fresh_nonce);
    let DrawnChallenge { head: drawn, texts } = draw(&suite, &store, &nonce, asked.tests.get());
    if drawn.tests == 0 {
        return Err(VectorError::NoVectors { file: common.vectors.display().to_string() }.into());
    }
    for (file, text) in RUN_FILES.iter().zip(&texts) {
        files::write(&out.join(file), text)?;
    }
    files::write(&head, drawn.to_text())?;
    if common.json {
        out!("{}", drawn.to_text());
    } else {
        let lines = drawn.runs[0].lines;
        let [first, second] = RUN_FILES;
        outln!("{}: nonce {nonce}", out.display());
        outln!(
            "{lines} lines in {first} and in {second}: {} tests of {} instructions, {} without a promise, {} asked twice",
            drawn.tests,
            drawn.instructions.len(),
            drawn.unpromised,
            drawn.repeated
        );
    }
    if drawn.unpromised == 0 {
        noteln!(
            "tandem: no test was found for which the pages promise nothing and an answer tells; a copied reference does not show"
        );
    }
    Ok(Exit::Agree)
}

/// A nonce that nobody foresees: the standard library draws keys from the system.
fn fresh_nonce() -> String {
    let keys = RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one(0_u8), keys.hash_one(1_u8))
}

fn record(asked: &Answered) -> Result<Exit, CliError> {
    let Answered { operator, board, chip, revision, firmware, clock, tools, command, .. } = asked;
    let [operator, board, chip, revision, firmware, clock, tools, command] =
        [operator, board, chip, revision, firmware, clock, tools, command].map(String::clone);
    let facts = Facts { operator, board, chip, revision, firmware, clock, tools, command };
    let challenge = Challenge::read(ISAS, &asked.challenge)?;
    let read = |path: &PathBuf| Ok::<_, CliError>((path.display().to_string(), files::read_bytes(path)?));
    let runs = [read(&asked.first)?, read(&asked.second)?];
    let record = Record::of(&challenge, facts, &runs)?;
    let (out, text) = (&asked.out, record.to_text());
    for (file, (_, bytes)) in ANSWER_FILES.iter().zip(&runs) {
        files::write(&out.join(file), bytes)?;
    }
    let path = out.join(RECORD_FILE);
    files::write(&path, &text)?;
    if let Some(key) = &asked.sign {
        sign::sign(&path, key)?;
    }
    if asked.common().json {
        out!("{text}");
    } else {
        outln!("{}: record {}", path.display(), record.digest());
    }
    Ok(Exit::Agree)
}

/// A record that was looked at.
struct Examined<'a> {
    folder: &'a Path,
    /// What it is, or why it is refused.
    came: Result<Sound, CliError>,
    /// What became of it in a collection.
    taken: Option<bool>,
}

/// A record that is not refused.
struct Sound {
    record: Record,
    checked: Checked,
    /// Whether a signature was verified.
    is_signed: bool,
}

impl Examined<'_> {
    fn verdict(&self) -> &'static str {
        match &self.came {
            Err(_) => "refused",
            Ok(sound) if sound.checked.flags.is_empty() => "accepted",
            Ok(_) => "flagged",
        }
    }
}

fn examine_all(sent: &Sent) -> Result<Vec<Examined<'_>>, CliError> {
    let suite = wiring::references();
    let challenges: Vec<Challenge> =
        sent.challenge.iter().map(|folder| Challenge::read(ISAS, folder)).collect::<Result<_, _>>()?;
    let look = |folder| Examined { folder, came: examine(&suite, &challenges, sent, folder), taken: None };
    Ok(sent.records.iter().map(|folder| look(folder.as_path())).collect())
}

fn examine(suite: &Suite, challenges: &[Challenge], sent: &Sent, folder: &Path) -> Result<Sound, CliError> {
    let (record, runs) = Record::read(folder)?;
    let path = folder.join(RECORD_FILE);
    let refuse = |place: &str, message: String| {
        let (file, place) = (path.display().to_string(), place.to_string());
        CliError::Vectors(VectorError::Recording { file, place, message })
    };
    let challenge = challenges.iter().find(|challenge| challenge.digest == record.challenge).ok_or_else(|| {
        let message = format!(
            "it answers the challenge {}, which is none of those given: name its folder with --challenge, or have the \
             challenge answered that you gave out",
            record.challenge
        );
        refuse("/challenge", message)
    })?;
    let mut is_signed = false;
    let mut unsigned = None;
    if let Some(signers) = &sent.signers {
        is_signed = sign::of(&path).exists();
        if is_signed {
            sign::verify(&path, signers, &record.facts.operator)?.map_err(|said| {
                refuse("its signature", format!("{said}; get a record that '{}' signed", record.facts.operator))
            })?;
        } else {
            let message = format!("there is no {}", sign::of(&path).display());
            unsigned = Some(Flag { kind: FlagKind::Unsigned, message });
        }
    }
    let mut checked = check(suite, challenge, &record, &runs)?;
    checked.flags.extend(unsigned);
    Ok(Sound { record, checked, is_signed })
}

fn ingest(asked: &Ingest) -> Result<Exit, CliError> {
    let (into, vectors) = (&asked.into, asked.common().vectors);
    files::try_folder(into)?;
    if is_within(into, &vectors) {
        let message = "it lies among the recorded vectors, which stay as they are; name another folder";
        return Err(CliError::Usage(format!("--into {}: {message}", into.display())));
    }
    let mut collection = Collection::read(ISAS, into)?;
    let mut examined = examine_all(&asked.sent)?;
    for one in &mut examined {
        let Ok(Sound { record, checked, .. }) = &mut one.came else { continue };
        let name = collection.add(record, checked);
        one.taken = Some(name.is_some());
        if let Some(name) = name {
            keep(one.folder, &into.join(RECORDS).join(name))?;
        }
    }
    files::write(&into.join(COLLECTION_FILE), collection.to_text())?;
    report(&examined, Some(&collection), asked.sent.common().json);
    Ok(exit(&examined))
}

/// Whether a folder lies below another one, whatever the paths look like.
fn is_within(folder: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(folder).zip(whole(other)).is_some_and(|(folder, other)| folder.starts_with(other))
}

/// Copies a record to where it is kept.
fn keep(folder: &Path, to: &Path) -> Result<(), CliError> {
    for file in [ANSWER_FILES[0], ANSWER_FILES[1], RECORD_FILE] {
        files::write(&to.join(file), files::read_bytes(&folder.join(file))?)?;
    }
    let signature = sign::of(&folder.join(RECORD_FILE));
    if signature.exists() {
        files::write(&sign::of(&to.join(RECORD_FILE)), files::read_bytes(&signature)?)?;
    }
    Ok(())
}

/// The worst of what came of records.
fn exit(examined: &[Examined<'_>]) -> Exit {
    let of = |one: &Examined<'_>| match &one.came {
        Err(error) => error.exit(),
        Ok(sound) if sound.checked.flags.is_empty() => Exit::Agree,
        Ok(_) => Exit::NewFinding,
    };
    examined.iter().map(of).reduce(stored::worse).unwrap_or(Exit::Agree)
}

fn report(examined: &[Examined<'_>], collection: Option<&Collection>, as_json: bool) {
    if as_json {
        let records: Vec<Value> = examined.iter().map(record_json).collect();
        let collection = collection.map(collection_json);
        outln!("{}", json!({ "records": records, "collection": collection, "not_excluded": LIMITS }));
        return;
    }
    examined.iter().for_each(print_record);
    if let Some(collection) = collection {
        let (tests, conflicts, unlike) = (collection.len(), collection.conflicts(), collection.unlike_reference());
        outln!("collected: {tests} tests, {conflicts} with conflicting answers, {unlike} answers unlike the reference");
        for ((boards, operators), answers) in collection.grades() {
            outln!("  {answers} answers seen by {boards} boards of {operators} operators");
        }
    }
    outln!("not excluded by any of this:");
    LIMITS.iter().for_each(|limit| outln!("  {limit}"));
}

fn print_record(one: &Examined<'_>) {
    let (folder, verdict) = (one.folder.display(), one.verdict());
    match &one.came {
        Err(error) => errln!("tandem: {folder}: {verdict}: {error}"),
        Ok(Sound { record, checked, is_signed }) => {
            let Facts { operator, board, chip, .. } = &record.facts;
            let signed = if *is_signed { ", signature verified" } else { "" };
            let known = if one.taken == Some(false) { "; its answers are collected already" } else { "" };
            outln!("{folder}: {verdict}: chip '{chip}', board '{board}', operator '{operator}'{signed}{known}");
            let places = checked.places;
            outln!(
                "  {} tests; of {} without a promise {} have answers of its own, {} those of the reference, {} none",
                checked.len(),
                places.asked,
                places.own(),
                places.like_reference,
                places.silent
            );
            for Flag { kind, message } in &checked.flags {
                outln!("  {}: {message}", kind.name());
            }
        }
    }
}

fn record_json(one: &Examined<'_>) -> Value {
    let (folder, verdict, taken) = (one.folder, one.verdict(), one.taken);
    match &one.came {
        Err(error) => json!({ "folder": folder, "verdict": verdict, "why": error.to_string(), "taken": taken }),
        Ok(Sound { record, checked, is_signed }) => {
            let flags = checked.flags.iter().map(|flag| json!({ "kind": flag.kind.name(), "message": flag.message }));
            let places = checked.places;
            json!({
                "folder": folder, "verdict": verdict, "taken": taken, "record": record.digest(), "facts": record.facts,
                "signed": is_signed, "tests": checked.len(), "flags": flags.collect::<Vec<_>>(),
                "unpromised": {
                    "tests": places.asked, "own": places.own(), "like_reference": places.like_reference,
                    "silent": places.silent,
                },
            })
        }
    }
}

fn collection_json(collection: &Collection) -> Value {
    let grade =
        |((boards, operators), answers)| json!({ "boards": boards, "operators": operators, "answers": answers });
    json!({
        "tests": collection.len(), "conflicts": collection.conflicts(), "unlike_reference": collection.unlike_reference(),
        "grades": collection.grades().into_iter().map(grade).collect::<Vec<_>>(),
    })
}
