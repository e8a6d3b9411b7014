//! Which crates may depend on which: the reference and the SIMD side share facts, and nothing else. Which cases there are
//! is known to no implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Package};

use crate::parts::sources;
use crate::program::{ROOT, workspace};

#[test]
fn crates_depend_only_along_the_arrows() {
    let metadata = workspace();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let arrows = |tests: bool| -> BTreeMap<&str, BTreeSet<&str>> {
        let packages = metadata.packages.iter().map(|package| {
            // Build dependencies count as those of the library.
            let of_kind = package.dependencies.iter().filter(|on| (on.kind == DependencyKind::Development) == tests);
            let on = of_kind.map(|dependency| dependency.name.as_str());
            (package.name.as_str(), on.filter(|name| ours.contains(name)).collect())
        });
        packages.collect()
    };
    let all = [
        "tandem-cases",
        "tandem-faults",
        "tandem-harness",
        "tandem-isa",
        "tandem-reference",
        "tandem-simd",
        "tandem-twin",
    ];
    // Satellites: nothing of the core knows them, but for the command line, which has them if their feature was asked for.
    let satellites = ["tandem-board", "tandem-challenge", "tandem-import", "tandem-opencl"];
    let allowed: BTreeMap<&str, BTreeSet<&str>> = [
        ("tandem", BTreeSet::from_iter(all.into_iter().chain(satellites))),
        ("tandem-board", BTreeSet::from(["tandem-harness", "tandem-isa"])),
        ("tandem-challenge", BTreeSet::from(["tandem-harness", "tandem-isa"])),
        ("tandem-import", BTreeSet::from(["tandem-cases", "tandem-harness", "tandem-isa"])),
        ("tandem-opencl", BTreeSet::from(["tandem-harness", "tandem-isa"])),
        ("tandem-policy", BTreeSet::from(["tandem-faults", "tandem-isa"])),
        ("tandem-cases", BTreeSet::from(["tandem-isa"])),
        ("tandem-faults", BTreeSet::from(["tandem-isa", "tandem-reference", "tandem-twin"])),
        ("tandem-harness", BTreeSet::from(["tandem-isa"])),
        ("tandem-isa", BTreeSet::new()),
        ("tandem-reference", BTreeSet::from(["tandem-isa"])),
        ("tandem-simd", BTreeSet::from(["tandem-isa"])),
        ("tandem-twin", BTreeSet::from(["tandem-isa", "tandem-reference"])),
    ]
    .into();
    assert_eq!(arrows(false), allowed);
    // Tests of the harness and of what misbehaves need cases, those of satellites the pages.
    let of_tests = |name: &&'static str| match *name {
        "tandem-faults" | "tandem-harness" | "tandem-policy" => Some("tandem-cases"),
        "tandem" => Some("tandem-policy"),
        name => satellites.contains(&name).then_some("tandem"),
    };
    let of_tests: BTreeMap<&str, BTreeSet<&str>> =
        allowed.keys().map(|name| (*name, of_tests(name).into_iter().collect())).collect();
    assert_eq!(arrows(true), of_tests);
}

/// What a line of a source includes by a path of its own: behind `include_str!`, `include_bytes!`, `include!` or `path =`.
fn included(line: &str) -> Option<&str> {
    let marks = ["include_str!(\"", "include_bytes!(\"", "include!(\"", "#[path = \""];
    let begin = marks.iter().find_map(|mark| line.find(mark).map(|at| at + mark.len()))?;
    line[begin..].split('"').next()
}

/// What is packaged is the folder of a crate, without those of other crates in it.
#[test]
fn no_crate_includes_a_file_from_outside() {
    let metadata = workspace();
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = |package: &Package| resolved(package.manifest_path.parent().expect("it is in a folder").as_std_path());
    let folders: Vec<PathBuf> = metadata.packages.iter().map(folder).collect();
    // The innermost crate that a file lies in.
    let crate_of =
        |file: &Path| folders.iter().filter(|folder| file.starts_with(folder)).max_by_key(|one| one.as_os_str().len());
    let mut count = 0;
    for place in
        ["isa", "cases", "reference", "twin", "simd", "faults", "harness", "satellites", "src", "tests", "examples"]
    {
        for (file, text) in sources(place) {
            let file = resolved(&Path::new(ROOT).join(file));
            let folder = file.parent().expect("a file is in a folder");
            for path in text.lines().filter_map(included) {
                // One that does not exist fails here.
                let path = resolved(&folder.join(path));
                assert_eq!(crate_of(&file), crate_of(&path), "{}: {}", file.display(), path.display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} files are included");
}

/// A crate that is not compiled for tests has none in its sources, and a new one of those is not passed over in silence.
#[test]
fn where_no_tests_are_compiled_there_are_none() {
    let mut count = 0;
    for package in &workspace().packages {
        let folder = package.manifest_path.parent().expect("it is in a folder");
        let Some(lib) = package.targets.iter().find(|target| target.is_lib()) else { continue };
        let marks: [(bool, &[&str]); 2] =
            [(lib.test, &["#[test]", "#[rstest]", "cfg(test)"]), (lib.doctest, &["/// ```", "//! ```"])];
        for (_, marks) in marks.into_iter().filter(|(is_compiled, _)| !is_compiled) {
            for (file, text) in sources(folder.join("src").as_str()) {
                assert!(!marks.iter().any(|mark| text.contains(mark)), "{}: never compiled", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count} files");
}

/// The twisted twin is the reference, and what is plain must not know it.
#[test]
fn only_twists_see_the_reference() {
    for (file, text) in sources("faults/src").into_iter().chain(sources("satellites")) {
        let sees = ["tandem_reference", "tandem_twin"].iter().any(|name| text.contains(name));
        assert!(!sees || file.ends_with("twist.rs"), "{}", file.display());
    }
}

/// Whether a line has a word that is not part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let letter = |place: Option<char>| place.is_some_and(|one| one.is_ascii_alphanumeric() || one == '_');
    line.match_indices(word)
        .any(|(at, _)| !letter(line[..at].chars().next_back()) && !letter(line[at + word.len()..].chars().next()))
}

#[test]
fn the_harness_knows_no_instruction_set() {
    for (file, text) in sources("harness/src") {
        let file = file.display();
        for word in ["tensix", "visa", "mova2d", "srca", "lreg", "dstbits", "grf", "rwc"] {
            let found = text.lines().position(|line| has_word(&line.to_ascii_lowercase(), word));
            // Examples in documentation name an instruction set so that a reader sees what is meant.
            let example = found.is_some_and(|line| {
                let line = text.lines().nth(line).unwrap_or_default().trim_start();
                line.starts_with("//")
            });
            assert!(found.is_none() || example, "{file}:{}: '{word}'", found.unwrap_or(0) + 1);
        }
    }
}

#[test]
fn the_reference_uses_no_host_float_and_no_unsafe() {
    for (file, text) in sources("reference/src") {
        // Its tests may hold what it computes against the host.
        let words = if file.ends_with("tests.rs") { &["unsafe"][..] } else { &["f32", "f64", "unsafe", "half"] };
        let file = file.display();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in words {
                assert!(!has_word(code, word), "{file}:{}: {word}", number + 1);
            }
        }
    }
}
