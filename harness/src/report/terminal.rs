//! The terminal: about one screen when all is well.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::markdown::bit;
use super::model::{Counts, FindingPart, Report, UnitPart};
use super::offer::{lines, rule_line, three};
use super::pages::{Pages, Quote};
use super::text::{counted, grouped, percent, ranges, shortened, visible};
use super::verdict::{Tone, Verdict, is_complete, sums};
use crate::vectors::Column;

/// Open cells of a unit that are shown; JSON has all.
const MOST_HOLES: usize = 3;
/// Rules of a unit that are shown; JSON has all.
const MOST_RULES: usize = 5;

/// Whether a text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Coloured.
    Always,
    /// Plain.
    Never,
}

impl Colour {
    fn paint(self, style: Style, text: &str) -> String {
        match self {
            Colour::Always if !text.trim().is_empty() => format!("{style}{text}{style:#}"),
            Colour::Always | Colour::Never => text.to_string(),
        }
    }
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default();

/// Writes the summary of a report: the verdict, which comes last once more, the matrix, findings with smallest cases and replay commands, and what ran.
///
/// With the user's own copies of the pages, cited lines are shown from them.
///
/// # Errors
/// Those of `out`.
pub fn render(out: &mut impl Write, report: &Report, colour: Colour, pages: Option<&Pages>) -> io::Result<()> {
    let result = &report.result;
    verdict(out, report, colour)?;
    writeln!(
        out,
        "{} {}  seed {}, {} cases, {} datums",
        colour.paint(BOLD, "tandem"),
        result.version,
        result.seed,
        grouped(result.cases),
        grouped(result.datums)
    )?;
    matrix(out, report, colour)?;
    open(out, report, colour)?;
    if let Some(vectors) = &result.vectors {
        let columns = vectors.columns();
        let style = match columns.of(Column::Divergent) {
            0 if columns.answered() > 0 => GOOD,
            0 => ODD,
            _ => BAD,
        };
        let divergent = colour.paint(style, &format!("{} divergent", grouped(columns.of(Column::Divergent))));
        writeln!(
            out,
            "vectors: {} of {} in {} agreed, {} revoked, {} unsupported, {divergent}{}",
            grouped(columns.of(Column::Agreed)),
            grouped(columns.tests()),
            counted(vectors.list.len() as u64, "file"),
            grouped(columns.of(Column::Revoked)),
            grouped(columns.of(Column::Unsupported)),
            vectors.rare()
        )?;
        for finding in &vectors.findings {
            writeln!(out, "  {}", visible(&finding.line()))?;
            for outside in &finding.outside {
                writeln!(out, "    outside of what is known: {}", visible(outside))?;
            }
        }
        for file in &vectors.list {
            for test in &file.reference {
                writeln!(out, "  {}: {}", visible(&file.file), visible(test))?;
            }
        }
        for file in vectors.list.iter().filter(|file| file.columns.of(Column::Missing) > 0) {
            let cells = shortened(&ranges(&file.missing_cells));
            let (name, missing) = (visible(&file.file), grouped(file.columns.of(Column::Missing)));
            writeln!(out, "  {name}: {missing} tests without an answer, in cells {cells}")?;
        }
    }
    findings(out, report, colour, pages)?;
    run(out, report, colour)?;
    verdict(out, report, colour)
}

/// Writes only what a report found, and the verdict.
///
/// # Errors
/// Those of `out`.
pub fn render_findings(out: &mut impl Write, report: &Report, colour: Colour, pages: Option<&Pages>) -> io::Result<()> {
    findings(out, report, colour, pages)?;
    verdict(out, report, colour)
}

fn findings(out: &mut impl Write, report: &Report, colour: Colour, pages: Option<&Pages>) -> io::Result<()> {
    let result = &report.result;
    for finding in &result.findings {
        one_finding(out, finding, colour, pages)?;
    }
    for unit in result.units.iter().filter(|unit| unit.offers_nothing()) {
        writeln!(out, "{} {}", colour.paint(BAD, "nothing is answered:"), visible(&unit.title()))?;
    }
    Ok(())
}

/// Writes the verdict, in a line.
fn verdict(out: &mut impl Write, report: &Report, colour: Colour) -> io::Result<()> {
    let verdict = Verdict::of(&report.result);
    let style = match verdict.tone {
        Tone::Bad => BAD,
        Tone::Odd => ODD,
        Tone::Open => BOLD,
        Tone::Good => GOOD,
    };
    writeln!(out, "{}", colour.paint(style, &visible(&verdict.line())))
}

/// A count that is usually 0, to go on a list with.
pub(super) fn more_counts(count: u64, what: &str) -> String {
    if count == 0 { String::new() } else { format!(", {} {what}", grouped(count)) }
}

/// The columns of the matrix behind instruction and edition, and their widths. Passed, answered and specified stand together.
const COLUMNS: [(&str, usize); 8] = [
    ("cells", 6),
    ("passed/answered/specified", 26),
    ("blocked", 8),
    ("undefined", 10),
    ("unsupported", 12),
    ("open", 7),
    ("contested", 10),
    ("3-way", 8),
];

fn matrix(out: &mut impl Write, report: &Report, colour: Colour) -> io::Result<()> {
    let units = &report.result.units;
    let width = units.iter().map(|unit| visible(&unit.instruction).chars().count()).max().unwrap_or(0).max(11);
    let header: String = COLUMNS.iter().map(|(name, width)| format!("{name:>width$}")).collect();
    writeln!(out, "{}", colour.paint(DIM, &format!("{:width$}  {:8}{header}", "instruction", "edition")))?;
    for unit in units {
        write!(out, "{:width$}  {:8}", visible(&unit.instruction), visible(&unit.edition))?;
        if unit.targets.is_empty() {
            let cells = format!("{:>1$}", unit.counts.cells, COLUMNS[0].1);
            writeln!(out, "{cells}{}", colour.paint(DIM, "  no target implements it"))?;
            continue;
        }
        let contested = unit.contested.map_or("-".to_string(), |count| count.to_string());
        let cover = unit.coverage.as_ref().map_or("-".to_string(), |cover| percent(cover.covered, cover.total));
        let green = if unit.offers_nothing() { BAD } else { GOOD };
        row(out, &unit.counts, (&three(unit).map(grouped).join("/"), green), [&contested, &cover], colour)?;
        if unit.diverged > 0 {
            write!(out, "  {}", colour.paint(BAD, &format!("{} diverged", unit.diverged)))?;
        }
        if unit.counts.disputed > 0 {
            write!(out, "  {}", colour.paint(ODD, &format!("{} disputed", unit.counts.disputed)))?;
        }
        if let Some(target) = &unit.target {
            write!(out, "  {}", visible(target))?;
        }
        writeln!(out)?;
        offer(out, unit, colour)?;
    }
    if units.len() > 1 {
        let all = sums(&report.result);
        write!(out, "{}", colour.paint(BOLD, &format!("{:width$}  {:8}", "all", "")))?;
        row(out, &report.result.counts, (&all.map(grouped).join("/"), BOLD), ["", ""], colour)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The columns of a row, without the end of the line.
fn row(
    out: &mut impl Write,
    counts: &Counts,
    (figures, green): (&str, Style),
    rest: [&str; 2],
    colour: Colour,
) -> io::Result<()> {
    let plain = Style::new();
    let columns = [
        (counts.cells.to_string(), plain),
        (figures.to_string(), green),
        (counts.blocked.to_string(), plain),
        (counts.cited.to_string(), plain),
        (counts.unsupported.to_string(), if counts.unsupported == 0 { plain } else { ODD }),
        (counts.holes.to_string(), plain),
        (rest[0].to_string(), ODD),
        (rest[1].to_string(), plain),
    ];
    let mut line = String::new();
    for ((text, style), (_, width)) in columns.into_iter().zip(COLUMNS) {
        let text = format!("{text:>width$}");
        line.push_str(&if style == plain { text } else { colour.paint(style, &text) });
    }
    // A row that ends in empty columns ends before them.
    write!(out, "{}", line.trim_end())
}

/// What a target that may refuse cases was found to refuse.
fn offer(out: &mut impl Write, unit: &UnitPart, colour: Colour) -> io::Result<()> {
    for line in lines(unit) {
        let style = if unit.offers_nothing() && line.starts_with("nothing") { BAD } else { DIM };
        writeln!(out, "    {}", colour.paint(style, &visible(&line)))?;
    }
    let rules = unit.observed.iter().flat_map(|observed| &observed.rules);
    for rule in rules.clone().take(MOST_RULES) {
        writeln!(out, "    {}", visible(&rule_line(rule)))?;
    }
    let more = rules.count().saturating_sub(MOST_RULES);
    if more > 0 {
        writeln!(out, "    and {}; the JSON report has them", counted(more as u64, "more rule"))?;
    }
    Ok(())
}

/// Says what is open: each cell, if the run was to decide all of them, else how many.
fn open(out: &mut impl Write, report: &Report, colour: Colour) -> io::Result<()> {
    let result = &report.result;
    if is_complete(result) {
        return result.units.iter().try_for_each(|unit| open_cells(out, unit, colour));
    }
    if result.counts.holes > 0 {
        let cells = counted(result.counts.holes, "specified cell");
        let enough = result.units.iter().map(|unit| unit.enough).max().unwrap_or(crate::GREEN);
        writeln!(
            out,
            "open: {cells} not yet drawn often enough ({enough} agreements decide a cell); a longer run decides them"
        )?;
    }
    Ok(())
}

fn open_cells(out: &mut impl Write, unit: &UnitPart, colour: Colour) -> io::Result<()> {
    if unit.targets.is_empty() {
        return Ok(());
    }
    for hole in unit.hole_list.iter().take(MOST_HOLES) {
        let label = colour.paint(ODD, "open");
        let place = format!("{} cell {}", unit.title(), hole.cell);
        writeln!(out, "{label} {}: {}", visible(&place), visible(&hole.description))?;
    }
    if unit.hole_list.len() > MOST_HOLES {
        writeln!(out, "     and {} more; the JSON report lists them", unit.hole_list.len() - MOST_HOLES)?;
    }
    Ok(())
}

fn one_finding(out: &mut impl Write, finding: &FindingPart, colour: Colour, pages: Option<&Pages>) -> io::Result<()> {
    let verdict = if finding.is_new() {
        colour.paint(BAD, "new")
    } else {
        colour.paint(ODD, &visible(&format!("known ({})", finding.known.join(", "))))
    };
    writeln!(out, "\n{verdict} {}", colour.paint(BOLD, &visible(&finding.signature.to_string())))?;
    write!(out, "  {}, first after {}", counted(finding.cases, "case"), grouped(finding.cases_to_find))?;
    for seen in &finding.seen {
        write!(out, "; {}: cells {}", visible(&seen.edition), shortened(&ranges(&seen.cells)))?;
    }
    writeln!(out)?;
    if !finding.bits.is_empty() {
        let bits: Vec<String> = finding.bits.iter().map(bit).collect();
        writeln!(out, "  bits {}", shortened(&bits.join(", ")))?;
    }
    for outside in &finding.outside {
        writeln!(out, "  outside of what is known: {}", visible(outside))?;
    }
    if let Some(smallest) = &finding.minimized {
        let proof = if smallest.proven { "proven minimal" } else { "not proven minimal" };
        writeln!(out, "  smallest case: size {}, {proof} in {} runs", smallest.size, smallest.runs)?;
    }
    for line in &finding.explanation {
        writeln!(out, "    {}", visible(line))?;
    }
    for citation in &finding.citations {
        let short = citation.page.short_commit();
        let title = visible(&citation.page.title);
        writeln!(out, "  page {title} at {short}, {}: {}", visible(&citation.place), visible(&citation.reason))?;
        match pages.map(|pages| pages.quote(citation)) {
            None => {}
            Some(Quote::Withheld(why)) => writeln!(out, "    {}", colour.paint(DIM, &why))?,
            Some(Quote::Lines(lines)) => {
                for (number, line) in lines {
                    writeln!(out, "    {} {line}", colour.paint(DIM, &format!("{number:>4}")))?;
                }
            }
        }
    }
    if !finding.errata.is_empty() {
        writeln!(out, "  so does the other reading of: {}", visible(&finding.errata.join(", ")))?;
    }
    writeln!(out, "  replay: {}", colour.paint(BOLD, &visible(&finding.replay)))
}

fn run(out: &mut impl Write, report: &Report, colour: Colour) -> io::Result<()> {
    let run = &report.run;
    let list = |names: &[String]| {
        if names.is_empty() { "none".to_string() } else { visible(&names.join(", ")) }
    };
    let not_run = format!("not run: {}", list(&run.levels_not_run));
    let not_run = if run.levels_not_run.is_empty() { not_run } else { colour.paint(ODD, &not_run) };
    writeln!(out, "compared: {}; levels run: {}; {not_run}", list(&report.result.targets), list(&run.levels_run))?;
    for note in &run.notes {
        writeln!(out, "note: {}", visible(note))?;
    }
    for finding in &run.finding_levels {
        writeln!(out, "levels of {}: {}", visible(&finding.signature.to_string()), list(&finding.levels))?;
    }
    let stopped = if run.stopped { colour.paint(ODD, "stopped early; ") } else { String::new() };
    writeln!(
        out,
        "{stopped}{:.1} s on {} of {}: {} cases/s, {} datums/s",
        run.elapsed_seconds,
        counted(run.threads, "thread"),
        visible(&run.cpu),
        grouped(run.cases_per_second as u64),
        grouped(run.datums_per_second as u64)
    )
}
