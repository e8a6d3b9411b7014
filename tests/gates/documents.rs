//! What documents name is there: files in backticks, and links.

use std::path::{Path, PathBuf};

use crate::program::ROOT;

/// The documents, as paths and texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut rest = vec![Path::new(ROOT).join("docs")];
    while let Some(folder) = rest.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                rest.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| Path::new(ROOT).join(name)));
    found.into_iter().map(|path| (path.clone(), std::fs::read_to_string(&path).expect("a document is text"))).collect()
}

/// A file of the repository that a document names: a path from the root, with an ending that sources and data have.
fn is_path(word: &str) -> bool {
    let rooms = [
        "isa/",
        "cases/",
        "reference/",
        "twin/",
        "simd/",
        "faults/",
        "harness/",
        "src/",
        "satellites/",
        "tests/gates/",
        "docs/",
        "examples/",
        "profiles/",
        "python/src/",
    ];
    let letters = word.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter));
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
    let ends = ending.is_some_and(|ending| ["rs", "toml", "md", "json", "c", "h", "py"].contains(&ending));
    letters && ends && rooms.iter().any(|room| word.starts_with(room))
}

#[test]
fn every_file_that_a_document_names_is_there() {
    let mut count = 0;
    let mut missing = Vec::new();
    for (document, text) in documents() {
        let folder = document.parent().expect("a document is in a folder");
        let words =
            text.split('`').skip(1).step_by(2).filter(|word| is_path(word)).map(|word| Path::new(ROOT).join(word));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let links = links.filter(|link| !link.is_empty() && !link.contains([':', ' '])).map(|link| folder.join(link));
        for path in words.chain(links) {
            count += 1;
            if !path.exists() {
                missing.push(format!("{}: {}", document.display(), path.display()));
            }
        }
    }
    assert!(count > 100, "{count} files are named");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_map_fits_on_a_table() {
    let map = std::fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).expect("it is there");
    assert!(map.len() <= 12 << 10, "{} bytes: what is more goes to docs/design", map.len());
}
