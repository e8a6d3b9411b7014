//! The head of the page: the verdict in words, the cells at a glance, and what ran.

use std::fmt::Write;

use super::super::model::{Report, ResultPart, RunPart};
use super::super::text::grouped;
use super::super::verdict::{Tone, Verdict, sums};
use super::cells::{Mark, Tally, Unit};
use super::matrix::{bar, meaning};
use super::{code, of_run, shape, text};

/// The head.
pub(super) fn header(report: &Report, units: &[Unit<'_>]) -> String {
    let result = &report.result;
    let verdict = Verdict::of(result);
    let mut all = Tally::default();
    for unit in units {
        unit.tallies(&result.findings, None).iter().for_each(|tally| all.merge(tally));
    }
    let mark = match verdict.tone {
        Tone::Bad => Mark::Finding,
        Tone::Odd | Tone::Open => Mark::Hole,
        Tone::Good => Mark::Green,
    };
    let mut html = format!(
        "<header class=\"top {}\">\n<div class=\"brand\"><span class=\"name\">tandem</span> <span>conformance \
         report</span><span class=\"tools\" id=\"tools\"></span></div>\n<h1>{}<span>{}</span></h1>\n",
        verdict.tone.name(),
        shape(mark),
        text(&verdict.title)
    );
    if !verdict.sentences.is_empty() {
        let _ = writeln!(html, "<p class=\"more\">{}</p>", text(&verdict.sentences.join(" ")));
    }
    html.push_str(&figures(result));
    let _ = writeln!(html, "<div class=\"glance\">{}{}</div>", bar(&all), legend(&all, units));
    html.push_str(&compared(result, &report.run));
    format!("{html}</header>\n{}<main>\n", navigation(report))
}

fn figures(result: &ResultPart) -> String {
    let figures = [
        ("cells", grouped(result.counts.cells)),
        ("passed / answered / specified", sums(result).map(grouped).join(" / ")),
        ("cases", grouped(result.cases)),
        ("completed", grouped(result.completed)),
        ("words compared", grouped(result.datums)),
        ("findings", format!("{} ({} new)", result.findings.len(), result.new_findings)),
        ("seed", result.seed.to_string()),
        ("generator", result.generator.to_string()),
        ("version", result.version.clone()),
    ];
    let mut html = "<dl class=\"figures\">".to_string();
    for (name, value) in figures {
        let _ = write!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", text(&value));
    }
    html + "</dl>\n"
}

/// What each shape means, with counts over all units.
fn legend(all: &Tally, units: &[Unit<'_>]) -> String {
    let mut html = "<ul class=\"legend\">".to_string();
    for mark in Mark::ALL {
        // Some marks are only worth explaining where they occur.
        let usual = matches!(mark, Mark::Finding | Mark::Hole | Mark::Green | Mark::Blocked | Mark::Cited);
        if all.shown(mark) == 0 && !usual {
            continue;
        }
        let _ = write!(
            html,
            "<li class=\"{}\">{}<b>{}</b> {}<span>{}</span></li>",
            mark.name(),
            shape(mark),
            grouped(all.shown(mark)),
            mark.word(),
            meaning(mark, units.iter().map(|unit| unit.part.enough).max().unwrap_or(crate::GREEN))
        );
    }
    if units.iter().any(|unit| unit.part.contested.is_some()) {
        let _ = write!(
            html,
            "<li class=\"contested\"><svg class=\"shape contested\" aria-hidden=\"true\"><use href=\"#s-contested\"/>\
             </svg><b>{}</b> contested<span>editions, or readings of a page, differ: a corner on any shape</span></li>",
            grouped(all.contested)
        );
    }
    html + "</ul>"
}

fn compared(result: &ResultPart, run: &RunPart) -> String {
    let list = |names: &[String]| {
        if names.is_empty() {
            "none".to_string()
        } else {
            names.iter().map(|name| code(name)).collect::<Vec<_>>().join(" ")
        }
    };
    let mut levels = format!(" · levels run: {}", list(&run.levels_run));
    let missing = if run.levels_not_run.is_empty() { "" } else { " class=\"missing\"" };
    let _ = write!(levels, " · <span{missing}>not run: {}</span>", list(&run.levels_not_run));
    if run.stopped {
        levels.push_str(" · <span class=\"missing\">stopped early</span>");
    }
    format!("<p class=\"compared\">compared with the reference: {}{}</p>\n", list(&result.targets), of_run(&levels))
}

fn navigation(report: &Report) -> String {
    let result = &report.result;
    let findings = format!("Findings ({})", result.findings.len());
    let mut links = vec![("findings", findings), ("matrix", "Matrix".to_string())];
    if result.vectors.is_some() {
        links.push(("vectors", "Vectors".to_string()));
    }
    let link = |(to, name): (&str, String)| format!("<a href=\"#{to}\">{name}</a>");
    let faults = report.run.faults.as_ref().map_or(String::new(), |_| of_run(&link(("faults", "Faults".to_string()))));
    let last = [("replay", "Replay".to_string()), ("run", "Run".to_string())].map(link).concat();
    let links: String = links.into_iter().map(link).collect();
    format!("<nav aria-label=\"Sections\">{links}{faults}{last}</nav>\n")
}
