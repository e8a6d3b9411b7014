//! Makes Rust of the pages, the errata, the disputes and the rules, which are data: `pages/<family>/<NAME>.toml`,
//! `errata/<id>.toml`, `disputes/<id>.toml` and `rules/<family>/<id>.toml`.
//!
//! `src/<family>/pages.rs`, `errata.rs`, `disputes.rs` and `rules.rs` include what comes out. A file that cannot be read ends the build, with a
//! message that names the file and the key.

#[path = "build/data.rs"]
mod data;
#[path = "build/rules.rs"]
mod rules;
#[path = "build/rust.rs"]
mod rust;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    for place in ["build.rs", "build", data::PAGES, data::ERRATA, data::DISPUTES, rules::RULES] {
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
    let text = rules::rules(&data, "tensix")?;
    std::fs::write(out.join("tensix_rules.rs"), text).map_err(|error| format!("tensix_rules.rs: {error}"))?;
    Ok(())
}
