//! Lists the committed vectors, which become a part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=vectors");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let mut files = Vec::new();
    collect(&root.join("vectors"), &mut files)?;
    files.sort();
    let mut list = String::from(
        "/// The files below `vectors`, each by its path there, in ascending order.\n\
         pub(crate) const VECTORS: &[(&str, &str)] = &[\n",
    );
    for file in files {
        let name = file.strip_prefix(root.join("vectors")).expect("it lies there").to_str().expect("names are text");
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", file.to_str().expect("names are text"));
    }
    list.push_str("];\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write")).join("vectors.rs"), list)
}

/// The JSON files below a directory.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    Ok(())
}
