//! The page.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use tandem_harness::report::html::{LIMIT, page};
use tandem_harness::report::json::{parse, report as text_of};
use tandem_harness::report::model::{FaultPart, FaultsPart, SeenPart, UnitPart};
use tandem_harness::report::{Report, RunPart};
use tandem_harness::vectors::Column;

use crate::{figures, sample};

/// What is between the tags of an element that a page has once, or whose last one is meant.
fn inside<'a>(page: &'a str, tag: &str, end: &str) -> &'a str {
    let from = page.rfind(tag).expect("the page has it") + tag.len();
    let to = from + page[from..].find(end).expect("it ends");
    &page[from..to]
}

/// The page without its style, its data and its script.
fn markup(page: &str) -> String {
    let mut rest = page.to_string();
    for (tag, end) in [("<style>", "</style>"), ("id=\"data\">", "</script>"), ("<script>", "</script>")] {
        rest = rest.replace(inside(page, tag, end), "");
    }
    rest
}

fn data(page: &str) -> serde_json::Value {
    let data = inside(page, "id=\"data\">", "</script>");
    assert!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
    serde_json::from_str(data).expect("the data are JSON")
}

/// A text as the page has it, if it is short.
fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// The bytes that letters of base 64 stand for.
fn of_base64(letters: &str) -> Vec<u8> {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let letters = letters.trim_end_matches('=');
    let place = |letter| alphabet.iter().position(|known| *known == letter).expect("it is a letter of base 64");
    let bits: String = letters.chars().map(|letter| format!("{:06b}", place(letter))).collect();
    let bytes = bits.as_bytes().chunks_exact(8);
    bytes.map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | (bit - b'0'))).collect()
}

/// A report with one text in every string that it has.
fn with_everywhere(hostile: &str) -> Report {
    fn fill(value: &mut serde_json::Value, with: &str) {
        match value {
            serde_json::Value::String(text) => *text = with.to_string(),
            serde_json::Value::Array(all) => all.iter_mut().for_each(|one| fill(one, with)),
            serde_json::Value::Object(all) => all.values_mut().for_each(|one| fill(one, with)),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
        }
    }
    let mut report = sample::report();
    report.run.faults = Some(FaultsPart::of(1, vec![FaultPart::default()]));
    report.result.units[0].observed = sample::partial().result.units[0].observed.clone();
    report.result.units[0].target = Some(String::new());
    report.result.findings[0].outside = vec![String::new()];
    report.result.findings[0].known = vec![String::new()];
    report.result.findings[0].stored = report.result.findings[0].minimized.as_ref().map(|small| small.case.clone());
    report.run.notes = vec![String::new()];
    (report.run.options, report.run.command) = (String::new(), Some(String::new()));
    report.result.findings[0].after = report.result.findings[0].stored.iter().cloned().collect();
    if let Some(vectors) = &mut report.result.vectors {
        vectors.list[0].divergent = vec![String::new()];
        vectors.list[0].reference = vec![String::new()];
        vectors.list[0].known = vec![String::new()];
        let there = [Column::Divergent, Column::Known, Column::Missing];
        vectors.list[0].columns = there.into_iter().collect();
        vectors.list[0].missing_cells = vec![7];
        vectors.findings = vec![sample::vector_finding()];
    }
    let mut value = serde_json::from_str(&text_of(&report)).expect("a report is JSON");
    fill(&mut value, hostile);
    parse(&value.to_string()).expect("it is still a report")
}

#[test]
fn the_page_says_what_the_report_says() {
    let report = sample::report();
    let page = page(&report);
    let finding = &report.result.findings[0];
    for part in
        ["<!doctype html>", "1 new finding", "id=\"matrix\"", "id=\"finding-1\"", "id=\"vectors\"", "id=\"run\""]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains(&text(&finding.replay)));
    for class in &report.result.units[0].classes {
        assert!(page.contains(&format!("<th scope=\"row\">{}</th>", text(&class.name))), "{}", class.name);
    }
    for mark in ["finding", "open", "passed", "blocked", "undefined", "contested"] {
        assert!(page.contains(&format!("</b> {mark}")), "{mark}");
    }
    assert!(page.contains("class=\"missing\">not run: <code>highest</code>"));
    let data = data(&page);
    // The script has one letter a cell.
    assert_eq!(data["units"][0]["statuses"], report.result.units[0].map.statuses);
    assert_eq!(data["findings"][0]["seen"][0][1], "1");
}

#[test]
fn what_a_partial_target_answers_stands_beside_what_passed() {
    let report = sample::partial();
    let page = page(&report);
    let unit = &report.result.units[0];
    let [green, offered, promised] = figures(unit);
    assert!(page.contains(&format!("<b>{green}</b> passed / <b>{offered}</b> answered / <b>{promised}</b> specified")));
    assert!(page.contains("What <b>partial</b> answers in ") && page.contains("exploration: no claims"));
    assert!(page.contains("<td>mode = 3</td><td>no such mode here</td>"));
    assert!(page.contains("</b> unsupported") && page.contains(" specified cells: they were not tested."));
    let data = data(&page);
    assert_eq!(data["units"][0]["rules"][0], serde_json::json!(["mode = 3", "no such mode here"]));
    assert_eq!(data["units"][0]["explained"], unit.map.rules);
    assert_eq!(data["units"][0]["refusals"], unit.map.refusals);
    assert_eq!(data["findings"][0]["seen"][0][0], 0);
    let refusing = self::page(&sample::refusing());
    assert!(refusing.contains("a target answers nothing that is specified"));
    assert!(refusing.contains("class=\"three missing\"") && !refusing.contains("<header class=\"top good\""));
}

#[test]
fn the_difference_is_drawn_bit_by_bit() {
    let report = sample::report();
    let page = page(&report);
    let marked = page.matches("<td>▲</td>").count();
    let difference = &report.result.findings[0].minimized.as_ref().expect("it has one").differences[0];
    let bits = number(&difference.expected) ^ number(&difference.got);
    assert_eq!(marked as u32, bits.count_ones());
    assert!(page.contains("bit 0 differs"), "the sample expects 5 and gets 4");
}

fn number(hex: &str) -> u32 {
    u32::from_str_radix(&hex[2..], 16).expect("it is a number")
}

#[test]
fn hostile_texts_in_every_field_are_texts() {
    for hostile in [
        "<script>alert(1)</script>",
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "-->",
        "\"><img src=x onerror=alert(1)>",
        "' onfocus=alert(1) autofocus='",
        "javascript:alert(1)",
        "\u{2028}\u{202e}\u{0}\x1b[31m\r\n",
        "&lt;script&gt;",
        "]]>",
        "0x1f",
        "lines 99999999999-1",
    ] {
        let page = page(&with_everywhere(hostile));
        let markup = markup(&page);
        let plain = self::page(&with_everywhere("a b"));
        // The same elements and attributes as with a harmless text, and nothing that steers a reader.
        let shape = |page: &str| -> Vec<String> {
            let tags = page.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default());
            tags.map(|tag| tag.split([' ', '"']).next().unwrap_or_default().to_string()).collect()
        };
        if !hostile.starts_with("0x") {
            assert!(shape(&markup) == shape(&self::markup(&plain)), "{hostile:?}");
        }
        assert!(!markup.chars().any(|letter| letter != '\n' && letter.is_control()), "{hostile:?}");
        assert!(!page.contains(['\u{202e}', '\u{2028}']), "{hostile:?}");
        assert!(!markup.contains("href=\"javascript"), "{hostile:?}");
        assert_eq!(page.matches("</script>").count(), 2, "{hostile:?}");
        data(&page);
    }
    data(&page(&sample::hostile()));
}

#[test]
fn the_page_loads_nothing() {
    let page = page(&sample::report());
    for (at, _) in page.match_indices("http") {
        let before = &page[..at];
        assert!(
            before.ends_with("<a href=\"") || before.ends_with("<meta "),
            "{}",
            &page[at.saturating_sub(40)..at + 40]
        );
    }
    for word in [" src=", "url(", "@import", "fetch(", "XMLHttpRequest", "eval(", "innerHTML", "import("] {
        assert!(!page.contains(word), "{word}");
    }
    assert_eq!(page.matches("<link").count(), 1);
    assert!(page.contains("<link rel=\"icon\" href=\"data:,\">") && page.contains("default-src 'none'"));
}

#[test]
fn the_policy_names_the_script() {
    let page = page(&sample::report());
    let named = inside(&page, "'sha256-", "'");
    assert_eq!(of_base64(named), Sha256::digest(inside(&page, "<script>", "</script>")).to_vec());
}

/// How many cells the matrix of a page says to be what.
fn cells_by_mark(page: &str) -> BTreeMap<&str, u64> {
    let matrix = inside(page, "<section id=\"matrix\">", "</section>");
    let mut cells = BTreeMap::new();
    for chip in matrix.split("<span class=\"chip ").skip(1) {
        let mark = chip.split('"').next().expect("there is a first one");
        *cells.entry(mark).or_default() += inside(chip.split("</span>").next().expect("it ends"), "<b>", "</b>")
            .replace(',', "")
            .parse::<u64>()
            .expect("it is a number");
    }
    cells
}

#[test]
fn tallies_add_up_to_the_cells_with_and_without_the_class_of_each_cell() {
    for (mut report, with) in [(sample::report(), true), (sample::report(), false), (sample::partial(), true)] {
        if !with {
            report.result.units.iter_mut().for_each(|unit| unit.map.classes.clear());
        }
        let page = page(&report);
        let mut marks = cells_by_mark(&page);
        marks.remove("contested");
        // Each cell stands in the sum of its unit, in that of its class, and in that of its map.
        marks.values_mut().for_each(|count| *count /= 3);
        let unwitnessed = marks.remove("unwitnessed");
        let units = &report.result.units;
        let sum = |count: fn(&UnitPart) -> u64| units.iter().map(count).sum::<u64>();
        assert_eq!(marks.values().sum::<u64>(), sum(|unit| unit.counts.cells));
        let count = |mark| marks.get(mark).copied().unwrap_or_default();
        // What passed has one number, whoever else has shown it.
        assert_eq!(count("green"), sum(|unit| unit.counts.green));
        assert!(unwitnessed.is_none_or(|count| count <= sum(|unit| unit.counts.green)));
        assert_eq!(count("blocked"), sum(|unit| unit.counts.blocked));
        assert_eq!(count("finding"), sum(|unit| unit.diverged));
        assert_eq!(count("unsupported"), sum(|unit| unit.counts.unsupported));
    }
}

#[test]
fn units_of_one_name_have_ids_of_their_own() {
    let mut report = sample::report();
    let copy = report.result.units[0].clone();
    report.result.units.push(copy);
    let markup = markup(&page(&report));
    let ids: Vec<&str> = markup.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[test]
fn the_same_report_is_the_same_page_and_the_run_stands_apart() {
    let report = sample::report();
    assert_eq!(page(&report), page(&report.clone()));
    let other = Report { run: RunPart { cpu: "another".to_string(), ..RunPart::default() }, ..report.clone() };
    let without_run = |page: &str| -> String {
        let pieces = page.split("<!--run-->").map(|piece| piece.rsplit("<!--/run-->").next().unwrap_or_default());
        pieces.collect()
    };
    assert_ne!(page(&report), page(&other));
    assert_eq!(without_run(&page(&report)), without_run(&page(&other)));
}

#[test]
fn no_report_makes_the_page_too_large() {
    let mut report = sample::report();
    let result = &mut report.result;
    let finding = &mut result.findings[0];
    finding.explanation = vec!["x".repeat(2_500); 20];
    finding.replay = "y".repeat(10_000);
    finding.seen = vec![SeenPart {
        edition: finding.seen[0].edition.clone(),
        cells: (0..4_000).step_by(2).collect(),
        classes: vec!["z".repeat(10_000)],
    }];
    result.findings = vec![result.findings[0].clone(); 700];
    let fault = FaultPart { id: "f".repeat(500), wrong: true, ..FaultPart::default() };
    report.run.faults = Some(FaultsPart::of(1, vec![fault; 3_000]));
    let page = page(&report);
    assert!(page.len() < LIMIT, "{}", page.len());
    assert!(page.contains("id=\"finding-1\"") && page.contains("And 690 more"), "it says what is left out");
}

#[test]
fn what_was_not_run_or_found_is_said() {
    let mut report = sample::report();
    report.result.findings.clear();
    report.result.new_findings = 0;
    report.result.vectors = None;
    let text = page(&report);
    assert!(text.contains("<h1>") && text.contains("specified cells are open"));
    assert!(text.contains("None: on every generated case") && !text.contains("id=\"vectors\""));
    report.result.counts.holes = 0;
    assert!(page(&report).contains("<span>All passed</span>"));
    report.result.completed = 0;
    assert!(page(&report).contains("Nothing was shown: no case completed"));
    report.result.units.clear();
    assert!(page(&report).contains("Nothing was selected."));
    report.run.faults = Some(FaultsPart::of(1, vec![FaultPart { wrong: true, ..FaultPart::default() }]));
    assert!(page(&report).contains("0 of 1 deliberately wrong implementations were found"));
}
