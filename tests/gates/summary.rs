//! The summary of the registers: each of its lines has a row in `reports/spec-003.md`, and what a row names is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tandem_isa::MACHINES;
use tandem_isa::tensix::REGISTER_SUMMARY;

use crate::program::ROOT;

const REPORT: &str = include_str!("../../reports/spec-003.md");

/// Why something may not be modelled yet.
const REASONS: [&str; 2] = ["MPOOL", "floats of the Matrix Unit"];

/// A row: lines, and what carries them.
struct Row {
    lines: Vec<u32>,
    says: &'static str,
    carried: &'static str,
}

fn rows() -> Vec<Row> {
    let table = REPORT.lines().filter(|line| line.starts_with("| ") && line[2..].starts_with(char::is_numeric));
    table
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [lines, says, carried] = cells[..] else { panic!("{line}") };
            let lines = lines.split(", ").map(|number| number.parse().unwrap_or_else(|_| panic!("{line}"))).collect();
            Row { lines, says, carried }
        })
        .collect()
}

/// The numbers of a paragraph, behind the words that it begins with.
fn numbers(begins: &str) -> Vec<u32> {
    let text = REPORT.split_once(begins).unwrap_or_else(|| panic!("no paragraph begins with '{begins}'")).1;
    let paragraph = text.split_once("\n\n").expect("it ends").0;
    paragraph.split([',', '.', '\n', ' ', ':']).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn each_line_has_one_row_or_says_nothing() {
    let count = numbers("\nLines:")[0];
    let silent = numbers("\nSilent (headings, labels, frames of tables, braces):");
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    let rows = rows();
    for line in rows.iter().flat_map(|row| &row.lines).chain(&silent) {
        *seen.entry(*line).or_default() += 1;
    }
    let missing: Vec<u32> = (1..=count).filter(|line| !seen.contains_key(line)).collect();
    let twice: Vec<u32> = seen.iter().filter(|(_, times)| **times > 1).map(|(line, _)| *line).collect();
    let beyond: Vec<u32> = seen.keys().copied().filter(|line| !(1..=count).contains(line)).collect();
    assert_eq!((count, missing, twice, beyond), (504, vec![], vec![], vec![]));
    assert!(rows.len() > 150 && silent.len() == 105, "{} rows, {} silent lines", rows.len(), silent.len());
    assert!(rows.iter().all(|row| !row.says.is_empty() && !row.carried.is_empty()));
}

#[test]
fn what_a_row_names_is_there() {
    let has = |name: &str| {
        let is_form = |own: &str| own.strip_prefix(name).is_some_and(|form| form.is_empty() || form.starts_with('_'));
        MACHINES.iter().flat_map(|isa| isa.instructions).any(|facts| is_form(facts.name))
    };
    let rules: BTreeSet<&str> = MACHINES.iter().flat_map(|isa| isa.rules.rules).map(|rule| rule.id).collect();
    let (mut items, mut instructions, mut of_rules, mut kernels) = (0, 0, 0, 0);
    for row in rows() {
        // Every second piece between backticks is a name.
        for name in row.carried.split('`').skip(1).step_by(2) {
            if let Some((file, item)) = name.split_once(", ") {
                let text = std::fs::read_to_string(Path::new(ROOT).join(file))
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
                let begins = ["fn ", "const ", "static ", "struct "].map(|word| format!("{word}{item}"));
                assert!(begins.iter().any(|begin| text.contains(begin)), "{file} has no {item}");
                items += 1;
            } else if name.ends_with(".jsonl") {
                // `every_kernel_shows_in_all_orders_what_its_file_says` runs those of this folder.
                let is_run = name.starts_with("kernels/protocols/") && Path::new(ROOT).join(name).is_file();
                assert!(is_run, "lines {:?}: no kernel {name}", row.lines);
                kernels += 1;
            } else if rules.contains(name) {
                of_rules += 1;
            } else if name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
            {
                assert!(has(name), "lines {:?}: no instruction {name}", row.lines);
                instructions += 1;
            }
        }
    }
    assert!(kernels > 12, "{kernels} kernels");
    assert!(items > 60 && instructions > 80 && of_rules > 15, "{items} items, {instructions}, {of_rules} rules");
}

#[test]
fn what_is_not_modelled_has_one_of_three_reasons_and_what_is_has_a_carrier() {
    let mut not_modelled = 0;
    for row in rows() {
        let Row { lines, carried, .. } = row;
        let is_carried = carried.contains('`') || carried.starts_with("TX-");
        match carried.split_once("Not modelled yet: ") {
            Some((_, reason)) => {
                assert!(REASONS.iter().any(|known| reason.starts_with(known)), "lines {lines:?}: {reason}");
                not_modelled += 1;
            }
            None => assert!(is_carried, "lines {lines:?}: nothing carries them"),
        }
    }
    assert_eq!(not_modelled, 3);
}

#[test]
fn errata_of_the_summary_and_rows_name_each_other() {
    let errata = || MACHINES.iter().flat_map(|isa| isa.errata);
    let rows = rows();
    let ids = |text: &str| -> BTreeSet<String> {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        words.filter(|word| word.starts_with("TX-")).map(str::to_string).collect()
    };
    let named: BTreeSet<String> = rows.iter().flat_map(|row| ids(row.carried)).collect();
    assert!(named.iter().all(|id| errata().any(|one| one.id == id)), "{named:?}");
    let of_summary = errata().filter(|one| *one.page == REGISTER_SUMMARY);
    for erratum in of_summary.clone() {
        let meets = |line: u32| {
            erratum.lines.split(", ").any(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let number = |text: &str| text.parse::<u32>().expect("lines are numbers");
                (number(first)..=number(last)).contains(&line)
            })
        };
        let naming: Vec<&Row> = rows.iter().filter(|row| ids(row.carried).contains(erratum.id)).collect();
        assert!(!naming.is_empty(), "{} stands in no row", erratum.id);
        let strangers: Vec<&Row> =
            naming.into_iter().filter(|row| !row.lines.iter().any(|&line| meets(line))).collect();
        assert!(
            strangers.is_empty(),
            "{}: rows {:?} are of other lines",
            erratum.id,
            strangers.iter().map(|row| &row.lines).collect::<Vec<_>>()
        );
    }
    assert_eq!(of_summary.count(), 19);
}
