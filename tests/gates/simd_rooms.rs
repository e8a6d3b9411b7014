//! Which files of the SIMD side may import which: a vector knows no instruction, an instruction no level, and no two files
//! import each other, be it by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::parts::sources;
use crate::program::ROOT;

/// Files by their modules: `tensix::rwcs` for `tensix/rwcs.rs`, `tensix` for `tensix/mod.rs`, nothing for `lib.rs`.
fn modules() -> BTreeMap<String, String> {
    let root = Path::new(ROOT).join("simd/src");
    let module = |path: &Path| {
        let file = path.strip_prefix(&root).expect("it is below").to_str().expect("names are text");
        let name = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        if name == "lib" { String::new() } else { name }
    };
    sources("simd/src").into_iter().map(|(path, text)| (module(&path), text)).collect()
}

/// How high the room of a module is. What lies in a directory is below the `mod.rs` that gives it to others.
fn room(module: &str) -> usize {
    match module {
        "bits" | "level" => 0,
        "vector" => 1,
        "tensix" | "visa" => 4,
        "" => 5,
        _ if module.starts_with("tensix::") || module.starts_with("visa::") => 2,
        _ if module == "arch" || module.starts_with("arch::") => 3,
        _ => panic!("{module} is in no room"),
    }
}

/// A path without its braces: one for each name in them.
fn spelled_out(path: &str) -> Vec<String> {
    let Some((prefix, rest)) = path.split_once('{') else { return vec![path.to_string()] };
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in rest.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        match letter {
            _ if depth < 0 => break,
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one").push(letter),
        }
    }
    parts.iter().flat_map(|part| spelled_out(part)).map(|part| format!("{prefix}{part}")).collect()
}

/// The modules that one imports by paths which begin in the crate. What is for tests is left out.
fn imports<'a>(module: &str, text: &str, all: &'a BTreeMap<String, String>) -> BTreeSet<&'a str> {
    let code: String = text
        .lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .map(|line| line.split("//").next().unwrap_or_default().to_string() + " ")
        .collect();
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let mut imported = BTreeSet::new();
    for (begin, within) in [("crate::", ""), ("self::", module), ("super::", parent)] {
        for (at, _) in code.match_indices(begin) {
            if code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before)) {
                continue;
            }
            let rest = &code[at + begin.len()..];
            let is_use = code[..at].ends_with("use ");
            let end = if is_use {
                rest.find(';')
            } else {
                rest.find(|one: char| !one.is_alphanumeric() && !"_:".contains(one))
            };
            for path in spelled_out(&rest[..end.unwrap_or(rest.len())].replace(char::is_whitespace, "")) {
                let mut path = format!("{within}::{path}").trim_start_matches("::").to_string();
                while !all.contains_key(&path) {
                    path = path.rsplit_once("::").map_or(String::new(), |(shorter, _)| shorter.to_string());
                }
                let (found, _) = all.get_key_value(&path).expect("it is one of them");
                imported.insert(found.as_str());
            }
        }
    }
    imported.remove(module);
    imported
}

#[test]
fn files_of_the_simd_side_import_only_what_lies_below() {
    let all = modules();
    let mut arrows: BTreeMap<&str, BTreeSet<&str>> =
        all.iter().map(|(module, text)| (module.as_str(), imports(module, text, &all))).collect();
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 100, "imports are not found: {arrows:?}");
    for (from, to) in &arrows {
        for to in to {
            let side = |module: &str| module.split("::").next().map(str::to_string);
            let is_aside = room(from) == room(to) && room(to) == 2 && side(from) != side(to);
            assert!(
                room(to) <= room(from) && !is_aside,
                "`{from}` imports `{to}`, which is in a room above or beside it"
            );
        }
    }
    assert_eq!(arrows["vector"], BTreeSet::new(), "a vector is lanes, and operations of lanes");
    // Whoever imports nothing that is left is taken away; what stays is a circle, and whoever imports it.
    while let Some(lowest) = arrows.iter().find(|(_, to)| to.is_empty()).map(|(from, _)| *from) {
        arrows.remove(lowest);
        arrows.values_mut().for_each(|to| {
            to.remove(lowest);
        });
    }
    assert!(arrows.is_empty(), "files import each other: {arrows:#?}");
}
