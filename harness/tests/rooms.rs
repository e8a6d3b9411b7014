//! Rooms of the harness: each uses those below it and none above, so that there is no circle between them.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

/// The rooms, from the lowest to the highest.
const ROOMS: [&str; 12] = [
    "terms", "judge", "case", "foreign", "bench", "observe", "run", "program", "threads", "explain", "vectors",
    "report",
];

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)
}

/// All sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file, without comments.
fn code(file: &Path) -> String {
    let text = read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first names behind each `crate::`: one, or those of a list.
fn used(code: &str) -> Vec<String> {
    let path = Regex::new(r"\bcrate::(?:(\w+)|\{([^;]*)\};)").expect("it is one");
    let inner = Regex::new(r"\{[^{}]*\}|::\w+").expect("it is one");
    let of = |found: regex_lite::Captures<'_>| -> Vec<String> {
        let Some(list) = found.get(2) else { return vec![found[1].to_string()] };
        let mut list = list.as_str().to_string();
        // What stands in an inner list is of the name before it.
        while inner.is_match(&list) {
            list = inner.replace_all(&list, "").replace("::", "");
        }
        list.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
    };
    path.captures_iter(code).flat_map(of).collect()
}

/// The room in which each name that the crate exports lives.
fn exported() -> BTreeMap<String, String> {
    let list = Regex::new(r"(?s)pub use (\w+)::\{([^}]*)\};").expect("it is one");
    let code = code(&source("lib.rs"));
    let of = |found: regex_lite::Captures<'_>| -> Vec<(String, String)> {
        let names = found[2].split(',').map(str::trim).filter(|name| !name.is_empty());
        names.map(|name| (name.to_string(), found[1].to_string())).collect()
    };
    list.captures_iter(&code).flat_map(of).collect()
}

#[test]
fn a_room_uses_only_those_below_it() {
    let exported = exported();
    let height = |name: &str| {
        let room = ROOMS.iter().position(|room| *room == name);
        room.or_else(|| ROOMS.iter().position(|room| exported.get(name).is_some_and(|of| of == room)))
    };
    let mut arrows = 0;
    for (own, room) in ROOMS.iter().enumerate() {
        for file in sources(&source(room)) {
            for name in used(&code(&file)) {
                let of = height(&name).unwrap_or_else(|| panic!("{}: crate::{name} is in no room", file.display()));
                assert!(of <= own, "{}: crate::{name} is of `{}`, above `{room}`", file.display(), ROOMS[of]);
                arrows += usize::from(of < own);
            }
        }
    }
    assert!(arrows > 300, "{arrows} arrows between rooms");
}

/// A room is left by `crate::` alone: no chain of `super::` is longer than its file lies deep, and one more in a module of its own.
#[test]
fn no_chain_of_super_leads_out_of_a_room() {
    let chain = Regex::new(r"\b(?:super::)+").expect("it is one");
    let inline = Regex::new(r"\bmod \w+ \{").expect("it is one");
    for file in ROOMS.iter().flat_map(|room| sources(&source(room))) {
        let code = code(&file);
        let inside = file.strip_prefix(source("")).expect("it is below").iter().count();
        let depth = inside - usize::from(file.ends_with("mod.rs")) + usize::from(inline.is_match(&code));
        let longest = chain.find_iter(&code).map(|chain| chain.as_str().matches("super::").count()).max();
        assert!(longest.is_none_or(|longest| longest < depth), "{}: use `crate::`", file.display());
    }
}

#[test]
fn every_source_is_in_a_room() {
    let lib = code(&source("lib.rs"));
    for file in sources(&source("")) {
        let inside = file.strip_prefix(source("")).expect("it is below");
        let room = inside.iter().next().and_then(|first| first.to_str()).expect("a name");
        assert!(ROOMS.contains(&room) || room == "lib.rs", "{}", file.display());
    }
    let rooms: Vec<&str> =
        lib.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")).collect();
    assert_eq!(rooms, ROOMS.map(|room| format!("{room};")), "they are declared from the lowest to the highest");
}
