//! Makes the twisted twin of the reference: its files once more, where each thing that a line does can be done wrong.
//!
//! `src/twisted/mod.rs` includes what comes out, and says what it is for.

#[cfg(feature = "twisted")]
#[path = "build/twister.rs"]
mod twister;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "twisted")]
    {
        println!("cargo::rerun-if-changed=build");
        println!("cargo::rerun-if-changed=src");
        let [root, out] = ["CARGO_MANIFEST_DIR", "OUT_DIR"]
            .map(|name| std::path::PathBuf::from(std::env::var_os(name).expect("cargo sets it for build scripts")));
        if let Err(message) = twister::make(&root.join("src"), &out) {
            println!("cargo::error={message}");
            std::process::exit(1);
        }
    }
}
