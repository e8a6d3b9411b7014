//! Makes the twin: the files of the reference once more, where each thing that a line does can be done wrong.

#[path = "build/twister.rs"]
mod twister;

use std::path::PathBuf;

fn main() {
    let [root, out] = ["CARGO_MANIFEST_DIR", "OUT_DIR"]
        .map(|name| PathBuf::from(std::env::var_os(name).expect("cargo sets it for build scripts")));
    let reference = root.join("../reference/src");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", reference.display());
    println!("cargo::rerun-if-changed={}", root.join("../isa/src/tensix/state.rs").display());
    if let Err(message) = twister::make(&reference, &out) {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}
