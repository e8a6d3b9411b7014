//! `tandem vectors import`: recordings of others as vectors.

use std::path::Path;

use serde_json::{Value, json};
use tandem_import::{Account, ImportError};

use crate::cli::args::Import;
use crate::cli::{CliError, Exit, files};
use crate::wiring;

pub(in crate::cli) fn run(asked: &Import) -> Result<Exit, CliError> {
    let (path, suite) = (&asked.file, wiring::suite());
    let text = files::read(path)?;
    let usage = |error: ImportError| CliError::Usage(error.to_string());
    let recording = tandem_import::read_recording(&path.display().to_string(), &text, &suite).map_err(usage)?;
    if asked.account {
        print_account(path, &recording.account, asked.json);
        return Ok(Exit::Agree);
    }
    let isa = suite.isa(recording.isa.name).expect("the recording was read with the suite");
    let say = |account: &Account| noteln!("{}: {}", path.display(), account.to_string().trim_end());
    if recording.tests.is_empty() {
        say(&recording.account);
    }
    let imported = recording.compare(isa).map_err(usage)?;
    say(&imported.account);
    for (edition, [done, stalled]) in &imported.agreed {
        noteln!("{}: {done} executed and {stalled} stalled lines agree with the reference", edition.name());
    }
    for (edition, count) in &imported.unpromised {
        noteln!("{}: for {count} lines, the page promises nothing", edition.name());
    }
    for one in &imported.disagreements {
        let what = tandem_import::describe(imported.file.isa, &one.verdict);
        errln!("line {} in {}: {what}", one.line, one.edition.name());
    }
    let file = match asked.covering {
        Some(count) => tandem_import::covering(&imported, count),
        None => imported.file,
    };
    out!("{}", file.to_text());
    if file.is_empty() {
        errln!("tandem: no line of {} became a test, so nothing was imported; --account says why", path.display());
        return Ok(Exit::Holes);
    }
    Ok(Exit::Agree)
}

fn print_account(path: &Path, account: &Account, as_json: bool) {
    if !as_json {
        out!("{}: {account}", path.display());
        return;
    }
    let left_out = account.left_out.iter().map(|(why, lines)| json!({ "why": why.to_string(), "lines": lines }));
    let left_out: Vec<Value> = left_out.collect();
    let Account { lines, outcomes, compared, .. } = account;
    outln!(
        "{}",
        json!({
            "file": path, "lines": lines, "outcomes": outcomes, "tests": account.tests(), "compared": compared,
            "left_out": left_out,
        })
    );
}
