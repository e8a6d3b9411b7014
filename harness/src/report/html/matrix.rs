//! The matrix: instruction by class of cells, per edition and target, and the places of the maps.

use std::fmt::Write;

use super::super::model::{FindingPart, PagePart, ResultPart, RulePart, UnitPart};
use super::super::offer::{explains, lines, three};
use super::super::text::{grouped, names, percent};
use super::cells::{Mark, Tally, Unit};
use super::{code, page_link, shape, text};
use crate::terms::by_key;

/// Open cells of a unit that are listed; the map has all.
const MOST_HOLES: usize = 20;
/// Rules of a unit that are listed.
const MOST_RULES: usize = 100;
/// Classes from which on a table is folded, unless something in it needs a look.
const MANY_CLASSES: usize = 48;

/// What a mark means, in words.
pub(super) fn meaning(mark: Mark, enough: u64) -> String {
    let agreements = if enough == 1 { "1 agreement".to_string() } else { format!("{enough} agreements") };
    match mark {
        Mark::Finding => "a target differs from the reference".to_string(),
        Mark::Hole => format!("not yet drawn often enough: it takes {agreements}"),
        Mark::Unknown => "a status that this version does not know".to_string(),
        Mark::Unsupported => "the target refuses all that is specified".to_string(),
        Mark::Disputed => "the target differs only in what is disputed: no finding".to_string(),
        Mark::Green => format!("at least {agreements} on cases that complete, and no difference"),
        Mark::Unwitnessed => "of those that passed: shown by no implementation but ours".to_string(),
        Mark::Blocked => format!("at least {agreements} that the machine holds it back"),
        Mark::Cited => "the page specifies nothing for it".to_string(),
        Mark::Elsewhere => "another target differs here".to_string(),
    }
}

/// The share of each mark, as a bar.
pub(super) fn bar(tally: &Tally) -> String {
    let mut html = "<span class=\"bar\" aria-hidden=\"true\">".to_string();
    for (mark, count) in tally.present() {
        let _ = write!(html, "<i class=\"{}\" style=\"flex-grow:{count}\"></i>", mark.name());
    }
    html + "</span>"
}

/// The marks of a tally in shapes, counts and words.
fn chips(tally: &Tally) -> String {
    let mut html = String::new();
    for mark in Mark::ALL.into_iter().filter(|&mark| tally.shown(mark) > 0) {
        let _ = write!(
            html,
            "<span class=\"chip {}\">{}<b>{}</b> {}</span>",
            mark.name(),
            shape(mark),
            grouped(tally.shown(mark)),
            mark.word()
        );
    }
    if tally.contested > 0 {
        let _ = write!(
            html,
            "<span class=\"chip contested\"><svg class=\"shape contested\" aria-hidden=\"true\"><use \
             href=\"#s-contested\"/></svg><b>{}</b> contested</span>",
            grouped(tally.contested)
        );
    }
    html
}

/// The section.
pub(super) fn section(result: &ResultPart, units: &[Unit<'_>], maps: bool) -> String {
    let mut html = "<section id=\"matrix\"><h2>Matrix</h2>\n".to_string();
    if units.is_empty() {
        html.push_str("<p class=\"quiet\">Nothing was selected.</p>\n");
    }
    let mut from = 0;
    while from < units.len() {
        let same = |unit: &&Unit<'_>| unit.part.instruction == units[from].part.instruction;
        let count = units[from..].iter().take_while(same).count();
        html.push_str(&instruction(&units[from..from + count], &result.findings, maps));
        from += count;
    }
    html + "</section>\n"
}

fn instruction(units: &[Unit<'_>], findings: &[FindingPart], maps: bool) -> String {
    let first = units[0].part;
    let mut html = format!(
        "<article class=\"block\">\n<h3>{} {}</h3>\n<p class=\"quiet\">{}</p>\n",
        text(&first.name),
        code(&first.instruction),
        pages(units)
    );
    let trouble = units.iter().any(|unit| unit.part.diverged > 0 || unit.part.counts.holes > 0);
    let (table, classes) = table(units, findings);
    if classes > MANY_CLASSES && !trouble {
        let _ = write!(
            html,
            "<details><summary>{classes} classes of cells: no finding, none open</summary>{table}</details>"
        );
    } else {
        html.push_str(&table);
    }
    html.push_str(&unwitnessed(first));
    for unit in units {
        html.push_str(&offer(unit.part));
        html.push_str(&map(unit, findings, maps));
    }
    html + "</article>\n"
}

/// The pages of the editions, and the errata.
fn pages(units: &[Unit<'_>]) -> String {
    let pages = by_key(units.iter().map(|unit| (&unit.part.page, &*unit.part.edition)));
    let line = |(page, editions): (&PagePart, Vec<&str>)| {
        let editions = names(editions.into_iter()).join(", ");
        format!("{}: {} of {}", text(&editions), page_link(page, ""), text(&page.date))
    };
    let mut lines: Vec<String> = pages.into_iter().map(line).collect();
    if !units[0].part.errata.is_empty() {
        lines.push(format!("errata: {}", text(&units[0].part.errata.join(", "))));
    }
    lines.join("<br>")
}

/// A column for each edition and target.
struct Column<'a> {
    unit: &'a Unit<'a>,
    target: Option<&'a str>,
    tallies: Vec<Tally>,
}

fn table(units: &[Unit<'_>], findings: &[FindingPart]) -> (String, usize) {
    let mut columns = Vec::new();
    for unit in units {
        let column = |target| Column { unit, target, tallies: unit.tallies(findings, target) };
        columns.extend(unit.targets().into_iter().map(column));
    }
    let classes = names(units.iter().flat_map(|unit| &unit.part.classes).map(|class| &*class.name));
    let mut html = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Matrix\"><table class=\"matrix\" \
         style=\"--columns:{}\">\n<thead><tr><th scope=\"col\">class of cells</th>",
        columns.len()
    );
    for Column { unit, target, .. } in &columns {
        let _ = write!(
            html,
            "<th scope=\"col\">{} <small>{}</small><a class=\"open\" href=\"#{}\">cell map</a>{}</th>",
            text(&unit.part.edition),
            target.map_or("nothing is compared".to_string(), text),
            unit.anchor,
            three_figures(unit.part)
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for class in &classes {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", text(class));
        for column in &columns {
            html.push_str(&entry(column, class, findings));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n<tfoot><tr><th scope=\"row\">all</th>");
    for Column { tallies, .. } in &columns {
        let mut all = Tally::default();
        tallies.iter().for_each(|tally| all.merge(tally));
        let _ = write!(html, "<td>{}<span class=\"chips\">{}</span></td>", bar(&all), chips(&all));
    }
    (html + "</tr></tfoot></table></div>\n", classes.len())
}

/// What the cells of a class are to a target in an edition.
fn entry(Column { unit, target, tallies }: &Column<'_>, class: &str, findings: &[FindingPart]) -> String {
    let Some(place) = unit.part.classes.iter().position(|known| known.name == class) else {
        return "<td class=\"none\">no such cell</td>".to_string();
    };
    let tally = &tallies[place];
    let mut html = format!("<td>{}<span class=\"chips\">{}", bar(tally), chips(tally));
    for (number, finding) in unit.findings(findings).filter(|(_, finding)| Some(&*finding.signature.target) == *target)
    {
        let here = finding
            .seen
            .iter()
            .any(|seen| seen.edition == unit.part.edition && seen.classes.iter().any(|name| name == class));
        if here {
            let _ = write!(html, "<a class=\"to\" href=\"#finding-{0}\">finding {0}</a>", number + 1);
        }
    }
    html + "</span></td>"
}

/// Passed, answered and specified, which always stand together.
fn three_figures(unit: &UnitPart) -> String {
    if unit.targets.is_empty() {
        return String::new();
    }
    let [green, offered, promised] = three(unit).map(grouped);
    let missing = if unit.offers_nothing() { " missing" } else { "" };
    format!(
        "<span class=\"three{missing}\"><b>{green}</b> passed / <b>{offered}</b> answered / <b>{promised}</b> specified</span>"
    )
}

/// What an implementation that may refuse cases was found to refuse.
fn offer(unit: &UnitPart) -> String {
    let lines = lines(unit);
    if lines.is_empty() {
        return String::new();
    }
    let rules = unit.observed.as_ref().map_or(&[][..], |observed| &observed.rules);
    let mut html = format!(
        "<details class=\"fold offer\"{}><summary><span>{}What <b>{}</b> answers in {}</span>{}</summary><ul>",
        if unit.offers_nothing() { " open" } else { "" },
        shape(Mark::Unsupported),
        text(&unit.targets.join(", ")),
        text(&unit.edition),
        three_figures(unit)
    );
    for line in lines {
        let _ = write!(html, "<li>{}</li>", text(&line));
    }
    html.push_str("</ul>");
    if !rules.is_empty() {
        html.push_str(&rule_table(&rules[..rules.len().min(MOST_RULES)]));
    }
    if rules.len() > MOST_RULES {
        let _ = write!(html, "<p class=\"quiet\">and {} more rules</p>", rules.len() - MOST_RULES);
    }
    html + "</details>\n"
}

/// Rules, with a column of reasons if the implementation gave any.
fn rule_table(rules: &[RulePart]) -> String {
    let is_reasoned = rules.iter().any(|rule| rule.reason.is_some());
    let mut html = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Rules\"><table class=\"list\"><thead><tr><th \
         scope=\"col\">refused if</th>{}<th scope=\"col\">explains</th></tr></thead><tbody>",
        if is_reasoned { "<th scope=\"col\">reason</th>" } else { "" }
    );
    for rule in rules {
        let reason = rule.reason.as_ref().map_or("–".to_string(), |reason| text(reason));
        let reason = if is_reasoned { format!("<td>{reason}</td>") } else { String::new() };
        let _ = writeln!(html, "<tr><td>{}</td>{reason}<td>{}</td></tr>", text(&rule.when), explains(rule));
    }
    html + "</tbody></table></div>"
}

fn unwitnessed(unit: &UnitPart) -> String {
    if unit.unwitnessed.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<details class=\"fold\"><summary><span>{}{} unwitnessed: shown by no implementation but ours</span></summary><dl \
         class=\"pairs\">",
        shape(Mark::Unwitnessed),
        unit.unwitnessed.len()
    );
    for one in &unit.unwitnessed {
        let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", code(&one.axis), text(&one.reason));
    }
    html + "</dl></details>\n"
}

/// Where the script puts the map of a unit; without it, the letters of its cells.
fn map(unit: &Unit<'_>, findings: &[FindingPart], maps: bool) -> String {
    let part = unit.part;
    let mut all = Tally::default();
    unit.tallies(findings, None).iter().for_each(|tally| all.merge(tally));
    let mut html = format!(
        "<details class=\"fold unit\" id=\"{}\"><summary><span>Cell map: <b>{}</b>{}, {} cells</span><span \
         class=\"chips\">{}</span></summary>\n",
        unit.anchor,
        text(&part.edition),
        part.target.as_ref().map_or(String::new(), |target| format!(" {}", text(target))),
        grouped(part.counts.cells),
        chips(&all)
    );
    let mut facts = Vec::new();
    match part.contested {
        Some(contested) => facts.push(format!("{} contested", grouped(contested))),
        None => facts.push("contested cells were not looked for".to_string()),
    }
    if let Some(cover) = &part.coverage {
        let (covered, total) = (grouped(cover.covered), grouped(cover.total));
        let share = percent(cover.covered, cover.total);
        facts.push(format!("{covered} of {total} three-way combinations of the orthogonal axes were tried ({share})"));
    }
    if let Some(bits) = &part.bits {
        let (seen, total) = (grouped(bits.seen), grouped(bits.total));
        facts.push(format!("{seen} of {total} bits of fields were seen as 0 and as 1"));
    }
    let _ = writeln!(html, "<p class=\"quiet\">{}</p>", facts.join(" · "));
    html.push_str(&holes(unit));
    if maps {
        html.push_str("<div class=\"map\"></div>\n<noscript>");
        html.push_str(&letters(unit));
        html.push_str("</noscript>");
    } else {
        html.push_str("<p class=\"quiet\">The map is left out, to keep this file small; the JSON report has it.</p>");
    }
    html + "</details>\n"
}

fn holes(unit: &Unit<'_>) -> String {
    let part = unit.part;
    if part.hole_list.is_empty() {
        return String::new();
    }
    let mut html = format!("<details class=\"sub\"><summary>{} open</summary><ul>", part.hole_list.len());
    for hole in part.hole_list.iter().take(MOST_HOLES) {
        let _ = write!(
            html,
            "<li><a href=\"#{0}/{1}\">cell {1}</a>, {2}: {3}</li>",
            unit.anchor,
            hole.cell,
            code(&hole.description),
            hole.counts()
        );
    }
    if part.hole_list.len() > MOST_HOLES {
        let _ = write!(html, "<li>and {} more</li>", part.hole_list.len() - MOST_HOLES);
    }
    html + "</ul></details>\n"
}

/// The cells as letters, 64 in a line, and the axes that they follow.
fn letters(unit: &Unit<'_>) -> String {
    const LINE: usize = 64;
    let present = Mark::ALL.into_iter().filter(|mark| unit.marks.contains(mark));
    let legend: Vec<String> = present.map(|mark| format!("<b>{}</b> {}", mark.letter(), mark.word())).collect();
    let numbered = match unit.part.map.places {
        Some(_) => "; only combinations that are cells have a number",
        None => "",
    };
    let mut html = format!(
        "<p>One letter a cell: {}. The axes, of which the last runs fastest{numbered}:</p><ul>",
        legend.join(", ")
    );
    for axis in &unit.part.map.axes {
        let _ = write!(html, "<li>{}: {}</li>", code(&axis.name), text(&axis.levels.join(", ")));
    }
    html.push_str("</ul><pre class=\"letters\">");
    for (line, marks) in unit.marks.chunks(LINE).enumerate() {
        let letters = marks.iter().map(|mark| mark.letter());
        let _ = writeln!(html, "{:>6} {}", line * LINE, letters.collect::<String>());
    }
    html + "</pre>"
}
