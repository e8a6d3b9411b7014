//! One page from many reports, in the order in which they are given: cells, findings that were born and closed, rates.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::history::{UnitKey, signatures, unit_key, unit_name};
use super::super::model::{Report, SignaturePart, UnitPart};
use super::{begin, code, text};

/// Width and height of a line, in pixels.
const SIZE: (u64, u64) = (160, 22);

const MORE_STYLE: &str = "\
    main { padding-block: 1rem; } main table { margin: .5rem 0 1.5rem; } main td, main th { padding: .2rem .7rem .2rem 0; \
    vertical-align: top; } td.number, th.number { text-align: right; } \
    svg.line { overflow: visible; } svg.line polyline { fill: none; stroke: var(--green); stroke-width: 1.5; } \
    svg.line circle { fill: var(--finding); }\n";

/// The page of reports, each with its name.
#[must_use]
pub fn page(reports: &[(String, Report)]) -> String {
    format!(
        "{1}<main>\n<h1>{0} reports</h1>\n{2}{3}{4}</main>\n</body>\n</html>\n",
        reports.len(),
        begin(&format!("{} reports", reports.len()), MORE_STYLE),
        runs(reports),
        findings(reports),
        units(reports),
    )
}

fn cells_of(tag: &str, cells: &[String]) -> String {
    let cells = cells.iter().map(|cell| format!("<{tag} class=\"number\">{cell}</{tag}>"));
    cells.collect()
}

/// A line a report.
fn runs(reports: &[(String, Report)]) -> String {
    let heads = [
        "seed",
        "cases",
        "cells",
        "passed",
        "diverged",
        "open",
        "unsupported",
        "findings",
        "new",
        "born",
        "closed",
        "cases a second",
    ];
    let mut html =
        format!("<h2>Runs</h2>\n<table>\n<tr><th>report</th>{}</tr>\n", cells_of("th", &heads.map(str::to_string)));
    let mut before: Option<BTreeMap<&SignaturePart, u64>> = None;
    for (name, Report { result, run }) in reports {
        let now = signatures(&result.findings);
        let not_in = |of: &BTreeMap<&SignaturePart, u64>, not: &BTreeMap<&SignaturePart, u64>| {
            of.keys().filter(|one| !not.contains_key(*one)).count().to_string()
        };
        let (born, closed) = match &before {
            Some(before) => (not_in(&now, before), not_in(before, &now)),
            None => (String::new(), String::new()),
        };
        let counts = &result.counts;
        let numbers = [
            result.seed,
            result.cases,
            counts.cells,
            counts.green,
            result.diverged,
            counts.holes,
            counts.unsupported,
            result.findings.len() as u64,
            result.new_findings,
        ];
        let mut row: Vec<String> = numbers.iter().map(u64::to_string).collect();
        row.extend([born, closed, format!("{:.0}", run.cases_per_second)]);
        let _ = writeln!(html, "<tr><th>{}</th>{}</tr>", text(name), cells_of("td", &row));
        before = Some(now);
    }
    html + "</table>\n"
}

/// A line a finding: in how many cases of each report it was met.
fn findings(reports: &[(String, Report)]) -> String {
    let mut met: BTreeMap<&SignaturePart, Vec<u64>> = BTreeMap::new();
    for (place, (_, report)) in reports.iter().enumerate() {
        for (signature, cases) in signatures(&report.result.findings) {
            met.entry(signature).or_insert_with(|| vec![0; reports.len()])[place] = cases;
        }
    }
    if met.is_empty() {
        return "<h2>Findings</h2>\n<p>None in any report.</p>\n".to_string();
    }
    let names: Vec<String> = reports.iter().map(|(name, _)| text(name)).collect();
    let mut html = format!(
        "<h2>Findings, and the cases that showed them</h2>\n<table>\n<tr><th>finding</th>{}<th>state</th></tr>\n",
        cells_of("th", &names)
    );
    for (signature, cases) in met {
        let state = match (cases.first(), cases.last()) {
            (_, Some(0)) => "closed",
            (Some(0), _) => "born on the way",
            _ => "from the first",
        };
        let numbers: Vec<String> =
            cases.iter().map(|&cases| if cases > 0 { cases.to_string() } else { "·".to_string() }).collect();
        let name = code(&signature.to_string());
        let _ = writeln!(html, "<tr><td>{name}</td>{}<td>{state}</td></tr>", cells_of("td", &numbers));
    }
    html + "</table>\n"
}

/// A line an instruction: the share of specified cells that passed, and a dot where a target diverged.
fn units(reports: &[(String, Report)]) -> String {
    let mut all: BTreeMap<UnitKey<'_>, Vec<Option<&UnitPart>>> = BTreeMap::new();
    for (place, (_, report)) in reports.iter().enumerate() {
        for unit in &report.result.units {
            all.entry(unit_key(unit)).or_insert_with(|| vec![None; reports.len()])[place] = Some(unit);
        }
    }
    let mut html = "<h2>Specified cells that passed</h2>\n<table>\n<tr><th>instruction</th><th>from the first \
                    report to the last</th><th class=\"number\">first</th><th class=\"number\">last</th></tr>\n"
        .to_string();
    for (key, list) in all {
        let known = || list.iter().flatten();
        let count = |unit: Option<&&UnitPart>| {
            unit.map_or(String::new(), |unit| format!("{}/{}", unit.counts.green, unit.promised))
        };
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td>{}</tr>",
            text(&unit_name(key)),
            line(&list),
            cells_of("td", &[count(known().next()), count(known().next_back())])
        );
    }
    html + "</table>\n"
}

fn line(list: &[Option<&UnitPart>]) -> String {
    let (width, height) = SIZE;
    let steps = (list.len() as u64).saturating_sub(1).max(1);
    let point = |(place, unit): (usize, &Option<&UnitPart>)| {
        let unit = (*unit)?;
        let green = unit.counts.green.min(unit.promised) * height / unit.promised.max(1);
        Some((place as u64 * width / steps, height - green, unit.diverged > 0))
    };
    let points: Vec<(u64, u64, bool)> = list.iter().enumerate().filter_map(point).collect();
    let path: Vec<String> = points.iter().map(|(x, y, _)| format!("{x},{y}")).collect();
    let dots: String = points
        .iter()
        .filter(|(.., diverged)| *diverged)
        .map(|(x, y, _)| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\"/>"))
        .collect();
    format!(
        "<svg class=\"line\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{} reports\"><polyline \
         points=\"{}\"/>{dots}</svg>",
        points.len(),
        path.join(" ")
    )
}
