//! Which lines of the reference no case reaches: a line of a page that no case comes to is held by nothing.
//!
//! `just coverage` fuzzes with counters in the code, and hands what LLVM's tools make of them, as lcov, to this program:
//! `coverage LCOV`. It writes `reports/coverage.md`, and fails if a line is not reached that `reference/unreached.toml` does
//! not explain, or if that explains a line that is reached or is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use serde::Deserialize;

/// Where the lines are that a page is transcribed to, …
const SOURCES: &str = "reference/src/";
/// … and what lies beside them: what reads their comments.
const BESIDE: &str = "statements.rs";
const EXPLAINED: &str = "reference/unreached.toml";
const REPORT: &str = "reports/coverage.md";

/// Why some lines of a file are not reached.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    /// The lines, without what stands before and behind them.
    lines: Vec<String>,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explained {
    #[serde(default)]
    unreached: Vec<Entry>,
}

/// How often each line of a file was reached, by its number.
type Lines = BTreeMap<usize, u64>;

fn main() -> ExitCode {
    let result = match &env::args().skip(1).collect::<Vec<_>>()[..] {
        [lcov] => run(Path::new(lcov)),
        _ => Err("usage: coverage LCOV; `just coverage` makes the file".to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("coverage: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(lcov: &Path) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = counted(root, &read(lcov)?)?;
    if files.is_empty() {
        return Err(format!("{}: no line of {SOURCES} is counted in it", lcov.display()));
    }
    let explained: Explained =
        toml::from_str(&read(&root.join(EXPLAINED))?).map_err(|error| format!("{EXPLAINED}: {error}"))?;
    let mut used: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut unexplained = Vec::new();
    let mut table = String::new();
    let (mut all, mut reached) = (0, 0);
    for (name, mut lines) in files {
        let text = read(&root.join(SOURCES).join(&name))?;
        let text: Vec<&str> = text.lines().map(str::trim).collect();
        let readings = readings(&text);
        lines.retain(|number, _| !readings.contains(number));
        let missed: Vec<usize> = lines.iter().filter(|&(_, &times)| times == 0).map(|(&number, _)| number).collect();
        for number in &missed {
            let line = text.get(number - 1).ok_or_else(|| format!("{name}: it has no line {number} any more"))?;
            let entries = explained.unreached.iter().enumerate();
            let mut of = entries.filter(|(_, entry)| entry.file == name && entry.lines.iter().any(|one| one == line));
            match of.next() {
                Some((entry, _)) => _ = used.insert((entry, (*line).to_string())),
                None => unexplained.push(format!("{SOURCES}{name}:{number}: {line}")),
            }
        }
        all += lines.len();
        reached += lines.len() - missed.len();
        writeln!(table, "| `{name}` | {} | {} |", lines.len(), missed.len()).expect("a string takes it");
    }
    let mut wrong = unexplained;
    for (place, entry) in explained.unreached.iter().enumerate() {
        let stale = entry.lines.iter().filter(|line| !used.contains(&(place, (*line).clone())));
        wrong.extend(stale.map(|line| format!("{EXPLAINED}: {}: `{line}` is reached, or not there", entry.file)));
    }
    let report = report(&explained, &table, (all, reached));
    fs::write(root.join(REPORT), report).map_err(|error| format!("{REPORT}: {error}"))?;
    println!("{reached} of {all} lines reached; {REPORT} is written");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The numbers of the lines that are another reading of an erratum: in a `reads!`, what stands behind the first name of one.
fn readings(text: &[&str]) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    // How many brackets of the call are open, and whether a name came.
    let mut call: Option<(usize, bool)> = None;
    for (number, line) in (1..).zip(text) {
        let code = match (call, line.split_once("reads!(")) {
            (None, Some((_, rest))) => {
                call = Some((1, false));
                rest
            }
            _ => line,
        };
        let Some((open, is_named)) = &mut call else { continue };
        *is_named |= code.starts_with('"');
        if *is_named {
            all.insert(number);
        }
        for letter in code.chars() {
            match letter {
                '(' => *open += 1,
                ')' => *open = open.saturating_sub(1),
                _ => {}
            }
            if *open == 0 {
                call = None;
                break;
            }
        }
    }
    all
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The lines of the reference that a file in lcov's format counts, by the file's name below [`SOURCES`].
fn counted(root: &Path, lcov: &str) -> Result<BTreeMap<String, Lines>, String> {
    let mut files: BTreeMap<String, Lines> = BTreeMap::new();
    let mut of: Option<String> = None;
    for (place, row) in lcov.lines().enumerate() {
        if let Some(path) = row.strip_prefix("SF:") {
            let path = PathBuf::from(path);
            let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let name = path.strip_prefix(SOURCES).filter(|name| !name.starts_with(BESIDE));
            of = name.map(String::from);
        } else if let (Some(name), Some(count)) = (&of, row.strip_prefix("DA:")) {
            let numbers = count.split(',').take(2).map(str::parse::<u64>).collect::<Result<Vec<_>, _>>();
            let Ok([line, times]) = numbers.as_deref() else {
                return Err(format!("line {} of the lcov file is `{row}`, not `DA:line,times`", place + 1));
            };
            *files.entry(name.clone()).or_default().entry(*line as usize).or_default() += times;
        }
    }
    Ok(files)
}

fn report(explained: &Explained, table: &str, (all, reached): (usize, usize)) -> String {
    let mut report = format!(
        "# Lines of the reference that cases reach\n\nWritten by `just coverage`, which fuzzes all instructions with counters in the \
         code. Of {all} lines with code {reached} were reached.\n\n| File | Lines | Not reached |\n|---|---:|---:|\n{table}\n## Not reached\n"
    );
    for Entry { file, lines, why } in &explained.unreached {
        write!(report, "\n`{file}`: {why}\n\n```text\n{}\n```\n", lines.join("\n")).expect("a string takes it");
    }
    report
}
