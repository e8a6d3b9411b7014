//! Gates on the wheel for Python that need no Python.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::DependencyKind;

use crate::program::{ROOT, workspace};

/// For each package of a lock file, on what it depends.
fn locked(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut packages = BTreeMap::new();
    for part in text.split("[[package]]\n").skip(1) {
        let quoted = |line: &str| line.split('"').nth(1).and_then(|word| word.split(' ').next()).map(str::to_string);
        let name =
            part.lines().find(|line| line.starts_with("name = ")).and_then(quoted).expect("a package has a name");
        let needs = part.lines().filter(|line| line.starts_with(" \"")).filter_map(quoted).collect();
        packages.insert(name, needs);
    }
    packages
}

/// `maturin build --locked` refuses a lock file that is behind: a crate of ours got or lost a dependency.
#[test]
fn the_lock_file_of_the_wheel_has_the_dependencies_of_our_crates() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("python/Cargo.lock")).expect("it is committed");
    let locked = locked(&text);
    let mut checked = 0;
    for package in &workspace().packages {
        let Some(has) = locked.get(package.name.as_str()) else { continue };
        let kinds = [DependencyKind::Normal, DependencyKind::Build];
        // The wheel asks for no feature.
        let needs = package.dependencies.iter().filter(|one| kinds.contains(&one.kind) && !one.optional);
        let needs = needs.map(|one| one.name.clone());
        let needs: BTreeSet<String> = needs.collect();
        assert_eq!(has, &needs, "{}: `cargo update --workspace` in python/ mends python/Cargo.lock", package.name);
        checked += 1;
    }
    assert!(checked >= 4, "the wheel has tandem, its harness, its cases and what they share: {checked}");
}
