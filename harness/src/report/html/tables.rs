//! What else the page shows: vectors, faults, how to replay, and the run.

use std::fmt::Write;

use super::super::model::{FaultPart, FaultsOfPart, Report, ResultPart, RunPart, VectorFilePart, VectorFindingPart};
use super::super::text::{counted, grouped, names, ranges, shortened};
use super::cells::Mark;
use super::{code, of_run, shape, text};
use crate::vectors::{Column, Columns};

/// Files of vectors, divergent tests of one file, and faults that are listed; the others are counted.
const MOST: usize = 400;
/// Faults that are listed.
const MOST_FAULTS: usize = 4_000;

fn scrolled(what: &str, table: &str) -> String {
    format!("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{what}\">{table}</div>\n")
}

fn head(columns: &[&str]) -> String {
    let columns: String = columns.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    format!("<thead><tr>{columns}</tr></thead>")
}

fn more(all: usize, most: usize) -> String {
    if all > most { format!("<p class=\"quiet\">and {} more</p>", grouped((all - most) as u64)) } else { String::new() }
}

/// Recorded vectors.
pub(super) fn vectors(result: &ResultPart) -> String {
    let Some(vectors) = &result.vectors else { return String::new() };
    let columns = vectors.columns();
    let mut html = format!(
        "<section id=\"vectors\"><h2>Recorded vectors</h2>\n<p>{}{} of {} tests in {} files agreed, {} divergent, {} revoked, {} \
         unsupported{}.</p>\n",
        shape(mark_of(&columns)),
        grouped(columns.of(Column::Agreed)),
        grouped(columns.tests()),
        grouped(vectors.list.len() as u64),
        grouped(columns.of(Column::Divergent)),
        grouped(columns.of(Column::Revoked)),
        grouped(columns.of(Column::Unsupported)),
        vectors.rare()
    );
    html.push_str(&vector_findings(&vectors.findings));
    let mut rows = String::new();
    for file in vectors.list.iter().take(MOST) {
        rows.push_str(&vector_row(file));
    }
    if !rows.is_empty() {
        let head = head(&["file", "tests", "agreed", "divergent", "revoked", "unsupported", "other"]);
        html.push_str(&scrolled(
            "Vectors",
            &format!("<table class=\"list numbers\">{head}<tbody>{rows}</tbody></table>"),
        ));
    }
    html + &more(vectors.list.len(), MOST) + "</section>\n"
}

/// Green is what a target agreed on.
fn mark_of(columns: &Columns) -> Mark {
    match columns.of(Column::Divergent) {
        0 if columns.answered() > 0 => Mark::Green,
        0 if columns.of(Column::Unsupported) > 0 => Mark::Unsupported,
        0 => Mark::Hole,
        _ => Mark::Finding,
    }
}

fn vector_row(file: &VectorFilePart) -> String {
    let columns = &file.columns;
    let own = [Column::Agreed, Column::Divergent, Column::Revoked, Column::Unsupported];
    let cells: String = own.iter().map(|&one| format!("<td>{}</td>", grouped(columns.of(one)))).collect();
    let other = Column::ALL.into_iter().filter(|one| !own.contains(one) && columns.of(*one) > 0);
    let other: Vec<String> = other.map(|one| format!("{} {}", grouped(columns.of(one)), one.name())).collect();
    let mut html = format!(
        "<tr><th scope=\"row\">{}{}</th><td>{}</td>{cells}<td>{}</td></tr>\n",
        shape(mark_of(columns)),
        code(&file.file),
        grouped(columns.tests()),
        other.join(", ")
    );
    if !file.reference.is_empty() {
        html.push_str("<tr><td colspan=\"7\" class=\"below\"><ul>");
        for line in file.reference.iter().take(MOST) {
            let _ = write!(html, "<li>{}</li>", text(line));
        }
        let _ = writeln!(html, "</ul>{}</td></tr>", more(file.reference.len(), MOST));
    }
    if columns.of(Column::Missing) > 0 {
        let cells = shortened(&ranges(&file.missing_cells));
        let missing = counted(columns.of(Column::Missing), "test");
        let _ = writeln!(
            html,
            "<tr><td colspan=\"7\" class=\"below\">{missing} without an answer, in cells {}</td></tr>",
            text(&cells)
        );
    }
    html
}

/// What targets did wrong, a line each, with a link to the finding that it belongs to.
fn vector_findings(findings: &[VectorFindingPart]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut html = "<ul>".to_string();
    for finding in findings.iter().take(MOST) {
        let line = text(&finding.line());
        let _ = match finding.finding {
            Some(number) => write!(html, "<li><a href=\"#finding-{number}\">{line}</a></li>"),
            None => write!(html, "<li>{line}</li>"),
        };
    }
    format!("{html}</ul>{}\n", more(findings.len(), MOST))
}

/// The test of the tests.
pub(super) fn faults(run: &RunPart) -> String {
    let Some(faults) = &run.faults else { return String::new() };
    let figures = &faults.figures;
    let good = figures.found == figures.total && figures.alarms == 0;
    let mut html = format!(
        "<section id=\"faults\"><h2>Faults</h2>\n<p>{}{} of {} deliberately wrong implementations were found, {} with a proven \
         smallest case; {} more did nothing wrong on their instruction; {} of {} right ones were found by mistake. <span class=\"quiet\">By version {}, with seed {}.</span></p>\n",
        shape(if good { Mark::Green } else { Mark::Finding }),
        grouped(figures.found),
        grouped(figures.total),
        grouped(figures.minimal),
        grouped(figures.not_applicable),
        grouped(figures.alarms),
        grouped(figures.controls),
        text(&faults.version),
        faults.seed
    );
    let rows: String = faults.instructions.iter().take(MOST).map(faults_row).collect();
    if !rows.is_empty() {
        let head = head(&["instruction", "found", "words until found", "smallest case", "most runs"]);
        let table = format!("<table class=\"list numbers\">{head}<tbody>{rows}</tbody></table>");
        html.push_str(&scrolled("Faults of each instruction", &table));
        html.push_str(&more(faults.instructions.len(), MOST));
    }
    // What needs a look comes first.
    let (bad, rest): (Vec<&FaultPart>, Vec<&FaultPart>) = faults.list.iter().partition(|fault| fault.needs_a_look());
    let rows: String = bad.iter().chain(&rest).take(MOST_FAULTS).map(|fault| fault_row(fault)).collect();
    if !rows.is_empty() {
        let head = head(&["fault", "instruction", "verdict", "cases", "words", "size", "runs"]);
        let table = format!("<table class=\"list numbers\">{head}<tbody>{rows}</tbody></table>");
        let open = if bad.is_empty() { "" } else { " open" };
        let _ = write!(
            html,
            "<details class=\"fold\"{open}><summary>Each of them</summary>{}{}</details>",
            scrolled("Faults", &table),
            more(faults.list.len(), MOST_FAULTS)
        );
    }
    of_run(&(html + "</section>\n"))
}

fn faults_row(one: &FaultsOfPart) -> String {
    let FaultsOfPart { instruction, figures } = one;
    let good = figures.found == figures.total && figures.alarms == 0;
    format!(
        "<tr><th scope=\"row\">{}{}</th><td>{} of {}</td><td>{} <small>half of them</small>, {} <small>90 %</small></td>\
         <td>{:.1} <small>elements on average</small></td><td>{}</td></tr>\n",
        shape(if good { Mark::Green } else { Mark::Finding }),
        code(instruction),
        grouped(figures.found),
        grouped(figures.total),
        grouped(figures.median_datums),
        grouped(figures.p90_datums),
        figures.mean_size,
        grouped(figures.max_runs)
    )
}

fn fault_row(fault: &FaultPart) -> String {
    let (mark, words) = match (fault.wrong, fault.found) {
        _ if fault.not_applicable => (Mark::Cited, "not applicable"),
        (true, true) => (Mark::Green, "found"),
        (true, false) => (Mark::Finding, "not found"),
        (false, false) => (Mark::Green, "not found, as it must be"),
        (false, true) => (Mark::Finding, "found although it is right"),
    };
    let size = match fault.size {
        Some(size) if fault.minimal => grouped(size),
        Some(size) => format!("{} (not proven minimal)", grouped(size)),
        None => "–".to_string(),
    };
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}{words}</td><td>{}</td><td>{}</td><td>{size}</td><td>{}</td></tr>\n",
        code(&fault.id),
        code(&fault.instruction),
        shape(mark),
        grouped(fault.cases),
        grouped(fault.datums),
        fault.runs.map_or("–".to_string(), grouped)
    )
}

/// How to get the same result again.
pub(super) fn replay(report: &Report) -> String {
    let result = &report.result;
    let instructions = names(result.units.iter().map(|unit| &*unit.instruction));
    let editions = names(result.units.iter().map(|unit| &*unit.edition));
    let edition = match &editions[..] {
        [only] => format!(" --edition {only}"),
        _ => String::new(),
    };
    let filters = if instructions.len() <= 6 {
        instructions.iter().map(|name| format!(" {name}")).collect()
    } else {
        String::new()
    };
    let complete = if result.units.iter().any(|unit| unit.coverage.is_some()) { " --complete" } else { "" };
    let run = format!("tandem fuzz{filters} --seed {} --cases {}{edition}{complete}", result.seed, result.cases);
    let options = &report.run.options;
    let [narrowed, options] = [&report.run.narrowed, options]
        .map(|words| if words.is_empty() { String::new() } else { of_run(&text(&format!(" {words}"))) });
    let mut html = "<section id=\"replay\"><h2>Replay</h2>\n".to_string();
    let mut command = |what: &str, line: &str| {
        let _ = writeln!(html, "<p>{what}</p><pre class=\"command\"><code>{line}</code></pre>");
    };
    match &report.run.command {
        Some(run) => command("This run: the same files give the same result.", &of_run(&text(run))),
        None => command(
            "This run: the same seed, cases and targets give the same result, byte for byte, for any number of threads.",
            &(text(&run) + &narrowed + &options),
        ),
    }
    if let Some(finding) = result.findings.first() {
        command("One case, for example the first finding; each finding has its own command.", &text(&finding.replay));
    }
    if result.vectors.is_some() && report.run.command.is_none() {
        let line = text("tandem vectors check") + &options;
        command("The recorded vectors, on the reference and every target.", &line);
    }
    command("The test of the tests: every deliberately wrong implementation must be found.", "tandem faults");
    html + "</section>\n"
}

/// What is of the run and not of the result.
pub(super) fn run(run: &RunPart) -> String {
    let list = |names: &[String]| if names.is_empty() { "none".to_string() } else { text(&names.join(", ")) };
    let mut pairs = vec![
        ("CPU", text(&run.cpu)),
        ("threads", grouped(run.threads)),
        ("levels that ran", list(&run.levels_run)),
        ("levels not run", list(&run.levels_not_run)),
        ("time", format!("{:.1} s{}", run.elapsed_seconds, if run.stopped { ", stopped early" } else { "" })),
        ("rate", format!("{} cases/s, {} words/s", whole(run.cases_per_second), whole(run.datums_per_second))),
    ];
    if !run.vectors.is_empty() {
        pairs.push(("vectors from", list(&run.vectors)));
    }
    pairs.extend(run.notes.iter().take(MOST).map(|note| ("note", text(note))));
    let mut html =
        "<section id=\"run\"><h2>Run</h2>\n<p class=\"quiet\">What stands here changes nothing above, but the \
                    levels in the head.</p>\n<dl class=\"pairs\">"
            .to_string();
    for (name, value) in pairs {
        let _ = write!(html, "<dt>{name}</dt><dd>{value}</dd>");
    }
    html.push_str("</dl>\n");
    if !run.finding_levels.is_empty() {
        html.push_str("<h3>Levels that showed each finding</h3><dl class=\"pairs\">");
        for one in run.finding_levels.iter().take(MOST) {
            let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", text(&one.signature.to_string()), list(&one.levels));
        }
        html.push_str("</dl>\n");
    }
    format!("{}</main>\n", of_run(&(html + "</section>\n")))
}

fn whole(rate: f64) -> String {
    grouped(rate as u64)
}
