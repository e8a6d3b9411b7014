//! Makes Rust of the pages, the errata, the disputes, the rules and the meanings of fields, which are data:
//! `pages/<family>/<NAME>.toml`, `errata/<id>.toml`, `disputes/<id>.toml`, `rules/<family>/<id>.toml` and `meanings/<family>.toml`.
//!
//! `src/<family>/pages.rs`, `errata.rs`, `disputes.rs`, `rules.rs` and `meanings.rs` include what comes out. A file that cannot be read ends the build, with a
//! message that names the file and the key.

#[path = "build/data.rs"]
mod data;
#[path = "build/meanings.rs"]
mod meanings;
#[path = "build/rules.rs"]
mod rules;
#[path = "build/rust.rs"]
mod rust;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    for place in ["build.rs", "build", data::PAGES, data::ERRATA, data::DISPUTES, rules::RULES, meanings::MEANINGS] {
        println!("cargo::rerun-if-changed={place}");
    }
    let [root, out] = ["CARGO_MANIFEST_DIR", "OUT_DIR"]
        .map(|name| PathBuf::from(std::env::var_os(name).expect("cargo sets it for build scripts")));
    match make(&root, &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn make(root: &Path, out: &Path) -> Result<(), String> {
    let data = data::Data::of(&data::read(root)?)?;
    for (name, text) in rust::files(&data) {
        std::fs::write(out.join(&name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    for (name, text) in
        [("tensix_rules.rs", rules::rules(&data, "tensix")?), ("tensix_meanings.rs", meanings::tensix(root)?)]
    {
        std::fs::write(out.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
