//! Markdown: the summary of a run, for a job's page or a pull request.

use std::fmt::Write;

use super::model::{FindingPart, PagePart, Report, ResultPart, RunPart, UnitPart};
use super::offer::{explains, figures, lines};
use super::terminal::more_counts;
use super::text::{code, counted, fenced, grouped, percent, plain, ranges, shortened};
use super::verdict::{Verdict, sums};
use crate::vectors::Column;

/// Holes of a unit that are listed; the others are counted.
const MOST_HOLES: usize = 20;
/// Rules of a unit that are listed; the others are counted.
const MOST_RULES: usize = 20;
/// Faults that need a look and are listed.
const MOST_FAULTS: usize = 20;

/// The summary: verdict, matrix, findings with their replay commands, open cells, and the run.
#[must_use]
pub fn summary(report: &Report) -> String {
    let mut text = "# tandem\n\n".to_string();
    let result = &report.result;
    push(&mut text, &headline(result));
    push(&mut text, &matrix(&result.units));
    push(&mut text, &offers(&result.units));
    push(&mut text, &findings(&result.findings));
    push(&mut text, &holes(&result.units));
    push(&mut text, &run(&report.run));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn push(text: &mut String, section: &str) {
    if !section.is_empty() {
        text.push_str(section);
        text.push('\n');
    }
}

fn headline(result: &ResultPart) -> String {
    let counts = &result.counts;
    let verdict = Verdict::of(result);
    let [passed, answered, specified] = sums(result);
    let mut text = format!(
        "**{}**; passed: {}. {}\n\n{} cells: {} passed of {} answered and {} specified; {} blocked, {} undefined, {} unsupported{}, \
         {} open. {} cases, {} datums, seed {}, generator {}.\n",
        plain(&verdict.title),
        plain(&verdict.figures),
        plain(&verdict.sentences.join(" ")),
        grouped(counts.cells),
        grouped(passed),
        grouped(answered),
        grouped(specified),
        grouped(counts.blocked),
        grouped(counts.cited),
        grouped(counts.unsupported),
        more_counts(counts.disputed, "disputed"),
        grouped(counts.holes),
        grouped(result.cases),
        grouped(result.datums),
        result.seed,
        result.generator
    );
    if let Some(vectors) = &result.vectors {
        let columns = vectors.columns();
        let _ = writeln!(
            text,
            "\nVectors: {} of {} in {} agreed, {} revoked, {} unsupported, {} divergent{}.",
            grouped(columns.of(Column::Agreed)),
            grouped(columns.tests()),
            counted(vectors.list.len() as u64, "file"),
            grouped(columns.of(Column::Revoked)),
            grouped(columns.of(Column::Unsupported)),
            grouped(columns.of(Column::Divergent)),
            vectors.rare()
        );
        for finding in &vectors.findings {
            let _ = writeln!(text, "- {}", plain(&finding.line()));
        }
        for file in vectors.list.iter().filter(|file| !file.reference.is_empty()) {
            let tests: Vec<String> = file.reference.iter().map(|test| code(test)).collect();
            let _ = writeln!(text, "- {}: {}", code(&file.file), tests.join(", "));
        }
        for file in vectors.list.iter().filter(|file| file.columns.of(Column::Missing) > 0) {
            let (cells, missing) = (shortened(&ranges(&file.missing_cells)), file.columns.of(Column::Missing));
            let _ = writeln!(text, "- {}: {} without an answer, in cells {cells}", code(&file.file), grouped(missing));
        }
    }
    text
}

/// The matrix: a row for each instruction, edition and, where it may refuse cases, implementation.
pub(super) fn matrix(units: &[UnitPart]) -> String {
    let mut text =
        "| instruction | edition | compared | cells | passed / answered / specified | blocked | undefined | unsupported \
                    | open | diverged | contested | 3-way |\n\
                    |---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_string();
    for unit in units {
        let counts = &unit.counts;
        let targets: Vec<String> = unit.targets.iter().map(|name| code(name)).collect();
        let offered = if unit.offers_nothing() { format!("**{}**", figures(unit)) } else { figures(unit) };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {offered} | {} | {} | {} | {} | {} | {} | {} |",
            code(&unit.instruction),
            plain(&unit.edition),
            if targets.is_empty() { "nothing".to_string() } else { targets.join(", ") },
            counts.cells,
            counts.blocked,
            counts.cited,
            counts.unsupported,
            counts.holes,
            bold_unless_zero(unit.diverged),
            unit.contested.map_or("-".to_string(), |count| count.to_string()),
            unit.coverage.as_ref().map_or("-".to_string(), |cover| percent(cover.covered, cover.total))
        );
    }
    text
}

/// What implementations that may refuse cases were found to refuse.
fn offers(units: &[UnitPart]) -> String {
    let mut text = String::new();
    for unit in units {
        let lines = lines(unit);
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(text, "## What is answered of {}\n", plain(&unit.title()));
        for line in lines {
            let _ = writeln!(text, "- {}", plain(&line));
        }
        let rules = unit.observed.as_ref().map_or(&[][..], |observed| &observed.rules);
        if !rules.is_empty() {
            text.push_str("\n| refused if | reason | explains |\n|---|---|---|\n");
        }
        for rule in rules.iter().take(MOST_RULES) {
            let reason = rule.reason.as_ref().map_or("-".to_string(), |reason| plain(reason));
            let _ = writeln!(text, "| {} | {reason} | {} |", plain(&rule.when), explains(rule));
        }
        if rules.len() > MOST_RULES {
            let _ = writeln!(text, "\nand {}", counted((rules.len() - MOST_RULES) as u64, "more rule"));
        }
        text.push('\n');
    }
    text
}

fn bold_unless_zero(count: u64) -> String {
    bold_unless(count, 0)
}

fn bold_unless(count: u64, good: u64) -> String {
    if count == good { grouped(count) } else { format!("**{}**", grouped(count)) }
}

fn findings(findings: &[FindingPart]) -> String {
    let mut text = String::new();
    for finding in findings {
        push(&mut text, &one_finding(finding));
    }
    text
}

fn one_finding(finding: &FindingPart) -> String {
    let verdict = if finding.is_new() { "new".to_string() } else { format!("known: {}", finding.known.join(", ")) };
    let mut text = format!("## {} ({})\n\n", plain(&finding.signature.to_string()), plain(&verdict));
    let _ = writeln!(
        text,
        "{}, the first after {} cases: {}",
        counted(finding.cases, "case"),
        grouped(finding.cases_to_find),
        code(&finding.first)
    );
    for seen in &finding.seen {
        let classes: Vec<String> = seen.classes.iter().map(|class| plain(class)).collect();
        let _ = writeln!(
            text,
            "- {}: {} ({}); {}",
            plain(&seen.edition),
            counted(seen.cells.len() as u64, "cell"),
            shortened(&ranges(&seen.cells)),
            classes.join("; ")
        );
    }
    if !finding.bits.is_empty() {
        let bits: Vec<String> = finding.bits.iter().map(bit).collect();
        let _ = writeln!(text, "- bits: {}", bits.join(", "));
    }
    for outside in &finding.outside {
        let _ = writeln!(text, "- outside of what is known: {}", plain(outside));
    }
    if let Some(smallest) = &finding.minimized {
        let proof = if smallest.proven { "nothing more can be cleared" } else { "not proven minimal" };
        let _ = writeln!(text, "- smallest case: {}, size {}, {proof}", code(&smallest.text), smallest.size);
    }
    let _ = writeln!(text, "\n{}", fenced(&finding.explanation));
    for citation in &finding.citations {
        let _ =
            writeln!(text, "- {}, {}: {}", page_link(&citation.page), plain(&citation.place), plain(&citation.reason));
    }
    if !finding.errata.is_empty() {
        let _ = writeln!(text, "- so does the other reading of: {}", plain(&finding.errata.join(", ")));
    }
    let _ = writeln!(text, "\nReplay:\n\n{}", fenced(std::slice::from_ref(&finding.replay)));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// A bit with its directions: `7 (0 to 1: 12, 1 to 0: 3)`.
pub(super) fn bit(bit: &super::model::BitPart) -> String {
    let mut directions = Vec::new();
    if bit.set > 0 {
        directions.push(format!("0 to 1: {}", grouped(bit.set)));
    }
    if bit.cleared > 0 {
        directions.push(format!("1 to 0: {}", grouped(bit.cleared)));
    }
    format!("{} ({})", bit.bit, directions.join(", "))
}

/// A page by its title and short commit, as a link to its text.
pub(super) fn page_link(page: &PagePart) -> String {
    let (title, commit) = (plain(&page.title), code(page.short_commit()));
    page.address().map_or(format!("{title} at {commit}"), |url| format!("[{title}]({url}) at {commit}"))
}

fn holes(units: &[UnitPart]) -> String {
    let mut text = String::new();
    for unit in units.iter().filter(|unit| !unit.hole_list.is_empty()) {
        let _ = writeln!(text, "## Open cells of {}\n", plain(&unit.title()));
        for hole in unit.hole_list.iter().take(MOST_HOLES) {
            let _ = writeln!(text, "- cell {}, {}: {}", hole.cell, code(&hole.description), hole.counts());
        }
        if unit.hole_list.len() > MOST_HOLES {
            let _ = writeln!(text, "- and {} more", unit.hole_list.len() - MOST_HOLES);
        }
        text.push('\n');
    }
    text
}

fn run(run: &RunPart) -> String {
    let mut text = "## Run\n\n".to_string();
    let list = |names: &[String]| {
        if names.is_empty() { "none".to_string() } else { plain(&names.join(", ")) }
    };
    let _ = writeln!(text, "- CPU: {}, {}", plain(&run.cpu), counted(run.threads, "thread"));
    let _ = writeln!(text, "- levels that ran: {}; not run: {}", list(&run.levels_run), list(&run.levels_not_run));
    let _ = writeln!(
        text,
        "- {:.1} s, {} cases/s, {} datums/s{}",
        run.elapsed_seconds,
        grouped(run.cases_per_second as u64),
        grouped(run.datums_per_second as u64),
        if run.stopped { ", stopped early" } else { "" }
    );
    for place in &run.vectors {
        let _ = writeln!(text, "- vectors from {}", code(place));
    }
    for note in &run.notes {
        let _ = writeln!(text, "- {}", plain(note));
    }
    if let Some(faults) = &run.faults {
        let figures = &faults.figures;
        let _ = writeln!(
            text,
            "- faults: {} of {} deliberately wrong implementations found, {} minimal; {} not applicable; {} of {} right ones found by \
             mistake (seed {})",
            bold_unless(figures.found, figures.total),
            grouped(figures.total),
            grouped(figures.minimal),
            grouped(figures.not_applicable),
            bold_unless(figures.alarms, 0),
            grouped(figures.controls),
            faults.seed
        );
        for one in &faults.instructions {
            let _ = writeln!(
                text,
                "  - {}: {} of {}, after {} words (median) and {} (90th percentile); smallest cases of {:.1} elements",
                code(&one.instruction),
                bold_unless(one.figures.found, one.figures.total),
                grouped(one.figures.total),
                grouped(one.figures.median_datums),
                grouped(one.figures.p90_datums),
                one.figures.mean_size
            );
        }
        for fault in faults.list.iter().filter(|fault| fault.needs_a_look()).take(MOST_FAULTS) {
            let what = if fault.wrong { "not found" } else { "found although it is right" };
            let _ = writeln!(text, "  - {} of {}: {what}", code(&fault.id), code(&fault.instruction));
        }
    }
    for finding in &run.finding_levels {
        let _ = writeln!(text, "- {}: {}", plain(&finding.signature.to_string()), list(&finding.levels));
    }
    text
}
