//! The findings: where each was seen, its smallest case, which bits differ and what they are, pages, and the replay.

use std::fmt::Write;

use super::super::CaseText;
use super::super::model::{BitPart, DifferencePart, FindingPart, LayoutPart, MOST_BITS, MinimizedPart, ResultPart};
use super::super::text::{counted, grouped, ranges, shortened};
use super::cells::{Mark, Unit};
use super::{code, page_link, shape, text};

/// Findings that stand open if there are no more.
const MOST_OPEN: usize = 3;
/// Differences that are drawn bit by bit; the others are listed.
const MOST_DRAWN: usize = 2;
/// Bits of a word that leave room for its values beside them.
const MOST_BITS_BESIDE: u32 = 24;
/// Fields and words of a case that are listed; the others are counted.
const MOST_ELEMENTS: usize = 24;

/// The section, with at most so many findings in full.
pub(super) fn section(result: &ResultPart, units: &[Unit<'_>], most: usize) -> String {
    let findings = &result.findings;
    let mut html = "<section id=\"findings\"><h2>Findings</h2>\n".to_string();
    if findings.is_empty() {
        let refused = units.iter().any(|unit| unit.part.refusals > 0);
        let cases = if refused { "every case that was answered" } else { "every generated case" };
        let _ = writeln!(html, "<p class=\"quiet\">None: on {cases} all targets agreed with the reference.</p>");
    }
    for (number, finding) in findings.iter().enumerate().take(most) {
        html.push_str(&one(number + 1, finding, units, findings.len() <= MOST_OPEN));
    }
    if findings.len() > most {
        let _ = write!(html, "<h3>And {} more</h3><ul>", findings.len() - most);
        for finding in findings.iter().skip(most).take(1_000) {
            let _ = write!(html, "<li>{}: {}</li>", text(&finding.signature.to_string()), code(&finding.replay));
        }
        html.push_str("</ul><p class=\"quiet\">The JSON report has all of them.</p>\n");
    }
    html + "</section>\n"
}

fn one(number: usize, finding: &FindingPart, units: &[Unit<'_>], open: bool) -> String {
    let signature = &finding.signature;
    let verdict = if finding.is_new() { "new".to_string() } else { format!("known: {}", finding.known.join(", ")) };
    let mut html = format!(
        "<details class=\"found {}\" id=\"finding-{number}\"{}><summary>{}<span class=\"number\">{number}</span><span \
         class=\"verdict\">{}</span> <span class=\"title\"><b>{}</b> {}{}</span><span class=\"quiet\">{} · {}</span></summary>\n",
        if finding.is_new() { "new" } else { "known" },
        if open { " open" } else { "" },
        shape(Mark::Finding),
        text(&verdict),
        text(&signature.target),
        text(&signature.kind),
        if signature.place == "-" { String::new() } else { format!(" of {}", code(&signature.place)) },
        text(&signature.instruction),
        counted(finding.cases, "case")
    );
    html.push_str("<div class=\"columns\">\n<div>\n");
    html.push_str(&smallest(finding));
    html.push_str("</div>\n<div>\n");
    html.push_str(&seen(number, finding, units));
    html.push_str(&bits(finding));
    html.push_str(&cited(finding));
    html.push_str("</div>\n</div>\n");
    let _ = writeln!(html, "<h3>Replay</h3><pre class=\"command\"><code>{}</code></pre>", text(&finding.replay));
    html + "</details>\n"
}

// ------------------------------------------------------------------------------------------------ the case

fn smallest(finding: &FindingPart) -> String {
    let mut html = String::new();
    match (&finding.minimized, &finding.stored) {
        (Some(smallest), _) => html.push_str(&minimized(smallest)),
        (None, Some(stored)) => {
            html.push_str("<h3>First case <small>it has no smallest one</small></h3>");
            html.push_str(&case(stored));
        }
        (None, None) => html.push_str("<h3>No case by value was kept</h3>"),
    }
    let _ = write!(html, "<details class=\"sub\" open><summary>In words</summary><pre class=\"words\">");
    for line in &finding.explanation {
        let _ = writeln!(html, "{}", text(line));
    }
    html + "</pre></details>\n"
}

fn minimized(smallest: &MinimizedPart) -> String {
    let proof = if smallest.proven { "nothing more can be cleared" } else { "not proven minimal" };
    let mut html = format!(
        "<h3>Smallest case <small>{}, {proof}, {}</small></h3>\n<pre class=\"instruction\"><code>{}</code></pre>\n",
        counted(smallest.size, "element"),
        counted(smallest.runs, "run"),
        text(&smallest.text)
    );
    html.push_str(&case(&smallest.case));
    html.push_str("<h3>What differs</h3>\n");
    for difference in smallest.differences.iter().take(MOST_DRAWN) {
        html.push_str(&drawn(difference));
    }
    let rest = &smallest.differences[smallest.differences.len().min(MOST_DRAWN)..];
    if !rest.is_empty() || smallest.more_differences > 0 {
        html.push_str(&listed(rest, smallest.more_differences));
    }
    html
}

/// A case by value: the code, and what differs from the base state before it.
fn case(case: &CaseText) -> String {
    let mut html = format!(
        "<dl class=\"pairs case\"><dt>edition</dt><dd>{}</dd><dt>code</dt><dd>{}</dd>",
        text(&case.edition),
        code(&case.code.join(" "))
    );
    let fields = case.fields.iter().map(|field| (&field.name, field.value.to_string()));
    let words = case.words.iter().map(|word| (&word.place, word.value.clone()));
    for (name, value) in fields.chain(words).take(MOST_ELEMENTS) {
        let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", code(name), code(&value));
    }
    let all = case.fields.len() + case.words.len();
    if all == 0 {
        html.push_str("<dt>before</dt><dd>the base state</dd>");
    }
    html.push_str("</dl>\n");
    if all > MOST_ELEMENTS {
        let _ = write!(html, "<p class=\"quiet\">and {} more</p>", all - MOST_ELEMENTS);
    } else if all > 0 {
        html.push_str("<p class=\"quiet\">Everything else is the base state.</p>\n");
    }
    html
}

fn drawn(difference: &DifferencePart) -> String {
    let mut html =
        format!("<p class=\"place\">{} <small>{}</small></p>\n", code(&difference.place), text(&difference.kind));
    let words = number(&difference.expected).zip(number(&difference.got));
    match (&difference.layout, words) {
        (Some(layout), Some(words)) if (1..=32).contains(&layout.width) => {
            html.push_str(&bit_table(layout, words, difference));
        }
        _ => {
            let _ = write!(
                html,
                "<dl class=\"pairs\"><dt>expected</dt><dd>{}</dd><dt>got</dt><dd>{}</dd></dl>",
                code(&difference.expected),
                code(&difference.got)
            );
        }
    }
    html
}

fn number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Two words bit by bit below the parts of their format, with a mark below each bit that differs.
fn bit_table(layout: &LayoutPart, (expected, got): (u32, u32), difference: &DifferencePart) -> String {
    let differing = expected ^ got;
    let is_wide = layout.width > MOST_BITS_BESIDE;
    let bits = || (0..layout.width).rev();
    let which: Vec<String> = bits().filter(|bit| differing >> bit & 1 != 0).map(|bit| bit.to_string()).collect();
    let mut html = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bits\"><table class=\"bits{}\"><caption>{}{} \
         {} differ{}</caption>\n",
        if is_wide { " wide" } else { "" },
        read_as(layout),
        if which.len() == 1 { "bit" } else { "bits" },
        which.join(", "),
        if which.len() == 1 { "s" } else { "" }
    );
    if !layout.parts.is_empty() {
        html.push_str(&part_row(layout));
    }
    html.push_str("<tr class=\"places\"><th scope=\"row\">bit</th>");
    for bit in bits() {
        let _ = write!(html, "<td class=\"{}\">{bit}</td>", part_of(layout, bit));
    }
    html.push_str("<td></td></tr>\n");
    let rows =
        [("expected", expected, &difference.expected, &layout.expected), ("got", got, &difference.got, &layout.got)];
    for (name, word, hex, value) in rows {
        let _ = write!(html, "<tr class=\"{name}\"><th scope=\"row\">{name}</th>");
        for bit in bits() {
            let differs = if differing >> bit & 1 != 0 { " differs" } else { "" };
            let _ = write!(html, "<td class=\"{}{differs}\">{}</td>", part_of(layout, bit), word >> bit & 1);
        }
        let _ = writeln!(html, "<td class=\"value\">{}</td></tr>", valued(hex, value.as_ref()));
    }
    html.push_str("<tr class=\"marks\" aria-hidden=\"true\"><td></td>");
    for bit in bits() {
        html.push_str(if differing >> bit & 1 != 0 { "<td>▲</td>" } else { "<td></td>" });
    }
    let before = difference.before.as_ref().map_or(String::new(), |before| format!("before: {}", code(before)));
    let _ = writeln!(html, "<td class=\"value quiet\">{before}</td></tr></table></div>");
    // Where there is no room beside the bits, the values stand below them.
    let below = rows.map(|(name, _, hex, value)| format!("{name} {}", valued(hex, value.as_ref())));
    let shown = if is_wide { " always" } else { "" };
    html + &format!("<p class=\"values{shown}\">{}</p>\n", below.join("<br>"))
}

/// The format of a word, and which datum is meant.
fn read_as(layout: &LayoutPart) -> String {
    let words: Vec<String> = layout.format.iter().chain(&layout.datum).map(|word| text(word)).collect();
    if words.is_empty() { String::new() } else { words.join(", ") + ": " }
}

/// A word in hexadecimal, and its value where one is known.
fn valued(hex: &str, value: Option<&String>) -> String {
    format!("{}{}", code(hex), value.map_or(String::new(), |value| format!(" = {}", text(value))))
}

/// The class of a bit: the kind of part that it is in.
fn part_of(layout: &LayoutPart, bit: u32) -> &'static str {
    let part = layout.parts.iter().find(|part| part.shift <= bit && bit - part.shift < part.width);
    match part.map(|part| &*part.name) {
        Some("sign") => "sign",
        Some("exponent") => "exponent",
        Some(_) => "mantissa",
        None => "",
    }
}

fn part_row(layout: &LayoutPart) -> String {
    let mut html = "<tr class=\"parts\"><td></td>".to_string();
    let mut bit = layout.width;
    while bit > 0 {
        let here = layout.parts.iter().find(|part| part.shift < bit && bit - 1 - part.shift < part.width);
        let next = layout.parts.iter().map(|part| part.shift.saturating_add(part.width)).filter(|end| *end < bit).max();
        let (name, low) = here.map_or(("", next.unwrap_or(0)), |part| (&*part.name, part.shift));
        let name_shown = if bit - low < 4 { name.get(..1).unwrap_or("") } else { name };
        let _ = write!(
            html,
            "<th scope=\"colgroup\" colspan=\"{}\" class=\"{}\" title=\"{}\">{}</th>",
            bit - low,
            part_of(layout, low),
            text(name),
            text(name_shown)
        );
        bit = low;
    }
    html + "<td></td></tr>\n"
}

fn listed(rest: &[DifferencePart], more: u64) -> String {
    let mut html = "<details class=\"sub\"><summary>".to_string();
    let _ = write!(html, "{} more</summary>", grouped(rest.len() as u64 + more));
    html.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Differences\"><table class=\"list\"><thead><tr><th \
         scope=\"col\">place</th><th scope=\"col\">kind</th><th scope=\"col\">before</th><th \
         scope=\"col\">expected</th><th scope=\"col\">got</th></tr></thead><tbody>\n",
    );
    for difference in rest {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            code(&difference.place),
            text(&difference.kind),
            difference.before.as_ref().map_or("–".to_string(), |before| code(before)),
            code(&difference.expected),
            code(&difference.got)
        );
    }
    html.push_str("</tbody></table></div>");
    if more > 0 {
        let _ = write!(html, "<p class=\"quiet\">and {} that are not listed</p>", grouped(more));
    }
    html + "</details>\n"
}

// ------------------------------------------------------------------------------------------------ where and why

fn seen(number: usize, finding: &FindingPart, units: &[Unit<'_>]) -> String {
    let mut html = format!(
        "<h3>Where</h3>\n<p>First met after {} cases and {} words, in {}.</p>\n<ul class=\"seen\">",
        grouped(finding.cases_to_find),
        grouped(finding.datums_to_find),
        code(&finding.first)
    );
    for seen in &finding.seen {
        let classes: Vec<String> = seen.classes.iter().map(|class| text(class)).collect();
        let _ = write!(
            html,
            "<li><b>{}</b>: {} ({})",
            text(&seen.edition),
            counted(seen.cells.len() as u64, "cell"),
            shortened(&ranges(&seen.cells))
        );
        let unit =
            units.iter().find(|unit| unit.part.concerns(&finding.signature) && unit.part.edition == seen.edition);
        if let Some(unit) = unit {
            let _ = write!(html, " <a href=\"#{}/finding-{number}\">show in the map</a>", unit.anchor);
        }
        let _ = write!(html, "<br><span class=\"quiet\">{}</span></li>", classes.join("; "));
    }
    html.push_str("</ul>\n");
    for outside in &finding.outside {
        let _ = writeln!(html, "<p>Outside of what is known: {}</p>", text(outside));
    }
    html
}

/// Width of a bit in the histogram.
const BIT: u64 = 10;
/// The same in pixels, at most.
const SHOWN: u64 = 15;
/// Height of the tallest bar.
const TALL: u64 = 48;
/// Height of the histogram with the numbers below the bars.
const WHOLE: u64 = 60;

/// The bits that were seen to differ over all cases, over the whole word: how often, and in which directions.
fn bits(finding: &FindingPart) -> String {
    // Nothing has more bits, whatever somebody's file says.
    let drawn: Vec<&BitPart> = finding.bits.iter().filter(|bit| bit.bit < MOST_BITS).collect();
    let Some(highest) = drawn.iter().map(|bit| bit.bit).max() else { return String::new() };
    let differences = finding.minimized.iter().flat_map(|smallest| &smallest.differences);
    let layout = differences.filter_map(|difference| difference.layout.as_ref()).next();
    // Words have 8, 16 or 32 bits, some fields any number; a bit of a wider place than the smallest case shows is not lost.
    let width = layout.map_or(highest + 1, |layout| layout.width.clamp(highest + 1, MOST_BITS));
    let most = drawn.iter().map(|bit| bit.set + bit.cleared).max().unwrap_or(1).max(1);
    let said: Vec<String> = drawn.iter().map(|bit| bit.bit.to_string()).collect();
    let mut html = format!(
        "<h3>Bits seen to differ <small>over all cases</small></h3>\n<svg class=\"histogram\" \
         style=\"max-width:{}px\" viewBox=\"0 0 {} {WHOLE}\" role=\"img\" aria-label=\"Of {width} bits these differ: {}\">",
        u64::from(width) * SHOWN,
        u64::from(width) * BIT,
        said.join(", ")
    );
    for bit in 0..width {
        let left = u64::from(width - 1 - bit) * BIT;
        let part = layout.map_or("", |layout| part_of(layout, bit));
        let _ = write!(html, "<rect class=\"{part}\" x=\"{left}\" y=\"0\" width=\"{}\" height=\"{TALL}\"/>", BIT - 1);
        let (x, narrow, middle) = (left + 1, BIT - 3, left + (BIT - 1) / 2);
        let of = drawn.iter().find(|of| of.bit == bit);
        if let Some(&&BitPart { set, cleared, .. }) = of {
            // What is there is seen, however rare.
            let height = |count: u64| if count == 0 { 0 } else { (count * TALL).div_ceil(most).max(2) };
            let (set, cleared) = (height(set), height(cleared).min(TALL.saturating_sub(height(set)).max(2)));
            for (class, top, height) in
                [("set", TALL - set, set), ("cleared", (TALL - set).saturating_sub(cleared), cleared)]
            {
                if height > 0 {
                    let _ = write!(
                        html,
                        "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{narrow}\" height=\"{height}\"/>"
                    );
                }
            }
        }
        if bit % 4 == 0 || bit + 1 == width {
            let _ = write!(html, "<text x=\"{middle}\" y=\"{}\">{bit}</text>", WHOLE - 3);
        }
    }
    html.push_str("</svg>\n<p class=\"quiet key\"><i class=\"set\"></i>0→1 <i class=\"cleared\"></i>1→0</p>\n");
    html + &counts(&finding.bits)
}

/// The same in numbers.
fn counts(bits: &[BitPart]) -> String {
    let mut html = "<details class=\"sub\"><summary>In numbers</summary>\n<ul class=\"bitlist\">".to_string();
    for bit in bits {
        let _ = write!(html, "<li><b>{}</b>", bit.bit);
        for (direction, count) in [("0→1", bit.set), ("1→0", bit.cleared)] {
            if count > 0 {
                let _ = write!(html, "<span>{direction} <i>×{}</i></span>", grouped(count));
            }
        }
        html.push_str("</li>");
    }
    html + "</ul></details>\n"
}

fn cited(finding: &FindingPart) -> String {
    let mut html = "<h3>Pages</h3>\n<ul class=\"pages\">".to_string();
    for citation in &finding.citations {
        let _ = write!(
            html,
            "<li>{}<br><b>{}</b>: {}</li>",
            page_link(&citation.page, &citation.place),
            text(&citation.place),
            text(&citation.reason)
        );
    }
    html.push_str("</ul>\n");
    if !finding.errata.is_empty() {
        let _ =
            write!(html, "<p class=\"quiet\">So does the other reading of: {}</p>", text(&finding.errata.join(", ")));
    }
    html
}
