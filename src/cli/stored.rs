//! Stored findings: whether what a file is about still happens, with the targets of this run.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tandem_harness::report::known::Triage;
use tandem_harness::report::model::SignaturePart;
use tandem_harness::report::{Known, explain};
use tandem_harness::vectors::{About, Divergences, Replayer, Run, Subject, VectorFile, Verdict};
use tandem_harness::{CaseValue, IsaSuite, Signature, Suite, TargetFactory};

use super::{CliError, Common, Exit, command, select};
use crate::wiring;

/// Differences that are explained; the others are counted.
const MOST_DIFFERENCES: usize = 4;

/// What came of a stored finding.
pub(super) enum Seen {
    /// It still happens, or something else goes wrong in its case.
    Happens {
        /// What goes wrong now.
        signature: Option<Signature>,
        /// It in words.
        lines: Vec<String>,
        /// The entries of the list of known findings that cover it.
        known: Vec<String>,
    },
    /// It does not happen any more.
    Gone,
    /// Its target does not answer the case, or agrees where it agreed before: that shows nothing.
    Undecided(String),
    /// Its target is not part of this run; what to do.
    NotLoaded(String),
    /// The reference does not say any more what the file says.
    Stale(String),
}

impl Seen {
    /// The exit code.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Seen::Happens { known, .. } if known.is_empty() => Exit::NewFinding,
            Seen::Happens { .. } | Seen::Gone => Exit::Agree,
            Seen::Undecided(_) => Exit::Holes,
            Seen::NotLoaded(_) => Exit::Target,
            Seen::Stale(_) => Exit::Vectors,
        }
    }

    /// What came of the finding in a file, for programs.
    pub(super) fn json(&self, path: &Path, own: &Signature) -> Value {
        let (verdict, why) = match self {
            Seen::Happens { known, .. } if known.is_empty() => ("still happens", None),
            Seen::Happens { .. } => ("known", None),
            Seen::Gone => ("does not happen any more", None),
            Seen::Undecided(why) => ("undecided", Some(why)),
            Seen::NotLoaded(why) => ("not loaded", Some(why)),
            Seen::Stale(why) => ("stale", Some(why)),
        };
        let (signature, lines, known) = match self {
            Seen::Happens { signature, lines, known } => (signature.as_ref(), &lines[..], &known[..]),
            _ => (None, &[][..], &[][..]),
        };
        json!({
            "file": path, "signature": SignaturePart::of(own), "verdict": verdict, "why": why,
            "now": signature.map(SignaturePart::of), "differences": lines, "known": known,
        })
    }

    /// Prints what came of the finding in a file.
    pub(super) fn print(&self, path: &Path, own: &Signature) {
        let path = path.display();
        match self {
            Seen::Happens { signature, lines, known } => {
                let what = match signature {
                    Some(signature) if signature != own => format!("{own}: its case goes wrong otherwise: {signature}"),
                    _ => format!("{own}: still happens"),
                };
                let known = if known.is_empty() { String::new() } else { format!(" (known: {})", known.join(", ")) };
                outln!("{path}: {what}{known}");
                lines.iter().for_each(|line| outln!("  {line}"));
            }
            Seen::Gone => outln!("{path}: {own}: does not happen any more"),
            Seen::Undecided(why) => errln!("tandem: {path}: {own}: {why}"),
            Seen::NotLoaded(what) => errln!("tandem: {path}: {what}"),
            Seen::Stale(why) => errln!("tandem: {path}: {own}: {why}"),
        }
    }
}

/// The targets of this run that a stored finding is about.
///
/// # Errors
/// What to do if there is none.
pub(super) fn targets<'a>(
    isa: &'a IsaSuite,
    file: &VectorFile,
    about: &About,
    (verb, path): (&str, &Path),
) -> Result<Vec<&'a TargetFactory>, String> {
    let is_its = |factory: &&TargetFactory| factory.info.name == about.target && factory.implements(file.instruction);
    let found: Vec<&TargetFactory> = isa.targets.iter().filter(is_its).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let name = &about.target;
    let own = wiring::suite();
    let is_own = own.isas.iter().flat_map(|isa| &isa.targets).any(|factory| factory.info.name == *name);
    let next = if about.options.is_empty() && !is_own {
        "its results were recorded elsewhere; run its test there, and judge the result with `tandem vectors judge`"
            .to_string()
    } else {
        let verb = format!("{verb} {}", command::path_word(path));
        format!("`{}` looks for it again", command::with_options(&verb, &about.options))
    };
    Err(format!("this is a finding of '{name}', which is not part of this run; {next}"))
}

/// Runs a stored finding as it says, on its target.
pub(super) fn look(
    common: &Common,
    suite: &Suite,
    (path, file): (&Path, &VectorFile),
    (verb, known): (&str, &Known),
) -> Result<Seen, CliError> {
    let about = file.finding.as_ref().expect("the file holds a stored finding");
    let isa = suite.isa(file.isa.name).expect("files name an instruction set of this build");
    let factories = match targets(isa, file, about, (verb, path)) {
        Ok(factories) => factories,
        Err(what) => return Ok(Seen::NotLoaded(what)),
    };
    // It was met in an edition, whatever is usual with these targets.
    let edition = if common.edition.is_some() { select::edition(common)? } else { None };
    let mut replayer = Replayer::with_targets(isa, factories.iter().map(|factory| factory.make()).collect());
    let runs = replayer.replay(file, &BTreeMap::new(), edition).runs;
    let of_reference = |run: &&Run| run.subject == Subject::Reference;
    if let Some(run) = runs.iter().find(|run| of_reference(run) && run.verdict != Verdict::Agreed) {
        let why = format!(
            "the reference does not say any more what the file says ({}); run `tandem fuzz` again",
            words(&run.verdict)
        );
        return Ok(Seen::Stale(why));
    }
    let own = about.signature(file.instruction);
    let wrong = |run: &&Run| matches!(run.verdict, Verdict::Diverged { .. });
    let same =
        |run: &&Run| matches!(&run.verdict, Verdict::Diverged { signature, .. } if signature.as_ref() == Some(&own));
    if let Some(run) = runs.iter().find(same).or_else(|| runs.iter().find(wrong)) {
        return Ok(happens(isa, file, run, known));
    }
    if let Some(run) = runs.iter().find(|run| matches!(run.verdict, Verdict::Disputed { .. })) {
        let next = "no finding; --disputed makes one of it, and `tandem show` says what is disputed";
        return Ok(Seen::Undecided(format!("{}: {next}", words(&run.verdict))));
    }
    let is_right = |run: &Run| matches!(run.verdict, Verdict::Agreed | Verdict::Survived);
    let agreed = runs.iter().any(|run| !of_reference(&run) && is_right(run));
    let is_refused = |run: &Run| matches!(run.verdict, Verdict::Unsupported | Verdict::NotImplemented);
    Ok(if !agreed && runs.iter().any(is_refused) {
        Seen::Undecided("the target answers its case with `unsupported`, so nothing was shown".to_string())
    } else if !agreed {
        Seen::Undecided("its case holds in another edition; leave out --edition".to_string())
    } else if about.shows {
        Seen::Gone
    } else {
        Seen::Undecided(
            "its case agrees, as it did when it was stored: only a whole run shows it, so nothing was shown; run `tandem \
             fuzz` as it was run then"
                .to_string(),
        )
    })
}

fn happens(isa: &IsaSuite, file: &VectorFile, run: &Run, known: &Known) -> Seen {
    let Verdict::Diverged { differences, signature } = &run.verdict else { return Seen::Gone };
    let value = value_of(file, run);
    let mut lines: Vec<String> = value
        .iter()
        .flat_map(|value| differences.iter().map(move |one| explain::explain_difference(value, one)))
        .take(MOST_DIFFERENCES)
        .flatten()
        .collect();
    if differences.len() > MOST_DIFFERENCES {
        lines.push(format!("and {} more differences", differences.len() - MOST_DIFFERENCES));
    }
    let known = match Divergences::finding_of(isa, file, run).map(|finding| known.triage_finding(&finding)) {
        Some(Triage::Known { entries }) => entries,
        Some(Triage::New { .. }) | None => Vec::new(),
    };
    Seen::Happens { signature: signature.clone(), lines, known }
}

/// The case that was run.
fn value_of(file: &VectorFile, run: &Run) -> Option<CaseValue> {
    let (_, test) = file.tests().nth(run.place)?;
    Some(test.case_value(file.isa, file.instruction, run.edition))
}

/// A verdict in a few words.
pub(super) fn words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Agreed => "it agrees".to_string(),
        Verdict::Survived => "it survives".to_string(),
        Verdict::Unsupported => "unsupported".to_string(),
        Verdict::NotImplemented => "not implemented".to_string(),
        Verdict::Disputed { by, .. } => format!("it differs in what is disputed ({by})"),
        Verdict::Unpromised(outcome) => format!("the pages promise nothing: {outcome}"),
        Verdict::Diverged { signature: Some(signature), .. } => {
            format!("{} {}", signature.place, signature.kind.name())
        }
        Verdict::Diverged { signature: None, .. } => "it differs".to_string(),
    }
}

/// Which of two exit codes says more.
pub(super) fn worse(one: Exit, other: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Bug | Exit::Interrupted => 0,
        Exit::Usage | Exit::Full => 1,
        Exit::Vectors => 2,
        Exit::NewFinding => 3,
        Exit::Target => 4,
        Exit::KnownGone => 5,
        Exit::Holes => 6,
        Exit::Agree => 7,
    };
    if rank(one) <= rank(other) { one } else { other }
}
