//! What each instruction costs: lines of Rust that are its own, by room. `cargo run --example cost`
//!
//! A line is an instruction's own if it lies in a file that is named after it (`mova2d.rs`, `mova2d_axes.rs`), in an item of
//! another file that is (`fn sfpand`, `Sfpand(…) gives …`), or in a comment of such an item; and so is a line elsewhere that
//! names it. What remains of a file in which instructions lie side by side is a form, which they share. Tests stand apart.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tandem_cases::ISAS;

const ROOMS: [&str; 5] = ["isa", "cases", "reference", "simd", "faults"];

fn main() {
    let mut all: Vec<(&str, &str)> = Vec::new();
    for instruction in ISAS.iter().flat_map(|isa| isa.instructions) {
        // `tensix-wh` and `tensix-bh` lie in directories of one name.
        let family = instruction.isa.split('-').next().expect("a name has a beginning");
        if !all.contains(&(family, instruction.file)) {
            all.push((family, instruction.file));
        }
    }
    let mut costs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for room in ROOMS {
        for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(room).join("src")) {
            let lies_in = |family: &str| path.iter().any(|part| part == family);
            let is_near = |family: &str| lies_in(family) || !all.iter().any(|(family, _)| lies_in(family));
            let names: Vec<&str> = all.iter().filter(|(family, _)| is_near(family)).map(|(_, name)| *name).collect();
            let text = fs::read_to_string(&path).expect("a source file is text");
            let mut rest = 0;
            let mut own = 0;
            for item in items(&text) {
                let lines = item.lines().count();
                match names
                    .iter()
                    .find(|name| is_of(&path, name))
                    .or_else(|| names.iter().find(|name| names_it(item, name)))
                {
                    Some(name) => {
                        own += lines;
                        *costs.entry((name, room)).or_default() += lines;
                    }
                    None => rest += count_rows(item, &names, room, &mut costs),
                }
            }
            if own > 0 && rest > 0 {
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it lies here").display().to_string();
                shared.insert(name, rest);
            }
        }
    }
    println!("| instruction | {} | sum |\n|---|{}", ROOMS.join(" | "), "---:|".repeat(ROOMS.len() + 1));
    for (_, name) in &all {
        let of: Vec<usize> = ROOMS.iter().map(|room| costs.get(&(*name, *room)).copied().unwrap_or(0)).collect();
        let cells: Vec<String> = of.iter().map(usize::to_string).collect();
        println!("| `{}` | {} | {} |", name.to_uppercase(), cells.join(" | "), of.iter().sum::<usize>());
    }
    println!("\n| shared by several | lines |\n|---|---:|");
    for (path, lines) in &shared {
        println!("| `{path}` | {lines} |");
    }
}

/// The Rust files below a directory, but for those of tests.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Whether a file is named after an instruction.
fn is_of(path: &Path, name: &str) -> bool {
    let parts = path.iter().filter_map(|part| part.to_str()).map(|part| part.trim_end_matches(".rs"));
    parts.rev().take(2).any(|part| part == name || part.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')))
}

/// The items of a file, each with the comments and attributes above it. A file ends where its tests begin.
fn items(text: &str) -> Vec<&str> {
    let (mut found, mut begin, mut at, mut is_open) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        let is_head = line.trim().is_empty() || line.starts_with("//") || line.starts_with("#[");
        is_open |= !is_head && !line.starts_with([' ', '}', ')', ']']);
        at += line.len();
        let (is_inside, code) = (line.starts_with(' '), code.trim_end());
        let is_end = is_open && !is_inside && !code.ends_with('{') && code.ends_with(['}', ')', ']', ';']);
        if is_end {
            found.push(&text[begin..at]);
            (begin, is_open) = (at, false);
        }
    }
    found
}

/// Whether the first line of an item's code names an instruction, and no other line of that kind does.
fn names_it(item: &str, name: &str) -> bool {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.starts_with("//") && !line.starts_with("#[");
    let head = item.lines().find(is_code).unwrap_or_default().to_lowercase();
    !head.starts_with("use ")
        && words(&head).any(|word| word == name || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')))
}

/// Counts the lines of a shared item: those that name one instruction are its own. Returns how many are nobody's.
fn count_rows<'n>(
    item: &str,
    names: &[&'n str],
    room: &'static str,
    costs: &mut BTreeMap<(&'n str, &'static str), usize>,
) -> usize {
    let mut rest = 0;
    for line in item.lines() {
        let line = line.to_lowercase();
        let mut named = names.iter().filter(|name| words(&line).any(|word| word == **name));
        match (named.next(), named.next()) {
            (Some(name), None) if !line.trim_start().starts_with("//") => *costs.entry((name, room)).or_default() += 1,
            _ => rest += 1,
        }
    }
    rest
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}
